//! Scenario files as data. The lines of a scenario are parsed elsewhere.

use super::problem::ScenarioProblem;
use crate::diagnostic::{Diagnostic, has_errors};
use crate::pack::keys::Keys;
use crate::pack::schema::{SCENARIO_FILE_TABLE, SCENARIO_TABLE};
use crate::pack::{ChosenOptions, Spanned, Text, read_table, take_test};
use crate::source::{FileId, Span};

/// A parsed scenario file. The keys at its top apply to all of its scenarios.
#[derive(Clone, PartialEq, Debug)]
pub struct ScenarioFile {
    /// Name of the game.
    pub game: Text,
    /// Number of players.
    pub players: Option<i64>,
    /// Seed of the random number generator.
    pub seed: Option<i64>,
    /// Chosen options of the game.
    pub options: ChosenOptions,
    /// Folders of packs to load.
    pub packs: Vec<Text>,
    /// Variants and additional rules.
    pub with: Vec<Text>,
    /// The scenarios, in order of writing.
    pub scenarios: Vec<RawScenario>,
}

/// A scenario as written. Its keys override those at the top of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct RawScenario {
    /// Name of the scenario.
    pub name: Text,
    /// Lines that set up the position.
    pub given: Option<Text>,
    /// Lines with the moves to make.
    pub when: Option<Text>,
    /// Lines that must hold at the end. `None` only if the scenario is invalid, which has been reported, or has `refused`.
    pub then: Option<Text>,
    /// Part of the expected error message, for a game that must be refused. Excludes the three other parts.
    pub refused: Option<Text>,
    /// Number of players.
    pub players: Option<i64>,
    /// Seed of the random number generator.
    pub seed: Option<i64>,
    /// Chosen options of the game.
    pub options: ChosenOptions,
    /// Folders of packs, in addition to those of the file.
    pub packs: Vec<Text>,
    /// Variants and additional rules, in addition to those of the file.
    pub with: Vec<Text>,
    /// Packs with which the scenario is not expected to hold.
    pub without: Vec<Text>,
    /// Location of the scenario's header.
    pub span: Span,
    /// Whether parts of the scenario could not be parsed. A diagnostic has been reported.
    pub faulty: bool,
}

/// Parses a scenario file. Returns `None`, after a report, if it does not name its game.
pub fn parse_scenarios(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<ScenarioFile> {
    let table = read_table(file, text, diagnostics)?;
    let whole = Span { file, start: 0, end: 0 };
    let mut keys = Keys::new("a scenario file", whole, table, diagnostics);
    let game = keys.expect_text("game", "add `game = \"…\"` at the top");
    keys.expect("scenario", "write `[[scenario]]` and below it `name`, `given`, `when` and `then`");
    let tables = keys.take_tables("scenario", "scenario");
    let mut scenarios: Vec<RawScenario> = Vec::new();
    for (table, span) in tables {
        let mut found = scenario_of(table, span, keys.diagnostics());
        if let Some(first) = scenarios.iter().find(|other| other.name.text == found.name.text && !other.faulty && !found.faulty) {
            // Names must be unique: they identify a failed scenario, and one to play on from.
            let (name, first) = (found.name.text.clone(), first.name.span);
            keys.diagnostics().push(ScenarioProblem::ScenarioTwice { name, first }.at(found.name.span));
            found.faulty = true;
        }
        scenarios.push(found);
    }
    let found = (
        keys.take_integer("players"),
        keys.take_integer("seed"),
        ChosenOptions::take(&mut keys),
        keys.take_texts("packs"),
        keys.take_texts("with"),
    );
    keys.report_unknown_keys(&SCENARIO_FILE_TABLE.names());
    let (players, seed, options, packs, with) = found;
    Some(ScenarioFile { game: game?, players, seed, options, packs, with, scenarios })
}

fn scenario_of(table: Vec<(Text, Spanned)>, span: Span, diagnostics: &mut Vec<Diagnostic>) -> RawScenario {
    let before = diagnostics.len();
    let mut keys = Keys::new("`[[scenario]]`", span, table, diagnostics);
    keys.expect("name", "add `name = \"…\"` with what it shows");
    let (test, packs) = (take_test(&mut keys, span), keys.take_texts("packs"));
    let (with, without) = (keys.take_texts("with"), keys.take_texts("without"));
    keys.report_unknown_keys(&SCENARIO_TABLE.names());
    let faulty = has_errors(&diagnostics[before..]);
    RawScenario {
        name: test.name.unwrap_or(Text { text: String::new(), span }),
        given: test.given,
        when: test.when,
        then: test.then,
        refused: test.refused,
        players: test.players,
        seed: test.seed,
        options: test.options,
        packs,
        with,
        without,
        span,
        faulty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> (Sources, Option<ScenarioFile>, Vec<Diagnostic>) {
        let mut sources = Sources::new();
        let file = sources.add("wisp.toml", text);
        let mut diagnostics = Vec::new();
        let found = parse_scenarios(file, text, &mut diagnostics);
        (sources, found, diagnostics)
    }

    #[test]
    fn a_file_of_scenarios() {
        let (sources, found, diagnostics) = read(concat!(
            "game = \"wolf\"\nplayers = 3\noptions = { side = \"a\", set = [\"first\"] }\npacks = [\"wall\"]\nwith = \"storm\"\n",
            "[[scenario]]\nname = \"a tie\"\ngiven = \"\"\"\nround 2\np1.wisp = 3\n\"\"\"\nthen = \"p1.wisp == 3\"\nseed = 5\n",
            "[[scenario]]\nname = \"two\"\nthen = \"x\"\noptions.side = \"b\"\nwith = [\"calm\", \"change bonus by +1\"]\nwithout = \"wall\"\n",
        ));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let found = found.unwrap();
        assert_eq!((found.game.text.as_str(), found.players, found.seed), ("wolf", Some(3), None));
        assert_eq!(found.options.to_arguments(), ["set=first", "side=a"]);
        assert_eq!(found.packs[0].text, "wall");
        let [first, second] = found.scenarios.as_slice() else { panic!("two scenarios") };
        assert_eq!((first.name.text.as_str(), first.seed), ("a tie", Some(5)));
        let given = first.given.as_ref().unwrap();
        assert_eq!(given.text, "round 2\np1.wisp = 3\n");
        assert_eq!(sources.slice(given.span), given.text);
        assert_eq!(sources.line_column(given.part(8, 15)), (10, 1));
        assert_eq!((found.with[0].text.as_str(), first.with.len(), second.with[1].text.as_str()), ("storm", 0, "change bonus by +1"));
        assert_eq!(second.options.to_arguments(), ["side=b"]);
        assert_eq!((first.without.len(), second.without[0].text.as_str()), (0, "wall"));
    }

    #[test]
    fn faults_of_a_scenario_file() {
        let one = "[[scenario]]\nname = \"a\"\nthen = \"x\"";
        let table = [
            (one.to_owned(), "a scenario file has no `game`", ""),
            ("game = \"wolf\"".to_owned(), "a scenario file has no `scenario`", ""),
            ("game = \"wolf\"\n[[scenario]]\nname = \"a\"".to_owned(), "`[[scenario]]` has no `then`", "[[scenario]]"),
            (
                "game = \"wolf\"\n[[scenario]]\nname = \"a\"\nthen = \"\"\"\n# no\n\"\"\"".to_owned(),
                "`then` is empty, so nothing is tested",
                "# no\n",
            ),
            ("game = \"wolf\"\n[[scenario]]\nthen = \"x\"".to_owned(), "`[[scenario]]` has no `name`", "[[scenario]]"),
            (format!("game = \"wolf\"\n{one}\ngivn = \"\""), "`[[scenario]]` has no key `givn`", "givn"),
            (format!("game = \"wolf\"\nplayer = 3\n{one}"), "a scenario file has no key `player`", "player"),
            (format!("game = \"wolf\"\nplayers = \"3\"\n{one}"), "`players` must be a whole number", "\"3\""),
            (format!("game = \"wolf\"\n{one}\n{one}"), "two scenarios are called \"a\"", "a"),
            (format!("game = wolf\n{one}"), "a text must be in quotes, and a value must follow `=`", "wolf"),
        ];
        for (text, message, place) in table {
            let (sources, _, diagnostics) = read(&text);
            assert_eq!(diagnostics.len(), 1, "{text}: {diagnostics:?}");
            assert_eq!(diagnostics[0].message, message);
            assert_eq!(sources.slice(diagnostics[0].span.unwrap()), place);
        }
    }
}
