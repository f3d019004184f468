//! Scripts of cards, tried in the small game in `tests/scripts`: what they leave (the tests of its cards), which faults they have when they
//! run (`faults.txt`), and what is said about them before that (`diagnostics.txt`).

use crate::support::{game_text, root, rules_of, run_in};
use houserule::diagnostic::render::render;
use houserule::engine::ruleset::ScriptText;
use houserule::engine::scripts::{Call, Scripts};
use houserule::engine::{Game, Ruleset, Stop};
use houserule::lang::Setup;
use houserule::scenario::run::{ExtraContent, run_card_tests};
use houserule::script::{ScriptHost, check_scripts};
use houserule::source::{FileId, Sources, Span};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

/// Where a script begins in its file.
const OFFSET: usize = 10;
/// Card and moment of each script.
const OWNER: &str = "wall, on dusk";

static RULES: LazyLock<Arc<Ruleset>> = LazyLock::new(|| {
    let (sources, text, _) = game_text(&folder(), "sample", 3);
    rules_of(&sources, &text, &Setup { players: 3, every_piece: true, ..Setup::default() })
});

fn folder() -> PathBuf {
    root().join("tests/scripts")
}

/// The rules of the small game with other scripts.
fn rules_with(scripts: &[&str]) -> Arc<Ruleset> {
    let script = |text: &&str| {
        let span = Some(Span { file: FileId(0), start: OFFSET as u32, end: (OFFSET + text.len()) as u32 });
        ScriptText { owner: OWNER.to_string(), definition: 0, text: text.to_string(), span, words: Vec::new(), lets: Vec::new() }
    };
    Arc::new(Ruleset { scripts: scripts.iter().map(script).collect(), ..Ruleset::clone(&RULES) })
}

/// A game with such rules, of which a log is kept.
fn start(scripts: &[&str]) -> (Arc<Ruleset>, ScriptHost, Game) {
    let rules = rules_with(scripts);
    let (host, mut game) = (ScriptHost::new(&rules).unwrap_or_else(|wrong| panic!("{scripts:?}: {wrong:?}")), Game::new(&rules, 1));
    game.keep_log();
    (rules, host, game)
}

/// Runs a script of a card for the first player: of the first card of the first kind.
fn run(rules: &Ruleset, host: &mut ScriptHost, game: &mut Game, script: u32) -> Result<(), Stop> {
    let own = rules.piece_kind.iter().position(|&kind| kind == 0).expect("a card") as i32;
    host.run(&mut game.on(rules), &Call { script, me: 0, own, card: -1, player: 0, answer: -1 })
}

/// A script with what is said about it: below a line what is about it, under its place; what has no place at the end.
fn with_marks(script: &str, said: Vec<(Option<Span>, String)>) -> String {
    let (mut text, mut end) = (String::new(), 0);
    for line in script.split_inclusive('\n') {
        let begin = end;
        end += line.len();
        text.push_str(&format!("{}\n", line.trim_end_matches('\n')));
        for (span, message) in said.iter().filter_map(|(span, message)| Some(((*span)?, message))) {
            let (from, to) = (span.start as usize - OFFSET, span.end as usize - OFFSET);
            if (begin..end).contains(&from) || from == script.len() && end == from {
                let (column, length) = (script[begin..from].chars().count(), script[from..to.min(end)].chars().count());
                let message = message.replace('\n', &format!("\n{}", " ".repeat(column)));
                text.push_str(&format!("{}{} {message}\n", " ".repeat(column), "^".repeat(length.max(1))));
            }
        }
    }
    for (_, message) in said.iter().filter(|(span, _)| span.is_none()) {
        text.push_str(&format!("{message}\n"));
    }
    text
}

/// Compares each case of a table with what `said` makes of its script.
fn look_at(table: &str, said: impl Fn(&str) -> String) {
    let text = std::fs::read_to_string(folder().join(table)).expect("a table");
    let is_said = |line: &&str| line.trim_start().starts_with(['^', '=', '>']);
    let (mut heading, mut scripts, mut differ) = ("", 0, Vec::new());
    for case in text.split("\n\n") {
        let (comments, lines): (Vec<&str>, Vec<&str>) = case.lines().partition(|line| line.starts_with("# "));
        heading = comments.last().unwrap_or(&heading);
        let script: Vec<&str> = lines.iter().copied().filter(|line| !is_said(line)).collect();
        if script.is_empty() {
            continue;
        }
        let found = said(&script.join("\n"));
        if found.trim_end() != lines.join("\n").trim_end() {
            differ.push(format!("{heading}\n{found}"));
        }
        scripts += 1;
    }
    assert!(
        scripts > 0 && differ.is_empty(),
        "{table}: of {scripts} scripts {} differ, they are now:\n\n{}",
        differ.len(),
        differ.join("\n")
    );
}

#[test]
fn scripts_leave_what_the_tests_of_their_cards_say() {
    assert_eq!(check_scripts(&RULES), []);
    let mut sources = Sources::new();
    let report = run_card_tests(&mut sources, Some(&folder()), "sample", ExtraContent::default());
    let failed: Vec<String> =
        report.cases.iter().filter(|case| !case.passed).map(|case| format!("{}: {}", case.name, case.message)).collect();
    assert_eq!((render(&sources, &report.diagnostics, false).as_str(), failed), ("", Vec::new()));
    let cards = std::fs::read_to_string(folder().join("cards/sample/slabs.toml")).expect("its cards");
    assert_eq!(report.cases.len(), cards.matches("[[card.test]]").count());
    assert!(cards.matches("[[card]]").count() == RULES.scripts.len(), "each card has a script");
}

#[test]
fn scripts_have_the_faults_that_are_listed() {
    look_at("faults.txt", |script| {
        let (rules, mut host, mut game) = start(&[script]);
        let mut said = Vec::new();
        match run(&rules, &mut host, &mut game, 0) {
            Err(Stop::Fault(fault)) => {
                assert_eq!(fault.owner, OWNER, "{script}");
                said.push((fault.span, fault.message));
            }
            ended => assert_eq!(ended, Ok(()), "{script}"),
        }
        said.extend(game.log().iter().map(|line| (None, format!("> {line}"))));
        with_marks(script, said)
    });
}

#[test]
fn what_is_wrong_with_scripts_is_said() {
    look_at("diagnostics.txt", |script| {
        let rules = rules_with(&[script]);
        let found = check_scripts(&rules);
        // What cannot be read and what names nothing is not run.
        assert_eq!(ScriptHost::new(&rules).is_err(), found.iter().any(|wrong| matches!(wrong.code, "S001" | "S002")), "{script}");
        let said = found.into_iter().map(|wrong| {
            assert_eq!(wrong.trace, [OWNER], "{script}");
            let message = format!("{} {}: {}", wrong.code, wrong.message, wrong.label);
            (wrong.span, [&[message], &wrong.help.iter().map(|help| format!("= {help}")).collect::<Vec<_>>()[..]].concat().join("\n"))
        });
        with_marks(script, said.collect())
    });
}

#[test]
fn brackets_within_each_other_are_told_and_never_panic() {
    for text in ["(".repeat(5_000), "[".repeat(500)] {
        assert_eq!(check_scripts(&rules_with(&[&text])).first().map(|wrong| wrong.code), Some("S001"));
    }
}

#[test]
fn a_function_whose_declaration_cannot_be_read_is_not_missed() {
    let rules = rules_with(&["gian(me, wolf, 1)"]);
    assert_eq!(check_scripts(&Ruleset { unparsed_names: vec!["gian".to_string()], ..Ruleset::clone(&rules) }), []);
}

#[test]
fn nothing_is_done_after_a_fault_and_a_host_goes_on() {
    let fault = "try { pay(me, wisp, 1) } catch { gain(me, wisp, 9) }; gain(me, wisp, 1)";
    let (rules, mut host, mut game) = start(&[fault, "gain(me, wisp, 2)", "let me = 2; gain(me, wisp, 3)"]);
    let ended = [0, 1, 2, 1].map(|script| {
        let ended = run(&rules, &mut host, &mut game, script).is_ok();
        (ended, [0, 2].map(|seat| game.cells()[rules.layout.seat(seat, 0)]))
    });
    assert_eq!(ended, [(false, [0, 0]), (true, [2, 0]), (true, [2, 3]), (true, [4, 3])]);
}

#[test]
fn check_says_which_scripts_are_left_to_rhai() {
    let check = |what: &str| run_in(root(), &format!("check {what} --verbose")).out;
    let small = check("tests/scripts");
    let left: Vec<&str> =
        small.lines().filter_map(|line| line.trim().split_once(" is left to rhai (tests/scripts/cards/")).map(|line| line.0).collect();
    let (order, thrown) = ("seats_are_in_the_new_order.dusk", "what_a_script_throws_it_can_catch.dusk");
    assert_eq!(left, ["a_card_is_placed_and_gets_a_counter.dusk", "a_card_is_removed.dusk", order, thrown], "{small}");
    assert!(check("nations-dice").contains("\n  no script is left to rhai\n"));
}
