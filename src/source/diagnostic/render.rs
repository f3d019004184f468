//! Renders diagnostics as text: the message, the source line with the place underlined, advice and call stack.

mod crop;

use std::fmt::Write;
use std::ops::Range;

use codespan_reporting::diagnostic as drawn;
use codespan_reporting::term::{self, Config, Styles, StylesWriter, termcolor::Ansi};

use self::crop::{CleanSources, CroppedSources};
use super::{Diagnostic, Severity, visible};
use crate::source::{FileId, Sources, Span, floor_boundary};

/// Renders diagnostics in order, each followed by an empty line. Invisible characters are escaped, and in source lines replaced by a
/// visible one.
pub fn render(sources: &Sources, diagnostics: &[Diagnostic], color: bool) -> String {
    let config = Config::default();
    let mut out = String::new();
    let places = diagnostics.iter().flat_map(|one| one.span.into_iter().chain(one.secondary.iter().map(|(span, _)| *span)));
    let clean = CleanSources::replace_invisible(sources, places.map(|span| span.file));
    for diagnostic in diagnostics {
        match draw(&clean, diagnostic, &config, color) {
            Some(text) => out.push_str(&text),
            None => draw_plainly(diagnostic, &mut out),
        }
    }
    out
}

fn draw(clean: &CleanSources<'_>, diagnostic: &Diagnostic, config: &Config, color: bool) -> Option<String> {
    let (sources, drawn) = drawn_of(clean, diagnostic);
    if color {
        let styles = Styles::default();
        let mut buffer = Vec::new();
        let mut writer = StylesWriter::new(Ansi::new(&mut buffer), &styles);
        term::emit_to_write_style(&mut writer, config, &sources, &drawn).ok()?;
        String::from_utf8(buffer).ok()
    } else {
        term::emit_into_string(config, &sources, &drawn).ok()
    }
}

/// Renders a diagnostic without a source line, if its file cannot be displayed.
fn draw_plainly(diagnostic: &Diagnostic, out: &mut String) {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{severity}[{}]: {}", diagnostic.code, visible(&diagnostic.message));
    for note in notes_of(diagnostic) {
        let _ = writeln!(out, "  = {note}");
    }
    out.push('\n');
}

fn drawn_of<'s>(clean: &'s CleanSources<'s>, diagnostic: &Diagnostic) -> (CroppedSources<'s>, drawn::Diagnostic<FileId>) {
    let sources = clean.sources;
    let severity = match diagnostic.severity {
        Severity::Error => drawn::Severity::Error,
        Severity::Warning => drawn::Severity::Warning,
    };
    let spans = diagnostic.span.into_iter().chain(diagnostic.secondary.iter().map(|(span, _)| *span));
    let places: Vec<_> = spans.map(|span| (span.file, range_of(sources, span))).collect();
    let cropped = CroppedSources::new(clean, &places);
    let mut labels = Vec::new();
    if let Some(span) = diagnostic.span {
        let place = cropped.place(span.file, range_of(sources, span));
        labels.push(drawn::Label::primary(span.file, place).with_message(visible(&diagnostic.label)));
    }
    for (span, text) in &diagnostic.secondary {
        let place = cropped.place(span.file, range_of(sources, *span));
        labels.push(drawn::Label::secondary(span.file, place).with_message(visible(text)));
    }
    let drawn = drawn::Diagnostic::new(severity)
        .with_code(diagnostic.code)
        .with_message(visible(&diagnostic.message))
        .with_labels(labels)
        .with_notes(notes_of(diagnostic));
    (cropped, drawn)
}

fn notes_of(diagnostic: &Diagnostic) -> Vec<String> {
    let help = diagnostic.help.iter().map(|text| format!("help: {}", visible(text)));
    let trace = diagnostic.trace.iter().map(|text| format!("from: {}", visible(text)));
    help.chain(trace).collect()
}

/// Returns the byte range of a span, extended to character boundaries, so that any file can be rendered.
fn range_of(sources: &Sources, span: Span) -> Range<usize> {
    let text = sources.text(span.file);
    let start = floor_boundary(text, span.start as usize);
    let end = floor_boundary(text, span.end as usize).max(start);
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_the_place_underlined() {
        let mut sources = Sources::new();
        let file = sources.add("wisp.rules", "step wolf {\n  move wall to graveyrad\n}\n");
        let span = Span { file, start: 27, end: 36 };
        let diagnostic = Diagnostic::error("R012", span, "unknown place `graveyrad`")
            .label("no place has this name")
            .meant(Some("graveyard"))
            .trace("step wolf");
        let text = render(&sources, &[diagnostic], false);
        assert_eq!(
            text,
            "error[R012]: unknown place `graveyrad`\n  ┌─ wisp.rules:2:16\n  │\n2 │   move wall to graveyrad\n  │                ^^^^^^^^^ \
             no place has this name\n  │\n  = help: did you mean `graveyard`?\n  = from: step wolf\n\n"
        );
    }

    #[test]
    fn of_a_long_line_only_what_stands_around_the_place_is_drawn() {
        let mut sources = Sources::new();
        let text = format!("wall\n{}wolf{}\nden\n", "é ".repeat(9_000), " x".repeat(9_000));
        let start = text.find("wolf").unwrap_or(0) as u32;
        let den = text.find("den").unwrap_or(0) as u32;
        let file = sources.add("wisp", text);
        let span = |start, len| Span { file, start, end: start + len };
        let text = render(&sources, &[Diagnostic::error("P001", span(start, 4), "long").also(span(den, 3), "far")], false);
        assert!(text.starts_with("error[P001]: long\n  ┌─ wisp:2:18001\n") && text.len() < 800, "{text}");
        assert!(text.contains("é é wolf x x") && text.contains("3 │ den\n  │ --- far"), "{text}");
        let marks = |line: &str, sign: char| line.chars().position(|c| c == sign);
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| line.contains("wolf")).unwrap_or(0);
        assert_eq!(marks(lines[at], 'w'), marks(lines[at + 1], '^'), "{text}");
    }

    #[test]
    fn nothing_from_a_file_moves_the_cursor_or_turns_the_line() {
        let mut sources = Sources::new();
        let file = sources.add("wi\u{1b}sp", "a\u{1b}[8m \u{202e}wolf\u{85}\rb\r\nc");
        let span = Span { file, start: 9, end: 13 };
        let text = render(&sources, &[Diagnostic::error("R001", span, "\u{1b}[8m").label("\u{202e}").help("\r").trace("\u{7}")], false);
        assert!(!text.contains(super::super::is_unseen), "{text:?}");
        assert!(text.contains("error[R001]: \\u{1b}[8m\n") && text.contains("wi\\u{1b}sp:1:"), "{text}");
        assert!(text.contains("a?[8m \u{fffd}wolf·?b\n") && text.contains("^^^^ \\u{202e}\n"), "{text}");
        assert!(text.contains("help: \\u{d}\n") && text.contains("from: \\u{7}\n"), "{text}");
    }

    #[test]
    fn a_place_in_no_file_is_told_without_a_picture() {
        let span = Span { file: FileId(3), start: 0, end: 1 };
        let text = render(&Sources::new(), &[Diagnostic::error("G001", span, "wisp").help("wolf")], true);
        assert_eq!(text, "error[G001]: wisp\n  = help: wolf\n\n");
    }

    #[test]
    fn a_place_inside_a_character_or_behind_the_end_is_drawn() {
        let mut sources = Sources::new();
        let file = sources.add("wisp", "é…");
        for (start, end) in [(1, 1), (1, 4), (4, 2), (9, 99)] {
            let text = render(&sources, &[Diagnostic::error("P001", Span { file, start, end }, "wolf")], false);
            assert!(text.starts_with("error[P001]: wolf\n"));
        }
    }
}
