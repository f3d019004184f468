//! The thread that loads and checks games. Of several changes only the last counts; requests are answered by the server meanwhile.
//!
//! The game or pack of a changed document gets its first pass at once. After a pause (`QUIET_TIME`), everything else that may refer to the
//! same names gets its first pass, and then everything its second pass. A new change cancels these between their stages; they are
//! repeated after the next pause.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use crate::diagnostic::Diagnostic;
use crate::source::Sources;

use super::analysis::{AnalysedFiles, Analysis, AnalysisUnit, OpenTexts};
use super::cache::ParseCache;

/// Time without changes after which the expensive passes begin.
const QUIET_TIME: Duration = Duration::from_millis(120);

/// The game or pack that a file belongs to.
pub enum FileOwner {
    /// A game or pack, and the others of the same game that may refer to the same names.
    Unit(AnalysisUnit, Vec<AnalysisUnit>),
    /// A pack whose dependencies cannot be determined, with diagnostics.
    InvalidPack(Sources, Vec<Diagnostic>),
    /// No game or pack; the text says why.
    NoGame(String),
}

/// A function that determines the game or pack a file belongs to, given the texts of open documents.
pub type FindOwner = Box<dyn Fn(&Path, &OpenTexts) -> FileOwner + Send>;

/// A request to check changed documents.
pub struct Job {
    /// Texts of all open documents.
    pub texts: OpenTexts,
    /// Paths of the documents that have changed.
    pub changed: BTreeSet<PathBuf>,
    /// Number of the job, in ascending order.
    pub number: u64,
}

/// A result that the worker reports to the server.
pub enum WorkResult {
    /// The game or pack that the document at this path belongs to; `None` if it belongs to none.
    Owner(PathBuf, Option<AnalysisUnit>),
    /// The analysis of a game or pack, with the number of the job whose texts it used.
    Analysis(u64, Arc<Analysis>),
    /// Diagnostics of a document whose game cannot be determined.
    Unowned(PathBuf, Sources, Vec<Diagnostic>),
    /// The document at this path belongs to no game; the text says why.
    NoOwner(PathBuf, String),
    /// All changes up to the job of this number have been checked.
    Idle(u64),
}

/// Receives and does jobs until their sender is dropped; results go to `report`.
pub fn work(finder: &FindOwner, jobs: &Receiver<Job>, report: &dyn Fn(WorkResult)) {
    let inbox = Inbox { jobs, next: RefCell::default(), ended: Cell::default() };
    let mut desk = WorkerState::default();
    loop {
        // A job caused by an edit is started without waiting.
        let job = match (desk.is_empty(), desk.urgent_passes.is_empty()) {
            (true, _) => inbox.wait(None),
            (false, true) if !desk.is_quiet => inbox.wait(Some(QUIET_TIME)),
            (false, _) => inbox.take(),
        };
        match job {
            Some(job) => desk.plan(finder, job, report),
            None if inbox.ended.get() => return,
            None if desk.urgent_passes.is_empty() && !desk.is_quiet => desk.is_quiet = true,
            None => desk.work(&inbox, report),
        }
    }
}

/// The same work in pieces, where there is no thread for it.
pub struct StepWorker {
    finder: FindOwner,
    jobs: Receiver<Job>,
    desk: WorkerState,
}

impl StepWorker {
    /// Takes jobs from a queue.
    pub fn new(finder: FindOwner, jobs: Receiver<Job>) -> StepWorker {
        StepWorker { finder, jobs, desk: WorkerState::default() }
    }

    /// Does one piece of work; results go to `report`. Returns whether more is left to do.
    pub fn step(&mut self, report: &dyn Fn(WorkResult)) -> bool {
        let inbox = Inbox { jobs: &self.jobs, next: RefCell::default(), ended: Cell::default() };
        match inbox.take() {
            Some(job) => self.desk.plan(&self.finder, job, report),
            None if self.desk.is_empty() => return false,
            None => self.desk.work(&inbox, report),
        }
        // What came during the work waits in the inbox, which ends here.
        if let Some(job) = inbox.take() {
            self.desk.plan(&self.finder, job, report);
        }
        true
    }
}

/// Collects received jobs and merges them into one.
struct Inbox<'j> {
    jobs: &'j Receiver<Job>,
    next: RefCell<Option<Job>>,
    /// Whether the sender of jobs was dropped.
    ended: Cell<bool>,
}

impl Inbox<'_> {
    /// Merges a new job with those received before.
    fn add_job(&self, new: Job) {
        let mut next = self.next.borrow_mut();
        let changed = next.take().map(|old| old.changed).unwrap_or_default();
        *next = Some(Job { changed: changed.into_iter().chain(new.changed).collect(), ..new });
    }

    /// Whether no job has been received.
    fn is_empty(&self) -> bool {
        loop {
            match self.jobs.try_recv() {
                Ok(job) => self.add_job(job),
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

    /// Waits for a job, at most for the given time.
    fn wait(&self, most: Option<Duration>) -> Option<Job> {
        if self.is_empty() {
            let come = match most {
                None => self.jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(most) => self.jobs.recv_timeout(most),
            };
            match come {
                Ok(job) => self.add_job(job),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => self.ended.set(true),
            }
        }
        self.take()
    }
}

/// Pending passes and the latest results.
#[derive(Default)]
struct WorkerState {
    texts: OpenTexts,
    number: u64,
    /// Games and packs of changed documents, whose first pass is pending.
    urgent_passes: Vec<AnalysisUnit>,
    /// All other games and packs whose first pass is pending.
    other_passes: Vec<AnalysisUnit>,
    /// Games and packs whose second pass is pending.
    second_passes: Vec<AnalysisUnit>,
    /// Whether the pause after the last change is over.
    is_quiet: bool,
    cache: ParseCache,
    latest: BTreeMap<AnalysisUnit, Arc<Analysis>>,
}

impl WorkerState {
    fn is_empty(&self) -> bool {
        self.urgent_passes.is_empty() && self.other_passes.is_empty() && self.second_passes.is_empty()
    }

    /// Schedules the passes that a new job requires.
    fn plan(&mut self, finder: &FindOwner, job: Job, report: &dyn Fn(WorkResult)) {
        (self.texts, self.number, self.is_quiet) = (job.texts, job.number, false);
        for path in job.changed {
            match finder(&path, &self.texts) {
                FileOwner::Unit(unit, other_passes) => {
                    report(WorkResult::Unowned(path.clone(), Sources::new(), Vec::new()));
                    report(WorkResult::Owner(path, Some(unit.clone())));
                    other_passes.iter().chain([&unit]).for_each(|one| add(&mut self.second_passes, one));
                    other_passes.iter().for_each(|other| add(&mut self.other_passes, other));
                    add(&mut self.urgent_passes, &unit);
                }
                FileOwner::InvalidPack(sources, diagnostics) => {
                    report(WorkResult::Owner(path.clone(), None));
                    report(WorkResult::Unowned(path, sources, diagnostics));
                }
                FileOwner::NoGame(why) => {
                    report(WorkResult::Owner(path.clone(), None));
                    report(WorkResult::NoOwner(path, why));
                }
            }
        }
        let WorkerState { urgent_passes: urgent, other_passes, .. } = self;
        other_passes.retain(|other| !urgent.contains(other));
        self.report_idle(report);
    }

    /// Runs the next pending pass.
    fn work(&mut self, inbox: &Inbox, report: &dyn Fn(WorkResult)) {
        let quiet = || inbox.is_empty();
        let done = if !self.urgent_passes.is_empty() {
            // Fast typists get answers, too.
            let unit = self.urgent_passes.remove(0);
            self.run_first_pass(&unit, &|| true)
        } else if let Some(unit) = self.other_passes.first().cloned() {
            let done = self.run_first_pass(&unit, &quiet);
            if done.is_some() {
                self.other_passes.remove(0);
            }
            done
        } else if let Some(unit) = self.second_passes.first().cloned() {
            let done = self.latest.get(&unit).map(|latest| latest.with_second_pass(&quiet));
            // A game or pack without a result has disappeared.
            if !matches!(done, Some(None)) {
                self.second_passes.remove(0);
            }
            done.flatten()
        } else {
            None
        };
        if let Some(found) = done {
            let found = Arc::new(found);
            self.latest.insert(found.unit.clone(), Arc::clone(&found));
            report(WorkResult::Analysis(self.number, found));
        }
        self.report_idle(report);
    }

    fn run_first_pass(&mut self, unit: &AnalysisUnit, keep_going: &dyn Fn() -> bool) -> Option<Analysis> {
        match self.latest.get(unit) {
            Some(latest) => {
                let mut found = Analysis::first_pass(unit, &self.texts, &latest.files, &mut self.cache, keep_going)?;
                // Half a line cannot be compiled: whoever writes it is helped by what was there before.
                found.rules = found.rules.or_else(|| latest.rules.clone());
                Some(found)
            }
            None => {
                // Files of a game are shared by all analyses with its packs.
                let all = self.latest.values().flat_map(|one| &one.files);
                let before: AnalysedFiles = all.map(|(name, seen)| (name.clone(), Arc::clone(seen))).collect();
                Analysis::first_pass(unit, &self.texts, &before, &mut self.cache, keep_going)
            }
        }
    }

    fn report_idle(&mut self, report: &dyn Fn(WorkResult)) {
        if self.is_empty() {
            self.cache.next_round();
            report(WorkResult::Idle(self.number));
        }
    }
}

fn add(all: &mut Vec<AnalysisUnit>, one: &AnalysisUnit) {
    if !all.contains(one) {
        all.push(one.clone());
    }
}
