//! The functions that scripts can call: a fixed table of natives, and functions derived from the declarations of the rules.

mod act;
pub(super) mod read;
pub(super) mod rules;
pub(super) mod words;

use super::host::ScriptContext;
use rhai::{Array, Dynamic, Engine};
use std::rc::Rc;
use words::WordTable;

pub(super) use read::find_list;
pub use rules::rule_natives;

/// Returns the native with this name and so many parameters that gives a number, truth or nothing; `None` if only rhai has it.
pub(super) fn find_native(name: &str, params: usize) -> Option<crate::lowered::Native> {
    if find_list(name, params).is_some() {
        return None;
    }
    act::find(name, params).or_else(|| read::find(name, params)).or_else(|| read::find_plain(name, params))
}

/// A native function, available to every script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Native {
    /// Name of the function.
    pub name: &'static str,
    /// Names of its parameters. Upper-case names stand for words of the rules.
    pub params: &'static [&'static str],
    /// Description of the result, such as `number`; empty if there is none.
    pub result: &'static str,
    /// Description of the function's effect or result, as a sentence fragment.
    pub doc: &'static str,
    /// Example of a call.
    pub example: &'static str,
}

impl Native {
    /// Formats the signature, as in `gain(p, r, n)`, followed by the result if there is one.
    pub fn signature(&self) -> String {
        signature(self.name, self.params, self.result)
    }
}

fn signature(name: &str, params: &[&str], gives: &str) -> String {
    let arrow = if gives.is_empty() { String::new() } else { format!(" -> {gives}") };
    format!("{name}({}){arrow}", params.join(", "))
}

/// Returns all native functions. They do not depend on the rules.
pub fn natives() -> &'static [Native] {
    NATIVES
}

const fn native(
    name: &'static str,
    params: &'static [&'static str],
    gives: &'static str,
    doc: &'static str,
    example: &'static str,
) -> Native {
    Native { name, params, result: gives, doc, example }
}

/// The table of all native functions. A test runs each example with the small game in `grammar/`.
static NATIVES: &[Native] = &[
    native("gain", &["p", "r", "n"], "", "a player gains a number of a resource; less than 1 is nothing", "gain(me, wisp, 2)"),
    native(
        "lose",
        &["p", "r", "n"],
        "",
        "a forced loss; what is missing is dealt with by the rules when the script has ended",
        "lose(me, wisp, 2)",
    ),
    native("lose", &["p", "r", "n", "NAME"], "", "a forced loss that cards may replace by its name", "lose(me, wisp, 2, storm)"),
    native("pay", &["p", "r", "n"], "", "a player pays what it has; not to have it is a fault of the card: see `cost`", "pay(me, wisp, 1)"),
    native("add", &["p", "COUNTER", "n"], "", "adds to a counter of a player", "add(me, dens, 1)"),
    native("set", &["p", "COUNTER", "n"], "", "sets a counter or flag of a player; a flag to yes or no", "set(me, passed, yes)"),
    native("add_card", &["c", "COUNTER", "n"], "", "adds to a counter on a card", "add_card(own, bites, 1)"),
    native("remove", &["c"], "", "takes a card out of the game", "remove(own)"),
    native("place", &["c", "PLACE"], "", "places a card into a free slot of a place of `me` or of the table", "place(own, den)"),
    native("order_first", &["p"], "", "moves a player to the first place of the order", "order_first(me)"),
    native("order_last", &["p"], "", "moves a player to the last place of the order", "order_last(me)"),
    native(
        "differ",
        &["p", "q", "n", "LIFETIME"],
        "",
        "a quantity differs by n until the end of the action, turn, step, round or game",
        "differ(me, fame, -1, round)",
    ),
    native("moment", &["MOMENT"], "", "raises a moment of `me`; cards hear it when the script has ended", "moment(dusk)"),
    native(
        "cards",
        &["p", "PLACE"],
        "list of cards",
        "the cards in a place of a player or of the table",
        "for c in cards(me, yard) { add_card(c, bites, 1) }",
    ),
    native("seats", &[], "list of players", "all players in turn order", "for p in seats() { gain(p, wisp, 1) }"),
    native("others", &["p"], "list of players", "all other players in turn order", "for p in others(me) { lose(p, wisp, 1) }"),
    native("field", &["c", "F"], "number", "a number printed on a card, 0 without one", "gain(me, wisp, field(own, height))"),
    native(
        "field",
        &["c", "F", "i"],
        "number",
        "a number of a printed row by its word, or of a printed list by its index from 0",
        "gain(me, wisp, field(own, yield, wisp))",
    ),
    native("counter", &["c", "NAME"], "number", "a counter on a card", "gain(me, wisp, counter(own, bites))"),
    native("age_of", &["c"], "number", "the age of a card", "if age_of(own) > 1 { gain(me, wisp, 1) }"),
    native("is", &["c", "KIND"], "yes or no", "whether a card is of a kind", "if is(own, wolf) { gain(me, wisp, 1) }"),
    native("min", &["a", "b"], "number", "the smaller of two numbers", "gain(me, wisp, min(2, moss(me)))"),
    native("max", &["a", "b"], "number", "the larger of two numbers", "gain(me, wisp, max(0, moss(me) - 2))"),
    native("abs", &["a"], "number", "a number without its sign", "gain(me, wisp, abs(moss(me) - 3))"),
    native("debug", &["x"], "", "writes a value into the log, with the card and the line", "debug(wisp(me))"),
];

/// Registers all functions with the rhai engine.
pub(super) fn register(engine: &mut Engine, context: &Rc<ScriptContext>) {
    rules::register(engine, context);
    read::register(engine, context);
    act::register(engine, context);
}

/// Formats a value for messages and the log. Numbers that stand for words are shown as words.
pub(super) fn format_value(words: &WordTable, value: &Dynamic) -> String {
    if let Ok(number) = value.as_int() {
        return words.text(number);
    }
    if let Ok(truth) = value.as_bool() {
        return if truth { "yes" } else { "no" }.to_string();
    }
    if let Some(list) = value.read_lock::<Array>() {
        return format!("[{}]", list.iter().map(|v| format_value(words, v)).collect::<Vec<_>>().join(", "));
    }
    if value.is_unit() { "nothing".to_string() } else { numbers_to_words(words, &value.to_string()) }
}

/// Replaces each number in a text that stands for a word by that word.
fn numbers_to_words(words: &WordTable, text: &str) -> String {
    let mut named = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let end = rest[at..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |n| at + n);
        named.push_str(&rest[..at]);
        named.push_str(&rest[at..end].parse().map_or(rest[at..end].to_string(), |number| words.text(number)));
        rest = &rest[end..];
    }
    named + rest
}
