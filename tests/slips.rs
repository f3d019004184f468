//! Slips in the shipped files, one at a time: most are caught, at the right line and with one message. The whole corpus is
//! `cargo run --release --example mutate`; here is a small part of it.

#[path = "../examples/mutate/mutants.rs"]
mod mutants;
#[path = "../examples/mutate/text.rs"]
mod text;
#[path = "../examples/mutate/trial.rs"]
mod trial;

use crate::support::{child, root};
use mutants::mutants;
use text::{Role, Source, line_of, parts, tokens};
use trial::{Program, count, judge, said_of_shipped, share, shipped};

/// Of each class of slips.
const EACH: usize = 2;

/// Shares that are wanted, in hundredths of a percent.
const MISSPELT: usize = 9_900;
const CAUGHT: usize = 9_500;
const RIGHT_LINE: usize = 9_700;
const ONE_MESSAGE: usize = 9_500;

fn houserule() -> Program {
    Program { path: env!("CARGO_BIN_EXE_houserule").into(), first: Vec::new() }
}

#[test]
fn slips_are_caught() {
    let sources = shipped(root());
    let all = mutants(&sources, EACH, 1);
    let verdicts = judge(&houserule(), &sources, &all);
    let (classes, total) = count(&all, &verdicts);
    assert!(classes.len() > 30 && classes.values().all(|counts| counts.mutants == EACH), "{classes:?}");
    assert_eq!(total.broken, 0, "a slip makes it crash or hang");
    let found = [
        ("misspelt words caught", share(total.misspelt_caught, total.misspelt), MISSPELT),
        ("caught", share(total.caught(), total.mutants), CAUGHT),
        ("at the right line", share(total.right_line, total.caught()), RIGHT_LINE),
        ("with one message", share(total.one_message, total.check), ONE_MESSAGE),
    ];
    for (what, share, least) in found {
        assert!(share >= least, "{what}: {share} of 10000, at least {least} before; `cargo run --example mutate -- --show` tells more");
    }
}

#[test]
fn nothing_is_said_of_what_is_shipped() {
    assert_eq!(said_of_shipped(&houserule(), &shipped(root())), "");
}

#[test]
fn the_same_seed_makes_the_same_slips() {
    let sources = shipped(root());
    let (one, two, other) = (mutants(&sources, 3, 1), mutants(&sources, 3, 1), mutants(&sources, 3, 2));
    assert!(one == two && one != other);
    for mutant in &one {
        let source = &sources[mutant.file];
        assert_ne!(mutant.text, source.text, "{}: `{}` -> `{}`", mutant.class, mutant.was, mutant.now);
        // The first line that differs lies at or above the line of the slip, and not far.
        let lines = || source.text.lines().zip(mutant.text.lines());
        let first = lines().position(|(a, b)| a != b).unwrap_or(lines().count()) + 1;
        assert!(mutant.places.iter().any(|(file, line)| *file == mutant.file && line.abs_diff(first) <= 40), "{}", mutant.class);
    }
}

#[test]
fn a_file_is_cut_into_its_parts() {
    let text = "[[card.on]] # wisp\nwhen = \"dusk\"\ngift = { moss = 2 } # 3\ndo = \"\"\"\nhowl(me,\n 7)\"\"\"\nif = \"log has \\\"a\\\"\"\nage = 1\n";
    let found = parts(text);
    let of = |role: Role| found.iter().filter(|part| part.role == role).map(|part| &text[part.start..part.end]).collect::<Vec<_>>();
    assert_eq!(of(Role::Header), ["card.on"]);
    assert_eq!(of(Role::Key), ["when", "gift", "moss", "do", "if", "age"]);
    assert_eq!(of(Role::Number), ["2", "1"]);
    assert_eq!(of(Role::Text), ["dusk", "\nhowl(me,\n 7)", "log has \\\"a\\\""]);
    let words = tokens("a_1 == 2 // b\n{ \"c d\" }", 0, 23);
    let source = Source { path: String::new(), text: "a_1 == 2 // b\n{ \"c d\" }".to_string() };
    let words: Vec<&str> = words.iter().map(|token| &source.text[token.start..token.end]).collect();
    assert_eq!(words, ["a_1", "==", "2", "{", "\"c d\"", "}"]);
    assert_eq!(line_of(text, text.find("7)").expect("it is there")), 6);
}
