//! Integer conversions and comparison operators.

pub mod cast;
pub mod compare;
