//! Emits what counts tokens in pools.

use crate::cast;
use crate::emitter::Emitter;
use crate::function::{Function, I};
use crate::numbers::at_least;
use houserule_ruleset::graph::ExprId;
use houserule_ruleset::payers::Payers;
use houserule_ruleset::tokens::shown_count;

impl Emitter<'_> {
    /// Puts the address of the first cell of a pool into a local, to which the returned offset must be added.
    fn pool(&mut self, f: &mut Function, pool: u8) -> (u32, u32) {
        let (pool, layout) = (&self.rules.pools[usize::from(pool)], &self.rules.layout);
        let offset = usize::from(pool.offset);
        let (local, cell) = if pool.of_seat { (f.seat.own, layout.seat_base + offset) } else { (f.seat.slot, offset) };
        (local, cast::fit::<u32>(cell * 4))
    }

    /// Leaves the sum over the classes in a bit set, in a local, on the stack: the number of tokens times what a table of 32 bits each has for
    /// the class, if one is given with its address in a local.
    fn sum_classes(&mut self, f: &mut Function, (base, offset): (u32, u32), classes: u32, factors: Option<u32>) {
        let (sum, class) = (f.long(), f.int());
        f.i64(0).set(sum);
        f.get(classes).i64(0).put(I::I64Ne).begin_if();
        f.begin_loop();
        f.get(classes).put(I::I64Ctz).narrow().scale(4).set(class);
        f.get(base).get(class).put(I::I32Add).load_cell(offset);
        if let Some(factors) = factors {
            f.get(factors).get(class).put(I::I32Add).load_cell(0).put(I::I64Mul);
        }
        f.get(sum).put(I::I64Add).set(sum);
        // Without the lowest.
        f.get(classes).get(classes).i64(1).put(I::I64Sub).put(I::I64And).tee(classes).i64(0).put(I::I64Ne).again_if();
        f.end();
        f.end();
        f.get(sum);
    }

    /// Leaves an element of a table of 64 bits each on the stack; 0 beyond its end.
    fn long_of_table(&mut self, f: &mut Function, table: &[u64], index: u32) {
        let at = self.data.long(table.iter().map(|number| number.cast_signed()));
        f.get(index).i64(cast::count(table.len())).put(I::I64LtU);
        self.if_holds(f, 0, |_, f| _ = f.get(index).narrow().scale(8).load_long(at));
    }

    /// Leaves the sum of the counts of some classes on the stack: each times a factor.
    fn fixed_sum(&mut self, f: &mut Function, (base, offset): (u32, u32), classes: impl IntoIterator<Item = (usize, i64)>) {
        f.i64(0);
        for (class, factor) in classes {
            f.get(base).load_cell(offset + cast::fit::<u32>(class) * 4);
            if factor != 1 {
                f.i64(factor).put(I::I64Mul);
            }
            f.put(I::I64Add);
        }
    }

    /// Leaves the number of tokens of a set in a pool on the stack.
    pub fn count_tokens(&mut self, f: &mut Function, (set, pool): (u32, u8), sort: Option<ExprId>, showing: Option<ExprId>) {
        let rules = self.rules;
        let all = rules.token_sets[set as usize].classes;
        let classes = f.long();
        let sort = sort.map(|sort| self.value_in_local(f, sort));
        let showing = showing.map(|showing| self.value_in_local(f, showing));
        let pool = self.pool(f, pool);
        if sort.is_none() && showing.is_none() {
            return self.fixed_sum(f, pool, self.classes_in(all).map(|class| (class, 1)));
        }
        f.i64(all.cast_signed()).set(classes);
        let of_sort: Vec<u64> = rules.tokens.iter().map(|token| token.classes).collect();
        for (index, table) in [(sort, &of_sort), (showing, &rules.showing)] {
            let Some(index) = index else { continue };
            self.long_of_table(f, table, index);
            f.get(classes).put(I::I64And).set(classes);
        }
        self.sum_classes(f, pool, classes, None);
    }

    /// Evaluates a symbol into a local: what is below 0 stands for the first.
    fn symbol(&mut self, f: &mut Function, symbol: ExprId) -> u32 {
        let local = self.value_in_local(f, symbol);
        at_least(f, local, 0);
        local
    }

    /// Leaves on the stack how much of a symbol the tokens of a pool show.
    pub fn shown_in(&mut self, f: &mut Function, symbol: ExprId, pool: u8) {
        let pool = self.pool(f, pool);
        let symbol = self.asked_symbol(f, symbol);
        self.shown(f, symbol, pool);
    }

    /// Leaves on the stack how much of a symbol a pool can pay, with substitutes.
    pub fn payable(&mut self, f: &mut Function, symbol: ExprId, pool: u8) {
        let symbol = self.asked_symbol(f, symbol);
        self.payable_of(f, symbol, pool);
    }

    /// Leaves on the stack how much of a symbol can be paid, of which a table has the amounts; nothing of what is no symbol.
    pub fn payable_of_table(&mut self, f: &mut Function, symbol: ExprId, table: u32) {
        let symbol = self.symbol(f, symbol);
        f.get(symbol).i64(cast::count(self.rules.symbols.len())).put(I::I64LtU);
        self.if_holds(f, 0, |_, f| _ = f.get(symbol).narrow().scale(8).load_long(table));
    }

    /// Leaves on the stack how much a pool can pay of a symbol as it was asked for: see [`Emitter::asked_symbol`].
    pub fn payable_of(&mut self, f: &mut Function, symbol: Result<usize, [u32; 3]>, pool: u8) {
        let rules = self.rules;
        let idle = |payers: &Payers| payers.classes.iter().filter(|payer| payer.value == 0).fold(0, |bits, payer| bits | 1 << payer.class);
        let substitutes: Vec<u64> = rules.payers.iter().map(idle).collect();
        let pool = self.pool(f, pool);
        self.shown(f, symbol, pool);
        match symbol {
            Ok(symbol) => match substitutes.get(symbol).copied().unwrap_or(0) {
                0 => return,
                classes => self.fixed_sum(f, pool, self.classes_in(classes).map(|class| (class, 1))),
            },
            Err([symbol, classes, _]) => {
                self.long_of_table(f, &substitutes, symbol);
                f.set(classes);
                self.sum_classes(f, pool, classes, None);
            }
        }
        f.i64(rules.exchange.map_or(1, |exchange| i64::from(exchange.count.max(1)))).put(I::I64DivS).put(I::I64Add);
    }

    /// Returns the symbol that is asked for, if it is constant, or else locals with it, and for a set of classes and a row of factors.
    fn asked_symbol(&mut self, f: &mut Function, symbol: ExprId) -> Result<usize, [u32; 3]> {
        match self.rules.graph.constant(symbol) {
            Some(symbol) => Ok(cast::index(symbol.max(0))),
            None => Err([self.symbol(f, symbol), f.long(), f.int()]),
        }
    }

    /// Leaves on the stack how much of a symbol the tokens of a pool show, without substitutes.
    fn shown(&mut self, f: &mut Function, symbol: Result<usize, [u32; 3]>, pool: (u32, u32)) {
        let rules = self.rules;
        let shown = |symbol: usize| rules.classes.iter().map(move |class| shown_count(class, symbol));
        match symbol {
            Ok(symbol) => {
                let classes = rules.showing.get(symbol).copied().unwrap_or(0);
                let all = self.classes_in(classes).map(|class| (class, shown_count(&rules.classes[class], symbol).into()));
                self.fixed_sum(f, pool, all);
            }
            Err([symbol, classes, factors]) => {
                self.long_of_table(f, &rules.showing, symbol);
                f.set(classes);
                let table = self.data.words((0..rules.showing.len()).flat_map(shown).map(i32::from));
                f.get(symbol).narrow().scale(cast::fit::<u32>(rules.classes.len() * 4));
                f.address(table).put(I::I32Add).set(factors);
                self.sum_classes(f, pool, classes, Some(factors));
            }
        }
    }

    /// Leaves on the stack how many different sorts of tokens lie in a pool.
    pub fn sorts_in(&mut self, f: &mut Function, pool: u8) {
        let pool = self.pool(f, pool);
        f.i64(0);
        for token in &self.rules.tokens {
            self.fixed_sum(f, pool, self.classes_in(token.classes).map(|class| (class, 1)));
            f.i64(0).put(I::I64GtS).widen().put(I::I64Add);
        }
    }

    /// Lists the classes of tokens in a bit set.
    fn classes_in(&self, classes: u64) -> impl Iterator<Item = usize> + use<> {
        (0..self.rules.classes.len()).filter(move |class| classes >> class & 1 == 1)
    }

    /// Leaves on the stack how much of a symbol a picked token shows.
    pub fn shown_by(&mut self, f: &mut Function, picked: ExprId, symbol: ExprId) {
        let rules = self.rules;
        let symbols = rules.symbols.len();
        let table = rules.classes.iter().flat_map(|class| (0..symbols).map(|symbol| i32::from(shown_count(class, symbol))));
        let at = self.data.words(table);
        let (picked, symbol) = (self.value_in_local(f, picked), self.symbol(f, symbol));
        // No token, or no such symbol.
        f.get(picked).narrow().i32(0).put(I::I32GeS);
        f.get(symbol).i64(cast::count(symbols)).put(I::I64LtU).put(I::I32And);
        self.if_holds(f, 0, |_, f| {
            f.get(picked).narrow().i32(0xFF).put(I::I32And).scale(cast::fit::<u32>(symbols));
            f.get(symbol).narrow().put(I::I32Add).scale(4).load_cell(at);
        });
    }
}
