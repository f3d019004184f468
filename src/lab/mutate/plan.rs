//! Selects mutants and runs them on all cores.

use std::sync::atomic::{AtomicBool, Ordering};

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rayon::prelude::*;

use super::trial::{MutationSubject, SubjectText, Verdict, run_tests};
use super::{EquivalentMutant, Mutant, NameCategories, mutants_of_cards, mutants_of_rules};
use crate::source::Sources;
use crate::threads::Threads;

/// Which mutants are selected.
#[derive(Clone, Copy, Debug)]
pub struct MutantFilter<'a> {
    /// Whether mutants of the rules are selected.
    pub rules: bool,
    /// Whether mutants of the effects of cards are selected.
    pub cards: bool,
    /// Whether mutants of the printed values of cards are selected as well.
    pub figures: bool,
    /// Filters: ids of cards, or texts that occur in the line or the file name; empty for all.
    pub filters: &'a [String],
}

/// The selected mutants, and how the list of equivalent mutants applies to them.
#[derive(Clone, Debug)]
pub struct MutationPlan<'a> {
    /// The mutants to be tested, each with the index of its file among the texts of the subject.
    pub mutants: Vec<(usize, Mutant)>,
    /// Number of mutants selected, including those listed as equivalent.
    pub selected: usize,
    /// Number of the selected mutants that are listed as equivalent.
    pub equal: usize,
    /// Number of the selected mutants that only machine players could notice, who read what they change.
    pub of_machines: usize,
    /// Entries of the list that match no mutant, although all mutants of their file were generated.
    pub stale: Vec<&'a EquivalentMutant>,
    /// Entries of the list that match several mutants.
    pub ambiguous: Vec<&'a EquivalentMutant>,
}

/// A mutant with its result.
#[derive(Clone, Debug)]
pub struct MutantResult<'a> {
    /// The file that the mutant changes.
    pub written: &'a SubjectText,
    /// The mutant.
    pub mutant: Mutant,
    /// The result of running the tests against the mutant.
    pub verdict: Verdict,
}

impl MutantResult<'_> {
    /// Whether the mutant survived and should be examined.
    pub fn is_survivor(&self) -> bool {
        matches!(self.verdict, Verdict::Survived | Verdict::Panicked)
    }
}

/// Generates all selected mutants except those listed as equivalent.
pub fn plan<'e>(subject: &MutationSubject, filter: MutantFilter<'_>, equal: &'e [EquivalentMutant]) -> MutationPlan<'e> {
    let mut mutants = all_selected(subject, filter);
    let before = mutants.len();
    let ambiguous = equal.iter().filter(|equal| is_ambiguous(subject, &mutants, equal)).collect();
    let mut stale: Vec<&EquivalentMutant> = equal.iter().filter(|equal| is_fully_generated(subject, filter, equal)).collect();
    mutants.retain(|(file, mutant)| {
        let Some(written) = subject.texts.get(*file) else { return true };
        let listed = |equal: &&EquivalentMutant| equal.matches(&written.name, &written.text, mutant);
        stale.retain(|equal| !listed(equal));
        !equal.iter().any(|equal| listed(&equal))
    });
    let equal = before - mutants.len();
    MutationPlan { of_machines: 0, equal, selected: before, mutants, stale, ambiguous }
}

/// Whether an entry matches more than one mutant of its line.
fn is_ambiguous(subject: &MutationSubject, mutants: &[(usize, Mutant)], equal: &EquivalentMutant) -> bool {
    let line = |(file, mutant): &(usize, Mutant)| {
        let written = subject.texts.get(*file)?;
        equal.matches(&written.name, &written.text, mutant).then(|| (*file, mutant.first_line(&written.text).0))
    };
    let mut lines: Vec<_> = mutants.iter().filter_map(line).collect();
    let all = lines.len();
    lines.dedup();
    lines.len() < all
}

impl MutationPlan<'_> {
    /// Removes the mutants within parts that only machine players read, each given by the index of its file and its range there.
    pub fn leave_out_of_machines(&mut self, parts: &[(usize, usize, usize)]) {
        let before = self.mutants.len();
        let is_in =
            |at: usize, mutant: &Mutant| parts.iter().any(|&(file, start, end)| file == at && start <= mutant.start && mutant.end <= end);
        self.mutants.retain(|(file, mutant)| !is_in(*file, mutant));
        self.of_machines += before - self.mutants.len();
    }

    /// Keeps a random sample of this size, drawn by the seed, in the original order.
    pub fn sample(&mut self, size: usize, seed: u64) {
        let mut random = rand::rngs::StdRng::seed_from_u64(seed);
        self.mutants.shuffle(&mut random);
        self.mutants.truncate(size);
        self.mutants.sort_by_key(|(file, mutant)| (*file, mutant.start, mutant.end, mutant.replacement.clone()));
    }
}

fn all_selected(subject: &MutationSubject, filter: MutantFilter<'_>) -> Vec<(usize, Mutant)> {
    let mut siblings = NameCategories::default();
    subject.texts.iter().filter(|text| text.rules).for_each(|text| siblings.add_rules(&text.text));
    let mut found = Vec::new();
    for (at, written) in subject.texts.iter().enumerate().filter(|(_, written)| written.changed) {
        let mutants = match written.rules {
            true if filter.rules => mutants_of_rules(&written.text, &siblings),
            false if filter.cards => {
                let file = Sources::new().add(&written.name, &written.text);
                mutants_of_cards(file, &written.text, filter.figures, &siblings)
            }
            _ => continue,
        };
        let is_wanted = |mutant: &Mutant| {
            let is = |word: &String| {
                let in_name = written.name.contains(word.as_str());
                mutant.card.as_ref() == Some(word) || in_name || mutant.first_line(&written.text).1.contains(word.as_str())
            };
            filter.filters.is_empty() || filter.filters.iter().any(is)
        };
        found.extend(mutants.into_iter().filter(is_wanted).map(|mutant| (at, mutant)));
    }
    found
}

/// Whether all mutants of the file of an entry were generated: otherwise an entry without a match need not be obsolete.
fn is_fully_generated(subject: &MutationSubject, filter: MutantFilter<'_>, equal: &EquivalentMutant) -> bool {
    let mut named = subject.texts.iter().filter(|written| written.changed && equal.is_of(&written.name));
    let whole = |written: &SubjectText| if written.rules { filter.rules } else { filter.cards && filter.figures };
    filter.filters.is_empty() && named.any(whole)
}

/// Runs the tests against all mutants on this number of threads (0: one for each core), until `stop` is set. `done` is called for each mutant with
/// whether it survived.
///
/// # Errors
/// The threads could not be started.
pub fn try_all<'a>(
    subject: &'a MutationSubject,
    mutants: Vec<(usize, Mutant)>,
    threads: usize,
    stop: &AtomicBool,
    done: &(dyn Fn(bool) + Sync),
) -> Result<Vec<MutantResult<'a>>, String> {
    Ok(Threads::start(threads)?.install(|| {
        let judged = mutants.into_par_iter().with_max_len(1).map_init(
            || subject.initial_order(),
            |order, (file, mutant)| {
                let written = subject.texts.get(file).filter(|_| !stop.load(Ordering::Relaxed))?;
                let verdict = run_tests(subject, written, &mutant, order);
                let tried = MutantResult { written, mutant, verdict };
                done(tried.is_survivor());
                Some(tried)
            },
        );
        judged.flatten().collect()
    }))
}
