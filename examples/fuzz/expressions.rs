//! Well-typed expressions of the rules language by chance, and what each comes to: a third evaluator, which reads the cells of a state
//! and knows neither the compiler nor the walker of the engine. It says nothing ([`Unknown`]) where it does not know a construct.

use houserule::engine::{Game, Ruleset};
use houserule::state::chance::draw;
use std::fmt;

/// Kinds of cards, in the order of declaration.
pub const KINDS: [&str; 3] = ["wolf", "owl", "wall"];
/// What a player has of numbers: the resources first.
pub const OWN: [&str; 5] = ["a", "b", "c", "d", "e"];
/// Numbers of the table.
pub const TABLE: [&str; 2] = ["moon", "tide"];
/// Words of the printed row `gift`: resources first. No card has anything of the last one.
pub const GIFTS: [&str; 4] = ["a", "b", "calm", "dread"];
/// Counters on cards.
pub const ON_CARDS: [&str; 2] = ["moss", "fern"];
/// Places of a player, and of the table.
const PLACES: [&str; 3] = ["den", "lair", "paw"];

/// A card as it is printed.
#[derive(Clone, Debug)]
pub struct Printed {
    pub id: String,
    pub kind: usize,
    pub height: i64,
    pub bite: i64,
    pub gift: [i64; 4],
    pub hours: Vec<i64>,
}

/// Cards that an expression goes through.
#[derive(Clone, Debug)]
pub struct Set {
    /// `my`, `all`, or (of a place of the table) nothing.
    whose: &'static str,
    /// A place, a zone behind `cards in`, or a kind behind `my`.
    place: &'static str,
    row: Option<i64>,
    with: Option<usize>,
    filter: Option<Box<E>>,
}

/// Players that an expression goes through.
#[derive(Clone, Debug)]
pub struct Players {
    others: bool,
    filter: Option<Box<E>>,
    compared: Option<(bool, Box<E>)>,
}

/// A card by a name: one that is bound, or the one in `lair`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Card {
    Bound(&'static str),
    Lair,
}

/// An expression.
#[derive(Clone, Debug)]
pub enum E {
    Number(i64),
    Own(usize),
    Table(usize),
    Round,
    Players,
    Seen(usize),
    Owed(usize),
    /// `owed[r]`, `amount of r`: with a word that is bound.
    OwedOf,
    AmountOf,
    /// A parameter that is a number.
    Param,
    NumberOp(&'static str, Box<E>, Box<E>),
    Min(Box<E>, Box<E>),
    Max(Box<E>, Box<E>),
    Less(Box<E>),
    If(Box<E>, Box<E>, Box<E>),
    Height(Card),
    Bite(Card),
    Gift(Card, usize),
    GiftOf(Card),
    Hour(Card, Box<E>),
    Hours(Card),
    FirstHours(Card, Box<E>),
    On(Card, usize),
    Row(Card),
    Column(Card),
    Count(Box<Set>),
    Over(&'static str, Box<E>, Box<Set>),
    CountPlayers(Box<Players>),
    OverPlayers(&'static str, Box<E>, Box<Players>),
    Left(usize),
    /// What the third evaluator does not know, as text.
    Foreign(&'static str),
    /// The like of a card: the text before and behind it.
    ForeignOf(&'static str, Card, &'static str),
    /// A definition of the game of a card, and what it stands for.
    Called(usize, Card),
    Yes(bool),
    Compare(&'static str, Box<E>, Box<E>),
    Within(Box<E>, i64, i64),
    And(Box<E>, Box<E>),
    Or(Box<E>, Box<E>),
    Not(Box<E>),
    Flag(usize),
    Night,
    Held(usize),
    IsKind(Card, usize),
    InPlace(Card, &'static str),
    LairIsThere,
    NoLair,
    Any(Box<Set>),
    AnyPlayers(Box<Players>),
    Rank(&'static str, Box<E>),
    ForeignTruth(&'static str),
}

/// What can be named where an expression stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// A loop's `card`.
    pub card: bool,
    /// A parameter `one`, which is a card.
    pub one: bool,
    /// A parameter `r`, which is a resource.
    pub word: bool,
    /// A parameter `n`, which is a number.
    pub param: bool,
    /// So many definitions of a card can be named.
    pub definitions: usize,
    /// It may name changeable numbers and stats.
    pub quantities: bool,
}

/// Chance: the same from the same seed.
pub struct Grower {
    seed: u64,
    number: u64,
}

/// Grows expressions.
impl Grower {
    pub fn new(seed: u64) -> Grower {
        Grower { seed, number: 0 }
    }

    /// A number below `most`.
    pub fn below(&mut self, most: usize) -> usize {
        self.number += 1;
        (draw(self.seed, self.number, 0) % most as u64) as usize
    }

    /// Once in so many times.
    pub fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn small(&mut self) -> i64 {
        self.one_of(&[0, 1, 1, 2, 2, 3, 5, 7, -1, -3, 40])
    }

    fn card(&mut self, known: Known) -> Option<Card> {
        let mut all = Vec::new();
        all.extend(known.card.then_some([Card::Bound("card"); 4]).into_iter().flatten());
        all.extend(known.one.then_some([Card::Bound("one"); 3]).into_iter().flatten());
        if !all.is_empty() && self.chance(6) || all.is_empty() && self.chance(2) {
            all = vec![Card::Lair];
        }
        if all.is_empty() { None } else { Some(self.one_of(&all)) }
    }

    fn set(&mut self, depth: u32, known: Known) -> Box<Set> {
        let (whose, place) = self.one_of(&[
            ("my ", "den"),
            ("my ", "den"),
            ("my ", "den"),
            ("all ", "den"),
            ("my ", "lair"),
            ("all ", "lair"),
            ("my ", "paw"),
            ("my cards in ", "play"),
            ("all cards in ", "play"),
            ("", "market"),
            ("", "heath"),
            ("my ", "wolf"),
            ("my ", "wall"),
        ]);
        let row = (place == "market" && self.chance(2)).then(|| self.one_of(&[1, 2]));
        let with = self.chance(5).then(|| self.one_of(&[0, 1]));
        let filter = (!self.chance(3)).then(|| Box::new(self.truth(depth, Known { card: true, ..known })));
        Box::new(Set { whose, place, row, with, filter })
    }

    fn players(&mut self, depth: u32, known: Known) -> Box<Players> {
        let others = self.chance(2);
        if others && self.chance(4) {
            let value = if self.chance(2) { E::Own(self.below(4)) } else { self.number(depth.min(2), known) };
            let compared = Some((self.chance(2), Box::new(value)));
            return Box::new(Players { others, filter: None, compared });
        }
        let filter = self.chance(2).then(|| Box::new(self.truth(depth, known)));
        Box::new(Players { others, filter, compared: None })
    }

    /// A number.
    pub fn number(&mut self, depth: u32, known: Known) -> E {
        if depth == 0 || self.chance(7) {
            return self.short(known);
        }
        let below = depth - 1;
        let of = |grower: &mut Self| Box::new(grower.number(below, known));
        match self.below(25) {
            0..=3 => {
                let sign = self.one_of(&["+", "-", "*"]);
                E::NumberOp(sign, of(self), of(self))
            }
            4 => E::NumberOp(self.one_of(&["+", "-", "*"]), of(self), Box::new(E::Number(self.small()))),
            5 => E::NumberOp("/", of(self), Box::new(E::Number(self.one_of(&[2, 3, -2, 5])))),
            6 => E::NumberOp("-", Box::new(E::Number(self.small())), of(self)),
            7 => E::Min(of(self), of(self)),
            8 => E::Max(of(self), of(self)),
            9 => E::Less(of(self)),
            10 | 11 => {
                let condition = Box::new(self.truth(below, known));
                match self.chance(3) {
                    true => E::If(condition, Box::new(E::Number(self.small())), Box::new(E::Number(self.small()))),
                    false => E::If(condition, of(self), of(self)),
                }
            }
            12..=17 => {
                let fold = self.one_of(&["sum", "sum", "sum", "sum", "highest", "lowest", "median"]);
                let inner = Known { card: true, ..known };
                // Of long sums few registers are left: the body is the part that matters.
                let body = match self.below(8) {
                    0 => E::Number(self.small()),
                    1 => E::Gift(Card::Bound("card"), self.one_of(&[0, 1, 2, 3])),
                    2 => {
                        let gift = Box::new(E::Gift(Card::Bound("card"), self.one_of(&[0, 1, 2, 3])));
                        let factor = Box::new(self.number(below.min(1), inner));
                        if self.chance(2) { E::NumberOp("*", gift, factor) } else { E::NumberOp("*", factor, gift) }
                    }
                    3 => E::NumberOp("*", Box::new(E::On(Card::Bound("card"), 0)), Box::new(E::Height(Card::Bound("card")))),
                    4 if known.word => E::NumberOp("*", Box::new(E::GiftOf(Card::Bound("card"))), Box::new(E::Number(self.small()))),
                    _ => self.number(below, inner),
                };
                E::Over(fold, Box::new(body), self.set(below, known))
            }
            18 | 19 => E::Count(self.set(below, known)),
            20 | 21 => {
                let fold = self.one_of(&["sum", "highest", "lowest"]);
                E::OverPlayers(fold, of(self), self.players(below, known))
            }
            22 => E::CountPlayers(self.players(below, known)),
            23 if known.definitions > 0 => match self.card(known) {
                Some(card) => E::Called(self.below(known.definitions), card),
                None => self.short(known),
            },
            _ => match self.card(known) {
                Some(card) if self.chance(2) => E::Hour(card, of(self)),
                Some(card) => E::FirstHours(card, of(self)),
                None => self.short(known),
            },
        }
    }

    fn short(&mut self, known: Known) -> E {
        if known.word && self.chance(3) {
            return if self.chance(2) { E::OwedOf } else { E::AmountOf };
        }
        if known.param && self.chance(4) {
            return E::Param;
        }
        if let Some(card) = self.card(known)
            && !self.chance(4)
        {
            return match self.below(12) {
                0 | 1 => E::Height(card),
                2 => E::Bite(card),
                3 | 4 => E::On(card, self.one_of(&[0, 1])),
                5 | 6 => E::Gift(card, self.one_of(&[0, 1, 2, 3])),
                7 => E::Hours(card),
                8 => E::Row(card),
                9 => E::Column(card),
                10 if known.word => E::GiftOf(card),
                10 if known.quantities => E::ForeignOf("toll(", card, ")"),
                11 if known.quantities => E::ForeignOf("share(", card, ", a)"),
                _ => E::On(card, 0),
            };
        }
        match self.below(16) {
            0 | 1 => E::Number(self.small()),
            2..=6 => E::Own(self.below(OWN.len())),
            7 => E::Table(self.one_of(&[0, 1])),
            8 => E::Seen(self.one_of(&[0, 1, 2])),
            9 => E::Owed(self.one_of(&[0, 1])),
            10 => {
                if self.chance(2) {
                    E::Round
                } else {
                    E::Players
                }
            }
            11 => E::Left(self.one_of(&[0, 1, 2, 3])),
            12 => E::Foreign(self.one_of(&[
                "(number of die in hand)",
                "(number of die showing sun in hand)",
                "(number of die:grey in box)",
                "(shown sun in hand)",
                "(payable rain from hand)",
            ])),
            13 if known.quantities => E::Foreign(self.one_of(&["fame", "dens", "fame"])),
            _ => E::Own(self.below(4)),
        }
    }

    /// A condition.
    pub fn truth(&mut self, depth: u32, known: Known) -> E {
        if depth == 0 || self.chance(8) {
            return self.short_truth(known);
        }
        let below = depth - 1;
        match self.below(16) {
            0..=4 => {
                let sign = self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
                let (a, b) = (self.number(below, known), self.number(below.min(1), known));
                E::Compare(sign, Box::new(a), Box::new(b))
            }
            5 | 6 => {
                let sign = self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
                E::Compare(sign, Box::new(self.number(below, known)), Box::new(E::Number(self.small())))
            }
            7 | 8 => E::And(Box::new(self.truth(below, known)), Box::new(self.truth(below, known))),
            9 | 10 => E::Or(Box::new(self.truth(below, known)), Box::new(self.truth(below, known))),
            11 => E::Not(Box::new(self.truth(below, known))),
            12 => E::Any(self.set(below, known)),
            13 => E::AnyPlayers(self.players(below, known)),
            14 => E::Rank(self.one_of(&["most", "least"]), Box::new(self.number(below.min(1), known))),
            _ => E::Within(Box::new(self.number(below, known)), self.one_of(&[-2, 0, 1]), self.one_of(&[1, 3, 9])),
        }
    }

    fn short_truth(&mut self, known: Known) -> E {
        if let Some(card @ Card::Bound(_)) = self.card(known)
            && !self.chance(3)
        {
            return match self.below(5) {
                0 | 1 => E::IsKind(card, self.one_of(&[0, 1, 2])),
                2 => E::InPlace(card, self.one_of(&["my den", "my lair", "market", "my play"])),
                3 => {
                    E::Compare(self.one_of(&["==", "<", ">="]), Box::new(E::Height(card)), Box::new(E::Number(self.one_of(&[0, 1, 2, 4]))))
                }
                _ => E::Compare(">", Box::new(E::On(card, self.one_of(&[0, 1]))), Box::new(E::Number(self.one_of(&[0, 1, 2])))),
            };
        }
        match self.below(9) {
            0 => E::Flag(self.one_of(&[0, 1])),
            1 => E::Night,
            2 => E::Held(self.one_of(&[0, 1])),
            3 => E::LairIsThere,
            4 => E::NoLair,
            5 if known.quantities => E::ForeignTruth("most famous"),
            5 => E::Yes(self.chance(2)),
            6 => E::Rank(self.one_of(&["most", "least"]), Box::new(E::Own(self.one_of(&[0, 2, 3])))),
            _ => {
                let sign = self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
                E::Compare(sign, Box::new(E::Own(self.below(4))), Box::new(E::Number(self.small())))
            }
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Card::Bound(name) => name,
            Card::Lair => "lair",
        })
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.whose, self.place)?;
        self.row.map_or(Ok(()), |row| write!(f, " row {row}"))?;
        self.with.map_or(Ok(()), |with| write!(f, " with {}", ON_CARDS[with]))?;
        self.filter.as_ref().map_or(Ok(()), |filter| write!(f, " where ({filter})"))
    }
}

impl fmt::Display for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}players", if self.others { "other " } else { "" })?;
        if let Some((fewer, value)) = &self.compared {
            write!(f, " with {} ({value})", if *fewer { "fewer" } else { "more" })?;
        }
        self.filter.as_ref().map_or(Ok(()), |filter| write!(f, " where ({filter})"))
    }
}

impl fmt::Display for E {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            E::Number(number) if *number < 0 => write!(f, "(0 - {})", -number),
            E::Number(number) => write!(f, "{number}"),
            E::Own(at) => f.write_str(OWN[*at]),
            E::Table(at) => f.write_str(TABLE[*at]),
            E::Round => f.write_str("round"),
            E::Players => f.write_str("players"),
            E::Seen(kind) => write!(f, "seen[{}]", KINDS[*kind]),
            E::Owed(word) => write!(f, "owed[{}]", GIFTS[*word]),
            E::OwedOf => f.write_str("owed[r]"),
            E::AmountOf => f.write_str("(amount of r)"),
            E::Param => f.write_str("n"),
            E::NumberOp(sign, a, b) => write!(f, "({a} {sign} {b})"),
            E::Min(a, b) => write!(f, "min({a}, {b})"),
            E::Max(a, b) => write!(f, "max({a}, {b})"),
            E::Less(a) => write!(f, "(-{a})"),
            E::If(condition, yes, no) => write!(f, "(if {condition} then {yes} else {no})"),
            E::Height(card) => write!(f, "{card}.height"),
            E::Bite(card) => write!(f, "{card}.bite"),
            E::Gift(card, word) => write!(f, "{card}.gift[{}]", GIFTS[*word]),
            E::GiftOf(card) => write!(f, "{card}.gift[r]"),
            E::Hour(card, index) => write!(f, "{card}.hours[{index}]"),
            E::Hours(card) => write!(f, "(count {card}.hours)"),
            E::FirstHours(card, count) => write!(f, "(first ({count}) of {card}.hours)"),
            E::On(card, counter) => write!(f, "{card}.{}", ON_CARDS[*counter]),
            E::Row(card) => write!(f, "(row of {card})"),
            E::Column(card) => write!(f, "(column of {card})"),
            E::Count(set) => write!(f, "(count {set})"),
            E::Over(fold, body, set) => write!(f, "({fold} ({body}) of {set})"),
            E::CountPlayers(players) => write!(f, "(count {players})"),
            E::OverPlayers(fold, body, players) => write!(f, "({fold} ({body}) of {players})"),
            E::Left(at) => write!(f, "left.{}", OWN[*at]),
            E::Foreign(text) => f.write_str(text),
            E::ForeignOf(before, card, behind) => write!(f, "{before}{card}{behind}"),
            E::Called(definition, card) => write!(f, "of_card{definition}({card})"),
            E::Yes(yes) => f.write_str(if *yes { "yes" } else { "no" }),
            E::Compare(sign, a, b) => write!(f, "({a} {sign} {b})"),
            E::Within(a, low, high) => write!(f, "({a} in {low} to {high})"),
            E::And(a, b) => write!(f, "({a} and {b})"),
            E::Or(a, b) => write!(f, "({a} or {b})"),
            E::Not(a) => write!(f, "(not {a})"),
            E::Flag(at) => f.write_str(["f", "g"][*at]),
            E::Night => f.write_str("night"),
            E::Held(word) => write!(f, "({} in held)", GIFTS[*word]),
            E::IsKind(card, kind) => write!(f, "({card} is {})", KINDS[*kind]),
            E::InPlace(card, place) => write!(f, "({card} in {place})"),
            E::LairIsThere => f.write_str("(lair is there)"),
            E::NoLair => f.write_str("(no lair)"),
            E::Any(set) => write!(f, "(any {set})"),
            E::AnyPlayers(players) => write!(f, "(any {players})"),
            E::Rank(rank, value) => write!(f, "({rank} ({value}))"),
            E::ForeignTruth(text) => write!(f, "({text})"),
        }
    }
}

/// The third evaluator says nothing: a construct that it does not know, a number too large, or a division by 0.
#[derive(Debug)]
pub struct Unknown;

/// A state, read cell by cell.
pub struct State<'g> {
    pub rules: &'g Ruleset,
    pub game: &'g Game,
    pub printed: &'g [Printed],
    /// Of each definition of a card what it stands for.
    pub definitions: &'g [E],
}

/// What names stand for: the seat spoken of, cards, a word, a number.
#[derive(Clone, Debug)]
pub struct Names {
    pub me: usize,
    pub cards: Vec<(&'static str, i64)>,
    pub word: usize,
    pub param: i64,
}

impl State<'_> {
    fn cell(&self, at: usize) -> i64 {
        i64::from(self.game.cells()[at])
    }

    fn own(&self, me: usize, name: &str, at: usize) -> i64 {
        let variable = self.rules.seat.iter().find(|one| one.name == name).expect("a variable of a player");
        self.cell(self.rules.layout.seat(me, variable.offset as usize + at))
    }

    fn table(&self, name: &str) -> i64 {
        let variable = self.rules.table.iter().find(|one| one.name == name).expect("a variable of the table");
        self.cell(variable.offset as usize)
    }

    fn on_card(&self, card: i64, name: &str) -> i64 {
        let Ok(card) = usize::try_from(card) else { return 0 };
        let variable = self.rules.piece.iter().find(|one| one.name == name).expect("a counter on cards");
        self.cell(self.rules.layout.piece(card, variable.offset as usize))
    }

    fn printed(&self, card: i64) -> Option<&Printed> {
        let definition = self.rules.definition(usize::try_from(card).ok()?);
        let id = self.rules.names.text(definition.id);
        self.printed.iter().find(|printed| printed.id == id)
    }

    /// The cards of a place with their slots, of a seat or of the table.
    fn lying(&self, place: &str, me: usize) -> Vec<(i64, usize)> {
        let declared = &self.rules.places[self.rules.find_place(place).expect("a place")];
        let at = &self.rules.layout.places[declared.first_instance as usize + if declared.of_seat { me } else { 0 }];
        let slots = (0..at.room as usize).map(|slot| (self.cell(at.base as usize + 1 + slot) - 1, slot));
        slots.filter(|(card, _)| *card >= 0).collect()
    }

    fn lies_in(&self, card: i64, place: &str, me: Option<usize>) -> bool {
        let seats = me.map_or(0..self.rules.players, |me| me..me + 1);
        seats.into_iter().any(|me| self.lying(place, me).iter().any(|(found, _)| *found == card))
    }

    fn card(&self, card: Card, names: &Names) -> i64 {
        match card {
            Card::Bound(name) => names.cards.iter().rev().find(|bound| bound.0 == name).map_or(-1, |bound| bound.1),
            Card::Lair => self.lying("lair", names.me).first().map_or(-1, |found| found.0),
        }
    }

    fn cards(&self, set: &Set, names: &Names) -> Result<Vec<i64>, Unknown> {
        let (places, kind): (&[&str], Option<usize>) = match set.place {
            "play" => (&PLACES[..2], None),
            "wolf" => (&PLACES[..2], Some(0)),
            "wall" => (&PLACES[..1], Some(2)),
            place => (&[place], None),
        };
        let seats = if set.whose.starts_with("all") { 0..self.rules.players } else { names.me..names.me + 1 };
        let mut found = Vec::new();
        for place in places {
            for seat in seats.clone() {
                for (card, slot) in self.lying(place, seat) {
                    let of_kind = kind.is_none_or(|kind| self.printed(card).is_some_and(|printed| printed.kind == kind));
                    let in_row = set.row.is_none_or(|row| slot as i64 / 3 + 1 == row);
                    let marked = set.with.is_none_or(|with| self.on_card(card, ON_CARDS[with]) > 0);
                    if !(of_kind && in_row && marked) {
                        continue;
                    }
                    let mut inner = names.clone();
                    inner.cards.push(("card", card));
                    if set.filter.as_ref().map_or(Ok(1), |filter| self.value(filter, &inner))? != 0 {
                        found.push(card);
                    }
                }
            }
        }
        Ok(found)
    }

    fn seats(&self, players: &Players, names: &Names) -> Result<Vec<usize>, Unknown> {
        let mut found = Vec::new();
        for me in (0..self.rules.players).filter(|me| !players.others || *me != names.me) {
            let there = Names { me, ..names.clone() };
            let fits = players.filter.as_ref().map_or(Ok(1), |filter| self.value(filter, &there))? != 0;
            let compared = match &players.compared {
                Some((fewer, value)) => {
                    let (theirs, mine) = (self.value(value, &there)?, self.value(value, names)?);
                    if *fewer { theirs < mine } else { theirs > mine }
                }
                None => true,
            };
            if fits && compared {
                found.push(me);
            }
        }
        Ok(found)
    }

    fn folded(fold: &str, mut values: Vec<i64>) -> Result<i64, Unknown> {
        values.sort_unstable();
        Ok(match fold {
            "sum" => return values.into_iter().try_fold(0_i64, i64::checked_add).ok_or(Unknown),
            "highest" => values.last().copied().unwrap_or(0),
            "lowest" => values.first().copied().unwrap_or(0),
            _ => values.get(values.len().saturating_sub(1) / 2).copied().unwrap_or(0),
        })
    }

    /// What an expression comes to.
    pub fn value(&self, expr: &E, names: &Names) -> Result<i64, Unknown> {
        let of = |part: &E| self.value(part, names);
        let truth = |holds: bool| Ok(i64::from(holds));
        let printed = |card: Card| self.printed(self.card(card, names));
        Ok(match expr {
            E::Number(number) => *number,
            E::Own(at) => self.own(names.me, OWN[*at], 0),
            E::Table(at) => self.table(TABLE[*at]),
            E::Round => i64::from(self.game.round()),
            E::Players => self.rules.players as i64,
            E::Seen(kind) => self.own(names.me, "seen", *kind),
            E::Owed(word) => self.own(names.me, "owed", *word),
            E::OwedOf => self.own(names.me, "owed", names.word),
            E::AmountOf => self.own(names.me, GIFTS[names.word], 0),
            E::Param => names.param,
            E::NumberOp(sign, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                let all = match *sign {
                    "+" => a.checked_add(b),
                    "-" => a.checked_sub(b),
                    "*" => a.checked_mul(b),
                    _ => (b != 0).then(|| (a as f64 / b as f64).floor() as i64).filter(|_| a.abs() < 1 << 40),
                };
                return all.ok_or(Unknown);
            }
            E::Min(a, b) => of(a)?.min(of(b)?),
            E::Max(a, b) => of(a)?.max(of(b)?),
            E::Less(a) => return of(a)?.checked_neg().ok_or(Unknown),
            E::If(condition, yes, no) => return of(if of(condition)? != 0 { yes } else { no }),
            E::Height(card) => printed(*card).map_or(0, |printed| printed.height),
            E::Bite(card) => printed(*card).map_or(0, |printed| printed.bite),
            E::Gift(card, word) => printed(*card).map_or(0, |printed| printed.gift[*word]),
            E::GiftOf(card) => printed(*card).map_or(0, |printed| printed.gift[names.word]),
            E::Hour(card, index) => {
                let index = usize::try_from(of(index)?).ok();
                printed(*card).and_then(|printed| printed.hours.get(index?).copied()).unwrap_or(0)
            }
            E::Hours(card) => printed(*card).map_or(0, |printed| printed.hours.len() as i64),
            E::FirstHours(card, count) => {
                let count = of(count)?.clamp(0, 99) as usize;
                printed(*card).map_or(0, |printed| printed.hours.iter().take(count).sum())
            }
            E::On(card, counter) => self.on_card(self.card(*card, names), ON_CARDS[*counter]),
            E::Row(card) | E::Column(card) => {
                let card = self.card(*card, names);
                let (grid, hexes) = (self.lying("market", 0), self.lying("heath", 0));
                let slot = grid.iter().chain(&hexes).find(|found| found.0 == card).map(|found| found.1);
                let wide = 3;
                let row = matches!(expr, E::Row(_));
                slot.map_or(0, |slot| if row { slot / wide } else { slot % wide } as i64 + 1)
            }
            E::Count(set) => self.cards(set, names)?.len() as i64,
            E::Over(fold, body, set) => {
                let values = self.cards(set, names)?.into_iter().map(|card| {
                    let mut inner = names.clone();
                    inner.cards.push(("card", card));
                    self.value(body, &inner)
                });
                return State::folded(fold, values.collect::<Result<_, _>>()?);
            }
            E::CountPlayers(players) => self.seats(players, names)?.len() as i64,
            E::OverPlayers(fold, body, players) => {
                let values = self.seats(players, names)?.into_iter().map(|me| self.value(body, &Names { me, ..names.clone() }));
                return State::folded(fold, values.collect::<Result<_, _>>()?);
            }
            E::Left(at) => {
                let order = self.game.position(self.rules).order();
                let place = order.iter().position(|&seat| seat == names.me).ok_or(Unknown)?;
                self.own(order[(place + 1) % order.len()], OWN[*at], 0)
            }
            E::Foreign(_) | E::ForeignOf(..) | E::ForeignTruth(_) => return Err(Unknown),
            E::Called(definition, card) => {
                let cards = vec![("one", self.card(*card, names))];
                return self.value(&self.definitions[*definition], &Names { cards, ..names.clone() });
            }
            E::Yes(yes) => i64::from(*yes),
            E::Compare(sign, a, b) => {
                let (a, b) = (of(a)?, of(b)?);
                return truth(match *sign {
                    "==" => a == b,
                    "!=" => a != b,
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    _ => a >= b,
                });
            }
            E::Within(a, low, high) => return truth((*low..=*high).contains(&of(a)?)),
            E::And(a, b) => return truth(of(a)? != 0 && of(b)? != 0),
            E::Or(a, b) => return truth(of(a)? != 0 || of(b)? != 0),
            E::Not(a) => i64::from(of(a)? == 0),
            E::Flag(at) => self.own(names.me, ["f", "g"][*at], 0),
            E::Night => self.table("night"),
            E::Held(word) => self.own(names.me, "held", 0) >> word & 1,
            E::IsKind(card, kind) => return truth(printed(*card).is_some_and(|printed| printed.kind == *kind)),
            E::InPlace(card, place) => {
                let (card, me) = (self.card(*card, names), names.me);
                return truth(match *place {
                    "market" => self.lies_in(card, "market", None),
                    "my play" => self.lies_in(card, "den", Some(me)) || self.lies_in(card, "lair", Some(me)),
                    place => self.lies_in(card, place.trim_start_matches("my "), Some(me)),
                });
            }
            E::LairIsThere => return truth(!self.lying("lair", names.me).is_empty()),
            E::NoLair => return truth(self.lying("lair", names.me).is_empty()),
            E::Any(set) => return truth(!self.cards(set, names)?.is_empty()),
            E::AnyPlayers(players) => return truth(!self.seats(players, names)?.is_empty()),
            E::Rank(rank, by) => {
                let all = (0..self.rules.players).map(|me| self.value(by, &Names { me, ..names.clone() }));
                let all = all.collect::<Result<Vec<i64>, Unknown>>()?;
                let mine = all[names.me];
                // One of the top, ties out; two of the bottom, ties in.
                return truth(match *rank {
                    "most" => all.iter().filter(|theirs| **theirs >= mine).count() <= 1,
                    _ => all.iter().filter(|theirs| **theirs < mine).count() < 2,
                });
            }
        })
    }
}

impl E {
    /// The expressions right below that stand for themselves: what is named in them is named here, too.
    pub fn below(&self) -> Vec<&E> {
        match self {
            E::NumberOp(_, a, b) | E::Min(a, b) | E::Max(a, b) | E::Compare(_, a, b) | E::And(a, b) | E::Or(a, b) => vec![a, b],
            E::If(a, b, c) => vec![a, b, c],
            E::Less(a) | E::Within(a, ..) | E::Not(a) | E::Rank(_, a) => vec![a],
            E::Hour(_, a) | E::FirstHours(_, a) => vec![a],
            E::OverPlayers(_, a, players) => [a].into_iter().chain(&players.filter).map(|part| &**part).collect(),
            E::CountPlayers(players) | E::AnyPlayers(players) => players.filter.iter().map(|part| &**part).collect(),
            _ => Vec::new(),
        }
    }

    /// Whether it is a condition.
    pub fn is_truth(&self) -> bool {
        matches!(
            self,
            E::Yes(_)
                | E::Compare(..)
                | E::Within(..)
                | E::And(..)
                | E::Or(..)
                | E::Not(_)
                | E::Flag(_)
                | E::Night
                | E::Held(_)
                | E::IsKind(..)
                | E::InPlace(..)
                | E::LairIsThere
                | E::NoLair
                | E::Any(_)
                | E::AnyPlayers(_)
                | E::Rank(..)
                | E::ForeignTruth(_)
        )
    }
}
