//! Reports of mutation tests.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::plan::MutantResult;
use super::{MutationOperator, Verdict};

/// A mutant with its result, as serialised to JSON.
#[derive(Clone, Debug, Serialize)]
pub struct MutantLine<'a> {
    /// Name of the file.
    pub file: &'a str,
    /// Number of the line, from 1.
    pub line: usize,
    /// The line itself, trimmed: `line` in a list of equivalent mutants.
    #[serde(rename = "text")]
    pub line_text: &'a str,
    /// Which occurrence of the original text in its line is changed, counted from 1: `at` in a list of equivalent mutants.
    #[serde(rename = "at")]
    pub number_in_line: usize,
    /// Name of the mutation operator.
    pub class: &'static str,
    /// The text of the file that is replaced.
    #[serde(rename = "was")]
    pub original: String,
    /// The text that replaces the original text.
    #[serde(rename = "now")]
    pub replacement: String,
    /// Result: `refused`, `noticed`, `unnoticed` or `broken`.
    pub verdict: &'static str,
    /// The message or the test that detected the mutation.
    #[serde(rename = "by")]
    pub detected_by: &'a str,
}

impl MutantResult<'_> {
    /// Converts the result for JSON output.
    pub fn for_json(&self) -> MutantLine<'_> {
        let text = &self.written.text;
        let (was, now) = self.mutant.original_and_replacement(text);
        let (verdict, by) = match &self.verdict {
            Verdict::Invalid(by) => ("refused", by.as_str()),
            Verdict::Killed(by) => ("noticed", by.as_str()),
            Verdict::Survived => ("unnoticed", ""),
            Verdict::Panicked => ("broken", ""),
        };
        let ((line, line_text), at) = (self.mutant.first_line(text), self.mutant.number_in_line(text));
        MutantLine {
            file: &self.written.name,
            line,
            line_text,
            number_in_line: at,
            class: self.mutant.class.name(),
            original: was,
            replacement: now,
            verdict,
            detected_by: by,
        }
    }

    /// Formats the result as one line of text.
    pub fn text(&self) -> String {
        let MutantLine { file, line, line_text: _, number_in_line: at, class, original: was, replacement: now, verdict, detected_by: by } =
            self.for_json();
        let at = if at > 1 { format!(" (number {at} in the line)") } else { String::new() };
        let now = if now.is_empty() { "nothing".to_string() } else { format!("`{now}`") };
        let by = if by.is_empty() { String::new() } else { format!(" ({by})") };
        format!("{file}:{line}: {verdict}: {class}: `{was}`{at} -> {now}{by}\n")
    }
}

/// Builds a table with the number of detected mutants for each operator. Mutants that do not compile are not counted.
pub fn table(tried: &[MutantResult<'_>]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(["change", "made", "refused", "noticed", "unnoticed", "broken", "share noticed"]);
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    for class in MutationOperator::ALL {
        let of_class: Vec<&MutantResult<'_>> = tried.iter().filter(|tried| tried.mutant.class == class).collect();
        if !of_class.is_empty() {
            table.add_row(operator_row(class.name(), &of_class));
        }
    }
    table.add_row(operator_row("all", &tried.iter().collect::<Vec<_>>()));
    table.trim_fmt()
}

fn operator_row(name: &str, tried: &[&MutantResult<'_>]) -> [String; 7] {
    let of = |selected: fn(&Verdict) -> bool| tried.iter().filter(|tried| selected(&tried.verdict)).count();
    let noticed = of(|verdict| matches!(verdict, Verdict::Killed(_)));
    let refused = of(|verdict| matches!(verdict, Verdict::Invalid(_)));
    let tenths = (noticed * 1000).checked_div(tried.len() - refused);
    let share = tenths.map_or("-".to_string(), |tenths| format!("{}.{} %", tenths / 10, tenths % 10));
    let [made, refused, noticed] = [tried.len(), refused, noticed].map(|count| count.to_string());
    let [unnoticed, broken] =
        [of(|verdict| *verdict == Verdict::Survived), of(|verdict| *verdict == Verdict::Panicked)].map(|n| n.to_string());
    [name.to_string(), made, refused, noticed, unnoticed, broken, share]
}
