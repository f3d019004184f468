//! Explanations in words: what stands in the rules and on cards, where, and what values are called.

use super::walk::{Scope, Walk};
use crate::engine::eval::Env;
use crate::engine::ruleset::Ruleset;
use crate::lang::Type;
use crate::lang::defs::DefId;
use crate::lang::in_words::in_words;
use crate::lang::typed::{Binary, Expr, ExprKind, Rules};
use crate::pack::RawCard;
use crate::source::{FileId, Sources, Span};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Longer texts are cut in the middle of a line.
const LONGEST: usize = 110;

/// Where texts stand, and what cards are called.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    pub sources: &'a Sources,
    /// The cards, in the order of the ruleset's definitions.
    pub cards: &'a [RawCard],
    /// What people call them.
    pub called: &'a [String],
    /// What was taken out of the texts before.
    pub taken: &'a Taken,
}

/// What stands at places of texts, in one line each, and the places by file and line: the same ones are told again and again.
pub(super) type Taken = RefCell<BTreeMap<(FileId, u32, u32), (String, Option<String>)>>;

impl Words<'_> {
    /// What stands at a place, in one line.
    pub fn slice(&self, span: Span) -> String {
        self.taken_out(span).0
    }

    /// A place as `file:line`; nothing for what was typed.
    pub fn place(&self, span: Span) -> Option<String> {
        self.taken_out(span).1
    }

    fn taken_out(&self, span: Span) -> (String, Option<String>) {
        let key = (span.file, span.start, span.end);
        if let Some(known) = self.taken.borrow().get(&key) {
            return known.clone();
        }
        let lines = self.sources.slice(span).lines().map(|line| line.split("//").next().unwrap_or(""));
        let text = balanced(lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" "));
        let text = match text.char_indices().nth(LONGEST) {
            Some((at, _)) => format!("{} …", text[..at].trim_end()),
            None => text,
        };
        let name = self.sources.name(span.file);
        let in_file = !name.is_empty() && span.end > 0 && name != super::TYPED;
        let taken = (text, in_file.then(|| format!("{name}:{}", self.sources.line_column(span).0)));
        self.taken.borrow_mut().insert(key, taken.clone());
        taken
    }

    /// Where a definition stands.
    pub fn place_of(&self, tree: &Rules, def: DefId) -> Option<String> {
        tree.defs[def].span.and_then(|span| self.place(span))
    }

    /// What a card is called, and where it stands.
    pub fn card(&self, rules: &Ruleset, piece: usize) -> (String, Option<String>) {
        let definition = rules.piece_definition[piece] as usize;
        (self.called.get(definition).cloned().unwrap_or_default(), self.cards.get(definition).and_then(|card| self.place(card.span)))
    }

    /// Where a figure of a card stands; the card, where it says nothing of it.
    fn figure(&self, rules: &Ruleset, piece: usize, field: &str) -> Option<String> {
        let card = self.cards.get(rules.piece_definition[piece] as usize)?;
        let figure = card.fields.iter().find(|(name, _)| name.text == field);
        self.place(figure.map_or(card.span, |(name, _)| name.span))
    }
}

impl<'a> Walk<'a> {
    /// A value in words.
    pub(super) fn says(&self, ty: Type, value: i64) -> String {
        let rules = self.rules();
        match usize::try_from(value) {
            Ok(piece) if ty == Type::Card && piece < rules.layout.pieces => self.words.card(rules, piece).0,
            _ => in_words(rules, &self.tree.defs, ty, value),
        }
    }

    /// What an expression is in the words of the text where it stands, and the place that is to be looked at.
    pub(super) fn told(&mut self, expr: &'a Expr, scope: &Scope<'a>, run: &Env) -> (String, Option<String>) {
        let words = self.words;
        let mut what = words.slice(expr.span);
        let mut at = words.place(expr.span);
        let mut also = Vec::new();
        match &expr.kind {
            ExprKind::Named(def) | ExprKind::Define(def, _) => at = words.place_of(self.tree, *def).or(at),
            ExprKind::Option(def) | ExprKind::AmongChosen(def, _) => at = words.place_of(self.tree, *def).or(at),
            ExprKind::Field(card, def) | ExprKind::ListLen(card, def) => {
                at = self.figure_at(card, *def, scope, run).or(at);
                also.push(card);
            }
            ExprKind::FieldItem(card, def, index) | ExprKind::ListFirst(card, def, index) => {
                at = self.figure_at(card, *def, scope, run).or(at);
                also.extend([card, index]);
            }
            ExprKind::Counter(card, _) | ExprKind::KindOf(card) | ExprKind::IsKind(card, _) | ExprKind::InPlaces(card, _) => {
                also.push(card)
            }
            ExprKind::Row(card) | ExprKind::Column(card) | ExprKind::OwnerOf(card) => also.push(card),
            ExprKind::HasAction(card) => {
                what = "the card has an action of its own".into();
                also.push(card);
            }
            ExprKind::IsCard(card, _) => also.push(card),
            // `needs NAME if CONDITION: …` holds where the condition does not.
            ExprKind::Binary(Binary::Or, first, rest) if first.span == expr.span => {
                what = format!("{}, if {}", words.slice(rest.span), words.slice(first.span));
            }
            ExprKind::Distance(from, to) => also.extend([from, to]),
            ExprKind::TallyItem(_, index) | ExprKind::Amount(index) | ExprKind::InSet(_, index) => also.push(index),
            ExprKind::Shown(symbol, _) | ExprKind::Payable(symbol, _) | ExprKind::ShownBy(_, symbol) => also.push(symbol),
            _ => {}
        }
        let mut named = Vec::new();
        for part in also {
            // A number stands there already, and so does the card that is gone through.
            let said = matches!(part.kind, ExprKind::Const(_)) || part.ty == Type::Card && matches!(part.kind, ExprKind::Local(_));
            if !said && let Some(value) = self.value(part, scope, run) {
                let says = self.says(part.ty, value);
                named.push(if part.ty == Type::Card { says } else { format!("{} is {says}", words.slice(part.span)) });
            }
        }
        if !named.is_empty() {
            what = format!("{what} ({})", named.join(", "));
        }
        (what, at)
    }

    fn figure_at(&mut self, card: &'a Expr, def: DefId, scope: &Scope<'a>, run: &Env) -> Option<String> {
        let piece = usize::try_from(self.value(card, scope, run)?).ok()?;
        self.words.figure(self.low.out, piece, &self.tree.defs[def].name)
    }
}

/// With the bracket that stands just before or behind what was taken out of a text.
fn balanced(text: String) -> String {
    let (mut open, mut missing) = (0_usize, 0_usize);
    for letter in text.chars() {
        match letter {
            '(' => open += 1,
            ')' if open == 0 => missing += 1,
            ')' => open -= 1,
            _ => {}
        }
    }
    format!("{}{text}{}", "(".repeat(missing), ")".repeat(open))
}
