//! Definitions: everything that rules and cards name, with what it is and where it stands. Whoever meets a name asks here,
//! and here is said which known name was meant.

use super::syntax::ast::Broken;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::{Lifetime, VariableSort};
use crate::engine::types::Type;
use crate::source::{FileId, Span};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Index of a [`Definition`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DefId(pub u32);

/// Names in different spaces do not meet: a place may have the name of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Values, places, effects: what expressions and statements name.
    Value,
    /// Kinds of cards.
    Kind,
    /// Fields printed on cards that are one value.
    Field,
    /// Fields that are lists.
    List,
    /// Fields that are rows.
    Row,
    /// Counters on cards.
    Counter,
    /// What tokens can show.
    Symbol,
    /// Sorts of tokens.
    Token,
    /// Kinds of tokens.
    TokenKind,
    /// Words that printed rows have beside the resources.
    RowWord,
    /// Moments.
    Moment,
    /// Losses and draws that have a name.
    Loss,
    /// Actions of turns.
    Action,
    /// Phases.
    Phase,
    /// Steps, as `phase.step`.
    Step,
    /// Cards.
    Card,
}

/// Whose a counter or place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The table's.
    Table,
    /// Each player's.
    Player,
    /// Each card's.
    Card,
}

/// Over which words a set or tally goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Resources.
    Resources,
    /// Kinds of cards.
    Kinds,
}

impl Over {
    /// The type of its words.
    pub fn word_type(self) -> Type {
        match self {
            Over::Resources => Type::Resource,
            Over::Kinds => Type::Kind,
        }
    }
}

/// What a field of a kind holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldType {
    /// A number.
    Number,
    /// A list of numbers.
    Numbers,
    /// A number for each resource, and for some words more.
    Row,
    /// A number for each sort of token.
    Tokens,
    /// A resource.
    Resource,
    /// One of an option's values.
    Choice(u16),
    /// A list of cards.
    Cards,
}

impl FieldType {
    /// Where its name stands: a kind may have a number of a name of which another has a list.
    pub fn space(&self) -> Space {
        match self {
            FieldType::Number | FieldType::Resource | FieldType::Choice(_) => Space::Field,
            FieldType::Numbers | FieldType::Cards => Space::List,
            FieldType::Row | FieldType::Tokens => Space::Row,
        }
    }

    /// The type of a field that is one value.
    pub fn single(&self) -> Option<Type> {
        match self {
            FieldType::Number => Some(Type::Number),
            FieldType::Resource => Some(Type::Resource),
            FieldType::Choice(list) => Some(Type::Choice(*list)),
            FieldType::Numbers | FieldType::Row | FieldType::Tokens | FieldType::Cards => None,
        }
    }
}

/// An option of set-up.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionDef {
    /// What can be chosen.
    pub values: Vec<String>,
    /// The values are numbers.
    pub numeric: bool,
    /// Several values may be chosen.
    pub several: bool,
    /// Each player chooses.
    pub each_player: bool,
    /// What holds where nothing is chosen.
    pub default: Vec<String>,
    /// Its list of words.
    pub list: u16,
}

/// What a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceShape {
    /// A face-down pile; one for each age, if it is by age.
    Deck {
        /// One pile for each age.
        by_age: bool,
    },
    /// Rows and columns.
    Grid,
    /// Open slots.
    Slots,
}

/// What a name stands for. Indices are those of the ruleset, which counts each sort of thing in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// An option of set-up.
    Option(OptionDef),
    /// A constant.
    Constant,
    /// A counter, flag, resource, set or tally.
    Variable {
        /// Whose.
        owner: Owner,
        /// What it holds.
        sort: VariableSort,
        /// How long it lasts.
        lifetime: Lifetime,
        /// Over which words it goes, of a set or tally.
        over: Option<Over>,
        /// Of a resource, which one.
        resource: u16,
    },
    /// A place for cards.
    Place {
        /// Its index.
        index: u16,
        /// What it is.
        shape: PlaceShape,
        /// Every player has one.
        of_seat: bool,
    },
    /// Several places.
    Zone(Vec<DefId>),
    /// A pool of tokens.
    Pool(u8),
    /// A kind of card.
    Kind(u16),
    /// A field printed on cards.
    Field(FieldType),
    /// What tokens can show.
    Symbol(u8),
    /// A sort of token.
    Token(u8),
    /// A kind of token: its sorts as a bit set.
    TokenKind(u64),
    /// A word of printed rows: its index behind the resources.
    RowWord(u16),
    /// A number that cards may change; a stat, if people see it.
    Quantity {
        /// Its index.
        index: u16,
        /// People see and compare it.
        stat: bool,
    },
    /// A named expression.
    Define,
    /// A named condition.
    Condition,
    /// The score, or the rounds still to come: what every game with such a declaration has.
    Standing,
    /// Who counts as most or least.
    Rank(u16),
    /// What several cards and rules do.
    Effect(u16),
    /// A moment.
    Moment(u16),
    /// A named loss or draw.
    Loss(u16),
    /// An action of a turn.
    Action,
    /// A phase.
    Phase,
    /// A step of a phase.
    Step,
    /// A card.
    Card(u32),
    /// Its declaration has been told to be wrong: whoever names it is not blamed.
    Broken,
}

impl What {
    /// The number by which the ruleset knows it; 0 for what it knows in another way.
    pub fn index(&self) -> u32 {
        match self {
            What::Card(index) => *index,
            What::Place { index, .. } | What::Quantity { index, .. } => *index as u32,
            What::Kind(index) | What::RowWord(index) | What::Rank(index) => *index as u32,
            What::Effect(index) | What::Moment(index) | What::Loss(index) => *index as u32,
            What::Pool(index) | What::Symbol(index) | What::Token(index) => *index as u32,
            What::Option(_) | What::Constant | What::Variable { .. } | What::Zone(_) | What::Field(_) | What::TokenKind(_) => 0,
            What::Define | What::Condition | What::Standing | What::Action | What::Phase | What::Step | What::Broken => 0,
        }
    }

    /// For people.
    pub fn words(&self) -> &'static str {
        match self {
            What::Option(_) => "an option",
            What::Constant => "a constant",
            What::Variable { sort: VariableSort::Resource, .. } => "a resource",
            What::Variable { sort: VariableSort::Flag, .. } => "a flag",
            What::Variable { sort: VariableSort::Set, .. } => "a set",
            What::Variable { sort: VariableSort::Tally, .. } => "a tally",
            What::Variable { sort: VariableSort::Counter, .. } => "a counter",
            What::Place { shape: PlaceShape::Deck { .. }, .. } => "a deck",
            What::Place { shape: PlaceShape::Grid, .. } => "a grid",
            What::Place { shape: PlaceShape::Slots, .. } => "a place",
            What::Zone(_) => "a zone",
            What::Pool(_) => "a pool",
            What::Kind(_) => "a kind",
            What::Field(_) => "a field of cards",
            What::Symbol(_) => "a symbol",
            What::Token(_) => "a token",
            What::TokenKind(_) => "a kind of token",
            What::RowWord(_) => "a word of a printed row",
            What::Quantity { stat: true, .. } => "a stat",
            What::Quantity { stat: false, .. } => "a quantity",
            What::Define => "a definition",
            What::Condition => "a condition",
            What::Standing => "a number",
            What::Rank(_) => "a rank",
            What::Effect(_) => "an effect",
            What::Moment(_) => "a moment",
            What::Loss(_) => "a named loss or draw",
            What::Action => "an action",
            What::Phase => "a phase",
            What::Step => "a step",
            What::Card(_) => "a card",
            What::Broken => "something that could not be read",
        }
    }
}

/// Something that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it is.
    pub what: What,
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
}

/// Noted while others look on.
#[derive(Debug, Default)]
struct Asked(AtomicBool);

impl Clone for Asked {
    fn clone(&self) -> Asked {
        Asked(AtomicBool::new(self.0.load(Relaxed)))
    }
}

impl std::ops::Index<DefId> for Definitions {
    type Output = Definition;

    fn index(&self, id: DefId) -> &Definition {
        &self.all[id.0 as usize]
    }
}

impl Definitions {
    /// Declares a name.
    ///
    /// # Errors
    /// It is declared already, and both places are told.
    pub fn declare(&mut self, space: Space, name: &str, what: What, span: impl Into<Option<Span>>) -> Result<DefId, Box<Diagnostic>> {
        let span = span.into();
        let known = self.by_name.get(&(space, name.to_string())).copied();
        if let Some(other) = known.map(|id| &self[id]).filter(|other| other.what != What::Broken) {
            let wrong = Diagnostic::error("R013", span, format!("`{name}` is declared twice")).label("again here");
            return Err(Box::new(match other.span {
                Some(place) => wrong.also(place, format!("{} of this name", other.what.words())).help("give one of them another name"),
                None => wrong.help("every game has it"),
            }));
        }
        let id = DefId(self.all.len() as u32);
        self.all.push(Definition { name: name.to_string(), what, span });
        self.asked.push(Asked::default());
        self.by_name.insert((space, name.to_string()), id);
        Ok(id)
    }

    /// The name of a declaration that could not be read, so that nobody who uses it is blamed.
    pub fn poison(&mut self, space: Space, name: &str, span: Span) {
        if self.find(space, name).is_none() {
            let id = DefId(self.all.len() as u32);
            self.all.push(Definition { name: name.to_string(), what: What::Broken, span: Some(span) });
            self.asked.push(Asked::default());
            self.by_name.insert((space, name.to_string()), id);
        }
    }

    /// What has this name.
    pub fn find(&self, space: Space, name: &str) -> Option<DefId> {
        // Looked up by a borrowed name would need a key of another type; names are short.
        let found = self.by_name.get(&(space, name.to_string())).copied();
        if let Some(asked) = found.and_then(|id| self.asked.get(id.0 as usize)) {
            asked.0.store(true, Relaxed);
        }
        found
    }

    /// The definition of this name, if nobody has ever asked for anything by it.
    fn never_asked(&self, name: &str) -> Option<&Definition> {
        let mut named = self.all().filter(|(_, one)| one.name == name);
        let (first, one) = named.next()?;
        let asked = |id: DefId| self.asked.get(id.0 as usize).is_none_or(|asked| asked.0.load(Relaxed));
        (!asked(first) && named.all(|(id, _)| !asked(id))).then_some(one)
    }

    /// Where several miss a name that is nearly one that nobody uses, that one is misspelt where it is declared: it is told there,
    /// once. Gives back both names, of which all has been said.
    pub(super) fn told_where_declared(&self, diagnostics: &mut Vec<Diagnostic>) -> Vec<String> {
        let mut suspects = Vec::new();
        let missed: BTreeSet<(String, String)> = diagnostics.iter().filter_map(|wrong| wrong.unknown.as_deref().cloned()).collect();
        for (name, meant) in &missed {
            let about = |wrong: &Diagnostic| wrong.unknown.as_deref().is_some_and(|unknown| (&unknown.0, &unknown.1) == (name, meant));
            let places: BTreeSet<Option<(FileId, u32)>> =
                diagnostics.iter().filter(|wrong| about(wrong)).map(|wrong| wrong.span.map(|span| (span.file, span.start))).collect();
            let another = missed.iter().any(|(other, known)| known == meant && other != name);
            let Some(declared) = self.never_asked(meant).filter(|_| places.len() > 1 && !another) else { continue };
            let message = format!("`{meant}` is used nowhere, and `{name}`, which nothing declares, is used {} times", places.len());
            let wrong = Diagnostic::error("R010", declared.span, message).label("declared so").meant(Some(name));
            let first = diagnostics.iter().position(about).unwrap_or(0);
            let wrong = diagnostics[first].span.into_iter().fold(wrong, |wrong, span| wrong.also(span, "used here, for example"));
            diagnostics.retain(|wrong| !about(wrong));
            diagnostics.insert(first.min(diagnostics.len()), wrong);
            suspects.extend([name.clone(), meant.clone()]);
        }
        suspects
    }

    /// What a name stands for.
    pub fn what(&self, space: Space, name: &str) -> Option<&What> {
        self.find(space, name).map(|id| &self[id].what)
    }

    /// Whether a name's declaration could not be read.
    pub fn is_broken(&self, space: Space, name: &str) -> bool {
        self.what(space, name) == Some(&What::Broken)
    }

    /// All definitions, in the order in which they were declared.
    pub fn all(&self) -> impl Iterator<Item = (DefId, &Definition)> {
        self.all.iter().enumerate().map(|(i, definition)| (DefId(i as u32), definition))
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
        self.by_name.iter().filter(move |((of, _), id)| *of == space && self[**id].what != What::Broken).map(|((_, name), _)| name.as_str())
    }

    /// The fault of a name that is not known where it stands, with the nearest one that is.
    pub fn unknown(&self, name: &str, span: Span, what: &str, spaces: &[Space]) -> Box<Diagnostic> {
        let known = spaces.iter().flat_map(|&space| self.names(space));
        let built_in = BUILT_IN.into_iter().filter(|_| spaces.contains(&Space::Value));
        self.unknown_of(name, span, what, known.chain(built_in))
    }

    /// The like, among these names; what has the name elsewhere is told where none is near.
    pub fn unknown_of<'n>(&self, name: &str, span: Span, what: &str, known: impl IntoIterator<Item = &'n str>) -> Box<Diagnostic> {
        let wrong = Diagnostic::error("R010", span, format!("`{name}` is not {what}"));
        let known: Vec<&str> = known.into_iter().collect();
        let near = nearest(name, known.iter().copied());
        let elsewhere = self.by_name.iter().find(|((_, known), id)| known == name && self[**id].what != What::Broken);
        Box::new(match (near, elsewhere) {
            (None, Some((_, id))) => wrong.label(format!("this is {}", self[*id].what.words())),
            (None, None) if (1..=MOST_LISTED).contains(&known.len()) => {
                wrong.label("unknown here").unknown(name, None).help(format!("here can stand: {}", known.join(", ")))
            }
            (None, None) if known.len() > MOST_LISTED => {
                wrong.label("unknown here").unknown(name, None).help("`houserule words` lists what there is")
            }
            (near, _) => wrong.label("unknown here").unknown(name, near),
        })
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

    /// Notes names about which all has been said.
    pub(super) fn suspect_names(&mut self, names: Vec<String>) {
        self.suspects.extend(names);
    }

    /// Whether a name may have been declared by what could not be read.
    pub fn is_suspect(&self, name: &str) -> bool {
        self.suspects.contains(name)
    }

    /// Words of a list.
    pub fn add_list(&mut self, words: Vec<String>) -> u16 {
        self.lists.push(words);
        self.lists.len() as u16 - 1
    }

    /// The index of a word in a list.
    pub fn word_in(&self, list: u16, word: &str) -> Option<usize> {
        self.lists[list as usize].iter().position(|known| known.eq_ignore_ascii_case(word))
    }

    /// The resource of this name.
    pub fn resource(&self, name: &str) -> Option<u16> {
        match self.what(Space::Value, name) {
            Some(What::Variable { sort: VariableSort::Resource, resource, .. }) => Some(*resource),
            _ => None,
        }
    }

    /// The names of the resources, in order.
    pub fn resources(&self) -> Vec<&str> {
        let resources = self.all.iter().filter(|one| matches!(one.what, What::Variable { sort: VariableSort::Resource, .. }));
        resources.map(|one| one.name.as_str()).collect()
    }

    /// The kind of this name.
    pub fn kind(&self, name: &str) -> Option<u16> {
        match self.what(Space::Kind, name) {
            Some(What::Kind(kind)) => Some(*kind),
            _ => None,
        }
    }

    /// The symbol of this name.
    pub fn symbol(&self, name: &str) -> Option<u8> {
        match self.what(Space::Symbol, name) {
            Some(What::Symbol(symbol)) => Some(*symbol),
            _ => None,
        }
    }

    /// The sort of token of this name.
    pub fn token(&self, name: &str) -> Option<u8> {
        match self.what(Space::Token, name) {
            Some(What::Token(token)) => Some(*token),
            _ => None,
        }
    }

    /// The sorts of a kind of token, as a bit set.
    pub fn token_kind(&self, name: &str) -> Option<u64> {
        match self.what(Space::TokenKind, name) {
            Some(What::TokenKind(sorts)) => Some(*sorts),
            _ => None,
        }
    }

    /// The index in a printed row of a resource or of a word more.
    pub fn row_word(&self, name: &str) -> Option<(u16, Type)> {
        if let Some(resource) = self.resource(name) {
            return Some((resource, Type::Resource));
        }
        match self.what(Space::RowWord, name) {
            Some(What::RowWord(word)) => Some((self.resources().len() as u16 + word, Type::RowWord)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn at(start: u32) -> Span {
        Span { file: FileId(0), start, end: start + 1 }
    }

    fn some() -> Definitions {
        let mut defs = Definitions::default();
        for (i, name) in ["wisp", "moss"].into_iter().enumerate() {
            let what = What::Variable {
                owner: Owner::Player,
                sort: VariableSort::Resource,
                lifetime: Lifetime::Game,
                over: None,
                resource: i as u16,
            };
            defs.declare(Space::Value, name, what, at(i as u32)).unwrap();
        }
        defs.declare(Space::Kind, "wolf", What::Kind(0), at(5)).unwrap();
        defs.declare(Space::RowWord, "howl", What::RowWord(0), at(6)).unwrap();
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
        let wrong = defs.declare(Space::Value, "wisp", What::Constant, at(9)).unwrap_err();
        assert_eq!((wrong.code, wrong.span, wrong.secondary[0].0), ("R013", Some(at(9)), at(0)));
        assert!(defs.declare(Space::Kind, "wisp", What::Kind(1), at(9)).is_ok(), "another space");
    }

    #[test]
    fn the_nearest_name_is_offered_and_one_of_another_space_is_said_to_be_there() {
        let defs = some();
        let near = defs.unknown("mos", at(9), "a resource", &[Space::Value]);
        assert_eq!(near.help, ["did you mean `moss`?"]);
        let elsewhere = defs.unknown("wolf", at(9), "a resource", &[Space::Value]);
        assert_eq!((elsewhere.label.as_str(), elsewhere.help.len()), ("this is a kind", 0));
    }

    #[test]
    fn a_broken_declaration_can_be_named_and_declared_anew() {
        let mut defs = some();
        defs.poison(Space::Value, "fog", at(3));
        defs.poison(Space::Value, "wisp", at(3));
        assert!(defs.is_broken(Space::Value, "fog") && !defs.is_broken(Space::Value, "wisp"));
        assert!(defs.names(Space::Value).all(|name| name != "fog"));
        assert!(defs.declare(Space::Value, "fog", What::Constant, at(4)).is_ok());
    }
}
