//! Which cards and boards are printed.

use std::collections::BTreeSet;

use super::super::args::PrintArgs;
use super::super::output::{count, reported, unknown_name, usage_error};
use super::super::result::ExitReason;
use crate::diagnostic::nearest;
use crate::engine::Ruleset;
use crate::lang::GameText;
use crate::pack::{RawCard, Selection, Text};
use crate::source::{Sources, Span};

/// The cards and boards that were asked for.
pub(super) struct ChosenCards {
    /// Ids of the cards.
    cards: BTreeSet<String>,
    /// Names of the boards.
    boards: BTreeSet<String>,
    /// How many cards the options leave out.
    left_out: usize,
}

impl ChosenCards {
    /// Reads `--cards`; without it all cards and boards are chosen.
    ///
    /// # Errors
    /// A usage error for a name of nothing, or `Findings` for a condition that cannot be read.
    pub(super) fn parse(args: &PrintArgs, text: &GameText, sources: &mut Sources) -> Result<ChosenCards, ExitReason> {
        // Parts of cards are printed on their cards.
        let boards = text.checked().rules.boards.iter().filter(|board| board.parts().is_none());
        let boards: Vec<&str> = boards.map(|board| board.name.as_str()).collect();
        let cards = &text.content.cards;
        let mut chosen = ChosenCards { cards: BTreeSet::new(), boards: BTreeSet::new(), left_out: 0 };
        let Some(wanted) = &args.cards else {
            chosen.cards = cards.iter().map(|card| card.id.text.clone()).collect();
            chosen.boards = boards.into_iter().map(String::from).collect();
            return Ok(chosen);
        };
        if wanted.contains(['=', '<', '>']) || wanted.split_whitespace().any(|word| word == "is") {
            chosen.cards = selected(wanted, cards, sources)?;
            return Ok(chosen);
        }
        for word in wanted.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let named: Vec<&RawCard> = cards.iter().filter(|card| card.id.text == word || card.kind.text == word).collect();
            let is_board = boards.contains(&word);
            if named.is_empty() && !is_board {
                let known = cards.iter().flat_map(|card| [card.id.text.as_str(), card.kind.text.as_str()]).chain(boards.iter().copied());
                let message = format!("`{word}` is neither a card, a kind of cards nor a board");
                let way_out = format!("`houserule list {} cards` lists the cards", args.game);
                return unknown_name(&message, nearest(word, known), way_out);
            }
            chosen.cards.extend(named.into_iter().map(|card| card.id.text.clone()));
            chosen.boards.extend(is_board.then(|| word.to_string()));
        }
        Ok(chosen)
    }

    /// Whether the game has to be started: for its boards, or for what options leave out.
    pub(super) fn needs_game(&self, args: &PrintArgs) -> bool {
        !args.option.is_empty() || (!self.boards.is_empty() && args.out.is_some() && prints_boards(args))
    }

    /// Leaves out cards that are not in the game.
    pub(super) fn leave_out_unused(&mut self, rules: &Ruleset) {
        let in_game: BTreeSet<u32> = rules.piece_definition.iter().copied().collect();
        for (index, card) in (0..).zip(&rules.definitions) {
            if !in_game.contains(&index) && self.cards.remove(rules.names.text(card.id)) {
                self.left_out += 1;
            }
        }
    }

    /// Whether a card is printed.
    pub(super) fn holds(&self, id: &str) -> bool {
        self.cards.contains(id)
    }

    /// Whether a board is printed.
    pub(super) fn holds_board(&self, name: &str) -> bool {
        self.boards.contains(name)
    }

    /// Says what was left out.
    pub(super) fn notes(&self) -> Vec<String> {
        let left_out = format!("{} left out, which the game does not have with these options", count(self.left_out, "card"));
        (self.left_out > 0).then_some(left_out).into_iter().collect()
    }
}

/// Whether boards are printed: with `--since`, which compares cards, only those that are named.
pub(super) fn prints_boards(args: &PrintArgs) -> bool {
    args.since.is_none() || args.cards.is_some()
}

/// Returns the cards for which a condition holds.
fn selected(condition: &str, cards: &[RawCard], sources: &mut Sources) -> Result<BTreeSet<String>, ExitReason> {
    let file = sources.add("--cards", condition);
    let end = u32::try_from(condition.len()).unwrap_or(u32::MAX);
    let text = Text { text: condition.to_string(), span: Span { file, start: 0, end } };
    let mut diagnostics = Vec::new();
    let selection = Selection::parse(&text, &mut diagnostics);
    let selection = reported(sources, &diagnostics, selection)?;
    if let Some((word, known)) = selection.unknown_words(&cards.iter().collect::<Vec<_>>()).into_iter().next() {
        let meant = nearest(&word, known.iter().map(String::as_str));
        return unknown_name(&format!("no card has `{word}`"), meant, format!("cards have {}", known.join(", ")));
    }
    let found: BTreeSet<String> = cards.iter().filter(|card| selection.matches(card)).map(|card| card.id.text.clone()).collect();
    if found.is_empty() { usage_error(format!("`{condition}` holds for no card")) } else { Ok(found) }
}
