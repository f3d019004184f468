//! What the values of arguments can be, by what the help calls them.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::Arg;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};

use super::super::language::languages_of_game;
use super::super::load::Workspace;
use super::super::subject::has_game_folders;
use super::super::words::known_words;
use crate::lang::defs::Space;
use crate::lang::{self, GameText};
use crate::source::Sources;

/// How the value of an argument is completed.
pub(super) enum Completion {
    /// By nothing: it is a number or a text of one's own.
    Free,
    /// By paths.
    Path(fn() -> PathCompleter),
    /// By names of what there is, with what has been typed so far.
    Names(fn(&CommandLine) -> Vec<CompletionCandidate>),
}

/// Returns how the value of an argument is completed, by what the help calls it; `None` if this table does not know.
pub(super) fn completion(arg: &Arg) -> Option<Completion> {
    use Completion::{Free, Names, Path};
    let id = arg.get_id().as_str();
    let called = arg.get_value_names().and_then(|names| names.first()).map_or(id.to_uppercase(), ToString::to_string);
    Some(match called.as_str() {
        "GAME" => Names(|line| line.named(line.workspace.games())),
        "[GAME] CARD" => Names(|line| {
            let games = if line.game.is_none() { line.workspace.games() } else { Vec::new() };
            joined([line.named(games), cards(&line.texts(), &line.typed), line.named(boards(&line.texts()))])
        }),
        "GAME WHAT" => Names(|line| match &line.game {
            None => line.named(line.workspace.games()),
            Some(_) => line.named(line.texts().iter().flat_map(question_names).chain(["score".to_string()])),
        }),
        "CARD[@pN]" | "CARD" => Names(|line| match line.typed.split_once('@') {
            Some((card, _)) => line.named(line.seats().into_iter().map(|seat| format!("{card}@{seat}"))),
            None => cards(&line.texts(), &line.typed),
        }),
        "KIND" => Names(|line| line.named(line.texts().iter().flat_map(kinds))),
        "card|pack|variant|game|KIND" => Names(|line| {
            line.named(["card", "pack", "variant", "game"].map(str::to_string).into_iter().chain(line.texts().iter().flat_map(kinds)))
        }),
        "RULES" => Names(CommandLine::rules),
        "NAME[@pN]=VALUE" => Names(CommandLine::options),
        "AGENT" | "AGENTS" => Names(|line| line.in_list(|part| named(AGENTS, part))),
        "WHO" => Names(|line| line.in_list(|part| named(["human"].into_iter().chain(AGENTS), part))),
        "LANGUAGE" if id == "lang" => Names(|line| {
            let of = |game: &String| languages_of_game(line.workspace.root(), game, &line.packs);
            line.named(line.games().iter().flat_map(of))
        }),
        "WORD" if id == "words" => Names(|line| line.named(known_words())),
        "CARD|KIND,…" | "LIST|WHERE" | "WORD" => Names(|line| {
            let texts = line.texts();
            line.in_list(|part| joined([cards(&texts, part), named(texts.iter().flat_map(kinds), part)]))
        }),
        "pN" => Names(|line| line.named(line.seats())),
        "PACK" | "DIR" if ["pack", "against"].contains(&id) => Names(CommandLine::packs),
        "DIR" | "DIR|inside" => Path(PathCompleter::dir),
        "DIRS" | "FILES" | "FILE|DIR|GAME" if ["dirs", "files", "what"].contains(&id) => {
            Names(|line| joined([line.named(line.workspace.games()), line.paths(PathCompleter::any())]))
        }
        "FILE" | "FILE.html" | "FILE.json" | "FILE.pdf" | "FILE.svg" | "FILE.toml" | "FILE[#NAME]" | "FILE|FOLDER" | "DIR|FILE" => {
            Path(|| PathCompleter::any().stdio())
        }
        "COMMAND" | "LANGUAGE" | "SHELL" | "FORMAT[=FILE]" | "NAME" | "N" | "I/N" | "WIDTH" | "MEASURE" | "TIMES" | "RUNS" | "SECONDS"
        | "ITERATIONS" | "SETTINGS" | "WHAT in VALUES" | "MEASURE = VALUE" | "PLAYERS" | "SEED" | "THREADS" | "GAMES" | "LESSONS"
        | "TERMS" | "GENERATIONS" => Free,
        _ => return None,
    })
}

/// Returns the argument with what its value can be.
pub(super) fn completed(arg: Arg) -> Arg {
    match completion(&arg) {
        None | Some(Completion::Free) => arg,
        Some(Completion::Path(paths)) => arg.add(ArgValueCompleter::new(paths())),
        Some(Completion::Names(names)) => arg.add(ArgValueCompleter::new(move |typed: &OsStr| names(&CommandLine::read(typed)))),
    }
}

/// What has been typed so far, as far as it says which game is meant.
pub(super) struct CommandLine {
    workspace: Workspace,
    game: Option<String>,
    packs: Vec<PathBuf>,
    /// The word that is being typed.
    typed: String,
    /// The same word, if it is a path.
    path: OsString,
}

impl CommandLine {
    /// Reads the words that the shell hands over; the last one is being typed.
    fn read(path: &OsStr) -> CommandLine {
        let words: Vec<String> =
            std::env::args_os().skip_while(|word| word != "--").skip(2).map(|word| word.to_string_lossy().into_owned()).collect();
        let behind = |name: &str| -> Vec<String> {
            let apart = words.windows(2).filter(|two| two.first().is_some_and(|one| one == name)).filter_map(|two| two.get(1).cloned());
            let joined = words.iter().filter_map(|word| Some(word.strip_prefix(name)?.strip_prefix('=')?.to_string()));
            apart.chain(joined).collect()
        };
        // A folder without games is told when the line is run.
        let root = behind("--root").pop().map(PathBuf::from).filter(|root| has_game_folders(root));
        let workspace = match root {
            Some(root) => Workspace::of_root(Some(&root)),
            None => Workspace::new(None, None).unwrap_or_default(),
        };
        let games = workspace.games();
        let before = words.get(..words.len().saturating_sub(1)).unwrap_or_default();
        let game = before.iter().find(|word| games.contains(word)).cloned();
        let packs = behind("--pack").into_iter().map(PathBuf::from).filter(|pack| pack.join("pack.toml").is_file()).collect();
        CommandLine { workspace, game, packs, typed: path.to_string_lossy().into_owned(), path: path.to_os_string() }
    }

    /// Returns the games that can be meant: the one that was named, or all.
    fn games(&self) -> Vec<String> {
        self.game.clone().map_or_else(|| self.workspace.games(), |game| vec![game])
    }

    /// Loads the games that can be meant, those that have no errors.
    fn texts(&self) -> Vec<GameText> {
        let load = |game: String| {
            let packs = self.workspace.packs_of(&game, &self.packs);
            lang::load(&mut Sources::new(), self.workspace.root(), &game, &packs, &[], &mut Vec::new())
        };
        self.games().into_iter().filter_map(load).collect()
    }

    /// Returns candidates for those names that begin with what was typed.
    fn named(&self, names: impl IntoIterator<Item = impl Into<String>>) -> Vec<CompletionCandidate> {
        named(names, &self.typed)
    }

    fn paths(&self, wanted: PathCompleter) -> Vec<CompletionCandidate> {
        wanted.complete(&self.path)
    }

    /// Completes the last of several names with commas between them.
    fn in_list(&self, complete: impl Fn(&str) -> Vec<CompletionCandidate>) -> Vec<CompletionCandidate> {
        let (before, last) = self.typed.split_at(self.typed.rfind(',').map_or(0, |comma| comma + 1));
        complete(last).into_iter().map(|found| found.add_prefix(before)).collect()
    }

    /// Returns the variants, and files of rules.
    fn rules(&self) -> Vec<CompletionCandidate> {
        let variants = self.texts().into_iter().flat_map(|text| text.variants).filter(|(name, _)| name.starts_with(&self.typed));
        let files = PathCompleter::any().filter(|path| path.is_dir() || path.extension().is_some_and(|ext| ext == "rules"));
        variants.map(|(name, title)| candidate(&name, &title)).chain(self.paths(files)).collect()
    }

    /// Returns the packs beside the games, and folders.
    fn packs(&self) -> Vec<CompletionCandidate> {
        let known = self.workspace.packs().into_iter().map(|pack| pack.strip_prefix(".").unwrap_or(&pack).display().to_string());
        let mut known = self.named(known);
        let is_known = |folder: &CompletionCandidate| {
            let folder = folder.get_value().to_string_lossy();
            known.iter().any(|pack| pack.get_value().to_string_lossy() == folder.trim_end_matches('/'))
        };
        let others: Vec<_> = self.paths(PathCompleter::dir()).into_iter().filter(|folder| !is_known(folder)).collect();
        known.extend(others);
        known
    }

    /// Returns the seats of the largest number of players.
    fn seats(&self) -> Vec<String> {
        let most = self.texts().iter().map(|text| text.players().1).max().unwrap_or(0);
        (1..=most).map(|seat| format!("p{seat}")).collect()
    }

    /// Returns options with their values; of several values one after the other.
    fn options(&self) -> Vec<CompletionCandidate> {
        let texts = self.texts();
        let (target, chosen) = self.typed.split_once('=').map_or((self.typed.as_str(), None), |(target, chosen)| (target, Some(chosen)));
        let (asked, seat) = target.split_once('@').map_or((target, None), |(asked, seat)| (asked, Some(seat)));
        let mut found: Vec<String> = Vec::new();
        for (name, option) in texts.iter().flat_map(GameText::options) {
            match (chosen, seat) {
                (Some(chosen), _) if asked == name => {
                    let before = chosen.rfind(',').filter(|_| option.several).map_or("", |comma| &chosen[..=comma]);
                    let taken = |value: &&String| before.split(',').any(|one| one == value.as_str());
                    found.extend(option.values.iter().filter(|value| !taken(value)).map(|value| format!("{target}={before}{value}")));
                }
                (None, Some(_)) if asked == name && option.each_player => {
                    found.extend(self.seats().into_iter().map(|seat| format!("{name}@{seat}=")));
                }
                (None, None) => found.push(format!("{name}=")),
                _ => {}
            }
        }
        self.named(found)
    }
}

/// Machine players by name.
const AGENTS: [&str; 5] = ["greedy", "random", "search:", "trained", "exec:"];

/// Returns candidates for those names that begin with what was typed, each once.
fn named(names: impl IntoIterator<Item = impl Into<String>>, typed: &str) -> Vec<CompletionCandidate> {
    let mut seen = BTreeSet::new();
    let names = names.into_iter().map(Into::into).filter(|name: &String| name.starts_with(typed) && seen.insert(name.clone()));
    names.map(CompletionCandidate::new).collect()
}

fn joined<const N: usize>(parts: [Vec<CompletionCandidate>; N]) -> Vec<CompletionCandidate> {
    parts.into_iter().flatten().collect()
}

fn candidate(name: &str, about: &str) -> CompletionCandidate {
    CompletionCandidate::new(name).help(Some(about.to_string().into()))
}

/// Returns the cards whose ids begin with what was typed, with their names.
fn cards(texts: &[GameText], typed: &str) -> Vec<CompletionCandidate> {
    let mut seen = BTreeSet::new();
    let all = texts.iter().flat_map(|text| &text.content.cards).filter(|card| card.id.text.starts_with(typed));
    all.filter(|card| seen.insert(card.id.text.as_str()))
        .map(|card| candidate(&card.id.text, &format!("{}, {}", card.name.text, card.kind.text)))
        .collect()
}

fn boards(texts: &[GameText]) -> Vec<String> {
    let drawn = |text: &GameText| {
        text.checked().rules.boards.iter().filter(|board| board.parts().is_none()).map(|board| board.name.clone()).collect::<Vec<_>>()
    };
    texts.iter().flat_map(drawn).collect()
}

fn kinds(text: &GameText) -> Vec<String> {
    text.checked().definitions().names(Space::Kind).map(str::to_string).collect()
}

/// The names about which `houserule why` can be asked: values and moments.
fn question_names(text: &GameText) -> Vec<String> {
    let checked = text.checked();
    let names = [Space::Value, Space::Moment].into_iter().flat_map(|space| checked.definitions().names(space));
    names.map(str::to_string).collect()
}
