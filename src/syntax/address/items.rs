//! All types with addresses: the name of each, what `replace` can replace in it, and which addition becomes one.
// The parameter that does not fit is handed back as it is; boxing it would only move the cost to those that fit.
#![allow(clippy::result_large_err)]

use super::super::ast::*;
use super::{Addressed, slug};
use crate::source::Span;

/// Converts an addition to the type of the list it is added to, if it is one of that type.
macro_rules! additions {
    ($($variant:ident $item:ty),* ; $($other:ident),*) => {
        $(impl TryFrom<Addition> for $item {
            type Error = Addition;

            fn try_from(what: Addition) -> Result<$item, Addition> {
                match what {
                    Addition::$variant(item) => Ok(item),
                    other => Err(other),
                }
            }
        })*

        impl Addition {
            /// Returns the addition as a node with an address.
            pub(in super::super) fn item(&mut self) -> &mut dyn Addressed {
                match self {
                    $(Addition::$variant(item) => item,)*
                    $(Addition::$other(item) => item,)*
                }
            }
        }
    };
}

additions! {
    Declaration Declaration, Member Member, Field Field, Space Space, Drawn Drawn, Sort TokenSort, ActionPart ActionPart, Choice Choice, Statement Statement,
    Check Check, CheckLine CheckLine, Row ScoreRow, TrackStep TrackStep, Entry Entry, Name Name; Part
}

impl TryFrom<Addition> for PhasePart {
    type Error = Addition;

    fn try_from(what: Addition) -> Result<PhasePart, Addition> {
        match what {
            Addition::Part(part) => Ok(part),
            Addition::Statement(statement) => Ok(PhasePart::Statement(statement)),
            other => Err(other),
        }
    }
}

impl TryFrom<Addition> for BoardPart {
    type Error = Addition;

    fn try_from(what: Addition) -> Result<BoardPart, Addition> {
        match what {
            Addition::Space(space) => Ok(BoardPart::Space(space)),
            Addition::Member(member) => Ok(BoardPart::Member(member)),
            Addition::Field(field) => Ok(BoardPart::Field(field)),
            Addition::Drawn(drawn) => Ok(BoardPart::Drawn(drawn)),
            other => Err(other),
        }
    }
}

impl TryFrom<Addition> for SpaceValue {
    type Error = Addition;

    fn try_from(what: Addition) -> Result<SpaceValue, Addition> {
        Err(what)
    }
}

impl TryFrom<Addition> for MomentDoc {
    type Error = Addition;

    fn try_from(what: Addition) -> Result<MomentDoc, Addition> {
        Err(what)
    }
}

/// Returns the words of a text without the names in braces: `bid of` for `bid {n} of {f}`.
fn words_of_text(text: &str) -> String {
    let mut outside = String::new();
    let mut inside = false;
    for character in text.chars() {
        match character {
            '{' => inside = true,
            '}' => inside = false,
            _ if inside => {}
            _ => outside.push(character),
        }
    }
    if outside.len() == text.len() { outside } else { outside.split_whitespace().collect::<Vec<_>>().join(" ") }
}

fn text(name: &Name) -> Option<String> {
    Some(name.text.clone())
}

/// Types that `replace` cannot replace as a whole, each with its name: only their values and lists can be written.
macro_rules! addressed {
    ($($item:ty: $own_name:expr),* $(,)?) => {
        $(impl Addressed for $item {
            fn span(&self) -> Span {
                self.span
            }

            fn own_name(&self) -> Option<String> {
                let own_name: fn(&$item) -> Option<String> = $own_name;
                own_name(self)
            }
        })*
    };
}

addressed! {
    Name: text,
    Check: |check| text(&check.name),
    CheckLine: |_| None,
    MomentDoc: |_| None,
    Space: |space| text(&space.name),
    Drawn: |_| Some("drawn".to_string()),
    SpaceValue: |value| text(&value.name),
    TrackStep: |step| Some(step.when.name()),
    Choice: |choice| choice.words.as_ref().map(|words| slug(&words_of_text(&words.text))),
    Field: |field| match &field.kind {
        FieldKind::Slot { .. } => Some("slot".into()),
        FieldKind::Field { name, .. } => text(name),
    },
    Member: |member| match &member.kind {
        MemberKind::Resource { .. } | MemberKind::Counter { .. } | MemberKind::Flag { .. } | MemberKind::Each { .. } => None,
        MemberKind::Set { name, .. } | MemberKind::Tally { name, .. } | MemberKind::Deck { name, .. } => text(name),
        MemberKind::Grid { name, .. } | MemberKind::Hexes { name, .. } | MemberKind::Pool { name, .. } => text(name),
        MemberKind::Place(place) => place.names.first().filter(|_| place.names.len() == 1).and_then(text),
    },
    Statement: |statement| match &statement.kind {
        StatementKind::Moment { name, .. } => text(name),
        StatementKind::Lose { named, .. } | StatementKind::Draw { named, .. } => named.as_ref().and_then(text),
        kind => Some("order".to_string()).filter(|_| kind.rule_name().starts_with("order")),
    },
}

impl Addressed for Declaration {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        Some(match &self.kind {
            DeclarationKind::Game { .. } => "game".into(),
            DeclarationKind::Players(_) => "players".into(),
            DeclarationKind::Teams(_) => "teams".into(),
            DeclarationKind::Option(option) => option.name.text.clone(),
            DeclarationKind::Constant { name, .. } | DeclarationKind::Tokens { name, .. } => name.text.clone(),
            DeclarationKind::Define { name, .. } | DeclarationKind::Changeable { name, .. } => name.text.clone(),
            DeclarationKind::Stat { name, .. } | DeclarationKind::Effect { name, .. } => name.text.clone(),
            DeclarationKind::Phase { name, .. } | DeclarationKind::Track { name, .. } => name.text.clone(),
            DeclarationKind::Table(_) => "table".into(),
            DeclarationKind::Player(_) => "player".into(),
            DeclarationKind::Card(_) => "card".into(),
            DeclarationKind::Board { name, .. } => name.text.clone(),
            DeclarationKind::Kind { name, .. } => format!("kind.{}", name.text),
            DeclarationKind::FieldsOf { .. } => "fields".into(),
            DeclarationKind::Zone { name, .. } => format!("zone.{}", name.text),
            DeclarationKind::Words { name, .. } => format!("words.{}", name.text),
            DeclarationKind::Hearing { .. } => "hearing".into(),
            DeclarationKind::Symbols { .. } => "symbols".into(),
            DeclarationKind::Exchange { .. } => "exchange".into(),
            DeclarationKind::Rank { name, .. } => format!("rank.{}", name.text),
            DeclarationKind::Condition { name, .. } => format!("condition.{}", slug(name.text())),
            DeclarationKind::Shortage { .. } => "when.short".into(),
            DeclarationKind::Dealt { .. } => "when.dealt".into(),
            DeclarationKind::Leaving { place, .. } => format!("when.leaves.{}", place.text),
            DeclarationKind::Payments { .. } => "payments".into(),
            DeclarationKind::Moments(_) => "moments".into(),
            DeclarationKind::Setup(_) => "setup".into(),
            DeclarationKind::Rounds(_) => "rounds".into(),
            DeclarationKind::Always(_) => "always".into(),
            DeclarationKind::Score(_) => "score".into(),
            DeclarationKind::Wins(_) => "wins".into(),
            DeclarationKind::Honours(_) => "honours".into(),
            DeclarationKind::Series(_) => "series".into(),
            DeclarationKind::Rival { name, .. } => format!("rival.{}", name.text),
            DeclarationKind::Needs { name, .. } => format!("needs.{}", name.text),
            DeclarationKind::Worth { style: None, .. } => "worth".into(),
            DeclarationKind::Worth { style: Some(name), .. } => format!("style.{}", name.text),
            DeclarationKind::Agents(_) => "agents".into(),
        })
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        match (&mut self.kind, with) {
            (DeclarationKind::Define { params: old, value, .. }, Replacement::Value { params, value: new, bounds })
                if bounds.is_empty() =>
            {
                *value = new;
                params.into_iter().for_each(|params| *old = params);
            }
            (
                DeclarationKind::Changeable { params: old, value, bounds, .. } | DeclarationKind::Stat { params: old, value, bounds, .. },
                Replacement::Value { params, value: new, bounds: more },
            ) => {
                (*value, *bounds) = (new, more);
                params.into_iter().for_each(|params| *old = params);
            }
            (DeclarationKind::Zone { places: names, .. } | DeclarationKind::Words { words: names, .. }, Replacement::Names(new)) => {
                *names = new
            }
            (DeclarationKind::Zone { places: names, .. } | DeclarationKind::Words { words: names, .. }, with) => {
                *names = vec![single_name(with)?]
            }
            (DeclarationKind::Option(option), Replacement::Option(values)) => option.values = values,
            (DeclarationKind::Needs { condition, reason, .. }, Replacement::Guard { condition: new, reason: why }) => {
                *condition = new;
                why.into_iter().for_each(|why| *reason = why);
            }
            (DeclarationKind::Constant { value, .. }, with) => *value = plain_value(with)?,
            (DeclarationKind::Condition { value, .. } | DeclarationKind::Worth { value, .. }, with) => *value = plain_value(with)?,
            (DeclarationKind::Rank { rule, .. }, Replacement::Rank(new)) => *rule = new,
            (DeclarationKind::Wins(rule), Replacement::Wins(new)) => *rule = new,
            (DeclarationKind::Rounds(rounds), Replacement::Rounds(new)) => *rounds = new,
            (_, with) => return Err(with),
        }
        Ok(())
    }
}

impl Addressed for BoardPart {
    fn span(&self) -> Span {
        match self {
            BoardPart::Space(space) => space.span,
            BoardPart::Member(member) => member.span,
            BoardPart::Field(field) => field.span,
            BoardPart::Drawn(drawn) => drawn.span,
        }
    }

    fn own_name(&self) -> Option<String> {
        match self {
            BoardPart::Space(space) => space.own_name(),
            BoardPart::Member(member) => member.own_name(),
            BoardPart::Field(field) => field.own_name(),
            BoardPart::Drawn(drawn) => drawn.own_name(),
        }
    }
}

impl Addressed for PhasePart {
    fn span(&self) -> Span {
        match self {
            PhasePart::Step(step) => step.span,
            PhasePart::Turns(turns) => turns.span,
            PhasePart::BeforeFirstAction(start) | PhasePart::BeforeEachTurn(start) | PhasePart::AfterEachTurn(start) => start.span,
            PhasePart::Action(action) => action.span,
            PhasePart::Statement(statement) => statement.span,
        }
    }

    fn own_name(&self) -> Option<String> {
        match self {
            PhasePart::Step(step) => text(&step.name),
            PhasePart::Turns(_) => Some("turns".into()),
            PhasePart::BeforeFirstAction(_) => Some("before".into()),
            PhasePart::BeforeEachTurn(_) => Some("each_turn".into()),
            PhasePart::AfterEachTurn(_) => Some("after_turn".into()),
            PhasePart::Action(action) => text(&action.name),
            PhasePart::Statement(statement) => statement.own_name(),
        }
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        match (self, with) {
            // The block is itself a list, and its items are replaced.
            (PhasePart::Step(step), Replacement::Block { when: Some(when), .. }) => step.when = Some(when),
            (PhasePart::Action(action), Replacement::Action { params, parts }) => (action.params, action.parts) = (params, parts),
            (_, with) => return Err(with),
        }
        Ok(())
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
            ActionPart::Needs { name: Some(name), .. } => format!("needs.{}", name.text),
            ActionPart::Needs { name: None, .. } => "needs".into(),
            ActionPart::Cost(_) => "cost".into(),
            ActionPart::Does { .. } => "does".into(),
        })
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

impl Addressed for TokenSort {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        text(&self.name)
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        let Replacement::Sort { count, faces } = with else { return Err(with) };
        (self.count, self.faces) = (count, faces);
        Ok(())
    }
}

impl Addressed for ScoreRow {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        Some(slug(&self.name.text))
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

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        self.value = plain_value(with)?;
        Ok(())
    }
}

/// Returns the value of a replacement without parameters and bounds; `key: value` counts as one.
fn plain_value(with: Replacement) -> Result<Expr, Replacement> {
    match with {
        Replacement::Value { params: None, value, bounds } if bounds.is_empty() => Ok(value),
        Replacement::Guard { condition, reason: None } => Ok(condition),
        other => Err(other),
    }
}

fn single_name(with: Replacement) -> Result<Name, Replacement> {
    match with {
        Replacement::Value { params: None, value, bounds } => match *value.kind {
            ExprKind::Name(name) if bounds.is_empty() => Ok(name),
            kind => Err(Replacement::Value { params: None, value: Expr { kind: Box::new(kind), span: value.span }, bounds }),
        },
        other => Err(other),
    }
}
