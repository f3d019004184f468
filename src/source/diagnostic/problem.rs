//! Problems as values: a variant with named fields, whose code, severity and texts are declared in one table for each crate. Code that
//! looks for a problem compares values instead of texts.

use super::Diagnostic;
use crate::source::Span;
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A kind of problem in a file. [`problems!`](crate::problems) implements it for an enum.
pub trait Problem: Any + Debug + Send + Sync {
    /// Builds the diagnostic for the problem, without a place.
    fn text(&self) -> Diagnostic;

    /// Whether the other problem is equal, including its type.
    fn is(&self, other: &dyn Problem) -> bool;
}

/// A problem of any type, shared.
#[derive(Clone, Debug)]
pub struct SharedProblem(Arc<dyn Problem>);

impl PartialEq for SharedProblem {
    fn eq(&self, other: &SharedProblem) -> bool {
        self.0.is(&*other.0)
    }
}

impl Diagnostic {
    /// Creates the diagnostic of a problem at a place.
    pub fn of(problem: impl Problem, span: impl Into<Option<Span>>) -> Diagnostic {
        let text = problem.text();
        Diagnostic { span: span.into(), problem: Some(SharedProblem(Arc::new(problem))), ..text }
    }

    /// Returns the problem of this diagnostic, if it has this type.
    pub fn problem<P: Problem>(&self) -> Option<&P> {
        let problem: &dyn Any = &*self.problem.as_ref()?.0;
        problem.downcast_ref()
    }

    /// Whether another diagnostic was made from an equal problem, at the same or another place.
    pub fn is_same_problem(&self, other: &Diagnostic) -> bool {
        self.problem.is_some() && self.problem == other.problem
    }
}

/// Declares an enum of problems with the table of their texts. A row gives severity, code, the variant with its fields, the message and
/// then calls of [`Diagnostic`]'s methods such as `label`, `help` or `also_at`. A text in quotes can name the fields; an expression stands
/// in parentheses and sees references to them.
///
/// ```text
/// problems! {
///     pub(crate) enum Problem {
///         error R013 ParameterTwice { name: String } => "parameter `{name}` is declared twice" help "rename one of them";
///     }
/// }
/// self.report(Problem::ParameterTwice { name }.at(span));
/// ```
#[macro_export]
macro_rules! problems {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($severity:ident $code:ident $variant:ident $({ $($field:ident: $type:ty),* $(,)? })? => $message:tt $($method:ident $text:tt)*;)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        $vis enum $name { $($variant $({ $($field: $type),* })?),* }

        impl $name {
            /// Builds the diagnostic of this problem at a place; `None` if it has no place.
            $vis fn at(self, span: impl Into<Option<$crate::source::Span>>) -> $crate::diagnostic::Diagnostic {
                $crate::diagnostic::Diagnostic::of(self, span)
            }
        }

        impl $crate::diagnostic::Problem for $name {
            fn text(&self) -> $crate::diagnostic::Diagnostic {
                match self {
                    $(Self::$variant $({ $($field),* })? => {
                        $crate::diagnostic::Diagnostic::$severity(stringify!($code), None, $crate::problem_text!($message))
                            $(.$method($crate::problem_text!($text)))*
                    })*
                }
            }

            fn is(&self, other: &dyn $crate::diagnostic::Problem) -> bool {
                (other as &dyn std::any::Any).downcast_ref() == Some(self)
            }
        }
    };
}

/// A text of the table: a string literal that may name fields, or an expression in parentheses.
#[doc(hidden)]
#[macro_export]
macro_rules! problem_text {
    ($text:literal) => {
        format!($text)
    };
    (($text:expr)) => {
        $text
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Severity;

    problems! {
        enum Fault {
            error R001 Twice { name: String, first: Option<Span> } => "`{name}` is declared twice" label "again here"
                also_at (first.map(|span| (span, "first here")));
            warning R002 Odd => (String::from("this is odd")) helps (["look again", "or leave it"]);
        }
    }

    #[test]
    fn a_problem_becomes_a_diagnostic_that_still_knows_it() {
        let twice = || Fault::Twice { name: "wisp".to_string(), first: None };
        let found = twice().at(None);
        assert_eq!((found.code, found.message.as_str(), found.label.as_str()), ("R001", "`wisp` is declared twice", "again here"));
        assert_eq!(found.problem(), Some(&twice()));
        assert!(found.is_same_problem(&twice().at(None)) && !found.is_same_problem(&Fault::Odd.at(None)));
        assert_eq!((Fault::Odd.at(None).severity, Fault::Odd.at(None).help.len()), (Severity::Warning, 2));
        let plain = Diagnostic::error("R001", None, "`wisp` is declared twice");
        assert!(plain.problem::<Fault>().is_none() && !plain.is_same_problem(&plain));
    }
}
