//! `check --missing-names`: the names that files of names lack, as lines to be completed.

use crate::diagnostic::Diagnostic;
use crate::lang::missing_names;
use crate::source::Sources;

/// Writes the names that files of names lack as they are to stand there, file by file, with an empty name each; a line says so if nothing
/// lacks.
pub fn missing_names_text(sources: &Sources, found: &[Diagnostic]) -> String {
    let mut out = String::new();
    let mut file = None;
    for (diagnostic, missing) in found.iter().filter_map(|found| Some((found, missing_names(found)?))) {
        let name = diagnostic.span.map(|span| sources.name(span.file));
        if name != file {
            out.push_str(&format!("# {}\n", name.unwrap_or("?")));
            file = name;
        }
        out.push_str(&format!("[{}]\n", missing.table));
        missing.ids.iter().for_each(|id| out.push_str(&format!("{} = \"\"\n", toml_key(id))));
        out.push('\n');
    }
    if out.is_empty() { "no file of names lacks any name\n".to_string() } else { out }
}

/// Writes a key of TOML, in quotes if it needs them.
fn toml_key(id: &str) -> String {
    let is_bare = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    if is_bare && !id.is_empty() { id.to_string() } else { format!("\"{}\"", id.replace('\\', "\\\\").replace('"', "\\\"")) }
}
