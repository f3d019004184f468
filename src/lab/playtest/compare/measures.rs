//! The measures of a game, by names that are valid for both sets of rules.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::measure::{PlayedGame, value_names};
use super::super::page_names::PageNames;
use super::super::stats::Wins;
use super::inference::ValueRange;
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

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Measure::Points => f.write_str("points"),
            Measure::PointsOfWinner => f.write_str("points of the winner"),
            Measure::PointsOfLast => f.write_str("points of the last"),
            Measure::Spread => f.write_str("points between first and last"),
            Measure::Row(name) => write!(f, "points: {name}"),
            Measure::Won => f.write_str("games won"),
            Measure::WonByTeam(team) => write!(f, "games won by team {team}"),
            Measure::WonBy(seat) => write!(f, "games won by p{seat}"),
            Measure::WonWith(card) => write!(f, "games won by who begins with {card}"),
            Measure::WonByKind(agent) => write!(f, "games won by {agent}"),
            Measure::Rounds => f.write_str("rounds"),
            Measure::CutOff => f.write_str("games cut off after the most rounds"),
            Measure::Decisions => f.write_str("decisions"),
            Measure::Options => f.write_str("options in a decision"),
            Measure::LeadChanges => f.write_str("changes of the lead"),
            Measure::KnownFor => f.write_str("rounds that the winner leads to the end"),
            Measure::LastWins => f.write_str("games won by who was last at half-time"),
            Measure::Commonest => f.write_str("share of the commonest action"),
            Measure::Action(action) => f.write_str(action),
            Measure::ActionWith(action, kind) => write!(f, "{action}: {kind}"),
            Measure::AtTheEnd(name) => write!(f, "at the end: {name}"),
        }
    }
}

impl Measure {
    /// Returns the measure with translated names of cards, kinds and words.
    pub fn translated(&self, PageNames { names, cards }: PageNames<'_>) -> Measure {
        match self {
            Measure::Row(name) => Measure::Row(names.translate_word(name)),
            Measure::WonWith(card) => Measure::WonWith(cards.get(card.as_str()).map_or_else(|| card.clone(), ToString::to_string)),
            Measure::Action(action) => Measure::Action(names.translate_word(action)),
            Measure::ActionWith(action, kind) => Measure::ActionWith(names.translate_word(action), names.kind(kind).to_string()),
            Measure::AtTheEnd(name) => Measure::AtTheEnd(names.translate_word(name)),
            Measure::Points | Measure::PointsOfWinner | Measure::PointsOfLast | Measure::Spread | Measure::WonBy(_) => self.clone(),
            Measure::Rounds | Measure::CutOff | Measure::Decisions | Measure::Options | Measure::LeadChanges | Measure::KnownFor => {
                self.clone()
            }
            Measure::LastWins | Measure::Commonest | Measure::WonByKind(_) | Measure::Won | Measure::WonByTeam(_) => self.clone(),
        }
    }

    /// Returns the size of a difference that people ask about: one, or a hundredth of a share.
    pub fn size(&self) -> f64 {
        if self.unit().starts_with("of ") { 0.01 } else { 1.0 }
    }

    /// Returns the heading under which related measures are grouped.
    pub fn family(&self) -> &'static str {
        match self {
            Measure::Points | Measure::PointsOfWinner | Measure::PointsOfLast | Measure::Spread | Measure::Row(_) => "points",
            Measure::Won | Measure::WonByTeam(_) | Measure::WonBy(_) | Measure::WonWith(_) | Measure::WonByKind(_) => "games won",
            Measure::Rounds
            | Measure::CutOff
            | Measure::Decisions
            | Measure::Options
            | Measure::LeadChanges
            | Measure::KnownFor
            | Measure::LastWins
            | Measure::Commonest => "the course of a game",
            Measure::Action(_) | Measure::ActionWith(..) => "actions",
            Measure::AtTheEnd(_) => "what a player has at the end",
        }
    }

    /// Returns the unit over which the mean is taken.
    pub fn unit(&self) -> &'static str {
        match self {
            Measure::Points | Measure::Row(_) | Measure::AtTheEnd(_) => "a player",
            Measure::Won | Measure::WonByTeam(_) | Measure::WonBy(_) | Measure::WonWith(_) | Measure::WonByKind(_) => "of games",
            Measure::CutOff | Measure::LastWins => "of games",
            Measure::Commonest => "of actions",
            Measure::Options => "a decision",
            Measure::PointsOfWinner | Measure::PointsOfLast | Measure::Spread => "a game",
            Measure::Rounds | Measure::Decisions | Measure::LeadChanges | Measure::KnownFor => "a game",
            Measure::Action(_) | Measure::ActionWith(..) => "a game",
        }
    }

    /// Returns the possible values in a game with this number of players.
    pub fn scale(&self, players: usize) -> ValueRange {
        let of_player = ValueRange::Steps(1.0 / players.max(1) as f64);
        match self {
            Measure::Points | Measure::Row(_) | Measure::AtTheEnd(_) => of_player,
            Measure::Won | Measure::WonByTeam(_) | Measure::WonBy(_) | Measure::WonWith(_) | Measure::WonByKind(_) => ValueRange::Share,
            Measure::CutOff | Measure::LastWins => ValueRange::Share,
            // The effect of one additional action or option on a mean over a whole game.
            Measure::Commonest => ValueRange::Steps(0.02),
            Measure::Options => ValueRange::Steps(0.1),
            Measure::PointsOfWinner | Measure::PointsOfLast | Measure::Spread => ValueRange::Steps(1.0),
            Measure::Rounds | Measure::Decisions | Measure::LeadChanges | Measure::KnownFor => ValueRange::Steps(1.0),
            Measure::Action(_) | Measure::ActionWith(..) => ValueRange::Steps(1.0),
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

    /// Returns the number of pairs over which the mean is taken: all, or those in which the measure is defined.
    pub fn pairs(&self, all: u64, taken: u64) -> u64 {
        if let Measure::WonWith(_) = self { taken } else { all }
    }

    /// Returns the measures that are defined in every game with these rules: all except actions by kind of card, and wins with initial
    /// cards.
    pub fn always_defined(rules: &Ruleset) -> Vec<Measure> {
        let mut found = vec![Measure::Points];
        if rules.together.is_some() {
            found.push(Measure::Won);
        } else if rules.players > 1 {
            found.extend([Measure::PointsOfWinner, Measure::PointsOfLast, Measure::Spread]);
            let of_one: fn(usize) -> Measure = if rules.has_teams() { Measure::WonByTeam } else { Measure::WonBy };
            found.extend((1..=rules.side_count()).map(of_one));
            found.extend([Measure::LeadChanges, Measure::KnownFor, Measure::LastWins]);
        }
        found.extend(rules.score.iter().map(|(name, _)| Measure::Row(name.clone())));
        found.extend([Measure::Rounds, Measure::Decisions, Measure::Options, Measure::Commonest]);
        found.extend(rules.actions().iter().map(|action| Measure::Action(rules.names.text(action.name).to_string())));
        found.extend(value_names(rules).into_iter().map(Measure::AtTheEnd));
        found.extend(rules.cut_off.map(|_| Measure::CutOff));
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Computes all measures of a game; a measure that is missing is 0.
pub fn measures(rules: &Ruleset, played: &PlayedGame) -> BTreeMap<Measure, f64> {
    let players = rules.players as f64;
    let mut found = BTreeMap::new();
    let points: Vec<f64> = played.ranking_of_sides().into_iter().map(|side| played.points_of_side(side) as f64).collect();
    found.insert(Measure::Points, if rules.together.is_some() { points.iter().sum() } else { points.iter().sum::<f64>() / players });
    if let [first, .., last] = points.as_slice() {
        found.insert(Measure::PointsOfWinner, *first);
        found.insert(Measure::PointsOfLast, *last);
        found.insert(Measure::Spread, (first - last).abs());
    }
    for (row, (name, _)) in rules.score.iter().enumerate() {
        let sum: i64 = played.rows.iter().filter_map(|rows| rows.get(row)).sum();
        found.insert(Measure::Row(name.clone()), sum as f64 / players);
    }
    if rules.together.is_some() {
        found.insert(Measure::Won, played.won(0).games());
    } else if rules.players > 1 {
        let of_one: fn(usize) -> Measure = if rules.has_teams() { Measure::WonByTeam } else { Measure::WonBy };
        (0..rules.side_count()).for_each(|side| _ = found.insert(of_one(side + 1), played.won(side).games()));
    }
    for (card, seats) in played.initial_cards_of_some(rules).into_iter().filter(|_| rules.players > 1) {
        let won: f64 = match rules.together {
            Some(_) => played.won(0).games(),
            None => played.sides_of(&seats).into_iter().map(|side| played.won(side).games()).sum(),
        };
        let card = rules.names.text(rules.definitions[card as usize].id).to_string();
        found.insert(Measure::WonWith(card), won);
    }
    found.insert(Measure::Rounds, played.rounds as f64);
    if rules.cut_off.is_some() {
        found.insert(Measure::CutOff, f64::from(u8::from(played.cut_off)));
    }
    found.insert(Measure::Decisions, played.decisions as f64);
    found.insert(Measure::Options, played.options as f64 / played.decisions.max(1) as f64);
    add_action_measures(rules, played, &mut found);
    let figures = value_names(rules);
    for (name, value) in figures.into_iter().zip(played.final_values(rules.players)) {
        found.insert(Measure::AtTheEnd(name), value);
    }
    if rules.side_count() > 1 {
        add_lead_measures(played, &mut found);
    }
    found
}

fn add_action_measures(rules: &Ruleset, played: &PlayedGame, found: &mut BTreeMap<Measure, f64>) {
    let mut all = 0.0;
    for (action, definition) in played.actions() {
        let action = rules.names.text(rules.choices[action as usize].name).to_string();
        all += 1.0;
        if let Some(definition) = definition {
            let kind = rules.kinds[rules.definitions[definition as usize].kind as usize].name;
            *found.entry(Measure::ActionWith(action.clone(), rules.names.text(kind).to_string())).or_default() += 1.0;
        }
        *found.entry(Measure::Action(action)).or_default() += 1.0;
    }
    let of_actions = found.iter().filter(|(measure, _)| matches!(measure, Measure::Action(_)));
    let most = of_actions.map(|(_, times)| *times).fold(0.0, f64::max);
    found.insert(Measure::Commonest, if all > 0.0 { most / all } else { 0.0 });
}

/// Adds the measures of who was in the lead, and whether the last player could still win.
fn add_lead_measures(played: &PlayedGame, found: &mut BTreeMap<Measure, f64>) {
    let (Some(course), Some(first)) = (&played.course, played.ranking.first()) else { return };
    // Nobody has acted before the first round.
    let later = course.rounds.get(1..).unwrap_or(&[]);
    let before: Vec<usize> = later.iter().filter_map(|seats| seats.first().copied()).collect();
    // Among several winners, the one who was in the lead at the end, if any.
    let winner = *before.last().filter(|last| played.won(**last) > Wins::default()).unwrap_or(first);
    let leaders: Vec<usize> = before.into_iter().chain([winner]).map(|seat| seat % played.sides.max(1)).collect();
    let winner = winner % played.sides.max(1);
    found.insert(Measure::LeadChanges, leaders.windows(2).filter(|two| two[0] != two[1]).count() as f64);
    let led = leaders.iter().rev().take_while(|leader| **leader == winner).count();
    found.insert(Measure::KnownFor, led as f64 - 1.0);
    if let Some(half) = course.rounds.get(course.rounds.len() / 2).filter(|_| course.rounds.len() > 1) {
        found.insert(Measure::LastWins, half.last().map_or(0.0, |last| played.won(*last).games()));
    }
}
