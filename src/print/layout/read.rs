//! Reads layouts from TOML. Each key is used or refused; what a layout leaves open is said by the one below it.

use kurbo::{BezPath, Shape};

use super::super::marks::Color;
use super::super::problem::PrintProblem;
use super::super::template::Template;
use super::super::text::POINT;
use super::{Align, Vertical};
use crate::diagnostic::Diagnostic;
use crate::pack::keys::Keys;
use crate::pack::{Spanned, Text, TomlValue, read_table, tells_of_fraction};
use crate::source::{FileId, Span};

/// Largest length and largest size of letters.
const MAX_LENGTH: f64 = 2000.0;
/// Millimetres in an inch.
const INCH: f64 = 25.4;

/// The keys of each table, for suggestions.
const LAYOUT_KEYS: [&str; 7] = ["basis", "sheet", "card", "kind", "board", "icons", "shapes"];
const SHEET_KEYS: [&str; 6] = ["size", "landscape", "margin", "gap", "marks", "foot"];
const FORMAT_KEYS: [&str; 6] = ["size", "bleed", "corner", "line", "fill", "boxes"];
const BOX_KEYS: [&str; 15] = [
    "place",
    "show",
    "join",
    "font",
    "smallest",
    "bold",
    "align",
    "vertical",
    "color",
    "fill",
    "line",
    "corner",
    "symbol",
    "symbol_color",
    "takes",
];
/// Width and height of the square in which shapes are drawn.
const SQUARE: f64 = 100.0;
const ICON_KEYS: [&str; 2] = ["shape", "color"];

/// A layout as it is written: what it does not say is `None`.
#[derive(Clone, Debug, Default)]
pub struct RawLayout {
    /// Whether it begins with nothing, instead of the layout below it.
    pub(super) from_nothing: bool,
    pub(super) sheet: RawSheet,
    pub(super) card: RawFormat,
    pub(super) kinds: Vec<(Text, RawFormat)>,
    pub(super) space: Option<f64>,
    pub(super) icons: Vec<(Text, RawIcon)>,
    pub(super) shapes: Vec<(Text, BezPath)>,
}

/// A length or a colour that can also be taken away.
pub(super) type Optional<T> = Option<Option<T>>;

#[derive(Clone, Debug, Default)]
pub(super) struct RawSheet {
    pub size: Option<((f64, f64), Span)>,
    pub landscape: Option<bool>,
    pub margin: Option<(f64, Span)>,
    pub gap: Option<f64>,
    pub marks: Option<(bool, Span)>,
    pub foot: Option<bool>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct RawFormat {
    pub size: Option<((f64, f64), Span)>,
    pub bleed: Option<f64>,
    pub corner: Option<f64>,
    pub line: Option<f64>,
    pub fill: Optional<Color>,
    pub boxes: Vec<(Text, RawBox)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct RawBox {
    pub place: Option<([f64; 4], Span)>,
    pub show: Option<Vec<Template>>,
    pub join: Option<String>,
    pub font: Option<(f64, Span)>,
    pub smallest: Option<(f64, Span)>,
    pub bold: Option<bool>,
    pub align: Option<Align>,
    pub vertical: Option<Vertical>,
    pub color: Option<Color>,
    pub fill: Optional<Color>,
    pub line: Option<f64>,
    pub corner: Option<f64>,
    pub symbol: Option<Text>,
    pub symbol_color: Option<Color>,
    pub takes: Option<Text>,
}

#[derive(Clone, Debug)]
pub(super) struct RawIcon {
    pub shape: Text,
    pub color: Color,
}

/// Takes a value from the upper layer if it has one, and keeps that of the lower one otherwise.
macro_rules! lay_over {
    ($lower:expr, $upper:expr; $($field:ident),*) => { $(if $upper.$field.is_some() { $lower.$field = $upper.$field; })* };
}

impl RawLayout {
    /// Lays another layout over this one, key by key. A box, a kind, an icon or a shape of the same name is changed, others are added.
    pub fn lay_over(&mut self, upper: RawLayout) {
        if upper.from_nothing {
            let shapes = std::mem::take(&mut self.shapes);
            *self = RawLayout { shapes, ..RawLayout::default() };
        }
        lay_over!(self.sheet, upper.sheet; size, landscape, margin, gap, marks, foot);
        lay_over!(self, upper; space);
        self.card.lay_over(upper.card);
        for (kind, format) in upper.kinds {
            named(&mut self.kinds, kind).lay_over(format);
        }
        for (word, icon) in upper.icons {
            replace(&mut self.icons, word, icon);
        }
        for (name, shape) in upper.shapes {
            replace(&mut self.shapes, name, shape);
        }
    }
}

impl RawFormat {
    /// Lays another format over this one.
    pub(super) fn lay_over(&mut self, upper: RawFormat) {
        lay_over!(self, upper; size, bleed, corner, line, fill);
        for (name, own) in upper.boxes {
            let below = named(&mut self.boxes, name);
            lay_over!(below, own; place, show, join, font, smallest, bold, align, vertical, color, fill, line, corner, symbol, symbol_color, takes);
        }
    }
}

/// Returns the entry of this name; a new one if there is none.
fn named<T: Default>(entries: &mut Vec<(Text, T)>, name: Text) -> &mut T {
    let at = entries.iter().position(|(known, _)| known.text == name.text).unwrap_or_else(|| {
        entries.push((name.clone(), T::default()));
        entries.len() - 1
    });
    entries[at].0 = name;
    &mut entries[at].1
}

fn replace<T>(entries: &mut Vec<(Text, T)>, name: Text, value: T) {
    entries.retain(|(known, _)| known.text != name.text);
    entries.push((name, value));
}

/// Reads a layout. Errors go to `diagnostics`; everything that could be read is returned.
pub fn parse_layout(file: FileId, text: &str, diagnostics: &mut Vec<Diagnostic>) -> RawLayout {
    let mut found = RawLayout::default();
    let before = diagnostics.len();
    let keys = read_table(file, text, diagnostics);
    for fault in diagnostics.iter_mut().skip(before).filter(|fault| tells_of_fraction(fault)) {
        fault.help.push("write a length with a decimal point in quotes, such as `\"63.5\"`".to_string());
    }
    let Some(keys) = keys else { return found };
    let mut keys = Keys::new("a layout", Span { file, start: 0, end: 0 }, keys, diagnostics);
    let basis = keys.take_as("basis", "`default` or `nothing`", |value| match text_of(&value)? {
        "default" => Some(false),
        "nothing" => Some(true),
        _ => None,
    });
    found.from_nothing = basis.unwrap_or(false);
    with_table(&mut keys, "sheet", |keys| found.sheet = read_sheet(keys));
    with_table(&mut keys, "card", |keys| found.card = read_format(keys, "card"));
    with_tables(&mut keys, "kind", "[kind.NAME]", |kind, keys| {
        let format = read_format(keys, &format!("kind.{}", kind.text));
        found.kinds.push((kind, format));
    });
    with_table(&mut keys, "board", |mut keys| {
        found.space =
            keys.take_as("space", "a length of at least 1 mm, such as `25`", |value| length(&value).filter(|length| *length >= 1.0));
        keys.report_unknown_keys(&["space"]);
    });
    if let Some(icons) = keys.take_table("icons") {
        let read = |(word, value): (Text, Spanned)| read_icon(word, value, keys.diagnostics());
        found.icons = icons.into_iter().filter_map(read).collect();
    }
    if let Some(shapes) = keys.take_table("shapes") {
        let read = |(name, value): (Text, Spanned)| read_shape(name, &value, keys.diagnostics());
        found.shapes = shapes.into_iter().filter_map(read).collect();
    }
    keys.report_unknown_keys(&LAYOUT_KEYS);
    found
}

/// Reads the table under a key, if it is there.
fn with_table(keys: &mut Keys<'_>, key: &str, read: impl FnOnce(Keys<'_>)) {
    let span = keys.value_span(key).unwrap_or(keys.span());
    if let Some(table) = keys.take_table(key) {
        read(Keys::new(format!("`[{key}]`"), span, table, keys.diagnostics()));
    }
}

/// Reads the tables below a key, each with a name of its own.
fn with_tables(keys: &mut Keys<'_>, key: &str, written: &str, mut read: impl FnMut(Text, Keys<'_>)) {
    let expected = format!("tables, each under its own `{written}`");
    for (name, value) in keys.take_table(key).unwrap_or_default() {
        match value.value {
            TomlValue::Table(table) => {
                read(name.clone(), Keys::new(format!("`{}`", written.replace("NAME", &name.text)), value.span, table, keys.diagnostics()))
            }
            TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::List(_) => {
                let mut alone = Keys::new("", value.span, vec![(name, value)], keys.diagnostics());
                let first = alone.keys().next().map(|name| name.text.clone()).unwrap_or_default();
                alone.take_as::<()>(&first, &expected, |_| None);
            }
        }
    }
}

fn read_sheet(mut keys: Keys<'_>) -> RawSheet {
    let size = keys.value_span("size");
    let (marks, margin) = (keys.value_span("marks"), keys.value_span("margin"));
    let sheet = RawSheet {
        size: keys
            .take_as("size", "`a3`, `a4`, `a5`, `letter`, `legal`, or width and height in millimetres such as `210 x 297`", |value| {
                sheet_size(text_of(&value)?)
            })
            .zip(size),
        landscape: take_truth(&mut keys, "landscape"),
        margin: take_length(&mut keys, "margin").zip(margin),
        gap: take_length(&mut keys, "gap"),
        marks: take_truth(&mut keys, "marks").zip(marks),
        foot: take_truth(&mut keys, "foot"),
    };
    keys.report_unknown_keys(&SHEET_KEYS);
    sheet
}

/// Reads what is said of cards, or of a kind of them; `path` is what stands before the names of its boxes.
fn read_format(mut keys: Keys<'_>, path: &str) -> RawFormat {
    let size = keys.value_span("size");
    let mut format = RawFormat {
        size: keys.take_as("size", "width and height in millimetres, such as `63 x 88`", |value| two_lengths(text_of(&value)?)).zip(size),
        bleed: take_length(&mut keys, "bleed"),
        corner: take_length(&mut keys, "corner"),
        line: take_length(&mut keys, "line"),
        fill: take_optional_color(&mut keys, "fill"),
        boxes: Vec::new(),
    };
    with_tables(&mut keys, "boxes", &format!("[{path}.boxes.NAME]"), |name, keys| format.boxes.push((name, read_box(keys))));
    keys.report_unknown_keys(&FORMAT_KEYS);
    format
}

fn read_box(mut keys: Keys<'_>) -> RawBox {
    let [place, smallest, font] = ["place", "smallest", "font"].map(|key| keys.value_span(key));
    let show = keys.has_key("show").then(|| keys.take_texts("show"));
    let show = show.map(|texts| {
        texts.iter().filter(|text| !text.text.is_empty()).filter_map(|text| Template::parse(text, keys.diagnostics())).collect()
    });
    let found = RawBox {
        place: keys.take_as("place", "left, top, width and height in millimetres, such as `[4, 4, 55, 9]`", four_lengths).zip(place),
        show,
        join: keys.take_text("join").map(|text| text.text),
        font: take_size(&mut keys, "font").zip(font),
        smallest: take_size(&mut keys, "smallest").zip(smallest),
        bold: take_truth(&mut keys, "bold"),
        align: keys.take_as("align", "`left`, `center` or `right`", |value| match text_of(&value)? {
            "left" => Some(Align::Left),
            "center" => Some(Align::Center),
            "right" => Some(Align::Right),
            _ => None,
        }),
        vertical: keys.take_as("vertical", "`top`, `center` or `bottom`", |value| match text_of(&value)? {
            "top" => Some(Vertical::Top),
            "center" => Some(Vertical::Center),
            "bottom" => Some(Vertical::Bottom),
            _ => None,
        }),
        color: take_color(&mut keys, "color"),
        fill: take_optional_color(&mut keys, "fill"),
        line: take_length(&mut keys, "line"),
        corner: take_length(&mut keys, "corner"),
        symbol: keys.take_text("symbol"),
        symbol_color: take_color(&mut keys, "symbol_color"),
        takes: keys.take_text("takes"),
    };
    keys.report_unknown_keys(&BOX_KEYS);
    found
}

/// Reads an icon: the name of a shape, or a table with its colour.
fn read_icon(word: Text, value: Spanned, diagnostics: &mut Vec<Diagnostic>) -> Option<(Text, RawIcon)> {
    let icon = match value.value {
        TomlValue::Table(table) => {
            let mut keys = Keys::new(format!("icon `{}`", word.text), value.span, table, diagnostics);
            let shape = keys.expect_text("shape", "add `shape = \"disc\"`");
            let color = take_color(&mut keys, "color").unwrap_or(Color::BLACK);
            keys.report_unknown_keys(&ICON_KEYS);
            RawIcon { shape: shape?, color }
        }
        TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::List(_) => {
            let mut keys = Keys::new("`[icons]`", value.span, vec![(word.clone(), value)], diagnostics);
            let shape =
                keys.take_as(&word.text, "the name of a shape, or a table such as `{ shape = \"disc\", color = \"#cc9900\" }`", |value| {
                    match value {
                        TomlValue::Text(text) => Some(text),
                        TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
                    }
                });
            RawIcon { shape: shape?, color: Color::BLACK }
        }
    };
    Some((word, icon))
}

fn read_shape(name: Text, value: &Spanned, diagnostics: &mut Vec<Diagnostic>) -> Option<(Text, BezPath)> {
    let read = value.text().map(|path| BezPath::from_svg(&path.text));
    let why = match read {
        Some(Ok(path)) if !path.elements().is_empty() => {
            let bounds = path.bounding_box();
            if bounds.x0 < 0.0 || bounds.y0 < 0.0 || bounds.x1 > SQUARE || bounds.y1 > SQUARE {
                diagnostics.push(PrintProblem::PathBeyond { name: name.text }.at(value.span));
                return None;
            }
            return Some((name, path));
        }
        Some(Ok(_)) => "it is empty".to_string(),
        Some(Err(fault)) => fault.to_string().to_lowercase(),
        None => format!("it is {}", value.type_name()),
    };
    diagnostics.push(PrintProblem::PathUnread { name: name.text, why }.at(value.span));
    None
}

fn text_of(value: &TomlValue) -> Option<&str> {
    match value {
        TomlValue::Text(text) => Some(&text.text),
        TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    }
}

fn take_truth(keys: &mut Keys<'_>, key: &str) -> Option<bool> {
    keys.take_as(key, "`true` or `false`", |value| match value {
        TomlValue::Boolean(truth) => Some(truth),
        TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    })
}

fn take_color(keys: &mut Keys<'_>, key: &str) -> Option<Color> {
    keys.take_as(key, "a colour such as `#336699`", |value| Color::parse(text_of(&value)?))
}

fn take_optional_color(keys: &mut Keys<'_>, key: &str) -> Optional<Color> {
    keys.take_as(key, "a colour such as `#336699`, or `none`", |value| match text_of(&value)? {
        "none" => Some(None),
        color => Color::parse(color).map(Some),
    })
}

fn take_length(keys: &mut Keys<'_>, key: &str) -> Option<f64> {
    keys.take_as(key, "a length in millimetres, such as `63`, `\"63.5\"` or `\"2.5 in\"`", |value| length(&value))
}

/// Takes the size of letters, in points.
fn take_size(keys: &mut Keys<'_>, key: &str) -> Option<f64> {
    keys.take_as(key, "a size in points, from 2 to 200, such as `9` or `\"8.5\"`", |value| {
        let number = match value {
            TomlValue::Integer(number) => number.to_string().parse().ok(),
            TomlValue::Text(text) => text.text.trim().trim_end_matches("pt").trim().parse::<f64>().ok(),
            TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
        };
        number.filter(|number| (2.0..=200.0).contains(number))
    })
}

fn length(value: &TomlValue) -> Option<f64> {
    match value {
        TomlValue::Integer(number) => length_of_text(&number.to_string()),
        TomlValue::Text(text) => length_of_text(&text.text),
        TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    }
}

/// Reads a length of millimetres, or of another unit behind it.
fn length_of_text(text: &str) -> Option<f64> {
    let text = text.trim();
    let (number, unit) = [("mm", 1.0), ("cm", 10.0), ("in", INCH), ("pt", POINT)]
        .into_iter()
        .find_map(|(unit, factor)| text.strip_suffix(unit).map(|number| (number, factor)))
        .unwrap_or((text, 1.0));
    let number = number.trim();
    // `inf` and `1e3` are numbers for Rust.
    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    number.parse::<f64>().ok().filter(|_| is_plain).map(|number| number * unit).filter(|length| *length <= MAX_LENGTH)
}

fn two_lengths(text: &str) -> Option<(f64, f64)> {
    let (width, height) = text.split_once(['x', '×'])?;
    let (width, height) = (length_of_text(width)?, length_of_text(height)?);
    (width >= 1.0 && height >= 1.0).then_some((width, height))
}

fn sheet_size(text: &str) -> Option<(f64, f64)> {
    match text.to_lowercase().as_str() {
        "a3" => Some((297.0, 420.0)),
        "a4" => Some((210.0, 297.0)),
        "a5" => Some((148.0, 210.0)),
        "letter" => Some((8.5 * INCH, 11.0 * INCH)),
        "legal" => Some((8.5 * INCH, 14.0 * INCH)),
        own => two_lengths(own),
    }
}

fn four_lengths(value: TomlValue) -> Option<[f64; 4]> {
    let TomlValue::List(items) = value else { return None };
    let lengths: Option<Vec<f64>> = items.iter().map(|item| length(&item.value)).collect();
    <[f64; 4]>::try_from(lengths?).ok().filter(|place| place[2] > 0.0 && place[3] > 0.0)
}
