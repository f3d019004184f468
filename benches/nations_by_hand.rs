//! What a state of base Nations for four is worth, and what a seat may do in its turn, written straight in Rust over the engine's cells: the
//! floor for what is generated from `rules/nations.rules` and `rules/nations/agents.rules`.
//!
//! Where cells and printed numbers lie is found by name when it begins, so that only a change of meaning has to be followed here; the bench
//! compares every number. It knows what base Nations has: the cards of the base set change no price but that of
//! [`FREDERICK`], forbid nothing, and only [`GALILEO`] acts.

use houserule::engine::position::seat_variable;
use houserule::engine::ruleset::{Lifetime, Variable};
use houserule::engine::{Act, Opt, Ruleset};
use houserule::state::chance::{below, join};
use houserule::state::layout::head;

/// How many seats there are.
const SEATS: usize = 4;
/// How many sites a seat has room for at most, and how many cards in play act at most.
const MOST: usize = 16;
/// More workers on a card than bring points.
const MOST_WORKERS: usize = 8;
/// More sections than a wonder has.
const MOST_SECTIONS: usize = 10;
/// How many rounds there are.
const ROUNDS: i64 = 8;
/// How many rows the board has.
const ROWS: usize = 3;

/// What is made and used up, in this order.
const GOODS: [&str; 4] = ["gold", "stone", "food", "book"];
const GOLD: usize = 0;
const STONE: usize = 1;
const FOOD: usize = 2;
const BOOK: usize = 3;

/// Whose military cards use no resources.
const ANNA: &str = "anna_komnene";
/// Whose owner uses so many more books if it is the weakest.
const LIN: (&str, i64) = ("lin_zexu", 8);
/// Whose owner counts so much stronger against the war.
const ELIZABETH: (&str, i64) = ("elizabeth", 8);
/// For whom military cards cost so much less stone to deploy on, and one at least.
const FREDERICK: (&str, i64) = ("frederick_the_great", 2);
/// Who takes a golden age or a wonder off the board.
const GALILEO: &str = "galileo_galilei";

/// The actions of a turn; an option is its action and the cards that it names, -1 for none.
const ACTIONS: [&str; 6] = ["buy", "deploy", "hire", "use", "pass", "undeploy"];
const BUY: u8 = 0;
const DEPLOY: u8 = 1;
const HIRE: u8 = 2;
const USE: u8 = 3;
const PASS: u8 = 4;
const UNDEPLOY: u8 = 5;

/// An option of a turn: the action, and the cards that it names, -1 for none.
pub type Listed = (u8, i16, i16);

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    Military,
    Colony,
    War,
    Battle,
    GoldenAge,
    Wonder,
    #[default]
    Other,
}

/// What is printed on a card.
#[derive(Clone, Copy, Default)]
struct Card {
    kind: Kind,
    production: [i32; 4],
    upkeep: [i32; 4],
    strength: i32,
    /// Less what of it is upkeep.
    stability: i32,
    deploy: i32,
    raid: i32,
    /// Points of a colony or a wonder.
    points: i32,
    /// Points of the first workers, for each number of them.
    points_of_workers: [i32; MOST_WORKERS + 1],
    /// Stone for the first sections, for each number of them.
    stone: [i32; MOST_SECTIONS + 1],
    sections: i32,
    required_strength: i32,
    private_architects: i32,
    food_track: i32,
    stability_track: i32,
    loss: i32,
    famine: i32,
    action_limit: i32,
    war_strength: i32,
    is_anna: bool,
    is_lin: bool,
    is_frederick: bool,
    is_galileo: bool,
}

/// Where a place lies for each seat, or for all: the cell with the number of cards, before the slots.
#[derive(Clone, Copy)]
struct Place {
    first: usize,
    stride: usize,
    room: usize,
}

impl Place {
    fn find(rules: &Ruleset, name: &str) -> Place {
        let declared = &rules.places[rules.find_place(name).unwrap_or_else(|| panic!("no place {name}"))];
        let at = |instance: usize| &rules.layout.places[declared.first_instance as usize + instance];
        let base = |instance: usize| at(instance).base as usize;
        let stride = if declared.of_seat { base(1) - base(0) } else { 0 };
        assert!((0..declared.instances as usize).all(|seat| base(seat) == base(0) + seat * stride), "{name} lies evenly");
        Place { first: base(0), stride, room: at(0).room as usize }
    }

    #[inline(always)]
    fn slots(self, cells: &[i32], seat: usize) -> &[i32] {
        &cells[self.first + seat * self.stride + 1..][..self.room]
    }

    #[inline(always)]
    fn count(self, cells: &[i32], seat: usize) -> i64 {
        cells[self.first + seat * self.stride] as i64
    }

    /// The number of the first card; 0 for none.
    #[inline(always)]
    fn first(self, cells: &[i32], seat: usize) -> usize {
        cells[self.first + seat * self.stride + 1] as usize
    }

    /// Calls a function with each card; gaps are passed over, and what lies behind the last card is not looked at.
    #[inline(always)]
    fn each(self, cells: &[i32], seat: usize, mut f: impl FnMut(usize)) {
        let mut left = self.count(cells, seat);
        for &card in self.slots(cells, seat) {
            if left == 0 {
                return;
            }
            if card != 0 {
                left -= 1;
                f(card as usize);
            }
        }
    }
}

/// The rules by hand: where everything lies, and what is printed on the cards.
pub struct ByHand {
    seat_base: usize,
    seat_size: usize,
    piece_base: usize,
    piece_size: usize,
    war_strength: usize,
    war_bought: usize,
    architects: usize,
    goods: [usize; 4],
    vp: usize,
    idle: usize,
    food_track: usize,
    stability_track: usize,
    food_hidden: usize,
    stability_hidden: usize,
    in_revolt_by_card: usize,
    /// What strength and stability differ by for a time.
    strength_differs: usize,
    stability_differs: usize,
    workers: usize,
    built: usize,
    used: usize,
    hired: usize,
    board: Place,
    columns: usize,
    war: Place,
    event: Place,
    sites: Place,
    advisor: Place,
    colony: Place,
    wonder: Place,
    nation: Place,
    construction: Place,
    /// Number 0 is no card.
    cards: Vec<Card>,
}

/// What the cards before a seat come to.
#[derive(Clone, Copy, Default)]
struct Sums {
    strength: i64,
    stability: i64,
    strength_in_war: i64,
    made: [i64; 4],
    used: [i64; 4],
    workers: i64,
    /// How many cards use books if their owner is the weakest.
    if_weakest: i64,
}

/// The offset of a printed number, of the field with this name that holds a list or none.
fn field(rules: &Ruleset, name: &str, is_list: bool) -> usize {
    let mut at = 0;
    for (found, cells) in &rules.fields {
        if found == name && rules.list_fields.contains(&at) == is_list {
            return at as usize;
        }
        at += cells;
    }
    panic!("no field {name}")
}

fn variable(variables: &[Variable], name: &str) -> usize {
    variables.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no variable {name}")).offset as usize
}

/// The cell of a seat with what a quantity differs by for a time.
fn difference(rules: &Ruleset, name: &str) -> usize {
    let quantity = rules.quantities.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("no quantity {name}"));
    // Behind what lasts until each end there is the sum.
    quantity.differences.unwrap_or_else(|| panic!("{name} differs for no time")) as usize + Lifetime::ALL.len()
}

/// The first sums of a list, with none, with one …; behind its end they stay.
fn first_sums<const N: usize>(list: &[i32]) -> [i32; N] {
    assert!(list.len() < N, "a list of {}", list.len());
    std::array::from_fn(|count| list.iter().take(count).sum())
}

impl ByHand {
    /// Looks up where everything lies.
    pub fn new(rules: &Ruleset) -> ByHand {
        assert_eq!(rules.players, SEATS);
        let seat = |name: &str| seat_variable(rules, name).unwrap_or_else(|| panic!("no variable {name}")).offset as usize;
        let place = |name: &str| Place::find(rules, name);
        let (board, sites) = (place("board"), place("sites"));
        assert!(sites.room <= MOST && board.room.is_multiple_of(ROWS));
        let layout = &rules.layout;
        ByHand {
            seat_base: layout.seat_base,
            seat_size: layout.seat_size,
            piece_base: layout.piece_base,
            piece_size: layout.piece_size,
            war_strength: variable(&rules.table, "war_strength"),
            war_bought: variable(&rules.table, "war_bought"),
            architects: variable(&rules.table, "architects"),
            goods: GOODS.map(seat),
            vp: seat("vp"),
            idle: seat("idle"),
            food_track: seat("food_track"),
            stability_track: seat("stability_track"),
            food_hidden: seat("food_hidden"),
            stability_hidden: seat("stability_hidden"),
            in_revolt_by_card: seat("in_revolt_by_card"),
            strength_differs: difference(rules, "strength"),
            stability_differs: difference(rules, "stability"),
            workers: variable(&rules.piece, "workers"),
            built: variable(&rules.piece, "built"),
            used: variable(&rules.piece, "used"),
            hired: variable(&rules.piece, "hired"),
            board,
            columns: board.room / ROWS,
            war: place("war"),
            event: place("event"),
            sites,
            advisor: place("advisor"),
            colony: place("colony"),
            wonder: place("wonder"),
            nation: place("nation"),
            construction: place("construction"),
            cards: cards(rules),
        }
    }

    /// Changes by chance what rarely comes far in games: workers on cards, goods, hidden spaces of tracks, differences for a time, and the round.
    pub fn vary(&self, cells: &mut [i32], key: u64) {
        let mut number = 0;
        let mut chance = |most: u32| {
            number += 1;
            below(join(key, number), most + 1) as i32
        };
        cells[head::ROUND] = 1 + chance(ROUNDS as u32);
        for seat in 0..SEATS {
            let mut own = |offset: usize, value: i32| cells[self.seat_base + seat * self.seat_size + offset] = value;
            self.goods.into_iter().for_each(|good| own(good, chance(60)));
            [self.idle, self.food_hidden, self.stability_hidden, self.food_track].into_iter().for_each(|offset| own(offset, chance(3)));
            [self.strength_differs, self.stability_differs].into_iter().for_each(|offset| own(offset, chance(20) - 10));
            own(self.in_revolt_by_card, chance(9) / 9);
            for site in self.sites.slots(cells, seat).to_vec().into_iter().filter(|&site| site != 0) {
                cells[self.piece_base + (site as usize - 1) * self.piece_size + self.workers] = chance(MOST_WORKERS as u32 + 2);
            }
        }
    }

    #[inline(always)]
    fn own(&self, cells: &[i32], seat: usize, offset: usize) -> i64 {
        cells[self.seat_base + seat * self.seat_size + offset] as i64
    }

    #[inline(always)]
    fn on_card(&self, cells: &[i32], card: usize, offset: usize) -> i64 {
        cells[self.piece_base + (card - 1) * self.piece_size + offset] as i64
    }

    /// Adds up what lies before a seat; what is made and used up only if it is asked for.
    #[inline(always)]
    fn sums<const GOODS_TOO: bool>(&self, cells: &[i32], seat: usize) -> Sums {
        let mut sums = Sums::default();
        let (mut strength, mut stability, mut in_war, mut spares_military) = (0, 0, 0, false);
        for place in [self.advisor, self.colony, self.wonder, self.nation] {
            place.each(cells, seat, |card| {
                let card = &self.cards[card];
                strength += card.strength as i64;
                stability += card.stability as i64;
                in_war += card.war_strength as i64;
                spares_military |= card.is_anna;
                sums.if_weakest += card.is_lin as i64;
                if GOODS_TOO {
                    for good in 0..GOODS.len() {
                        sums.made[good] += card.production[good] as i64;
                        sums.used[good] += card.upkeep[good] as i64;
                    }
                }
            });
        }
        self.sites.each(cells, seat, |site| {
            let card = &self.cards[site];
            let workers = self.on_card(cells, site, self.workers);
            sums.workers += workers;
            strength += workers * card.strength as i64;
            stability += workers * card.stability as i64;
            if GOODS_TOO && workers != 0 {
                let uses = !(spares_military && card.kind == Kind::Military);
                for good in 0..GOODS.len() {
                    sums.made[good] += workers * card.production[good] as i64;
                    sums.used[good] += if uses { workers * card.upkeep[good] as i64 } else { 0 };
                }
            }
        });
        let nation = &self.cards[self.nation.first(cells, seat)];
        let own = |offset: usize| self.own(cells, seat, offset);
        let taken = |printed: i32, track: usize, hidden: usize| (printed as i64 - own(track) - own(hidden)).max(0);
        sums.strength = (strength + own(self.strength_differs)).min(40);
        stability -= 3 * taken(nation.stability_track, self.stability_track, self.stability_hidden);
        sums.stability = (stability + own(self.stability_differs)).min(15);
        sums.strength_in_war = sums.strength + in_war;
        if GOODS_TOO {
            sums.used[FOOD] += 3 * taken(nation.food_track, self.food_track, self.food_hidden);
        }
        sums
    }

    /// What a state is worth to a seat, in thousandths of a point.
    pub fn worth(&self, cells: &[i32], me: usize) -> i64 {
        let round = cells[head::ROUND] as i64;
        let rounds_left = ROUNDS - round;
        let (productions, age) = (rounds_left + 1, (round + 1) / 2);
        let spells = productions + 1;
        let of: [Sums; SEATS] =
            std::array::from_fn(|seat| if seat == me { self.sums::<true>(cells, seat) } else { self.sums::<false>(cells, seat) });
        let mine = &of[me];
        let rank = |seat: usize| if self.own(cells, seat, self.in_revolt_by_card) != 0 { -1 } else { of[seat].stability.max(-1) };
        let goods = self.goods.map(|offset| self.own(cells, me, offset));
        let my_rank = rank(me);
        let (mut stronger, mut as_strong, mut weaker, mut fewer_books, mut others_beaten) = (0, 0, 0, 0, 0);
        let (mut stabler, mut as_stable, mut less_stable) = (0, 0, 0);
        let (war, war_strength) = (self.war.first(cells, 0), cells[self.war_strength] as i64);
        let is_war = war != 0 && war_strength > 0;
        for seat in (0..SEATS).filter(|&seat| seat != me) {
            let other = &of[seat];
            stronger += (other.strength > mine.strength) as i64;
            as_strong += (other.strength == mine.strength) as i64;
            weaker += (other.strength < mine.strength) as i64;
            let other_rank = rank(seat);
            stabler += (other_rank > my_rank) as i64;
            as_stable += (other_rank == my_rank) as i64;
            less_stable += (other_rank < my_rank) as i64;
            fewer_books += (self.own(cells, seat, self.goods[BOOK]) < goods[BOOK]) as i64;
            others_beaten += (is_war && other.strength_in_war < war_strength) as i64;
        }
        let (strongest, weakest) = (stronger + as_strong == 0, weaker == 0);
        let (most_stable, least_stable) = (stabler + as_stable == 0, less_stable == 0);
        let mut used = mine.used;
        if weakest {
            used[BOOK] += LIN.1 * mine.if_weakest;
        }
        let famines = [0, 0, age, 0];
        let sum: [i64; 4] = std::array::from_fn(|good| goods[good] + productions * (mine.made[good] - used[good] - famines[good]));
        let dear = |good: usize, (top, fall): (i64, i64)| (top - (2 * fall * sum[good]).div_euclid(spells)).max(10);
        let value = |good: usize, (top, fall): (i64, i64)| {
            let enough = (top - 10) * spells / (2 * fall);
            let sated = sum[good].min(enough);
            top * sated - (fall * sated * sated).div_euclid(spells) + 10 * (sum[good] - enough).max(0)
        };
        let (of_gold, of_stone, of_food) = ((28, 1), (40, 2), (30, 1));
        let prices = [dear(GOLD, of_gold), dear(STONE, of_stone), dear(FOOD, of_food), 18];
        let yields = |card: &Card| {
            let goods: i64 = (0..GOODS.len()).map(|good| prices[good] * (card.production[good] - card.upkeep[good]) as i64).sum();
            goods + 16 * card.strength as i64 + 14 * card.stability as i64
        };
        // The best place for one more worker, and what there is already.
        let mut best_offer = None;
        let (mut stays, mut sites) = ([(0, 0); MOST], 0);
        let mut points = 0;
        self.sites.each(cells, me, |site| {
            let card = &self.cards[site];
            let workers = self.on_card(cells, site, self.workers);
            let brings = yields(card);
            let points_of = |workers: i64| card.points_of_workers[(workers as usize).min(MOST_WORKERS)] as i64;
            let late = (card.deploy as i64 > goods[STONE]) as i64;
            let more_points = points_of(workers + 1) - points_of(workers);
            let offer = (productions - late) * brings + 100 * more_points - prices[STONE] * card.deploy as i64;
            best_offer = Some(best_offer.map_or(offer, |best: i64| best.max(offer)));
            stays[sites] = (workers, productions * brings + 120);
            sites += 1;
            points += points_of(workers);
        });
        let best_offer = best_offer.unwrap_or(0);
        let moving: i64 = stays[..sites].iter().map(|&(workers, stay)| workers * (best_offer - stay).max(0)).sum();
        for place in [self.colony, self.wonder] {
            place.each(cells, me, |card| points += self.cards[card].points as i64);
        }
        let last_sum = goods.iter().sum::<i64>() + mine.strength + mine.stability;
        let score = self.own(cells, me, self.vp) + points + last_sum.max(0) / 10;
        let after = |good: usize| goods[good] + mine.made[good] - used[good];
        let short = (-after(GOLD)).max(0) + (-after(STONE)).max(0);
        let hunger = (self.cards[self.event.first(cells, 0)].famine as i64 - after(FOOD).max(0)).max(0);
        let if_so = |is_so: bool, number: i64| if is_so { number } else { 0 };
        let danger = productions
            * (if_so(strongest, 40) - if_so(weakest, 60) + if_so(most_stable, 41)
                - if_so(least_stable, 40)
                - if_so(mine.stability < 0, 100 - 37 * mine.stability));
        let beaten = is_war && mine.strength_in_war < war_strength;
        let loss = self.cards[war].loss as i64;
        let idle = self.own(cells, me, self.idle);
        let rest = value(GOLD, of_gold)
            + value(STONE, of_stone)
            + value(FOOD, of_food)
            + 18 * sum[BOOK]
            + 40 * ((rounds_left + 2) / 2) * fewer_books
            + ((26 * idle.min(1) + 20 * (idle - 1).max(0)) * best_offer).div_euclid(100)
            + (15 * moving).div_euclid(100)
            + (300 + 12 * productions) * (idle + mine.workers)
            + productions * (9 * mine.strength + 7 * mine.stability.min(6))
            + danger
            - if_so(beaten, 100 + 30 * (loss - mine.stability.max(0)).max(0))
            + 9 * others_beaten
            - 70 * (short + hunger)
            - if_so(short > 0, 100)
            - if_so(hunger > 0, 100)
            + 110 * self.advisor.count(cells, me)
            + 300 * self.wonder.count(cells, me)
            + self.finished(cells, me, |card, left| {
                (100 * card.points as i64 + 308 + productions * yields(card) - prices[STONE] * left).max(0)
            });
        1000 * score + 10 * rest
    }

    /// What the wonder that is being built counts for; `worth` says what it is worth when it is ready, less so much stone.
    #[inline(always)]
    fn finished(&self, cells: &[i32], me: usize, worth: impl Fn(&Card, i64) -> i64) -> i64 {
        let construction = self.construction.first(cells, me);
        if construction == 0 {
            return 0;
        }
        let card = &self.cards[construction];
        let built = self.on_card(cells, construction, self.built);
        let left = card.stone[MOST_SECTIONS] - card.stone[built as usize];
        (21 + 52 * built / card.sections as i64) * worth(card, left as i64) / 100
    }

    /// Lists what a seat may do in its turn.
    pub fn list(&self, cells: &[i32], me: usize, out: &mut Vec<Listed>) {
        out.clear();
        let [gold, stone, ..] = self.goods.map(|offset| self.own(cells, me, offset));
        let number = |card: usize| card as i16 - 1;
        let (mut sites, mut count, mut raid) = ([(0, 0); MOST], 0, 0);
        self.sites.each(cells, me, |site| {
            let workers = self.on_card(cells, site, self.workers);
            sites[count] = (site, workers);
            count += 1;
            if workers > 0 {
                raid = raid.max(self.cards[site].raid);
            }
        });
        let sites = &sites[..count];
        let (mut private, mut cheaper, mut galileo) = (0, false, 0);
        for place in [self.advisor, self.colony, self.wonder, self.nation] {
            place.each(cells, me, |at| {
                let card = &self.cards[at];
                cheaper |= card.is_frederick;
                if card.private_architects > 0 {
                    private += card.private_architects as i64 - self.on_card(cells, at, self.hired);
                }
                if card.is_galileo {
                    galileo = at;
                }
            });
        }
        let strength = self.sums::<false>(cells, me).strength;
        let bought = cells[self.war_bought] != 0;
        let mut may_be_taken = false;
        for (slot, &at) in self.board.slots(cells, 0).iter().enumerate().filter(|(_, at)| **at != 0) {
            let card = &self.cards[at as usize];
            may_be_taken |= matches!(card.kind, Kind::GoldenAge | Kind::Wonder);
            let may = match card.kind {
                Kind::War => !bought,
                Kind::Battle => raid > 0,
                Kind::Colony => strength >= card.required_strength as i64,
                Kind::Military | Kind::GoldenAge | Kind::Wonder | Kind::Other => true,
            };
            // A card in row n costs n gold.
            if may && ((slot / self.columns) as i64) < gold {
                out.push((BUY, number(at as usize), -1));
            }
        }
        let idle = self.own(cells, me, self.idle) > 0;
        for &(site, _) in sites {
            let card = &self.cards[site];
            let cost = card.deploy as i64;
            let cost = if cheaper && card.kind == Kind::Military { (cost - FREDERICK.1).max(1) } else { cost };
            if cost > stone {
                continue;
            }
            if idle {
                out.push((DEPLOY, number(site), -1));
            }
            for &(source, _) in sites.iter().filter(|&&(source, workers)| workers > 0 && source != site) {
                out.push((DEPLOY, number(site), number(source)));
            }
        }
        let construction = self.construction.first(cells, me);
        if construction != 0 && (cells[self.architects] > 0 || private > 0) {
            let sections = &self.cards[construction].stone;
            let built = self.on_card(cells, construction, self.built) as usize;
            if (sections[built + 1] - sections[built]) as i64 <= stone {
                out.push((HIRE, -1, -1));
            }
        }
        if galileo != 0 && may_be_taken {
            let times = self.cards[galileo].action_limit as i64;
            if times == 0 || self.on_card(cells, galileo, self.used) < times {
                out.push((USE, number(galileo), -1));
            }
        }
        out.push((PASS, -1, -1));
        for &(site, _) in sites.iter().filter(|&&(_, workers)| workers > 0) {
            out.push((UNDEPLOY, number(site), -1));
        }
    }
}

/// What is printed on every card; number 0 is none.
fn cards(rules: &Ruleset) -> Vec<Card> {
    let number = |name: &str| field(rules, name, false);
    let in_row = |word: &str| {
        let names = rules.resources.iter().chain(&rules.row_words);
        names.map(|&name| rules.names.text(name)).position(|name| name == word).unwrap_or_else(|| panic!("no word {word}"))
    };
    let (production, upkeep, goods, stability_in_row) = (number("production"), number("upkeep"), GOODS.map(in_row), in_row("stability"));
    let [vp, sections] = ["vp", "sections"].map(|name| field(rules, name, true));
    let [strength, stability, deploy, raid, points, required, private, food_track, stability_track, loss, famine, limit] = [
        "strength",
        "stability",
        "deploy",
        "raid",
        "vp",
        "requires_strength",
        "private_architects",
        "food_track",
        "stability_track",
        "loss",
        "famine",
        "action_limit",
    ]
    .map(number);
    let card = |card: usize| {
        let printed = |field: usize| rules.printed(card, field);
        let list = |field: usize| rules.list(card as i64, field as u16).1;
        let id = rules.names.text(rules.definition(card).id);
        Card {
            kind: match rules.names.text(rules.kinds[rules.piece_kind[card] as usize].name) {
                "military" => Kind::Military,
                "colony" => Kind::Colony,
                "war" => Kind::War,
                "battle" => Kind::Battle,
                "golden_age" => Kind::GoldenAge,
                "wonder" => Kind::Wonder,
                _ => Kind::Other,
            },
            production: goods.map(|good| printed(production + good)),
            upkeep: goods.map(|good| printed(upkeep + good)),
            strength: printed(strength),
            stability: printed(stability) - printed(upkeep + stability_in_row),
            deploy: printed(deploy),
            raid: printed(raid),
            points: printed(points),
            points_of_workers: first_sums(list(vp)),
            stone: first_sums(list(sections)),
            sections: list(sections).len() as i32,
            required_strength: printed(required),
            private_architects: printed(private),
            food_track: printed(food_track),
            stability_track: printed(stability_track),
            loss: printed(loss),
            famine: printed(famine),
            action_limit: printed(limit),
            war_strength: if id == ELIZABETH.0 { ELIZABETH.1 as i32 } else { 0 },
            is_anna: id == ANNA,
            is_lin: id == LIN.0,
            is_frederick: id == FREDERICK.0,
            is_galileo: id == GALILEO,
        }
    };
    std::iter::once(Card::default()).chain((0..rules.layout.pieces).map(card)).collect()
}

/// An option of the engine in the words of the list by hand.
pub fn as_listed(rules: &Ruleset, option: &Opt) -> Listed {
    let action = option.act.action(rules).map(|action| rules.names.text(rules.choices[usize::from(action)].name));
    let action = action.and_then(|action| ACTIONS.iter().position(|&name| name == action));
    let [card, other, _] = Act::cards(option.act, rules);
    (action.map_or(u8::MAX, |action| action as u8), card, other)
}
