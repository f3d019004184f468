//! Candidate features of a state, as rules text: everything that the rules declare of a player.
//!
//! These are resources, counters, stats, conditions, and definitions without parameters or with a resource as parameter; the number of
//! cards in each place, by kind and in total, with sums and maxima of their printed values and counters; and the values of tokens in each
//! pool.

use crate::engine::node::Type;
use crate::engine::ruleset::{Lifetime, VariableSort};
use crate::lang::defs::{DefId, DefKind, Definition, FieldType, Over, Owner, PlaceShape};
use crate::lang::typed::{Body, Expr, ExprKind, Kind, Param, Place, Rules};

/// Returns the values of a player as rules text. The checker may reject some of them, since not every card of a place has every field.
pub fn candidate_features(rules: &Rules) -> Vec<String> {
    let mut found = Vec::new();
    for (id, one) in rules.defs.all() {
        found.extend(values_of(rules, id, one));
    }
    for place in rules.places.iter().filter(|place| is_player_place(rules, place)) {
        found.extend(card_features(rules, place));
    }
    for pool in rules.pools.iter().filter(|pool| pool.of_seat) {
        let pool = &rules.defs[pool.def].name;
        for (_, one) in rules.defs.all() {
            match one.kind {
                DefKind::Symbol(_) => found.push(format!("shown {} in {pool}", one.name)),
                DefKind::Token(_) => found.push(format!("number of {} in {pool}", one.name)),
                _ => {}
            }
        }
    }
    found
}

/// Returns the features of one declaration.
#[expect(clippy::wildcard_enum_match_arm, reason = "most of what has a name is no value of a player")]
fn values_of(rules: &Rules, id: DefId, one: &Definition) -> Vec<String> {
    let name = &one.name;
    let truth = |name: &str| vec![format!("(if {name} then 1 else 0)")];
    match &one.kind {
        // Variables that last for one action are reset when the state is at rest.
        DefKind::Variable { lifetime: Lifetime::Action, .. } => Vec::new(),
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Counter, over: Some(Over::Words(list)), .. } => {
            words_of(rules, *list).map(|word| format!("(if {name} == {word} then 1 else 0)")).collect()
        }
        DefKind::Variable { sort: VariableSort::Counter, owner: Owner::Player, over: Some(Over::Players), .. } => {
            vec![format!("(if {name} == me then 1 else 0)")]
        }
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Set, over: Some(Over::Words(list)), .. } => {
            words_of(rules, *list).map(|word| format!("(if {word} in {name} then 1 else 0)")).collect()
        }
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Tally, over: Some(Over::Words(list)), .. } => {
            words_of(rules, *list).map(|word| format!("{name}[{word}]")).collect()
        }
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Tally, over: Some(Over::Numbers), .. } => {
            numbers_of(rules, id).map(|number| format!("{name}[{number}]")).collect()
        }
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Resource | VariableSort::Counter, .. } => vec![name.clone()],
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Flag, .. } => truth(name),
        DefKind::Standing if name == "score" => vec![name.clone()],
        DefKind::Kind(_) => vec![format!("count my {name}")],
        DefKind::Quantity { .. } | DefKind::Define | DefKind::Condition if !name.contains('.') => match rules.bodies.get(&id) {
            Some(body @ (Body::Value(..) | Body::Quantity(_))) => {
                let ty = match body {
                    Body::Value(_, value) => value.ty,
                    Body::Quantity(_) | Body::Rank(_) | Body::Effect(..) => Type::Number,
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

/// Returns the features of the cards in a place of a player: their number, and their printed values and counters.
fn card_features(rules: &Rules, place: &Place) -> Vec<String> {
    let name = &rules.defs[place.def].name;
    let mut found = vec![format!("count my {name}")];
    let mut values: Vec<String> = Vec::new();
    let kinds: Vec<&Kind> =
        rules.kinds.iter().enumerate().filter(|(at, _)| place.kinds == 0 || place.kinds >> at & 1 == 1).map(|(_, kind)| kind).collect();
    if kinds.len() > 1 {
        found.extend(kinds.iter().map(|kind| format!("count my {name} where card is {}", rules.defs[kind.def].name)));
    }
    for field in kinds.iter().flat_map(|kind| &kind.fields) {
        let one = &rules.defs[field.def];
        let DefKind::Field(holds) = &one.kind else { continue };
        match holds {
            FieldType::Number => values.push(format!("card.{}", one.name)),
            FieldType::Row => values.extend(rules.defs.resources().iter().map(|resource| format!("card.{}[{resource}]", one.name))),
            FieldType::Tokens => {
                values.extend(rules.tokens.iter().map(|token| format!("card.{}[{}]", one.name, rules.defs[token.def].name)));
            }
            FieldType::Resource => {
                let of_one = |resource: &&str| format!("count my {name} where card.{} == {resource}", one.name);
                found.extend(rules.defs.resources().iter().map(of_one));
            }
            FieldType::WordRow(list) => values.extend(words_of(rules, *list).map(|word| format!("card.{}[{word}]", one.name))),
            FieldType::Choice(list) => {
                found.extend(words_of(rules, *list).map(|word| format!("count my {name} where card.{} == {word}", one.name)));
            }
            FieldType::Numbers | FieldType::Cards => {}
        }
    }
    for (_, one) in rules.defs.all() {
        if let DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, over: None, .. } = one.kind {
            values.push(format!("card.{}", one.name));
        }
    }
    values.sort();
    values.dedup();
    found.extend(values.iter().map(|value| format!("sum {value} of my {name}")));
    if place.room != crate::lang::typed::Room::Slots(1) {
        found.extend(values.iter().map(|value| format!("highest {value} of my {name}")));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::sample::checked;

    #[test]
    fn what_is_declared_of_a_player_is_a_feature_and_what_is_the_tables_is_not() {
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
            assert!(found.iter().any(|one| one == wanted), "{wanted}: {found:#?}");
        }
        // Counters and places of the table, and single kinds of cards, do not distinguish players.
        let not = ["moon", "count my row", "count my ruin where card is tower"];
        assert!(!found.iter().any(|one| not.contains(&one.as_str())), "{found:#?}");
    }
}
