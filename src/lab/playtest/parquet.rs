//! Writes single games as a Parquet table (<https://parquet.apache.org/docs/file-format/>) with the columns of the CSV.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::csv::{columns, lines_of_game};
use super::measure::PlayedGame;
use super::run::RunPlan;

/// Number of lines in a row group.
const ROW_GROUP_SIZE: usize = 1 << 16;
/// Index of the column with the agent, the only text column.
const AGENT_COLUMN: usize = 3;
/// Number of leading columns with unsigned numbers.
const UNSIGNED_COLUMNS: usize = 3;

/// A writer with one line for each seat of each game.
pub struct GamesParquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    agents: Vec<ByteArray>,
    /// Buffered numbers of each column except the agent's.
    numbers: Vec<Vec<i64>>,
    /// Buffered names of agents.
    names: Vec<ByteArray>,
}

impl<W: Write + Send> GamesParquet<W> {
    /// Creates a table with the columns of the CSV as strings and 64-bit integers.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(plan: &RunPlan<'_>, writer: W) -> Result<GamesParquet<W>, TableFault> {
        let columns = columns(plan);
        let fields = columns.iter().enumerate().map(|(at, name)| {
            let physical = if at == AGENT_COLUMN { Physical::BYTE_ARRAY } else { Physical::INT64 };
            let logical = match at {
                AGENT_COLUMN => Some(LogicalType::String),
                at if at < UNSIGNED_COLUMNS => Some(LogicalType::integer(64, false)),
                _ => None,
            };
            let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::REQUIRED).with_logical_type(logical);
            field.build().map(Arc::new)
        });
        let fields = fields.collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("games").with_fields(fields).build()?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        Ok(GamesParquet {
            writer: SerializedFileWriter::new(writer, Arc::new(schema), Arc::new(properties))?,
            agents: plan.agents.iter().map(|agent| ByteArray::from(agent.to_string().into_bytes())).collect(),
            numbers: vec![Vec::new(); columns.len() - 1],
            names: Vec::new(),
        })
    }

    /// Writes the lines of a game.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn game(&mut self, number: u64, game: &PlayedGame) -> Result<(), TableFault> {
        for (line, agent) in lines_of_game(number, game).zip(&self.agents) {
            // Unsigned numbers are stored with the same bits.
            let unsigned = [line.game[0], line.game[1], line.seat].map(u64::cast_signed);
            let numbers = unsigned.iter().chain(&line.figures).chain(line.rows);
            self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(*number));
            self.names.push(agent.clone());
        }
        if self.names.len() < ROW_GROUP_SIZE { Ok(()) } else { self.write() }
    }

    /// Writes the buffered lines as a row group.
    fn write(&mut self) -> Result<(), TableFault> {
        if self.names.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        let mut numbers = self.numbers.iter_mut();
        let mut at = 0;
        while let Some(mut column) = group.next_column()? {
            if at == AGENT_COLUMN {
                column.typed::<ByteArrayType>().write_batch(&self.names, None, None)?;
                self.names.clear();
            } else if let Some(numbers) = numbers.next() {
                column.typed::<Int64Type>().write_batch(numbers, None, None)?;
                numbers.clear();
            }
            column.close()?;
            at += 1;
        }
        group.close()?;
        Ok(())
    }

    /// Finishes the table with its footer, without which it cannot be read.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn finish(mut self) -> Result<(), TableFault> {
        self.write()?;
        self.writer.finish()?;
        self.writer.inner_mut().flush()?;
        Ok(())
    }
}

/// An error of writing a table of games.
#[derive(Debug)]
pub enum TableFault {
    /// Error of the CSV writer.
    Csv(csv::Error),
    /// Error of the Parquet writer.
    Parquet(ParquetError),
}

impl TableFault {
    /// Whether the error is only that the reader of the output has closed the pipe.
    pub fn reader_is_gone(&self) -> bool {
        let TableFault::Csv(fault) = self else { return false };
        matches!(fault.kind(), csv::ErrorKind::Io(fault) if fault.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::Csv(fault) => fault.fmt(f),
            // An error of the operating system is shown without the prefix of the library.
            TableFault::Parquet(ParquetError::External(fault)) => fault.fmt(f),
            TableFault::Parquet(fault) => fault.fmt(f),
        }
    }
}

impl From<csv::Error> for TableFault {
    fn from(fault: csv::Error) -> TableFault {
        TableFault::Csv(fault)
    }
}

impl From<ParquetError> for TableFault {
    fn from(fault: ParquetError) -> TableFault {
        TableFault::Parquet(fault)
    }
}

impl From<io::Error> for TableFault {
    fn from(fault: io::Error) -> TableFault {
        TableFault::Parquet(fault.into())
    }
}
