//! Iterates over the cards of a set.

use super::eval::{Env, plain};
use super::position::instances;
use super::store::Store;
use crate::cast;
use houserule_ruleset::node::PlayerSet;

/// Calls `f` for each card of a set, with the card in the set's local, until `f` returns false. Which cards are in the set does not change with
/// what `f` does.
pub(crate) fn each_card(store: &mut Store<'_>, set: u32, env: &mut Env, mut f: impl FnMut(&mut Store<'_>, &mut Env) -> bool) {
    let rules = store.rules;
    if store.live.values.watch.is_on() {
        store.evaluator().record_reads(|eval| _ = plain::cards_in(eval, set, env));
    }
    if let Some(cards) = listed_by_code(store, set, env) {
        let local = rules.sets[set as usize].local as usize;
        let outer = env.locals[local];
        for &card in &cards {
            env.locals[local] = card;
            if !f(store, env) {
                break;
            }
        }
        env.locals[local] = outer;
        store.live.lists.listed_cards = cards;
        return;
    }
    let set = &rules.sets[set as usize];
    let outer = env.locals[set.local as usize];
    let within = set.within.map(|spaces| store.evaluator().spaces(spaces, env));
    let board = if let [place] = *set.cards.places { rules.board_of_place(place.into()) } else { None };
    if let (Some(within), Some(board)) = (&within, board.filter(|_| set.cards.is_plain())) {
        for space in within.spaces() {
            env.locals[set.local as usize] = cast::fit::<i32>(board.piece(space));
            if store.holds_if(set.filter, env) && !f(store, env) {
                break;
            }
        }
        env.locals[set.local as usize] = outer;
        return;
    }
    'all: for &place in set.cards.places.iter() {
        let declared = &rules.places[place as usize];
        for instance in &rules.layout.places[instances(rules, declared, set.cards.whose, env.me)] {
            let base = instance.base as usize;
            let mut left = store.cell(base);
            let mut slot = 0;
            while left > 0 && slot < instance.room as usize {
                slot += 1;
                let piece = store.cell(base + slot);
                if piece == 0 {
                    continue;
                }
                left -= 1;
                let piece = piece - 1;
                let is_marked = |counter| store.evaluator().reader().counter(piece.into(), counter) > 0;
                if !set.cards.has_kind(rules.piece_kind[cast::index(piece)].into())
                    || !set.cards.has_slot(declared.shape, slot - 1)
                    || within.as_ref().is_some_and(|within| !rules.is_in_spaces(within, piece.into()))
                    || !set.cards.with.is_none_or(is_marked)
                {
                    continue;
                }
                env.locals[set.local as usize] = piece;
                if store.holds_if(set.filter, env) && !f(store, env) {
                    break 'all;
                }
            }
        }
    }
    env.locals[set.local as usize] = outer;
}

/// Lists the cards of a set that has a condition by generated code; `None` if there is none, or if what is read must be noted.
fn listed_by_code(store: &mut Store<'_>, set: u32, env: &Env) -> Option<Vec<i32>> {
    if store.rules.sets[set as usize].filter.is_none() || store.live.values.watch.is_on() {
        return None;
    }
    let mut cards = std::mem::take(&mut store.live.lists.listed_cards);
    let listed = store.evaluator().native_cards(set, env, &mut cards);
    if listed.is_none() {
        store.live.lists.listed_cards = std::mem::take(&mut cards);
    }
    listed.map(|()| cards)
}

/// Fills `cards` with the cards of a set.
pub fn cards_of(store: &mut Store<'_>, set: u32, env: &mut Env, cards: &mut Vec<i32>) {
    let rules = store.rules;
    let local = rules.sets[set as usize].local as usize;
    cards.clear();
    each_card(store, set, env, |_, env| {
        cards.push(env.locals[local]);
        true
    });
}

/// Calls `then` with each player of a set, who is in the local; `ahead` is called for each player for whom the filter is asked, before that.
pub(crate) fn each_player(
    store: &mut Store<'_>,
    set: &PlayerSet,
    local: usize,
    env: &mut Env,
    mut ahead: impl FnMut(&mut Store<'_>, &Env),
    mut then: impl FnMut(&mut Store<'_>, &mut Env, i32),
) {
    let me = env.me;
    let outer = std::mem::replace(&mut env.locals[usize::from(set.local)], i32::from(cast::seat(me)));
    for player in (0..store.rules.players).filter(|&player| player != me || !set.others) {
        let value = i32::from(cast::seat(player));
        env.locals[local] = value;
        env.me = player;
        ahead(store, env);
        let fits = store.holds_if(set.filter, env);
        env.me = me;
        if fits {
            then(store, env, value);
        }
    }
    env.locals[usize::from(set.local)] = outer;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Cards, Expr, NumberOp};
    use crate::ruleset::{CardSet, Whose};
    use crate::testing::{DENS, TWO_EACH, laid, rules};
    use houserule_state::layout::piece;

    #[test]
    fn cards_come_by_place_and_slot_and_only_those_that_are_meant() {
        let rules = rules(|rules, node| {
            let (card, b) = (node(rules, Expr::Local { local: 1 }), node(rules, Expr::Const { value: 4 }));
            let a = rules.of_piece(card, 0, |rules, card| rules.printed(card, 0).into());
            let filter = Some(node(rules, Expr::Binary { operator: NumberOp::Is(houserule_numbers::compare::Compare::Less), a, b }));
            let set = |whose, kinds, with, filter| {
                let cards = Cards { places: [0].into(), whose, kinds, rows: 0, with };
                CardSet { cards, local: 1, filter, within: None }
            };
            let moss = Some(piece::COUNTERS as u8);
            rules.sets = vec![
                set(Whose::Mine, 0, None, None),
                set(Whose::All, 0, None, None),
                set(Whose::All, 0b10, None, None),
                set(Whose::All, 0, moss, None),
                set(Whose::All, 0, None, filter),
            ];
        });
        let mut game = laid(&rules, TWO_EACH);
        game.put(&rules, rules.layout.piece(0, piece::COUNTERS), 2);
        let mut env = Env::for_seat(0);
        let mut found = vec![Vec::new(); 5];
        found.iter_mut().zip(0..).for_each(|(found, set)| crate::sets::cards_of(&mut game.store(&rules), set, &mut env, found));
        assert_eq!(found, [vec![1, 3], vec![1, 3, 2, 0], vec![1, 2], vec![0], vec![1, 2, 0]]);
        assert_eq!(env.locals[1], -1, "the local is as it was");
        assert_eq!([0, 1].map(|me| game.store(&rules).evaluator().reader().first_in(0, me)), [1, 2]);
        game.lay(&rules, 2, DENS + 1, 2);
        assert_eq!(game.store(&rules).evaluator().reader().first_in(0, 1), 0);
    }
}
