//! Each example of the grammar's values, wherever a number is wanted: plainly, as a branch of `if`, in a sum, and under a name of its own.

use super::{Part, Place, Table, Tried, first_of};
use houserule::syntax::reference::{Construct, reference};

/// Where a number is wanted that is reckoned once, for the one who acts, and where the statement stands: a name for it does as well.
const DIRECT: [Place; 35] = [
    ("assignment", Part::Action, "moon = {}"),
    ("addition to a card", Part::CardAction, "card.bites += {}"),
    ("let", Part::Action, "let kept = {}; dens = kept"),
    ("if", Part::Action, "if ({}) > 1 { dens += 1 } else { dens -= 1 }"),
    ("unless", Part::Action, "unless ({}) > 1 { dens += 1 }"),
    ("else if", Part::Action, "if moon > 900 { dens = 1 } else if ({}) > 1 { dens = 2 } else { dens = 3 }"),
    ("gain", Part::Action, "gain {} wisp"),
    ("lose", Part::Action, "lose ({}) moss"),
    ("repeat", Part::Action, "repeat {} { moon += 1 }"),
    ("draw", Part::Action, "draw min(2, {}) from pile[1] to den"),
    ("take", Part::Action, "take min(2, {}) die from box to hand"),
    ("end of a range", Part::Action, "for k in 1 to min(4, {}) { moon += k }"),
    ("beginning of a range", Part::Action, "for k in min(4, {}) to 5 { moon += k }"),
    ("argument of an effect", Part::Action, "do storm({})"),
    ("argument of a definition", Part::Action, "moon = twice({})"),
    ("argument of max", Part::Action, "moon = max(1, {}, 2)"),
    ("then", Part::Action, "moon = if passed then 0 else {}"),
    ("else", Part::Action, "moon = if not passed then {} else 0"),
    ("table by players", Part::Action, "moon = by players { 2: 1, else: {} }"),
    ("left of minus", Part::Action, "moon = ({}) - 3"),
    ("right of minus", Part::Action, "moon = 3 - ({})"),
    ("product", Part::Action, "moon = 2 * ({}) * 3"),
    ("dividend", Part::Action, "moon = ({}) / 2"),
    ("remainder", Part::Action, "moon = remainder of ({}) by 3"),
    ("comparison", Part::Action, "if 2 <= ({}) and not ({}) == 3 or ({}) < 1 { moon += 1 }"),
    ("in a range", Part::Action, "if ({}) in 1 to 3 { moon += 1 }"),
    ("range of a test", Part::Action, "if wisp in 1 to ({}) { moon += 1 }"),
    ("entry of a list", Part::CardAction, "moon = card.hours[min(1, max(0, {}))]"),
    ("first of a list", Part::CardAction, "moon = first ({}) of card.hours"),
    ("row of a space", Part::Action, "let there = space of lawn at row ({}) column 1; if there is there { there.owner = me }"),
    ("steps", Part::Action, "moon = count within ({}) steps of lawn.r1c1"),
    ("how many of the best", Part::Action, "moon = sum highest ({}) card.height of my yard"),
    ("mix", Part::Action, "pay min(1, max(0, {})) of wisp, moss in any mix"),
    ("offer on a condition", Part::Action, "player chooses { \"this\" if ({}) > 0 { gain 1 wisp } \"none\" { gain 1 moss } }"),
    ("guard of an offer", Part::Action, "player chooses { \"this\" needs ({}) > 0 \"none\" { gain 1 wisp } \"none\" { gain 1 moss } }"),
];

/// Where it is reckoned more than once, for others, of a candidate, or somewhere else.
const OTHERS: [Place; 45] = [
    ("repeat until", Part::Action, "let begun = moon; repeat until moon > begun + 2 or ({}) > 2 { moon += 1 }"),
    ("each player where", Part::Action, "each player where ({}) > 1 { gain 1 wisp }"),
    ("each player", Part::Action, "each player { dens = {} }"),
    ("all players", Part::Action, "all players { dens = {} }"),
    ("each card where", Part::Action, "each card in my yard where ({}) > 1 { card.bites += 1 }"),
    ("each card", Part::Action, "each card in my yard { card.bites = {} }"),
    ("each word", Part::Action, "each gust in wind { blown[gust] = {} }"),
    ("as another", Part::Action, "as left { dens = {} }"),
    ("count of cards", Part::Action, "moon = count my yard where ({}) > 1"),
    ("count of players", Part::Action, "moon = count other players where ({}) > 1"),
    ("count of numbers", Part::Action, "moon = count q in 1 to 4 where q < ({})"),
    ("count of words", Part::Action, "moon = count q in wind where blown[q] < ({})"),
    ("count of named cards", Part::Action, "moon = count q in my yard where q.height < ({})"),
    ("count of named players", Part::Action, "moon = count q in players where q.wisp < ({})"),
    ("count of spaces", Part::Action, "moon = count lawn where row of card < ({})"),
    ("any", Part::Action, "if any my yard where ({}) > 1 { moon += 1 }"),
    ("all", Part::Action, "if all my yard where ({}) > 1 { moon += 1 }"),
    ("no", Part::Action, "if no my yard where ({}) > 1 { moon += 1 }"),
    ("sum of cards", Part::Action, "moon = sum ({}) of my yard"),
    ("sum of players", Part::Action, "moon = sum ({}) of players"),
    ("sum of numbers", Part::Action, "moon = sum q * ({}) of q in 1 to 3"),
    ("highest of cards", Part::Action, "moon = highest ({}) of my yard"),
    ("lowest of players", Part::Action, "moon = lowest ({}) of players"),
    ("median", Part::Action, "moon = median ({}) of my yard"),
    ("card with highest", Part::Action, "let found = card with highest ({}) of my yard; if found is there { found.bites += 1 }"),
    ("first card", Part::Action, "let found = first card of my yard where ({}) > 1; if found is there { found.bites += 1 }"),
    ("top card", Part::Action, "let found = top card of my yard where ({}) > 1; if found is there { found.bites += 1 }"),
    ("random card", Part::Action, "let found = random card of my yard where ({}) > 1; if found is there { found.bites += 1 }"),
    ("random player", Part::Action, "let found = random q in players where q.wisp >= 0 or ({}) > 1; as found { gain 1 moss }"),
    ("largest group", Part::Action, "moon = largest group of lawn where card.owner == me or ({}) > 1"),
    ("longest line", Part::Action, "moon = longest line of lawn where row of card > ({})"),
    ("offer of cards", Part::Action, "player chooses { each card in my yard if ({}) > 1 { card.bites += 1 } \"none\" { gain 1 moss } }"),
    ("guard of an action", Part::Guard, "{ needs ({}) > 1 \"why not\"; does { moon += 1 } }"),
    ("cost of an action", Part::Guard, "{ cost min(3, {}) wisp; does { moon += 1 } }"),
    ("define", Part::Defined("moon = v@"), "define v@ = {}"),
    ("define, of one", Part::Defined("moon = sum v@(card) of my yard"), "define v@(card) = {}"),
    ("changeable", Part::Defined("moon = v@(first card of my yard)"), "changeable v@(card) = {}"),
    ("stat", Part::Defined("moon = v@ + sum v@ of players"), "stat v@ = {}"),
    ("bound of a stat", Part::Defined("moon = v@"), "stat v@ = wisp, at most 40, at least {}"),
    ("condition", Part::Defined("if v@ { moon += 1 }"), "condition v@ = ({}) > 1"),
    ("step when", Part::Step, "when ({}) > 1 { each player { gain 1 wisp } }"),
    ("step", Part::Step, "{ each player { dens = {} } }"),
    ("when a card leaves", Part::Leaves, "card.bites = {}"),
    ("score", Part::Score, "\"v@\" = {}"),
    ("change by a card", Part::Entry, "[[card.change]]\nwhat = \"glory\"\nby = '{}'\nif = '({}) > 1'"),
];

/// Values of rules that have no example, since they are only signs, or whose example names what this game has not.
const MORE: [(&str, &str); 20] = [
    ("or_else", "passed or wisp > 2 or dens > 4"),
    ("and_also", "passed and wisp > 2 or dens > 4 and wisp > 3"),
    ("equal", "wisp == moss"),
    ("not_equal", "wisp != moss + 1"),
    ("at_most", "wisp <= 2 * moss"),
    ("at_least", "wisp >= moss + 1"),
    ("less", "wisp - 1 < moss"),
    ("more", "wisp > moss - 1"),
    ("add", "(wisp + moss + 1)"),
    ("sub", "(wisp - moss - 1)"),
    ("mul", "(wisp * 2 + moss * wisp)"),
    ("div", "((wisp - 9) / 2)"),
    ("minus", "(0 - wisp + -2)"),
    ("plus", "+2"),
    ("negation", "not passed and not (not passed)"),
    ("number", "3"),
    ("first_of", "first 2 of lair.hours"),
    ("is_there", "lair is there"),
    ("is_there", "lair is not there"),
    ("is_equal", "card is not wolf"),
];

/// Rules of the chapter that are not values: words and signs around them, and what has a table of its own.
const PARTS: [&str; 43] = [
    "all_numbers",
    "along",
    "amount",
    "area_by",
    "areas_of",
    "arithmetic",
    "arguments",
    "atom",
    "beside",
    "bracketed",
    "cards",
    "cards_at",
    "entries",
    "entry",
    "entry_key",
    "expr",
    "fewer",
    "figure",
    "filter",
    "group",
    "group_of",
    "guard_ahead",
    "index",
    "infix",
    "more_than",
    "named",
    "of_team",
    "one_pile",
    "operand",
    "over_ways",
    "phrase",
    "plain",
    "postfix",
    "prefix",
    "random_card",
    "resource",
    "rows",
    "sign",
    "term",
    "tokens",
    "trail_by",
    "which_players",
    "within_steps",
];

/// Values that are the same in every state, said otherwise.
const EQUAL: [(&str, &str); 37] = [
    ("highest blown[w] of w in wind", "0 - (lowest (0 - blown[w]) of w in wind)"),
    ("highest (wisp - 9) of players", "0 - (lowest (9 - wisp) of players)"),
    ("highest card.height of my yard", "sum highest 1 card.height of my yard"),
    ("lowest (card.height - 2) of my yard", "0 - (highest (2 - card.height) of my yard)"),
    ("highest (n - 9) of n in 1 to 3", "-6"),
    ("lowest (n - 9) of n in 1 to 3", "-8"),
    ("count my yard where card.height > 1", "sum (if card.height > 1 then 1 else 0) of my yard"),
    ("if any my yard where card.height > 3 then 1 else 0", "min(1, count my yard where card.height > 3)"),
    ("if all my yard where card.height > 1 then 1 else 0", "if no my yard where card.height <= 1 then 1 else 0"),
    ("if any w in wind where blown[w] > 0 then 1 else 0", "if all w in wind where blown[w] <= 0 then 0 else 1"),
    ("count other players with fewer wisp", "count p in other players where p.wisp < me.wisp"),
    ("count players with more (moss + dens)", "count p in players where p.moss + p.dens > (me.moss + me.dens)"),
    ("sum wisp of players", "wisp + sum wisp of other players"),
    ("wisp + left.wisp + right.wisp", "sum wisp of players"),
    ("sum wisp of players where not passed", "sum (if passed then 0 else wisp) of players"),
    ("sum n * n of n in 1 to 3", "14"),
    ("count n in 1 to 6 where n > wisp", "max(0, min(6, 6 - wisp))"),
    ("sum lowest 2 n of n in 1 to 4", "3"),
    ("remainder of (wisp - 7) by 3", "(wisp - 7) - 3 * ((wisp - 7) / 3)"),
    ("(wisp - 7) / 4", "(wisp + 33) / 4 - 10"),
    ("max(wisp, moss)", "if wisp > moss then wisp else moss"),
    ("min(wisp, moss, 3)", "0 - max(0 - wisp, 0 - moss, -3)"),
    ("if wisp in 1 to 3 then 1 else 0", "if wisp >= 1 and not wisp > 3 then 1 else 0"),
    ("count market rows 1, 3", "count market where row of card == 1 or row of card == 3"),
    ("count my wolf", "count my cards in play where card is wolf"),
    ("count within 1 steps of lawn.r1c1", "2"),
    ("distance from lawn.r1c1 to lawn.r3c4", "5"),
    ("distance from lawn.r1c1 to lawn.r3c4 over ascent", "5"),
    ("distance from lawn.r3c1 to lawn.r2c1 over ascent", "1000"),
    ("count within 2 steps of lawn.r2c2 over ascent", "6"),
    ("count within 1 steps of lawn.r2c2 over ascent", "3"),
    ("count group of lawn.r2c1 over ascent", "8"),
    ("count group of lawn.r2c1 over ascent where row of card == 2", "4"),
    ("count group of lawn.r1c1 along trails", "1 + count within 100 steps of lawn.r1c1 along trails"),
    ("by players { 2: 1, 3, 4: 2 }", "if players == 2 then 1 else 2"),
    ("by gust { north: 1, else: 2 }", "if gust is north then 1 else 2"),
    ("first 2 of lair.hours", "lair.hours[0] + lair.hours[1]"),
];

/// How a value is made a number.
const FORMS: [&str; 4] = ["{}", "(if {} then 1 else 0)", "(if ({}) is there then 1 else 0)", "(if ({}) is not nobody then 1 else 0)"];

/// The examples of a construct that this game can take.
fn examples(construct: &Construct) -> Vec<(String, String)> {
    let of_own = MORE.iter().filter(|(rule, _)| *rule == construct.rule).map(|(_, text)| (*text).to_string());
    let taken = construct.examples.iter().filter(|text| !["den is there", "first 2 of den.hours"].contains(&text.as_str()));
    taken.cloned().chain(of_own).map(|text| (construct.rule.clone(), text)).collect()
}

/// The value as a number, and whether an action must be about a card for it.
///
/// # Errors
/// What `check` says in all forms.
fn as_number(table: &Table, value: &str) -> Result<(String, bool), String> {
    let mut told = String::new();
    for of_card in [false, true] {
        for form in FORMS {
            let number = form.replace("{}", value);
            let places = &DIRECT[..1];
            let tried =
                Tried { texts: &[value], places, of_card, ways: &["plain"], written: &|_, place, _| place.2.replace("{}", &number) };
            match table.compiled(&tried.game(&[0], 0)) {
                Ok(_) => return Ok((number, of_card)),
                Err((_, wrong)) => told = wrong,
            }
        }
    }
    Err(told)
}

#[test]
fn every_value_is_the_same_in_every_place_by_code_by_a_walk_and_written_otherwise() {
    let mut table = Table::new();
    let places: Vec<Place> = DIRECT.into_iter().chain(OTHERS).collect();
    let of_chapter = |construct: &&Construct| construct.chapter.contains("Expressions");
    let (mut tried, mut without) = (0, Vec::new());
    for construct in reference().constructs().filter(of_chapter).filter(|construct| !PARTS.contains(&construct.rule.as_str())) {
        let examples = examples(construct);
        if examples.is_empty() {
            without.push(&construct.rule);
        }
        for (rule, value) in examples {
            let (number, of_card) = match as_number(&table, &value) {
                Ok(found) => found,
                Err(told) => {
                    table.wrong.push(format!("{value}: {}", first_of(&told)));
                    continue;
                }
            };
            let written = |_: &str, place: &Place, way: usize| {
                let is_direct = DIRECT.iter().any(|direct| direct.0 == place.0 && direct.1 == place.1);
                match way {
                    0 => place.2.replace("{}", &number),
                    1 => place.2.replace("{}", &format!("(if round > 0 then ({number}) else 0 - 7)")),
                    _ if is_direct => format!("let lifted = {number}; {}", place.2.replace("{}", "lifted")),
                    _ => place.2.replace("{}", &format!("(moon + ({number}) - moon)")),
                }
            };
            let ways = &["plain", "if, then, else", "under a name or in a sum"];
            table.add(&rule, &Tried { texts: &[&*value], places: &places, of_card, ways, written: &written });
            tried += 1;
        }
    }
    assert_eq!(without, Vec::<&String>::new(), "rules without a value that is tried");
    assert!(tried > 80, "{tried}");
    table.holds("values");
}

#[test]
fn values_that_are_said_otherwise_are_the_same_in_every_place() {
    let mut table = Table::new();
    let places: Vec<Place> = DIRECT.into_iter().chain(OTHERS).collect();
    for (value, other) in EQUAL {
        let written = |_: &str, place: &Place, way: usize| place.2.replace("{}", &format!("({})", if way == 0 { value } else { other }));
        let ways = &["plain", "said otherwise"];
        table.add(value, &Tried { texts: &[other], places: &places, of_card: false, ways, written: &written });
    }
    table.holds("equal_values");
}
