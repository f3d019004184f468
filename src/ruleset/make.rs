//! The constructors of expressions that look at what is declared and printed: see [`Graph`](crate::graph::Graph) for all others.

use crate::graph::{Expr, ExprId, expressions};
use crate::ruleset::Ruleset;

mod loops;
mod substitute;
#[cfg(test)]
mod tests;

/// Makes of the table of all expressions what folds each of them.
macro_rules! constructors {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($(#[$of_member:meta])* $member:ident: $type:ty),* })? [$($is:ident),*] $(=> $($fold:ident).+)?;
    )*) => {
        #[allow(unused_variables, reason = "what is interned as it is is not taken apart")]
        impl Ruleset {
            /// An expression, folded: what can be known of it now is worked out.
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
