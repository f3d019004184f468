//! Ctrl-C and SIGTERM: the first one ends a run, which reports and keeps what is done; a second one ends the program at once.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Set when a run is to end.
pub static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// The signal that set it; 0 if none did.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// Listens to both. Where there can be no handler, the first one ends the program. SIGHUP is left alone, so that `nohup` does what it says.
pub fn hear_signals() {
    static ONCE: Once = Once::new();
    // What ends the program looks whether there was a signal before; so it comes first, and all comes once.
    let hear = |signal: i32| {
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&STOP))
            .and_then(|_| flag::register_usize(signal, Arc::clone(&SIGNAL), signal.unsigned_abs() as usize))
            .and_then(|_| flag::register(signal, Arc::clone(&STOP)));
    };
    ONCE.call_once(|| [SIGINT, SIGTERM].into_iter().for_each(hear));
}

/// The exit status that says which signal ended the run: 130 or 143.
pub fn status() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    u8::try_from(128 + signal).ok().filter(|_| signal > 0)
}
