//! The parts of a run that are played separately, for example on several machines.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One of several parts of a run: a consecutive range of its games, which keep the numbers and seeds of the whole run. All parts together
/// are the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunPart {
    /// Number of the part, from 1.
    pub number: u64,
    /// Total number of parts.
    #[serde(rename = "of")]
    pub parts: u64,
}

impl RunPart {
    /// A run that is not divided.
    pub const WHOLE: RunPart = RunPart { number: 1, parts: 1 };

    /// Returns the numbers of this part's games in a run of `games` games. Sizes of parts differ by at most one; none is empty unless there
    /// are more parts than games.
    pub fn games(self, games: u64) -> Range<u64> {
        // The quotient is at most `games`.
        let end_of = |part: u64| u64::try_from(u128::from(games) * u128::from(part) / u128::from(self.parts.max(1))).unwrap_or(games);
        end_of(self.number.saturating_sub(1))..end_of(self.number.min(self.parts))
    }
}

impl Default for RunPart {
    fn default() -> RunPart {
        RunPart::WHOLE
    }
}

impl fmt::Display for RunPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.number, self.parts)
    }
}

impl FromStr for RunPart {
    type Err = String;

    /// Parses a part written as `2/5`: the second of five parts.
    fn from_str(text: &str) -> Result<RunPart, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some(RunPart { number: number.parse().ok()?, parts: of.parse().ok()? }));
        let part = numbers.filter(|part| (1..=part.parts).contains(&part.number));
        part.ok_or_else(|| format!("`{text}` is no part of a run: `2/5` is the second of five"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_whole() {
        for (games, of) in [(10, 3), (3, 3), (1000, 7), (u64::MAX, 5), (2, 5)] {
            let mut next = 0;
            let (mut least, mut most) = (u64::MAX, 0);
            for number in 1..=of {
                let part = RunPart { number, parts: of }.games(games);
                assert_eq!(part.start, next);
                (least, most) = (least.min(part.end - part.start), most.max(part.end - part.start));
                next = part.end;
            }
            assert!(next == games && most - least <= 1, "{games} in {of}");
        }
        assert_eq!(RunPart::WHOLE.games(u64::MAX), 0..u64::MAX);
    }

    #[test]
    fn a_part_is_typed_with_a_stroke() {
        assert_eq!("2/5".parse(), Ok(RunPart { number: 2, parts: 5 }));
        for wrong in ["0/5", "6/5", "1/0", "2", "2/", "a/b", "-1/5", "1/2/3"] {
            assert!(wrong.parse::<RunPart>().is_err(), "{wrong}");
        }
    }
}
