//! Compiles and runs scripts: one rhai engine, each script compiled once, and the context through which natives access the game.

use super::api;
use super::api::words::WordTable;
use super::error::{parse_diagnostic, position_span, runtime_fault, unknown_name};
use super::tokens::is_name;
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::eval::Env;
use crate::engine::ruleset::ScriptText;
use crate::engine::{Call, Fault, Game, Machine, Ruleset, Scripts, Stop, Store};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, OptimizationLevel, Position, Scope, Stmt, Token};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Once};

/// Largest number of rhai operations in one run of a script. A script that needs more is considered to be endless.
pub(super) const MAX_OPERATIONS: u64 = 20_000;
/// Longest string, in bytes.
pub(super) const MAX_STRING_LEN: usize = 10_000;
/// Largest number of elements in a list, including those of nested lists. Comparing or searching lists is a single operation of any length,
/// so this limit is needed to bound the running time.
pub(super) const MAX_LIST_LEN: usize = 256;
/// Largest number of entries in a map.
pub(super) const MAX_MAP_LEN: usize = 100;
/// Deepest nesting of function calls.
pub(super) const MAX_CALL_DEPTH: usize = 16;
/// Deepest nesting of expressions.
const MAX_EXPRESSION_DEPTH: usize = 64;
/// Largest number of variables in scope.
const MAX_VARIABLES: usize = 256;
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
        match work(&mut self.game.borrow_mut().on(&self.rules)) {
            Ok(value) => Ok(value),
            Err(stop) => Err(self.halt(stop)),
        }
    }

    /// Runs a native that only reads, or that leaves what follows to the end of the script.
    #[inline]
    pub fn with_store<T>(&self, work: impl FnOnce(&mut Store<'_>) -> Result<T, Stop>) -> NativeResult<T> {
        self.with_game(|machine| work(&mut machine.store))
    }

    /// Runs a native that changes the state, and the checks that are due then.
    #[inline]
    pub fn change(&self, work: impl FnOnce(&mut Store<'_>) -> Result<(), Stop>) -> NativeResult<()> {
        self.with_game(|machine| machine.change(work))
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
        for ((name, value), used) in SCRIPT_VARIABLES.into_iter().zip(values).zip(compiled.uses) {
            if used && let Some(variable) = self.scope.get_mut(name) {
                *variable = Dynamic::from_int(value);
            }
        }
        for named in &context.rules.scripts[call.script as usize].lets {
            let mut env = Env::with_locals(call.me, &[call.own, call.card, cast::fit::<i32>(call.player)]);
            let value = machine.store.eval(named.value, &mut env);
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
        let script = &context.rules.scripts[call.script as usize];
        Err(match (stop, result) {
            (Some(Stop::Fault(fault)), result) => {
                let at = result.err().map_or(Position::NONE, |error| super::error::position_of(&error));
                let span = fault.span.or_else(|| position_span(script, at));
                Stop::Fault(Box::new(Fault { owner: script.owner.clone(), span, ..*fault }))
            }
            (Some(stop), _) => stop,
            (None, Err(error)) => Stop::Fault(Box::new(runtime_fault(script, &context.words, &error))),
            (None, Ok(())) => return Ok(()),
        })
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

/// Creates a rhai engine with the limits of scripts and without files, modules, clock, threads, `eval` and output. It knows no game:
/// natives are registered in addition.
pub fn raw_engine() -> Engine {
    static SEED: Once = Once::new();
    // Functions are looked up by hash. A fixed seed makes measurements reproducible.
    SEED.call_once(|| {
        // If the seed has been set already, that is fine.
        let _ = rhai::config::hashing::set_hashing_seed(Some([0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A]));
    });
    let mut engine = Engine::new_raw();
    // The core package is left out: it can sleep, exit and list functions.
    engine
        .register_global_module(ArithmeticPackage::new().as_shared_module())
        .register_global_module(LogicPackage::new().as_shared_module())
        .register_global_module(BasicIteratorPackage::new().as_shared_module())
        .register_global_module(BasicFnPackage::new().as_shared_module())
        .register_global_module(BasicArrayPackage::new().as_shared_module())
        .register_global_module(BasicMapPackage::new().as_shared_module())
        .register_global_module(BasicMathPackage::new().as_shared_module())
        .register_global_module(BasicStringPackage::new().as_shared_module())
        .register_global_module(MoreStringPackage::new().as_shared_module());
    for symbol in ["eval", "import", "export", "print", "fn", "private", "Fn", "curry", "is_def_var", "is_def_fn"] {
        engine.disable_symbol(symbol);
    }
    engine
        .set_max_operations(MAX_OPERATIONS)
        .set_max_call_levels(MAX_CALL_DEPTH)
        .set_max_string_size(MAX_STRING_LEN)
        .set_max_array_size(MAX_LIST_LEN)
        .set_max_map_size(MAX_MAP_LEN)
        .set_max_expr_depths(MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_DEPTH)
        .set_max_variables(MAX_VARIABLES)
        // Operations in closures are not counted, and a closure that captures itself is never freed.
        .set_allow_anonymous_fn(false)
        .set_fast_operators(true)
        .set_optimization_level(OptimizationLevel::None);
    // A game may use words that rhai reserves.
    #[allow(deprecated, reason = "not deprecated, only marked as such because it may change")]
    engine.on_parse_token(|token, _, _| match token {
        Token::Reserved(word) if is_name(&word) => Token::Identifier(word),
        token => token,
    });
    engine
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
    if wrong.is_empty() { Ok(Compiled { tree: engine.optimize_ast(&scope, tree, OptimizationLevel::Simple), uses }) } else { Err(wrong) }
}
