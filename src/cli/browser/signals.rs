//! A browser sends no signals: a run is ended by ending its worker.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

/// Whether a run is to stop; no signal sets it here.
pub static STOP: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Does nothing.
pub fn install_signal_handlers() {}

/// No signal has come.
pub fn status() -> Option<u8> {
    None
}
