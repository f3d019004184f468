//! Conversion of diagnostics to those of the language server protocol.

use std::path::{Path, PathBuf};

use lsp_types::{Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range};

use super::documents::uri_of;
use super::position::range_of;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::{Sources, Span};

/// Converts a span to a location for the editor; `None` inside embedded files.
pub(super) fn to_editor_location(sources: &Sources, span: Span) -> Option<Location> {
    let path = Path::new(sources.name(span.file));
    let range = range_of(sources.text(span.file), span.start as usize, span.end as usize);
    path.has_root().then(|| uri_of(path)).flatten().map(|uri| Location { uri, range })
}

/// Converts a diagnostic to the editor's form, and returns it with the file in which it is shown. A diagnostic without a location is shown
/// at the top of `home`.
pub(super) fn to_editor_diagnostic(sources: &Sources, found: &Diagnostic, home: &Path) -> (PathBuf, Shown) {
    let place = found.span.and_then(|span| Some((span, to_editor_location(sources, span)?)));
    let mut message = found.message.clone();
    if !found.label.is_empty() {
        message.push_str(&format!(" ({})", found.label));
    }
    if let (Some(span), None) = (found.span, &place) {
        message.push_str(&format!("\nin {}, which is inside the program", sources.place(span)));
    }
    found.help.iter().for_each(|help| message.push_str(&format!("\nhelp: {help}")));
    found.trace.iter().for_each(|trace| message.push_str(&format!("\n{trace}")));
    let mut related = Vec::new();
    for (span, text) in &found.secondary {
        match to_editor_location(sources, *span) {
            Some(location) => related.push(DiagnosticRelatedInformation { location, message: text.clone() }),
            None => message.push_str(&format!("\n{}: {text}", sources.place(*span))),
        }
    }
    let severity = match found.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let (path, range) = match place {
        Some((span, location)) => (PathBuf::from(sources.name(span.file)), location.range),
        None => (home.to_path_buf(), Range::default()),
    };
    let shown = Shown {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(found.code.to_string())),
        source: Some("houserule".to_string()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        ..Shown::default()
    };
    (path, shown)
}

/// Makes an editor diagnostic that concerns a whole document.
pub(super) fn document_diagnostic(text: String) -> Shown {
    let severity = Some(DiagnosticSeverity::INFORMATION);
    Shown { severity, source: Some("houserule".to_string()), message: text, ..Shown::default() }
}
