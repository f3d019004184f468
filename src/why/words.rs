//! The texts for explanations: excerpts from rules and cards, their locations, and values in words.

use super::explainer::{Explainer, NameScope};
use crate::engine::eval::Env;
use crate::engine::ruleset::Ruleset;
use crate::lang::Type;
use crate::lang::defs::DefId;
use crate::lang::format_value::format_value;
use crate::lang::typed::{Expr, ExprKind, Rules};
use crate::pack::RawCard;
use crate::source::{FileId, Sources, Span};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Longest excerpt, in characters. Longer ones are cut.
const MAX_EXCERPT_LEN: usize = 110;

/// Access to source texts and to the names of cards.
#[derive(Clone, Copy)]
pub(super) struct SourceTexts<'a> {
    pub sources: &'a Sources,
    /// The cards, in the order of the definitions in the ruleset.
    pub cards: &'a [RawCard],
    /// Display names of the cards.
    pub card_names: &'a [String],
    /// Cache of the excerpts that were made before.
    pub excerpts: &'a ExcerptCache,
}

/// Cached excerpts: for a file and byte range, the text on one line and its location as file and line.
pub(super) type ExcerptCache = RefCell<BTreeMap<(FileId, u32, u32), (String, Option<String>)>>;

impl SourceTexts<'_> {
    /// Returns the source text at a location, on one line.
    pub fn slice(&self, span: Span) -> String {
        self.excerpt(span).0
    }

    /// Formats a location as `file:line`. Returns `None` for text that a user has typed.
    pub fn location_of(&self, span: Span) -> Option<String> {
        self.excerpt(span).1
    }

    fn excerpt(&self, span: Span) -> (String, Option<String>) {
        let key = (span.file, span.start, span.end);
        if let Some(known) = self.excerpts.borrow().get(&key) {
            return known.clone();
        }
        let lines = self.sources.slice(span).lines().map(|line| line.split("//").next().unwrap_or(""));
        let text = restore_brackets(lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" "));
        let text = match text.char_indices().nth(MAX_EXCERPT_LEN) {
            Some((at, _)) => format!("{} …", text[..at].trim_end()),
            None => text,
        };
        let name = self.sources.name(span.file);
        let in_file = !name.is_empty() && span.end > 0 && name != super::TYPED_FILE_NAME;
        let excerpts = (text, in_file.then(|| format!("{name}:{}", self.sources.line_column(span).0)));
        self.excerpts.borrow_mut().insert(key, excerpts.clone());
        excerpts
    }

    /// Returns the location of a definition.
    pub fn definition_location(&self, tree: &Rules, def: DefId) -> Option<String> {
        tree.defs[def].span.and_then(|span| self.location_of(span))
    }

    /// Returns the display name of a card, and its location.
    pub fn card_name_and_location(&self, rules: &Ruleset, piece: usize) -> (String, Option<String>) {
        let definition = rules.piece_definition[piece] as usize;
        (
            self.card_names.get(definition).cloned().unwrap_or_default(),
            self.cards.get(definition).and_then(|card| self.location_of(card.span)),
        )
    }

    /// Returns the location of a field of a card; of the card, if it does not write the field.
    fn field_location(&self, rules: &Ruleset, piece: usize, field: &str) -> Option<String> {
        let card = self.cards.get(rules.piece_definition[piece] as usize)?;
        let figure = card.fields.iter().find(|(name, _)| name.text == field);
        self.location_of(figure.map_or(card.span, |(name, _)| name.span))
    }
}

impl<'a> Explainer<'a> {
    /// Describes a value in words.
    pub(super) fn describe_value(&self, ty: Type, value: i64) -> String {
        let rules = self.rules();
        match usize::try_from(value) {
            Ok(piece) if ty == Type::Card && piece < rules.layout.pieces => self.source_texts.card_name_and_location(rules, piece).0,
            _ => format_value(rules, &self.tree.defs, ty, value),
        }
    }

    /// Returns the text of an expression, and the location to show for it.
    pub(super) fn text_of(&mut self, expr: &'a Expr, scope: &NameScope<'a>, run: &Env) -> (String, Option<String>) {
        let words = self.source_texts;
        let mut what = words.slice(expr.span);
        let mut at = words.location_of(expr.span);
        let mut also: Vec<&'a Expr> = Vec::new();
        match &expr.kind {
            ExprKind::Named(def) | ExprKind::Define { definition: def, .. } => at = words.definition_location(self.tree, *def).or(at),
            ExprKind::Option(def) | ExprKind::AmongChosen { option: def, .. } => at = words.definition_location(self.tree, *def).or(at),
            ExprKind::Field { card, field: def } | ExprKind::ListLen { card, list: def } => {
                at = self.evaluated_field_location(card, *def, scope, run).or(at);
                also.push(card);
            }
            ExprKind::FieldItem { card, field: def, index } | ExprKind::ListFirst { card, list: def, count: index } => {
                at = self.evaluated_field_location(card, *def, scope, run).or(at);
                also.extend([&**card, index]);
            }
            ExprKind::Counter { card, .. } | ExprKind::AllKnow { card, .. } | ExprKind::KindOf(card) | ExprKind::IsKind { card, .. } => {
                also.push(card)
            }
            ExprKind::Row(card) | ExprKind::Column(card) | ExprKind::CardOfPart(card) => also.push(card),
            ExprKind::HasAction(card) => {
                what = "the card has an action of its own".into();
                also.push(card);
            }
            ExprKind::IsCard { card, .. } => also.push(card),
            // `needs NAME if CONDITION: …` is satisfied if the condition does not hold.
            ExprKind::Or { a: first, b: rest } if first.span == expr.span => {
                what = format!("{}, if {}", words.slice(rest.span), words.slice(first.span));
            }
            ExprKind::Distance { from, to } | ExprKind::Way { from, to, .. } => also.extend([&**from, to]),
            ExprKind::TallyItem { index, .. } | ExprKind::Amount(index) | ExprKind::InSet { word: index, .. } => also.push(index),
            ExprKind::Node { operands, .. } => also.extend(operands),
            _ => {}
        }
        let mut named = Vec::new();
        for part in also {
            // The text of a number, or of the card of a loop, is its value.
            let said = matches!(part.kind, ExprKind::Const(_))
                || matches!(part.ty, Type::Card | Type::Picked) && matches!(part.kind, ExprKind::Local(_));
            if !said && let Some(value) = self.evaluate(part, scope, run) {
                let says = self.describe_value(part.ty, value);
                named.push(if part.ty == Type::Card { says } else { format!("{} is {says}", words.slice(part.span)) });
            }
        }
        if !named.is_empty() {
            what = format!("{what} ({})", named.join(", "));
        }
        (what, at)
    }

    fn evaluated_field_location(&mut self, card: &'a Expr, def: DefId, scope: &NameScope<'a>, run: &Env) -> Option<String> {
        let piece = usize::try_from(self.evaluate(card, scope, run)?).ok()?;
        self.source_texts.field_location(self.lowerer.ruleset, piece, &self.tree.defs[def].name)
    }
}

/// Adds a bracket that was cut off at either end of an excerpt.
fn restore_brackets(text: String) -> String {
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

/// Returns how what is denied is told, where both stand in the same text: `no X` denies that there is any, `all X where C` that there is one
/// for which C does not hold.
pub(super) fn subject_of_opposite(subject: &str) -> String {
    if let Some(rest) = subject.strip_prefix("no ") {
        return format!("any {rest}");
    }
    match subject.split_once(' ') {
        Some(("all" | "every", _)) => format!("any for which it is not so: {subject}"),
        _ => subject.replacen(" is not ", " is ", 1),
    }
}
