//! What a run says, as data: the same for a person, for `--json` and for two runs that are compared. No clock is in it.

mod cards;

use crate::cast;
use serde::{Deserialize, Serialize};

use super::distributions::Distributions;
use super::dropped::Alike;
use super::hooks::{Hooks, hooks};
use super::measure::figures_of;
use super::part::Part;
use super::run::{Outcome, Plan};
use super::stats::{Mean, Share, Wins, wilson};
use crate::engine::Ruleset;
use crate::source::Sources;
pub use cards::{BegunCard, CardCount, KeptCard};

/// The result of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Id of the game.
    pub game: String,
    /// Its title.
    pub title: String,
    /// Version of this program.
    pub version: &'static str,
    /// Hash of everything that the rules were made from.
    pub rules: String,
    /// The packs in them.
    pub packs: Vec<PackUsed>,
    /// Seats.
    pub players: usize,
    /// Who played, seat by seat.
    pub agents: Vec<String>,
    /// Seed of the run.
    pub seed: u64,
    /// What was changed on the command line.
    pub changes: Vec<String>,
    /// Which part of a run this is, if it is not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
    /// Games asked for, of this part.
    pub asked: u64,
    /// Complete games.
    pub games: u64,
    /// Of these, games that are different; the others repeat one of them move by move, and intervals count each of those once.
    pub distinct: u64,
    /// Games dropped because of a fault.
    pub dropped: u64,
    /// Of the complete games, those that were ended after the most rounds that there can be, not by what the rules wait for.
    pub cut_off: u64,
    /// Whether it was stopped before its end.
    pub stopped: bool,
    /// Points of each row of the score, and in all.
    pub points: Vec<Named<Mean>>,
    /// Points from the winner's to the last one's.
    pub by_rank: Vec<Mean>,
    /// Points and games won by seat.
    pub by_seat: Vec<BySeat>,
    /// Games won by agent.
    pub by_agent: Vec<ByAgent>,
    /// Games that several won together; each of them counts in equal parts for these.
    pub won_together: u64,
    /// Games alone, by place in the table of honour: name, points, share; the last is below it.
    pub honours: Vec<Honour>,
    /// Rounds of a game.
    pub rounds: Mean,
    /// Questions with at least two options in a game.
    pub decisions: Mean,
    /// Options of such a question.
    pub options_per_decision: f64,
    /// The longest list of options.
    pub most_options: u64,
    /// How often each value of these came up.
    pub distributions: Distributions,
    /// Actions in a game, all players together.
    pub actions: Vec<ActionCount>,
    /// Answers to questions of rules and cards in a game.
    pub answers: Vec<AnswerCount>,
    /// Cards of a player at the end, by place.
    pub places: Vec<Named<f64>>,
    /// What a player has when each round's first question is put, and at the end.
    pub by_round: Vec<ByRound>,
    /// Cards with which some players begin and others do not: what they have when the first question is put.
    pub begun: Vec<BegunCard>,
    /// Cards offered and chosen with actions.
    pub cards: Vec<CardCount>,
    /// Cards that players have at the end.
    pub kept: Vec<KeptCard>,
    /// What went wrong, alike faults together.
    pub faults: Vec<FaultCount>,
    /// Faults that players met only in thought: they keep away from answers that meet one.
    pub avoided: Vec<FaultCount>,
    /// Which scripts of cards ran, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hooks: Option<Hooks>,
}

/// A pack that was played with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackUsed {
    /// Its name.
    pub name: String,
    /// Its version, in its author's words.
    pub version: String,
    /// Hash of its `pack.toml`, its rules and its cards.
    pub hash: String,
}

/// The packs that rules were made with.
pub(super) fn packs_of(rules: &Ruleset) -> Vec<PackUsed> {
    let packs = rules.packs.iter();
    packs.map(|pack| PackUsed { name: pack.name.clone(), version: pack.version.clone(), hash: format!("{:016x}", pack.hash) }).collect()
}

/// Something under a name.
#[derive(Clone, Debug, Serialize)]
pub struct Named<T> {
    /// The name.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub value: Wrapped<T>,
}

/// A number stands under `per_player`, a mean under its own keys.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Wrapped<T> {
    /// A mean.
    Mean(T),
    /// A number.
    PerPlayer {
        /// The number.
        per_player: T,
    },
}

/// A seat.
#[derive(Clone, Debug, Serialize)]
pub struct BySeat {
    /// From 1.
    pub seat: usize,
    /// Who sat there.
    pub agent: String,
    /// Its points.
    pub points: Mean,
    /// Games that it won.
    pub won: Share,
}

/// An agent at one or several seats.
#[derive(Clone, Debug, Serialize)]
pub struct ByAgent {
    /// Its name.
    pub agent: String,
    /// At how many seats.
    pub seats: usize,
    /// Games that one of these won.
    pub won: Share,
}

/// How often an action was chosen.
#[derive(Clone, Debug, Serialize)]
pub struct ActionCount {
    /// Its name.
    pub action: String,
    /// Kind of the card that is its first parameter.
    pub kind: Option<String>,
    /// In a game.
    pub per_game: f64,
}

/// How often a question was answered with something.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerCount {
    /// Id of the question.
    pub question: String,
    /// The card that asks; none if the rules do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// The word or number, `a card`, `a token` or `nothing`.
    pub answer: String,
    /// In a game.
    pub per_game: f64,
}

/// What a player has on average.
#[derive(Clone, Debug, Serialize)]
pub struct ByRound {
    /// The round; none for the end.
    pub round: Option<u64>,
    /// Points that the score would give then; none where it has no number yet.
    pub points: Option<Mean>,
    /// Resources and stats.
    #[serde(serialize_with = "as_map")]
    pub figures: Vec<(String, f64)>,
}

/// In the order of the rules.
fn as_map<S: serde::Serializer>(figures: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(figures.iter().map(|(name, value)| (name, value)))
}

/// A place in the table of honour.
#[derive(Clone, Debug, Serialize)]
pub struct Honour {
    /// Its name; none below the table.
    pub name: Option<String>,
    /// The points that it takes.
    pub points: Option<i64>,
    /// Games that ended there.
    pub reached: Share,
}

/// Faults that are alike.
#[derive(Clone, Debug, Serialize)]
pub struct FaultCount {
    /// What happened.
    pub message: String,
    /// The card or rule that spoke.
    pub owner: String,
    /// File, line and column.
    pub place: Option<String>,
    /// In how many games.
    pub games: u64,
    /// Number of the first of these in the run, from 0.
    pub first_game: u64,
    /// Its seed.
    pub seed: u64,
    /// How many questions had been put.
    pub decision: u64,
    /// The round.
    pub round: i32,
}

/// Makes the report of a run. `changes` says what was changed on the command line.
pub fn report(plan: &Plan<'_>, outcome: &Outcome, sources: &Sources, changes: Vec<String>) -> Report {
    let (rules, tally) = (plan.rules, &outcome.tally);
    let games = tally.games.max(1) as f64;
    let distinct = tally.distinct();
    let agents: Vec<String> = plan.agents.iter().map(ToString::to_string).collect();
    let mean = |name: &str, mean: Mean| Named { name: name.to_string(), value: Wrapped::Mean(mean) };
    let mut points: Vec<_> = rules.score.iter().zip(&tally.rows).map(|((name, _), sums)| mean(name, sums.mean_of(distinct))).collect();
    points.push(mean("all", tally.points.mean_of(distinct)));
    let questions = tally.decisions.sum.max(1) as f64;
    Report {
        game: rules.game.clone(),
        title: rules.title.clone(),
        version: env!("CARGO_PKG_VERSION"),
        rules: format!("{:016x}", rules.hash),
        packs: packs_of(rules),
        players: rules.players,
        seed: plan.seed,
        changes,
        part: None,
        asked: plan.games,
        games: tally.games,
        distinct: tally.different.count(tally.games),
        dropped: outcome.dropped,
        cut_off: tally.cut_off,
        stopped: outcome.stopped,
        points,
        by_rank: tally.by_rank.iter().map(|sums| sums.mean_of(distinct)).collect(),
        by_seat: by_seat(outcome, &agents),
        by_agent: by_agent(outcome, &agents),
        won_together: tally.shared,
        honours: honours(rules, outcome),
        rounds: tally.rounds.mean_of(distinct),
        decisions: tally.decisions.mean_of(distinct),
        options_per_decision: tally.options as f64 / questions,
        most_options: tally.longest,
        distributions: tally.distributions.clone(),
        actions: actions(rules, outcome, games),
        answers: answers(rules, outcome, games),
        places: places(rules, outcome, games),
        by_round: by_round(rules, outcome),
        begun: cards::begun(rules, outcome),
        cards: cards::cards(rules, outcome),
        kept: cards::kept(rules, outcome),
        faults: faults(&outcome.faults, sources),
        avoided: faults(&outcome.avoided, sources),
        hooks: plan.notes.scripts.then(|| hooks(rules, tally, sources)),
        agents,
    }
}

impl Report {
    /// Says which part of the run it is of.
    pub fn of_part(mut self, part: Part) -> Report {
        let games = part.games(self.asked);
        self.asked = games.end - games.start;
        self.part = (part != Part::WHOLE).then_some(part);
        self
    }
}

fn honours(rules: &Ruleset, outcome: &Outcome) -> Vec<Honour> {
    let places = rules.honours.iter().map(|(name, points)| (Some(name.clone()), Some(*points))).chain([(None, None)]);
    let reached = outcome.tally.honours.iter().map(|count| wilson(*count, outcome.tally.games, outcome.tally.distinct()));
    places.zip(reached).map(|((name, points), reached)| Honour { name, points, reached }).collect()
}

fn by_seat(outcome: &Outcome, agents: &[String]) -> Vec<BySeat> {
    let tally = &outcome.tally;
    let seats = tally.by_seat.iter().zip(&tally.won).zip(agents).enumerate();
    seats
        .map(|(seat, ((points, won), agent))| BySeat {
            seat: seat + 1,
            agent: agent.clone(),
            points: points.mean_of(tally.distinct()),
            won: won.of(tally.games, tally.distinct()),
        })
        .collect()
}

fn by_agent(outcome: &Outcome, agents: &[String]) -> Vec<ByAgent> {
    let mut found: Vec<(String, usize, Wins)> = Vec::new();
    for (agent, won) in agents.iter().zip(&outcome.tally.won) {
        match found.iter_mut().find(|(name, ..)| name == agent) {
            Some(entry) => {
                entry.1 += 1;
                entry.2.add(won);
            }
            None => found.push((agent.clone(), 1, *won)),
        }
    }
    let (games, distinct) = (outcome.tally.games, outcome.tally.distinct());
    found.into_iter().map(|(agent, seats, won)| ByAgent { agent, seats, won: won.of(games, distinct) }).collect()
}

fn actions(rules: &Ruleset, outcome: &Outcome, games: f64) -> Vec<ActionCount> {
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

fn answers(rules: &Ruleset, outcome: &Outcome, games: f64) -> Vec<AnswerCount> {
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

fn places(rules: &Ruleset, outcome: &Outcome, games: f64) -> Vec<Named<f64>> {
    let players = games * rules.players.max(1) as f64;
    let of_seat = rules.places.iter().enumerate().filter(|(_, place)| place.of_seat);
    of_seat
        .map(|(index, place)| {
            let count = outcome.tally.kept.get(&(cast::fit::<u16>(index))).copied().unwrap_or(0);
            Named { name: place.name.clone(), value: Wrapped::PerPlayer { per_player: count as f64 / players } }
        })
        .collect()
}

fn by_round(rules: &Ruleset, outcome: &Outcome) -> Vec<ByRound> {
    let names = figures_of(rules);
    let tally = &outcome.tally;
    let (figures, distinct) = (&tally.figures, tally.distinct());
    let mut rounds: Vec<u64> = figures.keys().map(|(round, _)| *round).collect();
    rounds.dedup();
    // Round 0 stands for the end.
    rounds.sort_by_key(|round| round.wrapping_sub(1));
    let value = |round: u64, figure: usize| figures.get(&(round, cast::fit::<u16>(figure))).map_or(0.0, |sums| sums.mean().mean);
    rounds
        .into_iter()
        .map(|round| ByRound {
            round: (round > 0).then_some(round),
            points: if round > 0 { tally.points_by_round.get(&round) } else { Some(&tally.points) }.map(|sums| sums.mean_of(distinct)),
            figures: names.iter().enumerate().map(|(figure, name)| (name.clone(), value(round, figure))).collect(),
        })
        .collect()
}

fn faults(found: &[Alike], sources: &Sources) -> Vec<FaultCount> {
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

fn action_name(rules: &Ruleset, action: u16) -> String {
    rules.names.text(rules.actions[action as usize].name).to_string()
}
