//! Statements.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::game::{Eyes, Game, too_much};
use super::moment::{Call, Scripts};
use super::ruleset::{BodyId, Direction, NodeId, Offer, Ruleset, Shape, Stmt, Target, Write};
use crate::state::chance::{draw, hash_text};
use crate::state::layout::{BOX, JOURNAL, OUT, TABLE, head, piece};

impl Game {
    /// Runs a body.
    pub(super) fn run_body(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, body: BodyId, env: &mut Env) -> Result<(), Stop> {
        for stmt in rules.bodies[body as usize].iter() {
            self.run_stmt(rules, scripts, stmt, env)?;
        }
        Ok(())
    }

    pub(super) fn run_stmt(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, stmt: &Stmt, env: &mut Env) -> Result<(), Stop> {
        match stmt {
            Stmt::Gain(n, resource) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                self.gain(rules, env.me, resource, n)
            }
            Stmt::Lose(n, resource, name) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                if n <= 0 {
                    return Ok(());
                }
                if let Some(name) = name
                    && let Some(instead) = self.replaced(rules, *name, Some(env.me))
                {
                    return self.carry_out(rules, scripts, instead);
                }
                match self.take(rules, env.me, resource, n)? {
                    Some(due) => self.carry_out(rules, scripts, due),
                    None => Ok(()),
                }
            }
            Stmt::Pay(n, resource) => {
                let (n, resource) = (self.eval(rules, *n, env), self.resource(rules, *resource, env)?);
                let mark = self.queue.len();
                self.pay(rules, env.me, &[(resource, n)])?;
                self.settle(rules, scripts, mark)
            }
            Stmt::PayMix(n, resources) => {
                let n = self.eval(rules, *n, env);
                let costs = self.choose_mix(rules, env.me, n, resources)?;
                let mark = self.queue.len();
                self.pay(rules, env.me, &costs)?;
                self.settle(rules, scripts, mark)
            }
            Stmt::Write(target, write, value) => {
                let value = self.eval(rules, *value, env);
                self.write(rules, target, *write, value, env)
            }
            Stmt::AddBit(offset, index) => {
                let index = self.eval(rules, *index, env);
                let cell = rules.layout.seat(env.me, *offset as usize);
                self.write_seat(rules, env.me, *offset as usize, (self.cells[cell] | 1 << index.clamp(0, 30)) as i64)
            }
            Stmt::Draw(deck, index, to, name) => {
                if let Some(name) = name
                    && let Some(instead) = self.replaced(rules, *name, None)
                {
                    return self.carry_out(rules, scripts, instead);
                }
                let instance = self.deck(rules, *deck, *index, env)?;
                self.draw_into(rules, instance, *to as usize, env.me)
            }
            Stmt::Fill(grid, deck, index) => {
                let deck = self.deck(rules, *deck, *index, env)?;
                let instance = Self::instance(rules, *grid as usize, env.me);
                for slot in 0..rules.layout.places[instance].room as usize {
                    if self.piece_at(rules, instance, slot).is_none() {
                        let Some(card) = self.draw_card(rules, deck)? else { break };
                        self.move_piece(rules, card, instance, slot)?;
                    }
                }
                self.after_change(rules)
            }
            Stmt::RemoveSet(set) => {
                for card in self.cards_of(rules, *set, env) {
                    self.remove(rules, card as usize)?;
                }
                Ok(())
            }
            Stmt::Remove(card) => {
                let card = self.eval(rules, *card, env);
                if card >= 0 { self.remove(rules, card as usize) } else { Ok(()) }
            }
            Stmt::MoveRow(grid, from, to) => {
                let (from, to) = (self.eval(rules, *from, env), self.eval(rules, *to, env));
                self.move_row(rules, *grid as usize, from, to)
            }
            Stmt::Put(holder, field, to) => {
                let holder = self.eval(rules, *holder, env);
                self.put_printed(rules, holder, *field as usize, *to as usize, env.me)
            }
            Stmt::PutNamed(definitions, to) => self.put_copies(rules, definitions, *to as usize, env.me),
            Stmt::PlaceInSlot(card) => {
                let card = self.eval(rules, *card, env);
                if card < 0 {
                    return Ok(());
                }
                let kind = rules.definition(card as usize).kind as usize;
                let Some(slot) = rules.kinds[kind].slot else {
                    return Err(Stop::fault(format!("cards of kind `{}` have no slot", rules.names.text(rules.kinds[kind].name))));
                };
                self.place(rules, card as usize, slot as usize, env.me, false)
            }
            Stmt::PlaceIn(card, place, over) => {
                let card = self.eval(rules, *card, env);
                if card < 0 { Ok(()) } else { self.place(rules, card as usize, *place as usize, env.me, *over) }
            }
            Stmt::Moment(moment, card) => {
                let card = card.map_or(-1, |card| self.eval(rules, card, env)) as i32;
                self.moment(rules, scripts, *moment, env.me, card)
            }
            Stmt::If(condition, yes, no) => {
                if self.eval(rules, *condition, env) != 0 {
                    self.run_body(rules, scripts, *yes, env)
                } else if let Some(no) = no {
                    self.run_body(rules, scripts, *no, env)
                } else {
                    Ok(())
                }
            }
            Stmt::ForWords(local, words, body) => {
                for &word in words.iter() {
                    env.locals[*local as usize] = word;
                    self.run_body(rules, scripts, *body, env)?;
                }
                Ok(())
            }
            Stmt::ForCards(set, body) => {
                let local = rules.sets[*set as usize].local as usize;
                for card in self.cards_of(rules, *set, env) {
                    env.locals[local] = card;
                    self.run_body(rules, scripts, *body, env)?;
                }
                Ok(())
            }
            Stmt::Repeat(n, body) => {
                let n = self.eval(rules, *n, env);
                for _ in 0..n {
                    self.run_body(rules, scripts, *body, env)?;
                }
                Ok(())
            }
            Stmt::EachPlayer(direction, filter, body) => {
                for seat in self.seats(rules, *direction) {
                    let mut there = *env;
                    there.me = seat;
                    if self.holds_if(rules, *filter, &mut there) {
                        self.run_body(rules, scripts, *body, &mut there)?;
                    }
                }
                Ok(())
            }
            Stmt::AllPlayers(filter, body) => self.all_at_once(rules, scripts, *filter, *body, env),
            Stmt::Ask(question) => self.run_question(rules, scripts, *question, env),
            Stmt::Effect(effect, args) => {
                let effect = &rules.effects[*effect as usize];
                let mut there = Env::of(env.me);
                there.locals[0] = env.locals[0];
                for (i, arg) in args.iter().enumerate() {
                    there.locals[1 + i] = self.eval(rules, *arg, env) as i32;
                }
                self.run_body(rules, scripts, effect.body, &mut there)
            }
            Stmt::OrderBy(keys) => {
                let seats = self.ordered(rules, keys);
                self.set_order(rules, &seats)
            }
            Stmt::OrderRandom => {
                let (seed, stream) = (self.seed(), hash_text("order"));
                let mut seats: Vec<usize> = (0..rules.players).collect();
                seats.sort_by_key(|&seat| draw(seed, stream, seat as u64));
                self.set_order(rules, &seats)
            }
            Stmt::CardActs(card) => {
                let card = self.eval(rules, *card, env);
                self.card_acts(rules, scripts, card, env.me)
            }
            Stmt::Tokens(stmt) => self.run_tokens(rules, scripts, stmt, env),
        }
    }

    /// The seats in turn order, or from last to first.
    pub(super) fn seats(&self, rules: &Ruleset, direction: Direction) -> Vec<usize> {
        let mut seats: Vec<usize> = (0..rules.players).map(|i| self.cell(rules, head::ORDER + i) as usize).collect();
        if direction == Direction::Reverse {
            seats.reverse();
        }
        seats
    }

    fn resource(&mut self, rules: &Ruleset, node: NodeId, env: &mut Env) -> Result<usize, Stop> {
        let index = self.eval(rules, node, env);
        match usize::try_from(index) {
            Ok(index) if index < rules.resources.len() => Ok(index),
            _ => Err(Stop::fault("a statement names something that is no resource")),
        }
    }

    fn write(&mut self, rules: &Ruleset, target: &Target, write: Write, value: i64, env: &mut Env) -> Result<(), Stop> {
        let combine = |old: i64| match write {
            Write::Set => value,
            Write::Add => old.saturating_add(value),
            Write::Sub => old.saturating_sub(value),
        };
        match target {
            Target::Global(cell) => self.write_table(rules, *cell as usize, combine(self.cells[*cell as usize] as i64)),
            Target::Own(offset) => {
                let old = self.cells[rules.layout.seat(env.me, *offset as usize)] as i64;
                self.write_seat(rules, env.me, *offset as usize, combine(old))
            }
            Target::OwnAt(offset, len, index) => {
                let index = self.eval(rules, *index, env);
                if index < 0 || index >= *len as i64 {
                    return Err(Stop::fault(format!("{index} is no place in a row of {len}")));
                }
                let offset = *offset as usize + index as usize;
                let old = self.cells[rules.layout.seat(env.me, offset)] as i64;
                self.write_seat(rules, env.me, offset, combine(old))
            }
            Target::Counter(card, offset) => {
                let card = self.eval(rules, *card, env);
                if card < 0 {
                    return Ok(());
                }
                let old = self.cells[rules.layout.piece(card as usize, *offset as usize)] as i64;
                self.write_piece(rules, card as usize, *offset as usize, combine(old))
            }
        }
    }

    /// The instance of a deck by its number, from 1.
    pub fn deck(&mut self, rules: &Ruleset, deck: u16, index: NodeId, env: &mut Env) -> Result<usize, Stop> {
        let number = self.eval(rules, index, env);
        let declared = &rules.places[deck as usize];
        if number < 1 || number > declared.instances as i64 {
            return Err(Stop::fault(format!("there is no deck `{}[{number}]`; they go from 1 to {}", declared.name, declared.instances)));
        }
        Ok(declared.first as usize + number as usize - 1)
    }

    fn draw_into(&mut self, rules: &Ruleset, deck: usize, to: usize, me: usize) -> Result<(), Stop> {
        // A card dealt to this seat from the start is drawn before any other.
        let dealt = rules.dealt.iter().find_map(|&(definition, seat)| {
            (seat == me)
                .then(|| {
                    (0..rules.layout.pieces).find(|&p| {
                        rules.piece_definition[p] == definition && self.cells[rules.layout.piece(p, piece::PLACE)] as usize == deck
                    })
                })
                .flatten()
        });
        let card = match dealt {
            Some(card) if rules.places[to].of_seat => self.noted(|_| card as i32)? as usize,
            _ => match self.draw_card(rules, deck)? {
                Some(card) => card,
                None => return Ok(()),
            },
        };
        let instance = Self::instance(rules, to, me);
        let room = rules.layout.places[instance].room as i64;
        let Some(slot) = self.free_slot(rules, instance, room) else {
            return Err(Stop::fault(format!("a card was drawn to `{}`, where no place is free", rules.places[to].name)));
        };
        self.say(|| format!("{} is drawn", rules.names.text(rules.definition(card).id)));
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    /// Puts a card that was dealt from the start into play: into the place of its kind, over the first card there if none is
    /// free; a card that nobody owns goes on top of its deck.
    pub(super) fn deal_now(&mut self, rules: &Ruleset, definition: u32, seat: usize) -> Result<(), Stop> {
        let Some(card) = (0..rules.layout.pieces).find(|&p| rules.piece_definition[p] == definition) else { return Ok(()) };
        let at = self.cells[rules.layout.piece(card, piece::PLACE)] as usize;
        let Some(place) = rules.place_in_play(rules.definition(card).kind) else {
            let count = self.pieces_in(rules, at);
            if count > 0 && rules.places[rules.layout.places[at].declared as usize].shape == Shape::Deck {
                self.move_piece(rules, card, OUT, 0)?;
                self.move_piece(rules, card, at, count - 1)?;
                self.put(rules, rules.layout.piece(card, piece::KNOWN), 0)?;
            }
            return Ok(());
        };
        if rules.layout.places[at].owner != TABLE {
            return Ok(());
        }
        let instance = Self::instance(rules, place, seat);
        let room = rules.layout.places[instance].room as i64;
        let limit = rules.places[place].limit.map_or(room, |q| self.quantity(rules, q, seat, [-1; 2]));
        let slot = match self.free_slot(rules, instance, limit) {
            Some(slot) => slot,
            None => {
                if let Some(covered) = self.piece_at(rules, instance, 0) {
                    self.remove(rules, covered)?;
                }
                0
            }
        };
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    fn move_row(&mut self, rules: &Ruleset, grid: usize, from: i64, to: i64) -> Result<(), Stop> {
        let declared = &rules.places[grid];
        let Shape::Grid { rows, columns } = declared.shape else { return Ok(()) };
        let (instance, columns) = (declared.first as usize, columns as usize);
        let good = |row: i64| row >= 1 && row <= rows as i64;
        if !good(from) || !good(to) {
            return Err(Stop::fault(format!("`{}` has rows 1 to {rows}", declared.name)));
        }
        for column in 0..columns {
            let Some(card) = self.piece_at(rules, instance, (from as usize - 1) * columns + column) else { continue };
            let first = (to as usize - 1) * columns;
            if let Some(slot) = (first..first + columns).find(|&slot| self.piece_at(rules, instance, slot).is_none()) {
                self.move_piece(rules, card, instance, slot)?;
            }
        }
        self.after_change(rules)
    }

    fn put_printed(&mut self, rules: &Ruleset, holder: i64, field: usize, to: usize, me: usize) -> Result<(), Stop> {
        if holder < 0 {
            return Ok(());
        }
        let at = rules.definition(holder as usize).fields[field] as usize;
        let list = if at == 0 { &[] } else { &rules.pool[at + 1..at + 1 + rules.pool[at] as usize] };
        self.put_copies(rules, list, to, me)
    }

    fn put_copies(&mut self, rules: &Ruleset, definitions: &[i32], to: usize, me: usize) -> Result<(), Stop> {
        let instance = Self::instance(rules, to, me);
        for &definition in definitions {
            let card = (0..rules.layout.pieces).find(|&p| {
                rules.piece_definition[p] == definition as u32 && self.cells[rules.layout.piece(p, piece::PLACE)] as usize == BOX
            });
            let room = rules.layout.places[instance].room as i64;
            if let (Some(card), Some(slot)) = (card, self.free_slot(rules, instance, room)) {
                self.move_piece(rules, card, instance, slot)?;
            }
        }
        self.after_change(rules)
    }

    /// Puts a card into a place of a seat, over another of its choice when none is free (or always, if it may).
    ///
    /// # Errors
    /// [`Stop::Ask`] when there is a choice.
    pub fn place(&mut self, rules: &Ruleset, card: usize, place: usize, me: usize, over: bool) -> Result<(), Stop> {
        let instance = Self::instance(rules, place, me);
        let room = rules.layout.places[instance].room as i64;
        let limit = rules.places[place].limit.map_or(room, |q| self.quantity(rules, q, me, [-1; 2]));
        let free = self.free_slot(rules, instance, limit);
        let mut options = std::mem::take(&mut self.spare);
        options.clear();
        if free.is_none() || over {
            for slot in 0..limit.clamp(0, room) as usize {
                if let Some(there) = self.piece_at(rules, instance, slot) {
                    options.push(Opt::new(rules, Act::Card(there as i16)));
                }
            }
            if free.is_some() {
                options.push(Opt::new(rules, Act::Nothing));
                if options.len() == 1 {
                    options.clear();
                }
            }
        }
        let slot = match self.ask(rules, me, Question::Cover, options)? {
            Some(Opt { act: Act::Card(covered), .. }) => {
                let slot = self.cells[rules.layout.piece(covered as usize, piece::POSITION)] as usize;
                self.quiet += 1;
                let removed = self.remove(rules, covered as usize);
                self.quiet -= 1;
                removed?;
                Some(slot)
            }
            _ => free,
        };
        let Some(slot) = slot else {
            // No place at all: the card is out of the game.
            return self.remove(rules, card);
        };
        self.say(|| format!("p{}: {} is placed in {}", me + 1, rules.names.text(rules.definition(card).id), rules.places[place].name));
        self.move_piece(rules, card, instance, slot)?;
        self.after_change(rules)
    }

    fn choose_mix(&mut self, rules: &Ruleset, me: usize, n: i64, resources: &[u8]) -> Result<Vec<(usize, i64)>, Stop> {
        let mut costs: Vec<(usize, i64)> = resources.iter().map(|&r| (r as usize, 0)).collect();
        let have: Vec<i64> = resources.iter().map(|&r| self.amount(rules, me, r as usize)).collect();
        if have.iter().sum::<i64>() < n {
            return Err(self.fault(rules, format!("{n} had to be paid where there was less")));
        }
        // Units are picked in the declared order, so that each payment has exactly one path; a class is left only if the rest
        // can still be paid.
        let mut class = 0;
        for paid in 0..n {
            let mut options = std::mem::take(&mut self.spare);
            options.clear();
            for at in class..costs.len() {
                let beyond: i64 = (at..costs.len()).map(|i| have[i] - costs[i].1).sum();
                if have[at] > costs[at].1 && beyond >= n - paid {
                    options.push(Opt::new(rules, Act::Word(rules.resources[costs[at].0])));
                }
            }
            let chosen = self.ask(rules, me, Question::Payment, options)?;
            let Some(Opt { act: Act::Word(word), .. }) = chosen else { break };
            class = costs.iter().position(|c| rules.resources[c.0] == word).unwrap_or(class);
            costs[class].1 += 1;
        }
        Ok(costs)
    }

    fn card_acts(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, card: i64, me: usize) -> Result<(), Stop> {
        if card < 0 {
            return Ok(());
        }
        let definition = rules.piece_definition[card as usize];
        let Some(action) = &rules.definitions[definition as usize].action else { return Ok(()) };
        let mark = self.queue.len();
        let mut env = Env::with(me, &[card as i32, card as i32]);
        let mut costs = Vec::new();
        for (amount, resource) in &action.costs {
            costs.push((*resource as usize, self.eval(rules, *amount, &mut env)));
        }
        self.pay(rules, me, &costs)?;
        let call = Call { script: action.script, me, own: card as i32, card: card as i32, player: me, answer: -1 };
        self.speak(rules, scripts, definition, action.ask.as_ref(), call)?;
        self.settle(rules, scripts, mark)
    }

    fn run_question(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, question: u32, env: &mut Env) -> Result<(), Stop> {
        let asked = &rules.questions[question as usize];
        if asked.picks {
            return self.run_picks(rules, scripts, question, env);
        }
        let mut options = std::mem::take(&mut self.spare);
        options.clear();
        for choice in &asked.choices {
            self.offer(rules, &choice.offer, choice.when, env, &mut options);
        }
        if asked.may && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
        let chosen = self.ask(rules, env.me, Question::Rules(question), options)?;
        let Some(chosen) = chosen else {
            return match asked.otherwise {
                Some(body) => self.run_body(rules, scripts, body, env),
                None => Ok(()),
            };
        };
        self.run_choice(rules, scripts, question, chosen, env)
    }

    fn run_choice(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, question: u32, chosen: Opt, env: &mut Env) -> Result<(), Stop> {
        for choice in &rules.questions[question as usize].choices {
            match (&choice.offer, chosen.act) {
                (Offer::Word { name, .. }, Act::Word(word) | Act::Bare(word)) if *name == word => {
                    return self.run_body(rules, scripts, choice.body, env);
                }
                (Offer::Cards(set), Act::Card(card)) => {
                    if !self.cards_of(rules, *set, env).contains(&(card as i32)) {
                        continue;
                    }
                    let local = rules.sets[*set as usize].local as usize;
                    let kept = env.locals[local];
                    env.locals[local] = card as i32;
                    let result = self.run_body(rules, scripts, choice.body, env);
                    env.locals[local] = kept;
                    return result;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A series of picks, in the declared order of classes; what nothing tells apart is one class with a count.
    fn run_picks(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, question: u32, env: &mut Env) -> Result<(), Stop> {
        let asked = &rules.questions[question as usize];
        let mut classes: Vec<(Opt, i64)> = Vec::new();
        for choice in &asked.choices {
            let mut options = Vec::new();
            self.offer(rules, &choice.offer, choice.when, env, &mut options);
            for option in options {
                let mut there = *env;
                if let (Offer::Cards(set), Act::Card(card)) = (&choice.offer, option.act) {
                    there.locals[rules.sets[*set as usize].local as usize] = card as i32;
                }
                let limit = choice.up_to.map_or(1, |node| self.eval(rules, node, &mut there));
                classes.push((option, limit));
            }
        }
        let mut from = 0;
        loop {
            let mut options = std::mem::take(&mut self.spare);
            options.clear();
            options.extend(classes[from..].iter().filter(|c| c.1 > 0).map(|c| c.0));
            if options.is_empty() {
                self.spare = options;
                return Ok(());
            }
            options.push(Opt::new(rules, Act::Done));
            let Some(chosen) = self.ask(rules, env.me, Question::Rules(question), options)? else { return Ok(()) };
            if chosen.act == Act::Done {
                return Ok(());
            }
            from = classes.iter().position(|c| c.0.act == chosen.act).unwrap_or(from);
            classes[from].1 -= 1;
            self.run_choice(rules, scripts, question, chosen, env)?;
        }
    }

    /// Puts a question: with no answer it is skipped, with one it is taken unasked.
    ///
    /// # Errors
    /// [`Stop::Ask`] when it is open.
    pub fn ask(&mut self, rules: &Ruleset, seat: usize, question: Question, mut options: Vec<Opt>) -> Result<Option<Opt>, Stop> {
        number_alike(&mut options);
        if options.len() < 2 {
            let only = options.first().copied();
            if let (Some(taken), Some(only)) = (&mut self.taken, only) {
                taken.push((seat as u8, only));
            }
            self.spare = options;
            return Ok(only);
        }
        if options.len() > 256 {
            return Err(Stop::fault(format!(
                "question `{}` has {} answers; more than 256 is a fault of the rules",
                question.text(rules),
                options.len()
            )));
        }
        // While all act at once and have answered, each takes its own answers, by key.
        if let Some(answers) = &self.answers {
            if let Some(&(_, key)) = answers.get(self.answers_at)
                && let Some(option) = options.iter().find(|o| o.key == key)
            {
                let option = *option;
                self.answers_at += 1;
                self.spare = options;
                return Ok(Some(option));
            }
        } else if self.no_questions {
            self.spare = options;
            return Err(Stop::AskFirst);
        }
        if let Some(index) = self.replayed() {
            let Some(option) = options.get(index.max(0) as usize).copied() else {
                return Err(Stop::fault(format!(
                    "answer {index} to `{}` is not among its {} options",
                    question.text(rules),
                    options.len()
                )));
            };
            if let Some(record) = &mut self.record {
                record.push((index, option.key));
            }
            self.say(|| format!("p{}: {}", seat + 1, option.text(rules)));
            self.spare = options;
            return Ok(Some(option));
        }
        if self.journal.len() >= JOURNAL {
            return Err(too_much());
        }
        self.pending = Some(super::decision::Decision { seat, question, options });
        Err(Stop::Ask)
    }

    /// Everybody at once: questions are put first, in reverse order; when all have answered the bodies are applied in turn
    /// order, each seeing the others as they were.
    fn all_at_once(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        filter: Option<NodeId>,
        body: BodyId,
        env: &mut Env,
    ) -> Result<(), Stop> {
        if self.eyes != Eyes::Live {
            return Err(Stop::fault("`all players` within `all players`"));
        }
        self.before.copy_from_slice(&self.cells);
        std::mem::swap(&mut self.past, &mut self.live);
        self.live.clone_from(&self.past);
        let mark = self.cursor;
        let first_deferred = self.deferred.len();
        let mark_of_block = (first_deferred, self.comings, self.undo.len());
        let seats = self.seats(rules, Direction::Forward);
        let mut taking_part = Vec::with_capacity(seats.len());
        for seat in seats {
            let mut there = *env;
            there.me = seat;
            if self.holds_if(rules, filter, &mut there) {
                taking_part.push(seat);
            }
        }
        self.quiet += 1;
        let mut result = Err(Stop::AskFirst);
        if self.journal.len() == mark {
            // Hardly ever does anybody have a choice: try without.
            let told = self.told_so_far();
            self.no_questions = true;
            result = self.apply_all(rules, scripts, &taking_part, body, env, None);
            self.no_questions = false;
            if result == Err(Stop::AskFirst) {
                self.journal.truncate(mark);
                self.cursor = mark;
                self.undo_all(rules, mark_of_block);
                self.untell(told);
            }
        }
        if result == Err(Stop::AskFirst) {
            result = self.ask_all(rules, scripts, &taking_part, body, env, mark_of_block);
        }
        self.quiet -= 1;
        self.eyes = Eyes::Live;
        self.keep_clean();
        self.checks_due = true;
        result?;
        let deferred: Vec<_> = self.deferred.drain(first_deferred..).collect();
        self.after_change(rules)?;
        for item in deferred {
            self.carry_out(rules, scripts, item)?;
        }
        Ok(())
    }

    fn undo_all(&mut self, rules: &Ruleset, (first_deferred, comings, first_change): (usize, u32, usize)) {
        self.take_back(rules, first_change);
        self.keep_clean();
        self.active_stale |= self.comings != comings;
        self.checks_due = true;
        self.room_due = true;
        self.deferred.truncate(first_deferred);
        self.queue.clear();
    }

    fn ask_all(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        seats: &[usize],
        body: BodyId,
        env: &Env,
        mark_of_block: (usize, u32, usize),
    ) -> Result<(), Stop> {
        let mut given = vec![Vec::new(); rules.players];
        let told = self.told_so_far();
        let log = self.log.take();
        // What seats have answered in this block before is kept beside the state, so that it need not be run again.
        let block = (self.cursor, body);
        if self.answered.as_ref().is_none_or(|a| a.0 != block) {
            self.answered = Some((block, vec![None; rules.players]));
        }
        for &seat in seats.iter().rev() {
            if let Some((_, known)) = &self.answered
                && let Some((upto, answers)) = &known[seat]
                && *upto <= self.journal.len()
            {
                given[seat] = answers.clone();
                self.cursor = *upto;
                continue;
            }
            self.record = Some(Vec::new());
            self.eyes = Eyes::Own(seat as u8);
            let mut there = *env;
            there.me = seat;
            let result = self.run_body(rules, scripts, body, &mut there);
            given[seat] = self.record.take().unwrap_or_default();
            if result.is_err() {
                self.log = log;
                return result;
            }
            if let Some((_, known)) = &mut self.answered {
                known[seat] = Some((self.cursor, given[seat].clone()));
            }
            self.eyes = Eyes::Live;
            self.undo_all(rules, mark_of_block);
        }
        self.log = log;
        self.untell(told);
        self.apply_all(rules, scripts, seats, body, env, Some(given))
    }

    fn apply_all(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        seats: &[usize],
        body: BodyId,
        env: &Env,
        mut given: Option<Vec<Vec<(i32, u64)>>>,
    ) -> Result<(), Stop> {
        for &seat in seats {
            self.eyes = Eyes::Own(seat as u8);
            self.answers = given.as_mut().map(|g| std::mem::take(&mut g[seat]));
            self.answers_at = 0;
            let mut there = *env;
            there.me = seat;
            let result = self.run_body(rules, scripts, body, &mut there);
            self.answers = None;
            result?;
        }
        Ok(())
    }

    /// The place of a card for people: `out`, or the place's name with its owner.
    pub fn where_is(&self, rules: &Ruleset, card: usize) -> String {
        let instance = self.shown()[rules.layout.piece(card, piece::PLACE)] as usize;
        match instance {
            OUT => "out of the game".to_string(),
            BOX => "the box".to_string(),
            _ => {
                let at = &rules.layout.places[instance];
                let name = &rules.places[at.declared as usize].name;
                if at.owner == TABLE { name.clone() } else { format!("p{}.{name}", at.owner + 1) }
            }
        }
    }
}

/// Two options never share a key: the later ones get a number.
pub(super) fn number_alike(options: &mut [Opt]) {
    for i in 1..options.len() {
        if !matches!(options[i].act, Act::Card(_) | Act::Action(..)) {
            continue;
        }
        let alike = options[..i].iter().filter(|o| o.key == options[i].key && o.nth == 0).count();
        if alike > 0 {
            let nth = options[..i].iter().filter(|o| same_words(o, &options[i])).count() as u8;
            options[i].nth = nth;
            options[i].key = crate::state::chance::join(options[i].key, nth as u64);
        }
    }
}

fn same_words(a: &Opt, b: &Opt) -> bool {
    match (a.act, b.act) {
        (Act::Card(_), Act::Card(_)) | (Act::Action(..), Act::Action(..)) => {
            a.key == b.key || (1..=a.nth as u64).any(|n| crate::state::chance::join(b.key, n) == a.key)
        }
        _ => false,
    }
}
