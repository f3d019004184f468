//! Compiles and runs scripts: one rhai engine, each script compiled once, and the context through which natives access the game.

use super::api;
use super::api::words::WordTable;
use super::error::{parse_diagnostic, position_span, runtime_fault, unknown_name};
use super::lowered::{Lowered, Lowerer};
use super::sandbox::raw_engine;
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::eval::Env;
use crate::engine::ruleset::{NodeId, ScriptText};
use crate::engine::{Call, Fault, Game, Machine, Ruleset, Scripts, Stop};
use rhai::{AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, OptimizationLevel, Position, Scope, Stmt};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// Largest number of unknown names reported for one script.
const MAX_UNKNOWN_NAMES: usize = 10;

/// Variables that every script can read, in addition to the words of the rules.
pub const SCRIPT_VARIABLES: [&str; 5] = ["me", "own", "card", "player", "answer"];

/// Result of a native function, as rhai expects it.
pub(super) type NativeResult<T> = Result<T, Box<EvalAltResult>>;

/// The state that native functions share: the ruleset, and the game while a script runs.
pub(super) struct ScriptContext {
    pub rules: Arc<Ruleset>,
    pub words: WordTable,
    game: RefCell<Game>,
    /// Why the script must stop, from the first native that failed. It is kept here because rhai may replace its own errors.
    stop_reason: RefCell<Option<Stop>>,
    halted: Cell<bool>,
    me: Cell<usize>,
    script: Cell<u32>,
}

impl ScriptContext {
    /// Runs a native on the game. After one native has failed, all others fail without doing anything.
    #[inline]
    pub fn with_game<T>(&self, work: impl FnOnce(&mut Machine<'_>) -> Result<T, Stop>) -> NativeResult<T> {
        if self.halted.get() {
            return Err(halt());
        }
        work(&mut self.game.borrow_mut().on(&self.rules)).map_err(|stop| self.halt(stop))
    }

    #[cold]
    fn halt(&self, stop: Stop) -> Box<EvalAltResult> {
        self.halted.set(true);
        self.stop_reason.replace(Some(stop));
        halt()
    }

    /// Returns the seat for which the script acts.
    pub fn me(&self) -> usize {
        self.me.get()
    }

    /// Returns the script that is running.
    pub fn script(&self) -> Option<&ScriptText> {
        self.rules.scripts.get(self.script.get() as usize)
    }
}

/// Returns the error that stops a script and that it cannot catch.
fn halt() -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))
}

/// A script, compiled by rhai.
#[derive(Debug)]
pub(super) struct Compiled {
    tree: AST,
    /// Which variables of [`SCRIPT_VARIABLES`] the script reads. The others are not set.
    uses: [bool; SCRIPT_VARIABLES.len()],
    /// The same script without rhai, if it says nothing that only rhai can do.
    lowered: Option<Lowered>,
}

/// Runs the scripts of a ruleset. Each thread needs its own.
pub struct ScriptHost {
    engine: Engine,
    scripts: Vec<Compiled>,
    scope: Scope<'static>,
    context: Rc<ScriptContext>,
}

impl ScriptHost {
    /// Compiles all scripts of a ruleset.
    ///
    /// # Errors
    /// Syntax errors and unknown variables. [`super::check_scripts`] reports more problems.
    pub fn new(rules: &Arc<Ruleset>) -> Result<ScriptHost, Vec<Diagnostic>> {
        let mut host = ScriptHost::by_rhai(rules)?;
        let mut lowerer = Lowerer::new(rules);
        for (script, compiled) in rules.scripts.iter().zip(&mut host.scripts) {
            compiled.lowered = lowerer.lower(script, &compiled.tree);
        }
        Ok(host)
    }

    /// Does the same as [`ScriptHost::new`], but all scripts are run by rhai: for the property test that this makes no difference.
    ///
    /// # Errors
    /// As for [`ScriptHost::new`].
    pub fn by_rhai(rules: &Arc<Ruleset>) -> Result<ScriptHost, Vec<Diagnostic>> {
        let mut engine = raw_engine();
        let words = WordTable::new(rules);
        let mut scripts = Vec::with_capacity(rules.scripts.len());
        let mut wrong = Vec::new();
        for script in &rules.scripts {
            match parse(&engine, script).and_then(|tree| compile(&engine, &words, script, tree)) {
                Ok(compiled) => scripts.push(compiled),
                Err(found) => wrong.extend(found),
            }
        }
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let context = Rc::new(ScriptContext {
            rules: Arc::clone(rules),
            words,
            game: RefCell::new(Game::default()),
            stop_reason: RefCell::new(None),
            halted: Cell::new(false),
            me: Cell::new(0),
            script: Cell::new(0),
        });
        api::register(&mut engine, &context);
        Ok(ScriptHost { engine, scripts, scope: initial_scope(), context })
    }

    /// Returns the scripts that are left to rhai, by index.
    pub fn left_to_rhai(&self) -> impl Iterator<Item = usize> {
        self.scripts.iter().enumerate().filter(|(_, compiled)| compiled.lowered.is_none()).map(|(index, _)| index)
    }
}

impl Scripts for ScriptHost {
    fn run(&mut self, machine: &mut Machine<'_>, call: &Call) -> Result<(), Stop> {
        let Some(compiled) = self.scripts.get(call.script as usize) else {
            return Err(Stop::fault(format!("internal error: there is no script {}; please report it", call.script)));
        };
        let context = &*self.context;
        context.me.set(call.me);
        context.script.set(call.script);
        let values = [cast::count(call.me), call.own as i64, call.card as i64, cast::count(call.player), call.answer];
        let script = &context.rules.scripts[call.script as usize];
        let value_of = |machine: &mut Machine<'_>, value: NodeId| {
            let mut env = Env::with_locals(call.me, &[call.own, call.card, cast::fit::<i32>(call.player)]);
            machine.store.eval(value, &mut env)
        };
        if let Some(lowered) = &compiled.lowered {
            let lets = script.lets.iter().map(|named| match value_of(machine, named.value) {
                value if named.truth => i64::from(value != 0),
                value => value,
            });
            let lets: Vec<i64> = lets.collect();
            return lowered.run(context, machine, script, values.into_iter().chain(lets));
        }
        for ((name, value), used) in SCRIPT_VARIABLES.into_iter().zip(values).zip(compiled.uses) {
            if used && let Some(variable) = self.scope.get_mut(name) {
                *variable = Dynamic::from_int(value);
            }
        }
        for named in &script.lets {
            let value = value_of(machine, named.value);
            self.scope.push_dynamic(named.name.as_str(), if named.truth { (value != 0).into() } else { value.into() });
        }
        machine.swap(&mut context.game.borrow_mut());
        // The script is run as a top-level text, because rhai loses the position of an exceeded limit inside a function.
        let result = self.engine.run_ast_with_scope(&mut self.scope, &compiled.tree);
        machine.swap(&mut context.game.borrow_mut());
        self.scope.rewind(SCRIPT_VARIABLES.len());
        if !context.halted.get() && result.is_ok() {
            return Ok(());
        }
        context.halted.set(false);
        let stop = context.stop_reason.take();
        Err(match (stop, result) {
            (Some(stop), result) => placed(script, stop, result.err().map_or(Position::NONE, |error| super::error::position_of(&error))),
            (None, Err(error)) => Stop::Fault(Box::new(runtime_fault(script, &context.words, &error))),
            (None, Ok(())) => return Ok(()),
        })
    }
}

/// Adds to a fault of a native what script it comes from, and where it was called.
pub(super) fn placed(script: &ScriptText, stop: Stop, at: Position) -> Stop {
    match stop {
        Stop::Fault(fault) => {
            let span = fault.span.or_else(|| position_span(script, at));
            Stop::Fault(Box::new(Fault { owner: script.owner.clone(), span, ..*fault }))
        }
        Stop::Ask | Stop::Pause => stop,
    }
}

/// Creates a scope with the variables of [`SCRIPT_VARIABLES`], all -1.
pub(super) fn initial_scope() -> Scope<'static> {
    let mut scope = Scope::new();
    for name in SCRIPT_VARIABLES {
        scope.push(name, -1_i64);
    }
    scope
}

/// Parses a script. Names are not resolved.
pub(super) fn parse(engine: &Engine, script: &ScriptText) -> Result<AST, Vec<Diagnostic>> {
    engine.compile(&script.text).map_err(|error| vec![parse_diagnostic(script, &error)])
}

/// Visits every node of a script with its ancestors. rhai's own walk skips the values of `break`.
pub(super) fn walk(tree: &AST, visit: &mut impl FnMut(&[ASTNode])) {
    tree.walk(&mut |path| {
        visit(path);
        if let Some(ASTNode::Stmt(Stmt::BreakLoop(Some(value), ..))) = path.last() {
            value.walk(&mut Vec::new(), &mut |path| {
                visit(path);
                true
            });
        }
        true
    });
}

/// Returns the name and position of a node that is a variable which the script does not declare itself.
pub(super) fn free_name<'n>(node: &ASTNode<'n>) -> Option<(&'n str, Position)> {
    match node {
        ASTNode::Expr(Expr::Variable(name, None, at)) if name.0.is_none() => Some((name.1.as_str(), *at)),
        _ => None,
    }
}

/// Returns all variables that a script does not declare itself, each with its first position.
pub(super) fn free_names(tree: &AST) -> Vec<(String, Position)> {
    let mut free: Vec<(String, Position)> = Vec::new();
    walk(tree, &mut |path| {
        if let Some((name, at)) = path.last().and_then(free_name)
            && !free.iter().any(|known| known.0 == name)
        {
            free.push((name.to_string(), at));
        }
    });
    free
}

/// Compiles a parsed script: the words that it uses become constants.
pub(super) fn compile(engine: &Engine, words: &WordTable, script: &ScriptText, tree: AST) -> Result<Compiled, Vec<Diagnostic>> {
    let free = free_names(&tree);
    let uses = SCRIPT_VARIABLES.map(|known| free.iter().any(|(name, _)| name == known));
    let mut scope = initial_scope();
    let mut wrong = Vec::new();
    let is_named = |name: &str| SCRIPT_VARIABLES.contains(&name) || script.lets.iter().any(|named| named.name == name);
    for (name, at) in free.into_iter().filter(|(name, _)| !is_named(name)) {
        match words.value_of(&name) {
            Some(value) => _ = scope.push_constant(name, value),
            None => wrong.push(unknown_name(script, words, &name, at)),
        }
    }
    wrong.truncate(MAX_UNKNOWN_NAMES);
    if wrong.is_empty() {
        Ok(Compiled { tree: engine.optimize_ast(&scope, tree, OptimizationLevel::Simple), uses, lowered: None })
    } else {
        Err(wrong)
    }
}
