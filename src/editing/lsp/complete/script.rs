//! Completion in scripts: the functions, the variables that there are where a script runs, and the words of the rules.

use lsp_types::CompletionItemKind;

use super::super::analysis::Analysis;
use super::super::names::definitions;
use super::super::signature::call_around;
use super::{CursorPlace, ItemCollector};
use crate::lang::AGENTS;
use crate::lang::built_in::{BUILT_INS, NameContext};
use crate::lang::defs::{DefKind, Space};
use crate::script::{SCRIPT_VARIABLES, natives, rule_natives, words_for};
use std::collections::BTreeSet;

/// Offers what a script that begins at byte `from` can contain at a place.
pub(super) fn offer(found: &Analysis, offers: &mut ItemCollector, place: &CursorPlace<'_>, from: usize) {
    let ahead = place.ahead_from(from);
    if let Some(words) = words_wanted(found, ahead) {
        let defs = definitions(found);
        let what = |word: &str| {
            defs.and_then(|defs| defs.all().find(|(_, one)| one.name == word)).map_or("a word", |(_, one)| one.kind.describe())
        };
        return words.iter().for_each(|word| offers.add(word, CompletionItemKind::VALUE, what(word), "0"));
    }
    let owner = ahead.strip_suffix('.').map(|owner| owner.get(owner.trim_end_matches(super::is_letter).len()..).unwrap_or(""));
    // Functions are written behind a dot, too: `me.gain(wisp, 1)`.
    let receives = match owner {
        Some("me" | "player") => Some("p"),
        Some("own" | "card") => Some("c"),
        Some(_) | None => None,
    };
    let takes = |first: Option<&str>| receives.is_none_or(|receives| first == Some(receives));
    for native in natives().iter().filter(|native| takes(native.params.first().copied())) {
        offers.add(native.name, CompletionItemKind::FUNCTION, format!("{}: {}", native.signature(), native.doc), "1");
    }
    for (signature, doc) in found.rules.iter().flat_map(|rules| rule_natives(rules)) {
        let (name, params) = signature.split_once('(').unwrap_or((&signature, ""));
        let is_of_agents = || rank_of(found, name) == OF_AGENTS;
        if takes(params.split([',', ')']).next().map(str::trim)) && !is_of_agents() {
            offers.add(name, CompletionItemKind::FUNCTION, format!("{signature}: {doc}"), rank_of(found, name));
        }
    }
    if owner.is_some() {
        return;
    }
    let entry = EntryText::around(place, from);
    let is_there = |name: &str| match name {
        "answer" => entry.asks(),
        "card" => entry.moment().is_none_or(|moment| can_be_about_a_card(found, moment)),
        _ => true,
    };
    for known in BUILT_INS.iter().filter(|known| known.place == NameContext::Script && SCRIPT_VARIABLES.contains(&known.pattern)) {
        if is_there(known.pattern) {
            offers.add(known.pattern, CompletionItemKind::VARIABLE, known.doc, "0");
        }
    }
    offer_entry_bindings(offers, found, place);
    for (_, one) in
        definitions(found).into_iter().flat_map(|defs| defs.all()).filter(|(_, one)| !one.name.starts_with(AGENTS) && is_word(&one.kind))
    {
        offers.add_definition(one, "1");
    }
    ["yes", "no"].iter().for_each(|word| offers.add(word, CompletionItemKind::CONSTANT, "for a flag", "1"));
}

/// Whether a name of the rules is a word of scripts, which stands in brackets: resources, counters, places, kinds and the like.
fn is_word(what: &DefKind) -> bool {
    match what {
        DefKind::Variable { .. }
        | DefKind::Place { .. }
        | DefKind::Kind(_)
        | DefKind::Field(_)
        | DefKind::RowWord(_)
        | DefKind::Quantity { .. }
        | DefKind::Moment(_)
        | DefKind::Loss(_) => true,
        DefKind::Option(_)
        | DefKind::Constant
        | DefKind::Zone(_)
        | DefKind::Pool(_)
        | DefKind::Symbol(_)
        | DefKind::Token(_)
        | DefKind::TokenKind(_)
        | DefKind::Words(_)
        | DefKind::Define
        | DefKind::Condition
        | DefKind::Standing
        | DefKind::Rank(_)
        | DefKind::Purse
        | DefKind::Effect(_)
        | DefKind::Action
        | DefKind::Phase
        | DefKind::Step
        | DefKind::Card(_)
        | DefKind::Broken => false,
    }
}

/// Returns the words that can stand behind `ahead`, within the brackets of a call, if only words can.
fn words_wanted(found: &Analysis, ahead: &str) -> Option<BTreeSet<String>> {
    let (function, is_method, argument) = call_around(ahead)?;
    words_for(found.rules.as_ref()?, function, argument + usize::from(is_method))
}

/// The rank of what only machine players use, which is not offered.
const OF_AGENTS: &str = "9";

/// What cards often read and write comes first.
fn rank_of(found: &Analysis, name: &str) -> &'static str {
    let Some(defs) = definitions(found) else { return "3" };
    match defs.kind_of(Space::Value, name) {
        Some(DefKind::Variable { .. } | DefKind::Quantity { .. }) => "0",
        Some(_) => "3",
        None if defs.kind_of(Space::Value, &format!("{AGENTS}{name}")).is_some() => OF_AGENTS,
        None => "2",
    }
}

/// The entry around a script, as it is written.
struct EntryText<'t> {
    text: &'t str,
}

impl<'t> EntryText<'t> {
    /// Finds the entry: from the header above to the next one, or its own line.
    fn around(place: &CursorPlace<'t>, from: usize) -> EntryText<'t> {
        let ahead = place.text.get(..from).unwrap_or("");
        let line = ahead.rfind('\n').map_or(0, |at| at + 1);
        let is_line = ["on.", "action", "change.", "forbid.", "instead."]
            .iter()
            .any(|key| ahead.get(line..).is_some_and(|line| line.trim_start().starts_with(key)));
        let header = ahead.rfind("\n[").map_or(0, |at| at + 1);
        let start = if is_line { line } else { header };
        let behind = place.text.get(place.byte..).unwrap_or("");
        let end = place.byte + behind.find(if is_line { "\n" } else { "\n[" }).unwrap_or(behind.len());
        EntryText { text: place.text.get(start..end).unwrap_or("") }
    }

    /// Whether the entry asks a question, so that there is an answer.
    fn asks(&self) -> bool {
        self.text.contains("ask")
    }

    /// Returns the moment that the entry hears, if it is written in it.
    fn moment(&self) -> Option<&'t str> {
        let name =
            |text: &'t str| text.split(|letter: char| !super::is_letter(letter) && letter != '.').next().filter(|name| !name.is_empty());
        if let Some(rest) = self.text.trim_start().strip_prefix("on.") {
            return name(rest).map(|moment| moment.strip_prefix("this.").unwrap_or(moment));
        }
        let (_, rest) = self.text.split_once("when")?;
        let value = rest.trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
        name(value).map(|moment| moment.strip_prefix("this.").unwrap_or(moment))
    }
}

/// Whether rules raise a moment about a card, `moment dusk(card)`; also if they never raise it.
fn can_be_about_a_card(found: &Analysis, moment: &str) -> bool {
    let raised = format!("moment {moment}");
    let texts = found.files.iter().filter(|(name, _)| name.ends_with(".rules")).map(|(_, seen)| &*seen.text);
    let mut behind = texts.flat_map(|text| text.match_indices(&raised).filter_map(|(at, _)| text.get(at + raised.len()..))).peekable();
    let is_other = |rest: &&str| rest.starts_with(super::is_letter);
    behind.peek().is_none() || behind.filter(|rest| !is_other(rest)).any(|rest| rest.starts_with('('))
}

/// Offers the names bound by the entry that contains the script, as of the last analysis.
fn offer_entry_bindings(offers: &mut ItemCollector, found: &Analysis, place: &CursorPlace<'_>) {
    let (text, byte) = (place.text, place.byte);
    let Some(content) = found.text.as_ref().map(|text| &text.content) else { return };
    let of_cards = content.cards.iter().flat_map(|card| &card.entries).chain(content.kinds.iter().flat_map(|kind| &kind.entries));
    for part in of_cards.flat_map(|entry| entry.parts()) {
        let (span, file) = (part.script.span, found.sources.text(part.script.span.file));
        // The text may have changed since: the script is recognised by its start and the text before it.
        let same = span.start as usize <= byte && file.get(..span.start as usize) == text.get(..span.start as usize);
        if same && byte <= span.end as usize + text.len().saturating_sub(file.len()) {
            part.lets.iter().for_each(|(name, value)| offers.add(&name.text, CompletionItemKind::VARIABLE, &value.text, "0"));
        }
    }
}
