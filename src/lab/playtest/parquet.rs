//! Writes single games as a Parquet table (<https://parquet.apache.org/docs/file-format/>) with the columns of the CSV.

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
    pub fn new(plan: &RunPlan<'_>, writer: W) -> io::Result<GamesParquet<W>> {
        let columns = columns(plan);
        Ok(GamesParquet {
            writer: begin(&columns, writer).map_err(io_error)?,
            agents: plan.agents.iter().map(|agent| ByteArray::from(agent.to_string().into_bytes())).collect(),
            numbers: vec![Vec::new(); columns.len() - 1],
            names: Vec::new(),
        })
    }

    /// Writes the lines of a game.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn game(&mut self, number: u64, game: &PlayedGame) -> io::Result<()> {
        for (line, agent) in lines_of_game(number, game).zip(&self.agents) {
            // Unsigned numbers are stored with the same bits.
            let unsigned = line.numbers.map(u64::cast_signed);
            let numbers = unsigned.iter().chain(&line.figures).chain(line.rows);
            self.numbers.iter_mut().zip(numbers).for_each(|(column, number)| column.push(*number));
            self.names.push(agent.clone());
        }
        if self.names.len() < ROW_GROUP_SIZE { Ok(()) } else { self.write().map_err(io_error) }
    }

    /// Writes the buffered lines as a row group.
    fn write(&mut self) -> Result<(), ParquetError> {
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
    pub fn finish(mut self) -> io::Result<()> {
        self.write().and_then(|()| self.writer.finish()).map_err(io_error)?;
        self.writer.inner_mut().flush().map_err(io::Error::other)
    }
}

fn begin<W: Write + Send>(columns: &[String], writer: W) -> Result<SerializedFileWriter<W>, ParquetError> {
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
    let schema = Type::group_type_builder("games").with_fields(fields.collect::<Result<_, _>>()?).build()?;
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    SerializedFileWriter::new(writer, Arc::new(schema), Arc::new(properties))
}

/// Returns an error of the operating system without the prefix of the library; not as one of a reader who has closed a pipe, since a table that
/// lacks its end cannot be read.
fn io_error(fault: ParquetError) -> io::Error {
    match fault {
        ParquetError::External(fault) => io::Error::other(fault),
        fault => io::Error::other(fault),
    }
}
