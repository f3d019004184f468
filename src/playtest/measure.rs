//! What is noted of a game while it is played, and the sum of many.

use std::collections::BTreeMap;

use super::answers::{Answered, Asked};
use super::cards::Trace;
use super::distributions::Distributions;
use super::histogram::Histogram;
use super::stats::Sums;
use crate::engine::decision::{Act, Decision};
use crate::engine::{Game, Ruleset};

/// What is noted of a game besides what every report needs; it costs time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Which scripts of cards run.
    pub scripts: bool,
    /// Every answer by its key, and who is ahead when a round begins.
    pub course: bool,
    /// Who first had to do with each card, and where the game parts from another.
    pub trace: bool,
}

/// What was noted of one game.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// Its seed.
    pub seed: u64,
    /// Points, row by row, of each seat.
    pub rows: Vec<Vec<i64>>,
    /// The seats from winner to last.
    pub standing: Vec<usize>,
    /// The last round.
    pub rounds: u64,
    /// Questions with at least two options put to an agent.
    pub decisions: u64,
    /// Their options, summed up.
    pub options: u64,
    /// The longest list.
    pub longest: u64,
    /// How often a list was how long.
    pub widths: Histogram,
    /// Which actions with which card as their first parameter were among a seat's options; a bit for each ([`bit_of`]).
    offered: Vec<u64>,
    /// Actions chosen, each with the definition of the card that is its first parameter and the seat; sorted at the end.
    chosen: Vec<(u16, Option<u32>, u8)>,
    /// Answers to questions of rules and cards; sorted at the end.
    answers: Vec<(Asked, Answered)>,
    /// Cards in each seat's places at the end: place, definition, seat.
    kept: Vec<(u16, u32, u8)>,
    /// The like, when the first question was put.
    begun: Option<Vec<(u16, u32, u8)>>,
    /// Points that a score would give when each round's first question was put: round and points, seat by seat.
    points_by_round: Vec<(u64, Vec<i64>)>,
    /// What the seats had when each round's first question was put, and at the end: round (0 for the end), figure, value.
    figures: Vec<(u64, u16, i64)>,
    round_noted: i32,
    /// Scripts that ran, if they are noted; sorted at the end.
    pub ran: Option<Vec<u32>>,
    /// How it went, if that is noted.
    pub course: Option<Course>,
    /// Its course in short, if that is noted.
    pub trace: Option<Trace>,
}

/// How a game went.
#[derive(Clone, Debug, Default)]
pub struct Course {
    /// The answers: round, seat, and key of the option.
    pub answers: Vec<(i32, u8, String)>,
    /// The seats from first to last, when each round's first question was put.
    pub rounds: Vec<Vec<usize>>,
}

/// What is shown of a seat round by round: resources and stats without arguments.
pub fn figures_of(rules: &Ruleset) -> Vec<String> {
    let resources = rules.resources.iter().map(|name| rules.names.text(*name).to_string());
    let stats = rules.quantities.iter().filter(|quantity| quantity.stat && quantity.args == 0);
    resources.chain(stats.map(|quantity| quantity.name.clone())).collect()
}

impl Played {
    /// A game that begins; scripts are noted if somebody wants to know.
    pub fn new(seed: u64, notes: Notes) -> Played {
        let (ran, course) = (notes.scripts.then(Vec::new), notes.course.then(Course::default));
        Played { seed, ran, course, trace: notes.trace.then(Trace::default), ..Played::default() }
    }

    /// Notes how things stand when a round's first question is put.
    pub fn note_round(&mut self, rules: &Ruleset, game: &mut Game) {
        if self.begun.is_none() {
            self.begun = Some(cards_of_seats(rules, game));
        }
        if let Some(trace) = &mut self.trace {
            trace.note_places(rules, game);
        }
        let round = game.round();
        if round > self.round_noted {
            self.round_noted = round;
            if let Some(course) = &mut self.course {
                course.rounds.push(game.standing(rules));
            }
            self.note_figures(rules, game, round as u64);
            let points = (0..rules.players).map(|seat| game.score(rules, seat)).collect();
            // A score that is made for the end may have no number before.
            if game.wrong_number(rules).is_none() {
                self.points_by_round.push((round as u64, points));
            }
        }
    }

    fn note_figures(&mut self, rules: &Ruleset, game: &mut Game, round: u64) {
        for seat in 0..rules.players {
            let mut figure = 0;
            for resource in 0..rules.resources.len() {
                self.figures.push((round, figure, game.amount(rules, seat, resource)));
                figure += 1;
            }
            for (index, quantity) in rules.quantities.iter().enumerate() {
                if quantity.stat && quantity.args == 0 {
                    self.figures.push((round, figure, game.quantity(rules, index as u16, seat, [-1; 2])));
                    figure += 1;
                }
            }
        }
    }

    /// Notes an answer.
    pub fn note_answer(&mut self, rules: &Ruleset, decision: &Decision, chosen: usize) {
        let count = decision.options.len() as u64;
        if let (Some(course), Some(option)) = (&mut self.course, decision.options.get(chosen)) {
            course.answers.push((self.round_noted, decision.seat as u8, option.text(rules)));
        }
        if count >= 2 {
            self.decisions += 1;
            self.options += count;
            self.longest = self.longest.max(count);
            self.widths.add(count as i64);
        }
        self.note_offers(rules, decision);
        if let Some(trace) = &mut self.trace {
            trace.note_answer(rules, decision, chosen);
        }
        let Some(option) = decision.options.get(chosen) else { return };
        if let Act::Action(action, args) = option.act {
            let definition = usize::try_from(args[0]).ok().map(|card| rules.piece_definition[card]);
            self.chosen.push((action, definition, decision.seat as u8));
        }
        self.answers.extend(Asked::of(decision).zip(Answered::of(option)));
    }

    fn note_offers(&mut self, rules: &Ruleset, decision: &Decision) {
        self.offered.resize(bit_of(rules, rules.actions.len(), 0, 0) / 64 + 1, 0);
        for option in &decision.options {
            if let Act::Action(action, [card, ..]) = option.act
                && let Ok(card) = usize::try_from(card)
            {
                let bit = bit_of(rules, action.into(), rules.piece_definition[card], decision.seat);
                self.offered[bit / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Notes how the game ended.
    pub fn note_end(&mut self, rules: &Ruleset, game: &mut Game) {
        self.rows = (0..rules.players).map(|seat| game.score_rows(rules, seat)).collect();
        self.standing = game.standing(rules);
        self.rounds = game.round().max(0) as u64;
        self.kept = cards_of_seats(rules, game);
        self.note_figures(rules, game, 0);
        self.chosen.sort_unstable();
        self.answers.sort_unstable();
        self.ran.iter_mut().for_each(|ran| ran.sort_unstable());
        if let Some(trace) = &mut self.trace {
            trace.note_places(rules, game);
        }
    }

    /// Cards that all can see and with which some seats begin and others do not, each with those who do: nations, boards.
    pub fn begun_by_some(&self, rules: &Ruleset) -> BTreeMap<u32, Vec<usize>> {
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

    /// The seats that began with a card; one with several pieces of it comes several times.
    pub fn beginners(&self, definition: u32) -> impl Iterator<Item = usize> + '_ {
        let of_card = self.begun.iter().flatten().filter(move |(_, card, _)| *card == definition);
        of_card.map(|(.., seat)| usize::from(*seat))
    }

    /// What each figure was at the end, on an average of the seats.
    pub fn at_the_end(&self, players: usize) -> Vec<f64> {
        let mut sums: Vec<f64> = Vec::new();
        for (_, figure, value) in self.figures.iter().filter(|(round, ..)| *round == 0) {
            let figure = *figure as usize;
            sums.resize(sums.len().max(figure + 1), 0.0);
            sums[figure] += *value as f64 / players.max(1) as f64;
        }
        sums
    }

    /// Actions that were offered, each with the definition of the card that is its first parameter, once for each seat.
    fn offers(&self, rules: &Ruleset) -> impl Iterator<Item = (u16, u32)> + '_ {
        let (seats, definitions) = (rules.players, rules.definitions.len());
        let bits = self.offered.iter().enumerate().filter(|(_, bits)| **bits != 0);
        let bits = bits.flat_map(|(word, bits)| (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| word * 64 + bit));
        bits.map(move |bit| ((bit / seats / definitions) as u16, (bit / seats % definitions) as u32))
    }

    /// Actions that were chosen, each with the definition of the card that is its first parameter.
    pub fn actions(&self) -> impl Iterator<Item = (u16, Option<u32>)> + '_ {
        self.chosen.iter().map(|(action, definition, _)| (*action, *definition))
    }

    /// Points of a seat.
    pub fn points(&self, seat: usize) -> i64 {
        self.rows.get(seat).map_or(0, |rows| rows.iter().sum())
    }
}

/// The cards in each seat's places: place, definition, seat.
fn cards_of_seats(rules: &Ruleset, game: &Game) -> Vec<(u16, u32, u8)> {
    let mut found = Vec::new();
    for (index, declared) in rules.places.iter().enumerate().filter(|(_, place)| place.of_seat) {
        for seat in 0..rules.players {
            let instance = declared.first as usize + seat;
            for slot in 0..rules.layout.places[instance].room as usize {
                if let Some(card) = game.piece_at(rules, instance, slot) {
                    found.push((index as u16, rules.piece_definition[card], seat as u8));
                }
            }
        }
    }
    found
}

/// Where it is noted that an action with a card of a definition was offered to a seat.
fn bit_of(rules: &Ruleset, action: usize, definition: u32, seat: usize) -> usize {
    (action * rules.definitions.len() + definition as usize) * rules.players + seat
}

/// What is known of players who began with a card.
#[derive(Clone, Copy, Debug, Default)]
pub struct Begun {
    /// How many of them won.
    pub won: u64,
    /// Their points; as many as there were players.
    pub points: Sums,
}

/// What is known of a card that was offered or chosen with an action.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chosen {
    /// To how many players it was offered, counted in each game.
    pub offered: u64,
    /// How often.
    pub times: u64,
    /// In how many games.
    pub games: u64,
    /// By how many players, counted in each game.
    pub players: u64,
    /// How many of these won.
    pub won: u64,
}

/// Many games summed up.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Complete games.
    pub games: u64,
    /// Points in all, of all seats.
    pub points: Sums,
    /// Points of each row, of all seats.
    pub rows: Vec<Sums>,
    /// Points of each seat.
    pub by_seat: Vec<Sums>,
    /// Points from the winner's to the last one's.
    pub by_rank: Vec<Sums>,
    /// Games won, by seat.
    pub won: Vec<u64>,
    /// How all this spreads.
    pub distributions: Distributions,
    /// Rounds.
    pub rounds: Sums,
    /// Games alone, by their place in the table of honour; the last is below it.
    pub honours: Vec<u64>,
    /// Decisions.
    pub decisions: Sums,
    /// Options of all decisions.
    pub options: u64,
    /// The longest list.
    pub longest: u64,
    /// How often each action was chosen, with the kind of the card that is its first parameter.
    pub actions: BTreeMap<(u16, Option<u16>), u64>,
    /// How often each question of rules and cards was answered with what.
    pub answers: BTreeMap<(Asked, Answered), u64>,
    /// By action and definition.
    pub cards: BTreeMap<(u16, u32), Chosen>,
    /// Cards at the end, by place.
    pub kept: BTreeMap<u16, u64>,
    /// Cards at the end, by place and definition, with how many of their owners won.
    pub kept_cards: BTreeMap<(u16, u32), (u64, u64)>,
    /// Cards that lay with players when the first question was put, by place and definition.
    pub begun: BTreeMap<(u16, u32), Begun>,
    /// Points that the score would give when each round's first question is put.
    pub points_by_round: BTreeMap<u64, Sums>,
    /// By round (0 for the end) and figure.
    pub figures: BTreeMap<(u64, u16), Sums>,
    /// Of scripts that ran, if they were noted, how often and in how many games.
    pub scripts: BTreeMap<u32, (u64, u64)>,
}

impl Tally {
    /// Nothing yet.
    pub fn new(rules: &Ruleset) -> Tally {
        Tally {
            rows: vec![Sums::default(); rules.score.len()],
            by_seat: vec![Sums::default(); rules.players],
            by_rank: vec![Sums::default(); rules.players],
            won: vec![0; rules.players],
            honours: if rules.players == 1 && !rules.honours.is_empty() { vec![0; rules.honours.len() + 1] } else { Vec::new() },
            ..Tally::default()
        }
    }

    /// Takes in a game.
    pub fn add(&mut self, rules: &Ruleset, game: &Played) {
        self.games += 1;
        for (seat, rows) in game.rows.iter().enumerate() {
            for (sums, points) in self.rows.iter_mut().zip(rows) {
                sums.add(*points);
            }
            self.points.add(game.points(seat));
            if let Some(sums) = self.by_seat.get_mut(seat) {
                sums.add(game.points(seat));
            }
        }
        for (sums, seat) in self.by_rank.iter_mut().zip(&game.standing) {
            sums.add(game.points(*seat));
        }
        let winner = game.standing.first().copied().unwrap_or(0);
        if let Some(won) = self.won.get_mut(winner) {
            *won += 1;
        }
        if !self.honours.is_empty() {
            self.honours[rules.honour(game.points(0)).unwrap_or(rules.honours.len())] += 1;
        }
        self.distributions.add(game);
        self.rounds.add(game.rounds as i64);
        self.decisions.add(game.decisions as i64);
        self.options += game.options;
        self.longest = self.longest.max(game.longest);
        let mut before = None;
        for alike in game.chosen.chunk_by(|a, b| a == b) {
            let (action, definition, seat) = alike[0];
            let times = alike.len() as u64;
            let kind = definition.map(|definition| rules.definitions[definition as usize].kind);
            *self.actions.entry((action, kind)).or_default() += times;
            let Some(definition) = definition else { continue };
            let chosen = self.cards.entry((action, definition)).or_default();
            chosen.times += times;
            chosen.players += 1;
            chosen.won += u64::from(usize::from(seat) == winner);
            // They are sorted: the seats that chose one card follow each other.
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
        for (action, definition) in game.offers(rules) {
            self.cards.entry((action, definition)).or_default().offered += 1;
        }
        for &(place, definition, seat) in game.begun.iter().flatten() {
            let begun = self.begun.entry((place, definition)).or_default();
            begun.won += u64::from(usize::from(seat) == winner);
            begun.points.add(game.points(seat.into()));
        }
        for (round, points) in &game.points_by_round {
            let sums = self.points_by_round.entry(*round).or_default();
            points.iter().for_each(|points| sums.add(*points));
        }
        for &(place, definition, seat) in &game.kept {
            *self.kept.entry(place).or_default() += 1;
            let card = self.kept_cards.entry((place, definition)).or_default();
            card.0 += 1;
            card.1 += u64::from(usize::from(seat) == winner);
        }
        for &(round, figure, value) in &game.figures {
            self.figures.entry((round, figure)).or_default().add(value);
        }
    }
}
