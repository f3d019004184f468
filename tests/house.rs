//! How the crates below `src` are kept in order: no type is spread over too many files, and no circle of files that know each other is too
//! large. What exceeds a bound is named with its present number, which may only shrink.

use crate::support::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// In how many files of a crate one type may have an `impl`.
const MAX_FILES_OF_A_TYPE: usize = 8;
/// How many files may know each other in a circle.
const MAX_CIRCLE: usize = 8;

/// Types that are spread over more files: crate, type, files.
const WIDE_TYPES: &[(&str, &str, usize)] = &[];
/// Crates with a larger circle: crate, files in it.
const LARGE_CIRCLES: &[(&str, usize)] = &[];

/// The text without comments, the insides of strings, and what is compiled for tests alone.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|&c| c != '\n').is_some() {},
            'r' if matches!(chars.peek(), Some('"' | '#')) && !code.ends_with(|c: char| c.is_alphanumeric() || c == '_') => {
                let mut marks = 0;
                while chars.next_if_eq(&'#').is_some() {
                    marks += 1;
                }
                if chars.next_if_eq(&'"').is_none() {
                    code.push_str("r ");
                    continue;
                }
                let end = format!("\"{}", "#".repeat(marks));
                let mut inside = String::new();
                while !inside.ends_with(&end) {
                    let Some(c) = chars.next() else { break };
                    inside.push(c);
                }
                code.push_str("\"\"");
            }
            '"' => {
                while let Some(c) = chars.next() {
                    match c {
                        '\\' => _ = chars.next(),
                        '"' => break,
                        _ => {}
                    }
                }
                code.push_str("\"\"");
            }
            // A letter in quotes, and not a lifetime.
            '\'' => {
                let rest: Vec<char> = chars.clone().take(2).collect();
                if rest.first() == Some(&'\\') {
                    chars.next();
                    chars.next();
                    while chars.next().is_some_and(|c| c != '\'') {}
                } else if rest.get(1) == Some(&'\'') {
                    chars.nth(1);
                } else {
                    code.push('\'');
                }
            }
            c => code.push(c),
        }
    }
    without_tests(&code)
}

/// Takes out each item behind `#[cfg(test)]`.
fn without_tests(code: &str) -> String {
    let (mut kept, mut rest) = (String::new(), code);
    while let Some((before, behind)) = rest.split_once("#[cfg(test)]") {
        kept.push_str(before);
        let mut depth = 0_usize;
        let end = behind.char_indices().find(|(_, c)| {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            depth == 0 && matches!(c, '}' | ';')
        });
        rest = end.map_or("", |(at, c)| &behind[at + c.len_utf8()..]);
    }
    kept + rest
}

/// The words and signs of a code.
fn tokens(code: &str) -> Vec<&str> {
    let (mut found, mut rest) = (Vec::new(), code.trim_start());
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            first.len_utf8()
        };
        found.push(&rest[..len]);
        rest = rest[len..].trim_start();
    }
    found
}

/// What a `use` gives: what it is called here, and its path; a `*` for all that is there.
type Used = (String, Vec<String>);

/// Reads the tree of a `use` behind a prefix, up to where it ends.
fn used_in(tokens: &[&str], at: &mut usize, prefix: &[String], found: &mut Vec<Used>) {
    let mut path = prefix.to_vec();
    while let Some(&token) = tokens.get(*at) {
        *at += 1;
        match token {
            "::" => {}
            "{" => {
                while tokens.get(*at).is_some_and(|&token| token != "}") {
                    used_in(tokens, at, &path, found);
                    if tokens.get(*at) == Some(&",") {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            "as" => {
                let alias = tokens.get(*at).copied().unwrap_or("_").to_string();
                *at += 1;
                found.push((alias, path));
                return;
            }
            "," | ";" | "}" => {
                *at -= 1;
                break;
            }
            word => path.push(word.to_string()),
        }
    }
    if path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    if let Some(last) = path.last().cloned() {
        found.push((last, path));
    }
}

/// A file as a module of its crate.
struct File {
    /// The path of the module, from the root of the crate.
    module: Vec<String>,
    uses: Vec<Used>,
    /// Paths that are written out, and those that begin with a name of this module.
    paths: Vec<Vec<String>>,
    /// What it declares.
    declares: BTreeSet<String>,
    /// Types with an `impl`.
    impls: BTreeSet<String>,
}

fn read(path: &Path, module: Vec<String>) -> File {
    let code = code_of(&std::fs::read_to_string(path).expect("a file"));
    let tokens = tokens(&code);
    let (mut uses, mut paths, mut declares, mut impls) = (Vec::new(), Vec::new(), BTreeSet::new(), BTreeSet::new());
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at] {
            // Not what a type captures: `+ use<>`.
            "use" if tokens.get(at + 1) != Some(&"<") => {
                at += 1;
                used_in(&tokens, &mut at, &[], &mut uses);
            }
            "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "union" | "macro_rules" => {
                let name = tokens[at + 1..].iter().find(|&&token| token != "!" && token != "mut");
                declares.extend(name.map(|name| name.to_string()));
                at += 1;
            }
            "impl" if at == 0 || matches!(tokens[at - 1], "}" | ";" | "]" | "unsafe") => {
                at += 1;
                impls.extend(type_of_impl(&tokens[at..]));
            }
            word if tokens.get(at + 1) == Some(&"::") && (at == 0 || tokens[at - 1] != "::") => {
                let mut path = vec![word.to_string()];
                while tokens.get(at + 1) == Some(&"::") && tokens.get(at + 2).is_some_and(|next| *next != "<" && *next != "{") {
                    path.push(tokens[at + 2].to_string());
                    at += 2;
                }
                paths.push(path);
                at += 1;
            }
            _ => at += 1,
        }
    }
    File { module, uses, paths, declares, impls }
}

/// The name of the type that an `impl` is of, from what follows the word.
fn type_of_impl(tokens: &[&str]) -> Option<String> {
    let (mut depth, mut name) = (0_i32, None);
    for (at, &token) in tokens.iter().enumerate() {
        match token {
            "<" => depth += 1,
            ">" if at > 0 && tokens[at - 1] != "-" => depth -= 1,
            "{" | "where" if depth == 0 => break,
            "for" if depth == 0 => name = None,
            word if depth == 0 && word.chars().all(|c| c.is_alphanumeric() || c == '_') && word != "dyn" && word != "mut" => {
                name = Some(word.to_string());
            }
            _ => {}
        }
    }
    name
}

/// The files of a crate, by the path of their modules.
fn files_of(crate_root: &Path, skipped: &[&str]) -> Vec<File> {
    fn below(dir: &Path, module: &[String], skipped: &[&str], found: &mut Vec<File>) {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
        entries.sort();
        for path in entries {
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
            if skipped.contains(&name.as_str()) || matches!(name.as_str(), "tests" | "testing" | "sample" | "toy" | "build") {
                continue;
            }
            let module = [module, std::slice::from_ref(&name)].concat();
            if path.is_dir() {
                below(&path, &module, &[], found);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let module = if matches!(name.as_str(), "lib" | "main") && module.len() == 1 { Vec::new() } else { module };
                found.push(read(&path, module));
            }
        }
    }
    let mut found = Vec::new();
    below(crate_root, &[], skipped, &mut found);
    found
}

/// The files of a crate by their modules.
struct House {
    files: Vec<File>,
    by_module: BTreeMap<Vec<String>, usize>,
}

impl House {
    fn new(files: Vec<File>) -> House {
        let by_module = files.iter().enumerate().map(|(at, file)| (file.module.clone(), at)).collect();
        House { files, by_module }
    }

    /// The file that a path from a module leads to, if it leads to one of this crate.
    fn resolve(&self, from: &[String], path: &[String], depth: usize) -> Option<usize> {
        let (mut module, mut rest) = (from.to_vec(), path);
        let mut rooted = false;
        while let Some((first, behind)) = rest.split_first() {
            match first.as_str() {
                "crate" => module.clear(),
                "super" => _ = module.pop(),
                "self" => {}
                _ => break,
            }
            rooted = true;
            rest = behind;
        }
        if depth > 8 {
            return None;
        }
        loop {
            let here = self.by_module.get(&module).copied();
            let Some((next, behind)) = rest.split_first() else { return here };
            let child = [&module[..], std::slice::from_ref(next)].concat();
            if self.by_module.contains_key(&child) {
                (module, rest) = (child, behind);
                rooted = true;
                continue;
            }
            let file = &self.files[here?];
            if next == "*" || file.declares.contains(next) {
                return rooted.then_some(here?);
            }
            let through = |to: &[String]| {
                let mut path = to.to_vec();
                path.extend(behind.iter().cloned());
                // A path that begins with its own name is one of another crate.
                if to.first() == Some(next) && to.len() == 1 { None } else { self.resolve(&module, &path, depth + 1) }
            };
            if let Some((_, to)) = file.uses.iter().find(|(alias, _)| alias == next) {
                return through(to);
            }
            let globs = file.uses.iter().filter(|(alias, _)| alias == "*");
            for (_, to) in globs {
                let path = [&to[..to.len() - 1], rest].concat();
                if let Some(found) = self.resolve(&module, &path, depth + 1) {
                    return Some(found);
                }
            }
            return None;
        }
    }

    /// Which files each file knows.
    fn known(&self) -> Vec<BTreeSet<usize>> {
        let of = |(at, file): (usize, &File)| {
            let uses = file.uses.iter().map(|(_, path)| path);
            let found = uses.chain(&file.paths).filter_map(|path| self.resolve(&file.module, path, 0));
            found.filter(|&found| found != at).collect()
        };
        self.files.iter().enumerate().map(of).collect()
    }

    /// The largest set of files each of which knows, by way of others, all others of it.
    fn largest_circle(&self) -> Vec<String> {
        let known = self.known();
        let reached: Vec<BTreeSet<usize>> = (0..known.len())
            .map(|first| {
                let (mut seen, mut open) = (BTreeSet::new(), vec![first]);
                while let Some(at) = open.pop() {
                    open.extend(known[at].iter().filter(|&&next| seen.insert(next)));
                }
                seen
            })
            .collect();
        let circle = |at: usize| -> Vec<usize> { reached[at].iter().copied().filter(|&other| reached[other].contains(&at)).collect() };
        let largest = (0..known.len()).map(circle).max_by_key(Vec::len).unwrap_or_default();
        largest.iter().map(|&file| self.files[file].module.join("/")).collect()
    }

    /// In how many files each type has an `impl`. Types of the same name that are declared where their `impl` stands are types of their own.
    fn files_of_types(&self) -> BTreeMap<&str, usize> {
        let mut found = BTreeMap::new();
        for name in self.files.iter().flat_map(|file| &file.impls) {
            let with = self.files.iter().filter(|file| file.impls.contains(name));
            let elsewhere = with.filter(|file| !file.declares.contains(name)).count();
            let at_home = self.files.iter().any(|file| file.impls.contains(name) && file.declares.contains(name));
            found.insert(name.as_str(), elsewhere + usize::from(at_home));
        }
        found
    }
}

/// The crates below `src`, and the root package, by the name of their folder.
fn crates() -> Vec<(String, House)> {
    let src = root().join("src");
    let mut names: Vec<String> = std::fs::read_dir(&src)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .filter_map(|path| path.file_name().and_then(|name| name.to_str()).map(str::to_string))
        .collect();
    names.sort();
    let others: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut all = vec![("cli".to_string(), House::new(files_of(&src, &others)))];
    all.extend(names.iter().map(|name| (name.clone(), House::new(files_of(&src.join(name), &[])))));
    all
}

#[test]
fn no_type_is_spread_over_too_many_files() {
    let mut wide = Vec::new();
    for (name, house) in &crates() {
        let types = house.files_of_types().into_iter().filter(|(_, files)| *files > MAX_FILES_OF_A_TYPE);
        wide.extend(types.map(|(of, files)| (name.clone(), of.to_string(), files)));
    }
    let allowed = |name: &str, of: &str| WIDE_TYPES.iter().find(|wide| (wide.0, wide.1) == (name, of)).map_or(0, |wide| wide.2);
    let wrong: Vec<_> = wide.iter().filter(|(name, of, files)| *files > allowed(name, of)).collect();
    assert!(wrong.is_empty(), "these types have an `impl` in more files than they may: {wrong:?}");
    let mended: Vec<_> = WIDE_TYPES.iter().filter(|(name, of, _)| !wide.iter().any(|wide| wide.0 == *name && wide.1 == *of)).collect();
    assert!(mended.is_empty(), "these need no exception any longer: {mended:?}");
}

#[test]
fn no_circle_of_files_is_too_large() {
    let circles: Vec<(String, Vec<String>)> = crates().into_iter().map(|(name, house)| (name, house.largest_circle())).collect();
    for (name, circle) in &circles {
        let allowed = LARGE_CIRCLES.iter().find(|large| large.0 == name).map_or(MAX_CIRCLE, |large| large.1);
        assert!(circle.len() <= allowed, "{} files of `{name}` know each other, {allowed} may: {circle:#?}", circle.len());
    }
    let is_large = |name: &str| circles.iter().any(|(of, circle)| of == name && circle.len() > MAX_CIRCLE);
    let mended: Vec<_> = LARGE_CIRCLES.iter().filter(|(name, _)| !is_large(name)).collect();
    assert!(mended.is_empty(), "these need no exception any longer: {mended:?}");
}

#[test]
fn the_engine_is_in_order() {
    let engine = crates().into_iter().find(|(name, _)| name == "engine").expect("the engine").1;
    let known = engine.known();
    let at = |module: &str| engine.by_module[&module.split('/').map(str::to_string).collect::<Vec<_>>()];
    let knows = |one: &str, other: &str| known[at(one)].contains(&at(other));
    // What is surely so, or the two numbers above mean nothing.
    assert!(knows("flow", "exec") && knows("exec", "pieces") && knows("pieces", "moves") && knows("store", "evaluator"));
    // What leaves a place runs ops, and ops move pieces: a circle of the rules themselves.
    assert!(knows("moves", "exec"));
    let orders = [
        ("state", "store"),
        ("reader", "store"),
        ("evaluator", "store"),
        ("evaluator", "machine"),
        ("evaluator", "game"),
        ("store", "machine"),
        ("change", "machine"),
        ("slots", "machine"),
        ("tokens", "machine"),
        ("options", "machine"),
        ("listeners", "machine"),
        ("slots", "exec"),
        ("question", "exec"),
        ("question", "flow"),
    ];
    for (low, high) in orders {
        assert!(!knows(low, high), "{low} lies below {high}");
    }
    // Whoever walks expressions reads cells in the view of a block.
    for evaluator in ["leaf", "eval", "eval/plain", "cached"] {
        for other in ["state", "machine", "game"] {
            assert!(!knows(evaluator, other), "{evaluator} reads cells through the reader alone, and knows no {other}");
        }
    }
}
