//! The one table of verbs: typed patterns with what they do and an example. The checker, the compiler and `houserule words` read it.
//!
//! In a pattern, lower-case words stand for themselves, `[ … ]` may be left out, and capitals are slots.

use std::sync::OnceLock;

/// What a slot takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// `NUMBER`
    Number,
    /// `EACH`: a number that may speak of `card`, one of the cards that follow.
    Each,
    /// `TRUTH`
    Truth,
    /// `VALUE`: anything.
    Value,
    /// `RESOURCE`
    Resource,
    /// `RESOURCES`: a list.
    Resources,
    /// `CARD`
    Card,
    /// `CARDS`
    Cards,
    /// `PLAYERS`
    Players,
    /// `PLACE`
    Place,
    /// `DECK`
    Deck,
    /// `NAME`
    Name,
    /// `MOMENT`
    Moment,
    /// `EFFECT`
    Effect,
    /// `BLOCK`
    Block,
    /// `LIST`: a printed list.
    List,
    /// `SET`: a set of a player.
    Set,
    /// `KEYS`: what an order goes by.
    Keys,
    /// `NAMED`: cards by their ids.
    Named,
    /// `TOKENS`: a kind, a sort or a face, and what they must show.
    Tokens,
    /// `POOL`
    Pool,
    /// `POOLS`: a list.
    Pools,
    /// `SYMBOL`: what a token can show.
    Symbol,
}

/// An element of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A word that stands for itself, or a comma.
    Word(&'static str),
    /// A slot.
    Slot(SlotKind),
    /// What may be left out.
    Maybe(Vec<Element>),
}

/// Which verb it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum VerbId {
    Gain,
    Lose,
    PayMix,
    Pay,
    AddBit,
    Draw,
    Fill,
    MoveRow,
    Remove,
    Put,
    PutNamed,
    PlaceInSlot,
    PlaceIn,
    Moment,
    Do,
    If,
    Unless,
    For,
    Repeat,
    EachPlayerChooses,
    EachPlayer,
    EachCard,
    AllPlayers,
    Choose,
    MayChoose,
    PickAny,
    OrderRandom,
    OrderBy,
    Acts,
    Write,
    TakeTokens,
    MoveTokens,
    MoveToken,
    LiftTokens,
    LiftToken,
    Roll,
    Spend,
    PickTokens,
    PickSome,
    ShownIn,
    Payable,
    NumberOf,
    Sum,
    Highest,
    Lowest,
    CountPlayers,
    CountCards,
    AnyPlayers,
    AnyCards,
    First,
    Row,
    Column,
    Amount,
    FirstRound,
    LastOf,
    Condition,
    Declaration,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Verb {
    /// Which.
    pub id: VerbId,
    /// Statement, expression or declaration.
    pub sort: &'static str,
    /// As it is written.
    pub pattern: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// An example.
    pub example: &'static str,
    /// The pattern, cut.
    pub elements: Vec<Element>,
}

macro_rules! rows {
    ($($sort:ident $id:ident $pattern:literal $doc:literal $example:literal;)*) => {
        vec![$(Verb { id: VerbId::$id, sort: stringify!($sort), pattern: $pattern, doc: $doc, example: $example, elements: cut($pattern) }),*]
    };
}

/// The table.
pub fn table() -> &'static [Verb] {
    static TABLE: OnceLock<Vec<Verb>> = OnceLock::new();
    TABLE.get_or_init(|| rows! {
        statement Gain "gain NUMBER RESOURCE" "the player gains so many" "gain 2 wisp";
        statement Lose "lose NUMBER RESOURCE [ for NAME ]" "a forced loss; what is missing goes to `when short`; a name lets cards replace it" "lose 3 wisp for storm";
        statement PayMix "pay NUMBER of RESOURCES in any mix" "the player pays a number of resources of its choice" "pay 2 of wisp, moss in any mix";
        statement Pay "pay NUMBER RESOURCE" "pays what the player has; guards must see to it that it can be paid" "pay 1 wisp";
        statement AddBit "add VALUE to SET" "puts a word into a set of the player" "add r to short";
        statement Draw "draw from DECK to PLACE [ for NAME ]" "the top card of a deck goes to a place; a name lets cards replace the draw" "draw from pile[2] to table";
        statement Fill "fill PLACE from DECK" "fills the gaps of a grid from a deck" "fill stall from pile[1]";
        statement MoveRow "move cards in PLACE row NUMBER to row NUMBER [ , packed left ]" "moves what lies in a row of a grid to another row" "move cards in stall row 3 to row 1, packed left";
        statement Remove "remove CARDS" "takes cards out of the game" "remove cards in stall rows 1, 2";
        statement Put "put LIST in PLACE" "takes the cards that a printed list names out of the box" "put home.first_cards in yard";
        statement PutNamed "put NAMED in PLACE" "takes copies of these cards out of the box" "put wall, gate in yard";
        statement PlaceInSlot "place CARD in its slot" "puts a card into the slot of its kind, over another of the player's choice when none is free" "place card in its slot";
        statement PlaceIn "place CARD in PLACE [ , or over one ]" "puts a card into a place; `or over one` lets it cover another although there is room" "place project in done, or over one";
        statement Moment "moment MOMENT" "cards hear it; the statement waits for them" "moment bought(card)";
        statement Do "do EFFECT" "carries out an effect of the rules" "do storm(2)";
        statement If "if TRUTH BLOCK [ else BLOCK ]" "one or the other" "if wisp > 2 { lose 1 wisp } else { gain 1 wisp }";
        statement Unless "unless TRUTH BLOCK" "only if it is not so" "unless passed { gain 1 wisp }";
        statement For "for NAME in RESOURCES BLOCK" "for each resource of a list" "for r in wisp, moss { gain 1 r }";
        statement Repeat "repeat NUMBER BLOCK" "so many times" "repeat 2 { do storm }";
        statement EachPlayerChooses "each player [ in reverse order ] chooses BLOCK" "one player after another chooses, seeing what the others did" "each player chooses { \"take wisp\" { gain 1 wisp } }";
        statement EachPlayer "each player [ in reverse order ] [ where TRUTH ] BLOCK" "one player after another" "each player { gain 1 wisp }";
        statement EachCard "each NAME in CARDS BLOCK" "for each card" "each card in my yard { card.hours = 0 }";
        statement AllPlayers "all players [ where TRUTH ] BLOCK" "all at once: each sees the others as they were; questions are put first, in reverse order" "all players { lose 1 wisp }";
        statement Choose "player chooses BLOCK" "a question; with one answer it is not asked" "player chooses { \"wisp\" { gain 1 wisp } \"moss\" { gain 1 moss } }";
        statement MayChoose "player may choose BLOCK" "a question with `nothing` among its answers" "player may choose { \"wisp\" { gain 1 wisp } }";
        statement PickAny "player picks any BLOCK" "a series of picks, ended by `done`" "player picks any { each card in my yard { remove card } }";
        statement OrderRandom "order at random" "a new order of players by chance" "order at random";
        statement OrderBy "order by KEYS" "a new order of players: more goes first; `order` is the present one" "order by height, then order";
        statement Acts "NAME acts" "the card carries out its own action" "card acts";
        statement Write "NAME = VALUE" "writes a counter; also `+=` and `-=`" "card.hours += 1";
        statement TakeTokens "take NUMBER TOKENS from POOL to POOL" "so many tokens, or all there are if there are fewer" "take 2 pebble from box to hand";
        statement MoveTokens "move all TOKENS from POOL to POOL" "all tokens of a pool go to another" "move all pebble from hand to box";
        statement MoveToken "move NAME to POOL" "the picked token goes to a pool" "move it to box";
        statement LiftTokens "lift all TOKENS in POOL" "takes dice up: they show nothing until they are rolled" "lift all die in hand";
        statement LiftToken "lift NAME" "takes the picked die up" "lift it";
        statement Roll "roll POOL" "rolls the dice of a pool that show nothing" "roll hand";
        statement Spend "spend NUMBER SYMBOL from POOL to POOL" "tokens that show so much go to another pool, none of them needless; the player is asked where payments differ in what is left" "spend 2 moss from hand to box";
        statement PickTokens "player picks any TOKENS in POOLS [ , at least NUMBER ] BLOCK" "a series of picks among tokens, ended by `done`; `it` is the picked one" "player picks any die in hand, at least 1 { lift it }";
        statement PickSome "player picks NUMBER TOKENS in POOLS BLOCK" "picks so many tokens, or all if there are fewer" "player picks 2 pebble in hand { move it to box }";
        expression ShownIn "shown SYMBOL in POOL" "how much of a symbol the tokens of a pool show" "shown moss in hand";
        expression Payable "payable SYMBOL from POOL" "how much of a symbol a pool can pay, with exchanges" "payable moss from hand";
        expression NumberOf "number of TOKENS in POOL" "how many tokens lie in a pool" "number of die in hand";
        expression Sum "sum EACH of CARDS" "adds up over cards" "sum card.height of my yard";
        expression Highest "highest EACH of CARDS" "the highest over cards, 0 without any" "highest card.height of my yard";
        expression Lowest "lowest EACH of CARDS" "the lowest over cards, 0 without any" "lowest card.height of my yard";
        expression CountPlayers "count PLAYERS" "how many players" "count other players with fewer wisp";
        expression CountCards "count CARDS" "how many cards, or how long a printed list is" "count my yard";
        expression AnyPlayers "any PLAYERS" "whether there is such a player" "any other players where passed";
        expression AnyCards "any CARDS" "whether there is such a card" "any my yard where card.height > 2";
        expression First "first NUMBER of LIST" "the sum of the first so many numbers of a printed list" "first card.hours of card.points";
        expression Row "row of CARD" "the row of a grid in which the card lies, from 1" "row of card";
        expression Column "column of CARD" "the column of a grid in which the card lies, from 1" "column of card";
        expression Amount "amount of RESOURCE" "how many of a resource the player has" "amount of r";
        expression FirstRound "first round" "whether this is the first round" "first round";
        expression LastOf "round is last of NAME" "whether a definition of the round is another one in the next round" "round is last of age";
        declaration Declaration "game NAME TEXT" "the game's name and title" "game wall \"The Wall\"";
        declaration Declaration "players NUMBER to NUMBER" "how many can play" "players 2 to 4";
        declaration Declaration "option NAME = A | B, default A [, for each player]" "a choice at set-up; also `any of A, B` and `1 to 4`" "option level = low | high, default low";
        declaration Declaration "constant NAME = VALUE" "a number or a word; `by players { 2: 4, else: 5 }` and `by OPTION { … }` make it depend" "constant rows = 3";
        declaration Declaration "define NAME = VALUE" "a named expression, with parameters perhaps" "define age = (round + 1) / 2";
        declaration Declaration "changeable NAME = NUMBER" "a quantity that cards may change" "changeable price(card) = row of card";
        declaration Declaration "stat NAME = NUMBER, at most NUMBER, ranked as NUMBER" "a quantity that people see and compare" "stat height = sum card.height of my yard";
        declaration Declaration "rank NAME x = top|bottom NUMBER by x, ties at the edge in|out" "who counts as most or least" "rank most x = top 1 by x, ties at the edge out";
        declaration Declaration "condition NAME = TRUTH" "a named condition; a quoted name may have several words" "condition \"most high\" = most height";
        declaration Declaration "table BLOCK" "decks, grids, places and counters of the table" "table { deck pile of hut }";
        declaration Declaration "player BLOCK" "resources, counters and places of a player" "player { resource wisp }";
        declaration Declaration "card BLOCK" "counters on cards" "card { counter hours }";
        declaration Declaration "kind NAME BLOCK" "a kind of card: its slot and its fields" "kind hut { slot yard; height: number }";
        declaration Declaration "zone NAME = PLACES" "a name for several places" "zone play = yard, done";
        declaration Declaration "hearing PLACES" "cards in these places hear moments and change quantities" "hearing play";
        declaration Declaration "effect NAME BLOCK" "what several cards and rules do" "effect storm(n) { lose n wisp }";
        declaration Declaration "when short of NAME in RESOURCES, missing NAME BLOCK" "what happens when a player must lose more than it has" "when short of r in wisp, missing n { lose n moss }";
        declaration Declaration "when card leaves PLACE BLOCK" "a native consequence of a card that leaves" "when card leaves yard { card.hours = 0 }";
        declaration Declaration "setup BLOCK" "what is done before the first round" "setup { order at random }";
        declaration Declaration "rounds NUMBER of PHASES" "how many rounds, and their phases" "rounds 8 of work, rest";
        declaration Declaration "phase NAME BLOCK" "steps, or turns with actions" "phase rest { step meal { all players { lose 1 wisp } } }";
        declaration Declaration "turns in order until all have FLAG, NUMBER each" "turns of a phase" "turns in order until all have passed, 1 each";
        declaration Declaration "action NAME CARDS BLOCK" "what can be done in a turn: `cost`, `needs NAME: TRUTH \"reason\"`, `does { … }`" "action pass { does { passed = yes } }";
        declaration Declaration "always BLOCK" "state-based checks" "always { check leaving { remove cards in play that say they leave } }";
        declaration Declaration "before first action BLOCK" "done when a player's first turn of a round begins" "before first action { roll hand }";
        declaration Declaration "symbols NAMES" "what tokens can show" "symbols moss, wisp";
        declaration Declaration "tokens NAME BLOCK" "a kind of token with its sorts: how many there are and what their faces show" "tokens die { grey 5: moss | 2 moss | wisp }";
        declaration Declaration "exchange NUMBER NAME as 1 SYMBOLS" "several tokens of a kind stand for one of some symbols" "exchange 2 die as 1 moss, wisp";
        declaration Declaration "pool NAME [, face down] [, full]" "where tokens lie; in `table` or `player`" "pool box, full";
        declaration Declaration "score BLOCK" "rows of points" "score { \"huts\" = count my yard }";
        declaration Declaration "wins highest score, then KEYS" "who wins, and how ties are broken" "wins highest score, then order";
        declaration Declaration "worth = NUMBER" "what a state is worth to a player, for agents; decimals are allowed" "worth = score + 0.5 * wisp";
    })
}

fn cut(pattern: &'static str) -> Vec<Element> {
    let mut stack: Vec<Vec<Element>> = vec![Vec::new()];
    for word in pattern.split(' ') {
        match word {
            "[" => stack.push(Vec::new()),
            "]" => {
                let inside = stack.pop().unwrap_or_default();
                if let Some(last) = stack.last_mut() {
                    last.push(Element::Maybe(inside));
                }
            }
            _ => {
                let element = slot(word).map_or(Element::Word(word), Element::Slot);
                if let Some(last) = stack.last_mut() {
                    last.push(element);
                }
            }
        }
    }
    stack.pop().unwrap_or_default()
}

fn slot(word: &str) -> Option<SlotKind> {
    Some(match word {
        "NUMBER" => SlotKind::Number,
        "EACH" => SlotKind::Each,
        "TRUTH" => SlotKind::Truth,
        "VALUE" => SlotKind::Value,
        "RESOURCE" => SlotKind::Resource,
        "RESOURCES" => SlotKind::Resources,
        "CARD" => SlotKind::Card,
        "CARDS" => SlotKind::Cards,
        "PLAYERS" => SlotKind::Players,
        "PLACE" => SlotKind::Place,
        "DECK" => SlotKind::Deck,
        "NAME" => SlotKind::Name,
        "MOMENT" => SlotKind::Moment,
        "EFFECT" => SlotKind::Effect,
        "BLOCK" => SlotKind::Block,
        "LIST" => SlotKind::List,
        "SET" => SlotKind::Set,
        "KEYS" => SlotKind::Keys,
        "NAMED" => SlotKind::Named,
        "TOKENS" => SlotKind::Tokens,
        "POOL" => SlotKind::Pool,
        "POOLS" => SlotKind::Pools,
        "SYMBOL" => SlotKind::Symbol,
        _ => return None,
    })
}
