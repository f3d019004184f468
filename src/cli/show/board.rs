//! `houserule show` of a board: its picture after set-up or within a replay, as text or as a graphic; and the pictures of reports.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::args::ShowArgs;
use super::super::faults::fault_diagnostic;
use super::super::load::Workspace;
use super::super::output::{OutputFile, fail_with, print, usage_error};
use super::super::prepared::{PreparedTable, new_session, prepare, replay_of};
use super::super::result::{CommandResult, ExitReason};
use crate::agent::{describe_view, seat_name};
use crate::engine::{Game, Ruleset};
use crate::lang::{GameText, seat_number};
use crate::pack::Translations;
use crate::playtest::{RunPlan, first_game_after};
use crate::script::ScriptHost;
use crate::table::{BoardLayout, BoardPicture, DisplayNames, Session, SkippedScript, Start, SvgUse, board_lines, board_picture, board_svg};

/// Maximum width of the lines of text, in columns.
const LINE_WIDTH: usize = 80;

/// Shows the picture of a board, or writes it to `json`.
pub(super) fn show_board(workspace: &Workspace, args: &ShowArgs, game: &str, board: &str, json: Option<OutputFile>) -> CommandResult {
    let svg = OutputFile::open_if(args.svg.as_ref())?;
    let (prepared, session) = match &args.replay {
        Some(path) => of_replay(workspace, path, args.at)?,
        None => {
            let packs = workspace.packs_of(game, &args.pack);
            let prepared = prepare(workspace, Start { game: game.to_string(), seed: args.seed, packs, ..Start::default() }, args.players)?;
            let session = started_session(&prepared, &[])?;
            (prepared, session)
        }
    };
    let (rules, game) = (&prepared.rules, session.game());
    let seat = match &args.eyes {
        None => session.decision().map_or(0, |open| open.seat),
        Some(name) => match seat_number(name).filter(|seat| *seat < rules.players) {
            Some(seat) => seat,
            None => return usage_error(format!("`{name}` is no seat of this game; the first is p1, the last p{}", rules.players)),
        },
    };
    let Some(picture) = picture_of(rules, game, seat, &prepared.words, Some(board)).pop() else {
        return usage_error(format!("there is no board `{board}` in this replay"));
    };
    let to_file = svg.is_some() || json.is_some();
    if let Some(svg) = svg {
        svg.write_text(&board_svg(&picture, SvgUse::File))?;
    }
    if let Some(json) = json {
        json.write_json(&[as_json(&picture, &prepared, &session, board, seat)])?;
    }
    if to_file {
        return Ok(());
    }
    print(&format!("after {} answers, seed {}, as {} sees it\n", session.answers().len(), prepared.start.seed, seat_name(seat)));
    board_lines(&picture, LINE_WIDTH).iter().for_each(|line| print(&format!("{}\n", line.text)));
    Ok(())
}

/// Describes the picture of a board as JSON, with where and when it was seen.
fn as_json(picture: &BoardPicture, prepared: &PreparedTable, session: &Session, board: &str, seat: usize) -> Value {
    let (layout, size) = match picture.layout {
        BoardLayout::Rows { rows, columns } => ("rows", json!({ "rows": rows, "columns": columns })),
        BoardLayout::Hexes { rings } => ("hexes", json!({ "rings": rings })),
        BoardLayout::Names => ("names", Value::Null),
    };
    let in_rows = picture.layout != BoardLayout::Names;
    let spaces = picture.spaces.iter().map(|space| {
        let mut told = json!({
            "space": space.key,
            "name": space.name,
            "row": in_rows.then_some(space.row + 1),
            "column": in_rows.then_some(space.column + 1),
            "next_to": space.near.iter().filter_map(|near| Some(picture.spaces.get(*near)?.key.as_str())).collect::<Vec<_>>(),
            "holds": space.parts.iter().map(|part| part.words.as_str()).collect::<Vec<_>>(),
            "blank": space.blank,
        });
        if !space.ends.is_empty() {
            told["between"] = space.ends.iter().map(|(key, _)| key.as_str()).collect();
        }
        if !space.linked.is_empty() {
            told["linked_to"] = space.linked.iter().filter_map(|to| Some(picture.spaces.get(*to)?.key.as_str())).collect();
        }
        told
    });
    json!({
        "is": "board",
        "game": prepared.rules.game,
        "board": board,
        "seed": prepared.start.seed,
        "answers": session.answers().len(),
        "eyes": seat_name(seat),
        "title": picture.title,
        "layout": layout,
        "size": size,
        "spaces": spaces.collect::<Value>(),
    })
}

/// Reads a replay and repeats its first answers, all of them unless a number is given.
fn of_replay(workspace: &Workspace, path: &Path, at: Option<usize>) -> Result<(PreparedTable, Session), ExitReason> {
    let (prepared, replay) = replay_of(workspace, path)?;
    let count = replay.answers.len();
    if let Some(at) = at.filter(|at| *at > count) {
        return usage_error(format!("there are {count} answers, and none of number {at}"));
    }
    let mut session = started_session(&prepared, &replay.skipped)?;
    for (number, answer) in replay.answers.iter().enumerate().take(at.unwrap_or(count)) {
        if let Err(found) = replay.replay_answer(number, answer, &mut session) {
            return fail_with(&prepared.sources, &[*found]);
        }
    }
    Ok((prepared, session))
}

/// Creates a session and starts its game, in which these answers are skipped; shows what goes wrong.
fn started_session(prepared: &PreparedTable, skipped: &[SkippedScript]) -> Result<Session, ExitReason> {
    let mut session = new_session(prepared)?;
    let started = session.start(skipped);
    started.or_else(|failed| fail_with(&prepared.sources, &[fault_diagnostic(&failed.fault, prepared.start.seed, 0)]))?;
    Ok(session)
}

/// Returns the pictures of the boards of a game as a seat sees them, or of the one of this name.
fn picture_of(rules: &Ruleset, game: &Game, seat: usize, words: &DisplayNames, only: Option<&str>) -> Vec<BoardPicture> {
    let view = game.view_of(rules, seat);
    let seen = describe_view(rules, &view);
    // Parts of cards are drawn on their cards.
    let boards = rules.boards.iter().filter(|board| board.parts.is_none() && only.is_none_or(|name| board.name == name));
    boards.map(|board| board_picture(rules, words, &seen, board)).collect()
}

/// Starts a game and returns the pictures of its boards, each with its name in rules, as the first seat sees them at its first question.
pub fn boards_after_set_up(prepared: &PreparedTable) -> Result<Vec<(String, BoardPicture)>, ExitReason> {
    let session = started_session(prepared, &[])?;
    let pictures = picture_of(&prepared.rules, session.game(), 0, &prepared.words, None);
    Ok(pictures.into_iter().map(|picture| (picture.name.clone(), picture)).collect())
}

/// Draws the boards at the end of the first game of a run, for its page; none if the game has no board, or if the first game fails.
pub fn boards_of_first_game(plan: &RunPlan<'_>, text: &GameText, names: &Translations) -> Vec<String> {
    if plan.rules.boards.is_empty() {
        return Vec::new();
    }
    let Ok(mut host) = ScriptHost::new(&Arc::new(plan.rules.clone())) else { return Vec::new() };
    let Ok((game, _)) = first_game_after(plan.rules, plan.agents, plan.seed, u64::MAX, &mut host) else { return Vec::new() };
    let words = DisplayNames::new(text, names.clone());
    let pictures = picture_of(plan.rules, &game, 0, &words, None);
    pictures.iter().map(|picture| board_svg(picture, SvgUse::Page)).collect()
}
