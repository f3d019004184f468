//! `then`: what must hold in the end.

use std::collections::BTreeSet;

use super::trial::{Line, Trial, Wrong, lines_of};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::edit::Meant;
use crate::engine::options::Refusal;
use crate::engine::ruleset::{Compare, Node, NodeId, Part, Ruleset};
use crate::lang::Type;
use crate::lang::seat_number;
use crate::pack::Text;

/// One line.
pub(super) struct Claim<'t> {
    line: Line<'t>,
    what: What<'t>,
}

enum What<'t> {
    /// A condition.
    Holds(NodeId),
    /// An expression against what it was after `given`: its seat, what it was, by how much, and whether it fell.
    Moved { node: NodeId, was: i64, by: NodeId, lost: bool },
    /// A named condition holds for these seats and for no other.
    Exactly { node: NodeId, seats: Vec<usize> },
    /// A seat can or cannot do something.
    Can { seat: usize, key: Line<'t>, can: bool, because: Option<Because> },
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
    for line in text.map(lines_of).unwrap_or_default() {
        match claim(trial, line) {
            Ok(what) => claims.push(Claim { line, what }),
            Err(found) => wrong.push(*found),
        }
    }
    claims
}

fn claim<'t>(trial: &mut Trial<'_>, line: Line<'t>) -> Result<What<'t>, Wrong> {
    let words = line.words();
    if words.len() > 2 && words[0].text == "log" && words[1].text == "has" {
        let text = line.slice(line.text.find("has").map_or(0, |at| at + 3), line.text.len());
        return Ok(What::Logged(quoted(text)?));
    }
    if words.len() > 2 && seat_number(words[0].text).is_some() && matches!(words[1].text, "can" | "cannot") {
        return ability(trial, line, &words);
    }
    for (word, lost) in [("gained", false), ("lost", true)] {
        if let Some((what, by)) = line.around(word)
            && !what.text.is_empty()
            && !by.text.is_empty()
        {
            let node = number(trial, what)?;
            let by = number(trial, by)?;
            return Ok(What::Moved { node, was: 0, by, lost });
        }
    }
    if let Some((name, seats)) = line.around("is") {
        let name = name.text.trim_matches('"');
        let named = trial.reader.rules().conditions.iter().find(|condition| condition.0 == name).map(|condition| condition.1);
        if let Some(node) = named {
            return Ok(What::Exactly { node, seats: seats_of(trial, seats)? });
        }
    }
    let (node, sort) = trial.read(line)?;
    if sort != Type::Truth {
        let message = format!("expected a condition, found {}", sort.words());
        return Err(Box::new(Diagnostic::error("R003", line.span(), message).label(format!("this is {}", sort.words()))));
    }
    if let Node::Const(value) = trial.reader.rules().nodes[node as usize] {
        let always = if value == 0 { "this line can never hold" } else { "this line cannot fail" };
        let found = Diagnostic::error("G130", line.span(), always).label("nothing of the game is in it");
        return Err(Box::new(found.help("write what must hold, such as `p1.x == 3`")));
    }
    Ok(What::Holds(node))
}

fn number(trial: &mut Trial<'_>, line: Line<'_>) -> Result<NodeId, Wrong> {
    let (node, sort) = trial.read(line)?;
    if sort == Type::Number {
        return Ok(node);
    }
    let message = format!("expected a number, found {}", sort.words());
    Err(Box::new(Diagnostic::error("R003", line.span(), message).label(format!("this is {}", sort.words()))))
}

fn seats_of(trial: &Trial<'_>, line: Line<'_>) -> Result<Vec<usize>, Wrong> {
    if line.text == "nobody" {
        return Ok(Vec::new());
    }
    let mut seats = Vec::new();
    let mut start = 0;
    for part in line.text.split(',') {
        seats.push(trial.seat(line.slice(start, start + part.len()))?);
        start += part.len() + 1;
    }
    seats.sort_unstable();
    Ok(seats)
}

fn quoted(line: Line<'_>) -> Result<String, Wrong> {
    match line.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(text) if !text.is_empty() => Ok(text.to_string()),
        _ => Err(line.wrong("expected words in quotes")),
    }
}

/// `p1 cannot KEY because …`, `p1 can KEY`.
fn ability<'t>(trial: &mut Trial<'_>, line: Line<'t>, words: &[Line<'t>]) -> Result<What<'t>, Wrong> {
    let seat = trial.seat(words[0])?;
    let can = words[1].text == "can";
    let after = line.text.find(words[1].text).map_or(0, |at| at + words[1].text.len());
    let rest = line.slice(after, line.text.len());
    let (key, reason) = match first_because(rest) {
        Some((key, reason)) => (key, Some(reason)),
        None => (rest, None),
    };
    let because = match reason {
        Some(reason) if can => return Err(reason.wrong("what can be done needs no reason")),
        Some(reason) if reason.text.starts_with('"') => Some(Because::Text(quoted(reason)?)),
        Some(reason) => {
            let (node, sort) = trial.read(reason)?;
            if sort != Type::Truth {
                return Err(reason.wrong(format!("expected a condition or words in quotes, found {}", sort.words())));
            }
            Some(Because::Condition { node, names: names_in(reason.text) })
        }
        None => None,
    };
    let rules = trial.rules.clone();
    let name = key.words().first().map_or("", |word| word.text);
    if !rules.actions.iter().any(|action| rules.names.text(action.name) == name) {
        let names = rules.actions.iter().map(|action| rules.names.text(action.name));
        return Err(Box::new(
            Diagnostic::error("G130", key.span(), format!("no action is called `{name}`")).label("unknown").meant(nearest(name, names)),
        ));
    }
    // What can never be chosen says nothing about the game by not being there now.
    if let Meant::Absent(_, why) = trial.game.meaning(&rules, seat, key.text)
        && let Some(stranger) = stranger(&rules, key)
    {
        let names = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        let found = Diagnostic::error("G130", stranger.span(), format!("this line cannot fail: {why}"));
        return Err(Box::new(found.label("no option has this").meant(nearest(stranger.text, names))));
    }
    Ok(What::Can { seat, key, can, because })
}

/// A word of an option's key, behind its action, that is neither a card nor a word of that action, or one too many.
fn stranger<'t>(rules: &Ruleset, key: Line<'t>) -> Option<Line<'t>> {
    let words = key.words();
    let (name, rest) = words.split_first()?;
    let action = rules.actions.iter().find(|action| rules.names.text(action.name) == name.text)?;
    let joins = |word: &str| action.params.iter().any(|param| param.word.is_some_and(|join| rules.names.text(join) == word));
    let number = |word: &str| word.strip_prefix('#').is_some_and(|number| number.parse::<usize>().is_ok());
    let mut cards = 0;
    rest.iter().copied().find(|word| {
        let card = rules.find_definition(word.text).is_some();
        cards += usize::from(card);
        !(joins(word.text) || number(word.text) || card && cards <= action.params.len())
    })
}

fn first_because(line: Line<'_>) -> Option<(Line<'_>, Line<'_>)> {
    let at = line.text.find(" because ")?;
    Some(line.split_at(at, " because ".len()))
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
            wrong.push(Diagnostic::error("G130", claim.line.span(), why).label("this cannot be worked out"));
        } else if let Err(why) = held {
            let text = claim.line.words().iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
            let mut found = Diagnostic::error("G130", claim.line.span(), format!("`{text}` does not hold"));
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
            Err(why_not(trial, claim.line, *node))
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
        What::Can { seat, key, can, because } => able(trial, *seat, *key, *can, because.as_ref()),
        What::Logged(text) => {
            if trial.game.log().iter().any(|line| line.contains(text.as_str())) {
                return Ok(());
            }
            Err(vec!["no line of the log has these words".to_string()])
        }
    }
}

/// Both values of a comparison, or where a card lies.
fn why_not(trial: &mut Trial<'_>, line: Line<'_>, node: NodeId) -> Vec<String> {
    let found = trial.reader.rules().nodes[node as usize].clone();
    let sides = match found {
        Node::Cmp(how, a, b) => Some((how, trial.value(a, 0), trial.value(b, 0))),
        _ => None,
    };
    if let Some((how, a, b)) = sides {
        let sign = match how {
            Compare::Equal => "==",
            Compare::Unequal => "!=",
            Compare::Less => "<",
            Compare::AtMost => "<=",
            Compare::More => ">",
            Compare::AtLeast => ">=",
        };
        return vec![format!("{a} {sign} {b} is not so")];
    }
    let rules = trial.rules.clone();
    let named = line.words().iter().find_map(|word| rules.find_definition(word.text));
    match named {
        Some(definition) => {
            let pieces = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
            let places: Vec<String> = pieces.map(|card| trial.game.where_is(&rules, card)).collect();
            vec![format!("it is in {}", places.join(" and in "))]
        }
        None => vec!["it is not so".to_string()],
    }
}

fn able(trial: &mut Trial<'_>, seat: usize, key: Line<'_>, can: bool, because: Option<&Because>) -> Result<(), Vec<String>> {
    let rules = trial.rules.clone();
    let (action, mut refusals) = match trial.game.meaning(&rules, seat, key.text) {
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
        return Err(vec!["nothing is against it".to_string()]);
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
    let Some(Part::Turns(turns)) = trial.rules.program.get(trial.game.program_at()) else { return false };
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
