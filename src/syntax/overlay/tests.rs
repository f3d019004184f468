//! Tests of each operation on a few rules, and of the messages for invalid ones.

use super::*;
use crate::ast::tree::without_spans;
use crate::diagnostic::Severity;
use crate::parse_file;
use crate::source::FileId;

const BASE: &str = r#"
constant bonus = by level { wisp: 4, wolf: 3 }
constant width = by players { 1, 2: 4, else: 3 }
constant start = 2
option side = a | b, default a, for each player
option length = 1 to 4
define worked(x) = x * 2
rank most x = top 1 by x, ties at the edge out
rounds 4 of night
zone play = yard, den
table { deck pile of wolf; grid fair 3 by start }
player { place yard of wolf: 3, room 9; resource wisp, moss; each round { flag passed } }
kind wolf { slot yard; height: number = 2 }
phase night {
  step spring { each player chooses { "grow" { gain 1 wisp } "take" { gain 2 wisp } } }
  step moult when yes { gain 1 wisp }
  action buy wolf in fair { cost 2 wisp; needs bite: reach > 0 "too weak"; does { gain 1 wolf } }
}
"#;

/// The action in these rules.
const BUY: &str = r#"action buy wolf in fair { cost 2 wisp; needs bite: reach > 0 "too weak"; does { gain 1 wolf } }"#;

fn file(text: &str) -> File {
    let mut diagnostics = Vec::new();
    let file = parse_file(FileId(0), text, &mut diagnostics);
    assert_eq!(diagnostics, [], "{text}");
    file
}

fn overlay(name: &str, text: &str) -> Overlay {
    Overlay { name: name.to_string(), title: None, lines: file(text).lines, broken: Vec::new(), over: Vec::new() }
}

/// The declarations of a text.
fn said(text: &str) -> Vec<Declaration> {
    without_spans(rules_of(file(text)).declarations)
}

fn applied(overlays: &[Overlay]) -> (Vec<Declaration>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let rules = apply_overlays(rules_of(file(BASE)), overlays.to_vec(), &|_| false, &mut diagnostics);
    (without_spans(rules.declarations), diagnostics)
}

/// Tests that an operation has the same result as replacing `old` by `new` in the text.
fn becomes(operation: &str, old: &str, new: &str) {
    assert_eq!(BASE.matches(old).count(), 1, "{old}");
    let (rules, diagnostics) = applied(&[overlay("a", operation)]);
    assert_eq!(diagnostics, [], "{operation}");
    assert_eq!(rules, said(&BASE.replace(old, new)), "{operation}");
}

fn codes(overlays: &[Overlay]) -> Vec<&'static str> {
    applied(overlays).1.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn a_step_without_a_condition_is_given_one() {
    becomes("change night.spring.when to bonus > 2", "step spring {", "step spring when bonus > 2 {");
    becomes("change night.moult.when to no", "step moult when yes {", "step moult when no {");
    assert_eq!(codes(&[overlay("a", "change night.spring.when by +1")]), ["R205"]);
    assert_eq!(codes(&[overlay("a", "change night.spring.when to yes"), overlay("b", "change night.spring.when to no")]), ["R202"]);
}

#[test]
fn a_loss_with_a_name_is_found_by_it() {
    let frost = "add lose 1 wisp for frost to night.moult\n";
    becomes(
        &format!("{frost}add gain 3 moss before night.moult.frost"),
        "when yes { gain 1 wisp }",
        "when yes { gain 1 wisp; gain 3 moss; lose 1 wisp for frost }",
    );
    becomes(&format!("{frost}remove night.moult.frost"), "moult", "moult");
}

#[test]
fn change_sets_and_adds() {
    becomes("change bonus by +1", "wisp: 4, wolf: 3", "wisp: 5, wolf: 4");
    becomes("change bonus by -4", "wisp: 4, wolf: 3", "wisp: 0, wolf: -1");
    becomes("change bonus.wolf to 9", "wolf: 3 }\nconstant", "wolf: 9 }\nconstant");
    becomes("change bonus.wolf by -1", "wolf: 3 }\nconstant", "wolf: 2 }\nconstant");
    becomes("change width.2 to 7", "1, 2: 4", "1: 4, 2: 7");
    becomes("change width.else by 1", "else: 3", "else: 4");
    becomes("change start to 3 * players", "start = 2", "start = 3 * players");
    becomes("change start to by players { 2: 1, else: 0 }\nchange start.2 to 5", "start = 2", "start = by players { 2: 5, else: 0 }");
    becomes("change start by 2", "start = 2", "start = 4");
    becomes("change start by players", "start = 2", "start = 2 + players");
    becomes("change worked by -1", "x * 2", "x * 2 - 1");
    becomes("change worked to x", "x * 2", "x");
    becomes("change side to b", "default a", "default b");
    becomes("change length to 3", "1 to 4", "1 to 4, default 3");
    becomes("change rounds to 5", "rounds 4", "rounds 5");
    becomes("change rounds to 2 * length", "rounds 4", "rounds 2 * length");
    becomes("change rounds by -1", "rounds 4", "rounds 3");
    becomes("change night.buy.cost by +1", "cost 2 wisp", "cost 3 wisp");
    becomes("change night.buy.cost to 1 moss", "cost 2 wisp", "cost 1 moss");
    becomes("change night.buy.needs.bite to reach > 1", "reach > 0", "reach > 1");
    becomes("change night.moult.when to no", "when yes", "when no");
    becomes("change player.yard.limit by +1\nchange player.yard.room to 12", "wolf: 3, room 9", "wolf: 4, room 12");
    becomes("change table.fair.columns by 1", "by start }", "by start + 1 }");
    becomes("change kind.wolf.height to 5", "number = 2", "number = 5");
    becomes("change rank.most by +1", "top 1", "top 2");
}

#[test]
fn replace_takes_all_behind_the_name() {
    becomes(
        "replace rank.most x = top leaders by x, ties at the edge in",
        "top 1 by x, ties at the edge out",
        "top leaders by x, ties at the edge in",
    );
    becomes(
        "replace rank.most = bottom 2 by x, ties at the edge in",
        "top 1 by x, ties at the edge out",
        "bottom 2 by x, ties at the edge in",
    );
    becomes("replace worked(a, b) = a + b", "worked(x) = x * 2", "worked(a, b) = a + b");
    becomes("replace night.moult { gain 3 wisp }", "when yes { gain 1", "when yes { gain 3");
    becomes("replace night.moult unless no { gain 3 wisp }", "when yes { gain 1", "unless no { gain 3");
    becomes("replace night.buy.needs.bite: reach > 2 \"no\"", "reach > 0 \"too weak\"", "reach > 2 \"no\"");
    becomes("replace night.buy.cost 1 wisp from a to b", "cost 2 wisp", "cost 1 wisp from a to b");
    becomes("replace night.buy wall in yard { does { gain 1 wall } }", BUY, "action buy wall in yard { does { gain 1 wall } }");
    becomes("replace night.buy { does { gain 1 wall } }", BUY, "action buy wolf in fair { does { gain 1 wall } }");
    becomes("replace bonus.wisp = 1", "wisp: 4", "wisp: 1");
    becomes("replace bonus = 1", "by level { wisp: 4, wolf: 3 }", "1");
    becomes("replace bonus = start", "by level { wisp: 4, wolf: 3 }", "start");
    becomes("replace night.spring.take { gain 9 wisp }", "gain 2 wisp", "gain 9 wisp");
    becomes("replace zone.play = yard", "yard, den", "yard");
    becomes("replace zone.play = yard, lair", "yard, den", "yard, lair");
    becomes("replace side = c | d, default d", "a | b, default a, for each player", "c | d, default d");
    becomes("replace rounds 3 of night, day", "rounds 4 of night", "rounds 3 of night, day");
}

#[test]
fn each_player_is_a_statement_wherever_it_is_added() {
    let (old, new) = ("when yes { gain 1 wisp }", "when yes { gain 1 wisp; each player { gain 3 wisp } }");
    becomes("extend night.moult { each player { gain 3 wisp } }", old, new);
    becomes("add each player { gain 3 wisp } to night.moult", old, new);
    becomes("extend player { each round { flag seen } }", "flag passed }", "flag passed }; each round { flag seen }");
}

#[test]
fn things_are_added_and_removed() {
    let (rules, diagnostics) = applied(&[overlay(
        "a",
        "add step dawn before night.spring { gain 1 wall }\nadd step dusk after night.moult { gain 2 wall }\n\
         add needs age: age > 1 \"early\" after night.buy.cost\nadd effect x { do y }\nadd place nest to player\n\
         extend player { counter owls }\nextend night.spring { \"rest\" { gain 3 wisp } }\nconstant more = 1\n\
         remove start\nremove bonus.wolf\nremove width.1\nremove night.spring.take\nadd owl: 2 after bonus.wisp\n\
         extend zone.play { nest }\nadd day before rounds.night\nextend table.pile { wall }\nextend side { c }\nremove player.moss\n\
         extend kind.wolf { hours: numbers }\nextend width { 4, 5: 6 }",
    )]);
    assert_eq!(diagnostics, []);
    let wanted = said(
        r#"constant bonus = by level { wisp: 4, owl: 2 }
constant width = by players { 2: 4, else: 3, 4: 6, 5: 6 }
option side = a | b | c, default a, for each player
option length = 1 to 4
define worked(x) = x * 2
rank most x = top 1 by x, ties at the edge out
rounds 4 of day, night
zone play = yard, den, nest
table { deck pile of wolf, wall; grid fair 3 by start }
player { place yard of wolf: 3, room 9; resource wisp; each round { flag passed }; place nest; counter owls }
kind wolf { slot yard; height: number = 2; hours: numbers }
phase night { step dawn { gain 1 wall }; step spring { each player chooses { "grow" { gain 1 wisp }; "rest" { gain 3 wisp } } }; step moult when yes { gain 1 wisp }; step dusk { gain 2 wall }; action buy wolf in fair { cost 2 wisp; needs age: age > 1 "early"; needs bite: reach > 0 "too weak"; does { gain 1 wolf } } }
effect x { do y }
constant more = 1
"#,
    );
    assert_eq!(rules, wanted);
}

#[test]
fn what_adds_commutes() {
    let (a, b) = (
        overlay("a", "change bonus by +1\nextend zone.play { den_of_a }\nextend player { counter owls }"),
        overlay("b", "change bonus.wolf by +2\nextend zone.play { den_of_b }\nextend night { step dusk { gain 1 wisp } }"),
    );
    let (first, second) = (applied(&[a.clone(), b.clone()]), applied(&[b, a]));
    assert_eq!((&first.1, &second.1), (&vec![], &vec![]));
    // Except for the order in a list to which both add.
    let swapped = format!("{:?}", second.0).replace("den_of_a", "?").replace("den_of_b", "den_of_a").replace('?', "den_of_b");
    assert_eq!(format!("{:?}", first.0), swapped);
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
    assert_eq!(codes(&[overlay("a", "add step dusk after night.moult { do x }"), overlay("b", "remove night")]), ["R202"]);
    assert_eq!(codes(&[overlay("a", "extend player { counter x }"), overlay("b", "replace player { counter y }")]), ["R202"]);
    assert_eq!(codes(&[overlay("a", "change start to 1\nchange start to 2\nremove start")]), [""; 0]);
    let (_, diagnostics) = applied(&[overlay("a", "remove night.buy"), overlay("b", "change night.buy.cost by 1")]);
    assert_eq!((diagnostics[0].code, diagnostics[0].secondary.len()), ("R201", 1));
}

/// The result and the messages when files of the game contain `own` and an overlay then contains `later`.
fn later_than(own: &str, later: Overlay) -> (Vec<Declaration>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let base = apply_game_files(rules_of(file(BASE)), vec![overlay("owls", own)], &|_| false, &mut diagnostics);
    assert_eq!(diagnostics, [], "{own}");
    let rules = apply_overlays(base, vec![later], &|_| false, &mut diagnostics);
    (without_spans(rules.declarations), diagnostics)
}

#[test]
fn what_replaces_a_step_that_another_file_of_the_game_extends_is_told() {
    let loses = [
        ("extend night.moult { gain 3 moss }", "replace night.moult { gain 9 wisp }"),
        ("extend night.moult { gain 3 moss }", "remove night.moult"),
        ("extend night.moult { gain 3 moss }", "replace night.moult unless no { gain 9 wisp }"),
        ("add gain 3 moss to night.moult", "replace night.moult { gain 9 wisp }"),
        ("extend night.buy.does { gain 3 moss }", "replace night.buy { does { gain 1 wall } }"),
        ("extend night.buy.does { gain 3 moss }", "remove night.buy"),
        ("change night.moult.when to bonus > 2", "replace night.moult unless no { gain 9 wisp }"),
        ("change bonus by +1", "replace bonus = 7"),
        ("change bonus.wolf to 1", "change bonus to 7"),
        ("extend bonus { owl: 2 }", "change bonus to 7"),
        ("extend zone.play { lair }", "replace zone.play = yard"),
        ("extend player { resource owl }", "remove player"),
    ];
    for (own, later) in loses {
        let before = later_than(own, overlay("a", "")).0;
        let (rules, found) = later_than(own, overlay("a", later));
        assert_eq!(found.iter().map(|one| (one.code, one.severity)).collect::<Vec<_>>(), [("R202", Severity::Error)], "{own}; {later}");
        assert_eq!((rules, found[0].secondary.len()), (before, 1), "{own}; {later}");
        let meant = Overlay { over: vec!["owls".into()], ..overlay("a", later) };
        assert_eq!(later_than(own, meant).1, [], "{own}; {later}");
        let address = later.split([' ', '=']).nth(1).unwrap_or("");
        let meant = Overlay { over: vec![format!("owls.{address}")], ..overlay("a", later) };
        assert_eq!(later_than(own, meant).1, [], "{own}; {later}");
        let elsewhere = Overlay { over: vec!["owls.den".into()], ..overlay("a", later) };
        assert_eq!(later_than(own, elsewhere).1.len(), 1, "{own}; {later}");
        // Typed rules have no way to declare `over`.
        let typed = later_than(own, overlay("--with #1", later)).1;
        assert_eq!(typed.iter().map(|one| (one.code, one.severity)).collect::<Vec<_>>(), [("R202", Severity::Warning)], "{own}; {later}");
    }
}

#[test]
fn what_keeps_the_lines_of_other_files_of_the_game_is_not_told() {
    let keeps = [
        ("extend night.moult { gain 3 moss }", "extend night.moult { gain 9 wisp }"),
        ("extend night.moult { gain 3 moss }", "change night.moult.when to no"),
        ("extend night.moult { gain 3 moss }", "replace night.spring { gain 9 wisp }"),
        ("change night.moult.when to bonus > 2", "replace night.moult { gain 9 wisp }"),
        ("add step dusk after night.moult { gain 2 wall }", "replace night.dusk { gain 9 wisp }"),
        ("add step dusk after night.moult { gain 2 wall }", "remove night.dusk"),
        ("extend player { place nest: 2, room 4 }", "change player.nest.room to 8"),
        ("replace night.moult { gain 3 moss; lose 1 wisp for frost }", "remove night.moult.frost"),
        ("change bonus by +1", "change bonus by +1"),
        ("extend bonus { owl: 2 }", "change bonus.owl to 3"),
    ];
    for (own, later) in keeps {
        assert_eq!(later_than(own, overlay("a", later)).1, [], "{own}; {later}");
    }
}

#[test]
fn an_unknown_address_names_the_nearest() {
    for (operation, meant) in [
        ("change bonsu by 1", "bonus"),
        ("remove spring", "night.spring"),
        ("remove night.sprnig", "night.spring"),
        ("extend dusk.sprign { gain 1 wisp }", "night.spring"),
    ] {
        let (_, diagnostics) = applied(&[overlay("a", operation)]);
        assert_eq!(diagnostics[0].code, "R201");
        assert_eq!(diagnostics[0].help, [format!("did you mean `{meant}`?")]);
    }
}

#[test]
fn what_cannot_be_done_is_told_and_changes_nothing() {
    for (operation, code) in [
        ("add counter x to nowhere.else", "R201"),
        ("add counter x to start", "R205"),
        ("add counter x", "R203"),
        ("add counter x after night.spring", "R205"),
        ("extend bonus.wisp { counter x }", "R205"),
        ("extend night { slot yard }", "R205"),
        ("change night.spring to 3", "R205"),
        ("change side by 3", "R205"),
        ("change start to 3 wisp", "R205"),
        ("replace night.spring { slot yard }", "R205"),
        ("replace start: no \"why\"", "R205"),
        ("remove player.yard.limit", "R205"),
        ("constant bonus = 3", "R204"),
        ("extend player { each round { counter wisp } }", "R204"),
        ("add step moult after night.spring { do x }", "R204"),
        ("change start by 9000000000000000\nchange start by 9000000000000000", "R206"),
    ] {
        let (rules, diagnostics) = applied(&[overlay("a", operation)]);
        assert_eq!(diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), [code], "{operation}");
        assert!(!diagnostics[0].help.is_empty());
        assert!(code == "R206" || rules == applied(&[]).0, "{operation}");
    }
}

#[test]
fn no_overlay_nests_without_end() {
    let (rules, diagnostics) = applied(&[overlay("a", &"change start by players\n".repeat(100))]);
    assert!(diagnostics.iter().all(|found| found.code == "P005") && diagnostics.len() > 50);
    assert!(format!("{rules:?}").contains("players"));
}

#[test]
fn variants_are_taken_out_of_a_file() {
    let mut file =
        file("constant x = 1\nvariant rich \"more\" { change x by +1 }\nvariant richer \"most\" over rich, other { change x to 9 }");
    let variants = take_variants(&mut file);
    assert_eq!(file.lines.len(), 1);
    assert_eq!(variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(), ["rich", "richer"]);
    assert_eq!((variants[0].title.as_deref(), &variants[1].over), (Some("more"), &vec!["rich".to_string(), "other".to_string()]));
    let mut diagnostics = Vec::new();
    let rules = apply_overlays(rules_of(file), variants, &|_| false, &mut diagnostics);
    assert_eq!(without_spans(rules.declarations), said("constant x = 9\n"));
    assert_eq!(diagnostics, []);
}
