//! Moments, who hears them, and what waits until a script has ended.

use super::decision::{Act, Fault, Opt, Question, Stop};
use super::definition::concerns;
use super::eval::Env;
use super::game::{Eyes, Game, owned};
use super::ruleset::{AskBefore, EntryPart, NodeId, Offer, Ruleset, Who};
use crate::state::layout::{TABLE, head, piece};

/// Tells words from numbers and cards in scripts: a word is this plus its [`super::ruleset::NameId`].
pub const WORD: i64 = 1 << 40;

/// A script that is to run: which, for whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// Index of the script.
    pub script: u32,
    /// The seat it acts for.
    pub me: usize,
    /// The card that speaks.
    pub own: i32,
    /// The moment's card, or -1.
    pub card: i32,
    /// The seat whose moment it is.
    pub player: usize,
    /// The answer to the question before it: a card, or [`WORD`] plus the name of a word; -1 without one.
    pub answer: i64,
}

/// What runs scripts: the only way in which the engine reaches them.
pub trait Scripts {
    /// Runs a script on the game.
    ///
    /// # Errors
    /// [`Stop::Ask`] at an open question, a fault otherwise.
    fn run(&mut self, game: &mut Game, rules: &Ruleset, call: &Call) -> Result<(), Stop>;
}

/// For rulesets without scripts, and for native consequences, which call none.
pub struct NoScripts;

impl Scripts for NoScripts {
    fn run(&mut self, _: &mut Game, _: &Ruleset, _: &Call) -> Result<(), Stop> {
        Err(Stop::fault("a script was called where only native consequences are allowed"))
    }
}

/// A card in play that says something: which entry of which piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Speaker {
    pub piece: u16,
    pub owner: u8,
    pub entry: u8,
}

/// Cards in play by what they hear, change, forbid and replace.
#[derive(Debug, Default)]
pub(super) struct Active {
    pub hearers: Vec<Vec<Speaker>>,
    pub changes: Vec<Vec<Speaker>>,
    pub forbids: Vec<Vec<Speaker>>,
    pub insteads: Vec<Vec<Speaker>>,
    pub leavers: Vec<Speaker>,
}

impl Clone for Active {
    fn clone(&self) -> Active {
        let mut active = Active::default();
        active.clone_from(self);
        active
    }

    fn clone_from(&mut self, source: &Active) {
        self.hearers.clone_from(&source.hearers);
        self.changes.clone_from(&source.changes);
        self.forbids.clone_from(&source.forbids);
        self.insteads.clone_from(&source.insteads);
        self.leavers.clone_from(&source.leavers);
    }
}

/// What runs when its time has come.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Waiting {
    /// A hook of a card that heard a moment.
    Hook { piece: u16, entry: u8, me: u8, card: i16, player: u8 },
    /// What a card does instead.
    Instead { piece: u16, entry: u8, me: u8 },
    /// An effect of the rules.
    Effect { effect: u16, me: u8, args: [i32; 4] },
    /// A seat had less than it had to lose.
    Shortage { shortage: u16, me: u8, resource: u8, missing: i32 },
}

impl Waiting {
    /// The seat that it befalls.
    fn seat(&self) -> u8 {
        match *self {
            Waiting::Hook { me, .. } | Waiting::Instead { me, .. } | Waiting::Effect { me, .. } | Waiting::Shortage { me, .. } => me,
        }
    }
}

/// Effects that set each other off deeper than this are a fault.
const MOST_NESTED: u32 = 64;

/// More waiting frames than this is a fault.
const MOST_WAITING: usize = 256;

impl Game {
    /// Lists again who speaks, if a card that speaks came or went.
    #[inline]
    pub(super) fn refresh_active(&mut self, rules: &Ruleset) {
        if self.active_stale {
            self.list_active(rules);
        }
    }

    #[cold]
    fn list_active(&mut self, rules: &Ruleset) {
        self.active_stale = false;
        let active = &mut self.active;
        active.hearers.resize(rules.moments.len(), Vec::new());
        active.changes.resize(rules.quantities.len(), Vec::new());
        active.forbids.resize(rules.actions.len(), Vec::new());
        active.insteads.resize(rules.named.len(), Vec::new());
        let lists = [&mut active.hearers, &mut active.changes, &mut active.forbids, &mut active.insteads];
        lists.into_iter().flatten().for_each(Vec::clear);
        active.leavers.clear();
        for declared in rules.places.iter().filter(|p| p.hearing) {
            for at in &rules.layout.places[declared.first as usize..(declared.first + declared.instances) as usize] {
                let base = at.base as usize;
                if self.cells[base] == 0 {
                    continue;
                }
                for slot in 1..=at.room as usize {
                    let piece = self.cells[base + slot];
                    if piece == 0 {
                        continue;
                    }
                    let piece = piece as u16 - 1;
                    let definition = rules.definition(piece as usize);
                    let speaker = |entry: usize| Speaker { piece, owner: at.owner, entry: entry as u8 };
                    for (i, hook) in definition.hooks.iter().enumerate() {
                        active.hearers[hook.moment as usize].push(speaker(i));
                    }
                    for (i, change) in definition.changes.iter().enumerate() {
                        active.changes[change.quantity as usize].push(speaker(i));
                    }
                    for (i, forbid) in definition.forbids.iter().enumerate() {
                        active.forbids[forbid.action as usize].push(speaker(i));
                    }
                    for (i, instead) in definition.insteads.iter().enumerate() {
                        active.insteads[instead.of as usize].push(speaker(i));
                    }
                    if definition.leaves_when.is_some() {
                        active.leavers.push(speaker(0));
                    }
                }
            }
        }
    }

    /// Raises a moment of a seat: settles who hears it, and lets them wait.
    ///
    /// Hearers come from the moment's player on in turn order, then by place, then by position; the moment's own card, if it
    /// lies where cards do not speak, comes first.
    pub(super) fn raise(&mut self, rules: &Ruleset, moment: u16, me: usize, card: i32) -> Vec<Waiting> {
        self.refresh_active(rules);
        let mut heard = Vec::new();
        if card >= 0 {
            let at = self.cells[rules.layout.piece(card as usize, piece::PLACE)] as usize;
            let at = &rules.layout.places[at];
            if at.room == 0 || !rules.places[at.declared as usize].hearing {
                for (i, hook) in rules.definition(card as usize).hooks.iter().enumerate() {
                    if hook.moment == moment && hook.who != Who::Others {
                        self.hear(rules, Speaker { piece: card as u16, owner: me as u8, entry: i as u8 }, me, card, &mut heard);
                    }
                }
            }
        }
        if self.active.hearers[moment as usize].is_empty() {
            return heard;
        }
        let first = (0..rules.players).find(|&i| self.cells[head::ORDER + i] == me as i32).unwrap_or(0);
        for step in 0..=rules.players {
            let owner = if step == rules.players { TABLE } else { self.cells[head::ORDER + (first + step) % rules.players] as u8 };
            for i in 0..self.active.hearers[moment as usize].len() {
                let speaker = self.active.hearers[moment as usize][i];
                if speaker.owner == owner {
                    self.hear(rules, speaker, me, card, &mut heard);
                }
            }
        }
        heard
    }

    fn hear(&mut self, rules: &Ruleset, speaker: Speaker, player: usize, card: i32, heard: &mut Vec<Waiting>) {
        let hook = &rules.definition(speaker.piece as usize).hooks[speaker.entry as usize];
        if hook.own_only && card != speaker.piece as i32 || !concerns(hook.who, speaker.owner, player) {
            return;
        }
        let me = if speaker.owner == TABLE { player } else { speaker.owner as usize };
        let mut env = Env::with(me, &[speaker.piece as i32, card, player as i32]);
        if self.holds_if(rules, hook.when, &mut env) {
            heard.push(Waiting::Hook { piece: speaker.piece, entry: speaker.entry, me: me as u8, card: card as i16, player: player as u8 });
        }
    }

    /// Raises a moment in the middle of something: its hearers wait until that has ended.
    pub fn raise_later(&mut self, rules: &Ruleset, moment: u16, me: usize, card: i32) -> Result<(), Stop> {
        let heard = self.raise(rules, moment, me, card);
        let list = if self.quiet > 0 { &mut self.deferred } else { &mut self.queue };
        list.extend(heard);
        if self.queue.len() + self.deferred.len() > MOST_WAITING {
            return Err(Stop::fault("more than 256 effects wait for each other; cards may be setting each other off for ever"));
        }
        Ok(())
    }

    /// Lets an effect of the rules wait until the script has ended.
    pub fn effect_later(&mut self, effect: u16, me: usize, args: [i32; 4]) {
        self.queue.push(Waiting::Effect { effect, me: me as u8, args });
    }

    /// Raises a moment and waits for its hearers, each with all that it sets off.
    pub(super) fn moment(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, moment: u16, me: usize, card: i32) -> Result<(), Stop> {
        for item in self.raise(rules, moment, me, card) {
            self.carry_out(rules, scripts, item)?;
        }
        Ok(())
    }

    /// Runs what waits beyond the first `from`, first raised first, each to rest.
    pub(super) fn settle(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, from: usize) -> Result<(), Stop> {
        while self.queue.len() > from {
            let item = self.queue.remove(from);
            self.carry_out(rules, scripts, item)?;
        }
        Ok(())
    }

    pub(super) fn carry_out(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, item: Waiting) -> Result<(), Stop> {
        let mark = self.queue.len();
        if mark > MOST_WAITING {
            return Err(Stop::fault("more than 256 effects wait for each other; cards may be setting each other off for ever"));
        }
        if self.nested >= MOST_NESTED {
            return Err(Stop::fault("effects set each other off more than 64 deep; a card or rule may be causing itself"));
        }
        // While all act at once, what befalls another seat is carried out as that seat: its own things are live.
        let eyes = self.eyes;
        if let Eyes::Own(_) = eyes {
            self.eyes = Eyes::Own(item.seat());
        }
        self.nested += 1;
        let result = self.carry_out_now(rules, scripts, item, mark);
        self.nested -= 1;
        self.eyes = eyes;
        result
    }

    fn carry_out_now(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, item: Waiting, mark: usize) -> Result<(), Stop> {
        match item {
            Waiting::Hook { piece, entry, me, card, player } => {
                let definition = rules.piece_definition[piece as usize];
                let hook = &rules.definitions[definition as usize].hooks[entry as usize];
                let (me, own, card, player) = (me as usize, piece as i32, card as i32, player as usize);
                self.speak(rules, scripts, definition, &hook.parts, Call { script: 0, me, own, card, player, answer: -1 })?;
            }
            Waiting::Instead { piece, entry, me } => {
                let definition = rules.piece_definition[piece as usize];
                let instead = &rules.definitions[definition as usize].insteads[entry as usize];
                let (me, own) = (me as usize, piece as i32);
                self.speak(rules, scripts, definition, &instead.parts, Call { script: 0, me, own, card: -1, player: me, answer: -1 })?;
            }
            Waiting::Effect { effect, me, args } => {
                let mut env = Env::of(me as usize);
                env.locals[1..5].copy_from_slice(&args);
                self.run_body(rules, scripts, rules.effects[effect as usize].body, &mut env)?;
            }
            Waiting::Shortage { shortage, me, resource, missing } => {
                let mut env = Env::with(me as usize, &[-1, resource as i32, missing]);
                self.run_body(rules, scripts, rules.shortages[shortage as usize].body, &mut env)?;
            }
        }
        self.settle(rules, scripts, mark)
    }

    /// Does what an entry says, part by part: each puts its question, if it has one, and runs its script when all that the part
    /// before set off is at rest. A question that gets no answer ends the entry; an answer is known to the parts that follow.
    pub(super) fn speak(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        definition: u32,
        parts: &[EntryPart],
        mut call: Call,
    ) -> Result<(), Stop> {
        let mark = self.queue.len();
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.settle(rules, scripts, mark)?;
            }
            let mut env = Env::with(call.me, &[call.own, call.card, call.player as i32]);
            if !self.holds_if(rules, part.when, &mut env) {
                continue;
            }
            if let Some(ask) = &part.ask {
                let options = self.offers(rules, ask, &mut env);
                match self.ask(rules, call.me, Question::Card(definition), options)? {
                    None | Some(Opt { act: Act::Nothing, .. }) => return Ok(()),
                    Some(Opt { act: Act::Word(name), .. }) if ask.no == Some(name) => return Ok(()),
                    Some(Opt { act: Act::Word(name), .. }) => call.answer = WORD + name as i64,
                    Some(Opt { act: Act::Card(piece), .. }) => call.answer = piece as i64,
                    Some(_) => {}
                }
            }
            call.script = part.script;
            self.run_script(rules, scripts, definition, &call)?;
        }
        Ok(())
    }

    /// Runs a script; what it lets wait stays in the queue.
    pub(super) fn run_script(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, definition: u32, call: &Call) -> Result<(), Stop> {
        let kept = self.speaking.replace(definition);
        let result = scripts.run(self, rules, call);
        self.speaking = kept;
        result.map_err(|stop| {
            owned(stop, || {
                let script = &rules.scripts[call.script as usize];
                (script.owner.clone(), script.span)
            })
        })?;
        self.after_change(rules)
    }

    fn offers(&mut self, rules: &Ruleset, ask: &AskBefore, env: &mut Env) -> Vec<Opt> {
        let mut options = self.no_options();
        for (offer, when) in &ask.offers {
            self.offer(rules, offer, *when, env, &mut options);
        }
        if ask.may && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
        options
    }

    /// Adds what an offer stands for to a list of options.
    pub(super) fn offer(&mut self, rules: &Ruleset, offer: &Offer, when: Option<NodeId>, env: &mut Env, options: &mut Vec<Opt>) {
        match offer {
            Offer::Word { name, bare } => {
                if self.holds_if(rules, when, env) {
                    options.push(Opt::new(rules, if *bare { Act::Bare(*name) } else { Act::Word(*name) }));
                }
            }
            Offer::Cards(set) => {
                let local = rules.sets[*set as usize].local as usize;
                self.each_card(rules, *set, env, |game, env| {
                    if game.holds_if(rules, when, env) {
                        options.push(Opt::new(rules, Act::Card(env.locals[local] as i16)));
                    }
                    true
                });
            }
        }
    }

    /// A card that replaces a named loss or draw for this seat (`None`: for anybody), if there is one.
    pub(super) fn replaced(&mut self, rules: &Ruleset, name: u16, seat: Option<usize>) -> Option<Waiting> {
        self.refresh_active(rules);
        for i in 0..self.active.insteads[name as usize].len() {
            let speaker = self.active.insteads[name as usize][i];
            let instead = &rules.definition(speaker.piece as usize).insteads[speaker.entry as usize];
            if seat.is_some_and(|seat| !concerns(instead.who, speaker.owner, seat)) {
                continue;
            }
            let me = if speaker.owner == TABLE { seat.unwrap_or(0) } else { speaker.owner as usize };
            if self.holds_if(rules, instead.when, &mut Env::with(me, &[speaker.piece as i32, -1])) {
                return Some(Waiting::Instead { piece: speaker.piece, entry: speaker.entry, me: me as u8 });
            }
        }
        None
    }

    /// A fault in the name of the card that speaks.
    pub fn fault(&self, rules: &Ruleset, message: impl Into<String>) -> Stop {
        let owner = self.speaking.map_or(String::new(), |d| rules.names.text(rules.definitions[d as usize].id).to_string());
        Stop::Fault(Box::new(Fault { message: message.into(), owner, span: None }))
    }
}
