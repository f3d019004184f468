//! Cards with which players begin, such as boards, beside the others of their kind. A seat whose board is blanked has next to nothing to play
//! with, so that these cards are not blanked: who begins with one is compared with those who begin with others of its kind in the same games.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::super::compare::{Basis, Pairs};
use super::super::distinct::DistinctSketch;
use super::super::measure::PlayedGame;
use super::super::table::TextTable;
use super::report::{MeasuredEffect, measured_effects};
use crate::engine::Ruleset;

/// Minimum number of games for an interval, since Student's t requires nearly normal sums.
pub(super) const MIN_GAMES_FOR_INTERVAL: u64 = 20;

/// Sums over the games in which one seat begins with a card and others with other cards of its kind.
#[derive(Clone, Debug, Default)]
pub struct InitialCardSums {
    /// Number of games.
    pub games: u64,
    different: DistinctSketch,
    /// Points of the seat (the changed side), and mean points of the others.
    points: Pairs,
    /// Share of the win of the seat (the changed side), and mean share of the others.
    won: Pairs,
}

/// The sums of each card with which players begin, by definition.
pub type InitialCards = BTreeMap<u32, InitialCardSums>;

/// Adds a game.
pub(super) fn add_game(rules: &Ruleset, game: &PlayedGame, cards: &mut InitialCards) {
    let begun = game.initial_cards_of_some(rules);
    let kind = |card: u32| rules.definitions[card as usize].kind;
    for (&card, seats) in &begun {
        let [seat] = seats.as_slice() else { continue };
        let of_kind = begun.iter().filter(|(other, _)| **other != card && kind(**other) == kind(card));
        let others: BTreeSet<usize> = of_kind.flat_map(|(_, seats)| seats.iter().copied()).filter(|other| other != seat).collect();
        if others.is_empty() {
            continue;
        }
        let mean = |value: &dyn Fn(usize) -> f64| others.iter().map(|other| value(*other)).sum::<f64>() / others.len() as f64;
        let (points, won) = (|seat: usize| game.points(seat) as f64, |seat: usize| game.won(seat).games());
        let sums = cards.entry(card).or_default();
        sums.games += 1;
        sums.different.add(game.course_hash);
        sums.points.add(mean(&points), points(*seat));
        sums.won.add(mean(&won), won(*seat));
    }
}

/// What a card is worth to whoever begins with it, beside the other cards of its kind in the same games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InitialCardEffect {
    /// Id of the card.
    pub card: String,
    /// Kind of the card.
    pub kind: String,
    /// Number of games in which one seat begins with it, and others with others of its kind.
    pub games: u64,
    /// Points of that seat, beside the mean of the others.
    pub points: BesideOthers,
    /// Share of the win of that seat, beside the mean of the others.
    pub wins: BesideOthers,
}

/// A value of a seat beside the mean of others in the same games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BesideOthers {
    /// Mean of the seat.
    pub own: f64,
    /// Mean of the others.
    pub others: f64,
    /// Difference: `own` minus `others`.
    pub difference: f64,
    /// 95 % interval of the difference (Student's t over games); `None` if there are too few games.
    pub interval: Option<[f64; 2]>,
    /// p-value of the difference.
    pub p: Option<f64>,
    /// Adjusted p-value: the smallest false discovery rate at which the difference is significant among all cards of the kind
    /// (Benjamini, Hochberg).
    pub q: Option<f64>,
    /// Whether the difference is significant: `q` is at most 0.05.
    #[serde(rename = "shown")]
    pub significant: bool,
}

/// Returns the effects of all cards with which players begin, the strongest of each kind first.
pub fn initial_card_effects(rules: &Ruleset, cards: &InitialCards) -> Vec<InitialCardEffect> {
    let kind = |card: &u32| rules.definitions[*card as usize].kind;
    let kinds: Vec<Option<u16>> = cards.keys().map(|card| Some(kind(card))).collect();
    let beside_others = |of: fn(&InitialCardSums) -> &Pairs| {
        let of_cards = cards.values().map(|sums| {
            let distinct = sums.different.share(sums.games);
            (Basis { distinct, ..Basis::single_look(sums.games, 1.0) }, of(sums))
        });
        measured_effects(&of_cards.collect::<Vec<_>>(), &kinds).into_iter().map(BesideOthers::from)
    };
    let (points, wins) = (beside_others(|sums| &sums.points), beside_others(|sums| &sums.won));
    let effects = cards.iter().zip(points.zip(wins)).map(|((card, sums), (points, wins))| InitialCardEffect {
        card: rules.names.text(rules.definitions[*card as usize].id).to_string(),
        kind: rules.names.text(rules.kinds[usize::from(kind(card))].name).to_string(),
        games: sums.games,
        points,
        wins,
    });
    let mut found: Vec<(Option<u16>, InitialCardEffect)> = kinds.iter().copied().zip(effects).collect();
    found.sort_by(|(kind, a), (other, b)| kind.cmp(other).then(b.points.difference.total_cmp(&a.points.difference)));
    found.into_iter().map(|(_, effect)| effect).collect()
}

impl From<MeasuredEffect> for BesideOthers {
    /// Of an effect that was measured as that of a blank, `original` is here the seat that has the card, and `blanked` the seats beside it.
    fn from(effect: MeasuredEffect) -> BesideOthers {
        let MeasuredEffect { original: own, blanked: others, difference, interval, p, q, significant, .. } = effect;
        BesideOthers { own, others, difference, interval, p, q, significant }
    }
}

/// Formats the effects of cards of one kind as a table.
pub(in super::super) fn initial_card_table(cards: &[InitialCardEffect], called: &BTreeMap<&str, &str>) -> TextTable {
    let mut table = TextTable::new(1);
    table.row(["", "games", "points", "others", "beside", "±", "wins", "others", "beside", "±"]);
    for card in cards {
        let name = called.get(card.card.as_str()).copied().unwrap_or(&card.card);
        let cells = |beside: &BesideOthers, times: f64, digits: usize, unit: &str| {
            let mark = if beside.significant { "*" } else { " " };
            let half = beside.interval.map_or(String::new(), |[low, high]| format!("{:.digits$}", (high - low) / 2.0 * times));
            let value = |value: f64| format!("{:.digits$}{unit}", value * times);
            [value(beside.own), value(beside.others), format!("{:+.digits$}{unit}{mark}", beside.difference * times), half]
        };
        let row = [shorten_name(name), card.games.to_string()].into_iter();
        table.row(row.chain(cells(&card.points, 1.0, 2, "")).chain(cells(&card.wins, 100.0, 1, "%")));
    }
    table
}

/// Shortens a name to the width of its column.
pub(in super::super) fn shorten_name(name: &str) -> String {
    const MAX_NAME_WIDTH: usize = 26;
    if name.chars().count() <= MAX_NAME_WIDTH { name.to_string() } else { name.chars().take(MAX_NAME_WIDTH - 1).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playtest::toy::toy;

    /// A game of three seats that begin with the third, fourth and fifth card, which are of one kind.
    fn game(number: u64, points: [i64; 3]) -> PlayedGame {
        let rows = points.iter().map(|points| vec![*points]).collect();
        let place = toy(3).places.iter().position(|place| place.of_seat && !place.hidden).unwrap() as u16;
        let begun = Some((0..3).map(|seat| (place, 2 + u32::from(seat), seat)).collect());
        PlayedGame { course_hash: number, rows, begun, places: vec![1, 2, 3], sides: 3, ..PlayedGame::default() }
    }

    #[test]
    fn who_begins_with_a_card_is_beside_those_who_begin_with_another() {
        let (rules, mut cards) = (toy(3), InitialCards::new());
        // Beside the mean of the others: +3 and +6, +1.5 and -3, -4.5 and -3.
        for number in 0..40 {
            add_game(&rules, &game(number, if number % 2 == 0 { [9, 8, 4] } else { [12, 6, 6] }), &mut cards);
        }
        let found = initial_card_effects(&rules, &cards);
        let told: Vec<(&str, u64, f64)> = found.iter().map(|card| (card.card.as_str(), card.games, card.points.difference)).collect();
        assert_eq!(told, [("low_wall", 40, 4.5), ("high_wall", 40, -0.75), ("old_wall", 40, -3.75)]);
        let low = &found[0];
        // Deviations of 1.5, in forty games 1.5² · 40 / 39 with two artificial games: t is 2.0227.
        let half = 2.0227 * ((2.25 * 40.0 / 39.0 + 2.0 / 39.0) / 40.0_f64).sqrt();
        let [from, to] = low.points.interval.unwrap();
        assert!((to - 4.5 - half).abs() < 1e-3 && (4.5 - from - half).abs() < 1e-3 && low.points.significant, "{low:?}");
        assert_eq!((low.points.own, low.points.others), (10.5, 6.0));
        assert_eq!((low.wins.own, low.wins.others), (1.0, 0.0));
        let few = (0..19).fold(InitialCards::new(), |mut cards, number| {
            add_game(&rules, &game(number, [9, 8, 4]), &mut cards);
            cards
        });
        assert_eq!(initial_card_effects(&rules, &few)[0].points.q, None, "too few games");
    }
}
