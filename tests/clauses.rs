//! `docs/clauses.md` puts the rulebooks beside the rules: every line that it names is there, every line of the rules that says something
//! is named, by a clause or with a reason, and no line of the rules is too long to be read beside a page.

use crate::support::root;
use std::fs;
use std::path::{Path, PathBuf};

/// Lines that only open a block: what it holds says something.
const OPENERS: [&str; 9] =
    ["each player {", "table {", "player {", "moments {", "setup {", "does {", "player chooses {", "score {", "always {"];

/// How an item begins that names no line.
const WITHOUT_LINE: [&str; 4] = ["not yet: ", "not needed: ", "on each card: ", "the word "];

/// A line of a file that is neither blank nor a comment nor a closing brace, and the lines that open the blocks around it.
struct Line {
    number: usize,
    text: String,
    around: Vec<String>,
}

/// A row of the page: the clause's page, or nothing in the table of lines that have none, the words beside it, and what it names.
struct Row {
    number: usize,
    page: Option<String>,
    words: String,
    items: Vec<String>,
    named: Vec<(String, String)>,
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What is indented more stands inside.
fn lines_of(text: &str) -> Vec<Line> {
    let mut open: Vec<(usize, String)> = Vec::new();
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let said = line.trim().to_string();
        if said.is_empty() || said.starts_with("//") || said.starts_with('#') || said == "}" {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        open.retain(|(outer, _)| *outer < indent);
        lines.push(Line { number: at + 1, text: said.clone(), around: open.iter().map(|(_, text)| text.clone()).collect() });
        open.push((indent, said));
    }
    lines
}

impl Line {
    /// `setup … order at random` is a line inside `setup`.
    fn is_named(&self, fragment: &str) -> bool {
        let mut parts: Vec<&str> = fragment.split(" … ").collect();
        let start = parts.pop().unwrap_or_default();
        !start.is_empty()
            && self.text.starts_with(start)
            && parts.iter().all(|outer| self.around.iter().any(|line| line.starts_with(outer)))
    }

    fn only_opens(&self) -> bool {
        OPENERS.contains(&self.text.split("//").next().unwrap_or_default().trim())
    }
}

/// What stands in backquotes.
fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The rows below the heading that names the game's rules.
fn rows_of(game: &str) -> Vec<Row> {
    let page = read("docs/clauses.md");
    let mut rows = Vec::new();
    let (mut here, mut clauses) = (false, true);
    for (at, line) in page.lines().enumerate() {
        if line.starts_with("## ") {
            here = spans(line).any(|span| span == game);
        }
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        if !here || !line.starts_with("| ") || cells[0] == "---" {
            continue;
        }
        match cells[..] {
            ["page", "clause", "rules"] => clauses = true,
            ["line", "why"] => clauses = false,
            [number, clause, rules] if clauses => rows.push(row(at + 1, game, Some(number.to_string()), clause, rules)),
            [lines, why] if !clauses => rows.push(row(at + 1, game, None, why, lines)),
            _ => panic!("docs/clauses.md:{}: so many cells do not belong here", at + 1),
        }
    }
    rows
}

fn row(number: usize, game: &str, page: Option<String>, words: &str, cell: &str) -> Row {
    let items: Vec<String> = cell.split("<br>").map(str::to_string).collect();
    let mut file = game.to_string();
    let mut named = Vec::new();
    for span in spans(cell) {
        if span.starts_with("rules/") || span.starts_with("cards/") {
            file = span.to_string();
        } else {
            named.push((file.clone(), span.to_string()));
        }
    }
    Row { number, page, words: words.to_string(), items, named }
}

/// The lines of a game's rules that no row names.
fn unnamed(game: &str, text: &str, rows: &[Row]) -> Vec<String> {
    let named: Vec<&str> =
        rows.iter().flat_map(|row| &row.named).filter(|(file, _)| file == game).map(|(_, start)| start.as_str()).collect();
    let lines = lines_of(text).into_iter().filter(|line| !line.only_opens() && !named.iter().any(|start| line.is_named(start)));
    lines.map(|line| format!("{game}:{}: {}", line.number, line.text)).collect()
}

fn rules_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be read").path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|end| end == "rules")).collect();
    files.sort();
    files
}

/// The files of a game's rules: the one that is named like it, and the chapters in its folder. Variants, what moves machine players and what
/// cards call are none.
fn chapters(game: &str) -> Vec<String> {
    let folder = game.trim_end_matches(".rules");
    let found = if root().join(folder).is_dir() { rules_in(&root().join(folder)) } else { Vec::new() };
    let names = found.iter().map(|path| format!("{folder}/{}", path.file_name().expect("a file has a name").to_string_lossy()));
    let is_chapter = |file: &String| {
        let apart = ["agents.rules", "cards.rules"].iter().any(|name| file.ends_with(name));
        !apart && !read(file).lines().any(|line| line.starts_with("variant "))
    };
    std::iter::once(game.to_string()).chain(names.filter(is_chapter)).collect()
}

/// The rules of each game, which stand straight in `rules`.
fn games() -> Vec<String> {
    let files = rules_in(&root().join("rules"));
    files.iter().map(|path| format!("rules/{}", path.file_name().expect("a file has a name").to_string_lossy())).collect()
}

#[test]
fn every_line_that_a_clause_names_is_there_once() {
    let mut wrong = Vec::new();
    for row in games().iter().flat_map(|game| rows_of(game)) {
        for (file, start) in &row.named {
            let hits: Vec<usize> = lines_of(&read(file)).iter().filter(|line| line.is_named(start)).map(|line| line.number).collect();
            // Cards are rows of numbers that look alike: there the first of several will do.
            if hits.is_empty() || hits.len() > 1 && file.ends_with(".rules") {
                wrong.push(format!("docs/clauses.md:{}: `{start}` begins lines {hits:?} of {file}", row.number));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_line_of_the_rules_has_a_clause_or_a_reason() {
    let of_game = |game: &String| {
        let rows = rows_of(game);
        chapters(game).into_iter().flat_map(move |file| unnamed(&file, &read(&file), &rows)).collect::<Vec<_>>()
    };
    let missing: Vec<String> = games().iter().flat_map(of_game).collect();
    assert!(missing.is_empty(), "docs/clauses.md does not name\n{}", missing.join("\n"));
}

#[test]
fn a_new_line_of_the_rules_is_missed() {
    for game in games() {
        let text = read(&game);
        let (number, line) = text.lines().enumerate().find(|(_, line)| line.starts_with("setup {")).expect("a game has a set-up");
        let longer = text.replacen(line, &format!("{line}\n  each player {{ gain 1 wisp }}"), 1);
        let missed = format!("{game}:{}: each player {{ gain 1 wisp }}", number + 2);
        assert!(unnamed(&game, &longer, &rows_of(&game)).contains(&missed), "nobody misses {missed}");
    }
}

#[test]
fn every_clause_has_a_page_and_says_where_it_stands() {
    for game in games() {
        let rows = rows_of(&game);
        assert!(rows.iter().filter(|row| row.page.is_some()).count() > 40, "{game} has hardly a clause");
        let mut pages: Vec<&str> = Vec::new();
        for row in &rows {
            let place = format!("docs/clauses.md:{}", row.number);
            assert!(!row.words.is_empty(), "{place}: there are no words");
            for item in &row.items {
                let says = item.starts_with('`') || WITHOUT_LINE.iter().any(|start| item.starts_with(start));
                assert!(says, "{place}: {item:?} names no line and does not say why");
            }
            let Some(page) = row.page.as_deref().filter(|page| pages.last() != Some(page)) else { continue };
            assert!(!pages.contains(&page), "{place}: {page} comes again after {pages:?}");
            let number = |page: &str| page.parse::<usize>().ok();
            assert!(
                pages.last().is_none_or(|last| number(page).is_none() || number(last) < number(page)),
                "{place}: {page} comes after {pages:?}"
            );
            pages.push(page);
        }
    }
}

#[test]
fn no_line_of_the_rules_is_longer_than_140_characters() {
    let folder = root().join("rules");
    let mut files = rules_in(&folder);
    for entry in fs::read_dir(&folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            files.extend(rules_in(&path));
        }
    }
    let mut long = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("it can be read");
        let over = text.lines().enumerate().filter(|(_, line)| line.chars().count() > 140);
        long.extend(over.map(|(at, line)| format!("{}:{}: {} characters", path.display(), at + 1, line.chars().count())));
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
