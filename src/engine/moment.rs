//! Moments, who hears them, and what waits until a script has ended.

use super::active::Speaker;
use super::decision::{Act, Fault, Opt, Question, Stop};
use super::definition::concerns;
use super::eval::Env;
use super::frame::{Frame, card_of_operand, operand_of_card};
use super::game::{Eyes, Game};
use super::ids::{EntryId, PieceId};
use super::op::Pc;
use super::ruleset::{AskBefore, NodeId, Offer, Ruleset, Who};
use crate::cast;
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
    /// A fault.
    fn run(&mut self, game: &mut Game, rules: &Ruleset, call: &Call) -> Result<(), Stop>;
}

/// For rulesets without scripts, and for native consequences, which call none.
pub struct NoScripts;

impl Scripts for NoScripts {
    fn run(&mut self, _: &mut Game, _: &Ruleset, _: &Call) -> Result<(), Stop> {
        Err(Stop::fault("a script was called where only native consequences are allowed"))
    }
}

/// A frame that waits to run: what a listener, a replacement, a shortage or an effect does, for whom, with its first locals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting {
    pub pc: Pc,
    pub me: u8,
    pub locals: [i32; 5],
}

pub(super) use houserule_ruleset::op::ANSWER;

/// Cells of a frame that waits.
const WAITING: usize = 7;

/// More frames that wait than this is a fault.
const MAX_WAITING: i32 = 256;

impl Waiting {
    fn cells(&self) -> [i32; WAITING] {
        let [mut a, mut b, c, d, e] = self.locals;
        // What a card does names that card, and that of the moment.
        if a >= 0 {
            a = operand_of_card(a);
            b = if b >= 0 { operand_of_card(b) } else { b };
        }
        [cast::fit::<i32>(self.pc.0), self.me as i32, a, b, c, d, e]
    }

    fn from_cells(cells: &[i32]) -> Waiting {
        let mut locals = [-1; 5];
        locals.iter_mut().zip(&cells[2..]).for_each(|(to, from)| *to = card_of_operand(*from).unwrap_or(*from));
        Waiting { pc: Pc(cast::fit::<u32>(cells[0])), me: cast::fit::<u8>(cells[1]), locals }
    }
}

impl Game {
    /// Raises a moment of a seat: who hears it is fixed now, and waits in the queue.
    pub(super) fn raise(&mut self, rules: &Ruleset, moment: u16, me: usize, card: i32) {
        self.each_hearer(rules, moment, me, card, |game, speaker| game.hear(rules, speaker, me, card));
    }

    /// Calls `f` for each entry that hears a moment, whomever it concerns.
    ///
    /// Hearers come from the moment's player on in turn order, then by place, then by position; the moment's own card, if it
    /// lies where cards do not speak, comes first.
    pub(super) fn each_hearer(&mut self, rules: &Ruleset, moment: u16, me: usize, card: i32, mut f: impl FnMut(&mut Game, Speaker)) {
        self.refresh_active(rules);
        self.touch_speakers(rules, |definition| definition.hooks.iter().any(|hook| hook.moment == moment));
        if card >= 0 {
            self.touch(rules, cast::index(card), |card| rules.definition(card).hooks.iter().any(|hook| hook.moment == moment));
            let at = cast::index(self.cells[rules.layout.piece(cast::index(card), piece::PLACE)]);
            let at = &rules.layout.places[at];
            if at.room == 0 || !rules.places[at.declared as usize].hearing {
                for (i, hook) in rules.definition(cast::index(card)).hooks.iter().enumerate() {
                    if hook.moment == moment && hook.who != Who::Others {
                        f(self, Speaker { piece: PieceId::at(cast::index(card)), owner: cast::seat(me), entry: EntryId::at(i) });
                    }
                }
            }
        }
        if self.active.hearers(moment).is_empty() {
            return;
        }
        let first = (0..rules.players).find(|&i| self.cells[head::ORDER + i] == cast::fit::<i32>(me)).unwrap_or(0);
        for step in 0..=rules.players {
            let owner =
                if step == rules.players { TABLE } else { cast::fit::<u8>(self.cells[head::ORDER + (first + step) % rules.players]) };
            for i in 0..self.active.hearers(moment).len() {
                let speaker = self.active.hearers(moment)[i];
                if speaker.owner == owner {
                    f(self, speaker);
                }
            }
        }
    }

    fn hear(&mut self, rules: &Ruleset, speaker: Speaker, player: usize, card: i32) {
        let definition = rules.piece_definition[speaker.piece.index()] as usize;
        let hook = &rules.definitions[definition].hooks[speaker.entry.index()];
        if hook.own_only && card != speaker.piece.local() || !concerns(hook.who, speaker.owner, player) {
            return;
        }
        let me = if speaker.owner == TABLE { player } else { speaker.owner as usize };
        let locals = [speaker.piece.local(), card, cast::fit::<i32>(player), -1, -1];
        if self.holds_if(rules, hook.when, &mut Env::with(me, &locals)) {
            self.queue.push(Waiting { pc: hook.begin, me: cast::seat(me), locals });
        }
    }

    /// Raises a moment in the middle of something: its hearers wait until that has ended; while all act at once, until all have
    /// acted.
    ///
    /// # Errors
    /// Hearers of what must have none.
    pub fn raise_later(&mut self, rules: &Ruleset, moment: u16, me: usize, card: i32) -> Result<(), Stop> {
        let mark = self.queue.len();
        self.raise(rules, moment, me, card);
        if self.eyes != Eyes::Live {
            for at in mark..self.queue.len() {
                let cells = self.queue[at].cells();
                self.defer(&cells)?;
            }
            self.queue.truncate(mark);
        }
        Ok(())
    }

    /// Lets an effect of the rules wait until the script has ended.
    pub fn effect_later(&mut self, rules: &Ruleset, effect: u16, me: usize, args: [i32; 4]) {
        let [a, b, c, d] = args;
        self.queue.push(Waiting { pc: rules.effects[effect as usize].begin, me: cast::seat(me), locals: [-1, a, b, c, d] });
    }

    // ------------------------------------------------------------------ what waits, on the stack

    /// Puts what the queue holds on the stack, for the op [`super::op::Op::Waiting`]: the first on top, and above it how many.
    ///
    /// # Errors
    /// Too much that waits.
    pub(super) fn push_waiting(&mut self) -> Result<(), Stop> {
        let count = self.queue.len();
        self.count_waiting(count)?;
        for at in (0..count).rev() {
            let cells = self.queue[at].cells();
            self.cells.extend_from_slice(&cells);
        }
        self.queue.clear();
        self.push(cast::fit::<i32>(count));
        Ok(())
    }

    /// Puts frames that wait, written as cells one after another, on the stack.
    ///
    /// # Errors
    /// Too much that waits.
    pub(super) fn push_deferred(&mut self, deferred: &[i32]) {
        for cells in deferred.chunks_exact(WAITING).rev() {
            self.cells.extend_from_slice(cells);
        }
        self.push(cast::fit::<i32>(deferred.len() / WAITING));
    }

    /// Counts frames that begin to wait.
    ///
    /// # Errors
    /// Too many of them.
    pub(super) fn count_waiting(&mut self, more: usize) -> Result<(), Stop> {
        self.cells[head::WAITING] += cast::fit::<i32>(more);
        if self.too_many_wait() {
            return Err(Stop::fault(format!(
                "more than {MAX_WAITING} effects wait for each other; cards may be setting each other off for ever"
            )));
        }
        Ok(())
    }

    /// Whether more frames wait than may.
    pub(super) fn too_many_wait(&self) -> bool {
        self.cells[head::WAITING] > MAX_WAITING
    }

    /// Begins the next frame that waits on the stack; whether there was one.
    ///
    /// # Errors
    /// Too many frames on top of each other.
    pub(super) fn begin_waiting(&mut self, at: &mut Frame) -> Result<bool, Stop> {
        let left = self.pop();
        if left == 0 {
            return Ok(false);
        }
        let from = self.cells.len() - WAITING;
        let item = Waiting::from_cells(&self.cells[from..]);
        self.cells.truncate(from);
        self.push(left - 1);
        self.cells[head::WAITING] -= 1;
        self.begin(at, item)?;
        Ok(true)
    }

    /// Begins a frame on top of the running one. While all act at once, what befalls another seat is done as that seat: its own
    /// things are live.
    ///
    /// # Errors
    /// Too many frames on top of each other.
    pub(super) fn begin(&mut self, at: &mut Frame, item: Waiting) -> Result<(), Stop> {
        self.enter(at, item.pc, Env::with(item.me as usize, &item.locals))?;
        if self.eyes != Eyes::Live {
            self.eyes = Eyes::Own(item.me);
        }
        Ok(())
    }

    // ------------------------------------------------------------------ what cards say

    /// Puts the question before a script; the answer, if it is not no.
    ///
    /// # Errors
    /// [`Stop::Ask`] when it is open.
    pub(super) fn ask_first(&mut self, rules: &Ruleset, ask: &AskBefore, env: &mut Env) -> Result<Option<i32>, Stop> {
        let definition = usize::try_from(env.locals[0]).map_or(0, |own| rules.piece_definition[own]);
        let chosen = self.ask(rules, env.me, Question::Card(definition), |game, options| game.offers(rules, ask, env, options))?;
        Ok(match chosen.map(|option| option.act) {
            Some(Act::Word(name)) if ask.no != Some(name) => Some(-2 - cast::fit::<i32>(name)),
            Some(Act::Card(piece)) => Some(piece as i32),
            _ => None,
        })
    }

    /// Runs a script, with the answer that lies in its local; what it sets off is left in the queue.
    ///
    /// # Errors
    /// Faults of the script, in its name.
    pub(super) fn run_script(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, script: u32, env: &Env) -> Result<(), Stop> {
        let [own, card, player] = [env.locals[0], env.locals[1], env.locals[2]];
        let answer = match env.locals[ANSWER] {
            word @ ..-1 => WORD + (-2 - word) as i64,
            card => card as i64,
        };
        let player = usize::try_from(player).unwrap_or(env.me);
        let call = Call { script, me: env.me, own, card, player, answer };
        self.run.spoke = Some(script);
        self.run.speaking = usize::try_from(own).ok().map(|own| rules.piece_definition[own]);
        let result = scripts.run(self, rules, &call);
        self.run.speaking = None;
        result.map_err(|stop| {
            let script = &rules.scripts[script as usize];
            stop.in_the_name_of(&script.owner, script.span)
        })?;
        self.after_change(rules)
    }

    fn offers(&mut self, rules: &Ruleset, ask: &AskBefore, env: &mut Env, options: &mut Vec<Opt>) {
        for (offer, when) in &ask.offers {
            self.offer(rules, offer, *when, env, options);
        }
        if ask.may && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
    }

    /// Adds what an offer stands for to a list of options.
    pub(super) fn offer(&mut self, rules: &Ruleset, offer: &Offer, when: Option<NodeId>, env: &mut Env, options: &mut Vec<Opt>) {
        match offer {
            Offer::Word { name, bare } => {
                if self.holds_if(rules, when, env) {
                    options.push(Opt::new(rules, if *bare { Act::Bare(*name) } else { Act::Word(*name) }));
                }
            }
            Offer::Words { local, words } => {
                for &(name, word) in words {
                    env.locals[*local as usize] = word;
                    if self.holds_if(rules, when, env) {
                        options.push(Opt::new(rules, Act::Word(name)));
                    }
                }
            }
            Offer::Numbers { local, from, to } => {
                let (from, to) = (self.eval(rules, *from, env), self.eval(rules, *to, env));
                // One more than there may be is enough to be told.
                for number in (from..=to).take(super::question::MAX_OPTIONS + 1).filter_map(|number| i32::try_from(number).ok()) {
                    env.locals[*local as usize] = number;
                    if self.holds_if(rules, when, env) {
                        options.push(Opt::new(rules, Act::Number(number)));
                    }
                }
            }
            Offer::Cards(set) => {
                let local = rules.sets[*set as usize].local as usize;
                self.each_card(rules, *set, env, |game, env| {
                    if game.holds_if(rules, when, env) {
                        options.push(Opt::new(rules, Act::Card(PieceId::in_option(env.locals[local]))));
                    }
                    true
                });
            }
        }
    }

    /// A card that replaces a named loss or draw for this seat (`None`: for anybody), if there is one.
    pub(super) fn replaced(&mut self, rules: &Ruleset, name: u16, seat: Option<usize>) -> Option<Waiting> {
        self.refresh_active(rules);
        self.touch_speakers(rules, |definition| definition.insteads.iter().any(|instead| instead.of == name));
        for i in 0..self.active.insteads(name).len() {
            let speaker = self.active.insteads(name)[i];
            let definition = rules.piece_definition[speaker.piece.index()] as usize;
            let instead = &rules.definitions[definition].insteads[speaker.entry.index()];
            if seat.is_some_and(|seat| !concerns(instead.who, speaker.owner, seat)) {
                continue;
            }
            let me = if speaker.owner == TABLE { seat.unwrap_or(0) } else { speaker.owner as usize };
            if self.holds_if(rules, instead.when, &mut Env::with(me, &[speaker.piece.local(), -1])) {
                let pc = instead.begin;
                return Some(Waiting { pc, me: cast::seat(me), locals: [speaker.piece.local(), -1, cast::fit::<i32>(me), -1, -1] });
            }
        }
        None
    }

    /// A fault in the name of the card that speaks.
    pub fn fault(&self, rules: &Ruleset, message: impl Into<String>) -> Stop {
        let owner = self.run.speaking.map_or(String::new(), |d| rules.names.text(rules.definitions[d as usize].id).to_string());
        Stop::Fault(Box::new(Fault { owner, ..Fault::new(message) }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{Added, rules};
    use super::*;

    /// Notes for whom each script is called; the first script sets off a moment so often.
    #[derive(Default)]
    struct Recorder {
        called: Vec<(u32, usize)>,
        raises: usize,
    }

    impl Scripts for Recorder {
        fn run(&mut self, game: &mut Game, rules: &Ruleset, call: &Call) -> Result<(), Stop> {
            let first = call.script % 2;
            self.called.push((first, call.me));
            let dusk = rules.moments.iter().position(|moment| moment == "dusk").unwrap_or(0) as u16;
            if first == 0 { (0..self.raises).try_for_each(|_| game.raise_later(rules, dusk, call.me, -1)) } else { Ok(()) }
        }
    }

    const CARDS: &str = "[[card.on]]\nwhen = \"howl\"\nwho = \"all\"\ndo = \"0\"\n[[card.on]]\nwhen = \"dusk\"\ndo = \"1\"\n";

    fn howl(raises: usize, cards: &str) -> (Recorder, Result<(), Fault>) {
        let added = Added {
            effects: "effect night { moment dusk }",
            setup: "each player { draw from pile to den; draw from pile to den }; each player where place_in_order == 2 { moment howl; gain 1 fog }",
            cards,
            ..Added::default()
        };
        let rules = rules(2, &added);
        let mut recorder = Recorder { raises, ..Recorder::default() };
        let result = Game::new(&rules, 1).advance(&rules, &mut recorder).map(|_| ());
        (recorder, result)
    }

    #[test]
    fn hearers_come_from_the_player_on_in_turn_order() {
        let (recorder, result) = howl(0, CARDS);
        assert_eq!((recorder.called, result), (vec![(0, 1), (0, 1), (0, 0), (0, 0)], Ok(())));
    }

    #[test]
    fn what_a_script_sets_off_is_at_rest_before_the_next_is_heard() {
        let (recorder, result) = howl(1, CARDS);
        let second = [(0, 1), (1, 1), (1, 1)];
        let first = [(0, 0), (1, 0), (1, 0)];
        assert_eq!((recorder.called, result), ([second, second, first, first].concat(), Ok(())));
    }

    #[test]
    fn too_many_that_wait_are_a_fault() {
        let (_, result) = howl(129, CARDS);
        assert_eq!(result.map_err(|fault| fault.message.contains("more than 256 effects wait")), Err(true));
    }

    #[test]
    fn cards_that_set_each_other_off_for_ever_are_stopped() {
        let endless = CARDS.replace("\"1\"", "\"0\"").replace("dusk\"\ndo = \"0\"", "dusk\"\ndo = [\"0\", \"0\"]");
        let (recorder, result) = howl(1, &endless);
        let fault = result.err().map(|fault| fault.message).unwrap_or_default();
        assert!(fault.contains("deep") || fault.contains("nobody has been asked"), "{fault}");
        assert!(recorder.called.len() < 100_000);
    }

    #[test]
    fn frames_that_wait_are_what_they_were() {
        let item = Waiting { pc: Pc(70_000), me: 3, locals: [1, -1, 5, 0, i32::MAX] };
        assert_eq!(Waiting::from_cells(&item.cells()), item);
    }
}
