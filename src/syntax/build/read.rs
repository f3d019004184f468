//! How each type of the tree is built from parts. The order of the parts is that of the fields.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{BuildResult, Builder, Parts};
use crate::source::Span;

/// Rules that consist of names with commas between them.
const NAMES: [Rule; 6] = [Rule::names, Rule::several_names, Rule::place_names, Rule::short_names, Rule::pools, Rule::parameters];
/// Rules for an optional expression together with the keywords before it.
const MAYBE: [Rule; 5] = [Rule::expr, Rule::amount, Rule::number, Rule::filter, Rule::index];

/// A type that is built from the next parts of a pair.
pub(in super::super) trait FromNextParts: Sized {
    /// Consumes as many parts as the type needs, and builds it.
    fn read(parts: &mut Parts<'_, '_, '_>) -> BuildResult<Self>;
}

/// A node that is built from all parts of a pair, in the order of its fields.
pub(in super::super) trait FromParts: Sized {
    /// Builds the node from all parts.
    fn from_parts(parts: &mut Parts<'_, '_, '_>) -> BuildResult<Self>;
}

/// A node with a variant for each of several grammar rules.
pub(in super::super) trait FromRule: Sized {
    /// Builds the variant for the rule of the pair; `None` if that variant is built by hand.
    fn from_rule(parts: &mut Parts<'_, '_, '_>) -> BuildResult<Option<Self>>;
}

macro_rules! reads {
    ($($ty:ty: |$parts:ident| $value:expr;)*) => {
        $(impl FromNextParts for $ty {
            fn read($parts: &mut Parts<'_, '_, '_>) -> BuildResult<$ty> {
                $value
            }
        })*
    };
}

reads! {
    Span: |parts| Ok(parts.place);
    Name: |parts| parts.name();
    Option<Name>: |parts| Ok(parts.maybe_name());
    Vec<Name>: |parts| Ok(parts.maybe_of(&NAMES).map(|names| parts.builder.names(names)).unwrap_or_default());
    Quoted: |parts| Ok(parts.builder.quoted(&parts.node()?));
    Option<Quoted>: |parts| Ok(parts.maybe_quoted());
    Expr: |parts| parts.expr();
    Option<Expr>: |parts| parts.maybe_of(&MAYBE).map(|node| parts.builder.expr(node)).transpose();
    Vec<Expr>: |parts| parts.maybe(Rule::arguments).map_or(Ok(Vec::new()), |args| parts.builder.arguments(args));
    Cards: |parts| parts.builder.cards(parts.node()?);
    Option<Cards>: |parts| parts.maybe(Rule::cards).map(|cards| parts.builder.cards(cards)).transpose();
    Players: |parts| parts.builder.players(parts.node()?);
    Tokens: |parts| parts.builder.tokens(parts.node()?);
    Deck: |parts| parts.builder.made(parts.node()?);
    Vec<OrderKey>: |parts| parts.maybe(Rule::order_keys).map_or(Ok(Vec::new()), |keys| parts.builder.order_keys(keys));
    Option<Else>: |parts| match parts.maybe(Rule::if_else) {
        Some(node) => Ok(Some(Else::If(Box::new(parts.builder.statement(node)?)))),
        None => Ok(parts.maybe(Rule::body).map(|body| Else::Body(parts.builder.body(body)))),
    };
    AssignOp: |parts| Ok(match parts.node()?.as_str() {
        "+=" => AssignOp::Add,
        "-=" => AssignOp::Sub,
        _ => AssignOp::Set,
    });
    OptionDecl: |parts| OptionDecl::from_parts(parts);
    OptionValues: |parts| parts.builder.option_values(parts.node()?);
    PlayerCount: |parts| PlayerCount::from_parts(parts);
    Vec<Bound>: |parts| parts.builder.bounds(parts);
    RankRule: |parts| parts.builder.rank_rule(parts.node()?);
    WinsRule: |parts| parts.builder.wins_rule(parts.node()?);
    Rounds: |parts| parts.builder.rounds_rule(parts.node()?);
    ConditionName: |parts| Ok(match parts.maybe_quoted() {
        Some(text) => ConditionName::Quoted(text),
        None => ConditionName::Word(parts.name()?),
    });
    PlaceMember: |parts| Ok(PlaceMember {
        names: parts.read()?,
        kinds: parts.read()?,
        limit: parts.read()?,
        room: parts.read()?,
        hidden: parts.has_keyword(Rule::HIDDEN),
    });
    Step: |parts| Step::from_parts(parts);
    Option<StepWhen>: |parts| parts.maybe(Rule::step_when).map(|when| parts.builder.made(when)).transpose();
    Turns: |parts| Turns::from_parts(parts);
    FirstAction: |parts| FirstAction::from_parts(parts);
    Action: |parts| Action::from_parts(parts);
    Vec<ActionParam>: |parts| parts.maybe(Rule::action_params).map_or(Ok(Vec::new()), |params| parts.builder.action_params(params));
    Block<Field>: |parts| Ok(parts.builder.block(parts.node()?, Rule::one_field_line, Builder::field).flat());
    Block<TrackStep>: |parts| Ok(match parts.maybe(Rule::track_steps) {
        Some(steps) => parts.builder.block(steps, Rule::one_track_step, Builder::track_step),
        None => Block { items: Vec::new(), broken: Vec::new(), span: parts.place },
    });
}

/// Implements blocks: the rule for a single line, and the function that builds a line.
macro_rules! blocks {
    ($($line:ty: $alone:ident $build:ident),* $(,)?) => {
        reads! { $(Block<$line>: |parts| Ok(parts.builder.block(parts.node()?, Rule::$alone, Builder::$build));)* }
    };
}

blocks! {
    Member: one_member member, TokenSort: one_sort sort, PhasePart: one_phase_part phase_part, ActionPart: one_action_part action_part,
    Check: one_check made, CheckLine: one_check_line check_line, MomentDoc: one_told_moment made, ScoreRow: one_score_row made,
    Statement: one_statement statement, Choice: one_choice choice, Entry: one_entry entry, Declaration: one_agent_line declaration,
}
