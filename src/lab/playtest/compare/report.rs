//! The report of a comparison, as data and as text.

use serde::Serialize;

use super::super::findings::Conclusion;
use super::super::histogram::Histogram;
use super::super::page_names::PageNames;
use super::super::part::RunPart;
use super::super::precision::GamesNeeded;
use super::super::report::{PackUsed, SECONDS_PER_DECISION, packs_of};
use super::cross_play::CrossPlay;
use super::findings::of_comparison;
use super::inference::{ALPHA, Difference, InterimLooks, MIN_PAIRS, false_discoveries, selection_alpha};
use super::measures::Measure;
use super::pairs::{ComparisonResults, Sides, StoppingRule};
use super::rule_changes::RuleChange;
use super::skill::{Replaced, Skill};
use super::trainings::{BetweenTrainings, Evidence};
use crate::state::chance::seed_of_game;

/// Minimum number of pairs for measures that are defined in some games only.
const MIN_PAIRS_WHERE_PARTIAL: u64 = 20;
/// Minimum number of pairs for detecting aliases, since two measures may coincide by chance in a few pairs.
const MIN_PAIRS_FOR_ALIAS: u64 = 20;

/// The result of a comparison for one measure.
#[derive(Clone, Debug, Serialize)]
pub struct MeasureRow {
    /// Name of the measure.
    pub measure: String,
    /// Translated name of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<String>,
    #[serde(skip)]
    pub(crate) of: Measure,
    /// The measure with translated names.
    #[serde(skip)]
    pub(super) told_of: Option<Measure>,
    /// Number of pairs over which the mean is taken.
    pub pairs: u64,
    /// Heading under which related measures are grouped.
    pub family: &'static str,
    /// Unit over which the mean is taken: a player, a game, games.
    pub unit: &'static str,
    /// The difference between both sides.
    #[serde(flatten)]
    pub difference: Difference,
    /// Adjusted p-value: the smallest false discovery rate at which the measure is significant among all except the primary one
    /// (Benjamini, Hochberg). For the primary measure its `p`.
    pub q: f64,
    /// Whether the difference is significant: `q` is at most 0.05.
    #[serde(rename = "shown")]
    pub significant: bool,
    /// Whether it is the primary measure, which is tested alone.
    #[serde(rename = "alone")]
    pub is_primary: bool,
    /// For a significant difference, the interval adjusted for selection (Benjamini, Yekutieli): of intervals selected in this way, 5 %
    /// miss on average.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<[f64; 2]>,
    /// How many pairs it takes to know the difference to within one, or to within a hundredth of a share; not known of players who were trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed: Option<GamesNeeded>,
    /// Name of a measure of which this one is an alias, so that this one is omitted from tables: both had the same values in every game,
    /// or this one is the complement of the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
}

/// The first divergence of a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct FirstDivergence {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// Seed of both games.
    pub seed: u64,
    /// Number of the answer, from 1.
    pub answer: usize,
    /// Seat and answer without the change.
    #[serde(rename = "without")]
    pub answer_without: String,
    /// Seat and answer with the change.
    #[serde(rename = "with")]
    pub answer_with: String,
}

/// The result of a comparison, without timing.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Id of the game.
    pub game: String,
    /// Title of the game.
    pub title: String,
    /// Version of this program.
    pub version: &'static str,
    /// Hashes of all sources of both sides' rules.
    pub rules: [String; 2],
    /// Packs of both sides.
    pub packs: [Vec<PackUsed>; 2],
    /// Number of players.
    pub players: usize,
    /// Agents by seat; they are rotated by one seat from pair to pair.
    pub agents: Vec<String>,
    /// Seed of the run.
    pub seed: u64,
    /// Settings of both sides, as typed.
    #[serde(rename = "both")]
    pub settings_of_both: Vec<String>,
    /// Additional settings of the changed side, as typed.
    pub changes: Vec<String>,
    /// The part of the comparison that this report covers, unless it is the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<RunPart>,
    /// Maximum number of pairs requested for this part.
    #[serde(rename = "asked")]
    pub requested: u64,
    /// Number of complete pairs.
    pub pairs: u64,
    /// How many times players were trained for each side, if they were; intervals are over trainings then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trainings: Option<usize>,
    /// How good the players of both sides are who were trained, or who search in their place, where that is known. If those of one side are below even, nothing is
    /// significant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<[Option<Skill>; 2]>,
    /// How good the players of both sides are who were trained, beside players who search as long for their answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill_beside_search: Option<[Option<Skill>; 2]>,
    /// The players who have learnt, if players who search have played in their place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_place_of: Option<Replaced>,
    /// What the change does to players who have not learnt the rules of both sides, if they were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cross_play: Option<CrossPlay>,
    /// Number of distinct pairs of games. The others repeat one of these move by move, so that intervals count each distinct pair once.
    pub distinct: u64,
    /// Name of the primary measure, which is tested alone; all others are tested together.
    pub primary: String,
    /// Number of pairs dropped because of a fault.
    pub dropped: u64,
    /// When the data was examined.
    pub looks: InterimLooks,
    /// The measure of the stopping rule, and the maximum half width of its interval.
    pub until: Option<(String, f64)>,
    /// Whether the stopping rule was met.
    pub enough: bool,
    /// Whether the run was stopped by the user.
    pub stopped: bool,
    /// Number of pairs with identical answers.
    pub alike: u64,
    /// Number of pairs with identical values of all measures.
    pub same_end: u64,
    /// The first pair that diverges, with the place.
    #[serde(rename = "parting")]
    pub first_divergence: Option<FirstDivergence>,
    /// Histogram of the differences in the total points of all players, `changed` minus `plain`.
    pub differences: Histogram,
    /// The results of all measures.
    pub rows: Vec<MeasureRow>,
    /// The foremost findings.
    pub conclusion: Conclusion,
    /// How long a game takes people; `None` if no pair was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration: Option<DurationOfSides>,
    /// What the rules of the changed side have that those of the other side have not, and the other way round.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rule_changes: Vec<RuleChange>,
    /// Seats, from 1, that begin with a card on the changed side: their wins are reported even if not significant.
    #[serde(skip)]
    pub dealt: Vec<usize>,
}

/// How long a game takes people with the rules of each side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DurationOfSides {
    /// Seconds that are assumed for each decision, that is each question with at least two options.
    pub seconds_per_decision: f64,
    /// Minutes of a game without the change, if decisions are taken one after the other.
    #[serde(rename = "without")]
    pub minutes_without: f64,
    /// Minutes of a game with the change.
    #[serde(rename = "with")]
    pub minutes_with: f64,
}

/// Creates the report of a comparison.
pub fn comparison(
    sides: &Sides<'_>,
    stop: &StoppingRule,
    found: &ComparisonResults,
    both: Vec<String>,
    changes: Vec<String>,
) -> Comparison {
    let looks = stop.looks();
    let dealt: Vec<usize> =
        sides.changed.dealt_cards.iter().filter(|dealt| !sides.plain.dealt_cards.contains(dealt)).map(|(_, seat)| seat + 1).collect();
    let primary = stop.until.as_ref().map_or(Measure::Points, |(measure, _)| measure.clone());
    let comparison = Comparison {
        game: sides.plain.game.clone(),
        title: sides.plain.title.clone(),
        version: env!("CARGO_PKG_VERSION"),
        rules: [sides.plain, sides.changed].map(|rules| format!("{:016x}", rules.hash)),
        packs: [sides.plain, sides.changed].map(packs_of),
        players: sides.plain.players,
        agents: sides.agents.iter().map(ToString::to_string).collect(),
        seed: sides.seed,
        settings_of_both: both,
        changes,
        part: None,
        requested: stop.pairs,
        pairs: found.pairs,
        trainings: (!found.trainings.is_empty()).then_some(found.trainings.len()),
        skill: None,
        skill_beside_search: None,
        in_place_of: None,
        cross_play: None,
        distinct: found.different.count(found.pairs),
        primary: primary.to_string(),
        dropped: found.dropped.dropped,
        looks,
        until: stop.until.as_ref().map(|(measure, width)| (measure.to_string(), *width)),
        enough: found.enough,
        stopped: found.stopped,
        alike: found.alike,
        same_end: found.same_end,
        first_divergence: first_divergence(sides, found),
        differences: found.differences.clone(),
        rows: measure_rows(found, sides.plain.players, looks, &primary, &dealt),
        conclusion: Conclusion::default(),
        duration: None,
        rule_changes: Vec::new(),
        dealt,
    };
    comparison.concluded(None).at_pace(SECONDS_PER_DECISION)
}

/// A measure with what is known of its difference.
type MeasureWithEvidence<'a> = (&'a Measure, Evidence<'a>);

/// Computes the results of all measures. The primary measure is tested alone, the others together and each only once.
fn measure_rows(found: &ComparisonResults, players: usize, looks: InterimLooks, primary: &Measure, dealt: &[usize]) -> Vec<MeasureRow> {
    let enough = found.measures.iter().filter(|(measure, pairs)| measure.pairs(u64::MAX, pairs.taken) >= MIN_PAIRS_WHERE_PARTIAL);
    let evidence = |(measure, pairs)| {
        let trainings = BetweenTrainings::new(&found.trainings, measure);
        (measure, Evidence { pairs, basis: found.basis(measure, players, looks), trainings })
    };
    let measures: Vec<MeasureWithEvidence<'_>> = enough.map(evidence).collect();
    let same = find_aliases(&measures, players, primary, dealt);
    let mut rows: Vec<MeasureRow> = Vec::new();
    for ((measure, evidence), same) in measures.iter().zip(&same) {
        rows.push(MeasureRow {
            measure: measure.to_string(),
            called: None,
            of: (*measure).clone(),
            told_of: None,
            pairs: evidence.basis.pairs,
            family: measure.family(),
            unit: measure.unit(),
            difference: evidence.difference(),
            q: 1.0,
            significant: false,
            is_primary: *measure == primary,
            adjusted: None,
            needed: evidence.needed(measure.size()),
            same_as: same.map(|other| measures[other].0.to_string()),
        });
    }
    let together: Vec<usize> = (0..rows.len()).filter(|&row| same[row].is_none() && !rows[row].is_primary).collect();
    let q = false_discoveries(&together.iter().map(|&row| rows[row].difference.p).collect::<Vec<_>>());
    together.iter().zip(q).for_each(|(&row, q)| rows[row].q = q);
    rows.iter_mut().filter(|row| row.is_primary).for_each(|row| row.q = row.difference.p);
    for row in &mut rows {
        row.significant = row.q <= ALPHA && row.pairs >= MIN_PAIRS;
        row.adjusted = (row.significant && row.is_primary).then_some(row.difference.interval);
    }
    let chosen = together.iter().filter(|&&row| rows[row].significant).count();
    let alpha = selection_alpha(chosen, together.len());
    for row in together {
        let (_, evidence) = &measures[row];
        rows[row].adjusted = rows[row].significant.then(|| evidence.interval(alpha));
    }
    for (row, other) in same.into_iter().enumerate().filter_map(|(row, other)| Some((row, other?))) {
        (rows[row].q, rows[row].significant) = (rows[other].q, rows[other].significant);
    }
    rows
}

/// Finds for each measure another one of which it is an alias, if any. Measures with a more important name take precedence.
fn find_aliases(measures: &[MeasureWithEvidence<'_>], players: usize, primary: &Measure, dealt: &[usize]) -> Vec<Option<usize>> {
    let count = |is: fn(&Measure) -> bool| measures.iter().filter(|(measure, ..)| is(measure)).count();
    let only_row = count(|measure| matches!(measure, Measure::Row(_))) == 1;
    let two_kinds = count(|measure| matches!(measure, Measure::WonByKind(_))) == 2;
    let two_teams = count(|measure| matches!(measure, Measure::WonByTeam(_))) == 2;
    let says_the_same = |(one, of_one): &MeasureWithEvidence<'_>, (other, of_other): &MeasureWithEvidence<'_>| match (one, other) {
        // With two players, one wins what the other does not.
        (Measure::WonBy(_), Measure::WonBy(_)) => players == 2,
        (Measure::WonByKind(_), Measure::WonByKind(_)) => two_kinds,
        (Measure::WonByTeam(_), Measure::WonByTeam(_)) => two_teams,
        _ => {
            let of_action = [one, other].iter().any(|measure| matches!(measure, Measure::ActionWith(..)));
            let settled = of_action || only_row && matches!(one, Measure::Row(_));
            (one.may_be_alias_of(other) || other.may_be_alias_of(one))
                && of_one.pairs.same_as(of_other.pairs)
                && (settled || of_one.basis.pairs >= MIN_PAIRS_FOR_ALIAS)
        }
    };
    let mut order: Vec<usize> = (0..measures.len()).collect();
    let of_dealt = |measure: &Measure| matches!(measure, Measure::WonBy(seat) if dealt.contains(seat));
    order.sort_by_key(|&at| (measures[at].0 != primary, !of_dealt(measures[at].0)));
    let mut found: Vec<Option<usize>> = vec![None; measures.len()];
    for (place, &at) in order.iter().enumerate() {
        let said = order[..place].iter().copied().find(|&other| found[other].is_none() && says_the_same(&measures[at], &measures[other]));
        found[at] = said;
    }
    found
}

fn first_divergence(sides: &Sides<'_>, found: &ComparisonResults) -> Option<FirstDivergence> {
    let parting = found.first_divergence.as_ref()?;
    let seed = seed_of_game(sides.seed, parting.pair);
    let answer = |answer: &Option<(i32, u8, String)>| match answer {
        None => "the game is over".to_string(),
        Some((round, seat, key)) => format!("p{} answers `{key}` in round {round}", seat + 1),
    };
    let (without, with) = (answer(&parting.plain), answer(&parting.changed));
    Some(FirstDivergence { pair: parting.pair, seed, answer: parting.answer, answer_without: without, answer_with: with })
}

impl Comparison {
    /// Marks the report as that of a part of a comparison.
    pub fn of_part(mut self, part: RunPart) -> Comparison {
        let pairs = part.games(self.requested);
        self.requested = pairs.end - pairs.start;
        self.part = (part != RunPart::WHOLE).then_some(part);
        self
    }

    /// Assumes that people take this number of seconds for a decision.
    pub fn at_pace(mut self, seconds_per_decision: f64) -> Comparison {
        let minutes = |decisions: f64| decisions * seconds_per_decision / 60.0;
        let decisions = self.row(&Measure::Decisions).map(|row| row.difference).filter(|_| self.pairs > 0);
        self.duration = decisions.map(|decisions| DurationOfSides {
            seconds_per_decision,
            minutes_without: minutes(decisions.plain),
            minutes_with: minutes(decisions.changed),
        });
        self
    }

    /// Adds what the rules of one side have that those of the other have not.
    pub fn between(mut self, rule_changes: Vec<RuleChange>) -> Comparison {
        self.rule_changes = rule_changes;
        self
    }

    /// Adds what the change does if both sides are played by players who have learnt the rules without it, and by players who have learnt those with
    /// it.
    pub fn beside(mut self, [learnt_without, learnt_with]: [&Comparison; 2]) -> Comparison {
        let primary =
            |comparison: &Comparison| comparison.rows.iter().find(|row| row.is_primary).map(|row| (row.difference, row.measure.clone()));
        let found = primary(learnt_without).zip(primary(learnt_with));
        self.cross_play = found.map(|((without, measure), (with, _))| CrossPlay { measure, learnt_without: without, learnt_with: with });
        self
    }

    /// Adds how good the players are. Of players who are below even nothing is shown.
    pub fn by_players_of_skill(mut self, skill: [Option<Skill>; 2]) -> Comparison {
        self.skill = Some(skill);
        if self.is_below_even() {
            for row in &mut self.rows {
                (row.significant, row.adjusted) = (false, None);
            }
        }
        self.concluded(None)
    }

    /// Adds how good the trained players are beside players who search as long for their answers.
    pub fn beside_search(mut self, skill: Option<[Option<Skill>; 2]>) -> Comparison {
        self.skill_beside_search = skill;
        self
    }

    /// Says that these players, who search, have played in place of others.
    pub fn in_place_of(mut self, learnt: Replaced) -> Comparison {
        self.in_place_of = Some(learnt);
        self
    }

    /// Draws the conclusion from the measures, with translated names if there are any.
    fn concluded(mut self, called: Option<PageNames<'_>>) -> Comparison {
        self.conclusion = of_comparison(&self, called);
        self
    }

    /// Whether all players answer by chance.
    pub(crate) fn is_by_chance(&self) -> bool {
        self.agents.iter().all(|agent| agent == "random")
    }

    /// Whether the players of one side are known to be worse than greedy ones.
    pub fn is_below_even(&self) -> bool {
        Skill::any_below_even(&self.skill)
    }

    /// Whether players who search as long win more than those of one side who were trained, by their whole interval.
    pub fn is_below_search(&self) -> bool {
        Skill::any_certainly_below_even(&self.skill_beside_search)
    }

    /// Adds translated names to the report.
    pub fn in_language(mut self, called: PageNames<'_>) -> Comparison {
        self.title = called.names.title(&self.title).to_string();
        for row in &mut self.rows {
            let told = row.of.translated(called);
            row.called = Some(told.to_string());
            row.told_of = Some(told);
        }
        self.concluded(Some(called))
    }

    /// Returns the result for a measure; `None` if it was not measured.
    pub fn row(&self, measure: &Measure) -> Option<&MeasureRow> {
        self.row_called(&measure.to_string())
    }

    /// Returns the result for the measure of this name.
    pub(super) fn row_called(&self, name: &str) -> Option<&MeasureRow> {
        self.rows.iter().find(|row| row.measure == name)
    }
}

impl MeasureRow {
    /// Returns the display name of the measure.
    pub(crate) fn display_name(&self) -> &str {
        self.called.as_ref().unwrap_or(&self.measure)
    }

    /// Returns the number of decimals with which the measure is shown.
    pub(crate) fn digits(&self) -> usize {
        if self.difference.plain.abs().max(self.difference.changed.abs()) < 1.0 { 3 } else { 2 }
    }
}
