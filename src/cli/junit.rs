//! The JUnit form of test results, an XML file that build servers read.

use std::fmt::Write;

use crate::diagnostic::{Diagnostic, Severity, render::render};
use crate::scenario::run::FileReport;
use crate::source::Sources;

/// How many tests there are, were skipped, failed, and had errors.
type Counts = [usize; 4];

/// Returns test results as the text of a JUnit file. What kept the files of a report from being read is a test of its own there. Characters
/// that XML cannot hold are replaced by U+FFFD.
pub fn junit_report(sources: &Sources, reports: &[FileReport]) -> String {
    let suites: Vec<(Counts, String)> = reports.iter().map(|report| suite(sources, report)).collect();
    let [tests, skipped, failures, errors] = [0, 1, 2, 3].map(|at: usize| suites.iter().map(|(counts, _)| counts[at]).sum::<usize>());
    let suites: String = suites.into_iter().map(|(_, xml)| xml).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"houserule\" tests=\"{tests}\" skipped=\"{skipped}\" failures=\"{failures}\" errors=\"{errors}\">\n\
         {suites}</testsuites>\n"
    )
}

/// Returns the element of a report with those of its tests.
fn suite(sources: &Sources, report: &FileReport) -> (Counts, String) {
    let name = attribute(&report.name);
    let case = |case: &str, seconds: f64, inside: Option<String>| {
        let head = format!("        <testcase name=\"{}\" classname=\"{name}\" time=\"{seconds:.3}\"", attribute(case));
        match inside {
            Some(element) => format!("{head}>\n            {element}\n        </testcase>\n"),
            None => format!("{head}/>\n"),
        }
    };
    let told = |tag: &str, line: &str, full: &str| Some(format!("<{tag} message=\"{}\">{}</{tag}>", attribute(line), escaped(full, "")));
    let mut cases = String::new();
    for ran in &report.cases {
        let failure = told("failure", ran.message.lines().next().unwrap_or(""), &ran.message).filter(|_| !ran.passed);
        cases += &case(&ran.name, ran.seconds, failure);
    }
    cases.extend(report.unrun.iter().map(|name| case(name, 0.0, Some("<skipped/>".to_string()))));
    let wrong: Vec<Diagnostic> = report.diagnostics.iter().filter(|found| found.severity == Severity::Error).cloned().collect();
    if let Some(first) = wrong.first() {
        cases += &case("the files can be read", 0.0, told("error", &first.message, &render(sources, &wrong, false)));
    }
    let (skipped, failures, errors) =
        (report.unrun.len(), report.cases.iter().filter(|ran| !ran.passed).count(), usize::from(!wrong.is_empty()));
    let tests = report.cases.len() + skipped + errors;
    let head =
        format!("    <testsuite name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" errors=\"{errors}\" failures=\"{failures}\"");
    let xml = if cases.is_empty() { format!("{head}/>\n") } else { format!("{head}>\n{cases}    </testsuite>\n") };
    ([tests, skipped, failures, errors], xml)
}

/// Escapes a text for an attribute, in which a reader would take bare tabs and line breaks for blanks.
fn attribute(text: &str) -> String {
    escaped(text, "\t\n")
}

/// Escapes a text for XML, and those of these characters that may stand in it as they are.
fn escaped(text: &str, others: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut xml, c| {
        match c {
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '&' => xml.push_str("&amp;"),
            '\'' => xml.push_str("&apos;"),
            '"' => xml.push_str("&quot;"),
            // A reader would take it for the end of a line.
            '\r' => xml.push_str("&#13;"),
            '\t' | '\n' if others.contains(c) => _ = write!(xml, "&#{};", u32::from(c)),
            '\t' | '\n' | ' '..='\u{fffd}' | '\u{10000}'.. => xml.push(c),
            _ => xml.push(char::REPLACEMENT_CHARACTER),
        }
        xml
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::run::TestResult;
    use crate::source::{FileId, Span};

    #[test]
    fn a_report_has_the_form_that_build_servers_know() {
        let span = Span { file: FileId(0), start: 0, end: 0 };
        let case = |name: &str, seconds, message: &str| TestResult {
            name: name.into(),
            passed: message.is_empty(),
            message: message.into(),
            seconds,
            span,
        };
        let mixed = FileReport {
            cases: vec![case("grows", 0.0125, ""), case("\"a\" <b> & 'c'\t\r\nλ\u{1}\u{7f}\u{ffff}𝕏", 1.5, "5 > 3\n\t\u{1b}[1mp1\r\n")],
            unrun: vec!["waits".into()],
            diagnostics: vec![Diagnostic::warning("C001", None, "no matter"), Diagnostic::error("C003", None, "no `x`")],
            ..FileReport::new("a&b.toml")
        };
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"houserule\" tests=\"4\" skipped=\"1\" failures=\"1\" errors=\"1\">
    <testsuite name=\"a&amp;b.toml\" tests=\"4\" skipped=\"1\" errors=\"1\" failures=\"1\">
        <testcase name=\"grows\" classname=\"a&amp;b.toml\" time=\"0.013\"/>
        <testcase name=\"&quot;a&quot; &lt;b&gt; &amp; &apos;c&apos;&#9;&#13;&#10;λ\u{fffd}\u{7f}\u{fffd}𝕏\" classname=\"a&amp;b.toml\" time=\"1.500\">
            <failure message=\"5 &gt; 3\">5 &gt; 3\n\t\u{fffd}[1mp1&#13;\n</failure>
        </testcase>
        <testcase name=\"waits\" classname=\"a&amp;b.toml\" time=\"0.000\">
            <skipped/>
        </testcase>
        <testcase name=\"the files can be read\" classname=\"a&amp;b.toml\" time=\"0.000\">
            <error message=\"no `x`\">(as drawn)</error>
        </testcase>
    </testsuite>
    <testsuite name=\"empty.toml\" tests=\"0\" skipped=\"0\" errors=\"0\" failures=\"0\"/>
</testsuites>
";
        let drawn = render(&Sources::new(), &[Diagnostic::error("C003", None, "no `x`")], false);
        assert!(drawn.contains("no `x`"));
        assert_eq!(junit_report(&Sources::new(), &[mixed, FileReport::new("empty.toml")]), expected.replace("(as drawn)", &drawn));
        let none = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"houserule\" tests=\"0\" skipped=\"0\" failures=\"0\" errors=\"0\">\n</testsuites>\n";
        assert_eq!(junit_report(&Sources::new(), &[]), none);
    }
}
