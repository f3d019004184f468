//! The thread that loads and checks: of several changes the last counts, and what is asked meanwhile is answered by others.
//!
//! What a changed document belongs to gets its first pass at once. When nothing more has come for a moment (`SETTLE`), all else that
//! may name the same things gets its first pass, and then everything its second one. A change that comes meanwhile breaks these off
//! between their stages; they are made again when it is quiet.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use crate::diagnostic::Diagnostic;
use crate::source::Sources;

use super::analysis::{Analysis, Known, Texts, Whole};
use super::kept::Kept;

/// So long nothing may come before what costs more is begun.
const SETTLE: Duration = Duration::from_millis(120);

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
    /// A game or pack, with the texts of the job of this number.
    Analysis(u64, Arc<Analysis>),
    /// What is wrong with a document of which nobody can tell what it belongs to.
    Alone(PathBuf, Sources, Vec<Diagnostic>),
    /// Why a document belongs to nothing.
    Nothing(PathBuf, String),
    /// All changes up to the job of this number have been looked at.
    Rest(u64),
}

/// Works until nobody sends jobs any more.
pub fn work(finder: &Finder, jobs: &Receiver<Job>, tell: &dyn Fn(Found)) {
    let inbox = Inbox { jobs, next: RefCell::default(), ended: Cell::default() };
    let mut desk = Desk::default();
    loop {
        // What was asked for by an edit is not waited with.
        let job = match (desk.is_empty(), desk.at_once.is_empty()) {
            (true, _) => inbox.wait(None),
            (false, true) if !desk.is_settled => inbox.wait(Some(SETTLE)),
            (false, _) => inbox.take(),
        };
        match job {
            Some(job) => desk.plan(finder, job, tell),
            None if inbox.ended.get() => return,
            None if desk.at_once.is_empty() && !desk.is_settled => desk.is_settled = true,
            None => desk.work(&inbox, tell),
        }
    }
}

/// Jobs that have come, as one.
struct Inbox<'j> {
    jobs: &'j Receiver<Job>,
    next: RefCell<Option<Job>>,
    /// Whether nobody sends any more.
    ended: Cell<bool>,
}

impl Inbox<'_> {
    /// What came since is looked at together.
    fn put(&self, new: Job) {
        let mut next = self.next.borrow_mut();
        let changed = next.take().map(|old| old.changed).unwrap_or_default();
        *next = Some(Job { changed: changed.into_iter().chain(new.changed).collect(), ..new });
    }

    /// Whether nothing has come.
    fn is_empty(&self) -> bool {
        loop {
            match self.jobs.try_recv() {
                Ok(job) => self.put(job),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.ended.set(true);
                    break;
                }
            }
        }
        self.next.borrow().is_none() && !self.ended.get()
    }

    fn take(&self) -> Option<Job> {
        let _ = self.is_empty();
        self.next.borrow_mut().take()
    }

    /// What comes, if it comes in time.
    fn wait(&self, most: Option<Duration>) -> Option<Job> {
        if self.is_empty() {
            let come = match most {
                None => self.jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(most) => self.jobs.recv_timeout(most),
            };
            match come {
                Ok(job) => self.put(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.ended.set(true),
            }
        }
        self.take()
    }
}

/// What is to be done, and what is known.
#[derive(Default)]
struct Desk {
    texts: Texts,
    number: u64,
    /// First passes of what changed documents belong to.
    at_once: Vec<Whole>,
    /// First passes of all else.
    others: Vec<Whole>,
    /// Second passes.
    further: Vec<Whole>,
    /// Whether nothing has come for a moment.
    is_settled: bool,
    kept: Kept,
    last: BTreeMap<Whole, Arc<Analysis>>,
}

impl Desk {
    fn is_empty(&self) -> bool {
        self.at_once.is_empty() && self.others.is_empty() && self.further.is_empty()
    }

    /// What a job makes it necessary to look at.
    fn plan(&mut self, finder: &Finder, job: Job, tell: &dyn Fn(Found)) {
        (self.texts, self.number, self.is_settled) = (job.texts, job.number, false);
        for path in job.changed {
            match finder(&path, &self.texts) {
                Belongs::To(whole, others) => {
                    tell(Found::Alone(path.clone(), Sources::new(), Vec::new()));
                    tell(Found::Home(path, Some(whole.clone())));
                    others.iter().chain([&whole]).for_each(|one| add(&mut self.further, one));
                    others.iter().for_each(|other| add(&mut self.others, other));
                    add(&mut self.at_once, &whole);
                }
                Belongs::Faulty(sources, diagnostics) => {
                    tell(Found::Home(path.clone(), None));
                    tell(Found::Alone(path, sources, diagnostics));
                }
                Belongs::Nothing(why) => {
                    tell(Found::Home(path.clone(), None));
                    tell(Found::Nothing(path, why));
                }
            }
        }
        let Desk { at_once, others, .. } = self;
        others.retain(|other| !at_once.contains(other));
        self.rest(tell);
    }

    /// Does what comes next.
    fn work(&mut self, inbox: &Inbox, tell: &dyn Fn(Found)) {
        let quiet = || inbox.is_empty();
        let done = if !self.at_once.is_empty() {
            // Who types fast is answered, too.
            let whole = self.at_once.remove(0);
            self.first(&whole, &|| true)
        } else if let Some(whole) = self.others.first().cloned() {
            let done = self.first(&whole, &quiet);
            if done.is_some() {
                self.others.remove(0);
            }
            done
        } else if let Some(whole) = self.further.first().cloned() {
            let done = self.last.get(&whole).map(|last| last.with_further(&quiet));
            // What was never looked at is gone.
            if !matches!(done, Some(None)) {
                self.further.remove(0);
            }
            done.flatten()
        } else {
            None
        };
        if let Some(found) = done {
            let found = Arc::new(found);
            self.last.insert(found.whole.clone(), Arc::clone(&found));
            tell(Found::Analysis(self.number, found));
        }
        self.rest(tell);
    }

    fn first(&mut self, whole: &Whole, go_on: &dyn Fn() -> bool) -> Option<Analysis> {
        match self.last.get(whole) {
            Some(last) => Analysis::first(whole, &self.texts, &last.known, &mut self.kept, go_on),
            None => {
                // Files of a game are the same with all its packs.
                let all = self.last.values().flat_map(|one| &one.known);
                let before: Known = all.map(|(name, seen)| (name.clone(), Arc::clone(seen))).collect();
                Analysis::first(whole, &self.texts, &before, &mut self.kept, go_on)
            }
        }
    }

    fn rest(&mut self, tell: &dyn Fn(Found)) {
        if self.is_empty() {
            self.kept.turn_over();
            tell(Found::Rest(self.number));
        }
    }
}

fn add(all: &mut Vec<Whole>, one: &Whole) {
    if !all.contains(one) {
        all.push(one.clone());
    }
}
