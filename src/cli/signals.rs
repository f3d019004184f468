//! Ctrl-C and SIGTERM: the first signal ends a run, which still reports and saves its results; the second one ends the program at once.
//! What has not ended soon after the first, wherever it is, is ended. An interactive game is left by signals, and also when its terminal is
//! closed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Once};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::output::print_error;

/// Set when the user asks the program to stop.
pub static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Number of the signal that has set [`STOP`]; 0 if none has.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

/// How long the program may go on after the first signal.
const PATIENCE: Duration = Duration::from_millis(1700);

/// Installs the handlers. If that fails, the first signal ends the program. SIGHUP keeps its default action, so that `nohup` works.
pub fn install_signal_handlers() {
    static ONCE: Once = Once::new();
    // This handler ends the program at the second signal, so that it must be installed before the flag is set.
    let hear = |signal: i32| {
        let _ = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&STOP))
            .and_then(|_| flag::register_usize(signal, Arc::clone(&SIGNAL), signal.unsigned_abs() as usize))
            .and_then(|_| flag::register(signal, Arc::clone(&STOP)));
    };
    ONCE.call_once(|| {
        [SIGINT, SIGTERM].into_iter().for_each(hear);
        end_after(PATIENCE);
    });
}

/// Ends the program if it still runs so long after the first signal: between two places where it looks at [`STOP`] it may compile, fit or
/// sum up for minutes.
fn end_after(patience: Duration) {
    #[cfg(unix)]
    exit_at_signal(&[SIGINT, SIGTERM], patience, || {
        print_error("error: ended by a signal before the result was there; files that were saved are whole\n");
    });
    #[cfg(not(unix))]
    std::thread::spawn(move || {
        while !STOP.load(Ordering::Relaxed) {
            std::thread::sleep(patience / 10);
        }
        std::thread::sleep(patience);
        std::process::exit(i32::from(status().unwrap_or(1)));
    });
}

/// For an interactive game: sets [`STOP`] when the terminal is closed or the program is ended, and ends the program if it is still
/// running after `patience`. `farewell` is called once before that, on a thread of its own. Where there are no such signals, only [`STOP`] is
/// set.
pub fn leave_when_ended(patience: Duration, farewell: fn()) {
    #[cfg(unix)]
    exit_at_signal(&[SIGINT, SIGTERM, signal_hook::consts::SIGHUP], patience, farewell);
    #[cfg(not(unix))]
    {
        let _ = (patience, farewell);
        install_signal_handlers();
    }
}

/// Sets [`STOP`] at the first of these signals, and ends the program if it still runs so long after it; ahead of that calls `farewell`.
#[cfg(unix)]
fn exit_at_signal(signals: &[i32], patience: Duration, farewell: fn()) {
    // Without a handler the signals have their default action.
    let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) else { return };
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

/// Returns the exit status of a program that was stopped by a signal: 130, 143, or 129 for a closed terminal.
pub fn status() -> Option<u8> {
    let signal = SIGNAL.load(Ordering::Relaxed);
    u8::try_from(128 + signal).ok().filter(|_| signal > 0)
}
