//! What can pay a symbol.

use crate::cast;
use crate::tokens::{Exchange, TokenClass, mask_of, shows};

/// A face shows up to this many of a symbol.
pub const MOST_SHOWN: usize = 9;

/// A class of tokens that can help to pay a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payer {
    /// The class.
    pub class: u8,
    /// How much one of them shows; 0 for what stands in together with others.
    pub value: u8,
}

/// What can pay a symbol.
#[derive(Clone, Debug)]
pub struct Payers {
    /// The classes that can help, in declared order.
    pub classes: Vec<Payer>,
    /// Those of them that show it.
    pub showing: Vec<Payer>,
    /// The classes that stand in together with others, as a mask that whole rows of counts are summed by; empty where nothing can.
    pub standing_in: Box<[i32]>,
}

/// For each of so many symbols what can pay it.
pub fn payers_of(symbols: usize, all_classes: &[TokenClass], exchange: Option<Exchange>) -> Vec<Payers> {
    let of = |symbol: usize| {
        let stands_in = |token: u8| exchange.is_some_and(|e| e.tokens >> token & 1 == 1 && e.symbols >> symbol & 1 == 1);
        let all = all_classes.iter().enumerate().map(|(class, shown)| (class, shown.token, shows(shown, symbol)));
        let useful = all.filter(|&(_, token, value)| value > 0 || stands_in(token));
        let classes: Vec<Payer> = useful.map(|(class, _, value)| Payer { class: cast::fit::<u8>(class), value }).collect();
        let idle = classes.iter().filter(|payer| payer.value == 0).fold(0, |idle, payer| idle | 1 << payer.class);
        let standing_in = if idle == 0 { Box::default() } else { mask_of(all_classes, idle) };
        let showing = classes.iter().copied().filter(|payer| payer.value > 0).collect();
        Payers { classes, showing, standing_in }
    };
    (0..symbols).map(of).collect()
}
