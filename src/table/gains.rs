//! The immediate gain of each option in a few words, since `choose gold` alone does not say how much.

use crate::engine::decision::Question;
use crate::engine::{Game, Ruleset, Scripts};
use crate::state::chance::{hash_text, join};

use super::words::DisplayNames;

/// Maximum number of options for which gains are computed.
const MAX_OPTIONS: usize = 16;
/// Number of sampled states in which options are tried. A gain that differs between them is not reported.
const SAMPLED_STATES: u64 = 3;

/// Describes for each option of the open question the change of its seat's resources, such as `+2 gold, -1 food`. Gains that depend on
/// something unknown to the seat are left out, and so are actions of a turn, which state their own costs.
pub fn gains_of(rules: &Ruleset, game: &Game, scripts: &mut dyn Scripts, words: &DisplayNames) -> Vec<String> {
    let Some(open) = game.decision() else { return Vec::new() };
    if matches!(open.question, Question::Turn(_)) || open.options.len() > MAX_OPTIONS {
        return vec![String::new(); open.options.len()];
    }
    let resources: Vec<&str> = rules.resources.iter().map(|name| rules.names.text(*name)).collect();
    let held = |game: &Game| -> Vec<i64> {
        resources.iter().map(|resource| game.position(rules).value_of(open.seat, resource).unwrap_or(0)).collect()
    };
    let mut imagined = Game::default();
    let mut gains = |key: u64| -> Option<Vec<i64>> {
        let mut all: Option<Vec<Option<i64>>> = None;
        for state in 0..SAMPLED_STATES {
            game.imagine(rules, join(hash_text("what an answer brings"), state), &mut imagined);
            let before = held(&imagined);
            let same = imagined.decision()?.options.iter().position(|option| option.key == key)?;
            imagined.on(rules).answer(scripts, same).ok()?;
            let gained: Vec<i64> = held(&imagined).iter().zip(&before).map(|(after, before)| after - before).collect();
            all = Some(match all {
                None => gained.into_iter().map(Some).collect(),
                Some(known) => known.into_iter().zip(gained).map(|(known, gained)| known.filter(|known| *known == gained)).collect(),
            });
        }
        all.map(|all| all.into_iter().map(|gained| gained.unwrap_or(0)).collect())
    };
    let describe = |gained: Vec<i64>| {
        let parts = gained.iter().zip(&resources).filter(|(gained, _)| **gained != 0);
        parts.map(|(gained, resource)| format!("{gained:+} {}", words.word_name(resource))).collect::<Vec<_>>().join(", ")
    };
    open.options.iter().map(|option| gains(option.key).map(describe).unwrap_or_default()).collect()
}
