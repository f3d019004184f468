//! Emits what counts tokens in pools.

use crate::cast;
use crate::emitter::Emitter;
use crate::function::{Function, I};
use crate::numbers::at_least;
use houserule_ruleset::graph::ExprId;
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
            return self.fixed_sum(f, pool, (0..rules.classes.len()).filter(|class| all >> class & 1 == 1).map(|class| (class, 1)));
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
        let rules = self.rules;
        let shown = |symbol: usize| rules.classes.iter().map(move |class| i64::from(shown_count(class, symbol)));
        if let Some(symbol) = rules.graph.constant(symbol) {
            let symbol = cast::index(symbol.max(0));
            let pool = self.pool(f, pool);
            let classes = rules.showing.get(symbol).copied().unwrap_or(0);
            return self.fixed_sum(f, pool, shown(symbol).enumerate().filter(|(class, _)| classes >> class & 1 == 1));
        }
        let (symbol, classes, factors) = (self.symbol(f, symbol), f.long(), f.int());
        self.long_of_table(f, &rules.showing, symbol);
        f.set(classes);
        let table: Vec<i32> = (0..rules.showing.len()).flat_map(shown).map(cast::fit::<i32>).collect();
        self.row_of_symbol(f, table, symbol, factors);
        let pool = self.pool(f, pool);
        self.sum_classes(f, pool, classes, Some(factors));
    }

    /// Puts the address of the row of a symbol in a table, with a number for each class, into a local.
    fn row_of_symbol(&mut self, f: &mut Function, table: Vec<i32>, symbol: u32, row: u32) {
        let at = self.data.words(table);
        f.get(symbol).narrow().scale(cast::fit::<u32>(self.rules.classes.len() * 4)).address(at).put(I::I32Add).set(row);
    }

    /// Leaves on the stack how much of a symbol a pool can pay, with substitutes.
    pub fn payable(&mut self, f: &mut Function, symbol: ExprId, pool: u8) {
        let rules = self.rules;
        let each = rules.exchange.map_or(1, |exchange| i64::from(exchange.count.max(1)));
        let value = |symbol: usize, class: usize| {
            let payer = rules.payers[symbol].classes.iter().find(|payer| usize::from(payer.class) == class);
            payer.map(|payer| i64::from(payer.value))
        };
        let classes = 0..rules.classes.len();
        if let Some(symbol) = rules.graph.constant(symbol) {
            let symbol = cast::index(symbol.max(0));
            if symbol >= rules.payers.len() {
                f.i64(0);
                return;
            }
            let pool = self.pool(f, pool);
            let showing = classes.clone().filter_map(|class| Some((class, value(symbol, class)?))).filter(|(_, value)| *value > 0);
            self.fixed_sum(f, pool, showing);
            let substitutes: Vec<(usize, i64)> = classes.filter(|&class| value(symbol, class) == Some(0)).map(|class| (class, 1)).collect();
            if !substitutes.is_empty() {
                self.fixed_sum(f, pool, substitutes);
                f.i64(each).put(I::I64DivS).put(I::I64Add);
            }
            return;
        }
        let bits = |symbol: usize, wanted: fn(i64) -> bool| {
            let fits = |class: &usize| value(symbol, *class).is_some_and(wanted);
            (0..rules.classes.len()).filter(fits).fold(0_u64, |bits, class| bits | 1 << class)
        };
        let symbols = 0..rules.payers.len();
        let showing: Vec<u64> = symbols.clone().map(|symbol| bits(symbol, |value| value > 0)).collect();
        let substitutes: Vec<u64> = symbols.clone().map(|symbol| bits(symbol, |value| value == 0)).collect();
        let values: Vec<i32> = symbols
            .flat_map(|symbol| (0..rules.classes.len()).map(move |class| cast::fit::<i32>(value(symbol, class).unwrap_or(0))))
            .collect();
        let (symbol, classes, factors) = (self.symbol(f, symbol), f.long(), f.int());
        let pool = self.pool(f, pool);
        self.long_of_table(f, &showing, symbol);
        f.set(classes);
        self.row_of_symbol(f, values, symbol, factors);
        self.sum_classes(f, pool, classes, Some(factors));
        self.long_of_table(f, &substitutes, symbol);
        f.set(classes);
        self.sum_classes(f, pool, classes, None);
        f.i64(each).put(I::I64DivS).put(I::I64Add);
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
