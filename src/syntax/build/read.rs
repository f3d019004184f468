//! How each type of the tree is built from parts. The order of the parts is that of the fields.

use super::super::ast::scenario::*;
use super::super::ast::*;
use super::super::grammar::Rule;
use super::{BuildResult, Builder, Parts, by_keyword};
use crate::source::Span;

/// Rules that consist of names with commas between them.
const NAMES: [Rule; 8] = [
    Rule::names,
    Rule::deck_kinds,
    Rule::several_names,
    Rule::place_names,
    Rule::short_names,
    Rule::pools,
    Rule::parameters,
    Rule::link_ends,
];
/// Rules of names that stand one after another.
const LISTED: [Rule; 5] = [Rule::entry_key, Rule::next_chance, Rule::option_value, Rule::plain, Rule::seat];
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

impl<K: FromRule> FromParts for Placed<K> {
    fn from_parts(parts: &mut Parts<'_, '_, '_>) -> BuildResult<Placed<K>> {
        Ok(Placed { span: parts.place, kind: parts.kind()? })
    }
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
    Vec<Name>: |parts| Ok(match parts.maybe_of(&NAMES) {
        Some(names) => parts.builder.names(names),
        None => parts.each(&LISTED, |builder, name| Ok(builder.name(&name)))?,
    });
    Quoted: |parts| Ok(parts.builder.quoted(&parts.node()?));
    Option<Quoted>: |parts| Ok(parts.maybe_quoted());
    Expr: |parts| parts.expr();
    Option<Expr>: |parts| parts.maybe_of(&MAYBE).map(|node| parts.builder.expr(node)).transpose();
    Vec<Expr>: |parts| match parts.next_is(Rule::arguments) {
        true => Parts::of(parts.builder, parts.node()?).each(&[Rule::expr], Builder::expr),
        false => parts.each(&[Rule::amount], Builder::expr),
    };
    Cards: |parts| parts.builder.build_cards(parts.node()?);
    Option<Cards>: |parts| parts.maybe(Rule::cards).map(|cards| parts.builder.build_cards(cards)).transpose();
    WhichTeams: |parts| {
        let known = [(Rule::OF_MY_TEAM, WhichTeams::Mine), (Rule::OF_OTHER_TEAMS, WhichTeams::Others)];
        Ok(by_keyword(&parts.whole, known, WhichTeams::All))
    };
    Players: |parts| parts.builder.build_node(parts.node()?);
    PlayersWhich: |parts| {
        let Some(node) = parts.maybe_of(&[Rule::fewer, Rule::more_than, Rule::filter]) else { return Ok(PlayersWhich::Any) };
        Ok(match (node.as_rule(), Parts::of(parts.builder, node).expr()?) {
            (Rule::fewer, than) => PlayersWhich::Fewer(than),
            (Rule::more_than, than) => PlayersWhich::More(than),
            (_, condition) => PlayersWhich::Where(condition),
        })
    };
    Tokens: |parts| parts.builder.build_tokens(parts.node()?);
    TallyIndex: |parts| Ok(match parts.maybe(Rule::range) {
        Some(range) => parts.builder.kind(range)?,
        None => TallyIndex::Words(parts.name()?),
    });
    FoldDomain: |parts| {
        let of = parts.node()?;
        Ok(match of.as_rule() {
            Rule::range => parts.builder.kind(of)?,
            Rule::which_players => FoldDomain::Players(parts.builder.build_node(of)?),
            Rule::cards => FoldDomain::Cards(parts.builder.build_cards(of)?),
            _ => FoldDomain::Words(parts.builder.names(of)),
        })
    };
    Named: |parts| parts.builder.build_node(parts.node()?);
    Box<FoldDomain>: |parts| parts.read().map(Box::new);
    Deck: |parts| parts.builder.build_node(parts.node()?);
    Vec<OrderKey>: |parts| parts.maybe_within(Rule::order_keys, |keys| keys.each(&[Rule::order_key], Builder::kind));
    Option<Else>: |parts| match parts.maybe(Rule::if_else) {
        Some(node) => Ok(Some(Else::If(Box::new(parts.builder.build_statement(node)?)))),
        None => Ok(parts.maybe(Rule::body).map(|body| Else::Body(parts.builder.build_body(body)))),
    };
    AssignOp: |parts| Ok(match parts.node()?.as_str() {
        "+=" => AssignOp::Add,
        "-=" => AssignOp::Sub,
        _ => AssignOp::Set,
    });
    OptionValues: |parts| parts.builder.build_node(parts.node()?);
    OptionChoices: |parts| {
        let values = parts.node()?;
        Ok(match values.as_rule() {
            Rule::several => OptionChoices::Several(parts.builder.names(values)),
            Rule::range => parts.builder.kind(values)?,
            _ => OptionChoices::One(parts.builder.names(values)),
        })
    };
    PlayerCount: |parts| PlayerCount::from_parts(parts);
    Option<Pools>: |parts| parts.has_keyword(Rule::FROM).then(|| Pools::from_parts(parts)).transpose();
    Option<ValueRange>: |parts| parts.maybe(Rule::value_range).map(|range| parts.builder.build_node(range)).transpose();
    Option<OverWays>: |parts| parts.maybe(Rule::over_ways).map(|over| parts.builder.build_node(over)).transpose();
    Option<Box<OverWays>>: |parts| parts.read().map(|over: Option<OverWays>| over.map(Box::new));
    Option<Span>: |parts| Ok(parts.maybe(Rule::is_hidden).map(|hidden| parts.builder.span(&hidden)));
    RankRule: |parts| parts.builder.build_node(parts.node()?);
    WinsRule: |parts| parts.builder.build_node(parts.node()?);
    Rounds: |parts| parts.builder.build_node(parts.node()?);
    ConditionName: |parts| Ok(match parts.maybe_quoted() {
        Some(text) => ConditionName::Quoted(text),
        None => {
            let mut name = parts.name()?;
            while let Some(more) = parts.maybe_name() {
                name = Name { text: format!("{} {}", name.text, more.text), span: name.span.to(more.span) };
            }
            ConditionName::Word(name)
        }
    });
    FieldType: |parts| parts.kind();
    PlaceMember: |parts| Ok(PlaceMember {
        names: parts.read()?,
        kinds: parts.read()?,
        limit: parts.read()?,
        room: parts.read()?,
        hidden: parts.has_keyword(Rule::HIDDEN) || parts.has_keyword(Rule::HIDDEN_FROM_OWNER),
        from_owner: parts.has_keyword(Rule::HIDDEN_FROM_OWNER),
    });
    Option<StepWhen>: |parts| parts.maybe(Rule::step_when).map(|when| parts.builder.build_node(when)).transpose();
    Option<TurnsUntil>: |parts| parts.maybe(Rule::turns_until).map(|until| parts.builder.build_node(until)).transpose();
    Vec<ActionParam>: |parts| parts.maybe_within(Rule::action_params, |params| params.each(&[Rule::action_param], Builder::build_action_param));
    TrackWhen: |parts| parts.kind();
    AskWhat: |parts| parts.kind();
    ActionPart: |parts| parts.kind();
    Cost: |parts| Ok(Cost { span: parts.place, ..parts.builder.build_node(parts.node()?)? });
    Option<PartsOf>: |parts| parts.maybe(Rule::parts_of).map(|of| parts.builder.build_node(of)).transpose();
    Option<BoardShape>: |parts| parts.maybe(Rule::board_shape).map(|shape| parts.builder.build_node(shape)).transpose();
    Block<Field>: |parts| Ok(parts.block(Rule::one_field_line, Builder::build_fields).flat());
    Block<BoardPart>: |parts| Ok(parts.block(Rule::one_board_part, Builder::build_board_parts).flat());
    Vec<Vec<Name>>: |parts| parts.each(&[Rule::picture_row], |builder, row| Ok(builder.names(row)));
    Next: |parts| parts.kind();
    Option<PutCounters>: |parts| parts.maybe(Rule::given_with).map(|with| parts.builder.build_node(with)).transpose();
    Option<Because>: |parts| match parts.maybe_quoted() {
        Some(text) => Ok(Some(Because::Text(text))),
        None => Ok(parts.maybe_expr(Rule::expr)?.map(Because::Condition)),
    };
    Option<Vec<Name>>: |parts| Ok(parts.maybe(Rule::parameters).map(|params| parts.builder.names(params)));
    Side: |parts| Ok(by_keyword(&parts.whole, [(Rule::BEFORE, Side::Before), (Rule::AFTER, Side::After)], Side::To));
    Replacement: |parts| parts.builder.build_replacement(parts.node()?);
    Block<Addition>: |parts| Ok(parts.block(Rule::one_addition, Builder::build_additions_of_line).flat());
    GivenValue: |parts| Ok(match parts.next_is(Rule::expr) {
        true => GivenValue::Expr(parts.expr()?),
        false => GivenValue::Tokens(Parts::of(parts.builder, parts.node()?).read()?),
    });
}

/// Implements lists that are the next parts: the rule of an item, and the function that builds one.
macro_rules! lists {
    ($($item:ty: $rule:ident $build:ident),* $(,)?) => {
        reads! { $(Vec<$item>: |parts| parts.each(&[Rule::$rule], Builder::$build);)* }
    };
}

lists! {
    Bound: bound kind, Face: face build_node, Shown: shows build_node, AskOffer: ask_offer build_node, Cost: price build_node, FromPurse: from_purse build_node,
    LegendSign: legend_sign build_node, NextFace: next_face build_next_face, NextToken: next_token build_node, GivenToken: given_token build_node,
}

/// Implements blocks: the rule for a single line, and the function that builds a line.
macro_rules! blocks {
    ($($line:ty: $alone:ident $build:ident),* $(,)?) => {
        reads! { $(Block<$line>: |parts| Ok(parts.block(Rule::$alone, Builder::$build));)* }
    };
}

blocks! {
    Member: one_member build_node, TokenSort: one_sort build_node, PhasePart: one_phase_part build_phase_part,
    ActionPart: one_action_part kind, Check: one_check build_node, CheckLine: one_check_line build_node,
    MomentDoc: one_told_moment build_node, ScoreRow: one_score_row build_node, SpaceValue: one_space_value build_node, Means: one_means build_node,
    TrackStep: one_track_step build_node, Statement: one_statement build_statement, Choice: one_choice build_choice,
    Entry: one_entry build_node, Declaration: one_agent_line build_declaration, Line: one_variant_line build_line,
}
