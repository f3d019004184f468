//! Looks at the pages that were made: where links lead, and which page of the folder is in no book.

use mdbook_driver::MDBook;
use mdbook_driver::book::BookItem;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Pages that mdBook makes of all the others, or for them.
const ITS_OWN: [&str; 3] = ["print.html", "toc.html", "404.html"];

/// The pages of a book, by their names.
pub fn pages(out: &Path) -> Vec<String> {
    let files = fs::read_dir(out).into_iter().flatten().flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let mut pages: Vec<String> = names.filter(|name| name.ends_with(".html") && !ITS_OWN.contains(&name.as_str())).collect();
    pages.sort();
    pages
}

/// Files of the folder that could be pages and are none.
pub fn forgotten(book: &MDBook, docs: &Path) -> Vec<String> {
    let chapters = book.iter().filter_map(|item| match item {
        BookItem::Chapter(chapter) => chapter.source_path.clone(),
        BookItem::Separator | BookItem::PartTitle(_) => None,
    });
    let known: BTreeSet<PathBuf> = chapters.chain([PathBuf::from("SUMMARY.md")]).collect();
    let files = fs::read_dir(docs).into_iter().flatten().flatten().map(|file| PathBuf::from(file.file_name()));
    let mut lost: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|kind| kind == "md") && !known.contains(file)).collect();
    lost.sort();
    lost.iter().map(|file| format!("{} does not stand in SUMMARY.md", file.display())).collect()
}

/// What stands in a page: links and ids.
struct Page {
    links: Vec<String>,
    ids: BTreeSet<String>,
}

fn read(text: &str) -> Page {
    let all = |pattern: &str| -> Vec<String> {
        let Ok(pattern) = Regex::new(pattern) else { return Vec::new() };
        pattern.captures_iter(text).map(|found| found[1].replace("&amp;", "&")).collect()
    };
    Page { links: all(r#"\s(?:href|src)="([^"]*)""#), ids: all(r#"\sid="([^"]*)""#).into_iter().collect() }
}

/// A path without `..` and `.`; nothing if it leads out of where it begins.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => plain.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(plain)
}

/// Links to pages, places in pages and files that are not there. What leads to other servers is not asked for.
pub fn broken(out: &Path) -> Vec<String> {
    let read_page = |name: &String| Some((PathBuf::from(name), read(&fs::read_to_string(out.join(name)).ok()?)));
    let pages: BTreeMap<PathBuf, Page> = pages(out).iter().filter_map(read_page).collect();
    let mut wrong = Vec::new();
    for (name, page) in &pages {
        for link in page.links.iter().collect::<BTreeSet<_>>() {
            if link.contains("://") || link.starts_with("mailto:") || link.starts_with("data:") {
                continue;
            }
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { Some(name.clone()) } else { plain(Path::new(file)) };
            let there = target.is_some_and(|target| match pages.get(&target) {
                Some(page) => place.is_empty() || page.ids.contains(place),
                None => out.join(&target).is_file(),
            });
            if !there {
                wrong.push(format!("{}: the link `{link}` leads nowhere", name.display()));
            }
        }
    }
    wrong
}
