//! Puts a card into a place of a seat, perhaps over another card of the seat's choice.

use super::checks;
use super::decision::{Act, Opt, Question, Stop};
use super::ids::PieceId;
use super::machine::Machine;
use super::moves;
use super::position::instance;
use super::question;
use crate::cast;
use houserule_state::layout::piece;

/// Puts a card into a place of a seat. If no slot is free (or always, with `over`), the seat chooses a card to cover, which leaves the
/// game.
///
/// # Errors
/// [`Stop::Ask`] if there is a choice.
pub fn place(machine: &mut Machine<'_>, card: usize, place: usize, me: usize, over: bool) -> Result<(), Stop> {
    let rules = machine.rules;
    let instance = instance(rules, place, me);
    let room = rules.layout.places[instance].room as i64;
    let limit = rules.places[place].limit.map_or(room, |q| machine.quantity(q, me, [-1; 2]));
    let free = machine.position().free_slot(instance, limit);
    let chosen = question::ask(machine, me, Question::Cover, |game, options| {
        if free.is_some() && !over {
            return;
        }
        for slot in 0..cast::index(limit.clamp(0, room)) {
            options
                .extend(game.position().piece_at(instance, slot).map(|covered| Opt::new(rules, Act::Card(PieceId::at(covered).option()))));
        }
        if free.is_some() && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
    })?;
    let slot = match chosen {
        Some(Opt { act: Act::Card(covered), .. }) => {
            let slot = cast::index(machine.state.cells()[rules.layout.piece(cast::index(covered), piece::POSITION)]);
            machine.memory.run.suppressed += 1;
            let removed = moves::remove(machine, cast::index(covered));
            machine.memory.run.suppressed -= 1;
            removed?;
            Some(slot)
        }
        _ => free,
    };
    let Some(slot) = slot else {
        // The place has no slot at all: the card leaves the game.
        return moves::remove(machine, card);
    };
    machine.log_line(|| {
        let card = if rules.places[place].hidden { "a card" } else { rules.names.text(rules.definition(card).id) };
        format!("p{}: {card} is placed in {}", me + 1, rules.places[place].name)
    });
    moves::move_piece(machine, card, instance, slot)?;
    checks::after_change(machine)
}
