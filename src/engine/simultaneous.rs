//! Simultaneous blocks (`all players`): every seat executes the same body.
//!
//! A seat reads its own current cells, and all others, the table and ranks as they were at the start. As choices are rare, the bodies are
//! first executed in turn order, without questions. If one has to ask, everything is rolled back, and the questions are asked first: from
//! the last seat to the first, each on the state at the start. When all seats have answered, the bodies are executed with these answers.
//! Nothing else in the engine is executed twice.

use super::checks;
use super::decision::Stop;
use super::env::ReadView;
use super::machine::{Machine, Memory};
use super::op::Pc;
use super::queued_frame::push_deferred;
use super::ruleset::{Direction, NodeId, Whom};
use super::seats;
use super::state::{BlockSeats, Frame, begin_block};
use crate::cast;

/// [`super::op::Op::Simultaneous`]: starts a simultaneous block; each seat executes the body that follows, up to the op
/// [`super::op::Op::NextSimultaneous`].
///
/// # Errors
/// A block inside another block.
pub(crate) fn begin_simultaneous(
    machine: &mut Machine<'_>,
    (whom, filter): (Whom, Option<NodeId>),
    secretly: bool,
    end: Pc,
    frame: &mut Frame,
) -> Result<(), Stop> {
    if !machine.reads_current() {
        return Err(Stop::fault("`all players` within `all players`"));
    }
    let (mut seats, mut count) = (0, 0);
    let mut env = frame.env;
    seats::push_seats(machine, Direction::Forward, whom, env.me);
    while let Some(seat) = seats::next_seat(machine) {
        env.me = seat;
        if machine.holds_if(filter, &mut env) {
            seats |= cast::fit::<u32>(seat) << (4 * count);
            count += 1;
        }
    }
    if count == 0 {
        frame.pc = end;
        return after_block(machine);
    }
    machine.write_frame(frame);
    begin_block(machine.state, machine.rules.layout.len, &BlockSeats { seats, count, secretly }, frame);
    machine.memory.log.set_mark();
    let values = &mut machine.memory.values;
    values.active.listed_in_block = false;
    values.snapshot.clone_from(&values.current);
    act_as(machine, 0, frame);
    Ok(())
}

/// Starts the body for a participant, by its number.
fn act_as(machine: &mut Machine<'_>, number: i32, frame: &mut Frame) {
    let seat = machine.state.act_as(machine.rules.layout.len, number, frame);
    machine.memory.values.view = ReadView::OwnCurrent(seat);
}

/// [`super::op::Op::NextSimultaneous`]: a participant has finished the body; starts the next one, or ends the block.
pub(crate) fn next_simultaneous(machine: &mut Machine<'_>, body: Pc, frame: &mut Frame) -> Result<(), Stop> {
    let (rules, stack_start) = (machine.rules, machine.stack_start());
    let behind = frame.pc;
    let (number, count) = machine.state.participant(stack_start);
    if machine.is_collecting_answers() {
        restore(machine);
        if number == 0 {
            machine.state.apply_answers(stack_start);
        }
        act_as(machine, (number - 1).max(0), frame);
        return Ok(());
    }
    if number + 1 < count {
        act_as(machine, number + 1, frame);
        return Ok(());
    }
    debug_assert_eq!(machine.state.body_of_block(stack_start), body);
    frame.pc = behind;
    frame.env.me = machine.state.outer_seat(stack_start);
    machine.memory.values.view = ReadView::Current;
    // Values that were computed from the snapshot of other seats are invalid now.
    let mut changed = std::mem::take(&mut machine.memory.values.current.changed);
    for index in changed.drain(..).map(|index| index as usize) {
        if machine.state.cells()[index] != machine.state.snapshot()[index] {
            machine.invalidate_cell(index, rules.layout.class_of[index]);
        }
    }
    machine.memory.values.current.changed = changed;
    after_block(machine)?;
    machine.state.end_block(stack_start, push_deferred);
    Ok(())
}

fn after_block(machine: &mut Machine<'_>) -> Result<(), Stop> {
    machine.memory.dirty.checks = true;
    checks::after_change(machine)
}

/// Rolls everything back to the start of the block, except for the answers.
fn restore(machine: &mut Machine<'_>) {
    machine.state.restore_snapshot(machine.rules.layout.len);
    let Memory { values, dirty, queue, log, .. } = &mut *machine.memory;
    values.current.clone_from(&values.snapshot);
    values.active.stale |= values.active.listed_in_block;
    (dirty.checks, dirty.room) = (true, true);
    queue.clear();
    log.restore_draws();
}

/// Switches to collecting answers, because a body has to ask: starts the body of the last participant.
pub(crate) fn ask_all_first(machine: &mut Machine<'_>) -> Frame {
    let stack_start = machine.stack_start();
    machine.memory.log.truncate_to_mark();
    machine.state.collect_answers(stack_start);
    restore(machine);
    let mut frame = machine.read_frame();
    let last = machine.state.participant(stack_start).1 - 1;
    act_as(machine, last, &mut frame);
    frame
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, answer, fault, game, options, values};

    const TAKES: &str = "step night { all players { gain (count other players with fewer wisp) * 10 + 1 wisp } }";

    #[test]
    fn each_sees_the_others_as_they_were() {
        let (rules, game) =
            game(&Added { setup: "each player where place_in_order == 2 { gain 1 wisp }", steps: TAKES, ..Added::default() });
        // One after another the first would have more than the second by then.
        assert_eq!(values(&rules, &game, "wisp"), [4, 15]);
        assert!(!game.in_simultaneous_block());
    }

    /// The sentence of `all players` in `docs/language.md`: of its own what there is, of others, the table and ranks what there was.
    #[test]
    fn ones_own_is_read_as_it_is_and_others_the_table_and_ranks_as_they_were() {
        let steps = "step night { all players { gain 9 fog; moon += 1; own = fog; best = highest fog of players; least_of = lowest fog of players; seen = moon;
            if most fog { ahead = 1 }; if (highest fog of players) == fog { leads = 1 } } }";
        let added = Added {
            has: "counter own, best, least_of, seen, ahead, leads",
            setup: "each player where place_in_order == 2 { gain 3 fog }",
            steps,
            ..Added::default()
        };
        let (rules, game) = game(&added);
        let of = |name: &str| values(&rules, &game, name);
        assert_eq!((of("own"), of("fog")), (vec![12, 15], vec![12, 15]));
        assert_eq!((of("best"), of("least_of")), (vec![12, 15], vec![6, 3]), "its own 9 count, those of the other do not yet");
        assert_eq!((of("leads"), of("ahead")), (vec![1, 1], vec![0, 1]), "who is most is settled when the block begins: 3 against 6");
        assert_eq!(of("seen"), [0, 0], "the moon was 0");
    }

    #[test]
    fn questions_are_put_first_from_the_last_on_and_the_state_is_as_it_was() {
        let steps = "step night { all players { gain 1 wisp; moon += 1; player chooses { \"more\" { gain moon wisp } \"less\" { lose 1 wisp } }; gain 1 fog } }";
        let (rules, mut game) = game(&Added { steps, ..Added::default() });
        assert_eq!(game.decision().map(|decision| decision.seat), Some(1));
        assert_eq!((values(&rules, &game, "wisp"), values(&rules, &game, "fog")), (vec![3, 4], vec![3, 3]));
        answer(&rules, &mut game, "choose more");
        assert_eq!(game.decision().map(|decision| decision.seat), Some(0));
        assert_eq!(values(&rules, &game, "wisp"), [4, 3], "the second seat has done nothing yet");
        answer(&rules, &mut game, "choose less");
        // The table is read as it was: the moon stood at 0 for both.
        assert_eq!((values(&rules, &game, "wisp"), values(&rules, &game, "fog")), (vec![3, 4], vec![4, 4]));
        assert_eq!(options(&rules, &game), ["pass"]);
        let told: Vec<&String> = game.log().iter().filter(|line| line.contains("choose")).collect();
        assert_eq!(told, ["p1: choose less", "p2: choose more"], "each answer is told once, when it is applied");
    }

    #[test]
    fn cards_that_left_before_a_question_speak_again_when_all_is_as_it_was() {
        let steps = "step night { all players { gain dens wisp; remove my den; gain 10 * dens wisp; player chooses { \"more\" { gain 1 fog } \"less\" { } } } }";
        let setup = "each player { draw from pile to den }";
        let (rules, mut game) = game(&Added { steps, setup, cards: "change.dens = { by = 1 }", ..Added::default() });
        assert_eq!(values(&rules, &game, "wisp"), [3, 3 + 4 + 30], "the last seat has a card that counts, until it is removed");
        answer(&rules, &mut game, "choose more");
        assert_eq!(values(&rules, &game, "wisp"), [3 + 4 + 30, 3], "the other's card counts as well");
        answer(&rules, &mut game, "choose more");
        assert_eq!(values(&rules, &game, "wisp"), [3 + 4 + 30, 3 + 4 + 30], "and both when the answers are carried out");
    }

    #[test]
    fn a_secret_answer_is_in_nobodys_view_until_it_is_carried_out() {
        let body = "player chooses { \"more\" { gain 1 wisp } \"less\" { lose 1 wisp } }";
        for (secretly, told) in [("secretly ", false), ("", true)] {
            let (rules, game) = game(&Added { steps: &format!("step night {{ all players {secretly}{{ {body} }} }}"), ..Added::default() });
            let views = ["choose more", "choose less"].map(|key| {
                let mut game = game.clone();
                answer(&rules, &mut game, key);
                assert_eq!(game.decision().map(|decision| decision.seat), Some(0));
                game.view(&rules)
            });
            assert_eq!(views[0] != views[1], told);
        }
    }

    #[test]
    fn a_block_in_a_loop_asks_each_time() {
        let steps = "step night { repeat 2 { all players where place_in_order == 1 { player chooses { \"more\" { gain 1 wisp } \"less\" { gain 2 wisp } } } } }";
        let (rules, mut game) = game(&Added { steps, ..Added::default() });
        answer(&rules, &mut game, "choose more");
        answer(&rules, &mut game, "choose less");
        assert_eq!((values(&rules, &game, "wisp"), options(&rules, &game)), (vec![6, 3], vec!["pass".to_string()]));
    }

    #[test]
    fn a_block_within_a_block_is_a_fault() {
        let found = fault(&Added {
            steps: "step night { all players { lose 100 fog } }",
            effects: "when short of r in fog, missing n { all players { gain 1 wisp } }",
            ..Added::default()
        });
        assert_eq!(found.message, "`all players` within `all players`");
    }
}
