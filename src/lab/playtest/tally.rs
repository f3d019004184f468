//! The sum of many games.

use crate::cast;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::answers::{Answered, Asked};
use super::as_pairs;
use super::distinct::Distinct;
use super::distributions::Distributions;
use super::measure::Played;
use super::stats::{Sums, SumsByGame, Wins};
use crate::engine::Ruleset;

/// What is known of players who began with a card.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beginners {
    /// Games that they won.
    pub won: Wins,
    /// Their points; as many as there were players.
    pub points: Sums,
}

/// What is known of a card that was offered or chosen with an action.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chosen {
    /// To how many players it was offered, counted in each game.
    pub offered: u64,
    /// How often.
    pub times: u64,
    /// In how many games.
    pub games: u64,
    /// By how many players, counted in each game.
    pub players: u64,
    /// Games that these won.
    pub won: Wins,
}

/// Many games summed up.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Complete games.
    pub games: u64,
    /// Which of them are different.
    pub different: Distinct,
    /// Points in all, of all seats.
    pub points: SumsByGame,
    /// Points of each row, of all seats.
    pub rows: Vec<SumsByGame>,
    /// Points of each seat.
    pub by_seat: Vec<Sums>,
    /// Points from the winner's to the last one's.
    pub by_rank: Vec<Sums>,
    /// Games won, by seat.
    pub won: Vec<Wins>,
    /// Games that several won together.
    pub shared: u64,
    /// Games that were ended after the most rounds that there can be.
    pub cut_off: u64,
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
    #[serde(with = "as_pairs")]
    pub actions: BTreeMap<(u16, Option<u16>), u64>,
    /// How often each question of rules and cards was answered with what.
    #[serde(with = "as_pairs")]
    pub answers: BTreeMap<(Asked, Answered), u64>,
    /// By action and definition.
    #[serde(with = "as_pairs")]
    pub cards: BTreeMap<(u16, u32), Chosen>,
    /// Cards at the end, by place.
    pub kept: BTreeMap<u16, u64>,
    /// Cards at the end, by place and definition, with the games that their owners won.
    #[serde(with = "as_pairs")]
    pub kept_cards: BTreeMap<(u16, u32), (u64, Wins)>,
    /// Cards that lay with players when the first question was put, by place and definition.
    #[serde(with = "as_pairs")]
    pub begun: BTreeMap<(u16, u32), Beginners>,
    /// Points that the score would give when each round's first question is put.
    pub points_by_round: BTreeMap<u64, SumsByGame>,
    /// By round (0 for the end) and figure.
    #[serde(with = "as_pairs")]
    pub figures: BTreeMap<(u64, u16), Sums>,
    /// Of scripts that ran, if they were noted, how often and in how many games.
    pub scripts: BTreeMap<u32, (u64, u64)>,
}

impl Tally {
    /// Nothing yet.
    pub fn new(rules: &Ruleset) -> Tally {
        Tally {
            rows: vec![SumsByGame::default(); rules.score.len()],
            by_seat: vec![Sums::default(); rules.players],
            by_rank: vec![Sums::default(); rules.players],
            won: vec![Wins::default(); rules.players],
            honours: if rules.players == 1 && !rules.honours.is_empty() { vec![0; rules.honours.len() + 1] } else { Vec::new() },
            ..Tally::default()
        }
    }

    /// Takes in a game.
    pub fn add(&mut self, rules: &Ruleset, game: &Played) {
        self.games += 1;
        self.different.add(game.went);
        for (row, sums) in self.rows.iter_mut().enumerate() {
            sums.add(game.rows.iter().filter_map(|rows| rows.get(row).copied()));
        }
        self.points.add((0..game.rows.len()).map(|seat| game.points(seat)));
        for (seat, sums) in self.by_seat.iter_mut().enumerate().take(game.rows.len()) {
            sums.add(game.points(seat));
        }
        for (sums, seat) in self.by_rank.iter_mut().zip(&game.standing) {
            sums.add(game.points(*seat));
        }
        let wins: Vec<Wins> = (0..rules.players).map(|seat| game.won(seat)).collect();
        let won_by = |seat: u8| wins.get(usize::from(seat)).copied().unwrap_or_default();
        each(&mut self.won, &wins, Wins::add);
        self.shared += u64::from(game.winners().nth(1).is_some());
        if !self.honours.is_empty() {
            self.honours[rules.honour(game.points(0)).unwrap_or(rules.honours.len())] += 1;
        }
        self.cut_off += u64::from(game.cut_off);
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
            let Some(definition) = definition else { continue };
            let chosen = self.cards.entry((action, definition)).or_default();
            chosen.times += times;
            chosen.players += 1;
            chosen.won.add(&won_by(seat));
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
            begun.won.add(&won_by(seat));
            begun.points.add(game.points(seat.into()));
        }
        for (round, points) in &game.points_by_round {
            self.points_by_round.entry(*round).or_default().add(points.iter().copied());
        }
        for &(place, definition, seat) in &game.kept {
            *self.kept.entry(place).or_default() += 1;
            let card = self.kept_cards.entry((place, definition)).or_default();
            card.0 += 1;
            card.1.add(&won_by(seat));
        }
        for &(round, figure, value) in &game.figures {
            self.figures.entry((round, figure)).or_default().add(value);
        }
    }

    /// What part of the games is different: 1 if all are.
    pub fn distinct(&self) -> f64 {
        self.different.share(self.games)
    }

    /// Takes in other games of the same rules. All are whole numbers: it makes no difference which games were summed up together.
    pub fn merge(&mut self, other: &Tally) {
        let Tally { games, different, points, rows, by_seat, by_rank, won, shared, cut_off, distributions, rounds, honours, .. } = other;
        let Tally {
            decisions, options, longest, actions, answers, cards, kept, kept_cards, begun, points_by_round, figures, scripts, ..
        } = other;
        self.games += games;
        self.different.merge(different);
        self.points.merge(points);
        each(&mut self.rows, rows, SumsByGame::merge);
        each(&mut self.by_seat, by_seat, Sums::merge);
        each(&mut self.by_rank, by_rank, Sums::merge);
        each(&mut self.won, won, Wins::add);
        self.shared += shared;
        self.cut_off += cut_off;
        self.distributions.merge(distributions);
        self.rounds.merge(rounds);
        each(&mut self.honours, honours, count);
        self.decisions.merge(decisions);
        self.options += options;
        self.longest = self.longest.max(*longest);
        by_key(&mut self.actions, actions, count);
        by_key(&mut self.answers, answers, count);
        by_key(&mut self.cards, cards, Chosen::merge);
        by_key(&mut self.kept, kept, count);
        by_key(&mut self.kept_cards, kept_cards, |all, more| {
            all.0 += more.0;
            all.1.add(&more.1);
        });
        by_key(&mut self.begun, begun, |all, more| {
            all.won.add(&more.won);
            all.points.merge(&more.points);
        });
        by_key(&mut self.points_by_round, points_by_round, SumsByGame::merge);
        by_key(&mut self.figures, figures, Sums::merge);
        by_key(&mut self.scripts, scripts, two_counts);
    }
}

impl Chosen {
    fn merge(&mut self, other: &Chosen) {
        let Chosen { offered, times, games, players, won } = other;
        self.offered += offered;
        self.times += times;
        self.games += games;
        self.players += players;
        self.won.add(won);
    }
}

fn count(all: &mut u64, more: &u64) {
    *all += more;
}

fn two_counts(all: &mut (u64, u64), more: &(u64, u64)) {
    all.0 += more.0;
    all.1 += more.1;
}

fn each<T: Default + Clone>(all: &mut Vec<T>, more: &[T], add: impl Fn(&mut T, &T)) {
    all.resize(all.len().max(more.len()), T::default());
    all.iter_mut().zip(more).for_each(|(all, more)| add(all, more));
}

fn by_key<K: Ord + Clone, T: Default>(all: &mut BTreeMap<K, T>, more: &BTreeMap<K, T>, add: impl Fn(&mut T, &T)) {
    for (key, more) in more {
        add(all.entry(key.clone()).or_default(), more);
    }
}
