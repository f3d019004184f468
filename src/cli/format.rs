//! Output formats of `check` and `test`: text, JSON, SARIF or GitHub workflow commands, each to the terminal or to a file.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::iter;

use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

use super::output::{OutputFile, check_outputs};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::{Diagnostic, Severity, render::render, visible};
use crate::source::{Sources, Span, uri_path};

/// A format in which `check` and `test` write their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for people.
    Text,
    /// JSON for programs.
    Json,
    /// SARIF 2.1.0, for programs that show diagnostics of any checker.
    Sarif,
    /// GitHub workflow commands, shown beside the source lines.
    Github,
}

/// An output format with its destination: `sarif=report.sarif`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFormat {
    /// The format of this output.
    pub format: Format,
    /// Path of the file to which this format is written; `-` for the terminal.
    pub file: String,
}

impl OutputFormat {
    /// Parses `FORMAT` or `FORMAT=FILE`.
    ///
    /// # Errors
    /// The format is unknown, or the file name is empty.
    pub fn parse(text: &str) -> Result<OutputFormat, String> {
        let (name, file) = text.split_once('=').unwrap_or((text, "-"));
        let format = Format::from_str(name, false);
        let format = format.map_err(|_| format!("there is no format `{name}`; there are text, json, sarif and github"))?;
        if file.is_empty() {
            return Err(format!("`{text}` names no file: leave `=` out for the terminal"));
        }
        Ok(OutputFormat { format, file: file.to_string() })
    }
}

/// All outputs that the user requested. Text goes to the terminal unless another format goes there.
pub struct FormattedOutputs {
    /// Whether text goes to the terminal.
    pub text_on_terminal: bool,
    outs: Vec<(Format, OutputFile)>,
}

impl FormattedOutputs {
    /// Opens all files. The argument of `--json` counts as another output.
    ///
    /// # Errors
    /// A usage error if two outputs have the same destination, or a file cannot be written.
    pub fn open(wanted: &[OutputFormat], json: Option<&String>) -> Result<FormattedOutputs, ExitReason> {
        let mut all: Vec<(&str, OutputFormat)> = wanted.iter().map(|form| ("--format", form.clone())).collect();
        all.extend(json.map(|file| ("--json", OutputFormat { format: Format::Json, file: file.clone() })));
        let format_name =
            |form: &OutputFormat| form.format.to_possible_value().map_or_else(String::new, |name| name.get_name().to_string());
        let named: Vec<(String, Option<String>)> =
            all.iter().map(|(option, form)| (format!("{option} {}", format_name(form)), Some(form.file.clone()))).collect();
        check_outputs(&named.iter().map(|(name, file)| (name.as_str(), file)).collect::<Vec<_>>(), None, iter::empty())?;
        let on_terminal = all.iter().find(|(_, form)| form.file == "-");
        let text_on_terminal = on_terminal.is_none_or(|(_, form)| form.format == Format::Text);
        let written = all.iter().filter(|(_, form)| form.format != Format::Text || form.file != "-");
        let outs = written.map(|(_, form)| Ok((form.format, OutputFile::open(&form.file)?))).collect::<Result<Vec<_>, ExitReason>>()?;
        Ok(FormattedOutputs { text_on_terminal, outs })
    }

    /// Writes the findings in all formats. As text, `drawn` is shown as on the terminal, with `text` behind it; `json` is prepared by the
    /// command.
    ///
    /// # Errors
    /// A usage error if a file cannot be written.
    pub fn write(self, sources: &Sources, found: &[Finding<'_>], json: &impl Serialize, drawn: &[Diagnostic], text: &str) -> CommandResult {
        for (format, out) in self.outs {
            match format {
                Format::Text => out.write_text(&(render(sources, drawn, false) + text))?,
                Format::Json => out.write_json(json)?,
                Format::Sarif => out.write_json(&sarif(sources, found))?,
                Format::Github => out.write_text(&found.iter().map(|found| github(sources, found)).collect::<String>())?,
            }
        }
        Ok(())
    }
}

/// An error, a warning or a failed test, for output formats that show it beside the source line.
#[derive(Clone, Debug)]
pub struct Finding<'a> {
    /// The code of a diagnostic, or the name of a test.
    title: &'a str,
    found: Cow<'a, Diagnostic>,
}

impl<'a> Finding<'a> {
    /// Creates a finding for a failed test, of which `header` is the first line.
    pub fn of_test(name: &'a str, message: &str, header: Span) -> Finding<'a> {
        let message = format!("test `{name}` fails\n{}", message.trim_end());
        Finding { title: name, found: Cow::Owned(Diagnostic::error("test", header, message)) }
    }

    /// Returns the message with all that is said besides.
    fn message(&self) -> String {
        let Diagnostic { message, label, help, trace, .. } = &*self.found;
        let label = if label.is_empty() { String::new() } else { format!(": {label}") };
        let help = help.iter().map(|help| format!("\nhelp: {help}"));
        let trace = trace.iter().map(|from| format!("\nfrom: {from}"));
        [message.clone(), label].into_iter().chain(help).chain(trace).collect()
    }
}

impl<'a> From<&'a Diagnostic> for Finding<'a> {
    fn from(found: &'a Diagnostic) -> Finding<'a> {
        Finding { title: found.code, found: Cow::Borrowed(found) }
    }
}

/// Returns the word of a severity.
fn severity_word(found: &Diagnostic) -> &'static str {
    match found.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A location in a file, with lines and columns from 1; the end column is exclusive.
struct Location<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl Location<'_> {
    /// Converts a span of a source text to a location.
    fn of_span(sources: &Sources, span: Span) -> Location<'_> {
        let (line, column) = sources.line_column(span);
        let (end_line, end_column) = sources.line_column(Span { start: span.end, ..span });
        let name = sources.name(span.file);
        Location { file: name.strip_prefix("./").unwrap_or(name), line, column, end_line, end_column }
    }
}

/// A diagnostic as serialised to JSON.
#[derive(Serialize)]
pub struct DiagnosticOutput<'a> {
    severity: &'static str,
    code: &'static str,
    message: &'a str,
    file: Option<&'a str>,
    line: Option<usize>,
    column: Option<usize>,
    label: &'a str,
    help: &'a [String],
    trace: &'a [String],
    also: Vec<String>,
}

impl<'a> DiagnosticOutput<'a> {
    /// Converts a diagnostic to JSON output.
    pub fn of_diagnostic(sources: &'a Sources, found: &'a Diagnostic) -> DiagnosticOutput<'a> {
        let at = found.span.map(|span| sources.line_column(span));
        DiagnosticOutput {
            severity: severity_word(found),
            code: found.code,
            message: &found.message,
            file: found.span.map(|span| sources.name(span.file)),
            line: at.map(|at| at.0),
            column: at.map(|at| at.1),
            label: &found.label,
            help: &found.help,
            trace: &found.trace,
            also: found.secondary.iter().map(|(span, text)| format!("{}: {text}", sources.place(*span))).collect(),
        }
    }
}

/// Builds a SARIF 2.1.0 log (OASIS): one run with a result for each finding.
fn sarif(sources: &Sources, found: &[Finding<'_>]) -> Value {
    let place = |span: Span| {
        let Location { file, line, column, end_line, end_column } = Location::of_span(sources, span);
        let region = json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column });
        json!({ "artifactLocation": { "uri": uri(file) }, "region": region })
    };
    let codes: Vec<&str> = found.iter().map(|finding| finding.found.code).collect::<BTreeSet<_>>().into_iter().collect();
    let result = |finding: &Finding<'_>| {
        let found = &finding.found;
        let mut result = json!({
            "ruleId": found.code,
            "ruleIndex": codes.iter().position(|code| *code == found.code),
            "level": severity_word(found),
            "message": { "text": finding.message() },
            "locations": found.span.iter().map(|span| json!({ "physicalLocation": place(*span) })).collect::<Vec<_>>(),
        });
        if !found.secondary.is_empty() {
            let also = |(span, text): &(Span, String)| json!({ "physicalLocation": place(*span), "message": { "text": text } });
            result["relatedLocations"] = found.secondary.iter().map(also).collect();
        }
        result
    };
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "houserule",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": codes.iter().map(|code| json!({ "id": code })).collect::<Vec<_>>(),
            } },
            // Columns count characters rather than UTF-16 units.
            "columnKind": "unicodeCodePoints",
            "results": found.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

/// Converts a path to a URI, which is relative if the path is relative.
fn uri(path: &str) -> String {
    format!("{}{}", if path.starts_with('/') { "file://" } else { "" }, uri_path(path))
}

/// Formats a finding as a GitHub workflow command, in which characters with a special meaning are percent-encoded.
fn github(sources: &Sources, finding: &Finding<'_>) -> String {
    let shown = |text: &str| text.split("\r\n").map(|line| visible(line).into_owned()).collect::<Vec<_>>().join("\r\n");
    let text = |text: &str| shown(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    let mut properties = Vec::new();
    if let Some(span) = finding.found.span {
        let at = Location::of_span(sources, span);
        properties.push(format!("file={},line={},endLine={}", property(at.file), at.line, at.end_line));
        // GitHub supports columns only within one line.
        if at.line == at.end_line {
            properties.push(format!("col={},endColumn={}", at.column, at.end_column));
        }
    }
    properties.push(format!("title={}", property(&format!("houserule {}", finding.title))));
    format!("::{} {}::{}\n", severity_word(&finding.found), properties.join(","), text(&finding.message()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    /// A text whose lines have six letters each.
    fn sources() -> Sources {
        let mut sources = Sources::new();
        sources.add("a b/50%,é:x.toml", "abcdef\nabcdef\nabcdef\n");
        sources
    }

    /// The span from the third column of the second line to the end of this line.
    fn up_to(end_line: u32) -> Span {
        Span { file: FileId(0), start: 9, end: end_line * 7 - 1 }
    }

    fn found(span: Option<Span>) -> Diagnostic {
        Diagnostic::warning("C001", span, "50% of it:\r\nall, \"so\"")
    }

    #[test]
    fn a_format_is_read_with_its_file() {
        assert_eq!(OutputFormat::parse("sarif=a=b.sarif"), Ok(OutputFormat { format: Format::Sarif, file: "a=b.sarif".into() }));
        assert_eq!(OutputFormat::parse("github"), Ok(OutputFormat { format: Format::Github, file: "-".into() }));
        assert!(OutputFormat::parse("sariff").unwrap_err().contains("there are text, json, sarif and github"));
        assert!(OutputFormat::parse("json=").is_err());
    }

    #[test]
    fn commands_of_github_are_one_line_each_and_escaped() {
        let github = |found: Diagnostic| github(&sources(), &Finding::from(&found));
        assert_eq!(
            github(found(Some(up_to(2)))),
            "::warning file=a b/50%25%2Cé%3Ax.toml,line=2,endLine=2,col=3,endColumn=7,title=houserule C001::50%25 of it:%0D%0Aall, \"so\"\n"
        );
        let escapes = Diagnostic { message: "\u{1b}[8m\u{202e}".into(), ..found(None) };
        assert_eq!(github(escapes), "::warning title=houserule C001::\\u{1b}[8m\\u{202e}\n");
        assert_eq!(github(found(Some(up_to(3)))).matches("col=").count(), 0);
        assert_eq!(github(found(None)), "::warning title=houserule C001::50%25 of it:%0D%0Aall, \"so\"\n");
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("a b/50%é.toml"), "a%20b/50%25%C3%A9.toml");
        assert_eq!(uri("/a/b"), "file:///a/b");
    }
}
