//! What `check` and `test` have found, as text, JSON, SARIF or GitHub's workflow commands, each to the terminal or into a file.

use std::iter;

use serde::Serialize;
use serde_json::{Value, json};

use super::output::{Out, outputs_apart};
use super::{Done, Trouble};
use crate::diagnostic::{Diagnostic, Severity, visible};
use crate::source::{Sources, Span, uri_path};

/// How something is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// For people.
    Text,
    /// For programs.
    Json,
    /// For programs that show faults of any checker: SARIF 2.1.0.
    Sarif,
    /// Workflow commands, which GitHub shows beside the lines.
    Github,
}

/// How something is written, and where: `sarif=report.sarif`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// How.
    pub sort: Sort,
    /// The file; `-` for the terminal.
    pub file: String,
}

impl Form {
    /// Reads `FORMAT` or `FORMAT=FILE`.
    ///
    /// # Errors
    /// That there is no such format, or that the file has no name.
    pub fn parse(text: &str) -> Result<Form, String> {
        let (sort, file) = text.split_once('=').unwrap_or((text, "-"));
        let sort = match sort {
            "text" => Sort::Text,
            "json" => Sort::Json,
            "sarif" => Sort::Sarif,
            "github" => Sort::Github,
            _ => return Err(format!("there is no format `{sort}`; there are text, json, sarif and github")),
        };
        if file.is_empty() {
            return Err(format!("`{text}` names no file: leave `=` out for the terminal"));
        }
        Ok(Form { sort, file: file.to_string() })
    }
}

/// All that is to be written. Text goes to the terminal unless something else does.
pub struct Forms {
    /// Text goes to the terminal.
    pub text: bool,
    outs: Vec<(Sort, Out)>,
}

impl Forms {
    /// Opens everything. What `--json` names is one more.
    ///
    /// # Errors
    /// Wrong use, if two go to one place, or a file cannot be written.
    pub fn open(wanted: &[Form], json: Option<&String>) -> Result<Forms, Trouble> {
        let besides = json.map(|file| Form { sort: Sort::Json, file: file.clone() });
        let mut all: Vec<(&str, Form)> = wanted.iter().map(|form| ("--format", form.clone())).collect();
        all.extend(besides.map(|form| ("--json", form)));
        let named: Vec<(String, Option<String>)> =
            all.iter().map(|(option, form)| (format!("{option} {}", form.sort.word()), Some(form.file.clone()))).collect();
        outputs_apart(&named.iter().map(|(name, file)| (name.as_str(), file)).collect::<Vec<_>>(), None, iter::empty())?;
        let on_terminal = all.iter().find(|(_, form)| form.file == "-");
        let text = on_terminal.is_none_or(|(_, form)| form.sort == Sort::Text);
        let written = all.iter().filter(|(_, form)| form.sort != Sort::Text || form.file != "-");
        let outs = written.map(|(_, form)| Ok((form.sort, Out::open(&form.file)?))).collect::<Result<Vec<_>, Trouble>>()?;
        Ok(Forms { text, outs })
    }

    /// Whether the text goes into a file, too.
    pub fn text_in_file(&self) -> bool {
        self.outs.iter().any(|(sort, _)| *sort == Sort::Text)
    }

    /// Writes what was found in every form that was wanted; `json` and `text` are made by the command.
    ///
    /// # Errors
    /// Wrong use, if something cannot be written.
    pub fn write(self, found: &[Found], json: &impl Serialize, text: &str) -> Done {
        for (sort, out) in self.outs {
            match sort {
                Sort::Text => out.text(text)?,
                Sort::Json => out.json(json)?,
                Sort::Sarif => out.json(&sarif(found))?,
                Sort::Github => out.text(&found.iter().map(github).collect::<String>())?,
            }
        }
        Ok(())
    }
}

impl Sort {
    fn word(self) -> &'static str {
        match self {
            Sort::Text => "text",
            Sort::Json => "json",
            Sort::Sarif => "sarif",
            Sort::Github => "github",
        }
    }
}

/// A place in a file, lines and columns from 1; the end is the first column behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    file: String,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl At {
    /// Where something stands.
    pub fn of(sources: &Sources, span: Span) -> At {
        let (line, column) = sources.line_column(span);
        let (end_line, end_column) = sources.line_column(Span { start: span.end, ..span });
        let name = sources.name(span.file);
        At { file: name.strip_prefix("./").unwrap_or(name).to_string(), line, column, end_line, end_column }
    }
}

/// Something that was found, for programs that show it beside the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    is_error: bool,
    code: String,
    title: String,
    message: String,
    at: Option<At>,
    also: Vec<(At, String)>,
}

impl Found {
    /// A fault of a text.
    pub fn of(sources: &Sources, found: &Diagnostic) -> Found {
        let mut message = found.message.clone();
        if !found.label.is_empty() {
            message.push_str(&format!(": {}", found.label));
        }
        found.help.iter().for_each(|help| message.push_str(&format!("\nhelp: {help}")));
        found.trace.iter().for_each(|from| message.push_str(&format!("\nfrom: {from}")));
        Found {
            is_error: found.severity == Severity::Error,
            code: found.code.to_string(),
            title: found.code.to_string(),
            message,
            at: found.span.map(|span| At::of(sources, span)),
            also: found.secondary.iter().map(|(span, text)| (At::of(sources, *span), text.clone())).collect(),
        }
    }

    /// A test that fails.
    pub fn of_test(name: &str, message: &str, at: At) -> Found {
        let message = format!("test `{name}` fails\n{}", message.trim_end());
        Found { is_error: true, code: "test".to_string(), title: name.to_string(), message, at: Some(at), also: Vec::new() }
    }
}

/// As a log of SARIF 2.1.0 (OASIS): one run with one result for each.
fn sarif(found: &[Found]) -> Value {
    let region = |at: &At| json!({ "startLine": at.line, "startColumn": at.column, "endLine": at.end_line, "endColumn": at.end_column });
    let place = |at: &At| json!({ "artifactLocation": { "uri": uri(&at.file) }, "region": region(at) });
    let mut codes: Vec<&str> = found.iter().map(|found| found.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    let result = |found: &Found| {
        let mut result = json!({
            "ruleId": found.code,
            "ruleIndex": codes.iter().position(|code| *code == found.code),
            "level": if found.is_error { "error" } else { "warning" },
            "message": { "text": found.message },
            "locations": found.at.iter().map(|at| json!({ "physicalLocation": place(at) })).collect::<Vec<_>>(),
        });
        if !found.also.is_empty() {
            let also = |(at, text): &(At, String)| json!({ "physicalLocation": place(at), "message": { "text": text } });
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
            // Columns are counted in characters, not in UTF-16.
            "columnKind": "unicodeCodePoints",
            "results": found.iter().map(result).collect::<Vec<_>>(),
        }],
    })
}

/// A path as a URI, relative if it is.
fn uri(path: &str) -> String {
    format!("{}{}", if path.starts_with('/') { "file://" } else { "" }, uri_path(path))
}

/// A workflow command of GitHub: what belongs to the command's own marks is written as `%`, its code and nothing else.
fn github(found: &Found) -> String {
    let shown = |text: &str| text.split("\r\n").map(|line| visible(line).into_owned()).collect::<Vec<_>>().join("\r\n");
    let text = |text: &str| shown(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |value: &str| text(value).replace(':', "%3A").replace(',', "%2C");
    let sort = if found.is_error { "error" } else { "warning" };
    let mut properties = Vec::new();
    if let Some(at) = &found.at {
        properties.push(format!("file={},line={},endLine={}", property(&at.file), at.line, at.end_line));
        // GitHub knows columns only within one line.
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

    fn at(line: usize, end_line: usize) -> At {
        At { file: "a b/50%,é:x.toml".into(), line, column: 3, end_line, end_column: 7 }
    }

    fn found(at: Option<At>) -> Found {
        Found {
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
        assert_eq!(Form::parse("sarif=a=b.sarif"), Ok(Form { sort: Sort::Sarif, file: "a=b.sarif".into() }));
        assert_eq!(Form::parse("github"), Ok(Form { sort: Sort::Github, file: "-".into() }));
        assert!(Form::parse("sariff").unwrap_err().contains("there are text, json, sarif and github"));
        assert!(Form::parse("json=").is_err());
    }

    #[test]
    fn commands_of_github_are_one_line_each_and_escaped() {
        assert_eq!(
            github(&found(Some(at(2, 2)))),
            "::warning file=a b/50%25%2Cé%3Ax.toml,line=2,endLine=2,col=3,endColumn=7,title=houserule C001::50%25 of it:%0D%0Aall, \"so\"\n"
        );
        let escapes = Found { message: "\u{1b}[8m\u{202e}".into(), ..found(None) };
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
