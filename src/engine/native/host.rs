//! The functions that generated code calls: searches over boards. Sets of spaces, and numbers by which spaces are joined, lie in memory.

use houserule_codegen::{GROUP_SHIFT, GROUPS_SHIFT, LINKS, NUMBERS, NUMBERS_AT, OVER, SET_IN_AT, SET_OUT_AT, TURNS};
use houserule_ruleset::boards::{Board, SET_WORDS, SpaceSet, UNREACHABLE};
use houserule_ruleset::graph::ExprId;
use houserule_ruleset::purses::Payment;
use houserule_ruleset::ways::{Found, Ways};
use std::convert::Infallible;

/// Reads the cells of a slot.
fn cells_at(memory: &[u8], slot: i32) -> impl Fn(usize) -> i32 + '_ {
    let cells = usize::try_from(slot).ok().and_then(|slot| memory.get(slot..)).unwrap_or_default();
    move |cell| cells.get(cell * 4..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| i32::from_le_bytes(*bytes))
}

/// At how many places a part ends with no card beside it.
pub fn open_ends(board: &Board, memory: &[u8], part: i32, slot: i32) -> i64 {
    let part = board.parts.as_ref().zip(usize::try_from(part).ok());
    part.map_or(0, |(parts, space)| parts.open_ends(space, &cells_at(memory, slot)))
}

/// Whether a card, counted from 1, fits where a piece lies, which is counted from 1 as well, with by how many sides the card is turned behind it;
/// the least number if the piece lies on no map of the size of the grid.
pub fn fits(board: &Board, memory: &[u8], [card, at]: [i32; 2], slot: i32) -> i64 {
    let turns = TURNS.cast_signed();
    let piece = |counted: i32| usize::try_from(counted - 1).ok();
    let (Some(parts), Some(card), Some(piece)) = (&board.parts, piece(card), piece(at / turns)) else { return 0 };
    let cells = cells_at(memory, slot);
    match parts.slot_of(piece, &cells) {
        Some(there) => parts.fits(card, (0, there), (at % turns).into(), &cells).into(),
        None => i64::MIN,
    }
}

/// Leaves behind the spaces on which nothing lies in a grid, but beside which something does; the grid is given by the cell of its first slot.
pub fn beside(board: &Board, memory: &mut [u8], first_slot: i32, slot: i32) {
    let first_slot = usize::try_from(first_slot).unwrap_or_default();
    let found = board.beside(first_slot, &cells_at(memory, slot));
    write_set(memory, &found);
}

/// Returns a board by its index; `None` if there is none.
pub fn board(boards: &[Board], index: i32) -> Option<&Board> {
    usize::try_from(index).ok().and_then(|index| boards.get(index))
}

/// Leaves behind the spaces that hang together with a space within the given set. The cells of the state lie at a slot: only boards of parts of cards
/// read them.
pub fn group(board: &Board, memory: &mut [u8], from: i32, slot: i32) {
    let all = read_set(board, memory, SET_IN_AT);
    let found = space(board, from, 0).map_or_else(SpaceSet::default, |from| board.group(from.into(), &all, &cells_at(memory, slot)));
    write_set(memory, &found);
}

/// The number of spaces of the longest line within the given set.
pub fn longest_line(board: &Board, memory: &[u8]) -> i64 {
    board.longest_line(&read_set(board, memory, SET_IN_AT))
}

/// The number of spaces of the largest group within the given set.
pub fn largest_group(board: &Board, memory: &[u8], slot: i32) -> i64 {
    board.largest_group(&read_set(board, memory, SET_IN_AT), &cells_at(memory, slot))
}

/// Leaves behind the first space of each area within the given set; `given` as for [`reach`].
pub fn areas(board: &Board, memory: &mut [u8], given: i32, slot: i32) {
    let (all, numbers) = (read_set(board, memory, SET_IN_AT), numbers(board, memory, given));
    let found = board.areas(&all, numbers.as_deref(), &cells_at(memory, slot));
    write_set(memory, &found);
}

/// The length of the longest trail over the given set of links, the least number if it is not found; `given` as for [`reach`].
pub fn longest_trail(board: &Board, memory: &[u8], given: i32) -> i64 {
    board.longest_trail(&read_set(board, memory, SET_IN_AT), numbers(board, memory, given).as_deref()).unwrap_or(i64::MIN)
}

/// How much of a price cannot be paid: memory has what is due of each word, the limit of each group, and up to an address all that pays. The numbers of
/// words and groups lie in one.
pub fn lacking(memory: &[u8], counts: i32, end: i32) -> i64 {
    let (words, groups) = (counts & ((1 << GROUPS_SHIFT) - 1), counts >> GROUPS_SHIFT);
    let end = usize::try_from(end).unwrap_or_default();
    let mut numbers = (NUMBERS_AT as usize..end).step_by(8).map(|at| read_long(memory, at).cast_signed());
    let mut payment = Payment { due: numbers.by_ref().take(usize::try_from(words).unwrap_or_default()).collect(), ..Payment::default() };
    numbers.by_ref().take(usize::try_from(groups).unwrap_or_default()).for_each(|most| _ = payment.add_group(most));
    while let (Some(tagged), Some(amount)) = (numbers.next(), numbers.next()) {
        payment.add_means(usize::try_from(tagged >> GROUP_SHIFT).unwrap_or_default(), tagged & ((1 << GROUP_SHIFT) - 1), amount);
    }
    payment.lacking()
}

/// Reads a number of each space, if they are given.
fn numbers(board: &Board, memory: &[u8], given: i32) -> Option<Vec<i64>> {
    let number = |space: usize| read_long(memory, NUMBERS_AT as usize + space * 8).cast_signed();
    (given & NUMBERS != 0).then(|| (0..board.count()).map(number).collect())
}

/// Leaves behind the spaces that can be reached in so many steps; `given` has a bit for each of what lies in memory: the set of spaces that
/// are open, and the numbers by which spaces are joined. Another bit says that the board is one of links by which ways lead.
pub fn reach(board: &Board, memory: &mut [u8], from: i32, steps: i64, given: i32) {
    let found = search(board, memory, from, (steps, None), given);
    write_set(memory, &found.spaces);
}

/// The number of steps between two spaces; `given` as for [`reach`].
pub fn distance(board: &Board, memory: &[u8], [from, to]: [i32; 2], given: i32) -> i64 {
    match space(board, to, given) {
        Some(to) => search(board, memory, from, (UNREACHABLE, Some(to)), given).distance(),
        None => UNREACHABLE,
    }
}

/// The index of a space, of the other board if this one has the links between its spaces; `None` if there is none.
fn space(board: &Board, index: i32, given: i32) -> Option<u16> {
    let count = if given & LINKS != 0 { board.links_at.len() } else { board.count() };
    u16::try_from(index).ok().filter(|&index| usize::from(index) < count)
}

fn search(board: &Board, memory: &[u8], from: i32, wanted: (i64, Option<u16>), given: i32) -> Found {
    // The search asks by expression: here one stands for each of the two answers that have been worked out already.
    let (over, joined) = (ExprId::at(0), ExprId::at(1));
    let ways = Ways { links: None, over: (given & OVER != 0).then_some(over), joined: (given & NUMBERS != 0).then_some(joined) };
    let Some(from) = space(board, from, given) else { return Found::default() };
    let open = read_set(board, memory, SET_IN_AT);
    if given & LINKS != 0 {
        let found = board.search_links(from, wanted, |link| Ok::<bool, Infallible>(ways.over.is_none() || open.has(link.into())));
        return found.unwrap_or_default();
    }
    let found = board.search(from, wanted, (ways, &board.neighbours), |asked, piece| {
        let space = board.space(piece).unwrap_or_default();
        let number = || read_long(memory, NUMBERS_AT as usize + space * 8).cast_signed();
        Ok::<i64, Infallible>(if asked == over { i64::from(open.has(space)) } else { number() })
    });
    found.unwrap_or_default()
}

fn read_long(memory: &[u8], at: usize) -> u64 {
    memory.get(at..).and_then(|bytes| bytes.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Reads a set of spaces of a board from an address: behind its words others may lie.
pub fn read_set(board: &Board, memory: &[u8], at: u32) -> SpaceSet {
    let mut set = SpaceSet::default();
    for (index, word) in set.words.iter_mut().enumerate().take(board.count().div_ceil(64)) {
        *word = read_long(memory, at as usize + index * 8);
    }
    set
}

fn write_set(memory: &mut [u8], set: &SpaceSet) {
    let to = memory.get_mut(SET_OUT_AT as usize..).unwrap_or_default();
    for (to, word) in to.chunks_exact_mut(8).zip(set.words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
}

/// Sets fit between what lies in memory.
const _: () =
    assert!(SET_IN_AT as usize + SET_WORDS * 8 <= SET_OUT_AT as usize && SET_OUT_AT as usize + SET_WORDS * 8 <= NUMBERS_AT as usize);
