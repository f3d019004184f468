//! Natives that read seats, places and cards, as visible to the acting seat.

use super::super::host::{NativeResult, ScriptContext};
use super::format_value;
use super::words::Several;
use crate::cast;
use crate::engine::ruleset::Ruleset;
use crate::engine::{Machine, Stop, Store, position};
use crate::state::layout::head;
use rhai::{Array, Dynamic, Engine, FnPtr, ImmutableString, Map, NativeCallContext};
use std::any::TypeId;
use std::rc::Rc;

/// What is said of a value that is no player, or no card.
const NO_PLAYER: &str = "this is no player: write `me`, `player`, or one of `seats()`";
const NO_CARD: &str = "this is no card: write `own`, `card`, or one of `cards(me, PLACE)`";

/// Converts a script value to a seat index.
pub(crate) fn seat(rules: &Ruleset, p: i64) -> Result<usize, Stop> {
    match usize::try_from(p) {
        Ok(seat) if seat < rules.players => Ok(seat),
        _ => Err(Stop::fault(NO_PLAYER)),
    }
}

/// Converts a script value to the index of a card. -1 means no card.
pub(crate) fn card(rules: &Ruleset, c: i64) -> Result<Option<usize>, Stop> {
    match usize::try_from(c) {
        Ok(card) if card < rules.layout.pieces => Ok(Some(card)),
        _ if c == -1 => Ok(None),
        _ => Err(Stop::fault(NO_CARD)),
    }
}

/// Reads a fact about a card, and records the read if reads are being tracked.
fn note_read<T: PartialEq>(store: &mut Store<'_>, card: usize, fact: impl Fn(usize) -> T) -> T {
    store.watch_fact(card, &fact);
    fact(card)
}

fn seats_in_order(store: &mut Store<'_>) -> impl Iterator<Item = i64> {
    let rules = store.rules;
    (0..rules.players).map(|place| store.cell(head::ORDER + place) as i64)
}

impl ScriptContext {
    /// Returns the cards in a public place, in order.
    fn list_cards(&self, machine: &mut Machine<'_>, p: i64, place: i64) -> Result<Vec<i64>, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let seat = seat(rules, p)?;
        let place = self.words.open_place(place)? as usize;
        let at = &rules.layout.places[position::instance(rules, place, seat)];
        let base = at.base as usize;
        let count = if at.room == 0 { 0 } else { store.cell(base) };
        let mut cards = Vec::with_capacity(cast::index(count.max(0)));
        if count > 0 {
            cards.extend((1..=at.room as usize).map(|slot| store.cell(base + slot) as i64 - 1).filter(|&card| card >= 0));
        }
        Ok(cards)
    }

    fn list_seats(&self, machine: &mut Machine<'_>) -> Result<Vec<i64>, Stop> {
        Ok(seats_in_order(&mut machine.store).collect())
    }

    fn list_other_seats(&self, machine: &mut Machine<'_>, p: i64) -> Result<Vec<i64>, Stop> {
        seat(machine.store.rules, p)?;
        Ok(seats_in_order(&mut machine.store).filter(|&other| other != p).collect())
    }

    fn read_field(&self, machine: &mut Machine<'_>, c: i64, field: i64) -> Result<i64, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let at = self.words.printed_number(field)? as usize;
        let printed = |card: usize| rules.definition(card).fields.get(at).map_or(0, |&n| n as i64);
        Ok(card(rules, c)?.map_or(0, |card| note_read(store, card, printed)))
    }

    fn read_field_at(&self, machine: &mut Machine<'_>, c: i64, field: i64, index: i64) -> Result<i64, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let card = card(rules, c)?;
        card.into_iter().for_each(|card| store.watch_fact(card, |card| rules.definition(card).fields.clone()));
        let fields = card.map_or(&[][..], |card| &rules.definition(card).fields);
        let at = match self.words.printed_several(field)? {
            Several::Row(offset, len) => {
                let index = self.words.index_in_row(index, len as usize)?;
                return Ok(fields.get(offset as usize + index).map_or(0, |&n| n as i64));
            }
            Several::List(at) => at,
        };
        let index = self.words.expect_number(index)?;
        let at = fields.get(at as usize).map_or(0, |&at| cast::index(at.max(0)));
        let len = if at == 0 { 0 } else { rules.pool.get(at).map_or(0, |&n| n as i64) };
        let inside = at > 0 && (0..len).contains(&index);
        Ok(if inside { rules.pool.get(at + 1 + cast::index(index)).map_or(0, |&n| n as i64) } else { 0 })
    }

    fn read_counter(&self, machine: &mut Machine<'_>, c: i64, name: i64) -> Result<i64, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let variable = &rules.piece[self.words.card_counter(name)? as usize];
        Ok(card(rules, c)?.map_or(0, |card| {
            store.watch_counters(card);
            store.cell(rules.layout.piece(card, variable.offset as usize)) as i64
        }))
    }

    fn read_age(&self, machine: &mut Machine<'_>, c: i64) -> Result<i64, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let age = |card: usize| rules.definition(card).age as i64;
        Ok(card(rules, c)?.map_or(0, |card| note_read(store, card, age)))
    }

    fn is_of_kind(&self, machine: &mut Machine<'_>, c: i64, kind: i64) -> Result<bool, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let kind = self.words.kind(kind)?;
        Ok(card(rules, c)?.is_some_and(|card| note_read(store, card, |card| rules.definition(card).kind == kind)))
    }

    fn log_value(&self, call_context: &NativeCallContext, value: &Dynamic) -> NativeResult<()> {
        self.with_game(|machine| {
            machine.store.log_line(|| {
                let owner = self.script().map_or("", |script| script.owner.as_str());
                let line = call_context.call_position().line().unwrap_or(1);
                format!("{owner}, line {line}: {}", format_value(&self.words, value))
            });
            Ok(())
        })
    }
}

/// What a native gives.
pub(crate) trait Given: Into<Dynamic> {
    /// Returns it for a script that runs without rhai: nothing is 0, and truth 1 or 0.
    fn number(self) -> i64;
}

impl Given for () {
    fn number(self) -> i64 {
        0
    }
}

impl Given for i64 {
    fn number(self) -> i64 {
        self
    }
}

impl Given for bool {
    fn number(self) -> i64 {
        self.into()
    }
}

impl Given for Vec<i64> {
    /// A list is no number: [`super::find_native`] does not give what makes one.
    fn number(self) -> i64 {
        cast::count(self.len())
    }
}

/// Makes methods of `ScriptContext`, whose parameters are all integers, known to rhai, and to scripts that run without it.
macro_rules! natives {
    ($($name:literal = $method:ident($($arg:ident),*)),* $(,)?) => {
        fn register_natives(engine: &mut Engine, context: &Rc<ScriptContext>) {
            $({
                let context = Rc::clone(context);
                engine.register_fn($name, move |$($arg: i64),*| {
                    context.with_game(|machine| context.$method(machine, $($arg),*)).map(Into::<rhai::Dynamic>::into)
                });
            })*
        }

        /// Returns the native with this name and so many parameters, if there is one here.
        pub(crate) fn find(name: &str, params: usize) -> Option<crate::lowered::Native> {
            $(if name == $name && params == <[&str]>::len(&[$(stringify!($arg)),*]) {
                return Some(|context, machine, given| match given {
                    &[$($arg),*] => context.$method(machine, $($arg),*).map(crate::api::read::Given::number),
                    _ => Err(Stop::fault("a function was called with too many or too few values")),
                });
            })*
            None
        }
    };
}
pub(super) use natives;

natives! {
    "cards" = list_cards(p, place),
    "seats" = list_seats(),
    "others" = list_other_seats(p),
    "field" = read_field(c, f),
    "field" = read_field_at(c, f, i),
    "counter" = read_counter(c, name),
    "age_of" = read_age(c),
    "is" = is_of_kind(c, kind),
}

/// Returns the native of numbers alone with this name and so many parameters.
pub(crate) fn find_plain(name: &str, params: usize) -> Option<crate::lowered::Native> {
    Some(match (name, params) {
        ("min", 2) => |_, _, given| Ok(given[0].min(given[1])),
        ("max", 2) => |_, _, given| Ok(given[0].max(given[1])),
        ("abs", 1) => |_, _, given| Ok(given[0].saturating_abs()),
        _ => return None,
    })
}

/// Returns the native with this name and so many parameters that gives a list.
pub(crate) fn find_list(name: &str, params: usize) -> Option<crate::lowered::NativeList> {
    Some(match (name, params) {
        ("cards", 2) => |context, machine, given| context.list_cards(machine, given[0], given[1]),
        ("seats", 0) => |context, machine, _| context.list_seats(machine),
        ("others", 1) => |context, machine, given| context.list_other_seats(machine, given[0]),
        _ => return None,
    })
}

pub(super) fn register(engine: &mut Engine, context: &Rc<ScriptContext>) {
    register_natives(engine, context);
    engine.register_fn("min", |a: i64, b: i64| a.min(b));
    engine.register_fn("max", |a: i64, b: i64| a.max(b));
    engine.register_fn("abs", |a: i64| a.saturating_abs());
    // rhai has a `debug` for some types, which would take precedence over a generic one.
    let types = [
        TypeId::of::<Dynamic>(),
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
        TypeId::of::<ImmutableString>(),
        TypeId::of::<bool>(),
        TypeId::of::<char>(),
        TypeId::of::<()>(),
        TypeId::of::<FnPtr>(),
    ];
    for sort in types {
        let context = Rc::clone(context);
        engine.register_raw_fn("debug", [sort], move |call_context, args| {
            let value = args.first().map_or(Dynamic::UNIT, |value| value.flatten_clone());
            context.log_value(&call_context, &value)
        });
    }
}
