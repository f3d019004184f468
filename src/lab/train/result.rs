//! The result of a training.

use super::model::Model;
use super::trial::Duel;
use crate::cast;
use crate::playtest::compare::Difference;
use crate::playtest::wilson;

/// The result of a training.
#[derive(Clone, Debug, Default)]
pub struct TrainingResult {
    /// The model of each lesson and checkpoint.
    pub models: Vec<Model>,
    /// For each model, and last for the default agent of the rules, the number of games won (halves for shared wins) and of games played;
    /// all of them played in the same games.
    pub won: Vec<(f64, u64)>,
    /// The index of the model by which greedy players go, if it is written since the best of the others loses to them.
    pub greedy_instead: Option<usize>,
    /// Numbers of sampled states that were not compared, since games are too long for them.
    pub untried: Vec<u32>,
    /// Shares of wins per seat of the same kind of player without what was learnt and of the best model, in games other than those by which
    /// the model was selected.
    pub duel: Duel,
    /// Number of iterations with which players search who go by what was learnt; `None` for players who look one answer ahead.
    pub search: Option<u32>,
    /// Whether the training was stopped early.
    pub stopped: bool,
}

impl TrainingResult {
    /// Returns the model with the highest share of wins, or what greedy players go by if that loses to them.
    pub fn best(&self) -> Option<&Model> {
        self.at_best().and_then(|best| self.models.get(best))
    }

    /// Returns the index of the best model.
    pub(super) fn at_best(&self) -> Option<usize> {
        if self.greedy_instead.is_some() {
            return self.greedy_instead;
        }
        let share = |at: usize| self.won.get(at).map_or(0.0, |(won, games)| won / (*games).max(1) as f64);
        (0..self.models.len()).max_by(|&a, &b| share(a).total_cmp(&share(b)).then(a.cmp(&b)))
    }

    /// Returns the paired difference in the share of wins per seat between the player without what was learnt and the best model.
    pub fn against_untrained(&self) -> Difference {
        self.duel.difference()
    }

    /// Whether the best model loses to the same kind of player without it, so that it would replace something better: where it does, in other
    /// deals than those by which it was selected, and its whole interval is below even.
    pub fn is_worse_than_untrained(&self) -> bool {
        self.duel.pairs.taken > 1 && self.duel.distinct() > 1 && self.against_untrained().interval[1] < 0.0
    }

    /// Returns the name of the same kind of player without what was learnt.
    pub fn untrained(&self) -> String {
        self.search.map_or("greedy".to_string(), |iterations| format!("search:{iterations}"))
    }

    /// Formats the result as text: wins of each model, and the model that is written.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let untrained = self.untrained();
        if self.won.iter().all(|(_, games)| *games == 0) {
            return "stopped before models met: the last one is written\n".to_string();
        }
        for (at, (won, games)) in self.won.iter().enumerate() {
            let name = if at < self.models.len() { format!("model {}", at + 1) } else { untrained.clone() };
            let share = wilson(cast::whole::<u64>(won.round()), *games, 1.0);
            let best = if Some(at) == self.at_best() { "  the best" } else { "" };
            text.push_str(&format!(
                "{name:<10} won {:>5.1}% of its {games} games ({:.1} to {:.1}){best}\n",
                share.share * 100.0,
                share.interval[0] * 100.0,
                share.interval[1] * 100.0
            ));
        }
        let states = self.best().map_or(1, |best| best.states.max(1));
        let states_text = if states == 1 { "1 state".to_string() } else { format!("{states} states") };
        let is_written = if self.is_worse_than_untrained() {
            format!("the best loses to {untrained}, and is not written")
        } else {
            "the best is written".to_string()
        };
        if self.greedy_instead.is_some() {
            text.push_str("what was learnt loses to greedy, so that the best is what greedy goes by\n");
        }
        match self.search {
            Some(_) if self.is_worse_than_untrained() => text.push_str(&is_written),
            Some(iterations) => text.push_str(&format!("{is_written}, for search:trained:{iterations}")),
            None => text.push_str(&format!("{is_written}; it imagines {states_text}")),
        }
        if !self.untried.is_empty() {
            let untried: Vec<String> = self.untried.iter().map(u32::to_string).collect();
            text.push_str(&format!(" ({} were not tried: games are long)", untried.join(" and ")));
        }
        text.push('\n');
        let (deals, distinct) = (self.duel.pairs.taken, self.duel.distinct());
        if deals > 1 && distinct == 1 {
            text.push_str(&format!(
                "against {untrained}, {deals} deals played twice, and all the same: who never answers by chance plays one deal in one way, so that \
                 nothing is known of others\n"
            ));
        } else if deals > 0 {
            let Difference { plain, changed, difference, interval: [low, high], .. } = self.against_untrained();
            let [plain, changed, difference, low, high] = [plain, changed, difference, low, high].map(|share| share * 100.0);
            let verdict = match (low > 0.0, high < 0.0) {
                (true, _) => "better",
                (_, true) => "WORSE",
                _ => "not shown to be better or worse",
            };
            let of_these = if distinct < deals { format!(" ({distinct} distinct)") } else { String::new() };
            let (who, each) = if self.duel.together {
                ("all of its own win", format!("all of {untrained}'s"))
            } else {
                ("each seat of its own wins", format!("each of {untrained}'s"))
            };
            text.push_str(&format!(
                "against {untrained}, {deals} deals played twice{of_these}: {who} {changed:.1}%, {each} {plain:.1}%; {difference:+.1} ({low:+.1} to \
                 {high:+.1}): {verdict}\n"
            ));
        }
        if self.stopped {
            text.push_str("stopped early\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result_with_wins(games: u64, won: [f64; 2]) -> TrainingResult {
        let mut duel = Duel { players: 2, ..Duel::default() };
        for game in 0..games {
            let (one, other) = if game % 4 == 0 { (0.5, 0.5) } else { (won[0], won[1]) };
            duel.pairs.add(one, other);
            duel.different.add(game);
        }
        TrainingResult { models: vec![Model::default()], won: vec![(won[1], games), (won[0], games)], duel, ..TrainingResult::default() }
    }

    #[test]
    fn what_greedy_goes_by_is_written_if_nothing_better_was_learnt() {
        let mut found = result_with_wins(40, [0.5, 0.9]);
        let greedy = Model { states: 4, ..Model::default() };
        found.models.push(greedy.clone());
        found.won.insert(1, (0.1, 40));
        assert_eq!(found.at_best(), Some(0));
        found.greedy_instead = Some(1);
        assert_eq!(found.best(), Some(&greedy));
        let text = found.text();
        assert!(text.contains("the best is what greedy goes by\nthe best is written; it imagines 4 states"), "{text}");
    }

    #[test]
    fn where_no_models_met_nobody_is_called_the_best() {
        assert_eq!(result_with_wins(0, [0.0, 0.0]).text(), "stopped before models met: the last one is written\n");
    }

    #[test]
    fn one_deal_again_and_again_is_no_evidence() {
        let mut found = result_with_wins(0, [0.0, 0.0]);
        found.won = vec![(200.0, 400), (200.0, 400)];
        for _ in 0..200 {
            found.duel.pairs.add(0.0, 1.0);
            found.duel.different.add(7);
        }
        let text = found.text();
        assert!(text.contains("200 deals played twice, and all the same") && !text.contains("better"), "{text}");
    }

    #[test]
    fn what_is_written_is_called_better_only_where_it_is_shown() {
        let cases = [([0.2, 0.8], ": better\n"), ([0.8, 0.2], ": WORSE\n"), ([0.5, 0.5], ": not shown to be better or worse\n")];
        for (won, verdict) in cases {
            let found = result_with_wins(40, won);
            assert!(found.text().ends_with(verdict), "{}", found.text());
            let is_worse = verdict.contains("WORSE");
            assert_eq!((found.is_worse_than_untrained(), found.text().contains("the best is written; ")), (is_worse, !is_worse));
        }
    }
}
