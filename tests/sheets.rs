//! What is drawn on sheets of cards before it is PDF: which letters there are and how wide, how texts fit into their boxes, and which cards
//! are printed anew. `tests/print.rs` reads the sheets back.

use crate::support::root;
use houserule::print::{
    CardContent, Change, KnownWords, Mark, SavedContents, Sheets, changes_since, contents_of_json, parse_layout, resolve_layout,
};
use houserule::source::Sources;
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// Millimetres in a point.
const POINT: f64 = 25.4 / 72.0;

fn card(id: &str, text: &str, copies: u16) -> CardContent {
    CardContent {
        id: id.to_string(),
        name: id.to_uppercase(),
        kind: "wisp".to_string(),
        kind_name: "wisp".to_string(),
        age: 0,
        set: None,
        copies,
        text: Some(text.to_string()),
        figures: Vec::new(),
    }
}

/// A line that is drawn: where it begins, in millimetres from the left, the size of its letters in points, and the letters.
type Line = (f64, f64, String);

/// Draws one card, 64 mm wide and 24 high, whose boxes show its text; returns the lines, and what is said about them.
fn drawn(boxes: &str, text: &str) -> (Vec<Line>, Vec<String>) {
    let layout = format!("[sheet]\nmarks = false\nfoot = false\n[card]\nsize = \"64 x 24\"\n{boxes}");
    let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
    let raw = parse_layout(sources.add("a layout", layout.as_str()), &layout, &mut diagnostics);
    let layout = resolve_layout(raw, &KnownWords::default(), &mut diagnostics);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let (layout, word_name) = (layout.unwrap(), |word: &str| word.to_string());
    let mut sheets = Sheets::new(&layout, "wisps", &word_name).unwrap();
    sheets.add_cards(&[card("wisp", text, 1)], &|card| card.copies, &|_, _| None, &mut diagnostics);
    let marks = sheets.finish().into_iter().flat_map(|page| page.marks);
    let line = |mark: Mark| match mark {
        Mark::Text { x, size, text, .. } => (x, size, text),
        Mark::Path { .. } => panic!("only letters are drawn: {mark:?}"),
    };
    (marks.map(line).collect(), diagnostics.into_iter().map(|said| format!("{}: {}", said.message, said.label)).collect())
}

/// A box that shows the text of its card, with its size in millimetres and the largest and smallest size of its letters in points.
fn text_box((width, height): (u32, u32), (font, smallest): (u32, u32), more: &str) -> String {
    format!("[card.boxes.a]\nplace = [2, 2, {width}, {height}]\nshow = \"{{text}}\"\nfont = {font}\nsmallest = {smallest}\n{more}")
}

#[test]
fn european_letters_are_there_and_others_are_told() {
    let letters = |text: &str| text.replace(' ', "");
    for bold in [false, true] {
        let drawn = |text: &str| drawn(&text_box((60, 20), (8, 8), &format!("bold = {bold}\n")), text);
        for text in ["Größe, cœur, Łódź, „ja“ – ½", "Οπλίτης, Ἀθῆναι", "Юрий", "2 × 3 ≤ 7 → …", "−1\u{a0}m", "→ ≥ ≠ ★ ♥ ∞ ẞ"]
        {
            let (lines, said) = drawn(text);
            assert_eq!(said, [""; 0], "{text}");
            assert_eq!(letters(&lines.into_iter().map(|line| line.2).collect::<String>()), letters(text));
        }
        let lacking = "the fonts of the program lack letters that `wisp` has: `字`, `漢`: a box stands in their places";
        assert_eq!(drawn("a 漢 b 字").1, [lacking]);
    }
}

/// The width of a text in one line, for letters of size 1: by how much less than its width a line at the right of a box begins behind one at
/// its left.
fn width(text: &str, bold: bool) -> f64 {
    let boxes = ["left", "right"].map(|align| {
        format!("[card.boxes.{align}]\nplace = [2, 2, 60, 20]\nshow = \"{{text}}\"\nfont = 10\nbold = {bold}\nalign = \"{align}\"\n")
    });
    match &drawn(&boxes.concat(), text).0[..] {
        [left, right] => (60.0 - (right.0 - left.0)) / (10.0 * POINT),
        lines => panic!("one line in each box: {lines:?}"),
    }
}

#[test]
fn letters_are_as_wide_as_their_font_says() {
    assert!(width("mm", false) > width("ii", false) && width("mm", true) > width("mm", false));
    for (bold, file) in [(false, "fonts/NotoSans-Regular.ttf"), (true, "fonts/NotoSans-Bold.ttf")] {
        let data = std::fs::read(root().join(file)).unwrap();
        let font = FontRef::new(&data).unwrap();
        let (size, location) = (Size::unscaled(), LocationRef::default());
        let (glyphs, widths) = (font.charmap(), font.glyph_metrics(size, location));
        let units = f64::from(font.metrics(size, location).units_per_em);
        for text in ["mm", "ii", "Œ½→", "n\u{a0}n"] {
            let units_of = |letter: char| f64::from(widths.advance_width(glyphs.map(letter).unwrap()).unwrap());
            let wide = text.replace('\u{a0}', " ").chars().map(units_of).sum::<f64>() / units;
            assert!((width(text, bold) - wide).abs() < 1e-9, "{text} in {file}: {} and {wide}", width(text, bold));
        }
    }
}

#[test]
fn a_text_becomes_smaller_until_it_fits() {
    let text = "a wolf howls at the wall and the wall says nothing";
    let (large, said) = drawn(&text_box((60, 20), (9, 6), ""), text);
    assert!(large.iter().all(|line| line.1 == 9.0) && said.is_empty(), "{large:?}: {said:?}");
    let (small, said) = drawn(&text_box((30, 9), (9, 5), ""), text);
    assert!(small.iter().all(|line| line.1 < 9.0) && said.is_empty(), "{small:?}: {said:?}");
    for lines in [large, small] {
        assert_eq!(lines.iter().map(|line| line.2.as_str()).collect::<Vec<_>>().join(" "), text);
    }
    let (cut, said) = drawn(&text_box((20, 6), (9, 8), ""), text);
    assert!(cut.last().unwrap().2.ends_with('…'), "{cut:?}");
    assert!(said.len() == 1 && said[0].starts_with("`wisp` has more in box `a` than fits: lines that are left out: "), "{said:?}");
}

#[test]
fn a_long_word_is_broken_only_where_it_cannot_be_made_small_enough() {
    let word = "Donaudampfschifffahrtsgesellschaft";
    let (whole, said) = drawn(&text_box((60, 20), (12, 6), "bold = true\n"), word);
    assert_eq!((whole.len(), whole[0].2.as_str(), said), (1, word, Vec::new()));
    let (broken, said) = drawn(&text_box((15, 20), (12, 6), "bold = true\n"), word);
    assert_eq!((broken.into_iter().map(|line| line.2).collect::<String>().as_str(), said), (word, Vec::new()));
}

#[test]
fn what_is_printed_differently_is_told() {
    let older =
        [card("wolf", "howls", 1), card("wall", "stands", 1), card("wisp", "glows", 2), card("moth", "flies", 1), card("reed", "sways", 2)];
    let newer =
        [card("wall", "falls", 1), card("wolf", "howls", 1), card("wisp", "glows", 3), card("fox", "runs", 1), card("reed", "sways", 1)];
    let told = [("wall", Change::Changed), ("wisp", Change::More), ("fox", Change::New), ("reed", Change::Fewer), ("moth", Change::Gone)];
    assert_eq!(changes_since(&older, &newer), told.map(|(id, change)| (id.to_string(), change)));
    let saved = SavedContents { game: "wisps".to_string(), language: "en".to_string(), cards: newer.to_vec() };
    assert_eq!(contents_of_json(&serde_json::to_string(&saved).unwrap()).unwrap(), saved);
    assert!(contents_of_json("{}").is_err());
}
