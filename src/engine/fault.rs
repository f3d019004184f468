//! Faults: run-time errors of cards and rules, with their places.

use serde::{Deserialize, Serialize};

use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// A run-time error of a card or of the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// The message: what went wrong, in one sentence.
    pub message: String,
    /// The card or rule that caused the fault; empty if unknown.
    pub owner: String,
    /// The place in the file of the card or rule.
    pub span: Option<Span>,
    /// Related places, each with an explanation.
    pub also: Vec<(Span, String)>,
    /// When the fault occurred and what was running; `None` if no game was running.
    pub trace: Option<Box<Trace>>,
}

/// The call stack of a fault, and when in the game the fault occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trace {
    /// The game's seed.
    pub seed: u64,
    /// The number of answers that had been given before the fault.
    pub decision: i32,
    /// The number of the round in which the fault occurred.
    pub round: i32,
    /// The stack frames, innermost first: name and place of each.
    pub frames: Vec<(String, Option<Span>)>,
}

impl Fault {
    /// Creates a fault without a place.
    pub fn new(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), ..Fault::default() }
    }

    /// Whether this is the same fault, perhaps of another game or with another call stack.
    pub fn is_same(&self, other: &Fault) -> bool {
        (&self.message, &self.owner, self.span) == (&other.message, &other.owner, other.span)
    }

    /// Adds the related places and the call stack to a diagnostic.
    pub fn add_to(&self, mut message: Diagnostic) -> Diagnostic {
        message = self.also.iter().fold(message, |message, (span, why)| message.also(*span, why.clone()));
        // The owner is part of the message already.
        let others = self.trace.iter().flat_map(|trace| &trace.frames).filter(|frame| !frame.0.is_empty() && frame.0 != self.owner);
        // Equal frames of a recursion are listed once, with their number.
        let mut folded: Vec<(&str, Option<Span>, usize)> = Vec::new();
        for (name, span) in others {
            match folded.iter_mut().find(|one| one.0 == name && one.1 == *span) {
                Some(one) => one.2 += 1,
                None => folded.push((name, *span, 1)),
            }
        }
        for (name, span, times) in folded {
            let words = if times == 1 { format!("in {name}") } else { format!("in {name}, {times} times within each other") };
            message = match span {
                Some(span) if Some(span) == message.span || Some(span) == self.span => message,
                Some(span) => message.also(span, words),
                None => message.trace(words),
            };
        }
        message
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.owner.is_empty() { write!(f, "{}", self.message) } else { write!(f, "{}: {}", self.owner, self.message) }
    }
}

/// The reason why execution stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Stop {
    /// A question is open: a player must answer.
    Ask,
    /// A pause was requested, or the game is over.
    Pause,
    /// A fault of the rules or of a card.
    Fault(Box<Fault>),
}

impl Stop {
    /// Creates a fault without a place.
    pub fn fault(message: impl Into<String>) -> Stop {
        Stop::Fault(Box::new(Fault::new(message)))
    }

    /// Adds the owner and the place to a fault that has none yet.
    pub(super) fn with_owner(self, owner: &str, span: Option<Span>) -> Stop {
        match self {
            Stop::Fault(mut fault) => {
                if fault.owner.is_empty() {
                    fault.owner = owner.to_string();
                }
                fault.span = fault.span.or(span);
                Stop::Fault(fault)
            }
            Stop::Ask | Stop::Pause => self,
        }
    }

    /// Converts to a fault, for callers that can neither ask nor pause.
    pub fn into_fault(self) -> Fault {
        match self {
            Stop::Fault(fault) => *fault,
            Stop::Ask => Fault::new("a question came up where nobody can be asked"),
            Stop::Pause => Fault::new("the end of the game came up in the middle of something"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn span(start: u32) -> Option<Span> {
        Some(Span { file: FileId(0), start, end: start + 1 })
    }

    fn traced(span: Option<Span>, trace: Trace) -> Fault {
        Fault { span, trace: Some(Box::new(trace)), ..Fault::new("too much") }
    }

    #[test]
    fn a_name_and_a_place_are_put_in_once() {
        let fault = Stop::fault("too much").with_owner("wolf", span(3)).with_owner("wall", span(9)).into_fault();
        assert_eq!((fault.owner.as_str(), fault.span, fault.to_string().as_str()), ("wolf", span(3), "wolf: too much"));
        assert_eq!(Stop::Ask.with_owner("wolf", None), Stop::Ask);
    }

    #[test]
    fn alike_is_the_same_fault_in_another_game() {
        let [one, other] = [1, 2].map(|seed| traced(None, Trace { seed, ..Trace::default() }));
        assert!(one.is_same(&other) && one != other && !one.is_same(&Fault::new("too little")));
    }

    #[test]
    fn a_message_tells_each_frame_that_was_running_once_and_how_often() {
        let night = ("step `night`", None);
        let howling: Vec<_> = (0..60).flat_map(|_| [("wolf", span(5)), ("owl", span(6))]).chain([night]).collect();
        let cases = [
            (None, howling, vec![(5, "in wolf, 60 times within each other"), (6, "in owl, 60 times within each other")]),
            (span(3), vec![("wolf", span(3)), ("effect `howl`", span(9)), night], vec![(9, "in effect `howl`")]),
        ];
        for (at, frames, wanted) in cases {
            let frames = frames.into_iter().map(|(name, span)| (name.to_string(), span)).collect();
            let found = traced(at, Trace { frames, ..Trace::default() }).add_to(Diagnostic::error("G201", at, "too much"));
            let told: Vec<_> = found.secondary.iter().map(|(span, told)| (span.start, told.as_str())).collect();
            assert_eq!((told, found.trace), (wanted, vec!["in step `night`".to_string()]));
        }
    }
}
