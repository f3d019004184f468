//! From the content of a game to a ruleset: parse, apply overlays, check once, lower for a choice of players and options.

use super::checked::{Checked, check, lower_cards, refuses};
use super::defs::OptionDef;
use super::problem::{RuleProblem, SetUpProblem};
use super::reader::LineReader;
use super::setup::Setup;
use super::syntax::ast::{self, DeclarationKind};
use super::syntax::overlay::{Overlay, apply_game_files, apply_overlays, rules_of, take_variants};
use super::syntax::{parse_file, parse_file_at};
use crate::cast;
use crate::diagnostic::{Diagnostic, Severity, has_errors, nearest};
use crate::disk::OnDisk;
use crate::engine::ruleset::{LoadedPack, Ruleset};
use crate::pack::{FileParser, GameContent, Manifest, RawCard, SideBySide, hash_of_text, load_game_with};
use crate::source::{FileId, Sources, Span};
use crate::state::chance::{hash_text, join};
use crate::state::layout::head::MAX_SEATS;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The default number of players, clamped to the range that the game supports.
const DEFAULT_PLAYERS: usize = 4;

/// A game with all overlays applied, ready to be checked and compiled.
#[derive(Clone, Debug)]
pub struct GameText {
    /// The syntax tree of the rules, with all overlays applied.
    pub tree: ast::Rules,
    /// The cards of the game, and their kinds.
    pub content: GameContent,
    /// The variants that can be chosen: name and title.
    pub variants: Vec<(String, String)>,
    /// A hash of all rules and cards, which tells versions of a game apart.
    pub hash: u64,
    checked: OnceLock<Arc<Checked>>,
}

impl GameText {
    /// Creates a game of these rules and cards, without variants.
    pub(super) fn new(tree: ast::Rules, content: GameContent) -> GameText {
        GameText { tree, content, variants: Vec::new(), hash: 0, checked: OnceLock::new() }
    }

    /// Returns the smallest and largest number of players.
    pub fn players(&self) -> (usize, usize) {
        let range = self.tree.declarations.iter().find_map(|declaration| {
            let DeclarationKind::Players(count) = &declaration.kind else { return None };
            Some((number(&count.from), number(count.to.as_ref().unwrap_or(&count.from))))
        });
        // An invalid range is reported when the rules are checked.
        let (fewest, most) = range.unwrap_or((1, 1));
        let fewest = fewest.clamp(1, MAX_SEATS);
        (fewest, most.clamp(fewest, MAX_SEATS))
    }

    /// Returns the number of players to use: `wished`, or the default of four clamped to the range of the game.
    ///
    /// # Errors
    /// A message if the game does not support the wished number.
    pub fn resolve_player_count(&self, wished: Option<usize>) -> Result<usize, String> {
        let (fewest, most) = self.players();
        let players = wished.unwrap_or(DEFAULT_PLAYERS.clamp(fewest, most));
        self.player_count_problem(players).map_or(Ok(players), |diagnostic| Err(diagnostic.message))
    }

    /// Returns the diagnostic for a number of players that the game does not support.
    pub fn player_count_problem(&self, players: usize) -> Option<Diagnostic> {
        let (fewest, most) = self.players();
        (!(fewest..=most).contains(&players)).then(|| SetUpProblem::PlayersBeyond { fewest, most, players }.at(None))
    }

    /// Returns the title of the game, if its rules give one.
    pub fn title(&self) -> Option<&str> {
        self.tree.declarations.iter().find_map(|declaration| {
            let DeclarationKind::Game { title, .. } = &declaration.kind else { return None };
            title.as_ref().map(|title| title.text.as_str())
        })
    }

    /// Returns the same rules with other cards; cached results are dropped.
    pub fn with_content(&self, content: GameContent) -> GameText {
        GameText { content, checked: OnceLock::new(), ..self.clone() }
    }

    /// Returns all options of set-up with their names.
    pub fn options(&self) -> Vec<(&str, &OptionDef)> {
        self.checked().definitions().options().map(|(_, name, option)| (name, option)).collect()
    }

    /// Returns the checked rules with their diagnostics. The result is cached.
    pub fn checked(&self) -> &Arc<Checked> {
        self.checked.get_or_init(|| Arc::new(check(&self.tree, &self.content)))
    }
}

fn number(expr: &ast::Expr) -> usize {
    expr.literal().and_then(|number| usize::try_from(number).ok()).unwrap_or(1)
}

/// Rules to apply on top of a game: the name of a variant, the path of a `.rules` file, or rules text.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtraRules {
    /// The text as it was given: a name, a path or rules.
    pub text: String,
    /// Where the text is written, if it stands in a file; `None` for the command line.
    pub at: Option<Span>,
}

/// Loads a game with its packs, and applies the chosen variants and extra rules.
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
    let with: Vec<ExtraRules> = with.iter().map(|text| ExtraRules { text: text.clone(), at: None }).collect();
    Some(ParsedGame::read(sources, root, game, packs, diagnostics)?.with(sources, &with, diagnostics))
}

/// A game and its packs, parsed, before variants and extra rules are applied.
#[derive(Clone, Debug)]
pub struct ParsedGame {
    content: GameContent,
    /// The rules of the game, with the changes that its own files make to each other.
    base: ast::Rules,
    /// The changes that packs make.
    packs: Vec<Overlay>,
    variants: Vec<Overlay>,
    hash: u64,
}

impl ParsedGame {
    /// Reads and parses a game and its packs; `None` if there is no such game.
    pub fn read(
        sources: &mut Sources,
        root: Option<&Path>,
        game: &str,
        packs: &[PathBuf],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ParsedGame> {
        ParsedGame::read_with_parser(&mut SideBySide::default(), sources, root, game, packs, diagnostics)
    }

    /// Returns the names of the packs.
    pub fn packs(&self) -> impl Iterator<Item = &str> {
        self.content.packs.iter().map(|pack| pack.manifest.name.as_str())
    }

    /// Does the same as [`ParsedGame::read`], with a custom parser for rule files, such as one that caches.
    pub fn read_with_parser(
        reading: &mut dyn FileParser,
        sources: &mut Sources,
        root: Option<&Path>,
        game: &str,
        packs: &[PathBuf],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<ParsedGame> {
        let content = load_game_with(sources, root, game, packs, (&mut *reading, None), diagnostics)?;
        let mut hash = content.hash;
        // The names of variants, each with the names in its `over`.
        let mut declared: Vec<(ast::Name, Vec<ast::Name>)> = Vec::new();
        let mut parse = |sources: &Sources, file: FileId, diagnostics: &mut Vec<Diagnostic>| {
            hash = join(hash, hash_of_text(sources.text(file)));
            let mut parsed = reading.parse_rules(sources, file, diagnostics);
            let named =
                |line: &ast::Line| if let ast::Line::Variant(one) = line { Some((one.name.clone(), one.over.clone())) } else { None };
            declared.extend(parsed.lines.iter().filter_map(named));
            (take_variants(&mut parsed), parsed)
        };
        let mut base = ast::Rules::default();
        let mut variants: Vec<Overlay> = Vec::new();
        let mut own: Vec<Overlay> = Vec::new();
        for &file in &content.rules {
            let (of_file, mut parsed) = parse(sources, file, diagnostics);
            variants.extend(of_file);
            // A chapter may extend declarations of another one.
            let (operations, lines) = parsed.lines.into_iter().partition(|line| matches!(line, ast::Line::Operation(_)));
            parsed.lines = lines;
            own.push(Overlay { name: game.to_string(), title: None, lines: operations, broken: Vec::new(), over: Vec::new() });
            let rules = rules_of(parsed);
            base.declarations.extend(rules.declarations);
            base.broken.extend(rules.broken);
        }
        let base = apply_game_files(base, own, &|name| content.cards.iter().any(|card| card.id.text == name), diagnostics);
        let mut overlays = Vec::new();
        for pack in &content.packs {
            for &file in &pack.rules {
                let (of_file, parsed) = parse(sources, file, diagnostics);
                // A variant may overrule its own pack, and whatever the pack may overrule.
                let Manifest { name, over, .. } = &pack.manifest;
                let inherits =
                    |variant: Overlay| Overlay { over: [&variant.over[..], over, std::slice::from_ref(name)].concat(), ..variant };
                variants.extend(of_file.into_iter().map(inherits));
                overlays.push(overlay(name.clone(), over.clone(), parsed));
            }
        }
        check_variants(&declared, &content, diagnostics);
        Some(ParsedGame { content, base, packs: overlays, variants, hash })
    }

    /// Applies the chosen variants and extra rules to a copy of the game.
    pub fn with(&self, sources: &mut Sources, with: &[ExtraRules], diagnostics: &mut Vec<Diagnostic>) -> GameText {
        let ParsedGame { content, base, packs, variants, mut hash } = self.clone();
        let mut overlays = packs;
        let of_packs: Vec<String> = self.packs().map(String::from).collect();
        for (i, ExtraRules { text, at }) in with.iter().enumerate() {
            if let Some(variant) = variants.iter().find(|variant| variant.name == *text) {
                overlays.push(variant.clone());
                continue;
            }
            let (name, mut parsed) = if text.ends_with(".rules") {
                match sources.read_file(Path::new(text)) {
                    Ok(file) => {
                        let written = sources.text(file);
                        hash = join(hash, hash_of_text(written));
                        (text.clone(), parse_file(file, written, diagnostics))
                    }
                    Err(error) => {
                        let gone = error.kind() == std::io::ErrorKind::NotFound;
                        let why = if gone { "it is not there".to_string() } else { error.to_string() };
                        diagnostics.push(SetUpProblem::Unreadable { path: text.clone(), why }.at(*at));
                        continue;
                    }
                }
            } else {
                let name = format!("{} #{}", if at.is_some() { "`with`" } else { "--with" }, i + 1);
                let place =
                    at.unwrap_or_else(|| Span { file: sources.add(&name, text.clone()), start: 0, end: cast::fit::<u32>(text.len()) });
                if let Some(word) = one_word(text) {
                    let near = nearest(word, variants.iter().map(|variant| variant.name.as_str())).map(String::from);
                    diagnostics.push(SetUpProblem::NoVariant { name: word.to_string(), near }.at(place));
                    continue;
                }
                (name, parse_file_at(place.file, text, place.start, diagnostics))
            };
            // Variants in typed rules, or in a file that is named, are all applied.
            overlays.extend(take_variants(&mut parsed));
            overlays.push(overlay(name, of_packs.clone(), parsed));
        }
        hash = with.iter().fold(hash, |hash, further| join(hash, hash_of_text(&further.text)));
        let title = |variant: &Overlay| variant.title.clone().unwrap_or_else(|| variant.name.replace('_', " "));
        let titles = variants.iter().map(|variant| (variant.name.clone(), title(variant))).collect();
        let is_card = |name: &str| content.cards.iter().any(|card| card.id.text == name);
        let tree = apply_overlays(base, in_override_order(overlays), &is_card, diagnostics);
        GameText { tree, content, variants: titles, hash, checked: OnceLock::new() }
    }
}

/// Checks that names of variants are unique, and that `over` names something that exists.
fn check_variants(declared: &[(ast::Name, Vec<ast::Name>)], content: &GameContent, diagnostics: &mut Vec<Diagnostic>) {
    for (at, (name, over)) in declared.iter().enumerate() {
        if let Some((first, _)) = declared[..at].iter().find(|(other, _)| other.text == name.text) {
            diagnostics.push(RuleProblem::VariantTwice { name: name.text.clone(), first: first.span }.at(name.span));
        }
        let variants = declared.iter().map(|(other, _)| other.text.as_str()).filter(|other| *other != name.text);
        let packs = content.packs.iter().map(|pack| &pack.manifest);
        // Names that the pack also lists in its `pack.toml` may belong to packs that are not loaded.
        let packs = packs.flat_map(|one| one.over.iter().chain(&one.excludes).chain([&one.name])).map(String::as_str);
        let known: Vec<&str> = variants.chain(packs).chain([content.game.as_str()]).collect();
        // It may also name an address of the game.
        let of_game = |name: &str| name.strip_prefix(&content.game).is_some_and(|rest| rest.starts_with('.'));
        for other in over.iter().filter(|other| !known.contains(&other.text.as_str()) && !of_game(&other.text)) {
            // It may name another pack that is not loaded.
            if content.packs.iter().any(|pack| pack.folder.with_file_name(&other.text).join("pack.toml").is_plain_file()) {
                continue;
            }
            let (name, near) = (other.text.clone(), nearest(&other.text, known.iter().copied()).map(String::from));
            // In a pack it may name a pack that exists elsewhere.
            let diagnostic = match near.is_none() && !content.rules.contains(&other.span.file) {
                true => RuleProblem::OverNothingHere { name },
                false => RuleProblem::OverNothing { name, near },
            };
            diagnostics.push(diagnostic.at(other.span));
        }
    }
}

/// Sorts overlays so that each comes after those that it may overrule; otherwise the given order is kept.
fn in_override_order(overlays: Vec<Overlay>) -> Vec<Overlay> {
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

/// Compiles a ruleset for a choice of players and options; `None` if there are errors among the diagnostics.
pub fn compile(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    let mut rules = compile_without_codegen(text, setup, diagnostics)?;
    rules.prepare();
    Some(rules)
}

/// Does the same as [`compile`], with the same diagnostics but without preparing the ruleset for play: enough for editors and checks.
pub fn compile_without_codegen(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    compiled(text, setup, (text.checked().cards(), None), diagnostics)
}

/// Compiles a game with these figures of its cards; the one with the index beside them, if there is one, says nothing.
fn compiled(text: &GameText, setup: &Setup, cards: (&[RawCard], Option<usize>), told: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    report_checked(text, told);
    let mut rules = lower_cards(text.checked(), cards, setup, players(text, setup, told)?, told).rules;
    if has_errors(told) {
        return None;
    }
    finish(text, setup, &mut rules);
    Some(rules)
}

/// Compiles a game with one card in place of that with its id; this card has neither entries nor a condition under which it leaves the game,
/// nor other figures than it needs. Games go as by the rules that [`compile`] makes of the same game with this card, and `None` and
/// `diagnostics` are as there.
///
/// The rules are not checked anew, and everything else is laid out, and has the code, as if the card had its effects, so that much of the
/// work is done once for all cards.
pub fn compile_without_effects(text: &GameText, setup: &Setup, card: &RawCard, diagnostics: &mut Vec<Diagnostic>) -> Option<Ruleset> {
    let checked = text.checked();
    let number = checked.cards().iter().position(|one| one.id.text == card.id.text);
    let kind = checked.definitions().kind(&card.kind.text);
    let is_silent = |kind: &u16| checked.entries().of_kinds.get(kind).is_none_or(Vec::is_empty);
    let Some(number) = number.filter(|_| kind.as_ref().is_some_and(is_silent)) else {
        // What the kind says, the card says still.
        let mut content = text.content.clone();
        content.cards.iter_mut().filter(|one| one.id.text == card.id.text).for_each(|one| one.clone_from(card));
        return compile(&text.with_content(content), setup, diagnostics);
    };
    let mut cards = checked.cards().to_vec();
    cards[number].clone_from(card);
    let mut rules = compiled(text, setup, (&cards, Some(number)), diagnostics)?;
    rules.prepare();
    Some(rules)
}

/// Adds the diagnostics that do not depend on the choice of players and options.
pub fn report_checked(text: &GameText, diagnostics: &mut Vec<Diagnostic>) {
    // A place that failed to parse has one diagnostic already.
    let faults = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let unread: Vec<_> = faults.filter_map(|diagnostic| diagnostic.span).map(|span| (span.file, span.start)).collect();
    let told = |diagnostic: &&Diagnostic| diagnostic.span.is_some_and(|span| unread.contains(&(span.file, span.start)));
    diagnostics.extend(text.checked().diagnostics.iter().filter(|diagnostic| !told(diagnostic)).cloned());
}

/// Compiles in spite of errors in cards, so that their scripts can be checked in the same run. The ruleset cannot be played. `None` if the
/// rules themselves have errors.
pub fn compile_despite_card_errors(text: &GameText, setup: &Setup) -> Option<Ruleset> {
    let mut diagnostics = Vec::new();
    let players = players(text, setup, &mut diagnostics)?;
    let checked = text.checked();
    let mut rules = lower_cards(checked, (checked.cards(), None), setup, players, &mut diagnostics).rules;
    let in_cards = |span: Span| text.content.cards.iter().any(|card| card.span.file == span.file);
    let mut all = checked.diagnostics.iter().chain(&diagnostics);
    if !all.all(|diagnostic| diagnostic.severity == Severity::Warning || diagnostic.span.is_some_and(in_cards)) {
        return None;
    }
    finish(text, setup, &mut rules);
    Some(rules)
}

/// Opens a reader for scenario lines about a game; `None` if there are errors among the diagnostics.
pub fn open_reader(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<LineReader> {
    let players = players(text, setup, diagnostics)?;
    let mut reader = LineReader::open(text.checked(), setup, players, diagnostics)?;
    let rules = reader.rules_mut();
    finish(text, setup, rules);
    rules.prepare();
    Some(reader)
}

/// Returns the number of players: by default the largest that the rules allow with these options.
fn players(text: &GameText, setup: &Setup, diagnostics: &mut Vec<Diagnostic>) -> Option<usize> {
    let (fewest, most) = text.players();
    let largest = || (fewest..=most).rev().find(|&players| !refuses(text.checked(), setup, players)).unwrap_or(most);
    let players = if setup.players == 0 { largest() } else { setup.players };
    let Some(diagnostic) = text.player_count_problem(players) else { return Some(players) };
    // If something else is wrong, it may be the declaration of players.
    if !has_errors(diagnostics) {
        diagnostics.push(diagnostic);
    }
    None
}

/// Returns a set-up that the rules accept for a number of players: the defaults, or if those are refused, all values of the options that
/// may have several.
pub fn allowed_setup(text: &GameText, players: usize) -> Setup {
    let plain = Setup { players, ..Setup::default() };
    if !refuses(text.checked(), &plain, players) {
        return plain;
    }
    let options = text.checked().definitions().options();
    let all = options.filter(|(_, _, option)| option.several).map(|(_, name, option)| (name.to_string(), option.values.clone()));
    Setup { options: all.collect(), ..plain }
}

/// Fills in where a ruleset comes from: its game and packs, a hash of text and choice, and the names that failed to parse.
fn finish(text: &GameText, setup: &Setup, rules: &mut Ruleset) {
    rules.game.clone_from(&text.content.game);
    rules.hash = join(text.hash, hash_text(&format!("{} {:?} {:?}", rules.players, setup.options, setup.seat_options)));
    let packed = text.content.packs.iter().map(|pack| (&pack.manifest, pack.hash));
    rules.packs = packed.map(|(one, hash)| LoadedPack { name: one.name.clone(), version: one.version.clone(), hash }).collect();
    rules.unparsed_names = text.checked().definitions().suspects().map(str::to_string).collect();
}
