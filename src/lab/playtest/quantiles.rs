//! Quantiles and tails of the distributions by which intervals are computed: the only place that inverts a distribution function.
//!
//! The inverses of statrs 0.18 are not used, but for the normal distribution: that of the beta function never ends for parameters above
//! some seven million, and is wrong before that. Here a distribution function is inverted by bisection of an interval that contains the
//! quantile, which ends always; and where the parameters are so large that the distribution function itself loses digits, by expansions
//! whose error falls as the parameters grow (Abramowitz, Stegun, *Handbook of Mathematical Functions*, 1964, 26.5.20, 26.5.22, 26.7.5, 26.7.8).
//! Each is accurate to some 1e-5 of the distance between quantile and mean, or better.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};
use statrs::function::{beta::beta_reg, gamma::gamma_lr};

/// Degrees of freedom above which Student's t is expanded about the normal distribution.
const EXPANDED_FREEDOM: f64 = 1000.0;
/// Degrees of freedom above which the tail of Student's t is computed by the normal distribution.
const EXPANDED_TAIL: f64 = 1e6;
/// Smaller parameter from which on the beta distribution is expanded about the normal distribution.
const NEARLY_NORMAL: f64 = 5000.0;
/// Larger parameter from which on a beta distribution whose other parameter is small is expanded about a gamma distribution.
const NEARLY_GAMMA: f64 = 1e6;

/// Returns the two-sided critical value of the normal distribution at level `alpha`, which is between 0 and 1.
#[expect(clippy::disallowed_methods, reason = "statrs inverts the normal distribution by a rational function, which ends")]
pub fn normal(alpha: f64) -> f64 {
    Normal::new(0.0, 1.0).map_or(f64::INFINITY, |normal| -normal.inverse_cdf(alpha / 2.0))
}

/// Returns the two-sided critical value of Student's t at level `alpha` with `freedom` degrees of freedom; infinite without any freedom.
pub fn student(freedom: f64, alpha: f64) -> f64 {
    let z = normal(alpha);
    if freedom.is_nan() || freedom <= 0.0 {
        return f64::INFINITY;
    }
    if freedom > EXPANDED_FREEDOM {
        let square = z * z;
        let terms = [
            (square + 1.0) / 4.0,
            ((5.0 * square + 16.0) * square + 3.0) / 96.0,
            (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0,
            ((((79.0 * square + 776.0) * square + 1482.0) * square - 1920.0) * square - 945.0) / 92_160.0,
        ];
        return z * (1.0 + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom));
    }
    // P(|T| > t) falls as t grows; it is never below that of the normal distribution.
    let beyond = |t: f64| beta_reg(freedom / 2.0, 0.5, freedom / (freedom + t * t));
    let high = upper_bound(z.max(1e-9), |t| beyond(t) <= alpha);
    bisect(z, high, |t| beyond(t) > alpha)
}

/// Returns the two-sided p-value of Student's t with `freedom` degrees of freedom; with infinitely many that of the normal distribution.
pub fn two_sided(t: f64, freedom: f64) -> f64 {
    let (t, normal) = (t.abs(), |z: f64| Normal::new(0.0, 1.0).map_or(1.0, |normal| 2.0 * normal.cdf(-z)));
    if freedom.is_infinite() {
        return normal(t);
    }
    if freedom > EXPANDED_TAIL {
        return normal(t * (1.0 - 0.25 / freedom) / (1.0 + t * t / (2.0 * freedom)).sqrt());
    }
    StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |student| 2.0 * student.cdf(-t))
}

/// Returns the value below which a beta distribution with the parameters `a` and `b`, both above 0, has the probability `p`.
pub fn beta(a: f64, b: f64, p: f64) -> f64 {
    if a > b {
        return 1.0 - beta(b, a, 1.0 - p);
    }
    if a >= NEARLY_NORMAL {
        let z = if p < 0.5 { normal(2.0 * p) } else { -normal(2.0 - 2.0 * p) };
        let (of_a, of_b) = (1.0 / (2.0 * a - 1.0), 1.0 / (2.0 * b - 1.0));
        let (h, lambda) = (2.0 / (of_a + of_b), (z * z - 3.0) / 6.0);
        let w = z * (h + lambda).sqrt() / h - (of_b - of_a) * (lambda + 5.0 / 6.0 - 2.0 / (3.0 * h));
        return a / (a + b * (2.0 * w).exp());
    }
    if b >= NEARLY_GAMMA {
        let high = upper_bound(a, |y| gamma_lr(a, y) >= p);
        let y = bisect(0.0, high, |y| gamma_lr(a, y) < p);
        return 2.0 * y / (2.0 * b + a - 1.0 + y);
    }
    bisect(0.0, 1.0, |x| beta_reg(a, b, x) < p)
}

/// Returns a power of two times `from` for which a condition holds that holds for all greater numbers, too.
fn upper_bound(from: f64, holds: impl Fn(f64) -> bool) -> f64 {
    let mut bound = from;
    while !holds(bound) && bound < f64::MAX / 2.0 {
        bound *= 2.0;
    }
    bound
}

/// Returns the number between `low` and `high`, neither of which is negative, up to which a condition holds: to the last digit, in at most
/// 64 steps each of which halves the floating-point numbers that are left.
fn bisect(low: f64, high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    // Positive floating-point numbers are in the order of their bits.
    f64::from_bits(first_without(low.to_bits(), high.to_bits(), |bits| holds(f64::from_bits(bits))))
}

/// Returns the first number after `low` for which a condition does not hold that holds for all numbers before; at most `high`.
pub fn first_without(mut low: u64, mut high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    while high.saturating_sub(low) > 1 {
        let middle = u64::midpoint(low, high);
        if holds(middle) { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, right: f64, by: f64, of: &str) {
        assert!((found - right).abs() <= by * right.abs(), "{of}: {found} is not {right}");
    }

    #[test]
    fn student_s_quantiles_over_all_degrees_of_freedom() {
        for alpha in [0.05, 0.01, 1e-3, 2e-5, 1e-9] {
            let (mut freedom, mut before) = (1.0_f64, f64::INFINITY);
            while freedom < 2.0_f64.powi(50) {
                let found = student(freedom, alpha);
                assert!(found <= before && found >= normal(alpha), "{freedom} {alpha}: {found} after {before}");
                near(two_sided(found, freedom), alpha, 2e-6, &format!("{freedom} {alpha}"));
                (before, freedom) = (found, freedom * 1.3);
            }
        }
        // Computed to 30 digits by inverting the incomplete beta function.
        for (freedom, right) in
            [(1000.0, 1.962_339_080_826_408), (1e6, 1.959_966_356_814_107), (9e6, 1.959_964_248_125_779), (1e15, 1.959_963_984_540_056_6)]
        {
            near(student(freedom, 0.05), right, 1e-12, "at 0.05");
        }
        near(student(1.0, 1e-9), 636_619_772.367_581, 1e-12, "at 1e-9");
        assert_eq!((student(0.0, 0.05), student(f64::NAN, 0.05)), (f64::INFINITY, f64::INFINITY));
        near(two_sided(2.0, 1e15), 0.045_500_263_896_358_4, 1e-9, "a tail");
    }

    #[test]
    fn beta_quantiles_for_counts_up_to_a_million_million() {
        let right = [
            (1.0, 8000000.0, 0.025, 3.164725993028489e-09),
            (1.0, 8000000.0, 0.975, 4.6110982545307377e-07),
            (5.0, 100000000.0, 0.025, 1.6234863444701537e-08),
            (5.0, 100000000.0, 0.975, 1.0241587946121278e-07),
            (51.0, 100000000.0, 0.025, 3.797283313539928e-07),
            (51.0, 100000000.0, 0.975, 6.591872845824753e-07),
            (1000.0, 100000000.0, 0.025, 9.389639199746678e-06),
            (1000.0, 100000000.0, 0.975, 1.0629101930389675e-05),
            (1000.0, 1000000000000.0, 0.025, 9.38973017497843e-10),
            (1000.0, 1000000000000.0, 0.975, 1.062921150129058e-09),
            (4999.0, 1000000.0, 0.025, 0.0048375259684834615),
            (4999.0, 1000000.0, 0.975, 0.005112608742448573),
            (5000.0, 1000000000000.0, 0.025, 4.862359164720164e-09),
            (5000.0, 1000000000000.0, 0.975, 5.139535063890117e-09),
            (30.0, 4970.0, 0.025, 0.0040525394989622595),
            (30.0, 4970.0, 0.975, 0.008320887756367312),
            (4000.0, 900000.0, 0.025, 0.004289001185466781),
            (4000.0, 900000.0, 0.975, 0.004562633227065716),
        ];
        for (a, b, p, right) in right {
            // Relative to the distance from the mean, which is what an interval is wide.
            let mean = a / (a + b);
            near(beta(a, b, p) - mean, right - mean, 1e-4, &format!("{a} {b} {p}"));
        }
        for of in [1.0, 20.0, 7.2e6, 8e6, 1e8, 1e12_f64] {
            let mut before = [0.0, 0.0];
            for count in [0.0, 0.5, 1.0, 2.5, 5.0, 19.0, 200.0, 4_998.0, 4_999.0, 5_000.0, 6e6, 5e7, 4e11] {
                if count + 0.5 < of {
                    let found = super::super::stats::clopper_pearson(count, of, 0.05);
                    assert!(
                        found[0] >= before[0] && found[1] > before[1] && found[0] <= count / of && count / of < found[1],
                        "{count} of {of}: {found:?}"
                    );
                    before = found;
                    // The other side of the same count.
                    let other = super::super::stats::clopper_pearson(of - count, of, 0.05);
                    assert!(
                        (1.0 - other[0] - found[1]).abs() < 1e-9 && (1.0 - other[1] - found[0]).abs() < 1e-9,
                        "{count} of {of}: {found:?} {other:?}"
                    );
                }
            }
        }
    }
}
