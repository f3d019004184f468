//! Ranks: whether a seat is among those with the highest or lowest value.

use super::env::Env;
use super::evaluator::Evaluator;

impl Evaluator<'_> {
    /// Whether the seat `me` is in a rank. `by` gives the value of a seat, and `leaders` is the number k of leading seats.
    ///
    /// With `ties at the edge out`, a seat is in if at most k seats, including itself, have its value or a better one. With `ties at the
    /// edge in`, a seat is in if fewer than k seats have a better value.
    pub(super) fn ranked(&mut self, rank: u16, me: usize, leaders: i64, mut by: impl FnMut(&mut Evaluator<'_>, usize) -> i64) -> bool {
        let rules = self.rules;
        let rank = &rules.ranks[rank as usize];
        let view = self.values.view;
        self.values.view = view.for_ranks();
        let own_value = by(self, me);
        let (mut beyond, mut level) = (0, 1);
        let others = (0..rules.players).filter(|&seat| seat != me).map(Ok);
        for other in others.chain(rank.rivals.iter().map(Err)) {
            let theirs = match other {
                Ok(seat) => by(self, seat),
                Err(&rival) => self.eval(rival, &mut Env::for_seat(me)),
            };
            if theirs == own_value {
                level += 1;
            } else if (theirs > own_value) == rank.top {
                beyond += 1;
            }
        }
        self.values.view = view;
        if rank.ties_in { beyond < leaders } else { beyond + level <= leaders }
    }
}
