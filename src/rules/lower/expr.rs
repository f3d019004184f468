//! Lowers expressions into the graph, which folds constants. Branches that the choice of players and options rules out are not lowered.

use super::super::defs::{DefId, DefKind, FieldType};
use super::super::problem::RuleProblem;
use super::super::setup::value_number;
use super::super::typed::{BindingId, Body, ByTable, CardPick, Expr, ExprKind, Fold, SpaceFold};
use super::{Bindings, GraphExpr, Lowerer, MAX_DEPTH, boards, clues, named, tallies};
use crate::cast;
use crate::engine::graph::{Cards, Fold as Folded, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::{self as engine, CardSet, Compare, NodeId, PlayerSet, Ruleset, Shape, VariableSort, Whose};
use crate::engine::tokens::TokenSet;
use crate::source::Span;
use crate::state::layout::head;

/// The distance to a card that is on no map, larger than any other.
const UNREACHABLE: i64 = 1000;

impl Lowerer<'_> {
    /// Lowers an expression to a node of the graph.
    pub fn lower_expr(&mut self, expr: &Expr, env: &mut Bindings) -> NodeId {
        let free = env.next;
        let bound = env.bound.len();
        if self.depth >= MAX_DEPTH {
            self.report_exhausted(Some(expr.span), format!("definitions within each other are more than {MAX_DEPTH} values deep"));
        }
        if self.exhausted {
            return self.constant_node(0);
        }
        self.depth += 1;
        let outside = self.current_span.replace(expr.span);
        let made = self.lower_expr_in(expr, env);
        self.check_limits(made);
        self.current_span = outside;
        self.depth -= 1;
        env.next = free;
        env.bound.truncate(bound);
        made
    }

    /// Lowers what is known of each piece, for a card; `none` if there is no card.
    fn of_card(&mut self, card: &Expr, none: i64, known: impl Fn(&Ruleset, usize) -> i64, env: &mut Bindings) -> NodeId {
        let card = self.lower_expr(card, env);
        self.ruleset.of_piece(card, none, known)
    }

    /// Lowers an expression that may be missing; without it the value is `otherwise`.
    pub(super) fn lower_or(&mut self, expr: Option<&Expr>, otherwise: i64, env: &mut Bindings) -> NodeId {
        let otherwise = self.constant_node(otherwise);
        expr.map_or(otherwise, |expr| self.lower_expr(expr, env))
    }

    fn lower_expr_in(&mut self, expr: &Expr, env: &mut Bindings) -> NodeId {
        let tree = self.tree;
        // Operands are lowered from left to right.
        macro_rules! of {
            ($($part:ident),+ => $made:expr) => {{
                $(let $part = self.lower_expr($part, env);)+
                self.make($made)
            }};
        }
        match &expr.kind {
            ExprKind::Const(value) => self.constant_node(*value),
            ExprKind::Local(bind) => env.find(*bind).unwrap_or_else(|| self.refuse(RuleProblem::UnboundName.at(expr.span))),
            ExprKind::Me => self.make(GraphExpr::Me),
            ExprKind::Round => self.round_node(env),
            ExprKind::Turn => self.make(GraphExpr::Global { cell: cast::fit::<u32>(head::TURN) }),
            ExprKind::Players => self.constant_node(cast::count(self.chosen.players)),
            ExprKind::RoundsLeft => {
                let rounds = self.lower_or(tree.rounds.as_ref(), 0, env);
                let round = self.round_node(env);
                self.make_binary(NumberOp::Sub, rounds, round)
            }
            ExprKind::Score(Some(row)) => self.lower_or(tree.score.get(*row).map(|(_, value)| value), 0, env),
            ExprKind::Score(None) => {
                let mut sum = self.constant_node(0);
                for (_, row) in &tree.score {
                    let row = self.lower_expr(row, env);
                    sum = self.make_binary(NumberOp::Add, sum, row);
                }
                sum
            }
            ExprKind::Variable(def) => {
                let offset = self.slots.offset(*def);
                let cell =
                    self.make(if self.is_of_table(*def) { GraphExpr::Global { cell: offset.into() } } else { GraphExpr::Own { offset } });
                if self.holds_player(*def) { self.add_number(cell, -1) } else { cell }
            }
            ExprKind::TallyItem { tally: def, index } => {
                let index = tallies::lower_index(self, *def, index, env);
                tallies::read_entry(self, *def, index)
            }
            ExprKind::Amount(index) => {
                let len = cast::fit::<u16>(self.ruleset.resources.len());
                of!(index => GraphExpr::OwnAt { offset: 0, len, index })
            }
            ExprKind::InSet { set: def, word: index } if self.is_of_table(*def) => {
                of!(index => GraphExpr::GlobalBit { cell: self.slots.offset(*def).into(), index })
            }
            ExprKind::InSet { set: def, word: index } => of!(index => GraphExpr::OwnBit { offset: self.slots.offset(*def), index }),
            ExprKind::Counter { card, counter: def } => {
                let cell = of!(card => GraphExpr::Counter { card, offset: cast::fit::<u8>(self.slots.offset(*def)) });
                if self.holds_player(*def) { self.add_number(cell, -1) } else { cell }
            }
            ExprKind::AllKnow { card, field } => clues::lower_all_know(self, card, *field, expr.span, env),
            ExprKind::CounterItem { card, counter: def, index } => boards::lower_counter_item(self, card, *def, index, env),
            ExprKind::OverSpaces { fold, cards, each, board } => {
                let (board, set) = (cast::fit::<u16>(*board), self.lower_card_set(cards, env, expr.span));
                let spaces = self.ruleset.set_of_spaces(board, &set);
                let (var, by) = boards::lower_each(self, set.local, each.as_deref(), env);
                self.make(match fold {
                    SpaceFold::LongestTrail => GraphExpr::LongestTrail { board, spaces, var, by },
                    SpaceFold::LongestLine => GraphExpr::LongestLine { board, spaces },
                    SpaceFold::LargestGroup => GraphExpr::LargestGroup { board, spaces },
                })
            }
            ExprKind::Field { card, field: def } => {
                let offset = usize::from(self.slots.offset(*def));
                self.of_card(card, 0, |rules, piece| i64::from(rules.printed(piece, offset)), env)
            }
            ExprKind::FieldItem { card, field: def, index } => {
                let (field, len) = self.slots.get(*def).map_or((0, 0), |slot| (slot.offset, slot.len));
                let DefKind::Field(holds) = tree.defs[*def].kind else { return self.constant_node(0) };
                if holds.lists_words() {
                    // No word stands outside of the row: 0 would be the first of all words.
                    let (card, index) = (self.lower_expr(card, env), self.lower_expr(index, env));
                    let words = self.list_length(card, field);
                    let index = self.make_binary(NumberOp::Within, index, words);
                    return self.make(GraphExpr::ListAt { card, field, index });
                }
                let is_list = matches!(holds, FieldType::List(_));
                of!(card, index => if is_list { GraphExpr::ListAt { card, field, index } } else { GraphExpr::FieldAt { card, field, len, index } })
            }
            ExprKind::ListLen { card, list: def } => {
                let card = self.lower_expr(card, env);
                self.list_length(card, self.slots.offset(*def))
            }
            ExprKind::ListFirst { card, list: def, count } => {
                of!(card, count => GraphExpr::ListFirst { card, field: self.slots.offset(*def), count })
            }
            ExprKind::KindOf(card) => self.of_card(card, -1, |rules, piece| i64::from(rules.piece_kind[piece]), env),
            ExprKind::IsKind { card, kind } => {
                self.of_card(card, 0, |rules, piece| i64::from(u16::from(rules.piece_kind[piece]) == *kind), env)
            }
            ExprKind::FirstIn(place) => {
                let (place, per_seat) = self.place_index(*place);
                self.make(GraphExpr::FirstIn { place, per_seat })
            }
            ExprKind::NoneIn(place) => {
                let (place, per_seat) = self.place_index(*place);
                let lying = self.make(GraphExpr::PiecesIn { place, per_seat });
                self.make(GraphExpr::Not { a: lying })
            }
            ExprKind::Row(card) if let Some(row) = boards::lower_side_of_space(self, card, true, env) => row,
            ExprKind::Column(card) if let Some(column) = boards::lower_side_of_space(self, card, false, env) => column,
            ExprKind::Row(card) => self.sum_over_grids(card, env, |card, grid| GraphExpr::Row { card, grid }),
            ExprKind::Column(card) => self.sum_over_grids(card, env, |card, grid| GraphExpr::GridColumn { card, grid }),
            ExprKind::Distance { from, to } if tree.boards.iter().any(|board| board.parts().is_some()) => {
                boards::lower_distance_of_parts(self, (from, to), env)
            }
            ExprKind::CardOfPart(space) => {
                let space = self.lower_expr(space, env);
                boards::lower_card_of(self, space)
            }
            ExprKind::Distance { from, to } if !tree.boards.is_empty() || self.has_steps_of_places() => {
                of!(from, to => GraphExpr::Steps { from, to })
            }
            ExprKind::Distance { from, to } => self.lower_distance(from, to, env),
            ExprKind::Way { from, to, ways: over } => boards::lower_way(self, (from, to), over, env, expr.span),
            ExprKind::HasAction(card) => self.of_card(card, 0, |rules, piece| i64::from(rules.definition(piece).acts), env),
            ExprKind::IsCard { card, definition: def } => {
                let card = self.lower_expr(card, env);
                self.is_card(card, *def)
            }
            // Spaces are the first cards, each with one piece.
            ExprKind::PieceOf(def) if tree.board_of_card(tree.defs[*def].kind.index()).is_some() => {
                self.constant_node(tree.defs[*def].kind.index().into())
            }
            ExprKind::PieceOf(def) => self.lower_piece_of(*def, env, expr.span),
            ExprKind::Not(a) => of!(a => GraphExpr::Not { a }),
            ExprKind::Arithmetic { operator: NumberOp::Mul, .. } if has_weight(expr) => self.lower_weighted(expr, 1, env),
            // The sign goes into the weight, so that it makes no difference to the code.
            ExprKind::Arithmetic { operator: NumberOp::Sub, a, b } if has_weight(b) && decimal(b).is_none() => {
                let (a, b) = (self.lower_expr(a, env), self.lower_weighted(b, -1, env));
                self.make_binary(NumberOp::Add, a, b)
            }
            ExprKind::Arithmetic { operator, a, b } => of!(a, b => GraphExpr::Binary { operator: *operator, a, b }),
            // What the first part settles is not lowered: `n < 12 and boxes[n + 1] > 0`.
            ExprKind::And { a, b } => {
                let a = self.lower_expr(a, env);
                if self.value_of(a) == Some(0) { a } else { of!(b => GraphExpr::And { a, b }) }
            }
            ExprKind::Or { a, b } => {
                let a = self.lower_expr(a, env);
                if self.value_of(a).is_some_and(|a| a != 0) { self.constant_node(1) } else { of!(b => GraphExpr::Or { a, b }) }
            }
            ExprKind::Compare { operator, a, b } => of!(a, b => GraphExpr::Binary { operator: NumberOp::Is(*operator), a, b }),
            ExprKind::If { condition, yes, no } => {
                let condition = self.lower_expr(condition, env);
                match self.value_of(condition) {
                    Some(0) => self.lower_expr(no, env),
                    Some(_) => self.lower_expr(yes, env),
                    None => of!(yes, no => GraphExpr::If { condition, yes, no }),
                }
            }
            ExprKind::Whole(inner) => self.lower_expr(inner, env),
            ExprKind::OneOfEach { rest, cards, words } => {
                let rest = self.lower_expr(rest, env);
                let set = self.lower_card_set(cards, env, expr.span);
                let words = self.lower_expr(words, env);
                self.ruleset.one_of_each(rest, &set, words)
            }
            ExprKind::OverCards { fold, cards, each } => {
                if let Some(made) = boards::lower_over_neighbours(self, expr, env) {
                    return made;
                }
                let mut set = self.lower_card_set(cards, env, expr.span);
                let value = each.as_deref().map(|each| self.lower_expr(each, env));
                if matches!(fold, Fold::Count | Fold::Any) {
                    return self.ruleset.fold_cards(folded(*fold), &set, None);
                }
                let one = self.constant_node(1);
                let value = value.unwrap_or(one);
                if *fold == Fold::Median {
                    // The median: the smallest value that at least half of them do not exceed.
                    let mut others = self.lower_card_set(cards, env, expr.span);
                    let other = each.as_deref().map_or(one, |each| self.lower_expr(each, env));
                    let exceeded = self.make_binary(NumberOp::Is(Compare::AtMost), other, value);
                    self.add_filter(&mut others, exceeded);
                    let all = self.lower_card_set(cards, env, expr.span);
                    let [half, all] = [others, all].map(|set| self.ruleset.fold_cards(Folded::Count, &set, None));
                    let twice = self.make_binary(NumberOp::Add, half, half);
                    let enough = self.make_binary(NumberOp::Is(Compare::AtLeast), twice, all);
                    self.add_filter(&mut set, enough);
                }
                self.ruleset.fold_cards(folded(*fold), &set, Some(value))
            }
            ExprKind::SumOfBest { lowest, count, sum } => named::lower_sum_of_best(self, *lowest, count, sum, env),
            ExprKind::CardOf { cards, pick } => {
                let mut set = self.lower_card_set(cards, env, expr.span);
                let card = self.make(GraphExpr::Local { local: set.local });
                if let CardPick::Best(fold, each) = pick {
                    let value = self.lower_expr(each, env);
                    let others = self.lower_card_set(cards, env, expr.span);
                    let other = self.lower_expr(each, env);
                    let best = self.ruleset.fold_cards(folded(*fold), &others, Some(other));
                    let is_best = self.make_binary(NumberOp::Is(Compare::Equal), value, best);
                    self.add_filter(&mut set, is_best);
                }
                // Shifted by 1, so that "none" stays none.
                let shifted = self.add_number(card, 1);
                let fold = if *pick == CardPick::Last { Folded::Last } else { Folded::First };
                let found = self.ruleset.fold_cards(fold, &set, Some(shifted));
                self.add_number(found, -1)
            }
            ExprKind::OverNamed { fold, named: of, each } => named::lower_over_named(self, *fold, of, each.as_deref(), env, expr.span),
            ExprKind::OverSeats { fold, seats, each } => {
                let mut outside = env.clone();
                let set = self.lower_seats(seats, env, expr.span);
                let value = each.as_deref().map(|each| self.lower_expr(each, env));
                let one = self.constant_node(1);
                let counts = matches!(fold, Fold::Count | Fold::Any);
                let mut all = self.ruleset.fold_seats(folded(*fold), &set, (!counts).then_some(value.unwrap_or(one)));
                for one in if counts { self.compare_rivals(seats, &mut outside) } else { Vec::new() } {
                    all = if *fold == Fold::Any {
                        self.make(GraphExpr::Or { a: all, b: one })
                    } else {
                        self.make_binary(NumberOp::Add, all, one)
                    };
                }
                all
            }
            ExprKind::Quantity { quantity: def, args } => {
                let args: Vec<NodeId> = args.iter().map(|arg| self.lower_expr(arg, env)).collect();
                let (quantity, args) = (self.index(*def), [args.first().copied(), args.get(1).copied()]);
                if self.ruleset.graph.ignores_cards {
                    // The value of a quantity is never constant.
                    return self.make(GraphExpr::Quantity { quantity, args });
                }
                if args[0].is_some() {
                    self.lower_quantity(*def);
                }
                self.ruleset.name_quantity(quantity, args)
            }
            ExprKind::Define { definition: def, args } => self.expand_definition(*def, args, env),
            ExprKind::Named(def) => self.lower_name(*def, env),
            ExprKind::Option(def) => self.lower_option(*def),
            ExprKind::AmongChosen { option: def, value } => self.lower_among_chosen(*def, value, env),
            ExprKind::Rank { rank: def, by } => {
                let DefKind::Rank(rank) = tree.defs[*def].kind else { return self.constant_node(0) };
                let rank = self.rank_with_rivals(rank, by);
                let none = self.constant_node(0);
                let leaders = self.ruleset.ranks.get(rank as usize).map_or(none, |rank| rank.leaders);
                if env.bound.iter().all(|bound| !self.differs_by_seat(bound.1)) {
                    let by = self.lower_expr(by, env);
                    return self.make(GraphExpr::Rank { rank, by, leaders });
                }
                // Players are compared with the arguments of the current player. Among all players, that one is included.
                let local = self.bind(env, BindingId(u32::MAX), expr.span);
                let (me, asker) = (self.make(GraphExpr::Me), self.make(GraphExpr::Local { local }));
                self.keep_arguments(env, asker);
                let by = self.lower_expr(by, env);
                let a = self.make_binary(NumberOp::Is(Compare::Equal), me, asker);
                let b = self.make(GraphExpr::Rank { rank, by, leaders });
                let filter = Some(self.make(GraphExpr::And { a, b }));
                self.ruleset.fold_seats(Folded::Any, &PlayerSet { others: false, filter, local }, None)
            }
            ExprKind::By { option: None, table } => {
                let key = self.chosen.players.to_string();
                self.pick(table, &key, env, expr.span)
            }
            ExprKind::By { option: Some(option), table } => self.lower_by_option(*option, table, env, expr.span),
            ExprKind::LastOf(def) => {
                let now = self.lower_name(*def, env);
                let mut later = self.next_round(env);
                let then = self.lower_name(*def, &mut later);
                self.make_binary(NumberOp::Is(Compare::Unequal), now, then)
            }
            ExprKind::OfNeighbour { who, body } => self.lower_for_neighbour(*who, body, env, expr.span),
            ExprKind::Of { seat, body } => self.lower_of_player(seat, body, env, expr.span),
            ExprKind::CountTokens { tokens, pool } => {
                let set = self.add_token_set(tokens, env);
                let TokenSet { sort, showing, .. } = self.ruleset.token_sets[set as usize];
                self.make(GraphExpr::CountTokens { set, pool: self.pool_index(*pool), sort, showing })
            }
            ExprKind::Node { expr, operands, names: _ } => {
                let made: Vec<NodeId> = operands.iter().map(|operand| self.lower_expr(operand, env)).collect();
                self.make(expr.map_operands(&mut |part| made[part.index()]))
            }
            ExprKind::Poisoned => self.constant_node(0),
        }
    }

    /// Whether a definition is a counter that holds a player or a space: its cell has the seat or piece + 1, and 0 for nobody or no space.
    pub(super) fn holds_player(&self, def: DefId) -> bool {
        let DefKind::Variable { sort: VariableSort::Counter, over, .. } = self.tree.defs[def].kind else { return false };
        matches!(over, Some(Type::Seat | Type::Space(_)))
    }

    /// Creates a node for the sum of a value and a number.
    pub(super) fn add_number(&mut self, value: NodeId, number: i64) -> NodeId {
        let number = self.constant_node(number);
        self.make_binary(NumberOp::Add, value, number)
    }

    /// Creates a node for a binary operation.
    pub(super) fn make_binary(&mut self, operator: NumberOp, a: NodeId, b: NodeId) -> NodeId {
        self.make(GraphExpr::Binary { operator, a, b })
    }

    /// Creates a node for the number of the round for which expressions are evaluated.
    fn round_node(&mut self, env: &Bindings) -> NodeId {
        env.round.unwrap_or_else(|| self.make(GraphExpr::Global { cell: cast::fit::<u32>(head::ROUND) }))
    }

    /// Returns the index of a place, and whether each seat has one.
    fn place_index(&self, def: DefId) -> (u16, bool) {
        let place = self.index(def);
        (place, self.ruleset.places.get(place as usize).is_some_and(|place| place.of_seat))
    }

    /// Returns the index of a pool.
    pub(super) fn pool_index(&self, def: DefId) -> u8 {
        cast::fit::<u8>(self.index(def))
    }

    fn is_card(&mut self, card: NodeId, def: DefId) -> NodeId {
        let definition = u32::from(self.index(def));
        self.ruleset.of_piece(card, 0, |rules, piece| i64::from(rules.piece_definition[piece] == definition))
    }

    /// Returns the environment with the same bindings, but evaluated for the next round.
    pub fn next_round(&mut self, env: &Bindings) -> Bindings {
        let (round, one) = (self.round_node(env), self.constant_node(1));
        Bindings { round: Some(self.make_binary(NumberOp::Add, round, one)), ..env.clone() }
    }

    /// Returns the local that a name is bound to.
    pub(super) fn local_of(&self, bind: BindingId, env: &Bindings) -> u8 {
        env.find(bind).and_then(|to| self.as_local(to)).unwrap_or(0)
    }

    /// Creates the length of a printed list.
    fn list_length(&mut self, card: NodeId, field: u16) -> NodeId {
        self.ruleset.of_piece(card, 0, |rules, piece| cast::count(rules.list(cast::count(piece), field).1.len()))
    }

    /// Whether steps between cards are not the differences of rows and columns alone: between the grids of two players there are none, and without an edge
    /// some are shorter.
    fn has_steps_of_places(&self) -> bool {
        self.ruleset.places.iter().any(|place| matches!(place.shape, Shape::Grid { endless, .. } if endless || place.of_seat))
    }

    /// Creates the sum of a row or column over all grids: the number is 0 in those where the card does not lie.
    fn sum_over_grids(&mut self, card: &Expr, env: &mut Bindings, make: impl Fn(NodeId, u16) -> GraphExpr) -> NodeId {
        let card = self.lower_expr(card, env);
        let is_grid = |place: &u16| matches!(self.ruleset.places[usize::from(*place)].shape, Shape::Grid { .. });
        let grids: Vec<u16> = (0..cast::fit::<u16>(self.ruleset.places.len())).filter(is_grid).collect();
        let mut sum = self.constant_node(0);
        for grid in grids {
            let inside = self.make(make(card, grid));
            sum = self.make_binary(NumberOp::Add, sum, inside);
        }
        sum
    }

    /// Lowers the number of steps between two cards. It is [`UNREACHABLE`] if one of them is on no map. On hexagons it is the largest
    /// difference along the three axes, on a grid the sum of the differences of rows and columns (A. Patel, Hexagonal Grids: axial
    /// coordinates).
    fn lower_distance(&mut self, from: &Expr, to: &Expr, env: &mut Bindings) -> NodeId {
        let rows = [from, to].map(|card| self.sum_over_grids(card, env, |card, grid| GraphExpr::Row { card, grid }));
        let columns = [from, to].map(|card| self.sum_over_grids(card, env, |card, grid| GraphExpr::GridColumn { card, grid }));
        let [down, right] = [rows, columns].map(|[a, b]| self.make_binary(NumberOp::Sub, a, b));
        let across = self.make_binary(NumberOp::Add, down, right);
        let [down, right, across] = [down, right, across].map(|steps| {
            let none = self.constant_node(0);
            let back = self.make_binary(NumberOp::Sub, none, steps);
            self.make_binary(NumberOp::Max, steps, back)
        });
        let straight = self.make_binary(NumberOp::Max, down, right);
        let on_map = self.make_binary(NumberOp::Max, straight, across);
        let on_grid = self.make_binary(NumberOp::Add, down, right);
        let places = || self.ruleset.places.iter().enumerate();
        let is = |place: &engine::PlaceDecl, wanted| matches!(place.shape, Shape::Grid { hexes, .. } if hexes == wanted);
        let [maps, grids] =
            [true, false].map(|wanted| places().filter(|(_, place)| is(place, wanted)).fold(0, |mask, (at, _)| mask | 1_u64 << at));
        let [from, to] = [from, to].map(|card| self.lower_expr(card, env));
        let steps = match (maps, grids) {
            (_, 0) => on_map,
            (0, _) => on_grid,
            _ => {
                let condition = self.make(GraphExpr::InPlaces { card: from, places: maps });
                self.make(GraphExpr::If { condition, yes: on_map, no: on_grid })
            }
        };
        let [a, b] = [from, to].map(|card| self.make(GraphExpr::InPlaces { card, places: maps | grids }));
        let (condition, no) = (self.make(GraphExpr::And { a, b }), self.constant_node(UNREACHABLE));
        self.make(GraphExpr::If { condition, yes: steps, no })
    }

    /// Creates a node for a piece of a card, wherever it lies: the maximum over all places, shifted by 1 so that "none" stays none.
    fn lower_piece_of(&mut self, def: DefId, env: &mut Bindings, span: Span) -> NodeId {
        let local = self.bind(env, BindingId(u32::MAX), span);
        let card = self.make(GraphExpr::Local { local });
        let filter = Some(self.is_card(card, def));
        let places = (0..cast::fit::<u16>(self.ruleset.places.len())).collect();
        let cards = Cards { places, whose: Whose::All, kinds: 0, rows: 0, with: None };
        let set = CardSet { cards, local, filter, within: None };
        let one = self.constant_node(1);
        let shifted = self.make_binary(NumberOp::Add, card, one);
        let highest = self.ruleset.fold_cards(Folded::Highest, &set, Some(shifted));
        self.make_binary(NumberOp::Sub, highest, one)
    }

    /// Returns the node of a constant, condition or definition without parameters. It is shared, unless it is evaluated for another round.
    pub fn lower_name(&mut self, def: DefId, env: &mut Bindings) -> NodeId {
        match (env.round, self.tree.bodies.get(&def)) {
            (Some(_), Some(Body::Value(_, value))) => self.with_definition(def, |lowerer| lowerer.lower_expr(value, &mut env.within())),
            _ => self.lower_parameterless(def),
        }
    }

    /// Lowers a product of which one factor is a number with decimals: as a weight, times a sign.
    fn lower_weighted(&mut self, product: &Expr, sign: i64, env: &mut Bindings) -> NodeId {
        let ExprKind::Arithmetic { operator: NumberOp::Mul, a, b } = &product.kind else { return self.lower_expr(product, env) };
        let (weighted, other) = if has_weight(a) { (a, b) } else { (b, a) };
        let other = self.lower_expr(other, env);
        let weighted = match decimal(weighted).and_then(|weight| weight.checked_mul(sign)) {
            Some(weight) if self.value_of(other).is_some() => self.constant_node(weight),
            Some(weight) => self.ruleset.graph.weight(weight),
            None => self.lower_weighted(weighted, sign, env),
        };
        self.make_binary(NumberOp::Mul, weighted, other)
    }

    /// Expands a definition in place, with its arguments bound to its parameters.
    fn expand_definition(&mut self, def: DefId, args: &[Expr], env: &mut Bindings) -> NodeId {
        let tree = self.tree;
        let Some(Body::Value(params, value)) = tree.bodies.get(&def) else { return self.constant_node(0) };
        if args.is_empty() {
            return self.lower_name(def, env);
        }
        let mut there = env.within();
        for (param, arg) in params.iter().zip(args) {
            let arg = self.lower_expr(arg, env);
            there.bound.push((param.bind, arg));
        }
        self.with_definition(def, |lowerer| lowerer.lower_expr(value, &mut there))
    }

    fn lower_option(&mut self, def: DefId) -> NodeId {
        let DefKind::Option(option) = &self.tree.defs[def].kind else { return self.constant_node(0) };
        if option.each_player {
            return self.make(GraphExpr::Own { offset: self.slots.offset(def) });
        }
        self.constant_node(value_number(option, self.chosen.first_value(def)).unwrap_or(0).into())
    }

    /// Creates the test whether a value is among those chosen for an option.
    fn lower_among_chosen(&mut self, def: DefId, value: &Expr, env: &mut Bindings) -> NodeId {
        let DefKind::Option(option) = &self.tree.defs[def].kind else { return self.constant_node(0) };
        let value = self.lower_expr(value, env);
        let (chosen, mut found) = (self.chosen, self.constant_node(0));
        for number in chosen.values(def).iter().filter_map(|chosen| value_number(option, chosen)) {
            let number = self.constant_node(number.into());
            let same = self.make_binary(NumberOp::Is(Compare::Equal), value, number);
            found = self.make(GraphExpr::Or { a: found, b: same });
        }
        found
    }

    fn pick(&mut self, table: &ByTable, key: &str, env: &mut Bindings, span: Span) -> NodeId {
        let found = table.entries.iter().find(|entry| entry.0.iter().any(|known| known == key)).map(|entry| &entry.1);
        match found.or(table.otherwise.as_deref()) {
            Some(value) => self.lower_expr(value, env),
            None => self.refuse(RuleProblem::NoValueFor { key: key.to_string() }.at(span)),
        }
    }

    fn lower_by_option(&mut self, def: DefId, table: &ByTable, env: &mut Bindings, span: Span) -> NodeId {
        let DefKind::Option(option) = &self.tree.defs[def].kind else { return self.constant_node(0) };
        if !option.each_player {
            let key = self.chosen.first_value(def).to_string();
            return self.pick(table, &key, env, span);
        }
        let values: Vec<NodeId> = option.values.iter().map(|key| self.pick(table, key, env, span)).collect();
        let own = self.make(GraphExpr::Own { offset: self.slots.offset(def) });
        if let Some(numbers) = values.iter().map(|&value| self.value_of(value)).collect::<Option<Box<[i64]>>>() {
            return self.ruleset.graph.table(own, &numbers);
        }
        // For values known only during the game: a chain of comparisons.
        let mut found = values.last().copied().unwrap_or(own);
        for (index, &value) in values.iter().enumerate().rev().skip(1) {
            let number = self.constant_node(value_number(option, &option.values[index]).unwrap_or(0).into());
            let condition = self.make_binary(NumberOp::Is(Compare::Equal), own, number);
            found = self.make(GraphExpr::If { condition, yes: value, no: found });
        }
        found
    }
}

/// Returns a number that is written with decimals, possibly with a sign, in thousandths.
fn decimal(expr: &Expr) -> Option<i64> {
    if let ExprKind::Const(value) = expr.kind {
        return (expr.ty == Type::Thousandths).then_some(value);
    }
    let ExprKind::Arithmetic { operator: NumberOp::Sub, a, b } = &expr.kind else { return None };
    if matches!(a.kind, ExprKind::Const(0)) { decimal(b)?.checked_neg() } else { None }
}

/// Whether an expression is a number with decimals, or a product with one.
fn has_weight(expr: &Expr) -> bool {
    if let ExprKind::Arithmetic { operator: NumberOp::Mul, a, b } = &expr.kind {
        return has_weight(a) || has_weight(b);
    }
    decimal(expr).is_some()
}

/// Returns the fold operation of the graph. Players have no median.
pub(super) fn folded(fold: Fold) -> Folded {
    match fold {
        Fold::Sum => Folded::Sum,
        Fold::Highest => Folded::Highest,
        Fold::Lowest | Fold::Median => Folded::Lowest,
        Fold::Count => Folded::Count,
        Fold::Any => Folded::Any,
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::graph::{Expr, Fold, NumberOp};
    use crate::engine::ruleset::{Compare, NodeId, Ruleset};
    use crate::testing::lowered;

    /// Lowers a condition for a game of two players; returns the ruleset and the node.
    fn condition(text: &str) -> (Ruleset, NodeId) {
        let rules = lowered(&format!("condition asked = {text}\n"), "", 2).rules;
        let node = rules.conditions.iter().find(|found| found.0 == "asked").map(|found| found.1);
        (rules, node.unwrap())
    }

    #[test]
    fn what_a_game_can_change_is_left() {
        let (rules, passed) = condition("players == 2 and passed");
        assert!(matches!(rules.graph[passed], Expr::Truth { a } if matches!(rules.graph[a], Expr::Own { .. })));
        let (rules, none) = condition("no storm");
        assert!(matches!(rules.graph[none], Expr::Not { a } if matches!(rules.graph[a], Expr::PiecesIn { per_seat: false, .. })));
        let made = |text: &str| {
            let (rules, made) = condition(text);
            rules.graph[made]
        };
        assert!(matches!(made("wisp > 2"), Expr::Binary { operator: NumberOp::Is(Compare::More), .. }));
        assert!(matches!(made("storm in yard"), Expr::InPlaces { .. }));
        assert!(matches!(made("top fame"), Expr::Rank { rank: 0, .. }));
        assert!(matches!(made("any my yard where card.height > 2"), Expr::OverCards { fold: Fold::Any, .. }));
    }

    #[test]
    fn a_rank_is_by_what_a_stat_counts_as_there() {
        let (rules, at) = condition("top fame");
        let Expr::Rank { by, .. } = rules.graph[at] else { panic!("a rank") };
        let Expr::Quantity { quantity, .. } = rules.graph[by] else { panic!("a quantity") };
        assert_eq!(rules.quantities[quantity as usize].name, "fame.rank");
    }

    #[test]
    fn a_second_grid_has_rows_too() {
        let rules = lowered("table { grid shelf 1 by 2 }\ndefine lane(thing) = row of thing\n", "", 2).rules;
        let rows = rules.graph.all().filter_map(|(_, expr)| if let Expr::Row { grid, .. } = expr { Some(*grid) } else { None });
        assert_eq!(rows.collect::<std::collections::BTreeSet<u16>>().len(), 2);
    }

    #[test]
    fn a_quantity_with_arguments_is_worked_out_where_it_is_named_whatever_comes_first() {
        // `early` is declared before the definition that it uses.
        let rules = lowered("changeable early(x) = late(x) + 1\nchangeable late(x) = x * wisp\n", "", 2).rules;
        let base = rules.quantities.iter().find(|quantity| quantity.name == "early").map(|quantity| quantity.base);
        let Expr::Binary { operator: NumberOp::Add, a, .. } = rules.graph[base.unwrap()] else { panic!("a sum") };
        assert!(matches!(rules.graph[a], Expr::Binary { operator: NumberOp::Mul, .. }), "{:?}", rules.graph[a]);
    }

    #[test]
    fn factors_with_decimals_are_weights_whatever_their_sign() {
        let of = |text: &str| lowered(&format!("agents {{ worth = {text} }}\n"), "", 2).rules.graph;
        let weighed = of("1.5 * wisp - 0.25 * round * min(wisp, 2) + 100.0 * turn");
        assert_eq!(weighed.weights(), [1500, -250, 100_000]);
        for other in ["- 0.3 * wisp + 7.0 * round * min(wisp, 2) - 0.001 * turn", "0.0 * wisp - 1.0 * round * min(wisp, 2) + -2.5 * turn"] {
            let other = of(other);
            assert_ne!(other.weights(), weighed.weights());
            assert!(other.all().eq(weighed.all()), "the same but for their weights");
        }
        // What players and options determine is folded, and so is what a weight cannot hold.
        assert_eq!(of("1.5 * players * wisp").weights(), []);
        assert_eq!(of("20000.0 * wisp").weights(), []);
    }
}
