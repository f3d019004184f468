//! Purses, and what is paid from them: how much is lacking of a price, and the statements that pay it.
//!
//! Both are worked out by other expressions and statements. What something in a purse pays is how much less is lacking with it than with what stands
//! ahead of it alone: it is the most that it can pay without that having to pay less.

use super::super::defs::{ALL_RESOURCES, DefId, DefKind, FieldType, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::typed::{
    BindingId, Block, Body, Choice, ChoiceParam, Domain, Expr, ExprKind, Means, Purse, Question, Stmt, StmtKind, Supply, Taken, Target,
};
use super::Checker;
use crate::cast;
use crate::engine::graph::{Expr as GraphExpr, NumberOp};
use crate::engine::node::Type;
use crate::engine::op::Op;
use crate::engine::purses::MAX_WORDS;
use crate::engine::ruleset::{Compare, NodeId, TextPart, VariableSort, Write};
use crate::source::Span;

/// The most things of which a player is asked how much of each is used: the questions lie within each other.
const MAX_MIXED: usize = 8;

/// The words of a purse, by index.
type Words = [String];

/// A price, and what pays it.
struct Bill {
    /// What is due of each word.
    price: Vec<Expr>,
    /// All that pays, in the order in which it is used, each with the index of its purse.
    means: Vec<(usize, Means)>,
    /// How much of each purse is used at most.
    limits: Vec<Option<Expr>>,
    /// The names of the purses.
    names: Vec<String>,
    /// Where it is said.
    span: Span,
}

/// Something that pays a part of a bill: the index of its purse, the words for any of which it pays, and how much there is.
type Source = (usize, u64, Supply);

// ==================================================================== purses

/// Checks a purse, and keeps it as the body of its name.
pub(super) fn check_purse(checker: &mut Checker<'_>, def: DefId, of: &Name, lines: &[ast::Means]) {
    let (over, words) = words_of_purse(checker, of);
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
    for line in lines.iter().filter(|_| !words.is_empty()) {
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
        checker.report(RuleProblem::PaysTwice { name }.at(of.span));
    }
    checker.rules.bodies.insert(def, Body::Purse(Purse { over, means }));
}

/// Returns the type and the names of the words of a purse; no words if that has been reported.
fn words_of_purse(checker: &mut Checker<'_>, of: &Name) -> (Type, Vec<String>) {
    let defs = &checker.rules.defs;
    if of.text == ALL_RESOURCES {
        return (Type::Resource, defs.resources().iter().map(|name| name.to_string()).collect());
    }
    if let Some(list) = defs.word_list(&of.text) {
        return (Type::Choice(list), defs.words_in(list).map(str::to_string).collect());
    }
    let known = defs.names(Space::Words).chain([ALL_RESOURCES]);
    let missing = defs.missing(&of.text, of.span, "`resource` or a list of words", known);
    checker.report_all(missing);
    (Type::Number, Vec::new())
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
        checker.report(RuleProblem::PaysForWhat { text: "…".to_string() }.at(span));
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
        checker.report(RuleProblem::PaysForWhat { text: name.text.clone() }.at(span));
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
fn entries_of(checker: &mut Checker<'_>, name: &Name, (over, words): (Type, &Words)) -> Vec<Expr> {
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
        checker.report(RuleProblem::PaysAnother { name: name.text.clone() }.at(name.span));
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
fn is_same(a: &Means, b: &Means) -> bool {
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

// ==================================================================== bills

/// Checks `lacking PRICE from PURSES`.
pub(super) fn check_lacking(checker: &mut Checker<'_>, price: &Name, from: &[ast::FromPurse], span: Span) -> Expr {
    match check_bill(checker, price, from, span) {
        Some(bill) => bill.lacking(bill.all()),
        None => Expr::poisoned(Type::Number, span),
    }
}

/// Checks a price with the purses from which it is paid.
fn check_bill(checker: &mut Checker<'_>, price: &Name, from: &[ast::FromPurse], span: Span) -> Option<Bill> {
    let (mut means, mut limits, mut over) = (Vec::new(), Vec::new(), None);
    for (number, one) in from.iter().enumerate() {
        limits.push(one.up_to.as_ref().map(|most| checker.check_expr(most, &[Type::Number])));
        let name = &one.name;
        let def = checker.resolve_sort(name, "a purse", |what| matches!(what, DefKind::Purse))?;
        checker.record_mention(def, [None; 2]);
        let Some(Body::Purse(purse)) = checker.rules.bodies.get(&def).cloned() else { return None };
        if *over.get_or_insert(purse.over) != purse.over {
            return checker.refuse(RuleProblem::PursesDiffer { first: from[0].name.text.clone(), other: name.text.clone() }.at(name.span));
        }
        let twice = purse.means.iter().find(|one| means.iter().any(|(_, known)| is_same(one, known)));
        if let Some((_, what)) = twice.and_then(|twice| twice.taken.as_ref()) {
            return checker.refuse(RuleProblem::PaysTwice { name: what.clone() }.at(name.span));
        }
        means.extend(purse.means.into_iter().map(|one| (number, one)));
    }
    let over = over?;
    let words: Vec<String> = if let Type::Choice(list) = over {
        checker.rules.defs.words_in(list).map(str::to_string).collect()
    } else {
        // Of what is neither, it has been reported.
        let resources = checker.rules.defs.resources();
        resources.iter().filter(|_| over == Type::Resource).map(|name| name.to_string()).collect()
    };
    let price = entries_of(checker, price, (over, &words));
    let names = from.iter().map(|one| one.name.text.clone()).collect();
    (!price.is_empty()).then_some(Bill { price, means, limits, names, span })
}

impl Bill {
    fn number(&self, value: i64) -> Expr {
        Expr::constant(value, Type::Number, self.span)
    }

    /// Returns a number, or 0 if it is less.
    fn at_least_0(&self, number: Expr) -> Expr {
        if let ExprKind::Amount(_) | ExprKind::Const(0..) = number.kind {
            return number;
        }
        number.combined(NumberOp::Max, self.number(0), self.span)
    }

    fn source(&self, at: usize) -> Source {
        let (purse, means) = &self.means[at];
        (*purse, means.words, means.supply.clone())
    }

    /// Returns all that pays.
    fn all(&self) -> Vec<Source> {
        (0..self.means.len()).map(|at| self.source(at)).collect()
    }

    /// Returns all that pays and stays as it is.
    fn staying(&self) -> Vec<Source> {
        (0..self.means.len()).filter(|&at| self.means[at].1.taken.is_none()).map(|at| self.source(at)).collect()
    }

    /// Returns what is used up when it pays, in the order in which it is used.
    fn used_up(&self) -> Vec<usize> {
        (0..self.means.len()).filter(|&at| self.means[at].1.taken.is_some()).collect()
    }

    /// Whether each of these pays for one word alone or for all of them, without a limit: what is lacking is then a short sum.
    fn is_plain(&self, sources: &[Source]) -> bool {
        let all = (1 << self.price.len()) - 1;
        let is_plain = |(purse, words, supply): &Source| {
            matches!(supply, Supply::Number(_)) && self.limits[*purse].is_none() && (words.count_ones() == 1 || *words == all)
        };
        sources.iter().all(is_plain)
    }

    /// Returns what is lacking of one word where only what pays for this word alone is used.
    fn lacking_of_word(&self, word: usize, sources: &[Source]) -> Expr {
        let mut left = self.price[word].clone();
        for (_, words, supply) in sources {
            if let Supply::Number(amount) = supply
                && *words == 1 << word
            {
                left = left.combined(NumberOp::Sub, self.at_least_0(amount.clone()), self.span);
            }
        }
        left.combined(NumberOp::Max, self.number(0), self.span)
    }

    /// Returns how much of the price these cannot pay, as an expression that is explained as a whole.
    fn lacking(&self, sources: Vec<Source>) -> Expr {
        Expr::number(ExprKind::Whole(Box::new(self.lacking_of(&sources))), self.span)
    }

    fn lacking_of(&self, sources: &[Source]) -> Expr {
        let span = self.span;
        if self.is_plain(sources) {
            let by_word = (0..self.price.len()).map(|word| self.lacking_of_word(word, sources));
            let lacking = by_word.reduce(|all, one| all.combined(NumberOp::Add, one, span)).unwrap_or_else(|| self.number(0));
            let wild = sources.iter().filter(|(_, words, _)| words.count_ones() > 1).filter_map(|(_, _, supply)| match supply {
                Supply::Number(amount) => Some(self.at_least_0(amount.clone())),
                Supply::OneOfEach(..) => None,
            });
            return match wild.reduce(|all, one| all.combined(NumberOp::Add, one, span)) {
                Some(wild) => lacking.combined(NumberOp::Sub, wild, span).combined(NumberOp::Max, self.number(0), span),
                None => lacking,
            };
        }
        let node = |kind| Expr::number(kind, span);
        let due = self.price.iter().fold(self.number(0), |rest, amount| {
            node(ExprKind::node([rest, amount.clone()], Vec::new(), |[rest, amount]| GraphExpr::Due { rest, amount }))
        });
        let mut all = self.number(0);
        for (purse, limit) in self.limits.iter().enumerate() {
            let mut chain = if limit.is_some() { self.number(0) } else { std::mem::replace(&mut all, self.number(0)) };
            for (_, words, supply) in sources.iter().filter(|source| source.0 == purse) {
                chain = node(match supply {
                    Supply::Number(amount) => {
                        let words = words.cast_signed();
                        ExprKind::node([chain, amount.clone()], Vec::new(), |[rest, amount]| GraphExpr::Means { rest, words, amount })
                    }
                    Supply::OneOfEach(cards, words) => {
                        ExprKind::OneOfEach { rest: Box::new(chain), cards: cards.clone(), words: Box::new(words.clone()) }
                    }
                });
            }
            all = match limit {
                Some(most) => {
                    node(ExprKind::node([all, chain, most.clone()], Vec::new(), |[rest, of, most]| GraphExpr::MeansUpTo { rest, of, most }))
                }
                None => chain,
            };
        }
        node(ExprKind::node([due, all], Vec::new(), |[due, means]| GraphExpr::Lacking { due, means }))
    }

    /// Returns how much the next one pays behind these.
    fn paid_by(&self, before: &[Source], next: &Source) -> Expr {
        let after: Vec<Source> = before.iter().chain([next]).cloned().collect();
        let (_, words, supply) = next;
        if let Supply::Number(amount) = supply
            && words.count_ones() == 1
            && self.is_plain(&after)
            && before.iter().all(|(_, words, _)| words.count_ones() == 1)
        {
            let lacking = self.lacking_of_word(words.trailing_zeros() as usize, before);
            return self.at_least_0(amount.clone()).combined(NumberOp::Min, lacking, self.span);
        }
        self.lacking_of(before).combined(NumberOp::Sub, self.lacking_of(&after), self.span)
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, span: self.span }
    }

    /// A fault, if the price cannot be paid.
    fn expect_paid(&self) -> Stmt {
        self.stmt(StmtKind::op([self.lacking(self.all())], |[lacking]| Op::ExpectPaid { lacking }))
    }

    /// Takes an amount of something.
    fn take(&self, at: usize, amount: Expr) -> Option<Stmt> {
        Some(match &self.means[at].1.taken.as_ref()?.0 {
            Taken::Written(target) => self.stmt(StmtKind::Write { target: target.clone(), operator: Write::Sub, value: amount }),
            Taken::Resource(resource) => self.pay_resources(vec![(*resource, amount)]),
        })
    }

    /// Pays some resources at once.
    fn pay_resources(&self, due: Vec<(u16, Expr)>) -> Stmt {
        let (costs, operands): (Vec<_>, Vec<_>) =
            due.into_iter().enumerate().map(|(at, (resource, amount))| ((NodeId::at(at), cast::fit::<u8>(resource)), amount)).unzip();
        self.stmt(StmtKind::Op { op: Op::PayFirst { costs: costs.into() }, operands })
    }

    /// Returns the statements that pay it, what stands ahead first.
    fn pay_in_order(&self) -> Block {
        let mut sources = self.staying();
        let mut paid = Vec::new();
        for at in self.used_up() {
            let source = self.source(at);
            paid.push((at, self.paid_by(&sources, &source)));
            sources.push(source);
        }
        // What pays depends on what stands ahead of it: that is taken later.
        let mut block = vec![self.expect_paid()];
        let mut due = Vec::new();
        for (at, amount) in paid.into_iter().rev() {
            if let Some((Taken::Resource(resource), _)) = self.means[at].1.taken {
                due.push((resource, amount));
                continue;
            }
            if !due.is_empty() {
                due.reverse();
                block.push(self.pay_resources(std::mem::take(&mut due)));
            }
            block.extend(self.take(at, amount));
        }
        if !due.is_empty() {
            due.reverse();
            block.push(self.pay_resources(due));
        }
        block
    }
}

/// Checks `pay PRICE from PURSES`, perhaps `in any mix`.
pub(super) fn check_pay(checker: &mut Checker<'_>, price: &Name, from: &[ast::FromPurse], (mix, span): (bool, Span)) -> Option<StmtKind> {
    let bill = check_bill(checker, price, from, span)?;
    expect_payable(checker, &bill, from, mix)?;
    Some(StmtKind::Block(pay(checker, &bill, mix)))
}

/// Checks a cost that is paid from purses: returns the condition that it can be paid, why it is refused otherwise, and the statement that pays it.
pub(super) fn check_cost(
    checker: &mut Checker<'_>,
    price: &Name,
    from: &[ast::FromPurse],
    (mix, span): (bool, Span),
) -> Option<(Expr, String, Stmt)> {
    let bill = check_bill(checker, price, from, span)?;
    expect_payable(checker, &bill, from, mix)?;
    let lacking = bill.lacking(bill.all());
    let holds = lacking.compared(Compare::Equal, bill.number(0), span);
    let reason = format!("it cannot be paid from {}", bill.names.join(" and "));
    let stmt = bill.stmt(StmtKind::Block(pay(checker, &bill, mix)));
    Some((holds, reason, stmt))
}

/// Requires that what a bill takes of each purse can be told: of what is used up not `up to` a number, since what goes first might then bar what has to
/// pay, and not too many questions within each other.
fn expect_payable(checker: &mut Checker<'_>, bill: &Bill, from: &[ast::FromPurse], mix: bool) -> Option<()> {
    let used_up = bill.used_up();
    let limited = used_up.iter().map(|&at| bill.means[at].0).find(|&purse| bill.limits[purse].is_some());
    if let Some(purse) = limited {
        return checker.refuse(RuleProblem::UsedUpToo { name: bill.names[purse].clone() }.at(from[purse].name.span));
    }
    if mix && used_up.len() > MAX_MIXED {
        let (what, help) = ("things that are used up", "leave `in any mix` out, or let one word stand for several");
        return checker.refuse(RuleProblem::HasTooMany { whose: "a price in any mix", most: MAX_MIXED, what, help }.at(bill.span));
    }
    Some(())
}

fn pay(checker: &mut Checker<'_>, bill: &Bill, mix: bool) -> Block {
    if !mix {
        return bill.pay_in_order();
    }
    let used_up = bill.used_up();
    let binds: Vec<BindingId> = used_up.iter().map(|_| checker.unnamed()).collect();
    let chosen = |nth: usize| Expr::number(ExprKind::Local(binds[nth]), bill.span);
    let mut rest = Block::new();
    for (nth, &at) in used_up.iter().enumerate().rev() {
        // What has been chosen is fixed, and what comes later can still be chosen.
        let mut sources = bill.staying();
        sources.extend(used_up[..nth].iter().enumerate().map(|(nth, &at)| {
            let (purse, words, _) = bill.source(at);
            (purse, words, Supply::Number(chosen(nth)))
        }));
        let most = bill.paid_by(&sources, &bill.source(at));
        sources.extend(used_up[nth + 1..].iter().map(|&at| bill.source(at)));
        let least = bill.lacking_of(&sources);
        let name = bill.means[at].1.taken.as_ref().map_or("", |(_, name)| name);
        let mut body: Block = bill.take(at, chosen(nth)).into_iter().collect();
        body.append(&mut rest);
        let text = Some(vec![TextPart::Text("pay ".to_string()), TextPart::Value(0), TextPart::Text(format!(" {name}"))]);
        let param = ChoiceParam { domain: Domain::Numbers(binds[nth], least, most), maybe: false, word: None };
        let choice = Choice { text, params: vec![param], body, ..Choice::new(format!("pay {{n}} {name}"), bill.span) };
        let (id, title) = (checker.next_question_id(), Some("what is paid".to_string()));
        let question = Question { id, title, may: false, picks: None, choices: vec![choice], otherwise: None };
        rest = vec![bill.stmt(StmtKind::Ask(question))];
    }
    [bill.expect_paid()].into_iter().chain(rest).collect()
}
