//! Runs scenarios and the tests that stand beside cards: a position is written, something is done, and what must hold is looked at.
//!
//! Tests with the same players and options share one compiled ruleset; lines are read into a copy of it that only grows, so
//! that compiled scripts stay valid.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::file::parse_scenarios;
use super::{given, report, then, when};
use crate::diagnostic::{Diagnostic, Severity};
use crate::engine::eval::Env;
use crate::engine::ruleset::{NodeId, Ruleset};
use crate::engine::{Fault, Game};
use crate::lang::ast::{Term, TermKind};
use crate::lang::compile::Compiler;
use crate::lang::parse::parse_line;
use crate::lang::{GameText, Setup, Type, load};
use crate::pack::{CardTest, Spanned, Text, Value};
use crate::script::ScriptHost;
use crate::source::{FileId, Sources, Span};

/// How many play where nothing is said.
const USUAL_PLAYERS: i64 = 3;
/// The seed where nothing is said.
const USUAL_SEED: i64 = 1;

/// One test that was run.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// Whether everything holds.
    pub passed: bool,
    /// What does not, with the places and what happened; empty if it passed.
    pub message: String,
    /// How long it took.
    pub seconds: f64,
}

/// All tests of a file, or of the cards of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    /// The file.
    pub name: String,
    /// Its tests in the order of writing.
    pub cases: Vec<Case>,
    /// What is wrong with the files themselves.
    pub diagnostics: Vec<Diagnostic>,
}

/// Runs the scenarios of a file. `packs` are added to those that it names.
pub fn run_file(sources: &mut Sources, root: Option<&Path>, file: FileId, packs: &[PathBuf]) -> FileReport {
    let mut report = FileReport { name: sources.name(file).to_string(), cases: Vec::new(), diagnostics: Vec::new() };
    let text = sources.text(file).to_string();
    let Some(found) = parse_scenarios(file, &text, &mut report.diagnostics) else { return report };
    let beside = Path::new(&report.name).parent().map(Path::to_path_buf).unwrap_or_default();
    let mut all: Vec<PathBuf> = found.packs.iter().map(|pack| near(&beside, &pack.text)).collect();
    all.extend(packs.iter().cloned());
    let Some(game) = load(sources, root, &found.game.text, &all, &[], &mut report.diagnostics) else { return report };
    let tests = found.scenarios.iter().map(|scenario| {
        let mut options = plain_options(&found.options);
        for (name, values) in plain_options(&scenario.options) {
            options.retain(|option| option.0 != name);
            options.push((name, values));
        }
        Test {
            name: scenario.name.text.clone(),
            given: scenario.given.as_ref(),
            when: scenario.when.as_ref(),
            then: scenario.then.as_ref(),
            players: scenario.players.or(found.players),
            seed: scenario.seed.or(found.seed).unwrap_or(USUAL_SEED),
            options,
            span: scenario.span,
        }
    });
    let tests: Vec<Test<'_>> = tests.collect();
    run_tests(sources, &game, &tests, &mut report);
    report
}

/// Runs every test that stands beside a card or a kind of a game and of the packs.
pub fn run_card_tests(sources: &mut Sources, root: Option<&Path>, game: &str, packs: &[PathBuf]) -> FileReport {
    let mut report = FileReport { name: format!("cards of {game}"), cases: Vec::new(), diagnostics: Vec::new() };
    let Some(text) = load(sources, root, game, packs, &[], &mut report.diagnostics) else { return report };
    if packs.is_empty() {
        let tests = tests_of_cards(&text, |_| true);
        run_tests(sources, &text, &tests, &mut report);
        return report;
    }
    // A pack may change what a card of the game itself meets, so that its test says nothing about it: those run by themselves.
    let Some(by_itself) = load(sources, root, game, &[], &[], &mut Vec::new()) else { return report };
    let of_game = |id: &str| {
        let content = &by_itself.content;
        content.kinds.iter().any(|kind| kind.id.text == id) || content.cards.iter().any(|card| card.id.text == id)
    };
    run_tests(sources, &by_itself, &tests_of_cards(&by_itself, |_| true), &mut report);
    run_tests(sources, &text, &tests_of_cards(&text, |id| !of_game(id)), &mut report);
    report
}

fn tests_of_cards<'t>(text: &'t GameText, wanted: impl Fn(&str) -> bool) -> Vec<Test<'t>> {
    let kinds = text.content.kinds.iter().map(|kind| (&kind.id.text, &kind.tests));
    let cards = text.content.cards.iter().map(|card| (&card.id.text, &card.tests));
    let wanted = kinds.chain(cards).filter(|(owner, _)| wanted(owner));
    wanted.flat_map(|(owner, beside)| beside.iter().enumerate().map(|(i, test)| of_card(owner, i, beside.len(), test))).collect()
}

fn of_card<'t>(owner: &str, index: usize, count: usize, test: &'t CardTest) -> Test<'t> {
    let name = match &test.name {
        Some(name) => format!("{owner}: {}", name.text),
        None if count > 1 => format!("{owner} #{}", index + 1),
        None => owner.to_string(),
    };
    Test {
        name,
        given: test.given.as_ref(),
        when: test.when.as_ref(),
        then: test.then.as_ref(),
        players: test.players,
        seed: test.seed.unwrap_or(USUAL_SEED),
        options: plain_options(&test.options),
        span: test.span,
    }
}

/// A pack's folder: beside the file that names it, or from where one is.
fn near(beside: &Path, pack: &str) -> PathBuf {
    let path = beside.join(pack);
    if path.is_dir() { path } else { PathBuf::from(pack) }
}

fn plain_options(options: &[(Text, Spanned)]) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = options.iter().map(|(name, value)| (name.text.clone(), words_of(&value.value))).collect();
    found.sort();
    found
}

fn words_of(value: &Value) -> Vec<String> {
    match value {
        Value::Text(text) => vec![text.text.clone()],
        Value::Integer(number) => vec![number.to_string()],
        Value::Boolean(value) => vec![if *value { "yes" } else { "no" }.to_string()],
        Value::List(list) => list.iter().flat_map(|value| words_of(&value.value)).collect(),
        Value::Table(_) => Vec::new(),
    }
}

// ------------------------------------------------------------------ tests

/// A scenario or the test of a card.
struct Test<'t> {
    name: String,
    given: Option<&'t Text>,
    when: Option<&'t Text>,
    then: Option<&'t Text>,
    players: Option<i64>,
    seed: i64,
    options: Vec<(String, Vec<String>)>,
    span: Span,
}

/// Runs tests, those with the same setup one after another; the cases stand in the order of the tests.
fn run_tests(sources: &Sources, text: &GameText, tests: &[Test<'_>], report: &mut FileReport) {
    let (fewest, most) = text.players();
    let setups: Vec<Setup> = tests
        .iter()
        .map(|test| Setup {
            players: test.players.unwrap_or(USUAL_PLAYERS.clamp(fewest as i64, most.max(fewest) as i64)).clamp(0, 1000) as usize,
            options: test.options.clone(),
            every_piece: true,
            ..Setup::default()
        })
        .collect();
    let mut cases: Vec<Option<Case>> = vec![None; tests.len()];
    for first in 0..tests.len() {
        if cases[first].is_some() {
            continue;
        }
        let same: Vec<usize> = (first..tests.len()).filter(|&i| setups[i] == setups[first]).collect();
        let players = setups[first].players;
        if players < fewest || players > most {
            for i in same {
                let wrong = Diagnostic::error("G004", tests[i].span, format!("this game is for {fewest} to {most} players, not {players}"));
                cases[i] = Some(case(&tests[i].name, report::message(sources, &[wrong], &[]), 0.0));
            }
            continue;
        }
        let mut diagnostics = Vec::new();
        let mut broken = None;
        if let Some(mut compiler) = Compiler::reopen(text, &setups[first], &mut diagnostics) {
            let rules = Arc::new(compiler.rules().clone());
            match ScriptHost::new(&rules) {
                Ok(mut host) => {
                    for &i in &same {
                        let begun = Instant::now();
                        let mut trial =
                            Trial { compiler: &mut compiler, rules: Arc::clone(&rules), host: &mut host, game: Game::default() };
                        let (wrong, log) = trial.run(&tests[i]);
                        let message = report::message(sources, &wrong, &log);
                        cases[i] = Some(case(&tests[i].name, message, begun.elapsed().as_secs_f64()));
                    }
                }
                Err(wrong) => broken = Some(wrong),
            }
        }
        diagnostics.extend(broken.into_iter().flatten());
        let errors: Vec<Diagnostic> = diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
        for i in same {
            cases[i].get_or_insert_with(|| case(&tests[i].name, report::message(sources, &errors, &[]), 0.0));
        }
        // What is wrong with a file is told of once, however many setups there are.
        for diagnostic in diagnostics {
            if diagnostic.span.is_some() && !report.diagnostics.contains(&diagnostic) {
                report.diagnostics.push(diagnostic);
            }
        }
    }
    report.cases.extend(cases.into_iter().flatten());
}

fn case(name: &str, message: String, seconds: f64) -> Case {
    Case { name: name.to_string(), passed: message.is_empty(), message, seconds }
}

/// One run of one test.
pub(super) struct Trial<'t, 'c> {
    /// Reads lines.
    pub compiler: &'t mut Compiler<'c>,
    /// What the game runs on.
    pub rules: Arc<Ruleset>,
    /// Runs its scripts.
    pub host: &'t mut ScriptHost,
    /// The game.
    pub game: Game,
}

/// What is wrong with a line.
pub(super) type Wrong = Box<Diagnostic>;

impl Trial<'_, '_> {
    fn run(&mut self, test: &Test<'_>) -> (Vec<Diagnostic>, Vec<String>) {
        self.game = Game::new(&self.rules, test.seed as u64);
        let mut wrong = Vec::new();
        let result = given::write(self, test.given, test.span);
        let mut claims = match result {
            Ok(()) => then::read(self, test.then, &mut wrong),
            Err(found) => {
                wrong.push(*found);
                return (wrong, Vec::new());
            }
        };
        if !wrong.is_empty() {
            return (wrong, Vec::new());
        }
        then::remember(self, &mut claims);
        self.game.keep_log();
        self.game.keep_taken();
        match when::act(self, test.when) {
            Ok(()) => then::judge(self, &claims, &mut wrong),
            Err(found) => wrong.push(*found),
        }
        if test.then.is_none() {
            wrong.push(Diagnostic::error("G130", test.span, "there is no `then`, so nothing is tested"));
        }
        (wrong, self.game.log().to_vec())
    }

    /// Reads a line as an expression in which cards and seats can be named.
    pub fn read(&mut self, line: Line<'_>) -> Result<(NodeId, Type), Wrong> {
        let mut wrong = Vec::new();
        let statement = parse_line(line.whole.span.file, line.text, line.span().start, &mut wrong);
        let result = match (wrong.into_iter().find(|found| found.severity == Severity::Error), statement) {
            (Some(found), _) => Err(Box::new(found)),
            (None, Some(statement)) => match self.stranger(&statement.terms) {
                Some((seat, span)) => Err(self.no_player(seat, span)),
                None => self.compiler.read(&statement.terms, statement.span),
            },
            (None, None) => Err(line.wrong("expected an expression, found nothing")),
        };
        result.map_err(|mut found| {
            if line.is_escaped() {
                found.span = Some(line.span());
            }
            found
        })
    }

    /// A player who is named but does not play.
    fn stranger(&self, terms: &[Term]) -> Option<(usize, Span)> {
        let named = |word: &str| seat_number(word).or(seat_prefix(word).map(|(seat, _)| seat)).filter(|&seat| seat >= self.rules.players);
        terms.iter().find_map(|term| match &term.kind {
            TermKind::Word(word) => named(word).map(|seat| (seat, term.span)),
            TermKind::Call { name, args } => {
                named(name).map(|seat| (seat, term.span)).or_else(|| args.iter().find_map(|arg| self.stranger(arg)))
            }
            TermKind::Item { name, index } => named(name).map(|seat| (seat, term.span)).or_else(|| self.stranger(index)),
            TermKind::Group(terms) => self.stranger(terms),
            _ => None,
        })
    }

    fn no_player(&self, seat: usize, span: Span) -> Wrong {
        let message = format!("there is no player {}; there are {}", seat + 1, self.rules.players);
        Box::new(Diagnostic::error("G101", span, message).label("not in this game"))
    }

    /// The value of an expression for a seat, as the game stands.
    pub fn value(&mut self, node: NodeId, me: usize) -> i64 {
        self.game.eval(self.compiler.rules(), node, &mut Env::of(me))
    }

    /// The seat that a word such as `p2` names.
    pub fn seat(&self, word: Line<'_>) -> Result<usize, Wrong> {
        match seat_number(word.text) {
            Some(seat) if seat < self.rules.players => Ok(seat),
            Some(seat) => Err(self.no_player(seat, word.span())),
            None => Err(word.wrong(format!("expected a player such as `p1`, found `{}`", word.text))),
        }
    }
}

/// A fault of the game, at the line that brought it about.
pub(super) fn faulted(fault: &Fault, span: Span) -> Wrong {
    let found = Diagnostic::error("G140", span, fault.to_string()).label("this line brings it about");
    Box::new(match fault.span {
        Some(place) => found.also(place, "here"),
        None => found,
    })
}

// ------------------------------------------------------------------ lines

/// A line of a scenario, or a part of one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    /// What it says.
    pub text: &'t str,
    whole: &'t Text,
    at: usize,
}

impl<'t> Line<'t> {
    /// Where it stands.
    pub fn span(&self) -> Span {
        self.whole.part(self.at, self.at + self.text.len())
    }

    /// Whether its places cannot be told from each other, since something in its text is escaped.
    fn is_escaped(&self) -> bool {
        (self.whole.span.end - self.whole.span.start) as usize != self.whole.text.len()
    }

    /// A part of it, without blanks around it.
    pub fn slice(&self, start: usize, end: usize) -> Line<'t> {
        let part = self.text.get(start..end).unwrap_or("");
        let blanks = part.len() - part.trim_start().len();
        Line { text: part.trim(), whole: self.whole, at: self.at + start + blanks }
    }

    /// What stands before and after a byte that is left out.
    pub fn split_at(&self, at: usize, length: usize) -> (Line<'t>, Line<'t>) {
        (self.slice(0, at), self.slice(at + length, self.text.len()))
    }

    /// What blanks part.
    pub fn words(&self) -> Vec<Line<'t>> {
        let mut words = Vec::new();
        let mut start = None;
        for (at, character) in self.text.char_indices().chain([(self.text.len(), ' ')]) {
            match (character.is_whitespace(), start) {
                (false, None) => start = Some(at),
                (true, Some(from)) => {
                    words.push(self.slice(from, at));
                    start = None;
                }
                _ => {}
            }
        }
        words
    }

    /// What stands around the last of these words that is not in quotes.
    pub fn around(&self, word: &str) -> Option<(Line<'t>, Line<'t>)> {
        let found = self.words().into_iter().rev().find(|found| {
            let before = &self.text[..found.at - self.at];
            found.text == word && before.matches('"').count() % 2 == 0
        })?;
        Some(self.split_at(found.at - self.at, word.len()))
    }

    /// Something is wrong with it.
    pub fn wrong(&self, message: impl Into<String>) -> Wrong {
        Box::new(Diagnostic::error("G110", self.span(), message).label("here"))
    }
}

/// The lines of a text: line breaks and `;` part them, `#` begins a comment unless a number follows it.
pub(super) fn lines_of(text: &Text) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let all = Line { text: &text.text, whole: text, at: 0 };
    let bytes = text.text.as_bytes();
    let (mut start, mut quoted, mut comment) = (0, false, None);
    for at in 0..=bytes.len() {
        match bytes.get(at) {
            None | Some(b'\n') => {
                lines.push(all.slice(start, comment.unwrap_or(at)));
                (start, quoted, comment) = (at + 1, false, None);
            }
            _ if comment.is_some() => {}
            Some(b'"') => quoted = !quoted,
            Some(b';') if !quoted => {
                lines.push(all.slice(start, at));
                start = at + 1;
            }
            Some(b'#') if !quoted => {
                let apart = at == start || bytes[at - 1].is_ascii_whitespace();
                let number = bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
                if apart && !number {
                    comment = Some(at);
                }
            }
            Some(_) => {}
        }
    }
    lines.retain(|line| !line.text.is_empty());
    lines
}

/// `p2` is seat 1.
pub(super) fn seat_number(word: &str) -> Option<usize> {
    let digits = word.strip_prefix('p')?;
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<usize>().ok()?.checked_sub(1)
}

/// `p2.wisp` is seat 1 and the rest.
pub(super) fn seat_prefix(word: &str) -> Option<(usize, &str)> {
    let (head, rest) = word.split_once('.')?;
    Some((seat_number(head)?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::render::render;
    use std::fs;

    const RULES: &str = r#"
game wisps "Wisps"
players 2 to 4
option moon = new | full, default new, for each player
define age = (round + 1) / 2
table {
  deck pile by age of beast
  deck fogs by age of fog
  grid yard 2 by 2
  place cloud
  counter dew
  each round { counter rain }
}
player {
  resource wisp, dust
  counter idle
  place den of beast: 2, room 3
  each round { flag gone; counter gone_rank; tally met by kind }
}
card { counter moss }
kind beast { slot den; tall: number = 0 }
kind fog   { slot cloud; wet: number = 0 }
zone play = den
hearing play, cloud
stat howl = sum card.tall * card.moss of my den, at most 9
rank most  x = top 1 by x, ties at the edge out
condition loudest = most howl
condition "quite loud" = howl > 4
when card leaves den { idle += card.moss; card.moss = 0 }
effect find_two { repeat 2 { player chooses { "wisp" if dust > 0 { gain 1 wisp } "dust" { gain 1 dust } } } }
setup { order at random; fill yard from pile[1]; all players { gain 3 dust; idle = 4 } }
rounds 4 of dawn, day, dusk
phase dawn {
  step yard unless first round { remove cards in yard row 1; fill yard from pile[age] }
  step dew { dew = 2 + cloud.wet }
}
phase day {
  turns in order until all have gone
  action take card in yard {
    needs tall: card.tall < 3 + dew "too tall to catch"
    cost row of card dust
    does { met[card.kind] += 1; place card in its slot }
  }
  action seek { does { do find_two } }
  action leave { does { gone = yes; gone_rank = count players where gone; moment seen } }
}
phase dusk {
  step dark { each player chooses { "sleep" { gain 1 wisp } "watch" { gain 1 dust } } }
  step count when cloud is there { all players where loudest { gain dew wisp } }
}
always { check room { remove cards in play beyond the room of their place } }
score { "wisps" = wisp; "dust" = dust / 2 }
wins highest score, then order
"#;

    const CARDS: &str = r#"
[[card]]
id = "wolf"
name = "Wolf"
kind = "beast"
age = 1
tall = 2

[[card]]
id = "owl"
name = "Owl"
kind = "beast"
age = 1
tall = 1

[[card]]
id = "hare"
name = "Hare"
kind = "beast"
age = 1

[[card]]
id = "toad"
name = "Toad"
kind = "beast"
age = 1

[[card]]
id = "newt"
name = "Newt"
kind = "beast"
age = 1

[[card]]
id = "bear"
name = "Bear"
kind = "beast"
age = 2
tall = 9

[[card]]
id = "drizzle"
name = "Drizzle"
kind = "fog"
age = 1
wet = 2
[[card.on]]
when = "seen"
do = "gain(me, wisp, 1)"
[[card.test]]
given = "cloud drizzle"
then = "dew == 2; drizzle in cloud"
"#;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [("rules/wisps.rules", RULES), ("cards/wisps/all.toml", CARDS)] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn run_all(scenarios: &[(&str, &str, &str)]) -> Vec<Case> {
        let folder = folder();
        let mut text = "game = \"wisps\"\nplayers = 3\n".to_string();
        for (given, when, then) in scenarios {
            let (given, when, then) = (given.replace("; ", "\n"), when.replace("; ", "\n"), then.replace("; ", "\n"));
            text += &format!("[[scenario]]\nname = \"x\"\ngiven = '''\n{given}\n'''\nwhen = '''\n{when}\n'''\nthen = '''\n{then}\n'''\n");
        }
        let mut sources = Sources::new();
        let file = sources.add("tests.toml", text);
        let report = run_file(&mut sources, Some(folder.path()), file, &[]);
        assert!(report.diagnostics.is_empty(), "{}", render(&sources, &report.diagnostics, false));
        report.cases
    }

    #[test]
    fn what_holds_passes() {
        let table = [
            ("", "", "p1.dust == 3; dew == 2; round == 1; p1.place_in_order == 1; p3.place_in_order == 3"),
            ("p1.wisp = 4; p2.wisp = p1.wisp + 1; dew = 7; p3 gone", "", "p2.wisp == 5; dew == 7; p3.gone_rank == 1; p3.gone"),
            ("p2.moon = full; p1.met[beast] = 2", "", "p2.moon is full; p1.moon is new; p1.met[beast] == 2"),
            // A difference is worked out in the end.
            (
                "p1.howl = 5; put wolf in p1.den with 3 moss",
                "",
                "p1.howl == 5; p1.idle == 1; loudest is p1; quite loud is p1; p2.idle == 4",
            ),
            ("p1.howl = 5; p2.howl = 5", "", "loudest is nobody; quite loud is p1, p2"),
            ("put wolf in p1.den with 6 moss; wolf.moss = 2; p2 has owl; p2.owl.moss = 1", "", "p1.idle == 0; p1.howl == 4; p2.howl == 1"),
            (
                "put owl in yard row 2 column 2; put hare in yard row 2 column 2",
                "",
                "hare in yard; not owl in yard; row of hare == 2; column of hare == 2",
            ),
            ("empty yard; put wolf in yard row 2 column 1", "p1: take wolf", "p1.dust lost 2; wolf in p1.den; p1.met[beast] == 1"),
            ("round 3", "", "round == 3; bear in yard; not wolf in yard"),
            ("order p2 p3", "p2: leave; p3: leave; p1: leave", "p2.gone_rank == 1; p1.gone_rank == 3"),
            // Beyond the limit the first one makes room.
            ("p1 has wolf; p1 has owl; p1 has hare", "", "owl in p1.den; hare in p1.den; not wolf in p1.den"),
            ("p1 has wolf", "others pass; p1: seek; p1: choose wisp; p1: choose dust; p1: leave", "p1.wisp gained 1; p1.dust gained 1"),
            ("", "p1: seek; p1: choose dust, choose wisp; p2: seek; p2: choose wisp x2", "p1.dust gained 1; p2.wisp gained 2"),
            ("cloud drizzle; p2 gone", "p1: leave", "p1.wisp gained 1; p2.wisp == 0; p1.gone_rank == 2"),
            // What is taken unasked may be written.
            ("p1.dust = 0", "p1: seek; p1: choose dust; p1: choose wisp", "p1.wisp == 1; p1.dust gained 1"),
            (
                "",
                "run dark; p1: choose sleep; p2: choose watch; p3: choose sleep; p1: leave",
                "p1.wisp gained 1; p2.dust gained 1; p1.gone",
            ),
            (
                "p1.howl = 1; cloud drizzle",
                "run dusk.dark; any answer; run count",
                "p1.wisp gained 3; p2.wisp gained 1; log has \"p1 gains 2 wisp\"",
            ),
            ("p1.howl = 1", "run count", "p1.wisp gained 0; p2.wisp lost 0 # nothing lies there"),
            (
                "put bear in yard row 1 column 1; p1.dust = 0",
                "",
                "p1 cannot take bear because \"too tall\"; p1 cannot take bear because dust < 1; p1 can seek",
            ),
            ("put bear in yard row 1 column 1", "", "p2 cannot take bear because dew < 5; p1 cannot take drizzle"),
            ("", "run dark; run to next decision; any answer", "p1.wisp gained 1"),
        ];
        for (case, scenario) in run_all(&table).iter().zip(&table) {
            assert!(case.passed, "{scenario:?}\n{}", case.message);
        }
    }

    #[test]
    fn what_does_not_hold_says_why() {
        let table = [
            ("", "", "p1.dust == 4", "3 == 4 is not so"),
            ("", "p1: seek; p1: choose wisp, choose wisp", "p1.wisp gained 1", "gained 2: it was 0 and is 2"),
            ("", "p1: seek; p1: choose wisp, choose wisp", "p1.wisp gained 1", "p1 gains 1 wisp"),
            ("p1.howl = 1", "", "loudest is p2", "it is p1"),
            ("p1.howl = 1", "", "loudest is nobody", "it is p1"),
            ("p1 has wolf", "", "wolf in p2.den", "it is in p1.den"),
            ("", "p2: seek", "yes", "p1 is asked, not p2"),
            ("put bear in yard row 1 column 1", "p1: take bear", "yes", "tall: too tall to catch"),
            ("", "p1: tak bear", "yes", "the answers are: "),
            ("", "p1: seek", "yes", "a question is left that no line answers"),
            ("", "p1: seek; p1: choose fog", "yes", "choose wisp, choose dust"),
            ("", "run dark; run count", "yes", "a question is still open before this"),
            ("", "run dsk", "yes", "did you mean `dusk`?"),
            ("", "p1 seek", "yes", "this says nothing that can be done"),
            ("", "", "p1 cannot seek", "nothing is against it"),
            ("put bear in yard row 1 column 1", "", "p1 can take bear", "it is refused"),
            ("put bear in yard row 1 column 1", "", "p1 cannot take bear because \"far\"", "it is refused for another reason"),
            ("put bear in yard row 1 column 1", "", "p1 cannot take bear because dew < 2", "the condition is not so"),
            ("put bear in yard row 1 column 1", "", "p1 cannot take bear because wisp < 2", "what refuses it is about something else"),
            ("", "", "p1 cannot tke bear", "did you mean `take`?"),
            ("", "", "log has \"fog\"", "no line of the log has these words"),
            ("", "", "p1.wsp == 1", "did you mean `wisp`?"),
            ("", "", "p7.met[beast] == 1", "there is no player 7; there are 3"),
            ("", "", "not wolf in p7.den", "there is no player 7; there are 3"),
            ("", "", "p1.dust + 1", "expected a condition, found a number"),
            ("p1.howl = 12", "", "yes", "p1's howl cannot be made to read 12"),
            ("p1.dust = -1", "", "yes", "a resource may not become negative"),
            ("p1.score = 1", "", "yes", "cannot be written"),
            ("dust = 1", "", "yes", "write `p1.dust`"),
            ("p7.met[beast] = 1", "", "yes", "there is no player 7"),
            ("p1.moon = red", "", "yes", "red"),
            ("p1 gon", "", "yes", "did you mean `gone`?"),
            ("put wolv in yard", "", "yes", "did you mean `wolf`?"),
            ("put wolf in yrd", "", "yes", "did you mean `yard`?"),
            ("put wolf in den", "", "yes", "write `p1.den`"),
            ("put wolf in cloud", "", "yes", "none goes into `cloud`"),
            ("put wolf in yard row 3 column 1", "", "yes", "has no such row and column"),
            ("put wolf in p1.den with 2 mos", "", "yes", "did you mean `moss`?"),
            ("put wolf", "", "yes", "write `put CARD in PLACE`"),
            ("round 0", "", "yes", "expected the number of a round"),
            ("round 9", "", "yes", "there is no deck"),
            ("order p1 p1", "", "yes", "stands there twice"),
            ("fog fog fog", "", "yes", "this says nothing about a position"),
        ];
        let plain: Vec<_> = table.iter().map(|t| (t.0, t.1, t.2)).collect();
        for (case, scenario) in run_all(&plain).iter().zip(&table) {
            assert!(!case.passed && case.message.contains(scenario.3), "{scenario:?}\n{}", case.message);
        }
    }

    #[test]
    fn nothing_that_is_written_panics() {
        let parts = [
            "p1",
            "p0",
            "p9.wisp",
            "=",
            "put",
            "in",
            "yard",
            "\"",
            ";",
            "with",
            "-",
            "row",
            ":",
            "é",
            "run",
            "x99",
            ",",
            "(",
            "[",
            "lost",
            "is",
            "because",
            "cannot",
            "99999999999999999999",
        ];
        let mut table = Vec::new();
        for (i, a) in parts.iter().enumerate() {
            for (j, b) in parts.iter().enumerate() {
                table.push(format!("{a} {b} {} {}", parts[(i * 7 + j) % parts.len()], parts[(i + j * 5) % parts.len()]));
            }
        }
        let scenarios: Vec<_> =
            table.iter().flat_map(|line| [(line.as_str(), "", "yes"), ("", line.as_str(), "yes"), ("", "", line.as_str())]).collect();
        assert_eq!(run_all(&scenarios).len(), scenarios.len());
    }

    #[test]
    fn tests_beside_cards_and_wrong_setups() {
        let folder = folder();
        let mut sources = Sources::new();
        let report = run_card_tests(&mut sources, Some(folder.path()), "wisps", &[]);
        assert!(report.cases.len() == 1 && report.cases[0].passed, "{report:?}");
        assert_eq!(report.cases[0].name, "drizzle");
        let text = "game = \"wisps\"\n[[scenario]]\nname = \"a\"\nplayers = 9\nthen = \"yes\"\n[[scenario]]\nname = \"b\"\noptions = { mon = \"x\" }\nthen = \"yes\"\n[[scenario]]\nname = \"c\"\noptions = { moon = \"Full\" }\nthen = \"p3.moon is full\"\n";
        let file = sources.add("tests.toml", text);
        let report = run_file(&mut sources, Some(folder.path()), file, &[]);
        assert!(report.cases[0].message.contains("this game is for 2 to 4 players, not 9"), "{report:?}");
        assert!(report.cases[1].message.contains("did you mean `moon`?"), "{report:?}");
        assert!(report.cases[2].passed, "{report:?}");
    }
}
