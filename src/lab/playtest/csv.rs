//! The single games as a table for other programs, written as they end.

use crate::cast;
use std::io::Write;

use super::measure::Played;
use super::run::Plan;

/// Writes one line for each seat of each game.
pub struct GamesCsv<W: Write> {
    writer: csv::Writer<W>,
    agents: Vec<String>,
}

/// The columns before those of the score's rows.
const COLUMNS: [&str; 8] = ["game", "seed", "seat", "agent", "rank", "points", "rounds", "decisions"];

/// The names of all columns. A row of the score that is called like another column is `NAME (score)`.
pub(super) fn columns(plan: &Plan<'_>) -> Vec<String> {
    let mut columns: Vec<String> = COLUMNS.iter().map(ToString::to_string).collect();
    for (name, _) in &plan.rules.score {
        let mut column = name.clone();
        while columns.contains(&column) {
            column.push_str(" (score)");
        }
        columns.push(column);
    }
    columns
}

/// A line: a seat of a game.
pub(super) struct Line<'a> {
    /// The game's number, and its seed.
    pub game: [u64; 2],
    /// The seat, from 1.
    pub seat: u64,
    /// Place, points, rounds and decisions.
    pub figures: [i64; 4],
    /// The rows of the score.
    pub rows: &'a [i64],
}

/// The lines of a game.
pub(super) fn lines(number: u64, game: &Played) -> impl Iterator<Item = Line<'_>> {
    game.rows.iter().enumerate().map(move |(seat, rows)| {
        let rank = game.places.get(seat).map_or(0, |place| cast::count(*place));
        let figures = [rank, game.points(seat), cast::fit::<i64>(game.rounds), cast::fit::<i64>(game.decisions)];
        Line { game: [number, game.seed], seat: seat as u64 + 1, figures, rows }
    })
}

impl<W: Write> GamesCsv<W> {
    /// Begins a table with its heading.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn new(plan: &Plan<'_>, writer: W) -> csv::Result<GamesCsv<W>> {
        let mut writer = csv::Writer::from_writer(writer);
        writer.write_record(columns(plan))?;
        Ok(GamesCsv { writer, agents: plan.agents.iter().map(ToString::to_string).collect() })
    }

    /// Writes the lines of a game.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn game(&mut self, number: u64, game: &Played) -> csv::Result<()> {
        for (line, agent) in lines(number, game).zip(&self.agents) {
            for number in [line.game[0], line.game[1], line.seat] {
                self.writer.write_field(number.to_string())?;
            }
            self.writer.write_field(agent)?;
            for figure in line.figures.iter().chain(line.rows) {
                self.writer.write_field(figure.to_string())?;
            }
            self.writer.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }

    /// Ends the table.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn end(mut self) -> csv::Result<()> {
        Ok(self.writer.flush()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::playtest::Notes;
    use crate::playtest::toy::toy;

    #[test]
    fn no_column_is_called_like_another() {
        let mut rules = toy(2);
        rules.score[0].0 = "points".to_string();
        rules.score[1].0 = "a, \"b\"".to_string();
        let agents = parse_agents("greedy", 2).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games: 1, seed: 1, threads: 1, notes: Notes::default() };
        let mut written = Vec::new();
        let mut table = GamesCsv::new(&plan, &mut written).unwrap();
        let mut game = Played::new(7, Notes::default());
        (game.rows, game.places, game.rounds, game.decisions) = (vec![vec![1, 2], vec![3, 4]], vec![2, 1], 3, 5);
        table.game(9, &game).unwrap();
        table.end().unwrap();
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
