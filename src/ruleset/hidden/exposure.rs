//! Whether an evaluation can read anything that some seat does not know: as far as it follows from the rules. Where it can, the game is asked.

use crate::boards::Board;
use crate::declared::Rank;
use crate::graph::{Bound, Cards, Expr, ExprId, Graph, Part, Read};
use crate::node::CardSet;
use crate::op::LOCALS;

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
}

/// What each expression of a ruleset can read of what is hidden.
#[derive(Clone, Debug, Default)]
pub struct Exposures(Box<[Exposure]>);

/// What rules declare, as far as it matters here.
#[derive(Clone, Copy)]
pub struct Declared<'r> {
    /// The expressions.
    pub graph: &'r Graph,
    /// The boards, whose spaces never move and are no secret.
    pub boards: &'r [Board],
    /// The ranks.
    pub ranks: &'r [Rank],
}

/// What is so while an expression is evaluated.
#[derive(Clone, Copy)]
pub struct Evaluated<'e> {
    /// The boards of the ruleset.
    pub boards: &'e [Board],
    /// All seats, as a bit set.
    pub everybody: i32,
    /// The locals.
    pub locals: &'e [i32; LOCALS],
}

impl Exposures {
    /// Computes them for all expressions: the operands of an expression come before it. `reads_secret` says whether one reads a hidden value.
    pub fn compute(rules: Declared<'_>, reads_secret: impl Fn(Expr) -> bool) -> Exposures {
        let mut found: Vec<Exposure> = Vec::with_capacity(rules.graph.count());
        for (_, expr) in rules.graph.all() {
            let known = |id: ExprId| found.get(id.index()).copied().unwrap_or(Exposure::ALWAYS);
            let exposure = if reads_secret(*expr) { Exposure::ALWAYS } else { exposure_of(rules, *expr, &known) };
            found.push(exposure);
        }
        Exposures(found.into())
    }

    /// Whether an expression reads only what all seats know.
    pub fn is_known_to_all(&self, expr: ExprId, evaluated: Evaluated<'_>) -> bool {
        self.0.get(expr.index()).is_some_and(|exposure| exposure.is_none(evaluated))
    }

    /// Whether all seats know which cards are in a set.
    pub fn is_set_known_to_all(&self, set: &CardSet, evaluated: Evaluated<'_>) -> bool {
        let parts = set.filter.into_iter().chain(set.within);
        let read = parts.map(|part| self.0.get(part.index()).copied().unwrap_or(Exposure::ALWAYS)).fold(Exposure::default(), Exposure::or);
        visits_spaces(evaluated.boards, &set.cards()) && Exposure { cards: read.cards & !(1 << set.local), ..read }.is_none(evaluated)
    }
}

impl Exposure {
    /// Whether nothing is read that a seat does not know.
    fn is_none(self, evaluated: Evaluated<'_>) -> bool {
        if self.always || self.vars != 0 {
            return false;
        }
        let held = |set: u16| (0..LOCALS).filter(move |local| set >> local & 1 == 1).map(|local| evaluated.locals[local]);
        held(self.unknown_to).all(|unknown| unknown & evaluated.everybody == 0)
            && held(self.cards).all(|card| card < 0 || evaluated.boards.iter().any(|board| board.space(card.into()).is_some()))
    }
}

/// Whether all cards that a loop visits are spaces, which never move and are no secret.
fn visits_spaces(boards: &[Board], cards: &Cards) -> bool {
    cards.places.iter().all(|place| boards.iter().any(|board| board.place == *place))
}

fn exposure_of(rules: Declared<'_>, expr: Expr, known: &impl Fn(ExprId) -> Exposure) -> Exposure {
    // A loop that may visit other cards than spaces may tell of them.
    let visits_others = expr.reads_any(|read| matches!(read, Read::Cards(cards) if !visits_spaces(rules.boards, rules.graph.cards(cards))));
    if visits_others {
        return Exposure::ALWAYS;
    }
    let of_part = |part: Part| match part.bound {
        Some((var, Bound::Card | Bound::Space(_))) => known(part.id).without_var(var),
        Some((_, Bound::Seat)) | None => known(part.id),
    };
    let mut found = expr.parts().map(of_part).fold(Exposure::default(), Exposure::or);
    expr.each_read(&mut |read| found = found.or(exposure_of_read(rules, read, known)));
    found
}

/// What has to be so for something that is read.
fn exposure_of_read(rules: Declared<'_>, read: Read, known: &impl Fn(ExprId) -> Exposure) -> Exposure {
    match read {
        Read::Printed(card) | Read::Counter(card, _) => exposure_of_card(rules.graph[card]),
        // Where cards lie is no secret, and hidden values were looked for before.
        Read::Whereabouts(_) | Read::Place(_) | Read::Piles(_) | Read::Order | Read::Cards(_) => Exposure::default(),
        Read::Table(_) | Read::Own(_) | Read::Tokens(_) => Exposure::default(),
        Read::Rivals(rank) => {
            rules.ranks[usize::from(rank)].rivals.iter().map(|rival| known(*rival)).fold(Exposure::default(), Exposure::or)
        }
        Read::Known(unknown_to) => {
            if let Expr::Local { local } = rules.graph[unknown_to] {
                Exposure { unknown_to: 1 << local, ..Exposure::default() }
            } else {
                Exposure::ALWAYS
            }
        }
        // Cards in play may be hidden.
        Read::Quantity(_) | Read::Changes(_) | Read::IsChanged(_) => Exposure::ALWAYS,
    }
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
