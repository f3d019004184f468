//! Which tokens can pay a symbol.

use crate::cast;
use crate::tokens::{Exchange, TokenClass, mask_of, shown_count};

/// The most of a symbol that a face may show.
pub const MAX_SHOWN: usize = 9;

/// A class of tokens that can help to pay a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payer {
    /// The index of the class of tokens.
    pub class: u8,
    /// How much of the symbol one token shows; 0 for a substitute, of which several count together.
    pub value: u8,
}

/// The tokens that can pay a symbol.
#[derive(Clone, Debug)]
pub struct Payers {
    /// The classes, in declared order.
    pub classes: Vec<Payer>,
    /// The classes whose tokens show the symbol themselves, without substitutes.
    pub showing: Vec<Payer>,
    /// The classes whose tokens are substitutes for the symbol, as a mask for summing counts in lanes; empty if there are none.
    pub standing_in: Box<[i32]>,
}

/// Finds for each symbol the tokens that can pay it.
pub fn find_payers(symbols: usize, all_classes: &[TokenClass], exchange: Option<Exchange>) -> Vec<Payers> {
    let of = |symbol: usize| {
        let stands_in = |token: u8| exchange.is_some_and(|e| e.tokens >> token & 1 == 1 && e.symbols >> symbol & 1 == 1);
        let all = all_classes.iter().enumerate().map(|(class, shown)| (class, shown.token, shown_count(shown, symbol)));
        let useful = all.filter(|&(_, token, value)| value > 0 || stands_in(token));
        let classes: Vec<Payer> = useful.map(|(class, _, value)| Payer { class: cast::fit::<u8>(class), value }).collect();
        let idle = classes.iter().filter(|payer| payer.value == 0).fold(0, |idle, payer| idle | 1 << payer.class);
        let standing_in = if idle == 0 { Box::default() } else { mask_of(all_classes, idle) };
        let showing = classes.iter().copied().filter(|payer| payer.value > 0).collect();
        Payers { classes, showing, standing_in }
    };
    (0..symbols).map(of).collect()
}
