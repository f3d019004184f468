//! The order of all passes from the syntax tree of a game to a ruleset.
//!
//! Checking does not depend on the players and options that are chosen and is done once per game; lowering is done for each choice.

use super::check::Checker;
use super::check::decks::check_decks;
use super::collect::{Collected, collect};
use super::content::Figures;
use super::defs::{DefId, DefKind, Definition, Definitions, Space};
use super::lower::ranges::{lower_ranges, report_unbounded_secrets};
use super::lower::rolls::report_idle_rolls;
use super::lower::{Bindings, Lowerer, reserve_actions, settle_sides, tally_bounds};
use super::problem::{CardProblem, RuleProblem, is_forbidden};
use super::setup::{ChosenOptions, Setup, resolve_options};
use super::slots::{Slots, allocate, beyond_room};
use super::spaces::{note_sizes, spaces_of};
use super::syntax::address::clashes;
use super::syntax::ast::{self, Name};
use super::typed::{Entries, KindField, Rules};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity, deduplicate};
use crate::engine::ruleset::Ruleset;
use crate::pack::{GameContent, RawCard};
use crate::source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The result of checking a game: its typed tree, and its diagnostics.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The typed tree.
    pub rules: Rules,
    /// The checked entries of cards and kinds.
    entries: Entries,
    /// The cards whose kind is known.
    cards: Vec<RawCard>,
    /// All problems found so far.
    pub diagnostics: Vec<Diagnostic>,
    /// Definitions that are never read, each with whether it is written.
    pub(super) unread: Vec<(DefId, bool)>,
    /// Whether the rules themselves have errors, so that no expression can be lowered.
    broken: bool,
}

impl Checked {
    /// Returns the values that the rules give to fields of a kind where a card does not say one, by the name of the field; none that are 0.
    pub fn defaults_of(&self, kind: &str) -> Vec<(&str, i64)> {
        let kinds = self.rules.kinds.iter().filter(|one| self.rules.defs[one.def].name == kind);
        let default = |field: &KindField| field.default.filter(|value| *value != 0);
        kinds.flat_map(|one| &one.fields).filter_map(|field| Some((self.rules.defs[field.def].name.as_str(), default(field)?))).collect()
    }

    /// Returns all declared names.
    pub fn definitions(&self) -> &Definitions {
        &self.rules.defs
    }

    /// Returns the checked entries of cards and kinds.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// Returns the cards, in the order of the ruleset's definitions.
    pub fn cards(&self) -> &[RawCard] {
        &self.cards
    }
}

/// Checks a game: declarations, bodies, the program, card entries, then cyclic definitions.
pub fn check(tree: &ast::Rules, content: &GameContent) -> Checked {
    let mut spaces = spaces_of(tree, &content.cards);
    let mut all = std::mem::take(&mut spaces.cards);
    all.extend_from_slice(&content.cards);
    let mut collected = collect(tree, &all, spaces);
    collected.rules.defs.cards_missing = content.cards_missing;
    let cards: Vec<&RawCard> = collected.cards.iter().map(|&at| &all[at]).collect();
    let decks = std::mem::take(&mut collected.decks).into_iter();
    let filters: Vec<_> = decks.filter_map(|(place, deck)| collected.resolve_deck(place, deck)).collect();
    let Collected { rules, sources, grids, counts, tallies, ranges, diagnostics, .. } = collected;
    let mut checker = Checker::new(rules, sources, diagnostics);
    checker.check_sizes(grids, counts);
    checker.check_ranges(&tallies, ranges);
    check_decks(&mut checker, &filters, &cards);
    checker.check_bodies();
    checker.check_program(tree);
    let entries = checker.check_entries(&cards, &content.kinds);
    checker.finish();
    note_sizes(tree, &checker.rules.defs);
    let unread = checker.rules.defs.unread();
    let mut told = std::mem::take(&mut checker.diagnostics);
    let keys = |name: &str| cards.iter().flat_map(|card| &card.fields).filter(|(key, _)| key.text == name).count();
    let suspects = checker.rules.defs.suppress_followups_of_misspelt(&mut told, keys);
    checker.rules.defs.add_suspect_names(suspects);
    told.extend(warn_of_unneeded_defaults(tree, &cards));
    told.extend(warn_of_shared_names(&checker.rules, &cards));
    for (address, place, first) in clashes(tree) {
        told.push(RuleProblem::AddressTaken { address: address.to_string(), first }.at(place));
    }
    tree.removed.iter().for_each(|name| suppress_followups_of_removal(name, &mut told));
    // Diagnostics are shown in source order.
    told.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.file, span.start)));
    // A patch that applies to many cards gives one diagnostic.
    let diagnostics = deduplicate(told);
    let card_files: BTreeSet<FileId> = content.cards.iter().map(|card| card.span.file).collect();
    let in_cards = |span: Span| card_files.contains(&span.file);
    let of_rules = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error && !diagnostic.span.is_some_and(in_cards);
    let broken = diagnostics.iter().any(of_rules);
    Checked { cards: cards.into_iter().cloned().collect(), entries, unread, broken, diagnostics, rules: checker.rules }
}

/// Warns about cards that are called like something in the rules whose name can stand where a card's can.
fn warn_of_shared_names(rules: &Rules, cards: &[&RawCard]) -> Vec<Diagnostic> {
    let is_value = |kind: &DefKind| matches!(kind, DefKind::Effect(_) | DefKind::Constant | DefKind::Define);
    let named: BTreeMap<&str, _> =
        rules.defs.all().filter(|(_, one)| is_value(&one.kind)).map(|(_, one)| (one.name.as_str(), one)).collect();
    let shared = cards.iter().filter_map(|card| Some((card, *named.get(card.id.text.as_str())?)));
    let warning = |(card, one): (&&RawCard, &Definition)| {
        CardProblem::SharedName { id: card.id.text.clone(), what: one.kind.describe(), declared: one.span }.at(card.id.span)
    };
    shared.map(warning).collect()
}

/// Warns about defaults that an overlay gives to fields which every card sets. Defaults in the rules themselves may be for cards of other
/// packs.
fn warn_of_unneeded_defaults(tree: &ast::Rules, cards: &[&RawCard]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for declaration in &tree.declarations {
        let ast::DeclarationKind::Kind { name: kind, fields } = &declaration.kind else { continue };
        let of_kind = || cards.iter().filter(|card| card.kind.text == kind.text);
        for field in &fields.items {
            let ast::FieldKind::Field { name, default: Some(default), .. } = &field.kind else { continue };
            let all_have_it = of_kind().all(|card| card.fields.iter().any(|(key, _)| key.text == name.text));
            if default.span.file != name.span.file && of_kind().next().is_some() && all_have_it {
                found.push(RuleProblem::DefaultUnread { kind: kind.text.clone(), field: name.text.clone() }.at(default.span));
            }
        }
    }
    found
}

/// Replaces the errors at all uses of something that an overlay removes by one at the removal.
fn suppress_followups_of_removal(removed: &Name, diagnostics: &mut Vec<Diagnostic>) {
    let last = removed.text.rsplit('.').next().unwrap_or(&removed.text);
    let is_use = |diagnostic: &Diagnostic| matches!(diagnostic.problem(), Some(RuleProblem::UnknownName { name, .. } | RuleProblem::UnknownValue { name, .. }) if name == last);
    let uses: Vec<Span> = diagnostics.iter().filter(|diagnostic| is_use(diagnostic)).filter_map(|diagnostic| diagnostic.span).collect();
    if !uses.is_empty() {
        diagnostics.retain(|diagnostic| !is_use(diagnostic));
        diagnostics.push(RuleProblem::RemovedButUsed { name: removed.text.clone(), uses }.at(removed.span));
    }
}

/// A game lowered for one choice of players and options.
#[derive(Debug)]
pub(super) struct Lowered {
    /// The number of players and the options chosen.
    pub chosen: ChosenOptions,
    /// The cells and card figures of all definitions.
    pub slots: Slots,
    /// The ruleset that was built.
    pub rules: Ruleset,
    /// For each question of the ruleset, the bindings of local names that are visible to it.
    pub question_bindings: Vec<Bindings>,
}

/// Lowers a game for a choice of players and options, and reports problems with card figures and with the choice. If the rules have errors,
/// expressions are left out and the ruleset cannot be used.
pub(super) fn lower(checked: &Checked, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> Lowered {
    lower_cards(checked, (&checked.cards, None), setup, players, diagnostics)
}

/// Does the same as [`lower`] with other figures of cards, of which the one with the index `silenced` says nothing.
pub(super) fn lower_cards(
    checked: &Checked,
    (cards, silenced): (&[RawCard], Option<usize>),
    setup: &Setup,
    players: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> Lowered {
    let tree = &checked.rules;
    let (chosen, mut rules, slots) = resolve_and_allocate(tree, setup, players, diagnostics);
    if let Some(diagnostic) = beyond_room(tree, &slots) {
        diagnostics.push(diagnostic);
        return Lowered { chosen, slots, rules, question_bindings: Vec::new() };
    }
    rules.payment_record = tree.paid.map(|tally| slots.offset(tally));
    Figures { tree, slots: &slots, out: &mut rules, diagnostics }.cards_and_kinds(cards);
    *diagnostics = deduplicate(std::mem::take(diagnostics));
    // A name that the rules lack as well has been reported there.
    diagnostics.retain(|diagnostic| diagnostic.unknown.as_deref().is_none_or(|(name, _)| !tree.defs.is_suspect(name)));
    tree.defs.suppress_followups_of_misspelt(diagnostics, |_| 0);
    let mut lowerer = Lowerer::new(tree, &slots, &chosen, &mut rules, diagnostics);
    if !checked.broken {
        lowerer.check_setup_needs();
        settle_sides(&mut lowerer);
        lowerer.places_and_tokens();
        lower_ranges(&mut lowerer);
        lowerer.lay_out(setup, cards);
        lowerer.note_entries(&checked.entries, silenced);
        lowerer.lower_named();
        reserve_actions(&mut lowerer);
        lowerer.lower_consequences();
        lowerer.lower_ending();
        lowerer.lower_program();
        lowerer.skip_idle_calls();
        lowerer.lower_entries(&checked.entries, cards);
        report_idle_rolls(&mut lowerer);
        lowerer.list_signatures();
        report_unbounded_secrets(&mut lowerer);
    }
    let question_bindings = lowerer.question_bindings;
    // What could not be checked has no value, either.
    let is_unbound = |found: &Diagnostic| matches!(found.problem(), Some(RuleProblem::UnboundName));
    if checked.diagnostics.iter().chain(&*diagnostics).any(|found| found.severity == Severity::Error && !is_unbound(found)) {
        diagnostics.retain(|found| !is_unbound(found));
    }
    silenced.into_iter().for_each(|number| rules.definitions[number].silence());
    Lowered { chosen, slots, rules, question_bindings }
}

/// Does the steps of lowering that need no expressions: resolves the options, and allocates slots.
fn resolve_and_allocate(tree: &Rules, setup: &Setup, players: usize, diagnostics: &mut Vec<Diagnostic>) -> (ChosenOptions, Ruleset, Slots) {
    let chosen = resolve_options(&tree.defs, setup, players, diagnostics);
    let mut rules = Ruleset { players, game: tree.game.clone(), title: tree.title.clone(), ..Ruleset::default() };
    intern_words(tree, &mut rules);
    let bounds = tally_bounds(tree, &chosen, diagnostics);
    let slots = allocate(tree, &bounds, &mut rules);
    (chosen, rules, slots)
}

/// Whether the rules forbid a choice of players and options (`needs NAME: … "why"`): tests what [`lower`] reports, without lowering.
pub(super) fn refuses(checked: &Checked, setup: &Setup, players: usize) -> bool {
    let tree = &checked.rules;
    if tree.set_up_needs.is_empty() || checked.broken {
        return false;
    }
    let mut told = Vec::new();
    let (chosen, mut rules, slots) = resolve_and_allocate(tree, setup, players, &mut told);
    Lowerer::new(tree, &slots, &chosen, &mut rules, &mut told).check_setup_needs();
    told.iter().any(is_forbidden)
}

/// Interns the words that scripts, options and keys can use.
fn intern_words(tree: &Rules, rules: &mut Ruleset) {
    for word in ["yes", "no"] {
        rules.names.add(word);
    }
    for (_, one) in tree.defs.all() {
        if !matches!(one.kind, DefKind::Phase | DefKind::Step | DefKind::Standing | DefKind::Broken | DefKind::Card(_)) {
            rules.names.add(&one.name);
        }
    }
    for (space, list) in [(Space::Moment, &mut rules.moments), (Space::Loss, &mut rules.loss_names)] {
        let mut named: Vec<&str> = tree.defs.names(space).collect();
        named.sort_by_key(|name| tree.defs.kind_of(space, name).map(DefKind::index));
        list.extend(named.into_iter().map(String::from));
    }
    rules.spent_moment = tree.spent.map(|moment| cast::fit::<u16>(tree.defs[moment].kind.index()));
}

#[cfg(test)]
mod tests {
    use crate::compile::{compile, compile_despite_card_errors};
    use crate::diagnostic::Diagnostic;
    use crate::setup::Setup;
    use crate::testing::text;

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
            assert_eq!(compile(&text, &Setup::default(), &mut Vec::new()).is_some(), whole, "{rules} {cards}");
            assert_eq!(compile_despite_card_errors(&text, &Setup::default()).is_some(), in_part, "{rules} {cards}");
        }
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
}
