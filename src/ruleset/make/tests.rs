use crate::compare::Compare;
use crate::graph::{Cards, CardsId, Expr, ExprId, Fold, Graph, NumberOp, Whose};
use crate::node::CardSet;
use crate::ruleset::{PlaceDecl, Ruleset, Shape};

/// Three pieces of three kinds, with two printed numbers each: 4 and 0, 5 and 0, 6 and 9.
fn rules() -> Ruleset {
    let place = |name: &str, kinds: u64| PlaceDecl {
        name: name.to_string(),
        of_seat: true,
        shape: Shape::Slots,
        first: 0,
        instances: 2,
        kinds,
        limit: None,
        hidden: false,
        in_play: true,
        on_leave: None,
        returned: Vec::new(),
    };
    Ruleset {
        players: 2,
        width: 2,
        printed: vec![4, 0, 5, 0, 6, 9],
        piece_definition: vec![0, 1, 2],
        piece_kind: vec![0, 1, 2],
        places: vec![place("den", 0b11)],
        ..Ruleset::default()
    }
}

fn cards(exprs: &mut Graph, kinds: u64, with: Option<u8>) -> CardsId {
    exprs.intern_cards(Cards { places: [0].into(), whose: Whose::Mine, kinds, rows: 0, with })
}

#[test]
fn equal_expressions_are_one() {
    let mut exprs = Graph::default();
    let (a, b) = (exprs.add(Expr::Own { offset: 3 }), exprs.add(Expr::Own { offset: 3 }));
    assert_eq!(a, b);
    let binary = exprs.number(2);
    let (first, second) = (exprs.binary(NumberOp::Add, a, binary), exprs.binary(NumberOp::Add, binary, b));
    assert_eq!(first, second, "what is known stands on the right");
}

#[test]
fn what_is_known_is_worked_out() {
    let mut exprs = Graph::default();
    let own = exprs.add(Expr::Own { offset: 0 });
    let mut number = |value| exprs.number(value);
    let (zero, one, binary, seven) = (number(0), number(1), number(2), number(7));
    let minus = exprs.number(-7);
    for (operator, a, b, wanted) in [
        (NumberOp::Add, seven, binary, 9),
        (NumberOp::Div, seven, binary, 3),
        (NumberOp::Div, minus, binary, -4),
        (NumberOp::Min, minus, binary, -7),
        (NumberOp::Is(Compare::More), seven, binary, 1),
        (NumberOp::Mul, own, zero, 0),
    ] {
        let found = exprs.binary(operator, a, b);
        assert_eq!(exprs.constant(found), Some(wanted), "{operator:?}");
    }
    assert_eq!(exprs.binary(NumberOp::Mul, own, one), own);
    assert_eq!(exprs.conditional(seven, own, binary), own);
    assert_eq!(exprs.conditional(own, binary, binary), binary);
    let by_nothing = exprs.binary(NumberOp::Div, seven, zero);
    assert_eq!(exprs.constant(by_nothing), None, "a fault is met when it is run");
    let most = exprs.number(i64::MAX);
    let too_large = exprs.binary(NumberOp::Add, most, one);
    assert_eq!(exprs.constant(too_large), None);
    // 7 - own + 2 - ... : numbers are added up.
    let (sum, more) = (exprs.binary(NumberOp::Add, own, seven), exprs.number(9));
    assert_eq!(exprs.binary(NumberOp::Add, sum, binary), exprs.binary(NumberOp::Add, own, more));
    let not = exprs.binary(NumberOp::Is(Compare::Less), own, binary);
    assert_eq!(exprs.not(not), exprs.binary(NumberOp::Is(Compare::AtLeast), own, binary));
    assert_eq!(exprs.binary(NumberOp::Is(Compare::Less), binary, own), exprs.binary(NumberOp::Is(Compare::More), own, binary));
}

#[test]
fn truths_of_two_parts_are_known_when_one_is_enough() {
    let mut exprs = Graph::default();
    let (own, zero, one) = (exprs.add(Expr::Own { offset: 0 }), exprs.number(0), exprs.number(1));
    let truth = exprs.truth(own);
    assert_eq!([exprs.and(own, zero), exprs.and(one, own), exprs.or(own, one), exprs.or(zero, own)], [zero, truth, one, truth]);
    assert_eq!(exprs.truth(truth), truth);
    let not = exprs.not(own);
    assert_eq!(exprs.not(not), truth);
}

#[test]
fn what_follows_from_what_is_printed_is_a_column() {
    let mut rules = rules();
    let (card, other) = (rules.graph.add(Expr::Local { local: 1 }), rules.graph.add(Expr::Local { local: 2 }));
    let tall = rules.of_piece(card, 0, |rules, piece| rules.printed(piece, 0).into());
    let ten = rules.graph.number(10);
    let higher = rules.graph.binary(NumberOp::Mul, tall, ten);
    let Expr::Column { card: of, column } = rules.graph[higher] else { panic!("{:?}", rules.graph[higher]) };
    assert_eq!((of, rules.graph.columns.numbers(column)), (card, &[0, 40, 50, 60][..]));
    let low = rules.graph.binary(NumberOp::Is(Compare::AtMost), tall, ten);
    assert_eq!(rules.graph.constant(low), Some(1), "the same for all");
    let of_another = rules.of_piece(other, 0, |rules, piece| rules.printed(piece, 0).into());
    let both = rules.graph.binary(NumberOp::Add, tall, of_another);
    assert!(matches!(rules.graph[both], Expr::Binary { operator: NumberOp::Add, .. }), "two cards are no column");
}

#[test]
fn all_of_a_place_need_not_be_gone_through() {
    let mut rules = rules();
    let (all, some, marked) =
        (cards(&mut rules.graph, 0b11, None), cards(&mut rules.graph, 0b1, None), cards(&mut rules.graph, 0, Some(4)));
    let lying = rules.graph.add(Expr::PiecesIn { place: 0, per_seat: true });
    assert_eq!(rules.over_cards(Fold::Count, all, 0, None, None), lying);
    for cards in [some, marked] {
        assert_ne!(rules.over_cards(Fold::Count, cards, 0, None, None), lying);
    }
    let (first, zero) = (rules.graph.add(Expr::FirstIn { place: 0, per_seat: true }), rules.graph.number(0));
    let there = rules.graph.binary(NumberOp::Is(Compare::AtLeast), first, zero);
    assert_eq!(rules.over_cards(Fold::Any, all, 0, None, None), there);
}

#[test]
fn sums_of_a_printed_row_are_worked_out_together() {
    let mut rules = rules();
    let all = cards(&mut rules.graph, 0, None);
    let card = rules.graph.add(Expr::Var { var: 0 });
    let factor = rules.graph.add(Expr::Counter { card, offset: 4 });
    let sum = |rules: &mut Ruleset, index: ExprId| {
        let number = rules.field_at(card, 0, 2, index);
        let product = rules.graph.binary(NumberOp::Mul, number, factor);
        rules.over_cards(Fold::Sum, all, 0, None, Some(product))
    };
    let (zero, one, which) = (rules.graph.number(0), rules.graph.number(1), rules.graph.add(Expr::Local { local: 1 }));
    let rows: Vec<ExprId> = [zero, one, which]
        .map(|index| {
            let id = sum(&mut rules, index);
            let Expr::RowAt { row, index: at } = rules.graph[id] else { panic!("{:?}", rules.graph[id]) };
            assert_eq!(at, index);
            row
        })
        .to_vec();
    assert!(rows.iter().all(|&row| row == rows[0]));
}

#[test]
fn whether_a_card_changes_a_quantity_is_asked_before_a_loop() {
    let mut rules = rules();
    let all = cards(&mut rules.graph, 0, None);
    let card = rules.graph.add(Expr::Var { var: 0 });
    let (counter, changed) = (rules.graph.add(Expr::Counter { card, offset: 4 }), rules.graph.add(Expr::Changed { quantity: 3 }));
    let full = rules.graph.add(Expr::Quantity { quantity: 3, args: [Some(card), None] });
    let either = rules.graph.conditional(changed, full, counter);
    let sum = rules.over_cards(Fold::Sum, all, 0, None, Some(either));
    let Expr::If { condition, no, .. } = rules.graph[sum] else { panic!("{:?}", rules.graph[sum]) };
    assert_eq!(condition, changed);
    assert_eq!(rules.graph[no], Expr::OverCards { fold: Fold::Sum, cards: all, var: 0, filter: None, body: Some(counter) });
}

#[test]
fn what_an_expression_depends_on_is_known() {
    let mut rules = rules();
    let all = cards(&mut rules.graph, 0, Some(4));
    let (card, local) = (rules.graph.add(Expr::Var { var: 0 }), rules.graph.add(Expr::Local { local: 2 }));
    let body = rules.graph.binary(NumberOp::Mul, card, local);
    assert_eq!((rules.graph.facts(body).vars, rules.graph.facts(body).locals), (0b1, 0b100));
    let sum = rules.over_cards(Fold::Sum, all, 0, None, Some(body));
    assert_eq!((rules.graph.facts(sum).vars, rules.graph.facts(sum).closed()), (0, false));
    let count = rules.over_cards(Fold::Count, all, 0, None, None);
    assert!(rules.graph.facts(count).closed());
}

#[test]
fn one_of_two_numbers_is_reckoned() {
    let mut exprs = Graph::default();
    let [a, b, yes, no] = [exprs.add(Expr::Own { offset: 0 }), exprs.add(Expr::Own { offset: 1 }), exprs.number(9), exprs.number(4)];
    let more = exprs.binary(NumberOp::Is(Compare::More), a, b);
    let chosen = exprs.conditional(more, yes, no);
    let Expr::Binary { operator: NumberOp::Add, a: next_outer_var, .. } = exprs[chosen] else { panic!("{:?}", exprs[chosen]) };
    let five = exprs.number(5);
    assert_eq!(exprs[next_outer_var], Expr::Binary { operator: NumberOp::Mul, a: more, b: five });
    let [one, zero] = [exprs.number(1), exprs.number(0)];
    assert_eq!(exprs.conditional(more, one, zero), more);
    let (chosen, inverse) = (exprs.conditional(more, zero, one), exprs.not(more));
    assert_eq!(chosen, inverse);
    let conditional = exprs.conditional(a, yes, no);
    assert!(matches!(exprs[conditional], Expr::If { .. }), "what is not a truth may be any number");
}

#[test]
fn numbers_around_a_difference_are_one() {
    let mut exprs = Graph::default();
    let [a, eight, binary] = [exprs.add(Expr::Own { offset: 0 }), exprs.number(8), exprs.number(2)];
    let left = exprs.binary(NumberOp::Sub, eight, a);
    let (more, less) = (exprs.binary(NumberOp::Add, left, binary), exprs.binary(NumberOp::Sub, left, binary));
    let [ten, six] = [exprs.number(10), exprs.number(6)];
    assert_eq!(
        (exprs[more], exprs[less]),
        (Expr::Binary { operator: NumberOp::Sub, a: ten, b: a }, Expr::Binary { operator: NumberOp::Sub, a: six, b: a })
    );
}

#[test]
fn what_one_more_element_adds_is_that_element() {
    let mut exprs = Graph::default();
    let (card, count, one, binary) =
        (exprs.add(Expr::Local { local: 1 }), exprs.add(Expr::Own { offset: 0 }), exprs.number(1), exprs.number(2));
    let (more, most) = (exprs.binary(NumberOp::Add, count, one), exprs.binary(NumberOp::Add, count, binary));
    let sums = [count, more, most].map(|count| exprs.add(Expr::ListFirst { card, field: 0, count }));
    let next = exprs.binary(NumberOp::Sub, sums[1], sums[0]);
    assert_eq!(exprs[next], Expr::ListAt { card, field: 0, index: count });
    let both = exprs.binary(NumberOp::Sub, sums[2], sums[0]);
    assert_eq!(exprs[both], Expr::Binary { operator: NumberOp::Sub, a: sums[2], b: sums[0] });
}

/// A sum over the cards of the den, with the card in a local.
fn sum(rules: &mut Ruleset, local: u8, body: ExprId) -> ExprId {
    let set = CardSet { places: [0].into(), whose: Whose::Mine, kinds: 0, rows: 0, local, with: Some(4), filter: None };
    rules.fold_cards(Fold::Sum, &set, Some(body))
}

#[test]
fn equal_loops_are_equal_wherever_they_stand() {
    let mut rules = rules();
    let counter = |rules: &mut Ruleset, local: u8| {
        let card = rules.make(Expr::Local { local });
        rules.make(Expr::Counter { card, offset: 4 })
    };
    let [of_third, of_fifth] = [3, 5].map(|local| {
        let body = counter(&mut rules, local);
        sum(&mut rules, local, body)
    });
    assert_eq!(of_third, of_fifth);
    // Within another loop that it does not read it is the same; one that reads the other is not.
    let outer = counter(&mut rules, 7);
    let product = rules.make(Expr::Binary { operator: NumberOp::Mul, a: outer, b: of_third });
    let beside = sum(&mut rules, 7, product);
    let Expr::OverCards { var, body: Some(body), .. } = rules.graph[beside] else { panic!("{:?}", rules.graph[beside]) };
    let Expr::Binary { b, .. } = rules.graph[body] else { panic!("{:?}", rules.graph[body]) };
    assert_eq!((var, b), (0, of_third));
    let inner = counter(&mut rules, 3);
    let product = rules.make(Expr::Binary { operator: NumberOp::Mul, a: inner, b: outer });
    let reads = sum(&mut rules, 3, product);
    let whole = sum(&mut rules, 7, reads);
    let Expr::OverCards { var, body: Some(inner), .. } = rules.graph[whole] else { panic!("{:?}", rules.graph[whole]) };
    let facts = rules.graph.facts(inner);
    assert_eq!((var, facts.vars, facts.locals, rules.graph.facts(whole).closed()), (1, 0b10, 0, true));
}

#[test]
fn what_is_substituted_is_folded_and_read_all_at_once() {
    let mut rules = rules();
    let [first, second] = [1, 2].map(|local| rules.make(Expr::Local { local }));
    let difference = rules.graph.binary(NumberOp::Sub, first, second);
    let turned = rules.graph.binary(NumberOp::Sub, second, first);
    assert_eq!(rules.substitute(difference, &[(1, second), (2, first)]), turned);
    let [seven, binary] = [7, 2].map(|number| rules.graph.number(number));
    let known = rules.substitute(difference, &[(1, seven), (2, binary)]);
    assert_eq!(rules.graph.constant(known), Some(5));
    let height = rules.of_piece(first, 0, |rules, piece| rules.printed(piece, 0).into());
    let of_third = rules.substitute(height, &[(1, binary)]);
    assert_eq!(rules.graph.constant(of_third), Some(6));
}

#[test]
fn a_local_within_a_loop_is_not_captured() {
    let mut rules = rules();
    let [card, number] = [3, 1].map(|local| rules.make(Expr::Local { local }));
    let counter = rules.make(Expr::Counter { card, offset: 4 });
    let product = rules.make(Expr::Binary { operator: NumberOp::Mul, a: counter, b: number });
    let loops = sum(&mut rules, 3, product);
    // The same local as the loop has had means something else outside of it.
    let there = rules.substitute(loops, &[(1, counter)]);
    let Expr::OverCards { var, body: Some(body), .. } = rules.graph[there] else { panic!("{:?}", rules.graph[there]) };
    let Expr::Binary { a, b, .. } = rules.graph[body] else { panic!("{:?}", rules.graph[body]) };
    let variable = rules.graph.add(Expr::Var { var });
    assert_eq!((rules.graph[a], b), (Expr::Counter { card: variable, offset: 4 }, counter));
}

#[test]
fn a_graph_is_taken_back_to_what_it_was() {
    let mut rules = rules();
    let card = rules.make(Expr::Local { local: 1 });
    let mark = rules.graph.mark();
    let make = |rules: &mut Ruleset| {
        let height = rules.of_piece(card, 0, |rules, piece| rules.printed(piece, 0).into());
        let all = cards(&mut rules.graph, 0b1, None);
        let table = rules.graph.table(card, &[3, 4]);
        let count = rules.over_cards(Fold::Count, all, 0, None, None);
        [height, table, count].map(|made| (made, rules.graph[made]))
    };
    let before = make(&mut rules);
    assert_eq!(make(&mut rules), before);
    rules.graph.restore(mark);
    assert_eq!((rules.graph.count(), rules.graph.columns().end(), rules.graph.count_of_cards()), (1, 0, 0));
    assert_eq!(make(&mut rules), before);
}

#[test]
fn what_is_for_another_seat_and_what_is_not() {
    let mut rules = rules();
    let [own, asker] = [Expr::Own { offset: 0 }, Expr::Local { local: 3 }].map(|expr| rules.make(expr));
    let of_asker = rules.make(Expr::Of { seat: asker, body: own });
    let [mine, of_table] = [true, false].map(|per_seat| rules.make(Expr::FirstIn { place: 0, per_seat }));
    let by_seat = [own, of_asker, mine, of_table].map(|made| rules.graph.facts(made).by_seat);
    assert_eq!(by_seat, [true, false, true, false]);
}

#[test]
fn the_range_of_a_choice_and_of_what_is_added_to_it_is_known() {
    let mut exprs = Graph::default();
    let [own, local, five, binary] =
        [Expr::Own { offset: 0 }, Expr::Local { local: 1 }, Expr::Const { value: 5 }, Expr::Const { value: 2 }].map(|expr| exprs.add(expr));
    let truth = exprs.truth(own);
    let chosen = exprs.conditional(truth, binary, five);
    let sum = exprs.binary(NumberOp::Add, chosen, local);
    let held = |local| (local == 1).then_some((0, 9));
    let ranges = [chosen, sum, own].map(|id| exprs.range(id, &held));
    assert_eq!(ranges, [Some((2, 5)), Some((2, 14)), None]);
}
