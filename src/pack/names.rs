//! Names in other languages: what a game's cards, kinds and words are called in one of them. They stand beside the cards, in
//! `names/LANGUAGE.toml`; rules, scenarios and replays go by ids, which are the same in all languages.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};

use super::cards::RawCard;
use super::keys::{Keys, must_be};
use super::load::GameContent;
use super::problem::Problem;
use super::read::{Text, read_table};
use super::schema::NAMES;

/// The language of the names on the cards.
pub const ON_CARDS: &str = "en";

/// The folder in a folder of cards.
const FOLDER: &str = "names/";

/// A file of names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamesFile {
    /// Its language.
    pub language: String,
    /// The pack that brings it; the game, if it is the game's own.
    pub of: String,
    /// The file.
    pub file: FileId,
}

/// Whether a file is one of names, by its path inside a folder of cards.
pub(super) fn is_of_names(inside: &str) -> bool {
    inside.get(..FOLDER.len()).is_some_and(|folder| folder.eq_ignore_ascii_case(FOLDER))
}

/// The language of a file of names, by its path inside a folder of cards.
pub(super) fn language_of(inside: &str) -> Option<&str> {
    let name = inside.strip_prefix(FOLDER)?.strip_suffix(".toml")?;
    let is_language = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    is_language.then_some(name)
}

/// A file of names; one that is named after no language is reported.
pub(super) fn names_file(inside: &str, of: &str, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> Option<NamesFile> {
    if let Some(language) = language_of(inside) {
        return Some(NamesFile { language: language.to_owned(), of: of.to_owned(), file });
    }
    let whole = Span { file, start: 0, end: 0 };
    let folder = (!inside.starts_with(FOLDER)).then(|| FOLDER.trim_end_matches('/').to_string());
    diagnostics.push(Problem::NoLanguage { path: inside.to_string(), folder }.at(whole));
    None
}

/// Something with a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// Its id or word, as it stands in the file.
    pub key: Text,
    /// What it is called.
    pub name: Text,
    /// The pack that says so; the game, if it does itself.
    pub of: String,
}

/// What everything is called in a language; what has no name in it keeps the one that it has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    /// The game.
    title: Option<Named>,
    cards: BTreeMap<String, Named>,
    kinds: BTreeMap<String, Named>,
    words: BTreeMap<String, Named>,
}

impl Names {
    /// The names of a game and its packs in a language. A pack may call things otherwise than the game does; two packs that call
    /// one thing by different names contradict each other, unless the later one is `over` the other.
    pub fn read(content: &GameContent, sources: &Sources, language: &str, diagnostics: &mut Vec<Diagnostic>) -> Names {
        let mut names = Names::default();
        for found in content.names.iter().filter(|found| found.language == language) {
            let over = content.packs.iter().find(|pack| pack.manifest.name == found.of).map_or(&[][..], |pack| &pack.manifest.over);
            let read = parse_names(found, sources.text(found.file), diagnostics);
            names.title = read.title.or(names.title);
            for (all, new) in [(&mut names.cards, read.cards), (&mut names.kinds, read.kinds), (&mut names.words, read.words)] {
                for (key, new) in new {
                    let old = all.get(&key).filter(|old| old.of != content.game && !over.contains(&old.of));
                    if let Some(old) = old.filter(|old| old.name.text != new.name.text) {
                        let (pack, other) = (new.of.clone(), old.of.clone());
                        diagnostics.push(Problem::TwoNames { key, pack, other, at: old.name.span }.at(new.name.span));
                        continue;
                    }
                    all.insert(key, new);
                }
            }
        }
        names
    }

    /// What a game is called.
    pub fn title<'n>(&'n self, title: &'n str) -> &'n str {
        self.title.as_ref().map_or(title, |named| &named.name.text)
    }

    /// What a card is called.
    pub fn card<'n>(&'n self, card: &'n RawCard) -> &'n str {
        self.cards.get(&card.id.text).map_or(&card.name.text, |named| &named.name.text)
    }

    /// What a kind is called.
    pub fn kind<'n>(&'n self, kind: &'n str) -> &'n str {
        self.kinds.get(kind).map_or(kind, |named| &named.name.text)
    }

    /// What a word of the rules, or several that stand together, are called: as a word, or as a kind. What stands behind a point, as
    /// in `wisp.2`, only counts.
    pub fn word(&self, word: &str) -> String {
        self.known_word(word).unwrap_or_else(|| word.to_owned())
    }

    /// What a word is called, if that is known.
    pub fn known_word(&self, word: &str) -> Option<String> {
        let whole = |word: &str| self.words.get(word).or_else(|| self.kinds.get(word)).map(|named| named.name.text.clone());
        if let Some(name) = whole(word) {
            return Some(name);
        }
        let (stem, count) = word.split_once('.')?;
        whole(stem).map(|name| format!("{name}.{count}"))
    }

    /// The cards with a name whose ids stand in a text, in the order of their ids.
    pub fn cards_in(&self, text: &str) -> Vec<&Named> {
        let mut ids: Vec<&str> = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().filter_map(|id| self.cards.get(id)).collect()
    }

    /// Whether any card has a name.
    pub fn has_cards(&self) -> bool {
        !self.cards.is_empty()
    }

    /// All cards with a name.
    pub fn cards(&self) -> impl Iterator<Item = &Named> {
        self.cards.values()
    }

    /// All kinds with a name.
    pub fn kinds(&self) -> impl Iterator<Item = &Named> {
        self.kinds.values()
    }

    /// All words with a name.
    pub fn words(&self) -> impl Iterator<Item = &Named> {
        self.words.values()
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts = |named: &BTreeMap<String, Named>| -> BTreeMap<String, String> {
            named.iter().map(|(key, named)| (key.clone(), named.name.text.clone())).collect()
        };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &self.title.as_ref().map(|title| &title.name.text))?;
        for (key, named) in [("card", &self.cards), ("kind", &self.kinds), ("words", &self.words)] {
            map.serialize_entry(key, &texts(named))?;
        }
        map.end()
    }
}

/// What one file says. Faults are reported; what is sound of the rest is returned.
fn parse_names(found: &NamesFile, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Names {
    let Some(table) = read_table(found.file, text, diagnostics) else { return Names::default() };
    let whole = Span { file: found.file, start: 0, end: 0 };
    let mut keys = Keys::new("a file of names", whole, table, diagnostics);
    let title = keys.take("title");
    let named = |key: Text, name: Text| Named { key, name, of: found.of.clone() };
    let mut tables = ["card", "kind", "words"].map(|key| keys.table(key).unwrap_or_default());
    keys.refuse_rest(&NAMES.names());
    let mut entries = |table: Vec<(Text, super::read::Spanned)>| -> BTreeMap<String, Named> {
        let mut entries = BTreeMap::new();
        for (key, value) in table {
            match value.text() {
                None => {
                    diagnostics.push(must_be(&key.text, "a text in quotes", &value));
                }
                Some(name) if name.text.trim().is_empty() => {
                    diagnostics.push(Problem::EmptyName { key: key.text }.at(value.span));
                }
                Some(name) => {
                    entries.insert(key.text.clone(), named(key, name.clone()));
                }
            }
        }
        entries
    };
    let title = entries(title.into_iter().collect()).into_values().next();
    let [cards, kinds, words] = tables.each_mut().map(|table| entries(std::mem::take(table)));
    Names { title, cards, kinds, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Names, Vec<String>) {
        let mut diagnostics = Vec::new();
        let file = NamesFile { language: "xx".into(), of: "wisps".into(), file: FileId(0) };
        let names = parse_names(&file, text, &mut diagnostics);
        (names, diagnostics.into_iter().map(|fault| fault.message).collect())
    }

    #[test]
    fn a_language_is_the_name_of_its_file() {
        assert_eq!(language_of("names/fr.toml"), Some("fr"));
        assert_eq!(language_of("names/pt-br.toml"), Some("pt-br"));
        for other in ["names/FR.toml", "names/a/fr.toml", "names/.toml", "wolves.toml", "names.toml", "names/fr.txt"] {
            assert_eq!(language_of(other), None, "{other}");
        }
    }

    #[test]
    fn words_have_names_by_themselves_and_as_kinds() {
        let text = "[kind]\nwolf = \"loup\"\n[words]\ngrow = \"pousser\"\nmoss = \"mousse\"\n\"grow tall\" = \"grandir\"\n\"two walls\" = \"deux murs\"";
        let (names, said) = names(text);
        assert_eq!(said, Vec::<String>::new());
        let table = [
            ("wolf", Some("loup")),
            ("moss", Some("mousse")),
            ("moss.2", Some("mousse.2")),
            ("wolf.3", Some("loup.3")),
            ("grow moss", None),
            ("grow tall", Some("grandir")),
            ("two walls", Some("deux murs")),
            ("grow wall", None),
            ("wall", None),
            ("", None),
        ];
        for (word, name) in table {
            assert_eq!(names.known_word(word).as_deref(), name, "{word}");
        }
        assert_eq!((names.word("grow wall").as_str(), names.kind("wolf"), names.kind("moss")), ("grow wall", "loup", "moss"));
    }

    #[test]
    fn ids_in_a_text_are_found_as_whole_words() {
        let (names, _) = names("title = \"Feux follets\"\n[card]\ngrey_wolf = \"Loup gris\"\nwall = \"Mur\"");
        let found = |text: &str| names.cards_in(text).iter().map(|named| named.name.text.as_str()).collect::<Vec<_>>();
        assert_eq!(found("p1: buy wall, or `grey_wolf`; wall"), ["Loup gris", "Mur"]);
        assert_eq!(found("grey wolf, walls, wall_2"), Vec::<&str>::new());
        assert_eq!((names.title("Wisps"), Names::default().title("Wisps")), ("Feux follets", "Wisps"));
        let json = serde_json::to_string(&names).unwrap();
        assert_eq!(json, r#"{"title":"Feux follets","card":{"grey_wolf":"Loup gris","wall":"Mur"},"kind":{},"words":{}}"#);
    }

    #[test]
    fn faults_of_a_file_of_names() {
        let table = [
            ("[card]\nwolf = \" \"", "the name of `wolf` is empty"),
            ("title = \"\"", "the name of `title` is empty"),
            ("[kind]\nwolf = 1", "`wolf` must be a text in quotes"),
            ("[card]\nwolf = \"a\"\nwolf = \"b\"", "this key is in one table twice"),
            ("[word]\nwolf = \"a\"", "a file of names has no key `word`"),
            ("card = 1", "`card` must be a table, such as `{ name = 1 }`"),
        ];
        for (text, message) in table {
            assert_eq!(names(text).1, [message], "{text}");
        }
    }
}
