use super::*;
use crate::ruleset::Ruleset;

/// A ruleset of nothing but what is made by `make`, and its code, of which nothing is cached.
fn made(make: impl FnOnce(&mut Ruleset) -> ExprId) -> (Ruleset, Code, ExprId) {
    let mut rules = Ruleset::default();
    let id = make(&mut rules);
    let code = Code { cached: vec![None; rules.graph.count()], ..Code::default() };
    (rules, code, id)
}

/// The code of an expression that is made by `make`, with everything that is named twice kept.
fn code_of(make: impl FnOnce(&mut Ruleset) -> ExprId) -> Unit {
    let (rules, code, id) = made(make);
    emit(&code, &rules.graph, id)
}

fn count(unit: &Unit, wanted: impl Fn(&Op) -> bool) -> usize {
    unit.ops.iter().filter(|op| wanted(op)).count()
}

#[test]
fn a_common_part_is_worked_out_once() {
    let unit = code_of(|rules| {
        let (a, b) = (rules.graph.add(Expr::Own { offset: 0 }), rules.graph.add(Expr::Own { offset: 1 }));
        let product = rules.graph.binary(NumberOp::Mul, a, b);
        let (more, less) = (rules.graph.binary(NumberOp::Add, product, a), rules.graph.binary(NumberOp::Sub, product, b));
        rules.graph.binary(NumberOp::Max, more, less)
    });
    assert_eq!(count(&unit, |op| matches!(op, Op::Mul { .. })), 1);
    assert_eq!(count(&unit, |op| matches!(op, Op::Own { .. })), 2);
}

#[test]
fn what_is_worked_out_in_one_branch_is_not_known_in_the_other() {
    let unit = code_of(|rules| {
        let (a, b, condition) =
            (rules.graph.add(Expr::Own { offset: 0 }), rules.graph.add(Expr::Own { offset: 1 }), rules.graph.add(Expr::Own { offset: 2 }));
        let product = rules.graph.binary(NumberOp::Mul, a, b);
        let (yes, no) = (rules.graph.binary(NumberOp::Add, product, a), rules.graph.binary(NumberOp::Sub, product, b));
        rules.graph.conditional(condition, yes, no)
    });
    assert_eq!(count(&unit, |op| matches!(op, Op::Mul { .. })), 2);
}

#[test]
fn what_does_not_change_within_a_loop_is_worked_out_before_it() {
    let unit = code_of(|rules| {
        let cards = crate::graph::Cards { places: [].into(), whose: crate::node::Whose::Mine, kinds: 0, rows: 0, with: None };
        let cards = rules.graph.intern_cards(cards);
        let (card, a, b) =
            (rules.graph.add(Expr::Var { var: 0 }), rules.graph.add(Expr::Own { offset: 0 }), rules.graph.add(Expr::Own { offset: 1 }));
        let (price, counter) = (rules.graph.binary(NumberOp::Mul, a, b), rules.graph.add(Expr::Counter { card, offset: 4 }));
        let body = rules.graph.binary(NumberOp::Mul, price, counter);
        rules.over_cards(Fold::Highest, cards, 0, None, Some(body))
    });
    let at = |wanted: fn(&Op) -> bool| unit.ops.iter().position(wanted).expect("it is there");
    let (price, next) = (at(|op| matches!(op, Op::Mul { .. })), at(|op| matches!(op, Op::NextInPlace { .. })));
    let to = unit.ops.iter().find_map(|op| if let Op::NextInPlace { to, .. } = op { Some(*to) } else { None }).expect("it is there");
    assert!(price < to as usize && (to as usize) < next, "{:?}", unit.ops);
    assert!(at(|op| matches!(op, Op::FirstCard { .. })) < price, "nothing is worked out for no cards");
}

#[test]
fn numbers_stand_in_the_operation() {
    let unit = code_of(|rules| {
        let (a, five) = (rules.graph.add(Expr::Own { offset: 0 }), rules.graph.number(5));
        rules.graph.binary(NumberOp::Sub, a, five)
    });
    assert!(matches!(*unit.ops, [Op::Own { .. }, Op::AddConst { d: 0, value: -5, .. }]), "{:?}", unit.ops);
    let long = code_of(|rules| rules.graph.number(1 << 40));
    assert!(matches!(*long.reads, [Read::Long { d: 0, index: 0 }]) && *long.constants == [1 << 40] && long.ops.len() == 1);
}

#[test]
fn what_nests_on_the_right_needs_few_registers_and_what_needs_more_than_there_are_is_told() {
    let chain = |rules: &mut Ruleset, length: u16| {
        let mut value = rules.graph.add(Expr::Own { offset: 0 });
        for offset in 1..length {
            let a = rules.graph.add(Expr::Own { offset });
            value = rules.graph.binary(NumberOp::Sub, a, value);
        }
        value
    };
    for length in [20, 500] {
        let unit = code_of(|rules| chain(rules, length));
        assert!(!unit.too_deep, "{length}");
        assert_eq!(count(&unit, |op| matches!(op, Op::Sub { .. })), length as usize - 1);
    }
    fn tree(rules: &mut Ruleset, height: u32, next: &mut u16) -> ExprId {
        if height == 0 {
            *next += 1;
            let which = rules.graph.add(Expr::Local { local: 1 });
            return rules.graph.add(Expr::OwnAt { offset: *next, len: 1, index: which });
        }
        let (a, b) = (tree(rules, height - 1, next), tree(rules, height - 1, next));
        rules.graph.binary(NumberOp::Max, a, b)
    }
    assert!(!code_of(|rules| tree(rules, 10, &mut 0)).too_deep);
}

#[test]
fn a_sum_with_a_product_is_one_operation() {
    let unit = code_of(|rules| {
        let [a, b, c] = [0, 1, 2].map(|offset| rules.graph.add(Expr::Own { offset }));
        let seven = rules.graph.number(7);
        let (times, product) = (rules.graph.binary(NumberOp::Mul, b, seven), rules.graph.binary(NumberOp::Mul, b, c));
        let sum = rules.graph.binary(NumberOp::Sub, a, times);
        rules.graph.binary(NumberOp::Add, product, sum)
    });
    assert_eq!(count(&unit, |op| matches!(op, Op::AddTimes { value: -7, .. })), 1, "{:?}", unit.ops);
    assert_eq!(count(&unit, |op| matches!(op, Op::AddProduct { .. })), 1, "{:?}", unit.ops);
    assert_eq!(unit.ops.len(), 5);
    let shared = code_of(|rules| {
        let [a, b, c] = [0, 1, 2].map(|offset| rules.graph.add(Expr::Own { offset }));
        let product = rules.graph.binary(NumberOp::Mul, b, c);
        let (more, less) = (rules.graph.binary(NumberOp::Add, a, product), rules.graph.binary(NumberOp::Sub, a, product));
        rules.graph.binary(NumberOp::Max, more, less)
    });
    assert_eq!(count(&shared, |op| matches!(op, Op::Mul { .. })), 1, "a product that is needed twice is worked out once: {:?}", shared.ops);
}

#[test]
fn a_condition_is_asked_once_for_both_of_two_choices() {
    let unit = code_of(|rules| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|offset| rules.graph.add(Expr::Own { offset }));
        let changed = rules.graph.add(Expr::Changed { quantity: 4 });
        let (first, second) = (rules.graph.conditional(changed, a, b), rules.graph.conditional(changed, c, d));
        rules.graph.binary(NumberOp::Add, first, second)
    });
    assert_eq!(unit.ops.iter().filter(|op| matches!(op, Op::Changed { .. })).count(), 1, "{:?}", unit.ops);
}

#[test]
fn what_code_of_its_own_works_out_does_not_count_as_named_again() {
    let code = |make: fn(&mut Ruleset) -> ExprId| {
        let (rules, code, id) = made(make);
        find_reused(&code, &rules.graph, id).into_iter().filter(|again| *again).count()
    };
    let of_rank = |rules: &mut Ruleset| {
        let (by, one) = (rules.graph.add(Expr::Own { offset: 3 }), rules.graph.number(1));
        let rank = rules.graph.add(Expr::Rank { rank: 0, by, leaders: one });
        rules.graph.binary(NumberOp::Add, rank, by)
    };
    assert_eq!(code(of_rank), 0);
    let twice = |rules: &mut Ruleset| {
        let a = rules.graph.add(Expr::Own { offset: 3 });
        rules.graph.binary(NumberOp::Mul, a, a)
    };
    assert_eq!(code(twice), 1);
}

#[test]
fn the_counter_of_a_card_is_not_read_where_what_it_counts_is_nothing() {
    let unit = code_of(|rules| {
        let cards = crate::graph::Cards { places: [].into(), whose: crate::node::Whose::Mine, kinds: 0, rows: 0, with: None };
        let cards = rules.graph.intern_cards(cards);
        let (card, own) = (rules.graph.add(Expr::Var { var: 0 }), rules.graph.add(Expr::Own { offset: 0 }));
        let (which, counter) = (rules.graph.add(Expr::GridColumn { card, grid: 0 }), rules.graph.add(Expr::Counter { card, offset: 4 }));
        let price = rules.graph.binary(NumberOp::Sub, which, own);
        let body = rules.graph.binary(NumberOp::Mul, counter, price);
        rules.over_cards(Fold::Sum, cards, 0, None, Some(body))
    });
    let at = |wanted: fn(&Op) -> bool| unit.ops.iter().position(wanted).expect("it is there");
    let skipped = at(|op| matches!(op, Op::Unless { .. }));
    assert!(at(|op| matches!(op, Op::Sub { .. })) < skipped && skipped < at(|op| matches!(op, Op::Counter { .. })), "{:?}", unit.ops);
    let Op::Unless { to, .. } = unit.ops[skipped] else { unreachable!() };
    assert_eq!(to as usize, at(|op| matches!(op, Op::NextInPlace { .. })), "the next card comes");
}
