//! Tests of intervals and p values: known values, and how often an interval covers what it should in simulated pairs.

use super::*;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn near(a: f64, b: f64, by: f64) {
    assert!((a - b).abs() <= by, "{a} is not {b}");
}

fn basis(pairs: u64, looks: InterimLooks, scale: ValueRange) -> Basis {
    Basis { pairs, distinct: 1.0, looks, scale }
}

#[test]
fn student_s_sleep() {
    // Student 1908, table: hours of sleep gained by ten patients with two drugs; t = 4.0621, p = 0.002833.
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let mut pairs = Pairs::default();
    first.iter().zip(second).for_each(|(a, b)| pairs.add(*a, b));
    // Nothing is added to the variance of values that may be arbitrarily close.
    let found = pairs.difference(&Basis::single_look(10, 0.0));
    near(found.difference, 1.58, 1e-9);
    near(found.interval[0], 0.700_1, 1e-4);
    near(found.interval[1], 2.459_9, 1e-4);
    // One of ten pairs did not differ: the other nine have the same sign in one of 256 cases, and no test can have a smaller p-value.
    near(found.p, 1.0 / 256.0, 1e-12);
    near(two_sided(4.062_1, 9.0), 0.002_833, 1e-6);
    // The variances are 3.2005 and 4.0090, and 1.5129 for the differences.
    near(found.saved.unwrap_or_default(), 1.0 - 1.512_9 / (3.200_6 + 4.009), 1e-3);
    // Hours are recorded in tenths: 2 · 0.1² is added to 9 · 1.5129.
    near(pairs.difference(&Basis::single_look(10, 0.1)).interval[0], 1.58 - 0.879_9 * ((13.616_4 + 0.02) / 13.616_4_f64).sqrt(), 1e-3);
}

#[test]
fn benjamini_and_hochberg_s_own_example() {
    // Their table of 15 p-values: at 0.05 the first four are discoveries.
    let p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0];
    let found = false_discoveries(&p);
    assert_eq!(found.iter().filter(|q| **q <= 0.05).count(), 4);
    near(found[3], 0.0095 * 15.0 / 4.0, 1e-12);
    // The order does not matter.
    let turned: Vec<f64> = p.iter().rev().copied().collect();
    assert_eq!(false_discoveries(&turned).into_iter().rev().collect::<Vec<_>>(), found);
    // Benjamini and Yekutieli: intervals of those four miss with a chance of 4 / 15 of 5 %.
    near(selection_alpha(4, 15), 0.05 * 4.0 / 15.0, 1e-12);
}

#[test]
fn mcnemar_s_test_as_published() {
    // Agresti, Categorical Data Analysis, 2002, 10.1: 150 and 86 of 1,600 changed their minds; z² = 17.36, p = 3.1e-5.
    let p = mcnemar_p_value(150.0, 86.0);
    assert!((2.0e-5..5.0e-5).contains(&p), "{p}");
    near(mcnemar_p_value(6.0, 0.0), 2.0 / 64.0, 1e-12);
    near(mcnemar_p_value(3.0, 2.0), 1.0, 1e-12);
    assert_eq!(mcnemar_p_value(0.0, 0.0), 1.0);
    // The same table: a difference of 0.04 in 1,600, and the interval 0.022 to 0.059 of Wald's method.
    let [low, high] = binary_interval(150.0 / 1600.0, 86.0 / 1600.0, 1600.0, normal(ALPHA));
    near(low, 0.021, 0.001_5);
    near(high, 0.059, 0.001_5);
}

/// Draws the two values of a pair: without the change and with it.
type Draw<'a> = dyn Fn(&mut StdRng) -> (f64, f64) + 'a;

/// Counts the runs in which the interval misses the true difference, at the end or, with repeated looks, at any time after 100 pairs:
/// first with the intervals of this module, then with Student's interval alone.
fn misses(draw: &Draw<'_>, truth: f64, looks: InterimLooks, scale: ValueRange, runs: u64, pairs: u64) -> (u64, u64) {
    let (mut missed, mut by_student) = (0, 0);
    for run in 0..runs {
        let mut random = StdRng::seed_from_u64(run);
        let (mut sums, mut out, mut out_by_student) = (Pairs::default(), false, false);
        for n in 1..=pairs {
            let (plain, changed) = draw(&mut random);
            sums.add(plain, changed);
            if n == pairs || looks == InterimLooks::Always && n >= 100 && n % 64 == 0 {
                let basis = basis(n, looks, scale);
                let [low, high] = sums.interval(&basis, ALPHA);
                out |= truth < low || high < truth;
                let (mean, spread, n) = (sums.mean(&basis), sums.variance_and_unit(&basis).0, n as f64);
                let half = match looks {
                    InterimLooks::Once => super::super::super::stats::student(n - 1.0, ALPHA) * (spread / n).sqrt(),
                    InterimLooks::Always => asymptotic_half_width(spread, n, ALPHA),
                };
                out_by_student |= (mean - truth).abs() > half;
            }
        }
        missed += u64::from(out);
        by_student += u64::from(out_by_student);
    }
    (missed, by_student)
}

/// Number of misses in 2,000 runs that is too high for a rate of 5 %: 100 plus three standard deviations.
const MAX_MISSES: u64 = 130;

fn draw_event(random: &mut StdRng, chance: f64) -> f64 {
    f64::from(u8::from(random.random_bool(chance)))
}

#[test]
fn rare_events_are_covered() {
    for (chance, pairs) in [(0.0075, 50), (0.0075, 200), (0.0017, 50), (0.0017, 400), (0.03, 50), (0.06, 50), (0.1, 50), (0.05, 20)] {
        for scale in [ValueRange::Share, ValueRange::Steps(1.0)] {
            // The event occurs only with the change, or on both sides alike and occasionally only with the change.
            let only = misses(&|random| (0.0, draw_event(random, chance)), chance, InterimLooks::Once, scale, 2000, pairs);
            let besides = |random: &mut StdRng| if random.random_bool(0.5) { (1.0, 1.0) } else { (0.0, draw_event(random, 2.0 * chance)) };
            let besides = misses(&besides, chance, InterimLooks::Once, scale, 2000, pairs);
            assert!(only.0 <= MAX_MISSES && besides.0 <= MAX_MISSES, "{chance} in {pairs}, {scale:?}: {only:?} and {besides:?} of 2000");
        }
    }
    let (_, by_student) = misses(&|random| (0.0, draw_event(random, 0.0075)), 0.0075, InterimLooks::Once, ValueRange::Share, 2000, 50);
    assert!(by_student > 1200, "Student's interval alone misses {by_student} of 2000");
}

#[test]
fn rare_counts_are_covered() {
    // Number of occurrences in a game of four players: rare, and then up to three times.
    let seldom =
        |chance: f64| move |random: &mut StdRng| if random.random_bool(chance) { f64::from(random.random_range(1..=3_i32)) } else { 0.0 };
    for (mean, pairs) in [(0.008, 90), (0.008, 400), (0.05, 60), (0.2, 60)] {
        let once: f64 = mean;
        let found = misses(&|random| (0.0, draw_event(random, once)), mean, InterimLooks::Once, ValueRange::Steps(1.0), 2000, pairs);
        assert!(found.0 <= MAX_MISSES, "{mean} in {pairs}: {found:?} of 2000");
    }
    // Bursts of a size that was never observed cannot be covered by an interval; common ones can.
    for (mean, pairs) in [(0.2, 100), (0.4, 60)] {
        let draw = seldom(mean / 2.0);
        let found = misses(&|random| (0.0, draw(random)), mean, InterimLooks::Once, ValueRange::Steps(1.0), 2000, pairs);
        assert!(found.0 <= 2 * MAX_MISSES, "{mean} in {pairs}: {found:?} of 2000");
    }
}

#[test]
fn a_run_that_looks_again_and_again_covers_rare_events_too() {
    for chance in [0.0075, 0.0017, 0.05] {
        for scale in [ValueRange::Share, ValueRange::Steps(1.0)] {
            let found = misses(&|random| (0.0, draw_event(random, chance)), chance, InterimLooks::Always, scale, 500, 1600);
            // 25 plus three standard deviations.
            assert!(found.0 <= 40, "{chance}, {scale:?}: {found:?} of 500");
        }
    }
}

#[test]
fn what_has_not_happened_yet_ends_no_run_at_once() {
    for scale in [ValueRange::Share, ValueRange::Steps(1.0)] {
        let width = |n: u64| {
            let mut pairs = Pairs::default();
            (0..n).for_each(|_| pairs.add(0.0, 0.0));
            let [low, high] = pairs.interval(&basis(n, InterimLooks::Always, scale), ALPHA);
            assert!(low < 0.0 && (low + high).abs() < 1e-9);
            high
        };
        assert!(width(128) > 0.03 && width(384) > 0.01 && width(2000) < 0.01, "{} {} {}", width(128), width(384), width(2000));
    }
}

#[test]
fn an_interval_misses_as_often_as_it_says_and_a_sequence_at_no_time_more_often() {
    for truth in [0.0, 1.5] {
        let draw = move |random: &mut StdRng| {
            let plain = f64::from(random.random_range(0..20_i32));
            (plain, plain + truth + f64::from(random.random_range(0..9_i32) - 4))
        };
        for pairs in [10, 100] {
            let (missed, _) = misses(&draw, truth, InterimLooks::Once, ValueRange::Steps(0.5), 2000, pairs);
            assert!((70..=MAX_MISSES).contains(&missed), "{missed} of 2000 at the end of {pairs}");
        }
        let (ever, _) = misses(&draw, truth, InterimLooks::Always, ValueRange::Steps(0.5), 500, 1000);
        assert!(ever <= 40, "a sequence misses {ever} of 500");
    }
    // Wins, where a third of the games have another winner with the change.
    for (gained, lost) in [(0.2, 0.1), (0.15, 0.15)] {
        let draw = move |random: &mut StdRng| {
            let at: f64 = random.random();
            if at < gained {
                (0.0, 1.0)
            } else if at < gained + lost {
                (1.0, 0.0)
            } else if at < 0.6 {
                (1.0, 1.0)
            } else {
                (0.0, 0.0)
            }
        };
        for pairs in [30, 200] {
            let (missed, _) = misses(&draw, gained - lost, InterimLooks::Once, ValueRange::Share, 2000, pairs);
            assert!((30..=MAX_MISSES).contains(&missed), "{missed} of 2000 miss {gained} less {lost} in {pairs}");
        }
        let (ever, _) = misses(&draw, gained - lost, InterimLooks::Always, ValueRange::Share, 500, 1000);
        assert!(ever <= 40, "a sequence misses {ever} of 500");
    }
}

#[test]
fn few_pairs_show_nothing_that_chance_shows_as_often() {
    // 30 measures of games that differ by chance alone: points, and rare events.
    for pairs in [2, 3, 4, 5, 6, 8, 12] {
        let (mut shown, mut before) = (0, 0);
        for run in 0..400 {
            let mut random = StdRng::seed_from_u64(run);
            let (mut p, mut by_student) = (Vec::new(), Vec::new());
            for measure in 0..30_u32 {
                let mut sums = Pairs::default();
                for _ in 0..pairs {
                    let mut one = || f64::from(random.random_range(0..=measure % 5 + 1));
                    sums.add(one(), one());
                }
                let basis = basis(pairs, InterimLooks::Once, ValueRange::Steps(1.0));
                p.push(sums.p(&basis));
                let (mean, error) = (sums.mean(&basis), (sums.variance_and_unit(&basis).0 / pairs as f64).sqrt());
                by_student.push(if error > 0.0 { two_sided(mean / error, pairs as f64 - 1.0) } else { f64::from(u8::from(mean == 0.0)) });
            }
            shown += u64::from(false_discoveries(&p).iter().any(|q| *q <= ALPHA));
            before += u64::from(false_discoveries(&by_student).iter().any(|q| *q <= ALPHA));
        }
        assert!(if pairs < MIN_PAIRS { shown == 0 } else { shown <= 33 }, "{shown} of 400 with {pairs} pairs");
        assert!(pairs > 2 || before > 100, "by Student's interval alone {before} of 400");
    }
}

#[test]
fn p_values_and_intervals_agree() {
    let mut random = StdRng::seed_from_u64(4);
    for (looks, scale) in [InterimLooks::Once, InterimLooks::Always]
        .into_iter()
        .flat_map(|looks| [(looks, ValueRange::Share), (looks, ValueRange::Steps(1.0))])
    {
        let (mut shown, mut not) = (0, 0);
        for run in 0..200 {
            let mut pairs = Pairs::default();
            for _ in 0..80 {
                match scale {
                    ValueRange::Share => pairs.add(draw_event(&mut random, 0.3), draw_event(&mut random, 0.3 + f64::from(run) / 300.0)),
                    ValueRange::Steps(_) => pairs.add(0.0, f64::from(random.random_range(-9..=9_i32)) + f64::from(run) / 60.0),
                }
            }
            let basis = basis(80, looks, scale);
            let found = pairs.difference(&basis);
            assert_eq!(excludes_zero(found.interval), found.p < ALPHA, "{found:?}");
            // At any level.
            let levels = [0.5, 0.01, 1e-4];
            assert!(levels.iter().all(|alpha| excludes_zero(pairs.interval(&basis, *alpha)) == (found.p < *alpha)), "{found:?}");
            if found.p < ALPHA { shown += 1 } else { not += 1 }
        }
        assert!(shown > 20 && not > 20, "{shown} and {not} of {looks:?}, {scale:?}");
    }
}

#[test]
fn pairs_that_are_repeated_are_no_evidence() {
    let mut pairs = Pairs::default();
    (0..1000).for_each(|_| pairs.add(0.0, 0.5));
    let of = |distinct: f64| pairs.difference(&Basis { distinct, ..Basis::single_look(1000, 0.5) });
    // The same pair a thousand times: it used to be reported as +0.50 (+0.50 to +0.50).
    let one = of(0.001);
    assert_eq!((one.difference, one.p, one.interval), (0.5, 1.0, [f64::NEG_INFINITY, f64::INFINITY]));
    let four = of(0.004);
    assert!(four.p > ALPHA && four.interval[0] <= 0.0, "{four:?}");
    assert!(of(1.0).p < 1e-9);
}

#[test]
fn where_nothing_differs_there_is_nothing_to_show() {
    let mut pairs = Pairs::default();
    (0..10).for_each(|n| pairs.add(f64::from(n), f64::from(n)));
    for looks in [InterimLooks::Once, InterimLooks::Always] {
        let found = pairs.difference(&basis(10, looks, ValueRange::Steps(1.0)));
        assert_eq!((found.difference, found.p, found.saved), (0.0, 1.0, Some(1.0)));
        assert!(found.interval[0] < -0.2 && found.interval[1] > 0.2, "ten pairs alike do not say that all are: {found:?}");
    }
    assert_eq!(Pairs::default().difference(&Basis::single_look(0, 1.0)).p, 1.0);
}

#[test]
fn a_measure_under_two_names_is_found() {
    let of = |values: &[(f64, f64)]| {
        let mut pairs = Pairs::default();
        values.iter().for_each(|(plain, changed)| pairs.add(*plain, *changed));
        pairs
    };
    let [points, row, other] = [&[(1.0 / 3.0, 2.0), (4.0, 5.0)], &[(0.1 + 0.7 / 3.0, 2.0), (4.0, 5.0)], &[(4.0, 5.0), (2.0, 1.0 / 3.0)]]
        .map(|of_pairs| of(of_pairs));
    assert!(points.same_as(&row) && !points.same_as(&other));
    // A measure without variance is not an alias of other measures without variance.
    let none = of(&[(3.0, 3.0), (3.0, 3.0)]);
    assert!(!none.same_as(&none.clone()));
}
