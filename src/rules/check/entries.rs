//! Checks entries, the parts of cards and kinds that are written in the rules language. An entry of a kind is checked once for all its
//! cards.

use super::super::defs::{DefId, DefKind, Owner, Space};
use super::super::problem::{CardProblem, RuleProblem, Suggestion};
use super::super::syntax::{ast, parse_ask, parse_costs, parse_expr};
use super::super::typed::{self, Ask, BindingId, Cost, Entries, EntryBody, EntryCost, EntryPart, Expr, ExprChild, ExprKind, Offer, Param};
use super::{Checker, choice};
use crate::diagnostic::nearest;
use crate::engine::graph::NumberOp;
use crate::engine::node::Type;
use crate::engine::ruleset::{ChangeOp, Compare, Lifetime, VariableSort, Who};
use crate::pack::{Amount, EntryKind, RawCard, RawEntry, RawKind, Text};
use crate::source::Span;
use std::collections::BTreeMap;

/// The names bound in every entry: `own` is the card with the entry, `card` the subject of the moment, `player` the player to whom the
/// moment happens.
const BOUND: [(&str, Type); 3] = [("own", Type::Card), ("card", Type::Card), ("player", Type::Seat)];

impl Checker<'_> {
    /// Checks the entries of all cards and kinds.
    pub fn check_entries(&mut self, cards: &[&RawCard], kinds: &[RawKind]) -> Entries {
        let binds = BOUND.map(|(name, ty)| self.bind(name, ty));
        let mut entries = Entries { binds, ..Entries::default() };
        let missed = self.count_listeners(cards, kinds);
        for card in cards {
            let told = self.diagnostics.len();
            let mut said = Vec::new();
            if let Some(when) = &card.leaves_when {
                let when = self.check_line(when, &[Type::Truth]);
                said.push(typed::Entry { id: format!("{}.leaves_when", card.id.text), who: Who::Me, when, body: EntryBody::Leaves });
            }
            for entry in &card.entries {
                said.extend(self.check_entry(entry, &card.id.text, binds, &missed));
            }
            if let Some(second) = card.entries.iter().filter(|entry| entry.kind() == EntryKind::Action).nth(1) {
                self.report(CardProblem::SecondAction.at(second.span));
            }
            card.name_in_problems(&mut self.diagnostics, told);
            entries.of_cards.push(said);
        }
        for kind in kinds {
            let Some(index) = self.rules.defs.kind(&kind.id.text) else {
                self.report_unknown(&kind.id.text, kind.id.span, "a kind of this game", &[Space::Kind]);
                continue;
            };
            for entry in &kind.entries {
                let said = self.check_entry(entry, &kind.id.text, binds, &missed);
                entries.of_kinds.entry(index).or_default().extend(said);
            }
        }
        entries
    }

    /// Counts the entries that listen to each moment. Moments misspelt in the rules are reported there; their names are returned so that
    /// the entries are not blamed.
    fn count_listeners(&mut self, cards: &[&RawCard], kinds: &[RawKind]) -> Vec<String> {
        let mut heard: BTreeMap<String, usize> = BTreeMap::new();
        let of_cards = cards.iter().flat_map(|card| &card.entries);
        for entry in of_cards.chain(kinds.iter().flat_map(|kind| &kind.entries)) {
            if let Some(moment) = entry.moment() {
                *heard.entry(moment.text.trim_start_matches("this.").to_string()).or_default() += 1;
            }
        }
        self.report_misspelt_moments(&heard)
    }

    /// Checks one entry and reports all its problems; `None` if it cannot be used.
    fn check_entry(&mut self, entry: &RawEntry, owner: &str, binds: [BindingId; 3], missed: &[String]) -> Option<typed::Entry> {
        use crate::pack::EntryContent as Written;
        let [own, card, player] = binds;
        let (who, when, body) = match &entry.content {
            Written::On { moment, who, when, parts } => {
                self.warn_of_empty_scripts(parts);
                let place = moment;
                let moment = self.resolve_moment(moment, missed);
                let when = self.check_when(when.as_ref());
                let parts = self.check_parts(parts, owner);
                if let Some((moment, own_only)) = moment {
                    let conditions: Vec<&Expr> = when.iter().chain(parts.iter().filter_map(|part| part.when.as_ref())).collect();
                    self.warn_if_never_heard((moment, own_only, place.span), *who, &conditions, (card, player));
                }
                let when = self.add_until(when, entry, own);
                let body = match moment {
                    Some((moment, own_only)) => EntryBody::On { moment, own_only, parts },
                    None => EntryBody::Unheard { parts },
                };
                (*who, when, body)
            }
            Written::Change { what, who, when, amounts } => {
                let (when, body) = self.with_own_scope(|checker| checker.check_change(entry, owner, what, when.as_ref(), amounts))?;
                (*who, when, body)
            }
            Written::Forbid { action, who, when, because } => {
                if self.rules.defs.find(Space::Action, &action.text).is_none() {
                    self.report_unknown(&action.text, action.span, "an action", &[Space::Action]);
                }
                let when = self.check_when(when.as_ref());
                let when = self.add_until(when, entry, own);
                let because = because.as_ref().map_or_else(|| "a card forbids it".to_string(), |text| text.text.clone());
                (*who, when, EntryBody::Forbid { action: action.text.clone(), because })
            }
            Written::Instead { of, who, when, parts } => {
                let loss = self.rules.defs.find(Space::Loss, &of.text);
                if loss.is_none() && !self.rules.defs.is_suspect(&of.text) {
                    let known: Vec<&str> = self.rules.defs.names(Space::Loss).collect();
                    let suggestion = Suggestion::for_unknown(&of.text, known.iter().copied(), "they name", &known);
                    self.report(CardProblem::UnknownLoss { name: of.text.clone(), suggestion }.at(of.span));
                }
                let when = self.check_when(when.as_ref());
                let when = self.add_until(when, entry, own);
                let parts = self.check_parts(parts, owner);
                // A loss is only replaced if the replacement can be paid for.
                let payable = parts.first().filter(|part| part.when.is_none()).and_then(|part| part.cost.as_ref());
                let when = match (when, payable.map(|cost| cost.payable.clone())) {
                    (Some(when), Some(payable)) => Some(when.and(payable, entry.span)),
                    (when, payable) => when.or(payable),
                };
                let body = match loss {
                    Some(of) => EntryBody::Instead { of, parts },
                    None => EntryBody::Unheard { parts },
                };
                (*who, when, body)
            }
            Written::Action { needs, because, cost, limit, parts } => {
                let needs = self.check_when(needs.as_ref());
                let when = self.add_until(needs, entry, own);
                let because = because.as_ref().map_or_else(|| "the card does not allow it now".to_string(), |text| text.text.clone());
                let costs = cost.as_ref().map_or(Vec::new(), |cost| self.check_costs(cost));
                let limit = limit.and_then(|limit| {
                    Some((limit.times, self.declare_hidden_counter(&format!("uses each {}", limit.period.word()), limit.period)?))
                });
                let parts = self.check_parts(parts, owner);
                (Who::Me, when, EntryBody::Action { because, costs, limit, parts })
            }
        };
        Some(typed::Entry { id: format!("{owner}.{}", entry.id.text), who, when, body })
    }

    /// Warns about listeners with empty scripts. Actions and parts with a cost are exempt: taking time or paying can be their whole point.
    fn warn_of_empty_scripts(&mut self, parts: &[crate::pack::RawPart]) {
        for part in parts.iter().filter(|part| part.cost.is_none()) {
            let says = |line: &str| !matches!(line.split("//").next().unwrap_or("").trim_matches([' ', '\t', '\r', ';']), "");
            if !part.script.text.lines().any(says) {
                self.report(CardProblem::EntryDoesNothing.at(part.script.span));
            }
        }
    }

    /// Warns about an entry that can never run: it listens to `this.MOMENT` though the moment has no card, or its condition excludes every
    /// player to whom its moments can happen.
    fn warn_if_never_heard(
        &mut self,
        (moment, own_only, place): (DefId, bool, Span),
        who: Who,
        conditions: &[&Expr],
        (card, player): (BindingId, BindingId),
    ) {
        let name = self.rules.defs[moment].name.clone();
        // If a part of the rules failed to parse, it may raise the moment.
        if self.raised_moments.contains(&moment) && !self.card_moments.contains(&moment) && !self.rules.defs.has_suspects() {
            if own_only {
                self.report(CardProblem::OwnMomentNeverHeard { moment: name }.at(place));
            } else if let Some(span) = conditions.iter().find_map(|when| first_use(when, card)) {
                self.report(CardProblem::MomentOfNoCard { moment: name }.at(span));
            }
        }
        for when in conditions {
            let Some((span, same)) = player_is_me(when, player) else { continue };
            let never = match who {
                Who::Me => !same,
                Who::Others => same,
                Who::All => false,
            };
            if never {
                self.report(CardProblem::NeverHeard { hears: if same { "others" } else { "me" } }.at(span));
            }
        }
    }

    /// Declares a counter on cards that has no name in the language. `name` only shows up when the state is inspected.
    fn declare_hidden_counter(&mut self, name: &str, lifetime: Lifetime) -> Option<DefId> {
        if let Some(known) = self.rules.defs.find(Space::Counter, name) {
            return Some(known);
        }
        let what = DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, lifetime, over: None, resource: 0 };
        self.declare(Space::Counter, name, what, None)
    }

    /// Combines the condition of an entry with its `until`: it then holds only within that period.
    fn add_until(&mut self, when: Option<Expr>, entry: &RawEntry, own: BindingId) -> Option<Expr> {
        let Some(period) = entry.until else { return when };
        let counter = self.declare_hidden_counter(&format!("came in this {}", period.word()), period)?;
        if !self.rules.arrivals.contains(&counter) {
            self.rules.arrivals.push(counter);
        }
        let span = entry.span;
        let own = Expr { kind: ExprKind::Local(own), ty: Type::Card, span };
        let there = Expr::number(ExprKind::Counter { card: Box::new(own), counter }, span);
        let fresh = there.compared(Compare::More, Expr::constant(0, Type::Number, span), span);
        choice::both(Some(fresh), when)
    }

    /// Resolves the moment that an entry listens to. Also returns whether only the card's own moments count.
    fn resolve_moment(&mut self, moment: &Text, missed: &[String]) -> Option<(DefId, bool)> {
        let (own_only, name) = match moment.text.strip_prefix("this.") {
            Some(name) => (true, name),
            None => (false, moment.text.as_str()),
        };
        let found = self.rules.defs.find(Space::Moment, name);
        // A moment misspelt in the rules has been reported there.
        if found.is_none() && !missed.iter().any(|missed| missed == name) {
            let listed: Vec<&str> = self.rules.defs.names(Space::Moment).collect();
            let all: Vec<String> = listed.iter().flat_map(|name| [name.to_string(), format!("this.{name}")]).collect();
            let written = moment.text.clone();
            let suggestion = Suggestion::for_unknown(&written, all.iter().map(String::as_str), "the moments of the rules", &listed);
            self.report(CardProblem::NeverRaised { moment: name.to_string(), written, suggestion }.at(moment.span));
        }
        found.map(|moment| (moment, own_only))
    }

    fn check_change(
        &mut self,
        entry: &RawEntry,
        owner: &str,
        what: &Text,
        when: Option<&Text>,
        written: &[Option<Amount>; 4],
    ) -> Option<(Option<Expr>, EntryBody)> {
        let quantities = |name: &str| self.rules.defs.find(Space::Value, name).filter(|&def| self.is_quantity(def));
        let Some(quantity) = quantities(&what.text).or_else(|| quantities(&what.text.replace("_rank", ".rank"))) else {
            if !self.rules.defs.is_suspect(&what.text) {
                let quantities = self.rules.defs.all().filter(|(id, _)| self.is_quantity(*id));
                let known: Vec<&str> = quantities.map(|(_, one)| one.name.as_str()).collect();
                let suggestion = Suggestion::for_unknown(&what.text, known.iter().copied(), "cards may change", &known);
                self.report(CardProblem::NotChangeable { name: what.text.clone(), suggestion }.at(what.span));
            }
            return None;
        };
        let own = self.bind("own", Type::Card);
        let mut params = vec![Param { name: "own".to_string(), bind: own, ty: Type::Card }];
        for param in self.params_of(quantity) {
            let bind = self.bind(&param.name, param.ty);
            params.push(Param { bind, ..param });
        }
        self.with_current_definition(quantity, |checker| {
            checker.current_entry = Some(([None; 2], entry.span, owner.to_string()));
            let when = checker.check_when(when);
            // A change for a single constant argument forms no cycle through other arguments.
            let only = [1, 2].map(|at| when.as_ref().zip(params.get(at)).and_then(|(when, param)| required_word(when, param.bind)));
            checker.current_entry = Some((only, entry.span, owner.to_string()));
            let operators = [ChangeOp::To, ChangeOp::By, ChangeOp::AtLeast, ChangeOp::AtMost];
            let amount =
                |(operator, amount): (_, &Option<Amount>)| Some((operator, checker.check_amount(amount.as_ref()?, operator, entry.span)?));
            let amounts = operators.into_iter().zip(written).filter_map(amount).collect();
            checker.current_entry = None;
            let when = checker.add_until(when, entry, own);
            Some((when, EntryBody::Change { quantity, params, amounts }))
        })
    }

    fn is_quantity(&self, def: DefId) -> bool {
        matches!(self.rules.defs[def].kind, DefKind::Quantity { .. })
    }

    /// Checks the condition of an entry or of a part of it, if it has one.
    fn check_when(&mut self, when: Option<&Text>) -> Option<Expr> {
        self.check_line(when?, &[Type::Truth])
    }

    /// Parses and checks an expression in a card file.
    fn check_line(&mut self, text: &Text, wanted: &[Type]) -> Option<Expr> {
        let parsed = parse_expr(text.span.file, &text.text, text.span.start, &mut self.diagnostics)?;
        let found = self.check_expr(&parsed, wanted);
        if wanted == [Type::Truth] {
            self.warn_if_constant(&found, "this condition");
        }
        Some(found)
    }

    /// Checks how a quantity is changed, and warns about a change that has no effect, such as adding 0.
    fn check_amount(&mut self, amount: &Amount, operator: ChangeOp, span: Span) -> Option<Expr> {
        let (value, span) = match amount {
            Amount::Number(number) => (Expr::constant(*number, Type::Number, span), span),
            Amount::Text(text) => (self.check_line(text, &[Type::Number])?, text.span),
        };
        if operator == ChangeOp::By && value.kind == ExprKind::Const(0) {
            self.report(CardProblem::ChangeByNothing.at(span));
        }
        Some(value)
    }

    /// Checks a list of costs such as `1 wisp, 2 moss`; returns amounts and resources.
    fn check_costs(&mut self, text: &Text) -> Vec<(Expr, u16)> {
        let Some(parsed) = parse_costs(text.span.file, &text.text, text.span.start, &mut self.diagnostics) else { return Vec::new() };
        let mut costs = Vec::new();
        for cost in &parsed {
            match self.check_cost(cost) {
                Some(Cost::Resource(amount, resource)) => costs.push((amount, resource)),
                Some(Cost::Tokens(_)) => self.report(RuleProblem::PaidInTokens.at(cost.span)),
                None => {}
            }
        }
        costs
    }

    fn check_parts(&mut self, parts: &[crate::pack::RawPart], owner: &str) -> Vec<EntryPart> {
        parts.iter().for_each(|part| self.note_filled_decks(&part.script.text));
        // A script reads these by a name.
        let wanted = &[Type::Number, Type::Truth, Type::Card];
        let part = |part: &crate::pack::RawPart| EntryPart {
            when: self.check_when(part.when.as_ref()),
            cost: part.cost.as_ref().and_then(|cost| self.check_entry_cost(cost)),
            ask: part.ask.as_ref().and_then(|ask| self.check_ask(ask, owner)),
            lets: part
                .lets
                .iter()
                .filter_map(|(name, value)| Some((name.text.clone(), name.span, self.check_line(value, wanted)?)))
                .collect(),
            script: (part.script.text.clone(), part.script.span),
        };
        parts.iter().map(part).collect()
    }

    /// Notes the decks into which a script may place a card, so that there is room for it.
    fn note_filled_decks(&mut self, script: &str) {
        let words: Vec<&str> = script.split(|sign: char| !sign.is_alphanumeric() && sign != '_').collect();
        if !words.contains(&"place") {
            return;
        }
        let rules = &mut self.rules;
        for place in &rules.places {
            if words.contains(&rules.defs[place.def].name.as_str()) {
                rules.filled_decks.insert(place.def);
            }
        }
    }

    /// Checks the cost of a part. Amounts of the same resource are added up to see whether they can be paid.
    fn check_entry_cost(&mut self, text: &Text) -> Option<EntryCost> {
        let costs = self.check_costs(text);
        let span = text.span;
        let mut sums: BTreeMap<u16, Expr> = BTreeMap::new();
        for (amount, resource) in &costs {
            let sum = match sums.remove(resource) {
                Some(sum) => sum.combined(NumberOp::Add, amount.clone(), span),
                None => amount.clone(),
            };
            sums.insert(*resource, sum);
        }
        let payable = sums.into_iter().map(|(resource, sum)| {
            let resource = Expr::constant(i64::from(resource), Type::Resource, span);
            let have = Expr::number(ExprKind::Amount(Box::new(resource)), span);
            sum.compared(Compare::More, have, span).not(span)
        });
        let payable = payable.reduce(|all, one| all.and(one, span))?;
        Some(EntryCost { costs, payable })
    }

    /// Checks a question such as `one of wisp, moss if wisp > 2, each card in my yard`, `may` or `may one of …`.
    fn check_ask(&mut self, text: &Text, owner: &str) -> Option<Ask> {
        let parsed = parse_ask(text.span.file, &text.text, text.span.start, &mut self.diagnostics)?;
        let mut offers = Vec::new();
        for offer in &parsed.offers {
            let kept = self.scope.bound.len();
            let what = match &offer.what {
                ast::AskWhat::Word(word) => {
                    self.check_offered(&word.text, word.span);
                    Some(Offer::Word(word.text.clone()))
                }
                ast::AskWhat::Cards { name, cards } => {
                    let bind = self.bind(&name.text, Type::Card);
                    self.check_cards(cards, &name.text, bind).map(Offer::Cards)
                }
            };
            let when = offer.condition.as_ref().map(|when| self.check_expr(when, &[Type::Truth]));
            self.scope.bound.truncate(kept);
            offers.extend(what.map(|what| (what, when)));
        }
        Some(Ask { id: format!("{owner}.answer"), may: parsed.may, offers })
    }

    /// Warns about an offered word that is no name but nearly the name of a resource. Other words are allowed.
    fn check_offered(&mut self, word: &str, span: Span) {
        let defs = &self.rules.defs;
        let known = defs.all().any(|(_, one)| one.name == word);
        if known || defs.is_suspect(word) {
            return;
        }
        if let Some(meant) = nearest(word, defs.resources()) {
            self.report(RuleProblem::OfferNearName { word: word.to_string(), near: meant.to_string() }.at(span));
        }
    }
}

/// Returns the constant with which a condition compares a parameter; `None` if it is no such comparison.
fn required_word(when: &Expr, param: BindingId) -> Option<i64> {
    if let ExprKind::And { a, b } = &when.kind {
        return required_word(a, param).or_else(|| required_word(b, param));
    }
    let ExprKind::Compare { operator: Compare::Equal, a, b } = &when.kind else { return None };
    match (&a.kind, &b.kind) {
        (ExprKind::Local(bind), ExprKind::Const(value)) if *bind == param => Some(*value),
        _ => None,
    }
}

/// Returns the first place in a condition where a binding is used.
fn first_use(when: &Expr, bind: BindingId) -> Option<Span> {
    let mut found = None;
    when.walk(&mut |below| {
        if let ExprChild::Operand(part) = below
            && matches!(part.kind, ExprKind::Local(local) if local == bind)
        {
            found.get_or_insert(part.span);
        }
    });
    found
}

/// Finds the place where a condition requires the moment's player to be `me` (true), or to be another one (false).
#[allow(clippy::wildcard_enum_match_arm, reason = "other conditions say nothing about the player")]
fn player_is_me(when: &Expr, player: BindingId) -> Option<(Span, bool)> {
    let sides = |a: &Expr, b: &Expr| matches!((&a.kind, &b.kind), (ExprKind::Local(bind), ExprKind::Me) if *bind == player);
    match &when.kind {
        ExprKind::And { a, b } => player_is_me(a, player).or_else(|| player_is_me(b, player)),
        ExprKind::Not(inner) => player_is_me(inner, player).map(|(_, same)| (when.span, !same)),
        ExprKind::Compare { operator: operator @ (Compare::Equal | Compare::Unequal), a, b } if sides(a, b) || sides(b, a) => {
            Some((when.span, *operator == Compare::Equal))
        }
        _ => None,
    }
}
