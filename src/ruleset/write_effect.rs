//! What has to be done when a cell is written.

use crate::state::terms::Lifetime;

/// What has to be done when a cell is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WriteEffect {
    /// The class of the cell; 0 if nothing depends on it.
    pub class: u32,
    /// The seat that owns it, or what stands for the table and for pieces.
    pub owner: u8,
    /// Its lifetime, if it lasts only for a while.
    pub lifetime: Option<Lifetime>,
    /// If it is a temporary difference of a quantity, how far behind it their sum lies; otherwise 0.
    pub to_sum: u8,
    /// Whether the state-based checks read it.
    pub is_checked: bool,
}
