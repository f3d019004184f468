//! The course of games: what players have from round to round, when the winner is settled, which strategies there are, how long it takes.

use super::super::table::TextTable;
use super::{INTERVAL, ReportInWords, distribution};
use crate::document::numbers::{interval, number, percent, percents};
use crate::document::{Axis, Block, Chart, CoursePoint, Drawing, Mark, Section};

impl ReportInWords<'_> {
    /// What a player has when rounds begin, and the points that the score would give then.
    pub(super) fn rounds(&self) -> Section {
        let (rounds, names) = (&self.report.by_round, self.called.names);
        let heading = "What a player has when a round begins, and at the end";
        let Some(first) = rounds.first() else { return Section::new(heading, []) };
        let mut figures = TextTable::new(1);
        figures.row([String::new()].into_iter().chain(first.figures.iter().map(|(name, _)| names.translate_word(name))));
        let mut score = TextTable::new(1);
        score.row(["round begins", "points", "95% interval"]);
        let mut points = Vec::new();
        let mut each: Vec<(String, Vec<CoursePoint>)> = first.figures.iter().map(|(name, _)| (self.spoken(name), Vec::new())).collect();
        let mut last = 0;
        for row in rounds {
            let name = row.round.map_or("end".to_string(), |round| format!("round {round}"));
            figures.row([name.clone()].into_iter().chain(row.figures.iter().map(|(_, value)| number(*value))));
            let at = row.round.unwrap_or(last + 1);
            last = at;
            let point = |value: f64, interval: Option<[f64; 2]>| CoursePoint { at, end: row.round.is_none(), value, interval };
            if let Some(mean) = row.points {
                score.row([name, number(mean.mean), mean.interval.map_or(String::new(), interval)]);
                points.push(point(mean.mean, mean.interval));
            }
            each.iter_mut().zip(&row.figures).for_each(|((_, points), (_, value))| points.push(point(*value, None)));
        }
        each.retain(|(_, points)| points.iter().any(|point| point.value != 0.0));
        let chart = Chart {
            title: "Means of a player when a round begins, and at the end".to_string(),
            note: "Each has its own scale.".to_string(),
            wide: true,
            drawing: (rounds.len() > 1 && !each.is_empty()).then_some(Drawing::Courses { each }),
            figures,
            in_text: true,
            ..Chart::default()
        };
        let score = score_title(&points).map(|title| {
            Block::Chart(Box::new(Chart {
                title,
                note: "What the score would give a player when a round begins, and at the end; the band is the 95% interval of the mean."
                    .to_string(),
                drawing: Some(Drawing::Course { axis: Axis::new("points of a player"), points }),
                figures: score,
                ..Chart::default()
            }))
        });
        Section::new(heading, [Block::Chart(Box::new(chart))].into_iter().chain(score))
    }

    /// When the winner is settled.
    pub(super) fn lead(&self) -> Section {
        let heading = "When the winner is settled";
        let Some(lead) = &self.report.lead else { return Section::new(heading, []) };
        let points: Vec<CoursePoint> = lead
            .settled
            .iter()
            .map(|by| CoursePoint { at: by.round, end: false, value: by.games.share, interval: Some(by.games.interval) })
            .collect();
        let mut blocks = vec![Block::Brief(lead.table(true).text(2))];
        if !points.is_empty() {
            blocks.push(Block::Chart(Box::new(Chart {
                title: "Share of games whose later winner leads from a round on to the end".to_string(),
                note: "Equal points are told apart as at the end. The band is the 95% interval.".to_string(),
                drawing: Some(Drawing::Course { axis: Axis::share("share of games settled"), points }),
                figures: lead.table(false),
                ..Chart::default()
            })));
        }
        blocks.push(Block::Lines(lead.lines()));
        Section::new(heading, blocks)
    }

    /// Groups of players who did alike.
    pub(super) fn strategies(&self) -> Section {
        let (found, names) = (&self.report.strategies, self.called.names);
        let heading = "Strategies";
        if found.players == 0 {
            return Section::new(heading, []);
        }
        let sentence = |mark: String, text: String| Block::Sentence { indent: 2, mark, text };
        let mut blocks = vec![sentence(String::new(), found.sentence())];
        if found.groups.is_empty() {
            return Section::new(heading, blocks);
        }
        let even = self.even_share();
        let shares = found.groups.iter().any(|group| group.won.is_some());
        let mut figures = TextTable::new(1);
        figures.row(["", "players", "points", "won", "95% interval"]);
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for (at, group) in found.groups.iter().enumerate() {
            let number = format!("{}.", at + 1);
            let won = group.won.map_or([String::new(), String::new()], |won| [percent(won.share), percents(won.interval)]);
            let players = percent(group.players.share);
            figures.row([number.clone(), players, format!("{:.2}", group.points.mean)].into_iter().chain(won));
            let label = format!("{number} {}", group.name(names).replace('_', " "));
            let mark = Mark { label, ..Mark::default() };
            rows.push(match group.won {
                Some(won) => Mark { value: won.share, interval: Some(won.interval), even: Some(even), ..mark },
                None => Mark { value: group.points.mean, interval: group.points.interval, ..mark },
            });
            labels.push(sentence(format!("{number} "), group.name(names)));
        }
        let off: Vec<String> = rows
            .iter()
            .enumerate()
            .filter(|(_, row)| row.is_off())
            .map(|(at, row)| format!("the {}. wins {} ({})", at + 1, if row.value > even { "more" } else { "less" }, percent(row.value)))
            .collect();
        let title = match (shares, off.as_slice()) {
            (false, _) => format!("{} ways to play", rows.len()),
            (true, []) => format!("{} ways to play: none is shown to win more or less than the others", rows.len()),
            (true, off) => format!("{} ways to play: {} than an even share", rows.len(), off.join(", ")),
        };
        let axis = if shares { Axis::share("games won") } else { Axis::new("points") };
        blocks.push(Block::Chart(Box::new(Chart {
            title,
            note: format!("Groups by the shares of their actions (k-means), found without looking at who won. {INTERVAL}"),
            legend: if shares { super::won::won_legend("") } else { Vec::new() },
            wide: true,
            drawing: rows.iter().all(|row| row.interval.is_some()).then_some(Drawing::Dots { axis, rows }),
            figures,
            in_text: true,
        })));
        blocks.extend(labels);
        if shares {
            let even = percent(even);
            blocks.push(Block::Lines(format!("  an even share of wins is {even}; the numbers are times in a game of a player\n")));
        }
        Section::new(heading, blocks)
    }

    /// How long games are and how wide decisions, as pages draw it.
    pub(super) fn lengths(&self) -> Section {
        let report = self.report;
        let of = &report.distributions;
        let (rounds, decisions, options) = (&of.rounds, &of.decisions, &of.options);
        let quantiles = |histogram: &crate::playtest::Histogram, shares: [f64; 2]| {
            let [low, high] = shares.map(|share| histogram.quantile(share).unwrap_or_default());
            format!("{low} to {high}")
        };
        let charts = [
            distribution(
                format!("A game has {} rounds; eight of ten have {}", number(report.rounds.mean), quantiles(rounds, [0.1, 0.9])),
                "rounds of a game",
                "games",
                rounds,
            ),
            distribution(
                format!("A game has {} decisions; eight of ten have {}", number(report.decisions.mean), quantiles(decisions, [0.1, 0.9])),
                "decisions of a game, of all players together",
                "games",
                decisions,
            ),
            distribution(
                format!(
                    "Half of all decisions have {} options or fewer; the widest has {}",
                    options.quantile(0.5).unwrap_or_default(),
                    report.most_options
                ),
                "options to choose from",
                "decisions",
                options,
            ),
        ];
        Section::new("How long games are", charts.into_iter().flatten().map(|chart| Block::Chart(Box::new(chart))))
    }
}

/// Says where the score goes from and to; `None` if there are not two points.
fn score_title(points: &[CoursePoint]) -> Option<String> {
    let steps = points.windows(2).map(|pair| (pair[0].at, pair[1], pair[1].value - pair[0].value));
    let (from, to, gain) = steps.max_by(|(.., a), (.., b)| a.abs().total_cmp(&b.abs()))?;
    let when = if to.end { "the last round".to_string() } else { format!("round {from}") };
    let (first, last) = (points.first()?.value, points.last()?.value);
    Some(format!("The score goes from {} to {} points; the largest step, {gain:+.1}, comes in {when}", number(first), number(last)))
}
