//! Which strategies win: groups of players who did alike, found from what they did and named by what marks them out.
//!
//! A player is described by the share of each kind of action in all of its actions, so that a long game is no strategy, in standard
//! deviations over all players. Groups are found by *k*-means (`cluster`); how many there are, and whether there are any, is decided by the
//! silhouette (Rousseeuw, *Silhouettes: a graphical aid to the interpretation and validation of cluster analysis*, Journal of Computational and
//! Applied Mathematics 20, 1987): it has to be larger than in data that have the same means and covariances and no groups (as in Liu, Hayes,
//! Nobel, Marron, *Statistical significance of clustering for high-dimension, low-sample size data*, JASA 103, 2008). Groups are found without
//! looking at who won, so that the shares of wins have ordinary intervals.

use serde::Serialize;

mod cluster;
mod sample;

pub use sample::PlayerSample;

use self::cluster::{Distances, Draws, WithoutGroups, k_means};
use self::sample::{ActionOfKind, SampledPlayer};
use super::merge::Merge;
use super::run::RunOutcome;
use super::stats::{Mean, Share, SumsByGame, Wins, wilson};
use super::table::{TextTable, paragraph};
use crate::engine::Ruleset;
use crate::pack::Translations;
use crate::state::chance::hash_text;

/// Number of players below which no groups are looked for.
const FEWEST_PLAYERS: usize = 60;
/// Most groups that are looked for.
const MOST_GROUPS: usize = 5;
/// Number of players from whom the number of groups is decided.
const DECIDING_PLAYERS: usize = 240;
/// Number of data sets without groups: of so many and the one at hand, the latter is the first by chance in one of twenty cases.
const DATA_WITHOUT_GROUPS: u64 = 19;
/// Share of the largest silhouette with which fewer groups are preferred.
const NEARLY_AS_WELL: f64 = 0.9;
/// Smallest share of players in a group.
const SMALLEST_GROUP: f64 = 0.05;
/// Share of players who must do something for it to be considered.
const DONE_BY: f64 = 0.05;
/// Deviation, in standard deviations, from which on something marks a group out.
const MARKED: f64 = 0.5;
/// Most marks of a group that are named.
const MOST_MARKS: usize = 3;

/// What groups of players did alike.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Strategies {
    /// Number of players who were looked at.
    pub players: u64,
    /// Number of games in which they played; of very many games a sample.
    pub games: u64,
    /// Number of kinds of actions by which they differ.
    pub actions: usize,
    /// Mean silhouette of the best number of groups, from -1 to 1; `None` if no groups were looked for.
    pub silhouette: Option<f64>,
    /// Largest mean silhouette in data with the same means and covariances and no groups.
    pub without_groups: Option<f64>,
    /// The groups, the most successful first; none if the players are no better described by several than by one.
    pub groups: Vec<Strategy>,
}

/// A group of players who did alike.
#[derive(Clone, Debug, Serialize)]
pub struct Strategy {
    /// What marks the group out, the largest deviation first.
    pub marks: Vec<StrategyMark>,
    /// Share of all players who are in the group.
    pub players: Share,
    /// Share of games that these players won; `None` if nobody wins against others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won: Option<Share>,
    /// Points of these players.
    pub points: Mean,
    /// Sums of these points by game.
    #[serde(skip)]
    pub(super) sums: SumsByGame,
}

/// Something that a group does more or less often than all players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StrategyMark {
    /// Name of the action.
    pub action: String,
    /// Kind of the card that is its first parameter, unless it is always of the same kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Deviation of the share of this action in all actions of a player, in standard deviations over all players.
    pub deviation: f64,
    /// How often a player of the group does it in a game.
    pub in_group: f64,
    /// How often a player does it in a game, over all players.
    pub of_all: f64,
}

/// Finds strategies among the sampled players.
pub(super) fn strategies(rules: &Ruleset, outcome: &RunOutcome, seed: u64) -> Strategies {
    let acting = outcome.tally.sample.players().filter(|(_, player)| player.actions() > 0);
    let (games, players): (Vec<usize>, Vec<&SampledPlayer>) = acting.unzip();
    let (actions, columns): (Vec<ActionOfKind>, Vec<Vec<f64>>) = telling_actions(&players).unzip();
    let found =
        Strategies { players: players.len() as u64, games: outcome.tally.sample.games(), actions: actions.len(), ..Strategies::default() };
    if players.len() < FEWEST_PLAYERS || actions.is_empty() {
        return found;
    }
    let points: Vec<Vec<f64>> = (0..players.len()).map(|player| columns.iter().map(|column| column[player]).collect()).collect();
    let mut draws = Draws::new(seed ^ hash_text("groups of players"));
    let (groups, silhouette, without) = count_groups(&points, &mut draws);
    let found = Strategies { silhouette: Some(silhouette), without_groups: Some(without), ..found };
    if silhouette <= without {
        return found;
    }
    let group_of = k_means(&points, groups, &mut draws);
    let members = |group: usize| group_of.iter().enumerate().filter(move |(_, of)| **of == group).map(|(at, _)| at);
    let fewest = SMALLEST_GROUP * players.len() as f64;
    if (0..groups).any(|group| (members(group).count() as f64) < fewest) {
        return found;
    }
    let describe = |group: usize| {
        let members: Vec<usize> = members(group).collect();
        let same_game = |a: &usize, b: &usize| games[*a] == games[*b];
        describe(rules, &players, &points, &actions, &members.chunk_by(same_game).collect::<Vec<_>>())
    };
    let mut groups: Vec<Strategy> = (0..groups).map(describe).collect();
    let success = |group: &Strategy| group.won.map_or(group.points.mean, |won| won.share);
    groups.sort_by(|a, b| success(b).total_cmp(&success(a)));
    Strategies { groups, ..found }
}

/// Returns the actions that some players do and others do not, or not as often, each with its share in all actions of each player, in standard
/// deviations above the mean.
fn telling_actions(players: &[&SampledPlayer]) -> impl Iterator<Item = (ActionOfKind, Vec<f64>)> {
    let mut all: Vec<ActionOfKind> = players.iter().flat_map(|player| player.taken.iter().map(|taken| (taken.0, taken.1))).collect();
    all.sort_unstable();
    let least = DONE_BY * players.len() as f64;
    let common: Vec<ActionOfKind> = all.chunk_by(|a, b| a == b).filter(|alike| alike.len() as f64 >= least).map(|alike| alike[0]).collect();
    common.into_iter().filter_map(|action| {
        let share = |player: &&SampledPlayer| f64::from(player.times(action)) / player.actions().max(1) as f64;
        Some((action, standardised(&players.iter().map(share).collect::<Vec<_>>())?))
    })
}

/// Returns values in standard deviations above their mean; `None` if they do not differ.
fn standardised(values: &[f64]) -> Option<Vec<f64>> {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
    (deviation > 1e-9).then(|| values.iter().map(|value| (value - mean) / deviation).collect())
}

/// Returns the number of groups with the largest silhouette, or fewer that are nearly as good, that silhouette, and the largest one in data without groups.
fn count_groups(points: &[Vec<f64>], draws: &mut Draws) -> (usize, f64, f64) {
    let deciding = draws.some(points, DECIDING_PLAYERS);
    let mut best = |points: &[Vec<f64>]| {
        let distances = Distances::between(points);
        let of = |groups: usize, draws: &mut Draws| distances.silhouette(&k_means(points, groups, draws), groups);
        let each: Vec<(usize, f64)> = (2..=MOST_GROUPS).map(|groups| (groups, of(groups, draws))).collect();
        let largest = each.iter().map(|one| one.1).fold(-1.0, f64::max);
        // The fewest that describe the players nearly as well.
        let few = each.into_iter().find(|one| one.1 >= NEARLY_AS_WELL * largest);
        few.unwrap_or((1, -1.0))
    };
    let (groups, own) = best(&deciding);
    let (mut without, no_groups) = (f64::NEG_INFINITY, WithoutGroups::like(&deciding));
    for set in 0..DATA_WITHOUT_GROUPS {
        let drawn = no_groups.draw(deciding.len(), &mut Draws::new(hash_text("no groups") ^ set));
        without = without.max(best(&drawn).1);
        // One that is as large is enough.
        if without >= own {
            break;
        }
    }
    (groups, own, without)
}

/// Describes a group by its members, those of each game together.
fn describe(rules: &Ruleset, players: &[&SampledPlayer], points: &[Vec<f64>], actions: &[ActionOfKind], by_game: &[&[usize]]) -> Strategy {
    let members: Vec<usize> = by_game.concat();
    let count = members.len().max(1) as f64;
    let mark = |(at, &action): (usize, &ActionOfKind)| {
        let one_kind = actions.iter().filter(|(other, _)| *other == action.0).count() == 1;
        let kind = action.1.filter(|_| !one_kind);
        StrategyMark {
            action: rules.names.text(rules.choices[usize::from(action.0)].name).to_string(),
            kind: kind.map(|kind| rules.names.text(rules.kinds[usize::from(kind)].name).to_string()),
            deviation: members.iter().map(|member| points[*member][at]).sum::<f64>() / count,
            in_group: members.iter().map(|member| f64::from(players[*member].times(action))).sum::<f64>() / count,
            of_all: players.iter().map(|player| f64::from(player.times(action))).sum::<f64>() / players.len().max(1) as f64,
        }
    };
    let mut marks: Vec<StrategyMark> = actions.iter().enumerate().map(mark).collect();
    marks.retain(|mark| mark.deviation.abs() >= MARKED);
    marks.sort_by(|a, b| b.deviation.abs().total_cmp(&a.deviation.abs()));
    marks.truncate(MOST_MARKS);
    let (mut won, mut sums) = (Wins::default(), SumsByGame::default());
    members.iter().for_each(|member| won.merge(&players[*member].won));
    by_game.iter().for_each(|of_game| sums.add(of_game.iter().map(|member| players[*member].points)));
    let trials = members.len() as u64;
    // Partners win as one.
    let independent = rules.side_count() as f64 / rules.players.max(1) as f64;
    Strategy {
        marks,
        players: wilson(trials, players.len() as u64, 1.0),
        won: (rules.side_count() > 1).then(|| won.share_of_games(trials, independent)),
        points: sums.mean(),
        sums,
    }
}

impl StrategyMark {
    /// Says what the group does more or less often.
    fn text(&self, names: &Translations) -> String {
        let more = if self.deviation > 0.0 { "more" } else { "less" };
        let kind = self.kind.as_ref().map_or(String::new(), |kind| format!(": {}", names.kind(kind)));
        format!("{more} “{}{kind}” ({:.1} times, all {:.1})", names.translate_word(&self.action), self.in_group, self.of_all)
    }
}

impl Strategy {
    /// Names the strategy by what marks it out.
    pub fn name(&self, names: &Translations) -> String {
        if self.marks.is_empty() {
            return "much as all players".to_string();
        }
        self.marks.iter().map(|mark| mark.text(names)).collect::<Vec<_>>().join(", ")
    }
}

impl Strategies {
    /// Says in a sentence whether there are strategies.
    pub fn sentence(&self) -> String {
        let Strategies { players, games, silhouette, without_groups, groups, .. } = self;
        match (silhouette, without_groups) {
            _ if self.actions == 0 => {
                "all players do the same things, as far as kinds of actions go: there are no strategies to be told apart".to_string()
            }
            (Some(own), Some(without)) if groups.is_empty() && own > without => format!(
                "no strategies are told: of the groups by what {players} players did one is smaller than one player in twenty (silhouette {own:.2}, \
                 {without:.2} at most where there are none)"
            ),
            (Some(own), Some(without)) if groups.is_empty() => format!(
                "no strategies can be told apart: several groups describe what {players} players did no better than one (silhouette {own:.2}, {without:.2} \
                 where there are none)"
            ),
            (Some(own), Some(without)) => format!(
                "{} groups by what {players} players of {games} games did (silhouette {own:.2}, {without:.2} at most where there are none)",
                groups.len()
            ),
            (Some(_), None) | (None, _) => format!("{players} players are too few to look for strategies; {FEWEST_PLAYERS} are enough"),
        }
    }

    /// Formats the strategies as text.
    pub(super) fn text(&self, names: &Translations, even: f64) -> String {
        let mut text = paragraph(2, "", &self.sentence());
        if self.groups.is_empty() {
            return text;
        }
        let mut table = TextTable::new(1);
        table.row(["", "players", "points", "won", "95% interval"]);
        for (at, group) in self.groups.iter().enumerate() {
            let percent = |share: f64| format!("{:.1}%", share * 100.0);
            let won = group.won.map_or([String::new(), String::new()], |won| {
                let [low, high] = won.interval.map(|end| end * 100.0);
                [percent(won.share), format!("{low:.1} to {high:.1}%")]
            });
            let own = [format!("{}.", at + 1), percent(group.players.share), format!("{:.2}", group.points.mean)];
            table.row(own.into_iter().chain(won));
        }
        text.push_str(&table.text(2));
        for (at, group) in self.groups.iter().enumerate() {
            text.push_str(&paragraph(2, &format!("{}. ", at + 1), &group.name(names)));
        }
        if self.groups.iter().any(|group| group.won.is_some()) {
            text.push_str(&format!("  an even share of wins is {:.1}%; the numbers are times in a game of a player\n", even * 100.0));
        }
        text
    }
}

#[cfg(test)]
mod tests;
