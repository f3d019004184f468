//! `--lang`: what things are called on the terminal.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::load::Ground;
use super::output::{tell, wrong};
use super::{Done, Trouble};
use crate::diagnostic::nearest;
use crate::pack::{GameContent, Names, ON_CARDS, languages};
use crate::source::Sources;

/// The languages in which a game has names, that on the cards first.
pub fn of_game(root: Option<&Path>, game: &str, packs: &[PathBuf]) -> Vec<String> {
    let others = languages(root, game, packs).into_iter().filter(|language| language != ON_CARDS);
    [ON_CARDS.to_string()].into_iter().chain(others).collect()
}

impl Ground {
    /// Refuses a language in which none of these games has names.
    ///
    /// # Errors
    /// Wrong use, if it is so.
    pub fn expect_language(&self, games: &[String], packs: &[PathBuf]) -> Done {
        let Some(language) = self.language() else { return Ok(()) };
        let known: BTreeSet<String> = games.iter().flat_map(|game| of_game(self.root(), game, packs)).collect();
        if known.contains(language) {
            return Ok(());
        }
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let of = if games.len() == 1 { format!(" of `{}`", games.concat()) } else { String::new() };
        let message = format!("there are no names{of} in the language `{language}`");
        match nearest(language, known.iter().copied()).filter(|_| language.len() > 2) {
            Some(meant) => wrong(format!("{message}; did you mean `{meant}`?")),
            None => wrong(format!("{message}; there are {}", known.join(", "))),
        }
    }

    /// What things are called in the language that was chosen; as on the cards, where it is that or the game has no names in it.
    ///
    /// # Errors
    /// A finding, if the names cannot be read; it has been told.
    pub fn names(&self, sources: &Sources, content: &GameContent) -> Result<Names, Trouble> {
        let mut diagnostics = Vec::new();
        let names = self.language().map_or_else(Names::default, |language| Names::read(content, sources, language, &mut diagnostics));
        tell(sources, &diagnostics).map(|()| names)
    }
}
