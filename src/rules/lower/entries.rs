//! What cards and kinds say, lowered for every card that has it.

use super::super::problem::Problem;
use super::super::typed::{self, Ask, Bind, Entries, EntryPart, Expr, Says};
use super::{Env, Lowerer};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::EntryId;
use crate::engine::node::Type;
use crate::engine::op::{Op, Pc};
use crate::engine::ruleset::{
    self as engine, AskBefore, CardAction, Change, Forbid, Hook, How, Instead, NameId, Named, NodeId, ScriptText,
};
use crate::pack::RawCard;
use crate::source::Span;
use std::collections::BTreeMap;

const NOWHERE: Span = Span { file: crate::source::FileId(0), start: 0, end: 0 };

impl Lowerer<'_> {
    /// What every card says, by itself and by its kind.
    pub fn entries(&mut self, entries: &Entries, cards: &[RawCard]) {
        let mut made: BTreeMap<*const typed::Entry, Made> = BTreeMap::new();
        for (number, own) in entries.of_cards.iter().enumerate() {
            let kind = self.out.definitions[number].kind;
            let of_kind = entries.of_kinds.get(&kind).map_or(&[][..], Vec::as_slice);
            for entry in own.iter().chain(of_kind) {
                // Cards of a kind share what the kind says.
                let lowered = match made.get(&std::ptr::from_ref(entry)) {
                    Some(lowered) => lowered.clone(),
                    None => {
                        let lowered = self.entry(entry, number, entries.binds);
                        made.insert(std::ptr::from_ref(entry), lowered.clone());
                        lowered
                    }
                };
                let definition = &mut self.out.definitions[number];
                match lowered {
                    Made::Hook(hook) => definition.hooks.push(hook),
                    Made::Changes(changes) => definition.changes.extend(changes),
                    Made::Forbids(forbids) => definition.forbids.extend(forbids),
                    Made::Instead(instead) => definition.insteads.push(instead),
                    Made::Action(action) => definition.action = Some(action),
                    Made::Leaves(when) => definition.leaves_when = when,
                    Made::Nothing => {}
                }
            }
        }
        // What a kind says too often is told of the first of its cards.
        let beyond = self.out.definitions.iter().zip(cards).find_map(|(definition, card)| too_many_entries(definition, card));
        self.wrong.extend(beyond);
        self.out.arrivals = self.tree.arrivals.iter().map(|&counter| self.slots.offset(counter)).collect();
    }

    fn entry(&mut self, entry: &typed::Entry, number: usize, binds: [Bind; 3]) -> Made {
        let mut env = Env::from(0);
        for bind in binds {
            self.bind(&mut env, bind, NOWHERE);
        }
        let (id, who) = (entry.id.clone(), entry.who);
        match &entry.says {
            Says::On { moment, own_only, parts } => {
                let when = self.condition(entry.when.as_ref(), &mut env);
                let begin = self.parts(parts, &id, (number, false), &mut env);
                Made::Hook(Hook { moment: self.index(*moment), id, who, own_only: *own_only, when, begin })
            }
            Says::Change { quantity, params, amounts } => {
                let mut env = self.with_params(0, params);
                let when = self.condition(entry.when.as_ref(), &mut env);
                let quantity = self.index(*quantity);
                let change = |(how, amount): &(How, Expr)| {
                    let (span, amount) = (Some(amount.span), self.expr(amount, &mut env));
                    Change { quantity, who, when, how: *how, amount, span }
                };
                Made::Changes(amounts.iter().map(change).collect())
            }
            Says::Forbid { action, because } => {
                let when = self.condition(entry.when.as_ref(), &mut env);
                let name = self.out.names.add(action);
                let actions = self.out.actions.iter().enumerate().filter(|(_, action)| action.name == name);
                let forbid = |(action, _)| Forbid { action: cast::fit::<u16>(action), who, when, because: because.clone() };
                Made::Forbids(actions.map(forbid).collect())
            }
            Says::Instead { of, parts } => {
                let when = self.condition(entry.when.as_ref(), &mut env);
                let begin = self.parts(parts, &id, (number, false), &mut env);
                Made::Instead(Instead { of: self.index(*of), id, who, when, begin })
            }
            Says::Action { because, costs, limit, parts } => {
                let needs = self.condition(entry.when.as_ref(), &mut env);
                let costs = costs.iter().map(|(amount, resource)| (self.expr(amount, &mut env), cast::fit::<u8>(*resource))).collect();
                let begin = self.parts(parts, &id, (number, true), &mut env);
                let limit = limit.map(|(times, counter)| (times, self.slots.offset(counter)));
                Made::Action(CardAction { id, needs, because: because.clone(), costs, limit, begin })
            }
            Says::Unheard { parts } => {
                self.parts(parts, &id, (number, false), &mut env);
                Made::Nothing
            }
            Says::Leaves => Made::Leaves(self.condition(entry.when.as_ref(), &mut env)),
        }
    }

    fn condition(&mut self, when: Option<&Expr>, env: &mut Env) -> Option<NodeId> {
        when.map(|when| self.expr(when, env))
    }

    /// Lays what an entry does: part by part, each when all that the one before set off is at rest. A question that gets no answer
    /// ends it, and so does a cost that cannot be paid. `number` is the card by which the scripts are known; an action of a card is paid first.
    fn parts(&mut self, parts: &[EntryPart], id: &str, (number, pays): (usize, bool), env: &mut Env) -> Pc {
        let begin = self.out.ops.begin(id);
        // Who has heard of a payment acts before the script that it is for.
        if pays {
            self.out.ops.emit(Op::PayCard);
            self.out.ops.emit(Op::Waiting);
        }
        // An answer is known to the parts that follow.
        let mut words: Vec<NameId> = Vec::new();
        let (mut unanswered, mut unpaid) = (Vec::new(), Vec::new());
        for part in parts {
            let (text, span) = part.script.clone();
            self.out.ops.span = Some(span);
            let when = self.condition(part.when.as_ref(), env);
            let skipped = when.map(|when| self.out.ops.ahead(move |to| Op::Unless(when, to)));
            if let Some(cost) = &part.cost {
                let payable = self.expr(&cost.payable, env);
                unpaid.push(self.out.ops.ahead(move |to| Op::Unless(payable, to)));
            }
            if let Some(ask) = &part.ask {
                let (ask, offered) = self.ask(ask, env);
                words = offered;
                self.out.ops.asks.push(ask);
                let ask = cast::fit::<u32>(self.out.ops.asks.len()) - 1;
                unanswered.push(self.out.ops.ahead(move |to| Op::AskFirst(ask, to)));
            }
            if let Some(cost) = &part.cost {
                let costs: Vec<(NodeId, u8)> =
                    cost.costs.iter().map(|(amount, resource)| (self.expr(amount, env), cast::fit::<u8>(*resource))).collect();
                self.out.ops.emit(Op::PayFirst(costs.into()));
                self.out.ops.emit(Op::Waiting);
            }
            let words = words.clone();
            let mut named = |(name, span, value): &(String, Span, Expr)| Named {
                name: name.clone(),
                span: *span,
                truth: value.ty == Type::Truth,
                value: self.expr(value, env),
            };
            let lets = part.lets.iter().map(&mut named).collect();
            self.out.scripts.push(ScriptText {
                owner: id.to_string(),
                definition: cast::fit::<i32>(number),
                text,
                span: Some(span),
                words,
                lets,
            });
            self.out.ops.emit(Op::Script(cast::fit::<u32>(self.out.scripts.len()) - 1));
            self.out.ops.emit(Op::Waiting);
            skipped.into_iter().for_each(|skipped| self.out.ops.land(skipped));
        }
        unanswered.into_iter().for_each(|question| self.out.ops.land(question));
        unpaid.into_iter().for_each(|cost| self.out.ops.land(cost));
        self.out.ops.end();
        begin
    }

    fn ask(&mut self, ask: &Ask, env: &mut Env) -> (AskBefore, Vec<NameId>) {
        let id = ask.id.clone();
        if ask.offers.is_empty() {
            let (yes, no) = (self.out.names.add("yes"), self.out.names.add("no"));
            let offers = [yes, no].map(|name| (engine::Offer::Word { name, bare: false }, None)).to_vec();
            return (AskBefore { id, may: false, no: Some(no), offers }, vec![yes, no]);
        }
        let mut words = Vec::new();
        let mut offers = Vec::new();
        for (offer, when) in &ask.offers {
            let mut there = env.clone();
            let offer = self.offer(offer, &mut there, NOWHERE);
            if let engine::Offer::Word { name, .. } = offer {
                words.push(name);
            }
            offers.push((offer, self.condition(when.as_ref(), &mut there)));
        }
        (AskBefore { id, may: ask.may, no: None, offers }, words)
    }
}

/// What a card says of one sort more often than can be told apart.
fn too_many_entries(definition: &engine::Definition, card: &RawCard) -> Option<Diagnostic> {
    let sorts = [
        ("on", definition.hooks.len()),
        ("change", definition.changes.len()),
        ("forbid", definition.forbids.len()),
        ("instead", definition.insteads.len()),
    ];
    let (sort, count) = sorts.into_iter().find(|(_, count)| *count > EntryId::MAX)?;
    Some(Problem::TooManyEntries { card: card.id.text.clone(), sort, count, most: EntryId::MAX }.at(card.span))
}

/// What an entry becomes.
#[derive(Clone)]
enum Made {
    Hook(Hook),
    Changes(Vec<Change>),
    Forbids(Vec<Forbid>),
    Instead(Instead),
    Action(CardAction),
    Leaves(Option<NodeId>),
    Nothing,
}

#[cfg(test)]
mod tests {
    use crate::engine::op::Op;
    use crate::sample::{lowered, said_of_cards};

    fn card(entry: &str) -> String {
        format!("[[card]]\nid = \"owl\"\nname = \"Owl\"\nkind = \"tower\"\nheight = 1\n{entry}\n")
    }

    fn said(entry: &str) -> Vec<String> {
        said_of_cards("", &card(entry)).into_iter().map(|said| said.0).collect()
    }

    #[test]
    fn a_cost_is_looked_at_before_the_question_and_paid_behind_it() {
        let (lowered, wrong) =
            lowered("", &card("on.howl = { cost = \"1 wisp\", ask = \"may\", let = { n = \"wisp\" }, do = \"gain(me, moss, n)\" }"), 2);
        assert!(wrong.is_empty(), "{wrong:?}");
        let owl = lowered.rules.definitions.iter().find(|definition| !definition.hooks.is_empty()).unwrap();
        let ops = lowered.rules.ops.routine(owl.hooks[0].begin);
        assert!(matches!(ops, [Op::Unless(..), Op::AskFirst(..), Op::PayFirst(..), Op::Waiting, Op::Script(0), Op::Waiting]), "{ops:?}");
        assert_eq!(lowered.rules.scripts[0].lets[0].name, "n");
        assert_eq!(said("[[card.on]]\nwhen = \"howl\"\ncost = \"1 msos\"\ndo = \"gain(me, wisp, 1)\""), ["`msos` is not a resource"]);
        let value = "[[card.on]]\nwhen = \"howl\"\nlet = { n = \"most famuos\" }\ndo = \"gain(me, wisp, n)\"";
        assert_eq!(said(value), ["no condition is called \"most famuos\""]);
    }

    #[test]
    fn what_is_said_is_lowered_for_every_card() {
        let kind = "[[kind]]\nid = \"tower\"\n[[kind.on]]\nwhen = \"howl\"\nask = \"may one of wisp, moss if moss > 2\"\ndo = \"gain(me, answer, 1)\"\n";
        let (lowered, wrong) = lowered("", &format!("{}{kind}", card("[[card.change]]\nwhat = \"price\"\nby = -1\nuntil = \"round\"")), 2);
        assert!(wrong.is_empty(), "{wrong:?}");
        let towers: Vec<_> = lowered.rules.definitions.iter().filter(|definition| definition.kind == 1).collect();
        assert_eq!(towers.len(), 2);
        assert!(towers.iter().all(|tower| tower.hooks.len() == 1 && tower.hooks[0].begin == towers[0].hooks[0].begin), "they share it");
        let ops = lowered.rules.ops.routine(towers[0].hooks[0].begin);
        assert!(matches!(ops, [Op::AskFirst(0, _), Op::Script(0), Op::Waiting]), "{ops:?}");
        assert_eq!(lowered.rules.scripts[0].words.len(), 2);
        assert_eq!((towers[1].changes.len(), lowered.rules.arrivals.len()), (1, 1));
        assert!(towers[1].changes[0].when.is_some(), "until the round ends");
    }

    #[test]
    fn more_entries_on_a_card_than_can_be_told_apart_are_told() {
        let entry = "[[card.change]]\nwhat = \"fame\"\nby = 1\n";
        let (found, wrong) = lowered("", &card(&entry.repeat(256)), 2);
        assert_eq!((wrong, found.rules.definitions[2].changes.len()), (Vec::new(), 256));
        let (_, wrong) = lowered("", &card(&entry.repeat(300)), 2);
        assert_eq!(wrong, ["`owl` has 300 entries `change`; a card can have 256, those of its kind included"]);
    }
}
