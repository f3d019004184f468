//! Cards, players, and numbers, words, cards or players under a name of their own, wherever some of them are wanted: plainly, and with one
//! more condition, which always holds.

use super::{Part, Place, Table, Tried};

/// Where cards or spaces are wanted. `VALUE` is a number of one of them.
const OF_CARDS: [Place; 34] = [
    ("count", Part::Action, "moon = count {}"),
    ("any", Part::Action, "if any {} { moon += 1 }"),
    ("all", Part::Action, "if all {} { moon += 1 }"),
    ("no", Part::Action, "if no {} { moon += 1 }"),
    ("sum", Part::Action, "moon = sum VALUE of {}"),
    ("sum of the best", Part::Action, "moon = sum highest 2 VALUE of {}"),
    ("highest", Part::Action, "moon = highest VALUE of {}"),
    ("lowest", Part::Action, "moon = lowest VALUE of {}"),
    ("median", Part::Action, "moon = median VALUE of {}"),
    ("first card", Part::Action, "let found = first card of {}; if found is there { moon += 1 }"),
    ("top card", Part::Action, "let found = top card of {}; if found is there { moon += 1 }"),
    ("random card", Part::Action, "let found = random card of {}; if found is there { moon += 1 }"),
    ("card with lowest", Part::Action, "let found = card with lowest VALUE of {}; if found is there { moon += 1 }"),
    ("longest line", Part::Action, "moon = longest line of {}"),
    ("longest trail", Part::Action, "moon = longest trail of {}"),
    ("largest group", Part::Action, "moon = largest group of {}"),
    ("each card", Part::Action, "each card in {} { moon += VALUE }"),
    ("each, named", Part::Action, "each found in {} { moon += 1 }"),
    ("choice", Part::Action, "player chooses { each card in {} { moon += VALUE } \"none\" { gain 1 moss } }"),
    ("choice of two", Part::Action, "player chooses { each one in my yard, card in {} { moon += VALUE } \"none\" { gain 1 moss } }"),
    ("choice of some", Part::Action, "player picks any { each card in {} { moon += VALUE } }"),
    ("count of named", Part::Action, "moon = count q in {}"),
    ("random of named", Part::Action, "let found = random q in {}; if found is there { moon += 1 }"),
    ("show", Part::Action, "show {} to other players"),
    ("remove", Part::Action, "remove {}"),
    ("sum for each player", Part::Action, "moon = sum (count {}) of players"),
    ("each player", Part::Action, "each player { each card in {} { moon += VALUE } }"),
    ("what an action is about", Part::Params, "card in {} { does { moon += VALUE } }"),
    ("guard", Part::Guard, "{ needs any {} \"none\"; does { moon += 1 } }"),
    ("define", Part::Defined("moon = v@"), "define v@ = count {}"),
    ("define, of one", Part::Defined("moon = sum v@(card) of my yard"), "define v@(card) = count {}"),
    ("stat", Part::Defined("moon = v@ + sum v@ of players"), "stat v@ = count {}"),
    ("score", Part::Score, "\"v@\" = sum VALUE of {}"),
    ("change by a card", Part::Entry, "[[card.change]]\nwhat = \"glory\"\nby = 'count {}'"),
];

/// Where players are wanted.
const OF_PLAYERS: [Place; 17] = [
    ("count", Part::Action, "moon = count {}"),
    ("any", Part::Action, "if any {} { moon += 1 }"),
    ("all", Part::Action, "if all {} { moon += 1 }"),
    ("no", Part::Action, "if no {} { moon += 1 }"),
    ("sum", Part::Action, "moon = sum VALUE of {}"),
    ("sum of the best", Part::Action, "moon = sum lowest 2 VALUE of {}"),
    ("highest", Part::Action, "moon = highest VALUE of {}"),
    ("lowest", Part::Action, "moon = lowest VALUE of {}"),
    ("choice", Part::Action, "player chooses { each q in {} { moon += q.wisp } \"none\" { gain 1 moss } }"),
    ("random", Part::Action, "let found = random q in {}; if found is not nobody { moon += 1 }"),
    ("sum for each card", Part::Action, "moon = sum (count {}) of my yard"),
    ("what an action is about", Part::Params, "q in {} { does { moon += q.wisp } }"),
    ("guard", Part::Guard, "{ needs any {} \"none\"; does { moon += 1 } }"),
    ("define", Part::Defined("moon = v@"), "define v@ = count {}"),
    ("stat", Part::Defined("moon = v@ + sum v@ of players"), "stat v@ = count {}"),
    ("score", Part::Score, "\"v@\" = sum VALUE of {}"),
    ("change by a card", Part::Entry, "[[card.change]]\nwhat = \"glory\"\nby = 'count {}'"),
];

/// Where some of anything under a name are wanted, which is `q`.
const NAMED: [Place; 21] = [
    ("count", Part::Action, "moon = count q in {}"),
    ("any", Part::Action, "if any q in {} { moon += 1 }"),
    ("all", Part::Action, "if all q in {} { moon += 1 }"),
    ("every", Part::Action, "if every q in {} { moon += 1 }"),
    ("no", Part::Action, "if no q in {} { moon += 1 }"),
    ("sum", Part::Action, "moon = sum VALUE of q in {}"),
    ("sum of the best", Part::Action, "moon = sum highest 2 VALUE of q in {}"),
    ("highest", Part::Action, "moon = highest VALUE of q in {}"),
    ("lowest", Part::Action, "moon = lowest VALUE of q in {}"),
    ("for", Part::Action, "for q in {} { moon += VALUE }"),
    ("each", Part::Action, "each q in {} { moon += VALUE }"),
    ("random", Part::Action, "let kept = random q in {}; for q in 1 to 1 { moon += q }"),
    ("choice", Part::Action, "player chooses { each q in {} { moon += VALUE } \"none\" { gain 1 moss } }"),
    ("choice of two", Part::Action, "player chooses { each one in my yard, q in {} { moon += VALUE } \"none\" { gain 1 moss } }"),
    ("choice of some", Part::Action, "player picks any { each q in {} { moon += VALUE } }"),
    ("within another", Part::Action, "moon = sum (count q in {}) of my yard"),
    ("what an action is about", Part::Params, "q in {} { does { moon += VALUE } }"),
    ("guard", Part::Guard, "{ needs any q in {} \"none\"; does { moon += 1 } }"),
    ("define", Part::Defined("moon = v@"), "define v@ = sum VALUE of q in {}"),
    ("stat", Part::Defined("moon = v@ + sum v@ of players"), "stat v@ = count q in {}"),
    ("score", Part::Score, "\"v@\" = sum VALUE of q in {}"),
];

/// Cards and spaces, each with a number of one of them.
const CARDS: [(&str, &str); 34] = [
    ("my yard", "card.height"),
    ("left.yard", "card.height"),
    ("my yard where card.height > 1", "card.height"),
    ("my yard with bites", "card.bites"),
    ("my yard with action", "card.height"),
    ("my cards in play", "card.height"),
    ("all cards in play", "card.height"),
    ("all cards in play where card is wolf", "card.height"),
    ("my cards in play with bites and card.height > 2", "card.height"),
    ("all den", "card.height"),
    ("all den where card.bites == 0", "card.height"),
    ("my lair", "card.height"),
    ("market", "card.height"),
    ("market rows 1, 3", "row of card"),
    ("market row 2", "column of card"),
    ("market rows 1, 2 where card is wall", "card.height"),
    ("heath", "card.height"),
    ("my wolf", "card.height"),
    ("all yard where card is wall", "card.height"),
    ("lawn", "row of card"),
    ("lawn where card.owner is nobody", "column of card"),
    ("group of (space of lawn at row 1 column 1) where card.owner is nobody", "row of card"),
    ("cards at (space of lawn at row 1 column 1)", "card.height"),
    ("within 2 steps of (space of lawn at row 1 column 1) where card.owner is nobody", "row of card"),
    ("within 3 steps of lawn.r1c1 over open joined by pond", "column of card"),
    ("within 2 steps of lawn.r1c1 along trails over dry", "row of card"),
    ("within 3 steps of lawn.r2c1 over ascent", "row of card"),
    ("group of lawn.r2c1 over ascent where card.owner is nobody", "row of card"),
    ("group of lawn.r1c1 along trails", "column of card"),
    ("areas of lawn by row of card where card.owner is nobody", "row of card"),
    ("trails where card.owner is nobody", "card.length"),
    ("lawn beside market", "row of card"),
    ("bank where card.lean is north", "open ends of card"),
    ("group of boulder_north where card.lean is north", "card.nests"),
];

/// Players.
const PLAYERS: [&str; 7] = [
    "players",
    "other players",
    "players where wisp > 2",
    "other players where not passed",
    "other players with fewer wisp",
    "players with more moss",
    "other players with fewer (wisp + dens)",
];

/// Anything that has a name, each with a number of one of it.
const ANYTHING: [(&str, &str); 14] = [
    ("1 to 6 where q > wisp", "q"),
    ("1 to 3", "q"),
    ("wisp, moss", "amount of q"),
    ("wisp, moss where amount of q > 1", "amount of q"),
    ("north, east", "blown[q]"),
    ("wind", "blown[q]"),
    ("wind where blown[q] == 0", "blown[q]"),
    ("resource", "amount of q"),
    ("symbols", "payable q from hand"),
    ("players where q.wisp > 1", "q.wisp"),
    ("other players", "q.wisp"),
    ("my yard", "q.height"),
    ("market where q.height > 2", "column of q"),
    ("lawn where q.owner is nobody", "row of q"),
];

/// The same with a condition that always holds; what hangs together is said by its first condition.
fn with_a_condition(set: &str) -> String {
    let always = "round > 0";
    if set.ends_with("bites and card.height > 2") {
        return set.replace("card.height > 2", "card.height > 2 and card.height < 99");
    }
    if set.contains(" with fewer ") || set.contains(" with more ") {
        // No condition may follow.
        return set.to_string();
    }
    if set.contains(" where ") { format!("{set} and {always}") } else { format!("{set} where {always}") }
}

fn hold_all(name: &str, places: &[Place], sets: &[(&str, &str)]) {
    let mut table = Table::new();
    for (set, value) in sets {
        let written = |set: &str, place: &Place, way: usize| {
            // `for` takes all of them, and in a choice `where` is of cards and players alone: numbers and words have `if` behind them.
            let takes_no_condition = ["for", "choice", "choice of two", "choice of some", "what an action is about"].contains(&place.0)
                && ["1 to 3", "wisp, moss", "north, east", "wind", "resource", "symbols"].contains(&set);
            let set = if way == 0 || takes_no_condition { set.to_string() } else { with_a_condition(set) };
            place.2.replace("{}", &set).replace("VALUE", value)
        };
        table.add(name, &Tried { texts: &[*set], places, of_card: false, ways: &["plain", "where"], written: &written });
    }
    table.holds(name);
}

#[test]
fn cards_and_spaces_are_the_same_in_every_place_where_some_are_wanted() {
    hold_all("cards", &OF_CARDS, &CARDS);
}

#[test]
fn players_are_the_same_in_every_place_where_some_are_wanted() {
    hold_all("players", &OF_PLAYERS, &PLAYERS.map(|players| (players, "wisp")));
}

#[test]
fn what_has_a_name_of_its_own_is_the_same_in_every_place_where_some_is_wanted() {
    hold_all("named", &NAMED, &ANYTHING);
}
