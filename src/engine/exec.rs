//! What each op does.

use super::decision::Stop;
use super::eval::Env;
use super::frame::{Frame, card_of_operand, operand_of_card};
use super::game::Game;
use super::moment::Scripts;
use super::op::Op;
use super::ruleset::{Direction, Lifetime, NodeId, Ruleset, Target, Whom, Write};
use crate::cast;
use crate::state::chance::{draw, hash_text};
use crate::state::layout::head;

/// The stream of orders by chance.
const ORDER: u64 = hash_text("order");

impl Game {
    /// Runs one op; `at` stands behind it already.
    #[inline(always)]
    pub(super) fn run_op(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, op: &Op, at: &mut Frame) -> Result<(), Stop> {
        let env = &mut at.env;
        match op {
            Op::Jump(to) => at.pc = *to,
            Op::Unless(condition, to) => {
                if self.eval(rules, *condition, env) == 0 {
                    at.pc = *to;
                }
            }
            Op::Return => *at = self.leave(),
            Op::Call(effect, args) => {
                let mut there = Env::of(env.me);
                there.locals[0] = env.locals[0];
                for (i, arg) in args.iter().enumerate() {
                    let value = self.eval(rules, *arg, env);
                    there.locals[1 + i] =
                        i32::try_from(value).map_err(|_| Stop::fault(format!("{value} is too large to be handed to an effect")))?;
                }
                return self.enter(at, rules.effects[*effect as usize].begin, there);
            }
            Op::EachWord => self.push(0),
            Op::NextWord(local, words, end) => {
                let index = self.operand(0);
                match rules.ops.words[*words as usize].get(cast::index(*index)) {
                    Some(&word) => {
                        *index += 1;
                        env.locals[*local as usize] = word;
                    }
                    None => {
                        self.pop();
                        at.pc = *end;
                    }
                }
            }
            Op::EachCard(set) => {
                let (first, local) = (self.cells.len(), rules.sets[*set as usize].local as usize);
                self.each_card(rules, *set, env, |game, env| {
                    game.push(operand_of_card(env.locals[local]));
                    true
                });
                self.cells[first..].reverse();
                self.push(cast::fit::<i32>(self.cells.len() - first));
            }
            Op::NextCard(local, end) => match self.pop() {
                0 => at.pc = *end,
                left => {
                    let card = self.pop();
                    env.locals[*local as usize] = card_of_operand(card).unwrap_or(-1);
                    self.push(left - 1);
                }
            },
            Op::Repeat(n) => {
                let n = self.eval(rules, *n, env);
                self.push(cast::fit::<i32>(n.clamp(0, i32::MAX as i64)));
            }
            Op::NextTime(end) => {
                let left = self.operand(0);
                if *left > 0 {
                    *left -= 1;
                } else {
                    self.pop();
                    at.pc = *end;
                }
            }
            Op::Until(condition, end) => {
                if self.eval(rules, *condition, env) != 0 {
                    self.pop();
                    at.pc = *end;
                } else if *self.operand(0) > 0 {
                    *self.operand(0) -= 1;
                } else {
                    return Err(Stop::fault("what is repeated here until something is so never comes to it"));
                }
            }
            Op::EachPlayer(whom, direction) => {
                self.push(cast::fit::<i32>(env.me));
                self.push_seats(rules, *direction, *whom, env.me);
            }
            Op::NextPlayer(filter, end) => {
                while let Some(seat) = self.next_seat() {
                    env.me = seat;
                    if self.holds_if(rules, *filter, env) {
                        return Ok(());
                    }
                }
                env.me = cast::index(self.pop());
                at.pc = *end;
            }
            Op::AtOnce(whom, filter, secretly, end) => return self.begin_at_once(rules, (*whom, *filter), *secretly, *end, at),
            Op::NextAtOnce(body) => return self.next_at_once(rules, *body, at),
            Op::Waiting => {
                // Runs again when what it has begun is at rest.
                let again = at.pc.0 - 1;
                at.pc.0 = again;
                if !self.begin_waiting(at)? {
                    at.pc.0 = again + 1;
                }
            }

            Op::Part(part) => {
                self.put(rules, head::PROGRAM, *part as i64)?;
                self.rest()?;
                *env = Env::of(cast::index(self.cells[head::ORDER]));
            }
            Op::Rest => return self.rest(),
            Op::Deal => {
                for &(definition, seat) in &rules.dealt {
                    self.deal_now(rules, definition, seat)?;
                }
                return self.wait_for_listeners(at);
            }
            Op::Round => {
                self.put(rules, head::ROUND, self.cells[head::ROUND] as i64 + 1)?;
                self.put(rules, head::TURN, 0)?;
                self.put(rules, head::TURN_PLACE, 0)?;
                self.clear_lifetime(rules, Lifetime::Round)?;
                let round = self.cells[head::ROUND];
                self.say(|| format!("round {round}"));
                return self.after_change(rules);
            }
            Op::End(lifetime) => {
                self.clear_lifetime(rules, *lifetime)?;
                return self.after_change(rules);
            }
            Op::Turn(turns) => return self.turn_op(rules, *turns, at),
            Op::Costs(action) => {
                let costs = rules.actions[*action as usize].costs.iter();
                let costs = costs.filter(|cost| cost.tokens.is_none()).map(|cost| (cost.amount, cost.resource));
                self.pay_costs(rules, costs, env)?;
                return self.wait_for_listeners(at);
            }
            Op::Acted(free) => {
                self.clear_lifetime(rules, Lifetime::Action)?;
                if !free {
                    return self.put(rules, head::ACTIONS_LEFT, self.cells[head::ACTIONS_LEFT] as i64 - 1);
                }
            }
            Op::RoundEnd(back) => {
                let rounds = rules.rounds.map_or(1, |node| self.eval(rules, node, &mut Env::of(0)));
                if (self.cells[head::ROUND] as i64) < rounds && !self.until_holds(rules) {
                    at.pc = *back;
                }
            }
            Op::Finish => {
                self.last_score(rules)?;
                self.put(rules, head::FINISHED, 1)?;
                return Err(Stop::Pause);
            }

            Op::Ask(question, list) => return self.ask_rules(rules, *question, *list, at),
            Op::Picks(question) => self.begin_picks(rules, *question, env),
            Op::NextPick(question, list) => return self.next_pick(rules, *question, *list, at),
            Op::PickTokens(pick) => return self.begin_token_picks(rules, *pick, at),
            Op::NextToken(pick, end) => return self.next_token_pick(rules, *pick, *end, at),
            Op::Mix(n, mix) => {
                let n = self.eval(rules, *n, env);
                return self.begin_mix(rules, n, *mix, env.me);
            }
            Op::NextUnit(mix) => {
                self.next_unit(rules, *mix, env.me)?;
                return self.wait_for_listeners(at);
            }
            Op::Spend(cost) => {
                let (price, symbol) = (self.eval(rules, cost.amount, env), self.eval(rules, cost.symbol, env));
                return self.begin_spending(rules, price, symbol, at);
            }
            Op::NextPayer(from, to) => return self.next_payer(rules, *from, *to, env.me),
            Op::AskFirst(ask, no) => match self.ask_first(rules, &rules.ops.asks[*ask as usize], env)? {
                Some(answer) => env.locals[super::moment::ANSWER] = answer,
                None => at.pc = *no,
            },
            Op::Script(script) => {
                self.burn(super::flow::OPS_OF_A_SCRIPT)?;
                self.run_script(rules, scripts, *script, env)?;
                return self.wait_for_listeners(at);
            }
            Op::PlaceInSlot(card) => {
                let card = self.eval(rules, *card, env);
                if card >= 0 {
                    let kind = rules.definition(cast::index(card)).kind as usize;
                    let Some(slot) = rules.kinds[kind].slot else {
                        return Err(Stop::fault(format!("cards of kind `{}` have no slot", rules.names.text(rules.kinds[kind].name))));
                    };
                    return self.place(rules, cast::index(card), slot as usize, env.me, false);
                }
            }
            Op::PlaceIn(card, place, over) => {
                let card = self.eval(rules, *card, env);
                if card >= 0 {
                    return self.place(rules, cast::index(card), *place as usize, env.me, *over);
                }
            }

            Op::PlaceAt(card, map, at) => {
                let (card, at) = (self.eval(rules, *card, env), self.eval(rules, *at, env));
                if let (Ok(card), Ok(at)) = (usize::try_from(card), usize::try_from(at)) {
                    return self.place_at(rules, card, *map as usize, at);
                }
            }

            Op::Gain(n, resource) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                return self.gain(rules, env.me, resource, n);
            }
            Op::Lose(n, resource, name) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                let instead = match name {
                    Some(name) if n > 0 => self.replaced(rules, *name, Some(env.me)),
                    _ => None,
                };
                let follows = if instead.is_some() { instead } else { self.take(rules, env.me, resource, n)? };
                if let Some(item) = follows {
                    return self.begin(at, item);
                }
            }
            Op::Pay(n, resource) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                self.pay(rules, env.me, &[(resource, n)])?;
                return self.wait_for_listeners(at);
            }
            Op::PayCard => {
                if let Some(action) = &rules.definition(cast::index(env.locals[0])).action {
                    self.pay_costs(rules, action.costs.iter().copied(), env)?;
                    if let Some((_, used)) = action.limit {
                        let cell = rules.layout.piece(cast::index(env.locals[0]), used as usize);
                        self.put(rules, cell, self.cells[cell] as i64 + 1)?;
                    }
                }
                return self.wait_for_listeners(at);
            }
            Op::PayFirst(costs) => {
                self.pay_costs(rules, costs.iter().copied(), env)?;
                return self.wait_for_listeners(at);
            }
            Op::Write(written) => {
                let (target, write, value) = &**written;
                let value = self.eval(rules, *value, env);
                return self.write(rules, target, *write, value, env);
            }
            Op::AddBit(offset, index) => {
                let index = self.eval(rules, *index, env);
                let cell = rules.layout.seat(env.me, *offset as usize);
                return self.write_seat(rules, env.me, *offset as usize, (self.cells[cell] | 1 << index.clamp(0, 30)) as i64);
            }
            Op::Draw(deck, index, to, name) => {
                if let Some(name) = name
                    && let Some(instead) = self.replaced(rules, *name, None)
                {
                    return self.begin(at, instead);
                }
                let instance = self.deck(rules, *deck, *index, env)?;
                return self.draw_into(rules, instance, *to as usize, env.me);
            }
            Op::Fill(grid, deck, index) => return self.fill(rules, *grid, *deck, *index, env),
            Op::RemoveSet(set) => {
                let mut cards = std::mem::take(&mut self.scratch.cards);
                self.cards_of(rules, *set, env, &mut cards);
                let removed = cards.iter().try_for_each(|&card| self.remove(rules, cast::index(card)));
                self.scratch.cards = cards;
                return removed;
            }
            Op::Remove(card) => {
                let card = self.eval(rules, *card, env);
                if card >= 0 {
                    return self.remove(rules, cast::index(card));
                }
            }
            Op::MoveRow(grid, from, to) => {
                let (from, to) = (self.eval(rules, *from, env), self.eval(rules, *to, env));
                return self.move_row(rules, *grid as usize, from, to);
            }
            Op::PassOn(place, direction) => return self.pass_on(rules, *place as usize, *direction),
            Op::Shuffle(set, deck, index) => return self.shuffle(rules, *set, *deck, *index, env),
            Op::Swap(a, b) => {
                let (a, b) = (self.eval(rules, *a, env), self.eval(rules, *b, env));
                if let (Ok(a), Ok(b)) = (usize::try_from(a), usize::try_from(b)) {
                    return self.swap(rules, a, b);
                }
            }
            Op::Put(holder, field, to) => {
                let holder = self.eval(rules, *holder, env);
                return self.put_printed(rules, holder, *field as usize, *to as usize, env.me);
            }
            Op::PutNamed(definitions, to) => return self.put_copies(rules, definitions, *to as usize, env.me),
            Op::Moment(moment, card) => {
                let card = cast::fit::<i32>(card.map_or(-1, |card| self.eval(rules, card, env)));
                self.raise(rules, *moment, env.me, card);
                return self.wait_for_listeners(at);
            }
            Op::OrderBy(keys) => {
                let seats = self.ordered(rules, keys);
                return self.set_order(rules, &seats[..rules.players]);
            }
            Op::OrderFrom(holds) => {
                let mut seats = self.order(rules);
                let mut there = *env;
                let found = seats.iter().position(|&seat| {
                    there.me = seat;
                    self.eval(rules, *holds, &mut there) != 0
                });
                if let Some(first) = found {
                    seats.rotate_left(first);
                    return self.set_order(rules, &seats);
                }
            }
            Op::OrderRandom => {
                let seed = self.seed();
                let mut seats: [usize; head::MOST_SEATS] = std::array::from_fn(|seat| seat);
                let seats = &mut seats[..rules.players];
                seats.sort_by_key(|&seat| draw(seed, ORDER, seat as u64));
                return self.set_order(rules, seats);
            }
            Op::CardActs(card) => {
                let card = self.eval(rules, *card, env);
                if card >= 0
                    && let Some(action) = &rules.definition(cast::index(card)).action
                {
                    let me = env.me;
                    return self.enter(
                        at,
                        action.begin,
                        Env::with(me, &[cast::fit::<i32>(card), cast::fit::<i32>(card), cast::fit::<i32>(me)]),
                    );
                }
            }
            Op::Take(n, set, from, to) => {
                let n = self.eval(rules, *n, env);
                return self.take_tokens(rules, n, *set, *from, *to, env);
            }
            Op::TakeAtRandom(n, set, from, to) => {
                let n = self.eval(rules, *n, env);
                return self.take_at_random(rules, n, *set, (*from, *to), env);
            }
            Op::MoveAll(set, from, to) => return self.take_tokens(rules, i64::MAX, *set, *from, *to, env),
            Op::MoveOne(local, to) => return self.move_picked(rules, *local, *to, env),
            Op::Lift(set, pool) => return self.lift(rules, *set, *pool, env),
            Op::LiftOne(local) => return self.lift_picked(rules, *local, env),
            Op::Roll(pool) => return self.roll(rules, *pool, env.me),
        }
        Ok(())
    }

    /// Lets those who have heard of what the op did act next: the op behind it is [`Op::Waiting`].
    #[inline]
    fn wait_for_listeners(&mut self, at: &mut Frame) -> Result<(), Stop> {
        if self.queue.is_empty() {
            at.pc = at.pc.next();
            return Ok(());
        }
        self.push_waiting()
    }

    // ------------------------------------------------------------------ seats, one after another

    /// Puts the seats on the stack, in turn order or from last to first as the order stands now: two operands, all of them in one,
    /// and how many are left.
    pub(super) fn push_seats(&mut self, rules: &Ruleset, direction: Direction, whom: Whom, me: usize) {
        let (mut seats, mut count) = (0, 0);
        for place in 0..rules.players {
            // The first to come lies lowest.
            let place = if direction == Direction::Reverse { place } else { rules.players - 1 - place };
            let seat = self.cell(rules, head::ORDER + place);
            if whom == Whom::All || cast::index(seat) != me {
                seats = seats << 4 | seat;
                count += 1;
            }
        }
        self.push(seats);
        self.push(count);
    }

    /// The next of the seats on the stack; takes them off it after the last.
    pub(super) fn next_seat(&mut self) -> Option<usize> {
        if *self.operand(0) == 0 {
            self.drop_operands(2);
            return None;
        }
        *self.operand(0) -= 1;
        let seats = self.operand(1);
        let seat = *seats & 0xF;
        *seats = (cast::bits(*seats) >> 4).cast_signed();
        Some(cast::index(seat))
    }

    // ------------------------------------------------------------------ paying and writing

    /// Pays several costs together, each an amount and a resource; who has heard of it is left in the queue.
    fn pay_costs(&mut self, rules: &Ruleset, due: impl Iterator<Item = (NodeId, u8)>, env: &mut Env) -> Result<(), Stop> {
        let mut costs = std::mem::take(&mut self.scratch.costs);
        costs.clear();
        costs.extend(due.map(|(amount, resource)| (resource as usize, self.eval(rules, amount, env))));
        let paid = self.pay(rules, env.me, &costs);
        self.scratch.costs = costs;
        paid
    }

    fn resource(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> Result<usize, Stop> {
        let index = self.eval(rules, node, env);
        match usize::try_from(index) {
            Ok(index) if index < rules.resources.len() => Ok(index),
            _ => Err(Stop::fault("a statement names something that is no resource")),
        }
    }

    pub(super) fn write(&mut self, rules: &Ruleset, target: &Target, write: Write, value: i64, env: &mut Env) -> Result<(), Stop> {
        let combine = |old: i32| match write {
            Write::Set => value,
            Write::Add => (old as i64).saturating_add(value),
            Write::Sub => (old as i64).saturating_sub(value),
        };
        match target {
            Target::Global(cell) => self.write_table(rules, *cell as usize, combine(self.cells[*cell as usize])),
            Target::Own(offset) => {
                let old = self.cells[rules.layout.seat(env.me, *offset as usize)];
                self.write_seat(rules, env.me, *offset as usize, combine(old))
            }
            Target::OwnAt(offset, len, index) => {
                let index = self.eval(rules, *index, env);
                if index < 0 || index >= *len as i64 {
                    return Err(Stop::fault(format!("{index} is no place in a row of {len}")));
                }
                let offset = *offset as usize + cast::index(index);
                let old = self.cells[rules.layout.seat(env.me, offset)];
                self.write_seat(rules, env.me, offset, combine(old))
            }
            Target::Counter(card, offset) => {
                let card = self.eval(rules, *card, env);
                if card < 0 {
                    return Ok(());
                }
                let old = self.cells[rules.layout.piece(cast::index(card), *offset as usize)];
                self.write_piece(rules, cast::index(card), *offset as usize, combine(old))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_repeated_until_something_is_so_ends_with_it() {
        let steps = "step night { each player where place_in_order == 1 { repeat until wisp >= 8 { gain 2 wisp }; repeat until wisp > 1 { gain 90 fog } } }";
        let (rules, game) = game(&Added { steps, ..Added::default() });
        assert_eq!((values(&rules, &game, "wisp"), values(&rules, &game, "fog")), (vec![9, 3], vec![3, 3]));
        let found = fault(&Added { setup: "repeat until moon > 0 { }", ..Added::default() });
        assert_eq!(found.message, "what is repeated here until something is so never comes to it");
    }

    #[test]
    fn neighbours_are_those_beside_one_in_the_order() {
        let setup =
            "each player { gain place_in_order wisp }; all players { gain 10 * left.wisp + 100 * right.wisp + 1000 * first.wisp fog }";
        let rules = super::super::sample::rules(3, &Added { setup, ..Added::default() });
        let mut game = super::super::Game::new(&rules, 1);
        assert!(game.advance(&rules, &mut super::super::NoScripts).is_ok());
        assert_eq!(values(&rules, &game, "wisp"), [4, 5, 6]);
        assert_eq!(values(&rules, &game, "fog"), [3 + 50 + 600 + 4000, 3 + 60 + 400 + 4000, 3 + 40 + 500 + 4000]);
    }

    #[test]
    fn the_others_are_all_but_who_is_spoken_of() {
        let setup = "each player where place_in_order == 2 {
            each other player { gain 10 wisp }; all other players { gain 100 wisp }; gain 1 wisp
            each other player in reverse order where place_in_order == 3 { gain 1 fog; each other player { gain 10 fog } }
        }";
        let rules = super::super::sample::rules(3, &Added { setup, ..Added::default() });
        let mut game = super::super::Game::new(&rules, 1);
        assert!(game.advance(&rules, &mut super::super::NoScripts).is_ok());
        assert_eq!(values(&rules, &game, "wisp"), [113, 4, 113]);
        assert_eq!(values(&rules, &game, "fog"), [13, 13, 4]);
    }

    #[test]
    fn an_order_begins_with_whom_it_says_and_stays_as_it_is() {
        let (rules, game) = game(&Added {
            setup: "order begins with player where place_in_order == 2; order begins with player where wisp > 90",
            ..Added::default()
        });
        assert_eq!(game.order(&rules), [1, 0]);
        // What is named around it is known in it.
        let setup = "fill row from pile; each r in row { if row of r == 1 and column of r == 1 { order begins with player where row of r == 1 and place_in_order == 2 } }";
        let (rules, game) = self::game(&Added { setup, ..Added::default() });
        assert_eq!(game.order(&rules), [1, 0]);
    }

    use super::super::sample::{Added, fault, game, values};

    fn gained(setup: &str) -> Vec<(i64, i64)> {
        let (rules, game) = game(&Added { setup, effects: "effect give(n, r) { gain n r }", ..Added::default() });
        let [wisp, fog] = ["wisp", "fog"].map(|name| values(&rules, &game, name));
        wisp.into_iter().zip(fog).map(|(wisp, fog)| (wisp - 3, fog - 3)).collect()
    }

    #[test]
    fn loops_go_through_what_they_say() {
        assert_eq!(gained("each player { for r in wisp, fog { gain 2 r } }"), [(2, 2); 2]);
        assert_eq!(
            gained(
                "each player { repeat 3 { repeat 2 { gain 1 wisp } } repeat 0 { gain 9 fog } repeat 0 - 5 { gain 9 fog } }"
                    .replace("} repeat", "}; repeat")
                    .as_str()
            ),
            [(6, 0); 2]
        );
        assert_eq!(
            gained(
                "fill row from pile; each player where place_in_order == 1 { each card in row { gain 1 wisp; each card in row { gain 1 fog } } }"
            ),
            [(4, 16), (0, 0)]
        );
    }

    #[test]
    fn players_come_in_order_or_from_the_last() {
        assert_eq!(gained("each player { moon += 1; gain moon wisp }"), [(1, 0), (2, 0)]);
        assert_eq!(gained("each player in reverse order { moon += 1; gain moon wisp }"), [(2, 0), (1, 0)]);
        assert_eq!(
            gained("each player { each player { gain 1 fog }; gain 1 wisp }"),
            [(1, 2); 2],
            "the outer player is the one spoken of again"
        );
    }

    #[test]
    fn effects_have_arguments_and_locals_of_their_own() {
        assert_eq!(gained("each player { for r in wisp, fog { do give(place_in_order, r) } }"), [(1, 1), (2, 2)]);
    }

    #[test]
    fn one_branch_is_taken() {
        assert_eq!(
            gained("each player { if place_in_order == 1 { gain 1 wisp } else if moon == 0 { gain 2 wisp } else { gain 3 wisp } }"),
            [(1, 0), (2, 0)]
        );
        assert_eq!(gained("each player { unless place_in_order == 1 { gain 1 fog } }"), [(0, 0), (0, 1)]);
    }
}
