//! Translations: which names of a game can be translated, which should be, and checks of the files of names.

use super::compile::GameText;
use super::defs::{DefKind, Space};
use super::problem::CardProblem;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::program::Domain;
use crate::engine::ruleset::{Lifetime, Ruleset, Variable};
use crate::pack::{TomlValue, Translation, TranslationFile, Translations};
use crate::source::{Sources, Span};
use crate::state::layout::BOX;
use std::collections::{BTreeMap, BTreeSet};

/// The names of a game that can be translated.
#[derive(Clone, Debug, Default)]
pub struct TranslatableNames {
    kinds: BTreeSet<String>,
    /// Words that are shown in reports and lists, so that they should be translated; some consist of several words.
    shown: BTreeSet<String>,
    /// All other words of the rules, which may be translated as well.
    declared: BTreeSet<String>,
}

impl TranslatableNames {
    /// Collects the names that the rules of a game declare.
    pub fn collect(text: &GameText) -> TranslatableNames {
        let defs = text.checked().definitions();
        let kinds = defs.names(Space::Kind).map(str::to_string).collect();
        let is_card = |what: &DefKind| matches!(what, DefKind::Card(_) | DefKind::Kind(_) | DefKind::Broken);
        let declared = defs.all().filter(|(_, one)| !is_card(&one.kind)).map(|(_, one)| one.name.clone()).collect();
        let values = defs.options().filter(|(_, _, option)| !option.numeric).flat_map(|(_, _, option)| option.values.clone());
        let options = defs.options().map(|(_, name, _)| name.to_string()).chain(values);
        // What is printed on cards is told with the names of its words.
        let printed = text.content.cards.iter().flat_map(|card| &card.fields).flat_map(|(_, value)| words_in(&value.value));
        let cards: BTreeSet<&str> = text.content.cards.iter().map(|card| card.id.text.as_str()).collect();
        let printed = printed.filter(|word| !cards.contains(word.as_str()));
        let shown = options.chain(text.variants.iter().map(|(name, _)| name.clone())).chain(printed).collect();
        TranslatableNames { kinds, shown, declared }
    }

    /// Adds the names that are shown in games with this number of players.
    pub fn add(&mut self, rules: &Ruleset) {
        let text = |name: &u32| rules.names.text(*name).to_string();
        self.shown.extend(rules.resources.iter().chain(&rules.symbols).map(text));
        self.shown.extend(rules.quantities.iter().filter(|quantity| quantity.stat).map(|quantity| quantity.name.clone()));
        self.shown.extend(rules.actions().iter().map(|action| text(&action.name)));
        // The box is never shown.
        self.shown.extend(rules.layout.places.iter().skip(BOX + 1).map(|at| rules.places[at.declared as usize].name.clone()));
        self.shown.extend(rules.pools.iter().map(|pool| text(&pool.name)));
        self.shown.extend(rules.tokens.iter().map(|token| text(&token.name)));
        // Counters that end with a round or turn are mostly internal.
        let lasts = |variable: &&Variable| variable.lifetime == Lifetime::Game && !rules.is_internal_variable(&variable.name);
        let variables = rules.table.iter().chain(&rules.seat).chain(&rules.piece).filter(lasts);
        self.shown.extend(variables.map(|variable| variable.name.clone()));
        // Labels around questions and answers.
        self.declared.extend(["choose", "cover", "done", "nothing", "payment"].map(str::to_string));
        self.shown.extend(rules.score.iter().map(|(name, _)| name.clone()));
        // What is printed on cards is told with the names of its fields; the program itself says how old a card is.
        self.shown.extend(rules.fields.iter().map(|(name, _)| name.clone()).filter(|name| name != "age"));
        self.shown.extend(rules.turns.iter().map(|turns| turns.question.split('.').next().unwrap_or_default().to_string()));
        // Diagrams name phases and steps.
        let steps = rules.phases.iter().chain(&rules.steps).filter_map(|part| part.0.rsplit('.').next());
        self.shown.extend(steps.map(str::to_string));
        self.shown.extend(rules.honours.iter().map(|(name, _)| name.clone()));
        for param in rules.choices.iter().flat_map(|choice| &choice.params) {
            self.shown.extend(param.word.as_ref().map(text));
        }
        for param in rules.actions().iter().flat_map(|action| &action.params) {
            if let Domain::Words(words) = &param.domain {
                self.shown.extend(words.iter().map(|(name, _)| text(name)));
            }
        }
        for question in &rules.questions {
            let mut answers: Vec<String> = Vec::new();
            let mut counted = false;
            for choice in question.choices.iter().map(|&choice| &rules.choices[choice as usize]) {
                if choice.chooses || choice.params.is_empty() || choice.text.is_some() {
                    answers.push(text(&choice.name));
                }
                for param in &choice.params {
                    match &param.domain {
                        Domain::Words(words) => answers.extend(words.iter().map(|(name, _)| text(name))),
                        Domain::Numbers { .. } | Domain::Players(_) => counted = true,
                        Domain::Cards(_) => {}
                    }
                }
            }
            self.shown.extend(question.title.clone());
            if counted || !answers.is_empty() {
                self.shown.insert(question.id.split('.').next().unwrap_or_default().to_string());
            }
            self.shown.extend(answers.into_iter().filter(|answer| answer.parse::<i64>().is_err()));
        }
    }

    /// Checks the names in all languages. A problem that several languages share is reported once.
    pub fn check_all(&self, text: &GameText, sources: &Sources) -> Vec<Diagnostic> {
        let languages: BTreeSet<&str> = text.content.names.iter().map(|file| file.language.as_str()).collect();
        let mut found: Vec<Diagnostic> = Vec::new();
        for diagnostic in languages.into_iter().flat_map(|language| self.check(text, sources, language)) {
            let of_nothing = matches!(diagnostic.problem(), Some(CardProblem::NameOfNothing { .. }));
            let known = found.iter_mut().find(|known| of_nothing && known.is_same_problem(&diagnostic));
            match (known, diagnostic.span) {
                (Some(known), Some(span)) => known.secondary.push((span, "and here".to_string())),
                _ => found.push(diagnostic),
            }
        }
        found
    }

    /// Checks the names in a language, but only those of the last part loaded, the game or a pack: the others are checked when they are
    /// last.
    pub fn check(&self, text: &GameText, sources: &Sources, language: &str) -> Vec<Diagnostic> {
        let content = &text.content;
        let mut found = Vec::new();
        let names = Translations::read(content, sources, language, &mut found);
        let last = content.packs.last().map_or(&content.game, |pack| &pack.manifest.name);
        let Some(file) = content.names.iter().find(|file| file.language == language && file.owner == *last) else { return found };
        self.unknown_translation_keys(text, &names, file, &mut found);
        let cards = content.cards.iter().filter(|card| card.pack == *last);
        let names_known: BTreeSet<&str> = names.cards().map(|named| named.key.text.as_str()).collect();
        let printed = content.cards.iter().map(|card| (card.id.text.as_str(), card.name.text.as_str())).collect();
        report_duplicate_names(&names, &printed, file, &mut found);
        found.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.file, span.start)));
        if !found.is_empty() {
            // The missing name may be present under a misspelt key.
            return found;
        }
        let unnamed = |ids: Vec<&str>, sort: &'static str| {
            let (span, language) = (Span { file: file.file, start: 0, end: 0 }, file.language.clone());
            let ids: Vec<String> = ids.into_iter().map(String::from).collect();
            (!ids.is_empty()).then(|| CardProblem::WithoutName { ids, sort, language }.at(span))
        };
        found.extend(unnamed(cards.map(|card| card.id.text.as_str()).filter(|id| !names_known.contains(id)).collect(), "card"));
        // There is no record of which part declares a kind or word; it is the last one's if the other parts are fully translated.
        if content.packs.iter().all(|pack| content.names.iter().any(|file| file.language == language && file.owner == pack.manifest.name)) {
            let of_kind = |kind: &&str| names.kinds().any(|named| named.key.text == **kind);
            found.extend(unnamed(self.kinds.iter().map(String::as_str).filter(|kind| !of_kind(kind)).collect(), "kind"));
            let words = self.shown.iter().map(String::as_str).filter(|word| names.known_word(word).is_none());
            found.extend(unnamed(words.collect(), "word"));
        }
        found
    }

    /// Reports keys of a file of names that nothing in the game has.
    fn unknown_translation_keys(&self, text: &GameText, names: &Translations, file: &TranslationFile, found: &mut Vec<Diagnostic>) {
        // The spaces of boards have names as cards have.
        let of_boards = text.checked().cards();
        let cards: BTreeSet<&str> = text.content.cards.iter().chain(of_boards).map(|card| card.id.text.as_str()).collect();
        let kinds: BTreeSet<&str> = self.kinds.iter().map(String::as_str).collect();
        let words: BTreeSet<&str> = self.shown.iter().chain(&self.declared).map(String::as_str).collect();
        type Table<'n> = (&'static str, &'n BTreeSet<&'n str>);
        let mut look = |named: &Translation, sort: &'static str, (table, known): Table<'_>, others: [Table<'_>; 2]| {
            let key = named.key.text.as_str();
            if named.key.span.file != file.file {
                return;
            }
            if known.contains(key) {
                if key.contains('{') && chosen_in(key) != chosen_in(&named.name.text) {
                    found.push(CardProblem::NameTellsOthers { key: key.to_string() }.at(named.name.span));
                }
                return;
            }
            let elsewhere = others.into_iter().find(|(_, known)| known.contains(key)).map(|(table, _)| table);
            let card = |id: &str| text.content.cards.iter().find(|card| sort == "card" && card.id.text == id).map(|card| card.id.span);
            let near = nearest(key, known.iter().copied()).map(|near| (near.to_string(), card(near)));
            found.push(CardProblem::NameOfNothing { sort, table, key: key.to_string(), elsewhere, near }.at(named.key.span));
        };
        let [of_cards, of_kinds, of_words] = [("card", &cards), ("kind", &kinds), ("words", &words)];
        if !text.content.cards_missing {
            names.cards().for_each(|named| look(named, "card", of_cards, [of_kinds, of_words]));
        }
        names.kinds().for_each(|named| look(named, "kind", of_kinds, [of_words, of_cards]));
        names.words().for_each(|named| look(named, "word of the rules", of_words, [of_kinds, of_cards]));
    }
}

/// Returns the words in a printed value: texts, and the keys of tables.
fn words_in(value: &TomlValue) -> Vec<String> {
    match value {
        TomlValue::Text(word) => vec![word.text.clone()],
        TomlValue::List(values) => values.iter().flat_map(|value| words_in(&value.value)).collect(),
        TomlValue::Table(keys) => keys.iter().map(|(key, _)| key.text.clone()).collect(),
        TomlValue::Integer(_) | TomlValue::Boolean(_) => Vec::new(),
    }
}

/// Names that a file of names lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingNames {
    /// The table of the file in which they are to stand: `card`, `kind` or `words`.
    pub table: &'static str,
    /// Ids or words without a name.
    pub ids: Vec<String>,
}

/// Returns the names that a file of names lacks, if a diagnostic says so; `None` if it is another diagnostic.
pub fn missing_names(found: &Diagnostic) -> Option<MissingNames> {
    let CardProblem::WithoutName { ids, sort, .. } = found.problem()? else { return None };
    Some(MissingNames { table: if *sort == "word" { "words" } else { sort }, ids: ids.clone() })
}

/// Returns the names in braces in a text, each as often as it stands there.
fn chosen_in(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = text.split('{').skip(1).map(|part| part.split('}').next().unwrap_or("").trim()).collect();
    found.sort_unstable();
    found
}

/// Reports cards with the same translated name, one of them translated in this file, unless their printed names are equal, too.
fn report_duplicate_names(names: &Translations, printed: &BTreeMap<&str, &str>, file: &TranslationFile, found: &mut Vec<Diagnostic>) {
    let mut by_name: BTreeMap<String, Vec<&Translation>> = BTreeMap::new();
    for named in names.cards().filter(|named| printed.contains_key(named.key.text.as_str())) {
        by_name.entry(named.name.text.to_lowercase()).or_default().push(named);
    }
    for mut alike in by_name.into_values() {
        alike.sort_by_key(|named| (named.key.span.file, named.key.span.start));
        let name = |named: &Translation| printed.get(named.key.text.as_str()).copied();
        let Some((first, others)) = alike.split_first() else { continue };
        for other in others.iter().filter(|other| name(other) != name(first) && other.key.span.file == file.file) {
            let [one, two, name] = [&first.key, &other.key, &other.name].map(|text| text.text.clone());
            found.push(CardProblem::SameName { one, other: two, name, first: first.name.span }.at(other.name.span));
        }
    }
}
