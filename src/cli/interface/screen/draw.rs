//! The layout for terminals of any size. Nothing is truncated: long lines are wrapped, long panes are scrolled, and the title shows the
//! scroll position.

use crate::cast;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line as Drawn, Span, Text};
use ratatui::widgets::{Block, Clear, Paragraph};
use unicode_width::UnicodeWidthStr;

use super::cards::TableView;
use super::state::{Pane, Prompt, ScreenState};
use super::text::{Look, Part, ScreenRow, looking, plain};
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

/// Colours of the kinds of cards, by turns, by their numbers among those that every terminal has. The kind is also named.
const KIND_COLOURS: [Color; 6] =
    [Color::Indexed(6), Color::Indexed(5), Color::Indexed(2), Color::Indexed(4), Color::Indexed(3), Color::Indexed(1)];

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
        return draw_rows(frame, area, &plain(&[text], area.width.into()), false);
    }
    if let Some(seat) = state.waiting_for_seat {
        let phrases = state.ui.prepared.words.phrases();
        let text = phrases.say("{who}, it is your turn. Enter, when nobody else looks.", &[("who", &seat_name(seat))]);
        return draw_rows(frame, area, &plain(&[String::new(), text], area.width.into()), false);
    }
    let width = usize::from(area.width);
    let viewer = state.viewer();
    let sheet = state.ui.short_sheet(viewer);
    let mut head = looking(&[header(state)], width, Look::Heading);
    let mut told = Vec::new();
    if area.height >= MIN_HEIGHT_FOR_RESOURCES {
        // The viewer's own resources stay visible wherever the table is scrolled.
        let (line, shown) = own_resources(&sheet, viewer, width);
        head.extend(looking(&line, width, Look::Heading));
        told = shown;
    }
    let foot = plain(&footer(state, width), width);
    let rows = [Constraint::Length(cast::fit::<u16>(head.len())), Constraint::Min(6), Constraint::Length(cast::fit::<u16>(foot.len()))];
    let [top, middle, bottom] = Layout::vertical(rows).areas(area);
    draw_rows(frame, top, &head, state.colours);
    draw_rows(frame, bottom, &foot, state.colours);
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
        marked: state.marked_piece(),
        told,
    };
    let rows = view.rows(&sheet, inner_width(left), inner_height(left));
    let phrases = state.ui.prepared.words.phrases();
    let titles = [phrases.word("table"), phrases.word("it would change"), phrases.word("log")];
    draw_pane(frame, left, &titles[0], &rows, state, Pane::Sheet);
    draw_options(frame, options, state);
    let rows = detail_rows(state, detail, area.height >= MIN_HEIGHT_FOR_LINES);
    draw_pane(frame, detail, &titles[1], &rows, state, Pane::Detail);
    let lines = state.ui.log(viewer, 0);
    draw_pane(frame, log, &titles[2], &plain(&lines, inner_width(log)), state, Pane::Log);
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
fn detail_rows(state: &mut ScreenState<'_>, area: Rect, is_high: bool) -> Vec<ScreenRow> {
    let width = inner_width(area);
    let mut changes = state.preview_of_marked();
    if !is_high && !changes.is_empty() {
        changes = vec![changes.join("; ")];
    }
    let mut rows = plain(&changes, width);
    let card = state.marked_card();
    if let Some((name, printed)) = card.split_first() {
        if is_high && !rows.is_empty() {
            rows.push(Vec::new());
        }
        rows.extend(looking(std::slice::from_ref(name), width, state.marked_kind().map_or(Look::Heading, Look::Card)));
        rows.extend(plain(printed, width));
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
        let (number, all) = (view.shown_answers.to_string(), state.answer_count().to_string());
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
    let view = state.view.is_some();
    let take = if view { phrases.word("Left Right: answers") } else { phrases.word("Enter: take") };
    let [parts, keys, card, refused, hint] = [
        phrases.word("Tab: parts"),
        phrases.word("F1: keys"),
        phrases.word("F2: card"),
        phrases.word("F3: why not"),
        phrases.word("F4: hint"),
    ];
    let [save, log, leave] =
        [if view { phrases.word("F6: scenario") } else { phrases.word("F5: save") }, phrases.word("F7: log"), phrases.word("F10: leave")];
    let keys: Vec<String> = match (state.popup.is_some(), view) {
        (true, _) => vec![phrases.word("Up Down: scroll"), phrases.word("Esc: back"), leave],
        (false, true) => vec![take, parts, keys, card, refused, hint, save, log, leave],
        (false, false) => vec![take, parts, keys, card, refused, hint, save, log, phrases.word("F8: undo"), leave],
    };
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

fn draw_rows(frame: &mut Frame<'_>, area: Rect, rows: &[ScreenRow], colours: bool) {
    let lines: Vec<Drawn<'_>> = rows.iter().map(|row| to_line(row, colours)).collect();
    frame.render_widget(Paragraph::new(Text::from(lines)), area);
}

fn to_line(row: &ScreenRow, colours: bool) -> Drawn<'static> {
    let span = |part: &Part| Span::styled(part.text.clone(), style_of(part.look, colours));
    Drawn::from(row.iter().map(span).collect::<Vec<_>>())
}

/// Returns the style of a look. Without colours there remain bold and faint letters.
fn style_of(look: Look, colours: bool) -> Style {
    let coloured = |style: Style, colour: Color| if colours { style.fg(colour) } else { style };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    match look {
        Look::Plain => Style::new(),
        Look::Heading => bold,
        Look::Faint => Style::new().add_modifier(Modifier::DIM),
        Look::Card(kind) => coloured(bold, KIND_COLOURS[kind % KIND_COLOURS.len()]),
        Look::Offered => coloured(Style::new(), Color::Green),
        Look::Marked => coloured(bold, Color::Green),
    }
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
    let seen = format!("{}-{}/{all}", from + 1, (from + height).min(all));
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
    draw_rows(frame, within, &rows[from..(from + height).min(rows.len())], state.colours);
}

/// Draws the options, grouped by action, scrolled so that the marked option is visible.
fn draw_options(frame: &mut Frame<'_>, area: Rect, state: &mut ScreenState<'_>) {
    let shown = state.matching_options();
    let (width, height) = (inner_width(area), usize::from(area.height.saturating_sub(2)));
    let taken = state.recorded_option();
    let phrases = state.ui.prepared.words.phrases().clone();
    state.marked = state.marked.min(shown.len().saturating_sub(1));
    let mut rows: Vec<(ScreenRow, bool)> = Vec::new();
    let (mut group, mut seen) = (None, 0..0);
    let several = shown.iter().any(|(_, choice)| shown.first().is_some_and(|first| first.1.group != choice.group));
    for (place, (number, choice)) in shown.iter().enumerate() {
        if several && group.as_ref() != Some(&choice.group) {
            group = Some(choice.group.clone());
            rows.push((vec![Part::new(choice.group.clone(), Look::Heading)], false));
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
            rows.push((vec![Part::new(format!("{number}{text}"), Look::Plain)], here));
        }
        if here {
            seen = begin..rows.len();
        }
    }
    if rows.is_empty() {
        let text = if state.just_answered.is_some() {
            phrases.word("Enter goes on")
        } else if state.filter.is_empty() {
            phrases.word("nothing is asked")
        } else {
            phrases.word("none has this in it; Esc shows all")
        };
        rows.push((vec![Part::new(text, Look::Plain)], false));
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
    let title = match state.filter.as_str() {
        "" => phrases.word("options"),
        letters => phrases.say("options with `{letters}`", &[("letters", letters)]),
    };
    let block = bordered(pane_title(&title, from, height, rows.len(), area), state.focus == Pane::Options);
    let within = block.inner(area);
    frame.render_widget(block, area);
    let marked = |(row, here): &(ScreenRow, bool)| {
        let line = to_line(row, state.colours);
        if *here { line.style(Style::new().add_modifier(Modifier::REVERSED)) } else { line }
    };
    let lines: Vec<Drawn<'_>> = rows.iter().skip(from).take(height).map(marked).collect();
    frame.render_widget(Paragraph::new(Text::from(lines)), within);
}

fn draw_popup(frame: &mut Frame<'_>, area: Rect, state: &mut ScreenState<'_>) {
    let colours = state.colours;
    let phrases = state.ui.prepared.words.phrases().clone();
    let Some(popup) = &mut state.popup else { return };
    let width = inner_width(area);
    let mut rows = plain(&popup.lines, width);
    rows.extend(popup.whole_table.iter().flat_map(|section| section_lines(section, &phrases, width, true)).map(|line| vec![line.into()]));
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
    draw_rows(frame, within, &rows[from..(from + height).min(rows.len())], colours);
}
