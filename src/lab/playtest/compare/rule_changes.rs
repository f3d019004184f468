//! What a comparison changes, as text before and after.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::Serialize;
use similar::{DiffTag, TextDiff};

use crate::lang::GameText;
use crate::pack::RawCard;
use crate::source::{Sources, Span};
use crate::syntax::ast::Written;

/// Something that differs between the rules of both sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleChange {
    /// Its address in the rules, the id of a card, or the name of an option.
    pub address: String,
    /// The text without the change; `None` if there is nothing.
    pub before: Option<String>,
    /// The text with the change; `None` if there is nothing left.
    pub after: Option<String>,
}

/// Returns what the rules and cards of the changed side have that those of the plain side have not, as text.
pub fn rule_changes(sources: &Sources, plain: &GameText, changed: &GameText) -> Vec<RuleChange> {
    let text = |span: Span| unindented(sources, span);
    let change = |written: &Written| RuleChange {
        address: written.address.trim_end_matches(".*").to_string(),
        before: written.old.map(text),
        after: Some(text(written.new_place())),
    };
    // What both sides have been given is written on both.
    let mut of_both: Vec<RuleChange> = plain.tree.written.iter().map(change).collect();
    let mut found: Vec<RuleChange> = Vec::new();
    for change in changed.tree.written.iter().map(change) {
        match of_both.iter().position(|other| *other == change) {
            Some(at) => _ = of_both.remove(at),
            None => found.push(change),
        }
    }
    // What only the plain side has been given is not there with the change.
    found.extend(of_both.into_iter().map(|change| RuleChange { before: change.after, after: change.before, ..change }));
    found.extend(file_changes(sources, plain, changed));
    found.extend(card_changes(sources, plain, changed));
    found
}

/// Returns what differs between the rules files of two versions of a game, line by line.
fn file_changes(sources: &Sources, plain: &GameText, changed: &GameText) -> Vec<RuleChange> {
    // Both versions have the same names below the folders in which they lie.
    let by_path = |text: &GameText| -> BTreeMap<String, String> {
        let named = text.content.rules.iter().map(|file| {
            let name = sources.name(*file);
            let path = name.rfind("rules/").and_then(|at| name.get(at..)).unwrap_or(name);
            (path.to_string(), sources.text(*file).to_string())
        });
        named.collect()
    };
    let (before, after) = (by_path(plain), by_path(changed));
    let mut paths: Vec<&String> = before.keys().chain(after.keys()).collect();
    paths.sort_unstable();
    paths.dedup();
    let changes = paths.into_iter().flat_map(|path| {
        let [old, new] = [&before, &after].map(|files| files.get(path).map_or("", String::as_str));
        line_changes(path, old, new)
    });
    changes.collect()
}

/// Returns the lines that differ between two texts of a file, those that stand together as one change.
fn line_changes(path: &str, old: &str, new: &str) -> Vec<RuleChange> {
    let difference = TextDiff::from_lines(old, new);
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let lines = |lines: &[&str], range: Range<usize>| {
        let part = lines.get(range).filter(|part| !part.is_empty())?;
        Some(part.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n"))
    };
    let differ = difference.ops().iter().filter(|part| part.tag() != DiffTag::Equal);
    differ
        .map(|part| RuleChange {
            address: format!("{path}:{}", part.new_range().start + 1),
            before: lines(&old, part.old_range()),
            after: lines(&new, part.new_range()),
        })
        .collect()
}

/// Returns the text at a place, without the indentation that all its lines but the first have.
fn unindented(sources: &Sources, span: Span) -> String {
    let text = sources.slice(span).trim();
    let indent = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(|line| line.len() - line.trim_start().len()).min();
    let cut = |line: &str| line.get(indent.unwrap_or(0)..).unwrap_or("").trim_end().to_string();
    let lines = text.lines().take(1).map(|line| line.trim_end().to_string()).chain(text.lines().skip(1).map(cut));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the cards that are new, gone or different.
fn card_changes(sources: &Sources, plain: &GameText, changed: &GameText) -> Vec<RuleChange> {
    let by_id = |text: &'_ GameText| -> BTreeMap<String, CardLines> {
        text.content.cards.iter().map(|card| (card.id.text.clone(), card_lines(sources, card))).collect()
    };
    let (before, after) = (by_id(plain), by_id(changed));
    let mut ids: Vec<&String> = before.keys().chain(after.keys()).collect();
    ids.sort_unstable();
    ids.dedup();
    let differs = |id: &&String| before.get(*id) != after.get(*id);
    let change = |id: &String| {
        let (old, new) = (before.get(id), after.get(id));
        let lines = |own: Option<&CardLines>, other: Option<&CardLines>| {
            let own = own?;
            // Of a card that both have, only what differs.
            let is_told = |(key, line): &(&String, &String)| other.is_none_or(|other| other.get(*key) != Some(*line));
            Some(own.iter().filter(is_told).map(|(key, line)| format!("{key} = {line}")).collect::<Vec<_>>().join("\n"))
        };
        RuleChange { address: format!("card {id}"), before: lines(old, new), after: lines(new, old) }
    };
    ids.into_iter().filter(differs).map(change).collect()
}

/// The keys of a card with their values as they are written.
type CardLines = BTreeMap<String, String>;

fn card_lines(sources: &Sources, card: &RawCard) -> CardLines {
    let mut lines = CardLines::new();
    let mut put = |key: &str, value: String| {
        // Entries may have one subject.
        let times = lines.keys().filter(|known| known.split('#').next() == Some(key)).count();
        let key = if times == 0 { key.to_string() } else { format!("{key}#{}", times + 1) };
        lines.insert(key, value);
    };
    put("kind", card.kind.text.clone());
    put("age", card.age.to_string());
    card.copies.iter().for_each(|copies| put("copies", copies.to_string()));
    card.set.iter().for_each(|set| put("set", set.text.clone()));
    card.leaves_when.iter().for_each(|when| put("leaves_when", when.text.clone()));
    card.fields.iter().for_each(|(key, value)| put(&key.text, sources.slice(value.span).to_string()));
    card.counters.iter().for_each(|(name, value)| put(&name.text, value.to_string()));
    for entry in &card.entries {
        let written: Vec<String> = entry.written.iter().map(|(key, at)| format!("{} = {}", key.text, sources.slice(*at))).collect();
        put(&entry.id.text, written.join(", "));
    }
    lines
}

impl RuleChange {
    /// Formats the change as text for a terminal: each line of the old text behind a minus, of the new one behind a plus.
    pub(crate) fn text(&self) -> String {
        let lines = |mark: char, text: &Option<String>| -> String {
            text.iter().flat_map(|text| text.lines()).map(|line| format!("    {mark} {line}\n")).collect()
        };
        format!("  {}\n{}{}", self.address, lines('-', &self.before), lines('+', &self.after))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::testing::{CARDS, GAME, text_of};

    #[test]
    fn cards_are_told_by_what_differs() {
        let den = "[[card]]\nid = \"den\"\nname = \"Den\"\nkind = \"hut\"\nage = 0\nheight = 3\ncolour = \"b\"\n";
        let (sources, plain) = text_of("wall", GAME, &format!("{CARDS}{den}"));
        let changed = format!("{}{}", den.replace("height = 3", "height = 5"), den.replace("den", "hole").replace("Den", "Hole"));
        let (other, changed) = text_of("wall", GAME, &format!("{CARDS}{changed}"));
        // Each side has sources of its own here, so that lines are made side by side.
        let [plain, changed] = [(&sources, &plain), (&other, &changed)].map(|(sources, text)| {
            let cards = text.content.cards.iter();
            cards.map(|card| (card.id.text.clone(), card_lines(sources, card))).collect::<BTreeMap<_, _>>()
        });
        assert_eq!(plain["den"]["height"], "3");
        assert_eq!((changed["den"]["height"].as_str(), changed["hole"]["kind"].as_str()), ("5", "hut"));
        assert_eq!(plain["den"].len(), changed["den"].len());
    }

    #[test]
    fn files_are_told_by_the_lines_that_differ() {
        let found = line_changes("rules/wall.rules", "one\ntwo\nthree\n", "one\n2\n2b\nthree\nfour\n");
        let change = |line: usize, before: Option<&str>, after: &str| RuleChange {
            address: format!("rules/wall.rules:{line}"),
            before: before.map(String::from),
            after: Some(after.to_string()),
        };
        assert_eq!(found, [change(2, Some("two"), "2\n2b"), change(5, None, "four")]);
    }

    #[test]
    fn a_change_has_signs_before_its_lines() {
        let change =
            RuleChange { address: "night.meal".into(), before: Some("meal 1".into()), after: Some("replace night.meal {\n  2\n}".into()) };
        assert_eq!(change.text(), "  night.meal\n    - meal 1\n    + replace night.meal {\n    +   2\n    + }\n");
    }
}
