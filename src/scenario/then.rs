//! `then`: what must hold in the end.

use super::ability::{self, Ability, Because};
use super::offer::{self, Offered};
use super::outcome::{self, Outcome, all_seats, seats};
use super::problem::Problem;
use super::trial::{Trial, Wrong, lines_of, words_of, written};
use super::vain;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{Compare, NodeId};
use crate::lang::Type;
use crate::lang::in_words::in_words;
use crate::pack::Text;
use crate::source::Span;
use crate::syntax::ast::scenario::{Because as Reason, Then};
use crate::syntax::ast::{ConditionName, Expr, ExprKind, Name};
use crate::syntax::{parse_then, slip_in_claim};
use std::collections::BTreeSet;

/// One line.
pub(super) struct Claim<'t> {
    span: Span,
    /// As it is written.
    text: &'t str,
    what: What,
    /// Cards of which something is said that only a card that lies somewhere has.
    cards: Vec<NamedCard>,
}

/// A card that is named before a point: `wolf.age`.
struct NamedCard {
    id: String,
    /// What is said of it.
    member: String,
    /// Its piece, if it has one.
    node: NodeId,
}

enum What {
    /// A condition; of a comparison, what is compared.
    Holds { node: NodeId, sort: Type, sides: Option<(Compare, NodeId, NodeId)> },
    /// An expression against what it was after `given`: its seat, what it was, by how much, and whether it fell.
    Moved { node: NodeId, was: i64, by: NodeId, lost: bool },
    /// A named condition holds for these seats and for no other.
    Exactly { node: NodeId, seats: Vec<usize> },
    /// A seat can or cannot do something.
    Can(Ability),
    /// A seat is offered something, or not.
    Offered(Offered),
    /// What the game has come to.
    Outcome { outcome: Outcome, not: bool },
    /// The log has a line with these words, or none.
    Logged { words: String, not: bool },
}

/// The first line that speaks of the question that comes next, or of the end: then all lines do.
pub(super) fn looks_ahead(claims: &[Claim<'_>]) -> Option<Span> {
    let ahead = |claim: &&Claim<'_>| match &claim.what {
        What::Can(_) | What::Offered(_) => true,
        What::Outcome { outcome, .. } => outcome.looks_ahead(),
        What::Holds { .. } | What::Moved { .. } | What::Exactly { .. } | What::Logged { .. } => false,
    };
    claims.iter().find(ahead).map(|claim| claim.span)
}

/// Whether a line speaks of an open question, so that none is answered by itself.
pub(super) fn asks_for_offers(claims: &[Claim<'_>]) -> bool {
    claims.iter().any(|claim| matches!(claim.what, What::Offered(_)))
}

/// Reads all lines; what cannot be read is added to `wrong`.
pub(super) fn read<'t>(trial: &mut Trial<'_>, text: Option<&'t Text>, acts: bool, wrong: &mut Vec<Diagnostic>) -> Vec<Claim<'t>> {
    let mut claims = Vec::new();
    for line in lines_of(text, parse_then, wrong) {
        match claim(trial, line.kind, text) {
            Ok(What::Moved { .. }) if !acts => {
                wrong.push(Problem::NothingDone.at(line.span));
            }
            Ok(what) => {
                let text = written(text, line.span);
                let cards = named_cards(trial, text, line.span);
                claims.push(Claim { span: line.span, text, what, cards });
            }
            Err(found) => wrong.push(Diagnostic { span: found.span.or(Some(line.span)), ..*found }),
        }
    }
    claims
}

fn claim(trial: &mut Trial<'_>, line: Then, text: Option<&Text>) -> Result<What, Wrong> {
    match line {
        Then::LogHas { words, .. } if words.text.is_empty() => Err(Box::new(Problem::Expected { what: "words in quotes" }.at(words.span))),
        Then::LogHas { not, words } => Ok(What::Logged { words: words.text, not }),
        Then::Can { seat, key } => Ok(What::Can(ability::read(trial, &seat, key, true, None)?)),
        Then::Cannot { seat, key, because } => {
            let because = match because {
                None => None,
                Some(Reason::Text(words)) if words.text.trim().is_empty() => {
                    return Err(Box::new(Problem::AnyReason.at(words.span)));
                }
                Some(Reason::Text(words)) => Some(Because::Text(words.text)),
                Some(Reason::Condition(reason)) => {
                    let (node, sort) = trial.read(&reason)?;
                    if sort != Type::Truth {
                        let expected = "a condition or words in quotes";
                        return Err(Box::new(Problem::ExpectedType { expected, found: sort.words() }.at(reason.span)));
                    }
                    vain::expect_no_constant(trial, &reason)?;
                    Some(Because::Condition { node, names: ability::names_in(written(text, reason.span)) })
                }
            };
            Ok(What::Can(ability::read(trial, &seat, key, false, because)?))
        }
        Then::Gained { what, by } => moved(trial, &what, &by, false),
        Then::Lost { what, by } => moved(trial, &what, &by, true),
        Then::Winner(named) => {
            let mut seats = seats(trial, &named)?;
            seats.sort_unstable();
            Ok(What::Outcome { outcome: Outcome::Winner(seats), not: false })
        }
        Then::Standing(named) => Ok(What::Outcome { outcome: Outcome::Standing(all_seats(trial, &named)?), not: false }),
        Then::Honour(name) => Ok(What::Outcome { outcome: Outcome::Honour(outcome::honour(trial, name.as_ref())?), not: false }),
        Then::Order(named) => Ok(What::Outcome { outcome: Outcome::Order(all_seats(trial, &named)?), not: false }),
        Then::Over { not } => Ok(What::Outcome { outcome: Outcome::Over, not }),
        Then::Removed { not, card } => Ok(What::Outcome { outcome: Outcome::Removed(trial.definition(&card)?), not }),
        Then::Has { not, seat, card } => Ok(What::Outcome { outcome: Outcome::With(trial.seat(&seat)?, trial.definition(&card)?), not }),
        Then::Offered { not, seat, key } => Ok(What::Offered(offer::read(trial, &seat, key, not)?)),
        Then::Exactly { condition, seats } => {
            let named = trial.reader.rules().conditions.iter().find(|named| named.0 == condition.text()).map(|named| named.1);
            let Some(node) = named else { return claim(trial, Then::Holds(is_seat(condition, seats)), text) };
            let mut seats = outcome::seats(trial, &seats)?;
            seats.sort_unstable();
            Ok(What::Exactly { node, seats })
        }
        Then::Holds(condition) => {
            let (node, sort) = trial.read(&condition).map_err(|found| slipped(&condition, text).unwrap_or(found))?;
            if sort != Type::Truth {
                return Err(not(Type::Truth, sort, condition.span));
            }
            vain::expect_two_sides(&condition, text)?;
            vain::expect_uncertain(trial, &condition)?;
            let compared = if let ExprKind::Binary { left, .. } | ExprKind::Is { left, .. } = &*condition.kind { Some(left) } else { None };
            let sort = compared.and_then(|left| trial.read(left).ok()).map_or(Type::Number, |(_, sort)| sort);
            let sides = trial.reader.sides(&condition);
            Ok(What::Holds { node, sort, sides })
        }
    }
}

/// Several words that are no condition, where one of them may be a slip of what joins the others: `p1 cna fetch wolf`.
fn slipped(condition: &Expr, text: Option<&Text>) -> Option<Wrong> {
    let (ExprKind::Words(_) | ExprKind::Is { .. }) = &*condition.kind else { return None };
    let line = written(text, condition.span);
    let (from, to, meant) = slip_in_claim(line).or_else(|| {
        let first = line.split_whitespace().next()?;
        Some((0, first.len(), nearest(first, ["winner", "standing", "order", "honour", "game"])?))
    })?;
    let place =
        Span { start: condition.span.start + cast::fit::<u32>(from), end: condition.span.start + cast::fit::<u32>(to), ..condition.span };
    Some(Box::new(Problem::Misspelt { word: line.get(from..to)?.to_string(), near: meant }.at(place)))
}

/// `card.owner is p1`, where no condition is called so.
fn is_seat(left: ConditionName, seats: Vec<Name>) -> Expr {
    let (kind, span) = match left {
        ConditionName::Quoted(text) => (ExprKind::Quoted(text.clone()), text.span),
        ConditionName::Word(name) if name.text.contains(' ') => (ExprKind::Words(words_of(&name).collect()), name.span),
        ConditionName::Word(name) => (ExprKind::Name(name.clone()), name.span),
    };
    let left = Expr { kind: Box::new(kind), span };
    let [seat] = seats.as_slice() else { return left };
    let right = Expr { kind: Box::new(ExprKind::Name(seat.clone())), span: seat.span };
    Expr { kind: Box::new(ExprKind::Is { left, not: false, right }), span: span.to(seat.span) }
}

fn moved(trial: &mut Trial<'_>, what: &Expr, by: &Expr, lost: bool) -> Result<What, Wrong> {
    let node = number(trial, what)?;
    vain::expect_no_constant(trial, what)?;
    Ok(What::Moved { node, was: 0, by: number(trial, by)?, lost })
}

fn number(trial: &mut Trial<'_>, value: &Expr) -> Result<NodeId, Wrong> {
    let (node, sort) = trial.read(value)?;
    if sort == Type::Number { Ok(node) } else { Err(not(Type::Number, sort, value.span)) }
}

fn not(wanted: Type, found: Type, span: Span) -> Wrong {
    Box::new(Problem::Mismatch { expected: wanted.words(), found: found.words() }.at(span))
}

// ------------------------------------------------------------------ judging

/// Notes what numbers are before anything is done.
pub(super) fn remember(trial: &mut Trial<'_>, claims: &mut [Claim<'_>]) {
    for claim in claims {
        if let What::Moved { node, was, .. } = &mut claim.what {
            *was = trial.value(*node, 0);
        }
    }
}

/// Adds what does not hold.
pub(super) fn judge(trial: &mut Trial<'_>, claims: &[Claim<'_>], wrong: &mut Vec<Diagnostic>) {
    for claim in claims {
        if let Some(card) = claim.cards.iter().find(|card| trial.value(card.node, 0) < 0) {
            wrong.push(nowhere(trial, card, claim.span));
            continue;
        }
        let held = holds(trial, claim);
        if let Some(why) = trial.wrong_number() {
            wrong.push(Problem::NotComputed { why }.at(claim.span));
        } else if let Err(mut why) = held {
            let line = claim.text.split_whitespace().collect::<Vec<_>>().join(" ");
            why.extend(held_before(trial, claim));
            wrong.push(Problem::DoesNotHold { line, why }.at(claim.span));
        }
    }
}

/// What is added about a line that held where `when` ended, before the game went on to the question that another line asks about.
fn held_before(trial: &mut Trial<'_>, claim: &Claim<'_>) -> Option<String> {
    let before = trial.where_when_ended.take()?;
    let now = std::mem::replace(&mut trial.game, *before);
    let held = looks_ahead(std::slice::from_ref(claim)).is_none() && holds(trial, claim).is_ok();
    trial.wrong_number();
    trial.where_when_ended = Some(Box::new(std::mem::replace(&mut trial.game, now)));
    held.then(|| {
        let why = "it held where `when` ended; another line asks who wins, whether the game is over, or what is offered or can be done, so all \
                   lines are about the question that comes next";
        format!("{why}: put one of the two into a scenario of its own")
    })
}

fn holds(trial: &mut Trial<'_>, claim: &Claim<'_>) -> Result<(), Vec<String>> {
    match &claim.what {
        What::Holds { node, sort, sides } => {
            if trial.value(*node, 0) != 0 {
                return Ok(());
            }
            Err(why_not(trial, claim.text, *sides, *sort))
        }
        What::Moved { node, was, by, lost } => {
            let (now, by) = (trial.value(*node, 0), trial.value(*by, 0));
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
        What::Exactly { node, seats } => {
            let found: Vec<usize> = (0..trial.rules.players).filter(|&seat| trial.value(*node, seat) != 0).collect();
            if found == *seats {
                return Ok(());
            }
            let names: Vec<String> = found.iter().map(|seat| format!("p{}", seat + 1)).collect();
            Err(vec![if names.is_empty() { "it is nobody".to_string() } else { format!("it is {}", names.join(", ")) }])
        }
        What::Can(ability) => ability::holds(trial, ability, claim.span),
        What::Offered(offered) => offer::holds(trial, offered, claim.span),
        What::Outcome { outcome, not } => outcome::holds(trial, outcome, *not, claim.span),
        What::Logged { words, not } => {
            let line = trial.game.log().iter().find(|line| line.contains(words.as_str()));
            match line {
                Some(line) if *not => Err(vec![format!("a line of the log is `{line}`")]),
                None if !not => Err(vec!["no line of the log has these words".to_string()]),
                _ => Ok(()),
            }
        }
    }
}

/// The cards before the points of a line. A name for cards in the line itself is none of them: no card is called like one.
fn named_cards(trial: &mut Trial<'_>, line: &str, span: Span) -> Vec<NamedCard> {
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
        if let Ok((node, Type::Card)) = trial.read(&card) {
            cards.push(NamedCard { id: id.to_string(), member: member.to_string(), node });
        }
    }
    cards
}

/// A card that lies nowhere has no figures and no counters.
fn nowhere(trial: &Trial<'_>, card: &NamedCard, span: Span) -> Diagnostic {
    let NamedCard { id, member, .. } = card;
    let why = trial.rules.find_definition(id).map_or_else(String::new, |definition| outcome::lies(trial, definition));
    Problem::NotInGame { card: id.clone(), member: member.clone(), why }.at(span)
}

/// Both values of a comparison, or where a card lies.
fn why_not(trial: &mut Trial<'_>, line: &str, sides: Option<(Compare, NodeId, NodeId)>, sort: Type) -> Vec<String> {
    if let Some((how, a, b)) = sides {
        let is_plain = |side: NodeId| trial.reader.rules().graph.constant(side).is_some();
        let turned = is_plain(a) && !is_plain(b);
        let [a, b] = [a, b].map(|side| {
            let value = trial.value(side, 0);
            in_words(trial.reader.rules(), trial.reader.definitions(), sort, value)
        });
        return vec![match (matches!(sort, Type::Number | Type::Thousandths), turned) {
            (true, false) => format!("expected {}{b}, was {a}", expected(how)),
            (true, true) => format!("expected {}{a}, was {b}", expected(turned_round(how))),
            (false, _) => format!("it is {a}"),
        }];
    }
    let named = line.split_whitespace().find_map(|word| trial.rules.find_definition(word));
    match named {
        Some(definition) => vec![outcome::lies(trial, definition)],
        None => vec!["it is false".to_string()],
    }
}

/// What a comparison wants of its left side, ahead of its right side.
fn expected(how: Compare) -> &'static str {
    match how {
        Compare::Equal => "",
        Compare::Unequal => "anything but ",
        Compare::Less => "less than ",
        Compare::AtMost => "at most ",
        Compare::More => "more than ",
        Compare::AtLeast => "at least ",
    }
}

/// The same comparison with its sides exchanged.
fn turned_round(how: Compare) -> Compare {
    match how {
        Compare::Less => Compare::More,
        Compare::AtMost => Compare::AtLeast,
        Compare::More => Compare::Less,
        Compare::AtLeast => Compare::AtMost,
        Compare::Equal | Compare::Unequal => how,
    }
}
