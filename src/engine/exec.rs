//! Statements.

use super::decision::Stop;
use super::eval::Env;
use super::game::Game;
use super::moment::{Call, Scripts};
use super::ruleset::{BodyId, Direction, NodeId, Ruleset, Stmt, Target, Write};
use crate::state::chance::{draw, hash_text};
use crate::state::layout::head;

impl Game {
    /// Runs a body.
    pub(super) fn run_body(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, body: BodyId, env: &mut Env) -> Result<(), Stop> {
        for stmt in rules.bodies[body as usize].iter() {
            self.run_stmt(rules, scripts, stmt, env)?;
        }
        Ok(())
    }

    pub(super) fn run_stmt(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, stmt: &Stmt, env: &mut Env) -> Result<(), Stop> {
        match stmt {
            Stmt::Gain(n, resource) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                self.gain(rules, env.me, resource, n)
            }
            Stmt::Lose(n, resource, name) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                if n <= 0 {
                    return Ok(());
                }
                if let Some(name) = name
                    && let Some(instead) = self.replaced(rules, *name, Some(env.me))
                {
                    return self.carry_out(rules, scripts, instead);
                }
                match self.take(rules, env.me, resource, n)? {
                    Some(due) => self.carry_out(rules, scripts, due),
                    None => Ok(()),
                }
            }
            Stmt::Pay(n, resource) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                let mark = self.queue.len();
                self.pay(rules, env.me, &[(resource, n)])?;
                self.settle(rules, scripts, mark)
            }
            Stmt::PayMix(n, resources) => {
                let n = self.eval(rules, *n, env);
                let costs = self.choose_mix(rules, env.me, n, resources)?;
                let mark = self.queue.len();
                self.pay(rules, env.me, &costs)?;
                self.settle(rules, scripts, mark)
            }
            Stmt::Write(target, write, value) => {
                let value = self.eval(rules, *value, env);
                self.write(rules, target, *write, value, env)
            }
            Stmt::AddBit(offset, index) => {
                let index = self.eval(rules, *index, env);
                let cell = rules.layout.seat(env.me, *offset as usize);
                self.write_seat(rules, env.me, *offset as usize, (self.cells[cell] | 1 << index.clamp(0, 30)) as i64)
            }
            Stmt::Draw(deck, index, to, name) => {
                if let Some(name) = name
                    && let Some(instead) = self.replaced(rules, *name, None)
                {
                    return self.carry_out(rules, scripts, instead);
                }
                let instance = self.deck(rules, *deck, *index, env)?;
                self.draw_into(rules, instance, *to as usize, env.me)
            }
            Stmt::Fill(grid, deck, index) => {
                let deck = self.deck(rules, *deck, *index, env)?;
                let instance = Self::instance(rules, *grid as usize, env.me);
                for slot in 0..rules.layout.places[instance].room as usize {
                    if self.piece_at(rules, instance, slot).is_none() {
                        let Some(card) = self.draw_card(rules, deck)? else { break };
                        self.move_piece(rules, card, instance, slot)?;
                    }
                }
                self.after_change(rules)
            }
            Stmt::RemoveSet(set) => {
                for card in self.cards_of(rules, *set, env) {
                    self.remove(rules, card as usize)?;
                }
                Ok(())
            }
            Stmt::Remove(card) => {
                let card = self.eval(rules, *card, env);
                if card >= 0 { self.remove(rules, card as usize) } else { Ok(()) }
            }
            Stmt::MoveRow(grid, from, to) => {
                let (from, to) = (self.eval(rules, *from, env), self.eval(rules, *to, env));
                self.move_row(rules, *grid as usize, from, to)
            }
            Stmt::Put(holder, field, to) => {
                let holder = self.eval(rules, *holder, env);
                self.put_printed(rules, holder, *field as usize, *to as usize, env.me)
            }
            Stmt::PutNamed(definitions, to) => self.put_copies(rules, definitions, *to as usize, env.me),
            Stmt::PlaceInSlot(card) => {
                let card = self.eval(rules, *card, env);
                if card < 0 {
                    return Ok(());
                }
                let kind = rules.definition(card as usize).kind as usize;
                let Some(slot) = rules.kinds[kind].slot else {
                    return Err(Stop::fault(format!("cards of kind `{}` have no slot", rules.names.text(rules.kinds[kind].name))));
                };
                self.place(rules, card as usize, slot as usize, env.me, false)
            }
            Stmt::PlaceIn(card, place, over) => {
                let card = self.eval(rules, *card, env);
                if card < 0 { Ok(()) } else { self.place(rules, card as usize, *place as usize, env.me, *over) }
            }
            Stmt::Moment(moment, card) => {
                let card = card.map_or(-1, |card| self.eval(rules, card, env)) as i32;
                self.moment(rules, scripts, *moment, env.me, card)
            }
            Stmt::If(condition, yes, no) => {
                if self.eval(rules, *condition, env) != 0 {
                    self.run_body(rules, scripts, *yes, env)
                } else if let Some(no) = no {
                    self.run_body(rules, scripts, *no, env)
                } else {
                    Ok(())
                }
            }
            Stmt::ForWords(local, words, body) => {
                for &word in words.iter() {
                    env.locals[*local as usize] = word;
                    self.run_body(rules, scripts, *body, env)?;
                }
                Ok(())
            }
            Stmt::ForCards(set, body) => {
                let local = rules.sets[*set as usize].local as usize;
                for card in self.cards_of(rules, *set, env) {
                    env.locals[local] = card;
                    self.run_body(rules, scripts, *body, env)?;
                }
                Ok(())
            }
            Stmt::Repeat(n, body) => {
                let n = self.eval(rules, *n, env);
                for _ in 0..n {
                    self.run_body(rules, scripts, *body, env)?;
                }
                Ok(())
            }
            Stmt::EachPlayer(direction, filter, body) => {
                for seat in self.seats(rules, *direction) {
                    let mut there = *env;
                    there.me = seat;
                    if self.holds_if(rules, *filter, &mut there) {
                        self.run_body(rules, scripts, *body, &mut there)?;
                    }
                }
                Ok(())
            }
            Stmt::AllPlayers(filter, body) => self.all_at_once(rules, scripts, *filter, *body, env),
            Stmt::Ask(question) => self.run_question(rules, scripts, *question, env),
            Stmt::Effect(effect, args) => {
                let effect = &rules.effects[*effect as usize];
                let mut there = Env::of(env.me);
                there.locals[0] = env.locals[0];
                for (i, arg) in args.iter().enumerate() {
                    there.locals[1 + i] = self.eval(rules, *arg, env) as i32;
                }
                self.run_body(rules, scripts, effect.body, &mut there)
            }
            Stmt::OrderBy(keys) => {
                let seats = self.ordered(rules, keys);
                self.set_order(rules, &seats)
            }
            Stmt::OrderRandom => {
                let (seed, stream) = (self.seed(), hash_text("order"));
                let mut seats: Vec<usize> = (0..rules.players).collect();
                seats.sort_by_key(|&seat| draw(seed, stream, seat as u64));
                self.set_order(rules, &seats)
            }
            Stmt::CardActs(card) => {
                let card = self.eval(rules, *card, env);
                self.card_acts(rules, scripts, card, env.me)
            }
            Stmt::Tokens(stmt) => self.run_tokens(rules, scripts, stmt, env),
        }
    }

    /// The seats in turn order, or from last to first, as the order stands now.
    pub(super) fn seats(&self, rules: &Ruleset, direction: Direction) -> impl Iterator<Item = usize> + use<> {
        let players = rules.players;
        let mut seats = [0; head::MOST_SEATS];
        for (place, seat) in seats[..players].iter_mut().enumerate() {
            let place = if direction == Direction::Reverse { players - 1 - place } else { place };
            *seat = self.cell(rules, head::ORDER + place) as usize;
        }
        seats.into_iter().take(players)
    }

    fn resource(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> Result<usize, Stop> {
        let index = self.eval(rules, node, env);
        match usize::try_from(index) {
            Ok(index) if index < rules.resources.len() => Ok(index),
            _ => Err(Stop::fault("a statement names something that is no resource")),
        }
    }

    fn write(&mut self, rules: &Ruleset, target: &Target, write: Write, value: i64, env: &mut Env) -> Result<(), Stop> {
        let combine = |old: i64| match write {
            Write::Set => value,
            Write::Add => old.saturating_add(value),
            Write::Sub => old.saturating_sub(value),
        };
        match target {
            Target::Global(cell) => self.write_table(rules, *cell as usize, combine(self.cells[*cell as usize] as i64)),
            Target::Own(offset) => {
                let old = self.cells[rules.layout.seat(env.me, *offset as usize)] as i64;
                self.write_seat(rules, env.me, *offset as usize, combine(old))
            }
            Target::OwnAt(offset, len, index) => {
                let index = self.eval(rules, *index, env);
                if index < 0 || index >= *len as i64 {
                    return Err(Stop::fault(format!("{index} is no place in a row of {len}")));
                }
                let offset = *offset as usize + index as usize;
                let old = self.cells[rules.layout.seat(env.me, offset)] as i64;
                self.write_seat(rules, env.me, offset, combine(old))
            }
            Target::Counter(card, offset) => {
                let card = self.eval(rules, *card, env);
                if card < 0 {
                    return Ok(());
                }
                let old = self.cells[rules.layout.piece(card as usize, *offset as usize)] as i64;
                self.write_piece(rules, card as usize, *offset as usize, combine(old))
            }
        }
    }

    pub(super) fn card_acts(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, card: i64, me: usize) -> Result<(), Stop> {
        if card < 0 {
            return Ok(());
        }
        let definition = rules.piece_definition[card as usize];
        let Some(action) = &rules.definitions[definition as usize].action else { return Ok(()) };
        let mark = self.queue.len();
        let mut env = Env::with(me, &[card as i32, card as i32]);
        let mut costs = Vec::new();
        for (amount, resource) in &action.costs {
            costs.push((*resource as usize, self.eval(rules, *amount, &mut env)));
        }
        self.pay(rules, me, &costs)?;
        if let Some((_, used)) = action.limit {
            let cell = rules.layout.piece(card as usize, used as usize);
            self.put(rules, cell, self.cells[cell] as i64 + 1)?;
        }
        let call = Call { script: 0, me, own: card as i32, card: card as i32, player: me, answer: -1 };
        self.speak(rules, scripts, definition, &action.parts, call)?;
        self.settle(rules, scripts, mark)
    }
}
