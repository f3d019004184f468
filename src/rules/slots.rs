//! Slot allocation: assigns cells to all counters of the table, seats and pieces, to pools and differences of quantities, and offsets to
//! the numbers printed on cards.

use super::defs::{DefId, DefKind, FieldType, Owner};
use super::problem::RuleProblem;
use super::typed::Rules;
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::node::Type;
use crate::engine::payers::find_payers;
pub use crate::engine::ruleset::Slot;
use crate::engine::ruleset::{Lifetime, NameId, Ruleset, Variable, VariableSort};
use crate::engine::secrets::Secret;
use crate::engine::tokens::{Exchange, Pool, TokenClass, classes_where};
use crate::state::layout::{head, piece};
use std::collections::BTreeMap;

/// The slots of all definitions, and the sizes that follow from them.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    pub(super) by_definition: BTreeMap<DefId, Slot>,
    /// The first number of each tally by number.
    first_numbers: BTreeMap<DefId, i64>,
    /// The number of cells of the table, including the header.
    pub table: u16,
    /// The number of cells of a seat.
    pub seat: u16,
    /// The number of cells of a piece.
    pub piece: u16,
    /// The number of printed numbers of a card.
    pub card: u16,
}

impl Slots {
    /// Returns the slot of a definition; `None` if it has no cells.
    pub fn get(&self, def: DefId) -> Option<Slot> {
        self.by_definition.get(&def).copied()
    }

    /// Returns the offset of a definition's slot; 0 for a definition that failed to parse.
    pub fn offset(&self, def: DefId) -> u16 {
        self.get(def).map_or(0, |slot| slot.offset)
    }

    /// Returns the first cell of a definition on cards and their number; no cells for one that failed to parse.
    pub(super) fn cells_on_card(&self, def: DefId) -> (u8, u16) {
        self.get(def).map_or((0, 0), |slot| (cast::fit::<u8>(slot.offset), slot.len))
    }

    /// Returns the number that the first cell of a tally is of, if it is a tally by number.
    pub fn first_number(&self, tally: DefId) -> Option<i64> {
        self.first_numbers.get(&tally).copied()
    }

    fn take(&mut self, owner: Owner, len: u16) -> Slot {
        let size = match owner {
            Owner::Table => &mut self.table,
            Owner::Player => &mut self.seat,
            Owner::Card => &mut self.piece,
        };
        let offset = *size;
        *size = size.saturating_add(len);
        Slot { owner, offset, len }
    }
}

/// Allocates slots for all definitions, and lists variables in the ruleset. `bounds` has the first and last number of tallies by number.
pub fn allocate(rules: &Rules, bounds: &BTreeMap<DefId, (i64, i64)>, out: &mut Ruleset) -> Slots {
    let mut slots = Slots { table: cast::fit::<u16>(head::SIZE), piece: cast::fit::<u16>(piece::COUNTERS), ..Slots::default() };
    let resources = cast::fit::<u16>(rules.defs.resources().len());
    let row = resources + cast::fit::<u16>(rules.defs.all().filter(|(_, one)| matches!(one.kind, DefKind::RowWord(_))).count());
    // Resources come first, so that the index of a resource is its offset.
    let (first, then): (Vec<_>, Vec<_>) = rules.defs.all().partition(|(_, one)| one.kind.is_resource());
    for (id, one) in first.into_iter().chain(then) {
        let slot = match &one.kind {
            DefKind::Variable { owner, sort, lifetime, over, .. } => {
                let words: Vec<NameId> = match over {
                    Some(Type::Resource) => out.resources.clone(),
                    Some(Type::Space(kind)) => words_for_spaces(rules, *kind).iter().map(|word| out.names.add(word)).collect(),
                    Some(Type::Seat) => {
                        // A counter of a player is 0 for nobody.
                        let nobody = (*sort == VariableSort::Counter).then(|| "nobody".to_string());
                        let words = nobody.into_iter().chain((1..=out.players).map(|player| format!("p{player}")));
                        words.map(|word| out.names.add(&word)).collect()
                    }
                    Some(Type::Choice(list)) => rules.defs.lists[*list as usize].iter().map(|word| out.names.add(word)).collect(),
                    Some(Type::Kind) => rules.kinds.iter().map(|kind| out.names.add(&rules.defs[kind.def].name)).collect(),
                    Some(Type::Number) => {
                        let (from, to) = bounds.get(&id).copied().unwrap_or((0, 0));
                        slots.first_numbers.insert(id, from);
                        (from..=to).map(|number| out.names.add(&number.to_string())).collect()
                    }
                    // No words are of other types.
                    Some(Type::Thousandths | Type::Truth | Type::Card | Type::RowWord | Type::Symbol | Type::Token) => Vec::new(),
                    Some(Type::Picked | Type::Open(_)) | None => Vec::new(),
                };
                let slot = slots.take(*owner, if *sort == VariableSort::Tally { cast::fit::<u16>(words.len()) } else { 1 });
                let (name, lifetime, sort) = (one.name.clone(), *lifetime, *sort);
                let kinds = if *owner == Owner::Card { kinds_with(rules, id) } else { u64::MAX };
                let unshown = rules.unshown.contains(&id);
                let variable = Variable { name, offset: slot.offset, len: slot.len, lifetime, sort, words, kinds, unshown };
                if one.kind.is_resource() {
                    let name = out.names.add(&one.name);
                    out.resources.push(name);
                }
                variables(out, *owner).push(variable);
                slot
            }
            DefKind::Pool(pool) => {
                let owner = if rules.pools[*pool as usize].of_seat { Owner::Player } else { Owner::Table };
                slots.take(owner, cast::fit::<u16>(rules.classes.len()))
            }
            DefKind::Quantity { .. } if has_differences(rules, id) => slots.take(Owner::Player, cast::fit::<u16>(Lifetime::ALL.len()) + 1),
            DefKind::Option(option) if option.each_player => {
                take_counter(&mut slots, Owner::Player, &format!("option {}", one.name), Lifetime::Game, out)
            }
            DefKind::Field(field) => {
                let len = match field {
                    FieldType::Row(Type::Token) => cast::fit::<u16>(rules.tokens.len()),
                    FieldType::Row(Type::Choice(list)) => cast::fit::<u16>(rules.defs.lists[*list as usize].len()),
                    FieldType::Row(_) => row,
                    FieldType::One(_) | FieldType::List(_) => 1,
                };
                let slot = Slot { owner: Owner::Card, offset: slots.card, len };
                slots.card = slots.card.saturating_add(len);
                out.fields.push((one.name.clone(), len));
                if field.space() == super::defs::Space::List {
                    out.list_fields.push(slot.offset);
                }
                slot
            }
            DefKind::RowWord(_) => {
                let name = out.names.add(&one.name);
                out.row_words.push(name);
                continue;
            }
            DefKind::Symbol(_) => {
                let name = out.names.add(&one.name);
                out.symbols.push(name);
                continue;
            }
            DefKind::TokenKind(sorts) => {
                let name = out.names.add(&one.name);
                out.token_kinds.push((name, *sorts));
                continue;
            }
            DefKind::Quantity { .. } | DefKind::Option(_) | DefKind::Constant | DefKind::Place { .. } | DefKind::Zone(_) => continue,
            DefKind::Kind(_) | DefKind::Token(_) | DefKind::Words(_) | DefKind::Define | DefKind::Standing => continue,
            DefKind::Condition | DefKind::Rank(_) | DefKind::Effect(_) | DefKind::Moment(_) | DefKind::Loss(_) => continue,
            DefKind::Purse | DefKind::Action | DefKind::Phase | DefKind::Step | DefKind::Card(_) | DefKind::Broken => continue,
        };
        slots.by_definition.insert(id, slot);
    }
    allocate_tokens(rules, &mut slots, out);
    allocate_secrets(rules, &mut slots, out);
    out.word_lists = vec![Vec::new(); rules.defs.lists.len()];
    for (_, one) in rules.defs.all() {
        if let DefKind::Words(list) = one.kind {
            let words = rules.defs.lists[usize::from(list)].iter().map(|word| out.names.add(word)).collect();
            out.word_lists[usize::from(list)] = words;
        }
    }
    out.width = slots.card as usize;
    slots
}

/// Maximum number of cells of the table or of a player.
const MAX_CELLS: u16 = 4000;
/// Maximum number of counters of a card, which leaves room for its other cells.
const MAX_CARD_COUNTERS: u16 = 250;
/// Maximum number of words of a set, which are bits of one cell.
const MAX_SET_WORDS: u16 = 31;
/// Maximum number of resources.
const MAX_RESOURCES: usize = 60;

/// Reports the first declaration that exceeds a limit.
pub fn beyond_room(rules: &Rules, slots: &Slots) -> Option<Diagnostic> {
    rules.defs.all().find_map(|(id, one)| match (&one.kind, slots.get(id)) {
        (DefKind::Variable { sort: VariableSort::Resource, .. }, Some(slot)) if slot.offset as usize >= MAX_RESOURCES => {
            let help = "declare fewer, or let one of them count for several";
            Some(RuleProblem::TooMany { whose: "a game", most: MAX_RESOURCES, what: "resources", help }.at(one.span))
        }
        (DefKind::Variable { sort: VariableSort::Set, over, .. }, _) => {
            let words = rules.count_words(over.unwrap_or(Type::Resource));
            (words > MAX_SET_WORDS as usize).then(|| RuleProblem::SetOfTooMany { most: MAX_SET_WORDS, words }.at(one.span))
        }
        (_, Some(slot)) => {
            let (most, whose) = match (slot.owner, &one.kind) {
                (_, DefKind::Field(_)) => (MAX_CELLS, "there are more numbers printed on a card"),
                (Owner::Table, _) => (MAX_CELLS, "the table has more counters and pools"),
                (Owner::Player, _) => (MAX_CELLS, "a player has more counters and pools"),
                (Owner::Card, _) => (MAX_CARD_COUNTERS, "a card has more counters"),
            };
            (slot.offset.saturating_add(slot.len) > most).then(|| RuleProblem::TooManyCells { whose, most }.at(one.span))
        }
        _ => None,
    })
}

/// Whether a quantity can be changed by differences for a time: only if it has no parameters.
fn has_differences(rules: &Rules, quantity: DefId) -> bool {
    rules.bodies.get(&quantity).is_none_or(|body| body.params().is_empty())
}

/// Returns the words for the values of a counter that holds a space of a board: 0 is no space, and a space is its piece + 1.
fn words_for_spaces(rules: &Rules, kind: u16) -> Vec<String> {
    let last = rules.board_of_kind(kind).map_or(0, |board| board.first + board.count);
    let mut words = vec![String::new(); cast::index(last) + 1];
    words[0] = "nowhere".to_string();
    for (_, one) in rules.defs.all() {
        if let DefKind::Card(card) = one.kind
            && let Some(word) = words.get_mut(cast::index(card) + 1)
        {
            word.clone_from(&one.name);
        }
    }
    words
}

/// Returns the kinds of cards and spaces that have a variable, as a bit set.
fn kinds_with(rules: &Rules, variable: DefId) -> u64 {
    let of_block = |block: usize| match block.checked_sub(1) {
        None => !rules.boards.iter().fold(0_u64, |kinds, board| kinds | 1 << board.kind),
        Some(board) => rules.boards.get(board).map_or(0, |board| 1 << board.kind),
    };
    let blocks = rules.on_cards.iter().filter(|(declared, _)| *declared == variable);
    blocks.fold(0, |kinds, (_, block)| kinds | of_block(*block))
}

fn variables(out: &mut Ruleset, owner: Owner) -> &mut Vec<Variable> {
    match owner {
        Owner::Table => &mut out.table,
        Owner::Player => &mut out.seat,
        Owner::Card => &mut out.piece,
    }
}

/// Allocates a cell for a counter that no rule names, and lists it.
fn take_counter(slots: &mut Slots, owner: Owner, name: &str, lifetime: Lifetime, out: &mut Ruleset) -> Slot {
    let (slot, name, sort) = (slots.take(owner, 1), name.to_string(), VariableSort::Counter);
    let (words, kinds) = (Vec::new(), u64::MAX);
    variables(out, owner).push(Variable { name, offset: slot.offset, len: 1, lifetime, sort, words, kinds, unshown: false });
    slot
}

/// Lists token classes and pools, and allocates counters of random events after all declared slots.
fn allocate_tokens(rules: &Rules, slots: &mut Slots, out: &mut Ruleset) {
    for class in &rules.classes {
        let key = out.names.add(&class.key);
        out.classes.push(TokenClass { token: class.token, key, shows: class.shows.clone() });
    }
    for pool in &rules.pools {
        let name = out.names.add(&rules.defs[pool.def].name);
        let offset = slots.offset(pool.def);
        out.pools.push(Pool { name, of_seat: pool.of_seat, offset, face_down: pool.face_down, full: pool.full, hidden: pool.hidden });
    }
    if rules.shuffles {
        out.shuffle_counter = Some(take_counter(slots, Owner::Table, "shuffled", Lifetime::Game, out).offset);
    }
    if rules.draws_cards {
        out.card_draws = Some(take_counter(slots, Owner::Player, "random cards", Lifetime::Game, out).offset);
    }
    out.exchange = rules.exchange.map(|(count, tokens, symbols)| Exchange { count, tokens, symbols });
    out.showing = (0..out.symbols.len()).map(|symbol| classes_where(&out.classes, |class| class.shows[symbol] > 0)).collect();
    out.payers = find_payers(out.symbols.len(), &out.classes, out.exchange);
    // Random events: dice that are rolled, and tokens drawn at random, even without faces.
    if !rules.tokens.is_empty() {
        let of = [Owner::Table, Owner::Player].map(|owner| take_counter(slots, owner, "rolled", Lifetime::Round, out).offset);
        out.roll_counters = of.into();
    }
}

/// Lists the hidden values, and allocates the cells with what seats know of them after all other slots.
fn allocate_secrets(rules: &Rules, slots: &mut Slots, out: &mut Ruleset) {
    for (id, one) in rules.defs.all() {
        let pool = if let DefKind::Pool(pool) = one.kind { Some(pool).filter(|pool| rules.pools[*pool as usize].hidden) } else { None };
        let Some(slot) = slots.get(id).filter(|_| pool.is_some() || rules.hidden_values.contains(&id)) else { continue };
        let name = out.names.add(&one.name);
        let knowledge = slots.take(slot.owner, if pool.is_some() { 2 } else { 1 }).offset;
        out.secrets.push(Secret { name, slot, knowledge, pool, range: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::defs::{Definitions, Space};

    fn variable(defs: &mut Definitions, name: &str, owner: Owner, sort: VariableSort, over: Option<Type>, resource: u16) -> DefId {
        let what = DefKind::Variable { owner, sort, lifetime: Lifetime::Game, over, resource };
        defs.declare(Space::Value, name, what, None).unwrap()
    }

    #[test]
    fn a_resource_lies_at_its_index_and_a_tally_has_a_cell_for_each_word() {
        let mut rules = Rules::default();
        let defs = &mut rules.defs;
        let flag = variable(defs, "calm", Owner::Player, VariableSort::Flag, None, 0);
        let tally = variable(defs, "heard", Owner::Player, VariableSort::Tally, Some(Type::Resource), 0);
        let wisp = variable(defs, "wisp", Owner::Player, VariableSort::Resource, None, 0);
        let moss = variable(defs, "moss", Owner::Player, VariableSort::Resource, None, 1);
        let moon = variable(defs, "moon", Owner::Table, VariableSort::Counter, None, 0);
        defs.declare(Space::RowWord, "howl", DefKind::RowWord(0), None).unwrap();
        let gift = defs.declare(Space::Row, "gift", DefKind::Field(FieldType::Row(Type::RowWord)), None).unwrap();
        let height = defs.declare(Space::Field, "height", DefKind::Field(FieldType::One(Type::Number)), None).unwrap();
        let mut out = Ruleset::default();
        let slots = allocate(&rules, &BTreeMap::new(), &mut out);
        let at = |def| slots.get(def).map(|slot| (slot.offset, slot.len)).unwrap();
        assert_eq!((at(wisp), at(moss), at(flag), at(tally)), ((0, 1), (1, 1), (2, 1), (3, 2)));
        assert_eq!(at(moon), (head::SIZE as u16, 1));
        assert_eq!((at(gift), at(height), out.width), ((0, 3), (3, 1), 4), "a row has a number for each resource and word more");
        assert_eq!((slots.seat, out.resources.len(), out.seat.len()), (5, 2, 4));
    }

    #[test]
    fn a_quantity_without_parameters_has_a_cell_for_each_lifetime_and_one_for_the_sum() {
        let mut rules = Rules::default();
        let fame = rules.defs.declare(Space::Value, "fame", DefKind::Quantity { index: 0, stat: true }, None).unwrap();
        let slots = allocate(&rules, &BTreeMap::new(), &mut Ruleset::default());
        assert_eq!(slots.get(fame).map(|slot| slot.len), Some(Lifetime::ALL.len() as u16 + 1));
    }
}
