//! The single games as a table in Parquet (<https://parquet.apache.org/docs/file-format/>): what the CSV holds, column by column.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use super::csv::{columns, lines};
use super::measure::Played;
use super::run::Plan;

/// So many lines are held before they are written, column by column.
const GROUP: usize = 1 << 16;
/// Among the columns, the one that is no number: who played.
const AGENT: usize = 3;
/// How many columns at the front are numbers without a sign.
const UNSIGNED: usize = 3;

/// Writes one line for each seat of each game.
pub struct GamesParquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    agents: Vec<ByteArray>,
    /// The numbers of each column but the agents'.
    numbers: Vec<Vec<i64>>,
    /// Who played, line by line.
    names: Vec<ByteArray>,
}

impl<W: Write + Send> GamesParquet<W> {
    /// Begins a table with the columns of the CSV: texts, and whole numbers of 64 bits.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn new(plan: &Plan<'_>, writer: W) -> Result<GamesParquet<W>, TableFault> {
        let columns = columns(plan);
        let fields = columns.iter().enumerate().map(|(at, name)| {
            let physical = if at == AGENT { Physical::BYTE_ARRAY } else { Physical::INT64 };
            let logical = match at {
                AGENT => Some(LogicalType::String),
                at if at < UNSIGNED => Some(LogicalType::integer(64, false)),
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
    /// Whatever the writer says.
    pub fn game(&mut self, number: u64, game: &Played) -> Result<(), TableFault> {
        for (line, agent) in lines(number, game).zip(&self.agents) {
            // Numbers without a sign are kept by their bits.
            let unsigned = [line.game[0], line.game[1], line.seat].map(u64::cast_signed);
            let numbers = unsigned.iter().chain(&line.figures).chain(line.rows);
            self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(*number));
            self.names.push(agent.clone());
        }
        if self.names.len() < GROUP { Ok(()) } else { self.write() }
    }

    /// Writes what is held.
    fn write(&mut self) -> Result<(), TableFault> {
        if self.names.is_empty() {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        let mut numbers = self.numbers.iter_mut();
        let mut at = 0;
        while let Some(mut column) = group.next_column()? {
            if at == AGENT {
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

    /// Ends the table, without which nobody can read it.
    ///
    /// # Errors
    /// Whatever the writer says.
    pub fn end(mut self) -> Result<(), TableFault> {
        self.write()?;
        self.writer.finish()?;
        self.writer.inner_mut().flush()?;
        Ok(())
    }
}

/// A table of games that could not be written.
#[derive(Debug)]
pub enum TableFault {
    /// As CSV.
    Csv(csv::Error),
    /// As Parquet.
    Parquet(ParquetError),
}

impl TableFault {
    /// Whether nothing is wrong but that nobody reads it any more.
    pub fn reader_is_gone(&self) -> bool {
        let TableFault::Csv(fault) = self else { return false };
        matches!(fault.kind(), csv::ErrorKind::Io(fault) if fault.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for TableFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableFault::Csv(fault) => fault.fmt(f),
            // What the disk says needs no word about whom it was said to.
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
