//! The report of a run as text for a terminal.

use std::collections::{BTreeMap, BTreeSet};

use super::hooks::Hooks;
use super::lead::Lead;
use super::page_names::PageNames;
use super::report::{ActionCount, PlainOrMean, Report, dead_cards_table, of_report};
use super::sides::{self, table_of_all};
use super::stats::{Mean, Share};
use super::table::{TextTable, WIDTH, heading, paragraph, wrapped};
use crate::pack::Translations;

/// Formats the whole report with translated names, wrapped to the width of a terminal.
pub fn text(report: &Report, names: &Translations, color: bool) -> String {
    let mut text = first_paragraph(report, names);
    if report.games == 0 {
        return text;
    }
    text.push_str(&of_report(report, Some(PageNames { names, cards: &BTreeMap::new() })).text(color));
    for (title, body) in [
        (if report.won.is_some() { "Points of all together" } else { "Points of a player" }, points_table(report, names)),
        // With a single player there is nobody to win against.
        (
            "Games won",
            match &report.won {
                Some(won) => table_of_all(report, won),
                None if report.players > 1 => wins_table(report),
                None => String::new(),
            },
        ),
        ("Games won by who begins with a card", if report.players > 1 { initial_cards_table(report) } else { String::new() }),
        ("Table of honour", honours_table(report, names)),
        ("Actions in a game, all players together", actions_table(report, names)),
        ("Answers in a game, all players together", answers_table(report, names, false)),
        ("Cards of a player at the end", places_table(report, names)),
        ("What a player has when a round begins, and at the end", rounds_table(report, names)),
        ("When the winner is settled", report.lead.as_ref().map_or(String::new(), Lead::text)),
        ("Strategies", if report.strategies.players > 0 { report.strategies.text(names, even_share(report)) } else { String::new() }),
        ("Cards that hardly anybody takes", dead_cards_table(&report.dead)),
        ("Scripts of cards", report.hooks.as_ref().map_or(String::new(), Hooks::text)),
    ] {
        if !body.is_empty() {
            text.push('\n');
            text.push_str(&heading(title, color));
            text.push_str(&body);
        }
    }
    text.push('\n');
    text.push_str(&format!(
        "{} rounds and {} decisions in a game; {:.1} options in a decision, at most {}\n",
        format_number(report.rounds.mean),
        format_number(report.decisions.mean),
        report.options_per_decision,
        report.most_options
    ));
    text.push_str(&format!("{}\n", report.duration.sentence()));
    report.needed.iter().for_each(|need| text.push_str(&paragraph(0, "", &need.sentence())));
    text
}

/// Returns the share of the games that a player wins if nothing matters.
fn even_share(report: &Report) -> f64 {
    let sides = if report.by_team.is_empty() { report.players } else { report.by_team.len() };
    1.0 / sides.max(1) as f64
}

/// Number of games below which the report warns that they are few.
const FEW_GAMES: u64 = 100;

pub(super) fn plural(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
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
    let interval = mean.interval.map_or(String::new(), |[low, high]| format!("{low:.2} to {high:.2}"));
    [name.to_string(), format!("{:.2}", mean.mean), deviation, interval]
}

fn points_table(report: &Report, names: &Translations) -> String {
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
    table.text(2)
}

pub(super) fn share_cells(won: &Share) -> [String; 3] {
    let [low, high] = won.interval.map(|end| end * 100.0);
    [format_count(won.count), format!("{:.1}%", won.share * 100.0), format!("{low:.1} to {high:.1}%")]
}

/// Formats a number of games, which need not be an integer if wins are shared.
pub(super) fn format_count(count: f64) -> String {
    if count.fract() == 0.0 { format!("{count}") } else { format!("{count:.1}") }
}

fn wins_table(report: &Report) -> String {
    let mut table = TextTable::new(1);
    table.row(["", "points", "won", "share", "95% interval", "even share"]);
    let even = 100.0 / report.players.max(1) as f64;
    sides::add_teams(report, &mut table);
    // Partners have won the same games.
    for seat in report.by_seat.iter().filter(|_| report.by_team.is_empty()) {
        let [count, share, interval] = share_cells(&seat.won);
        let name = format!("p{} {}", seat.seat, seat.agent);
        table.row([name, format!("{:.2}", seat.points.mean), count, share, interval, format!("{even:.1}%")]);
    }
    if report.by_agent.len() > 1 {
        for agent in &report.by_agent {
            let [count, share, interval] = share_cells(&agent.won);
            let seats = report.by_seat.iter().filter(|seat| seat.agent == agent.agent);
            let points: f64 = seats.map(|seat| seat.points.mean).sum::<f64>() / agent.seats.max(1) as f64;
            let even = format!("{:.1}%", even * agent.seats as f64);
            table.row([format!("all {}", agent.agent), format!("{points:.2}"), count, share, interval, even]);
        }
    }
    let together = report.won_together;
    let were = if together == 1 { "game was" } else { "games were" };
    let mut text = table.text(2);
    if together > 0 {
        text.push_str(&format!("  {together} {were} won by several together: each of them has won an equal part\n"));
    }
    text
}

/// Maximum number of rows in the table of initial cards.
const MAX_INITIAL_CARDS: usize = 24;

fn initial_cards_table(report: &Report) -> String {
    if report.begun.is_empty() || report.begun.len() > MAX_INITIAL_CARDS {
        return String::new();
    }
    let mut table = TextTable::new(2);
    table.row(["", "", "players", "points", "won", "share", "95% interval"]);
    for begun in &report.begun {
        let [count, share, interval] = share_cells(&begun.won);
        let (place, points) = (begun.place.clone(), format!("{:.2}", begun.points.mean));
        table.row([begun.card.clone(), place, begun.won.trials.to_string(), points, count, share, interval]);
    }
    table.text(2)
}

fn honours_table(report: &Report, names: &Translations) -> String {
    if report.honours.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new(1);
    table.row(["", "from", "games", "share", "95% interval"]);
    for place in &report.honours {
        let [count, share, interval] = share_cells(&place.reached);
        let points = place.points.map_or(String::new(), |points| points.to_string());
        let name = place.name.as_ref().map_or_else(|| "below it".to_string(), |name| names.translate_word(name));
        table.row([name, points, count, share, interval]);
    }
    table.text(2)
}

/// Builds a table of actions by kinds of cards, in the orientation that is narrower.
fn actions_table(report: &Report, names: &Translations) -> String {
    if report.actions.is_empty() {
        return String::new();
    }
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
        if found.is_empty() { "-".to_string() } else { format_number(found.iter().sum()) }
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
    if across.width() + 2 <= WIDTH || across.width() <= down.width() { across.text(2) } else { down.text(2) }
}

/// Lists the answers to questions of the rules, or of cards.
pub(super) fn answers_table(report: &Report, names: &Translations, of_cards: bool) -> String {
    let asked = report.answers.iter().filter(|answer| answer.card.is_some() == of_cards);
    let questions: BTreeSet<&str> = asked.map(|answer| answer.question.as_str()).collect();
    let mut text = String::new();
    for question in questions {
        let given = report.answers.iter().filter(|answer| answer.question == question);
        let items = given.map(|answer| format!("{} {}", names.translate_word(&answer.answer), format_number(answer.per_game)));
        text.push_str(&wrapped(2, &format!("{}: ", names.translate_word(question)), items));
    }
    text
}

fn places_table(report: &Report, names: &Translations) -> String {
    let items = report.places.iter().filter_map(|place| match place.value {
        PlainOrMean::PerPlayer { per_player } => Some(format!("{} {}", names.translate_word(&place.name), format_number(per_player))),
        PlainOrMean::Mean(_) => None,
    });
    let items: Vec<String> = items.collect();
    if items.is_empty() { String::new() } else { wrapped(2, "", items) }
}

fn rounds_table(report: &Report, names: &Translations) -> String {
    let Some(first) = report.by_round.first() else { return String::new() };
    let mut table = TextTable::new(1);
    table.row([String::new()].into_iter().chain(first.figures.iter().map(|(name, _)| names.translate_word(name))));
    for row in &report.by_round {
        let name = row.round.map_or("end".to_string(), |round| format!("round {round}"));
        table.row([name].into_iter().chain(row.figures.iter().map(|(_, value)| format_number(*value))));
    }
    table.text(2)
}

/// Formats a number with a reasonable number of digits.
fn format_number(value: f64) -> String {
    if value.abs() >= 100.0 {
        format!("{value:.0}")
    } else if value.abs() >= 9.995 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}
