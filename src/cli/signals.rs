//! Ctrl-C and SIGTERM: the first one ends a run, which reports and keeps what is done; a second one ends the program at once. A game at the
//! table is left by them, and when its terminal is closed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};
use std::time::Duration;

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

/// For a game at the table, which waits for keys: asks it by [`STOP`] to leave when the terminal is closed or the program is ended, and ends
/// the program if it has not left after `patience`. `farewell` is called before that, once, on a thread of its own.
#[cfg(unix)]
pub fn leave_when_ended(patience: Duration, farewell: fn()) {
    use signal_hook::consts::SIGHUP;
    // Without a handler the signals end the program as they always do.
    let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return };
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            SIGNAL.store(signal.unsigned_abs() as usize, Ordering::Relaxed);
            STOP.store(true, Ordering::Relaxed);
            std::thread::sleep(patience);
            farewell();
            std::process::exit(128 + signal);
        }
    });
}

/// For a game at the table: asks it by [`STOP`] to leave when the program is ended.
#[cfg(not(unix))]
pub fn leave_when_ended(_patience: Duration, _farewell: fn()) {
    hear_signals();
}

/// The exit status that says which signal ended the run: 130, 143, or 129 for a terminal that was closed.
pub fn status() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    u8::try_from(128 + signal).ok().filter(|_| signal > 0)
}
