//! The course of a game: set-up, the phases of a round with their steps and actions, and the end.

use super::outline::{Entry, Outline};
use crate::lang::GameText;
use crate::lang::typed::{Expr, ExprKind, Phase, PhasePart, Step, Turns};
use crate::source::Sources;
use crate::table::DisplayNames;

/// Draws the course of a game. Conditions stand there as they are written in the rules.
pub fn phases(text: &GameText, sources: &Sources, title: &str, words: &DisplayNames) -> Outline {
    let (rules, drawing) = (&text.checked().rules, Drawing { sources, words });
    let ends = [
        drawing.condition(&rules.rounds).map(|rounds| words.phrases().say("{condition} in all", &[("condition", &rounds)])),
        drawing.until(&rules.until),
    ];
    let round = Entry {
        name: drawing.say("each round"),
        note: ends.into_iter().flatten().collect::<Vec<_>>().join(", "),
        inside: rules.phases.iter().map(|phase| drawing.phase(phase)).collect(),
        in_order: true,
    };
    let score = rules.score.iter().map(|(row, _)| Entry { name: words.word_name(row), ..Entry::default() });
    let entries = vec![
        Entry { name: drawing.say("set-up"), ..Entry::default() },
        round,
        Entry { name: drawing.say("the end"), note: drawing.say("what the score counts"), inside: score.collect(), in_order: false },
    ];
    Outline { title: words.phrases().say("{game}: the course of a round", &[("game", title)]), entries }
}

/// What entries are made with.
struct Drawing<'a> {
    sources: &'a Sources,
    words: &'a DisplayNames,
}

impl Drawing<'_> {
    fn say(&self, phrase: &str) -> String {
        self.words.phrases().word(phrase)
    }

    /// Returns a condition as it is written.
    fn condition(&self, expr: &Option<Expr>) -> Option<String> {
        Some(self.sources.slice(expr.as_ref()?.span).split_whitespace().collect::<Vec<_>>().join(" "))
    }

    /// Says until when something goes on.
    fn until(&self, expr: &Option<Expr>) -> Option<String> {
        self.condition(expr).map(|condition| self.words.phrases().say("until {condition}", &[("condition", &condition)]))
    }

    fn phase(&self, phase: &Phase) -> Entry {
        let inside = phase.parts.iter().filter_map(|part| match part {
            PhasePart::Step(step) => Some(self.step(step)),
            PhasePart::Turns(turns) => Some(self.turns(turns)),
            PhasePart::Do(_) => None,
        });
        Entry {
            name: self.words.word_name(&phase.name),
            note: self.until(&phase.until).unwrap_or_default(),
            inside: inside.collect(),
            in_order: true,
        }
    }

    fn step(&self, step: &Step) -> Entry {
        // What is written behind `unless` is turned round, and has the same place.
        let turned = step.when.as_ref().is_some_and(|when| matches!(&when.kind, ExprKind::Not(inner) if inner.span == when.span));
        let note = self.condition(&step.when).map(|condition| {
            let value = [("condition", condition.as_str())];
            if turned { self.words.phrases().say("unless {condition}", &value) } else { self.words.phrases().say("if {condition}", &value) }
        });
        Entry { name: self.words.word_name(&step.name), note: note.unwrap_or_default(), ..Entry::default() }
    }

    /// A player's turn: what happens around it, and its actions.
    fn turns(&self, turns: &Turns) -> Entry {
        let actions = turns.actions.iter().map(|action| {
            let passes = action.free.then(|| self.say("free"));
            Entry { name: self.words.word_name(&action.name), note: passes.unwrap_or_default(), ..Entry::default() }
        });
        let actions_each = self.condition(&turns.actions_each);
        let actions_each = actions_each.map(|count| self.words.phrases().say("{condition} in a turn", &[("condition", &count)]));
        let choice =
            Entry { name: self.say("an action"), note: actions_each.unwrap_or_default(), inside: actions.collect(), in_order: false };
        let around = |(name, is_there): (String, bool)| is_there.then(|| Entry { name, ..Entry::default() });
        let before =
            [(self.say("at the beginning of a turn"), turns.each.is_some()), (self.say("before the first turn"), turns.first.is_some())];
        let after = around((self.say("at the end of a turn"), turns.after.is_some()));
        let inside = before.into_iter().filter_map(around).chain([choice]).chain(after);
        let ends = self.until(&turns.until).or_else(|| turns.passed.map(|_| self.say("until all have passed"))).unwrap_or_default();
        Entry { name: self.say("turns"), note: ends, inside: inside.collect(), in_order: true }
    }
}
