//! `houserule new`: creates a card, a pack, a variant or a game that passes `check` and has tests. The contents come from `draft`; this
//! module determines the destination, and checks the files before they are kept.

use std::path::{Path, PathBuf};

mod destination;

use destination::{Destination, for_card};

use super::args::NewArgs;
use super::load::Workspace;
use super::output::{print, unknown_name, unwritable, usage_error};
use super::result::{CommandResult, ExitReason};
use super::subject::GameWithPacks;
use crate::diagnostic::nearest;
use crate::disk::{self, OnDisk};
use crate::draft::{DraftFile, check_game_name, check_name, draft_card, draft_game, draft_variants, find_models};
use crate::lang::Setup;
use crate::lang::built_in::is_reserved;
use crate::scenario::position::{default_players, position};
use crate::scenario::run::{ExtraContent, FileReport, run_card_tests, run_file, run_pack_tests};
use crate::source::{FileId, Sources, Span};

/// Things that can be created in every game, as opposed to kinds of cards.
const THINGS_OF_EVERY_GAME: [&str; 4] = ["card", "pack", "variant", "game"];
/// Maximum number of existing cards or rules that are tried as models of the new one.
const MAX_MODELS: usize = 12;

/// Runs `houserule new`.
pub fn new(workspace: &Workspace, args: &NewArgs) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("what is written has ids and keys, which have no other names: `new` has no `--lang`");
    }
    let check = if args.what == "game" { check_game_name } else { check_name };
    check(&args.name).or_else(usage_error)?;
    match (args.what.as_str(), &args.kind) {
        ("game" | "variant", Some(_)) => usage_error(format!("`--kind` is about cards: `new {}` has none to choose", args.what)),
        ("game", None) => new_game(workspace, args),
        ("variant", None) => new_variant(workspace, args),
        ("pack", kind) => new_pack(workspace, args, kind.as_deref()),
        ("card", Some(kind)) => new_card(workspace, args, kind),
        ("card", None) => usage_error(format!("which kind of card? `--kind KIND`; {}", destination::kinds_in_words(workspace))),
        (kind, None) => new_card(workspace, args, kind),
        (kind, Some(_)) => {
            usage_error(format!("`{kind}` is the kind already: leave `--kind` out, or write `new card {} --kind …`", args.name))
        }
    }
}

// ------------------------------------------------------------------ games

fn new_game(workspace: &Workspace, args: &NewArgs) -> CommandResult {
    if args.game.is_some() {
        return usage_error("`--game` names a game that is there: `new game` makes another; say only its name");
    }
    if workspace.games().contains(&args.name) {
        return usage_error(format!("there is a game `{}` already; choose another name", args.name));
    }
    let folder = join_folder(args.within.as_deref(), &args.name);
    check_free(&folder)?;
    let files = draft_game(&args.name);
    write_all(&folder, &files)?;
    let at = shell_path(&folder);
    print_next_steps(&[
        format!("houserule check {at}"),
        format!("houserule test {at}"),
        format!("houserule --root {at} play {}", args.name),
        format!("houserule --root {at} playtest {} -n 1000", args.name),
    ]);
    Ok(())
}

// ------------------------------------------------------------------ packs

fn new_pack(workspace: &Workspace, args: &NewArgs, kind: Option<&str>) -> CommandResult {
    let folder = join_folder(args.within.as_deref(), &args.name);
    check_free(&folder)?;
    let place = Destination::new_pack(workspace, &folder, &args.name, args.game.as_deref(), kind)?;
    let first = format!("{}_first", args.name);
    // A kind with many simple cards.
    let kinds = kind.map_or_else(|| place.kinds_by_models(), |kind| vec![kind.to_string()]);
    // For a game without cards, or with cards that cannot be copied, a changed rule is a good start, too.
    let rule = kind.is_none().then(|| format!("{}_rule", args.name));
    fill(&place, &kinds, &first, rule.as_deref())
}

/// Writes the manifest of a new pack, and a card of the first of these kinds that has a model, or else a changed rule of this name. If neither
/// can be, a new pack is removed.
fn fill(place: &Destination, kinds: &[String], id: &str, rule: Option<&str>) -> CommandResult {
    let manifest = place.manifest();
    write_all(&place.folder, manifest.as_slice())?;
    let card = kinds.iter().find_map(|kind| try_card(place, kind, id).transpose()).transpose();
    let done = card.and_then(|card| match (card, rule) {
        (Some(ids), _) => Ok(Some(advice_for_card(place, &ids))),
        (None, Some(rule)) => Ok(try_variant(place, rule)?.map(|_| advice_for_pack(place, rule))),
        (None, None) => Ok(None),
    });
    if let Ok(Some(advice)) = done {
        print_next_steps(&advice);
        return Ok(());
    }
    if let Some(manifest) = manifest {
        remove_file(&place.folder.join(manifest.path));
        // The folders were just created and contain nothing else.
        [place.folder.join("cards"), place.folder.clone()].iter().for_each(|folder| drop(disk::remove_folder(folder)));
    }
    let kind = kinds.first().filter(|_| rule.is_none()).map_or("card", String::as_str);
    done.and_then(|_| {
        usage_error(format!(
            "`{}` has no card of the kind `{kind}` after which another could be made; `houserule words kind.{kind} --game {0}` says what is \
             printed on one, and docs/expansions.md how it is written",
            place.subject.game
        ))
    })
}

fn advice_for_pack(place: &Destination, rule: &str) -> Vec<String> {
    let (houserule, at) = (command_line(place), shell_path(&place.folder));
    vec![
        format!("{houserule} check {at}"),
        format!("{houserule} test {at}"),
        format!("{houserule} playtest {} --pack {at} --with {rule} -n 200", place.subject.game),
    ]
}

// ------------------------------------------------------------------ cards

fn new_card(workspace: &Workspace, args: &NewArgs, kind: &str) -> CommandResult {
    let place = for_card(workspace, args, Some(kind))?;
    let (game, known) = (&place.subject.game, place.kinds());
    if !known.iter().any(|known| known == kind) {
        let meant = nearest(kind, known.iter().map(String::as_str).chain(THINGS_OF_EVERY_GAME));
        let way_out = match known.as_slice() {
            [] => "it has no cards; `houserule new variant` changes its rules".to_string(),
            known => format!("its kinds are {}", known.join(", ")),
        };
        return unknown_name(&format!("`{game}` has no kind of card `{kind}`"), meant, way_out);
    }
    if is_reserved(&args.name) {
        return usage_error(format!("`{}` is a word of the language: choose another name", args.name));
    }
    fill(&place, &[kind.to_string()], &args.name, None)
}

/// Writes a card that imitates the first model whose copy is valid; returns the ids of the cards written.
fn try_card(place: &Destination, kind: &str, id: &str) -> Result<Option<Vec<String>>, ExitReason> {
    let Destination { text, rules, sources, .. } = place;
    for model in find_models(&text.content, kind, place.pack.as_deref()).into_iter().take(MAX_MODELS) {
        let Some(draft) = draft_card(sources, &text.content, rules, model, id) else { continue };
        let taken = |id: &&String| text.content.cards.iter().any(|card| card.id.text == **id) || place.kinds().contains(id);
        if let Some(taken) = draft.ids.iter().find(taken) {
            return usage_error(format!("there is `{taken}` already; `houserule show {taken}` shows it: choose another name"));
        }
        let file = draft.file(&place.cards());
        let path = place.folder.join(&file.path);
        write_file(&path, &file.text)?;
        if is_sound(place, &path, &draft.ids) {
            print(&format!("{} is written: {} `{kind}` of {}\n", path.display(), draft.ids.join(" and "), place.subject.game));
            return Ok(Some(draft.ids));
        }
        remove_file(&path);
    }
    Ok(None)
}

/// Whether the written files load without errors and their tests pass.
fn is_sound(place: &Destination, path: &Path, ids: &[String]) -> bool {
    let mut sources = Sources::new();
    let GameWithPacks { root, game, packs } = &place.subject;
    let run_tests = if place.pack.is_some() { run_pack_tests } else { run_card_tests };
    let report = run_tests(&mut sources, root.as_deref(), game, ExtraContent { packs, with: &[] });
    let of_ours = |name: &str| {
        ids.iter().any(|id| name.strip_prefix(id.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' '])))
    };
    let name = path.display().to_string();
    let faulty = report.diagnostics.iter().any(|found| found.span.is_some_and(|span| sources.name(span.file).ends_with(&name)));
    let mut ours = report.cases.iter().filter(|case| of_ours(&case.name)).peekable();
    !faulty && ours.peek().is_some() && ours.all(|case| case.passed)
}

fn advice_for_card(place: &Destination, ids: &[String]) -> Vec<String> {
    let (at, houserule) = (shell_path(&place.folder), command_line(place));
    let id = ids.last().map_or("", String::as_str);
    // A folder that contains its game needs no `--root`.
    let alone = if place.subject.root.as_ref() == Some(&place.folder) { "houserule" } else { &houserule };
    let with = if place.pack.is_some() { format!(" --pack {at}") } else { String::new() };
    let mut lines = vec![format!("{alone} check {at}"), format!("{alone} test {at}"), format!("{houserule} show {id}{with}")];
    if place.can_deal(id) {
        lines.push(format!("{houserule} playtest {}{with} --deal {id}@p1 -n 200", place.subject.game));
    }
    lines
}

// ------------------------------------------------------------------ variants

fn new_variant(workspace: &Workspace, args: &NewArgs) -> CommandResult {
    let place = destination::for_variant(workspace, args)?;
    let game = &place.subject.game;
    if place.text.variants.iter().any(|(name, _)| *name == args.name) {
        return usage_error(format!("`{game}` has a variant `{}` already; choose another name", args.name));
    }
    let Some((rules, tests)) = try_variant(&place, &args.name)? else {
        return usage_error(format!(
            "the rules of `{game}` have neither a resource nor a number with a name that could be changed for a start; `houserule words --game \
             {game}` lists their addresses, and docs/expansions.md says how they are changed"
        ));
    };
    let (with, besides) = match place.pack {
        Some(_) => (args.name.clone(), format!(" --pack {}", shell_path(&place.folder))),
        None => (shell_path(&rules), String::new()),
    };
    let houserule = command_line(&place);
    print_next_steps(&[
        format!("{houserule} test {}", shell_path(&tests)),
        format!("{houserule} playtest {game}{besides} --with {with} -n 200"),
        format!("{houserule} compare {game}{besides} --with {with} -n 200"),
    ]);
    Ok(())
}

/// Writes the first variant with a scenario that passes; returns the paths of both files.
fn try_variant(place: &Destination, name: &str) -> Result<Option<(PathBuf, PathBuf)>, ExitReason> {
    let (rules_at, tests_at) = match place.pack {
        Some(_) => (format!("rules/{name}.rules"), format!("tests/{name}.toml")),
        None => (format!("{name}.rules"), format!("{name}.toml")),
    };
    let with = if place.pack.is_some() { name } else { &rules_at };
    let (rules_at, tests_at) = (place.folder.join(&rules_at), place.folder.join(tests_at));
    check_free(&rules_at)?;
    check_free(&tests_at)?;
    let nowhere = Span { file: FileId(0), start: 0, end: 0 };
    let given = |text: &str| crate::pack::Text { text: text.to_string(), span: nowhere };
    let setup = Setup { players: default_players(&place.text), every_piece: true, ..Setup::default() };
    let Ok((rules, begun)) = position(&place.text, &setup, 1, &given("as set up"), &given("")) else { return Ok(None) };
    for draft in draft_variants(&place.sources, &place.text, &rules, &begun).into_iter().take(MAX_MODELS) {
        write_file(&rules_at, &draft.write_rules(name, &place.subject.game))?;
        write_file(&tests_at, &draft.write_scenario(&place.subject.game, with))?;
        if scenarios_pass(place, &tests_at) {
            let (rules, tests) = (rules_at.display(), tests_at.display());
            print(&format!("{rules} is written: {}\n{tests} is written: a scenario that shows it\n", draft.title));
            return Ok(Some((rules_at, tests_at)));
        }
        remove_file(&rules_at);
        remove_file(&tests_at);
    }
    Ok(None)
}

/// Whether the scenarios of a file pass.
fn scenarios_pass(place: &Destination, path: &Path) -> bool {
    let mut sources = Sources::new();
    let Ok(file) = sources.read_file(path) else { return false };
    let GameWithPacks { root, packs, .. } = &place.subject;
    let FileReport { cases, diagnostics, .. } = run_file(&mut sources, root.as_deref(), file, ExtraContent { packs, with: &[] });
    diagnostics.is_empty() && !cases.is_empty() && cases.iter().all(|case| case.passed)
}

// ------------------------------------------------------------------ files

fn join_folder(folder: Option<&Path>, name: &str) -> PathBuf {
    folder.map_or_else(|| PathBuf::from(name), |folder| folder.join(name))
}

/// Checks that a path does not exist yet.
fn check_free(path: &Path) -> CommandResult {
    if path.is_taken() {
        return usage_error(format!(
            "`{}` is there already, and nothing is written over: choose another name, or another folder with `--in`",
            path.display()
        ));
    }
    Ok(())
}

/// Writes a new file and creates its parent folders.
fn write_file(path: &Path, text: &str) -> CommandResult {
    check_free(path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = folder.map_or(Ok(()), disk::create_folders);
    made.and_then(|()| disk::write_new(path, text)).or_else(|fault| unwritable(path, &fault))
}

fn write_all(folder: &Path, files: &[DraftFile]) -> CommandResult {
    for file in files {
        let path = folder.join(&file.path);
        write_file(&path, &file.text)?;
        print(&format!("{} is written\n", path.display()));
    }
    Ok(())
}

/// Removes a file that was just written and turned out to be invalid.
fn remove_file(path: &Path) {
    let _ = disk::remove_file(path);
}

/// Quotes a path for a shell.
fn shell_path(path: &Path) -> String {
    let text = path.display().to_string();
    shlex::try_quote(&text).map_or_else(|_| text.clone(), |quoted| quoted.into_owned())
}

/// Returns the command line with which the program finds the game.
fn command_line(place: &Destination) -> String {
    let root = place.subject.root.as_deref().filter(|root| *root != Path::new("."));
    root.map_or_else(|| "houserule".to_string(), |root| format!("houserule --root {}", shell_path(root)))
}

/// Prints the commands that the user may want to run next.
fn print_next_steps(lines: &[String]) {
    print(&format!("\nNow change it to what you have in mind, and try:\n  {}\n", lines.join("\n  ")));
}
