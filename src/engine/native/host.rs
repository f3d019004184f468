//! The functions that generated code calls: searches over boards. Sets of spaces, and numbers by which spaces are joined, lie in memory.

use houserule_codegen::{NUMBERS_AT, SET_IN_AT, SET_OUT_AT};
use houserule_ruleset::boards::{Board, SET_WORDS, SpaceSet, UNREACHABLE};
use houserule_ruleset::graph::ExprId;
use houserule_ruleset::ways::{Found, Ways};
use std::convert::Infallible;
use std::sync::Arc;
use wasmtime::{Caller, Engine, Linker, Memory};

/// What the functions need besides their arguments.
pub struct Host {
    pub boards: Arc<[Board]>,
    pub memory: Option<Memory>,
}

/// Makes the functions known to modules.
///
/// # Errors
/// Two functions of one name.
pub fn linker(engine: &Engine) -> Result<Linker<Host>, wasmtime::Error> {
    let mut linker = Linker::new(engine);
    linker.func_wrap("board", "group", |mut caller: Caller<'_, Host>, board: i32, from: i32| {
        on_board(&mut caller, board, |board, memory| {
            let all = read_set(board, memory, SET_IN_AT);
            let found = space(board, from).map_or_else(SpaceSet::default, |from| board.group(from.into(), &all));
            write_set(memory, &found);
        });
    })?;
    linker.func_wrap("board", "longest_line", |mut caller: Caller<'_, Host>, board: i32| {
        on_board(&mut caller, board, |board, memory| board.longest_line(&read_set(board, memory, SET_IN_AT)))
    })?;
    linker.func_wrap("board", "largest_group", |mut caller: Caller<'_, Host>, board: i32| {
        on_board(&mut caller, board, |board, memory| board.largest_group(&read_set(board, memory, SET_IN_AT)))
    })?;
    linker.func_wrap("board", "reach", |mut caller: Caller<'_, Host>, board: i32, from: i32, steps: i64, given: i32| {
        on_board(&mut caller, board, |board, memory| {
            let found = search(board, memory, from, (steps, None), given);
            write_set(memory, &found.spaces);
        });
    })?;
    linker.func_wrap("board", "distance", |mut caller: Caller<'_, Host>, board: i32, from: i32, to: i32, given: i32| {
        on_board(&mut caller, board, |board, memory| match space(board, to) {
            Some(to) => search(board, memory, from, (UNREACHABLE, Some(to)), given).distance(),
            None => UNREACHABLE,
        })
    })?;
    Ok(linker)
}

fn on_board<T: Default>(caller: &mut Caller<'_, Host>, board: i32, then: impl FnOnce(&Board, &mut [u8]) -> T) -> T {
    let Some(memory) = caller.data().memory else { return T::default() };
    let (memory, host) = memory.data_and_store_mut(caller);
    usize::try_from(board).ok().and_then(|board| host.boards.get(board)).map_or_else(T::default, |board| then(board, memory))
}

/// The index of a space; `None` if there is none.
fn space(board: &Board, index: i32) -> Option<u16> {
    u16::try_from(index).ok().filter(|&index| usize::from(index) < board.count())
}

fn search(board: &Board, memory: &[u8], from: i32, wanted: (i64, Option<u16>), given: i32) -> Found {
    // The search asks by expression: here one stands for each of the two answers that have been worked out already.
    let (over, joined) = (ExprId::at(0), ExprId::at(1));
    let ways = Ways { over: (given & 0b01 != 0).then_some(over), joined: (given & 0b10 != 0).then_some(joined) };
    let Some(from) = space(board, from) else { return Found::default() };
    let open = read_set(board, memory, SET_IN_AT);
    let found = board.search(from, wanted, ways, |asked, piece| {
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
