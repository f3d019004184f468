//! The syntax tree: blocks of statements, statements of terms. It is a tree of shapes; what a statement says is found
//! out later, by matching its terms against the table of verbs.

use std::fmt;

use crate::source::Span;

/// How wide a block may be to be printed on one line.
const WIDEST_LINE: usize = 100;

/// Statements in braces, or a whole file.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// In the order of the text.
    pub statements: Vec<Statement>,
    /// From brace to brace.
    pub span: Span,
}

/// Terms in a row: `gain 2 wisp`.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// At least one.
    pub terms: Vec<Term>,
    /// From the first term to the last.
    pub span: Span,
}

/// One thing in a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// What a term is.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// `wolf`, `wolf.age`, `wolf's`; a dotted path is one word, and joining words (`and`, `if`, `of`) are words too.
    Word(String),
    /// `price(wolf)`: a name directly followed by arguments.
    Call {
        /// What stands before the bracket.
        name: String,
        /// The terms of each argument.
        args: Vec<Vec<Term>>,
    },
    /// `wolf.cost[1]`: a name directly followed by an index.
    Item {
        /// What stands before the bracket.
        name: String,
        /// The terms in the brackets.
        index: Vec<Term>,
    },
    /// `3` is 3000 thousandths, `0.35` is 350 and decimal. Never negative: a sign is a term of its own.
    Number {
        /// The value times 1000.
        thousandths: i64,
        /// Whether it was written with a point.
        decimal: bool,
    },
    /// `"most stable"`
    Text(String),
    /// `+`
    Op(Op),
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `( … )` that does not directly follow a name.
    Group(Vec<Term>),
    /// `{ … }`
    Block(Block),
}

/// An operator. `-` may also stand before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divide,
    /// `=`
    Assign,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+=`
    PlusAssign,
    /// `-=`
    MinusAssign,
    /// `|`
    Or,
}

impl Op {
    /// All of them.
    pub const ALL: [Op; 14] = [
        Op::Plus,
        Op::Minus,
        Op::Times,
        Op::Divide,
        Op::Assign,
        Op::Equal,
        Op::NotEqual,
        Op::Less,
        Op::LessEqual,
        Op::Greater,
        Op::GreaterEqual,
        Op::PlusAssign,
        Op::MinusAssign,
        Op::Or,
    ];

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Op::Plus => "+",
            Op::Minus => "-",
            Op::Times => "*",
            Op::Divide => "/",
            Op::Assign => "=",
            Op::Equal => "==",
            Op::NotEqual => "!=",
            Op::Less => "<",
            Op::LessEqual => "<=",
            Op::Greater => ">",
            Op::GreaterEqual => ">=",
            Op::PlusAssign => "+=",
            Op::MinusAssign => "-=",
            Op::Or => "|",
        }
    }

    /// The operator that is written so.
    pub fn from_text(text: &str) -> Option<Op> {
        Op::ALL.into_iter().find(|op| op.text() == text)
    }
}

impl Statement {
    /// The first word, if the statement begins with one.
    pub fn head(&self) -> Option<&str> {
        self.terms.first().and_then(Term::word)
    }
}

impl Term {
    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            TermKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether it is this word.
    pub fn is_word(&self, word: &str) -> bool {
        self.word() == Some(word)
    }

    /// Whether it is this operator.
    pub fn is_op(&self, op: Op) -> bool {
        self.kind == TermKind::Op(op)
    }

    /// The block, if it is one.
    pub fn block(&self) -> Option<&Block> {
        match &self.kind {
            TermKind::Block(block) => Some(block),
            _ => None,
        }
    }
}

/// The statements of a block as a file; parsing it again gives the same tree, but for spans.
pub fn print(block: &Block) -> String {
    let mut out = String::new();
    print_statements(&block.statements, 0, &mut out);
    out
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_block(self, 0))
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_terms(&self.terms, 0))
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print_terms(std::slice::from_ref(self), 0))
    }
}

fn print_statements(statements: &[Statement], depth: usize, out: &mut String) {
    for (at, statement) in statements.iter().enumerate() {
        out.push_str(&"  ".repeat(depth));
        out.push_str(&print_terms(&statement.terms, depth));
        if goes_on(statement) || statements.get(at + 1).is_some_and(takes_up) {
            out.push(';');
        }
        out.push('\n');
    }
}

/// Whether a statement ends in something after which a line break does not end it.
fn goes_on(statement: &Statement) -> bool {
    statement.terms.last().is_some_and(|term| match &term.kind {
        TermKind::Op(_) | TermKind::Comma | TermKind::Colon => true,
        TermKind::Word(word) => word == "and" || word == "or",
        _ => false,
    })
}

/// Whether a statement begins with something that would be taken for the rest of the line before.
fn takes_up(statement: &Statement) -> bool {
    statement.terms.first().is_some_and(|term| match &term.kind {
        TermKind::Op(_) | TermKind::Comma | TermKind::Colon => true,
        TermKind::Word(word) => matches!(word.as_str(), "and" | "or" | "else" | "where"),
        _ => false,
    })
}

fn print_terms(terms: &[Term], depth: usize) -> String {
    let mut out = String::new();
    for term in terms {
        if !out.is_empty() && !matches!(term.kind, TermKind::Comma | TermKind::Colon) {
            out.push(' ');
        }
        out.push_str(&print_term(term, depth));
    }
    out
}

fn print_term(term: &Term, depth: usize) -> String {
    match &term.kind {
        TermKind::Word(word) => word.clone(),
        TermKind::Call { name, args } => {
            let args: Vec<String> = args.iter().map(|arg| print_terms(arg, depth)).collect();
            format!("{name}({})", args.join(", "))
        }
        TermKind::Item { name, index } => format!("{name}[{}]", print_terms(index, depth)),
        TermKind::Number { thousandths, decimal } => print_number(*thousandths, *decimal),
        TermKind::Text(text) => format!("\"{}\"", text.replace('"', "\\\"")),
        TermKind::Op(op) => op.text().to_string(),
        TermKind::Comma => ",".to_string(),
        TermKind::Colon => ":".to_string(),
        TermKind::Group(terms) => format!("({})", print_terms(terms, depth)),
        TermKind::Block(block) => print_block(block, depth),
    }
}

fn print_number(thousandths: i64, decimal: bool) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let (whole, rest) = (thousandths.unsigned_abs() / 1000, thousandths.unsigned_abs() % 1000);
    if !decimal && rest == 0 {
        return format!("{sign}{whole}");
    }
    let rest = format!("{rest:03}");
    let rest = match rest.trim_end_matches('0') {
        "" => "0",
        digits => digits,
    };
    format!("{sign}{whole}.{rest}")
}

/// On one line if it is simple and short, else one statement a line.
fn print_block(block: &Block, depth: usize) -> String {
    match block.statements.as_slice() {
        [] => return "{ }".to_string(),
        [only] => {
            let line = print_terms(&only.terms, depth + 1);
            if line.len() <= WIDEST_LINE && !line.contains('\n') {
                return format!("{{ {line} }}");
            }
        }
        _ => {}
    }
    let mut out = String::from("{\n");
    print_statements(&block.statements, depth + 1, &mut out);
    out.push_str(&"  ".repeat(depth));
    out.push('}');
    out
}
