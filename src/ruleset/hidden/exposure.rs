//! Whether an evaluation can read anything that some seat does not know: as far as it follows from the rules. Where it can, the game is asked.

use super::values::reads_secret;
use crate::graph::{Bound, Expr, ExprId, Part, Read};
use crate::node::CardSet;
use crate::op::LOCALS;
use crate::ruleset::Ruleset;

/// What has to be so that an expression reads nothing that a seat does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Exposure {
    /// Nothing helps: it may read what is hidden.
    always: bool,
    /// Variables that must hold spaces, as a bit set.
    vars: u16,
    /// Locals that must hold spaces or no card, as a bit set.
    cards: u16,
    /// Locals that say which seats do not know a value, as a bit set.
    unknown_to: u16,
}

impl Exposure {
    const ALWAYS: Exposure = Exposure { always: true, vars: 0, cards: 0, unknown_to: 0 };

    fn or(self, other: Exposure) -> Exposure {
        Exposure {
            always: self.always || other.always,
            vars: self.vars | other.vars,
            cards: self.cards | other.cards,
            unknown_to: self.unknown_to | other.unknown_to,
        }
    }

    /// The same without a variable, which holds spaces.
    fn without_var(self, var: u8) -> Exposure {
        Exposure { vars: self.vars & !(1 << var), ..self }
    }

    /// Whether nothing is read that a seat does not know.
    fn is_none(self, rules: &Ruleset, locals: &[i32; LOCALS]) -> bool {
        if self.always || self.vars != 0 {
            return false;
        }
        let held = |set: u16| (0..LOCALS).filter(move |local| set >> local & 1 == 1).map(|local| locals[local]);
        held(self.unknown_to).all(|unknown| unknown & rules.everybody() == 0)
            && held(self.cards).all(|card| card < 0 || rules.boards.iter().any(|board| board.space(card.into()).is_some()))
    }
}

/// What each expression of a ruleset can read of what is hidden.
#[derive(Clone, Debug, Default)]
pub struct Exposures(Vec<Exposure>);

impl Exposures {
    /// Computes them for all expressions: the operands of an expression come before it.
    pub(super) fn compute(rules: &Ruleset) -> Exposures {
        let mut found = Exposures(Vec::with_capacity(rules.graph.count()));
        for (_, expr) in rules.graph.all() {
            let exposure = if reads_secret(rules, *expr) { Exposure::ALWAYS } else { found.of_expr(rules, *expr) };
            found.0.push(exposure);
        }
        found
    }

    /// Whether an expression reads only what all seats know, with these locals.
    pub fn is_known_to_all(&self, rules: &Ruleset, expr: ExprId, locals: &[i32; LOCALS]) -> bool {
        self.of(expr).is_none(rules, locals)
    }

    /// Whether all seats know which cards are in a set, with these locals.
    pub fn is_set_known_to_all(&self, rules: &Ruleset, set: &CardSet, locals: &[i32; LOCALS]) -> bool {
        let parts = set.filter.into_iter().chain(set.within);
        let read = parts.map(|part| self.of(part)).fold(Exposure::default(), Exposure::or);
        visits_spaces(rules, &set.cards.places) && Exposure { cards: read.cards & !(1 << set.local), ..read }.is_none(rules, locals)
    }

    fn of(&self, expr: ExprId) -> Exposure {
        self.0.get(expr.index()).copied().unwrap_or(Exposure::ALWAYS)
    }

    fn of_expr(&self, rules: &Ruleset, expr: Expr) -> Exposure {
        let of_part = |part: Part| match part.bound {
            Some((var, Bound::Card | Bound::Space(_))) => self.of(part.id).without_var(var),
            Some((_, Bound::Seat)) | None => self.of(part.id),
        };
        let mut found = expr.parts().map(of_part).fold(Exposure::default(), Exposure::or);
        expr.each_read(&mut |read| found = found.or(self.of_read(rules, read)));
        found
    }

    /// What has to be so for something that is read.
    fn of_read(&self, rules: &Ruleset, read: Read) -> Exposure {
        match read {
            Read::Printed(card) | Read::Counter(card, _) => exposure_of_card(rules.graph[card]),
            // Where cards lie is no secret, and hidden values were looked for before.
            Read::Whereabouts(_) | Read::Place(_) | Read::Piles(_) | Read::Order => Exposure::default(),
            Read::Table(_) | Read::Own(_) | Read::Tokens(_) => Exposure::default(),
            Read::Cards(cards) if visits_spaces(rules, &rules.graph.cards(cards).places) => Exposure::default(),
            Read::Rivals(rank) => {
                let rivals = rules.ranks[usize::from(rank)].rivals.iter();
                rivals.map(|rival| self.of(*rival)).fold(Exposure::default(), Exposure::or)
            }
            Read::Known(unknown_to) if let Expr::Local { local } = rules.graph[unknown_to] => {
                Exposure { unknown_to: 1 << local, ..Exposure::default() }
            }
            // Cards in play may be hidden, and a loop that may visit other cards than spaces may tell of them.
            Read::Cards(_) | Read::Known(_) | Read::Quantity(_) | Read::Changes(_) | Read::IsChanged(_) => Exposure::ALWAYS,
        }
    }
}

/// Whether the cards in these places are spaces, which never move and are no secret.
fn visits_spaces(rules: &Ruleset, places: &[u16]) -> bool {
    places.iter().all(|place| rules.boards.iter().any(|board| board.place == *place))
}

/// What must be so for a card on which something is read.
fn exposure_of_card(card: Expr) -> Exposure {
    if let Expr::Var { var } = card {
        Exposure { vars: 1 << var, ..Exposure::default() }
    } else if let Expr::Local { local } = card {
        Exposure { cards: 1 << local, ..Exposure::default() }
    } else if let Expr::SpaceIn { .. } = card {
        Exposure::default()
    } else {
        Exposure::ALWAYS
    }
}
