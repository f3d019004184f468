//! From the content of a game to a ruleset: texts to a tree, overlays applied, checked once, lowered for a choice.

use super::checked::{Checked, check, lower, refuses};
use super::defs::OptionDef;
use super::problem::{Problem, SetUpProblem};
use super::reader::Reader;
use super::setup::Setup;
use super::syntax::ast::{self, DeclarationKind};
use super::syntax::overlay::{Overlay, apply_overlays, apply_own, rules_of, take_variants};
use super::syntax::{parse_file, parse_file_at};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity, nearest};
use crate::engine::ruleset::{PackOf, Ruleset};
use crate::pack::{FileParser, GameContent, Manifest, Uncached, hash_of_text, load_game_with};
use crate::source::{FileId, Sources, Span};
use crate::state::chance::{hash_text, join};
use crate::state::layout::head::MAX_SEATS;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The default number of players, if the game allows it.
const USUAL_PLAYERS: usize = 4;

/// The text of a game with all overlays applied.
#[derive(Clone, Debug)]
pub struct GameText {
    /// The syntax tree.
    pub tree: ast::Rules,
    /// Cards and kinds.
    pub content: GameContent,
    /// Variants that can be chosen: name and title.
    pub variants: Vec<(String, String)>,
    /// Hash of all text.
    pub hash: u64,
    checked: OnceLock<Arc<Checked>>,
}

impl GameText {
    /// A game of these rules and cards.
    pub(super) fn new(tree: ast::Rules, content: GameContent) -> GameText {
        GameText { tree, content, variants: Vec::new(), hash: 0, checked: OnceLock::new() }
    }

    /// Fewest and most players.
    pub fn players(&self) -> (usize, usize) {
        let range = self.tree.declarations.iter().find_map(|declaration| {
            let DeclarationKind::Players(count) = &declaration.kind else { return None };
            Some((number(&count.from), number(count.to.as_ref().unwrap_or(&count.from))))
        });
        // What cannot be is told when the rules are checked.
        let (fewest, most) = range.unwrap_or((1, 1));
        let fewest = fewest.clamp(1, MAX_SEATS);
        (fewest, most.clamp(fewest, MAX_SEATS))
    }

    /// How many play: as wished, or four, or as near to it as the game allows.
    ///
    /// # Errors
    /// That the game is not for so many.
    pub fn players_wished(&self, wished: Option<usize>) -> Result<usize, String> {
        let (fewest, most) = self.players();
        let players = wished.unwrap_or(USUAL_PLAYERS.clamp(fewest, most));
        self.refuses_players(players).map_or(Ok(players), |wrong| Err(wrong.message))
    }

    /// What is wrong with a number of players, if the game is for more or fewer.
    pub fn refuses_players(&self, players: usize) -> Option<Diagnostic> {
        let (fewest, most) = self.players();
        (!(fewest..=most).contains(&players)).then(|| SetUpProblem::PlayersBeyond { fewest, most, players }.at(None))
    }

    /// The title of the game, if its rules give one.
    pub fn title(&self) -> Option<&str> {
        self.tree.declarations.iter().find_map(|declaration| {
            let DeclarationKind::Game { title, .. } = &declaration.kind else { return None };
            title.as_ref().map(|title| title.text.as_str())
        })
    }

    /// The same game with other cards: what is known of it is worked out anew.
    pub fn with_content(&self, content: GameContent) -> GameText {
        GameText { content, checked: OnceLock::new(), ..self.clone() }
    }

    /// The options of set-up, by their names.
    pub fn options(&self) -> Vec<(&str, &OptionDef)> {
        self.checked().definitions().options().map(|(_, name, option)| (name, option)).collect()
    }

    /// The rules with types, and what is wrong with them: worked out once.
    pub fn checked(&self) -> &Arc<Checked> {
        self.checked.get_or_init(|| Arc::new(check(&self.tree, &self.content)))
    }
}

fn number(expr: &ast::Expr) -> usize {
    expr.literal().and_then(|number| usize::try_from(number).ok()).unwrap_or(1)
}

/// Further rules: the name of a variant, the path of a `.rules` file, or rules text.
#[derive(Clone, Debug, PartialEq)]
pub struct Further {
    /// As it was given.
    pub text: String,
    /// Where it stands, unless it was typed.
    pub at: Option<Span>,
}

/// Reads a game: its rules with chosen variants and further rules, its cards with those of packs.
///
/// Each text of `with` is the name of a variant, the path of a `.rules` file, or rules text.
pub fn load(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    packs: &[PathBuf],
    with: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GameText> {
    let with: Vec<Further> = with.iter().map(|text| Further { text: text.clone(), at: None }).collect();
    load_with(sources, root, game, packs, &with, diagnostics)
}

/// Reads a game as [`load`] does, with further rules that may stand in files of something else.
pub fn load_with(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    packs: &[PathBuf],
    with: &[Further],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GameText> {
    let mut found = Vec::new();
    let read = ReadGame::read(sources, root, game, packs, &mut found);
    diagnostics.extend(found);
    Some(read?.with(sources, with, diagnostics))
}

/// A game and packs that have been read, before anybody chooses variants and further rules.
#[derive(Clone, Debug)]
pub struct ReadGame {
    content: GameContent,
    /// The rules of the game, with what its chapters say of each other.
    base: ast::Rules,
    /// What packs say.
    packs: Vec<Overlay>,
    variants: Vec<Overlay>,
    hash: u64,
}

impl ReadGame {
    /// Reads a game and packs; `None` if there is no such game.
    pub fn read(
        sources: &mut Sources,
        root: Option<&Path>,
        game: &str,
        packs: &[PathBuf],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ReadGame> {
        ReadGame::read_by(&mut Uncached, sources, root, game, packs, diagnostics)
    }

    /// The names of the packs.
    pub fn packs(&self) -> impl Iterator<Item = &str> {
        self.content.packs.iter().map(|pack| pack.manifest.name.as_str())
    }

    /// Reads a game and packs as [`ReadGame::read`] does; texts become trees by `reading`.
    pub fn read_by(
        reading: &mut dyn FileParser,
        sources: &mut Sources,
        root: Option<&Path>,
        game: &str,
        packs: &[PathBuf],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ReadGame> {
        let content = load_game_with(sources, root, game, packs, (&mut *reading, None), diagnostics)?;
        let mut hash = content.hash;
        let mut parse = |sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>| {
            hash = join(hash, hash_of_text(sources.text(file)));
            reading.rules(sources, file, diagnostics)
        };
        let mut base = ast::Rules::default();
        let mut variants: Vec<Overlay> = Vec::new();
        let mut declared = Declared::default();
        let mut own: Vec<Overlay> = Vec::new();
        for &file in &content.rules {
            let mut parsed = parse(sources, file, diagnostics);
            declared.note(&parsed);
            variants.extend(take_variants(&mut parsed));
            // A chapter may add to what another declares.
            let (operations, lines) = parsed.lines.into_iter().partition(|line| matches!(line, ast::Line::Operation(_)));
            parsed.lines = lines;
            own.push(Overlay { name: game.to_string(), title: None, lines: operations, broken: Vec::new(), over: Vec::new() });
            let rules = rules_of(parsed);
            base.declarations.extend(rules.declarations);
            base.broken.extend(rules.broken);
        }
        let base = apply_own(base, own, &|name| content.cards.iter().any(|card| card.id.text == name), diagnostics);
        let mut overlays = Vec::new();
        for pack in &content.packs {
            for &file in &pack.rules {
                let mut parsed = parse(sources, file, diagnostics);
                declared.note(&parsed);
                // A variant may change what its own pack says, and whatever that may overrule.
                let Manifest { name, over, .. } = &pack.manifest;
                let inherits =
                    |variant: Overlay| Overlay { over: [&variant.over[..], over, std::slice::from_ref(name)].concat(), ..variant };
                variants.extend(take_variants(&mut parsed).into_iter().map(inherits));
                overlays.push(overlay(name.clone(), over.clone(), parsed));
            }
        }
        declared.check(&content, diagnostics);
        Some(ReadGame { content, base, packs: overlays, variants, hash })
    }

    /// The game with variants and further rules.
    pub fn with(&self, sources: &mut Sources, with: &[Further], diagnostics: &mut Vec<Diagnostic>) -> GameText {
        let ReadGame { content, base, packs, variants, mut hash } = self.clone();
        let mut overlays = packs;
        let of_packs: Vec<String> = content.packs.iter().map(|pack| pack.manifest.name.clone()).collect();
        for (i, Further { text, at }) in with.iter().enumerate() {
            if let Some(variant) = variants.iter().find(|variant| variant.name == *text) {
                overlays.push(variant.clone());
                continue;
            }
            let typed = format!("--with #{}", i + 1);
            if text.ends_with(".rules") {
                match sources.read_file(Path::new(text)) {
                    Ok(file) => {
                        let written = sources.text(file);
                        hash = join(hash, hash_of_text(written));
                        let mut parsed = parse_file(file, written, diagnostics);
                        overlays.extend(take_variants(&mut parsed));
                        overlays.push(overlay(text.clone(), of_packs.clone(), parsed));
                    }
                    Err(error) => {
                        let gone = error.kind() == std::io::ErrorKind::NotFound;
                        let why = if gone { "it is not there".to_string() } else { error.to_string() };
                        diagnostics.push(SetUpProblem::Unreadable { path: text.clone(), why }.at(*at));
                    }
                }
                continue;
            }
            let place = at.unwrap_or_else(|| Span { file: sources.add(&typed, text.clone()), start: 0, end: cast::fit::<u32>(text.len()) });
            if let Some(word) = one_word(text) {
                let near = nearest(word, variants.iter().map(|variant| variant.name.as_str())).map(String::from);
                diagnostics.push(SetUpProblem::NoVariant { name: word.to_string(), near }.at(place));
                continue;
            }
            let mut parsed = parse_file_at(place.file, text, place.start, diagnostics);
            // Variants in what was typed, or in a file that was named, are meant as a whole.
            overlays.extend(take_variants(&mut parsed));
            let name = if at.is_some() { format!("`with` #{}", i + 1) } else { typed };
            overlays.push(overlay(name, of_packs.clone(), parsed));
        }
        hash = with.iter().fold(hash, |hash, further| join(hash, hash_of_text(&further.text)));
        let title = |variant: &Overlay| variant.title.clone().unwrap_or_else(|| variant.name.replace('_', " "));
        let titles = variants.iter().map(|variant| (variant.name.clone(), title(variant))).collect();
        let is_card = |name: &str| content.cards.iter().any(|card| card.id.text == name);
        let tree = apply_overlays(base, in_order(overlays), &is_card, diagnostics);
        GameText { tree, content, variants: titles, hash, checked: OnceLock::new() }
    }
}

/// The names of variants, each with the names that its `over` gives.
#[derive(Default)]
struct Declared {
    variants: Vec<(ast::Name, Vec<ast::Name>)>,
}

impl Declared {
    fn note(&mut self, file: &ast::File) {
        for line in &file.lines {
            if let ast::Line::Variant(variant) = line {
                self.variants.push((variant.name.clone(), variant.over.clone()));
            }
        }
    }

    /// Each variant has a name of its own, and is over what there is.
    fn check(&self, content: &GameContent, diagnostics: &mut Vec<Diagnostic>) {
        for (at, (name, over)) in self.variants.iter().enumerate() {
            if let Some((first, _)) = self.variants[..at].iter().find(|(other, _)| other.text == name.text) {
                diagnostics.push(Problem::VariantTwice { name: name.text.clone(), first: first.span }.at(name.span));
            }
            let variants = self.variants.iter().map(|(other, _)| other.text.as_str()).filter(|other| *other != name.text);
            let packs = content.packs.iter().map(|pack| &pack.manifest);
            // What a pack names in its `pack.toml` may be elsewhere.
            let packs = packs.flat_map(|one| one.over.iter().chain(&one.excludes).chain([&one.name])).map(String::as_str);
            let known: Vec<&str> = variants.chain(packs).chain([content.game.as_str()]).collect();
            // Or an address of the game.
            let of_game = |name: &str| name.strip_prefix(&content.game).is_some_and(|rest| rest.starts_with('.'));
            for other in over.iter().filter(|other| !known.contains(&other.text.as_str()) && !of_game(&other.text)) {
                // A pack beside it is left out today.
                if content.packs.iter().any(|pack| pack.folder.with_file_name(&other.text).join("pack.toml").is_file()) {
                    continue;
                }
                let (name, near) = (other.text.clone(), nearest(&other.text, known.iter().copied()).map(String::from));
                // In a file of a pack it may be a pack that is elsewhere.
                let wrong = match near.is_none() && !content.rules.contains(&other.span.file) {
                    true => Problem::OverNothingHere { name },
                    false => Problem::OverNothing { name, near },
                };
                diagnostics.push(wrong.at(other.span));
            }
        }
    }
}

/// Who may overrule another comes behind it, whichever was named first; of two that may overrule each other, the later one does.
fn in_order(overlays: Vec<Overlay>) -> Vec<Overlay> {
    let mut ordered: Vec<Overlay> = Vec::new();
    for overlay in overlays {
        let over = |a: &Overlay, b: &Overlay| a.over.contains(&b.name);
        let behind = ordered.iter().position(|other| over(other, &overlay) && !over(&overlay, other));
        ordered.insert(behind.unwrap_or(ordered.len()), overlay);
    }
    ordered
}

fn one_word(text: &str) -> Option<&str> {
    let word = text.trim();
    (!word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')).then_some(word)
}

fn overlay(name: String, over: Vec<String>, file: ast::File) -> Overlay {
    Overlay { name, title: None, lines: file.lines, broken: file.broken, over }
}

/// Compiles a ruleset for a choice of players and options; `None` when there is an error among the diagnostics.
pub fn compile(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    let mut rules = compile_to_look_at(text, setup, diagnostics)?;
    rules.prepare();
    Some(rules)
}

/// The like of [`compile`] with the same diagnostics, for who wants to know what is wrong and what there is: nothing is prepared for playing.
pub fn compile_to_look_at(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    let checked = text.checked();
    tell_checked(text, diagnostics);
    let players = players(text, setup, diagnostics)?;
    let mut rules = lower(checked, setup, players, diagnostics).rules;
    if diagnostics.iter().any(|wrong| wrong.severity == Severity::Error) {
        return None;
    }
    finish(text, setup, &mut rules);
    Some(rules)
}

/// Adds what is wrong with a text whatever players and options are chosen.
pub fn tell_checked(text: &GameText, diagnostics: &mut Vec<Diagnostic>) {
    // Of a place that could not be read all has been said.
    let faults = diagnostics.iter().filter(|wrong| wrong.severity == Severity::Error);
    let unread: Vec<_> = faults.filter_map(|wrong| wrong.span).map(|span| (span.file, span.start)).collect();
    let told = |wrong: &&Diagnostic| wrong.span.is_some_and(|span| unread.contains(&(span.file, span.start)));
    diagnostics.extend(text.checked().diagnostics.iter().filter(|wrong| !told(wrong)).cloned());
}

/// What can be compiled in spite of faults in cards, so that their scripts can be looked at in the same run; nothing is prepared for
/// playing. `None` when the rules themselves are at fault.
pub fn compile_in_part(text: &GameText, setup: &Setup) -> Option<Ruleset> {
    let mut diagnostics = Vec::new();
    let players = players(text, setup, &mut diagnostics)?;
    let checked = text.checked();
    let mut rules = lower(checked, setup, players, &mut diagnostics).rules;
    let in_cards = |span: Span| text.content.cards.iter().any(|card| card.span.file == span.file);
    let mut all = checked.diagnostics.iter().chain(&diagnostics);
    if !all.all(|wrong| wrong.severity == Severity::Warning || wrong.span.is_some_and(in_cards)) {
        return None;
    }
    finish(text, setup, &mut rules);
    Some(rules)
}

/// A reader of scenarios' lines about a game; `None` when there is an error among the diagnostics.
pub fn open(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Reader> {
    let players = players(text, setup, diagnostics)?;
    let mut reader = Reader::open(text.checked(), setup, players, diagnostics)?;
    let rules = reader.rules_mut();
    finish(text, setup, rules);
    rules.prepare();
    Some(reader)
}

fn players(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let (fewest, most) = text.players();
    let players = if setup.players == 0 { most_allowed(text, setup, fewest, most) } else { setup.players };
    let Some(wrong) = text.refuses_players(players) else { return Some(players) };
    // Where something else is wrong, it may be what the rules say of their players.
    if !diagnostics.iter().any(|wrong| wrong.severity == Severity::Error) {
        diagnostics.push(wrong);
    }
    None
}

/// The most players whom the rules allow with these options.
fn most_allowed(text: &GameText, setup: &Setup, fewest: usize, most: usize) -> usize {
    (fewest..=most).rev().find(|&players| !refuses(text.checked(), setup, players)).unwrap_or(most)
}

/// A choice of options for so many players: what holds where nothing is chosen, or where the rules refuse that, all values of options
/// that may have several.
pub fn allowed(text: &GameText, players: usize) -> Setup {
    let plain = Setup { players, ..Setup::default() };
    if !refuses(text.checked(), &plain, players) {
        return plain;
    }
    let options = text.checked().definitions().options();
    let all = options.filter(|(_, _, option)| option.several).map(|(_, name, option)| (name.to_string(), option.values.clone()));
    Setup { options: all.collect(), ..plain }
}

/// What a ruleset says of itself once it is complete.
fn finish(text: &GameText, setup: &Setup, rules: &mut Ruleset) {
    rules.game.clone_from(&text.content.game);
    rules.hash = join(text.hash, hash_text(&format!("{} {:?} {:?}", rules.players, setup.options, setup.seat_options)));
    let packs = text.content.packs.iter();
    let packs = packs.map(|pack| PackOf { name: pack.manifest.name.clone(), version: pack.manifest.version.clone(), hash: pack.hash });
    rules.packs = packs.collect();
    rules.unread = text.checked().definitions().suspects().map(str::to_string).collect();
}
