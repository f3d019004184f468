//! Who wins: seats, teams, players of several kinds, and who begins with a card.

use super::super::report::{InitialCard, Report};
use super::super::sides::{add_teams, table_of_all};
use super::super::stats::Share;
use super::super::table::TextTable;
use super::{INTERVAL, ReportInWords};
use crate::document::numbers::{percent, percents, share_cells};
use crate::document::{Axis, Block, Chart, Drawing, FIRST, Mark, SECOND, Section, Swatch};

/// Maximum number of rows in a terminal's table of cards with which players begin.
const MAX_INITIAL_CARDS: usize = 24;
/// So many rows at either end of a long list are drawn.
pub(super) const EACH_END: usize = 10;
/// A row of fewer players or games says too little to be drawn.
pub(super) const FEWEST: u64 = 20;

/// A row of a chart, with the number of players or games that it rests on.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    pub mark: Mark,
    pub of: u64,
}

/// A share as a row of a chart.
pub(super) fn share_row(label: String, share: &Share, even: Option<f64>) -> Weighed {
    Weighed { mark: Mark { label, value: share.share, interval: Some(share.interval), even, ..Mark::default() }, of: share.trials }
}

/// Which ends of a list are drawn: the rows of which it is surest that they lie high or low, from high to low. Where 0 is the middle, those
/// that are surely above it and those that are surely below, without what comes to nothing, that is less than `least`.
pub(super) fn extremes(rows: &[Weighed], least: Option<f64>) -> Vec<Mark> {
    let mut known: Vec<&Mark> = rows.iter().filter(|row| row.of >= FEWEST && row.mark.interval.is_some()).map(|row| &row.mark).collect();
    let from_above = |a: &&Mark, b: &&Mark| b.value.total_cmp(&a.value);
    if known.len() > 2 * EACH_END {
        let end = |mark: &Mark, at: usize| mark.interval.map_or(mark.value, |interval| interval[at]);
        let is_of = |mark: &Mark, sign: f64| least.is_none_or(|least| mark.value * sign >= least);
        known.sort_by(|a, b| end(b, 0).total_cmp(&end(a, 0)));
        let (mut drawn, mut others): (Vec<&Mark>, Vec<&Mark>) = (Vec::new(), Vec::new());
        for mark in known {
            if drawn.len() < EACH_END && is_of(mark, 1.0) { drawn.push(mark) } else { others.push(mark) }
        }
        others.sort_by(|a, b| end(a, 1).total_cmp(&end(b, 1)));
        drawn.extend(others.into_iter().filter(|mark| is_of(mark, -1.0)).take(EACH_END));
        known = drawn;
    }
    known.sort_by(from_above);
    known.into_iter().cloned().collect()
}

/// What the colours of a chart of games won mean.
pub(super) fn won_legend(whose: &str) -> Vec<Swatch> {
    vec![Swatch::new(format!("games won{whose}"), FIRST), Swatch::new("even share", SECOND)]
}

impl ReportInWords<'_> {
    /// The share of the games that a player wins if nothing matters.
    pub(super) fn even_share(&self) -> f64 {
        let report = self.report;
        let sides = if report.by_team.is_empty() { report.players } else { report.by_team.len() };
        1.0 / sides.max(1) as f64
    }

    /// The parts on who wins. With a single player there is nobody to win against.
    pub(super) fn games_won(&self) -> Vec<Section> {
        let report = self.report;
        if let Some(won) = &report.won {
            return vec![Section::new("Games won", [won_together(report, won)])];
        }
        if report.players < 2 {
            return Vec::new();
        }
        let mut blocks = vec![self.won_by_seat()];
        let together = report.won_together;
        if together > 0 {
            let were = if together == 1 { "game was" } else { "games were" };
            blocks.push(Block::Lines(format!("  {together} {were} won by several together: each of them has won an equal part\n")));
        }
        vec![Section::new("Games won", blocks), self.won_by_initial_card()]
    }

    fn won_by_seat(&self) -> Block {
        let (report, even) = (self.report, self.even_share());
        let row = |label: String, won: &Share, even: f64| share_row(label, won, Some(even)).mark;
        let of_teams = report.by_team.iter().map(|team| row(team.name(), &team.won, even));
        let of_seats = report.by_seat.iter().filter(|_| report.by_team.is_empty());
        let seats: Vec<Mark> =
            of_teams.chain(of_seats.map(|seat| row(format!("p{} {}", seat.seat, seat.agent), &seat.won, even))).collect();
        let several = report.by_agent.len() > 1;
        let agents = report.by_agent.iter().filter(|_| several);
        let share_of = |seats: usize| seats as f64 / report.players.max(1) as f64;
        let agents: Vec<Mark> = agents.map(|by| row(format!("all {}", by.agent), &by.won, share_of(by.seats))).collect();
        let title = if several {
            let each = agents
                .iter()
                .map(|agent| format!("{} win {} (even: {})", agent.label, percent(agent.value), percent(agent.even.unwrap_or_default())));
            format!("Of all games, {}", each.collect::<Vec<_>>().join(", "))
        } else {
            self.favoured_seats(&seats)
        };
        let together = if several { " Seats have players of different kinds, so that seat and player go together." } else { "" };
        Block::Chart(Box::new(Chart {
            title,
            note: format!("{INTERVAL}{together}"),
            legend: won_legend(""),
            drawing: Some(Drawing::Dots { axis: Axis::share("games won"), rows: seats.into_iter().chain(agents).collect() }),
            figures: wins_table(report),
            in_text: true,
            ..Chart::default()
        }))
    }

    /// Says which seats are off the even share.
    fn favoured_seats(&self, seats: &[Mark]) -> String {
        let even = self.even_share();
        let off = seats.iter().filter(|seat| seat.is_off()).map(|seat| {
            let more = if seat.value > even { "more" } else { "less" };
            format!("{} wins {more} ({})", seat.label.split(' ').next().unwrap_or_default(), percent(seat.value))
        });
        let off: Vec<String> = off.collect();
        if !off.is_empty() {
            return format!("{} than an even share of {}", off.join(", "), percent(even));
        }
        let few = if self.report.games < super::FEW_GAMES { ", which so few games can hardly do" } else { "" };
        let ends = seats.iter().filter_map(|seat| seat.interval).flatten();
        let reach = ends.map(|end| (end - even).abs()).fold(0.0, f64::max);
        format!(
            "No seat is shown to be favoured: the even share of {} lies in every interval{few}; a seat may still win up to {} more or less of \
             all games",
            percent(even),
            percent(reach)
        )
    }

    fn won_by_initial_card(&self) -> Section {
        let (begun, even) = (&self.report.begun, self.even_share());
        let mut blocks = Vec::new();
        if begun.len() <= MAX_INITIAL_CARDS && !begun.is_empty() {
            blocks.push(Block::Brief(initial_cards_table(begun).text(2)));
        }
        for of_place in begun.chunk_by(|a, b| a.place == b.place) {
            let rows: Vec<Weighed> = of_place.iter().map(|begun| share_row(self.card(&begun.card), &begun.won, Some(even))).collect();
            let drawn = extremes(&rows, None);
            if drawn.len() < 2 {
                blocks.push(Block::page_only(Block::Figures(initial_cards_table(of_place))));
                continue;
            }
            let place = self.spoken(&of_place[0].place);
            let which = if drawn.len() < rows.len() {
                format!("the {} farthest off of {}", drawn.len(), rows.len())
            } else {
                let off = rows.iter().filter(|row| row.mark.is_off()).count();
                format!("{off} of {} off the even share", rows.len())
            };
            blocks.push(Block::Chart(Box::new(Chart {
                title: format!("Games won by who begins with what, of {place}: {which}"),
                note: format!("{INTERVAL} By chance alone one in twenty would lie off."),
                legend: won_legend(" by those who begin with it"),
                drawing: Some(Drawing::Dots { axis: Axis::share("games won"), rows: drawn }),
                figures: initial_cards_table(of_place),
                ..Chart::default()
            })));
        }
        Section::new("Games won by who begins with a card", blocks)
    }

    /// The table of honour of games for one.
    pub(super) fn honours(&self) -> Section {
        let mut figures = TextTable::new(1);
        figures.row(["", "from", "games", "share", "95% interval"]);
        let mut rows = Vec::new();
        for place in &self.report.honours {
            let [count, share, interval] = share_cells(&place.reached);
            let points = place.points.map_or(String::new(), |points| points.to_string());
            let name = place.name.as_ref().map_or_else(|| "below it".to_string(), |name| self.called.names.translate_word(name));
            rows.push(share_row(name.clone(), &place.reached, None).mark);
            figures.row([name, points, count, share, interval]);
        }
        let commonest = rows.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        let chart = commonest.map(|commonest| Chart {
            title: format!("Most games end at: {}", commonest.label),
            note: INTERVAL.to_string(),
            drawing: Some(Drawing::Bars { axis: Axis::share("share of games"), rows: rows.clone() }),
            figures,
            in_text: true,
            ..Chart::default()
        });
        Section::new("Table of honour", chart.map(|chart| Block::Chart(Box::new(chart))))
    }

    /// What games won go along with, for each card.
    pub(super) fn winners(&self, title: &str, rows: &[Weighed]) -> Option<Block> {
        let drawn = extremes(rows, None);
        if drawn.len() < 2 {
            return None;
        }
        let known: Vec<&Weighed> = rows.iter().filter(|row| row.of >= FEWEST).collect();
        let (off, by_chance) = (known.iter().filter(|row| row.mark.is_off()).count(), (known.len() + 10) / 20);
        let title = format!("{title}: {off} of {} cards lie off the even share; by chance about {by_chance} would", known.len());
        let which = which_are_drawn(&drawn, rows);
        Some(Block::Chart(Box::new(Chart {
            title,
            note: format!("{which}{INTERVAL} It says what goes along with a card, not what it does: who is ahead can afford more."),
            legend: won_legend(" by those who have it"),
            drawing: Some(Drawing::Dots { axis: Axis::share("games won"), rows: drawn }),
            figures: share_table(rows, ["won", "of"]),
            ..Chart::default()
        })))
    }
}

/// Says which rows are drawn, unless it is all that rest on enough players.
pub(super) fn which_are_drawn(drawn: &[Mark], rows: &[Weighed]) -> String {
    let all = rows.iter().filter(|row| row.of >= FEWEST).count();
    if drawn.len() == all {
        return String::new();
    }
    format!("The {EACH_END} surest at either end of {all} that {FEWEST} players or more had to do with. ")
}

/// A table of shares; what they count and of how many is named by the words.
pub(super) fn share_table(rows: &[Weighed], words: [&str; 2]) -> TextTable {
    let mut table = TextTable::new(1);
    table.row(["", words[0], words[1], "share", "95% interval"]);
    for Weighed { mark, of } in rows {
        let times = crate::document::numbers::count((mark.value * *of as f64 * 10.0).round() / 10.0);
        table.row([mark.label.clone(), times, of.to_string(), percent(mark.value), mark.interval.map_or(String::new(), percents)]);
    }
    table
}

fn won_together(report: &Report, won: &Share) -> Block {
    let rows = vec![share_row("all together".to_string(), won, None).mark];
    Block::Chart(Box::new(Chart {
        title: format!("{} of the games are won ({})", percent(won.share), percents(won.interval)),
        note: INTERVAL.to_string(),
        drawing: Some(Drawing::Bars { axis: Axis::share("share of games"), rows }),
        figures: table_of_all(report, won),
        in_text: true,
        ..Chart::default()
    }))
}

fn wins_table(report: &Report) -> TextTable {
    let mut table = TextTable::new(1);
    table.row(["", "points", "won", "share", "95% interval", "even share"]);
    let even = 1.0 / report.players.max(1) as f64;
    add_teams(report, &mut table);
    let mut row = |name: String, points: f64, won: &Share, even: f64| {
        let [count, share, interval] = share_cells(won);
        table.row([name, format!("{points:.2}"), count, share, interval, percent(even)]);
    };
    // Partners have won the same games.
    for seat in report.by_seat.iter().filter(|_| report.by_team.is_empty()) {
        row(format!("p{} {}", seat.seat, seat.agent), seat.points.mean, &seat.won, even);
    }
    for agent in report.by_agent.iter().filter(|_| report.by_agent.len() > 1) {
        let seats = report.by_seat.iter().filter(|seat| seat.agent == agent.agent);
        let points: f64 = seats.map(|seat| seat.points.mean).sum::<f64>() / agent.seats.max(1) as f64;
        row(format!("all {}", agent.agent), points, &agent.won, even * agent.seats as f64);
    }
    table
}

fn initial_cards_table(begun: &[InitialCard]) -> TextTable {
    let mut table = TextTable::new(2);
    table.row(["", "", "players", "points", "won", "share", "95% interval"]);
    for begun in begun {
        let [count, share, interval] = share_cells(&begun.won);
        let (place, points) = (begun.place.clone(), format!("{:.2}", begun.points.mean));
        table.row([begun.card.clone(), place, begun.won.trials.to_string(), points, count, share, interval]);
    }
    table
}
