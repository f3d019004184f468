//! Expressions of tests, from texts such as `max(own0 + 2, local1)`: cells, locals, variables and quantities by their numbers, operators as in
//! the rules, and a name for each other sort of expression. `sum_den(local3, counter(local3))` is a loop that closes over a local, and
//! `sum_den(var0, …)` one that is closed already; a further part is its condition.

use crate::compare::Compare;
use crate::graph::{Cards, Expr, ExprId, Fold, NumberOp, Whose};
use crate::node::CardSet;
use crate::ruleset::Ruleset;

/// Builds the expression that a text stands for: with constants folded, or exactly as written.
pub(super) fn build_expr(rules: &mut Ruleset, text: &str, folds: bool) -> ExprId {
    let mut reader = Reader { rules, rest: text, folds };
    let id = reader.choice();
    assert_eq!(reader.rest, "", "is left of `{text}`");
    id
}

/// The operators in groups that bind equally, the loosest group first.
const OPERATORS: [&[&str]; 5] = [&["or "], &["and "], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/"]];

struct Reader<'r, 't> {
    rules: &'r mut Ruleset,
    rest: &'t str,
    folds: bool,
}

impl<'t> Reader<'_, 't> {
    /// Consumes `sign` if the text continues with it; returns whether it does.
    fn take_sign(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn while_it(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest.trim_start();
        let (taken, rest) = rest.split_at(rest.find(|c| !is_part(c)).unwrap_or(rest.len()));
        self.rest = rest;
        taken
    }

    fn put(&mut self, expr: Expr) -> ExprId {
        if self.folds { self.rules.make(expr) } else { self.rules.graph.add(expr) }
    }

    fn choice(&mut self) -> ExprId {
        let condition = self.joined(0);
        if !self.take_sign("?") {
            return condition;
        }
        let yes = self.choice();
        assert!(self.take_sign(":"), "`:` before `{}`", self.rest);
        let no = self.choice();
        self.put(Expr::If { condition, yes, no })
    }

    fn joined(&mut self, level: usize) -> ExprId {
        let Some(signs) = OPERATORS.get(level) else { return self.operand() };
        let mut a = self.joined(level + 1);
        while let Some(sign) = signs.iter().find(|sign| self.take_sign(sign)) {
            let b = self.joined(level + 1);
            let two = |how| Expr::Binary { operator: how, a, b };
            let joined = match *sign {
                "or " => Expr::Or { a, b },
                "and " => Expr::And { a, b },
                "+" => two(NumberOp::Add),
                "-" => two(NumberOp::Sub),
                "*" => two(NumberOp::Mul),
                "/" => two(NumberOp::Div),
                sign => two(NumberOp::Is(Compare::of_signs(sign).expect("a comparison"))),
            };
            a = self.put(joined);
        }
        a
    }

    fn operand(&mut self) -> ExprId {
        if self.take_sign("not ") {
            let a = self.operand();
            return self.put(Expr::Not { a });
        }
        let minus = if self.take_sign("-") { -1 } else { 1 };
        let name = self.while_it(|c| c.is_alphabetic() || c == '_');
        let digits = self.while_it(|c| c.is_ascii_digit());
        let number = digits.parse::<i64>().unwrap_or(0) * minus;
        let (which, mut parts) = (number as u16, Vec::new());
        if self.take_sign("(") {
            parts.push(self.choice());
            while !self.take_sign(")") {
                assert!(self.take_sign(","), "`,` before `{}`", self.rest);
                parts.push(self.choice());
            }
        }
        let expr = match (name, &*parts) {
            ("", &[inner]) => return inner,
            ("", []) if !digits.is_empty() => Expr::Const { value: number },
            ("own", []) => Expr::Own { offset: which },
            ("own", &[index]) => Expr::OwnAt { offset: which, len: 1, index },
            ("local", []) => Expr::Local { local: which as u8 },
            ("var", []) => Expr::Var { var: which as u8 },
            ("changed", []) => Expr::Changed { quantity: which },
            ("quantity", &[card]) => Expr::Quantity { quantity: which, args: [Some(card), None] },
            ("lying", []) => Expr::PiecesIn { place: 0, per_seat: true },
            ("first", []) => Expr::FirstIn { place: 0, per_seat: true },
            ("first_on_table", []) => Expr::FirstIn { place: 0, per_seat: false },
            ("truth", &[a]) => Expr::Truth { a },
            ("min", &[a, b]) => Expr::Binary { operator: NumberOp::Min, a, b },
            ("max", &[a, b]) => Expr::Binary { operator: NumberOp::Max, a, b },
            ("of", &[seat, body]) => Expr::Of { seat, body },
            ("rank", &[by, leaders]) => Expr::Rank { rank: 0, by, leaders },
            ("counter", &[card]) => Expr::Counter { card, offset: 4 },
            ("column", &[card]) => Expr::GridColumn { card, grid: 0 },
            ("printed", &[card, index]) => Expr::FieldAt { card, field: 0, len: 2, index },
            ("element", &[card, index]) => Expr::ListAt { card, field: 0, index },
            ("elements", &[card, count]) => Expr::ListFirst { card, field: 0, count },
            ("of_row", &[row, index]) => Expr::RowAt { row, index },
            ("table", &[index]) => return self.rules.graph.table(index, &[3, 4]),
            ("tall", &[card]) => return self.rules.of_piece(card, 0, |rules, piece| rules.printed(piece, 0).into()),
            // Of no card, then of each piece.
            ("known", [card, numbers @ ..]) => {
                let numbers = numbers.iter().filter_map(|&number| self.rules.graph.constant(number)).collect();
                Expr::Column { card: *card, column: self.rules.graph.columns.add(numbers) }
            }
            (name, [bound, of @ ..]) => return self.over_cards(name, *bound, of.first().copied(), of.get(1).copied()),
            (name, []) => panic!("unknown expression `{name}` before `{}`", self.rest),
        };
        self.put(expr)
    }

    /// Builds a loop over the den: over all cards in it, those of one or all of its kinds, or those of which a counter is above 0.
    fn over_cards(&mut self, name: &str, bound: ExprId, body: Option<ExprId>, filter: Option<ExprId>) -> ExprId {
        let (fold, cards) = name.split_once('_').unwrap_or_else(|| panic!("unknown expression `{name}`"));
        let (kinds, with) = match cards {
            "den" => (0, None),
            "one" => (0b1, None),
            "all" => (0b111, None),
            "marked" => (0, Some(4)),
            other => panic!("unknown cards `{other}`"),
        };
        let all = [("sum", Fold::Sum), ("highest", Fold::Highest), ("count", Fold::Count), ("any", Fold::Any)];
        let fold = all.iter().find(|known| known.0 == fold).map(|known| known.1);
        let cards = Cards { places: [0].into(), whose: Whose::Mine, kinds, rows: 0, with };
        match (self.rules.graph[bound], fold) {
            (Expr::Local { local }, Some(fold)) => self.rules.fold_cards(fold, &CardSet { cards, local, filter, within: None }, body),
            (Expr::Var { var }, fold) => {
                let cards = self.rules.graph.intern_cards(cards);
                self.put(match (fold, body) {
                    (Some(fold), _) => Expr::OverCards { fold, cards, var, filter, body },
                    (None, Some(factor)) => Expr::Rows { cards, var, filter, field: 0, len: 2, factor },
                    (None, None) => panic!("unknown loop `{name}`"),
                })
            }
            other => panic!("`{name}` binds {other:?}"),
        }
    }
}
