//! The words that scripts can use. Each is represented by a number, so that scripts compare no text at run time.

use crate::cast;
use crate::engine::Stop;
use crate::engine::node::Type;
use crate::engine::ruleset::{Lifetime, NameId, Ruleset, Shape, VariableSort};
use crate::engine::scripts::WORD;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All meanings of a word, most of them as the index of what has this name. The context decides which one applies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WordMeanings {
    pub resource: Option<u16>,
    pub kind: Option<u16>,
    pub place: Option<u16>,
    pub seat_variable: Option<u16>,
    pub card_counter: Option<u16>,
    pub quantity: Option<u16>,
    pub moment: Option<u16>,
    pub loss_or_draw: Option<u16>,
    /// Offset of the printed number with this name among a card's fields.
    pub printed_number: Option<u16>,
    /// Offset and length of the printed row of numbers with this name.
    pub printed_row: Option<(u16, u16)>,
    /// Offset of the cell with the position of the printed list that has this name.
    pub printed_list: Option<u16>,
    /// Index of this word within printed rows, counted after the resources.
    pub row_word: Option<u16>,
    /// The lifetime of a change, such as `round`.
    pub lifetime: Option<Lifetime>,
    /// `yes` or `no` as a truth value.
    pub truth: Option<bool>,
}

/// Several numbers under one name.
pub(crate) enum Several {
    /// One for each of some words: the offset of the first, and how many there are.
    Row(u16, u16),
    /// As many as a card has: the offset of the cell that says where they lie.
    List(u16),
}

/// All words that scripts can use, with their meanings.
#[derive(Debug)]
pub(crate) struct WordTable {
    rules: Arc<Ruleset>,
    /// Words that are not among the names of the rules. Their ids follow those of the names.
    extra_words: Vec<String>,
    extra_ids: BTreeMap<String, NameId>,
    meanings: Vec<WordMeanings>,
}

/// Makes methods that return one of the meanings of a word, with what messages call it.
macro_rules! meanings {
    ($($method:ident, $meaning:ident -> $ty:ty: $what:literal),* $(,)?) => {
        $(pub fn $method(&self, value: i64) -> Result<$ty, Stop> {
            self.expect_meaning(value, $what, |m| m.$meaning)
        })*
    };
}

impl WordTable {
    /// Returns the rules that the words belong to.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Collects the words of a ruleset.
    pub fn new(rules: &Arc<Ruleset>) -> WordTable {
        let mut words = WordTable {
            rules: Arc::clone(rules),
            extra_words: Vec::new(),
            extra_ids: BTreeMap::new(),
            meanings: vec![WordMeanings::default(); rules.names.all().count()],
        };
        for (text, truth) in [("no", false), ("yes", true)] {
            words.meanings_mut(text).truth = Some(truth);
        }
        for lifetime in Lifetime::ALL {
            words.meanings_mut(lifetime.word()).lifetime = Some(lifetime);
        }
        words.number_names(rules.resources.iter().map(|&name| rules.names.text(name)), |of| &mut of.resource);
        for (i, &name) in rules.row_words.iter().enumerate() {
            words.meanings_mut(rules.names.text(name)).row_word = Some(cast::fit::<u16>(rules.resources.len() + i));
        }
        words.number_names(rules.kinds.iter().map(|kind| rules.names.text(kind.name)), |of| &mut of.kind);
        words.number_names(rules.places.iter().map(|place| &place.name), |of| &mut of.place);
        words.number_names(rules.seat.iter().map(|variable| &variable.name), |of| &mut of.seat_variable);
        words.number_names(rules.piece.iter().map(|variable| &variable.name), |of| &mut of.card_counter);
        words.number_names(rules.quantities.iter().map(|quantity| &quantity.name), |of| &mut of.quantity);
        words.number_names(rules.moments.iter(), |of| &mut of.moment);
        words.number_names(rules.loss_names.iter(), |of| &mut of.loss_or_draw);
        let mut offset = 0;
        for (name, len) in &rules.fields {
            let meaning = words.meanings_mut(name);
            if rules.list_fields.contains(&offset) {
                meaning.printed_list = Some(offset);
            } else if *len > 1 {
                meaning.printed_row = Some((offset, *len));
            } else {
                meaning.printed_number = Some(offset);
            }
            offset += *len;
        }
        words
    }

    /// Gives each name its index as one of the meanings.
    fn number_names(&mut self, names: impl Iterator<Item = impl AsRef<str>>, meaning: impl Fn(&mut WordMeanings) -> &mut Option<u16>) {
        for (i, name) in names.enumerate() {
            *meaning(self.meanings_mut(name.as_ref())) = Some(cast::fit::<u16>(i));
        }
    }

    fn meanings_mut(&mut self, text: &str) -> &mut WordMeanings {
        let id = match self.find(text) {
            Some(id) => id,
            None => {
                self.extra_words.push(text.to_string());
                self.meanings.push(WordMeanings::default());
                let id = cast::fit::<NameId>(self.meanings.len() - 1);
                self.extra_ids.insert(text.to_string(), id);
                id
            }
        };
        &mut self.meanings[id as usize]
    }

    fn find(&self, text: &str) -> Option<NameId> {
        self.rules.names.find(text).or_else(|| self.extra_ids.get(text).copied())
    }

    /// Returns the number that represents a word in scripts, if the word is known.
    pub fn value_of(&self, text: &str) -> Option<i64> {
        self.find(text).map(|id| WORD + id as i64)
    }

    /// Returns all words, for suggestions in messages.
    pub fn all_words(&self) -> impl Iterator<Item = &str> {
        self.rules.names.all().map(|(_, text)| text).chain(self.extra_words.iter().map(String::as_str))
    }

    /// Returns the id of the word that a number represents. `None` for an ordinary number.
    pub fn id_of(&self, value: i64) -> Option<NameId> {
        let id = value.checked_sub(WORD)?;
        (0..cast::count(self.meanings.len())).contains(&id).then(|| cast::fit::<NameId>(id))
    }

    /// Formats a value: as the word that it represents, or as a number.
    pub fn text(&self, value: i64) -> String {
        match self.id_of(value) {
            Some(id) => match (id as usize).checked_sub(self.meanings.len() - self.extra_words.len()) {
                Some(extra) => self.extra_words[extra].clone(),
                None => self.rules.names.text(id).to_string(),
            },
            None => value.to_string(),
        }
    }

    /// Returns the meanings of the word that a number represents. `None` for an ordinary number.
    pub fn meanings_of(&self, value: i64) -> Option<&WordMeanings> {
        self.id_of(value).map(|id| &self.meanings[id as usize])
    }

    /// Returns the meaning of a word that `pick` selects. Fails if there is none; `what` describes it in the message.
    pub fn expect_meaning<T>(&self, value: i64, what: &str, pick: impl FnOnce(&WordMeanings) -> Option<T>) -> Result<T, Stop> {
        self.meanings_of(value).and_then(pick).ok_or_else(|| self.wrong_meaning(value, what))
    }

    #[cold]
    fn wrong_meaning(&self, value: i64, what: &str) -> Stop {
        let text = self.text(value);
        Stop::fault(if self.id_of(value).is_some() {
            format!("`{text}` is not {what}")
        } else {
            format!("{text} is a number where {what} is named")
        })
    }

    meanings! {
        resource, resource -> u16: "a resource",
        kind, kind -> u16: "a kind of card",
        place, place -> u16: "a place",
        moment, moment -> u16: "a moment",
        loss, loss_or_draw -> u16: "the name of a loss",
        quantity, quantity -> u16: "a quantity that can differ",
        lifetime, lifetime -> Lifetime: "a time; write action, turn, step, round or game",
        card_counter, card_counter -> u16: "a counter of cards",
    }

    /// Returns a place whose cards can be seen, so not a deck.
    pub fn open_place(&self, value: i64) -> Result<u16, Stop> {
        let place = self.place(value)?;
        let declared = &self.rules.places[usize::from(place)];
        match declared.shape {
            Shape::Deck => Err(Stop::fault(format!("`{}` lies face down: nobody may look into it", declared.name))),
            _ => Ok(place),
        }
    }

    /// Returns a counter of cards to which scripts can add.
    pub fn writable_card_counter(&self, value: i64) -> Result<u16, Stop> {
        let counter = self.card_counter(value)?;
        let declared = &self.rules.piece[usize::from(counter)];
        if declared.words.is_empty() {
            return Ok(counter);
        }
        Err(Stop::fault(format!("`{}` has one or several words; scripts can only read it", declared.name)))
    }

    /// Returns the offset of a counter of a player to which scripts can add.
    pub fn counter(&self, value: i64) -> Result<usize, Stop> {
        match self.writable(value)? {
            (offset, false) => Ok(offset),
            (_, true) => Err(Stop::fault(format!("`{0}` is a flag; write `set(me, {0}, yes)`", self.text(value)))),
        }
    }

    /// Returns the offset of a single number that is printed on cards.
    pub fn printed_number(&self, value: i64) -> Result<u16, Stop> {
        let found = self.expect_meaning(value, "printed on any card", |m| {
            let several = m.printed_row.is_some() || m.printed_list.is_some();
            m.printed_number.map(Some).or(several.then_some(None))
        })?;
        found
            .ok_or_else(|| Stop::fault(format!("`{0}` is printed as several numbers; say which one: `field(c, {0}, …)`", self.text(value))))
    }

    /// Returns where several numbers lie that are printed on cards under one name.
    pub fn printed_several(&self, value: i64) -> Result<Several, Stop> {
        let found = self.expect_meaning(value, "printed on any card", |m| Some((m.printed_row, m.printed_list)))?;
        match found {
            (Some((offset, len)), _) => Ok(Several::Row(offset, len)),
            (None, Some(at)) => Ok(Several::List(at)),
            (None, None) => Err(Stop::fault(format!("`{0}` is not printed as several numbers; write `field(c, {0})`", self.text(value)))),
        }
    }

    /// Checks that a value is an ordinary number that fits into a cell of the state.
    pub fn expect_number(&self, value: i64) -> Result<i64, Stop> {
        if i32::try_from(value).is_ok() { Ok(value) } else { Err(self.not_a_number(value)) }
    }

    #[cold]
    fn not_a_number(&self, value: i64) -> Stop {
        let text = self.text(value);
        Stop::fault(if self.id_of(value).is_some() {
            format!("`{text}` is a word where a number is wanted; what a player has of it is `{text}(me)`")
        } else {
            format!("{text} is more than a state can hold")
        })
    }

    /// Converts an argument to a type of the rules: a word by its meaning in that type, `yes` and `no` to 1 and 0. Numbers stay as they
    /// are.
    pub fn convert_argument(&self, value: i64, ty: Type) -> Result<i32, Stop> {
        let Some(meaning) = self.meanings_of(value) else { return self.expect_number(value).map(cast::fit::<i32>) };
        let index = match ty {
            Type::Number | Type::Thousandths => None,
            Type::Truth => meaning.truth.map(i32::from),
            Type::Resource => meaning.resource.map(i32::from),
            Type::RowWord => meaning.resource.or(meaning.row_word).map(i32::from),
            Type::Kind => meaning.kind.map(i32::from),
            Type::Choice(list) if self.rules.word_lists.get(usize::from(list)).is_some_and(|words| !words.is_empty()) => {
                let words = self.rules.word_lists.get(usize::from(list));
                words.and_then(|words| words.iter().position(|&word| WORD + i64::from(word) == value)).map(cast::fit::<i32>)
            }
            Type::Card | Type::Space(_) | Type::Seat | Type::Symbol | Type::Token | Type::Picked | Type::Choice(_) | Type::Open(_) => {
                let index = meaning.resource.or(meaning.row_word).or(meaning.kind).map(i32::from);
                index.or(meaning.truth.map(i32::from)).or(Some(cast::fit::<i32>(value - WORD)))
            }
        };
        match (index, ty) {
            (Some(index), _) => Ok(index),
            (None, Type::Number | Type::Thousandths) => Err(self.not_a_number(value)),
            (None, ty) => Err(self.wrong_meaning(value, ty.words())),
        }
    }

    /// Converts a value of the rules to what scripts see: a word that the rules declare to the word, all else to the number.
    pub fn convert_result(&self, value: i64, ty: Option<Type>) -> i64 {
        let Some(Type::Choice(list)) = ty else { return value };
        let word = self.rules.word_lists.get(usize::from(list)).and_then(|words| words.get(usize::try_from(value).ok()?));
        word.map_or(value, |&word| WORD + i64::from(word))
    }

    /// Converts a script value to the index into a printed row, given as a word or a number. Fails if it is not less than `len`.
    pub fn index_in_row(&self, value: i64, len: usize) -> Result<usize, Stop> {
        match self.meanings_of(value).map_or(Some(value), |meaning| meaning.resource.or(meaning.row_word).map(i64::from)) {
            Some(index) => self.check_index(value, i32::try_from(index).unwrap_or(-1), len),
            None => self.check_index(value, -1, len),
        }
    }

    /// Checks that an index is less than `len`. `value` is the script's value, for the message.
    pub fn check_index(&self, value: i64, index: i32, len: usize) -> Result<usize, Stop> {
        match usize::try_from(index) {
            Ok(index) if index < len => Ok(index),
            _ => Err(Stop::fault(format!("`{}` does not stand for any of the {len} numbers here", self.text(value)))),
        }
    }

    /// Returns the offset of a counter or flag that scripts may write, and whether it is a flag.
    pub fn writable(&self, value: i64) -> Result<(usize, bool), Stop> {
        let variable = &self.rules.seat[self.expect_meaning(value, "a counter of a player", |m| m.seat_variable)? as usize];
        match variable.sort {
            VariableSort::Counter if !variable.words.is_empty() => {
                Err(Stop::fault(format!("`{}` is one of several words; scripts can only read it", variable.name)))
            }
            VariableSort::Counter => Ok((variable.offset as usize, false)),
            VariableSort::Flag => Ok((variable.offset as usize, true)),
            VariableSort::Resource => Err(Stop::fault(format!("`{}` is a resource; use `gain`, `lose` or `spend`", variable.name))),
            VariableSort::Set | VariableSort::Tally => {
                Err(Stop::fault(format!("`{}` counts several things; scripts can only read it", variable.name)))
            }
        }
    }
}
