//! The thread that loads and checks: of several changes the last counts, and what is asked meanwhile is answered by others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError};

use crate::diagnostic::Diagnostic;
use crate::source::Sources;

use super::analysis::{Analysis, Known, Texts, Whole};

/// What a file belongs to.
pub enum Belongs {
    /// A game or pack, and what else of the same game may name the same things.
    To(Whole, Vec<Whole>),
    /// A pack of which nobody can tell what it builds on.
    Faulty(Sources, Vec<Diagnostic>),
    /// Nothing: why.
    Nothing(String),
}

/// Tells what a file belongs to, with texts of open documents.
pub type Finder = Box<dyn Fn(&Path, &Texts) -> Belongs + Send>;

/// What is to be looked at.
pub struct Job {
    /// All open documents.
    pub texts: Texts,
    /// Those that have changed.
    pub changed: BTreeSet<PathBuf>,
    /// Its number.
    pub number: u64,
}

/// What was found.
pub enum Found {
    /// What a document belongs to.
    Home(PathBuf, Option<Whole>),
    /// A game or pack.
    Analysis(Box<Analysis>),
    /// What is wrong with a document of which nobody can tell what it belongs to.
    Alone(PathBuf, Sources, Vec<Diagnostic>),
    /// Why a document belongs to nothing.
    Nothing(PathBuf, String),
    /// All changes up to the job of this number have been looked at.
    Rest(u64),
}

/// Works until nobody sends jobs any more.
pub fn work(finder: &Finder, jobs: &Receiver<Job>, tell: &dyn Fn(Found)) {
    let mut known: BTreeMap<Whole, Known> = BTreeMap::new();
    let mut waiting: Vec<(Whole, bool)> = Vec::new();
    let (mut texts, mut number) = (Texts::new(), 0);
    loop {
        let job = match waiting.is_empty() {
            true => jobs.recv().map_err(|_| TryRecvError::Disconnected),
            false => jobs.try_recv(),
        };
        match job {
            Ok(mut job) => {
                // What came since is looked at together.
                while let Ok(next) = jobs.try_recv() {
                    job.changed.extend(next.changed);
                    (job.texts, job.number) = (next.texts, next.number);
                }
                (texts, number) = (job.texts, job.number);
                for path in &job.changed {
                    plan(finder, path, &texts, &mut waiting, tell);
                }
                waiting.sort_by_key(|(_, own)| !own);
                if !waiting.is_empty() {
                    continue;
                }
            }
            Err(TryRecvError::Disconnected) => return,
            Err(TryRecvError::Empty) => {}
        }
        if !waiting.is_empty() {
            let (whole, _) = waiting.remove(0);
            // Files of a game are the same with all its packs.
            let before = known.values().fold(Known::new(), |mut all, one| {
                all.extend(one.iter().map(|(name, found)| (name.clone(), found.clone())));
                all
            });
            let before = known.get(&whole).unwrap_or(&before);
            let found = Analysis::of(&whole, &texts, before);
            known.insert(whole, found.known.clone());
            tell(Found::Analysis(Box::new(found)));
        }
        if waiting.is_empty() {
            tell(Found::Rest(number));
        }
    }
}

/// What a change makes it necessary to look at.
fn plan(finder: &Finder, path: &Path, texts: &Texts, waiting: &mut Vec<(Whole, bool)>, tell: &dyn Fn(Found)) {
    match finder(path, texts) {
        Belongs::To(whole, others) => {
            tell(Found::Alone(path.to_path_buf(), Sources::new(), Vec::new()));
            tell(Found::Home(path.to_path_buf(), Some(whole.clone())));
            for (one, own) in [(whole, true)].into_iter().chain(others.into_iter().map(|other| (other, false))) {
                match waiting.iter_mut().find(|(known, _)| *known == one) {
                    Some((_, known)) => *known |= own,
                    None => waiting.push((one, own)),
                }
            }
        }
        Belongs::Faulty(sources, diagnostics) => {
            tell(Found::Home(path.to_path_buf(), None));
            tell(Found::Alone(path.to_path_buf(), sources, diagnostics));
        }
        Belongs::Nothing(why) => {
            tell(Found::Home(path.to_path_buf(), None));
            tell(Found::Nothing(path.to_path_buf(), why));
        }
    }
}
