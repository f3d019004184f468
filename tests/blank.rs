//! Cards without effects: the rules that are made for them fast, and the machine code that these share with the rules of the whole game, give
//! what the rules give that are compiled anew.

use crate::laws::all_nodes_agree;
use crate::support::{game_text, host, play, root};
use houserule::engine::Ruleset;
use houserule::engine::native::Native;
use houserule::lang::{GameText, Setup, compile};
use houserule::playtest::cards::{blank_card, can_be_blanked, compile_blanked};
use std::path::PathBuf;
use std::sync::Arc;

/// What happens in a game: for each question who is asked, the options, and what is logged of points at the end.
#[derive(Debug, PartialEq)]
struct Course {
    asked: Vec<(usize, Vec<(u64, u16)>)>,
    points: Vec<Vec<i64>>,
}

/// A game by random players, by generated code or by a walk.
fn course(rules: &Arc<Ruleset>, native: Option<&Arc<Native>>, seed: u64) -> Course {
    let mut asked = Vec::new();
    let (mut game, _) = play(rules, &mut host(rules), seed, |game, _, number| {
        if number == 0 {
            game.use_native(rules, native.cloned());
        }
        let decision = game.decision().expect("a question is open");
        asked.push((decision.seat, decision.options.iter().map(|option| (option.key, option.nth)).collect()));
    });
    let points = (0..rules.players).map(|seat| game.store(rules).score_rows(seat)).collect();
    Course { asked, points }
}

/// The games of these tests, with their numbers of players.
fn games() -> Vec<(PathBuf, &'static str, usize)> {
    let small = [("attic", 3), ("castle", 3), ("grotto", 3), ("masks", 3), ("thistles", 4), ("tinkers", 3)];
    let small = small.map(|(name, players)| (root().join("tests/games"), name, players));
    small.into_iter().chain([(root().to_path_buf(), "nations", 2)]).collect()
}

/// The cards that can be blanked: at most so many, from all parts of the game.
fn some_cards(text: &GameText, rules: &Ruleset, most: usize) -> Vec<String> {
    let ids = rules.definitions.iter().map(|card| rules.names.text(card.id).to_string());
    let all: Vec<String> = ids.filter(|id| can_be_blanked(text, id)).collect();
    let step = all.len().div_ceil(most).max(1);
    all.into_iter().step_by(step).collect()
}

fn fast(text: &GameText, players: usize, card: &str) -> Arc<Ruleset> {
    Arc::new(compile_blanked(text, &Setup { players, ..Setup::default() }, card).expect("it compiles"))
}

#[test]
fn games_with_a_blanked_card_are_those_of_rules_that_are_compiled_anew() {
    let (mut compared, mut changed) = (0, 0);
    for (root, name, players) in games() {
        let (_, text, rules) = game_text(&root, name, players);
        for card in some_cards(&text, &rules, if name == "nations" { 16 } else { 4 }) {
            let mut content = text.content.clone();
            let of_card = content.cards.iter_mut().filter(|one| one.id.text == card);
            of_card.for_each(|one| *one = blank_card(&text, &card).expect("a card"));
            let anew = compile(&text.with_content(content), &Setup { players, ..Setup::default() }, &mut Vec::new());
            let [fast, anew] = [fast(&text, players, &card), Arc::new(anew.expect("it compiles"))];
            for seed in 0..2 {
                let found = course(&fast, None, seed);
                assert_eq!(found, course(&anew, None, seed), "{name} without {card}, seed {seed}");
                compared += 1;
                changed += usize::from(found != course(&rules, None, seed));
            }
        }
    }
    assert!(compared > 40 && changed > 10, "{compared} games, of which {changed} changed");
}

#[test]
fn shared_machine_code_gives_what_code_of_their_own_gives() {
    let (mut shared, mut own, mut changed, mut values) = (0, 0, 0, 0);
    for (root, name, players) in games() {
        let (_, text, rules) = game_text(&root, name, players);
        let whole = Arc::new(Native::compile_all(&rules).expect("code"));
        for card in some_cards(&text, &rules, if name == "nations" { 6 } else { 3 }) {
            let rules_without = fast(&text, players, &card);
            let Some(code) = whole.shared_with(&rules_without) else {
                own += 1;
                continue;
            };
            shared += 1;
            let code = Arc::new(code);
            assert!(code.is_shared_with(&whole));
            let of_its_own = Arc::new(Native::compile_all(&rules_without).expect("code"));
            let found = course(&rules_without, Some(&code), 1);
            assert_eq!(found, course(&rules_without, Some(&of_its_own), 1), "{name} without {card}");
            assert_eq!(found, course(&rules_without, None, 1), "{name} without {card}");
            changed += usize::from(found != course(&rules, Some(&whole), 1));
            play(&rules_without, &mut host(&rules_without), 2, |game, _, number| {
                if number == 0 {
                    game.use_native(&rules_without, Some(code.clone()));
                }
                values += all_nodes_agree(&rules_without, game, number, number as usize % 23, 23);
            });
        }
    }
    assert!(shared >= 8 && changed >= 2 && values > 5_000, "{shared} shared, {own} not; {changed} changed; {values} values");
}

#[test]
fn other_rules_do_not_run_by_the_machine_code() {
    let (_, _, rules) = game_text(root(), "nations", 2);
    let native = Native::compile_all(&rules).expect("code");
    assert!(native.shared_with(&rules).is_some());
    for (root, name, players) in games().into_iter().chain([(root().to_path_buf(), "nations", 3)]).filter(|(_, _, players)| *players != 2) {
        let (_, _, other) = game_text(&root, name, players);
        assert!(native.shared_with(&other).is_none(), "{name} for {players}");
    }
}
