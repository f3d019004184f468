//! Which diagnostics are shown while not everything has been checked again since the last change.
//!
//! * Diagnostics of a first pass stay until the next first pass of the same game or pack.
//! * Diagnostics that only the second pass finds stay until the next second pass, so that nothing flickers during typing.
//! * A diagnostic that one game or pack no longer reports is also withdrawn from those that have not been checked since, so that a
//!   resolved one disappears at once.
//! * Diagnostics move with their lines. Those in a changed line disappear with the next answer.

use crate::cast;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{Diagnostic as Shown, Range, TextEdit};

use super::analysis::{Analysis, AnalysisUnit, OpenTexts};
use super::documents::uri_of;
use super::position::range_of;
use super::report::to_editor_diagnostic;
use crate::diagnostic::Diagnostic;
use crate::fixes::changes_of;

/// Keeps the diagnostics of all games and packs that have been checked.
#[derive(Debug, Default)]
pub(super) struct VisibleDiagnostics {
    by_unit: BTreeMap<AnalysisUnit, ShownPasses>,
    /// Diagnostics that are no longer reported since everything was last checked.
    withdrawn: Vec<ShownDiagnostic>,
    /// Number of the latest job whose result has arrived.
    newest: u64,
}

#[derive(Debug, Default)]
struct ShownPasses {
    first: Vec<ShownDiagnostic>,
    further: Vec<ShownDiagnostic>,
    number: u64,
}

/// A diagnostic that the editor shows.
#[derive(Clone, Debug)]
pub(super) struct ShownDiagnostic {
    /// The file and its text at the time of the check; `None` if the diagnostic has no location.
    place: Option<(PathBuf, Arc<str>)>,
    shown: Shown,
    /// Changes to its file that solve it.
    fixes: Vec<ShownFix>,
}

/// A change that solves a diagnostic, with its title.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownFix {
    /// What is done, in the words of a menu.
    pub title: String,
    /// The change, which lies in the file of the diagnostic.
    pub edit: TextEdit,
}

impl ShownFix {
    /// Lists the fixes of a diagnostic, whose file has this text.
    pub fn of_diagnostic(text: &str, found: &Diagnostic) -> Vec<ShownFix> {
        let changes = changes_of(text, found).into_iter();
        let shown = changes.map(|(fix, change)| {
            let edit = TextEdit { range: range_of(text, change.start, change.end), new_text: change.text };
            ShownFix { title: fix.title.clone(), edit }
        });
        shown.collect()
    }
}

impl ShownDiagnostic {
    fn from_diagnostics<'d>(found: &Analysis, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<ShownDiagnostic> {
        let shown_one = |one: &Diagnostic| {
            let (path, shown) = to_editor_diagnostic(&found.sources, one, Path::new(""));
            let seen = found.files.get(&path.display().to_string());
            let fixes = seen.map_or_else(Vec::new, |seen| ShownFix::of_diagnostic(&seen.text, one));
            ShownDiagnostic { place: seen.map(|seen| (path, Arc::clone(&seen.text))), shown, fixes }
        };
        diagnostics.into_iter().map(shown_one).collect()
    }

    /// Returns the diagnostic at its position in the current texts, at the top of `home` if it has no location; `None` if its line has
    /// changed.
    fn at_current_position(&self, texts: &OpenTexts, home: Option<&Path>) -> Option<(PathBuf, Shown)> {
        let Some((path, then)) = &self.place else { return Some((home?.to_path_buf(), self.shown.clone())) };
        let mut shown = self.shown.clone();
        if let Some(moved) = texts.get(path).filter(|now| *now != then).map(|now| LineMapping::between(then, now)) {
            shown.range = moved.map_range(shown.range)?;
            let uri = uri_of(path);
            for one in shown.related_information.iter_mut().flatten().filter(|one| Some(&one.location.uri) == uri.as_ref()) {
                one.location.range = moved.map_range(one.location.range).unwrap_or(one.location.range);
            }
        }
        Some((path.clone(), shown))
    }

    /// Returns the fixes at their positions in the current texts, without those whose lines have changed.
    fn fixes_at_current_position(&self, texts: &OpenTexts) -> Vec<ShownFix> {
        let Some((path, then)) = &self.place else { return Vec::new() };
        let moved = texts.get(path).filter(|now| *now != then).map(|now| LineMapping::between(then, now));
        let current = |fix: &ShownFix| {
            let range = moved.as_ref().map_or(Some(fix.edit.range), |moved| moved.map_edit(fix.edit.range))?;
            Some(ShownFix { edit: TextEdit { range, ..fix.edit.clone() }, ..fix.clone() })
        };
        self.fixes.iter().filter_map(current).collect()
    }
}

/// Maps the lines that are unchanged from an earlier to a later version of a text.
struct LineMapping {
    /// Number of unchanged lines at the beginning.
    head: u32,
    /// First line of the unchanged end, in the earlier version.
    tail: u32,
    /// Number of lines by which the end has moved down.
    by: i64,
}

impl LineMapping {
    fn between(then: &str, now: &str) -> LineMapping {
        let (then, now): (Vec<&str>, Vec<&str>) = (then.split('\n').collect(), now.split('\n').collect());
        let head = then.iter().zip(&now).take_while(|(then, now)| then == now).count();
        let common = then.len().min(now.len()) - head;
        let same = then.iter().rev().zip(now.iter().rev()).take(common).take_while(|(then, now)| then == now).count();
        LineMapping {
            head: cast::fit::<u32>(head),
            tail: cast::fit::<u32>(then.len() - same),
            by: cast::count(now.len()) - cast::count(then.len()),
        }
    }

    /// Maps what an edit replaces: all of it must lie on one side of the change. Whole lines end where the next one begins.
    fn map_edit(&self, range: Range) -> Option<Range> {
        match range.end.character == 0 && range.end.line == self.head && range.start.line < range.end.line {
            true => Some(range),
            false => self.map_range(range),
        }
    }

    fn map_range(&self, mut range: Range) -> Option<Range> {
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

impl VisibleDiagnostics {
    /// Stores the diagnostics of job `number` and the texts that it checked.
    pub fn store_diagnostics(&mut self, number: u64, found: &Analysis, texts: &OpenTexts) {
        let stands = self.by_unit.entry(found.unit.clone()).or_default();
        let before: Vec<ShownDiagnostic> = stands.first.iter().chain(&stands.further).cloned().collect();
        stands.first = ShownDiagnostic::from_diagnostics(found, &found.first);
        if let Some(further) = &found.further {
            stands.further = ShownDiagnostic::from_diagnostics(found, further);
        }
        stands.number = number;
        self.newest = self.newest.max(number);
        let after: Vec<_> =
            stands.first.iter().chain(&stands.further).filter_map(|shown_one| shown_one.at_current_position(texts, None)).collect();
        self.withdrawn.extend(before);
        self.withdrawn.retain(|shown_one| shown_one.at_current_position(texts, None).is_some_and(|now| !after.contains(&now)));
    }

    /// Records that everything has been checked, so that withdrawn diagnostics can be forgotten.
    pub fn mark_idle(&mut self) {
        self.withdrawn.clear();
    }

    /// Returns the diagnostics of a game or pack at their positions in the current texts; those without a location are placed at the top of
    /// `home`.
    pub fn shown_diagnostics(&self, unit: &AnalysisUnit, texts: &OpenTexts, home: Option<&Path>) -> Vec<(PathBuf, Shown)> {
        self.shown_with_fixes(unit, texts, home).into_iter().map(|(path, shown, _)| (path, shown)).collect()
    }

    /// Returns the same as [`VisibleDiagnostics::shown_diagnostics`], each with its fixes.
    pub fn shown_with_fixes(&self, unit: &AnalysisUnit, texts: &OpenTexts, home: Option<&Path>) -> Vec<(PathBuf, Shown, Vec<ShownFix>)> {
        let Some(stands) = self.by_unit.get(unit) else { return Vec::new() };
        let is_old = stands.number < self.newest;
        let withdrawn: Vec<_> =
            self.withdrawn.iter().filter(|_| is_old).filter_map(|shown_one| shown_one.at_current_position(texts, None)).collect();
        let all = stands.first.iter().chain(&stands.further);
        let all = all.filter_map(|one| Some((one, one.at_current_position(texts, home)?))).filter(|(_, now)| !withdrawn.contains(now));
        all.map(|(one, (path, shown))| (path, shown, one.fixes_at_current_position(texts))).collect()
    }

    /// Returns all games and packs that have been checked.
    pub fn units(&self) -> impl Iterator<Item = &AnalysisUnit> {
        self.by_unit.keys()
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
            assert_eq!(LineMapping::between(then, now).map_range(line(before)), after.map(line), "{then:?} {now:?}");
        }
    }
}
