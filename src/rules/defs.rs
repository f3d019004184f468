//! The symbol table: all names that rules and cards declare, with their definitions. Suggestions for unknown names are made here.

mod kind;

pub use kind::{DefKind, FieldType, OptionDef, Owner, PlaceShape, Space};

use super::problem::{ALLOWED, RuleProblem, Suggestion};
use super::syntax::ast::Broken;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::node::Type;
use crate::engine::ruleset::VariableSort;
use crate::source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Prefix of names that are only visible in rules for machine players.
pub const AGENTS: &str = "agents.";

/// Index of a [`Definition`] in [`Definitions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(pub u32);

/// A name that the rules or cards declare, with what it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The name, without a namespace.
    pub name: String,
    /// The thing that the name stands for.
    pub kind: DefKind,
    /// Where the name is declared; `None` for built-in names.
    pub span: Option<Span>,
}

/// The word that stands for all resources where a list of words is gone through.
pub const ALL_RESOURCES: &str = "resource";
/// The word that stands for all symbols where a list of words is gone through.
pub const ALL_SYMBOLS: &str = "symbols";

/// Names of values that exist in every game.
pub const BUILT_IN: [&str; 6] = ["round", "turn", "players", "place_in_order", "me", "nobody"];

/// How many allowed names a message lists.
const MAX_LISTED: usize = 8;

/// The symbol table of a game.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    all: Vec<Definition>,
    by_name: BTreeMap<(Space, String), DefId>,
    /// For each definition, how it has been looked up.
    uses: Vec<UseFlags>,
    /// Lists of words, such as the values of options; a word is the pair of list and index.
    pub lists: Vec<Vec<String>>,
    /// Words in declarations that failed to parse, which may be the names that these would have declared.
    suspects: BTreeSet<String>,
    /// Whether cards failed to parse, which has been reported: unknown cards are then not reported.
    pub(super) cards_missing: bool,
}

/// How a definition has been looked up: read, or written to. Atomic, since checked rules are shared between threads.
#[derive(Debug, Default)]
struct UseFlags {
    read: AtomicBool,
    written: AtomicBool,
}

impl Clone for UseFlags {
    fn clone(&self) -> UseFlags {
        let [read, written] = [&self.read, &self.written].map(|one| AtomicBool::new(one.load(Relaxed)));
        UseFlags { read, written }
    }
}

impl std::ops::Index<DefId> for Definitions {
    type Output = Definition;

    fn index(&self, id: DefId) -> &Definition {
        &self.all[id.0 as usize]
    }
}

/// Maximum number of definitions: their indices are stored in 16 bits.
pub const MAX_DEFINITIONS: usize = 65_535;

impl Definitions {
    /// Defines a name.
    ///
    /// # Errors
    /// The name is taken, with both places, or there are more than [`MAX_DEFINITIONS`].
    pub fn declare(&mut self, space: Space, name: &str, what: DefKind, span: impl Into<Option<Span>>) -> Result<DefId, Box<Diagnostic>> {
        let span = span.into();
        if let Some(other) = self.find_declared(space, name).map(|id| &self[id]).filter(|other| other.kind != DefKind::Broken) {
            let by = other.span.map(|place| (place, other.kind.describe()));
            return Err(Box::new(RuleProblem::NameTaken { name: name.to_string(), by }.at(span)));
        }
        if self.all.len() >= MAX_DEFINITIONS {
            let (what, help) = ("names, those of its cards included", "declare fewer, or make two games of them");
            return Err(Box::new(RuleProblem::TooMany { whose: "a game", most: MAX_DEFINITIONS, what, help }.at(span)));
        }
        Ok(self.add(space, name, what, span))
    }

    fn add(&mut self, space: Space, name: &str, kind: DefKind, span: Option<Span>) -> DefId {
        let id = DefId(cast::fit::<u32>(self.all.len()));
        self.all.push(Definition { name: name.to_string(), kind, span });
        self.uses.push(UseFlags::default());
        self.by_name.insert((space, name.to_string()), id);
        id
    }

    /// Defines the name of a declaration that failed to parse, so that its uses are not reported.
    pub fn poison(&mut self, space: Space, name: &str, span: Span) {
        if self.find(space, name).is_none() {
            self.add(space, name, DefKind::Broken, Some(span));
        }
    }

    /// Looks up a name and records a read.
    pub fn find(&self, space: Space, name: &str) -> Option<DefId> {
        self.look_up(space, name, |used| &used.read)
    }

    /// Looks up a name that is written to, and records a write.
    pub(super) fn find_for_write(&self, space: Space, name: &str) -> Option<DefId> {
        self.look_up(space, name, |used| &used.written)
    }

    /// Looks up a name without recording a use, for duplicate declarations.
    pub(super) fn find_declared(&self, space: Space, name: &str) -> Option<DefId> {
        // A lookup by a borrowed name would need another key type; names are short.
        self.by_name.get(&(space, name.to_string())).copied()
    }

    fn look_up(&self, space: Space, name: &str, note: fn(&UseFlags) -> &AtomicBool) -> Option<DefId> {
        let found = self.find_declared(space, name);
        if let Some(used) = found.and_then(|id| self.uses.get(id.0 as usize)) {
            note(used).store(true, Relaxed);
        }
        found
    }

    /// Definitions that have not been read, each with whether it is written.
    pub(super) fn unread(&self) -> Vec<(DefId, bool)> {
        let unread = self.uses.iter().enumerate().filter(|(_, used)| !used.read.load(Relaxed));
        unread.map(|(id, used)| (DefId(cast::fit::<u32>(id)), used.written.load(Relaxed))).collect()
    }

    /// Returns the definition of this name, if it has never been looked up.
    fn find_unused(&self, name: &str) -> Option<&Definition> {
        let mut named = self.all().filter(|(_, one)| one.name.strip_prefix(AGENTS).unwrap_or(&one.name) == name);
        let (first, one) = named.next()?;
        let used = |id: DefId| self.uses.get(id.0 as usize).is_none_or(|used| used.read.load(Relaxed) || used.written.load(Relaxed));
        (!used(first) && named.all(|(id, _)| !used(id))).then_some(one)
    }

    /// Finds unused names that are similar to an undeclared name which is used in several places. The declaration is then reported as
    /// misspelt, once, in place of the uses. Keys of cards count as uses; `keys` returns how many cards have a key. Returns both names, to
    /// be suppressed in later passes.
    pub(super) fn suppress_followups_of_misspelt(&self, diagnostics: &mut Vec<Diagnostic>, keys: impl Fn(&str) -> usize) -> Vec<String> {
        let mut suspects = Vec::new();
        let missed: BTreeSet<(String, String)> = diagnostics.iter().filter_map(|found| found.unknown.as_deref().cloned()).collect();
        for missing @ (name, meant) in &missed {
            let about = |found: &Diagnostic| found.unknown.as_deref() == Some(missing);
            let places: BTreeSet<Option<(FileId, u32)>> =
                diagnostics.iter().filter(|found| about(found)).map(|found| found.span.map(|span| (span.file, span.start))).collect();
            let another = missed.iter().any(|(other, known)| known == meant && other != name);
            let Some(declared) = self.find_unused(meant).filter(|_| !another) else { continue };
            let of_cards = matches!(declared.kind, DefKind::Field(_)) && keys(meant) == 0;
            let uses = places.len() + if of_cards { keys(name) } else { 0 };
            if uses < 2 {
                continue;
            }
            let first = diagnostics.iter().position(about).unwrap_or(0);
            let diagnostic =
                RuleProblem::MisspeltDeclaration { declared: meant.clone(), used: name.clone(), uses, first: diagnostics[first].span };
            // If a place or kind is misspelt, cards of the kind have no place; that is a consequence.
            let place = matches!(declared.kind, DefKind::Place { .. } | DefKind::Kind(_));
            let follows = |diagnostic: &Diagnostic| place && matches!(diagnostic.problem(), Some(RuleProblem::NoPlaceForKind));
            diagnostics.retain(|diagnostic| !(about(diagnostic) || follows(diagnostic)));
            diagnostics.insert(first.min(diagnostics.len()), diagnostic.at(declared.span));
            suspects.extend([name.clone(), meant.clone()]);
        }
        suspects
    }

    /// Returns the thing that a name stands for, and records a read of the name.
    pub fn kind_of(&self, space: Space, name: &str) -> Option<&DefKind> {
        self.find(space, name).map(|id| &self[id].kind)
    }

    /// Whether a name belongs to a declaration that failed to parse.
    pub fn is_broken(&self, space: Space, name: &str) -> bool {
        self.kind_of(space, name) == Some(&DefKind::Broken)
    }

    /// Lists all definitions, in the order of declaration.
    pub fn all(&self) -> impl Iterator<Item = (DefId, &Definition)> {
        self.all.iter().enumerate().map(|(i, definition)| (DefId(cast::fit::<u32>(i)), definition))
    }

    /// Returns all names of a namespace, in alphabetical order.
    pub fn names(&self, space: Space) -> impl Iterator<Item = &str> {
        self.by_name
            .iter()
            .filter(move |((of, _), id)| *of == space && self[**id].kind != DefKind::Broken)
            .map(|((_, name), _)| name.as_str())
    }

    /// Builds the diagnostic for a name that is unknown in these namespaces.
    pub fn unknown(&self, name: &str, span: Span, what: &str, spaces: &[Space]) -> Box<Diagnostic> {
        let known = spaces.iter().flat_map(|&space| self.names(space));
        let built_in = BUILT_IN.into_iter().filter(|_| spaces.contains(&Space::Value));
        self.unknown_of(name, span, what, known.chain(built_in))
    }

    /// Builds the diagnostic for a name that is not among the known ones.
    pub fn unknown_of<'n>(&self, name: &str, span: Span, what: &str, known: impl IntoIterator<Item = &'n str>) -> Box<Diagnostic> {
        let (name, expected, suggestion) = (name.to_string(), what.to_string(), self.suggest(name, known));
        Box::new(RuleProblem::UnknownName { name, expected, suggestion }.at(span))
    }

    /// Builds the diagnostic for a name that is not among the known ones; `None` if what failed to parse may have declared it.
    pub(super) fn missing<'n>(&self, name: &str, span: Span, what: &str, known: impl IntoIterator<Item = &'n str>) -> Option<Diagnostic> {
        (!self.is_suspect(name)).then(|| *self.unknown_of(name, span, what, known))
    }

    /// Returns the words of a list.
    pub(super) fn words_in(&self, list: u16) -> impl Iterator<Item = &str> {
        self.lists[usize::from(list)].iter().map(String::as_str)
    }

    /// Returns the suggestion for a name that is not among the known ones.
    pub(super) fn suggest<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Suggestion {
        let mut met = BTreeSet::new();
        let known: Vec<&str> = known.into_iter().filter(|known| met.insert(*known)).collect();
        let listed = (1..=MAX_LISTED).contains(&known.len()).then(|| known.join(", "));
        let elsewhere = self.by_name.iter().find(|((_, known), id)| known == name && self[**id].kind != DefKind::Broken);
        match (nearest(name, known.iter().copied()), elsewhere.map(|(_, id)| &self[*id].kind), listed) {
            (Some(near), ..) => Suggestion::Near(near.to_string()),
            (None, Some(DefKind::Card(_)), _) => Suggestion::Card,
            (None, Some(what), listed) => Suggestion::Elsewhere(what.describe(), listed),
            (None, None, Some(listed)) => Suggestion::OneOf(ALLOWED, listed),
            (None, None, None) if known.is_empty() => Suggestion::Unknown,
            (None, None, None) => Suggestion::Words,
        }
    }

    /// Adds the words of what failed to parse to the suspects.
    pub(super) fn add_suspects(&mut self, broken: &[Broken]) {
        self.suspects.extend(broken.iter().flat_map(|broken| &broken.names).map(|name| name.text.clone()));
    }

    /// Whether anything failed to parse.
    pub(super) fn has_suspects(&self) -> bool {
        !self.suspects.is_empty()
    }

    /// Returns all suspects: words of what failed to parse, and names that have been reported.
    pub(super) fn suspects(&self) -> impl Iterator<Item = &str> {
        self.suspects.iter().map(String::as_str)
    }

    /// Adds names that have been reported, so that they are not reported again.
    pub(super) fn add_suspect_names(&mut self, names: Vec<String>) {
        self.suspects.extend(names);
    }

    /// Whether a name may have been declared by something that failed to parse.
    pub fn is_suspect(&self, name: &str) -> bool {
        self.suspects.contains(name)
    }

    /// Returns the options of set-up.
    pub fn options(&self) -> impl Iterator<Item = (DefId, &str, &OptionDef)> {
        self.all().filter_map(
            |(id, one)| {
                if let DefKind::Option(option) = &one.kind { Some((id, one.name.as_str(), option)) } else { None }
            },
        )
    }

    /// Adds a list of words and returns its index.
    pub fn add_list(&mut self, words: Vec<String>) -> u16 {
        self.lists.push(words);
        cast::fit::<u16>(self.lists.len()) - 1
    }

    /// Returns the index of a word in a list.
    pub fn word_in(&self, list: u16, word: &str) -> Option<usize> {
        self.lists[list as usize].iter().position(|known| known.eq_ignore_ascii_case(word))
    }

    /// Returns the list of a type of words.
    pub fn word_list(&self, name: &str) -> Option<u16> {
        if let DefKind::Words(list) = self.kind_of(Space::Words, name)? { Some(*list) } else { None }
    }

    /// Returns the list that contains a word that the rules declare, and its index there; `None` if no list does, or several do.
    pub fn declared_word(&self, word: &str) -> Option<(u16, usize)> {
        let lists = self.all().filter_map(|(_, one)| if let DefKind::Words(list) = one.kind { Some(list) } else { None });
        let mut found = lists.filter_map(|list| Some((list, self.word_in(list, word)?)));
        found.next().filter(|_| found.next().is_none())
    }

    /// Returns the resource of this name.
    pub fn resource(&self, name: &str) -> Option<u16> {
        if let DefKind::Variable { sort: VariableSort::Resource, resource, .. } = self.kind_of(Space::Value, name)? {
            Some(*resource)
        } else {
            None
        }
    }

    /// Returns the names of the resources, in order.
    pub fn resources(&self) -> Vec<&str> {
        self.all.iter().filter(|one| one.kind.is_resource()).map(|one| one.name.as_str()).collect()
    }

    /// Returns the kind of this name.
    pub fn kind(&self, name: &str) -> Option<u16> {
        if let DefKind::Kind(kind) = self.kind_of(Space::Kind, name)? { Some(*kind) } else { None }
    }

    /// Returns the symbol of this name.
    pub fn symbol(&self, name: &str) -> Option<u8> {
        if let DefKind::Symbol(symbol) = self.kind_of(Space::Symbol, name)? { Some(*symbol) } else { None }
    }

    /// Returns the sort of token of this name.
    pub fn token(&self, name: &str) -> Option<u8> {
        if let DefKind::Token(token) = self.kind_of(Space::Token, name)? { Some(*token) } else { None }
    }

    /// Returns the sorts of a kind of token, as a bit set.
    pub fn token_kind(&self, name: &str) -> Option<u64> {
        if let DefKind::TokenKind(sorts) = self.kind_of(Space::TokenKind, name)? { Some(*sorts) } else { None }
    }

    /// Returns the number of a word of this type, and the type of the word, which for an index of printed rows may be that of a resource.
    pub fn word(&self, word: &str, ty: Type) -> Option<(i64, Type)> {
        let index = match ty {
            Type::Resource => self.resource(word)?.into(),
            Type::RowWord => return self.row_word(word).map(|(index, ty)| (index.into(), ty)),
            Type::Kind => self.kind(word)?.into(),
            Type::Symbol => self.symbol(word)?.into(),
            Type::Token => self.token(word)?.into(),
            Type::Choice(list) => cast::count(self.word_in(list, word)?),
            Type::Number | Type::Thousandths | Type::Truth | Type::Card | Type::Space(_) | Type::Seat | Type::Picked | Type::Open(_) => {
                return None;
            }
        };
        Some((index, ty))
    }

    /// Returns the index of a word in printed rows, where resources come first, and the type of the word.
    pub fn row_word(&self, name: &str) -> Option<(u16, Type)> {
        if let Some(resource) = self.resource(name) {
            return Some((resource, Type::Resource));
        }
        let DefKind::RowWord(word) = self.kind_of(Space::RowWord, name)? else { return None };
        Some((cast::fit::<u16>(self.resources().len()) + word, Type::RowWord))
    }
}
