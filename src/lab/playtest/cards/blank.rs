//! Blanking a card: a copy of the game in which one card keeps its place and its price but has no effects, for comparing the two.

use crate::diagnostic::Diagnostic;
use crate::engine::Ruleset;
use crate::engine::node::Type;
use crate::lang::defs::{DefId, DefKind, FieldType};
use crate::lang::typed::{Body, Cost, Expr, ExprChild, ExprKind, PhasePart, Room, Rules};
use crate::lang::{GameText, Setup, compile, compile_without_effects};
use crate::pack::{RawCard, TomlValue};
use std::collections::BTreeSet;

/// Returns a card as it is without effects; `None` if the game has no such card.
///
/// Removed are the card's entries, `leaves_when`, and figures that the rules only add up; such a figure becomes absent, or 0 where
/// every card must have it. Kept are kind, age, copies, counters, words, references to cards, and each figure that divides a deck or
/// that an action's cost or condition reads from a single card. What the rules say of the card by its id or its kind stays as well.
pub fn blank_card(text: &GameText, id: &str) -> Option<RawCard> {
    let mut card = text.content.cards.iter().find(|card| card.id.text == id)?.clone();
    let rules = &text.checked().rules;
    let Some(kind) = rules.defs.kind(&card.kind.text) else { return Some(card) };
    let read = fields_read_by_offers(rules);
    card.entries.clear();
    card.leaves_when = None;
    for field in &rules.kinds[kind as usize].fields {
        let declared = &rules.defs[field.def];
        let DefKind::Field(holds) = &declared.kind else { continue };
        let counts = match holds {
            FieldType::One(ty) | FieldType::List(ty) => *ty == Type::Number,
            FieldType::Row(_) => true,
        };
        if !counts || read.contains(&field.def) {
            continue;
        }
        if field.default.is_none() && *holds == FieldType::One(Type::Number) {
            let here = card.fields.iter_mut().filter(|(key, _)| key.text == declared.name);
            here.for_each(|(_, value)| value.value = TomlValue::Integer(0));
        } else {
            card.fields.retain(|(key, _)| key.text != declared.name);
        }
    }
    Some(card)
}

/// Compiles a game with a card as [`blank_card`] returns it; this is faster than to compile a copy of the game, and comes to the same.
///
/// # Errors
/// The diagnostics, if there are errors among them.
pub fn compile_blanked(text: &GameText, setup: &Setup, id: &str) -> Result<Ruleset, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let compiled = match blank_card(text, id) {
        Some(card) => compile_without_effects(text, setup, &card, &mut diagnostics),
        None => compile(text, setup, &mut diagnostics),
    };
    compiled.ok_or(diagnostics)
}

/// Whether blanking a card removes anything. If not, all its effects are written in the rules, by its id or its kind.
pub fn can_be_blanked(text: &GameText, id: &str) -> bool {
    let card = text.content.cards.iter().find(|card| card.id.text == id);
    card.is_some_and(|card| blank_card(text, id).is_some_and(|blank| blank != *card))
}

/// Returns the fields of cards that decide in which pile a card lies, what it costs, or whether it can be chosen.
fn fields_read_by_offers(rules: &Rules) -> BTreeSet<DefId> {
    let mut found = SingleCardReads { rules, fields: BTreeSet::new(), seen: BTreeSet::new() };
    for place in &rules.places {
        if let Room::Deck { by: Some(field), .. } = &place.room {
            found.fields.insert(*field);
        }
    }
    for part in rules.phases.iter().flat_map(|phase| &phase.parts) {
        let PhasePart::Turns(turns) = part else { continue };
        for action in &turns.actions {
            action.guards.iter().for_each(|guard| found.expr(&guard.holds));
            for cost in &action.costs {
                match cost {
                    Cost::Resource(amount, _) => found.expr(amount),
                    Cost::Tokens(price) => [&price.amount, &price.symbol].into_iter().for_each(|part| found.expr(part)),
                }
            }
        }
    }
    found.fields
}

/// Collects the fields that expressions read from single cards. Sums over many cards do not count.
struct SingleCardReads<'r> {
    rules: &'r Rules,
    fields: BTreeSet<DefId>,
    seen: BTreeSet<DefId>,
}

impl SingleCardReads<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::OverCards { .. } = &expr.kind {
            return;
        }
        if let ExprKind::Field { field, .. }
        | ExprKind::FieldItem { field, .. }
        | ExprKind::ListLen { list: field, .. }
        | ExprKind::ListFirst { list: field, .. } = &expr.kind
        {
            self.fields.insert(*field);
        }
        expr.each(&mut |below| match below {
            ExprChild::Operand(part) => self.expr(part),
            ExprChild::Definition(name) => self.body(name),
            ExprChild::Contextual => {}
        });
    }

    fn body(&mut self, name: DefId) {
        if !self.seen.insert(name) {
            return;
        }
        let rules = self.rules;
        match rules.bodies.get(&name) {
            Some(Body::Value(_, value)) => self.expr(value),
            Some(Body::Quantity(quantity)) => {
                let ends = quantity.upper_bound.iter().chain(&quantity.lower_bound);
                std::iter::once(&quantity.base).chain(ends).for_each(|part| self.expr(part));
            }
            Some(Body::Rank(rank)) => self.expr(&rank.leaders),
            Some(Body::Effect(..) | Body::Purse(_)) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::blanked;
    use crate::lang::testing::{CARDS, GAME, text_of};
    use crate::lang::{Setup, compile};

    #[test]
    fn a_blank_card_lies_and_costs_as_before_and_does_nothing() {
        // The example game's huts have a toll that no rule reads; the extra rules read it.
        for (more, tolled) in [("", false), (" cost toll(card, moss) moss;", true)] {
            let rules = GAME.replace("cost price(card) wisp;", &format!("cost price(card) wisp;{more}"));
            assert_eq!(rules != GAME, tolled);
            let cards = concat!(
                "[[card]]\nid = \"den\"\nname = \"Den\"\nkind = \"hut\"\nage = 0\nheight = 3\nyield = { moss = 2 }\ncolour = \"b\"\npoints = [4]\nbite = 5\n",
                "leaves_when = \"moon > 2\"\nchange.fame = 1\n"
            );
            let (_, game) = text_of("wall", &rules, &format!("{CARDS}{cards}"));
            let blank = blanked(&game, "den");
            let figures = |text: &crate::lang::GameText| {
                let mut diagnostics = Vec::new();
                let rules = compile(text, &Setup::default(), &mut diagnostics).unwrap_or_else(|| panic!("{diagnostics:?}"));
                let den = rules.find_definition("den").unwrap();
                let at = |name: &str| rules.fields.iter().take_while(|field| field.0 != name).map(|field| field.1 as usize).sum::<usize>();
                let den = &rules.definitions[den];
                let fields = &den.fields;
                let found = [fields[at("height")], fields[at("yield") + 1], fields[at("colour")], fields[at("bite")]];
                (found, fields[at("points")] > 0, den.has_entries(), den.copies)
            };
            assert_eq!(figures(&game), ([3, 2, 1, 5], true, true, 1));
            assert_eq!(figures(&blank), ([0, if tolled { 2 } else { 0 }, 1, 2], false, false, 1));
            // Other cards are unchanged.
            let same = |at: usize| game.content.cards[at].id.text == "den" || game.content.cards[at] == blank.content.cards[at];
            assert!((0..game.content.cards.len()).all(same));
        }
    }
}
