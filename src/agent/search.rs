//! Monte Carlo tree search for several players with hidden cards: each iteration imagines what is hidden anew and goes down one tree that
//! all of them share (information set MCTS: Cowling, Powley and Whitehouse, *IEEE Transactions on Computational Intelligence and AI in
//! Games* 4(2), 2012). Whoever is asked goes by its own reward (max^n: Luckhardt and Irani, AAAI 1986). Answers are ordered by what one
//! looks like at once, more of them are looked at the more often a question comes up (progressive widening: Chaslot et al., *New
//! Mathematics and Natural Computation* 4(3), 2008), and which of them is tried next is settled by PUCT (Silver et al., *Nature* 550,
//! 2017). A leaf is worth what the rules' `worth` says of it; a game that ends on the way, what its players have won.

use crate::cast;
use std::sync::atomic::Ordering;

use super::lookahead::{Lookahead, Trial};
use super::tree::{Rewards, Tree};
use super::{Advice, Agent, Look, highest};
use crate::engine::{Fault, Game, Ruleset, Scripts, Style};
use crate::state::chance::{draw, hash_text, join};
use crate::state::layout::head::MOST_SEATS;

/// How long a search thinks about a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Budget {
    /// So many iterations: the same on every machine.
    Iterations(u32),
    /// So many milliseconds: as many iterations as the machine makes in that time.
    Milliseconds(u32),
}

/// Answers on one way down at most; a game that asks more often before it is at rest is valued where it stands.
const LONGEST_WAY: usize = 200;
/// The clock is looked at after so many iterations.
const BETWEEN_LOOKS: u64 = 16;

/// An agent that searches.
pub struct Search {
    /// The name of the style by which it values leaves.
    style: String,
    budget: Budget,
    lookahead: Lookahead,
    tree: Tree,
    game: Game,
    /// The answers of the present way down: node and branch.
    way: Vec<(usize, usize)>,
}

impl Search {
    /// An agent of this style (the usual one if it has no name) that thinks so long.
    pub fn new(style: &str, budget: Budget) -> Search {
        let (lookahead, tree, game) = (Lookahead::default(), Tree::default(), Game::default());
        Search { style: style.to_string(), budget, lookahead, tree, game, way: Vec::new() }
    }
}

impl Agent for Search {
    fn choose(&mut self, look: &mut Look<'_>) -> Result<usize, Fault> {
        let (rules, decision, chance) = (look.rules(), look.decision(), look.chance());
        let style = rules.style(&self.style).unwrap_or_else(|| rules.usual_style());
        let imagination = look.imagination();
        self.tree.clear(decision.seat);
        let mut clock = Clock::new(self.budget);
        while clock.goes_on() && !look.stop().load(Ordering::Relaxed) {
            let random = draw(chance, hash_text("imagined"), clock.done);
            imagination.imagine(random, &mut self.game);
            self.iterate(rules, look.scripts(), style, random);
        }
        let best = self.tree.most_visited(0, |key| join(chance, key));
        let found = best.and_then(|key| decision.options.iter().position(|option| option.key == key));
        Ok(found.unwrap_or_else(|| highest(chance, &decision.options)))
    }

    fn avoided(&mut self) -> Option<Box<Fault>> {
        self.lookahead.fault()
    }

    fn advise(&mut self, look: &mut Look<'_>) -> Result<Advice, Fault> {
        let choice = self.choose(look)?;
        Ok(Advice { choice, values: self.rewards(look.decision()) })
    }
}

impl Search {
    /// What the answers below the root have brought so far, in points of whoever is asked, ahead of the others.
    fn rewards(&self, decision: &crate::engine::Decision) -> Vec<Option<f64>> {
        decision.options.iter().map(|option| self.tree.mean(0, option.key).map(|reward| reward / 1000.0)).collect()
    }

    /// One way down the tree and back. What meets a fault is forgotten.
    fn iterate(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, style: Style, random: u64) {
        self.way.clear();
        if let Some(rewards) = self.descend(rules, scripts, style, random) {
            self.tree.note(&self.way, &rewards);
        }
    }

    fn descend(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, style: Style, random: u64) -> Option<Rewards> {
        let (mut node, mut from) = (0, None);
        for _ in 0..LONGEST_WAY {
            let Some(decision) = self.game.decision() else {
                if self.game.finished() {
                    return Some(won(rules, &mut self.game));
                }
                self.lookahead.unless_it_faults(self.game.on(rules).advance(scripts).map(|_| ()))?;
                continue;
            };
            if decision.options.len() == 1 {
                self.lookahead.unless_it_faults(self.game.on(rules).answer(scripts, 0))?;
                continue;
            }
            if let Some((above, branch)) = from {
                node = self.tree.below(above, branch, decision.seat, decision.question);
            }
            if !self.tree.is_open(node) {
                self.open(rules, scripts, style, node, random);
            }
            let (branch, option) = self.tree.select(node, &self.game.decision()?.options)?;
            let first = self.tree.visits(node, branch) == 0;
            self.way.push((node, branch));
            self.lookahead.unless_it_faults(self.game.on(rules).answer(scripts, option))?;
            if first && self.game.decision().is_none() && !self.game.finished() {
                return Some(valued(rules, &mut self.game, style));
            }
            from = Some((node, branch));
        }
        Some(valued(rules, &mut self.game, style))
    }

    /// Lists the answers of a node that is reached again, the most promising first.
    fn open(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, style: Style, node: usize, random: u64) {
        let Some(decision) = self.game.decision() else { return };
        let (seat, count) = (decision.seat, decision.options.len());
        // What no answer changes is worked out here once, and copied with the state.
        self.game.on(rules).worth(seat, style);
        let mut trial = Trial::new(rules, scripts, seat, style, random);
        let values: Vec<Option<i64>> =
            (0..count).map(|option| self.lookahead.value(&mut trial, &self.game, (option, count)).map(|value| value.0)).collect();
        let Some(decision) = self.game.decision() else { return };
        self.tree.open(node, &decision.options, &values);
    }
}

/// What a state that goes on is worth to each seat, beside the others.
fn valued(rules: &Ruleset, game: &mut Game, style: Style) -> Rewards {
    let mut worth = [0; MOST_SEATS];
    (0..rules.players).for_each(|seat| worth[seat] = game.on(rules).worth(seat, style));
    beside_others(&worth[..rules.players])
}

/// What the end is worth to each seat: its lead in points, and as much again as lies between first and last for who wins.
fn won(rules: &Ruleset, game: &mut Game) -> Rewards {
    let sign = if rules.lowest_wins { -1000 } else { 1000 };
    let mut points = [0; MOST_SEATS];
    (0..rules.players).for_each(|seat| points[seat] = sign * game.on(rules).score(seat));
    let points = &mut points[..rules.players];
    let most = points.iter().max().copied().unwrap_or(0);
    let prize = most - points.iter().min().copied().unwrap_or(0) + 1000;
    let winners = game.on(rules).winners();
    winners.iter().filter(|seat| **seat < rules.players).for_each(|&seat| points[seat] += prize / cast::count(winners.len()));
    beside_others(points)
}

/// How much more each has than the others on average, and than the best of them, in equal parts; alone, what it has.
fn beside_others(worth: &[i64]) -> Rewards {
    let (sum, others) = (worth.iter().sum::<i64>(), cast::count(worth.len()) - 1);
    let mut rewards = [0.0; MOST_SEATS];
    for (seat, &own) in worth.iter().enumerate() {
        let best = worth.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, worth)| *worth).max();
        let lead = |best: i64| own as f64 - ((sum - own) as f64 / others.max(1) as f64 + best as f64) / 2.0;
        rewards[seat] = best.map_or(own as f64, lead);
    }
    rewards
}

/// Counts iterations, or looks at the time.
struct Clock {
    budget: Budget,
    done: u64,
    begun: Option<std::time::Instant>,
}

impl Clock {
    #[expect(clippy::disallowed_methods, reason = "whoever gives a search a time wants it to look at the clock")]
    fn new(budget: Budget) -> Clock {
        let begun = matches!(budget, Budget::Milliseconds(_)).then(std::time::Instant::now);
        Clock { budget, done: 0, begun }
    }

    /// Whether there is time for one more iteration; there is for the first.
    fn goes_on(&mut self) -> bool {
        let left = match self.budget {
            Budget::Iterations(most) => self.done < u64::from(most),
            Budget::Milliseconds(most) => {
                let over = |begun: std::time::Instant| begun.elapsed().as_millis() >= u128::from(most);
                self.done == 0 || !self.done.is_multiple_of(BETWEEN_LOOKS) || !self.begun.is_some_and(over)
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
    use crate::{AgentKind, Seats};
    use houserule_rules::toy::toy;

    /// Games that the first seat wins, and the answers of all.
    fn played(agents: &str, games: u64) -> (u64, Vec<usize>) {
        let rules = toy(2);
        let kinds = crate::parse_agents(agents, 2).unwrap();
        let mut seats = Seats::new(&kinds);
        let (mut won, mut answers) = (0, Vec::new());
        for seed in 0..games {
            let mut game = Game::new(&rules, seed);
            seats.begin(seed);
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
        assert!(played("search:60,random", 30).0 >= 29);
        assert!(played("search:100,greedy", 40).0 >= 20);
    }

    #[test]
    fn so_many_iterations_are_the_same_each_time() {
        assert_eq!(played("search:30", 4), played("search:30", 4));
    }

    #[test]
    fn a_time_comes_to_its_end_and_one_iteration_is_always_made() {
        let kind = AgentKind::parse("search:1ms").unwrap();
        assert_eq!(kind, AgentKind::Search { style: String::new(), budget: Budget::Milliseconds(1) });
        assert!(played("search:1ms,random", 2).1.len() > 8);
        let mut clock = Clock::new(Budget::Milliseconds(0));
        let made = (0..100).take_while(|_| clock.goes_on()).count();
        assert_eq!(made as u64, 1 + BETWEEN_LOOKS - 1);
    }

    #[test]
    fn rewards_are_leads_over_the_others_and_the_best_of_them() {
        assert_eq!(beside_others(&[10, 4, 1])[..3], [6.75, -3.75, -7.5]);
        assert_eq!(beside_others(&[10])[..1], [10.0]);
        let same = beside_others(&[3, 3]);
        assert_eq!(same[0], same[1]);
    }
}
