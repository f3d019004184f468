//! Mutants that cannot matter: those of definitions that only machine players read, which the rules say, and the sizes of places with which
//! trial games go as before, which is measured.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use pest::Parser;
use pest::iterators::Pair;

use super::plan::MutantResult;
use super::rules::is_about_agents;
use super::trial::{MutationSubject, SubjectText};
use super::{MutationOperator, Verdict};
use crate::agent::{AgentKind, SeatAgents};
use crate::engine::{Game, Ruleset};
use crate::lang::compile::{allowed_setup, compile};
use crate::script::ScriptHost;
use crate::state::chance::seed_of_game;
use crate::syntax::grammar::{Grammar, Rule};

/// Number of trial games for each number of players.
const TRIAL_GAMES: u64 = 10;
/// Maximum number of answers in a trial game.
const MAX_ANSWERS: usize = 5000;
/// Seed of the trial games.
const SEED: u64 = 1;

/// Who reads a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reader<'t> {
    /// Rules, cards or tests.
    Rules,
    /// Machine players, to value states.
    Machines,
    /// The definition of this name.
    Definition(&'t str),
}

/// Returns the definitions that machine players read and nobody else: for each the index of its file and its range there.
pub fn read_by_machines_alone(subject: &MutationSubject) -> Vec<(usize, usize, usize)> {
    let mut readers: BTreeMap<&str, BTreeSet<Reader<'_>>> = BTreeMap::new();
    let mut defined: Vec<Definition<'_>> = Vec::new();
    for (at, written) in subject.texts.iter().enumerate() {
        if !written.rules {
            let words = written.text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            words.for_each(|word| _ = readers.entry(word).or_default().insert(Reader::Rules));
            continue;
        }
        for pair in Grammar::parse(Rule::file, &written.text).into_iter().flatten() {
            note_reads(pair, Reader::Rules, at, &mut readers, &mut defined);
        }
    }
    let names: BTreeSet<&str> = defined.iter().map(|definition| definition.name).collect();
    let reads = |name: &str, is: &dyn Fn(&Reader<'_>) -> bool| readers.get(name).is_some_and(|readers| readers.iter().any(is));
    let closed = |first: &dyn Fn(&str) -> bool| {
        let mut found: BTreeSet<&str> = names.iter().copied().filter(|name| first(name)).collect();
        loop {
            let by_found = |reader: &Reader<'_>| matches!(reader, Reader::Definition(name) if found.contains(name));
            let more: Vec<&str> = names.iter().copied().filter(|name| !found.contains(name) && reads(name, &by_found)).collect();
            if more.is_empty() {
                return found;
            }
            found.extend(more);
        }
    };
    let of_rules = closed(&|name| reads(name, &|reader| *reader == Reader::Rules) || subject.tests_name(name));
    let of_machines = closed(&|name| reads(name, &|reader| *reader == Reader::Machines));
    let alone = |one: &&Definition<'_>| of_machines.contains(one.name) && !of_rules.contains(one.name);
    defined.iter().filter(alone).map(|one| (one.file, one.start, one.end)).collect()
}

/// A definition of the rules: its name, the number of its file, and where it begins and ends there.
struct Definition<'t> {
    name: &'t str,
    file: usize,
    start: usize,
    end: usize,
}

/// Notes who reads the names in a part of a text, and the definitions outside of the blocks of machine players.
fn note_reads<'t>(
    pair: Pair<'t, Rule>,
    reader: Reader<'t>,
    file: usize,
    readers: &mut BTreeMap<&'t str, BTreeSet<Reader<'t>>>,
    defined: &mut Vec<Definition<'t>>,
) {
    let rule = pair.as_rule();
    if matches!(rule, Rule::name | Rule::word) {
        pair.as_str().split('.').for_each(|part| _ = readers.entry(part).or_default().insert(reader));
        return;
    }
    let mut reader =
        if matches!(rule, Rule::agents | Rule::worth | Rule::style) || is_about_agents(&pair) { Reader::Machines } else { reader };
    let mut inner: Vec<Pair<'t, Rule>> = pair.clone().into_inner().collect();
    if rule == Rule::define
        && reader == Reader::Rules
        && let Some(signature) = inner.iter().position(|part| part.as_rule() == Rule::signature)
    {
        let name = inner.remove(signature).into_inner().next().map_or("", |name| name.as_str());
        defined.push(Definition { name, file, start: pair.as_span().start(), end: pair.as_span().end() });
        reader = Reader::Definition(name);
    }
    inner.into_iter().for_each(|part| note_reads(part, reader, file, readers, defined));
}

/// Removes the survivors that change the size of a place, if the trial games go as before. Returns how many they are, and the number of
/// trial games.
pub fn remove_sizes_without_effect(subject: &MutationSubject, tried: &mut Vec<MutantResult<'_>>) -> (usize, u64) {
    let mut before: Option<Vec<String>> = None;
    let mut sizes: BTreeMap<&str, Vec<(usize, usize)>> = BTreeMap::new();
    let mut games = 0;
    let count = tried.len();
    tried.retain(|result| {
        let (written, mutant) = (result.written, &result.mutant);
        let number = result.verdict == Verdict::Survived && written.rules && mutant.class == MutationOperator::Number;
        if !number || mutant.variant.is_some() {
            return true;
        }
        let of_file = sizes.entry(&written.name).or_insert_with(|| sizes_of_places(written));
        if !of_file.iter().any(|&(start, end)| start <= mutant.start && mutant.end <= end) {
            return true;
        }
        let original = before.get_or_insert_with(|| trial_games(subject, written, &written.text).unwrap_or_default());
        games = original.len() as u64;
        original.is_empty() || trial_games(subject, written, &mutant.apply_to(&written.text)).as_ref() != Some(original)
    });
    (count - tried.len(), games)
}

/// Returns the ranges of a text in which the sizes of places stand.
fn sizes_of_places(written: &SubjectText) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for pair in Grammar::parse(Rule::file, &written.text).into_iter().flatten() {
        let of_places = pair.into_inner().flatten().filter(|part| part.as_rule() == Rule::place);
        for place in of_places {
            let amounts = place.into_inner().filter(|part| part.as_rule() == Rule::amount);
            found.extend(amounts.map(|amount| (amount.as_span().start(), amount.as_span().end())));
        }
    }
    found
}

/// Plays trial games by random players, with one text replaced; returns what is told of each. `None` if the text cannot be played.
fn trial_games(subject: &MutationSubject, written: &SubjectText, text: &str) -> Option<Vec<String>> {
    let game = subject.read_with(&written.name, text)?;
    let (fewest, most) = game.players();
    let mut told = Vec::new();
    for players in [fewest, most].into_iter().take(if fewest == most { 1 } else { 2 }) {
        let rules = Arc::new(compile(&game, &allowed_setup(&game, players), &mut Vec::new())?);
        for number in 0..TRIAL_GAMES {
            told.push(trial_game(&rules, seed_of_game(SEED, number))?);
        }
    }
    Some(told)
}

/// Plays a game by random players; returns its log and the points at its end.
fn trial_game(rules: &Arc<Ruleset>, seed: u64) -> Option<String> {
    let mut scripts = ScriptHost::new(rules).ok()?;
    let mut seats = SeatAgents::new(&vec![AgentKind::Random; rules.players]);
    let mut game = Game::new(rules, seed);
    game.keep_log();
    seats.begin_game(seed);
    for _ in 0..MAX_ANSWERS {
        if !matches!(game.on(rules).advance(&mut scripts), Ok(Some(_))) {
            break;
        }
        let Ok(chosen) = seats.choose(rules, &game, &mut scripts) else { break };
        if game.on(rules).answer(&mut scripts, chosen).is_err() {
            break;
        }
    }
    let points: Vec<String> = (0..rules.players).map(|seat| game.store(rules).score(seat).to_string()).collect();
    Some(format!("{}\n{}", game.log().join("\n"), points.join(" ")))
}
