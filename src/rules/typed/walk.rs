//! Visits the children of expressions and statements. This is the only list of the operands of each sort.

use super::super::defs::DefId;
use super::{
    BindingId, Block, Body, CardPick, Cards, Expr, ExprKind, FoldDomain, Neighbour, PhasePart, Question, Rules, SeatFilter, Stmt, StmtKind,
    Turns,
};
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::ruleset::Compare;
use crate::source::Span;

/// A part of an expression, as [`Expr::each`] visits them.
#[derive(Clone, Copy, Debug)]
pub enum ExprChild<'e> {
    /// An operand of the expression.
    Operand(&'e Expr),
    /// A definition that the expression refers to.
    Definition(DefId),
    /// No part: tells that the value depends on the current player, card or loop.
    Contextual,
}

impl Expr {
    /// Creates a stand-in for an expression with an error that has been reported.
    pub fn poisoned(ty: Type, span: Span) -> Expr {
        Expr { kind: ExprKind::Poisoned, ty, span }
    }

    /// Creates a constant: a number, a boolean or a word.
    pub fn constant(value: i64, ty: Type, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(value), ty, span }
    }

    /// Creates a condition.
    pub fn truth(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, ty: Type::Truth, span }
    }

    /// Creates a number.
    pub fn number(kind: ExprKind, span: Span) -> Expr {
        Expr { kind, ty: Type::Number, span }
    }

    /// Creates the condition that this one does not hold.
    pub fn not(self, span: Span) -> Expr {
        Expr::truth(ExprKind::Not(Box::new(self)), span)
    }

    /// Creates the condition that both hold.
    pub fn and(self, other: Expr, span: Span) -> Expr {
        Expr::truth(ExprKind::And { a: Box::new(self), b: Box::new(other) }, span)
    }

    /// Creates the condition that one of both holds.
    pub fn or(self, other: Expr, span: Span) -> Expr {
        Expr::truth(ExprKind::Or { a: Box::new(self), b: Box::new(other) }, span)
    }

    /// Creates the comparison with another value.
    pub fn compared(self, operator: Compare, other: Expr, span: Span) -> Expr {
        Expr::truth(ExprKind::Compare { operator, a: Box::new(self), b: Box::new(other) }, span)
    }

    /// Creates an arithmetic operation, which has the type of this number.
    pub fn combined(self, operator: NumberOp, other: Expr, span: Span) -> Expr {
        Expr { ty: self.ty, kind: ExprKind::Arithmetic { operator, a: Box::new(self), b: Box::new(other) }, span }
    }

    /// Creates the same expression for a player.
    pub fn of_player(self, player: Expr, span: Span) -> Expr {
        Expr { ty: self.ty, kind: ExprKind::Of { seat: Box::new(player), body: Box::new(self) }, span }
    }

    /// Creates the same expression for a neighbour.
    pub fn of_neighbour(self, who: Neighbour, span: Span) -> Expr {
        Expr { ty: self.ty, kind: ExprKind::OfNeighbour { who, body: Box::new(self) }, span }
    }

    /// Whether the value of a local name is read in it.
    pub fn mentions(&self, name: BindingId) -> bool {
        let mut found = false;
        self.walk(&mut |below| {
            found |= matches!(below, ExprChild::Operand(Expr { kind: ExprKind::Local(local), .. }) if *local == name);
        });
        found
    }

    /// Calls `f` for each direct child of this expression, including filters of the sets that it iterates over.
    pub fn each<'e>(&'e self, f: &mut impl FnMut(ExprChild<'e>)) {
        use ExprChild::{Contextual, Definition, Operand};
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Round | ExprKind::Turn | ExprKind::Players | ExprKind::RoundsLeft => {}
            ExprKind::Variable(def) | ExprKind::Named(def) | ExprKind::Option(def) => f(Definition(*def)),
            ExprKind::Define { definition: def, args } => {
                f(Definition(*def));
                args.iter().for_each(|arg| f(Operand(arg)));
            }
            ExprKind::Not(a) | ExprKind::Whole(a) => f(Operand(a)),
            ExprKind::OneOfEach { rest, cards, words } => {
                cards.each(f);
                [rest, words].into_iter().for_each(|part| f(Operand(part)));
            }
            ExprKind::Arithmetic { a, b, .. } | ExprKind::Compare { a, b, .. } | ExprKind::And { a, b } | ExprKind::Or { a, b } => {
                [a, b].into_iter().for_each(|part| f(Operand(part)))
            }
            ExprKind::If { condition: a, yes: b, no: c } => [a, b, c].into_iter().for_each(|part| f(Operand(part))),
            ExprKind::By { option, table } => {
                option.iter().for_each(|option| f(Definition(*option)));
                let values = table.entries.iter().map(|entry| &entry.1).chain(table.otherwise.as_deref());
                values.for_each(|value| f(Operand(value)));
            }
            ExprKind::Local(_) | ExprKind::Me | ExprKind::Score(_) | ExprKind::PieceOf(_) | ExprKind::Poisoned => {
                f(Contextual);
            }
            ExprKind::FirstIn(def) | ExprKind::NoneIn(def) | ExprKind::LastOf(def) => {
                [Contextual, Definition(*def)].into_iter().for_each(f)
            }
            ExprKind::Amount(a)
            | ExprKind::KindOf(a)
            | ExprKind::IsKind { card: a, .. }
            | ExprKind::Row(a)
            | ExprKind::Column(a)
            | ExprKind::CardOfPart(a)
            | ExprKind::HasAction(a)
            | ExprKind::IsCard { card: a, .. }
            | ExprKind::OfNeighbour { body: a, .. } => [Contextual, Operand(a)].into_iter().for_each(f),
            ExprKind::TallyItem { tally: def, index: a }
            | ExprKind::InSet { set: def, word: a }
            | ExprKind::Counter { card: a, counter: def }
            | ExprKind::AllKnow { card: a, field: def }
            | ExprKind::Field { card: a, field: def }
            | ExprKind::ListLen { card: a, list: def }
            | ExprKind::Rank { rank: def, by: a } => [Contextual, Definition(*def), Operand(a)].into_iter().for_each(f),
            ExprKind::FieldItem { card: a, field: def, index: b }
            | ExprKind::ListFirst { card: a, list: def, count: b }
            | ExprKind::CounterItem { card: a, counter: def, index: b } => {
                [Contextual, Definition(*def), Operand(a), Operand(b)].into_iter().for_each(f)
            }
            ExprKind::AmongChosen { option: def, value: a } => [Definition(*def), Operand(a)].into_iter().for_each(f),
            ExprKind::Distance { from: a, to: b } | ExprKind::Of { seat: a, body: b } => {
                [Contextual, Operand(a), Operand(b)].into_iter().for_each(f)
            }
            ExprKind::Way { from, to, ways } => {
                [Contextual, Operand(from), Operand(to)].into_iter().for_each(&mut *f);
                ways.each(&mut |part| f(Operand(part)));
            }
            ExprKind::Node { operands, names, .. } => {
                f(Contextual);
                names.iter().for_each(|name| f(Definition(*name)));
                operands.iter().for_each(|operand| f(Operand(operand)));
            }
            ExprKind::OverCards { cards, each, .. } => {
                cards.each(f);
                each.iter().for_each(|each| f(Operand(each)));
            }
            ExprKind::OverSpaces { cards, each, .. } => {
                cards.each(f);
                each.iter().for_each(|each| f(Operand(each)));
            }
            ExprKind::CardOf { cards, pick } => {
                cards.each(f);
                if let CardPick::Best(_, each) = pick {
                    f(Operand(each));
                }
            }
            ExprKind::SumOfBest { count, sum, .. } => [count, sum].into_iter().for_each(|part| f(Operand(part))),
            ExprKind::OverNamed { named, each, .. } => {
                match &named.domain {
                    FoldDomain::Range(from, to) => [from, to].into_iter().for_each(|bound| f(Operand(bound))),
                    FoldDomain::Words(_) => {}
                    FoldDomain::Players { .. } => f(Contextual),
                }
                named.filter.iter().for_each(|filter| f(Operand(filter)));
                each.iter().for_each(|each| f(Operand(each)));
            }
            ExprKind::OverSeats { seats, each, .. } => {
                f(Contextual);
                each.iter().for_each(|each| f(Operand(each)));
                match &seats.filter {
                    SeatFilter::All => {}
                    SeatFilter::Where(a) | SeatFilter::Named(a) | SeatFilter::Compared(_, a) => f(Operand(a)),
                }
            }
            ExprKind::Quantity { quantity: def, args } => {
                [Contextual, Definition(*def)].into_iter().for_each(&mut *f);
                args.iter().for_each(|arg| f(Operand(arg)));
            }
            ExprKind::CountTokens { tokens, pool } => {
                [Contextual, Definition(*pool)].into_iter().for_each(&mut *f);
                tokens.sort.iter().chain(&tokens.showing).for_each(|part| f(Operand(part)));
            }
        }
    }

    /// Calls `f` for this expression and all its descendants.
    pub fn walk<'e>(&'e self, f: &mut impl FnMut(ExprChild<'e>)) {
        fn visit_all<'e>(expr: &'e Expr, f: &mut dyn FnMut(ExprChild<'e>)) {
            f(ExprChild::Operand(expr));
            expr.each(&mut |below| match below {
                ExprChild::Operand(part) => visit_all(part, f),
                ExprChild::Definition(_) | ExprChild::Contextual => f(below),
            });
        }
        visit_all(self, f);
    }
}

impl Stmt {
    /// Returns the blocks directly inside a statement.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If { yes, no, .. } => [yes].into_iter().chain(no).collect(),
            StmtKind::Noting { block, .. } | StmtKind::As { block, .. } | StmtKind::Block(block) | StmtKind::Repeat { block, .. } => {
                vec![block]
            }
            StmtKind::ForWords { block, .. } | StmtKind::ForNumbers { block, .. } | StmtKind::ForCards { block, .. } => vec![block],
            StmtKind::EachPlayer { block, .. } | StmtKind::AllPlayers { block, .. } | StmtKind::RepeatUntil { block, .. } => vec![block],
            StmtKind::Ask(question) => question.choices.iter().map(|choice| &choice.body).chain(&question.otherwise).collect(),
            StmtKind::Pick(pick) => vec![&pick.block],
            StmtKind::Op { .. } | StmtKind::PayMix { .. } | StmtKind::Write { .. } | StmtKind::Do { .. } => Vec::new(),
            StmtKind::Let { .. } | StmtKind::LetRandom { .. } | StmtKind::LetChance { .. } => Vec::new(),
            StmtKind::ChangeSet { .. } | StmtKind::Clear { .. } | StmtKind::Show { .. } | StmtKind::ShowValue { .. } => Vec::new(),
            StmtKind::RemoveAll(_) | StmtKind::PutList { .. } | StmtKind::Shuffle { .. } | StmtKind::Spend(_) => Vec::new(),
            StmtKind::MoveTokens { .. } | StmtKind::MoveOne { .. } | StmtKind::LiftAll { .. } | StmtKind::LiftOne(_) => Vec::new(),
        }
    }
}

impl Expr {
    /// Returns the arguments and the index behind a player's name, as in `left.price(n)`: they have the values that they have for whoever
    /// names the player. Those of a second player's name count, too.
    pub fn arguments_behind_player(&self) -> Vec<&Expr> {
        if let ExprKind::Of { body, .. } | ExprKind::OfNeighbour { body, .. } = &self.kind {
            return body.arguments_behind_player();
        }
        if let ExprKind::TallyItem { index, .. } = &self.kind {
            return vec![index];
        }
        let (ExprKind::Define { args, .. } | ExprKind::Quantity { args, .. }) = &self.kind else { return Vec::new() };
        args.iter().collect()
    }
}

impl Rules {
    /// Finds a question by its id in the whole program.
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.blocks().into_iter().find_map(|block| find_in_block(block, id))
    }

    /// Returns the turns of all phases.
    pub(crate) fn turns(&self) -> impl Iterator<Item = &Turns> {
        let parts = self.phases.iter().flat_map(|phase| &phase.parts);
        parts.filter_map(|part| if let PhasePart::Turns(turns) = part { Some(turns) } else { None })
    }

    /// Returns the statements of set-up and phases, outside of turns.
    pub(crate) fn blocks_outside_of_turns(&self) -> impl Iterator<Item = &[Stmt]> {
        let parts = self.phases.iter().flat_map(|phase| &phase.parts);
        let of_phases = parts.filter_map(|part| match part {
            PhasePart::Do(stmt) => Some(std::slice::from_ref(stmt)),
            PhasePart::Step(step) => Some(step.block.as_slice()),
            PhasePart::Turns(_) => None,
        });
        [self.setup.as_slice()].into_iter().chain(of_phases)
    }

    /// Returns the statements of the whole program, except for those on cards.
    pub(crate) fn blocks(&self) -> Vec<&[Stmt]> {
        let effects = self.bodies.values().filter_map(|body| if let Body::Effect(_, block) = body { Some(block) } else { None });
        let around = self.turns().flat_map(|turns| turns.first.iter().chain(&turns.each).chain(&turns.after));
        let actions = self.turns().flat_map(|turns| &turns.actions).map(|action| &action.body);
        let others = self.shortages.iter().map(|shortage| &shortage.block).chain(self.leaving.iter().map(|leaving| &leaving.2));
        let others = others.chain(self.dealt.iter().map(|dealt| &dealt.1));
        effects.chain(around).chain(actions).chain(others).map(Block::as_slice).chain(self.blocks_outside_of_turns()).collect()
    }
}

fn find_in_block<'a>(block: &'a [Stmt], id: &str) -> Option<&'a Question> {
    block.iter().find_map(|stmt| {
        if let StmtKind::Ask(question) = &stmt.kind
            && question.id == id
        {
            return Some(question);
        }
        stmt.blocks().into_iter().find_map(|block| find_in_block(block, id))
    })
}

impl Cards {
    fn each<'e>(&'e self, f: &mut impl FnMut(ExprChild<'e>)) {
        f(ExprChild::Contextual);
        self.places.iter().for_each(|place| f(ExprChild::Definition(*place)));
        self.owner.iter().for_each(|owner| f(ExprChild::Operand(owner)));
        self.around.iter().for_each(|around| around.each(&mut |part| f(ExprChild::Operand(part))));
        self.filter.iter().for_each(|filter| f(ExprChild::Operand(filter)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ByTable, Fold};
    use super::*;
    use crate::source::FileId;

    #[test]
    fn all_expressions_below_one_are_walked_through() {
        let span = Span { file: FileId(0), start: 0, end: 1 };
        let local = |n| Expr { kind: ExprKind::Local(BindingId(n)), ty: Type::Number, span };
        let cards = Cards { places: vec![DefId(7)], bind: BindingId(1), filter: Some(local(2)), ..Cards::default() };
        let sum = Expr {
            kind: ExprKind::OverCards { fold: Fold::Sum, cards: Box::new(cards), each: Some(Box::new(local(3))) },
            ty: Type::Number,
            span,
        };
        let table = ByTable { entries: vec![(vec!["2".into()], sum)], otherwise: Some(Box::new(local(4))) };
        let whole = Expr { kind: ExprKind::By { option: None, table }, ty: Type::Number, span };
        let mut found = Vec::new();
        let mut named = Vec::new();
        whole.walk(&mut |below| match below {
            ExprChild::Operand(Expr { kind: ExprKind::Local(BindingId(n)), .. }) => found.push(*n),
            ExprChild::Definition(def) => named.push(def),
            ExprChild::Operand(_) | ExprChild::Contextual => {}
        });
        assert_eq!((found, named), (vec![2, 3, 4], vec![DefId(7)]));
    }
}
