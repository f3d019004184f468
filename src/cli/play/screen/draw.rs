//! The layout: what stands where in a terminal of whatever size. Nothing is cut: what does not fit is wrapped, and what does not fit then is
//! scrolled, and the title says so.

use crate::cast;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line as Drawn, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::state::{Pane, Prompt, State};
use super::text::{Row, everything, plain};
use crate::agent::seat_name;
use crate::table::{Line, Section, wrap};

/// In less nothing can be read.
const SMALLEST: (u16, u16) = (50, 16);
/// From this width on, options get more room.
const WIDE: u16 = 110;

/// From so many lines on what one has oneself is shown above everything, in about so many lines.
const OWN_FROM: u16 = 22;
const OWN_LINES: usize = 2;

/// Columns of an option's mark and number.
const NUMBER: usize = 5;

/// Draws the screen.
pub fn draw(frame: &mut Frame<'_>, state: &mut State<'_>) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        let text = format!(
            "the terminal is too small: {} columns and {} lines are the least; --plain needs no more than lines",
            SMALLEST.0, SMALLEST.1
        );
        return write(frame, area, &plain(&[text], area.width.into()));
    }
    if let Some(seat) = state.covered {
        let text = format!("{}, it is your turn. Enter, when nobody else looks.", seat_name(seat));
        return write(frame, area, &plain(&[String::new(), text], area.width.into()));
    }
    let width = usize::from(area.width);
    let eyes = state.eyes();
    let sheet = state.desk.short_sheet(eyes);
    let mut head = plain(&[header(state)], width);
    if area.height >= OWN_FROM {
        // What one has oneself is in sight wherever the table is scrolled.
        head.extend(plain(&own(&sheet, eyes, width), width));
    }
    let foot = plain(&footer(state, width), width);
    let rows = [Constraint::Length(cast::fit::<u16>(head.len())), Constraint::Min(6), Constraint::Length(cast::fit::<u16>(foot.len()))];
    let [top, middle, bottom] = Layout::vertical(rows).areas(area);
    let bold: Vec<Row> = head.into_iter().map(|row| row.into_iter().map(|line| Line::heading(line.text)).collect()).collect();
    write(frame, top, &bold);
    write(frame, bottom, &foot);
    if state.popup.is_some() {
        return popup(frame, middle, state);
    }
    let right = if area.width >= WIDE { area.width * 2 / 5 } else { area.width * 9 / 20 };
    let [left, right] = Layout::horizontal([Constraint::Min(20), Constraint::Length(right)]).areas(middle);
    let log = if area.height >= 40 { right.height / 4 } else { 5 };
    let detail = if area.height >= 40 { right.height / 3 } else { 6 };
    let rows = [Constraint::Min(4), Constraint::Length(detail), Constraint::Length(log)];
    let [options, detail, log] = Layout::vertical(rows).areas(right);
    let rows = everything(&sheet, inner(left));
    scrolled(frame, left, "table", &rows, state, Pane::Sheet);
    list(frame, options, state);
    let mut changes = state.changes();
    let card = state.marked_card();
    if !card.is_empty() {
        changes.push(String::new());
        changes.extend(card);
    }
    scrolled(frame, detail, "it would change", &plain(&changes, inner(detail)), state, Pane::Detail);
    let lines = state.desk.log(eyes, 0);
    scrolled(frame, log, "log", &plain(&lines, inner(log)), state, Pane::Log);
}

/// How many columns are within a border.
fn inner(area: Rect) -> usize {
    area.width.saturating_sub(2).into()
}

/// What the seat holds, in few lines: what comes last is left out first.
fn own(sheet: &[Section], seat: usize, width: usize) -> Vec<String> {
    let Some(section) = sheet.iter().find(|section| section.seat == Some(seat)) else { return Vec::new() };
    let mut held = section.held.clone();
    loop {
        let all = [std::slice::from_ref(&section.title), &held[..]].concat().join("; ");
        if held.len() < 2 || wrap(&all, width, 2).len() <= OWN_LINES {
            return vec![all];
        }
        held.pop();
    }
}

fn header(state: &State<'_>) -> String {
    let desk = &state.desk;
    let title = desk.laid.words.names().title(&desk.laid.rules.title).to_string();
    let round = desk.table.session.game().round();
    let round = if round > 0 { format!("round {round}") } else { "set-up".to_string() };
    let asks = match (state.between, desk.table.waits_for_machine() && state.view.is_none()) {
        (Some(seat), _) => format!("{} has answered", seat_name(seat)),
        (None, true) => format!("{} thinks", desk.table.session.decision().map(|open| seat_name(open.seat)).unwrap_or_default()),
        (None, false) => desk.question(),
    };
    let at = state.view.as_ref().map(|view| format!(", after {} of {} answers", view.at, state.answers())).unwrap_or_default();
    format!("{title}, {round}, seed {}{at}: {asks}", desk.laid.start.seed)
}

fn footer(state: &State<'_>, width: usize) -> Vec<String> {
    let asked = state.prompt.as_ref().map(|(prompt, typed)| match prompt {
        Prompt::Save(_) => format!("save to which file? Enter for {}: {typed}_", state.desk.offered().display()),
        Prompt::Scenario => format!("write the position to which file? Enter for {}: {typed}_", state.desk.offered_scenario().display()),
        Prompt::Card => format!("which card? {typed}_"),
        Prompt::Why => format!("why which option or value? Enter for the marked option: {typed}_"),
        Prompt::Leave => "save the game before leaving? y or n; Esc: play on _".to_string(),
        Prompt::Without(_, failed, _) => {
            let owner = failed.script.as_ref().map_or("", |script| script.owner.as_str());
            format!("go on without what {owner} does? y or n _")
        }
    });
    let keys: &[&str] = if state.popup.is_some() {
        &["Up Down: scroll", "Esc: back", "F10: leave"]
    } else if state.view.is_some() {
        &["Left Right: answers", "Tab: parts", "F1: keys", "F2: card", "F3: why not", "F4: hint", "F6: scenario", "F7: log", "F10: leave"]
    } else {
        &["Enter: take", "Tab: parts", "F1: keys", "F2: card", "F3: why not", "F4: hint", "F5: save", "F7: log", "F8: undo", "F10: leave"]
    };
    let said = asked.into_iter().chain(Some(state.message.clone()).filter(|message| !message.is_empty()));
    said.chain(side_by_side(keys, width)).collect()
}

/// Keys side by side; one is never parted.
fn side_by_side(keys: &[&str], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for key in keys {
        match lines.last_mut().filter(|line| line.len() + 3 + key.len() <= width) {
            Some(line) => line.push_str(&format!(" | {key}")),
            None => lines.push((*key).to_string()),
        }
    }
    lines
}

fn write(frame: &mut Frame<'_>, area: Rect, rows: &[Row]) {
    let lines: Vec<Drawn<'_>> = rows.iter().map(drawn).collect();
    frame.render_widget(Paragraph::new(Text::from(lines)), area);
}

fn drawn(row: &Row) -> Drawn<'static> {
    let span = |line: &Line| {
        let style = if line.heading { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        Span::styled(line.text.clone(), style)
    };
    Drawn::from(row.iter().map(span).collect::<Vec<_>>())
}

/// A border with a title; where one is, the title says so without any colour.
fn bordered(title: String, here: bool) -> Block<'static> {
    let block = Block::bordered();
    if here {
        block.title(Span::styled(format!("[{title}]"), Style::new().add_modifier(Modifier::BOLD)))
    } else {
        block.title(format!(" {title} "))
    }
}

/// The title of a border, with which lines of how many are seen, where not all are. Where there is no room for both the lines are told.
fn part(title: &str, from: usize, height: usize, all: usize, area: Rect) -> String {
    // Corners, blanks, and a line that shows where the title ends.
    let fits = |text: &String| text.width() + 5 <= usize::from(area.width);
    let seen = format!("{}-{} of {all}", from + 1, (from + height).min(all));
    let first = title.split(' ').next().unwrap_or("").to_string();
    if all <= height {
        return Some(title.to_string()).filter(fits).unwrap_or(first);
    }
    Some(format!("{title} {seen}")).filter(fits).unwrap_or(seen)
}

fn scrolled(frame: &mut Frame<'_>, area: Rect, title: &str, rows: &[Row], state: &mut State<'_>, pane: Pane) {
    let height = usize::from(area.height.saturating_sub(2));
    let at = pane as usize;
    let most = rows.len().saturating_sub(height);
    state.page[at] = height;
    state.from[at] = state.from[at].min(most);
    // The log begins at its end.
    let from = if pane == Pane::Log { most - state.from[at] } else { state.from[at] };
    let block = bordered(part(title, from, height, rows.len(), area), state.focus == pane);
    let within = block.inner(area);
    frame.render_widget(block, area);
    write(frame, within, &rows[from..(from + height).min(rows.len())]);
}

/// The options, by what they do, with the marked one always in sight.
fn list(frame: &mut Frame<'_>, area: Rect, state: &mut State<'_>) {
    let shown = state.shown();
    let (width, height) = (inner(area), usize::from(area.height.saturating_sub(2)));
    let taken = state.taken();
    state.marked = state.marked.min(shown.len().saturating_sub(1));
    let mut rows: Vec<(Row, bool)> = Vec::new();
    let (mut group, mut seen) = (None, 0..0);
    let several = shown.iter().any(|(_, choice)| shown.first().is_some_and(|first| first.1.group != choice.group));
    for (place, (number, choice)) in shown.iter().enumerate() {
        if several && group.as_ref() != Some(&choice.group) {
            group = Some(choice.group.clone());
            rows.push((vec![Line::heading(choice.group.clone())], false));
        }
        let here = place == state.marked;
        let was_taken = taken == Some(*number);
        let begin = rows.len();
        let label = if choice.gain.is_empty() { choice.label.clone() } else { format!("{} ({})", choice.label, choice.gain) };
        for (line, text) in wrap(&label, width.saturating_sub(NUMBER), 2).into_iter().enumerate() {
            // What was taken in a game that is looked at stays seen when another option is marked.
            let mark = if was_taken && !here {
                '*'
            } else if here {
                '>'
            } else {
                ' '
            };
            let number = if line == 0 { format!("{mark}{:>3} ", number + 1) } else { " ".repeat(NUMBER) };
            rows.push((vec![Line { text: format!("{number}{text}"), heading: false }], here));
        }
        if here {
            seen = begin..rows.len();
        }
    }
    if rows.is_empty() {
        let text = if state.between.is_some() {
            "Enter goes on"
        } else if state.filter.is_empty() {
            "nothing is asked"
        } else {
            "none has this in it; Esc shows all"
        };
        rows.push((vec![Line { text: text.to_string(), heading: false }], false));
    }
    let mut from = state.from[Pane::Options as usize].min(rows.len().saturating_sub(height));
    if seen.start < from {
        from = seen.start.saturating_sub(1);
    }
    if seen.end > from + height {
        from = seen.end - height;
    }
    state.from[Pane::Options as usize] = from;
    state.page[Pane::Options as usize] = height;
    let title = if state.filter.is_empty() { "options".to_string() } else { format!("options with `{}`", state.filter) };
    let block = bordered(part(&title, from, height, rows.len(), area), state.focus == Pane::Options);
    let within = block.inner(area);
    frame.render_widget(block, area);
    let marked = |(row, here): &(Row, bool)| {
        let line = drawn(row);
        if *here { line.style(Style::new().add_modifier(Modifier::REVERSED)) } else { line }
    };
    let lines: Vec<Drawn<'_>> = rows.iter().skip(from).take(height).map(marked).collect();
    frame.render_widget(Paragraph::new(Text::from(lines)), within);
}

fn popup(frame: &mut Frame<'_>, area: Rect, state: &mut State<'_>) {
    let Some(popup) = &mut state.popup else { return };
    let mut rows = plain(&popup.lines, inner(area));
    // A title that the border has no room for stands above the lines.
    if popup.title.width() + 16 > usize::from(area.width) {
        rows.splice(0..0, plain(std::slice::from_ref(&popup.title), inner(area)));
    }
    let height = usize::from(area.height.saturating_sub(2));
    state.page[Pane::Sheet as usize] = height;
    popup.from = popup.from.min(rows.len().saturating_sub(height));
    let from = popup.from;
    let block = bordered(part(&popup.title, from, height, rows.len(), area), true);
    let within = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    write(frame, within, &rows[from..(from + height).min(rows.len())]);
}
