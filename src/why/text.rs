//! Formats explanations as indented text: one line for each part, followed by its location. Deep parts are folded.

use super::WhyAnswer;
use super::explanation::{Derivation, Explanation, PartRole};
use super::moment::MomentExplanation;
use super::option::{OptionCheck, OptionExplanation};
use super::subjects::Subjects;

/// The level of detail of a printed explanation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DetailLevel {
    /// Deep parts, and parts that do not change the result, are folded.
    #[default]
    Folded,
    /// Everything is shown.
    Deep,
}

/// Number of levels shown below the first line.
const SHOWN_LEVELS: usize = 3;
/// Parts that do not change the result are folded if there are at least this many.
const MIN_FOLDED_PARTS: usize = 2;
/// Column in which locations start, unless the line is longer.
const LOCATION_COLUMN: usize = 84;
/// Marks a line whose parts are folded.
const FOLDED_MARK: &str = " …";
/// What stands below an explanation with folded parts; whoever shows it elsewhere than on the command line says another way.
pub const FOLDED_NOTE: &str = "(… is told by --deep, or when that part is asked for by itself)";

impl WhyAnswer {
    /// Formats the answer as lines of text; ends with a newline.
    pub fn text(&self, detail: DetailLevel) -> String {
        let mut page = TextLines { detail, lines: Vec::new(), folded: false };
        match self {
            WhyAnswer::Value(node) => page.push_value(node),
            WhyAnswer::Option(option) => page.push_option(option),
            WhyAnswer::Moment(moment) => page.push_moment(moment),
        }
        page.finish()
    }
}

impl Subjects {
    /// Formats the subjects as lines of text; ends with a newline.
    pub fn text(&self) -> String {
        let lists = [
            ("numbers that cards may change", &self.quantities),
            ("with a card or a word", &self.with_arguments),
            ("conditions and definitions", &self.definitions),
            ("score", &self.score),
            ("worth to machine players", &self.worths),
            ("moments", &self.moments),
            ("possible now", &self.offered),
            ("known, and not possible now", &self.refused),
        ];
        let mut out = String::new();
        for (title, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            out.push_str(&format!("{title}\n"));
            let mut line = String::from(" ");
            for (at, name) in list.iter().enumerate() {
                if line.chars().count() + name.chars().count() > 98 && line.trim() != "" {
                    out.push_str(&format!("{}\n", line.trim_end()));
                    line = String::from(" ");
                }
                line.push_str(&format!(" {name}{}", if at + 1 == list.len() { "" } else { "," }));
            }
            out.push_str(&format!("{line}\n"));
        }
        out
    }
}

struct TextLines {
    detail: DetailLevel,
    /// Each line with the location to print after it.
    lines: Vec<(String, Option<String>)>,
    folded: bool,
}

impl TextLines {
    fn finish(self) -> String {
        let mut out = String::new();
        let mut before: Option<String> = None;
        for (line, at) in &self.lines {
            // A location that was printed above is not repeated.
            match at.as_ref().filter(|at| before.as_ref() != Some(at)) {
                Some(at) => out.push_str(&format!("{line:LOCATION_COLUMN$}  {at}\n")),
                None => out.push_str(&format!("{line}\n")),
            }
            if at.is_some() {
                before.clone_from(at);
            }
        }
        if self.folded {
            out.push_str(&format!("{FOLDED_NOTE}\n"));
        }
        out
    }

    fn push_line(&mut self, indent: usize, text: impl AsRef<str>, at: Option<&String>) {
        self.lines.push((format!("{}{}", "  ".repeat(indent), text.as_ref()), at.cloned()));
    }

    fn is_deep(&self) -> bool {
        self.detail == DetailLevel::Deep
    }

    // ------------------------------------------------------------------ values

    fn push_value(&mut self, node: &Explanation) {
        let (shown, levels) = (skip_names(node), SHOWN_LEVELS);
        self.push_line(0, format!("{} is {}{}", node.subject, node.value_text, meaning_of(node, shown)), node.location.as_ref());
        self.push_parts(shown, 1, levels);
    }

    /// Adds the line of a part and those of its own parts.
    fn push_part(&mut self, part: &Explanation, indent: usize, levels: usize) {
        let shown = skip_names(part);
        let meaning_of = meaning_of(part, shown);
        let mut text = if part.role == PartRole::When {
            format!("since {}{meaning_of}: {}", part.subject, part.value_text)
        } else if part.subject == part.value_text {
            format!("{}{}", sign_of_role(part.role), part.value_text)
        } else {
            format!("{}{}  {}{meaning_of}", sign_of_role(part.role), part.value_text, part.subject)
        };
        let more = self.has_more(shown);
        if more && levels == 0 && !self.is_deep() {
            text.push_str(if text.ends_with('…') { "" } else { FOLDED_MARK });
            self.folded = true;
        }
        let at = if shown.derivation.is_plain() { shown.location.as_ref().or(part.location.as_ref()) } else { part.location.as_ref() };
        self.push_line(indent, text, at);
        if more && (levels > 0 || self.is_deep()) {
            self.push_parts(shown, indent + 1, levels.saturating_sub(1));
        }
    }

    /// Whether a part has further lines below it.
    fn has_more(&self, shown: &Explanation) -> bool {
        let node = formula(shown).is_some();
        shown.parts.iter().any(|part| !node || !is_shown_in_parent(part))
    }

    /// Adds the lines of all parts of a value.
    fn push_parts(&mut self, shown: &Explanation, indent: usize, levels: usize) {
        let node = formula(shown).is_some();
        let nothing = |part: &&Explanation| part.value == 0 && matches!(shown.derivation, Derivation::Sum) && part.role != PartRole::When;
        let idle: Vec<&str> = shown.parts.iter().filter(nothing).map(|part| part.subject.as_str()).collect();
        let hides = !self.is_deep() && idle.len() > MIN_FOLDED_PARTS && !node;
        let decided = shown.derivation == Derivation::All && shown.is_false();
        // If a conjunction is false, only its false parts matter.
        let passed_over =
            |part: &Explanation| if shown.derivation == Derivation::All { decided && !part.is_false() } else { hides && nothing(&part) };
        let mut held = 0;
        for part in &shown.parts {
            if node && is_shown_in_parent(part) {
                continue;
            }
            if !self.is_deep() && passed_over(part) {
                held += 1;
                continue;
            }
            self.push_part(part, indent, levels);
        }
        if hides {
            self.push_line(indent, format!("0  each: {}", join_shortened(&idle)), None);
        } else if held > 0 {
            self.folded = true;
            self.push_line(indent, format!("{held} more that hold{FOLDED_MARK}"), None);
        }
    }

    // ------------------------------------------------------------------ options and moments

    fn push_option(&mut self, option: &OptionExplanation) {
        let state = if option.possible { "is possible" } else { "is not possible" };
        self.push_line(0, format!("{} for {} {state}", option.option, option.seat), None);
        let (no, yes): (Vec<&OptionCheck>, Vec<&OptionCheck>) = option.checks.iter().partition(|check| !check.holds);
        for check in no.into_iter().chain(yes) {
            let mark = if check.holds { "yes" } else { "no " };
            // The message of a refused condition is what players see. For a condition that holds, the words of the rules are shown.
            let says = match &check.explanation {
                Some(why) if check.holds && !matches!(check.name.as_str(), "cost" | "card") => &why.subject,
                _ => &check.text,
            };
            self.push_line(1, format!("{mark} {}: {says}", check.name), check.location.as_ref());
            if let Some(why) = &check.explanation
                && (!check.holds || self.is_deep())
            {
                self.push_part(why, 3, 2);
            }
        }
    }

    fn push_moment(&mut self, moment: &MomentExplanation) {
        let card = moment.card.as_ref().map_or_else(String::new, |card| format!("({card})"));
        let node = if moment.description.is_empty() { String::new() } else { format!(": {}", moment.description) };
        self.push_line(0, format!("moment {}{card} of {}{node}", moment.moment, moment.seat), None);
        if moment.listeners.is_empty() {
            self.push_line(1, "no card would hear it now", None);
        }
        for (at, hearer) in moment.listeners.iter().enumerate() {
            let whose = hearer.owner.as_ref().map_or_else(|| "on the table".to_string(), |owner| format!("of {owner}"));
            let state = if hearer.would_act { "speaks" } else { "is silent" };
            self.push_line(1, format!("{}. {} {whose} {state}", at + 1, hearer.card), hearer.location.as_ref());
            if let Some(when) = &hearer.when {
                self.push_part(&when.clone().with_role(PartRole::When), 3, 2);
            }
            for does in &hearer.steps {
                if let Some(when) = &does.when {
                    self.push_part(&when.clone().with_role(PartRole::When), 3, 1);
                }
                if self.is_deep() || hearer.would_act {
                    self.push_line(3, format!("does  {}", does.script), None);
                }
            }
        }
    }
}

/// Skips nodes that only name another node.
fn skip_names(node: &Explanation) -> &Explanation {
    match (node.derivation, node.parts.as_slice()) {
        (Derivation::Same, [only]) => skip_names(only),
        _ => node,
    }
}

/// Describes what the name of a node stands for: a formula, or the node `shown` that it only names.
fn meaning_of(node: &Explanation, shown: &Explanation) -> String {
    match formula(shown) {
        Some(formula) => format!(" = {formula}"),
        None if shown.subject != node.subject && shown.subject != shown.value_text => format!(": {}", shown.subject),
        None => String::new(),
    }
}

/// Whether the line of the parent already contains this part.
fn is_shown_in_parent(part: &Explanation) -> bool {
    skip_names(part).derivation.is_plain() && !matches!(part.role, PartRole::When)
}

/// Formats the parts as a formula on one line, if possible.
fn formula(node: &Explanation) -> Option<String> {
    const MAX_TERMS: usize = 5;
    if node.parts.is_empty() || node.parts.len() > MAX_TERMS || node.parts.iter().any(|part| part.role == PartRole::When) {
        return None;
    }
    let named = |part: &Explanation| {
        if part.subject == part.value_text {
            part.value_text.clone()
        } else {
            format!("{} {}", add_brackets(&part.subject), part.value_text)
        }
    };
    let joined = |by: &str| node.parts.iter().map(named).collect::<Vec<_>>().join(by);
    let text = match node.derivation {
        Derivation::Product => joined(" × "),
        Derivation::Arithmetic(how) => joined(&format!(" {} ", how.name_and_sign().1)),
        Derivation::Compare(how) => joined(&format!(" {} ", how.signs())),
        Derivation::Sum if is_loop(node) => return None,
        Derivation::Sum => {
            let mut text = String::new();
            for (at, part) in node.parts.iter().enumerate() {
                let minus = part.role == PartRole::Minus;
                text.push_str(match (at, minus) {
                    (0, false) => "",
                    (0, true) => "-",
                    (_, false) => " + ",
                    (_, true) => " - ",
                });
                text.push_str(&named(part));
            }
            text
        }
        Derivation::Lowest if !is_loop(node) => format!("the smaller of {}", joined(" and ")),
        Derivation::Highest if !is_loop(node) => format!("the larger of {}", joined(" and ")),
        Derivation::Written
        | Derivation::Stands
        | Derivation::Same
        | Derivation::Lowest
        | Derivation::Highest
        | Derivation::Median
        | Derivation::Count
        | Derivation::Among => return None,
        Derivation::All | Derivation::Any | Derivation::Not | Derivation::If | Derivation::Steps | Derivation::Rank { .. } => return None,
    };
    (text.chars().count() <= 100).then_some(text)
}

/// Puts brackets around several words, which would be ambiguous in a formula.
fn add_brackets(what: &str) -> String {
    let (mut depth, mut quoted, mut whole) = (0, false, true);
    let mut letters = what.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            // Brackets after a word belong to that word.
            ' ' if !quoted && depth == 0 => whole &= letters.peek() == Some(&'('),
            _ => {}
        }
    }
    if whole { what.to_string() } else { format!("({what})") }
}

/// Whether the parts are cards or players of a loop, each of which gets its own line.
fn is_loop(node: &Explanation) -> bool {
    ["sum ", "highest ", "lowest "].iter().any(|word| node.subject.trim_start_matches('(').starts_with(word)) || node.parts.len() == 1
}

fn sign_of_role(role: PartRole) -> &'static str {
    match role {
        PartRole::Part | PartRole::Then | PartRole::Start => "",
        PartRole::Minus => "- ",
        PartRole::When => "",
        PartRole::To => "set to ",
        PartRole::By => "+ ",
        PartRole::AtLeast => "at least ",
        PartRole::AtMost => "at most ",
        PartRole::Leaders => "of ",
        PartRole::Mine => "own ",
        PartRole::Theirs => "other ",
    }
}

/// Joins names to a list, shortened to fit on a line.
fn join_shortened(names: &[&str]) -> String {
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        if text.chars().count() + name.chars().count() > 60 {
            text.push_str(&format!(" and {} more", names.len() - at));
            break;
        }
        text.push_str(if at == 0 { "" } else { ", " });
        text.push_str(name);
    }
    text
}
