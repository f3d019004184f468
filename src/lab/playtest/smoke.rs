//! Smoke test of scripts: runs every script of every card in positions from random games.

use super::first_game::play_while;
use super::hooks::routines;
use crate::agent::AgentKind;
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::Call;
use crate::engine::change;
use crate::engine::decision::Question;
use crate::engine::eval::Env;
use crate::engine::op::Op;
use crate::engine::placing::{self, Cover};
use crate::engine::ruleset::{Definition, NodeId, Offer, ScriptQuestion};
use crate::engine::scripts::WORD;
use crate::engine::sets;
use crate::engine::{Fault, Game, Ruleset, Scripts, Stop};
use crate::state::chance::seed_of_game;

/// Number of positions in which scripts are tried.
const MAX_POSITIONS: usize = 20;
/// Number of questions between two positions.
const QUESTIONS_BETWEEN_POSITIONS: usize = 37;
/// Amount of each resource that is added in every other position.
const EXTRA_RESOURCES: i64 = 20;
/// Maximum number of games that are searched for positions.
const MAX_SEARCHED_GAMES: u64 = 50;
/// Maximum number of answers that are tried for the question of a script.
const MAX_TRIED_ANSWERS: usize = 8;

/// The result of the smoke test.
#[derive(Clone, Debug, Default)]
pub struct SmokeTest {
    /// Number of scripts.
    pub scripts: usize,
    /// Scripts that never ran without a fault: card and entry.
    pub unrun: Vec<String>,
    /// Diagnostics of the faults.
    pub diagnostics: Vec<Diagnostic>,
}

/// A script with the conditions under which it runs.
struct ScriptEntry<'a> {
    script: u32,
    /// Conditions of the entry and of its part, and that the price can be paid.
    when: Vec<NodeId>,
    ask: Option<&'a ScriptQuestion>,
}

/// Runs all scripts of rules in which every card has a piece.
pub fn smoke(rules: &Ruleset, scripts: &mut dyn Scripts, seed: u64) -> SmokeTest {
    let mut positions = random_positions(rules, scripts, seed, |question| matches!(question, Question::Turn(_)));
    if positions.is_empty() {
        // In a game with few turns or none, positions are taken at any question.
        positions = random_positions(rules, scripts, seed, |_| true);
    }
    let mut found = SmokeTest::default();
    for (index, definition) in rules.definitions.iter().enumerate() {
        let Some(piece) = rules.piece_definition.iter().position(|of| *of as usize == index) else { continue };
        for entry in script_entries(rules, definition) {
            found.scripts += 1;
            try_entry(rules, scripts, &positions, piece, &entry, &mut found);
        }
    }
    found
}

fn script_entries<'r>(rules: &'r Ruleset, definition: &'r Definition) -> Vec<ScriptEntry<'r>> {
    let mut entries = Vec::new();
    for (when, begin) in routines(definition) {
        // A part without a question of its own uses the answer to the previous one.
        let (mut of_part, mut ask) = (Vec::new(), None);
        for op in rules.ops.routine(begin) {
            match op {
                Op::Unless { condition: when, .. } => of_part.push(*when),
                Op::AskFirst { ask: asked, .. } => ask = rules.ops.card_questions.get(*asked as usize),
                Op::Script { script } => {
                    let when = when.into_iter().chain(of_part.drain(..)).collect();
                    entries.push(ScriptEntry { script: *script, when, ask });
                }
                _ => {}
            }
        }
    }
    entries
}

/// Plays random games; returns their states at the beginning of turns. Faults of these games are reported elsewhere.
fn random_positions(rules: &Ruleset, scripts: &mut dyn Scripts, seed: u64, wanted: impl Fn(&Question) -> bool) -> Vec<Game> {
    let (mut found, mut asked) = (Vec::new(), 0);
    for number in 0..MAX_SEARCHED_GAMES {
        let _ = play_while(rules, &vec![AgentKind::Random; rules.players], seed_of_game(seed, number), scripts, |game| {
            asked += 1;
            if asked % QUESTIONS_BETWEEN_POSITIONS == 0 && game.decision().is_some_and(|decision| wanted(&decision.question)) {
                found.push(game.clone());
            }
            found.len() < MAX_POSITIONS
        });
        if found.len() >= MAX_POSITIONS {
            break;
        }
    }
    found
}

fn try_entry(rules: &Ruleset, scripts: &mut dyn Scripts, positions: &[Game], piece: usize, entry: &ScriptEntry<'_>, found: &mut SmokeTest) {
    let mut ran = false;
    let mut elsewhere: Option<Fault> = None;
    for (number, position) in positions.iter().enumerate() {
        let me = number % rules.players;
        let mut game = with_card_in_play(rules, position, piece, me);
        if number % 2 == 1 {
            // Conditions on resources hold in rich positions.
            for resource in 0..rules.resources.len() {
                let _ = game.on(rules).change(|store| change::gain(store, me, resource, EXTRA_RESOURCES));
            }
        }
        let player = if number % 2 == 0 { me } else { (me + 1) % rules.players };
        let mut env = Env::with_locals(me, &[cast::fit::<i32>(piece), cast::fit::<i32>(piece), cast::fit::<i32>(player)]);
        let mut holds = entry.when.iter().all(|when| game.store(rules).holds(*when, &mut env));
        let mut answers = possible_answers(rules, &mut game, entry.ask, &mut env);
        if answers.is_empty() {
            // If nothing can be chosen, each word is tried, but failures do not count.
            holds = false;
            answers.extend(rules.scripts[entry.script as usize].words.iter().map(|word| WORD + *word as i64));
        }
        for answer in answers {
            let call = Call { script: entry.script, me, own: cast::fit::<i32>(piece), card: cast::fit::<i32>(piece), player, answer };
            match scripts.run(&mut game.clone().on(rules), &call) {
                Ok(()) | Err(Stop::Ask | Stop::Pause) => ran = true,
                Err(Stop::Fault(fault)) if holds => {
                    found.diagnostics.push(diagnostic_of(rules, entry, *fault, Diagnostic::error));
                    found.unrun.push(rules.scripts[entry.script as usize].owner.clone());
                    return;
                }
                Err(Stop::Fault(fault)) => elsewhere = Some(*fault),
            }
        }
    }
    if ran {
        return;
    }
    found.unrun.push(rules.scripts[entry.script as usize].owner.clone());
    if let Some(fault) = elsewhere {
        let doubt = diagnostic_of(rules, entry, fault, Diagnostic::warning);
        found
            .diagnostics
            .push(doubt.help("it could not be meant in any of the positions tried; a test of the card would show whether it matters"));
    }
}

type MakeDiagnostic = fn(&'static str, Option<crate::source::Span>, String) -> Diagnostic;

fn diagnostic_of(rules: &Ruleset, entry: &ScriptEntry<'_>, fault: Fault, make: MakeDiagnostic) -> Diagnostic {
    let script = &rules.scripts[entry.script as usize];
    let owner = if fault.owner.is_empty() { &script.owner } else { &fault.owner };
    make("G202", fault.span.or(script.span), format!("{owner}: {}", fault.message)).label("this script was tried")
}

/// Returns the position with the card moved to the place where its entries are active, if there is room.
fn with_card_in_play(rules: &Ruleset, position: &Game, piece: usize, me: usize) -> Game {
    let kind = rules.definition(piece).kind;
    let lies = &rules.layout.places[position.position(rules).place_of(piece).0];
    let is_in_play = lies.room > 0 && rules.places[lies.declared as usize].in_play;
    let of_table = || rules.places.iter().position(|place| place.in_play && place.kinds >> kind & 1 == 1);
    let mut game = position.clone();
    if !is_in_play
        && let Some(place) = rules.place_in_play(kind).or_else(of_table)
        && placing::place(&mut game.on(rules), piece, place, me, Cover::WhenFull).is_err()
    {
        return position.clone();
    }
    game
}

/// Returns the possible answers to the question of a script; a single -1 if there is no question.
fn possible_answers(rules: &Ruleset, game: &mut Game, ask: Option<&ScriptQuestion>, env: &mut Env) -> Vec<i64> {
    let Some(ask) = ask else { return vec![-1] };
    let mut found = Vec::new();
    for (offer, when) in &ask.offers {
        match offer {
            Offer::Word(name) => {
                if ask.no != Some(*name) && when.is_none_or(|when| game.store(rules).holds(when, env)) {
                    found.push(WORD + *name as i64);
                }
            }
            Offer::Cards(set) => {
                let mut cards = Vec::new();
                sets::cards_of(&mut game.store(rules), *set, env, &mut cards);
                for piece in cards {
                    env.locals[rules.sets[*set as usize].local as usize] = piece;
                    if when.is_none_or(|when| game.store(rules).holds(when, env)) {
                        found.push(piece.into());
                    }
                }
            }
        }
    }
    found.truncate(MAX_TRIED_ANSWERS);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NoScripts;
    use crate::playtest::toy::toy_with;

    #[test]
    fn a_script_that_fails_is_found() {
        let rules = toy_with(2, "2", "[[card.on]]\nwhen = \"this.howl\"\ndo = \"gain(me, wisp, 1)\"\n");
        let found = smoke(&rules, &mut NoScripts, 1);
        assert_eq!((found.scripts, found.unrun.len(), found.diagnostics.len()), (1, 1, 1));
        assert!(found.diagnostics[0].message.contains("a script was called"), "{:?}", found.diagnostics);
    }
}
