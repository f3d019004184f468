use super::{Env, LOCALS, plain};
use crate::graph::{Expr, NumberOp};
use crate::lang::Setup;
use crate::node::NodeId;
use crate::{Game, Ruleset};

/// A ruleset of nothing but expressions, and a state of two seats with three cells each that hold 5, 7, 0 and 2, 7, 9.
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

/// The Wall with further definitions, where the first player has a hut and a tower in its yard and a tower in its ruin, each with marks.
fn walls(defined: &str) -> (Ruleset, Game) {
    use crate::lang::sample::{CARDS, GAME, compiled};
    let more = "[[card]]\nid = \"spire\"\nname = \"Spire\"\nkind = \"tower\"\nheight = 4\n";
    let rules = compiled(&format!("{GAME}{defined}"), &format!("{CARDS}{more}"), &Setup { players: 2, ..Setup::default() });
    let mut game = Game::new(&rules, 1);
    game.hold_checks();
    let piece = |id: &str| {
        let definition = rules.find_definition(id).expect("a card") as u32;
        rules.piece_definition.iter().position(|of| *of == definition).expect("a piece")
    };
    let place = |name: &str| rules.places[rules.find_place(name).expect("a place")].first as usize;
    for (id, at, slot, bites) in [("mud", "yard", 0, 1), ("keep", "yard", 1, 2), ("spire", "ruin", 0, 5)] {
        game.lay(&rules, piece(id), place(at), slot);
        game.put(&rules, rules.layout.piece(piece(id), houserule_state::layout::piece::COUNTERS), bites);
    }
    let offset = |name: &str| crate::position::seat_variable(&rules, name).expect("a variable").offset as usize;
    for (name, values) in [("wisp", [3, 7]), ("dens", [1, 0])] {
        values.into_iter().enumerate().for_each(|(seat, value)| game.put_own(&rules, seat, offset(name), value));
    }
    (rules, game)
}

/// What a definition comes to for the first player, by code and by a plain walk, with a parameter.
fn comes_to(defined: &str, name: &str, param: i32) -> [Option<i64>; 2] {
    let (rules, mut game) = walls(defined);
    let signature = rules.signatures.iter().find(|signature| signature.name == name).expect("a definition");
    let crate::node::Called::Expression(node) = signature.called else { panic!("{signature:?}") };
    let mut env = Env::with(0, &[-1, param]);
    let by_code = game.on(&rules).eval(node, &mut env);
    let well = game.memory.values.evaluation.take_error().is_none();
    [well.then_some(by_code), plain::value(&mut game.on(&rules).evaluator(), node, &env)]
}

#[test]
fn a_sum_of_a_number_is_the_number_for_each_card() {
    let both = |sum: &str| comes_to(&format!("define asked(r) = {sum}\n"), "asked", 0);
    assert_eq!(both("sum 5 of my yard"), [Some(10); 2]);
    assert_eq!(both("sum 1 of my yard"), [Some(2); 2]);
    assert_eq!(both("sum 5 of my yard where card.height > 2"), [Some(5); 2]);
    assert_eq!(both("sum 5 of my yard with bites and card.height > 2"), [Some(5); 2]);
    assert_eq!(both("0 - (sum 5 of all yard)"), [Some(-10); 2]);
}

#[test]
fn a_sum_of_a_printed_row_times_a_number_is_that_many_times_as_much() {
    // The hut has 1 wisp and 3 calm.
    for (sum, wanted) in
        [("card.yield[r] * 3", 3), ("3 * card.yield[r]", 3), ("card.yield[calm] * 4", 12), ("card.yield[r] * card.bites", 1)]
    {
        assert_eq!(comes_to(&format!("define asked(r) = sum ({sum}) of my yard\n"), "asked", 0), [Some(wanted); 2], "{sum}");
    }
}

#[test]
fn a_sum_of_a_printed_row_is_of_the_cards_that_meet_the_condition_alone() {
    // No card with a row is 9 high, and no card has any moss.
    for (sum, wanted) in
        [("card.yield[wisp] of my yard where card.height == 9", 0), ("card.yield[wisp] of my yard where card.height == 5", 0)]
    {
        assert_eq!(comes_to(&format!("define asked(r) = sum {sum}\n"), "asked", 0), [Some(wanted); 2], "{sum}");
    }
    assert_eq!(comes_to("define asked(r) = sum card.yield[r] of my yard where card.height == 5\n", "asked", 0), [Some(0); 2]);
    assert_eq!(comes_to("define asked(r) = sum card.yield[moss] of my yard where card.height == 2\n", "asked", 0), [Some(0); 2]);
    assert_eq!(comes_to("define asked(r) = sum card.yield[r] of my yard where card.height == 2\n", "asked", 0), [Some(1); 2]);
}

#[test]
fn a_loop_within_a_loop_speaks_of_its_own_card() {
    // The marks of the hut, and 3 times those of the tower in the ruin; then those of the tower, and the same.
    let inner = "(sum (card.bites * n) of my ruin)";
    let loops = format!("sum (if card.bites > 0 then card.bites + {inner} else 0) of my yard where card.height > 0");
    assert_eq!(comes_to(&format!("define asked(n) = {loops}\n"), "asked", 3), [Some(1 + 15 + 2 + 15); 2]);
}

#[test]
fn a_rank_within_a_loop_compares_by_the_loops_card() {
    // By the hut of 2 it is 3 + 2 against 7, by the tower of 5 it is 3 + 5.
    assert_eq!(comes_to("define asked(n) = count my yard where top (wisp + dens * card.height)\n", "asked", 0), [Some(1); 2]);
    let within = "define asked(n) = sum (if top (wisp + dens * card.height + n) then card.height else 0) of my yard\n";
    assert_eq!(comes_to(within, "asked", 1), [Some(5); 2]);
}

#[test]
fn an_argument_of_a_quantity_is_that_of_who_names_it_also_where_others_are_compared() {
    // The tower in the first player's ruin, for both: 4 + 3 against 4 + 7.
    let ahead = "changeable ahead(card) = if top (card.height + wisp) then 1 else 0\ndefine asked(n) = ahead(ruin)\n";
    assert_eq!(comes_to(ahead, "asked", 0), [Some(0); 2]);
}

#[test]
fn an_argument_of_a_definition_is_that_of_who_names_it_also_where_others_are_spoken_of() {
    // The second player has nothing in its ruin; the first has the tower of 4.
    let of = |body: &str| comes_to(&format!("define tall(card) = {body}\ndefine asked(n) = tall(ruin)\n"), "asked", 0);
    assert_eq!(of("sum card.height of players"), [Some(8); 2]);
    assert_eq!(of("count players where card.height > 3"), [Some(2); 2]);
    assert_eq!(of("sum (sum card.height of players) of players"), [Some(16); 2]);
    assert_eq!(of("if top (card.height + wisp) then 1 else 0"), [Some(0); 2]);
    assert_eq!(of("if top (0 - wisp - card.height) then 1 else 0"), [Some(1); 2]);
}

#[test]
fn numbers_that_grow_too_large_and_divisions_by_nothing_are_told() {
    let (mut rules, mut game, asked) = plain(|rules| {
        let [five, zero] = [0, 2].map(|offset| rules.make(Expr::Own { offset }));
        let most = rules.graph.number(i64::MAX);
        let two = [(NumberOp::Add, five, most), (NumberOp::Mul, five, most), (NumberOp::Sub, zero, most), (NumberOp::Div, five, zero)];
        two.map(|(operator, a, b)| rules.graph.binary(operator, a, b)).to_vec()
    });
    // What is made later is told in the same words, by the plain walk.
    let late: Vec<NodeId> = asked.iter().map(|&a| rules.make(Expr::Not { a })).collect();
    let told = |game: &mut Game, asked: NodeId| {
        game.on(&rules).eval(asked, &mut Env::for_seat(0));
        game.memory.values.evaluation.take_error()
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
    assert_eq!([0, 1].map(|me| game.on(&rules).eval(product, &mut Env::for_seat(me))), [35, 14]);
    // What takes its place once it is taken back is something else.
    rules.graph.restore(mark);
    let sum = rules.graph.binary(NumberOp::Add, asked[0], asked[1]);
    assert_eq!((sum, [0, 1].map(|me| game.on(&rules).eval(sum, &mut Env::for_seat(me)))), (product, [12, 9]));
}

#[test]
fn chains_of_short_conditions_are_worked_out_in_one_step_each() {
    use houserule_numbers::compare::Compare::{Less, More};
    let (rules, mut game, asked) = plain(|rules| {
        let [first, last, local] =
            [Expr::Own { offset: 0 }, Expr::Own { offset: 2 }, Expr::Local { local: 3 }].map(|expr| rules.make(expr));
        let graph = &mut rules.graph;
        let [more, less] = [(More, first), (Less, last)].map(|(operator, a)| graph.binary(NumberOp::Is(operator), a, local));
        let none = graph.not(last);
        let both = graph.and(more, less);
        vec![graph.and(both, none), graph.or(both, none), graph.or(more, none)]
    });
    // The seats have 5 and 0, and 2 and 9.
    for (me, local, wanted) in [(0, 3, [1, 1, 1]), (0, 7, [0, 1, 1]), (1, 1, [0, 0, 1]), (1, 5, [0, 0, 0])] {
        let mut env = Env { me, locals: [local; LOCALS] };
        let found: Vec<i64> = asked.iter().map(|&node| game.on(&rules).eval(node, &mut env)).collect();
        assert_eq!(found, wanted, "p{} {local}", me + 1);
    }
    use crate::code::CompiledExpr;
    assert!(matches!(rules.code.compiled(asked[0]), Some(CompiledExpr::All(tests)) if tests.len() == 3));
    assert!(matches!(rules.code.compiled(asked[2]), Some(CompiledExpr::Any(tests)) if tests.len() == 2));
    assert!(matches!(rules.code.compiled(asked[1]), Some(CompiledExpr::Run(_))), "an `and` within an `or` has code");
}
