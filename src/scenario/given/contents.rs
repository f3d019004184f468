//! The cards of a place in `given`, all of them on one line: `p1.hand = grey_wolf, red_wolf`.

use super::{GivenWriter, expect_integer, source_text};
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::Shape;
use crate::problem::ScenarioProblem;
use crate::source::Span;
use crate::syntax::ast::scenario::GivenValue;
use crate::syntax::ast::{ExprKind, Name};
use crate::trial::BoxedDiagnostic;

/// The most copies of a card that a line can name.
const MAX_COPIES: i64 = 1000;

impl GivenWriter<'_, '_> {
    /// Whether the left side of an assignment is a place of cards, with a seat ahead where each has one.
    pub(super) fn is_place(&self, left: &str) -> bool {
        let name = left.split_once('.').map_or(left, |(_, name)| name);
        self.trial.rules.find_place(name).is_some()
    }

    /// Executes `PLACE = CARD, CARD` or `PLACE = nothing`: these cards lie there, in this order, and no others. The first card of a deck
    /// is drawn next.
    pub(super) fn fill_place(&mut self, target: Span, value: &GivenValue) -> Result<(), BoxedDiagnostic> {
        let at = Name { text: source_text(self.text, target).to_string(), span: target };
        let (instance, place) = self.find_place(&at)?;
        let mut cards = self.listed_cards(&at, value)?;
        let rules = self.trial.rules.clone();
        let shape = rules.places[place].shape;
        if let Shape::Grid { .. } = shape {
            return Err(Box::new(ScenarioProblem::CardsOfMap { place: at.text }.at(target)));
        }
        self.take_all_out(instance, shape == Shape::Deck, target)?;
        if shape == Shape::Deck {
            self.emptied_decks.push(instance);
            cards.reverse();
        }
        cards.iter().try_for_each(|card| self.place_card(card, instance, place, None).map(|_| ()))
    }

    /// Returns the cards that a line names, each as often as it says.
    fn listed_cards(&self, at: &Name, value: &GivenValue) -> Result<Vec<Name>, BoxedDiagnostic> {
        let wrong = |span: Span| -> BoxedDiagnostic {
            let found: Diagnostic = ScenarioProblem::CardsOfPlace { place: at.text.clone() }.at(span);
            Box::new(found)
        };
        let tokens = match value {
            GivenValue::Expr(one) => match &*one.kind {
                ExprKind::Name(name) => return Ok(vec![name.clone()]),
                _ => return Err(wrong(one.span)),
            },
            GivenValue::Tokens(tokens) => tokens,
        };
        let mut cards = Vec::new();
        for token in tokens {
            if let Some(face) = &token.face {
                return Err(wrong(face.span));
            }
            let copies = token.count.as_ref().map_or(Ok(1), expect_integer)?;
            if !(1..=MAX_COPIES).contains(&copies) {
                return Err(wrong(token.name.span));
            }
            cards.extend((0..copies).map(|_| token.name.clone()));
        }
        Ok(cards)
    }
}
