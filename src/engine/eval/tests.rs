use super::{Env, LOCALS};
use crate::definition::{Change, ChangeOp, Who};
use crate::graph::{Expr, NumberOp};
use crate::native::Native;
use crate::node::NodeId;
use crate::testing::{laid, quantity, rules};
use crate::{Game, Ruleset};
use std::sync::Arc;

/// Creates a ruleset that has nothing but expressions, and a state of two seats with three cells each that hold 5, 7, 0 and 2, 7, 9.
fn plain(make: impl FnOnce(&mut Ruleset) -> Vec<NodeId>) -> (Ruleset, Game, Vec<NodeId>) {
    let mut rules = Ruleset { players: 2, ..Ruleset::default() };
    rules.layout.seats = 2;
    rules.layout.seat_base = houserule_state::layout::head::SIZE;
    rules.layout.seat_size = 3;
    rules.layout.len = rules.layout.seat(2, 0) + 1;
    rules.layout.piece_base = rules.layout.len - 1;
    let asked = make(&mut rules);
    rules.prepare();
    let mut game = Game::new(&rules, 0);
    for (i, value) in [5, 7, 0, 2, 7, 9].into_iter().enumerate() {
        game.put(&rules, rules.layout.seat(0, i), value);
    }
    (rules, game, asked)
}

#[test]
fn numbers_that_grow_too_large_and_divisions_by_nothing_are_told() {
    let (mut rules, mut game, asked) = plain(|rules| {
        let [five, zero] = [0, 2].map(|offset| rules.make(Expr::Own { offset }));
        let most = rules.graph.number(i64::MAX);
        let two = [(NumberOp::Add, five, most), (NumberOp::Mul, five, most), (NumberOp::Sub, zero, most), (NumberOp::Div, five, zero)];
        two.map(|(how, a, b)| rules.graph.binary(how, a, b)).to_vec()
    });
    // What is made later is told in the same words, by the plain walk.
    let late: Vec<NodeId> = asked.iter().map(|&a| rules.make(Expr::Not { a })).collect();
    let told = |game: &mut Game, asked: NodeId| {
        game.store(&rules).eval(asked, &mut Env::for_seat(0));
        game.live.values.evaluation.take_error()
    };
    assert_eq!(told(&mut game, asked[0]), Some("a number grew too large"));
    assert_eq!(told(&mut game, asked[1]), Some("a number grew too large"));
    assert_eq!(told(&mut game, asked[2]), None);
    assert_eq!(told(&mut game, asked[3]), Some("a number was divided by 0"));
    let first: Vec<_> = asked.iter().map(|&asked| told(&mut game, asked)).collect();
    assert_eq!(late.into_iter().map(|late| told(&mut game, late)).collect::<Vec<_>>(), first);
}

#[test]
fn what_is_asked_after_a_ruleset_was_compiled_is_worked_out_as_well() {
    let (mut rules, mut game, asked) = plain(|rules| [0, 1].map(|offset| rules.make(Expr::Own { offset })).to_vec());
    let mark = rules.graph.mark();
    let product = rules.graph.binary(NumberOp::Mul, asked[0], asked[1]);
    assert_eq!([0, 1].map(|me| game.store(&rules).eval(product, &mut Env::for_seat(me))), [35, 14]);
    // What takes its place once it is taken back is something else.
    rules.graph.restore(mark);
    let sum = rules.graph.binary(NumberOp::Add, asked[0], asked[1]);
    assert_eq!((sum, [0, 1].map(|me| game.store(&rules).eval(sum, &mut Env::for_seat(me)))), (product, [12, 9]));
}

#[test]
fn short_conditions_are_worked_out_in_a_few_steps() {
    use houserule_numbers::compare::Compare::{Less, More};
    let (rules, mut game, asked) = plain(|rules| {
        let [first, last, local] =
            [Expr::Own { offset: 0 }, Expr::Own { offset: 2 }, Expr::Local { local: 3 }].map(|expr| rules.make(expr));
        let graph = &mut rules.graph;
        let [more, less] = [(More, first), (Less, last)].map(|(how, a)| graph.binary(NumberOp::Is(how), a, local));
        let none = graph.not(last);
        let both = graph.and(more, less);
        vec![graph.and(both, none), graph.or(both, none), graph.or(more, none)]
    });
    // The seats have 5 and 0, and 2 and 9.
    for (me, local, wanted) in [(0, 3, [1, 1, 1]), (0, 7, [0, 1, 1]), (1, 1, [0, 0, 1]), (1, 5, [0, 0, 0])] {
        let mut env = Env { me, locals: [local; LOCALS] };
        let found: Vec<i64> = asked.iter().map(|&node| game.store(&rules).eval(node, &mut env)).collect();
        assert_eq!(found, wanted, "p{} {local}", me + 1);
    }
    use crate::code::CompiledExpr;
    assert!(asked.iter().all(|&asked| matches!(rules.code.compiled(asked), Some(CompiledExpr::Short(..)))));
}

#[test]
fn generated_code_gives_the_same_numbers_and_leaves_to_the_walker_what_goes_wrong() {
    let (rules, mut game, asked) = plain(|rules| {
        let [first, second, last] = [0, 1, 2].map(|offset| rules.make(Expr::Own { offset }));
        let [most, least, minus] = [i64::MAX, i64::MIN, -3].map(|number| rules.graph.number(number));
        let [sum, product] =
            [(NumberOp::Add, most), (NumberOp::Mul, most)].map(|(how, b)| rules.graph.add(Expr::Binary { operator: how, a: first, b }));
        let mut all = vec![sum, product];
        for how in [NumberOp::Sub, NumberOp::Div, NumberOp::Remainder, NumberOp::Within, NumberOp::Min, NumberOp::Max, NumberOp::Mul] {
            for (a, b) in [
                (first, second),
                (second, last),
                (last, first),
                (minus, first),
                (first, minus),
                (least, minus),
                (least, last),
                (product, minus),
            ] {
                all.push(rules.graph.add(Expr::Binary { operator: how, a, b }));
            }
        }
        all
    });
    let told = |game: &mut Game| -> Vec<(i64, Option<&str>)> {
        let seats = [0, 1].into_iter().flat_map(|me| asked.iter().map(move |&asked| (me, asked)));
        let one = |(me, asked)| (game.store(&rules).eval(asked, &mut Env::for_seat(me)), game.live.values.evaluation.take_error());
        seats.map(one).collect()
    };
    let walked = told(&mut game);
    assert!(walked.iter().any(|told| told.1.is_some()) && walked.iter().any(|told| told.1.is_none()));
    game.use_native(&rules, Some(Arc::new(Native::compile(&rules, &asked).expect("code"))));
    assert_eq!(told(&mut game), walked);
    // And all have code: what goes right is not walked.
    let found: Vec<Option<i64>> = asked.iter().map(|&asked| game.store(&rules).native_value(asked, &Env::for_seat(0))).collect();
    let wanted: Vec<Option<i64>> = walked.iter().take(asked.len()).map(|&(value, wrong)| wrong.is_none().then_some(value)).collect();
    assert_eq!(found, wanted);
}

#[test]
fn all_changes_of_a_card_with_many_of_them_count() {
    let rules = rules(|rules, node| {
        let [none, one] = [0, 1].map(|value| node(rules, Expr::Const { value }));
        rules.quantities = vec![quantity("howl", none, 0)];
        rules.definitions[0].changes =
            vec![Change { quantity: 0, who: Who::Me, when: None, operator: ChangeOp::By, amount: one, span: None }; 256];
    });
    let mut game = laid(&rules, [(0, 0, 0)]);
    assert_eq!(game.store(&rules).quantity(0, 0, [-1; 2]), 256);
}
