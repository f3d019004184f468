//! Text to syntax tree: cut, then each piece through pest. Where pest does not understand a piece, the fault is reported
//! and the blocks of the piece are parsed alone, so that several faults are found and sound statements survive.
//!
//! Messages: `P006` something does not fit where it stands, `P007` not a number, `P009` more or less than one statement.

use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pair;

use super::ast::{Block, Op, Statement, Term, TermKind};
use super::cut::{Braced, Cut, Origin, Piece, Style, cut, is_letter};
use crate::diagnostic::Diagnostic;
use crate::source::FileId;
use shapes::{Rule, Shapes};

/// How many things are taken out of a broken line in order to keep its blocks.
const MOST_REPAIRS: usize = 8;
/// Digits behind the point of a number.
const DECIMALS: usize = 3;

// In a module of its own because what pest generates has no doc comments.
#[allow(missing_docs)]
mod shapes {
    #[derive(pest_derive::Parser)]
    #[grammar = "grammar/shapes.pest"]
    pub(super) struct Shapes;
}

/// Parses a whole file of rules. What is broken is reported and left out.
pub fn parse_rules(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Block {
    let origin = Origin { file, offset: 0, length: text.len() };
    let style = Style { lines_end: true, hash_comments: false, edge_closes: true };
    let statements = parse_all(origin, text, style, diagnostics);
    Block { statements, span: origin.span(0, text.len()) }
}

/// Parses one statement or expression that stands inside another file, `offset` bytes from its start. Line breaks count
/// as blanks, but for those inside braces.
pub fn parse_line(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Option<Statement> {
    let origin = Origin { file, offset, length: text.len() };
    let style = Style { lines_end: false, hash_comments: true, edge_closes: false };
    let before = diagnostics.len();
    let mut statements = parse_all(origin, text, style, diagnostics).into_iter();
    match (statements.next(), statements.next()) {
        (Some(statement), None) => Some(statement),
        (None, _) => {
            if diagnostics.len() == before {
                diagnostics.push(
                    Diagnostic::error("P009", origin.span(0, text.len()), "this text is empty")
                        .label("nothing is said here")
                        .help("say something, or leave the whole entry out"),
                );
            }
            None
        }
        (Some(_), Some(second)) => {
            diagnostics.push(
                Diagnostic::error("P009", second.span, "only one statement fits here")
                    .label("a second one begins")
                    .help("two conditions are joined by `and` or `or`"),
            );
            None
        }
    }
}

/// Parses statements that stand inside another file, `offset` bytes from its start; line breaks and `;` part them.
pub fn parse_lines(file: FileId, text: &str, offset: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement> {
    let style = Style { lines_end: true, hash_comments: true, edge_closes: false };
    parse_all(Origin { file, offset, length: text.len() }, text, style, diagnostics)
}

fn parse_all(origin: Origin, text: &str, style: Style, diagnostics: &mut Vec<Diagnostic>) -> Vec<Statement> {
    let mut found = Vec::new();
    let cut = cut(origin, text, style, &mut found);
    let mut reader = Reader { origin, cut: &cut.text, found: &mut found };
    let mut statements = Vec::new();
    reader.read_pieces(&cut, &mut statements);
    found.sort_by_key(|diagnostic| diagnostic.span.map(|span| (span.start, span.end)));
    diagnostics.append(&mut found);
    statements
}

struct Reader<'a> {
    origin: Origin,
    cut: &'a str,
    found: &'a mut Vec<Diagnostic>,
}

// ------------------------------------------------------------------ pieces

impl Reader<'_> {
    fn read_pieces(&mut self, cut: &Cut, out: &mut Vec<Statement>) {
        for piece in &cut.pieces {
            self.read_piece(piece, out);
        }
    }

    fn read_piece(&mut self, piece: &Piece, out: &mut Vec<Statement>) {
        let text = self.cut.get(piece.start..piece.end).unwrap_or("");
        if piece.whole {
            match self.read(text, piece.start) {
                Ok(statements) => return out.extend(statements),
                Err(error) if piece.blocks.is_empty() => {
                    return self.report(&error, text, piece.start);
                }
                Err(_) => {}
            }
        }
        self.read_broken(piece, text, out);
    }

    /// Reads a piece whose blocks are not all sound: first with its blocks emptied, then each block alone.
    fn read_broken(&mut self, piece: &Piece, text: &str, out: &mut Vec<Statement>) {
        let mut head = text.as_bytes().to_vec();
        for block in &piece.blocks {
            let (open, close) = (block.open - piece.start, block.close.saturating_sub(piece.start));
            if let Some(inside) = head.get_mut(open + 1..close) {
                inside.fill(b' ');
            }
            if let Some(byte) = head.get_mut(close) {
                *byte = b'}';
            }
        }
        for repair in 0..=MOST_REPAIRS {
            let text = String::from_utf8_lossy(&head).into_owned();
            match self.read(&text, piece.start) {
                Ok(mut statements) => {
                    self.fill_blocks(&piece.blocks, &mut statements);
                    return out.extend(statements);
                }
                Err(error) => {
                    if repair == 0 {
                        self.report(&error, &text, piece.start);
                    }
                    let (start, end) = faulty_place(&error, &text);
                    match head.get_mut(start..end) {
                        Some(fault) if !fault.is_empty() && !fault.contains(&b'{') && !fault.contains(&b'}') => fault.fill(b' '),
                        _ => break,
                    }
                }
            }
        }
        // Nothing can be kept, but what is inside is still looked at.
        for block in &piece.blocks {
            let mut lost = Vec::new();
            for piece in &block.pieces {
                self.read_piece(piece, &mut lost);
            }
        }
    }

    fn fill_blocks(&mut self, blocks: &[Braced], statements: &mut [Statement]) {
        for statement in statements {
            self.fill_terms(blocks, &mut statement.terms);
        }
    }

    fn fill_terms(&mut self, blocks: &[Braced], terms: &mut [Term]) {
        for term in terms {
            match &mut term.kind {
                TermKind::Block(block) => {
                    let open = |braced: &Braced| self.origin.span(braced.open, braced.open + 1).start;
                    let found = blocks.binary_search_by_key(&block.span.start, open).ok();
                    if let Some(braced) = found.and_then(|at| blocks.get(at)) {
                        for piece in &braced.pieces {
                            self.read_piece(piece, &mut block.statements);
                        }
                    }
                }
                TermKind::Call { args, .. } => args.iter_mut().for_each(|arg| self.fill_terms(blocks, arg)),
                TermKind::Item { index: terms, .. } | TermKind::Group(terms) => self.fill_terms(blocks, terms),
                _ => {}
            }
        }
    }

    fn read(&mut self, text: &str, start: usize) -> Result<Vec<Statement>, Box<Error<Rule>>> {
        let pairs = Shapes::parse(Rule::piece, text)?;
        let mut statements = Vec::new();
        for pair in pairs.flat_map(Pair::into_inner) {
            if pair.as_rule() == Rule::statement {
                self.statements_of(pair, start, &mut statements);
            }
        }
        Ok(statements)
    }
}

// ------------------------------------------------------------------ pairs to terms

impl Reader<'_> {
    /// The statements of one line: a quoted text directly after a block begins a new one.
    fn statements_of(&mut self, pair: Pair<'_, Rule>, start: usize, out: &mut Vec<Statement>) {
        let mut terms: Vec<Term> = Vec::new();
        for term in self.terms_of(pair, start) {
            let begins = matches!(term.kind, TermKind::Text(_));
            if begins && terms.last().is_some_and(|last| last.block().is_some()) {
                out.extend(statement_of(std::mem::take(&mut terms)));
            }
            terms.push(term);
        }
        out.extend(statement_of(terms));
    }

    fn terms_of(&mut self, pair: Pair<'_, Rule>, start: usize) -> Vec<Term> {
        let mut terms = Vec::new();
        for pair in pair.into_inner() {
            self.push_term(pair, start, &mut terms);
        }
        terms
    }

    fn push_term(&mut self, pair: Pair<'_, Rule>, start: usize, out: &mut Vec<Term>) {
        let span = self.origin.span(start + pair.as_span().start(), start + pair.as_span().end());
        let kind = match pair.as_rule() {
            Rule::title => {
                for part in pair.into_inner() {
                    self.push_term(part, start, out);
                }
                return;
            }
            Rule::named => self.named(pair, start),
            Rule::number => self.number(&pair, start),
            Rule::text => TermKind::Text(unquoted(pair.as_str())),
            Rule::operator => match Op::from_text(pair.as_str()) {
                Some(op) => TermKind::Op(op),
                None => return,
            },
            Rule::comma => TermKind::Comma,
            Rule::colon => TermKind::Colon,
            Rule::group => TermKind::Group(self.terms_of(pair, start)),
            Rule::block => {
                let mut statements = Vec::new();
                for pair in pair.into_inner() {
                    if pair.as_rule() == Rule::statement {
                        self.statements_of(pair, start, &mut statements);
                    }
                }
                TermKind::Block(Block { statements, span })
            }
            Rule::joining | Rule::title_word | Rule::title_name | Rule::ordinal | Rule::left_out => {
                TermKind::Word(pair.as_str().to_string())
            }
            // Closing brackets.
            _ => return,
        };
        out.push(Term { kind, span });
    }

    fn named(&mut self, pair: Pair<'_, Rule>, start: usize) -> TermKind {
        let mut parts = pair.into_inner();
        let name = parts.next().map_or(String::new(), |name| name.as_str().to_string());
        match parts.next() {
            Some(call) if call.as_rule() == Rule::call => {
                let arguments = call.into_inner().filter(|pair| pair.as_rule() == Rule::argument);
                let args = arguments.map(|argument| self.terms_of(argument, start)).collect();
                TermKind::Call { name, args }
            }
            Some(index) => TermKind::Item { name, index: self.terms_of(index, start) },
            None => TermKind::Word(name),
        }
    }

    fn number(&mut self, pair: &Pair<'_, Rule>, start: usize) -> TermKind {
        let text = pair.as_str();
        match number_of(text) {
            Ok(kind) => kind,
            Err(help) => {
                let span = self.origin.span(start + pair.as_span().start(), start + pair.as_span().end());
                self.found.push(Diagnostic::error("P007", span, format!("`{text}` is not a number")).label("not a number").help(help));
                TermKind::Number { thousandths: 0, decimal: false }
            }
        }
    }
}

fn statement_of(terms: Vec<Term>) -> Option<Statement> {
    let span = terms.first()?.span.to(terms.last()?.span);
    Some(Statement { terms, span })
}

fn unquoted(text: &str) -> String {
    let inside = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    inside.replace("\\\"", "\"")
}

/// The number that is written so, or what to write instead.
fn number_of(text: &str) -> Result<TermKind, &'static str> {
    const FORM: &str = "a number is digits, like `3`, or digits on both sides of a point, like `0.35`";
    const LARGE: &str = "the number is too large";
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, rest) = match text.split_once('.') {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (text, None),
    };
    if !digits(whole) || rest.is_some_and(|rest| !digits(rest)) {
        return Err(if text.contains('.') { FORM } else { "a name begins with a letter; between a number and a name stands a blank" });
    }
    let whole: i64 = whole.parse().map_err(|_| LARGE)?;
    let rest = rest.unwrap_or("");
    if rest.len() > DECIMALS {
        return Err("at most three digits stand behind the point");
    }
    let decimal = !rest.is_empty();
    let rest: i64 = format!("{rest:0<DECIMALS$}").parse().map_err(|_| LARGE)?;
    let thousandths = whole.checked_mul(1000).and_then(|whole| whole.checked_add(rest)).ok_or(LARGE)?;
    Ok(TermKind::Number { thousandths, decimal })
}

// ------------------------------------------------------------------ what pest did not understand

impl Reader<'_> {
    fn report(&mut self, error: &Error<Rule>, text: &str, start: usize) {
        let (from, to) = faulty_place(error, text);
        let found = match text.get(from..to) {
            Some("") | None => "the end of the statement".to_string(),
            Some(token) => format!("`{token}`"),
        };
        let expected = expected_of(error);
        let mut diagnostic =
            Diagnostic::error("P006", self.origin.span(start + from, start + to), format!("expected {expected}, found {found}"))
                .label("does not fit here");
        let before = text.get(..from).unwrap_or("").trim_end();
        diagnostic = match text.get(from..to) {
            Some("[") => diagnostic.help("`[` stands directly behind a name: `name[which]`"),
            Some("(") => diagnostic.help("put a blank before `(`, or a name directly before it"),
            Some(";") => diagnostic.help("a statement cannot end inside brackets; close them first, or write `,`"),
            Some(".") => diagnostic.help("a point joins two names without blanks: `first.second`"),
            Some(",") => diagnostic.help("something is missing on one side of the comma"),
            Some(")" | "]") if before.ends_with(['(', '[']) => diagnostic.help("put something between the brackets, or take them away"),
            Some(")" | "]") if before.ends_with(',') => diagnostic.help("take the last comma away, or write what should follow it"),
            _ => diagnostic.help("a statement is made of names, numbers, quoted texts, operators and brackets"),
        };
        self.found.push(diagnostic);
    }
}

/// The token at which pest stopped; empty at the end of the text.
fn faulty_place(error: &Error<Rule>, text: &str) -> (usize, usize) {
    let start = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    let rest = text.get(start..).unwrap_or("");
    // pest points at the blanks before what it stopped at.
    let start = start + (rest.len() - rest.trim_start().len());
    let rest = text.get(start..).unwrap_or("");
    let word = rest.find(|character| !is_letter(character)).unwrap_or(rest.len());
    let length = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
    (start, start + length)
}

/// What could have stood there, in plain words.
fn expected_of(error: &Error<Rule>) -> String {
    let ErrorVariant::ParsingError { positives, .. } = &error.variant else {
        return "something else".to_string();
    };
    let mut words: Vec<&str> = Vec::new();
    if positives.iter().any(|rule| begins_term(*rule)) {
        words.extend(["a name", "a number", "a quoted text"]);
    }
    for rule in positives {
        if let Some(name) = name_of(*rule)
            && !words.contains(&name)
        {
            words.push(name);
        }
    }
    match words.as_slice() {
        [] => "something else".to_string(),
        [only] => (*only).to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn begins_term(rule: Rule) -> bool {
    matches!(rule, Rule::named | Rule::name | Rule::number | Rule::text | Rule::statement | Rule::argument | Rule::group)
}

/// A rule of the grammar as a person would call it, if it is not one of the many that can begin a term.
fn name_of(rule: Rule) -> Option<&'static str> {
    match rule {
        Rule::close_round => Some("`)`"),
        Rule::close_square => Some("`]`"),
        Rule::close_block => Some("`}`"),
        Rule::EOI => Some("the end of the statement"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::diagnostic::render::render;
    use crate::lang::ast::print;
    use crate::source::Sources;

    const FILE: FileId = FileId(0);

    fn parsed(text: &str) -> (Block, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        (parse_rules(FILE, text, &mut diagnostics), diagnostics)
    }

    fn sound(text: &str) -> Block {
        let (block, diagnostics) = parsed(text);
        assert_eq!(shown(text, &diagnostics), "", "in {text:?}");
        block
    }

    fn shown(text: &str, diagnostics: &[Diagnostic]) -> String {
        let mut sources = Sources::new();
        sources.add("wisp.rules", text);
        render(&sources, diagnostics, false)
    }

    fn lines(block: &Block) -> Vec<String> {
        block.statements.iter().map(ToString::to_string).collect()
    }

    fn codes(diagnostics: &[Diagnostic]) -> Vec<&'static str> {
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
    }

    /// Every place of a tree lies in the text, inside what surrounds it.
    fn check_spans(text: &str, statements: &[Statement]) {
        for statement in statements {
            let span = statement.span;
            assert!(text.get(span.start as usize..span.end as usize).is_some_and(|slice| !slice.is_empty()), "{text:?}");
            for term in &statement.terms {
                assert!(term.span.start >= span.start && term.span.end <= span.end);
                if let Some(block) = term.block() {
                    check_spans(text, &block.statements);
                }
            }
        }
    }

    #[test]
    fn every_shipped_shape_parses_and_prints_back() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shapes"));
        let files = Sources::read_dir(folder, "rules").expect("the folder of shapes");
        assert!(files.len() >= 5);
        for path in files {
            let mut sources = Sources::new();
            let file = sources.read_file(&path).expect("a file of shapes");
            let mut diagnostics = Vec::new();
            let block = parse_rules(file, sources.text(file), &mut diagnostics);
            assert_eq!(render(&sources, &diagnostics, false), "");
            check_spans(sources.text(file), &block.statements);
            let printed = print(&block);
            let again = sound(&printed);
            assert_eq!(print(&again), printed);
            assert_eq!(bare(again), bare(block), "{printed}");
        }
    }

    /// A tree without its spans.
    fn bare(mut block: Block) -> Block {
        const NOWHERE: crate::source::Span = crate::source::Span { file: FILE, start: 0, end: 0 };
        fn clear(terms: &mut [Term]) {
            for term in terms {
                term.span = NOWHERE;
                match &mut term.kind {
                    TermKind::Call { args, .. } => args.iter_mut().for_each(|arg| clear(arg)),
                    TermKind::Item { index: terms, .. } | TermKind::Group(terms) => clear(terms),
                    TermKind::Block(block) => *block = bare(std::mem::replace(block, Block { statements: vec![], span: NOWHERE })),
                    _ => {}
                }
            }
        }
        block.span = NOWHERE;
        for statement in &mut block.statements {
            statement.span = NOWHERE;
            clear(&mut statement.terms);
        }
        block
    }

    #[test]
    fn terms_have_their_kinds() {
        let block = sound(r#"a.b price(x, max(0, y)) f() w[z.k + 1] 3 0.35 "say \"so\"" by +1, (b): { c } | wolf's pack.2 wall#2 not(x)"#);
        let kinds: Vec<&TermKind> = block.statements[0].terms.iter().map(|term| &term.kind).collect();
        assert_eq!(kinds[0], &TermKind::Word("a.b".into()));
        assert!(matches!(kinds[1], TermKind::Call { name, args } if name == "price" && args.len() == 2));
        assert!(matches!(kinds[2], TermKind::Call { args, .. } if args.is_empty()));
        assert!(matches!(kinds[3], TermKind::Item { name, index } if name == "w" && index.len() == 3));
        assert_eq!(kinds[4], &TermKind::Number { thousandths: 3000, decimal: false });
        assert_eq!(kinds[5], &TermKind::Number { thousandths: 350, decimal: true });
        assert_eq!(kinds[6], &TermKind::Text("say \"so\"".into()));
        assert_eq!(kinds[8], &TermKind::Op(Op::Plus));
        assert_eq!(kinds[9], &TermKind::Number { thousandths: 1000, decimal: false });
        assert_eq!(kinds[10], &TermKind::Comma);
        assert!(matches!(kinds[11], TermKind::Group(terms) if terms.len() == 1));
        assert_eq!(kinds[12], &TermKind::Colon);
        assert!(matches!(kinds[13], TermKind::Block(block) if block.statements.len() == 1));
        assert_eq!(kinds[14], &TermKind::Op(Op::Or));
        assert_eq!(kinds[15], &TermKind::Word("wolf's".into()));
        assert_eq!(kinds[16], &TermKind::Word("pack.2".into()));
        assert_eq!(kinds[17], &TermKind::Word("wall#2".into()));
        assert_eq!(kinds[18], &TermKind::Word("not".into()));
    }

    #[test]
    fn a_hyphen_joins_only_the_name_of_a_game() {
        assert_eq!(
            lines(&sound("game wisp-wolf \"W\"\na wisp-wolf\nx extends wisp-wolf")),
            ["game wisp-wolf \"W\"", "a wisp - wolf", "x extends wisp-wolf"]
        );
        assert_eq!(sound("game wisp-wolf").statements[0].terms.len(), 2);
    }

    #[test]
    fn a_statement_ends_with_its_line_unless_it_goes_on() {
        assert_eq!(
            lines(&sound("a = b +\n c\nd\n  - e // note\n\n // more\n and f\ng(1,\n2)\nh; i")),
            ["a = b + c", "d - e and f", "g(1, 2)", "h", "i"]
        );
        assert_eq!(
            lines(&sound("if a { b }\nelse { c } d\n\"x\" { y } \"z\" { y } w\na\nwhere b")),
            ["if a { b } else { c } d", "\"x\" { y }", "\"z\" { y } w", "a where b"]
        );
        let (_, diagnostics) = parsed("a\n{ b }");
        assert!(diagnostics.is_empty(), "a block on the next line is a statement of its own");
        assert_eq!(lines(&parsed("a\n{ b }").0), ["a", "{ b }"]);
        assert_eq!(lines(&sound("t = by level { a: 4, b: 3,\n c: 2 }\r\nu\r\n")), ["t = by level { a: 4, b: 3, c: 2 }", "u"]);
    }

    #[test]
    fn printing_keeps_apart_what_was_apart() {
        for text in ["a +;\n b; and c; { d }; else { e }; f,; g", "x { a; { b } \"t\" { c; d { } } }; - y"] {
            let block = sound(text);
            let printed = print(&block);
            assert_eq!(bare(sound(&printed)), bare(block), "{printed}");
        }
    }

    #[test]
    fn a_line_inside_another_file_keeps_its_place() {
        let mut diagnostics = Vec::new();
        let statement = parse_line(FILE, "wisp >\n 2 # note\n  and wolf", 100, &mut diagnostics).expect("a statement");
        assert_eq!(statement.to_string(), "wisp > 2 and wolf");
        assert_eq!((statement.span.start, statement.span.end), (100, 127));
        assert!(diagnostics.is_empty());
        assert_eq!(parse_line(FILE, "  ", 0, &mut diagnostics), None);
        assert_eq!(parse_line(FILE, "a; b", 0, &mut diagnostics), None);
        assert_eq!(parse_line(FILE, "a 1.x", 7, &mut diagnostics).map(|s| s.terms.len()), Some(2));
        assert_eq!(codes(&diagnostics), ["P009", "P009", "P007"]);
        assert_eq!(diagnostics[2].span.map(|span| span.start), Some(9));
        let found = parse_lines(FILE, "round 2 # two\np1: buy wisp #2; p1.wolf == 2\n", 0, &mut Vec::new());
        assert_eq!(found.iter().map(ToString::to_string).collect::<Vec<_>>(), ["round 2", "p1: buy wisp #2", "p1.wolf == 2"]);
    }

    #[test]
    fn two_faults_are_reported_and_the_rest_survives() {
        let text = "phase night {\n  step a { gain f(1,) wisp; gain 2 wolf }\n  step b { lose [wall] }\n  step c { gain 1 wall }\n}\nconstant x = 3\n";
        let (block, diagnostics) = parsed(text);
        assert_eq!(codes(&diagnostics), ["P006", "P006"]);
        assert_eq!(lines(&block), ["phase night {\n  step a { gain 2 wolf }\n  step b { }\n  step c { gain 1 wall }\n}", "constant x = 3"]);
        assert_eq!(
            shown(text, &diagnostics[1..]),
            "error[P006]: expected a name, a number, a quoted text or the end of the statement, found `[`\n  ┌─ wisp.rules:3:17\n  │\n3 │   step b { lose [wall] }\n  │                 ^ does not fit here\n  │\n  = help: `[` stands directly behind a name: `name[which]`\n\n"
        );
    }

    #[test]
    fn a_broken_head_keeps_its_blocks() {
        let (block, diagnostics) = parsed("phase . night { step a { gain 1 wolf } }\n");
        assert_eq!(codes(&diagnostics), ["P006"]);
        assert_eq!(lines(&block), ["phase night { step a { gain 1 wolf } }"]);
    }

    #[test]
    fn faults_of_the_text_have_their_codes() {
        for (text, expected) in [
            ("a \"wisp", vec!["P001"]),
            ("a { needs x \"wisp }\nb", vec!["P001"]),
            ("a \"", vec!["P001"]),
            ("a \"x\\\"", vec!["P001"]),
            ("a {\n  b {\n  }\nc\n", vec!["P002"]),
            ("a (b\nc = 2\n", vec!["P002"]),
            ("a { (b }\nc", vec!["P002"]),
            ("a }\nb", vec!["P003"]),
            ("a { b ) }", vec!["P003"]),
            ("a && b", vec!["P004"]),
            ("a ! b ' c", vec!["P004", "P004"]),
            ("a.b. c", vec!["P006"]),
            ("a ()", vec!["P006"]),
            ("f(1,)", vec!["P006"]),
            ("f(a; b)", vec!["P006"]),
            ("1.x", vec!["P007"]),
            ("2nd", vec!["P007"]),
            ("0.1234", vec!["P007"]),
            ("99999999999999999999", vec!["P007"]),
        ] {
            let (_, diagnostics) = parsed(text);
            assert_eq!(codes(&diagnostics), expected, "{}", shown(text, &diagnostics));
            assert!(diagnostics.iter().all(|diagnostic| !diagnostic.help.is_empty()), "{text}");
        }
    }

    #[test]
    fn an_unclosed_block_ends_at_the_left_edge() {
        let (block, diagnostics) = parsed("phase a {\n  step b { gain 1 wolf\n}\n\n// note\nphase c { gain 1 wall }\n");
        assert_eq!(codes(&diagnostics), ["P002"]);
        assert_eq!(lines(&block), ["phase a { step b { gain 1 wolf } }", "phase c { gain 1 wall }"]);
        let (block, _) = parsed("a { b { c");
        assert_eq!(lines(&block), ["a { b { c } }"]);
    }

    #[test]
    fn no_nesting_uses_up_the_stack() {
        for (open, close) in [("(", ")"), ("{", "}"), ("f(", ")"), ("f[", "]"), (" a {\n", "\n}")] {
            for depth in [20, 33, 40, 5000] {
                for end in [close, ""] {
                    let (_, diagnostics) = parsed(&format!("a {}b{}", open.repeat(depth), end.repeat(depth)));
                    assert_eq!(diagnostics.iter().any(|found| found.code == "P005"), depth > 32, "{open} {depth}");
                }
            }
        }
    }

    #[test]
    fn no_text_takes_long() {
        for piece in [
            "{", "(", "}", ")", "{}", "a{b}", "{)", "(}", "\n", "\"", "&", "a {\n", "f(", "a\n", "a, ", "[1", "{ [ }", "\n//", "{(]",
            "{\"a\"}",
        ] {
            parsed(&piece.repeat(20_000));
        }
    }

    #[test]
    fn nothing_written_makes_it_panic() {
        let pieces = [
            "a", "wolf.", ".", "1", "2.5", "\"", "\\", "{", "}", "(", ")", "[", "]", "\n", ";", "//", "#", " ", "é", "…", "'s", ",", ":",
            "=", "!", "game", "-", "x-y", "else", "and", "\r\n", "\u{feff}", "\u{3000}", "f(", "\"t\"",
        ];
        let mut state: u64 = 7;
        for _ in 0..4000 {
            let mut text = String::new();
            for _ in 0..state % 40 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
            }
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state ^= state >> 29;
            let (block, diagnostics) = parsed(&text);
            check_spans(&text, &block.statements);
            shown(&text, &diagnostics);
            if diagnostics.is_empty() {
                assert_eq!(bare(sound(&print(&block))), bare(block), "{text:?}");
            }
            parse_line(FILE, &text, 5, &mut Vec::new());
            parse_lines(FILE, &text, u32::MAX - 3, &mut Vec::new());
        }
    }
}
