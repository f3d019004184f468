//! Why an option is allowed or refused: every condition that is checked, in order.

use super::Why;
use super::entries::{action_of, forbid_of};
use super::explainer::{Explainer, NameScope};
use super::explanation::Explanation;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::decision::{Args, Question};
use crate::engine::eval::Env;
use crate::engine::keys;
use crate::engine::meaning::{Absence, KeyMeaning};
use crate::engine::options::MAX_PARAMS;
use crate::engine::ruleset::{self, Ruleset};
use crate::engine::{Act, Decision, Game};
use crate::in_play;
use crate::lang::lower::Bindings as Bound;
use crate::lang::typed::{BindingId, Choice, Cost, Domain, EntryBody, PhasePart, Rules};
use crate::source::{FileId, Span};
use std::sync::Arc;

/// A placeholder for expressions that have no location in a source text.
pub(super) const NO_SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };

/// Why an option is allowed or refused.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OptionExplanation {
    /// Key of the option, such as `choose wolf`.
    pub option: String,
    /// Name of the seat that would take the option, as `p1`.
    pub seat: String,
    /// Whether the option is offered now.
    pub possible: bool,
    /// All conditions that are checked, in the order of the rules.
    pub checks: Vec<OptionCheck>,
}

/// A condition that an option must satisfy.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OptionCheck {
    /// Name of the guard in the rules, or `turn`, `card`, `cost` or `forbidden` for conditions that exist in every game.
    pub name: String,
    /// The condition in words; if it does not hold, the message that players see.
    #[serde(rename = "says")]
    pub text: String,
    /// Whether the condition holds.
    pub holds: bool,
    /// Location of the condition in the rules or on a card, as file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "at")]
    pub location: Option<String>,
    /// Explanation of the condition's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "why")]
    pub explanation: Option<Explanation>,
}

impl OptionCheck {
    pub(super) fn new(name: impl Into<String>, holds: bool, text: impl Into<String>) -> OptionCheck {
        OptionCheck { name: name.into(), text: text.into(), holds, location: None, explanation: None }
    }

    /// Removes details that the receiver of the explanation must not know.
    fn remove_details(&mut self) {
        // The place of a cost is that of a card's printed number.
        (self.explanation, self.location) = (None, None);
        if self.name == "cost" {
            self.text = if self.holds { "it can be paid" } else { "it costs more than there is" }.to_string();
        }
    }

    pub(super) fn with_explanation(self, why: Option<Explanation>) -> OptionCheck {
        let at = why.as_ref().and_then(|why| why.location.clone());
        OptionCheck { location: self.location.or(at), explanation: why, ..self }
    }
}

impl OptionExplanation {
    /// Returns the conditions that do not hold.
    pub fn refusals(&self) -> impl Iterator<Item = &OptionCheck> {
        self.checks.iter().filter(|check| !check.holds)
    }
}

impl Why {
    /// Explains why a seat can or cannot take an option now. A card in the wrong place is a condition that does not hold; an unknown word
    /// is an error.
    ///
    /// # Errors
    /// A diagnostic if no option can have this key.
    pub fn explain_option(&mut self, game: &Game, seat: usize, key: &str) -> Result<OptionExplanation, Box<Diagnostic>> {
        let offered = game
            .decision()
            .filter(|decision| decision.seat == seat)
            .is_some_and(|decision| decision.options.iter().any(|option| option.text(self.rules()) == key));
        if let Some(check) = self.unseen_card(game, key).filter(|_| !offered) {
            let (option, seat) = (key.to_string(), format!("p{}", seat + 1));
            return Ok(OptionExplanation { option, seat, possible: false, checks: vec![check] });
        }
        let checks = if self.is_action(key) && !self.is_open_answer(game, seat, key) {
            self.checks_of_action(game, seat, key)?
        } else {
            self.checks_of_question(game, seat, key)?
        };
        let mut why = OptionExplanation { option: key.to_string(), seat: format!("p{}", seat + 1), possible: offered, checks };
        if !offered && why.refusals().next().is_none() {
            why.checks.push(OptionCheck::new("offer", false, "it is not among what is offered now"));
        }
        if self.take_read_hidden() && self.viewer.is_some() {
            why.checks.iter_mut().for_each(OptionCheck::remove_details);
        }
        Ok(why)
    }

    /// Returns what is told of a key that names a card of which the viewer does not know every copy: the same wherever they lie.
    fn unseen_card(&self, game: &Game, key: &str) -> Option<OptionCheck> {
        let (rules, viewer) = (self.rules(), self.viewer?);
        let is_unseen = |word: &&str| {
            let Some(definition) = rules.find_definition(word) else { return false };
            let mut pieces = (0..rules.layout.pieces).filter(|&piece| rules.piece_definition[piece] as usize == definition);
            pieces.any(|piece| rules.is_unknown(game.cells(), viewer, piece))
        };
        let card = key.split_whitespace().find(is_unseen)?;
        Some(OptionCheck::new("card", false, format!("it is not offered, and where every `{card}` lies p{} does not know", viewer + 1)))
    }

    /// Whether a seat is asked a question that has an answer with this key, which may begin like an action.
    fn is_open_answer(&mut self, game: &Game, seat: usize, key: &str) -> bool {
        let answers = game.clone().on(self.rules()).open_answers(seat);
        let decision = game.decision().filter(|_| !answers.is_empty()).cloned();
        decision.is_some_and(|decision| self.known_answers(game, &decision).iter().any(|known| known == key))
    }

    /// Whether a key is that of an action, or begins with the name of one.
    pub(super) fn is_action(&self, key: &str) -> bool {
        !keys::actions_of_key(self.rules(), key, None).is_empty()
    }

    fn checks_of_action(&mut self, game: &Game, seat: usize, key: &str) -> Result<Vec<OptionCheck>, Box<Diagnostic>> {
        let (action, args) = match game.clone().on(&self.rules).meaning_of_action(seat, key) {
            KeyMeaning::Choice(action, args) => (action, Ok(args)),
            KeyMeaning::Absent(action, absence) => (action, Err(absence)),
            KeyMeaning::Unknown => (0, Err(Absence::NotAmong)),
        };
        let mut checks = vec![self.check_turn(game, seat, action.into())];
        match args {
            Ok(args) => {
                let engine = game.clone().on(self.rules()).refusals(seat, action, args);
                let mut wrong = Vec::new();
                let mark = self.reader.checkpoint();
                let mut explainer = self.make_explainer(game, &mut wrong);
                checks.extend(explainer.action_checks(action.into(), args, seat));
                drop(explainer);
                self.reader.roll_back(mark);
                // For example, a question that the acting card asks first has no possible answer.
                let told = checks.iter().any(|check| !check.holds && check.name == "card");
                let of_card = engine.into_iter().filter(|refusal| !told && refusal.name == "card");
                checks.extend(of_card.map(|refusal| OptionCheck::new(refusal.name, false, refusal.reason)));
            }
            Err(absence) => checks.push(self.check_of_absence(game, seat, (action.into(), absence), key)?),
        }
        Ok(checks)
    }

    /// Checks that it is the seat's turn, and that the action is available in it.
    fn check_turn(&self, game: &Game, seat: usize, action: usize) -> OptionCheck {
        let rules = self.rules();
        let check = |holds, says: String| OptionCheck::new("turn", holds, says);
        let me = seat + 1;
        match game.decision() {
            None if game.finished() => check(false, "the game is over".into()),
            None => check(false, "nobody is asked anything now".into()),
            Some(Decision { seat: asked, question: Question::Turn(turns), .. }) => {
                let turns = &rules.turns[*turns as usize];
                let passed = turns.has_passed(game.cells(), &rules.layout, seat);
                if *asked != seat && passed {
                    return check(false, format!("p{me} has ended its turns"));
                }
                if *asked != seat {
                    return check(false, format!("p{} is on turn, not p{me}", asked + 1));
                }
                let phase = rules.choices[action].address.split('.').next().unwrap_or("");
                let here = turns.actions.contains(&cast::fit::<u16>(action));
                check(
                    here,
                    if here {
                        format!("p{me} is on turn")
                    } else {
                        format!("this can be done in phase `{phase}`, not in `{}`", turns.question)
                    },
                )
            }
            Some(decision) => check(false, format!("p{} is asked `{}` first", decision.seat + 1, decision.question.text(rules))),
        }
    }

    /// Returns the condition that does not hold for a key that is that of none of an action's options. No further ones are checked then.
    fn check_of_absence(
        &mut self,
        game: &Game,
        seat: usize,
        (action, absence): (usize, Absence),
        key: &str,
    ) -> Result<OptionCheck, Box<Diagnostic>> {
        let rules = Arc::clone(&self.rules);
        let params = &rules.choices[action].params;
        let card = |says: String| OptionCheck::new("card", false, says);
        Ok(match absence {
            Absence::NotAmong => OptionCheck::new("option", false, format!("`{key}` is not among what can be chosen")),
            Absence::NoWord { stage } => {
                card(format!("`{}` and a card are missing from `{key}`", params[stage].word.map_or("", |word| rules.names.text(word))))
            }
            Absence::NoCard { stage } => {
                let in_places = params[stage].cards().map_or(String::new(), |set| self.places_of(&rules, set));
                card(format!("`{key}` names too few cards: one in {in_places} is missing"))
            }
            Absence::UnknownCard { word } => return Err(self.unknown_card_error(&rules, &word)),
            Absence::TooMuch { word } if rules.find_definition(&word).is_none() => return Err(self.unknown_card_error(&rules, &word)),
            Absence::NotThere { stage, definition, args } => self.wrong_place(game, &rules, (action, stage), (definition, args, seat)),
            Absence::Unseen { definition } => {
                let id = rules.names.text(rules.definitions[definition].id);
                card(format!("where every `{id}` lies p{} does not know, and so it cannot be named", seat + 1))
            }
            Absence::TooMuch { word } => card(format!("`{word}` is too much in `{key}`")),
        })
    }

    fn unknown_card_error(&self, rules: &Ruleset, word: &str) -> Box<Diagnostic> {
        let ids = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        Box::new(Diagnostic::error("G160", None, format!("no card is called `{word}`")).meant(nearest(word, ids)))
    }

    /// Lists the places of a card set in words.
    fn places_of(&self, rules: &Ruleset, set: u32) -> String {
        let places = rules.sets[set as usize].cards.places.iter().map(|&place| format!("`{}`", rules.places[place as usize].name));
        places.collect::<Vec<_>>().join(" or ")
    }

    /// Builds the failed condition for a card that cannot be chosen: it is in the wrong place or does not satisfy a condition.
    fn wrong_place(
        &mut self,
        game: &Game,
        rules: &Ruleset,
        (action, stage): (usize, usize),
        (definition, args, seat): (usize, [i32; MAX_PARAMS], usize),
    ) -> OptionCheck {
        let id = rules.names.text(rules.definitions[definition].id);
        let Some(set) = rules.choices[action].params[stage].cards() else {
            return OptionCheck::new("card", false, "it is not among what can be chosen");
        };
        let places = self.places_of(rules, set);
        if args[stage] < 0 {
            let pieces = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
            let mut where_is: Vec<String> = pieces.map(|card| format!("`{}`", game.position(rules).place_name(card))).collect();
            where_is.dedup();
            let lies =
                if where_is.is_empty() { "it is not in this game".to_string() } else { format!("it lies in {}", where_is.join(", ")) };
            let mut others: Vec<&str> = in_play::cards_in_set_places(rules, game, set, seat)
                .into_iter()
                .map(|card| rules.names.text(rules.definition(card).id))
                .collect();
            others.dedup();
            let others = if others.is_empty() { "nothing".to_string() } else { others.join(", ") };
            return OptionCheck::new("card", false, format!("no `{id}` lies in {places}: {lies}; there lies {others}"));
        }
        let mut wrong = Vec::new();
        let mark = self.reader.checkpoint();
        let mut explainer = self.make_explainer(game, &mut wrong);
        let check = explainer.failed_set_condition(action, stage, args, seat);
        drop(explainer);
        self.reader.roll_back(mark);
        check.unwrap_or_else(|| OptionCheck::new("card", false, format!("`{id}` in {places} cannot be chosen")))
    }
}

/// Returns an action of the rules, by index.
pub(super) fn typed_action(tree: &Rules, number: usize) -> Option<&Choice> {
    let parts = tree.phases.iter().flat_map(|phase| &phase.parts);
    let turns = parts.filter_map(|part| if let PhasePart::Turns(turns) = part { Some(turns) } else { None });
    turns.flat_map(|turns| &turns.actions).nth(number)
}

impl<'a> Explainer<'a> {
    /// Returns the scope of the names in a choice; `bound` holds the names around it.
    pub(super) fn choice_scope(&mut self, choice: &'a Choice, lowered: &ruleset::Choice, mut bound: Bound) -> NameScope<'a> {
        for (param, lowered) in choice.params.iter().zip(&lowered.params) {
            let (bind, local) = (param.domain.bind(), usize::from(lowered.local));
            let mut alone = Bound::with_free_locals_from(local);
            self.lowerer.bind(&mut alone, bind, choice.span);
            alone.find(bind).into_iter().for_each(|node| bound.bind_to(bind, node));
            bound.keep_free_from(local + 1);
        }
        NameScope::with_bound(bound)
    }

    fn action_scope(&mut self, number: usize, action: &'a Choice) -> NameScope<'a> {
        let lowered = self.rules().choices[number].clone();
        self.choice_scope(action, &lowered, Bound::with_free_locals_from(1 + MAX_PARAMS))
    }

    /// Checks all conditions of an action with what is chosen, except the turn.
    fn action_checks(&mut self, number: usize, args: Args, seat: usize) -> Vec<OptionCheck> {
        let tree = self.tree;
        let Some(action) = typed_action(tree, number) else { return Vec::new() };
        let scope = self.action_scope(number, action);
        let run = Env::with_locals(seat, &[-1, args[0], args[1], args[2]]);
        let mut checks = self.guard_checks(action, &scope, &run);
        let cards = Act::Choice(cast::fit::<u16>(number), args).cards(self.rules()).map(i32::from);
        let acting = self.rules().choices[number].action.as_ref().and_then(|action| action.acting);
        if let Some(acting) = acting {
            checks.extend(self.card_checks(cards[acting as usize], seat));
        }
        checks.extend(self.forbid_checks(number, cards, seat));
        checks
    }

    /// Checks the guards and costs of a choice.
    pub(super) fn guard_checks(&mut self, choice: &'a Choice, scope: &NameScope<'a>, run: &Env) -> Vec<OptionCheck> {
        let (tree, seat) = (self.tree, run.me);
        let mut checks = Vec::new();
        for guard in &choice.guards {
            let why = self.explain(&guard.holds, scope, run);
            let holds = why.as_ref().is_some_and(|why| !why.is_false());
            // What players are told is why it is refused: of a condition that holds, the rules' own words are shown.
            let says = why.as_ref().filter(|_| holds).map_or_else(|| guard.reason.to_string(), |why| why.subject.clone());
            checks.push(OptionCheck::new(&guard.name, holds, says).with_explanation(why));
        }
        let mut due_of = std::collections::BTreeMap::<u16, i64>::new();
        for cost in &choice.costs {
            let (why, have, of) = match cost {
                Cost::Resource(amount, resource) => {
                    let why = self.explain(amount, scope, run);
                    *due_of.entry(*resource).or_default() += why.as_ref().map_or(0, |why| why.value).max(0);
                    let name = self.rules().resources[*resource as usize];
                    (why, self.game.position(self.lowerer.ruleset).amount(seat, *resource as usize), name)
                }
                Cost::Tokens(price) => {
                    let symbol = self.evaluate(&price.symbol, scope, run).unwrap_or(0);
                    let pool = cast::fit::<u8>(tree.defs[price.from].kind.index());
                    let have = self.game.store(self.lowerer.ruleset).payable(symbol, pool, seat);
                    (self.explain(&price.amount, scope, run), have, self.rules().symbols[cast::index(symbol.max(0))])
                }
            };
            let due = why.as_ref().map_or(0, |why| why.value);
            let says = self.describe_cost(due, have, of);
            checks.push(OptionCheck::new("cost", due <= have, says).with_explanation(why));
        }
        if choice.costs.len() > 1 {
            for (resource, due) in due_of {
                let have = self.game.position(self.lowerer.ruleset).amount(seat, resource as usize);
                if due > have {
                    let says = self.describe_cost(due, have, self.rules().resources[resource as usize]);
                    checks.push(OptionCheck::new("cost", false, format!("all its costs together: {says}")));
                }
            }
        }
        checks
    }

    fn describe_cost(&self, due: i64, have: i64, of: u32) -> String {
        let of = self.rules().names.text(of);
        match due - have {
            ..=0 => format!("it costs {due} {of}, and there are {have}"),
            short => format!("it costs {due} {of}, and there are {have}: {short} too few"),
        }
    }

    /// Returns the scope of the names in an entry of a card.
    pub fn entry_scope(&mut self) -> NameScope<'a> {
        let mut bound = Bound::with_free_locals_from(0);
        let binds: [BindingId; 3] = self.entries.binds;
        for bind in binds {
            self.lowerer.bind(&mut bound, bind, NO_SPAN);
        }
        NameScope::with_bound(bound)
    }

    /// Checks the conditions and costs of the acting card itself.
    fn card_checks(&mut self, card: i32, seat: usize) -> Vec<OptionCheck> {
        let Ok(piece) = usize::try_from(card) else { return vec![OptionCheck::new("card", false, "no card was named")] };
        let (definition, kind) = (self.rules().piece_definition[piece] as usize, self.rules().definition(piece).kind);
        let Some(entry) = action_of(self.entries, definition, kind) else { return Vec::new() };
        let EntryBody::Action { because, costs, limit, .. } = &entry.body else { return Vec::new() };
        let scope = self.entry_scope();
        let run = Env::with_locals(seat, &[card, card]);
        let mut checks = Vec::new();
        if let Some(when) = &entry.when {
            let why = self.explain(when, &scope, &run);
            let holds = why.as_ref().is_some_and(|why| !why.is_false());
            let says = why.as_ref().filter(|_| holds).map_or_else(|| because.to_string(), |why| why.subject.clone());
            checks.push(OptionCheck::new("card", holds, says).with_explanation(why));
        }
        if let Some((times, counter)) = limit {
            let used = self.lowerer.slots.offset(*counter) as usize;
            let done = i64::from(self.game.cells()[self.rules().layout.piece(piece, used)]);
            checks.push(OptionCheck::new("card", done < *times, format!("it has been used {done} of {times} times")));
        }
        for (amount, resource) in costs {
            let why = self.explain(amount, &scope, &run);
            let (due, have) =
                (why.as_ref().map_or(0, |why| why.value), self.game.position(self.lowerer.ruleset).amount(seat, *resource as usize));
            let says = self.describe_cost(due, have, self.rules().resources[*resource as usize]);
            checks.push(OptionCheck::new("card", due <= have, says).with_explanation(why));
        }
        checks
    }

    /// Checks the entries of cards in play that could forbid the action.
    fn forbid_checks(&mut self, number: usize, args: [i32; MAX_PARAMS], seat: usize) -> Vec<OptionCheck> {
        let mut checks = Vec::new();
        for active in in_play::forbids_of(&mut self.game.store(self.lowerer.ruleset), cast::fit::<u16>(number), seat) {
            let (definition, kind) = (self.rules().piece_definition[active.card] as usize, self.rules().definition(active.card).kind);
            let rules = self.rules();
            let called = |name: &str| rules.actions().iter().filter(|action| rules.names.text(action.name) == name).count();
            let Some(entry) = forbid_of(self.entries, (definition, kind), active.entry_index, called) else { continue };
            let EntryBody::Forbid { because, .. } = &entry.body else { continue };
            let (scope, run) = (self.entry_scope(), Env::with_locals(active.me, &[cast::fit::<i32>(active.card), args[0], args[1]]));
            let why = entry.when.as_ref().map(|when| self.explain(when, &scope, &run));
            let holds = why.as_ref().is_none_or(|why| why.as_ref().is_some_and(|why| !why.is_false()));
            if self.is_unseen(active.card) {
                // Entries that do not forbid it are omitted.
                checks.extend(holds.then(|| OptionCheck::new("forbidden", false, "a card that you do not see forbids it")));
                continue;
            }
            let (name, at) = self.source_texts.card_name_and_location(self.rules(), active.card);
            let check = OptionCheck::new("forbidden", !holds, format!("{because} ({name})")).with_explanation(why.flatten());
            checks.push(OptionCheck { location: check.location.or(at), ..check });
        }
        checks
    }

    /// Returns the condition that keeps a card in the right place from being chosen for an action.
    fn failed_set_condition(&mut self, number: usize, stage: usize, args: [i32; MAX_PARAMS], seat: usize) -> Option<OptionCheck> {
        let tree = self.tree;
        let action = typed_action(tree, number)?;
        let scope = self.action_scope(number, action);
        let run = Env::with_locals(seat, &[-1, args[0], args[1], args[2]]);
        let Domain::Cards(cards) = &action.params.get(stage)?.domain else { return None };
        let piece = usize::try_from(args[stage]).ok()?;
        let name = self.source_texts.card_name_and_location(self.rules(), piece).0;
        if let Some(counter) = cards.with {
            let offset = self.lowerer.slots.offset(counter) as usize;
            if self.game.cells()[self.rules().layout.piece(piece, offset)] <= 0 {
                return Some(OptionCheck::new("card", false, format!("{name} has no {}", tree.defs[counter].name)));
            }
        }
        if let Some(filter) = &cards.filter {
            let why = self.explain(filter, &scope, &run);
            if why.as_ref().is_some_and(Explanation::is_false) {
                return Some(OptionCheck::new("card", false, format!("{name} is not one that can be chosen")).with_explanation(why));
            }
        }
        (cards.rows != 0).then(|| OptionCheck::new("card", false, format!("{name} does not lie in a row that can be chosen from")))
    }
}
