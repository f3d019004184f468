//! Looks one action ahead, in imagined states, for what the rules declare a state to be worth.

use super::lookahead::{Lookahead, Trial};
use super::{Advice, Agent, Look, highest};
use crate::engine::{Act, Fault, Game, Opt};
use crate::state::chance::{draw, hash_text, join};

/// A question that comes again, and that nothing but another answer ends, is thought about so often; from then on the
/// answer stays, if it is still there.
const MOST_THOUGHT: u64 = 2;

/// An option's value is the mean worth of the states that follow it.
pub struct Greedy {
    /// The name of the style by which it values states.
    style: String,
    states: Option<u32>,
    imagined: Game,
    lookahead: Lookahead,
    values: Vec<Value>,
    last_key: u64,
    /// How often the question was put when dice fell last, and how many had been rolled by then.
    since: (u64, i64),
}

/// What is known of an option.
#[derive(Clone, Copy, Default)]
struct Value {
    sum: i64,
    tried: u32,
    ends_turns: bool,
}

impl Greedy {
    /// An agent of this style (the usual one if it has no name) that imagines this many states at each decision, or as many as the rules say.
    pub fn new(style: &str, states: Option<u32>) -> Greedy {
        Greedy {
            style: style.to_string(),
            states,
            imagined: Game::default(),
            lookahead: Lookahead::default(),
            values: Vec::new(),
            last_key: 0,
            since: (0, 0),
        }
    }
}

impl Agent for Greedy {
    fn choose(&mut self, look: &mut Look<'_>) -> Result<usize, Fault> {
        let options = &look.decision().options;
        if look.repeat() == 0 || look.rolls() != self.since.1 {
            self.since = (look.repeat(), look.rolls());
        }
        let settled = look.repeat().saturating_sub(self.since.0) >= MOST_THOUGHT && !options.iter().any(|option| ends(option.act));
        let again = options.iter().position(|option| settled && option.key == self.last_key);
        let chosen = again.unwrap_or_else(|| self.think(look));
        self.last_key = options[chosen].key;
        Ok(chosen)
    }

    fn advise(&mut self, look: &mut Look<'_>) -> Result<Advice, Fault> {
        let choice = self.think(look);
        let most = self.values.iter().map(|value| value.tried).max().unwrap_or(0);
        let mean = |value: &Value| (value.tried == most && most > 0).then(|| value.sum as f64 / (1000.0 * f64::from(most)));
        Ok(Advice { choice, values: self.values.iter().map(mean).collect() })
    }

    fn took(&mut self, key: u64) {
        self.last_key = key;
    }

    fn tried(&self) -> u64 {
        self.lookahead.answers()
    }

    fn avoided(&mut self) -> Option<Box<Fault>> {
        self.lookahead.fault()
    }
}

impl Greedy {
    fn think(&mut self, look: &mut Look<'_>) -> usize {
        let (rules, decision, chance) = (look.rules(), look.decision(), look.chance());
        let by_chance = highest(chance, &decision.options);
        let imagination = look.imagination();
        let style = rules.style(&self.style).unwrap_or_else(|| rules.usual_style());
        let mut trial = Trial::new(rules, look.scripts(), decision.seat, style, chance);
        self.values.clear();
        self.values.resize(decision.options.len(), Value::default());
        let mut imagined = std::mem::take(&mut self.imagined);
        for state in 0..self.states.unwrap_or_else(|| rules.states(style)) {
            let random = draw(chance, hash_text("imagined"), state as u64);
            imagination.imagine(random, &mut imagined);
            // What others answer by chance is imagined anew, too.
            trial.chance = if state == 0 { chance } else { random };
            // What no option changes is worked out here once, and copied with the state.
            imagined.on(rules).worth(trial.seat, style);
            for (index, option) in decision.options.iter().enumerate() {
                let Some(same) = same_option(&imagined, option, index) else { continue };
                if let Some((worth, ends_turns)) = self.lookahead.value(&mut trial, &imagined, (same, decision.options.len())) {
                    let value = &mut self.values[index];
                    value.sum += worth;
                    value.tried += 1;
                    value.ends_turns |= ends_turns;
                }
            }
        }
        self.imagined = imagined;
        best(&self.values, &decision.options, chance).unwrap_or(by_chance)
    }
}

/// Whether an answer ends a series of questions.
fn ends(act: Act) -> bool {
    matches!(act, Act::Done | Act::Nothing)
}

/// The index of an option in an imagined state; hardly ever another than in the real one.
fn same_option(game: &Game, option: &Opt, index: usize) -> Option<usize> {
    let options = &game.decision()?.options;
    if options.get(index).is_some_and(|found| found.key == option.key) {
        return Some(index);
    }
    options.iter().position(|found| found.key == option.key)
}

/// The best option that was tried in every state. The one that ends the seat's turns is taken when nothing is better.
fn best(values: &[Value], options: &[Opt], chance: u64) -> Option<usize> {
    let most_tried = values.iter().map(|value| value.tried).max().filter(|tried| *tried > 0)?;
    let tried = || values.iter().zip(options).enumerate().filter(|(_, (value, _))| value.tried == most_tried);
    let rank = |&(_, (value, option)): &(usize, (&Value, &Opt))| (value.sum, join(chance, option.key));
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

    fn choose(values: &[(i64, u32, bool)]) -> Option<usize> {
        let options: Vec<Opt> = (0..values.len() as u64).map(|key| Opt { key, act: Act::Done, free: false, nth: 0 }).collect();
        let values: Vec<Value> = values.iter().map(|&(sum, tried, ends_turns)| Value { sum, tried, ends_turns }).collect();
        best(&values, &options, 7)
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
    fn ties_fall_by_chance() {
        let options: Vec<Opt> = (0..3).map(|key| Opt { key, act: Act::Done, free: false, nth: 0 }).collect();
        let values = [Value { sum: 4, tried: 1, ends_turns: false }; 3];
        let taken: std::collections::BTreeSet<_> = (0..50).map(|chance| best(&values, &options, chance)).collect();
        assert_eq!(taken.len(), 3);
    }
}
