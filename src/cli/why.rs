//! `houserule why`: where a number comes from, what speaks against an option, which cards speak at a moment.

use std::path::Path;

use serde::Serialize;

use super::args::WhyArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, print, tell, wrong};
use super::play::{Laid, replay_of, seated};
use super::playtest::set_up;
use super::subject::of_scenarios;
use super::{Done, Trouble};
use crate::agent::parse_seats;
use crate::diagnostic::Diagnostic;
use crate::engine::Game;
use crate::lang::seat_number;
use crate::playtest::first_game_after;
use crate::scenario::run::{Besides, Position, position};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::why::{Answer, Fold, Subjects, Why};

/// What `--json` writes.
#[derive(Serialize)]
struct Written<'a> {
    game: &'a str,
    seat: String,
    round: i32,
    /// The open question.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<String>,
    #[serde(flatten)]
    said: &'a Said,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Answer(Answer),
    Subjects(Subjects),
}

/// Explains.
pub fn why(ground: &Ground, args: &WhyArgs) -> Done {
    let mut sources = Sources::new();
    let (stands, asked) = match (&args.from, &args.replay) {
        (Some(path), _) => from_scenario(ground, args, path, &mut sources)?,
        (None, Some(path)) => from_replay(ground, args, path, &mut sources)?,
        (None, None) => from_game(ground, args, &mut sources)?,
    };
    let Position { text, setup, game } = stands;
    let packs = &args.changed.pack;
    ground.expect_language(std::slice::from_ref(&text.content.game), packs)?;
    let names = ground.names(&sources, &text.content)?;
    let mut diagnostics = Vec::new();
    let opened = Why::open(&sources, &text, &setup, &mut diagnostics);
    tell(&sources, &diagnostics.into_iter().filter(|found| opened.is_none() || found.span.is_none()).collect::<Vec<_>>())?;
    let Some(mut why) = opened else { return Err(Trouble::Finding) };
    why.call_cards(|card| names.card(card).to_string());
    let seat = seat(args, &game, setup.players)?;
    let json = Out::open_if(args.json.as_ref())?;
    let said = if asked.is_empty() {
        Said::Subjects(why.subjects(&game, seat))
    } else {
        match why.ask(&game, seat, &asked) {
            Ok(answer) => Said::Answer(answer),
            Err(found) => {
                let _ = tell(why.sources(), &[*found]);
                return Err(Trouble::Wrong);
            }
        }
    };
    let question = game.decision().map(|decision| decision.question.text(why.rules()));
    if let Some(json) = json {
        let is_terminal = json.is_terminal();
        let game_id = text.content.game.as_str();
        json.json(&Written { game: game_id, seat: format!("p{}", seat + 1), round: game.round(), question, said: &said })?;
        if is_terminal {
            return Ok(());
        }
    }
    print(&where_it_stands(&game, &why));
    print(&match said {
        Said::Answer(answer) => answer.text(if args.deep { Fold::Deep } else { Fold::Folded }),
        Said::Subjects(subjects) => subjects.text(),
    });
    Ok(())
}

/// The position of the first game of a run, and what is asked.
fn from_game(ground: &Ground, args: &WhyArgs, sources: &mut Sources) -> Result<(Position, String), Trouble> {
    let Some((game, asked)) = args.words.split_first() else {
        return wrong(format!("which game? There are {}", ground.games().join(", ")));
    };
    let text = ground.text(sources, game, &args.changed.pack, &args.changed.with)?;
    let setup = set_up(players(&text, args.players)?, &args.changed.option, &args.changed.deal)?;
    let agents = parse_seats(&args.agents, setup.players, None).or_else(wrong)?;
    let rules = compiled(sources, &text, &setup)?;
    agents.iter().try_for_each(|agent| agent.suits(&rules)).or_else(wrong)?;
    let mut host = match ScriptHost::new(&rules) {
        Ok(host) => host,
        Err(faults) => return tell(sources, &faults).and(Err(Trouble::Finding)),
    };
    let at = args.at.unwrap_or(0) as u64;
    let (game, given) = match first_game_after(&rules, &agents, args.seed, at, &mut host) {
        Ok(stands) => stands,
        Err(fault) => {
            let found = fault.tell(Diagnostic::error("G201", fault.span, fault.to_string()));
            return tell(sources, &[found]).and(Err(Trouble::Finding));
        }
    };
    if given < at {
        return wrong(format!("this game ends after {given} answers; --at {at} is beyond its end"));
    }
    Ok((Position { text, setup, game }, asked.join(" ")))
}

/// The position of a scenario, and what is asked.
fn from_scenario(ground: &Ground, args: &WhyArgs, path: &Path, sources: &mut Sources) -> Result<(Position, String), Trouble> {
    let file = match sources.read_file(path) {
        Ok(file) => file,
        Err(fault) => return wrong(format!("cannot read `{}`: {fault}", path.display())),
    };
    let mut diagnostics = Vec::new();
    let subject = of_scenarios(ground, &args.changed.pack, sources, (file, path), &mut diagnostics);
    tell(sources, &diagnostics)?;
    let packs = [&subject.packs[..], &args.changed.pack].concat();
    let besides = Besides { packs: &packs, with: &args.changed.with };
    let stands = match position(sources, subject.root.as_deref(), (file, args.scenario.as_deref()), besides) {
        Ok(stands) => stands,
        Err(found) => {
            let misnamed = found.iter().any(|found| found.code == "G162");
            let told = tell(sources, &found);
            return Err(if misnamed { Trouble::Wrong } else { told.err().unwrap_or(Trouble::Finding) });
        }
    };
    let asked = asked_of(ground, args, &stands.text.content.game, path)?;
    Ok((stands, asked))
}

/// A position of a game that was kept, and what is asked.
fn from_replay(ground: &Ground, args: &WhyArgs, path: &Path, sources: &mut Sources) -> Result<(Position, String), Trouble> {
    let (laid, replay) = replay_of(ground, path)?;
    let count = replay.moves.len();
    let until = args.at.unwrap_or(count);
    if until > count {
        return wrong(format!("there are {count} answers in `{}`; --at {until} is beyond its end", path.display()));
    }
    let mut session = seated(&laid)?;
    let went = replay.play_until(until, &mut session);
    let (game, Laid { sources: read, text, setup, .. }) = (session.game().clone(), laid);
    *sources = read;
    if let Err(found) = went {
        return tell(sources, &[*found]).and(Err(Trouble::Finding));
    }
    let asked = asked_of(ground, args, &text.content.game, path)?;
    Ok((Position { text, setup, game }, asked))
}

/// What is asked, where a file says of which game.
fn asked_of(ground: &Ground, args: &WhyArgs, of: &str, path: &Path) -> Result<String, Trouble> {
    match args.words.split_first() {
        Some((first, rest)) if first == of => Ok(rest.join(" ")),
        Some((first, _)) if ground.games().contains(first) => wrong(format!("`{}` is about `{of}`, not about `{first}`", path.display())),
        _ => Ok(args.words.join(" ")),
    }
}

/// The player spoken of: as named, or who is asked, or the first.
fn seat(args: &WhyArgs, game: &Game, players: usize) -> Result<usize, Trouble> {
    let Some(name) = &args.seat else { return Ok(game.decision().map_or(0, |decision| decision.seat)) };
    match seat_number(name) {
        Some(seat) if seat < players => Ok(seat),
        Some(seat) => wrong(format!("there is no player {}; there are {players}", seat + 1)),
        None => wrong(format!("expected a player such as `p1`, found `{name}`")),
    }
}

/// A line that says where the game stands.
fn where_it_stands(game: &Game, why: &Why) -> String {
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
