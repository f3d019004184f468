//! Coverage of the scripts of cards: which of them ran in the games of a run.

use std::collections::BTreeSet;

use serde::Serialize;

use super::table::TextTable;
use super::tally::RunTally;
use crate::engine::ids::Pc;
use crate::engine::op::Op;
use crate::engine::ruleset::{Definition, NodeId};
use crate::engine::{Call, Machine, Ruleset, Scripts, Stop};
use crate::source::Sources;

/// A script host that records which scripts run.
struct RecordingScripts<'a> {
    scripts: &'a mut dyn Scripts,
    ran: &'a mut Vec<u32>,
}

impl Scripts for RecordingScripts<'_> {
    fn run(&mut self, machine: &mut Machine<'_>, call: &Call) -> Result<(), Stop> {
        self.ran.push(call.script);
        self.scripts.run(machine, call)
    }
}

/// Continues a game through `go`, and records the scripts that run in `ran` if it is given. Scripts in sampled states are not recorded.
pub fn run_recording<T>(scripts: &mut dyn Scripts, ran: Option<&mut Vec<u32>>, go: impl FnOnce(&mut dyn Scripts) -> T) -> T {
    match ran {
        Some(ran) => go(&mut RecordingScripts { scripts, ran }),
        None => go(scripts),
    }
}

/// Coverage of the scripts of cards: which of them ran in the games of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Hooks {
    /// Number of scripts of cards that are in the game with these options.
    pub scripts: usize,
    /// Number of the scripts in the game that ran.
    pub ran: usize,
    /// Number of scripts of cards that are not in the game with these options.
    pub absent: usize,
    /// Each script of a card in the game, in order of the cards.
    pub entries: Vec<HookCount>,
}

/// How often a script ran.
#[derive(Clone, Debug, Serialize)]
pub struct HookCount {
    /// The card or kind that has the script, and the entry in which it stands.
    pub entry: String,
    /// File, line and column of the script.
    pub place: Option<String>,
    /// Number of times that the script ran.
    pub times: u64,
    /// Number of games in which the script ran.
    pub games: u64,
}

/// Computes the coverage of scripts in a run.
pub fn hooks(rules: &Ruleset, tally: &RunTally, sources: &Sources) -> Hooks {
    let count = |number: u32| {
        let script = &rules.scripts[number as usize];
        let (times, games) = tally.scripts.get(&number).copied().unwrap_or_default();
        HookCount { entry: script.owner.clone(), place: script.span.map(|span| sources.place(span)), times, games }
    };
    let entries: Vec<HookCount> = scripts_in_game(rules).into_iter().map(count).collect();
    let ran = entries.iter().filter(|entry| entry.times > 0).count();
    Hooks { scripts: entries.len(), ran, absent: rules.scripts.len() - entries.len(), entries }
}

/// Returns the scripts of cards that have a piece in the game.
fn scripts_in_game(rules: &Ruleset) -> BTreeSet<u32> {
    let there: BTreeSet<u32> = rules.piece_definition.iter().copied().collect();
    let begins = there.iter().flat_map(|definition| routines(&rules.definitions[*definition as usize]));
    let ops = begins.flat_map(|(_, begin)| rules.ops.routine(begin));
    let spoken = ops.filter_map(|op| if let Op::Script { script } = op { Some(*script) } else { None });
    // Entries for a moment that no rule raises are not part of a card's routines.
    let is_there = |definition: i32| u32::try_from(definition).is_ok_and(|definition| there.contains(&definition));
    let own = (0..).zip(&rules.scripts).filter(|(_, script)| is_there(script.definition)).map(|(number, _)| number);
    spoken.chain(own).collect()
}

/// Returns where the routines of a card begin that may run a script, each with the condition of its entry.
pub(super) fn routines(definition: &Definition) -> impl Iterator<Item = (Option<NodeId>, Pc)> {
    let hooks = definition.hooks.iter().map(|hook| (hook.when, hook.first_op));
    let replacements = definition.replacements.iter().map(|instead| (instead.when, instead.first_op));
    hooks.chain(replacements).chain(definition.action.iter().map(|action| (action.needs, action.first_op)))
}

impl Hooks {
    /// Formats the coverage as text: the number of scripts that ran, and a list of those that did not.
    pub fn text(&self) -> String {
        if self.entries.is_empty() {
            return "  no card in the game has one\n".to_string();
        }
        let share = 100.0 * self.ran as f64 / self.scripts as f64;
        let mut text = format!("  {} of {} ran ({share:.1}%)\n", self.ran, self.scripts);
        if self.absent > 0 {
            text.push_str(&format!("  {} more are of cards that are not in the game with these options\n", self.absent));
        }
        let mut table = TextTable::new(2);
        for entry in self.entries.iter().filter(|entry| entry.times == 0) {
            table.row([entry.entry.clone(), entry.place.clone().unwrap_or_default()]);
        }
        if self.ran < self.scripts {
            text.push_str("  never ran; more games, other agents or options, or --deal CARD may come to it:\n");
            text.push_str(&table.text(4));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::agent::parse_agents;
    use crate::playtest::toy::{Silent, toy_with};
    use crate::playtest::{RecordOptions, Report, RunPlan, report, run, text};

    fn playtest_toy(agents: &str, threads: usize, hooks: bool) -> Report {
        let on = |when: &str, more: &str| format!("[[card.on]]\nwhen = \"{when}\"\n{more}do = [\"1\", \"2\"]\n");
        let rules = toy_with(2, "2", &format!("{}{}", on("this.howl", ""), on("howl", "if = \"wisp > 99\"\n")));
        let agents = parse_agents(agents, 2).unwrap();
        let plan = RunPlan {
            rules: &rules,
            agents: &agents,
            games: 30,
            seed: 1,
            threads,
            notes: RecordOptions { scripts: hooks, ..RecordOptions::default() },
        };
        let outcome = run(&plan, &|| Ok(Box::new(Silent)), &AtomicBool::new(false), &mut ()).unwrap();
        report(&plan, &outcome, &Sources::new(), Vec::new())
    }

    #[test]
    fn what_ran_is_counted_and_what_never_did_is_listed() {
        let found = playtest_toy("random", 1, true);
        let fetched = found.cards.iter().find(|card| card.card == "grey_wolf").unwrap();
        let hooks = found.hooks.as_ref().unwrap();
        let counts: Vec<(&str, u64, u64)> = hooks.entries.iter().map(|entry| (entry.entry.as_str(), entry.times, entry.games)).collect();
        let (heard, never) = ("grey_wolf.this.howl", "grey_wolf.howl");
        assert_eq!(
            counts,
            [heard, heard, never, never].map(|entry| match entry == heard {
                true => (entry, fetched.times, fetched.games),
                false => (entry, 0, 0),
            })
        );
        assert_eq!((hooks.scripts, hooks.ran, hooks.absent), (4, 2, 0));
        let said = text(&found, &crate::pack::Translations::default(), false);
        assert!(said.contains("2 of 4 ran (50.0%)") && said.contains(never) && !said.contains(heard), "{said}");
    }

    #[test]
    fn what_agents_imagine_does_not_count_and_counting_changes_nothing() {
        for agents in ["random", "greedy:2"] {
            let (plain, one, two) = (playtest_toy(agents, 1, false), playtest_toy(agents, 1, true), playtest_toy(agents, 2, true));
            let json = |report: &Report| serde_json::to_value(report).unwrap();
            assert_eq!(json(&one), json(&two));
            let fetched = one.cards.iter().filter(|card| card.card == "grey_wolf").map(|card| card.times).sum::<u64>();
            assert_eq!(one.hooks.as_ref().unwrap().entries[0].times, fetched);
            assert_eq!(json(&Report { hooks: None, ..one }), json(&plain));
            assert!(json(&plain).get("hooks").is_none());
        }
    }
}
