//! The longest trail over links, none of which comes twice. A search by beginnings finds it where there are few ways to go, or where no more than
//! parity forbids is left out; else it follows from what can be said of the trail at a frontier of spaces that moves over the board.

use super::boards::{Board, SpaceSet};
use crate::cast;
use std::cmp::Reverse;
use std::collections::HashMap;

/// How many beginnings of trails are looked at before the frontier is moved.
const MOST_TRIED: u32 = 2_000;
/// How many different things can be so at the frontier before the search is given up.
const MOST_STATES: usize = 100_000;
/// How many spaces there can be at the frontier: their parts have numbers of seven bits.
const MOST_WIDE: usize = 126;

/// Returns the greatest sum of numbers along a trail over links of a set; without numbers each counts as 1. `None` if there are so many ways to
/// go that the search is given up.
pub(super) fn longest_trail(board: &Board, set: &SpaceSet, numbers: Option<&[i64]>) -> Option<i64> {
    let number = |link: u16| numbers.map_or(1, |numbers| numbers.get(usize::from(link)).copied().unwrap_or(0));
    let mut search = Search { board, numbers: &number, left: *set, most: 0, tried: 0, reached: Vec::new() };
    let mut ends: Vec<u16> = set.spaces().flat_map(|link| board.ends[usize::from(link)]).collect();
    ends.sort_unstable();
    ends.dedup();
    // The longest one begins most often where an odd number of links meets.
    ends.sort_by_key(|&end| count_at(board, end, set).is_multiple_of(2));
    ends.iter().for_each(|&from| search.extend(from, 0));
    match search.tried {
        0..=MOST_TRIED => Some(search.most),
        _ => Frontier::new(board, set, &number, search.most).longest(&ends),
    }
}

/// Returns how many links of a set end at a space.
fn count_at(board: &Board, space: u16, set: &SpaceSet) -> usize {
    board.links_at[usize::from(space)].iter().filter(|(link, _)| set.has((*link).into())).count()
}

/// The search by beginnings.
struct Search<'b> {
    board: &'b Board,
    numbers: &'b dyn Fn(u16) -> i64,
    /// The links over which the trail has not gone yet.
    left: SpaceSet,
    most: i64,
    tried: u32,
    /// Spaces that have been reached, as working memory.
    reached: Vec<u16>,
}

impl Search<'_> {
    /// Goes on from a space with a trail of some length by each link that is left.
    fn extend(&mut self, from: u16, length: i64) {
        self.most = self.most.max(length);
        let bound = length.saturating_add(self.most_from(from));
        let links = &self.board.links_at[usize::from(from)];
        let mut next: Vec<(u16, u16)> = links.iter().copied().filter(|(link, _)| self.left.has((*link).into())).collect();
        // Where many links are left one gets on.
        next.sort_by_key(|&(link, to)| (Reverse(count_at(self.board, to, &self.left)), link));
        for (link, to) in next {
            if bound <= self.most || self.tried > MOST_TRIED {
                return;
            }
            self.tried += 1;
            self.left.remove(link.into());
            self.extend(to, length.saturating_add((self.numbers)(link)));
            self.left.add(link.into());
        }
    }

    /// Returns what no trail from a space over the links that are left exceeds. Such a trail leaves out a link wherever an odd number of them
    /// meets but at its end, and at its beginning if an even number meets there; a link that is left out has two ends.
    fn most_from(&mut self, from: u16) -> i64 {
        let mut seen = SpaceSet::default();
        seen.add(from.into());
        self.reached.clear();
        self.reached.push(from);
        let (mut twice_sum, mut at_odd, mut most_at_odd, mut at_beginning) = (0_i64, 0_i64, 0, (false, 0));
        let mut next = 0;
        while let Some(&at) = self.reached.get(next) {
            let (mut is_odd, mut least) = (false, i64::MAX);
            for &(link, to) in self.board.links_at[usize::from(at)].iter().filter(|(link, _)| self.left.has((*link).into())) {
                let number = (self.numbers)(link).max(0);
                twice_sum = twice_sum.saturating_add(number);
                (is_odd, least) = (!is_odd, least.min(number));
                if !seen.has(to.into()) {
                    seen.add(to.into());
                    self.reached.push(to);
                }
            }
            if next == 0 {
                at_beginning = (is_odd, least);
            } else if is_odd {
                at_odd = at_odd.saturating_add(least);
                most_at_odd = most_at_odd.max(least);
            }
            next += 1;
        }
        if twice_sum == 0 {
            return 0;
        }
        let (odd_beginning, least) = at_beginning;
        let (ends_elsewhere, ends_there) = match odd_beginning {
            true => (at_odd - most_at_odd, at_odd.saturating_add(least)),
            false => ((at_odd - most_at_odd).saturating_add(least), at_odd),
        };
        (twice_sum - ends_elsewhere.min(ends_there)) / 2
    }
}

/// What is so at the frontier: first how many ends of the trail lie behind it; then for each space of it twice the number of the part to which it
/// belongs, 0 for a space that no link has reached, plus 1 if an odd number of links has.
type State = Vec<u8>;

/// The spaces between the links that have been decided on and the others.
struct Frontier<'b> {
    board: &'b Board,
    numbers: &'b dyn Fn(u16) -> i64,
    /// The links that have not been decided on, and the sum of their numbers that are above 0.
    left: SpaceSet,
    sum_left: i64,
    spaces: Vec<u16>,
    /// For each state that can be so, the greatest sum of the links taken.
    states: HashMap<State, i64>,
    /// The longest trail that is known.
    most: i64,
}

impl<'b> Frontier<'b> {
    fn new(board: &'b Board, set: &SpaceSet, numbers: &'b dyn Fn(u16) -> i64, most: i64) -> Frontier<'b> {
        let sum_left = set.spaces().map(|link| numbers(link).max(0)).fold(0, i64::saturating_add);
        Frontier { board, numbers, left: *set, sum_left, spaces: Vec::new(), states: HashMap::from([(vec![0], 0)]), most }
    }

    /// Decides on all links, and returns the longest trail.
    fn longest(mut self, ends: &[u16]) -> Option<i64> {
        while let Some(space) = self.next(ends) {
            for &(link, to) in &self.board.links_at[usize::from(space)] {
                if self.left.has(link.into()) {
                    let [at, to] = [space, to].map(|end| self.join(end));
                    self.decide(link, at, to);
                    if self.states.len() > MOST_STATES || self.spaces.len() > MOST_WIDE {
                        return None;
                    }
                    while let Some(done) = self.spaces.iter().position(|space| count_at(self.board, *space, &self.left) == 0) {
                        self.leave(done + 1);
                    }
                }
            }
        }
        Some(self.most)
    }

    /// Returns the space whose links are decided on next: one that makes the frontier grow least.
    fn next(&self, ends: &[u16]) -> Option<u16> {
        let with_links = ends.iter().copied().filter(|&space| count_at(self.board, space, &self.left) > 0);
        with_links.min_by_key(|space| {
            let links = self.board.links_at[usize::from(*space)].iter().filter(|(link, _)| self.left.has((*link).into()));
            let mut joining: Vec<u16> = links.map(|(_, to)| *to).chain([*space]).filter(|space| !self.spaces.contains(space)).collect();
            joining.sort_unstable();
            joining.dedup();
            (joining.len(), !self.spaces.contains(space), *space)
        })
    }

    /// Adds a space to the frontier unless it is there; returns where it stands in states.
    fn join(&mut self, space: u16) -> usize {
        if let Some(at) = self.spaces.iter().position(|known| *known == space) {
            return at + 1;
        }
        self.spaces.push(space);
        let grown = |(mut state, sum): (State, i64)| {
            state.push(0);
            (state, sum)
        };
        self.states = std::mem::take(&mut self.states).into_iter().map(grown).collect();
        self.spaces.len()
    }

    /// Takes a link between two spaces of the frontier or leaves it out.
    fn decide(&mut self, link: u16, at: usize, to: usize) {
        let number = (self.numbers)(link);
        self.left.remove(link.into());
        self.sum_left -= number.max(0);
        let before: Vec<(State, i64)> = self.states.iter().map(|(state, sum)| (state.clone(), *sum)).collect();
        for (mut state, sum) in before {
            let part = match (state[at] >> 1, state[to] >> 1) {
                (0, 0) => state[1..].iter().map(|space| space >> 1).max().unwrap_or(0) + 1,
                (0, part) | (part, 0) => part,
                (part, other) => {
                    let of_other = state[1..].iter_mut().filter(|space| **space >> 1 == other);
                    of_other.for_each(|space| *space = part << 1 | *space & 1);
                    part
                }
            };
            for end in [at, to] {
                state[end] = part << 1 | (state[end] & 1 ^ 1);
            }
            number_parts(&mut state);
            keep_greatest(&mut self.states, state, sum.saturating_add(number));
        }
        let (most, left) = (self.most, self.sum_left);
        self.states.retain(|_, sum| sum.saturating_add(left) > most);
    }

    /// Takes a space out of the frontier, all of whose links have been decided on.
    fn leave(&mut self, at: usize) {
        self.spaces.remove(at - 1);
        let mut after = HashMap::new();
        for (mut state, sum) in std::mem::take(&mut self.states) {
            let gone = state.remove(at);
            state[0] += gone & 1;
            let part = gone >> 1;
            if state[0] > 2 {
                continue;
            }
            if part > 0 && state[1..].iter().all(|space| space >> 1 != part) {
                // The part is whole, and a trail if there is no other.
                if state[1..].iter().all(|space| *space == 0) {
                    self.most = self.most.max(sum);
                }
                continue;
            }
            number_parts(&mut state);
            keep_greatest(&mut after, state, sum);
        }
        self.states = after;
    }
}

fn keep_greatest(states: &mut HashMap<State, i64>, state: State, sum: i64) {
    let known = states.entry(state).or_insert(sum);
    *known = sum.max(*known);
}

/// Numbers the parts of a state in the order of their first spaces.
fn number_parts(state: &mut [u8]) {
    let mut order: Vec<u8> = Vec::new();
    for space in &mut state[1..] {
        let part = *space >> 1;
        if part > 0 {
            let known = order.iter().position(|other| *other == part).unwrap_or_else(|| {
                order.push(part);
                order.len() - 1
            });
            *space = cast::fit::<u8>(known + 1) << 1 | *space & 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::chance::draw;

    fn all(links: usize) -> SpaceSet {
        let mut set = SpaceSet::default();
        (0..links).for_each(|link| set.add(link));
        set
    }

    /// The links of a square of spaces, each with the next to the right and below, in an order by chance.
    fn links_of_square(side: u16) -> Vec<[u16; 2]> {
        let all = (0..side * side).flat_map(|at| {
            let right = (at % side + 1 < side).then_some([at, at + 1]);
            right.into_iter().chain((at / side + 1 < side).then_some([at, at + side]))
        });
        let mut all: Vec<[u16; 2]> = all.collect();
        all.sort_by_key(|[from, to]| draw(5, u64::from(*from), u64::from(*to)));
        all
    }

    fn trail(ends: Vec<[u16; 2]>, numbers: Option<&[i64]>) -> Option<i64> {
        let set = all(ends.len());
        Board::of_links(ends, 0, 40).longest_trail(&set, numbers)
    }

    #[test]
    fn the_longest_of_very_many_trails_is_found() {
        let every_two = |count: u16| (0..count).flat_map(|from| (from + 1..count).map(move |to| [from, to])).collect::<Vec<_>>();
        // Where an odd number of links meets, one is left out, but for the two ends.
        assert_eq!(trail(every_two(11), None), Some(55));
        assert_eq!(trail(every_two(12), None), Some(61));
        // A star, of whose arms a trail has two, though there are more pairs of them than are looked at.
        let arms: Vec<i64> = (0..39).map(|arm| 10 * arm % 39).collect();
        assert_eq!(trail((1..40).map(|arm| [0, arm]).collect(), Some(&arms)), Some(38 + 37));
        assert_eq!(trail(links_of_square(5), None), Some(34));
        assert_eq!(trail(links_of_square(6), None), Some(53));
    }

    #[test]
    fn both_searches_find_the_same() {
        for random in 0..60 {
            let chance = |of: u64, most: u64| draw(random, of, 3) % most;
            let ends: Vec<[u16; 2]> = (0..10)
                .map(|link| {
                    let from = u16::try_from(chance(link, 6)).unwrap();
                    [from, (from + 1 + u16::try_from(chance(link + 50, 5)).unwrap()) % 6]
                })
                .collect();
            let numbers: Vec<i64> = (0..10).map(|link| i64::try_from(chance(link + 90, 7)).unwrap() - 1).collect();
            let number = |link: u16| numbers[usize::from(link)];
            let (set, board) = (all(10), Board::of_links(ends, 0, 6));
            let mut search = Search { board: &board, numbers: &number, left: set, most: 0, tried: 0, reached: Vec::new() };
            (0..6).for_each(|from| search.extend(from, 0));
            assert!(search.tried <= MOST_TRIED);
            let spaces: Vec<u16> = (0..6).collect();
            assert_eq!(Frontier::new(&board, &set, &number, 0).longest(&spaces), Some(search.most), "{random}");
        }
    }

    #[test]
    fn a_search_without_end_is_given_up() {
        let ends = (0..200).map(|link| [u16::try_from(draw(1, link, 0) % 20).unwrap(), u16::try_from(20 + draw(2, link, 0) % 20).unwrap()]);
        let numbers: Vec<i64> = (0..200).map(|link| i64::try_from(draw(3, link, 0) % 1000).unwrap()).collect();
        assert_eq!(trail(ends.collect(), Some(&numbers)), None);
    }
}
