//! Completion in rules: keywords as the grammar has them here, and names of the sort that is wanted here.

use lsp_types::CompletionItemKind;

use super::super::analysis::Analysis;
use super::super::names::definitions;
use super::super::place::CompletionContext;
use super::expected::{Expected, expected_behind};
use super::{ItemCollector, is_letter, offer_names};
use crate::engine::ruleset::VariableSort;
use crate::lang::AGENTS;
use crate::lang::built_in::{BUILT_INS, NameContext};
use crate::lang::defs::{DefKind, Definition, PlaceShape};
use crate::syntax::address::all_addresses;
use crate::syntax::reference::reference;
use crate::syntax::words::TextSort;

/// Words behind which a new name is made up, so that nothing is offered.
const NAMING: [&str; 35] = [
    "action",
    "board",
    "changeable",
    "check",
    "condition",
    "constant",
    "counter",
    "deck",
    "define",
    "each",
    "effect",
    "flag",
    "for",
    "grid",
    "hexes",
    "kind",
    "let",
    "option",
    "phase",
    "place",
    "pool",
    "rank",
    "resource",
    "rival",
    "set",
    "slot",
    "space",
    "stat",
    "step",
    "style",
    "tally",
    "tokens",
    "track",
    "variant",
    "zone",
];
/// Words for players, behind whose dot stands what a player has.
const PLAYERS: [&str; 6] = ["me", "left", "right", "first", "partner", "player"];
/// Words for cards and spaces, behind whose dot stands what is printed or counted on them.
const CARDS: [&str; 3] = ["card", "own", "it"];

/// The sort of names that can stand at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// A new name, which nobody else knows.
    New,
    Resources,
    Decks,
    Places,
    Kinds,
    Tokens,
    Pools,
    Effects,
    Moments,
    /// Places and lists of words, to go through or to choose from.
    Sets,
    /// What a counter or tally can be of.
    Words,
    /// What rules can change by its address.
    Addresses,
    /// What has a value.
    Values,
    /// What can be written to, at the beginning of a statement.
    Targets,
    /// Ids of cards, in scenarios.
    CardIds,
}

/// Offers what can stand behind `ahead`, the text up to the word that is typed.
pub(super) fn offer(found: &Analysis, offers: &mut ItemCollector, ahead: &str, sort: TextSort) {
    let of_scenario = matches!(sort, TextSort::Given | TextSort::When | TextSort::Then);
    let line = ahead.rsplit(['\n', '{', ';']).next().unwrap_or("").trim_start();
    if let Some(address) = line.strip_suffix('.').and_then(address_changed) {
        return offer_parts_of(found, offers, address);
    }
    if let Some(owner) = ahead.strip_suffix('.') {
        return offer_members(found, offers, owner);
    }
    if sort == TextSort::When && line.split_once(": ").is_some_and(|(seat, _)| crate::syntax::seat_number(seat).is_some()) {
        return offer_names(found, offers, CompletionContext::Actions);
    }
    let Some(expected) = expected_behind(ahead, sort) else { return };
    for phrase in &expected.phrases {
        let first = phrase.split(' ').next().unwrap_or(phrase);
        let meaning = reference().constructs_with(first).first().map_or("", |construct| construct.meaning.as_str());
        let rank = if expected.has_part("name") && is_value(&expected) { "2" } else { "0" };
        offers.add(phrase, CompletionItemKind::KEYWORD, meaning, rank);
    }
    let Some(wanted) = wanted(&expected, ahead, of_scenario) else { return };
    let Some(defs) = definitions(found) else { return };
    // Spaces of a board are no cards.
    let is_board = |one: &Definition| {
        let DefKind::Kind(kind) = one.kind else { return false };
        found.text.iter().any(|text| text.checked().rules.board_of_kind(kind).is_some())
    };
    let fitting = |one: &Definition| !one.name.starts_with(AGENTS) && fits(wanted, one) && !(wanted == Wanted::Kinds && is_board(one));
    for (_, one) in defs.all().filter(|(_, one)| fitting(one)) {
        offers.add_definition(one, if wanted == Wanted::Values { value_rank(&one.kind) } else { "1" });
    }
    if matches!(wanted, Wanted::Values | Wanted::Sets | Wanted::Resources | Wanted::Targets) {
        local_names(ahead).into_iter().for_each(|name| offers.add(name, CompletionItemKind::VARIABLE, "has its name here alone", "0"));
    }
    if wanted == Wanted::Values {
        for known in BUILT_INS.iter().filter(|known| known.place != NameContext::Script) {
            let name = known.pattern.split([' ', '(', '.']).next().unwrap_or("");
            offers.add(name, CompletionItemKind::VARIABLE, known.doc, "1");
        }
        offer_words(found, offers, ahead);
    }
    if wanted == Wanted::Words {
        offers.add("player", CompletionItemKind::KEYWORD, "a player", "1");
        offers.add("resource", CompletionItemKind::KEYWORD, "a resource", "1");
    }
    if of_scenario && matches!(wanted, Wanted::Values | Wanted::CardIds) {
        offer_names(found, offers, CompletionContext::Cards);
    }
}

/// Returns the address on a line that changes what stands there.
fn address_changed(line: &str) -> Option<&str> {
    let rest = ["change ", "replace ", "delete ", "extend "].into_iter().find_map(|word| line.strip_prefix(word))?;
    (!rest.contains(' ')).then_some(rest)
}

/// Offers the next part of all addresses that begin with this one.
fn offer_parts_of(found: &Analysis, offers: &mut ItemCollector, address: &str) {
    let Some(text) = &found.text else { return };
    for (whole, _) in all_addresses(&mut text.tree.clone()) {
        let next = whole.strip_prefix(address).and_then(|rest| rest.strip_prefix('.')).and_then(|rest| rest.split('.').next());
        next.into_iter().for_each(|part| offers.add(part, CompletionItemKind::PROPERTY, format!("a part of `{address}`"), "0"));
    }
}

fn is_value(expected: &Expected) -> bool {
    ["expr", "amount", "operand", "term", "figure", "atom", "cards", "offers"].iter().any(|part| expected.has_part(part))
}

/// Returns the sort of names that can stand here; `None` if no name can.
fn wanted(expected: &Expected, ahead: &str, of_scenario: bool) -> Option<Wanted> {
    let any_name = ["name", "card_id", "place_name", "seat", "word", "deck", "tokens"].iter().any(|part| expected.has_part(part));
    if !any_name {
        return None;
    }
    let line = ahead.rsplit(['\n', '{', '}', ';']).next().unwrap_or("");
    let words: Vec<&str> = line.split(|letter: char| !is_letter(letter)).filter(|word| !word.is_empty()).collect();
    let (first, last) = (words.first().copied().unwrap_or(""), words.last().copied().unwrap_or(""));
    let ends_with_word = line.trim_end().ends_with(is_letter);
    let last = if ends_with_word { last } else { "" };
    let joins = line.trim_end().ends_with(',');
    if of_scenario {
        return Some(match expected.has_part("card_id") && !is_value(expected) {
            true => Wanted::CardIds,
            false => Wanted::Values,
        });
    }
    let declares = ["resource", "counter", "flag", "place"].contains(&first) && !is_value(expected);
    Some(match (first, last) {
        _ if expected.has_part("resource") => Wanted::Resources,
        ("deck" | "kind" | "fields", "of") | ("deck", "") if !is_value(expected) => Wanted::Kinds,
        ("place", "of") if words.len() == 3 && !is_value(expected) => Wanted::Kinds,
        ("counter" | "tally" | "set", "of" | "by") => Wanted::Words,
        (_, "do") => Wanted::Effects,
        (_, "moment") => Wanted::Moments,
        (_, "roll") => Wanted::Pools,
        (_, "my") => Wanted::Sets,
        ("change" | "replace" | "extend" | "remove" | "add", "change" | "replace" | "extend" | "remove" | "before" | "after")
            if !ahead.trim_start().contains('\n') || !is_value(expected) =>
        {
            Wanted::Addresses
        }
        ("take" | "spend", "from" | "to") => Wanted::Pools,
        ("draw" | "place" | "fill" | "put" | "move" | "swap", "to" | "in" | "fill" | "put") => Wanted::Places,
        ("draw" | "fill" | "shuffle", "from" | "into") | ("shuffle", "shuffle") => Wanted::Decks,
        ("take" | "move" | "lift", "all") => Wanted::Tokens,
        ("hearing" | "zone", _) => Wanted::Places,
        (_, last) if NAMING.contains(&last) && !is_value(expected) => Wanted::New,
        _ if joins && declares => Wanted::New,
        (_, "is") => Wanted::Values,
        _ if expected.has_part("cards") && !expected.has_part("expr") => Wanted::Sets,
        _ if line.trim().is_empty() && !is_value(expected) => Wanted::Targets,
        _ if is_value(expected) => Wanted::Values,
        _ => Wanted::Values,
    })
}

fn fits(wanted: Wanted, one: &Definition) -> bool {
    let what = &one.kind;
    match wanted {
        Wanted::New | Wanted::CardIds => false,
        Wanted::Resources => matches!(what, DefKind::Variable { sort: VariableSort::Resource, .. }),
        Wanted::Decks => matches!(what, DefKind::Place { shape: PlaceShape::Deck, .. }),
        Wanted::Places => matches!(what, DefKind::Place { .. } | DefKind::Zone(_)),
        Wanted::Kinds => matches!(what, DefKind::Kind(_)),
        Wanted::Tokens => matches!(what, DefKind::Token(_) | DefKind::TokenKind(_)),
        Wanted::Pools => matches!(what, DefKind::Pool(_)),
        Wanted::Effects => matches!(what, DefKind::Effect(_)),
        Wanted::Moments => matches!(what, DefKind::Moment(_)),
        Wanted::Sets => {
            matches!(what, DefKind::Place { .. } | DefKind::Zone(_) | DefKind::Words(_) | DefKind::Kind(_) | DefKind::Option(_))
        }
        Wanted::Words => matches!(what, DefKind::Words(_) | DefKind::Kind(_) | DefKind::Place { shape: PlaceShape::Board, .. }),
        Wanted::Addresses => !matches!(what, DefKind::Card(_) | DefKind::Broken | DefKind::Symbol(_) | DefKind::RowWord(_)),
        Wanted::Targets => matches!(what, DefKind::Variable { sort, .. } if *sort != VariableSort::Resource),
        Wanted::Values => match what {
            DefKind::Option(_)
            | DefKind::Constant
            | DefKind::Variable { .. }
            | DefKind::Place { .. }
            | DefKind::Zone(_)
            | DefKind::Kind(_)
            | DefKind::Symbol(_)
            | DefKind::Token(_)
            | DefKind::TokenKind(_)
            | DefKind::Quantity { .. }
            | DefKind::Define
            | DefKind::Condition
            | DefKind::Standing
            | DefKind::Rank(_)
            | DefKind::Purse
            | DefKind::Pool(_) => true,
            DefKind::Field(_)
            | DefKind::Words(_)
            | DefKind::RowWord(_)
            | DefKind::Effect(_)
            | DefKind::Moment(_)
            | DefKind::Loss(_)
            | DefKind::Action
            | DefKind::Phase
            | DefKind::Step
            | DefKind::Card(_)
            | DefKind::Broken => false,
        },
    }
}

/// Values that the rules compute come ahead of places and kinds.
fn value_rank(what: &DefKind) -> &'static str {
    match what {
        DefKind::Variable { .. } | DefKind::Quantity { .. } | DefKind::Define | DefKind::Constant | DefKind::Option(_) => "1",
        DefKind::Condition
        | DefKind::Standing
        | DefKind::Rank(_)
        | DefKind::Purse
        | DefKind::Place { .. }
        | DefKind::Zone(_)
        | DefKind::Kind(_)
        | DefKind::Pool(_) => "3",
        DefKind::Symbol(_) | DefKind::Token(_) | DefKind::TokenKind(_) | DefKind::Field(_) | DefKind::Words(_) | DefKind::RowWord(_) => "4",
        DefKind::Effect(_)
        | DefKind::Moment(_)
        | DefKind::Loss(_)
        | DefKind::Action
        | DefKind::Phase
        | DefKind::Step
        | DefKind::Card(_)
        | DefKind::Broken => "5",
    }
}

/// Offers words that the rules declare where one is compared, set or asked about: behind `==`, `=`, `is`, `in`, and in brackets.
fn offer_words(found: &Analysis, offers: &mut ItemCollector, ahead: &str) {
    let before = ahead.trim_end();
    let follows = before.ends_with(['=', '(', '[', ',']) || [" is", " in", " not"].iter().any(|word| before.ends_with(word));
    let Some(defs) = definitions(found).filter(|_| follows) else { return };
    for word in defs.lists.iter().flatten().filter(|word| word.starts_with(char::is_alphabetic)) {
        offers.add(word, CompletionItemKind::ENUM_MEMBER, "a word of the rules", "3");
    }
}

/// Offers what stands behind a dot: what a player has, what a card has, or else what anything can have.
fn offer_members(found: &Analysis, offers: &mut ItemCollector, ahead: &str) {
    let owner = ahead.get(ahead.trim_end_matches(is_letter).len()..).unwrap_or("");
    if CARDS.contains(&owner) {
        return offer_names(found, offers, CompletionContext::Fields);
    }
    let Some(defs) = definitions(found) else { return };
    if PLAYERS.contains(&owner) || crate::syntax::seat_number(owner).is_some() {
        let of_player =
            |one: &&Definition| fits(Wanted::Values, one) && !matches!(one.kind, DefKind::Option(_) | DefKind::Constant | DefKind::Kind(_));
        let all = defs.all().map(|(_, one)| one).filter(|one| !one.name.starts_with(AGENTS)).filter(of_player);
        return all.for_each(|one| offers.add_definition(one, value_rank(&one.kind)));
    }
    offer_names(found, offers, CompletionContext::AfterDot);
}

/// Returns the names that hold only in the declaration around the end of a text: parameters, and what `let`, `for` and `each` name.
fn local_names(ahead: &str) -> Vec<&str> {
    let starts_line = |at: &usize| ahead.get(at + 1..).is_some_and(|rest| rest.starts_with(char::is_alphabetic));
    let start = ahead.match_indices('\n').map(|(at, _)| at).rfind(starts_line).map_or(0, |at| at + 1);
    let declaration = ahead.get(start..).unwrap_or("");
    let mut names = Vec::new();
    let head = declaration.split(['\n', '=', '{']).next().unwrap_or("");
    if ["define", "effect", "stat", "changeable"].iter().any(|word| head.starts_with(word))
        && let Some((_, params)) = head.split_once('(')
    {
        names.extend(params.split(')').next().unwrap_or("").split(',').map(str::trim).filter(|name| !name.is_empty()));
    }
    let words: Vec<&str> = declaration.split(|letter: char| !is_letter(letter) && letter != '"').filter(|word| !word.is_empty()).collect();
    for three in words.windows(3) {
        if let [word, name, next] = three
            && (*word == "let" || ["for", "each", "any", "count", "all", "no"].contains(word) && *next == "in")
        {
            names.push(name);
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_names_are_those_of_the_declaration() {
        assert_eq!(local_names("effect a(x) { }\ndefine price(card, n) = "), ["card", "n"]);
        assert_eq!(local_names("effect a {\n  let fog = 1\n  each c in den { for r in wind { gain "), ["c", "fog", "r"]);
        assert!(local_names("constant a = ").is_empty());
    }
}
