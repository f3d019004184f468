//! Expressions: a walk over the tree, with stats and prices cached until a cell that they read has changed.

use super::game::Game;
use super::options::MOST_PARAMS;
use super::ruleset::{Node, NodeId, Ruleset};
use crate::state::layout::{TABLE, head, piece};

/// Number of locals.
pub const LOCALS: usize = 12;

/// What an expression can name: the seat spoken of, and locals.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// The seat spoken of.
    pub me: usize,
    /// Loop variables, parameters, the card that speaks (0), the moment's card (1).
    pub locals: [i32; LOCALS],
}

impl Env {
    /// Nothing but a seat.
    pub fn of(me: usize) -> Env {
        Env { me, locals: [-1; LOCALS] }
    }

    /// A seat and the first locals.
    pub fn with(me: usize, locals: &[i32]) -> Env {
        let mut env = Env::of(me);
        for (to, from) in env.locals.iter_mut().zip(locals) {
            *to = *from;
        }
        env
    }

    /// Takes the candidates of an action as its parameters.
    pub(super) fn set_args(&mut self, args: [i16; MOST_PARAMS]) {
        for (local, arg) in self.locals[1..].iter_mut().zip(args) {
            *local = arg as i32;
        }
    }
}

impl Game {
    /// The value of an expression: what has no parts at once, the rest by a walk.
    #[inline(always)]
    pub fn eval(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> i64 {
        match &rules.nodes[node as usize] {
            Node::Const(value) => *value,
            Node::Local(local) => env.locals[*local as usize] as i64,
            Node::Own(offset) => self.cell(rules, rules.layout.seat(env.me, *offset as usize)) as i64,
            Node::CounterOf(local, offset) => {
                let card = env.locals[*local as usize];
                if card < 0 { 0 } else { self.piece_cell(rules, card as usize, *offset as usize) as i64 }
            }
            Node::FieldOf(local, field) => {
                let card = env.locals[*local as usize];
                if card < 0 { 0 } else { rules.printed(card as usize, *field as usize) as i64 }
            }
            Node::RowOf(local, grid) => self.row_of(rules, env.locals[*local as usize] as i64, *grid),
            Node::ByKind(local, values) => {
                let card = env.locals[*local as usize];
                values[if card < 0 { 0 } else { rules.piece_kind[card as usize] as usize + 1 }]
            }
            node => self.walk(rules, node, env),
        }
    }

    /// The value of an expression that has parts: of those that are met most; the others are worked out apart, so that this
    /// stays short.
    fn walk(&mut self, rules: &Ruleset, node: &Node, env: &mut Env) -> i64 {
        match node {
            Node::Global(cell) => self.cell(rules, *cell as usize) as i64,
            Node::OwnAt(offset, len, index) => {
                let index = self.part(rules, *index, env);
                if index < 0 || index >= *len as i64 {
                    return 0;
                }
                self.cell(rules, rules.layout.seat(env.me, *offset as usize + index as usize)) as i64
            }
            Node::Add(a, b) => self.part(rules, *a, env).saturating_add(self.part(rules, *b, env)),
            Node::Sub(a, b) => self.part(rules, *a, env).saturating_sub(self.part(rules, *b, env)),
            Node::Mul(a, b) => {
                let a = self.part(rules, *a, env);
                if a == 0 { 0 } else { a.saturating_mul(self.part(rules, *b, env)) }
            }
            Node::Not(a) => (self.part(rules, *a, env) == 0) as i64,
            Node::And(a, b) => (self.part(rules, *a, env) != 0 && self.part(rules, *b, env) != 0) as i64,
            Node::Or(a, b) => (self.part(rules, *a, env) != 0 || self.part(rules, *b, env) != 0) as i64,
            Node::Cmp(how, a, b) => {
                let (a, b) = (self.part(rules, *a, env), self.part(rules, *b, env));
                how.holds(a, b) as i64
            }
            Node::If(condition, yes, no) => {
                if self.part(rules, *condition, env) != 0 {
                    self.part(rules, *yes, env)
                } else {
                    self.part(rules, *no, env)
                }
            }
            Node::FieldAtOf(local, field, len, index) => {
                let card = env.locals[*local as usize];
                let index = env.locals[*index as usize];
                if card < 0 || index < 0 || index >= *len as i32 {
                    return 0;
                }
                rules.printed(card as usize, *field as usize + index as usize) as i64
            }
            Node::IsKindOf(local, kinds) => {
                let card = env.locals[*local as usize];
                (card >= 0 && kinds >> rules.piece_kind[card as usize] & 1 == 1) as i64
            }
            Node::InPlacesOf(local, places) => {
                let card = env.locals[*local as usize];
                if card < 0 {
                    return 0;
                }
                let at = self.piece_cell(rules, card as usize, piece::PLACE) as usize;
                let at = &rules.layout.places[at];
                (at.room > 0 && places >> at.declared & 1 == 1) as i64
            }
            Node::Plain(quantity, plain, full) => {
                self.refresh_active(rules);
                let plain = if self.active.changes[*quantity as usize].is_empty() { plain } else { full };
                self.part(rules, *plain, env)
            }
            Node::Memo(bit, body) => self.remembered(rules, *bit, *body, env),
            Node::MemoAt(first, count, local, body) => {
                let index = env.locals[*local as usize];
                if index < 0 || index >= *count as i32 {
                    return self.part(rules, *body, env);
                }
                self.remembered(rules, first + index as u8, *body, env)
            }
            Node::RowSum(first, count, index, row) => {
                let index = self.part(rules, *index, env);
                self.row_sum(rules, *row, (*first, *count), index, env)
            }
            Node::CmpConst(how, a, b) => how.holds(self.part(rules, *a, env), *b) as i64,
            _ => self.walk_on(rules, node, env),
        }
    }

    /// The value of all other expressions.
    #[inline(never)]
    fn walk_on(&mut self, rules: &Ruleset, node: &Node, env: &mut Env) -> i64 {
        match node {
            Node::Me => env.me as i64,
            Node::Word(name) => *name as i64,
            Node::OwnBit(offset, index) => {
                let index = self.part(rules, *index, env);
                let bits = self.cell(rules, rules.layout.seat(env.me, *offset as usize));
                if (0..31).contains(&index) { (bits >> index & 1) as i64 } else { 0 }
            }
            Node::Counter(card, offset) => {
                let card = self.part(rules, *card, env);
                if card < 0 { 0 } else { self.piece_cell(rules, card as usize, *offset as usize) as i64 }
            }
            Node::Field(card, field) => {
                let card = self.part(rules, *card, env);
                if card < 0 { 0 } else { rules.printed(card as usize, *field as usize) as i64 }
            }
            Node::FieldAt(card, field, len, index) => {
                let card = self.part(rules, *card, env);
                let index = self.part(rules, *index, env);
                if card < 0 || index < 0 || index >= *len as i64 {
                    return 0;
                }
                rules.printed(card as usize, *field as usize + index as usize) as i64
            }
            Node::ListAt(card, field, index) => {
                let index = self.part(rules, *index, env);
                let (_, list) = self.list(rules, *card, *field, env);
                usize::try_from(index).ok().and_then(|i| list.get(i)).map_or(0, |&v| v as i64)
            }
            Node::ListLen(card, field) => self.list(rules, *card, *field, env).1.len() as i64,
            Node::ListFirst(card, field, count) => {
                let count = self.part(rules, *count, env).max(0) as usize;
                let (at, list) = self.list(rules, *card, *field, env);
                let count = count.min(list.len());
                if count == 0 { 0 } else { rules.pool[at + list.len() + count - 1] as i64 }
            }
            Node::KindOf(card) => {
                let card = self.part(rules, *card, env);
                if card < 0 { -1 } else { rules.piece_kind[card as usize] as i64 }
            }
            Node::IsKind(card, kinds) => {
                let card = self.part(rules, *card, env);
                (card >= 0 && kinds >> rules.piece_kind[card as usize] & 1 == 1) as i64
            }
            Node::InPlaces(card, places) => {
                let card = self.part(rules, *card, env);
                if card < 0 {
                    return 0;
                }
                let at = self.piece_cell(rules, card as usize, piece::PLACE) as usize;
                let at = &rules.layout.places[at];
                (at.room > 0 && places >> at.declared & 1 == 1) as i64
            }
            Node::FirstIn(place) => self.first_in(rules, *place as usize, env.me),
            Node::NoneIn(place) => (self.first_in(rules, *place as usize, env.me) < 0) as i64,
            Node::Row(card, grid) => {
                let card = self.part(rules, *card, env);
                self.row_of(rules, card, *grid)
            }
            Node::Column(card, grid) => {
                let card = self.part(rules, *card, env);
                self.grid_at(rules, card, *grid).map_or(0, |(position, columns)| (position % columns) as i64 + 1)
            }
            Node::OwnerOf(card) => {
                let card = self.part(rules, *card, env);
                if card < 0 {
                    return -1;
                }
                match self.owner_of_piece(rules, card as usize) {
                    TABLE => -1,
                    seat => seat as i64,
                }
            }
            Node::HasAction(card) => {
                let card = self.part(rules, *card, env);
                (card >= 0 && rules.definition(card as usize).action.is_some()) as i64
            }
            Node::IsCard(card, definition) => {
                let card = self.part(rules, *card, env);
                (card >= 0 && rules.piece_definition[card as usize] == *definition) as i64
            }
            Node::PlaceInOrder => {
                let place = (0..rules.players).find(|&i| self.cell(rules, head::ORDER + i) == env.me as i32);
                place.map_or(0, |p| p as i64 + 1)
            }
            Node::Div(a, b) => {
                let (a, b) = (self.part(rules, *a, env), self.part(rules, *b, env));
                if b == 0 {
                    self.division_by_zero = true;
                    return 0;
                }
                // Numbers round down, also below 0.
                let quotient = a / b;
                if (a % b != 0) && ((a < 0) != (b < 0)) { quotient - 1 } else { quotient }
            }
            Node::Min(a, b) => self.part(rules, *a, env).min(self.part(rules, *b, env)),
            Node::Max(a, b) => self.part(rules, *a, env).max(self.part(rules, *b, env)),
            Node::Sum(set, body) => {
                let mut sum = 0_i64;
                self.each_card(rules, *set, env, |game, env| {
                    sum = sum.saturating_add(game.part(rules, *body, env));
                    true
                });
                sum
            }
            Node::Highest(set, body) => self.extreme(rules, *set, *body, env, i64::max),
            Node::Lowest(set, body) => self.extreme(rules, *set, *body, env, i64::min),
            Node::Count(set) => {
                let mut count = 0;
                self.each_card(rules, *set, env, |_, _| {
                    count += 1;
                    true
                });
                count
            }
            Node::Any(set) => {
                let mut any = 0;
                self.each_card(rules, *set, env, |_, _| {
                    any = 1;
                    false
                });
                any
            }
            Node::CountPlayers(set) => {
                let mut count = 0;
                self.each_player(rules, *set, env, |_, _| {
                    count += 1;
                    true
                });
                count
            }
            Node::AnyPlayer(set) => {
                let mut any = 0;
                self.each_player(rules, *set, env, |_, _| {
                    any = 1;
                    false
                });
                any
            }
            Node::SumPlayers(set, body) => {
                let mut sum = 0_i64;
                self.each_player(rules, *set, env, |game, env| {
                    sum = sum.saturating_add(game.part(rules, *body, env));
                    true
                });
                sum
            }
            Node::Quantity(quantity, args) => {
                let mut values = [-1; 2];
                for (value, arg) in values.iter_mut().zip(args) {
                    if let Some(arg) = arg {
                        *value = self.part(rules, *arg, env) as i32;
                    }
                }
                self.quantity(rules, *quantity, env.me, values)
            }
            Node::Rank(rank, by) => self.ranked(rules, *rank, *by, env) as i64,
            Node::Table(index, values) => {
                let index = self.part(rules, *index, env).max(0) as usize;
                values.get(index).or(values.last()).copied().unwrap_or(0)
            }
            Node::Of(seat, body) => {
                let seat = self.part(rules, *seat, env);
                if seat < 0 || seat as usize >= rules.players {
                    return 0;
                }
                let mut there = *env;
                there.me = seat as usize;
                self.part(rules, *body, &mut there)
            }
            Node::CountTokens(set, pool) => self.count_tokens(rules, *set, *pool, env),
            Node::ShownIn(symbol, pool) => {
                let symbol = self.part(rules, *symbol, env);
                self.shown_in(rules, symbol, *pool, env.me)
            }
            Node::Payable(symbol, pool) => {
                let symbol = self.part(rules, *symbol, env);
                self.payable(rules, symbol, *pool, env.me)
            }
            Node::ShownBy(local, symbol) => {
                let symbol = self.part(rules, *symbol, env);
                Self::shown_by(rules, symbol, env.locals[*local as usize])
            }
            Node::Limit(place) => match rules.places[*place as usize].limit {
                Some(quantity) => self.quantity(rules, quantity, env.me, [-1; 2]),
                None => rules.layout.places[rules.places[*place as usize].first as usize].room as i64,
            },
            // Done before.
            Node::Const(_)
            | Node::Local(_)
            | Node::Own(_)
            | Node::CounterOf(..)
            | Node::FieldOf(..)
            | Node::RowOf(..)
            | Node::ByKind(..)
            | Node::Memo(..)
            | Node::CmpConst(..)
            | Node::Cmp(..)
            | Node::If(..)
            | Node::And(..)
            | Node::Or(..)
            | Node::Not(_)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Mul(..)
            | Node::Plain(..)
            | Node::FieldAtOf(..)
            | Node::IsKindOf(..)
            | Node::InPlacesOf(..)
            | Node::MemoAt(..)
            | Node::RowSum(..)
            | Node::OwnAt(..)
            | Node::Global(_) => 0,
        }
    }

    /// The value of a part of an expression. A call of its own: with it the walk is no loop, for which all that any expression
    /// could read would be fetched beforehand.
    #[inline(never)]
    fn part(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> i64 {
        self.eval(rules, node, env)
    }

    /// Whether a condition holds.
    #[inline]
    pub fn holds(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> bool {
        self.eval(rules, node, env) != 0
    }

    /// Whether an optional condition holds; absent means yes.
    #[inline]
    pub(super) fn holds_if(&mut self, rules: &Ruleset, node: Option<NodeId>, env: &mut Env) -> bool {
        node.is_none_or(|node| self.eval(rules, node, env) != 0)
    }

    fn extreme(&mut self, rules: &Ruleset, set: u32, body: NodeId, env: &mut Env, pick: fn(i64, i64) -> i64) -> i64 {
        let mut best = None;
        self.each_card(rules, set, env, |game, env| {
            let value = game.eval(rules, body, env);
            best = Some(best.map_or(value, |b| pick(b, value)));
            true
        });
        best.unwrap_or(0)
    }

    fn list<'r>(&mut self, rules: &'r Ruleset, card: NodeId, field: u16, env: &mut Env) -> (usize, &'r [i32]) {
        let card = self.eval(rules, card, env);
        if card < 0 {
            return (0, &[]);
        }
        let at = rules.printed(card as usize, field as usize) as usize;
        if at == 0 {
            return (0, &[]);
        }
        let len = rules.pool[at] as usize;
        (at + 1, &rules.pool[at + 1..at + 1 + len])
    }
}
