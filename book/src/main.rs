//! Makes `docs/` into a book (`target/book`), and looks whether it holds together: no warning of mdBook, no page that nobody finds, no link
//! that leads nowhere. `cargo run --manifest-path book/Cargo.toml [-- DOCS OUT]`; the exit status is 1 if something is wrong.

#![allow(clippy::disallowed_methods, reason = "this program reads and writes pages, and knows nothing of houserule")]

mod heard;
mod look;

use mdbook_driver::MDBook;
use mdbook_driver::errors::Result;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut words = std::env::args_os().skip(1).map(PathBuf::from);
    let docs = words.next().unwrap_or_else(|| repository.join("docs"));
    let out = words.next().unwrap_or_else(|| repository.join("target/book"));
    match make(&docs, &out) {
        Ok(wrong) if wrong.is_empty() => {
            println!("{} pages in {}", look::pages(&out).len(), out.display());
            ExitCode::SUCCESS
        }
        Ok(wrong) => {
            wrong.iter().for_each(|wrong| eprintln!("{wrong}"));
            ExitCode::FAILURE
        }
        Err(wrong) => {
            eprintln!("{wrong:#}");
            ExitCode::FAILURE
        }
    }
}

/// Builds the book, and says what is wrong with it.
fn make(docs: &Path, out: &Path) -> Result<Vec<String>> {
    let heard = heard::listen();
    let mut book = MDBook::load(docs)?;
    // From here, and not from the book's folder.
    book.config.build.build_dir = std::path::absolute(out)?;
    book.build()?;
    let mut wrong = heard.take();
    wrong.extend(look::forgotten(&book, docs));
    wrong.extend(look::broken(out));
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::{look, make};
    use std::fs;
    use std::path::Path;

    /// What is wrong with a book of these files.
    fn wrong(files: &[(&str, &str)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let config = "[book]\ntitle = \"Wisps\"\nsrc = \".\"\n[build]\ncreate-missing = false\n";
        fs::write(folder.path().join("book.toml"), config).unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let out = tempfile::tempdir().unwrap();
        make(folder.path(), out.path()).unwrap()
    }

    #[test]
    fn the_book_of_houserule_holds_together() {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let out = tempfile::tempdir().unwrap();
        let wrong = make(&docs, out.path()).unwrap();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(look::pages(out.path()).len() > 15);
        let language = fs::read_to_string(out.path().join("language.html")).unwrap();
        assert!(language.contains("title") && language.len() > 50_000);
    }

    #[test]
    fn a_sound_book_is_not_found_wanting() {
        let a = "# A wisp\n\n[there](b.md#a-wolf), [here](#a-wisp), [far](https://example.org)\n";
        assert_eq!(wrong(&[("SUMMARY.md", "- [a](a.md)\n- [b](b.md)\n"), ("a.md", a), ("b.md", "# A wolf\n")]), [""; 0]);
    }

    #[test]
    fn links_that_lead_nowhere_are_told() {
        let a = "# A\n\n[page](c.md), [anchor](b.md#wolf), [own](#wall), [file](../src/lib.rs), ![picture](wisp.png)\n";
        let told = wrong(&[("SUMMARY.md", "- [a](a.md)\n- [b](b.md)\n"), ("a.md", a), ("b.md", "# B\n")]);
        for link in ["c.html", "b.html#wolf", "#wall", "../src/lib.rs", "wisp.png"] {
            assert!(told.iter().any(|told| told.contains("a.html") && told.contains(&format!("`{link}`"))), "{link}: {told:?}");
        }
    }

    #[test]
    fn a_page_that_the_summary_leaves_out_is_told() {
        let told = wrong(&[("SUMMARY.md", "- [a](a.md)\n"), ("a.md", "# A\n"), ("lost.md", "# Lost\n")]);
        assert_eq!(told, ["lost.md does not stand in SUMMARY.md"]);
    }

    #[test]
    fn what_mdbook_warns_of_is_told() {
        let told = wrong(&[("SUMMARY.md", "- [a](a.md)\n"), ("a.md", "# A\n\n{{#include nowhere.txt}}\n")]);
        assert!(told.iter().any(|told| told.contains("nowhere.txt")), "{told:?}");
    }
}
