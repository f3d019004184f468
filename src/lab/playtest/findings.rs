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
    /// The finding.
    pub finding: Finding,
}

impl Conclusion {
    /// Chooses the foremost findings: the largest for certain, of each group one at first.
    pub(super) fn new(mut candidates: Vec<Candidate>, tested: usize, none: impl FnOnce() -> String) -> Conclusion {
        candidates.sort_by(|a, b| b.finding.certain.abs().total_cmp(&a.finding.certain.abs()));
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
    pub(super) fn text(&self, color: bool) -> String {
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
        Candidate { group, finding: Finding { text: about.clone(), about, effect: certain * 2.0, certain } }
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
