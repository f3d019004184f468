use super::*;

fn bits(readers: &Readers, row: usize) -> [Vec<u64>; 2] {
    [false, true].map(|any_seat| (0..readers.words).map(|word| readers.get(word, row, any_seat)).collect())
}

#[test]
fn a_row_knows_who_has_read_it_of_its_own_seat_and_of_any() {
    let readers = Readers::new(4, 2, 70);
    let value = Noting::of(&readers, ValueId(65), 1);
    readers.note(value, 3, false);
    assert_eq!(bits(&readers, 3), [vec![0, 0b10], vec![0, 0]]);
    readers.note(value, 2, true);
    assert_eq!(bits(&readers, 2), [vec![0, 0], vec![0, 0b10]]);
    assert!(readers.is_read(2) && readers.is_read(3) && !readers.is_read(1));
}

#[test]
fn what_reads_a_value_reads_what_the_value_has_read_before_and_reads_later() {
    let readers = Readers::new(4, 0, 3);
    let [inner, outer, outermost] = [0, 1, 2].map(|value| Noting::of(&readers, ValueId(value), 0));
    let row = |value: usize| readers.values + value;
    readers.note(inner, 0, false);
    readers.note(outer, row(0), false);
    assert_eq!(bits(&readers, 0), [vec![0b11], vec![0]]);
    readers.note(inner, 1, false);
    assert_eq!(bits(&readers, 1), [vec![0b11], vec![0]], "what is read later counts as well");
    readers.note(outermost, row(1), true);
    assert_eq!(bits(&readers, 0), [vec![0b11], vec![0b100]], "another seat's value reads that seat's cells");
    readers.note(inner, 2, false);
    assert_eq!(bits(&readers, 2), [vec![0b11], vec![0b100]]);
    readers.note(inner, 3, true);
    assert_eq!(bits(&readers, 3), [vec![0], vec![0b111]]);
}

#[test]
fn a_sum_outlives_counters_of_cards_that_bring_nothing() {
    use crate::engine::node::{CardSet, Node, Whose};
    use crate::engine::testing::{DENS, game, rules};
    let rules = rules(|rules, node| {
        // Of the three cards the second brings nothing; two pieces are of it.
        rules.printed = vec![3, 0, 4];
        let (places, whose, local) = ([0].into(), Whose::Mine, 1);
        rules.sets.push(CardSet { places, whose, kinds: 0, rows: 0, local, with: None, filter: None });
        let card = node(Node::Local(local));
        let (printed, counted) = (node(Node::Field(card, 0)), node(Node::Counter(card, piece::COUNTERS as u8)));
        let product = node(Node::Mul(counted, printed));
        node(Node::Sum(0, product));
    });
    let mut game = game(&rules);
    game.run.quiet = 1;
    (0..3).for_each(|card| game.lay(&rules, card, DENS, card));
    let count = |game: &mut Game, card: usize, count: i64| {
        game.put(&rules, rules.layout.piece(card, piece::COUNTERS), count).expect("a small number");
    };
    let (sum, kept) = (rules.nodes.len() as u32 - 1, ValueId(1));
    let holds = |game: &Game| game.live.holds(rules.code.readers.words, 0, kept);
    count(&mut game, 0, 2);
    assert_eq!((game.eval(&rules, sum, &mut Env::of(0)), holds(&game)), (6, true));
    count(&mut game, 1, 5);
    count(&mut game, 2, 5);
    assert_eq!((holds(&game), game.eval(&rules, sum, &mut Env::of(0))), (true, 6), "neither changes the sum");
    count(&mut game, 0, 1);
    assert_eq!((holds(&game), game.eval(&rules, sum, &mut Env::of(0))), (false, 3));
}
