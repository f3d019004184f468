//! Compiled games, for all benches.

use houserule::diagnostic::render::render;
use houserule::engine::Ruleset;
use houserule::lang::{self, Setup};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use std::path::Path;
use std::sync::Arc;

/// Compiles a game for so many players, 0 for the most; the bench ends if it cannot be.
pub fn compile(root: Option<&Path>, name: &str, players: usize) -> (Arc<Ruleset>, ScriptHost) {
    let mut sources = Sources::new();
    let mut diagnostics = Vec::new();
    let text = lang::load(&mut sources, root, name, &[], &[], &mut diagnostics);
    let setup = Setup { players, ..Setup::default() };
    let rules = text.and_then(|text| lang::compile(&text, &setup, &mut diagnostics)).map(Arc::new);
    let Some(rules) = rules else { give_up(&format!("{name}: {}", render(&sources, &diagnostics, false))) };
    let Ok(host) = ScriptHost::new(&rules) else { give_up(&format!("{name}: scripts do not compile")) };
    (rules, host)
}

/// Ends the bench with a message.
pub fn give_up(message: &str) -> ! {
    eprintln!("{message}");
    std::process::exit(1);
}
