//! Cards, rules and scenarios that mean harm, or that a tired person wrote: each is stopped with a message that names its file and
//! line, in a process of its own with a limit of time and memory.
//!
//! What lies in `tests/corpus/hostile` is put into the small game of `tests/errors`; long files are made here.

use crate::support::child::run;
use crate::support::{Folder, manifest, read, replaced, root, toy};
use Answer::{Blind, Fine, Lost, Told};
use rayon::prelude::*;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// It is said what is wrong, with the file and a line in it.
    Told,
    /// It is said, but not where.
    Blind,
    /// Nothing is said, and all goes on.
    Fine,
    /// It hangs, crashes, or takes more memory than it may.
    Lost,
}

/// What should come of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// It is said where.
    Stopped,
    /// It may be possible: then nothing is said.
    StoppedOrPlayed,
}

use Wanted::{Stopped, StoppedOrPlayed};

/// Who hangs this long hangs.
const MOST_TIME: Duration = Duration::from_secs(30);
const MEGABYTES: u64 = 800;

/// Things that a machine with enough patience could do.
const POSSIBLE: &[&str] = &[
    "doubling_definitions.rules",
    "free_action_for_nothing.rules",
    "many_counters_of_cards.rules",
    "many_dice.rules",
    "many_draws.toml",
    "many_else_statements.rules",
    "many_resources_in_a_set.rules",
];

/// A hostile file: its name, with `.toml` for a card, `.rules`, or `.scenario.toml`; and its text.
fn corpus() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (folder, ending) in [("cards", ".toml"), ("rules", ".rules"), ("scenarios", ".scenario.toml")] {
        for entry in fs::read_dir(root().join("tests/corpus/hostile").join(folder)).expect("the folder") {
            let path = entry.expect("a file").path();
            let name = path.file_stem().expect("a name").to_str().expect("a name").to_string();
            found.push((name + ending, fs::read_to_string(path).expect("a text")));
        }
    }
    found.extend(long_ones());
    found.sort();
    found
}

/// Texts that are only long.
fn long_ones() -> Vec<(String, String)> {
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let rules = |declarations: &str, player: &str, card: &str, then: &str, score: &str| {
        // The last counter of a card is written.
        let fetch = if card.is_empty() { "" } else { "card.k251 += 1; card.k299 += 1; " };
        format!(
            "// A long one.\ngame toy \"Toy\"\nplayers 2 to 3\n{declarations}table {{ deck pile of wolf, wall; grid row 1 by 4 }}\n\
             player {{ resource wisp; place den of wolf, wall: 9, room 9; each round {{ flag passed }}\n{player}}}\ncard {{ counter hours\n{card}}}\n\
             kind wolf {{ slot den; height: number = 0 }}\nkind wall {{ slot den; height: number = 0 }}\nzone play = den\nhearing play\nsetup {{ fill row from pile }}\nrounds 3 of roam\n\
             phase roam {{\n  turns in order until all have passed\n  action fetch card in row {{ does {{ {fetch}place card in its slot }} }}\n  \
             action pass {{ does {{ passed = yes\n{then} }} }}\n}}\nscore {{ \"wisps\" = wisp\n{score} }}\nwins highest score, then order\n"
        )
    };
    let row = |score: String| rules("", "", "", "", &format!("\"long\" = {score}"));
    let last = |n| if n < 256 { "gain(me, wisp, 1)" } else { "throw `the last ones speak, too`" };
    let hooks = lines(260, &|n| format!("[[card.on]]\nwhen = \"dusk\"\ndo = \"{}\"\n\n", last(n)));
    let card = format!("# A long one.\n[[card]]\nid = \"evil_wisp\"\nname = \"Evil Wisp\"\nkind = \"wolf\"\nage = 1\n\n{hooks}");
    let scenario = format!(
        "# A long one.\ngame = \"toy\"\nplayers = 2\n\n[[scenario]]\nname = \"long\"\nwhen = \"\"\ngiven = \"p1.wisp = 1\"\nthen = \"{}p1.wisp == 3\"\n",
        "not ".repeat(20_000)
    );
    let doubling = lines(40, &|n| format!("define d{} = d{n} + d{n}\n", n + 1));
    let doubling_more = lines(40, &|n| format!("define e{}(x) = e{n}(x) + e{n}(x + 1)\n", n + 1));
    let long_way = lines(5_000, &|n| format!("define f{} = f{n} + {n}\n", n + 1));
    let long_way_back = lines(5_000, &|n| format!("define g{} = g{} + {n}\n", 5_000 - n, 4_999 - n));
    let names = |count: usize| lines(count, &|n| format!(", w{n}"));
    vec![
        ("many_minus.rules".to_string(), row(format!("{}wisp", "- ".repeat(200_000)))),
        ("many_not.rules".to_string(), row(format!("(if {}passed then 1 else 2)", "not ".repeat(200_000)))),
        ("many_or.rules".to_string(), row(format!("(if passed{} then 1 else 2)", " or passed".repeat(50_000)))),
        ("many_plus.rules".to_string(), row(format!("wisp{}", " + wisp".repeat(100_000)))),
        ("many_else.rules".to_string(), row(format!("({}wisp)", "if wisp == 1 then 1 else ".repeat(50_000)))),
        (
            "many_else_statements.rules".to_string(),
            rules("", "", "", &format!("if passed {{ }}{}", " else if passed { }".repeat(20_000)), ""),
        ),
        ("many_blocks.rules".to_string(), rules("", "", "", &format!("{}{}", "if passed { ".repeat(5_000), "}".repeat(5_000)), "")),
        ("doubling_definitions.rules".to_string(), rules(&format!("define d0 = wisp\n{doubling}"), "", "", "", "\"long\" = d40")),
        (
            "doubling_definitions_with_values.rules".to_string(),
            rules(&format!("define e0(x) = wisp + x\n{doubling_more}"), "", "", "", "\"long\" = e40(1)"),
        ),
        ("long_way_of_definitions.rules".to_string(), rules(&format!("define f0 = wisp\n{long_way}"), "", "", "", "\"long\" = f5000")),
        ("long_way_back.rules".to_string(), rules(&format!("{long_way_back}define g0 = wisp\n"), "", "", "", "\"long\" = g5000")),
        ("many_counters_of_cards.rules".to_string(), rules("", "", &lines(300, &|n| format!("counter k{n}\n")), "", "")),
        ("many_counters.rules".to_string(), rules("", &lines(70_000, &|n| format!("counter k{n}\n")), "", "", "")),
        (
            "many_resources_in_a_set.rules".to_string(),
            rules(
                "",
                &format!("resource moss{}; set marked of resource", names(70)),
                "",
                "add w69 to marked; if w5 in marked { gain (7 / (wisp - wisp)) wisp }",
                "",
            ),
        ),
        ("many_hooks.toml".to_string(), card),
        ("long_chain.scenario.toml".to_string(), scenario),
    ]
}

/// The small game, with what hostile cards write to and hear. All that a card must say has a default.
fn game() -> Folder {
    let rules = replaced(
        &read("tests/errors/game/rules/toy.rules"),
        &[
            ("deck pile of", "deck pile by age of"),
            ("fill row from pile", "fill row from pile[1]"),
            ("counter dens", "counter dens, fog"),
            ("height: number; yield: of resource; colour: one of side;", "height: number = 0;"),
            ("price(card) = 1", "price(card) = 0"),
            ("tax = 0", "turn_actions = 1"),
            ("1 each", "turn_actions each"),
            ("{ passed = yes }", "{ passed = yes; moment passed }"),
            ("short of r in wisp, missing n { lose 0 moss }", "short of r in wisp, moss, missing n { repeat n { fog += 1 } }"),
        ],
    );
    let cards = read("tests/errors/game/cards/toy/base.toml").replace("colour = \"a\"", "age = 1").replace("colour = \"b\"", "age = 1");
    let cards = replaced(&cards, &[("kind = \"wall\"", "kind = \"wall\"\nage = 1")]);
    toy(&[("rules/toy.rules", &rules), ("cards/toy/base.toml", &cards), ("harmless/pack.toml", &manifest("harmless", "toy"))])
}

/// What `check` says, and `playtest` with this card in play or `test`.
fn answers(name: &str, text: &str) -> [(Answer, String); 2] {
    let dir = game();
    let file = match (name.strip_suffix(".scenario.toml"), name.strip_suffix(".rules")) {
        (Some(_), _) => format!("tests/scenarios/{name}"),
        (_, Some(_)) => "rules/toy.rules".to_string(),
        _ => format!("cards/toy/{name}"),
    };
    dir.write(&file, text);
    if name.ends_with(".rules") && !text.contains("kind wolf") {
        dir.remove("cards/toy/base.toml");
    }
    let houserule = |words: &[&str]| {
        let mut args = vec![OsStr::new("--root"), dir.path().as_os_str()];
        args.extend(words.iter().map(OsStr::new));
        let ended = run(Path::new(env!("CARGO_BIN_EXE_houserule")), &args, MOST_TIME, MEGABYTES);
        let said = format!("{}{}", ended.out, ended.err);
        // Where a card spoils turns, the turns are named.
        let placed = [&file[..], "rules/toy.rules"].into_iter().any(|file| {
            let place = format!("{file}:");
            said.match_indices(&place).any(|(at, _)| said[at + place.len()..].starts_with(|c: char| c.is_ascii_digit()))
        });
        let answer = match ended.status {
            Some(0) => Fine,
            Some(1 | 2) if placed => Told,
            Some(1 | 2) => Blind,
            Some(_) | None => Lost,
        };
        (answer, said.chars().take(600).collect())
    };
    // With an empty pack only the small game is checked, and not those in the binary.
    let check = houserule(&["check", &dir.name("harmless")]);
    let play = if name.ends_with(".scenario.toml") {
        houserule(&["test", &dir.name(&file)])
    } else if name.ends_with(".toml") {
        houserule(&["playtest", "toy", "-n", "3", "--agents", "random", "--deal", "evil_wisp@p1"])
    } else {
        houserule(&["playtest", "toy", "-n", "3", "--agents", "random"])
    };
    [check, play]
}

#[test]
fn whoever_means_harm_is_stopped() {
    let corpus = corpus();
    let wrong: Vec<String> = corpus
        .par_iter()
        .with_max_len(1)
        .filter_map(|(name, text)| {
            let found = answers(name, text);
            let [check, play] = [found[0].0, found[1].0];
            let wanted = if POSSIBLE.contains(&name.as_str()) { StoppedOrPlayed } else { Stopped };
            // What only a game shows is not seen by `check` for certain.
            let right = match wanted {
                Stopped => play == Told && matches!(check, Told | Fine),
                StoppedOrPlayed => matches!(play, Told | Fine) && matches!(check, Told | Fine),
            };
            (!right).then(|| format!("{name}: {check:?}, {play:?}\n{}\n{}", found[0].1, found[1].1))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
