//! Names: what they stand for, and what an expression is.

use crate::engine::eval::LOCALS;
use crate::engine::ruleset::NodeId;
use crate::lang::ast::Term;
use crate::source::Span;

/// What an expression is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number.
    Number,
    /// Thousandths, in `worth` only.
    Milli,
    /// Yes or no.
    Truth,
    /// A card, or none.
    Card,
    /// A seat.
    Seat,
    /// One of the resources.
    Resource,
    /// One of the kinds.
    Kind,
    /// One of the values of an option or field: index of the list of words.
    Choice(u16),
    /// What tokens can show.
    Symbol,
    /// A sort of token.
    Token,
    /// A token that was picked.
    Picked,
    /// A parameter, which may be anything.
    Any,
}

impl Type {
    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Type::Number => "a number",
            Type::Milli => "a number with decimals",
            Type::Truth => "a condition",
            Type::Card => "a card",
            Type::Seat => "a player",
            Type::Resource => "a resource",
            Type::Kind => "a kind",
            Type::Choice(_) => "one of several words",
            Type::Symbol => "a symbol",
            Type::Token => "a token",
            Type::Picked => "a picked token",
            Type::Any => "anything",
        }
    }
}

/// What a declared name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    SeatVariable(usize),
    TableVariable(usize),
    PieceVariable(usize),
    Place(usize),
    Zone(Vec<u16>),
    Kind(u16),
    Rank(u16),
    Condition(NodeId),
    Quantity(u16),
    Constant(Vec<Term>),
    Define { params: Vec<String>, body: Vec<Term> },
    Effect(u16),
    Option(usize),
    Pool(u8),
}

impl Symbol {
    /// For people.
    pub fn words(&self) -> &'static str {
        match self {
            Symbol::SeatVariable(_) | Symbol::TableVariable(_) | Symbol::PieceVariable(_) => "a counter",
            Symbol::Place(_) => "a place",
            Symbol::Zone(_) => "a zone",
            Symbol::Kind(_) => "a kind",
            Symbol::Rank(_) => "a rank",
            Symbol::Condition(_) => "a condition",
            Symbol::Quantity(_) => "a quantity",
            Symbol::Constant(_) => "a constant",
            Symbol::Define { .. } => "a definition",
            Symbol::Effect(_) => "an effect",
            Symbol::Option(_) => "an option",
            Symbol::Pool(_) => "a pool",
        }
    }
}

/// A declared name with the place of its declaration.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub symbol: Symbol,
    pub span: Span,
}

/// An option of set-up.
#[derive(Clone, Debug)]
pub(super) struct GameOption {
    pub name: String,
    pub values: Vec<String>,
    /// Whole numbers from the first to the last value.
    pub numeric: bool,
    pub several: bool,
    pub each_player: bool,
    /// What was chosen for the table.
    pub chosen: Vec<String>,
    /// Seat variable, when each player chooses.
    pub variable: Option<usize>,
    pub choice: u16,
}

/// Names bound around an expression.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    pub(super) bound: Vec<(String, NodeId, Type)>,
    pub(super) next: usize,
    /// Cards and seats can be named: scenarios.
    pub open: bool,
    /// How many definitions are being read within each other.
    pub(super) depth: u32,
}

impl Scope {
    /// Nothing bound; locals from this one on are free.
    pub fn from(next: usize) -> Scope {
        Scope { next, ..Scope::default() }
    }

    /// A free local, or nothing when there are too many within each other.
    pub(super) fn local(&mut self) -> Option<u8> {
        if self.next >= LOCALS {
            return None;
        }
        self.next += 1;
        Some(self.next as u8 - 1)
    }

    pub(super) fn find(&self, name: &str) -> Option<(NodeId, Type)> {
        self.bound.iter().rev().find(|b| b.0 == name).map(|b| (b.1, b.2))
    }
}
