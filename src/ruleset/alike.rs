//! Places in which nothing can tell the order of cards, so that two equal cards there are the same choice.

use crate::graph::{Expr, Fold};
use crate::op::Op;
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
    for op in &rules.ops.all {
        if let Op::EachCard { set } = op {
            tell(&rules.sets[*set as usize].cards.places);
        }
    }
    found
}

/// Returns the declared places whose cards a script may list, in order, by its function `cards`: it names them, as they are.
fn places_listed_by_scripts(rules: &Ruleset) -> Vec<u16> {
    let names: BTreeSet<&str> = rules.scripts.iter().flat_map(|script| script.names()).collect();
    if !names.contains("cards") {
        return Vec::new();
    }
    (0..).zip(&rules.places).filter(|(_, place)| names.contains(place.name.as_str())).map(|(at, _)| at).collect()
}
