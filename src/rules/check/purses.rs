//! Purses: what each line of one pays, and for which words.

use super::super::defs::{ALL_RESOURCES, DefId, DefKind, FieldType, Space};
use super::super::problem::{PurseProblem, RuleProblem};
use super::super::syntax::ast::{self, Name};
use super::super::typed::{Body, Expr, ExprKind, Means, Purse, Supply, Taken, Target};
use super::Checker;
use crate::cast;
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::purses::MAX_WORDS;
use crate::engine::ruleset::{Compare, VariableSort};
use crate::source::Span;

/// The words of a purse, by index.
type Words = [String];

/// Checks a purse, and keeps it as the body of its name.
pub(super) fn check_purse(checker: &mut Checker<'_>, def: DefId, of: &Name, lines: &[ast::Means]) {
    let Some(over) = words_of_purse(checker, of) else { return };
    let words = names_of_words(checker, over);
    // For a use in what is being checked, which goes round in a circle.
    checker.rules.bodies.insert(def, Body::Purse(Purse { over, means: Vec::new() }));
    if words.len() > MAX_WORDS {
        let (what, help) = ("words", "let one word stand for several, or make two prices of it");
        checker.report(RuleProblem::HasTooMany { whose: "a purse", most: MAX_WORDS, what, help }.at(of.span));
        return;
    }
    let mut means = Vec::new();
    // Whether each of them is an entry of a tally that stands there as a whole.
    let mut of_whole = Vec::new();
    for line in lines {
        let (made, is_whole) = check_line(checker, line, over, &words);
        of_whole.extend(made.iter().map(|_| is_whole));
        means.extend(made);
    }
    if means.is_empty() && lines.is_empty() && !checker.rules.defs.has_suspects() {
        let (what, help) = ("a line that says what pays".to_string(), Some("a tally, a number `for any`, or a row `of` cards"));
        checker.report(RuleProblem::Expected { what, help }.at(of.span));
    }
    // An entry that has a line of its own is left to it.
    let alone: Vec<bool> = (0..means.len())
        .map(|at| of_whole[at] && (0..means.len()).any(|other| !of_whole[other] && is_same(&means[at], &means[other])))
        .collect();
    let mut alone = alone.into_iter();
    means.retain(|_| !alone.next().unwrap_or(false));
    let twice = (0..means.len()).find(|&at| means[..at].iter().any(|before| is_same(before, &means[at])));
    if let Some(Means { taken: Some((_, name)), .. }) = twice.map(|at| &means[at]) {
        let name = name.clone();
        checker.report(PurseProblem::PaysTwice { name }.at(of.span));
    }
    checker.rules.bodies.insert(def, Body::Purse(Purse { over, means }));
}

/// Returns the type of the words of a purse; `None` if that is wrong, which has been reported.
fn words_of_purse(checker: &mut Checker<'_>, of: &Name) -> Option<Type> {
    let defs = &checker.rules.defs;
    if of.text == ALL_RESOURCES {
        return Some(Type::Resource);
    }
    if let Some(list) = defs.word_list(&of.text) {
        return Some(Type::Choice(list));
    }
    let known = defs.names(Space::Words).chain([ALL_RESOURCES]);
    let missing = defs.missing(&of.text, of.span, "`resource` or a list of words", known);
    checker.report_all(missing);
    None
}

/// Returns the names of the words of a purse, all resources or those of a list.
pub(super) fn names_of_words(checker: &Checker<'_>, over: Type) -> Vec<String> {
    let defs = &checker.rules.defs;
    if let Type::Choice(list) = over {
        return defs.words_in(list).map(str::to_string).collect();
    }
    defs.resources().iter().map(|name| name.to_string()).collect()
}

/// Checks a line of a purse; returns what pays by it, and whether that is all entries of something.
fn check_line(checker: &mut Checker<'_>, line: &ast::Means, over: Type, words: &Words) -> (Vec<Means>, bool) {
    if let Some(cards) = &line.cards {
        return (check_cards_of_line(checker, line, cards, (over, words)), false);
    }
    if line.one {
        let (what, help) = ("cards behind `one of`".to_string(), Some("each of several cards gives one: `one of card.ROW of CARDS`"));
        checker.report(RuleProblem::Expected { what, help }.at(line.span));
        return (Vec::new(), false);
    }
    if line.any || !line.words.is_empty() {
        let amount = checker.check_expr(&line.what, &[Type::Number]);
        checker.warn_if_negative(&amount);
        let mut words_of_line = if line.any { all_words(words) } else { 0 };
        for (at, name) in line.words.iter().enumerate() {
            if line.words[..at].iter().any(|known| known.text == name.text) {
                checker.report(RuleProblem::DeclaredTwice { what: format!("word `{}`", name.text) }.at(name.span));
            }
            match words.iter().position(|word| *word == name.text) {
                Some(word) => words_of_line |= 1 << word,
                None => {
                    let known = words.iter().map(String::as_str);
                    checker.report_all(checker.rules.defs.missing(&name.text, name.span, "a word of the purse", known));
                }
            }
        }
        let taken = taken_of(checker, &line.what);
        return (vec![Means { words: words_of_line, supply: Supply::Number(amount), taken }], false);
    }
    (check_whole(checker, line, over, words), true)
}

/// Checks a line that is a tally or a printed row, of which each entry pays for its own word.
fn check_whole(checker: &mut Checker<'_>, line: &ast::Means, over: Type, words: &Words) -> Vec<Means> {
    let span = line.span;
    let own = |supply, word: usize, taken: Option<Taken>| Means {
        words: 1 << word,
        supply: Supply::Number(supply),
        taken: taken.map(|taken| (taken, words[word].clone())),
    };
    let ast::ExprKind::Name(name) = &*line.what.kind else {
        checker.report(PurseProblem::PaysForWhat { text: "…".to_string() }.at(span));
        return Vec::new();
    };
    if name.text == ALL_RESOURCES && over == Type::Resource {
        let amount = |word: usize| {
            let resource = Expr::constant(cast::count(word), Type::Resource, span);
            own(Expr::number(ExprKind::Amount(Box::new(resource)), span), word, Some(Taken::Resource(cast::fit::<u16>(word))))
        };
        return (0..words.len()).map(amount).collect();
    }
    let def = checker.rules.defs.find_declared(Space::Value, &name.text);
    let sort = def.map(|def| &checker.rules.defs[def].kind);
    let is_single = |kind: &DefKind| {
        let counts = matches!(kind, DefKind::Variable { sort: VariableSort::Counter | VariableSort::Flag | VariableSort::Resource, .. });
        counts || matches!(kind, DefKind::Define | DefKind::Quantity { .. } | DefKind::Constant | DefKind::Option(_))
    };
    if sort.is_some_and(is_single) {
        checker.report(PurseProblem::PaysForWhat { text: name.text.clone() }.at(span));
        return Vec::new();
    }
    let tally = def.filter(|&def| matches!(checker.rules.defs[def].kind, DefKind::Variable { sort: VariableSort::Tally, .. }));
    if tally.is_some() {
        checker.rules.defs.find_for_write(Space::Value, &name.text);
    } else if is_of_another(checker, name) {
        return Vec::new();
    }
    let entries = entries_of(checker, name, (over, words));
    let mut made = Vec::new();
    for (word, entry) in entries.into_iter().enumerate() {
        let index = Expr::constant(cast::count(word), over, span);
        made.push(own(entry, word, tally.map(|tally| Taken::Written(Target::TallyItem(tally, index)))));
    }
    made
}

/// Returns the entries of a tally or printed row for each of the words; none if one of them is not a number, which has been reported.
pub(super) fn entries_of(checker: &mut Checker<'_>, name: &Name, (over, words): (Type, &Words)) -> Vec<Expr> {
    let mut made = Vec::new();
    if words_of(checker, name).is_some_and(|other| other != Some(over)) {
        let what = format!("a row or tally by the words of the purse: {}", words.join(", "));
        checker.report(RuleProblem::Expected { what, help: None }.at(name.span));
        return made;
    }
    for word in words {
        let index = word_expr(word, name.span);
        let entry = checker.check_item(name, &index, name.span);
        let entry = checker.must_be(entry, &[Type::Number]);
        if entry.kind == ExprKind::Poisoned {
            return Vec::new();
        }
        made.push(entry);
    }
    made
}

/// Returns the type of the words of a tally or printed row, `Some(None)` for a single value; `None` if it is neither.
fn words_of(checker: &Checker<'_>, name: &Name) -> Option<Option<Type>> {
    let defs = &checker.rules.defs;
    if let Some(def) = defs.find_declared(Space::Value, &name.text) {
        let tally = defs.words_of(def).filter(|(sort, _)| *sort == VariableSort::Tally).map(|(_, over)| over);
        return (defs[def].kind != DefKind::Broken).then_some(tally);
    }
    let (_, member) = name.member()?;
    if let Some(row) = defs.find_declared(Space::Row, member) {
        let DefKind::Field(FieldType::Row(by)) = defs[row].kind else { return None };
        return Some(Some(if by == Type::RowWord { Type::Resource } else { by }));
    }
    if let Some(counter) = defs.find_declared(Space::Counter, member) {
        return Some(defs.words_of(counter).filter(|(sort, _)| *sort == VariableSort::Tally).map(|(_, over)| over));
    }
    defs.find_declared(Space::Field, member).or_else(|| defs.find_declared(Space::List, member)).map(|_| None)
}

fn word_expr(word: &str, span: Span) -> ast::Expr {
    ast::Expr { kind: Box::new(ast::ExprKind::Name(Name { text: word.to_string(), span })), span }
}

/// Checks a line of what cards give.
fn check_cards_of_line(checker: &mut Checker<'_>, line: &ast::Means, of: &ast::Cards, (over, words): (Type, &Words)) -> Vec<Means> {
    let span = line.span;
    let ast::ExprKind::Name(row) = &*line.what.kind else {
        let (what, help) = ("the name of a row that is printed on the cards".to_string(), Some("write `card.ROW of CARDS`"));
        checker.report(RuleProblem::Expected { what, help }.at(line.what.span));
        return Vec::new();
    };
    if !line.one {
        let defs = &checker.rules.defs;
        let field = row.member().and_then(|(_, member)| defs.find(Space::Field, member));
        let is_word = field.is_some_and(|field| defs[field].kind == DefKind::Field(FieldType::One(over)));
        let mut made = Vec::new();
        for (word, text) in words.iter().enumerate() {
            let each = each_gives(row, text, is_word);
            let sum = ast::ExprKind::OverCards { fold: ast::Fold::Sum, each, of: of.clone() };
            let sum = checker.check_expr(&ast::Expr { kind: Box::new(sum), span }, &[Type::Number]);
            if sum.kind == ExprKind::Poisoned {
                break;
            }
            made.push(Means { words: 1 << word, supply: Supply::Number(sum), taken: None });
        }
        return made;
    }
    let bind = checker.unnamed();
    let cards = checker.check_cards(of, "card", bind);
    let place = cards.as_ref().and_then(|cards| if let [place] = cards.places[..] { Some(place) } else { None });
    let board = place.and_then(|place| checker.rules.board_of_place(place));
    let element = board.map_or(Type::Card, |board| Type::Space(board.kind));
    checker.scope.bound.push(("card".to_string(), bind, element));
    let entries = entries_of(checker, row, (over, words));
    checker.scope.bound.pop();
    let bit = |(word, entry): (usize, Expr)| {
        let has = entry.compared(Compare::More, Expr::constant(0, Type::Number, span), span);
        let [yes, no] = [1 << word, 0].map(|bit| Box::new(Expr::constant(bit, Type::Number, span)));
        Expr::number(ExprKind::If { condition: Box::new(has), yes, no }, span)
    };
    let bits = entries.into_iter().enumerate().map(bit).reduce(|all, bit| all.combined(NumberOp::Add, bit, span));
    let made = cards.zip(bits).map(|(cards, bits)| Supply::OneOfEach(Box::new(cards), bits));
    made.map(|supply| Means { words: all_words(words), supply, taken: None }).into_iter().collect()
}

/// Returns how much a card gives of a word: what stands in a row, or 1 if it is the word in a field.
fn each_gives(field: &Name, word: &str, is_word: bool) -> ast::Expr {
    let span = field.span;
    let made = |kind| ast::Expr { kind: Box::new(kind), span };
    let word = word_expr(word, span);
    if !is_word {
        return made(ast::ExprKind::Item { name: field.clone(), index: word });
    }
    let condition = made(ast::ExprKind::Is { left: made(ast::ExprKind::Name(field.clone())), not: false, right: word });
    let [yes, no] = [1000, 0].map(|thousandths| made(ast::ExprKind::Number { thousandths, decimal: false }));
    made(ast::ExprKind::If { condition, yes, no })
}

fn all_words(words: &Words) -> u64 {
    (1 << words.len()) - 1
}

/// Reports a value of another player, which does not pay.
fn is_of_another(checker: &mut Checker<'_>, name: &Name) -> bool {
    let found = checker.split_owner(&name.text, name.span).is_some();
    if found {
        checker.report(PurseProblem::PaysAnother { name: name.text.clone() }.at(name.span));
    }
    found
}

/// Returns what is used up of a number that pays, with its name for players; `None` if it stays as it is.
fn taken_of(checker: &mut Checker<'_>, what: &ast::Expr) -> Option<(Taken, String)> {
    let (name, index) = if let ast::ExprKind::Item { name, index } = &*what.kind {
        (name, Some(index))
    } else if let ast::ExprKind::Name(name) = &*what.kind {
        (name, None)
    } else {
        return None;
    };
    let Some(def) = checker.rules.defs.find_declared(Space::Value, &name.text) else {
        is_of_another(checker, name);
        return None;
    };
    let DefKind::Variable { sort, resource, .. } = checker.rules.defs[def].kind else { return None };
    checker.rules.defs.find_for_write(Space::Value, &name.text);
    let track = format!("{}.{}", name.text, super::super::collect::ADVANCE_EFFECT);
    if checker.rules.defs.find_declared(Space::Value, &track).is_some() {
        checker.report(RuleProblem::TrackWritten { track: name.text.clone(), sign: "-" }.at(name.span));
        return None;
    }
    match (sort, index) {
        (VariableSort::Resource, None) => Some((Taken::Resource(resource), name.text.clone())),
        (VariableSort::Counter, None) => Some((Taken::Written(Target::Variable(def)), name.text.clone())),
        (VariableSort::Tally, Some(index)) => {
            let (_, over) = checker.rules.defs.words_of(def)?;
            let said = if let ast::ExprKind::Name(word) = &*index.kind { word.text.clone() } else { name.text.clone() };
            let index = checker.check_expr(index, &[over]);
            Some((Taken::Written(Target::TallyItem(def, index)), said))
        }
        (VariableSort::Resource | VariableSort::Counter, Some(_)) => None,
        (VariableSort::Tally, None) | (VariableSort::Flag | VariableSort::Set, _) => None,
    }
}

/// Whether two use up the same.
pub(super) fn is_same(a: &Means, b: &Means) -> bool {
    let constant = |index: &Expr| if let ExprKind::Const(value) = index.kind { Some(value) } else { None };
    match (a.taken.as_ref().map(|taken| &taken.0), b.taken.as_ref().map(|taken| &taken.0)) {
        (Some(Taken::Resource(a)), Some(Taken::Resource(b))) => a == b,
        (Some(Taken::Written(Target::Variable(a))), Some(Taken::Written(Target::Variable(b)))) => a == b,
        (Some(Taken::Written(Target::TallyItem(a, at))), Some(Taken::Written(Target::TallyItem(b, to)))) => {
            a == b && constant(at).zip(constant(to)).is_none_or(|(at, to)| at == to)
        }
        _ => false,
    }
}
