//! Sums over many games.

use crate::cast;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::answers::{AnswerKind, QuestionOrigin};
use super::as_pairs;
use super::distinct::DistinctSketch;
use super::distributions::Distributions;
use super::idle::IdleGames;
use super::lead::LeadTally;
use super::measure::{PlayedGame, value_names};
use super::merge::{Merge, merge_by_field};
use super::stats::{IntegerSums, SumsByGame, Wins};
use super::strategies::PlayerSample;
use crate::engine::{FlowCause, Ruleset};

/// Sums over players who began with a card, each counted once for a game, however many pieces of it they had.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InitialCardStats {
    /// Number of games that these players won.
    pub won: Wins,
    /// Points of these players; the number of values is the number of players.
    pub points: IntegerSums,
}

/// Sums over a card that was offered or chosen with an action.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardChoices {
    /// Number of players to whom the card was offered, counted once for each game.
    pub offered: u64,
    /// Number of times that the card was chosen with this action.
    pub times: u64,
    /// Number of games in which the card was chosen with this action.
    pub games: u64,
    /// Number of players who chose the card, counted once for each game.
    pub players: u64,
    /// Number of games that the players won who chose the card.
    pub won: Wins,
}

/// Sums over many games.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunTally {
    /// Number of complete games.
    pub games: u64,
    /// Number of distinct games.
    pub different: DistinctSketch,
    /// Total points of all seats.
    pub points: SumsByGame,
    /// Points of each row of the score, of all seats.
    pub rows: Vec<SumsByGame>,
    /// Points by seat.
    pub by_seat: Vec<IntegerSums>,
    /// Points by side: by team, or by player.
    #[serde(default)]
    pub by_side: Vec<IntegerSums>,
    /// Points of sides by final rank, the winner's first.
    pub by_rank: Vec<IntegerSums>,
    /// Number of games won, by seat.
    pub won: Vec<Wins>,
    /// Number of games with several winners.
    pub shared: u64,
    /// Number of games that were cut off after the maximum number of rounds.
    pub cut_off: u64,
    /// Games with a round in which nothing happened, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<IdleGames>,
    /// Histograms of measures.
    pub distributions: Distributions,
    /// Number of rounds.
    pub rounds: IntegerSums,
    /// Number of solo games by rank in the table of honour; the last entry is below the table.
    pub honours: Vec<u64>,
    /// Number of decisions.
    pub decisions: IntegerSums,
    /// Total number of options of all decisions.
    pub options: u64,
    /// Maximum number of options of a question.
    pub longest: Largest,
    /// Number of times that each action was chosen, by the kind of the card that is its first parameter.
    #[serde(with = "as_pairs")]
    pub actions: BTreeMap<(u16, Option<u16>), u64>,
    /// Number of times that each question of rules and cards was answered with each answer.
    #[serde(with = "as_pairs")]
    pub answers: BTreeMap<(QuestionOrigin, AnswerKind), u64>,
    /// How often each card was offered and chosen, by action and definition.
    #[serde(with = "as_pairs")]
    pub cards: BTreeMap<(u16, u32), CardChoices>,
    /// Number of cards that players have at the end, by place.
    #[serde(rename = "kept")]
    pub cards_by_place: BTreeMap<u16, u64>,
    /// Number of cards at the end with the wins of their owners, by place and definition.
    #[serde(with = "as_pairs")]
    pub kept_cards: BTreeMap<(u16, u32), (u64, Wins)>,
    /// Initial cards of players at the first question, by place and definition.
    #[serde(with = "as_pairs")]
    pub begun: BTreeMap<(u16, u32), InitialCardStats>,
    /// Points that the score would give at the first question of each round.
    pub points_by_round: BTreeMap<u64, SumsByGame>,
    /// Who is in the lead when rounds begin.
    pub lead: LeadTally,
    /// What each player of some games did.
    pub sample: PlayerSample,
    /// Resources and stats of players, by round (0 for the end) and index of the value.
    #[serde(with = "as_pairs")]
    pub figures: BTreeMap<(u64, u16), IntegerSums>,
    /// For each script that ran, the number of runs and of games, if they were recorded.
    pub scripts: BTreeMap<u32, (u64, u64)>,
    /// How much of each resource all players gained and lost together by each cause, if it was recorded.
    #[serde(default, with = "as_pairs", skip_serializing_if = "BTreeMap::is_empty")]
    pub flows: BTreeMap<(FlowCause, u8), ResourceFlow>,
}

/// How much of a resource was gained and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResourceFlow {
    /// Sum of what became more.
    pub gained: u64,
    /// Sum of what became less.
    pub lost: u64,
}

merge_by_field!(RunTally:
    games, different, points, rows, by_seat, by_side, by_rank, won, shared, cut_off, idle, distributions, rounds, honours, decisions,
    options, longest, actions, answers, cards, cards_by_place, kept_cards, begun, points_by_round, lead, sample, figures, scripts, flows,
);
merge_by_field!(InitialCardStats: won, points);
merge_by_field!(CardChoices: offered, times, games, players, won);
merge_by_field!(ResourceFlow: gained, lost);

/// The largest of some numbers.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Largest(pub u64);

impl Merge for Largest {
    fn merge(&mut self, other: &Largest) {
        self.0 = self.0.max(other.0);
    }
}

impl RunTally {
    /// Creates sums over no games.
    pub fn new(rules: &Ruleset) -> RunTally {
        RunTally {
            rows: vec![SumsByGame::default(); rules.score.len()],
            by_seat: vec![IntegerSums::default(); rules.players],
            by_side: vec![IntegerSums::default(); rules.side_count()],
            by_rank: vec![IntegerSums::default(); rules.side_count()],
            won: vec![Wins::default(); rules.players],
            honours: if rules.players == 1 && !rules.honours.is_empty() { vec![0; rules.honours.len() + 1] } else { Vec::new() },
            ..RunTally::default()
        }
    }

    /// Adds a game.
    pub fn add(&mut self, rules: &Ruleset, game: &PlayedGame) {
        let of_seats = || (0..game.rows.len()).map(|seat| game.points(seat));
        let of_side = |side| game.points_of_side(side);
        self.games += 1;
        self.different.add(game.course_hash);
        for (row, sums) in self.rows.iter_mut().enumerate() {
            sums.add(game.rows.iter().filter_map(|rows| rows.get(row).copied()));
        }
        self.points.add(of_seats());
        add_each(&mut self.by_seat, of_seats());
        add_each(&mut self.by_side, (0..).map(of_side));
        add_each(&mut self.by_rank, game.ranking_of_sides().into_iter().map(of_side));
        let wins: Vec<Wins> = (0..rules.players).map(|seat| game.won(seat)).collect();
        self.won.merge(&wins);
        self.shared += u64::from(game.count_winners() > 1);
        if !self.honours.is_empty() {
            self.honours[rules.honour(game.points(0)).unwrap_or(rules.honours.len())] += 1;
        }
        self.cut_off += u64::from(game.cut_off);
        self.idle.merge(&game.idle.map(|idle| IdleGames { games: 1, seed: game.seed, round: idle.round, span: idle.span }));
        self.distributions.add(game);
        self.rounds.add(cast::fit::<i64>(game.rounds));
        self.decisions.add(cast::fit::<i64>(game.decisions));
        self.options += game.options;
        self.longest.merge(&Largest(game.longest));
        for alike in game.answers.chunk_by(|a, b| a == b) {
            *self.answers.entry(alike[0]).or_default() += alike.len() as u64;
        }
        for alike in game.ran.iter().flat_map(|ran| ran.chunk_by(|a, b| a == b)) {
            self.scripts.entry(alike[0]).or_default().merge(&(alike.len() as u64, 1));
        }
        for flow in &game.flows {
            self.flows.entry((flow.cause, flow.resource)).or_default().add(flow.amount);
        }
        for (round, points) in &game.points_by_round {
            self.points_by_round.entry(*round).or_default().add(points.iter().copied());
        }
        for &(round, figure, value) in &game.figures {
            self.figures.entry((round, figure)).or_default().add(value);
        }
        self.lead.add(game);
        self.sample.add(rules, game);
        self.add_cards(rules, game, |seat| wins.get(usize::from(seat)).copied().unwrap_or_default());
    }

    /// Adds the actions with their cards, and the cards that players began and ended with, each with the wins of these players.
    fn add_cards(&mut self, rules: &Ruleset, game: &PlayedGame, won_by: impl Fn(u8) -> Wins) {
        let kind_of = |definition: u32| rules.definitions[definition as usize].kind;
        // Spaces of boards are no cards.
        let is_card = |definition: u32| !rules.is_kind_of_spaces(kind_of(definition));
        let mut before = None;
        for alike in game.chosen.chunk_by(|a, b| a == b) {
            let (action, definition, seat) = alike[0];
            let times = alike.len() as u64;
            *self.actions.entry((action, definition.map(kind_of))).or_default() += times;
            let Some(definition) = definition.filter(|definition| is_card(*definition)) else { continue };
            // The list is sorted, so that the seats that chose one card are adjacent.
            let games = u64::from(before.replace((action, definition)) != Some((action, definition)));
            self.cards.entry((action, definition)).or_default().merge(&CardChoices {
                offered: 0,
                times,
                games,
                players: 1,
                won: won_by(seat),
            });
        }
        for (action, definition) in game.offers(rules).filter(|offer| is_card(offer.1)) {
            self.cards.entry((action, definition)).or_default().offered += 1;
        }
        // Who begins with several pieces of a card wins once.
        let begun: BTreeSet<(u16, u32, u8)> = game.begun.iter().flatten().copied().collect();
        for (place, definition, seat) in begun {
            let begun = self.begun.entry((place, definition)).or_default();
            begun.won.merge(&won_by(seat));
            begun.points.add(game.points(seat.into()));
        }
        for &(place, definition, seat) in &game.final_cards {
            *self.cards_by_place.entry(place).or_default() += 1;
            self.kept_cards.entry((place, definition)).or_default().merge(&(1, won_by(seat)));
        }
    }

    /// Returns what in these sums is not of these rules, such as a list with more entries than there are seats; `None` if all is. Sums that
    /// were played are of their rules; those of a file need not be.
    pub fn foreign(&self, rules: &Ruleset) -> Option<&'static str> {
        let own = RunTally::new(rules);
        let (definitions, places, kinds) = (rules.definitions.len(), rules.places.len(), rules.kinds.len());
        let is_action = |action: &u16| usize::from(*action) < rules.action_count;
        let is_kind = |kind: &Option<u16>| kind.is_none_or(|kind| usize::from(kind) < kinds);
        let is_card = |card: &u32| (*card as usize) < definitions;
        let is_place = |place: &u16| usize::from(*place) < places;
        let is_question = |asked: &QuestionOrigin| match asked {
            QuestionOrigin::Rules(question) => (*question as usize) < rules.questions.len(),
            QuestionOrigin::Card(card) => is_card(card),
        };
        let is_answer = |answer: &AnswerKind| match answer {
            AnswerKind::Word(name) => rules.names.all().any(|(known, _)| known == *name),
            AnswerKind::Player(player) => usize::try_from(*player).is_ok_and(|player| player < rules.players),
            AnswerKind::Number(_) | AnswerKind::Card | AnswerKind::Token | AnswerKind::Nothing => true,
        };
        let figures = value_names(rules).len();
        let taken = |(action, kind, _): &(u16, Option<u16>, u32)| is_action(action) && is_kind(kind);
        let parts = [
            ("rows", self.rows.len() == own.rows.len()),
            ("by_seat", self.by_seat.len() == own.by_seat.len()),
            ("by_side", self.by_side.len() == own.by_side.len()),
            ("by_rank", self.by_rank.len() == own.by_rank.len()),
            ("won", self.won.len() == own.won.len()),
            ("honours", self.honours.len() == own.honours.len()),
            ("actions", self.actions.keys().all(|(action, kind)| is_action(action) && is_kind(kind))),
            ("answers", self.answers.keys().all(|(asked, answer)| is_question(asked) && is_answer(answer))),
            ("cards", self.cards.keys().all(|(action, card)| is_action(action) && is_card(card))),
            ("kept", self.cards_by_place.keys().all(is_place)),
            ("kept_cards", self.kept_cards.keys().all(|(place, card)| is_place(place) && is_card(card))),
            ("begun", self.begun.keys().all(|(place, card)| is_place(place) && is_card(card))),
            ("sample", self.sample.players().all(|(_, player)| player.taken.iter().all(taken))),
            ("figures", self.figures.keys().all(|(_, figure)| usize::from(*figure) < figures)),
            // Those are recorded for diagrams alone, which are drawn at once.
            ("flows", self.flows.is_empty()),
        ];
        parts.into_iter().find(|(_, sound)| !sound).map(|(name, _)| name)
    }

    /// Returns the fraction of distinct games; 1 if all are distinct.
    pub fn distinct(&self) -> f64 {
        self.different.share(self.games)
    }
}

impl ResourceFlow {
    fn add(&mut self, amount: i32) {
        let side = if amount < 0 { &mut self.lost } else { &mut self.gained };
        *side += u64::from(amount.unsigned_abs());
    }
}

/// Adds to each of these sums its value in a game.
fn add_each(sums: &mut [IntegerSums], values: impl Iterator<Item = i64>) {
    sums.iter_mut().zip(values).for_each(|(sums, value)| sums.add(value));
}
