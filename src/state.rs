//! A game as plain values: one flat slice of integer cells, and where everything lies in it.

pub mod chance;
pub mod layout;
