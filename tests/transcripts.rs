//! Games that were played before: each question, what was offered, what was answered and the points are as they were.
//!
//! A change of rules or cards changes them: `cargo run --release --example transcripts -- record tests/transcripts --games 4
//! --greedy 20` makes them again (`--only near` those whose names begin so), and the commit says what changed.

#[path = "../examples/transcripts/transcript.rs"]
mod transcript;

use crate::support::root;
use transcript::{Player, Transcript, check, rules_of};

fn recorded() -> Vec<Transcript> {
    let files = std::fs::read_dir(root().join("tests/transcripts")).expect("the folder");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| Transcript::read(path).expect("a transcript")).collect()
}

#[test]
fn games_are_played_as_they_were_recorded() {
    let mut transcripts = recorded();
    // The full recording is for release builds: greedy looks ahead, so one game of each table is enough here.
    for transcript in &mut transcripts {
        let mut greedy = 0;
        transcript.games.retain(|game| {
            greedy += usize::from(game.player == Player::Greedy);
            game.player != Player::Greedy || greedy == 1
        });
    }
    let mut found = String::new();
    for (transcript, (_, differences)) in transcripts.iter().zip(check(&transcripts, 1)) {
        differences.iter().for_each(|difference| found.push_str(&format!("{}:\n{difference}", transcript.table)));
    }
    assert!(found.is_empty(), "games changed; if a change of rules means to, record them again and say so\n{found}");
}

#[test]
fn every_game_and_number_of_players_is_recorded() {
    let tables: Vec<String> = recorded().iter().filter(|found| !found.games.is_empty()).map(|found| found.table.to_string()).collect();
    for game in houserule::pack::list_games(Some(root())) {
        for players in 1..=8 {
            let table = transcript::Table { game: game.clone(), players, options: Vec::new() };
            assert_eq!(rules_of(&table).is_some(), tables.contains(&table.to_string()), "{table}");
        }
    }
}

#[test]
fn a_difference_is_found_and_its_place_told() {
    let mut transcript = recorded().into_iter().find(|found| found.table.options.is_empty()).expect("a transcript");
    transcript.games.truncate(1);
    assert!(check(&[transcript.clone()], 1)[0].1.is_empty());
    let game = &mut transcript.games[0];
    game.hash ^= 1;
    game.lines[7] = "p1 howl 2: choose wolf".to_string();
    let found = &check(&[transcript], 1)[0].1;
    assert!(found[0].contains("question 8\n  was:  p1 howl 2: choose wolf"), "{found:?}");
}

#[test]
fn a_transcript_is_read_as_it_was_written() {
    let dir = tempfile::tempdir().expect("a folder");
    for transcript in recorded() {
        let path = dir.path().join(transcript.file_name());
        transcript.write(&path).expect("it is written");
        assert_eq!(Transcript::read(&path), Ok(transcript));
    }
    let broken = dir.path().join("broken.gz");
    std::fs::write(&broken, "no transcript").expect("it is written");
    assert!(Transcript::read(&broken).is_err());
}
