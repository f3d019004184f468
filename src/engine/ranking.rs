//! Comparing seats: ranks with their ties, orders, points and who wins.

use super::decision::Stop;
use super::eval::Env;
use super::game::{Eyes, Game};
use super::ruleset::{OrderKey, Ruleset};
use crate::cast;
use crate::state::layout::head;
pub use houserule_ruleset::style::{MOST_STATES, Style};

impl Game {
    /// Whether the seat spoken of is in a rank.
    ///
    /// `by` is what a seat is compared by, `leaders` how many count.
    /// `ties at the edge out`: with k leaders, a seat is in if at most k seats are as high as it or higher, itself included.
    /// `ties at the edge in`: if fewer than k seats are beyond it. Rulebook p. 9 and 20.
    pub(super) fn ranked(
        &mut self,
        rules: &Ruleset,
        rank: u16,
        me: usize,
        leaders: i64,
        mut by: impl FnMut(&mut Game, usize) -> i64,
    ) -> bool {
        let rank = &rules.ranks[rank as usize];
        let eyes = self.eyes;
        if let Eyes::Own(_) = eyes {
            self.eyes = Eyes::Before;
        }
        let mine = by(self, me);
        let (mut beyond, mut level) = (0, 1);
        let others = (0..rules.players).filter(|&seat| seat != me).map(Ok);
        for other in others.chain(rank.rivals.iter().map(Err)) {
            let theirs = match other {
                Ok(seat) => by(self, seat),
                Err(&rival) => self.eval(rules, rival, &mut Env::of(me)),
            };
            if theirs == mine {
                level += 1;
            } else if (theirs > mine) == rank.top {
                beyond += 1;
            }
        }
        self.eyes = eyes;
        if rank.ties_in { beyond < leaders } else { beyond + level <= leaders }
    }

    /// The seats in a new order, by keys; more goes first. Only the first [`Ruleset::players`] places mean anything.
    pub(super) fn ordered(&mut self, rules: &Ruleset, keys: &[OrderKey]) -> [usize; head::MOST_SEATS] {
        let mut seats = [0; head::MOST_SEATS];
        for (seat, &cell) in seats.iter_mut().zip(&self.cells[head::ORDER..head::ORDER + rules.players]) {
            *seat = cast::index(cell);
        }
        let mut values = std::mem::take(&mut self.scratch.ranked);
        values.clear();
        for (place, &seat) in seats.iter().enumerate().take(rules.players) {
            values.extend(keys.iter().map(|key| match key {
                OrderKey::By(node) => -self.eval(rules, *node, &mut Env::of(seat)),
                OrderKey::Present => cast::count(place),
            }));
        }
        let present = seats;
        let of = |seat: &usize| present.iter().position(|found| found == seat).map(|place| &values[place * keys.len()..][..keys.len()]);
        // Those who are level keep the order that there is.
        seats[..rules.players].sort_by(|a, b| of(a).cmp(&of(b)));
        self.scratch.ranked = values;
        seats
    }

    /// The points of a seat in one row.
    pub fn score_row(&mut self, rules: &Ruleset, row: usize, seat: usize) -> i64 {
        rules.score.get(row).map_or(0, |(_, node)| self.eval(rules, *node, &mut Env::of(seat)))
    }

    /// The points of a seat, row by row.
    pub fn score_rows(&mut self, rules: &Ruleset, seat: usize) -> Vec<i64> {
        rules.score.iter().map(|(_, node)| self.eval(rules, *node, &mut Env::of(seat))).collect()
    }

    /// Works all rows of the score out at the end of a game.
    ///
    /// # Errors
    /// A row that cannot be worked out, with its place.
    pub(super) fn last_score(&mut self, rules: &Ruleset) -> Result<(), Stop> {
        for ((name, node), span) in rules.score.iter().zip(&rules.score_spans) {
            for seat in 0..rules.players {
                self.eval(rules, *node, &mut Env::of(seat));
                if let Some(mut fault) = self.wrong_number(rules) {
                    fault.also.extend(fault.span.is_some().then(|| (*span, "in this row of the score".to_string())));
                    return Err(Stop::Fault(Box::new(fault)).in_the_name_of(&format!("score \"{name}\""), Some(*span)));
                }
            }
        }
        Ok(())
    }

    /// The points of a seat.
    pub fn score(&mut self, rules: &Ruleset, seat: usize) -> i64 {
        rules.score.iter().map(|(_, node)| self.eval(rules, *node, &mut Env::of(seat))).sum()
    }

    /// What the state is worth to a seat of a style, in thousandths, as the rules declare it; without a declaration, its points.
    pub fn worth(&mut self, rules: &Ruleset, seat: usize, style: Style) -> i64 {
        match rules.worth(style) {
            Some(worth) => self.eval(rules, worth.value, &mut Env::of(seat)),
            None if rules.lowest_wins => self.score(rules, seat) * -1000,
            None => self.score(rules, seat) * 1000,
        }
    }

    /// Whether what the rounds go on until has come about.
    pub(super) fn until_holds(&mut self, rules: &Ruleset) -> bool {
        rules.until.is_some_and(|until| self.eval(rules, until, &mut Env::of(cast::index(self.cells[head::ORDER]))) != 0)
    }

    /// Whether a game that is over was cut off: its rules give no number of rounds, and what would have ended it has not come about.
    pub fn was_cut_off(&mut self, rules: &Ruleset) -> bool {
        rules.cut_off.is_some_and(|most| i64::from(self.round()) >= most) && !self.until_holds(rules)
    }

    /// The seats that nothing in `wins` tells apart from the first.
    pub fn winners(&mut self, rules: &Ruleset) -> Vec<usize> {
        let standing = self.standing(rules);
        let Some(&first) = standing.first() else { return standing };
        standing.into_iter().filter(|&seat| self.level(rules, first, seat)).collect()
    }

    /// The place of each seat, from 1: those that nothing in `wins` tells apart share one, and the next is as much further on.
    pub fn places(&mut self, rules: &Ruleset) -> Vec<usize> {
        let standing = self.standing(rules);
        let mut places = vec![1; rules.players];
        for (at, two) in standing.windows(2).enumerate() {
            places[two[1]] = if self.level(rules, two[0], two[1]) { places[two[0]] } else { at + 2 };
        }
        places
    }

    /// Whether nothing in `wins` tells two seats apart.
    fn level(&mut self, rules: &Ruleset, one: usize, other: usize) -> bool {
        let by = |key: &OrderKey, game: &mut Game| match key {
            OrderKey::By(node) => [one, other].map(|seat| game.eval(rules, *node, &mut Env::of(seat))),
            // Nobody shares a place in the order.
            OrderKey::Present => [one, other].map(cast::count),
        };
        let alike = |[one, other]: [i64; 2]| one == other;
        self.score(rules, one) == self.score(rules, other) && rules.tie_breaks.iter().all(|key| alike(by(key, self)))
    }

    /// The seats from winner to last: by points, then by the tie-breaks of the rules.
    pub fn standing(&mut self, rules: &Ruleset) -> Vec<usize> {
        let tie_breaks = self.ordered(rules, &rules.tie_breaks);
        let sign = if rules.lowest_wins { 1 } else { -1 };
        let mut seats: Vec<(i64, usize, usize)> =
            tie_breaks[..rules.players].iter().enumerate().map(|(place, &seat)| (sign * self.score(rules, seat), place, seat)).collect();
        seats.sort_unstable();
        seats.into_iter().map(|(_, _, seat)| seat).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::Node;
    use crate::ruleset::Rank;
    use crate::testing::{game, rules};

    fn table() -> (Ruleset, Game) {
        let rules = rules(|rules, node| {
            let (first, second, one) = (node(Node::Own(0)), node(Node::Own(1)), node(Node::Const(1)));
            let rank = |top, ties_in| Rank { name: String::new(), top, leaders: one, ties_in, rivals: Vec::new() };
            rules.ranks = vec![rank(true, false), rank(false, true)];
            rules.score = vec![("moss".to_string(), first), ("fog".to_string(), second)];
            rules.tie_breaks = vec![OrderKey::By(second), OrderKey::Present];
            node(Node::Rank(0, first));
            node(Node::Rank(1, first));
        });
        let game = game(&rules);
        (rules, game)
    }

    #[test]
    fn ties_at_the_edge_are_out_or_in() {
        let (rules, mut game) = table();
        let mut ranks = |own: [i64; 2]| {
            (0..2).for_each(|seat| game.put_own(&rules, seat, 0, own[seat]));
            [3, 4].map(|node| [0, 1].map(|seat| game.eval(&rules, node, &mut Env::of(seat))))
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
            assert_eq!(game.winners(&rules), wanted, "{own:?}");
            let places = game.places(&rules);
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
            assert_eq!(game.standing(&rules), wanted, "{own:?}");
            assert_eq!(game.winners(&rules), wanted[..1], "{own:?}");
            assert_eq!(game.score(&rules, 0), own[0].iter().sum::<i64>());
            assert_eq!(game.worth(&rules, 0, rules.usual_style()), own[0].iter().sum::<i64>() * 1000);
        }
    }
}
