//! What mdBook warns of. It says so to whoever listens, and goes on.

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::{DefaultGuard, set_default};
use tracing::{Event, Level, Metadata, Subscriber};

/// What has been heard on this thread while it lives.
pub struct Heard {
    lines: Arc<Mutex<Vec<String>>>,
    _listens: DefaultGuard,
}

impl Heard {
    /// All that was warned of up to now.
    pub fn take(&self) -> Vec<String> {
        self.lines.lock().map(|mut lines| std::mem::take(&mut *lines)).unwrap_or_default()
    }
}

/// Begins to listen.
pub fn listen() -> Heard {
    let lines = Arc::default();
    let guard = set_default(Listener { lines: Arc::clone(&lines) });
    Heard { lines, _listens: guard }
}

struct Listener {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Subscriber for Listener {
    fn enabled(&self, of: &Metadata<'_>) -> bool {
        *of.level() <= Level::WARN
    }

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::from("mdBook: "));
        event.record(&mut line);
        if let Ok(mut lines) = self.lines.lock() {
            lines.push(line.0);
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        // Writing into a string does not fail.
        let _ = write!(self.0, "{value:?} ");
    }
}
