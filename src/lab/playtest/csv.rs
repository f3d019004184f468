//! Writes single games as a CSV table while they are played.

use crate::cast;
use std::io::{self, Write};

use super::measure::PlayedGame;
use super::run::RunPlan;

/// A writer with one line for each seat of each game.
pub struct GamesCsv<W: Write> {
    writer: csv::Writer<W>,
    agents: Vec<String>,
}

/// Columns of the table in front of those for rows of the score.
const LEADING_COLUMNS: [&str; 8] = ["game", "seed", "seat", "agent", "rank", "points", "rounds", "decisions"];

/// Returns the names of all columns. A row of the score that has the name of another column becomes `NAME (score)`.
pub(super) fn columns(plan: &RunPlan<'_>) -> Vec<String> {
    let mut columns: Vec<String> = LEADING_COLUMNS.iter().map(ToString::to_string).collect();
    for (name, _) in &plan.rules.score {
        let mut column = name.clone();
        while columns.contains(&column) {
            column.push_str(" (score)");
        }
        columns.push(column);
    }
    columns
}

/// A line of the table: one seat of a game.
pub(super) struct GameLine<'a> {
    /// Number of the game, seed of the game, and number of the seat, from 1.
    pub numbers: [u64; 3],
    /// Rank, points, rounds and decisions.
    pub figures: [i64; 4],
    /// Points of the rows of the score.
    pub rows: &'a [i64],
}

/// Returns the lines of a game.
pub(super) fn lines_of_game(number: u64, game: &PlayedGame) -> impl Iterator<Item = GameLine<'_>> {
    game.rows.iter().enumerate().map(move |(seat, rows)| {
        let rank = game.places.get(seat).map_or(0, |place| cast::count(*place));
        let figures = [rank, game.points(seat), cast::fit::<i64>(game.rounds), cast::fit::<i64>(game.decisions)];
        GameLine { numbers: [number, game.seed, seat as u64 + 1], figures, rows }
    })
}

impl<W: Write> GamesCsv<W> {
    /// Creates a table and writes its header.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(plan: &RunPlan<'_>, writer: W) -> io::Result<GamesCsv<W>> {
        let agents = plan.agents.iter().map(|agent| no_formula(&agent.to_string())).collect();
        let mut table = GamesCsv { writer: csv::WriterBuilder::new().has_headers(false).from_writer(writer), agents };
        table.writer.write_record(columns(plan).iter().map(|name| no_formula(name))).map_err(io_error)?;
        Ok(table)
    }

    /// Writes the lines of a game.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn game(&mut self, number: u64, game: &PlayedGame) -> io::Result<()> {
        for (line, agent) in lines_of_game(number, game).zip(&self.agents) {
            self.writer.serialize((line.numbers, agent, line.figures, line.rows)).map_err(io_error)?;
        }
        Ok(())
    }

    /// Finishes the table.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn finish(mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Returns the error of the operating system, as which alone a table cannot be written.
fn io_error(fault: csv::Error) -> io::Error {
    match fault.into_kind() {
        csv::ErrorKind::Io(fault) => fault,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

/// Returns a text of the rules so that a program for spreadsheets, which takes what begins like a formula for one, shows it as text.
fn no_formula(text: &str) -> String {
    let quote = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    format!("{quote}{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::playtest::RecordOptions;
    use crate::playtest::toy::toy;

    #[test]
    fn no_column_is_called_like_another() {
        let mut rules = toy(2);
        rules.score[0].0 = "points".to_string();
        rules.score[1].0 = "a, \"b\"".to_string();
        let agents = parse_agents("greedy", 2).unwrap();
        let plan = RunPlan { rules: &rules, agents: &agents, games: 1, seed: 1, threads: 1, notes: RecordOptions::default() };
        let mut written = Vec::new();
        let mut table = GamesCsv::new(&plan, &mut written).unwrap();
        let mut game = PlayedGame::new(7, RecordOptions::default());
        (game.rows, game.places, game.rounds, game.decisions) = (vec![vec![1, 2], vec![3, 4]], vec![2, 1], 3, 5);
        table.game(9, &game).unwrap();
        table.finish().unwrap();
        let formula = "=cmd|'/c calc'!A1";
        assert_eq!([no_formula(formula), no_formula("a = b")], [format!("'{formula}"), "a = b".to_string()]);
        let lines: Vec<&str> = std::str::from_utf8(&written).unwrap().lines().collect();
        assert_eq!(
            lines,
            [
                "game,seed,seat,agent,rank,points,rounds,decisions,points (score),\"a, \"\"b\"\"\"",
                "9,7,1,greedy,2,3,3,5,1,2",
                "9,7,2,greedy,1,7,3,5,3,4"
            ]
        );
    }
}
