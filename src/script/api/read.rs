//! Natives that read seats, places and cards, as visible to the acting seat.

use super::super::host::{NativeResult, ScriptContext};
use super::format_value;
use super::words::Several;
use crate::cast;
use crate::engine::ruleset::{Definition, Ruleset};
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

/// Reads what is printed on a card, and records the read if reads are being tracked; 0 or no without a card.
fn read_printed<T: PartialEq + Default>(store: &mut Store<'_>, c: i64, printed: impl Fn(&Definition) -> T) -> Result<T, Stop> {
    let rules = store.rules;
    let fact = |card| printed(rules.definition(card));
    Ok(card(rules, c)?.map_or_else(T::default, |card| {
        store.watch_fact(card, fact);
        fact(card)
    }))
}

fn seats_in_order(store: &mut Store<'_>) -> impl Iterator<Item = i64> {
    let rules = store.rules;
    (0..rules.players).map(|place| store.cell(head::ORDER + place) as i64)
}

impl ScriptContext {
    /// Returns the cards in a public place, in order.
    pub fn list_cards(&self, machine: &mut Machine<'_>, [p, place]: [i64; 2]) -> Result<Vec<i64>, Stop> {
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

    pub fn list_seats(&self, machine: &mut Machine<'_>, []: [i64; 0]) -> Result<Vec<i64>, Stop> {
        Ok(seats_in_order(&mut machine.store).collect())
    }

    pub fn list_other_seats(&self, machine: &mut Machine<'_>, [p]: [i64; 1]) -> Result<Vec<i64>, Stop> {
        seat(machine.store.rules, p)?;
        Ok(seats_in_order(&mut machine.store).filter(|&other| other != p).collect())
    }

    pub fn read_field(&self, machine: &mut Machine<'_>, [c, field]: [i64; 2]) -> Result<i64, Stop> {
        let at = self.words.printed_number(field)? as usize;
        read_printed(&mut machine.store, c, |definition| definition.fields.get(at).map_or(0, |&n| n as i64))
    }

    pub fn read_field_at(&self, machine: &mut Machine<'_>, [c, field, index]: [i64; 3]) -> Result<i64, Stop> {
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

    pub fn read_counter(&self, machine: &mut Machine<'_>, [c, name]: [i64; 2]) -> Result<i64, Stop> {
        let store = &mut machine.store;
        let rules = store.rules;
        let variable = &rules.piece[self.words.card_counter(name)? as usize];
        Ok(card(rules, c)?.map_or(0, |card| {
            store.watch_counters(card);
            store.cell(rules.layout.piece(card, variable.offset as usize)) as i64
        }))
    }

    pub fn read_age(&self, machine: &mut Machine<'_>, [c]: [i64; 1]) -> Result<i64, Stop> {
        read_printed(&mut machine.store, c, |definition| definition.age as i64)
    }

    pub fn is_of_kind(&self, machine: &mut Machine<'_>, [c, kind]: [i64; 2]) -> Result<bool, Stop> {
        let kind = self.words.kind(kind)?;
        read_printed(&mut machine.store, c, |definition| definition.kind == kind)
    }

    pub fn smaller(&self, _: &mut Machine<'_>, [a, b]: [i64; 2]) -> Result<i64, Stop> {
        Ok(a.min(b))
    }

    pub fn larger(&self, _: &mut Machine<'_>, [a, b]: [i64; 2]) -> Result<i64, Stop> {
        Ok(a.max(b))
    }

    pub fn without_sign(&self, _: &mut Machine<'_>, [a]: [i64; 1]) -> Result<i64, Stop> {
        Ok(a.saturating_abs())
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

/// Makes `debug` known to rhai, which takes values of every type.
pub(super) fn register_debug(engine: &mut Engine, context: &Rc<ScriptContext>) {
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
