//! The grammars of rules and scenarios as texts, read by pest's own reader.

use std::collections::{BTreeMap, BTreeSet};

use pest_meta::ast::{Expr, RuleType};
use pest_meta::parser::{Rule, consume_rules, parse};

/// The texts of the grammars of rules and of scenarios.
const GRAMMARS: [&str; 2] = [
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammar/rules.pest")),
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammar/scenario.pest")),
];

/// The rules of the grammars.
pub(crate) struct Reader {
    rules: BTreeMap<String, (RuleType, Expr)>,
    with_examples: BTreeSet<String>,
}

impl Reader {
    /// Reads the grammars. They are valid: the parser of the program is made from the same texts.
    pub fn new() -> Reader {
        let lines = GRAMMARS.iter().flat_map(|grammar| grammar.lines()).filter(|line| !line.starts_with("//!"));
        let grammar = lines.fold(String::new(), |grammar, line| grammar + line + "\n");
        let rules = parse(Rule::grammar_rules, &grammar).ok().and_then(|pairs| consume_rules(pairs).ok()).unwrap_or_default();
        let (mut with_examples, mut example) = (BTreeSet::new(), false);
        for line in grammar.lines() {
            if let Some((name, _)) = line.split_once(" = ").filter(|_| example && !line.starts_with("//")) {
                with_examples.insert(name.to_string());
            }
            example = line.starts_with("/// example:");
        }
        Reader { rules: rules.into_iter().map(|rule| (rule.name, (rule.ty, rule.expr))).collect(), with_examples }
    }

    /// What a rule is made of.
    pub fn expression_of(&self, rule: &str) -> Option<&Expr> {
        self.rules.get(rule).map(|(_, expr)| expr)
    }

    /// Whether a rule leaves no node of its own in what is parsed.
    pub fn is_silent(&self, rule: &str) -> bool {
        self.rules.get(rule).is_some_and(|(kind, _)| *kind == RuleType::Silent)
    }

    /// Whether a rule is a block: braces around lines.
    pub fn is_block(&self, rule: &str) -> bool {
        let Some(mut first) = self.expression_of(rule) else { return false };
        while let Expr::Seq(left, _) | Expr::Choice(left, _) = first {
            first = left;
        }
        matches!(first, Expr::Ident(open) if open == "OPEN")
    }

    /// Whether a rule has an example, and so is something that authors write by itself.
    pub fn has_example(&self, rule: &str) -> bool {
        self.with_examples.contains(rule)
    }
}

/// Whether a rule is a keyword or sign, which have names in capitals.
pub(crate) fn is_literal(rule: &str) -> bool {
    rule.starts_with(|letter: char| letter.is_ascii_uppercase())
}

/// The text of a keyword or sign, with one blank between the words of a keyword that has several.
pub(crate) fn literal(expr: &Expr) -> String {
    match expr {
        Expr::Str(text) => text.clone(),
        Expr::Seq(left, right) => format!("{} {}", literal(left), literal(right)).trim().to_string(),
        _ => String::new(),
    }
}
