//! Whether nothing but a moved card and chance can tell a seat what it does not know.

use super::Hidden;
use crate::graph::{Expr, Read};

use crate::ruleset::{Ruleset, Shape};

impl Hidden {
    /// Whether all that is hidden is the order of decks, and no expression, set or question looks into them: what seats do not know comes to light
    /// only where a card leaves a deck, or something is drawn by chance. It is not so where it cannot be told.
    pub(super) fn nothing_else_tells(&self, rules: &Ruleset) -> bool {
        let is_deck = |place: u16| rules.places[usize::from(place)].shape == Shape::Deck;
        let reads_deck = |expr: &Expr| {
            !matches!(expr, Expr::PiecesIn { .. })
                && expr.reads_any(|read| match read {
                    Read::Place(place) => is_deck(place),
                    Read::Cards(cards) => rules.graph.cards(cards).places.iter().any(|place| is_deck(*place)),
                    // A card that is named may lie in a deck.
                    Read::Whereabouts(card) | Read::Counter(card, _) => matches!(rules.graph[card], Expr::Const { .. }),
                    Read::Table(_) | Read::Own(_) | Read::Printed(_) | Read::Piles(_) | Read::Tokens(_) | Read::Order => false,
                    Read::Rivals(_) | Read::Quantity(_) | Read::Changes(_) | Read::IsChanged(_) => false,
                    Read::Known(_) => true,
                })
        };
        rules.secrets.is_empty()
            && self.private.is_empty()
            && !self.offers_unseen
            && rules.dealt_cards.is_empty()
            && !rules.places.iter().any(|place| place.hidden && place.shape != Shape::Deck)
            && !rules.sets.iter().any(|set| set.places.iter().any(|place| is_deck(*place)))
            && !rules.graph.all().any(|(_, expr)| reads_deck(expr))
    }
}
