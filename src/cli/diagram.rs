//! `houserule diagram`: pictures of a game's rules.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::args::DiagramArgs;
use super::faults::report_faults;
use super::load::{CompiledGame, Workspace, compile_side, title};
use super::output::{OutputFile, check_outputs, fail_with, print, usage_error};
use super::progress::Progress;
use super::result::{CommandResult, ExitReason};
use super::signals::{STOP, install_signal_handlers};
use crate::agent::{AgentKind, parse_seats};
use crate::diagram::{Links, flows, moments, phases};
use crate::engine::{Ruleset, Scripts};
use crate::playtest::{Listener, PlayedGame, RecordOptions, RunOutcome, RunPlan, run};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::spec::SideSettings;
use crate::table::DisplayNames;

/// Runs `houserule diagram`.
///
/// # Errors
/// `Findings` on errors in the game or in games that are played; a usage error if nothing is to be written, or a file cannot be.
pub fn diagram(workspace: &Workspace, args: &DiagramArgs) -> CommandResult {
    let named = [("--phases", &args.phases), ("--moments", &args.moments), ("--flows", &args.flows)];
    if named.iter().all(|(_, path)| path.is_none()) {
        return usage_error("nothing is to be drawn; add `--phases FILE.svg`, `--moments FILE.svg` or `--flows FILE.svg`");
    }
    let known = named.map(|(_, path)| path.as_deref().map_or(Ok(true), |path| is_mermaid(path).or_else(usage_error)));
    known.into_iter().collect::<Result<Vec<bool>, ExitReason>>()?;
    let mut sources = Sources::new();
    let side = SideSettings {
        packs: args.pack.clone(),
        with: args.with.clone(),
        options: args.option.clone(),
        deal: args.deal.clone(),
        ..SideSettings::default()
    };
    let CompiledGame { text, rules, .. } = compile_side(workspace, &mut sources, &args.game, &side, args.players)?;
    check_outputs(&named, None, sources.read_paths())?;
    workspace.expect_language(std::slice::from_ref(&args.game), &args.pack)?;
    let names = workspace.load_names(&sources, &text.content)?;
    let game_title = names.title(title(&text)).to_string();
    let words = DisplayNames::new(&text, names);
    let agents = parse_seats(&args.agents, rules.players, None).or_else(usage_error)?;
    agents.iter().try_for_each(|agent| agent.check_rules(&rules)).or_else(usage_error)?;
    // Outputs are opened before games are played, so that a wrong path wastes no time.
    let files = [&args.phases, &args.moments, &args.flows].map(|path| path.as_deref().map(DiagramFile::open).transpose());
    let [of_phases, of_moments, of_flows] = files;
    let (of_phases, of_moments, of_flows) = (of_phases?, of_moments?, of_flows?);
    if let Some(file) = of_phases {
        let outline = phases(&text, &sources, &game_title, &words);
        file.write(|| outline.svg(), || outline.mermaid())?;
    }
    if let Some(file) = of_moments {
        let drawn = moments(&rules, &game_title, &words);
        file.write_links(&drawn, "the rules raise no moment and no card hears one, so that the diagram of moments is empty")?;
    }
    let Some(file) = of_flows else { return Ok(()) };
    let outcome = play(&rules, &agents, args, &sources)?;
    if STOP.load(Ordering::Relaxed) && !file.out.is_terminal() {
        print(&format!("stopped: the diagram is of {} of {} games\n", outcome.tally.games, args.games));
    }
    let drawn = flows(&rules, &outcome.tally, (&game_title, &args.agents.join(", ")), &words);
    let written = file.write_links(&drawn, "no player gained or lost a resource, so that the diagram of flows is empty");
    written.and(report_faults(&sources, &outcome))
}

/// A file to which a diagram is written, as a graphic or as text for Mermaid.
struct DiagramFile {
    out: OutputFile,
    is_mermaid: bool,
}

impl DiagramFile {
    fn open(path: &str) -> Result<DiagramFile, ExitReason> {
        Ok(DiagramFile { is_mermaid: is_mermaid(path).or_else(usage_error)?, out: OutputFile::open(path)? })
    }

    fn write(self, svg: impl FnOnce() -> String, mermaid: impl FnOnce() -> String) -> CommandResult {
        self.out.write_text(&if self.is_mermaid { mermaid() } else { svg() })
    }

    /// Writes a diagram of links; says why it is empty if it is.
    fn write_links(self, links: &Links, why_empty: &str) -> CommandResult {
        if links.is_empty() && !self.out.is_terminal() {
            print(&format!("{why_empty}\n"));
        }
        self.write(|| links.svg(), || links.mermaid())
    }
}

/// Whether a file is to hold text for Mermaid by its ending, or is the terminal, and not a graphic.
fn is_mermaid(path: &str) -> Result<bool, String> {
    let ending = Path::new(path).extension().map(|ending| ending.to_ascii_lowercase());
    match ending.as_ref().and_then(|ending| ending.to_str()) {
        _ if path == "-" => Ok(true),
        Some("mmd" | "mermaid") => Ok(true),
        Some("svg") => Ok(false),
        _ => Err(format!("`{path}` says by its ending no kind of diagram; `.svg` is a graphic, `.mmd` text for Mermaid")),
    }
}

/// Shows how many games are done.
struct Watch(Progress);

impl Listener for Watch {
    fn on_game(&mut self, _: u64, _: &PlayedGame) {}
    fn on_count(&mut self, count: u64) {
        self.0.set_done(count);
    }
}

/// Plays the games whose flows are drawn.
fn play(rules: &Arc<Ruleset>, agents: &[AgentKind], args: &DiagramArgs, sources: &Sources) -> Result<RunOutcome, ExitReason> {
    let plan = RunPlan {
        rules,
        agents,
        games: args.games,
        seed: args.seed,
        threads: args.threads.into(),
        notes: RecordOptions { flows: true, ..RecordOptions::default() },
    };
    install_signal_handlers();
    let scripts = || ScriptHost::new(&Arc::clone(rules)).map(|host| Box::new(host) as Box<dyn Scripts>);
    let outcome = run(&plan, &scripts, &STOP, &mut Watch(Progress::new(args.games, "games")));
    outcome.or_else(|faults| fail_with(sources, &faults))
}
