//! Definitions: everything that rules and cards name, with what it is and where it stands. Whoever meets a name asks here,
//! and here is said which known name was meant.

mod kind;

pub use kind::{DefKind, FieldType, OptionDef, Over, Owner, PlaceShape, Space};

use super::problem::{ALLOWED, Instead, Problem};
use super::syntax::ast::Broken;
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::node::Type;
use crate::engine::ruleset::VariableSort;
use crate::source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Ahead of names that only what moves machine players knows.
pub const AGENTS: &str = "agents.";

/// Index of a [`Definition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(pub u32);

/// Something that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it is.
    pub what: DefKind,
    /// Where it is declared; nothing for what is there in every game.
    pub span: Option<Span>,
}

/// Words that stand for values in every game.
pub const BUILT_IN: [&str; 5] = ["round", "turn", "players", "place_in_order", "me"];

/// So many names that could stand somewhere are listed.
const MOST_LISTED: usize = 8;

/// Everything that has a name.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    all: Vec<Definition>,
    by_name: BTreeMap<(Space, String), DefId>,
    /// Of each definition, whether somebody has asked for it by its name.
    asked: Vec<Asked>,
    /// Lists of words: the values of options.
    pub lists: Vec<Vec<String>>,
    /// Words of declarations that could not be read: what they would have declared is among them.
    suspects: BTreeSet<String>,
    /// Cards may be missing because they could not be read; that has been told.
    pub(super) cards_missing: bool,
}

/// Noted while others look on: whether somebody asked for it, and whether somebody only to write it.
#[derive(Debug, Default)]
struct Asked {
    read: AtomicBool,
    written: AtomicBool,
}

impl Clone for Asked {
    fn clone(&self) -> Asked {
        let [read, written] = [&self.read, &self.written].map(|one| AtomicBool::new(one.load(Relaxed)));
        Asked { read, written }
    }
}

impl std::ops::Index<DefId> for Definitions {
    type Output = Definition;

    fn index(&self, id: DefId) -> &Definition {
        &self.all[id.0 as usize]
    }
}

/// How many names a game can declare: whatever is numbered among its like is numbered in 16 bits.
pub const MAX_DEFINITIONS: usize = 65_535;

impl Definitions {
    /// Declares a name.
    ///
    /// # Errors
    /// It is declared already, and both places are told; or more is declared than there can be.
    pub fn declare(&mut self, space: Space, name: &str, what: DefKind, span: impl Into<Option<Span>>) -> Result<DefId, Box<Diagnostic>> {
        let span = span.into();
        let known = self.by_name.get(&(space, name.to_string())).copied();
        if let Some(other) = known.map(|id| &self[id]).filter(|other| other.what != DefKind::Broken) {
            let by = other.span.map(|place| (place, other.what.describe()));
            return Err(Box::new(Problem::NameTaken { name: name.to_string(), by }.at(span)));
        }
        if self.all.len() >= MAX_DEFINITIONS {
            let (what, help) = ("names, those of its cards included", "declare fewer, or make two games of them");
            return Err(Box::new(Problem::TooMany { whose: "a game", most: MAX_DEFINITIONS, what, help }.at(span)));
        }
        let id = DefId(cast::fit::<u32>(self.all.len()));
        self.all.push(Definition { name: name.to_string(), what, span });
        self.asked.push(Asked::default());
        self.by_name.insert((space, name.to_string()), id);
        Ok(id)
    }

    /// The name of a declaration that could not be read, so that nobody who uses it is blamed.
    pub fn poison(&mut self, space: Space, name: &str, span: Span) {
        if self.find(space, name).is_none() {
            let id = DefId(cast::fit::<u32>(self.all.len()));
            self.all.push(Definition { name: name.to_string(), what: DefKind::Broken, span: Some(span) });
            self.asked.push(Asked::default());
            self.by_name.insert((space, name.to_string()), id);
        }
    }

    /// What has this name.
    pub fn find(&self, space: Space, name: &str) -> Option<DefId> {
        self.look_up(space, name, |asked| &asked.read)
    }

    /// What has this name, for who writes to it.
    pub(super) fn find_to_write(&self, space: Space, name: &str) -> Option<DefId> {
        self.look_up(space, name, |asked| &asked.written)
    }

    /// What has this name, for who declares it once more: nobody asks for it thereby.
    pub(super) fn declared(&self, space: Space, name: &str) -> Option<DefId> {
        self.by_name.get(&(space, name.to_string())).copied()
    }

    fn look_up(&self, space: Space, name: &str, note: fn(&Asked) -> &AtomicBool) -> Option<DefId> {
        // Looked up by a borrowed name would need a key of another type; names are short.
        let found = self.by_name.get(&(space, name.to_string())).copied();
        if let Some(asked) = found.and_then(|id| self.asked.get(id.0 as usize)) {
            note(asked).store(true, Relaxed);
        }
        found
    }

    /// What nobody has asked for by now but to write it, and whether somebody did that.
    pub(super) fn unread(&self) -> Vec<(DefId, bool)> {
        let unread = self.asked.iter().enumerate().filter(|(_, asked)| !asked.read.load(Relaxed));
        unread.map(|(id, asked)| (DefId(cast::fit::<u32>(id)), asked.written.load(Relaxed))).collect()
    }

    /// The definition of this name, if nobody has ever asked for anything by it.
    fn never_asked(&self, name: &str) -> Option<&Definition> {
        let mut named = self.all().filter(|(_, one)| one.name.strip_prefix(AGENTS).unwrap_or(&one.name) == name);
        let (first, one) = named.next()?;
        let asked = |id: DefId| self.asked.get(id.0 as usize).is_none_or(|asked| asked.read.load(Relaxed) || asked.written.load(Relaxed));
        (!asked(first) && named.all(|(id, _)| !asked(id))).then_some(one)
    }

    /// Where several places use a name that nothing has but that is nearly one that nobody uses, the declaration is misspelt: it is
    /// reported once, there, in place of its uses. Keys of cards count as uses; `keys` says how many have a name. Gives back both names,
    /// about which nothing more need be said.
    pub(super) fn suppress_followups_of_misspelt(&self, diagnostics: &mut Vec<Diagnostic>, keys: impl Fn(&str) -> usize) -> Vec<String> {
        let mut suspects = Vec::new();
        let missed: BTreeSet<(String, String)> = diagnostics.iter().filter_map(|wrong| wrong.unknown.as_deref().cloned()).collect();
        for (name, meant) in &missed {
            let about = |wrong: &Diagnostic| wrong.unknown.as_deref().is_some_and(|unknown| (&unknown.0, &unknown.1) == (name, meant));
            let places: BTreeSet<Option<(FileId, u32)>> =
                diagnostics.iter().filter(|wrong| about(wrong)).map(|wrong| wrong.span.map(|span| (span.file, span.start))).collect();
            let another = missed.iter().any(|(other, known)| known == meant && other != name);
            let Some(declared) = self.never_asked(meant).filter(|_| !another) else { continue };
            let of_cards = matches!(declared.what, DefKind::Field(_)) && keys(meant) == 0;
            let uses = places.len() + if of_cards { keys(name) } else { 0 };
            if uses < 2 {
                continue;
            }
            let first = diagnostics.iter().position(about).unwrap_or(0);
            let wrong = Problem::MisspeltDeclaration { declared: meant.clone(), used: name.clone(), uses, first: diagnostics[first].span };
            // That no card of some kind can ever lie anywhere follows from a misspelt place or kind.
            let place = matches!(declared.what, DefKind::Place { .. } | DefKind::Kind(_));
            let follows = |wrong: &Diagnostic| place && matches!(wrong.problem(), Some(Problem::NoPlaceForKind));
            diagnostics.retain(|wrong| !(about(wrong) || follows(wrong)));
            diagnostics.insert(first.min(diagnostics.len()), wrong.at(declared.span));
            suspects.extend([name.clone(), meant.clone()]);
        }
        suspects
    }

    /// What a name stands for.
    pub fn what(&self, space: Space, name: &str) -> Option<&DefKind> {
        self.find(space, name).map(|id| &self[id].what)
    }

    /// Whether a name's declaration could not be read.
    pub fn is_broken(&self, space: Space, name: &str) -> bool {
        self.what(space, name) == Some(&DefKind::Broken)
    }

    /// All definitions, in the order in which they were declared.
    pub fn all(&self) -> impl Iterator<Item = (DefId, &Definition)> {
        self.all.iter().enumerate().map(|(i, definition)| (DefId(cast::fit::<u32>(i)), definition))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The names of a space, in alphabetical order.
    pub fn names(&self, space: Space) -> impl Iterator<Item = &str> {
        self.by_name
            .iter()
            .filter(move |((of, _), id)| *of == space && self[**id].what != DefKind::Broken)
            .map(|((_, name), _)| name.as_str())
    }

    /// What is reported of a name that nothing in these spaces has.
    pub fn unknown(&self, name: &str, span: Span, what: &str, spaces: &[Space]) -> Box<Diagnostic> {
        let known = spaces.iter().flat_map(|&space| self.names(space));
        let built_in = BUILT_IN.into_iter().filter(|_| spaces.contains(&Space::Value));
        self.unknown_of(name, span, what, known.chain(built_in))
    }

    /// What is reported of a name that is none of these.
    pub fn unknown_of<'n>(&self, name: &str, span: Span, what: &str, known: impl IntoIterator<Item = &'n str>) -> Box<Diagnostic> {
        let (name, expected, instead) = (name.to_string(), what.to_string(), self.instead(name, known));
        Box::new(Problem::UnknownName { name, expected, instead }.at(span))
    }

    /// What can be written instead of a name that none of these has.
    pub(super) fn instead<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Instead {
        let known: Vec<&str> = known.into_iter().collect();
        let listed = (1..=MOST_LISTED).contains(&known.len()).then(|| known.join(", "));
        let elsewhere = self.by_name.iter().find(|((_, known), id)| known == name && self[**id].what != DefKind::Broken);
        match (nearest(name, known.iter().copied()), elsewhere.map(|(_, id)| &self[*id].what), listed) {
            (Some(near), ..) => Instead::Near(near.to_string()),
            (None, Some(DefKind::Card(_)), _) => Instead::Card,
            (None, Some(what), listed) => Instead::Elsewhere(what.describe(), listed),
            (None, None, Some(listed)) => Instead::OneOf(ALLOWED, listed),
            (None, None, None) if known.is_empty() => Instead::Unknown,
            (None, None, None) => Instead::Words,
        }
    }

    /// Notes the words of what could not be read.
    pub(super) fn suspect(&mut self, broken: &Broken) {
        self.suspects.extend(broken.names.iter().map(|name| name.text.clone()));
    }

    /// Notes the words of whatever in a block could not be read.
    pub(super) fn suspect_all(&mut self, broken: &[Broken]) {
        broken.iter().for_each(|broken| self.suspect(broken));
    }

    /// Whether something could not be read.
    pub(super) fn has_suspects(&self) -> bool {
        !self.suspects.is_empty()
    }

    /// The words of what could not be read, and names about which all has been said.
    pub(super) fn suspects(&self) -> impl Iterator<Item = &str> {
        self.suspects.iter().map(String::as_str)
    }

    /// Notes names about which all has been said.
    pub(super) fn suspect_names(&mut self, names: Vec<String>) {
        self.suspects.extend(names);
    }

    /// Whether a name may have been declared by what could not be read.
    pub fn is_suspect(&self, name: &str) -> bool {
        self.suspects.contains(name)
    }

    /// The options of set-up.
    pub fn options(&self) -> impl Iterator<Item = (DefId, &str, &OptionDef)> {
        self.all().filter_map(|(id, one)| {
            let DefKind::Option(option) = &one.what else { return None };
            Some((id, one.name.as_str(), option))
        })
    }

    /// Words of a list.
    pub fn add_list(&mut self, words: Vec<String>) -> u16 {
        self.lists.push(words);
        cast::fit::<u16>(self.lists.len()) - 1
    }

    /// The index of a word in a list.
    pub fn word_in(&self, list: u16, word: &str) -> Option<usize> {
        self.lists[list as usize].iter().position(|known| known.eq_ignore_ascii_case(word))
    }

    /// The resource of this name.
    pub fn resource(&self, name: &str) -> Option<u16> {
        match self.what(Space::Value, name) {
            Some(DefKind::Variable { sort: VariableSort::Resource, resource, .. }) => Some(*resource),
            _ => None,
        }
    }

    /// The names of the resources, in order.
    pub fn resources(&self) -> Vec<&str> {
        let resources = self.all.iter().filter(|one| matches!(one.what, DefKind::Variable { sort: VariableSort::Resource, .. }));
        resources.map(|one| one.name.as_str()).collect()
    }

    /// The kind of this name.
    pub fn kind(&self, name: &str) -> Option<u16> {
        match self.what(Space::Kind, name) {
            Some(DefKind::Kind(kind)) => Some(*kind),
            _ => None,
        }
    }

    /// The symbol of this name.
    pub fn symbol(&self, name: &str) -> Option<u8> {
        match self.what(Space::Symbol, name) {
            Some(DefKind::Symbol(symbol)) => Some(*symbol),
            _ => None,
        }
    }

    /// The sort of token of this name.
    pub fn token(&self, name: &str) -> Option<u8> {
        match self.what(Space::Token, name) {
            Some(DefKind::Token(token)) => Some(*token),
            _ => None,
        }
    }

    /// The sorts of a kind of token, as a bit set.
    pub fn token_kind(&self, name: &str) -> Option<u64> {
        match self.what(Space::TokenKind, name) {
            Some(DefKind::TokenKind(sorts)) => Some(*sorts),
            _ => None,
        }
    }

    /// The index in a printed row of a resource or of a word more.
    pub fn row_word(&self, name: &str) -> Option<(u16, Type)> {
        if let Some(resource) = self.resource(name) {
            return Some((resource, Type::Resource));
        }
        match self.what(Space::RowWord, name) {
            Some(DefKind::RowWord(word)) => Some((cast::fit::<u16>(self.resources().len()) + word, Type::RowWord)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ruleset::Lifetime;

    fn at(start: u32) -> Span {
        Span { file: FileId(0), start, end: start + 1 }
    }

    fn some() -> Definitions {
        let mut defs = Definitions::default();
        for (i, name) in ["wisp", "moss"].into_iter().enumerate() {
            let what = DefKind::Variable {
                owner: Owner::Player,
                sort: VariableSort::Resource,
                lifetime: Lifetime::Game,
                over: None,
                resource: i as u16,
            };
            defs.declare(Space::Value, name, what, at(i as u32)).unwrap();
        }
        defs.declare(Space::Kind, "wolf", DefKind::Kind(0), at(5)).unwrap();
        defs.declare(Space::RowWord, "howl", DefKind::RowWord(0), at(6)).unwrap();
        defs
    }

    #[test]
    fn a_name_is_found_in_its_space_only() {
        let defs = some();
        assert_eq!((defs.resource("moss"), defs.kind("moss"), defs.kind("wolf")), (Some(1), None, Some(0)));
        assert_eq!(defs.row_word("howl"), Some((2, Type::RowWord)));
        assert_eq!(defs.row_word("wisp"), Some((0, Type::Resource)));
    }

    #[test]
    fn a_second_declaration_is_told_with_both_places() {
        let mut defs = some();
        let wrong = defs.declare(Space::Value, "wisp", DefKind::Constant, at(9)).unwrap_err();
        assert_eq!((wrong.code, wrong.span, wrong.secondary[0].0), ("R013", Some(at(9)), at(0)));
        assert!(defs.declare(Space::Kind, "wisp", DefKind::Kind(1), at(9)).is_ok(), "another space");
    }

    #[test]
    fn the_nearest_name_is_offered_and_one_of_another_space_is_said_to_be_there() {
        let defs = some();
        let near = defs.unknown("mos", at(9), "a resource", &[Space::Value]);
        assert_eq!(near.help, ["did you mean `moss`?"]);
        let elsewhere = defs.unknown("wolf", at(9), "a resource", &[Space::Value]);
        assert_eq!((elsewhere.label.as_str(), elsewhere.help.len()), ("this is a kind", 1));
        assert!(elsewhere.help[0].starts_with("allowed here: "), "{:?}", elsewhere.help);
    }

    #[test]
    fn a_broken_declaration_can_be_named_and_declared_anew() {
        let mut defs = some();
        defs.poison(Space::Value, "fog", at(3));
        defs.poison(Space::Value, "wisp", at(3));
        assert!(defs.is_broken(Space::Value, "fog") && !defs.is_broken(Space::Value, "wisp"));
        assert!(defs.names(Space::Value).all(|name| name != "fog"));
        assert!(defs.declare(Space::Value, "fog", DefKind::Constant, at(4)).is_ok());
    }
}
