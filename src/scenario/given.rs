//! `given`: the position that a scenario begins with, written line by line.

use super::chance;
use super::trial::{Trial, Wrong, faulted, lines_of, written, wrong};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::edit::Wanted;
use crate::engine::ruleset::{Node, NodeId, Shape, VariableSort};
use crate::engine::{Fault, Stop};
use crate::lang::syntax::ast::scenario::{Given as Says, GivenToken, GivenValue, ScenarioLine};
use crate::lang::syntax::ast::{Expr, ExprKind, Name};
use crate::lang::syntax::parse_given;
use crate::lang::{Type, seat_prefix};
use crate::pack::Text;
use crate::source::Span;
use crate::state::layout::{BOX, OUT, TABLE, piece};

/// Sets the game up and writes the position, as far as its lines can be meant; what is wrong with them is added to `wrong`. `span`
/// is where the test stands.
pub(super) fn write(trial: &mut Trial<'_>, text: Option<&Text>, span: Span, wrong: &mut Vec<Diagnostic>) {
    let lines = lines_of(text, parse_given, wrong);
    if let Some(line) = lines.iter().find(|line| line.kind == Says::FromBeginning) {
        if let Some(other) = lines.iter().find(|line| line.kind != Says::FromBeginning) {
            let found = self::wrong(other.span, "nothing has been done yet, so that nothing can be other than it is");
            wrong.push(found.also(line.span, "this line stands alone").help("leave one of the two out"));
        }
        trial.every_answer = true;
        return;
    }
    let mut round = 1;
    let as_set_up = lines.iter().any(|line| line.kind == Says::AsSetUp);
    for line in &lines {
        if let Says::Round(number) = &line.kind {
            match whole(number) {
                Ok(_) if as_set_up => {
                    wrong.push(*self::wrong(number.span, "with `as set up` no round has begun; leave one of the two out"))
                }
                Ok(found @ 1..=1000) => round = found,
                _ => wrong.push(*self::wrong(number.span, "expected the number of a round")),
            }
        }
    }
    let rules = trial.rules.clone();
    // What stands above `as set up` holds for what set-up rolls and draws.
    let above = if as_set_up { lines.iter().position(|line| line.kind == Says::AsSetUp).unwrap_or(0) } else { 0 };
    let before = wrong.len();
    for line in lines.iter().take(above) {
        match &line.kind {
            Says::Next(next) => wrong.extend(chance::fix(trial, next, line.span).err().map(|found| *found)),
            Says::Round(_) => {}
            _ => wrong.push(*self::wrong(
                line.span,
                "set-up has not been done yet; above `as set up` only `next roll`, `next take` and `next draw` can stand",
            )),
        }
    }
    if wrong.len() > before {
        return;
    }
    let begun = trial.game.set_up_in_order(&rules, trial.host);
    let begun = begun.and_then(|()| if as_set_up { Ok(()) } else { trial.game.enter_round(&rules, round) });
    if let Err(fault) = begun {
        wrong.push(*faulted(&fault, span));
        return;
    }
    trial.game.begin_edit();
    let mut given = Given { trial, text, wanted: Vec::new(), spans: Vec::new(), put: Vec::new(), assigned: Vec::new() };
    wrong.extend(lines.iter().skip(above).filter_map(|line| given.line(line).err()).map(|found| *found));
    let Given { wanted, spans, .. } = given;
    match trial.game.end_edit(&rules, &wanted) {
        Err(fault) => wrong.push(*faulted(&fault, span)),
        Ok(unmet) => wrong.extend(unmet.first().map(|first| {
            let at = wanted.iter().position(|wanted| wanted == first).map_or(span, |i| spans[i]);
            let name = &rules.quantities[first.1].name;
            let message = format!("p{}'s {name} cannot be made to read {}", first.0 + 1, first.2);
            Diagnostic::error("G111", at, message).help(format!("what bounds `{name}`, or another line, is against it"))
        })),
    }
}

/// A whole number that is written out.
fn whole(number: &Expr) -> Result<i64, Wrong> {
    match *number.kind {
        ExprKind::Number { thousandths, decimal: false } => Ok(thousandths / 1000),
        _ => Err(wrong(number.span, "expected a whole number")),
    }
}

fn stopped(stop: Stop, span: Span) -> Wrong {
    match stop {
        Stop::Fault(fault) => faulted(&fault, span),
        other => faulted(&Fault::new(format!("{other:?} while a position is written")), span),
    }
}

struct Given<'g, 't> {
    trial: &'g mut Trial<'t>,
    /// What is written.
    text: Option<&'g Text>,
    wanted: Vec<Wanted>,
    spans: Vec<Span>,
    /// Pieces that lines have put somewhere.
    put: Vec<usize>,
    /// What lines have set, as it is written.
    assigned: Vec<String>,
}

impl Given<'_, '_> {
    fn line(&mut self, line: &ScenarioLine<Says>) -> Result<(), Wrong> {
        match &line.kind {
            // These were read before all others.
            Says::Round(_) | Says::AsSetUp | Says::FromBeginning => Ok(()),
            Says::Next(next) => chance::fix(self.trial, next, line.span),
            Says::Order(seats) => self.order(seats, line.span),
            Says::Empty(place) => self.empty(place),
            Says::Put { card, place, row, column, with } => {
                let [row, column] = [row, column].map(|number| number.as_ref().map(whole).transpose());
                self.put(card, place, (row?, column?), with.as_ref())
            }
            Says::Has { seat, card } => self.has(self.trial.seat(seat)?, card),
            Says::Flag { seat, flag } => self.flag(self.trial.seat(seat)?, flag),
            Says::Card { place, card } => {
                let (instance, place) = self.place(place)?;
                self.place_card(card, instance, place, None).map(|_| ())
            }
            Says::Set { target, value } => self.assign(target, value),
        }
    }

    fn order(&mut self, named: &[Name], span: Span) -> Result<(), Wrong> {
        let players = self.trial.rules.players;
        let mut seats = Vec::new();
        for word in named {
            let seat = self.trial.seat(word)?;
            if seats.contains(&seat) {
                return Err(wrong(word.span, format!("`{}` stands there twice", word.text)));
            }
            seats.push(seat);
        }
        // Those who are not named follow as they are.
        let rules = self.trial.rules.clone();
        for seat in self.trial.game.order(&rules) {
            if !seats.contains(&seat) {
                seats.push(seat);
            }
        }
        debug_assert_eq!(seats.len(), players);
        self.trial.game.set_order(&rules, &seats).map_err(|stop| stopped(stop, span))
    }

    fn empty(&mut self, word: &Name) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let (instance, _) = self.place(word)?;
        for card in self.trial.game.all_in(&rules, instance) {
            self.trial.game.send_piece_home(&rules, card).map_err(|fault| faulted(&fault, word.span))?;
        }
        Ok(())
    }

    /// `p1 passed`, and any other flag.
    fn flag(&mut self, seat: usize, word: &Name) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let ending = rules.turns.first().map(|turns| turns.passed);
        let flag = rules.seat.iter().find(|v| v.name == word.text && v.sort == VariableSort::Flag).map(|v| v.offset);
        match (flag, ending) {
            (Some(flag), ending) if ending != Some(flag) => {
                self.trial.game.write_seat(&rules, seat, flag as usize, 1).map_err(|stop| stopped(stop, word.span))
            }
            (found, Some(flag)) if found.is_some() || word.text == "passed" => {
                self.trial.game.end_turns_of(&rules, seat, flag).map_err(|fault| faulted(&fault, word.span))
            }
            _ => {
                let flags: Vec<&str> = rules.seat.iter().filter(|v| v.sort == VariableSort::Flag).map(|v| v.name.as_str()).collect();
                let found = Diagnostic::error("G110", word.span, format!("`{}` is no flag of a player", word.text)).label("unknown");
                let seat = seat + 1;
                Err(Box::new(match nearest(&word.text, flags) {
                    None if word.text == "has" => found.help(format!("say which card: `p{seat} has CARD`")),
                    None if self.trial.definition(word).is_ok() => found.help(format!("write `p{seat} has {}`", word.text)),
                    None => found.help(format!("such a line is written `p{seat} FLAG`, `p{seat} has CARD` or `p{seat}.NAME = NUMBER`")),
                    near => found.meant(near),
                }))
            }
        }
    }

    // ------------------------------------------------------------------ numbers

    fn assign(&mut self, target: &Expr, value: &GivenValue) -> Result<(), Wrong> {
        let left = written(self.text, target.span);
        let pool = self.pool(left);
        if self.assigned.iter().any(|before| before == left) {
            let found = wrong(target.span, format!("a line above has set `{left}`, and this takes its place"));
            let all_at_once = || found.clone().help(format!("write all of it on one line: `{left} = 2 KIND, KIND`"));
            return Err(Box::new(pool.map_or_else(|| found.clone().help("leave one of them out"), |_| all_at_once())));
        }
        self.assigned.push(left.to_string());
        if let Some((pool, seat)) = pool {
            return self.fill_pool(pool, seat, value, target.span);
        }
        let (node, sort) = self.trial.read(target)?;
        let me = seat_prefix(left).map(|(seat, _)| seat);
        let value = match value {
            GivenValue::Expr(value) => value,
            GivenValue::Tokens(_) => return Err(wrong(target.span, format!("`{left}` is no pool, and no tokens lie there"))),
        };
        let right = written(self.text, value.span);
        if let Type::Choice(_) = sort {
            return match self.trial.reader.word(sort, right) {
                Some(value) => self.set(target.span, node, me, value),
                None => Err(wrong(value.span, format!("`{left}` cannot be `{right}`"))),
            };
        }
        let (node_of_value, found) = self.trial.read(value)?;
        let wanted = if sort == Type::Truth { Type::Truth } else { Type::Number };
        if found != wanted {
            return Err(wrong(value.span, format!("expected {}, found {}", sort.words(), found.words())));
        }
        let worked_out = self.trial.value(node_of_value, me.unwrap_or(0));
        if let Some(why) = self.trial.wrong_number() {
            return Err(wrong(value.span, why));
        }
        self.set(target.span, node, me, worked_out)?;
        match self.trial.wrong_number() {
            Some(why) => Err(wrong(target.span, why)),
            None => Ok(()),
        }
    }

    /// A pool by its name, behind a seat perhaps.
    fn pool(&self, left: &str) -> Option<(u8, usize)> {
        let rules = &self.trial.rules;
        let (seat, name) = seat_prefix(left).unwrap_or((0, left));
        let pool = rules.pools.iter().position(|pool| rules.names.text(pool.name) == name)?;
        (seat < rules.players).then_some((pool as u8, seat))
    }

    /// `p1.hand = 2 white:food, gold`.
    fn fill_pool(&mut self, pool: u8, seat: usize, value: &GivenValue, target: Span) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let tokens: Vec<(i64, &str, Span)> = match value {
            GivenValue::Expr(one) => vec![(1, written(self.text, one.span), one.span)],
            GivenValue::Tokens(tokens) => {
                let count = |token: &GivenToken| token.count.as_ref().map_or(Ok(1), whole);
                let key = |token: &GivenToken| token.face.as_ref().map_or(token.name.span, |face| token.name.span.to(face.span));
                let all = |token: &GivenToken| token.count.as_ref().map_or(key(token), |count| count.span.to(key(token)));
                let token = |token| Ok((count(token)?, written(self.text, key(token)), all(token)));
                tokens.iter().map(token).collect::<Result<_, Wrong>>()?
            }
        };
        let mut contents = Vec::new();
        for (count, key, span) in tokens {
            let class = rules.classes.iter().position(|class| rules.names.text(class.key) == key);
            let Some(class) = class else {
                let keys = rules.classes.iter().map(|class| rules.names.text(class.key));
                let wrong = Diagnostic::error("G112", span, format!("`{}` is no token, nor several of one", written(self.text, span)));
                let wrong = wrong.label("cannot be read").help("write `nothing`, or tokens such as `2 KIND:FACE, KIND`");
                return Err(Box::new(wrong.meant(nearest(key, keys))));
            };
            contents.push((class, count));
        }
        let elsewhere = "what lies in another pool is given back first by a line such as `p2.POOL = nothing`";
        let told = |stop| Box::new(stopped(stop, target).help(elsewhere));
        self.trial.game.set_pool(&rules, pool, seat, &contents).map_err(told)
    }

    fn set(&mut self, span: Span, mut node: NodeId, mut me: Option<usize>, value: i64) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let nodes = &self.trial.reader.rules().nodes;
        if let Node::Of(seat, inner) = nodes[node as usize] {
            if let Node::Const(seat) = nodes[seat as usize] {
                me = usize::try_from(seat).ok();
            }
            node = inner;
        }
        let target = nodes[node as usize].clone();
        let left = written(self.text, span);
        let owner = |me: Option<usize>| {
            me.ok_or_else(|| {
                let help = format!("write `p1.{}`", left);
                Box::new(Diagnostic::error("G110", span, format!("`{}` is each player's", left)).label("whose?").help(help))
            })
        };
        let game = &mut self.trial.game;
        let written = match target {
            Node::Own(offset) => game.write_seat(&rules, owner(me)?, offset as usize, value),
            Node::OwnAt(offset, len, index) => {
                let seat = owner(me)?;
                match self.trial.value(index, seat) {
                    index if (0..len as i64).contains(&index) => {
                        self.trial.game.write_seat(&rules, seat, offset as usize + index as usize, value)
                    }
                    _ => return Err(wrong(span, "there is no such place in a row of numbers")),
                }
            }
            Node::Global(cell) if (cell as usize) < crate::state::layout::head::SIZE => {
                return Err(wrong(span, format!("`{}` follows from the position and cannot be written", left)));
            }
            Node::Global(cell) => game.write_table(&rules, cell as usize, value),
            Node::Counter(card, offset) => match self.trial.value(card, me.unwrap_or(0)) {
                card if card >= 0 => self.trial.game.write_piece(&rules, card as usize, offset as usize, value),
                _ => return Err(wrong(span, "no card lies there")),
            },
            Node::Quantity(quantity, [None, None]) if rules.quantities[quantity as usize].differences.is_some() => {
                let seat = owner(me)?;
                self.wanted.retain(|w| (w.0, w.1) != (seat, quantity as usize));
                self.wanted.push((seat, quantity as usize, value));
                self.spans.push(span);
                return Ok(());
            }
            _ => {
                let found = Diagnostic::error("G110", span, format!("`{}` cannot be written", left));
                let help =
                    "a resource, counter, flag or tally can be written, a counter on a card, and a stat, which then gets a difference";
                return Err(Box::new(found.label("it is worked out from other things").help(help)));
            }
        };
        written.map_err(|stop| stopped(stop, span))
    }

    // ------------------------------------------------------------------ cards

    /// `put CARD in PLACE row R column C with N COUNTER`.
    fn put(&mut self, card: &Name, at: &Name, (row, column): (Option<i64>, Option<i64>), with: Option<&(Expr, Name)>) -> Result<(), Wrong> {
        let (instance, place) = self.place(at)?;
        let slot = match (row, column) {
            (None, None) => None,
            _ => match self.trial.rules.grid_slot(place, row.unwrap_or(1), column.unwrap_or(1)) {
                Some(slot) => Some(slot),
                None => return Err(wrong(at.span, format!("`{}` has no such row and column", at.text))),
            },
        };
        let card = self.place_card(card, instance, place, slot)?;
        with.map_or(Ok(()), |(count, counter)| self.count(card, instance, counter, whole(count)?))
    }

    fn has(&mut self, seat: usize, word: &Name) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let definition = self.trial.definition(word)?;
        let kind = rules.definitions[definition].kind;
        let Some(place) = rules.place_in_play(kind) else {
            let kind = rules.names.text(rules.kinds[kind as usize].name);
            let found = wrong(word.span, format!("no player has a place in play for a card of kind `{kind}`"));
            let help =
                format!("say where it lies: `put {} in p{}.PLACE`; places in play are those that `hearing` names", word.text, seat + 1);
            return Err(Box::new(found.help(help)));
        };
        let instance = rules.places[place].first as usize + seat;
        self.place_card(word, instance, place, None).map(|_| ())
    }

    /// A place instance and its declaration: `board`, `p1.yard`.
    fn place(&self, word: &Name) -> Result<(usize, usize), Wrong> {
        let rules = &self.trial.rules;
        let (seat, name) = match seat_prefix(&word.text) {
            Some((seat, rest)) => {
                let end = word.span.end - rest.len() as u32 - 1;
                (Some(self.trial.seat_at(seat, Span { end, ..word.span })?), rest)
            }
            None => (None, word.text.as_str()),
        };
        let Some(place) = rules.find_place(name) else {
            let names = rules.places.iter().map(|place| place.name.as_str());
            return Err(Box::new(
                Diagnostic::error("G110", word.span, format!("no place is called `{name}`")).label("unknown").meant(nearest(name, names)),
            ));
        };
        let declared = &rules.places[place];
        match (declared.of_seat, seat) {
            (true, Some(seat)) => Ok((declared.first as usize + seat, place)),
            (false, None) => Ok((declared.first as usize, place)),
            (true, None) => {
                Err(Box::new(Diagnostic::error("G110", word.span, format!("each player has `{name}`")).help(format!("write `p1.{name}`"))))
            }
            (false, Some(_)) => Err(wrong(word.span, format!("`{name}` belongs to nobody; write `{name}` alone"))),
        }
    }

    /// Which copy of a card is meant: one that lies there already, one in the box, one in a deck, any.
    fn copy_of(&self, definition: usize, instance: usize) -> Option<usize> {
        let rules = &self.trial.rules;
        let copies = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
        let place = |card: usize| self.trial.game.cells()[rules.layout.piece(card, piece::PLACE)] as usize;
        copies.min_by_key(|&card| {
            let at = place(card);
            let wanted = if self.put.contains(&card) {
                5
            } else if at == instance {
                0
            } else if at == BOX {
                1
            } else if at == OUT {
                2
            } else if rules.layout.places[at].owner == TABLE {
                3
            } else {
                4
            };
            (wanted, card)
        })
    }

    /// Puts a card into a slot, or where it best goes, and gives its piece.
    fn place_card(&mut self, word: &Name, instance: usize, place: usize, slot: Option<usize>) -> Result<usize, Wrong> {
        let rules = self.trial.rules.clone();
        let definition = self.trial.definition(word)?;
        let kind = rules.definitions[definition].kind;
        let declared = &rules.places[place];
        if declared.kinds != 0 && declared.kinds >> kind & 1 == 0 {
            let kind = rules.names.text(rules.kinds[kind as usize].name);
            return Err(wrong(word.span, format!("`{}` is a card of kind `{kind}`, and none goes into `{}`", word.text, declared.name)));
        }
        let Some(card) = self.copy_of(definition, instance) else {
            return Err(wrong(word.span, format!("there is no piece of `{}` in this game", word.text)));
        };
        if self.put.contains(&card) {
            let one = rules.definitions[definition].copies == 1;
            let wrong =
                wrong(word.span, format!("a line above has put {} `{}` somewhere", if one { "the only" } else { "the last" }, word.text));
            let more = rules.definitions[definition].copies + 1;
            let help = format!("put it where it is to lie, once; with `copies = {more}` on the card there would be {more} of it");
            return Err(Box::new(wrong.help(help)));
        }
        let game = &mut self.trial.game;
        let at = game.cells()[rules.layout.piece(card, piece::PLACE)] as usize;
        let moved = if declared.shape == Shape::Deck {
            let home = rules.piece_home[card] as usize;
            if home <= BOX || rules.layout.places[home].declared as usize != place {
                return Err(wrong(word.span, format!("`{}` does not belong to deck `{}`", word.text, declared.name)));
            }
            game.put_on_top(&rules, card)
        } else if at == instance && slot.is_none() {
            Ok(())
        } else {
            let seat = rules.layout.places[instance].owner;
            let slot = slot.unwrap_or_else(|| self.best_slot(instance, place, seat));
            self.trial.game.put_piece(&rules, card, instance, slot)
        };
        moved.map_err(|fault| faulted(&fault, word.span))?;
        self.put.push(card);
        Ok(card)
    }

    /// The first free slot within the limit; else that of a card that came from the box and that no line has put there; else
    /// that of any card that no line has put there; else the first.
    fn best_slot(&mut self, instance: usize, place: usize, seat: u8) -> usize {
        let rules = self.trial.rules.clone();
        let game = &mut self.trial.game;
        let room = rules.layout.places[instance].room as i64;
        let me = if seat == TABLE { 0 } else { seat as usize };
        let limit = rules.places[place].limit.map_or(room, |quantity| game.quantity(&rules, quantity, me, [-1; 2]));
        if let Some(slot) = game.free_slot(&rules, instance, limit) {
            return slot;
        }
        let slots = || (0..limit.clamp(1, room.max(1)) as usize).rev();
        let there = |slot: usize| self.trial.game.piece_at(&rules, instance, slot);
        let old = |slot: &usize| there(*slot).is_some_and(|card| !self.put.contains(&card));
        let boxed = |slot: &usize| there(*slot).is_some_and(|card| rules.piece_home[card] as usize == BOX);
        slots().find(|slot| old(slot) && boxed(slot)).or_else(|| slots().find(old)).unwrap_or(0)
    }

    /// Gives a card a number of something; if what leaves the place goes to a counter of the player, it is taken from there.
    fn count(&mut self, card: usize, instance: usize, word: &Name, count: i64) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let found = rules.piece.iter().find(|v| v.name == word.text || count == 1 && v.name.strip_suffix('s') == Some(word.text.as_str()));
        let Some(variable) = found else {
            let names = rules.piece.iter().map(|v| v.name.as_str());
            return Err(Box::new(
                Diagnostic::error("G110", word.span, format!("cards have no counter `{}`", word.text))
                    .label("unknown")
                    .meant(nearest(&word.text, names)),
            ));
        };
        let game = &mut self.trial.game;
        let more = count - game.cells()[rules.layout.piece(card, variable.offset as usize)] as i64;
        let at = &rules.layout.places[instance];
        let returned = rules.places[at.declared as usize].returned.iter().find(|returned| returned.0 == variable.offset);
        if let (Some(&(_, source)), true) = (returned, at.owner != TABLE) {
            let (seat, source) = (at.owner as usize, source as usize);
            let there = game.cells()[rules.layout.seat(seat, source)] as i64;
            let left = (there - more).max(0);
            game.write_seat(&rules, seat, source, left).map_err(|stop| stopped(stop, word.span))?;
        }
        game.write_piece(&rules, card, variable.offset as usize, count).map_err(|stop| stopped(stop, word.span))
    }
}
