//! What is said about texts of rules and cards, and what becomes of them: the files below `tests/checks` hold cases in text.
//!
//! * `=== TITLE` begins a case. Its lines are added to the rules of the small game `wall.rules`, those below `@cards` to its cards.
//! * `CODE //~ MESSAGE` expects a diagnostic at this line; no others may be told. In full: `//~ warning R012 [UNDERLINED] MESSAGE`, then
//!   ` //! ITS LABEL`, ` //& [UNDERLINED] LABEL OF ANOTHER PLACE`, ` //? HELP`. What is left out is not compared; `…` at an end stands for
//!   any end. A mark without code, or with `elsewhere` before all, is for a place outside of the case.
//! * `@each`: every line below is a case of its own and stands for the `…` in the text above, or in that of the last case that has one.
//!   `<<3:s#, >>` stands for `s1, s2, s3, `, and `¶` for the end of a line.
//! * `@players 2`: the game is compiled for so many; `@alone`: without the small game; `@options`: each line is a choice of options, and
//!   of cards, such as `deal:CARD@p2`, with which it is compiled.
//! * `@made`: each line below is one of the facts about what has been compiled (`facts`), or with `no ` before it, is none.
//! * `@parse`: the text is only parsed, as a file, or as the part of a card or scenario that is named.
//! * `@ask`: each line is asked of the game as in a scenario; `//= 3` is its value before any game begins (`?`: it has none), `//: WORDS`
//!   its type, or why it has none.
//! * `@overlay`: each line is an operation on `overlays.rules`; behind `=>` stand a part of that text and what it becomes. `||` is between
//!   overlays, which are called a, b, …; `over NAME:` before one says what it overrules. `@becomes`: the rules that all lines above give.
//! * `@lost`, `@kept`: what other files of the game say, and behind `||` a later overlay, which undoes it, or does not.
//! * `@same`: two values that are read as the same, or behind `=/>` differently.
//! * `@addresses`: the addresses of a text, and as diagnostics those that it gives twice.

mod overlays;

use crate::support::root;
use houserule::diagnostic::{Diagnostic, Severity};
use houserule::engine::Ruleset;
use houserule::engine::node::Called;
use houserule::lang::syntax::address::{all_addresses, clashes};
use houserule::lang::syntax::overlay::rules_of;
use houserule::lang::syntax::{parse_ask, parse_costs, parse_expr, parse_file, parse_given, parse_then, parse_when};
use houserule::lang::testing::{CARDS, GAME, text_of};
use houserule::lang::{Setup, compile, open_reader};
use houserule::source::{FileId, Sources, Span};
use overlays::Overlays;
use std::collections::BTreeSet;

/// A diagnostic that is expected, or one that is told, in the same form.
#[derive(Clone, Default)]
struct Mark {
    /// The line of the text of the case, from 0, after that of its cards if it is one of them; nothing outside of the case.
    line: Option<usize>,
    severity: String,
    code: String,
    underlined: String,
    message: String,
    /// Its label, those of other places, and its help: `!`, `&` or `?`, and the text.
    more: Vec<(char, String)>,
}

impl Mark {
    fn read(line: Option<usize>, text: &str) -> Mark {
        let mut mark = Mark { line, ..Mark::default() };
        let mut parts = text.split(" //");
        let mut rest = parts.next().unwrap_or("").trim();
        if let Some(behind) = rest.strip_prefix("elsewhere ") {
            (mark.line, rest) = (None, behind);
        }
        let mut parts_of = parts.map(|part| (part.chars().next().unwrap_or(' '), part[1..].trim().to_string()));
        mark.more.extend(&mut parts_of);
        for severity in ["warning", "error"] {
            if let Some(behind) = rest.strip_prefix(severity) {
                (mark.severity, rest) = (severity.to_string(), behind.trim_start());
            }
        }
        let first = rest.split(' ').next().unwrap_or("");
        if first.len() == 4 && first.starts_with(char::is_uppercase) && first[1..].bytes().all(|byte| byte.is_ascii_digit()) {
            (mark.code, rest) = (first.to_string(), rest[4..].trim_start());
        }
        if let Some((underlined, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once("] ").or(rest.split_once(']'))) {
            (mark.underlined, rest) = (underlined.to_string(), behind);
        }
        mark.message = rest.to_string();
        mark
    }

    fn told(line: Option<usize>, sources: &Sources, told: &Diagnostic) -> Mark {
        let labels = told.secondary.iter().map(|(span, label)| ('&', format!("[{}] {label}", sources.slice(*span)).trim_end().to_string()));
        let label = Some(('!', told.label.clone())).filter(|(_, label)| !label.is_empty());
        Mark {
            line,
            severity: if told.severity == Severity::Warning { "warning".to_string() } else { "error".to_string() },
            code: told.code.to_string(),
            underlined: told.span.map_or(String::new(), |span| sources.slice(span).to_string()),
            message: told.message.clone(),
            more: label.into_iter().chain(labels).chain(told.help.iter().map(|help| ('?', help.clone()))).collect(),
        }
    }

    /// Whether this is what is expected.
    fn is(&self, wanted: &Mark) -> bool {
        let fits = |wanted: &str, found: &str| match wanted.strip_suffix('…') {
            Some(begin) => found.starts_with(begin),
            None => wanted.is_empty() || wanted == found,
        };
        let all = |mark: &Mark, sort: char| mark.more.iter().filter(|more| more.0 == sort).map(|more| more.1.clone()).collect::<Vec<_>>();
        let fits_more = |sort: char| {
            let (wanted, found) = (all(wanted, sort), all(self, sort));
            wanted.is_empty() || wanted.len() == found.len() && wanted.iter().zip(&found).all(|(wanted, found)| fits(wanted, found))
        };
        let texts = [(&wanted.severity, &self.severity), (&wanted.code, &self.code), (&wanted.underlined, &self.underlined)];
        self.line == wanted.line
            && texts.iter().all(|(wanted, found)| fits(wanted, found))
            && fits(&wanted.message, &self.message)
            && ['!', '&', '?'].into_iter().all(fits_more)
    }

    fn shown(&self) -> String {
        let more: String = self.more.iter().map(|(sort, text)| format!(" //{sort} {text}")).collect();
        let at = self.line.map_or("outside".to_string(), |line| format!("line {}", line + 1));
        format!("    {at} //~ {} {} [{}] {}{more}", self.severity, self.code, self.underlined, self.message)
    }
}

/// Lines without their marks, joined, and the marks.
#[derive(Clone, Default)]
struct Text {
    text: String,
    marks: Vec<Mark>,
}

impl Text {
    fn add(&mut self, line: &str) {
        let line = repeated(line);
        let mut parts = line.split("//~");
        let code = parts.next().unwrap_or("").trim_end();
        let at = (!code.is_empty()).then(|| self.text.lines().count());
        self.marks.extend(parts.map(|part| Mark::read(at, part)));
        if at.is_some() {
            let lines = code.split('¶').filter(|line| !line.trim().is_empty());
            self.text.extend(lines.map(|line| format!("{line}\n")));
        }
    }

    /// The same with a line in the place of `…`.
    fn with(&self, line: &str) -> Text {
        let mut found = Text::default();
        for own in self.text.lines() {
            match own.split_once('…') {
                None => found.add(own),
                Some((before, behind)) => {
                    let line = repeated(line);
                    let (code, marks) = line.split_once("//~").unwrap_or((&line, ""));
                    let marks = if marks.is_empty() { String::new() } else { format!(" //~{marks}") };
                    found.add(&format!("{before}{}{behind}{marks}", code.trim()));
                }
            }
        }
        found.marks = [&self.marks[..], &found.marks[..]].concat();
        found
    }
}

/// A line in which `<<3:s#, >>` is written out.
fn repeated(line: &str) -> String {
    let Some((before, (count, (text, behind)))) = line.split_once("<<").and_then(|(before, rest)| {
        let (count, rest) = rest.split_once(':')?;
        Some((before, (count.parse::<usize>().ok()?, rest.split_once(">>")?)))
    }) else {
        return line.to_string();
    };
    let all: String = (1..=count).map(|at| text.replace('#', &at.to_string())).collect();
    repeated(&format!("{before}{all}{behind}"))
}

/// What is done with a text.
#[derive(Clone, Copy, Default, PartialEq)]
enum Way {
    #[default]
    Check,
    Options,
    Parse,
    Ask,
    Overlay,
    Lost,
    Kept,
    Same,
    Addresses,
}

#[derive(Clone, Default)]
struct Case {
    title: String,
    way: Way,
    /// The part of a card or scenario as which a text is parsed.
    part: String,
    alone: bool,
    players: Option<usize>,
    options: Vec<String>,
    deal: Vec<String>,
    rules: Text,
    cards: Text,
    each: Option<Vec<String>>,
    made: Vec<String>,
    becomes: Option<String>,
}

impl Case {
    /// The same with a choice of options and cards.
    fn chosen(&self, line: &str) -> Case {
        let (words, mark) = line.split_once("//~").unwrap_or((line, ""));
        let (deal, options): (Vec<&str>, Vec<&str>) = words.split_whitespace().partition(|word| word.starts_with("deal:"));
        let mut case = self.clone();
        case.options = options.into_iter().map(str::to_string).collect();
        case.deal = deal.into_iter().map(|card| card["deal:".len()..].to_string()).collect();
        case.rules.marks.extend((!mark.is_empty()).then(|| Mark::read(None, mark)));
        case
    }
}

fn read_case(title: &str, lines: &[&str], last: Option<&Case>) -> Case {
    let mut case = Case { title: title.to_string(), ..Case::default() };
    let mut section = "";
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        let Some(words) = line.strip_prefix('@') else {
            match section {
                "" => case.rules.add(line),
                "cards" => case.cards.add(line),
                "each" => case.each.get_or_insert_default().push(line.to_string()),
                "made" => case.made.push(line.trim().to_string()),
                _ => case.becomes.get_or_insert_default().push_str(&format!("{line}\n")),
            }
            continue;
        };
        let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
        match word {
            "cards" | "made" | "becomes" => section = word,
            "each" => {
                section = word;
                let last = last.filter(|_| case.way == Way::Check && case.rules.text.is_empty() && case.cards.text.is_empty());
                if let Some(last) = last {
                    case = Case { title: case.title, each: None, ..last.clone() };
                }
            }
            "players" => case.players = rest.parse().ok(),
            "options" => (case.way, section) = (Way::Options, "each"),
            "alone" => case.alone = true,
            "parse" => (case.way, case.part) = (Way::Parse, rest.to_string()),
            "ask" => (case.way, section) = (Way::Ask, "each"),
            "overlay" => case.way = Way::Overlay,
            "same" => (case.way, section) = (Way::Same, "each"),
            "lost" => (case.way, section) = (Way::Lost, "each"),
            "kept" => (case.way, section) = (Way::Kept, "each"),
            "addresses" => case.way = Way::Addresses,
            _ => panic!("`@{word}` is not known"),
        }
    }
    case
}

/// The diagnostics of a text, each at its line of the case.
fn told(sources: &Sources, found: &[Diagnostic], case: &Case, files: &[(FileId, usize)]) -> Vec<Mark> {
    let line = |span: Span| {
        let at = files.iter().position(|(file, _)| *file == span.file && !sources.text(*file).is_empty())?;
        let behind = sources.line_index(span.file, span.start as usize).checked_sub(files[at].1)?;
        Some(if at == 0 { behind } else { behind + case.rules.text.lines().count() })
    };
    found.iter().map(|one| Mark::told(one.span.and_then(line), sources, one)).collect()
}

/// What is wrong with the diagnostics that are told, beside those that are expected.
fn compared(case: &Case, mut found: Vec<Mark>) -> Result<(), String> {
    let rules = case.rules.text.lines().count();
    let of_cards = case.cards.marks.iter().map(|mark| Mark { line: mark.line.map(|line| line + rules), ..mark.clone() });
    let mut wanted: Vec<Mark> = case.rules.marks.iter().cloned().chain(of_cards).collect();
    found.sort_by_key(|mark| mark.line);
    wanted.sort_by_key(|mark| mark.line);
    if found.len() == wanted.len() && found.iter().zip(&wanted).all(|(found, wanted)| found.is(wanted)) {
        return Ok(());
    }
    let list = |marks: &[Mark]| marks.iter().map(Mark::shown).collect::<Vec<_>>().join("\n");
    Err(format!("  expected\n{}\n  told\n{}", list(&wanted), list(&found)))
}

/// Runs a case; what is wrong.
fn run(case: &Case) -> Result<(), String> {
    match case.way {
        Way::Check | Way::Options => checked(case),
        Way::Parse => parsed(case),
        Way::Addresses => addressed(case),
        Way::Ask | Way::Overlay | Way::Lost | Way::Kept | Way::Same => Err("it has no lines".to_string()),
    }
}

fn checked(case: &Case) -> Result<(), String> {
    let (game, cards) = if case.alone { ("", "") } else { (GAME, CARDS) };
    let (sources, text) = text_of("wall", &format!("{game}{}", case.rules.text), &format!("{cards}{}", case.cards.text));
    let mut found = Vec::new();
    let mut rules = None;
    match case.players {
        None if case.made.is_empty() => found.clone_from(&text.checked().diagnostics),
        players => match Setup::read(players.unwrap_or(2), &case.options, &case.deal) {
            Ok(setup) => rules = compile(&text, &Setup { every_piece: true, ..setup }, &mut found),
            Err(message) => found.push(Diagnostic::error("", None, message)),
        },
    }
    let files = [(FileId(0), game.lines().count()), (FileId(1), cards.lines().count())];
    compared(case, told(&sources, &found, case, &files))?;
    let facts = rules.map_or(BTreeSet::new(), |rules| facts(&rules));
    let holds = |line: &&String| line.strip_prefix("no ").map_or(facts.contains(*line), |fact| !facts.contains(fact));
    match case.made.iter().find(|line| !holds(line)) {
        None => Ok(()),
        Some(wrong) => Err(format!("  not so: {wrong}\n  {}", facts.into_iter().collect::<Vec<_>>().join("\n  "))),
    }
}

/// What can be said about a ruleset in words.
fn facts(rules: &Ruleset) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    facts.extend(rules.questions.iter().map(|question| format!("question {}", question.id)));
    for signature in &rules.signatures {
        let params: Vec<&str> = signature.params.iter().map(|param| param.1.words()).collect();
        let gives = signature.gives.map_or("nothing", |gives| gives.words());
        let of = if signature.of_table { ", the same for all" } else { "" };
        let cells = if let Called::Tally(_, cells) = signature.called { format!(", in {cells} cells") } else { String::new() };
        facts.insert(format!("{}({}) gives {gives}{of}{cells}", signature.name, params.join(", ")));
    }
    for (at, class) in rules.classes.iter().enumerate() {
        let shows: Vec<String> = class.shows.iter().map(u8::to_string).collect();
        facts.insert(format!("class {at} is {}, showing {}", rules.names.text(class.key), shows.join(" ")));
    }
    for token in &rules.tokens {
        let faces: Vec<String> = token.faces.iter().map(u8::to_string).collect();
        facts.insert(format!("faces of {} are of class {}", rules.names.text(token.name), faces.join(" ")));
    }
    for (at, definition) in rules.definitions.iter().enumerate() {
        let id = rules.names.text(definition.id);
        let pieces = rules.piece_definition.iter().zip(&rules.piece_copy).filter(|(of, _)| **of as usize == at);
        let copies: Vec<String> = pieces.map(|(_, copy)| copy.to_string()).collect();
        facts.insert(format!("copies of {id}: {}", copies.join(" ")));
        facts.insert(format!("{id} changes {} values", definition.changes.len()));
    }
    for place in &rules.places {
        let home = rules.piece_home.iter().filter(|&&home| home == place.first_instance).count();
        facts.insert(format!(
            "{} has room for {} and begins with {home}",
            place.name, rules.layout.places[place.first_instance as usize].room
        ));
    }
    for rivals in 0..2 {
        let ranks = rules.ranks.iter().filter(|rank| rank.rivals.len() == rivals).count();
        facts.insert(format!("ranks with {rivals} rivals: {ranks}"));
    }
    facts.insert(format!("{} cards in all", rules.piece_definition.len()));
    facts.extend(rules.names.all().map(|(_, word)| format!("word {word}")));
    facts
}

fn parsed(case: &Case) -> Result<(), String> {
    let (mut sources, mut found) = (Sources::new(), Vec::new());
    let text = if case.part.is_empty() { case.rules.text.as_str() } else { case.rules.text.trim_end() };
    let file = sources.add("text", text);
    match case.part.as_str() {
        "" => _ = parse_file(file, text, &mut found),
        "value" => _ = parse_expr(file, text, 0, &mut found),
        "costs" => _ = parse_costs(file, text, 0, &mut found),
        "question" => _ = parse_ask(file, text, 0, &mut found),
        "given" => _ = parse_given(file, text, 0, &mut found),
        "when" => _ = parse_when(file, text, 0, &mut found),
        "then" => _ = parse_then(file, text, 0, &mut found),
        other => panic!("`{other}` cannot be parsed"),
    }
    compared(case, told(&sources, &found, case, &[(file, 0)]))
}

fn addressed(case: &Case) -> Result<(), String> {
    let (mut sources, mut found) = (Sources::new(), Vec::new());
    let file = sources.add("text", case.rules.text.as_str());
    let mut rules = rules_of(parse_file(file, &case.rules.text, &mut found));
    let twice = clashes(&rules);
    found.extend(twice.into_iter().map(|(address, at, other)| Diagnostic::error("", at, address).also(other, "")));
    compared(case, told(&sources, &found, case, &[(file, 0)]))?;
    let addresses: Vec<String> = all_addresses(&mut rules).into_iter().map(|address| address.0).collect();
    let wanted: Vec<&str> = case.made.iter().flat_map(|line| line.split(' ')).collect();
    if case.made.is_empty() || wanted == addresses { Ok(()) } else { Err(format!("  its addresses are {}", addresses.join(" "))) }
}

/// Asks all lines of the game; what is wrong with each.
fn asked(case: &Case, lines: &[String]) -> Vec<(String, String)> {
    let (_, text) = text_of("wall", &format!("{GAME}{}", case.rules.text), &format!("{CARDS}{}", case.cards.text));
    let setup = Setup::read(case.players.unwrap_or(3), &case.options, &case.deal).unwrap();
    let mut told = Vec::new();
    let reader = open_reader(&text, &Setup { every_piece: true, ..setup }, &mut told);
    let mut reader = reader.unwrap_or_else(|| panic!("a game that is asked is sound: {}: {told:?}", case.rules.text));
    let mut wrong = Vec::new();
    for line in lines {
        let (asked, wanted) = line.split_once("//").unwrap_or((line, ""));
        let (asked, sort, wanted) = (asked.trim_end(), wanted.chars().next().unwrap_or(' '), wanted.get(1..).unwrap_or("").trim());
        let mut found = Vec::new();
        let parsed = parse_expr(FileId(9), asked, 0, &mut found);
        let said = match (sort, parsed) {
            (_, None) => found[0].message.clone(),
            ('=', Some(parsed)) => reader.constant_value(&parsed).map_or("?".to_string(), |value| value.to_string()),
            (_, Some(parsed)) => match reader.read(&parsed) {
                Ok((_, ty)) if sort == ':' => ty.words().to_string(),
                Ok(_) => String::new(),
                Err(found) => found.message,
            },
        };
        if said != wanted {
            wrong.push((line.clone(), format!("  it is {said}")));
        }
    }
    wrong
}

/// What is wrong with a file of cases, each with its place, and how many there are.
fn run_file(name: &str, text: &str, wrong: &mut Vec<String>) -> usize {
    let mut overlays = Overlays::new();
    let (mut count, mut last) = (0, None);
    for block in format!("\n{text}").split("\n=== ").skip(1) {
        let lines: Vec<&str> = block.lines().collect();
        let case = read_case(lines[0], &lines[1..], last.as_ref());
        let place = format!("{name}: {}", case.title);
        let mut note = |line: &str, found: String| wrong.push(format!("{place}: {line}\n{found}"));
        match (&case.each, case.way) {
            (None, Way::Overlay) => overlays.whole(&case).unwrap_or_else(|found| note("", found)),
            (None, _) => run(&case).unwrap_or_else(|found| note("", found)),
            (Some(lines), Way::Ask) => asked(&case, lines).into_iter().for_each(|(line, found)| note(&line, found)),
            (Some(lines), way) => {
                for line in lines {
                    let found = match way {
                        Way::Overlay => overlays.line(line),
                        Way::Lost | Way::Kept => overlays.later(line, way == Way::Lost),
                        Way::Same => overlays.same(line),
                        Way::Options => run(&case.chosen(line)),
                        _ => run(&Case { rules: case.rules.with(line), cards: case.cards.with(line), ..case.clone() }),
                    };
                    found.unwrap_or_else(|found| note(line, found));
                }
            }
        }
        count += case.each.as_ref().map_or(1, Vec::len);
        last = Some(case);
    }
    count
}

#[test]
fn what_is_said_about_rules_and_what_becomes_of_them() {
    let files = Sources::read_dir(&root().join("tests/checks"), "txt").unwrap();
    let found = std::thread::scope(|scope| {
        let run = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap().to_string();
            let (text, mut wrong) = (std::fs::read_to_string(path).unwrap(), Vec::new());
            (run_file(&name, &text, &mut wrong), wrong)
        };
        let started: Vec<_> = files.iter().map(|path| scope.spawn(move || run(path))).collect();
        started.into_iter().map(|one| one.join().unwrap()).collect::<Vec<_>>()
    });
    let wrong: Vec<String> = found.iter().flat_map(|found| found.1.clone()).collect();
    let count: usize = found.iter().map(|found| found.0).sum();
    assert!(wrong.is_empty(), "{} of {count} cases are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 500, "{count}");
}
