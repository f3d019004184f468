//! `houserule schema`: a JSON Schema of a game's files.

use super::Done;
use super::args::{Describe, SchemaArgs};
use super::load::Ground;
use super::output::{Out, wrong};
use crate::json_schema::{Described, json_schema};
use crate::source::Sources;

/// Prints the schema of a sort of file.
///
/// # Errors
/// A finding, if there is an error in the game; wrong use, if there is no such game, or a language was chosen.
pub fn schema(ground: &Ground, args: &SchemaArgs) -> Done {
    if ground.language().is_some() {
        return wrong("a schema holds ids and keys, which have no other names: `schema` has no `--lang`");
    }
    let mut sources = Sources::new();
    let text = ground.text(&mut sources, &args.game, &args.pack, &[])?;
    let described = match args.described {
        Describe::Card => Described::Card,
        Describe::Pack => Described::Pack,
        Describe::Scenario => Described::Scenario,
    };
    Out::open("-")?.json(&json_schema(&text, described))
}
