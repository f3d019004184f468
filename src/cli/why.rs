//! `houserule why`: explains a value, why an option is refused, or which cards have an entry for an event of the game.

use std::path::Path;

use serde::Serialize;

use super::args::WhyArgs;
use super::load::{Workspace, compile_rules, players, set_up};
use super::output::{OutputFile, fail_with, print, reported, show_diagnostics, usage_error};
use super::prepared::{PreparedTable, new_session, read, replay_of};
use super::result::{CommandResult, ExitReason};
use super::subject::of_scenarios;
use crate::agent::parse_seats;
use crate::diagnostic::Diagnostic;
use crate::engine::Game;
use crate::lang::seat_number;
use crate::playtest::first_game_after;
use crate::scenario::run::{ExtraContent, ScenarioPosition, position};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::why::{DetailLevel, Subjects, Why, WhyAnswer};

/// JSON output of `why`.
#[derive(Serialize)]
struct WhyOutput<'a> {
    game: &'a str,
    seat: String,
    round: i32,
    /// The question that is open in the position explained.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    #[serde(flatten)]
    said: &'a Explained,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Explained {
    Answer(WhyAnswer),
    Subjects(Subjects),
}

/// Runs `houserule why`.
pub fn why(workspace: &Workspace, args: &WhyArgs) -> CommandResult {
    let mut sources = Sources::new();
    let (stands, asked) = match (&args.from, &args.replay) {
        (Some(path), _) => from_scenario(workspace, args, path, &mut sources)?,
        (None, Some(path)) => from_replay(workspace, args, path, &mut sources)?,
        (None, None) => from_game(workspace, args, &mut sources)?,
    };
    let ScenarioPosition { text, setup, game } = stands;
    let packs = &args.changed.pack;
    workspace.expect_language(std::slice::from_ref(&text.content.game), packs)?;
    let names = workspace.load_names(&sources, &text.content)?;
    let mut diagnostics = Vec::new();
    let opened = Why::open(&sources, &text, &setup, &mut diagnostics);
    diagnostics.retain(|found| opened.is_none() || found.span.is_none());
    let mut why = reported(&sources, &diagnostics, opened)?;
    why.rename_cards(|card| names.card(card).to_string());
    let seat = seat(args, &game, setup.players)?;
    let json = OutputFile::open_if(args.json.as_ref())?;
    let said = if asked.is_empty() {
        Explained::Subjects(why.subjects(&game, seat))
    } else {
        match why.ask(&game, seat, &asked) {
            Ok(answer) => Explained::Answer(answer),
            Err(found) => {
                let _ = show_diagnostics(why.sources(), &[*found]);
                return Err(ExitReason::Usage);
            }
        }
    };
    let question = game.decision().map(|decision| decision.question.text(why.rules()));
    if let Some(json) = json {
        let is_terminal = json.is_terminal();
        let game_id = text.content.game.as_str();
        json.write_json(&WhyOutput { game: game_id, seat: format!("p{}", seat + 1), round: game.round(), question, said: &said })?;
        if is_terminal {
            return Ok(());
        }
    }
    print(&position_line(&game, &why));
    print(&match said {
        Explained::Answer(answer) => answer.text(if args.deep { DetailLevel::Deep } else { DetailLevel::Folded }),
        Explained::Subjects(subjects) => subjects.text(),
    });
    Ok(())
}

/// Plays the first game of a run up to the position to be explained; returns it with the user's question.
fn from_game(workspace: &Workspace, args: &WhyArgs, sources: &mut Sources) -> Result<(ScenarioPosition, String), ExitReason> {
    let Some((game, asked)) = args.words.split_first() else {
        return usage_error(format!("which game? There are {}", workspace.games().join(", ")));
    };
    let text = workspace.load_text(sources, game, &args.changed.pack, &args.changed.with)?;
    let setup = set_up(players(&text, args.players)?, &args.changed.option, &args.changed.deal)?;
    let agents = parse_seats(&args.agents, setup.players, None).or_else(usage_error)?;
    let rules = compile_rules(sources, &text, &setup)?;
    agents.iter().try_for_each(|agent| agent.check_rules(&rules)).or_else(usage_error)?;
    let mut host = ScriptHost::new(&rules).or_else(|faults| fail_with(sources, &faults))?;
    let at = args.at.unwrap_or(0) as u64;
    let (game, given) = first_game_after(&rules, &agents, args.seed, at, &mut host)
        .or_else(|fault| fail_with(sources, &[fault.add_to(Diagnostic::error("G201", fault.span, fault.to_string()))]))?;
    if given < at {
        return usage_error(format!("this game ends after {given} answers; --at {at} is beyond its end"));
    }
    Ok((ScenarioPosition { text, setup, game }, asked.join(" ")))
}

/// Reads the position of a scenario; returns it with the user's question.
fn from_scenario(
    workspace: &Workspace,
    args: &WhyArgs,
    path: &Path,
    sources: &mut Sources,
) -> Result<(ScenarioPosition, String), ExitReason> {
    let file = read(sources, path)?;
    let mut diagnostics = Vec::new();
    let subject = of_scenarios(workspace, &args.changed.pack, sources, file, &mut diagnostics);
    show_diagnostics(sources, &diagnostics)?;
    let packs = [&subject.packs[..], &args.changed.pack].concat();
    let besides = ExtraContent { packs: &packs, with: &args.changed.with };
    let stands = position(sources, subject.root.as_deref(), (file, args.scenario.as_deref()), besides);
    let stands = stands.or_else(|found| {
        let misnamed = found.iter().any(|found| found.code == "G162");
        fail_with(sources, &found).map_err(|reason| if misnamed { ExitReason::Usage } else { reason })
    })?;
    let asked = question_for(workspace, args, &stands.text.content.game, path)?;
    Ok((stands, asked))
}

/// Repeats a saved game up to the position to be explained; returns it with the user's question.
fn from_replay(
    workspace: &Workspace,
    args: &WhyArgs,
    path: &Path,
    sources: &mut Sources,
) -> Result<(ScenarioPosition, String), ExitReason> {
    let (prepared, replay) = replay_of(workspace, path)?;
    let count = replay.answers.len();
    let until = args.at.unwrap_or(count);
    if until > count {
        return usage_error(format!("there are {count} answers in `{}`; --at {until} is beyond its end", path.display()));
    }
    let mut session = new_session(&prepared)?;
    let went = replay.play_until(until, &mut session);
    let (game, PreparedTable { sources: read, text, setup, .. }) = (session.game().clone(), prepared);
    *sources = read;
    went.or_else(|found| fail_with(sources, &[*found]))?;
    let asked = question_for(workspace, args, &text.content.game, path)?;
    Ok((ScenarioPosition { text, setup, game }, asked))
}

/// Returns the user's question for a position whose file determines the game.
fn question_for(workspace: &Workspace, args: &WhyArgs, of: &str, path: &Path) -> Result<String, ExitReason> {
    match args.words.split_first() {
        Some((first, rest)) if first == of => Ok(rest.join(" ")),
        Some((first, _)) if workspace.games().contains(first) => {
            usage_error(format!("`{}` is about `{of}`, not about `{first}`", path.display()))
        }
        _ => Ok(args.words.join(" ")),
    }
}

/// Returns the seat about which the question is: the one named on the command line, or the one that is asked, or the first.
fn seat(args: &WhyArgs, game: &Game, players: usize) -> Result<usize, ExitReason> {
    let Some(name) = &args.seat else { return Ok(game.decision().map_or(0, |decision| decision.seat)) };
    match seat_number(name) {
        Some(seat) if seat < players => Ok(seat),
        Some(seat) => usage_error(format!("there is no player {}; there are {players}", seat + 1)),
        None => usage_error(format!("expected a player such as `p1`, found `{name}`")),
    }
}

/// Returns a line that describes the position.
fn position_line(game: &Game, why: &Why) -> String {
    let rules = why.rules();
    let round = match game.round() {
        0 => "set-up".to_string(),
        round => format!("round {round}"),
    };
    match game.decision() {
        Some(decision) => format!("{}, {round}: p{} is asked `{}`\n\n", rules.title, decision.seat + 1, decision.question.text(rules)),
        None if game.finished() => format!("{}: the game is over\n\n", rules.title),
        None => format!("{}, {round}\n\n", rules.title),
    }
}
