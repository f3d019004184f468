//! What fuzzing found and what it begins with: every target takes every file without a panic. `cargo run --release --example
//! fuzz` looks for more; what it finds becomes a file in `tests/corpus/fuzz`.

#[path = "../examples/fuzz/mix.rs"]
mod mix;
#[path = "../examples/fuzz/targets.rs"]
pub mod targets;

use crate::support::root;
use mix::Corpus;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::collections::BTreeSet;
use std::fs;
use targets::values::{Compared, law_of_values};
use targets::{TARGETS, Target};

/// Inputs made anew for each target.
const INPUTS: u64 = 15;

#[test]
fn what_was_found_is_taken_by_every_target() {
    let mut files: Vec<_> =
        fs::read_dir(root().join("tests/corpus/fuzz")).expect("the folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    assert!(files.len() > 10);
    for file in files {
        let data = fs::read(&file).expect("a file");
        for (name, target) in TARGETS {
            survives(name, target, &data, &file.display().to_string());
        }
    }
}

#[test]
fn some_inputs_made_by_chance_are_taken() {
    for (name, target) in TARGETS {
        let corpus = Corpus::new(root(), name);
        let mut seen = BTreeSet::new();
        for number in 0..INPUTS {
            let data = corpus.next(name, &mut SmallRng::seed_from_u64(number));
            assert_eq!(data, corpus.next(name, &mut SmallRng::seed_from_u64(number)), "the same seed makes the same input");
            survives(name, target, &data, &format!("number {number}"));
            seen.insert(data);
        }
        assert!(seen.len() as u64 > INPUTS / 2, "{name}: the inputs are alike");
    }
}

/// Games of the law of values, and where their seeds begin: `HOUSERULE_SEEDS=FIRST,COUNT` looks at others.
const GAMES: (u64, u64) = (1, 60);

#[test]
fn values_are_the_same_by_code_by_a_plain_walk_by_a_third_evaluator_for_why_and_for_test() {
    let wanted = std::env::var("HOUSERULE_SEEDS").ok().and_then(|wanted| {
        let (first, count) = wanted.split_once(',')?;
        Some((first.parse().ok()?, count.parse().ok()?))
    });
    let (first, count) = wanted.unwrap_or(GAMES);
    let mut compared = Compared::default();
    let broken: Vec<String> = (first..first + count).filter_map(|seed| law_of_values(seed, &mut compared).err()).collect();
    println!("{compared:?}");
    assert!(broken.is_empty(), "{} of {count} games:\n{}", broken.len(), broken.join("\n"));
    let Compared { asked, by_third, nodes, by_code, why, tests, at_once, faults } = compared;
    assert!(asked > 1000 * count && by_third > asked / 4 && nodes > 1000 * count && by_code > 400 * count, "{compared:?}");
    assert!(why > 10 * count && tests > 10 * count && at_once > 0 && faults <= count / 2, "{compared:?}");
}

fn survives(name: &str, target: Target, data: &[u8], what: &str) {
    let survived = std::panic::catch_unwind(|| target(data));
    assert!(survived.is_ok(), "{name} does not survive {what}:\n{}", String::from_utf8_lossy(data));
}
