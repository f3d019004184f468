//! What operations make of `tests/checks/overlays.rules`.

use super::{Case, Mark, Text, compared};
use crate::support::root;
use houserule::diagnostic::{Diagnostic, Severity};
use houserule::lang::syntax::ast::{Declaration, File};
use houserule::lang::syntax::overlay::{Overlay, apply_game_files, apply_overlays, rules_of, take_variants};
use houserule::lang::syntax::parse_file;
use houserule::source::Sources;

/// The declarations of a text, without places.
fn declarations(of: &[Declaration]) -> String {
    let text = format!("{of:?}");
    let mut parts = text.split("Span {");
    let first = parts.next().unwrap_or("").to_string();
    parts.fold(first, |all, part| all + part.split_once('}').map_or("", |parts| parts.1))
}

fn overlay(name: &str, over: &str, file: File) -> Overlay {
    let over = over.split(", ").filter(|name| !name.is_empty()).map(str::to_string).collect();
    Overlay { name: name.to_string(), title: None, lines: file.lines, broken: Vec::new(), over }
}

/// The rules that `overlays.rules` become.
pub struct Overlays {
    base: String,
    sources: Sources,
}

impl Overlays {
    pub fn new() -> Overlays {
        Overlays { base: std::fs::read_to_string(root().join("tests/checks/overlays.rules")).unwrap(), sources: Sources::new() }
    }

    fn file(&mut self, text: &str) -> File {
        let mut found = Vec::new();
        let id = self.sources.add("overlay", text);
        let file = parse_file(id, text, &mut found);
        assert!(found.is_empty(), "{text}: {found:?}");
        file
    }

    /// An operation, or several, as an overlay that is called by its number; what it overrules may stand before it.
    fn overlay(&mut self, at: usize, text: &str) -> Overlay {
        let (over, text) = text.strip_prefix("over ").and_then(|rest| rest.split_once(": ")).unwrap_or(("", text));
        let file = self.file(text);
        overlay(["a", "b", "c"][at], over, file)
    }

    fn applied(&mut self, own: &str, overlays: Vec<Overlay>) -> (String, Vec<Diagnostic>) {
        let mut found = Vec::new();
        let base = self.base.clone();
        let base = rules_of(self.file(&base));
        let own = vec![overlay("owls", "", self.file(own))];
        let base = apply_game_files(base, own, &|_| false, &mut found);
        assert!(found.is_empty(), "{found:?}");
        let rules = apply_overlays(base, overlays, &|_| false, &mut found);
        (declarations(&rules.declarations), found)
    }

    fn said(&mut self, text: &str) -> String {
        let file = self.file(text);
        declarations(&rules_of(file).declarations)
    }

    /// Two values that are read as the same, or behind `=/>` not; what is wrong.
    pub fn same(&mut self, line: &str) -> Result<(), String> {
        let (one, is_same, other) = match line.split_once(" =/> ") {
            Some((one, other)) => (one, false, other),
            None => line.split_once(" => ").map(|(one, other)| (one, true, other)).unwrap_or_default(),
        };
        let [one, other] = [one, other].map(|value| self.said(&format!("define d = {}\n", value.trim_end().replace('¶', "\n"))));
        if (one == other) == is_same { Ok(()) } else { Err(format!("{one}\n{other}")) }
    }

    /// A line of operations, and what becomes of them; what is wrong.
    pub fn line(&mut self, line: &str) -> Result<(), String> {
        let mut text = Text::default();
        text.add(line);
        let (marks, code) = (text.marks, text.text.trim().to_string());
        let mut parts = code.split(" => ").map(str::trim);
        let operations: Vec<&str> = parts.next().unwrap_or("").split(" || ").map(str::trim).collect();
        let becomes: Vec<&str> = parts.collect();
        let overlays: Vec<Overlay> = operations.iter().enumerate().map(|(at, text)| self.overlay(at, text)).collect();
        let (rules, found) = self.applied("", overlays.clone());
        let found: Vec<Mark> = found.iter().map(|one| Mark::told(Some(0), &self.sources, one)).collect();
        let no_help = found.iter().find(|mark| mark.more.iter().all(|more| more.0 != '?'));
        if let Some(mark) = no_help.filter(|_| overlays.len() == 1) {
            return Err(format!("  no help\n{}", mark.shown()));
        }
        let case = Case { rules: Text { marks: marks.clone(), ..Text::default() }, ..Case::default() };
        compared(&case, found)?;
        let wanted = if becomes.is_empty() {
            if marks.is_empty() {
                return Ok(());
            }
            // What cannot be done is left out: the last of the overlays.
            self.applied("", overlays[..overlays.len() - 1].to_vec()).0
        } else {
            let mut wanted = self.base.clone();
            for pair in becomes.chunks(2) {
                assert_eq!(wanted.matches(pair[0]).count(), 1, "{}", pair[0]);
                wanted = wanted.replace(pair[0], pair[1]);
            }
            self.said(&wanted)
        };
        if rules == wanted { Ok(()) } else { Err(format!("  they become\n{rules}\n  not\n{wanted}")) }
    }

    /// A later overlay that undoes what a file of the game says, or does not; what is wrong.
    pub fn later(&mut self, line: &str, is_lost: bool) -> Result<(), String> {
        let (own, later) = line.split_once(" || ").unwrap_or_default();
        let file = self.file(later);
        let mut tell = |name: &str, over: &str| {
            let (rules, found) = self.applied(own, vec![overlay(name, over, file.clone())]);
            (rules, found.iter().map(|one| (one.code, one.severity, one.secondary.len())).collect::<Vec<_>>())
        };
        if !is_lost {
            let found = tell("a", "").1;
            return if found.is_empty() { Ok(()) } else { Err(format!("  {found:?}")) };
        }
        let address = later.split([' ', '=']).nth(1).unwrap_or("");
        let wrong = |what: &str| Err(format!("  {what}"));
        let (rules, found) = tell("a", "");
        if found != [("R202", Severity::Error, 1)] {
            return Err(format!("  {found:?}"));
        }
        if !tell("a", "owls").1.is_empty() || !tell("a", &format!("owls.{address}")).1.is_empty() {
            return wrong("told although it is overruled");
        }
        if tell("a", "owls.den").1.len() != 1 {
            return wrong("not told although something else is overruled");
        }
        let typed = tell("--with #1", "").1;
        if typed.len() != 1 || (typed[0].0, typed[0].1) != ("R202", Severity::Warning) {
            return wrong("typed rules, which cannot say what they overrule, are not warned");
        }
        if rules == self.applied(own, Vec::new()).0 { Ok(()) } else { wrong("it is done in spite of that") }
    }

    /// Rules that apply their own variants and lines that change them, and what they become.
    pub fn whole(&mut self, case: &Case) -> Result<(), String> {
        let mut file = self.file(&case.rules.text);
        let variants = take_variants(&mut file);
        let said = |variant: &Overlay| {
            let title = variant.title.as_deref().unwrap_or("");
            format!("variant {} \"{title}\" over {}", variant.name, variant.over.join(", ")).trim_end().to_string()
        };
        let named: Vec<String> = variants.iter().map(said).collect();
        let mut found = Vec::new();
        let rules = if case.alone {
            declarations(&apply_overlays(rules_of(file), variants, &|_| false, &mut found).declarations)
        } else {
            let (rules, told) = self.applied("", vec![overlay("a", "", file)]);
            found = told;
            rules
        };
        let wanted = self.said(case.becomes.as_deref().unwrap_or(""));
        if rules != wanted || !found.is_empty() || named != case.made {
            return Err(format!("  {named:?} {found:?}\n{rules}\n  not\n{wanted}"));
        }
        Ok(())
    }
}
