//! The report of a run as a document.

mod cards;
mod course;
mod won;

use std::collections::{BTreeMap, BTreeSet};

use super::cards::CardEffects;
use super::hooks::Hooks;
use super::page_names::PageNames;
use super::report::{ActionCount, PackUsed, PlainOrMean, Report, of_report};
use super::stats::Mean;
use super::table::{TextTable, WIDTH, wrapped};
use crate::document::numbers::{counted, interval, number, plural};
use crate::document::{Axis, Block, Chart, Document, Drawing, FIRST, Mark, PART, SECOND, Section, Swatch};
use crate::pack::Translations;
use crate::playtest::Histogram;

/// Number of games below which the report warns that they are few.
const FEW_GAMES: u64 = 100;
/// Number of rows of a chart that are drawn; the figures have all.
const MOST_ROWS: usize = 24;
/// What the lines in a chart are.
const INTERVAL: &str = "Lines are 95% intervals.";

/// Formats the report as text for a terminal, with translated names.
pub fn text(report: &Report, names: &Translations, color: bool) -> String {
    document(report, None, &[], PageNames { names, cards: &BTreeMap::new() }).text(color)
}

/// Makes the document of a playtest, with the effects of cards if they were measured, and with the boards at the end of its first game, each
/// as an SVG element.
pub fn document(report: &Report, effects: Option<&CardEffects>, boards: &[String], called: PageNames<'_>) -> Document {
    let names = called.names;
    let title = format!("{}: a playtest", names.title(&report.title));
    let mut document = Document { title, opening: vec![Block::Lines(first_paragraph(report, names))], ..Document::default() };
    add_facts(&mut document, report);
    if report.games > 0 {
        document.conclusion = of_report(report, Some(called));
        document.parts = parts(&ReportInWords { report, called });
    }
    document.parts.extend(dropped_games(report));
    if !boards.is_empty() {
        document.parts.push(Section::new("The board at the end of the first game", boards.iter().cloned().map(Block::Picture)));
    }
    document.parts.extend(effects.iter().flat_map(|effects| effects.parts(report, called)));
    document
}

/// A report with the names, translated or not, by which it is told.
struct ReportInWords<'a> {
    report: &'a Report,
    called: PageNames<'a>,
}

fn parts(told: &ReportInWords<'_>) -> Vec<Section> {
    let (report, names) = (told.report, told.called.names);
    let mut parts = vec![told.points()];
    parts.extend(told.games_won());
    parts.extend([
        told.honours(),
        told.actions(),
        told.answers(),
        Section::new("Cards of a player at the end", [Block::Lines(places_table(report, names))]),
        told.rounds(),
        told.lead(),
        told.strategies(),
        told.dead_cards(),
        Section::new("Scripts of cards", report.hooks.as_ref().map(|hooks: &Hooks| Block::Lines(hooks.text()))),
        told.cards(),
        told.lengths(),
        Section::unheaded([Block::Lines(format!(
            "{} rounds and {} decisions in a game; {:.1} options in a decision, at most {}\n{}\n",
            number(report.rounds.mean),
            number(report.decisions.mean),
            report.options_per_decision,
            report.most_options,
            report.duration.sentence()
        ))]),
    ]);
    if let Some(last) = parts.last_mut() {
        last.blocks.extend(report.needed.iter().map(|need| Block::sentence(need.sentence())));
    }
    parts.retain(|section| !section.blocks.is_empty());
    parts
}

fn add_facts(document: &mut Document, report: &Report) {
    let distinct = if report.distinct < report.games { format!(", {} of them distinct,", report.distinct) } else { String::new() };
    let stopped = if report.stopped { "; stopped before the end" } else { "" };
    let (games, asked, dropped) = (report.games, report.requested, report.dropped);
    document.fact("games", format!("{games} complete{distinct} of {asked} asked for, {dropped} dropped because of a fault{stopped}"));
    document.fact("players", format!("{}: {}", report.players, report.agents.join(", ")));
    document.fact("changes", none_if_empty(report.changes.join("  ")));
    document.fact("seed", report.seed.to_string());
    document.fact("packs", packs_in_words(&report.packs));
    document.fact("rules", format!("{}, {}", report.game, report.rules));
    document.fact("program", format!("houserule {}", report.version));
}

fn none_if_empty(text: String) -> String {
    if text.is_empty() { "none".to_string() } else { text }
}

/// The packs in a line.
pub(super) fn packs_in_words(packs: &[PackUsed]) -> String {
    let packs: Vec<String> = packs.iter().map(|pack| format!("{} {} ({})", pack.name, pack.version, pack.hash)).collect();
    none_if_empty(packs.join(", "))
}

/// Games that met a fault, for a page: a terminal is told of them beside the report.
fn dropped_games(report: &Report) -> Option<Section> {
    let mut figures = TextTable::new(1);
    figures.row(["of", "games", "fault", "where", "seed of the first", "after question"]);
    let mut rows = Vec::new();
    for fault in &report.faults {
        let owner = if fault.owner.is_empty() { "the rules" } else { &fault.owner };
        let place = fault.place.clone().unwrap_or_default();
        figures.row([
            owner.to_string(),
            fault.games.to_string(),
            fault.message.clone(),
            place,
            fault.seed.to_string(),
            fault.decision.to_string(),
        ]);
        rows.push(Mark { label: owner.to_string(), value: fault.games as f64, ..Mark::default() });
    }
    rows.truncate(MOST_ROWS);
    let were = if report.dropped == 1 { "is" } else { "are" };
    let title = format!("{} met a fault and {were} not counted", counted(crate::cast::fit(report.dropped), "game"));
    let drawing = Some(Drawing::Bars { axis: Axis::new("games"), rows });
    let chart = Chart { title, drawing, figures, wide: true, ..Chart::default() };
    (!report.faults.is_empty()).then(|| Section::new("Games that were dropped", [Block::Chart(Box::new(chart))]))
}

impl ReportInWords<'_> {
    /// A name of the rules, as it is written in a sentence or beside a bar.
    fn spoken(&self, word: &str) -> String {
        self.called.names.translate_word(word).replace('_', " ")
    }

    fn kind(&self, kind: &str) -> String {
        self.called.names.kind(kind).replace('_', " ")
    }

    /// The printed name of a card.
    fn card(&self, id: &str) -> String {
        self.called.card(id).replace('_', " ")
    }

    fn points(&self) -> Section {
        let (report, names) = (self.report, self.called.names);
        let heading = if report.won.is_some() { "Points of all together" } else { "Points of a player" };
        let mut rows = Vec::new();
        for row in &report.points {
            if let PlainOrMean::Mean(mean) = &row.value {
                rows.push(Mark { label: self.spoken(&row.name), value: mean.mean, interval: mean.interval, ..Mark::default() });
            }
        }
        let all = rows.pop().unwrap_or_default();
        let has = format!("A player has {} points", number(all.value));
        let largest = rows.iter().max_by(|a, b| a.value.total_cmp(&b.value)).filter(|_| rows.len() > 1);
        let title = largest
            .map_or(has.clone(), |largest| format!("{has}; the largest part, {}, comes from {}", number(largest.value), largest.label));
        let chart = Chart {
            title,
            note: format!("Means of a player. {INTERVAL}"),
            drawing: Some(Drawing::Bars { axis: Axis::new("points of a player"), rows }),
            figures: points_table(report, names),
            in_text: true,
            ..Chart::default()
        };
        let mut blocks = vec![Block::Chart(Box::new(chart))];
        let (points, margin) = (&report.distributions.points, &report.distributions.margin);
        if let [Some(low), Some(middle), Some(high)] = [0.1, 0.5, 0.9].map(|share| points.quantile(share)) {
            let several = report.players > 1;
            let of_winners = several.then(|| report.distributions.points_of_winner.clone());
            let title = format!("Half of all players have {middle} points or fewer; eight of ten lie between {low} and {high}");
            let of = if several { "players, of winners" } else { "games" };
            let legend = if several {
                vec![Swatch::new("players", FIRST), Swatch { hollow: true, ..Swatch::new("winners", SECOND) }]
            } else {
                Vec::new()
            };
            let chart = distribution(title, "points", of, points);
            blocks.extend(chart.map(|chart| {
                let mut chart = Chart { legend, ..chart };
                if let Some(Drawing::Distribution { histograms, .. }) = &mut chart.drawing {
                    histograms.extend(of_winners);
                }
                Block::Chart(Box::new(chart))
            }));
        }
        if let Some(middle) = margin.quantile(0.5) {
            let title = format!("Half of the games are won by {middle} points or fewer");
            let chart = distribution(title, "points between first and second", "games", margin);
            blocks.extend(chart.map(|chart| Block::Chart(Box::new(chart))));
        }
        Section::new(heading, blocks)
    }

    fn actions(&self) -> Section {
        let heading = "Actions in a game, all players together";
        let mut by_action: Vec<(&str, f64, Vec<&ActionCount>)> = Vec::new();
        for count in &self.report.actions {
            match by_action.iter_mut().find(|(action, ..)| *action == count.action) {
                Some((_, sum, counts)) => {
                    *sum += count.per_game;
                    counts.push(count);
                }
                None => by_action.push((&count.action, count.per_game, vec![count])),
            }
        }
        by_action.sort_by(|(_, a, _), (_, b, _)| b.total_cmp(a));
        let Some((commonest, times, _)) = by_action.first() else { return Section::new(heading, []) };
        let title = format!("The commonest action is “{}”: {} times in a game", self.spoken(commonest), number(*times));
        let mut rows = Vec::new();
        for (action, sum, mut counts) in by_action.clone() {
            rows.push(Mark { label: self.spoken(action), value: sum, ..Mark::default() });
            counts.sort_by(|a, b| b.per_game.total_cmp(&a.per_game));
            let kinds = counts.iter().filter(|_| counts.len() > 1).filter_map(|count| Some((count.kind.as_ref()?, count.per_game)));
            rows.extend(kinds.map(|(kind, value)| {
                let label = format!("{}: {}", self.spoken(action), self.kind(kind));
                Mark { label, value, part: true, ..Mark::default() }
            }));
        }
        let legend = if rows.iter().any(|row| row.part) {
            vec![Swatch::new("actions", FIRST), Swatch::new("with a kind of cards", PART)]
        } else {
            Vec::new()
        };
        let chart = Chart { legend, ..times_in_a_game(title, "", &rows) };
        Section::new(heading, [Block::Figures(actions_table(self.report, self.called.names)), Block::Chart(Box::new(chart))])
    }

    fn answers(&self) -> Section {
        let heading = "Answers in a game, all players together";
        let of_answers = self.report.answers.iter().map(|answer| {
            // A question of a card has the card's id before `.answer`.
            let asks = answer.card.as_ref().map_or_else(|| self.spoken(&answer.question), |card| self.card(card));
            Mark { label: format!("{asks}: {}", self.spoken(&answer.answer)), value: answer.per_game, ..Mark::default() }
        });
        let rows: Vec<Mark> = of_answers.collect();
        let Some(commonest) = rows.iter().max_by(|a, b| a.value.total_cmp(&b.value)) else { return Section::new(heading, []) };
        let title = format!("The commonest answer is “{}”: {} times in a game", commonest.label, number(commonest.value));
        let chart = times_in_a_game(title, "question and answer", &rows);
        Section::new(heading, [Block::Lines(answers_table(self.report, self.called.names, false)), Block::Chart(Box::new(chart))])
    }
}

/// A chart of how often something is done in a game: the commonest rows are drawn, the figures have all.
fn times_in_a_game(title: String, what: &str, rows: &[Mark]) -> Chart {
    let mut figures = TextTable::new(1);
    figures.row([what, "in a game"]);
    rows.iter().for_each(|row| figures.row([row.label.clone(), number(row.value)]));
    let mut least: Vec<f64> = rows.iter().map(|row| row.value).collect();
    least.sort_by(|a, b| b.total_cmp(a));
    let least = least.get(MOST_ROWS - 1).copied().unwrap_or(f64::NEG_INFINITY);
    let drawn: Vec<Mark> = rows.iter().filter(|row| row.value >= least).take(MOST_ROWS).cloned().collect();
    let note = if drawn.len() < rows.len() {
        format!("Of all players together; the {} commonest of {}.", drawn.len(), rows.len())
    } else {
        "Of all players together.".to_string()
    };
    let drawing = Some(Drawing::Bars { axis: Axis::new("times in a game"), rows: drawn });
    Chart { title, note, drawing, figures, ..Chart::default() }
}

/// A chart of how often each number came up; `None` if only one did.
fn distribution(title: String, label: &str, of: &str, histogram: &Histogram) -> Option<Chart> {
    let bins: Vec<_> = histogram.bins().collect();
    let all: u64 = bins.iter().map(|bin| bin.count).sum();
    let mut figures = TextTable::new(0);
    figures.row([label, of, "share"]);
    for bin in &bins {
        let name = if bin.from == bin.to { bin.from.to_string() } else { format!("{} to {}", bin.from, bin.to) };
        figures.row([name, bin.count.to_string(), crate::document::numbers::percent(bin.count as f64 / all as f64)]);
    }
    let drawing =
        Drawing::Distribution { label: label.to_string(), of: of.to_string(), scale: 1.0, histograms: vec![histogram.clone()], mean: None };
    (bins.len() > 1).then(|| Chart { title, drawing: Some(drawing), figures, ..Chart::default() })
}

pub(super) fn first_paragraph(report: &Report, names: &Translations) -> String {
    let mut agents: Vec<String> = report.by_agent.iter().map(|by| by.agent.clone()).collect();
    if agents.len() > 1 {
        agents.clone_from(&report.agents);
    }
    let (title, games, players, seed) = (names.title(&report.title), report.games, report.players, report.seed);
    let mut text = format!(
        "{title}: {games} complete game{}, {players} player{} ({}), seed {seed}\n",
        plural(games),
        plural(players as u64),
        agents.join(", ")
    );
    text.extend(report.part.map(|part| format!("part {part} of the run: the others are played elsewhere\n")));
    text.push_str(&distinct_note(games, report.distinct, "game"));
    if (1..FEW_GAMES).contains(&games) {
        let are = if games == 1 { "game is" } else { "games are" };
        text.push_str(&format!("{games} {are} few: the intervals are wide, and what is rare may not have come up\n"));
    }
    if !report.changes.is_empty() {
        text.push_str(&wrapped(0, "changed: ", report.changes.iter().cloned()));
    }
    if report.stopped {
        let were = if report.requested == 1 { "game was" } else { "games were" };
        text.push_str(&format!("stopped: {} {were} asked for\n", report.requested));
    }
    if report.cut_off > 0 {
        text.push_str(&format!("{}\n", cut_off_note(report.cut_off)));
    }
    if let Some(idle) = &report.idle {
        let (were, place) = (if idle.games == 1 { "game" } else { "games" }, idle.place.as_deref().unwrap_or("the rules"));
        text.push_str(&format!(
            "a round without anything in it: {} {were}, as in round {} of seed {}\n",
            idle.games, idle.round, idle.seed
        ));
        text.push_str(&format!("(nobody could act and nothing changed: {place})\n"));
    }
    if report.dropped > 0 {
        text.push_str(&format!("dropped because of a fault: {} game{}\n", report.dropped, plural(report.dropped)));
    }
    text
}

/// Writes a note about the number of distinct games, or pairs of games; empty if all are distinct.
pub(super) fn distinct_note(games: u64, distinct: u64, word: &str) -> String {
    if distinct >= games {
        return String::new();
    }
    if distinct == 1 {
        return format!(
            "{games} {word}s, 1 distinct: the same one again and again, so that nothing can be said of others\n\
             (who never answers by chance plays one deal in one way; other players may be named by --agents)\n"
        );
    }
    format!("{games} {word}s, {distinct} distinct: intervals count a {word} once, however often it was repeated\n")
}

/// Writes a note about games that were cut off after the maximum number of rounds.
pub(super) fn cut_off_note(games: u64) -> String {
    let were = if games == 1 { "game was" } else { "games were" };
    format!("{games} {were} cut off after the most rounds that there can be: what ends the game never came about")
}

fn mean_row(name: &str, mean: &Mean) -> [String; 4] {
    let deviation = mean.deviation.map_or(String::new(), |deviation| format!("{deviation:.2}"));
    [name.to_string(), format!("{:.2}", mean.mean), deviation, mean.interval.map_or(String::new(), interval)]
}

fn points_table(report: &Report, names: &Translations) -> TextTable {
    let mut table = TextTable::new(1);
    table.row(["", "mean", "spread", "95% interval of the mean"]);
    for row in &report.points {
        if let PlainOrMean::Mean(mean) = &row.value {
            table.row(mean_row(&names.translate_word(&row.name), mean));
        }
    }
    if let [winner, .., last] = report.by_rank.as_slice() {
        let [of_winner, of_last] = match report.by_team.as_slice() {
            [] => ["all, of the winner", "all, of the last"],
            _ => ["all, of the winning team", "all, of the last team"],
        };
        table.row(mean_row(of_winner, winner));
        table.row(mean_row(of_last, last));
    }
    table
}

/// Builds a table of actions by kinds of cards, in the orientation that is narrower.
fn actions_table(report: &Report, names: &Translations) -> TextTable {
    let mut actions: Vec<&str> = Vec::new();
    let mut kinds: Vec<&str> = Vec::new();
    for count in &report.actions {
        if !actions.contains(&count.action.as_str()) {
            actions.push(&count.action);
        }
        if let Some(kind) = &count.kind
            && !kinds.contains(&kind.as_str())
        {
            kinds.push(kind);
        }
    }
    let sum = |wanted: &dyn Fn(&ActionCount) -> bool| -> String {
        let found: Vec<f64> = report.actions.iter().filter(|count| wanted(count)).map(|count| count.per_game).collect();
        if found.is_empty() { "-".to_string() } else { number(found.iter().sum()) }
    };
    let cell = |name: &str, kind: &str| sum(&|count| count.action == name && count.kind.as_deref() == Some(kind));
    let all = |name: &str| sum(&|count| count.action == name);
    let mut down = TextTable::new(1);
    down.row([String::new()].into_iter().chain(actions.iter().map(|name| names.translate_word(name))));
    down.row(std::iter::once("all".to_string()).chain(actions.iter().map(|name| all(name))));
    for kind in &kinds {
        down.row(std::iter::once(names.kind(kind).to_string()).chain(actions.iter().map(|name| cell(name, kind))));
    }
    let mut across = TextTable::new(1);
    across.row(["", "all"].into_iter().chain(kinds.iter().map(|kind| names.kind(kind))));
    for name in &actions {
        let cells = kinds.iter().map(|kind| cell(name, kind));
        across.row([names.translate_word(name), all(name)].into_iter().chain(cells));
    }
    if across.width() + 2 <= WIDTH || across.width() <= down.width() { across } else { down }
}

/// Lists the answers to questions of the rules, or of cards.
pub(super) fn answers_table(report: &Report, names: &Translations, of_cards: bool) -> String {
    let asked = report.answers.iter().filter(|answer| answer.card.is_some() == of_cards);
    let questions: BTreeSet<&str> = asked.map(|answer| answer.question.as_str()).collect();
    let mut text = String::new();
    for question in questions {
        let given = report.answers.iter().filter(|answer| answer.question == question);
        let items = given.map(|answer| format!("{} {}", names.translate_word(&answer.answer), number(answer.per_game)));
        text.push_str(&wrapped(2, &format!("{}: ", names.translate_word(question)), items));
    }
    text
}

fn places_table(report: &Report, names: &Translations) -> String {
    let items = report.places.iter().filter_map(|place| match place.value {
        PlainOrMean::PerPlayer { per_player } => Some(format!("{} {}", names.translate_word(&place.name), number(per_player))),
        PlainOrMean::Mean(_) => None,
    });
    let items: Vec<String> = items.collect();
    if items.is_empty() { String::new() } else { wrapped(2, "", items) }
}
