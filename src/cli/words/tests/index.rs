//! Tests of the index: that what it names exists, and that its page in the book says the same.

use super::super::index::{entries_beginning, index};
use super::super::*;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Returns the part of a link behind `#`, as mdBook makes it of a heading.
fn anchor(heading: &str) -> String {
    let signs = heading.chars().filter(|sign| sign.is_alphanumeric() || sign.is_whitespace() || matches!(sign, '_' | '-'));
    signs.map(|sign| if sign.is_whitespace() { '-' } else { sign.to_ascii_lowercase() }).collect()
}

/// Returns the words of a form's beginning, without what is put between them; of a form without words an example.
fn short_form(beginning: &str, form: &WordEntry) -> String {
    let is_fixed = |part: &&str| *part != "[" && !part.starts_with(|first: char| first.is_uppercase() || matches!(first, '(' | '{'));
    let parts = beginning.trim_start_matches('(').split(' ').filter(is_fixed);
    let words = parts.map(|part| part.split('(').next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    if words.chars().any(char::is_lowercase) { words } else { form.example.lines().next().unwrap_or_default().to_string() }
}

/// Writes the index as a page of the book.
fn page() -> String {
    let mut text = "# Which word do I need?\n\nThe words that designers use, and where the language has what they mean. Made from `grammar/index.toml`; do not \
                    edit it. `houserule words bid` shows the forms with their examples, and so does `houserule words \"face up\"`.\n\n\
                    | you look for | it is done so | written | read |\n| --- | --- | --- | --- |\n"
        .to_string();
    let all = language_entries();
    let mut entries: Vec<_> = index().iter().collect();
    entries.sort_by_key(|entry| &entry.asked);
    for entry in entries {
        let forms = entry.write.iter().map(|beginning| (beginning, entries_beginning(&all, beginning)[0]));
        let forms = forms.map(|(beginning, form)| format!("[`{}`](language.md#{})", short_form(beginning, form), anchor(&form.sort)));
        let forms: Vec<String> = forms.collect();
        let pages = entry.read.iter().map(|place| place.split_once(": ").unwrap());
        let pages: Vec<String> = pages.map(|(page, heading)| format!("[{heading}]({page}.md#{})", anchor(heading))).collect();
        text.push_str(&format!("| {} | {} | {} | {} |\n", entry.asked, entry.says, forms.join(", "), pages.join(", ")));
    }
    text
}

/// With `UPDATE_DOCS=1` this test writes the page instead of comparing it.
#[test]
fn the_page_of_the_index_says_what_the_index_says() {
    let path = root().join("docs/words.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, page()).expect("written");
    }
    assert!(std::fs::read_to_string(&path).is_ok_and(|found| found == page()), "run this test with UPDATE_DOCS=1");
}

#[test]
fn what_the_index_names_exists() {
    let all = language_entries();
    let mut wrong = Vec::new();
    for entry in index() {
        for beginning in entry.write.iter().filter(|beginning| entries_beginning(&all, beginning).is_empty()) {
            wrong.push(format!("{}: no form begins `{beginning}`", entry.asked));
        }
        for place in entry.read.iter().filter(|place| !place.contains(": ")) {
            wrong.push(format!("{}: `{place}` names no heading", entry.asked));
        }
        for (page, heading) in entry.pages() {
            let text = std::fs::read_to_string(root().join(&page)).unwrap_or_default();
            if !text.lines().any(|line| line.starts_with('#') && line.trim_start_matches('#').trim() == heading) {
                wrong.push(format!("{}: {page} has no heading `{heading}`", entry.asked));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(index().iter().flat_map(|entry| entry.words()).count() > 200);
}

fn answer(asked: &str) -> Vec<String> {
    let all = language_entries();
    let answers: Vec<_> = super::super::index::answers(asked).collect();
    let found = entries_answering(&all, &answers, asked);
    found.iter().map(|entry| entry.pattern.clone()).collect()
}

#[test]
fn words_of_designers_lead_to_forms() {
    let found = answer("bid");
    assert!(found[0].starts_with("auction, bid") && found[1].starts_with("[free] action NAME"), "{found:?}");
    for asked in ["face up", "face-up", "Face Up", "bids", "discards", "first player", "peek", "extra turn"] {
        assert!(answer(asked).len() > 1, "{asked}");
    }
    // A word of the language comes before what the index says of it, and once.
    let found = answer("shuffle");
    assert!(found[0].starts_with("shuffle") && found[1].starts_with("shuffle, mix"), "{found:?}");
    assert_eq!(found.iter().filter(|form| **form == found[0]).count(), 1);
    assert!(answer("gian").is_empty() && answer("up face").is_empty());
}
