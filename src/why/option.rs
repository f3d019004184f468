//! Why an option is possible or not: all that is looked at, one thing after another.

use super::Why;
use super::entries::{action_of, forbid_of};
use super::explanation::Explanation;
use super::walk::{Scope, Walk};
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::decision::Question;
use crate::engine::eval::Env;
use crate::engine::ids::PieceId;
use crate::engine::options::MOST_PARAMS;
use crate::engine::ruleset::Ruleset;
use crate::engine::{Decision, Game};
use crate::lang::lower::Env as Bound;
use crate::lang::typed::{Action, Bind, Cost, Part, Rules, Says};
use crate::source::{FileId, Span};
use crate::speech;
use std::sync::Arc;

/// The place of what stands nowhere.
pub(super) const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// Why an option is possible or not.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct OptionWhy {
    /// Its key, such as `choose wolf`.
    pub option: String,
    /// For whom.
    pub seat: String,
    /// Nothing speaks against it: it is offered.
    pub possible: bool,
    /// All that was looked at, in the order of the rules.
    pub checks: Vec<Check>,
}

/// Something that an option needs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    /// The guard's name in the rules; `turn`, `card`, `cost` and `forbidden` for what every game knows.
    pub name: String,
    /// In words: if it does not hold, the reason that people are told.
    pub says: String,
    /// Whether it is so.
    pub holds: bool,
    /// Where the rules or a card say so: file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Explanation>,
}

impl Check {
    pub(super) fn new(name: impl Into<String>, holds: bool, says: impl Into<String>) -> Check {
        Check { name: name.into(), says: says.into(), holds, at: None, why: None }
    }

    /// Leaves out what it comes from, which rests on what whoever asks does not know.
    fn hide(&mut self) {
        self.why = None;
        if self.name == "cost" {
            self.says = if self.holds { "it can be paid" } else { "it costs more than there is" }.to_string();
        }
    }

    fn because(self, why: Option<Explanation>) -> Check {
        let at = why.as_ref().and_then(|why| why.at.clone());
        Check { at: self.at.or(at), why, ..self }
    }
}

impl OptionWhy {
    /// What speaks against it.
    pub fn refusals(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| !check.holds)
    }
}

/// What the words of a key stand for.
struct Named {
    action: usize,
    /// The cards; -1 where one is left out.
    args: [i32; MOST_PARAMS],
    /// What is wrong with them; the action cannot be looked at any further.
    absent: Option<Check>,
}

impl Why {
    /// Why a seat can or cannot take an option now. A card that lies somewhere else is told; a word that is no option of the game
    /// is an error.
    ///
    /// # Errors
    /// No option can be called so.
    pub fn option(&mut self, game: &Game, seat: usize, key: &str) -> Result<OptionWhy, Box<Diagnostic>> {
        let offered = game
            .decision()
            .filter(|decision| decision.seat == seat)
            .is_some_and(|decision| decision.options.iter().any(|option| option.text(self.rules()) == key));
        let checks = if self.is_action(key) { self.of_action(game, seat, key)? } else { self.of_question(game, seat, key)? };
        let mut why = OptionWhy { option: key.to_string(), seat: format!("p{}", seat + 1), possible: offered, checks };
        if !offered && why.refusals().next().is_none() {
            why.checks.push(Check::new("offer", false, "it is not among what is offered now"));
        }
        if self.take_read_hidden() && self.eyes.is_some() {
            why.checks.iter_mut().for_each(Check::hide);
        }
        Ok(why)
    }

    /// Whether a key begins with the name of an action.
    pub(super) fn is_action(&self, key: &str) -> bool {
        let name = key.split_whitespace().next().unwrap_or("");
        self.rules().actions.iter().any(|action| self.rules().names.text(action.name) == name)
    }

    fn of_action(&mut self, game: &Game, seat: usize, key: &str) -> Result<Vec<Check>, Box<Diagnostic>> {
        let named = self.named(game, seat, key)?;
        let mut checks = vec![self.turn(game, seat, named.action)];
        checks.extend(named.absent.clone());
        if named.absent.is_none() {
            let engine = game.clone().on(self.rules()).refusals(seat, cast::fit::<u16>(named.action), named.args.map(PieceId::in_option));
            let mut wrong = Vec::new();
            let mark = self.reader.mark();
            let mut walk = self.walk(game, &mut wrong);
            checks.extend(walk.checks_of(named.action, named.args, seat));
            drop(walk);
            self.reader.take_back(mark);
            // What the acting card asks first has no answer, say.
            let told = checks.iter().any(|check| !check.holds && check.name == "card");
            let of_card = engine.into_iter().filter(|refusal| !told && refusal.name == "card");
            checks.extend(of_card.map(|refusal| Check::new(refusal.name, false, refusal.reason)));
        }
        Ok(checks)
    }

    /// Whether it is the seat's turn, and one in which there is this action.
    fn turn(&self, game: &Game, seat: usize, action: usize) -> Check {
        let rules = self.rules();
        let check = |holds, says: String| Check::new("turn", holds, says);
        let me = seat + 1;
        match game.decision() {
            None if game.finished() => check(false, "the game is over".into()),
            None => check(false, "nobody is asked anything now".into()),
            Some(Decision { seat: asked, question: Question::Turn(turns), .. }) => {
                let turns = &rules.turns[*turns as usize];
                let passed = game.cells()[rules.layout.seat(seat, turns.passed as usize)] != 0;
                if *asked != seat && passed {
                    return check(false, format!("p{me} has ended its turns"));
                }
                if *asked != seat {
                    return check(false, format!("p{} is on turn, not p{me}", asked + 1));
                }
                let phase = rules.actions[action].address.split('.').next().unwrap_or("");
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

    /// What the words of an action's key stand for.
    fn named(&mut self, game: &Game, seat: usize, key: &str) -> Result<Named, Box<Diagnostic>> {
        let rules = Arc::clone(&self.rules);
        let mut game = game.clone();
        let mut words: Vec<&str> = key.split_whitespace().collect();
        let nth = words.last().and_then(|word| word.strip_prefix('#')?.parse::<usize>().ok());
        if nth.is_some() {
            words.pop();
        }
        let (name, mut rest) = words.split_first().map_or(("", &[][..]), |(name, rest)| (*name, rest));
        let called = || rules.actions.iter().enumerate().filter(|(_, action)| rules.names.text(action.name) == name).map(|(at, _)| at);
        let now = match game.decision() {
            Some(Decision { question: Question::Turn(turns), .. }) => rules.turns[*turns as usize].actions.clone(),
            _ => Vec::new(),
        };
        let action = called().find(|&at| now.contains(&cast::fit::<u16>(at))).or(called().next()).unwrap_or(0);
        let mut env = Env::of(seat);
        let mut args = [-1; MOST_PARAMS];
        let params = &rules.actions[action].params;
        let absent = |check: Check, args| Ok(Named { action, args, absent: Some(check) });
        for (stage, param) in params.iter().enumerate() {
            let word = param.word.map(|word| rules.names.text(word));
            if let Some(word) = word {
                match rest.split_first() {
                    Some((first, more)) if *first == word => rest = more,
                    _ if param.maybe => continue,
                    _ => return absent(Check::new("card", false, format!("`{word}` and a card are missing from `{key}`")), args),
                }
            }
            let Some((card, more)) = rest.split_first() else {
                if param.maybe {
                    continue;
                }
                let in_places = self.places_of(&rules, param.set);
                return absent(Check::new("card", false, format!("`{key}` names too few cards: one in {in_places} is missing")), args);
            };
            rest = more;
            let Some(definition) = rules.find_definition(card) else { return Err(self.no_card(&rules, card)) };
            let there = speech::lying_in(&rules, &game, param.set, seat);
            let same: Vec<i32> = there
                .iter()
                .filter(|&&found| rules.piece_definition[found] as usize == definition)
                .map(|&card| cast::fit::<i32>(card))
                .collect();
            let fits = game.on(&rules).plain_cards(param.set, &env).unwrap_or_default();
            let fitting: Vec<i32> = same.iter().copied().filter(|card| fits.contains(card)).collect();
            let wanted = if stage + 1 == params.len() { nth.unwrap_or(1).max(1) - 1 } else { 0 };
            let Some(&candidate) = fitting.get(wanted) else {
                args[stage] = same.first().copied().unwrap_or(-1);
                let check = self.not_there(&game, &rules, (action, stage), (definition, args, seat));
                return absent(check, args);
            };
            env.locals[1 + stage] = candidate;
            args[stage] = candidate;
        }
        match rest.first() {
            Some(word) if rules.find_definition(word).is_none() => Err(self.no_card(&rules, word)),
            Some(word) => absent(Check::new("card", false, format!("`{word}` is too much in `{key}`")), args),
            None => Ok(Named { action, args, absent: None }),
        }
    }

    fn no_card(&self, rules: &Ruleset, word: &str) -> Box<Diagnostic> {
        let ids = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        Box::new(Diagnostic::error("G160", None, format!("no card is called `{word}`")).meant(nearest(word, ids)))
    }

    /// The places of a set of cards, for people.
    fn places_of(&self, rules: &Ruleset, set: u32) -> String {
        let places = rules.sets[set as usize].places.iter().map(|&place| format!("`{}`", rules.places[place as usize].name));
        places.collect::<Vec<_>>().join(" or ")
    }

    /// A card that cannot be chosen: it lies elsewhere, or what must hold of it does not.
    fn not_there(
        &mut self,
        game: &Game,
        rules: &Ruleset,
        (action, stage): (usize, usize),
        (definition, args, seat): (usize, [i32; MOST_PARAMS], usize),
    ) -> Check {
        let id = rules.names.text(rules.definitions[definition].id);
        let set = rules.actions[action].params[stage].set;
        let places = self.places_of(rules, set);
        if args[stage] < 0 {
            let pieces = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
            let mut where_is: Vec<String> = pieces.map(|card| format!("`{}`", game.position(rules).where_is(card))).collect();
            where_is.dedup();
            let lies =
                if where_is.is_empty() { "it is not in this game".to_string() } else { format!("it lies in {}", where_is.join(", ")) };
            let mut others: Vec<&str> =
                speech::lying_in(rules, game, set, seat).into_iter().map(|card| rules.names.text(rules.definition(card).id)).collect();
            others.dedup();
            let others = if others.is_empty() { "nothing".to_string() } else { others.join(", ") };
            return Check::new("card", false, format!("no `{id}` lies in {places}: {lies}; there lies {others}"));
        }
        let mut wrong = Vec::new();
        let mark = self.reader.mark();
        let mut walk = self.walk(game, &mut wrong);
        let check = walk.not_in_set(action, stage, args, seat);
        drop(walk);
        self.reader.take_back(mark);
        check.unwrap_or_else(|| Check::new("card", false, format!("`{id}` in {places} cannot be chosen")))
    }
}

/// The actions of the rules, by their numbers.
pub(super) fn typed_action(tree: &Rules, number: usize) -> Option<&Action> {
    let parts = tree.phases.iter().flat_map(|phase| &phase.parts);
    let turns = parts.filter_map(|part| if let Part::Turns(turns) = part { Some(turns) } else { None });
    turns.flat_map(|turns| &turns.actions).nth(number)
}

impl<'a> Walk<'a> {
    /// What the names of an action are bound to.
    fn of_params(&mut self, action: &'a Action) -> Scope<'a> {
        let mut params = Bound::from(1);
        let mut bound = Bound::from(1 + MOST_PARAMS);
        for param in &action.params {
            self.low.bind(&mut params, param.cards.bind, action.span);
            params.find(param.cards.bind).into_iter().for_each(|node| bound.bind_to(param.cards.bind, node));
        }
        Scope::of(bound)
    }

    /// What an action with these cards needs, apart from its turn.
    fn checks_of(&mut self, number: usize, args: [i32; MOST_PARAMS], seat: usize) -> Vec<Check> {
        let tree = self.tree;
        let Some(action) = typed_action(tree, number) else { return Vec::new() };
        let scope = self.of_params(action);
        let run = Env::with(seat, &[-1, args[0], args[1], args[2]]);
        let mut checks = Vec::new();
        for guard in &action.guards {
            let why = self.explain(&guard.holds, &scope, &run);
            let holds = why.as_ref().is_some_and(|why| !why.is_false());
            checks.push(Check::new(&guard.name, holds, &guard.reason).because(why));
        }
        let mut due_of = std::collections::BTreeMap::<u16, i64>::new();
        for cost in &action.costs {
            let (why, have, of) = match cost {
                Cost::Resource(amount, resource) => {
                    let why = self.explain(amount, &scope, &run);
                    *due_of.entry(*resource).or_default() += why.as_ref().map_or(0, |why| why.value).max(0);
                    let name = self.rules().resources[*resource as usize];
                    (why, self.game.position(self.low.out).amount(seat, *resource as usize), name)
                }
                Cost::Tokens(price) => {
                    let symbol = self.value(&price.symbol, &scope, &run).unwrap_or(0);
                    let pool = cast::fit::<u8>(tree.defs[price.from].what.index());
                    let have = self.game.on(self.low.out).payable(symbol, pool, seat);
                    (self.explain(&price.amount, &scope, &run), have, self.rules().symbols[cast::index(symbol.max(0))])
                }
            };
            let due = why.as_ref().map_or(0, |why| why.value);
            let says = self.cost(due, have, of);
            checks.push(Check::new("cost", due <= have, says).because(why));
        }
        if action.costs.len() > 1 {
            for (resource, due) in due_of {
                let have = self.game.position(self.low.out).amount(seat, resource as usize);
                if due > have {
                    let says = self.cost(due, have, self.rules().resources[resource as usize]);
                    checks.push(Check::new("cost", false, format!("all its costs together: {says}")));
                }
            }
        }
        if let Some(acting) = self.rules().actions[number].acting {
            checks.extend(self.needs_of_card(args[acting as usize], seat));
        }
        checks.extend(self.forbidden(number, args, seat));
        checks
    }

    fn cost(&self, due: i64, have: i64, of: u32) -> String {
        let of = self.rules().names.text(of);
        match due - have {
            ..=0 => format!("it costs {due} {of}, and there are {have}"),
            short => format!("it costs {due} {of}, and there are {have}: {short} too few"),
        }
    }

    /// What the names of a card's entry are bound to.
    pub fn of_entry(&mut self) -> Scope<'a> {
        let mut bound = Bound::from(0);
        let binds: [Bind; 3] = self.entries.binds;
        for bind in binds {
            self.low.bind(&mut bound, bind, NOWHERE);
        }
        Scope::of(bound)
    }

    /// What the card that acts needs and costs itself.
    fn needs_of_card(&mut self, card: i32, seat: usize) -> Vec<Check> {
        let Ok(piece) = usize::try_from(card) else { return vec![Check::new("card", false, "no card was named")] };
        let (definition, kind) = (self.rules().piece_definition[piece] as usize, self.rules().definition(piece).kind);
        let Some(entry) = action_of(self.entries, definition, kind) else { return Vec::new() };
        let Says::Action { because, costs, limit, .. } = &entry.says else { return Vec::new() };
        let scope = self.of_entry();
        let run = Env::with(seat, &[card, card]);
        let mut checks = Vec::new();
        if let Some(when) = &entry.when {
            let why = self.explain(when, &scope, &run);
            checks.push(Check::new("card", why.as_ref().is_some_and(|why| !why.is_false()), because).because(why));
        }
        if let Some((times, counter)) = limit {
            let used = self.low.slots.offset(*counter) as usize;
            let done = i64::from(self.game.cells()[self.rules().layout.piece(piece, used)]);
            checks.push(Check::new("card", done < *times, format!("it has been used {done} of {times} times")));
        }
        for (amount, resource) in costs {
            let why = self.explain(amount, &scope, &run);
            let (due, have) = (why.as_ref().map_or(0, |why| why.value), self.game.position(self.low.out).amount(seat, *resource as usize));
            let says = self.cost(due, have, self.rules().resources[*resource as usize]);
            checks.push(Check::new("card", due <= have, says).because(why));
        }
        checks
    }

    /// Cards in play that could forbid it.
    fn forbidden(&mut self, number: usize, args: [i32; MOST_PARAMS], seat: usize) -> Vec<Check> {
        let mut checks = Vec::new();
        for speech in speech::forbids_of(&mut self.game.on(self.low.out), cast::fit::<u16>(number), seat) {
            let (definition, kind) = (self.rules().piece_definition[speech.card] as usize, self.rules().definition(speech.card).kind);
            let rules = self.rules();
            let called = |name: &str| rules.actions.iter().filter(|action| rules.names.text(action.name) == name).count();
            let Some(entry) = forbid_of(self.entries, (definition, kind), speech.entry, called) else { continue };
            let Says::Forbid { because, .. } = &entry.says else { continue };
            let (scope, run) = (self.of_entry(), Env::with(speech.me, &[cast::fit::<i32>(speech.card), args[0], args[1]]));
            let why = entry.when.as_ref().map(|when| self.explain(when, &scope, &run));
            let holds = why.as_ref().is_none_or(|why| why.as_ref().is_some_and(|why| !why.is_false()));
            if self.is_unseen(speech.card) {
                // One that does not forbid it is not told of at all.
                checks.extend(holds.then(|| Check::new("forbidden", false, "a card that you do not see forbids it")));
                continue;
            }
            let (name, at) = self.words.card(self.rules(), speech.card);
            let check = Check::new("forbidden", !holds, format!("{because} ({name})")).because(why.flatten());
            checks.push(Check { at: check.at.or(at), ..check });
        }
        checks
    }

    /// What keeps a card that lies there from being chosen with an action.
    fn not_in_set(&mut self, number: usize, stage: usize, args: [i32; MOST_PARAMS], seat: usize) -> Option<Check> {
        let tree = self.tree;
        let action = typed_action(tree, number)?;
        let scope = self.of_params(action);
        let run = Env::with(seat, &[-1, args[0], args[1], args[2]]);
        let cards = &action.params.get(stage)?.cards;
        let piece = usize::try_from(args[stage]).ok()?;
        let name = self.words.card(self.rules(), piece).0;
        if let Some(counter) = cards.with {
            let offset = self.low.slots.offset(counter) as usize;
            if self.game.cells()[self.rules().layout.piece(piece, offset)] <= 0 {
                return Some(Check::new("card", false, format!("{name} has no {}", tree.defs[counter].name)));
            }
        }
        if let Some(filter) = &cards.filter {
            let why = self.explain(filter, &scope, &run);
            if why.as_ref().is_some_and(Explanation::is_false) {
                return Some(Check::new("card", false, format!("{name} is not one that can be chosen")).because(why));
            }
        }
        (cards.rows != 0).then(|| Check::new("card", false, format!("{name} does not lie in a row that can be chosen from")))
    }
}
