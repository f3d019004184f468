//! What is wrong with scripts before any of them runs: what rhai finds, and what it would find only while running.

use super::api::natives;
use super::api::rules::added;
use super::api::words::Words;
use super::error::bytes_of;
use super::host::{GIVEN, compile, raw_engine};
use super::tokens::{KEYWORDS, Sort, Token, tokens};
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{Ruleset, ScriptText};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What of rhai's own functions scripts can call: the name, and with how many values, the one before the point included.
pub(super) const BUILT_IN: [(&str, &[usize]); 40] = [
    ("len", &[1]),
    ("is_empty", &[1]),
    ("get", &[2]),
    ("push", &[2]),
    ("append", &[2]),
    ("insert", &[3]),
    ("pop", &[1]),
    ("shift", &[1]),
    ("clear", &[1]),
    ("truncate", &[2]),
    ("chop", &[2]),
    ("reverse", &[1]),
    ("extract", &[2, 3]),
    ("contains", &[2]),
    ("index_of", &[2, 3]),
    ("sort", &[1]),
    ("dedup", &[1]),
    ("split", &[2]),
    ("range", &[2, 3]),
    ("start", &[1]),
    ("end", &[1]),
    ("keys", &[1]),
    ("values", &[1]),
    ("mixin", &[2]),
    ("type_of", &[1]),
    ("sign", &[1]),
    ("is_zero", &[1]),
    ("is_odd", &[1]),
    ("is_even", &[1]),
    ("to_string", &[1]),
    ("to_debug", &[1]),
    ("to_upper", &[1]),
    ("to_lower", &[1]),
    ("trim", &[1]),
    ("sub_string", &[2, 3]),
    ("starts_with", &[2]),
    ("ends_with", &[2]),
    ("chars", &[1]),
    ("remove", &[2]),
    ("set", &[3]),
];

/// What functions give back that are conditions.
const TRUTH: &str = "yes or no";

/// Between these a word of the rules can only have been meant as a number.
const NUMERIC: [&str; 15] = ["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "+=", "-=", "*=", "/=", "..", "..="];

/// Everything that is wrong with the scripts of a ruleset, in their order.
pub fn check_scripts(rules: &Ruleset) -> Vec<Diagnostic> {
    let rules = &Arc::new(rules.clone());
    let words = Words::new(rules);
    let engine = raw_engine();
    let functions = Functions::of(rules);
    let mut found = Vec::new();
    for script in &rules.scripts {
        if let Err(wrong) = compile(&engine, &words, script) {
            let broken = wrong.iter().any(|d| d.code == "S001");
            found.extend(wrong);
            if broken {
                continue;
            }
        }
        let tokens = tokens(&script.text);
        let own = own_names(&tokens);
        for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.sort == Sort::Name) {
            let called = tokens.get(i + 1).is_some_and(|t| t.is("("));
            let member = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("?."));
            if KEYWORDS.contains(&token.text) || own.contains(token.text) && !member {
                continue;
            }
            if called {
                found.extend(functions.check(script, &tokens, i, member));
            } else if member {
                let owner = i.checked_sub(2).map_or("", |at| tokens[at].text);
                let known: Vec<String> = functions.known.keys().cloned().collect();
                found.extend(super::dialect::field_of(owner, token.text, &known).map(|(message, help)| {
                    let wrong = Diagnostic::error("S007", bytes_of(script, token.start), message).label("asked for here");
                    wrong.help(help).trace(script.owner.clone())
                }));
            } else if words.value_of(token.text).is_some() && !GIVEN.contains(&token.text) {
                found.extend(functions.check_word(script, &tokens, i));
            }
        }
    }
    found
}

/// What can be called.
struct Functions {
    known: BTreeMap<String, Known>,
}

/// What is known of a function.
#[derive(Default)]
struct Known {
    /// How many values it takes.
    counts: Vec<usize>,
    /// How it is written.
    signatures: Vec<String>,
    /// It gives back yes or no.
    truth: bool,
}

impl Functions {
    fn of(rules: &Ruleset) -> Functions {
        let mut known: BTreeMap<String, Known> = BTreeMap::new();
        let mut add = |name: &str, count: usize, signature: String, truth: bool| {
            let entry = known.entry(name.to_string()).or_default();
            entry.counts.push(count);
            entry.signatures.push(signature);
            entry.truth = truth;
        };
        for native in natives() {
            add(native.name, native.params.len(), native.signature(), native.gives == TRUTH);
        }
        for added in added(rules) {
            add(&added.name, added.params.len(), added.signature(), added.gives == TRUTH);
        }
        for (name, counts) in BUILT_IN {
            known.entry(name.to_string()).or_default().counts.extend(counts);
        }
        Functions { known }
    }

    /// What is wrong with the call of the name at `at`.
    fn check(&self, script: &ScriptText, tokens: &[Token], at: usize, member: bool) -> Option<Diagnostic> {
        let name = tokens[at].text;
        let span = bytes_of(script, tokens[at].start);
        let Some(known) = self.known.get(name) else {
            let meant = nearest(name, self.known.keys().map(String::as_str));
            let found = Diagnostic::error("S003", span, format!("unknown function `{name}`"))
                .label("neither a native nor declared by the rules")
                .meant(meant);
            return Some(found.trace(script.owner.clone()));
        };
        let (given, close) = arguments(tokens, at + 1)?;
        let given = given + member as usize;
        if known.counts.contains(&given) {
            if known.truth
                && !member
                && (compared(tokens.get(close + 1), tokens.get(close + 2)) || at >= 2 && compared(tokens.get(at - 1), tokens.get(at - 2)))
            {
                let found = Diagnostic::error("S006", span, format!("`{name}` is yes or no already"))
                    .label("a script never finds it equal to a word or number");
                return Some(found.help(format!("write `{name}(…)` or `!{name}(…)` by itself")).trace(script.owner.clone()));
            }
            return None;
        }
        let wanted: BTreeSet<usize> = known.counts.iter().copied().collect();
        let wanted: Vec<String> = wanted.into_iter().map(|n| n.to_string()).collect();
        let plural = if wanted == ["1"] { "" } else { "s" };
        let mut found = Diagnostic::error("S004", span, format!("`{name}` takes {} value{plural}, not {given}", wanted.join(" or ")))
            .label("wrong number of values");
        if !known.signatures.is_empty() {
            found =
                found.help(format!("it is written {}", known.signatures.iter().map(|s| format!("`{s}`")).collect::<Vec<_>>().join(" or ")));
        }
        Some(found.trace(script.owner.clone()))
    }

    /// A word that stands where only a number makes sense.
    fn check_word(&self, script: &ScriptText, tokens: &[Token], at: usize) -> Option<Diagnostic> {
        let numeric = |token: Option<&Token>| token.is_some_and(|t| t.sort == Sort::Symbol && NUMERIC.contains(&t.text));
        let (before, after) = (at.checked_sub(1).and_then(|i| tokens.get(i)), tokens.get(at + 1));
        let name = tokens[at].text;
        let truth = self.known.get(name).is_some_and(|known| known.truth);
        let asked = before.is_some_and(|t| matches!(t.text, "if" | "while" | "&&" | "||" | "!"))
            && after.is_none_or(|t| matches!(t.text, "{" | "&&" | "||" | ")"));
        let (what, label) = if numeric(before) || numeric(after) {
            ("a number", "nothing can be worked out with a word")
        } else if truth && asked {
            ("yes or no", "whose?")
        } else {
            return None;
        };
        let mut found =
            Diagnostic::error("S005", bytes_of(script, tokens[at].start), format!("`{name}` is a word here, not {what}")).label(label);
        if let Some(known) = self.known.get(name) {
            let call = if known.counts.contains(&0) { format!("{name}()") } else { format!("{name}(me)") };
            found = found.help(format!("write `{call}`"));
        }
        Some(found.trace(script.owner.clone()))
    }
}

/// Whether a bar begins the parameters of a closure: it does where no value stands before it.
fn opens_closure(tokens: &[Token], at: usize) -> bool {
    match at.checked_sub(1).and_then(|i| tokens.get(i)) {
        None => true,
        Some(before) if before.sort == Sort::Symbol => !matches!(before.text, ")" | "]" | "}"),
        Some(before) => before.sort == Sort::Name && KEYWORDS.contains(&before.text),
    }
}

/// Names that a script declares itself.
fn own_names<'t>(tokens: &[Token<'t>]) -> BTreeSet<&'t str> {
    let mut own = BTreeSet::new();
    for (i, token) in tokens.iter().enumerate() {
        let (from, end) = match token.text {
            "let" | "const" => (i + 1, i + 2),
            "for" => (i + 1, tokens[i..].iter().position(|t| t.text == "in").map_or(i + 1, |n| i + n)),
            "catch" => (i + 1, (i + 3).min(tokens.len())),
            "|" if token.is("|") && opens_closure(tokens, i) => {
                (i + 1, tokens[i + 1..].iter().position(|t| t.is("|")).map_or(i + 1, |n| i + 1 + n))
            }
            _ => continue,
        };
        own.extend(tokens.iter().take(end).skip(from).filter(|t| t.sort == Sort::Name && !KEYWORDS.contains(&t.text)).map(|t| t.text));
    }
    own
}

/// Whether an operator compares with a plain truth or number.
fn compared(operator: Option<&Token>, with: Option<&Token>) -> bool {
    operator.is_some_and(|t| t.is("==") || t.is("!=")) && with.is_some_and(|t| t.sort == Sort::Number || matches!(t.text, "yes" | "no"))
}

/// How many values stand between the bracket at `open` and the one that closes it, and where that is.
fn arguments(tokens: &[Token], open: usize) -> Option<(usize, usize)> {
    let (mut depth, mut commas, mut bars, mut last) = (0_usize, 0, false, open);
    for (i, token) in tokens.iter().enumerate().skip(open) {
        if token.sort == Sort::Symbol {
            match token.text {
                "(" | "[" | "{" | "#{" | "?[" => depth += 1,
                ")" | "]" | "}" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        // A comma may stand after the last value.
                        let values = if i == open + 1 { 0 } else { commas + 1 };
                        return Some((values - usize::from(i > open + 1 && tokens[last].is(",")), i));
                    }
                }
                "|" if bars => bars = false,
                "|" => bars = opens_closure(tokens, i),
                "," if depth == 1 && !bars => commas += 1,
                _ => {}
            }
        }
        last = i;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::render;
    use crate::script::sample::{Sample, TEXT_AT};

    /// What is said about a script: code, column and message.
    fn said(text: &str) -> Vec<(&'static str, u32, String)> {
        let rules = Sample::new().script(text).rules();
        check_scripts(&rules).into_iter().map(|d| (d.code, d.span.map_or(0, |s| s.start - TEXT_AT), d.message)).collect()
    }

    fn only(text: &str) -> (&'static str, u32, String) {
        let said = said(text);
        assert_eq!(said.len(), 1, "{said:?}");
        said.into_iter().next().unwrap_or(("", 0, String::new()))
    }

    #[test]
    fn good_scripts_pass() {
        for text in [
            "gain(me, wisp, 2)",
            "if is(own, slab) && foggy(me) { gain(me, wisp, wolf(me) - 1) }",
            "for p in others(me) { lose(p, wisp, 1, hunger,) }",
            "let wolf = 3; gain(me, wisp, wolf - 1)",
            "gain(me, wisp, [1, 2].len())",
            "debug(`has ${wisp(me)} of it`); // gone(1)",
            "for (c, i) in cards(me, den) { c.add_card(moss, i) }",
            "switch wisp(me) { 1 => gain(me, wisp, 1), 2..4 => gain(me, wolf, -1), _ => () }",
        ] {
            assert_eq!(said(text), [], "{text}");
        }
    }

    #[test]
    fn an_unknown_function_is_reported_at_its_column() {
        assert_eq!(only("gain(me, wisp, 1);\n  gian(me, wolf, 1)"), ("S003", 21, "unknown function `gian`".to_string()));
        let rules = Sample::new().script("gian(me, wolf, 1)").rules();
        assert_eq!(check_scripts(&rules)[0].help, ["did you mean `gain`?"]);
    }

    #[test]
    fn what_is_not_there_is_unknown() {
        for name in ["sleep", "exit", "timestamp", "parse_json", "open_file", "hook", "get_fn_metadata_list"] {
            assert_eq!(only(&format!("{name}(1)")).0, "S003", "{name}");
        }
        for text in ["eval(\"1\")", "import \"x\" as y;", "print(1)", "fn f() { 1 }", "Fn(\"gain\")"] {
            assert_eq!(only(text).0, "S001", "{text}");
        }
    }

    #[test]
    fn wrong_numbers_of_values() {
        let (code, at, message) = only("gain(me, max(1, 2))");
        assert_eq!((code, at, message.as_str()), ("S004", 0, "`gain` takes 3 values, not 2"));
        assert_eq!(only("foggy()").2, "`foggy` takes 1 value, not 0");
        assert_eq!(only("lose(me, wisp)").2, "`lose` takes 3 or 4 values, not 2");
    }

    #[test]
    fn every_unknown_name_is_reported() {
        let said = said("gain(me, wips, 1); gain(me, wofl, 1)");
        assert_eq!(said.len(), 2);
        assert_eq!(said[0], ("S002", 9, "unknown name `wips`".to_string()));
        assert_eq!(said[1], ("S002", 28, "unknown name `wofl`".to_string()));
    }

    #[test]
    fn a_case_of_switch_is_no_word() {
        let (code, at, message) = only("switch answer { wisp => 1 }");
        assert_eq!((code, at, message.as_str()), ("S001", 16, "a case of `switch` is a plain number or text"));
    }

    #[test]
    fn a_truth_is_not_compared() {
        assert_eq!(only("if calm(me) == yes { gain(me, wisp, 1) }"), ("S006", 3, "`calm` is yes or no already".to_string()));
        for text in ["if foggy(me) != 0 { }", "if no == is(own, slab) { }", "let x = 1 == most_foggy(me);"] {
            assert_eq!(only(text).0, "S006", "{text}");
        }
        assert_eq!(said("if calm(me) == foggy(me) && wisp(me) == 1 { gain(me, wisp, 1) }"), []);
    }

    #[test]
    fn a_word_is_no_truth() {
        for text in ["if calm { }", "if calm && foggy(me) { }", "if wisp(me) > 1 && !calm { }"] {
            let said = only(text);
            assert_eq!((said.0, said.2.as_str()), ("S005", "`calm` is a word here, not yes or no"), "{text}");
        }
    }

    #[test]
    fn players_and_cards_have_no_fields() {
        assert_eq!(only("if me.wisp > 1 { }"), ("S007", 6, "a player has no fields in scripts".to_string()));
        assert_eq!(only("gain(me, wisp, own.moss)").0, "S007");
        assert_eq!(said("let m = #{a: 1}; gain(me, wisp, m.a)"), []);
    }

    #[test]
    fn a_word_is_no_number() {
        assert_eq!(only("if wisp >= 2 { gain(me, wolf, 1) }"), ("S005", 3, "`wisp` is a word here, not a number".to_string()));
        assert_eq!(only("gain(me, wolf, 2 * howl)").0, "S005");
    }

    #[test]
    fn broken_scripts_are_reported_and_never_panic() {
        for text in [
            "gain(me, wisp",
            "}",
            "{",
            "gain(me,, 1)",
            "\"",
            "`${",
            "é",
            "1.5",
            "let",
            "|",
            "((((",
            "break",
            "for",
            "catch",
            "let f = || { break; };",
            &"(".repeat(5_000),
            &"[".repeat(500),
        ] {
            assert_eq!(said(text).first().map(|d| d.0), Some("S001"), "{}", &text[..text.len().min(20)]);
        }
    }

    #[test]
    fn a_message_shows_the_place_in_the_file() {
        let sample = Sample::new().script("let n = 2;\ngian(me, wisp, n)");
        let (sources, rules) = (sample.sources(), sample.rules());
        let drawn = render::render(&sources, &check_scripts(&rules), false);
        assert!(drawn.contains("gian(me, wisp, n)"), "{drawn}");
        assert!(drawn.contains("^^^^"), "{drawn}");
    }

    #[test]
    fn every_built_in_is_there() {
        // A function that is not there is "not found" whatever it is given; one that is there takes some of these.
        let values = ["[3, 1]", "1", "\"ab\"", "#{a: 1}", "(0..2)"];
        for (name, counts) in BUILT_IN {
            for &count in counts {
                let fits = values.iter().any(|first| {
                    values.iter().any(|rest| {
                        let args: Vec<&str> = std::iter::repeat_n(*rest, count - 1).collect();
                        let text = format!("let v = {first}; v.{name}({})", args.join(", "));
                        !Sample::new().script(&text).fault().is_some_and(|f| f.message.contains("cannot take"))
                    }) || count == 3
                        && ["2", "0"].iter().any(|second| {
                            values.iter().any(|third| {
                                let text = format!("let v = {first}; v.{name}({third}, {second})");
                                !Sample::new().script(&text).fault().is_some_and(|f| f.message.contains("cannot take"))
                            })
                        })
                        || count == 3
                            && values.iter().any(|third| {
                                let text = format!("let v = {first}; v.{name}(1, {third})");
                                !Sample::new().script(&text).fault().is_some_and(|f| f.message.contains("cannot take"))
                            })
                });
                assert!(fits, "{name} with {count}");
            }
        }
    }
}
