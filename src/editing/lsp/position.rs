//! Conversion between byte offsets and editor positions: lines from 0, columns in UTF-16 code units.

use lsp_types::{Position, Range};

/// Returns the byte offset of a position, clamped to the end of its line and of the text.
pub(super) fn byte_of(text: &str, place: Position) -> usize {
    let mut start = 0;
    for _ in 0..place.line {
        match text.get(start..).and_then(|rest| rest.find('\n')) {
            Some(at) => start += at + 1,
            None => return text.len(),
        }
    }
    let line = text.get(start..).unwrap_or("");
    let line = line.split('\n').next().unwrap_or("").trim_end_matches('\r');
    let mut units = 0;
    for (at, letter) in line.char_indices() {
        if units >= place.character as usize {
            return start + at;
        }
        units += letter.len_utf16();
    }
    start + line.len()
}

/// Returns the position of a byte offset.
pub(super) fn place_of(text: &str, byte: usize) -> Position {
    let byte = crate::source::floor_boundary(text, byte);
    let before = text.get(..byte).unwrap_or("");
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let column = before.rsplit('\n').next().unwrap_or("").encode_utf16().count();
    Position { line: u32::try_from(line).unwrap_or(u32::MAX), character: u32::try_from(column).unwrap_or(u32::MAX) }
}

/// Returns the range between two byte offsets.
pub(super) fn range_of(text: &str, start: usize, end: usize) -> Range {
    Range { start: place_of(text, start), end: place_of(text, end.max(start)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf16() {
        let text = "α🂡 wolf\r\nwall";
        let at = text.find("wolf").unwrap();
        assert_eq!(place_of(text, at), Position { line: 0, character: 4 });
        for byte in [0, 2, at, text.find("wall").unwrap(), text.len()] {
            assert_eq!(byte_of(text, place_of(text, byte)), byte);
        }
    }

    #[test]
    fn what_lies_outside_is_an_end() {
        let text = "wolf\nwall";
        assert_eq!(byte_of(text, Position { line: 0, character: 99 }), 4);
        assert_eq!(byte_of(text, Position { line: 9, character: 1 }), 9);
        assert_eq!(place_of(text, 99), Position { line: 1, character: 4 });
        assert_eq!(byte_of("", Position { line: 0, character: 1 }), 0);
    }
}
