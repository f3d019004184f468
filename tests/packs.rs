//! Packs as modders write them: tests in patches are run, and a card that can never come up is told with the key that keeps it out.

use crate::support::{Folder, folder, host, loaded, manifest, root, rules_of, text_with};
use houserule::agent::parse_agents;
use houserule::engine::position;
use houserule::engine::{Game, Scripts};
use houserule::lang::Setup;
use houserule::playtest::{PlainOrMean, RecordOptions, RunPlan, report, run, unreachable};
use houserule::scenario::run::{ExtraContent, run_card_tests};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use std::sync::atomic::AtomicBool;

/// A pack for Nations with one file of cards.
fn pack(cards: &str) -> Folder {
    folder(&[("pack.toml", &manifest("wolves", "nations")), ("cards/all.toml", cards)])
}

#[test]
fn a_test_in_a_patch_is_run_with_the_patch() {
    let patch = "[[patch]]\ncard = \"hoplite\"\nstrength = 9\n\
                 [[patch.test]]\nname = \"stronger\"\ngiven = \"put hoplite in p1.sites with 1 workers\"\nthen = \"p1.strength == 9\"\n\
                 [[patch.test]]\nname = \"wrong\"\ngiven = \"put hoplite in p1.sites with 1 workers\"\nthen = \"p1.strength == 99\"\n";
    let folder = pack(patch);
    let mut sources = Sources::new();
    let report = run_card_tests(&mut sources, Some(root()), "nations", ExtraContent { packs: &[folder.path().to_path_buf()], with: &[] });
    let of_patch: Vec<(&str, bool)> =
        report.cases.iter().filter(|case| case.name.starts_with("hoplite")).map(|case| (case.name.as_str(), case.passed)).collect();
    assert_eq!(of_patch, [("hoplite: stronger", true), ("hoplite: wrong", false)]);
    assert!(report.cases.len() > 100, "the game's own tests run, too");
}

#[test]
fn a_card_that_can_never_come_up_is_told_with_the_key_that_keeps_it_out() {
    let card = |id: &str, more: &str| {
        format!(
            "[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"building\"\nsource = \"original\"\ndeploy = 1\nvp = [1]\nproduction = {{ food = 1 }}\n{more}\n"
        )
    };
    let cards = [
        card("sound_den", "age = 2\nset = \"base\""),
        card("advanced_den", "age = 2\nset = \"advanced\""),
        card("misspelt_den", "age = 2\nset = \"bsae\""),
        card("setless_den", "age = 2"),
        card("late_den", "age = 5\nset = \"base\""),
        card("ageless_den", "set = \"base\""),
        card("lost_den", ""),
    ];
    let folder = pack(&cards.concat());
    // What the head of a file says of all its cards is told once.
    let head = "[defaults]\nkind = \"building\"\nage = 2\nset = \"baes\"\nsource = \"original\"\n";
    let den = |id: &str| format!("[[card]]\nid = \"{id}\"\ndeploy = 1\nvp = [1]\nproduction = {{ food = 1 }}\n");
    let headed = [head.to_owned(), den("wide_den"), den("deep_den"), den("high_den")].concat();
    folder.write("cards/zz.toml", &headed);
    let (sources, text) = text_with(&[folder.path().to_path_buf()], &[]);
    let mut found = unreachable(&text, &|rules| Some(Box::new(ScriptHost::new(rules).ok()?)));
    let last = found.pop().expect("the head of the second file");
    assert_eq!(last.message, "card `wide_den` and 2 more can never come into the game");
    assert_eq!(sources.line_column(last.span.expect("a place")).0, 4);
    let told: Vec<(&str, usize, Vec<String>)> = found
        .iter()
        .map(|found| {
            (
                found.message.as_str(),
                sources.line_column(found.span.expect("a place")).0,
                [vec![found.label.clone()], found.help.clone()].concat(),
            )
        })
        .collect();
    let expected = [
        ("misspelt_den", "no deck takes a card with `set = \"bsae\"`", "did you mean `base`?"),
        ("setless_den", "it has no `set`, so no deck takes it", "`set` can be advanced, base, expert"),
        ("late_den", "no deck takes a card with `age = 5`", "`age` can be 1, 2, 3, 4"),
        ("ageless_den", "it has no `age`, so no deck takes it", "`age` can be 1, 2, 3, 4"),
        ("lost_den", "its `set` and its `age` keep it out", "it would with `set = "),
    ];
    assert_eq!(told.len(), expected.len(), "{told:#?}");
    for ((id, label, help), (message, _, said)) in expected.iter().zip(&told) {
        assert_eq!(*message, format!("card `{id}` can never come into the game"));
        assert!(said[0].starts_with(label) && said.iter().any(|line| line.starts_with(help)), "{id}: {said:?}");
    }
}

#[test]
fn every_card_of_a_shipped_game_can_come_up() {
    for game in houserule::pack::list_games(Some(root())) {
        let (_, text) = loaded(root(), &game, &[], &[]);
        let found = unreachable(&text, &|rules| Some(Box::new(ScriptHost::new(rules).ok()?)));
        let said: Vec<String> = found.into_iter().map(|found| found.message).collect();
        assert_eq!(said, Vec::<String>::new(), "{game}");
    }
}

#[test]
fn a_tile_that_is_dealt_does_what_taking_it_does() {
    let (sources, text) = loaded(root(), "nations-dice", &[], &[]);
    let of_the_game = |deal: &str| {
        let setup = Setup { players: 2, deal: vec![(deal.to_string(), Some(1))], ..Setup::default() };
        let rules = rules_of(&sources, &text, &setup);
        let mut scripts = host(&rules);
        let mut game = Game::new(&rules, 7);
        game.keep_log();
        let mut asked = Vec::new();
        while let Some(decision) = game.on(&rules).advance(&mut scripts).expect("no fault").cloned() {
            if game.round() > 0 {
                break;
            }
            asked.push((decision.seat, decision.options.len()));
            game.on(&rules).answer(&mut scripts, 0).expect("no fault");
        }
        (asked, game.log().join("\n"))
    };
    // Two rerolls are printed on this adviser, and a building goes over one of five, whose die goes back.
    let (asked, log) = of_the_game("hammurabi");
    assert!(asked.is_empty() && log.contains("2 reroll from supply"), "{asked:?}\n{log}");
    let (asked, log) = of_the_game("granary");
    assert!(asked == [(1, 5)] && log.contains("p2 rolls "), "{asked:?}\n{log}");
}

/// `--deal rome@p4` once gave Rome to whoever drew it first, and p4 something else; where boards are chosen, it gave p4 half of each of two.
#[test]
fn who_is_dealt_a_card_has_it() {
    let (sources, text) = text_with(&[], &[]);
    let set_up = |board: &str, side: &str, seat: usize, seed: u64| {
        let options = [("side".to_string(), vec![side.to_string()])].into();
        let rules =
            rules_of(&sources, &text, &Setup { players: 4, options, deal: vec![(board.to_string(), Some(seat))], ..Setup::default() });
        let (mut game, mut scripts) = (Game::new(&rules, seed), host(&rules));
        loop {
            match game.on(&rules).advance(&mut scripts).map(|asked| asked.is_some()) {
                Ok(true) if game.round() == 0 => game.on(&rules).answer(&mut scripts, 0).expect("no fault"),
                Ok(_) => break,
                Err(fault) => panic!("{fault}"),
            }
        }
        let place = rules.find_place("nation").expect("a place");
        let boards = (0..4).map(|seat| game.position(&rules).piece_at(position::instance(&rules, place, seat), 0).expect("a board"));
        boards.map(|board| rules.names.text(rules.definition(board).id).to_string()).collect::<Vec<_>>()
    };
    for (board, side) in [("rome", "a"), ("rome_b", "b"), ("rome", "b"), ("rome_b", "a")] {
        for (seat, seed) in (0..4).flat_map(|seat| (1..9).map(move |seed| (seat, seed))) {
            let boards = set_up(board, side, seat, seed);
            let mut each = boards.clone();
            each.sort();
            each.dedup();
            assert!(boards[seat] == board && each.len() == 4, "{seat}, {seed}: {boards:?}");
        }
    }
}

#[test]
fn greedy_players_know_what_dynasties_adds() {
    let (sources, text) = text_with(&[root().join("packs/dynasties")], &[]);
    let options = vec![("set".into(), vec!["base".into(), "dynasties".into()]), ("side".into(), vec!["b".into()])];
    let rules = rules_of(&sources, &text, &Setup { players: 3, options, ..Setup::default() });
    let agents = parse_agents("greedy", 3).expect("agents");
    let plan = RunPlan { rules: &rules, agents: &agents, games: 8, seed: 1, threads: 0, notes: RecordOptions::default() };
    let scripts = || Ok(Box::new(host(&rules)) as Box<dyn Scripts>);
    let outcome = run(&plan, &scripts, &AtomicBool::new(false), &mut ()).expect("no fault");
    let found = report(&plan, &outcome, &sources, Vec::new());
    let at_the_end = |name: &str| found.places.iter().find(|place| place.name == name).map(|place| place.value.clone());
    for place in ["discovered", "dynasty"] {
        let Some(PlainOrMean::PerPlayer { per_player }) = at_the_end(place) else { panic!("there is no place {place}") };
        assert!(per_player > 0.2, "a player has {per_player} cards in {place} at the end");
    }
}
