//! The layout for terminals of any size. Nothing is truncated: long lines are wrapped, long panes are scrolled, and the title shows the
//! scroll position.

use std::ops::Range;

use crate::cast;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::cards::TableView;
use super::state::{Pane, Prompt, ScreenState};
use super::text::{HEADING, PLAIN, card_style, styled, table_line, wrapped};
use crate::agent::seat_name;
use crate::table::{Section, section_lines, wrap};

/// Minimum size of the terminal in columns and rows.
const MIN_SIZE: (u16, u16) = (50, 16);
/// Minimum width of the terminal in columns for a wider pane of options.
const MIN_WIDTH_FOR_WIDE_OPTIONS: u16 = 110;
/// Minimum width of the terminal in columns for what the marked option would change, and its card, beside the options.
const MIN_WIDTH_FOR_DETAIL_BESIDE: u16 = 150;
/// Minimum height of the terminal in rows for each change in a line of its own.
const MIN_HEIGHT_FOR_LINES: u16 = 40;

/// Minimum height of the terminal in rows for showing the viewer's own resources at the top.
const MIN_HEIGHT_FOR_RESOURCES: u16 = 22;
/// Maximum number of lines for the viewer's own resources.
const MAX_RESOURCE_LINES: usize = 2;

/// Width in columns of the marker and the number in front of an option.
const OPTION_NUMBER_WIDTH: usize = 5;

/// The keys that the last lines tell of: in a game, in a replay, and while a window is open.
const GAME_PHRASES: [&str; 10] =
    ["Enter: take", "Tab: parts", "F1: keys", "F2: card", "F3: why not", "F4: hint", "F5: save", "F7: log", "F8: undo", "F10: leave"];
const REPLAY_PHRASES: [&str; 9] =
    ["Left Right: answers", "Tab: parts", "F1: keys", "F2: card", "F3: why not", "F4: hint", "F6: scenario", "F7: log", "F10: leave"];
const WINDOW_PHRASES: [&str; 3] = ["Up Down: scroll", "Esc: back", "F10: leave"];

/// Draws the screen.
pub fn draw(frame: &mut Frame<'_>, state: &mut ScreenState<'_>) {
    draw_screen(frame, state);
    // Without colours there remain bold and faint letters.
    if !state.colours {
        frame.buffer_mut().content.iter_mut().for_each(|cell| cell.fg = Color::Reset);
    }
}

fn draw_screen(frame: &mut Frame<'_>, state: &mut ScreenState<'_>) {
    let area = frame.area();
    let width = usize::from(area.width);
    let phrases = state.ui.prepared.words.phrases().clone();
    if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
        let text = format!(
            "the terminal is too small: {} columns and {} lines are the least; --plain needs no more than lines",
            MIN_SIZE.0, MIN_SIZE.1
        );
        return frame.render_widget(Paragraph::new(wrapped(&[text], width, PLAIN)), area);
    }
    if let Some(seat) = state.waiting_for_seat {
        let text = phrases.say("{who}, it is your turn. Enter, when nobody else looks.", &[("who", &seat_name(seat))]);
        return frame.render_widget(Paragraph::new(wrapped(&[String::new(), text], width, PLAIN)), area);
    }
    let viewer = state.viewer();
    let sheet = state.ui.short_sheet(viewer);
    let mut head = wrapped(&[header(state)], width, HEADING);
    let mut told = Vec::new();
    if area.height >= MIN_HEIGHT_FOR_RESOURCES {
        // The viewer's own resources stay visible wherever the table is scrolled.
        let (line, shown) = own_resources(&sheet, viewer, width);
        head.extend(wrapped(&line, width, HEADING));
        told = shown;
    }
    let foot = wrapped(&footer(state, width), width, PLAIN);
    let rows = [Constraint::Length(cast::fit::<u16>(head.len())), Constraint::Min(6), Constraint::Length(cast::fit::<u16>(foot.len()))];
    let [top, middle, bottom] = Layout::vertical(rows).areas(area);
    frame.render_widget(Paragraph::new(head), top);
    frame.render_widget(Paragraph::new(foot), bottom);
    if state.popup.is_some() {
        return draw_popup(frame, middle, state);
    }
    let right = if area.width >= MIN_WIDTH_FOR_WIDE_OPTIONS { area.width * 2 / 5 } else { area.width * 9 / 20 };
    let [left, right] = Layout::horizontal([Constraint::Min(20), Constraint::Length(right)]).areas(middle);
    let [options, detail, log] = right_panes(right, area);
    let view = TableView {
        rules: &state.ui.prepared.rules,
        words: &state.ui.prepared.words,
        viewer,
        offers: state.offers(),
        marked: state.marked_option().and_then(|(_, choice)| choice.first_piece),
        told,
    };
    let rows = view.rows(&sheet, inner_width(left), inner_height(left));
    draw_pane(frame, left, &phrases.word("table"), &rows, state, Pane::Sheet);
    draw_options(frame, options, state);
    let rows = detail_rows(state, detail, area.height >= MIN_HEIGHT_FOR_LINES);
    draw_pane(frame, detail, &phrases.word("it would change"), &rows, state, Pane::Detail);
    let rows = wrapped(&state.ui.log(viewer, 0), inner_width(log), PLAIN);
    draw_pane(frame, log, &phrases.word("log"), &rows, state, Pane::Log);
}

/// Divides the right side: the options, what the marked one would change with its card, and the log.
fn right_panes(right: Rect, area: Rect) -> [Rect; 3] {
    if area.width >= MIN_WIDTH_FOR_DETAIL_BESIDE {
        let [above, log] = Layout::vertical([Constraint::Min(4), Constraint::Length(right.height / 3)]).areas(right);
        let [options, detail] = Layout::horizontal([Constraint::Ratio(1, 2), Constraint::Ratio(1, 2)]).areas(above);
        return [options, detail, log];
    }
    let (detail, log) = match area.height {
        MIN_HEIGHT_FOR_LINES.. => (right.height / 3, right.height / 4),
        MIN_HEIGHT_FOR_RESOURCES.. => (8, 4),
        _ => (5, 4),
    };
    Layout::vertical([Constraint::Min(4), Constraint::Length(detail), Constraint::Length(log)]).areas(right)
}

/// Returns what the marked option would change, and the card that it is about; where there is little room the changes stand in one line.
fn detail_rows(state: &mut ScreenState<'_>, area: Rect, is_high: bool) -> Vec<Line<'static>> {
    let width = inner_width(area);
    let mut changes = state.preview_of_marked();
    if !is_high && !changes.is_empty() {
        changes = vec![changes.join("; ")];
    }
    let mut rows = wrapped(&changes, width, PLAIN);
    let marked = state.marked_option().map(|(_, choice)| choice);
    let card = marked.as_ref().and_then(|choice| state.ui.describe_card(choice.card.as_deref()?).ok()).unwrap_or_default();
    if let Some((name, printed)) = card.split_first() {
        if is_high && !rows.is_empty() {
            rows.push(Line::default());
        }
        let piece = marked.and_then(|choice| choice.first_piece);
        let style = piece.map_or(HEADING, |piece| card_style(state.ui.prepared.rules.definition(piece).kind.into()));
        rows.extend(wrapped(std::slice::from_ref(name), width, style));
        rows.extend(wrapped(printed, width, PLAIN));
    }
    rows
}

/// Returns the width inside of a border.
fn inner_width(area: Rect) -> usize {
    area.width.saturating_sub(2).into()
}

/// Returns the height inside of a border.
fn inner_height(area: Rect) -> usize {
    area.height.saturating_sub(2).into()
}

/// Returns the resources of a seat as a line of text, and the facts in it; what does not fit into a few lines is left to the table below.
fn own_resources(sheet: &[Section], seat: usize, width: usize) -> (Vec<String>, Vec<String>) {
    let Some(section) = sheet.iter().find(|section| section.seat == Some(seat)) else { return Default::default() };
    let mut held = section.summary.clone();
    loop {
        let all = [std::slice::from_ref(&section.title), &held[..]].concat().join("; ");
        if held.len() < 2 || wrap(&all, width, 2).len() <= MAX_RESOURCE_LINES {
            return (vec![all], held);
        }
        held.pop();
    }
}

fn header(state: &ScreenState<'_>) -> String {
    let ui = &state.ui;
    let title = ui.prepared.words.translations().title(&ui.prepared.rules.title).to_string();
    let round = ui.table.session.game().round();
    let phrases = ui.prepared.words.phrases();
    let round = if round > 0 { phrases.say("round {number}", &[("number", &round.to_string())]) } else { phrases.word("set-up") };
    let asks = match (state.just_answered, ui.table.is_agent_asked() && state.view.is_none()) {
        (Some(seat), _) => phrases.say("{who} has answered", &[("who", &seat_name(seat))]),
        (None, true) => {
            let asked = ui.table.session.decision().map(|open| seat_name(open.seat)).unwrap_or_default();
            phrases.say("{who} thinks", &[("who", &asked)])
        }
        (None, false) => ui.question(),
    };
    let at = state.view.as_ref().map_or_else(String::new, |view| {
        let (number, all) = (view.shown_answers.to_string(), view.replay.answers.len().to_string());
        format!(", {}", phrases.say("after {number} of {all} answers", &[("number", &number), ("all", &all)]))
    });
    let seed = phrases.say("seed {number}", &[("number", &ui.prepared.start.seed.to_string())]);
    format!("{title}, {round}, {seed}{at}: {asks}")
}

fn footer(state: &ScreenState<'_>, width: usize) -> Vec<String> {
    let phrases = state.ui.prepared.words.phrases();
    let asked = state.prompt.as_ref().map(|(prompt, typed)| match prompt {
        Prompt::Save(_) => {
            let file = state.ui.default_save_path().display().to_string();
            phrases.say("save to which file? Enter for {file}: {typed}_", &[("file", &file), ("typed", typed)])
        }
        Prompt::Scenario => {
            let file = state.ui.default_scenario_path().display().to_string();
            phrases.say("write the position to which file? Enter for {file}: {typed}_", &[("file", &file), ("typed", typed)])
        }
        Prompt::Card => phrases.say("which card? {typed}_", &[("typed", typed)]),
        Prompt::Why => phrases.say("why which card, option or value? Enter for the marked option: {typed}_", &[("typed", typed)]),
        Prompt::Leave => phrases.word("save the game before leaving? y or n; Esc: play on _"),
        Prompt::Without(_, failed, _) => {
            let owner = failed.script.as_ref().map_or("", |script| script.owner.as_str());
            phrases.say("go on without what {card} does? y or n _", &[("card", owner)])
        }
    });
    let keys: &[&str] = match (state.popup.is_some(), state.view.is_some()) {
        (true, _) => &WINDOW_PHRASES,
        (false, true) => &REPLAY_PHRASES,
        (false, false) => &GAME_PHRASES,
    };
    let keys: Vec<String> = keys.iter().map(|key| phrases.word(key)).collect();
    let lines = asked.into_iter().chain(Some(state.message.clone()).filter(|message| !message.is_empty()));
    lines.chain(side_by_side(&keys, width)).collect()
}

/// Puts descriptions of keys side by side into lines; no description is split between two lines.
fn side_by_side(keys: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for key in keys {
        match lines.last_mut().filter(|line| line.width() + 3 + key.width() <= width) {
            Some(line) => line.push_str(&format!(" | {key}")),
            None => lines.push(key.clone()),
        }
    }
    lines
}

/// Returns the title of a pane, with the range of visible lines unless all are visible. If there is not enough room, only the range is
/// returned.
fn pane_title(title: &str, from: usize, height: usize, all: usize, area: Rect) -> String {
    // Room for corners, blanks and the end of the title.
    let fits = |text: &String| text.width() + 5 <= usize::from(area.width);
    let seen = format!("{}-{}/{all}", from + 1, (from + height).min(all));
    let first = title.split(' ').next().unwrap_or("").to_string();
    if all <= height {
        return Some(title.to_string()).filter(fits).unwrap_or(first);
    }
    Some(format!("{title} {seen}")).filter(fits).unwrap_or(seen)
}

/// Draws rows from `from` on in a border with a title; that of the active pane is marked without relying on colour.
fn draw_bordered(frame: &mut Frame<'_>, area: Rect, title: &str, rows: &[Line<'static>], from: usize, active: bool) {
    let height = inner_height(area);
    let title = pane_title(title, from, height, rows.len(), area);
    let title = if active { Span::styled(format!("[{title}]"), HEADING) } else { Span::raw(format!(" {title} ")) };
    let seen: Vec<Line<'_>> = rows.iter().skip(from).take(height).cloned().collect();
    frame.render_widget(Paragraph::new(seen).block(Block::bordered().title(title)), area);
}

fn draw_pane(frame: &mut Frame<'_>, area: Rect, title: &str, rows: &[Line<'static>], state: &mut ScreenState<'_>, pane: Pane) {
    let at = pane as usize;
    state.page[at] = inner_height(area);
    let last_top = rows.len().saturating_sub(state.page[at]);
    state.scroll_positions[at] = state.scroll_positions[at].min(last_top);
    // The log is scrolled from its end.
    let from = if pane == Pane::Log { last_top - state.scroll_positions[at] } else { state.scroll_positions[at] };
    draw_bordered(frame, area, title, rows, from, state.focus == pane);
}

/// Draws the options, scrolled so that the marked option is visible.
fn draw_options(frame: &mut Frame<'_>, area: Rect, state: &mut ScreenState<'_>) {
    let (rows, marked) = option_rows(state, inner_width(area));
    let height = inner_height(area);
    let at = Pane::Options as usize;
    let mut from = state.scroll_positions[at].min(rows.len().saturating_sub(height));
    if marked.start < from {
        from = marked.start.saturating_sub(1);
    }
    if marked.end > from + height {
        from = marked.end - height;
    }
    state.scroll_positions[at] = from;
    state.page[at] = height;
    let phrases = state.ui.prepared.words.phrases();
    let title = match state.filter.as_str() {
        "" => phrases.word("options"),
        letters => phrases.say("options with `{letters}`", &[("letters", letters)]),
    };
    draw_bordered(frame, area, &title, &rows, from, state.focus == Pane::Options);
}

/// Returns the lines of the options, grouped by action, and which of them are those of the marked option.
fn option_rows(state: &mut ScreenState<'_>, width: usize) -> (Vec<Line<'static>>, Range<usize>) {
    let shown = state.matching_options();
    let taken = state.recorded_option();
    state.marked = state.marked.min(shown.len().saturating_sub(1));
    let mut rows: Vec<Line<'static>> = Vec::new();
    let (mut group, mut seen) = (None, 0..0);
    let several = shown.iter().any(|(_, choice)| shown.first().is_some_and(|first| first.1.group != choice.group));
    for (place, (number, choice)) in shown.iter().enumerate() {
        if several && group != Some(&choice.group) {
            group = Some(&choice.group);
            rows.push(styled(choice.group.clone(), HEADING));
        }
        let begin = rows.len();
        let gain = Some(choice.note.as_str()).filter(|gain| !gain.is_empty());
        let more: Vec<&str> = choice.on_space.as_deref().into_iter().chain(gain).collect();
        let label = if more.is_empty() { choice.label() } else { format!("{} ({})", choice.label(), more.join(", ")) };
        // In a replay the option that was taken stays highlighted.
        let (mark, style) = match (place == state.marked, taken == Some(*number)) {
            (true, _) => ('>', PLAIN.add_modifier(Modifier::REVERSED)),
            (false, true) => ('*', PLAIN),
            (false, false) => (' ', PLAIN),
        };
        for (line, text) in wrap(&label, width.saturating_sub(OPTION_NUMBER_WIDTH), 2).into_iter().enumerate() {
            let number = if line == 0 { format!("{mark}{:>3} ", number + 1) } else { " ".repeat(OPTION_NUMBER_WIDTH) };
            rows.push(Line::from(format!("{number}{text}")).style(style));
        }
        if place == state.marked {
            seen = begin..rows.len();
        }
    }
    if rows.is_empty() {
        let phrases = state.ui.prepared.words.phrases();
        let text = if state.just_answered.is_some() {
            phrases.word("Enter goes on")
        } else if state.filter.is_empty() {
            phrases.word("nothing is asked")
        } else {
            phrases.word("none has this in it; Esc shows all")
        };
        rows.push(Line::from(text));
    }
    (rows, seen)
}

fn draw_popup(frame: &mut Frame<'_>, area: Rect, state: &mut ScreenState<'_>) {
    let phrases = state.ui.prepared.words.phrases();
    let Some(popup) = &mut state.popup else { return };
    let width = inner_width(area);
    let mut rows = wrapped(&popup.lines, width, PLAIN);
    rows.extend(popup.whole_table.iter().flat_map(|section| section_lines(section, phrases, width, true)).map(table_line));
    // A title that does not fit into the border is shown above the lines.
    if popup.title.width() + 16 > usize::from(area.width) {
        rows.splice(0..0, wrapped(std::slice::from_ref(&popup.title), width, PLAIN));
    }
    let height = inner_height(area);
    state.page[Pane::Sheet as usize] = height;
    popup.first_line = popup.first_line.min(rows.len().saturating_sub(height));
    frame.render_widget(Clear, area);
    draw_bordered(frame, area, &popup.title, &rows, popup.first_line, true);
}
