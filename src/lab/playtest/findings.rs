//! What a report comes to in three sentences: of all that is shown after correction for many tests, what is largest for certain.

use serde::Serialize;

use super::table::{heading, paragraph};

/// Number of findings at the head of a report.
const FINDINGS: usize = 3;

/// What a report comes to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Conclusion {
    /// The foremost findings; fewer if less is shown.
    pub findings: Vec<Finding>,
    /// Number of tests of which these are the foremost that show something.
    pub tested: usize,
    /// If nothing is shown: that it is so, and how many games would show an effect of one point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none: Option<String>,
}

/// Something that is shown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// What it is about: a measure, a seat, a card.
    pub about: String,
    /// The finding as a sentence, without a full stop.
    pub text: String,
    /// The effect in standard deviations of a game, or as Cohen's *h* of shares.
    pub effect: f64,
    /// The end of the effect's interval, adjusted for selection, that is nearer to 0: findings are ranked by it.
    pub certain: f64,
}

/// A finding with the group of those that say nearly the same.
pub(super) struct Candidate {
    /// The group.
    pub group: &'static str,
    /// What others say in the same words; the foremost says it for all of them. `None` if it stands alone.
    pub likewise: Option<Likewise>,
    /// The finding.
    pub finding: Finding,
}

/// What makes several findings one sentence.
pub(super) struct Likewise {
    /// The same for all of them.
    pub kind: String,
    /// What is said of one that is not the foremost: a name with its value.
    pub short: String,
}

/// Number of further findings that a sentence names.
const LIKEWISE: usize = 3;

/// Puts findings that say the same into the foremost of them; they are sorted.
fn fold_likewise(candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut folded: Vec<(Candidate, Vec<String>)> = Vec::new();
    for candidate in candidates {
        let kind = |candidate: &Candidate| candidate.likewise.as_ref().map(|likewise| likewise.kind.clone());
        let same = folded.iter_mut().find(|(first, _)| candidate.likewise.is_some() && kind(first) == kind(&candidate));
        match (same, candidate.likewise) {
            (Some((_, others)), Some(likewise)) => others.push(likewise.short),
            (_, likewise) => folded.push((Candidate { likewise, ..candidate }, Vec::new())),
        }
    }
    let text = |others: &[String]| match others.len().saturating_sub(LIKEWISE) {
        0 => enumerated(others, "and"),
        more => format!("{} and {more} more", others[..LIKEWISE].join(", ")),
    };
    let whole = |(mut first, others): (Candidate, Vec<String>)| {
        if !others.is_empty() {
            first.finding.text += &format!("; likewise {}", text(&others));
        }
        first
    };
    folded.into_iter().map(whole).collect()
}

/// Joins names by commas, and the last two by a word.
pub(super) fn enumerated(names: &[String], word: &str) -> String {
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} {word} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

impl Conclusion {
    /// Chooses the foremost findings: the largest for certain, of each group one at first.
    pub(super) fn new(mut candidates: Vec<Candidate>, tested: usize, none: impl FnOnce() -> String) -> Conclusion {
        candidates.sort_by(|a, b| b.finding.certain.abs().total_cmp(&a.finding.certain.abs()));
        let candidates = fold_likewise(candidates);
        let mut groups: Vec<&str> = Vec::new();
        let (first, others): (Vec<Candidate>, Vec<Candidate>) = candidates.into_iter().partition(|candidate| {
            let is_new = !groups.contains(&candidate.group);
            groups.extend(is_new.then_some(candidate.group));
            is_new
        });
        let mut findings: Vec<Finding> = first.into_iter().chain(others).map(|candidate| candidate.finding).take(FINDINGS).collect();
        findings.sort_by(|a, b| b.certain.abs().total_cmp(&a.certain.abs()));
        let none = findings.is_empty().then(none);
        Conclusion { findings, tested, none }
    }

    /// Returns the sentences of the conclusion.
    pub fn sentences(&self) -> Vec<String> {
        self.findings.iter().map(|finding| finding.text.clone()).chain(self.none.clone()).collect()
    }

    /// Returns the heading of the conclusion.
    pub fn title(&self) -> &'static str {
        match self.findings.len() {
            0 => "What is found",
            1 => "One finding",
            2 => "Two findings",
            _ => "Three findings",
        }
    }

    /// Formats the conclusion as text for a terminal.
    pub(crate) fn text(&self, color: bool) -> String {
        let sentences = self.sentences();
        if sentences.is_empty() {
            return String::new();
        }
        let numbered = !self.findings.is_empty();
        let lines = sentences.iter().enumerate().map(|(at, sentence)| {
            let mark = if numbered { format!("{}. ", at + 1) } else { String::new() };
            paragraph(2, &mark, sentence)
        });
        format!("\n{}{}", heading(self.title(), color), lines.collect::<String>())
    }
}

/// Says how large an effect is, by its size in standard deviations (Cohen 1988, ch. 2: 0.2 is small, 0.5 medium, 0.8 large).
pub(super) fn size_in_words(effect: f64) -> &'static str {
    match effect.abs() {
        size if size < 0.2 => "a very small effect",
        size if size < 0.5 => "a small effect",
        size if size < 0.8 => "a medium effect",
        _ => "a large effect",
    }
}

/// Returns the end of an interval that is nearer to 0; 0 if it lies within.
pub(super) fn nearer_end([low, high]: [f64; 2]) -> f64 {
    if low > 0.0 {
        low
    } else if high < 0.0 {
        high
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(group: &'static str, certain: f64) -> Candidate {
        let about = format!("{group} {certain}");
        Candidate { group, likewise: None, finding: Finding { text: about.clone(), about, effect: certain * 2.0, certain } }
    }

    #[test]
    fn what_holds_of_several_is_said_once() {
        let of = |name: &str, kind: &str, certain| {
            let likewise = Some(Likewise { kind: kind.to_string(), short: format!("{name} too") });
            let text = format!("{name} wins");
            Candidate { group: "cards", likewise, finding: Finding { about: name.to_string(), text, effect: certain, certain } }
        };
        let names = ["b", "c", "d", "e", "f"];
        let all = |count: usize| {
            let more = names.iter().take(count).enumerate().map(|(at, name)| of(name, "more", 0.8 - 0.1 * at as f64));
            let all = [of("a", "more", 0.9), of("z", "less", -0.15), candidate("strategies", 0.2)].into_iter().chain(more);
            Conclusion::new(all.collect(), 9, String::new).sentences()
        };
        assert_eq!(all(0), ["a wins", "strategies 0.2", "z wins"]);
        assert_eq!(all(1)[0], "a wins; likewise b too");
        assert_eq!(all(3)[0], "a wins; likewise b too, c too and d too");
        assert_eq!(all(5), ["a wins; likewise b too, c too, d too and 2 more", "strategies 0.2", "z wins"]);
    }

    #[test]
    fn the_foremost_findings_are_of_different_groups_where_there_are_some() {
        let all = vec![candidate("a", 0.9), candidate("a", -0.8), candidate("b", 0.1), candidate("a", 0.7), candidate("c", -0.3)];
        let found = Conclusion::new(all, 9, || "nothing".to_string());
        assert_eq!(found.sentences(), ["a 0.9", "c -0.3", "b 0.1"]);
        assert_eq!((found.title(), found.tested, found.none), ("Three findings", 9, None));
        let all = vec![candidate("a", 0.9), candidate("a", -0.8), candidate("b", 0.1), candidate("a", 0.7)];
        assert_eq!(Conclusion::new(all, 4, String::new).sentences(), ["a 0.9", "a -0.8", "b 0.1"]);
    }

    #[test]
    fn where_there_is_nothing_that_is_said() {
        let found = Conclusion::new(Vec::new(), 9, || "nothing is shown".to_string());
        assert_eq!(found.text(false), "\nWhat is found\n  nothing is shown\n");
        assert_eq!(Conclusion::default().text(false), "");
    }

    #[test]
    fn an_interval_counts_by_its_nearer_end() {
        assert_eq!([[0.5, 2.0], [-2.0, -0.5], [-1.0, 2.0]].map(nearer_end), [0.5, -0.5, 0.0]);
        assert_eq!(
            [0.1, -0.2, 0.6, -3.0].map(size_in_words),
            ["a very small effect", "a small effect", "a medium effect", "a large effect"]
        );
    }
}
