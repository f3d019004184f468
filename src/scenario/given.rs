//! `given`: the position that a scenario begins with, written line by line.

use super::trial::{Line, Trial, Wrong, faulted, lines_of};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::edit::Wanted;
use crate::engine::ruleset::{Node, NodeId, Part, Shape, Stmt, Target, VariableSort, Write};
use crate::engine::{Fault, Stop};
use crate::lang::Type;
use crate::lang::{seat_number, seat_prefix};
use crate::pack::Text;
use crate::source::Span;
use crate::state::layout::{BOX, OUT, TABLE, piece};

/// Sets the game up and writes the position. `span` is where the test stands.
pub(super) fn write(trial: &mut Trial<'_>, text: Option<&Text>, span: Span) -> Result<(), Wrong> {
    let lines = text.map(lines_of).unwrap_or_default();
    let mut round = 1;
    for line in &lines {
        let words = line.words();
        if words[0].text == "round" && words.len() == 2 {
            round = round_of(words[1])?;
        }
    }
    let rules = trial.rules.clone();
    trial.game.set_up_in_order(&rules, trial.host).map_err(|fault| faulted(&fault, span))?;
    trial.game.enter_round(&rules, round).map_err(|fault| faulted(&fault, span))?;
    trial.game.begin_edit();
    let mut given = Given { trial, wanted: Vec::new(), spans: Vec::new(), put: Vec::new() };
    for line in lines {
        given.line(line)?;
    }
    let Given { wanted, spans, .. } = given;
    let wrong = trial.game.end_edit(&rules, &wanted).map_err(|fault| faulted(&fault, span))?;
    if let Some(first) = wrong.first() {
        let at = wanted.iter().position(|w| w == first).map_or(span, |i| spans[i]);
        let name = &rules.quantities[first.1].name;
        let message = format!("p{}'s {name} cannot be made to read {}", first.0 + 1, first.2);
        return Err(Box::new(Diagnostic::error("G111", at, message).help(format!("what bounds `{name}`, or another line, is against it"))));
    }
    Ok(())
}

fn round_of(word: Line<'_>) -> Result<i64, Wrong> {
    match word.text.parse() {
        Ok(round) if (1..=1000).contains(&round) => Ok(round),
        _ => Err(word.wrong("expected the number of a round")),
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
    wanted: Vec<Wanted>,
    spans: Vec<Span>,
    /// Pieces that lines have put somewhere.
    put: Vec<usize>,
}

impl Given<'_, '_> {
    fn line(&mut self, line: Line<'_>) -> Result<(), Wrong> {
        let words = line.words();
        if let Some(at) = assignment(line.text) {
            let (left, right) = line.split_at(at, 1);
            return self.assign(left, right);
        }
        match (words[0].text, words.len()) {
            // It was read before all others.
            ("round", 2) => Ok(()),
            ("order", _) => self.order(line),
            ("empty", 2) => self.empty(words[1]),
            ("put", _) => self.put(line, &words),
            (first, 3) if words[1].text == "has" && seat_number(first).is_some() => {
                let seat = self.trial.seat(words[0])?;
                self.has(seat, words[2])
            }
            (first, 2) if seat_number(first).is_some() => {
                let seat = self.trial.seat(words[0])?;
                self.flag(seat, words[1])
            }
            (first, 2) if self.trial.rules.find_place(first).is_some() => {
                let (instance, place) = self.place(words[0])?;
                self.place_card(words[1], instance, place, None).map(|_| ())
            }
            _ => Err(Box::new(
                Diagnostic::error("G110", line.span(), "this says nothing about a position")
                    .label("cannot be read")
                    .help("write `round 2`, `p1.x = 3`, `put CARD in PLACE`, `p1 has CARD`, `empty PLACE`, `order p2 p1` or `PLACE CARD`"),
            )),
        }
    }

    fn order(&mut self, line: Line<'_>) -> Result<(), Wrong> {
        let players = self.trial.rules.players;
        let mut seats = Vec::new();
        for word in &line.words()[1..] {
            let word = word.slice(0, word.text.trim_end_matches(',').len());
            let seat = self.trial.seat(word)?;
            if seats.contains(&seat) {
                return Err(word.wrong(format!("`{}` stands there twice", word.text)));
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
        self.trial.game.set_order(&rules, &seats).map_err(|stop| stopped(stop, line.span()))
    }

    fn empty(&mut self, word: Line<'_>) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let (instance, _) = self.place(word)?;
        for card in self.trial.game.all_in(&rules, instance) {
            self.trial.game.send_piece_home(&rules, card).map_err(|fault| faulted(&fault, word.span()))?;
        }
        Ok(())
    }

    /// `p1 passed`, and any other flag.
    fn flag(&mut self, seat: usize, word: Line<'_>) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let ending = rules
            .program
            .iter()
            .find_map(|part| if let Part::Turns(turns) = part { Some(rules.turns[*turns as usize].passed) } else { None });
        let flag = rules.seat.iter().find(|v| v.name == word.text && v.sort == VariableSort::Flag).map(|v| v.offset);
        match (flag, ending) {
            (Some(flag), ending) if ending != Some(flag) => {
                self.trial.game.write_seat(&rules, seat, flag as usize, 1).map_err(|stop| stopped(stop, word.span()))
            }
            (found, Some(flag)) if found.is_some() || word.text == "passed" => {
                self.trial.game.end_turns_of(&rules, seat, flag).map_err(|fault| faulted(&fault, word.span()))
            }
            _ => {
                let flags: Vec<&str> = rules.seat.iter().filter(|v| v.sort == VariableSort::Flag).map(|v| v.name.as_str()).collect();
                let found = Diagnostic::error("G110", word.span(), format!("`{}` is no flag of a player", word.text)).label("unknown");
                Err(Box::new(found.meant(nearest(word.text, flags))))
            }
        }
    }

    // ------------------------------------------------------------------ numbers

    fn assign(&mut self, left: Line<'_>, right: Line<'_>) -> Result<(), Wrong> {
        if let Some((pool, seat)) = self.pool(left) {
            return self.fill_pool(pool, seat, right);
        }
        let (node, sort) = self.trial.read(left)?;
        let me = seat_prefix(left.text).map(|(seat, _)| seat);
        if let Type::Choice(_) = sort {
            return self.choose(left, right, (node, sort), me);
        }
        let (value, found) = self.trial.read(right)?;
        let alike = match sort {
            Type::Truth => found == Type::Truth,
            _ => found == Type::Number,
        };
        if !alike {
            return Err(right.wrong(format!("expected {}, found {}", sort.words(), found.words())));
        }
        let value = self.trial.value(value, me.unwrap_or(0));
        if let Some(why) = self.trial.wrong_number() {
            return Err(right.wrong(why));
        }
        self.set(left, node, me, value)?;
        match self.trial.wrong_number() {
            Some(why) => Err(left.wrong(why)),
            None => Ok(()),
        }
    }

    /// A pool by its name, behind a seat perhaps.
    fn pool(&self, left: Line<'_>) -> Option<(u8, usize)> {
        let rules = &self.trial.rules;
        let (seat, name) = seat_prefix(left.text).map_or((0, left.text), |(seat, name)| (seat, name));
        let pool = rules.pools.iter().position(|pool| rules.names.text(pool.name) == name)?;
        (seat < rules.players).then_some((pool as u8, seat))
    }

    /// `p1.hand = 2 white:food, gold`.
    fn fill_pool(&mut self, pool: u8, seat: usize, right: Line<'_>) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let mut contents = Vec::new();
        for part in right.text.split(',').map(str::trim).filter(|part| !part.is_empty() && *part != "nothing") {
            let (count, key) = match part.split_once(' ') {
                Some((count, key)) => (count.parse().unwrap_or(-1), key.trim()),
                None => (1, part),
            };
            let class = rules.classes.iter().position(|class| rules.names.text(class.key) == key);
            match class {
                Some(class) if count >= 0 => contents.push((class, count)),
                _ => {
                    let keys = rules.classes.iter().map(|class| rules.names.text(class.key));
                    let at = right.text.find(part).unwrap_or(0);
                    let place = right.slice(at, at + part.len()).span();
                    let wrong = Diagnostic::error("G112", place, format!("`{part}` is no token, nor several of one"));
                    let wrong = wrong.label("cannot be read").help("write `nothing`, or tokens such as `2 KIND:FACE, KIND`");
                    return Err(Box::new(wrong.meant(nearest(key, keys))));
                }
            }
        }
        self.trial.game.set_pool(&rules, pool, seat, &contents).map_err(|stop| stopped(stop, right.span()))
    }

    /// A word for one of the values of an option or field: the number behind it.
    fn choose(&mut self, left: Line<'_>, right: Line<'_>, (node, sort): (NodeId, Type), me: Option<usize>) -> Result<(), Wrong> {
        match self.trial.reader.word(sort, right.text) {
            Some(value) => self.set(left, node, me, value),
            None => Err(right.wrong(format!("`{}` cannot be `{}`", left.text, right.text))),
        }
    }

    fn set(&mut self, left: Line<'_>, mut node: NodeId, mut me: Option<usize>, value: i64) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let nodes = &self.trial.reader.rules().nodes;
        if let Node::Of(seat, inner) = nodes[node as usize] {
            if let Node::Const(seat) = nodes[seat as usize] {
                me = usize::try_from(seat).ok();
            }
            node = inner;
        }
        let target = nodes[node as usize].clone();
        let span = left.span();
        let owner = |me: Option<usize>| {
            me.ok_or_else(|| {
                let help = format!("write `p1.{}`", left.text);
                Box::new(Diagnostic::error("G110", span, format!("`{}` is each player's", left.text)).label("whose?").help(help))
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
                    _ => return Err(left.wrong("there is no such place in a row of numbers")),
                }
            }
            Node::Global(cell) if (cell as usize) < crate::state::layout::head::SIZE => {
                return Err(left.wrong(format!("`{}` follows from the position and cannot be written", left.text)));
            }
            Node::Global(cell) => game.write_table(&rules, cell as usize, value),
            Node::Counter(card, offset) => match self.trial.value(card, me.unwrap_or(0)) {
                card if card >= 0 => self.trial.game.write_piece(&rules, card as usize, offset as usize, value),
                _ => return Err(left.wrong("no card lies there")),
            },
            Node::Quantity(quantity, [None, None]) if rules.quantities[quantity as usize].differences.is_some() => {
                let seat = owner(me)?;
                self.wanted.retain(|w| (w.0, w.1) != (seat, quantity as usize));
                self.wanted.push((seat, quantity as usize, value));
                self.spans.push(span);
                return Ok(());
            }
            _ => {
                let found = Diagnostic::error("G110", span, format!("`{}` cannot be written", left.text));
                let help =
                    "a resource, counter, flag or tally can be written, a counter on a card, and a stat, which then gets a difference";
                return Err(Box::new(found.label("it is worked out from other things").help(help)));
            }
        };
        written.map_err(|stop| stopped(stop, span))
    }

    // ------------------------------------------------------------------ cards

    /// `put CARD in PLACE row R column C with N COUNTER`.
    fn put(&mut self, line: Line<'_>, words: &[Line<'_>]) -> Result<(), Wrong> {
        if words.len() < 4 || words[2].text != "in" {
            return Err(line.wrong("write `put CARD in PLACE`, then perhaps `row 1 column 2` and `with 2 COUNTER`"));
        }
        let (instance, place) = self.place(words[3])?;
        let (mut row, mut column, mut with) = (None, None, None);
        let mut rest = &words[4..];
        loop {
            match rest {
                [] => break,
                [word, number, more @ ..] if word.text == "row" => (row, rest) = (Some(number_of(*number)?), more),
                [word, number, more @ ..] if word.text == "column" => (column, rest) = (Some(number_of(*number)?), more),
                [word, number, counter, more @ ..] if word.text == "with" => (with, rest) = (Some((number_of(*number)?, *counter)), more),
                [word, ..] => return Err(word.wrong(format!("`{}` does not belong here", word.text))),
            }
        }
        let slot = match (row, column) {
            (None, None) => None,
            _ => match self.trial.rules.grid_slot(place, row.unwrap_or(1), column.unwrap_or(1)) {
                Some(slot) => Some(slot),
                None => return Err(words[3].wrong(format!("`{}` has no such row and column", words[3].text))),
            },
        };
        let card = self.place_card(words[1], instance, place, slot)?;
        match with {
            Some((count, counter)) => self.count(card, instance, counter, count),
            None => Ok(()),
        }
    }

    fn has(&mut self, seat: usize, word: Line<'_>) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let definition = self.definition(word)?;
        let kind = rules.definitions[definition].kind;
        let Some(place) = rules.place_in_play(kind) else {
            let kind = rules.names.text(rules.kinds[kind as usize].name);
            return Err(word.wrong(format!("no player has a place in play for a card of kind `{kind}`")));
        };
        let instance = rules.places[place].first as usize + seat;
        self.place_card(word, instance, place, None).map(|_| ())
    }

    /// A place instance and its declaration: `board`, `p1.yard`.
    fn place(&self, word: Line<'_>) -> Result<(usize, usize), Wrong> {
        let rules = &self.trial.rules;
        let (seat, name) = match seat_prefix(word.text) {
            Some((_, rest)) => (Some(self.trial.seat(word.slice(0, word.text.len() - rest.len() - 1))?), rest),
            None => (None, word.text),
        };
        let Some(place) = rules.find_place(name) else {
            let names = rules.places.iter().map(|place| place.name.as_str());
            return Err(Box::new(
                Diagnostic::error("G110", word.span(), format!("no place is called `{name}`")).label("unknown").meant(nearest(name, names)),
            ));
        };
        let declared = &rules.places[place];
        match (declared.of_seat, seat) {
            (true, Some(seat)) => Ok((declared.first as usize + seat, place)),
            (false, None) => Ok((declared.first as usize, place)),
            (true, None) => Err(Box::new(
                Diagnostic::error("G110", word.span(), format!("each player has `{name}`")).help(format!("write `p1.{name}`")),
            )),
            (false, Some(_)) => Err(word.wrong(format!("`{name}` belongs to nobody; write `{name}` alone"))),
        }
    }

    fn definition(&self, word: Line<'_>) -> Result<usize, Wrong> {
        let rules = &self.trial.rules;
        rules.find_definition(word.text).ok_or_else(|| {
            let names = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
            Box::new(
                Diagnostic::error("G110", word.span(), format!("no card is called `{}`", word.text))
                    .label("unknown")
                    .meant(nearest(word.text, names)),
            )
        })
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
    fn place_card(&mut self, word: Line<'_>, instance: usize, place: usize, slot: Option<usize>) -> Result<usize, Wrong> {
        let rules = self.trial.rules.clone();
        let definition = self.definition(word)?;
        let kind = rules.definitions[definition].kind;
        let declared = &rules.places[place];
        if declared.kinds != 0 && declared.kinds >> kind & 1 == 0 {
            let kind = rules.names.text(rules.kinds[kind as usize].name);
            return Err(word.wrong(format!("`{}` is a card of kind `{kind}`, and none goes into `{}`", word.text, declared.name)));
        }
        let Some(card) = self.copy_of(definition, instance) else {
            return Err(word.wrong(format!("there is no piece of `{}` in this game", word.text)));
        };
        let game = &mut self.trial.game;
        let at = game.cells()[rules.layout.piece(card, piece::PLACE)] as usize;
        let moved = if declared.shape == Shape::Deck {
            let home = rules.piece_home[card] as usize;
            if home <= BOX || rules.layout.places[home].declared as usize != place {
                return Err(word.wrong(format!("`{}` does not belong to deck `{}`", word.text, declared.name)));
            }
            game.put_on_top(&rules, card)
        } else if at == instance && slot.is_none() {
            Ok(())
        } else {
            let seat = rules.layout.places[instance].owner;
            let slot = slot.unwrap_or_else(|| self.best_slot(instance, place, seat));
            self.trial.game.put_piece(&rules, card, instance, slot)
        };
        moved.map_err(|fault| faulted(&fault, word.span()))?;
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
    fn count(&mut self, card: usize, instance: usize, word: Line<'_>, count: i64) -> Result<(), Wrong> {
        let rules = self.trial.rules.clone();
        let found = rules.piece.iter().find(|v| v.name == word.text || count == 1 && v.name.strip_suffix('s') == Some(word.text));
        let Some(variable) = found else {
            let names = rules.piece.iter().map(|v| v.name.as_str());
            return Err(Box::new(
                Diagnostic::error("G110", word.span(), format!("cards have no counter `{}`", word.text))
                    .label("unknown")
                    .meant(nearest(word.text, names)),
            ));
        };
        let game = &mut self.trial.game;
        let more = count - game.cells()[rules.layout.piece(card, variable.offset as usize)] as i64;
        let at = &rules.layout.places[instance];
        if at.owner != TABLE
            && let Some(body) = rules.places[at.declared as usize].on_leave
        {
            let source = rules.bodies[body as usize].iter().find_map(|stmt| match stmt {
                Stmt::Write(Target::Own(source), Write::Add, value) => match rules.nodes[*value as usize] {
                    Node::Counter(_, offset) if offset as u16 == variable.offset => Some(*source as usize),
                    _ => None,
                },
                _ => None,
            });
            if let Some(source) = source {
                let seat = at.owner as usize;
                let there = game.cells()[rules.layout.seat(seat, source)] as i64;
                let left = (there - more).max(0);
                game.write_seat(&rules, seat, source, left).map_err(|stop| stopped(stop, word.span()))?;
            }
        }
        game.write_piece(&rules, card, variable.offset as usize, count).map_err(|stop| stopped(stop, word.span()))
    }
}

fn number_of(word: Line<'_>) -> Result<i64, Wrong> {
    word.text.parse().map_err(|_| word.wrong(format!("expected a number, found `{}`", word.text)))
}

/// Where the `=` of a line stands that is no comparison.
fn assignment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    (0..bytes.len()).find(|&at| {
        bytes[at] == b'=' && bytes.get(at + 1) != Some(&b'=') && !(at > 0 && matches!(bytes[at - 1], b'=' | b'!' | b'<' | b'>'))
    })
}
