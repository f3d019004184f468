//! Scripts as text: how they are split into tokens, which words are names in them, and which functions of rhai they may call.
//! `tests/scripts.rs` runs them.

use houserule::script::{is_name, raw_engine, rhai_functions, tokenize_script};
use rhai::{Dynamic, EvalAltResult};

#[test]
fn scripts_are_cut_into_names_and_symbols_also_within_texts() {
    let cases: [(&str, &[&str]); 4] = [
        ("gain(me, wisp, -2); // wolf(1)", &["gain", "(", "me", ",", "wisp", ",", "-2", ")", ";"]),
        ("a<=b /* x /* y */ z */ ..=c", &["a", "<=", "b", "..=", "c"]),
        (r#"f("wolf(\"", 'x')"#, &["f", "(", r#""wolf(\"""#, ",", "'x'", ")"]),
        ("debug(`a ${f(x, #{})} b`)", &["debug", "(", "`a $", "{", "f", "(", "x", ",", "#{", "}", ")", "}", " b`", ")"]),
    ];
    for (script, wanted) in cases {
        assert_eq!(tokenize_script(script).iter().map(|token| token.text).collect::<Vec<_>>(), wanted, "{script}");
    }
}

#[test]
fn broken_scripts_are_cut_as_well() {
    for script in ["`${", "\"", "'", "/*", "é}", "`${`${`${", "}}}", "#", &"`${".repeat(1_000)] {
        tokenize_script(script);
    }
}

#[test]
fn what_rhai_keeps_without_using_it_is_a_name() {
    let names = ["is", "use", "match", "wisp", "if", "let", "2", "a b", ""].map(is_name);
    assert_eq!(names, [true, true, true, true, false, false, false, false, false]);
}

#[test]
fn every_function_of_rhai_that_is_listed_is_there() {
    // A function that is not there is "not found" whatever it is given; one that is there takes some of these.
    let (values, engine) = (["[3, 1]", "1", "\"ab\"", "#{a: 1}", "(0..2)", "2", "0"], raw_engine());
    for (name, counts) in rhai_functions() {
        for &count in counts {
            let mut given = vec![String::new()];
            for _ in 1..count {
                given = given.iter().flat_map(|some| values.map(|value| format!("{some}{value}, "))).collect();
            }
            let is_there = values.iter().any(|first| {
                given.iter().any(|rest| {
                    let found = engine.eval::<Dynamic>(&format!("let v = {first}; v.{name}({rest})"));
                    !found.is_err_and(|wrong| matches!(*wrong, EvalAltResult::ErrorFunctionNotFound(..)))
                })
            });
            assert!(is_there, "{name} with {count}");
        }
    }
}
