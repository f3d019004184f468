//! Game state as plain values: one flat array of integer cells, and its layout.

pub mod chance;
pub mod layout;
pub mod terms;
