//! The report of a run as data: the same for text, for `--json` and for comparisons of two runs. It contains no timing.

mod cards;
mod dead;
mod findings;
mod needed;

use crate::cast;
use serde::{Deserialize, Serialize};

use super::distributions::Distributions;
use super::dropped::FaultGroup;
use super::findings::Conclusion;
use super::hooks::{Hooks, hooks};
use super::idle::IdleRounds;
use super::lead::Lead;
use super::measure::value_names;
use super::merge::Merge;
use super::part::RunPart;
use super::run::{RunOutcome, RunPlan};
use super::sides::{ByTeam, results_by_team, won_by_all};
use super::stats::{Mean, Share, Wins, wilson};
use super::strategies::{Strategies, strategies};
use crate::engine::Ruleset;
use crate::source::Sources;
pub use cards::{CardCount, FinalCard, InitialCard};
pub use dead::DeadCard;
pub(super) use dead::dead_cards_table;
pub(super) use findings::of_report;
pub use needed::{Duration, MeasureNeeds, SECONDS_PER_DECISION};

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
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
    /// Agents by seat.
    pub agents: Vec<String>,
    /// Seed of the run.
    pub seed: u64,
    /// Changes on the command line.
    pub changes: Vec<String>,
    /// The part of the run that this report covers, unless it is the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<RunPart>,
    /// Number of games requested for this part.
    #[serde(rename = "asked")]
    pub requested: u64,
    /// Number of complete games.
    pub games: u64,
    /// Number of distinct games. The others repeat one of these move by move, so that intervals count each distinct game once.
    pub distinct: u64,
    /// Number of games dropped because of a fault.
    pub dropped: u64,
    /// Number of complete games that were cut off after the maximum number of rounds.
    pub cut_off: u64,
    /// Games with a round in which nothing happened, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle: Option<IdleRounds>,
    /// Whether the run was stopped before its end.
    pub stopped: bool,
    /// Points of each row of the score, and in total.
    pub points: Vec<NamedValue<Mean>>,
    /// Points of teams or players by final rank, the winner's first.
    pub by_rank: Vec<Mean>,
    /// Share of games won, if all win or lose together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won: Option<Share>,
    /// Points and wins by team, if there are teams.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_team: Vec<ByTeam>,
    /// Points and wins by seat.
    pub by_seat: Vec<BySeat>,
    /// Wins by agent.
    pub by_agent: Vec<ByAgent>,
    /// Number of games with several winners, who share the win equally.
    pub won_together: u64,
    /// For solo games the ranks in the table of honour, each with the share of games that reached it. The last entry is below the table.
    pub honours: Vec<HonourRank>,
    /// Number of rounds of a game.
    pub rounds: Mean,
    /// Number of questions with at least two options in a game.
    pub decisions: Mean,
    /// Mean number of options of a question with at least two options.
    pub options_per_decision: f64,
    /// Maximum number of options of a question.
    pub most_options: u64,
    /// Histograms of points, rounds, decisions and options.
    pub distributions: Distributions,
    /// Number of actions in a game, by all players together.
    pub actions: Vec<ActionCount>,
    /// Number of answers to questions of rules and cards in a game.
    pub answers: Vec<AnswerCount>,
    /// Number of a player's cards at the end, by place.
    pub places: Vec<NamedValue<f64>>,
    /// Values of a player at the first question of each round, and at the end.
    pub by_round: Vec<ByRound>,
    /// Cards that some players begin with and others do not, as of the first question.
    pub begun: Vec<InitialCard>,
    /// Cards offered and chosen with actions.
    pub cards: Vec<CardCount>,
    /// Cards that players have at the end.
    #[serde(rename = "kept")]
    pub final_cards: Vec<FinalCard>,
    /// Cards that hardly anybody takes although they are offered.
    pub dead: Vec<DeadCard>,
    /// Who leads when rounds begin; `None` if nobody can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
    /// How long a game takes people.
    pub duration: Duration,
    /// How many games it takes to know points and wins.
    pub needed: Vec<MeasureNeeds>,
    /// Groups of players who did alike, and which of them win.
    pub strategies: Strategies,
    /// The foremost findings.
    pub conclusion: Conclusion,
    /// Faults that dropped games, grouped.
    pub faults: Vec<FaultCount>,
    /// Faults that occurred only in sampled states: agents avoid options that cause one.
    pub avoided: Vec<FaultCount>,
    /// Coverage of the scripts of cards, if it was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks: Option<Hooks>,
}

/// A pack of the rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackUsed {
    /// Name of the pack.
    pub name: String,
    /// Version of the pack as stated by its author.
    pub version: String,
    /// Hash of its `pack.toml`, rules and cards.
    pub hash: String,
}

/// Returns the packs with which the rules were compiled.
pub(super) fn packs_of(rules: &Ruleset) -> Vec<PackUsed> {
    let packs = rules.packs.iter();
    packs.map(|pack| PackUsed { name: pack.name.clone(), version: pack.version.clone(), hash: format!("{:016x}", pack.hash) }).collect()
}

/// A value of a player with its name, such as the points of a row of the score.
#[derive(Clone, Debug, Serialize)]
pub struct NamedValue<T> {
    /// Name of the value.
    pub name: String,
    /// The mean of the value, or a plain number.
    #[serde(flatten)]
    pub value: PlainOrMean<T>,
}

/// A plain number, serialised under the key `per_player`, or a mean, serialised under its own keys.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PlainOrMean<T> {
    /// A mean with its interval.
    Mean(T),
    /// A plain number per player.
    PerPlayer {
        /// The number per player.
        per_player: T,
    },
}

/// Results of one seat.
#[derive(Clone, Debug, Serialize)]
pub struct BySeat {
    /// Number of the seat, from 1.
    pub seat: usize,
    /// Agent at the seat.
    pub agent: String,
    /// Points of the seat.
    pub points: Mean,
    /// Share of games won.
    pub won: Share,
}

/// Results of an agent at one or several seats.
#[derive(Clone, Debug, Serialize)]
pub struct ByAgent {
    /// Name of the agent.
    pub agent: String,
    /// Number of seats.
    pub seats: usize,
    /// Share of games won by one of these seats.
    pub won: Share,
}

/// How often an action was taken.
#[derive(Clone, Debug, Serialize)]
pub struct ActionCount {
    /// Name of the action.
    pub action: String,
    /// Kind of the card that is its first parameter.
    pub kind: Option<String>,
    /// Mean number per game.
    pub per_game: f64,
}

/// How often an answer was given.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerCount {
    /// Id of the question.
    pub question: String,
    /// Id of the card that asks; `None` for a question of the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// The word or number, `a card`, `a token` or `nothing`.
    pub answer: String,
    /// Mean number per game.
    pub per_game: f64,
}

/// Mean values of a player in a round.
#[derive(Clone, Debug, Serialize)]
pub struct ByRound {
    /// Number of the round; `None` for the end.
    pub round: Option<u64>,
    /// Points that the score would give at that time; `None` if it is undefined before the end.
    pub points: Option<Mean>,
    /// Resources and stats by name.
    #[serde(serialize_with = "as_map")]
    pub figures: Vec<(String, f64)>,
}

/// Serialises pairs as a map in their order.
fn as_map<S: serde::Serializer>(figures: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().map(|(name, value)| (name, value)))
}

/// A rank in the table of honour.
#[derive(Clone, Debug, Serialize)]
pub struct HonourRank {
    /// Name of the rank; `None` below the table.
    pub name: Option<String>,
    /// Points required for the rank; `None` below the table.
    pub points: Option<i64>,
    /// Share of games that ended at this rank.
    pub reached: Share,
}

/// A group of equal faults.
#[derive(Clone, Debug, Serialize)]
pub struct FaultCount {
    /// Message of the fault.
    pub message: String,
    /// Id of the card or name of the rule that caused the fault.
    pub owner: String,
    /// File, line and column of the fault.
    pub place: Option<String>,
    /// Number of games with the fault.
    pub games: u64,
    /// Number of the first game with the fault in the run, from 0.
    pub first_game: u64,
    /// Seed of that game.
    pub seed: u64,
    /// Number of questions put before the fault in that game.
    pub decision: u64,
    /// Round of the fault in that game.
    pub round: i32,
}

/// Creates the report of a run. `changes` lists the changes on the command line.
pub fn report(plan: &RunPlan<'_>, outcome: &RunOutcome, sources: &Sources, changes: Vec<String>) -> Report {
    let (rules, tally) = (plan.rules, &outcome.tally);
    let games = tally.games.max(1) as f64;
    let distinct = tally.distinct();
    let agents: Vec<String> = plan.agents.iter().map(ToString::to_string).collect();
    let mean = |name: &str, mean: Mean| NamedValue { name: name.to_string(), value: PlainOrMean::Mean(mean) };
    let mut points: Vec<_> =
        rules.score.iter().zip(&tally.rows).map(|((name, _), sums)| mean(name, sums.mean_with_distinct(distinct))).collect();
    points.push(mean("all", tally.points.mean_with_distinct(distinct)));
    let questions = tally.decisions.sum.max(1) as f64;
    let decisions = tally.decisions.mean_with_distinct(distinct).of_counts();
    let report = Report {
        game: rules.game.clone(),
        title: rules.title.clone(),
        version: env!("CARGO_PKG_VERSION"),
        rules: format!("{:016x}", rules.hash),
        packs: packs_of(rules),
        players: rules.players,
        seed: plan.seed,
        changes,
        part: None,
        requested: plan.games,
        games: tally.games,
        distinct: tally.different.count(tally.games),
        dropped: outcome.dropped,
        cut_off: tally.cut_off,
        idle: tally.idle.map(|idle| IdleRounds::of_games(&idle, sources)),
        stopped: outcome.stopped,
        points,
        by_rank: tally.by_rank.iter().map(|sums| sums.mean_with_distinct(distinct)).collect(),
        by_seat: results_by_seat(outcome, &agents),
        by_agent: results_by_agent(rules, outcome, &agents),
        won: won_by_all(rules, outcome),
        by_team: results_by_team(rules, outcome, &agents),
        won_together: tally.shared,
        honours: honour_ranks(rules, outcome),
        rounds: tally.rounds.mean_with_distinct(distinct),
        decisions,
        options_per_decision: tally.options as f64 / questions,
        most_options: tally.longest.0,
        distributions: tally.distributions.clone(),
        actions: count_actions(rules, outcome, games),
        answers: count_answers(rules, outcome, games),
        places: cards_by_place(rules, outcome, games),
        by_round: values_by_round(rules, outcome),
        begun: cards::initial_cards(rules, tally),
        cards: cards::card_counts(rules, tally),
        final_cards: cards::final_cards(rules, tally),
        faults: group_faults(&outcome.faults, sources),
        avoided: group_faults(&outcome.avoided, sources),
        hooks: plan.notes.scripts.then(|| hooks(rules, tally, sources)),
        dead: dead::dead_cards(rules, outcome),
        lead: tally.lead.report(distinct),
        duration: Duration::new(decisions, SECONDS_PER_DECISION),
        needed: needed::games_needed(rules, outcome),
        strategies: strategies(rules, outcome, plan.seed),
        conclusion: Conclusion::default(),
        agents,
    };
    Report { conclusion: of_report(&report, None), ..report }
}

impl Report {
    /// Assumes that people take this number of seconds for a decision.
    pub fn at_pace(mut self, seconds_per_decision: f64) -> Report {
        self.duration = Duration::new(self.decisions, seconds_per_decision);
        self
    }

    /// Marks the report as that of a part of the run.
    pub fn of_part(mut self, part: RunPart) -> Report {
        let games = part.games(self.requested);
        self.requested = games.end - games.start;
        self.part = (part != RunPart::WHOLE).then_some(part);
        self
    }
}

fn honour_ranks(rules: &Ruleset, outcome: &RunOutcome) -> Vec<HonourRank> {
    let places = rules.honours.iter().map(|(name, points)| (Some(name.clone()), Some(*points))).chain([(None, None)]);
    let reached = outcome.tally.honours.iter().map(|count| wilson(*count, outcome.tally.games, outcome.tally.distinct()));
    places.zip(reached).map(|((name, points), reached)| HonourRank { name, points, reached }).collect()
}

fn results_by_seat(outcome: &RunOutcome, agents: &[String]) -> Vec<BySeat> {
    let tally = &outcome.tally;
    let seats = tally.by_seat.iter().zip(&tally.won).zip(agents).enumerate();
    seats
        .map(|(seat, ((points, won), agent))| BySeat {
            seat: seat + 1,
            agent: agent.clone(),
            points: points.mean_with_distinct(tally.distinct()),
            won: won.share_of_games(tally.games, tally.distinct()),
        })
        .collect()
}

/// Returns the wins of each agent. A team has won once, however many seats it has; where all win together, each agent has won as often.
fn results_by_agent(rules: &Ruleset, outcome: &RunOutcome, agents: &[String]) -> Vec<ByAgent> {
    let mut found: Vec<(String, usize, Wins)> = Vec::new();
    for (agent, won) in agents.iter().zip(&outcome.tally.won) {
        let parts = match rules.together {
            Some(_) => agents.iter().filter(|other| *other == agent).count(),
            None => rules.players / rules.side_count().max(1),
        };
        let won = &won.part(parts);
        match found.iter_mut().find(|(name, ..)| name == agent) {
            Some(entry) => {
                entry.1 += 1;
                entry.2.merge(won);
            }
            None => found.push((agent.clone(), 1, *won)),
        }
    }
    let (games, distinct) = (outcome.tally.games, outcome.tally.distinct());
    found.into_iter().map(|(agent, seats, won)| ByAgent { agent, seats, won: won.share_of_games(games, distinct) }).collect()
}

fn count_actions(rules: &Ruleset, outcome: &RunOutcome, games: f64) -> Vec<ActionCount> {
    let kind = |kind: u16| rules.names.text(rules.kinds[kind as usize].name).to_string();
    let counts = outcome.tally.actions.iter();
    counts
        .map(|(&(action, of), count)| ActionCount {
            action: action_name(rules, action),
            kind: of.map(kind),
            per_game: *count as f64 / games,
        })
        .collect()
}

fn count_answers(rules: &Ruleset, outcome: &RunOutcome, games: f64) -> Vec<AnswerCount> {
    let counts = outcome.tally.answers.iter();
    counts
        .map(|(&(asked, answered), count)| AnswerCount {
            question: asked.text(rules),
            card: asked.card(rules),
            answer: answered.text(rules),
            per_game: *count as f64 / games,
        })
        .collect()
}

fn cards_by_place(rules: &Ruleset, outcome: &RunOutcome, games: f64) -> Vec<NamedValue<f64>> {
    let players = games * rules.players.max(1) as f64;
    let of_seat = rules.places.iter().enumerate().filter(|(_, place)| place.of_seat);
    of_seat
        .map(|(index, place)| {
            let count = outcome.tally.cards_by_place.get(&(cast::fit::<u16>(index))).copied().unwrap_or(0);
            NamedValue { name: place.name.clone(), value: PlainOrMean::PerPlayer { per_player: count as f64 / players } }
        })
        .collect()
}

fn values_by_round(rules: &Ruleset, outcome: &RunOutcome) -> Vec<ByRound> {
    let names = value_names(rules);
    let tally = &outcome.tally;
    let (figures, distinct) = (&tally.figures, tally.distinct());
    let mut rounds: Vec<u64> = figures.keys().map(|(round, _)| *round).collect();
    rounds.dedup();
    // Round 0 represents the end.
    rounds.sort_by_key(|round| round.wrapping_sub(1));
    let value = |round: u64, figure: usize| figures.get(&(round, cast::fit::<u16>(figure))).map_or(0.0, |sums| sums.mean().mean);
    rounds
        .into_iter()
        .map(|round| ByRound {
            round: (round > 0).then_some(round),
            points: if round > 0 { tally.points_by_round.get(&round) } else { Some(&tally.points) }
                .map(|sums| sums.mean_with_distinct(distinct)),
            figures: names.iter().enumerate().map(|(figure, name)| (name.clone(), value(round, figure))).collect(),
        })
        .collect()
}

fn group_faults(found: &[FaultGroup], sources: &Sources) -> Vec<FaultCount> {
    let faults = found.iter().map(|alike| {
        let dropped = &alike.first;
        let place = dropped.fault.span.map(|span| sources.place(span));
        FaultCount {
            message: dropped.fault.message.clone(),
            owner: dropped.fault.owner.clone(),
            place,
            games: alike.games,
            first_game: dropped.game,
            seed: dropped.seed,
            decision: dropped.decision,
            round: dropped.round,
        }
    });
    faults.collect()
}

pub(super) fn action_name(rules: &Ruleset, action: u16) -> String {
    rules.names.text(rules.choices[action as usize].name).to_string()
}
