//! The layout for terminals of any size. Nothing is truncated: long lines are wrapped, long panes are scrolled, and the title shows the
//! scroll position.

use crate::cast;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line as Drawn, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::state::{Pane, Prompt, ScreenState};
use super::text::{ScreenRow, everything, plain};
use crate::agent::seat_name;
use crate::table::{Section, TextLine, section_lines, wrap};

/// Minimum size of the terminal in columns and rows.
const MIN_SIZE: (u16, u16) = (50, 16);
/// Minimum width of the terminal in columns for a wider pane of options.
const MIN_WIDTH_FOR_WIDE_OPTIONS: u16 = 110;

/// Minimum height of the terminal in rows for showing the viewer's own resources at the top.
const MIN_HEIGHT_FOR_RESOURCES: u16 = 22;
/// Maximum number of lines for the viewer's own resources.
const MAX_RESOURCE_LINES: usize = 2;

/// Width in columns of the marker and the number in front of an option.
const OPTION_NUMBER_WIDTH: usize = 5;

/// Draws the screen.
pub fn draw(frame: &mut Frame<'_>, state: &mut ScreenState<'_>) {
    let area = frame.area();
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        let text = format!(
            "the terminal is too small: {} columns and {} lines are the least; --plain needs no more than lines",
            MIN_SIZE.0, MIN_SIZE.1
        );
        return draw_rows(frame, area, &plain(&[text], area.width.into()));
    }
    if let Some(seat) = state.waiting_for_seat {
        let text = format!("{}, it is your turn. Enter, when nobody else looks.", seat_name(seat));
        return draw_rows(frame, area, &plain(&[String::new(), text], area.width.into()));
    }
    let width = usize::from(area.width);
    let viewer = state.viewer();
    let sheet = state.ui.short_sheet(viewer);
    let mut head = plain(&[header(state)], width);
    if area.height >= MIN_HEIGHT_FOR_RESOURCES {
        // The viewer's own resources stay visible wherever the table is scrolled.
        head.extend(plain(&own_resources(&sheet, viewer, width), width));
    }
    let foot = plain(&footer(state, width), width);
    let rows = [Constraint::Length(cast::fit::<u16>(head.len())), Constraint::Min(6), Constraint::Length(cast::fit::<u16>(foot.len()))];
    let [top, middle, bottom] = Layout::vertical(rows).areas(area);
    let bold: Vec<ScreenRow> = head.into_iter().map(|row| row.into_iter().map(|line| TextLine::heading(line.text)).collect()).collect();
    draw_rows(frame, top, &bold);
    draw_rows(frame, bottom, &foot);
    if state.popup.is_some() {
        return draw_popup(frame, middle, state);
    }
    let right = if area.width >= MIN_WIDTH_FOR_WIDE_OPTIONS { area.width * 2 / 5 } else { area.width * 9 / 20 };
    let [left, right] = Layout::horizontal([Constraint::Min(20), Constraint::Length(right)]).areas(middle);
    let log = if area.height >= 40 { right.height / 4 } else { 5 };
    let detail = if area.height >= 40 { right.height / 3 } else { 6 };
    let rows = [Constraint::Min(4), Constraint::Length(detail), Constraint::Length(log)];
    let [options, detail, log] = Layout::vertical(rows).areas(right);
    let rows = everything(&sheet, inner_width(left));
    draw_pane(frame, left, "table", &rows, state, Pane::Sheet);
    draw_options(frame, options, state);
    let mut changes = state.preview_of_marked();
    let card = state.marked_card();
    if !card.is_empty() {
        changes.push(String::new());
        changes.extend(card);
    }
    draw_pane(frame, detail, "it would change", &plain(&changes, inner_width(detail)), state, Pane::Detail);
    let lines = state.ui.log(viewer, 0);
    draw_pane(frame, log, "log", &plain(&lines, inner_width(log)), state, Pane::Log);
}

/// Returns the width inside of a border.
fn inner_width(area: Rect) -> usize {
    area.width.saturating_sub(2).into()
}

/// Returns the resources of a seat as lines of text; what does not fit into a few lines is cut off.
fn own_resources(sheet: &[Section], seat: usize, width: usize) -> Vec<String> {
    let Some(section) = sheet.iter().find(|section| section.seat == Some(seat)) else { return Vec::new() };
    let mut held = section.summary.clone();
    loop {
        let all = [std::slice::from_ref(&section.title), &held[..]].concat().join("; ");
        if held.len() < 2 || wrap(&all, width, 2).len() <= MAX_RESOURCE_LINES {
            return vec![all];
        }
        held.pop();
    }
}

fn header(state: &ScreenState<'_>) -> String {
    let ui = &state.ui;
    let title = ui.prepared.words.translations().title(&ui.prepared.rules.title).to_string();
    let round = ui.table.session.game().round();
    let round = if round > 0 { format!("round {round}") } else { "set-up".to_string() };
    let asks = match (state.just_answered, ui.table.is_agent_asked() && state.view.is_none()) {
        (Some(seat), _) => format!("{} has answered", seat_name(seat)),
        (None, true) => format!("{} thinks", ui.table.session.decision().map(|open| seat_name(open.seat)).unwrap_or_default()),
        (None, false) => ui.question(),
    };
    let at =
        state.view.as_ref().map(|view| format!(", after {} of {} answers", view.shown_answers, state.answer_count())).unwrap_or_default();
    format!("{title}, {round}, seed {}{at}: {asks}", ui.prepared.start.seed)
}

fn footer(state: &ScreenState<'_>, width: usize) -> Vec<String> {
    let asked = state.prompt.as_ref().map(|(prompt, typed)| match prompt {
        Prompt::Save(_) => format!("save to which file? Enter for {}: {typed}_", state.ui.default_save_path().display()),
        Prompt::Scenario => format!("write the position to which file? Enter for {}: {typed}_", state.ui.default_scenario_path().display()),
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
    let lines = asked.into_iter().chain(Some(state.message.clone()).filter(|message| !message.is_empty()));
    lines.chain(side_by_side(keys, width)).collect()
}

/// Puts descriptions of keys side by side into lines; no description is split between two lines.
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

fn draw_rows(frame: &mut Frame<'_>, area: Rect, rows: &[ScreenRow]) {
    let lines: Vec<Drawn<'_>> = rows.iter().map(to_line).collect();
    frame.render_widget(Paragraph::new(Text::from(lines)), area);
}

fn to_line(row: &ScreenRow) -> Drawn<'static> {
    let span = |line: &TextLine| {
        let style = if line.heading { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        Span::styled(line.text.clone(), style)
    };
    Drawn::from(row.iter().map(span).collect::<Vec<_>>())
}

/// Builds a border with a title; that of the active pane is marked without relying on colour.
fn bordered(title: String, here: bool) -> Block<'static> {
    let block = Block::bordered();
    if here {
        block.title(Span::styled(format!("[{title}]"), Style::new().add_modifier(Modifier::BOLD)))
    } else {
        block.title(format!(" {title} "))
    }
}

/// Returns the title of a pane, with the range of visible lines unless all are visible. If there is not enough room, only the range is
/// returned.
fn pane_title(title: &str, from: usize, height: usize, all: usize, area: Rect) -> String {
    // Room for corners, blanks and the end of the title.
    let fits = |text: &String| text.width() + 5 <= usize::from(area.width);
    let seen = format!("{}-{} of {all}", from + 1, (from + height).min(all));
    let first = title.split(' ').next().unwrap_or("").to_string();
    if all <= height {
        return Some(title.to_string()).filter(fits).unwrap_or(first);
    }
    Some(format!("{title} {seen}")).filter(fits).unwrap_or(seen)
}

fn draw_pane(frame: &mut Frame<'_>, area: Rect, title: &str, rows: &[ScreenRow], state: &mut ScreenState<'_>, pane: Pane) {
    let height = usize::from(area.height.saturating_sub(2));
    let at = pane as usize;
    let last_top = rows.len().saturating_sub(height);
    state.page[at] = height;
    state.scroll_positions[at] = state.scroll_positions[at].min(last_top);
    // The log is scrolled from its end.
    let from = if pane == Pane::Log { last_top - state.scroll_positions[at] } else { state.scroll_positions[at] };
    let block = bordered(pane_title(title, from, height, rows.len(), area), state.focus == pane);
    let within = block.inner(area);
    frame.render_widget(block, area);
    draw_rows(frame, within, &rows[from..(from + height).min(rows.len())]);
}

/// Draws the options, grouped by action, scrolled so that the marked option is visible.
fn draw_options(frame: &mut Frame<'_>, area: Rect, state: &mut ScreenState<'_>) {
    let shown = state.matching_options();
    let (width, height) = (inner_width(area), usize::from(area.height.saturating_sub(2)));
    let taken = state.recorded_option();
    state.marked = state.marked.min(shown.len().saturating_sub(1));
    let mut rows: Vec<(ScreenRow, bool)> = Vec::new();
    let (mut group, mut seen) = (None, 0..0);
    let several = shown.iter().any(|(_, choice)| shown.first().is_some_and(|first| first.1.group != choice.group));
    for (place, (number, choice)) in shown.iter().enumerate() {
        if several && group.as_ref() != Some(&choice.group) {
            group = Some(choice.group.clone());
            rows.push((vec![TextLine::heading(choice.group.clone())], false));
        }
        let here = place == state.marked;
        let was_taken = taken == Some(*number);
        let begin = rows.len();
        let gain = Some(choice.gain.as_str()).filter(|gain| !gain.is_empty());
        let more: Vec<&str> = choice.on_space.as_deref().into_iter().chain(gain).collect();
        let label = if more.is_empty() { choice.label.clone() } else { format!("{} ({})", choice.label, more.join(", ")) };
        for (line, text) in wrap(&label, width.saturating_sub(OPTION_NUMBER_WIDTH), 2).into_iter().enumerate() {
            // In a replay the option that was taken stays highlighted.
            let mark = if was_taken && !here {
                '*'
            } else if here {
                '>'
            } else {
                ' '
            };
            let number = if line == 0 { format!("{mark}{:>3} ", number + 1) } else { " ".repeat(OPTION_NUMBER_WIDTH) };
            rows.push((vec![TextLine { text: format!("{number}{text}"), heading: false }], here));
        }
        if here {
            seen = begin..rows.len();
        }
    }
    if rows.is_empty() {
        let text = if state.just_answered.is_some() {
            "Enter goes on"
        } else if state.filter.is_empty() {
            "nothing is asked"
        } else {
            "none has this in it; Esc shows all"
        };
        rows.push((vec![TextLine { text: text.to_string(), heading: false }], false));
    }
    let mut from = state.scroll_positions[Pane::Options as usize].min(rows.len().saturating_sub(height));
    if seen.start < from {
        from = seen.start.saturating_sub(1);
    }
    if seen.end > from + height {
        from = seen.end - height;
    }
    state.scroll_positions[Pane::Options as usize] = from;
    state.page[Pane::Options as usize] = height;
    let title = if state.filter.is_empty() { "options".to_string() } else { format!("options with `{}`", state.filter) };
    let block = bordered(pane_title(&title, from, height, rows.len(), area), state.focus == Pane::Options);
    let within = block.inner(area);
    frame.render_widget(block, area);
    let marked = |(row, here): &(ScreenRow, bool)| {
        let line = to_line(row);
        if *here { line.style(Style::new().add_modifier(Modifier::REVERSED)) } else { line }
    };
    let lines: Vec<Drawn<'_>> = rows.iter().skip(from).take(height).map(marked).collect();
    frame.render_widget(Paragraph::new(Text::from(lines)), within);
}

fn draw_popup(frame: &mut Frame<'_>, area: Rect, state: &mut ScreenState<'_>) {
    let Some(popup) = &mut state.popup else { return };
    let width = inner_width(area);
    let mut rows = plain(&popup.lines, width);
    rows.extend(popup.whole_table.iter().flat_map(|section| section_lines(section, width, true)).map(|line| vec![line]));
    // A title that does not fit into the border is shown above the lines.
    if popup.title.width() + 16 > usize::from(area.width) {
        rows.splice(0..0, plain(std::slice::from_ref(&popup.title), inner_width(area)));
    }
    let height = usize::from(area.height.saturating_sub(2));
    state.page[Pane::Sheet as usize] = height;
    popup.first_line = popup.first_line.min(rows.len().saturating_sub(height));
    let from = popup.first_line;
    let block = bordered(pane_title(&popup.title, from, height, rows.len(), area), true);
    let within = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    draw_rows(frame, within, &rows[from..(from + height).min(rows.len())]);
}
