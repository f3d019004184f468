//! Whether figures read from a file can be those of a run: a hash tells a damaged file, not one that somebody has made by hand.

use serde_json::Value;

use super::super::part::RunPart;

/// Most games, or pairs of games, of a run.
const MOST_GAMES: u64 = 1 << 40;
/// Most parts of a run.
const MOST_PARTS: u64 = 1 << 16;
/// Most that all figures of a run may come to together, so that no sum of them is too large for 64 bits.
const MOST_IN_ALL: f64 = (1_u64 << 62) as f64;
/// Most that all sums of squares and of products may come to together, which have 128 bits.
const MOST_SQUARES_IN_ALL: f64 = (1_u128 << 120) as f64;

/// Checks the figures of a saved run: numbers of games that are done, and sums that fit.
///
/// # Errors
/// A sentence that names the figure.
pub(super) fn check(saved: &Value) -> Result<(), String> {
    let number = |at: &str| saved.pointer(at).and_then(Value::as_u64).ok_or_else(|| format!("`{}` is no number", named(at)));
    let (games, part, parts) = (number("/run/games")?, number("/part/number")?, number("/part/of")?);
    if games > MOST_GAMES {
        return Err(format!("`run.games`: {games} games are more than a run can have, which are {MOST_GAMES}"));
    }
    if !(1..=parts).contains(&part) || parts > MOST_PARTS {
        return Err(format!("`part`: there is no part {part} of {parts}"));
    }
    let results = saved.get("sums").and_then(Value::as_object).and_then(|sums| sums.values().next());
    let results = results.ok_or("`sums` is missing")?;
    let own = RunPart { number: part, parts }.games(games);
    let mut before = own.start;
    let done = match results {
        Value::Array(_) => None,
        games => Some(games.get("done").and_then(Value::as_array).ok_or("`sums.done` is missing")?),
    };
    for range in done.into_iter().flatten() {
        let [from, to] = [0, 1].map(|end| range.get(end).and_then(Value::as_u64).unwrap_or(u64::MAX));
        if from < before || to <= from || to > own.end {
            return Err(format!("`sums.done`: {range} is no range of the games {} to {} behind the one before", own.start, own.end));
        }
        before = to;
    }
    Sum { most: MOST_IN_ALL / parts as f64, most_squares: MOST_SQUARES_IN_ALL / parts as f64, ..Sum::default() }
        .add(results, &mut Vec::new())
}

/// The sum of the absolute values of all figures.
#[derive(Default)]
struct Sum {
    all: f64,
    squares: f64,
    most: f64,
    most_squares: f64,
}

impl Sum {
    fn add(&mut self, value: &Value, path: &mut Vec<String>) -> Result<(), String> {
        match value {
            Value::Number(number) => {
                let size = number.as_f64().unwrap_or(f64::INFINITY).abs();
                let is_square = path.last().is_some_and(|last| matches!(last.as_str(), "squares" | "products"));
                let (sum, most) = if is_square { (&mut self.squares, self.most_squares) } else { (&mut self.all, self.most) };
                *sum += size;
                if *sum <= most { Ok(()) } else { Err(format!("`{}`: {number} is more than a run can come to", path.join("."))) }
            }
            Value::Array(parts) => parts.iter().enumerate().try_for_each(|(nth, part)| self.add_part(part, nth.to_string(), path)),
            // Seeds and hashes of games are no figures, and nothing is added to them.
            Value::Object(parts) => parts
                .iter()
                .filter(|(name, _)| !matches!(name.as_str(), "seed" | "different"))
                .try_for_each(|(name, part)| self.add_part(part, name.clone(), path)),
            Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
        }
    }

    fn add_part(&mut self, part: &Value, name: String, path: &mut Vec<String>) -> Result<(), String> {
        path.push(name);
        // The keys of games in a sample are hashes.
        let added = match (path.iter().rev().nth(1).map(String::as_str), part.as_array().map(Vec::as_slice)) {
            (Some("sample"), Some([_, of_game])) => self.add(of_game, path),
            _ => self.add(part, path),
        };
        path.pop();
        added
    }
}

/// Returns a path as it is shown.
fn named(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn saved() -> Value {
        json!({
            "run": { "games": 100 },
            "part": { "number": 1, "of": 2 },
            "sums": { "playtest": { "done": [[0, 10], [20, 50]], "outcome": { "tally": {
                "games": 40, "different": [u64::MAX, u64::MAX], "points": { "count": 80, "sum": 900, "squares": 1_000_000 },
                "sample": [[u64::MAX, [{ "won": 720_720, "points": 5 }]]], "idle": { "games": 1, "seed": u64::MAX },
            } } } },
        })
    }

    #[test]
    fn what_no_run_comes_to_is_named() {
        assert_eq!(check(&saved()), Ok(()));
        let tally = "/sums/playtest/outcome/tally";
        let wrong = [
            ("/run/games", json!(-1), "`run.games` is no number"),
            ("/run/games", json!(u64::MAX), "`run.games`: 18446744073709551615 games"),
            ("/part/number", json!(3), "no part 3 of 2"),
            ("/part/of", json!(u64::MAX), "no part 1 of"),
            ("/sums/playtest/done", json!([[10, 10]]), "`sums.done`: [10,10]"),
            ("/sums/playtest/done", json!([[20, 30], [10, 15]]), "`sums.done`: [10,15]"),
            ("/sums/playtest/done", json!([[40, 60]]), "`sums.done`: [40,60] is no range of the games 0 to 50"),
            (&format!("{tally}/games"), json!(u64::MAX), "`outcome.tally.games`: 18446744073709551615"),
            (&format!("{tally}/points/sum"), json!(i64::MIN), "`outcome.tally.points.sum`"),
            (&format!("{tally}/points/squares"), json!(1e38), "`outcome.tally.points.squares`"),
            (&format!("{tally}/sample/0/1/0/won"), json!(u64::MAX), "`outcome.tally.sample.0.0.won`"),
        ];
        for (at, value, told) in wrong {
            let mut made = saved();
            *made.pointer_mut(at).unwrap() = value;
            let found = check(&made).unwrap_err();
            assert!(found.contains(told), "{at}: {found}");
        }
    }
}
