//! A walk over the typed tree of an expression, which takes it apart where it stands in the rules or on a card. Each value is worked
//! out by the engine from the lowered expression; how parts make it is what the rules say.

use crate::cast;
use crate::speech;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::explanation::{Explanation, How, Role};
use super::words::Words;
use crate::engine::Game;
use crate::engine::eval::Env;
use crate::engine::graph::Expr as Made;
use crate::engine::inspect::with_snapshot_view;
use crate::engine::ruleset::{How as Changing, NodeId, PlayerSet, Ruleset};
use crate::lang::defs::{DefId, DefKind};
use crate::lang::lower::{Env as Bound, Lowerer};
use crate::lang::typed::{Binary, Bind, Body, Cards, Entries, Expr, ExprKind, Fold, Neighbour, Rules, SeatFilter, Seats};
use crate::source::Span;

/// More parts than these are not taken apart any further.
const MOST_PARTS: usize = 20_000;

/// What a parameter stands for: an expression, where it stands, and for whom it was named there.
type Argument<'a> = (Bind, &'a Expr, Rc<Scope<'a>>, Env);

/// What names stand for at a place of the rules.
#[derive(Clone, Default)]
pub(super) struct Scope<'a> {
    /// What they are bound to.
    pub bound: Bound,
    /// Parameters that stand for expressions, with where those stand.
    args: Vec<Argument<'a>>,
}

impl<'a> Scope<'a> {
    /// What is bound, and no parameters.
    pub fn of(bound: Bound) -> Scope<'a> {
        Scope { bound, args: Vec::new() }
    }
}

/// Takes expressions apart, as a game stands.
pub(super) struct Walk<'a> {
    pub tree: &'a Rules,
    pub entries: &'a Entries,
    pub words: Words<'a>,
    pub low: Lowerer<'a>,
    pub game: Game,
    /// How many parts there are by now.
    pub parts: usize,
    /// What has been lowered: an expression is named again for each card that is gone through.
    pub known: Known,
    /// The seat to which it is explained, if anything is hidden from it.
    pub eyes: Option<usize>,
    /// Told in the end whether anything was read that this seat does not know.
    pub read_hidden: &'a Cell<bool>,
}

impl Drop for Walk<'_> {
    fn drop(&mut self) {
        self.read_hidden.set(self.read_hidden.get() | self.game.take_read_hidden());
    }
}

/// What has been lowered once, by the address of what is written and by what names are bound to there.
#[derive(Default)]
pub(super) struct Known {
    nodes: BTreeMap<(*const Expr, Bound), NodeId>,
    /// Cards that are gone through: the set, and what names are bound to inside.
    cards: BTreeMap<(*const Cards, Bound), (u32, Bound)>,
    /// The like of players.
    seats: BTreeMap<(*const Seats, Bound), (PlayerSet, Bound)>,
}

impl<'a> Walk<'a> {
    pub fn rules(&self) -> &Ruleset {
        self.low.out
    }

    /// Whether this is explained to a seat that does not know the card.
    pub fn is_unseen(&self, card: usize) -> bool {
        self.eyes.is_some_and(|seat| !self.game.position(self.low.out).knows(seat, card))
    }

    /// The value of an expression; `None` where a number is too large or divided by 0.
    pub fn value(&mut self, expr: &Expr, scope: &Scope<'a>, run: &Env) -> Option<i64> {
        let node = self.node(expr, &scope.bound);
        if self.low.is_exhausted() {
            return None;
        }
        self.game.on(self.low.out).plain_value(node, run)
    }

    fn node(&mut self, expr: &Expr, bound: &Bound) -> NodeId {
        let key = (std::ptr::from_ref(expr), bound.clone());
        if let Some(&known) = self.known.nodes.get(&key) {
            return known;
        }
        let node = self.low.expr(expr, &mut bound.clone());
        self.known.nodes.insert(key, node);
        node
    }

    /// Where the value of an expression comes from.
    pub fn explain(&mut self, expr: &'a Expr, scope: &Scope<'a>, run: &Env) -> Option<Explanation> {
        self.parts += 1;
        if let ExprKind::Local(bind) = &expr.kind
            && let Some((_, arg, there, asker)) = scope.args.iter().rev().find(|arg| arg.0 == *bind).cloned()
        {
            return self.explain(arg, &there, &asker);
        }
        let value = self.value(expr, scope, run)?;
        let of_all = |how, parts| Some((how, parts));
        let made = match &expr.kind {
            _ if self.parts > MOST_PARTS => None,
            ExprKind::Const(_) | ExprKind::Option(_) | ExprKind::AmongChosen(..) => of_all(How::Written, Vec::new()),
            ExprKind::Field(..) | ExprKind::FieldItem(..) | ExprKind::ListLen(..) | ExprKind::ListFirst(..) => {
                of_all(How::Written, Vec::new())
            }
            ExprKind::Local(_) | ExprKind::Me | ExprKind::Round | ExprKind::Turn | ExprKind::Players | ExprKind::PlaceInOrder => None,
            ExprKind::Variable(_) | ExprKind::TallyItem(..) | ExprKind::Amount(_) | ExprKind::InSet(..) | ExprKind::Counter(..) => None,
            ExprKind::KindOf(_) | ExprKind::IsKind(..) | ExprKind::InPlaces(..) | ExprKind::FirstIn(_) | ExprKind::NoneIn(_) => None,
            ExprKind::Row(_) | ExprKind::Column(_) | ExprKind::Distance(..) | ExprKind::OwnerOf(_) | ExprKind::HasAction(_) => None,
            ExprKind::IsCard(..) | ExprKind::PieceOf(_) | ExprKind::CountTokens(..) | ExprKind::Shown(..) | ExprKind::Payable(..) => None,
            ExprKind::ShownBy(..) | ExprKind::Poisoned => None,
            ExprKind::RoundsLeft => self.rounds_left(scope, run),
            ExprKind::Score(row) => {
                self.score(*row, scope, run).map(|rows| if row.is_some() { (How::Same, rows) } else { (How::Sum, rows) })
            }
            ExprKind::Not(inner) => of_all(How::Not, vec![self.explain(inner, scope, run)?]),
            ExprKind::Binary(..) if is_constant(expr) => of_all(How::Written, Vec::new()),
            // `needs NAME if CONDITION: …` asks for nothing where the condition does not hold.
            ExprKind::Binary(Binary::Or, first, rest) if first.span == expr.span && matches!(first.kind, ExprKind::Not(_)) => {
                let ExprKind::Not(condition) = &first.kind else { return None };
                let when = self.explain(condition, scope, run)?.as_a(Role::When);
                let nothing =
                    Explanation { what: "nothing is needed otherwise".into(), value: 1, says: "yes".into(), ..given(How::Written) };
                let then = if when.is_false() { nothing } else { self.explain(rest, scope, run)? };
                of_all(How::If, vec![when, then.as_a(Role::Then)])
            }
            ExprKind::Binary(how, a, b) => self.binary(expr, *how, a, b, scope, run),
            // `x is there`: what it is compared with stands nowhere.
            ExprKind::Compare(_, a, b) if [a, b].into_iter().any(|side| side.span == expr.span) => None,
            ExprKind::Compare(how, a, b) => of_all(How::Compare(*how), vec![self.explain(a, scope, run)?, self.explain(b, scope, run)?]),
            ExprKind::If(condition, yes, no) => {
                let when = self.explain(condition, scope, run)?.as_a(Role::When);
                let taken = self.explain(if when.is_false() { no } else { yes }, scope, run)?.as_a(Role::Then);
                of_all(How::If, vec![when, taken])
            }
            ExprKind::OverCards(fold, cards, each) => self.over_cards(*fold, cards, each.as_deref(), (expr.span, scope), run),
            ExprKind::OverSeats(fold, seats, each) => self.over_seats(*fold, seats, each.as_deref(), (expr.span, scope), run),
            ExprKind::Quantity(def, args) => {
                let mut values = [-1; 2];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = i32::try_from(self.value(arg, scope, run)?).ok()?;
                }
                let mut told = self.quantity(*def, values, run.me)?;
                told.what = self.words.slice(expr.span);
                told.at = self.words.place_of(self.tree, *def).or(told.at);
                return Some(told);
            }
            ExprKind::Define(def, args) => self.define(*def, args, scope, run).map(|body| (How::Same, vec![body])),
            ExprKind::Named(def) => self.named(*def, scope, run).map(|body| (How::Same, vec![body])),
            ExprKind::Rank(def, by) => self.rank(*def, by, scope, run),
            ExprKind::ByPlayers(table) => {
                let key = self.low.chosen.players.to_string();
                let entry = table.entries.iter().find(|entry| entry.0.contains(&key)).map(|entry| &entry.1);
                self.same(entry.or(table.otherwise.as_deref()), scope, run)
            }
            ExprKind::ByOption(def, table) => {
                let key = self.chosen_of(*def, run.me)?;
                let entry = table.entries.iter().find(|entry| entry.0.contains(&key)).map(|entry| &entry.1);
                self.same(entry.or(table.otherwise.as_deref()), scope, run)
            }
            ExprKind::LastOf(def) => {
                let now = self.named(*def, scope, run)?;
                let mut later = self.low.next_round(&scope.bound);
                let node = self.low.name(*def, &mut later);
                let then = self.game.on(self.low.out).plain_value(node, run)?;
                let then =
                    Explanation { what: "the same in the next round".into(), value: then, says: then.to_string(), ..given(How::Stands) };
                of_all(How::Compare(crate::compare::Compare::Unequal), vec![now, then])
            }
            ExprKind::OfNeighbour(who, body) => {
                let me = self.neighbour(*who, run.me);
                let part = self.explain(body, scope, &Env { me, ..*run })?;
                of_all(How::Same, vec![Explanation { what: format!("p{}: {}", me + 1, part.what), ..part }])
            }
            ExprKind::Of(seat, body) => match usize::try_from(self.value(seat, scope, run)?) {
                Ok(me) if me < self.rules().players => of_all(How::Same, vec![self.explain(body, scope, &Env { me, ..*run })?]),
                _ => None,
            },
        };
        let (how, parts) = made.unwrap_or((How::Stands, Vec::new()));
        let (what, at) = self.told(expr, scope, run);
        Some(Explanation { what, at, value, says: self.says(expr.ty, value), how, role: Role::Part, parts })
    }

    fn same(&mut self, part: Option<&'a Expr>, scope: &Scope<'a>, run: &Env) -> Option<(How, Vec<Explanation>)> {
        Some((How::Same, vec![self.explain(part?, scope, run)?]))
    }

    // ------------------------------------------------------------------ arithmetic

    fn binary(
        &mut self,
        whole: &'a Expr,
        how: Binary,
        a: &'a Expr,
        b: &'a Expr,
        scope: &Scope<'a>,
        run: &Env,
    ) -> Option<(How, Vec<Explanation>)> {
        let joined = match how {
            Binary::Add | Binary::Sub => {
                let mut terms = Vec::new();
                terms_of(whole, false, &mut terms);
                let parts = terms.into_iter().map(|(term, minus)| {
                    let role = if minus { Role::Minus } else { Role::Part };
                    Some(self.explain(term, scope, run)?.as_a(role))
                });
                return Some((How::Sum, parts.collect::<Option<_>>()?));
            }
            Binary::Div => return Some((How::Quotient, vec![self.explain(a, scope, run)?, self.explain(b, scope, run)?])),
            Binary::Mul => How::Product,
            Binary::Min => How::Lowest,
            Binary::Max => How::Highest,
            Binary::And => How::All,
            Binary::Or => How::Any,
        };
        let mut operands = Vec::new();
        operands_of(whole, how, &mut operands);
        let mut parts = Vec::new();
        for operand in operands {
            // What stands behind one that settles it is not looked at in a game, and may have no value.
            let settled = |parts: &[Explanation]| match joined {
                How::All => parts.iter().any(Explanation::is_false),
                How::Any => !parts.iter().all(Explanation::is_false),
                _ => false,
            };
            match self.explain(operand, scope, run) {
                Some(part) => parts.push(part),
                None if settled(&parts) => {}
                None => return None,
            }
        }
        Some((joined, parts))
    }

    fn rounds_left(&mut self, scope: &Scope<'a>, run: &Env) -> Option<(How, Vec<Explanation>)> {
        if scope.bound.is_of_another_round() {
            return None;
        }
        let tree = self.tree;
        let rounds = match &tree.rounds {
            Some(rounds) => self.explain(rounds, scope, run)?,
            None => Explanation { what: "rounds".into(), ..given(How::Written) },
        };
        let round = i64::from(self.game.round());
        let now = Explanation { what: "round".into(), value: round, says: round.to_string(), role: Role::Minus, ..given(How::Stands) };
        Some((How::Sum, vec![rounds, now]))
    }

    /// Rows of the score, or one.
    pub fn score(&mut self, row: Option<usize>, scope: &Scope<'a>, run: &Env) -> Option<Vec<Explanation>> {
        let tree = self.tree;
        let rows = tree.score.iter().enumerate().filter(|(at, _)| row.is_none_or(|row| row == *at));
        rows.map(|(_, (name, value))| {
            let part = self.explain(value, scope, run)?;
            Some(self.around(format!("\"{name}\""), self.words.place(value.span), part))
        })
        .collect()
    }

    /// Something with a name, which is what its part is.
    pub fn around(&self, what: String, at: Option<String>, part: Explanation) -> Explanation {
        let (value, says) = (part.value, part.says.clone());
        Explanation { what, at, value, says, how: How::Same, role: Role::Part, parts: vec![Explanation { role: Role::Part, ..part }] }
    }

    // ------------------------------------------------------------------ cards and players

    fn over_cards(
        &mut self,
        fold: Fold,
        cards: &'a Cards,
        each: Option<&'a Expr>,
        (span, scope): (Span, &Scope<'a>),
        run: &Env,
    ) -> Option<(How, Vec<Explanation>)> {
        let low = &mut self.low;
        let known = self.known.cards.entry((std::ptr::from_ref(cards), scope.bound.clone())).or_insert_with(|| {
            let mut bound = scope.bound.clone();
            (low.cards(cards, &mut bound, span), bound)
        });
        let (set, inner) = (known.0, Scope { bound: known.1.clone(), ..scope.clone() });
        let local = self.rules().sets[set as usize].local as usize;
        let there = self.game.on(self.low.out).plain_cards(set, run)?;
        let mut parts = Vec::new();
        for card in there {
            let mut run = *run;
            run.locals[local] = card;
            let (name, at) = self.words.card(self.rules(), cast::index(card));
            parts.push(match each {
                Some(each) => {
                    let part = self.explain(each, &inner, &run)?;
                    self.around(name, at, part)
                }
                None => Explanation { what: name, at, value: 1, says: "1".into(), ..given(How::Stands) },
            });
        }
        Some((how_of(fold), parts))
    }

    fn over_seats(
        &mut self,
        fold: Fold,
        seats: &'a Seats,
        each: Option<&'a Expr>,
        (span, scope): (Span, &Scope<'a>),
        run: &Env,
    ) -> Option<(How, Vec<Explanation>)> {
        let low = &mut self.low;
        let known = self.known.seats.entry((std::ptr::from_ref(seats), scope.bound.clone())).or_insert_with(|| {
            let mut bound = scope.bound.clone();
            (low.seats(seats, &mut bound, span), bound)
        });
        let (set, inner) = (known.0.clone(), Scope { bound: known.1.clone(), ..scope.clone() });
        let asker = run.me;
        let mut parts = Vec::new();
        for me in (0..self.rules().players).filter(|&seat| !set.others || seat != asker) {
            let mut run = Env { me, ..*run };
            run.locals[set.local as usize] = cast::fit::<i32>(asker);
            if let Some(filter) = set.filter
                && self.game.on(self.low.out).plain_value(filter, &run)? == 0
            {
                continue;
            }
            let name = format!("p{}", me + 1);
            parts.push(match (each, &seats.filter) {
                (Some(each), _) => {
                    let part = self.explain(each, &inner, &run)?;
                    self.around(name, None, part)
                }
                (None, SeatFilter::Where(by) | SeatFilter::Compared(_, by)) => {
                    let why = self.explain(by, &inner, &run)?.as_a(Role::When);
                    let one = Explanation { what: "counts".into(), value: 1, says: "1".into(), ..given(How::Stands) };
                    Explanation { parts: vec![one, why], what: name, value: 1, says: "1".into(), ..given(How::Same) }
                }
                (None, SeatFilter::All) => Explanation { what: name, value: 1, says: "1".into(), ..given(How::Stands) },
            });
        }
        // Of players there is no median.
        let how = if fold == Fold::Median { How::Lowest } else { how_of(fold) };
        if matches!(fold, Fold::Count | Fold::Any) {
            for rival in self.low.rivals_compared(seats, &mut scope.bound.clone()) {
                let value = self.game.on(self.low.out).plain_value(rival, run)?;
                parts.push(Explanation { what: "a rival without a seat".into(), value, says: value.to_string(), ..given(How::Stands) });
            }
        }
        Some((how, parts))
    }

    fn rank(&mut self, def: DefId, by: &'a Expr, scope: &Scope<'a>, run: &Env) -> Option<(How, Vec<Explanation>)> {
        let tree = self.tree;
        let DefKind::Rank(index) = tree.defs[def].what else { return None };
        let Some(Body::Rank(declared)) = tree.bodies.get(&def) else { return None };
        let leaders = self.explain(&declared.leaders, &Scope::of(Bound::from(1)), run)?;
        let mut parts = vec![self.around("so many count".into(), leaders.at.clone(), leaders).as_a(Role::Leaders)];
        with_snapshot_view(
            self,
            |walk| &mut walk.game,
            |walk| {
                for me in 0..walk.rules().players {
                    let role = if me == run.me { Role::Mine } else { Role::Theirs };
                    let part = walk.explain(by, scope, &Env { me, ..*run })?;
                    parts.push(walk.around(format!("p{}", me + 1), None, part).as_a(role));
                }
                let index = walk.low.rank_with_rivals(index, by);
                for rival in walk.rules().ranks[index as usize].rivals.clone() {
                    let value = walk.game.on(walk.low.out).plain_value(rival, run)?;
                    let rival = Explanation { what: "a rival without a seat".into(), value, says: value.to_string(), ..given(How::Stands) };
                    parts.push(rival.as_a(Role::Theirs));
                }
                Some(())
            },
        )?;
        Some((How::Rank { top: declared.top, ties_in: declared.ties_in }, parts))
    }

    fn neighbour(&self, who: Neighbour, me: usize) -> usize {
        let order = speech::order_as_seen(self.low.out, &self.game);
        let at = order.iter().position(|&seat| seat == me).unwrap_or(0);
        order[match who {
            Neighbour::First => 0,
            Neighbour::Left => (at + 1) % order.len(),
            Neighbour::Right => (at + order.len() - 1) % order.len(),
        }]
    }

    // ------------------------------------------------------------------ names

    /// What a definition with arguments comes to: they are read where it is named.
    fn define(&mut self, def: DefId, args: &'a [Expr], scope: &Scope<'a>, run: &Env) -> Option<Explanation> {
        let tree = self.tree;
        let Some(Body::Value(params, body)) = tree.bodies.get(&def) else { return None };
        if args.is_empty() {
            return self.named(def, scope, run);
        }
        let mut there = Scope::of(scope.bound.within());
        let here = Rc::new(scope.clone());
        for (param, arg) in params.iter().zip(args) {
            let mut node = self.node(arg, &scope.bound);
            // Whoever is spoken of inside, it is what it is for the one who is spoken of here.
            if !matches!(self.rules().graph[node], Made::Local { .. } | Made::Const { .. })
                && let Some(value) = self.game.on(self.low.out).plain_value(node, run)
            {
                node = self.low.number(value);
            }
            there.bound.bind_to(param.bind, node);
            there.args.push((param.bind, arg, Rc::clone(&here), *run));
        }
        self.explain(body, &there, run)
    }

    fn named(&mut self, def: DefId, scope: &Scope<'a>, run: &Env) -> Option<Explanation> {
        let tree = self.tree;
        match tree.bodies.get(&def) {
            Some(Body::Value(_, body)) => self.explain(body, &Scope::of(scope.bound.within_closed()), run),
            _ => None,
        }
    }

    /// What is chosen of an option, for everybody or for a seat.
    fn chosen_of(&self, def: DefId, me: usize) -> Option<String> {
        let DefKind::Option(option) = &self.tree.defs[def].what else { return None };
        if !option.each_player {
            return Some(self.low.chosen.first(def).to_string());
        }
        let rules = self.rules();
        let number = i64::from(self.game.cells()[rules.layout.seat(me, self.low.slots.offset(def) as usize)]);
        let known = |value: &&String| crate::lang::setup::number_of(option, value).map(i64::from) == Some(number);
        option.values.iter().find(known).or(option.values.last()).cloned()
    }

    // ------------------------------------------------------------------ quantities

    /// A quantity of a seat: what it is by the rules, what differs for a while, what cards change, and its bounds.
    pub fn quantity(&mut self, def: DefId, args: [i32; 2], me: usize) -> Option<Explanation> {
        let tree = self.tree;
        let DefKind::Quantity { index, .. } = tree.defs[def].what else { return None };
        let value = self.game.on(self.low.out).plain_quantity(index, me, args)?;
        let run = Env::with(me, &[-1, args[0], args[1]]);
        let body = if let Some(Body::Quantity(quantity)) = tree.bodies.get(&def) { Some(quantity) } else { None };
        let scope = Scope::of(body.map_or_else(|| Bound::from(1), |body| self.low.with_params(1, &body.params)));
        let mut parts = Vec::new();
        if let Some(body) = body {
            parts.push(self.explain(&body.base, &scope, &run)?.as_a(Role::Start));
        } else {
            parts.push(Explanation { what: "nothing by itself".into(), role: Role::Start, ..given(How::Written) });
        }
        for (lifetime, number) in speech::differences(self.low.out, &self.game, index, me) {
            let what = match lifetime {
                crate::engine::ruleset::Lifetime::Game => "for good".to_string(),
                for_a_while => format!("until the {} ends", for_a_while.word()),
            };
            parts.push(Explanation { what, value: number, says: number.to_string(), role: Role::By, ..given(How::Stands) });
        }
        for speech in speech::changes_of(&mut self.game.on(self.low.out), index, me) {
            parts.extend(self.change(speech.card, speech.entry, speech.me, args)?);
        }
        for (bound, role) in
            [(body.and_then(|body| body.most.as_ref()), Role::AtMost), (body.and_then(|body| body.least.as_ref()), Role::AtLeast)]
        {
            if let Some(bound) = bound {
                parts.push(self.explain(bound, &scope, &run)?.as_a(role));
            }
        }
        let how = if parts.len() == 1 { How::Same } else { How::Steps };
        if how == How::Same {
            parts.iter_mut().for_each(|part| part.role = Role::Part);
        }
        let one = &tree.defs[def];
        let what = format!("{} of p{}", one.name, me + 1);
        Some(Explanation { what, at: self.words.place_of(tree, def), value, says: value.to_string(), how, role: Role::Part, parts })
    }

    /// What a card changes of a quantity, if its condition holds.
    fn change(&mut self, card: usize, entry: usize, me: usize, args: [i32; 2]) -> Option<Option<Explanation>> {
        let (entries, kind) = (self.entries, self.rules().definition(card).kind);
        let definition = self.rules().piece_definition[card] as usize;
        let Some((said, params, how, amount)) = super::entries::change_of(entries, definition, kind, entry) else { return Some(None) };
        let scope = Scope::of(self.low.with_params(0, params));
        let run = Env::with(me, &[cast::fit::<i32>(card), args[0], args[1]]);
        let when = match &said.when {
            Some(when) => Some(self.explain(when, &scope, &run)?),
            None => None,
        };
        if when.as_ref().is_some_and(Explanation::is_false) {
            return Some(None);
        }
        let part = self.explain(amount, &scope, &run)?;
        let told = if self.is_unseen(card) {
            Explanation { what: "a card that you do not see".into(), value: part.value, says: part.value.to_string(), ..given(How::Stands) }
        } else {
            let (name, _) = self.words.card(self.rules(), card);
            let mut told = self.around(name, self.words.place(amount.span), part);
            told.parts.extend(when.map(|when| when.as_a(Role::When)));
            told
        };
        Some(Some(told.as_a(match how {
            Changing::To => Role::To,
            Changing::By => Role::By,
            Changing::AtLeast => Role::AtLeast,
            Changing::AtMost => Role::AtMost,
        })))
    }
}

/// A part with nothing below it.
pub(super) fn given(how: How) -> Explanation {
    Explanation { what: String::new(), at: None, value: 0, says: "0".into(), how, role: Role::Part, parts: Vec::new() }
}

/// Whether an expression is a number, with a sign perhaps.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Binary(_, a, b) => is_constant(a) && is_constant(b),
        _ => false,
    }
}

fn how_of(fold: Fold) -> How {
    match fold {
        Fold::Sum => How::Sum,
        Fold::Highest => How::Highest,
        Fold::Lowest => How::Lowest,
        Fold::Median => How::Median,
        Fold::Count => How::Count,
        Fold::Any => How::Any,
    }
}

/// The terms of a sum, with those that are taken off.
fn terms_of<'a>(expr: &'a Expr, minus: bool, terms: &mut Vec<(&'a Expr, bool)>) {
    match &expr.kind {
        ExprKind::Binary(Binary::Add, a, b) => {
            terms_of(a, minus, terms);
            terms_of(b, minus, terms);
        }
        ExprKind::Binary(Binary::Sub, a, b) => {
            terms_of(a, minus, terms);
            terms_of(b, !minus, terms);
        }
        _ => terms.push((expr, minus)),
    }
}

/// What is joined in the same way, without brackets.
fn operands_of<'a>(expr: &'a Expr, how: Binary, operands: &mut Vec<&'a Expr>) {
    match &expr.kind {
        ExprKind::Binary(same, a, b) if *same == how => {
            operands_of(a, how, operands);
            operands_of(b, how, operands);
        }
        _ => operands.push(expr),
    }
}
