//! The functions that scripts can call: a fixed table of natives, and functions derived from the declarations of the rules.

mod act;
pub(super) mod read;
pub(super) mod rules;
pub(super) mod words;

use super::host::{NativeResult, ScriptContext};
use super::wanted::Wanted;
use crate::engine::{Machine, Stop};
use rhai::{Array, Dynamic, Engine};
use std::rc::Rc;
use words::WordTable;

pub use rules::rule_natives;

/// A native function, available to every script.
#[derive(Debug)]
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
    /// What each parameter wants.
    pub(crate) wanted: &'static [Wanted],
    pub(crate) run: Run,
}

/// The code of a native. It is handed as many values as it has parameters.
pub(crate) type Work<T> = fn(&ScriptContext, &mut Machine<'_>, &[i64]) -> Result<T, Stop>;

/// What a native does, by what it gives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    Nothing(Work<()>),
    Number(Work<i64>),
    Truth(Work<bool>),
    List(Work<Vec<i64>>),
    /// Only rhai has it.
    Rhai,
}

impl Run {
    /// Returns the sort of what it gives; `None` if only rhai has it.
    pub fn sort(self) -> Option<Sort> {
        match self {
            Run::Nothing(_) => Some(Sort::Nothing),
            Run::Number(_) => Some(Sort::Number),
            Run::Truth(_) => Some(Sort::Truth),
            Run::List(_) => Some(Sort::List),
            Run::Rhai => None,
        }
    }

    /// Runs the native, unless it gives a list: nothing is 0, and truth 1 or 0.
    pub fn number(self, context: &ScriptContext, machine: &mut Machine<'_>, given: &[i64]) -> Result<i64, Stop> {
        match self {
            Run::Nothing(work) => work(context, machine, given).map(|()| 0),
            Run::Number(work) => work(context, machine, given),
            Run::Truth(work) => work(context, machine, given).map(i64::from),
            Run::List(_) | Run::Rhai => Ok(0),
        }
    }
}

/// What a value of a script is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Number,
    Truth,
    List,
    Nothing,
}

impl Sort {
    /// Converts a number that stands for a value of this sort to what rhai knows.
    pub fn dynamic(self, number: i64) -> Dynamic {
        match self {
            Sort::Number | Sort::List => number.into(),
            Sort::Truth => (number != 0).into(),
            Sort::Nothing => Dynamic::UNIT,
        }
    }
}

/// Returns values as a native takes them.
fn exactly<const N: usize>(given: &[i64]) -> Result<[i64; N], Stop> {
    given.try_into().map_err(|_| Stop::fault("a function was called with too many or too few values"))
}

impl Native {
    /// Formats the signature, as in `gain(p, r, n)`, followed by the result if there is one.
    pub fn signature(&self) -> String {
        signature(self.name, self.params, self.result)
    }
}

/// The description of a truth value as the result of a function.
pub(crate) const TRUTH_RESULT: &str = "yes or no";

fn signature(name: &str, params: &[&str], gives: &str) -> String {
    let arrow = if gives.is_empty() { String::new() } else { format!(" -> {gives}") };
    format!("{name}({}){arrow}", params.join(", "))
}

/// Returns the native with this name and so many parameters.
pub(super) fn find_native(name: &str, params: usize) -> Option<&'static Native> {
    NATIVES.iter().find(|native| native.name == name && native.params.len() == params)
}

/// Returns all native functions. They do not depend on the rules.
pub fn natives() -> &'static [Native] {
    NATIVES
}

/// Makes the table of all natives: the name of each, with its parameters and what each of them wants; what it gives, if anything; the
/// method of [`ScriptContext`] that does it; what it does in words; and an example.
macro_rules! natives {
    ($(
        $name:ident($($param:ident: $wants:ident),*) $(-> $gives:ident $result:literal)? = $method:ident, $doc:literal, $example:literal;
    )*) => {
        static NATIVES: &[Native] = &[$(Native {
            name: stringify!($name),
            params: &[$(stringify!($param)),*],
            result: concat!($($result)?),
            doc: $doc,
            example: $example,
            wanted: &[$(natives!(@wanted $wants)),*],
            run: natives!(@run $method $($gives)?),
        }),*];
    };
    (@wanted anything) => { Wanted::Anything };
    (@wanted player) => { Wanted::Player };
    (@wanted card) => { Wanted::Card };
    (@wanted number) => { Wanted::Number };
    (@wanted $word:ident) => { Wanted::Word(|words, value| words.$word(value).map(drop)) };
    (@run by_rhai) => { Run::Rhai };
    (@run $method:ident) => { natives!(@run $method Nothing) };
    (@run $method:ident $gives:ident) => { Run::$gives(|context, machine, given| context.$method(machine, exactly(given)?)) };
}

// A test runs each example with the small game in `grammar/`.
natives! {
    gain(p: player, r: resource, n: number) = gain, "a player gains a number of a resource; less than 1 is nothing", "gain(me, wisp, 2)";
    lose(p: player, r: resource, n: number) = lose,
        "a forced loss; what is missing is dealt with by the rules when the script has ended", "lose(me, wisp, 2)";
    lose(p: player, r: resource, n: number, NAME: loss) = lose_named,
        "a forced loss that cards may replace by its name", "lose(me, wisp, 2, storm)";
    pay(p: player, r: resource, n: number) = pay,
        "a player pays what it has; not to have it is a fault of the card: see `cost`", "pay(me, wisp, 1)";
    add(p: player, COUNTER: counter, n: number) = add_to_counter, "adds to a counter of a player", "add(me, dens, 1)";
    set(p: player, COUNTER: writable, n: anything) = set_counter,
        "sets a counter or flag of a player; a flag to yes or no", "set(me, passed, yes)";
    add_card(c: card, COUNTER: writable_card_counter, n: number) = add_to_card_counter,
        "adds to a counter on a card", "add_card(own, bites, 1)";
    remove(c: card) = remove_card, "takes a card out of the game", "remove(own)";
    place(c: card, PLACE: place) = place_card, "places a card into a free slot of a place of `me` or of the table", "place(own, den)";
    order_first(p: player) = move_to_front_of_order, "moves a player to the first place of the order", "order_first(me)";
    order_last(p: player) = move_to_end_of_order, "moves a player to the last place of the order", "order_last(me)";
    differ(p: player, q: quantity, n: number, LIFETIME: lifetime) = add_difference,
        "a quantity differs by n until the end of the action, turn, step, round or game", "differ(me, fame, -1, round)";
    moment(MOMENT: moment) = raise_moment, "raises a moment of `me`; cards hear it when the script has ended", "moment(dusk)";
    cards(p: player, PLACE: open_place) -> List "list of cards" = list_cards,
        "the cards in a place of a player or of the table", "for c in cards(me, yard) { add_card(c, bites, 1) }";
    seats() -> List "list of players" = list_seats, "all players in turn order", "for p in seats() { gain(p, wisp, 1) }";
    others(p: player) -> List "list of players" = list_other_seats,
        "all other players in turn order", "for p in others(me) { lose(p, wisp, 1) }";
    field(c: card, F: printed_number) -> Number "number" = read_field,
        "a number printed on a card, 0 without one", "gain(me, wisp, field(own, height))";
    field(c: card, F: printed_several, i: anything) -> Number "number" = read_field_at,
        "a number of a printed row by its word, or of a printed list by its index from 0", "gain(me, wisp, field(own, yield, wisp))";
    counter(c: card, NAME: card_counter) -> Number "number" = read_counter, "a counter on a card", "gain(me, wisp, counter(own, bites))";
    age_of(c: card) -> Number "number" = read_age, "the age of a card", "if age_of(own) > 1 { gain(me, wisp, 1) }";
    is(c: card, KIND: kind) -> Truth "yes or no" = is_of_kind, "whether a card is of a kind", "if is(own, wolf) { gain(me, wisp, 1) }";
    min(a: number, b: number) -> Number "number" = smaller, "the smaller of two numbers", "gain(me, wisp, min(2, moss(me)))";
    max(a: number, b: number) -> Number "number" = larger, "the larger of two numbers", "gain(me, wisp, max(0, moss(me) - 2))";
    abs(a: number) -> Number "number" = without_sign, "a number without its sign", "gain(me, wisp, abs(moss(me) - 3))";
    debug(x: anything) = by_rhai, "writes a value into the log, with the card and the line", "debug(wisp(me))";
}

/// Registers all functions with the rhai engine.
pub(super) fn register(engine: &mut Engine, context: &Rc<ScriptContext>) {
    rules::register(engine, context);
    for Native { name, params, run, .. } in NATIVES {
        let (context, Some(sort)) = (Rc::clone(context), run.sort()) else { continue };
        let call = move |given: &[i64]| -> NativeResult<Dynamic> {
            context.with_game(|machine| match run {
                Run::List(work) => work(&context, machine, given).map(Into::into),
                run => run.number(&context, machine, given).map(|number| sort.dynamic(number)),
            })
        };
        match params.len() {
            0 => engine.register_fn(*name, move || call(&[])),
            1 => engine.register_fn(*name, move |a: i64| call(&[a])),
            2 => engine.register_fn(*name, move |a: i64, b: i64| call(&[a, b])),
            3 => engine.register_fn(*name, move |a: i64, b: i64, c: i64| call(&[a, b, c])),
            _ => engine.register_fn(*name, move |a: i64, b: i64, c: i64, d: i64| call(&[a, b, c, d])),
        };
    }
    let host = Rc::clone(context);
    engine.register_fn("set", move |p: i64, counter: i64, truth: bool| {
        host.with_game(|machine| host.set_counter(machine, [p, counter, truth.into()]))
    });
    read::register_debug(engine, context);
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
