//! What the names in a text stand for: each by the spaces in which it is looked for there.

use crate::lang::defs::{BUILT_IN, Definition, Definitions, Space, DefKind};

use super::analysis::Analysis;
use super::place::{Among, Is, Place};

/// All spaces, in the order in which a name in rules is looked for.
const ALL: [Space; 16] = [
    Space::Value,
    Space::Kind,
    Space::Symbol,
    Space::Token,
    Space::TokenKind,
    Space::RowWord,
    Space::Moment,
    Space::Loss,
    Space::Action,
    Space::Phase,
    Space::Step,
    Space::Field,
    Space::List,
    Space::Row,
    Space::Counter,
    Space::Card,
];
/// What stands behind a dot is most often printed on a card.
const BEHIND: [Space; 8] = [Space::Field, Space::List, Space::Row, Space::Counter, Space::Value, Space::Symbol, Space::Action, Space::Step];
const FIELDS: [Space; 4] = [Space::Field, Space::List, Space::Row, Space::Counter];

impl Among {
    /// The spaces in which such a name is looked for, the first one first.
    pub(super) fn spaces(self) -> &'static [Space] {
        match self {
            Among::Cards => &[Space::Card],
            Among::Kinds => &[Space::Kind],
            Among::Moments => &[Space::Moment],
            Among::Quantities | Among::Options => &[Space::Value],
            Among::Actions => &[Space::Action],
            Among::Losses => &[Space::Loss],
            Among::Fields => &FIELDS,
            Among::All => &ALL,
            Among::Behind => &BEHIND,
            Among::Script | Among::Call => ALL.get(..15).unwrap_or(&ALL),
        }
    }
}

/// What a definition is most like among what editors know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Card,
    /// What things are of.
    Class,
    /// What happens.
    Event,
    /// What is done or worked out.
    Function,
    /// What things have.
    Field,
    Constant,
    Variable,
    /// What the game is made of.
    Part,
}

impl Sort {
    /// What a definition is most like.
    pub fn of(what: &DefKind) -> Sort {
        match what {
            DefKind::Card(_) => Sort::Card,
            DefKind::Kind(_) | DefKind::TokenKind(_) | DefKind::Token(_) => Sort::Class,
            DefKind::Moment(_) | DefKind::Loss(_) => Sort::Event,
            DefKind::Effect(_) | DefKind::Action | DefKind::Define | DefKind::Condition => Sort::Function,
            DefKind::Field(_) | DefKind::RowWord(_) | DefKind::Symbol(_) => Sort::Field,
            DefKind::Constant | DefKind::Option(_) | DefKind::Standing => Sort::Constant,
            DefKind::Variable { .. } | DefKind::Quantity { .. } | DefKind::Rank(_) => Sort::Variable,
            DefKind::Place { .. } | DefKind::Zone(_) | DefKind::Pool(_) | DefKind::Phase | DefKind::Step | DefKind::Broken => Sort::Part,
        }
    }
}

/// What a name is: where it is known, and by which name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Meant {
    /// Its space.
    pub space: Space,
    /// Its whole name.
    pub name: String,
}

impl Meant {
    /// Its definition in a game.
    pub fn definition<'a>(&self, found: &'a Analysis) -> Option<&'a Definition> {
        let defs = definitions(found)?;
        defs.find(self.space, &self.name).map(|id| &defs[id]).filter(|one| one.what != DefKind::Broken)
    }

    /// Whether it is a card.
    pub fn is_card(&self) -> bool {
        self.space == Space::Card
    }
}

/// Everything that has a name in a game.
pub(super) fn definitions(found: &Analysis) -> Option<&Definitions> {
    found.text.as_ref().map(|text| text.checked().definitions())
}

/// What a place stands for in a game; nothing for a key or a word of the language.
pub(super) fn meant(found: &Analysis, place: &Place) -> Option<Meant> {
    let (Is::Name(among) | Is::New(among)) = place.is else { return None };
    let defs = definitions(found)?;
    let known = |space: Space, name: &str| {
        let is_known = defs.what(space, name).is_some_and(|what| *what != DefKind::Broken);
        is_known.then(|| Meant { space, name: name.to_string() })
    };
    let whole = place.whole.as_deref().and_then(|whole| among.spaces().iter().chain(&ALL).find_map(|space| known(*space, whole)));
    let in_rules = matches!(among, Among::All | Among::Behind);
    let agents = || in_rules.then(|| known(Space::Value, &format!("{}{}", crate::lang::AGENTS, place.text))).flatten();
    // A word that every game has hides nothing but is told as such.
    let built_in = place.whole.is_none() && BUILT_IN.contains(&place.text.as_str());
    whole.or_else(|| among.spaces().iter().find_map(|space| known(*space, &place.text)).filter(|_| !built_in)).or_else(agents)
}

/// Whether a name could be this one as well as something else.
pub(super) fn is_doubtful(found: &Analysis, place: &Place, wanted: &Meant) -> bool {
    let (Is::Name(among) | Is::New(among)) = place.is else { return false };
    let Some(defs) = definitions(found).filter(|_| among.spaces().contains(&wanted.space)) else { return false };
    among.spaces().iter().filter(|space| defs.what(**space, &place.text).is_some()).count() > 1
}

/// The names of the variants of a game.
pub(super) fn variants(found: &Analysis) -> Vec<(&str, &str)> {
    found.text.iter().flat_map(|text| &text.variants).map(|(name, title)| (name.as_str(), title.as_str())).collect()
}
