//! Slips in cards and scenarios, and in the scripts and lines of tests inside them.

use super::super::text::{Part, Role, Sort, line_of, tokens};
use super::{Corpus, Edit, Site};
use std::collections::BTreeSet;

const SCRIPT_KEYWORDS: [&str; 5] = ["if", "else", "for", "in", "let"];
const SCRIPT_VARIABLES: [&str; 5] = ["me", "own", "card", "player", "answer"];

impl Corpus<'_> {
    pub(super) fn sites_of_cards(&self, file: usize, found: &mut Vec<Site>) {
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
                Role::Key if part.inside && part.key == word && part.section.contains('.') => add("cards: key", Edit::Misspell),
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
                    "if" | "needs" | "leaves_when" | "let" => self.words_of("cards: condition", file, part, found),
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

    pub(super) fn sites_of_scenarios(&self, file: usize, found: &mut Vec<Site>) {
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

    pub(super) fn words_of(&self, class: &'static str, file: usize, part: &Part, found: &mut Vec<Site>) {
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

    pub(super) fn sites_of_script(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
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
    pub(super) fn lines_of_keys(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
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

    pub(super) fn sign(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
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
    pub(super) fn doubled_id(&self, file: usize, part: &Part, found: &mut Vec<Site>) {
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
}
