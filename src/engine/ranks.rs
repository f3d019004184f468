//! Ranks: whether a seat is among those who have most, or least, with their ties.

use super::env::Env;
use super::evaluator::Evaluator;

impl Evaluator<'_> {
    /// Whether the seat spoken of is in a rank.
    ///
    /// `by` is what a seat is compared by, `leaders` how many count.
    /// `ties at the edge out`: with k leaders, a seat is in if at most k seats are as high as it or higher, itself included.
    /// `ties at the edge in`: if fewer than k seats are beyond it. Rulebook p. 9 and 20.
    pub(super) fn ranked(&mut self, rank: u16, me: usize, leaders: i64, mut by: impl FnMut(&mut Evaluator<'_>, usize) -> i64) -> bool {
        let rules = self.rules;
        let rank = &rules.ranks[rank as usize];
        let view = self.values.view;
        self.values.view = view.of_ranks();
        let mine = by(self, me);
        let (mut beyond, mut level) = (0, 1);
        let others = (0..rules.players).filter(|&seat| seat != me).map(Ok);
        for other in others.chain(rank.rivals.iter().map(Err)) {
            let theirs = match other {
                Ok(seat) => by(self, seat),
                Err(&rival) => self.eval(rival, &mut Env::of(me)),
            };
            if theirs == mine {
                level += 1;
            } else if (theirs > mine) == rank.top {
                beyond += 1;
            }
        }
        self.values.view = view;
        if rank.ties_in { beyond < leaders } else { beyond + level <= leaders }
    }
}
