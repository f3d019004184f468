//! The Dice Game written straight in Rust: plain arrays, no rules text, no names while it runs. A yardstick for the interpreter.
//!
//! It asks the same questions in the same order, with the same keys, and chance falls alike: seed for seed the same game.
//! A question within an effect is a [`Task`] with what has been answered so far beside it; nothing is run again.

use houserule::state::chance::{below, draw, hash_text, join};

/// Most players.
pub const SEATS: usize = 4;
/// How many classes of tokens there are.
pub const CLASSES: usize = 30;
/// How many tiles there are, with the five printed on each board.
pub const TILES: usize = 65;
/// How many tiles are in the deck of an age.
const OF_AGE: usize = 15;
/// First of the tiles printed on the boards.
const START: usize = 60;
/// No tile.
pub const NONE: u8 = u8::MAX;

/// What tokens of each class are called: of a die first the one that shows nothing, then its faces.
pub const NAMES: [&str; CLASSES] = [
    "white",
    "white:food",
    "white:gold",
    "white:stone",
    "white:sword",
    "white:book",
    "blue",
    "blue:book3",
    "blue:book2",
    "blue:book_stone",
    "blue:stone2",
    "blue:stone3",
    "orange",
    "orange:gold3",
    "orange:gold2",
    "orange:gold_stone",
    "orange:food2",
    "orange:stone2",
    "red",
    "red:sword3",
    "red:sword2",
    "red:sword_gold",
    "red:food2",
    "red:stone2",
    "reroll",
    "gold",
    "food",
    "sword",
    "book",
    "stone",
];

/// Classes of each sort of die.
const SORT: usize = 6;
/// Sorts of dice.
const DICE: usize = 4;
/// First class of a chit, which is the reroll.
const CHIT: usize = SORT * DICE;
const REROLL: usize = CHIT;
const GOLD_CHIT: usize = 25;
const BOOK_CHIT: usize = 28;
/// Class within the sort of each of the six faces.
const FACES: [[u8; 6]; DICE] = [[1, 1, 2, 3, 4, 5], [1, 2, 2, 3, 4, 5], [1, 2, 2, 3, 4, 5], [1, 2, 2, 3, 4, 5]];

const GOLD: usize = 0;
const STONE: usize = 1;
const SWORD: usize = 2;
const FOOD: usize = 3;
const BOOK: usize = 4;
/// How often each class shows each symbol.
const SHOWS: [[u8; 32]; 5] = [
    shows(&[(2, 1), (13, 3), (14, 2), (15, 1), (21, 1), (25, 1)]),
    shows(&[(3, 1), (9, 1), (10, 2), (11, 3), (15, 1), (17, 2), (23, 2), (29, 1)]),
    shows(&[(4, 1), (19, 3), (20, 2), (21, 1), (27, 1)]),
    shows(&[(1, 1), (16, 2), (22, 2), (26, 1)]),
    shows(&[(5, 1), (7, 3), (8, 2), (9, 1), (28, 1)]),
];
/// Dice that can stand for a symbol, two for one: 1 where the class is a die that does not show it.
const IDLE: [[u8; 32]; 5] = [idle(GOLD), idle(STONE), idle(SWORD), [0; 32], [0; 32]];

const fn shows(list: &[(usize, u8)]) -> [u8; 32] {
    let mut all = [0; 32];
    let mut i = 0;
    while i < list.len() {
        all[list[i].0] = list[i].1;
        i += 1;
    }
    all
}

const fn idle(symbol: usize) -> [u8; 32] {
    let mut all = [0; 32];
    let mut class = 0;
    while class < CHIT {
        all[class] = (SHOWS[symbol][class] == 0) as u8;
        class += 1;
    }
    all
}

/// What is printed on a tile.
#[derive(Clone, Copy)]
pub struct Tile {
    /// Its id.
    pub id: &'static str,
    kind: Kind,
    stone: u8,
    /// Dice of each sort, and chits of each sort; an advisor's rerolls are chits.
    dice: [u8; DICE],
    chits: [u8; 6],
    vp: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Building,
    Advisor,
    Colony,
    Wonder,
}

const fn building(id: &'static str, dice: [u8; DICE], vp: u8) -> Tile {
    Tile { id, kind: Kind::Building, stone: 0, dice, chits: [0; 6], vp }
}

const fn advisor(id: &'static str, rerolls: u8, vp: u8) -> Tile {
    Tile { id, kind: Kind::Advisor, stone: 0, dice: [0; DICE], chits: [rerolls, 0, 0, 0, 0, 0], vp }
}

const fn colony(id: &'static str, chits: [u8; 6], vp: u8) -> Tile {
    Tile { id, kind: Kind::Colony, stone: 0, dice: [0; DICE], chits, vp }
}

const fn wonder(id: &'static str, stone: u8, chits: [u8; 6], vp: u8) -> Tile {
    Tile { id, kind: Kind::Wonder, stone, dice: [0; DICE], chits, vp }
}

/// What is printed on an event.
#[derive(Clone, Copy)]
pub struct Event {
    /// Its id.
    pub id: &'static str,
    famine: u8,
    war: u8,
}

const fn event(id: &'static str, famine: u8, war: u8) -> Event {
    Event { id, famine, war }
}

/// The tiles: of each age in turn, then those on the boards.
pub const TABLE: [Tile; TILES] = [
    building("tablet_house", [0, 1, 0, 0], 2),
    building("brickyard", [1, 1, 0, 0], 0),
    building("bazaar", [0, 0, 1, 0], 0),
    building("mint", [0, 0, 1, 0], 1),
    building("barracks", [1, 0, 0, 1], 0),
    building("granary", [2, 0, 0, 0], 1),
    advisor("hammurabi", 2, 0),
    advisor("pericles", 1, 1),
    advisor("ashoka", 3, 0),
    colony("massalia", [0, 1, 0, 0, 0, 0], 0),
    colony("cyrene", [0, 0, 1, 0, 0, 0], 0),
    colony("sardinia", [0, 0, 0, 0, 0, 1], 0),
    wonder("temple_of_artemis", 2, [0, 1, 0, 0, 0, 0], 1),
    wonder("colossus_of_rhodes", 2, [0, 0, 0, 1, 0, 0], 0),
    wonder("library_of_alexandria", 2, [0, 0, 0, 0, 1, 0], 0),
    building("scriptorium", [1, 1, 0, 0], 1),
    building("cloister", [1, 0, 0, 0], 3),
    building("guildhall", [0, 0, 1, 0], 2),
    building("counting_house", [1, 0, 1, 0], 0),
    building("castle", [0, 0, 0, 1], 2),
    building("armoury", [1, 0, 0, 1], 1),
    advisor("charlemagne", 4, 0),
    advisor("eleanor_of_aquitaine", 2, 1),
    advisor("ibn_sina", 1, 2),
    colony("caffa", [1, 1, 0, 0, 0, 0], 0),
    colony("cyprus", [0, 0, 0, 0, 0, 1], 1),
    colony("iceland", [1, 0, 1, 0, 0, 0], 0),
    wonder("great_zimbabwe", 2, [0, 1, 0, 0, 0, 0], 2),
    wonder("hagia_sophia", 2, [0, 0, 0, 0, 1, 0], 2),
    wonder("angkor_wat", 2, [0, 0, 1, 0, 0, 0], 3),
    building("learned_academy", [0, 1, 0, 0], 3),
    building("printing_house", [0, 2, 0, 0], 2),
    building("coffee_house", [1, 0, 1, 0], 1),
    building("stock_exchange", [0, 0, 2, 0], 1),
    building("star_fort", [2, 0, 0, 1], 0),
    building("arsenal", [0, 1, 0, 1], 0),
    advisor("leonardo_da_vinci", 3, 1),
    advisor("akbar", 2, 2),
    advisor("catherine_the_great", 1, 3),
    colony("batavia", [0, 1, 0, 0, 0, 0], 1),
    colony("virginia", [1, 0, 0, 0, 0, 1], 0),
    colony("goa", [0, 0, 0, 1, 0, 0], 0),
    wonder("himeji_castle", 2, [0, 0, 0, 1, 0, 0], 1),
    wonder("saint_peters_basilica", 3, [0, 0, 0, 0, 1, 0], 3),
    wonder("forbidden_city", 3, [2, 0, 0, 0, 0, 0], 3),
    building("laboratory", [1, 1, 0, 0], 2),
    building("department_store", [1, 0, 1, 0], 2),
    building("naval_base", [0, 0, 0, 1], 3),
    building("polytechnic", [1, 1, 1, 0], 1),
    building("steelworks", [1, 0, 0, 2], 1),
    building("national_museum", [1, 0, 0, 0], 4),
    advisor("otto_von_bismarck", 3, 2),
    advisor("marie_curie", 2, 3),
    advisor("abraham_lincoln", 1, 4),
    colony("singapore", [0, 1, 0, 0, 0, 0], 2),
    colony("hong_kong", [1, 1, 0, 0, 0, 0], 1),
    colony("queensland", [0, 0, 0, 0, 0, 0], 3),
    wonder("crystal_palace", 3, [1, 1, 0, 0, 0, 0], 3),
    wonder("eiffel_tower", 3, [0, 0, 0, 0, 0, 0], 4),
    wonder("panama_canal", 4, [0, 0, 0, 0, 0, 0], 5),
    building("start_temple", [1, 0, 0, 0], 0),
    building("start_quarry", [1, 0, 0, 0], 0),
    building("start_axeman", [1, 0, 0, 0], 0),
    building("start_farm", [1, 0, 0, 0], 0),
    building("start_caravan", [1, 0, 0, 0], 0),
];

/// The events, three for each age.
pub const EVENTS: [Event; 12] = [
    event("ionian_revolt", 1, 1),
    event("failed_nile_flood", 2, 1),
    event("march_of_xerxes", 1, 2),
    event("peasants_revolt", 2, 2),
    event("great_famine", 3, 2),
    event("mongol_invasion", 2, 3),
    event("swedish_deluge", 3, 3),
    event("tenmei_famine", 4, 2),
    event("thirty_years_war", 2, 4),
    event("year_of_revolutions", 4, 4),
    event("potato_blight", 5, 3),
    event("great_war", 3, 5),
];

const CHOOSE: u64 = hash_text("choose");
const SPEND: u64 = join(CHOOSE, hash_text("spend"));
const NOTHING: u64 = join(CHOOSE, hash_text("nothing"));
const DONE: u64 = hash_text("done");
const DO_REROLL: u64 = hash_text("reroll");
const DO_BUILD: u64 = hash_text("build");
const DO_PASS: u64 = hash_text("pass");
const ROLL: u64 = hash_text("roll");
const ORDER: u64 = hash_text("order");
/// `choose TOKEN`, alone and with the pool before it.
static PICK: [u64; CLASSES] = of_classes(CHOOSE);
static PICK_UNUSED: [u64; CLASSES] = of_classes(join(CHOOSE, hash_text("unused")));
static PICK_USED: [u64; CLASSES] = of_classes(join(CHOOSE, hash_text("used")));
/// `buy TILE` and `choose TILE`.
static BUY: [u64; TILES] = of_tiles(hash_text("buy"));
static OVER: [u64; TILES] = of_tiles(CHOOSE);
/// The streams by which decks are ordered.
static TILE_STREAMS: [u64; START] = tile_streams();
static EVENT_STREAMS: [u64; 12] = event_streams();

const fn of_classes(key: u64) -> [u64; CLASSES] {
    let mut all = [0; CLASSES];
    let mut i = 0;
    while i < CLASSES {
        all[i] = join(key, hash_text(NAMES[i]));
        i += 1;
    }
    all
}

const fn of_tiles(key: u64) -> [u64; TILES] {
    let mut all = [0; TILES];
    let mut i = 0;
    while i < TILES {
        all[i] = join(key, hash_text(TABLE[i].id));
        i += 1;
    }
    all
}

const fn tile_streams() -> [u64; START] {
    let mut all = [0; START];
    let mut i = 0;
    while i < START {
        all[i] = join(join(hash_text("tiles"), (i / OF_AGE + 1) as u64), hash_text(TABLE[i].id));
        i += 1;
    }
    all
}

const fn event_streams() -> [u64; 12] {
    let mut all = [0; 12];
    let mut i = 0;
    while i < 12 {
        all[i] = join(join(hash_text("events"), (i / 3 + 1) as u64), hash_text(EVENTS[i].id));
        i += 1;
    }
    all
}

/// Tokens by class.
pub type Tokens = [u8; 32];

fn weighed(tokens: &Tokens, by: &Tokens) -> u32 {
    tokens.iter().zip(by).map(|(&n, &value)| n as u32 * value as u32).sum()
}

/// How much of a symbol tokens can pay.
fn payable(tokens: &Tokens, symbol: usize) -> u32 {
    weighed(tokens, &SHOWS[symbol]) + weighed(tokens, &IDLE[symbol]) / 2
}

/// What belongs to a seat.
#[derive(Clone, Copy)]
pub struct Seat {
    /// Points gained in play.
    pub vp: u8,
    /// Books on the track.
    pub book: u8,
    /// Whether it has passed in this round.
    pub passed: bool,
    begun: bool,
    rolled: u64,
    /// Tokens that can be used.
    pub unused: Tokens,
    /// Tokens that were used.
    pub used: Tokens,
    /// Tiles that are buildings.
    pub buildings: [u8; 5],
    /// The advisor, or [`NONE`].
    pub advisor: u8,
    /// The wonder under construction, or [`NONE`].
    pub construction: u8,
    /// Colonies, as a bit set of tiles.
    pub colonies: u64,
    /// Wonders built, as a bit set of tiles.
    pub wonders: u64,
}

const SEAT: Seat = Seat {
    vp: 0,
    book: 0,
    passed: false,
    begun: false,
    rolled: 0,
    unused: [0; 32],
    used: [0; 32],
    buildings: [START as u8, START as u8 + 1, START as u8 + 2, START as u8 + 3, START as u8 + 4],
    advisor: NONE,
    construction: NONE,
    colonies: 0,
    wonders: 0,
};

/// What comes next, or what is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// A round begins.
    Round,
    /// Whose turn it is, and what it does.
    Turn,
    /// The next token of a payment.
    Pay,
    /// Which building the new one replaces.
    Over,
    /// Which token of what is replaced goes back.
    Back,
    /// Which die is rolled again.
    Again,
    /// Which die with books is spent.
    Books,
    /// Whether food is spent.
    Famine,
    /// Whether swords are spent.
    War,
    /// The game is over.
    End,
}

/// What is paid for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    Tile,
    Build,
    Famine,
    War,
}

/// A class of tokens that can help to pay.
#[derive(Clone, Copy)]
struct Payer {
    class: u8,
    value: u8,
    there: u8,
    chosen: u8,
}

/// Faces show up to this many of a symbol.
const MOST_SHOWN: usize = 3;

/// A payment in the making: classes in turn, each token of one before the next class.
#[derive(Clone, Copy)]
struct Payment {
    goal: Goal,
    payers: [Payer; CLASSES],
    count: usize,
    at: usize,
    price: u32,
    largest: u32,
    /// What is chosen shows so much; the smallest value among it; so many stand in.
    shown: u32,
    smallest: u32,
    idle: u32,
    /// Sums, as bit sets, that all classes from each on can show whose value is more than what is paid too much.
    sums: [[u16; MOST_SHOWN]; CLASSES + 1],
    /// How many tokens of the classes from each on can stand in.
    rest: [u32; CLASSES + 1],
}

const NO_PAYMENT: Payment = Payment {
    goal: Goal::Tile,
    payers: [Payer { class: 0, value: 0, there: 0, chosen: 0 }; CLASSES],
    count: 0,
    at: 0,
    price: 0,
    largest: 1,
    shown: 0,
    smallest: u32::MAX,
    idle: 0,
    sums: [[1; MOST_SHOWN]; CLASSES + 1],
    rest: [0; CLASSES + 1],
};

fn with_more(mut sums: u16, value: u8, times: u32) -> u16 {
    for _ in 0..times {
        sums |= sums << value;
    }
    sums
}

impl Payment {
    fn begin(&mut self, tokens: &Tokens, symbol: usize, price: u32, goal: Goal) {
        (self.goal, self.count, self.at, self.price) = (goal, 0, 0, price);
        (self.largest, self.shown, self.smallest, self.idle) = (1, 0, u32::MAX, 0);
        for (class, &there) in tokens[..CLASSES].iter().enumerate() {
            let value = SHOWS[symbol][class];
            if there > 0 && value + IDLE[symbol][class] > 0 {
                self.payers[self.count] = Payer { class: class as u8, value, there, chosen: 0 };
                self.count += 1;
                self.largest = self.largest.max(value as u32);
            }
        }
        self.sums[self.count] = [1; MOST_SHOWN];
        self.rest[self.count] = 0;
        for at in (0..self.count).rev() {
            let Payer { value, there, .. } = self.payers[at];
            self.rest[at] = self.rest[at + 1] + if value == 0 { there as u32 } else { 0 };
            for beyond in 0..MOST_SHOWN {
                let times = if value as usize > beyond { (there as u32).min(price + beyond as u32) } else { 0 };
                self.sums[at][beyond] = with_more(self.sums[at + 1][beyond], value, times);
            }
        }
    }

    fn complete(&self) -> bool {
        self.idle.is_multiple_of(2) && self.shown + self.idle / 2 >= self.price
    }

    fn pick(&mut self, at: usize) {
        self.at = at;
        self.payers[at].chosen += 1;
        match self.payers[at].value as u32 {
            0 => self.idle += 1,
            value => {
                self.shown += value;
                self.smallest = self.smallest.min(value);
            }
        }
    }

    /// Whether a token of this class can be the next of a payment from which none could be left out.
    fn leads_on(&self, at: usize) -> bool {
        let Payer { value, there, chosen, .. } = self.payers[at];
        if chosen == there {
            return false;
        }
        let left = (there - chosen) as u32 - 1;
        let (shown, idle) = (self.shown + value as u32, self.idle + (value == 0) as u32);
        let smallest = if value == 0 { self.smallest } else { self.smallest.min(value as u32) };
        let too_much = if idle > 0 { 1 } else { self.largest.min(smallest) };
        (0..too_much).any(|beyond| {
            let Some(need) = (self.price + beyond).checked_sub(shown) else { return false };
            let sums = self.sums[at + 1][beyond as usize];
            let sums = if value as u32 > beyond { with_more(sums, value, left.min(need)) } else { sums };
            if beyond > 0 {
                return sums >> need & 1 == 1;
            }
            let rest = self.rest[at + 1] + if value == 0 { left } else { 0 };
            let (fewest, most) = (idle.div_ceil(2), ((idle + rest) / 2).min(need));
            fewest <= most && sums >> (need - most) & ((1 << (most - fewest + 1)) - 1) != 0
        })
    }
}

/// Most options of a question.
const OPTIONS: usize = 32;
/// Codes of options that are neither a slot of the market nor a token.
const CODE_REROLL: u8 = 100;
const CODE_BUILD: u8 = 101;
const CODE_PASS: u8 = 102;
const CODE_SPEND: u8 = 103;
const CODE_DONE: u8 = 104;

/// A game in progress. Without keys it has no hashes of its options: what nobody needs who plays by hand.
#[derive(Clone, Copy)]
pub struct Twin<const KEYS: bool> {
    seed: u64,
    players: usize,
    /// The round, from 1.
    pub round: usize,
    /// Seats in turn order.
    pub order: [u8; SEATS],
    /// What belongs to each seat.
    pub seats: [Seat; SEATS],
    /// Tokens of nobody.
    pub supply: Tokens,
    /// Tiles in the market, row by row, or [`NONE`].
    pub market: [u8; 12],
    /// The event of the round.
    pub event: u8,
    /// Alone: the rival's fours are rolled again. To be set before a game begins.
    pub harder: bool,
    /// Alone: the rival's books.
    pub rival_book: u32,
    rolled: u64,
    task: Task,
    place: usize,
    asked: usize,
    keys: [u64; OPTIONS],
    codes: [u8; OPTIONS],
    count: usize,
    payment: Payment,
    slot: usize,
    over: usize,
    /// How many dice of each sort and rerolls have to go back still.
    back: [u8; DICE + 1],
    sort: usize,
    from: usize,
    picked: u8,
}

impl<const KEYS: bool> Twin<KEYS> {
    /// A new game, up to its first question.
    pub fn new(players: usize, seed: u64) -> Twin<KEYS> {
        let mut twin = Twin {
            seed,
            players,
            round: 0,
            order: [0; SEATS],
            seats: [SEAT; SEATS],
            supply: [0; 32],
            market: [NONE; 12],
            event: NONE,
            harder: false,
            rival_book: 0,
            rolled: 0,
            task: Task::Round,
            place: 0,
            asked: 0,
            keys: [0; OPTIONS],
            codes: [0; OPTIONS],
            count: 0,
            payment: NO_PAYMENT,
            slot: 0,
            over: 0,
            back: [0; DICE + 1],
            sort: 0,
            from: 0,
            picked: 0,
        };
        twin.restart(seed);
        twin
    }

    /// Begins a new game in the memory of this one.
    pub fn restart(&mut self, seed: u64) {
        let players = self.players;
        self.seed = seed;
        self.round = 0;
        self.rival_book = (players == 1) as u32;
        self.task = Task::Round;
        self.supply = [0; 32];
        for (class, n) in [(0, 20), (6, 8), (12, 8), (18, 8), (24, 12), (25, 9), (26, 3), (27, 3), (28, 3), (29, 3)] {
            self.supply[class] = n;
        }
        let mut drawn = [(0, 0); SEATS];
        for (seat, drawn) in drawn[..players].iter_mut().enumerate() {
            *drawn = (draw(seed, ORDER, seat as u64), seat as u8);
        }
        drawn[..players].sort_unstable();
        for (place, &(_, number)) in drawn[..players].iter().enumerate() {
            self.order[place] = number;
            let seat = &mut self.seats[number as usize];
            *seat = SEAT;
            seat.book = if players == 2 && place == 1 { 3 } else { place as u8 + 1 };
            for (class, n) in [(0, 5), (GOLD_CHIT, 1), (REROLL, 1)] {
                seat.unused[class] = n;
                self.supply[class] -= n;
            }
        }
        self.run();
    }

    /// Who is asked, and the keys of the answers; `None` when the game is over.
    pub fn decision(&self) -> Option<(usize, &[u64])> {
        if self.finished() { None } else { Some((self.asked, &self.keys[..self.count])) }
    }

    /// Answers the open question and runs to the next.
    pub fn answer(&mut self, option: usize) {
        self.take(self.codes[option]);
        self.run();
    }

    /// The points of a seat.
    pub fn score(&self, seat: usize) -> i64 {
        let seat = &self.seats[seat];
        let mut score = seat.vp as i64;
        for &tile in seat.buildings.iter().chain([&seat.advisor]).filter(|&&tile| tile != NONE) {
            score += TABLE[tile as usize].vp as i64;
        }
        let mut set = seat.colonies | seat.wonders;
        while set != 0 {
            score += TABLE[set.trailing_zeros() as usize].vp as i64;
            set &= set - 1;
        }
        score
    }

    /// Whether the game is over.
    pub fn finished(&self) -> bool {
        self.task == Task::End
    }

    /// Runs to the next question with a choice; a turn is asked even without.
    fn run(&mut self) {
        loop {
            self.count = 0;
            match self.task {
                Task::Round => self.begin_round(),
                Task::Turn => self.turn(),
                Task::Pay => self.pay(),
                Task::Over => self.which_building(),
                Task::Back => self.goes_back(),
                Task::Again => self.which_die(),
                Task::Books => self.which_books(),
                Task::Famine => self.whether(FOOD),
                Task::War => self.whether(SWORD),
                Task::End => return,
            }
            match self.count {
                0 => {}
                1 if self.task != Task::Turn => self.take(self.codes[0]),
                _ => return,
            }
        }
    }

    fn take(&mut self, code: u8) {
        match self.task {
            Task::Turn => self.act(code),
            Task::Pay => {
                let payment = &mut self.payment;
                let payers = &payment.payers[payment.at..payment.count];
                let at = payment.at + payers.iter().position(|p| p.class == code).unwrap_or(0);
                payment.pick(at);
                if self.payment.complete() {
                    self.paid();
                }
            }
            Task::Over => {
                self.over = code as usize;
                let old = self.seats[self.asked].buildings[self.over];
                self.back = [0; DICE + 1];
                self.back[..DICE].copy_from_slice(&TABLE[old as usize].dice);
                self.begin_back();
            }
            Task::Back => {
                let seat = &mut self.seats[self.asked];
                let class = code as usize & 31;
                let pool = if code < 32 { &mut seat.unused } else { &mut seat.used };
                pool[class] -= 1;
                self.supply[if class < CHIT { class - class % SORT } else { class }] += 1;
                self.back[self.sort] -= 1;
                self.from = if code < 32 { class } else { CLASSES };
            }
            Task::Again if code == CODE_DONE => self.rolled_again(),
            Task::Again => {
                let class = code as usize;
                let unused = &mut self.seats[self.asked].unused;
                unused[class] -= 1;
                unused[class - class % SORT] += 1;
                self.from = class;
                self.picked += 1;
            }
            Task::Books if code == CODE_DONE => self.next_books(),
            Task::Books => {
                let class = code as usize;
                let seat = &mut self.seats[self.asked];
                seat.unused[class] -= 1;
                seat.used[class - class % SORT] += 1;
                seat.book += SHOWS[BOOK][class];
                self.from = class;
            }
            Task::Famine | Task::War if code != CODE_SPEND => self.place += 1,
            Task::Famine => self.begin_payment(FOOD, EVENTS[self.event as usize].famine as u32, Goal::Famine),
            Task::War => self.begin_payment(SWORD, EVENTS[self.event as usize].war as u32, Goal::War),
            Task::Round | Task::End => {}
        }
    }

    #[inline(always)]
    fn offer(&mut self, key: u64, code: u8) {
        if KEYS {
            self.keys[self.count] = key;
        }
        self.codes[self.count] = code;
        self.count += 1;
    }

    fn columns(&self) -> usize {
        if self.players == 4 { 4 } else { 3 }
    }

    fn begin_round(&mut self) {
        self.round += 1;
        self.rolled = 0;
        let columns = self.columns();
        let first = (self.round - 1) * OF_AGE;
        let mut drawn = [(0, 0); OF_AGE];
        for (i, drawn) in drawn.iter_mut().enumerate() {
            *drawn = (draw(self.seed, TILE_STREAMS[first + i], 0), (first + i) as u8);
        }
        drawn.sort_unstable();
        for (slot, drawn) in self.market[..3 * columns].iter_mut().zip(drawn.iter().rev()) {
            *slot = drawn.1;
        }
        let first = (self.round - 1) * 3;
        self.event = (first..first + 3).max_by_key(|&i| draw(self.seed, EVENT_STREAMS[i], 0)).unwrap_or(first) as u8;
        if self.players == 1 {
            self.rival_rolls();
        }
        for seat in &mut self.seats[..self.players] {
            for (unused, used) in seat.unused.iter_mut().zip(&mut seat.used) {
                *unused += std::mem::take(used);
            }
            seat.passed = false;
            seat.begun = false;
            seat.rolled = 0;
        }
        self.place = 0;
        self.task = Task::Turn;
    }

    fn next_chance(&mut self, faces: u32) -> u32 {
        let stream = join(join(ROLL, u8::MAX as u64), self.round as u64);
        self.rolled += 1;
        below(draw(self.seed, stream, self.rolled - 1), faces)
    }

    /// Alone: the rival rolls as many blue dice as the round says, and keeps the books.
    fn rival_rolls(&mut self) {
        const BLUE: usize = SORT;
        let mut left = self.round as u8;
        let mut count = 0;
        for there in &mut self.supply[BLUE..BLUE + SORT] {
            let n = left.min(*there);
            *there -= n;
            left -= n;
            count += n;
        }
        let shown = self.roll_blue(count);
        for (n, books) in shown.into_iter().zip(&SHOWS[BOOK][BLUE..]) {
            self.rival_book += n as u32 * *books as u32;
        }
        self.supply[BLUE] += count;
    }

    /// Rolls blue dice of the rival, and counts them by the class that they show.
    fn roll_blue(&mut self, count: u8) -> [u8; SORT] {
        let mut shown = [0; SORT];
        for _ in 0..count {
            let face = self.next_chance(6) as usize;
            shown[FACES[1][face] as usize] += 1;
        }
        shown
    }

    /// Alone: after an action the lowest tile of a column goes.
    fn rival_takes(&mut self) {
        // A four that is rolled again until it is none is a die of three sides.
        let column = self.next_chance(if self.harder { 3 } else { 4 }) as usize;
        if column < 3
            && let Some(slot) = [column, column + 3, column + 6].into_iter().find(|&slot| self.market[slot] != NONE)
        {
            self.market[slot] = NONE;
        }
    }

    /// Rolls a seat's dice that show nothing.
    fn roll(&mut self, seat: usize) {
        let stream = join(join(ROLL, seat as u64), self.round as u64);
        let chance = join(self.seed, stream);
        let seat = &mut self.seats[seat];
        for (sort, faces) in FACES.iter().enumerate() {
            for _ in 0..std::mem::take(&mut seat.unused[sort * SORT]) {
                let face = below(join(chance, seat.rolled), 6);
                seat.rolled += 1;
                seat.unused[sort * SORT + faces[face as usize] as usize] += 1;
            }
        }
    }

    fn turn(&mut self) {
        let waiting =
            (0..self.players).map(|i| (self.place + i) % self.players).find(|&place| !self.seats[self.order[place] as usize].passed);
        let Some(place) = waiting else {
            self.place = 0;
            self.begin_books();
            return;
        };
        self.place = place;
        self.asked = self.order[place] as usize;
        let seat = &mut self.seats[self.asked];
        if !seat.begun {
            seat.begun = true;
            for sort in seat.unused[..CHIT].chunks_exact_mut(SORT) {
                sort[0] = sort.iter().sum();
                sort[1..].fill(0);
            }
            self.roll(self.asked);
        }
        let seat = &self.seats[self.asked];
        let (construction, unused) = (seat.construction, &seat.unused);
        let (gold, swords) = (payable(unused, GOLD), payable(unused, SWORD));
        let dice = unused[..CHIT].iter().any(|&n| n > 0);
        let builds = construction != NONE && payable(unused, STONE) >= TABLE[construction as usize].stone as u32;
        if unused[REROLL] > 0 && dice {
            self.offer(DO_REROLL, CODE_REROLL);
        }
        let columns = self.columns();
        for row in 0..3 {
            for slot in row * columns..(row + 1) * columns {
                let tile = self.market[slot];
                if tile != NONE {
                    let have = if TABLE[tile as usize].kind == Kind::Colony { swords } else { gold };
                    if have > row as u32 {
                        self.offer(BUY[tile as usize], slot as u8);
                    }
                }
            }
        }
        if builds {
            self.offer(DO_BUILD, CODE_BUILD);
        }
        self.offer(DO_PASS, CODE_PASS);
    }

    fn act(&mut self, code: u8) {
        let seat = &mut self.seats[self.asked];
        match code {
            CODE_REROLL => {
                seat.unused[REROLL] -= 1;
                seat.used[REROLL] += 1;
                self.from = 0;
                self.picked = 0;
                self.task = Task::Again;
            }
            CODE_BUILD => {
                let price = TABLE[seat.construction as usize].stone as u32;
                self.begin_payment(STONE, price, Goal::Build);
            }
            CODE_PASS => {
                seat.passed = true;
                self.place += 1;
            }
            slot => {
                self.slot = slot as usize;
                let kind = TABLE[self.market[self.slot] as usize].kind;
                let price = (self.slot / self.columns()) as u32 + 1;
                self.begin_payment(if kind == Kind::Colony { SWORD } else { GOLD }, price, Goal::Tile);
            }
        }
    }

    /// An action has ended.
    fn acted(&mut self) {
        if self.players == 1 {
            self.rival_takes();
        }
        self.place += 1;
        self.task = Task::Turn;
    }

    fn begin_payment(&mut self, symbol: usize, price: u32, goal: Goal) {
        self.payment.begin(&self.seats[self.asked].unused, symbol, price, goal);
        self.task = Task::Pay;
    }

    fn pay(&mut self) {
        for at in self.payment.at..self.payment.count {
            if self.payment.leads_on(at) {
                let class = self.payment.payers[at].class;
                self.offer(PICK[class as usize], class);
            }
        }
    }

    fn paid(&mut self) {
        let seat = &mut self.seats[self.asked];
        for payer in &self.payment.payers[..self.payment.count] {
            let class = payer.class as usize;
            seat.unused[class] -= payer.chosen;
            seat.used[if class < CHIT { class - class % SORT } else { class }] += payer.chosen;
        }
        match self.payment.goal {
            Goal::Tile => self.bought(),
            Goal::Build => {
                let tile = std::mem::replace(&mut seat.construction, NONE);
                seat.wonders |= 1 << tile;
                self.take_chits(tile);
                self.acted();
            }
            Goal::Famine | Goal::War => {
                seat.vp += self.round as u8;
                self.place += 1;
                self.task = if self.payment.goal == Goal::Famine { Task::Famine } else { Task::War };
            }
        }
    }

    fn bought(&mut self) {
        let tile = self.market[self.slot];
        let seat = &mut self.seats[self.asked];
        match TABLE[tile as usize].kind {
            Kind::Building => self.task = Task::Over,
            Kind::Advisor => {
                self.back = [0; DICE + 1];
                if seat.advisor != NONE {
                    self.back[DICE] = TABLE[seat.advisor as usize].chits[0];
                }
                self.begin_back();
            }
            Kind::Colony => {
                seat.colonies |= 1 << tile;
                self.market[self.slot] = NONE;
                self.take_chits(tile);
                self.acted();
            }
            Kind::Wonder => {
                seat.construction = tile;
                self.market[self.slot] = NONE;
                self.acted();
            }
        }
    }

    fn take_chits(&mut self, tile: u8) {
        for (i, &wanted) in TABLE[tile as usize].chits.iter().enumerate() {
            let n = wanted.min(self.supply[CHIT + i]);
            self.supply[CHIT + i] -= n;
            self.seats[self.asked].unused[CHIT + i] += n;
        }
    }

    fn which_building(&mut self) {
        for slot in 0..5 {
            self.offer(OVER[self.seats[self.asked].buildings[slot] as usize], slot as u8);
        }
    }

    fn begin_back(&mut self) {
        self.sort = 0;
        self.from = 0;
        self.task = Task::Back;
    }

    fn goes_back(&mut self) {
        while self.sort <= DICE {
            let left = self.back[self.sort];
            if left > 0 {
                let first = self.sort * SORT;
                let end = if self.sort == DICE { first + 1 } else { first + SORT };
                let seat = &self.seats[self.asked];
                let (unused, used) = (seat.unused, seat.used);
                // A class can be left out only if those after it are enough.
                let mut beyond: u8 = unused[first.max(self.from).min(end)..end].iter().sum::<u8>() + used[first];
                let least = left.min(beyond);
                for class in first.max(self.from)..end {
                    if unused[class] > 0 && beyond >= least {
                        self.offer(PICK_UNUSED[class], class as u8);
                    }
                    beyond -= unused[class];
                }
                if used[first] > 0 && beyond >= least {
                    self.offer(PICK_USED[first], first as u8 + 32);
                }
                if self.count > 0 {
                    return;
                }
            }
            self.sort += 1;
            self.from = 0;
        }
        self.replaced();
    }

    fn replaced(&mut self) {
        let tile = std::mem::replace(&mut self.market[self.slot], NONE);
        let printed = &TABLE[tile as usize];
        let seat = &mut self.seats[self.asked];
        if printed.kind == Kind::Advisor {
            seat.advisor = tile;
            self.take_chits(tile);
        } else {
            seat.buildings[self.over] = tile;
            for (sort, &wanted) in printed.dice.iter().enumerate() {
                let mut left = wanted;
                for class in sort * SORT..(sort + 1) * SORT {
                    let n = left.min(self.supply[class]);
                    self.supply[class] -= n;
                    seat.unused[class] += n;
                    left -= n;
                }
            }
            self.roll(self.asked);
        }
        self.acted();
    }

    fn which_die(&mut self) {
        let unused = self.seats[self.asked].unused;
        for (class, &there) in unused[..CHIT].iter().enumerate().skip(self.from) {
            if there > 0 && class % SORT != 0 {
                self.offer(PICK[class], class as u8);
            }
        }
        if self.count == 0 {
            self.rolled_again();
        } else if self.picked > 0 {
            self.offer(DONE, CODE_DONE);
        }
    }

    fn rolled_again(&mut self) {
        self.roll(self.asked);
        self.acted();
    }

    /// The seat at the present place from the last, if there is one.
    fn asks_from_last(&mut self) -> bool {
        let there = self.place < self.players;
        if there {
            self.asked = self.order[self.players - 1 - self.place] as usize;
        }
        there
    }

    fn begin_books(&mut self) {
        self.from = 0;
        self.task = Task::Books;
    }

    fn next_books(&mut self) {
        self.place += 1;
        self.begin_books();
    }

    fn which_books(&mut self) {
        if !self.asks_from_last() {
            self.score_books();
            self.place = 0;
            self.task = Task::Famine;
            return;
        }
        let unused = self.seats[self.asked].unused;
        for (class, &there) in unused[..CHIT].iter().enumerate().skip(self.from) {
            if there > 0 && SHOWS[BOOK][class] > 0 {
                self.offer(PICK[class], class as u8);
            }
        }
        if self.count == 0 {
            self.next_books();
        } else {
            self.offer(DONE, CODE_DONE);
        }
    }

    fn score_books(&mut self) {
        let mut books = [0; SEATS];
        for (seat, books) in self.seats[..self.players].iter_mut().zip(&mut books) {
            let chits = std::mem::take(&mut seat.unused[BOOK_CHIT]);
            seat.used[BOOK_CHIT] += chits;
            seat.book += chits;
            *books = seat.book;
        }
        let points = if self.players <= 2 { 2 } else { 1 };
        for seat in &mut self.seats[..self.players] {
            let fewer = books[..self.players].iter().filter(|&&books| books < seat.book).count() as u8;
            seat.vp += points * fewer;
        }
        if self.players == 1 && self.seats[0].book as u32 > self.rival_book {
            self.seats[0].vp += points;
        }
    }

    /// Offers to spend what the famine or the war wants.
    fn whether(&mut self, symbol: usize) {
        let event = &EVENTS[self.event as usize];
        let wanted = if symbol == FOOD { event.famine } else { event.war };
        if !self.asks_from_last() {
            if symbol == FOOD {
                self.reorder();
                self.task = Task::War;
            } else {
                self.task = if self.round < 4 { Task::Round } else { Task::End };
            }
            self.place = 0;
        } else if payable(&self.seats[self.asked].unused, symbol) >= wanted as u32 {
            self.offer(SPEND, CODE_SPEND);
            self.offer(NOTHING, CODE_DONE);
        } else {
            self.place += 1;
        }
    }

    /// The most swords go first; with as many the order stays.
    fn reorder(&mut self) {
        let mut swords = [0; SEATS];
        for (swords, seat) in swords.iter_mut().zip(&self.seats) {
            *swords = weighed(&seat.unused, &SHOWS[SWORD]);
        }
        self.order[..self.players].sort_by_key(|&seat| std::cmp::Reverse(swords[seat as usize]));
    }
}
