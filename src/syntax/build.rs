//! Builds the syntax tree from the pairs of the pest parser: a type for each rule of the grammar.

mod decl;
mod expr;
mod overlay;
pub(super) mod read;
mod scenario;
mod stmt;

pub use scenario::{parse_given, parse_then, parse_when};

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::iter::Peekable;
use std::sync::OnceLock;

use pest::Parser;
use pest::iterators::Pair;

use read::{FromNextParts, FromParts, FromRule};

use super::ast::{Ask, Block, Broken, Cost, Expr, File, Name, Quoted};
use super::grammar::{Grammar, Rule};
use super::message::explain_parse_error;
use super::problem::SyntaxProblem;
use super::reference::BLOCK;
use super::scan::{Origin, Scanned, TextMode, is_letter, scan};
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};

pub(super) type RulePair<'t> = Pair<'t, Rule>;
/// A node that has been built, or the diagnostic that says why not; its parent is then left out.
pub(super) type BuildResult<T> = Result<T, Box<Diagnostic>>;

/// Parses a file of rules. Text that cannot be parsed is reported and kept as [`Broken`].
pub fn parse_file(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> File {
    parse_file_at(file, text, 0, diagnostics)
}

/// Parses rules inside another file, from byte `offset` on.
pub fn parse_file_at(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> File {
    let made = parse(Origin { file, offset }, text, TextMode::File, Rule::file, diagnostics, |builder, node| Ok(builder.build_file(node)));
    made.unwrap_or(File { lines: Vec::new(), broken: Vec::new() })
}

/// Parses an expression of a card's entry or of a scenario, which begins at byte `offset` of its file.
pub fn parse_expr(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Option<Expr> {
    parse(Origin { file, offset }, text, TextMode::Line, Rule::card_expr, diagnostics, |builder, node| Parts::of(builder, node).expr())
}

/// Parses the costs of a card's action.
pub fn parse_costs(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<Cost>> {
    parse(Origin { file, offset }, text, TextMode::Line, Rule::card_costs, diagnostics, |builder, node| Parts::of(builder, node).read())
}

/// Parses the question of a card.
pub fn parse_ask(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Option<Ask> {
    parse(Origin { file, offset }, text, TextMode::Line, Rule::card_ask, diagnostics, |builder, node| builder.build_node(node))
}

pub(super) fn parse<T>(
    origin: Origin,
    text: &str,
    style: TextMode,
    rule: Rule,
    diagnostics: &mut Vec<Diagnostic>,
    build: impl FnOnce(&Builder<'_>, RulePair<'_>) -> BuildResult<T>,
) -> Option<T> {
    let mut found = Vec::new();
    let scanned = scan(origin, text, style, &mut found);
    let builder = Builder::of(&scanned);
    found.into_iter().for_each(|diagnostic| builder.report(diagnostic, None));
    let made = match Grammar::parse(rule, &scanned.text) {
        Ok(mut nodes) => nodes.next().ok_or_else(|| unreadable(scanned.span(0, text.len()))).and_then(|node| build(&builder, node)),
        Err(_) if scanned.text.trim().is_empty() => {
            let diagnostic = Diagnostic::error("P009", scanned.span(0, text.len()), "this text is empty").label("nothing is said here");
            Err(diagnostic.help("say something, or leave the whole entry out").into())
        }
        Err(_) => Err(explain_parse_error(&scanned, rule, 0, scanned.text.trim_end().len()).into()),
    };
    let made = made.map_err(|diagnostic| builder.report(*diagnostic, None)).ok();
    let mut found = builder.found.into_inner();
    // A repaired text does not show what was meant; only one without faults does.
    let made = made.filter(|_| style != TextMode::Line || found.is_empty());
    found.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.start, span.end)));
    let start = |span: Span| (span.start - origin.offset) as usize;
    suppress_followups_of_lost_brace(&mut found, |from, to| {
        let between = text.get(start(from)..start(to)).unwrap_or("");
        between.lines().skip(1).all(|line| !line.starts_with(|first: char| first.is_alphabetic()))
    });
    diagnostics.append(&mut found);
    made
}

/// Drops the diagnostics that follow from a block without its `{`. Its closing brace closes the block around it instead, and the rest of
/// that block is misread, but the missing brace has been reported. `together` returns whether no declaration begins between two places.
fn suppress_followups_of_lost_brace(found: &mut Vec<Diagnostic>, together: impl Fn(Span, Span) -> bool) {
    let places = |is: fn(&SyntaxProblem) -> bool| -> Vec<Span> {
        found.iter().filter(|diagnostic| diagnostic.problem().is_some_and(is)).filter_map(|diagnostic| diagnostic.span).collect()
    };
    let blocks = places(
        |diagnostic| matches!(diagnostic, SyntaxProblem::Expected { what, .. } | SyntaxProblem::Missing { what, .. } if what.contains(BLOCK)),
    );
    let strays = places(|diagnostic| matches!(diagnostic, SyntaxProblem::ClosesNothing { bracket: '}' }));
    // From the beginning of each such block to its closing brace.
    let mut follows: BTreeMap<u32, u32> = BTreeMap::new();
    for stray in strays {
        let before = blocks.partition_point(|block| block.start < stray.start);
        // The nearest block is the right one: more braces lie between here and any other.
        if let Some(block) = blocks[..before].last().filter(|block| together(**block, stray)) {
            follows.insert(block.start, stray.start);
        }
    }
    let told = |span: Span| follows.range(..span.start).next_back().is_some_and(|(_, to)| span.start <= *to);
    let misread = |diagnostic: &Diagnostic| {
        matches!(diagnostic.problem(), Some(SyntaxProblem::ClosesNothing { .. } | SyntaxProblem::BeginsNothing { .. }))
    };
    found.retain(|diagnostic| !(misread(diagnostic) && diagnostic.span.is_some_and(told)));
}

/// Declarations whose blocks contain statements.
const DECLARATIONS_WITH_STATEMENTS: [&str; 8] = ["effect", "phase", "step", "setup", "score", "always", "when", "action"];

pub(super) struct Builder<'a> {
    pub scanned: &'a Scanned<'a>,
    found: RefCell<Vec<Diagnostic>>,
    /// The places of what has been found, as the nearest end for each start, so that a lookup is not linear.
    places: RefCell<BTreeMap<u32, u32>>,
    /// All expressions that have been built.
    #[cfg(test)]
    exprs: RefCell<Vec<Expr>>,
}

impl<'a> Builder<'a> {
    fn of(scanned: &'a Scanned<'a>) -> Builder<'a> {
        Builder {
            scanned,
            found: RefCell::default(),
            places: RefCell::default(),
            #[cfg(test)]
            exprs: RefCell::default(),
        }
    }

    /// Returns the span of a node, without trailing blanks and comments.
    pub fn span(&self, node: &RulePair<'_>) -> Span {
        self.scanned.span(node.as_span().start(), end_of(node))
    }

    /// Reports a diagnostic, unless there is one within the same span.
    pub fn report(&self, diagnostic: Diagnostic, within: Option<Span>) {
        let mut places = self.places.borrow_mut();
        // If the start of a place is inside the span, so is its end.
        let known = |span: Span| places.range(span.start..=span.end.max(span.start)).any(|(_, end)| *end <= span.end);
        if within.is_some_and(known) {
            return;
        }
        if let Some(span) = diagnostic.span {
            let end = places.entry(span.start).or_insert(span.end);
            *end = (*end).min(span.end);
        }
        self.found.borrow_mut().push(diagnostic);
    }

    pub fn broken(&self, node: &RulePair<'_>, alone: Rule) -> Broken {
        let (start, text) = (node.as_span().start(), node.as_str().trim_end());
        let end = start + text.len();
        let span = self.scanned.span(start, end);
        // After a comma it may be the rest of a list.
        let before = self.scanned.text.get(..start).unwrap_or("");
        let whole = match before.trim_end().ends_with(',') && alone == Rule::one_addition {
            true => before.rfind(['{', ';', '\n']).map_or(start, |at| at + 1),
            false => start,
        };
        // A declaration whose beginning could not be parsed extends to the end of its line.
        let line = match alone {
            Rule::one_line => before.rfind('\n').map_or(0, |at| at + 1),
            _ => start,
        };
        self.report(explain_parse_error(self.scanned, alone, whole, end), Some(self.scanned.span(line, end)));
        Broken { names: self.names_in(text, start), span }
    }

    /// Returns the words of a broken line that may be declared names: those before its statements.
    fn names_in(&self, text: &str, start: usize) -> Vec<Name> {
        let ends_word = |character: char| !is_letter(character) && character != '.';
        let (mut names, mut from) = (Vec::<Name>::new(), start);
        for part in text.split_inclusive(ends_word) {
            let word = part.trim_end_matches(ends_word);
            if !word.is_empty() {
                names.push(Name { text: word.to_string(), span: self.scanned.span(from, from + word.len()) });
            }
            from += part.len();
            // Statements declare nothing.
            if part.ends_with('{') && names.first().is_some_and(|name| DECLARATIONS_WITH_STATEMENTS.contains(&name.text.as_str())) {
                break;
            }
        }
        names
    }

    /// Builds the lines of a block; `alone` is the grammar rule that parses a single line.
    pub fn build_block<T>(&self, node: RulePair<'_>, alone: Rule, build: impl Fn(&Self, RulePair<'_>) -> BuildResult<T>) -> Block<T> {
        let span = self.span(&node);
        let (mut items, mut broken) = (Vec::new(), Vec::new());
        for line in node.into_inner().filter(|line| !is_keyword(line.as_rule())) {
            if line.as_rule() == Rule::broken {
                broken.push(self.broken(&line, alone));
                continue;
            }
            let at = line.clone().into_inner().find(|part| part.as_rule() == Rule::at && line.as_rule() != Rule::insert);
            if let Some(at) = at {
                let diagnostic = Diagnostic::error("R203", self.span(&at), "only what `add` adds has such a place").label("not here");
                self.report(diagnostic.help("write `add …` outside of all blocks, or leave this out"), None);
            }
            let place = self.span(&line);
            match build(self, line.clone()) {
                Ok(item) => items.push(item),
                Err(diagnostic) => {
                    self.report(*diagnostic, None);
                    broken.push(Broken { names: self.names_in(line.as_str(), line.as_span().start()), span: place });
                }
            }
        }
        Block { items, broken, span }
    }

    /// Builds a node from all parts of a pair.
    pub fn build_node<T: FromParts>(&self, node: RulePair<'_>) -> BuildResult<T> {
        T::from_parts(&mut Parts::of(self, node))
    }

    /// Builds the variant that belongs to the rule of a pair.
    pub fn kind<T: FromRule>(&self, node: RulePair<'_>) -> BuildResult<T> {
        Parts::of(self, node).kind()
    }

    pub fn name(&self, node: &RulePair<'_>) -> Name {
        Name { text: node.as_str().trim_end().to_string(), span: self.span(node) }
    }

    pub fn quoted(&self, node: &RulePair<'_>) -> Quoted {
        let inside = node.as_str().strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(node.as_str());
        Quoted { text: inside.replace("\\\"", "\""), span: self.span(node) }
    }

    /// Returns all names among the direct parts of a pair.
    pub fn names(&self, node: RulePair<'_>) -> Vec<Name> {
        node.into_inner().filter(|node| !is_keyword(node.as_rule())).map(|node| self.name(&node)).collect()
    }
}

fn unreadable(span: Span) -> Box<Diagnostic> {
    Diagnostic::error("R002", span, "this cannot be read").label("here").into()
}

fn end_of(node: &RulePair<'_>) -> usize {
    match node.clone().into_inner().next_back() {
        Some(last) => end_of(&last),
        None => node.as_span().start() + node.as_str().trim_end().len(),
    }
}

/// Whether a rule is a keyword or sign, which have names in capitals.
pub(super) fn is_keyword(rule: Rule) -> bool {
    static WORDS: OnceLock<Vec<Rule>> = OnceLock::new();
    let words = || Rule::all_rules().iter().copied().filter(|rule| format!("{rule:?}").starts_with(|c: char| c.is_ascii_uppercase()));
    rule == Rule::EOI || WORDS.get_or_init(|| words().collect()).binary_search(&rule).is_ok()
}

/// Whether a keyword is among the direct parts of a pair.
pub(super) fn has_keyword(node: &RulePair<'_>, wanted: Rule) -> bool {
    node.clone().into_inner().any(|part| part.as_rule() == wanted)
}

/// Returns what the first of some keywords means that is among the direct parts of a pair.
pub(super) fn by_keyword<T>(node: &RulePair<'_>, known: [(Rule, T); 2], without: T) -> T {
    known.into_iter().find(|(keyword, _)| has_keyword(node, *keyword)).map_or(without, |(_, meant)| meant)
}

/// The parts of a pair, without keywords and signs, to be consumed in order.
pub(super) struct Parts<'b, 'a, 't> {
    builder: &'b Builder<'a>,
    whole: RulePair<'t>,
    rest: Peekable<std::vec::IntoIter<RulePair<'t>>>,
    place: Span,
}

impl<'b, 'a, 't> Parts<'b, 'a, 't> {
    pub fn of(builder: &'b Builder<'a>, node: RulePair<'t>) -> Self {
        let place = builder.span(&node);
        let mut parts = Vec::new();
        for part in node.clone().into_inner().filter(|part| !is_keyword(part.as_rule()) && part.as_rule() != Rule::at) {
            match (node.as_rule(), part.as_rule()) {
                // A name with an index or arguments is one part; what is offered is several.
                (_, Rule::signature | Rule::called | Rule::answer_offer | Rule::given_over)
                | (Rule::assign, Rule::target)
                | (Rule::sort, Rule::sort_rule) => {
                    parts.extend(Parts::of(builder, part).rest);
                }
                _ => parts.push(part),
            }
        }
        Parts { builder, whole: node, rest: parts.into_iter().peekable(), place }
    }

    /// Consumes as many parts as the type needs, and builds it.
    pub fn read<T: FromNextParts>(&mut self) -> BuildResult<T> {
        T::read(self)
    }

    /// Builds the variant that belongs to the rule of the pair.
    pub fn kind<T: FromRule>(&mut self) -> BuildResult<T> {
        T::from_rule(self)?.ok_or_else(|| unreadable(self.place))
    }

    /// Returns the rule of the pair.
    pub fn rule(&self) -> Rule {
        self.whole.as_rule()
    }

    /// Whether a keyword is in the pair.
    pub fn has_keyword(&self, wanted: Rule) -> bool {
        has_keyword(&self.whole, wanted)
    }

    pub fn node(&mut self) -> BuildResult<RulePair<'t>> {
        self.rest.next().ok_or_else(|| unreadable(self.place))
    }

    /// Consumes the next part if it is of this rule.
    pub fn maybe(&mut self, rule: Rule) -> Option<RulePair<'t>> {
        self.rest.next_if(|node| node.as_rule() == rule)
    }

    /// Consumes the next part if it is of one of these rules.
    pub fn maybe_of(&mut self, rules: &[Rule]) -> Option<RulePair<'t>> {
        self.rest.next_if(|node| rules.contains(&node.as_rule()))
    }

    /// Builds all next parts that are of one of these rules.
    pub fn each<T>(&mut self, rules: &[Rule], build: impl Fn(&Builder<'a>, RulePair<'t>) -> BuildResult<T>) -> BuildResult<Vec<T>> {
        let builder = self.builder;
        std::iter::from_fn(|| self.maybe_of(rules)).map(|node| build(builder, node)).collect()
    }

    /// Builds a list from the parts of the next part, if that is of a rule; otherwise it is empty.
    pub fn maybe_within<T>(&mut self, rule: Rule, build: impl FnOnce(&mut Self) -> BuildResult<Vec<T>>) -> BuildResult<Vec<T>> {
        self.maybe(rule).map_or(Ok(Vec::new()), |node| build(&mut Parts::of(self.builder, node)))
    }

    /// Builds the block that is the next part; without it, an empty one.
    pub fn block<T>(&mut self, alone: Rule, build: impl Fn(&Builder<'a>, RulePair<'_>) -> BuildResult<T>) -> Block<T> {
        match self.rest.next() {
            Some(node) => self.builder.build_block(node, alone, build),
            None => Block { items: Vec::new(), broken: Vec::new(), span: self.place },
        }
    }

    /// Whether the next part is of a rule.
    pub fn next_is(&mut self, rule: Rule) -> bool {
        self.rest.peek().is_some_and(|node| node.as_rule() == rule)
    }

    pub fn name(&mut self) -> BuildResult<Name> {
        Ok(self.builder.name(&self.node()?))
    }

    pub fn maybe_name(&mut self) -> Option<Name> {
        self.maybe_of(&[Rule::name, Rule::card_id]).map(|node| self.builder.name(&node))
    }

    pub fn names(&mut self) -> BuildResult<Vec<Name>> {
        Ok(self.builder.names(self.node()?))
    }

    pub fn expr(&mut self) -> BuildResult<Expr> {
        self.builder.expr(self.node()?)
    }

    pub fn maybe_expr(&mut self, rule: Rule) -> BuildResult<Option<Expr>> {
        self.maybe(rule).map(|node| self.builder.expr(node)).transpose()
    }

    pub fn maybe_quoted(&mut self) -> Option<Quoted> {
        self.maybe(Rule::quoted).map(|node| self.builder.quoted(&node))
    }
}

#[cfg(test)]
mod laws;

#[cfg(test)]
mod tests {
    use super::super::ast::{Declaration, DeclarationKind, Line};
    use super::*;

    #[test]
    fn places_end_where_the_words_end() {
        let text = "constant a = 3   // why\neffect b { lose 1 wisp } // what\n\nstat c = 1,\n  at most 2\n";
        let places = parse_file(FileId(3), text, &mut Vec::new()).lines.into_iter().map(|line| match line {
            Line::Declaration(declaration) => &text[declaration.span.start as usize..declaration.span.end as usize],
            Line::Operation(_) | Line::Variant(_) => "",
        });
        assert_eq!(places.collect::<Vec<_>>(), ["constant a = 3", "effect b { lose 1 wisp }", "stat c = 1,\n  at most 2"]);
    }

    #[test]
    fn what_is_broken_keeps_its_names() {
        let text = "player { cuonter dens, lairs; flag a }\neffect storm(n { x }\nconstant b = 1\n";
        let file = parse_file(FileId(0), text, &mut Vec::new());
        assert_eq!(file.lines.len(), 2);
        assert_eq!(file.broken[0].names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>(), ["effect", "storm", "n"]);
        let Some(Line::Declaration(Declaration { kind: DeclarationKind::Player(members), .. })) = file.lines.first() else {
            panic!("no player");
        };
        assert_eq!((members.items.len(), members.broken.len()), (1, 1));
        assert!(members.broken[0].names.iter().any(|name| name.text == "lairs"));
    }

    #[test]
    fn a_line_of_a_card_is_read_with_its_place() {
        let mut found = Vec::new();
        let expr = parse_expr(FileId(0), "wisp > 2\nand most stable # why", 10, &mut found).expect("an expression");
        assert_eq!((expr.span.start, expr.span.end), (10, 34));
        assert_eq!(found, []);
    }
}
