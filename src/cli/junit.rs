//! The JUnit form of test results, an XML file that build servers read.

use std::borrow::Cow;
use std::fmt::Write;

/// The tests of one file.
pub struct Suite<'a> {
    /// Name of the file.
    pub name: &'a str,
    /// The tests, in the order of the file.
    pub cases: Vec<Case<'a>>,
}

/// A test with its result.
pub struct Case<'a> {
    /// Name of the test.
    pub name: &'a str,
    /// How long it took.
    pub seconds: f64,
    /// What came of it.
    pub outcome: Outcome<'a>,
}

/// What came of a test.
pub enum Outcome<'a> {
    /// What it says holds.
    Passed,
    /// It was not run.
    Skipped,
    /// What it says does not hold: in one line, and in full.
    Failed(&'a str, Cow<'a, str>),
    /// A file could not be read: in one line, and in full.
    Error(&'a str, Cow<'a, str>),
}

/// Returns test results as the text of a JUnit file. Characters that XML cannot hold are replaced by U+FFFD.
pub fn report(suites: &[Suite]) -> String {
    let all = suites.iter().flat_map(|suite| &suite.cases);
    let [tests, skipped, failures, errors] = counts(all);
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"houserule\" tests=\"{tests}\" skipped=\"{skipped}\" failures=\"{failures}\" errors=\"{errors}\">\n"
    );
    for suite in suites {
        let name = attribute(suite.name);
        let [tests, skipped, failures, errors] = counts(suite.cases.iter());
        let empty = if suite.cases.is_empty() { "/" } else { "" };
        xml += &format!(
            "    <testsuite name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" errors=\"{errors}\" failures=\"{failures}\"{empty}>\n"
        );
        for case in &suite.cases {
            xml += &format!("        <testcase name=\"{}\" classname=\"{name}\" time=\"{:.3}\"", attribute(case.name), case.seconds);
            xml += &match &case.outcome {
                Outcome::Passed => "/>\n".to_string(),
                Outcome::Skipped => within_case("<skipped/>"),
                Outcome::Failed(line, full) => within_case(&told("failure", line, full)),
                Outcome::Error(line, full) => within_case(&told("error", line, full)),
            };
        }
        if !suite.cases.is_empty() {
            xml.push_str("    </testsuite>\n");
        }
    }
    xml + "</testsuites>\n"
}

/// Returns how many tests there are, were skipped, failed, and had errors.
fn counts<'a>(cases: impl Iterator<Item = &'a Case<'a>>) -> [usize; 4] {
    cases.fold([0; 4], |[tests, skipped, failures, errors], case| match case.outcome {
        Outcome::Passed => [tests + 1, skipped, failures, errors],
        Outcome::Skipped => [tests + 1, skipped + 1, failures, errors],
        Outcome::Failed(..) => [tests + 1, skipped, failures + 1, errors],
        Outcome::Error(..) => [tests + 1, skipped, failures, errors + 1],
    })
}

fn within_case(element: &str) -> String {
    format!(">\n            {element}\n        </testcase>\n")
}

fn told(tag: &str, line: &str, full: &str) -> String {
    format!("<{tag} message=\"{}\">{}</{tag}>", attribute(line), escaped(full, ""))
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

    #[test]
    fn a_report_has_the_form_that_build_servers_know() {
        let case = |name, seconds, outcome| Case { name, seconds, outcome };
        let mixed = vec![
            case("grows", 0.0125, Outcome::Passed),
            case("\"a\" <b> & 'c'\t\r\nλ\u{1}\u{7f}\u{ffff}𝕏", 1.5, Outcome::Failed("5 > 3", "5 > 3\n\t\u{1b}[1mp1".into())),
            case("waits", 0.0, Outcome::Skipped),
            case("the files can be read", 0.0, Outcome::Error("no `x`", "error: no `x`\r\n".into())),
        ];
        let suites = [Suite { name: "a&b.toml", cases: mixed }, Suite { name: "empty.toml", cases: Vec::new() }];
        let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites name=\"houserule\" tests=\"4\" skipped=\"1\" failures=\"1\" errors=\"1\">
    <testsuite name=\"a&amp;b.toml\" tests=\"4\" skipped=\"1\" errors=\"1\" failures=\"1\">
        <testcase name=\"grows\" classname=\"a&amp;b.toml\" time=\"0.013\"/>
        <testcase name=\"&quot;a&quot; &lt;b&gt; &amp; &apos;c&apos;&#9;&#13;&#10;λ\u{fffd}\u{7f}\u{fffd}𝕏\" classname=\"a&amp;b.toml\" time=\"1.500\">
            <failure message=\"5 &gt; 3\">5 &gt; 3\n\t\u{fffd}[1mp1</failure>
        </testcase>
        <testcase name=\"waits\" classname=\"a&amp;b.toml\" time=\"0.000\">
            <skipped/>
        </testcase>
        <testcase name=\"the files can be read\" classname=\"a&amp;b.toml\" time=\"0.000\">
            <error message=\"no `x`\">error: no `x`&#13;\n</error>
        </testcase>
    </testsuite>
    <testsuite name=\"empty.toml\" tests=\"0\" skipped=\"0\" errors=\"0\" failures=\"0\"/>
</testsuites>
";
        assert_eq!(report(&suites), expected);
        let none = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"houserule\" tests=\"0\" skipped=\"0\" failures=\"0\" errors=\"0\">\n</testsuites>\n";
        assert_eq!(report(&[]), none);
    }
}
