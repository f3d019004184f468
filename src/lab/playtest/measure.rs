//! Records the measures of a game while it is played.

use crate::cast;
use std::collections::{BTreeMap, BTreeSet};

use super::answers::{AnswerKind, QuestionOrigin};
use super::cards::GameTrace;
use super::histogram::Histogram;
use super::lead::leader;
use super::stats::Wins;
use crate::engine::{Fault, Flow, Game, IdleRound, Ruleset};
use crate::state::chance::join;

/// Which optional records of a game are kept; they cost additional time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordOptions {
    /// Record which scripts of cards run.
    pub scripts: bool,
    /// Record every answer by its key, and the order of seats at the beginning of each round.
    pub course: bool,
    /// Record a trace for comparison with other games: who first used each card, and where games diverge.
    pub trace: bool,
    /// Record in the trace in which state each answer was given, so that other games can go by it.
    pub states: bool,
    /// Record what seats gain and lose, and by what.
    pub flows: bool,
}

/// The record of one game.
#[derive(Clone, Debug, Default)]
pub struct PlayedGame {
    /// Seed of the game.
    pub seed: u64,
    /// A hash of all answers and the result. Games with equal hashes are identical.
    pub course_hash: u64,
    /// For each seat, the points of each row of the score.
    pub rows: Vec<Vec<i64>>,
    /// Seats by rank, the winner first.
    pub ranking: Vec<usize>,
    /// Rank of each seat, from 1; tied seats share a rank.
    pub places: Vec<usize>,
    /// Number of sides: of teams, or of players; 1 if all win or lose together.
    pub sides: usize,
    /// Number of the last round.
    pub rounds: u64,
    /// Number of questions with at least two options that were put to agents.
    pub decisions: u64,
    /// Total number of options of these questions.
    pub options: u64,
    /// Maximum number of options of a question.
    pub longest: u64,
    /// Histogram of the number of options.
    pub option_counts: Histogram,
    /// Which actions with which card as their first parameter were offered to a seat; one bit for each ([`offer_bit`]).
    pub(super) offered: Vec<u64>,
    /// Actions chosen, each with the definition of the card that is its first parameter, and the seat; sorted at the end.
    pub(super) chosen: Vec<(u16, Option<u32>, u8)>,
    /// Answers to questions of rules and cards; sorted at the end.
    pub(super) answers: Vec<(QuestionOrigin, AnswerKind)>,
    /// Cards in each seat's places at the end: place, definition, seat.
    pub(super) final_cards: Vec<(u16, u32, u8)>,
    /// Cards in each seat's places at the end of set-up, that is at the first question of a round: place, definition, seat.
    pub(super) begun: Option<Vec<(u16, u32, u8)>>,
    /// Points that the score would give at the first question of each round: round, and points by seat.
    pub(super) points_by_round: Vec<(u64, Vec<i64>)>,
    /// The round of the first question after set-up, before which nobody has acted in a round; 0 if there is none.
    pub(super) first_round: u64,
    /// The side in the lead at the first question of each round, if there are several: round, side.
    pub(super) leaders: Vec<(u64, u8)>,
    /// Values of the seats at the first question of each round and at the end: round (0 for the end), index of the value, sum.
    pub(super) figures: Vec<(u64, u16, i64)>,
    pub(super) recorded_round: i32,
    /// Faults that occurred only in sampled states, without duplicates: number of the question, round, fault.
    pub(super) avoided: Vec<(u64, i32, Fault)>,
    /// Whether the game was cut off after the maximum number of rounds, rather than ended by its rules.
    pub cut_off: bool,
    /// The first round in which nothing happened, if there was one.
    pub idle: Option<IdleRound>,
    /// Scripts that ran, if they are recorded; sorted at the end.
    pub ran: Option<Vec<u32>>,
    /// What seats gained and lost, if it is recorded.
    pub(super) flows: Vec<Flow>,
    /// All answers, and the order of the seats in each round, if they are recorded.
    pub course: Option<GameHistory>,
    /// The trace of the game, for comparison with other games, if it is recorded.
    pub trace: Option<GameTrace>,
}

/// The course of a game: its answers, and the order of the seats by points in each round.
#[derive(Clone, Debug, Default)]
pub struct GameHistory {
    /// For each answer the round, the seat, and the key of the option.
    pub answers: Vec<(i32, u8, String)>,
    /// Seats from first to last at the first question of each round.
    pub rounds: Vec<Vec<usize>>,
}

/// Returns the names of the values recorded in each round: resources and stats without arguments.
pub fn value_names(rules: &Ruleset) -> Vec<String> {
    let resources = rules.resources.iter().map(|name| rules.names.text(*name).to_string());
    let stats = rules.quantities.iter().filter(|quantity| quantity.stat && quantity.args == 0);
    resources.chain(stats.map(|quantity| quantity.name.clone())).collect()
}

impl PlayedGame {
    /// Creates the record of a game that begins.
    pub fn new(seed: u64, notes: RecordOptions) -> PlayedGame {
        let (ran, course) = (notes.scripts.then(Vec::new), notes.course.then(GameHistory::default));
        PlayedGame { seed, ran, course, trace: notes.trace.then(|| GameTrace::new(notes.states)), ..PlayedGame::default() }
    }

    /// Records the state at the first question of a round.
    pub fn record_round(&mut self, rules: &Ruleset, game: &mut Game) {
        let round = game.round();
        if self.begun.is_none() && round > 0 {
            self.begun = Some(cards_of_seats(rules, game));
            self.trace.iter_mut().for_each(GameTrace::record_set_up_end);
        }
        self.trace.iter_mut().for_each(|trace| trace.record_places(rules, game));
        if round <= self.recorded_round {
            return;
        }
        let number = cast::fit::<u64>(round);
        if self.recorded_round == 0 {
            self.first_round = number;
        }
        self.recorded_round = round;
        self.course.iter_mut().for_each(|course| course.rounds.push(game.store(rules).standing()));
        self.record_values(rules, game, number);
        let points: Vec<i64> = (0..rules.players).map(|seat| game.store(rules).score(seat)).collect();
        // A score that is computed at the end may be undefined before.
        if game.store(rules).take_arithmetic_fault().is_none() {
            if rules.side_count() > 1 {
                self.leaders.push((number, leader(rules, game, &points)));
            }
            self.points_by_round.push((number, points));
        }
    }

    fn record_values(&mut self, rules: &Ruleset, game: &mut Game, round: u64) {
        for seat in 0..rules.players {
            let mut figures = 0..;
            let mut record = |value| self.figures.extend(figures.next().map(|figure| (round, figure, value)));
            for resource in 0..rules.resources.len() {
                record(game.position(rules).amount(seat, resource));
            }
            for (index, _) in (0..).zip(&rules.quantities).filter(|(_, quantity)| quantity.stat && quantity.args == 0) {
                record(game.store(rules).quantity(index, seat, [-1; 2]));
            }
        }
    }

    /// Records an answer to the open question.
    pub fn record_answer(&mut self, rules: &Ruleset, game: &Game, chosen: usize) {
        let Some(decision) = game.decision() else { return };
        let Some(option) = decision.options.get(chosen) else { return };
        let (count, seat) = (decision.options.len() as u64, cast::seat(decision.seat));
        if let Some(course) = &mut self.course {
            course.answers.push((self.recorded_round, seat, option.text(rules)));
        }
        if count >= 2 {
            self.decisions += 1;
            self.options += count;
            self.longest = self.longest.max(count);
            self.option_counts.add(cast::fit::<i64>(count));
        }
        self.offered.resize(offer_bit(rules, rules.action_count, 0, 0) / 64 + 1, 0);
        for option in &decision.options {
            if let Some((action, card)) = option.act.action(rules).zip(option.act.first_card(rules)) {
                let bit = offer_bit(rules, action.into(), rules.piece_definition[card], decision.seat);
                self.offered[bit / 64] |= 1 << (bit % 64);
            }
        }
        self.trace.iter_mut().for_each(|trace| trace.record_answer(rules, decision, chosen, game));
        self.course_hash = join(self.course_hash, join(decision.seat as u64, join(option.key, option.nth.into())));
        if let Some(action) = option.act.action(rules) {
            let definition = option.act.first_card(rules).map(|card| rules.piece_definition[card]);
            self.chosen.push((action, definition, seat));
        }
        self.answers.extend(QuestionOrigin::of_decision(decision).zip(AnswerKind::of_option(rules, option)));
    }

    /// Records a fault in a sampled state, caused by an option that the agent therefore avoided.
    pub fn record_avoided(&mut self, question: u64, fault: Fault) {
        // Faults at one place are reported together, whatever numbers they contain.
        let alike =
            |known: &Fault| known.is_same(&fault) || fault.span.is_some() && (&known.owner, known.span) == (&fault.owner, fault.span);
        if !self.avoided.iter().any(|(.., known)| alike(known)) {
            self.avoided.push((question, self.recorded_round, fault));
        }
    }

    /// Records the end of the game.
    pub fn record_end(&mut self, rules: &Ruleset, game: &mut Game) {
        self.rows = (0..rules.players).map(|seat| game.store(rules).score_rows(seat)).collect();
        self.ranking = game.store(rules).standing();
        self.places = game.store(rules).final_ranks();
        self.sides = rules.side_count();
        self.rounds = cast::fit::<u64>(game.round().max(0));
        self.cut_off = game.store(rules).was_cut_off();
        self.idle = game.idle_round();
        self.flows = game.take_flows();
        self.final_cards = cards_of_seats(rules, game);
        self.record_values(rules, game, 0);
        let ended = self.rows.iter().flatten().copied().chain(self.places.iter().map(|place| cast::count(*place)));
        let figures = self.figures.iter().filter(|(round, ..)| *round == 0).map(|(.., value)| *value);
        self.course_hash = ended.chain(figures).fold(self.course_hash, |went, value| join(went, value.cast_unsigned()));
        self.chosen.sort_unstable();
        self.answers.sort_unstable();
        self.ran.iter_mut().for_each(|ran| ran.sort_unstable());
        self.trace.iter_mut().for_each(|trace| trace.record_places(rules, game));
    }

    /// Returns the public cards with which some seats begin and others do not, such as nations or boards, with the seats that have each.
    pub fn initial_cards_of_some(&self, rules: &Ruleset) -> BTreeMap<u32, Vec<usize>> {
        let mut found: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (_, card, seat) in self.begun.iter().flatten().filter(|(place, ..)| !rules.places[usize::from(*place)].hidden) {
            let seats = found.entry(*card).or_default();
            if !seats.contains(&usize::from(*seat)) {
                seats.push((*seat).into());
            }
        }
        found.retain(|_, seats| seats.len() < rules.players);
        found
    }

    /// Returns the sides to which seats belong, each once: partners win as one.
    pub fn sides_of(&self, seats: &[usize]) -> BTreeSet<usize> {
        seats.iter().map(|seat| seat % self.sides.max(1)).collect()
    }

    /// Returns the seats that began with a card; a seat with several pieces of it occurs several times.
    pub fn beginners(&self, definition: u32) -> impl Iterator<Item = usize> + '_ {
        let of_card = self.begun.iter().flatten().filter(move |(_, card, _)| *card == definition);
        of_card.map(|(.., seat)| usize::from(*seat))
    }

    /// Returns the actions that were offered, each with the definition of the card that is its first parameter, once for each seat.
    pub(super) fn offers(&self, rules: &Ruleset) -> impl Iterator<Item = (u16, u32)> + '_ {
        let (seats, definitions) = (rules.players, rules.definitions.len());
        let bits = self.offered.iter().enumerate().filter(|(_, bits)| **bits != 0);
        let bits = bits.flat_map(|(word, bits)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit));
        bits.map(move |bit| (cast::fit::<u16>(bit / seats / definitions), cast::fit::<u32>(bit / seats % definitions)))
    }

    /// Returns the share of the win that a seat has; joint winners share equally. All players of a side have won as much as the side.
    pub fn won(&self, seat: usize) -> Wins {
        if self.places.get(seat) == Some(&1) { Wins::share_of_each(self.count_winners()) } else { Wins::default() }
    }

    /// Returns how many sides have won.
    pub fn count_winners(&self) -> usize {
        self.places.iter().filter(|place| **place == 1).count() / self.side_size()
    }

    /// Returns how many players win or lose as one.
    pub fn side_size(&self) -> usize {
        (self.places.len() / self.sides.max(1)).max(1)
    }

    /// Returns the sides by rank, the winner first.
    pub fn ranking_of_sides(&self) -> Vec<usize> {
        let mut found = Vec::new();
        for side in self.ranking.iter().map(|seat| seat % self.sides.max(1)) {
            if !found.contains(&side) {
                found.push(side);
            }
        }
        found
    }

    /// Returns the points of a side: those of its players together, or those that all have if all win or lose together.
    pub fn points_of_side(&self, side: usize) -> i64 {
        if self.sides == 1 {
            return self.points(0);
        }
        (side..self.rows.len()).step_by(self.sides.max(1)).map(|seat| self.points(seat)).sum()
    }

    /// Returns the points of a seat.
    pub fn points(&self, seat: usize) -> i64 {
        self.rows.get(seat).map_or(0, |rows| rows.iter().sum())
    }
}

/// Returns the cards in each seat's places: place, definition, seat.
fn cards_of_seats(rules: &Ruleset, game: &Game) -> Vec<(u16, u32, u8)> {
    let mut found = Vec::new();
    for (index, declared) in rules.places.iter().enumerate().filter(|(_, place)| place.of_seat) {
        for seat in 0..rules.players {
            let instance = declared.first_instance as usize + seat;
            for slot in 0..rules.layout.places[instance].room as usize {
                if let Some(card) = game.position(rules).piece_at(instance, slot) {
                    found.push((cast::fit::<u16>(index), rules.piece_definition[card], cast::seat(seat)));
                }
            }
        }
    }
    found
}

/// Returns the index of the bit for an action with a card of a definition offered to a seat.
fn offer_bit(rules: &Ruleset, action: usize, definition: u32, seat: usize) -> usize {
    (action * rules.definitions.len() + definition as usize) * rules.players + seat
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partners_are_one_side() {
        let game = PlayedGame { places: vec![1, 2, 1, 2], sides: 2, ..PlayedGame::default() };
        assert_eq!(game.sides_of(&[0, 2]), BTreeSet::from([0]));
        assert_eq!(game.sides_of(&[2, 3]), BTreeSet::from([0, 1]));
    }
}
