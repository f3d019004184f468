//! Tests of the language reference, and that it contains every word in shipped files.

mod index;
mod shipped;

use super::*;
use crate::syntax::reference::{EXAMPLE_CARDS, EXAMPLE_GAME};

/// Writes the language reference as a Markdown page.
fn page(words: &[WordEntry]) -> String {
    let mut text =
        "# The language\n\nMade from the grammar (`grammar/*.pest`), the tables of keys and the table of natives; do not edit it. \
         `houserule words WORD` shows a part of it, with what a game declares. In a form, small letters stand for themselves, capitals are \
         what is put there, `[ … ]` may be left out. All examples speak of the small game at the end; a test runs each of them in it.\n"
            .to_string();
    for sort in words.chunk_by(|a, b| a.sort == b.sort) {
        text.push_str(&format!("\n## {}\n", sort.first().map_or("", |word| &word.sort)));
        for word in sort {
            text.push_str(&format!("\n**`{}`**", word.pattern));
            if !word.doc.is_empty() {
                text.push_str(&format!(": {}", word.doc));
            }
            text.push('\n');
            if !word.example.is_empty() && word.example != word.pattern {
                text.push_str(&format!("\n    {}\n", word.example.replace('\n', "\n    ")));
            }
        }
    }
    format!("{text}\n## The game of the examples\n\n```rules\n{EXAMPLE_GAME}```\n\n```toml\n{EXAMPLE_CARDS}```\n")
}

/// With `UPDATE_DOCS=1` this test writes the page instead of comparing it.
#[test]
fn the_page_of_the_language_says_what_the_tables_say() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md");
    let page = page(&language_entries());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).expect("written");
    }
    assert!(std::fs::read_to_string(&path).is_ok_and(|found| found == page), "run this test with UPDATE_DOCS=1");
}

#[test]
fn words_are_found_by_any_of_their_words() {
    let all = language_entries();
    for word in ["grid", "deck", "resource", "tally", "flag", "step", "gain", "ties", "because", "repeat", "when", "worth"] {
        let found = entries_matching(&all, word);
        assert!(!found.is_empty() && found.iter().all(|found| !found.doc.is_empty()), "{word}");
    }
    assert_eq!(entries_matching(&all, "grid")[0].pattern, "grid NAME NUMBER by NUMBER [without edge]");
    assert!(entries_matching(&all, "gian").is_empty());
    // Adjacent words are found even if an optional word between them is left out.
    for (asked, form) in
        [("pass on", "pass on NAME"), ("in reverse order", "pass on NAME"), ("is there", "is [not] there"), ("acts", "NAME acts")]
    {
        assert!(entries_matching(&all, asked).iter().any(|found| found.pattern.starts_with(form)), "{asked}");
    }
    assert!(entries_matching(&all, "pass order").is_empty());
    // A word that has no entry may occur in descriptions.
    assert!(entries_matching(&all, "box").is_empty() && entries_explaining(&all, "box").iter().any(|found| found.name == "put"));
    assert!(entries_explaining(&all, "gian").is_empty() && entries_explaining(&all, "").is_empty());
    assert_eq!(entries_matching(&all, "showing").last().map(|found| found.name.as_str()), Some("reserved"));
    // The meaning of a word must be clear at a glance, wherever it occurs.
    assert!(all.iter().all(|word| word.pattern.chars().count() < 130), "a form that nobody can read");
}
