//! What is paid from purses: how much is lacking of a price, and the statements that pay it.
//!
//! Both are worked out by other expressions and statements. What something in a purse pays is how much less is lacking with it than with what stands
//! ahead of it alone: it is the most that it can pay without that having to pay less.

use super::super::defs::DefKind;
use super::super::problem::{PurseProblem, RuleProblem};
use super::super::syntax::ast::{self, Name};
use super::super::typed::{
    BindingId, Block, Body, Choice, ChoiceParam, Domain, Expr, ExprKind, Means, Question, Stmt, StmtKind, Supply, Taken,
};
use super::{Checker, purses};
use crate::cast;
use crate::engine::graph::{Expr as GraphExpr, NumberOp};
use crate::engine::node::Type;
use crate::engine::op::Op;
use crate::engine::ruleset::{Compare, NodeId, TextPart, Write};
use crate::source::Span;

/// The most things of which a player is asked how much of each is used: the questions lie within each other.
const MAX_MIXED: usize = 8;

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
            return checker.refuse(PurseProblem::PursesDiffer { first: from[0].name.text.clone(), other: name.text.clone() }.at(name.span));
        }
        let twice = purse.means.iter().find(|one| means.iter().any(|(_, known)| purses::is_same(one, known)));
        if let Some((_, what)) = twice.and_then(|twice| twice.taken.as_ref()) {
            return checker.refuse(PurseProblem::PaysTwice { name: what.clone() }.at(name.span));
        }
        means.extend(purse.means.into_iter().map(|one| (number, one)));
    }
    let over = over?;
    let words = purses::names_of_words(checker, over);
    let price = purses::entries_of(checker, price, (over, &words));
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
        let resource = |at: usize| if let Some((Taken::Resource(resource), _)) = self.means[at].1.taken { Some(resource) } else { None };
        for run in paid.chunk_by(|a, b| resource(a.0).is_some() && resource(b.0).is_some()).rev() {
            let due: Option<Vec<_>> = run.iter().map(|(at, amount)| Some((resource(*at)?, amount.clone()))).collect();
            match due {
                Some(due) => block.push(self.pay_resources(due)),
                None => block.extend(run.iter().filter_map(|(at, amount)| self.take(*at, amount.clone()))),
            }
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
        return checker.refuse(PurseProblem::UsedUpToo { name: bill.names[purse].clone() }.at(from[purse].name.span));
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
