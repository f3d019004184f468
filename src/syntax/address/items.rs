//! All types with addresses: the name of each, what `replace` can replace in it, and which addition becomes one.

use super::super::ast::*;
use super::{Addressed, slug};
use crate::source::Span;
use std::convert::identity;

/// Converts an addition to an item of a list, if it is one of those that can stand there; a function makes the item of it.
macro_rules! items {
    ($($item:ty: $($variant:ident $made:path),*;)*) => {
        $(impl From<Addition> for Option<$item> {
            fn from(what: Addition) -> Option<$item> {
                match what {
                    $(Addition::$variant(item) => Some($made(item)),)*
                    _ => None,
                }
            }
        })*
    };
}

/// Implements additions: first those that are the items of a list themselves.
macro_rules! additions {
    ($($variant:ident $item:ty),* ; $($other:ident),*) => {
        items! { $($item: $variant identity;)* }

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
    Declaration Declaration, Member Member, Field Field, Space Space, Sort TokenSort, ActionPart ActionPart, Choice Choice, Statement Statement,
    Check Check, CheckLine CheckLine, Row ScoreRow, TrackStep TrackStep, Entry Entry, Name Name; Drawn, Means, Part
}

items! {
    PhasePart: Part identity, Statement PhasePart::Statement;
    BoardPart: Space BoardPart::Space, Member BoardPart::Member, Field BoardPart::Field, Drawn BoardPart::Drawn;
    SpaceValue: ;
    Means: Means identity, Name Means::of_name;
    MomentDoc: ;
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

/// Implements types with addresses: the name of each, and what `replace` replaces in it; without that, only its values and lists can be
/// written.
macro_rules! addressed {
    ($($item:ty: $own_name:expr $(=> $replace:expr)?),* $(,)?) => {
        $(impl Addressed for $item {
            fn span(&self) -> Span {
                self.span
            }

            fn own_name(&self) -> Option<String> {
                let own_name: fn(&$item) -> Option<String> = $own_name;
                own_name(self)
            }

            $(fn replace(&mut self, with: Replacement) -> Option<()> {
                let replace: fn(&mut $item, Replacement) -> Option<()> = $replace;
                replace(self, with)
            })?
        })*
    };
}

addressed! {
    Declaration: |declaration| Some(name_of_declaration(&declaration.kind)) => |declaration, with| replace_declaration(&mut declaration.kind, with),
    TokenSort: |sort| text(&sort.name) => |sort, with| {
        let Replacement::Sort { count, faces } = with else { return None };
        (sort.count, sort.faces) = (count, faces);
        Some(())
    },
    ScoreRow: |row| Some(slug(&row.name.text)) => |row, with| plain_value(with).map(|value| row.value = value),
    Entry: |entry| entry.keys.first().and_then(text) => |entry, with| plain_value(with).map(|value| entry.value = value),
    Name: text,
    Check: |check| text(&check.name),
    CheckLine: |_| None,
    MomentDoc: |_| None,
    Means: |_| None,
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

fn name_of_declaration(kind: &DeclarationKind) -> String {
    use DeclarationKind as Kind;
    match kind {
        Kind::Option(option) => option.name.text.clone(),
        Kind::Constant { name, .. } | Kind::Tokens { name, .. } | Kind::Define { name, .. } | Kind::Board { name, .. } => name.text.clone(),
        Kind::Changeable { name, .. } | Kind::Stat { name, .. } | Kind::Effect { name, .. } => name.text.clone(),
        Kind::Phase { name, .. } | Kind::Track { name, .. } | Kind::Purse { name, .. } => name.text.clone(),
        Kind::Kind { name, .. } | Kind::Zone { name, .. } | Kind::Rank { name, .. } | Kind::Rival { name, .. } => {
            format!("{}.{}", kind.rule_name(), name.text)
        }
        Kind::Words { name, .. } => format!("words.{}", name.text),
        Kind::Needs { name, .. } => format!("needs.{}", name.text),
        Kind::Condition { name, .. } => format!("condition.{}", slug(name.text())),
        Kind::Worth { style: None, .. } => "worth".into(),
        Kind::Worth { style: Some(name), .. } => format!("style.{}", name.text),
        Kind::Shortage { .. } => "when.short".into(),
        Kind::Dealt { .. } => "when.dealt".into(),
        Kind::Leaving { place, .. } => format!("when.leaves.{}", place.text),
        Kind::FieldsOf { .. } => "fields".into(),
        Kind::Payments { .. } => "payments".into(),
        kind => kind.rule_name().into(),
    }
}

fn replace_declaration(kind: &mut DeclarationKind, with: Replacement) -> Option<()> {
    use DeclarationKind as Kind;
    match (kind, with) {
        (Kind::Define { params: old, value, .. }, Replacement::Value { params, value: new, bounds }) if bounds.is_empty() => {
            *value = new;
            params.into_iter().for_each(|params| *old = params);
        }
        (
            Kind::Changeable { params: old, value, bounds, .. } | Kind::Stat { params: old, value, bounds, .. },
            Replacement::Value { params, value: new, bounds: more },
        ) => {
            (*value, *bounds) = (new, more);
            params.into_iter().for_each(|params| *old = params);
        }
        (Kind::Zone { places: names, .. } | Kind::Words { words: names, .. }, with) => *names = plain_names(with)?,
        (Kind::Option(option), Replacement::Option(values)) => option.values = values,
        (Kind::Needs { condition, reason, .. }, Replacement::Guard { condition: new, reason: why }) => {
            *condition = new;
            why.into_iter().for_each(|why| *reason = why);
        }
        (Kind::Constant { value, .. } | Kind::Condition { value, .. } | Kind::Worth { value, .. }, with) => *value = plain_value(with)?,
        (Kind::Rank { rule, .. }, Replacement::Rank(new)) => *rule = new,
        (Kind::Wins(rule), Replacement::Wins(new)) => *rule = new,
        (Kind::Rounds(rounds), Replacement::Rounds(new)) => *rounds = new,
        _ => return None,
    }
    Some(())
}

impl BoardPart {
    fn item(&self) -> &dyn Addressed {
        match self {
            BoardPart::Space(space) => space,
            BoardPart::Member(member) => member,
            BoardPart::Field(field) => field,
            BoardPart::Drawn(drawn) => drawn,
        }
    }
}

impl Addressed for BoardPart {
    fn span(&self) -> Span {
        self.item().span()
    }

    fn own_name(&self) -> Option<String> {
        self.item().own_name()
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

    fn replace(&mut self, with: Replacement) -> Option<()> {
        match (self, with) {
            // The block is itself a list, and its items are replaced.
            (PhasePart::Step(step), Replacement::Block { when: Some(when), .. }) => step.when = Some(when),
            (PhasePart::Action(action), Replacement::Action { params, parts }) => (action.params, action.parts) = (params, parts),
            _ => return None,
        }
        Some(())
    }
}

impl Addressed for ActionPart {
    fn span(&self) -> Span {
        match self {
            ActionPart::Needs { span, .. } | ActionPart::CostFrom { span, .. } | ActionPart::Does { span, .. } => *span,
            ActionPart::Cost(cost) => cost.span,
        }
    }

    fn own_name(&self) -> Option<String> {
        Some(match self {
            ActionPart::Needs { name: Some(name), .. } => format!("needs.{}", name.text),
            ActionPart::Needs { name: None, .. } => "needs".into(),
            ActionPart::Cost(_) | ActionPart::CostFrom { .. } => "cost".into(),
            ActionPart::Does { .. } => "does".into(),
        })
    }

    fn replace(&mut self, with: Replacement) -> Option<()> {
        match (self, with) {
            (ActionPart::Needs { condition, reason, .. }, Replacement::Guard { condition: new, reason: why }) => {
                (*condition, *reason) = (new, why);
            }
            (ActionPart::Cost(cost), Replacement::Cost(new)) => *cost = new,
            _ => return None,
        }
        Some(())
    }
}

/// Returns the value of a replacement without parameters and bounds; `key: value` counts as one.
fn plain_value(with: Replacement) -> Option<Expr> {
    if let Replacement::Guard { condition, reason: None } = with {
        return Some(condition);
    }
    let Replacement::Value { params: None, value, bounds } = with else { return None };
    bounds.is_empty().then_some(value)
}

/// Returns the names of a replacement; a value that is a single name counts as one.
fn plain_names(with: Replacement) -> Option<Vec<Name>> {
    if let Replacement::Names(names) = with {
        return Some(names);
    }
    let Replacement::Value { params: None, value, bounds } = with else { return None };
    let ExprKind::Name(name) = *value.kind else { return None };
    bounds.is_empty().then(|| vec![name])
}
