//! Tests of strategies that are planted, and of none.

use super::*;
use crate::playtest::measure::PlayedGame;
use crate::playtest::tally::RunTally;
use crate::playtest::toy::toy;
use crate::state::chance::join;

/// Plays made-up games of two players: `of_seat` gives for a seat and a number drawn for it how often it takes the first card, the third
/// card, and the second action, and whether it wins.
fn outcome(games: u64, of_seat: impl Fn(u64, u64) -> ([u64; 3], bool)) -> RunOutcome {
    let rules = toy(2);
    let mut tally = RunTally::new(&rules);
    for number in 0..games {
        let (mut chosen, mut places) = (Vec::new(), Vec::new());
        for seat in 0..2 {
            let ([first, third, other], wins) = of_seat(seat, join(number, seat));
            let of = [((0, Some(0)), first), ((0, Some(2)), third), ((1, None), other)];
            of.iter().for_each(|((action, card), times)| (0..*times).for_each(|_| chosen.push((*action, *card, seat as u8))));
            places.push(if wins { 1 } else { 2 });
        }
        chosen.sort_unstable();
        let game =
            PlayedGame { course_hash: join(9, number), rows: vec![vec![4], vec![6]], places, sides: 2, chosen, ..PlayedGame::default() };
        tally.sample.add(&rules, &game);
    }
    RunOutcome { tally, ..RunOutcome::default() }
}

#[test]
fn planted_strategies_are_found_and_named() {
    // The first seat takes wolves and wins three games of four, the second takes walls.
    let of_seat = |seat, drawn: u64| {
        let (more, less, other) = (20 + drawn % 7, 4 + drawn / 7 % 5, 6 + drawn / 35 % 7);
        if seat == 0 { ([more, less, other], !drawn.is_multiple_of(4)) } else { ([less, more, other], drawn.is_multiple_of(4)) }
    };
    let found = strategies(&toy(2), &outcome(100, of_seat), 1);
    assert_eq!((found.players, found.games, found.groups.len()), (200, 100, 2), "{}", found.sentence());
    let [first, second] = found.groups.as_slice() else { panic!() };
    assert_eq!((first.players.count, second.players.count), (100.0, 100.0));
    assert!(first.won.unwrap().share > 0.6 && second.won.unwrap().share < 0.4);
    assert_eq!((first.points.mean, second.points.mean), (4.0, 6.0));
    let name = first.name(&Translations::default());
    assert!(name.contains("wolf") && name.contains("more") && !name.contains("waste"), "{name}");
    let wolf = first.marks.iter().find(|mark| mark.kind.as_deref() == Some("wolf")).unwrap();
    assert!((22.0..24.0).contains(&wolf.in_group) && (13.0..16.0).contains(&wolf.of_all) && wolf.deviation > 0.9, "{wolf:?}");
    // Of so many players some decide, of either seat.
    let many = strategies(&toy(2), &outcome(200, of_seat), 1);
    assert_eq!((many.players, many.groups.len()), (400, 2), "{}", many.sentence());
}

#[test]
fn where_there_are_none_that_is_said() {
    let mixed = outcome(150, |_, drawn| {
        let sum = |from: u64| (0..12).map(|at| join(drawn, from + at) % 2).sum::<u64>();
        ([sum(0), sum(20), sum(40)], drawn % 2 == 0)
    });
    let found = strategies(&toy(2), &mixed, 1);
    assert!(found.groups.is_empty() && found.silhouette.is_some(), "{found:?}");
    assert!(found.sentence().starts_with("no strategies can be told apart"), "{}", found.sentence());
}

#[test]
fn what_is_known_of_points_is_counted_by_games() {
    // Players take the one or the other by chance, so that both of a game often belong to one group.
    let of_seat = |_, drawn| {
        let (more, less) = (20 + drawn / 2 % 7, 4 + drawn / 14 % 5);
        if drawn % 2 == 0 { ([more, less, 6], true) } else { ([less, more, 6], true) }
    };
    let found = strategies(&toy(2), &outcome(80, of_seat), 1);
    let players: u64 = found.groups.iter().map(|group| group.sums.values.count).sum();
    assert_eq!((found.groups.len(), players), (2, 160), "{}", found.sentence());
    assert!(found.groups.iter().all(|group| group.sums.games.count < group.sums.values.count), "{:?}", found.groups);
}

#[test]
fn a_group_that_is_too_small_is_no_reason_to_say_that_there_is_none() {
    let odd = outcome(150, |_, drawn| if drawn % 40 == 0 { ([1, 30, 1], true) } else { ([20 + drawn % 3, 6, 5 + drawn / 3 % 3], true) });
    let found = strategies(&toy(2), &odd, 1);
    assert!(found.groups.is_empty() && found.silhouette > found.without_groups, "{found:?}");
    assert!(found.sentence().contains("one is smaller than one player in twenty"), "{}", found.sentence());
}

#[test]
fn few_players_and_players_who_all_do_the_same_have_none() {
    let few = strategies(&toy(2), &outcome(20, |seat, _| ([seat, 1, 1], true)), 1);
    assert_eq!((few.silhouette, few.sentence().contains("40 players are too few")), (None, true));
    let same = strategies(&toy(2), &outcome(50, |_, _| ([1, 1, 1], true)), 1);
    assert_eq!((same.actions, same.sentence().contains("all players do the same")), (0, true));
}
