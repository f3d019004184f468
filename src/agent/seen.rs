//! What a seat sees, in words: for external programs.
//!
//! It is built from the seat's [`View`] and from the names in the rules, never from the game, so that nothing hidden can leak. Computed
//! values (stats, points) are computed from the view as well; a value that reads anything unknown to the seat is left out
//! ([`Game::watch`]).

use crate::cast;
use std::collections::BTreeMap;

use serde::ser::{Serialize, Serializer};

use crate::engine::ruleset::{Shape, Variable, VariableSort};
use crate::engine::view::View;
use crate::engine::{Game, Ruleset};
use crate::state::layout::{BOX, TABLE, head, piece};

/// The whole game as one seat, the viewer, sees it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeenGame<'r> {
    /// Number of the round, from 1; 0 during set-up.
    pub round: i32,
    /// Names of the seats in turn order.
    pub order: Vec<String>,
    /// Variables, pools and places of the table, which belong to no seat.
    pub table: Owned<'r>,
    /// Every seat, in order of seat numbers.
    pub seats: Vec<SeenSeat<'r>>,
}

/// One seat of the game as the viewer sees it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeenSeat<'r> {
    /// Name of the seat: `p1`, `p2` and so on.
    pub seat: String,
    /// Number of the team, from 1; left out in games without teams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team: Option<usize>,
    /// Points, as if the game ended now; `None` if they depend on hidden information.
    pub points: Option<i64>,
    /// Points of each row of the score, by the row's name; `None` if they depend on hidden information.
    pub score: OrderedMap<&'r str, Option<i64>>,
    /// Values of the stats by name.
    pub stats: OrderedMap<&'r str, Option<i64>>,
    /// Variables, pools of tokens and places of the seat.
    #[serde(flatten)]
    pub owned: Owned<'r>,
}

/// The variables, pools and places that a seat or the table owns.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Owned<'r> {
    /// Values of resources, counters, flags, sets and tallies by name.
    #[serde(rename = "has")]
    pub variables: OrderedMap<&'r str, VariableValue<'r>>,
    /// Pools of tokens: number of tokens of each kind, without zeros; `hidden` is the number of those that the seat does not see.
    pub pools: OrderedMap<&'r str, OrderedMap<&'r str, i32>>,
    /// Places of cards by name.
    pub places: OrderedMap<String, SeenPlace<'r>>,
}

/// The value of one variable of a seat, of the table or of a card.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum VariableValue<'r> {
    /// Value of a resource or a counter.
    Number(i32),
    /// Value of a flag.
    Truth(bool),
    /// Elements of a set.
    Words(Vec<&'r str>),
    /// Counts of a tally by name, without zeros.
    Tally(OrderedMap<&'r str, i32>),
    /// A value that the seat does not see; written as the word `hidden`.
    #[serde(serialize_with = "serialize_hidden")]
    Hidden,
}

/// The name of what a seat does not see, in place of a value or of the name of tokens.
pub const HIDDEN: &str = "hidden";

fn serialize_hidden<S: Serializer>(serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(HIDDEN)
}

impl VariableValue<'_> {
    fn is_zero(&self) -> bool {
        match self {
            VariableValue::Number(number) => *number == 0,
            VariableValue::Truth(truth) => !truth,
            VariableValue::Words(words) => words.is_empty(),
            VariableValue::Tally(tally) => tally.is_empty(),
            VariableValue::Hidden => false,
        }
    }
}

/// The visible contents of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SeenPlace<'r> {
    /// The cards known to the seat, in order of position.
    pub cards: Vec<SeenCard<'r>>,
    /// Number of cards unknown to the seat.
    pub hidden: usize,
    /// Those of them of which the seat has been told a part, in order of position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub known_in_part: Vec<PartlyKnownCard<'r>>,
}

/// A card unknown to the seat, of which it has been told a part.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PartlyKnownCard<'r> {
    /// Position of the card among all unknown cards of its place, from 1.
    pub number: usize,
    /// Position of the card within its place, from 1.
    pub slot: usize,
    /// For each field of which the seat has been told something, the values that it can have.
    pub can_be: OrderedMap<&'r str, Vec<&'r str>>,
    /// The same fields, each with the values that it cannot have.
    #[serde(skip)]
    pub cannot_be: OrderedMap<&'r str, Vec<&'r str>>,
}

/// A card known to the seat.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SeenCard<'r> {
    /// Id of the card.
    pub card: &'r str,
    /// Index of the card among all pieces of the game.
    #[serde(skip)]
    pub piece_index: usize,
    /// Position of the card within its place, from 1; in a deck the highest is on top.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<usize>,
    /// Row and column of the card, if its place is a grid.
    #[serde(flatten)]
    pub grid_space: Option<GridSpace>,
    /// Values of the card's counters by name, without zeros. Empty if the card lies hidden with another seat, even if the viewer has seen
    /// the card before.
    #[serde(skip_serializing_if = "OrderedMap::is_empty")]
    #[serde(rename = "has")]
    pub counters: OrderedMap<&'r str, VariableValue<'r>>,
}

/// Row and column of a space of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct GridSpace {
    /// Number of the row, from 1.
    pub row: usize,
    /// Number of the column, from 1.
    pub column: usize,
}

/// A map from names to values that is serialised in order of declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderedMap<K, V>(pub Vec<(K, V)>);

impl<K, V> OrderedMap<K, V> {
    /// Whether the map has no entries.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<K, V> FromIterator<(K, V)> for OrderedMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(all: I) -> OrderedMap<K, V> {
        OrderedMap(all.into_iter().collect())
    }
}

impl<K: Serialize, V: Serialize> Serialize for OrderedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Returns the name of a seat in rules, scenarios and on the command line: `p1` for seat 0.
pub fn seat_name(seat: usize) -> String {
    format!("p{}", seat + 1)
}

/// Describes a view with the names of the rules in place of indices.
pub fn describe_view<'r>(rules: &'r Ruleset, view: &View) -> SeenGame<'r> {
    let mut game = Game::default();
    view.position(rules, 0, &mut game);
    let mut figures = compute_visible_values(rules, &mut game, view.seat).into_iter();
    let position = ViewReader { rules, game: &game, seat: view.seat };
    let mut places = position.read_places();
    let cell = |index: usize| position.game.cell(rules, index);
    let seats = (0..rules.players).map(|seat| SeenSeat {
        seat: seat_name(seat),
        team: rules.has_teams().then(|| rules.side(seat) + 1),
        points: figures.next().flatten(),
        score: rules.score.iter().map(|(name, _)| (name.as_str(), figures.next().flatten())).collect(),
        stats: plain_stats(rules).map(|(_, name)| (name, figures.next().flatten())).collect(),
        owned: position.read_owned(cast::seat(seat), &rules.seat, &mut places),
    });
    SeenGame {
        round: cell(head::ROUND),
        order: (0..rules.players).map(|place| seat_name(cast::index(cell(head::ORDER + place)))).collect(),
        seats: seats.collect(),
        table: position.read_owned(TABLE, &rules.table, &mut places),
    }
}

/// Lists what a seat has been told of parts of a card; `None` if nothing. The card gets a number among the unknown cards of its place, and its slot.
pub fn describe_parts(
    rules: &Ruleset,
    cell: impl Fn(usize) -> i32,
    (seat, card): (usize, usize),
    (number, slot): (usize, usize),
) -> Option<PartlyKnownCard<'_>> {
    let (mut can_be, mut cannot_be) = (Vec::new(), Vec::new());
    for clue in &rules.clues {
        let excluded = cell(rules.clue_cell(clue, card, seat));
        let named = |bits: i32| {
            let values = (0..).zip(&clue.values).filter(|(at, _)| bits >> at & 1 == 1);
            (rules.names.text(clue.name), values.map(|(_, (_, name))| rules.names.text(*name)).collect())
        };
        // That a card has the field at all is told with any value that it cannot have.
        if clue.left(excluded) != clue.left(0) {
            can_be.push(named(clue.left(excluded)));
            cannot_be.push(named(excluded));
        }
    }
    let (can_be, cannot_be) = (OrderedMap(can_be), OrderedMap(cannot_be));
    (!can_be.is_empty()).then_some(PartlyKnownCard { number, slot, can_be, cannot_be })
}

/// Returns the stats without arguments, by index and name.
fn plain_stats(rules: &Ruleset) -> impl Iterator<Item = (u16, &str)> {
    let stats = rules.quantities.iter().enumerate().filter(|(_, quantity)| quantity.stat && quantity.args == 0);
    stats.map(|(index, quantity)| (cast::fit::<u16>(index), quantity.name.as_str()))
}

/// Computes for each seat its points, the rows of its score and its stats; `None` for values that read anything unknown to the viewer.
fn compute_visible_values(rules: &Ruleset, game: &mut Game, viewer: usize) -> Vec<Option<i64>> {
    game.watch_sight(viewer);
    let known = |game: &Game, figure: i64| (!game.take_read_hidden()).then_some(figure);
    let mut all = Vec::new();
    for seat in 0..rules.players {
        let rows: Vec<Option<i64>> = (0..rules.score.len())
            .map(|row| {
                let points = game.store(rules).score_row(row, seat);
                known(game, points)
            })
            .collect();
        all.push(rows.iter().copied().sum());
        all.extend(rows);
        for (index, _) in plain_stats(rules) {
            let stat = game.store(rules).quantity(index, seat, [-1; 2]);
            all.push(known(game, stat));
        }
    }
    all
}

/// Reads the values of a view; `game` contains only what the viewer knows.
struct ViewReader<'r, 'g> {
    rules: &'r Ruleset,
    game: &'g Game,
    seat: usize,
}

impl<'r> ViewReader<'r, '_> {
    fn name_text(&self, name: u32) -> &'r str {
        self.rules.names.text(name)
    }

    fn read_cell(&self, index: usize) -> i32 {
        self.game.cell(self.rules, index)
    }

    fn read_owned(&self, owner: u8, variables: &'r [Variable], places: &mut PlaceContents<'r>) -> Owned<'r> {
        let rules = self.rules;
        let base = if owner == TABLE { 0 } else { rules.layout.seat(owner.into(), 0) };
        let pools = rules.pools.iter().filter(|pool| pool.of_seat == (owner != TABLE)).map(|pool| {
            let classes = rules.classes.iter().enumerate();
            let first = base + pool.offset as usize;
            let counts = classes.map(|(class, described)| (self.name_text(described.key), self.read_cell(first + class)));
            let counts = counts.filter(|(_, count)| *count != 0);
            let shown = match self.sees(first) {
                true => counts.collect(),
                false => OrderedMap(vec![(HIDDEN, counts.map(|(_, count)| count).sum())]),
            };
            (self.name_text(pool.name), shown)
        });
        let names = rules.layout.places.iter().enumerate().skip(BOX + 1).filter(|(_, at)| at.owner == owner).map(|(instance, at)| {
            let declared = &rules.places[at.declared as usize];
            let name = match declared.of_seat || declared.instances == 1 {
                true => declared.name.clone(),
                false => format!("{}[{}]", declared.name, instance - declared.first_instance as usize + 1),
            };
            (name, places.remove(&instance).unwrap_or_default())
        });
        Owned {
            places: names.collect(),
            pools: pools.collect(),
            variables: variables.iter().filter(|of| !rules.is_undeclared(of)).map(|of| self.read_variable(base, of)).collect(),
        }
    }

    /// Whether the seat sees the value to which a cell belongs.
    fn sees(&self, cell: usize) -> bool {
        self.rules.secret_at(cell).is_none_or(|at| self.rules.sees_secret(self.game.cells(), self.seat, at))
    }

    fn read_variable(&self, base: usize, variable: &'r Variable) -> (&'r str, VariableValue<'r>) {
        let first = base + variable.offset as usize;
        if !self.sees(first) {
            return (variable.name.as_str(), VariableValue::Hidden);
        }
        let words = || variable.words.iter().enumerate().map(|(at, word)| (at, self.name_text(*word)));
        let had = match variable.sort {
            VariableSort::Counter if !variable.words.is_empty() => {
                let word = usize::try_from(self.read_cell(first)).ok().and_then(|word| variable.words.get(word));
                VariableValue::Words(word.into_iter().map(|word| self.name_text(*word)).collect())
            }
            VariableSort::Counter | VariableSort::Resource => VariableValue::Number(self.read_cell(first)),
            VariableSort::Flag => VariableValue::Truth(self.read_cell(first) != 0),
            VariableSort::Set => {
                VariableValue::Words(words().filter(|(at, _)| self.read_cell(first) >> at & 1 == 1).map(|(_, word)| word).collect())
            }
            VariableSort::Tally => VariableValue::Tally(
                words().map(|(at, word)| (word, self.read_cell(first + at))).filter(|(_, count)| *count != 0).collect(),
            ),
        };
        (variable.name.as_str(), had)
    }

    /// Whether a piece is there: all are but parts of cards that lie elsewhere.
    fn is_there(&self, piece: usize) -> bool {
        let part = self.rules.board_of_piece(piece).and_then(|board| board.parts.as_ref().zip(board.space(cast::count(piece))));
        part.is_none_or(|(parts, space)| parts.is_there(space, &|cell| self.read_cell(cell)))
    }

    /// Collects the visible contents of all places. It iterates over cards rather than slots: in a simultaneous phase a card that this seat
    /// has taken already counts as its own.
    fn read_places(&self) -> PlaceContents<'r> {
        let rules = self.rules;
        let mut places = PlaceContents::new();
        let mut cards: Vec<(usize, usize, usize)> = (0..rules.layout.pieces)
            .map(|card| {
                let cell = |offset: usize| cast::index(self.read_cell(rules.layout.piece(card, offset)));
                (cell(piece::PLACE), cell(piece::POSITION), card)
            })
            .filter(|(place, _, card)| *place > BOX && self.is_there(*card))
            .collect();
        cards.sort_unstable();
        for (instance, slot, card) in cards {
            let place = places.entry(instance).or_default();
            if self.read_cell(rules.layout.piece(card, piece::KNOWN)) >> self.seat & 1 == 0 {
                place.hidden += 1;
                place.known_in_part.extend(describe_parts(rules, |cell| self.read_cell(cell), (self.seat, card), (place.hidden, slot + 1)));
                continue;
            }
            let shape = rules.places[rules.layout.places[instance].declared as usize].shape;
            let (slot, at) = match shape {
                Shape::Grid { columns, .. } => {
                    (None, Some(GridSpace { row: slot / columns as usize + 1, column: slot % columns as usize + 1 }))
                }
                Shape::Deck | Shape::Slots => (Some(slot + 1), None),
            };
            let kind = rules.definition(card).kind;
            let counters = rules.piece.iter().filter(|of| of.kinds >> kind & 1 == 1);
            let counters = counters.filter(|_| self.game.position(rules).sees_counters(self.seat, card));
            let counters = counters.map(|of| self.read_variable(rules.layout.piece(card, 0), of));
            let has = counters.filter(|(_, had)| !had.is_zero()).collect();
            place.cards.push(SeenCard {
                card: self.name_text(rules.definition(card).id),
                piece_index: card,
                slot,
                grid_space: at,
                counters: has,
            });
        }
        places
    }
}

/// The visible contents of each place, by index of the place.
type PlaceContents<'r> = BTreeMap<usize, SeenPlace<'r>>;
