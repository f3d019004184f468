//! Laws under random play. Hundreds of games here; `LAWS_GAMES=100000 cargo test --release laws` for many more.

use crate::support::{SMALL, game, host, pick, play, root, small_game};
use houserule::agent::{SeatAgents, describe_view, parse_agents};
use houserule::engine::eval::Env;
use houserule::engine::graph::{Expr, any_part};
use houserule::engine::native::Native;
use houserule::engine::node::NodeId;
use houserule::engine::view::View;
use houserule::engine::{Act, Game, Opt, Ruleset};
use houserule::script::ScriptHost;
use houserule::state::chance::{draw, join};
use houserule::state::layout::piece;
use proptest::prelude::*;
use std::sync::Arc;

fn cases(few: u32) -> ProptestConfig {
    let wanted = std::env::var("LAWS_GAMES").ok().and_then(|n| n.parse().ok());
    ProptestConfig { cases: wanted.unwrap_or(few), failure_persistence: None, ..ProptestConfig::default() }
}

/// Every piece lies where it says, once; every place holds as many as it says.
pub(crate) fn pieces_are_conserved(rules: &Ruleset, game: &Game) {
    let mut seen = vec![0; rules.layout.pieces];
    let cells = game.cells();
    for (instance, at) in rules.layout.places.iter().enumerate().skip(2) {
        let mut count = 0;
        for slot in 0..at.room as usize {
            let piece = cells[at.base as usize + 1 + slot];
            if piece > 0 {
                count += 1;
                seen[piece as usize - 1] += 1;
                assert_eq!(game.position(rules).place_of(piece as usize - 1), (instance, slot));
            }
        }
        assert_eq!(count, cells[at.base as usize]);
    }
    for (piece, times) in seen.iter().enumerate() {
        let placed = game.position(rules).place_of(piece).0 >= 2;
        assert_eq!(*times, i32::from(placed), "piece {piece}");
    }
}

/// Tokens are neither made nor lost.
fn tokens_are_conserved(rules: &Ruleset, game: &Game) {
    let mut counted = vec![0; rules.tokens.len()];
    for pool in &rules.pools {
        for seat in 0..if pool.of_seat { rules.players } else { 1 } {
            let base = if pool.of_seat { rules.layout.seat(seat, pool.offset as usize) } else { pool.offset as usize };
            for (class, described) in rules.classes.iter().enumerate() {
                let count = game.cells()[base + class];
                assert!(count >= 0, "{count} {}", rules.names.text(described.key));
                counted[described.token as usize] += count;
            }
        }
    }
    let there: Vec<i32> = rules.tokens.iter().map(|token| token.count).collect();
    assert_eq!(counted, there);
}

fn workers_are_conserved(rules: &Ruleset, game: &Game) {
    let Some(workers) = rules.piece.iter().find(|v| v.name == "workers").map(|v| v.offset as usize) else { return };
    for seat in 0..rules.players {
        let of = |name: &str| game.position(rules).value_of(seat, name).expect("a counter");
        let on_cards: i64 = (0..rules.layout.pieces)
            .filter(|&p| rules.layout.places[game.position(rules).place_of(p).0].owner == seat as u8)
            .map(|p| game.cells()[rules.layout.piece(p, workers)] as i64)
            .sum();
        let all = of("idle") + of("spare") + of("food_track") + of("stability_track") + on_cards;
        // In the middle of an effect a worker may be between two places.
        if game.round() > 0 && !game.asks_in_effect() {
            assert_eq!(all, 13, "p{} in round {}", seat + 1, game.round());
        }
        for resource in ["gold", "stone", "food", "book", "vp"] {
            assert!(of(resource) >= 0, "p{} has {} {resource}", seat + 1, of(resource));
        }
    }
}

/// What is cached equals what a fresh game with the same cells works out.
fn derived_values_equal_a_recount(rules: &Ruleset, game: &Game, fresh: &mut Game) {
    if game.in_simultaneous_block() {
        // Others are read as they were then.
        return;
    }
    fresh.on(rules).load_position(game.cells());
    let mut live = game.clone();
    for seat in 0..rules.players {
        for (index, quantity) in rules.quantities.iter().enumerate().filter(|(_, q)| q.args == 0) {
            let (a, b) =
                (live.store(rules).quantity(index as u16, seat, [-1; 2]), fresh.store(rules).quantity(index as u16, seat, [-1; 2]));
            assert_eq!(a, b, "{} of p{}", quantity.name, seat + 1);
        }
        for (value, count) in rules.code.cached_values() {
            for index in 0..count {
                let [a, b] = [&mut live, &mut *fresh].map(|game| game.store(rules).number(value, index, seat));
                assert_eq!(a, b, "{value:?} at {index} of p{}: {}", seat + 1, rules.code.describe(&rules.graph, value));
            }
        }
        let style = rules.default_style();
        assert_eq!(live.store(rules).worth(seat, style), fresh.store(rules).worth(seat, style), "worth to p{}", seat + 1);
    }
}

/// What a card had changed was kept when the card had gone, because whoever asked had asked before whether anything changes it.
#[test]
fn a_sum_of_changed_values_is_counted_anew_when_what_changed_them_has_gone() {
    let rules = cached(0);
    let mut fresh = Game::new(&rules, 0);
    // Here Anna Komnene makes way for another advisor.
    play(&rules, &mut host(&rules), 13_025_971_311_606_116_153, |game, _, _| derived_values_equal_a_recount(&rules, game, &mut fresh));
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn pieces_workers_and_tokens_are_conserved(seed in any::<u64>(), which in 0..GAMES) {
        let rules = cached(which);
        let (game, _) = play(&rules, &mut host(&rules), seed, |game, _, _| {
            pieces_are_conserved(&rules, game);
            workers_are_conserved(&rules, game);
            tokens_are_conserved(&rules, game);
        });
        prop_assert!(game.finished());
        if let Some(rounds) = [8, 8, 8, 4, 4, 4, 4].get(which) {
            prop_assert_eq!(game.round(), *rounds);
        }
    }

    #[test]
    fn derived_values_are_those_of_a_recount(seed in any::<u64>(), which in 0..GAMES) {
        let rules = cached(which);
        let mut fresh = Game::new(&rules, 0);
        play(&rules, &mut host(&rules), seed, |game, _, _| derived_values_equal_a_recount(&rules, game, &mut fresh));
    }

    #[test]
    fn a_clone_and_a_reloaded_save_go_on_to_the_same_hash(seed in any::<u64>(), at in 0_u64..300, which in 0..GAMES) {
        let rules = cached(which);
        let mut saved = None;
        let (game, end) = play(&rules, &mut host(&rules), seed, |game, _, number| {
            if number == at {
                saved = Some((game.clone(), game.save()));
            }
        });
        let Some((mut clone, cells)) = saved else { return Ok(()) };
        let mut loaded = Game::new(&rules, 0);
        let mut scripts = host(&rules);
        loaded.on(&rules).load(&mut scripts, &cells).expect("a save loads");
        prop_assert_eq!(loaded.hash(), clone.hash());
        prop_assert_eq!(loaded.decision(), clone.decision());
        prop_assert_eq!(loaded.save(), clone.save());
        for other in [&mut clone, &mut loaded] {
            for number in at..end {
                other.on(&rules).advance(&mut scripts).expect("no fault");
                let option = pick(other, seed, number);
                other.on(&rules).answer(&mut scripts, option).expect("no fault");
            }
            other.on(&rules).advance(&mut scripts).expect("no fault");
            prop_assert!(other.finished());
            prop_assert_eq!(other.hash(), game.hash());
        }
    }

    #[test]
    fn an_option_offered_is_never_refused_and_no_key_comes_twice(seed in any::<u64>(), which in 0..GAMES) {
        let rules = cached(which);
        play(&rules, &mut host(&rules), seed, |game, _, _| {
            let decision = game.decision().expect("a question").clone();
            let mut keys: Vec<String> = decision.options.iter().map(|o| o.text(&rules)).collect();
            let hashes: std::collections::BTreeSet<u64> = decision.options.iter().map(|o| o.key).collect();
            assert_eq!(hashes.len(), decision.options.len());
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), decision.options.len());
            for option in &decision.options {
                if let Act::Choice(choice, args) = option.act {
                    let refusals = game.on(&rules).refusals(decision.seat, choice, args);
                    assert!(refusals.is_empty(), "{}: {refusals:?}", option.text(&rules));
                }
            }
        });
    }

    #[test]
    fn the_log_tells_each_answer_once_and_in_order(seed in any::<u64>(), which in 3_usize..7) {
        let rules = cached(which);
        let mut answers = Vec::new();
        let (game, _) = play(&rules, &mut host(&rules), seed, |game, _, number| {
            game.keep_log();
            let decision = game.decision().expect("a question");
            answers.push(format!("p{}: {}", decision.seat + 1, decision.options[pick(game, seed, number)].text(&rules)));
        });
        let told: Vec<&String> = game.log().iter().filter(|line| line.contains(": ") && answers.contains(line)).collect();
        prop_assert_eq!(told, answers.iter().collect::<Vec<_>>());
    }

    #[test]
    fn hidden_order_and_streams_change_no_view(seed in any::<u64>(), shuffle in any::<u64>(), which in 0..GAMES) {
        let rules = cached(which);
        play(&rules, &mut host(&rules), seed, |game, _, number| {
            if number % 17 != 0 {
                return;
            }
            let view = game.view(&rules).expect("a question is open");
            let mut other = game.clone();
            other.on(&rules).permute_hidden(view.seat, join(shuffle, number));
            assert_eq!(told(&rules, &view), told(&rules, &other.view(&rules).expect("a question is open")));
            for seat in 0..rules.players {
                let mut other = game.clone();
                other.on(&rules).permute_hidden(seat, join(shuffle, number));
                assert_eq!(game.observe(&rules, seat), other.observe(&rules, seat));
            }
            assert_eq!(Some(view), other.view(&rules));
        });
    }

    #[test]
    fn hidden_order_and_streams_change_no_answer(seed in any::<u64>(), shuffle in any::<u64>(), which in 0..GAMES) {
        let rules = cached(which);
        for agent in ["random", "greedy:2", "search:12"] {
            let mut seats = SeatAgents::new(&parse_agents(agent, rules.players).expect("agents"));
            play(&rules, &mut host(&rules), seed, |game, scripts, number| {
                if number % 41 != 0 {
                    return;
                }
                let mut other = game.clone();
                other.on(&rules).permute_hidden(game.decision().expect("a question").seat, join(shuffle, number));
                let answers = [&*game, &other].map(|game| {
                    seats.begin_game(seed);
                    seats.choose(&rules, game, scripts).expect("an answer")
                });
                assert_eq!(answers[0], answers[1], "{agent}");
            });
        }
    }

    #[test]
    fn imagined_states_can_be_played_and_keep_what_is_known(seed in any::<u64>(), random in any::<u64>(), which in 0..GAMES) {
        let rules = cached(which);
        let mut imagined = Game::new(&rules, 0);
        play(&rules, &mut host(&rules), seed, |game, scripts, number| {
            if number % 23 != 0 {
                return;
            }
            let view = game.view(&rules).expect("a question is open");
            view.imagine(&rules, scripts, join(random, number), &mut imagined).expect("no fault");
            let (mine, theirs) = (game.decision().expect("a question"), imagined.decision().expect("a question"));
            // Which card an answer means that its player does not see is imagined as well.
            let told = |option: &Opt| (option.key, option.nth, (!option.is_unseen()).then_some(option.act));
            assert!(mine.options.iter().map(told).eq(theirs.options.iter().map(told)), "{:?} {:?}", mine.options, theirs.options);
            // What an agent is shown is made from the game, and is what its view would give.
            let mut shown = Game::new(&rules, 0);
            game.imagine(&rules, join(random, number), &mut shown);
            assert_eq!((shown.cells(), shown.decision()), (imagined.cells(), imagined.decision()));
            let style = rules.default_style();
            assert_eq!(shown.store(&rules).worth(theirs.seat, style), imagined.clone().store(&rules).worth(theirs.seat, style));
            derived_values_equal_a_recount(&rules, &shown, &mut imagined.clone());
            pieces_are_conserved(&rules, &imagined);
            what_lies_open_is_known(&rules, game);
            what_lies_open_is_known(&rules, &imagined);
            imagined.on(&rules).answer(scripts, 0).expect("no fault");
        });
    }
}

/// No seat has to guess what it sees: others imagine what that seat imagines.
fn what_lies_open_is_known(rules: &Ruleset, game: &Game) {
    let cells = game.cells();
    for card in 0..rules.layout.pieces {
        let place = usize::try_from(cells[rules.layout.piece(card, piece::PLACE)]).expect("a place");
        for seat in (0..rules.players).filter(|&seat| rules.sees_into(place, seat)) {
            assert!(!rules.is_unknown(cells, seat, card), "p{} sees the card {card} and does not know it", seat + 1);
        }
    }
}

/// What a player is told that is another program.
fn told(rules: &Ruleset, view: &View) -> String {
    serde_json::to_string(&describe_view(rules, view)).expect("words")
}

/// Where all answer secretly, what the next player is told and may answer does not depend on what was answered.
#[test]
fn secret_answers_change_no_byte_of_what_others_are_told() {
    let mut compared = 0;
    for name in ["attic", "grotto", "orchard", "thistles"] {
        let rules = small_game(name, 3);
        for seed in 0..4 {
            play(&rules, &mut host(&rules), seed, |game, scripts, _| {
                let decision = game.decision().expect("a question").clone();
                if !game.in_simultaneous_block() {
                    return;
                }
                let mut after = (0..decision.options.len()).filter_map(|option| {
                    let mut game = game.clone();
                    game.on(&rules).answer(scripts, option).expect("no fault");
                    let next = game.on(&rules).advance(scripts).expect("no fault").cloned();
                    // The last in the order is asked first: who stands before it hears nothing of its answer.
                    let place = |seat| game.position(&rules).order().iter().position(|&found| found == seat);
                    let next = next.filter(|next| game.in_simultaneous_block() && place(next.seat) < place(decision.seat))?;
                    let view = game.view(&rules).expect("a question");
                    Some((next.seat, next.options, told(&rules, &view), view, game.observe(&rules, next.seat)))
                });
                let Some(first) = after.next() else { return };
                for other in after {
                    assert_eq!(first, other);
                    compared += 1;
                }
            });
        }
    }
    assert!(compared > 500, "only {compared} answers were compared");
}

/// Tries the first answers to the open question and what follows them, and takes them back; returns how many were tried.
fn try_answers(rules: &Ruleset, game: &mut Game, scripts: &mut ScriptHost, depth: u32) -> u32 {
    let (count, seat) = game.decision().map_or((0, 0), |decision| (decision.options.len(), decision.seat));
    let mut tried = 0;
    for option in 0..count.min(5) {
        if !game.begin_trial(rules) {
            assert!(game.in_simultaneous_block());
            return 0;
        }
        game.store(rules).worth(seat, rules.default_style());
        game.on(rules).answer(scripts, option).expect("no fault");
        game.store(rules).worth(seat, rules.default_style());
        game.on(rules).advance(scripts).expect("no fault");
        if depth > 0 {
            tried += try_answers(rules, game, scripts, depth - 1);
        }
        game.take_back(rules);
        tried += 1;
    }
    tried
}

#[test]
fn what_was_tried_and_taken_back_leaves_no_trace() {
    let mut tried = 0;
    for (which, seed) in (0..GAMES).zip(11..) {
        let rules = cached(which);
        let (wanted, _) = play(&rules, &mut host(&rules), seed, |_, _, _| ());
        let native = Arc::new(Native::compile_all(&rules).expect("code for all expressions"));
        for native in [None, Some(native)] {
            let mut fresh = Game::new(&rules, 0);
            let (game, _) = play(&rules, &mut host(&rules), seed, |game, scripts, number| {
                if number == 0 {
                    game.use_native(&rules, native.clone());
                }
                if number % 13 == 0 {
                    let before = (game.save(), game.decision().cloned());
                    tried += try_answers(&rules, game, scripts, 1);
                    assert_eq!((game.save(), game.decision().cloned()), before, "{} by {native:?}", rules.game);
                    if number % 3 == 0 {
                        derived_values_equal_a_recount(&rules, game, &mut fresh);
                    }
                }
            });
            assert_eq!(game.hash(), wanted.hash(), "{} by {native:?}", rules.game);
        }
    }
    assert!(tried > 4500, "only {tried} answers were tried");
}

/// Scripts that run without rhai do the same as by rhai, in the same order; and all scripts of the built-in games do run without.
#[test]
fn scripts_come_to_the_same_with_rhai_and_without() {
    for which in 0..GAMES {
        let rules = cached(which);
        let mut hosts = [ScriptHost::new(&rules), ScriptHost::by_rhai(&rules)].map(|host| host.expect("scripts that compile"));
        let left: Vec<&str> = hosts[0].left_to_rhai().map(|script| rules.scripts[script].owner.as_str()).collect();
        assert!(left.is_empty(), "{}: {left:?}", rules.game);
        for seed in 51..55 {
            let [plain, by_rhai] = hosts.each_mut().map(|host| {
                let mut hashes = Vec::new();
                let (game, _) = play(&rules, host, seed, |game, _, _| hashes.push(game.hash()));
                hashes.push(game.hash());
                hashes
            });
            assert_eq!(plain, by_rhai, "{} with seed {seed}", rules.game);
        }
    }
    let near = game("near", 3);
    let left: Vec<usize> = ScriptHost::new(&near).expect("scripts that compile").left_to_rhai().collect();
    let owners = || left.iter().map(|script| (&near.scripts[*script].owner, &near.scripts[*script].text)).collect::<Vec<_>>();
    assert!(left.is_empty(), "{:?}", owners());
}

/// What a seat can tell of an answer's effect: what every seat is worth, who is asked what next, and where all cards lie that the seat knows.
fn effect_for(
    rules: &Ruleset,
    game: &mut Game,
    scripts: &mut ScriptHost,
    seat: usize,
    option: usize,
) -> (Vec<i64>, Vec<u64>, Vec<(usize, usize)>) {
    let answered = game.on(rules).answer(scripts, option);
    answered.expect("an answer that was offered");
    let worth = (0..rules.players).map(|seat| game.store(rules).worth(seat, rules.default_style())).collect();
    let asked = game
        .decision()
        .map_or_else(Vec::new, |asked| std::iter::once(asked.seat as u64).chain(asked.options.iter().map(|option| option.key)).collect());
    let position = game.position(rules);
    let known = (0..rules.layout.pieces).filter(|&card| position.knows(seat, card)).map(|card| position.place_of(card)).collect();
    (worth, asked, known)
}

/// What tells a seat nothing new has the same effect in the state itself as in any state that the seat imagines; and the state that is tried on
/// is the same as the game, decision after decision.
#[test]
fn what_tells_nothing_new_can_be_tried_on_the_state_itself() {
    let (mut alike, mut told) = (0, 0);
    for which in 0..GAMES {
        let rules = cached(which);
        let native = Arc::new(Native::compile_all(&rules).expect("code for all expressions"));
        let (mut open, mut imagined, mut fresh) = (Game::default(), Game::default(), Game::new(&rules, 0));
        for seed in 31..33 {
            play(&rules, &mut host(&rules), seed, |game, scripts, number| {
                if number == 0 {
                    game.use_native(&rules, Some(native.clone()));
                }
                if number % 5 != 0 || !game.look_out(&rules, &mut open) {
                    return;
                }
                assert_eq!((open.save(), open.decision()), (game.save(), game.decision()), "{}", rules.game);
                derived_values_equal_a_recount(&rules, &open, &mut fresh);
                let asked = open.decision().cloned().expect("a question");
                game.imagine(&rules, seed + number, &mut imagined);
                for (index, option) in asked.options.iter().enumerate().take(12) {
                    assert!(open.begin_trial(&rules) && imagined.begin_trial(&rules));
                    let here = effect_for(&rules, &mut open, scripts, asked.seat, index);
                    let has_told = open.take_told();
                    if has_told {
                        told += 1;
                    } else {
                        let same = imagined.decision().and_then(|asked| asked.options.iter().position(|found| found.key == option.key));
                        let there = effect_for(&rules, &mut imagined, scripts, asked.seat, same.expect("the same option"));
                        assert_eq!(here, there, "{}: {}", rules.game, option.text(&rules));
                        alike += 1;
                    }
                    open.take_back(&rules);
                    imagined.take_back(&rules);
                }
            });
        }
    }
    assert!(alike > 1000 && told > 100, "{alike} answers told nothing, {told} did");
}

/// How many rulesets there are.
pub(crate) const GAMES: usize = 7 + SMALL.len();

/// The built-in games for each number of players, and the small games.
pub(crate) fn cached(which: usize) -> Arc<Ruleset> {
    static RULES: std::sync::OnceLock<Vec<Arc<Ruleset>>> = std::sync::OnceLock::new();
    let all = || (2..=4).map(|players| game("nations", players)).chain((1..=4).map(|players| game("nations-dice", players)));
    let small = SMALL.iter().map(|(name, players)| small_game(name, *players));
    RULES.get_or_init(|| all().chain(small).collect())[which].clone()
}

/// Every expression of a ruleset, with locals by chance, comes to the same by generated code, by a walk with the cache and by a plain walk
/// without. What loops bind is a local before a loop is complete, and what is within loops is in the graph in that form, too.
pub(crate) fn all_nodes_agree(rules: &Ruleset, game: &mut Game, chance: u64, from: usize, step: usize) -> u32 {
    let most = if rules.classes.is_empty() { rules.layout.pieces } else { rules.classes.len() } as u64;
    // While all act at once only the seat that acts is asked.
    let acting = game.decision().map(|decision| decision.seat).filter(|_| game.in_simultaneous_block());
    let mut by_code = 0;
    for node in all_nodes(rules).into_iter().skip(from).step_by(step) {
        for me in (0..rules.players).filter(|&me| acting.is_none_or(|acting| acting == me)) {
            let mut env = Env::for_seat(me);
            for (i, local) in env.locals.iter_mut().enumerate() {
                *local = (draw(chance, node.number().into(), i as u64) % (most + 1)) as i32 - 1;
            }
            let wanted = game.store(rules).plain_value(node, &env);
            let found = game.store(rules).eval(node, &mut env);
            let at = || format!("{node:?} {:?} of p{} {:?}", rules.graph[node], me + 1, env.locals);
            match (wanted, game.store(rules).take_arithmetic_fault()) {
                (Some(wanted), None) => assert_eq!(found, wanted, "{}", at()),
                (Some(_), Some(wrong)) => panic!("{wrong}: {}", at()),
                // A value that went wrong is kept, and told only once.
                (None, _) => {}
            }
            if game.is_native() {
                let wanted = if goes_over_parts(rules, node) { None } else { wanted };
                assert_eq!(game.store(rules).native_value(node, &env), wanted, "by generated code: {}", at());
                by_code += u32::from(wanted.is_some());
            }
        }
    }
    by_code
}

/// Whether an expression goes from neighbour to neighbour over parts of cards, which generated code leaves to a walk; of groups and areas it does not.
fn goes_over_parts(rules: &Ruleset, node: NodeId) -> bool {
    any_part(&rules.graph, node, &|expr: Expr| match expr {
        Expr::OverNeighbours { board, .. } | Expr::Reached { board, .. } | Expr::StepsOver { board, .. } => {
            rules.boards[usize::from(board)].parts.is_some()
        }
        _ => false,
    })
}

/// All expressions of a ruleset that can stand alone: sets of spaces and what pays are no numbers, and compared by what reads them.
fn all_nodes(rules: &Ruleset) -> Vec<NodeId> {
    let stands_alone = |id: &_| rules.graph.facts(*id).vars == 0 && rules.graph[*id].is_number();
    rules.graph.all().map(|(id, _)| id).filter(stands_alone).collect()
}

#[test]
fn all_ways_to_evaluate_agree_over_random_games() {
    let names = houserule::pack::list_games(Some(root()));
    let built_in = (2..=4).flat_map(|players| names.iter().map(move |name| game(name, players)));
    let all: Vec<Arc<Ruleset>> = built_in.chain(SMALL.iter().map(|(name, players)| small_game(name, *players))).collect();
    assert!(all.len() >= 6 + SMALL.len(), "{names:?}");
    let (mut by_code, mut lists) = (0, 0);
    for (rules, seed) in all.iter().zip(3..) {
        let native = Arc::new(Native::compile_all(rules).expect("code for all expressions"));
        let step = if rules.graph.count() > 500 { 61 } else { 7 };
        for native in [None, Some(native)] {
            let mut look = |game: &mut Game, scripts: &mut ScriptHost, number: u64| {
                if number == 0 {
                    game.use_native(rules, native.clone());
                }
                by_code += all_nodes_agree(rules, game, join(seed, number), number as usize % step, step);
                if game.is_native() && number.is_multiple_of(5) {
                    let mut walked = Game::new(rules, seed);
                    walked.use_native(rules, None);
                    walked.on(rules).load(scripts, &game.save()).expect("a state that can be resumed");
                    assert!(!walked.is_native());
                    let listed = |game: &Game| game.decision().map(|decision| (decision.seat, decision.options.clone()));
                    assert_eq!(listed(game), listed(&walked), "question {number} of seed {seed} of {}", rules.game);
                    lists += 1;
                }
            };
            let (mut game, _) = play(rules, &mut host(rules), seed, &mut look);
            by_code += all_nodes_agree(rules, &mut game, seed, 0, 1);
        }
    }
    assert!(by_code > 50_000 && lists > 400, "only {by_code} values and {lists} lists of options by generated code");
}
