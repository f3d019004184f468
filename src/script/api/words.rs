//! What each word stands for, by its number: no text is compared while a script runs.

use crate::cast;
use crate::engine::Stop;
use crate::engine::node::Type;
use crate::engine::ruleset::{Lifetime, NameId, Ruleset, VariableSort};
use crate::engine::scripts::WORD;
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that a word can stand for; which of it is meant follows from where it stands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meaning {
    pub resource: Option<u16>,
    pub kind: Option<u16>,
    pub place: Option<u16>,
    /// Variable of a seat, by index.
    pub seat: Option<u16>,
    /// Counter of a piece, by index.
    pub piece: Option<u16>,
    pub quantity: Option<u16>,
    pub moment: Option<u16>,
    /// Named loss or draw.
    pub named: Option<u16>,
    /// Offset of a printed number.
    pub number: Option<u16>,
    /// Offset of a printed row and how many cells it has.
    pub row: Option<(u16, u16)>,
    /// Offset of the cell that says where a printed list lies.
    pub list: Option<u16>,
    /// Index of a word that a printed row has after the resources.
    pub in_row: Option<u16>,
    pub lifetime: Option<Lifetime>,
    pub truth: Option<bool>,
}

/// The words that scripts can use.
#[derive(Debug)]
pub(crate) struct Words {
    rules: Arc<Ruleset>,
    /// Words that the rules do not list among their names; they follow those.
    extra: Vec<String>,
    known: BTreeMap<String, NameId>,
    meanings: Vec<Meaning>,
}

impl Words {
    /// The rules whose words they are.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    pub fn new(rules: &Arc<Ruleset>) -> Words {
        let mut words = Words {
            rules: Arc::clone(rules),
            extra: Vec::new(),
            known: BTreeMap::new(),
            meanings: vec![Meaning::default(); rules.names.all().count()],
        };
        for (text, truth) in [("no", false), ("yes", true)] {
            words.at(text).truth = Some(truth);
        }
        for lifetime in Lifetime::ALL {
            words.at(lifetime.word()).lifetime = Some(lifetime);
        }
        for (i, &name) in rules.resources.iter().enumerate() {
            words.at(rules.names.text(name)).resource = Some(cast::fit::<u16>(i));
        }
        for (i, &name) in rules.row_words.iter().enumerate() {
            words.at(rules.names.text(name)).in_row = Some(cast::fit::<u16>(rules.resources.len() + i));
        }
        for (i, kind) in rules.kinds.iter().enumerate() {
            words.at(rules.names.text(kind.name)).kind = Some(cast::fit::<u16>(i));
        }
        for (i, place) in rules.places.iter().enumerate() {
            words.at(&place.name).place = Some(cast::fit::<u16>(i));
        }
        for (i, variable) in rules.seat.iter().enumerate() {
            words.at(&variable.name).seat = Some(cast::fit::<u16>(i));
        }
        for (i, variable) in rules.piece.iter().enumerate() {
            words.at(&variable.name).piece = Some(cast::fit::<u16>(i));
        }
        for (i, quantity) in rules.quantities.iter().enumerate() {
            words.at(&quantity.name).quantity = Some(cast::fit::<u16>(i));
        }
        for (i, moment) in rules.moments.iter().enumerate() {
            words.at(moment).moment = Some(cast::fit::<u16>(i));
        }
        for (i, name) in rules.named.iter().enumerate() {
            words.at(name).named = Some(cast::fit::<u16>(i));
        }
        let mut offset = 0;
        for (name, len) in &rules.fields {
            let meaning = words.at(name);
            if rules.list_fields.contains(&offset) {
                meaning.list = Some(offset);
            } else if *len > 1 {
                meaning.row = Some((offset, *len));
            } else {
                meaning.number = Some(offset);
            }
            offset += *len;
        }
        words
    }

    fn at(&mut self, text: &str) -> &mut Meaning {
        let id = match self.find(text) {
            Some(id) => id,
            None => {
                self.extra.push(text.to_string());
                self.meanings.push(Meaning::default());
                let id = cast::fit::<NameId>(self.meanings.len() - 1);
                self.known.insert(text.to_string(), id);
                id
            }
        };
        &mut self.meanings[id as usize]
    }

    fn find(&self, text: &str) -> Option<NameId> {
        self.rules.names.find(text).or_else(|| self.known.get(text).copied())
    }

    /// The number by which scripts know a word.
    pub fn value_of(&self, text: &str) -> Option<i64> {
        self.find(text).map(|id| WORD + id as i64)
    }

    /// Every word, for "did you mean".
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.rules.names.all().map(|(_, text)| text).chain(self.extra.iter().map(String::as_str))
    }

    /// The index of a word; nothing for a plain number.
    pub fn id(&self, value: i64) -> Option<NameId> {
        let id = value.checked_sub(WORD)?;
        (0..cast::count(self.meanings.len())).contains(&id).then(|| cast::fit::<NameId>(id))
    }

    /// A value for people: the word, or the number.
    pub fn text(&self, value: i64) -> String {
        match self.id(value) {
            Some(id) => match (id as usize).checked_sub(self.meanings.len() - self.extra.len()) {
                Some(extra) => self.extra[extra].clone(),
                None => self.rules.names.text(id).to_string(),
            },
            None => value.to_string(),
        }
    }

    /// What a word stands for; nothing for a plain number.
    pub fn meaning(&self, value: i64) -> Option<&Meaning> {
        self.id(value).map(|id| &self.meanings[id as usize])
    }

    /// What is wanted of a word.
    pub fn want<T>(&self, value: i64, what: &str, pick: impl FnOnce(&Meaning) -> Option<T>) -> Result<T, Stop> {
        self.meaning(value).and_then(pick).ok_or_else(|| self.unfit(value, what))
    }

    #[cold]
    fn unfit(&self, value: i64, what: &str) -> Stop {
        let text = self.text(value);
        Stop::fault(if self.id(value).is_some() {
            format!("`{text}` is not {what}")
        } else {
            format!("{text} is a number where {what} is named")
        })
    }

    /// A count: a whole number that a state can hold.
    pub fn number(&self, value: i64) -> Result<i64, Stop> {
        if i32::try_from(value).is_ok() { Ok(value) } else { Err(self.no_number(value)) }
    }

    #[cold]
    fn no_number(&self, value: i64) -> Stop {
        let text = self.text(value);
        Stop::fault(if self.id(value).is_some() {
            format!("`{text}` is a word where a number is wanted; what a player has of it is `{text}(me)`")
        } else {
            format!("{text} is more than a state can hold")
        })
    }

    /// An argument as the rules know it: a word by what its type makes of it, yes and no as 1 and 0, a number as it is.
    pub fn argument(&self, value: i64, ty: Type) -> Result<i32, Stop> {
        let Some(meaning) = self.meaning(value) else { return self.number(value).map(cast::fit::<i32>) };
        let index = match ty {
            Type::Number | Type::Thousandths => None,
            Type::Truth => meaning.truth.map(i32::from),
            Type::Resource => meaning.resource.map(i32::from),
            Type::RowWord => meaning.resource.or(meaning.in_row).map(i32::from),
            Type::Kind => meaning.kind.map(i32::from),
            Type::Card | Type::Seat | Type::Symbol | Type::Token | Type::Picked | Type::Choice(_) | Type::Open(_) => {
                let index = meaning.resource.or(meaning.in_row).or(meaning.kind).map(i32::from);
                index.or(meaning.truth.map(i32::from)).or(Some(cast::fit::<i32>(value - WORD)))
            }
        };
        match (index, ty) {
            (Some(index), _) => Ok(index),
            (None, Type::Number | Type::Thousandths) => Err(self.no_number(value)),
            (None, ty) => Err(self.unfit(value, ty.words())),
        }
    }

    /// Which cell of a printed row a word means; a number is taken as it is.
    pub fn index_in_row(&self, value: i64, len: usize) -> Result<usize, Stop> {
        match self.meaning(value).map_or(Some(value), |meaning| meaning.resource.or(meaning.in_row).map(i64::from)) {
            Some(index) => self.inside(value, i32::try_from(index).unwrap_or(-1), len),
            None => self.inside(value, -1, len),
        }
    }

    /// An index, if there are so many; `value` is how the script says it.
    pub fn inside(&self, value: i64, index: i32, len: usize) -> Result<usize, Stop> {
        match usize::try_from(index) {
            Ok(index) if index < len => Ok(index),
            _ => Err(Stop::fault(format!("`{}` does not stand for any of the {len} numbers here", self.text(value)))),
        }
    }

    /// The offset of a counter or flag of a seat that scripts may write, and whether it is a flag.
    pub fn writable(&self, value: i64) -> Result<(usize, bool), Stop> {
        let variable = &self.rules.seat[self.want(value, "a counter of a player", |m| m.seat)? as usize];
        match variable.sort {
            VariableSort::Counter => Ok((variable.offset as usize, false)),
            VariableSort::Flag => Ok((variable.offset as usize, true)),
            VariableSort::Resource => Err(Stop::fault(format!("`{}` is a resource; use `gain`, `lose` or `spend`", variable.name))),
            VariableSort::Set | VariableSort::Tally => {
                Err(Stop::fault(format!("`{}` counts several things; scripts can only read it", variable.name)))
            }
        }
    }
}
