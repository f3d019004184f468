//! An agent that answers at random, in such a way that a changed rule leaves as many of its answers as possible unchanged.

use super::{Agent, DecisionView};
use crate::engine::{Fault, Opt};
use crate::state::chance::{hash_text, join};

/// Takes the option with the highest hash: an added option changes the answer only if it is itself chosen.
pub struct RandomAgent;

/// Hash that represents all free options together, since they are numerous and should not use up a turn.
const FREE_OPTIONS_HASH: u64 = hash_text("free");

impl Agent for RandomAgent {
    fn choose(&mut self, look: &mut DecisionView<'_>) -> Result<usize, Fault> {
        Ok(highest_hash_option(look.random_number(), &look.decision().options))
    }
}

/// Returns the index of the option with the highest hash. All free options together count as one.
pub fn highest_hash_option(chance: u64, options: &[Opt]) -> usize {
    // Of those that are not free, and of the free ones; of equal ones the last.
    let mut best: [Option<(u64, usize)>; 2] = [None; 2];
    for (index, option) in options.iter().enumerate() {
        let (hash, best) = (join(chance, option.key), &mut best[usize::from(option.free)]);
        if best.is_none_or(|(highest, _)| hash >= highest) {
            *best = Some((hash, index));
        }
    }
    match best.into() {
        (Some((hash, index)), Some((_, free))) => {
            if join(chance, FREE_OPTIONS_HASH) > hash {
                free
            } else {
                index
            }
        }
        (Some((_, index)), None) | (None, Some((_, index))) => index,
        (None, None) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Act;

    fn option(key: u64, free: bool) -> Opt {
        Opt { key, act: Act::Done, free, nth: 0 }
    }

    #[test]
    fn free_options_together_count_as_one() {
        let options: Vec<Opt> = (0..20).map(|key| option(key, key >= 2)).collect();
        let mut taken = [0; 20];
        for chance in 0..3000 {
            taken[highest_hash_option(chance, &options)] += 1;
        }
        assert!((850..1150).contains(&taken[0]) && (850..1150).contains(&taken[1]), "{taken:?}");
        let free: u32 = taken[2..].iter().sum();
        assert!((850..1150).contains(&free), "{taken:?}");
        assert!(taken.iter().all(|&count| count > 0));
    }

    #[test]
    fn an_option_that_is_added_changes_the_answer_only_if_it_is_chosen() {
        for free in [false, true] {
            let mut options = vec![option(1, false), option(2, false), option(3, true)];
            let before: Vec<u64> = (0..200).map(|chance| options[highest_hash_option(chance, &options)].key).collect();
            options.insert(1, option(9, free));
            for (chance, before) in before.into_iter().enumerate() {
                let after = options[highest_hash_option(chance as u64, &options)].key;
                assert!(after == before || after == 9);
            }
        }
    }

    #[test]
    fn only_free_options_are_chosen_among() {
        let options = [option(1, true), option(2, true)];
        let first = (0..200).filter(|&chance| highest_hash_option(chance, &options) == 0).count();
        assert!((60..140).contains(&first));
        assert_eq!(highest_hash_option(1, &[]), 0);
    }
}
