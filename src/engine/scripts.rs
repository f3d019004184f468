//! Calls scripts of cards.

use super::decision::{Act, Opt, Question, Stop};
use super::eval::Env;
use super::machine::Machine;
use super::op::{ANSWER, Pc};
use super::options;
use super::question;
use super::state::Frame;
use crate::cast;

/// The number from which values stand for words in scripts, and not for numbers or cards: a word is this plus its
/// [`super::ruleset::NameId`].
pub const WORD: i64 = 1 << 40;

/// A call of a card's script, with what the script can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The index of the script.
    pub script: u32,
    /// The seat that the script acts for.
    pub me: usize,
    /// The card that the script belongs to.
    pub own: i32,
    /// The card of the moment, or -1.
    pub card: i32,
    /// The seat for which the moment was raised.
    pub player: usize,
    /// The answer to the question before the script: a card, or [`WORD`] plus the name of a word; -1 without an answer.
    pub answer: i64,
}

/// A runtime for scripts, which the engine calls.
pub trait Scripts {
    /// Runs a script on the game.
    ///
    /// # Errors
    /// A fault.
    fn run(&mut self, machine: &mut Machine<'_>, call: &Call) -> Result<(), Stop>;
}

/// A runtime for rulesets without scripts, and for native consequences, which may not call any.
pub struct NoScripts;

impl Scripts for NoScripts {
    fn run(&mut self, _: &mut Machine<'_>, _: &Call) -> Result<(), Stop> {
        Err(Stop::fault("a script was called where only native consequences are allowed"))
    }
}

/// [`super::op::Op::AskFirst`]: asks the question before a script and stores the answer in its local, or jumps to `no` if it was the refusal, or if
/// there was no option.
///
/// # Errors
/// [`Stop::Ask`] if the question is open now.
pub(crate) fn ask_first(machine: &mut Machine<'_>, ask: u32, no: Pc, frame: &mut Frame) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let (ask, env) = (&rules.ops.card_questions[ask as usize], &mut frame.env);
    let definition = usize::try_from(env.locals[0]).map_or(0, |own| rules.piece_definition[own]);
    let asked = Question::Card(definition);
    let chosen = question::ask(machine, env.me, asked, |store, options| {
        options::list_offers(store, &ask.offers, env, options);
        if ask.may && !options.is_empty() {
            options.push(Opt::new(rules, Act::Nothing));
        }
    })?;
    match chosen.map(|option| option.act) {
        Some(Act::Word(name)) if ask.no != Some(name) => env.locals[ANSWER] = -2 - cast::fit::<i32>(name),
        Some(Act::Card(piece)) => env.locals[ANSWER] = piece.into(),
        _ => frame.pc = no,
    }
    Ok(())
}

/// Runs a script, with the answer in its local. The listeners that it triggers are left in the queue.
///
/// # Errors
/// Faults of the script, with its owner and place.
pub(crate) fn run_script(machine: &mut Machine<'_>, scripts: &mut dyn Scripts, script: u32, env: &Env) -> Result<(), Stop> {
    let rules = machine.store.rules;
    let [own, card, player] = [env.locals[0], env.locals[1], env.locals[2]];
    let answer = match env.locals[ANSWER] {
        word @ ..-1 => WORD + (-2 - word) as i64,
        card => card as i64,
    };
    let player = usize::try_from(player).unwrap_or(env.me);
    let call = Call { script, me: env.me, own, card, player, answer };
    machine.memory.run.last_script = Some(script);
    machine.store.live.running.definition = usize::try_from(own).ok().map(|own| rules.piece_definition[own]);
    let result = scripts.run(machine, &call);
    machine.store.live.running.definition = None;
    result.map_err(|stop| {
        let script = &rules.scripts[script as usize];
        stop.with_owner(&script.owner, script.span)
    })
}
