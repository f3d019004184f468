//! Monte Carlo tree search for several players with hidden information. Each iteration samples the hidden cards anew and descends one
//! shared tree (information set MCTS: Cowling, Powley and Whitehouse, *IEEE Transactions on Computational Intelligence and AI in Games*
//! 4(2), 2012). Each seat maximises its own reward (max^n: Luckhardt and Irani, AAAI 1986). Answers are sorted by a one-step evaluation,
//! and the number of answers considered grows with the number of visits (progressive widening: Chaslot et al., *New Mathematics and
//! Natural Computation* 4(3), 2008). PUCT selects among them (Silver et al., *Nature* 550, 2017). A leaf is evaluated by the rules'
//! `worth`, a finished game by its result.

use crate::cast;
use std::sync::atomic::Ordering;

use super::lookahead::{Lookahead, LookaheadContext};
use super::tree::{Rewards, Tree};
use super::{Agent, DecisionView, Recommendation, highest_hash_option};
use crate::engine::{Ended, Fault, Game, Ruleset, Scripts, Style};
use crate::state::chance::{draw, hash_text, join};
use crate::state::layout::head::MAX_SEATS;

/// The budget of a search for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Budget {
    /// Number of iterations: the same result on every machine.
    Iterations(u32),
    /// Time in milliseconds: the number of iterations depends on the machine.
    Milliseconds(u32),
}

/// Maximum number of answers in one descent. A game that asks more questions is evaluated where it stands.
const MAX_DESCENT: usize = 200;
/// Number of search iterations between two readings of the clock.
const ITERATIONS_PER_CLOCK_READING: u64 = 16;

/// An agent that uses Monte Carlo tree search.
pub struct SearchAgent {
    /// Name of the style used to evaluate leaves.
    style: String,
    budget: Budget,
    lookahead: Lookahead,
    tree: Tree,
    game: Game,
    /// The path of the current descent, as pairs of node and branch.
    path: Vec<(usize, usize)>,
}

impl SearchAgent {
    /// Creates an agent with this style (the default style if empty) and this budget for each decision.
    pub fn new(style: &str, budget: Budget) -> SearchAgent {
        let (lookahead, tree, game) = (Lookahead::default(), Tree::default(), Game::default());
        SearchAgent { style: style.to_string(), budget, lookahead, tree, game, path: Vec::new() }
    }
}

impl Agent for SearchAgent {
    fn choose(&mut self, look: &mut DecisionView<'_>) -> Result<usize, Fault> {
        let (rules, decision, chance) = (look.rules(), look.decision(), look.random_number());
        let style = rules.find_style(&self.style).unwrap_or_else(|| rules.default_style());
        let imagination = look.sampler();
        self.tree.clear(decision.seat);
        let mut clock = Clock::new(self.budget);
        while clock.has_budget() && !look.stop_flag().load(Ordering::Relaxed) {
            let random = draw(chance, hash_text("imagined"), clock.done);
            imagination.sample_into(random, &mut self.game);
            self.iterate(rules, look.scripts(), style, random);
        }
        let best = self.tree.most_visited(0, |key| join(chance, key));
        let found = best.and_then(|key| decision.options.iter().position(|option| option.key == key));
        Ok(found.unwrap_or_else(|| highest_hash_option(chance, &decision.options)))
    }

    fn take_avoided_fault(&mut self) -> Option<Box<Fault>> {
        self.lookahead.take_fault()
    }

    fn advise(&mut self, look: &mut DecisionView<'_>) -> Result<Recommendation, Fault> {
        let choice = self.choose(look)?;
        Ok(Recommendation { choice, values: self.mean_rewards(look.decision()), horizon: None })
    }
}

impl SearchAgent {
    /// Returns the mean reward of each answer to the open question so far, as the lead of the asked seat in points.
    fn mean_rewards(&self, decision: &crate::engine::Decision) -> Vec<Option<f64>> {
        decision.options.iter().map(|option| self.tree.mean_reward(0, option.key).map(|reward| reward / 1000.0)).collect()
    }

    /// Descends the tree once and adds the rewards to the branches on the path. A descent that meets a fault is discarded.
    fn iterate(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, style: Style, random: u64) {
        self.path.clear();
        if let Some(rewards) = self.descend(rules, scripts, style, random) {
            self.tree.back_propagate(&self.path, &rewards);
        }
    }

    fn descend(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, style: Style, random: u64) -> Option<Rewards> {
        let (mut node, mut from) = (0, None);
        // Whether the descent has left the tree, and goes on only to where its last answer has had its effect.
        let mut is_new = false;
        for _ in 0..MAX_DESCENT {
            let Some(decision) = self.game.decision() else {
                let advanced = match self.game.on(rules).ended() {
                    Some(Ended::Game) => return Some(evaluate_result(rules, &mut self.game, style)),
                    Some(Ended::Turn | Ended::Round) if is_new => return Some(evaluate_state(rules, &mut self.game, style)),
                    None if is_new => self.game.on(rules).advance_part(scripts),
                    Some(Ended::Turn | Ended::Round) | None => self.game.on(rules).advance(scripts).map(|_| ()),
                };
                self.lookahead.record_fault(advanced)?;
                continue;
            };
            if decision.options.len() == 1 {
                self.lookahead.record_fault(self.game.on(rules).answer(scripts, 0))?;
                continue;
            }
            if let Some((above, branch)) = from {
                node = self.tree.find_or_add_child(above, branch, decision.seat, decision.question);
            }
            if !self.tree.is_expanded(node) {
                self.expand(rules, scripts, style, node, random);
            }
            let (branch, option) = self.tree.select(node, &self.game.decision()?.options)?;
            is_new |= self.tree.visit_count(node, branch) == 0;
            self.path.push((node, branch));
            self.lookahead.record_fault(self.game.on(rules).answer(scripts, option))?;
            from = Some((node, branch));
        }
        Some(evaluate_state(rules, &mut self.game, style))
    }

    /// Expands a node that is reached for the second time: lists its answers, the most promising first.
    fn expand(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, style: Style, node: usize, random: u64) {
        let Some(decision) = self.game.decision() else { return };
        let (seat, count) = (decision.seat, decision.options.len());
        // Values that no answer changes are computed once here and copied with the state.
        self.game.on(rules).worth(seat, style);
        let mut trial = LookaheadContext::new(rules, scripts, seat, style, random);
        let values: Vec<Option<i64>> = (0..count)
            .map(|option| self.lookahead.evaluate_option(&mut trial, &self.game, (option, count)).map(|found| found.worth))
            .collect();
        let Some(decision) = self.game.decision() else { return };
        self.tree.expand(node, &decision.options, &values);
    }
}

/// Evaluates an unfinished state: for each seat its worth relative to the others. Players of one side are of one mind: each gets the mean
/// of what the state is worth to them.
fn evaluate_state(rules: &Ruleset, game: &mut Game, style: Style) -> Rewards {
    let mut worth = [0; MAX_SEATS];
    (0..rules.players).for_each(|seat| worth[rules.side(seat)] += game.on(rules).worth(seat, style));
    let sides = rules.side_count();
    let each = cast::count(rules.players / sides.max(1)).max(1);
    worth[..sides].iter_mut().for_each(|worth| *worth /= each);
    rewards_of_seats(rules, &worth[..sides])
}

/// Evaluates a finished game: for each seat the lead of its side in points, plus a bonus for winners as large as the gap between first and
/// last. Where all win or lose together and rules say what a state is worth, a game that is won counts that twice, and a lost one not at all.
fn evaluate_result(rules: &Ruleset, game: &mut Game, style: Style) -> Rewards {
    if rules.together.is_some() && rules.worth_formula(style).is_some() {
        let won = !game.on(rules).winners().is_empty();
        return evaluate_state(rules, game, style)
            .map(|worth| if won { worth + worth.abs() + 1000.0 } else { worth - worth.abs() - 1000.0 });
    }
    rewards_of_seats(rules, &game.on(rules).points_and_prizes()[..rules.side_count()])
}

/// Gives each seat the reward of its side.
fn rewards_of_seats(rules: &Ruleset, worth_of_sides: &[i64]) -> Rewards {
    let of_sides = relative_to_others(worth_of_sides);
    let mut rewards = [0.0; MAX_SEATS];
    (0..rules.players).for_each(|seat| rewards[seat] = of_sides[rules.side(seat)]);
    rewards
}

/// Returns for each seat the mean of two leads: over the average of the others, and over the best of them. A single seat keeps its own
/// worth.
fn relative_to_others(worth: &[i64]) -> Rewards {
    let (sum, others) = (worth.iter().sum::<i64>(), cast::count(worth.len()) - 1);
    let mut rewards = [0.0; MAX_SEATS];
    for (seat, &own) in worth.iter().enumerate() {
        let best = worth.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, worth)| *worth).max();
        let lead = |best: i64| own as f64 - ((sum - own) as f64 / others.max(1) as f64 + best as f64) / 2.0;
        rewards[seat] = best.map_or(own as f64, lead);
    }
    rewards
}

/// Counts the iterations of a search or measures its time, as its budget demands.
struct Clock {
    budget: Budget,
    done: u64,
    started: Option<std::time::Instant>,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "whoever gives a search a time wants it to look at the clock")]
    fn new(budget: Budget) -> Clock {
        let started = matches!(budget, Budget::Milliseconds(_)).then(std::time::Instant::now);
        Clock { budget, done: 0, started }
    }

    /// Whether the budget of the search allows one more iteration. The first is always allowed.
    fn has_budget(&mut self) -> bool {
        let left = match self.budget {
            Budget::Iterations(highest) => self.done < u64::from(highest),
            Budget::Milliseconds(highest) => {
                let over = |started: std::time::Instant| started.elapsed().as_millis() >= u128::from(highest);
                self.done == 0 || !self.done.is_multiple_of(ITERATIONS_PER_CLOCK_READING) || !self.started.is_some_and(over)
            }
        };
        self.done += 1;
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NoScripts;
    use crate::{AgentKind, SeatAgents};
    use houserule_rules::toy::toy;

    /// Plays games. Returns how many the first seat won, and the index of each chosen option.
    fn play_games(agents: &str, games: u64) -> (u64, Vec<usize>) {
        let rules = toy(2);
        let kinds = crate::parse_agents(agents, 2).unwrap();
        let mut seats = SeatAgents::new(&kinds);
        let (mut won, mut answers) = (0, Vec::new());
        for seed in 0..games {
            let mut game = Game::new(&rules, seed);
            seats.begin_game(seed);
            while game.on(&rules).advance(&mut NoScripts).unwrap().is_some() {
                let chosen = seats.choose(&rules, &game, &mut NoScripts).unwrap();
                answers.push(chosen);
                game.on(&rules).answer(&mut NoScripts, chosen).unwrap();
            }
            won += u64::from(game.on(&rules).winners().contains(&0));
        }
        (won, answers)
    }

    #[test]
    fn it_beats_chance_and_is_no_worse_than_one_answer_ahead() {
        assert!(play_games("search:60,random", 30).0 >= 29);
        assert!(play_games("search:100,greedy", 40).0 >= 20);
    }

    #[test]
    fn so_many_iterations_are_the_same_each_time() {
        assert_eq!(play_games("search:30", 4), play_games("search:30", 4));
    }

    #[test]
    fn a_time_comes_to_its_end_and_one_iteration_is_always_made() {
        let kind = AgentKind::parse("search:1ms").unwrap();
        assert_eq!(kind, AgentKind::Search { style: String::new(), budget: Budget::Milliseconds(1) });
        assert!(play_games("search:1ms,random", 2).1.len() > 8);
        let mut clock = Clock::new(Budget::Milliseconds(0));
        let made = (0..100).take_while(|_| clock.has_budget()).count();
        assert_eq!(made as u64, 1 + ITERATIONS_PER_CLOCK_READING - 1);
    }

    #[test]
    fn rewards_are_leads_over_the_others_and_the_best_of_them() {
        assert_eq!(relative_to_others(&[10, 4, 1])[..3], [6.75, -3.75, -7.5]);
        assert_eq!(relative_to_others(&[10])[..1], [10.0]);
        let same = relative_to_others(&[3, 3]);
        assert_eq!(same[0], same[1]);
    }
}
