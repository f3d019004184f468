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
    // The first line of a declaration is its best explanation.
    let at = |wanted: &str| {
        let found = addresses.iter().find(|(address, _)| address == wanted || address.ends_with(&format!(".{wanted}")));
        found.map(|(_, span)| first_line(sources, *span)).unwrap_or_default()
    };
    let mut words = Vec::new();
    let mut add = |sort: &str, name: &str, pattern: String, doc: String, example: String| {
        words.push(WordEntry::new(format!("{}: {sort}", rules.game), name, pattern, doc, example));
    };
    for (variant, title) in &text.variants {
        let example = format!("houserule play {} --with {variant}", rules.game);
        add("variants, ways to play that are chosen by name", variant, variant.clone(), title.clone(), example);
    }
    for resource in &rules.resources {
        let name = rules.names.text(*resource);
        add("resources", name, name.to_string(), "a resource of each player".into(), format!("gain 1 {name}"));
    }
    for (owner, variables) in [("each player", &rules.seat), ("the table", &rules.table), ("each piece of a card", &rules.piece)] {
        for variable in variables.iter().filter(|variable| is_declared(variable)) {
            let name = &variable.name;
            add("counters, flags, sets and tallies", name, name.clone(), variable_doc(variable, owner), format!("{name} = 1"));
        }
    }
    for (_, kind) in (0..).zip(&rules.kinds).filter(|(index, _)| !rules.is_kind_of_spaces(*index)) {
        let name = rules.names.text(kind.name);
        add("kinds", name, name.to_string(), at(&format!("kind.{name}")), format!("kind = \"{name}\""));
    }
    for board in &rules.boards {
        let spaces = if board.named { "spaces with names" } else { "spaces in rows" };
        let doc = format!("a board of {} {spaces}", board.count());
        add("boards", &board.name, board.name.clone(), doc, format!("each s in {} {{ … }}", board.name));
    }
    for (_, place) in rules.places.iter().enumerate().filter(|(index, _)| rules.board_of_place(*index).is_none()) {
        let owner = if place.of_seat { "p1." } else { "" };
        let row = match place.shape {
            Shape::Grid { rows, hexes: true, .. } => format!(" row 1 column {rows}"),
            Shape::Grid { .. } => " row 1 column 1".to_string(),
            Shape::Deck | Shape::Slots => String::new(),
        };
        add("places", &place.name, place.name.clone(), place_doc(rules, place), format!("put CARD in {owner}{}{row}", place.name));
    }
    for moment in &rules.moments {
        let doc = rules.moment_docs.iter().find(|doc| doc.0 == *moment).map_or_else(|| at(moment), |doc| doc.1.clone());
        add("moments", moment, moment.clone(), doc, format!("when = \"{moment}\""));
    }
    let (stats, others): (Vec<_>, Vec<_>) = rules.quantities.iter().partition(|quantity| quantity.stat);
    for quantity in stats.into_iter().chain(others) {
        let pattern = with_parameters(&quantity.name, quantity.args);
        let sort = if quantity.stat { "stats, which cards may change" } else { "quantities that cards may change" };
        add(sort, &quantity.name, pattern, at(&quantity.name), format!("[[card.change]] what = \"{}\"", quantity.name));
    }
    for (name, _) in &rules.conditions {
        add("conditions", name, name.clone(), at(&format!("condition.{}", name.replace(' ', "_"))), format!("if = \"{name}\""));
    }
    for found in rules.signatures.iter().filter(|found| matches!(found.called, Called::Expression(_)) && !found.name.contains(' ')) {
        let (name, parameters) = (&found.name, cast::fit::<u8>(found.params.len()));
        if !rules.conditions.iter().any(|condition| condition.0 == *name) {
            add("definitions", name, with_parameters(name, parameters), at(name), String::new());
        }
    }
    for effect in rules.effects.iter().filter(|effect| !effect.name.contains(' ')) {
        let pattern = with_parameters(&effect.name, effect.params);
        add("effects", &effect.name, pattern.clone(), at(&effect.name), format!("do {pattern}"));
    }
    for action in rules.actions() {
        let name = rules.names.text(action.name);
        add("actions", name, name.to_string(), at(&action.address), format!("[[card.forbid]] action = \"{name}\""));
    }
    for name in &rules.loss_names {
        let doc = "what a statement does `for` it, a card may do otherwise".into();
        add("losses and draws that cards may replace", name, name.clone(), doc, format!("[[card.instead]] of = \"{name}\""));
    }
    for (signature, doc) in rule_natives(rules) {
        let name = signature.split('(').next().unwrap_or("").to_string();
        add("what scripts can call besides", &name, signature, doc, String::new());
    }
    for (address, span) in &addresses {
        // A variable is most often assigned to.
        let statement = first_line(sources, *span);
        let before = statement.split('{').next().unwrap_or("");
        let valued = before.contains('=') || address.contains('.') && before.contains(": ");
        let verb = if valued { format!("change {address} to …") } else { format!("replace {address} …") };
        let example = format!("{verb}   (it stands in {})", sources.place(*span));
        add("addresses", address, address.clone(), first_line(sources, *span), example);
    }
    words
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
        Shape::Grid { rows, columns, hexes: false } => format!("{owner} grid of {rows} rows and {columns} columns for {of}"),
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
