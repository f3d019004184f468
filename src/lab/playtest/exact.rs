//! Floating-point sums that do not depend on the order of addition.

use super::merge::Merge;
use serde::{Deserialize, Serialize};

/// A sum without rounding errors: non-overlapping numbers in ascending order whose sum is exactly the sum of all added numbers (Shewchuk,
/// Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates, Discrete & Computational Geometry 18, 1997). It is
/// rounded once when it is read, so that games can be added in any order and grouping. Numbers must be finite and far below the largest
/// representable one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct ExactSum(Vec<f64>);

impl ExactSum {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        let mut sum = number;
        let mut kept = 0;
        for at in 0..self.0.len() {
            let (large, small) = two_sum(sum, self.0[at]);
            if small != 0.0 {
                self.0[kept] = small;
                kept += 1;
            }
            sum = large;
        }
        self.0.truncate(kept);
        if sum != 0.0 {
            self.0.push(sum);
        }
    }

    /// Returns the sum, rounded to nearest, ties to even.
    pub fn sum(&self) -> f64 {
        let mut parts = self.0.iter().rev();
        let mut sum = *parts.next().unwrap_or(&0.0);
        while let Some(&part) = parts.next() {
            let (large, small) = two_sum(sum, part);
            if small == 0.0 {
                sum = large;
                continue;
            }
            // In a tie, the smaller parts decide the direction of rounding.
            let doubled = small * 2.0;
            let further = parts.next().is_some_and(|next| (*next < 0.0) == (small < 0.0) && *next != 0.0);
            return if further && large + doubled - large == doubled { large + doubled } else { large };
        }
        sum
    }
}

impl Merge for ExactSum {
    fn merge(&mut self, other: &ExactSum) {
        other.0.iter().for_each(|part| self.add(*part));
    }
}

/// Returns the rounded sum and its rounding error.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let (large, small) = if a.abs() < b.abs() { (b, a) } else { (a, b) };
    let sum = large + small;
    (sum, small - (sum - large))
}

impl PartialEq for ExactSum {
    /// Compares the sums rather than their parts, since different parts may have the same sum.
    fn eq(&self, other: &ExactSum) -> bool {
        self.sum() == other.sum()
    }
}

/// Serialises the parts of the sum as bits, since decimals might be rounded.
impl From<ExactSum> for Vec<String> {
    fn from(sum: ExactSum) -> Vec<String> {
        sum.0.into_iter().map(|part| format!("{:016x}", part.to_bits())).collect()
    }
}

/// Largest part of a sum that is read: sums and squares of those remain far below the largest number.
const LARGEST: f64 = 1e100;

impl TryFrom<Vec<String>> for ExactSum {
    type Error = String;

    fn try_from(bits: Vec<String>) -> Result<ExactSum, String> {
        let mut sum = ExactSum::default();
        for bits in bits {
            let part = u64::from_str_radix(&bits, 16).ok().map(f64::from_bits).filter(|part| part.abs() <= LARGEST);
            sum.add(part.ok_or_else(|| format!("`{bits}` is no part of a sum"))?);
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(numbers: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        numbers.iter().for_each(|number| sum.add(*number));
        sum
    }

    #[test]
    fn nothing_is_lost() {
        // From the tests of Python's math.fsum.
        assert_eq!(of(&[]).sum(), 0.0);
        assert_eq!(of(&[0.1; 10]).sum(), 1.0);
        assert_eq!(of(&[1e100, 1.0, -1e100]).sum(), 1.0);
        assert_eq!(of(&[1e100, 1.0, -1e100, 1e-100, 1e50, -1e50, -1.0]).sum(), 1e-100);
        let two_to = |power: i32| 2.0_f64.powi(power);
        assert_eq!(of(&[two_to(53), -0.5, -two_to(-54)]).sum(), two_to(53) - 1.0);
        assert_eq!(of(&[two_to(53), 1.0, two_to(-100)]).sum(), two_to(53) + 2.0);
        assert_eq!(of(&[two_to(53) + 10.0, 1.0, two_to(-100)]).sum(), two_to(53) + 12.0);
        assert_eq!(of(&[two_to(53) - 4.0, 0.5, two_to(-54)]).sum(), two_to(53) - 3.0);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        let read = |bits: u64| serde_json::from_str::<ExactSum>(&format!("[\"{bits:016x}\"]"));
        assert_eq!(read(1.5_f64.to_bits()).unwrap().sum(), 1.5);
        for wrong in [f64::NAN, f64::INFINITY, -1e300] {
            assert!(read(wrong.to_bits()).unwrap_err().to_string().contains("is no part of a sum"), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn order_parts_and_writing_make_no_difference(numbers in prop::collection::vec(-1e12_f64..1e12, 0..60), cut in 0..60_usize) {
            let numbers: Vec<f64> = numbers.iter().map(|number| number / 3.0 * number).collect();
            let whole = of(&numbers).sum();
            prop_assert_eq!(of(&numbers.iter().rev().copied().collect::<Vec<_>>()).sum(), whole);
            let (one, two) = numbers.split_at(cut.min(numbers.len()));
            let written = serde_json::to_string(&of(two)).unwrap();
            let mut merged: ExactSum = serde_json::from_str(&written).unwrap();
            merged.merge(&of(one));
            prop_assert_eq!(merged.sum(), whole);
            // The sum is exact, as the integer number of thirds shows: errors do not accumulate.
            let plain: f64 = numbers.iter().sum();
            prop_assert!((plain - whole).abs() <= 1e-9 * numbers.iter().map(|number| number.abs()).sum::<f64>());
        }
    }
}
