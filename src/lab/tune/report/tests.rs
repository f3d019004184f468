use super::super::objective::{Criterion, Wanted};
use super::*;
use crate::playtest::table::WIDTH;

/// A setting after games of which some are won by the first seat, and in which all have some points.
fn candidate(level: Option<&str>, is_now: bool, won: usize, points: f64) -> Candidate {
    let mut means = MeasuredMeans { games: 1000, ..MeasuredMeans::default() };
    for game in 0..1000 {
        let first = f64::from(u8::from(game < won));
        means.sums.entry(Measure::WonBy(1)).or_default().add(first);
        means.sums.entry(Measure::WonBy(2)).or_default().add(1.0 - first);
        means.sums.entry(Measure::Points).or_default().add(points + (game % 2) as f64);
        means.different.add(crate::state::chance::mix(game as u64));
    }
    Candidate { levels: level.map(|level| vec![level.to_string()]), is_now, players: 2, means }
}

fn report(both: bool, confirmed: bool, candidates: &[Candidate]) -> TuningReport {
    let search = SearchSummary {
        game: "wood".to_string(),
        title: "The Wood".to_string(),
        agents: vec!["greedy".to_string(); 2],
        seed: 1,
        fresh_seed: 9,
        settings: 7,
        settings_played: 7,
        games: 6000,
        fresh_games: 1000,
        confirmed,
    };
    let levels = (0..7).map(|level| level.to_string()).collect();
    let varied = VariedNumber { name: "bonus".to_string(), levels, now: Some("0".to_string()), ordered: true };
    let even = Criterion { parts: vec![Wanted::exactly(0.5); 2], tolerance: 0.04 };
    let shares =
        Target { name: "seat shares".into(), wanted: "even".into(), measures: vec![Measure::WonBy(1), Measure::WonBy(2)], criterion: even };
    let criterion = Criterion { parts: vec![Wanted { low: 30.0, high: 31.0 }], tolerance: 0.5 };
    let points = Target { name: "points".into(), wanted: "30..31".into(), measures: vec![Measure::Points], criterion };
    let targets = if both { vec![shares, points] } else { vec![shares] };
    TuningReport::new(search, vec![varied], targets, candidates)
}

#[test]
fn intervals_of_distances_by_hand() {
    let found = report(false, true, &[candidate(Some("3"), false, 600, 0.0)]);
    let distance = &found.nearest[0].distances[0];
    assert!((distance.distance.unwrap() - 0.1).abs() < 1e-9);
    // Both shares hold together: Wilson's interval of 600 of 1000 at z = 2.2414, which is an error of 5 % divided by 2.
    let z = 2.241_403_f64;
    let middle = (0.6 + z * z / 2000.0) / (1.0 + z * z / 1000.0);
    let half = z / (1.0 + z * z / 1000.0) * (0.6 * 0.4 / 1000.0 + z * z / 4e6).sqrt();
    let [low, high] = distance.interval.unwrap();
    assert!((low - (middle - half - 0.5)).abs() < 1e-6 && (high - (middle + half - 0.5)).abs() < 1e-6, "{low} {high}");
    assert_eq!(distance.met, Some(false));
}

#[test]
fn the_nearest_comes_first_and_the_rules_as_they_are_stay() {
    let found = report(
        false,
        true,
        &[candidate(Some("0"), true, 700, 0.0), candidate(Some("2"), false, 540, 0.0), candidate(Some("3"), false, 505, 0.0)],
    );
    let order: Vec<&str> = found.nearest.iter().map(|setting| setting.levels.as_ref().unwrap()[0].as_str()).collect();
    assert_eq!(order, ["3", "2", "0"]);
    assert_eq!(found.nearest.iter().map(|setting| setting.dominated).collect::<Vec<_>>(), [false, true, true]);
    let text = found.text(false);
    for part in [
        "bonus  0 to 6, 7 levels  0 now",
        "each in 1000 fresh games",
        "bonus 0 (as now)",
        "(now 20.0)",
        "50.5% ±3.1",
        "(seed 9), which no choice has seen",
    ] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    assert!(!found.is_out_of_reach());
}

#[test]
fn targets_that_pull_apart_are_shown_with_their_trade_off() {
    let found = report(
        true,
        true,
        &[candidate(Some("1"), false, 500, 34.0), candidate(Some("2"), false, 560, 30.2), candidate(Some("3"), false, 580, 32.0)],
    );
    assert_eq!(found.nearest.iter().map(|setting| setting.dominated).collect::<Vec<_>>(), [false, true, false], "{:?}", found.nearest);
    let text = found.text(false);
    assert!(text.contains("The targets pull apart: nearest is `bonus 1` to seat shares, `bonus 2` to points."), "{text}");
    assert!(text.contains("1 *") && text.contains("3 *"), "{text}");
}

#[test]
fn a_setting_without_a_complete_game_comes_last_and_meets_nothing() {
    let broken = Candidate { means: MeasuredMeans::default(), ..candidate(Some("5"), false, 0, 0.0) };
    let found = report(false, true, &[broken.clone(), candidate(Some("0"), true, 700, 0.0)]);
    let last = &found.nearest[1];
    assert_eq!((last.levels.as_ref().unwrap()[0].as_str(), last.loss, last.dominated), ("5", f64::INFINITY, true));
    assert_eq!((last.distances[0].distance, last.distances[0].met), (None, None));
    assert!(found.text(false).contains("unknown"), "{}", found.text(false));
    let alone = report(false, true, &[broken]).text(false);
    assert!(alone.contains("seat shares: nothing was measured"), "{alone}");
    // Of two measures only one was ever defined.
    let mut half = candidate(Some("3"), false, 500, 0.0);
    half.means.sums.remove(&Measure::WonBy(2));
    let distance = &report(false, true, &[half]).nearest[0].distances[0];
    assert_eq!((distance.distance, distance.met), (Some(0.0), None));
}

#[test]
fn what_is_out_of_reach_is_told_with_how_far_it_got() {
    let found = report(false, true, &[candidate(Some("6"), false, 700, 0.0), candidate(None, true, 900, 0.0)]);
    assert!(found.is_out_of_reach());
    let text = found.text(false);
    for part in [
        "not met. `bonus 6` came nearest over all and is 20.0 points of 100 off (now 40.0)",
        "at the end of the range of bonus",
        "the rules as they are now",
    ] {
        assert!(text.replace('\n', " ").contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn figures_that_no_fresh_games_confirm_are_told_as_such() {
    let text = report(false, false, &[candidate(Some("0"), true, 500, 0.0)]).text(false);
    for part in ["in the games of the search", "flatter the best", "No other setting came nearer"] {
        assert!(text.replace('\n', " ").contains(part), "no `{part}` in\n{text}");
    }
    assert!(!text.contains("hold together"), "{text}");
    assert!(report(false, true, &[candidate(Some("0"), true, 500, 0.0)]).text(false).contains("hold together"));
}
