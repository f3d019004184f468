//! `then`: what must hold in the end.

use std::collections::BTreeSet;

use super::trial::{Trial, Wrong, lines_of, words_of, written, wrong};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::edit::Meant;
use crate::engine::op::Op;
use crate::engine::options::Refusal;
use crate::engine::ruleset::{Node, NodeId, Ruleset};
use crate::lang::syntax::ast::scenario::{Because as Reason, Then};
use crate::lang::syntax::ast::{ConditionName, Expr, ExprKind, Name};
use crate::lang::syntax::{parse_then, slip_in_claim};
use crate::lang::{Type, seat_number};
use crate::pack::Text;
use crate::source::Span;

/// One line.
pub(super) struct Claim<'t> {
    span: Span,
    /// As it is written.
    text: &'t str,
    what: What,
}

enum What {
    /// A condition.
    Holds(NodeId),
    /// An expression against what it was after `given`: its seat, what it was, by how much, and whether it fell.
    Moved { node: NodeId, was: i64, by: NodeId, lost: bool },
    /// A named condition holds for these seats and for no other.
    Exactly { node: NodeId, seats: Vec<usize> },
    /// A seat can or cannot do something.
    Can { seat: usize, key: Name, can: bool, because: Option<Because> },
    /// The log has a line with these words.
    Logged(String),
}

enum Because {
    /// A part of the reason.
    Text(String),
    /// A condition, and the names in it.
    Condition { node: NodeId, names: BTreeSet<String> },
}

/// Reads all lines; what cannot be read is added to `wrong`.
pub(super) fn read<'t>(trial: &mut Trial<'_>, text: Option<&'t Text>, wrong: &mut Vec<Diagnostic>) -> Vec<Claim<'t>> {
    let mut claims = Vec::new();
    for line in lines_of(text, parse_then, wrong) {
        match claim(trial, line.kind, text) {
            Ok(what) => claims.push(Claim { span: line.span, text: written(text, line.span), what }),
            Err(found) => wrong.push(*found),
        }
    }
    claims
}

fn claim(trial: &mut Trial<'_>, line: Then, text: Option<&Text>) -> Result<What, Wrong> {
    match line {
        Then::LogHas(words) if words.text.is_empty() => Err(wrong(words.span, "expected words in quotes")),
        Then::LogHas(words) => Ok(What::Logged(words.text)),
        Then::Can { seat, key } => ability(trial, &seat, key, true, None),
        Then::Cannot { seat, key, because } => {
            let because = match because {
                None => None,
                Some(Reason::Text(words)) => Some(Because::Text(words.text)),
                Some(Reason::Condition(reason)) => {
                    let (node, sort) = trial.read(&reason)?;
                    if sort != Type::Truth {
                        let message = format!("expected a condition or words in quotes, found {}", sort.words());
                        return Err(wrong(reason.span, message));
                    }
                    Some(Because::Condition { node, names: names_in(written(text, reason.span)) })
                }
            };
            ability(trial, &seat, key, false, because)
        }
        Then::Gained { what, by } => Ok(What::Moved { node: number(trial, &what)?, was: 0, by: number(trial, &by)?, lost: false }),
        Then::Lost { what, by } => Ok(What::Moved { node: number(trial, &what)?, was: 0, by: number(trial, &by)?, lost: true }),
        Then::Exactly { condition, seats } => {
            let named = trial.reader.rules().conditions.iter().find(|named| named.0 == condition.text()).map(|named| named.1);
            let Some(node) = named else { return claim(trial, Then::Holds(is_seat(condition, seats)), text) };
            let mut seats = seats.iter().map(|seat| trial.seat(seat)).collect::<Result<Vec<usize>, Wrong>>()?;
            seats.sort_unstable();
            Ok(What::Exactly { node, seats })
        }
        Then::Holds(condition) => {
            let (node, sort) = trial.read(&condition).map_err(|found| slipped(&condition, text).unwrap_or(found))?;
            if sort != Type::Truth {
                return Err(not(Type::Truth, sort, condition.span));
            }
            if let Node::Const(value) = trial.reader.rules().nodes[node as usize] {
                let always = if value == 0 { "this line can never hold" } else { "this line cannot fail" };
                let found = Diagnostic::error("G130", condition.span, always).label("nothing of the game is in it");
                return Err(Box::new(found.help("write what must hold, such as `p1.x == 3`")));
            }
            Ok(What::Holds(node))
        }
    }
}

/// Several words that are no condition, where one of them may be a slip of what joins the others: `p1 cna fetch wolf`.
fn slipped(condition: &Expr, text: Option<&Text>) -> Option<Wrong> {
    let ExprKind::Words(_) = &*condition.kind else { return None };
    let line = written(text, condition.span);
    let (from, to, meant) = slip_in_claim(line)?;
    let place = Span { start: condition.span.start + from as u32, end: condition.span.start + to as u32, ..condition.span };
    let found = Diagnostic::error("R001", place, format!("`{}` does not belong here", line.get(from..to)?)).label("unknown");
    Some(Box::new(found.meant(Some(meant))))
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

fn number(trial: &mut Trial<'_>, value: &Expr) -> Result<NodeId, Wrong> {
    let (node, sort) = trial.read(value)?;
    if sort == Type::Number { Ok(node) } else { Err(not(Type::Number, sort, value.span)) }
}

fn not(wanted: Type, found: Type, span: Span) -> Wrong {
    let message = format!("expected {}, found {}", wanted.words(), found.words());
    Box::new(Diagnostic::error("R003", span, message).label(format!("this is {}", found.words())))
}

/// `p1 cannot KEY because …`, `p1 can KEY`.
fn ability(trial: &mut Trial<'_>, seat: &Name, key: Name, can: bool, because: Option<Because>) -> Result<What, Wrong> {
    let seat = trial.seat(seat)?;
    let rules = trial.rules.clone();
    let name = words_of(&key).next().map_or(String::new(), |word| word.text);
    if !rules.actions.iter().any(|action| rules.names.text(action.name) == name) {
        let names = rules.actions.iter().map(|action| rules.names.text(action.name));
        return Err(Box::new(
            Diagnostic::error("G130", key.span, format!("no action is called `{name}`")).label("unknown").meant(nearest(&name, names)),
        ));
    }
    // What can never be chosen says nothing about the game by not being there now.
    if let Meant::Absent(_, why) = trial.game.meaning(&rules, seat, &key.text)
        && let Some(stranger) = stranger(&rules, &key)
    {
        let names = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        let found = Diagnostic::error("G130", stranger.span, format!("this line cannot fail: {why}"));
        return Err(Box::new(found.label("no option has this").meant(nearest(&stranger.text, names))));
    }
    Ok(What::Can { seat, key, can, because })
}

/// A word of an option's key, behind its action, that is neither a card nor a word of that action, or one too many.
fn stranger(rules: &Ruleset, key: &Name) -> Option<Name> {
    let mut words = words_of(key);
    let name = words.next()?;
    let action = rules.actions.iter().find(|action| rules.names.text(action.name) == name.text)?;
    let joins = |word: &str| action.params.iter().any(|param| param.word.is_some_and(|join| rules.names.text(join) == word));
    let number = |word: &str| word.strip_prefix('#').is_some_and(|number| number.parse::<usize>().is_ok());
    let mut cards = 0;
    words.find(|word| {
        let card = rules.find_definition(&word.text).is_some();
        cards += usize::from(card);
        !(joins(&word.text) || number(&word.text) || card && cards <= action.params.len())
    })
}

/// The names of an expression: words and their parts, but no joining words.
fn names_in(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| word.chars().next().is_some_and(char::is_alphabetic))
        .filter(|word| seat_number(word).is_none() && !JOINING.contains(word))
        .map(str::to_string)
        .collect()
}

/// Words that say nothing about what a condition is about.
const JOINING: [&str; 16] = ["and", "or", "not", "is", "in", "of", "a", "the", "it", "no", "if", "then", "else", "my", "costs", "there"];

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
        let held = holds(trial, claim);
        if let Some(why) = trial.wrong_number() {
            wrong.push(Diagnostic::error("G130", claim.span, why).label("this cannot be worked out"));
        } else if let Err(why) = held {
            let text = claim.text.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut found = Diagnostic::error("G130", claim.span, format!("`{text}` does not hold"));
            let mut why = why.into_iter();
            found.label = why.next().unwrap_or_default();
            found.help = why.collect();
            wrong.push(found);
        }
    }
}

fn holds(trial: &mut Trial<'_>, claim: &Claim<'_>) -> Result<(), Vec<String>> {
    match &claim.what {
        What::Holds(node) => {
            if trial.value(*node, 0) != 0 {
                return Ok(());
            }
            Err(why_not(trial, claim.text, *node))
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
        What::Can { seat, key, can, because } => able(trial, *seat, &key.text, *can, because.as_ref()),
        What::Logged(text) => {
            if trial.game.log().iter().any(|line| line.contains(text.as_str())) {
                return Ok(());
            }
            Err(vec!["no line of the log has these words".to_string()])
        }
    }
}

/// Both values of a comparison, or where a card lies.
fn why_not(trial: &mut Trial<'_>, line: &str, node: NodeId) -> Vec<String> {
    let found = trial.reader.rules().nodes[node as usize].clone();
    if let Node::Cmp(how, a, b) = found {
        return vec![format!("{} {} {} is not so", trial.value(a, 0), how.signs(), trial.value(b, 0))];
    }
    let rules = trial.rules.clone();
    let named = line.split_whitespace().find_map(|word| rules.find_definition(word));
    match named {
        Some(definition) => {
            let pieces = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
            let places: Vec<String> = pieces.map(|card| trial.game.where_is(&rules, card)).collect();
            vec![format!("it is in {}", places.join(" and in "))]
        }
        None => vec!["it is not so".to_string()],
    }
}

fn able(trial: &mut Trial<'_>, seat: usize, key: &str, can: bool, because: Option<&Because>) -> Result<(), Vec<String>> {
    let rules = trial.rules.clone();
    let (action, mut refusals) = match trial.game.meaning(&rules, seat, key) {
        Meant::Action(action, args) => (action, trial.game.refusals(&rules, seat, action, args)),
        Meant::Absent(action, why) => (action, vec![Refusal { name: "absent".to_string(), reason: why }]),
        Meant::Unknown => return Err(vec!["there is no such action".to_string()]),
    };
    if has_passed(trial, seat) {
        let reason = format!("p{} has ended its turns", seat + 1);
        refusals.push(Refusal { name: "turn".to_string(), reason });
    }
    let reasons = |refusals: &[Refusal]| {
        let lines: Vec<String> = refusals.iter().map(|refusal| format!("{}: {}", refusal.name, refusal.reason)).collect();
        lines
    };
    if can {
        if refusals.is_empty() {
            return Ok(());
        }
        let mut why = vec!["it is refused".to_string()];
        why.extend(reasons(&refusals));
        return Err(why);
    }
    if refusals.is_empty() {
        return Err(vec!["nothing is against it".to_string(), "write `can` if that is right, else look at the position".to_string()]);
    }
    match because {
        None => Ok(()),
        Some(Because::Text(text)) if refusals.iter().any(|refusal| refusal.reason.contains(text.as_str())) => Ok(()),
        Some(Because::Text(_)) => {
            let mut why = vec!["it is refused for another reason".to_string()];
            why.extend(reasons(&refusals));
            Err(why)
        }
        Some(Because::Condition { node, names }) => {
            if trial.value(*node, seat) == 0 {
                let mut why = vec!["the condition is not so".to_string()];
                why.extend(reasons(&refusals));
                return Err(why);
            }
            let shared = refusals.iter().any(|refusal| !names.is_disjoint(&names_behind(trial, action, refusal)));
            if shared {
                return Ok(());
            }
            let mut why = vec!["what refuses it is about something else".to_string()];
            why.extend(reasons(&refusals));
            Err(why)
        }
    }
}

/// Whether a seat has ended its turns, while turns are taken.
fn has_passed(trial: &Trial<'_>, seat: usize) -> bool {
    let [Op::Turn(turns)] = trial.rules.ops.of_part(trial.game.program_at()) else { return false };
    let flag = trial.rules.turns[*turns as usize].passed as usize;
    trial.game.cells()[trial.rules.layout.seat(seat, flag)] != 0
}

/// What a refusal is about: its name, the words of its reason, and the names in the guard's expression.
fn names_behind(trial: &Trial<'_>, action: u16, refusal: &Refusal) -> BTreeSet<String> {
    let rules = trial.reader.rules();
    let mut names = names_in(&refusal.reason);
    names.insert(refusal.name.clone());
    let action = rules.names.text(rules.actions[action as usize].name);
    names.extend(trial.reader.names_in_guard(action, &refusal.name));
    names
}
