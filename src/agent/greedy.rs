//! An agent that looks one action ahead: it tries each option in sampled states and compares their `worth` as declared by the rules.
//! Of many states, the first are shared by all options and the later go to the best so far (sequential halving: Karnin, Koren and
//! Somekh, ICML 2013).

use super::lookahead::{Horizon, Lookahead, LookaheadContext};
use super::{Agent, DecisionView, Recommendation, highest_hash_option};
use crate::engine::decision::Question;
use crate::engine::{Fault, Game, Opt};
use crate::state::chance::{draw, hash_text, join};

/// Number of units of a payment that are chosen anew. After that the previous answer is repeated, if it is still offered.
const MAX_EVALUATIONS: u64 = 2;
/// Number of states, and each of its doublings, after which only the better half of the options is tried further.
const FIRST_HALVING: u32 = 2;
/// Minimum number of options that are tried in all states.
const MIN_TRIED_TO_THE_END: usize = 2;

/// Number of states that are sampled where other seats answer before an option has had its effect, unless rules or users say how many.
const STATES_WHERE_OTHERS_ANSWER: u32 = 8;

/// An agent that takes the option with the highest mean worth over sampled states.
pub struct GreedyAgent {
    /// Name of the style whose `worth` is used.
    style: String,
    states: Option<u32>,
    sampled: Game,
    /// The state itself, on the lookout.
    open: Game,
    lookahead: Lookahead,
    values: Vec<OptionStats>,
    /// The options that are still tried, by index; reused from decision to decision.
    left: Vec<usize>,
    last_key: u64,
}

/// The results of one option in the sampled states.
#[derive(Clone, Copy, Default)]
struct OptionStats {
    sum: i64,
    tried: u32,
    ends_turns: bool,
    /// Whether it has fallen behind, and is tried in no further state.
    dropped: bool,
    /// Whether it has told something new in the state itself.
    tells: bool,
    /// The farthest point up to which the option was followed; `None` if it never was.
    horizon: Option<Horizon>,
}

impl GreedyAgent {
    /// Creates an agent with this style (the default style if empty) that samples `states` states for each decision, or the number that
    /// the rules declare.
    pub fn new(style: &str, states: Option<u32>) -> GreedyAgent {
        GreedyAgent {
            style: style.to_string(),
            states,
            sampled: Game::default(),
            open: Game::default(),
            lookahead: Lookahead::default(),
            values: Vec::new(),
            left: Vec::new(),
            last_key: 0,
        }
    }
}

impl Agent for GreedyAgent {
    fn choose(&mut self, look: &mut DecisionView<'_>) -> Result<usize, Fault> {
        let options = &look.decision().options;
        let settled = look.decision().question == Question::Payment && look.repeat_count() >= MAX_EVALUATIONS;
        let again = options.iter().position(|option| settled && option.key == self.last_key);
        let chosen = again.unwrap_or_else(|| self.evaluate(look, true));
        self.last_key = options[chosen].key;
        Ok(chosen)
    }

    fn advise(&mut self, look: &mut DecisionView<'_>) -> Result<Recommendation, Fault> {
        let choice = self.evaluate(look, false);
        let most_tried = self.values.iter().map(|value| value.tried).max().unwrap_or(0);
        let mean = |value: &OptionStats| {
            (value.tried == most_tried && most_tried > 0).then(|| value.sum as f64 / (1000.0 * f64::from(most_tried)))
        };
        let horizon = self.values[choice].horizon;
        Ok(Recommendation { choice, values: self.values.iter().map(mean).collect(), horizon })
    }

    fn observe_answer(&mut self, key: u64) {
        self.last_key = key;
    }

    fn count_tried(&self) -> u64 {
        self.lookahead.answer_count()
    }

    fn take_avoided_fault(&mut self) -> Option<Box<Fault>> {
        self.lookahead.take_fault()
    }
}

impl GreedyAgent {
    /// Returns the index of the best option. Where options may be dropped, those that have fallen behind have been tried in fewer states.
    fn evaluate(&mut self, look: &mut DecisionView<'_>, may_drop: bool) -> usize {
        let (rules, decision, chance) = (look.rules(), look.decision(), look.random_number());
        let by_chance = highest_hash_option(chance, &decision.options);
        let imagination = look.sampler();
        let style = rules.find_style(&self.style).unwrap_or_else(|| rules.default_style());
        let mut trial = LookaheadContext::new(rules, look.scripts(), decision.seat, style, chance);
        self.values.clear();
        self.values.resize(decision.options.len(), OptionStats::default());
        let (mut sampled, mut open) = (std::mem::take(&mut self.sampled), std::mem::take(&mut self.open));
        let told = self.states.or_else(|| rules.default_states(style));
        let mut states = told.unwrap_or(1);
        let mut state: u32 = 0;
        // What tells nothing new has the same effect in the state itself as in any that can be imagined.
        let is_open = imagination.look_out_in(&mut open);
        if is_open {
            open.store(rules).keep_worth(trial.seat, style);
        }
        while state < states {
            let random = draw(chance, hash_text("imagined"), u64::from(state));
            // Random answers of other seats are sampled anew, too.
            trial.chance = if state == 0 { chance } else { random };
            let mut is_sampled = false;
            for (index, option) in decision.options.iter().enumerate() {
                if self.values[index].dropped {
                    continue;
                }
                let count = decision.options.len();
                let is_open = is_open && !self.values[index].tells;
                let openly = if is_open { self.lookahead.evaluate_openly(&mut trial, &mut open, (index, count)) } else { None };
                self.values[index].tells |= is_open && openly.is_none();
                let outcome = openly.unwrap_or_else(|| {
                    if !is_sampled {
                        is_sampled = true;
                        imagination.sample_into(random, &mut sampled);
                        // Values that no option changes are computed once here and kept from try to try.
                        sampled.store(rules).keep_worth(trial.seat, style);
                    }
                    let same = find_same_option(&sampled, option, index)?;
                    self.lookahead.evaluate_option(&mut trial, &mut sampled, (same, count))
                });
                if let Some(outcome) = outcome {
                    let value = &mut self.values[index];
                    value.sum += outcome.worth;
                    value.tried += 1;
                    value.ends_turns |= outcome.ends_turns;
                    value.horizon = value.horizon.max(Some(outcome.horizon));
                    if told.is_none() && outcome.guessed {
                        states = STATES_WHERE_OTHERS_ANSWER;
                    }
                }
            }
            state += 1;
            if may_drop && state < states && state >= FIRST_HALVING && state.is_power_of_two() {
                drop_worse_half(&mut self.values, &mut self.left, |index| join(chance, decision.options[index].key));
            }
        }
        (self.sampled, self.open) = (sampled, open);
        best_option(&self.values, &decision.options, chance).unwrap_or(by_chance)
    }
}

/// Drops the worse half of the options that are still tried; `tie` decides between equally good ones.
fn drop_worse_half(values: &mut [OptionStats], left: &mut Vec<usize>, tie: impl Fn(usize) -> u64) {
    left.clear();
    left.extend((0..values.len()).filter(|&index| !values[index].dropped));
    left.sort_unstable_by_key(|&index| std::cmp::Reverse((values[index].tried, values[index].sum, !values[index].ends_turns, tie(index))));
    for &index in left.iter().skip(left.len().div_ceil(2).max(MIN_TRIED_TO_THE_END)) {
        values[index].dropped = true;
    }
}

/// Finds the index of an option in a sampled state. It rarely differs from the index in the real state.
fn find_same_option(game: &Game, option: &Opt, index: usize) -> Option<usize> {
    let options = &game.decision()?.options;
    if options.get(index).is_some_and(|found| found.key == option.key) {
        return Some(index);
    }
    options.iter().position(|found| found.key == option.key)
}

/// Returns the best option that was evaluated in every sampled state. An option that ends the seat's turns is taken only if no other is
/// better.
fn best_option(values: &[OptionStats], options: &[Opt], chance: u64) -> Option<usize> {
    let most_tried = values.iter().map(|value| value.tried).max().filter(|tried| *tried > 0)?;
    let tried = || values.iter().zip(options).enumerate().filter(|(_, (value, _))| value.tried == most_tried);
    let rank = |&(_, (value, option)): &(usize, (&OptionStats, &Opt))| (value.sum, join(chance, option.key));
    let end = tried().filter(|(_, (value, _))| value.ends_turns).max_by_key(rank);
    let other = tried().filter(|(_, (value, _))| !value.ends_turns).max_by_key(rank);
    match (end, other) {
        (Some(end), Some(other)) => Some(if other.1.0.sum > end.1.0.sum { other.0 } else { end.0 }),
        (end, other) => end.or(other).map(|(index, _)| index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Act;

    fn choose(values: &[(i64, u32, bool)]) -> Option<usize> {
        let options: Vec<Opt> = (0..values.len() as u64).map(|key| Opt { key, act: Act::Done, free: false, nth: 0 }).collect();
        let values: Vec<OptionStats> =
            values.iter().map(|&(sum, tried, ends_turns)| OptionStats { sum, tried, ends_turns, ..OptionStats::default() }).collect();
        best_option(&values, &options, 7)
    }

    #[test]
    fn the_most_worth_is_taken_and_the_end_when_nothing_is_better() {
        assert_eq!(choose(&[(5, 1, false), (7, 1, false), (6, 1, true)]), Some(1));
        assert_eq!(choose(&[(5, 1, false), (6, 1, false), (6, 1, true)]), Some(2));
        assert_eq!(choose(&[(5, 1, false), (-6, 1, false)]), Some(0));
        assert_eq!(choose(&[(1, 1, true)]), Some(0));
    }

    #[test]
    fn an_option_that_faults_in_a_state_is_left_out() {
        assert_eq!(choose(&[(50, 1, false), (7, 2, false)]), Some(1));
        assert_eq!(choose(&[(0, 0, false), (0, 0, false)]), None);
    }

    #[test]
    fn the_worse_half_is_tried_no_further_and_two_are_tried_to_the_end() {
        let mut values: Vec<OptionStats> =
            [(4, 2), (9, 2), (90, 1), (7, 2), (1, 2)].map(|(sum, tried)| OptionStats { sum, tried, ..OptionStats::default() }).to_vec();
        drop_worse_half(&mut values, &mut Vec::new(), |_| 0);
        assert_eq!(values.iter().map(|value| value.dropped).collect::<Vec<_>>(), [false, false, true, false, true]);
        drop_worse_half(&mut values, &mut Vec::new(), |_| 0);
        drop_worse_half(&mut values, &mut Vec::new(), |_| 0);
        assert_eq!(values.iter().map(|value| value.dropped).collect::<Vec<_>>(), [true, false, true, false, true]);
    }

    #[test]
    fn ties_fall_by_chance() {
        let options: Vec<Opt> = (0..3).map(|key| Opt { key, act: Act::Done, free: false, nth: 0 }).collect();
        let values = [OptionStats { sum: 4, tried: 1, ..OptionStats::default() }; 3];
        let taken: std::collections::BTreeSet<_> = (0..50).map(|chance| best_option(&values, &options, chance)).collect();
        assert_eq!(taken.len(), 3);
    }
}
