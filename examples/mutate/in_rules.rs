//! Slips in rules.

use super::super::text::{Sort, Token, line_of};
use super::{Corpus, Edit, Site};

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

impl Corpus<'_> {
    pub(super) fn sites_of_rules(&self, file: usize, found: &mut Vec<Site>) {
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
                // The name of a guard or step is its own.
                Sort::Word if before == "needs" && (after == ":" || after == "if") || before == "step" => {}
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

    pub(super) fn begins_line(&self, file: usize, index: usize) -> bool {
        let (Some(before), Some(token)) = (self.tokens[file].get(index - 1), self.tokens[file].get(index)) else { return true };
        self.sources[file].text[before.end..token.start].contains('\n')
    }

    /// The line of the bracket that belongs to a bracket.
    pub(super) fn partner(&self, file: usize, all: &[Token], index: usize) -> Option<(usize, usize)> {
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
    pub(super) fn arguments(&self, class: &'static str, file: usize, all: &[Token], call: usize, found: &mut Vec<Site>) {
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
    pub(super) fn doubled_declaration(&self, file: usize, index: usize, found: &mut Vec<Site>) {
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
}
