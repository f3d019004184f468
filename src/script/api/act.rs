//! What scripts can do. A change happens at once; what it sets off, and what could ask, waits until the script has ended.

use super::super::host::{Out, Shell};
use super::read::{card, functions, seat};
use crate::engine::decision::Question;
use crate::engine::ruleset::{Ruleset, Shape};
use crate::engine::{Act, Game, Opt, Stop};
use crate::state::layout::OUT;
use rhai::{Array, Engine};
use std::rc::Rc;

impl Shell {
    fn gain(&self, p: i64, r: i64, n: i64) -> Out<()> {
        self.act(|game, rules| {
            let resource = self.words.want(r, "a resource", |m| m.resource)?;
            game.gain(rules, seat(rules, p)?, resource as usize, self.words.number(n)?)
        })
    }

    fn lose(&self, p: i64, r: i64, n: i64) -> Out<()> {
        self.act(|game, rules| {
            let resource = self.words.want(r, "a resource", |m| m.resource)?;
            game.lose_later(rules, seat(rules, p)?, resource as usize, self.words.number(n)?, None)
        })
    }

    fn lose_named(&self, p: i64, r: i64, n: i64, name: i64) -> Out<()> {
        self.act(|game, rules| {
            let resource = self.words.want(r, "a resource", |m| m.resource)?;
            let name = self.words.want(name, "the name of a loss", |m| m.named)?;
            game.lose_later(rules, seat(rules, p)?, resource as usize, self.words.number(n)?, Some(name))
        })
    }

    fn spend(&self, p: i64, r: i64, n: i64) -> Out<()> {
        self.act(|game, rules| {
            let resource = self.words.want(r, "a resource", |m| m.resource)?;
            game.pay(rules, seat(rules, p)?, &[(resource as usize, self.words.number(n)?)])
        })
    }

    fn add(&self, p: i64, counter: i64, n: i64) -> Out<()> {
        self.act(|game, rules| {
            let (offset, flag) = self.words.writable(counter)?;
            if flag {
                return Err(Stop::fault(format!("`{0}` is a flag; write `set(me, {0}, yes)`", self.words.text(counter))));
            }
            let seat = seat(rules, p)?;
            let old = game.cells()[rules.layout.seat(seat, offset)] as i64;
            game.write_seat(rules, seat, offset, old + self.words.number(n)?)
        })
    }

    fn set(&self, p: i64, counter: i64, n: i64) -> Out<()> {
        self.act(|game, rules| {
            let (offset, flag) = self.words.writable(counter)?;
            let value = if flag { self.truth(n)? as i64 } else { self.words.number(n)? };
            game.write_seat(rules, seat(rules, p)?, offset, value)
        })
    }

    fn truth(&self, value: i64) -> Result<bool, Stop> {
        match (value, self.words.meaning(value).and_then(|m| m.truth)) {
            (_, Some(truth)) => Ok(truth),
            (0 | 1, None) => Ok(value == 1),
            _ => Err(Stop::fault(format!("a flag is yes or no, not {}", self.words.text(value)))),
        }
    }

    fn add_card(&self, c: i64, counter: i64, n: i64) -> Out<()> {
        self.act(|game, rules| {
            let variable = &rules.piece[self.words.want(counter, "a counter of cards", |m| m.piece)? as usize];
            let n = self.words.number(n)?;
            let Some(card) = card(rules, c)? else { return Ok(()) };
            let old = game.cells()[rules.layout.piece(card, variable.offset as usize)] as i64;
            game.write_piece(rules, card, variable.offset as usize, old + n)
        })
    }

    fn remove(&self, c: i64) -> Out<()> {
        self.act(|game, rules| match card(rules, c)? {
            Some(card) => game.remove(rules, card),
            None => Ok(()),
        })
    }

    fn put(&self, c: i64, place: i64) -> Out<()> {
        self.act(|game, rules| {
            let place = self.words.want(place, "a place", |m| m.place)? as usize;
            let Some(card) = card(rules, c)? else { return Ok(()) };
            let declared = &rules.places[place];
            let kind = rules.definition(card).kind;
            if declared.kinds != 0 && declared.kinds >> kind & 1 == 0 {
                let kind = rules.kinds.get(kind as usize).map_or("?", |k| rules.names.text(k.name));
                return Err(Stop::fault(format!("cards of kind `{kind}` do not go into `{}`", declared.name)));
            }
            let instance = Game::instance(rules, place, self.me());
            let room = rules.layout.places[instance].room as i64;
            let limit = declared.limit.map_or(room, |quantity| game.quantity(rules, quantity, self.me(), [-1; 2]));
            let Some(slot) = game.free_slot(rules, instance, limit) else {
                return Err(Stop::fault(format!("no place is free in `{}`", declared.name)));
            };
            game.move_piece(rules, card, instance, slot)?;
            game.after_change(rules)
        })
    }

    fn draw(&self, deck: i64, number: i64) -> Out<i64> {
        self.act(|game, rules| {
            let place = self.words.want(deck, "a deck", |m| m.place)? as usize;
            let declared = &rules.places[place];
            let number = self.words.number(number)?;
            if declared.shape != Shape::Deck {
                return Err(Stop::fault(format!("`{}` is no deck", declared.name)));
            }
            if number < 1 || number > declared.instances as i64 {
                return Err(Stop::fault(format!(
                    "there is no deck `{}[{number}]`; they go from 1 to {}",
                    declared.name, declared.instances
                )));
            }
            let instance = declared.first as usize + number as usize - 1;
            let Some(card) = game.draw_card(rules, instance)? else { return Ok(-1) };
            // Out of its deck and open to all; a script that wants to keep it puts it somewhere.
            game.move_piece(rules, card, OUT, 0)?;
            game.after_change(rules)?;
            Ok(card as i64)
        })
    }

    fn order_first(&self, p: i64) -> Out<()> {
        self.act(|game, rules| game.order_to(rules, seat(rules, p)?, false))
    }

    fn order_last(&self, p: i64) -> Out<()> {
        self.act(|game, rules| game.order_to(rules, seat(rules, p)?, true))
    }

    fn differ(&self, p: i64, quantity: i64, n: i64, lifetime: i64) -> Out<()> {
        self.act(|game, rules| {
            let quantity = self.words.want(quantity, "a quantity that can differ", |m| m.quantity)?;
            let lifetime = self.words.want(lifetime, "a time; write action, turn, step, round or game", |m| m.lifetime)?;
            game.differ(rules, seat(rules, p)?, quantity as usize, self.words.number(n)?, lifetime)
        })
    }

    fn raise(&self, moment: i64) -> Out<()> {
        self.act(|game, rules| {
            let moment = self.words.want(moment, "a moment", |m| m.moment)?;
            game.raise_later(rules, moment, self.me(), -1)
        })
    }

    fn random(&self, n: i64) -> Out<i64> {
        self.act(|game, rules| {
            let n = self.words.number(n)?;
            if n < 1 {
                return Err(Stop::fault(format!("`random({n})` has nothing to choose from")));
            }
            match card(rules, self.own() as i64)? {
                Some(own) => game.random(rules, own, n),
                None => Err(Stop::fault("only a card has chance of its own")),
            }
        })
    }

    fn choose(&self, offered: Array) -> Out<i64> {
        self.act(|game, rules| {
            let mut options: Vec<Opt> = Vec::with_capacity(offered.len());
            for offer in &offered {
                let Ok(value) = offer.as_int() else {
                    return Err(Stop::fault("`choose` offers words and cards only"));
                };
                let option = Opt::new(rules, self.offer(rules, value)?);
                if !options.iter().any(|o| o.act == option.act) {
                    options.push(option);
                }
            }
            let definition = card(rules, self.own() as i64)?.map_or(0, |own| rules.piece_definition[own]);
            let chosen = game.ask(rules, self.me(), Question::Script(definition), options)?;
            Ok(match chosen.map(|option| option.act) {
                Some(Act::Word(name)) => crate::engine::moment::WORD + name as i64,
                Some(Act::Card(card)) => card as i64,
                _ => -1,
            })
        })
    }

    fn offer(&self, rules: &Ruleset, value: i64) -> Result<Act, Stop> {
        if let Some(name) = self.words.name(value) {
            return Ok(Act::Word(name));
        }
        if self.words.id(value).is_some() {
            return Err(Stop::fault(format!("`{}` cannot be offered: no question of the rules knows this word", self.words.text(value))));
        }
        match card(rules, value)? {
            Some(card) => Ok(Act::Card(card as i16)),
            None => Err(Stop::fault("`choose` was offered a card that is not there")),
        }
    }
}

pub(super) fn register(engine: &mut Engine, shell: &Rc<Shell>) {
    functions!(
        engine,
        shell,
        "gain" = gain(p, r, n),
        "lose" = lose(p, r, n),
        "lose" = lose_named(p, r, n, name),
        "spend" = spend(p, r, n),
        "add" = add(p, counter, n),
        "set" = set(p, counter, n),
        "add_card" = add_card(c, counter, n),
        "remove" = remove(c),
        "put" = put(c, place),
        "draw" = draw(deck, n),
        "order_first" = order_first(p),
        "order_last" = order_last(p),
        "differ" = differ(p, quantity, n, lifetime),
        "raise" = raise(moment),
        "random" = random(n),
    );
    let host = Rc::clone(shell);
    engine.register_fn("set", move |p: i64, counter: i64, truth: bool| host.set(p, counter, truth as i64));
    let host = Rc::clone(shell);
    engine.register_fn("choose", move |offered: Array| host.choose(offered));
}
