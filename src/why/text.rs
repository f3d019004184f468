//! Explanations as indented text: a line for each part, with its file and line behind it; deep parts are folded.

use super::explanation::{Explanation, How, Role};
use super::moment::MomentWhy;
use super::option::{Check, OptionWhy};
use super::subjects::Subjects;
use super::{Answer, Explanation as Told};

/// How much is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fold {
    /// Deep parts and parts that add nothing are folded.
    #[default]
    Folded,
    /// Everything is shown.
    Deep,
}

/// So many levels are shown below the first line.
const LEVELS: usize = 3;
/// Fewer parts that add nothing than this are shown one by one.
const FEW: usize = 2;
/// Where places stand, if the line before them is not longer.
const PLACES: usize = 84;
/// What is folded ends in this.
const MORE: &str = " …";

impl Answer {
    /// As text, with a newline at the end.
    pub fn text(&self, fold: Fold) -> String {
        let mut page = Page { fold, lines: Vec::new(), folded: false };
        match self {
            Answer::Value(told) => page.value(told),
            Answer::Option(option) => page.option(option),
            Answer::Moment(moment) => page.moment(moment),
        }
        page.end()
    }
}

impl Subjects {
    /// As text, with a newline at the end.
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

struct Page {
    fold: Fold,
    /// Each with the place that stands behind it.
    lines: Vec<(String, Option<String>)>,
    folded: bool,
}

impl Page {
    fn end(self) -> String {
        let mut out = String::new();
        let mut before: Option<String> = None;
        for (line, at) in &self.lines {
            // A place that stands above is not said again.
            match at.as_ref().filter(|at| before.as_ref() != Some(at)) {
                Some(at) => out.push_str(&format!("{line:PLACES$}  {at}\n")),
                None => out.push_str(&format!("{line}\n")),
            }
            if at.is_some() {
                before.clone_from(at);
            }
        }
        if self.folded {
            out.push_str("(… is told by --deep, or when that part is asked for by itself)\n");
        }
        out
    }

    fn line(&mut self, indent: usize, text: impl AsRef<str>, at: Option<&String>) {
        self.lines.push((format!("{}{}", "  ".repeat(indent), text.as_ref()), at.cloned()));
    }

    fn is_deep(&self) -> bool {
        self.fold == Fold::Deep
    }

    // ------------------------------------------------------------------ values

    fn value(&mut self, told: &Told) {
        let (shown, levels) = (unwrapped(told), LEVELS);
        self.line(0, format!("{} is {}{}", told.what, told.says, comes_to(told, shown)), told.at.as_ref());
        self.below(shown, 1, levels);
    }

    /// A part, and what is below it.
    fn part(&mut self, part: &Explanation, indent: usize, levels: usize) {
        let shown = unwrapped(part);
        let comes_to = comes_to(part, shown);
        let mut text = if part.role == Role::When {
            format!("since {}{comes_to}: {}", part.what, part.says)
        } else if part.what == part.says {
            format!("{}{}", sign(part.role), part.says)
        } else {
            format!("{}{}  {}{comes_to}", sign(part.role), part.says, part.what)
        };
        let more = self.has_more(shown);
        if more && levels == 0 && !self.is_deep() {
            text.push_str(if text.ends_with('…') { "" } else { MORE });
            self.folded = true;
        }
        let at = if shown.how.is_plain() { shown.at.as_ref().or(part.at.as_ref()) } else { part.at.as_ref() };
        self.line(indent, text, at);
        if more && (levels > 0 || self.is_deep()) {
            self.below(shown, indent + 1, levels.saturating_sub(1));
        }
    }

    /// Whether there are lines below a part.
    fn has_more(&self, shown: &Explanation) -> bool {
        let told = formula(shown).is_some();
        shown.parts.iter().any(|part| !told || !is_told(part))
    }

    /// The parts of a value.
    fn below(&mut self, shown: &Explanation, indent: usize, levels: usize) {
        let told = formula(shown).is_some();
        let nothing = |part: &&Explanation| part.value == 0 && matches!(shown.how, How::Sum) && part.role != Role::When;
        let idle: Vec<&str> = shown.parts.iter().filter(nothing).map(|part| part.what.as_str()).collect();
        let hides = !self.is_deep() && idle.len() > FEW && !told;
        let decided = shown.how == How::All && shown.is_false();
        // Of what is joined by `and` what is false decides.
        let passed_over = |part: &Explanation| if shown.how == How::All { decided && !part.is_false() } else { hides && nothing(&part) };
        let mut held = 0;
        for part in &shown.parts {
            if told && is_told(part) {
                continue;
            }
            if !self.is_deep() && passed_over(part) {
                held += 1;
                continue;
            }
            self.part(part, indent, levels);
        }
        if hides {
            self.line(indent, format!("0  each: {}", shortened(&idle)), None);
        } else if held > 0 {
            self.folded = true;
            self.line(indent, format!("{held} more that hold{MORE}"), None);
        }
    }

    // ------------------------------------------------------------------ options and moments

    fn option(&mut self, option: &OptionWhy) {
        let state = if option.possible { "is possible" } else { "is not possible" };
        self.line(0, format!("{} for {} {state}", option.option, option.seat), None);
        let (no, yes): (Vec<&Check>, Vec<&Check>) = option.checks.iter().partition(|check| !check.holds);
        for check in no.into_iter().chain(yes) {
            let mark = if check.holds { "yes" } else { "no " };
            // The reason is what people are told when it is refused; where it holds the words of the rules say it.
            let says = match &check.why {
                Some(why) if check.holds && !matches!(check.name.as_str(), "cost" | "card") => &why.what,
                _ => &check.says,
            };
            self.line(1, format!("{mark} {}: {says}", check.name), check.at.as_ref());
            if let Some(why) = &check.why
                && (!check.holds || self.is_deep())
            {
                self.part(why, 3, 2);
            }
        }
    }

    fn moment(&mut self, moment: &MomentWhy) {
        let card = moment.card.as_ref().map_or_else(String::new, |card| format!("({card})"));
        let told = if moment.told.is_empty() { String::new() } else { format!(": {}", moment.told) };
        self.line(0, format!("moment {}{card} of {}{told}", moment.moment, moment.seat), None);
        if moment.hearers.is_empty() {
            self.line(1, "no card would hear it now", None);
        }
        for (at, hearer) in moment.hearers.iter().enumerate() {
            let whose = hearer.owner.as_ref().map_or_else(|| "on the table".to_string(), |owner| format!("of {owner}"));
            let state = if hearer.speaks { "speaks" } else { "is silent" };
            self.line(1, format!("{}. {} {whose} {state}", at + 1, hearer.card), hearer.at.as_ref());
            if let Some(when) = &hearer.when {
                self.part(&when.clone().as_a(Role::When), 3, 2);
            }
            for does in &hearer.does {
                if let Some(when) = &does.when {
                    self.part(&when.clone().as_a(Role::When), 3, 1);
                }
                if self.is_deep() || hearer.speaks {
                    self.line(3, format!("does  {}", does.script), None);
                }
            }
        }
    }
}

/// What something comes to that is only a name for another.
fn unwrapped(told: &Explanation) -> &Explanation {
    match (told.how, told.parts.as_slice()) {
        (How::Same, [only]) => unwrapped(only),
        _ => told,
    }
}

/// What stands behind a name: what it is put together from, or the other words for it.
fn comes_to(told: &Explanation, shown: &Explanation) -> String {
    match formula(shown) {
        Some(formula) => format!(" = {formula}"),
        None if shown.what != told.what && shown.what != shown.says => format!(": {}", shown.what),
        None => String::new(),
    }
}

/// Whether a part is told where it is named in a line.
fn is_told(part: &Explanation) -> bool {
    unwrapped(part).how.is_plain() && !matches!(part.role, Role::When)
}

/// Parts in one line, if they can be written so.
fn formula(told: &Explanation) -> Option<String> {
    const MOST: usize = 5;
    if told.parts.is_empty() || told.parts.len() > MOST || told.parts.iter().any(|part| part.role == Role::When) {
        return None;
    }
    let named =
        |part: &Explanation| if part.what == part.says { part.says.clone() } else { format!("{} {}", in_brackets(&part.what), part.says) };
    let joined = |by: &str| told.parts.iter().map(named).collect::<Vec<_>>().join(by);
    let text = match told.how {
        How::Product => joined(" × "),
        How::Quotient => joined(" / "),
        How::Compare(how) => joined(&format!(" {} ", how.signs())),
        How::Sum if is_of_cards(told) => return None,
        How::Sum => {
            let mut text = String::new();
            for (at, part) in told.parts.iter().enumerate() {
                let minus = part.role == Role::Minus;
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
        How::Lowest if !is_of_cards(told) => format!("the smaller of {}", joined(" and ")),
        How::Highest if !is_of_cards(told) => format!("the larger of {}", joined(" and ")),
        How::Written | How::Stands | How::Same | How::Lowest | How::Highest | How::Median | How::Count => return None,
        How::All | How::Any | How::Not | How::If | How::Steps | How::Rank { .. } => return None,
    };
    (text.chars().count() <= 100).then_some(text)
}

/// What has several words, in brackets: among others it would read as something else, and its value as one more word.
fn in_brackets(what: &str) -> String {
    let (mut depth, mut quoted, mut whole) = (0, false, true);
    let mut letters = what.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            // What stands in brackets behind a word says more of that word.
            ' ' if !quoted && depth == 0 => whole &= letters.peek() == Some(&'('),
            _ => {}
        }
    }
    if whole { what.to_string() } else { format!("({what})") }
}

/// Whether the parts are cards or players that were gone through, each of which has a line.
fn is_of_cards(told: &Explanation) -> bool {
    ["sum ", "highest ", "lowest "].iter().any(|word| told.what.trim_start_matches('(').starts_with(word)) || told.parts.len() == 1
}

fn sign(role: Role) -> &'static str {
    match role {
        Role::Part | Role::Then | Role::Start => "",
        Role::Minus => "- ",
        Role::When => "",
        Role::To => "set to ",
        Role::By => "+ ",
        Role::AtLeast => "at least ",
        Role::AtMost => "at most ",
        Role::Leaders => "of ",
        Role::Mine => "own ",
        Role::Theirs => "other ",
    }
}

/// Names, as many as fit into a line.
fn shortened(names: &[&str]) -> String {
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
