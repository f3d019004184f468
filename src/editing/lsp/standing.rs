//! What is shown of what was found, while not everything has been looked at again since the last change.
//!
//! * What the first pass of a game or pack finds stands until its next first pass.
//! * What only the second pass finds stands until the next second pass, so that nothing flickers while somebody types.
//! * What a game or pack no longer finds is withdrawn from all that have not been looked at since: a fault that is mended goes at once.
//! * Everything moves with the lines in which it stands. What stands in a line that has changed goes with the next answer.

use crate::cast;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{Diagnostic as Shown, Range};

use super::analysis::{Analysis, Texts, Whole};
use super::documents::uri_of;
use super::report::shown;
use crate::diagnostic::Diagnostic;

/// What was found of everything that has been looked at.
#[derive(Debug, Default)]
pub(super) struct Standing {
    of: BTreeMap<Whole, Stands>,
    /// What has been found no more since everything was looked at.
    withdrawn: Vec<Told>,
    /// The number of the last job of which something is known.
    newest: u64,
}

#[derive(Debug, Default)]
struct Stands {
    first: Vec<Told>,
    further: Vec<Told>,
    number: u64,
}

/// Something that was found.
#[derive(Clone, Debug)]
pub(super) struct Told {
    /// The file and its text; nothing if it is about no place in a file.
    place: Option<(PathBuf, Arc<str>)>,
    shown: Shown,
}

impl Told {
    fn all<'d>(found: &Analysis, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<Told> {
        let told = |one: &Diagnostic| {
            let (path, shown) = shown(&found.sources, one, Path::new(""));
            let seen = found.known.get(&path.display().to_string());
            Told { place: seen.map(|seen| (path, Arc::clone(&seen.text))), shown }
        };
        diagnostics.into_iter().map(told).collect()
    }

    /// How it is shown in the texts as they are now, at the head of `home` if it has no place; nothing if its line has changed.
    fn now(&self, texts: &Texts, home: Option<&Path>) -> Option<(PathBuf, Shown)> {
        let Some((path, then)) = &self.place else { return Some((home?.to_path_buf(), self.shown.clone())) };
        let mut shown = self.shown.clone();
        if let Some(moved) = texts.get(path).filter(|now| *now != then).map(|now| Moved::between(then, now)) {
            shown.range = moved.range(shown.range)?;
            let uri = uri_of(path);
            for one in shown.related_information.iter_mut().flatten().filter(|one| Some(&one.location.uri) == uri.as_ref()) {
                one.location.range = moved.range(one.location.range).unwrap_or(one.location.range);
            }
        }
        Some((path.clone(), shown))
    }
}

/// Which lines of a text are those of an earlier one.
struct Moved {
    /// So many lines at its head are the same.
    head: u32,
    /// The first line from which on everything is the same.
    tail: u32,
    /// How many lines further down that stands now.
    by: i64,
}

impl Moved {
    fn between(then: &str, now: &str) -> Moved {
        let (then, now): (Vec<&str>, Vec<&str>) = (then.split('\n').collect(), now.split('\n').collect());
        let head = then.iter().zip(&now).take_while(|(then, now)| then == now).count();
        let most = then.len().min(now.len()) - head;
        let same = then.iter().rev().zip(now.iter().rev()).take(most).take_while(|(then, now)| then == now).count();
        Moved {
            head: cast::fit::<u32>(head),
            tail: cast::fit::<u32>(then.len() - same),
            by: cast::count(now.len()) - cast::count(then.len()),
        }
    }

    fn range(&self, mut range: Range) -> Option<Range> {
        if range.end.line < self.head {
            return Some(range);
        }
        if range.start.line < self.tail {
            return None;
        }
        range.start.line = u32::try_from(i64::from(range.start.line) + self.by).ok()?;
        range.end.line = u32::try_from(i64::from(range.end.line) + self.by).ok()?;
        Some(range)
    }
}

impl Standing {
    /// Takes in what was found with the texts of the job of this number.
    pub fn take(&mut self, number: u64, found: &Analysis, texts: &Texts) {
        let stands = self.of.entry(found.whole.clone()).or_default();
        let before: Vec<Told> = stands.first.iter().chain(&stands.further).cloned().collect();
        stands.first = Told::all(found, &found.first);
        if let Some(further) = &found.further {
            stands.further = Told::all(found, further);
        }
        stands.number = number;
        self.newest = self.newest.max(number);
        let after: Vec<_> = stands.first.iter().chain(&stands.further).filter_map(|told| told.now(texts, None)).collect();
        self.withdrawn.extend(before);
        self.withdrawn.retain(|told| told.now(texts, None).is_some_and(|now| !after.contains(&now)));
    }

    /// Everything has been looked at.
    pub fn rest(&mut self) {
        self.withdrawn.clear();
    }

    /// What stands of a game or pack in the texts as they are now; what has no place stands at the head of `home`.
    pub fn of(&self, whole: &Whole, texts: &Texts, home: Option<&Path>) -> Vec<(PathBuf, Shown)> {
        let Some(stands) = self.of.get(whole) else { return Vec::new() };
        let is_old = stands.number < self.newest;
        let withdrawn: Vec<_> = self.withdrawn.iter().filter(|_| is_old).filter_map(|told| told.now(texts, None)).collect();
        let all = stands.first.iter().chain(&stands.further).filter_map(|told| told.now(texts, home));
        all.filter(|one| !withdrawn.contains(one)).collect()
    }

    /// Everything of which something is known.
    pub fn wholes(&self) -> impl Iterator<Item = &Whole> {
        self.of.keys()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::Position;

    #[test]
    fn what_stands_in_lines_that_have_not_changed_moves_with_them() {
        let line = |line: u32| Range { start: Position { line, character: 1 }, end: Position { line, character: 3 } };
        for (then, now, before, after) in [
            ("wisp\nwolf\nwall", "wisp\nwolf\nwall", 1, Some(1)),
            ("wisp\nwolf\nwall", "wisp\nmoss\nmoss\nwolf\nwall", 1, Some(3)),
            ("wisp\nwolf\nwall", "wisp\nwolfs\nwall", 1, None),
            ("wisp\nwolf\nwall", "wisp\nwall", 2, Some(1)),
            ("wisp\nwolf\nwall", "wisp\nwall", 1, None),
            ("wolf\nwolf", "wolf\nwolf\nwolf", 1, Some(1)),
            ("", "wolf", 0, None),
        ] {
            assert_eq!(Moved::between(then, now).range(line(before)), after.map(line), "{then:?} {now:?}");
        }
    }
}
