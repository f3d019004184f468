//! `houserule check`: loads everything and reports every error and warning.

use crate::cast;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use web_time::Instant;

use super::args::CheckArgs;
use super::format::{self, DiagnosticOutput, FormattedOutputs};
use super::load::Workspace;
use super::output::{count, print, show_diagnostics, usage_error};
use super::print::check_layouts;
use super::result::{CommandResult, ExitReason};
use super::subject::{GameWithPacks, of_pack};
use super::watch::{WatchRun, folders_of, watch};
use crate::agent::AgentKind;
use crate::diagnostic::{Diagnostic, DuplicateIndex, Severity, nearest, render::render, without_duplicates};
use crate::disk::OnDisk;
use crate::engine::{Ruleset, Scripts};
use crate::lang::compile;
use crate::lang::{GameText, Setup, TranslatableNames, misspelt_offer, unused_name};
use crate::pack::{Manifest, Pack, Translations, has_manifest, misnamed_manifest};
use crate::playtest::{IdleGames, RecordOptions, RunPlan, run, smoke, unreachable};
use crate::scenario::file::parse_scenarios;
use crate::scenario::run::find_unreadable_tests;
use crate::script::{ScriptHost, check_scripts};
use crate::source::{FileId, Sources, Span};

mod names;

use names::missing_names_text;

/// Number of random games for each number of players.
const RANDOM_GAMES: u64 = 20;
/// Seed of the random games and positions.
const RANDOM_GAMES_SEED: u64 = 1;

/// How thoroughly a game is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CheckDepth {
    /// Parse, resolve names and check types for each number of players.
    Read,
    /// Also run scripts and play games.
    Tried,
}

/// The result of a check.
struct CheckOutcome {
    sources: Sources,
    /// All diagnostics with card names as in the files, for output formats that programs read.
    all: Vec<Diagnostic>,
    /// The diagnostics of `all` with translated card names, for output that people read.
    shown: Vec<Diagnostic>,
    /// A text with one line for each game about what was checked.
    summary: String,
}

impl CheckOutcome {
    fn errors(&self) -> usize {
        self.all.iter().filter(|found| found.severity == Severity::Error).count()
    }

    /// Returns the summary followed by the number of errors and warnings.
    fn text_with_counts(&self) -> String {
        let errors = self.errors();
        format!("{}{}, {}\n", self.summary, count(errors, "error"), count(self.all.len() - errors, "warning"))
    }
}

/// Runs `houserule check` on games and packs.
pub fn check(workspace: &Workspace, args: &CheckArgs) -> CommandResult {
    if args.watch {
        let folders = folders_of(workspace.root(), &args.dirs, &args.pack);
        return watch(&folders, |_, answering| rerun(workspace, args, answering));
    }
    let forms = FormattedOutputs::open(&args.format, args.json.as_ref())?;
    let found = check_all(workspace, args, CheckDepth::Tried, &AtomicBool::new(false))?;
    if forms.text_on_terminal {
        // Errors are part of the result below, including the exit status.
        let _ = show_diagnostics(&found.sources, &found.shown);
        if args.missing_names {
            print(&missing_names_text(&found.sources, &found.all));
        }
        print(&found.text_with_counts());
    }
    let written: Vec<DiagnosticOutput<'_>> = found.all.iter().map(|one| DiagnosticOutput::of_diagnostic(&found.sources, one)).collect();
    let for_programs: Vec<format::Finding> = found.all.iter().map(|one| format::Finding::of_diagnostic(&found.sources, one)).collect();
    let drawn = if forms.text_in_file() { render(&found.sources, &found.shown, false) } else { String::new() };
    let text = format!("{drawn}{}", found.text_with_counts());
    forms.write(&for_programs, &written, &text)?;
    if found.errors() > 0 { Err(ExitReason::Findings) } else { Ok(()) }
}

/// Repeats the check in watch mode: first shows the diagnostics of reading the files, then also those of running scripts and games.
fn rerun(workspace: &Workspace, args: &CheckArgs, answering: &WatchRun) -> CommandResult {
    let started = Instant::now();
    let read = check_all(workspace, args, CheckDepth::Read, answering.flag())?;
    answering.add_dependencies(&read.sources);
    let _ = show_diagnostics(&read.sources, &read.shown);
    print(&format!(
        "read in {:.2} s: {}, {}",
        started.elapsed().as_secs_f64(),
        count(read.errors(), "error"),
        count(read.all.len() - read.errors(), "warning")
    ));
    if read.errors() > 0 {
        // Games are not played with rules that do not compile.
        print("\n");
        return Err(ExitReason::Findings);
    }
    print("; scripts and games are tried …\n");
    let tried = check_all(workspace, args, CheckDepth::Tried, answering.flag())?;
    if answering.is_cancelled() {
        return Ok(());
    }
    // These diagnostics were already shown.
    let already_shown: BTreeSet<String> = read.shown.iter().map(|one| render(&read.sources, std::slice::from_ref(one), false)).collect();
    let is_new = |one: &&Diagnostic| !already_shown.contains(&render(&tried.sources, std::slice::from_ref(one), false));
    let new: Vec<Diagnostic> = tried.shown.iter().filter(is_new).cloned().collect();
    let _ = show_diagnostics(&tried.sources, &new);
    print(&tried.text_with_counts());
    if tried.errors() > 0 { Err(ExitReason::Findings) } else { Ok(()) }
}

/// Checks all requested games and packs once, to the given depth, unless `halt` is set.
fn check_all(workspace: &Workspace, args: &CheckArgs, depth: CheckDepth, halt: &AtomicBool) -> Result<CheckOutcome, ExitReason> {
    let mut sources = Sources::new();
    let mut all = Vec::new();
    let mut summary = String::new();
    let subjects = subjects(workspace, args, &mut sources, &mut all)?;
    let packs: Vec<PathBuf> = subjects.iter().flat_map(|subject| subject.packs.clone()).collect();
    workspace.expect_language(&subjects.iter().map(|subject| subject.game.clone()).collect::<Vec<_>>(), &packs)?;
    let mut shown = all.clone();
    let mut seen = DuplicateIndex::default();
    for subject in subjects {
        let mut diagnostics = Vec::new();
        let (done, names) = check_subject((workspace, args.verbose), &subject, &mut sources, (depth, halt), &mut diagnostics);
        let mut diagnostics = without_duplicates(diagnostics, &[]);
        diagnostics.retain(|found| !seen.holds(&all, found));
        summary.push_str(&format!("{}: {done}\n", subject_name(&subject)));
        shown.extend(diagnostics.iter().cloned().map(|found| with_names(found, &names)));
        all.extend(diagnostics);
    }
    if all.iter().all(|found| found.severity == Severity::Warning) {
        for dir in &args.dirs {
            let unread = unread(dir, &mut sources);
            shown.extend(unread.iter().cloned());
            all.extend(unread);
        }
    }
    Ok(CheckOutcome { sources, all, shown, summary })
}

/// Replaces ids of cards in a diagnostic by translated names.
fn with_names(found: Diagnostic, names: &Translations) -> Diagnostic {
    let notes = names.cards_in(&found.message).into_iter().map(|named| format!("`{}` is {}", named.key.text, named.name.text));
    notes.collect::<Vec<_>>().into_iter().fold(found, Diagnostic::help)
}

fn subject_name(subject: &GameWithPacks) -> String {
    let mut packs: Vec<&PathBuf> = Vec::new();
    for pack in &subject.packs {
        if !packs.iter().any(|known| Sources::real_path(known) == Sources::real_path(pack)) {
            packs.push(pack);
        }
    }
    let packs = packs.into_iter().map(|pack| format!(" with {}", pack.display()));
    format!("{}{}", subject.game, packs.collect::<String>())
}

/// Determines the games and packs in the given folders.
fn subjects(
    workspace: &Workspace,
    args: &CheckArgs,
    sources: &mut Sources,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<GameWithPacks>, ExitReason> {
    let mut subjects: Vec<GameWithPacks> = Vec::new();
    // Packs without a folder are checked with the game that the first of them extends.
    let dirs = if args.dirs.is_empty() { &args.pack[..args.pack.len().min(1)] } else { &args.dirs };
    let all_of = |root: Option<&Path>| {
        let root = root.map(Path::to_path_buf);
        // In a named folder, only the games that have files there.
        let holds = |root: &Path, game: &str| {
            let [rules, cards] = ["rules", "cards"].map(|folder| root.join(folder));
            rules.join(format!("{game}.rules")).is_plain_file() || rules.join(game).is_folder() || cards.join(game).is_folder()
        };
        let mut games = crate::pack::list_games(root.as_deref());
        games.retain(|game| root.as_deref().filter(|_| !dirs.is_empty()).is_none_or(|root| holds(root, game)));
        let with_packs = move |game: String| GameWithPacks { root: root.clone(), packs: workspace.packs_of(&game, &args.pack), game };
        games.into_iter().map(with_packs)
    };
    let named = [&args.dirs[..], &args.pack].concat();
    let known = |subjects: &[GameWithPacks], root: &Path| subjects.iter().any(|subject| subject.root.as_deref() == Some(root));
    if dirs.is_empty() {
        subjects.extend(all_of(workspace.root()));
    }
    for dir in dirs {
        let last = dir.file_name().and_then(|name| name.to_str());
        if let Some(found) = misnamed_manifest(dir) {
            return usage_error(format!(
                "`{}` is not read: a pack's file is called `pack.toml`, in small letters; rename it",
                found.display()
            ));
        }
        if has_manifest(dir) {
            let subject = of_pack(workspace, dir, &named, sources, diagnostics);
            subjects.extend(subject.map(|subject| GameWithPacks { packs: [&subject.packs[..], &args.pack].concat(), ..subject }));
        } else if dir.join("rules").is_folder() || dir.join("cards").is_folder() {
            if !known(&subjects, dir) {
                subjects.extend(all_of(Some(dir)));
            }
        } else if dir.is_folder() && matches!(last, Some("rules" | "cards")) {
            let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !known(&subjects, parent) {
                subjects.extend(all_of(Some(parent)));
            }
        } else if let Some(game) = last.filter(|name| Path::new(name) == dir && workspace.games().iter().any(|game| game == name)) {
            // A game's name instead of a folder.
            let game = game.to_string();
            let subject =
                GameWithPacks { root: workspace.root().map(Path::to_path_buf), packs: workspace.packs_of(&game, &args.pack), game };
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
        } else {
            let games = workspace.games();
            let near = last.and_then(|name| nearest(name, games.iter().map(String::as_str)));
            if let Some(near) = near.filter(|_| !dir.is_folder() && dir.extension().is_none()) {
                return usage_error(format!("`{}` is neither a folder nor a game; did you mean the game `{near}`?", dir.display()));
            }
            let way_out = match dir.extension().and_then(|extension| extension.to_str()) {
                Some("rules") => "; a file of changed rules is tried with `houserule playtest GAME --with FILE -n 20`",
                Some("toml") => "; a file of scenarios is run with `houserule test FILE`",
                _ => "",
            };
            return usage_error(format!("`{}` has neither pack.toml nor rules/ nor cards/ in it{way_out}", dir.display()));
        }
    }
    Ok(subjects)
}

/// Checks one game; returns a line about what was done.
fn check_subject(
    (workspace, verbose): (&Workspace, bool),
    subject: &GameWithPacks,
    sources: &mut Sources,
    (depth, halt): (CheckDepth, &AtomicBool),
    diagnostics: &mut Vec<Diagnostic>,
) -> (String, Translations) {
    let root = subject.root.as_deref();
    let Some(text) = compile::load(sources, root, &subject.game, &subject.packs, &[], diagnostics) else {
        return ("could not be read".to_string(), Translations::default());
    };
    let (fewest, most) = text.players();
    diagnostics.extend(text.content.packs.iter().flat_map(|pack| ineffective_declarations(pack, &text, sources)));
    // Scripts come first: their errors would drop games and be reported a second time as faults.
    let tried = match depth {
        CheckDepth::Read => {
            diagnostics.extend(scripts_of(&text, most, &mut Vec::new()).iter().flat_map(|rules| check_scripts(rules)));
            TriedScripts::default()
        }
        CheckDepth::Tried => try_scripts(&text, most, diagnostics),
    };
    let tests = text.content.packs.iter().flat_map(|pack| &pack.tests);
    for file in text.content.scenarios.iter().chain(tests) {
        parse_scenarios(*file, sources.text(*file), diagnostics);
    }
    check_layouts(root, &text, sources, diagnostics);
    let mut nameable = TranslatableNames::collect(&text);
    let mut games = 0;
    for players in fewest..=most {
        let setup = compile::allowed_setup(&text, players);
        let Some(rules) = compile::compile(&text, &setup, diagnostics).map(Arc::new) else { continue };
        nameable.add(&rules);
        if !diagnostics.iter().any(|found| found.severity == Severity::Error) {
            games += if depth == CheckDepth::Tried { play_some(&rules, halt, diagnostics) } else { 0 };
        }
    }
    let names = workspace
        .language()
        .map_or_else(Translations::default, |language| Translations::read(&text.content, sources, language, &mut Vec::new()));
    if depth == CheckDepth::Read {
        return (String::new(), names);
    }
    if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
        diagnostics.extend(check_variants(subject, &text, sources));
    }
    // If rules or cards could not be parsed, many names would seem to be unknown.
    if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
        diagnostics.extend(nameable.check_all(&text, sources));
    }
    // For a pack only the diagnostics in its own files.
    let ours = |span: Span| {
        let name = Path::new(sources.name(span.file));
        subject.packs.is_empty() || text.content.packs.iter().any(|pack| name.starts_with(&pack.folder))
    };
    if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
        diagnostics.extend(find_unreadable_tests(&text, ours));
    }
    let mut done = summary(&text, &tried, games, ours);
    if let Some(by_rhai) = tried.by_rhai.filter(|_| verbose) {
        let place = |span: Option<Span>| span.map(|span| format!(" ({})", sources.place(span))).unwrap_or_default();
        by_rhai.iter().for_each(|(owner, span)| done.push_str(&format!("\n  {owner} is left to rhai{}", place(*span))));
        if by_rhai.is_empty() {
            done.push_str("\n  no script is left to rhai");
        }
    }
    (done, names)
}

/// Returns a line about what was checked of a game; `ours` says whether a card's place belongs to what is checked.
fn summary(text: &GameText, tried: &TriedScripts, games: u64, ours: impl Fn(Span) -> bool) -> String {
    let (fewest, most) = text.players();
    let cards = count(text.content.cards.len(), "card");
    let TriedScripts { count: scripts, unrun, .. } = tried;
    let ran = scripts - unrun.len();
    let is_ours = |owner: &&String| {
        let card = text.content.cards.iter().find(|card| owner.split('.').next() == Some(card.id.text.as_str()));
        card.is_none_or(|card| ours(card.span))
    };
    let not_run: Vec<&str> = unrun.iter().filter(is_ours).map(String::as_str).collect();
    let unrun = match (unrun.len(), not_run.len()) {
        (0, _) => String::new(),
        _ if ran == 0 => String::new(),
        (_, 0) => ", all of the pack's".to_string(),
        (_, _) => format!(" (not those of {})", not_run.join(", ")),
    };
    format!("{cards}, {fewest} to {most} players, {ran} of {scripts} scripts run{unrun}, {games} random games")
}

/// Compiles the game with each of its variants. Returns their errors, and warnings about names that nothing uses in any of them; for packs, about those
/// of the packs alone, and those that only what the packs replace has used.
fn check_variants(subject: &GameWithPacks, text: &GameText, sources: &mut Sources) -> Vec<Diagnostic> {
    let (root, mut diagnostics) = (subject.root.as_deref(), Vec::new());
    let mut needless = text.unused_definitions();
    for (variant, _) in &text.variants {
        let mut found = Vec::new();
        let with = [variant.clone()];
        if let Some(text) = compile::load(sources, root, &subject.game, &subject.packs, &with, &mut found) {
            let _ = compile::compile_without_codegen(&text, &Setup::default(), &mut found);
            // A name used by any variant counts as used.
            let still = text.unused_definitions();
            needless.retain(|wrong| still.iter().any(|other| other.is_same_problem(wrong)));
        }
        // Warnings occur without the variant, too. If a pack contradicts a variant of the game or of another pack, this is reported
        // when the variant is chosen together with the pack.
        let based = |pack: &&Pack| text.content.packs.iter().any(|other| other.manifest.extends.as_ref() == Some(&pack.manifest.name));
        let below = text.content.packs.iter().filter(based).flat_map(|pack| &pack.rules).chain(&text.content.rules);
        // The texts were loaded again, so that their names are compared.
        let below: Vec<String> = below.map(|file| sources.name(*file).to_string()).collect();
        let contradicts = |wrong: &Diagnostic| {
            !subject.packs.is_empty()
                && wrong.code == "R202"
                && wrong.span.is_some_and(|span| below.iter().any(|name| name == sources.name(span.file)))
        };
        diagnostics.extend(found.into_iter().filter(|found| found.severity == Severity::Error && !contradicts(found)));
    }
    // Unused names of the game are reported for the game alone.
    let of_packs = |wrong: &Diagnostic| {
        let mut files = text.content.packs.iter().flat_map(|pack| &pack.rules);
        subject.packs.is_empty() || wrong.span.is_some_and(|span| files.any(|&file| file == span.file))
    };
    let (own, others): (Vec<_>, Vec<_>) = needless.into_iter().partition(of_packs);
    diagnostics.extend(own);
    if !others.is_empty()
        && let Some(alone) = compile::load(sources, root, &subject.game, &[], &[], &mut Vec::new())
    {
        let before = alone.unused_definitions();
        let new = others.into_iter().filter(|wrong| !before.iter().any(|known| known.is_same_problem(wrong)));
        diagnostics.extend(new.filter_map(|wrong| no_longer_used(wrong, text, sources)));
    }
    diagnostics
}

/// Converts the warning about an unused name to one about the pack that has replaced the only user of the name; `None` if the pack declares
/// that it replaces the name.
fn no_longer_used(wrong: Diagnostic, text: &GameText, sources: &Sources) -> Option<Diagnostic> {
    let name = unused_name(&wrong)?.to_string();
    let has_name = |span: Span| {
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        sources.slice(span).split(|letter| !word(letter)).any(|part| part == name)
    };
    let by =
        text.tree.written.iter().find(|written| written.replaced && written.old.is_some_and(has_name) && !has_name(written.new_place()));
    let (game, packs) = (&text.content.game, &text.content.packs);
    let pack = by.and_then(|by| packs.iter().find(|pack| pack.manifest.name == by.overlay));
    let meant = |pack: &Pack| {
        let address = by.map(|by| format!("{game}.{}", by.address));
        pack.manifest.over.iter().any(|over| over == game || Some(over) == address.as_ref())
    };
    if pack.is_some_and(meant) || pack.is_none() && packs.iter().any(meant) {
        return None;
    }
    let Some((by, pack)) = by.zip(pack) else {
        return Some(Diagnostic { message: format!("with packs, {}", wrong.message), ..wrong });
    };
    let message = format!("with pack `{}`, {}", by.overlay, wrong.message);
    let found = Diagnostic::warning("R020", by.new_place(), message).label(format!("what `{}` was has read it", by.address));
    let declared = wrong.span.map(|span| (span, format!("`{name}` is declared here"))).into_iter();
    let found = declared.fold(found.also_at(by.old.map(|old| (old, "this is replaced"))), |found, (span, text)| found.also(span, text));
    Some(found.help(format!(
        "use `{name}` here, too, or, if it is to have no effect, say that this is meant: `over = [\"{game}.{}\"]` in `pack.toml` of `{}`",
        by.address, pack.manifest.name
    )))
}

/// Returns a warning for each declaration of a pack that has no effect.
fn ineffective_declarations(pack: &Pack, text: &GameText, sources: &Sources) -> Vec<Diagnostic> {
    let Manifest { name, file, .. } = &pack.manifest;
    let mut found = Vec::new();
    let blank = |file: &FileId| sources.text(*file).lines().map(str::trim).all(|line| line.is_empty() || line.starts_with("//"));
    let cards = &pack.cards;
    let nothing = cards.cards.is_empty() && cards.kinds.is_empty() && cards.patches.is_empty() && cards.removes.is_empty();
    if nothing && !cards.broken && pack.rules.iter().all(blank) {
        let place = pack.manifest.place("name", name).unwrap_or(Span { file: *file, start: 0, end: 0 });
        let wrong = Diagnostic::warning("C038", place, format!("pack `{name}` changes nothing")).label("it has neither rules nor cards");
        found.push(wrong.help("rules stand in `rules/NAME.rules`, cards in `cards/NAME.toml`"));
    }
    let packs: Vec<String> = text.content.packs.iter().map(|pack| pack.manifest.name.clone()).collect();
    let variants = text.variants.iter().map(|variant| variant.0.as_str());
    let known: Vec<&str> = packs.iter().map(String::as_str).chain(variants).chain([text.content.game.as_str()]).collect();
    let lists = [("over", &pack.manifest.over), ("excludes", &pack.manifest.excludes)];
    for (key, other) in lists.iter().flat_map(|(key, others)| others.iter().map(move |other| (*key, other))) {
        let beside = || pack.folder.with_file_name(other).join("pack.toml").is_plain_file();
        let of_game = key == "over" && other.strip_prefix(&text.content.game).is_some_and(|rest| rest.starts_with('.'));
        if !known.contains(&other.as_str()) && !of_game && !beside() {
            let place = pack.manifest.place(key, other);
            let wrong = Diagnostic::warning("C039", place, format!("there is no pack `{other}` here")).label("in vain");
            found.push(match nearest(other, known.iter().copied().filter(|known| known != name)) {
                None => wrong.help("put its folder beside this one, give it by `--pack`, or leave it out"),
                meant => wrong.meant(meant),
            });
        }
    }
    found
}

/// Returns a warning for each file in a folder that was not loaded, although its name is similar to that of a loaded file.
fn unread(dir: &Path, sources: &mut Sources) -> Vec<Diagnostic> {
    let is_pack = dir.join("pack.toml").is_plain_file();
    let read: BTreeSet<PathBuf> =
        (0..cast::fit::<u32>(sources.len())).map(|file| Sources::real_path(Path::new(sources.name(FileId(file))))).collect();
    let folders = if is_pack { vec![dir.to_path_buf()] } else { vec![dir.join("rules"), dir.join("cards")] };
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|folder| Sources::all_files(folder)) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let meant = ["rules", "toml"].into_iter().find(|known| extension == *known).or_else(|| nearest(extension, ["rules", "toml"]));
        let names = path.iter().any(|part| part == "names");
        let of_another =
            path.ancestors().skip(1).take_while(|folder| *folder != dir).any(|folder| folder.join("pack.toml").is_plain_file());
        let Some(meant) = meant.filter(|_| !of_another && !names && !read.contains(&Sources::real_path(&path))) else { continue };
        let place = sources.read_file(&path).ok().map(|file| Span { file, start: 0, end: 0 });
        let wrong = Diagnostic::warning("C040", place, format!("nobody reads `{}`", path.display())).label("not read");
        let help = match (is_pack, meant) {
            _ if extension != meant => format!("its name ends in `.{extension}`: write `.{meant}`"),
            (true, "rules") => "rules of a pack lie below its `rules/`".to_string(),
            (true, _) => "cards of a pack lie below its `cards/`, its scenarios below `tests/`".to_string(),
            (false, _) => "cards of a game lie below `cards/GAME/`; if the folder is a pack, it needs a `pack.toml`".to_string(),
        };
        found.push(wrong.help(help));
    }
    found
}

/// Compiles the rules with every card in play, including cards that are in no deck by default.
fn scripts_of(text: &GameText, players: usize, diagnostics: &mut Vec<Diagnostic>) -> Option<Arc<Ruleset>> {
    let setup = Setup { every_piece: true, ..compile::allowed_setup(text, players) };
    compile::compile(text, &setup, diagnostics).map(Arc::new)
}

/// What is known of the scripts of all cards.
#[derive(Default)]
struct TriedScripts {
    count: usize,
    /// The owners of those that never ran without a fault.
    unrun: Vec<String>,
    /// The owners and places of those that rhai runs; `None` if they could not be compiled.
    by_rhai: Option<Vec<(String, Option<Span>)>>,
}

/// Runs every script of every card.
fn try_scripts(text: &GameText, players: usize, diagnostics: &mut Vec<Diagnostic>) -> TriedScripts {
    let Some(rules) = scripts_of(text, players, diagnostics) else {
        let setup = Setup { every_piece: true, ..compile::allowed_setup(text, players) };
        diagnostics.extend(compile::compile_despite_card_errors(text, &setup).iter().flat_map(check_scripts));
        return TriedScripts::default();
    };
    let before = diagnostics.len();
    diagnostics.extend(check_scripts(&rules));
    let faulty = diagnostics[before..].iter().any(|found| found.severity == Severity::Error);
    match ScriptHost::new(&rules) {
        Ok(mut host) if !faulty => {
            let found = smoke(&rules, &mut host, RANDOM_GAMES_SEED);
            let offered = reported_words(diagnostics);
            diagnostics.extend(found.diagnostics.into_iter().filter(|wrong| !names_any(&offered, &wrong.message)));
            // After errors, cards may be unreachable for that reason alone.
            if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
                diagnostics.extend(unreachable(text, &|rules| Some(Box::new(ScriptHost::new(rules).ok()?))));
            }
            let by_rhai =
                host.left_to_rhai().map(|script| &rules.scripts[script]).map(|script| (script.owner.clone(), script.span)).collect();
            TriedScripts { count: found.scripts, unrun: found.unrun, by_rhai: Some(by_rhai) }
        }
        Ok(_) => untried_scripts(&rules),
        Err(faults) => {
            diagnostics.extend(faults);
            untried_scripts(&rules)
        }
    }
}

/// Returns the words of questions that the diagnostics name, so that faults caused by them are not reported again.
fn reported_words(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().filter_map(|known| misspelt_offer(known).map(str::to_string)).collect()
}

fn names_any(words: &[String], message: &str) -> bool {
    words.iter().any(|word| message.contains(&format!("`{word}`")))
}

/// Returns what is known of scripts that could not be run.
fn untried_scripts(rules: &Ruleset) -> TriedScripts {
    let unrun = rules.scripts.iter().map(|script| script.owner.clone()).collect();
    TriedScripts { count: rules.scripts.len(), unrun, by_rhai: None }
}

/// Plays random games; returns the number of those that ended normally.
fn play_some(rules: &Arc<Ruleset>, halt: &AtomicBool, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    // A fault in the first game may not occur in all of them.
    match play(rules, 1, halt, diagnostics) {
        1 => play(rules, RANDOM_GAMES, halt, diagnostics),
        games => games,
    }
}

fn play(rules: &Arc<Ruleset>, games: u64, halt: &AtomicBool, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    let agents = vec![AgentKind::Random; rules.players];
    let plan = RunPlan { rules, agents: &agents, games, seed: RANDOM_GAMES_SEED, threads: 0, notes: RecordOptions::default() };
    let scripts = || ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    match run(&plan, &scripts, halt, &mut ()) {
        Ok(outcome) => {
            let offered = reported_words(diagnostics);
            let faults = outcome.faults.into_iter().map(|alike| alike.first);
            for dropped in faults.filter(|dropped| !names_any(&offered, &dropped.fault.to_string())) {
                // A fault at one place is reported for one number of players only.
                if dropped.fault.span.is_some() && diagnostics.iter().any(|found| found.code == "G201" && found.span == dropped.fault.span)
                {
                    continue;
                }
                let found = Diagnostic::error("G201", dropped.fault.span, dropped.fault.to_string());
                let (seed, decision) = (dropped.seed, dropped.decision);
                let trace = format!("a random game with {}, seed {seed}, after question {decision}", count(rules.players, "player"));
                diagnostics.push(dropped.fault.add_to(found).trace(trace));
            }
            diagnostics.extend(outcome.tally.idle.map(|idle| idle_rounds(rules, &idle, games)));
            outcome.tally.games
        }
        Err(faults) => {
            diagnostics.extend(faults);
            0
        }
    }
}

/// Returns the warning about random games with a round in which nothing happened.
fn idle_rounds(rules: &Ruleset, idle: &IdleGames, games: u64) -> Diagnostic {
    let found = Diagnostic::warning("G206", idle.span, "a round went by in which nobody could do anything and nothing changed");
    let found = found.label("what is done in a round begins here, and did nothing");
    let found =
        found.help("let something end the game then, as in `rounds … until CONDITION`, or let an action be allowed always, such as `pass`");
    let players = count(rules.players, "player");
    found.trace(format!("round {} of a random game with {players}, seed {}; {} of {games}", idle.round, idle.seed, idle.games))
}
