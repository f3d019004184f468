//! What fuzzing found and what it begins with: every target takes every file without a panic. `cargo run --release --example
//! fuzz` looks for more; what it finds becomes a file in `tests/corpus/fuzz`.

#[path = "../examples/fuzz/mix.rs"]
mod mix;
#[path = "../examples/fuzz/targets.rs"]
mod targets;

use crate::support::root;
use mix::Corpus;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use std::collections::BTreeSet;
use std::fs;
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

fn survives(name: &str, target: Target, data: &[u8], what: &str) {
    let survived = std::panic::catch_unwind(|| target(data));
    assert!(survived.is_ok(), "{name} does not survive {what}:\n{}", String::from_utf8_lossy(data));
}
