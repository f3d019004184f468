//! The grammar for tree-sitter, `grammar.js`, and what editors colour and fold by it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::NOTICE;
use super::forms::{Form, Forms, Piece};
use super::shapes::Part;

/// Names, numbers, texts, signs and tables are the same in every game, and do not come from the words of the language.
const FIXED: &str = r##"
    // A row: words, values and operators up to the end of a line, a block, or a sign that assigns.
    _row: $ => choice($._item, seq($._operators, $._item), seq($._row, $._item), seq($._row, $._operators, $._item)),
    _operators: $ => repeat1($._operator),
    _operator: $ => choice('+', '-', '*', '/', '==', '!=', '<=', '>=', '<', '>', ',', ':', '|'),
    _item: $ => choice($._value, $._word, alias($._word_index, $.index), $._by, $.by_table),
    // A tally can be called as a word of the language is.
    _word_index: $ => prec(2, seq(field('of', alias($._word, $.name)), token.immediate(prec(1, '[')), $._row, ']')),
    _value: $ => choice($.name, $.number, $.string, $.call, $.index, $.group, $.member),
    // What stands behind a dot: of the nth card of a place, of a call, of what is in brackets.
    member: $ => prec(3, seq(field('of', choice($.call, $.index, $.group)), token.immediate(prec(1, '.')), $.name)),
    // The number of players is a name, too.
    _by: $ => choice('by', prec(1, seq('by', $._key))),
    by_table: $ => prec(1, seq('by', $._key, $.entries)),
    _key: $ => choice($.name, alias('players', $.name), $.call, $.index),
    call: $ => prec(2, seq(field('function', $.name), token.immediate(prec(1, '(')), optional($._row), ')')),
    index: $ => prec(2, seq(field('of', $.name), token.immediate(prec(1, '[')), $._row, ']')),
    group: $ => seq('(', $._row, ')'),
    name: _ => /[\p{L}\p{Nl}_][\p{L}\p{Nl}0-9_]*(#[0-9]+)?(\.[\p{L}\p{Nl}0-9_]+(#[0-9]+)?)*/u,
    number: _ => /[0-9]([\p{L}\p{Nl}0-9_]|\.[0-9])*/u,
    string: _ => token(seq('"', repeat(choice('\\"', /[^"\r\n]/)), '"')),
    comment: _ => token(seq('//', /[^\r\n]*/)),
    _separator: $ => choice(';', $._line_end),
"##;

/// Writes a text for JavaScript.
fn quoted(text: &str) -> String {
    format!("'{text}'")
}

/// Writes the token of a word, or of several with blanks between them.
fn word(text: &str) -> String {
    match text.contains(' ') {
        true => format!("alias(token(/{}/), {})", text.replace(' ', "[ \\t]+"), quoted(text)),
        false => quoted(text),
    }
}

fn choice(mut of: Vec<String>) -> String {
    match of.len() {
        1 => of.pop().unwrap_or_default(),
        _ => format!("choice({})", of.join(", ")),
    }
}

fn sequence(mut of: Vec<String>) -> String {
    match of.len() {
        1 => of.pop().unwrap_or_default(),
        _ => format!("seq({})", of.join(", ")),
    }
}

/// Puts `optional` around what can be left out.
fn perhaps(text: String, optional: bool) -> String {
    if optional { format!("optional({text})") } else { text }
}

/// The rules of `grammar.js`, as they are found.
struct Writer<'a> {
    forms: &'a Forms,
    /// The name of each block, by the rules of which it can be.
    blocks: BTreeMap<BTreeSet<String>, String>,
    /// The text of each rule of a line, by its name.
    lines: BTreeMap<String, String>,
    /// The names of nodes, of which folds are made.
    nodes: BTreeSet<String>,
    named: BTreeSet<String>,
    functions: BTreeSet<String>,
}

impl Writer<'_> {
    fn block(&self, rules: &BTreeSet<String>) -> String {
        self.blocks.get(rules).map_or_else(|| "blank()".to_string(), |name| format!("$.{name}"))
    }

    /// Writes what a form is made of.
    fn form(&mut self, form: &Form) -> String {
        let mut parts = Vec::new();
        if !form.lead.is_empty() {
            let leads = form.lead.iter().map(|lead| sequence(lead.iter().map(|text| word(text)).collect())).collect();
            parts.push(choice(leads));
        }
        match form.name {
            Some(true) => parts.push("field('name', choice($.name, $.string, $.call))".to_string()),
            Some(false) => parts.push("field('name', $.name)".to_string()),
            None => {}
        }
        let after_line =
            |at: usize| at.checked_sub(1).and_then(|at| form.pieces.get(at)).is_some_and(|piece| matches!(piece, Piece::Line(_)));
        for (at, piece) in form.pieces.iter().enumerate() {
            parts.push(match piece {
                // A row behind a line within the line says where it is put, which that line reads.
                Piece::Row { .. } if after_line(at) => continue,
                Piece::Row { optional } if at == 0 && form.lead.is_empty() => perhaps("$._first_row".to_string(), *optional),
                Piece::Row { optional } => perhaps("$._row".to_string(), *optional),
                // Ahead of such a word a comma can stand.
                Piece::Word(text) if at > 0 => format!("optional(','), {}", word(text)),
                Piece::Word(text) => word(text),
                Piece::Sign { signs, row, optional } => {
                    let signs = choice(signs.iter().map(|sign| quoted(sign)).collect());
                    perhaps(if *row { format!("seq({signs}, field('value', $.value))") } else { signs }, *optional)
                }
                Piece::Block { rules, optional } => {
                    // What stands behind a block stands there only if the block does.
                    let tail = form.pieces.get(at + 1).and_then(|piece| match piece {
                        Piece::Tail(part) => Some(perhaps(self.tail(part), true)),
                        Piece::Row { .. } | Piece::Word(_) | Piece::Sign { .. } | Piece::Block { .. } | Piece::Line(_) => None,
                    });
                    // Where it is put, in a line that is added to others.
                    let words: Vec<String> = self.forms.words_of("at").iter().map(|text| word(text)).collect();
                    let place = form.separated.then(|| format!("optional(seq({}, $.name))", choice(words)));
                    perhaps(sequence(std::iter::once(self.block(rules)).chain(tail).chain(place).collect()), *optional)
                }
                Piece::Tail(_) => continue,
                Piece::Line(rules) => {
                    let lines = self.forms.lines_of_rules(rules);
                    choice(self.references(&lines))
                }
            });
        }
        format!("prec.right({})", sequence(parts))
    }

    fn tail(&self, part: &Part) -> String {
        match part {
            Part::Word(text) => word(text),
            Part::Block(rule) => self.block(&BTreeSet::from([rule.clone()])),
            Part::Line(rules) => choice(rules.iter().map(|rule| format!("$.{rule}")).collect()),
            Part::Sequence(parts) => sequence(parts.iter().map(|part| self.tail(part)).collect()),
            Part::Choice(parts) => choice(parts.iter().map(|part| self.tail(part)).collect()),
            Part::Optional(part) => format!("optional({})", self.tail(part)),
            Part::Row(_) | Part::Sign(_) => "$._row".to_string(),
        }
    }

    /// Returns how lines are named in rules of blocks, and writes their rules where they are new.
    fn references(&mut self, forms: &[Form]) -> Vec<String> {
        let mut references = Vec::new();
        for form in forms {
            let rules: Vec<&str> = form.rules.iter().map(String::as_str).collect();
            let lead: Vec<String> = form.lead.iter().flatten().map(|text| text.replace(' ', "_")).collect();
            let signs = form.pieces.iter().any(|piece| matches!(piece, Piece::Sign { .. }));
            let name = match (rules.as_slice(), lead.as_slice()) {
                ([rule], _) => (*rule).to_string(),
                (_, [lead, ..]) => format!("{lead}_line"),
                (_, []) if signs => "assign".to_string(),
                (_, []) => "line".to_string(),
            };
            let text = self.form(form);
            self.nodes.insert(name.clone());
            if form.name.is_some() {
                self.named.insert(name.clone());
                self.functions.extend(form.name.filter(|function| *function).map(|_| name.clone()));
            }
            let free = (0_usize..).map(|at| if at == 0 { name.clone() } else { format!("_{name}_{at}") });
            let rule = free.into_iter().find(|rule| self.lines.get(rule).is_none_or(|other| *other == text)).unwrap_or_default();
            self.lines.insert(rule.clone(), text);
            references.push(if rule == name { format!("$.{name}") } else { format!("alias($.{rule}, $.{name})") });
        }
        references
    }

    /// Returns the lines of a block: those after which a separator must stand, and those after which it need not.
    fn lines_of(&mut self, forms: &[Form], last_with_comma: bool) -> String {
        let (separated, other): (Vec<Form>, Vec<Form>) = forms.iter().cloned().partition(|form| form.separated);
        let mut separated = self.references(&separated);
        separated.extend(self.names_that_begin_lines(forms));
        let mut repeated = vec!["$._separator".to_string()];
        if !separated.is_empty() {
            repeated.push(format!("seq({}, $._separator)", choice(separated.clone())));
        }
        repeated.extend(self.references(&other));
        separated.extend(last_with_comma.then(|| self.last_with_comma(forms)).into_iter().flatten());
        let last = if separated.is_empty() { String::new() } else { format!(", optional({})", choice(separated)) };
        format!("repeat({}){last}", choice(repeated))
    }

    /// Writes the lines of a table once more, with a comma behind each: the last one can have it.
    fn last_with_comma(&mut self, forms: &[Form]) -> Vec<String> {
        let mut lines = Vec::new();
        for form in forms.iter().filter(|form| matches!(form.pieces.last(), Some(Piece::Row { .. }))) {
            let name = form.rules.iter().cloned().collect::<Vec<_>>().join("_or_");
            let (rule, text) = (format!("_last_{name}_{}", lines.len()), self.form(form));
            self.lines.insert(rule.clone(), format!("seq({text}, ',')"));
            lines.push(format!("alias($.{rule}, $.{name})"));
        }
        lines
    }

    /// Where lines can assign, a word that begins other lines can be the name of what is written to.
    fn names_that_begin_lines(&mut self, forms: &[Form]) -> Option<String> {
        let adds = |piece: &Piece| matches!(piece, Piece::Sign { signs, .. } if signs.contains("+="));
        let assigns = |form: &&Form| form.lead.is_empty() && form.pieces.iter().any(adds);
        forms.iter().find(assigns)?;
        let row_first =
            |form: &&Form| form.name.is_some() || matches!(form.pieces.first(), Some(Piece::Row { optional: false } | Piece::Block { .. }));
        let leads: BTreeSet<&String> = forms.iter().filter(row_first).flat_map(|form| &form.lead).filter_map(|lead| lead.first()).collect();
        let taken: BTreeSet<&String> =
            forms.iter().filter(|form| !row_first(form)).flat_map(|form| &form.lead).filter_map(|lead| lead.first()).collect();
        let words: Vec<String> = leads.difference(&taken).filter(|word| !word.contains(' ')).map(|word| quoted(word)).collect();
        let text = format!("seq(alias({}, $.name), choice('+=', '-=', '='), field('value', $.value))", choice(words));
        let rule = format!("_assign_word_{}", self.lines.len());
        let rule = self.lines.iter().find(|(_, other)| **other == text).map_or(rule, |(rule, _)| rule.clone());
        self.lines.insert(rule.clone(), text);
        Some(format!("alias($.{rule}, $.assign)"))
    }
}

/// The files of the grammar for tree-sitter.
#[derive(Debug)]
pub struct TreeSitterFiles {
    /// `grammar.js`, from which tree-sitter makes a parser.
    pub grammar: String,
    /// `queries/highlights.scm`.
    pub highlights: String,
    /// `queries/folds.scm`.
    pub folds: String,
}

/// Makes the grammar for tree-sitter from that of the rules language.
pub fn tree_sitter_files() -> TreeSitterFiles {
    let forms = Forms::of_rules();
    let mut blocks = BTreeMap::new();
    for rules in forms.blocks.keys() {
        let name = match rules.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["file"] => "source_file".to_string(),
            [rule] => (*rule).to_string(),
            rules => format!("block_of_{}", rules.join("_or_")),
        };
        blocks.insert(rules.clone(), name);
    }
    let (lines, nodes) = (BTreeMap::new(), BTreeSet::new());
    let mut writer = Writer { forms: &forms, blocks: blocks.clone(), lines, nodes, named: BTreeSet::new(), functions: BTreeSet::new() };
    let mut text = String::new();
    for (rules, name) in &blocks {
        let forms = forms.blocks.get(rules).map(Vec::as_slice).unwrap_or_default();
        let lines = writer.lines_of(forms, name == "entries");
        match name.as_str() {
            // The first rule is that of a whole file.
            "source_file" => text.insert_str(0, &format!("    source_file: $ => seq({lines}),\n")),
            _ => _ = writeln!(text, "    {name}: $ => seq('{{', {lines}, '}}'),"),
        }
    }
    for (rule, line) in &writer.lines {
        _ = writeln!(text, "    {rule}: $ => {line},");
    }
    let words: Vec<String> = forms.row_words.iter().filter(|text| *text != "by").map(|text| word(text)).collect();
    let grammar = format!(
        "// {NOTICE}\n// tree-sitter makes a parser of it, with src/scanner.c.\n\nmodule.exports = grammar({{\n  name: 'houserule',\n\n  \
         externals: $ => [$._line_end],\n  extras: $ => [/\\s/, '\\uFEFF', $.comment],\n  word: $ => $.name,\n  \
         conflicts: $ => [[$.by_table, $._by]],\n\n  rules: {{\n{text}{FIXED}    \
         value: $ => prec.right($._row),\n    // A line that begins with none of the words that begin lines.\n    \
         _first_row: $ => choice($._value, seq($._first_row, $._item), seq($._first_row, $._operators, $._item)),\n    \
         _word: $ => choice({}),\n  }},\n}})\n",
        words.join(", ")
    );
    let folds: Vec<String> = blocks.values().filter(|name| *name != "source_file").map(|name| format!("  ({name})")).collect();
    TreeSitterFiles { grammar, highlights: highlights(&forms, &writer), folds: format!("; {NOTICE}\n\n[\n{}\n] @fold\n", folds.join("\n")) }
}

fn highlights(forms: &Forms, writer: &Writer<'_>) -> String {
    let (truth, logic) = (["yes", "no", "nothing"], ["and", "or", "not", "is", "in"]);
    let mut words: BTreeSet<&str> = forms.row_words.iter().chain(&forms.lead_words).map(String::as_str).collect();
    for form in forms.blocks.values().flatten() {
        for piece in &form.pieces {
            match piece {
                Piece::Word(text) => _ = words.insert(text),
                Piece::Row { .. } | Piece::Sign { .. } | Piece::Block { .. } | Piece::Tail(_) | Piece::Line(_) => {}
            }
        }
        words.extend(form.lead.iter().flatten().map(String::as_str));
    }
    words.retain(|word| !truth.contains(word) && !logic.contains(word));
    let list = |words: &mut dyn Iterator<Item = String>| words.collect::<Vec<_>>().join("\n  ");
    let words = list(&mut words.iter().map(|word| format!("\"{word}\"")));
    let named = |functions: bool| {
        list(
            &mut writer
                .named
                .iter()
                .filter(|name| writer.functions.contains(*name) == functions)
                .map(|name| format!("({name} name: (name) @{})", if functions { "function" } else { "type" })),
        )
    };
    let called = list(&mut writer.functions.iter().map(|name| format!("({name} name: (call function: (name) @function))")));
    let of_list = |words: &[&str]| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(" ");
    format!(
        "; {NOTICE}\n\n(comment) @comment\n(string) @string\n(number) @number\n(name) @variable\n(call function: (name) @function.call)\n\n\
         [\n  {words}\n] @keyword\n\n[{}] @boolean\n[{}] @keyword.operator\n\n\
         [\"+\" \"-\" \"*\" \"/\" \"==\" \"!=\" \"<=\" \">=\" \"<\" \">\" \"=\" \"+=\" \"-=\" \"|\"] @operator\n\
         [\",\" \":\" \";\"] @punctuation.delimiter\n[\"(\" \")\" \"[\" \"]\" \"{{\" \"}}\"] @punctuation.bracket\n\n; What is declared.\n{}\n{}\n{called}\n\n\
         ; Players whom the language knows.\n((name) @variable.builtin\n  (#any-of? @variable.builtin \"me\" \"left\" \"right\" \"first\" \"partner\" \"nobody\"))\n",
        of_list(&truth),
        of_list(&logic),
        named(false),
        named(true),
    )
}
