//! Wrong versions of the shipped files, each with one slip that a person could make. The classes are those of a review in which
//! a modder's slips were tried by hand; slips that mean the same as what was there, or something else that is right, are left out.

#[path = "in_cards.rs"]
mod in_cards;
#[path = "in_rules.rs"]
mod in_rules;

use super::text::{Part, Role, Sort, Source, Token, line_of, parts, tokens};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};

/// What is done to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Edit {
    /// A letter is swapped, doubled, lost or another.
    Misspell,
    /// It is gone.
    Drop,
    /// Something else stands there.
    Put(String),
}

/// A place where a slip can happen.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Site {
    class: &'static str,
    file: usize,
    start: usize,
    end: usize,
    edit: Edit,
    /// Where a message may point, as file and line.
    places: Vec<(usize, usize)>,
}

/// A file with one slip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// The sort of slip.
    pub class: &'static str,
    /// Which file.
    pub file: usize,
    /// What was there.
    pub was: String,
    /// What is there now.
    pub now: String,
    /// The whole text.
    pub text: String,
    /// Where a message should point, as file and line.
    pub places: Vec<(usize, usize)>,
    /// Whether it is a misspelt word.
    pub misspelt: bool,
}

/// Words that begin a declaration whose name follows.
const DECLARING: [&str; 20] = [
    "resource",
    "counter",
    "flag",
    "tally",
    "pool",
    "symbols",
    "tokens",
    "place",
    "deck",
    "grid",
    "kind",
    "define",
    "stat",
    "changeable",
    "condition",
    "effect",
    "constant",
    "option",
    "zone",
    "action",
];
/// Of these several names may follow.
const LISTING: [&str; 7] = ["resource", "counter", "flag", "tally", "pool", "symbols", "place"];

/// All slips, so many of each class, the same for the same seed.
pub fn mutants(sources: &[Source], each: usize, seed: u64) -> Vec<Mutant> {
    let corpus = Corpus::new(sources);
    let mut classes: BTreeMap<&'static str, Vec<Site>> = BTreeMap::new();
    for site in corpus.sites() {
        classes.entry(site.class).or_default().push(site);
    }
    let mut found = Vec::new();
    for (number, (_, mut sites)) in classes.into_iter().enumerate() {
        let mut random = SmallRng::seed_from_u64(seed.wrapping_add(number as u64));
        sites.shuffle(&mut random);
        sites.truncate(each);
        found.extend(sites.into_iter().filter_map(|site| corpus.mutant(site, &mut random)));
    }
    found
}

/// The files, cut up.
struct Corpus<'a> {
    sources: &'a [Source],
    tokens: Vec<Vec<Token>>,
    parts: Vec<Vec<Part>>,
    /// Every word in them, with how often it stands there.
    words: BTreeMap<&'a str, usize>,
    /// Names that rules declare, with the word before them.
    declared: BTreeMap<&'a str, &'static str>,
    /// Where, as file and token.
    declared_at: BTreeSet<(usize, usize)>,
    cards: BTreeSet<&'a str>,
}

impl<'a> Corpus<'a> {
    fn new(sources: &'a [Source]) -> Corpus<'a> {
        let is_rules = |source: &Source| source.path.ends_with(".rules");
        let mut corpus = Corpus {
            sources,
            tokens: sources.iter().map(|s| if is_rules(s) { tokens(&s.text, 0, s.text.len()) } else { Vec::new() }).collect(),
            parts: sources.iter().map(|s| if is_rules(s) { Vec::new() } else { parts(&s.text) }).collect(),
            words: BTreeMap::new(),
            declared: BTreeMap::new(),
            declared_at: BTreeSet::new(),
            cards: BTreeSet::new(),
        };
        for (file, source) in sources.iter().enumerate() {
            for token in tokens(&source.text, 0, source.text.len()) {
                if token.sort == Sort::Word {
                    *corpus.words.entry(&source.text[token.start..token.end]).or_default() += 1;
                }
            }
            corpus.declare(file);
            let ids = corpus.parts[file].iter().filter(|part| part.section == "card" && part.key == "id" && part.role == Role::Text);
            corpus.cards.extend(ids.map(|part| &source.text[part.start..part.end]));
        }
        corpus
    }

    fn text(&self, file: usize, token: &Token) -> &'a str {
        &self.sources[file].text[token.start..token.end]
    }

    fn word(&self, file: usize, index: usize) -> &'a str {
        self.tokens[file].get(index).map_or("", |token| self.text(file, token))
    }

    fn line(&self, file: usize, at: usize) -> (usize, usize) {
        (file, line_of(&self.sources[file].text, at))
    }

    fn begins_statement(&self, file: usize, index: usize) -> bool {
        let token = &self.tokens[file][index];
        let Some(before) = index.checked_sub(1).map(|before| self.tokens[file][before]) else { return true };
        ["{", "}", ";"].contains(&self.text(file, &before)) || self.sources[file].text[before.end..token.start].contains('\n')
    }

    /// Finds the names that a file of rules declares.
    fn declare(&mut self, file: usize) {
        for index in 0..self.tokens[file].len() {
            // A field of a kind.
            if self.begins_statement(file, index) && self.word(file, index + 1) == ":" {
                self.declared.entry(self.word(file, index)).or_insert("field");
                self.declared_at.insert((file, index));
            }
            let Some(keyword) = DECLARING.iter().find(|word| **word == self.word(file, index)) else { continue };
            let after = self.word(file, index + 2);
            let verb = *keyword == "place" && (after == "in" || after == "over");
            if verb || !self.begins_statement(file, index) && self.word(file, index.wrapping_sub(1)) != "free" {
                continue;
            }
            let mut at = index + 1;
            while self.tokens[file].get(at).is_some_and(|token| token.sort == Sort::Word) {
                self.declared.entry(self.word(file, at)).or_insert(keyword);
                self.declared_at.insert((file, at));
                if !LISTING.contains(keyword) || self.word(file, at + 1) != "," {
                    break;
                }
                at += 2;
            }
        }
    }

    /// The class of a name by what it stands for, if it is one of the classes looked at by itself.
    fn class_of_name(&self, word: &str) -> Option<&'static str> {
        if self.cards.contains(word) {
            return Some("card id");
        }
        match *self.declared.get(word)? {
            "resource" | "symbols" => Some("resource"),
            "kind" => Some("kind"),
            "stat" | "changeable" => Some("quantity"),
            _ => None,
        }
    }

    fn sites(&self) -> Vec<Site> {
        let mut found = Vec::new();
        for file in 0..self.sources.len() {
            if !self.tokens[file].is_empty() {
                self.sites_of_rules(file, &mut found);
            } else if self.sources[file].path.starts_with("cards/") {
                self.sites_of_cards(file, &mut found);
            } else {
                self.sites_of_scenarios(file, &mut found);
            }
        }
        found
    }

    fn site(&self, class: &'static str, file: usize, start: usize, end: usize, edit: Edit) -> Site {
        Site { class, file, start, end, edit, places: vec![self.line(file, start)] }
    }

    fn mutant(&self, site: Site, random: &mut SmallRng) -> Option<Mutant> {
        let source = &self.sources[site.file];
        let was = source.text[site.start..site.end].to_string();
        let now = match &site.edit {
            Edit::Misspell => self.misspelt(&was, random)?,
            Edit::Drop => String::new(),
            Edit::Put(text) => text.clone(),
        };
        let text = format!("{}{now}{}", &source.text[..site.start], &source.text[site.end..]);
        let misspelt = site.edit == Edit::Misspell;
        Some(Mutant { class: site.class, file: site.file, was, now, text, places: site.places, misspelt })
    }

    /// A word with a slip that makes it no other word of the files.
    fn misspelt(&self, word: &str, random: &mut SmallRng) -> Option<String> {
        let letters: Vec<char> = word.chars().collect();
        (0..50).find_map(|_| {
            let mut wrong = letters.clone();
            let at = random.random_range(0..letters.len());
            match random.random_range(0..4) {
                0 if at + 1 < letters.len() => wrong.swap(at, at + 1),
                1 if letters.len() > 2 => drop(wrong.remove(at)),
                2 => wrong.insert(at, letters[at]),
                _ => wrong[at] = char::from(random.random_range(b'a'..=b'z')),
            }
            let wrong: String = wrong.into_iter().collect();
            let is_name = wrong.starts_with(|first: char| first.is_ascii_alphabetic());
            (is_name && wrong != word && !self.words.contains_key(wrong.as_str())).then_some(wrong)
        })
    }
}
