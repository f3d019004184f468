//! `play` in a terminal: the whole screen. [`State`] is what is shown and what keys do, [`draw`] lays it out; here is only the loop that
//! speaks with the terminal.

use std::time::Duration;

use ratatui::crossterm::event::{self, Event, KeyEventKind};

mod draw;
mod keys;
mod state;
#[cfg(test)]
mod tests;
mod text;

use draw::draw;
use state::State;

use super::Desk;
use crate::cli::output::{print, say, wrong};
use crate::cli::{Done, Trouble};
use crate::table::Replay;

/// Plays a game on the whole screen.
pub(in crate::cli) fn play(desk: &mut Desk) -> Done {
    run(&mut State::new(desk))?;
    match desk.keep() {
        Ok(Some(line)) => print(&format!("{line}\n")),
        Ok(None) => {}
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
    let mut terminal = match ratatui::try_init() {
        Ok(terminal) => terminal,
        Err(fault) => return wrong(format!("the terminal cannot be drawn on: {fault}; `--plain` needs no more than lines")),
    };
    let went = speak(&mut terminal, state);
    ratatui::restore();
    let trouble = state.trouble.take();
    if let Some(trouble) = &trouble {
        say(trouble);
    }
    went.or_else(|fault| wrong(format!("the terminal has gone: {fault}")))?;
    if trouble.is_some() { Err(Trouble::Finding) } else { Ok(()) }
}

/// Draws, and hears keys, until somebody leaves.
fn speak(terminal: &mut ratatui::DefaultTerminal, state: &mut State<'_>) -> std::io::Result<()> {
    while !state.left {
        terminal.draw(|frame| draw(frame, state))?;
        // While machine players answer, keys are heard between two of their answers.
        if !state.waits_for_key() && !event::poll(Duration::ZERO)? {
            state.machine_answers();
            continue;
        }
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
        {
            state.key(key);
        }
    }
    Ok(())
}
