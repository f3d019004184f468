//! How each type of the tree is built from parts. The order of the parts is that of the fields.

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{BuildResult, Builder, Parts};
use crate::source::Span;

/// Rules that consist of names with commas between them.
const NAMES: [Rule; 7] =
    [Rule::names, Rule::deck_kinds, Rule::several_names, Rule::place_names, Rule::short_names, Rule::pools, Rule::parameters];
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
    Vec<Expr>: |parts| parts.maybe(Rule::arguments).map_or(Ok(Vec::new()), |args| parts.builder.build_arguments(args));
    Cards: |parts| parts.builder.build_cards(parts.node()?);
    Option<Cards>: |parts| parts.maybe(Rule::cards).map(|cards| parts.builder.build_cards(cards)).transpose();
    WhichTeams: |parts| Ok(parts.which_teams());
    Players: |parts| parts.builder.build_players(parts.node()?);
    Tokens: |parts| parts.builder.build_tokens(parts.node()?);
    TallyIndex: |parts| Ok(match parts.maybe(Rule::range) {
        Some(range) => parts.builder.kind(range)?,
        None => TallyIndex::Words(parts.name()?),
    });
    FoldDomain: |parts| parts.builder.build_fold_domain(parts.node()?);
    Box<FoldDomain>: |parts| parts.read().map(Box::new);
    Deck: |parts| parts.builder.build_node(parts.node()?);
    Vec<OrderKey>: |parts| parts.maybe(Rule::order_keys).map_or(Ok(Vec::new()), |keys| parts.builder.build_order_keys(keys));
    Option<Else>: |parts| match parts.maybe(Rule::if_else) {
        Some(node) => Ok(Some(Else::If(Box::new(parts.builder.build_statement(node)?)))),
        None => Ok(parts.maybe(Rule::body).map(|body| Else::Body(parts.builder.build_body(body)))),
    };
    AssignOp: |parts| Ok(match parts.node()?.as_str() {
        "+=" => AssignOp::Add,
        "-=" => AssignOp::Sub,
        _ => AssignOp::Set,
    });
    OptionDecl: |parts| OptionDecl::from_parts(parts);
    OptionValues: |parts| parts.builder.build_option_values(parts.node()?);
    PlayerCount: |parts| PlayerCount::from_parts(parts);
    Vec<Bound>: |parts| parts.builder.build_bounds(parts);
    Option<ValueRange>: |parts| parts.maybe(Rule::value_range).map(|range| parts.builder.build_node(range)).transpose();
    Option<OverWays>: |parts| parts.maybe(Rule::over_ways).map(|over| parts.builder.build_node(over)).transpose();
    Option<Box<OverWays>>: |parts| parts.read().map(|over: Option<OverWays>| over.map(Box::new));
    Option<Hidden>: |parts| parts.maybe(Rule::is_hidden).map(|hidden| parts.builder.build_node(hidden)).transpose();
    RankRule: |parts| parts.builder.build_rank_rule(parts.node()?);
    WinsRule: |parts| parts.builder.build_wins_rule(parts.node()?);
    Rounds: |parts| parts.builder.build_rounds_rule(parts.node()?);
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
    Option<StepWhen>: |parts| parts.maybe(Rule::step_when).map(|when| parts.builder.build_node(when)).transpose();
    Turns: |parts| Turns::from_parts(parts);
    Option<TurnsUntil>: |parts| parts.maybe(Rule::turns_until).map(|until| parts.builder.build_node(until)).transpose();
    TurnStart: |parts| TurnStart::from_parts(parts);
    Action: |parts| Action::from_parts(parts);
    Vec<ActionParam>: |parts| parts.maybe(Rule::action_params).map_or(Ok(Vec::new()), |params| parts.builder.build_action_params(params));
    Block<Field>: |parts| Ok(parts.builder.build_block(parts.node()?, Rule::one_field_line, Builder::build_fields).flat());
    Option<BoardShape>: |parts| parts.maybe(Rule::board_shape).map(|shape| parts.builder.build_board_shape(shape)).transpose();
    Block<BoardPart>: |parts| Ok(match parts.maybe(Rule::board_parts) {
        Some(found) => parts.builder.build_block(found, Rule::one_board_part, Builder::build_board_parts).flat(),
        None => Block { items: Vec::new(), broken: Vec::new(), span: parts.place },
    });
    Block<SpaceValue>: |parts| Ok(match parts.maybe(Rule::space_values) {
        Some(values) => parts.builder.build_block(values, Rule::one_space_value, Builder::build_node),
        None => Block { items: Vec::new(), broken: Vec::new(), span: parts.place },
    });
    Block<TrackStep>: |parts| Ok(match parts.maybe(Rule::track_steps) {
        Some(steps) => parts.builder.build_block(steps, Rule::one_track_step, Builder::build_track_step),
        None => Block { items: Vec::new(), broken: Vec::new(), span: parts.place },
    });
}

/// Implements blocks: the rule for a single line, and the function that builds a line.
macro_rules! blocks {
    ($($line:ty: $alone:ident $build:ident),* $(,)?) => {
        reads! { $(Block<$line>: |parts| Ok(parts.builder.build_block(parts.node()?, Rule::$alone, Builder::$build));)* }
    };
}

blocks! {
    Member: one_member build_member, TokenSort: one_sort build_token_sort, PhasePart: one_phase_part build_phase_part, ActionPart: one_action_part build_action_part,
    Check: one_check build_node, CheckLine: one_check_line build_check_line, MomentDoc: one_told_moment build_node, ScoreRow: one_score_row build_node,
    Statement: one_statement build_statement, Choice: one_choice build_choice, Entry: one_entry build_entry, Declaration: one_agent_line build_declaration,
}
