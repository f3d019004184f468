//! Compares seats: turn orders, scores and winners.

use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::ruleset::OrderKey;
use crate::cast;
pub use houserule_ruleset::style::{MAX_STATES, Style};
use houserule_state::layout::head;

impl Machine<'_> {
    /// Returns the seats sorted by keys, the highest values first. Only the first `players` elements are meaningful.
    pub(crate) fn ordered(&mut self, keys: &[OrderKey]) -> [usize; head::MAX_SEATS] {
        let rules = self.rules;
        let mut seats = [0; head::MAX_SEATS];
        for (seat, &cell) in seats.iter_mut().zip(&self.state.cells()[head::ORDER..head::ORDER + rules.players]) {
            *seat = cast::index(cell);
        }
        let mut values = std::mem::take(&mut self.memory.scratch.seat_keys);
        values.clear();
        for (place, &seat) in seats.iter().enumerate().take(rules.players) {
            values.extend(keys.iter().map(|key| match key {
                OrderKey::By(node) => -self.eval(*node, &mut Env::for_seat(seat)),
                OrderKey::Present => cast::count(place),
            }));
        }
        let present = seats;
        let of = |seat: &usize| present.iter().position(|found| found == seat).map(|place| &values[place * keys.len()..][..keys.len()]);
        // The sort is stable: seats with equal keys keep their order.
        seats[..rules.players].sort_by(|a, b| of(a).cmp(&of(b)));
        self.memory.scratch.seat_keys = values;
        seats
    }

    /// Returns the points of a seat in one row of the score.
    pub fn score_row(&mut self, row: usize, seat: usize) -> i64 {
        let rules = self.rules;
        rules.score.get(row).map_or(0, |(_, node)| self.eval(*node, &mut Env::for_seat(seat)))
    }

    /// Returns the points of a seat in each row of the score.
    pub fn score_rows(&mut self, seat: usize) -> Vec<i64> {
        let rules = self.rules;
        rules.score.iter().map(|(_, node)| self.eval(*node, &mut Env::for_seat(seat))).collect()
    }

    /// Evaluates all rows of the score at the end of a game, to detect errors.
    ///
    /// # Errors
    /// An arithmetic error in a row, with its place.
    pub(crate) fn check_score(&mut self) -> Result<(), Stop> {
        let rules = self.rules;
        for ((name, node), span) in rules.score.iter().zip(&rules.score_spans) {
            for seat in 0..rules.players {
                self.eval(*node, &mut Env::for_seat(seat));
                if let Some(mut fault) = self.take_arithmetic_fault() {
                    fault.also.extend(fault.span.is_some().then(|| (*span, "in this row of the score".to_string())));
                    return Err(Stop::Fault(Box::new(fault)).with_owner(&format!("score \"{name}\""), Some(*span)));
                }
            }
        }
        Ok(())
    }

    /// Returns the total score of a seat.
    pub fn score(&mut self, seat: usize) -> i64 {
        let rules = self.rules;
        rules.score.iter().map(|(_, node)| self.eval(*node, &mut Env::for_seat(seat))).sum()
    }

    /// Returns the value of the state for a seat, in thousandths of a point, by the formula that the rules declare for a style of play; by
    /// default its lead in points.
    pub fn worth(&mut self, seat: usize, style: Style) -> i64 {
        let rules = self.rules;
        match rules.worth_formula(style) {
            Some(worth) => self.eval(worth.value, &mut Env::for_seat(seat)),
            None => self.lead(seat),
        }
    }

    /// Returns by how much a seat is ahead of the others, in thousandths of a point: the mean of its leads over the best of them and over
    /// their average; without others its points. See [`Machine::points_and_prizes`].
    fn lead(&mut self, seat: usize) -> i64 {
        let players = self.rules.players;
        let points = self.points_and_prizes();
        let others = points[..players].iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, points)| *points);
        match others.clone().max() {
            Some(best) => points[seat] - (best + others.sum::<i64>() / cast::count(players - 1)) / 2,
            None => points[seat],
        }
    }

    /// Returns the points of each seat, in thousandths, negative where the fewest win. The winners of a finished game share as many points
    /// more as lie between first and last, and one.
    pub fn points_and_prizes(&mut self) -> [i64; head::MAX_SEATS] {
        let players = self.rules.players;
        let sign = if self.rules.lowest_wins { -1000 } else { 1000 };
        let mut points = [0; head::MAX_SEATS];
        for (seat, points) in points[..players].iter_mut().enumerate() {
            *points = sign * self.score(seat);
        }
        if self.state.finished() {
            let points = &mut points[..players];
            let highest = points.iter().max().copied().unwrap_or(0);
            let prize = highest - points.iter().min().copied().unwrap_or(0) + 1000;
            let winners = self.winners();
            winners.iter().for_each(|&winner| points[winner] += prize / cast::count(winners.len()));
        }
        points
    }

    /// Whether the condition that ends the rounds holds.
    pub(crate) fn until_holds(&mut self) -> bool {
        let rules = self.rules;
        rules.until.is_some_and(|until| self.eval(until, &mut Env::for_seat(cast::index(self.state.cells()[head::ORDER]))) != 0)
    }

    /// Whether a finished game was cut off at the maximum number of rounds: its rules give no number of rounds, and the condition that ends
    /// them does not hold.
    pub fn was_cut_off(&mut self) -> bool {
        let rules = self.rules;
        rules.cut_off.is_some_and(|most| i64::from(self.state.round()) >= most) && !self.until_holds()
    }

    /// Returns the winning seats: the first of the standing, and all that are equal to it in everything that `wins` names.
    pub fn winners(&mut self) -> Vec<usize> {
        let standing = self.standing();
        let Some(&first) = standing.first() else { return standing };
        standing.into_iter().filter(|&seat| self.is_tied(first, seat)).collect()
    }

    /// Returns the rank of each seat, from 1. Seats that are equal in everything that `wins` names share a rank, and the ranks after it
    /// are skipped (1, 1, 3).
    pub fn final_ranks(&mut self) -> Vec<usize> {
        let rules = self.rules;
        let standing = self.standing();
        let mut places = vec![1; rules.players];
        for (position, two) in standing.windows(2).enumerate() {
            places[two[1]] = if self.is_tied(two[0], two[1]) { places[two[0]] } else { position + 2 };
        }
        places
    }

    /// Whether two seats are equal in everything that `wins` names.
    fn is_tied(&mut self, first: usize, second: usize) -> bool {
        let rules = self.rules;
        let by = |key: &OrderKey, game: &mut Machine<'_>| match key {
            OrderKey::By(node) => [first, second].map(|seat| game.eval(*node, &mut Env::for_seat(seat))),
            // No two seats have the same position in the order.
            OrderKey::Present => [first, second].map(cast::count),
        };
        let alike = |[first, second]: [i64; 2]| first == second;
        self.score(first) == self.score(second) && rules.tie_breaks.iter().all(|key| alike(by(key, self)))
    }

    /// Returns the seats from first to last: by score, then by the tie-breaks.
    pub fn standing(&mut self) -> Vec<usize> {
        let rules = self.rules;
        let tie_breaks = self.ordered(&rules.tie_breaks);
        let sign = if rules.lowest_wins { 1 } else { -1 };
        let mut seats: Vec<(i64, usize, usize)> =
            tie_breaks[..rules.players].iter().enumerate().map(|(place, &seat)| (sign * self.score(seat), place, seat)).collect();
        seats.sort_unstable();
        seats.into_iter().map(|(_, _, seat)| seat).collect()
    }
}
