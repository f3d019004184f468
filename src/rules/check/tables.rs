//! Tables of values by a word that changes during a game: `by card.facing { north: 1, else: 2 }`.

use super::super::defs::{DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name};
use super::super::typed::{Expr, ExprKind};
use super::{Checker, Scope};
use crate::cast;
use crate::engine::node::Type;
use crate::engine::ruleset::Compare;
use crate::source::Span;

impl Checker<'_> {
    /// Whether a name may stand for one of several words: a local name, a counter, or a field of a card.
    pub(super) fn can_be_words(&self, over: &Name, scope: &Scope) -> bool {
        let is_counter = |what: &DefKind| matches!(what, DefKind::Variable { over: Some(_), .. } | DefKind::Define | DefKind::Constant);
        over.text.contains('.')
            || scope.find(&over.text).is_some()
            || self.rules.defs.kind_of(Space::Value, &over.text).is_some_and(is_counter)
    }

    /// Checks a table by words: a chain of conditions, of which the last value stands for all other words.
    pub(super) fn check_table_of_words(
        &mut self,
        over: &Name,
        entries: &ast::Block<ast::Entry>,
        span: Span,
        scope: &mut Scope,
        hint: Option<Type>,
    ) -> Expr {
        let word = self.resolve_name(over, scope, None);
        let list = match self.types.resolve(word.ty) {
            Type::Choice(list) => list,
            _ if word.kind == ExprKind::Poisoned => return self.poisoned(span),
            other => return self.report_poisoned(RuleProblem::TableOf { name: over.text.clone(), found: other.words() }, over.span),
        };
        let words = self.rules.defs.lists[usize::from(list)].clone();
        let (mut missing, mut found, mut otherwise) = (vec![true; words.len()], Vec::new(), None);
        let mut ty = None;
        for entry in &entries.items {
            let value = self.infer(&entry.value, scope, hint.or(ty));
            let value = match ty {
                Some(ty) => self.must_be(value, &[ty]),
                None => value,
            };
            ty = ty.or(Some(value.ty));
            for key in &entry.keys {
                if key.text == "else" {
                    otherwise = Some(value.clone());
                } else if let Some(index) = self.rules.defs.word_in(list, &key.text) {
                    if !std::mem::replace(&mut missing[index], false) {
                        self.report(RuleProblem::DeclaredTwice { what: format!("the value for `{}`", key.text) }.at(key.span));
                    }
                    found.push((index, value.clone()));
                } else {
                    self.report_unknown_of(&key.text, key.span, "one of these words", &words);
                }
            }
        }
        if otherwise.is_none()
            && let Some(key) = missing.iter().position(|missing| *missing).and_then(|at| words.get(at))
        {
            return self.report_poisoned(RuleProblem::NoValueFor { key: key.clone() }, span);
        }
        let last = otherwise.or_else(|| found.pop().map(|(_, value)| value));
        let Some(last) = last else { return self.poisoned(span) };
        let choose = |no: Expr, (index, yes): (usize, Expr)| {
            let key = Expr::constant(cast::count(index), Type::Choice(list), yes.span);
            let same = ExprKind::Compare { operator: Compare::Equal, a: Box::new(word.clone()), b: Box::new(key) };
            let condition = Box::new(Expr { kind: same, ty: Type::Truth, span: over.span });
            Expr { ty: no.ty, kind: ExprKind::If { condition, yes: Box::new(yes), no: Box::new(no) }, span }
        };
        found.into_iter().rev().fold(last, choose)
    }
}
