//! Compares seats: turn orders, scores and winners.

use super::decision::Stop;
use super::eval::Env;
use super::ruleset::{NodeId, OrderKey, Ruleset};
use super::store::Store;
use crate::cast;
pub use houserule_ruleset::style::{MAX_STATES, POINTS, Style};
use houserule_state::layout::head;

/// What a game that all win together is worth more than one that they lose, in thousandths of a point: more than points amount to.
const PRIZE_OF_ALL: i64 = 1_000_000;
/// How many points the condition is worth under which all win together, if it is as near as can be and the game goes on: about as many as
/// points of the game itself, which tell of the way there, too.
const WORTH_OF_NEARNESS: i64 = 50;

fn seats_of_side(rules: &Ruleset, side: usize) -> impl Iterator<Item = usize> {
    (side..rules.players).step_by(rules.side_count().max(1))
}

impl Store<'_> {
    /// Returns the seats sorted by keys, the highest values first. Only the first `players` elements are meaningful.
    pub(crate) fn ordered(&mut self, keys: &[OrderKey]) -> [usize; head::MAX_SEATS] {
        let rules = self.rules;
        let mut seats = [0; head::MAX_SEATS];
        for (seat, &cell) in seats.iter_mut().zip(&self.state.cells()[head::ORDER..head::ORDER + rules.players]) {
            *seat = cast::index(cell);
        }
        let mut values = std::mem::take(&mut self.live.lists.seat_keys);
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
        self.live.lists.seat_keys = values;
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
        (0..rules.score.len()).map(|row| self.score_row(row, seat)).collect()
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

    /// Works out the worth of a state for a seat only so that the values it is made of are kept, and copied with the state.
    pub fn keep_worth(&mut self, seat: usize, style: Style) {
        let before = self.live.values.evaluation.clone();
        self.worth(seat, style);
        // Nobody has asked, so that nothing can have gone wrong.
        self.live.values.evaluation.clone_from(&before);
    }

    /// Returns by how much the side of a seat is ahead of the others, in thousandths of a point: the mean of its leads over the best of them
    /// and over their average; without others its points. See [`Machine::points_and_prizes`].
    fn lead(&mut self, seat: usize) -> i64 {
        let (sides, side) = (self.rules.side_count(), self.rules.side(seat));
        let points = self.points_and_prizes();
        let others = points[..sides].iter().enumerate().filter(|(other, _)| *other != side).map(|(_, points)| *points);
        match others.clone().max() {
            Some(best) => points[side] - (best + others.sum::<i64>() / cast::count(sides - 1)) / 2,
            None => points[side],
        }
    }

    /// Returns the points of each side, in thousandths, negative where the fewest win. The winners of a finished game share as many points
    /// more as lie between first and last, and one.
    ///
    /// Where all win or lose together, a game that is won has far more points than one that is lost, and while it goes on it has some by how
    /// near the condition is which must hold at the end.
    pub fn points_and_prizes(&mut self) -> [i64; head::MAX_SEATS] {
        let sides = self.rules.side_count();
        let sign = if self.rules.lowest_wins { -1000 } else { 1000 };
        let mut points = [0; head::MAX_SEATS];
        for (side, points) in points[..sides].iter_mut().enumerate() {
            *points = sign * self.score_of_side(side);
        }
        if let Some(together) = &self.rules.together {
            let near = self.eval(together.nearness, &mut Env::for_seat(0)) * WORTH_OF_NEARNESS;
            points[0] += match (self.state.finished(), self.all_have_won()) {
                (true, true) => PRIZE_OF_ALL,
                (true, false) => near / 2,
                // Nothing is lost yet.
                (false, _) => PRIZE_OF_ALL / 4 + near,
            };
        } else if self.state.finished() {
            let highest = points[..sides].iter().max().copied().unwrap_or(0);
            let prize = highest - points[..sides].iter().min().copied().unwrap_or(0) + 1000;
            let winners = self.winning_sides();
            winners.iter().for_each(|&winner| points[winner] += prize / cast::count(winners.len()));
        }
        points
    }

    /// Returns the points of a side: those of its players together, or, where all win or lose together, the points that all have.
    pub fn score_of_side(&mut self, side: usize) -> i64 {
        if self.rules.together.is_some() {
            return self.score(0);
        }
        seats_of_side(self.rules, side).map(|seat| self.score(seat)).sum()
    }

    /// Whether the condition holds under which all win together.
    fn all_have_won(&mut self) -> bool {
        let rules = self.rules;
        rules.together.as_ref().is_some_and(|together| self.eval(together.won, &mut Env::for_seat(0)) != 0)
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

    /// Returns the winning seats: the first of the standing, and all that are equal to it in everything that `wins` names. Where all win or
    /// lose together, all or none.
    pub fn winners(&mut self) -> Vec<usize> {
        let standing = self.standing();
        if self.rules.together.is_some() {
            return if self.all_have_won() { standing } else { Vec::new() };
        }
        let Some(&first) = standing.first() else { return standing };
        standing.into_iter().filter(|&seat| self.is_tied(first, seat)).collect()
    }

    /// Returns the rank of each seat, from 1. Seats that are equal in everything that `wins` names share a rank, and the ranks after it
    /// are skipped (1, 1, 3). Where all have lost together, all are second.
    pub fn final_ranks(&mut self) -> Vec<usize> {
        let rules = self.rules;
        if rules.together.is_some() {
            return vec![if self.all_have_won() { 1 } else { 2 }; rules.players];
        }
        let standing = self.standing();
        let mut places = vec![1; rules.players];
        for (position, two) in standing.windows(2).enumerate() {
            places[two[1]] = if self.is_tied(two[0], two[1]) { places[two[0]] } else { position + 2 };
        }
        places
    }

    /// Whether two seats are equal in everything that `wins` names, or on one side.
    fn is_tied(&mut self, first: usize, second: usize) -> bool {
        let rules = self.rules;
        let sides = [first, second].map(|seat| rules.side(seat));
        let by = |key: &OrderKey, game: &mut Store<'_>| match key {
            OrderKey::By(node) => sides.map(|side| game.sum_of_side(*node, side)),
            // No two seats have the same position in the order.
            OrderKey::Present => sides.map(cast::count),
        };
        let alike = |[first, second]: [i64; 2]| first == second;
        sides[0] == sides[1]
            || self.score_of_side(sides[0]) == self.score_of_side(sides[1]) && rules.tie_breaks.iter().all(|key| alike(by(key, self)))
    }

    /// Returns the sum of a value over the players of a side.
    fn sum_of_side(&mut self, node: NodeId, side: usize) -> i64 {
        seats_of_side(self.rules, side).map(|seat| self.eval(node, &mut Env::for_seat(seat))).sum()
    }

    /// Returns the sides of the winners, each once.
    pub fn winning_sides(&mut self) -> Vec<usize> {
        let rules = self.rules;
        let mut sides: Vec<usize> = self.winners().into_iter().map(|seat| rules.side(seat)).collect();
        sides.sort_unstable();
        sides.dedup();
        sides
    }

    /// Returns the seats from first to last: by score, then by the tie-breaks. Players of a team follow each other, in the order of play.
    pub fn standing(&mut self) -> Vec<usize> {
        let rules = self.rules;
        if rules.has_teams() {
            return self.standing_of_teams();
        }
        let tie_breaks = self.ordered(&rules.tie_breaks);
        let sign = if rules.lowest_wins { 1 } else { -1 };
        let mut seats: Vec<(i64, usize, usize)> =
            tie_breaks[..rules.players].iter().enumerate().map(|(place, &seat)| (sign * self.score(seat), place, seat)).collect();
        seats.sort_unstable();
        seats.into_iter().map(|(_, _, seat)| seat).collect()
    }

    fn standing_of_teams(&mut self) -> Vec<usize> {
        let rules = self.rules;
        let order = self.ordered(&[]);
        let place = |seat: usize| cast::count(order.iter().position(|&found| found == seat).unwrap_or(seat));
        let sign = if rules.lowest_wins { 1 } else { -1 };
        let mut seats: Vec<(Vec<i64>, usize)> = Vec::new();
        for seat in 0..rules.players {
            let side = rules.side(seat);
            let first = seats_of_side(rules, side).map(place).min().unwrap_or(0);
            let mut keys = vec![sign * self.score_of_side(side)];
            keys.extend(rules.tie_breaks.iter().map(|key| match key {
                OrderKey::By(node) => -self.sum_of_side(*node, side),
                OrderKey::Present => first,
            }));
            keys.extend([first, place(seat)]);
            seats.push((keys, seat));
        }
        seats.sort_unstable();
        seats.into_iter().map(|(_, seat)| seat).collect()
    }
}
