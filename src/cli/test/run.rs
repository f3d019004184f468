//! Which tests are run, each with the game and the packs around it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::super::args::TestArgs;
use super::super::load::Workspace;
use super::super::output::unreadable;
use super::super::prepared::read;
use super::super::result::CommandResult;
use super::super::subject::{GameWithPacks, RootFolder, of_pack, of_scenarios};
use super::super::watch::WatchRun;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::disk::OnDisk;
use crate::pack::{self, lists_equal_changes};
use crate::scenario::run::{ExtraContent, FileReport, LoadedGames, run_card_tests, run_file, run_file_of, run_pack_tests};
use crate::source::{FileId, Sources};

/// A run of tests.
pub(super) struct TestRun<'a> {
    workspace: &'a Workspace,
    args: &'a TestArgs,
    answering: &'a WatchRun,
    pub sources: Sources,
    /// The results so far.
    pub reports: Vec<FileReport>,
}

impl<'a> TestRun<'a> {
    pub fn new(workspace: &'a Workspace, args: &'a TestArgs, answering: &'a WatchRun) -> TestRun<'a> {
        TestRun { workspace, args, answering, sources: Sources::new(), reports: Vec::new() }
    }

    /// Runs all requested tests, unless the run is cancelled.
    pub fn all(&mut self) -> CommandResult {
        if self.args.files.is_empty() {
            return self.games(None);
        }
        let answering = self.answering;
        for path in self.args.files.iter().take_while(|_| !answering.is_cancelled()) {
            match path.to_str().filter(|name| !path.is_there() && self.workspace.games().iter().any(|game| game == name)) {
                Some(game) => self.games(Some(game))?,
                None if path.is_folder() => self.folder(path)?,
                None => self.scenario_file(path)?,
            }
        }
        Ok(())
    }

    /// Runs the tests in these files: scenarios, and tests on cards.
    pub fn changed(&mut self, files: &[PathBuf]) -> CommandResult {
        for path in files.iter().filter(|path| path.is_plain_file() && path.extension().is_some_and(|end| end == "toml")) {
            if is_list_of_equal_changes(path, &mut self.sources) {
                continue;
            }
            let root_folder = path.parent().and_then(RootFolder::enclosing);
            let Some(root_folder) = root_folder.filter(|root_folder| !root_folder.may_contain_scenarios(path)) else {
                self.scenario_file(path)?;
                continue;
            };
            for subject in self.subjects(&root_folder, path).unwrap_or_default() {
                let is_pack = matches!(root_folder, RootFolder::Pack(_));
                if is_pack || path.iter().any(|part| part == subject.game.as_str()) {
                    let mut report = self.card_tests(&subject, is_pack);
                    let real = Sources::real_path(path);
                    report.cases.retain(|case| Sources::real_path(Path::new(self.sources.name(case.span.file))) == real);
                    self.reports.push(report);
                }
            }
        }
        Ok(())
    }

    /// Finds the games of a folder, and reports errors in its manifest as those of `path`; `None` if it cannot be read because of them.
    fn subjects(&mut self, root_folder: &RootFolder, path: &Path) -> Option<Vec<GameWithPacks>> {
        let mut diagnostics = Vec::new();
        let mut subjects = root_folder.subjects(self.workspace, &self.args.pack, &mut self.sources, &mut diagnostics);
        subjects.iter_mut().for_each(|subject| subject.packs.extend(self.args.pack.iter().cloned()));
        let broken = subjects.is_empty() && !diagnostics.is_empty();
        self.report_errors(path, diagnostics);
        (!broken).then_some(subjects)
    }

    /// Adds a report of errors in files whose tests could therefore not be found, if there are any.
    fn report_errors(&mut self, of: &Path, diagnostics: Vec<Diagnostic>) {
        if !diagnostics.is_empty() {
            self.reports.push(FileReport { diagnostics, ..FileReport::new(of.display().to_string()) });
        }
    }

    /// Runs the scenarios of a file with the game and pack around it.
    fn scenario_file(&mut self, path: &Path) -> CommandResult {
        let file = read(&mut self.sources, path)?;
        let mut diagnostics = Vec::new();
        if lists_equal_changes(self.sources.text(file)) {
            let wrong = format!("`{}` has no scenarios: it lists changes that change nothing", path.display());
            let help = format!("`houserule mutate GAME --equal {}` reads it", path.display());
            self.report_errors(path, vec![Diagnostic::error("C003", None, wrong).help(help)]);
            return Ok(());
        }
        let mut subject = of_scenarios(self.workspace, &self.args.pack, &mut self.sources, file, &mut diagnostics);
        if has_errors(&diagnostics) {
            self.report_errors(path, diagnostics);
            return Ok(());
        }
        subject.packs.extend(self.args.pack.iter().cloned());
        let mut report = self.scenarios(&subject, file);
        report.diagnostics.extend(diagnostics);
        self.reports.push(report);
        Ok(())
    }

    fn scenarios(&mut self, subject: &GameWithPacks, file: FileId) -> FileReport {
        run_file(&mut self.sources, subject.root.as_deref(), file, ExtraContent { packs: &subject.packs, with: &self.args.with })
    }

    /// Runs the tests on cards: those of the game and its packs, or of the packs alone.
    fn card_tests(&mut self, subject: &GameWithPacks, of_packs_alone: bool) -> FileReport {
        let run = if of_packs_alone { run_pack_tests } else { run_card_tests };
        let besides = ExtraContent { packs: &subject.packs, with: &self.args.with };
        run(&mut self.sources, subject.root.as_deref(), &subject.game, besides)
    }

    /// Runs all scenarios in a folder, and the tests on cards of the games and packs there.
    fn folder(&mut self, dir: &Path) -> CommandResult {
        if RootFolder::of_folder(dir).is_some() {
            let misnamed = misnamed_files(dir, &mut self.sources);
            self.report_errors(dir, misnamed);
        }
        let paths = Sources::read_dir(dir, "toml").or_else(|fault| unreadable(dir, &fault))?;
        let missed = Sources::all_files(dir).into_iter().filter(|path| path.extension().is_some_and(|end| is_nearly(end, "toml")));
        let missed = missed.map(|path| {
            let wrong = Diagnostic::warning("C040", None, format!("nobody reads `{}`", path.display()));
            wrong.help("scenarios and cards stand in files whose names end in `.toml`, in small letters")
        });
        self.report_errors(dir, missed.collect());
        let mut homes: Vec<(RootFolder, Option<Vec<GameWithPacks>>)> = Vec::new();
        let answering = self.answering;
        for path in paths.into_iter().take_while(|_| !answering.is_cancelled()) {
            if is_list_of_equal_changes(&path, &mut self.sources) {
                continue;
            }
            let root_folder = path.parent().and_then(RootFolder::enclosing).filter(|root_folder| root_folder.folder().starts_with(dir));
            let Some(root_folder) = root_folder else {
                self.scenario_file(&path)?;
                continue;
            };
            if !homes.iter().any(|known| known.0 == root_folder) {
                let subjects = self.subjects(&root_folder, root_folder.folder());
                homes.push((root_folder.clone(), subjects));
            }
            let subjects = homes.iter().find(|known| known.0 == root_folder).and_then(|known| known.1.as_ref());
            let Some(subjects) = subjects.filter(|_| root_folder.may_contain_scenarios(&path) && !is_misnamed(&root_folder, &path)) else {
                continue;
            };
            let file = read(&mut self.sources, &path)?;
            let of_folder = || Workspace::of_root(Some(root_folder.folder())).game_with_packs("", self.args.pack.clone());
            let subject = subjects.first().cloned().unwrap_or_else(of_folder);
            let report = self.scenarios(&subject, file);
            self.reports.push(report);
        }
        for (root_folder, subjects) in homes {
            for subject in subjects.unwrap_or_default() {
                let report = self.card_tests(&subject, matches!(root_folder, RootFolder::Pack(_)));
                self.reports.push(report);
            }
        }
        Ok(())
    }

    /// Runs all scenarios and tests on cards of all games, or of the game named, and of the packs named.
    fn games(&mut self, only: Option<&str>) -> CommandResult {
        let (workspace, args, answering) = (self.workspace, self.args, self.answering);
        let mut names: Vec<String> = Vec::new();
        let (mut scenarios, mut known): (Vec<(String, FileId)>, LoadedGames) = Default::default();
        if let Some(root) = workspace.root().filter(|_| only.is_none()) {
            let misnamed = misnamed_files(root, &mut self.sources);
            self.report_errors(root, misnamed);
        }
        for game in workspace.games().into_iter().filter(|game| only.is_none_or(|only| only == game)) {
            let mut diagnostics = Vec::new();
            let subject = workspace.game_with_packs(game.as_str(), workspace.packs_of(&game, &args.pack));
            let content = pack::load_game(&mut self.sources, workspace.root(), &game, &subject.packs, &mut diagnostics);
            let Some(content) = content else {
                self.report_errors(Path::new(&game), diagnostics);
                continue;
            };
            // A game's own tests must pass without packs, and with each pack that does not change the game.
            let of_game = content.scenarios.iter().map(|file| (*file, &[][..]));
            let of_packs = content.packs.iter().flat_map(|pack| &pack.tests).map(|file| (*file, &subject.packs[..]));
            for (file, packs) in of_game.chain(of_packs).take_while(|_| !answering.is_cancelled()) {
                // A scenario file that does not name its game is listed under every game.
                let name = self.sources.name(file).to_string();
                if !names.contains(&name) {
                    names.push(name);
                    if packs.is_empty() {
                        scenarios.push((game.clone(), file));
                    }
                    let besides = ExtraContent { packs, with: &args.with };
                    self.reports.push(run_file_of(&mut self.sources, workspace.root(), file, besides, &mut known));
                }
            }
            let report = self.card_tests(&subject, false);
            self.reports.push(report);
        }
        let is_named = |pack: &PathBuf| args.pack.iter().any(|named| Sources::real_path(named) == Sources::real_path(pack));
        let others: Vec<PathBuf> = workspace.packs().into_iter().filter(|pack| !is_named(pack)).collect();
        for pack in others.iter().filter(|_| only.is_none()) {
            if answering.is_cancelled() {
                return Ok(());
            }
            self.folder(pack)?;
        }
        for pack in args.pack.iter().chain(&others) {
            // Errors in the pack itself are reported with its own tests.
            let Some(subject) = of_pack(workspace, pack, &args.pack, &mut self.sources, &mut Vec::new()) else { continue };
            let of_game = scenarios.iter().filter(|(game, _)| *game == subject.game).map(|(_, file)| *file);
            for file in of_game.take_while(|_| !answering.is_cancelled()) {
                let besides = ExtraContent { packs: &subject.packs, with: &args.with };
                let mut report = run_file_of(&mut self.sources, workspace.root(), file, besides, &mut known);
                report.name = format!("{} with {}", report.name, pack.display());
                report.with_pack = Some(pack.display().to_string());
                self.reports.push(report);
            }
        }
        Ok(())
    }
}

/// Whether a file is one for `houserule mutate --equal`, which may lie beside scenarios.
fn is_list_of_equal_changes(path: &Path, sources: &mut Sources) -> bool {
    sources.read_file(path).is_ok_and(|file| lists_equal_changes(sources.text(file)))
}

/// Whether a name differs from the wanted one in upper and lower case only.
fn is_nearly(name: &OsStr, wanted: &str) -> bool {
    name != wanted && name.eq_ignore_ascii_case(wanted)
}

/// Returns an error for each folder or file that looks like tests but is not run, because its name is written with capitals.
fn misnamed_files(folder: &Path, sources: &mut Sources) -> Vec<Diagnostic> {
    // The path is shown without the current folder `.`.
    let shown = |path: &Path| path.strip_prefix(".").unwrap_or(path).display().to_string();
    let not_run = |path: &Path, help: &str, right: &Path| {
        let wrong = Diagnostic::error("C040", None, format!("the scenarios in `{}` are not run", shown(path)));
        wrong.help(format!("{help} in small letters: `{}`", shown(right)))
    };
    let tests = folder.join("tests");
    // On a case-insensitive file system a folder of such a name is the correct one.
    let is_other = |path: &Path| {
        path.file_name().is_some_and(|name| is_nearly(name, "tests")) && Sources::real_path(path) != Sources::real_path(&tests)
    };
    let folders = Sources::folders(folder).into_iter().filter(|path| is_other(path) && holds_scenarios(path, sources));
    let folders = folders.map(|path| not_run(&path, "name the folder `tests`,", &path.with_file_name("tests")));
    let files = Sources::all_files(&tests).into_iter().filter(|path| path.extension().is_some_and(|end| is_nearly(end, "toml")));
    folders.chain(files.map(|path| not_run(&path, "write `.toml`", &path.with_extension("toml")))).collect()
}

/// Whether a file is in a folder whose name differs from that of tests in case only; this is reported, and its tests are not run.
fn is_misnamed(root_folder: &RootFolder, file: &Path) -> bool {
    let inside = file.strip_prefix(root_folder.folder()).ok();
    inside.and_then(|inside| inside.iter().next()).is_some_and(|first| is_nearly(first, "tests"))
}

/// Whether a folder contains a file of scenarios with any extension.
fn holds_scenarios(folder: &Path, sources: &mut Sources) -> bool {
    let is_toml = |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"));
    let files: Vec<FileId> =
        Sources::all_files(folder).iter().filter(|path| is_toml(path)).flat_map(|path| sources.read_file(path)).collect();
    files.into_iter().any(|file| sources.text(file).contains("[[scenario]]"))
}
