//! Loads the content of a game: embedded files, files on disk that replace them, and packs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::diagnostic::{Diagnostic, nearest};
use crate::disk::OnDisk;
use crate::source::{FileId, Sources, Span};
use crate::state::chance::{self, hash_text};

use super::cards::{CardFile, RawCard, RawKind};
use super::files::{FileOrigin, list_files, list_optional_dir, open_file, read, relative_path, unreadable_path_error, warn_of_lost_names};
use super::like::resolve_likes;
use super::manifest::{Manifest, parse_manifest};
use super::names::{TranslationFile, is_translation_file, language_of, translation_file};
use super::order::order_packs;
use super::overlay::{CardOverlay, Matches, apply_card_overlays, join_kinds};
use super::parser::{Announced, FileParser, Uncached, lists_equal_changes};
use super::patch::CardTarget;
use super::problem::PackProblem;
use super::read::Text;
use super::selection::Selection;

/// A pack that has been loaded.
#[derive(Clone, Debug)]
pub struct Pack {
    /// The pack's parsed `pack.toml`.
    pub manifest: Manifest,
    /// The pack's rules files, which are overlays, ordered by path.
    pub rules: Vec<FileId>,
    /// The content of the pack's card files, before overlays are applied.
    pub cards: CardFile,
    /// The pack's scenario files.
    pub tests: Vec<FileId>,
    /// The pack's translations of names.
    pub names: Vec<TranslationFile>,
    /// Path of the pack's folder.
    pub folder: PathBuf,
    /// Hash of the pack's `pack.toml`, rules and cards. It does not depend on where the folder is.
    pub hash: u64,
}

/// Everything that a game consists of: rules as text and cards as parsed TOML.
#[derive(Clone, Debug)]
pub struct GameContent {
    /// Name of the game.
    pub game: String,
    /// The game's rules files, ordered by path.
    pub rules: Vec<FileId>,
    /// The loaded packs, in load order.
    pub packs: Vec<Pack>,
    /// All cards of game and packs, with overlays applied.
    pub cards: Vec<RawCard>,
    /// The kinds with entries or tests, merged over game and packs.
    pub kinds: Vec<RawKind>,
    /// The game's own scenario files, including files that do not say which game they belong to.
    pub scenarios: Vec<FileId>,
    /// Translations of names: the game's own first, then those of packs.
    pub names: Vec<TranslationFile>,
    /// Whether cards are missing because they could not be parsed. Diagnostics have been reported for them.
    pub cards_missing: bool,
    /// Hash of the game's name and the texts of its cards and packs. Does not depend on where the files are.
    pub hash: u64,
}

/// Returns the names of all available games: embedded ones and those in `root`.
pub fn list_games(root: Option<&Path>) -> Vec<String> {
    let mut names: Vec<String> =
        list_files(&Sources::new(), root, "rules", "rules").into_keys().filter_map(|path| game_of(&path)).collect();
    names.sort();
    names.dedup();
    names
}

/// Returns the names of the games whose rules are in a folder.
pub fn games_below(root: &Path) -> Vec<String> {
    let on_disk =
        list_files(&Sources::new(), Some(root), "rules", "rules").into_iter().filter(|(_, from)| matches!(from, FileOrigin::Disk(..)));
    on_disk.filter_map(|(path, _)| game_of(&path)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the languages for which a game, or one of the given packs, has names.
pub fn list_languages(root: Option<&Path>, game: &str, packs: &[PathBuf]) -> BTreeSet<String> {
    let folder = format!("cards/{game}/");
    let own = list_files(&Sources::new(), root, folder.trim_end_matches('/'), "toml").into_keys();
    let own = own.filter_map(|path| Some(language_of(path.strip_prefix(&folder)?)?.to_owned()));
    let of_pack = |dir: &PathBuf| {
        let cards = dir.join("cards");
        let found = Sources::read_dir(&cards, "toml").unwrap_or_default();
        found.iter().filter_map(|path| Some(language_of(&relative_path(path, &cards))?.to_owned())).collect::<Vec<_>>()
    };
    own.chain(packs.iter().flat_map(of_pack)).collect()
}

/// Returns the name of the game that a rules file belongs to: `wisp` for `rules/wisp.rules` and `rules/wisp/1_wall.rules`.
fn game_of(path: &str) -> Option<String> {
    let inside = path.strip_prefix("rules/")?;
    let name = inside.split_once('/').map(|(folder, _)| folder).or(inside.strip_suffix(".rules"))?;
    Some(name.to_owned())
}

/// Loads a game with packs. `root` is a folder with `rules` or `cards` whose files replace the embedded ones or add to them.
pub fn load_game(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    pack_dirs: &[PathBuf],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GameContent> {
    load_game_with(sources, root, game, pack_dirs, (&mut Uncached, None), diagnostics)
}

/// Like [`load_game`], with a custom parser, and with `matches` to evaluate the `where` of patches. Without `matches`, `where` is compared
/// with the text of the cards ([`Selection`]).
pub fn load_game_with(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    pack_dirs: &[PathBuf],
    (reading, matches): (&mut dyn FileParser, Option<&mut Matches<'_>>),
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<GameContent> {
    let chapters = list_files(sources, root, "rules", "rules").into_iter().filter(|(path, _)| game_of(path).as_deref() == Some(game));
    let chapters: Vec<_> = chapters.collect();
    if chapters.is_empty() {
        let known = list_games(root);
        let near = nearest(game, known.iter().map(String::as_str)).map(String::from);
        diagnostics.push(PackProblem::NoGame { game: game.to_string(), near, games: known.join(", ") }.at(None));
        return None;
    }
    let rules: Vec<FileId> = chapters.iter().filter_map(|(path, from)| open_file(sources, path, from, diagnostics)).collect();
    let folder = format!("cards/{game}");
    let (mut own, mut names) = (CardFile::default(), Vec::new());
    let mut hash = hash_text(game);
    let of_cards = list_files(sources, root, &folder, "toml");
    warn_of_lost_names(sources, &chapters, &of_cards, diagnostics);
    let mut opened = Vec::new();
    for (path, from) in &of_cards {
        let Some(file) = open_file(sources, path, from, diagnostics) else { continue };
        opened.push((path.strip_prefix(&folder).unwrap_or(path).trim_start_matches('/'), file));
    }
    let cards = opened.iter().filter(|(inside, _)| !is_translation_file(inside)).map(|&(_, file)| Announced::Cards(file, game));
    let announced: Vec<Announced<'_>> = rules.iter().map(|&file| Announced::Rules(file)).chain(cards).collect();
    reading.announce(sources, &announced);
    for (inside, file) in opened {
        if is_translation_file(inside) {
            names.extend(translation_file(inside, game, file, diagnostics));
        } else {
            hash = chance::join(hash, hash_of_text(sources.text(file)));
            own.extend(reading.parse_cards(sources, file, game, diagnostics));
        }
    }
    let mut packs = Vec::new();
    let mut folders = BTreeSet::new();
    for dir in pack_dirs {
        // A pack can be named twice, by a scenario and on the command line. It is loaded once.
        if folders.insert(Sources::real_path(dir)) {
            packs.extend(load_pack(sources, dir, reading, diagnostics));
        }
    }
    let packs = order_packs(game, packs, diagnostics);
    names.extend(packs.iter().flat_map(|pack| pack.names.iter().cloned()));
    let scenarios = scenarios_of(sources, root, game, reading, diagnostics);
    let (cards, kinds, cards_missing) = merge_cards(game, own, &packs, matches, diagnostics);
    let hash = packs.iter().fold(hash, |hash, pack| chance::join(hash, pack.hash));
    Some(GameContent { game: game.to_owned(), rules, packs, cards, kinds, scenarios, names, cards_missing, hash })
}

/// Returns the hash of a text. Line endings are normalized, so that it is the same on all platforms.
pub fn hash_of_text(text: &str) -> u64 {
    match text.contains("\r\n") {
        true => hash_text(&text.replace("\r\n", "\n")),
        false => hash_text(text),
    }
}

/// Whether a folder is a pack, that is whether it contains something called `pack.toml`, even if that cannot be read.
pub fn has_manifest(dir: &Path) -> bool {
    let manifest = dir.join("pack.toml");
    manifest.is_taken()
}

/// Finds a file in a folder whose name differs from `pack.toml` only in upper and lower case.
pub fn misnamed_manifest(dir: &Path) -> Option<PathBuf> {
    let is_like = |path: &PathBuf| path.file_name().is_some_and(|name| name.eq_ignore_ascii_case("pack.toml") && name != "pack.toml");
    Sources::files(dir).into_iter().find(is_like)
}

fn load_pack(sources: &mut Sources, dir: &Path, reading: &mut dyn FileParser, diagnostics: &mut Vec<Diagnostic>) -> Option<Pack> {
    let file = match sources.read_file(&dir.join("pack.toml")) {
        Ok(file) => file,
        Err(fault) => {
            let message = unreadable_path_error(&dir.join("pack.toml"), &fault);
            let below = Path::new("packs").join(dir);
            if let Some(found) = misnamed_manifest(dir) {
                diagnostics.push(message.help(format!("`{}` is there: call it `pack.toml`, in small letters", found.display())));
                return None;
            }
            diagnostics.push(match below.join("pack.toml").is_plain_file() {
                true => message.help(format!("a pack is named by its folder: `{}`", below.display())),
                false => message.help("a pack is a folder with `pack.toml`, `rules/`, `cards/` and `tests/`"),
            });
            return None;
        }
    };
    let manifest = parse_manifest(file, sources.text(file), diagnostics)?;
    let mut open_all = |folder: &str, extension: &str, diagnostics: &mut Vec<Diagnostic>| -> Vec<(String, FileId)> {
        let folder = dir.join(folder);
        let paths = list_optional_dir(sources, &folder, extension, diagnostics);
        paths.iter().filter_map(|path| Some((relative_path(path, &folder), read(sources, path, diagnostics)?))).collect()
    };
    let files = |found: &[(String, FileId)]| found.iter().map(|(_, file)| *file).collect();
    let of_rules = open_all("rules", "rules", diagnostics);
    let mut of_tests = open_all("tests", "toml", diagnostics);
    let of_cards = open_all("cards", "toml", diagnostics);
    of_tests.retain(|(_, file)| !lists_equal_changes(sources.text(*file)));
    let tests = files(&of_tests);
    let mut hash = hash_of_text(sources.text(file));
    for (inside, file) in of_rules.iter().chain(&of_cards) {
        hash = chance::join(chance::join(hash, hash_text(inside)), hash_of_text(sources.text(*file)));
    }
    let rules = files(&of_rules);
    let (mut cards, mut names) = (CardFile::default(), Vec::new());
    for (inside, file) in of_cards {
        if is_translation_file(&inside) {
            names.extend(translation_file(&inside, &manifest.name, file, diagnostics));
        } else {
            cards.extend(reading.parse_cards(sources, file, &manifest.name, diagnostics));
        }
    }
    Some(Pack { manifest, rules, cards, tests, names, folder: dir.to_owned(), hash })
}

/// Returns the scenario files of a game: those directly in `tests/` of `root`, and all in `tests/scenarios/` and its subfolders.
fn scenarios_of(
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    reading: &mut dyn FileParser,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<FileId> {
    let Some(root) = root else { return Vec::new() };
    let mut found = Vec::new();
    let (tests, scenarios) = (root.join("tests"), root.join("tests/scenarios"));
    for path in list_optional_dir(sources, &tests, "toml", diagnostics) {
        let right_here = path.parent() == Some(&tests);
        if !right_here && !path.starts_with(&scenarios) {
            continue;
        }
        let Some(file) = read(sources, &path, diagnostics) else { continue };
        // A file whose game is unknown is kept, so that its errors are reported.
        let head = reading.read_head(sources, file);
        let of_game = head.game.map_or(!right_here || head.has_scenarios, |named| named == game);
        if of_game {
            found.push(file);
        }
    }
    found
}

/// Applies all overlays to the cards of game and packs, and merges their kinds.
fn merge_cards(
    game: &str,
    mut own: CardFile,
    packs: &[Pack],
    matches: Option<&mut Matches<'_>>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<RawCard>, Vec<RawKind>, bool) {
    let broken = own.broken || packs.iter().any(|pack| pack.cards.broken);
    let mut cards = std::mem::take(&mut own.cards);
    cards.extend(packs.iter().flat_map(|pack| pack.cards.cards.iter().cloned()));
    let mut overlays = vec![CardOverlay { pack: game, over: &[], patches: &own.patches, removes: &own.removes }];
    overlays.extend(packs.iter().map(|pack| CardOverlay {
        pack: &pack.manifest.name,
        over: &pack.manifest.over,
        patches: &pack.cards.patches,
        removes: &pack.cards.removes,
    }));
    let mut found = Vec::new();
    let (cards, unlike) = resolve_likes(cards, &mut found);
    // A card may only be missing because its file is invalid, which has been reported.
    let is_missing = |fault: &Diagnostic| matches!(fault.problem(), Some(PackProblem::NoCard { .. } | PackProblem::CardRemoved { .. }));
    diagnostics.extend(found.drain(..).filter(|fault| !(broken && is_missing(fault))));
    let broken = broken || unlike;
    let cards = match matches {
        Some(matches) => apply_card_overlays(cards, &overlays, matches, &mut found),
        None => apply_by_text(cards, &overlays, &mut found),
    };
    // If two cards have one id, one of them is misnamed, and a card of another name seems to be missing.
    let missing = broken || found.iter().any(|fault| matches!(fault.problem(), Some(PackProblem::CardIdTwice { .. })));
    diagnostics.extend(found.into_iter().filter(|fault| !(broken && is_missing(fault))));
    let mut kinds = vec![(game, &[][..], std::mem::take(&mut own.kinds))];
    for pack in packs {
        kinds.push((&pack.manifest.name, &pack.manifest.over, pack.cards.kinds.clone()));
    }
    let (kinds, mut cards) = (join_kinds(kinds, diagnostics), cards);
    for card in &mut cards {
        card.kind_text = kinds.iter().find(|kind| kind.id.text == card.kind.text).and_then(|kind| kind.text.clone());
    }
    (cards, kinds, missing)
}

/// Applies overlays, comparing `where` with the text of the cards.
fn apply_by_text(cards: Vec<RawCard>, overlays: &[CardOverlay<'_>], diagnostics: &mut Vec<Diagnostic>) -> Vec<RawCard> {
    let targets = overlays.iter().flat_map(|overlay| {
        let patches = overlay.patches.iter().map(|patch| &patch.target);
        patches.chain(overlay.removes.iter().map(|remove| &remove.target))
    });
    let mut selections: Vec<(Span, Option<Selection>)> = Vec::new();
    for target in targets {
        if let CardTarget::Where(condition) = target {
            selections.push((condition.span, Selection::parse(condition, diagnostics)));
        }
    }
    let unread: Vec<Span> = selections.iter().filter(|(_, read)| read.is_none()).map(|(span, _)| *span).collect();
    let mut matches = |condition: &Text, card: &RawCard| {
        let selection = selections.iter().find(|(span, _)| *span == condition.span);
        selection.and_then(|(_, selection)| selection.as_ref()).is_some_and(|selection| selection.matches(card))
    };
    let mut found = Vec::new();
    let before = cards.clone();
    let cards = apply_card_overlays(cards, overlays, &mut matches, &mut found);
    for fault in found {
        let Some(&PackProblem::FitsNoCard { target }) = fault.problem() else {
            diagnostics.push(fault);
            continue;
        };
        // An invalid condition matches no card; it has been reported already.
        if fault.span.is_some_and(|span| unread.contains(&span)) {
            continue;
        }
        let selection = selections.iter().find(|(span, _)| Some(*span) == fault.span).and_then(|(_, selection)| selection.as_ref());
        let unknown = selection.map(|selection| selection.unknown_words(&before.iter().collect::<Vec<_>>())).unwrap_or_default();
        // A word that occurs on no card is an error. A condition that merely matches no card may be intended.
        let words: Vec<_> = unknown.into_iter().map(|(word, known)| (word.clone(), suggestion_or_list(&word, &known))).collect();
        diagnostics.push(if words.is_empty() { fault } else { PackProblem::NoCardHas { target, words }.at(fault.span) });
    }
    cards
}

/// Writes the help for an unknown word: the most similar known word, or a list of the known ones.
fn suggestion_or_list(word: &str, known: &[String]) -> String {
    match nearest(word, known.iter().map(String::as_str)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("cards have {}", known.iter().take(12).map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{builtin, files::ids_in};
    use super::*;
    use std::fs;

    /// Creates a folder with these files, which is deleted at the end of the test.
    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    const CARD: &str = "[[card]]\nid = \"wolf\"\nname = \"Wolf\"\nkind = \"beast\"\nheight = 1\n";

    fn load(files: &[(&str, &str)], packs: &[&str]) -> (Option<GameContent>, Sources, Vec<String>) {
        let dir = folder(files);
        let mut sources = Sources::new();
        let mut diagnostics = Vec::new();
        let packs: Vec<_> = packs.iter().map(|pack| dir.path().join(pack)).collect();
        let found = load_game(&mut sources, Some(dir.path()), "wisps", &packs, &mut diagnostics);
        (found, sources, diagnostics.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn a_game_is_its_files_and_its_packs() {
        let (found, sources, said) = load(
            &[
                ("rules/wisps/2_end.rules", "end"),
                ("rules/wisps/1_begin.rules", "begin"),
                ("rules/wolves.rules", "other"),
                ("cards/wisps/first/beasts.toml", CARD),
                ("cards/wolves/beasts.toml", CARD),
                ("tests/scenarios/a.toml", "game = \"wisps\""),
                ("tests/scenarios/b.toml", "game = \"wolves\""),
                ("tests/scenarios/c.toml", "game = "),
                ("packs/tall/pack.toml", "name = \"tall\"\nversion = \"1\"\nlanguage = 1\nextends = \"wisps\""),
                ("packs/tall/rules/x.rules", "change"),
                ("packs/tall/cards/x.toml", "[[patch]]\nwhere = \"kind is beast and height < 5\"\nheight = 9\n"),
                ("packs/tall/tests/x.toml", ""),
            ],
            &["packs/tall"],
        );
        let found = found.unwrap();
        assert_eq!(said, Vec::<String>::new());
        let chapters: Vec<_> = found.rules.iter().map(|file| sources.text(*file)).collect();
        assert_eq!(chapters, ["begin", "end"]);
        assert_eq!(found.cards.len(), 1);
        assert_eq!(found.cards[0].fields[0].1.integer(), Some(9));
        assert_eq!(found.scenarios.len(), 2);
        let pack = &found.packs[0];
        assert_eq!((pack.rules.len(), pack.tests.len(), pack.manifest.name.as_str()), (1, 1, "tall"));
    }

    #[test]
    fn a_card_is_like_another_as_that_one_is_printed() {
        let manifest = "name = \"p\"\nversion = \"1\"\nlanguage = 1";
        let cub = "[[card]]\nid = \"cub\"\nlike = \"wolf\"\n";
        let heights = |patch: &str| {
            let of_pack = format!("{cub}{patch}");
            let files = [("rules/wisps.rules", ""), ("cards/wisps/a.toml", CARD), ("p/pack.toml", manifest), ("p/cards/x.toml", &of_pack)];
            let (found, _, said) = load(&files, &["p"]);
            let height = |card: &RawCard| (card.id.text.clone(), card.fields[0].1.integer().unwrap());
            (found.unwrap().cards.iter().map(height).collect::<Vec<_>>(), said)
        };
        let all = |list: &[(&str, i64)]| (list.iter().map(|(id, height)| (id.to_string(), *height)).collect::<Vec<_>>(), Vec::new());
        assert_eq!(heights(""), all(&[("wolf", 1), ("cub", 1)]));
        assert_eq!(heights("[[patch]]\ncard = \"wolf\"\nheight = 7"), all(&[("wolf", 7), ("cub", 1)]), "a patch names its card");
        assert_eq!(heights("[[patch]]\nwhere = \"kind is beast\"\nheight = 7"), all(&[("wolf", 7), ("cub", 7)]), "many are both");
        assert_eq!(heights("[[remove]]\ncard = \"wolf\""), all(&[("cub", 1)]));
        assert_eq!(heights("[[patch]]\ncard = \"cbu\"\nheight = 7").1, ["there is no card `cbu`"]);
    }

    #[test]
    fn a_card_is_missing_only_because_its_header_is_misspelt() {
        let text = format!("{}[[card]]\nid = \"cub\"\nlike = \"wolf\"", CARD.replace("[[card]]", "[[crad]]"));
        assert_eq!(load(&[("rules/wisps.rules", ""), ("cards/wisps/a.toml", &text)], &[]).2, ["a card file has no `crad`"]);
    }

    #[test]
    fn a_patch_of_a_card_that_is_like_none_is_not_told_again() {
        let lost = "[[card]]\nid = \"cub\"\nlike = \"wofl\"\n[[patch]]\ncard = \"cub\"\nheight = 2";
        assert_eq!(load(&[("rules/wisps.rules", ""), ("cards/wisps/a.toml", lost)], &[]).2, ["there is no card `wofl`"]);
    }

    #[test]
    fn files_on_disk_override_those_in_the_binary() {
        let (path, text) = builtin::files("rules").into_iter().next().unwrap();
        let game = game_of(&path).unwrap();
        let read = |root: Option<&Path>| {
            let mut sources = Sources::new();
            let found = load_game(&mut sources, root, &game, &[], &mut Vec::new()).unwrap();
            found.rules.iter().map(|file| sources.text(*file).to_owned()).collect::<Vec<_>>()
        };
        let dir = folder(&[(&path, "wisp")]);
        assert!(read(None).contains(&text.to_owned()));
        assert!(read(Some(dir.path())).contains(&"wisp".to_owned()));
        assert!(!read(Some(dir.path())).contains(&text.to_owned()));
        let dir = folder(&[("rules/wisps.rules", "")]);
        let names = list_games(Some(dir.path()));
        assert!(names.contains(&game) && names.contains(&"wisps".to_owned()));
    }

    #[test]
    fn a_file_named_like_a_built_in_one_says_which_cards_are_gone() {
        let of_game = |path: &String| path.split('/').nth(1).map(str::to_owned);
        let (path, text) =
            builtin::files("toml").into_iter().find(|(path, text)| !path.contains("/names/") && ids_in(text).len() > 9).unwrap();
        let game = of_game(&path).unwrap();
        let told = |files: &[(&str, &str)]| {
            let dir = folder(files);
            let mut found = Vec::new();
            load_game(&mut Sources::new(), Some(dir.path()), &game, &[], &mut found).unwrap();
            found.into_iter().filter(|one| one.code == "C042").map(|one| (one.message, one.label)).collect::<Vec<_>>()
        };
        let found = told(&[(&path, "[[card]]\nid = \"mine\"\nname = \"Mine\"\nkind = \"wolf\"\n")]);
        assert_eq!(found[0].0, format!("this replaces the game's own `{path}`"));
        let ids = ids_in(text);
        let first: Vec<String> = ids.iter().take(8).map(|id| format!("`{id}`")).collect();
        assert_eq!(found[0].1, format!("cards lost with it: {} and {} more", first.join(", "), ids.len() - 8));
        assert_eq!(told(&[(&path, text)]), []);
        // All cards are there, only elsewhere.
        let other = path.replace(".toml", "_2.toml");
        assert_eq!(told(&[(&path, ""), (&other, text)]), []);
        // A copy of the whole game is a game of its own.
        let rules = builtin::files("rules").into_iter().filter(|(path, _)| game_of(path).as_deref() == Some(game.as_str()));
        let rules: Vec<(String, &str)> = rules.collect();
        let mut whole: Vec<(&str, &str)> = rules.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        whole.push((&path, ""));
        assert_eq!(told(&whole), []);
    }

    #[test]
    fn line_ends_do_not_change_the_hash() {
        let files = |end: &str| {
            let card = CARD.replace('\n', end);
            let manifest = "name = \"p\"\nversion = \"1\"\nlanguage = 1\n".replace('\n', end);
            let of_pack = CARD.replace("wolf", "cub").replace('\n', end);
            let rules = "change a by 1\nchange b by 1\n".replace('\n', end);
            let files =
                [("rules/wisps.rules", ""), ("cards/wisps/a.toml", &card), ("p/pack.toml", &manifest), ("p/cards/x.toml", &of_pack)];
            let files = [&files[..], &[("p/rules/x.rules", rules.as_str())]].concat();
            let (found, ..) = load(&files, &["p"]);
            let found = found.unwrap();
            (found.hash, found.packs[0].hash)
        };
        assert_eq!(files("\n"), files("\r\n"));
        assert_ne!(hash_of_text("a\n"), hash_of_text("a"));
    }

    #[test]
    fn a_manifest_in_capital_letters_is_told() {
        let (_, _, said) = load(&[("rules/wisps.rules", ""), ("p/Pack.toml", "")], &["p"]);
        assert!(said[0].ends_with("pack.toml`: it is not there"), "{said:?}");
        let dir = folder(&[("p/Pack.toml", "")]);
        assert_eq!(misnamed_manifest(&dir.path().join("p")), Some(dir.path().join("p/Pack.toml")));
        assert_eq!(misnamed_manifest(dir.path()), None);
    }

    #[test]
    fn packs_come_after_those_that_they_need() {
        let manifest = |name: &str, more: &str| format!("name = \"{name}\"\nversion = \"1\"\nlanguage = 1\n{more}");
        let files = [
            ("rules/wisps.rules", String::new()),
            ("a/pack.toml", manifest("a", "requires = [\"b\"]")),
            ("b/pack.toml", manifest("b", "over = [\"c\", \"z\"]")),
            ("c/pack.toml", manifest("c", "")),
            ("lost/pack.toml", manifest("lost", "requires = [\"aa\"]\nextends = \"wolves\"")),
            ("foe/pack.toml", manifest("foe", "excludes = [\"c\"]")),
            ("twin/pack.toml", manifest("c", "")),
            ("yin/pack.toml", manifest("yin", "requires = [\"yang\"]")),
            ("yang/pack.toml", manifest("yang", "requires = [\"yin\"]")),
            ("new/pack.toml", "language = 7\nnew = 1".to_owned()),
        ];
        let files: Vec<_> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
        let order = |packs: &[&str]| {
            let (found, _, said) = load(&files, packs);
            let names: Vec<_> = found.unwrap().packs.into_iter().map(|pack| pack.manifest.name).collect();
            (names.join(" "), said.join("; "))
        };
        let found = |names: &str, said: &str| (names.to_owned(), said.to_owned());
        assert_eq!(order(&["a", "b", "c"]), found("c b a", ""));
        assert_eq!(order(&["b", "c"]), found("c b", ""));
        assert_eq!(order(&["a"]), found("a", "pack `a` needs pack `b`, which is not loaded"));
        let said = "pack `lost` is made for `wolves`, which is not loaded; pack `lost` needs pack `aa`, which is not loaded";
        assert_eq!(order(&["lost"]), found("lost", said));
        assert_eq!(order(&["c", "foe"]), found("c foe", "packs `foe` and `c` cannot be used together"));
        assert_eq!(order(&["c", "twin"]), found("c", "two packs are called `c`"));
        assert_eq!(order(&["c", "b", "lost"]).0, order(&["lost", "b", "c"]).0, "the command line does not decide");
        assert_eq!(order(&["yin", "yang"]), found("yang yin", "packs `yang` and `yin` each ask to come after one another"));
        assert_eq!(order(&["new"]), found("", "this pack is written in language 7"));
    }

    #[test]
    fn a_word_that_no_card_has_is_told_where_nothing_fits() {
        let pack = "name = \"p\"\nversion = \"1\"\nlanguage = 1";
        let told = |condition: &str| {
            let patch = format!("[[patch]]\nwhere = \"{condition}\"\nheight = 9");
            let files = [("rules/wisps.rules", ""), ("cards/wisps/a.toml", CARD), ("p/pack.toml", pack), ("p/cards/x.toml", &patch)];
            load(&files, &["p"]).2
        };
        assert_eq!(told("kind is baest"), ["no card fits this `where`: none has `baest`"]);
        assert_eq!(told("kin is beast"), ["no card fits this `where`: none has `kin`"]);
        assert_eq!(told("card is wolf"), ["no card fits this `where`: none has `card`"]);
        assert_eq!(told("kind is beast and height > 4"), ["no card fits this `where`"]);
    }

    #[test]
    fn a_pack_that_is_named_twice_is_one_pack() {
        let files = [("rules/wisps.rules", ""), ("a/pack.toml", "name = \"a\"\nversion = \"1\"\nlanguage = 1")];
        let (found, _, said) = load(&files, &["a", "a/../a"]);
        assert_eq!((found.unwrap().packs.len(), said), (1, Vec::new()));
    }

    #[test]
    fn a_pack_that_asks_for_itself_is_told() {
        let files = [("rules/wisps.rules", ""), ("a/pack.toml", "name = \"a\"\nversion = \"1\"\nlanguage = 1\nextends = \"a\"")];
        let (_, _, said) = load(&files, &["a"]);
        assert_eq!(said, ["pack `a` cannot build on itself"]);
    }

    #[test]
    fn what_is_missing_is_said() {
        let (found, _, said) = load(&[("rules/wisp.rules", "")], &[]);
        assert!(found.is_none());
        assert_eq!(said, ["there is no game `wisps`"]);
        let (found, _, said) = load(&[("rules/wisps.rules", "")], &["nowhere"]);
        assert!(found.is_some());
        assert!(said[0].starts_with("cannot read `") && said[0].ends_with("pack.toml`: it is not there"), "{said:?}");
    }

    #[test]
    fn a_broken_file_hides_no_other_and_is_told_once() {
        let (found, _, said) = load(
            &[
                ("rules/wisps.rules", ""),
                ("cards/wisps/a.toml", "[[card]]\nid = \"wall"),
                ("cards/wisps/b.toml", CARD),
                ("p/pack.toml", "name = \"p\"\nversion = \"1\"\nlanguage = 1"),
                ("p/cards/x.toml", "[[patch]]\ncard = \"wall\"\nheight = 9\n[[patch]]\nwhere = \"kind was beast\"\nheight = 9"),
            ],
            &["p"],
        );
        assert_eq!(found.unwrap().cards.len(), 1);
        assert_eq!(said, ["a text in quotes does not end on its line", "this `where` cannot be read"]);
    }
}
