use super::*;
use crate::ruleset::Ruleset;
use crate::sample::{build_expr, rules};

/// Compiles the expression that a text stands for, without cached values; returns the ruleset, the code and the expression.
fn code(text: &str) -> (Ruleset, Code, ExprId) {
    let mut rules = rules();
    let id = build_expr(&mut rules, text, true);
    let code = Code { cached: vec![None; rules.graph.count()], ..Code::default() };
    (rules, code, id)
}

fn unit(text: &str) -> Unit {
    let (rules, code, id) = code(text);
    emit(&code, &rules.graph, id)
}

/// Returns the names of the operations to which an expression is compiled; jumps are followed by their target, counted from 0.
fn ops(text: &str) -> String {
    let name = |op: &Op| {
        let shown = format!("{op:?}");
        let name = shown.split(' ').next().unwrap_or_default().to_string();
        op.clone().target().map_or(name.clone(), |to| format!("{name}>{to}"))
    };
    unit(text).ops.iter().map(name).collect::<Vec<_>>().join(" ")
}

#[test]
fn what_is_named_twice_is_worked_out_once() {
    // A common part.
    assert_eq!(ops("max(own0 * own1 + own0, own0 * own1 - own1)"), "Own Own Mul Add Sub Binary");
    // What is worked out in one branch is not known in the other.
    assert_eq!(ops("own2 ? own0 * own1 + own0 : own0 * own1 - own1"), "Own Unless>7 Own Own Mul Add Jump>11 Own Own Mul Sub");
    // A condition is asked once for both of two choices.
    assert_eq!(ops("(changed4 ? own0 : own1) + (changed4 ? own2 : own3)"), "Changed Unless>4 Own Jump>5 Own Unless>8 Own Jump>9 Own Add");
}

#[test]
fn what_does_not_change_within_a_loop_is_worked_out_before_it() {
    // And nothing is worked out for no cards.
    assert_eq!(
        ops("highest_den(local3, own0 * own1 * counter(local3))"),
        "Const Const FirstCard>10 Own Own Mul Counter Mul Best NextInPlace>6"
    );
}

#[test]
fn the_counter_of_a_card_is_not_read_where_what_it_counts_is_nothing() {
    // The next card comes.
    assert_eq!(
        ops("sum_den(local3, counter(local3) * (column(local3) - own0))"),
        "Const FirstCard>9 Own Read Sub Unless>8 Counter AddProduct NextInPlace>3"
    );
}

#[test]
fn numbers_stand_in_the_operation() {
    let short = unit("own0 - 5");
    assert!(matches!(*short.ops, [Op::Own { .. }, Op::AddConst { d: 0, value: -5, .. }]), "{:?}", short.ops);
    let long = unit("1099511627776");
    assert!(matches!(*long.reads, [Read::Long { d: 0, index: 0 }]) && *long.constants == [1 << 40] && long.ops.len() == 1);
}

#[test]
fn a_sum_with_a_product_is_one_operation() {
    let sum = "own1 * own2 + (own0 - own1 * 7)";
    assert_eq!(ops(sum), "Own Own AddTimes Own AddProduct");
    assert!(unit(sum).ops.iter().any(|op| matches!(op, Op::AddTimes { value: -7, .. })));
    // A product that is needed twice is worked out once.
    assert_eq!(ops("max(own0 + own1 * own2, own0 - own1 * own2)"), "Own Own Mul Own Add Sub Binary");
}

#[test]
fn what_nests_on_the_right_needs_few_registers_and_what_needs_more_than_there_are_is_told() {
    for length in [20, 500] {
        let unit = unit(&(1..length).fold("own0".to_string(), |value, offset| format!("own{offset} - ({value})")));
        assert!(!unit.too_deep, "{length}");
        assert_eq!(unit.ops.iter().filter(|op| matches!(op, Op::Sub { .. })).count(), length - 1);
    }
    let mut tree: Vec<String> = (1..=1 << 10).map(|offset| format!("own{offset}(local1)")).collect();
    while tree.len() > 1 {
        tree = tree.chunks(2).map(|pair| format!("max({}, {})", pair[0], pair[1])).collect();
    }
    assert!(!unit(&tree[0]).too_deep);
}

#[test]
fn what_code_of_its_own_works_out_does_not_count_as_named_again() {
    for (text, named) in [("rank(own3, 1) + own3", 0), ("own3 * own3", 1)] {
        let (rules, code, id) = code(text);
        assert_eq!(find_reused(&code, &rules.graph, id).into_iter().filter(|again| *again).count(), named, "{text}");
    }
}
