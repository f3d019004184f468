//! Tests of overlays: what each operation makes of a few rules, and what is said about wrong ones.

use super::*;
use crate::lang::ast::print;
use crate::lang::parse::parse_rules;
use crate::source::FileId;

const BASE: &str = r#"
constant bonus = by level { wisp: 4, wolf: 3 }
constant width = by players { 1, 2: 4, else: 3 }
constant start = 2
option side = a | b, default a, for each player
option length = 1 to 4
define worked(x) = x * 2
rank most x = top 1 by x
rounds 4: night
player { place wall 1 }
phase night {
  step spring { each player chooses { "grow" { gain 1 wisp } "take" { gain 2 wisp } } }
  step moult when true { gain 1 wisp }
  action buy wolf in pack { cost 2 wisp; needs bite: reach > 0 "too weak"; does { gain 1 wolf } }
}
"#;

fn rules(text: &str) -> Block {
    let mut diagnostics = Vec::new();
    let block = parse_rules(FileId(0), text, &mut diagnostics);
    assert_eq!(diagnostics, []);
    block
}

fn overlay(name: &str, text: &str) -> Overlay {
    Overlay { name: name.to_string(), statements: rules(text).statements, over: Vec::new() }
}

fn applied(overlays: &[Overlay]) -> (String, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let block = apply_overlays(rules(BASE), overlays, &mut diagnostics);
    let printed = print(&block);
    // What comes out can be written down and read again.
    assert_eq!(print(&rules(&printed)), printed);
    (printed, diagnostics)
}

/// The rules after one overlay, and that a line of them has become another.
fn becomes(operation: &str, line: &str) {
    let (printed, diagnostics) = applied(&[overlay("a", operation)]);
    assert_eq!(diagnostics, [], "{operation}");
    assert!(printed.lines().any(|found| found.trim() == line), "{operation}: no {line:?} in\n{printed}");
}

fn codes(overlays: &[Overlay]) -> Vec<&'static str> {
    applied(overlays).1.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn change_sets_and_adds() {
    becomes("change bonus by +1", "constant bonus = by level { wisp: 5, wolf: 4 }");
    becomes("change bonus by -4", "constant bonus = by level { wisp: 0, wolf: - 1 }");
    becomes("change bonus.wolf to 9", "constant bonus = by level { wisp: 4, wolf: 9 }");
    becomes("change bonus.wolf by -1", "constant bonus = by level { wisp: 4, wolf: 2 }");
    becomes("change width.2 to 7", "constant width = by players { 2: 7, 1: 4, else: 3 }");
    becomes("change width.else by 1", "constant width = by players { 1, 2: 4, else: 4 }");
    becomes("change start to 3 * players", "constant start = 3 * players");
    becomes("change start by 2", "constant start = 4");
    becomes("change start by players", "constant start = (2) + players");
    becomes("change worked by -1", "define worked(x) = (x * 2) - 1");
    becomes("change worked to x", "define worked(x) = x");
    becomes("change side to b", "option side = a | b, default b, for each player");
    becomes("change length to 3", "option length = 1 to 4, default 3");
    becomes("change rounds to 2 * length", "rounds 2 * length: night");
    becomes("change rounds by -1", "rounds 3: night");
    becomes("change night.buy.cost by +1", "cost 3 wisp");
    becomes("change night.buy.needs.bite to reach > 1", "needs bite: reach > 1 \"too weak\"");
}

#[test]
fn replace_takes_all_behind_the_name() {
    becomes("replace rank.most x = top leaders by x", "rank most x = top leaders by x");
    becomes("replace rank.most = top 2 by x", "rank most x = top 2 by x");
    becomes("replace worked(a, b) = a + b", "define worked(a, b) = a + b");
    becomes("replace night.moult { gain 3 wisp }", "step moult when true { gain 3 wisp }");
    becomes("replace night.moult unless false { gain 3 wisp }", "step moult unless false { gain 3 wisp }");
    becomes("replace night.buy.needs.bite: reach > 2 \"no\"", "needs bite: reach > 2 \"no\"");
    becomes("replace night.buy.cost 1 wisp and 1 wolf", "cost 1 wisp and 1 wolf");
    becomes("replace bonus.wisp = 1", "constant bonus = by level { wisp: 1, wolf: 3 }");
    becomes("replace night.spring.take { gain 9 wisp }", "\"take\" { gain 9 wisp }");
}

#[test]
fn things_are_added_and_removed() {
    let (printed, diagnostics) = applied(&[overlay(
        "a",
        "add step dawn before night.spring { gain 1 wall }\nadd step dusk after night.moult { gain 2 wall }\n\
         add needs age: age > 1 \"early\" after night.buy.cost\nadd check x { y }\nadd place nest 1 to player\n\
         extend player { counter owls }\nextend night.spring { \"rest\" { gain 3 wisp } }\nconstant more = 1\n\
         remove start\nremove bonus.wolf\nremove width.1\nremove night.spring.take\nadd owl: 2 after bonus.wisp",
    )]);
    assert_eq!(diagnostics, []);
    assert_eq!(
        printed,
        r#"constant bonus = by level { wisp: 4, owl: 2 }
constant width = by players { 2: 4, else: 3 }
option side = a | b, default a, for each player
option length = 1 to 4
define worked(x) = x * 2
rank most x = top 1 by x
rounds 4: night
player {
  place wall 1
  place nest 1
  counter owls
}
phase night {
  step dawn { gain 1 wall }
  step spring {
    each player chooses {
      "grow" { gain 1 wisp }
      "rest" { gain 3 wisp }
    }
  }
  step moult when true { gain 1 wisp }
  step dusk { gain 2 wall }
  action buy wolf in pack {
    cost 2 wisp
    needs age: age > 1 "early"
    needs bite: reach > 0 "too weak"
    does { gain 1 wolf }
  }
}
check x { y }
constant more = 1
"#
    );
}

#[test]
fn what_adds_commutes() {
    let (a, b) = (
        overlay("a", "change bonus by +1\nextend player { counter owls }"),
        overlay("b", "change bonus.wolf by +2\nextend night { step dusk { x } }"),
    );
    let (first, second) = (applied(&[a.clone(), b.clone()]), applied(&[b, a]));
    assert_eq!(first.1, []);
    assert_eq!(first, second);
}

#[test]
fn two_overlays_writing_the_same_is_an_error_unless_one_says_over() {
    let a = overlay("a", "change bonus.wolf to 5");
    for operation in ["change bonus to 1", "change bonus.wolf to 1", "remove bonus", "replace bonus = 3"] {
        let b = overlay("b", operation);
        assert_eq!(codes(&[a.clone(), b.clone()]), ["R202"], "{operation}");
        assert_eq!(codes(&[a.clone(), Overlay { over: vec!["a".into()], ..b }]), [""; 0], "{operation}");
    }
    let (_, diagnostics) = applied(&[a.clone(), overlay("b", "remove bonus")]);
    assert_eq!(diagnostics[0].message, "`b` and `a` both change `bonus.wolf`");
    assert_eq!(diagnostics[0].secondary.len(), 1);
    assert_eq!(codes(&[a.clone(), overlay("b", "change bonus.wisp to 1\nchange start to 1")]), [""; 0]);
    assert_eq!(codes(&[a, overlay("a2", "change bonus by 1")]), [""; 0]);
    assert_eq!(codes(&[overlay("a", "add step dusk after night.moult { x }"), overlay("b", "remove night")]), ["R202"]);
    assert_eq!(codes(&[overlay("a", "extend player { x }"), overlay("b", "replace player { y }")]), ["R202"]);
    assert_eq!(codes(&[overlay("a", "change start to 1\nchange start to 2\nremove start")]), [""; 0]);
    let (_, diagnostics) = applied(&[overlay("a", "remove night.buy"), overlay("b", "change night.buy.cost by 1")]);
    assert_eq!((diagnostics[0].code, diagnostics[0].secondary.len()), ("R201", 1));
}

#[test]
fn an_unknown_address_names_the_nearest() {
    for (operation, meant) in [
        ("change bonsu by 1", "bonus"),
        ("remove spring", "night.spring"),
        ("remove night.sprnig", "night.spring"),
        ("extend dusk.sprign { x }", "night.spring"),
    ] {
        let (_, diagnostics) = applied(&[overlay("a", operation)]);
        assert_eq!(diagnostics[0].code, "R201");
        assert_eq!(diagnostics[0].help, [format!("did you mean `{meant}`?")]);
    }
}

#[test]
fn wrong_operations_are_told_and_change_nothing() {
    for (operation, code) in [
        ("change", "R203"),
        ("change bonus", "R203"),
        ("change bonus 3", "R203"),
        ("change bonus to", "R203"),
        ("change \"bonus\" to 1", "R203"),
        ("remove", "R203"),
        ("remove bonus { }", "R203"),
        ("replace bonus", "R203"),
        ("extend player 3", "R203"),
        ("add", "R203"),
        ("add x to nowhere.else", "R201"),
        ("add x to start", "R205"),
        ("extend bonus.wisp { x }", "R205"),
        ("change night.spring to 3", "R205"),
        ("constant bonus = 3", "R204"),
        ("add step moult after night.spring { x }", "R204"),
        ("change start by 9000000000000000\nchange start by 9000000000000000", "R206"),
    ] {
        let (_, diagnostics) = applied(&[overlay("a", operation)]);
        assert_eq!(diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), [code], "{operation}");
        assert!(!diagnostics[0].help.is_empty() || code == "R201");
    }
}

#[test]
fn no_overlay_nests_without_end() {
    let (printed, diagnostics) = applied(&[overlay("a", &"change start by players\n".repeat(100))]);
    assert!(diagnostics.iter().all(|found| found.code == "P005") && diagnostics.len() > 50);
    assert!(printed.contains("players"));
}

#[test]
fn no_operation_makes_it_panic() {
    let words = [
        "change",
        "replace",
        "remove",
        "add",
        "extend",
        "to",
        "by",
        "after",
        "before",
        "bonus",
        "bonus.wolf",
        "width.1",
        "start",
        "side",
        "rounds",
        "worked(y)",
        "night.buy",
        "night.buy.cost",
        "night.buy.needs.bite",
        "night.spring.take",
        "player",
        "{ a: 1, 2: b }",
        "{ }",
        "=",
        ":",
        "+",
        "-",
        "1",
        "\"t\"",
        ",",
        "x",
        "default",
        "option",
        "needs",
        "constant",
        "(y)",
    ];
    let mut state: u64 = 11;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for _ in 0..600 {
        let mut text = String::new();
        for _ in 0..4 {
            text.push_str(words[next(5)]);
            for _ in 0..next(7) {
                text.push(' ');
                text.push_str(words[next(words.len())]);
            }
            text.push_str(";\n");
        }
        applied(&[overlay("a", &text), overlay("b", &text)]);
    }
}

#[test]
fn variants_are_taken_out_of_a_file() {
    let mut block =
        rules("constant x = 1\nvariant rich \"more\" { change x by +1 }\nvariant richer \"most\" over rich, other { change x to 9 }");
    let variants = take_variants(&mut block);
    assert_eq!(block.statements.len(), 1);
    assert_eq!(variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(), ["rich", "richer"]);
    assert_eq!(variants[1].over, ["rich", "other"]);
    let mut diagnostics = Vec::new();
    assert_eq!(print(&apply_overlays(block, &variants, &mut diagnostics)), "constant x = 9\n");
    assert_eq!(diagnostics, []);
}
