//! The threads on which games are played. Where there are none, as in a browser, everything runs on the one that there is.

#[cfg(not(target_family = "wasm"))]
use std::sync::mpsc;

/// Threads that wait for work.
#[derive(Debug)]
pub struct Threads {
    #[cfg(not(target_family = "wasm"))]
    pool: rayon::ThreadPool,
}

#[cfg(not(target_family = "wasm"))]
impl Threads {
    /// Starts so many threads; 0 for one on each core.
    ///
    /// # Errors
    /// Why they could not be started.
    pub fn start(count: usize) -> Result<Threads, String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count).build();
        pool.map(|pool| Threads { pool }).map_err(|fault| format!("cannot start threads: {fault}"))
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Runs work whose parallel iterators use these threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Runs work on each thread, and waits for all.
    pub fn on_each(&self, work: impl Fn() + Sync) {
        self.pool.scope(|scope| (0..self.count()).for_each(|_| scope.spawn(|_| work())));
    }

    /// Lets each thread go through an iterator of its own, and hands what they find, as it comes, to the calling thread. When that takes no
    /// more, they stop.
    pub fn collect<T: Send, I: Iterator<Item = T>, Whole>(
        &self,
        one: impl Fn() -> I + Sync,
        take: impl FnOnce(&mut dyn Iterator<Item = T>) -> Whole,
    ) -> Whole {
        let (sender, receiver) = mpsc::channel();
        self.pool.in_place_scope(|scope| {
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

#[cfg(target_family = "wasm")]
impl Threads {
    /// Needs nothing: there is one thread.
    ///
    /// # Errors
    /// None here.
    pub fn start(_count: usize) -> Result<Threads, String> {
        Ok(Threads {})
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        1
    }

    /// Runs work.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        work()
    }

    /// Runs work once.
    pub fn on_each(&self, work: impl Fn() + Sync) {
        work();
    }

    /// Goes through an iterator, each of whose items is taken before the next is made.
    pub fn collect<T: Send, I: Iterator<Item = T>, Whole>(
        &self,
        one: impl Fn() -> I + Sync,
        take: impl FnOnce(&mut dyn Iterator<Item = T>) -> Whole,
    ) -> Whole {
        take(&mut one())
    }
}
