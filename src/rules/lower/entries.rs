//! Lowers the entries of cards and kinds for every card that has them.

use super::super::problem::RuleProblem;
use super::super::typed::{self, Ask, BindingId, Entries, EntryBody, EntryPart, Expr};
use super::{Bindings, Lowerer, push};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::EntryId;
use crate::engine::node::Type;
use crate::engine::op::{Op, Pc};
use crate::engine::ruleset::{
    self as engine, CardAction, Change, Forbid, Hook, Instead, NameId, NodeId, ScriptQuestion, ScriptText, ScriptValue,
};
use crate::pack::RawCard;
use crate::source::Span;
use std::collections::BTreeMap;

const NOWHERE: Span = Span { file: crate::source::FileId(0), start: 0, end: 0 };

impl Lowerer<'_> {
    /// Lowers the entries of every card, its own and those of its kind.
    pub fn lower_entries(&mut self, entries: &Entries, cards: &[RawCard]) {
        // Cards of a kind share the code of the kind's entries.
        let mut of_kinds: BTreeMap<u16, engine::Definition> = BTreeMap::new();
        for (number, own) in entries.of_cards.iter().enumerate() {
            let kind = self.ruleset.definitions[number].kind;
            let own = self.lower_all(own, number, entries.binds);
            let of_kind = entries.of_kinds.get(&kind).map_or(&[][..], Vec::as_slice);
            let of_kind = of_kinds.entry(kind).or_insert_with(|| self.lower_all(of_kind, number, entries.binds)).clone();
            let definition = &mut self.ruleset.definitions[number];
            definition.add_entries(own);
            definition.add_entries(of_kind);
        }
        // Too many entries of a kind are reported for the first of its cards only.
        let beyond = self.ruleset.definitions.iter().zip(cards).find_map(|(definition, card)| too_many_entries(definition, card));
        self.diagnostics.extend(beyond);
        self.ruleset.arrival_flags = self.tree.arrivals.iter().map(|&counter| self.slots.offset(counter)).collect();
    }

    /// Lowers entries; returns a definition that has nothing else. `number` is the card that owns the scripts.
    fn lower_all(&mut self, entries: &[typed::Entry], number: usize, binds: [BindingId; 3]) -> engine::Definition {
        let mut made = engine::Definition::default();
        entries.iter().for_each(|entry| self.lower_entry(entry, number, binds, &mut made));
        made
    }

    fn lower_entry(&mut self, entry: &typed::Entry, number: usize, binds: [BindingId; 3], made: &mut engine::Definition) {
        let mut env = self.with_names(0, binds);
        let (id, who) = (entry.id.clone(), entry.who);
        if let EntryBody::Change { params, .. } = &entry.body {
            env = self.with_params(0, params);
        }
        let when = entry.when.as_ref().filter(|_| !matches!(entry.body, EntryBody::Unheard { .. }));
        let when = self.lower_condition(when, &mut env);
        match &entry.body {
            EntryBody::On { moment, own_only, parts } => {
                let first_op = self.emit_parts(parts, &id, (number, false), &mut env);
                made.hooks.push(Hook { moment: self.index(*moment), id, who, own_only: *own_only, when, first_op });
            }
            EntryBody::Change { quantity, params: _, amounts } => {
                let quantity = self.index(*quantity);
                made.changes.extend(amounts.iter().map(|(operator, amount)| {
                    let (span, amount) = (Some(amount.span), self.lower_expr(amount, &mut env));
                    Change { quantity, who, when, operator: *operator, amount, span }
                }));
            }
            EntryBody::Forbid { action, because } => {
                let name = self.ruleset.names.add(action);
                let actions = (0..).zip(self.ruleset.actions()).filter(|(_, action)| action.name == name);
                made.forbids.extend(actions.map(|(action, _)| Forbid { action, who, when, because: because.clone() }));
            }
            EntryBody::Instead { of, parts } => {
                let first_op = self.emit_parts(parts, &id, (number, false), &mut env);
                made.replacements.push(Instead { replaced: self.index(*of), id, who, when, first_op });
            }
            EntryBody::Action { because, costs, limit, parts } => {
                let costs = self.lower_costs(costs, &mut env);
                let first_op = self.emit_parts(parts, &id, (number, true), &mut env);
                let limit = limit.map(|(times, counter)| (times, self.slots.offset(counter)));
                made.action = Some(CardAction { id, needs: when, because: because.clone(), costs, limit, first_op });
            }
            EntryBody::Unheard { parts } => _ = self.emit_parts(parts, &id, (number, false), &mut env),
            EntryBody::Leaves => made.leaves_when = when,
        }
    }

    fn lower_condition(&mut self, when: Option<&Expr>, env: &mut Bindings) -> Option<NodeId> {
        when.map(|when| self.lower_expr(when, env))
    }

    fn lower_costs(&mut self, costs: &[(Expr, u16)], env: &mut Bindings) -> Vec<(NodeId, u8)> {
        costs.iter().map(|(amount, resource)| (self.lower_expr(amount, env), cast::fit::<u8>(*resource))).collect()
    }

    /// Emits the code of an entry and returns its first op. Each part runs once everything that the previous one triggered is done. A
    /// question without an answer ends the entry, and so does a cost that cannot be paid. `number` is the card that owns the scripts; if
    /// `pays` is set, the entry is the action of a card, whose costs are paid first.
    fn emit_parts(&mut self, parts: &[EntryPart], id: &str, (number, pays): (usize, bool), env: &mut Bindings) -> Pc {
        let begin = self.ruleset.ops.begin_routine(id);
        // Listeners to the payment run before the script that it pays for.
        if pays {
            self.ruleset.ops.emit(Op::PayCard);
            self.ruleset.ops.emit(Op::Waiting);
        }
        // Later parts can read the answer.
        let mut words: Vec<NameId> = Vec::new();
        let (mut unanswered, mut unpaid) = (Vec::new(), Vec::new());
        for part in parts {
            let (text, span) = part.script.clone();
            self.ruleset.ops.span = Some(span);
            let when = self.lower_condition(part.when.as_ref(), env);
            let skipped = when.map(|when| self.ruleset.ops.emit_jump(move |to| Op::Unless { condition: when, to }));
            if let Some(cost) = &part.cost {
                let payable = self.lower_expr(&cost.payable, env);
                unpaid.push(self.ruleset.ops.emit_jump(move |to| Op::Unless { condition: payable, to }));
            }
            if let Some(ask) = &part.ask {
                let (ask, offered) = self.lower_ask(ask, env);
                words = offered;
                let ask = push(&mut self.ruleset.ops.card_questions, ask);
                unanswered.push(self.ruleset.ops.emit_jump(move |to| Op::AskFirst { ask, no: to }));
            }
            if let Some(cost) = &part.cost {
                let costs = self.lower_costs(&cost.costs, env).into();
                self.ruleset.ops.emit(Op::PayFirst { costs });
                self.ruleset.ops.emit(Op::Waiting);
            }
            let mut named = |(name, span, value): &(String, Span, Expr)| ScriptValue {
                name: name.clone(),
                span: *span,
                truth: value.ty == Type::Truth,
                value: self.lower_expr(value, env),
            };
            let lets = part.lets.iter().map(&mut named).collect();
            let (owner, definition) = (id.to_string(), cast::fit::<i32>(number));
            let text = ScriptText { owner, definition, text, span: Some(span), words: words.clone(), lets };
            let script = push(&mut self.ruleset.scripts, text);
            self.ruleset.ops.emit(Op::Script { script });
            self.ruleset.ops.emit(Op::Waiting);
            skipped.into_iter().for_each(|skipped| self.ruleset.ops.bind_jump(skipped));
        }
        unanswered.into_iter().for_each(|question| self.ruleset.ops.bind_jump(question));
        unpaid.into_iter().for_each(|cost| self.ruleset.ops.bind_jump(cost));
        self.ruleset.ops.end_routine();
        begin
    }

    fn lower_ask(&mut self, ask: &Ask, env: &mut Bindings) -> (ScriptQuestion, Vec<NameId>) {
        let id = ask.id.clone();
        if ask.offers.is_empty() {
            let (yes, no) = (self.ruleset.names.add("yes"), self.ruleset.names.add("no"));
            let offers = [yes, no].map(|name| (engine::Offer::Word(name), None)).to_vec();
            return (ScriptQuestion { id, may: false, no: Some(no), offers }, vec![yes, no]);
        }
        let mut words = Vec::new();
        let mut offers = Vec::new();
        for (offer, when) in &ask.offers {
            let mut there = env.clone();
            let offer = self.lower_offer(offer, &mut there, NOWHERE);
            if let engine::Offer::Word(name) = offer {
                words.push(name);
            }
            offers.push((offer, self.lower_condition(when.as_ref(), &mut there)));
        }
        (ScriptQuestion { id, may: ask.may, no: None, offers }, words)
    }
}

/// Builds the diagnostic for a card with more entries of one sort than can be numbered.
fn too_many_entries(definition: &engine::Definition, card: &RawCard) -> Option<Diagnostic> {
    let sorts = [
        ("on", definition.hooks.len()),
        ("change", definition.changes.len()),
        ("forbid", definition.forbids.len()),
        ("instead", definition.replacements.len()),
    ];
    let (sort, count) = sorts.into_iter().find(|(_, count)| *count > EntryId::MAX)?;
    Some(RuleProblem::TooManyEntries { card: card.id.text.clone(), sort, count, most: EntryId::MAX }.at(card.span))
}

#[cfg(test)]
mod tests {
    use super::{Hook, Op};
    use crate::testing::lowered;

    fn card(entry: &str) -> String {
        format!("[[card]]\nid = \"owl\"\nname = \"Owl\"\nkind = \"tower\"\nheight = 1\n{entry}\n")
    }

    #[test]
    fn a_cost_is_looked_at_before_the_question_and_paid_behind_it() {
        let entry = "on.howl = { cost = \"1 wisp\", ask = \"may\", let = { n = \"wisp\" }, do = \"gain(me, moss, n)\" }";
        let rules = lowered("", &card(entry), 2).rules;
        let owl = rules.definitions.iter().find(|definition| !definition.hooks.is_empty()).unwrap();
        let ops = rules.ops.routine(owl.hooks[0].first_op);
        assert!(
            matches!(
                ops,
                [Op::Unless { .. }, Op::AskFirst { .. }, Op::PayFirst { .. }, Op::Waiting, Op::Script { script: 0 }, Op::Waiting]
            ),
            "{ops:?}"
        );
        assert_eq!(rules.scripts[0].lets[0].name, "n");
    }

    #[test]
    fn what_is_said_is_lowered_for_every_card() {
        let kind = "[[kind]]\nid = \"tower\"\n[[kind.on]]\nwhen = \"howl\"\nask = \"may one of wisp, moss if moss > 2\"\n";
        let change = card("[[card.change]]\nwhat = \"price\"\nby = -1\nuntil = \"round\"");
        let rules = lowered("", &format!("{change}{kind}do = \"gain(me, answer, 1)\"\n"), 2).rules;
        let towers: Vec<_> = rules.definitions.iter().filter(|definition| definition.kind == 1).collect();
        assert_eq!(towers.len(), 2);
        let share = |hooks: &[Hook]| hooks.len() == 1 && hooks[0].first_op == towers[0].hooks[0].first_op;
        assert!(towers.iter().all(|tower| share(&tower.hooks)), "they share it");
        let ops = rules.ops.routine(towers[0].hooks[0].first_op);
        assert!(matches!(ops, [Op::AskFirst { ask: 0, .. }, Op::Script { script: 0 }, Op::Waiting]), "{ops:?}");
        assert_eq!((rules.scripts[0].words.len(), towers[1].changes.len(), rules.arrival_flags.len()), (2, 1, 1));
        assert!(towers[1].changes[0].when.is_some(), "until the round ends");
    }
}
