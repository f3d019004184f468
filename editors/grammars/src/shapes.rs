//! The constructs of the rules language as editors read them: the word with which a line begins, what follows it, and which block stands
//! behind it.
//!
//! What pest reads by trying one thing after another, an editor has to read without looking back. So only this much of the grammar is kept:
//! which constructs a block can hold, their first words, their signs `=`, `+=` and `-=`, words that stand nowhere inside of values
//! (`chooses`, `leaves`, …), and their blocks. Everything between is a row of words, values and operators.

use std::collections::BTreeSet;

use pest_meta::ast::Expr;

use super::reader::{Reader, is_literal, literal};

/// A part of a construct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A word, or several with blanks between them, that stands for itself.
    Word(String),
    /// One of some signs that assign.
    Sign(BTreeSet<String>),
    /// A row of words, values and operators, with the words that can stand in it.
    Row(BTreeSet<String>),
    /// A block, by its rule.
    Block(String),
    /// A line of its own, one of these rules.
    Line(BTreeSet<String>),
    /// One after the other.
    Sequence(Vec<Part>),
    /// One of them.
    Choice(Vec<Part>),
    /// There or not.
    Optional(Box<Part>),
}

impl Part {
    /// Whether it contains a sign, a block or a line, and so is more than a row.
    pub fn is_structure(&self) -> bool {
        match self {
            Part::Word(_) | Part::Row(_) => false,
            Part::Sign(_) | Part::Block(_) | Part::Line(_) => true,
            Part::Sequence(parts) | Part::Choice(parts) => parts.iter().any(Part::is_structure),
            Part::Optional(part) => part.is_structure(),
        }
    }

    /// Returns all words in it, without those of its blocks and lines.
    pub fn words(&self) -> BTreeSet<String> {
        match self {
            Part::Word(word) => BTreeSet::from([word.clone()]),
            Part::Row(words) => words.clone(),
            Part::Sign(_) | Part::Block(_) | Part::Line(_) => BTreeSet::new(),
            Part::Sequence(parts) | Part::Choice(parts) => parts.iter().flat_map(Part::words).collect(),
            Part::Optional(part) => part.words(),
        }
    }
}

/// What a construct or a row can begin with.
#[derive(Clone, Debug, Default)]
pub(super) struct Firsts {
    /// Words.
    pub words: BTreeSet<String>,
    /// Whether it can begin with a name, a number, a text or a bracket.
    pub others: bool,
}

/// The grammar, as far as editors need it.
pub(super) struct Shapes {
    reader: Reader,
}

impl Shapes {
    /// Reads the grammar.
    pub fn new() -> Shapes {
        Shapes { reader: Reader::new() }
    }

    fn expression(&self, rule: &str) -> Option<&Expr> {
        self.reader.expression_of(rule)
    }

    /// Returns the constructs that can be lines of a block or of a file, each with whether the next one must be separated from it.
    pub fn lines_of(&self, block: &str) -> Vec<(String, bool)> {
        let mut lines = Vec::new();
        if let Some(expr) = self.expression(block) {
            self.repeated(expr, &mut lines);
        }
        lines
    }

    /// Finds the repeated part of a block, and in it what its lines can be.
    fn repeated(&self, expr: &Expr, lines: &mut Vec<(String, bool)>) {
        match expr {
            Expr::Seq(left, right) => {
                self.repeated(left, lines);
                self.repeated(right, lines);
            }
            Expr::Rep(inner) | Expr::RepOnce(inner) => {
                for line in alternatives(inner) {
                    let separated = !matches!(line, Expr::Seq(_, behind) if matches!(&**behind, Expr::Rep(_)));
                    let mut heads = BTreeSet::new();
                    self.heads(line, &mut heads);
                    lines.extend(heads.into_iter().filter(|head| head != "broken" && head != "separator").map(|head| (head, separated)));
                }
            }
            _ => {}
        }
    }

    /// Collects the constructs among which a rule chooses.
    pub fn heads_of(&self, rule: &str) -> BTreeSet<String> {
        let mut heads = BTreeSet::new();
        self.head(rule, &mut heads);
        heads
    }

    fn head(&self, rule: &str, heads: &mut BTreeSet<String>) {
        match self.expression(rule) {
            Some(expr) if !is_literal(rule) && (self.reader.is_silent(rule) || chooses(expr)) => self.heads(expr, heads),
            Some(_) => _ = heads.insert(rule.to_string()),
            None => {}
        }
    }

    fn heads(&self, expr: &Expr, heads: &mut BTreeSet<String>) {
        match expr {
            Expr::Choice(left, right) => {
                self.heads(left, heads);
                self.heads(right, heads);
            }
            Expr::Seq(left, right) if is_predicate(left) => self.heads(right, heads),
            Expr::Seq(left, _) => self.heads(left, heads),
            Expr::Ident(rule) => self.head(rule, heads),
            _ => {}
        }
    }

    /// Returns the parts of a rule.
    pub fn parts_of(&self, rule: &str) -> Part {
        self.expression(rule).map_or(Part::Sequence(Vec::new()), |expr| self.part(expr))
    }

    fn part(&self, expr: &Expr) -> Part {
        match expr {
            Expr::Ident(name) => self.part_of_ident(name),
            Expr::Seq(left, right) => {
                let mut parts = Vec::new();
                for part in [self.part(left), self.part(right)] {
                    match part {
                        Part::Sequence(inner) => parts.extend(inner),
                        part => parts.push(part),
                    }
                }
                Part::Sequence(parts)
            }
            Expr::Choice(..) => {
                let parts: Vec<Part> = alternatives(expr).into_iter().map(|part| self.part(part)).collect();
                let whole = Part::Choice(parts.clone());
                let bare = parts.iter().all(|part| matches!(part, Part::Word(_)));
                if bare || whole.is_structure() || parts.iter().all(begins_with_word) { whole } else { Part::Row(self.words(expr)) }
            }
            Expr::Opt(inner) => Part::Optional(Box::new(self.part(inner))),
            Expr::PosPred(_) | Expr::NegPred(_) => Part::Sequence(Vec::new()),
            _ => Part::Row(self.words(expr)),
        }
    }

    fn part_of_ident(&self, name: &str) -> Part {
        let Some(expr) = self.expression(name) else { return Part::Sequence(Vec::new()) };
        if is_literal(name) {
            return match literal(expr).as_str() {
                "=" => Part::Sign(BTreeSet::from(["=".to_string()])),
                word if word.starts_with(char::is_alphabetic) => Part::Word(word.to_string()),
                _ => Part::Row(BTreeSet::new()),
            };
        }
        if let Some(signs) = signs(expr).filter(|signs| signs.contains("=")) {
            return Part::Sign(signs);
        }
        if self.reader.is_block(name) {
            return Part::Block(name.to_string());
        }
        if !self.has_structure(name, &mut BTreeSet::new()) {
            return Part::Row(self.words_of(name));
        }
        // What has an example of its own, and is named within another construct, is a line there.
        let heads = self.heads_of(name);
        if heads.iter().any(|head| self.reader.has_example(head)) { Part::Line(heads) } else { self.part(expr) }
    }

    /// Whether a rule has a sign that assigns, or a block, other than a table within a value.
    fn has_structure(&self, name: &str, seen: &mut BTreeSet<String>) -> bool {
        if name == "by_table" || !seen.insert(name.to_string()) {
            return false;
        }
        let Some(expr) = self.expression(name) else { return false };
        if is_literal(name) {
            return literal(expr) == "=";
        }
        self.reader.is_block(name) || signs(expr).is_some_and(|signs| signs.contains("=")) || self.any_ident(expr, seen)
    }

    fn any_ident(&self, expr: &Expr, seen: &mut BTreeSet<String>) -> bool {
        match expr {
            Expr::Ident(name) => self.has_structure(name, seen),
            Expr::Seq(left, right) | Expr::Choice(left, right) => self.any_ident(left, seen) || self.any_ident(right, seen),
            Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) => self.any_ident(inner, seen),
            _ => false,
        }
    }

    /// Returns all words that can stand in a rule.
    pub fn words_of(&self, rule: &str) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        self.collect_words_of(rule, &mut BTreeSet::new(), &mut words);
        words
    }

    fn words(&self, expr: &Expr) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        self.collect_words(expr, &mut BTreeSet::new(), &mut words);
        words
    }

    fn collect_words_of(&self, rule: &str, seen: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
        let Some(expr) = self.expression(rule).filter(|_| seen.insert(rule.to_string())) else { return };
        if is_literal(rule) {
            words.extend(Some(literal(expr)).filter(|word| word.starts_with(char::is_alphabetic)));
        } else {
            self.collect_words(expr, seen, words);
        }
    }

    fn collect_words(&self, expr: &Expr, seen: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
        match expr {
            Expr::Ident(name) => self.collect_words_of(name, seen, words),
            Expr::Seq(left, right) | Expr::Choice(left, right) => {
                self.collect_words(left, seen, words);
                self.collect_words(right, seen, words);
            }
            Expr::Opt(inner) | Expr::Rep(inner) | Expr::RepOnce(inner) => self.collect_words(inner, seen, words),
            _ => {}
        }
    }

    /// Returns what a rule can begin with.
    pub fn firsts_of(&self, rule: &str) -> Firsts {
        let mut firsts = Firsts::default();
        self.collect_firsts_of(rule, &mut BTreeSet::new(), &mut firsts);
        firsts
    }

    fn collect_firsts_of(&self, rule: &str, seen: &mut BTreeSet<String>, firsts: &mut Firsts) {
        let Some(expr) = self.expression(rule).filter(|_| seen.insert(rule.to_string())) else { return };
        match literal(expr) {
            word if is_literal(rule) && word.starts_with(char::is_alphabetic) => _ = firsts.words.insert(word),
            _ if is_literal(rule) || matches!(rule, "name" | "number" | "quoted" | "word" | "plain") => firsts.others = true,
            _ => _ = self.collect_firsts(expr, seen, firsts),
        }
    }

    /// Collects what an expression can begin with. Returns whether it can be empty.
    fn collect_firsts(&self, expr: &Expr, seen: &mut BTreeSet<String>, firsts: &mut Firsts) -> bool {
        match expr {
            Expr::Ident(name) => {
                self.collect_firsts_of(name, seen, firsts);
                false
            }
            Expr::Seq(left, right) => self.collect_firsts(left, seen, firsts) && self.collect_firsts(right, seen, firsts),
            Expr::Choice(left, right) => {
                let left = self.collect_firsts(left, seen, firsts);
                self.collect_firsts(right, seen, firsts) || left
            }
            Expr::Opt(inner) | Expr::Rep(inner) => {
                self.collect_firsts(inner, seen, firsts);
                true
            }
            Expr::RepOnce(inner) => self.collect_firsts(inner, seen, firsts),
            Expr::PosPred(_) | Expr::NegPred(_) => true,
            _ => {
                firsts.others = true;
                false
            }
        }
    }

    /// Whether a name stands behind the first word of a construct, with values in brackets perhaps.
    pub fn named(&self, rule: &str) -> Option<bool> {
        let Expr::Seq(..) = self.expression(rule)? else { return None };
        let mut sequence = Vec::new();
        flatten(self.expression(rule)?, &mut sequence);
        let behind = sequence.iter().skip_while(|part| !matches!(part, Expr::Ident(name) if is_literal(name))).nth(1)?;
        let rules: Vec<&str> = alternatives(behind)
            .into_iter()
            .map(|part| match part {
                Expr::Ident(name) => name.as_str(),
                _ => "",
            })
            .collect();
        let known = ["name", "names", "place_names", "game_name", "signature", "quoted"];
        rules.iter().all(|rule| known.contains(rule)).then(|| rules.iter().any(|rule| matches!(*rule, "signature" | "quoted")))
    }
}

/// Returns what an expression chooses among.
fn alternatives(expr: &Expr) -> Vec<&Expr> {
    match expr {
        Expr::Choice(left, right) => [alternatives(left), alternatives(right)].concat(),
        expr => vec![expr],
    }
}

/// Returns the parts of a sequence.
fn flatten<'a>(expr: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match expr {
        Expr::Seq(left, right) => {
            flatten(left, parts);
            flatten(right, parts);
        }
        expr => parts.push(expr),
    }
}

fn is_predicate(expr: &Expr) -> bool {
    matches!(expr, Expr::PosPred(_) | Expr::NegPred(_))
}

/// Whether an expression is nothing but a choice of rules.
fn chooses(expr: &Expr) -> bool {
    let rule = |part: &Expr| {
        let mut parts = Vec::new();
        flatten(part, &mut parts);
        let bare: Vec<&&Expr> = parts.iter().filter(|part| !is_predicate(part)).collect();
        matches!(bare.as_slice(), [Expr::Ident(name)] if !is_literal(name))
    };
    let single_rule = matches!(expr, Expr::Ident(_));
    !single_rule && (matches!(expr, Expr::Choice(..)) || is_guarded(expr)) && alternatives(expr).into_iter().all(rule)
}

/// Whether an expression is one rule behind a predicate.
fn is_guarded(expr: &Expr) -> bool {
    matches!(expr, Expr::Seq(left, _) if is_predicate(left))
}

/// Returns the signs among which an expression chooses, if it is nothing else.
fn signs(expr: &Expr) -> Option<BTreeSet<String>> {
    alternatives(expr)
        .into_iter()
        .map(|part| match part {
            Expr::Str(sign) => Some(sign.clone()),
            Expr::Seq(left, right) if is_predicate(right) => match &**left {
                Expr::Str(sign) => Some(sign.clone()),
                _ => None,
            },
            _ => None,
        })
        .collect()
}

/// Whether a part begins with a word that stands for itself.
fn begins_with_word(part: &Part) -> bool {
    match part {
        Part::Word(_) => true,
        Part::Sequence(parts) => parts.first().is_some_and(begins_with_word),
        Part::Choice(parts) => parts.iter().all(begins_with_word),
        Part::Sign(_) | Part::Row(_) | Part::Block(_) | Part::Line(_) | Part::Optional(_) => false,
    }
}
