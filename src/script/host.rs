//! The host: one rhai engine, every script compiled once, and the shell in which the game lies while a script runs.

use super::api;
use super::api::words::Words;
use super::error::{fault_of, parse_diagnostic, place_of, unknown_name};
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

/// A script that does more than this is taken for one that never ends.
pub(super) const MOST_OPERATIONS: u64 = 20_000;
/// Most characters of a text.
pub(super) const LONGEST_TEXT: usize = 10_000;
/// Most entries of a list, those of lists within it included. Comparing two lists, or looking through one, is one operation however
/// long they are: this and the operations together bound the time of a script.
pub(super) const LONGEST_LIST: usize = 256;
/// Most entries of a map.
pub(super) const LARGEST_MAP: usize = 100;
/// Calls within calls.
pub(super) const DEEPEST_CALLS: usize = 16;
/// Expressions within expressions.
const DEEPEST_EXPRESSION: usize = 64;
/// Variables at a time.
const MOST_VARIABLES: usize = 256;
/// Most unknown names that are reported of one script.
const MOST_UNKNOWN: usize = 10;

/// What every script knows beside the words.
pub const GIVEN: [&str; 5] = ["me", "own", "card", "player", "answer"];

/// A result of a native.
pub(super) type Out<T> = Result<T, Box<EvalAltResult>>;

/// What natives work on.
pub(super) struct Shell {
    pub rules: Arc<Ruleset>,
    pub words: Words,
    game: RefCell<Game>,
    /// Why the script must end, from the first native that said so: rhai's own error could get lost on its way out.
    stop: RefCell<Option<Stop>>,
    halted: Cell<bool>,
    me: Cell<usize>,
    script: Cell<u32>,
}

impl Shell {
    /// Lets a native work on the game. Once one has stopped the script, no other does anything.
    #[inline]
    pub fn act<T>(&self, work: impl FnOnce(&mut Machine<'_>) -> Result<T, Stop>) -> Out<T> {
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

    /// The seat that the script acts for.
    pub fn me(&self) -> usize {
        self.me.get()
    }

    /// The script that runs.
    pub fn script(&self) -> Option<&ScriptText> {
        self.rules.scripts.get(self.script.get() as usize)
    }
}

/// Cannot be caught by a script.
fn halt() -> Box<EvalAltResult> {
    Box::new(EvalAltResult::ErrorTerminated(Dynamic::UNIT, Position::NONE))
}

/// A script that can be run.
#[derive(Debug)]
pub(super) struct Compiled {
    tree: AST,
    /// Which of [`GIVEN`] it names; the others need not be set.
    uses: [bool; GIVEN.len()],
}

/// Runs the scripts of a ruleset; one for each thread.
pub struct ScriptHost {
    engine: Engine,
    scripts: Vec<Compiled>,
    scope: Scope<'static>,
    shell: Rc<Shell>,
}

impl ScriptHost {
    /// Compiles every script.
    ///
    /// # Errors
    /// What rhai cannot read, and unknown variables. [`super::check_scripts`] finds more.
    pub fn new(rules: &Arc<Ruleset>) -> Result<ScriptHost, Vec<Diagnostic>> {
        let mut engine = raw_engine();
        let words = Words::new(rules);
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
        let shell = Rc::new(Shell {
            rules: Arc::clone(rules),
            words,
            game: RefCell::new(Game::default()),
            stop: RefCell::new(None),
            halted: Cell::new(false),
            me: Cell::new(0),
            script: Cell::new(0),
        });
        api::register(&mut engine, &shell);
        Ok(ScriptHost { engine, scripts, scope: given(), shell })
    }
}

impl Scripts for ScriptHost {
    fn run(&mut self, machine: &mut Machine<'_>, call: &Call) -> Result<(), Stop> {
        let Some(compiled) = self.scripts.get(call.script as usize) else {
            return Err(Stop::fault(format!("internal error: there is no script {}; please report it", call.script)));
        };
        let shell = &*self.shell;
        shell.me.set(call.me);
        shell.script.set(call.script);
        let values = [cast::count(call.me), call.own as i64, call.card as i64, cast::count(call.player), call.answer];
        for ((name, value), used) in GIVEN.into_iter().zip(values).zip(compiled.uses) {
            if used && let Some(variable) = self.scope.get_mut(name) {
                *variable = Dynamic::from_int(value);
            }
        }
        for named in &shell.rules.scripts[call.script as usize].lets {
            let mut env = Env::with(call.me, &[call.own, call.card, cast::fit::<i32>(call.player)]);
            let value = machine.eval(named.value, &mut env);
            self.scope.push_dynamic(named.name.as_str(), if named.truth { (value != 0).into() } else { value.into() });
        }
        machine.swap(&mut shell.game.borrow_mut());
        // The text is run as it stands, not as a function: rhai would forget where in a function a limit was met.
        let result = self.engine.run_ast_with_scope(&mut self.scope, &compiled.tree);
        machine.swap(&mut shell.game.borrow_mut());
        self.scope.rewind(GIVEN.len());
        if !shell.halted.get() && result.is_ok() {
            return Ok(());
        }
        shell.halted.set(false);
        let stop = shell.stop.take();
        let script = &shell.rules.scripts[call.script as usize];
        Err(match (stop, result) {
            (Some(Stop::Fault(fault)), result) => {
                let at = result.err().map_or(Position::NONE, |error| super::error::position_of(&error));
                let span = fault.span.or_else(|| place_of(script, at));
                Stop::Fault(Box::new(Fault { owner: script.owner.clone(), span, ..*fault }))
            }
            (Some(stop), _) => stop,
            (None, Err(error)) => Stop::Fault(Box::new(fault_of(script, &shell.words, &error))),
            (None, Ok(())) => return Ok(()),
        })
    }
}

/// A scope with what every script is given.
pub(super) fn given() -> Scope<'static> {
    let mut scope = Scope::new();
    for name in GIVEN {
        scope.push(name, -1_i64);
    }
    scope
}

/// rhai without files, modules, clock, threads, `eval` and output, and with our limits.
pub(super) fn raw_engine() -> Engine {
    static SEED: Once = Once::new();
    // Functions are found by hash: the same hashes in every run, so that a measured figure means the same each time.
    SEED.call_once(|| {
        // Somebody else may have set it first, which is as good.
        let _ = rhai::config::hashing::set_hashing_seed(Some([0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A]));
    });
    let mut engine = Engine::new_raw();
    // Not the core package: it can sleep, exit and list functions.
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
        .set_max_operations(MOST_OPERATIONS)
        .set_max_call_levels(DEEPEST_CALLS)
        .set_max_string_size(LONGEST_TEXT)
        .set_max_array_size(LONGEST_LIST)
        .set_max_map_size(LARGEST_MAP)
        .set_max_expr_depths(DEEPEST_EXPRESSION, DEEPEST_EXPRESSION)
        .set_max_variables(MOST_VARIABLES)
        // What a closure does is not counted, and one that holds itself is never freed.
        .set_allow_anonymous_fn(false)
        .set_fast_operators(true)
        .set_optimization_level(OptimizationLevel::None);
    // A game may use the words that rhai keeps for later.
    #[allow(deprecated, reason = "not deprecated, only marked as such because it may change")]
    engine.on_parse_token(|token, _, _| match token {
        Token::Reserved(word) if is_name(&word) => Token::Identifier(word),
        token => token,
    });
    engine
}

/// Reads a script as it is written; what its names mean is not looked up.
pub(super) fn parse(engine: &Engine, script: &ScriptText) -> Result<AST, Vec<Diagnostic>> {
    engine.compile(&script.text).map_err(|error| vec![parse_diagnostic(script, &error)])
}

/// Goes through every node of a script, each with those that it lies in. rhai's own way leaves out what `break` gives back.
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

/// The name and place of a variable that the script does not declare itself.
pub(super) fn free_name<'n>(node: &ASTNode<'n>) -> Option<(&'n str, Position)> {
    match node {
        ASTNode::Expr(Expr::Variable(name, None, at)) if name.0.is_none() => Some((name.1.as_str(), *at)),
        _ => None,
    }
}

/// Every name that a script does not declare itself, where it first stands.
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

/// Compiles what was read, with the words that it uses as constants.
pub(super) fn compile(engine: &Engine, words: &Words, script: &ScriptText, tree: AST) -> Result<Compiled, Vec<Diagnostic>> {
    let free = free_names(&tree);
    let uses = GIVEN.map(|given| free.iter().any(|(name, _)| name == given));
    let mut scope = given();
    let mut wrong = Vec::new();
    let is_named = |name: &str| GIVEN.contains(&name) || script.lets.iter().any(|named| named.name == name);
    for (name, at) in free.into_iter().filter(|(name, _)| !is_named(name)) {
        match words.value_of(&name) {
            Some(value) => _ = scope.push_constant(name, value),
            None => wrong.push(unknown_name(script, words, &name, at)),
        }
    }
    wrong.truncate(MOST_UNKNOWN);
    if wrong.is_empty() { Ok(Compiled { tree: engine.optimize_ast(&scope, tree, OptimizationLevel::Simple), uses }) } else { Err(wrong) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{Sample, TEXT_AT, Table};

    fn run(text: &str) -> Table {
        let mut table = Sample::new().script(text).table();
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
            .table();
        let Table { rules, host, game } = &mut table;
        assert_eq!(game.on(rules).advance(host).map(|d| d.is_some()), Ok(false));
        assert_eq!((table.value(0, "wolf"), table.value(0, "wisp")), (5, 2));
    }

    #[test]
    fn a_moment_raised_is_heard_when_the_script_has_ended() {
        let mut table = Sample::new().script("place(own, den); if fog(me) == 0 { add(me, fog, 1); moment(dusk); gain(me, wisp, 10 * fog(me)) } else { gain(me, wolf, wisp(me)) }").table();
        // The second time the card lies in the den already.
        table = Table { rules: table.rules.clone(), host: table.host, game: table.game };
        let Table { rules, host, game } = &mut table;
        assert!(game.on(rules).advance(host).is_ok());
        assert_eq!(table.value(0, "wisp"), 10);
    }

    #[test]
    fn endless_loops_are_stopped_and_named() {
        let found = Sample::new().script("let n = 0;\nloop { n += 1; }").fault();
        let found = found.map(|f| (f.message, f.owner, f.span.map(|s| s.start - TEXT_AT)));
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
        let mut table = Sample::new().script("try { pay(me, wisp, 1) } catch { gain(me, wisp, 9) }; gain(me, wisp, 1)").table();
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
            Sample::new().script("pay(me, wisp, 1)").script("gain(me, wisp, 2)").script("let me = 2; gain(me, wisp, 3)").table();
        assert!(table.run(0).is_err());
        assert_eq!(table.run(1), Ok(()));
        assert_eq!(table.run(2), Ok(()));
        assert_eq!(table.run(1), Ok(()));
        assert_eq!((table.value(0, "wisp"), table.value(2, "wisp")), (4, 3));
    }

    #[test]
    fn faults_stand_at_the_line_of_the_native() {
        let found = Sample::new().script("gain(me, wisp, 1);\n  pay(me, wisp, 5)").fault();
        let found = found.map(|f| (f.owner, f.span.map(|s| (s.start - TEXT_AT, s.end - s.start))));
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
