//! Compares seats: turn orders, scores and winners.

use super::decision::Stop;
use super::eval::Env;
use super::machine::Machine;
use super::ruleset::OrderKey;
use crate::cast;
pub use houserule_ruleset::style::{MAX_STATES, Style};
use houserule_state::layout::head;

impl Machine<'_> {
    /// The seats sorted by keys, the highest values first. Only the first `players` elements are meaningful.
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

    /// The points of a seat in one row of the score.
    pub fn score_row(&mut self, row: usize, seat: usize) -> i64 {
        let rules = self.rules;
        rules.score.get(row).map_or(0, |(_, node)| self.eval(*node, &mut Env::for_seat(seat)))
    }

    /// The points of a seat in each row of the score.
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

    /// The total score of a seat.
    pub fn score(&mut self, seat: usize) -> i64 {
        let rules = self.rules;
        rules.score.iter().map(|(_, node)| self.eval(*node, &mut Env::for_seat(seat))).sum()
    }

    /// The value of the state for a seat, in thousandths of a point, by the formula that the rules declare for a style of play; by default
    /// the score.
    pub fn worth(&mut self, seat: usize, style: Style) -> i64 {
        let rules = self.rules;
        match rules.worth(style) {
            Some(worth) => self.eval(worth.value, &mut Env::for_seat(seat)),
            None if rules.lowest_wins => self.score(seat) * -1000,
            None => self.score(seat) * 1000,
        }
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

    /// The winning seats: the first of the standing, and all that are equal to it in everything that `wins` names.
    pub fn winners(&mut self) -> Vec<usize> {
        let standing = self.standing();
        let Some(&first) = standing.first() else { return standing };
        standing.into_iter().filter(|&seat| self.is_tied(first, seat)).collect()
    }

    /// The rank of each seat, from 1. Seats that are equal in everything that `wins` names share a rank, and the ranks after it are skipped
    /// (1, 1, 3).
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

    /// The seats from first to last: by score, then by the tie-breaks.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Expr;
    use crate::ruleset::Rank;
    use crate::testing::{game, rules};
    use crate::{Game, Ruleset};

    fn table() -> (Ruleset, Game) {
        let rules = rules(|rules, node| {
            let [first, second] = [0, 1].map(|offset| node(rules, Expr::Own { offset }));
            let one = node(rules, Expr::Const { value: 1 });
            let rank = |top, ties_in| Rank { name: String::new(), top, leaders: one, ties_in, rivals: Vec::new() };
            rules.ranks = vec![rank(true, false), rank(false, true)];
            rules.score = vec![("moss".to_string(), first), ("fog".to_string(), second)];
            rules.tie_breaks = vec![OrderKey::By(second), OrderKey::Present];
            (0..2).for_each(|rank| _ = node(rules, Expr::Rank { rank, by: first, leaders: one }));
        });
        let game = game(&rules);
        (rules, game)
    }

    #[test]
    fn ties_at_the_edge_are_out_or_in() {
        let (rules, mut game) = table();
        let is_rank = |expr: &Expr, wanted: u16| matches!(expr, Expr::Rank { rank, .. } if *rank == wanted);
        let asked = [0, 1].map(|rank| rules.graph.all().find(|(_, expr)| is_rank(expr, rank)).expect("a rank").0);
        let mut ranks = |own: [i64; 2]| {
            (0..2).for_each(|seat| game.put_own(&rules, seat, 0, own[seat]));
            asked.map(|node| [0, 1].map(|seat| game.on(&rules).eval(node, &mut Env::for_seat(seat))))
        };
        assert_eq!(ranks([5, 2]), [[1, 0], [0, 1]]);
        assert_eq!(ranks([2, 2]), [[0, 0], [1, 1]]);
        assert_eq!(ranks([1, 2]), [[0, 1], [1, 0]]);
    }

    #[test]
    fn whom_nothing_tells_apart_share_the_victory() {
        let (mut rules, mut game) = table();
        rules.tie_breaks.pop();
        for (own, wanted) in [([[3, 1], [1, 3]], vec![1]), ([[2, 2], [2, 2]], vec![0, 1]), ([[2, 2], [1, 2]], vec![0])] {
            for (seat, values) in own.iter().enumerate() {
                values.iter().enumerate().for_each(|(offset, &value)| game.put_own(&rules, seat, offset, value));
            }
            assert_eq!(game.on(&rules).winners(), wanted, "{own:?}");
            let places = game.on(&rules).final_ranks();
            assert_eq!((0..2).filter(|&seat| places[seat] == 1).collect::<Vec<_>>(), wanted, "{own:?}");
            assert!(places.iter().all(|&place| place == 1 || place == 1 + wanted.len()), "{places:?}");
        }
    }

    #[test]
    fn points_then_tie_breaks_decide() {
        let (rules, mut game) = table();
        for (own, wanted) in [([[3, 1], [2, 1]], [0, 1]), ([[3, 1], [1, 3]], [1, 0]), ([[2, 2], [2, 2]], [0, 1])] {
            for (seat, values) in own.iter().enumerate() {
                values.iter().enumerate().for_each(|(offset, &value)| game.put_own(&rules, seat, offset, value));
            }
            assert_eq!(game.on(&rules).standing(), wanted, "{own:?}");
            assert_eq!(game.on(&rules).winners(), wanted[..1], "{own:?}");
            assert_eq!(game.on(&rules).score(0), own[0].iter().sum::<i64>());
            assert_eq!(game.on(&rules).worth(0, rules.usual_style()), own[0].iter().sum::<i64>() * 1000);
        }
    }
}
