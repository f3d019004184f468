//! Lowers card figures: the values that a card file gives to the fields of a kind become the numbers printed on the card.

use super::defs::{DefId, DefKind, Definitions, FieldType, Space};
use super::problem::{CardProblem, RuleProblem, Suggestion};
use super::slots::Slots;
use super::typed::{Body, ExprKind, KindField, Place, Room, Rules};
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::node::Type;
use crate::engine::ruleset::{Definition, Kind, Ruleset};
use crate::pack::{PARTS, RawCard, Spanned, Text, TomlValue};

/// Keys that a card of any kind may have.
const COMMON_KEYS: [&str; 12] =
    ["id", "each", "name", "kind", "age", "copies", "set", "source", "text", "leaves_when", "counters", "alt_names"];

/// Keys that no kind can have as fields, since they are read before those.
const KEYS_BESIDE: [&str; 6] = ["like", "test", "action", "change", "on", "replace"];

/// Whether a key in a card's file has a meaning of its own, so that no field can have this name.
pub(super) fn is_key_of_every_card(name: &str) -> bool {
    COMMON_KEYS.contains(&name) || KEYS_BESIDE.contains(&name)
}

/// Reports a figure that grants more room in a place than the place can have: the excess would be ignored silently.
fn beyond_room(tree: &Rules, field: DefId, value: &Spanned, number: i32) -> Option<Diagnostic> {
    let grants = |place: &&Place| match place.limit.and_then(|limit| tree.bodies.get(&limit)) {
        Some(Body::Quantity(limit)) => matches!(limit.base.kind, ExprKind::Field { field: of, .. } if of == field),
        Some(Body::Value(..) | Body::Rank(_) | Body::Effect(..) | Body::Purse(_)) | None => false,
    };
    let (place, room) = tree.places.iter().filter(grants).find_map(|place| match place.room {
        Room::Slots(room) if number > i32::from(room) => Some((place, room)),
        Room::Slots(_) | Room::Deck { .. } | Room::Grid(..) | Room::Hexes(_) | Room::Board(_) => None,
    })?;
    let name = tree.defs[place.def].name.clone();
    let owner = if matches!(tree.defs[place.def].kind, DefKind::Place { of_seat: true, .. }) { "player" } else { "table" };
    Some(CardProblem::BeyondRoom { place: name, owner, room, granted: number, declared: place.span }.at(value.span))
}

/// Builds card definitions with their printed numbers.
pub(super) struct Figures<'a> {
    /// Declarations of rules and cards.
    pub tree: &'a Rules,
    /// The offsets of the cells in which values are stored.
    pub slots: &'a Slots,
    /// The ruleset that is being built.
    pub out: &'a mut Ruleset,
    /// The problems found so far.
    pub diagnostics: &'a mut Vec<Diagnostic>,
}

impl Figures<'_> {
    /// Lowers kinds and cards. Cards of unknown kinds have been left out.
    pub fn cards_and_kinds(&mut self, cards: &[RawCard]) {
        let tree: &Rules = self.tree;
        for kind in &tree.kinds {
            let name = self.out.names.add(&tree.defs[kind.def].name);
            let slot = kind.slot.map(|slot| cast::fit::<u16>(tree.defs[slot].kind.index()));
            self.out.kinds.push(Kind { name, slot });
        }
        // The list pool starts with an unused cell, so that offset 0 means an empty list.
        self.out.pool.push(0);
        for card in cards {
            let id = self.out.names.add(&card.id.text);
            self.out.definitions.push(Definition {
                id,
                name: card.name.text.clone(),
                text: card.said().map_or(String::new(), |text| text.text.clone()),
                kind: tree.defs.kind(&card.kind.text).unwrap_or(0),
                age: cast::fit::<i32>(card.age),
                source: card.source.as_ref().map_or(String::new(), |source| source.text.clone()),
                ..Definition::default()
            });
        }
        for (index, card) in cards.iter().enumerate() {
            let told = self.diagnostics.len();
            self.out.definitions[index].fields = self.figures(card);
            card.name_in_problems(self.diagnostics, told);
        }
    }

    fn figures(&mut self, card: &RawCard) -> Vec<i32> {
        let tree: &Rules = self.tree;
        let mut cells = vec![0; self.slots.card as usize];
        if let Some(age) = tree.defs.find(Space::Field, "age") {
            cells[self.slots.offset(age) as usize] = cast::fit::<i32>(card.age);
        }
        let Some(kind) = tree.defs.kind(&card.kind.text).map(|kind| &tree.kinds[kind as usize]) else { return cells };
        let own: Vec<&str> = kind.fields.iter().map(|field| tree.defs[field.def].name.as_str()).collect();
        let missing = |name: &&str| !card.fields.iter().any(|(key, _)| key.text == **name);
        let mut misspelt: Vec<&str> = Vec::new();
        let has_parts = tree.defs.kind(&card.kind.text).is_some_and(|kind| tree.board_of_parts(kind).is_some());
        let is_known = |key: &Text| own.contains(&key.text.as_str()) || tree.defs.is_suspect(&key.text) || has_parts && key.text == PARTS;
        for (key, _) in card.fields.iter().filter(|(key, _)| !is_known(key)) {
            let (kind, field) = (card.kind.text.clone(), key.text.clone());
            let known = own.iter().copied().chain(COMMON_KEYS);
            // A missing field is a better suggestion than one that the card has: `workers` is `start_workers`.
            let longer = own.iter().copied().filter(missing).find(|name| name.ends_with(&format!("_{}", key.text)));
            let near = nearest(&key.text, own.iter().copied().filter(missing)).or(longer);
            misspelt.extend(near.or_else(|| nearest(&key.text, known.clone())));
            // Keys such as `bought` or `on_bought` look like moments.
            let moment = key.text.strip_prefix("on_").unwrap_or(&key.text);
            let diagnostic = match near {
                _ if tree.defs.kind(&kind).is_some_and(|kind| tree.board_of_kind(kind).is_some()) => {
                    let suggestion = Suggestion::for_unknown(&key.text, own.iter().copied(), "its fields", &own);
                    CardProblem::UnknownFieldOfSpaces { board: kind, field, suggestion }
                }
                Some(near) => CardProblem::UnknownField { kind, field, suggestion: Suggestion::Near(near.to_string()) },
                None if tree.defs.find(Space::Moment, moment).is_some() => {
                    CardProblem::MomentAsField { kind, field, moment: moment.to_string() }
                }
                None => CardProblem::UnknownField {
                    kind,
                    field,
                    suggestion: Suggestion::for_unknown(&key.text, known, "the fields of this kind", &own),
                },
            };
            self.diagnostics.push(diagnostic.at(key.span));
        }
        let mut lacks: Vec<&KindField> = Vec::new();
        for (field, name) in kind.fields.iter().zip(&own) {
            let Some(slot) = self.slots.get(field.def) else { continue };
            let mut numbers = vec![0; slot.len as usize];
            match card.fields.iter().find(|(key, _)| key.text == *name) {
                Some((_, value)) => match self.lower_value(field, value, &mut numbers) {
                    Err(diagnostic) => {
                        let unlabelled = diagnostic.label.is_empty();
                        self.diagnostics.push(if unlabelled { diagnostic.label(format!("the value of `{name}`")) } else { *diagnostic });
                    }
                    Ok(()) => self.diagnostics.extend(beyond_room(tree, field.def, value, numbers[0])),
                },
                // It may be present under a misspelt name, which has been reported.
                None if misspelt.contains(name) || tree.defs.is_suspect(name) => {}
                None if self.fill_default(field, &mut numbers) => {}
                None => lacks.push(field),
            }
            cells[slot.offset as usize..][..slot.len as usize].copy_from_slice(&numbers);
        }
        self.report_missing_fields(card, &lacks);
        cells
    }

    /// Reports required fields that a card does not have, with a value that each could have.
    fn report_missing_fields(&mut self, card: &RawCard, lacks: &[&KindField]) {
        let names = |field: &&KindField| self.tree.defs[field.def].name.clone();
        let fields: Vec<String> = lacks.iter().map(names).collect();
        let Some(first) = fields.first() else { return };
        let kind = self.tree.defs.kind(&card.kind.text);
        if kind.is_some_and(|kind| self.tree.board_of_kind(kind).is_some()) {
            let (space, board, field) = (card.id.text.clone(), card.kind.text.clone(), first.clone());
            let is_part = kind.and_then(|kind| self.tree.board_of_kind(kind)).is_some_and(|board| board.parts().is_some());
            self.diagnostics.push(match is_part {
                true => CardProblem::PartLacks { part: space, board, field }.at(card.span),
                false => CardProblem::SpaceLacks { space, board, field }.at(card.span),
            });
            return;
        }
        let values = lacks.iter().map(|field| self.first_value(field)).collect();
        // If a patch changes the kind of a card, the patch is at fault.
        let kind = &card.kind;
        let of_patch = (kind.span.file != card.span.file || kind.span.start < card.span.start) && card.like.is_none();
        let (id, kind_name, patched) = (card.id.text.clone(), kind.text.clone(), of_patch.then_some(card.span));
        let diagnostic = CardProblem::FieldsMissing { card: id, kind: kind_name, fields, values, patched };
        self.diagnostics.push(diagnostic.at(if of_patch { kind.span } else { card.span }));
    }

    fn holds(&self, field: &KindField) -> Option<FieldType> {
        if let DefKind::Field(holds) = self.tree.defs[field.def].kind { Some(holds) } else { None }
    }

    /// Returns the first value that a field can have, as it is written on a card.
    fn first_value(&self, field: &KindField) -> String {
        let defs = &self.tree.defs;
        let word = |word: Option<&str>| format!("\"{}\"", word.unwrap_or(""));
        match self.holds(field) {
            None | Some(FieldType::One(Type::Number)) => "0".to_string(),
            Some(FieldType::One(Type::Choice(list))) => {
                word(defs.lists.get(usize::from(list)).and_then(|words| words.first()).map(String::as_str))
            }
            Some(FieldType::One(Type::Space(kind))) => word(self.tree.spaces_of(kind).next().map(|(space, _)| space.name.as_str())),
            Some(FieldType::One(_)) => word(defs.resources().first().copied()),
            Some(FieldType::List(_)) => "[]".to_string(),
            Some(FieldType::Row(_)) => "{}".to_string(),
        }
    }

    /// Fills in a field that the card does not set. Returns whether the card may omit the field.
    fn fill_default(&mut self, field: &KindField, numbers: &mut [i32]) -> bool {
        let Some(holds) = self.holds(field) else { return true };
        match (field.default.map(cast::fit::<i32>), holds) {
            (Some(default), FieldType::Row(Type::RowWord)) => {
                let resources = self.out.resources.len();
                numbers[..resources].fill(default);
                let more = field.extra_words.iter().filter_map(|word| self.tree.defs.row_word(word));
                more.for_each(|(index, _)| numbers[index as usize] = default);
            }
            (Some(default), FieldType::List(Type::Number)) => numbers[0] = self.append_list(&[default]),
            (Some(default), _) => numbers.fill(default),
            (None, FieldType::Row(_) | FieldType::List(_)) => {}
            (None, FieldType::One(_)) => return false,
        }
        true
    }

    fn lower_value(&mut self, field: &KindField, value: &Spanned, numbers: &mut [i32]) -> Result<(), Box<Diagnostic>> {
        let defs = &self.tree.defs;
        match self.holds(field) {
            None => {}
            Some(FieldType::One(Type::Number)) => numbers[0] = whole(value)?,
            Some(FieldType::One(Type::Space(kind))) => {
                let named = text(value)?;
                let found = self.tree.spaces_of(kind).find(|(space, _)| space.name == named.text);
                let names = || self.tree.spaces_of(kind).map(|(space, _)| space.name.as_str());
                let unknown = || defs.unknown_of(&named.text, named.span, "a space of this board", names());
                numbers[0] = cast::fit::<i32>(found.ok_or_else(unknown)?.1);
            }
            Some(FieldType::One(ty)) => numbers[0] = word_of_type(defs, ty, text(value)?)?,
            Some(FieldType::Row(by)) => {
                for (key, number) in table(value)? {
                    let column = defs.word(&key.text, by);
                    match column.filter(|(_, ty)| *ty != Type::RowWord || field.extra_words.contains(&key.text)) {
                        Some((index, _)) => numbers[cast::index(index)] = whole(number)?,
                        None if by == Type::Token && defs.is_suspect(&key.text) => {}
                        None => return Err(unknown_column(defs, by, field, key)),
                    }
                }
            }
            Some(FieldType::List(Type::Number)) => {
                let list = if let TomlValue::List(list) = &value.value { list.as_slice() } else { std::slice::from_ref(value) };
                let list = list.iter().map(whole).collect::<Result<Vec<i32>, _>>()?;
                numbers[0] = self.append_list(&list);
            }
            Some(FieldType::List(Type::Card)) => {
                let mut cards = Vec::new();
                for item in list(value, "a list of card ids")? {
                    let id = text(item)?;
                    match defs.kind_of(Space::Card, &id.text) {
                        Some(DefKind::Card(card)) => cards.push(cast::fit::<i32>(*card)),
                        None if defs.cards_missing => {}
                        _ => return Err(defs.unknown(&id.text, id.span, "a card", &[Space::Card])),
                    }
                }
                numbers[0] = self.append_list(&cards);
            }
            Some(FieldType::List(ty)) => {
                let index = |word: &Spanned| word_of_type(defs, ty, text(word)?);
                let words = list(value, "a list of words")?.iter().map(index).collect::<Result<Vec<i32>, Box<Diagnostic>>>()?;
                numbers[0] = self.append_list(&words);
            }
        }
        Ok(())
    }

    /// Appends a list to the pool, as its length, its elements and their prefix sums, and returns its offset.
    fn append_list(&mut self, list: &[i32]) -> i32 {
        if list.is_empty() {
            return 0;
        }
        let at = self.out.pool.len();
        self.out.pool.push(cast::fit::<i32>(list.len()));
        self.out.pool.extend_from_slice(list);
        let sums = list.iter().scan(0_i32, |sum, number| {
            *sum = sum.saturating_add(*number);
            Some(*sum)
        });
        self.out.pool.extend(sums);
        cast::fit::<i32>(at)
    }
}

fn wrong_value_type(expected: &'static str, value: &Spanned) -> Box<Diagnostic> {
    Box::new(CardProblem::WrongFigure { expected, found: value.type_name() }.at(value.span))
}

fn whole(value: &Spanned) -> Result<i32, Box<Diagnostic>> {
    value.integer().and_then(|number| i32::try_from(number).ok()).ok_or_else(|| wrong_value_type("a whole number", value))
}

fn text(value: &Spanned) -> Result<&Text, Box<Diagnostic>> {
    value.text().ok_or_else(|| wrong_value_type("a text", value))
}

/// Returns the number of a resource, or of a word of a list.
fn word_of_type(defs: &Definitions, ty: Type, word: &Text) -> Result<i32, Box<Diagnostic>> {
    if let Some((index, _)) = defs.word(&word.text, ty) {
        return Ok(cast::fit::<i32>(index));
    }
    let Type::Choice(list) = ty else { return Err(defs.unknown_of(&word.text, word.span, "a resource", defs.resources())) };
    let words: Vec<&str> = defs.words_in(list).collect();
    let suggestion = Suggestion::for_unknown(&word.text, words.iter().copied(), "its values", &words);
    Err(Box::new(RuleProblem::UnknownValue { name: word.text.clone(), suggestion }.at(word.span)))
}

/// Builds the diagnostic for a key that a printed row does not have.
fn unknown_column(defs: &Definitions, by: Type, field: &KindField, key: &Text) -> Box<Diagnostic> {
    if by == Type::Token {
        return defs.unknown(&key.text, key.span, "a token", &[Space::Token]);
    }
    let Type::Choice(list) = by else {
        let known = defs.resources().into_iter().chain(field.extra_words.iter().map(String::as_str));
        return defs.unknown_of(&key.text, key.span, "a resource", known);
    };
    defs.unknown_of(&key.text, key.span, "one of its words", defs.words_in(list))
}

fn list<'v>(value: &'v Spanned, expected: &'static str) -> Result<&'v [Spanned], Box<Diagnostic>> {
    if let TomlValue::List(list) = &value.value { Ok(list) } else { Err(wrong_value_type(expected, value)) }
}

fn table(value: &Spanned) -> Result<&[(Text, Spanned)], Box<Diagnostic>> {
    if let TomlValue::Table(entries) = &value.value { Ok(entries) } else { Err(wrong_value_type("a table such as { … = 2 }", value)) }
}

#[cfg(test)]
mod tests {
    use crate::testing::lowered;

    #[test]
    fn figures_lie_at_their_fields() {
        let rules = lowered("", "", 2).rules;
        let at = |name: &str| rules.fields.iter().take_while(|field| field.0 != name).map(|field| field.1 as usize).sum::<usize>();
        let mud = &rules.definitions[0].fields;
        assert_eq!((mud[at("height")], &mud[at("yield")..at("yield") + 3]), (2, &[1, 0, 3][..]), "wisp, moss, calm");
        assert_eq!((mud[at("colour")], mud[at("bite")]), (1, 2), "b is the second value, 2 the default");
        let points = mud[at("points")] as usize;
        assert_eq!(rules.pool[points..points + 5], [2, 1, 2, 1, 3], "length, numbers, sums");
    }
}
