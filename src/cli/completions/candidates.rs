//! What the values of arguments can be, by what the help calls them.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Arg;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};

use super::super::language::languages_of_game;
use super::super::load::Workspace;
use super::super::words::known_words;
use crate::lang::defs::Space;
use crate::lang::{self, GameText};
use crate::source::Sources;

/// What a value can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// A number or a text of one's own, which nothing can complete.
    Free,
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A pack.
    Pack,
    /// A file, a folder or a game.
    FileOrGame,
    /// A game.
    Game,
    /// A game, and then a card or a board.
    GameAndCard,
    /// A game, and then something whose origin can be asked for.
    GameAndQuestion,
    /// A card, perhaps with the seat for which it is dealt.
    DealtCard,
    /// Cards and kinds of cards, with commas.
    CardsAndKinds,
    /// A kind of cards.
    Kind,
    /// What `houserule new` can make.
    Creatable,
    /// A variant by name, or a file of rules.
    Rules,
    /// An option of a game with a value, perhaps of one player.
    OptionValue,
    /// Machine players, with commas.
    Agents,
    /// Machine players and people, with commas.
    Players,
    /// A language of names.
    Language,
    /// A word of the reference.
    Word,
    /// A seat.
    Seat,
}

/// Returns what the value of an argument can be, by what the help calls it; `None` if this table does not know.
pub(super) fn value_kind(arg: &Arg) -> Option<ValueKind> {
    let id = arg.get_id().as_str();
    let named = arg.get_value_names().and_then(|names| names.first()).map_or(id.to_uppercase(), ToString::to_string);
    Some(match named.as_str() {
        "GAME" => ValueKind::Game,
        "[GAME] CARD" => ValueKind::GameAndCard,
        "GAME WHAT" => ValueKind::GameAndQuestion,
        "CARD[@pN]" | "CARD" => ValueKind::DealtCard,
        "CARD|KIND,…" | "LIST|WHERE" => ValueKind::CardsAndKinds,
        "KIND" => ValueKind::Kind,
        "card|pack|variant|game|KIND" => ValueKind::Creatable,
        "RULES" => ValueKind::Rules,
        "NAME[@pN]=VALUE" => ValueKind::OptionValue,
        "AGENT" | "AGENTS" => ValueKind::Agents,
        "WHO" => ValueKind::Players,
        "LANGUAGE" if id == "lang" => ValueKind::Language,
        "COMMAND" | "LANGUAGE" | "SHELL" => ValueKind::Free,
        "WORD" if id == "words" => ValueKind::Word,
        "WORD" => ValueKind::CardsAndKinds,
        "pN" => ValueKind::Seat,
        "PACK" | "DIR" if ["pack", "against"].contains(&id) => ValueKind::Pack,
        "DIR" | "DIR|inside" => ValueKind::Folder,
        "DIRS" | "FILES" if ["dirs", "files"].contains(&id) => ValueKind::FileOrGame,
        "FILE|DIR|GAME" => ValueKind::FileOrGame,
        "FILE" | "FILE.html" | "FILE.json" | "FILE.pdf" | "FILE.svg" | "FILE.toml" | "FILE[#NAME]" | "FILE|FOLDER" | "DIR|FILE" => {
            ValueKind::File
        }
        "FORMAT[=FILE]" | "NAME" | "N" | "I/N" | "WIDTH" | "MEASURE" | "TIMES" | "RUNS" | "SECONDS" | "ITERATIONS" | "SETTINGS" => {
            ValueKind::Free
        }
        "WHAT in VALUES" | "MEASURE = VALUE" => ValueKind::Free,
        "PLAYERS" | "SEED" | "THREADS" | "GAMES" | "LESSONS" | "TERMS" | "GENERATIONS" => ValueKind::Free,
        _ => return None,
    })
}

/// Returns the argument with what its value can be.
pub(super) fn completed(arg: Arg) -> Arg {
    let files = |arg: Arg| arg.add(ArgValueCompleter::new(PathCompleter::any().stdio()));
    match value_kind(&arg) {
        None | Some(ValueKind::Free) => arg,
        Some(ValueKind::File) => files(arg),
        Some(ValueKind::Folder) => arg.add(ArgValueCompleter::new(PathCompleter::dir())),
        Some(kind) => arg.add(ArgValueCompleter::new(move |typed: &OsStr| CommandLine::read().candidates(kind, typed))),
    }
}

/// What has been typed so far, as far as it says which game is meant.
struct CommandLine {
    workspace: Workspace,
    game: Option<String>,
    packs: Vec<PathBuf>,
}

impl CommandLine {
    /// Reads the words that the shell hands over.
    fn read() -> CommandLine {
        let words: Vec<String> =
            std::env::args_os().skip_while(|word| word != "--").skip(2).map(|word| word.to_string_lossy().into_owned()).collect();
        let behind = |name: &str| -> Vec<String> {
            let apart = words.windows(2).filter(|two| two.first().is_some_and(|one| one == name)).filter_map(|two| two.get(1).cloned());
            let joined = words.iter().filter_map(|word| Some(word.strip_prefix(name)?.strip_prefix('=')?.to_string()));
            apart.chain(joined).collect()
        };
        let root = behind("--root").pop().map(PathBuf::from);
        // A folder without games is told when the line is run.
        let root = root.filter(|root| ["rules", "cards"].iter().any(|below| root.join(below).is_dir()));
        let workspace = match root {
            Some(root) => Workspace::of_root(Some(&root)),
            None => Workspace::new(None, None).unwrap_or_else(|_| Workspace::of_root(None)),
        };
        let games = workspace.games();
        // The last word is being typed.
        let before = words.get(..words.len().saturating_sub(1)).unwrap_or_default();
        let game = before.iter().find(|word| games.contains(word)).cloned();
        let packs = behind("--pack").into_iter().map(PathBuf::from).filter(|pack| pack.join("pack.toml").is_file()).collect();
        CommandLine { workspace, game, packs }
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

    fn candidates(&self, kind: ValueKind, typed: &OsStr) -> Vec<CompletionCandidate> {
        let text = typed.to_string_lossy();
        let paths = |wanted: PathCompleter| wanted.complete(typed);
        match kind {
            ValueKind::Free => Vec::new(),
            ValueKind::File => paths(PathCompleter::any()),
            ValueKind::Folder => paths(PathCompleter::dir()),
            ValueKind::Pack => self.packs(typed),
            ValueKind::FileOrGame => [named(self.workspace.games(), &text), paths(PathCompleter::any())].into_iter().flatten().collect(),
            ValueKind::Game => named(self.workspace.games(), &text),
            ValueKind::GameAndCard => {
                let games = if self.game.is_none() { self.workspace.games() } else { Vec::new() };
                [named(games, &text), cards(&self.texts(), &text), named(boards(&self.texts()), &text)].into_iter().flatten().collect()
            }
            ValueKind::GameAndQuestion if self.game.is_none() => named(self.workspace.games(), &text),
            ValueKind::GameAndQuestion => named(self.texts().iter().flat_map(questions).chain(["score".to_string()]), &text),
            ValueKind::DealtCard => match text.split_once('@') {
                Some((card, _)) => named(self.seats().into_iter().map(|seat| format!("{card}@{seat}")), &text),
                None => cards(&self.texts(), &text),
            },
            ValueKind::CardsAndKinds => in_list(&text, |part| {
                let texts = self.texts();
                [cards(&texts, part), named(texts.iter().flat_map(kinds), part)].into_iter().flatten().collect()
            }),
            ValueKind::Kind => named(self.texts().iter().flat_map(kinds), &text),
            ValueKind::Creatable => {
                let kinds: Vec<String> = self.texts().iter().flat_map(kinds).collect();
                named(["card", "pack", "variant", "game"].map(str::to_string).into_iter().chain(kinds), &text)
            }
            ValueKind::Rules => {
                let texts = self.texts();
                let variants = texts.iter().flat_map(|text| &text.variants);
                let variants = variants.filter(|(name, _)| name.starts_with(&*text));
                let variants = variants.map(|(name, title)| candidate(name, title));
                let files = PathCompleter::any().filter(|path| path.is_dir() || path.extension().is_some_and(|ext| ext == "rules"));
                variants.chain(paths(files)).collect()
            }
            ValueKind::OptionValue => self.options(&text),
            ValueKind::Agents => in_list(&text, |part| named(AGENTS, part)),
            ValueKind::Players => in_list(&text, |part| named(["human"].into_iter().chain(AGENTS), part)),
            ValueKind::Language => {
                let games = self.games();
                let of = |game: &String| languages_of_game(self.workspace.root(), game, &self.packs);
                named(games.iter().flat_map(of), &text)
            }
            ValueKind::Word => named(known_words(), &text),
            ValueKind::Seat => named(self.seats(), &text),
        }
    }

    /// Returns the packs beside the games, and folders.
    fn packs(&self, typed: &OsStr) -> Vec<CompletionCandidate> {
        let known = self.workspace.packs().into_iter().map(|pack| {
            let pack = pack.strip_prefix(".").map(Path::to_path_buf).unwrap_or(pack);
            pack.display().to_string()
        });
        let known = named(known, &typed.to_string_lossy());
        let folders = PathCompleter::dir().complete(typed);
        let others = folders.into_iter().filter(|folder| {
            let folder = folder.get_value().to_string_lossy();
            !known.iter().any(|pack| pack.get_value().to_string_lossy() == folder.trim_end_matches('/'))
        });
        let others: Vec<_> = others.collect();
        known.into_iter().chain(others).collect()
    }

    /// Returns the seats of the largest number of players.
    fn seats(&self) -> Vec<String> {
        let most = self.texts().iter().map(|text| text.players().1).max().unwrap_or(0);
        (1..=most).map(|seat| format!("p{seat}")).collect()
    }

    /// Returns options with their values; of several values one after the other.
    fn options(&self, text: &str) -> Vec<CompletionCandidate> {
        let texts = self.texts();
        let options = texts.iter().flat_map(|text| text.checked().definitions().options());
        let mut found: Vec<String> = Vec::new();
        for (_, name, option) in options {
            let (named, chosen) = text.split_once('=').unzip();
            let (asked, seat) = named.unwrap_or(text).split_once('@').unzip();
            match (chosen, seat) {
                (Some(chosen), _) if asked.or(named) == Some(name) => {
                    let before = match chosen.rsplit_once(',') {
                        Some((before, _)) if option.several => format!("{before},"),
                        _ => String::new(),
                    };
                    let taken = |value: &&String| !before.split(',').any(|one| one == value.as_str());
                    found.extend(option.values.iter().filter(taken).map(|value| format!("{}={before}{value}", named.unwrap_or(name))));
                }
                (Some(_), _) => {}
                (None, Some(_)) if asked == Some(name) && option.each_player => {
                    found.extend(self.seats().into_iter().map(|seat| format!("{name}@{seat}=")));
                }
                (None, Some(_)) => {}
                (None, None) => found.push(format!("{name}=")),
            }
        }
        named(found, text)
    }
}

/// Machine players by name.
const AGENTS: [&str; 5] = ["greedy", "random", "search:", "trained", "exec:"];

/// Returns candidates for those names that begin with what was typed, each once.
fn named(names: impl IntoIterator<Item = impl Into<String>>, typed: &str) -> Vec<CompletionCandidate> {
    let mut names: Vec<String> = names.into_iter().map(Into::into).filter(|name: &String| name.starts_with(typed)).collect();
    let mut seen = BTreeSet::new();
    names.retain(|name| seen.insert(name.clone()));
    names.into_iter().map(CompletionCandidate::new).collect()
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
    texts.iter().flat_map(|text| text.checked().rules.boards.iter().map(|board| board.name.clone())).collect()
}

fn kinds(text: &GameText) -> Vec<String> {
    text.checked().definitions().names(Space::Kind).map(str::to_string).collect()
}

fn questions(text: &GameText) -> Vec<String> {
    let checked = text.checked();
    let names = [Space::Value, Space::Moment].into_iter().flat_map(|space| checked.definitions().names(space));
    names.map(str::to_string).collect()
}

/// Completes the last of several names with commas between them.
fn in_list(typed: &str, complete: impl Fn(&str) -> Vec<CompletionCandidate>) -> Vec<CompletionCandidate> {
    let (before, last) = typed.rsplit_once(',').map_or(("", typed), |(before, last)| (&typed[..=before.len()], last));
    complete(last).into_iter().map(|found| found.add_prefix(before)).collect()
}
