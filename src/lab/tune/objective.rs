//! What is aimed at: where means are wanted, and how far others are from that.

/// Where one mean is wanted: anywhere between two values, or at one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Lowest value that is as good as any.
    pub low: f64,
    /// Highest value that is as good as any.
    pub high: f64,
}

impl Wanted {
    /// Wants exactly this value.
    pub fn exactly(value: f64) -> Wanted {
        Wanted { low: value, high: value }
    }

    /// Returns how far a value is from what is wanted.
    pub fn gap(&self, value: f64) -> f64 {
        (self.low - value).max(value - self.high).max(0.0)
    }
}

/// One target: a mean or several that belong together, such as the shares of all seats.
#[derive(Clone, Debug, PartialEq)]
pub struct Criterion {
    /// Where each of its means is wanted.
    pub parts: Vec<Wanted>,
    /// The distance that is near enough. That of one criterion is as bad as that of another.
    pub tolerance: f64,
}

/// All targets.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// The targets; the means of all follow each other.
    pub criteria: Vec<Criterion>,
}

impl Objective {
    /// Returns the number of means.
    pub fn parts(&self) -> usize {
        self.criteria.iter().map(|criterion| criterion.parts.len()).sum()
    }

    /// Returns the means of each criterion.
    pub fn by_criterion<'v, T>(&self, mut values: &'v [T]) -> Vec<&'v [T]> {
        let mut found = Vec::new();
        for criterion in &self.criteria {
            let (own, others) = values.split_at(criterion.parts.len().min(values.len()));
            found.push(own);
            values = others;
        }
        found
    }

    /// Returns the loss of each criterion: its squared distance in tolerances, the mean of its parts.
    pub fn losses(&self, values: &[f64]) -> Vec<f64> {
        let of_criterion = |(criterion, values): (&Criterion, &[f64])| {
            let squares = criterion.parts.iter().zip(values).map(|(part, value)| (part.gap(*value) / criterion.tolerance).powi(2));
            squares.sum::<f64>() / criterion.parts.len().max(1) as f64
        };
        self.criteria.iter().zip(self.by_criterion(values)).map(of_criterion).collect()
    }

    /// Returns the sum of the losses, which the search makes small.
    pub fn loss(&self, values: &[f64]) -> f64 {
        self.losses(values).iter().sum()
    }

    /// Returns the distance of each criterion for people: that of the mean which is furthest from where it is wanted.
    pub fn distances(&self, values: &[f64]) -> Vec<f64> {
        let of_criterion = |(criterion, values): (&Criterion, &[f64])| {
            criterion.parts.iter().zip(values).map(|(part, value)| part.gap(*value)).fold(0.0, f64::max)
        };
        self.criteria.iter().zip(self.by_criterion(values)).map(of_criterion).collect()
    }
}

/// Whether other distances are at least as small everywhere, and smaller somewhere: nobody would prefer these.
pub fn is_dominated(these: &[f64], others: &[f64]) -> bool {
    these.iter().zip(others).all(|(this, other)| other <= this) && these.iter().zip(others).any(|(this, other)| other < this)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_losses_by_hand() {
        let shares = Criterion { parts: vec![Wanted::exactly(0.5); 2], tolerance: 0.02 };
        let points = Criterion { parts: vec![Wanted { low: 30.0, high: 36.0 }], tolerance: 1.0 };
        let both = Objective { criteria: vec![shares, points] };
        assert_eq!(both.parts(), 3);
        let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
        assert!(near(&both.distances(&[0.54, 0.46, 38.0]), &[0.04, 2.0]));
        assert!(near(&both.losses(&[0.54, 0.46, 38.0]), &[4.0, 4.0]));
        assert_eq!(both.loss(&[0.5, 0.5, 33.0]), 0.0);
        assert_eq!(both.by_criterion(&[1, 2, 3]), [&[1, 2][..], &[3]]);
    }

    #[test]
    fn nobody_prefers_what_is_further_everywhere() {
        assert!(is_dominated(&[1.0, 2.0], &[1.0, 1.0]));
        assert!(!is_dominated(&[1.0, 2.0], &[2.0, 1.0]) && !is_dominated(&[1.0], &[1.0]));
    }
}
