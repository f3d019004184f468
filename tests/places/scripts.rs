//! Each function that scripts can call, and what rhai itself has, in each kind of script of a card: plainly, in `if`, and in a loop that runs
//! once.

use super::{Part, Place, Table, Tried};
use houserule::script::{natives, rhai_functions, rule_natives};

/// Where scripts stand.
const HOOKS: [Place; 14] = [
    ("on a moment", Part::Script, "[[card.on]]\nid = \"on_@\"\nwhen = \"dusk\"\ndo = '{}'"),
    ("on a moment of all", Part::Script, "[[card.on]]\nid = \"of_all_@\"\nwhen = \"dusk\"\nwho = \"all\"\ndo = '{}'"),
    ("on a moment of others", Part::Script, "[[card.on]]\nid = \"of_others_@\"\nwhen = \"dusk\"\nwho = \"others\"\ndo = '{}'"),
    ("on a moment at once", Part::Script, "[[card.on]]\nid = \"at_once_@\"\nwhen = \"night\"\ndo = '{}'"),
    ("on a moment of a card", Part::Script, "[[card.on]]\nid = \"of_card_@\"\nwhen = \"howl\"\nwho = \"all\"\ndo = '{}'"),
    ("on a moment of this", Part::Script, "[[card.on]]\nid = \"of_this_@\"\nwhen = \"this.howl\"\ndo = '{}'"),
    ("on a condition", Part::Script, "[[card.on]]\nid = \"if_@\"\nwhen = \"dusk\"\nif = \"wisp >= 0\"\ndo = '{}'"),
    ("for a price", Part::Script, "[[card.on]]\nid = \"cost_@\"\nwhen = \"dusk\"\nask = \"may\"\ncost = \"1 wisp\"\ndo = '{}'"),
    (
        "behind a question",
        Part::Script,
        "[[card.on]]\nid = \"ask_@\"\nwhen = \"dusk\"\nask = \"one of wisp, moss\"\ndo = '{} debug(answer)'",
    ),
    (
        "second part",
        Part::Script,
        "[[card.on]]\nid = \"part_@\"\nwhen = \"dusk\"\n[[card.on.part]]\ndo = 'debug(0)'\n[[card.on.part]]\ndo = '{}'",
    ),
    ("with a value", Part::Script, "[[card.on]]\nid = \"let_@\"\nwhen = \"dusk\"\nlet = { given = \"wisp + 1\" }\ndo = '{} debug(given)'"),
    ("action", Part::CardScript, "[[card.action]]\nid = \"action_@\"\ndo = '{}'"),
    ("instead", Part::CardScript, "[[card.instead]]\nid = \"instead_@\"\nof = \"hail\"\ndo = '{}'"),
    ("of a kind", Part::KindScript, "[[kind.on]]\nid = \"kind_@\"\nwhen = \"dusk\"\ndo = '{}'"),
];

/// What rhai has, apart from functions.
const SYNTAX: [&str; 16] = [
    "place(own, pile)",
    "place(own, market)",
    "let n = 2; gain(me, wisp, n)",
    "const N = 2; gain(me, wisp, N)",
    "if wisp(me) > 1 { gain(me, moss, 1) } else { gain(me, wisp, 1) }",
    "if wisp(me) > 9 { gain(me, moss, 1) } else if moss(me) > 1 && !passed(me) { gain(me, wisp, 1) }",
    "for n in 0..2 { gain(me, wisp, n) }",
    "for n in 1..=2 { if n == 1 { continue; } gain(me, wisp, n) }",
    "for (n, at) in [1, 2] { gain(me, wisp, n + at) }",
    "let n = 0; while n < 2 { n += 1; } gain(me, wisp, n)",
    "let n = 0; loop { n += 1; if n > 2 { break; } } gain(me, wisp, n)",
    "let n = 0; do { n += 1; } until n > 2; gain(me, wisp, n)",
    "switch wisp(me) { 0 => gain(me, wisp, 2), 1 | 2 => gain(me, wisp, 1), _ => lose(me, wisp, 1) }",
    "let row = [1, 2]; row[0] = 3; gain(me, wisp, row[0] - row[1])",
    "let map = #{ a: 1, b: 2 }; gain(me, wisp, map.a + map.b)",
    "gain(me, wisp, 7 % 4 - 2 + 3 * 2 / 4); debug(if 1 < 2 || false { \"so\" } else { \"not so\" })",
];

/// A call of each function of rhai that scripts may call, by its name.
const CALLS: [(&str, &str); 40] = [
    ("len", "debug([1, 2].len())"),
    ("is_empty", "debug([1].is_empty())"),
    ("get", "debug([4, 5].get(1))"),
    ("push", "let row = [1]; row.push(2); debug(row)"),
    ("append", "let row = [1]; row.append([2]); debug(row)"),
    ("insert", "let row = [1]; row.insert(0, 2); debug(row)"),
    ("pop", "let row = [1, 2]; debug(row.pop())"),
    ("shift", "let row = [1, 2]; debug(row.shift())"),
    ("clear", "let row = [1, 2]; row.clear(); debug(row)"),
    ("truncate", "let row = [1, 2]; row.truncate(1); debug(row)"),
    ("chop", "let row = [1, 2]; row.chop(1); debug(row)"),
    ("reverse", "let row = [1, 2]; row.reverse(); debug(row)"),
    ("extract", "debug([1, 2, 3].extract(1))"),
    ("contains", "debug([1, 2].contains(2))"),
    ("index_of", "debug([1, 2].index_of(2))"),
    ("sort", "let row = [2, 1]; row.sort(); debug(row)"),
    ("dedup", "let row = [2, 2]; row.dedup(); debug(row)"),
    ("split", "debug([1, 2, 3].split(1))"),
    ("range", "for n in range(1, 3) { debug(n) }"),
    ("start", "debug((1..3).start())"),
    ("end", "debug((1..3).end())"),
    ("keys", "debug(#{ a: 1 }.keys())"),
    ("values", "debug(#{ a: 1 }.values())"),
    ("mixin", "let map = #{ a: 1 }; map.mixin(#{ a: 2 }); debug(map.a)"),
    ("type_of", "debug(type_of(\"a\"))"),
    ("sign", "debug((-3).sign())"),
    ("is_zero", "debug((0).is_zero())"),
    ("is_odd", "debug((3).is_odd())"),
    ("is_even", "debug((3).is_even())"),
    ("to_string", "debug(true.to_string())"),
    ("to_debug", "debug(true.to_debug())"),
    ("to_upper", "debug(\"a\".to_upper())"),
    ("to_lower", "debug(\"A\".to_lower())"),
    ("trim", "let word = \" a \"; word.trim(); debug(word)"),
    ("sub_string", "debug(\"abc\".sub_string(1))"),
    ("starts_with", "debug(\"abc\".starts_with(\"a\"))"),
    ("ends_with", "debug(\"abc\".ends_with(\"a\"))"),
    ("chars", "for sign in \"ab\".chars() { debug(sign) }"),
    ("remove", "let row = [1, 2]; row.remove(0); debug(row)"),
    ("set", "let row = [1, 2]; row.set(0, 5); debug(row)"),
];

/// So many scripts stand on the cards of one game.
const AT_ONCE: usize = 6;

/// What takes its card away, or much from all, stands in a game of its own.
const ALONE: [&str; 5] = ["remove(own)", "place(own, den)", "place(own, pile)", "place(own, market)", "storm(me, 2)"];

/// A call of a function that the rules give, such as `seen(p, WORD) -> number`.
fn call_of(signature: &str) -> String {
    let (call, result) = signature.split_once(" -> ").unwrap_or((signature, ""));
    let (name, params) = call.trim_end_matches(')').split_once('(').expect("a bracket");
    let argument = |param: &str| match (param, name) {
        ("p", _) => "me",
        ("WORD", "seen") => "wolf",
        ("WORD", "blown") => "north",
        ("WORD", _) => "wisp",
        ("card" | "s", _) => "own",
        _ => "2",
    };
    let arguments: Vec<&str> = params.split(", ").filter(|param| !param.is_empty()).map(argument).collect();
    let call = format!("{name}({})", arguments.join(", "));
    if result.is_empty() { call } else { format!("debug({call})") }
}

/// An example of a native that does not raise the moment that it hears, and pays what there is.
fn harmless(example: &str) -> String {
    match example {
        "moment(dusk)" => "moment(noon)".to_string(),
        "pay(me, wisp, 1)" => "if wisp(me) > 0 { pay(me, wisp, 1) }".to_string(),
        other => other.to_string(),
    }
}

/// All that is tried.
fn scripts(table: &Table) -> Vec<String> {
    let nothing = Tried { texts: &[], places: &HOOKS, of_card: false, ways: &["plain"], written: &|_, _, _| String::new() };
    let rules = table.compiled(&nothing.game(&[], 0)).unwrap_or_else(|(_, told)| panic!("{told}"));
    let of_rules = rule_natives(&rules).into_iter().map(|(signature, _)| call_of(&signature));
    let of_rhai = SYNTAX.into_iter().chain(CALLS.map(|(_, script)| script)).map(str::to_string);
    natives().iter().map(|native| harmless(native.example)).chain(of_rules).chain(of_rhai).collect()
}

#[test]
fn every_function_of_scripts_runs_alike_in_every_hook_by_code_by_a_walk_and_wrapped() {
    let (mut called, mut known) = (CALLS.map(|(name, _)| name), rhai_functions().map(|(name, _)| name).collect::<Vec<_>>());
    called.sort();
    known.sort();
    assert_eq!(known, called);
    let mut table = Table::new();
    let scripts = scripts(&table);
    let written = |script: &str, place: &Place, way: usize| {
        let script = match way {
            0 => script.to_string(),
            1 => format!("if wisp(me) >= 0 {{ {script} }}"),
            _ => format!("for once in 0..1 {{ {script} }}"),
        };
        place.2.replace("{}", &format!("debug(\"ran @\"); {script};"))
    };
    let (alone, others): (Vec<&str>, Vec<&str>) = scripts.iter().map(String::as_str).partition(|script| ALONE.contains(script));
    for texts in others.chunks(AT_ONCE).chain(alone.chunks(1)) {
        table.add("script", &Tried { texts, places: &HOOKS, of_card: false, ways: &["plain", "if", "for"], written: &written });
    }
    table.holds("scripts");
}
