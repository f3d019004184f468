//! How the crates below `src` are kept in order within themselves, where the compiler holds nothing: no type is spread over too many files,
//! no circle of files that know each other is too large, and the engine has its floors.

use crate::nouns::files;
use crate::support::{code_of, root};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use syn::{ItemImpl, ItemUse, Type, UseTree};

/// In how many files of a crate a type may have an `impl`, and how many files may know each other in a circle.
const MOST: usize = 8;
/// The largest circle of a crate that has a larger one, which may only shrink: the tree of `syntax` says itself how it is read.
const LARGER: [(&str, usize); 1] = [("syntax", 12)];

/// A file as a module of its crate.
#[derive(Default)]
struct File {
    /// What each `use` gives: what it is called here, and its path; a `*` for all that is there.
    uses: Vec<(String, Vec<String>)>,
    /// Paths that are written out.
    paths: Vec<Vec<String>>,
    declares: BTreeSet<String>,
    /// Types with an `impl`.
    impls: BTreeSet<String>,
}

impl File {
    fn read(text: &str) -> File {
        let (code, mut file) = (code_of(text), File::default());
        for (_, text) in begun_with(&code, "use ", ';') {
            let used: Option<ItemUse> = syn::parse_str(text).ok();
            used.iter().for_each(|used| file.read_use(&used.tree, Vec::new()));
        }
        file.uses.sort_by_key(|(name, _)| name == "*");
        // A type such as `impl Iterator` stands behind another sign.
        for (_, text) in begun_with(&code, "impl", '{').filter(|(before, _)| before.is_empty() || before.ends_with(['}', ';', ']', '{'])) {
            let Ok(ItemImpl { self_ty, .. }) = syn::parse_str(&format!("{text}}}")) else { continue };
            let Type::Path(of) = *self_ty else { continue };
            file.impls.extend(of.path.segments.last().map(|last| last.ident.to_string()));
        }
        let keywords = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules"];
        let words: Vec<&str> = code.split(|c| !is_of_word(c)).filter(|word| !word.is_empty()).collect();
        file.declares = words.windows(2).filter(|two| keywords.contains(&two[0])).map(|two| two[1].to_string()).collect();
        let code = code.replace("::<", " <");
        let paths = code.split(|c| !is_of_word(c) && c != ':').filter(|path| path.contains("::"));
        let paths = paths.filter(|path| !path.starts_with(':') && !path.ends_with(':'));
        file.paths = paths.map(|path| path.split("::").map(str::to_string).collect()).collect();
        file
    }

    fn read_use(&mut self, tree: &UseTree, mut path: Vec<String>) {
        let (name, alias) = match tree {
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.read_use(tree, path.clone())),
            UseTree::Path(part) => return self.read_use(&part.tree, [path, vec![part.ident.to_string()]].concat()),
            UseTree::Name(name) => (name.ident.to_string(), None),
            UseTree::Rename(name) => (name.ident.to_string(), Some(name.rename.to_string())),
            UseTree::Glob(_) => ("*".to_string(), None),
        };
        path.extend(Some(name).filter(|name| name != "self"));
        self.uses.push((alias.or(path.last().cloned()).unwrap_or_default(), path));
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// What begins with a word and goes on to a sign, and what stands before each.
fn begun_with<'c>(code: &'c str, word: &'static str, end: char) -> impl Iterator<Item = (&'c str, &'c str)> {
    let places = code.match_indices(word).map(|(at, _)| code.split_at(at)).filter(|(before, _)| !before.ends_with(is_of_word));
    places.filter_map(move |(before, text)| Some((before.trim_end(), text.split_inclusive(end).next()?)))
}

/// The files of a crate by their modules.
#[derive(Default)]
struct House(BTreeMap<Vec<String>, File>);

impl House {
    /// The module to which a path leads from another, also by way of what is handed on.
    fn leads_to(&self, module: &[String], path: &[String], depth: usize) -> Option<&[String]> {
        let (here, file) = self.0.get_key_value(module)?;
        let Some((next, behind)) = path.split_first() else { return Some(here) };
        let nearer = match next.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().saturating_sub(1)].to_vec(),
            _ => [module, std::slice::from_ref(next)].concat(),
        };
        if self.0.contains_key(&nearer) {
            return self.leads_to(&nearer, behind, depth);
        }
        if next == "*" || file.declares.contains(next) {
            return Some(here);
        }
        // What is called like itself is another crate.
        let mut handed_on = file.uses.iter().filter(|_| depth < 8).filter_map(|(name, to)| match name {
            name if name == "*" => Some([&to[..to.len() - 1], path].concat()),
            name if name == next && to[..] != [next.as_str()] => Some([to, behind].concat()),
            _ => None,
        });
        handed_on.find_map(|path| self.leads_to(module, &path, depth + 1))
    }

    /// Which modules a module knows.
    fn known(&self, module: &[String]) -> BTreeSet<&[String]> {
        let file = &self.0[module];
        let paths = file.uses.iter().map(|(_, path)| path).chain(&file.paths);
        paths.filter_map(|path| self.leads_to(module, path, 0)).filter(|known| *known != module).collect()
    }
}

/// The crates below `src`, and the root package as `cli`, by the names of their folders.
static CRATES: LazyLock<BTreeMap<String, House>> = LazyLock::new(|| {
    let (src, mut crates) = (root().join("src"), BTreeMap::<String, House>::new());
    for path in files(&src).iter().filter(|path| path.extension().is_some_and(|ending| ending == "rs")) {
        let below = path.strip_prefix(&src).expect("a file below").with_extension("");
        let mut module: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let of = if src.join(&module[0]).join("Cargo.toml").is_file() { module.remove(0) } else { "cli".to_string() };
        if !module.iter().any(|part| part == "tests" || part == "testing") {
            module.retain(|part| part != "lib" && part != "main");
            crates.entry(of).or_default().0.insert(module, File::read(&std::fs::read_to_string(path).expect("a file")));
        }
    }
    crates
});

#[test]
fn no_type_is_spread_over_too_many_files() {
    for (name, House(files)) in &*CRATES {
        // Types of the same name that are declared where their `impl` stands are types of their own.
        let count = |of: &String| {
            let (elsewhere, at_home): (Vec<&File>, Vec<&File>) =
                files.values().filter(|file| file.impls.contains(of)).partition(|file| !file.declares.contains(of));
            elsewhere.len() + at_home.len().min(1)
        };
        let wide: BTreeSet<&String> = files.values().flat_map(|file| &file.impls).filter(|of| count(of) > MOST).collect();
        assert!(wide.is_empty(), "these types of `{name}` have an `impl` in more than {MOST} files: {wide:?}");
    }
}

#[test]
fn no_circle_of_files_is_too_large() {
    for (name, house) in &*CRATES {
        let known: BTreeMap<&[String], _> = house.0.keys().map(|module| (&module[..], house.known(module))).collect();
        let reached_from = |first| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![first]);
            while let Some(at) = open.pop() {
                open.extend(known[at].iter().filter(|next| seen.insert(**next)));
            }
            seen
        };
        let reached: BTreeMap<&[String], _> = known.keys().map(|module| (*module, reached_from(module))).collect();
        let circle = |module: &[String]| -> Vec<&[String]> {
            reached[module].iter().copied().filter(|other| reached[other].contains(module)).collect()
        };
        let largest = known.keys().map(|module| circle(module)).max_by_key(Vec::len).unwrap_or_default();
        let most = LARGER.iter().find(|larger| larger.0 == name).map_or(largest.len().min(MOST), |larger| larger.1);
        assert_eq!(largest.len(), most, "so many files of `{name}` know each other: {largest:?}");
    }
}

#[test]
fn the_engine_is_in_order() {
    let knows = |one: &str, other: &str| {
        let [one, other] = [one, other].map(|module| module.split('/').map(str::to_string).collect::<Vec<_>>());
        assert!(CRATES["engine"].0.contains_key(&other), "there is no {other:?}");
        CRATES["engine"].known(&one).contains(&other[..])
    };
    // What is surely so, or the bounds above mean nothing. What leaves a place runs ops, and ops move pieces: a circle of the rules themselves.
    for (one, other) in [("flow", "exec"), ("exec", "pieces"), ("pieces", "moves"), ("store", "evaluator"), ("moves", "exec")] {
        assert!(knows(one, other), "{one} does not know {other}");
    }
    for (high, low) in [
        ("store", &["state", "reader", "evaluator"][..]),
        ("machine", &["evaluator", "store", "change", "slots", "tokens", "options", "listeners"]),
        ("game", &["evaluator"]),
        ("exec", &["slots", "question"]),
        ("flow", &["question"]),
        // Whoever walks expressions reads cells in the view of a block, through the reader alone.
        ("state", &["leaf", "eval", "eval/plain", "cached"]),
        ("machine", &["leaf", "eval", "eval/plain", "cached"]),
        ("game", &["leaf", "eval", "eval/plain", "cached"]),
    ] {
        low.iter().for_each(|low| assert!(!knows(low, high), "{low} lies below {high}"));
    }
}
