//! Comparing seats: orders, points and who wins.

use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::ruleset::OrderKey;
use crate::cast;
pub use houserule_ruleset::style::{MOST_STATES, Style};
use houserule_state::layout::head;

impl Machine<'_> {
    /// The seats in a new order, by keys; more goes first. Only the first [`Ruleset::players`] places mean anything.
    pub(crate) fn ordered(&mut self, keys: &[OrderKey]) -> [usize; head::MAX_SEATS] {
        let rules = self.rules;
        let mut seats = [0; head::MAX_SEATS];
        for (seat, &cell) in seats.iter_mut().zip(&self.state.cells()[head::ORDER..head::ORDER + rules.players]) {
            *seat = cast::index(cell);
        }
        let mut values = std::mem::take(&mut self.memory.scratch.ranked);
        values.clear();
        for (place, &seat) in seats.iter().enumerate().take(rules.players) {
            values.extend(keys.iter().map(|key| match key {
                OrderKey::By(node) => -self.eval(*node, &mut Env::of(seat)),
                OrderKey::Present => cast::count(place),
            }));
        }
        let present = seats;
        let of = |seat: &usize| present.iter().position(|found| found == seat).map(|place| &values[place * keys.len()..][..keys.len()]);
        // Those who are level keep the order that there is.
        seats[..rules.players].sort_by(|a, b| of(a).cmp(&of(b)));
        self.memory.scratch.ranked = values;
        seats
    }

    /// The points of a seat in one row.
    pub fn score_row(&mut self, row: usize, seat: usize) -> i64 {
        let rules = self.rules;
        rules.score.get(row).map_or(0, |(_, node)| self.eval(*node, &mut Env::of(seat)))
    }

    /// The points of a seat, row by row.
    pub fn score_rows(&mut self, seat: usize) -> Vec<i64> {
        let rules = self.rules;
        rules.score.iter().map(|(_, node)| self.eval(*node, &mut Env::of(seat))).collect()
    }

    /// Works all rows of the score out at the end of a game.
    ///
    /// # Errors
    /// A row that cannot be worked out, with its place.
    pub(crate) fn last_score(&mut self) -> Result<(), Stop> {
        let rules = self.rules;
        for ((name, node), span) in rules.score.iter().zip(&rules.score_spans) {
            for seat in 0..rules.players {
                self.eval(*node, &mut Env::of(seat));
                if let Some(mut fault) = self.wrong_number() {
                    fault.also.extend(fault.span.is_some().then(|| (*span, "in this row of the score".to_string())));
                    return Err(Stop::Fault(Box::new(fault)).in_the_name_of(&format!("score \"{name}\""), Some(*span)));
                }
            }
        }
        Ok(())
    }

    /// The points of a seat.
    pub fn score(&mut self, seat: usize) -> i64 {
        let rules = self.rules;
        rules.score.iter().map(|(_, node)| self.eval(*node, &mut Env::of(seat))).sum()
    }

    /// What the state is worth to a seat of a style, in thousandths, as the rules declare it; without a declaration, its points.
    pub fn worth(&mut self, seat: usize, style: Style) -> i64 {
        let rules = self.rules;
        match rules.worth(style) {
            Some(worth) => self.eval(worth.value, &mut Env::of(seat)),
            None if rules.lowest_wins => self.score(seat) * -1000,
            None => self.score(seat) * 1000,
        }
    }

    /// Whether what the rounds go on until has come about.
    pub(crate) fn until_holds(&mut self) -> bool {
        let rules = self.rules;
        rules.until.is_some_and(|until| self.eval(until, &mut Env::of(cast::index(self.state.cells()[head::ORDER]))) != 0)
    }

    /// Whether a game that is over was cut off: its rules give no number of rounds, and what would have ended it has not come about.
    pub fn was_cut_off(&mut self) -> bool {
        let rules = self.rules;
        rules.cut_off.is_some_and(|most| i64::from(self.state.round()) >= most) && !self.until_holds()
    }

    /// The seats that nothing in `wins` tells apart from the first.
    pub fn winners(&mut self) -> Vec<usize> {
        let standing = self.standing();
        let Some(&first) = standing.first() else { return standing };
        standing.into_iter().filter(|&seat| self.level(first, seat)).collect()
    }

    /// The place of each seat, from 1: those that nothing in `wins` tells apart share one, and the next is as much further on.
    pub fn places(&mut self) -> Vec<usize> {
        let rules = self.rules;
        let standing = self.standing();
        let mut places = vec![1; rules.players];
        for (at, two) in standing.windows(2).enumerate() {
            places[two[1]] = if self.level(two[0], two[1]) { places[two[0]] } else { at + 2 };
        }
        places
    }

    /// Whether nothing in `wins` tells two seats apart.
    fn level(&mut self, one: usize, other: usize) -> bool {
        let rules = self.rules;
        let by = |key: &OrderKey, game: &mut Machine<'_>| match key {
            OrderKey::By(node) => [one, other].map(|seat| game.eval(*node, &mut Env::of(seat))),
            // Nobody shares a place in the order.
            OrderKey::Present => [one, other].map(cast::count),
        };
        let alike = |[one, other]: [i64; 2]| one == other;
        self.score(one) == self.score(other) && rules.tie_breaks.iter().all(|key| alike(by(key, self)))
    }

    /// The seats from winner to last: by points, then by the tie-breaks of the rules.
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
