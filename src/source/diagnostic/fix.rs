//! Fixes: changes to a text that solve what a diagnostic reports, which an editor offers as quick fixes.

use super::{Diagnostic, nearest};

/// A change that solves what a diagnostic reports. It is proposed only where it is the one way out, or one that is meant most often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What is done, in the words of an editor's menu: lower case, names in backticks.
    pub title: String,
    /// The change, in terms of the place of the diagnostic.
    pub edit: FixEdit,
}

/// What a fix changes, in terms of the place of its diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixEdit {
    /// Puts `right` in place of a word. If `wrong` is not known, it is the word of the place that is nearest to `right`.
    Word {
        /// The word as it is written.
        wrong: Option<String>,
        /// The word that was meant.
        right: String,
    },
    /// Puts a text in place of all that the diagnostic underlines.
    Place(String),
    /// Puts a text ahead of the place.
    Ahead(String),
    /// Puts a value of TOML in place of the one that is underlined, with the quotes of either.
    Value(String),
    /// Removes a key of TOML with its value: the one that is underlined, as key or as value.
    RemoveEntry,
    /// Adds lines to the table of TOML whose header is underlined, or to the top of a file if nothing is.
    AddLines(Vec<String>),
}

impl Fix {
    /// Makes a fix of a title and a change.
    pub fn new(title: impl Into<String>, edit: FixEdit) -> Fix {
        Fix { title: title.into(), edit }
    }

    /// Puts a text in place of all that is underlined.
    pub fn place(text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix::new(format!("write `{text}`"), FixEdit::Place(text))
    }

    /// Puts one word in place of another.
    pub fn word(wrong: impl Into<String>, right: impl Into<String>) -> Fix {
        let right = right.into();
        Fix::new(format!("write `{right}`"), FixEdit::Word { wrong: Some(wrong.into()), right })
    }

    /// Puts one word in place of another if the advice is just to write it, as "write `den.room`" is; `None` for advice that leaves open what
    /// exactly is written.
    pub fn advised(wrong: &str, advice: &str) -> Option<Fix> {
        let right = advice.strip_prefix("write `")?.strip_suffix('`')?;
        let is_blank = |word: &str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        let open = right.contains(['`', '…']) || right.split(|letter: char| !letter.is_alphanumeric()).any(is_blank);
        (!open).then(|| Fix::word(wrong, right))
    }

    /// Puts another value of TOML in place of the one that is underlined.
    pub fn value(text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix::new(format!("write `{text}`"), FixEdit::Value(text))
    }

    /// Removes a key of TOML with its value.
    pub fn remove(key: &str) -> Fix {
        Fix::new(format!("remove `{key}`"), FixEdit::RemoveEntry)
    }

    /// Adds lines to a table of TOML.
    pub fn add(lines: impl IntoIterator<Item = impl Into<String>>) -> Fix {
        let lines: Vec<String> = lines.into_iter().map(Into::into).collect();
        Fix::new(format!("add `{}`", lines.join("`, `")), FixEdit::AddLines(lines))
    }
}

impl Diagnostic {
    /// Adds a change that solves what is reported.
    pub fn fix(mut self, fix: Fix) -> Diagnostic {
        self.fixes.push(fix);
        self
    }

    /// Adds a change that solves what is reported, if there is one.
    pub fn fix_if(mut self, fix: Option<Fix>) -> Diagnostic {
        self.fixes.extend(fix);
        self
    }
}

/// Finds the bytes of `place`, the text that a diagnostic underlines, for which [`FixEdit::Word`] puts `right`; `None` if `wrong` is not
/// there or is there twice, or if several words are near to `right`.
pub fn word_to_replace(place: &str, wrong: Option<&str>, right: &str) -> Option<(usize, usize)> {
    let only = |mut found: Vec<(usize, usize)>| found.pop().filter(|_| found.is_empty());
    let bare = |text: &str| text.trim_matches(['"', '\'', '`']).to_string();
    if let Some(wrong) = wrong {
        let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        let ends =
            |at: usize| (place.get(..at).unwrap_or("").chars().next_back(), place.get(at + wrong.len()..).unwrap_or("").chars().next());
        let starts = place.match_indices(wrong).map(|(at, _)| at);
        let is_whole = |at: &usize| {
            let (before, behind) = ends(*at);
            !(is_part(before) && is_part(wrong.chars().next()) || is_part(behind) && is_part(wrong.chars().next_back()))
        };
        return only(starts.filter(is_whole).map(|at| (at, at + wrong.len())).collect());
    }
    let is_near = |word: &str| nearest(word, [right]).is_some();
    let whole = bare(place);
    if is_near(&whole) {
        let start = place.find(&whole)?;
        return Some((start, start + whole.len()));
    }
    for letters in [&['_', '.'][..], &['_']] {
        let mut found = Vec::new();
        let mut start = 0;
        for word in place.split_inclusive(|letter: char| !letter.is_alphanumeric() && !letters.contains(&letter)) {
            let end = start + word.len();
            let word = word.trim_end_matches(|letter: char| !letter.is_alphanumeric() && !letters.contains(&letter));
            if is_near(word) {
                found.push((start, start + word.len()));
            }
            start = end;
        }
        if !found.is_empty() {
            return only(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_that_is_meant_is_found_in_its_place() {
        for (place, wrong, right, found) in [
            ("wips", None, "wisp", Some((0, 4))),
            ("\"wlof\"", None, "wolf", Some((1, 5))),
            ("p1.wips + 1", None, "wisp", Some((3, 7))),
            ("tabel.den", None, "table.den", Some((0, 9))),
            ("wips + wips", None, "wisp", None),
            ("moss", None, "wisp", None),
            ("as set pu", None, "as set up", Some((0, 9))),
            ("a wolf_1 wolf", Some("wolf"), "wall", Some((9, 13))),
            ("wolf, wolf", Some("wolf"), "wall", None),
            ("x == \"wolf\"", Some("\"wolf\""), "wolf", Some((5, 11))),
        ] {
            assert_eq!(word_to_replace(place, wrong, right), found, "{place}");
        }
    }
}
