//! The syntax tree: a type with a span for each construct of `grammar/rules.pest`. Names are not resolved here.
//!
//! The `span` of a node is the place of the whole construct, `name` what it is called, and `body` what is done.
//!
//! A [`Name`] is kept as it is written: one word, or parts joined by dots (`wolf.age`). Where the meaning of several words depends on
//! declarations (`most stable` may be a condition of two words or a rank of a value), the tree keeps them as [`ExprKind::Words`].

#![allow(missing_docs, reason = "the example of each variant shows its parts, and what all nodes have is told above")]

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
        /// The text of the name as it is written.
        pub text: String,
        pub span: Span,
    }

    /// A quoted text.
    pub struct Quoted {
        /// The text without its quotation marks.
        pub text: String,
        /// Where the text is written, with its quotation marks.
        pub span: Span,
    }

    /// Text that could not be parsed and has been reported. Uses of names that it may have declared are not reported.
    pub struct Broken {
        /// All names in the text; those that it would have declared are among them.
        pub names: Vec<Name>,
        pub span: Span,
    }
}

impl Name {
    /// Splits a name at its last dot: `wolf.age` is `wolf` and `age`.
    pub fn member(&self) -> Option<(&str, &str)> {
        self.text.rsplit_once('.')
    }
}

/// A construct with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed<K> {
    /// The sort of construct, with its operands.
    pub kind: K,
    pub span: Span,
}

/// A block: lines in braces.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<T> {
    /// The lines, in source order.
    pub items: Vec<T>,
    /// Lines that could not be parsed; each has been reported.
    pub broken: Vec<Broken>,
    /// The span from the opening to the closing brace.
    pub span: Span,
}

impl<T> Block<Vec<T>> {
    /// Flattens the items of lines that declare several things.
    pub fn flat(self) -> Block<T> {
        Block { items: self.items.into_iter().flatten().collect(), broken: self.broken, span: self.span }
    }
}

/// A file of rules, of a game or a pack, or rules typed on the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct File {
    /// The lines, in source order.
    pub lines: Vec<Line>,
    /// Lines that could not be parsed.
    pub broken: Vec<Broken>,
}

/// A line at the top level of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A declaration, such as `counter owls` in `player`.
    Declaration(Declaration),
    /// A change to declarations of other files.
    Operation(Operation),
    /// A variant: a named group of changes that can be chosen.
    Variant(Variant),
}

/// The rules of a game with all overlays applied, which is the input of the checker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rules {
    /// Declarations of the base, followed by those that overlays add.
    pub declarations: Vec<Declaration>,
    /// Lines of any file that could not be parsed.
    pub broken: Vec<Broken>,
    /// The addresses that overlays remove.
    pub removed: Vec<Name>,
    /// Changes that files of the game itself make to declarations of its other files: `extend night.moult { … }`.
    pub extended: Vec<Written>,
    /// All changes that overlays have made, in order.
    pub written: Vec<Written>,
}

/// A change by an overlay, with what was there before.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The name of the overlay; for a file of the game itself, the id of the game.
    pub overlay: String,
    /// The address that is changed or added; it ends in `.*` for items without names of their own.
    pub address: String,
    /// The place of the item before; `None` if it was added.
    pub old: Option<Span>,
    /// The place of the operation.
    pub span: Span,
    /// The place of the added item; `None` if the operation only changes something.
    pub added: Option<Span>,
    /// Whether what was there is replaced or removed.
    pub replaced: bool,
}

impl Written {
    /// Returns the place of the operation, or of the item that it added.
    pub fn new_place(&self) -> Span {
        self.added.unwrap_or(self.span)
    }
}

tree! {
    /// A variant: `variant rich "more for all" over other { change bonus by +1 }`.
    pub struct Variant = parts {
        /// The name by which the variant is chosen.
        pub name: Name,
        /// A description for players.
        pub title: Option<Quoted>,
        /// The names of the overlays whose changes the variant can overrule.
        pub over: Vec<Name>,
        /// The declarations and operations that the variant consists of.
        pub body: Block<Line>,
        pub span: Span,
    }
}

/// An operation of an overlay on the declarations of others.
pub type Operation = Placed<OperationKind>;

tree! {
    /// The operations of overlays. Addresses are parsed as [`Name`]s.
    pub enum OperationKind {
        /// An operation such as `change bonus.2 to 5`.
        ChangeTo { address: Name, value: NewValue },
        /// An operation such as `change bonus by +1`.
        ChangeBy { address: Name, minus: bool, amount: Expr },
        /// An operation such as `replace rank.most x = top 2 by x, ties at the edge in`.
        Replace { address: Name, with: Replacement } = replace,
        /// An operation such as `remove bonus.2`.
        Remove { address: Name } = delete,
        /// `add step dawn before night.spring { … }`; without a placement it is added at the top level.
        Add { what: Box<Addition>, at: Option<Placement> },
        /// An operation such as `extend player { counter owls }`.
        Extend { address: Name, with: Block<Addition> } = extend,
    }
}

/// The position of an addition relative to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `before`: directly before the address.
    Before,
    /// `after`: directly after the address.
    After,
    /// `to`: at the end of the list or block at the address.
    To,
}

tree! {
    /// Where an addition is inserted.
    pub struct Placement = parts {
        /// The side of the address on which it is inserted.
        pub side: Side,
        /// The address beside or inside which it is inserted.
        pub address: Name,
    }

    /// The operand of `change … to`.
    pub enum NewValue {
        /// An expression, for all other values.
        Expr(Expr),
        /// `1 to 4`, for `players`.
        Range { from: Expr, to: Expr } = range,
        /// `2 wisp`, for `cost`.
        Cost(Cost as whole) = price,
    }

    /// The operand of `replace`: everything that can follow the name of an address.
    pub enum Replacement {
        /// `= VALUE`, optionally with new parameters, and with bounds for a stat.
        Value { params: Option<Vec<Name>>, value: Expr, bounds: Vec<Bound> } = new_value_of,
        /// `= yard, lair`: the places of a zone.
        Names(Vec<Name>),
        /// A replacement such as `= a | b, default a`.
        Option(OptionValues) = new_option,
        /// A replacement such as `x = top 2 by x, ties at the edge in`.
        Rank(RankRule as whole) = rank_rule,
        /// A replacement such as `highest score, then order`.
        Wins(WinsRule as whole) = wins_rule,
        /// `20: sun | rain`: the number of tokens of a sort, and their faces.
        Sort { count: Expr, faces: Vec<Face> } = sort_rule,
        /// A replacement such as `: reach > 2 "too weak"`.
        Guard { condition: Expr, reason: Option<Quoted> } = new_guard,
        /// A replacement such as `2 wisp`.
        Cost(Cost as whole) = price,
        /// A replacement such as `4 of night, day`.
        Rounds(Rounds as whole) = rounds_rule,
        /// `wolf in den { … }`: the parameters and the body of an action.
        Action { params: Vec<ActionParam>, parts: Block<ActionPart> } = new_action,
        /// `{ … }`, optionally with a new condition; the words before the block stay.
        Block { when: Option<StepWhen>, body: Block<Addition> } = new_block,
    }

    /// An item that can be added to a list or block; the variants say to which.
    pub enum Addition {
        /// An item at the top level of a file.
        Declaration(Declaration),
        /// An item of `table`, `player` or `card`.
        Member(Member as whole) = resource_of | counter | flag | set | tally | each_lifetime | deck_of | grid | hexes | place | pool,
        /// A field of a kind of card.
        Field(Field),
        /// A space of a board, or a link.
        Space(Space as whole) = space | link,
        /// What is drawn of a board.
        Drawn(Drawn as whole) = drawn,
        /// A line of a purse.
        Means(Means as whole) = means,
        /// A sort of token in `tokens`.
        Sort(TokenSort as whole) = sort,
        /// A part of a phase or of `setup`.
        Part(PhasePart),
        /// A part of an action.
        ActionPart(ActionPart) = needs | cost_from | cost | does,
        /// A choice of a question.
        Choice(Choice),
        /// A statement of a block.
        Statement(Statement),
        /// A check in `always`.
        Check(Check as whole) = check,
        /// A line of a check.
        CheckLine(CheckLine as whole) = check_leaving | check_room,
        /// A line of a track.
        TrackStep(TrackStep as whole) = track_step,
        /// A row in `score`.
        Row(ScoreRow as whole) = score_row,
        /// An entry of a table of values, such as `4: 5`.
        Entry(Entry as whole) = entry,
        /// In a list of names: a place of a zone, a phase of a round, a kind of a deck, a value of an option.
        Name(Name),
    }
}
