//! Places in which nothing can tell the order of cards, so that two equal cards there are the same choice.

use crate::graph::{Expr, Fold};
use crate::op::{Op, Placing};
use crate::ruleset::{Check, PlaceDecl, Ruleset, Shape};
use std::collections::BTreeSet;

/// Returns the declared places, as a bit set, in which the order of cards cannot be told: neither rules nor scripts name a first or last card
/// there or go through the cards one by one. None if no card has a copy.
pub(crate) fn find_unordered_places(rules: &Ruleset) -> u64 {
    if !rules.piece_twins.contains(&true) {
        return 0;
    }
    let limited = rules.checks.iter().any(|check| matches!(check, Check::Room));
    let is_free =
        |(_, place): &(usize, &PlaceDecl)| matches!(place.shape, Shape::Slots) && !place.heap && !(limited && place.limit.is_some());
    let mut found = rules.places.iter().enumerate().filter(is_free).fold(0_u64, |mask, (at, _)| mask | 1 << at);
    let mut tell = |places: &[u16]| places.iter().for_each(|place| found &= !(1 << place));
    for (_, expr) in rules.graph.all() {
        if let Expr::FirstIn { place, .. } = *expr {
            tell(&[place]);
        } else if let Expr::OverCards { fold: Fold::First | Fold::Last, cards, .. } = *expr {
            tell(&rules.graph.cards(cards).places);
        }
    }
    tell(&places_listed_by_scripts(rules));
    let mut put_together = Vec::new();
    for (at, op) in rules.ops.all.iter().enumerate() {
        let Op::EachCard { set } = op else { continue };
        let places = &rules.sets[*set as usize].cards.places;
        let leave_unheard = places.iter().all(|place| rules.places[usize::from(*place)].on_leave.is_none());
        match place_of_all(rules, at).filter(|_| leave_unheard) {
            Some(to) => put_together.push((places, to)),
            None => tell(places),
        }
    }
    // What is put together has the order that it had, which is told if that of the new place is.
    let mut known = u64::MAX;
    while known != found {
        known = found;
        for (from, _) in put_together.iter().filter(|(_, to)| known >> to & 1 == 0) {
            from.iter().for_each(|place| found &= !(1 << place));
        }
    }
    found
}

/// Returns the place into which a loop over cards puts each of them, if it does nothing else.
fn place_of_all(rules: &Ruleset, at: usize) -> Option<u16> {
    let [Op::NextCard { local, .. }, Op::PlaceIn { card, place, how: Placing::Free, .. }, Op::Jump { .. }] =
        rules.ops.all.get(at + 1..at + 4)?
    else {
        return None;
    };
    (rules.graph[*card] == Expr::Local { local: *local }).then_some(*place)
}

/// Returns the declared places whose cards a script may list, in order, by its function `cards`: it names them, as they are.
fn places_listed_by_scripts(rules: &Ruleset) -> Vec<u16> {
    let names: BTreeSet<&str> = rules.scripts.iter().flat_map(|script| script.names()).collect();
    if !names.contains("cards") {
        return Vec::new();
    }
    (0..).zip(&rules.places).filter(|(_, place)| names.contains(place.name.as_str())).map(|(at, _)| at).collect()
}
