//! Ways over a board: a breadth-first search from neighbour to neighbour, in which steps between joined spaces count nothing.

use crate::boards::{Board, MAX_SPACES, SpaceSet, UNREACHABLE};
use crate::graph::ExprId;

/// Where ways can lead: expressions about the space in the variable of a search.
#[derive(Clone, Copy, Debug)]
pub struct Ways {
    /// The board of links by which ways lead; `None` if they lead from neighbour to neighbour.
    pub links: Option<u16>,
    /// What must hold for each space of a way, except for the first, or for each of its links; or the set of the spaces to which a step can lead from
    /// the one in the variable. `None` if ways lead over all.
    pub over: Option<ExprId>,
    /// The number by which neighbours are joined, if it is the same for both and not 0; `None` if none are.
    pub joined: Option<ExprId>,
}

/// What a search has found.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// The spaces that were reached, without the first.
    pub spaces: SpaceSet,
    /// The number of steps to the space that was looked for; `None` if it was not reached.
    pub steps: Option<i64>,
}

impl Found {
    /// Returns the number of steps to the space that was looked for, or the number that stands for no way.
    pub fn distance(&self) -> i64 {
        self.steps.unwrap_or(UNREACHABLE)
    }
}

/// What is known of the spaces that a search has met: each is asked about once, and no other.
struct Ground<'b, F> {
    board: &'b Board,
    ways: Ways,
    /// Evaluates one of the expressions of the ways for a space, given as a piece.
    value: F,
    met: SpaceSet,
    open: SpaceSet,
    /// The numbers of the spaces that ways can lead over, if any are joined.
    numbers: Option<[i64; MAX_SPACES]>,
}

impl<E, F: FnMut(ExprId, i64) -> Result<i64, E>> Ground<'_, F> {
    /// Whether a way can lead over a space.
    fn is_open(&mut self, space: u16) -> Result<bool, E> {
        let at = usize::from(space);
        if !self.met.has(at) {
            self.met.add(at);
            let open = match self.ways.over {
                Some(over) => (self.value)(over, self.board.piece(space))? != 0,
                None => true,
            };
            if open {
                self.open.add(at);
                self.note_number(space)?;
            }
        }
        Ok(self.open.has(at))
    }

    /// Works out the number by which a space is joined to its neighbours.
    fn note_number(&mut self, space: u16) -> Result<(), E> {
        if let (Some(joined), Some(numbers)) = (self.ways.joined, &mut self.numbers) {
            numbers[usize::from(space)] = (self.value)(joined, self.board.piece(space))?;
        }
        Ok(())
    }

    /// Returns the number by which a space that has been met is joined to its neighbours; 0 if it is joined to none.
    fn number(&self, space: u16) -> i64 {
        self.numbers.as_ref().map_or(0, |numbers| numbers[usize::from(space)])
    }
}

impl Board {
    /// Finds the spaces that can be reached from one in at most so many steps. With a `target` the search is over when it is reached.
    /// `near` are the neighbours of each space ([`Board::all_near`]); `value` evaluates an expression of the ways for a space, given as a piece.
    ///
    /// # Errors
    /// What `value` returns.
    pub fn search<E>(
        &self,
        from: u16,
        (most, target): (i64, Option<u16>),
        (ways, near): (Ways, &[Box<[u16]>]),
        value: impl FnMut(ExprId, i64) -> Result<i64, E>,
    ) -> Result<Found, E> {
        let none = SpaceSet::default();
        let numbers = ways.joined.map(|_| [0; MAX_SPACES]);
        let mut ground = Ground { board: self, ways, value, met: none, open: none, numbers };
        let (mut reached, mut edge, mut steps) = (none, none, 0);
        if most < 0 {
            return Ok(Found::default());
        }
        ground.note_number(from)?;
        reached.add(from.into());
        edge.add(from.into());
        loop {
            if ground.numbers.is_some() {
                join_edge(near, &mut ground, &mut reached, &mut edge)?;
            }
            if target.is_some_and(|target| edge.has(target.into())) {
                return Ok(Found { steps: Some(steps), ..Found::default() });
            }
            if steps >= most {
                break;
            }
            let mut next = none;
            while let Some(at) = edge.pop() {
                for &to in &near[usize::from(at)] {
                    if !reached.has(to.into()) && ground.is_open(to)? {
                        reached.add(to.into());
                        next.add(to.into());
                    }
                }
            }
            if next == none {
                break;
            }
            edge = next;
            steps += 1;
        }
        reached.remove(from.into());
        Ok(Found { spaces: reached, steps: None })
    }

    /// Finds the spaces that can be reached from one in at most so many steps, each of which leads from a space to a neighbour if `may_step` says so of
    /// both, given as pieces: see [`Board::search`].
    ///
    /// # Errors
    /// What `may_step` returns.
    pub fn search_steps<E>(
        &self,
        from: u16,
        wanted: (i64, Option<u16>),
        near: &[Box<[u16]>],
        mut may_step: impl FnMut(i64, i64) -> Result<bool, E>,
    ) -> Result<Found, E> {
        breadth_first(from, wanted, |at, spread| {
            for &to in &near[usize::from(at)] {
                if !spread.reached.has(to.into()) && may_step(self.piece(at), self.piece(to))? {
                    spread.add(to);
                }
            }
            Ok(())
        })
    }

    /// Finds the spaces that can be reached from one by at most so many links of this board for which something holds: see [`Board::search`].
    /// `is_open` is asked once about each link that the search meets, given by its index.
    ///
    /// # Errors
    /// What `is_open` returns.
    pub fn search_links<E>(
        &self,
        from: u16,
        wanted: (i64, Option<u16>),
        mut is_open: impl FnMut(u16) -> Result<bool, E>,
    ) -> Result<Found, E> {
        let mut met = SpaceSet::default();
        breadth_first(from, wanted, |at, spread| {
            for &(link, to) in &self.links_at[usize::from(at)] {
                if spread.reached.has(to.into()) || met.has(link.into()) {
                    continue;
                }
                met.add(link.into());
                if is_open(link)? {
                    spread.add(to);
                }
            }
            Ok(())
        })
    }
}

/// The spaces that a search has reached, and those among them from which it goes on.
#[derive(Default)]
struct Spread {
    reached: SpaceSet,
    next: Vec<u16>,
}

impl Spread {
    fn add(&mut self, space: u16) {
        self.reached.add(space.into());
        self.next.push(space);
    }
}

/// Spreads from a space in at most so many rounds, or until a target is reached; `go_on` adds the spaces one step from a space that are not reached yet.
fn breadth_first<E>(
    from: u16,
    (most, target): (i64, Option<u16>),
    mut go_on: impl FnMut(u16, &mut Spread) -> Result<(), E>,
) -> Result<Found, E> {
    let mut spread = Spread::default();
    if most < 0 {
        return Ok(Found::default());
    }
    spread.add(from);
    for steps in 0.. {
        let edge = std::mem::take(&mut spread.next);
        if target.is_some_and(|target| edge.contains(&target)) {
            return Ok(Found { steps: Some(steps), ..Found::default() });
        }
        if edge.is_empty() || steps >= most {
            break;
        }
        edge.into_iter().try_for_each(|at| go_on(at, &mut spread))?;
    }
    spread.reached.remove(from.into());
    Ok(Found { spaces: spread.reached, steps: None })
}

/// Adds the spaces that are joined to those of an edge, which are reached in as many steps.
fn join_edge<E, F: FnMut(ExprId, i64) -> Result<i64, E>>(
    near: &[Box<[u16]>],
    ground: &mut Ground<'_, F>,
    reached: &mut SpaceSet,
    edge: &mut SpaceSet,
) -> Result<(), E> {
    let mut left = *edge;
    while let Some(at) = left.pop() {
        let number = ground.number(at);
        if number == 0 {
            continue;
        }
        for &to in &near[usize::from(at)] {
            if !reached.has(to.into()) && ground.is_open(to)? && ground.number(to) == number {
                reached.add(to.into());
                edge.add(to.into());
                left.add(to.into());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boards::Rows;
    use std::convert::Infallible;

    const OVER: usize = 1;
    const JOINED: usize = 2;

    /// Searches on 3 rows of 4 spaces; returns what was found, and what was asked about, in order.
    fn search(
        (from, most, target): (u16, i64, Option<u16>),
        shut: &[i64],
        numbers: Option<[i64; 12]>,
    ) -> (Vec<u16>, Option<i64>, Vec<i64>) {
        let board = Board::of_grid(Rows { rows: 3, columns: 4, ..Rows::default() });
        let ways = Ways { links: None, over: Some(ExprId::at(OVER)), joined: numbers.map(|_| ExprId::at(JOINED)) };
        let mut asked = Vec::new();
        let found = board.search(from, (most, target), (ways, &board.neighbours), |expr, piece| {
            if expr == ExprId::at(OVER) {
                asked.push(piece);
                return Ok::<i64, Infallible>(i64::from(!shut.contains(&piece)));
            }
            Ok(numbers.map_or(0, |numbers| numbers[usize::try_from(piece).unwrap()]))
        });
        let found = found.unwrap();
        (found.spaces.spaces().collect(), found.steps, asked)
    }

    #[test]
    fn a_search_asks_once_about_the_spaces_that_it_meets_and_no_others() {
        let (spaces, _, asked) = search((0, 2, None), &[1], None);
        assert_eq!((spaces, asked), (vec![4, 5, 8], vec![1, 4, 5, 8]));
        assert_eq!(search((0, 0, None), &[], None), (vec![], None, vec![]));
        assert_eq!(search((0, -1, None), &[], None), (vec![], None, vec![]));
    }

    #[test]
    fn ways_lead_round_what_is_shut_and_end_where_there_is_none() {
        assert_eq!(search((0, 1000, Some(3)), &[], None).1, Some(3));
        assert_eq!(search((0, 1000, Some(3)), &[1, 5], None).1, Some(7));
        assert_eq!(search((0, 1000, Some(3)), &[1, 5, 9], None).1, None);
        assert_eq!(search((0, 1000, Some(3)), &[3], None).1, None, "the last space must be open, too");
        assert_eq!(search((0, 1000, Some(0)), &[0], None).1, Some(0));
    }

    #[test]
    fn steps_that_depend_on_both_spaces_lead_one_way() {
        let board = Board::of_grid(Rows { rows: 3, columns: 4, ..Rows::default() });
        let search = |from: u16, wanted: (i64, Option<u16>)| {
            let up = |a: i64, b: i64| Ok::<bool, Infallible>(b > a);
            board.search_steps(from, wanted, &board.neighbours, up).unwrap()
        };
        assert_eq!(search(5, (1, None)).spaces.spaces().collect::<Vec<_>>(), [6, 9]);
        assert_eq!(search(5, (100, None)).spaces.spaces().collect::<Vec<_>>(), [6, 7, 9, 10, 11]);
        assert_eq!(
            [search(0, (100, Some(11))).steps, search(11, (100, Some(0))).steps, search(5, (0, Some(5))).steps],
            [Some(5), None, Some(0)]
        );
        assert_eq!(search(0, (4, Some(11))).steps, None);
        assert_eq!(search(5, (-1, Some(5))).steps, None);
    }

    #[test]
    fn joined_spaces_are_one_step() {
        let water = [0, 1, 1, 0, 0, 0, 1, 0, 0, 2, 2, 0];
        assert_eq!(search((0, 1, None), &[], Some(water)).0, [1, 2, 4, 6]);
        assert_eq!(search((1, 0, None), &[], Some(water)).0, [2, 6], "no step within what is joined");
        assert_eq!(search((0, 1000, Some(10)), &[], Some(water)).1, Some(2), "another number is a step");
        assert_eq!(search((0, 1, None), &[2], Some(water)).0, [1, 4], "no way over what is shut");
    }
}
