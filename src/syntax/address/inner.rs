//! What lies in declarations: its names, what lies in it, its values, and what can be written anew.

use super::super::ast::*;
use super::lists::{entries, plain_value, text};
use super::{Addressed, List, Value, slug};
use crate::source::Span;

impl Addressed for PhasePart {
    fn span(&self) -> Span {
        match self {
            PhasePart::Step(step) => step.span,
            PhasePart::Turns(turns) => turns.span,
            PhasePart::BeforeFirstAction(first) => first.span,
            PhasePart::Action(action) => action.span,
            PhasePart::Statement(statement) => statement.span,
        }
    }

    fn own_name(&self) -> Option<String> {
        match self {
            PhasePart::Step(step) => text(&step.name),
            PhasePart::Turns(_) => Some("turns".into()),
            PhasePart::BeforeFirstAction(_) => Some("before".into()),
            PhasePart::Action(action) => text(&action.name),
            PhasePart::Statement(statement) => statement.own_name(),
        }
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        match self {
            PhasePart::Step(step) => vec![&mut step.body.items],
            PhasePart::Turns(_) => Vec::new(),
            PhasePart::BeforeFirstAction(first) => vec![&mut first.body.items],
            PhasePart::Action(action) => vec![&mut action.parts.items],
            PhasePart::Statement(statement) => statement.lists(),
        }
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        match self {
            PhasePart::Turns(turns) => vec![("", Value::Maybe(&mut turns.each))],
            PhasePart::Step(step) => vec![("when", Value::When(&mut step.when))],
            PhasePart::BeforeFirstAction(_) | PhasePart::Action(_) | PhasePart::Statement(_) => Vec::new(),
        }
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        match (self, with) {
            // The block itself is a list and filled as one.
            (PhasePart::Step(step), Replacement::Block { when: Some(when), .. }) => {
                step.when = Some(when);
                Ok(())
            }
            (PhasePart::Action(action), Replacement::Action { params, parts }) => {
                (action.params, action.parts) = (params, parts);
                Ok(())
            }
            (_, with) => Err(with),
        }
    }
}

impl Addressed for ActionPart {
    fn span(&self) -> Span {
        match self {
            ActionPart::Needs { span, .. } | ActionPart::Does { span, .. } => *span,
            ActionPart::Cost(cost) => cost.span,
        }
    }

    fn own_name(&self) -> Option<String> {
        Some(match self {
            ActionPart::Needs { name, .. } => format!("needs.{}", name.text),
            ActionPart::Cost(_) => "cost".into(),
            ActionPart::Does { .. } => "does".into(),
        })
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        match self {
            ActionPart::Does { body, .. } => vec![&mut body.items],
            ActionPart::Needs { .. } | ActionPart::Cost(_) => Vec::new(),
        }
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        match self {
            ActionPart::Needs { condition, .. } => vec![("", Value::Expr(condition))],
            ActionPart::Cost(cost) => vec![("", Value::Cost(cost))],
            ActionPart::Does { .. } => Vec::new(),
        }
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        match (self, with) {
            (ActionPart::Needs { condition, reason, .. }, Replacement::Guard { condition: new, reason: why }) => {
                (*condition, *reason) = (new, why);
            }
            (ActionPart::Cost(cost), Replacement::Cost(new)) => *cost = new,
            (_, with) => return Err(with),
        }
        Ok(())
    }
}

impl Addressed for Check {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        text(&self.name)
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        vec![&mut self.body.items]
    }
}

impl Addressed for CheckLine {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        None
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        Vec::new()
    }
}

impl Addressed for TrackStep {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        Some(self.when.name())
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        vec![&mut self.body.items]
    }
}

impl Addressed for ScoreRow {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        Some(slug(&self.name.text))
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        entries(&mut self.value)
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        vec![("", Value::Expr(&mut self.value))]
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        self.value = plain_value(with)?;
        Ok(())
    }
}

impl Addressed for Entry {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        self.keys.first().and_then(text)
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        Vec::new()
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        vec![("", Value::Expr(&mut self.value))]
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        self.value = plain_value(with)?;
        Ok(())
    }
}

impl Addressed for Choice {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        match &self.offer {
            Offer::Word(word) => Some(slug(&word.text)),
            Offer::Cards { .. } | Offer::Words { .. } | Offer::Numbers { .. } | Offer::Otherwise => None,
        }
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        let mut lists: Vec<&mut dyn List> = vec![&mut self.body.items];
        lists.extend(self.otherwise.as_mut().map(|body| &mut body.items as &mut dyn List));
        lists
    }
}

impl Addressed for Statement {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        if let StatementKind::Moment { name, .. } = &self.kind {
            return text(name);
        }
        if let StatementKind::Lose { named: Some(name), .. } | StatementKind::Draw { named: Some(name), .. } = &self.kind {
            return text(name);
        }
        matches!(self.kind, StatementKind::OrderAtRandom | StatementKind::OrderBy { .. } | StatementKind::OrderFrom { .. })
            .then(|| "order".into())
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        match &mut self.kind {
            StatementKind::If { yes, no, .. } => {
                let mut lists: Vec<&mut dyn List> = vec![&mut yes.items];
                match no {
                    Some(Else::Body(body)) => lists.push(&mut body.items),
                    Some(Else::If(statement)) => lists.extend(statement.lists()),
                    None => {}
                }
                lists
            }
            StatementKind::Unless { body, .. } | StatementKind::For { body, .. } => vec![&mut body.items],
            StatementKind::Noting { body, .. } => vec![&mut body.items],
            StatementKind::Repeat { body, .. } | StatementKind::RepeatUntil { body, .. } => vec![&mut body.items],
            StatementKind::EachPlayer { body, .. } | StatementKind::EachCard { body, .. } => vec![&mut body.items],
            StatementKind::AllPlayers { body, .. } => vec![&mut body.items],
            StatementKind::PickTokens { body, .. } | StatementKind::PickSome { body, .. } => vec![&mut body.items],
            StatementKind::EachPlayerChooses { choices, .. } | StatementKind::Choose { choices } => vec![&mut choices.items],
            StatementKind::MayChoose { choices } | StatementKind::PickAny { choices } => vec![&mut choices.items],
            StatementKind::Advance { .. } => Vec::new(),
            StatementKind::Do { .. } | StatementKind::Moment { .. } | StatementKind::Gain { .. } | StatementKind::Lose { .. } => Vec::new(),
            StatementKind::Pay { .. } | StatementKind::PayMix { .. } | StatementKind::AddTo { .. } | StatementKind::Assign { .. } => {
                Vec::new()
            }
            StatementKind::Draw { .. } | StatementKind::Fill { .. } | StatementKind::MoveRow { .. } | StatementKind::Remove { .. } => {
                Vec::new()
            }
            StatementKind::PlaceAt { .. } => Vec::new(),
            StatementKind::Put { .. } | StatementKind::PlaceInSlot { .. } | StatementKind::PlaceIn { .. } => Vec::new(),
            StatementKind::Acts { .. } | StatementKind::OrderAtRandom | StatementKind::OrderBy { .. } => Vec::new(),
            StatementKind::TakeTokens { .. } | StatementKind::MoveTokens { .. } | StatementKind::MoveToken { .. } => Vec::new(),
            StatementKind::LiftTokens { .. } | StatementKind::LiftToken { .. } | StatementKind::Roll { .. } => Vec::new(),
            StatementKind::Spend { .. } | StatementKind::PassOn { .. } | StatementKind::Shuffle { .. } => Vec::new(),
            StatementKind::Swap { .. } | StatementKind::OrderFrom { .. } => Vec::new(),
        }
    }
}
