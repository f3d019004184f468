//! Edits the state of a game directly, to set up positions of scenarios. The structure of the compiled program determines what a position
//! is: its phases, steps and turns. No checks of the rules run between [`PositionEditor::begin_editing`] and [`PositionEditor::finish`], so
//! that a position can be written line by line.

use std::ops::Range;

use crate::cast;
use crate::engine::eval::Env;
use crate::engine::op::Op;
use crate::engine::ruleset::{Cells, Lifetime, Ruleset};
use crate::engine::{Fault, Machine, Scripts, Stop, change, moves, pieces, slots};
use crate::state::layout::{OUT, head};

/// Largest number of attempts to correct a quantity before giving up.
const MAX_CORRECTIONS: usize = 64;

/// A value that a quantity should have: seat, index of the quantity, value.
pub type WantedQuantity = (usize, usize, i64);

/// Edits the state of a game to set up a position.
pub struct PositionEditor<'m> {
    machine: Machine<'m>,
}

/// Returns the index of the part of the program in which each round starts. The parts before it are the set-up.
fn round_start(rules: &Ruleset) -> usize {
    rules.phases.first().map_or(rules.ops.part_count(), |phase| phase.1 as usize)
}

impl<'m> PositionEditor<'m> {
    /// Creates an editor for a game.
    pub fn new(machine: Machine<'m>) -> PositionEditor<'m> {
        PositionEditor { machine }
    }

    fn rules(&self) -> &'m Ruleset {
        self.machine.store.rules
    }

    /// Runs the set-up, up to the first round. Seats that would be ordered randomly stay in numerical order, and the first option answers
    /// each question.
    ///
    /// # Errors
    /// A fault of a card or of the rules.
    pub fn set_up_in_order(&mut self, scripts: &mut dyn Scripts) -> Result<(), Fault> {
        let rules = self.rules();
        for part in 0..round_start(rules).saturating_sub(1) {
            if rules.ops.of_part(part).iter().all(|op| matches!(op, Op::OrderRandom)) {
                self.machine.jump_to(part + 1)?;
                continue;
            }
            while self.machine.store.state().program_part() == part {
                match self.machine.decision() {
                    Some(_) => self.machine.answer(scripts, 0)?,
                    None => self.machine.advance_part(scripts)?,
                }
            }
        }
        let seats: Vec<usize> = (0..rules.players).collect();
        self.machine.change(|store| change::set_order(store, &seats)).map_err(Stop::into_fault)
    }

    /// Moves from the set-up to the turns of a round, without the effects of earlier rounds. The steps ahead of the turns are not run, but for
    /// those that write only variables of the whole game; grids that they fill are filled, and dealt again if this round fills them from other
    /// decks. Without turns the round begins with its first phase, ahead of which nothing is left out.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn enter_round(&mut self, round: i64) -> Result<(), Fault> {
        let rules = self.rules();
        for (cell, value) in [(head::ROUND, round), (head::TURN, 0), (head::TURN_PLACE, 0), (head::ACTIONS_LEFT, -1)] {
            change::write_table(&mut self.machine.store, cell, value).map_err(Stop::into_fault)?;
        }
        let first = round_start(rules);
        let Some(turns) = rules.turns.first().map(|turns| turns.part as usize) else { return self.machine.jump_to(first) };
        self.fill_again(first..turns).map_err(Stop::into_fault)?;
        for (_, begin, end) in &rules.steps {
            if (*end as usize) <= turns {
                self.write_table_of_step(*begin as usize, *end as usize).map_err(Stop::into_fault)?;
            }
        }
        self.machine.jump_to(turns)
    }

    fn first_in_order(&self) -> Env {
        Env::for_seat(cast::index(self.machine.store.state().cells()[head::ORDER]))
    }

    fn fill_again(&mut self, parts: Range<usize>) -> Result<(), Stop> {
        let rules = self.rules();
        let mut filled = Vec::new();
        for part in parts {
            let [Op::Fill { grid: declared, deck: pile, pile: index }] = rules.ops.of_part(part) else { continue };
            if filled.contains(declared) {
                continue;
            }
            filled.push(*declared);
            let mut env = self.first_in_order();
            let Some(deck) = pieces::deck_instance(&mut self.machine.store, *pile, *index, &mut env)? else { continue };
            let grid = rules.places[*declared as usize].first_instance as usize;
            let there = self.machine.store.position().all_in(grid);
            if !there.is_empty() && there.iter().all(|&card| rules.piece_home[card] as usize == deck) {
                continue;
            }
            for &card in there.iter().rev() {
                moves::send_home(&mut self.machine, card, true)?;
            }
            pieces::fill(&mut self.machine, *declared, *pile, *index, &mut env)?;
        }
        Ok(())
    }

    /// Runs a step if it only writes variables of the whole game.
    fn write_table_of_step(&mut self, begin: usize, end: usize) -> Result<(), Stop> {
        let (when, ops) = match self.rules().ops.of_parts(begin..end) {
            [Op::Part { .. }, Op::Unless { condition: when, .. }, ops @ ..] => (Some(*when), ops),
            ops => (None, ops),
        };
        let of_table = |op: &Op| matches!(op, Op::Write { written } if written.0.of == Cells::Table);
        let mut env = self.first_in_order();
        let writes_alone = ops.iter().all(|op| of_table(op) || matches!(op, Op::Part { .. } | Op::End { .. }));
        if writes_alone && when.is_none_or(|when| self.machine.store.holds(when, &mut env)) {
            self.write_cells(ops, &mut env)
        } else {
            Ok(())
        }
    }

    /// Runs the writes among the operations and skips everything else.
    fn write_cells(&mut self, ops: &[Op], env: &mut Env) -> Result<(), Stop> {
        for op in ops {
            if let Op::Write { written } = op {
                let (target, write, value) = &**written;
                let value = self.machine.store.eval(*value, env);
                self.machine.change(|store| change::write_target(store, target, *write, value, env))?;
            }
        }
        Ok(())
    }

    /// Starts editing: checks of the rules are suspended.
    pub fn begin_editing(&mut self) {
        self.machine.hold_checks();
    }

    /// Ends editing. Adds lasting differences so that each quantity reads as wanted, then runs the checks. Returns the wanted values that
    /// could not be reached.
    ///
    /// # Errors
    /// A fault of a check.
    pub fn finish(&mut self, wanted: &[WantedQuantity]) -> Result<Vec<WantedQuantity>, Fault> {
        let mut wrong: Vec<WantedQuantity> = Vec::new();
        for _ in 0..MAX_CORRECTIONS {
            wrong.clear();
            for &(seat, quantity, value) in wanted {
                let missing = value - self.machine.store.quantity(cast::fit::<u16>(quantity), seat, [-1; 2]);
                if missing != 0 {
                    wrong.push((seat, quantity, value));
                    self.machine
                        .change(|store| change::add_difference(store, seat, quantity, missing, Lifetime::Game))
                        .map_err(Stop::into_fault)?;
                }
            }
            if wrong.is_empty() {
                break;
            }
        }
        self.machine.release_checks()?;
        Ok(wrong)
    }

    /// Moves a card to a slot. A card that is already there goes back to where it started.
    ///
    /// # Errors
    /// A fault of something that reacts to a card leaving its place.
    pub fn put_piece(&mut self, card: usize, to: usize, slot: usize) -> Result<(), Fault> {
        match self.machine.store.position().piece_at(to, slot) {
            Some(there) if there == card => return Ok(()),
            Some(there) => self.send_home(there)?,
            None => {}
        }
        self.move_and_clear(card, to, slot)
    }

    /// Puts a card on top of the deck that it belongs to.
    ///
    /// # Errors
    /// A fault of something that reacts to a card leaving its place.
    pub fn put_on_top(&mut self, card: usize) -> Result<(), Fault> {
        moves::send_home(&mut self.machine, card, true).map_err(Stop::into_fault)
    }

    /// Puts a card that lies in a deck on top of it.
    ///
    /// # Errors
    /// A fault of the state.
    pub fn raise_to_top(&mut self, card: usize) -> Result<(), Fault> {
        slots::raise_to_top(&mut self.machine.store, card).map_err(Stop::into_fault)
    }

    /// Puts a card on top of another deck, which has room for it.
    ///
    /// # Errors
    /// A fault of something that reacts to a card leaving its place, or the deck is full.
    pub fn put_onto(&mut self, card: usize, deck: usize) -> Result<(), Fault> {
        let top = self.machine.store.position().pieces_in(deck);
        self.move_and_clear(card, deck, top)
    }

    /// Moves a card back to where it started: to the bottom of its deck, or into the box.
    ///
    /// # Errors
    /// A fault of something that reacts to the card leaving its place.
    pub fn send_home(&mut self, card: usize) -> Result<(), Fault> {
        moves::send_home(&mut self.machine, card, false).map_err(Stop::into_fault)
    }

    /// Takes a card out of the game.
    ///
    /// # Errors
    /// A fault of something that reacts to the card leaving its place.
    pub fn take_out(&mut self, card: usize) -> Result<(), Fault> {
        self.move_and_clear(card, OUT, 0)
    }

    fn move_and_clear(&mut self, card: usize, to: usize, slot: usize) -> Result<(), Fault> {
        // Who has seen it before in this game makes no difference to a position that is set up.
        let hidden = slots::hide_from_all(&mut self.machine.store, card);
        let moved = hidden.and_then(|()| moves::move_piece(&mut self.machine, card, to, slot));
        moved.and_then(|()| slots::clear_counters(&mut self.machine.store, card)).map_err(Stop::into_fault)
    }

    /// Ends the turns of a seat without raising moments: sets the flag, and writes the same variables as the action that sets it.
    ///
    /// # Errors
    /// Overflow of a variable.
    pub fn end_turns_of(&mut self, seat: usize, flag: u16) -> Result<(), Fault> {
        let rules = self.rules();
        let turns = rules.turns.iter().filter(|turns| turns.passed == Some(flag));
        let actions = turns.flat_map(|turns| &turns.actions).map(|&action| &rules.choices[action as usize]);
        match actions.filter(|choice| choice.params.is_empty()).find_map(|choice| choice.action.as_ref().filter(|action| action.passes)) {
            Some(action) => self.write_cells(rules.ops.routine(action.first_op), &mut Env::for_seat(seat)),
            None => self.machine.change(|store| change::write_seat(store, seat, flag as usize, 1)),
        }
        .map_err(Stop::into_fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Game, NoScripts};
    use crate::lang::testing::roam;
    use crate::testing::game_with_filled_row;

    #[test]
    fn a_position_is_written_and_quantities_read_as_wanted() {
        let (rules, mut game) = game_with_filled_row();
        let howl = rules.quantities.iter().position(|quantity| quantity.name == "howl").unwrap_or(0);
        let den = rules.places[rules.find_place("den").unwrap_or(0)].first_instance as usize;
        let card = game.position(&rules).all_in(rules.places[rules.find_place("row").unwrap_or(0)].first_instance as usize)[0];
        let mut editor = PositionEditor::new(game.on(&rules));
        editor.begin_editing();
        assert_eq!(editor.put_piece(card, den, 0), Ok(()));
        assert_eq!(editor.finish(&[(0, howl, 7)]), Ok(Vec::new()));
        assert_eq!((game.store(&rules).quantity(howl as u16, 0, [-1; 2]), game.position(&rules).place_of(card)), (7, (den, 0)));
        assert_eq!(PositionEditor::new(game.on(&rules)).send_home(card), Ok(()));
        assert_eq!(game.position(&rules).place_of(card).1, 0, "it lies at the bottom of its deck");
        assert_eq!(PositionEditor::new(game.on(&rules)).put_on_top(card), Ok(()));
        assert_eq!(game.position(&rules).top_card(rules.piece_home[card] as usize), Some(card));
    }

    #[test]
    fn set_up_keeps_the_seats_in_their_order_and_answers_questions() {
        let rules = roam(4, "order at random; each player { player chooses { \"a\" { gain 1 wisp } \"b\" { gain 1 fog } } }");
        let mut game = Game::new(&rules, 3);
        assert_eq!(PositionEditor::new(game.on(&rules)).set_up_in_order(&mut NoScripts), Ok(()));
        let there = game.position(&rules);
        assert_eq!((there.order(), game.round()), (vec![0, 1, 2, 3], 0));
        assert_eq!([0, 1, 2, 3].map(|seat| there.value_of(seat, "wisp")), [Some(4); 4]);
        assert_eq!(PositionEditor::new(game.on(&rules)).enter_round(2), Ok(()));
        assert!(matches!(game.on(&rules).advance(&mut NoScripts), Ok(Some(decision)) if decision.seat == 0));
        assert_eq!(game.round(), 2);
    }
}
