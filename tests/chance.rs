//! Chance: streams of numbers that never change, and common chance: what a changed rule does not touch stays as it was.

use crate::support::{SMALL, folder, game_text, host, manifest, nations, play, root, rules_of, small_game, text_with};
use houserule::agent::{SeatAgents, parse_agents};
use houserule::engine::{Game, Ruleset};
use houserule::lang::Setup;
use houserule::state::chance::{Stream, below, draw, hash_text, mix, seed_of_game};
use rand::Rng;
use rand::seq::SliceRandom;
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
    let card = "[[card]]\nid = \"wolf_den\"\nname = \"Wolf Den\"\nkind = \"building\"\nage = 3\nset = \"base\"\nsource = \"original\"\ndeploy = 3\nvp = [2, 1, 1]\nproduction = { food = 5 }\n";
    let folder = folder(&[("pack.toml", &manifest("wolves", "nations")), ("cards/wolves.toml", card)]);
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

#[test]
fn golden_values_never_change() {
    assert_eq!([mix(0), mix(42)], [0xE220_A839_7B1D_CDAF, 13_679_457_532_755_275_413]);
    assert_eq!(hash_text("wolf"), 2_133_682_180_799_482_771);
    assert_eq!(draw(1, hash_text("wolf"), 0), 17_829_273_286_406_978_512);
    assert_eq!([below(u64::MAX, 6), below(0, 6), below(17_829_273_286_406_978_512, 0)], [5, 0, 0]);
    let mut stream = Stream::new(7, hash_text("wall"), 0);
    let drawn = [0; 3].map(|_| stream.draw());
    assert_eq!(drawn, [14_470_895_371_065_167_095, 9_400_843_173_678_044_823, 15_241_611_132_953_576_862]);
    let mut stream = Stream::new(7, hash_text("wall"), 0);
    let dice = [0; 12].map(|_| stream.below(6));
    assert_eq!((dice, stream.counter()), ([4, 3, 4, 1, 5, 3, 4, 1, 1, 4, 3, 3], 12), "every draw uses exactly one step");
    assert_eq!([0, 1, 2, 3, 4].map(|game| below(seed_of_game(1, game), 1000)), [206, 28, 202, 152, 230]);
}

#[test]
fn a_stream_goes_on_where_its_counter_says() {
    let name = hash_text("wisp");
    let mut whole = Stream::new(3, name, 0);
    for counter in 0..6 {
        let value = whole.draw();
        assert_eq!([draw(3, name, counter), Stream::new(3, name, counter).draw()], [value; 2]);
    }
}

#[test]
fn a_stream_is_a_generator_for_rand() {
    let mut stream = Stream::new(3, hash_text("wisp"), 0);
    let (first, half) = (stream.next_u64(), stream.next_u32());
    assert_eq!((first, half), (draw(3, hash_text("wisp"), 0), (draw(3, hash_text("wisp"), 1) >> 32) as u32));
    let mut bytes = [0; 12];
    stream.fill_bytes(&mut bytes);
    assert_eq!(bytes[..8], draw(3, hash_text("wisp"), 2).to_le_bytes());
    let mut cards: Vec<u32> = (0..52).collect();
    cards.shuffle(&mut stream);
    let mut sorted = cards.clone();
    sorted.sort_unstable();
    assert!(cards != sorted && sorted == (0..52).collect::<Vec<_>>());
}

#[test]
fn what_falls_is_spread_evenly() {
    let mut stream = Stream::new(11, hash_text("die"), 0);
    let mut faces = [0_u32; 6];
    (0..60_000).for_each(|_| faces[stream.below(6) as usize] += 1);
    assert!(faces.iter().all(|&count| (9_600..10_400).contains(&count)), "{faces:?}");
}

#[test]
fn streams_do_not_touch_each_other() {
    let (wolf, wall) = (hash_text("wolf"), hash_text("wall"));
    assert_ne!(draw(7, wolf, 0), draw(7, wall, 0));
    assert_ne!(draw(7, wolf, 0), draw(7, wolf, 1));
    assert_ne!(draw(7, wolf, 0), draw(8, wolf, 0));
}
