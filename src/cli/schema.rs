//! `houserule schema`: a JSON Schema of a game's files.

use super::args::{Describe, SchemaArgs};
use super::load::Workspace;
use super::output::{OutputFile, usage_error};
use super::result::CommandResult;
use crate::json_schema::{SchemaKind, json_schema};
use crate::source::Sources;

/// Prints the schema of one kind of file.
///
/// # Errors
/// `Findings` on errors in the game; a usage error if there is no such game, or a language was chosen.
pub fn schema(workspace: &Workspace, args: &SchemaArgs) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("a schema holds ids and keys, which have no other names: `schema` has no `--lang`");
    }
    let mut sources = Sources::new();
    let text = workspace.load_text(&mut sources, &args.game, &args.pack, &[])?;
    let described = match args.described {
        Describe::Card => SchemaKind::Card,
        Describe::Pack => SchemaKind::Pack,
        Describe::Scenario => SchemaKind::Scenario,
    };
    OutputFile::open("-")?.write_json(&json_schema(&text, described))
}
