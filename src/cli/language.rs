//! `--lang`: translated names in output.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::load::Workspace;
use super::output::{show_diagnostics, usage_error};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::nearest;
use crate::pack::{CARD_LANGUAGE, GameContent, Translations, list_languages};
use crate::source::Sources;

/// Returns the languages for which a game has names; the language of the cards comes first.
pub fn languages_of_game(root: Option<&Path>, game: &str, packs: &[PathBuf]) -> Vec<String> {
    let others = list_languages(root, game, packs).into_iter().filter(|language| language != CARD_LANGUAGE);
    [CARD_LANGUAGE.to_string()].into_iter().chain(others).collect()
}

impl Workspace {
    /// Checks that at least one of these games has names in the chosen language.
    ///
    /// # Errors
    /// A usage error if none has.
    pub fn expect_language(&self, games: &[String], packs: &[PathBuf]) -> CommandResult {
        let Some(language) = self.language() else { return Ok(()) };
        let known: BTreeSet<String> = games.iter().flat_map(|game| languages_of_game(self.root(), game, packs)).collect();
        if known.contains(language) {
            return Ok(());
        }
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let of = if games.len() == 1 { format!(" of `{}`", games.concat()) } else { String::new() };
        let message = format!("there are no names{of} in the language `{language}`");
        match nearest(language, known.iter().copied()).filter(|_| language.len() > 2) {
            Some(meant) => usage_error(format!("{message}; did you mean `{meant}`?")),
            None => usage_error(format!("{message}; there are {}", known.join(", "))),
        }
    }

    /// Loads the names in the chosen language; those of the cards if it is their language or the game has no translation.
    ///
    /// # Errors
    /// `Findings` if the names cannot be loaded; diagnostics have been shown.
    pub fn load_names(&self, sources: &Sources, content: &GameContent) -> Result<Translations, ExitReason> {
        let mut diagnostics = Vec::new();
        let names =
            self.language().map_or_else(Translations::default, |language| Translations::read(content, sources, language, &mut diagnostics));
        show_diagnostics(sources, &diagnostics).map(|()| names)
    }
}
