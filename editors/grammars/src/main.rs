//! Makes the parser of the grammar for tree-sitter: `houserule-editor-grammars GRAMMAR FOLDER` reads `grammar.js` by node, and writes
//! `parser.c` and its headers into a folder.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [grammar, folder] = args.as_slice() else {
        eprintln!(
            "which grammar, and into which folder? houserule-editor-grammars editors/tree-sitter-houserule/grammar.js target/tree-sitter"
        );
        return ExitCode::from(2);
    };
    let options = tree_sitter_generate::OptLevel::default();
    let root = Path::new(grammar).parent().unwrap_or(Path::new("."));
    let out = Some(Path::new(folder));
    match tree_sitter_generate::generate_parser_in_directory(root, out, Some(Path::new(grammar)), 15, None, Some("node"), true, options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
