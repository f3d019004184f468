//! Reports of runs: their output files, and what both kinds name in the same way.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::args::OutputArgs;
use super::output::OutputFile;
use super::result::{CommandResult, ExitReason};
use crate::document::Document;
use crate::lang::GameText;
use crate::pack::Translations;

pub mod comparison;
pub mod games;

/// The files to which a report is written.
pub struct Outputs {
    pub json: Option<OutputFile>,
    pub page: Option<OutputFile>,
    /// Seconds that are assumed for a decision of a person.
    pub pace: f64,
}

impl Outputs {
    /// Opens the output files of a report, as far as they were requested.
    pub fn open(written: &OutputArgs) -> Result<Outputs, ExitReason> {
        let OutputArgs { json, report, pace } = written;
        Ok(Outputs { json: OutputFile::open_if(json.as_ref())?, page: OutputFile::open_if(report.as_ref())?, pace: *pace })
    }

    /// Writes the files.
    pub fn write_files(self, document: impl FnOnce() -> Document, json: &impl Serialize) -> CommandResult {
        let page = self.page.map_or(Ok(()), |file| file.write_document(&document()));
        page.and(self.json.map_or(Ok(()), |file| file.write_json(json)))
    }

    /// Whether one of the output files is the standard output, so that the text report is not printed there.
    pub fn on_terminal(&self) -> bool {
        [&self.json, &self.page].into_iter().flatten().any(OutputFile::is_terminal)
    }
}

/// Returns the display names of cards by id.
pub fn card_names<'a>(text: &'a GameText, names: &'a Translations) -> BTreeMap<&'a str, &'a str> {
    text.content.cards.iter().map(|card| (card.id.text.as_str(), names.card(card))).collect()
}

/// Lists the changes on the command line for the report.
pub fn changes(packs: &[PathBuf], with: &[String], options: &[String], dealt: &[String]) -> Vec<String> {
    let packs = packs.iter().map(|dir| format!("--pack {}", dir.display()));
    let with = with.iter().map(|text| format!("--with '{text}'"));
    let options = options.iter().map(|option| format!("--option {option}"));
    let dealt = dealt.iter().map(|card| format!("--deal {card}"));
    packs.chain(with).chain(options).chain(dealt).collect()
}
