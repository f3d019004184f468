//! Draws boards: rows of spaces with what they have and what lies on them, or a list of named spaces with their neighbours.

use super::sheet::{Cell, SheetBlock, SheetBuilder};
use crate::agent::{OrderedMap, Owned, SeenCard, SeenPlace, VariableValue};
use crate::engine::boards::Board;
use crate::engine::ruleset::Shape;

/// What an empty space of a board is drawn as.
const EMPTY: &str = ".";
/// Words that say that a counter holds nothing.
const NONE: [&str; 2] = ["nobody", "nowhere"];

/// Returns the blocks that show a board. `table` is all that lies on the table.
pub(super) fn board_blocks(sheet: &SheetBuilder<'_>, board: &Board, place: &SeenPlace<'_>, table: &Owned<'_>) -> Vec<SheetBlock> {
    let title = sheet.words.word_name(&board.name);
    let lying = |space: &SeenCard<'_>| cards_on(sheet, board, space, table);
    if let Shape::Grid { rows, columns, hexes } = sheet.rules.places[usize::from(board.place)].shape {
        let mut cells: Vec<Option<Cell>> = vec![None; usize::from(rows) * usize::from(columns)];
        for space in &place.cards {
            let slot = board.space(crate::cast::count(space.piece_index)).map(|space| usize::from(board.slots[space]));
            let mut facts = facts_of(sheet, space, true);
            facts.extend(lying(space));
            let name = if facts.is_empty() { EMPTY.to_string() } else { facts.join(" ") };
            if let Some(cell) = slot.and_then(|slot| cells.get_mut(slot)) {
                *cell = Some(Cell { name, notes: Vec::new() });
            }
        }
        let rings = hexes.then_some(usize::from(columns) / 2);
        return vec![SheetBlock::Grid { title, columns: columns.into(), compact: true, rings, cells }];
    }
    let mut blocks = vec![SheetBlock::Facts { title, facts: vec![format!("{} spaces", board.count())] }];
    for (index, space) in place.cards.iter().enumerate() {
        let mut facts = facts_of(sheet, space, false);
        facts.extend(lying(space));
        let names = |near: &u16| place.cards.get(usize::from(*near)).map(|near| sheet.words.card_name(near.card).to_string());
        let near: Vec<String> = board.neighbours.get(index).into_iter().flatten().filter_map(names).collect();
        facts.push(if near.is_empty() { "next to nothing".to_string() } else { format!("next to {}", near.join(" and ")) });
        blocks.push(SheetBlock::Facts { title: sheet.words.card_name(space.card).to_string(), facts });
    }
    blocks
}

/// Returns what is printed on a space, and what it has. In rows only what tells spaces apart is shown of it: words alone, and the number of
/// a counter alone if spaces have no other.
fn facts_of(sheet: &SheetBuilder<'_>, space: &SeenCard<'_>, short: bool) -> Vec<String> {
    let kind = sheet.rules.definition(space.piece_index).kind;
    let of_spaces = sheet.rules.piece.iter().filter(|variable| variable.kinds >> kind & 1 == 1);
    let numbers = of_spaces.filter(|variable| is_number(variable)).count();
    let fact = |(name, had): &(&str, VariableValue<'_>)| match had {
        VariableValue::Words(words) if words.iter().all(|word| NONE.contains(word)) => None,
        VariableValue::Words(words) if short => Some(words.iter().map(|word| sheet.words.word_name(word)).collect::<Vec<_>>().join("+")),
        VariableValue::Number(number) if short && numbers == 1 => Some(number.to_string()),
        VariableValue::Tally(OrderedMap(counts)) if short => {
            Some(counts.iter().map(|(word, count)| format!("{}:{count}", sheet.words.word_name(word))).collect::<Vec<_>>().join(" "))
        }
        VariableValue::Words(_) | VariableValue::Number(_) | VariableValue::Truth(_) | VariableValue::Tally(_) | VariableValue::Hidden => {
            sheet.variable_text(name, had)
        }
    };
    let printed = sheet.words.figures(space.card).iter();
    let printed = printed.map(|figure| if short && figure.is_word { figure.value.clone() } else { figure.to_string() });
    printed.chain(space.counters.0.iter().filter_map(fact)).collect()
}

/// Whether a variable on cards and spaces is a plain number.
fn is_number(variable: &crate::engine::ruleset::Variable) -> bool {
    variable.sort == crate::engine::ruleset::VariableSort::Counter && variable.words.is_empty()
}

/// Returns the names of the cards that lie on a space: in a grid of the size of the board.
fn cards_on(sheet: &SheetBuilder<'_>, board: &Board, space: &SeenCard<'_>, table: &Owned<'_>) -> Vec<String> {
    let rules = sheet.rules;
    let shape = rules.places[usize::from(board.place)].shape;
    let is_over = |name: &str| {
        let over = rules.find_place(name).filter(|&place| rules.board_of_place(place).is_none());
        over.is_some_and(|place| rules.places[place].shape == shape && matches!(shape, Shape::Grid { .. }))
    };
    let over = table.places.0.iter().filter(|(name, _)| is_over(name));
    let cards = over.flat_map(|(_, place)| &place.cards).filter(|card| card.grid_space == space.grid_space);
    cards.map(|card| sheet.words.card_name(card.card).to_string()).collect()
}
