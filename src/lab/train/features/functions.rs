//! Features from definitions with parameters: what a definition says of the cards of a player, of the spaces of a board, and of where a
//! player stands.

use crate::engine::node::Type;
use crate::engine::ruleset::VariableSort;
use crate::lang::defs::{DefKind, Owner, PlaceShape};
use crate::lang::typed::{Board, Body, Param, Rules};

/// A definition with parameters whose value is a number or a condition.
struct Function<'r> {
    name: &'r str,
    params: &'r [Param],
    is_condition: bool,
}

/// Returns the features that definitions with parameters make of what they can be asked about.
pub fn features(rules: &Rules) -> Vec<String> {
    let functions: Vec<Function<'_>> = functions(rules).collect();
    let mut found = Vec::new();
    for function in &functions {
        match function.params {
            [Param { ty: Type::Card, .. }] => found.extend(of_cards(rules, function)),
            [Param { ty: Type::Space(kind), .. }] => found.extend(of_spaces(rules, &functions, function, *kind)),
            [Param { ty: Type::Space(kind), .. }, Param { ty: Type::Space(other), .. }] if kind == other => {
                found.extend(of_ways(rules, function, *kind));
            }
            [Param { ty: Type::Space(kind), .. }, Param { ty: Type::Choice(list), .. }] if !function.is_condition => {
                found.extend(of_words_from(rules, function, *kind, *list));
            }
            _ => {}
        }
    }
    found
}

fn functions(rules: &Rules) -> impl Iterator<Item = Function<'_>> {
    rules.defs.all().filter_map(|(id, one)| {
        let is_plain = matches!(one.kind, DefKind::Quantity { .. } | DefKind::Define | DefKind::Condition) && !one.name.contains('.');
        let (params, ty) = match rules.bodies.get(&id).filter(|_| is_plain)? {
            Body::Value(params, value) => (params.as_slice(), value.ty),
            Body::Quantity(quantity) => (quantity.params.as_slice(), Type::Number),
            Body::Rank(_) | Body::Effect(..) | Body::Purse(_) => return None,
        };
        let is_condition = ty == Type::Truth;
        let is_value = is_condition || matches!(ty, Type::Number | Type::Thousandths);
        (is_value && !params.is_empty()).then_some(Function { name: &one.name, params, is_condition })
    })
}

/// Returns what a function of a card says of the cards in each place of a player, and in each open place of the table.
fn of_cards(rules: &Rules, function: &Function<'_>) -> Vec<String> {
    let name = function.name;
    let mut found = Vec::new();
    for place in &rules.places {
        let one = &rules.defs[place.def];
        let cards = match one.kind {
            DefKind::Place { of_seat: true, shape: PlaceShape::Slots, .. } => format!("my {}", one.name),
            DefKind::Place { of_seat: false, shape: PlaceShape::Slots, .. } => one.name.clone(),
            _ => continue,
        };
        if function.is_condition {
            found.push(format!("count {cards} where {name}(card)"));
        } else {
            found.extend(["sum", "highest", "lowest"].map(|fold| format!("{fold} {name}(card) of {cards}")));
        }
    }
    found
}

/// Returns the conditions that tell some spaces of a board from the others: whose they are, or what a definition says of them.
fn filters(rules: &Rules, functions: &[Function<'_>], kind: u16) -> Vec<String> {
    let mut found = Vec::new();
    for (_, one) in rules.defs.all() {
        if let DefKind::Variable { owner: Owner::Card, sort: VariableSort::Counter, over: Some(Type::Seat), .. } = one.kind {
            found.push(format!("card.{} == me", one.name));
        }
    }
    let conditions = functions.iter().filter(|of| of.is_condition && of.params.len() == 1 && of.params[0].ty == Type::Space(kind));
    found.extend(conditions.map(|condition| format!("{}(card)", condition.name)));
    found
}

/// Returns what a function of a space says of all spaces of its boards, of those that a condition tells from the others, and of those that
/// counters of the player hold.
fn of_spaces(rules: &Rules, functions: &[Function<'_>], function: &Function<'_>, kind: u16) -> Vec<String> {
    let name = function.name;
    let mut found: Vec<String> = positions(rules, kind)
        .map(|at| match function.is_condition {
            true => format!("(if {at} is there and {name}({at}) then 1 else 0)"),
            false => format!("(if {at} is there then {name}({at}) else 0)"),
        })
        .collect();
    for board in boards(rules, kind) {
        let filters = filters(rules, functions, kind).into_iter().filter(|filter| !filter.starts_with(&format!("{name}(")));
        let board = &board.name;
        if function.is_condition {
            found.push(format!("count {board} where {name}(card)"));
            found.extend(filters.map(|filter| format!("count {board} where {name}(card) and {filter}")));
            continue;
        }
        for fold in ["highest", "lowest", "sum"] {
            found.push(format!("{fold} {name}(card) of {board}"));
        }
        for filter in filters {
            found.extend(["highest", "lowest", "sum"].map(|fold| format!("{fold} {name}(card) of {board} where {filter}")));
        }
    }
    found
}

/// Returns how far a player is, by a function of two spaces, from what lies on a board.
fn of_ways(rules: &Rules, function: &Function<'_>, kind: u16) -> Vec<String> {
    let name = function.name;
    let mut found = Vec::new();
    for at in positions(rules, kind) {
        for board in boards(rules, kind) {
            let board = &board.name;
            match function.is_condition {
                true => found.push(format!("count {board} where {name}({at}, card)")),
                false => found.push(format!("lowest {name}({at}, s) of s in {board} where any cards at s")),
            }
        }
    }
    found
}

/// Returns how far a player is, by a function of a space and a word, from what a word stands for, and from what the cards of a player ask for.
fn of_words_from(rules: &Rules, function: &Function<'_>, kind: u16, list: u16) -> Vec<String> {
    let name = function.name;
    let words = rules.defs.lists.get(usize::from(list)).into_iter().flatten();
    let fields: Vec<&str> = rules
        .defs
        .all()
        .filter(|(_, one)| matches!(one.kind, DefKind::Field(crate::lang::defs::FieldType::One(Type::Choice(of))) if of == list))
        .map(|(_, one)| one.name.as_str())
        .collect();
    let mut found = Vec::new();
    for at in positions(rules, kind) {
        found.extend(words.clone().map(|word| format!("{name}({at}, {word})")));
        for place in &rules.places {
            let one = &rules.defs[place.def];
            if let DefKind::Place { of_seat: true, shape: PlaceShape::Slots, .. } = one.kind {
                let of_cards = |fold: &str, field: &&str| format!("{fold} {name}({at}, card.{field}) of my {}", one.name);
                found.extend(fields.iter().flat_map(|field| ["sum", "lowest", "highest"].map(|fold| of_cards(fold, field))));
            }
        }
    }
    found
}

/// Returns the names of the counters of a player that hold a space of this kind.
fn positions(rules: &Rules, kind: u16) -> impl Iterator<Item = &str> {
    rules.defs.all().filter_map(move |(_, one)| match one.kind {
        DefKind::Variable { owner: Owner::Player, sort: VariableSort::Counter, over: Some(Type::Space(of)), .. } if of == kind => {
            Some(one.name.as_str())
        }
        _ => None,
    })
}

/// Returns the boards with spaces of this kind.
fn boards(rules: &Rules, kind: u16) -> impl Iterator<Item = &Board> {
    rules.boards.iter().filter(move |board| board.kind == kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::testing::text_of;

    const RULES: &str = r#"
game plain "Plain"
players 2
words ground: fen, ridge
board field 3 by 3 { counter ground of ground; counter owner of player }
table { place row of stone: 3 }
player { counter at of field; place bag of stone: 3 }
kind stone { slot bag; weight: number; wants: one of ground }
define twice(card) = 2 * card.weight
define heavy(card) = card.weight > 2
define height(s) = if s.ground == ridge then 2 else 0
define mine(s) = s.owner == me
define dry(s) = s.ground == ridge
define way(s, t) = distance from s to t over dry
define near(s, g) = lowest way(s, t) of t in field where t.ground == g
rounds 1 of day
phase day { each player { player chooses { "stay" { } } } }
score { "stones" = sum twice(card) of my bag }
"#;

    #[test]
    fn what_is_defined_of_cards_and_spaces_is_a_feature() {
        let (_, text) = text_of("plain", RULES, "");
        let found = features(&text.checked().rules);
        for wanted in [
            "sum twice(card) of my bag",
            "lowest twice(card) of row",
            "count my bag where heavy(card)",
            "highest height(card) of field where card.owner == me",
            "sum height(card) of field where mine(card)",
            "count field where mine(card)",
            "(if at is there then height(at) else 0)",
            "(if at is there and mine(at) then 1 else 0)",
            "lowest way(at, s) of s in field where any cards at s",
            "near(at, fen)",
            "lowest near(at, card.wants) of my bag",
        ] {
            assert!(found.iter().any(|one| one == wanted), "{wanted}: {found:#?}");
        }
        assert!(!found.iter().any(|one| one.contains("mine(card) and mine(card)")), "{found:#?}");
    }
}
