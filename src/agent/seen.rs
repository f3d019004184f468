//! What a seat sees, in words: for players that are no part of this program.
//!
//! It is made from the seat's [`View`] and from the names in the rules, never from the game, so that nothing hidden can come into it.
//! What the rules work out (stats, points) is worked out from the view as well; a figure that reads anything which the seat does not know is
//! left open ([`Game::watch`]).

use crate::cast;
use std::collections::BTreeMap;

use serde::ser::{Serialize, Serializer};

use crate::engine::ruleset::{Shape, Variable, VariableSort};
use crate::engine::view::View;
use crate::engine::{Game, Ruleset};
use crate::state::layout::{BOX, TABLE, head, piece};

/// What a seat sees.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Seen<'r> {
    /// The round, from 1; 0 during set-up.
    pub round: i32,
    /// The seats in turn order.
    pub order: Vec<String>,
    /// What belongs to nobody.
    pub table: Owned<'r>,
    /// Each seat.
    pub seats: Vec<SeenSeat<'r>>,
}

/// What a seat sees of a seat.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeenSeat<'r> {
    /// `p1` and so on.
    pub seat: String,
    /// Points, as if the game ended now.
    pub points: Option<i64>,
    /// The rows of the score.
    pub score: InOrder<&'r str, Option<i64>>,
    /// Stats.
    pub stats: InOrder<&'r str, Option<i64>>,
    /// What it owns.
    #[serde(flatten)]
    pub owned: Owned<'r>,
}

/// What a seat or the table has.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Owned<'r> {
    /// Resources, counters, flags, sets and tallies.
    pub has: InOrder<&'r str, Had<'r>>,
    /// Pools of tokens: how many of each, without those that are not there.
    pub pools: InOrder<&'r str, InOrder<&'r str, i32>>,
    /// Places of cards.
    pub places: InOrder<String, SeenPlace<'r>>,
}

/// What one thing that is had comes to.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Had<'r> {
    /// A resource or a counter.
    Number(i32),
    /// A flag.
    Truth(bool),
    /// A set.
    Words(Vec<&'r str>),
    /// A tally, without what it counts 0 of.
    Tally(InOrder<&'r str, i32>),
}

impl Had<'_> {
    fn is_nothing(&self) -> bool {
        match self {
            Had::Number(number) => *number == 0,
            Had::Truth(truth) => !truth,
            Had::Words(words) => words.is_empty(),
            Had::Tally(tally) => tally.is_empty(),
        }
    }
}

/// A place.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SeenPlace<'r> {
    /// The cards that the seat knows, by where they lie.
    pub cards: Vec<SeenCard<'r>>,
    /// How many cards it does not know.
    pub hidden: usize,
}

/// A card that the seat knows.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeenCard<'r> {
    /// Its id.
    pub card: &'r str,
    /// Its number among all pieces.
    #[serde(skip)]
    pub piece: usize,
    /// Where it lies in its place, from 1; in a deck the highest is on top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<usize>,
    /// On a grid its row and column, from 1.
    #[serde(flatten)]
    pub at: Option<At>,
    /// Its counters, without those that are 0; none where it lies hidden with another seat, whoever has seen the card before.
    #[serde(skip_serializing_if = "InOrder::is_empty")]
    pub has: InOrder<&'r str, Had<'r>>,
}

/// A space of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct At {
    /// The row, from 1.
    pub row: usize,
    /// The column, from 1.
    pub column: usize,
}

/// Values by name, in the order of the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InOrder<K, V>(pub Vec<(K, V)>);

impl<K, V> InOrder<K, V> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K, V> FromIterator<(K, V)> for InOrder<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> InOrder<K, V> {
        InOrder(all.into_iter().collect())
    }
}

impl<K: Serialize, V: Serialize> Serialize for InOrder<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// A seat by the name that rules, scenarios and the command line give it.
pub fn seat_name(seat: usize) -> String {
    format!("p{}", seat + 1)
}

/// Puts a view into words.
pub fn seen<'r>(rules: &'r Ruleset, view: &View) -> Seen<'r> {
    let mut game = Game::default();
    view.position(rules, 0, &mut game);
    let mut figures = figures(rules, &mut game, view.seat).into_iter();
    let position = Position { rules, game: &game, seat: view.seat };
    let mut places = position.places();
    let cell = |index: usize| position.game.cell(rules, index);
    let seats = (0..rules.players).map(|seat| SeenSeat {
        seat: seat_name(seat),
        points: figures.next().flatten(),
        score: rules.score.iter().map(|(name, _)| (name.as_str(), figures.next().flatten())).collect(),
        stats: stats(rules).map(|(_, name)| (name, figures.next().flatten())).collect(),
        owned: position.owned(cast::seat(seat), &rules.seat, &mut places),
    });
    Seen {
        round: cell(head::ROUND),
        order: (0..rules.players).map(|place| seat_name(cast::index(cell(head::ORDER + place)))).collect(),
        seats: seats.collect(),
        table: position.owned(TABLE, &rules.table, &mut places),
    }
}

/// The stats without arguments.
fn stats(rules: &Ruleset) -> impl Iterator<Item = (u16, &str)> {
    let stats = rules.quantities.iter().enumerate().filter(|(_, quantity)| quantity.stat && quantity.args == 0);
    stats.map(|(index, quantity)| (cast::fit::<u16>(index), quantity.name.as_str()))
}

/// Seat by seat the points, the rows of the score, and the stats; nothing for what reads anything that the seat which looks does not know.
fn figures(rules: &Ruleset, game: &mut Game, looks: usize) -> Vec<Option<i64>> {
    game.watch(looks);
    let known = |game: &Game, figure: i64| (!game.take_read_hidden()).then_some(figure);
    let mut all = Vec::new();
    for seat in 0..rules.players {
        let rows: Vec<Option<i64>> = (0..rules.score.len())
            .map(|row| {
                let points = game.on(rules).score_row(row, seat);
                known(game, points)
            })
            .collect();
        all.push(rows.iter().copied().sum());
        all.extend(rows);
        for (index, _) in stats(rules) {
            let stat = game.on(rules).quantity(index, seat, [-1; 2]);
            all.push(known(game, stat));
        }
    }
    all
}

/// A view, to be read.
struct Position<'r, 'g> {
    rules: &'r Ruleset,
    game: &'g Game,
    seat: usize,
}

impl<'r> Position<'r, '_> {
    fn name(&self, name: u32) -> &'r str {
        self.rules.names.text(name)
    }

    fn cell(&self, index: usize) -> i32 {
        self.game.cell(self.rules, index)
    }

    fn owned(&self, owner: u8, variables: &'r [Variable], places: &mut Places<'r>) -> Owned<'r> {
        let rules = self.rules;
        let base = if owner == TABLE { 0 } else { rules.layout.seat(owner.into(), 0) };
        let pools = rules.pools.iter().filter(|pool| pool.of_seat == (owner != TABLE)).map(|pool| {
            let classes = rules.classes.iter().enumerate();
            let counts = classes.map(|(class, described)| (self.name(described.key), self.cell(base + pool.offset as usize + class)));
            (self.name(pool.name), counts.filter(|(_, count)| *count != 0).collect())
        });
        let names = rules.layout.places.iter().enumerate().skip(BOX + 1).filter(|(_, at)| at.owner == owner).map(|(instance, at)| {
            let declared = &rules.places[at.declared as usize];
            let name = match declared.of_seat || declared.instances == 1 {
                true => declared.name.clone(),
                false => format!("{}[{}]", declared.name, instance - declared.first as usize + 1),
            };
            (name, places.remove(&instance).unwrap_or_default())
        });
        Owned { places: names.collect(), pools: pools.collect(), has: variables.iter().map(|of| self.had(base, of)).collect() }
    }

    fn had(&self, base: usize, variable: &'r Variable) -> (&'r str, Had<'r>) {
        let first = base + variable.offset as usize;
        let words = || variable.words.iter().enumerate().map(|(at, word)| (at, self.name(*word)));
        let had = match variable.sort {
            VariableSort::Counter | VariableSort::Resource => Had::Number(self.cell(first)),
            VariableSort::Flag => Had::Truth(self.cell(first) != 0),
            VariableSort::Set => Had::Words(words().filter(|(at, _)| self.cell(first) >> at & 1 == 1).map(|(_, word)| word).collect()),
            VariableSort::Tally => {
                Had::Tally(words().map(|(at, word)| (word, self.cell(first + at))).filter(|(_, count)| *count != 0).collect())
            }
        };
        (variable.name.as_str(), had)
    }

    /// What lies where. Cards are gone through, not slots: while all act at once, one that this seat has taken lies with it, and no
    /// longer where it lay before.
    fn places(&self) -> Places<'r> {
        let rules = self.rules;
        let mut places = Places::new();
        let mut cards: Vec<(usize, usize, usize)> = (0..rules.layout.pieces)
            .map(|card| {
                let cell = |offset: usize| cast::index(self.cell(rules.layout.piece(card, offset)));
                (cell(piece::PLACE), cell(piece::POSITION), card)
            })
            .filter(|(place, ..)| *place > BOX)
            .collect();
        cards.sort_unstable();
        for (instance, slot, card) in cards {
            let place = places.entry(instance).or_default();
            if self.cell(rules.layout.piece(card, piece::KNOWN)) >> self.seat & 1 == 0 {
                place.hidden += 1;
                continue;
            }
            let shape = rules.places[rules.layout.places[instance].declared as usize].shape;
            let (slot, at) = match shape {
                Shape::Grid { columns, .. } => (None, Some(At { row: slot / columns as usize + 1, column: slot % columns as usize + 1 })),
                Shape::Deck | Shape::Slots => (Some(slot + 1), None),
            };
            let counters = rules.piece.iter().filter(|_| self.game.position(rules).sees_counters(self.seat, card));
            let counters = counters.map(|of| self.had(rules.layout.piece(card, 0), of));
            let has = counters.filter(|(_, had)| !had.is_nothing()).collect();
            place.cards.push(SeenCard { card: self.name(rules.definition(card).id), piece: card, slot, at, has });
        }
        places
    }
}

/// What lies where, by the place's instance.
type Places<'r> = BTreeMap<usize, SeenPlace<'r>>;
