//! `houserule new`: creates a card, a pack, a variant or a game that passes `check` and has tests. The contents come from `draft`; this
//! module determines the destination, and checks the files before they are kept.

use std::path::{Path, PathBuf};

mod destination;

use destination::{Destination, for_card};

use super::args::NewArgs;
use super::load::{Workspace, compile_rules};
use super::output::{print, show_diagnostics, usage_error};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::{Severity, nearest};
use crate::disk::{self, OnDisk};
use crate::draft::{DraftFile, check_game_name, check_name, draft_card, draft_game, draft_manifest, draft_variants, find_models};
use crate::engine::Ruleset;
use crate::lang::built_in::is_reserved;
use crate::lang::compile;
use crate::lang::{GameText, Setup};
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
    let kinds = match kind {
        Some(kind) => vec![kind.to_string()],
        None => place.kinds_by_models(),
    };
    write_all(&folder, &[draft_manifest(&args.name, &place.game)])?;
    for kind in &kinds {
        if let Some(ids) = try_card(workspace, &place, kind, &first)? {
            advise_card(workspace, &place, &ids);
            return Ok(());
        }
    }
    // For a game without cards, or with cards that cannot be copied, a changed rule is a good start, too.
    let name = format!("{}_rule", args.name);
    match kind {
        None if try_variant(workspace, &place, &name)?.is_some() => {
            let (houserule, at) = (command_line(workspace, &place), shell_path(&folder));
            print_next_steps(&[
                format!("{houserule} check {at}"),
                format!("{houserule} test {at}"),
                format!("{houserule} playtest {} --pack {at} --with {name} -n 200", place.game),
            ]);
            Ok(())
        }
        _ => {
            // The folder was just created and contains nothing else.
            remove_file(&folder.join("pack.toml"));
            [folder.join("cards"), folder.clone()].iter().for_each(|folder| drop(disk::remove_folder(folder)));
            no_model(&place, kind.unwrap_or("card"))
        }
    }
}

fn no_model<T>(place: &Destination, kind: &str) -> Result<T, ExitReason> {
    usage_error(format!(
        "`{}` has no card of the kind `{kind}` after which another could be made; `houserule words kind.{kind} --game {0}` says what is \
         printed on one, and docs/expansions.md how it is written",
        place.game
    ))
}

// ------------------------------------------------------------------ cards

fn new_card(workspace: &Workspace, args: &NewArgs, kind: &str) -> CommandResult {
    let place = for_card(workspace, args, Some(kind))?;
    if !place.kinds().iter().any(|known| known == kind) {
        let known = place.kinds();
        let all = known.iter().map(String::as_str).chain(THINGS_OF_EVERY_GAME);
        let way_out = match nearest(kind, all) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if known.is_empty() => "it has no cards; `houserule new variant` changes its rules".to_string(),
            None => format!("its kinds are {}", known.join(", ")),
        };
        return usage_error(format!("`{}` has no kind of card `{kind}`; {way_out}", place.game));
    }
    if is_reserved(&args.name) {
        return usage_error(format!("`{}` is a word of the language: choose another name", args.name));
    }
    let manifest = place.manifest();
    if let Some(manifest) = &manifest {
        write_all(&place.folder, std::slice::from_ref(manifest))?;
    }
    let tried = try_card(workspace, &place, kind, &args.name);
    if let Ok(Some(ids)) = tried {
        advise_card(workspace, &place, &ids);
        return Ok(());
    }
    // A manifest that was created for this card is removed with it.
    if let Some(manifest) = manifest {
        remove_file(&place.folder.join(manifest.path));
        [place.folder.join("cards"), place.folder.clone()].iter().for_each(|folder| drop(disk::remove_folder(folder)));
    }
    tried.and_then(|_| no_model(&place, kind))
}

/// Writes a card that imitates the first model whose copy is valid; returns the ids of the cards written.
fn try_card(workspace: &Workspace, place: &Destination, kind: &str, id: &str) -> Result<Option<Vec<String>>, ExitReason> {
    let Destination { text, rules, sources, .. } = place;
    for model in find_models(&text.content, kind, place.pack.as_deref()).into_iter().take(MAX_MODELS) {
        let Some(draft) = draft_card(sources, &text.content, rules, model, id) else { continue };
        let taken = |id: &&String| text.content.cards.iter().any(|card| card.id.text == **id) || place.kinds().contains(id);
        if let Some(taken) = draft.ids.iter().find(taken) {
            return usage_error(format!("there is `{taken}` already; `houserule show {taken}` shows it: choose another name"));
        }
        let file = draft.file(&place.cards);
        let path = place.folder.join(&file.path);
        write_file(&path, &file.text)?;
        if is_sound(workspace, place, &path, &draft.ids) {
            print(&format!("{} is written: {} `{kind}` of {}\n", path.display(), draft.ids.join(" and "), place.game));
            return Ok(Some(draft.ids));
        }
        remove_file(&path);
    }
    Ok(None)
}

/// Whether the written files load without errors and their tests pass.
fn is_sound(workspace: &Workspace, place: &Destination, path: &Path, ids: &[String]) -> bool {
    let mut sources = Sources::new();
    let (root, packs) = (place.root(workspace), place.packs_now());
    let besides = ExtraContent { packs: &packs, with: &[] };
    let report = match place.pack {
        Some(_) => run_pack_tests(&mut sources, root.as_deref(), &place.game, besides),
        None => run_card_tests(&mut sources, root.as_deref(), &place.game, besides),
    };
    let of_ours = |name: &str| {
        ids.iter().any(|id| name.strip_prefix(id.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ' '])))
    };
    let name = path.display().to_string();
    let faulty = report.diagnostics.iter().any(|found| found.span.is_some_and(|span| sources.name(span.file).ends_with(&name)));
    let mut ours = report.cases.iter().filter(|case| of_ours(&case.name)).peekable();
    !faulty && ours.peek().is_some() && ours.all(|case| case.passed)
}

fn advise_card(workspace: &Workspace, place: &Destination, ids: &[String]) {
    let at = shell_path(&place.folder);
    let id = ids.last().map_or("", String::as_str);
    let houserule = command_line(workspace, place);
    // A folder that contains its game needs no `--root`.
    let alone = if place.holds_games { "houserule" } else { &houserule };
    let mut lines = vec![format!("{alone} check {at}"), format!("{alone} test {at}")];
    let with = match place.pack {
        Some(_) => format!(" --pack {at}"),
        None => String::new(),
    };
    lines.push(format!("{houserule} show {id}{with}"));
    if place.can_deal(workspace, id) {
        lines.push(format!("{houserule} playtest {}{with} --deal {id}@p1 -n 200", place.game));
    }
    print_next_steps(&lines);
}

// ------------------------------------------------------------------ variants

fn new_variant(workspace: &Workspace, args: &NewArgs) -> CommandResult {
    let place = destination::for_variant(workspace, args)?;
    if place.text.variants.iter().any(|(name, _)| *name == args.name) {
        return usage_error(format!("`{}` has a variant `{}` already; choose another name", place.game, args.name));
    }
    let Some((rules, tests)) = try_variant(workspace, &place, &args.name)? else {
        return usage_error(format!(
            "the rules of `{}` have neither a resource nor a number with a name that could be changed for a start; `houserule words --game {0}` \
             lists their addresses, and docs/expansions.md says how they are changed",
            place.game
        ));
    };
    let (with, besides) = match place.pack {
        Some(_) => (args.name.clone(), format!(" --pack {}", shell_path(&place.folder))),
        None => (shell_path(&rules), String::new()),
    };
    let houserule = command_line(workspace, &place);
    print_next_steps(&[
        format!("{houserule} test {}", shell_path(&tests)),
        format!("{houserule} playtest {}{besides} --with {with} -n 200", place.game),
        format!("{houserule} compare {}{besides} --with {with} -n 200", place.game),
    ]);
    Ok(())
}

/// Writes the first variant with a scenario that passes; returns the paths of both files.
fn try_variant(workspace: &Workspace, place: &Destination, name: &str) -> Result<Option<(PathBuf, PathBuf)>, ExitReason> {
    let (below_rules, below_tests, with) = match place.pack {
        Some(_) => (format!("rules/{name}.rules"), format!("tests/{name}.toml"), name.to_string()),
        None => (format!("{name}.rules"), format!("{name}.toml"), format!("{name}.rules")),
    };
    let (rules_at, tests_at) = (place.folder.join(below_rules), place.folder.join(below_tests));
    for path in [&rules_at, &tests_at] {
        check_free(path)?;
    }
    let nowhere = Span { file: FileId(0), start: 0, end: 0 };
    let given = |text: &str| crate::pack::Text { text: text.to_string(), span: nowhere };
    let setup = Setup { players: default_players(&place.text), every_piece: true, ..Setup::default() };
    let Ok((rules, begun)) = position(&place.text, &setup, 1, &given("as set up"), &given("")) else { return Ok(None) };
    for draft in draft_variants(&place.sources, &place.text, &rules, &begun).into_iter().take(MAX_MODELS) {
        write_file(&rules_at, &draft.write_rules(name, &place.game))?;
        write_file(&tests_at, &draft.write_scenario(&place.game, &with))?;
        if scenarios_pass(workspace, place, &tests_at) {
            print(&format!(
                "{} is written: {}\n{} is written: a scenario that shows it\n",
                rules_at.display(),
                draft.title,
                tests_at.display()
            ));
            return Ok(Some((rules_at, tests_at)));
        }
        remove_file(&rules_at);
        remove_file(&tests_at);
    }
    Ok(None)
}

/// Whether the scenarios of a file pass.
fn scenarios_pass(workspace: &Workspace, place: &Destination, path: &Path) -> bool {
    let mut sources = Sources::new();
    let Ok(file) = sources.read_file(path) else { return false };
    let (root, packs) = (place.root(workspace), place.packs_now());
    let FileReport { cases, diagnostics, .. } = run_file(&mut sources, root.as_deref(), file, ExtraContent { packs: &packs, with: &[] });
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
    let written = made.and_then(|()| disk::write_new(path, text));
    written.or_else(|fault| usage_error(format!("cannot write `{}`: {fault}", path.display())))
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
fn command_line(workspace: &Workspace, place: &Destination) -> String {
    let root = place.root(workspace).filter(|root| root != Path::new("."));
    root.map_or_else(|| "houserule".to_string(), |root| format!("houserule --root {}", shell_path(&root)))
}

/// Prints the commands that the user may want to run next.
fn print_next_steps(lines: &[String]) {
    print(&format!("\nNow change it to what you have in mind, and try:\n  {}\n", lines.join("\n  ")));
}

/// Loads a game and compiles it with all its pieces; shows the diagnostics.
fn read(
    workspace: &Workspace,
    sources: &mut Sources,
    root: Option<&Path>,
    game: &str,
    packs: &[PathBuf],
) -> Result<(GameText, std::sync::Arc<Ruleset>), ExitReason> {
    if root == workspace.root() {
        workspace.expect_game(game)?;
    }
    let mut diagnostics = Vec::new();
    let text = compile::load(sources, root, game, packs, &[], &mut diagnostics);
    diagnostics.retain(|found| found.severity == Severity::Error);
    show_diagnostics(sources, &diagnostics)?;
    let Some(text) = text else { return Err(ExitReason::Findings) };
    let setup = Setup { every_piece: true, ..compile::allowed_setup(&text, default_players(&text)) };
    let rules = compile_rules(sources, &text, &setup)?;
    Ok((text, rules))
}
