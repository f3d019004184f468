//! What scripts can read: seats, places and cards, seen as the seat that acts sees them.

use super::super::host::{Out, Shell};
use super::show;
use crate::cast;
use crate::engine::ruleset::{Ruleset, Shape};
use crate::engine::{Machine, Stop, position};
use crate::state::layout::head;
use rhai::{Array, Dynamic, Engine, FnPtr, ImmutableString, Map, NativeCallContext};
use std::any::TypeId;
use std::rc::Rc;

/// A seat that a script names.
pub(super) fn seat(rules: &Ruleset, p: i64) -> Result<usize, Stop> {
    match usize::try_from(p) {
        Ok(seat) if seat < rules.players => Ok(seat),
        _ => Err(Stop::fault("this is no player: write `me`, `player`, or one of `seats()`")),
    }
}

/// A card that a script names; -1 stands for none.
pub(super) fn card(rules: &Ruleset, c: i64) -> Result<Option<usize>, Stop> {
    match usize::try_from(c) {
        Ok(card) if card < rules.layout.pieces => Ok(Some(card)),
        _ if c == -1 => Ok(None),
        _ => Err(Stop::fault("this is no card: write `own`, `card`, or one of `cards(me, PLACE)`")),
    }
}

/// The cards in an open place, in order.
fn cards_in(shell: &Shell, machine: &mut Machine<'_>, p: i64, place: i64) -> Result<Vec<i64>, Stop> {
    let rules = machine.rules;
    let seat = seat(rules, p)?;
    let place = shell.words.want(place, "a place", |m| m.place)? as usize;
    if rules.places[place].shape == Shape::Deck {
        return Err(Stop::fault(format!("`{}` lies face down: nobody may look into it", rules.places[place].name)));
    }
    let at = &rules.layout.places[position::instance(rules, place, seat)];
    let base = at.base as usize;
    let count = if at.room == 0 { 0 } else { machine.cell(base) };
    let mut cards = Vec::with_capacity(cast::index(count.max(0)));
    if count > 0 {
        cards.extend((1..=at.room as usize).map(|slot| machine.cell(base + slot) as i64 - 1).filter(|&card| card >= 0));
    }
    Ok(cards)
}

/// What is read of a card, which is noted if the game is watched.
fn looked_at<T: PartialEq>(machine: &mut Machine<'_>, card: usize, fact: impl Fn(usize) -> T) -> T {
    machine.touch(card, &fact);
    fact(card)
}

fn in_order(machine: &mut Machine<'_>) -> impl Iterator<Item = i64> {
    let rules = machine.rules;
    (0..rules.players).map(|place| machine.cell(head::ORDER + place) as i64)
}

fn list(values: impl Iterator<Item = i64>) -> Array {
    values.map(Dynamic::from_int).collect()
}

impl Shell {
    fn cards(&self, p: i64, place: i64) -> Out<Array> {
        self.act(|machine| Ok(list(cards_in(self, machine, p, place)?.into_iter())))
    }

    fn seats(&self) -> Out<Array> {
        self.act(|machine| Ok(list(in_order(machine))))
    }

    fn others(&self, p: i64) -> Out<Array> {
        self.act(|machine| {
            let rules = machine.rules;
            seat(rules, p)?;
            Ok(list(in_order(machine).filter(|&other| other != p)))
        })
    }

    fn field(&self, c: i64, field: i64) -> Out<i64> {
        self.act(|machine| {
            let rules = machine.rules;
            let at = match self.words.want(field, "printed on any card", |m| Some(m.number.ok_or(m.row.or(m.list.map(|l| (l, 1))))))? {
                Ok(at) => at as usize,
                Err(Some(_)) => {
                    return Err(Stop::fault(format!(
                        "`{0}` is printed as several numbers; say which one: `field(c, {0}, …)`",
                        self.words.text(field)
                    )));
                }
                Err(None) => return Err(Stop::fault(format!("`{}` is not printed on any card", self.words.text(field)))),
            };
            let printed = |card: usize| rules.definition(card).fields.get(at).map_or(0, |&n| n as i64);
            Ok(card(rules, c)?.map_or(0, |card| looked_at(machine, card, printed)))
        })
    }

    fn field_at(&self, c: i64, field: i64, index: i64) -> Out<i64> {
        self.act(|machine| {
            let rules = machine.rules;
            let card = card(rules, c)?;
            card.into_iter().for_each(|card| machine.touch(card, |card| rules.definition(card).fields.clone()));
            let fields = card.map_or(&[][..], |card| &rules.definition(card).fields);
            let (row, list) = self.words.want(field, "printed on any card", |m| Some((m.row, m.list)))?;
            if let Some((offset, len)) = row {
                let index = self.words.index_in_row(index, len as usize)?;
                return Ok(fields.get(offset as usize + index).map_or(0, |&n| n as i64));
            }
            let Some(at) = list else {
                return Err(Stop::fault(format!("`{0}` is not printed as several numbers; write `field(c, {0})`", self.words.text(field))));
            };
            let index = self.words.number(index)?;
            let at = fields.get(at as usize).map_or(0, |&at| cast::index(at.max(0)));
            let len = if at == 0 { 0 } else { rules.pool.get(at).map_or(0, |&n| n as i64) };
            let inside = at > 0 && (0..len).contains(&index);
            Ok(if inside { rules.pool.get(at + 1 + cast::index(index)).map_or(0, |&n| n as i64) } else { 0 })
        })
    }

    fn counter(&self, c: i64, name: i64) -> Out<i64> {
        self.act(|machine| {
            let rules = machine.rules;
            let variable = &rules.piece[self.words.want(name, "a counter of cards", |m| m.piece)? as usize];
            Ok(card(rules, c)?.map_or(0, |card| {
                machine.touch_counters(card);
                machine.cell(rules.layout.piece(card, variable.offset as usize)) as i64
            }))
        })
    }

    fn age_of(&self, c: i64) -> Out<i64> {
        self.act(|machine| {
            let rules = machine.rules;
            let age = |card: usize| rules.definition(card).age as i64;
            Ok(card(rules, c)?.map_or(0, |card| looked_at(machine, card, age)))
        })
    }

    fn is(&self, c: i64, kind: i64) -> Out<bool> {
        self.act(|machine| {
            let rules = machine.rules;
            let kind = self.words.want(kind, "a kind of card", |m| m.kind)?;
            Ok(card(rules, c)?.is_some_and(|card| looked_at(machine, card, |card| rules.definition(card).kind == kind)))
        })
    }

    fn debug(&self, context: &NativeCallContext, value: &Dynamic) -> Out<()> {
        self.act(|machine| {
            machine.say(|| {
                let owner = self.script().map_or("", |script| script.owner.as_str());
                let line = context.call_position().line().unwrap_or(1);
                format!("{owner}, line {line}: {}", show(&self.words, value))
            });
            Ok(())
        })
    }
}

/// Makes a method of the shell a function of scripts, all of whose parameters are whole numbers.
macro_rules! functions {
    ($engine:expr, $shell:expr, $($name:literal = $method:ident($($arg:ident),*)),* $(,)?) => {$({
        let shell = Rc::clone($shell);
        $engine.register_fn($name, move |$($arg: i64),*| shell.$method($($arg),*));
    })*};
}
pub(super) use functions;

pub(super) fn register(engine: &mut Engine, shell: &Rc<Shell>) {
    functions!(
        engine,
        shell,
        "cards" = cards(p, place),
        "seats" = seats(),
        "others" = others(p),
        "field" = field(c, f),
        "field" = field_at(c, f, i),
        "counter" = counter(c, name),
        "age_of" = age_of(c),
        "is" = is(c, kind),
    );
    engine.register_fn("min", |a: i64, b: i64| a.min(b));
    engine.register_fn("max", |a: i64, b: i64| a.max(b));
    engine.register_fn("abs", |a: i64| a.saturating_abs());
    // rhai has a `debug` of its own for some types, which would be nearer than one for all.
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
        let shell = Rc::clone(shell);
        engine.register_raw_fn("debug", [sort], move |context, args| {
            let value = args.first().map_or(Dynamic::UNIT, |value| value.flatten_clone());
            shell.debug(&context, &value)
        });
    }
}
