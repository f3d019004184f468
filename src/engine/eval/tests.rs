use super::{Env, LOCALS, plain};
use crate::engine::game::Eyes;
use crate::engine::{Game, Ruleset};
use crate::lang::{self, Setup};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::state::chance::{draw, join};
use std::sync::Arc;

/// All games of the repository for so many players.
fn games(players: usize) -> Vec<Arc<Ruleset>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(root.join("rules")).expect("a folder").map(|file| file.expect("a file").path());
    let rules = files.filter(|file| file.extension().is_some_and(|extension| extension == "rules")).map(|file| {
        let name = file.file_stem().and_then(|name| name.to_str()).expect("a name").to_string();
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let text = lang::load(&mut sources, Some(root), &name, &[], &[], &mut diagnostics).expect("the game loads");
        let rules = lang::compile(&text, &Setup { players, ..Setup::default() }, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        Arc::new(rules.expect("the game compiles"))
    });
    rules.collect()
}

/// Every node of a ruleset, with locals by chance, comes to the same by its code and by a walk.
fn all_nodes_agree(rules: &Ruleset, game: &mut Game, chance: u64, from: u32, step: usize) {
    let most = if rules.classes.is_empty() { rules.layout.pieces } else { rules.classes.len() } as u64;
    for node in (from..rules.nodes.len() as u32).step_by(step) {
        for me in 0..rules.players {
            if matches!(game.eyes, Eyes::Own(own) if own as usize != me) {
                // While all act at once only the seat that acts is asked; what others have, and all that it follows from, is as it was.
                continue;
            }
            let mut env = Env { me, locals: [0; LOCALS] };
            for (i, local) in env.locals.iter_mut().enumerate() {
                *local = (draw(chance, node as u64, i as u64) % (most + 1)) as i32 - 1;
            }
            let wanted = plain::value(game, rules, node, &env);
            let found = game.eval(rules, node, &mut env);
            match (wanted, game.evaluation.take_wrong_number()) {
                (Some(wanted), None) => {
                    assert_eq!(found, wanted, "{node} {:?} of p{} {:?}", rules.nodes[node as usize], me + 1, env.locals)
                }
                (Some(_), Some(wrong)) => panic!("{wrong}: {node} {:?}", rules.nodes[node as usize]),
                // A value that went wrong is kept, and told only once.
                (None, _) => {}
            }
        }
    }
}

fn agrees_over_a_game(rules: &Arc<Ruleset>, seed: u64) {
    let mut host = ScriptHost::new(rules).expect("scripts compile");
    let mut game = Game::new(rules, seed);
    let mut number = 0;
    while game.advance(rules, &mut host).expect("no fault").is_some() {
        all_nodes_agree(rules, &mut game, join(seed, number), (number % 61) as u32, 61);
        let options = &game.decision().expect("a question").options;
        let option = options.iter().enumerate().max_by_key(|(_, option)| join(join(seed, number), option.key)).map_or(0, |best| best.0);
        game.answer(rules, &mut host, option).expect("no fault");
        number += 1;
    }
    all_nodes_agree(rules, &mut game, seed, 0, 1);
}

#[test]
fn code_and_a_plain_walk_agree_over_random_games() {
    let all: Vec<Arc<Ruleset>> = (2..=4).flat_map(games).collect();
    assert!(all.len() >= 6);
    all.iter().zip(3..).for_each(|(rules, seed)| agrees_over_a_game(rules, seed));
}

/// A ruleset of nothing but nodes, and a state of two seats with three cells each that hold 5, 7, 0 and 2, 7, 9.
fn plain(make: impl FnOnce(&mut dyn FnMut(crate::engine::node::Node) -> u32) -> Vec<u32>) -> (Ruleset, Game, Vec<u32>) {
    let mut rules = Ruleset { players: 2, ..Ruleset::default() };
    rules.layout.seats = 2;
    rules.layout.seat_base = crate::state::layout::head::SIZE;
    rules.layout.seat_size = 3;
    rules.layout.len = rules.layout.seat(2, 0) + 1;
    rules.layout.piece_base = rules.layout.len - 1;
    let mut nodes = Vec::new();
    let asked = make(&mut |node| {
        nodes.push(node);
        nodes.len() as u32 - 1
    });
    rules.nodes = nodes;
    rules.prepare();
    let mut game = Game::new(&rules, 0);
    for (i, value) in [5, 7, 0, 2, 7, 9].into_iter().enumerate() {
        game.put(&rules, rules.layout.seat(0, i), value).expect("a small number");
    }
    (rules, game, asked)
}

#[test]
fn numbers_that_grow_too_large_and_divisions_by_nothing_are_told() {
    use crate::engine::node::Node;
    let (rules, mut game, asked) = plain(|node| {
        let (five, most) = (node(Node::Own(0)), node(Node::Const(i64::MAX)));
        let zero = node(Node::Own(2));
        vec![node(Node::Add(five, most)), node(Node::Mul(five, most)), node(Node::Sub(zero, most)), node(Node::Div(five, zero))]
    });
    let told = |game: &mut Game, asked: u32| {
        game.eval(&rules, asked, &mut Env::of(0));
        game.evaluation.take_wrong_number()
    };
    assert_eq!(told(&mut game, asked[0]), Some("a number grew too large"));
    assert_eq!(told(&mut game, asked[1]), Some("a number grew too large"));
    assert_eq!(told(&mut game, asked[2]), None);
    assert_eq!(told(&mut game, asked[3]), Some("a number was divided by 0"));
}

#[test]
fn what_is_asked_after_a_ruleset_was_compiled_is_worked_out_as_well() {
    use crate::engine::node::Node;
    let (mut rules, mut game, asked) = plain(|node| vec![node(Node::Own(0)), node(Node::Own(1))]);
    rules.nodes.push(Node::Mul(asked[0], asked[1]));
    assert_eq!(game.eval(&rules, 2, &mut Env::of(0)), 35);
    assert_eq!(game.eval(&rules, 2, &mut Env::of(1)), 14);
}

#[test]
fn chains_of_short_conditions_are_worked_out_in_one_step_each() {
    use crate::compare::Compare::{Less, More};
    use crate::engine::node::Node;
    let (rules, mut game, asked) = plain(|node| {
        let (first, last, local) = (node(Node::Own(0)), node(Node::Own(2)), node(Node::Local(3)));
        let (more, less, none) = (node(Node::Cmp(More, first, local)), node(Node::Cmp(Less, last, local)), node(Node::Not(last)));
        let both = node(Node::And(more, less));
        vec![node(Node::And(both, none)), node(Node::Or(both, none)), node(Node::Or(more, none))]
    });
    // The seats have 5 and 0, and 2 and 9.
    for (me, local, wanted) in [(0, 3, [1, 1, 1]), (0, 7, [0, 1, 1]), (1, 1, [0, 0, 1]), (1, 5, [0, 0, 0])] {
        let mut env = Env { me, locals: [local; LOCALS] };
        let found: Vec<i64> = asked.iter().map(|&node| game.eval(&rules, node, &mut env)).collect();
        assert_eq!(found, wanted, "p{} {local}", me + 1);
    }
    use crate::engine::code::Root;
    assert!(matches!(rules.code.root(asked[0]), Some(Root::All(tests)) if tests.len() == 3));
    assert!(matches!(rules.code.root(asked[2]), Some(Root::Any(tests)) if tests.len() == 2));
    assert!(matches!(rules.code.root(asked[1]), Some(Root::Run(_))), "an `and` within an `or` has code");
}
