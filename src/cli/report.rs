//! Reports of runs: their output files, and what both kinds name in the same way.

use std::collections::BTreeMap;

use serde::Serialize;

use super::output::{OutputFile, print};
use super::result::{CommandResult, ExitReason};
use crate::document::Document;
use crate::lang::GameText;
use crate::pack::Translations;

pub mod comparison;
pub mod games;

/// The files to which a report is written.
pub struct Outputs {
    json: Option<OutputFile>,
    page: Option<OutputFile>,
    /// Whether the standard output belongs to one of the files, or to a table, so that the text report is not printed there.
    pub quiet: bool,
}

impl Outputs {
    /// Opens the output files of a report, as far as they were requested.
    pub fn open(json: Option<&String>, page: Option<&String>) -> Result<Outputs, ExitReason> {
        let (json, page) = (OutputFile::open_if(json)?, OutputFile::open_if(page)?);
        let quiet = [&json, &page].into_iter().flatten().any(OutputFile::is_terminal);
        Ok(Outputs { json, page, quiet })
    }

    /// Prints a report and writes its files.
    pub fn write(self, text: impl FnOnce() -> String, document: impl FnOnce() -> Document, json: &impl Serialize) -> CommandResult {
        if !self.quiet {
            print(&text());
        }
        let page = self.page.map_or(Ok(()), |file| file.write_document(&document()));
        page.and(self.json.map_or(Ok(()), |file| file.write_json(json)))
    }

    /// Prints a report that has no document, and writes its file.
    pub fn write_without_page(self, text: impl FnOnce() -> String, json: &impl Serialize) -> CommandResult {
        self.write(text, Document::default, json)
    }
}

/// Returns the display names of cards by id.
pub fn card_names<'a>(text: &'a GameText, names: &'a Translations) -> BTreeMap<&'a str, &'a str> {
    text.content.cards.iter().map(|card| (card.id.text.as_str(), names.card(card))).collect()
}
