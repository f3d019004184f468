//! Steps of a long run, whose results are kept in the order in which they come, so that a run that was stopped goes on behind the last of them.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Receives the results of all steps after each one that was played.
pub type KeepSteps<'a> = dyn FnMut(&[Value]) + 'a;

/// The steps of a run. What a run does between them depends on their results alone, so that one that takes over those of a run before comes to the
/// same as if nobody had stopped it.
#[derive(Default)]
pub struct Steps<'a> {
    /// Results of the run before that have not been taken over, the first of them last.
    begun: Vec<Value>,
    results: Vec<Value>,
    keep: Option<&'a mut KeepSteps<'a>>,
}

impl<'a> Steps<'a> {
    /// Goes on behind these results, and gives all results to `keep` after each further step.
    pub fn behind(mut begun: Vec<Value>, keep: &'a mut KeepSteps<'a>) -> Steps<'a> {
        begun.reverse();
        Steps { begun, results: Vec::new(), keep: Some(keep) }
    }

    /// Returns the result of the next step if the run before has kept it. If it is no such result, as another build of the program may have kept,
    /// the run before has nothing more to give.
    pub fn take_over<T: DeserializeOwned>(&mut self) -> Option<T> {
        let next = self.begun.pop()?;
        let taken = serde_json::from_value(next.clone());
        if taken.is_ok() {
            self.results.push(next)
        } else {
            self.begun.clear()
        }
        taken.ok()
    }

    /// Returns the results of all steps so far; nothing where none are kept.
    pub fn results(&self) -> &[Value] {
        &self.results
    }

    /// Keeps the result of a step that was played. What cannot be written as JSON is not kept, and is played again when the run goes on.
    pub fn keep(&mut self, result: &impl Serialize) {
        let Some(keep) = &mut self.keep else { return };
        self.results.push(serde_json::to_value(result).unwrap_or_default());
        keep(&self.results);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(steps: &mut Steps<'_>, to: u64, played: &mut Vec<u64>) -> Vec<u64> {
        let mut square = |number| {
            steps.take_over().unwrap_or_else(|| {
                played.push(number);
                steps.keep(&(number * number));
                number * number
            })
        };
        (0..to).map(&mut square).collect()
    }

    #[test]
    fn a_run_goes_on_behind_the_last_step_that_was_kept() {
        let (mut kept, mut played) = (Vec::new(), Vec::new());
        let mut keep = |all: &[Value]| kept = all.to_vec();
        squares(&mut Steps::behind(Vec::new(), &mut keep), 3, &mut played);
        assert_eq!(kept, [0, 1, 4]);
        let (mut all, mut more) = (Vec::new(), Vec::new());
        let mut keep = |steps: &[Value]| all = steps.to_vec();
        assert_eq!(squares(&mut Steps::behind(kept, &mut keep), 5, &mut more), [0, 1, 4, 9, 16]);
        assert_eq!((played, more), (vec![0, 1, 2], vec![3, 4]));
        assert_eq!(all, [0, 1, 4, 9, 16]);
    }

    #[test]
    fn behind_what_is_no_result_everything_is_played_anew() {
        let (mut keep, mut played) = (|_: &[Value]| (), Vec::new());
        let begun = vec![Value::from(0), Value::from("one"), Value::from(7)];
        assert_eq!(squares(&mut Steps::behind(begun, &mut keep), 3, &mut played), [0, 1, 4]);
        assert_eq!(played, [1, 2]);
    }
}
