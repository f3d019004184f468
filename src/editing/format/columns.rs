//! Settles in which column each word stands. A word that was written apart from the one ahead of it, and in the same column as its like on a
//! line nearby, stays in one column with it: as far to the left as the longest of these lines allows. All other words stand one blank apart.

use std::collections::{BTreeMap, BTreeSet};

use super::INDENT;
use super::lines::{Line, Piece, Start, column_behind};

/// How many lines apart words can be that stay in one column.
const NEAR: usize = 4;
/// How often columns are gone through at most; each time those move that depend on those that have moved.
const MAX_ROUNDS: usize = 64;

/// A word, by the number of its line and its number on the line.
type Place = (usize, usize);

/// What the beginning of a line that goes on goes by: a word of its own that stands below a word of a line above.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    own: usize,
    above: Place,
}

/// Settles the columns of all words, and those of comments that stand alone.
pub(super) fn arrange(lines: &mut [Line]) {
    let mut groups = Groups::of(lines);
    let anchors: Vec<Option<Anchor>> = (0..lines.len()).map(|at| anchor(lines, at)).collect();
    for _ in 0..MAX_ROUNDS {
        let mut moved = false;
        for at in 0..lines.len() {
            let start = start_of(lines, at, anchors.get(at).copied().flatten());
            let Some(line) = lines.get_mut(at) else { continue };
            moved |= line.column != start;
            line.column = start;
            let mut next = start;
            for (number, piece) in line.pieces.iter_mut().enumerate() {
                let least = if number == 0 { start } else { next + usize::from(!piece.is_tight) };
                let column = groups.column((at, number), piece, least);
                moved |= piece.column != column;
                piece.column = column;
                next = column_behind(column, &piece.text);
            }
        }
        if !moved {
            break;
        }
    }
}

fn start_of(lines: &[Line], at: usize, anchor: Option<Anchor>) -> usize {
    let column = |line: usize| lines.get(line).map_or(0, |line| line.column);
    let start = lines.get(at).map_or(Start::Edge, |line| line.start);
    match start {
        Start::Edge => 0,
        Start::Inside(line) => column(line) + INDENT,
        Start::Like(line) => column(line),
        Start::GoesOn(line) => {
            let wanted = anchor.and_then(|anchor| {
                let (line, number) = anchor.above;
                let above = lines.get(line)?.pieces.get(number)?.column;
                above.checked_sub(plain_offset(lines.get(at)?, anchor.own))
            });
            wanted.filter(|wanted| *wanted > column(line)).unwrap_or(column(line) + INDENT)
        }
    }
}

/// Returns how far behind the beginning of its line a word stands if there is one blank between words.
fn plain_offset(line: &Line, number: usize) -> usize {
    let before = line.pieces.get(..number).unwrap_or(&[]).iter().map(|piece| piece.text.chars().count()).sum::<usize>();
    let blanks = line.pieces.get(1..=number).unwrap_or(&[]).iter().filter(|piece| !piece.is_tight).count();
    before + blanks
}

/// Finds what a line that goes on was written below: with its first word, or with a later one below the same word.
fn anchor(lines: &[Line], at: usize) -> Option<Anchor> {
    let line = lines.get(at)?;
    let Start::GoesOn(item) = line.start else { return None };
    let above = |own: usize, is_meant: &dyn Fn(&str) -> bool| {
        let written = line.pieces.get(own)?.written;
        (item..at).rev().find_map(|above| {
            let pieces = lines.get(above)?.pieces.iter().enumerate();
            let stands =
                pieces.filter(|(number, piece)| (above, *number) != (item, 0) && piece.written == written && is_meant(&piece.text));
            stands.map(|(number, _)| Anchor { own, above: (above, number) }).next()
        })
    };
    let with_first = above(0, &|_| true);
    with_first.or_else(|| {
        let together = line.pieces.iter().enumerate().skip(1).take_while(|(_, piece)| !piece.is_apart);
        together.map(|(own, piece)| above(own, &|text| text == piece.text)).find(Option::is_some).flatten()
    })
}

/// Words that stay in one column.
#[derive(Default)]
struct Groups {
    /// For each word of a group another one, or itself if it stands for the group.
    others: BTreeMap<Place, Place>,
    /// What stands for groups of numbers that end in one column.
    ending: BTreeSet<Place>,
    /// For what stands for a group the column in which its words begin, or behind which its numbers end.
    columns: BTreeMap<Place, usize>,
}

impl Groups {
    fn of(lines: &[Line]) -> Groups {
        let mut groups = Groups::default();
        groups.unite_all(lines, begin_together);
        // Numbers that end together may begin in several columns; other words begin in one.
        let is_number = |(at, number): Place| lines.get(at).and_then(|line| line.pieces.get(number)).is_some_and(is_number);
        let others: BTreeSet<Place> = groups.others.keys().filter(|place| !is_number(**place)).copied().collect();
        let mixed: BTreeSet<Place> = others.into_iter().filter_map(|place| groups.representative(place)).collect();
        let ending = groups.unite_all(lines, end_together);
        let mixed: BTreeSet<Place> = mixed.into_iter().filter_map(|place| groups.representative(place)).collect();
        let ending: BTreeSet<Place> = ending.into_iter().filter_map(|place| groups.representative(place)).collect();
        groups.ending = ending.difference(&mixed).copied().collect();
        groups
    }

    /// Puts words of lines that are near each other into one group, and returns one word of each two.
    fn unite_all(&mut self, lines: &[Line], find_mate: impl Fn(&Line, usize, &Line) -> Option<usize>) -> Vec<Place> {
        let mut found = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let section = lines.get(..at).unwrap_or(&[]).iter().enumerate().rev().take(NEAR).take_while(|(_, above)| !above.is_empty());
            for (above_at, above) in section.filter(|(_, above)| above.block == line.block) {
                for number in 1..line.pieces.len() {
                    if let Some(other) = find_mate(line, number, above) {
                        self.unite((at, number), (above_at, other));
                        found.push((at, number));
                    }
                }
            }
        }
        found
    }

    fn unite(&mut self, one: Place, other: Place) {
        let [one, other] = [one, other].map(|place| self.representative(place).unwrap_or(place));
        self.others.insert(one, other);
        self.others.insert(other, other);
    }

    fn representative(&self, mut place: Place) -> Option<Place> {
        loop {
            let next = *self.others.get(&place)?;
            if next == place {
                return Some(place);
            }
            place = next;
        }
    }

    /// Returns the column of a word that can stand in `least` and further to the right.
    fn column(&mut self, place: Place, piece: &Piece, least: usize) -> usize {
        let Some(group) = self.representative(place) else { return least };
        let length = if self.ending.contains(&group) { piece.text.chars().count() } else { 0 };
        let edge = self.columns.entry(group).or_insert(0);
        *edge = (*edge).max(least + length);
        *edge - length
    }
}

/// Finds the word of a line above that is like a word, and was written so that both begin in one column.
fn begin_together(line: &Line, number: usize, above: &Line) -> Option<usize> {
    let one = line.pieces.get(number)?;
    let other = above.pieces.binary_search_by_key(&one.written, |piece| piece.written).ok().filter(|other| *other > 0)?;
    let candidate = above.pieces.get(other)?;
    let ahead = |line: &Line, number: usize| line.pieces.get(number - 1).map(|piece| piece.text.clone());
    let follow_alike = ahead(line, number) == ahead(above, other);
    let are_alike = match [one, candidate].map(WordSort::of) {
        [WordSort::Quoted, WordSort::Quoted] => true,
        [WordSort::Number, WordSort::Number] => number == other || follow_alike,
        [WordSort::Sign, _] | [_, WordSort::Sign] => one.text == candidate.text,
        [WordSort::Number | WordSort::Quoted | WordSort::Name, _] => follow_alike || one.text == candidate.text,
    };
    (are_apart(one, candidate) && are_alike).then_some(other)
}

/// Finds the number in the same place of a line above that was written so that both end in one column.
fn end_together(line: &Line, number: usize, above: &Line) -> Option<usize> {
    let (one, candidate) = (line.pieces.get(number)?, above.pieces.get(number)?);
    let end = |piece: &Piece| piece.written + piece.text.chars().count();
    let end_so = is_number(one) && is_number(candidate) && one.written != candidate.written && end(one) == end(candidate);
    (are_apart(one, candidate) && end_so).then_some(number)
}

/// Whether more than one blank stands ahead of one of two words, and of both at least one.
fn are_apart(one: &Piece, other: &Piece) -> bool {
    !one.is_tight && !other.is_tight && (one.is_apart || other.is_apart)
}

fn is_number(piece: &Piece) -> bool {
    WordSort::of(piece) == WordSort::Number
}

/// What a word is by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordSort {
    Number,
    Quoted,
    Name,
    Sign,
}

impl WordSort {
    fn of(piece: &Piece) -> WordSort {
        match piece.text.chars().next() {
            Some(first) if first.is_ascii_digit() => WordSort::Number,
            Some('"' | '\'') => WordSort::Quoted,
            Some(first) if first.is_alphabetic() || first == '_' => WordSort::Name,
            Some(_) | None => WordSort::Sign,
        }
    }
}
