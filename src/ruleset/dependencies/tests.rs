use super::*;
use crate::definition::{Change, ChangeOp};
use crate::node::CardSet;
use crate::testing::{DENS, quantity, rules};

/// Returns what the value of an expression reads of a class of cells: of its own seat, and of any seat.
fn depends(rules: &Ruleset, id: ExprId, cell: usize) -> (bool, bool) {
    let value = rules.code.value_of(id).expect("a cached value");
    rules.code.dependencies.depends(value, rules.layout.class_of[cell] as usize)
}

fn cards(whose: Whose) -> CardSet {
    let cards = Cards { places: [0].into(), whose, kinds: 0, rows: 0, with: None };
    CardSet { cards, local: 1, filter: None, within: None }
}

const COUNTER: u8 = piece::COUNTERS as u8;
const NOTHING: (bool, bool) = (false, false);
const OWN: (bool, bool) = (true, false);
const ANY: (bool, bool) = (false, true);

#[test]
fn a_sum_reads_the_places_it_goes_through_and_the_counters_that_count() {
    let mut sums = Vec::new();
    let rules = rules(|rules, node| {
        // Of the three cards the second brings nothing.
        rules.printed = vec![3, 0, 4];
        for whose in [Whose::Mine, Whose::All] {
            let card = node(rules, Expr::Local { local: 1 });
            let a = node(rules, Expr::Counter { card, offset: COUNTER });
            let b = rules.of_piece(card, 0, |rules, card| rules.printed(card, 0).into());
            let product = node(rules, Expr::Binary { operator: NumberOp::Mul, a, b });
            sums.push(rules.fold_cards(Fold::Sum, &cards(whose), Some(product)));
        }
    });
    let counter = |card: usize| rules.layout.piece(card, piece::COUNTERS);
    let place = rules.layout.places[DENS].base as usize;
    for (&sum, wanted) in sums.iter().zip([OWN, ANY]) {
        assert_eq!([place, counter(0), counter(1), counter(3)].map(|cell| depends(&rules, sum, cell)), [wanted, wanted, NOTHING, wanted]);
        assert_eq!(depends(&rules, sum, rules.layout.seat(0, 2)), NOTHING);
        assert_eq!(depends(&rules, sum, rules.layout.piece(0, piece::PLACE)), NOTHING, "the places tell which cards lie there");
    }
}

#[test]
fn what_is_read_for_other_seats_is_read_of_any_seat() {
    let mut asked = Vec::new();
    let rules = rules(|rules, node| {
        let [own, other] = [0, 1].map(|offset| node(rules, Expr::Own { offset }));
        rules.quantities = vec![quantity("howl", own, 0)];
        let howl = node(rules, Expr::Quantity { quantity: 0, args: [None; 2] });
        let first = node(rules, Expr::Const { value: 0 });
        let of_first = node(rules, Expr::Of { seat: first, body: other });
        let sum = node(rules, Expr::Binary { operator: NumberOp::Add, a: howl, b: of_first });
        let over_seats = Expr::OverSeats { fold: Fold::Sum, others: false, var: 0, filter: None, body: Some(sum) };
        asked = vec![howl, node(rules, over_seats)];
    });
    let cells = [0, 1].map(|offset| rules.layout.seat(1, offset));
    assert_eq!(cells.map(|cell| depends(&rules, asked[0], cell)), [OWN, NOTHING]);
    assert_eq!(cells.map(|cell| depends(&rules, asked[1], cell)), [ANY, ANY], "through the value of the quantity, too");
}

#[test]
fn a_quantity_reads_what_the_cards_read_that_change_it() {
    let mut howl = ExprId::default();
    let rules = rules(|rules, node| {
        let (none, card) = (node(rules, Expr::Const { value: 0 }), node(rules, Expr::Local { local: 0 }));
        let counted = node(rules, Expr::Counter { card, offset: COUNTER });
        let own = node(rules, Expr::Own { offset: 3 });
        rules.quantities = vec![quantity("howl", none, 0), quantity("reach", none, 0)];
        let change = |quantity, who, amount| Change { quantity, who, when: None, operator: ChangeOp::By, amount, span: None };
        rules.definitions[0].changes = vec![change(0, Who::Me, counted)];
        rules.definitions[2].changes = vec![change(0, Who::Others, own), change(1, Who::Me, own)];
        howl = node(rules, Expr::Quantity { quantity: 0, args: [None; 2] });
    });
    let counter = |card: usize| rules.layout.piece(card, piece::COUNTERS);
    let found = [counter(0), counter(3), rules.layout.seat(0, 3)].map(|cell| depends(&rules, howl, cell));
    assert_eq!(found, [ANY, NOTHING, ANY]);
    let value = rules.code.value_of(howl).expect("a cached value");
    let row = |quantity: usize| rules.code.dependencies.first_quantity_row + quantity;
    assert_eq!([0, 1].map(|quantity| rules.code.dependencies.depends(value, row(quantity))), [OWN, NOTHING]);
}

#[test]
fn the_checks_read_the_conditions_under_which_cards_leave() {
    let rules = rules(|rules, node| {
        let card = node(rules, Expr::Local { local: 0 });
        rules.definitions[1].leaves_when = Some(node(rules, Expr::Counter { card, offset: COUNTER }));
    });
    let read =
        |card: usize| rules.code.dependencies.depends(CHECKS, rules.layout.class_of[rules.layout.piece(card, piece::COUNTERS)] as usize);
    assert_eq!([0, 1, 2, 3].map(read), [NOTHING, ANY, ANY, NOTHING]);
}

#[test]
fn the_lowest_of_printed_numbers_reads_the_counter_that_selects_cards_with_a_0() {
    let mut lowest = ExprId::default();
    let rules = rules(|rules, node| {
        rules.printed = vec![3, 0, 4];
        let card = node(rules, Expr::Local { local: 1 });
        let printed = rules.of_piece(card, 0, |rules, card| rules.printed(card, 0).into());
        let mut marked = cards(Whose::Mine);
        marked.cards.with = Some(COUNTER);
        lowest = rules.fold_cards(Fold::Lowest, &marked, Some(printed));
    });
    assert_eq!(depends(&rules, lowest, rules.layout.piece(1, piece::COUNTERS)), OWN);
}
