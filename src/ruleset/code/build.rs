//! From the nodes of a ruleset to the graph of expressions: definitions with arguments are read where they are named, and what a
//! loop binds is named by the loop.

use super::expr::{Cards, Expr, ExprId, Exprs, Fold, Two};
use crate::cast;
use crate::node::{Beside, Node, NodeId};
use crate::ruleset::{Lifetime, Ruleset};
use std::collections::HashMap;

/// Definitions are named within one another less deep than this.
const DEEPEST: u32 = 40;

/// What locals stand for where an expression is read: loop variables, or the arguments of a quantity.
#[derive(Clone, Default)]
struct Scope {
    bound: Vec<(u8, ExprId)>,
    depth: u32,
}

impl Scope {
    fn mask(&self) -> u16 {
        self.bound.iter().fold(0, |mask, (local, _)| mask | 1 << local)
    }

    fn get(&self, local: u8) -> Option<ExprId> {
        self.bound.iter().rev().find(|bound| bound.0 == local).map(|bound| bound.1)
    }

    fn with(&self, local: u8, expr: ExprId) -> Scope {
        let mut scope = self.clone();
        scope.bound.push((local, expr));
        scope
    }
}

/// Makes expressions of nodes.
pub struct Builder<'r> {
    rules: &'r Ruleset,
    pub exprs: Exprs,
    /// Of each node the expression that it is by itself.
    done: Vec<Option<ExprId>>,
    /// Of each node the locals that it reads, as a bit set.
    free: Vec<Option<u16>>,
    /// Quantities with arguments that were read.
    named: HashMap<(u16, [ExprId; 2]), ExprId>,
}

impl<'r> Builder<'r> {
    pub fn new(rules: &'r Ruleset) -> Builder<'r> {
        let count = rules.nodes.len();
        Builder { rules, exprs: Exprs::default(), done: vec![None; count], free: vec![None; count], named: HashMap::new() }
    }

    /// The expression that a node is by itself.
    pub fn root(&mut self, node: NodeId) -> ExprId {
        self.expr(node, &Scope::default())
    }

    /// The expression of a quantity, with its arguments in the first locals.
    pub fn quantity(&mut self, index: u16) -> ExprId {
        let args = if self.rules.quantities[index as usize].args == 0 {
            [None; 2]
        } else {
            [1, 2].map(|local| Some(self.exprs.add(Expr::Local(local))))
        };
        self.whole(index, args, &Scope::default())
    }

    /// A quantity: its base, what differs for a while, what cards change, and its bounds.
    fn whole(&mut self, index: u16, args: [Option<ExprId>; 2], scope: &Scope) -> ExprId {
        let quantity = &self.rules.quantities[index as usize];
        let mut value = self.expr(quantity.base, scope);
        if let Some(offset) = quantity.differences {
            let difference = self.exprs.add(Expr::Own(offset + cast::fit::<u16>(Lifetime::ALL.len())));
            value = self.exprs.two(Two::Add, value, difference);
        }
        if quantity.changed {
            let (changed, applied) = (self.exprs.add(Expr::Changed(index)), self.exprs.add(Expr::Applied(index, value, args)));
            value = self.exprs.choice(changed, applied, value);
        }
        for (bound, how) in [(quantity.most, Two::Min), (quantity.least, Two::Max)] {
            if let Some(bound) = bound {
                let bound = self.expr(bound, scope);
                value = self.exprs.two(how, value, bound);
            }
        }
        value
    }

    fn expr(&mut self, id: NodeId, scope: &Scope) -> ExprId {
        let own = self.free(id) & scope.mask() == 0;
        if own && let Some(done) = self.done[id as usize] {
            return done;
        }
        // Which node it is by itself does not depend on how deep it is named.
        let expr = self.read(id, scope);
        if own {
            self.done[id as usize] = Some(expr);
        }
        expr
    }

    /// The locals that a node reads, as a bit set.
    fn free(&mut self, id: NodeId) -> u16 {
        if let Some(known) = self.free[id as usize] {
            return known;
        }
        let node = &self.rules.nodes[id as usize];
        let mut free = node.parts().into_iter().fold(0, |free, (part, _)| free | self.free(part));
        match node.beside() {
            Beside::Nothing => {}
            Beside::Local(local) => free |= 1 << local,
            Beside::Tokens(set) => {
                let set = &self.rules.token_sets[set as usize];
                free |= [set.of, set.showing].into_iter().flatten().fold(0, |free, part| free | self.free(part));
            }
            Beside::Rank(rank) => free |= self.free(self.rules.ranks[rank as usize].leaders),
            Beside::Cards(set) => {
                let set = &self.rules.sets[set as usize];
                free |= set.filter.map_or(0, |filter| self.free(filter));
                free &= !(1 << set.local);
            }
            Beside::Players(set) => {
                let set = &self.rules.player_sets[set as usize];
                free |= set.filter.map_or(0, |filter| self.free(filter));
                free &= !(1 << set.local);
            }
        }
        self.free[id as usize] = Some(free);
        free
    }

    /// The variable of a loop: the first above those that are read within it.
    fn bind(&mut self, id: NodeId, local: u8, scope: &Scope) -> (u8, Scope) {
        let free = self.free(id);
        let read = scope.bound.iter().filter(|(local, _)| free >> local & 1 == 1);
        let vars = read.fold(0, |vars, (_, expr)| vars | self.exprs.facts(*expr).vars);
        let var = cast::fit::<u8>(u16::BITS - vars.leading_zeros());
        let expr = self.exprs.add(Expr::Var(var));
        (var, scope.with(local, expr))
    }

    fn over_cards(&mut self, id: NodeId, fold: Fold, set: u32, body: Option<NodeId>, scope: &Scope) -> ExprId {
        let rules = self.rules;
        let set = &rules.sets[set as usize];
        let (var, inner) = self.bind(id, set.local, scope);
        let filter = set.filter.map(|filter| self.expr(filter, &inner));
        let body = body.map(|body| self.expr(body, &inner));
        let cards = Cards { places: set.places.clone(), whose: set.whose, kinds: set.kinds, rows: set.rows, with: set.with };
        let cards = self.exprs.cards(cards);
        self.exprs.over_cards(rules, fold, cards, var, filter, body)
    }

    fn over_seats(&mut self, id: NodeId, fold: Fold, set: u32, body: Option<NodeId>, scope: &Scope) -> ExprId {
        let set = &self.rules.player_sets[set as usize];
        let (var, inner) = self.bind(id, set.local, scope);
        let filter = set.filter.map(|filter| self.expr(filter, &inner));
        let body = body.map(|body| self.expr(body, &inner));
        self.exprs.add(Expr::OverSeats(fold, set.others, var, filter, body))
    }

    /// A quantity with arguments is read where it is named, unless that would repeat a loop or read an argument of another seat than
    /// the one that names it.
    fn with_arguments(&mut self, index: u16, args: [ExprId; 2], scope: &Scope) -> ExprId {
        if let Some(&known) = self.named.get(&(index, args)) {
            return known;
        }
        let quantity = &self.rules.quantities[index as usize];
        let full = self.exprs.add(Expr::Quantity(index, args.map(Some)));
        if scope.depth >= DEEPEST
            || [Some(quantity.base), quantity.most, quantity.least].into_iter().flatten().any(|node| self.loops(node, 0))
        {
            return full;
        }
        let bound = vec![(1, args[0]), (2, args[1])];
        let expr = self.whole(index, args.map(Some), &Scope { bound, depth: scope.depth + 1 });
        self.named.insert((index, args), expr);
        expr
    }

    fn loops(&self, id: NodeId, depth: u32) -> bool {
        let node = &self.rules.nodes[id as usize];
        let goes_through = matches!(node.beside(), Beside::Cards(_) | Beside::Players(_) | Beside::Tokens(_));
        let itself = goes_through || matches!(node, Node::Of(..) | Node::Rank(..));
        itself || depth > DEEPEST || node.parts().into_iter().any(|(part, _)| self.loops(part, depth + 1))
    }

    fn read(&mut self, id: NodeId, scope: &Scope) -> ExprId {
        let rules = self.rules;
        let node = &rules.nodes[id as usize];
        macro_rules! part {
            ($part:expr) => {
                self.expr(*$part, scope)
            };
        }
        let expr = match node {
            Node::Const(value) => Expr::Const(*value),
            Node::Word(name) => Expr::Const(*name as i64),
            Node::Local(local) => return scope.get(*local).unwrap_or_else(|| self.exprs.add(Expr::Local(*local))),
            Node::Me => Expr::Me,
            Node::Global(cell) => Expr::Global(*cell),
            Node::Own(offset) => Expr::Own(*offset),
            Node::OwnAt(offset, len, index) => {
                let index = part!(index);
                match self.exprs.constant(index) {
                    Some(at) if (0..*len as i64).contains(&at) => Expr::Own(offset + cast::fit::<u16>(at)),
                    Some(_) => Expr::Const(0),
                    None => Expr::OwnAt(*offset, *len, index),
                }
            }
            Node::OwnBit(offset, index) => Expr::OwnBit(*offset, part!(index)),
            Node::Counter(card, offset) => Expr::Counter(part!(card), *offset),
            Node::Field(card, field) => {
                let (card, field) = (part!(card), *field);
                return self.of_piece(card, 0, |piece| rules.printed(piece, field as usize) as i64);
            }
            Node::FieldAt(card, field, len, index) => {
                let (card, index) = (part!(card), part!(index));
                return self.exprs.field_at(rules, card, (*field, *len), index);
            }
            Node::ListAt(card, field, index) => Expr::ListAt(part!(card), *field, part!(index)),
            Node::ListLen(card, field) => {
                let (card, field) = (part!(card), *field);
                return self.of_piece(card, 0, |piece| cast::count(rules.list(cast::count(piece), field).1.len()));
            }
            Node::ListFirst(card, field, count) => {
                let (card, count) = (part!(card), part!(count));
                match self.exprs.constant(count) {
                    Some(count) => return self.of_piece(card, 0, |piece| rules.list_first(cast::count(piece), *field, count)),
                    None => Expr::ListFirst(card, *field, count),
                }
            }
            Node::KindOf(card) => {
                let card = part!(card);
                return self.of_piece(card, -1, |piece| rules.piece_kind[piece] as i64);
            }
            Node::IsKind(card, kinds) => {
                let (card, kinds) = (part!(card), *kinds);
                return self.of_piece(card, 0, |piece| cast::fit::<i64>(kinds >> rules.piece_kind[piece] & 1));
            }
            Node::HasAction(card) => {
                let card = part!(card);
                return self.of_piece(card, 0, |piece| rules.definition(piece).action.is_some() as i64);
            }
            Node::IsCard(card, definition) => {
                let (card, definition) = (part!(card), *definition);
                return self.of_piece(card, 0, |piece| (rules.piece_definition[piece] == definition) as i64);
            }
            Node::InPlaces(card, places) => Expr::InPlaces(part!(card), *places),
            Node::FirstIn(place) => Expr::FirstIn(*place),
            Node::NoneIn(place) => {
                let lying = self.exprs.add(Expr::Lying(*place));
                return self.exprs.not(lying);
            }
            Node::Row(card, grid) => Expr::Row(part!(card), *grid),
            Node::Column(card, grid) => Expr::GridColumn(part!(card), *grid),
            Node::OwnerOf(card) => Expr::OwnerOf(part!(card)),
            Node::PlaceInOrder => Expr::PlaceInOrder,
            Node::Add(a, b) => return self.two(Two::Add, *a, *b, scope),
            Node::Sub(a, b) => return self.two(Two::Sub, *a, *b, scope),
            Node::Mul(a, b) => return self.two(Two::Mul, *a, *b, scope),
            Node::Div(a, b) => return self.two(Two::Div, *a, *b, scope),
            Node::Min(a, b) => return self.two(Two::Min, *a, *b, scope),
            Node::Max(a, b) => return self.two(Two::Max, *a, *b, scope),
            Node::Cmp(how, a, b) => return self.two(Two::Is(*how), *a, *b, scope),
            Node::Not(a) => {
                let a = part!(a);
                return self.exprs.not(a);
            }
            Node::And(a, b) => {
                let (a, b) = (part!(a), part!(b));
                return self.exprs.and(a, b);
            }
            Node::Or(a, b) => {
                let (a, b) = (part!(a), part!(b));
                return self.exprs.or(a, b);
            }
            Node::If(condition, yes, no) => {
                let (condition, yes, no) = (part!(condition), part!(yes), part!(no));
                return self.exprs.choice(condition, yes, no);
            }
            Node::Sum(set, body) => return self.over_cards(id, Fold::Sum, *set, Some(*body), scope),
            Node::Highest(set, body) => return self.over_cards(id, Fold::Highest, *set, Some(*body), scope),
            Node::Lowest(set, body) => return self.over_cards(id, Fold::Lowest, *set, Some(*body), scope),
            Node::Count(set) => return self.over_cards(id, Fold::Count, *set, None, scope),
            Node::Any(set) => return self.over_cards(id, Fold::Any, *set, None, scope),
            Node::CountPlayers(set) => return self.over_seats(id, Fold::Count, *set, None, scope),
            Node::AnyPlayer(set) => return self.over_seats(id, Fold::Any, *set, None, scope),
            Node::SumPlayers(set, body) => return self.over_seats(id, Fold::Sum, *set, Some(*body), scope),
            Node::HighestPlayers(set, body) => return self.over_seats(id, Fold::Highest, *set, Some(*body), scope),
            Node::LowestPlayers(set, body) => return self.over_seats(id, Fold::Lowest, *set, Some(*body), scope),
            Node::Quantity(quantity, args) if rules.quantities[*quantity as usize].args == 0 && args.iter().all(Option::is_none) => {
                Expr::Quantity(*quantity, [None; 2])
            }
            Node::Quantity(quantity, args) => {
                let none = self.exprs.number(-1);
                let args = args.map(|arg| arg.map_or(none, |arg| self.expr(arg, scope)));
                return self.with_arguments(*quantity, args, scope);
            }
            Node::Rank(rank, by) => Expr::Rank(*rank, part!(by), part!(&rules.ranks[*rank as usize].leaders)),
            Node::Table(index, values) => {
                let index = part!(index);
                return self.exprs.table(index, values);
            }
            Node::Of(seat, body) => Expr::Of(part!(seat), part!(body)),
            Node::Limit(place) => match rules.places[*place as usize].limit {
                Some(quantity) => Expr::Quantity(quantity, [None; 2]),
                None => Expr::Const(rules.layout.places[rules.places[*place as usize].first as usize].room as i64),
            },
            Node::CountTokens(set, pool) => {
                let tokens = &rules.token_sets[*set as usize];
                let [of, showing] = [tokens.of, tokens.showing].map(|part| part.map(|part| self.expr(part, scope)));
                Expr::CountTokens(*set, *pool, of, showing)
            }
            Node::ShownIn(symbol, pool) => Expr::ShownIn(part!(symbol), *pool),
            Node::Payable(symbol, pool) => Expr::Payable(part!(symbol), *pool),
            Node::ShownBy(local, symbol) => {
                let picked = scope.get(*local).unwrap_or_else(|| self.exprs.add(Expr::Local(*local)));
                Expr::ShownBy(picked, part!(symbol))
            }
        };
        self.exprs.add(expr)
    }

    fn two(&mut self, how: Two, a: NodeId, b: NodeId, scope: &Scope) -> ExprId {
        let (a, b) = (self.expr(a, scope), self.expr(b, scope));
        self.exprs.two(how, a, b)
    }

    fn of_piece(&mut self, card: ExprId, none: i64, f: impl Fn(usize) -> i64) -> ExprId {
        self.exprs.of_piece(self.rules, card, none, f)
    }
}
