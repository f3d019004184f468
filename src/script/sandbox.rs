//! The engine of rhai with its limits, and without what a script must not reach.

use super::tokens::is_name;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage, BasicStringPackage,
    LogicPackage, MoreStringPackage, Package,
};
use rhai::{Engine, OptimizationLevel, Token};
use std::sync::Once;

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
