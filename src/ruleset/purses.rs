//! Payments of prices in several words: how much is lacking where each thing that pays does so for one of some words alone.

/// The most words that a purse can be of: all sets of them are tried.
pub const MAX_WORDS: usize = 12;

/// A price, and all that pays it.
#[derive(Clone, Debug, Default)]
pub struct Payment {
    /// How much is due of each word; what is 0 or less is nothing.
    pub due: Vec<i64>,
    /// What pays: the group to which it belongs, the words for any of which it pays as a bit set, and how much there is.
    pub means: Vec<(usize, u64, i64)>,
    /// How much each group pays at most.
    pub limits: Vec<i64>,
}

impl Payment {
    /// Returns how much cannot be paid, 0 if all can.
    ///
    /// What flows from the groups over what pays to the words is as much as the least cut lets through: for some set of words, all that pays for any of
    /// them, within the limits of the groups, and what is due of the others. So it is the largest difference, over all sets of words, between what is due
    /// of these and what can pay for them.
    pub fn lacking(&self) -> i64 {
        let wanted: Vec<(u64, i64)> = (0..).zip(&self.due).filter(|(_, due)| **due > 0).map(|(word, &due)| (1 << word, due)).collect();
        let mut most = 0;
        for set in 1_u64..1 << wanted.len().min(MAX_WORDS) {
            let within = wanted.iter().enumerate().filter(|(nth, _)| set >> nth & 1 == 1);
            let (words, due) = within.fold((0, 0_i64), |(words, sum), (_, (bit, due))| (words | bit, sum.saturating_add(*due)));
            if due <= most {
                continue;
            }
            let paid = (0..self.limits.len()).map(|group| {
                let of_group = self.means.iter().filter(|(of, pays_for, _)| *of == group && pays_for & words != 0);
                of_group.fold(0_i64, |sum, (_, _, amount)| sum.saturating_add(*amount)).min(self.limits[group])
            });
            let paid = paid.fold(0_i64, i64::saturating_add);
            most = most.max(due.saturating_sub(paid));
        }
        most
    }

    /// Adds a group that pays so much at most, and returns its index.
    pub fn add_group(&mut self, most: i64) -> usize {
        self.limits.push(most.max(0));
        self.limits.len() - 1
    }

    /// Adds what pays for any of some words; what is less than 1 is nothing.
    pub fn add_means(&mut self, group: usize, words: i64, amount: i64) {
        if words > 0 && amount > 0 {
            self.means.push((group, words.unsigned_abs(), amount));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cast;
    use houserule_state::chance::{below, draw};

    /// Finds what is lacking by trying each way in which each piece can pay.
    fn by_trying(due: &mut [i64], units: &[(usize, u64)], limits: &mut [i64]) -> i64 {
        let lacking = due.iter().sum();
        let Some(((group, words), rest)) = units.split_first() else { return lacking };
        let mut least = by_trying(due, rest, limits);
        for word in 0..due.len() {
            if words >> word & 1 == 1 && due[word] > 0 && limits[*group] > 0 {
                (due[word], limits[*group]) = (due[word] - 1, limits[*group] - 1);
                least = least.min(by_trying(due, rest, limits));
                (due[word], limits[*group]) = (due[word] + 1, limits[*group] + 1);
            }
        }
        least
    }

    #[test]
    fn what_is_lacking_is_what_no_way_to_pay_can_pay() {
        for seed in 0..3000 {
            let number = |stream: u64, n: u32| i64::from(below(draw(seed, stream, 0), n));
            let (words, groups) = (1 + cast::index(number(0, 3)), 1 + cast::index(number(1, 3)));
            let mut payment = Payment { due: (0..words).map(|word| number(10 + word as u64, 4) - 1).collect(), ..Payment::default() };
            for group in 0..groups {
                payment.add_group(number(20 + group as u64, 5));
            }
            let mut units = Vec::new();
            for nth in 0..cast::index(number(2, 4)) as u64 {
                let (group, words) = (cast::index(number(30 + nth, groups as u32)), number(40 + nth, 1 << words));
                let amount = number(50 + nth, 3);
                payment.add_means(group, words, amount);
                units.extend((0..amount).map(|_| (group, words as u64)));
            }
            let mut due: Vec<i64> = payment.due.iter().map(|&due| due.max(0)).collect();
            let wanted = by_trying(&mut due, &units, &mut payment.limits.clone());
            assert_eq!(payment.lacking(), wanted, "seed {seed}: {payment:?}");
        }
    }
}
