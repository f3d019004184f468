//! The threads on which games are played. Where there are none, as in a browser, everything runs on the one that there is.

use std::sync::mpsc;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads that wait for work.
#[derive(Debug)]
pub struct Threads {
    /// None where there is but one thread.
    pool: Option<ThreadPool>,
}

impl Threads {
    /// Starts so many threads; 0 for one on each core.
    ///
    /// # Errors
    /// Why they could not be started.
    pub fn start(count: usize) -> Result<Threads, String> {
        if cfg!(target_family = "wasm") {
            return Ok(Threads { pool: None });
        }
        let pool = ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(|pool| Threads { pool: Some(pool) }).map_err(|fault| format!("cannot start threads: {fault}"))
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Runs work whose parallel iterators use these threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Runs work on each thread, and waits for all.
    pub fn on_each(&self, work: impl Fn() + Sync) {
        match &self.pool {
            Some(pool) => pool.scope(|scope| (0..self.count()).for_each(|_| scope.spawn(|_| work()))),
            None => work(),
        }
    }

    /// Lets each thread go through an iterator of its own, and hands what they find, as it comes, to the calling thread. When that takes no
    /// more, they stop.
    pub fn collect<T: Send, I: Iterator<Item = T>, Whole>(
        &self,
        one: impl Fn() -> I + Sync,
        take: impl FnOnce(&mut dyn Iterator<Item = T>) -> Whole,
    ) -> Whole {
        // On one thread each item is taken before the next is made.
        let Some(pool) = &self.pool else { return take(&mut one()) };
        let (sender, receiver) = mpsc::channel();
        pool.in_place_scope(|scope| {
            for _ in 0..self.count() {
                let (sender, one) = (sender.clone(), &one);
                // Nobody takes what is sent if another thread has met the same error.
                scope.spawn(move |_| _ = one().try_for_each(|found| sender.send(found)));
            }
            drop(sender);
            take(&mut receiver.into_iter())
        })
    }
}
