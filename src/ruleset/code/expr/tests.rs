use super::*;
use crate::ruleset::{PlaceDecl, Shape};

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
        hearing: true,
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

fn cards(exprs: &mut Exprs, kinds: u64, with: Option<u8>) -> CardsId {
    exprs.cards(Cards { places: [0].into(), whose: Whose::Mine, kinds, rows: 0, with })
}

#[test]
fn equal_expressions_are_one() {
    let mut exprs = Exprs::default();
    let (a, b) = (exprs.add(Expr::Own(3)), exprs.add(Expr::Own(3)));
    assert_eq!(a, b);
    let two = exprs.number(2);
    let (first, second) = (exprs.two(Two::Add, a, two), exprs.two(Two::Add, two, b));
    assert_eq!(first, second, "what is known stands on the right");
}

#[test]
fn what_is_known_is_worked_out() {
    let mut exprs = Exprs::default();
    let own = exprs.add(Expr::Own(0));
    let mut number = |value| exprs.number(value);
    let (zero, one, two, seven) = (number(0), number(1), number(2), number(7));
    let minus = exprs.number(-7);
    for (how, a, b, wanted) in [
        (Two::Add, seven, two, 9),
        (Two::Div, seven, two, 3),
        (Two::Div, minus, two, -4),
        (Two::Min, minus, two, -7),
        (Two::Is(Compare::More), seven, two, 1),
        (Two::Mul, own, zero, 0),
    ] {
        let found = exprs.two(how, a, b);
        assert_eq!(exprs.constant(found), Some(wanted), "{how:?}");
    }
    assert_eq!(exprs.two(Two::Mul, own, one), own);
    assert_eq!(exprs.choice(seven, own, two), own);
    assert_eq!(exprs.choice(own, two, two), two);
    let by_nothing = exprs.two(Two::Div, seven, zero);
    assert_eq!(exprs.constant(by_nothing), None, "a fault is met when it is run");
    let most = exprs.number(i64::MAX);
    let too_large = exprs.two(Two::Add, most, one);
    assert_eq!(exprs.constant(too_large), None);
    // 7 - own + 2 - ... : numbers are added up.
    let (sum, more) = (exprs.two(Two::Add, own, seven), exprs.number(9));
    assert_eq!(exprs.two(Two::Add, sum, two), exprs.two(Two::Add, own, more));
    let not = exprs.two(Two::Is(Compare::Less), own, two);
    assert_eq!(exprs.not(not), exprs.two(Two::Is(Compare::AtLeast), own, two));
    assert_eq!(exprs.two(Two::Is(Compare::Less), two, own), exprs.two(Two::Is(Compare::More), own, two));
}

#[test]
fn truths_of_two_parts_are_known_when_one_is_enough() {
    let mut exprs = Exprs::default();
    let (own, zero, one) = (exprs.add(Expr::Own(0)), exprs.number(0), exprs.number(1));
    let truth = exprs.truth(own);
    assert_eq!([exprs.and(own, zero), exprs.and(one, own), exprs.or(own, one), exprs.or(zero, own)], [zero, truth, one, truth]);
    assert_eq!(exprs.truth(truth), truth);
    let not = exprs.not(own);
    assert_eq!(exprs.not(not), truth);
}

#[test]
fn what_follows_from_what_is_printed_is_a_column() {
    let (rules, mut exprs) = (rules(), Exprs::default());
    let (card, other) = (exprs.add(Expr::Local(1)), exprs.add(Expr::Local(2)));
    let tall = exprs.of_piece(&rules, card, 0, |piece| rules.printed(piece, 0) as i64);
    let ten = exprs.number(10);
    let higher = exprs.two(Two::Mul, tall, ten);
    let Expr::Column(of, column) = exprs[higher] else { panic!("{:?}", exprs[higher]) };
    assert_eq!((of, exprs.columns.numbers(column)), (card, &[0, 40, 50, 60][..]));
    let low = exprs.two(Two::Is(Compare::AtMost), tall, ten);
    assert_eq!(exprs.constant(low), Some(1), "the same for all");
    let of_another = exprs.of_piece(&rules, other, 0, |piece| rules.printed(piece, 0) as i64);
    let both = exprs.two(Two::Add, tall, of_another);
    assert!(matches!(exprs[both], Expr::Two(Two::Add, ..)), "two cards are no column");
}

#[test]
fn all_of_a_place_need_not_be_gone_through() {
    let (rules, mut exprs) = (rules(), Exprs::default());
    let (all, some, marked) = (cards(&mut exprs, 0b11, None), cards(&mut exprs, 0b1, None), cards(&mut exprs, 0, Some(4)));
    let lying = exprs.add(Expr::Lying(0));
    assert_eq!(exprs.over_cards(&rules, Fold::Count, all, 0, None, None), lying);
    for cards in [some, marked] {
        assert_ne!(exprs.over_cards(&rules, Fold::Count, cards, 0, None, None), lying);
    }
    let (first, zero) = (exprs.add(Expr::FirstIn(0)), exprs.number(0));
    let there = exprs.two(Two::Is(Compare::AtLeast), first, zero);
    assert_eq!(exprs.over_cards(&rules, Fold::Any, all, 0, None, None), there);
}

#[test]
fn sums_of_a_printed_row_are_worked_out_together() {
    let (rules, mut exprs) = (rules(), Exprs::default());
    let all = cards(&mut exprs, 0, None);
    let card = exprs.add(Expr::Var(0));
    let factor = exprs.add(Expr::Counter(card, 4));
    let sum = |exprs: &mut Exprs, index: ExprId| {
        let number = exprs.field_at(&rules, card, (0, 2), index);
        let product = exprs.two(Two::Mul, number, factor);
        exprs.over_cards(&rules, Fold::Sum, all, 0, None, Some(product))
    };
    let (zero, one, which) = (exprs.number(0), exprs.number(1), exprs.add(Expr::Local(1)));
    let rows: Vec<ExprId> = [zero, one, which]
        .map(|index| {
            let id = sum(&mut exprs, index);
            let Expr::RowAt(row, at) = exprs[id] else { panic!("{:?}", exprs[id]) };
            assert_eq!(at, index);
            row
        })
        .to_vec();
    assert!(rows.iter().all(|&row| row == rows[0]));
}

#[test]
fn whether_a_card_changes_a_quantity_is_asked_before_a_loop() {
    let (rules, mut exprs) = (rules(), Exprs::default());
    let all = cards(&mut exprs, 0, None);
    let card = exprs.add(Expr::Var(0));
    let (counter, changed) = (exprs.add(Expr::Counter(card, 4)), exprs.add(Expr::Changed(3)));
    let full = exprs.add(Expr::Quantity(3, [Some(card), None]));
    let either = exprs.choice(changed, full, counter);
    let sum = exprs.over_cards(&rules, Fold::Sum, all, 0, None, Some(either));
    let Expr::If(condition, _, no) = exprs[sum] else { panic!("{:?}", exprs[sum]) };
    assert_eq!(condition, changed);
    assert_eq!(exprs[no], Expr::OverCards(Fold::Sum, all, 0, None, Some(counter)));
}

#[test]
fn what_an_expression_depends_on_is_known() {
    let (rules, mut exprs) = (rules(), Exprs::default());
    let all = cards(&mut exprs, 0, Some(4));
    let (card, local) = (exprs.add(Expr::Var(0)), exprs.add(Expr::Local(2)));
    let body = exprs.two(Two::Mul, card, local);
    assert_eq!((exprs.facts(body).vars, exprs.facts(body).locals), (0b1, 0b100));
    let sum = exprs.over_cards(&rules, Fold::Sum, all, 0, None, Some(body));
    assert_eq!((exprs.facts(sum).vars, exprs.facts(sum).closed()), (0, false));
    let count = exprs.over_cards(&rules, Fold::Count, all, 0, None, None);
    assert!(exprs.facts(count).closed());
}

#[test]
fn one_of_two_numbers_is_reckoned() {
    let mut exprs = Exprs::default();
    let [a, b, yes, no] = [exprs.add(Expr::Own(0)), exprs.add(Expr::Own(1)), exprs.number(9), exprs.number(4)];
    let more = exprs.two(Two::Is(Compare::More), a, b);
    let chosen = exprs.choice(more, yes, no);
    let Expr::Two(Two::Add, above, _) = exprs[chosen] else { panic!("{:?}", exprs[chosen]) };
    let five = exprs.number(5);
    assert_eq!(exprs[above], Expr::Two(Two::Mul, more, five));
    let [one, zero] = [exprs.number(1), exprs.number(0)];
    assert_eq!(exprs.choice(more, one, zero), more);
    let (chosen, inverse) = (exprs.choice(more, zero, one), exprs.not(more));
    assert_eq!(chosen, inverse);
    let choice = exprs.choice(a, yes, no);
    assert!(matches!(exprs[choice], Expr::If(..)), "what is not a truth may be any number");
}

#[test]
fn numbers_around_a_difference_are_one() {
    let mut exprs = Exprs::default();
    let [a, eight, two] = [exprs.add(Expr::Own(0)), exprs.number(8), exprs.number(2)];
    let left = exprs.two(Two::Sub, eight, a);
    let (more, less) = (exprs.two(Two::Add, left, two), exprs.two(Two::Sub, left, two));
    let [ten, six] = [exprs.number(10), exprs.number(6)];
    assert_eq!((exprs[more], exprs[less]), (Expr::Two(Two::Sub, ten, a), Expr::Two(Two::Sub, six, a)));
}

#[test]
fn what_one_more_element_adds_is_that_element() {
    let mut exprs = Exprs::default();
    let (card, count, one, two) = (exprs.add(Expr::Local(1)), exprs.add(Expr::Own(0)), exprs.number(1), exprs.number(2));
    let (more, most) = (exprs.two(Two::Add, count, one), exprs.two(Two::Add, count, two));
    let sums = [count, more, most].map(|count| exprs.add(Expr::ListFirst(card, 0, count)));
    let next = exprs.two(Two::Sub, sums[1], sums[0]);
    assert_eq!(exprs[next], Expr::ListAt(card, 0, count));
    let both = exprs.two(Two::Sub, sums[2], sums[0]);
    assert_eq!(exprs[both], Expr::Two(Two::Sub, sums[2], sums[0]));
}
