//! Common chance: what a changed rule does not touch stays as it was.

use crate::support::{SMALL, game_text, host, nations, play, root, rules_of, small_game, text_with};
use houserule::agent::{SeatAgents, parse_agents};
use houserule::engine::{Game, Ruleset};
use houserule::lang::Setup;
use std::sync::Arc;

/// The answers of random agents, in words, and what each question was.
fn transcript(rules: &Arc<Ruleset>, seed: u64) -> Vec<(String, usize)> {
    let mut scripts = host(rules);
    let mut game = Game::new(rules, seed);
    let mut agents = SeatAgents::new(&parse_agents("random", rules.players).expect("agents"));
    agents.begin_game(seed);
    let mut lines = Vec::new();
    while let Some(decision) = game.on(rules).advance(&mut scripts).expect("no fault").cloned() {
        let option = agents.choose(rules, &game, &mut scripts).expect("an answer");
        lines.push((format!("r{} p{} {}", game.round(), decision.seat + 1, decision.options[option].text(rules)), decision.options.len()));
        game.on(rules).answer(&mut scripts, option).expect("no fault");
    }
    lines
}

#[test]
fn a_card_added_to_a_deck_leaves_the_game_as_it_was_until_it_turns_up() {
    let base = nations(4);
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("pack.toml"), "name = \"wolves\"\nversion = \"1\"\nlanguage = 1\nextends = \"nations\"\n")
        .expect("written");
    std::fs::create_dir_all(folder.path().join("cards")).expect("made");
    let card = "[[card]]\nid = \"wolf_den\"\nname = \"Wolf Den\"\nkind = \"building\"\nage = 3\nset = \"base\"\nsource = \"original\"\ndeploy = 3\nvp = [2, 1, 1]\nproduction = { food = 5 }\n";
    std::fs::write(folder.path().join("cards/wolves.toml"), card).expect("written");
    let (sources, text) = text_with(&[folder.path().to_path_buf()], &[]);
    let more = rules_of(&sources, &text, &Setup { players: 4, ..Setup::default() });
    assert_eq!(more.definitions.len(), base.definitions.len() + 1);
    let (mut same, mut all) = (0, 0);
    for seed in 0..20 {
        let (a, b) = (transcript(&base, seed), transcript(&more, seed));
        let until = a.iter().position(|l| l.0.starts_with("r5")).unwrap_or(a.len());
        assert_eq!(a[..until], b[..until], "the card is of the third age: rounds 1 to 4 are the same (seed {seed})");
        all += a.len();
        same += a.iter().zip(&b).take_while(|(x, y)| x.0 == y.0).count();
    }
    assert!(same * 2 > all, "most of the answers are the same: {same} of {all}");
}

#[test]
fn an_option_more_for_one_random_player_changes_nothing_unless_it_is_chosen() {
    let base = nations(4);
    // Growth offers a fourth resource; nothing else is different.
    let (sources, text) = text_with(&[], &["extend maintenance.growth { \"take book\" { gain bonus book } }"]);
    let more = rules_of(&sources, &text, &Setup { players: 4, ..Setup::default() });
    let mut touched = 0;
    for seed in 0..40 {
        let (a, b) = (transcript(&base, seed), transcript(&more, seed));
        let first = b.iter().position(|l| l.0.contains("take book")).unwrap_or(b.len());
        touched += usize::from(first < b.len());
        let words = |lines: &[(String, usize)]| lines.iter().map(|l| l.0.clone()).collect::<Vec<_>>();
        assert_eq!(words(&a)[..first.min(a.len())], words(&b)[..first], "seed {seed}");
    }
    assert!(touched > 20, "the new option is chosen in most games");
}

/// What is taken at random counts its draws in a cell of its own, also where tokens have no faces: it once counted them in the seed, so that
/// all that fell later was another game's.
#[test]
fn no_draw_changes_the_seed_of_a_game() {
    let harbour = game_text(&root().join("examples/harbour"), "harbour", 3).2;
    let small = SMALL.iter().map(|(name, players)| small_game(name, *players));
    for rules in small.chain([harbour]) {
        let seed = Game::new(&rules, 7).cells()[..2].to_vec();
        let (game, _) = play(&rules, &mut host(&rules), 7, |game, _, number| {
            assert_eq!(game.cells()[..2], seed[..], "{} after {number} answers", rules.game);
        });
        assert_eq!(game.cells()[..2], seed[..], "{} at its end", rules.game);
    }
}
