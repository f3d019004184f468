//! What lies right below an expression, and all that lies below it: the one list of what each sort of expression is about.

use super::super::defs::DefId;
use super::{Block, ByTable, Expr, ExprKind, SeatFilter, Stmt, StmtKind, TokenWord};
use crate::engine::node::Type;
use crate::source::Span;

/// What an expression is made of.
#[derive(Clone, Copy, Debug)]
pub enum Below<'e> {
    /// Another expression.
    Part(&'e Expr),
    /// A definition that it names.
    Name(DefId),
    /// It may be something else for another player, card or loop, whatever it names.
    Here,
}

impl Expr {
    /// What has been told to be wrong.
    pub fn poisoned(ty: Type, span: Span) -> Expr {
        Expr { kind: ExprKind::Poisoned, ty, span }
    }

    /// A number, a truth or a word.
    pub fn constant(value: i64, ty: Type, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(value), ty, span }
    }

    /// Calls `f` for all that lies right below this expression, what belongs to the cards and players that it goes through among
    /// it.
    pub fn each<'e>(&'e self, f: &mut impl FnMut(Below<'e>)) {
        use Below::{Here, Name, Part};
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Round | ExprKind::Turn | ExprKind::Players | ExprKind::RoundsLeft => {}
            ExprKind::Variable(def) | ExprKind::Named(def) | ExprKind::Option(def) => f(Name(*def)),
            ExprKind::Define(def, args) => {
                f(Name(*def));
                args.iter().for_each(|arg| f(Part(arg)));
            }
            ExprKind::Not(a) => f(Part(a)),
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) => [a, b].into_iter().for_each(|part| f(Part(part))),
            ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| f(Part(part))),
            ExprKind::ByPlayers(table) => table.each(f),
            ExprKind::ByOption(def, table) => {
                f(Name(*def));
                table.each(f);
            }
            ExprKind::Local(_) | ExprKind::Me | ExprKind::PlaceInOrder | ExprKind::Score(_) | ExprKind::PieceOf(_) | ExprKind::Poisoned => {
                f(Here);
            }
            ExprKind::FirstIn(def) | ExprKind::NoneIn(def) | ExprKind::LastOf(def) => [Here, Name(*def)].into_iter().for_each(f),
            ExprKind::Amount(a)
            | ExprKind::KindOf(a)
            | ExprKind::IsKind(a, _)
            | ExprKind::Row(a)
            | ExprKind::Column(a)
            | ExprKind::OwnerOf(a)
            | ExprKind::HasAction(a)
            | ExprKind::IsCard(a, _)
            | ExprKind::ShownBy(_, a) => [Here, Part(a)].into_iter().for_each(f),
            ExprKind::TallyItem(def, a)
            | ExprKind::InSet(def, a)
            | ExprKind::Counter(a, def)
            | ExprKind::Field(a, def)
            | ExprKind::ListLen(a, def)
            | ExprKind::Rank(def, a)
            | ExprKind::Shown(a, def)
            | ExprKind::Payable(a, def) => [Here, Name(*def), Part(a)].into_iter().for_each(f),
            ExprKind::FieldItem(a, def, b) | ExprKind::ListFirst(a, def, b) => [Here, Name(*def), Part(a), Part(b)].into_iter().for_each(f),
            ExprKind::AmongChosen(def, a) => [Name(*def), Part(a)].into_iter().for_each(f),
            ExprKind::OfNeighbour(_, a) => [Here, Part(a)].into_iter().for_each(f),
            ExprKind::Distance(a, b) => [Here, Part(a), Part(b)].into_iter().for_each(f),
            ExprKind::Of(a, b) => [Here, Part(a), Part(b)].into_iter().for_each(f),
            ExprKind::InPlaces(a, places) => {
                f(Here);
                places.iter().for_each(|place| f(Name(*place)));
                f(Part(a));
            }
            ExprKind::OverCards(_, cards, each) => {
                f(Here);
                cards.places.iter().for_each(|place| f(Name(*place)));
                cards.filter.iter().for_each(|filter| f(Part(filter)));
                each.iter().for_each(|each| f(Part(each)));
            }
            ExprKind::OverSeats(_, seats, each) => {
                f(Here);
                each.iter().for_each(|each| f(Part(each)));
                match &seats.filter {
                    SeatFilter::All => {}
                    SeatFilter::Where(a) | SeatFilter::Compared(_, a) => f(Part(a)),
                }
            }
            ExprKind::Quantity(def, args) => {
                [Here, Name(*def)].into_iter().for_each(&mut *f);
                args.iter().for_each(|arg| f(Part(arg)));
            }
            ExprKind::CountTokens(tokens, pool) => {
                [Here, Name(*pool)].into_iter().for_each(&mut *f);
                if let TokenWord::Local(word) = &tokens.which {
                    f(Part(word));
                }
                tokens.showing.iter().for_each(|showing| f(Part(showing)));
            }
        }
    }

    /// Calls `f` for this expression, all below it, and what they name.
    pub fn walk<'e>(&'e self, f: &mut impl FnMut(Below<'e>)) {
        fn go<'e>(expr: &'e Expr, f: &mut dyn FnMut(Below<'e>)) {
            f(Below::Part(expr));
            expr.each(&mut |below| match below {
                Below::Part(part) => go(part, f),
                Below::Name(_) | Below::Here => f(below),
            });
        }
        go(self, f);
    }
}

impl Stmt {
    /// The blocks right inside a statement.
    pub fn blocks(&self) -> Vec<&Block> {
        match &self.kind {
            StmtKind::If(_, yes, no) => [Some(yes), no.as_ref()].into_iter().flatten().collect(),
            StmtKind::Noting(_, block) => vec![block],
            StmtKind::ForWords(_, _, block) | StmtKind::ForCards(_, block) | StmtKind::Repeat(_, block) => vec![block],
            StmtKind::EachPlayer(_, _, _, block) | StmtKind::AllPlayers { block, .. } | StmtKind::RepeatUntil(_, block) => vec![block],
            StmtKind::Ask(question) => question.choices.iter().map(|choice| &choice.block).chain(&question.otherwise).collect(),
            StmtKind::Pick(pick) => vec![&pick.block],
            StmtKind::Gain(..) | StmtKind::Lose(..) | StmtKind::Pay(..) | StmtKind::PayMix(..) | StmtKind::Write(..) => Vec::new(),
            StmtKind::AddToSet(..) | StmtKind::Draw(..) | StmtKind::Fill(..) | StmtKind::RemoveAll(_) | StmtKind::Remove(_) => Vec::new(),
            StmtKind::MoveRow(..) | StmtKind::PassOn(..) | StmtKind::PutList(..) | StmtKind::PutNamed(..) => Vec::new(),
            StmtKind::PlaceInSlot(_) | StmtKind::PlaceIn(..) | StmtKind::Moment(..) | StmtKind::Do(..) | StmtKind::CardActs(_) => {
                Vec::new()
            }
            StmtKind::OrderFrom(_) | StmtKind::PlaceAt(..) | StmtKind::Shuffle(..) | StmtKind::Swap(..) => Vec::new(),
            StmtKind::OrderBy(_)
            | StmtKind::OrderRandom
            | StmtKind::Take(..)
            | StmtKind::TakeAtRandom(..)
            | StmtKind::MoveAll(..)
            | StmtKind::MoveOne(..) => Vec::new(),
            StmtKind::LiftAll(..) | StmtKind::LiftOne(_) | StmtKind::Roll(_) | StmtKind::Spend(_) => Vec::new(),
        }
    }
}

impl ByTable {
    fn each<'e>(&'e self, f: &mut impl FnMut(Below<'e>)) {
        let all = self.entries.iter().map(|entry| &entry.1).chain(self.otherwise.as_deref());
        all.for_each(|value| f(Below::Part(value)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Bind, Cards, Fold};
    use super::*;
    use crate::source::FileId;

    #[test]
    fn all_expressions_below_one_are_walked_through() {
        let span = Span { file: FileId(0), start: 0, end: 1 };
        let local = |n| Expr { kind: ExprKind::Local(Bind(n)), ty: Type::Number, span };
        let cards =
            Cards { places: vec![DefId(7)], everybody: false, kind: None, rows: 0, bind: Bind(1), with: None, filter: Some(local(2)) };
        let sum = Expr { kind: ExprKind::OverCards(Fold::Sum, Box::new(cards), Some(Box::new(local(3)))), ty: Type::Number, span };
        let table = ByTable { entries: vec![(vec!["2".into()], sum)], otherwise: Some(Box::new(local(4))) };
        let whole = Expr { kind: ExprKind::ByPlayers(table), ty: Type::Number, span };
        let mut found = Vec::new();
        let mut named = Vec::new();
        whole.walk(&mut |below| match below {
            Below::Part(Expr { kind: ExprKind::Local(Bind(n)), .. }) => found.push(*n),
            Below::Name(def) => named.push(def),
            Below::Part(_) | Below::Here => {}
        });
        assert_eq!((found, named), (vec![2, 3, 4], vec![DefId(7)]));
    }
}
