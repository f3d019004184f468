use rayon::prelude::*;

use super::super::lattice::Axis;
use super::super::objective::{Criterion, Wanted};
use super::*;

/// A noisy function over a lattice: how each mean depends on the setting, and the deviation of a single game.
struct Synthetic {
    axes: Vec<Axis>,
    criteria: Vec<Criterion>,
    means: fn(&[usize]) -> Vec<f64>,
    deviation: f64,
}

/// Number of games of an evaluation.
const GAMES: u64 = 50;

impl Synthetic {
    fn lattice(&self) -> Lattice {
        Lattice { axes: self.axes.clone() }
    }

    fn objective(&self) -> Objective {
        Objective { criteria: self.criteria.clone() }
    }

    /// Plays an evaluation: half of the noise of a game is the same at every setting, the other half is its own.
    fn play(&self, seed: u64, point: &[usize], evaluation: u64) -> Vec<Moments> {
        let own = point.iter().fold(seed, |hash, level| crate::state::chance::join(hash, *level as u64));
        let means = (self.means)(point);
        let mut sums = vec![Moments::default(); means.len()];
        for game in evaluation * GAMES..(evaluation + 1) * GAMES {
            let (mut common, mut alone) = (Stream::new(seed, game, 0), Stream::new(own, game, 0));
            for (sums, mean) in sums.iter_mut().zip(&means) {
                let noise = (draw_normal(&mut common) + draw_normal(&mut alone)) * 0.5_f64.sqrt();
                sums.add(mean + self.deviation * noise);
            }
        }
        sums
    }

    /// Returns the setting that a search with so many evaluations finds best.
    fn best(&self, seed: u64, evaluations: u64) -> Point {
        let mut search = Search::new(self.lattice(), self.objective(), None, seed);
        for _ in 0..evaluations {
            let (point, before) = search.ask();
            search.tell(&point, &self.play(seed, &point, before));
        }
        search.ranking()[0].point.clone()
    }

    /// Returns in how many of 100 searches the true optimum is found.
    fn found(&self, evaluations: u64) -> usize {
        let truly = |point: &Point| self.objective().loss(&(self.means)(point));
        let all = self.lattice().all();
        let optimum = all.iter().min_by(|a, b| truly(a).total_cmp(&truly(b))).unwrap();
        (0..100_u64).into_par_iter().filter(|seed| self.best(*seed, evaluations) == *optimum).count()
    }
}

fn ordered(levels: usize) -> Axis {
    Axis { levels, ordered: true }
}

fn wanted(value: f64, tolerance: f64) -> Criterion {
    Criterion { parts: vec![Wanted::exactly(value)], tolerance }
}

#[test]
fn settings_of_which_nothing_was_measured_are_never_among_the_best() {
    let line =
        Synthetic { axes: vec![ordered(15)], criteria: vec![wanted(7.0, 1.0)], means: |point| vec![point[0] as f64], deviation: 1.0 };
    let mut search = Search::new(line.lattice(), line.objective(), None, 1);
    for _ in 0..30 {
        let (point, before) = search.ask();
        let sums = if point == [7] { vec![Moments::default()] } else { line.play(1, &point, before) };
        search.tell(&point, &sums);
    }
    assert_eq!(search.measured.get(&vec![7]).map(|measured| measured.visits), Some(1), "once is enough");
    let best = search.ranking()[0].point[0];
    assert!(best == 6 || best == 8, "{best}");
    assert!(search.finalists(20).iter().all(|point| *point != [7]));
}

#[test]
fn a_number_is_found_on_a_line() {
    // 41 levels of which one is right: a step is a tenth of the deviation of a game.
    let line =
        Synthetic { axes: vec![ordered(41)], criteria: vec![wanted(11.0, 1.0)], means: |at| vec![at[0] as f64 * 0.5], deviation: 5.0 };
    let found = line.found(60);
    assert!(found >= 95, "{found}");
}

#[test]
fn two_numbers_with_two_criteria_are_found() {
    // 121 settings; both means depend on both numbers, and bend.
    let plane = Synthetic {
        axes: vec![ordered(11), ordered(11)],
        criteria: vec![wanted(22.0, 1.0), wanted(7.0, 1.0)],
        means: |at| {
            let (a, b) = (at[0] as f64, at[1] as f64);
            vec![2.0 * a + b + 0.2 * a * b, 3.0 + a - 0.1 * (b - 3.0) * (b - 3.0)]
        },
        deviation: 4.0,
    };
    let found = plane.found(60);
    assert!(found >= 95, "{found}");
}

#[test]
fn a_word_that_turns_the_effect_round_is_found() {
    let mixed = Synthetic {
        axes: vec![ordered(9), Axis { levels: 3, ordered: false }],
        criteria: vec![wanted(8.0, 1.0)],
        means: |at| vec![at[0] as f64 * [0.5, -0.5, 0.8][at[1]] + [0.0, 3.0, 1.6][at[1]]],
        deviation: 2.0,
    };
    let found = mixed.found(80);
    assert!(found >= 95, "{found}");
}

#[test]
fn nothing_to_find_on_an_axis_that_does_nothing() {
    let idle =
        Synthetic { axes: vec![ordered(7), ordered(7)], criteria: vec![wanted(4.0, 1.0)], means: |at| vec![at[0] as f64], deviation: 3.0 };
    let found = (0..50_u64).into_par_iter().filter(|seed| idle.best(*seed, 60)[0] == 4).count();
    assert!(found >= 47, "{found}");
}

#[test]
fn the_same_seed_asks_for_the_same_settings() {
    let line = Synthetic { axes: vec![ordered(30)], criteria: vec![wanted(20.0, 1.0)], means: |at| vec![at[0] as f64], deviation: 6.0 };
    let asked = |seed: u64| {
        let mut search = Search::new(line.lattice(), line.objective(), Some(vec![3]), seed);
        let ask = |_| {
            let (point, before) = search.ask();
            search.tell(&point, &line.play(1, &point, before));
            point
        };
        (0..30).map(ask).collect::<Vec<_>>()
    };
    assert_eq!(asked(1), asked(1));
    assert_ne!(asked(1), asked(2));
    assert_eq!(asked(1)[0], [3], "the rules as they are come first");
}

#[test]
fn the_nearest_to_each_criterion_are_looked_at_again() {
    // The two criteria pull at both ends of the line.
    let torn = Synthetic {
        axes: vec![ordered(9)],
        criteria: vec![wanted(0.0, 1.0), wanted(8.0, 1.0)],
        means: |at| vec![at[0] as f64, at[0] as f64],
        deviation: 0.5,
    };
    let mut search = Search::new(torn.lattice(), torn.objective(), None, 1);
    for _ in 0..30 {
        let (point, before) = search.ask();
        search.tell(&point, &torn.play(1, &point, before));
    }
    let finalists: Vec<usize> = search.finalists(3).into_iter().map(|point| point[0]).collect();
    assert_eq!(finalists, [4, 0, 8]);
}
