//! `then`: checks what must hold at the end of a test.

use super::ability::{self, OptionClaim, RefusalReason};
use super::offer::{self, OfferClaim};
use super::outcome::{self, OutcomeClaim, read_all_seats, read_seats};
use super::problem::ScenarioProblem;
use super::sight::{self, SightClaim};
use super::trial::{BoxedDiagnostic, Trial, parse_lines, source_text, split_words};
use super::vain;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{Compare, NodeId};
use crate::lang::format_value::format_value;
use crate::lang::{Type, seat_number};
use crate::pack::Text;
use crate::source::Span;
use crate::syntax::ast::scenario::{Because as Reason, Then};
use crate::syntax::ast::{ConditionName, Expr, ExprKind, Name};
use crate::syntax::{misspelt_keyword_in_claim, parse_then};
use std::collections::BTreeSet;

/// A line of `then`, ready to be checked.
pub(super) struct ThenClaim<'t> {
    span: Span,
    /// The text of the line.
    text: &'t str,
    kind: ClaimKind,
    /// Cards with a property in the line. Such a card must be somewhere in the game.
    cards: Vec<NamedCard>,
}

/// A card before a point, as in `wolf.age`.
struct NamedCard {
    id: String,
    /// Name of the property after the point.
    member: String,
    /// Node that evaluates to the card's index, or to -1 if the card is nowhere.
    node: NodeId,
}

enum ClaimKind {
    /// A condition; for a comparison, also its sides.
    Holds { node: NodeId, sort: Type, sides: Option<(Compare, NodeId, NodeId)> },
    /// A change of an expression since `given`: its former value, the amount, and whether it decreased.
    Moved { node: NodeId, was: i64, by: NodeId, lost: bool },
    /// A named condition that holds for exactly these seats.
    Exactly { node: NodeId, seats: Vec<usize> },
    /// A seat can or cannot take an option.
    Can(OptionClaim),
    /// A seat is or is not offered an option.
    Offered(OfferClaim),
    /// A claim about the whole game.
    Outcome { outcome: OutcomeClaim, not: bool },
    /// A seat does or does not see something.
    Sees { sight: SightClaim, not: bool },
    /// The log does or does not have a line with these words.
    Logged { words: String, not: bool },
}

/// Returns the first line about the next question or the end of the game. If there is one, all lines are checked there.
pub(super) fn looks_ahead(claims: &[ThenClaim<'_>]) -> Option<Span> {
    let ahead = |claim: &&ThenClaim<'_>| match &claim.kind {
        ClaimKind::Can(_) | ClaimKind::Offered(_) => true,
        ClaimKind::Outcome { outcome, .. } => outcome.looks_ahead(),
        ClaimKind::Holds { .. }
        | ClaimKind::Moved { .. }
        | ClaimKind::Exactly { .. }
        | ClaimKind::Sees { .. }
        | ClaimKind::Logged { .. } => false,
    };
    claims.iter().find(ahead).map(|claim| claim.span)
}

/// Whether a line is about an open question, so that the last question must stay open.
pub(super) fn asks_for_offers(claims: &[ThenClaim<'_>]) -> bool {
    claims.iter().any(|claim| matches!(claim.kind, ClaimKind::Offered(_)))
}

/// Reads all lines. Errors are added to `wrong`.
pub(super) fn read_claims<'t>(
    trial: &mut Trial<'_>,
    text: Option<&'t Text>,
    acts: bool,
    wrong: &mut Vec<Diagnostic>,
) -> Vec<ThenClaim<'t>> {
    let mut claims = Vec::new();
    for line in parse_lines(text, parse_then, wrong) {
        match parse_claim(trial, line.kind, text) {
            Ok(ClaimKind::Moved { .. }) if !acts => {
                wrong.push(ScenarioProblem::NothingDone.at(line.span));
            }
            Ok(what) => {
                let text = source_text(text, line.span);
                let cards = cards_named_in(trial, text, line.span);
                claims.push(ThenClaim { span: line.span, text, kind: what, cards });
            }
            Err(found) => wrong.push(Diagnostic { span: found.span.or(Some(line.span)), ..*found }),
        }
    }
    claims
}

fn parse_claim(trial: &mut Trial<'_>, line: Then, text: Option<&Text>) -> Result<ClaimKind, BoxedDiagnostic> {
    match line {
        Then::LogHas { words, .. } if words.text.is_empty() => {
            Err(Box::new(ScenarioProblem::Expected { what: "words in quotes" }.at(words.span)))
        }
        Then::LogHas { not, words } => Ok(ClaimKind::Logged { words: words.text, not }),
        Then::Can { seat, key } => Ok(ClaimKind::Can(ability::read_option_claim(trial, &seat, key, true, None)?)),
        Then::Cannot { seat, key, because } => {
            let because = match because {
                None => None,
                Some(Reason::Text(words)) if words.text.trim().is_empty() => {
                    return Err(Box::new(ScenarioProblem::AnyReason.at(words.span)));
                }
                Some(Reason::Text(words)) => Some(RefusalReason::Text(words.text)),
                Some(Reason::Condition(reason)) => {
                    let (node, sort) = trial.compile(&reason)?;
                    if sort != Type::Truth {
                        let expected = "a condition or words in quotes";
                        return Err(Box::new(ScenarioProblem::ExpectedType { expected, found: sort.words() }.at(reason.span)));
                    }
                    vain::expect_no_constant(trial, &reason)?;
                    Some(RefusalReason::Condition { node, names: ability::names_in(source_text(text, reason.span)) })
                }
            };
            Ok(ClaimKind::Can(ability::read_option_claim(trial, &seat, key, false, because)?))
        }
        Then::Gained { what, by } => parse_change(trial, &what, &by, false),
        Then::Lost { what, by } => parse_change(trial, &what, &by, true),
        Then::Winner(named) => {
            let mut seats = read_seats(trial, &named)?;
            seats.sort_unstable();
            Ok(ClaimKind::Outcome { outcome: OutcomeClaim::Winner(seats), not: false })
        }
        Then::Standing(named) => Ok(ClaimKind::Outcome { outcome: OutcomeClaim::Standing(read_all_seats(trial, &named)?), not: false }),
        Then::Honour(name) => {
            Ok(ClaimKind::Outcome { outcome: OutcomeClaim::Honour(outcome::find_honour_row(trial, name.as_ref())?), not: false })
        }
        Then::Order(named) => Ok(ClaimKind::Outcome { outcome: OutcomeClaim::Order(read_all_seats(trial, &named)?), not: false }),
        Then::Over { not } => Ok(ClaimKind::Outcome { outcome: OutcomeClaim::Over, not }),
        Then::Removed { not, card } => Ok(ClaimKind::Outcome { outcome: OutcomeClaim::Removed(trial.find_definition(&card)?), not }),
        Then::Has { not, seat, card } => {
            Ok(ClaimKind::Outcome { outcome: OutcomeClaim::With(trial.find_seat(&seat)?, trial.find_definition(&card)?), not })
        }
        Then::Sees { not, seat, what } => Ok(ClaimKind::Sees { sight: sight::read_sight_claim(trial, &seat, &what)?, not }),
        Then::Offered { not, seat, key } => Ok(ClaimKind::Offered(offer::read_offer_claim(trial, &seat, key, not)?)),
        Then::Exactly { condition, seats } => {
            let named = trial.reader.rules().conditions.iter().find(|named| named.0 == condition.text()).map(|named| named.1);
            let Some(node) = named else { return parse_claim(trial, Then::Holds(owner_condition(condition, seats)), text) };
            let mut seats = outcome::read_seats(trial, &seats)?;
            seats.sort_unstable();
            Ok(ClaimKind::Exactly { node, seats })
        }
        Then::Holds(condition) => {
            let (node, sort) = trial.compile(&condition).map_err(|found| suggest_correction(&condition, text).unwrap_or(found))?;
            if sort != Type::Truth {
                return Err(type_mismatch(Type::Truth, sort, condition.span));
            }
            vain::expect_two_sides(&condition, text)?;
            vain::expect_uncertain(trial, &condition)?;
            let compared = if let ExprKind::Binary { left, .. } | ExprKind::Is { left, .. } = &*condition.kind { Some(left) } else { None };
            let sort = compared.and_then(|left| trial.compile(left).ok()).map_or(Type::Number, |(_, sort)| sort);
            let sides = trial.reader.sides(&condition);
            Ok(ClaimKind::Holds { node, sort, sides })
        }
    }
}

/// Suggests a correction for words that are not a condition but resemble another form of line: `p1 cna fetch wolf`.
fn suggest_correction(condition: &Expr, text: Option<&Text>) -> Option<BoxedDiagnostic> {
    let line = source_text(text, condition.span);
    if let Some(near) = negated_verb(line) {
        let end = condition.span.start + cast::fit::<u32>("not".len());
        return Some(Box::new(ScenarioProblem::Misspelt { word: "not".to_string(), near }.at(Span { end, ..condition.span })));
    }
    let (ExprKind::Words(_) | ExprKind::Is { .. }) = &*condition.kind else { return None };
    let (from, to, meant) = misspelt_keyword_in_claim(line).or_else(|| {
        let first = line.split_whitespace().next()?;
        Some((0, first.len(), nearest(first, ["winner", "standing", "order", "honour", "game"])?))
    })?;
    let place =
        Span { start: condition.span.start + cast::fit::<u32>(from), end: condition.span.start + cast::fit::<u32>(to), ..condition.span };
    Some(Box::new(ScenarioProblem::Misspelt { word: line.get(from..to)?.to_string(), near: meant }.at(place)))
}

/// Returns what stands in place of the verb of a claim about a player that has `not` ahead of it: `not p1 is offered …`.
fn negated_verb(line: &str) -> Option<&'static str> {
    let mut words = line.strip_prefix("not ")?.split_whitespace();
    seat_number(words.next()?)?;
    match (words.next()?, words.next()?) {
        ("is", "offered") => Some("is not offered"),
        ("can", _) => Some("cannot"),
        _ => None,
    }
}

/// Makes `card.owner is p1` from a line such as `… is p1`, or `… is nobody`, whose left side is not a condition.
fn owner_condition(left: ConditionName, seats: Vec<Name>) -> Expr {
    let (kind, span) = match left {
        ConditionName::Quoted(text) => (ExprKind::Quoted(text.clone()), text.span),
        ConditionName::Word(name) if name.text.contains(' ') => (ExprKind::Words(split_words(&name).collect()), name.span),
        ConditionName::Word(name) => (ExprKind::Name(name.clone()), name.span),
    };
    let left = Expr { kind: Box::new(kind), span };
    let right = match seats.as_slice() {
        // The word stands behind the left side.
        [] => Name { text: "nobody".to_string(), span: Span { start: span.end, ..span } },
        [seat] => seat.clone(),
        _ => return left,
    };
    let whole = span.to(right.span);
    let right = Expr { span: right.span, kind: Box::new(ExprKind::Name(right)) };
    Expr { kind: Box::new(ExprKind::Is { left, not: false, right }), span: whole }
}

fn parse_change(trial: &mut Trial<'_>, what: &Expr, by: &Expr, lost: bool) -> Result<ClaimKind, BoxedDiagnostic> {
    let node = compile_number(trial, what)?;
    vain::expect_no_constant(trial, what)?;
    Ok(ClaimKind::Moved { node, was: 0, by: compile_number(trial, by)?, lost })
}

fn compile_number(trial: &mut Trial<'_>, value: &Expr) -> Result<NodeId, BoxedDiagnostic> {
    let (node, sort) = trial.compile(value)?;
    if sort == Type::Number { Ok(node) } else { Err(type_mismatch(Type::Number, sort, value.span)) }
}

fn type_mismatch(wanted: Type, found: Type, span: Span) -> BoxedDiagnostic {
    Box::new(ScenarioProblem::Mismatch { expected: wanted.words(), found: found.words() }.at(span))
}

// ------------------------------------------------------------------ judging

/// Stores the values of expressions before any moves are made.
pub(super) fn store_values(trial: &mut Trial<'_>, claims: &mut [ThenClaim<'_>]) {
    for claim in claims {
        if let ClaimKind::Moved { node, was, .. } = &mut claim.kind {
            *was = trial.evaluate(*node, 0);
        }
    }
}

/// Checks all lines. Those that do not hold are added to `wrong`.
pub(super) fn check_claims(trial: &mut Trial<'_>, claims: &[ThenClaim<'_>], wrong: &mut Vec<Diagnostic>) {
    for claim in claims {
        if let Some(card) = claim.cards.iter().find(|card| trial.evaluate(card.node, 0) < 0) {
            wrong.push(card_not_in_game(trial, card, claim.span));
            continue;
        }
        let held = check_claim(trial, claim);
        if let Some(why) = trial.take_arithmetic_error() {
            wrong.push(ScenarioProblem::NotComputed { why }.at(claim.span));
        } else if let Err(mut why) = held {
            let line = claim.text.split_whitespace().collect::<Vec<_>>().join(" ");
            why.extend(held_before(trial, claim));
            wrong.push(ScenarioProblem::DoesNotHold { line, why }.at(claim.span));
        }
    }
}

/// Writes a note about a line that held after `when`, but not at the next question.
fn held_before(trial: &mut Trial<'_>, claim: &ThenClaim<'_>) -> Option<String> {
    let before = trial.after_when.take()?;
    let now = std::mem::replace(&mut trial.game, *before);
    let held = looks_ahead(std::slice::from_ref(claim)).is_none() && check_claim(trial, claim).is_ok();
    trial.take_arithmetic_error();
    trial.after_when = Some(Box::new(std::mem::replace(&mut trial.game, now)));
    held.then(|| {
        let why = "it held where `when` ended; another line asks who wins, whether the game is over, or what is offered or can be done, so all \
                   lines are about the question that comes next";
        format!("{why}: put one of the two into a scenario of its own")
    })
}

fn check_claim(trial: &mut Trial<'_>, claim: &ThenClaim<'_>) -> Result<(), Vec<String>> {
    match &claim.kind {
        ClaimKind::Holds { node, sort, sides } => {
            if trial.evaluate(*node, 0) != 0 {
                return Ok(());
            }
            Err(failure_details(trial, claim.text, *sides, *sort))
        }
        ClaimKind::Moved { node, was, by, lost } => {
            let (now, by) = (trial.evaluate(*node, 0), trial.evaluate(*by, 0));
            let moved = if *lost { was - now } else { now - was };
            if moved == by {
                return Ok(());
            }
            let found = match now - was {
                0 => "nothing changed".to_string(),
                more if more > 0 => format!("gained {more}"),
                less => format!("lost {}", -less),
            };
            Err(vec![format!("{found}: it was {was} and is {now}")])
        }
        ClaimKind::Exactly { node, seats } => {
            let found: Vec<usize> = (0..trial.rules.players).filter(|&seat| trial.evaluate(*node, seat) != 0).collect();
            if found == *seats {
                return Ok(());
            }
            let names: Vec<String> = found.iter().map(|seat| format!("p{}", seat + 1)).collect();
            Err(vec![if names.is_empty() { "it is nobody".to_string() } else { format!("it is {}", names.join(", ")) }])
        }
        ClaimKind::Can(ability) => ability::check_option_claim(trial, ability, claim.span),
        ClaimKind::Offered(offered) => offer::check_offer_claim(trial, offered, claim.span),
        ClaimKind::Outcome { outcome, not } => outcome::check_outcome_claim(trial, outcome, *not, claim.span),
        ClaimKind::Sees { sight, not } => sight::check_sight_claim(trial, sight, *not),
        ClaimKind::Logged { words, not } => {
            let line = trial.game.log().iter().find(|line| line.contains(words.as_str()));
            match line {
                Some(line) if *not => Err(vec![format!("a line of the log is `{line}`")]),
                None if !not => Err(vec!["no line of the log has these words".to_string()]),
                _ => Ok(()),
            }
        }
    }
}

/// Returns the cards before points in a line. Names that the line itself declares are not cards.
fn cards_named_in(trial: &mut Trial<'_>, line: &str, span: Span) -> Vec<NamedCard> {
    let unquoted: String = line.split('"').step_by(2).collect::<Vec<_>>().join(" ");
    let words = unquoted.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
    let pairs: BTreeSet<(&str, &str)> = words.filter_map(|word| word.split_once('.')).collect();
    let mut cards = Vec::new();
    for (id, member) in pairs {
        if trial.rules.find_definition(id).is_none() {
            continue;
        }
        let name = Name { text: id.to_string(), span };
        let card = Expr { kind: Box::new(ExprKind::Name(name)), span };
        if let Ok((node, Type::Card)) = trial.compile(&card) {
            cards.push(NamedCard { id: id.to_string(), member: member.to_string(), node });
        }
    }
    cards
}

/// Builds the diagnostic for a card that is nowhere in the game and so has no properties.
fn card_not_in_game(trial: &Trial<'_>, card: &NamedCard, span: Span) -> Diagnostic {
    let NamedCard { id, member, .. } = card;
    let why = trial.rules.find_definition(id).map_or_else(String::new, |definition| outcome::describe_location(trial, definition));
    ScenarioProblem::NotInGame { card: id.clone(), member: member.clone(), why }.at(span)
}

/// Describes why a line does not hold: both values of a comparison, or where a card is.
fn failure_details(trial: &mut Trial<'_>, line: &str, sides: Option<(Compare, NodeId, NodeId)>, sort: Type) -> Vec<String> {
    if let Some((how, a, b)) = sides {
        let is_plain = |side: NodeId| trial.reader.rules().graph.constant(side).is_some();
        let turned = is_plain(a) && !is_plain(b);
        let [a, b] = [a, b].map(|side| {
            let value = trial.evaluate(side, 0);
            format_value(trial.reader.rules(), trial.reader.definitions(), sort, value)
        });
        return vec![match (matches!(sort, Type::Number | Type::Thousandths), turned) {
            (true, false) => format!("expected {}{b}, was {a}", expected_relation(how)),
            (true, true) => format!("expected {}{a}, was {b}", expected_relation(mirror_comparison(how))),
            (false, _) => format!("it is {a}"),
        }];
    }
    let named = line.split_whitespace().find_map(|word| trial.rules.find_definition(word));
    match named {
        Some(definition) => vec![outcome::describe_location(trial, definition)],
        None => vec!["it is false".to_string()],
    }
}

/// Returns the expected relation of the left side to the right side, in words.
fn expected_relation(how: Compare) -> &'static str {
    match how {
        Compare::Equal => "",
        Compare::Unequal => "anything but ",
        Compare::Less => "less than ",
        Compare::AtMost => "at most ",
        Compare::More => "more than ",
        Compare::AtLeast => "at least ",
    }
}

/// Returns the comparison that holds when the two sides are exchanged: `<` becomes `>`.
fn mirror_comparison(how: Compare) -> Compare {
    match how {
        Compare::Less => Compare::More,
        Compare::AtMost => Compare::AtLeast,
        Compare::More => Compare::Less,
        Compare::AtLeast => Compare::AtMost,
        Compare::Equal | Compare::Unequal => how,
    }
}
