//! How numbers are written in reports.

use crate::playtest::Share;

/// A number with as many digits as one cares for: two decimals below ten, none from a hundred on.
pub fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

/// An interval of shares as percentages.
pub fn percents([low, high]: [f64; 2]) -> String {
    format!("{:.1} to {:.1}%", low * 100.0, high * 100.0)
}

/// An interval with two decimals.
pub fn interval([low, high]: [f64; 2]) -> String {
    format!("{low:.2} to {high:.2}")
}

/// An interval of differences with so many decimals; `None` if it is unbounded, as of a single pair.
pub fn signed_interval([low, high]: [f64; 2], digits: usize) -> Option<String> {
    (low.is_finite() && high.is_finite()).then(|| format!("{low:+.digits$} to {high:+.digits$}"))
}

/// A number of games, which need not be an integer if wins are shared.
pub fn count(count: f64) -> String {
    if count.fract() == 0.0 { format!("{count}") } else { format!("{count:.1}") }
}

/// Successes, their share and its interval, as three cells.
pub fn share_cells(won: &Share) -> [String; 3] {
    [count(won.count), percent(won.share), percents(won.interval)]
}

/// An adjusted p-value with three decimals.
pub fn q_value(q: f64) -> String {
    if q < 0.001 { "<.001".to_string() } else { format!("{q:.3}") }
}

/// The ending of a noun of which there are so many.
pub fn plural(number: u64) -> &'static str {
    if number == 1 { "" } else { "s" }
}

/// A number of things: `1 game`, `3 games`.
pub fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", plural(number as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_as_many_digits_as_one_cares_for() {
        assert_eq!([0.0, 9.99, 9.996, -12.34, 99.96, 1234.5].map(number), ["0.00", "9.99", "10.0", "-12.3", "100.0", "1234"]);
        assert_eq!([3.0, 2.5].map(count), ["3", "2.5"]);
        assert_eq!(signed_interval([f64::NEG_INFINITY, 1.0], 2), None);
        assert_eq!(signed_interval([-1.0, 0.25], 2).as_deref(), Some("-1.00 to +0.25"));
        assert_eq!([counted(1, "card"), counted(0, "card")], ["1 card", "0 cards"]);
    }
}
