//! Drafts a variant: one change of a game's rules, and a scenario that it changes.

use crate::engine::Game;
use crate::engine::Ruleset;
use crate::engine::ruleset::{Lifetime, Variable, VariableSort};
use crate::lang::GameText;
use crate::source::Sources;
use crate::syntax::address::all_addresses;

/// A change of the rules, and an assertion that holds only with the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantDraft {
    /// The change of the rules, as rules text.
    pub change: String,
    /// The effect of the change in words, for the name of the variant.
    pub title: String,
    /// Lines that set up the scenario; empty if the normal beginning will do.
    pub given: &'static str,
    /// Assertion that holds with the change.
    pub then: String,
    /// Comment that is written above the change.
    pub comment: String,
}

/// Returns changes of the rules with a testable effect, the most noticeable first: initial resources, then numbers in the rules. `begun` is
/// the game after set-up.
pub fn draft_variants(sources: &Sources, text: &GameText, rules: &Ruleset, begun: &Game) -> Vec<VariantDraft> {
    let mut drafts = Vec::new();
    for (index, resource) in rules.resources.iter().enumerate() {
        let name = rules.names.text(*resource);
        let has = begun.position(rules).amount(0, index);
        drafts.push(VariantDraft {
            change: format!("extend setup {{ each player {{ gain 1 {name} }} }}"),
            title: format!("each player begins with 1 {name} more"),
            given: "as set up",
            then: format!("p1.{name} == {}", has + 1),
            comment: format!("Every rule has an address, such as `setup`: `houserule words --game {}` lists them all.", rules.game),
        });
    }
    // Names of several words belong to internal variables.
    let counts = |one: &&Variable| one.sort == VariableSort::Counter && one.lifetime == Lifetime::Game && !one.name.contains(' ');
    for Variable { name, offset, .. } in rules.seat.iter().filter(counts) {
        let has = begun.cells()[rules.layout.seat(0, *offset as usize)];
        drafts.push(VariantDraft {
            change: format!("extend setup {{ each player {{ {name} += 1 }} }}"),
            title: format!("each player begins with 1 more of {name}"),
            given: "as set up",
            then: format!("p1.{name} == {}", has + 1),
            comment: format!("Every rule has an address, such as `setup`: `houserule words --game {}` lists them all.", rules.game),
        });
    }
    for (address, span) in all_addresses(&mut text.tree.clone()) {
        let line = sources.slice(span).lines().next().unwrap_or("");
        let number = line.strip_prefix("constant ").and_then(|line| line.split("//").next()?.split_once('=')?.1.trim().parse::<i64>().ok());
        if let Some(number) = number {
            drafts.push(VariantDraft {
                change: format!("change {address} to {}", number + 1),
                title: format!("{address} is {} instead of {number}", number + 1),
                given: "",
                then: format!("{address} == {}", number + 1),
                comment: format!("It stands in {}.", sources.place(span)),
            });
        }
    }
    drafts
}

impl VariantDraft {
    /// Writes the rules text of the variant.
    pub fn write_rules(&self, name: &str, game: &str) -> String {
        let VariantDraft { change, title, comment, .. } = self;
        format!("// A variant of {game}. {comment}\nvariant {name} \"{title}\" {{\n  {change}\n}}\n")
    }

    /// Writes a scenario that tests the variant; `with` is the variant's name in scenarios.
    pub fn write_scenario(&self, game: &str, with: &str) -> String {
        let VariantDraft { title, given, then, .. } = self;
        let given = if given.is_empty() { String::new() } else { format!("given = \"{given}\"\n") };
        format!(
            "# What the variant does. Without the line `with` it does not hold.\n\
             game = \"{game}\"\nwith = \"{with}\"\n\n[[scenario]]\nname  = \"{title}\"\n{given}then  = \"{then}\"\n"
        )
    }
}
