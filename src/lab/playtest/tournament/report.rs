//! The report of a tournament, as data and as text.

use serde::Serialize;

use super::super::report::{PackUsed, packs_of};
use super::super::table::{TextTable, WIDTH, heading};
use super::super::text::{cut_off_note, distinct_note};
use super::rating::{HeadToHead, Rating, ratings};
use super::{Results, TournamentPlan};

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
    /// Returns the report as text for a terminal; `take_thinking_time` is the mean thinking time of each agent in milliseconds for a
    /// decision.
    pub fn text(&self, thought: &[Option<f64>], color: bool) -> String {
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
        text.push('\n');
        text.push_str(&heading("Games won, in %, of those with … (95 % interval; even is 50)", color));
        text.push_str(&self.cross_table());
        for bout in self.bouts.iter().filter(|bout| bout.distinct < bout.deals) {
            text.push_str(&format!("  {} against {}: {}", bout.first, bout.second, distinct_note(bout.deals, bout.distinct, "deal")));
        }
        text.push('\n');
        text.push_str(&heading("Rating", color));
        let mut table = TextTable::new(1);
        table.row(["", "Elo", "± (95 %)", "games", "ms a decision"]);
        let mut sorted: Vec<usize> = (0..self.ratings.len()).collect();
        sorted.sort_by(|&a, &b| self.ratings[b].rating.points.total_cmp(&self.ratings[a].rating.points));
        for kind in sorted {
            let RatedAgent { agent, games, rating } = &self.ratings[kind];
            let half = rating.interval.map(|[low, high]| (high - low) / 2.0).filter(|_| kind > 0);
            let error = half.map_or("-".to_string(), |half| format!("{half:.0}"));
            let time = thought[kind].map_or("-".to_string(), |time| format!("{time:.3}"));
            table.row([agent.clone(), format!("{:.0}", rating.points), error, games.to_string(), time]);
        }
        text.push_str(&table.text(2));
        let first = self.ratings.first().map_or("", |first| first.agent.as_str());
        text.push_str(&format!(
            "\n400 points are odds of ten to one at equal seats; {first} is 0, and ± is of the difference to it.\nA deal with the seats \
             exchanged is one unit of all intervals.\n"
        ));
        text
    }

    /// Formats the results by pair of agents: as a cross table if it is not too wide.
    fn cross_table(&self) -> String {
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
            return table.text(2);
        }
        let mut table = TextTable::new(1);
        for bout in &self.bouts {
            table.row([format!("{} against {}", bout.first, bout.second), cell(bout.won, bout.interval)]);
        }
        table.text(2)
    }
}
