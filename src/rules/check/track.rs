//! Tracks: counters whose marker triggers statements on certain steps.

use super::super::collect::ADVANCE_EFFECT;
use super::super::defs::{DefId, DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, TrackWhen};
use super::super::typed::{Block, Body, Expr, ExprKind, Param, Stmt, StmtKind, Target};
use super::Checker;
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, Write};

impl<'t> Checker<'t> {
    /// Checks a statement such as `advance path by 2`.
    pub(super) fn check_advance(&mut self, track: &Name, by: &ast::Expr) -> Option<StmtKind> {
        let by = self.check_expr(by, &[Type::Number]);
        let Some(effect) = self.rules.defs.find(Space::Value, &format!("{}.{ADVANCE_EFFECT}", track.text)) else {
            let suffix = format!(".{ADVANCE_EFFECT}");
            let tracks = self.rules.defs.names(Space::Value).filter_map(|name| name.strip_suffix(&suffix));
            self.report_all(self.rules.defs.missing(&track.text, track.span, "a track", tracks));
            return None;
        };
        self.ensure_checked(effect);
        Some(StmtKind::Do { effect, args: vec![by] })
    }

    /// Builds the effect that moves the marker of a track: forward step by step, or straight back.
    pub(super) fn build_track(&mut self, effect: DefId, name: &Name, end: &ast::Expr, steps: &[ast::TrackStep]) {
        let Some(counter) = self.rules.defs.find(Space::Value, &name.text) else { return };
        let span = name.span;
        let end = self.check_expr(end, &[Type::Number]);
        let bind = self.with_own_scope(|checker| checker.bind("n", Type::Number));
        let params = vec![Param { name: "n".to_string(), bind, ty: Type::Number }];
        self.rules.bodies.insert(effect, Body::Effect(params.clone(), Vec::new()));
        let number = |kind| Expr::number(kind, span);
        let (here, zero) = (number(ExprKind::Variable(counter)), number(ExprKind::Const(0)));
        let by = number(ExprKind::Local(bind));
        let acts = |checker: &mut Self, wanted: fn(&TrackWhen) -> bool| -> Block {
            let found = steps.iter().filter(|step| wanted(&step.when));
            found.filter_map(|step| checker.build_track_line(name, &here, &end, step)).collect()
        };
        let moving = |checker: &mut Self, write| -> Block {
            let mut block = acts(checker, |when| matches!(when, TrackWhen::Leaving(_)));
            let (target, value) = (Target::Variable(counter), number(ExprKind::Const(1)));
            block.push(Stmt { kind: StmtKind::Write { target, operator: write, value }, span });
            block.extend(acts(checker, |when| matches!(when, TrackWhen::Reaching(_))));
            block
        };
        let (forward, back) = (moving(self, Write::Add), moving(self, Write::Sub));
        let beyond = acts(self, |when| matches!(when, TrackWhen::Beyond));
        let less = |low: &Expr, high: &Expr| low.clone().compared(Compare::Less, high.clone(), span);
        let minus = zero.clone().combined(NumberOp::Sub, by.clone(), span);
        let repeat = |n: Expr, body: StmtKind| {
            let times = n.combined(NumberOp::Max, zero.clone(), span);
            Stmt { kind: StmtKind::Repeat { times, block: vec![Stmt { kind: body, span }] }, span }
        };
        let block = vec![
            repeat(by, StmtKind::If { condition: less(&here, &end), yes: forward, no: Some(beyond) }),
            repeat(minus, StmtKind::If { condition: less(&zero, &here), yes: back, no: None }),
        ];
        self.rules.bodies.insert(effect, Body::Effect(params, block));
    }

    /// Builds the statement for one line of a track, guarded by the steps that the line lists.
    fn build_track_line(&mut self, name: &Name, here: &Expr, end: &Expr, step: &ast::TrackStep) -> Option<Stmt> {
        let effect = self.rules.defs.find(Space::Value, &format!("{}.{}", name.text, step.when.name()));
        let effect = effect.filter(|&effect| matches!(self.rules.defs[effect].kind, DefKind::Effect(_)))?;
        self.ensure_checked(effect);
        let does = Stmt { kind: StmtKind::Do { effect, args: Vec::new() }, span: step.span };
        let mut on = None;
        for number in step.when.steps() {
            let number = self.check_expr(number, &[Type::Number]);
            if let (ExprKind::Const(step), ExprKind::Const(end)) = (&number.kind, &end.kind)
                && !(0..=*end).contains(step)
            {
                self.report(RuleProblem::NoStep { track: name.text.clone(), step: *step, end: *end }.at(number.span));
            }
            let one = here.clone().compared(Compare::Equal, number, step.span);
            on = Some(match on {
                None => one,
                Some(on) => Expr::or(on, one, step.span),
            });
        }
        Some(match on {
            Some(on) => Stmt { kind: StmtKind::If { condition: on, yes: vec![does], no: None }, span: step.span },
            None => does,
        })
    }
}
