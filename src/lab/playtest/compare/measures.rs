//! The measures of a game, by names that are valid for both sets of rules.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::lead::LeadCourse;
use super::super::measure::{PlayedGame, value_names};
use super::super::page_names::PageNames;
use super::inference::ValueRange;
use crate::agent::AgentKind;
use crate::cast;
use crate::engine::Ruleset;

/// A measure of a game. Reports list measures in this order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Measure {
    /// Points of a player, averaged over the seats.
    Points,
    /// Points of the first player.
    PointsOfWinner,
    /// Points of the last player.
    PointsOfLast,
    /// Difference in points between first and last.
    Spread,
    /// Points of a row of the score, averaged over the seats.
    Row(String),
    /// Share of games that all win together, if they win or lose together.
    Won,
    /// Share of the win of a team, counted from 1; joint winners share equally.
    WonByTeam(usize),
    /// Share of the win of a seat, counted from 1; joint winners share equally.
    WonBy(usize),
    /// Share of the win of the seats that begin with a card that others do not have.
    WonWith(String),
    /// Share of the win of an agent, at any seat.
    WonByKind(String),
    /// Number of rounds.
    Rounds,
    /// Whether the game was cut off after the maximum number of rounds.
    CutOff,
    /// Number of questions with at least two options.
    Decisions,
    /// Number of options of a question with at least two options.
    Options,
    /// Number of rounds that begin with a different leader than the previous one.
    LeadChanges,
    /// Number of final rounds during which the winner was in the lead.
    KnownFor,
    /// Whether a player wins who was last after half of the rounds.
    LastWins,
    /// Fraction of the most frequent action among all actions.
    Commonest,
    /// Number of times that an action is taken, by all players together.
    Action(String),
    /// Number of times that an action is taken with a card of a kind.
    ActionWith(String, String),
    /// Amount of a resource or value of a stat at the end, averaged over the seats.
    AtTheEnd(String),
}

const POINTS: &str = "points";
const WINS: &str = "games won";
const COURSE: &str = "the course of a game";
const ACTIONS: &str = "actions";
const END: &str = "what a player has at the end";

const PLAYER: &str = "a player";
const GAME: &str = "a game";
const DECISION: &str = "a decision";
const SHARE_OF_GAMES: &str = "of games";
const SHARE_OF_ACTIONS: &str = "of actions";

impl Measure {
    /// Returns the name of the measure, the unit over which the mean is taken, and the family.
    fn facts(&self) -> (String, &'static str, &'static str) {
        match self {
            Measure::Points => ("points".into(), PLAYER, POINTS),
            Measure::PointsOfWinner => ("points of the winner".into(), GAME, POINTS),
            Measure::PointsOfLast => ("points of the last".into(), GAME, POINTS),
            Measure::Spread => ("points between first and last".into(), GAME, POINTS),
            Measure::Row(name) => (format!("points: {name}"), PLAYER, POINTS),
            Measure::Won => ("games won".into(), SHARE_OF_GAMES, WINS),
            Measure::WonByTeam(team) => (format!("games won by team {team}"), SHARE_OF_GAMES, WINS),
            Measure::WonBy(seat) => (format!("games won by p{seat}"), SHARE_OF_GAMES, WINS),
            Measure::WonWith(card) => (format!("games won by who begins with {card}"), SHARE_OF_GAMES, WINS),
            Measure::WonByKind(agent) => (format!("games won by {agent}"), SHARE_OF_GAMES, WINS),
            Measure::Rounds => ("rounds".into(), GAME, COURSE),
            Measure::CutOff => ("games cut off after the most rounds".into(), SHARE_OF_GAMES, COURSE),
            Measure::Decisions => ("decisions".into(), GAME, COURSE),
            Measure::Options => ("options in a decision".into(), DECISION, COURSE),
            Measure::LeadChanges => ("changes of the lead".into(), GAME, COURSE),
            Measure::KnownFor => ("rounds that the winner leads to the end".into(), GAME, COURSE),
            Measure::LastWins => ("games won by who was last at half-time".into(), SHARE_OF_GAMES, COURSE),
            Measure::Commonest => ("share of the commonest action".into(), SHARE_OF_ACTIONS, COURSE),
            Measure::Action(action) => (action.clone(), GAME, ACTIONS),
            Measure::ActionWith(action, kind) => (format!("{action}: {kind}"), GAME, ACTIONS),
            Measure::AtTheEnd(name) => (format!("at the end: {name}"), PLAYER, END),
        }
    }

    /// Returns the measure with translated names of cards, kinds and words.
    pub fn translated(&self, PageNames { names, cards }: PageNames<'_>) -> Measure {
        let mut told = self.clone();
        if let Measure::Row(word) | Measure::Action(word) | Measure::ActionWith(word, _) | Measure::AtTheEnd(word) = &mut told {
            *word = names.translate_word(word);
        }
        if let Measure::ActionWith(_, kind) = &mut told {
            *kind = names.kind(kind).to_string();
        }
        if let Measure::WonWith(card) = &mut told {
            *card = cards.get(card.as_str()).unwrap_or(&card.as_str()).to_string();
        }
        told
    }

    /// Returns the heading under which related measures are grouped.
    pub fn family(&self) -> &'static str {
        self.facts().2
    }

    /// Returns the unit over which the mean is taken.
    pub fn unit(&self) -> &'static str {
        self.facts().1
    }

    /// Whether the mean is a share.
    pub fn is_share(&self) -> bool {
        matches!(self.unit(), SHARE_OF_GAMES | SHARE_OF_ACTIONS)
    }

    /// Returns the size of a difference that people ask about: one, or a hundredth of a share.
    pub fn size(&self) -> f64 {
        if self.is_share() { 0.01 } else { 1.0 }
    }

    /// Returns the possible values in a game with this number of players.
    pub fn scale(&self, players: usize) -> ValueRange {
        match self.unit() {
            SHARE_OF_GAMES => ValueRange::Share,
            PLAYER => ValueRange::Steps(1.0 / players.max(1) as f64),
            // The effect of one additional action or option on a mean over a whole game.
            SHARE_OF_ACTIONS => ValueRange::Steps(0.02),
            DECISION => ValueRange::Steps(0.1),
            _ => ValueRange::Steps(1.0),
        }
    }

    /// Whether this measure may be an alias of another one: points as a row of the score or as a final value, or an action as the same
    /// action with the only kind of card that it takes.
    pub fn may_be_alias_of(&self, other: &Measure) -> bool {
        let of_points = |measure: &Measure| matches!(measure, Measure::Points | Measure::Row(_) | Measure::AtTheEnd(_));
        match (self, other) {
            (Measure::ActionWith(action, _), Measure::Action(of)) => action == of,
            _ => of_points(self) && of_points(other),
        }
    }

    /// Returns the value in a game in which the measure is missing: 0; `None` if it is not defined there, since nobody begins with the card.
    pub fn if_missing(&self) -> Option<f64> {
        if let Measure::WonWith(_) = self { None } else { Some(0.0) }
    }

    /// Returns the number of pairs over which the mean is taken: all, or those in which the measure is defined.
    pub fn pairs(&self, all: u64, taken: u64) -> u64 {
        if self.if_missing().is_some() { all } else { taken }
    }

    /// Returns the measures that are defined in every game with these rules: all except actions by kind of card, and wins with initial
    /// cards.
    pub fn always_defined(rules: &Ruleset) -> Vec<Measure> {
        let mut found = vec![Measure::Commonest];
        each_measure(rules, &mut |measure, _| found.push(measure));
        found.extend(rules.actions().iter().map(|action| Measure::Action(rules.names.text(action.name).to_string())));
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts().0)
    }
}

/// A game with what several measures are taken from.
struct MeasuredGame<'a> {
    played: &'a PlayedGame,
    /// Points of the sides, the winner's first.
    points: Vec<f64>,
    /// The seats from first to last when each round begins; none if they are not recorded.
    rounds: &'a [Vec<usize>],
    lead: Option<LeadCourse>,
    /// Resources and stats at the end, averaged over the seats.
    final_values: Vec<f64>,
}

/// How a measure is taken from a game; `None` if it is not recorded.
type TakenFromGame<'a> = dyn Fn(&MeasuredGame<'_>) -> Option<f64> + 'a;

/// Calls `take` with each measure that all games with these rules have, except those of actions, and with how it is taken from a game.
fn each_measure(rules: &Ruleset, take: &mut dyn FnMut(Measure, &TakenFromGame<'_>)) {
    let players = rules.players as f64;
    let counted = if rules.together.is_some() { 1.0 } else { players };
    take(Measure::Points, &|game| Some(game.points.iter().sum::<f64>() / counted));
    if rules.together.is_some() {
        take(Measure::Won, &|game| Some(game.played.won(0).games()));
    }
    if rules.side_count() > 1 {
        take(Measure::PointsOfWinner, &|game| game.points.first().copied());
        take(Measure::PointsOfLast, &|game| game.points.last().copied());
        take(Measure::Spread, &|game| Some((game.points.first()? - game.points.last()?).abs()));
        let of_one: fn(usize) -> Measure = if rules.has_teams() { Measure::WonByTeam } else { Measure::WonBy };
        (0..rules.side_count()).for_each(|side| take(of_one(side + 1), &|game| Some(game.played.won(side).games())));
        take(Measure::LeadChanges, &|game| Some(game.lead?.changes as f64));
        take(Measure::KnownFor, &|game| Some(game.lead?.settled.map_or(0.0, |round| game.rounds.len() as f64 - round as f64)));
        take(Measure::LastWins, &|game| {
            let half = game.rounds.get(game.rounds.len() / 2).filter(|_| game.rounds.len() > 1)?;
            Some(half.last().map_or(0.0, |last| game.played.won(*last).games()))
        });
    }
    for (row, (name, _)) in rules.score.iter().enumerate() {
        let sum = |game: &PlayedGame| game.rows.iter().filter_map(|rows| rows.get(row)).sum::<i64>();
        take(Measure::Row(name.clone()), &|game| Some(sum(game.played) as f64 / players));
    }
    take(Measure::Rounds, &|game| Some(game.played.rounds as f64));
    if rules.cut_off.is_some() {
        take(Measure::CutOff, &|game| Some(f64::from(u8::from(game.played.cut_off))));
    }
    take(Measure::Decisions, &|game| Some(game.played.decisions as f64));
    take(Measure::Options, &|game| Some(game.played.options as f64 / game.played.decisions.max(1) as f64));
    for (figure, name) in value_names(rules).into_iter().enumerate() {
        take(Measure::AtTheEnd(name), &|game| game.final_values.get(figure).copied());
    }
}

/// Computes all measures of a game, for which the agents were rotated by its number; see [`Measure::if_missing`].
pub fn measures(rules: &Ruleset, agents: &[AgentKind], number: u64, played: &PlayedGame) -> BTreeMap<Measure, f64> {
    let rounds = played.course.as_ref().map_or(&[][..], |course| course.rounds.as_slice());
    let leader = |(round, seats): (u64, &Vec<usize>)| Some((round, cast::seat(rules.side(*seats.first()?))));
    // Nobody has acted before the first round.
    let leaders: Vec<(u64, u8)> = (0..).zip(rounds).skip(1).filter_map(leader).collect();
    let mut final_values = vec![0.0; rules.resources.len() + rules.quantities.len()];
    for (_, figure, value) in played.figures.iter().filter(|(round, ..)| *round == 0) {
        final_values[usize::from(*figure)] += *value as f64 / rules.players as f64;
    }
    let game = MeasuredGame {
        played,
        points: played.ranking_of_sides().into_iter().map(|side| played.points_of_side(side) as f64).collect(),
        rounds,
        lead: played.course.as_ref().and_then(|_| LeadCourse::of_leaders(&leaders, played)),
        final_values,
    };
    let mut found = BTreeMap::new();
    each_measure(rules, &mut |measure, taken| found.extend(taken(&game).map(|value| (measure, value))));
    for (card, seats) in played.initial_cards_of_some(rules) {
        let won = played.sides_of(&seats).into_iter().map(|side| played.won(side).games()).sum();
        found.insert(Measure::WonWith(rules.names.text(rules.definitions[card as usize].id).to_string()), won);
    }
    // Wins of players of one kind say nothing of them.
    if agents.iter().any(|agent| *agent != agents[0]) {
        let by = cast::fit::<usize>(number % agents.len() as u64);
        for (at, agent) in agents.iter().enumerate() {
            let won = played.won((at + by) % agents.len()).games() / played.side_size() as f64;
            *found.entry(Measure::WonByKind(agent.to_string())).or_default() += won;
        }
    }
    add_action_measures(rules, played, &mut found);
    found
}

fn add_action_measures(rules: &Ruleset, played: &PlayedGame, found: &mut BTreeMap<Measure, f64>) {
    for alike in played.chosen.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let ((action, definition, _), times) = (alike[0], alike.len() as f64);
        let action = rules.names.text(rules.choices[usize::from(action)].name).to_string();
        if let Some(definition) = definition {
            let kind = rules.kinds[rules.definitions[definition as usize].kind as usize].name;
            *found.entry(Measure::ActionWith(action.clone(), rules.names.text(kind).to_string())).or_default() += times;
        }
        *found.entry(Measure::Action(action)).or_default() += times;
    }
    let of_actions = found.iter().filter(|(measure, _)| matches!(measure, Measure::Action(_)));
    let most = of_actions.map(|(_, times)| *times).fold(0.0, f64::max);
    found.insert(Measure::Commonest, most / played.chosen.len().max(1) as f64);
}
