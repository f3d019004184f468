//! The files of the page, as `npm run build` in `web/` makes them. They are not part of the program: a release has them in `page/` beside it, and
//! whoever builds from the source has them in `web/dist`.

use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::disk::{self, OnDisk};

/// The folder of the page.
pub struct PageFiles {
    folder: PathBuf,
}

/// Where the token is put.
const PLACE_OF_TOKEN: &str = "name=\"houserule-token\" content=\"\"";
/// The file that a page needs.
const FIRST: &str = "index.html";

impl PageFiles {
    /// Uses the given folder, or the one beside the program.
    ///
    /// # Errors
    /// There is no page; the text says where one is looked for.
    pub fn find(named: Option<&Path>) -> Result<PageFiles, String> {
        let holds = |folder: &Path| folder.join(FIRST).is_plain_file();
        if let Some(folder) = named {
            return match holds(folder) {
                true => Ok(PageFiles { folder: folder.to_path_buf() }),
                false => Err(format!("there is no page in `{}`: it has no {FIRST}", folder.display())),
            };
        }
        let program = std::env::current_exe().and_then(|path| disk::real_path(&path)).unwrap_or_default();
        let beside = program.parent().map(|folder| folder.join("page"));
        // A build lies in target/debug or the like.
        let of_source = program.ancestors().nth(3).map(|folder| folder.join("web/dist"));
        let places: Vec<PathBuf> = beside.into_iter().chain(of_source).collect();
        match places.iter().find(|folder| holds(folder)) {
            Some(folder) => Ok(PageFiles { folder: folder.clone() }),
            None => {
                let looked: Vec<String> = places.iter().map(|folder| format!("`{}`", folder.display())).collect();
                Err(format!(
                    "the page is not there: it is looked for in {}. A release has it; `web/README.md` says how it is made from the source. \
                     `--page DIR` says where it is",
                    looked.join(" and in ")
                ))
            }
        }
    }

    /// Returns a file of the page, and what it is; the token is put where the page has room for it.
    pub fn read(&self, path: &str, token: &str) -> Option<(&'static str, Vec<u8>)> {
        let name = path.strip_prefix('/').map(|name| if name.is_empty() { FIRST } else { name })?;
        if name.contains('\\') || !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        let mut bytes = Vec::new();
        disk::open(&self.folder.join(name)).and_then(|mut file| file.read_to_end(&mut bytes)).ok()?;
        let kind = match Path::new(name).extension().and_then(|end| end.to_str()).unwrap_or("") {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "json" => "application/json",
            "webmanifest" => "application/manifest+json",
            "wasm" => "application/wasm",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "woff2" => "font/woff2",
            _ => "text/plain; charset=utf-8",
        };
        if name != FIRST {
            return Some((kind, bytes));
        }
        let text = String::from_utf8(bytes).ok()?;
        Some((kind, text.replace(PLACE_OF_TOKEN, &format!("name=\"houserule-token\" content=\"{token}\"")).into_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_page_are_handed_out_and_the_first_has_the_token() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("page")).unwrap();
        std::fs::write(folder.path().join("secret.txt"), "s").unwrap();
        let page = folder.path().join("page");
        std::fs::write(page.join(FIRST), format!("<meta {PLACE_OF_TOKEN}>")).unwrap();
        std::fs::write(page.join("a.wasm"), [0, 255]).unwrap();
        let files = PageFiles::find(Some(&page)).unwrap();
        let first = files.read("/", "abc").unwrap();
        assert_eq!(String::from_utf8(first.1).unwrap(), "<meta name=\"houserule-token\" content=\"abc\">");
        assert_eq!(files.read("/a.wasm", "abc"), Some(("application/wasm", vec![0, 255])));
        for outside in
            ["/../secret.txt", "//etc/passwd", "/..\\secret.txt", "/./../secret.txt", "a.wasm", "/page/../../secret.txt", "/none"]
        {
            assert_eq!(files.read(outside, "abc"), None, "{outside}");
        }
        assert!(PageFiles::find(Some(folder.path())).is_err_and(|reason| reason.contains("it has no index.html")));
    }
}
