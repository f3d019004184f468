//! A card without effect, to hold beside the card as it is: it lies where it lay and costs what it cost, and does nothing.

use super::compile::GameText;
use super::defs::{DefId, DefKind, FieldType};
use super::typed::{Below, Body, Cost, Expr, ExprKind, Kind, Part, Room, Rules};
use crate::pack::{RawCard, TomlValue};
use std::collections::BTreeSet;

impl GameText {
    /// The same game with a card blanked.
    ///
    /// What goes: its entries, when it leaves, and the figures that count something; these are as if the card did not name them, or 0
    /// where every card must. What stays: its kind, age, copies and counters, words and cards that it names, and each figure by which its
    /// deck is divided or which an action's cost or condition reads off a single card. What the rules say of it by its id, and entries of
    /// its kind, stay, too.
    pub fn blanked(&self, id: &str) -> GameText {
        let mut content = self.content.clone();
        for card in content.cards.iter_mut().filter(|card| card.id.text == id) {
            self.blank(card);
        }
        self.with_content(content)
    }

    /// Whether anything goes when a card is blanked. If not, what it does stands in the rules, by its id or its kind, and stays.
    pub fn has_blank(&self, id: &str) -> bool {
        self.content.cards.iter().filter(|card| card.id.text == id).any(|card| {
            let mut blanked = card.clone();
            self.blank(&mut blanked);
            blanked != *card
        })
    }

    fn blank(&self, card: &mut RawCard) {
        let rules = &self.checked().rules;
        if let Some(kind) = rules.defs.kind(&card.kind.text) {
            blank(card, &rules.kinds[kind as usize], rules);
        }
    }
}

fn blank(card: &mut RawCard, kind: &Kind, rules: &Rules) {
    let read = read_by_offers(rules);
    card.entries.clear();
    card.leaves_when = None;
    for field in &kind.fields {
        let declared = &rules.defs[field.def];
        let DefKind::Field(holds) = &declared.what else { continue };
        let counts = match holds {
            FieldType::Number | FieldType::Numbers | FieldType::Row | FieldType::Tokens => true,
            FieldType::Resource | FieldType::Choice(_) | FieldType::Cards => false,
        };
        if !counts || read.contains(&field.def) {
            continue;
        }
        if field.default.is_none() && *holds == FieldType::Number {
            let here = card.fields.iter_mut().filter(|(key, _)| key.text == declared.name);
            here.for_each(|(_, value)| value.value = TomlValue::Integer(0));
        } else {
            card.fields.retain(|(key, _)| key.text != declared.name);
        }
    }
}

/// The fields of which a card's pile, its price or whether it may be chosen depends.
fn read_by_offers(rules: &Rules) -> BTreeSet<DefId> {
    let mut found = Read { rules, fields: BTreeSet::new(), seen: BTreeSet::new() };
    for place in &rules.places {
        if let Room::Deck { by: Some(field), .. } = &place.room {
            found.fields.insert(*field);
        }
    }
    for part in rules.phases.iter().flat_map(|phase| &phase.parts) {
        let Part::Turns(turns) = part else { continue };
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

/// What expressions read off single cards. What is summed up over many cards is what these do, and no price.
struct Read<'r> {
    rules: &'r Rules,
    fields: BTreeSet<DefId>,
    seen: BTreeSet<DefId>,
}

impl Read<'_> {
    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::OverCards(..) = &expr.kind {
            return;
        }
        if let ExprKind::Field(_, field)
        | ExprKind::FieldItem(_, field, _)
        | ExprKind::ListLen(_, field)
        | ExprKind::ListFirst(_, field, _) = &expr.kind
        {
            self.fields.insert(*field);
        }
        let (mut parts, mut names) = (Vec::new(), Vec::new());
        expr.each(&mut |below| match below {
            Below::Part(part) => parts.push(part),
            Below::Name(name) => names.push(name),
            Below::Here => {}
        });
        parts.into_iter().for_each(|part| self.expr(part));
        names.into_iter().for_each(|name| self.body(name));
    }

    fn body(&mut self, name: DefId) {
        if !self.seen.insert(name) {
            return;
        }
        let rules = self.rules;
        match rules.bodies.get(&name) {
            Some(Body::Value(_, value)) => self.expr(value),
            Some(Body::Quantity(quantity)) => {
                let ends = quantity.most.iter().chain(&quantity.least);
                std::iter::once(&quantity.base).chain(ends).for_each(|part| self.expr(part));
            }
            Some(Body::Rank(rank)) => self.expr(&rank.leaders),
            Some(Body::Effect(..)) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::compile;
    use crate::sample::{CARDS, GAME, text_of};
    use crate::setup::Setup;

    #[test]
    fn a_blank_card_lies_and_costs_as_before_and_does_nothing() {
        // The example game's huts have a toll that nobody pays: with more rules they do.
        for (more, tolled) in [("", false), (" cost toll(card, moss) moss;", true)] {
            let rules = GAME.replace("cost price(card) wisp;", &format!("cost price(card) wisp;{more}"));
            assert_eq!(rules != GAME, tolled);
            let cards = concat!(
                "[[card]]\nid = \"den\"\nname = \"Den\"\nkind = \"hut\"\nage = 0\nheight = 3\nyield = { moss = 2 }\ncolour = \"b\"\npoints = [4]\nbite = 5\n",
                "leaves_when = \"moon > 2\"\nchange.fame = 1\n"
            );
            let (_, game) = text_of("wall", &rules, &format!("{CARDS}{cards}"));
            let blank = game.blanked("den");
            let figures = |text: &crate::GameText| {
                let mut wrong = Vec::new();
                let rules = compile(text, &Setup::default(), &mut wrong).unwrap_or_else(|| panic!("{wrong:?}"));
                let den = rules.find_definition("den").unwrap();
                let at = |name: &str| rules.fields.iter().take_while(|field| field.0 != name).map(|field| field.1 as usize).sum::<usize>();
                let den = &rules.definitions[den];
                let fields = &den.fields;
                let found = [fields[at("height")], fields[at("yield") + 1], fields[at("colour")], fields[at("bite")]];
                (found, fields[at("points")] > 0, den.speaks(), den.copies)
            };
            assert_eq!(figures(&game), ([3, 2, 1, 5], true, true, 1));
            assert_eq!(figures(&blank), ([0, if tolled { 2 } else { 0 }, 1, 2], false, false, 1));
            // The others are as they were.
            let same = |at: usize| game.content.cards[at].id.text == "den" || game.content.cards[at] == blank.content.cards[at];
            assert!((0..game.content.cards.len()).all(same));
        }
    }
}
