//! What brings and takes how much of which resource, as games were played.

use std::collections::BTreeMap;

use super::links::{Link, Links};
use crate::engine::{FlowCause, Ruleset};
use crate::playtest::{ResourceFlow, RunTally};
use crate::table::DisplayNames;

/// Draws the mean flows of each resource, for a player and a game. `who` says which agents have played.
pub fn flows(rules: &Ruleset, tally: &RunTally, (title, who): (&str, &str), words: &DisplayNames) -> Links {
    let players = (tally.games as f64 * rules.players as f64).max(1.0);
    let resources: Vec<u8> = {
        let mut found: Vec<u8> = tally.flows.keys().map(|key| key.1).collect();
        found.sort_unstable();
        found.dedup();
        found
    };
    let resource_name = |resource: &u8| rules.resources.get(usize::from(*resource)).map(|name| words.word_name(rules.names.text(*name)));
    let side = |amount: fn(&ResourceFlow) -> u64| {
        let mut causes: BTreeMap<FlowCause, usize> = BTreeMap::new();
        let flowing = tally.flows.iter().filter(|(_, flow)| amount(flow) > 0);
        flowing.clone().for_each(|((cause, _), _)| {
            let next = causes.len();
            causes.entry(*cause).or_insert(next);
        });
        let links: Vec<Link> = flowing
            .filter_map(|((cause, resource), flow)| {
                let middle = resources.iter().position(|shown| shown == resource)?;
                Some(Link { side: *causes.get(cause)?, middle, weight: amount(flow) as f64 / players })
            })
            .collect();
        let mut named: Vec<(usize, String)> = causes.into_iter().map(|(cause, index)| (index, cause_name(rules, cause, words))).collect();
        named.sort_unstable();
        (named.into_iter().map(|one| one.1).collect::<Vec<String>>(), links)
    };
    let ((gaining, left), (losing, right)) = (side(|flow| flow.gained), side(|flow| flow.lost));
    let (games, players) = (tally.games.to_string(), rules.players.to_string());
    Links {
        title: words.phrases().say(
            "{game}: resources of a player in a game (means; games: {games}, players: {players}, played by: {who})",
            &[("game", title), ("games", &games), ("players", &players), ("who", who)],
        ),
        heads: [words.phrases().word("gained by"), words.phrases().word("resource"), words.phrases().word("lost or paid by")],
        columns: [gaining, resources.iter().filter_map(resource_name).collect(), losing],
        left,
        right,
        decimals: Some(1),
    }
}

/// Says what a cause is called.
fn cause_name(rules: &Ruleset, cause: FlowCause, words: &DisplayNames) -> String {
    let say = words.phrases();
    let named = |name: Option<&str>| name.map_or_else(String::new, |name| words.word_name(name));
    match cause {
        FlowCause::SetUp => say.word("set-up"),
        FlowCause::Phase(phase) => {
            let name = named(rules.phases.get(usize::from(phase)).map(|phase| phase.0.as_str()));
            say.say("phase {name}", &[("name", &name)])
        }
        FlowCause::Step(step) => {
            let name = rules.steps.get(usize::from(step)).and_then(|step| step.0.rsplit('.').next());
            say.say("step {name}", &[("name", &named(name))])
        }
        FlowCause::Action(action) => {
            let name = rules.choices.get(usize::from(action)).map(|choice| rules.names.text(choice.name));
            say.say("action {name}", &[("name", &named(name))])
        }
        FlowCause::Kind(kind) => {
            let name = rules.kinds.get(usize::from(kind)).map(|kind| rules.names.text(kind.name));
            say.say("cards: {kind}", &[("kind", &named(name))])
        }
        FlowCause::Other => say.word("checks of the rules"),
    }
}
