//! A position written from outside: for scenarios, and for nothing that happens in a game.
//!
//! Between [`Game::begin_edit`] and [`Game::end_edit`] no card leaves and no check runs, so that a position can be written line by
//! line.

use super::decision::{Fault, Opt, Question, Stop};
use super::eval::Env;
use super::game::{FixedDraw, Game};
use super::ids::PieceId;
use super::moment::Scripts;
use super::op::Op;
use super::options::MOST_PARAMS;
use super::ruleset::{Lifetime, Ruleset, Target};
use crate::cast;
use crate::state::layout::{BOX, OUT, head, piece};

/// A quantity that is still wrong after so many corrections cannot be made right.
const MOST_CORRECTIONS: usize = 64;

/// A value that a quantity of a seat is to have: seat, quantity, value.
pub type Wanted = (usize, usize, i64);

/// What the words of an option's key stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// An action with its candidates, allowed or not.
    Action(u16, [i16; MOST_PARAMS]),
    /// An action that cannot be tried with these cards, and why.
    Absent(u16, String),
    /// No action is called so.
    Unknown,
}

impl Game {
    /// Runs set-up up to the first round. Where seats would be ordered by chance they keep their numbers as their order;
    /// questions get their first answer.
    ///
    /// # Errors
    /// A fault of a card or of the rules.
    pub fn set_up_in_order(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        for part in 0.. {
            match rules.ops.of_part(part) {
                [Op::Round] => break,
                _ if part >= rules.ops.part_count() => break,
                ops if ops.iter().all(|op| matches!(op, Op::OrderRandom)) => self.jump_to(rules, part + 1)?,
                _ => {
                    while self.program_at() == part {
                        match self.pending {
                            Some(_) => self.answer(rules, scripts, 0)?,
                            None => self.advance_part(rules, scripts)?,
                        }
                    }
                }
            }
        }
        let seats: Vec<usize> = (0..rules.players).collect();
        self.set_order(rules, &seats).map_err(Stop::into_fault)
    }

    /// Goes from set-up to the turns of a round as if all before had left no trace: grids that would now be filled from other
    /// decks are dealt anew, and steps before the turns run if all that they do is to write numbers of the table.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn enter_round(&mut self, rules: &Ruleset, round: i64) -> Result<(), Fault> {
        for (cell, value) in [(head::ROUND, round), (head::TURN, 0), (head::TURN_PLACE, 0), (head::ACTIONS_LEFT, -1)] {
            self.put(rules, cell, value).map_err(Stop::into_fault)?;
        }
        let parts = 0..rules.ops.part_count();
        let first = parts.clone().position(|part| matches!(rules.ops.of_part(part), [Op::Round])).map_or(0, |at| at + 1);
        self.fill_again(rules, first).map_err(Stop::into_fault)?;
        let Some(turns) = parts.clone().position(|part| matches!(rules.ops.of_part(part), [Op::Turn(_)])) else {
            return self.jump_to(rules, first);
        };
        for (_, begin, end) in &rules.steps {
            if (*end as usize) <= turns {
                self.write_table_of_step(rules, *begin as usize, *end as usize).map_err(Stop::into_fault)?;
            }
        }
        self.jump_to(rules, turns)
    }

    fn fill_again(&mut self, rules: &Ruleset, first: usize) -> Result<(), Stop> {
        let mut filled = Vec::new();
        for part in first..rules.ops.part_count() {
            let [Op::Fill(declared, pile, index)] = rules.ops.of_part(part) else { continue };
            if filled.contains(declared) {
                continue;
            }
            filled.push(*declared);
            let mut env = Env::of(cast::index(self.cells[head::ORDER]));
            let deck = self.deck(rules, *pile, *index, &mut env)?;
            let grid = rules.places[*declared as usize].first as usize;
            let there = self.all_in(rules, grid);
            if !there.is_empty() && there.iter().all(|&card| rules.piece_home[card] as usize == deck) {
                continue;
            }
            for &card in there.iter().rev() {
                self.send_home(rules, card, true)?;
            }
            self.fill(rules, *declared, *pile, *index, &mut env)?;
        }
        Ok(())
    }

    /// What a step writes, if it does nothing else than to write numbers of the table.
    fn write_table_of_step(&mut self, rules: &Ruleset, begin: usize, end: usize) -> Result<(), Stop> {
        let (when, ops) = match rules.ops.of_parts(begin..end) {
            [Op::Part(_), Op::Unless(when, _), ops @ ..] => (Some(*when), ops),
            ops => (None, ops),
        };
        let of_table = |op: &Op| matches!(op, Op::Write(written) if matches!(written.0, Target::Global(_)));
        let mut env = Env::of(cast::index(self.cells[head::ORDER]));
        if !ops.iter().all(|op| of_table(op) || matches!(op, Op::Part(_) | Op::End(_))) || !self.holds_if(rules, when, &mut env) {
            return Ok(());
        }
        self.write_cells(rules, ops, &mut env)
    }

    /// What ops write; the other ops are left out.
    fn write_cells(&mut self, rules: &Ruleset, ops: &[Op], env: &mut Env) -> Result<(), Stop> {
        for op in ops {
            if let Op::Write(written) = op {
                let (target, write, value) = &**written;
                let value = self.eval(rules, *value, env);
                self.write(rules, target, *write, value, env)?;
            }
        }
        Ok(())
    }

    /// From now on the position is written from outside.
    pub fn begin_edit(&mut self) {
        self.run.quiet += 1;
    }

    /// The position is written. Quantities get lasting differences so that each reads as wanted, then checks run. Gives the
    /// wanted values that could not be had.
    ///
    /// # Errors
    /// A fault of a check.
    pub fn end_edit(&mut self, rules: &Ruleset, wanted: &[Wanted]) -> Result<Vec<Wanted>, Fault> {
        let mut wrong: Vec<Wanted> = Vec::new();
        for _ in 0..MOST_CORRECTIONS {
            wrong.clear();
            for &(seat, quantity, value) in wanted {
                let missing = value - self.quantity(rules, cast::fit::<u16>(quantity), seat, [-1; 2]);
                if missing != 0 {
                    wrong.push((seat, quantity, value));
                    self.differ(rules, seat, quantity, missing, Lifetime::Game).map_err(Stop::into_fault)?;
                }
            }
            if wrong.is_empty() {
                break;
            }
        }
        self.run.quiet = self.run.quiet.saturating_sub(1);
        self.queue.clear();
        self.due.checks = true;
        self.due.room = true;
        self.after_change(rules).map_err(Stop::into_fault)?;
        Ok(wrong)
    }

    /// All pieces in a place instance, by slot.
    pub fn all_in(&self, rules: &Ruleset, instance: usize) -> Vec<usize> {
        (0..rules.layout.places[instance].room as usize).filter_map(|slot| self.piece_at(rules, instance, slot)).collect()
    }

    /// Puts a piece into a slot; what lies there goes home.
    ///
    /// # Errors
    /// Faults of what happens when a piece leaves its place.
    pub fn put_piece(&mut self, rules: &Ruleset, card: usize, to: usize, slot: usize) -> Result<(), Fault> {
        match self.piece_at(rules, to, slot) {
            Some(there) if there == card => return Ok(()),
            Some(there) => self.send_home(rules, there, false).map_err(Stop::into_fault)?,
            None => {}
        }
        self.move_piece(rules, card, to, slot).map_err(Stop::into_fault)?;
        self.clear_counters(rules, card).map_err(Stop::into_fault)
    }

    /// Puts a piece on top of the deck that it belongs to.
    ///
    /// # Errors
    /// Faults of what happens when a piece leaves its place.
    pub fn put_on_top(&mut self, rules: &Ruleset, card: usize) -> Result<(), Fault> {
        self.send_home(rules, card, true).map_err(Stop::into_fault)
    }

    /// Sends a piece back to where it was at the start: to the bottom or the top of its deck, or into the box.
    ///
    /// # Errors
    /// Faults of what happens when it leaves its place.
    pub fn send_piece_home(&mut self, rules: &Ruleset, card: usize) -> Result<(), Fault> {
        self.send_home(rules, card, false).map_err(Stop::into_fault)
    }

    fn send_home(&mut self, rules: &Ruleset, card: usize, on_top: bool) -> Result<(), Stop> {
        let home = rules.piece_home[card] as usize;
        self.move_piece(rules, card, OUT, 0)?;
        self.clear_counters(rules, card)?;
        if home <= BOX {
            return self.move_piece(rules, card, home, 0);
        }
        let base = rules.layout.places[home].base as usize;
        let count = cast::index(self.cells[base]);
        if !on_top {
            for at in (0..count).rev() {
                let moved = self.cells[base + 1 + at];
                self.put(rules, base + 2 + at, moved as i64)?;
                self.put(rules, rules.layout.piece(cast::index(moved) - 1, piece::POSITION), cast::count(at) + 1)?;
            }
            self.put(rules, base + 1, 0)?;
        }
        self.move_piece(rules, card, home, if on_top { count } else { 0 })?;
        self.put(rules, rules.layout.piece(card, piece::KNOWN), 0)
    }

    /// What happens when a seat has done what ends its turns, without anybody hearing of it: the flag is set, and numbers are
    /// written as the action does that sets it.
    ///
    /// # Errors
    /// A number beyond 32 bits.
    pub fn end_turns_of(&mut self, rules: &Ruleset, seat: usize, flag: u16) -> Result<(), Fault> {
        let turns = rules.turns.iter().filter(|turns| turns.passed == flag);
        let mut actions = turns.flat_map(|turns| &turns.actions).map(|&action| &rules.actions[action as usize]);
        match actions.find(|action| action.passes && action.params.is_empty()) {
            Some(action) => self.write_cells(rules, rules.ops.routine(action.begin), &mut Env::of(seat)).map_err(Stop::into_fault),
            None => self.write_seat(rules, seat, flag as usize, 1).map_err(Stop::into_fault),
        }
    }

    /// Drops the open question of a turn, so that something else can be run first; a question in the middle of something stays.
    pub fn drop_turn(&mut self) -> bool {
        if !self.asks_inside() {
            self.pending = None;
        }
        self.pending.is_none()
    }

    /// The part of the program that runs or comes next.
    pub fn program_at(&self) -> usize {
        cast::index(self.cells[head::PROGRAM])
    }

    /// Goes to another part of the program, whatever is under way. Not while a question is open.
    ///
    /// # Errors
    /// A part that is not there.
    pub fn jump_to(&mut self, rules: &Ruleset, part: usize) -> Result<(), Fault> {
        let Some(&begin) = rules.ops.parts.get(part) else { return Err(Fault::new(format!("the program has no part {part}"))) };
        self.put(rules, head::PROGRAM, cast::count(part)).map_err(Stop::into_fault)?;
        self.before.clear();
        self.lay_first_frame(begin);
        Ok(())
    }

    /// Whether the open question stands in the middle of something, and not at the beginning of an action.
    pub fn asks_inside(&self) -> bool {
        self.pending.as_ref().is_some_and(|decision| !matches!(decision.question, Question::Turn(_)))
    }

    /// Remembers from now on what is taken unasked.
    pub fn keep_taken(&mut self) {
        self.told.taken = Some(Vec::new());
    }

    /// What was taken unasked, with its seat.
    pub fn taken(&self) -> &[(u8, Opt)] {
        self.told.taken.as_deref().unwrap_or(&[])
    }

    /// Forgets what was taken unasked.
    pub fn forget_taken(&mut self) {
        if let Some(taken) = &mut self.told.taken {
            taken.clear();
        }
    }

    /// What falls next, die by die, before chance goes on: each a bit set of classes. It comes behind what was fixed before.
    pub fn fix_rolls(&mut self, faces: &[u64]) {
        self.told.falls.splice(0..0, faces.iter().rev().copied());
    }

    /// How many faces that were fixed have not fallen yet.
    pub fn fixed_rolls(&self) -> usize {
        self.told.falls.len()
    }

    /// Which tokens are taken next where they are taken at random, before chance goes on: each a bit set of classes. It comes behind what was
    /// fixed before.
    pub fn fix_takes(&mut self, tokens: &[u64]) {
        self.told.takes.splice(0..0, tokens.iter().rev().copied());
    }

    /// How many tokens that were fixed have not been taken yet.
    pub fn fixed_takes(&self) -> usize {
        self.told.takes.len()
    }

    /// Which card is drawn next from a deck, behind those that were fixed before it.
    pub fn fix_draw(&mut self, card: usize, deck: usize) {
        self.told.draws.push(FixedDraw { card, deck, came: false });
    }

    /// The draws that were fixed, in that order, with whether they have come.
    pub fn fixed_draws(&self) -> &[FixedDraw] {
        &self.told.draws
    }

    /// Takes a card out of the game.
    ///
    /// # Errors
    /// Faults of what happens when it leaves its place.
    pub fn take_out(&mut self, rules: &Ruleset, card: usize) -> Result<(), Fault> {
        self.move_piece(rules, card, OUT, 0).and_then(|()| self.clear_counters(rules, card)).map_err(Stop::into_fault)
    }

    /// Whether a part of the program is under way: something of it has been done, and something is left.
    pub fn is_under_way(&mut self, rules: &Ruleset) -> bool {
        if self.finished() {
            return false;
        }
        let pc = self.read_frame().pc.0;
        let between = matches!(rules.ops.all.get(pc as usize), Some(Op::Part(_) | Op::Turn(_)));
        self.acts_at_once() || !between
    }

    /// What the words of an option's key mean for a seat, whether it is allowed or not.
    pub fn meaning(&mut self, rules: &Ruleset, seat: usize, key: &str) -> Meant {
        let mut words: Vec<&str> = key.split_whitespace().collect();
        let nth = words.last().and_then(|word| word.strip_prefix('#')?.parse::<usize>().ok());
        if nth.is_some() {
            words.pop();
        }
        let nth = nth.unwrap_or(1).max(1);
        let Some((name, mut rest)) = words.split_first() else { return Meant::Unknown };
        let found = rules.actions.iter().position(|action| rules.names.text(action.name) == *name);
        let Some(index) = found else { return Meant::Unknown };
        let mut env = Env::of(seat);
        let mut args = [-1; MOST_PARAMS];
        for (stage, param) in rules.actions[index].params.iter().enumerate() {
            let word = param.word.map(|word| rules.names.text(word));
            if let Some(word) = word {
                match rest.split_first() {
                    Some((first, more)) if *first == word => rest = more,
                    _ if param.maybe => continue,
                    _ => return Meant::Absent(cast::fit::<u16>(index), format!("`{word}` and a card are missing from `{key}`")),
                }
            }
            let Some((card, more)) = rest.split_first() else {
                if param.maybe {
                    continue;
                }
                return Meant::Absent(cast::fit::<u16>(index), format!("`{key}` names too few cards"));
            };
            rest = more;
            let Some(definition) = rules.find_definition(card) else {
                return Meant::Absent(cast::fit::<u16>(index), format!("no card is called `{card}`"));
            };
            let mut candidates = Vec::new();
            self.cards_of(rules, param.set, &mut env, &mut candidates);
            let mut same = candidates.into_iter().filter(|&found| rules.piece_definition[cast::index(found)] as usize == definition);
            let last = rules.actions[index].params.len() - 1;
            let Some(candidate) = (if stage == last { same.nth(nth - 1) } else { same.next() }) else {
                let place = rules.sets[param.set as usize].places.first().map_or("", |&place| &rules.places[place as usize].name);
                return Meant::Absent(cast::fit::<u16>(index), format!("`{card}` is not in `{place}`"));
            };
            env.locals[1 + stage] = candidate;
            args[stage] = PieceId::in_option(candidate);
        }
        match rest.first() {
            Some(word) => Meant::Absent(cast::fit::<u16>(index), format!("`{word}` is too much in `{key}`")),
            None => Meant::Action(cast::fit::<u16>(index), args),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::NoScripts;
    use super::super::sample::{Added, game, rules, values};
    use super::*;

    #[test]
    fn a_position_is_written_and_quantities_read_as_wanted() {
        let (rules, mut game) = game(&Added { setup: "fill row from pile", ..Added::default() });
        let howl = rules.quantities.iter().position(|quantity| quantity.name == "howl").unwrap_or(0);
        game.begin_edit();
        let den = rules.places[rules.find_place("den").unwrap_or(0)].first as usize;
        let card = game.all_in(&rules, rules.places[rules.find_place("row").unwrap_or(0)].first as usize)[0];
        assert_eq!(game.put_piece(&rules, card, den, 0), Ok(()));
        assert_eq!(game.end_edit(&rules, &[(0, howl, 7)]), Ok(Vec::new()));
        assert_eq!((game.quantity(&rules, howl as u16, 0, [-1; 2]), game.place_of(&rules, card)), (7, (den, 0)));
        assert_eq!(game.send_piece_home(&rules, card), Ok(()));
        assert_eq!(game.place_of(&rules, card).1, 0, "it lies at the bottom of its deck");
        assert_eq!(game.put_on_top(&rules, card), Ok(()));
        assert_eq!(game.top_card(&rules, rules.piece_home[card] as usize), Some(card));
    }

    #[test]
    fn set_up_keeps_the_seats_in_their_order_and_answers_questions() {
        let rules = rules(
            4,
            &Added {
                setup: "order at random; each player { player chooses { \"a\" { gain 1 wisp } \"b\" { gain 1 fog } } }",
                ..Added::default()
            },
        );
        let mut game = Game::new(&rules, 3);
        assert_eq!(game.set_up_in_order(&rules, &mut NoScripts), Ok(()));
        assert_eq!((game.order(&rules), game.round(), values(&rules, &game, "wisp")), (vec![0, 1, 2, 3], 0, vec![4; 4]));
        assert_eq!(game.enter_round(&rules, 2), Ok(()));
        assert!(matches!(game.advance(&rules, &mut NoScripts), Ok(Some(decision)) if decision.seat == 0));
        assert_eq!(game.round(), 2);
    }

    #[test]
    fn the_words_of_a_key_stand_for_an_action() {
        let (rules, mut game) = game(&Added { setup: "fill row from pile", ..Added::default() });
        let card = game.all_in(&rules, rules.places[rules.find_place("row").unwrap_or(0)].first as usize)[0];
        let id = rules.names.text(rules.definition(card).id).to_string();
        assert_eq!(game.meaning(&rules, 0, &format!("fetch {id}")), Meant::Action(0, [card as i16, -1, -1]));
        assert_eq!(game.meaning(&rules, 0, "fly"), Meant::Unknown);
        for key in ["fetch", "fetch nobody", &format!("fetch {id} {id}")] {
            assert!(matches!(game.meaning(&rules, 0, key), Meant::Absent(0, _)), "{key}");
        }
    }
}
