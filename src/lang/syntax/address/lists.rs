//! What each construct is called, what lies in it, which values it has, and what can be written anew.

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
    Check Check, CheckLine CheckLine, Row ScoreRow, Entry Entry, Name Name,
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
fn entries(value: &mut Expr) -> Vec<&mut dyn List> {
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

fn text(name: &Name) -> Option<String> {
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
            DeclarationKind::Zone { name, .. } => format!("zone.{}", name.text),
            DeclarationKind::Hearing { .. } => "hearing".into(),
            DeclarationKind::Symbols { .. } => "symbols".into(),
            DeclarationKind::Exchange { .. } => "exchange".into(),
            DeclarationKind::Rank { name, .. } => format!("rank.{}", name.text),
            DeclarationKind::Condition { name, .. } => format!("condition.{}", slug(name.text())),
            DeclarationKind::Shortage { .. } => "when.short".into(),
            DeclarationKind::Leaving { place, .. } => format!("when.leaves.{}", place.text),
            DeclarationKind::Setup(_) => "setup".into(),
            DeclarationKind::Rounds { .. } => "rounds".into(),
            DeclarationKind::Always(_) => "always".into(),
            DeclarationKind::Score(_) => "score".into(),
            DeclarationKind::Wins { .. } => "wins".into(),
            DeclarationKind::Worth { .. } => "worth".into(),
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
            DeclarationKind::Zone { places, .. } | DeclarationKind::Hearing { places } => vec![places],
            DeclarationKind::Symbols { names } => vec![names],
            DeclarationKind::Tokens { sorts, .. } => vec![&mut sorts.items],
            DeclarationKind::Exchange { symbols, .. } => vec![symbols],
            DeclarationKind::Effect { body, .. } => vec![&mut body.items],
            DeclarationKind::Shortage { body, .. } | DeclarationKind::Leaving { body, .. } => vec![&mut body.items],
            DeclarationKind::Setup(parts) | DeclarationKind::Phase { parts, .. } => vec![&mut parts.items],
            DeclarationKind::Rounds { phases, .. } => vec![phases],
            DeclarationKind::Always(checks) => vec![&mut checks.items],
            DeclarationKind::Score(rows) => vec![&mut rows.items],
            DeclarationKind::Game { .. } | DeclarationKind::Players { .. } | DeclarationKind::Rank { .. } => Vec::new(),
            DeclarationKind::Condition { .. } | DeclarationKind::Wins { .. } | DeclarationKind::Worth { .. } => Vec::new(),
        }
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        match &mut self.kind {
            DeclarationKind::Players { from, to } => vec![("", Value::Range(from, to))],
            DeclarationKind::Option(option) => vec![("", Value::Option(&mut option.values))],
            DeclarationKind::Constant { value, .. } | DeclarationKind::Define { value, .. } => vec![("", Value::Expr(value))],
            DeclarationKind::Condition { value, .. } | DeclarationKind::Worth { value } => vec![("", Value::Expr(value))],
            DeclarationKind::Changeable { value, bounds, .. } | DeclarationKind::Stat { value, bounds, .. } => {
                let mut values = vec![("", Value::Expr(value))];
                values.extend(bounds.iter_mut().map(bound_value));
                values
            }
            DeclarationKind::Rank { rule, .. } => vec![("", Value::Expr(&mut rule.count))],
            DeclarationKind::Rounds { count, .. } | DeclarationKind::Exchange { count, .. } => vec![("", Value::Expr(count))],
            DeclarationKind::Game { .. } | DeclarationKind::Table(_) | DeclarationKind::Player(_) | DeclarationKind::Card(_) => Vec::new(),
            DeclarationKind::Kind { .. } | DeclarationKind::Zone { .. } | DeclarationKind::Hearing { .. } => Vec::new(),
            DeclarationKind::Symbols { .. } | DeclarationKind::Tokens { .. } | DeclarationKind::Effect { .. } => Vec::new(),
            DeclarationKind::Shortage { .. } | DeclarationKind::Leaving { .. } | DeclarationKind::Setup(_) => Vec::new(),
            DeclarationKind::Phase { .. } | DeclarationKind::Always(_) | DeclarationKind::Score(_) | DeclarationKind::Wins { .. } => {
                Vec::new()
            }
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
            (DeclarationKind::Constant { value, .. }, with) => *value = plain_value(with)?,
            (DeclarationKind::Condition { value, .. } | DeclarationKind::Worth { value }, with) => *value = plain_value(with)?,
            (DeclarationKind::Rank { rule, .. }, Replacement::Rank(new)) => *rule = new,
            (DeclarationKind::Rounds { count, phases }, Replacement::Rounds { count: new, phases: all }) => (*count, *phases) = (new, all),
            (_, with) => return Err(with),
        }
        Ok(())
    }
}

/// A new value without parameters and bounds; `key: value` is one, too.
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

impl Addressed for Member {
    fn span(&self) -> Span {
        self.span
    }

    fn own_name(&self) -> Option<String> {
        match &self.kind {
            MemberKind::Resource { .. } | MemberKind::Counter { .. } | MemberKind::Flag { .. } | MemberKind::Each { .. } => None,
            MemberKind::Set { name, .. } | MemberKind::Tally { name, .. } | MemberKind::Deck { name, .. } => text(name),
            MemberKind::Grid { name, .. } | MemberKind::Pool { name, .. } => text(name),
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
            MemberKind::Set { .. } | MemberKind::Tally { .. } | MemberKind::Grid { .. } | MemberKind::Pool { .. } => Vec::new(),
        }
    }

    fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        match &mut self.kind {
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
            PhasePart::Step(step) => step.when.iter_mut().map(|when| ("when", Value::Expr(&mut when.condition))).collect(),
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
            Offer::Cards { .. } | Offer::Otherwise => None,
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
        matches!(self.kind, StatementKind::OrderAtRandom | StatementKind::OrderBy { .. }).then(|| "order".into())
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
            StatementKind::Unless { body, .. } | StatementKind::For { body, .. } | StatementKind::Repeat { body, .. } => {
                vec![&mut body.items]
            }
            StatementKind::EachPlayer { body, .. } | StatementKind::EachCard { body, .. } => vec![&mut body.items],
            StatementKind::AllPlayers { body, .. } => vec![&mut body.items],
            StatementKind::PickTokens { body, .. } | StatementKind::PickSome { body, .. } => vec![&mut body.items],
            StatementKind::EachPlayerChooses { choices, .. } | StatementKind::Choose { choices } => vec![&mut choices.items],
            StatementKind::MayChoose { choices } | StatementKind::PickAny { choices } => vec![&mut choices.items],
            StatementKind::Do { .. } | StatementKind::Moment { .. } | StatementKind::Gain { .. } | StatementKind::Lose { .. } => Vec::new(),
            StatementKind::Pay { .. } | StatementKind::PayMix { .. } | StatementKind::AddTo { .. } | StatementKind::Assign { .. } => {
                Vec::new()
            }
            StatementKind::Draw { .. } | StatementKind::Fill { .. } | StatementKind::MoveRow { .. } | StatementKind::Remove { .. } => {
                Vec::new()
            }
            StatementKind::Put { .. } | StatementKind::PlaceInSlot { .. } | StatementKind::PlaceIn { .. } => Vec::new(),
            StatementKind::Acts { .. } | StatementKind::OrderAtRandom | StatementKind::OrderBy { .. } => Vec::new(),
            StatementKind::TakeTokens { .. } | StatementKind::MoveTokens { .. } | StatementKind::MoveToken { .. } => Vec::new(),
            StatementKind::LiftTokens { .. } | StatementKind::LiftToken { .. } | StatementKind::Roll { .. } => Vec::new(),
            StatementKind::Spend { .. } => Vec::new(),
        }
    }
}
