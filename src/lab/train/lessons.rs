//! Lessons: agents play with the latest model, states on the way are sampled, and a new model is fitted to what they led to.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::features::{self, Feature, OWN_WORTH};
use super::model::{self, Column, Model, Term};
use super::sample::{DecisionCounts, SamplePlan, StateSample, sample};
use super::search::{self, SEARCH_LESSONS};
use super::{CompileFailure, LessonResult, MAX_COLUMNS, Training, TrainingEvent, agents_block, own_worth_line, trained_agent};
use crate::agent::{AgentKind, TRAINED};
use crate::diagnostic::Severity;
use crate::engine::{Ruleset, Style};
use crate::playtest::script_host;
use crate::source::Span;
use crate::state::chance::{hash_text, join};

/// What lessons have taught.
#[derive(Clone, Debug)]
pub struct Lessons {
    /// The features that differ between players or states.
    features: Vec<Feature>,
    /// The number of rounds left, or of rounds played, as rules text.
    time: &'static str,
    told: Vec<LessonResult>,
    /// The model of each lesson.
    pub models: Vec<Model>,
    /// The states of the last lesson.
    samples: Vec<StateSample>,
    /// Number of answers that agents with one sampled state try in a game.
    pub tried: u64,
    /// Number of answers given in a game.
    pub answers: u64,
    /// Whether what the rules say a state is worth is among the features; it may be written in several places, and is not then.
    has_own_worth: bool,
    /// The number of states over which the rules say what a state is worth; 0 if that is left to agents.
    states: u32,
}

impl Lessons {
    /// Selects columns whose weights are worth improving, each with its standard deviation: those of a model, then others.
    pub fn columns(&self, model: &Model, most: usize) -> Vec<(Column, f64)> {
        model::select_columns(&self.features, self.time, &self.samples, model, most)
    }

    /// Returns the terms of a model that mean something by these rules, which may be others than those it was learnt by, with the standard deviation of
    /// their columns here.
    pub fn known_terms(&self, model: &Model) -> Vec<(Term, f64)> {
        let is_time = |column: &Column| column.times.as_deref().is_none_or(|time| time == self.time);
        let deviation = |term: &Term| model::slope(&self.features, &self.samples, &term.column).map(|[deviation, _]| deviation);
        model.terms.iter().filter(|term| is_time(&term.column)).filter_map(|term| Some((term.clone(), deviation(term)?))).collect()
    }

    /// Returns the model by which greedy players go: what the rules say a state is worth, else the score. `None` if that never differs.
    pub fn of_greedy(&self) -> Option<Model> {
        let name = if self.has_own_worth { OWN_WORTH } else { "score" };
        let column = Column::plain(name);
        let [deviation, slope] = model::slope(&self.features, &self.samples, &column)?;
        // What does not go with the outcome is followed all the same: it is what greedy players follow.
        let weight = if slope > 0.0 { slope } else { 1.0 };
        let terms = vec![Term { column, weight, standardised: weight * deviation }];
        Some(Model { terms, explained: 0.0, states: self.states })
    }
}

/// What lessons have taught, as far as a training goes by it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Taught {
    /// What was told of each lesson.
    told: Vec<LessonResult>,
    /// The model of each lesson.
    pub models: Vec<Model>,
    /// Columns whose weights are worth improving, each with its standard deviation: those of the last model, then others.
    pub columns: Vec<(Column, f64)>,
    /// See [`Lessons::of_greedy`].
    pub of_greedy: Option<Model>,
    /// Number of answers that agents with one sampled state try in a game.
    pub tried: u64,
    /// Number of answers given in a game.
    pub answers: u64,
}

/// Gives all lessons as one step of the training.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn take_lessons(training: &mut Training<'_>) -> Result<Taught, CompileFailure> {
    if let Some(taught) = training.steps.take_over::<Taught>() {
        taught.told.iter().for_each(|told| (training.on_event)(&TrainingEvent::Lesson(told.clone())));
        return Ok(taught);
    }
    let lessons = give_lessons(training)?;
    let columns = lessons.models.last().map(|model| lessons.columns(model, MAX_COLUMNS)).unwrap_or_default();
    let of_greedy = lessons.of_greedy();
    let Lessons { told, models, tried, answers, .. } = lessons;
    let taught = Taught { told, models, columns, of_greedy, tried, answers };
    if !training.is_stopped() {
        training.steps.keep(&taught);
    }
    Ok(taught)
}

/// Gives all lessons.
///
/// # Errors
/// Diagnostics of rules or scripts.
pub fn give_lessons(training: &mut Training<'_>) -> Result<Lessons, CompileFailure> {
    let mut base = accepted_features(training)?;
    // Without a number of rounds, those left are only those up to where games are cut off.
    let has_number = training.checked.rules.rounds.is_some() && training.checked.rules.cut_off.is_none();
    let time = if has_number { "rounds_left" } else { "round" };
    let (mut models, mut told): (Vec<Model>, Vec<LessonResult>) = (Vec::new(), Vec::new());
    let mut width = DecisionCounts::default();
    let mut last = Vec::new();
    // The first, random games show which features vary. For a search, what random games led to is a good teacher, too: it has seen states of all
    // kinds.
    let random_lessons = if training.search.is_some() { 2 } else { 1 };
    let search_lessons = if training.search.is_some() { SEARCH_LESSONS } else { 0 };
    let lessons = random_lessons + training.lessons + search_lessons;
    for lesson in 0..lessons {
        if training.is_stopped() {
            break;
        }
        let learnt = models.last().map(|model| model.style_lines(TRAINED));
        let (rules, styles, time_style) = with_styles(training, &base, time, learnt)?;
        let searches = training.search.filter(|_| lesson + search_lessons >= lessons);
        let agent = match searches {
            Some(iterations) => search::searcher(TRAINED, iterations),
            None if lesson < random_lessons => AgentKind::Random,
            None => trained_agent(1),
        };
        let games = match searches {
            Some(iterations) => search::games_of_lesson(width.answers, iterations, training.games),
            None if lesson == 0 => (training.games / 4).max(1),
            None => training.games.max(1),
        };
        let seed = join(training.seed, hash_text("lesson") ^ lesson as u64);
        let plan = SamplePlan { rules: &rules, features: &styles, time: time_style, agent: &agent, games, seed, answers: width.answers };
        let (samples, wide) = sample(&plan, &|| script_host(&rules), training.stop)?;
        width = wide;
        if training.is_stopped() || samples.is_empty() {
            break;
        }
        let Some((model, columns)) = model::learn(&base, time, &samples, training.terms, training.stop) else { break };
        let heard = LessonResult {
            lesson: lesson + 1,
            states: samples.len(),
            tried: wide.tried,
            columns,
            terms: model.terms.len(),
            explained: model.explained,
        };
        (training.on_event)(&TrainingEvent::Lesson(heard.clone()));
        told.push(heard);
        models.push(model);
        if lesson == 0 && lessons > 1 {
            let varies = model::varying_features(&base, &samples);
            base = base.into_iter().zip(varies).filter(|(_, varies)| *varies).map(|(text, _)| text).collect();
        } else {
            last = samples;
        }
    }
    // Without a further lesson there are no samples of the features that are left.
    let features = if last.is_empty() { Vec::new() } else { base };
    let own = training.checked.rules.worths.iter().find(|worth| worth.style.is_empty());
    let states = own.and_then(|worth| worth.states).unwrap_or(0);
    Ok(Lessons {
        features,
        time,
        told,
        models,
        samples: last,
        tried: width.tried.max(width.options).max(1),
        answers: width.answers,
        has_own_worth: training.own_worth.is_some(),
        states,
    })
}

/// Compiles rules with each feature as a style, and with the latest model as the style of trained agents.
fn with_styles(
    training: &mut Training<'_>,
    base: &[Feature],
    time: &str,
    learnt: Option<String>,
) -> Result<(Arc<Ruleset>, Vec<Style>, Style), CompileFailure> {
    let mut lines: Vec<String> = base.iter().enumerate().map(|(at, feature)| format!("  style feature_{at} = {}", feature.text)).collect();
    lines.push(format!("  style time_left = {time}"));
    lines.extend(learnt);
    let rules = training.compile_with(lines)?;
    let style = |name: &str| rules.find_style(name).unwrap_or_default();
    let styles = (0..base.len()).map(|at| style(&format!("feature_{at}"))).collect();
    let time = style("time_left");
    Ok((rules, styles, time))
}

/// Returns the candidate features without those that the checker rejects.
fn accepted_features(training: &mut Training<'_>) -> Result<Vec<Feature>, CompileFailure> {
    let mut base = features::candidate_features(&training.checked.rules);
    if training.own_worth.is_some() {
        base.insert(0, Feature { text: OWN_WORTH.to_string(), of_table: false });
    }
    let extend = training.checked.rules.has_agents;
    loop {
        let mut lines: Vec<String> =
            base.iter().enumerate().map(|(at, feature)| format!("  style feature_{at} = {}", feature.text)).collect();
        lines.extend(training.own_worth.as_deref().map(own_worth_line));
        let text = agents_block(extend, &lines);
        let Err(failed) = (training.compile)(&text) else { return Ok(base) };
        let ours = |span: Span| failed.sources.text(span.file) == text;
        let line_of = |span: Span| text[..span.start as usize].matches('\n').count();
        let errors = failed.diagnostics.iter().filter(|wrong| wrong.severity == Severity::Error);
        let refused: Vec<usize> = errors.filter_map(|wrong| wrong.span).filter(|span| ours(*span)).map(line_of).collect();
        let before = base.len();
        base = base.into_iter().enumerate().filter(|(at, _)| !refused.contains(&(at + 1))).map(|(_, text)| text).collect();
        if base.len() == before {
            return Err(failed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was learnt by other rules: their median, their word for time and what only they have need not be those of these rules.
    #[test]
    fn terms_of_other_rules_are_known_by_their_features() {
        let sample = |game: u64| {
            let values = vec![vec![game as f32 % 7.0], vec![3.0]];
            StateSample { game, time: 2.0, mover: 0, sides: 2, feature_values: values, outcome: vec![1.0, -1.0] }
        };
        let lessons = Lessons {
            features: vec![Feature { text: "moss".to_string(), of_table: false }],
            time: "rounds_left",
            told: Vec::new(),
            models: Vec::new(),
            samples: (0..20).map(sample).collect(),
            tried: 1,
            answers: 1,
            has_own_worth: false,
            states: 0,
        };
        let column =
            |feature: &str, up_to, times: Option<&str>| Column { feature: feature.to_string(), up_to, times: times.map(String::from) };
        let columns = [
            column("moss", None, None),
            column("moss", Some(5), Some("rounds_left")),
            column("moss", None, Some("round")),
            column("fog", None, None),
        ];
        let terms = columns.iter().map(|column| Term { column: column.clone(), weight: 1.0, standardised: 1.0 }).collect();
        let known = lessons.known_terms(&Model { terms, ..Model::default() });
        let found: Vec<&Column> = known.iter().map(|(term, _)| &term.column).collect();
        assert_eq!(found, [&columns[0], &columns[1]]);
        // The leads of a seat over the other are -3 to 3 twice, and -3 to 2, with both signs: a mean square of 75 / 20.
        assert!((known[0].1 - 3.75_f64.sqrt()).abs() < 1e-6, "{}", known[0].1);
    }
}
