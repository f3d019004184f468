//! The tables of single games that a run writes as they end.

use super::super::output::{Out, wrong};
use super::super::{Done, Trouble};
use crate::playtest::{GamesCsv, GamesParquet, Plan, Played, TableFault};

/// The tables that were asked for.
pub struct Tables {
    csv: Option<GamesCsv<Out>>,
    parquet: Option<GamesParquet<Out>>,
    /// What went wrong with one of them.
    trouble: Result<(), TableFault>,
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
        let csv = Out::open_if(csv)?.map(|out| GamesCsv::new(plan, out).map_err(TableFault::from)).transpose();
        let parquet = Out::open_if(parquet)?.map(|out| GamesParquet::new(plan, out)).transpose();
        Ok(Tables { csv: csv.or_else(unwritten)?, parquet: parquet.or_else(unwritten)?, trouble: Ok(()) })
    }

    /// Writes a game; whether the tables can be written.
    pub fn game(&mut self, number: u64, game: &Played) -> bool {
        if self.trouble.is_ok() {
            let csv = self.csv.as_mut().map_or(Ok(()), |csv| csv.game(number, game).map_err(TableFault::from));
            self.trouble = csv.and_then(|()| self.parquet.as_mut().map_or(Ok(()), |parquet| parquet.game(number, game)));
        }
        self.trouble.is_ok()
    }

    /// Ends them.
    ///
    /// # Errors
    /// Wrong use, if something could not be written.
    pub fn end(self) -> Done {
        let csv = self.csv.map_or(Ok(()), |csv| csv.end().map_err(TableFault::from));
        let parquet = self.parquet.map_or(Ok(()), GamesParquet::end);
        self.trouble.and(csv).and(parquet).or_else(unwritten)
    }
}

/// A table of games that could not be written; a reader that has gone away is no fault.
fn unwritten<T: Default>(fault: TableFault) -> Result<T, Trouble> {
    if fault.reader_is_gone() { Ok(T::default()) } else { wrong(format!("cannot write the table of games: {fault}")) }
}
