//! `houserule check`: reads everything, and reports every fault.

use crate::cast;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::Serialize;

use super::args::CheckArgs;
use super::format::{self, Forms};
use super::load::Ground;
use super::output::{count, print, tell, wrong};
use super::subject::{Subject, of_pack};
use super::watch::{Answering, folders_of, watch};
use super::{Done, Trouble};
use crate::agent::AgentKind;
use crate::diagnostic::{Diagnostic, DoublesIndex, Severity, nearest, render::render, without_doubles};
use crate::engine::{Ruleset, Scripts};
use crate::lang::compile;
use crate::lang::{GameText, Nameable, Setup};
use crate::pack::{Manifest, Names, Pack, has_manifest, misnamed_manifest};
use crate::playtest::{Notes, Plan, run, smoke, unreachable};
use crate::scenario::file::parse_scenarios;
use crate::scenario::run::unreadable_tests;
use crate::script::{ScriptHost, check_scripts};
use crate::source::{FileId, Sources, Span};

/// Random games for each number of players.
const GAMES: u64 = 20;
/// Seed of everything that is tried.
const SEED: u64 = 1;

/// A fault for a machine.
#[derive(Serialize)]
pub(super) struct Written<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    label: &'a str,
    help: &'a [String],
    trace: &'a [String],
    also: Vec<String>,
}

/// How far it is looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Texts are read, names and types checked, for each number of players.
    Read,
    /// Scripts are run and games are played, too.
    Tried,
}

/// What was found.
struct Found {
    sources: Sources,
    /// Everything, for programs.
    all: Vec<Diagnostic>,
    /// The same for people: with the names of cards in the language that was chosen.
    shown: Vec<Diagnostic>,
    /// What was done, a line for each game.
    summary: String,
}

impl Found {
    fn errors(&self) -> usize {
        self.all.iter().filter(|found| found.severity == Severity::Error).count()
    }

    /// What was done, and how much was found.
    fn text(&self) -> String {
        let errors = self.errors();
        format!("{}{}, {}\n", self.summary, count(errors, "error"), count(self.all.len() - errors, "warning"))
    }
}

/// Checks games and packs.
pub fn check(ground: &Ground, args: &CheckArgs) -> Done {
    if args.watch {
        let folders = folders_of(ground.root(), &args.dirs, &args.pack);
        return watch(&folders, |_, answering| again(ground, args, answering));
    }
    let forms = Forms::open(&args.format, args.json.as_ref())?;
    let found = look(ground, args, Depth::Tried, &AtomicBool::new(false))?;
    if forms.text {
        // What is wrong is told below, by the exit status, too.
        let _ = tell(&found.sources, &found.shown);
        print(&found.text());
    }
    let written: Vec<Written<'_>> = found.all.iter().map(|one| written(&found.sources, one)).collect();
    let for_programs: Vec<format::Found> = found.all.iter().map(|one| format::Found::of(&found.sources, one)).collect();
    let drawn = if forms.text_in_file() { render(&found.sources, &found.shown, false) } else { String::new() };
    let text = format!("{drawn}{}", found.text());
    forms.write(&for_programs, &written, &text)?;
    if found.errors() > 0 { Err(Trouble::Finding) } else { Ok(()) }
}

/// Answers once more: first what reading finds, then, when it has been tried, what is found besides.
fn again(ground: &Ground, args: &CheckArgs, answering: &Answering) -> Done {
    let begun = Instant::now();
    let read = look(ground, args, Depth::Read, answering.flag())?;
    answering.rests_on(&read.sources);
    let _ = tell(&read.sources, &read.shown);
    print(&format!(
        "read in {:.2} s: {}, {}",
        begun.elapsed().as_secs_f64(),
        count(read.errors(), "error"),
        count(read.all.len() - read.errors(), "warning")
    ));
    if read.errors() > 0 {
        // Games of rules that cannot be read are not played.
        print("\n");
        return Err(Trouble::Finding);
    }
    print("; scripts and games are tried …\n");
    let tried = look(ground, args, Depth::Tried, answering.flag())?;
    if answering.is_broken_off() {
        return Ok(());
    }
    // What has been told stands above.
    let told: BTreeSet<String> = read.shown.iter().map(|one| render(&read.sources, std::slice::from_ref(one), false)).collect();
    let is_new = |one: &&Diagnostic| !told.contains(&render(&tried.sources, std::slice::from_ref(one), false));
    let new: Vec<Diagnostic> = tried.shown.iter().filter(is_new).cloned().collect();
    let _ = tell(&tried.sources, &new);
    print(&tried.text());
    if tried.errors() > 0 { Err(Trouble::Finding) } else { Ok(()) }
}

/// Looks at everything once.
fn look(ground: &Ground, args: &CheckArgs, depth: Depth, halt: &AtomicBool) -> Result<Found, Trouble> {
    let mut sources = Sources::new();
    let mut all = Vec::new();
    let mut summary = String::new();
    let subjects = subjects(ground, args, &mut sources, &mut all)?;
    let packs: Vec<PathBuf> = subjects.iter().flat_map(|subject| subject.packs.clone()).collect();
    ground.expect_language(&subjects.iter().map(|subject| subject.game.clone()).collect::<Vec<_>>(), &packs)?;
    let mut shown = all.clone();
    let mut told = DoublesIndex::default();
    for subject in subjects {
        let mut diagnostics = Vec::new();
        let (done, names) = check_subject(ground, &subject, &mut sources, (depth, halt), &mut diagnostics);
        let mut diagnostics = without_doubles(diagnostics, &[]);
        diagnostics.retain(|found| !told.holds(&all, found));
        summary.push_str(&format!("{}: {done}\n", name(&subject)));
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
    Ok(Found { sources, all, shown, summary })
}

/// A fault with what the cards in it are called in the language that was chosen.
fn with_names(found: Diagnostic, names: &Names) -> Diagnostic {
    let told = names.cards_in(&found.message).into_iter().map(|named| format!("`{}` is {}", named.key.text, named.name.text));
    told.collect::<Vec<_>>().into_iter().fold(found, Diagnostic::help)
}

fn name(subject: &Subject) -> String {
    let mut packs: Vec<&PathBuf> = Vec::new();
    for pack in &subject.packs {
        if !packs.iter().any(|known| Sources::real_path(known) == Sources::real_path(pack)) {
            packs.push(pack);
        }
    }
    let packs = packs.into_iter().map(|pack| format!(" with {}", pack.display()));
    format!("{}{}", subject.game, packs.collect::<String>())
}

/// What the folders stand for.
fn subjects(ground: &Ground, args: &CheckArgs, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) -> Result<Vec<Subject>, Trouble> {
    let mut subjects: Vec<Subject> = Vec::new();
    // Packs alone are checked with the game that the first of them extends.
    let dirs = if args.dirs.is_empty() { &args.pack[..args.pack.len().min(1)] } else { &args.dirs };
    let all_of = |root: Option<&Path>| {
        let root = root.map(Path::to_path_buf);
        // Of a folder that is named, those of which it holds files.
        let holds = |root: &Path, game: &str| {
            let [rules, cards] = ["rules", "cards"].map(|folder| root.join(folder));
            rules.join(format!("{game}.rules")).is_file() || rules.join(game).is_dir() || cards.join(game).is_dir()
        };
        let mut games = crate::pack::games(root.as_deref());
        games.retain(|game| root.as_deref().filter(|_| !dirs.is_empty()).is_none_or(|root| holds(root, game)));
        let with_packs = move |game: String| Subject { root: root.clone(), packs: ground.packs_of(&game, &args.pack), game };
        games.into_iter().map(with_packs)
    };
    let named = [&args.dirs[..], &args.pack].concat();
    let known = |subjects: &[Subject], root: &Path| subjects.iter().any(|subject| subject.root.as_deref() == Some(root));
    if dirs.is_empty() {
        subjects.extend(all_of(ground.root()));
    }
    for dir in dirs {
        let last = dir.file_name().and_then(|name| name.to_str());
        if let Some(found) = misnamed_manifest(dir) {
            return wrong(format!("`{}` is not read: a pack's file is called `pack.toml`, in small letters; rename it", found.display()));
        }
        if has_manifest(dir) {
            let subject = of_pack(ground, dir, &named, sources, diagnostics);
            subjects.extend(subject.map(|subject| Subject { packs: [&subject.packs[..], &args.pack].concat(), ..subject }));
        } else if dir.join("rules").is_dir() || dir.join("cards").is_dir() {
            if !known(&subjects, dir) {
                subjects.extend(all_of(Some(dir)));
            }
        } else if dir.is_dir() && matches!(last, Some("rules" | "cards")) {
            let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
            if !known(&subjects, parent) {
                subjects.extend(all_of(Some(parent)));
            }
        } else {
            let way_out = match dir.extension().and_then(|extension| extension.to_str()) {
                Some("rules") => "; a file of changed rules is tried with `houserule playtest GAME --with FILE -n 20`",
                Some("toml") => "; a file of scenarios is run with `houserule test FILE`",
                _ => "",
            };
            return wrong(format!("`{}` has neither pack.toml nor rules/ nor cards/ in it{way_out}", dir.display()));
        }
    }
    Ok(subjects)
}

/// Checks one game and says in a line what was done.
fn check_subject(
    ground: &Ground,
    subject: &Subject,
    sources: &mut Sources,
    (depth, halt): (Depth, &AtomicBool),
    diagnostics: &mut Vec<Diagnostic>,
) -> (String, Names) {
    let root = subject.root.as_deref();
    let Some(text) = compile::load(sources, root, &subject.game, &subject.packs, &[], diagnostics) else {
        return ("could not be read".to_string(), Names::default());
    };
    let (fewest, most) = text.players();
    diagnostics.extend(text.content.packs.iter().flat_map(|pack| doubts_of_pack(pack, &text, sources)));
    // Scripts first: what is wrong with them would drop games, and be told a second time as a fault of those.
    let (scripts, unrun) = match depth {
        Depth::Read => {
            diagnostics.extend(scripts_of(&text, most, &mut Vec::new()).iter().flat_map(|rules| check_scripts(rules)));
            (0, Vec::new())
        }
        Depth::Tried => try_scripts(&text, most, diagnostics),
    };
    let tests = text.content.packs.iter().flat_map(|pack| &pack.tests);
    for file in text.content.scenarios.iter().chain(tests) {
        parse_scenarios(*file, sources.text(*file), diagnostics);
    }
    let mut nameable = Nameable::of(&text);
    let mut games = 0;
    for players in fewest..=most {
        let setup = compile::allowed(&text, players);
        let Some(rules) = compile::compile(&text, &setup, diagnostics).map(Arc::new) else { continue };
        nameable.add(&rules);
        if !diagnostics.iter().any(|found| found.severity == Severity::Error) {
            games += if depth == Depth::Tried { play_some(&rules, halt, diagnostics) } else { 0 };
        }
    }
    let names = ground.language().map_or_else(Names::default, |language| Names::read(&text.content, sources, language, &mut Vec::new()));
    if depth == Depth::Read {
        return (String::new(), names);
    }
    if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
        let mut needless = text.needless();
        for (variant, _) in &text.variants {
            let mut found = Vec::new();
            let with = [variant.clone()];
            if let Some(text) = compile::load(sources, root, &subject.game, &subject.packs, &with, &mut found) {
                let _ = compile::compile_to_look_at(&text, &Setup::default(), &mut found);
                // What a variant uses is used.
                let still = text.needless();
                needless.retain(|wrong| still.iter().any(|other| other.message == wrong.message));
            }
            // What is only odd is so without the variant, too; where a variant of the game, or of a pack on which another builds, is
            // contradicted by a pack, that is told when it is chosen with the pack.
            let based = |pack: &&Pack| text.content.packs.iter().any(|other| other.manifest.extends.as_ref() == Some(&pack.manifest.name));
            let below = text.content.packs.iter().filter(based).flat_map(|pack| &pack.rules).chain(&text.content.rules);
            // The texts have been read again, so that their names count.
            let below: Vec<String> = below.map(|file| sources.name(*file).to_string()).collect();
            let contradicts = |wrong: &Diagnostic| {
                !subject.packs.is_empty()
                    && wrong.code == "R202"
                    && wrong.span.is_some_and(|span| below.iter().any(|name| name == sources.name(span.file)))
            };
            diagnostics.extend(found.into_iter().filter(|found| found.severity == Severity::Error && !contradicts(found)));
        }
        // What the game declares without a use is told of the game alone.
        let of_packs = |wrong: &Diagnostic| {
            let mut files = text.content.packs.iter().flat_map(|pack| &pack.rules);
            subject.packs.is_empty() || wrong.span.is_some_and(|span| files.any(|&file| file == span.file))
        };
        let (own, others): (Vec<_>, Vec<_>) = needless.into_iter().partition(of_packs);
        diagnostics.extend(own);
        if !others.is_empty()
            && let Some(alone) = compile::load(sources, root, &subject.game, &[], &[], &mut Vec::new())
        {
            let before = alone.needless();
            let new = others.into_iter().filter(|wrong| !before.iter().any(|known| known.message == wrong.message));
            diagnostics.extend(new.filter_map(|wrong| orphaned(wrong, &text, sources)));
        }
    }
    // Of rules and cards that could not be read all names would be unknown.
    if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
        diagnostics.extend(nameable.check_all(&text, sources));
    }
    // Of a pack what its own cards say.
    let ours = |span: Span| {
        let name = Path::new(sources.name(span.file));
        subject.packs.is_empty() || text.content.packs.iter().any(|pack| name.starts_with(&pack.folder))
    };
    if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
        diagnostics.extend(unreadable_tests(&text, ours));
    }
    let cards = count(text.content.cards.len(), "card");
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
    let done = format!("{cards}, {fewest} to {most} players, {ran} of {scripts} scripts run{unrun}, {games} random games");
    (done, names)
}

/// A name of the game that nothing uses once a pack is there, since the pack has replaced what read it; nothing is told where the pack
/// says that it is over the game.
fn orphaned(wrong: Diagnostic, text: &GameText, sources: &Sources) -> Option<Diagnostic> {
    let name = wrong.message.split('`').nth(1)?;
    let has_name = |span: Span| {
        let word = |letter: char| letter.is_alphanumeric() || letter == '_';
        sources.slice(span).split(|letter| !word(letter)).any(|part| part == name)
    };
    let by = text.tree.replaced.iter().find(|replaced| has_name(replaced.old) && !has_name(replaced.span));
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
    let told = Diagnostic::warning("R020", by.span, message).label(format!("what `{}` was has read it", by.address));
    let declared = wrong.span.map(|span| (span, format!("`{name}` is declared here"))).into_iter();
    let told = declared.fold(told.also(by.old, "this is replaced"), |told, (span, text)| told.also(span, text));
    Some(told.help(format!(
        "use `{name}` here, too, or, if it is to have no effect, say that this is meant: `over = [\"{game}.{}\"]` in `pack.toml` of `{}`",
        by.address, pack.manifest.name
    )))
}

/// What a pack says in vain.
fn doubts_of_pack(pack: &Pack, text: &GameText, sources: &Sources) -> Vec<Diagnostic> {
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
        let beside = || pack.folder.with_file_name(other).join("pack.toml").is_file();
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

/// Files of a folder that are nearly what is read, and that nobody has read.
fn unread(dir: &Path, sources: &mut Sources) -> Vec<Diagnostic> {
    let is_pack = dir.join("pack.toml").is_file();
    let read: BTreeSet<PathBuf> =
        (0..cast::fit::<u32>(sources.len())).map(|file| Sources::real_path(Path::new(sources.name(FileId(file))))).collect();
    let folders = if is_pack { vec![dir.to_path_buf()] } else { vec![dir.join("rules"), dir.join("cards")] };
    let mut found = Vec::new();
    for path in folders.iter().flat_map(|folder| Sources::all_files(folder)) {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or("");
        let meant = ["rules", "toml"].into_iter().find(|known| extension == *known).or_else(|| nearest(extension, ["rules", "toml"]));
        let names = path.iter().any(|part| part == "names");
        let of_another = path.ancestors().skip(1).take_while(|folder| *folder != dir).any(|folder| folder.join("pack.toml").is_file());
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

/// The rules with every card, also with those that are in no deck by default.
fn scripts_of(text: &GameText, players: usize, diagnostics: &mut Vec<Diagnostic>) -> Option<Arc<Ruleset>> {
    let setup = Setup { every_piece: true, ..compile::allowed(text, players) };
    compile::compile(text, &setup, diagnostics).map(Arc::new)
}

/// Every script of every card.
fn try_scripts(text: &GameText, players: usize, diagnostics: &mut Vec<Diagnostic>) -> (usize, Vec<String>) {
    let Some(rules) = scripts_of(text, players, diagnostics) else {
        let setup = Setup { every_piece: true, ..compile::allowed(text, players) };
        diagnostics.extend(compile::compile_in_part(text, &setup).iter().flat_map(check_scripts));
        return (0, Vec::new());
    };
    let before = diagnostics.len();
    diagnostics.extend(check_scripts(&rules));
    let faulty = diagnostics[before..].iter().any(|found| found.severity == Severity::Error);
    match ScriptHost::new(&rules) {
        Ok(mut host) if !faulty => {
            let found = smoke(&rules, &mut host, SEED);
            let offered = offered_wrongly(diagnostics);
            diagnostics.extend(found.diagnostics.into_iter().filter(|wrong| !names_any(&offered, &wrong.message)));
            // Where something is wrong, cards may be unreachable for that reason alone.
            if diagnostics.iter().all(|found| found.severity == Severity::Warning) {
                diagnostics.extend(unreachable(text, &|rules| Some(Box::new(ScriptHost::new(rules).ok()?))));
            }
            (found.scripts, found.unrun)
        }
        Ok(_) => none_ran(&rules),
        Err(faults) => {
            diagnostics.extend(faults);
            none_ran(&rules)
        }
    }
}

/// The words that questions offer wrongly, as has been told: what comes of them in a game is not told again.
fn offered_wrongly(diagnostics: &[Diagnostic]) -> Vec<String> {
    let told = diagnostics.iter().filter(|known| known.code == "R016");
    told.filter_map(|known| known.message.split('`').nth(1).map(str::to_string)).collect()
}

fn names_any(words: &[String], message: &str) -> bool {
    words.iter().any(|word| message.contains(&format!("`{word}`")))
}

/// How many scripts there are, none of which could be tried.
fn none_ran(rules: &Ruleset) -> (usize, Vec<String>) {
    (rules.scripts.len(), rules.scripts.iter().map(|script| script.owner.clone()).collect())
}

/// Random games; how many of them came to an end.
fn play_some(rules: &Arc<Ruleset>, halt: &AtomicBool, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    // What goes wrong in the first game need not go wrong in all.
    match play(rules, 1, halt, diagnostics) {
        1 => play(rules, GAMES, halt, diagnostics),
        games => games,
    }
}

fn play(rules: &Arc<Ruleset>, games: u64, halt: &AtomicBool, diagnostics: &mut Vec<Diagnostic>) -> u64 {
    let agents = vec![AgentKind::Random; rules.players];
    let plan = Plan { rules, agents: &agents, games, seed: SEED, threads: 0, notes: Notes::default() };
    let scripts = || ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    match run(&plan, &scripts, halt, &mut ()) {
        Ok(outcome) => {
            let offered = offered_wrongly(diagnostics);
            let faults = outcome.faults.into_iter().map(|alike| alike.first);
            for dropped in faults.filter(|dropped| !names_any(&offered, &dropped.fault.to_string())) {
                // One number of players is enough to show what goes wrong at a place.
                if dropped.fault.span.is_some() && diagnostics.iter().any(|found| found.code == "G201" && found.span == dropped.fault.span)
                {
                    continue;
                }
                let found = Diagnostic::error("G201", dropped.fault.span, dropped.fault.to_string());
                let (seed, decision) = (dropped.seed, dropped.decision);
                let trace = format!("a random game with {}, seed {seed}, after question {decision}", count(rules.players, "player"));
                diagnostics.push(dropped.fault.tell(found).trace(trace));
            }
            outcome.tally.games
        }
        Err(faults) => {
            diagnostics.extend(faults);
            0
        }
    }
}

/// A fault as JSON says it.
pub(super) fn written<'a>(sources: &'a Sources, found: &'a Diagnostic) -> Written<'a> {
    let at = found.span.map(|span| sources.line_column(span));
    Written {
        severity: if found.severity == Severity::Error { "error" } else { "warning" },
        code: found.code,
        message: &found.message,
        file: found.span.map(|span| sources.name(span.file)),
        line: at.map(|at| at.0),
        column: at.map(|at| at.1),
        label: &found.label,
        help: &found.help,
        trace: &found.trace,
        also: found.secondary.iter().map(|(span, text)| format!("{}: {text}", sources.place(*span))).collect(),
    }
}
