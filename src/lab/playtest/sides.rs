//! Results of those who win or lose as one: of teams, and of all players together.

use serde::Serialize;

use super::report::Report;
use super::run::RunOutcome;
use super::stats::{Mean, Share};
use super::table::TextTable;
use crate::document::numbers::share_cells;
use crate::engine::Ruleset;

/// Results of one team.
#[derive(Clone, Debug, Serialize)]
pub struct ByTeam {
    /// Number of the team, from 1.
    pub team: usize,
    /// Numbers of its seats, from 1.
    pub seats: Vec<usize>,
    /// Agents at these seats.
    pub agents: Vec<String>,
    /// Points of all its players.
    pub points: Mean,
    /// Share of games won.
    pub won: Share,
}

impl ByTeam {
    /// Returns the name of the team for people: `p1 and p3`.
    pub fn name(&self) -> String {
        team_name(&self.seats)
    }
}

/// Returns the name of a team whose seats have these numbers.
pub(super) fn team_name(seats: &[usize]) -> String {
    let seats: Vec<String> = seats.iter().map(|seat| format!("p{seat}")).collect();
    seats.join(" and ")
}

/// Returns the numbers of the seats of a team, from 1.
pub(super) fn seats_of_team(rules: &Ruleset, team: usize) -> Vec<usize> {
    (team..rules.players).step_by(rules.side_count().max(1)).map(|seat| seat + 1).collect()
}

/// Returns the results of each team; none in a game without teams.
pub(super) fn results_by_team(rules: &Ruleset, outcome: &RunOutcome, agents: &[String]) -> Vec<ByTeam> {
    let tally = &outcome.tally;
    let teams = tally.by_side.iter().zip(&tally.won).enumerate().filter(|_| rules.has_teams());
    teams
        .map(|(team, (points, won))| {
            let seats = seats_of_team(rules, team);
            ByTeam {
                team: team + 1,
                agents: seats.iter().filter_map(|seat| agents.get(seat - 1).cloned()).collect(),
                seats,
                points: points.mean_with_distinct(tally.distinct()),
                won: won.share_of_games(tally.games, tally.distinct()),
            }
        })
        .collect()
}

/// Returns the share of games that all have won together; `None` if they do not win or lose together.
pub(super) fn won_by_all(rules: &Ruleset, outcome: &RunOutcome) -> Option<Share> {
    let won = outcome.tally.won.first().filter(|_| rules.together.is_some())?;
    Some(won.share_of_games(outcome.tally.games, outcome.tally.distinct()))
}

/// Formats the games that all have won together.
pub(super) fn table_of_all(report: &Report, won: &Share) -> TextTable {
    let mut table = TextTable::new(1);
    table.row(["", "won", "share", "95% interval"]);
    let all = if report.players == 1 { "p1" } else { "all together" };
    let [count, share, interval] = share_cells(won);
    table.row([all.to_string(), count, share, interval]);
    table
}

/// Adds a row for each team to the table of games won.
pub(super) fn add_teams(report: &Report, table: &mut TextTable) {
    let even = format!("{:.1}%", 100.0 / report.by_team.len().max(1) as f64);
    for team in &report.by_team {
        let [count, share, interval] = share_cells(&team.won);
        let mut agents = team.agents.clone();
        agents.dedup();
        let name = format!("{}: {}", team.name(), agents.join(", "));
        table.row([name, format!("{:.2}", team.points.mean), count, share, interval, even.clone()]);
    }
}
