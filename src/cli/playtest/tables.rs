//! The tables of single games that a run writes as they end.

use super::super::output::{Out, wrong};
use super::super::{Done, Trouble};
use crate::playtest::{GamesCsv, GamesParquet, Plan, Played, TableFault};

/// The tables that were asked for, each with its file.
pub struct Tables {
    csv: Option<(String, GamesCsv<Out>)>,
    parquet: Option<(String, GamesParquet<Out>)>,
    /// Why nothing more is written: a reader has gone away, or something is wrong with one of them.
    stopped: Option<Done>,
}

impl Tables {
    /// Opens what was named, and begins it.
    ///
    /// # Errors
    /// Wrong use, if it cannot be written.
    pub fn open(plan: &Plan<'_>, csv: Option<&String>, parquet: Option<&String>) -> Result<Tables, Trouble> {
        if parquet.is_some_and(|path| path == "-") {
            return wrong("a table in Parquet is read from a file, from its end; name one instead of `-`");
        }
        let csv = csv.map(|path| written(path, GamesCsv::new(plan, Out::open(path)?)).map(|table| Some((path.clone(), table?))));
        let parquet =
            parquet.map(|path| written(path, GamesParquet::new(plan, Out::open(path)?)).map(|table| Some((path.clone(), table?))));
        Ok(Tables { csv: csv.transpose()?.flatten(), parquet: parquet.transpose()?.flatten(), stopped: None })
    }

    /// Writes a game; whether the tables can be written.
    pub fn game(&mut self, number: u64, game: &Played) -> bool {
        if self.stopped.is_none() {
            let csv = self.csv.as_mut().map(|(path, csv)| written(path, csv.game(number, game)));
            let parquet = self.parquet.as_mut().map(|(path, parquet)| written(path, parquet.game(number, game)));
            self.stopped = [csv, parquet].into_iter().flatten().find_map(|written| match written {
                Ok(Some(())) => None,
                Ok(None) => Some(Ok(())),
                Err(trouble) => Some(Err(trouble)),
            });
        }
        self.stopped.is_none()
    }

    /// Ends them.
    ///
    /// # Errors
    /// Wrong use, if something could not be written; it has been told once.
    pub fn end(self) -> Done {
        if let Some(stopped) = self.stopped {
            return stopped;
        }
        let csv = self.csv.map_or(Ok(None), |(path, csv)| written(&path, csv.end()));
        let parquet = self.parquet.map_or(Ok(None), |(path, parquet)| written(&path, parquet.end()));
        csv.and(parquet).map(|_| ())
    }
}

/// What came of writing a table; nothing, if the reader has gone away, which is no fault.
fn written<T>(path: &str, result: Result<T, impl Into<TableFault>>) -> Result<Option<T>, Trouble> {
    match result.map_err(Into::into) {
        Ok(table) => Ok(Some(table)),
        Err(fault) if fault.reader_is_gone() => Ok(None),
        Err(fault) => {
            let path = if path == "-" { "the standard output" } else { path };
            wrong(format!("cannot write the table of games into `{path}`: {fault}"))
        }
    }
}
