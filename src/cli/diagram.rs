//! `houserule diagram`: pictures of a game's rules.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::args::DiagramArgs;
use super::faults::report_faults;
use super::load::{CompiledGame, Workspace, compile_side, title};
use super::output::{OutputFile, check_outputs, print, show_diagnostics, usage_error};
use super::progress::Progress;
use super::result::{CommandResult, ExitReason};
use super::signals::{STOP, install_signal_handlers};
use crate::agent::{AgentKind, parse_seats};
use crate::diagram::{Links, Outline, flows, moments, phases};
use crate::engine::{Ruleset, Scripts};
use crate::playtest::saved::SideSettings;
use crate::playtest::{Listener, PlayedGame, RecordOptions, RunOutcome, RunPlan, run};
use crate::script::ScriptHost;
use crate::source::Sources;
use crate::table::DisplayNames;

/// How a diagram is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiagramFormat {
    Svg,
    Mermaid,
}

/// Runs `houserule diagram`.
///
/// # Errors
/// `Findings` on errors in the game or in games that are played; a usage error if nothing is to be written, or a file cannot be.
pub fn diagram(workspace: &Workspace, args: &DiagramArgs) -> CommandResult {
    let named = [("--phases", &args.phases), ("--moments", &args.moments), ("--flows", &args.flows)];
    if named.iter().all(|(_, path)| path.is_none()) {
        return usage_error("nothing is to be drawn; add `--phases FILE.svg`, `--moments FILE.svg` or `--flows FILE.svg`");
    }
    let formats = named.map(|(_, path)| path.as_deref().map(|path| format_of(path).or_else(usage_error)).transpose());
    let [of_phases, of_moments, of_flows] = formats;
    let (of_phases, of_moments, of_flows) = (of_phases?, of_moments?, of_flows?);
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
    let files = [&args.phases, &args.moments, &args.flows].map(|path| OutputFile::open_if(path.as_ref()));
    let [phases_file, moments_file, flows_file] = files;
    let (phases_file, moments_file, flows_file) = (phases_file?, moments_file?, flows_file?);
    if let Some((file, format)) = phases_file.zip(of_phases) {
        file.write_text(&outline_text(&phases(&text, &sources, &game_title, &words), format))?;
    }
    if let Some((file, format)) = moments_file.zip(of_moments) {
        let drawn = moments(&rules, &game_title, &words);
        if drawn.is_empty() && !file.is_terminal() {
            print("the rules raise no moment and no card hears one, so that the diagram of moments is empty\n");
        }
        file.write_text(&links_text(&drawn, format))?;
    }
    let Some((file, format)) = flows_file.zip(of_flows) else { return Ok(()) };
    let outcome = play(&rules, &agents, args, &sources)?;
    if STOP.load(Ordering::Relaxed) && !file.is_terminal() {
        print(&format!("stopped: the diagram is of {} of {} games\n", outcome.tally.games, args.games));
    }
    let drawn = flows(&rules, &outcome.tally, (&game_title, &args.agents.join(", ")), &words);
    if drawn.is_empty() && !file.is_terminal() {
        print("no player gained or lost a resource, so that the diagram of flows is empty\n");
    }
    file.write_text(&links_text(&drawn, format)).and(report_faults(&sources, &outcome))
}

/// Returns the format that a file asks for by its ending; the terminal gets text.
fn format_of(path: &str) -> Result<DiagramFormat, String> {
    match Path::new(path).extension().and_then(|ending| ending.to_str()) {
        _ if path == "-" => Ok(DiagramFormat::Mermaid),
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(DiagramFormat::Svg),
        Some(ending) if ["mmd", "mermaid"].iter().any(|known| ending.eq_ignore_ascii_case(known)) => Ok(DiagramFormat::Mermaid),
        _ => Err(format!("`{path}` says by its ending no kind of diagram; `.svg` is a graphic, `.mmd` text for Mermaid")),
    }
}

fn outline_text(outline: &Outline, format: DiagramFormat) -> String {
    match format {
        DiagramFormat::Svg => outline.svg(),
        DiagramFormat::Mermaid => outline.mermaid(),
    }
}

fn links_text(links: &Links, format: DiagramFormat) -> String {
    match format {
        DiagramFormat::Svg => links.svg(),
        DiagramFormat::Mermaid => links.mermaid(),
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
    let outcome = outcome.or_else(|faults| show_diagnostics(sources, &faults).and(Err(ExitReason::Findings)))?;
    Ok(outcome)
}
