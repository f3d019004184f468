//! The names declared by a game's rules, each with its location and usage.

use super::WordEntry;
use crate::cast;
use crate::engine::Ruleset;
use crate::engine::node::Called;
use crate::engine::ruleset::{Lifetime, PlaceDecl, Shape, Variable, VariableSort};
use crate::lang::GameText;
use crate::script::rule_natives;
use crate::source::{Sources, Span};
use crate::syntax::address::all_addresses;

/// Returns the declarations of a game's rules.
pub(super) fn declared(rules: &Ruleset, text: &GameText, sources: &Sources) -> Vec<WordEntry> {
    let addresses = all_addresses(&mut text.tree.clone());
    let mut found = Declarations { rules, sources, addresses: &addresses, words: Vec::new() };
    for (variant, title) in &text.variants {
        let example = format!("houserule play {} --with {variant}", rules.game);
        found.add("variants, ways to play that are chosen by name", variant, variant, title, example);
    }
    found.add_things();
    found.add_values();
    found.add_effects();
    found.add_addresses();
    found.words
}

/// The declarations that have been found so far.
struct Declarations<'a> {
    rules: &'a Ruleset,
    sources: &'a Sources,
    addresses: &'a [(String, Span)],
    words: Vec<WordEntry>,
}

impl Declarations<'_> {
    fn add(&mut self, sort: &str, name: &str, pattern: impl Into<String>, doc: impl Into<String>, example: impl Into<String>) {
        self.words.push(WordEntry::new(format!("{}: {sort}", self.rules.game), name, pattern, doc, example));
    }

    /// Returns the first line of a declaration, which is its best explanation.
    fn at(&self, wanted: &str) -> String {
        let found = self.addresses.iter().find(|(address, _)| address == wanted || address.ends_with(&format!(".{wanted}")));
        found.map(|(_, span)| first_line(self.sources, *span)).unwrap_or_default()
    }

    /// Adds what lies on the table.
    fn add_things(&mut self) {
        let rules = self.rules;
        for name in rules.resources.iter().map(|resource| rules.names.text(*resource)) {
            self.add("resources", name, name, "a resource of each player", format!("gain 1 {name}"));
        }
        for (owner, variables) in [("each player", &rules.seat), ("the table", &rules.table), ("each piece of a card", &rules.piece)] {
            for variable in variables.iter().filter(|variable| is_declared(variable)) {
                let (name, doc) = (&variable.name, variable_doc(variable, owner));
                self.add("counters, flags, sets and tallies", name, name, doc, format!("{name} = 1"));
            }
        }
        for (_, kind) in (0..).zip(&rules.kinds).filter(|(index, _)| !rules.is_kind_of_spaces(*index)) {
            let name = rules.names.text(kind.name);
            self.add("kinds", name, name, self.at(&format!("kind.{name}")), format!("kind = \"{name}\""));
        }
        for board in &rules.boards {
            let spaces = match (board.parts.is_some(), board.named) {
                (true, _) => "parts of cards",
                (false, true) => "spaces with names",
                (false, false) => "spaces in rows",
            };
            let doc = format!("a board of {} {spaces}", board.count());
            self.add("boards", &board.name, &board.name, doc, format!("each s in {} {{ … }}", board.name));
        }
        for (_, place) in rules.places.iter().enumerate().filter(|(index, _)| rules.board_of_place(*index).is_none()) {
            let owner = if place.of_seat { "p1." } else { "" };
            let row = match place.shape {
                Shape::Grid { rows, hexes: true, .. } => format!(" row 1 column {rows}"),
                Shape::Grid { .. } => " row 1 column 1".to_string(),
                Shape::Deck | Shape::Slots => String::new(),
            };
            self.add("places", &place.name, &place.name, place_doc(rules, place), format!("put CARD in {owner}{}{row}", place.name));
        }
    }

    /// Adds moments, and what is worked out.
    fn add_values(&mut self) {
        let rules = self.rules;
        for moment in &rules.moments {
            let doc = rules.moment_docs.iter().find(|doc| doc.0 == *moment).map_or_else(|| self.at(moment), |doc| doc.1.clone());
            self.add("moments", moment, moment, doc, format!("when = \"{moment}\""));
        }
        let (stats, others): (Vec<_>, Vec<_>) = rules.quantities.iter().partition(|quantity| quantity.stat);
        for quantity in stats.into_iter().chain(others) {
            let (name, pattern) = (&quantity.name, with_parameters(&quantity.name, quantity.args));
            let sort = if quantity.stat { "stats, which cards may change" } else { "quantities that cards may change" };
            self.add(sort, name, pattern, self.at(name), format!("[[card.change]] what = \"{name}\""));
        }
        for (name, _) in &rules.conditions {
            self.add("conditions", name, name, self.at(&format!("condition.{}", name.replace(' ', "_"))), format!("if = \"{name}\""));
        }
        for found in rules.signatures.iter().filter(|found| matches!(found.called, Called::Expression(_)) && !found.name.contains(' ')) {
            let (name, parameters) = (&found.name, cast::fit::<u8>(found.params.len()));
            if !rules.conditions.iter().any(|condition| condition.0 == *name) {
                self.add("definitions", name, with_parameters(name, parameters), self.at(name), "");
            }
        }
    }

    /// Adds what can be done.
    fn add_effects(&mut self) {
        let rules = self.rules;
        for effect in rules.effects.iter().filter(|effect| !effect.name.contains(' ')) {
            let pattern = with_parameters(&effect.name, effect.params);
            self.add("effects", &effect.name, &pattern, self.at(&effect.name), format!("do {pattern}"));
        }
        for action in rules.actions() {
            let name = rules.names.text(action.name);
            self.add("actions", name, name, self.at(&action.address), format!("[[card.forbid]] action = \"{name}\""));
        }
        for name in &rules.loss_names {
            let doc = "what a statement does `for` it, a card may do otherwise";
            self.add("losses and draws that cards may replace", name, name, doc, format!("[[card.instead]] of = \"{name}\""));
        }
        for (signature, doc) in rule_natives(rules) {
            let name = signature.split('(').next().unwrap_or("").to_string();
            self.add("what scripts can call besides", &name, signature, doc, "");
        }
    }

    /// Adds the addresses by which variants change rules.
    fn add_addresses(&mut self) {
        for (address, span) in self.addresses {
            // A variable is most often assigned to.
            let statement = first_line(self.sources, *span);
            let before = statement.split('{').next().unwrap_or("");
            let valued = before.contains('=') || address.contains('.') && before.contains(": ");
            let verb = if valued { format!("change {address} to …") } else { format!("replace {address} …") };
            let example = format!("{verb}   (it stands in {})", self.sources.place(*span));
            self.add("addresses", address, address, statement, example);
        }
    }
}

/// Whether a variable is listed as a declared name. Resources are listed separately, and names of several words are internal.
fn is_declared(variable: &Variable) -> bool {
    variable.sort != VariableSort::Resource && !variable.name.contains(' ')
}

fn variable_doc(variable: &Variable, owner: &str) -> String {
    let sort = match variable.sort {
        VariableSort::Counter => "a counter",
        VariableSort::Resource => "a resource",
        VariableSort::Flag => "a flag",
        VariableSort::Set => "a set",
        VariableSort::Tally => "a tally",
    };
    match variable.lifetime {
        Lifetime::Game => format!("{sort} of {owner}"),
        lifetime => format!("{sort} of {owner}, back to 0 with each {}", lifetime.word()),
    }
}

fn place_doc(rules: &Ruleset, place: &PlaceDecl) -> String {
    let kinds = rules.kinds.iter().enumerate().filter(|(index, _)| place.kinds >> index & 1 == 1);
    let kinds: Vec<&str> = kinds.map(|(_, kind)| rules.names.text(kind.name)).collect();
    let of = match kinds.len() {
        all if all == 0 || all == rules.kinds.len() => "cards of all kinds".to_string(),
        _ => kinds.join(", "),
    };
    let owner = if place.of_seat { "each player's" } else { "the table's" };
    match place.shape {
        Shape::Deck => format!("{owner} deck of {of}"),
        Shape::Grid { rows, hexes: true, .. } => format!("{owner} map of hexagons with {} rings for {of}", rows / 2),
        Shape::Grid { rows, columns, hexes: false, endless } => {
            let edge = if endless { " without edge" } else { "" };
            format!("{owner} grid of {rows} rows and {columns} columns{edge} for {of}")
        }
        Shape::Slots => format!("{owner} slots for {of}"),
    }
}

fn with_parameters(name: &str, count: u8) -> String {
    if count == 0 { name.to_string() } else { format!("{name}({})", vec!["…"; count as usize].join(", ")) }
}

/// Returns the first line of a span.
fn first_line(sources: &Sources, span: Span) -> String {
    let text = sources.slice(span).lines().next().unwrap_or("");
    let text = text.split("//").next().unwrap_or("").trim_end();
    text.strip_suffix('{').unwrap_or(text).trim_end().to_string()
}
