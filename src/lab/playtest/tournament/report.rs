//! The report of a tournament, as data and as a document.

use serde::Serialize;

use super::super::document::{cut_off_note, distinct_note, packs_in_words};
use super::super::report::{PackUsed, packs_of};
use super::super::table::{TextTable, WIDTH};
use super::rating::{HeadToHead, Rating, ratings};
use super::{Results, TournamentPlan};
use crate::document::numbers::{counted, percent, percents};
use crate::document::{Axis, Block, Chart, Document, Drawing, Mark, Section, Swatch};

/// The result of a tournament, without timing.
#[derive(Clone, Debug, Serialize)]
pub struct Tournament {
    /// Id of the game.
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// Version of this program.
    pub version: &'static str,
    /// Hash of all sources of the rules.
    pub rules: String,
    /// Packs of the rules.
    pub packs: Vec<PackUsed>,
    /// Number of players.
    pub players: usize,
    /// Seed of the run.
    pub seed: u64,
    /// Changes on the command line.
    pub changes: Vec<String>,
    /// Number of games requested for each two agents.
    #[serde(rename = "asked")]
    pub requested: u64,
    /// Number of deals dropped because of a fault.
    pub dropped: u64,
    /// Number of games that were cut off after the maximum number of rounds.
    pub cut_off: u64,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
    /// Results of each two agents.
    pub bouts: Vec<PairingResult>,
    /// Ratings of the agents, in the order in which they were named.
    pub ratings: Vec<RatedAgent>,
}

/// Results of two agents against each other.
#[derive(Clone, Debug, Serialize)]
pub struct PairingResult {
    /// Name of the first agent.
    pub first: String,
    /// Name of the second agent.
    pub second: String,
    /// Number of games.
    pub games: u64,
    /// Share of wins of the first agent; shared wins count in part, and 0.5 is even.
    pub won: f64,
    /// 95 % interval of the first agent's share of wins, clustered by deal.
    pub interval: [f64; 2],
    /// Number of deals; each was played twice, the second time with the seats swapped, and is one unit of evidence.
    pub deals: u64,
    /// Number of distinct deals. The others repeat one of these answer by answer and do not count.
    pub distinct: u64,
}

/// The rating of an agent.
#[derive(Clone, Debug, Serialize)]
pub struct RatedAgent {
    /// Name of the agent.
    pub agent: String,
    /// Number of its games.
    pub games: u64,
    /// Rating in Elo points above the first agent.
    #[serde(flatten)]
    pub rating: Rating,
}

/// Creates the report of a tournament.
pub fn tournament_report(field: &TournamentPlan<'_>, results: &Results, changes: Vec<String>) -> Tournament {
    let rules = field.rules;
    let names: Vec<String> = field.agents.iter().map(ToString::to_string).collect();
    let bout = |record: &HeadToHead| {
        let (first, second, games) = (names[record.first].clone(), names[record.second].clone(), record.games());
        let won = record.won() / games as f64;
        PairingResult { first, second, games, won, interval: record.interval(), deals: record.deals(), distinct: record.distinct() }
    };
    let games = |kind: usize| -> u64 {
        results.records.iter().filter(|record| record.first == kind || record.second == kind).map(HeadToHead::games).sum()
    };
    let found = ratings(names.len(), &results.records).into_iter().enumerate();
    let ratings = found.map(|(kind, rating)| RatedAgent { agent: names[kind].clone(), games: games(kind), rating }).collect();
    Tournament {
        game: rules.game.clone(),
        title: rules.title.clone(),
        version: env!("CARGO_PKG_VERSION"),
        rules: format!("{:016x}", rules.hash),
        packs: packs_of(rules),
        players: rules.players,
        seed: field.seed,
        changes,
        requested: 2 * field.deals,
        dropped: results.faults.dropped,
        cut_off: results.faults.tally.cut_off,
        stopped: results.stopped,
        bouts: results.records.iter().filter(|record| record.games() > 0).map(bout).collect(),
        ratings,
    }
}

impl Tournament {
    /// Returns the report as text for a terminal; `thought` is the mean thinking time of each agent in milliseconds for a decision.
    pub fn text(&self, thought: &[Option<f64>], color: bool) -> String {
        self.document(thought).text(color)
    }

    /// Makes the document of the tournament; `thought` is the mean thinking time of each agent in milliseconds for a decision.
    pub fn document(&self, thought: &[Option<f64>]) -> Document {
        let title = format!("{}: a tournament", self.title);
        let mut document = Document { title, opening: vec![Block::Lines(self.opening())], ..Document::default() };
        let stopped = if self.stopped { "; stopped before the end" } else { "" };
        document.fact("games", format!("{} for each two kinds of players{stopped}", self.requested));
        document.fact("seed", self.seed.to_string());
        let agents: Vec<&str> = self.ratings.iter().map(|rated| rated.agent.as_str()).collect();
        document.fact("players", format!("{} seats: {}", self.players, agents.join(", ")));
        document.fact("packs", packs_in_words(&self.packs));
        document.fact("rules", format!("{}, {}", self.game, self.rules));
        document.fact("program", format!("houserule {}", self.version));
        let mut won = vec![Block::Figures(self.cross_table())];
        let repeated = self.bouts.iter().filter(|bout| bout.distinct < bout.deals);
        let notes =
            repeated.map(|bout| format!("  {} against {}: {}", bout.first, bout.second, distinct_note(bout.deals, bout.distinct, "deal")));
        let notes: String = notes.collect();
        won.extend((!notes.is_empty()).then_some(Block::Lines(notes)));
        won.extend(self.meetings());
        // From the strongest on.
        let mut sorted: Vec<usize> = (0..self.ratings.len()).collect();
        sorted.sort_by(|&a, &b| self.ratings[b].rating.points.total_cmp(&self.ratings[a].rating.points));
        let first = self.ratings.first().map_or("", |first| first.agent.as_str());
        document.parts = vec![
            Section::new("Games won, in %, of those with … (95 % interval; even is 50)", won),
            Section::new("Rating", [self.rating_chart(&sorted, thought)]),
            Section::new("How long they think", thinking_chart(&self.ratings, &sorted, thought)),
            Section::unheaded([Block::Lines(format!(
                "400 points are odds of ten to one at equal seats; {first} is 0, and ± is of the difference to it.\nA deal with the seats \
                 exchanged is one unit of all intervals.\n"
            ))]),
        ];
        document.parts.retain(|section| !section.blocks.is_empty());
        document
    }

    fn opening(&self) -> String {
        let stopped = if self.stopped { ", stopped before its end" } else { "" };
        let mut text = format!(
            "{}: {} players, seed {}, {} games for each two kinds of players{stopped}\nrules {}, houserule {}\n",
            self.title, self.players, self.seed, self.requested, self.rules, self.version
        );
        for change in &self.changes {
            text.push_str(&format!("changed: {change}\n"));
        }
        if self.dropped > 0 {
            text.push_str(&format!("{} deals were dropped because of a fault\n", self.dropped));
        }
        if self.cut_off > 0 {
            text.push_str(&format!("{}\n", cut_off_note(self.cut_off)));
        }
        text
    }

    /// The ratings, in this order.
    fn rating_chart(&self, sorted: &[usize], thought: &[Option<f64>]) -> Block {
        let mut figures = TextTable::new(1);
        figures.row(["", "Elo", "± (95 %)", "games", "ms a decision"]);
        let mut rows = Vec::new();
        for &kind in sorted {
            let RatedAgent { agent, games, rating } = &self.ratings[kind];
            let interval = rating.interval.filter(|_| kind > 0);
            let error = interval.map_or("-".to_string(), |[low, high]| format!("{:.0}", (high - low) / 2.0));
            let time = thought[kind].map_or("-".to_string(), |time| format!("{time:.3}"));
            figures.row([agent.clone(), format!("{:.0}", rating.points), error, games.to_string(), time]);
            let interval = interval.or(Some([rating.points; 2]));
            rows.push(Mark { label: agent.clone(), value: rating.points, interval, ..Mark::default() });
        }
        let first = self.ratings.first().map_or("", |first| first.agent.as_str());
        let title = match rows.as_slice() {
            [best, next, ..] => {
                let wins = self.bouts.iter().any(|bout| bout.shown_stronger() == Some([&best.label, &next.label]));
                let shown = if wins { ", and is shown to win against" } else { "; it is not shown to win against" };
                format!("{} is rated highest, {:.0} points above {}{shown} it", best.label, best.value - next.value, next.label)
            }
            _ => "Ratings".to_string(),
        };
        Block::Chart(Box::new(Chart {
            title,
            note: format!("Elo points above {first}. Lines are 95% intervals of the difference to it."),
            drawing: (rows.len() > 1).then(|| Drawing::Dots { axis: Axis::new(format!("Elo points above {first}")), rows }),
            figures,
            in_text: true,
            ..Chart::default()
        }))
    }

    /// Who is shown to win against whom, drawn for each two that met.
    fn meetings(&self) -> Option<Block> {
        let mut figures = TextTable::new(1);
        figures.row(["", "games", "won by the first", "95% interval", "deals", "of them distinct"]);
        let mut rows = Vec::new();
        for bout in &self.bouts {
            let label = format!("{} against {}", bout.first, bout.second);
            let counts = [bout.deals, bout.distinct].map(|count| count.to_string());
            let shares = [bout.games.to_string(), percent(bout.won), percents(bout.interval)];
            figures.row([label.clone()].into_iter().chain(shares).chain(counts));
            let hollow = bout.shown_stronger().is_none();
            rows.push(Mark { label, value: bout.won, interval: Some(bout.interval), even: Some(0.5), hollow, part: false });
        }
        let open: Vec<&str> = rows.iter().filter(|row| row.hollow).map(|row| row.label.as_str()).collect();
        let title = if open.is_empty() {
            "Of all that met, one is shown to be stronger".to_string()
        } else {
            let (are, more) = (if open.len() == 1 { "is" } else { "are" }, if open.len() > 3 { " …" } else { "" });
            let first = open.iter().take(3).copied().collect::<Vec<_>>().join(", ");
            format!("{} of {} {are} open: {first}{more}", open.len(), counted(rows.len(), "meeting"))
        };
        let axis = Axis { domain: Some([0.0, 1.0]), ..Axis::share("games won by the first of the two") };
        (!rows.is_empty()).then(|| {
            Block::Chart(Box::new(Chart {
                title,
                note: "Games won by the first of the two; shared wins count in part. Lines are 95% intervals, clustered by deal: each is played \
                       twice, the second time with the seats exchanged."
                    .to_string(),
                legend: Swatch::of_differences("shown to be off one half", "one half"),
                drawing: Some(Drawing::Dots { axis, rows }),
                figures,
                ..Chart::default()
            }))
        })
    }

    /// Formats the results by pair of agents: as a cross table if it is not too wide.
    fn cross_table(&self) -> TextTable {
        let cell = |share: f64, [low, high]: [f64; 2]| format!("{:.0} ({:.0}-{:.0})", 100.0 * share, 100.0 * low, 100.0 * high);
        let share = |row: &str, column: &str| {
            self.bouts.iter().find_map(|bout| match (bout.first == row, bout.second == column) {
                (true, true) => Some(cell(bout.won, bout.interval)),
                _ if bout.first == column && bout.second == row => {
                    Some(cell(1.0 - bout.won, [1.0 - bout.interval[1], 1.0 - bout.interval[0]]))
                }
                _ => None,
            })
        };
        let names: Vec<&str> = self.ratings.iter().map(|rated| rated.agent.as_str()).collect();
        let mut table = TextTable::new(1);
        table.row([""].into_iter().chain(names.iter().copied()));
        for row in &names {
            let cells = names.iter().map(|column| share(row, column).unwrap_or_else(|| "-".to_string()));
            table.row([(*row).to_string()].into_iter().chain(cells));
        }
        if table.width() + 2 <= WIDTH {
            return table;
        }
        let mut table = TextTable::new(1);
        for bout in &self.bouts {
            table.row([format!("{} against {}", bout.first, bout.second), cell(bout.won, bout.interval)]);
        }
        table
    }
}

impl PairingResult {
    /// The stronger of both and the other, if that is shown.
    fn shown_stronger(&self) -> Option<[&String; 2]> {
        match self.interval {
            [low, _] if low > 0.5 => Some([&self.first, &self.second]),
            [_, high] if high < 0.5 => Some([&self.second, &self.first]),
            _ => None,
        }
    }
}

/// How long agents think, the first of this order first; `None` if that is known of fewer than two.
fn thinking_chart(ratings: &[RatedAgent], sorted: &[usize], thought: &[Option<f64>]) -> Option<Block> {
    let mut figures = TextTable::new(1);
    figures.row(["", "ms a decision"]);
    let mut rows = Vec::new();
    for (agent, time) in sorted.iter().filter_map(|&kind| Some((&ratings[kind].agent, thought[kind]?))) {
        figures.row([agent.clone(), format!("{time:.3}")]);
        rows.push(Mark { label: agent.clone(), value: time, ..Mark::default() });
    }
    let slow = rows.iter().max_by(|a, b| a.value.total_cmp(&b.value)).filter(|_| rows.len() > 1)?;
    Some(Block::Chart(Box::new(Chart {
        title: format!("{} thinks longest: {:.3} ms a decision", slow.label, slow.value),
        note: "Mean time of a question with at least two options on this machine.".to_string(),
        drawing: Some(Drawing::Bars { axis: Axis::new("milliseconds a decision"), rows }),
        figures,
        ..Chart::default()
    })))
}
