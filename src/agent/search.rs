//! Monte Carlo tree search for several players with hidden information. Each iteration samples the hidden cards anew and descends one
//! shared tree (information set MCTS: Cowling, Powley and Whitehouse, *IEEE Transactions on Computational Intelligence and AI in Games*
//! 4(2), 2012). Each seat maximises its own reward (max^n: Luckhardt and Irani, AAAI 1986). Answers are sorted by a one-step evaluation.
//!
//! Answers to the open question are compared by sequential halving (Karnin, Koren and Somekh, ICML 2013; in trees: Pepels et al., ECAI
//! 2014): all that are left are tried in the same imagined states, so that luck is the same for each (common random numbers), and from time
//! to time the worse half is dropped. At later questions the number of answers considered grows with the number of visits (progressive
//! widening: Chaslot et al., *New Mathematics and Natural Computation* 4(3), 2008), and PUCT selects among them (Silver et al., *Nature*
//! 550, 2017). Where a question comes up for the first time, only the answers that have gained most so far in this search are tried, and those
//! that were never tried (the history heuristic: Schaeffer, *IEEE Transactions on Pattern Analysis and Machine Intelligence* 11(11), 1989).
//! A leaf is evaluated by the rules' `worth`, a finished game by its result.

use crate::cast;
use std::collections::HashMap;
use std::sync::atomic::Ordering;

use super::lookahead::{Lookahead, LookaheadContext, is_in_series};
use super::tree::{Above, Rewards, Tree};
use super::{Agent, DecisionView, Recommendation, highest_hash_option};
use crate::engine::decision::Question;
use crate::engine::{Act, Decision, Ended, Fault, Game, Ruleset, Scripts, Style};
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
/// Number of answers to the open question that are tried, for each square root of an iteration: more of them leave too little for each.
const CANDIDATES_PER_ROOT: f64 = 2.0;
/// Minimum number of answers that are tried to the end of the budget.
const MIN_CANDIDATES: usize = 2;
/// Number of answers that are tried where a question comes up for the first time, beside those that were never tried in this search.
const TRIED_AT_EXPANSION: usize = 4;
/// Share of a time after which no further answer is tried for the first time.
const SHARE_OF_FIRST_PASS: f64 = 1.0 / 3.0;

/// An agent that uses Monte Carlo tree search.
pub struct SearchAgent {
    /// Name of the style used to evaluate leaves.
    style: String,
    budget: Budget,
    lookahead: Lookahead,
    tree: Tree,
    /// By these answers are sorted where a question comes up for the first time.
    gains: Gains,
    /// The imagined state of the current pass over the answers that are left.
    sampled: Game,
    game: Game,
    /// What another seat imagines at its question, for what its answers promise.
    imagined: Game,
    /// The path of the current descent, as pairs of node and branch.
    path: Vec<(usize, usize)>,
}

/// Where a descent stands in the tree.
#[derive(Default)]
struct Standing {
    /// What came before the next question.
    last: Above,
    /// The simultaneous block whose answers are secret as long as it runs.
    block: Option<SecretBlock>,
}

/// Answers that are secret so far.
struct SecretBlock {
    /// See [`Game::secret_block`].
    number: i32,
    before: Above,
    /// The last answer of each seat: what it answers next depends on nothing else that happens in the block.
    of_seats: [Option<(usize, usize)>; MAX_SEATS],
    /// A hash of all answers.
    answers: u64,
}

impl Standing {
    /// Returns what comes before the question that is open. The number is that of a block whose answers are secret.
    fn above(&mut self, seat: usize, number: Option<i32>) -> Above {
        if let Some(ended) = self.block.take_if(|block| Some(block.number) != number) {
            self.last.revealed = ended.answers;
        }
        let Some(number) = number else { return self.last };
        let before = self.last;
        let block = self.block.get_or_insert_with(|| SecretBlock { number, before, of_seats: Default::default(), answers: 0 });
        block.of_seats[seat].map_or(block.before, |answer| Above { answer: Some(answer), revealed: 0 })
    }

    /// Notes the answer to the open question, as node and branch, and its key.
    fn answered(&mut self, seat: usize, answer: (usize, usize), key: u64) {
        self.last = Above { answer: Some(answer), revealed: 0 };
        if let Some(block) = &mut self.block {
            block.of_seats[seat] = Some(answer);
            block.answers = join(block.answers, join(seat as u64, key));
        }
    }
}

impl SearchAgent {
    /// Creates an agent with this style (the default style if empty) and this budget for each decision.
    pub fn new(style: &str, budget: Budget) -> SearchAgent {
        SearchAgent {
            style: style.to_string(),
            budget,
            lookahead: Lookahead::default(),
            tree: Tree::default(),
            gains: Gains::default(),
            sampled: Game::default(),
            game: Game::default(),
            imagined: Game::default(),
            path: Vec::new(),
        }
    }
}

impl Agent for SearchAgent {
    fn choose(&mut self, look: &mut DecisionView<'_>) -> Result<usize, Fault> {
        let (decision, chance) = (look.decision(), look.random_number());
        let best = self.halve(look, chance);
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
    fn mean_rewards(&self, decision: &Decision) -> Vec<Option<f64>> {
        decision.options.iter().map(|option| self.tree.mean_reward(0, option.key).map(|reward| reward / 1000.0)).collect()
    }

    /// Tries the most promising answers in the same imagined states, and drops the worse half several times, after equal shares of the budget.
    /// Returns the key of the best. A pass over all that are left is finished, even if the budget ends within it.
    fn halve(&mut self, look: &mut DecisionView<'_>, chance: u64) -> Option<u64> {
        let (rules, imagination, stop) = (look.rules(), look.sampler(), look.stop_flag());
        let style = rules.find_style(&self.style).unwrap_or_else(|| rules.default_style());
        let mut clock = Clock::new(self.budget);
        self.tree.clear(look.decision().seat);
        self.gains.0.clear();
        imagination.sample_into(draw(chance, hash_text("imagined"), 0), &mut self.sampled);
        self.game.clone_from(&self.sampled);
        self.expand(rules, look.scripts(), style, 0, chance);
        let mut left: Vec<u64> = self.tree.keys(0).collect();
        left.truncate(self.budget.candidates());
        let tried = self.pass(rules, look.scripts(), (style, draw(chance, hash_text("imagined"), 0)), &left, &mut clock);
        left.truncate(tried);
        // Of a time, what the first pass has left; of iterations, which are enough for all answers, all.
        let begun = if self.budget.is_time() { clock.share_used().min(1.0) } else { 0.0 };
        let rounds = left.len().max(2).next_power_of_two().trailing_zeros();
        let mut passes = 1;
        for round in 1..=rounds {
            let share = begun + (1.0 - begun) * f64::from(round) / f64::from(rounds);
            while clock.share_used() < share && !stop.load(Ordering::Relaxed) {
                let random = draw(chance, hash_text("imagined"), passes);
                imagination.sample_into(random, &mut self.sampled);
                self.pass(rules, look.scripts(), (style, random), &left, &mut clock);
                passes += 1;
            }
            let mean = |key: &u64| self.tree.mean_reward(0, *key).unwrap_or(f64::MIN);
            left.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
            if round < rounds {
                left.truncate(left.len().div_ceil(2).max(MIN_CANDIDATES));
            }
        }
        left.first().copied()
    }

    /// Tries each of these answers once in the sampled state. Returns how many were tried: in a first pass the time may be too short for all.
    fn pass(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        (style, random): (Style, u64),
        left: &[u64],
        clock: &mut Clock,
    ) -> usize {
        let is_first = clock.done == 0;
        for (tried, &key) in left.iter().enumerate() {
            if is_first && tried >= MIN_CANDIDATES && clock.is_time_up(SHARE_OF_FIRST_PASS) {
                return tried;
            }
            clock.done += 1;
            let option = self.sampled.decision().and_then(|decision| decision.options.iter().position(|option| option.key == key));
            let (Some(option), Some(branch)) = (option, self.tree.branch_of(0, key)) else { continue };
            self.game.clone_from(&self.sampled);
            self.path.clear();
            // A descent that meets a fault is discarded.
            if let Some(rewards) = self.descend(rules, scripts, (style, random), (branch, option)) {
                self.tree.back_propagate(&self.path, &rewards);
            }
        }
        left.len()
    }

    /// Gives an answer to the open question, descends the tree from there, and returns the rewards at its leaf.
    fn descend(
        &mut self,
        rules: &Ruleset,
        scripts: &mut dyn Scripts,
        (style, random): (Style, u64),
        (branch, option): (usize, usize),
    ) -> Option<Rewards> {
        let mut standing = Standing::default();
        // Whether the descent has left the tree, and goes on only to where its last answer has had its effect.
        let mut is_new = self.tree.visit_count(0, branch) == 0;
        self.path.push((0, branch));
        let mut last = answer_of(&self.game, option);
        let Decision { seat, options, .. } = self.game.decision()?;
        standing.above(*seat, self.game.secret_block(rules));
        standing.answered(*seat, (0, branch), options.get(option)?.key);
        self.lookahead.record_fault(self.game.on(rules).answer(scripts, option))?;
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
            if is_new && last.is_some_and(|last| is_asked_again(rules, decision, last)) {
                return Some(evaluate_state(rules, &mut self.game, style));
            }
            if decision.options.len() == 1 {
                self.lookahead.record_fault(self.game.on(rules).answer(scripts, 0))?;
                continue;
            }
            let (seat, question) = (decision.seat, decision.question);
            let node = self.tree.find_or_add_child(standing.above(seat, self.game.secret_block(rules)), seat, question);
            if !self.tree.is_expanded(node) {
                self.expand(rules, scripts, style, node, random);
            }
            let (branch, option) = self.tree.select(node, &self.game.decision()?.options)?;
            last = answer_of(&self.game, option);
            let key = self.game.decision()?.options.get(option)?.key;
            is_new |= self.tree.visit_count(node, branch) == 0;
            self.path.push((node, branch));
            self.lookahead.record_fault(self.game.on(rules).answer(scripts, option))?;
            standing.answered(seat, (node, branch), key);
        }
        Some(evaluate_state(rules, &mut self.game, style))
    }

    /// Expands a node: lists its answers, the most promising first, and equally promising ones by chance. What they promise is what they do in
    /// a state that the asked seat imagines, if the searching seat knows more than that seat, or what they have gained so far in this search.
    fn expand(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, style: Style, node: usize, random: u64) {
        let searching = self.tree.seat_of(0);
        let knows_alike = self.game.decision().is_none_or(|decision| self.game.is_known_alike(rules, [searching, decision.seat]));
        if !knows_alike {
            self.game.imagine(rules, random, &mut self.imagined);
        }
        let game = if knows_alike { &mut self.game } else { &mut self.imagined };
        let Some(decision) = game.decision() else { return };
        let (seat, keys) = (decision.seat, decision.options.iter().map(|option| option.key).collect::<Vec<u64>>());
        let expected: Vec<Option<i64>> = keys.iter().map(|&key| self.gains.mean(seat, key)).collect();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_by_key(|&option| std::cmp::Reverse(expected[option].unwrap_or(i64::MAX)));
        let tries = if node == 0 { keys.len() } else { TRIED_AT_EXPANSION };
        // Values that no answer changes are computed once here.
        let before = game.store(rules).worth(seat, style);
        let mut values: Vec<Option<i64>> = expected.iter().map(|gain| gain.map(|gain| before.saturating_add(gain))).collect();
        let mut trial = LookaheadContext::new(rules, scripts, seat, style, random);
        for (nth, &option) in order.iter().enumerate() {
            if nth >= tries && expected[option].is_some() {
                break;
            }
            values[option] = self.lookahead.evaluate_option(&mut trial, game, (option, keys.len())).map(|found| found.worth);
            if let Some(found) = values[option] {
                self.gains.add(seat, keys[option], found.saturating_sub(before));
            }
        }
        let Some(decision) = game.decision() else { return };
        self.tree.expand(node, &decision.options, &values, |key| join(random, key));
    }
}

/// What answers have gained in this search where they were tried, by seat and key: the sum in thousandths of a point, and how often.
#[derive(Default)]
struct Gains(HashMap<(usize, u64), (i64, i64)>);

impl Gains {
    /// Adds what an answer has gained in a state.
    fn add(&mut self, seat: usize, key: u64, gain: i64) {
        let (sum, count) = self.0.entry((seat, key)).or_default();
        *sum = sum.saturating_add(gain);
        *count += 1;
    }

    /// Returns the mean gain of an answer; `None` if it was never tried.
    fn mean(&self, seat: usize, key: u64) -> Option<i64> {
        self.0.get(&(seat, key)).map(|(sum, count)| sum / count)
    }
}

/// Returns which seat gives which answer to which question, if it takes the option with this index.
fn answer_of(game: &Game, option: usize) -> Option<(usize, Question, Act)> {
    let decision = game.decision()?;
    Some((decision.seat, decision.question, decision.options.get(option)?.act))
}

/// Whether a seat is asked once more what it has just answered, so that the answer has had its effect. The units of a payment, tokens and
/// picks are parts of one answer.
fn is_asked_again(rules: &Ruleset, decision: &Decision, (seat, question, act): (usize, Question, Act)) -> bool {
    let is_same = (decision.seat, decision.question) == (seat, question);
    is_same && !is_in_series(rules, question, act) && decision.options.iter().all(|option| option.act != Act::Done)
}

/// Evaluates an unfinished state: for each seat its worth relative to the others. Players of one side are of one mind: each gets the mean
/// of what the state is worth to them.
fn evaluate_state(rules: &Ruleset, game: &mut Game, style: Style) -> Rewards {
    let mut worth = [0; MAX_SEATS];
    (0..rules.players).for_each(|seat| worth[rules.side(seat)] += game.store(rules).worth(seat, style));
    let sides = rules.side_count();
    let each = cast::count(rules.players / sides.max(1)).max(1);
    worth[..sides].iter_mut().for_each(|worth| *worth /= each);
    rewards_of_seats(rules, &worth[..sides])
}

/// Evaluates a finished game: for each seat the lead of its side in points, plus a bonus for winners as large as the gap between first and
/// last. Where all win or lose together and rules say what a state is worth, a game that is won counts that twice, and a lost one not at all.
fn evaluate_result(rules: &Ruleset, game: &mut Game, style: Style) -> Rewards {
    if rules.together.is_some() && rules.worth_formula(style).is_some() {
        let won = !game.store(rules).winners().is_empty();
        return evaluate_state(rules, game, style)
            .map(|worth| if won { worth + worth.abs() + 1000.0 } else { worth - worth.abs() - 1000.0 });
    }
    rewards_of_seats(rules, &game.store(rules).points_and_prizes()[..rules.side_count()])
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

impl Budget {
    /// Whether it is a time.
    fn is_time(self) -> bool {
        match self {
            Budget::Iterations(_) => false,
            Budget::Milliseconds(_) => true,
        }
    }

    /// Returns the maximum number of answers to one question that are worth trying.
    fn candidates(self) -> usize {
        match self {
            Budget::Iterations(most) => cast::whole::<usize>((CANDIDATES_PER_ROOT * f64::from(most).sqrt()).ceil()).max(MIN_CANDIDATES),
            // The first pass shows how many.
            Budget::Milliseconds(_) => usize::MAX,
        }
    }
}

/// Counts the iterations of a search or measures its time, as its budget demands.
struct Clock {
    budget: Budget,
    done: u64,
    started: Option<web_time::Instant>,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "whoever gives a search a time wants it to look at the clock")]
    fn new(budget: Budget) -> Clock {
        let started = matches!(budget, Budget::Milliseconds(_)).then(web_time::Instant::now);
        Clock { budget, done: 0, started }
    }

    /// Returns the share of the budget that is used, from 0; nothing before the first iteration, which is always allowed.
    fn share_used(&self) -> f64 {
        match self.budget {
            _ if self.done == 0 => 0.0,
            Budget::Iterations(most) => self.done as f64 / f64::from(most),
            Budget::Milliseconds(most) => self.started.map_or(1.0, |started| started.elapsed().as_secs_f64() * 1000.0 / f64::from(most)),
        }
    }

    /// Whether this share of a time is over; never where iterations are counted.
    fn is_time_up(&self, share: f64) -> bool {
        matches!(self.budget, Budget::Milliseconds(_)) && self.share_used() >= share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NoScripts;
    use crate::{AgentKind, SeatAgents};
    use houserule_rules::testing::toy;

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
            won += u64::from(game.store(&rules).winners().contains(&0));
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
        let mut clock = Clock::new(Budget::Milliseconds(1));
        assert!(clock.share_used() < 1.0 && !clock.is_time_up(0.5));
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert_eq!(clock.share_used(), 0.0, "one pass is always made");
        clock.done = 1;
        assert!(clock.share_used() >= 1.0 && clock.is_time_up(0.5));
        clock = Clock { done: 7, ..Clock::new(Budget::Iterations(10)) };
        assert_eq!((clock.share_used(), clock.is_time_up(0.1)), (0.7, false));
    }

    #[test]
    fn secret_answers_are_given_without_knowing_the_others_and_known_after_the_block() {
        let above = |answer, revealed| Above { answer, revealed };
        // The open question is in block 7, where seat 0 is asked first, then seat 1 twice.
        let of_first = |key| {
            let mut standing = Standing::default();
            assert_eq!(standing.above(0, Some(7)), Above::default());
            standing.answered(0, (0, 4), key);
            assert_eq!(standing.above(1, Some(7)), Above::default(), "seat 1 does not know of it");
            standing.answered(1, (1, 0), 50);
            assert_eq!(standing.above(1, Some(7)), above(Some((1, 0)), 0), "seat 1 knows what it has answered");
            standing.answered(1, (2, 0), 60);
            standing
        };
        let known = |key, next| of_first(key).above(0, next);
        assert_eq!(known(40, None), known(40, Some(9)), "all are known after the block, and in the next one");
        assert!(known(40, None) != known(41, None) && known(40, None).answer == Some((2, 0)));
        let mut standing = of_first(40);
        standing.above(1, None);
        standing.answered(1, (3, 1), 70);
        assert_eq!(standing.above(0, None), above(Some((3, 1)), 0), "without a block the last answer is all");
    }

    #[test]
    fn the_same_question_again_is_where_an_answer_has_had_its_effect() {
        let rules = toy(2);
        let opt = |act| crate::engine::Opt { key: 1, act, free: false, nth: 0 };
        let asked = |seat, question, acts: &[Act]| Decision { seat, question, options: acts.iter().map(|act| opt(*act)).collect() };
        let (turn, act) = (Question::Turn(0), Act::Choice(0, [0; 3]));
        let after = |decision: &Decision, question| is_asked_again(&rules, decision, (0, question, act));
        assert!(after(&asked(0, turn, &[act]), turn));
        assert!(!after(&asked(1, turn, &[act]), turn), "another seat");
        assert!(!after(&asked(0, Question::Cover, &[act]), turn), "another question");
        assert!(!after(&asked(0, Question::Payment, &[act]), Question::Payment), "one more unit of a payment");
        assert!(!after(&asked(0, turn, &[act, Act::Done]), turn), "more may follow");
    }

    #[test]
    fn few_iterations_try_few_answers() {
        assert_eq!([1, 4, 100, 1000].map(|most| Budget::Iterations(most).candidates()), [2, 4, 20, 64]);
    }

    #[test]
    fn points_are_a_style_of_all_rules() {
        let kind = AgentKind::parse("search:points:9ms").unwrap();
        assert_eq!(kind, AgentKind::Search { style: "points".to_string(), budget: Budget::Milliseconds(9) });
        let rules = toy(2);
        assert_eq!(kind.check_rules(&rules), Ok(()));
        let style = rules.find_style("points").unwrap();
        assert!(rules.worth_formula(style).is_none() && rules.worth_formula(rules.default_style()).is_some());
    }

    #[test]
    fn rewards_are_leads_over_the_others_and_the_best_of_them() {
        assert_eq!(relative_to_others(&[10, 4, 1])[..3], [6.75, -3.75, -7.5]);
        assert_eq!(relative_to_others(&[10])[..1], [10.0]);
        let same = relative_to_others(&[3, 3]);
        assert_eq!(same[0], same[1]);
    }
}
