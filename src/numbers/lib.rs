//! Integer conversions, comparison operators, and sparse regression.

pub mod cast;
pub mod compare;
pub mod elastic_net;
