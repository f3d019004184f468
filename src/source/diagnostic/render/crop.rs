//! Shortens long source lines to the part around a place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use codespan_reporting::files::{Error, Files};

use super::super::{is_unseen, visible};
use crate::source::{FileId, Sources, floor_boundary};

/// The length in bytes of the longest line that is displayed in full.
const MAX_LINE_BYTES: usize = 400;
/// The number of bytes to keep before a place in a longer line, and after its start.
const BYTES_BEFORE_PLACE: usize = 60;
const BYTES_AFTER_START: usize = 120;

/// Texts and file names with invisible characters replaced. The replacement has as many bytes, so that spans stay valid.
pub(super) struct CleanSources<'s> {
    /// The original texts.
    pub sources: &'s Sources,
    texts: BTreeMap<FileId, String>,
    names: BTreeMap<FileId, String>,
}

impl<'s> CleanSources<'s> {
    /// Creates copies of the texts and names of these files in which invisible characters are replaced.
    pub fn replace_invisible(sources: &'s Sources, files: impl Iterator<Item = FileId>) -> CleanSources<'s> {
        let files: BTreeSet<FileId> = files.collect();
        let unclean = |text: &str| text.replace("\r\n", "\n").contains(is_unseen);
        let texts = files.iter().filter(|file| unclean(sources.text(**file))).map(|file| (*file, cleaned(sources.text(*file))));
        let names = files.iter().filter(|file| sources.name(**file).contains(is_unseen));
        let names = names.map(|file| (*file, visible(sources.name(*file)).into_owned())).collect();
        CleanSources { sources, texts: texts.collect(), names }
    }

    fn text(&self, file: FileId) -> &str {
        self.texts.get(&file).map_or_else(|| self.sources.text(file), String::as_str)
    }
}

fn cleaned(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let ends_line = letter == '\r' && letters.peek() == Some(&'\n');
        out.push(match letter.len_utf8() {
            _ if ends_line || !is_unseen(letter) => letter,
            1 => '?',
            2 => '·',
            _ => char::REPLACEMENT_CHARACTER,
        });
    }
    out
}

/// Texts for display, with long lines shortened.
pub(super) struct CroppedSources<'s> {
    clean: &'s CleanSources<'s>,
    cut: Vec<ShortenedText>,
}

/// A text with a shortened line.
struct ShortenedText {
    file: FileId,
    text: String,
    /// The index of the shortened line, and the range of it that is kept.
    line: usize,
    kept: Range<usize>,
    /// The range of the shortened line in the file.
    whole: Range<usize>,
}

impl<'s> CroppedSources<'s> {
    /// Shortens long lines around these places; at most one line for each text.
    pub fn new(clean: &'s CleanSources<'s>, places: &[(FileId, Range<usize>)]) -> CroppedSources<'s> {
        let sources = clean.sources;
        let mut cut: Vec<ShortenedText> = Vec::new();
        for (file, place) in places {
            let line = sources.line_index(*file, place.start);
            let Some(whole) = sources.line_range(*file, line).filter(|whole| whole.len() > MAX_LINE_BYTES) else { continue };
            if cut.iter().any(|cut| cut.file == *file) {
                continue;
            }
            let text = clean.text(*file);
            let boundary = |at: usize| floor_boundary(text, at).max(whole.start);
            let kept = boundary(place.start.saturating_sub(BYTES_BEFORE_PLACE))..boundary((place.start + BYTES_AFTER_START).min(whole.end));
            // Do not start in the middle of a word.
            let word = text.get(kept.start..place.start).filter(|_| kept.start > whole.start).and_then(|before| before.find(' '));
            let kept = kept.start + word.map_or(0, |blank| blank + 1)..kept.end;
            let shown = text.get(kept.clone()).unwrap_or("").trim_end();
            let kept = kept.start..kept.start + shown.len();
            let part = |range: Range<usize>| text.get(range).unwrap_or("");
            let behind = if whole.end < text.len() { "\n" } else { "" };
            let text = format!("{}{shown}{behind}{}", part(0..whole.start), part(whole.end..text.len()));
            cut.push(ShortenedText { file: *file, text, line, kept, whole });
        }
        CroppedSources { clean, cut }
    }

    fn cut(&self, file: FileId) -> Option<&ShortenedText> {
        self.cut.iter().find(|cut| cut.file == file)
    }

    /// Returns the range that a place of the file has in the shortened text.
    pub fn place(&self, file: FileId, place: Range<usize>) -> Range<usize> {
        match self.cut(file) {
            Some(cut) => cut.map_offset(place.start)..cut.map_offset(place.end),
            None => place,
        }
    }
}

impl ShortenedText {
    fn map_offset(&self, byte: usize) -> usize {
        if byte < self.whole.start {
            return byte;
        }
        if byte >= self.whole.end {
            let lost = self.whole.len().saturating_sub(self.kept.len() + 1);
            return byte.saturating_sub(lost).min(self.text.len());
        }
        self.whole.start + byte.clamp(self.kept.start, self.kept.end) - self.kept.start
    }
}

impl<'a> Files<'a> for CroppedSources<'_> {
    type FileId = FileId;
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, id: FileId) -> Result<&'a str, Error> {
        if (id.0 as usize) >= self.clean.sources.len() {
            return Err(Error::FileMissing);
        }
        Ok(self.clean.names.get(&id).map_or_else(|| self.clean.sources.name(id), String::as_str))
    }

    fn source(&'a self, id: FileId) -> Result<&'a str, Error> {
        match self.cut(id) {
            Some(cut) => Ok(&cut.text),
            None if (id.0 as usize) < self.clean.sources.len() => Ok(self.clean.text(id)),
            None => Err(Error::FileMissing),
        }
    }

    fn line_index(&'a self, id: FileId, byte: usize) -> Result<usize, Error> {
        Ok(match self.cut(id) {
            Some(cut) => cut.text.get(..floor_boundary(&cut.text, byte)).unwrap_or("").matches('\n').count(),
            None => self.clean.sources.line_index(id, byte),
        })
    }

    fn line_range(&'a self, id: FileId, line: usize) -> Result<Range<usize>, Error> {
        let range = self.clean.sources.line_range(id, line).ok_or(Error::LineTooLarge { given: line, max: 0 })?;
        Ok(match self.cut(id) {
            Some(cut) if line == cut.line => cut.whole.start..cut.map_offset(cut.whole.end),
            Some(cut) => cut.map_offset(range.start)..cut.map_offset(range.end),
            None => range,
        })
    }

    /// Counts columns as in the original file.
    fn column_number(&'a self, id: FileId, line: usize, byte: usize) -> Result<usize, Error> {
        let range = self.line_range(id, line)?;
        let source = self.source(id)?;
        let column = source.get(range.start..floor_boundary(source, byte)).unwrap_or("").chars().count() + 1;
        Ok(match self.cut(id) {
            Some(cut) if line == cut.line => {
                column + self.clean.sources.text(id).get(cut.whole.start..cut.kept.start).unwrap_or("").chars().count()
            }
            _ => column,
        })
    }
}
