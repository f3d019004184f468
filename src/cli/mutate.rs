//! `houserule mutate`: finds changes of rules and cards that no test detects.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use super::args::MutateArgs;
use super::load::Workspace;
use super::output::{OutputFile, count, print, print_error, show_diagnostics, usage_error};
use super::result::{CommandResult, ExitReason};
use super::signals::STOP;
use super::stage::Stage;
use crate::diagnostic::nearest;
use crate::mutate::needless::{read_by_machines_alone, remove_sizes_without_effect};
use crate::mutate::{
    EquivalentMutant, Mutant, MutantFilter, MutantResult, MutationPlan, MutationSubject, parse_equal, plan, table, try_all,
};
use crate::source::Sources;

/// Runs `houserule mutate`.
pub fn mutate(workspace: &Workspace, args: &MutateArgs) -> CommandResult {
    workspace.expect_game(&args.game)?;
    if workspace.language().is_some() {
        return usage_error("`mutate` shows lines as they are written; leave out `--lang`");
    }
    let out = OutputFile::open_if(args.json.as_ref())?;
    let equal = match &args.equal {
        Some(path) => read_equal(path)?,
        None => Vec::new(),
    };
    let mut diagnostics = Vec::new();
    let mut sources = Sources::new();
    let subject = MutationSubject::load(&mut sources, workspace.root(), &args.game, &args.pack, &mut diagnostics);
    show_diagnostics(&sources, &diagnostics)?;
    let Some(subject) = subject else { return Err(ExitReason::Findings) };
    if subject.has_no_tests() {
        let of = if args.pack.is_empty() { "the game has" } else { "the packs have" };
        return usage_error(format!(
            "{of} no scenario and no test beside a card here, so that nobody could notice a change; `houserule new scenario` writes a first one"
        ));
    }
    if let Some(said) = subject.failing_test() {
        return usage_error(format!("a test fails before anything is changed: {said}"));
    }
    if let Some(path) = args.equal.as_ref().filter(|_| !equal.iter().any(|equal| subject.texts.iter().any(|text| equal.is_of(&text.name))))
    {
        print_error(&format!("warning: `{}` lists no change of a file of `{}`\n", path.display(), args.game));
    }
    let filter = MutantFilter { rules: !args.cards, cards: !args.rules, figures: args.figures, filters: &args.only };
    let mut planned = plan(&subject, filter, &equal);
    planned.leave_out_of_machines(&read_by_machines_alone(&subject));
    if let Some(size) = args.sample {
        planned.sample(size, args.seed);
    }
    if planned.mutants.is_empty() {
        return match planned.selected {
            0 => usage_error(format!("there is nothing to be changed here{}", meant_card(&subject, filter))),
            _ => usage_error("all changes are listed as equal, or only machine players read them"),
        };
    }
    let mut tried = try_watched(&subject, std::mem::take(&mut planned.mutants), args.threads.into())?;
    let (sizes, games) = remove_sizes_without_effect(&subject, &mut tried);
    // If JSON goes to the terminal, the text report is omitted.
    if out.as_ref().is_none_or(|out| !out.is_terminal()) {
        print(&results_as_text(&tried, &planned, sizes, games, args.all));
    }
    for equal in &planned.stale {
        print_error(&format!(
            "warning: no change is `{}` -> `{}` in `{}` of {}, which is listed as equal\n",
            equal.original, equal.replacement, equal.line, equal.file
        ));
    }
    for equal in &planned.ambiguous {
        print_error(&format!(
            "warning: `{}` -> `{}` in `{}` of {}, which is listed as equal, is more than one change; say which by `at`, 1 for the first\n",
            equal.original, equal.replacement, equal.line, equal.file
        ));
    }
    if let Some(out) = out {
        out.write_json(&tried.iter().map(MutantResult::for_json).collect::<Vec<_>>())?;
    }
    if tried.iter().any(MutantResult::is_survivor) { Err(ExitReason::Findings) } else { Ok(()) }
}

/// Returns a question whether another card was meant by `--only`, if one has nearly that id.
fn meant_card(subject: &MutationSubject, filter: MutantFilter<'_>) -> String {
    let all = plan(subject, MutantFilter { filters: &[], ..filter }, &[]).mutants;
    let ids: BTreeSet<&str> = all.iter().filter_map(|(_, mutant)| mutant.card.as_deref()).collect();
    let near = filter.filters.iter().find_map(|word| nearest(word, ids.iter().copied()));
    near.map_or(String::new(), |near| format!("; did you mean `--only {near}`?"))
}

fn read_equal(path: &std::path::Path) -> Result<Vec<EquivalentMutant>, ExitReason> {
    let mut sources = Sources::new();
    let file = sources.read_file(path).or_else(|fault| usage_error(format!("cannot read `{}`: {fault}", path.display())))?;
    parse_equal(sources.text(file)).or_else(|fault| usage_error(format!("{}: {fault}", path.display())))
}

/// Runs the tests against all mutants, as far as nobody stops them.
fn try_watched(subject: &MutationSubject, mutants: Vec<(usize, Mutant)>, threads: usize) -> Result<Vec<MutantResult<'_>>, ExitReason> {
    let (stage, missed, done) = (Stage::begin(mutants.len() as u64, "changes", None), AtomicU64::new(0), AtomicU64::new(0));
    let on_done = |is_missed| {
        let missed = missed.fetch_add(u64::from(is_missed), Ordering::Relaxed) + u64::from(is_missed);
        stage.note(format!(", {missed} unnoticed"));
        stage.done(done.fetch_add(1, Ordering::Relaxed) + 1);
    };
    try_all(subject, mutants, threads, &STOP, &on_done).or_else(usage_error)
}

/// Lists the surviving mutants, or all of them, followed by the share of mutants that the tests detected.
fn results_as_text(tried: &[MutantResult<'_>], planned: &MutationPlan<'_>, sizes: usize, games: u64, all: bool) -> String {
    let mut text: String = tried.iter().filter(|tried| all || tried.is_survivor()).map(MutantResult::text).collect();
    text.push_str(&table(tried));
    text.push('\n');
    let could = planned.selected - planned.equal - planned.of_machines;
    if tried.len() + sizes < could {
        text.push_str(&format!("{} of {could} changes\n", tried.len() + sizes));
    }
    if planned.of_machines > 0 {
        text.push_str(&format!("{} left out that only machine players read\n", count(planned.of_machines, "change")));
    }
    if sizes > 0 {
        let sizes = count(sizes, "change");
        text.push_str(&format!("{sizes} left out of sizes of places, with which {games} trial games go as before\n"));
    }
    if planned.equal > 0 {
        text.push_str(&format!("{} left out as equal\n", count(planned.equal, "change")));
    }
    text
}
