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
use super::measure::PlayedGame;
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
    pub longest: u64,
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

impl ResourceFlow {
    fn add(&mut self, amount: i32) {
        let side = if amount < 0 { &mut self.lost } else { &mut self.gained };
        *side += u64::from(amount.unsigned_abs());
    }

    fn merge(&mut self, other: &ResourceFlow) {
        self.gained += other.gained;
        self.lost += other.lost;
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
        self.games += 1;
        self.different.add(game.course_hash);
        for (row, sums) in self.rows.iter_mut().enumerate() {
            sums.add(game.rows.iter().filter_map(|rows| rows.get(row).copied()));
        }
        self.points.add((0..game.rows.len()).map(|seat| game.points(seat)));
        for (seat, sums) in self.by_seat.iter_mut().enumerate().take(game.rows.len()) {
            sums.add(game.points(seat));
        }
        for (side, sums) in self.by_side.iter_mut().enumerate() {
            sums.add(game.points_of_side(side));
        }
        for (sums, side) in self.by_rank.iter_mut().zip(game.ranking_of_sides()) {
            sums.add(game.points_of_side(side));
        }
        let wins: Vec<Wins> = (0..rules.players).map(|seat| game.won(seat)).collect();
        let won_by = |seat: u8| wins.get(usize::from(seat)).copied().unwrap_or_default();
        merge_each(&mut self.won, &wins, Wins::add);
        self.shared += u64::from(game.count_winners() > 1);
        if !self.honours.is_empty() {
            self.honours[rules.honour(game.points(0)).unwrap_or(rules.honours.len())] += 1;
        }
        self.cut_off += u64::from(game.cut_off);
        let idle = game.idle.map(|idle| IdleGames { games: 1, seed: game.seed, round: idle.round, span: idle.span });
        IdleGames::merge(&mut self.idle, idle.as_ref());
        self.distributions.add(game);
        self.rounds.add(cast::fit::<i64>(game.rounds));
        self.decisions.add(cast::fit::<i64>(game.decisions));
        self.options += game.options;
        self.longest = self.longest.max(game.longest);
        let mut before = None;
        for alike in game.chosen.chunk_by(|a, b| a == b) {
            let (action, definition, seat) = alike[0];
            let times = alike.len() as u64;
            let kind = definition.map(|definition| rules.definitions[definition as usize].kind);
            *self.actions.entry((action, kind)).or_default() += times;
            // Spaces of boards are no cards.
            let Some(definition) = definition.filter(|_| kind.is_some_and(|kind| !rules.is_kind_of_spaces(kind))) else { continue };
            let chosen = self.cards.entry((action, definition)).or_default();
            chosen.times += times;
            chosen.players += 1;
            chosen.won.add(&won_by(seat));
            // The list is sorted, so that the seats that chose one card are adjacent.
            chosen.games += u64::from(before != Some((action, definition)));
            before = Some((action, definition));
        }
        for alike in game.answers.chunk_by(|a, b| a == b) {
            *self.answers.entry(alike[0]).or_default() += alike.len() as u64;
        }
        for alike in game.ran.iter().flat_map(|ran| ran.chunk_by(|a, b| a == b)) {
            let script = self.scripts.entry(alike[0]).or_default();
            script.0 += alike.len() as u64;
            script.1 += 1;
        }
        let is_card = |definition: u32| !rules.is_kind_of_spaces(rules.definitions[definition as usize].kind);
        for flow in &game.flows {
            self.flows.entry((flow.cause, flow.resource)).or_default().add(flow.amount);
        }
        for (action, definition) in game.offers(rules).filter(|offer| is_card(offer.1)) {
            self.cards.entry((action, definition)).or_default().offered += 1;
        }
        // Who begins with several pieces of a card wins once.
        let begun: BTreeSet<(u16, u32, u8)> = game.begun.iter().flatten().copied().collect();
        for (place, definition, seat) in begun {
            let begun = self.begun.entry((place, definition)).or_default();
            begun.won.add(&won_by(seat));
            begun.points.add(game.points(seat.into()));
        }
        for (round, points) in &game.points_by_round {
            self.points_by_round.entry(*round).or_default().add(points.iter().copied());
        }
        self.lead.add(game);
        self.sample.add(rules, game);
        for &(place, definition, seat) in &game.final_cards {
            *self.cards_by_place.entry(place).or_default() += 1;
            let card = self.kept_cards.entry((place, definition)).or_default();
            card.0 += 1;
            card.1.add(&won_by(seat));
        }
        for &(round, figure, value) in &game.figures {
            self.figures.entry((round, figure)).or_default().add(value);
        }
    }

    /// Returns what in these sums is not of these rules, such as a list with more entries than there are seats; `None` if all is. Sums that
    /// were played are of their rules; those of a file need not be.
    pub fn foreign(&self, rules: &Ruleset) -> Option<&'static str> {
        let own = RunTally::new(rules);
        let lists = [
            ("rows", self.rows.len(), own.rows.len()),
            ("by_seat", self.by_seat.len(), own.by_seat.len()),
            ("by_side", self.by_side.len(), own.by_side.len()),
            ("by_rank", self.by_rank.len(), own.by_rank.len()),
            ("won", self.won.len(), own.won.len()),
            ("honours", self.honours.len(), own.honours.len()),
        ];
        if let Some((name, ..)) = lists.into_iter().find(|(_, length, right)| length != right) {
            return Some(name);
        }
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
        let stats = rules.quantities.iter().filter(|quantity| quantity.stat && quantity.args == 0).count();
        let taken = |(action, kind, _): &(u16, Option<u16>, u32)| is_action(action) && is_kind(kind);
        let maps = [
            ("actions", self.actions.keys().all(|(action, kind)| is_action(action) && is_kind(kind))),
            ("answers", self.answers.keys().all(|(asked, answer)| is_question(asked) && is_answer(answer))),
            ("cards", self.cards.keys().all(|(action, card)| is_action(action) && is_card(card))),
            ("kept", self.cards_by_place.keys().all(is_place)),
            ("kept_cards", self.kept_cards.keys().all(|(place, card)| is_place(place) && is_card(card))),
            ("begun", self.begun.keys().all(|(place, card)| is_place(place) && is_card(card))),
            ("sample", self.sample.players().all(|(_, player)| player.taken.iter().all(taken))),
            ("figures", self.figures.keys().all(|(_, figure)| usize::from(*figure) < rules.resources.len() + stats)),
            // Those are recorded for diagrams alone, which are drawn at once.
            ("flows", self.flows.is_empty()),
        ];
        maps.into_iter().find(|(_, sound)| !sound).map(|(name, _)| name)
    }

    /// Returns the fraction of distinct games; 1 if all are distinct.
    pub fn distinct(&self) -> f64 {
        self.different.share(self.games)
    }

    /// Adds the sums of other games of the same rules. All sums are integers, so that the grouping does not matter.
    pub fn merge(&mut self, other: &RunTally) {
        let RunTally {
            games,
            different,
            points,
            rows,
            by_seat,
            by_side,
            by_rank,
            won,
            shared,
            cut_off,
            idle,
            distributions,
            rounds,
            honours,
            ..
        } = other;
        let RunTally {
            decisions,
            options,
            longest,
            actions,
            answers,
            cards,
            cards_by_place,
            kept_cards,
            begun,
            points_by_round,
            lead,
            sample,
            figures,
            scripts,
            flows,
            ..
        } = other;
        self.games += games;
        self.different.merge(different);
        self.points.merge(points);
        merge_each(&mut self.rows, rows, SumsByGame::merge);
        merge_each(&mut self.by_seat, by_seat, IntegerSums::merge);
        merge_each(&mut self.by_side, by_side, IntegerSums::merge);
        merge_each(&mut self.by_rank, by_rank, IntegerSums::merge);
        merge_each(&mut self.won, won, Wins::add);
        self.shared += shared;
        self.cut_off += cut_off;
        IdleGames::merge(&mut self.idle, idle.as_ref());
        self.distributions.merge(distributions);
        self.rounds.merge(rounds);
        merge_each(&mut self.honours, honours, add_count);
        self.decisions.merge(decisions);
        self.options += options;
        self.longest = self.longest.max(*longest);
        merge_by_key(&mut self.actions, actions, add_count);
        merge_by_key(&mut self.answers, answers, add_count);
        merge_by_key(&mut self.cards, cards, CardChoices::merge);
        merge_by_key(&mut self.cards_by_place, cards_by_place, add_count);
        merge_by_key(&mut self.kept_cards, kept_cards, |all, more| {
            all.0 += more.0;
            all.1.add(&more.1);
        });
        merge_by_key(&mut self.begun, begun, |all, more| {
            all.won.add(&more.won);
            all.points.merge(&more.points);
        });
        merge_by_key(&mut self.points_by_round, points_by_round, SumsByGame::merge);
        self.lead.merge(lead);
        self.sample.merge(sample);
        merge_by_key(&mut self.figures, figures, IntegerSums::merge);
        merge_by_key(&mut self.scripts, scripts, add_two_counts);
        merge_by_key(&mut self.flows, flows, ResourceFlow::merge);
    }
}

impl CardChoices {
    fn merge(&mut self, other: &CardChoices) {
        let CardChoices { offered, times, games, players, won } = other;
        self.offered += offered;
        self.times += times;
        self.games += games;
        self.players += players;
        self.won.add(won);
    }
}

fn add_count(all: &mut u64, more: &u64) {
    *all += more;
}

fn add_two_counts(all: &mut (u64, u64), more: &(u64, u64)) {
    all.0 += more.0;
    all.1 += more.1;
}

fn merge_each<T: Default + Clone>(all: &mut Vec<T>, more: &[T], add: impl Fn(&mut T, &T)) {
    all.resize(all.len().max(more.len()), T::default());
    all.iter_mut().zip(more).for_each(|(all, more)| add(all, more));
}

pub(super) fn merge_by_key<K: Ord + Clone, T: Default>(all: &mut BTreeMap<K, T>, more: &BTreeMap<K, T>, add: impl Fn(&mut T, &T)) {
    for (key, more) in more {
        add(all.entry(key.clone()).or_default(), more);
    }
}
