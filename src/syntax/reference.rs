//! The grammar as data: the meaning, form, examples and keywords of each construct. The language reference and the messages of the parser
//! are generated from it, so that they cannot contradict the grammar.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use pest_meta::ast::{Expr, RuleType};
use pest_meta::parser::{Rule as MetaRule, consume_rules, parse};

use super::grammar::Rule;

/// The noun for a block in messages.
pub(super) const BLOCK: &str = "a block in braces";

/// The texts of the grammars of rules and of scenarios.
const GRAMMARS: [&str; 2] = [
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammar/rules.pest")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammar/scenario.pest")),
];
/// The small game in which the examples are valid.
pub const EXAMPLE_GAME: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammar/example.rules"));
/// The cards of the example game.
pub const EXAMPLE_CARDS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammar/example.toml"));

/// A construct of the language: a documented rule of the grammar.
#[derive(Clone, Debug)]
pub struct Construct {
    /// The name of the grammar rule.
    pub rule: String,
    /// The title of the chapter that describes the construct.
    pub chapter: String,
    /// The documentation of the construct.
    pub meaning: String,
    /// The syntax of the construct: keywords as they are, slots in capitals, optional parts in square brackets.
    pub form: String,
    /// Examples of the construct, which can be parsed.
    pub examples: Vec<String>,
    /// The keywords that the construct contains.
    pub keywords: BTreeSet<String>,
}

/// The reference of the language: the constructs of the grammar, indexed.
#[derive(Debug)]
pub struct Reference {
    constructs: Vec<Construct>,
    rules: BTreeMap<String, (RuleType, Expr)>,
    /// The lines above each rule.
    docs: BTreeMap<String, Vec<String>>,
    by_name: BTreeMap<String, Rule>,
}

/// Returns the reference, computed on first use.
pub fn reference() -> &'static Reference {
    static REFERENCE: OnceLock<Reference> = OnceLock::new();
    REFERENCE.get_or_init(Reference::read)
}

impl Reference {
    fn read() -> Reference {
        // The same text was compiled into the parser, so it is valid.
        let lines = GRAMMARS.iter().flat_map(|grammar| grammar.lines()).filter(|line| !line.starts_with("//!"));
        let grammar = lines.fold(String::new(), |grammar, line| grammar + line + "\n");
        let rules = parse(MetaRule::grammar_rules, &grammar).ok().and_then(|pairs| consume_rules(pairs).ok()).unwrap_or_default();
        let rules = rules.into_iter().map(|rule| (rule.name, (rule.ty, rule.expr))).collect();
        let by_name = Rule::all_rules().iter().map(|rule| (format!("{rule:?}"), *rule)).collect();
        let mut reference = Reference { constructs: Vec::new(), rules, docs: BTreeMap::new(), by_name };
        let (mut chapter, mut docs, mut found) = (String::new(), Vec::new(), Vec::new());
        for line in grammar.lines() {
            if let Some(title) = line.strip_prefix("// ====") {
                chapter = title.trim_start_matches(['=', ' ']).to_string();
            } else if let Some(doc) = line.strip_prefix("///") {
                docs.push(doc.trim().to_string());
            } else if let Some((name, _)) = line.split_once(" = ")
                && reference.rules.contains_key(name)
            {
                reference.docs.insert(name.to_string(), std::mem::take(&mut docs));
                found.push((name, chapter.clone()));
            }
        }
        reference.constructs = found.into_iter().map(|(name, chapter)| reference.construct(name, chapter)).collect();
        reference
    }

    fn construct(&self, name: &str, chapter: String) -> Construct {
        let (examples, meaning): (Vec<&str>, Vec<&str>) = self.docs_of(name).partition(|doc| doc.starts_with("example:"));
        let examples: Vec<String> = examples.iter().filter_map(|doc| Some(doc.split_once('`')?.1.strip_suffix('`')?.to_string())).collect();
        let form = if examples.is_empty() { String::new() } else { self.form_of(name) };
        Construct { rule: name.into(), chapter, meaning: meaning.join(" "), form, examples, keywords: self.words_of(name) }
    }

    /// Returns all rules with documentation, in the order of the grammar, without keywords.
    pub fn constructs(&self) -> impl Iterator<Item = &Construct> {
        self.constructs.iter().filter(|construct| !is_literal(&construct.rule))
    }

    /// Returns the constructs with examples: those that authors write.
    pub fn with_examples(&self) -> impl Iterator<Item = &Construct> {
        self.constructs().filter(|construct| !construct.examples.is_empty())
    }

    /// Returns the constructs that contain a keyword; those that begin with it come first.
    pub fn constructs_with(&self, word: &str) -> Vec<&Construct> {
        let mut found: Vec<&Construct> = self.with_examples().filter(|construct| construct.keywords.contains(word)).collect();
        found.sort_by_key(|construct| construct.form.split(|c: char| !c.is_alphanumeric()).next().is_none_or(|first| first != word));
        found
    }

    /// Returns the parser's rule with this name.
    pub(super) fn rule(&self, name: &str) -> Option<Rule> {
        self.by_name.get(name).copied()
    }

    /// Returns the form of a rule.
    pub fn form_of(&self, rule: &str) -> String {
        let form = self.rules.get(rule).map_or(String::new(), |(_, expr)| self.form(expr));
        let form = form.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        form.replace(" ,", ",").replace(" :", ":").replace("( ", "(").replace(" )", ")").replace("[ ", "[").replace(" ]", "]")
    }

    fn form(&self, expr: &Expr) -> String {
        match expr {
            Expr::Str(text) | Expr::Insens(text) => text.clone(),
            Expr::Ident(name) => self.form_of_ident(name),
            Expr::Seq(left, right) => format!("{} {}", self.form_of_part(left), self.form_of_part(right)),
            Expr::Choice(left, right) => {
                let (left, right) = (self.form(left), self.form(right));
                if left.trim().is_empty() { right } else { format!("{} | {}", left.trim(), right.trim()) }
            }
            Expr::Opt(inner) | Expr::Rep(inner) => match self.form(inner).trim() {
                "" => String::new(),
                inner if matches!(expr, Expr::Opt(_)) => format!("[{inner}]"),
                inner => format!("[{inner} …]"),
            },
            Expr::RepOnce(inner) => format!("{} …", self.form(inner)),
            _ => String::new(),
        }
    }

    /// Returns the form of a part of a sequence, in brackets where necessary.
    fn form_of_part(&self, expr: &Expr) -> String {
        match expr {
            Expr::Choice(..) => format!("({})", self.form(expr).trim()),
            _ => self.form(expr),
        }
    }

    fn form_of_ident(&self, name: &str) -> String {
        let Some((kind, expr)) = self.rules.get(name) else { return String::new() };
        if is_literal(name) {
            return literal(expr);
        }
        if self.is_block(name) {
            return "{ … }".into();
        }
        if matches!(name, "end" | "separator" | "added" | "member_of") {
            return String::new();
        }
        match (self.noun(name), self.has_example(name)) {
            (Some(_), _) => self.slot(name).1,
            (None, true) if *kind != RuleType::Silent => {
                format!("{} …", self.first_words(name).into_iter().collect::<Vec<_>>().join("|"))
            }
            // It is shown in place as a part of other forms.
            (None, _) => self.form_of_part(expr),
        }
    }

    /// Returns the documentation of a rule, line by line.
    fn docs_of(&self, name: &str) -> impl DoubleEndedIterator<Item = &str> {
        self.docs.get(name).into_iter().flatten().map(String::as_str)
    }

    /// Returns the noun of a rule: the text before a colon in the first line of its documentation.
    fn noun(&self, name: &str) -> Option<&str> {
        Some(self.docs_of(name).next()?.split_once(':')?.0)
    }

    fn has_example(&self, name: &str) -> bool {
        self.docs_of(name).next_back().is_some_and(|line| line.starts_with("example:"))
    }

    fn is_block(&self, name: &str) -> bool {
        self.rules.get(name).is_some_and(|(_, expr)| matches!(first_of_sequence(expr), Expr::Ident(open) if open == "OPEN"))
    }

    /// Returns the name of a slot: with an article for a sentence, and in capitals for a form.
    fn slot(&self, name: &str) -> (String, String) {
        let head = self.noun(name).unwrap_or(name);
        let mut letters = head.chars();
        let said: String = letters.next().into_iter().flat_map(char::to_lowercase).chain(letters).collect();
        let bare = head.strip_prefix("A ").or_else(|| head.strip_prefix("An ")).unwrap_or(head);
        (said, bare.to_uppercase())
    }

    /// Returns the noun for a rule in messages.
    pub(super) fn noun_of(&self, name: &str) -> String {
        match self.rules.get(name) {
            Some((_, expr)) if is_literal(name) => match literal(expr).as_str() {
                "{" => BLOCK.into(),
                text => format!("`{text}`"),
            },
            _ if self.is_block(name) => BLOCK.into(),
            Some((_, Expr::Str(sign))) => format!("`{sign}`"),
            Some(_) if self.noun(name).is_none() => {
                let words = self.first_words(name);
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                if words.is_empty() { self.slot(name).0 } else { words.join(" or ") }
            }
            _ => self.slot(name).0,
        }
    }

    /// Returns the keywords with which a rule can begin.
    pub(super) fn first_words(&self, name: &str) -> BTreeSet<String> {
        self.first_phrases(name).iter().filter_map(|phrase| phrase.split(' ').next()).map(str::to_string).collect()
    }

    /// Returns the keywords with which a rule can begin, each with the words that always follow it: `each player`, `ties at the edge`.
    pub fn first_phrases(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.firsts(name, &mut BTreeSet::new(), &mut |_, literal| {
            found.extend(literal.filter(|words| words.starts_with(char::is_alphabetic)).map(str::to_string));
        });
        found
    }

    /// Returns all rules with which a rule can begin.
    pub fn first_rules(&self, name: &str) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        self.firsts(name, &mut BTreeSet::new(), &mut |rule, _| _ = found.insert(rule.to_string()));
        found
    }

    fn firsts(&self, name: &str, seen: &mut BTreeSet<String>, visit: &mut dyn FnMut(&str, Option<&str>)) {
        let Some((_, expr)) = self.rules.get(name).filter(|_| seen.insert(name.to_string())) else { return };
        if is_literal(name) {
            return visit(name, Some(&literal(expr)));
        }
        visit(name, None);
        self.firsts_in(expr, seen, visit);
    }

    /// Visits what an expression can begin with. Returns whether the expression can be empty.
    fn firsts_in(&self, expr: &Expr, seen: &mut BTreeSet<String>, visit: &mut dyn FnMut(&str, Option<&str>)) -> bool {
        match expr {
            Expr::Ident(name) => {
                self.firsts(name, seen, visit);
                matches!(name.as_str(), "SOI" | "NEWLINE")
            }
            Expr::Seq(left, right) => self.firsts_in(left, seen, visit) && self.firsts_in(right, seen, visit),
            Expr::Choice(left, right) => {
                let left = self.firsts_in(left, seen, visit);
                self.firsts_in(right, seen, visit) || left
            }
            Expr::Opt(inner) | Expr::Rep(inner) => {
                self.firsts_in(inner, seen, visit);
                true
            }
            Expr::RepOnce(inner) => self.firsts_in(inner, seen, visit),
            Expr::PosPred(_) | Expr::NegPred(_) => true,
            _ => false,
        }
    }

    /// Returns the constructs among which a rule chooses.
    pub(super) fn alternatives(&self, name: &str) -> Vec<String> {
        let mut names = Vec::new();
        self.rules.get(name).into_iter().for_each(|(_, expr)| names_in(expr, false, &mut names));
        let is_silent = |name: &str| self.rules.get(name).is_some_and(|rule| rule.0 == RuleType::Silent);
        let found = names.into_iter().flat_map(|name| match self.has_example(name) {
            true => vec![name.to_string()],
            false if is_silent(name) => self.alternatives(name),
            false => Vec::new(),
        });
        found.collect()
    }

    /// Returns the keywords of a construct and of the rules that only it uses.
    fn words_of(&self, name: &str) -> BTreeSet<String> {
        let (mut words, mut seen, mut ahead) = (BTreeSet::new(), BTreeSet::from([name]), Vec::new());
        if let Some((_, expr)) = self.rules.get(name).filter(|_| !is_literal(name)) {
            names_in(expr, true, &mut ahead);
        }
        while let Some(name) = ahead.pop() {
            match self.rules.get(name) {
                Some((_, expr)) if is_literal(name) => {
                    words.extend(literal(expr).split(' ').filter(|word| word.starts_with(char::is_alphabetic)).map(str::to_string));
                }
                Some((_, expr)) if !self.has_example(name) && !self.is_shared(name) && seen.insert(name) => {
                    names_in(expr, true, &mut ahead);
                }
                _ => {}
            }
        }
        words
    }

    /// Whether a rule is used by several constructs.
    fn is_shared(&self, name: &str) -> bool {
        matches!(name, "expr" | "amount" | "operand" | "phrase" | "statement" | "declaration" | "member" | "addition")
            || self.is_block(name)
    }
}

/// Whether a rule is a keyword or sign, which have names in capitals.
fn is_literal(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// Returns the text of a keyword or sign.
fn literal(expr: &Expr) -> String {
    match expr {
        Expr::Str(text) => text.clone(),
        Expr::Seq(left, right) => format!("{} {}", literal(left), literal(right)).trim().to_string(),
        _ => String::new(),
    }
}

/// Collects the names of rules in an expression; those in optional and repeated parts only if they are wanted.
fn names_in<'e>(expr: &'e Expr, with_optional: bool, found: &mut Vec<&'e str>) {
    match expr {
        Expr::Ident(name) => found.push(name),
        Expr::Seq(left, right) | Expr::Choice(left, right) => {
            names_in(left, with_optional, found);
            names_in(right, with_optional, found);
        }
        Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) if with_optional => names_in(inner, with_optional, found),
        _ => {}
    }
}

/// Returns the first expression of a sequence.
fn first_of_sequence(expr: &Expr) -> &Expr {
    match expr {
        Expr::Seq(left, _) | Expr::Choice(left, _) => first_of_sequence(left),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::Grammar;
    use pest::Parser;

    #[test]
    fn every_construct_says_what_it_means() {
        let signs = ["equal", "not_equal", "at_most", "at_least", "less", "more", "add", "sub", "mul", "minus", "plus"];
        for construct in reference().constructs() {
            let bare =
                construct.chapter.contains("alone") || construct.chapter.contains("themselves") || construct.rule.starts_with("new_");
            assert!(bare || !construct.meaning.is_empty() || signs.contains(&construct.rule.as_str()), "{construct:?}");
        }
        assert!(reference().with_examples().count() > 100);
    }

    #[test]
    fn every_example_is_what_it_is_an_example_of() {
        for construct in reference().with_examples() {
            let rule = reference().rule(&construct.rule).expect("a rule");
            for example in &construct.examples {
                let read = |rule| Grammar::parse(rule, example).ok()?.next().map(|node| node.as_span().end());
                // Forms of clauses after a value are shown with a value.
                let end = read(rule).or_else(|| read(Rule::expr));
                assert_eq!(end, Some(example.len()), "{}: {example}", construct.rule);
            }
        }
    }

    #[test]
    fn constructs_that_begin_with_a_word_come_first() {
        for (word, rule) in
            [("grid", "grid"), ("deck", "deck_of"), ("resource", "resource_of"), ("tally", "tally"), ("flag", "flag"), ("step", "step")]
        {
            assert_eq!(reference().constructs_with(word)[0].rule, rule);
        }
        assert!(reference().constructs_with("wisp").is_empty());
    }
}
