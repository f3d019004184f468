//! Tests of the effects of cards.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::agent::parse_agents;
use crate::engine::{NoScripts, Ruleset, Scripts};
use crate::lang::{GameText, Setup, compile};
use crate::pack::Translations;
use crate::playtest::compare::{Measure, measures};
use crate::playtest::toy::toy_text;
use crate::playtest::{RecordOptions, Report, RunOutcome, RunPlan, report};
use crate::source::Sources;

fn compile_rules(text: &GameText, setup: &Setup) -> Ruleset {
    let mut wrong = Vec::new();
    compile(text, setup, &mut wrong).unwrap_or_else(|| panic!("{wrong:?}"))
}

/// Returns a copy of a game in which one card has no effects.
pub(super) fn blanked(text: &GameText, id: &str) -> GameText {
    let mut content = text.content.clone();
    content.cards.iter_mut().filter(|card| card.id.text == id).for_each(|card| *card = blank_card(text, id).unwrap());
    text.with_content(content)
}

fn three_players() -> Setup {
    Setup { players: 3, ..Setup::default() }
}

/// The toy game, and its rules with each card blanked.
struct Toy {
    rules: Ruleset,
    blank: Vec<Ruleset>,
    early: bool,
}

impl Toy {
    fn new(text: &GameText, setup: &Setup) -> Toy {
        let rules = compile_rules(text, setup);
        let ids = rules.definitions.iter().map(|card| rules.names.text(card.id));
        let blank = ids.map(|id| compile_rules(&blanked(text, id), setup)).collect();
        Toy { rules, blank, early: false }
    }

    /// Plays these games twice, as they are and with cards blanked; stops after `most` of the games played again.
    fn played(&self, agents: &str, games: u64, seed: u64, threads: usize, most: u64) -> (RunOutcome, CardEffects, Report) {
        let agents = parse_agents(agents, 3).unwrap();
        let plan = RunPlan { rules: &self.rules, agents: &agents, games, seed, threads, notes: RecordOptions::default() };
        let stop = AtomicBool::new(false);
        let scripts = || Ok(Box::new(NoScripts) as Box<dyn Scripts>);
        let blanked = BlankingPlan {
            is_wanted: &|_| true,
            can_be_blanked: &|_| true,
            early: self.early,
            rules: &|card| Ok(self.blank[card as usize].clone()),
            scripts: &|_: &Arc<Ruleset>| scripts(),
            on_progress: &|played, _| stop.store(played >= most, Ordering::Relaxed),
        };
        let games = blanked_games(&plan, &scripts, &blanked, &stop).unwrap();
        let report = report(&plan, &games.outcome, &Sources::new(), Vec::new());
        let effects = card_effects(&self.rules, &report, &games, self.early, Vec::new());
        (games.outcome, effects, report)
    }

    fn measure_effects(&self, agents: &str, games: u64, seed: u64) -> CardEffects {
        self.played(agents, games, seed, 2, u64::MAX).1
    }
}

fn changed_toy(changes: &[(&str, &str)]) -> Toy {
    Toy::new(&toy_text(changes), &three_players())
}

fn effect_of<'e>(effects: &'e CardEffects, card: &str) -> &'e CardEffect {
    effects.cards.iter().find(|effect| effect.card == card).unwrap()
}

#[test]
fn points_pasted_into_a_card_are_found() {
    // The toy's cards score their height, which affects nothing else; random agents do not consider it.
    let (_, found, report) = changed_toy(&[]).played("random", 60, 1, 2, u64::MAX);
    for (height, card) in ["grey_wolf", "red_wolf", "low_wall", "high_wall", "old_wall", "new_wall"].into_iter().enumerate() {
        let effect = effect_of(&found, card);
        let points = effect.points.as_ref().unwrap();
        let [low, high] = points.interval.unwrap();
        assert!(
            points.difference == height as f64 && low < points.difference && points.difference < high && high - low < 0.4,
            "{card}: {points:?}"
        );
        assert_eq!((points.significant, effect.points_of_all.significant), (height > 0, height > 0), "{card}");
        // All seats share the points of one of them; in some games no seat takes the card.
        let all = height as f64 * points.games as f64 / effect.games as f64 / 3.0;
        assert!(points.games <= effect.games && (effect.points_of_all.difference - all).abs() < 1e-9, "{effect:?}");
    }
    let wins = effect_of(&found, "new_wall").wins.as_ref().unwrap();
    assert!(wins.significant && wins.difference > 0.1, "{wins:?}");
    let text = found.text(&report, &Translations::default(), &BTreeMap::new(), false);
    assert!(text.contains("new_wall") && text.contains("+5.00*") && text.lines().all(|line| line.chars().count() <= 100), "{text}");
    // The strongest card of a kind comes first; kinds are in order of declaration.
    let order: Vec<&str> = found.cards.iter().map(|card| card.card.as_str()).collect();
    assert_eq!(order, ["red_wolf", "grey_wolf", "new_wall", "old_wall", "high_wall", "low_wall"]);
}

#[test]
fn careful_players_are_followed_too() {
    let found = changed_toy(&[]).measure_effects("greedy", 80, 1);
    let points = effect_of(&found, "new_wall").points.as_ref().unwrap();
    // Without the card, its owner takes the next best one.
    assert!(points.difference > 0.5 && points.difference <= 5.0, "{points:?}");
    // All cards are public and the agents leave nothing to chance, so that these games are hardly more than one.
    assert!(!points.significant && points.p > Some(0.1), "{points:?}");
}

/// Builds a game in which two words exchange their meanings after a red wolf is played: for a random agent this makes no difference on
/// average, but every game changes.
fn words_exchanged() -> Toy {
    changed_toy(&[
        ("\"lair\"  = sum card.height of my lair", "\"lair\" = 0 * (sum card.height of my lair)"),
        ("moment howl(card)", "moment howl(card)\n moon += if card.height == 1 then 1 else 0"),
        ("gain 1 wisp }\n        \"two\" { gain 2 wisp }", "gain (1 + moon) wisp }\n        \"two\" { gain (2 - moon) wisp }"),
    ])
}

#[test]
fn a_card_that_changes_nothing_on_average_is_found_as_often_as_chance_has_it() {
    let toy = words_exchanged();
    let (mut shown, mut outside, mut moved, runs) = (0, 0, 0, 200);
    for seed in 0..runs {
        let found = toy.measure_effects("random", 40, seed);
        let wolf = effect_of(&found, "red_wolf");
        let points = wolf.points.as_ref().unwrap();
        moved += u64::from(points.interval.is_some_and(|[low, high]| high - low > 0.1));
        outside += u64::from(points.p.is_some_and(|p| p < 0.05));
        shown += u64::from(found.cards.iter().any(|card| card.points.as_ref().is_some_and(|points| points.significant)));
        // A card without effects leaves each game unchanged.
        assert_eq!(
            (effect_of(&found, "new_wall").points_of_all.difference, effect_of(&found, "new_wall").points_of_all.p),
            (0.0, Some(1.0))
        );
    }
    assert!(moved == runs && (2..=20).contains(&outside) && shown <= 20, "{moved}, {outside} and {shown} of {runs}");
}

#[test]
fn one_thread_and_three_find_the_same() {
    let toy = changed_toy(&[("grid row 1 by 6", "grid row 1 by 2")]);
    let said = [1, 3].map(|threads| toy.played("greedy,random,random", 70, 4, threads, u64::MAX).1);
    assert_eq!(serde_json::to_string(&said[0]).unwrap(), serde_json::to_string(&said[1]).unwrap());
}

#[test]
fn a_game_in_which_a_card_did_not_come_up_is_the_same_without_it() {
    // Two cards are available, and most stay in the deck.
    let toy = changed_toy(&[("grid row 1 by 6", "grid row 1 by 2"), ("rounds 3", "rounds 1"), ("fill row from pile; ", "")]);
    for agents in ["random", "greedy"] {
        let (found, games) = (toy.measure_effects(agents, 60, 2), 60);
        assert!(found.cards.iter().all(|card| card.games > 5 && card.games < games / 2), "{found:?}");
        assert_eq!(found.cards.iter().map(|card| card.games).sum::<u64>(), 2 * games, "two cards a game");
        // If such games are played anyway, they end alike.
        let agents = parse_agents(agents, 3).unwrap();
        for (card, blank) in toy.blank.iter().enumerate() {
            let [plain, blank] = [&toy.rules, blank].map(|rules| {
                all_games(&RunPlan {
                    rules,
                    agents: &agents,
                    games,
                    seed: 2,
                    threads: 1,
                    notes: RecordOptions { trace: true, ..RecordOptions::default() },
                })
            });
            let mut left = 0;
            for (plain, blank) in plain.iter().zip(&blank) {
                if !plain.trace.as_ref().unwrap().came_up(card as u32) {
                    assert_eq!((&plain.rows, &plain.ranking), (&blank.rows, &blank.ranking));
                    left += 1;
                }
            }
            assert!(left > 30);
        }
    }
}

#[test]
fn a_card_on_top_of_its_deck_comes_up_in_every_game() {
    let seldom = [("grid row 1 by 6", "grid row 1 by 2"), ("rounds 3", "rounds 1"), ("fill row from pile; ", "")];
    let toy = Toy { early: true, ..changed_toy(&seldom) };
    let (outcome, found, report) = toy.played("random", 60, 2, 2, u64::MAX);
    assert_eq!(outcome.tally.games, 60);
    for (height, card) in ["grey_wolf", "red_wolf", "low_wall", "high_wall", "old_wall", "new_wall"].into_iter().enumerate() {
        let effect = effect_of(&found, card);
        assert_eq!(effect.games, 60, "{card}");
        let points = effect.points.as_ref().unwrap();
        assert_eq!((points.difference, points.significant), (height as f64, height > 0), "{card}");
    }
    let text = found.text(&report, &Translations::default(), &BTreeMap::new(), false);
    assert!(text.contains("on top of its deck"), "{text}");
    // The second available card is the one that would be first without it.
    let agents = parse_agents("random", 3).unwrap();
    let plan = RunPlan {
        rules: &toy.rules,
        agents: &agents,
        games: 60,
        seed: 2,
        threads: 1,
        notes: RecordOptions { trace: true, ..RecordOptions::default() },
    };
    let open = |games: &[crate::playtest::PlayedGame]| -> Vec<Vec<u32>> {
        games.iter().map(|game| (0..6).filter(|card| game.trace.as_ref().unwrap().came_up(*card)).collect()).collect()
    };
    let plain = open(&all_games(&plan));
    let early = open(&all_games(&RunPlan { rules: &Ruleset { top_definition: Some(0), ..toy.rules.clone() }, ..plan }));
    for (plain, early) in plain.iter().zip(&early) {
        assert!(early.len() == 2 && early[0] == 0 && plain.contains(&early[1]), "{plain:?} {early:?}");
    }
}

fn all_games(plan: &RunPlan<'_>) -> Vec<crate::playtest::PlayedGame> {
    struct All(Vec<crate::playtest::PlayedGame>);
    impl crate::playtest::Listener for All {
        fn on_game(&mut self, _: u64, game: &crate::playtest::PlayedGame) {
            self.0.push(game.clone());
        }
    }
    let mut all = All(Vec::new());
    crate::playtest::run(plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut all).unwrap();
    all.0
}

#[test]
fn a_run_that_is_stopped_keeps_what_is_done() {
    let (outcome, found, report) = changed_toy(&[]).played("random", 60, 1, 1, 90);
    assert!(!outcome.stopped && outcome.tally.games == 60, "the games themselves were all played");
    assert_eq!(found.cards.iter().map(|card| card.games).sum::<u64>(), 90);
    // Of the second card half of the games are played, and their results are reported.
    assert_eq!(found.cards.iter().map(|card| card.games).collect::<Vec<_>>(), [30, 60]);
    let begun = vec![("red_wolf".to_string(), 30, 60)];
    assert_eq!(found.unfinished, Some(UnfinishedRun { cards: 1, cards_requested: 6, begun }));
    let text = found.text(&report, &Translations::default(), &BTreeMap::new(), false);
    assert!(text.contains("stopped: 1 of 6 cards are done\nred_wolf: 30 of 60 games have been played once more\n"), "{text}");
    assert_eq!(changed_toy(&[]).measure_effects("random", 60, 1).unfinished, None);
}

#[test]
fn a_card_that_one_begins_with_is_that_seat_s() {
    let setup = Setup { players: 3, deal: vec![("old_wall".to_string(), Some(1))], ..Setup::default() };
    let (_, found, _) = Toy::new(&toy_text(&[]), &setup).played("random", 40, 1, 2, u64::MAX);
    let effect = effect_of(&found, "old_wall");
    let points = effect.points.as_ref().unwrap();
    assert_eq!((effect.games, points.games, points.difference, effect.taken), (40, 40, 4.0, None), "nobody has to take it");
}

#[test]
fn cards_with_which_one_begins_are_compared_with_each_other() {
    // Each player begins with one of three walls, and fetches wolves.
    let dealt = ["low_wall", "high_wall", "old_wall"].into_iter().enumerate();
    let deal = dealt.map(|(seat, card)| (card.to_string(), Some(seat))).collect();
    let (_, found, report) = Toy::new(&toy_text(&[]), &Setup { players: 3, deal, ..Setup::default() }).played("random", 60, 1, 2, u64::MAX);
    let begun: Vec<&str> = found.initial.iter().map(|card| card.card.as_str()).collect();
    assert_eq!(begun.len(), 3, "{begun:?}");
    assert!(found.cards.iter().all(|card| !begun.contains(&card.card.as_str())), "they are not blanked");
    for card in &found.initial {
        let seat = ["low_wall", "high_wall", "old_wall"].iter().position(|wall| *wall == card.card).unwrap();
        let points = |seat: usize| report.by_seat[seat].points.mean;
        let others = (0..3).filter(|other| *other != seat).map(points).sum::<f64>() / 2.0;
        assert!((card.points.difference - (points(seat) - others)).abs() < 1e-9 && card.games == 60, "{card:?}");
        assert!((card.wins.own - report.by_seat[seat].won.share).abs() < 1e-9, "{card:?}");
    }
    let text = found.text(&report, &Translations::default(), &BTreeMap::new(), false);
    assert!(text.contains("beside each other: wall, 3 cards") && text.contains("What cards do: wall, 1 card\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

/// Players who answer as in the original game until they can see the card answer as players who think about everything.
#[test]
fn what_is_known_of_a_game_is_answered_without_thinking() {
    let seldom = [("grid row 1 by 6", "grid row 1 by 2")];
    let toy = changed_toy(&seldom);
    for agents in ["random", "greedy", "search:20,greedy,random"] {
        let found = toy.measure_effects(agents, 24, 5);
        let agents = parse_agents(agents, 3).unwrap();
        let all = |rules| {
            let notes = RecordOptions { trace: true, ..RecordOptions::default() };
            all_games(&RunPlan { rules, agents: &agents, games: 24, seed: 5, threads: 1, notes })
        };
        let plain = all(&toy.rules);
        for (card, rules) in toy.blank.iter().enumerate() {
            let came_up =
                |game: &&(&crate::playtest::PlayedGame, crate::playtest::PlayedGame)| game.0.trace.as_ref().unwrap().came_up(card as u32);
            let both: Vec<_> = plain.iter().zip(all(rules)).collect();
            let points = |game: &crate::playtest::PlayedGame| (0..3).map(|seat| game.points(seat) as f64).sum::<f64>() / 3.0;
            let differences: Vec<f64> = both.iter().filter(came_up).map(|(plain, blank)| points(plain) - points(blank)).collect();
            let mean = differences.iter().sum::<f64>() / differences.len() as f64;
            let id = toy.rules.names.text(toy.rules.definitions[card].id);
            let effect = &effect_of(&found, id).points_of_all;
            assert!(effect.games == differences.len() as u64 && (effect.difference - mean).abs() < 1e-9, "{id}: {effect:?} and {mean}");
        }
    }
}

#[test]
fn who_wins_with_what_one_begins_with_is_told_and_compared() {
    let deal = |seat| Setup { players: 3, deal: vec![("old_wall".to_string(), Some(seat))], ..Setup::default() };
    let text = toy_text(&[]);
    let toy = Toy::new(&text, &deal(1));
    let rules = &toy.rules;
    let agents = parse_agents("random", 3).unwrap();
    let plan = RunPlan { rules, agents: &agents, games: 60, seed: 1, threads: 1, notes: RecordOptions::default() };
    let games = all_games(&plan);
    let wins = |games: &[crate::playtest::PlayedGame]| games.iter().filter(|game| game.ranking[0] == 1).count();
    let with = Measure::WonWith("old_wall".to_string());
    let measured: f64 = games.iter().map(|game| measures(rules, &[], 0, game)[&with]).sum();
    assert_eq!(measured, wins(&games) as f64);
    let (_, _, report) = toy.played("random", 60, 1, 2, 0);
    assert_eq!(
        report.begun.iter().map(|begun| (begun.card.as_str(), begun.won.count)).collect::<Vec<_>>(),
        [("old_wall", wins(&games) as f64)]
    );
    let said = crate::playtest::text(&report, &Translations::default(), false);
    assert!(said.contains("Games won by who begins with a card\n") && said.contains("old_wall"), "{said}");
    // If no seat begins with the card, the game has no such measure.
    let rules = compile_rules(&text, &three_players());
    let games = all_games(&RunPlan { rules: &rules, ..plan });
    assert!(games.iter().all(|game| !measures(&rules, &[], 0, game).contains_key(&with)));
}
