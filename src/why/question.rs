//! Why an answer to the open question is allowed or refused.

use crate::cast;
use crate::in_play;
use std::sync::Arc;

use super::Why;
use super::entries::ask_of;
use super::explainer::{Explainer, NameScope};
use super::option::{NO_SPAN, OptionCheck};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::decision::{Args, Question};
use crate::engine::eval::Env;
use crate::engine::op::Op;
use crate::engine::options::{MAX_OPTIONS, MAX_PARAMS};
use crate::engine::ruleset::{self, Domain};
use crate::engine::{Act, Decision, Game, Opt};
use crate::lang::lower::Bindings as Bound;
use crate::lang::typed::{self, Cards, Choice, Expr, SeatFilter, Seats};

/// A candidate: the key that it would have, the scope and values of its names, and the condition because of which it cannot be chosen, though
/// it lies in the right place.
struct Candidate<'a> {
    key: String,
    scope: NameScope<'a>,
    env: Env,
    missing: Option<OptionCheck>,
}

/// What a question offers, as a typed tree.
enum Offered<'a> {
    /// An answer to a question of the rules: its index, and the tree.
    Answer(u16, &'a Choice),
    /// An offer of a question on a card, and its condition.
    OnCard(&'a typed::Offer, Option<&'a Expr>),
}

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
        let offered = keys.iter().any(|known| without_choose(known) == without_choose(key));
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
                let action = self.rules().actions().iter().map(|action| self.rules().names.text(action.name));
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
    /// Returns what the open question offers, with the scope of its names and the values of these names.
    fn offers(&mut self, decision: &Decision, bound: Option<Bound>) -> Option<(Vec<Offered<'a>>, NameScope<'a>, Env)> {
        let tree = self.tree;
        match decision.question {
            Question::Rules(number) => {
                let asked = self.rules().questions.get(number as usize)?.clone();
                let question = tree.question(&asked.id)?;
                let offers = question.choices.iter().zip(asked.choices).map(|(choice, index)| Offered::Answer(index, choice)).collect();
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
                let offers = ask.offers.iter().map(|(offer, when)| Offered::OnCard(offer, when.as_ref())).collect();
                Some((offers, self.entry_scope(), run))
            }
            Question::Turn(_) | Question::Cover | Question::Payment => None,
        }
    }

    /// Checks the conditions for an answer. Returns `None` if the question does not have it.
    fn checks_of_answer(&mut self, decision: &Decision, bound: Option<Bound>, key: &str) -> Option<Vec<OptionCheck>> {
        let (offers, scope, run) = self.offers(decision, bound)?;
        let mut found: Option<Vec<OptionCheck>> = None;
        for offer in offers {
            for candidate in self.candidates(&offer, &scope, &run) {
                if without_choose(&candidate.key) != without_choose(key) {
                    continue;
                }
                let mut checks: Vec<OptionCheck> = candidate.missing.into_iter().collect();
                let when = match offer {
                    Offered::Answer(_, choice) => choice.when.as_ref(),
                    Offered::OnCard(_, when) => when,
                };
                if let Some(when) = when {
                    let why = self.explain(when, &candidate.scope, &candidate.env);
                    let holds = why.as_ref().is_some_and(|why| !why.is_false());
                    let place = why.as_ref().and_then(|why| why.location.clone());
                    checks.push(OptionCheck {
                        location: place,
                        explanation: why,
                        ..OptionCheck::new("if", holds, format!("`{key}` can be chosen only if this holds"))
                    });
                }
                if let Offered::Answer(_, choice) = offer {
                    checks.extend(self.guard_checks(choice, &candidate.scope, &candidate.env));
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
            offers.into_iter().flat_map(|offer| self.candidates(&offer, &scope, &run)).map(|candidate| candidate.key).collect();
        keys.sort();
        keys.dedup();
        keys
    }

    /// Returns all candidates of what a question offers.
    fn candidates(&mut self, offer: &Offered<'a>, scope: &NameScope<'a>, run: &Env) -> Vec<Candidate<'a>> {
        let mut all = Vec::new();
        match offer {
            Offered::Answer(index, choice) => {
                let lowered = self.rules().choices[*index as usize].clone();
                let there = self.choice_scope(choice, &lowered, scope.bound.clone());
                let at = Stage { index: *index, choice, lowered: &lowered, scope: &there };
                self.candidates_from(&at, 0, ([-1; MAX_PARAMS], *run), None, &mut all);
            }
            Offered::OnCard(offer, _) => {
                let mut there = scope.clone();
                match self.lowerer.lower_offer(offer, &mut there.bound, NO_SPAN) {
                    ruleset::Offer::Word(name) => {
                        let key = format!("choose {}", self.rules().names.text(name));
                        all.push(Candidate { key, scope: there, env: *run, missing: None });
                    }
                    ruleset::Offer::Cards(set) => {
                        let typed::Offer::Cards(cards) = offer else { return all };
                        for (card, env, missing) in self.cards_in(cards, set, &there, run) {
                            let key = format!("choose {}", self.rules().names.text(self.rules().definition(card).id));
                            all.push(Candidate { key, scope: there.clone(), env, missing });
                        }
                    }
                }
            }
        }
        all
    }

    /// Adds the candidates of an answer for all values of the parameters from a stage on.
    fn candidates_from(
        &mut self,
        at: &Stage<'a, '_>,
        stage: usize,
        (args, env): (Args, Env),
        missing: Option<OptionCheck>,
        all: &mut Vec<Candidate<'a>>,
    ) {
        if all.len() > MAX_OPTIONS {
            return;
        }
        let (Some(param), Some(typed)) = (at.lowered.params.get(stage), at.choice.params.get(stage)) else {
            let key = Opt::new(self.rules(), Act::Choice(at.index, args)).text(self.rules());
            all.push(Candidate { key, scope: at.scope.clone(), env, missing });
            return;
        };
        let local = param.local as usize;
        let mut values: Vec<(i32, Option<OptionCheck>)> = Vec::new();
        if param.maybe {
            values.push((-1, None));
        }
        match (&param.domain, &typed.domain) {
            (Domain::Cards(set), typed::Domain::Cards(cards)) => {
                let found = self.cards_in(cards, *set, at.scope, &env);
                values.extend(found.into_iter().map(|(card, _, missing)| (cast::fit::<i32>(card), missing)));
            }
            (Domain::Words(words), _) => values.extend(words.iter().map(|(_, value)| (*value, None))),
            (Domain::Numbers { from, to }, _) => {
                let [from, to] = [*from, *to].map(|node| self.game.store(self.lowerer.ruleset).plain_value(node, &env).unwrap_or(0));
                let numbers = (from..=to).take(MAX_OPTIONS).filter_map(|number| i32::try_from(number).ok());
                values.extend(numbers.map(|number| (number, None)));
            }
            (Domain::Players(set), typed::Domain::Players(_, seats)) => {
                for seat in (0..self.rules().players).filter(|&seat| seat != env.me || !set.others) {
                    let mut there = env;
                    there.locals[set.local as usize] = i32::from(cast::seat(env.me));
                    there.locals[local] = i32::from(cast::seat(seat));
                    there.me = seat;
                    let fits = set.filter.is_none_or(|node| self.game.store(self.lowerer.ruleset).plain_value(node, &there) != Some(0));
                    let missing = (!fits).then(|| self.failed_player_condition(seats, (seat, env.me), at.scope, &there));
                    values.push((i32::from(cast::seat(seat)), missing));
                }
            }
            (Domain::Cards(_) | Domain::Players(_), _) => {}
        }
        for (value, here) in values {
            let (mut args, mut env) = (args, env);
            (args[stage], env.locals[local]) = (value, value);
            self.candidates_from(at, stage + 1, (args, env), missing.clone().or(here), all);
        }
    }

    /// Returns the cards in the places of a set, each with the values of names, and with the condition because of which it is not in the set.
    fn cards_in(&mut self, cards: &'a Cards, set: u32, scope: &NameScope<'a>, run: &Env) -> Vec<(usize, Env, Option<OptionCheck>)> {
        let local = self.rules().sets[set as usize].local as usize;
        let fits = self.game.store(self.lowerer.ruleset).plain_cards(set, run).unwrap_or_default();
        let mut found = Vec::new();
        for card in in_play::cards_in_set_places(self.lowerer.ruleset, &self.game, set, run.me) {
            let mut at = *run;
            at.locals[local] = cast::fit::<i32>(card);
            let missing = (!fits.contains(&(cast::fit::<i32>(card)))).then(|| self.failed_offer_condition(cards, card, scope, &at));
            found.push((card, at, missing));
        }
        found
    }

    fn failed_player_condition(
        &mut self,
        seats: &'a Seats,
        (seat, asker): (usize, usize),
        scope: &NameScope<'a>,
        run: &Env,
    ) -> OptionCheck {
        let check = OptionCheck::new("player", false, format!("p{} is not one that can be chosen", seat + 1));
        match &seats.filter {
            SeatFilter::Where(filter) => check.with_explanation(self.explain(filter, scope, run)),
            SeatFilter::Named(filter) => check.with_explanation(self.explain(filter, scope, &Env { me: asker, ..*run })),
            SeatFilter::All | SeatFilter::Compared(..) => check,
        }
    }

    /// Returns the condition because of which a card in the right place is not offered.
    fn failed_offer_condition(&mut self, cards: &'a Cards, card: usize, scope: &NameScope<'a>, run: &Env) -> OptionCheck {
        let name = self.source_texts.card_name_and_location(self.rules(), card).0;
        let check = |says: String| OptionCheck::new("card", false, says);
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

/// Returns a key without the word that may be left out.
fn without_choose(key: &str) -> &str {
    key.strip_prefix("choose ").unwrap_or(key)
}

/// An answer whose candidates are listed: its index, its forms, and the scope of its names.
struct Stage<'a, 's> {
    index: u16,
    choice: &'a Choice,
    lowered: &'s ruleset::Choice,
    scope: &'s NameScope<'a>,
}
