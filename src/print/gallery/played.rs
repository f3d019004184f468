//! What a card does in playtests, from what `houserule playtest --json` writes, with or without `--cards`.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::table::escape_markup;

/// What a card does in playtests, in words, each with what it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Played {
    facts: Vec<(String, String)>,
}

impl Played {
    /// Returns a list for the page.
    pub(super) fn html(&self) -> String {
        let row = |(what, value): &(String, String)| format!("<dt>{}</dt><dd>{}</dd>\n", escape_markup(what), escape_markup(value));
        format!("<dl class=\"played\">\n{}</dl>\n", self.facts.iter().map(row).collect::<String>())
    }
}

/// The output of `houserule playtest --json`, as far as it is about cards.
#[derive(Deserialize)]
struct Output {
    result: Run,
    #[serde(default)]
    card_effects: Effects,
}

#[derive(Deserialize)]
struct Run {
    game: String,
    games: u64,
    players: u64,
    seed: u64,
    #[serde(default)]
    cards: Vec<Count>,
}

#[derive(Deserialize)]
struct Count {
    card: String,
    action: String,
    taken: Share,
    times: u64,
    won: Share,
}

#[derive(Deserialize)]
struct Share {
    of: u64,
    share: f64,
}

#[derive(Default, Deserialize)]
struct Effects {
    #[serde(default)]
    cards: Vec<Effect>,
}

#[derive(Deserialize)]
struct Effect {
    card: String,
    points: Option<Measured>,
    wins: Option<Measured>,
}

#[derive(Deserialize)]
struct Measured {
    games: u64,
    difference: f64,
    interval: Option<[f64; 2]>,
}

/// Reads what `houserule playtest GAME --json FILE` has written: what the cards did, by id, and which games those were, in a sentence.
///
/// # Errors
/// What is wrong with the text, or that it is of another game.
pub fn played_of_json(text: &str, game: &str) -> Result<(BTreeMap<String, Played>, String), String> {
    let Output { result: run, card_effects: effects } = serde_json::from_str(text).map_err(|fault| fault.to_string())?;
    if run.game != game {
        return Err(format!("its games are of `{}`, not of `{game}`", run.game));
    }
    let mut found: BTreeMap<String, Played> = BTreeMap::new();
    for Count { card, action, taken, times, won } in run.cards {
        let facts = &mut found.entry(card).or_default().facts;
        let times = if times == 1 { "once".to_string() } else { format!("{times} times") };
        facts.push((action.clone(), format!("{times}, by {} of those who could", percent(taken.share))));
        if won.of > 0 {
            facts.push((format!("won after {action}"), percent(won.share)));
        }
    }
    for Effect { card, points, wins } in effects.cards {
        let facts = &mut found.entry(card).or_default().facts;
        let tell = |measured: &Measured, factor: f64, unit: &str| {
            let signed = |number: f64| format!("{:+.2}", number * factor);
            let interval = measured.interval.map(|[from, to]| format!(" ({} to {})", signed(from), signed(to)));
            format!("{}{unit}{} in {} games", signed(measured.difference), interval.unwrap_or_default(), measured.games)
        };
        facts.extend(points.map(|points| ("worth in points".to_string(), tell(&points, 1.0, ""))));
        facts.extend(wins.map(|wins| ("worth in wins".to_string(), tell(&wins, 100.0, " %"))));
    }
    let games = format!("In playtests: {} games of {} players, seed {}.", run.games, run.players, run.seed);
    Ok((found, games))
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}
