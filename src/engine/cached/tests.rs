use super::*;
use crate::Game;
use houserule_state::layout::piece;

#[test]
fn a_sum_outlives_counters_of_cards_that_bring_nothing() {
    use crate::graph::{Cards, Expr, Fold, NumberOp};
    use crate::node::{CardSet, Whose};
    use crate::testing::{laid, rules};
    let rules = rules(|rules, node| {
        // Of the three cards the second brings nothing; two pieces are of it.
        rules.printed = vec![3, 0, 4];
        let cards = Cards { places: [0].into(), whose: Whose::Mine, kinds: 0, rows: 0, with: None };
        let (local, filter, within) = (1, None, None);
        let set = CardSet { cards, local, filter, within };
        let card = node(rules, Expr::Local { local });
        let a = node(rules, Expr::Counter { card, offset: piece::COUNTERS as u8 });
        let b = rules.of_piece(card, 0, |rules, card| rules.printed(card, 0).into());
        let product = node(rules, Expr::Binary { operator: NumberOp::Mul, a, b });
        rules.fold_cards(Fold::Sum, &set, Some(product));
    });
    let mut game = laid(&rules, [0, 1, 2].map(|card| (card, 0, card)));
    let count = |game: &mut Game, card: usize, count: i64| {
        game.put(&rules, rules.layout.piece(card, piece::COUNTERS), count);
    };
    let (sum, kept) = (rules.graph.all().last().expect("the sum").0, ValueId(1));
    let holds =
        |game: &Game| game.live.values.kept.current().is_some_and(|cache| cache.is_valid(rules.code.dependencies.word_count, 0, kept));
    count(&mut game, 0, 2);
    assert_eq!((game.store(&rules).eval(sum, &mut Env::for_seat(0)), holds(&game)), (6, true));
    count(&mut game, 1, 5);
    count(&mut game, 2, 5);
    assert_eq!((holds(&game), game.store(&rules).eval(sum, &mut Env::for_seat(0))), (true, 6), "neither changes the sum");
    count(&mut game, 0, 1);
    assert_eq!((holds(&game), game.store(&rules).eval(sum, &mut Env::for_seat(0))), (false, 3));
}
