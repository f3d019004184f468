//! What declarations are called, what lies in them, which values they have, and what can be written anew.
// What does not fit is handed back as it is; boxing it would only move the cost to what fits.
#![allow(clippy::result_large_err)]

use super::super::ast::*;
use super::{Addressed, List, Value, slug};
use crate::source::Span;

/// Which addition each sort of thing is made from.
macro_rules! additions {
    ($($variant:ident $item:ty),* $(,)?) => {
        $(impl TryFrom<Addition> for $item {
            type Error = Addition;

            fn try_from(what: Addition) -> Result<$item, Addition> {
                match what {
                    Addition::$variant(item) => Ok(item),
                    other => Err(other),
                }
            }
        })*
    };
}

additions! {
    Declaration Declaration, Member Member, Field Field, Sort TokenSort, ActionPart ActionPart, Choice Choice, Statement Statement,
    Check Check, CheckLine CheckLine, Row ScoreRow, TrackStep TrackStep, Entry Entry, Name Name,
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

/// The entries, if a value is a table.
pub(super) fn entries(value: &mut Expr) -> Vec<&mut dyn List> {
    match &mut *value.kind {
        ExprKind::By { entries, .. } => vec![&mut entries.items],
        _ => Vec::new(),
    }
}

fn bound_value(bound: &mut Bound) -> (&'static str, Value<'_>) {
    match bound {
        Bound::AtMost(value) => ("at_most", Value::Expr(value)),
        Bound::AtLeast(value) => ("at_least", Value::Expr(value)),
        Bound::RankedAs(value) => ("ranked_as", Value::Expr(value)),
    }
}

pub(super) fn text(name: &Name) -> Option<String> {
    Some(name.text.clone())
}

impl Addressed for Declaration {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        Some(match &self.kind {
            DeclarationKind::Game { .. } => "game".into(),
            DeclarationKind::Players { .. } => "players".into(),
            DeclarationKind::Option(option) => option.name.text.clone(),
            DeclarationKind::Constant { name, .. } | DeclarationKind::Tokens { name, .. } => name.text.clone(),
            DeclarationKind::Define { name, .. } | DeclarationKind::Changeable { name, .. } => name.text.clone(),
            DeclarationKind::Stat { name, .. } | DeclarationKind::Effect { name, .. } => name.text.clone(),
            DeclarationKind::Phase { name, .. } => name.text.clone(),
            DeclarationKind::Table(_) => "table".into(),
            DeclarationKind::Player(_) => "player".into(),
            DeclarationKind::Card(_) => "card".into(),
            DeclarationKind::Kind { name, .. } => format!("kind.{}", name.text),
            DeclarationKind::FieldsOf { .. } => "fields".into(),
            DeclarationKind::Zone { name, .. } => format!("zone.{}", name.text),
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
            DeclarationKind::Track { name, .. } => name.text.clone(),
            DeclarationKind::Worth { style: None, .. } => "worth".into(),
            DeclarationKind::Worth { style: Some(name), .. } => format!("style.{}", name.text),
            DeclarationKind::Agents(_) => "agents".into(),
        })
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        match &mut self.kind {
            DeclarationKind::Option(option) => match &mut option.values.choices {
                OptionChoices::One(values) | OptionChoices::Several(values) => vec![values],
                OptionChoices::Range(..) => Vec::new(),
            },
            DeclarationKind::Constant { value, .. } | DeclarationKind::Define { value, .. } => entries(value),
            DeclarationKind::Changeable { value, .. } | DeclarationKind::Stat { value, .. } => entries(value),
            DeclarationKind::Table(members) | DeclarationKind::Player(members) | DeclarationKind::Card(members) => vec![&mut members.items],
            DeclarationKind::Kind { fields, .. } => vec![&mut fields.items],
            DeclarationKind::FieldsOf { kinds, fields } => vec![&mut fields.items, kinds],
            DeclarationKind::Zone { places, .. } | DeclarationKind::Hearing { places } => vec![places],
            DeclarationKind::Symbols { names } => vec![names],
            DeclarationKind::Tokens { sorts, .. } => vec![&mut sorts.items],
            DeclarationKind::Exchange { symbols, .. } => vec![symbols],
            DeclarationKind::Effect { body, .. } => vec![&mut body.items],
            DeclarationKind::Shortage { body, .. } | DeclarationKind::Leaving { body, .. } | DeclarationKind::Dealt { body, .. } => {
                vec![&mut body.items]
            }
            DeclarationKind::Setup(parts) | DeclarationKind::Phase { parts, .. } => vec![&mut parts.items],
            DeclarationKind::Rounds(rounds) => vec![&mut rounds.phases],
            DeclarationKind::Always(checks) => vec![&mut checks.items],
            DeclarationKind::Score(rows) | DeclarationKind::Honours(rows) => vec![&mut rows.items],
            DeclarationKind::Rival { rows, .. } => vec![&mut rows.items],
            DeclarationKind::Track { steps, .. } => vec![&mut steps.items],
            DeclarationKind::Agents(lines) => vec![&mut lines.items],
            DeclarationKind::Game { .. } | DeclarationKind::Players { .. } | DeclarationKind::Rank { .. } => Vec::new(),
            DeclarationKind::Payments { .. } | DeclarationKind::Moments(_) | DeclarationKind::Needs { .. } => Vec::new(),
            DeclarationKind::Condition { .. } | DeclarationKind::Wins(_) | DeclarationKind::Worth { .. } => Vec::new(),
            DeclarationKind::Series(_) => Vec::new(),
        }
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        match &mut self.kind {
            DeclarationKind::Players { from, to } => vec![("", Value::Range(from, to))],
            DeclarationKind::Option(option) => vec![("", Value::Option(&mut option.values))],
            DeclarationKind::Constant { value, .. } | DeclarationKind::Define { value, .. } => vec![("", Value::Expr(value))],
            DeclarationKind::Condition { value, .. } => vec![("", Value::Expr(value))],
            DeclarationKind::Worth { states, value, .. } => {
                let states = states.iter_mut().map(|states| ("states", Value::Expr(states)));
                std::iter::once(("", Value::Expr(value))).chain(states).collect()
            }
            DeclarationKind::Needs { condition, .. } => vec![("", Value::Expr(condition))],
            DeclarationKind::Changeable { value, bounds, .. } | DeclarationKind::Stat { value, bounds, .. } => {
                let mut values = vec![("", Value::Expr(value))];
                values.extend(bounds.iter_mut().map(bound_value));
                values
            }
            DeclarationKind::Rank { rule, .. } => vec![("", Value::Expr(&mut rule.count))],
            DeclarationKind::Track { end, .. } => vec![("", Value::Expr(end))],
            DeclarationKind::Exchange { count, .. } => vec![("", Value::Expr(count))],
            DeclarationKind::Rounds(rounds) => rounds.count.iter_mut().map(|count| ("", Value::Expr(count))).collect(),
            DeclarationKind::Game { .. } | DeclarationKind::Table(_) | DeclarationKind::Player(_) | DeclarationKind::Card(_) => Vec::new(),
            DeclarationKind::Kind { .. } | DeclarationKind::Zone { .. } | DeclarationKind::Hearing { .. } => Vec::new(),
            DeclarationKind::FieldsOf { .. } => Vec::new(),
            DeclarationKind::Symbols { .. } | DeclarationKind::Tokens { .. } | DeclarationKind::Effect { .. } => Vec::new(),
            DeclarationKind::Shortage { .. } | DeclarationKind::Leaving { .. } | DeclarationKind::Dealt { .. } => Vec::new(),
            DeclarationKind::Setup(_)
            | DeclarationKind::Payments { .. }
            | DeclarationKind::Moments(_)
            | DeclarationKind::Agents(_)
            | DeclarationKind::Honours(_)
            | DeclarationKind::Series(_)
            | DeclarationKind::Rival { .. } => Vec::new(),
            DeclarationKind::Phase { .. } | DeclarationKind::Always(_) | DeclarationKind::Score(_) | DeclarationKind::Wins(_) => Vec::new(),
        }
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
            (DeclarationKind::Zone { places: names, .. }, Replacement::Names(new)) => *names = new,
            (DeclarationKind::Zone { places: names, .. }, with) => *names = vec![single_name(with)?],
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

/// A new value without parameters and bounds; `key: value` is one, too.
pub(super) fn plain_value(with: Replacement) -> Result<Expr, Replacement> {
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

impl Addressed for Member {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        match &self.kind {
            MemberKind::Resource { .. } | MemberKind::Counter { .. } | MemberKind::Flag { .. } | MemberKind::Each { .. } => None,
            MemberKind::Set { name, .. } | MemberKind::Tally { name, .. } | MemberKind::Deck { name, .. } => text(name),
            MemberKind::Grid { name, .. } | MemberKind::Hexes { name, .. } | MemberKind::Pool { name, .. } => text(name),
            MemberKind::Place { names, .. } => names.first().filter(|_| names.len() == 1).and_then(text),
        }
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        match &mut self.kind {
            MemberKind::Resource { names } | MemberKind::Counter { names } | MemberKind::Flag { names } => vec![names],
            MemberKind::Each { members, .. } => vec![&mut members.items],
            MemberKind::Deck { kinds, .. } => vec![kinds],
            MemberKind::Place { names, kinds, .. } if names.len() == 1 => vec![kinds],
            MemberKind::Place { names, .. } => vec![names],
            MemberKind::Set { .. }
            | MemberKind::Tally { .. }
            | MemberKind::Grid { .. }
            | MemberKind::Hexes { .. }
            | MemberKind::Pool { .. } => Vec::new(),
        }
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        match &mut self.kind {
            MemberKind::Hexes { rings, .. } => vec![("", Value::Expr(rings))],
            MemberKind::Grid { rows, columns, .. } => vec![("rows", Value::Expr(rows)), ("columns", Value::Expr(columns))],
            MemberKind::Place { limit, room, .. } => {
                let values = [("limit", limit), ("room", room)].into_iter();
                values.filter_map(|(name, value)| Some((name, Value::Expr(value.as_mut()?)))).collect()
            }
            MemberKind::Resource { .. } | MemberKind::Counter { .. } | MemberKind::Flag { .. } | MemberKind::Each { .. } => Vec::new(),
            MemberKind::Set { .. } | MemberKind::Tally { .. } | MemberKind::Deck { .. } | MemberKind::Pool { .. } => Vec::new(),
        }
    }
}

impl Addressed for Name {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        text(self)
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        Vec::new()
    }
}

impl Addressed for Field {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        match &self.kind {
            FieldKind::Slot { .. } => Some("slot".into()),
            FieldKind::Field { name, .. } => text(name),
        }
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        match &mut self.kind {
            FieldKind::Field { holds: FieldType::Of(words), .. } => vec![words],
            FieldKind::Field { .. } | FieldKind::Slot { .. } => Vec::new(),
        }
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        match &mut self.kind {
            FieldKind::Field { default, .. } => vec![("", Value::Maybe(default))],
            FieldKind::Slot { .. } => Vec::new(),
        }
    }
}

impl Addressed for TokenSort {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        text(&self.name)
    }

    fn lists(&mut self) -> Vec<&mut dyn List> {
        Vec::new()
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        vec![("", Value::Expr(&mut self.count))]
    }

    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        let Replacement::Sort { count, faces } = with else { return Err(with) };
        (self.count, self.faces) = (count, faces);
        Ok(())
    }
}
