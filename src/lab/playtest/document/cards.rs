//! Cards: which hardly anybody takes, what taking them goes along with, and what they do.

use std::collections::BTreeMap;

use super::super::cards::{CardEffect, CardEffects, InitialCardEffect, MeasuredEffect, UnfinishedRun, initial_card_table, shorten_name};
use super::super::page_names::PageNames;
use super::super::report::{Report, dead_cards_table};
use super::super::stats::Share;
use super::super::table::{TextTable, wrapped};
use super::won::{EACH_END, Weighed, extremes, share_row, share_table, which_are_drawn};
use super::{INTERVAL, MOST_ROWS, ReportInWords, answers_table};
use crate::document::numbers::{counted, percent, plural, q_value, signed_interval};
use crate::document::{Axis, Block, Chart, Document, Drawing, FIRST, Mark, SECOND, Section, Swatch};
use crate::pack::Translations;

impl ReportInWords<'_> {
    /// Cards that are offered and hardly ever taken.
    pub(super) fn dead_cards(&self) -> Section {
        let dead = &self.report.dead;
        let heading = "Cards that hardly anybody takes";
        if dead.is_empty() {
            return Section::new(heading, []);
        }
        let mut figures = TextTable::new(2);
        figures.row(["", "action", "offered to", "taken by", "at most", "at most, of all at once", "usual", "taken otherwise"]);
        let (mut whole, mut otherwise) = (Vec::new(), Vec::new());
        for one in dead {
            let (card, action) = (self.card(&one.card), self.spoken(&one.action));
            let shares = [one.at_most, one.at_most_of_all, one.usual].map(percent);
            let counts = [one.offered, one.taken].map(|count| count.to_string());
            let also = if one.taken_otherwise { "yes" } else { "no" };
            figures.row([card.clone(), action.clone()].into_iter().chain(counts).chain(shares).chain([also.to_string()]));
            let mark = Mark {
                value: one.taken as f64 / one.offered.max(1) as f64,
                interval: Some([0.0, one.at_most]),
                even: Some(one.usual),
                ..Mark::default()
            };
            if one.taken_otherwise {
                otherwise.push(Mark { label: format!("{card} ({action})"), ..mark });
            } else {
                whole.push(Mark { label: card, ..mark });
            }
        }
        let title = if whole.is_empty() {
            format!("{} hardly ever taken by one action, and by others they are", cards_are(otherwise.len()))
        } else {
            let first: Vec<&str> = whole.iter().take(3).map(|mark| mark.label.as_str()).collect();
            let more = if whole.len() > 3 { " …" } else { "" };
            format!("{} hardly ever taken though offered: {}{more}", cards_are(whole.len()), first.join(", "))
        };
        let mut rows = if whole.is_empty() { otherwise } else { whole };
        let left = if rows.len() > MOST_ROWS { format!(" The first {MOST_ROWS} of {}.", rows.len()) } else { String::new() };
        rows.truncate(MOST_ROWS);
        let chart = Chart {
            title,
            note: format!(
                "Players to whom a card was offered in a game, and who took it. At most 1 of 20 take these, also if all cards are asked at \
                 once; lines reach to the end of the exact 95% interval.{left}"
            ),
            legend: vec![Swatch::new("took it when offered", FIRST), Swatch::new("usual for this action", SECOND)],
            drawing: Some(Drawing::Dots { axis: Axis::share("took it when offered"), rows }),
            figures,
            ..Chart::default()
        };
        Section::new(heading, [Block::Brief(dead_cards_table(dead)), Block::Chart(Box::new(chart))])
    }

    /// How many choose a card, and what that goes along with; for pages, since there are many cards.
    pub(super) fn cards(&self) -> Section {
        let (report, even) = (self.report, Some(self.even_share()));
        let wins = report.won.is_none() && report.players > 1;
        let mut by_action: BTreeMap<&str, (Vec<Weighed>, Vec<Weighed>)> = BTreeMap::new();
        for count in &report.cards {
            let (taken, won) = by_action.entry(&count.action).or_default();
            taken.push(share_row(self.card(&count.card), &count.taken, None));
            won.push(share_row(self.card(&count.card), &count.won, even));
        }
        let mut blocks = Vec::new();
        for (action, (taken, won)) in &by_action {
            let action = self.spoken(action);
            let drawn = extremes(taken, None);
            if let [most, .., least] = drawn.as_slice() {
                let title =
                    format!("How many choose “{action}” with a card when it is offered: {} most, {} least", most.label, least.label);
                blocks.push(Block::Chart(Box::new(Chart {
                    title,
                    note: format!("{}{INTERVAL}", which_are_drawn(&drawn, taken)),
                    drawing: Some(Drawing::Dots { axis: Axis::share("chose it when offered"), rows: drawn }),
                    figures: share_table(taken, ["players who chose it", "players to whom it was offered"]),
                    ..Chart::default()
                })));
            }
            blocks.extend(wins.then(|| self.winners(&format!("Games won by those who chose “{action}” with a card"), won)).flatten());
        }
        let kept = report
            .final_cards
            .iter()
            .map(|kept| share_row(format!("{} ({})", self.card(&kept.card), self.spoken(&kept.place)), &kept.won, even));
        let kept: Vec<Weighed> = kept.collect();
        blocks.extend(wins.then(|| self.winners("Games won by those who have a card at the end", &kept)).flatten());
        Section::new("Cards", blocks)
    }
}

fn cards_are(count: usize) -> String {
    format!("{} {}", counted(count, "card"), if count == 1 { "is" } else { "are" })
}

/// What the dots of a chart of differences lie along.
struct Measured {
    /// What is measured, as the beginning of a title.
    title: &'static str,
    axis: Axis,
    /// What rounds to nothing is below it.
    least: f64,
}

impl Measured {
    fn points(title: &'static str, label: &str) -> Measured {
        Measured { title, axis: Axis::new(label), least: 0.005 }
    }

    fn wins(title: &'static str, label: &str) -> Measured {
        Measured { title, axis: Axis { format: "+%", ..Axis::new(label) }, least: 0.000_05 }
    }
}

impl CardEffects {
    /// The parts on what cards do: a table for each kind, charts over all, and the answers to questions of cards in the games of `report`.
    pub(super) fn parts(&self, report: &Report, called: PageNames<'_>) -> Vec<Section> {
        let mut parts = vec![Section::new("What cards do", self.charts(called))];
        let heading = |what: &str, kind: &str, count: usize| format!("{what}: {}, {}", called.names.kind(kind), counted(count, "card"));
        for of_kind in self.cards.chunk_by(|a, b| (&a.kind, a.begins) == (&b.kind, b.begins)) {
            let heading = heading("What cards do", &of_kind[0].kind, of_kind.len());
            parts.push(Section::new(heading, [Block::Figures(effects_table(of_kind, called))]));
        }
        for of_kind in self.initial.chunk_by(|a, b| a.kind == b.kind) {
            let heading = heading("Cards with which one begins, beside each other", &of_kind[0].kind, of_kind.len());
            let table = Block::Figures(initial_card_table(of_kind, called.cards));
            let measured = [
                (Measured::points("Points of who begins with a card", "points beside the others"), false),
                (Measured::wins("Games won by who begins with a card", "games won beside the others"), true),
            ];
            let charts = measured.into_iter().filter_map(|(measured, wins)| chart_beside_others(of_kind, measured, wins, called));
            parts.push(Section::new(heading, [table].into_iter().chain(charts)));
        }
        let answers = answers_table(report, called.names, true);
        if !answers.is_empty() {
            parts.push(Section::new("Answers to cards in a game, all players together", [Block::Lines(answers)]));
        }
        parts.push(Section::unheaded([Block::Lines(self.notes(called))]));
        parts
    }

    /// Formats the effects as text for a terminal.
    pub fn text(&self, report: &Report, names: &Translations, cards: &BTreeMap<&str, &str>, color: bool) -> String {
        Document { parts: self.parts(report, PageNames { names, cards }), ..Document::default() }.text(color)
    }

    fn charts(&self, called: PageNames<'_>) -> Vec<Block> {
        type Of = fn(&CardEffect) -> Option<&MeasuredEffect>;
        let charts: [(Measured, Of); 3] = [
            (Measured::points("Points of the seat that first has to do with a card", "difference in points"), |card| card.points.as_ref()),
            (Measured::wins("Games that this seat wins", "difference in games won"), |card| card.wins.as_ref()),
            (Measured::points("Points of a player, over all players", "difference in points"), |card| Some(&card.points_of_all)),
        ];
        let early = if self.early { " In both games the card lies on top of its deck." } else { "" };
        let chart = |(measured, of): (Measured, Of)| {
            let mut figures = TextTable::new(1);
            figures.row(["", "games", "with the card", "blanked", "difference", "95% interval", "q"]);
            let mut rows = Vec::new();
            for (card, effect) in self.cards.iter().filter_map(|card| Some((card, of(card)?))) {
                let name = called.card(&card.card).replace('_', " ");
                let (original, blanked) = (format!("{:.2}", effect.original), format!("{:.2}", effect.blanked));
                let difference = format!("{:+.2}", effect.difference);
                rows.push(Weighed {
                    mark: Mark {
                        label: format!("{name}\n{blanked} → {original} ({difference})"),
                        value: effect.difference,
                        interval: effect.interval,
                        even: Some(0.0),
                        hollow: !effect.significant,
                        part: false,
                    },
                    of: effect.games,
                });
                let interval = effect.interval.and_then(|ends| signed_interval(ends, 2)).unwrap_or_default();
                let q = effect.q.map_or(String::new(), q_value);
                figures.row([name, effect.games.to_string(), original, blanked, difference, interval, q]);
            }
            let note = format!("The same games with the card as it is and blanked.{early}");
            let chart = differences(measured, &note, &rows)?;
            let legend = Swatch::of_differences("shown to differ (q is 0.05 at most)", "no difference");
            Some(Block::Chart(Box::new(Chart { legend, figures, ..chart })))
        };
        charts.into_iter().filter_map(chart).collect()
    }

    /// How far the run came, which cards were not asked, and what the columns of the tables are.
    fn notes(&self, called: PageNames<'_>) -> String {
        let mut text = String::new();
        if let Some(UnfinishedRun { cards, cards_requested: of, begun }) = &self.unfinished {
            text.push_str(&format!("stopped: {cards} of {of} cards are done\n"));
            for (card, done, asked) in begun {
                text.push_str(&format!("{}: {done} of {asked} games have been played once more\n", called.card(card)));
            }
        }
        if !self.without_blank.is_empty() {
            const MAX_ROWS: usize = 12;
            let names = self.without_blank.iter().map(|card| called.card(card).to_string());
            let more = self.without_blank.len().saturating_sub(MAX_ROWS);
            let rest = (more > 0).then(|| format!("and {more} more"));
            text.push_str("not asked, since what they do stands in the rules, which a blank leaves:\n");
            text.push_str(&wrapped(2, "", names.take(MAX_ROWS).chain(rest)));
        }
        if self.cards.is_empty() && self.initial.is_empty() {
            text.push_str(if self.unfinished.is_some() { "nothing is known yet\n" } else { "no card came up\n" });
            return text;
        }
        self.explanatory_notes().into_iter().for_each(|line| text.push_str(&wrapped(0, "", [line])));
        text
    }
}

/// A chart of differences without its figures; `None` if none rests on enough games.
fn differences(measured: Measured, note: &str, rows: &[Weighed]) -> Option<Chart> {
    let drawn = extremes(rows, Some(measured.least));
    let known: Vec<&Mark> = rows.iter().filter(|row| row.mark.interval.is_some()).map(|row| &row.mark).collect();
    let largest = drawn.iter().max_by(|a, b| a.value.abs().total_cmp(&b.value.abs()))?;
    let largest = largest.label.split('\n').next().unwrap_or_default();
    let shown = known.iter().filter(|mark| !mark.hollow).count();
    let title = format!(
        "{}: shown for {shown} of {} card{}; the largest difference is that of {largest}",
        measured.title,
        known.len(),
        plural(known.len() as u64)
    );
    let which = if drawn.len() < known.len() {
        format!("The {EACH_END} surest at most at either end of {}, less those that make no difference. ", known.len())
    } else {
        String::new()
    };
    let drawing = Some(Drawing::Dots { axis: measured.axis, rows: drawn });
    Some(Chart { title, note: format!("{which}{note} {INTERVAL}"), drawing, ..Chart::default() })
}

/// A chart of cards of a kind with which players begin, each beside the others in the same games.
fn chart_beside_others(cards: &[InitialCardEffect], measured: Measured, wins: bool, called: PageNames<'_>) -> Option<Block> {
    let mut figures = TextTable::new(1);
    figures.row(["", "games", "who begins with it", "the others", "difference", "95% interval", "q"]);
    let mut rows = Vec::new();
    for card in cards {
        let beside = if wins { &card.wins } else { &card.points };
        let name = called.card(&card.card).replace('_', " ");
        let difference = if wins { format!("{:+.1}%", 100.0 * beside.difference) } else { format!("{:+.2}", beside.difference) };
        rows.push(Weighed {
            mark: Mark {
                label: format!("{name}\n{difference}"),
                value: beside.difference,
                interval: beside.interval,
                even: Some(0.0),
                hollow: !beside.significant,
                part: false,
            },
            of: card.games,
        });
        let [own, others] = [beside.own, beside.others].map(|value| format!("{value:.2}"));
        let interval = beside.interval.and_then(|ends| signed_interval(ends, 2)).unwrap_or_default();
        let q = beside.q.map_or(String::new(), q_value);
        figures.row([name, card.games.to_string(), own, others, format!("{:+.2}", beside.difference), interval, q]);
    }
    let note = "Who begins with a card, less the mean of those who begin with others of its kind in the same games.";
    let chart = differences(measured, note, &rows)?;
    let legend = Swatch::of_differences("shown to differ (q is 0.05 at most)", "as the others");
    Some(Block::Chart(Box::new(Chart { legend, figures, ..chart })))
}

fn effects_table(cards: &[CardEffect], called: PageNames<'_>) -> TextTable {
    let seats = cards.iter().any(|card| card.points.is_some());
    let wins = cards.iter().any(|card| card.wins.is_some());
    let mut table = TextTable::new(1);
    let mut head = vec!["", "games", "taken", "kept", "won by"];
    if seats {
        head.extend(["seats", "points", "±"]);
    }
    if wins {
        head.extend(["wins", "±"]);
    }
    head.extend(["all", "±"]);
    table.row(head);
    for card in cards {
        let share = |share: &Option<Share>| {
            share.filter(|share| share.trials > 0).map_or("-".to_string(), |share| format!("{:.0}%", share.share * 100.0))
        };
        let kept = if card.owners_at_end > 0 { card.owners_at_end.to_string() } else { "-".to_string() };
        let name = shorten_name(called.card(&card.card));
        let mut row = vec![name, card.games.to_string(), share(&card.taken), kept, share(&card.won)];
        if seats {
            row.push(card.points.as_ref().map_or("-".to_string(), |effect| effect.games.to_string()));
            row.extend(effect_cells(card.points.as_ref(), 1.0, 2, ""));
        }
        if wins {
            row.extend(effect_cells(card.wins.as_ref(), 100.0, 1, "%"));
        }
        row.extend(effect_cells(Some(&card.points_of_all), 1.0, 2, ""));
        table.row(row);
    }
    table
}

/// Formats an effect as two cells: the difference, marked if it is significant, and half the width of its interval.
fn effect_cells(effect: Option<&MeasuredEffect>, times: f64, digits: usize, unit: &str) -> [String; 2] {
    let Some(effect) = effect else { return ["-".to_string(), String::new()] };
    let mark = if effect.significant { "*" } else { " " };
    let half = effect.interval.map_or(String::new(), |[low, high]| format!("{:.digits$}", (high - low) / 2.0 * times));
    [format!("{:+.digits$}{unit}{mark}", effect.difference * times), half]
}
