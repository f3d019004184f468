//! Candidate features of a state, as rules text: everything that the rules declare of a player.
//!
//! These are resources, counters, stats, conditions, and definitions without parameters or with a resource as parameter; the number of
//! cards in each place, by kind and in total, with sums and maxima of their printed values and counters; the values of tokens in each
//! pool; and what definitions with parameters say of cards and spaces (`functions`). Then comes what lies on the table: counters, flags, words, cards and tokens. It is the same for all, and counts for whoever has made
//! the last move: whose turn is next makes of it what it can.

mod functions;

use crate::engine::node::Type;
use crate::engine::ruleset::{Lifetime, VariableSort};
use crate::lang::defs::{DefId, DefKind, Definition, FieldType, Owner, PlaceShape};
use crate::lang::typed::{Board, BoardShape, Body, Expr, ExprKind, Kind, Param, Place, Rules};

/// The name, in rules text, of what the rules themselves say a state is worth.
pub const OWN_WORTH: &str = "own_worth";

/// A candidate feature.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Feature {
    /// The value as rules text.
    pub text: String,
    /// Whether the value is the same for all players.
    pub of_table: bool,
}

/// Maximum number of features of a player, and of the table.
const MAX_FEATURES: [usize; 2] = [400, 100];

/// Returns the values of a player, then those of the table, in the order in which they are declared; the first so many. The checker may
/// reject some of them, since not every card of a place has every field.
pub fn candidate_features(rules: &Rules) -> Vec<Feature> {
    let [own, of_table] = [(values_of_player(rules), false), (values_of_table(rules), true)].map(|(texts, of_table)| {
        let mut found: Vec<Feature> = Vec::new();
        for text in texts {
            let feature = Feature { text, of_table };
            if !found.contains(&feature) {
                found.push(feature);
            }
        }
        found.truncate(MAX_FEATURES[usize::from(of_table)]);
        found
    });
    [own, of_table].concat()
}

fn values_of_player(rules: &Rules) -> Vec<String> {
    let mut found = Vec::new();
    for (id, one) in rules.defs.all() {
        found.extend(values_of(rules, id, one));
    }
    for place in rules.places.iter().filter(|place| is_player_place(rules, place)) {
        found.extend(card_features(rules, place));
    }
    found.extend(rules.boards.iter().flat_map(|board| board_features(rules, board)));
    for pool in rules.pools.iter().filter(|pool| pool.of_seat) {
        found.extend(values_of_pool(rules, &rules.defs[pool.def].name));
    }
    // Whose the cards on the table are.
    let of_table = |place: &&Place| {
        matches!(rules.defs[place.def].kind, DefKind::Place { of_seat: false, shape: PlaceShape::Slots | PlaceShape::Grid, .. })
    };
    for place in rules.places.iter().filter(of_table) {
        let name = &rules.defs[place.def].name;
        found.extend(counters_of_cards(rules, Type::Seat).map(|counter| format!("count {name} where card.{counter} is me")));
    }
    found.extend(functions::features(rules));
    found
}

/// Returns the values of the table: of its counters, flags, tallies, places and pools.
fn values_of_table(rules: &Rules) -> Vec<String> {
    let mut found = Vec::new();
    for (id, one) in rules.defs.all() {
        let name = &one.name;
        match &one.kind {
            DefKind::Variable { lifetime: Lifetime::Action, .. } => {}
            DefKind::Variable { owner: Owner::Table, sort: VariableSort::Counter, over, .. } => match over {
                Some(Type::Choice(list)) => found.extend(words_of(rules, *list).map(|word| one_if(&format!("{name} == {word}")))),
                Some(Type::Seat) => found.push(one_if(&format!("{name} is nobody"))),
                None => found.push(name.clone()),
                // What a space is worth follows from the rules, not from its name.
                Some(_) => {}
            },
            DefKind::Variable { owner: Owner::Table, sort: VariableSort::Flag, .. } => found.push(one_if(name)),
            DefKind::Variable { owner: Owner::Table, sort: VariableSort::Tally, over: Some(Type::Number), .. } => {
                found.extend(numbers_of(rules, id).map(|number| format!("{name}[{number}]")));
            }
            DefKind::Variable { owner: Owner::Table, sort: VariableSort::Tally, over: Some(over), .. } => {
                found.extend(words_over(rules, *over).map(|word| format!("{name}[{word}]")));
            }
            _ => {}
        }
    }
    let of_table = |place: &&Place| matches!(rules.defs[place.def].kind, DefKind::Place { of_seat: false, .. });
    for place in rules.places.iter().filter(of_table) {
        let name = &rules.defs[place.def].name;
        found.push(format!("count {name}"));
        if let DefKind::Place { shape: PlaceShape::Slots | PlaceShape::Grid, .. } = rules.defs[place.def].kind {
            found.extend(counters_of_cards(rules, Type::Seat).map(|counter| format!("count {name} where card.{counter} is nobody")));
            found.extend(printed_values(rules, place).iter().map(|value| format!("sum {value} of {name}")));
        }
    }
    for pool in rules.pools.iter().filter(|pool| !pool.of_seat) {
        found.extend(values_of_pool(rules, &rules.defs[pool.def].name));
    }
    found
}

/// Returns what tokens show in a pool, and how many there are of each sort.
fn values_of_pool<'r>(rules: &'r Rules, pool: &'r str) -> impl Iterator<Item = String> + 'r {
    rules.defs.all().filter_map(move |(_, one)| {
        if let DefKind::Symbol(_) = one.kind {
            Some(format!("shown {} in {pool}", one.name))
        } else if let DefKind::Token(_) = one.kind {
            Some(format!("number of {} in {pool}", one.name))
        } else {
            None
        }
    })
}

/// Returns the names of the counters on cards that hold one of these words.
fn counters_of_cards(rules: &Rules, over: Type) -> impl Iterator<Item = &str> {
    let holds = move |one: &&Definition| matches!(one.kind, DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, over: Some(of), .. } if of == over);
    rules.defs.all().map(|(_, one)| one).filter(holds).map(|one| one.name.as_str())
}

/// Returns the names of the counters on cards and spaces that hold a number.
fn plain_counters_of_cards(rules: &Rules) -> impl Iterator<Item = &str> {
    let holds =
        |one: &&Definition| matches!(one.kind, DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, over: None, .. });
    rules.defs.all().map(|(_, one)| one).filter(holds).map(|one| one.name.as_str())
}

/// Returns the words that a set or tally goes over.
fn words_over(rules: &Rules, over: Type) -> impl Iterator<Item = &str> {
    let resources = rules.defs.resources().into_iter().filter(move |_| over == Type::Resource);
    let kinds = rules.kinds.iter().filter(move |_| over == Type::Kind).map(|kind| rules.defs[kind.def].name.as_str());
    let list = if let Type::Choice(list) = over { Some(list) } else { None };
    resources.chain(kinds).chain(list.into_iter().flat_map(|list| words_of(rules, list)))
}

/// Writes a condition as a number.
fn one_if(condition: &str) -> String {
    format!("(if {condition} then 1 else 0)")
}

/// Returns the features of one declaration.
#[expect(clippy::wildcard_enum_match_arm, reason = "most of what has a name is no value of a player")]
fn values_of(rules: &Rules, id: DefId, one: &Definition) -> Vec<String> {
    let name = &one.name;
    let truth = |name: &str| vec![one_if(name)];
    match &one.kind {
        // Variables that last for one action are reset when the state is at rest.
        DefKind::Variable { lifetime: Lifetime::Action, .. } => Vec::new(),
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Counter, over: Some(Type::Choice(list)), .. } => {
            words_of(rules, *list).map(|word| one_if(&format!("{name} == {word}"))).collect()
        }
        DefKind::Variable { sort: VariableSort::Counter, owner: Owner::Table, over: Some(Type::Seat), .. } => {
            vec![one_if(&format!("{name} is me")), one_if(&format!("{name} is not me and {name} is not nobody"))]
        }
        DefKind::Variable { sort: VariableSort::Counter, owner: Owner::Player, over: Some(Type::Seat), .. } => {
            vec![one_if(&format!("{name} is me")), one_if(&format!("{name} is nobody"))]
        }
        // What a space is worth follows from what lies on it, not from its name.
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Counter, over: Some(Type::Space(_)), .. } => {
            plain_counters_of_cards(rules).map(|counter| format!("(if {name} is there then {name}.{counter} else 0)")).collect()
        }
        DefKind::Variable { owner: Owner::Player, over: Some(Type::Space(_)), .. } => Vec::new(),
        DefKind::Variable { owner: Owner::Player | Owner::Table, sort: VariableSort::Set, over: Some(over), .. } => {
            words_over(rules, *over).map(|word| one_if(&format!("{word} in {name}"))).collect()
        }
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Tally, over: Some(Type::Seat), .. } => vec![format!("{name}[me]")],
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Tally, over: Some(Type::Number), .. } => {
            numbers_of(rules, id).map(|number| format!("{name}[{number}]")).collect()
        }
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Tally, over: Some(over), .. } => {
            words_over(rules, *over).map(|word| format!("{name}[{word}]")).collect()
        }
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Resource | VariableSort::Counter, .. } => vec![name.clone()],
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Flag, .. } => truth(name),
        DefKind::Standing if name == "score" => vec![name.clone()],
        DefKind::Kind(kind) if rules.board_of_kind(*kind).is_some() => Vec::new(),
        DefKind::Kind(_) => vec![format!("count my {name}")],
        DefKind::Quantity { .. } | DefKind::Define | DefKind::Condition if !name.contains('.') => match rules.bodies.get(&id) {
            Some(body @ (Body::Value(..) | Body::Quantity(_))) => {
                let ty = match body {
                    Body::Value(_, value) => value.ty,
                    Body::Quantity(_) | Body::Rank(_) | Body::Effect(..) | Body::Purse(_) => Type::Number,
                };
                match (body.params(), ty) {
                    ([], Type::Number) => vec![name.clone()],
                    ([], Type::Truth) => truth(name),
                    ([Param { ty: Type::Choice(list), .. }], Type::Number) => {
                        words_of(rules, *list).map(|word| format!("{name}({word})")).collect()
                    }
                    ([param], Type::Number) if matches!(param.ty, Type::Resource | Type::RowWord) => {
                        rules.defs.resources().iter().map(|resource| format!("{name}({resource})")).collect()
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Returns the words of a list.
fn words_of(rules: &Rules, list: u16) -> impl Iterator<Item = &str> {
    rules.defs.lists.get(usize::from(list)).into_iter().flatten().map(String::as_str)
}

/// Returns the numbers of a tally by number whose bounds are written plainly, or are constants.
fn numbers_of(rules: &Rules, tally: DefId) -> impl Iterator<Item = i64> {
    let number = |bound: &Expr| if let ExprKind::Const(number) = bound.kind { Some(number) } else { None };
    let plain = |bound: &Expr| {
        let constant = if let ExprKind::Named(constant) = bound.kind { rules.bodies.get(&constant) } else { None };
        if let Some(Body::Value(_, value)) = constant { number(value) } else { number(bound) }
    };
    let bounds = rules.tally_bounds.get(&tally).and_then(|(from, to)| Some((plain(from)?, plain(to)?)));
    bounds.into_iter().flat_map(|(from, to)| from..=to)
}

fn is_player_place(rules: &Rules, place: &Place) -> bool {
    matches!(rules.defs[place.def].kind, DefKind::Place { of_seat: true, shape: PlaceShape::Slots, .. })
}

/// Returns the features of a board: how many spaces have which owner or word, what lies on them, and the lines and groups of each owner.
fn board_features(rules: &Rules, board: &Board) -> Vec<String> {
    let name = &board.name;
    let in_rows = matches!(board.shape, BoardShape::Rows { .. });
    let mut found = Vec::new();
    for (_, one) in rules.defs.all() {
        let DefKind::Variable { owner: Owner::Card, sort, over, .. } = &one.kind else { continue };
        let value = format!("card.{}", one.name);
        match (sort, over) {
            (VariableSort::Counter, Some(Type::Seat)) => {
                let whose = [format!("{value} == me"), format!("({value} != me and {value} != nobody)")];
                for whose in whose {
                    found.push(format!("count {name} where {whose}"));
                    found.push(format!("largest group of {name} where {whose}"));
                    if in_rows {
                        found.push(format!("longest line of {name} where {whose}"));
                    }
                }
            }
            (VariableSort::Counter, Some(Type::Choice(list))) => {
                found.extend(words_of(rules, *list).map(|word| format!("count {name} where {value} == {word}")));
            }
            (VariableSort::Counter, None) => {
                found.push(format!("sum {value} of {name}"));
                found.push(format!("highest {value} of {name}"));
            }
            (VariableSort::Flag, _) => found.push(format!("count {name} where {value}")),
            (VariableSort::Tally, Some(Type::Seat)) => {
                found.push(format!("sum {value}[me] of {name}"));
                found.push(format!("count {name} where {value}[me] > 0"));
            }
            (VariableSort::Tally, Some(Type::Choice(list))) => {
                found.extend(words_of(rules, *list).map(|word| format!("sum {value}[{word}] of {name}")));
            }
            (VariableSort::Counter | VariableSort::Tally | VariableSort::Set | VariableSort::Resource, _) => {}
        }
    }
    found
}

/// Returns the features of the cards in a place of a player: their number, and their printed values and counters.
fn card_features(rules: &Rules, place: &Place) -> Vec<String> {
    let name = &rules.defs[place.def].name;
    let mut found = vec![format!("count my {name}")];
    let kinds: Vec<&Kind> =
        rules.kinds.iter().enumerate().filter(|(at, _)| place.kinds == 0 || place.kinds >> at & 1 == 1).map(|(_, kind)| kind).collect();
    if kinds.len() > 1 {
        found.extend(kinds.iter().map(|kind| format!("count my {name} where card is {}", rules.defs[kind.def].name)));
    }
    for field in kinds.iter().flat_map(|kind| &kind.fields) {
        let one = &rules.defs[field.def];
        let DefKind::Field(holds) = &one.kind else { continue };
        match holds {
            FieldType::One(Type::Resource) => {
                let of_one = |resource: &&str| format!("count my {name} where card.{} == {resource}", one.name);
                found.extend(rules.defs.resources().iter().map(of_one));
            }
            FieldType::One(Type::Choice(list)) => {
                found.extend(words_of(rules, *list).map(|word| format!("count my {name} where card.{} == {word}", one.name)));
            }
            FieldType::One(_) | FieldType::List(_) | FieldType::Row(_) => {}
        }
    }
    let values = printed_values(rules, place);
    found.extend(values.iter().map(|value| format!("sum {value} of my {name}")));
    if place.room != crate::lang::typed::Room::Slots(1) {
        found.extend(values.iter().map(|value| format!("highest {value} of my {name}")));
    }
    found
}

/// Returns the printed numbers of the cards of a place, and their counters.
fn printed_values(rules: &Rules, place: &Place) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    let kinds = rules.kinds.iter().enumerate().filter(|(at, _)| place.kinds == 0 || place.kinds >> at & 1 == 1).map(|(_, kind)| kind);
    for field in kinds.flat_map(|kind| &kind.fields) {
        let one = &rules.defs[field.def];
        let DefKind::Field(holds) = &one.kind else { continue };
        match holds {
            FieldType::One(Type::Number) => values.push(format!("card.{}", one.name)),
            FieldType::Row(Type::Token) => {
                values.extend(rules.tokens.iter().map(|token| format!("card.{}[{}]", one.name, rules.defs[token.def].name)));
            }
            FieldType::Row(Type::Choice(list)) => values.extend(words_of(rules, *list).map(|word| format!("card.{}[{word}]", one.name))),
            FieldType::Row(_) => values.extend(rules.defs.resources().iter().map(|resource| format!("card.{}[{resource}]", one.name))),
            FieldType::One(_) | FieldType::List(_) => {}
        }
    }
    for (_, one) in rules.defs.all() {
        if let DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, over: None, .. } = one.kind {
            values.push(format!("card.{}", one.name));
        }
    }
    values.sort();
    values.dedup();
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::testing::checked;

    #[test]
    fn what_is_declared_of_a_player_and_of_the_table_is_a_feature() {
        let (_, checked) = checked("", "");
        let found = candidate_features(&checked.rules);
        for wanted in [
            "wisp",
            "dens",
            "fame",
            "score",
            "count my hut",
            "count my yard",
            "count my yard where card is tower",
            "count my ruin",
            "sum card.yield[moss] of my yard",
            "highest card.height of my yard",
            "(if calm_night then 1 else 0)",
        ] {
            let wanted = Feature { text: wanted.to_string(), of_table: false };
            assert!(found.contains(&wanted), "{wanted:?}: {found:#?}");
        }
        for wanted in ["moon", "(if night then 1 else 0)", "count row", "count pile", "sum card.height of row"] {
            let wanted = Feature { text: wanted.to_string(), of_table: true };
            assert!(found.contains(&wanted), "{wanted:?}: {found:#?}");
        }
        // A single kind of cards tells no more than all cards of the place.
        let not = ["count my row", "count my ruin where card is tower"];
        assert!(!found.iter().any(|one| not.contains(&one.text.as_str())), "{found:#?}");
        let of_table = found.iter().position(|one| one.of_table).unwrap_or(0);
        assert!(found[of_table..].iter().all(|one| one.of_table), "those of the table stand behind the others");
    }
}
