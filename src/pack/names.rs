//! Translations: the names of cards, kinds and words in other languages. They are in `names/LANGUAGE.toml` in a folder of cards. Rules,
//! scenarios and replays use ids, which are the same in all languages.

use std::collections::BTreeMap;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Sources, Span};

use super::cards::RawCard;
use super::keys::{Keys, wrong_type};
use super::load::GameContent;
use super::problem::PackProblem;
use super::read::{Text, read_table};
use super::schema::NAMES_TABLE;

/// The language of the names in card files.
pub const CARD_LANGUAGE: &str = "en";

/// The folder for translations within a folder of cards.
const FOLDER: &str = "names/";

/// A file that translates names into one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TranslationFile {
    /// Language code, from the name of the file.
    pub language: String,
    /// The pack that the file belongs to; the game, for the game's own files.
    pub owner: String,
    /// The file, as registered in the sources.
    pub file: FileId,
}

/// Whether a path within a folder of cards is that of a translation file.
pub(super) fn is_translation_file(inside: &str) -> bool {
    inside.get(..FOLDER.len()).is_some_and(|folder| folder.eq_ignore_ascii_case(FOLDER))
}

/// Returns the language of a translation file, from its path within a folder of cards.
pub(super) fn language_of(inside: &str) -> Option<&str> {
    let name = inside.strip_prefix(FOLDER)?.strip_suffix(".toml")?;
    let is_language = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    is_language.then_some(name)
}

/// Makes a [`TranslationFile`]. Reports a file that is not named after a language.
pub(super) fn translation_file(inside: &str, of: &str, file: FileId, diagnostics: &mut Vec<Diagnostic>) -> Option<TranslationFile> {
    if let Some(language) = language_of(inside) {
        return Some(TranslationFile { language: language.to_owned(), owner: of.to_owned(), file });
    }
    let whole = Span { file, start: 0, end: 0 };
    let folder = (!inside.starts_with(FOLDER)).then(|| FOLDER.trim_end_matches('/').to_string());
    diagnostics.push(PackProblem::NoLanguage { path: inside.to_string(), folder }.at(whole));
    None
}

/// The name of one card, kind or word in a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Translation {
    /// Id or word that is translated.
    pub key: Text,
    /// The translated name.
    pub name: Text,
    /// The pack that defines the translation; the game, for the game's own.
    pub owner: String,
}

/// All translations into one language. What has no translation keeps its original name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Translations {
    /// The language; empty if there are no translations.
    language: String,
    /// Translated name of the game.
    title: Option<Translation>,
    cards: BTreeMap<String, Translation>,
    kinds: BTreeMap<String, Translation>,
    words: BTreeMap<String, Translation>,
}

impl Translations {
    /// Reads the translations of a game and its packs. A pack may override a name of the game. Two packs with different names for the same
    /// thing are reported, unless the later one lists the earlier in `over`.
    pub fn read(content: &GameContent, sources: &Sources, language: &str, diagnostics: &mut Vec<Diagnostic>) -> Translations {
        let mut names = Translations { language: language.to_owned(), ..Translations::default() };
        for found in content.names.iter().filter(|found| found.language == language) {
            let over = content.packs.iter().find(|pack| pack.manifest.name == found.owner).map_or(&[][..], |pack| &pack.manifest.over);
            let read = parse_translations(found, sources.text(found.file), diagnostics);
            names.title = read.title.or(names.title);
            for (all, new) in [(&mut names.cards, read.cards), (&mut names.kinds, read.kinds), (&mut names.words, read.words)] {
                for (key, new) in new {
                    let old = all.get(&key).filter(|old| old.owner != content.game && !over.contains(&old.owner));
                    if let Some(old) = old.filter(|old| old.name.text != new.name.text) {
                        let (pack, other) = (new.owner.clone(), old.owner.clone());
                        diagnostics.push(PackProblem::TwoNames { key, pack, other, at: old.name.span }.at(new.name.span));
                        continue;
                    }
                    all.insert(key, new);
                }
            }
        }
        names
    }

    /// Returns the language; empty if the names are those of cards and rules.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Returns the translated name of the game, or `title`.
    pub fn title<'n>(&'n self, title: &'n str) -> &'n str {
        self.title.as_ref().map_or(title, |named| &named.name.text)
    }

    /// Returns the translated name of a card, or its own name.
    pub fn card<'n>(&'n self, card: &'n RawCard) -> &'n str {
        self.cards.get(&card.id.text).map_or(&card.name.text, |named| &named.name.text)
    }

    /// Returns the translated name of a kind, or the kind itself.
    pub fn kind<'n>(&'n self, kind: &'n str) -> &'n str {
        self.kinds.get(kind).map_or(kind, |named| &named.name.text)
    }

    /// Translates one or several words of the rules, looked up as words and then as kinds. A suffix after a point, as in `wisp.2`,
    /// is only a number and is kept.
    pub fn translate_word(&self, word: &str) -> String {
        self.known_word(word).unwrap_or_else(|| word.to_owned())
    }

    /// Returns the translation of a word or kind, if there is one.
    pub fn known_word(&self, word: &str) -> Option<String> {
        let whole = |word: &str| self.words.get(word).or_else(|| self.kinds.get(word)).map(|named| named.name.text.clone());
        if let Some(name) = whole(word) {
            return Some(name);
        }
        let (stem, count) = word.split_once('.')?;
        whole(stem).map(|name| format!("{name}.{count}"))
    }

    /// Returns the translated cards whose ids occur in a text, ordered by id.
    pub fn cards_in(&self, text: &str) -> Vec<&Translation> {
        let mut ids: Vec<&str> = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().filter_map(|id| self.cards.get(id)).collect()
    }

    /// Whether any card has a translation.
    pub fn has_cards(&self) -> bool {
        !self.cards.is_empty()
    }

    /// Returns all translated cards.
    pub fn cards(&self) -> impl Iterator<Item = &Translation> {
        self.cards.values()
    }

    /// Returns all translated kinds.
    pub fn kinds(&self) -> impl Iterator<Item = &Translation> {
        self.kinds.values()
    }

    /// Returns all translated words.
    pub fn words(&self) -> impl Iterator<Item = &Translation> {
        self.words.values()
    }
}

impl Serialize for Translations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts = |named: &BTreeMap<String, Translation>| -> BTreeMap<String, String> {
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

/// Parses one translation file. Errors are reported; the valid translations are returned.
fn parse_translations(found: &TranslationFile, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Translations {
    let Some(table) = read_table(found.file, text, diagnostics) else { return Translations::default() };
    let whole = Span { file: found.file, start: 0, end: 0 };
    let mut keys = Keys::new("a file of names", whole, table, diagnostics);
    let title = keys.take("title");
    let named = |key: Text, name: Text| Translation { key, name, owner: found.owner.clone() };
    let mut tables = ["card", "kind", "words"].map(|key| keys.take_table(key).unwrap_or_default());
    keys.report_unknown_keys(&NAMES_TABLE.names());
    let mut entries = |table: Vec<(Text, super::read::Spanned)>| -> BTreeMap<String, Translation> {
        let mut entries = BTreeMap::new();
        for (key, value) in table {
            match value.text() {
                None => {
                    diagnostics.push(wrong_type(&key.text, "a text in quotes", &value));
                }
                Some(name) if name.text.trim().is_empty() => {
                    diagnostics.push(PackProblem::EmptyName { key: key.text }.at(value.span));
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
    Translations { language: found.language.clone(), title, cards, kinds, words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Translations, Vec<String>) {
        let mut diagnostics = Vec::new();
        let file = TranslationFile { language: "xx".into(), owner: "wisps".into(), file: FileId(0) };
        let names = parse_translations(&file, text, &mut diagnostics);
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
        assert_eq!((names.translate_word("grow wall").as_str(), names.kind("wolf"), names.kind("moss")), ("grow wall", "loup", "moss"));
    }

    #[test]
    fn ids_in_a_text_are_found_as_whole_words() {
        let (names, _) = names("title = \"Feux follets\"\n[card]\ngrey_wolf = \"Loup gris\"\nwall = \"Mur\"");
        let found = |text: &str| names.cards_in(text).iter().map(|named| named.name.text.as_str()).collect::<Vec<_>>();
        assert_eq!(found("p1: buy wall, or `grey_wolf`; wall"), ["Loup gris", "Mur"]);
        assert_eq!(found("grey wolf, walls, wall_2"), Vec::<&str>::new());
        assert_eq!((names.title("Wisps"), Translations::default().title("Wisps")), ("Feux follets", "Wisps"));
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
