//! Makes wrong texts out of right ones: most of them with one or two slips, so that many are still read, compiled and played.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use std::path::Path;

/// Numbers at the edges of what cells and expressions hold.
const NUMBERS: [&str; 12] =
    ["0", "1", "2", "7", "64", "256", "65536", "2147483647", "2147483648", "4294967296", "9223372036854775807", "99999999999999999999"];
/// The longest list of answers.
const MOST_ANSWERS: usize = 400;

/// Texts to begin with, and their words.
pub struct Corpus {
    texts: Vec<String>,
    words: Vec<String>,
}

impl Corpus {
    /// What lies in these folders below the root, by the ending of its name; `tests/errors` holds wrong ones, too.
    pub fn new(root: &Path, target: &str) -> Corpus {
        let (folders, ending): (&[&str], &str) = match target {
            "rules" => (&["tests/errors/game/rules", "tests/errors", "rules", "tests/corpus/fuzz"], ".rules"),
            "cards" => (&["tests/errors/game/cards", "tests/errors", "cards/nations", "tests/corpus/fuzz"], ".toml"),
            "scenarios" => (&["tests/errors", "tests/corpus/fuzz"], ".scenario.toml"),
            _ => (&[], ""),
        };
        let mut texts = Vec::new();
        for folder in folders {
            let extension = ending.rsplit('.').next().unwrap_or(ending);
            for path in houserule::source::Sources::read_dir(&root.join(folder), extension).unwrap_or_default() {
                let name = path.display().to_string();
                let of_scenarios = name.ends_with(".scenario.toml");
                if name.ends_with(ending) && of_scenarios == (target == "scenarios") {
                    texts.extend(std::fs::read_to_string(&path));
                }
            }
        }
        let mut words: Vec<String> = texts.iter().flat_map(|text| pieces(text)).map(str::to_string).collect();
        words.sort();
        words.dedup();
        Corpus { texts, words }
    }

    /// The next input of a target.
    pub fn next(&self, target: &str, random: &mut SmallRng) -> Vec<u8> {
        if target == "values" {
            return random.random::<u64>().to_le_bytes().to_vec();
        }
        if target == "play" {
            let mut bytes = vec![0; random.random_range(9..MOST_ANSWERS)];
            random.fill_bytes(&mut bytes);
            return bytes;
        }
        // Half of the time the small game as it is: what comes of it can be played.
        let text = if random.random() { self.texts.first() } else { self.texts.choose(random) };
        let mut text = text.cloned().unwrap_or_default();
        for _ in 0..[1, 1, 1, 2, 2, 5, 20].choose(random).copied().unwrap_or(1) {
            text = self.slip(&text, random);
        }
        let mut bytes = text.into_bytes();
        if random.random_range(0..20) == 0 && !bytes.is_empty() {
            let at = random.random_range(0..bytes.len());
            bytes[at] = random.random();
        }
        bytes
    }

    fn slip(&self, text: &str, random: &mut SmallRng) -> String {
        let mut found: Vec<&str> = pieces(text);
        if found.is_empty() {
            return self.words.choose(random).cloned().unwrap_or_default();
        }
        let at = random.random_range(0..found.len());
        let some = at..(at + random.random_range(1..8)).min(found.len());
        let other = self.words.choose(random).map_or("", String::as_str);
        match random.random_range(0..10) {
            // A word for a word and a number for a number is read most often.
            0..=2 => {
                let word = |piece: &str| piece.starts_with(|c: char| c.is_ascii_alphabetic());
                let own: Vec<&str> = found.iter().copied().filter(|piece| word(piece)).collect();
                if let (Some(place), Some(own)) = ((at..found.len()).find(|&i| word(found[i])), own.choose(random)) {
                    found[place] = if random.random() { own } else { other };
                }
            }
            3 | 4 => {
                let number = (0..found.len()).map(|i| (at + i) % found.len()).find(|&i| found[i].starts_with(|c: char| c.is_ascii_digit()));
                if let Some(place) = number {
                    found[place] = NUMBERS.choose(random).copied().unwrap_or("0");
                }
            }
            5 => drop(found.drain(some)),
            6 => {
                let again: Vec<&str> = found[some].to_vec();
                found.splice(at..at, again);
            }
            7 => found.insert(at, other),
            8 => {
                let to = random.random_range(0..found.len());
                found.swap(at, to);
            }
            _ => {
                // A line of another text.
                let line = self.texts.choose(random).and_then(|text| {
                    let lines: Vec<&str> = text.lines().collect();
                    lines.choose(random).copied()
                });
                found.splice(at..at, [line.unwrap_or(""), "\n"]);
            }
        }
        found.concat()
    }
}

/// Words, numbers, blanks and signs, one after another; together they are the text.
fn pieces(text: &str) -> Vec<&str> {
    let sort = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            0
        } else if c == ' ' {
            1
        } else {
            2
        }
    };
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match sort(first) {
            2 => first.len_utf8(),
            of => rest.find(|c| sort(c) != of).unwrap_or(rest.len()),
        };
        let (piece, after) = rest.split_at(length);
        found.push(piece);
        rest = after;
    }
    found
}
