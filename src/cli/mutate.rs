//! `houserule mutate`: which changes of rules and cards no test notices.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;
use serde::Serialize;

use super::args::MutateArgs;
use super::load::Ground;
use super::output::{Out, count, print, say, tell, watched, wrong};
use super::{Done, Trouble};
use crate::mutate::{Class, Equal, Mutant, Siblings, Subject, Verdict, judge, mutants_of_cards, mutants_of_rules, parse_equal};
use crate::source::Sources;

/// A change and what came of it.
struct Tried<'a> {
    name: &'a str,
    text: &'a str,
    mutant: Mutant,
    verdict: Verdict,
}

/// As it is written for machines.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    line: usize,
    class: &'static str,
    was: String,
    now: String,
    verdict: &'static str,
    by: &'a str,
}

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
    let mut mutants = mutants(&subject, args);
    let all = mutants.len();
    let (left_out, stale) = without_equal(&subject, &mut mutants, &equal);
    if let Some(size) = args.sample {
        let mut random = rand::rngs::StdRng::seed_from_u64(args.seed);
        mutants.shuffle(&mut random);
        mutants.truncate(size);
        mutants.sort_by_key(|(file, mutant)| (*file, mutant.start, mutant.end, mutant.now.clone()));
    }
    if mutants.is_empty() {
        return wrong(if all == 0 { "there is nothing to be changed here" } else { "all changes are listed as equal" });
    }
    let tried = try_all(&subject, mutants, args.threads)?;
    // What a machine reads is not mixed with what people read.
    if out.as_ref().is_none_or(|out| !out.is_terminal()) {
        let wanted = |tried: &&Tried<'_>| args.all || matches!(tried.verdict, Verdict::Unnoticed | Verdict::Broken);
        tried.iter().filter(wanted).for_each(|tried| print(&told(tried)));
        print(&format!("{}\n", table(&tried)));
        if tried.len() < all - left_out {
            print(&format!("{} of {} changes\n", tried.len(), all - left_out));
        }
        if left_out > 0 {
            print(&format!("{} left out as equal\n", count(left_out, "change")));
        }
    }
    for equal in stale.iter().filter(|equal| is_looked_through(&subject, args, &equal.file)) {
        say(&format!(
            "warning: no change is `{}` -> `{}` in `{}` of {}, which is listed as equal\n",
            equal.was, equal.now, equal.line, equal.file
        ));
    }
    if let Some(out) = out {
        out.json(&tried.iter().map(line).collect::<Vec<_>>())?;
    }
    let missed = tried.iter().any(|tried| matches!(tried.verdict, Verdict::Unnoticed | Verdict::Broken));
    if missed { Err(Trouble::Finding) } else { Ok(()) }
}

/// Whether all changes of a file have been made: with fewer a line of the list may just not have come up.
fn is_looked_through(subject: &Subject, args: &MutateArgs, file: &str) -> bool {
    let texts = subject.texts.iter().filter(|written| written.changed);
    let mut named = texts.filter(|written| written.name.strip_prefix("./").unwrap_or(&written.name) == file);
    args.only.is_empty() && named.any(|written| if written.rules { !args.cards } else { args.figures && !args.rules })
}

fn read_equal(path: &std::path::Path) -> Result<Vec<Equal>, Trouble> {
    let mut sources = Sources::new();
    let file = sources.read_file(path).or_else(|fault| wrong(format!("cannot read `{}`: {fault}", path.display())))?;
    parse_equal(sources.text(file)).or_else(|fault| wrong(format!("{}: {fault}", path.display())))
}

/// All changes that are wanted, by the number of the file.
fn mutants(subject: &Subject, args: &MutateArgs) -> Vec<(usize, Mutant)> {
    let mut siblings = Siblings::default();
    subject.texts.iter().filter(|text| text.rules).for_each(|text| siblings.add_rules(&text.text));
    let mut found = Vec::new();
    for (at, written) in subject.texts.iter().enumerate().filter(|(_, written)| written.changed) {
        let mutants = match written.rules {
            true if args.cards => continue,
            false if args.rules => continue,
            true => mutants_of_rules(&written.text, &siblings),
            false => {
                let file = Sources::new().add(&written.name, &written.text);
                mutants_of_cards(file, &written.text, args.figures, &siblings)
            }
        };
        let wanted = |mutant: &Mutant| {
            args.only.is_empty()
                || args.only.iter().any(|word| {
                    mutant.card.as_ref() == Some(word)
                        || written.name.contains(word.as_str())
                        || mutant.line(&written.text).1.contains(word.as_str())
                })
        };
        found.extend(mutants.into_iter().filter(|mutant| wanted(mutant)).map(|mutant| (at, mutant)));
    }
    found
}

/// Takes out what is listed as equal: how many, and what of the list is no change.
fn without_equal<'e>(subject: &Subject, mutants: &mut Vec<(usize, Mutant)>, equal: &'e [Equal]) -> (usize, Vec<&'e Equal>) {
    let before = mutants.len();
    let mut stale: Vec<&Equal> = equal.iter().collect();
    mutants.retain(|(file, mutant)| {
        let Some(written) = subject.texts.get(*file) else { return true };
        let listed = |equal: &&Equal| equal.is(&written.name, &written.text, mutant);
        let kept = !equal.iter().any(|equal| listed(&equal));
        stale.retain(|equal| !listed(equal));
        kept
    });
    (before - mutants.len(), stale)
}

fn try_all<'a>(subject: &'a Subject, mutants: Vec<(usize, Mutant)>, threads: u16) -> Result<Vec<Tried<'a>>, Trouble> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.into()).build();
    let pool = pool.or_else(|fault| wrong(format!("cannot start threads: {fault}")))?;
    let bar = if watched() { ProgressBar::new(mutants.len() as u64) } else { ProgressBar::hidden() };
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    let missed = AtomicUsize::new(0);
    let tried = pool.install(|| {
        let judged = mutants.into_par_iter().with_max_len(1).map_init(
            || subject.order(),
            |order, (file, mutant)| {
                let written = subject.texts.get(file)?;
                let verdict = judge(subject, written, &mutant, order);
                if verdict == Verdict::Unnoticed {
                    missed.fetch_add(1, Ordering::Relaxed);
                }
                bar.set_message(format!("{} unnoticed", missed.load(Ordering::Relaxed)));
                bar.inc(1);
                Some(Tried { name: &written.name, text: &written.text, mutant, verdict })
            },
        );
        judged.flatten().collect()
    });
    bar.finish_and_clear();
    Ok(tried)
}

/// A change in two lines.
fn told(tried: &Tried<'_>) -> String {
    let Line { file, line, class, was, now, verdict, by } = line(tried);
    let now = if now.is_empty() { "nothing".to_string() } else { format!("`{now}`") };
    let by = if by.is_empty() { String::new() } else { format!(" ({by})") };
    format!("{file}:{line}: {verdict}: {class}: `{was}` -> {now}{by}\n")
}

fn line<'a>(tried: &'a Tried<'_>) -> Line<'a> {
    let (was, now) = tried.mutant.change(tried.text);
    let (verdict, by) = match &tried.verdict {
        Verdict::Refused(by) => ("refused", by.as_str()),
        Verdict::Noticed(by) => ("noticed", by.as_str()),
        Verdict::Unnoticed => ("unnoticed", ""),
        Verdict::Broken => ("broken", ""),
    };
    let line = tried.mutant.line(tried.text).0;
    Line { file: tried.name, line, class: tried.mutant.class.word(), was, now, verdict, by }
}

/// How many of each class were noticed; what cannot be read does not count.
fn table(tried: &[Tried<'_>]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(["change", "made", "refused", "noticed", "unnoticed", "broken", "share noticed"]);
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    let mut row = |name: &str, wanted: &dyn Fn(&Tried<'_>) -> bool| {
        let of = |verdict: &dyn Fn(&Verdict) -> bool| tried.iter().filter(|tried| wanted(tried) && verdict(&tried.verdict)).count();
        let made = of(&|_| true);
        let noticed = of(&|verdict| matches!(verdict, Verdict::Noticed(_)));
        let unnoticed = of(&|verdict| *verdict == Verdict::Unnoticed);
        let broken = of(&|verdict| *verdict == Verdict::Broken);
        let refused = of(&|verdict| matches!(verdict, Verdict::Refused(_)));
        let readable = made - refused;
        if made > 0 {
            let mut share = String::new();
            let tenths = (noticed * 1000).checked_div(readable);
            let written = tenths.map(|tenths| write!(share, "{}.{} %", tenths / 10, tenths % 10));
            if written.is_none() {
                share.push('-');
            }
            table.add_row([
                name,
                &made.to_string(),
                &refused.to_string(),
                &noticed.to_string(),
                &unnoticed.to_string(),
                &broken.to_string(),
                &share,
            ]);
        }
    };
    for class in Class::ALL {
        row(class.word(), &|tried| tried.mutant.class == class);
    }
    row("all", &|_| true);
    table.trim_fmt()
}
