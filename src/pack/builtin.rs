//! The games embedded in the binary, so that it runs without any files on disk.

use include_dir::{Dir, DirEntry, include_dir};

static RULES_DIR: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../rules");
static CARDS_DIR: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../cards");
static PRINT_DIR: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../print");

/// Returns all embedded files with the given extension, as (path, text), sorted by path. A path looks like `rules/wisp.rules`.
pub fn files(extension: &str) -> Vec<(String, &'static str)> {
    let mut found = Vec::new();
    for (root, dir) in [("rules", &RULES_DIR), ("cards", &CARDS_DIR), ("print", &PRINT_DIR)] {
        collect_files(root, dir, extension, &mut found);
    }
    found.sort();
    found
}

fn collect_files(root: &str, dir: &Dir<'static>, extension: &str, found: &mut Vec<(String, &'static str)>) {
    for entry in dir.entries() {
        match entry {
            DirEntry::Dir(dir) => collect_files(root, dir, extension, found),
            DirEntry::File(file) if file.path().extension().is_some_and(|found| found == extension) => {
                if let Some(text) = file.contents_utf8() {
                    let parts: Vec<_> = file.path().iter().map(|part| part.to_string_lossy()).collect();
                    found.push((format!("{root}/{}", parts.join("/")), text));
                }
            }
            DirEntry::File(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_rules_are_inside() {
        let rules = files("rules");
        assert!(!rules.is_empty());
        assert!(rules.iter().all(|(path, text)| path.starts_with("rules/") && path.ends_with(".rules") && !text.is_empty()));
    }
}
