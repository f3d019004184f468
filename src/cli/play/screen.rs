//! `play` in a terminal: the whole screen. [`State`] is what is shown and what keys do, [`draw`] lays it out; here is only the loop that
//! speaks with the terminal.

use std::sync::atomic::Ordering;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyEventKind};

mod draw;
mod keys;
mod state;
// Screens are drawn of the shipped games, whose words no file below `src/` says.
#[cfg(test)]
#[path = "../../../tests/inside/screens.rs"]
mod tests;
mod text;

use draw::draw;
use state::State;

use super::Desk;
use super::kept::last_words;
use crate::cli::output::{print, say, wrong};
use crate::cli::signals::{STOP, leave_when_ended};
use crate::cli::{Done, Trouble};
use crate::table::Replay;

/// How often it is looked whether the program is to end while no key is pressed.
const LISTEN: Duration = Duration::from_millis(100);
/// So long somebody may still draw or think when the program is to end.
const PATIENCE: Duration = Duration::from_millis(1500);

/// Plays a game on the whole screen.
pub(in crate::cli) fn play(desk: &mut Desk) -> Done {
    let said = desk.keep_by_itself();
    let mut state = State::new(desk);
    state.message = said.unwrap_or_default();
    let went = run(&mut state);
    let saved = state.saved.take();
    if went.is_err() || STOP.load(Ordering::Relaxed) {
        if desk.table.session.steps().is_empty() {
            desk.give_up();
        }
        // What was answered is written down already; the terminal may be gone.
        let words = last_words();
        if !words.is_empty() {
            say(&format!("{words}\n"));
        }
        return went;
    }
    saved.into_iter().for_each(|line| print(&format!("{line}\n")));
    match desk.keep() {
        Ok(Some(line)) => print(&format!("{line}\n")),
        Ok(None) => desk.farewell().into_iter().for_each(|line| print(&format!("{line}\n"))),
        Err(fault) => return wrong(fault),
    }
    desk.outcome().iter().for_each(|line| print(&format!("{line}\n")));
    Ok(())
}

/// Shows a game that was kept, forwards and backwards.
pub(in crate::cli) fn show(desk: &mut Desk, replay: &Replay, at: usize) -> Done {
    let mut state = State::new(desk);
    state.view(replay, at);
    run(&mut state)
}

fn run(state: &mut State<'_>) -> Done {
    leave_when_ended(PATIENCE, || {
        let _ = ratatui::try_restore();
        say(&format!("{}\n", last_words()));
    });
    let mut terminal = match ratatui::try_init() {
        Ok(terminal) => terminal,
        Err(fault) => return wrong(format!("the terminal cannot be drawn on: {fault}; `--plain` needs no more than lines")),
    };
    // The screen is restored before a fault of the program is told; where the game is stands behind it.
    let tell_fault = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |fault| {
        tell_fault(fault);
        say(&format!("{}\n", last_words()));
    }));
    let went = speak(&mut terminal, state);
    // A terminal that has gone cannot be restored.
    let _ = ratatui::try_restore();
    let trouble = state.trouble.take();
    if let Some(trouble) = &trouble {
        say(trouble);
    }
    went.or_else(|fault| wrong(format!("the terminal has gone: {fault}")))?;
    if trouble.is_some() { Err(Trouble::Finding) } else { Ok(()) }
}

/// Draws, and hears keys, until somebody leaves, or the program is to end.
fn speak(terminal: &mut ratatui::DefaultTerminal, state: &mut State<'_>) -> std::io::Result<()> {
    let ends = || STOP.load(Ordering::Relaxed);
    while !state.left && !ends() {
        terminal.draw(|frame| draw(frame, state))?;
        // While machine players answer, keys are heard between two of their answers.
        if !state.waits_for_key() && !event::poll(Duration::ZERO)? {
            state.machine_answers();
            continue;
        }
        while !event::poll(LISTEN)? {
            if ends() {
                return Ok(());
            }
        }
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
        {
            state.key(key);
        }
    }
    Ok(())
}
