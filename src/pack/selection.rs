//! `where = "kind is wall and age == 1"`: selects the cards of a patch. Cards are not compiled yet, so the condition is compared with their
//! text: a missing number is 0, and a missing word equals no word.

use std::collections::BTreeSet;

use crate::compare::Compare;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind};
use crate::syntax::parse_expr;

use super::cards::RawCard;
use super::problem::{BoxedDiagnostic, PackProblem};
use super::read::{Text, TomlValue};

/// Longest condition, in bytes.
const MAX_CONDITION_LEN: usize = 4000;

/// A parsed condition on cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Selection {
    /// Both conditions hold.
    And(Box<Selection>, Box<Selection>),
    /// At least one condition holds.
    Or(Box<Selection>, Box<Selection>),
    /// The condition in it does not hold.
    Not(Box<Selection>),
    /// `kind is wall`: key and word.
    Is(String, String),
    /// `age >= 2`: key, operator and number.
    Compare(String, Compare, i64),
}

impl Selection {
    /// Parses a condition: comparisons such as `KEY is WORD`, `KEY is not WORD` or `KEY == NUMBER`, combined by `and`, `or`, `not` and
    /// parentheses. `card.KEY` is the same as `KEY`. Returns `None` after a report.
    pub fn parse(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Selection> {
        let mut wrong = Vec::new();
        let read = if text.text.len() > MAX_CONDITION_LEN {
            Err(unreadable_condition(text.span, "expected a shorter condition"))
        } else {
            match parse_expr(text.span.file, &text.text, text.span.start, &mut wrong) {
                Some(parsed) => Selection::from_expr(&parsed),
                None => {
                    let told = |found: Diagnostic| {
                        let sets = found.problem() == Some(&crate::syntax::SyntaxProblem::SetsAValue);
                        let place = found.span.unwrap_or(text.span);
                        PackProblem::WhereUnread { why: missing_at_end(&text.text).unwrap_or(found.message), sets }.at(place)
                    };
                    diagnostics.extend(wrong.into_iter().map(told));
                    return None;
                }
            }
        };
        read.map_err(|wrong| diagnostics.push(*wrong)).ok()
    }

    fn from_expr(condition: &Expr) -> Result<Selection, BoxedDiagnostic> {
        let part = |part: &Expr| Selection::from_expr(part).map(Box::new);
        Ok(match &*condition.kind {
            ExprKind::Binary { op: BinaryOp::And, left, right } => Selection::And(part(left)?, part(right)?),
            ExprKind::Binary { op: BinaryOp::Or, left, right } => Selection::Or(part(left)?, part(right)?),
            ExprKind::Not(inner) => Selection::Not(part(inner)?),
            ExprKind::Is { left, not, right } => {
                let is = Selection::Is(expect_key(left)?, expect_word(right)?);
                if *not { Selection::Not(Box::new(is)) } else { is }
            }
            ExprKind::Binary { op, left, right } => match Compare::of_signs(op.sign()) {
                Some(how) => Selection::Compare(expect_key(left)?, how, expect_number(right)?),
                None => return Err(unreadable_condition(condition.span, "expected a comparison of a key with a number")),
            },
            ExprKind::Words(words) if words.len() > 1 => {
                return Err(unreadable_condition(words[1].span, "expected `is`, `==`, `!=`, `<`, `<=`, `>` or `>=`"));
            }
            _ => return Err(unreadable_condition(condition.span, "expected `KEY is WORD`, or a comparison such as `KEY == NUMBER`")),
        })
    }

    /// Whether a card satisfies the condition.
    pub fn matches(&self, card: &RawCard) -> bool {
        match self {
            Selection::And(a, b) => a.matches(card) && b.matches(card),
            Selection::Or(a, b) => a.matches(card) || b.matches(card),
            Selection::Not(a) => !a.matches(card),
            Selection::Is(key, word) => text_of_key(card, key) == Some(word.as_str()),
            Selection::Compare(key, how, number) => how.holds(number_of_key(card, key), *number),
        }
    }
}

impl Selection {
    /// Returns the keys and words of the condition that occur on no card, each with the alternatives that do occur.
    pub fn unknown_words(&self, cards: &[&RawCard]) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        self.collect_unknown_words(cards, &mut found);
        found
    }

    fn collect_unknown_words(&self, cards: &[&RawCard], found: &mut Vec<(String, Vec<String>)>) {
        const COMMON: [&str; 5] = ["id", "kind", "set", "source", "age"];
        let is_key = |key: &str| COMMON.contains(&key) || cards.iter().any(|card| field_of_card(card, key).is_some());
        let (key, word) = match self {
            Selection::And(a, b) | Selection::Or(a, b) => {
                a.collect_unknown_words(cards, found);
                return b.collect_unknown_words(cards, found);
            }
            Selection::Not(a) => return a.collect_unknown_words(cards, found),
            Selection::Is(key, word) => (key, Some(word)),
            Selection::Compare(key, ..) => (key, None),
        };
        if !is_key(key) {
            let mut keys: Vec<String> = COMMON.iter().map(ToString::to_string).collect();
            let fields: BTreeSet<&str> = cards.iter().flat_map(|card| &card.fields).map(|(name, _)| name.text.as_str()).collect();
            keys.extend(fields.into_iter().map(str::to_owned));
            found.push((key.clone(), keys));
        } else if let Some(word) = word
            && !cards.iter().any(|card| text_of_key(card, key) == Some(word))
        {
            let words: BTreeSet<&str> = cards.iter().filter_map(|card| text_of_key(card, key)).collect();
            found.push((word.clone(), words.into_iter().map(str::to_owned).collect()));
        }
    }
}

fn text_of_key<'a>(card: &'a RawCard, key: &str) -> Option<&'a str> {
    let text = match key {
        "id" => Some(&card.id),
        "kind" => Some(&card.kind),
        "set" => card.set.as_ref(),
        "source" => card.source.as_ref(),
        _ => match field_of_card(card, key) {
            Some(TomlValue::Text(text)) => Some(text),
            Some(TomlValue::Boolean(true)) => return Some("yes"),
            Some(TomlValue::Boolean(false)) => return Some("no"),
            _ => None,
        },
    };
    text.map(|text| text.text.as_str())
}

fn number_of_key(card: &RawCard, key: &str) -> i64 {
    if key == "age" {
        return card.age;
    }
    match field_of_card(card, key) {
        Some(TomlValue::Integer(number)) => *number,
        _ => 0,
    }
}

/// Returns the value of a card's field: `wall`, or `wall.wisp` for an element of a table.
fn field_of_card<'a>(card: &'a RawCard, key: &str) -> Option<&'a TomlValue> {
    let mut fields = &card.fields;
    let mut parts = key.split('.').peekable();
    while let Some(part) = parts.next() {
        let (_, value) = fields.iter().find(|(name, _)| name.text == part)?;
        match &value.value {
            TomlValue::Table(inner) if parts.peek().is_some() => fields = inner,
            value if parts.peek().is_none() => return Some(value),
            _ => return None,
        }
    }
    None
}

fn expect_key(expr: &Expr) -> Result<String, BoxedDiagnostic> {
    match &*expr.kind {
        ExprKind::Name(name) => Ok(name.text.strip_prefix("card.").unwrap_or(&name.text).to_owned()),
        _ => Err(unreadable_condition(expr.span, "expected a key of the cards")),
    }
}

fn expect_word(expr: &Expr) -> Result<String, BoxedDiagnostic> {
    match &*expr.kind {
        ExprKind::Name(name) => Ok(name.text.clone()),
        ExprKind::Truth(yes) => Ok(if *yes { "yes" } else { "no" }.to_owned()),
        _ => Err(unreadable_condition(expr.span, "expected a word")),
    }
}

fn expect_number(expr: &Expr) -> Result<i64, BoxedDiagnostic> {
    expr.literal().ok_or_else(|| unreadable_condition(expr.span, "expected a whole number"))
}

/// Describes what is missing at the end of an incomplete condition. Returns `None` if the end is complete.
fn missing_at_end(text: &str) -> Option<String> {
    let last = text.split_whitespace().next_back()?;
    match last {
        "is" | "not" => Some(format!("a word is missing after `{last}`")),
        "<" | "<=" | ">" | ">=" | "==" | "!=" => Some(format!("a whole number is missing after `{last}`")),
        _ => None,
    }
}

fn unreadable_condition(span: Span, why: impl Into<String>) -> BoxedDiagnostic {
    Box::new(PackProblem::WhereUnread { why: why.into(), sets: false }.at(span))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_cards;
    use crate::source::Sources;

    const CARD: &str =
        "[[card]]\nid = \"wisp\"\nname = \"Wisp\"\nkind = \"wolf\"\nage = 2\nset = \"first\"\nheight = 3\nbite = { wall = -1 }";

    fn select(condition: &str) -> Result<bool, String> {
        let mut sources = Sources::new();
        let mut diagnostics = Vec::new();
        let card = sources.add("wisp.toml", CARD);
        let cards = parse_cards(card, CARD, "", &mut diagnostics).cards;
        let toml = format!("where = '{condition}'");
        let file = sources.add("where.toml", &toml);
        let keys = crate::read_table(file, &toml, &mut diagnostics).unwrap();
        let selection = Selection::parse(keys[0].1.text().unwrap(), &mut diagnostics);
        match diagnostics.first() {
            None => Ok(selection.unwrap().matches(&cards[0])),
            Some(fault) => Err(format!("{} ({}) at `{}`", fault.message, fault.label, sources.slice(fault.span.unwrap()))),
        }
    }

    #[test]
    fn conditions_on_cards() {
        let table = [
            ("kind is wolf and age == 2", true),
            ("kind is wall or age < 2", false),
            ("kind is not wall", true),
            ("not (kind is wolf)", false),
            ("card.height >= 3 and bite.wall == -1", true),
            ("depth == 0 and set is first", true),
            ("kind is wall and age == 2 or id is wisp", true),
            ("age != 2", false),
            ("age > 1 and age <= 2", true),
        ];
        for (condition, holds) in table {
            assert_eq!(select(condition), Ok(holds), "{condition}");
        }
    }

    #[test]
    fn a_condition_that_cannot_be_read_shows_where() {
        let table = [
            ("kind wolf", "this `where` cannot be read (expected `is`, `==`, `!=`, `<`, `<=`, `>` or `>=`) at `wolf`"),
            ("kind is", "this `where` cannot be read (a word is missing after `is`) at `s`"),
            ("(age == 1", "this `where` cannot be read (`(` is never closed) at `(`"),
            ("age == wolf", "this `where` cannot be read (expected a whole number) at `wolf`"),
            ("age == 1 age", "this `where` cannot be read (`age` does not belong here) at `age`"),
            ("", "this `where` cannot be read (this text is empty) at ``"),
            ("age == ö§", "this `where` cannot be read (`§` has no meaning here) at `§`"),
        ];
        for (condition, fault) in table {
            assert_eq!(select(condition), Err(fault.to_owned()), "{condition}");
        }
        assert!(select(&"(".repeat(900)).is_err());
        assert!(select(&"not ".repeat(900)).is_err());
        assert!(select(&"age == 1 and ".repeat(100_000)).is_err());
    }
}
