//! Texts in boxes: words with icons among them, broken into lines, and made smaller until they fit.

use super::fonts::{Fonts, NO_BREAK};

/// Millimetres in a point.
pub(crate) const POINT: f64 = 25.4 / 72.0;
/// Distance of lines, for letters of size 1.
pub(crate) const LINE_HEIGHT: f64 = 1.22;
/// Distance of the base line of a line from its top, for letters of size 1.
pub(crate) const BASE_LINE: f64 = 0.95;
/// Width of an icon, for letters of size 1.
pub(crate) const ICON: f64 = 0.95;
/// Space behind an icon, for letters of size 1.
const ICON_GAP: f64 = 0.2;
/// By how many points a text becomes smaller from one attempt to the next.
const STEP: f64 = 0.25;

/// A part of a word.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// Letters.
    Letters {
        /// The letters, without blanks.
        text: String,
        /// Whether they are bold.
        bold: bool,
    },
    /// The icon of a word of the rules.
    Icon(String),
}

/// What is not broken into lines.
pub(crate) type Word = Vec<Piece>;

/// What begins on a line of its own.
pub(crate) type Paragraph = Vec<Word>;

/// A text that was put into a box.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FittedText {
    /// Size of the letters, in points.
    pub size: f64,
    /// The lines, each with its words.
    pub lines: Vec<Vec<Word>>,
    /// How many lines did not fit.
    pub missing: usize,
}

/// Whether a line may end at a letter.
pub(crate) fn is_break(letter: char) -> bool {
    letter.is_whitespace() && letter != NO_BREAK
}

/// Where a word may be broken, with a hyphen at the end of the line; elsewhere it is not seen.
const SOFT_HYPHEN: char = '\u{ad}';
/// Where a word may be broken without a hyphen; it is never seen.
const NO_WIDTH: char = '\u{200b}';

/// Makes words of a text.
pub(crate) fn words(text: &str, bold: bool) -> Vec<Word> {
    text.split(is_break).filter(|word| !word.is_empty()).map(|word| vec![Piece::Letters { text: word.to_string(), bold }]).collect()
}

/// Returns the width of a word for letters of size 1.
pub(crate) fn word_width(fonts: &Fonts, word: &[Piece]) -> f64 {
    let width = |piece: &Piece| match piece {
        Piece::Letters { text, bold } => fonts.width(text, *bold),
        Piece::Icon(_) => ICON + ICON_GAP,
    };
    word.iter().map(width).sum()
}

/// Returns the width of a blank for letters of size 1.
pub(crate) fn blank(fonts: &Fonts) -> f64 {
    fonts.width(" ", false)
}

/// Puts paragraphs into a box of this width and height in millimetres: with letters of the largest size if they fit, else smaller, down to
/// the smallest size in points. A word that is too wide even then is broken. Lines that do not fit are left out, and counted.
pub(crate) fn fit(fonts: &Fonts, paragraphs: &[Paragraph], (width, height): (f64, f64), (largest, smallest): (f64, f64)) -> FittedText {
    let room = |size: f64| (height / (size * POINT * LINE_HEIGHT) + 0.001).floor();
    let mut size = largest;
    loop {
        let em = width / (size * POINT);
        let at_end = size <= smallest;
        let fits_a_line = |word: &Word| syllables(word).iter().all(|syllable| word_width(fonts, &syllable.at_end()) <= em);
        let whole = paragraphs.iter().flatten().all(fits_a_line);
        if whole || at_end {
            let mut lines: Vec<Vec<Word>> = paragraphs.iter().flat_map(|paragraph| broken(fonts, paragraph, em)).collect();
            let fits = as_count(room(size));
            if lines.len() <= fits || at_end {
                let missing = lines.len().saturating_sub(fits);
                if missing > 0 {
                    // Something is drawn even where there is no room for a line.
                    lines.truncate(fits.max(1));
                    if let Some(last) = lines.last_mut() {
                        last.pop();
                        last.push(vec![Piece::Letters { text: "…".to_string(), bold: false }]);
                    }
                }
                return FittedText { size, lines, missing };
            }
        }
        size = (size - STEP).max(smallest);
    }
}

/// Converts a number of lines.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a box has room for few lines")]
fn as_count(lines: f64) -> usize {
    lines as usize
}

/// Breaks a paragraph into lines of a width, for letters of size 1.
fn broken(fonts: &Fonts, paragraph: &[Word], width: f64) -> Vec<Vec<Word>> {
    let (mut lines, mut line, mut used) = (Vec::new(), Vec::new(), 0.0);
    let blank = blank(fonts);
    for word in paragraph {
        let mut rest = syllables(word);
        loop {
            let from = if line.is_empty() { 0.0 } else { used + blank };
            let whole = joined(&rest);
            let wide = word_width(fonts, &whole);
            if from + wide <= width {
                used = from + wide;
                line.push(whole);
                break;
            }
            // As many syllables as there is room for, with a hyphen if one is meant.
            let mut parts = (1..rest.len()).rev().map(|count| (count, broken_behind(&rest[..count])));
            let part = parts.find(|(_, part)| from + word_width(fonts, part) <= width);
            if let Some((count, part)) = part {
                line.push(part);
                rest.drain(..count);
            } else if line.is_empty() {
                let mut parts = parts_of_word(fonts, &whole, width);
                let last = parts.pop().unwrap_or_default();
                lines.extend(parts.into_iter().map(|part| vec![part]));
                used = word_width(fonts, &last);
                line.push(last);
                break;
            }
            lines.push(std::mem::take(&mut line));
            used = 0.0;
        }
    }
    lines.push(line);
    lines
}

/// A part of a word that is not broken unless it is wider than a line.
struct Syllable {
    word: Word,
    /// The hyphen that stands behind it if a line ends there.
    hyphen: Option<Piece>,
}

impl Syllable {
    /// Returns it as it stands at the end of a line.
    fn at_end(&self) -> Word {
        broken_behind(std::slice::from_ref(self))
    }
}

/// Takes a word apart at the places where its text says that it may be broken.
fn syllables(word: &[Piece]) -> Vec<Syllable> {
    let mut found = vec![Syllable { word: Word::new(), hyphen: None }];
    for piece in word {
        let Piece::Letters { text, bold } = piece else {
            found.last_mut().into_iter().for_each(|last| last.word.push(piece.clone()));
            continue;
        };
        let piece = |text: &str| Piece::Letters { text: text.to_string(), bold: *bold };
        for part in text.split_inclusive([SOFT_HYPHEN, NO_WIDTH]) {
            let letters = part.trim_end_matches([SOFT_HYPHEN, NO_WIDTH]);
            if let Some(last) = found.last_mut().filter(|_| !letters.is_empty()) {
                push_piece(&mut last.word, piece(letters));
            }
            if letters.len() < part.len() {
                found.last_mut().into_iter().for_each(|last| last.hyphen = part.ends_with(SOFT_HYPHEN).then(|| piece("-")));
                found.push(Syllable { word: Word::new(), hyphen: None });
            }
        }
    }
    found.retain(|syllable| !syllable.word.is_empty());
    found
}

/// Joins syllables to a word.
fn joined(syllables: &[Syllable]) -> Word {
    let mut word = Word::new();
    syllables.iter().flat_map(|syllable| syllable.word.clone()).for_each(|piece| push_piece(&mut word, piece));
    word
}

/// Joins syllables to what stands at the end of a line.
fn broken_behind(syllables: &[Syllable]) -> Word {
    let mut word = joined(syllables);
    syllables.last().and_then(|last| last.hyphen.clone()).into_iter().for_each(|hyphen| push_piece(&mut word, hyphen));
    word
}

/// Breaks a word that is wider than a line; any other stays whole.
fn parts_of_word(fonts: &Fonts, word: &[Piece], width: f64) -> Vec<Word> {
    if word_width(fonts, word) <= width {
        return vec![word.to_vec()];
    }
    let (mut parts, mut part, mut used) = (Vec::new(), Vec::new(), 0.0);
    let single = word.iter().flat_map(|piece| match piece {
        Piece::Letters { text, bold } => text.chars().map(|letter| Piece::Letters { text: letter.to_string(), bold: *bold }).collect(),
        Piece::Icon(_) => vec![piece.clone()],
    });
    for piece in single {
        let wide = word_width(fonts, std::slice::from_ref(&piece));
        if used + wide > width && !part.is_empty() {
            parts.push(std::mem::take(&mut part));
            used = 0.0;
        }
        used += wide;
        push_piece(&mut part, piece);
    }
    parts.push(part);
    parts
}

/// Adds a piece to a word; letters that look like those before join them.
fn push_piece(word: &mut Word, piece: Piece) {
    if let (Some(Piece::Letters { text: before, bold: was }), Piece::Letters { text, bold }) = (word.last_mut(), &piece)
        && was == bold
    {
        before.push_str(text);
        return;
    }
    word.push(piece);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sets a text in a box of this width in millimetres with letters of ten points; returns its lines.
    fn lines(text: &str, width: f64) -> Vec<String> {
        let fonts = Fonts::new().unwrap();
        let fitted = fit(&fonts, &[words(text, false)], (width, 100.0), (10.0, 10.0));
        let letters = |piece: &Piece| if let Piece::Letters { text, .. } = piece { text.clone() } else { String::new() };
        let line = |words: &Vec<Word>| words.iter().map(|word| word.iter().map(letters).collect()).collect::<Vec<String>>().join(" ");
        fitted.lines.iter().map(line).collect()
    }

    #[test]
    fn a_soft_hyphen_is_seen_only_where_a_line_ends_at_it() {
        assert_eq!(lines("Co\u{ad}op", 50.0), ["Coop"]);
        let long = "Elektri\u{ad}zitäten\u{ad}haupt\u{ad}zentrale";
        assert_eq!(lines(long, 60.0), ["Elektrizitätenhauptzentrale"]);
        assert_eq!(lines(long, 30.0), ["Elektrizitäten-", "hauptzentrale"]);
        assert_eq!(lines(&format!("a {long} b"), 30.0), ["a Elektri-", "zitätenhaupt-", "zentrale b"]);
        // Without room for a syllable it is broken anywhere, as other words are.
        assert_eq!(lines("a\u{ad}bbbbbbbbbb", 8.0).concat(), "abbbbbbbbbb");
    }

    #[test]
    fn a_space_without_width_allows_a_line_to_end() {
        assert_eq!(lines("one\u{200b}two", 50.0), ["onetwo"]);
        assert_eq!(lines("seven\u{200b}eleven", 15.0), ["seven", "eleven"]);
    }
}
