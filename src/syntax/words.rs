//! Splits a text into words, each with its place and the construct around it, for editors.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use pest::Parser;

use super::build::{RulePair, is_keyword};
use super::grammar::{Grammar, Rule};
use super::reference::{Construct, reference};
use super::scan::{Origin, Scanned, TextMode, is_letter, scan};
use crate::source::FileId;

/// The sort of a text, which decides how it is parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSort {
    /// A file of rules, or rules in another file.
    Rules,
    /// An expression on a card.
    Expression,
    /// The question of a card.
    Ask,
    /// The costs of a card's action.
    Costs,
    /// Lines of `given`.
    Given,
    /// Lines of `when`.
    When,
    /// Lines of `then`.
    Then,
}

impl TextSort {
    fn rule(self) -> (Rule, TextMode) {
        match self {
            TextSort::Rules => (Rule::file, TextMode::File),
            TextSort::Expression => (Rule::card_expr, TextMode::Line),
            TextSort::Ask => (Rule::card_ask, TextMode::Line),
            TextSort::Costs => (Rule::card_costs, TextMode::Line),
            TextSort::Given => (Rule::given_lines, TextMode::Lines),
            TextSort::When => (Rule::when_lines, TextMode::Lines),
            TextSort::Then => (Rule::then_lines, TextMode::Lines),
        }
    }
}

/// A word of a text.
#[derive(Clone, Debug)]
pub struct Word {
    /// The text of the word; names may contain dots.
    pub text: String,
    /// The offset of the word's first byte in the file.
    pub start: usize,
    /// The offset after the word's last byte in the file.
    pub end: usize,
    /// Whether the word is a name, not a keyword.
    pub is_name: bool,
    /// Whether the word is the id of a card.
    pub is_card: bool,
    /// The innermost construct that contains the word.
    pub construct: Option<&'static Construct>,
}

/// Splits a text that begins at byte `offset` of its file into its words, in order. All words of text that cannot be parsed count as
/// names.
pub fn words_of(text: &str, offset: usize, sort: TextSort) -> Vec<Word> {
    let (rule, style) = sort.rule();
    let origin = Origin { file: FileId(0), offset: u32::try_from(offset).unwrap_or(u32::MAX) };
    let scanned = scan(origin, text, style, &mut Vec::new());
    let mut words = WordCollector { scanned: &scanned, found: Vec::new() };
    match Grammar::parse(rule, &scanned.text) {
        Ok(nodes) => nodes.for_each(|node| words.node(node, None)),
        Err(_) => words.letters(&scanned.text, 0, None),
    }
    words.found
}

/// Returns the constructs with examples, by their grammar rules.
fn constructs() -> &'static BTreeMap<Rule, &'static Construct> {
    static CONSTRUCTS: OnceLock<BTreeMap<Rule, &'static Construct>> = OnceLock::new();
    CONSTRUCTS.get_or_init(|| reference().with_examples().filter_map(|found| Some((reference().rule(&found.rule)?, found))).collect())
}

struct WordCollector<'s> {
    scanned: &'s Scanned<'s>,
    found: Vec<Word>,
}

impl WordCollector<'_> {
    fn node(&mut self, node: RulePair<'_>, around: Option<&'static Construct>) {
        let (rule, text) = (node.as_rule(), node.as_str().trim_end());
        let around = constructs().get(&rule).copied().or(around);
        let (start, mut inner) = (node.as_span().start(), node.into_inner().peekable());
        if inner.peek().is_some() {
            return inner.for_each(|part| self.node(part, around));
        }
        match rule {
            Rule::number | Rule::quoted => {}
            Rule::broken | Rule::key | Rule::able_key => self.letters(text, start, around),
            rule if !text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_') => {
                // Signs are skipped; a name hidden behind one is found by its letters.
                if !is_keyword(rule) {
                    self.letters(text, start, around);
                }
            }
            rule => self.push(text, start, (!is_keyword(rule), rule == Rule::card_id), around),
        }
    }

    fn push(&mut self, text: &str, start: usize, (is_name, is_card): (bool, bool), construct: Option<&'static Construct>) {
        let span = self.scanned.span(start, start + text.len());
        let (start, end) = (span.start as usize, span.end as usize);
        self.found.push(Word { text: text.to_string(), start, end, is_name, is_card, construct });
    }

    /// Adds every run of letters and dots that begins with a letter.
    fn letters(&mut self, text: &str, start: usize, around: Option<&'static Construct>) {
        let mut at = 0;
        while let Some(first) = text.get(at..).and_then(|rest| rest.find(|letter: char| letter.is_alphabetic() || letter == '_')) {
            let begin = at + first;
            let run = text.get(begin..).unwrap_or("");
            let length = run.find(|letter: char| !is_letter(letter) && letter != '.').unwrap_or(run.len());
            let name = run.get(..length).unwrap_or("").trim_end_matches('.');
            self.push(name, start + begin, (true, false), around);
            at = begin + length.max(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, sort: TextSort) -> Vec<(String, bool)> {
        words_of(text, 0, sort).into_iter().map(|word| (word.text, word.is_name)).collect()
    }

    #[test]
    fn names_and_words_are_told_apart() {
        let found = words_of("  wisp > 2 and card.height > 0", 10, TextSort::Expression);
        let shown: Vec<_> = found.iter().map(|word| (word.text.as_str(), word.start, word.is_name)).collect();
        assert_eq!(shown, [("wisp", 12, true), ("and", 21, false), ("card.height", 25, true)]);
        assert_eq!(words("p1 has grey_wolf", TextSort::Given)[2], ("grey_wolf".to_string(), true));
    }

    #[test]
    fn a_word_knows_the_construct_it_stands_in() {
        let found = words_of("effect howl { gain 2 wisp }", 0, TextSort::Rules);
        let gain = found.iter().find(|word| word.text == "gain").unwrap();
        assert_eq!((gain.construct.unwrap().rule.as_str(), gain.is_name), ("gain", false));
    }

    #[test]
    fn what_cannot_be_read_keeps_its_names() {
        assert_eq!(words("wisp >", TextSort::Expression), [("wisp".to_string(), true)]);
        let found = words("effect howl { gain gain gain }\nstat fame = wisp", TextSort::Rules);
        assert!(found.contains(&("fame".to_string(), true)), "{found:?}");
        assert_eq!(words("", TextSort::Ask), []);
    }
}
