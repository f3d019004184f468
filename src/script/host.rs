//! Compiles and runs scripts: one rhai engine, each script compiled once, and the context through which natives access the game.

use super::api;
use super::api::words::WordTable;
use super::error::{parse_diagnostic, position_span, runtime_fault, unknown_name};
use super::tokens::is_name;
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::eval::Env;
use crate::engine::ruleset::ScriptText;
use crate::engine::{Call, Fault, Game, Machine, Ruleset, Scripts, Stop};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, OptimizationLevel, Position, Scope, Stmt, Token};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, Once};

/// Largest number of operations in one run. A script that needs more is considered to be endless.
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

/// Result of a native function.
pub(super) type NativeResult<T> = Result<T, Box<EvalAltResult>>;

/// The state that native functions share: the ruleset, and the game while a script runs.
pub(super) struct ScriptContext {
    pub rules: Arc<Ruleset>,
    pub words: WordTable,
    game: RefCell<Game>,
    /// Why the script must stop, from the first native that failed. It is kept here because rhai may replace its own errors.
    stop: RefCell<Option<Stop>>,
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

    #[cold]
    fn halt(&self, stop: Stop) -> Box<EvalAltResult> {
        self.halted.set(true);
        self.stop.replace(Some(stop));
        halt()
    }

    /// The seat for which the script acts.
    pub fn me(&self) -> usize {
        self.me.get()
    }

    /// The script that is running.
    pub fn script(&self) -> Option<&ScriptText> {
        self.rules.scripts.get(self.script.get() as usize)
    }
}

/// An error that scripts cannot catch.
fn halt() -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))
}

/// A compiled script.
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
            stop: RefCell::new(None),
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
            let mut env = Env::with(call.me, &[call.own, call.card, cast::fit::<i32>(call.player)]);
            let value = machine.eval(named.value, &mut env);
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
        let stop = context.stop.take();
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

/// A scope with the variables of [`SCRIPT_VARIABLES`], all -1.
pub(super) fn initial_scope() -> Scope<'static> {
    let mut scope = Scope::new();
    for name in SCRIPT_VARIABLES {
        scope.push(name, -1_i64);
    }
    scope
}

/// A rhai engine with the limits above and without files, modules, clock, threads, `eval` and output.
pub(super) fn raw_engine() -> Engine {
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

/// Name and position of a variable that the script does not declare itself.
pub(super) fn free_name<'n>(node: &ASTNode<'n>) -> Option<(&'n str, Position)> {
    match node {
        ASTNode::Expr(Expr::Variable(name, None, at)) if name.0.is_none() => Some((name.1.as_str(), *at)),
        _ => None,
    }
}

/// All variables that a script does not declare itself, each with its first position.
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
    let uses = SCRIPT_VARIABLES.map(|initial_scope| free.iter().any(|(name, _)| name == initial_scope));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{SCRIPT_OFFSET, Sample, SampleGame};

    fn run(text: &str) -> SampleGame {
        let mut table = Sample::new().script(text).start_game();
        assert_eq!(table.run(0), Ok(()), "{text}");
        table
    }

    /// What a script leaves the first seat of the first resource.
    fn wisps(text: &str) -> i64 {
        run(text).value(0, "wisp")
    }

    fn fault(text: &str) -> String {
        Sample::new().script(text).fault().map_or("no fault".to_string(), |f| f.message)
    }

    #[test]
    fn gaining_losing_and_paying() {
        assert_eq!(wisps("gain(me, wisp, 2)"), 2);
        assert_eq!(wisps("gain(me, wisp, -2)"), 0);
        assert_eq!(wisps("gain(me, wisp, 5); lose(me, wisp, 2); pay(me, wisp, 1)"), 2);
        assert_eq!(wisps("gain(me, wisp, 1); lose(me, wisp, 4)"), 0);
        let table = run("for p in others(me) { gain(p, wolf, p + 1) }");
        assert_eq!((table.value(0, "wolf"), table.value(1, "wolf"), table.value(2, "wolf")), (0, 2, 3));
        assert_eq!(fault("pay(me, wisp, 1)"), "1 wisp had to be paid where there were only 0");
    }

    #[test]
    fn what_the_rules_declare_can_be_called() {
        assert_eq!(wisps("gain(me, wisp, 2); gain(me, wisp, twice(me, wisp))"), 6);
        assert_eq!(wisps("add(me, fog, 3); differ(me, howl, 2, round); gain(me, wisp, howl(me))"), 5);
        assert_eq!(wisps("gain(me, wisp, toll(me, own))"), 3);
        assert_eq!(wisps("add(me, fog, 2); if most_foggy(me) && foggy(me) && gloomy(me) { gain(me, wisp, 1) }"), 1);
        assert_eq!(
            wisps("gain(me, wisp, met(me, beast) + dropped(me, wolf) + moon() + 1); if marked(me, wisp) || dark() { gain(me, wisp, 9) }"),
            1
        );
        assert_eq!(wisps("gain(me, wisp, phase() * 10 + phase(me))"), 22);
        assert_eq!(wisps("set(me, calm, yes); if calm(me) && !foggy(me) { gain(me, wisp, 1) }"), 1);
        assert_eq!(wisps("set(me, calm, true); set(me, calm, no); if calm(me) { gain(me, wisp, 1) }"), 0);
    }

    #[test]
    fn cards_are_read_and_moved() {
        assert_eq!(
            wisps(
                "gain(me, wisp, field(own, tall) + field(own, gift, wolf) * 10 + field(own, gift, rain) * 100 + field(own, rings, 1) * 1000)"
            ),
            9523
        );
        assert_eq!(
            wisps("place(own, den); add_card(own, moss, 4); gain(me, wisp, counter(cards(me, den)[0], moss) + cards(me, den).len())"),
            5
        );
        assert_eq!(wisps("place(own, den); remove(own); gain(me, wisp, 2 - cards(me, den).len())"), 2);
        assert_eq!(wisps("if !is(own, beast) && age_of(own) == 2 { gain(me, wisp, 1) }"), 1);
        assert_eq!(fault("place(3, den)"), "cards of kind `plant` do not go into `den`");
        assert_eq!(fault("cards(me, pile)"), "`pile` lies face down: nobody may look into it");
        assert_eq!(fault("field(own, gift)"), "`gift` is printed as several numbers; say which one: `field(c, gift, …)`");
    }

    #[test]
    fn order_and_seats() {
        let table = run("order_last(me); let n = 0; for p in seats() { gain(p, wisp, n); n += 1 }");
        assert_eq!((table.value(0, "wisp"), table.value(1, "wisp"), table.value(2, "wisp")), (2, 0, 1));
    }

    #[test]
    fn effects_wait_and_take_words_as_the_rules_know_them() {
        let mut table = Sample::new()
            .script("trade(me, yes, 4, wolf); trade(me, no, 4, wisp); trade(me, 1 < 2, 2, wisp); gain(me, wolf, wolf(me) + 1)")
            .start_game();
        let SampleGame { rules, host, game } = &mut table;
        assert_eq!(game.on(rules).advance(host).map(|d| d.is_some()), Ok(false));
        assert_eq!((table.value(0, "wolf"), table.value(0, "wisp")), (5, 2));
    }

    #[test]
    fn a_moment_raised_is_heard_when_the_script_has_ended() {
        let mut table = Sample::new().script("place(own, den); if fog(me) == 0 { add(me, fog, 1); moment(dusk); gain(me, wisp, 10 * fog(me)) } else { gain(me, wolf, wisp(me)) }").start_game();
        // The second time the card lies in the den already.
        table = SampleGame { rules: table.rules.clone(), host: table.host, game: table.game };
        let SampleGame { rules, host, game } = &mut table;
        assert!(game.on(rules).advance(host).is_ok());
        assert_eq!(table.value(0, "wisp"), 10);
    }

    #[test]
    fn endless_loops_are_stopped_and_named() {
        let found = Sample::new().script("let n = 0;\nloop { n += 1; }").fault();
        let found = found.map(|f| (f.message, f.owner, f.span.map(|s| s.start - SCRIPT_OFFSET)));
        let Some((message, owner, Some(at))) = found else { unreachable!("{found:?}") };
        assert_eq!((message.as_str(), owner.as_str()), ("this script never ends: it was stopped after 20000 operations", "wall, on dusk"));
        assert!(at >= 11, "in the second line, not at {at}");
        for text in ["while true { }", "let n = 0; for i in 0..1000000 { n += i }", "loop { for i in 0..3 { } }"] {
            assert!(fault(text).starts_with("this script never ends"), "{text}: {}", fault(text));
        }
    }

    #[test]
    fn deep_calls_and_large_values_are_stopped() {
        for text in [
            "let s = \"0123456789\"; loop { s += s; }",
            "let a = [1]; loop { a.push(1); }",
            "let a = [1, 2]; loop { a += a; }",
            "let a = []; loop { a = [a, a]; }",
            "let a = [0, 0]; for n in 0..40 { let b = a; a[0] = b; a[1] = b; }",
            "let a = [0, 0]; for n in 0..40 { let b = [a]; a[0] = b[0]; a[1] = b[0]; }",
            "let m = #{}; for n in 0..40 { let b = m; m.x = b; m.y = b; }",
            "let m = #{}; for n in 0..40 { let b = m; m[\"x\"] = b; m[\"y\"] = b; }",
            "let a = [0, 0]; for n in 0..40 { let b = a; a.set(0, b); a.set(1, b); }",
            "let s = \"x\"; s.pad(100000, \"y\")",
            "let a = []; a.pad(100000, 1)",
        ] {
            assert!(fault(text).contains("too large"), "{text}: {}", fault(text));
        }
    }

    #[test]
    fn nothing_outside_the_game_can_be_reached() {
        for text in [
            "timestamp()",
            "sleep(1)",
            "exit()",
            "open_file(\"x\")",
            "read(\"x\")",
            "system(\"ls\")",
            "env(\"HOME\")",
            "parse_json(\"1\")",
            "rand()",
            "get_fn_metadata_list()",
            "now()",
        ] {
            assert!(fault(text).contains("cannot take"), "{text}: {}", fault(text));
        }
        for text in ["eval(\"1\")", "import \"x\" as x;", "print(1)", "fn f() { }", "export me;", "Fn(\"gain\")", "gain(me, wisp, 1.5)"] {
            let rules = Sample::new().script(text).rules();
            assert!(ScriptHost::new(&rules).is_err(), "{text}");
        }
    }

    #[test]
    fn a_caught_error_does_not_swallow_a_stop() {
        let mut table = Sample::new().script("try { pay(me, wisp, 1) } catch { gain(me, wisp, 9) }; gain(me, wisp, 1)").start_game();
        let Err(Stop::Fault(fault)) = table.run(0) else { unreachable!("a fault was swallowed") };
        assert_eq!(fault.message, "1 wisp had to be paid where there were only 0");
        assert_eq!(table.live(0, 0), 0, "nothing after the fault was done");
        assert_eq!(wisps("try { throw 1 } catch { gain(me, wisp, 9) }"), 9);
    }

    #[test]
    fn nothing_asks_or_draws_within_a_script() {
        for text in ["choose([wisp, wolf])", "random(6)", "draw(pile, 1)"] {
            let found = Sample::new().script(text).fault().map(|f| f.message).unwrap_or_default();
            assert!(found.contains("cannot take"), "{text}: {found}");
        }
    }

    #[test]
    fn a_host_goes_on_after_a_fault() {
        let mut table =
            Sample::new().script("pay(me, wisp, 1)").script("gain(me, wisp, 2)").script("let me = 2; gain(me, wisp, 3)").start_game();
        assert!(table.run(0).is_err());
        assert_eq!(table.run(1), Ok(()));
        assert_eq!(table.run(2), Ok(()));
        assert_eq!(table.run(1), Ok(()));
        assert_eq!((table.value(0, "wisp"), table.value(2, "wisp")), (4, 3));
    }

    #[test]
    fn faults_stand_at_the_line_of_the_native() {
        let found = Sample::new().script("gain(me, wisp, 1);\n  pay(me, wisp, 5)").fault();
        let found = found.map(|f| (f.owner, f.span.map(|s| (s.start - SCRIPT_OFFSET, s.end - s.start))));
        assert_eq!(found, Some(("wall, on dusk".to_string(), Some((21, 3)))));
    }

    #[test]
    fn words_numbers_cards_and_seats_are_not_confused() {
        assert_eq!(fault("gain(me, 1, 2)"), "1 is a number where a resource is named");
        assert_eq!(fault("gain(me, wisp, wolf)"), "`wolf` is a word where a number is wanted; what a player has of it is `wolf(me)`");
        assert_eq!(fault("gain(me, fog, 1)"), "`fog` is not a resource");
        assert_eq!(fault("add(me, wisp, 1)"), "`wisp` is a resource; use `gain`, `lose` or `spend`");
        assert_eq!(fault("add(me, calm, 1)"), "`calm` is a flag; write `set(me, calm, yes)`");
        assert_eq!(fault("gain(7, wisp, 1)"), "this is no player: write `me`, `player`, or one of `seats()`");
        assert_eq!(fault("remove(99)"), "this is no card: write `own`, `card`, or one of `cards(me, PLACE)`");
        assert_eq!(fault("toll(me, 99)"), "this is no card: write `own`, `card`, or one of `cards(me, PLACE)`");
        assert_eq!(fault("toll(me, wisp)"), "this is no card: write `own`, `card`, or one of `cards(me, PLACE)`");
        assert_eq!(fault("bury(me, 99)"), "this is no card: write `own`, `card`, or one of `cards(me, PLACE)`");
        assert_eq!(fault("rest(me, 2000000000)"), "2000000000 is too much for an effect; at most 10000 is handed over");
        assert_eq!(fault("gain(me, wisp, 3000000000)"), "3000000000 is more than a state can hold");
        assert_eq!(fault("gain(me, wisp, \"2\")"), "`gain` cannot take a number or word, a number or word, a text");
        assert_eq!(fault("differ(me, howl, 1, wisp)"), "`wisp` is not a time; write action, turn, step, round or game");
        assert_eq!(fault("if fog(me) { gain(me, wisp, 1) }"), "expected yes or no, found a number or word");
        assert_eq!(fault("let a = 1 / fog(me);"), "division by zero: 1 / 0");
        assert_eq!(fault("throw \"enough\""), "the script gave up: enough");
        assert_eq!(fault("throw [wisp, 2]"), "the script gave up: [wisp, 2]");
        assert_eq!(fault("add(me, fog, 9223372036854775807)"), "9223372036854775807 is more than a state can hold");
        assert_eq!(fault("let a = 9223372036854775807 + fog(me) + 1;"), "addition overflow: 9223372036854775807 + 1");
    }

    #[test]
    fn debug_goes_to_the_log() {
        let table = run(
            "gain(me, wisp, 2);\ndebug(wisp(me)); debug([wisp, 1 < 2, \"x\"]); debug(`${wisp}: ${1 + 1}`); debug(wolf); debug(true); debug(#{})",
        );
        let log = table.game.log();
        let said: Vec<&str> = log[log.len() - 6..].iter().map(|line| line.trim_start_matches("wall, on dusk, line 2: ")).collect();
        assert_eq!(said, ["2", "[wisp, yes, x]", "wisp: 2", "wolf", "yes", "#{}"]);
    }
}
