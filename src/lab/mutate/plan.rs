//! Which changes are tried, and trying them on all cores.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::trial::{Subject, Verdict, Written, judge};
use super::{Equal, Mutant, Siblings, mutants_of_cards, mutants_of_rules};
use crate::source::Sources;

/// Which changes are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Those of rules.
    pub rules: bool,
    /// Those of what cards do.
    pub cards: bool,
    /// Of cards, those of their figures, too.
    pub figures: bool,
    /// Only those of such a card, or where this stands in the line or in the file's name; all, if there is nothing.
    pub only: &'a [String],
}

/// What is to be tried.
#[derive(Clone, Debug)]
pub struct Planned<'a> {
    /// The changes, each with the number of its file among the texts of the subject.
    pub mutants: Vec<(usize, Mutant)>,
    /// How many were wanted, those that are listed as equal among them.
    pub wanted: usize,
    /// How many of these are listed as equal.
    pub equal: usize,
    /// What is listed as equal, in a file that is looked through whole, and is no change.
    pub stale: Vec<&'a Equal>,
    /// What is listed as equal without saying which of several alike in a line it is.
    pub unclear: Vec<&'a Equal>,
}

/// A change and what came of it.
#[derive(Clone, Debug)]
pub struct Tried<'a> {
    /// The file.
    pub written: &'a Written,
    /// The change.
    pub mutant: Mutant,
    /// What the tests say.
    pub verdict: Verdict,
}

impl Tried<'_> {
    /// Whether somebody should look at it.
    pub fn is_missed(&self) -> bool {
        matches!(self.verdict, Verdict::Unnoticed | Verdict::Broken)
    }
}

/// All changes that are wanted but those that are listed as equal.
pub fn plan<'e>(subject: &Subject, wanted: Wanted<'_>, equal: &'e [Equal]) -> Planned<'e> {
    let mut mutants = all_wanted(subject, wanted);
    let before = mutants.len();
    let unclear = equal.iter().filter(|equal| is_unclear(subject, &mutants, equal)).collect();
    let mut stale: Vec<&Equal> = equal.iter().filter(|equal| is_looked_through(subject, wanted, &equal.file)).collect();
    mutants.retain(|(file, mutant)| {
        let Some(written) = subject.texts.get(*file) else { return true };
        let listed = |equal: &&Equal| equal.is(&written.name, &written.text, mutant);
        stale.retain(|equal| !listed(equal));
        !equal.iter().any(|equal| listed(&equal))
    });
    Planned { equal: before - mutants.len(), wanted: before, mutants, stale, unclear }
}

/// Whether an entry stands for more than one change of a line.
fn is_unclear(subject: &Subject, mutants: &[(usize, Mutant)], equal: &Equal) -> bool {
    let line = |(file, mutant): &(usize, Mutant)| {
        let written = subject.texts.get(*file)?;
        equal.is(&written.name, &written.text, mutant).then(|| (*file, mutant.line(&written.text).0))
    };
    let mut lines: Vec<_> = mutants.iter().filter_map(line).collect();
    let all = lines.len();
    lines.dedup();
    lines.len() < all
}

impl Planned<'_> {
    /// Leaves so many, drawn by a seed; they stay in the order of the texts.
    pub fn sample(&mut self, size: usize, seed: u64) {
        let mut random = rand::rngs::StdRng::seed_from_u64(seed);
        self.mutants.shuffle(&mut random);
        self.mutants.truncate(size);
        self.mutants.sort_by_key(|(file, mutant)| (*file, mutant.start, mutant.end, mutant.now.clone()));
    }
}

fn all_wanted(subject: &Subject, wanted: Wanted<'_>) -> Vec<(usize, Mutant)> {
    let mut siblings = Siblings::default();
    subject.texts.iter().filter(|text| text.rules).for_each(|text| siblings.add_rules(&text.text));
    let mut found = Vec::new();
    for (at, written) in subject.texts.iter().enumerate().filter(|(_, written)| written.changed) {
        let mutants = match written.rules {
            true if wanted.rules => mutants_of_rules(&written.text, &siblings),
            false if wanted.cards => {
                let file = Sources::new().add(&written.name, &written.text);
                mutants_of_cards(file, &written.text, wanted.figures, &siblings)
            }
            _ => continue,
        };
        let is_wanted = |mutant: &Mutant| {
            let is = |word: &String| {
                let in_name = written.name.contains(word.as_str());
                mutant.card.as_ref() == Some(word) || in_name || mutant.line(&written.text).1.contains(word.as_str())
            };
            wanted.only.is_empty() || wanted.only.iter().any(is)
        };
        found.extend(mutants.into_iter().filter(is_wanted).map(|mutant| (at, mutant)));
    }
    found
}

/// Whether all changes of a file have been made: with fewer a line of the list may just not have come up.
fn is_looked_through(subject: &Subject, wanted: Wanted<'_>, file: &str) -> bool {
    let texts = subject.texts.iter().filter(|written| written.changed);
    let mut named = texts.filter(|written| written.name.strip_prefix("./").unwrap_or(&written.name) == file);
    let whole = |written: &Written| if written.rules { wanted.rules } else { wanted.cards && wanted.figures };
    wanted.only.is_empty() && named.any(whole)
}

/// Tries all changes on so many threads (0: one for each core); `done` hears of each whether it was missed.
///
/// # Errors
/// If there can be no threads.
pub fn try_all<'a>(
    subject: &'a Subject,
    mutants: Vec<(usize, Mutant)>,
    threads: usize,
    done: &(dyn Fn(bool) + Sync),
) -> Result<Vec<Tried<'a>>, rayon::ThreadPoolBuildError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(|| {
        let judged = mutants.into_par_iter().with_max_len(1).map_init(
            || subject.order(),
            |order, (file, mutant)| {
                let written = subject.texts.get(file)?;
                let verdict = judge(subject, written, &mutant, order);
                let tried = Tried { written, mutant, verdict };
                done(tried.is_missed());
                Some(tried)
            },
        );
        judged.flatten().collect()
    }))
}
