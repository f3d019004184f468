//! The standard output and the standard error, which a browser does not have: what is written there is kept until the page takes it. And how far
//! a run is.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

static OUTPUT: Mutex<[Vec<u8>; 2]> = Mutex::new([Vec::new(), Vec::new()]);
static LISTENER: Mutex<Option<fn(u64, u64, &str)>> = Mutex::new(None);

fn output() -> MutexGuard<'static, [Vec<u8>; 2]> {
    OUTPUT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Appends to one of the two outputs.
struct Kept(usize);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(kept) = output().get_mut(self.0) {
            kept.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) fn stdout() -> impl Write + Send {
    Kept(0)
}

pub(super) fn stderr() -> impl Write + Send {
    Kept(1)
}

/// Takes what has been written to the standard output and to the standard error.
pub fn take() -> [String; 2] {
    std::mem::take(&mut *output()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Calls a function from now on with how many items of a run are done, how many there are, and what they are called.
pub fn on_progress(listener: fn(u64, u64, &str)) {
    *LISTENER.lock().unwrap_or_else(PoisonError::into_inner) = Some(listener);
}

/// Tells how far a run is.
pub(super) fn progress(done: u64, all: u64, word: &str) {
    let listener = *LISTENER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(listener) = listener {
        listener(done, all, word);
    }
}
