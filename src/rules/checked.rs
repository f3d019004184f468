//! From the syntax tree of a game to a ruleset. Here stands the order of all passes.
//!
//! Checking needs no choice of players and options, and is done once for a game; lowering is done for each choice.

use super::check::Checker;
use super::collect::collect;
use super::content::Figures;
use super::defs::{DefId, DefKind, Definitions, Space};
use super::lower::{Env, Lowerer};
use super::problem::{Problem, is_forbidden};
use super::setup::{Chosen, Setup, choose};
use super::slots::{Slots, allocate, beyond_room};
use super::syntax::address::clashes;
use super::syntax::ast::{self, Name};
use super::typed::{Entries, Rules};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity, once};
use crate::engine::ruleset::Ruleset;
use crate::pack::{GameContent, RawCard};
use crate::source::{FileId, Span};
use std::collections::BTreeSet;

/// A game that has been checked: its typed tree, and what is wrong with it.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The rules.
    pub rules: Rules,
    /// What cards and kinds say.
    entries: Entries,
    /// The cards of known kinds.
    cards: Vec<RawCard>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// What nobody reads, and whether somebody writes it.
    pub(super) unread: Vec<(DefId, bool)>,
    /// Something in the rules themselves is wrong, so that no expression can be lowered.
    broken: bool,
}

impl Checked {
    /// Whether there are rules of machine players to add to.
    pub fn has_agents(&self) -> bool {
        self.rules.has_agents
    }

    /// Everything that has a name.
    pub fn definitions(&self) -> &Definitions {
        &self.rules.defs
    }

    /// What cards and kinds say.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// The cards, in the order of the ruleset's definitions.
    pub fn cards(&self) -> &[RawCard] {
        &self.cards
    }
}

/// Checks the rules and cards of a game: names, then bodies, then what is done, then cards, then circles.
pub fn check(tree: &ast::Rules, content: &GameContent) -> Checked {
    let mut collected = collect(tree, &content.cards);
    collected.rules.defs.cards_missing = content.cards_missing;
    let cards: Vec<&RawCard> = collected.cards.iter().map(|&at| &content.cards[at]).collect();
    let (grids, counts) = (std::mem::take(&mut collected.grids), std::mem::take(&mut collected.counts));
    for (place, by, filter) in std::mem::take(&mut collected.decks) {
        collected.deck(place, by, filter);
    }
    let mut checker = Checker::new(collected);
    checker.sizes(grids, counts);
    checker.bodies();
    checker.program(tree);
    let entries = checker.entries(&cards, &content.kinds);
    checker.finish();
    let unread = checker.rules.defs.unread();
    let mut told = std::mem::take(&mut checker.diagnostics);
    let keys = |name: &str| cards.iter().flat_map(|card| &card.fields).filter(|(key, _)| key.text == name).count();
    let suspects = checker.rules.defs.suppress_followups_of_misspelt(&mut told, keys);
    checker.rules.defs.suspect_names(suspects);
    told.extend(defaults_in_vain(tree, &cards));
    told.extend(
        clashes(tree)
            .into_iter()
            .map(|(address, place, other)| Problem::AddressTaken { address: address.to_string(), first: other }.at(place)),
    );
    tree.removed.iter().for_each(|name| suppress_followups_of_removal(name, &mut told));
    // People read from above.
    told.sort_by_key(|wrong| wrong.span.map(|span| (span.file, span.start)));
    // What a patch does to many cards is said once.
    let told = once(told);
    checker.diagnostics = told;
    let card_files: BTreeSet<FileId> = content.cards.iter().map(|card| card.span.file).collect();
    let in_cards = |span: Span| card_files.contains(&span.file);
    let of_rules = |wrong: &Diagnostic| wrong.severity == Severity::Error && !wrong.span.is_some_and(in_cards);
    let broken = checker.diagnostics.iter().any(of_rules);
    Checked { cards: cards.into_iter().cloned().collect(), entries, unread, broken, diagnostics: checker.diagnostics, rules: checker.rules }
}

/// Defaults that an overlay gives a field which every card has already: nobody reads them. In the rules themselves they are for other cards.
fn defaults_in_vain(tree: &ast::Rules, cards: &[&RawCard]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for declaration in &tree.declarations {
        let ast::DeclarationKind::Kind { name: kind, fields } = &declaration.kind else { continue };
        let of_kind = || cards.iter().filter(|card| card.kind.text == kind.text);
        for field in &fields.items {
            let ast::FieldKind::Field { name, default: Some(default), .. } = &field.kind else { continue };
            let all_have_it = of_kind().all(|card| card.fields.iter().any(|(key, _)| key.text == name.text));
            if default.span.file != name.span.file && of_kind().next().is_some() && all_have_it {
                found.push(Problem::DefaultUnread { kind: kind.text.clone(), field: name.text.clone() }.at(default.span));
            }
        }
    }
    found
}

/// Reports, once and where an overlay removes it, what is still used, in place of its uses.
fn suppress_followups_of_removal(removed: &Name, diagnostics: &mut Vec<Diagnostic>) {
    let last = removed.text.rsplit('.').next().unwrap_or(&removed.text);
    let is_use = |wrong: &Diagnostic| matches!(wrong.problem(), Some(Problem::UnknownName { name, .. } | Problem::UnknownValue { name, .. }) if name == last);
    let uses: Vec<Span> = diagnostics.iter().filter(|wrong| is_use(wrong)).filter_map(|wrong| wrong.span).collect();
    if !uses.is_empty() {
        diagnostics.retain(|wrong| !is_use(wrong));
        diagnostics.push(Problem::RemovedButUsed { name: removed.text.clone(), uses }.at(removed.span));
    }
}

/// What a choice of players and options makes of a game.
#[derive(Debug)]
pub(super) struct Lowered {
    /// What was chosen.
    pub chosen: Chosen,
    /// Where everything lies.
    pub slots: Slots,
    /// The ruleset.
    pub rules: Ruleset,
    /// What names are bound to where each of its questions stands.
    pub asked: Vec<Env>,
}

/// Lowers a game for a choice. What is wrong with cards' figures and with the choice is told; where the rules themselves are wrong,
/// expressions are left out, and the ruleset is of no use.
pub(super) fn lower(checked: &Checked, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> Lowered {
    let tree = &checked.rules;
    let (chosen, mut rules, slots) = begin(tree, setup, players, diagnostics);
    if let Some(wrong) = beyond_room(tree, &slots) {
        diagnostics.push(wrong);
        return Lowered { chosen, slots, rules, asked: Vec::new() };
    }
    rules.paid = tree.paid.map(|tally| slots.offset(tally));
    Figures { tree, slots: &slots, out: &mut rules, wrong: diagnostics }.cards_and_kinds(&checked.cards);
    *diagnostics = once(std::mem::take(diagnostics));
    // A name that rules miss, too, has been told where it is misspelt.
    diagnostics.retain(|wrong| wrong.unknown.as_deref().is_none_or(|(name, _)| !tree.defs.is_suspect(name)));
    tree.defs.suppress_followups_of_misspelt(diagnostics, |_| 0);
    let mut lowerer = Lowerer::new(tree, &slots, &chosen, &mut rules, diagnostics);
    if !checked.broken {
        lowerer.refuse_set_up();
        lowerer.places_and_tokens();
        lowerer.lay_out(setup, &checked.cards);
        lowerer.note_entries(&checked.entries);
        lowerer.named();
        lowerer.consequences();
        lowerer.ending();
        lowerer.program();
        lowerer.skip_idle_calls();
        lowerer.entries(&checked.entries, &checked.cards);
        lowerer.signatures();
    }
    let asked = lowerer.asked;
    Lowered { chosen, slots, rules, asked }
}

/// What a choice settles before anything is lowered.
fn begin(tree: &Rules, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> (Chosen, Ruleset, Slots) {
    let chosen = choose(&tree.defs, setup, players, diagnostics);
    let mut rules = Ruleset { players, game: tree.game.clone(), title: tree.title.clone(), most_answers: 1000, ..Ruleset::default() };
    names(tree, &mut rules);
    let slots = allocate(tree, &mut rules);
    (chosen, rules, slots)
}

/// Whether the rules themselves refuse a choice (`needs NAME: … "why"`): what [`lower`] would tell, without the rest of it.
pub(super) fn refuses(checked: &Checked, setup: &Setup, players: usize) -> bool {
    let tree = &checked.rules;
    if tree.set_up_needs.is_empty() || checked.broken {
        return false;
    }
    let mut told = Vec::new();
    let (chosen, mut rules, slots) = begin(tree, setup, players, &mut told);
    Lowerer::new(tree, &slots, &chosen, &mut rules, &mut told).refuse_set_up();
    told.iter().any(is_forbidden)
}

/// Words that scripts, options and keys can name.
fn names(tree: &Rules, rules: &mut Ruleset) {
    for word in ["yes", "no"] {
        rules.names.add(word);
    }
    for (_, one) in tree.defs.all() {
        if !matches!(one.what, DefKind::Phase | DefKind::Step | DefKind::Standing | DefKind::Broken | DefKind::Card(_)) {
            rules.names.add(&one.name);
        }
    }
    for space in [Space::Moment, Space::Loss] {
        let mut named: Vec<(u16, &str)> = tree
            .defs
            .names(space)
            .filter_map(|name| match tree.defs.what(space, name) {
                Some(DefKind::Moment(index) | DefKind::Loss(index)) => Some((*index, name)),
                _ => None,
            })
            .collect();
        named.sort_unstable();
        let list = if space == Space::Moment { &mut rules.moments } else { &mut rules.named };
        list.extend(named.into_iter().map(|(_, name)| name.to_string()));
    }
    rules.spent = tree.spent.map(|moment| cast::fit::<u16>(tree.defs[moment].what.index()));
}

#[cfg(test)]
mod tests {
    use crate::compile::{compile, compile_in_part};
    use crate::diagnostic::{Diagnostic, Severity};
    use crate::sample::{lowered, text};
    use crate::setup::Setup;

    #[test]
    fn a_fault_of_cards_leaves_the_rules_to_be_looked_at() {
        let wrong_card = "[[card]]\nid = \"owl\"\nname = \"Owl\"\nkind = \"tower\"\nheight = 1\nleaves_when = \"mon > 2\"\n";
        for (rules, cards, whole, in_part) in [
            ("", "", true, true),
            ("", wrong_card, false, true),
            ("stat deep = fmae\n", "", false, false),
            ("stat deep = fmae\n", wrong_card, false, false),
        ] {
            let (_, text) = text(rules, cards);
            let mut diagnostics = Vec::new();
            assert_eq!(compile(&text, &Setup::default(), &mut diagnostics).is_some(), whole, "{rules} {cards} {diagnostics:?}");
            assert_eq!(compile_in_part(&text, &Setup::default()).is_some(), in_part, "{rules} {cards}");
        }
    }

    #[test]
    fn a_field_is_told_where_it_is_misspelt_though_most_of_its_users_are_cards() {
        let cards = "[[card]]\nid = \"nest\"\nname = \"Nest\"\nkind = \"nest\"\nfeathers = 2\n";
        let made = |more: &str| {
            let nest = format!("{cards}{}", more.replace("\"nest\"\nname", "\"nest2\"\nname"));
            let rules =
                "kind nest { slot yard; fethers: number }\nkind roost { slot yard; fethers: number }\ndefine soft(c) = c.feathers\n";
            let (_, text) = text(rules, &nest);
            let mut found = Vec::new();
            assert!(compile(&text, &Setup::default(), &mut found).is_none());
            found.iter().filter(|wrong| wrong.severity == Severity::Error).map(|wrong| wrong.message.clone()).collect::<Vec<_>>()
        };
        let told = |times: usize| vec![format!("`fethers` is never used, and `feathers`, which nothing declares, is used {times} times")];
        assert_eq!(made(""), told(2));
        assert_eq!(made(cards), told(3));
    }

    #[test]
    fn a_resource_that_rules_and_cards_miss_is_told_once() {
        let cards = ["nest", "hill"].map(|id| {
            format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"hut\"\ncolour = \"a\"\nheight = 1\nyield = {{ featers = 1 }}\n")
        });
        let (_, text) = text("player { resource fethers }\ndefine light = featers\ndefine lighter = featers\n", &cards.concat());
        let mut found = Vec::new();
        assert!(compile(&text, &Setup::default(), &mut found).is_none());
        let told: Vec<&str> = found.iter().filter(|wrong| wrong.severity == Severity::Error).map(|wrong| wrong.message.as_str()).collect();
        assert_eq!(told, ["`fethers` is never used, and `featers`, which nothing declares, is used 2 times"]);
    }

    #[test]
    fn a_warning_does_not_hide_a_fault_of_the_same_place() {
        let (_, text) = text("stat deep = fmae\n", "");
        let mut faults = Vec::new();
        assert!(compile(&text, &Setup::default(), &mut faults).is_none());
        let mut told = vec![Diagnostic::warning("C030", faults[0].span, "this is odd")];
        assert!(compile(&text, &Setup::default(), &mut told).is_none());
        assert!(told.contains(&faults[0]), "{told:?}");
    }

    #[test]
    fn names_of_rules_are_known_to_scripts() {
        let (lowered, _) = lowered("", "", 2);
        for word in ["yes", "no", "wisp", "hut", "yard", "fame", "height", "bites", "calm", "howl", "mud", "fetch", "a"] {
            let known = lowered.rules.names.find(word).is_some();
            assert_eq!(known, word != "a", "{word}: a value of an option is no name");
        }
    }
}
