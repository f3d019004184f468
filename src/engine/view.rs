//! What a seat can see, and states that it can imagine.
//!
//! No agent is given the game. A [`View`] is the state, with its frames, and with everything that the seat does not know put into one canonical
//! order, and without the seed; so permuting what is hidden changes no view. [`View::imagine`] shuffles what is unknown among the
//! places where it may be.

use super::decision::{Decision, Fault};
use super::game::{Eyes, Game};
use super::imagine::Shuffle;
use super::moment::Scripts;
use super::ruleset::Ruleset;
use crate::cast;
use crate::state::chance::draw;
use crate::state::layout::{BOX, head, piece};

/// Stands in [`Game::observe`] for what a seat does not know.
pub const UNSEEN: i32 = -1;

/// What a seat knows.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// The seat that looks.
    pub seat: usize,
    /// The open question, with its options, if it is this seat that is asked.
    pub decision: Option<Decision>,
    cells: Vec<i32>,
    /// While all act at once: as it was.
    before: Vec<i32>,
}

impl Game {
    /// What the seat that must decide knows; `None` when no question is open.
    pub fn view(&self, rules: &Ruleset) -> Option<View> {
        Some(self.view_of(rules, self.pending.as_ref()?.seat))
    }

    /// What any seat knows, whoever is asked, also when the game is over.
    pub fn view_of(&self, rules: &Ruleset, seat: usize) -> View {
        let decision = self.pending.clone().filter(|decision| decision.seat == seat);
        let (mut cells, mut before) = (self.cells.clone(), self.before.clone());
        if !before.is_empty() {
            Game::hide_answers(&mut cells, &mut before, rules.layout.len, seat);
        }
        Shuffle::default().see(rules, (&mut cells, &mut before), seat);
        View { seat, decision, cells, before }
    }

    /// Whether more is known here than in an earlier state: some seat knows a card that it did not know, or chance has decided something.
    /// Who has seen that cannot take back what led to it.
    pub fn reveals_more(&self, rules: &Ruleset, earlier: &Game) -> bool {
        let layout = &rules.layout;
        let (now, then) = (&self.cells, &earlier.cells);
        let known = |card: usize| layout.piece(card, piece::KNOWN);
        let learnt = (0..layout.pieces).any(|card| now[known(card)] & !then[known(card)] != 0);
        let of_seats = (0..rules.players).map(|seat| layout.seat(seat, rules.rolled.1 as usize));
        let rolls = of_seats.chain([rules.rolled.0 as usize]).filter(|_| !rules.tokens.is_empty());
        let counters = rolls.chain(rules.shuffled.map(usize::from));
        // An order may be drawn, and nothing counts how often; and rolls are counted anew in each round.
        let order = head::ORDER..head::ORDER + rules.players;
        let uncounted = now[head::ROUND] != then[head::ROUND] && !rules.tokens.is_empty();
        learnt || uncounted || order.chain(counters).any(|cell| now[cell] != then[cell])
    }

    /// The state as numbers, as any seat sees it, always of the same length: for players that learn. What the seat does not know is
    /// [`UNSEEN`]: cards with all that is counted on them, and the slots where they lie. While all act at once, its own things are as they
    /// are and all others as they were.
    pub fn observe(&self, rules: &Ruleset, seat: usize) -> Vec<i32> {
        let mut sight = Game::default();
        sight.load_cells(rules, &self.cells, &self.before);
        sight.eyes = if self.before.is_empty() { Eyes::Live } else { Eyes::Own(cast::seat(seat)) };
        let layout = &rules.layout;
        let mut seen: Vec<i32> = (0..layout.len).map(|cell| sight.cell(rules, cell)).collect();
        seen[head::SEED_LOW..=head::SEED_HIGH].fill(0);
        for card in 0..layout.pieces {
            let known = layout.piece(card, piece::KNOWN);
            seen[known] &= 1 << seat;
            let first = match (seen[known], rules.sees_counters(&seen, seat, card)) {
                (0, _) => 0,
                (_, false) => piece::COUNTERS,
                (_, true) => continue,
            };
            seen[layout.piece(card, first)..layout.piece(card, layout.piece_size)].fill(UNSEEN);
        }
        for slot in layout.places[BOX + 1..].iter().flat_map(|place| (1..=place.room as usize).map(|slot| place.base as usize + slot)) {
            let card = usize::try_from(seen[slot] - 1).ok();
            if card.is_some_and(|card| seen[layout.piece(card, piece::KNOWN)] == UNSEEN) {
                seen[slot] = UNSEEN;
            }
        }
        seen
    }

    /// The whole state, for saving: how many cells it has, the cells, and what a block in which all act at once remembers.
    pub fn save(&self) -> Vec<i32> {
        [&[cast::fit::<i32>(self.cells.len())], &self.cells[..], &self.before[..]].concat()
    }

    /// Overwrites this game with a saved state and takes it up.
    ///
    /// # Errors
    /// What is no state of these rules, and faults while it is taken up.
    pub fn load(&mut self, rules: &Ruleset, scripts: &mut dyn Scripts, saved: &[i32]) -> Result<(), Fault> {
        let fixed = rules.layout.len;
        let parts = saved.split_first().and_then(|(&len, rest)| rest.split_at_checked(usize::try_from(len).ok()?));
        let (cells, before) = parts.unwrap_or_default();
        self.load_cells(rules, cells, before);
        if !self.frames_are_sound(rules) || !before.is_empty() && before.len() < fixed {
            let count = saved.len();
            *self = Game::new(rules, 0);
            return Err(Fault::new(format!(
                "the saved state of {count} cells is none of these rules, which have {fixed}; replay its option keys instead"
            )));
        }
        self.load_cells(rules, cells, before);
        self.take_up(rules, scripts)
    }

    /// Overwrites this game with the cells of another of the same rules, to read them; no question is listed.
    pub fn load_position(&mut self, rules: &Ruleset, cells: &[i32]) {
        self.load_cells(rules, cells, &[]);
        self.eyes = Eyes::Live;
        self.forget(rules);
    }

    fn load_cells(&mut self, rules: &Ruleset, cells: &[i32], before: &[i32]) {
        for (to, from) in [(&mut self.cells, cells), (&mut self.before, before)] {
            to.clear();
            to.extend_from_slice(from);
        }
        self.fixed = rules.layout.len;
        self.pending = None;
    }

    /// Puts what a seat does not know into another order: for the law that no view may change by it.
    pub fn permute_hidden(&mut self, rules: &Ruleset, seat: usize, random: u64) {
        self.order_hidden(rules, seat, |card| draw(random, 1, card as u64));
    }

    /// Counts something else on cards into which a seat does not see, where the rules write on them in secret, and gives the game other streams:
    /// for the law that nothing that the seat is shown may change by it.
    pub fn change_secrets(&mut self, rules: &Ruleset, seat: usize, random: u64) {
        for card in 0..rules.layout.pieces {
            let place = rules.layout.places[self.place_of(rules, card).0].declared;
            if rules.sees_counters(&self.cells, seat, card) {
                continue;
            }
            for (number, written) in (0..).zip(rules.hidden.written_in(place)) {
                let (low, high) = written.range;
                let many = cast::fit::<u64>(i64::from(high) - i64::from(low) + 1);
                let value = cast::fit::<i32>(i64::from(low) + cast::fit::<i64>(draw(random, number, card as u64) % many));
                let cell = rules.layout.piece(card, written.offset as usize);
                self.cells[cell] = value;
                if let Some(before) = self.before.get_mut(cell) {
                    *before = value;
                }
            }
        }
        let seed = cast::halves(draw(random, u64::MAX, 0));
        for cells in [&mut self.cells, &mut self.before].into_iter().filter(|cells| !cells.is_empty()) {
            [cells[head::SEED_LOW], cells[head::SEED_HIGH]] = seed;
        }
        self.forget(rules);
    }

    /// Whether the rules write counters on cards that lie hidden.
    pub fn counts_in_secret(rules: &Ruleset) -> bool {
        (0..cast::fit::<u16>(rules.places.len())).any(|place| rules.hidden.written_in(place).next().is_some())
    }

    /// Whether a seat sees what is counted on a card: one that it knows, and that lies open or with itself.
    pub fn sees_counters(&self, rules: &Ruleset, seat: usize, card: usize) -> bool {
        rules.sees_counters(&self.cells, seat, card)
    }

    fn order_hidden(&mut self, rules: &Ruleset, seat: usize, order: impl Fn(usize) -> u64) {
        Shuffle::default().order(rules, (&mut self.cells, &mut self.before), seat, &order);
        self.forget(rules);
    }
}

impl View {
    /// A playable state in which what is unknown is shuffled among the places where it may be and the streams are others;
    /// what this seat knows and what was already answered and drawn stay.
    ///
    /// # Errors
    /// A fault while the question is listed.
    pub fn imagine(&self, rules: &Ruleset, scripts: &mut dyn Scripts, random: u64, into: &mut Game) -> Result<(), Fault> {
        into.load_cells(rules, &self.cells, &self.before);
        Shuffle::default().imagine(rules, (&mut into.cells, &mut into.before), self.seat, random);
        into.told = Default::default();
        into.take_up(rules, scripts)
    }

    /// Overwrites a game with what this seat sees, to read it: while all act at once, its own things as they are and all others as
    /// they were. What it does not know lies in an order of its own, for each number another; no question is listed.
    pub fn position(&self, rules: &Ruleset, order: u64, into: &mut Game) {
        into.load_cells(rules, &self.cells, &self.before);
        into.permute_hidden(rules, self.seat, order);
        into.eyes = if self.before.is_empty() { Eyes::Live } else { Eyes::Own(cast::seat(self.seat)) };
    }

    /// As [`View::position`], with what is not known in the order of the cards, moved on by so many: over as many steps as there are pieces each
    /// of them comes to lie everywhere where it may be.
    pub fn position_moved_on(&self, rules: &Ruleset, steps: usize, into: &mut Game) {
        self.position(rules, 0, into);
        let pieces = rules.layout.pieces.max(1);
        into.order_hidden(rules, self.seat, |card| ((card + steps) % pieces) as u64);
    }

    /// The round.
    pub fn round(&self) -> i32 {
        self.cells[head::ROUND]
    }

    /// Turns begun in this round.
    pub fn turn(&self) -> i32 {
        self.cells[head::TURN]
    }

    /// The cells as this seat sees them.
    pub fn cells(&self) -> &[i32] {
        &self.cells
    }
}

#[cfg(test)]
mod tests {
    use super::super::NoScripts;
    use super::super::sample::{Added, answer, game, options, values};
    use super::*;

    const ASKS: &str = "step night { each player { player chooses { \"a\" { gain 1 wisp } \"b\" { gain 2 wisp } } } }";

    #[test]
    fn a_saved_state_goes_on_from_the_question() {
        let (rules, mut game) = game(&Added { setup: "fill row from pile", steps: ASKS, ..Added::default() });
        let mut loaded = Game::default();
        assert_eq!(loaded.load(&rules, &mut NoScripts, &game.save()), Ok(()));
        assert_eq!((loaded.decision(), loaded.hash()), (game.decision(), game.hash()));
        for game in [&mut game, &mut loaded] {
            answer(&rules, game, "choose b");
            assert_eq!(values(&rules, game, "wisp"), [5, 3]);
        }
        assert_eq!(loaded.save(), game.save());
    }

    #[test]
    fn what_is_hidden_is_shuffled_and_what_is_open_stays() {
        let (rules, game) = game(&Added { setup: "fill row from pile", steps: ASKS, ..Added::default() });
        let view = game.view(&rules).expect("a question is open");
        let place = |name: &str| rules.places[rules.find_place(name).unwrap_or(0)].first as usize;
        let mut tops = std::collections::BTreeSet::new();
        for random in 0..30 {
            let mut imagined = Game::default();
            assert_eq!(view.imagine(&rules, &mut NoScripts, random, &mut imagined), Ok(()));
            assert_eq!(imagined.all_in(&rules, place("row")), game.all_in(&rules, place("row")));
            assert_eq!(options(&rules, &imagined), options(&rules, &game));
            assert_ne!(imagined.seed(), game.seed());
            tops.insert(imagined.top_card(&rules, place("pile")));
        }
        assert_eq!(tops.len(), 2, "either of the two cards that are left may lie on top");
    }

    #[test]
    fn a_view_does_not_feel_the_order_of_what_is_hidden() {
        let (rules, game) = game(&Added { steps: ASKS, ..Added::default() });
        let view = game.view(&rules);
        for random in 0..10 {
            let mut other = game.clone();
            other.permute_hidden(&rules, 0, random);
            assert_eq!(other.view(&rules), view);
        }
    }
}
