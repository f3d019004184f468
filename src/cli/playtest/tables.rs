//! Tables of single games, written while the run is in progress.

use super::super::output::{OutputFile, usage_error};
use super::super::result::{CommandResult, ExitReason};
use crate::playtest::{GamesCsv, GamesParquet, PlayedGame, RunPlan};
use std::io;

/// The requested tables, each with its file.
pub struct GameTableFiles {
    csv: Option<(String, GamesCsv<OutputFile>)>,
    parquet: Option<(String, GamesParquet<OutputFile>)>,
    /// Why writing has stopped: the reader has closed the pipe, or there was an error. `None` while tables are written.
    stopped: Option<CommandResult>,
}

impl GameTableFiles {
    /// Opens the requested files and writes their headers.
    ///
    /// # Errors
    /// A usage error if a file cannot be written.
    pub fn open(plan: &RunPlan<'_>, csv: Option<&String>, parquet: Option<&String>) -> Result<GameTableFiles, ExitReason> {
        if parquet.is_some_and(|path| path == "-") {
            return usage_error("a table in Parquet is read from a file, from its end; name one instead of `-`");
        }
        let csv = csv.map(|path| value_text(path, GamesCsv::new(plan, OutputFile::open(path)?)).map(|table| Some((path.clone(), table?))));
        let parquet = parquet
            .map(|path| value_text(path, GamesParquet::new(plan, OutputFile::open(path)?)).map(|table| Some((path.clone(), table?))));
        Ok(GameTableFiles { csv: csv.transpose()?.flatten(), parquet: parquet.transpose()?.flatten(), stopped: None })
    }

    /// Writes a game; returns whether the tables can still be written.
    pub fn game(&mut self, number: u64, game: &PlayedGame) -> bool {
        if self.stopped.is_none() {
            let csv = self.csv.as_mut().map(|(path, csv)| value_text(path, csv.game(number, game)));
            let parquet = self.parquet.as_mut().map(|(path, parquet)| value_text(path, parquet.game(number, game)));
            self.stopped = [csv, parquet].into_iter().flatten().find_map(|written| match written {
                Ok(Some(())) => None,
                Ok(None) => Some(Ok(())),
                Err(trouble) => Some(Err(trouble)),
            });
        }
        self.stopped.is_none()
    }

    /// Finishes the tables.
    ///
    /// # Errors
    /// A usage error if something could not be written; it is reported once.
    pub fn finish(self) -> CommandResult {
        if let Some(stopped) = self.stopped {
            return stopped;
        }
        let csv = self.csv.map_or(Ok(None), |(path, csv)| value_text(&path, csv.finish()));
        let parquet = self.parquet.map_or(Ok(None), |(path, parquet)| value_text(&path, parquet.finish()));
        csv.and(parquet).map(|_| ())
    }
}

/// Converts the result of writing a table; `None` if the reader has closed the pipe, which is not an error.
fn value_text<T>(path: &str, result: io::Result<T>) -> Result<Option<T>, ExitReason> {
    match result {
        Ok(table) => Ok(Some(table)),
        Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        Err(fault) => {
            let path = if path == "-" { "the standard output" } else { path };
            usage_error(format!("cannot write the table of games into `{path}`: {fault}"))
        }
    }
}
