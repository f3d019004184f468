//! `houserule show` of a board: its picture after set-up or within a replay, as text or as a graphic; and the pictures of reports.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::super::args::ShowArgs;
use super::super::faults::fault_diagnostic;
use super::super::load::Workspace;
use super::super::output::{OutputFile, print, show_diagnostics, usage_error};
use super::super::prepared::{PreparedTable, new_session, prepare, replay_of};
use super::super::result::{CommandResult, ExitReason};
use crate::agent::{describe_view, seat_name};
use crate::engine::{Game, Ruleset};
use crate::lang::{GameText, seat_number};
use crate::pack::Translations;
use crate::playtest::{RunPlan, first_game_after};
use crate::script::ScriptHost;
use crate::table::{AnswerFailure, BoardLayout, BoardPicture, DisplayNames, Session, Start, SvgUse, board_lines, board_picture, board_svg};

/// Maximum width of the lines of text, in columns.
const LINE_WIDTH: usize = 80;

/// Shows the picture of a board, or writes it to `json`.
pub(super) fn show_board(workspace: &Workspace, args: &ShowArgs, game: &str, board: &str, json: Option<OutputFile>) -> CommandResult {
    let svg = OutputFile::open_if(args.svg.as_ref())?;
    let (prepared, session) = match &args.replay {
        Some(path) => of_replay(workspace, path, args.at)?,
        None => {
            let packs = workspace.packs_of(game, &args.pack);
            let start = Start { game: game.to_string(), seed: args.seed, packs, ..Start::default() };
            let prepared = prepare(workspace, start, args.players)?;
            let mut session = new_session(&prepared)?;
            session.start(&[]).or_else(|failed| report_failure(&prepared, &failed, 0))?;
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
        let answers = session.answers().len();
        let facts = json!({ "game": rules.game, "board": board, "seed": prepared.start.seed, "answers": answers, "eyes": seat_name(seat) });
        json.write_json(&[as_json(&picture, facts)])?;
    }
    if to_file {
        return Ok(());
    }
    print(&format!("after {} answers, seed {}, as {} sees it\n", session.answers().len(), prepared.start.seed, seat_name(seat)));
    board_lines(&picture, LINE_WIDTH).iter().for_each(|line| print(&format!("{}\n", line.text)));
    Ok(())
}

/// Describes the picture of a board as JSON, behind the facts about where and when it was seen.
fn as_json(picture: &BoardPicture, facts: Value) -> Value {
    let (layout, size) = match picture.layout {
        BoardLayout::Rows { rows, columns } => ("rows", json!({ "rows": rows, "columns": columns })),
        BoardLayout::Hexes { rings } => ("hexes", json!({ "rings": rings })),
        BoardLayout::Names => ("names", Value::Null),
    };
    let in_rows = picture.layout != BoardLayout::Names;
    let spaces = picture.spaces.iter().map(|space| {
        json!({
            "space": space.key,
            "name": space.name,
            "row": in_rows.then_some(space.row + 1),
            "column": in_rows.then_some(space.column + 1),
            "next_to": space.near.iter().filter_map(|near| Some(picture.spaces.get(*near)?.key.as_str())).collect::<Vec<_>>(),
            "holds": space.parts.iter().map(|part| part.words.as_str()).collect::<Vec<_>>(),
            "blank": space.blank,
        })
    });
    let mut made = facts;
    if let Value::Object(keys) = &mut made {
        keys.insert("is".into(), "board".into());
        keys.insert("title".into(), picture.title.as_str().into());
        keys.insert("layout".into(), layout.into());
        keys.insert("size".into(), size);
        keys.insert("spaces".into(), spaces.collect());
    }
    made
}

/// Reads a replay and repeats its first answers, all of them unless a number is given.
fn of_replay(workspace: &Workspace, path: &Path, at: Option<usize>) -> Result<(PreparedTable, Session), ExitReason> {
    let (prepared, replay) = replay_of(workspace, path)?;
    let count = replay.answers.len();
    if let Some(at) = at.filter(|at| *at > count) {
        return usage_error(format!("there are {count} answers, and none of number {at}"));
    }
    let mut session = new_session(&prepared)?;
    session.start(&replay.skipped).or_else(|failed| report_failure(&prepared, &failed, 0))?;
    for (number, answer) in replay.answers.iter().enumerate().take(at.unwrap_or(count)) {
        if let Err(found) = replay.replay_answer(number, answer, &mut session) {
            return show_diagnostics(&prepared.sources, &[*found]).and(Err(ExitReason::Findings));
        }
    }
    Ok((prepared, session))
}

fn report_failure(prepared: &PreparedTable, failed: &AnswerFailure, count: usize) -> CommandResult {
    let found = fault_diagnostic(&failed.fault, prepared.start.seed, count);
    show_diagnostics(&prepared.sources, &[found]).and(Err(ExitReason::Findings))
}

/// Returns the pictures of the boards of a game as a seat sees them, or of the one of this name.
fn picture_of(rules: &Ruleset, game: &Game, seat: usize, words: &DisplayNames, only: Option<&str>) -> Vec<BoardPicture> {
    let view = game.view_of(rules, seat);
    let seen = describe_view(rules, &view);
    let boards = rules.boards.iter().filter(|board| only.is_none_or(|name| board.name == name));
    boards.map(|board| board_picture(rules, words, &seen, board)).collect()
}

/// Starts a game and returns the pictures of its boards, each with its name in rules, as the first seat sees them at its first question.
pub fn boards_after_set_up(prepared: &PreparedTable) -> Result<Vec<(String, BoardPicture)>, ExitReason> {
    let mut session = new_session(prepared)?;
    session.start(&[]).or_else(|failed| report_failure(prepared, &failed, 0))?;
    let pictures = picture_of(&prepared.rules, session.game(), 0, &prepared.words, None);
    Ok(prepared.rules.boards.iter().map(|board| board.name.clone()).zip(pictures).collect())
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
