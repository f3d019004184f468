//! Players as values: names that begin with a player, the players that words name, and statements that act for another player.

use super::super::defs::{DefId, DefKind, Owner, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, Whose};
use super::super::typed::{Expr, ExprKind, Neighbour, ShownTo, StmtKind, Target};
use super::names::rest_of_name;
use super::{Checker, Scope};
use crate::engine::node::Type;
use crate::engine::op::{Op, Viewers};
use crate::engine::ruleset::VariableSort;
use crate::source::Span;

/// The value that stands for no player.
const NOBODY: i64 = -1;

impl Checker<'_> {
    /// Splits `target.wisp` into the player that the local name `target` holds, and `wisp`; also `me.wisp`. A parameter of which nothing is
    /// known yet is a player if what follows is something that players have and cards have not.
    pub(super) fn split_player<'w>(&mut self, word: &'w str, span: Span, scope: &Scope) -> Option<(Expr, &'w str)> {
        let (head, rest) = word.split_once('.')?;
        let player = |kind| Expr { kind, ty: Type::Seat, span };
        if let Some((bind, ty)) = scope.find(head) {
            let known = self.types.resolve(ty);
            let is_player = known == Type::Seat || matches!(known, Type::Open(_)) && self.is_of_players(rest);
            if !is_player {
                return None;
            }
            self.types.fits(ty, &[Type::Seat], span);
            return Some((player(ExprKind::Local(bind)), rest));
        }
        let taken = || [head, word].iter().any(|name| self.rules.defs.find(Space::Value, name).is_some());
        (head == "me" && !taken()).then(|| (player(ExprKind::Me), rest))
    }

    /// Splits a name that begins with any player: a local name, `me`, `left`, `right` or `first`.
    pub(super) fn split_owner<'w>(&mut self, word: &'w str, span: Span, scope: &Scope) -> Option<(Expr, &'w str)> {
        if let Some(found) = self.split_player(word, span, scope) {
            return Some(found);
        }
        let (who, rest) = self.split_neighbour(word, scope)?;
        Some((neighbour(who, span), rest))
    }

    /// Returns the player that a word names by itself: `left`, `right`, `first`, or `nobody`.
    pub(super) fn player_word(&self, word: &str, span: Span) -> Option<Expr> {
        if word == "nobody" {
            return Some(Expr::constant(NOBODY, Type::Seat, span));
        }
        Neighbour::of_word(word).map(|who| neighbour(who, span))
    }

    /// Whether a name is that of something which players have, and cards have not.
    fn is_of_players(&self, name: &str) -> bool {
        let first = name.split('.').next().unwrap_or(name);
        let defs = &self.rules.defs;
        let of_cards = [Space::Counter, Space::Field, Space::List, Space::Row].iter().any(|space| defs.find_declared(*space, first).is_some());
        let of_players = defs.find_declared(Space::Value, first).is_some_and(|def| match &defs[def].kind {
            DefKind::Variable { owner, .. } => *owner == Owner::Player,
            DefKind::Place { of_seat, .. } => *of_seat,
            DefKind::Option(option) => option.each_player,
            DefKind::Quantity { .. } | DefKind::Define | DefKind::Condition | DefKind::Standing | DefKind::Pool(_) => true,
            DefKind::Constant
            | DefKind::Zone(_)
            | DefKind::Kind(_)
            | DefKind::Field(_)
            | DefKind::Symbol(_)
            | DefKind::Token(_)
            | DefKind::TokenKind(_)
            | DefKind::RowWord(_)
            | DefKind::Rank(_)
            | DefKind::Effect(_) => false,
            DefKind::Moment(_)
            | DefKind::Loss(_)
            | DefKind::Action
            | DefKind::Phase
            | DefKind::Step
            | DefKind::Card(_)
            | DefKind::Broken => false,
        });
        of_players && !of_cards && first != "kind"
    }

    /// Resolves the name of a place, perhaps of a certain player: `yard`, `target.yard`.
    pub(super) fn resolve_owned_place(&mut self, name: &Name, scope: &Scope) -> Option<(Option<Expr>, DefId)> {
        let Some((player, rest)) = self.split_owner(&name.text, name.span, scope) else {
            return Some((None, self.resolve_place(name)?));
        };
        let name = rest_of_name(name, rest);
        let place = self.resolve_place(&name)?;
        if !matches!(self.rules.defs[place].kind, DefKind::Place { of_seat: true, .. }) {
            self.report(RuleProblem::OfNoPlayer { name: name.text.clone() }.at(name.span));
            return None;
        }
        Some((Some(player), place))
    }

    /// Resolves what is written to behind a player: `target.dens += 1`. Returns the target, and whether it is a flag.
    pub(super) fn resolve_target_of(&mut self, player: Expr, name: &Name, whole: &str) -> Option<(Target, bool)> {
        let (word, span) = (&name.text, name.span);
        let Some(variable) = self.rules.defs.find_for_write(Space::Value, word) else {
            self.report_unknown(word, span, "a counter of a player", &[Space::Value]);
            return None;
        };
        let what = &self.rules.defs[variable].kind;
        let (sort, owner) = match what {
            DefKind::Variable { sort, owner, .. } => (*sort, *owner),
            DefKind::Broken => return None,
            other => {
                let what = other.describe();
                self.report(RuleProblem::CannotWrite { name: word.clone(), what, help: None }.at(span));
                return None;
            }
        };
        if owner != Owner::Player {
            self.report(RuleProblem::OfNoPlayer { name: word.clone() }.at(span));
            return None;
        }
        match sort {
            VariableSort::Counter | VariableSort::Flag => {
                Some((Target::OfPlayer { player, variable, index: None }, sort == VariableSort::Flag))
            }
            VariableSort::Resource => {
                let player = whole.split('.').next().unwrap_or(whole).to_string();
                self.report(RuleProblem::ResourceOfPlayer { player, name: word.clone() }.at(span));
                None
            }
            VariableSort::Set | VariableSort::Tally => {
                self.report(RuleProblem::SeveralValues { name: word.clone(), write: Some(format!("write `{whole}[…]`")) }.at(span));
                None
            }
        }
    }

    /// Checks `show CARDS to …`: cards of some place, or a single card; to all players, to all others, or to one.
    pub(super) fn check_show(
        &mut self,
        cards: &ast::Cards,
        (all, others, one): (bool, bool, Option<&ast::Expr>),
        scope: &mut Scope,
    ) -> Option<StmtKind> {
        let one = one.map(|one| self.check_expr(one, scope, &[Type::Seat]));
        if scope.find(&cards.name.text).is_some() && cards.whose == Whose::Unsaid {
            if let Some(more) = cards.filter.as_ref().map(|more| more.span).or(cards.with.as_ref().map(|with| with.span)) {
                self.report(RuleProblem::OneCard { name: cards.name.text.clone() }.at(more));
            }
            let card = self.resolve_card(&cards.name.text, cards.name.span, scope)?;
            return Some(match one {
                Some(one) => StmtKind::op([card, one], |[card, one]| Op::ShowCard { card, to: Viewers::Seat(one) }),
                None => StmtKind::op([card], |[card]| Op::ShowCard { card, to: if others { Viewers::Others } else { Viewers::All } }),
            });
        }
        let bind = self.bind(scope, "card", Type::Card);
        let cards = self.check_cards(cards, scope, "card", bind)?;
        let to = match one {
            Some(one) => ShownTo::One(one),
            None if all => ShownTo::All,
            None => ShownTo::Others,
        };
        Some(StmtKind::Show { cards, to })
    }
}

/// Wraps an expression so that it is evaluated for a player.
pub(super) fn of_player(player: Expr, body: Expr, span: Span) -> Expr {
    Expr { ty: body.ty, kind: ExprKind::Of { seat: Box::new(player), body: Box::new(body) }, span }
}

/// Creates the expression for a neighbour of the current player.
fn neighbour(who: Neighbour, span: Span) -> Expr {
    let me = Expr { kind: ExprKind::Me, ty: Type::Seat, span };
    Expr { kind: ExprKind::OfNeighbour { who, body: Box::new(me) }, ty: Type::Seat, span }
}
