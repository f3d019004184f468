use super::*;
use crate::code::Exprs;
use crate::ruleset::Ruleset;
use std::sync::OnceLock;

/// The code of an expression that is made by `make`, with everything that is named twice kept.
fn code_of(make: impl FnOnce(&mut Exprs) -> ExprId) -> Unit {
    let mut code = Code::default();
    let id = make(&mut code.exprs);
    code.cached = vec![None; code.exprs.count()];
    code.units = vec![OnceLock::new(); code.exprs.count()];
    emit(&code, id)
}

fn count(unit: &Unit, wanted: impl Fn(&Op) -> bool) -> usize {
    unit.ops.iter().filter(|op| wanted(op)).count()
}

#[test]
fn a_common_part_is_worked_out_once() {
    let unit = code_of(|exprs| {
        let (a, b) = (exprs.add(Expr::Own(0)), exprs.add(Expr::Own(1)));
        let product = exprs.two(Two::Mul, a, b);
        let (more, less) = (exprs.two(Two::Add, product, a), exprs.two(Two::Sub, product, b));
        exprs.two(Two::Max, more, less)
    });
    assert_eq!(count(&unit, |op| matches!(op, Op::Mul { .. })), 1);
    assert_eq!(count(&unit, |op| matches!(op, Op::Own { .. })), 2);
}

#[test]
fn what_is_worked_out_in_one_branch_is_not_known_in_the_other() {
    let unit = code_of(|exprs| {
        let (a, b, condition) = (exprs.add(Expr::Own(0)), exprs.add(Expr::Own(1)), exprs.add(Expr::Own(2)));
        let product = exprs.two(Two::Mul, a, b);
        let (yes, no) = (exprs.two(Two::Add, product, a), exprs.two(Two::Sub, product, b));
        exprs.choice(condition, yes, no)
    });
    assert_eq!(count(&unit, |op| matches!(op, Op::Mul { .. })), 2);
}

#[test]
fn what_does_not_change_within_a_loop_is_worked_out_before_it() {
    let unit = code_of(|exprs| {
        let rules = Ruleset::default();
        let cards = super::super::expr::Cards { places: [].into(), whose: crate::node::Whose::Mine, kinds: 0, rows: 0, with: None };
        let cards = exprs.cards(cards);
        let (card, a, b) = (exprs.add(Expr::Var(0)), exprs.add(Expr::Own(0)), exprs.add(Expr::Own(1)));
        let (price, counter) = (exprs.two(Two::Mul, a, b), exprs.add(Expr::Counter(card, 4)));
        let body = exprs.two(Two::Mul, price, counter);
        exprs.over_cards(&rules, Fold::Highest, cards, 0, None, Some(body))
    });
    let at = |wanted: fn(&Op) -> bool| unit.ops.iter().position(wanted).expect("it is there");
    let (price, next) = (at(|op| matches!(op, Op::Mul { .. })), at(|op| matches!(op, Op::NextInPlace { .. })));
    let to = unit.ops.iter().find_map(|op| if let Op::NextInPlace { to, .. } = op { Some(*to) } else { None }).expect("it is there");
    assert!(price < to as usize && (to as usize) < next, "{:?}", unit.ops);
    assert!(at(|op| matches!(op, Op::FirstCard { .. })) < price, "nothing is worked out for no cards");
}

#[test]
fn numbers_stand_in_the_operation() {
    let unit = code_of(|exprs| {
        let (a, five) = (exprs.add(Expr::Own(0)), exprs.number(5));
        exprs.two(Two::Sub, a, five)
    });
    assert!(matches!(*unit.ops, [Op::Own { .. }, Op::AddConst { d: 0, value: -5, .. }]), "{:?}", unit.ops);
    let long = code_of(|exprs| exprs.number(1 << 40));
    assert!(matches!(*long.reads, [Read::Long { d: 0, index: 0 }]) && *long.longs == [1 << 40] && long.ops.len() == 1);
}

#[test]
fn what_nests_on_the_right_needs_few_registers_and_what_needs_more_than_there_are_is_told() {
    let chain = |exprs: &mut Exprs, length: u16| {
        let mut value = exprs.add(Expr::Own(0));
        for offset in 1..length {
            let a = exprs.add(Expr::Own(offset));
            value = exprs.two(Two::Sub, a, value);
        }
        value
    };
    for length in [20, 500] {
        let unit = code_of(|exprs| chain(exprs, length));
        assert!(!unit.too_deep, "{length}");
        assert_eq!(count(&unit, |op| matches!(op, Op::Sub { .. })), length as usize - 1);
    }
    fn tree(exprs: &mut Exprs, height: u32, next: &mut u16) -> ExprId {
        if height == 0 {
            *next += 1;
            let which = exprs.add(Expr::Local(1));
            return exprs.add(Expr::OwnAt(*next, 1, which));
        }
        let (a, b) = (tree(exprs, height - 1, next), tree(exprs, height - 1, next));
        exprs.two(Two::Max, a, b)
    }
    assert!(!code_of(|exprs| tree(exprs, 10, &mut 0)).too_deep);
}

#[test]
fn a_sum_with_a_product_is_one_operation() {
    let unit = code_of(|exprs| {
        let [a, b, c] = [0, 1, 2].map(|offset| exprs.add(Expr::Own(offset)));
        let seven = exprs.number(7);
        let (times, product) = (exprs.two(Two::Mul, b, seven), exprs.two(Two::Mul, b, c));
        let sum = exprs.two(Two::Sub, a, times);
        exprs.two(Two::Add, product, sum)
    });
    assert_eq!(count(&unit, |op| matches!(op, Op::AddTimes { value: -7, .. })), 1, "{:?}", unit.ops);
    assert_eq!(count(&unit, |op| matches!(op, Op::AddProduct { .. })), 1, "{:?}", unit.ops);
    assert_eq!(unit.ops.len(), 5);
    let shared = code_of(|exprs| {
        let [a, b, c] = [0, 1, 2].map(|offset| exprs.add(Expr::Own(offset)));
        let product = exprs.two(Two::Mul, b, c);
        let (more, less) = (exprs.two(Two::Add, a, product), exprs.two(Two::Sub, a, product));
        exprs.two(Two::Max, more, less)
    });
    assert_eq!(count(&shared, |op| matches!(op, Op::Mul { .. })), 1, "a product that is needed twice is worked out once: {:?}", shared.ops);
}

#[test]
fn a_condition_is_asked_once_for_both_of_two_choices() {
    let unit = code_of(|exprs| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|offset| exprs.add(Expr::Own(offset)));
        let changed = exprs.add(Expr::Changed(4));
        let (first, second) = (exprs.choice(changed, a, b), exprs.choice(changed, c, d));
        exprs.two(Two::Add, first, second)
    });
    assert_eq!(unit.ops.iter().filter(|op| matches!(op, Op::Changed { .. })).count(), 1, "{:?}", unit.ops);
}

#[test]
fn what_code_of_its_own_works_out_does_not_count_as_named_again() {
    let code = |make: &dyn Fn(&mut Exprs) -> ExprId| {
        let mut code = Code::default();
        let id = make(&mut code.exprs);
        code.cached = vec![None; code.exprs.count()];
        named_again(&code, id).into_iter().filter(|again| *again).count()
    };
    let of_rank = |exprs: &mut Exprs| {
        let (by, one) = (exprs.add(Expr::Own(3)), exprs.number(1));
        let rank = exprs.add(Expr::Rank(0, by, one));
        exprs.two(Two::Add, rank, by)
    };
    assert_eq!(code(&of_rank), 0);
    let twice = |exprs: &mut Exprs| {
        let a = exprs.add(Expr::Own(3));
        exprs.two(Two::Mul, a, a)
    };
    assert_eq!(code(&twice), 1);
}

#[test]
fn the_counter_of_a_card_is_not_read_where_what_it_counts_is_nothing() {
    let unit = code_of(|exprs| {
        let rules = Ruleset::default();
        let cards = super::super::expr::Cards { places: [].into(), whose: crate::node::Whose::Mine, kinds: 0, rows: 0, with: None };
        let cards = exprs.cards(cards);
        let (card, own) = (exprs.add(Expr::Var(0)), exprs.add(Expr::Own(0)));
        let (which, counter) = (exprs.add(Expr::GridColumn(card, 0)), exprs.add(Expr::Counter(card, 4)));
        let price = exprs.two(Two::Sub, which, own);
        let body = exprs.two(Two::Mul, counter, price);
        exprs.over_cards(&rules, Fold::Sum, cards, 0, None, Some(body))
    });
    let at = |wanted: fn(&Op) -> bool| unit.ops.iter().position(wanted).expect("it is there");
    let skipped = at(|op| matches!(op, Op::Unless { .. }));
    assert!(at(|op| matches!(op, Op::Sub { .. })) < skipped && skipped < at(|op| matches!(op, Op::Counter { .. })), "{:?}", unit.ops);
    let Op::Unless { to, .. } = unit.ops[skipped] else { unreachable!() };
    assert_eq!(to as usize, at(|op| matches!(op, Op::NextInPlace { .. })), "the next card comes");
}
