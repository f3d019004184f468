//! `play` in a full-screen terminal. [`ScreenState`] contains what is shown and handles keys, [`draw`] does the layout; this module contains
//! the event loop.

use std::sync::atomic::Ordering;
use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyEventKind};

mod cards;
mod draw;
mod keys;
mod state;
// Screens are tested with the shipped games, whose vocabulary must not occur below `src/`.
#[cfg(test)]
#[path = "../../../tests/inside/screens.rs"]
mod tests;
mod text;

use draw::draw;
use state::ScreenState;

use super::print_lines;
use super::saves::last_words;
use super::ui::GameUi;
use crate::cli::output::{color, print_error, usage_error};
use crate::cli::result::{CommandResult, ExitReason};
use crate::cli::signals::{STOP, leave_when_ended};
use crate::table::Replay;

/// Interval at which a stop request is checked while no key is pressed.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// How long drawing or an agent may still take after the user has asked the program to stop.
const STOP_TIMEOUT: Duration = Duration::from_millis(1500);

/// Plays a game in the full-screen interface.
pub fn play(ui: &mut GameUi) -> CommandResult {
    let message = ui.enable_autosave();
    let mut state = ScreenState::new(ui);
    state.message = message.unwrap_or_default();
    let went = run(&mut state);
    let saved = state.saved.take();
    if went.is_err() || STOP.load(Ordering::Relaxed) {
        if ui.table.session.answers().is_empty() {
            ui.discard();
        }
        // The answers were saved already; the terminal may be closed.
        let words = last_words();
        if !words.is_empty() {
            print_error(&format!("{words}\n"));
        }
        return went;
    }
    print_lines("", saved);
    ui.finish()?;
    print_lines("", ui.outcome());
    Ok(())
}

/// Shows a saved game, in which the user can go forwards and backwards.
pub fn show(ui: &mut GameUi, replay: &Replay, at: usize) -> CommandResult {
    let mut state = ScreenState::new(ui);
    state.view(replay, at);
    run(&mut state)
}

fn run(state: &mut ScreenState<'_>) -> CommandResult {
    state.colours = color();
    leave_when_ended(STOP_TIMEOUT, || {
        let _ = ratatui::try_restore();
        print_error(&format!("{}\n", last_words()));
    });
    let terminal = ratatui::try_init();
    let mut terminal =
        terminal.or_else(|fault| usage_error(format!("the terminal cannot be drawn on: {fault}; `--plain` needs no more than lines")))?;
    // The screen is restored before a panic is reported, followed by the place of the saved game.
    let tell_fault = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |fault| {
        tell_fault(fault);
        print_error(&format!("{}\n", last_words()));
    }));
    let went = run_event_loop(&mut terminal, state);
    // A closed terminal cannot be restored.
    let _ = ratatui::try_restore();
    let trouble = state.save_error.take();
    if let Some(trouble) = &trouble {
        print_error(trouble);
    }
    went.or_else(|fault| usage_error(format!("the terminal has gone: {fault}")))?;
    if trouble.is_some() { Err(ExitReason::Findings) } else { Ok(()) }
}

/// Returns the event loop: draws and handles keys until the player leaves or the program is stopped.
fn run_event_loop(terminal: &mut ratatui::DefaultTerminal, state: &mut ScreenState<'_>) -> std::io::Result<()> {
    let ends = || STOP.load(Ordering::Relaxed);
    while !state.has_left && !ends() {
        terminal.draw(|frame| draw(frame, state))?;
        // An agent answers between two drawings, however many keys are typed ahead.
        if !state.waits_for_key() {
            state.let_agent_answer();
        } else {
            while !event::poll(POLL_INTERVAL)? {
                if ends() {
                    return Ok(());
                }
            }
        }
        // All keys that were typed by now are handled before the screen is drawn again.
        while !state.has_left && event::poll(Duration::ZERO)? {
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                state.key(key);
            }
        }
    }
    Ok(())
}
