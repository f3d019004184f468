//! Explains typed expressions. Each sub-expression is lowered and evaluated by the engine; the structure of the expression says how the
//! values combine.

use crate::cast;
use crate::engine::graph::NumberOp;
use crate::in_play;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::explanation::{Derivation, Explanation, PartRole};
use super::named;
use super::words::{SourceTexts, subject_of_opposite};
use crate::engine::Game;
use crate::engine::eval::Env;
use crate::engine::graph::Expr as Made;
use crate::engine::inspect::with_snapshot_view;
use crate::engine::ruleset::{ChangeOp as Changing, NodeId, PlayerSet, Ruleset};
use crate::lang::defs::{DefId, DefKind};
use crate::lang::lower::{Bindings as Bound, Lowerer};
use crate::lang::typed::{BindingId, Body, Cards, Entries, Expr, ExprKind, Fold, Neighbour, Rules, SeatFilter, Seats};
use crate::source::Span;

/// Largest number of parts in one explanation. Further parts are not explained.
const MAX_PARTS: usize = 20_000;

/// An argument: where it is bound, its expression, and the scope and environment of the call.
type BoundArgument<'a> = (BindingId, &'a Expr, Rc<NameScope<'a>>, Env);

/// The values and expressions that names stand for at a point in the rules.
#[derive(Clone, Default)]
pub(super) struct NameScope<'a> {
    /// The values to which names are bound.
    pub bound: Bound,
    /// Parameters that stand for expressions.
    args: Vec<BoundArgument<'a>>,
}

impl<'a> NameScope<'a> {
    /// Creates a scope with bound names and no parameters.
    pub fn with_bound(bound: Bound) -> NameScope<'a> {
        NameScope { bound, args: Vec::new() }
    }
}

/// Explains expressions in a given state of a game.
pub(super) struct Explainer<'a> {
    pub tree: &'a Rules,
    pub entries: &'a Entries,
    pub source_texts: SourceTexts<'a>,
    pub lowerer: Lowerer<'a>,
    pub game: Game,
    /// Number of parts of the explanation made so far.
    pub part_count: usize,
    /// Lowered expressions, because a loop evaluates the same expression for each card.
    pub lowered: LoweredCache,
    /// The seat that receives the explanation, if anything is hidden from it.
    pub viewer: Option<usize>,
    /// Written when the explainer is dropped: whether anything was read that the seat does not know.
    pub read_hidden: &'a Cell<bool>,
}

impl Drop for Explainer<'_> {
    fn drop(&mut self) {
        self.read_hidden.set(self.read_hidden.get() | self.game.take_read_hidden());
    }
}

/// Lowered expressions, by address of the typed expression and by its bound names.
#[derive(Default)]
pub(super) struct LoweredCache {
    nodes: BTreeMap<(*const Expr, Bound), NodeId>,
    /// Card sets of loops: the set, and the bindings within the loop.
    cards: BTreeMap<(*const Cards, Bound), (u32, Bound)>,
    /// Player sets of loops: the set, and the bindings within the loop.
    seats: BTreeMap<(*const Seats, Bound), (PlayerSet, Bound)>,
}

impl<'a> Explainer<'a> {
    pub fn rules(&self) -> &Ruleset {
        self.lowerer.ruleset
    }

    /// Whether the card is hidden from the seat that receives the explanation.
    pub fn is_unseen(&self, card: usize) -> bool {
        self.viewer.is_some_and(|seat| !self.game.position(self.lowerer.ruleset).knows(seat, card))
    }

    /// Evaluates an expression. Returns `None` on overflow or division by 0.
    pub fn evaluate(&mut self, expr: &Expr, scope: &NameScope<'a>, run: &Env) -> Option<i64> {
        let node = self.lower(expr, &scope.bound);
        if self.lowerer.is_exhausted() {
            return None;
        }
        self.game.store(self.lowerer.ruleset).plain_value(node, run)
    }

    fn lower(&mut self, expr: &Expr, bound: &Bound) -> NodeId {
        let key = (std::ptr::from_ref(expr), bound.clone());
        if let Some(&known) = self.lowered.nodes.get(&key) {
            return known;
        }
        let node = self.lowerer.lower_expr(expr, &mut bound.clone());
        self.lowered.nodes.insert(key, node);
        node
    }

    /// Explains the value of an expression.
    pub fn explain(&mut self, expr: &'a Expr, scope: &NameScope<'a>, run: &Env) -> Option<Explanation> {
        self.part_count += 1;
        if let ExprKind::Local(bind) = &expr.kind
            && let Some((_, arg, there, asker)) = scope.args.iter().rev().find(|arg| arg.0 == *bind).cloned()
        {
            return self.explain(arg, &there, &asker);
        }
        let value = self.evaluate(expr, scope, run)?;
        let of_all = |how, parts| Some((how, parts));
        let made = match &expr.kind {
            _ if self.part_count > MAX_PARTS => None,
            ExprKind::Const(_) | ExprKind::Option(_) | ExprKind::AmongChosen { .. } => of_all(Derivation::Written, Vec::new()),
            ExprKind::Field { .. } | ExprKind::FieldItem { .. } | ExprKind::ListLen { .. } | ExprKind::ListFirst { .. } => {
                of_all(Derivation::Written, Vec::new())
            }
            ExprKind::Local(_) | ExprKind::Me | ExprKind::Round | ExprKind::Turn | ExprKind::Players => None,
            ExprKind::Variable(_)
            | ExprKind::TallyItem { .. }
            | ExprKind::Amount(_)
            | ExprKind::InSet { .. }
            | ExprKind::CounterItem { .. }
            | ExprKind::Counter { .. }
            | ExprKind::AllKnow { .. } => None,
            ExprKind::KindOf(_) | ExprKind::IsKind { .. } | ExprKind::FirstIn(_) | ExprKind::NoneIn(_) => None,
            ExprKind::Row(_) | ExprKind::Column(_) | ExprKind::Distance { .. } | ExprKind::Way { .. } | ExprKind::HasAction(_) => None,
            ExprKind::CardOf { .. } | ExprKind::CardOfPart(_) => None,
            ExprKind::SumOfBest { lowest, count, sum } => named::explain_sum_of_best(self, *lowest, count, sum, scope, run),
            ExprKind::IsCard { .. } | ExprKind::PieceOf(_) | ExprKind::CountTokens { .. } => None,
            ExprKind::Node { .. } | ExprKind::Whole(_) | ExprKind::OneOfEach { .. } | ExprKind::Poisoned => None,
            ExprKind::RoundsLeft => self.explain_rounds_left(scope, run),
            ExprKind::Score(row) => self
                .explain_score(*row, scope, run)
                .map(|rows| if row.is_some() { (Derivation::Same, rows) } else { (Derivation::Sum, rows) }),
            ExprKind::Not(inner) if inner.span == expr.span => {
                let part = self.explain(inner, scope, run)?;
                let subject = subject_of_opposite(&part.subject);
                of_all(Derivation::Not, vec![Explanation { subject, ..part }])
            }
            ExprKind::Not(inner) => of_all(Derivation::Not, vec![self.explain(inner, scope, run)?]),
            ExprKind::Arithmetic { .. } if is_constant(expr) => of_all(Derivation::Written, Vec::new()),
            // `needs NAME if CONDITION: …` requires nothing if the condition does not hold.
            ExprKind::Or { a: first, b: rest } if first.span == expr.span && matches!(first.kind, ExprKind::Not(_)) => {
                let ExprKind::Not(condition) = &first.kind else { return None };
                let when = self.explain(condition, scope, run)?.with_role(PartRole::When);
                let nothing = Explanation {
                    subject: "nothing is needed otherwise".into(),
                    value: 1,
                    value_text: "yes".into(),
                    ..make_leaf(Derivation::Written)
                };
                let then = if when.is_false() { nothing } else { self.explain(rest, scope, run)? };
                of_all(Derivation::If, vec![when, then.with_role(PartRole::Then)])
            }
            ExprKind::And { .. } => self.explain_chain(expr, Derivation::All, scope, run),
            ExprKind::Or { .. } => self.explain_chain(expr, Derivation::Any, scope, run),
            ExprKind::Arithmetic { operator: how, a, b } => self.explain_arithmetic(expr, (*how, a, b), scope, run),
            // `x is there`: the other side of the comparison has no text.
            ExprKind::Compare { a, b, .. } if [a, b].into_iter().any(|side| side.span == expr.span) => None,
            ExprKind::Compare { operator: how, a, b } => {
                of_all(Derivation::Compare(*how), vec![self.explain(a, scope, run)?, self.explain(b, scope, run)?])
            }
            ExprKind::If { condition, yes, no } => {
                let when = self.explain(condition, scope, run)?.with_role(PartRole::When);
                let taken = self.explain(if when.is_false() { no } else { yes }, scope, run)?.with_role(PartRole::Then);
                of_all(Derivation::If, vec![when, taken])
            }
            ExprKind::OverCards { fold, cards, each } => self.explain_card_loop(*fold, cards, each.as_deref(), (expr.span, scope), run),
            ExprKind::OverSpaces { cards, .. } => {
                let spaces = self.explain_card_loop(Fold::Count, cards, None, (expr.span, scope), run);
                spaces.map(|(_, parts)| (Derivation::Among, parts))
            }
            ExprKind::OverNamed { fold, named: of, each } => {
                named::explain_named_loop(self, *fold, of, each.as_deref(), (expr.span, scope), run)
            }
            ExprKind::OverSeats { fold, seats, each } => self.explain_seat_loop(*fold, seats, each.as_deref(), (expr.span, scope), run),
            ExprKind::Quantity { quantity: def, args } => {
                let mut values = [-1; 2];
                for (value, arg) in values.iter_mut().zip(args) {
                    *value = i32::try_from(self.evaluate(arg, scope, run)?).ok()?;
                }
                let mut told = self.explain_quantity(*def, values, run.me)?;
                told.subject = self.source_texts.slice(expr.span);
                told.location = self.source_texts.definition_location(self.tree, *def).or(told.location);
                return Some(told);
            }
            ExprKind::Define { definition: def, args } => {
                self.explain_call(*def, args, scope, run).map(|body| (Derivation::Same, vec![body]))
            }
            ExprKind::Named(def) => self.explain_name(*def, scope, run).map(|body| (Derivation::Same, vec![body])),
            ExprKind::Rank { rank: def, by } => self.explain_rank(*def, by, scope, run),
            ExprKind::By { option, table } => {
                let key = match option {
                    Some(option) => self.find_chosen_value(*option, run.me)?,
                    None => self.lowerer.chosen.players.to_string(),
                };
                let entry = table.entries.iter().find(|entry| entry.0.contains(&key)).map(|entry| &entry.1);
                self.explain_same(entry.or(table.otherwise.as_deref()), scope, run)
            }
            ExprKind::LastOf(def) => {
                let now = self.explain_name(*def, scope, run)?;
                let mut later = self.lowerer.next_round(&scope.bound);
                let node = self.lowerer.lower_name(*def, &mut later);
                let then = self.game.store(self.lowerer.ruleset).plain_value(node, run)?;
                let then = Explanation {
                    subject: "the same in the next round".into(),
                    value: then,
                    value_text: then.to_string(),
                    ..make_leaf(Derivation::Stands)
                };
                of_all(Derivation::Compare(crate::compare::Compare::Unequal), vec![now, then])
            }
            ExprKind::OfNeighbour { who, body } if self.arguments_differ(body, self.find_neighbour(*who, run.me), scope, run)? => None,
            ExprKind::OfNeighbour { who, body } => {
                let me = self.find_neighbour(*who, run.me);
                let part = self.explain(body, scope, &Env { me, ..*run })?;
                of_all(Derivation::Same, vec![Explanation { subject: format!("p{}: {}", me + 1, part.subject), ..part }])
            }
            ExprKind::Of { seat, body } => match usize::try_from(self.evaluate(seat, scope, run)?) {
                Ok(me) if me < self.rules().players && !self.arguments_differ(body, me, scope, run)? => {
                    of_all(Derivation::Same, vec![self.explain(body, scope, &Env { me, ..*run })?])
                }
                _ => None,
            },
        };
        let (how, parts) = made.unwrap_or((Derivation::Stands, Vec::new()));
        let (what, at) = self.text_of(expr, scope, run);
        Some(Explanation {
            subject: what,
            location: at,
            value,
            value_text: self.describe_value(expr.ty, value),
            derivation: how,
            role: PartRole::Part,
            parts,
        })
    }

    /// Whether what stands behind a player's name has arguments that are others for that player: it is worked out with those of whoever
    /// names the player, and not explained further.
    fn arguments_differ(&mut self, body: &'a Expr, player: usize, scope: &NameScope<'a>, run: &Env) -> Option<bool> {
        for argument in body.arguments_behind_player() {
            if self.evaluate(argument, scope, run)? != self.evaluate(argument, scope, &Env { me: player, ..*run })? {
                return Some(true);
            }
        }
        Some(false)
    }

    fn explain_same(&mut self, part: Option<&'a Expr>, scope: &NameScope<'a>, run: &Env) -> Option<(Derivation, Vec<Explanation>)> {
        Some((Derivation::Same, vec![self.explain(part?, scope, run)?]))
    }

    // ------------------------------------------------------------------ arithmetic

    fn explain_arithmetic(
        &mut self,
        whole: &'a Expr,
        (how, a, b): (NumberOp, &'a Expr, &'a Expr),
        scope: &NameScope<'a>,
        run: &Env,
    ) -> Option<(Derivation, Vec<Explanation>)> {
        let joined = match how {
            NumberOp::Add | NumberOp::Sub => {
                let mut terms = Vec::new();
                terms_of(whole, false, &mut terms);
                let parts = terms.into_iter().map(|(term, minus)| {
                    let role = if minus { PartRole::Minus } else { PartRole::Part };
                    Some(self.explain(term, scope, run)?.with_role(role))
                });
                return Some((Derivation::Sum, parts.collect::<Option<_>>()?));
            }
            NumberOp::Mul => Derivation::Product,
            NumberOp::Min => Derivation::Lowest,
            NumberOp::Max => Derivation::Highest,
            how => return Some((Derivation::Arithmetic(how), vec![self.explain(a, scope, run)?, self.explain(b, scope, run)?])),
        };
        self.explain_chain(whole, joined, scope, run)
    }

    /// Explains a chain of the same operator by its operands.
    fn explain_chain(
        &mut self,
        whole: &'a Expr,
        joined: Derivation,
        scope: &NameScope<'a>,
        run: &Env,
    ) -> Option<(Derivation, Vec<Explanation>)> {
        let mut operands = Vec::new();
        operands_of(whole, &whole.kind, &mut operands);
        let mut parts = Vec::new();
        for operand in operands {
            // Operands after the one that decides the result are not evaluated in a game, and may have no value.
            let settled = |parts: &[Explanation]| match joined {
                Derivation::All => parts.iter().any(Explanation::is_false),
                Derivation::Any => !parts.iter().all(Explanation::is_false),
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

    fn explain_rounds_left(&mut self, scope: &NameScope<'a>, run: &Env) -> Option<(Derivation, Vec<Explanation>)> {
        if scope.bound.is_of_another_round() {
            return None;
        }
        let tree = self.tree;
        let rounds = match &tree.rounds {
            Some(rounds) => self.explain(rounds, scope, run)?,
            None => Explanation { subject: "rounds".into(), ..make_leaf(Derivation::Written) },
        };
        let round = i64::from(self.game.round());
        let now = Explanation {
            subject: "round".into(),
            value: round,
            value_text: round.to_string(),
            role: PartRole::Minus,
            ..make_leaf(Derivation::Stands)
        };
        Some((Derivation::Sum, vec![rounds, now]))
    }

    /// Explains all rows of the score, or only the row with this index.
    pub fn explain_score(&mut self, row: Option<usize>, scope: &NameScope<'a>, run: &Env) -> Option<Vec<Explanation>> {
        let tree = self.tree;
        let rows = tree.score.iter().enumerate().filter(|(at, _)| row.is_none_or(|row| row == *at));
        rows.map(|(_, (name, value))| {
            let part = self.explain(value, scope, run)?;
            Some(self.wrap_in_node(format!("\"{name}\""), self.source_texts.location_of(value.span), part))
        })
        .collect()
    }

    /// Wraps a part in a node with the name `what`.
    pub fn wrap_in_node(&self, what: String, at: Option<String>, part: Explanation) -> Explanation {
        let (value, value_text) = (part.value, part.value_text.clone());
        Explanation {
            subject: what,
            location: at,
            value,
            value_text,
            derivation: Derivation::Same,
            role: PartRole::Part,
            parts: vec![Explanation { role: PartRole::Part, ..part }],
        }
    }

    // ------------------------------------------------------------------ cards and players

    fn explain_card_loop(
        &mut self,
        fold: Fold,
        cards: &'a Cards,
        each: Option<&'a Expr>,
        (span, scope): (Span, &NameScope<'a>),
        run: &Env,
    ) -> Option<(Derivation, Vec<Explanation>)> {
        let low = &mut self.lowerer;
        let known = self.lowered.cards.entry((std::ptr::from_ref(cards), scope.bound.clone())).or_insert_with(|| {
            let mut bound = scope.bound.clone();
            (low.add_card_set(cards, &mut bound, span), bound)
        });
        let (set, inner) = (known.0, NameScope { bound: known.1.clone(), ..scope.clone() });
        let local = self.rules().sets[set as usize].local as usize;
        let there = self.game.store(self.lowerer.ruleset).plain_cards(set, run)?;
        let mut parts = Vec::new();
        for card in there {
            let mut run = *run;
            run.locals[local] = card;
            let (name, at) = self.source_texts.card_name_and_location(self.rules(), cast::index(card));
            parts.push(match each {
                Some(each) => {
                    let part = self.explain(each, &inner, &run)?;
                    self.wrap_in_node(name, at, part)
                }
                None => Explanation { subject: name, location: at, value: 1, value_text: "1".into(), ..make_leaf(Derivation::Stands) },
            });
        }
        Some((derivation_of(fold), parts))
    }

    fn explain_seat_loop(
        &mut self,
        fold: Fold,
        seats: &'a Seats,
        each: Option<&'a Expr>,
        (span, scope): (Span, &NameScope<'a>),
        run: &Env,
    ) -> Option<(Derivation, Vec<Explanation>)> {
        let low = &mut self.lowerer;
        let known = self.lowered.seats.entry((std::ptr::from_ref(seats), scope.bound.clone())).or_insert_with(|| {
            let mut bound = scope.bound.clone();
            (low.lower_seats(seats, &mut bound, span), bound)
        });
        let (set, inner) = (known.0.clone(), NameScope { bound: known.1.clone(), ..scope.clone() });
        let asker = run.me;
        let mut parts = Vec::new();
        for me in (0..self.rules().players).filter(|&seat| !set.others || seat != asker) {
            let mut run = Env { me, ..*run };
            run.locals[set.local as usize] = cast::fit::<i32>(asker);
            if let Some(filter) = set.filter
                && self.game.store(self.lowerer.ruleset).plain_value(filter, &run)? == 0
            {
                continue;
            }
            let name = format!("p{}", me + 1);
            parts.push(match (each, &seats.filter) {
                (Some(each), _) => {
                    let part = self.explain(each, &inner, &run)?;
                    self.wrap_in_node(name, None, part)
                }
                (None, SeatFilter::Where(by) | SeatFilter::Named(by) | SeatFilter::Compared(_, by)) => {
                    let why = self.explain(by, &inner, &run)?.with_role(PartRole::When);
                    let one = Explanation { subject: "counts".into(), value: 1, value_text: "1".into(), ..make_leaf(Derivation::Stands) };
                    Explanation { parts: vec![one, why], subject: name, value: 1, value_text: "1".into(), ..make_leaf(Derivation::Same) }
                }
                (None, SeatFilter::All) => Explanation { subject: name, value: 1, value_text: "1".into(), ..make_leaf(Derivation::Stands) },
            });
        }
        // Medians over players do not exist.
        let how = if fold == Fold::Median { Derivation::Lowest } else { derivation_of(fold) };
        if matches!(fold, Fold::Count | Fold::Any) {
            for rival in self.lowerer.compare_rivals(seats, &mut scope.bound.clone()) {
                let value = self.game.store(self.lowerer.ruleset).plain_value(rival, run)?;
                parts.push(Explanation {
                    subject: "a rival without a seat".into(),
                    value,
                    value_text: value.to_string(),
                    ..make_leaf(Derivation::Stands)
                });
            }
        }
        Some((how, parts))
    }

    fn explain_rank(&mut self, def: DefId, by: &'a Expr, scope: &NameScope<'a>, run: &Env) -> Option<(Derivation, Vec<Explanation>)> {
        let tree = self.tree;
        let DefKind::Rank(index) = tree.defs[def].kind else { return None };
        let Some(Body::Rank(declared)) = tree.bodies.get(&def) else { return None };
        let leaders = self.explain(&declared.leaders, &NameScope::with_bound(Bound::with_free_locals_from(1)), run)?;
        let mut parts = vec![self.wrap_in_node("so many count".into(), leaders.location.clone(), leaders).with_role(PartRole::Leaders)];
        with_snapshot_view(
            self,
            |explainer| &mut explainer.game,
            |explainer| {
                for me in 0..explainer.rules().players {
                    let role = if me == run.me { PartRole::Mine } else { PartRole::Theirs };
                    let part = explainer.explain(by, scope, &Env { me, ..*run })?;
                    parts.push(explainer.wrap_in_node(format!("p{}", me + 1), None, part).with_role(role));
                }
                let index = explainer.lowerer.rank_with_rivals(index, by);
                for rival in explainer.rules().ranks[index as usize].rivals.clone() {
                    let value = explainer.game.store(explainer.lowerer.ruleset).plain_value(rival, run)?;
                    let rival = Explanation {
                        subject: "a rival without a seat".into(),
                        value,
                        value_text: value.to_string(),
                        ..make_leaf(Derivation::Stands)
                    };
                    parts.push(rival.with_role(PartRole::Theirs));
                }
                Some(())
            },
        )?;
        Some((Derivation::Rank { top: declared.top, ties_in: declared.ties_in }, parts))
    }

    fn find_neighbour(&self, who: Neighbour, me: usize) -> usize {
        let order = in_play::order_as_seen(self.lowerer.ruleset, &self.game);
        let at = order.iter().position(|&seat| seat == me).unwrap_or(0);
        if who == Neighbour::Partner {
            return (me + self.rules().players / 2) % self.rules().players;
        }
        order[match who {
            Neighbour::Partner => at,
            Neighbour::First => 0,
            Neighbour::Left => (at + 1) % order.len(),
            Neighbour::Right => (at + order.len() - 1) % order.len(),
        }]
    }

    // ------------------------------------------------------------------ names

    /// Explains a definition with arguments. The arguments are evaluated in the scope of the call.
    fn explain_call(&mut self, def: DefId, args: &'a [Expr], scope: &NameScope<'a>, run: &Env) -> Option<Explanation> {
        let tree = self.tree;
        let Some(Body::Value(params, body)) = tree.bodies.get(&def) else { return None };
        if args.is_empty() {
            return self.explain_name(def, scope, run);
        }
        let mut there = NameScope::with_bound(scope.bound.within());
        let here = Rc::new(scope.clone());
        for (param, arg) in params.iter().zip(args) {
            let mut node = self.lower(arg, &scope.bound);
            // The argument has the value that it has for the player at the call, whichever player the definition refers to.
            if !matches!(self.rules().graph[node], Made::Local { .. } | Made::Const { .. })
                && let Some(value) = self.game.store(self.lowerer.ruleset).plain_value(node, run)
            {
                node = self.lowerer.constant_node(value);
            }
            there.bound.bind_to(param.bind, node);
            there.args.push((param.bind, arg, Rc::clone(&here), *run));
        }
        self.explain(body, &there, run)
    }

    fn explain_name(&mut self, def: DefId, scope: &NameScope<'a>, run: &Env) -> Option<Explanation> {
        let tree = self.tree;
        match tree.bodies.get(&def) {
            Some(Body::Value(_, body)) => self.explain(body, &NameScope::with_bound(scope.bound.within_parameterless()), run),
            _ => None,
        }
    }

    /// Returns the chosen value of an option, for the game or for a seat.
    fn find_chosen_value(&self, def: DefId, me: usize) -> Option<String> {
        let DefKind::Option(option) = &self.tree.defs[def].kind else { return None };
        if !option.each_player {
            return Some(self.lowerer.chosen.first_value(def).to_string());
        }
        let rules = self.rules();
        let number = i64::from(self.game.cells()[rules.layout.seat(me, self.lowerer.slots.offset(def) as usize)]);
        let known = |value: &&String| crate::lang::setup::value_number(option, value).map(i64::from) == Some(number);
        option.values.iter().find(known).or(option.values.last()).cloned()
    }

    // ------------------------------------------------------------------ quantities

    /// Explains a quantity of a seat: its value by the rules, temporary differences, changes by cards, and bounds.
    pub fn explain_quantity(&mut self, def: DefId, args: [i32; 2], me: usize) -> Option<Explanation> {
        let tree = self.tree;
        let DefKind::Quantity { index, .. } = tree.defs[def].kind else { return None };
        let value = self.game.store(self.lowerer.ruleset).plain_quantity(index, me, args)?;
        let run = Env::with_locals(me, &[-1, args[0], args[1]]);
        let body = if let Some(Body::Quantity(quantity)) = tree.bodies.get(&def) { Some(quantity) } else { None };
        let scope =
            NameScope::with_bound(body.map_or_else(|| Bound::with_free_locals_from(1), |body| self.lowerer.with_params(1, &body.params)));
        let mut parts = Vec::new();
        if let Some(body) = body {
            parts.push(self.explain(&body.base, &scope, &run)?.with_role(PartRole::Start));
        } else {
            parts.push(Explanation { subject: "nothing by itself".into(), role: PartRole::Start, ..make_leaf(Derivation::Written) });
        }
        for (lifetime, number) in in_play::temporary_differences(self.lowerer.ruleset, &self.game, index, me) {
            let what = match lifetime {
                crate::engine::ruleset::Lifetime::Game => "for good".to_string(),
                for_a_while => format!("until the {} ends", for_a_while.word()),
            };
            parts.push(Explanation {
                subject: what,
                value: number,
                value_text: number.to_string(),
                role: PartRole::By,
                ..make_leaf(Derivation::Stands)
            });
        }
        for active in in_play::changes_of(&mut self.game.store(self.lowerer.ruleset), index, me) {
            parts.extend(self.explain_change(active.card, active.entry_index, active.me, args)?);
        }
        for (bound, role) in [
            (body.and_then(|body| body.upper_bound.as_ref()), PartRole::AtMost),
            (body.and_then(|body| body.lower_bound.as_ref()), PartRole::AtLeast),
        ] {
            if let Some(bound) = bound {
                parts.push(self.explain(bound, &scope, &run)?.with_role(role));
            }
        }
        let how = if parts.len() == 1 { Derivation::Same } else { Derivation::Steps };
        if how == Derivation::Same {
            parts.iter_mut().for_each(|part| part.role = PartRole::Part);
        }
        let one = &tree.defs[def];
        let what = format!("{} of p{}", one.name, me + 1);
        Some(Explanation {
            subject: what,
            location: self.source_texts.definition_location(tree, def),
            value,
            value_text: value.to_string(),
            derivation: how,
            role: PartRole::Part,
            parts,
        })
    }

    /// Explains the change that a card makes to a quantity, if its condition holds.
    fn explain_change(&mut self, card: usize, entry: usize, me: usize, args: [i32; 2]) -> Option<Option<Explanation>> {
        let (entries, kind) = (self.entries, self.rules().definition(card).kind);
        let definition = self.rules().piece_definition[card] as usize;
        let Some((said, params, how, amount)) = super::entries::change_of(entries, definition, kind, entry) else { return Some(None) };
        let scope = NameScope::with_bound(self.lowerer.with_params(0, params));
        let run = Env::with_locals(me, &[cast::fit::<i32>(card), args[0], args[1]]);
        let when = match &said.when {
            Some(when) => Some(self.explain(when, &scope, &run)?),
            None => None,
        };
        if when.as_ref().is_some_and(Explanation::is_false) {
            return Some(None);
        }
        let part = self.explain(amount, &scope, &run)?;
        let told = if self.is_unseen(card) {
            Explanation {
                subject: "a card that you do not see".into(),
                value: part.value,
                value_text: part.value.to_string(),
                ..make_leaf(Derivation::Stands)
            }
        } else {
            let (name, _) = self.source_texts.card_name_and_location(self.rules(), card);
            let mut told = self.wrap_in_node(name, self.source_texts.location_of(amount.span), part);
            told.parts.extend(when.map(|when| when.with_role(PartRole::When)));
            told
        };
        Some(Some(told.with_role(match how {
            Changing::To => PartRole::To,
            Changing::By => PartRole::By,
            Changing::AtLeast => PartRole::AtLeast,
            Changing::AtMost => PartRole::AtMost,
        })))
    }
}

/// Makes a node without parts.
pub(super) fn make_leaf(how: Derivation) -> Explanation {
    Explanation {
        subject: String::new(),
        location: None,
        value: 0,
        value_text: "0".into(),
        derivation: how,
        role: PartRole::Part,
        parts: Vec::new(),
    }
}

/// Whether an expression is a number, possibly with a sign.
fn is_constant(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Const(_) => true,
        ExprKind::Arithmetic { a, b, .. } => is_constant(a) && is_constant(b),
        _ => false,
    }
}

pub(super) fn derivation_of(fold: Fold) -> Derivation {
    match fold {
        Fold::Sum => Derivation::Sum,
        Fold::Highest => Derivation::Highest,
        Fold::Lowest => Derivation::Lowest,
        Fold::Median => Derivation::Median,
        Fold::Count => Derivation::Count,
        Fold::Any => Derivation::Any,
    }
}

/// Collects the terms of a sum; the flag says whether a term is subtracted.
fn terms_of<'a>(expr: &'a Expr, minus: bool, terms: &mut Vec<(&'a Expr, bool)>) {
    match &expr.kind {
        ExprKind::Arithmetic { operator: NumberOp::Add, a, b } => {
            terms_of(a, minus, terms);
            terms_of(b, minus, terms);
        }
        ExprKind::Arithmetic { operator: NumberOp::Sub, a, b } => {
            terms_of(a, minus, terms);
            terms_of(b, !minus, terms);
        }
        _ => terms.push((expr, minus)),
    }
}

/// Collects the operands of a chain of the same operator, without brackets.
fn operands_of<'a>(expr: &'a Expr, of: &ExprKind, operands: &mut Vec<&'a Expr>) {
    match (&expr.kind, of) {
        (ExprKind::And { a, b }, ExprKind::And { .. }) | (ExprKind::Or { a, b }, ExprKind::Or { .. }) => {
            operands_of(a, of, operands);
            operands_of(b, of, operands);
        }
        (ExprKind::Arithmetic { operator: same, a, b }, ExprKind::Arithmetic { operator: how, .. }) if same == how => {
            operands_of(a, of, operands);
            operands_of(b, of, operands);
        }
        _ => operands.push(expr),
    }
}
