//! Grammars for editors, made from that of the rules language: for tree-sitter, and for those that colour by regular expressions
//! (TextMate). They are kept as files in `editors/`, and a test compares them with what is made here: so a word that the language learns
//! comes to all editors.
// Tests may panic, and write the files that they compare.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods))]

mod forms;
mod reader;
mod shapes;
mod textmate;
mod tree_sitter;

pub use textmate::{TextMateFiles, text_mate_files};
pub use tree_sitter::{TreeSitterFiles, tree_sitter_files};

/// What stands at the top of each generated file.
const NOTICE: &str = "Made from grammar/*.pest; do not edit it. `UPDATE_DOCS=1 cargo test -p houserule-editor-grammars` writes it anew.";

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Whether a file says what it must; with `UPDATE_DOCS=1` it is written.
    fn holds(path: &str, text: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(&path, text).expect("written");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(found == text, "{} is not what the grammar says: run this test with UPDATE_DOCS=1", path.display());
    }

    #[test]
    fn the_files_of_editors_are_those_of_the_grammar() {
        let files = tree_sitter_files();
        holds("tree-sitter-houserule/grammar.js", &files.grammar);
        holds("tree-sitter-houserule/queries/highlights.scm", &files.highlights);
        holds("tree-sitter-houserule/queries/folds.scm", &files.folds);
        let files = text_mate_files();
        holds("vscode/syntaxes/houserule.tmLanguage.json", &files.rules);
        holds("vscode/syntaxes/houserule-scenario.tmLanguage.json", &files.scenario);
        holds("vscode/syntaxes/houserule-script.tmLanguage.json", &files.script);
        holds("vscode/syntaxes/houserule-toml.tmLanguage.json", &files.toml);
    }

    #[test]
    fn constructs_are_read_as_the_grammar_writes_them() {
        let grammar = tree_sitter_files().grammar;
        for line in [
            "effect: $ => prec.right(seq('effect', field('name', choice($.name, $.string, $.call)), optional($._row), seq($.body,",
            "gain: $ => prec.right(seq('gain', $._row)),",
            "if_else: $ => prec.right(seq('if', $._row, seq($.body, optional(seq('else', choice($.if_else, $.body)))",
            "choices: $ => seq('{', repeat(choice($._separator, $.choice,",
            "choose: $ => prec.right(seq('player', 'chooses', optional($._row), seq($.choices,",
        ] {
            assert!(grammar.contains(line), "{line}");
        }
    }
}
