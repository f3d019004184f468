//! The course of a game: set-up, the phases of a round with their steps and actions, and the end.

use super::outline::{Entry, Outline};
use crate::engine::Ruleset;
use crate::table::DisplayNames;

/// Draws the course of a game.
pub fn phases(rules: &Ruleset, title: &str, words: &DisplayNames) -> Outline {
    let phases = rules.phases.iter().map(|phase| phase_entry(rules, phase, words)).collect();
    let entries = vec![
        Entry { name: "set-up".to_string(), ..Entry::default() },
        Entry { name: "each round".to_string(), inside: phases, in_order: true, ..Entry::default() },
        Entry { name: "the end".to_string(), note: "what the score counts".to_string(), inside: score_rows(rules), in_order: false },
    ];
    Outline { title: format!("{title}: the course of a round"), entries }
}

/// Lists the rows of the score.
fn score_rows(rules: &Ruleset) -> Vec<Entry> {
    rules.score.iter().map(|row| Entry { name: row.0.clone(), ..Entry::default() }).collect()
}

/// Lists the steps and turns of a phase in the order in which they come.
fn phase_entry(rules: &Ruleset, (name, begin, end): &(String, u32, u32), words: &DisplayNames) -> Entry {
    let own = |step: &&(String, u32, u32)| step.1 >= *begin && step.2 <= *end;
    let steps = rules.steps.iter().filter(own).map(|step| {
        let step_name = step.0.rsplit_once('.').map_or(step.0.as_str(), |(_, step)| step);
        (step.1, Entry { name: words.word_name(step_name), ..Entry::default() })
    });
    let turns = rules.turns.iter().filter(|turns| turns.part >= *begin && turns.part < *end).map(|turns| {
        let actions = turns.actions.iter().filter_map(|action| rules.choices.get(usize::from(*action)));
        let inside = actions.map(|action| {
            let notes = [(action.is_free(), "free"), (action.passes(), "ends the turns of the player")];
            let note = notes.iter().filter(|note| note.0).map(|note| note.1).collect::<Vec<_>>().join(", ");
            Entry { name: words.word_name(rules.names.text(action.name)), note, ..Entry::default() }
        });
        (
            turns.part,
            Entry { name: "turns".to_string(), note: "each player chooses one of".to_string(), inside: inside.collect(), in_order: false },
        )
    });
    let mut inside: Vec<(u32, Entry)> = steps.chain(turns).collect();
    inside.sort_by_key(|one| one.0);
    Entry { name: words.word_name(name), inside: inside.into_iter().map(|one| one.1).collect(), in_order: true, ..Entry::default() }
}
