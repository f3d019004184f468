//! Wrong versions of the shipped files, each with one slip that a person could make. The classes are those of a review in which
//! a modder's slips were tried by hand; slips that mean the same as what was there, or something else that is right, are left out.

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
/// The words of the language that the shipped rules use; a name that is one of them is left alone.
const KEYWORDS: [&str; 84] = [
    "game",
    "players",
    "option",
    "any",
    "of",
    "default",
    "to",
    "for",
    "each",
    "player",
    "constant",
    "by",
    "else",
    "define",
    "table",
    "deck",
    "where",
    "in",
    "is",
    "grid",
    "place",
    "counter",
    "round",
    "flag",
    "resource",
    "room",
    "action",
    "tally",
    "set",
    "card",
    "kind",
    "slot",
    "number",
    "numbers",
    "one",
    "cards",
    "zone",
    "hearing",
    "if",
    "then",
    "sum",
    "my",
    "changeable",
    "stat",
    "at",
    "most",
    "ranked",
    "as",
    "highest",
    "with",
    "first",
    "rank",
    "top",
    "leaders",
    "ties",
    "condition",
    "and",
    "or",
    "not",
    "when",
    "short",
    "missing",
    "unless",
    "lose",
    "repeat",
    "chooses",
    "effect",
    "take",
    "gain",
    "remove",
    "pay",
    "mix",
    "setup",
    "order",
    "random",
    "fill",
    "from",
    "reverse",
    "draw",
    "put",
    "phase",
    "step",
    "turns",
    "needs",
];
/// Without one of these nothing is left that could be meant.
const LINKS: [&str; 10] = ["of", "to", "from", "where", "is", "by", "or", "and", "then", "in"];
const SCRIPT_KEYWORDS: [&str; 5] = ["if", "else", "for", "in", "let"];
const SCRIPT_VARIABLES: [&str; 5] = ["me", "own", "card", "player", "answer"];

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

    // ------------------------------------------------------------------ rules

    fn sites_of_rules(&self, file: usize, found: &mut Vec<Site>) {
        let all = &self.tokens[file];
        let text = &self.sources[file].text;
        for (index, token) in all.iter().enumerate() {
            let word = self.text(file, token);
            let (before, after) = (self.word(file, index.wrapping_sub(1)), self.word(file, index + 1));
            let mut add = |class, edit| found.push(self.site(class, file, token.start, token.end, edit));
            match token.sort {
                Sort::Word if KEYWORDS.contains(&word) && !self.declared_at.contains(&(file, index)) => {
                    if word.len() > 2 && before != "." && after != "." {
                        add("rules: keyword", Edit::Misspell);
                        add("rules: word doubled", Edit::Put(format!("{word} {word}")));
                    }
                    // After a comma `then` is for the reader.
                    if LINKS.contains(&word) && before != "," {
                        add("rules: word dropped", Edit::Drop);
                    }
                    let swapped = all.get(index + 1).filter(|next| next.sort == Sort::Word && text[token.end..next.start] == *" ");
                    if let Some(next) = swapped.filter(|next| self.text(file, next) != word) {
                        let put = Edit::Put(format!("{} {word}", self.text(file, next)));
                        found.push(self.site("rules: words swapped", file, token.start, next.end, put));
                    }
                }
                // A guard's name is its own.
                Sort::Word if before == "needs" && after == ":" => {}
                // A name that nobody uses may be any other.
                Sort::Word if self.declared_at.contains(&(file, index)) && self.words.get(word) == Some(&1) => {}
                Sort::Word if self.declared_at.contains(&(file, index)) => add("rules: name where declared", Edit::Misspell),
                Sort::Word if self.declared.contains_key(word) || self.cards.contains(word) => {
                    if word.len() > 2 {
                        add("rules: name in use", Edit::Misspell);
                        if let Some(class) = self.class_of_name(word) {
                            add(class, Edit::Misspell);
                        }
                    }
                    if before == "moment" {
                        add("moment", Edit::Misspell);
                    }
                    let called = after == "(" && all[index + 1].start == token.end && self.word(file, index + 2) != ")";
                    if called {
                        self.arguments("rules: number of arguments", file, all, index, found);
                    }
                }
                // A moment that nobody hears may have any name.
                Sort::Word if before == "moment" && self.words.get(word) != Some(&1) => add("moment", Edit::Misspell),
                Sort::Number if before != "." && after != "." => add("rules: number as text", Edit::Put(format!("\"{word}\""))),
                Sort::Quoted => found.push(self.site("rules: punctuation", file, token.start, token.start + 1, Edit::Drop)),
                Sort::Sign if matches!(word, "(" | ")" | "[" | "]" | "{" | "}" | "," | "=" | ":") => {
                    let mut site = self.site("rules: punctuation", file, token.start, token.end, Edit::Drop);
                    site.places.extend(self.partner(file, all, index));
                    found.push(site);
                }
                // At the end of a line or a block it says nothing.
                Sort::Sign if word == ";" && after != "}" && !self.begins_line(file, index + 1) => add("rules: punctuation", Edit::Drop),
                _ => {}
            }
            self.doubled_declaration(file, index, found);
        }
    }

    fn begins_line(&self, file: usize, index: usize) -> bool {
        let (Some(before), Some(token)) = (self.tokens[file].get(index - 1), self.tokens[file].get(index)) else { return true };
        self.sources[file].text[before.end..token.start].contains('\n')
    }

    /// The line of the bracket that belongs to a bracket.
    fn partner(&self, file: usize, all: &[Token], index: usize) -> Option<(usize, usize)> {
        let mut depth = 0;
        let step = |token: &Token, depth: &mut i32| {
            match self.text(file, token) {
                "(" | "[" | "{" => *depth += 1,
                ")" | "]" | "}" => *depth -= 1,
                _ => {}
            }
            *depth == 0
        };
        let found = match self.text(file, &all[index]) {
            "(" | "[" | "{" => all[index..].iter().find(|token| step(token, &mut depth)),
            ")" | "]" | "}" => all[..=index].iter().rev().find(|token| step(token, &mut depth)),
            _ => None,
        };
        found.map(|token| self.line(file, token.start))
    }

    /// One argument too many, and one too few.
    fn arguments(&self, class: &'static str, file: usize, all: &[Token], call: usize, found: &mut Vec<Site>) {
        let (mut depth, mut last) = (0, call + 2);
        for index in call + 1..all.len() {
            match self.text(file, &all[index]) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 1 => last = index,
                _ => {}
            }
            if depth == 0 && index == call + 2 {
                // Without arguments: another number of them is another question.
                return;
            }
            if depth == 0 {
                let end = all[index].start;
                found.push(self.site(class, file, end, end, Edit::Put(", 1".to_string())));
                found.push(self.site(class, file, all[last].start, end, Edit::Drop));
                return;
            }
        }
    }

    /// A declaration of one line, twice.
    fn doubled_declaration(&self, file: usize, index: usize, found: &mut Vec<Site>) {
        let text = &self.sources[file].text;
        let token = &self.tokens[file][index];
        if index > 0 && !self.begins_line(file, index) || !self.declared_at.contains(&(file, index + 1)) {
            return;
        }
        let start = text[..token.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length + 1);
        let line = &text[start..end];
        let indent = |line: &str| line.len() - line.trim_start().len();
        let goes_on = text[end..].lines().next().is_some_and(|next| !next.trim().is_empty() && indent(next) > indent(line));
        if goes_on || line.matches('{').count() != line.matches('}').count() {
            return;
        }
        let mut site = self.site("rules: declaration doubled", file, start, end, Edit::Put(format!("{line}{line}")));
        site.places.push((file, line_of(text, end)));
        found.push(site);
    }

    // ------------------------------------------------------------------ cards and scenarios

    fn sites_of_cards(&self, file: usize, found: &mut Vec<Site>) {
        let text = &self.sources[file].text;
        for part in &self.parts[file] {
            let word = &text[part.start..part.end];
            let mut add = |class, edit| found.push(self.site(class, file, part.start, part.end, edit));
            let last = part.section.rsplit('.').next().unwrap_or("");
            let of_test = last == "test";
            match part.role {
                Role::Header => {
                    let from = part.start + word.rfind('.').map_or(0, |at| at + 1);
                    found.push(self.site("cards: table header", file, from, part.end, Edit::Misspell));
                }
                Role::Key if part.inside => {
                    if let Some(class) = self.class_of_name(word) {
                        add(class, Edit::Misspell);
                    }
                }
                Role::Key if part.key == word => {
                    add("cards: key", Edit::Misspell);
                    self.lines_of_keys(file, part, found);
                }
                // The key takes rules text as well, in which this number means the same.
                Role::Number if matches!(part.key.as_str(), "by" | "to") => {}
                Role::Number => add("cards: number as text", Edit::Put(format!("\"{word}\""))),
                Role::Sign => self.sign(file, part, found),
                Role::Text => match part.key.as_str() {
                    "name" | "text" | "source" | "because" | "alt_names" => {}
                    "given" | "when" | "then" if of_test => self.words_of("cards: test", file, part, found),
                    "when" => self.words_of("moment", file, part, found),
                    "do" => self.sites_of_script(file, part, found),
                    "ask" => self.words_of("cards: ask", file, part, found),
                    "if" | "needs" | "leaves_when" => self.words_of("cards: condition", file, part, found),
                    "kind" => add("kind", Edit::Misspell),
                    "what" | "action" => add("quantity", Edit::Misspell),
                    "start_cards" => add("card id", Edit::Misspell),
                    "set" | "side" | "resource" | "who" | "of" => add("cards: word as value", Edit::Misspell),
                    "id" if part.section == "card" => self.doubled_id(file, part, found),
                    _ => {}
                },
                Role::Key => {}
            }
        }
    }

    fn sites_of_scenarios(&self, file: usize, found: &mut Vec<Site>) {
        for part in &self.parts[file] {
            match (part.role, part.key.as_str()) {
                (Role::Text, "given" | "when" | "then") => self.words_of("scenarios: text", file, part, found),
                (Role::Key, _) if !part.inside => found.push(self.site("scenarios: key", file, part.start, part.end, Edit::Misspell)),
                (Role::Number, _) => {
                    let put = Edit::Put(format!("\"{}\"", &self.sources[file].text[part.start..part.end]));
                    found.push(self.site("scenarios: number as text", file, part.start, part.end, put));
                }
                _ => {}
            }
        }
    }

    fn words_of(&self, class: &'static str, file: usize, part: &Part, found: &mut Vec<Site>) {
        for token in tokens(&self.sources[file].text, part.start, part.end) {
            let word = self.text(file, &token);
            if token.sort == Sort::Word && word.len() > 2 {
                found.push(self.site(class, file, token.start, token.end, Edit::Misspell));
                let condition = matches!(class, "cards: condition" | "cards: ask");
                if let Some(class) = self.class_of_name(word).filter(|_| condition) {
                    found.push(self.site(class, file, token.start, token.end, Edit::Misspell));
                }
            }
        }
    }

    fn sites_of_script(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
        let all = tokens(&self.sources[file].text, part.start, part.end);
        let sign = |index: usize| all.get(index).map_or("", |token| self.text(file, token));
        let own: BTreeSet<&str> = (1..all.len()).filter(|&i| matches!(sign(i - 1), "let" | "for")).map(sign).collect();
        for (index, token) in all.iter().enumerate() {
            let (word, after) = (self.text(file, token), sign(index + 1));
            let mut add = |class, edit| found.push(self.site(class, file, token.start, token.end, edit));
            match token.sort {
                Sort::Word if SCRIPT_KEYWORDS.contains(&word) => add("script: keyword", Edit::Misspell),
                Sort::Word if after == "(" => {
                    add("script: function", Edit::Misspell);
                    self.arguments("script: number of arguments", file, &all, index, found);
                }
                Sort::Word if SCRIPT_VARIABLES.contains(&word) || own.contains(word) => {
                    // Where it is declared it may have any name; then its uses are wrong.
                    add("script: variable", Edit::Misspell);
                }
                Sort::Word => {
                    add("script: word", Edit::Misspell);
                    if let Some(class) = self.class_of_name(word) {
                        add(class, Edit::Misspell);
                    }
                }
                Sort::Number => add("script: number as text", Edit::Put(format!("\"{word}\""))),
                Sort::Sign if matches!(word, "(" | ")" | "{" | "}" | "[" | "]" | ",") || word == ";" && !matches!(after, "" | "}") => {
                    add("script: punctuation", Edit::Drop);
                }
                _ => {}
            }
        }
    }

    /// A line with a key that its table needs is gone; a line stands there twice.
    fn lines_of_keys(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
        let text = &self.sources[file].text;
        let start = text[..part.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[start..].find('\n').map_or(text.len(), |length| start + length + 1);
        let line = &text[start..end];
        if line.contains("\"\"\"") || line.contains("'''") {
            return;
        }
        let mut doubled = self.site("cards: key doubled", file, start, end, Edit::Put(format!("{line}{line}")));
        doubled.places.push((file, line_of(text, end)));
        found.push(doubled);
        let last = part.section.rsplit('.').next().unwrap_or("");
        let needed =
            matches!((last, part.key.as_str()), ("card", "id" | "kind") | ("on", "when" | "do") | ("change", "what") | ("test", "then"));
        if needed {
            let mut dropped = self.site("cards: key dropped", file, start, end, Edit::Drop);
            // Any line of the table will do.
            let first = text[..start].rfind("[[").map_or(0, |at| line_of(text, at));
            let last = text[end..].find("[[").map_or(text.len(), |length| end + length);
            dropped.places = (first..=line_of(text, last)).map(|line| (file, line)).collect();
            found.push(dropped);
        }
    }

    fn sign(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
        let text = &self.sources[file].text;
        let sign = &text[part.start..part.end];
        let rest = text[part.end..].trim_start();
        // A comma at the end of a list says nothing; of three quotation marks two would do elsewhere.
        let nothing = sign == "," && (rest.starts_with(']') || rest.starts_with('}'));
        let long = text[part.start..].starts_with("\"\"\"") || text[part.start..].starts_with("'''");
        if !nothing && !long {
            found.push(self.site("cards: punctuation", file, part.start, part.end, Edit::Drop));
        }
    }

    /// Another card of the same game has this id.
    fn doubled_id(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
        let folder = |file: usize| self.sources[file].path.split('/').nth(1).unwrap_or("");
        let others = (0..self.sources.len()).flat_map(|other| self.parts[other].iter().map(move |part| (other, part)));
        let mut others = others.filter(|(other, id)| {
            let is_id = id.section == "card" && id.key == "id" && id.role == Role::Text;
            is_id && folder(*other) == folder(file) && (*other, id.start) > (file, part.start)
        });
        if let Some((other, id)) = others.next() {
            let name = self.sources[other].text[id.start..id.end].to_string();
            let mut site = self.site("card id doubled", file, part.start, part.end, Edit::Put(name));
            site.places.push(self.line(other, id.start));
            found.push(site);
        }
    }

    // ------------------------------------------------------------------ what comes of it

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
