//! Rivals without a seat: they count where seats are compared.

use super::super::defs::{DefId, DefKind as What};
use super::super::problem::Problem;
use super::super::typed::{Body, Expr, ExprKind, SeatFilter, Seats};
use super::{Env, Lowerer};
use crate::cast;
use crate::engine::graph::Two;
use crate::engine::ruleset::{NodeId, Rank};

/// Less than any seat has.
const LEAST: i64 = i32::MIN as i64;

impl Lowerer<'_> {
    /// Ranks, in the order in which they are declared.
    pub(super) fn ranks(&mut self) {
        let tree = self.tree;
        for (id, one) in tree.defs.all() {
            if let (What::Rank(_), Some(Body::Rank(rank))) = (&one.what, tree.bodies.get(&id)) {
                let leaders = self.expr(&rank.leaders, &mut Env::from(1));
                let (name, rivals) = (one.name.clone(), Vec::new());
                self.out.ranks.push(Rank { name, top: rank.top, leaders, ties_in: rank.ties_in, rivals });
            }
        }
    }

    /// The rank, with what the rivals have of what seats are compared by.
    pub fn rank_with_rivals(&mut self, rank: u16, by: &Expr) -> u16 {
        let rivals = self.had_by_rivals(by);
        let Some(plain) = self.out.ranks.get(rank as usize).cloned() else { return rank };
        if rivals.is_empty() {
            return rank;
        }
        let same = |known: &Rank| known.name == plain.name && known.rivals == rivals;
        let known = self.out.ranks.iter().position(same).unwrap_or(self.out.ranks.len());
        if known == self.out.ranks.len() {
            self.out.ranks.push(Rank { rivals, ..plain });
        }
        cast::fit::<u16>(known)
    }

    /// Whether each rival is among `players with fewer …`.
    pub fn rivals_compared(&mut self, seats: &Seats, env: &mut Env) -> Vec<NodeId> {
        let SeatFilter::Compared(how, by) = &seats.filter else { return Vec::new() };
        let rivals = self.had_by_rivals(by);
        let mut compared = Vec::new();
        for rival in rivals {
            let mine = self.expr(by, env);
            compared.push(self.two(Two::Is(*how), rival, mine));
        }
        compared
    }

    /// What the rivals that are there have of something.
    fn had_by_rivals(&mut self, by: &Expr) -> Vec<NodeId> {
        let tree = self.tree;
        let mut had = Vec::new();
        for rival in &tree.rivals {
            let there = rival.when.as_ref().map_or(Some(1), |when| self.settled(when));
            if there.is_none() {
                self.tell(Problem::RivalComesAndGoes { rival: rival.name.clone() }.at(rival.span));
            }
            if there.is_some_and(|there| there != 0) {
                let value = self.meant(by).and_then(|what| rival.values.iter().find(|value| value.0 == what));
                had.push(match value {
                    Some(&(_, value)) => self.of_rival(value),
                    None => self.number(LEAST),
                });
            }
        }
        had
    }

    /// What a rival has is the same whoever asks.
    fn of_rival(&mut self, value: DefId) -> NodeId {
        if !self.names_table(value) {
            let one = &self.tree.defs[value];
            if let Some(span) = one.span {
                self.tell(Problem::RivalOfPlayer { rival: one.name.clone() }.at(span));
            }
        }
        self.closed(value)
    }

    /// What is compared, if it is something with a name.
    fn meant(&self, by: &Expr) -> Option<DefId> {
        let tree = self.tree;
        match &by.kind {
            ExprKind::Quantity(def, args) if args.is_empty() => {
                let ranked = |body: &Body| if let Body::Quantity(quantity) = body { quantity.ranked } else { None };
                Some(tree.bodies.iter().find(|(_, body)| ranked(body) == Some(*def)).map_or(*def, |found| *found.0))
            }
            ExprKind::Define(def, args) if args.is_empty() => Some(*def),
            ExprKind::Variable(def) => Some(*def),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sample::{lowered, messages};

    const FOX: &str =
        "rank top_wisps x = top 1 by x, ties at the edge out\ncondition richest = top_wisps wisp\ncondition dense = top_wisps dens\n";

    fn rivals(of: &str, players: usize) -> (Vec<usize>, Vec<String>) {
        let (lowered, wrong) = lowered(&format!("{FOX}{of}"), "", players);
        (lowered.rules.ranks.iter().map(|rank| rank.rivals.len()).collect(), wrong)
    }

    #[test]
    fn a_rival_counts_in_ranks_when_it_is_there() {
        let fox = "rival fox when players == 2 { wisp: moon; fame: 3 }\n";
        assert_eq!(rivals("", 2).0.into_iter().max(), Some(0));
        assert_eq!(rivals(fox, 3), (rivals("", 3).0, vec![]), "it is not there");
        let (two, wrong) = rivals(fox, 2);
        assert!(wrong.is_empty() && two.iter().filter(|&&rivals| rivals == 1).count() >= 3, "{wrong:?} {two:?}");
    }

    #[test]
    fn what_a_rival_has_is_told_where_it_cannot_be() {
        assert_eq!(rivals("rival fox { wisp: dens }\n", 2).1, ["`fox.wisp` is computed from what a player has"]);
        assert_eq!(rivals("rival fox when moon > 1 { wisp: 1 }\n", 2).1, ["whether there is `fox` changes during the game"]);
        assert_eq!(messages("rival fox { wsip: 1 }\n"), ["`wsip` is not a number that players have"]);
    }
}
