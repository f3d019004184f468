//! Tests of paired games and of the stopping rule.

use super::super::inference::{ALPHA, Difference};
use super::super::{Replaced, Skill, comparison};
use super::*;
use crate::agent::parse_agents;
use crate::engine::{NoScripts, Scripts};
use crate::playtest::toy::{Panics, toy_instead, toy_with};
use crate::playtest::{Listener, run};
use crate::state::chance::seed_of_game;

fn compare_toys(
    plain: &Ruleset,
    changed: &Ruleset,
    agents: &str,
    seed: u64,
    threads: usize,
    stop: &StoppingRule,
) -> (ComparisonResults, super::super::Comparison) {
    let agents = parse_agents(agents, plain.players).unwrap();
    let sides = Sides { plain, changed, agents: &agents, seed, threads, independent_seeds: false, training: None };
    let scripts = || Ok(Box::new(NoScripts) as Box<dyn Scripts>);
    let found =
        compare(&sides, (&scripts, &scripts), stop, ComparisonResults::default(), 0..stop.pairs, &AtomicBool::new(false), &mut |_, _| {})
            .unwrap();
    let said = comparison(&sides, stop, &found, Vec::new(), vec!["a change".to_string()]);
    (found, said)
}

fn stop_after(pairs: u64) -> StoppingRule {
    StoppingRule { pairs, until: None }
}

#[test]
fn what_changes_nothing_is_told_to_change_nothing() {
    let (found, said) = compare_toys(&toy_with(3, "2", ""), &toy_with(3, "2", ""), "random", 1, 2, &stop_after(20));
    assert_eq!((found.pairs, found.alike, found.same_end, found.first_divergence), (20, 20, 20, None));
    assert!(said.rows.iter().all(|row| !row.significant && row.difference.difference == 0.0), "{said:?}");
    assert!(said.text(false, false).contains("never made a difference"), "{}", said.text(false, false));
}

#[test]
fn a_known_effect_is_found_and_its_size() {
    let richer = toy_instead(3, "\"wisps\" = wisp", "\"wisps\" = wisp + 5");
    let (found, said) = compare_toys(&toy_with(3, "2", ""), &richer, "random", 1, 2, &stop_after(60));
    let row = said.row(&Measure::Points).unwrap();
    assert!(row.significant && row.difference.difference == 5.0, "{row:?}");
    assert!(row.difference.saved > Some(0.9), "{row:?}");
    // No decision depends on the change.
    assert_eq!((found.alike, found.same_end), (60, 0));
}

#[test]
fn one_thread_and_three_compare_alike() {
    let (plain, changed) = (toy_with(3, "2", ""), toy_with(3, "4", ""));
    let said = [1, 3].map(|threads| compare_toys(&plain, &changed, "greedy,random,random", 4, threads, &stop_after(70)).1);
    assert_eq!(serde_json::to_string(&said[0]).unwrap(), serde_json::to_string(&said[1]).unwrap());
    let parting = said[0].first_divergence.clone().unwrap();
    assert!(parting.answer_without.starts_with('p') && parting.answer_without != parting.answer_with, "{parting:?}");
}

#[test]
fn seats_move_on_so_that_nobody_is_favoured() {
    let rules = toy_with(3, "2", "");
    let (_, said) = compare_toys(&rules, &toy_with(3, "3", ""), "greedy,random,random", 4, 2, &stop_after(90));
    for seat in 1..=3 {
        let won = said.row(&Measure::WonBy(seat)).unwrap().difference.plain;
        assert!((0.2..=0.5).contains(&won), "p{seat} wins {won}");
    }
}

#[test]
fn it_ends_when_the_interval_is_narrow_enough() {
    let (plain, changed) = (toy_with(3, "2", ""), toy_with(3, "4", ""));
    let until = |width| StoppingRule { pairs: 2000, until: Some((Measure::Points, width)) };
    let (found, said) = compare_toys(&plain, &changed, "random", 1, 2, &until(0.7));
    assert!(found.enough && !found.stopped && found.pairs >= 100 && found.pairs < 2000, "{} pairs", found.pairs);
    let [low, high] = said.row(&Measure::Points).unwrap().difference.interval;
    assert!(high - low <= 1.4, "{low} to {high}");
    let (found, said) = compare_toys(&plain, &changed, "random", 1, 2, &StoppingRule { pairs: 120, ..until(0.001) });
    assert!(!found.enough && found.pairs == 120);
    assert!(said.text(false, false).contains("not enough"), "{}", said.text(false, false));
}

/// Plays this number of games; returns the measures of each.
fn measured(rules: &Ruleset, games: u64, seed: u64) -> Vec<BTreeMap<Measure, f64>> {
    struct MeasureCollector<'a>(&'a Ruleset, Vec<BTreeMap<Measure, f64>>);
    impl Listener for MeasureCollector<'_> {
        fn on_game(&mut self, _: u64, game: &PlayedGame) {
            self.1.push(measures(self.0, &[], 0, game));
        }
    }
    let agents = parse_agents("random", rules.players).unwrap();
    let plan =
        RunPlan { rules, agents: &agents, games, seed, threads: 2, notes: RecordOptions { course: true, ..RecordOptions::default() } };
    let mut found = MeasureCollector(rules, Vec::new());
    run(&plan, &|| Ok(Box::new(NoScripts)), &AtomicBool::new(false), &mut found).unwrap();
    found.1
}

#[test]
fn where_only_chance_differs_no_more_is_shown_than_by_chance() {
    let rules = toy_with(2, "2", "");
    let (mut shown, mut outside, runs) = (0, 0, 200);
    for seed in 0..runs {
        let mut found = ComparisonResults::default();
        // Games of independent seeds, treated as pairs.
        for (plain, changed) in measured(&rules, 50, seed).iter().zip(measured(&rules, 50, runs + seed)) {
            found.add_measures(plain, &changed, None);
            found.different.add(join(seed, found.pairs));
        }
        let stop = stop_after(50);
        let sides = Sides { plain: &rules, changed: &rules, agents: &[], seed, threads: 1, independent_seeds: false, training: None };
        let said = comparison(&sides, &stop, &found, Vec::new(), Vec::new());
        // With many measures, none is significant in 95 of 100 runs; a single interval excludes 0 in 5 of 100 runs.
        shown += u64::from(said.rows.iter().any(|row| row.significant && !row.is_primary && row.same_as.is_none()));
        outside += u64::from(said.row(&Measure::Points).unwrap().difference.p < ALPHA);
    }
    assert!(shown <= 20 && (2..=20).contains(&outside), "{shown} and {outside} of {runs}");
}

#[test]
fn neither_stops_nor_parts_make_a_difference() {
    let (plain, changed) = (toy_with(3, "2", ""), toy_with(3, "4", ""));
    let agents = parse_agents("random", 3).unwrap();
    let sides = Sides { plain: &plain, changed: &changed, agents: &agents, seed: 1, threads: 2, independent_seeds: false, training: None };
    let scripts = || Ok(Box::new(NoScripts) as Box<dyn Scripts>);
    let mut stops = 0;
    for until in [None, Some((Measure::Points, 0.4))] {
        let ends = StoppingRule { pairs: 600, until };
        let played = |begun: ComparisonResults, pairs: Range<u64>, stop_at: u64| {
            let stop = AtomicBool::new(false);
            let found = compare(&sides, (&scripts, &scripts), &ends, begun, pairs, &stop, &mut |done, _| {
                stop.fetch_or(done >= stop_at, Ordering::Relaxed);
            });
            serde_json::from_str::<ComparisonResults>(&serde_json::to_string(&found.unwrap()).unwrap()).unwrap()
        };
        let said = |found: &ComparisonResults| serde_json::to_string(&comparison(&sides, &ends, found, Vec::new(), Vec::new())).unwrap();
        let whole = played(ComparisonResults::default(), 0..600, u64::MAX);
        let mut found = played(ComparisonResults::default(), 0..600, 30);
        // On a busy machine the other thread may have played all pairs before the stop is noticed.
        assert!(if found.stopped { found.pairs < whole.pairs } else { found.pairs == whole.pairs }, "{} pairs", found.pairs);
        stops += u64::from(found.stopped);
        while found.stopped {
            found = played(found, 0..600, 30);
        }
        assert_eq!((said(&found), found.pairs), (said(&whole), whole.pairs));
        if ends.until.is_none() {
            let mut parts = played(ComparisonResults::default(), 400..600, u64::MAX);
            [150..400, 0..150].into_iter().for_each(|pairs| parts.merge(&played(ComparisonResults::default(), pairs, u64::MAX)));
            assert_eq!(said(&parts), said(&whole));
        } else {
            assert!(whole.enough && whole.pairs < 600);
        }
    }
    assert!(stops > 0);
}

#[test]
fn a_panic_loses_one_pair_and_not_the_run() {
    let rules = toy_with(2, "2", "[[card.on]]\nwhen = \"this.howl\"\ndo = \"gain(me, wisp, 1)\"\n");
    let agents = parse_agents("random", 2).unwrap();
    let sides = Sides { plain: &rules, changed: &rules, agents: &agents, seed: 1, threads: 2, independent_seeds: false, training: None };
    let scripts = || Ok(Box::<Panics>::default() as Box<dyn Scripts>);
    let found = compare(
        &sides,
        (&scripts, &scripts),
        &stop_after(40),
        ComparisonResults::default(),
        0..40,
        &AtomicBool::new(false),
        &mut |_, _| {},
    );
    let found = found.unwrap();
    assert!(found.dropped.dropped > 0 && found.pairs > 0 && !found.stopped);
    assert_eq!(found.pairs + found.dropped.dropped, 40);
    let first = &found.dropped.faults[0].first;
    assert!(first.fault.message.contains("a third script") && first.seed == seed_of_game(1, first.game), "{first:?}");
}

#[test]
fn the_headline_is_tested_alone_and_the_row_agrees() {
    let (plain, changed) = (toy_with(3, "2", ""), toy_with(3, "3", ""));
    let mut both = [0, 0];
    for (seed, count) in (0..20).map(|seed| (seed, 5 + seed % 10)) {
        let (_, said) = compare_toys(&plain, &changed, "random", seed, 2, &stop_after(count));
        let row = said.row(&Measure::Points).unwrap();
        let [low, high] = row.difference.interval;
        assert_eq!(row.significant, low > 0.0 || high < 0.0, "{row:?}");
        assert_eq!((row.is_primary, row.q, said.rows.iter().filter(|row| row.is_primary).count()), (true, row.difference.p, 1));
        let text = said.text(false, false);
        assert!(text.contains(&format!("shown to differ; {count} paired games")), "{text}");
        assert_eq!(text.contains("), not shown to differ; "), !row.significant, "{text}");
        both[usize::from(row.significant)] += 1;
        // The adjusted interval of a significant difference excludes 0, too.
        for row in said.rows.iter().filter(|row| row.significant && row.same_as.is_none()) {
            let ([low, high], [own_low, own_high]) = (row.adjusted.unwrap(), row.difference.interval);
            assert!(low <= own_low && own_high <= high && (low > 0.0 || high < 0.0), "{row:?}");
        }
    }
    assert!(both[0] > 0 && both[1] > 0, "{both:?}");
    let (_, said) = compare_toys(&plain, &changed, "random", 1, 2, &StoppingRule { pairs: 200, until: Some((Measure::Decisions, 0.001)) });
    assert_eq!((said.primary.as_str(), said.row(&Measure::Decisions).unwrap().is_primary), ("decisions", true));
}

#[test]
fn a_measure_is_told_once() {
    let (_, said) = compare_toys(&toy_with(2, "2", ""), &toy_with(2, "4", ""), "random", 1, 2, &stop_after(40));
    let same = |name: &str| said.rows.iter().find(|row| row.measure == name).unwrap().same_as.clone();
    assert_eq!(same("games won by p2").as_deref(), Some("games won by p1"));
    assert_eq!(same("at the end: wisp").as_deref(), Some("points: wisps"));
    assert_eq!((same("points"), same("points: wisps"), same("fetch"), same("fetch: wolf")), (None, None, None, None));
    let text = said.text(true, false);
    assert!(text.contains("games won by p2: what is left of games won by p1"), "{text}");
    assert!(text.contains("at the end: wisp: in every game the same as points: wisps"), "{text}");
    assert!(text.contains("a player") && text.contains("of games"), "{text}");
    let table = text.split_once("All measures").map_or("", |parts| parts.1);
    assert!(!table.is_empty() && table.lines().all(|line| line.chars().count() <= 100), "{text}");
    // Programs still find the alias among the rows.
    let all = serde_json::to_value(&said).unwrap();
    let row = |name: &str| all["rows"].as_array().unwrap().iter().find(|row| row["measure"] == name).unwrap().clone();
    let (row, told) = (row("at the end: wisp"), row("points: wisps"));
    assert_eq!((&row["unit"], &row["difference"], &row["q"]), (&"a player".into(), &told["difference"], &told["q"]));
}

#[test]
fn games_won_by_a_kind_of_players_are_compared() {
    let (_, said) = compare_toys(&toy_with(3, "2", ""), &toy_with(3, "3", ""), "greedy,random,random", 4, 2, &stop_after(90));
    let won = said.row(&Measure::WonByKind("greedy".to_string())).unwrap();
    assert!(won.difference.plain > 0.8, "{won:?}");
    assert_eq!(said.row(&Measure::WonByKind("random".to_string())).unwrap().same_as.as_deref(), Some("games won by greedy"));
    let (_, said) = compare_toys(&toy_with(3, "2", ""), &toy_with(3, "3", ""), "random", 4, 2, &stop_after(9));
    assert!(said.rows.iter().all(|row| row.measure != "games won by random"));
}

#[test]
fn a_pair_that_is_played_again_and_again_says_nothing() {
    let (mut found, _) = compare_toys(&toy_with(2, "2", ""), &toy_with(2, "4", ""), "random", 1, 2, &stop_after(1));
    // As in a game without randomness: the same pair a thousand times.
    let one = found.clone();
    (1..1000).for_each(|_| found.merge(&one));
    let (plain, changed) = (toy_with(2, "2", ""), toy_with(2, "4", ""));
    let sides = Sides { plain: &plain, changed: &changed, agents: &[], seed: 1, threads: 1, independent_seeds: false, training: None };
    let said = comparison(&sides, &stop_after(1000), &found, Vec::new(), Vec::new());
    assert_eq!((said.pairs, said.distinct), (1000, 1));
    assert!(said.rows.iter().all(|row| !row.significant), "{said:?}");
    let text = said.text(true, false);
    assert!(text.contains("1000 pairs, 1 distinct: the same one again and again, so that nothing can be said of others"), "{text}");
    assert!(!text.contains("inf") && text.contains("1000 times the same pair, which has no interval"), "{text}");
}

#[test]
fn players_who_answer_alike_are_told_to() {
    let richer = toy_instead(3, "\"wisps\" = wisp", "\"wisps\" = wisp + 5");
    let (_, said) = compare_toys(&toy_with(3, "2", ""), &richer, "random", 1, 2, &stop_after(60));
    let text = said.text(false, false);
    assert!(
        text.contains("60 of 60 pairs went alike, answer by answer\nplayers answered exactly alike: only the reckoning differs"),
        "{text}"
    );
}

#[test]
fn who_has_learnt_and_is_worse_than_greedy_shows_nothing() {
    let richer = toy_instead(3, "\"wisps\" = wisp", "\"wisps\" = wisp + 5");
    let (_, said) = compare_toys(&toy_with(3, "2", ""), &richer, "random", 1, 2, &stop_after(60));
    let skills = |of: [&[f64]; 2]| of.map(Skill::new);
    let good = said.clone().by_players_of_skill(skills([&[0.1, 0.2], &[0.3, 0.1]]));
    assert!(good.row(&Measure::Points).unwrap().significant);
    let text = good.text(false, false);
    assert!(
        text.contains("against greedy without the change: +15.0% of wins for each seat") && text.contains(", shown to differ"),
        "{text}"
    );
    let bad = said.by_players_of_skill(skills([&[0.1, 0.2], &[-0.105, -0.095]]));
    assert!(bad.rows.iter().all(|row| !row.significant && row.adjusted.is_none()), "{bad:?}");
    let text = bad.text(false, false);
    assert!(text.contains("who has learnt is worse than greedy, so that nothing is shown by what it does"), "{text}");
    assert!(text.contains("against greedy with the change: -10.0%") && text.contains("not shown to differ"), "{text}");
}

#[test]
fn players_who_search_play_in_place_of_who_has_learnt_in_vain() {
    let richer = toy_instead(3, "\"wisps\" = wisp", "\"wisps\" = wisp + 5");
    let (_, said) = compare_toys(&toy_with(3, "2", ""), &richer, "random", 1, 2, &stop_after(60));
    let skills = |of: [&[f64]; 2]| Some(of.map(Skill::new));
    let learnt = said.clone().by_players_of_skill([Skill::new(&[0.1, 0.2]), Skill::new(&[0.3, 0.1])]);
    assert!(!learnt.clone().beside_search(skills([&[0.1, 0.2], &[0.1, 0.0]])).is_below_search());
    let learnt = learnt.beside_search(skills([&[0.1, 0.2], &[-0.105, -0.095]]));
    assert!(learnt.is_below_search() && !learnt.is_below_even());
    assert!(learnt.text(false, false).contains("against a search as long with the change: -10.0%"));
    let replaced = Replaced { against_greedy: learnt.skill, against_search: learnt.skill_beside_search };
    let of_deals = |difference: f64| {
        let interval = [difference - 0.05, difference + 0.05];
        Some(Skill::of_deals(&Difference {
            plain: 0.5,
            changed: 0.5 + difference,
            difference,
            deviation: 0.1,
            interval,
            p: 0.5,
            saved: None,
        }))
    };
    let searched = said.in_place_of(replaced);
    let good = searched.clone().by_players_of_skill([of_deals(0.2), of_deals(0.0)]);
    let text = good.text(false, false);
    assert!(text.contains("who has learnt against a search as long with the change: -10.0%"), "{text}");
    assert!(text.contains("players who search play in place of those who have learnt\nagainst greedy without the change: +20.0% of wins for each seat (+15.0 to +25.0)"), "{text}");
    assert!(text.contains(", shown to differ"), "{text}");
    let bad = searched.by_players_of_skill([of_deals(0.2), of_deals(-0.1)]);
    let text = bad.text(false, false);
    assert!(
        text.contains("who searches is worse than greedy, so that nothing is shown by what it does")
            && text.contains("not shown to differ"),
        "{text}"
    );
}

#[test]
fn by_players_of_one_training_nothing_is_shown() {
    let (plain, richer) = (toy_with(3, "2", ""), toy_instead(3, "\"wisps\" = wisp", "\"wisps\" = wisp + 5"));
    let agents = parse_agents("random", 3).unwrap();
    let scripts = || Ok(Box::new(NoScripts) as Box<dyn Scripts>);
    let mut found = ComparisonResults::default();
    let mut said = Vec::new();
    for training in 0..2 {
        let sides = Sides {
            plain: &plain,
            changed: &richer,
            agents: &agents,
            seed: 1,
            threads: 2,
            independent_seeds: false,
            training: Some(training),
        };
        let pairs = 30 * training as u64..30 * (training as u64 + 1);
        found = compare(&sides, (&scripts, &scripts), &stop_after(60), found, pairs, &AtomicBool::new(false), &mut |_, _| {}).unwrap();
        said.push(comparison(&sides, &stop_after(60), &found, Vec::new(), vec!["a change".to_string()]));
    }
    let text = said[0].text(false, false);
    assert!(said[0].rows.iter().all(|row| !row.significant && row.difference.p == 1.0), "{text}");
    assert!(text.contains("these games are by players of one training of each side") && text.contains("none is shown to differ"), "{text}");
    assert!(text.contains("+5.00 by players of one training, which has no interval") && !text.contains("inf"), "{text}");
    let text = said[1].text(false, false);
    assert!(text.contains("by players of 2 trainings of each side") && text.contains("intervals are over trainings"), "{text}");
    assert!(said[1].row(&Measure::Points).unwrap().significant, "both trainings differ alike: {text}");
}
