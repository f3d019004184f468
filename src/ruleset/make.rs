//! Constructors of expressions that read declarations and printed numbers; [`Graph`](crate::graph::Graph) has all others.

use crate::graph::{Expr, ExprId, expressions};
use crate::ruleset::Ruleset;

mod loops;
mod substitute;
#[cfg(test)]
mod tests;

/// Writes the function that calls the right constructor for each row of the table of expressions.
macro_rules! constructors {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($(#[$of_member:meta])* $member:ident: $type:ty),* })? [$($is:ident),*]
            $(reads [$($read:tt)*])? $(in $range:ident)? $(=> $($fold:ident).+)?;
    )*) => {
        #[allow(unused_variables, reason = "what is interned as it is is not taken apart")]
        impl Ruleset {
            /// Creates an expression: folds constants, or interns it.
            pub fn make(&mut self, expr: Expr) -> ExprId {
                match expr {
                    $(Expr::$name $({ $($member),* })? => constructors!(@make self expr [$($($member),*)?] $($($fold).+)?),)*
                }
            }
        }
    };
    (@make $rules:ident $expr:ident [$($member:ident),*]) => { $rules.graph.add($expr) };
    (@make $rules:ident $expr:ident [$($member:ident),*] $($fold:ident).+) => { $rules.$($fold).+($($member),*) };
}

expressions!(constructors);
