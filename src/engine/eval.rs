//! Expressions: a walk over the tree, with stats and prices cached until a cell that they read has changed.

use super::game::{Cache, Eyes, Game};
use super::options::MOST_PARAMS;
use super::ruleset::{CardSet, How, Node, NodeId, OrderKey, Ruleset, Shape, Who, Whose};
use crate::state::layout::{TABLE, head, piece};

/// Rows of sums have up to this many numbers.
pub const LONGEST_ROW: usize = 16;

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

    /// The instance of a declared place that a seat speaks of: its own, or the table's.
    #[inline]
    pub fn instance(rules: &Ruleset, place: usize, me: usize) -> usize {
        let declared = &rules.places[place];
        declared.first as usize + if declared.of_seat { me } else { 0 }
    }

    pub(super) fn first_in(&self, rules: &Ruleset, place: usize, me: usize) -> i64 {
        let at = &rules.layout.places[Self::instance(rules, place, me)];
        let base = at.base as usize;
        if self.cell(rules, base) == 0 {
            return -1;
        }
        for slot in 1..=at.room as usize {
            let piece = self.cell(rules, base + slot);
            if piece != 0 {
                return piece as i64 - 1;
            }
        }
        -1
    }

    /// The row of a card in a grid, from 1; 0 if it lies elsewhere.
    fn row_of(&self, rules: &Ruleset, card: i64, grid: u16) -> i64 {
        self.grid_at(rules, card, grid).map_or(0, |(position, columns)| (position / columns) as i64 + 1)
    }

    /// Where in a grid a card lies, counted from 0 row by row, and how long the rows are; `None` if it lies elsewhere.
    #[inline]
    fn grid_at(&self, rules: &Ruleset, card: i64, grid: u16) -> Option<(u32, u32)> {
        let declared = &rules.places[grid as usize];
        let Shape::Grid { columns, .. } = declared.shape else { return None };
        if card < 0 || self.cell(rules, rules.layout.piece(card as usize, piece::PLACE)) != declared.first as i32 {
            return None;
        }
        Some((self.cell(rules, rules.layout.piece(card as usize, piece::POSITION)) as u32, columns as u32))
    }

    /// Calls `f` for each card of a set, with the card in the set's local, until it says no.
    pub(super) fn each_card(&mut self, rules: &Ruleset, set: u32, env: &mut Env, mut f: impl FnMut(&mut Game, &mut Env) -> bool) {
        let set = &rules.sets[set as usize];
        let kept = env.locals[set.local as usize];
        'all: for &place in set.places.iter() {
            let declared = &rules.places[place as usize];
            let (from, to) = match (declared.of_seat, set.whose) {
                (true, Whose::Mine) => (env.me, env.me + 1),
                (true, Whose::All) => (0, rules.players),
                (false, _) => (0, 1),
            };
            for instance in from..to {
                let at = &rules.layout.places[declared.first as usize + instance];
                let base = at.base as usize;
                let mut left = self.cell(rules, base);
                let mut slot = 0;
                while left > 0 && slot < at.room as usize {
                    slot += 1;
                    let piece = self.cell(rules, base + slot);
                    if piece == 0 {
                        continue;
                    }
                    left -= 1;
                    let piece = piece - 1;
                    if !fits(rules, set, declared.shape, piece, slot - 1) {
                        continue;
                    }
                    if let Some(counter) = set.with
                        && self.piece_cell(rules, piece as usize, counter as usize) <= 0
                    {
                        continue;
                    }
                    env.locals[set.local as usize] = piece;
                    if let Some(filter) = set.filter
                        && self.eval(rules, filter, env) == 0
                    {
                        continue;
                    }
                    if !f(self, env) {
                        break 'all;
                    }
                }
            }
        }
        env.locals[set.local as usize] = kept;
    }

    /// The cards of a set, collected.
    pub(super) fn cards_of(&mut self, rules: &Ruleset, set: u32, env: &mut Env) -> Vec<i32> {
        let local = rules.sets[set as usize].local as usize;
        let mut cards = Vec::new();
        self.each_card(rules, set, env, |_, env| {
            cards.push(env.locals[local]);
            true
        });
        cards
    }

    pub(super) fn each_player(&mut self, rules: &Ruleset, set: u32, env: &Env, mut f: impl FnMut(&mut Game, &mut Env) -> bool) {
        let set = &rules.player_sets[set as usize];
        for seat in 0..rules.players {
            if set.others && seat == env.me {
                continue;
            }
            let mut there = *env;
            there.me = seat;
            there.locals[set.local as usize] = env.me as i32;
            if let Some(filter) = set.filter
                && self.eval(rules, filter, &mut there) == 0
            {
                continue;
            }
            if !f(self, &mut there) {
                break;
            }
        }
    }

    /// The cache for a seat's values through the present eyes: live, or as everything was.
    #[inline]
    fn cache_for(&mut self, seat: usize) -> &mut Cache {
        match self.eyes {
            Eyes::Live => &mut self.live,
            Eyes::Own(own) if own as usize == seat => &mut self.live,
            _ => &mut self.past,
        }
    }

    /// The value of an expression that is worked out once until a cell that it reads changes.
    fn remembered(&mut self, rules: &Ruleset, bit: u8, body: NodeId, env: &mut Env) -> i64 {
        let seat = env.me;
        let slot = seat * rules.cached as usize + bit as usize;
        let cache = self.cache_for(seat);
        if cache.valid[seat] >> bit & 1 == 1 {
            return cache.values[slot];
        }
        let value = self.eval(rules, body, env);
        let cache = self.cache_for(seat);
        cache.valid[seat] |= 1 << bit;
        cache.values[slot] = value;
        value
    }

    /// One value of a row of sums; the others are worked out with it.
    #[inline(never)]
    fn row_sum(&mut self, rules: &Ruleset, row: u32, (first, count): (u8, u8), index: i64, env: &mut Env) -> i64 {
        let row = &rules.row_sums[row as usize];
        if index < 0 || index >= count as i64 {
            return self.eval(rules, row.sum, env);
        }
        self.refresh_active(rules);
        if row.unchanged.is_some_and(|quantity| !self.active.changes[quantity as usize].is_empty()) {
            return self.remembered(rules, first + index as u8, row.sum, env);
        }
        let seat = env.me;
        let slot = seat * rules.cached as usize + first as usize;
        let cache = self.cache_for(seat);
        if cache.valid[seat] >> (first + index as u8) & 1 == 1 {
            return cache.values[slot + index as usize];
        }
        let mut sums = [0_i64; LONGEST_ROW];
        let (local, len) = (rules.sets[row.set as usize].local as usize, row.len as usize);
        self.each_card(rules, row.set, env, |game, env| {
            let at = rules.piece_definition[env.locals[local] as usize] as usize * rules.width + row.field as usize;
            let printed = &rules.printed[at..at + len];
            if printed.iter().any(|&number| number != 0) {
                let factor = game.eval(rules, row.factor, env);
                for (sum, &number) in sums.iter_mut().zip(printed) {
                    *sum = sum.saturating_add(factor.saturating_mul(number as i64));
                }
            }
            true
        });
        let cache = self.cache_for(seat);
        cache.valid[seat] |= ((1 << count) - 1) << first;
        cache.values[slot..slot + count as usize].copy_from_slice(&sums[..count as usize]);
        sums[index as usize]
    }

    /// The value of a quantity for a seat, with all changes.
    pub fn quantity(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2]) -> i64 {
        let quantity = &rules.quantities[index as usize];
        let slot = seat * rules.cached as usize + quantity.cached.unwrap_or(0) as usize;
        if let Some(bit) = quantity.cached {
            let cache = self.cache_for(seat);
            if cache.valid[seat] >> bit & 1 == 1 {
                return cache.values[slot];
            }
        }
        let mut env = Env::of(seat);
        env.locals[1] = args[0];
        env.locals[2] = args[1];
        let mut value = self.eval(rules, quantity.base, &mut env);
        if let Some(offset) = quantity.differences {
            let at = rules.layout.seat(seat, offset as usize);
            for lifetime in 0..super::ruleset::Lifetime::ALL.len() {
                value += self.cell(rules, at + lifetime) as i64;
            }
        }
        if quantity.changed {
            value = self.changed(rules, index, seat, args, value);
        }
        if let Some(most) = quantity.most {
            value = value.min(self.eval(rules, most, &mut env));
        }
        if let Some(least) = quantity.least {
            value = value.max(self.eval(rules, least, &mut env));
        }
        if let Some(bit) = quantity.cached {
            let cache = self.cache_for(seat);
            cache.valid[seat] |= 1 << bit;
            cache.values[slot] = value;
        }
        value
    }

    /// Applies what cards in play change: first what sets it, then what adds, then what bounds it.
    fn changed(&mut self, rules: &Ruleset, index: u16, seat: usize, args: [i32; 2], mut value: i64) -> i64 {
        self.refresh_active(rules);
        let count = self.active.changes[index as usize].len();
        if count == 0 {
            return value;
        }
        for pass in [How::To, How::By, How::AtLeast, How::AtMost] {
            for i in 0..count {
                let speaker = self.active.changes[index as usize][i];
                let change = &rules.definition(speaker.piece as usize).changes[speaker.entry as usize];
                if change.how != pass || !concerns(change.who, speaker.owner, seat) {
                    continue;
                }
                let owner = if speaker.owner == TABLE { seat } else { speaker.owner as usize };
                let mut env = Env::with(owner, &[speaker.piece as i32, args[0], args[1]]);
                if !self.holds_if(rules, change.when, &mut env) {
                    continue;
                }
                let amount = self.eval(rules, change.amount, &mut env);
                value = match pass {
                    How::To => amount,
                    How::By => value.saturating_add(amount),
                    How::AtLeast => value.max(amount),
                    How::AtMost => value.min(amount),
                };
            }
        }
        value
    }

    /// Whether the seat spoken of is in a rank.
    ///
    /// `ties at the edge out`: with k leaders, a seat is in if at most k seats are as high as it or higher, itself included.
    /// `ties at the edge in`: if fewer than k seats are beyond it. Rulebook p. 9 and 20.
    fn ranked(&mut self, rules: &Ruleset, rank: u16, by: NodeId, env: &mut Env) -> bool {
        let rank = &rules.ranks[rank as usize];
        let eyes = self.eyes;
        if let Eyes::Own(_) = eyes {
            self.eyes = Eyes::Before;
        }
        let leaders = self.eval(rules, rank.leaders, env);
        let mut there = *env;
        let mine = self.eval(rules, by, &mut there);
        let (mut beyond, mut level) = (0, 1);
        for seat in (0..rules.players).filter(|&seat| seat != env.me) {
            there.me = seat;
            let theirs = self.eval(rules, by, &mut there);
            if theirs == mine {
                level += 1;
            } else if (theirs > mine) == rank.top {
                beyond += 1;
            }
        }
        self.eyes = eyes;
        if rank.ties_in { beyond < leaders } else { beyond + level <= leaders }
    }

    /// The seats in a new order, by keys; more goes first.
    pub(super) fn ordered(&mut self, rules: &Ruleset, keys: &[OrderKey]) -> Vec<usize> {
        let mut seats: Vec<usize> = self.cells[head::ORDER..head::ORDER + rules.players].iter().map(|&s| s as usize).collect();
        let mut ranked: Vec<(Vec<i64>, usize, usize)> = seats
            .iter()
            .enumerate()
            .map(|(place, &seat)| {
                let values = keys
                    .iter()
                    .map(|key| match key {
                        OrderKey::By(node) => -self.eval(rules, *node, &mut Env::of(seat)),
                        OrderKey::Present => place as i64,
                    })
                    .collect();
                (values, place, seat)
            })
            .collect();
        ranked.sort();
        seats.clear();
        seats.extend(ranked.into_iter().map(|(_, _, seat)| seat));
        seats
    }

    /// The points of a seat, row by row.
    pub fn score_rows(&mut self, rules: &Ruleset, seat: usize) -> Vec<i64> {
        rules.score.iter().map(|(_, node)| self.eval(rules, *node, &mut Env::of(seat))).collect()
    }

    /// The points of a seat.
    pub fn score(&mut self, rules: &Ruleset, seat: usize) -> i64 {
        self.score_rows(rules, seat).into_iter().sum()
    }

    /// What the state is worth to a seat, in thousandths, as the rules declare it; without a declaration, its points.
    pub fn worth(&mut self, rules: &Ruleset, seat: usize) -> i64 {
        match rules.worth {
            Some(node) => self.eval(rules, node, &mut Env::of(seat)),
            None => self.score(rules, seat) * 1000,
        }
    }

    /// The seats from winner to last: by points, then by the tie-breaks of the rules.
    pub fn standing(&mut self, rules: &Ruleset) -> Vec<usize> {
        let tie_breaks = self.ordered(rules, &rules.tie_breaks);
        let mut seats: Vec<(i64, usize, usize)> =
            tie_breaks.iter().enumerate().map(|(place, &seat)| (-self.score(rules, seat), place, seat)).collect();
        seats.sort_unstable();
        seats.into_iter().map(|(_, _, seat)| seat).collect()
    }
}

/// Whether an entry of a card concerns this seat.
pub(super) fn concerns(who: Who, owner: u8, seat: usize) -> bool {
    match who {
        Who::All => true,
        Who::Me => owner == TABLE || owner as usize == seat,
        Who::Others => owner as usize != seat,
    }
}

#[inline]
fn fits(rules: &Ruleset, set: &CardSet, shape: Shape, piece: i32, slot: usize) -> bool {
    if set.kinds != 0 && set.kinds >> rules.piece_kind[piece as usize] & 1 == 0 {
        return false;
    }
    match shape {
        Shape::Grid { columns, .. } if set.rows != 0 => set.rows >> (slot / columns as usize + 1) & 1 == 1,
        _ => true,
    }
}
