//! Boards: spaces that never move, their neighbours, and the lines and groups that they form.

use crate::cast;
use crate::parts::{CardParts, Cells};
use std::collections::VecDeque;

/// The number of steps between two things that no way joins, larger than any other.
pub const UNREACHABLE: i64 = 1000;

/// The links that end at a space, each with the space at its other end.
pub type LinksAt = Box<[(u16, u16)]>;

/// A board. Its spaces are pieces with consecutive indices, in the order of their slots, which lie in its place from the start to the end.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// The name of the board.
    pub name: String,
    /// The index of its place.
    pub place: u16,
    /// The index of the kind of its spaces.
    pub kind: u16,
    /// The piece that is the first space.
    pub first_piece: u16,
    /// For each space the slot of its place.
    pub slots: Box<[u16]>,
    /// Whether spaces that share a corner are neighbours.
    pub diagonals: bool,
    /// Whether rows and columns go on at the other side, so that each straight line comes back to where it begins.
    pub endless: bool,
    /// For each space its neighbours, ascending, as indices of spaces.
    pub neighbours: Box<[Box<[u16]>]>,
    /// Whether the spaces have names of their own, and lie in no rows.
    pub named: bool,
    /// Of a board with named spaces, the number of steps between each two, row by row.
    pub steps: Box<[u16]>,
    /// The index of the board between whose spaces this one has links; `None` if it has spaces of its own.
    pub between: Option<u16>,
    /// Of links, both ends, as indices of spaces of the other board.
    pub ends: Box<[[u16; 2]]>,
    /// Of links, for each space of the other board those that end there, each with the space at its other end.
    pub links_at: Box<[LinksAt]>,
    /// Of parts of cards, which cards they are parts of; `None` where spaces never move. Then `neighbours` are those of the same card alone, and the
    /// functions that look for neighbours read in the state where the cards lie.
    pub parts: Option<Box<CardParts>>,
    /// The straight lines of the board, each from one edge to the other; none for named spaces.
    pub lines: Box<[Box<[u16]>]>,
    /// Of rows and columns with up to 64 spaces, the directions of straight lines.
    directions: Box<[Direction]>,
    /// What is drawn in pictures of the board, by name and in this order: members, fields, and counters elsewhere that hold its spaces; `None`
    /// for all.
    pub drawn: Option<Box<[String]>>,
}

/// How the spaces of a board lie in rows and columns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rows {
    /// The number of rows.
    pub rows: u16,
    /// The number of columns.
    pub columns: u16,
    /// Whether the spaces are hexagons, on a map in the shape of a large hexagon: two corners are left out.
    pub hexes: bool,
    /// Whether rows and columns go on at the other side; never with hexagons.
    pub endless: bool,
    /// Whether spaces that share a corner are neighbours.
    pub diagonals: bool,
}

/// A direction of straight lines: from a space to the next, whose index is larger.
#[derive(Clone, Copy, Debug)]
struct Direction {
    /// The difference of the indices.
    step: u32,
    /// The spaces behind which there is a next one, as a bit set.
    goes_on: u64,
}

impl Board {
    /// Creates a board of rows and columns, or of hexagons.
    pub fn of_grid(shape: Rows) -> Board {
        let Rows { rows, columns, hexes, endless, diagonals } = shape;
        let (height, width) = (i32::from(rows), i32::from(columns));
        let rings = width / 2;
        let inside = |row: i32, column: i32| {
            let fits = !hexes || (rings..=3 * rings).contains(&(row + column));
            (0..height).contains(&row) && (0..width).contains(&column) && fits
        };
        let all: Vec<(i32, i32)> =
            (0..height).flat_map(|row| (0..width).map(move |column| (row, column))).filter(|at| inside(at.0, at.1)).collect();
        let index = |(row, column): (i32, i32)| {
            let at = if endless { (row.rem_euclid(height), column.rem_euclid(width)) } else { (row, column) };
            all.binary_search(&at).ok().map(cast::fit::<u16>)
        };
        // Along these lines lie the spaces of a straight line; on hexagons the third axis slants up to the right.
        let lines: &[(i32, i32)] = if hexes { &[(0, 1), (1, 0), (1, -1)] } else { &[(0, 1), (1, 0), (1, 1), (1, -1)] };
        let steps = if hexes || diagonals { lines } else { &lines[..2] };
        let near = |&(row, column): &(i32, i32)| {
            let both = steps.iter().flat_map(|&(down, right)| [(row + down, column + right), (row - down, column - right)]);
            let mut near: Vec<u16> = both.filter_map(index).collect();
            near.sort_unstable();
            near.into_boxed_slice()
        };
        let mut found: Vec<Box<[u16]>> = Vec::new();
        for &(down, right) in lines {
            let mut met = SpaceSet::default();
            for &(row, column) in all.iter().filter(|(row, column)| endless || !inside(row - down, column - right)) {
                let mut line = Vec::new();
                for space in (0..).map(|step| (row + step * down, column + step * right)).map_while(index) {
                    // Without an edge a line ends where it comes back to its first space.
                    if met.has(space.into()) {
                        break;
                    }
                    met.add(space.into());
                    line.push(space);
                }
                if !line.is_empty() {
                    found.push(line.into());
                }
            }
        }
        let direction = |&(down, right): &(i32, i32)| {
            let goes_on = all.iter().enumerate().filter(|(_, (row, column))| inside(row + down, column + right));
            let goes_on = goes_on.fold(0, |spaces, (space, _)| spaces | 1 << space);
            Direction { step: cast::fit::<u32>(down * width + right), goes_on }
        };
        let is_small = !hexes && !endless && all.len() <= 64;
        Board {
            diagonals,
            endless,
            directions: lines.iter().filter(|_| is_small).map(direction).collect(),
            slots: all.iter().map(|(row, column)| cast::fit::<u16>(row * width + column)).collect(),
            neighbours: all.iter().map(near).collect(),
            lines: found.into(),
            ..Board::default()
        }
    }

    /// Creates a board of named spaces, from the neighbours of each.
    pub fn of_names(neighbours: Vec<Vec<u16>>) -> Board {
        let count = neighbours.len();
        let far = cast::fit::<u16>(UNREACHABLE);
        let mut steps = vec![far; count * count];
        for from in 0..count {
            let row = &mut steps[from * count..][..count];
            row[from] = 0;
            let mut left = VecDeque::from([from]);
            while let Some(at) = left.pop_front() {
                for &to in &neighbours[at] {
                    if row[usize::from(to)] == far {
                        row[usize::from(to)] = row[at] + 1;
                        left.push_back(to.into());
                    }
                }
            }
        }
        let slots = (0..cast::fit::<u16>(count)).collect();
        let neighbours = neighbours.into_iter().map(Vec::into_boxed_slice).collect();
        Board { slots, neighbours, named: true, steps: steps.into(), ..Board::default() }
    }

    /// Creates a board of links between the spaces of another board, by its index and the number of its spaces.
    pub fn of_links(ends: Vec<[u16; 2]>, between: u16, spaces: usize) -> Board {
        let mut at = vec![Vec::new(); spaces];
        for (link, &[from, to]) in (0_u16..).zip(&ends) {
            at[usize::from(from)].push((link, to));
            at[usize::from(to)].push((link, from));
        }
        let near = |(link, link_ends): (u16, &[u16; 2])| {
            let others = link_ends.iter().flat_map(|&end| &at[usize::from(end)]).map(|&(other, _)| other);
            others.filter(|&other| other != link).collect::<std::collections::BTreeSet<u16>>().into_iter().collect()
        };
        let neighbours = (0_u16..).zip(&ends).map(near).collect();
        let links_at = at.into_iter().map(Vec::into_boxed_slice).collect();
        Board { between: Some(between), ends: ends.into(), links_at, ..Board::of_names(neighbours) }
    }

    /// Creates a board of parts of cards, from the neighbours that each has on its own card. Its parts are said when cards are known.
    pub fn of_parts(neighbours: Vec<Vec<u16>>) -> Board {
        let slots = (0..cast::fit::<u16>(neighbours.len())).collect();
        let neighbours = neighbours.into_iter().map(Vec::into_boxed_slice).collect();
        Board { slots, neighbours, named: true, ..Board::default() }
    }

    /// Returns the number of spaces.
    pub fn count(&self) -> usize {
        self.slots.len()
    }

    /// Returns the index of a space, given as a piece; `None` for other pieces, and for none.
    #[inline]
    pub fn space(&self, piece: i64) -> Option<usize> {
        usize::try_from(piece - i64::from(self.first_piece)).ok().filter(|&space| space < self.count())
    }

    /// Returns the piece that is a space.
    #[inline]
    pub fn piece(&self, space: u16) -> i64 {
        i64::from(self.first_piece + space)
    }

    /// Returns the piece that is the space in a slot; `None` if there is none.
    pub fn piece_in_slot(&self, slot: usize) -> Option<i64> {
        let slot = u16::try_from(slot).ok()?;
        self.slots.binary_search(&slot).ok().map(|space| self.piece(cast::fit::<u16>(space)))
    }

    /// Returns the length of the longest part of a straight line all of whose spaces are in a set.
    pub fn longest_line(&self, set: &SpaceSet) -> i64 {
        if self.directions.is_empty() {
            return self.longest_by_lines(set);
        }
        let all = set.words[0];
        let longest = |direction: &Direction| {
            // The spaces from which on so many are in the set, one behind the other.
            let (mut begin, mut length) = (all, 0);
            while begin != 0 {
                length += 1;
                begin = all & direction.goes_on & begin.checked_shr(direction.step).unwrap_or(0);
            }
            length
        };
        self.directions.iter().map(longest).max().unwrap_or(0)
    }

    fn longest_by_lines(&self, set: &SpaceSet) -> i64 {
        let longest = |line: &[u16]| {
            // A closed line is gone along twice, so that each of its parts is met in one piece.
            let times = if self.endless { 2 } else { 1 };
            let (most, _) = line.iter().cycle().take(times * line.len()).fold((0_i64, 0_i64), |(most, run), &space| {
                let run = if set.has(space.into()) { run + 1 } else { 0 };
                (most.max(run), run)
            });
            most.min(cast::count(line.len()))
        };
        self.lines.iter().map(|line| longest(line)).max().unwrap_or(0)
    }

    /// Returns the spaces of a set that hang together with one of them, which is included; none if it is not in the set.
    pub fn group(&self, from: usize, set: &SpaceSet, cells: Cells<'_>) -> SpaceSet {
        self.fill((from, set), cells, |_, _| true)
    }

    /// Returns the spaces of a set that can be reached from one of them by steps between neighbours that are allowed.
    fn fill(&self, (from, set): (usize, &SpaceSet), cells: Cells<'_>, may_step: impl Fn(usize, usize) -> bool) -> SpaceSet {
        let mut filled = SpaceSet::default();
        let (mut left, mut near) = (Vec::new(), Vec::new());
        if set.has(from) {
            filled.add(from);
            left.push(from);
        }
        while let Some(at) = left.pop() {
            for &to in self.near(at, cells, &mut near) {
                let to = usize::from(to);
                if set.has(to) && !filled.has(to) && may_step(at, to) {
                    filled.add(to);
                    left.push(to);
                }
            }
        }
        filled
    }

    /// Returns the first space of each of the groups into which a set falls. With numbers, one for each space of the board, neighbours are in one group
    /// only if theirs are equal.
    pub fn areas(&self, set: &SpaceSet, numbers: Option<&[i64]>, cells: Cells<'_>) -> SpaceSet {
        let (mut seen, mut first) = (SpaceSet::default(), SpaceSet::default());
        let is_same = |a: usize, b: usize| numbers.is_none_or(|numbers| numbers.get(a) == numbers.get(b));
        for from in set.spaces().map(usize::from).filter(|&from| from < self.count()) {
            if !seen.has(from) {
                first.add(from);
                seen.join(&self.fill((from, set), cells, is_same));
            }
        }
        first
    }

    /// Returns the greatest sum of numbers, one for each link of the board, along a trail over links of a set, none of them twice. Without numbers
    /// each link counts as 1. `None` if there are so many ways to go that the search is given up.
    pub fn longest_trail(&self, set: &SpaceSet, numbers: Option<&[i64]>) -> Option<i64> {
        super::trails::longest_trail(self, set, numbers)
    }

    /// Returns the number of spaces of the largest group in a set.
    pub fn largest_group(&self, set: &SpaceSet, cells: Cells<'_>) -> i64 {
        let (mut seen, mut most) = (SpaceSet::default(), 0);
        for from in 0..self.count() {
            if set.has(from) && !seen.has(from) {
                let group = self.group(from, set, cells);
                most = most.max(group.count());
                seen.join(&group);
            }
        }
        most
    }
}

/// The most spaces of a board.
pub const MAX_SPACES: usize = 960;
/// The number of words of a [`SpaceSet`].
pub const SET_WORDS: usize = MAX_SPACES / 64;

/// A set of spaces of one board, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpaceSet {
    /// The words of the bit set, as registers hold them.
    pub words: [u64; SET_WORDS],
}

impl SpaceSet {
    /// Whether a space is in the set.
    #[inline]
    pub fn has(&self, space: usize) -> bool {
        self.words[space / 64] >> (space % 64) & 1 == 1
    }

    /// Adds a space.
    #[inline]
    pub fn add(&mut self, space: usize) {
        self.words[space / 64] |= 1 << (space % 64);
    }

    /// Removes a space.
    #[inline]
    pub fn remove(&mut self, space: usize) {
        self.words[space / 64] &= !(1 << (space % 64));
    }

    /// Returns the spaces in the set, ascending.
    pub fn spaces(&self) -> impl Iterator<Item = u16> {
        let mut left = *self;
        std::iter::from_fn(move || left.pop())
    }

    /// Removes the first space, and returns it.
    #[inline]
    pub fn pop(&mut self) -> Option<u16> {
        let (index, word) = self.words.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
        let bit = word.trailing_zeros();
        *word &= *word - 1;
        Some(cast::fit::<u16>(index * 64) + cast::fit::<u16>(bit))
    }

    /// Adds all spaces of another set.
    fn join(&mut self, other: &SpaceSet) {
        self.words.iter_mut().zip(other.words).for_each(|(word, more)| *word |= more);
    }

    /// Returns the number of spaces in the set.
    fn count(&self) -> i64 {
        i64::from(self.words.iter().map(|word| word.count_ones()).sum::<u32>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards whose spaces never move read nothing.
    const NO_CELLS: Cells<'static> = &|_| 0;

    fn grid(rows: u16, columns: u16, hexes: bool, diagonals: bool) -> Board {
        Board::of_grid(Rows { rows, columns, hexes, diagonals, endless: false })
    }

    #[test]
    fn without_an_edge_rows_and_columns_go_on_at_the_other_side() {
        let board = Board::of_grid(Rows { rows: 3, columns: 4, endless: true, ..Rows::default() });
        assert_eq!(board.neighbours[0].to_vec(), [1, 3, 4, 8]);
        assert_eq!(board.neighbours[11].to_vec(), [3, 7, 8, 10]);
        let lengths: Vec<usize> = board.lines.iter().map(|line| line.len()).collect();
        assert_eq!(lengths, [4, 4, 4, 3, 3, 3, 3, 12, 12], "slanting lines go through all spaces");
        assert_eq!(board.longest_line(&set(&[3, 0])), 2);
        assert_eq!(board.longest_line(&set(&[0, 1, 2, 3])), 4);
        assert_eq!(board.longest_line(&set(&[8, 3])), 2, "a slanting step over both edges");
        let wide = Board::of_grid(Rows { rows: 3, columns: 4, endless: true, diagonals: true, ..Rows::default() });
        assert_eq!(wide.neighbours[0].to_vec(), [1, 3, 4, 5, 7, 8, 9, 11]);
    }

    fn set(spaces: &[usize]) -> SpaceSet {
        let mut set = SpaceSet::default();
        spaces.iter().for_each(|&space| set.add(space));
        set
    }

    #[test]
    fn spaces_of_rows_are_neighbours_across_edges_and_with_diagonals_across_corners() {
        let near = |diagonals: bool, space: usize| grid(3, 4, false, diagonals).neighbours[space].to_vec();
        assert_eq!(near(false, 5), [1, 4, 6, 9]);
        assert_eq!(near(true, 5), [0, 1, 2, 4, 6, 8, 9, 10]);
        assert_eq!(near(true, 0), [1, 4, 5]);
    }

    #[test]
    fn hexagons_have_six_neighbours_and_no_corners_of_the_grid() {
        let board = grid(5, 5, true, false);
        assert_eq!((board.count(), board.neighbours[9].len()), (19, 6));
        assert!(board.neighbours.iter().all(|near| (3..=6).contains(&near.len())));
        assert_eq!(board.lines.len(), 15, "five in each of three directions");
    }

    #[test]
    fn lines_go_along_rows_columns_and_diagonals() {
        let board = grid(3, 4, false, false);
        assert_eq!(board.longest_line(&set(&[0, 1, 3])), 2);
        assert_eq!(board.longest_line(&set(&[0, 5, 10])), 3);
        assert_eq!(board.longest_line(&set(&[2, 5, 8])), 3);
        assert_eq!((board.longest_line(&set(&[])), board.longest_line(&set(&[7]))), (0, 1));
    }

    #[test]
    fn the_longest_line_is_the_same_by_bits_and_by_lines() {
        for (rows, columns) in [(1, 1), (1, 64), (64, 1), (2, 2), (3, 2), (3, 4), (6, 7), (8, 8)] {
            let board = grid(rows, columns, false, false);
            assert!(!board.directions.is_empty());
            for random in 0..500_u64 {
                let drawn = |space: &usize| crate::state::chance::draw(random, 0, *space as u64) % 5 < random % 6;
                let some = set(&(0..board.count()).filter(drawn).collect::<Vec<_>>());
                assert_eq!(board.longest_line(&some), board.longest_by_lines(&some), "{rows} by {columns}: {some:?}");
            }
        }
        assert!(grid(8, 9, false, false).directions.is_empty() && grid(5, 5, true, false).directions.is_empty());
    }

    #[test]
    fn groups_hang_together_by_neighbours() {
        let board = grid(3, 4, false, false);
        let some = set(&[0, 1, 5, 7, 11]);
        assert_eq!((board.largest_group(&some, NO_CELLS), board.group(7, &some, NO_CELLS)), (3, set(&[7, 11])));
        assert_eq!(board.group(2, &some, NO_CELLS), set(&[]));
    }

    #[test]
    fn areas_begin_with_their_first_spaces_and_end_where_the_number_is_another() {
        let board = grid(3, 4, false, false);
        let some = set(&[0, 1, 5, 7, 11]);
        assert_eq!(board.areas(&some, None, NO_CELLS), set(&[0, 7]));
        let mut numbers = [0; 12];
        numbers[5] = 3;
        assert_eq!(board.areas(&some, Some(&numbers), NO_CELLS), set(&[0, 5, 7]));
    }

    /// Two triangles that share a space, with a tail: 0-1-2-0, 2-3-4-2, 4-5.
    fn triangles() -> Board {
        Board::of_links(vec![[0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 2], [4, 5]], 0, 6)
    }

    #[test]
    fn links_that_share_an_end_are_neighbours() {
        let board = triangles();
        assert_eq!(board.neighbours[1][..], [0, 2, 3, 5]);
        assert_eq!(board.links_at[4][..], [(4, 3), (5, 2), (6, 5)]);
    }

    #[test]
    fn no_trail_goes_over_a_link_twice() {
        let board = triangles();
        assert_eq!(board.longest_trail(&set(&[0, 1, 2, 3, 4, 5, 6]), None), Some(7), "through all, from one end of the tail");
        assert_eq!(board.longest_trail(&set(&[0, 1, 3, 6]), None), Some(3), "and not over what does not hang together");
        assert_eq!(board.longest_trail(&set(&[0, 1, 3, 6]), Some(&[1, 1, 1, 1, 1, 1, 9])), Some(9));
        assert_eq!(board.longest_trail(&set(&[]), None), Some(0));
        // A star with four arms: two of them.
        let star = Board::of_links(vec![[0, 1], [0, 2], [0, 3], [0, 4]], 0, 5);
        assert_eq!(star.longest_trail(&set(&[0, 1, 2, 3]), Some(&[4, 1, 3, 2])), Some(7));
    }

    #[test]
    fn a_trail_is_as_long_as_the_longest_of_all() {
        let chance = |random: u64, of: u64, most: u64| crate::state::chance::draw(random, of, 7) % most;
        for random in 0..200 {
            let ends: Vec<[u16; 2]> = (0..9)
                .map(|link| {
                    let from = chance(random, link, 6);
                    [from as u16, ((from + 1 + chance(random, link + 50, 5)) % 6) as u16]
                })
                .collect();
            let board = Board::of_links(ends, 0, 6);
            let numbers: Vec<i64> = (0..9).map(|link| chance(random, link + 90, 4) as i64).collect();
            let all = set(&(0..9).filter(|link| chance(random, *link as u64 + 200, 4) > 0).collect::<Vec<_>>());
            let longest = (0..6).map(|from| by_hand(&board, &numbers, from, all)).max().unwrap();
            assert_eq!(board.longest_trail(&all, Some(&numbers)), Some(longest), "{random}");
        }
    }

    /// The longest trail from a space, by going through all.
    fn by_hand(board: &Board, numbers: &[i64], from: usize, left: SpaceSet) -> i64 {
        let by = |&(link, to): &(u16, u16)| {
            let mut rest = left;
            rest.remove(link.into());
            numbers[usize::from(link)] + by_hand(board, numbers, to.into(), rest)
        };
        board.links_at[from].iter().filter(|(link, _)| left.has((*link).into())).map(by).max().unwrap_or(0).max(0)
    }

    #[test]
    fn ways_between_names_are_counted() {
        let board = Board::of_names(vec![vec![1], vec![0, 2], vec![1], vec![]]);
        assert_eq!(board.steps[..4], [0, 1, 2, 1000]);
    }
}
