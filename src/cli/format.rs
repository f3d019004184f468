//! Output formats of `check` and `test`: text, JSON, SARIF or GitHub workflow commands, each to the terminal or to a file.

use std::iter;

use serde::Serialize;
use serde_json::{Value, json};

use super::output::{OutputFile, check_outputs};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::{Diagnostic, Severity, visible};
use crate::source::{Sources, Span, uri_path};

/// A format in which `check` and `test` write their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        let (sort, file) = text.split_once('=').unwrap_or((text, "-"));
        let sort = match sort {
            "text" => Format::Text,
            "json" => Format::Json,
            "sarif" => Format::Sarif,
            "github" => Format::Github,
            _ => return Err(format!("there is no format `{sort}`; there are text, json, sarif and github")),
        };
        if file.is_empty() {
            return Err(format!("`{text}` names no file: leave `=` out for the terminal"));
        }
        Ok(OutputFormat { format: sort, file: file.to_string() })
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
        let besides = json.map(|file| OutputFormat { format: Format::Json, file: file.clone() });
        let mut all: Vec<(&str, OutputFormat)> = wanted.iter().map(|form| ("--format", form.clone())).collect();
        all.extend(besides.map(|form| ("--json", form)));
        let named: Vec<(String, Option<String>)> =
            all.iter().map(|(option, form)| (format!("{option} {}", form.format.name()), Some(form.file.clone()))).collect();
        check_outputs(&named.iter().map(|(name, file)| (name.as_str(), file)).collect::<Vec<_>>(), None, iter::empty())?;
        let on_terminal = all.iter().find(|(_, form)| form.file == "-");
        let text = on_terminal.is_none_or(|(_, form)| form.format == Format::Text);
        let written = all.iter().filter(|(_, form)| form.format != Format::Text || form.file != "-");
        let outs = written.map(|(_, form)| Ok((form.format, OutputFile::open(&form.file)?))).collect::<Result<Vec<_>, ExitReason>>()?;
        Ok(FormattedOutputs { text_on_terminal: text, outs })
    }

    /// Whether text is also written to a file.
    pub fn text_in_file(&self) -> bool {
        self.outs.iter().any(|(sort, _)| *sort == Format::Text)
    }

    /// Writes the findings in all formats; `json` and `text` are prepared by the command.
    ///
    /// # Errors
    /// A usage error if a file cannot be written.
    pub fn write(self, found: &[Finding], json: &impl Serialize, text: &str) -> CommandResult {
        for (sort, out) in self.outs {
            match sort {
                Format::Text => out.write_text(text)?,
                Format::Json => out.write_json(json)?,
                Format::Sarif => out.write_json(&sarif(found))?,
                Format::Github => out.write_text(&found.iter().map(github).collect::<String>())?,
            }
        }
        Ok(())
    }
}

impl Format {
    fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Json => "json",
            Format::Sarif => "sarif",
            Format::Github => "github",
        }
    }
}

/// A location in a file, with lines and columns from 1; the end column is exclusive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl Location {
    /// Converts a span of a source text to a location.
    pub fn of_span(sources: &Sources, span: Span) -> Location {
        let (line, column) = sources.line_column(span);
        let (end_line, end_column) = sources.line_column(Span { start: span.end, ..span });
        let name = sources.name(span.file);
        Location { file: name.strip_prefix("./").unwrap_or(name).to_string(), line, column, end_line, end_column }
    }
}

/// An error, a warning or a failed test, for output formats that show it beside the source line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    is_error: bool,
    code: String,
    title: String,
    message: String,
    at: Option<Location>,
    also: Vec<(Location, String)>,
}

impl Finding {
    /// Converts a diagnostic to a finding.
    pub fn of_diagnostic(sources: &Sources, found: &Diagnostic) -> Finding {
        let mut message = found.message.clone();
        if !found.label.is_empty() {
            message.push_str(&format!(": {}", found.label));
        }
        found.help.iter().for_each(|help| message.push_str(&format!("\nhelp: {help}")));
        found.trace.iter().for_each(|from| message.push_str(&format!("\nfrom: {from}")));
        Finding {
            is_error: found.severity == Severity::Error,
            code: found.code.to_string(),
            title: found.code.to_string(),
            message,
            at: found.span.map(|span| Location::of_span(sources, span)),
            also: found.secondary.iter().map(|(span, text)| (Location::of_span(sources, *span), text.clone())).collect(),
        }
    }

    /// Creates a finding for a failed test.
    pub fn of_test(name: &str, message: &str, at: Location) -> Finding {
        let message = format!("test `{name}` fails\n{}", message.trim_end());
        Finding { is_error: true, code: "test".to_string(), title: name.to_string(), message, at: Some(at), also: Vec::new() }
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
            severity: if found.severity == Severity::Error { "error" } else { "warning" },
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
fn sarif(found: &[Finding]) -> Value {
    let region =
        |at: &Location| json!({ "startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column });
    let place = |at: &Location| json!({ "artifactLocation": { "uri": uri(&at.file) }, "region": region(at) });
    let mut codes: Vec<&str> = found.iter().map(|found| found.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let result = |found: &Finding| {
        let mut result = json!({
            "ruleId": found.code,
            "ruleIndex": codes.iter().position(|code| *code == found.code),
            "level": if found.is_error { "error" } else { "warning" },
            "message": { "text": found.message },
            "locations": found.at.iter().map(|at| json!({ "physicalLocation": place(at) })).collect::<Vec<_>>(),
        });
        if !found.also.is_empty() {
            let also = |(at, text): &(Location, String)| json!({ "physicalLocation": place(at), "message": { "text": text } });
            result["relatedLocations"] = found.also.iter().map(also).collect();
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
fn github(found: &Finding) -> String {
    let shown = |text: &str| text.split("\r\n").map(|line| visible(line).into_owned()).collect::<Vec<_>>().join("\r\n");
    let text = |text: &str| shown(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    let sort = if found.is_error { "error" } else { "warning" };
    let mut properties = Vec::new();
    if let Some(at) = &found.at {
        properties.push(format!("file={},line={},endLine={}", property(&at.file), at.line, at.end_line));
        // GitHub supports columns only within one line.
        if at.line == at.end_line {
            properties.push(format!("col={},endColumn={}", at.column, at.end_column));
        }
    }
    properties.push(format!("title={}", property(&format!("houserule {}", found.title))));
    format!("::{sort} {}::{}\n", properties.join(","), text(&found.message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: usize, end_line: usize) -> Location {
        Location { file: "a b/50%,é:x.toml".into(), line, column: 3, end_line, end_column: 7 }
    }

    fn found(at: Option<Location>) -> Finding {
        Finding {
            is_error: false,
            code: "C001".into(),
            title: "C001".into(),
            message: "50% of it:\r\nall, \"so\"".into(),
            at,
            also: Vec::new(),
        }
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
        assert_eq!(
            github(&found(Some(at(2, 2)))),
            "::warning file=a b/50%25%2Cé%3Ax.toml,line=2,endLine=2,col=3,endColumn=7,title=houserule C001::50%25 of it:%0D%0Aall, \"so\"\n"
        );
        let escapes = Finding { message: "\u{1b}[8m\u{202e}".into(), ..found(None) };
        assert_eq!(github(&escapes), "::warning title=houserule C001::\\u{1b}[8m\\u{202e}\n");
        assert_eq!(github(&found(Some(at(2, 3)))).matches("col=").count(), 0);
        assert_eq!(github(&found(None)), "::warning title=houserule C001::50%25 of it:%0D%0Aall, \"so\"\n");
    }

    #[test]
    fn paths_are_uris() {
        assert_eq!(uri("a b/50%é.toml"), "a%20b/50%25%C3%A9.toml");
        assert_eq!(uri("/a/b"), "file:///a/b");
    }
}
