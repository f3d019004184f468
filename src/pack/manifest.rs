//! `pack.toml`: the name of a pack, and its relations to the game and other packs.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{FileId, Span};

use super::keys::{Keys, check_id};
use super::problem::PackProblem;
use super::read::{Spanned, Text, TomlValue, read_table};
use super::schema::MANIFEST_TABLE;

/// Version of the rules language and card format that this program supports.
pub const LANGUAGE: i64 = 1;

/// Required keys of a manifest, each with an example.
const REQUIRED_KEYS: [(&str, &str); 4] =
    [("name", "name = \"…\""), ("version", "version = \"1.0\""), ("language", "language = 1"), ("extends", "extends = \"GAME\"")];

/// The parsed content of a `pack.toml`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Manifest {
    /// Name of the pack, a single word.
    pub name: String,
    /// Version of the pack, as free text.
    pub version: String,
    /// Version of the rules language that the pack uses; see [`LANGUAGE`].
    pub language: i64,
    /// The game, or another pack, that this pack extends.
    pub extends: Option<String>,
    /// Packs that must be loaded with this one. They are loaded before this one.
    pub requires: Vec<String>,
    /// Packs that must not be loaded with this one.
    pub excludes: Vec<String>,
    /// Packs whose changes this one may override. They are loaded before this one.
    pub over: Vec<String>,
    /// Locations of values, by key and value; the names in lists have one each.
    places: Vec<(&'static str, String, Span)>,
    /// The file that the manifest was read from.
    pub file: FileId,
}

impl Manifest {
    /// Returns the location of a name in the value of a key, as in `place("requires", "wisp")`.
    pub fn place(&self, key: &str, name: &str) -> Option<Span> {
        self.places.iter().find(|(in_key, found, _)| *in_key == key && found == name).map(|(_, _, span)| *span)
    }
}

/// Parses a `pack.toml`. Returns `None`, after reports, if the pack cannot be used.
pub fn parse_manifest(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Manifest> {
    let before = diagnostics.len();
    let table = read_table(file, text, diagnostics)?;
    let unfit = keys_with_invalid_values(text, &mut diagnostics[before..]);
    let newer = table.iter().find_map(|(key, value)| match value.value {
        TomlValue::Integer(number) if key.text == "language" && number > LANGUAGE => Some((number, value.span)),
        _ => None,
    });
    if let Some((number, span)) = newer {
        // A manifest for another version of the language may use keys that are unknown here.
        diagnostics.push(PackProblem::NewerLanguage { number, ours: LANGUAGE }.at(span));
        return None;
    }
    let whole = Span { file, start: 0, end: 0 };
    let known = MANIFEST_TABLE.names();
    let meant: Vec<&str> = table.iter().filter_map(|(key, _)| nearest(&key.text, known.iter().copied())).collect();
    let mut keys = Keys::new("`pack.toml`", whole, table, diagnostics);
    let missing = |keys: &Keys<'_>, key: &str| !keys.has_key(key) && !unfit.iter().any(|other| other == key) && !meant.contains(&key);
    let lacks: Vec<&(&str, &str)> = REQUIRED_KEYS.iter().filter(|(key, _)| missing(&keys, key)).collect();
    // Whether the game or pack in `extends` exists is checked by callers.
    if !lacks.is_empty() && lacks.iter().any(|(key, _)| *key != "extends") {
        let names: Vec<String> = lacks.iter().map(|(key, _)| format!("`{key}`")).collect();
        let lines: Vec<&str> = lacks.iter().map(|(_, line)| *line).collect();
        keys.diagnostics().push(PackProblem::MissingInManifest { keys: names.join(", "), lines }.at(whole));
    }
    let mut places = Vec::new();
    let name = keys.take_text("name");
    if let Some(name) = &name {
        check_id(name, keys.diagnostics());
        places.push(("name", name.text.clone(), name.span));
    }
    let version = keys.take_text("version");
    let language = match keys.take("language") {
        Some((_, Spanned { value: TomlValue::Integer(LANGUAGE), .. })) => Some(LANGUAGE),
        Some((_, value)) => {
            let wrong = match value.value {
                TomlValue::Integer(_) => PackProblem::NoSuchLanguage { ours: LANGUAGE },
                _ => PackProblem::LanguageNoNumber { ours: LANGUAGE },
            };
            keys.diagnostics().push(wrong.at(value.span));
            None
        }
        None => None,
    };
    let extends = keys.take_text("extends");
    if let Some(base) = &extends {
        places.push(("extends", base.text.clone(), base.span));
    }
    let mut names = |key: &'static str| {
        let found: Vec<Text> = keys.take_texts(key);
        found.iter().for_each(|name| expect_name(key, name, keys.diagnostics()));
        places.extend(found.iter().map(|name| (key, name.text.clone(), name.span)));
        found.into_iter().map(|name| name.text).collect::<Vec<String>>()
    };
    let (requires, excludes, over) = (names("requires"), names("excludes"), names("over"));
    keys.report_unknown_keys(&MANIFEST_TABLE.names());
    Some(Manifest {
        name: name?.text,
        version: version?.text,
        language: language?,
        extends: extends.map(|base| base.text),
        requires,
        excludes,
        over,
        places,
        file,
    })
}

/// Reports a name of a pack that is a path or has several words.
fn expect_name(key: &str, name: &Text, diagnostics: &mut Vec<Diagnostic>) {
    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    if !name.text.is_empty() && name.text.chars().all(is_letter) {
        return;
    }
    let word = name.text.split(|letter| !is_letter(letter)).find(|word| !word.is_empty()).map(String::from);
    diagnostics.push(PackProblem::NotANameOfAPack { name: name.text.clone(), key: key.to_string(), word }.at(name.span));
}

/// Reports keys whose values TOML itself rejects, such as fractions, under the names of the keys.
fn keys_with_invalid_values(text: &str, diagnostics: &mut [Diagnostic]) -> Vec<String> {
    let mut found = Vec::new();
    for fault in diagnostics {
        let before = fault.span.and_then(|span| text.get(..span.start as usize)).unwrap_or("");
        let key = before.rsplit('\n').next().and_then(|line| line.trim().strip_suffix('=')).map(str::trim);
        if let Some((key, line)) = REQUIRED_KEYS.iter().find(|(needed, _)| Some(*needed) == key) {
            let expected = if *key == "language" { "a whole number" } else { "a text in quotes" };
            *fault = PackProblem::ManifestValue { key, expected, label: fault.label.clone(), line }.at(fault.span);
            found.push((*key).to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> (Sources, Option<Manifest>, Vec<Diagnostic>) {
        let mut sources = Sources::new();
        let file = sources.add("pack.toml", text);
        let mut diagnostics = Vec::new();
        let manifest = parse_manifest(file, text, &mut diagnostics);
        (sources, manifest, diagnostics)
    }

    #[test]
    fn a_manifest_says_what_a_pack_needs() {
        let (sources, manifest, diagnostics) =
            read("name = \"wisp\"\nversion = \"1\"\nlanguage = 1\nextends = \"wall\"\nrequires = [\"wolf\"]\nover = \"wolf\"");
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let manifest = manifest.unwrap();
        assert_eq!((manifest.name.as_str(), manifest.extends.as_deref()), ("wisp", Some("wall")));
        assert_eq!((manifest.requires.as_slice(), manifest.over.as_slice()), (&["wolf".to_owned()][..], &["wolf".to_owned()][..]));
        assert_eq!(sources.slice(manifest.place("requires", "wolf").unwrap()), "wolf");
    }

    #[test]
    fn faults_of_a_manifest() {
        let table = [
            ("name = \"wisp\"\nversion = \"1\"\nlanguage = 2\nnews = 1", "this pack is written in language 2", "2"),
            ("name = \"wisp\"\nversion = \"1\"\nlanguage = 0", "there is no such language", "0"),
            ("name = \"wisp\"\nversion = \"1\"\nextends = \"wood\"", "`pack.toml` has no `language`", ""),
            ("", "`pack.toml` has no `name`, `version`, `language`, `extends`", ""),
            ("name = \"wisp\"\nversion = 1.0\nlanguage = 1", "`version` must be a text in quotes", "1.0"),
            ("name = \"wisp\"\nversion = \"1\"\nlanguage = \"one\"", "`language` must be a whole number", "\"one\""),
            ("name = \"wisp\"\nversion = \"1\"\nlanguage = 1\nextend = \"wood\"", "`pack.toml` has no key `extend`", "extend"),
            ("version = \"1\"\nlanguage = 1\nextends = \"wood\"", "`pack.toml` has no `name`", ""),
            ("name = \"Wisp\"\nversion = \"1\"\nlanguage = 1", "`Wisp` is not an id", "Wisp"),
            (
                "name = \"wisp\"\nversion = \"1\"\nlanguage = 1\nextends = \"wall\"\nrequires = [\"wake >= 2.0\"]",
                "`wake >= 2.0` is not the name of a pack",
                "wake >= 2.0",
            ),
            ("name = \"wisp\"\nversion = 1\nlanguage = 1", "`version` must be a text in quotes", "1"),
            ("name = \"wisp\"\nversion = \"1\"\nlanguage = 1\nrequire = []", "`pack.toml` has no key `require`", "require"),
            ("name = \"wisp\"\nversion = \"1\"\nlanguage = 1\nover = [1]", "`over` must be a list of texts in quotes", "[1]"),
        ];
        for (text, message, place) in table {
            let (sources, _, diagnostics) = read(text);
            assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:?}");
            assert_eq!(diagnostics[0].message, message);
            assert_eq!(sources.slice(diagnostics[0].span.unwrap()), place);
        }
        let (_, _, diagnostics) = read("name = \"wisp\"\nversion = \"1\"\nlanguage = 1\nrequire = []");
        assert_eq!(diagnostics[0].help, ["did you mean `requires`?"]);
    }
}
