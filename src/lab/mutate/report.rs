//! What is said of changes that were tried.

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use super::plan::Tried;
use super::{Class, Verdict};

/// A change and what came of it, as it is written for machines.
#[derive(Clone, Debug, Serialize)]
pub struct TriedLine<'a> {
    /// The file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: usize,
    /// Which of those in the line that read like `was` it is, from 1: `at` in a list of equal ones.
    pub at: usize,
    /// What sort of change it is.
    pub class: &'static str,
    /// What stands there.
    pub was: String,
    /// What stood there instead.
    pub now: String,
    /// `refused`, `noticed`, `unnoticed` or `broken`.
    pub verdict: &'static str,
    /// The message or the test that noticed it.
    pub by: &'a str,
}

impl Tried<'_> {
    /// For machines.
    pub fn line(&self) -> TriedLine<'_> {
        let text = &self.written.text;
        let (was, now) = self.mutant.change(text);
        let (verdict, by) = match &self.verdict {
            Verdict::Refused(by) => ("refused", by.as_str()),
            Verdict::Noticed(by) => ("noticed", by.as_str()),
            Verdict::Unnoticed => ("unnoticed", ""),
            Verdict::Broken => ("broken", ""),
        };
        let (line, at) = (self.mutant.line(text).0, self.mutant.number_in_line(text));
        TriedLine { file: &self.written.name, line, at, class: self.mutant.class.word(), was, now, verdict, by }
    }

    /// For people, in one line.
    pub fn text(&self) -> String {
        let TriedLine { file, line, at, class, was, now, verdict, by } = self.line();
        let at = if at > 1 { format!(" (number {at} in the line)") } else { String::new() };
        let now = if now.is_empty() { "nothing".to_string() } else { format!("`{now}`") };
        let by = if by.is_empty() { String::new() } else { format!(" ({by})") };
        format!("{file}:{line}: {verdict}: {class}: `{was}`{at} -> {now}{by}\n")
    }
}

/// How many of each class were noticed; what cannot be read does not count.
pub fn table(tried: &[Tried<'_>]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header(["change", "made", "refused", "noticed", "unnoticed", "broken", "share noticed"]);
    table.column_iter_mut().skip(1).for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    for class in Class::ALL {
        let of_class: Vec<&Tried<'_>> = tried.iter().filter(|tried| tried.mutant.class == class).collect();
        if !of_class.is_empty() {
            table.add_row(row(class.word(), &of_class));
        }
    }
    table.add_row(row("all", &tried.iter().collect::<Vec<_>>()));
    table.trim_fmt()
}

fn row(name: &str, tried: &[&Tried<'_>]) -> [String; 7] {
    let of = |wanted: fn(&Verdict) -> bool| tried.iter().filter(|tried| wanted(&tried.verdict)).count();
    let noticed = of(|verdict| matches!(verdict, Verdict::Noticed(_)));
    let refused = of(|verdict| matches!(verdict, Verdict::Refused(_)));
    let tenths = (noticed * 1000).checked_div(tried.len() - refused);
    let share = tenths.map_or("-".to_string(), |tenths| format!("{}.{} %", tenths / 10, tenths % 10));
    let [made, refused, noticed] = [tried.len(), refused, noticed].map(|count| count.to_string());
    let [unnoticed, broken] =
        [of(|verdict| *verdict == Verdict::Unnoticed), of(|verdict| *verdict == Verdict::Broken)].map(|n| n.to_string());
    [name.to_string(), made, refused, noticed, unnoticed, broken, share]
}
