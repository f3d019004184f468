//! The syntax tree: a type for each construct of `grammar/rules.pest`, with its place. Names are not resolved here.
//!
//! A [`Name`] is what was written: one word, or parts joined by dots (`wolf.age`). Where the meaning of words depends on what is
//! declared (`most stable` may be a condition of two words or a rank of a value), the tree keeps them as [`ExprKind::Words`].

#![allow(missing_docs, reason = "the example of each variant shows its parts")]

pub mod decl;
pub mod expr;
pub mod scenario;
pub mod stmt;
pub(super) mod tree;

pub use decl::*;
pub use expr::*;
pub use stmt::*;

use crate::source::Span;
use tree::*;

tree! {
    /// A word, or several joined by dots.
    pub struct Name {
        /// As it is written.
        pub text: String,
        /// Where it stands.
        pub span: Span,
    }

    /// A quoted text, without its quotation marks.
    pub struct Quoted {
        /// What stands between them.
        pub text: String,
        /// With them.
        pub span: Span,
    }

    /// Something that could not be read and has been told. Whoever uses what it would have declared is not blamed.
    pub struct Broken {
        /// Its names: what it would have declared is among them.
        pub names: Vec<Name>,
        /// All of it.
        pub span: Span,
    }
}

impl Name {
    /// What stands before the last dot and what behind it: `wolf.age` is `wolf` and `age`.
    pub fn member(&self) -> Option<(&str, &str)> {
        self.text.rsplit_once('.')
    }
}

/// Lines in braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<T> {
    /// In the order of the text.
    pub items: Vec<T>,
    /// What could not be read; a message has been given for each.
    pub broken: Vec<Broken>,
    /// From brace to brace.
    pub span: Span,
}

impl<T> Block<Vec<T>> {
    /// The same, if a line may say several things.
    pub fn flat(self) -> Block<T> {
        Block { items: self.items.into_iter().flatten().collect(), broken: self.broken, span: self.span }
    }
}

/// A file of rules, a pack's rules, or what was typed: declarations, and what changes others' declarations.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// In the order of the text.
    pub lines: Vec<Line>,
    /// What could not be read.
    pub broken: Vec<Broken>,
}

/// A line of the outermost level.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// What there is.
    Declaration(Declaration),
    /// What is different from what others have declared.
    Operation(Operation),
    /// Operations that can be chosen by a name.
    Variant(Variant),
}

/// The rules of a game when all overlays have been applied: what is resolved and checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// Of the base first, then what overlays add.
    pub declarations: Vec<Declaration>,
    /// What could not be read, in any of the files.
    pub broken: Vec<Broken>,
    /// Addresses that overlays have removed.
    pub removed: Vec<Name>,
    /// What files of the game itself add to or change in what its other files declare.
    pub extended: Vec<Extension>,
    /// What overlays have written anew or taken away.
    pub replaced: Vec<Replaced>,
}

/// A line of the game's own files by which one adds to or changes what another declares: `extend night.moult { … }`.
#[derive(Clone, Debug, PartialEq)]
pub struct Extension {
    /// The game.
    pub game: String,
    /// What has been added or changed; `.*` at the end stands for something without a name of its own.
    pub address: String,
    /// The line.
    pub span: Span,
    /// Where what has been added stands; nothing where something is only changed.
    pub added: Option<Span>,
}

/// An operation of an overlay after which something is no longer read as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    /// The overlay's name.
    pub overlay: String,
    /// What has been replaced or removed.
    pub address: String,
    /// The operation.
    pub span: Span,
    /// What stood there.
    pub old: Span,
}

/// `variant rich "more for all" over other { change bonus by +1 }`
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// What it is chosen by.
    pub name: Name,
    /// What it does, for people.
    pub title: Option<Quoted>,
    /// The overlays whose changes it may overrule.
    pub over: Vec<Name>,
    /// Declarations and operations.
    pub body: Block<Line>,
    /// All of it.
    pub span: Span,
}

/// An operation of an overlay.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    /// Which.
    pub kind: OperationKind,
    /// All of it.
    pub span: Span,
}

/// What an operation does. An address is a [`Name`].
#[derive(Clone, Debug, PartialEq)]
pub enum OperationKind {
    /// `change bonus.2 to 5`
    ChangeTo { address: Name, value: NewValue },
    /// `change bonus by +1`
    ChangeBy { address: Name, minus: bool, amount: Expr },
    /// `replace rank.most x = top 2 by x, ties at the edge in`
    Replace { address: Name, with: Replacement },
    /// `remove bonus.2`
    Remove { address: Name },
    /// `add step dawn before night.spring { … }`; without a place it goes to the outermost level.
    Add { what: Box<Addition>, at: Option<Placement> },
    /// `extend player { counter owls }`
    Extend { address: Name, with: Block<Addition> },
}

/// Where something is added.
#[derive(Clone, Debug, PartialEq)]
pub struct Placement {
    /// On which side of the address.
    pub side: Side,
    /// Of what.
    pub address: Name,
}

/// `before`, `after`, or `to`: at the end inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Ahead of it.
    Before,
    /// Behind it.
    After,
    /// As the last inside it.
    To,
}

/// What `change … to` puts in the place of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum NewValue {
    /// A value.
    Expr(Expr),
    /// `1 to 4`, for `players`.
    Range { from: Expr, to: Expr },
    /// `2 wisp`, for `cost`.
    Cost(Cost),
}

/// What may stand in the place of what an address names, behind its name.
#[derive(Clone, Debug, PartialEq)]
pub enum Replacement {
    /// `= VALUE`, with new parameters perhaps, with bounds for a stat.
    Value { params: Option<Vec<Name>>, value: Expr, bounds: Vec<Bound> },
    /// `= yard, lair`: places of a zone.
    Names(Vec<Name>),
    /// `= a | b, default a`
    Option(OptionValues),
    /// `x = top 2 by x, ties at the edge in`
    Rank(RankRule),
    /// `highest score, then order`
    Wins(WinsRule),
    /// `20: sun | rain`: how many there are of a sort of token, and its faces.
    Sort { count: Expr, faces: Vec<Face> },
    /// `: reach > 2 "too weak"`
    Guard { condition: Expr, reason: Option<Quoted> },
    /// `2 wisp`
    Cost(Cost),
    /// `4 of night, day`
    Rounds(Rounds),
    /// `wolf in den { … }`: what an action is about, what it does.
    Action { params: Vec<ActionParam>, parts: Block<ActionPart> },
    /// `{ … }` with a new condition perhaps; the words ahead of the block stay.
    Block { when: Option<StepWhen>, body: Block<Addition> },
}

/// Whatever can stand in some block and can therefore be added to it.
#[derive(Clone, Debug, PartialEq)]
pub enum Addition {
    /// Of the outermost level.
    Declaration(Declaration),
    /// Of `table`, `player` or `card`.
    Member(Member),
    /// Of a kind.
    Field(Field),
    /// Of `tokens`.
    Sort(TokenSort),
    /// Of a phase or of `setup`.
    Part(PhasePart),
    /// Of an action.
    ActionPart(ActionPart),
    /// Of a question.
    Choice(Choice),
    /// Of a body.
    Statement(Statement),
    /// Of `always`.
    Check(Check),
    /// Of a check.
    CheckLine(CheckLine),
    /// Of a track.
    TrackStep(TrackStep),
    /// Of `score`.
    Row(ScoreRow),
    /// Of a table of values: `4: 5`.
    Entry(Entry),
    /// Of a list: a place of a zone, a phase of the rounds, a kind of a deck, a value of an option.
    Name(Name),
}
