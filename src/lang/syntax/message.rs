//! What is said about what cannot be read.

use super::grammar::Rule;
use super::scan::Scanned;
use crate::diagnostic::Diagnostic;

pub(super) fn unread(scanned: &Scanned<'_>, _alone: Rule, start: usize, end: usize) -> Diagnostic {
    Diagnostic::error("R002", scanned.span(start, end), "cannot be read")
}
