//! Parses the values of arguments.

use std::time::Duration;

/// Parses a number of games, at least 1.
pub(super) fn parse_games(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games| *games > 0);
    games.ok_or_else(|| format!("`{text}` is no number of games: 1 or more"))
}

/// Parses an even number of games, for games that are played in pairs.
pub(super) fn parse_even(text: &str) -> Result<u64, String> {
    let games = text.parse().ok().filter(|games: &u64| *games > 0 && games.is_multiple_of(2));
    games.ok_or_else(|| format!("`{text}` is no even number of games: 2 or more"))
}

/// Parses a time in seconds.
pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| format!("`{text}` is no number of seconds above 0"))
}

/// Parses how many seconds a person takes for a decision.
pub(super) fn parse_pace(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && *seconds <= 86_400.0);
    seconds.ok_or_else(|| format!("`{text}` is no number of seconds above 0, of a day at most"))
}

/// Parses a seed; `random` yields a fresh one.
pub(super) fn parse_seed(text: &str) -> Result<u64, String> {
    match text {
        // Short enough to be typed again.
        "random" => Ok(u64::from(rand::random::<u32>())),
        number => number.parse().map_err(|_| format!("`{number}` is neither a number nor `random`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pace_is_a_time_that_somebody_may_think() {
        assert_eq!((parse_pace("20"), parse_pace("0.5")), (Ok(20.0), Ok(0.5)));
        assert!(["0", "-1", "NaN", "inf", "86401", "long"].into_iter().all(|wrong| parse_pace(wrong).is_err()));
    }

    #[test]
    fn a_seed_is_a_number_or_a_fresh_one() {
        assert_eq!(parse_seed("18446744073709551615"), Ok(u64::MAX));
        assert!(parse_seed("-1").is_err() && parse_seed("radnom").is_err());
        let fresh: std::collections::BTreeSet<u64> = (0..20).filter_map(|_| parse_seed("random").ok()).collect();
        assert!(fresh.len() > 15);
    }
}
