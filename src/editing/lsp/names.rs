//! Name resolution in a text: each name is looked up in the namespaces that are valid at its position.

use crate::lang::defs::{BUILT_IN, DefKind, Definition, Definitions, Space};

use super::analysis::Analysis;
use super::place::{CompletionContext, SourceToken, SymbolAtCursor};

/// All namespaces, in the order in which a name in rules is looked up.
const ALL_SPACES: [Space; 17] = [
    Space::Value,
    Space::Kind,
    Space::Symbol,
    Space::Token,
    Space::TokenKind,
    Space::RowWord,
    Space::Words,
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
/// Namespaces in which a name after a dot is looked up, printed values first.
const SPACES_AFTER_DOT: [Space; 8] =
    [Space::Field, Space::List, Space::Row, Space::Counter, Space::Value, Space::Symbol, Space::Action, Space::Step];
const FIELD_SPACES: [Space; 4] = [Space::Field, Space::List, Space::Row, Space::Counter];

impl CompletionContext {
    /// Returns the namespaces in which a name is looked up, in order of precedence.
    pub(super) fn namespaces(self) -> &'static [Space] {
        match self {
            CompletionContext::Cards => &[Space::Card],
            CompletionContext::Kinds => &[Space::Kind],
            CompletionContext::Moments => &[Space::Moment],
            CompletionContext::Quantities | CompletionContext::Options => &[Space::Value],
            CompletionContext::Actions => &[Space::Action],
            CompletionContext::Losses => &[Space::Loss],
            CompletionContext::Fields => &FIELD_SPACES,
            CompletionContext::All => &ALL_SPACES,
            CompletionContext::AfterDot => &SPACES_AFTER_DOT,
            CompletionContext::Script | CompletionContext::Call => ALL_SPACES.get(..16).unwrap_or(&ALL_SPACES),
        }
    }
}

/// The category of a definition in terms of the language server protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SymbolCategory {
    Card,
    /// Kinds of cards and tokens.
    Class,
    /// Moments and losses.
    Event,
    /// Effects, actions, definitions and conditions.
    Function,
    /// Fields, row words and symbols.
    Field,
    Constant,
    Variable,
    /// Places, phases and other components.
    Part,
}

impl SymbolCategory {
    /// Returns the category of a definition.
    pub fn of(what: &DefKind) -> SymbolCategory {
        match what {
            DefKind::Card(_) => SymbolCategory::Card,
            DefKind::Kind(_) | DefKind::TokenKind(_) | DefKind::Token(_) | DefKind::Words(_) => SymbolCategory::Class,
            DefKind::Moment(_) | DefKind::Loss(_) => SymbolCategory::Event,
            DefKind::Effect(_) | DefKind::Action | DefKind::Define | DefKind::Condition => SymbolCategory::Function,
            DefKind::Field(_) | DefKind::RowWord(_) | DefKind::Symbol(_) => SymbolCategory::Field,
            DefKind::Constant | DefKind::Option(_) | DefKind::Standing => SymbolCategory::Constant,
            DefKind::Variable { .. } | DefKind::Quantity { .. } | DefKind::Rank(_) => SymbolCategory::Variable,
            DefKind::Purse
            | DefKind::Place { .. }
            | DefKind::Zone(_)
            | DefKind::Pool(_)
            | DefKind::Phase
            | DefKind::Step
            | DefKind::Broken => SymbolCategory::Part,
        }
    }
}

/// A resolved symbol: its namespace and its full name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SymbolRef {
    /// The namespace that contains the symbol.
    pub space: Space,
    /// The full name of the symbol.
    pub name: String,
}

impl SymbolRef {
    /// Finds the definition of the symbol in the analysed game.
    pub fn definition<'a>(&self, found: &'a Analysis) -> Option<&'a Definition> {
        let defs = definitions(found)?;
        defs.find(self.space, &self.name).map(|id| &defs[id]).filter(|one| one.kind != DefKind::Broken)
    }

    /// Whether the symbol is a card.
    pub fn is_card(&self) -> bool {
        self.space == Space::Card
    }
}

/// Returns all definitions of the analysed game; `None` if the game could not be loaded.
pub(super) fn definitions(found: &Analysis) -> Option<&Definitions> {
    found.text.as_ref().map(|text| text.checked().definitions())
}

/// Resolves the name at a position; `None` for a key or keyword.
pub(super) fn resolve(found: &Analysis, place: &SourceToken) -> Option<SymbolRef> {
    let (SymbolAtCursor::Name(among) | SymbolAtCursor::Declaration(among)) = place.symbol else { return None };
    let defs = definitions(found)?;
    let known = |space: Space, name: &str| {
        let is_known = defs.kind_of(space, name).is_some_and(|what| *what != DefKind::Broken);
        is_known.then(|| SymbolRef { space, name: name.to_string() })
    };
    let whole =
        place.whole.as_deref().and_then(|whole| among.namespaces().iter().chain(&ALL_SPACES).find_map(|space| known(*space, whole)));
    let in_rules = matches!(among, CompletionContext::All | CompletionContext::AfterDot);
    let agents = || in_rules.then(|| known(Space::Value, &format!("{}{}", crate::lang::AGENTS, place.text))).flatten();
    // A built-in word is resolved only where it hides no declared name.
    let built_in = place.whole.is_none() && BUILT_IN.contains(&place.text.as_str());
    whole.or_else(|| among.namespaces().iter().find_map(|space| known(*space, &place.text)).filter(|_| !built_in)).or_else(agents)
}

/// Whether a name is ambiguous, with this symbol as one of its meanings.
pub(super) fn is_ambiguous(found: &Analysis, place: &SourceToken, wanted: &SymbolRef) -> bool {
    let (SymbolAtCursor::Name(among) | SymbolAtCursor::Declaration(among)) = place.symbol else { return false };
    let Some(defs) = definitions(found).filter(|_| among.namespaces().contains(&wanted.space)) else { return false };
    among.namespaces().iter().filter(|space| defs.kind_of(**space, &place.text).is_some()).count() > 1
}

/// Lists the variants of the analysed game, as (name, title).
pub(super) fn variants(found: &Analysis) -> Vec<(&str, &str)> {
    found.text.iter().flat_map(|text| &text.variants).map(|(name, title)| (name.as_str(), title.as_str())).collect()
}
