//! `houserule mutate`: which changes of rules and cards no test notices.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::args::MutateArgs;
use super::load::Ground;
use super::output::{Out, count, print, say, tell, watched, wrong};
use super::{Done, Trouble};
use crate::mutate::{Equal, Mutant, Planned, Subject, Tried, Wanted, parse_equal, plan, table, try_all};
use crate::source::Sources;

/// Changes texts, one place at a time, and asks the tests.
pub fn mutate(ground: &Ground, args: &MutateArgs) -> Done {
    ground.expect_game(&args.game)?;
    if ground.language().is_some() {
        return wrong("`mutate` shows lines as they are written; leave out `--lang`");
    }
    let out = Out::open_if(args.json.as_ref())?;
    let equal = match &args.equal {
        Some(path) => read_equal(path)?,
        None => Vec::new(),
    };
    let mut diagnostics = Vec::new();
    let mut sources = Sources::new();
    let subject = Subject::load(&mut sources, ground.root(), &args.game, &args.pack, &mut diagnostics);
    tell(&sources, &diagnostics)?;
    let Some(subject) = subject else { return Err(Trouble::Finding) };
    if let Some(said) = subject.failing() {
        return wrong(format!("a test fails before anything is changed: {said}"));
    }
    let wanted = Wanted { rules: !args.cards, cards: !args.rules, figures: args.figures, only: &args.only };
    let mut planned = plan(&subject, wanted, &equal);
    if let Some(size) = args.sample {
        planned.sample(size, args.seed);
    }
    if planned.mutants.is_empty() {
        return wrong(if planned.wanted == 0 { "there is nothing to be changed here" } else { "all changes are listed as equal" });
    }
    let tried = try_watched(&subject, std::mem::take(&mut planned.mutants), args.threads.into())?;
    // What a machine reads is not mixed with what people read.
    if out.as_ref().is_none_or(|out| !out.is_terminal()) {
        print(&text(&tried, &planned, args.all));
    }
    for equal in &planned.stale {
        say(&format!(
            "warning: no change is `{}` -> `{}` in `{}` of {}, which is listed as equal\n",
            equal.was, equal.now, equal.line, equal.file
        ));
    }
    if let Some(out) = out {
        out.json(&tried.iter().map(Tried::line).collect::<Vec<_>>())?;
    }
    if tried.iter().any(Tried::is_missed) { Err(Trouble::Finding) } else { Ok(()) }
}

fn read_equal(path: &std::path::Path) -> Result<Vec<Equal>, Trouble> {
    let mut sources = Sources::new();
    let file = sources.read_file(path).or_else(|fault| wrong(format!("cannot read `{}`: {fault}", path.display())))?;
    parse_equal(sources.text(file)).or_else(|fault| wrong(format!("{}: {fault}", path.display())))
}

/// Tries all changes; who watches sees how far it has come.
fn try_watched(subject: &Subject, mutants: Vec<(usize, Mutant)>, threads: usize) -> Result<Vec<Tried<'_>>, Trouble> {
    let bar = if watched() { ProgressBar::new(mutants.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let missed = AtomicUsize::new(0);
    let done = |is_missed| {
        let missed = missed.fetch_add(usize::from(is_missed), Ordering::Relaxed) + usize::from(is_missed);
        bar.set_message(format!("{missed} unnoticed"));
        bar.inc(1);
    };
    let tried = try_all(subject, mutants, threads, &done).or_else(|fault| wrong(format!("cannot start threads: {fault}")));
    bar.finish_and_clear();
    tried
}

/// What was missed, or all that was tried; then how much of it was noticed.
fn text(tried: &[Tried<'_>], planned: &Planned<'_>, all: bool) -> String {
    let mut text: String = tried.iter().filter(|tried| all || tried.is_missed()).map(Tried::text).collect();
    text.push_str(&table(tried));
    text.push('\n');
    let could = planned.wanted - planned.equal;
    if tried.len() < could {
        text.push_str(&format!("{} of {could} changes\n", tried.len()));
    }
    if planned.equal > 0 {
        text.push_str(&format!("{} left out as equal\n", count(planned.equal, "change")));
    }
    text
}
