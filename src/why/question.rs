//! Why an answer to the open question is allowed or refused.

use crate::cast;
use crate::in_play;
use std::sync::Arc;

use super::Why;
use super::entries::ask_of;
use super::explainer::{Explainer, NameScope};
use super::option::{NO_SPAN, OptionCheck};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::decision::Question;
use crate::engine::eval::Env;
use crate::engine::op::Op;
use crate::engine::ruleset::Offer;
use crate::engine::{Decision, Game};
use crate::lang::lower::Bindings as Bound;
use crate::lang::typed::{self, Block, Expr, PhasePart, Rules, Stmt};

/// An offer of a question: as a typed tree, and the expression for its cards if there is one.
type TypedOffer<'a> = (&'a typed::Offer, Option<&'a Expr>);

impl Why {
    /// Checks all conditions that an answer to the open question must satisfy.
    pub(super) fn checks_of_question(&mut self, game: &Game, seat: usize, key: &str) -> Result<Vec<OptionCheck>, Box<Diagnostic>> {
        let unknown = |known: Vec<&str>| {
            let message = format!("no option is called `{key}` here");
            Err(Box::new(
                Diagnostic::error("G160", None, message).meant(nearest(key, known)).help("without a name `why` lists what can be asked"),
            ))
        };
        let Some(decision) = game.decision().cloned() else { return unknown(Vec::new()) };
        let rules = Arc::clone(&self.rules);
        let keys: Vec<String> = decision.options.iter().map(|option| option.text(&rules)).collect();
        let mine = decision.seat == seat;
        let id = decision.question.text(&rules);
        let asked = if mine {
            format!("p{} is asked `{id}`", seat + 1)
        } else {
            format!("p{} is asked `{id}`, not p{}", decision.seat + 1, seat + 1)
        };
        let mut checks = vec![OptionCheck::new("turn", mine, asked)];
        let offered = keys.iter().any(|known| known == key);
        let mut wrong = Vec::new();
        let mark = self.reader.checkpoint();
        let bound = match decision.question {
            Question::Rules(question) => self.reader.question_bindings().get(question as usize).cloned(),
            Question::Turn(_) | Question::Card(_) | Question::Cover | Question::Payment => None,
        };
        let mut explainer = self.make_explainer(game, &mut wrong);
        let found = explainer.checks_of_answer(&decision, bound, key);
        drop(explainer);
        self.reader.roll_back(mark);
        match found {
            Some(found) => checks.extend(found),
            None if offered => {}
            None => {
                let action = self.rules().actions.iter().map(|action| self.rules().names.text(action.name));
                return unknown(keys.iter().map(String::as_str).chain(action).collect());
            }
        }
        if !offered && checks.iter().all(|check| check.holds) {
            // In a series of picks, the order is given by the previous pick, which may be a card with the same name.
            checks.push(OptionCheck::new("offer", false, format!("`{id}` offers now: {}", keys.join(", "))));
        }
        Ok(checks)
    }

    /// Returns all possible answers to the open question, offered or not.
    pub(super) fn known_answers(&mut self, game: &Game, decision: &Decision) -> Vec<String> {
        let bound = match decision.question {
            Question::Rules(question) => self.reader.question_bindings().get(question as usize).cloned(),
            Question::Turn(_) | Question::Card(_) | Question::Cover | Question::Payment => None,
        };
        let mut wrong = Vec::new();
        let mark = self.reader.checkpoint();
        let mut explainer = self.make_explainer(game, &mut wrong);
        let known = explainer.keys_of_answers(decision, bound);
        drop(explainer);
        self.reader.roll_back(mark);
        known
    }
}

impl<'a> Explainer<'a> {
    /// Returns the offers of the open question, with the scope of their names and the values of these names.
    fn offers(&mut self, decision: &Decision, bound: Option<Bound>) -> Option<(Vec<TypedOffer<'a>>, NameScope<'a>, Env)> {
        let tree = self.tree;
        match decision.question {
            Question::Rules(number) => {
                let id = self.rules().questions.get(number as usize)?.id.clone();
                let question = find_question(tree, &id)?;
                let offers = question.choices.iter().map(|choice| (&choice.offer, choice.when.as_ref())).collect();
                Some((offers, NameScope::with_bound(bound?), self.game.on(self.lowerer.ruleset).question_op().1))
            }
            Question::Card(definition) => {
                let kind = self.rules().definitions.get(definition as usize)?.kind;
                let (pc, run) = self.game.on(self.lowerer.ruleset).question_op();
                let ask = [pc, pc.before()].into_iter().find_map(|at| match self.rules().ops.all.get(at.0 as usize) {
                    Some(Op::AskFirst { ask, .. }) => self.rules().ops.card_questions.get(*ask as usize),
                    _ => None,
                })?;
                let ask = ask_of(self.entries, definition as usize, kind, &ask.id)?;
                let offers = ask.offers.iter().map(|(offer, when)| (offer, when.as_ref())).collect();
                Some((offers, self.entry_scope(), run))
            }
            Question::Turn(_) | Question::Cover | Question::Payment => None,
        }
    }

    /// Checks the conditions for an answer. Returns `None` if the question does not have it.
    fn checks_of_answer(&mut self, decision: &Decision, bound: Option<Bound>, key: &str) -> Option<Vec<OptionCheck>> {
        let (offers, scope, run) = self.offers(decision, bound)?;
        let mut found: Option<Vec<OptionCheck>> = None;
        for (offer, when) in offers {
            for (told, there, at, in_set) in self.candidates(offer, &scope, &run) {
                if told != key {
                    continue;
                }
                let mut checks = Vec::new();
                if let Some(in_set) = in_set {
                    checks.push(in_set);
                }
                if let Some(when) = when {
                    let why = self.explain(when, &there, &at);
                    let holds = why.as_ref().is_some_and(|why| !why.is_false());
                    let place = why.as_ref().and_then(|why| why.location.clone());
                    checks.push(OptionCheck {
                        location: place,
                        explanation: why,
                        ..OptionCheck::new("if", holds, format!("`{told}` can be chosen only if this holds"))
                    });
                }
                // If several candidates have the same key, use one that is allowed.
                let refused = |checks: &[OptionCheck]| checks.iter().any(|check| !check.holds);
                if found.as_deref().is_none_or(refused) {
                    found = Some(checks);
                }
            }
        }
        found
    }

    fn keys_of_answers(&mut self, decision: &Decision, bound: Option<Bound>) -> Vec<String> {
        let Some((offers, scope, run)) = self.offers(decision, bound) else { return Vec::new() };
        let mut keys: Vec<String> =
            offers.into_iter().flat_map(|(offer, _)| self.candidates(offer, &scope, &run)).map(|candidate| candidate.0).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// Returns all candidates of an offer: key, scope and values of its names, and for a card the condition that it belongs to the offered
    /// ones.
    fn candidates(
        &mut self,
        offer: &'a typed::Offer,
        scope: &NameScope<'a>,
        run: &Env,
    ) -> Vec<(String, NameScope<'a>, Env, Option<OptionCheck>)> {
        let mut there = scope.clone();
        let lowered = self.lowerer.lower_offer(offer, &mut there.bound, NO_SPAN);
        let mut all = Vec::new();
        match lowered {
            Offer::Word { name, bare } => {
                let name = self.rules().names.text(name);
                all.push((if bare { name.to_string() } else { format!("choose {name}") }, there, *run, None));
            }
            Offer::Words { local, words } => {
                for &(name, word) in &words {
                    let mut at = *run;
                    at.locals[local as usize] = word;
                    all.push((format!("choose {}", self.rules().names.text(name)), there.clone(), at, None));
                }
            }
            Offer::Numbers { local, from, to } => {
                let [from, to] = [from, to].map(|node| self.game.on(self.lowerer.ruleset).plain_value(node, run).unwrap_or(0));
                for number in (from..=to).take(crate::engine::question::MAX_OPTIONS).filter_map(|number| i32::try_from(number).ok()) {
                    let mut at = *run;
                    at.locals[local as usize] = number;
                    all.push((format!("choose {number}"), there.clone(), at, None));
                }
            }
            Offer::Cards(set) => {
                let local = self.rules().sets[set as usize].local as usize;
                let fits = self.game.on(self.lowerer.ruleset).plain_cards(set, run).unwrap_or_default();
                for card in in_play::cards_in_set_places(self.lowerer.ruleset, &self.game, set, run.me) {
                    let mut at = *run;
                    at.locals[local] = cast::fit::<i32>(card);
                    let key = format!("choose {}", self.rules().names.text(self.rules().definition(card).id));
                    let missing =
                        (!fits.contains(&(cast::fit::<i32>(card)))).then(|| self.failed_offer_condition(offer, card, &there, &at));
                    all.push((key, there.clone(), at, missing));
                }
            }
        }
        all
    }

    /// Returns the condition because of which a card in the right place is not offered.
    fn failed_offer_condition(&mut self, offer: &'a typed::Offer, card: usize, scope: &NameScope<'a>, run: &Env) -> OptionCheck {
        let name = self.source_texts.card_name_and_location(self.rules(), card).0;
        let check = |says: String| OptionCheck::new("card", false, says);
        let typed::Offer::Cards(cards) = offer else { return check(format!("{name} is not offered")) };
        if let Some(filter) = &cards.filter
            && let Some(why) = self.explain(filter, scope, run).filter(|why| why.is_false())
        {
            return OptionCheck {
                location: why.location.clone(),
                explanation: Some(why),
                ..check(format!("{name} is not one that can be chosen"))
            };
        }
        match cards.with {
            Some(counter) => check(format!("{name} has no {}", self.tree.defs[counter].name)),
            None => check(format!("{name} does not lie in a row that can be chosen from")),
        }
    }
}

/// Finds a question by its id in the whole program.
fn find_question<'a>(tree: &'a Rules, id: &str) -> Option<&'a typed::Question> {
    let bodies = tree.bodies.values().filter_map(|body| if let typed::Body::Effect(_, block) = body { Some(block) } else { None });
    let phases = tree.phases.iter().flat_map(|phase| &phase.parts);
    let mut of_phases: Vec<&'a [Stmt]> = Vec::new();
    for part in phases {
        match part {
            PhasePart::Do(stmt) => of_phases.push(std::slice::from_ref(stmt)),
            PhasePart::Step(step) => of_phases.push(&step.block),
            PhasePart::Turns(turns) => {
                of_phases.extend(turns.first.as_deref());
                of_phases.extend(turns.actions.iter().map(|action| action.body.as_slice()));
            }
        }
    }
    let others = tree.shortages.iter().map(|shortage| &shortage.block).chain(tree.leaving.iter().map(|leaving| &leaving.2));
    let others = others.chain(tree.dealt.iter().map(|dealt| &dealt.1)).chain([&tree.setup]);
    let all = bodies.chain(others).map(Block::as_slice).chain(of_phases);
    all.into_iter().find_map(|block| find_in_block(block, id))
}

fn find_in_block<'a>(block: &'a [Stmt], id: &str) -> Option<&'a typed::Question> {
    block.iter().find_map(|stmt| {
        if let typed::StmtKind::Ask(question) = &stmt.kind
            && question.id == id
        {
            return Some(question);
        }
        stmt.blocks().into_iter().find_map(|block| find_in_block(block, id))
    })
}
