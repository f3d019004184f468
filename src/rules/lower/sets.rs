//! Lowers sets of cards, players and tokens with their filters.

use super::super::typed::{BindingId, Cards, Expr, ExprKind, Neighbour, SeatFilter, Seats, Tokens};
use super::{Bindings, GraphExpr, Lowerer, boards, push, sides};
use crate::cast;
use crate::engine::graph::{self as lowered, Fold, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::{CardSet, Compare, NodeId, PlayerSet, Whose};
use crate::engine::tokens::{TokenSet, mask_of};
use crate::source::Span;

impl Lowerer<'_> {
    /// Adds a set of cards for a statement or choice to the ruleset and returns its index. Its loop variable stays bound.
    pub fn add_card_set(&mut self, cards: &Cards, env: &mut Bindings, span: Span) -> u32 {
        let set = self.lower_card_set(cards, env, span);
        push(&mut self.ruleset.sets, set)
    }

    /// Lowers a set of cards. Its loop variable stays bound.
    pub(super) fn lower_card_set(&mut self, cards: &Cards, env: &mut Bindings, span: Span) -> CardSet {
        let owner = cards.owner.as_ref().map(|owner| self.lower_expr(owner, env));
        let within = boards::lower_around(self, cards, env, span);
        let local = self.bind(env, cards.bind, span);
        let owned = owner.map(|owner| {
            let card = self.make(GraphExpr::Local { local });
            let owner_of = self.make(GraphExpr::OwnerOf { card });
            self.make_binary(NumberOp::Is(Compare::Equal), owner_of, owner)
        });
        // The condition of a group is already that of its spaces.
        let filter = cards.filter.as_ref().filter(|_| !cards.condition_is_around());
        let filter = filter.map(|filter| self.lower_expr(filter, env)).filter(|&filter| self.value_of(filter) != Some(1));
        let places = cards.places.iter().map(|&place| self.index(place)).collect();
        let with = cards.with.map(|counter| cast::fit::<u8>(self.slots.offset(counter)));
        // What groups and areas are made of is there.
        let laid = if cards.condition_is_around() { None } else { boards::lower_laid(self, cards, local) };
        let filter = self.both(owned, filter);
        let filter = self.both(laid, filter);
        let whose = if cards.everybody || owner.is_some() { Whose::All } else { Whose::Mine };
        let cards = lowered::Cards { places, whose, kinds: cards.kind.map_or(0, |kind| 1 << kind), rows: cards.rows, with };
        CardSet { cards, local, filter, within }
    }

    /// Adds a condition to the filter of a set.
    pub(super) fn add_filter(&mut self, set: &mut CardSet, holds: NodeId) {
        set.filter = self.both(set.filter, Some(holds));
    }

    /// Joins two conditions, each of which may be missing.
    pub(super) fn both(&mut self, a: Option<NodeId>, b: Option<NodeId>) -> Option<NodeId> {
        let (Some(a), Some(b)) = (a, b) else { return a.or(b) };
        Some(self.make(GraphExpr::And { a, b }))
    }

    /// Evaluates an expression for a neighbour, as a sum over the players in which only that one counts.
    pub(super) fn lower_for_neighbour(&mut self, who: Neighbour, body: &Expr, env: &mut Bindings, span: Span) -> NodeId {
        let (next, bound) = (env.next, env.bound.len());
        let local = self.bind(env, BindingId(u32::MAX), span);
        let (asker, place, one) = (self.make(GraphExpr::Local { local }), self.make(GraphExpr::PlaceInOrder), self.constant_node(1));
        let mine = self.make(GraphExpr::Of { seat: asker, body: place });
        let players = self.constant_node(cast::count(self.chosen.players));
        let wanted = match who {
            Neighbour::First => one,
            Neighbour::Partner => sides::partner_of(self, asker),
            Neighbour::Left => {
                let condition = self.make_binary(NumberOp::Is(Compare::Equal), mine, players);
                let next = self.make_binary(NumberOp::Add, mine, one);
                self.make(GraphExpr::If { condition, yes: one, no: next })
            }
            Neighbour::Right => {
                let condition = self.make_binary(NumberOp::Is(Compare::Equal), mine, one);
                let before = self.make_binary(NumberOp::Sub, mine, one);
                self.make(GraphExpr::If { condition, yes: players, no: before })
            }
        };
        let told = if who == Neighbour::Partner { self.make(GraphExpr::Me) } else { place };
        let filter = Some(self.make_binary(NumberOp::Is(Compare::Equal), told, wanted));
        let kept = self.bind_arguments(body, env);
        self.keep_arguments(env, asker);
        let body = self.lower_expr(kept.as_ref().unwrap_or(body), env);
        env.bound.truncate(bound);
        env.next = next;
        self.ruleset.fold_seats(Fold::Sum, &PlayerSet { others: false, filter, local }, Some(body))
    }

    /// Evaluates an expression for a player: 0 for nobody, or no card or player.
    pub(super) fn lower_of_player(&mut self, player: &Expr, body: &Expr, env: &mut Bindings, span: Span) -> NodeId {
        let seat = self.lower_expr(player, env);
        let bound = env.bound.len();
        let kept = self.bind_arguments(body, env);
        let body = kept.as_ref().unwrap_or(body);
        let made = if env.bound.iter().all(|bound| !self.differs_by_seat(bound.1)) {
            let body = self.lower_expr(body, env);
            self.make(GraphExpr::Of { seat, body })
        } else {
            // The arguments are those of the current player: a sum over the players in which only the wanted one counts.
            let local = self.bind(env, BindingId(u32::MAX), span);
            let (asker, me) = (self.make(GraphExpr::Local { local }), self.make(GraphExpr::Me));
            let wanted = self.make(GraphExpr::Of { seat: asker, body: seat });
            let filter = Some(self.make_binary(NumberOp::Is(Compare::Equal), me, wanted));
            self.keep_arguments(env, asker);
            let body = self.lower_expr(body, env);
            self.ruleset.fold_seats(Fold::Sum, &PlayerSet { others: false, filter, local }, Some(body))
        };
        env.bound.truncate(bound);
        if !body.ty.is_piece() && body.ty != Type::Seat {
            return made;
        }
        let [none, nobody] = [0, -1].map(|value| self.constant_node(value));
        let condition = self.make_binary(NumberOp::Is(Compare::AtLeast), seat, none);
        self.make(GraphExpr::If { condition, yes: made, no: nobody })
    }

    /// Lowers a set of players, with the local that holds the current player.
    pub fn lower_seats(&mut self, seats: &Seats, env: &mut Bindings, span: Span) -> PlayerSet {
        // A binding of its own for the current player, which no other expression can name.
        let local = self.bind(env, BindingId(u32::MAX), span);
        let asker = self.make(GraphExpr::Local { local });
        self.keep_arguments(env, asker);
        let filter = match &seats.filter {
            SeatFilter::All => None,
            SeatFilter::Where(filter) => Some(self.lower_expr(filter, env)),
            SeatFilter::Named(filter) => {
                let body = self.lower_expr(filter, env);
                Some(self.make(GraphExpr::Of { seat: asker, body }))
            }
            SeatFilter::Compared(operator, value) => {
                let value = self.lower_expr(value, env);
                let mine = self.make(GraphExpr::Of { seat: asker, body: value });
                Some(self.make_binary(NumberOp::Is(*operator), value, mine))
            }
        };
        let filter = sides::filter_teams(self, seats.teams, asker, filter);
        PlayerSet { others: seats.others, filter, local }
    }

    /// Binds the arguments and the index behind a player's name (`left.price(n)`, `left.helped[me]`) to the values that they have for
    /// whoever names the player. Returns the expression with these bindings in their place; `None` if it is the same.
    fn bind_arguments(&mut self, body: &Expr, env: &mut Bindings) -> Option<Expr> {
        let mut body = body.clone();
        let mut arguments = Vec::new();
        collect_arguments(&mut body, &mut arguments);
        if arguments.is_empty() {
            return None;
        }
        let values: Vec<NodeId> = arguments.iter().map(|argument| self.lower_expr(argument, env)).collect();
        for ((argument, value), number) in arguments.into_iter().zip(values).zip(1_u32..) {
            let bind = BindingId(u32::MAX - number);
            argument.kind = ExprKind::Local(bind);
            env.bound.push((bind, value));
        }
        Some(body)
    }

    /// Rebinds arguments before the current player changes: each keeps the value that it has for the player who made the call.
    pub(super) fn keep_arguments(&mut self, env: &mut Bindings, asker: NodeId) {
        for at in 0..env.bound.len() {
            let (bind, to) = env.bound[at];
            if env.find(bind) == Some(to) && self.differs_by_seat(to) {
                let of_asker = self.make(GraphExpr::Of { seat: asker, body: to });
                env.bound.push((bind, of_asker));
            }
        }
    }

    /// Whether an expression can have different values for different players.
    pub(super) fn differs_by_seat(&self, made: NodeId) -> bool {
        self.ruleset.graph.facts(made).by_seat
    }

    /// Adds a set of tokens (a kind, a sort, a face or a loop variable) to the ruleset and returns its index.
    pub(super) fn add_token_set(&mut self, tokens: &Tokens, env: &mut Bindings) -> u32 {
        let [sort, showing] = [&tokens.sort, &tokens.showing].map(|part| part.as_ref().map(|part| self.lower_expr(part, env)));
        let set = TokenSet { classes: tokens.classes, sort, showing, mask: mask_of(&self.ruleset.classes, tokens.classes) };
        let known = self.ruleset.token_sets.iter().position(|known| *known == set);
        known.map_or_else(|| push(&mut self.ruleset.token_sets, set), cast::fit::<u32>)
    }
}

/// Collects arguments and indices that may have another value for another player, also behind a second player's name.
fn collect_arguments<'e>(body: &'e mut Expr, found: &mut Vec<&'e mut Expr>) {
    let is_settled = |argument: &Expr| matches!(argument.kind, ExprKind::Const(_) | ExprKind::Local(_) | ExprKind::Poisoned);
    let kind = &mut body.kind;
    if let ExprKind::Of { body, .. } | ExprKind::OfNeighbour { body, .. } = kind {
        collect_arguments(body, found);
    } else if let ExprKind::TallyItem { index, .. } = kind {
        found.extend(Some(&mut **index).filter(|index| !is_settled(index)));
    } else if let ExprKind::Define { args, .. } | ExprKind::Quantity { args, .. } = kind {
        found.extend(args.iter_mut().filter(|argument| !is_settled(argument)));
    }
}
