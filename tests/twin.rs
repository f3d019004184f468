//! The interpreter beside the Dice Game written by hand: the same questions, answers and state, seed for seed.

#[path = "../benches/dice_twin.rs"]
mod dice_twin;

use crate::support::{host, loaded, pick, root, rules_of};
use dice_twin::{CLASSES, EVENTS, NAMES, NONE, TABLE, Tokens, Twin};
use houserule::engine::position;
use houserule::engine::{Game, Ruleset};
use houserule::lang::Setup;
use houserule::state::chance::seed_of_game;
use std::cmp::Reverse;
use std::sync::Arc;

fn rules_for(players: usize, solo: &str) -> Arc<Ruleset> {
    let (sources, text) = loaded(root(), "nations-dice", &[], &[]);
    let setup = Setup { players, options: vec![("solo".to_string(), vec![solo.to_string()])], ..Setup::default() };
    rules_of(&sources, &text, &setup)
}

/// Where the interpreter keeps what is compared.
struct Places {
    market: usize,
    event: usize,
    buildings: usize,
    advisor: usize,
    construction: usize,
    wonder: usize,
    colony: usize,
    supply: usize,
    unused: usize,
    used: usize,
    rival_book: usize,
    /// For each definition of a card its tile.
    tile: Vec<u8>,
    /// For each definition of a card its event.
    events: Vec<u8>,
}

impl Places {
    fn of(rules: &Ruleset) -> Places {
        let place = |name: &str| rules.find_place(name).expect("a place");
        let pool = |name: &str| {
            let name = rules.names.find(name);
            rules.pools.iter().find(|pool| Some(pool.name) == name).expect("a pool").offset as usize
        };
        let names: Vec<&str> = rules.classes[..CLASSES].iter().map(|class| rules.names.text(class.key)).collect();
        assert_eq!(names, NAMES);
        let number = |ids: &[&str], definition: usize| {
            let id = rules.names.text(rules.definitions[definition].id);
            ids.iter().position(|&other| other == id).map_or(NONE, |number| number as u8)
        };
        let definitions = 0..rules.definitions.len();
        let (tiles, events) = (TABLE.map(|tile| tile.id), EVENTS.map(|event| event.id));
        Places {
            market: place("market"),
            event: place("event"),
            buildings: place("buildings"),
            advisor: place("advisor"),
            construction: place("construction"),
            wonder: place("wonder"),
            colony: place("colony"),
            supply: pool("supply"),
            unused: pool("unused"),
            used: pool("used"),
            rival_book: rules.table.iter().find(|v| v.name == "rival_book").expect("a counter").offset as usize,
            tile: definitions.clone().map(|d| number(&tiles, d)).collect(),
            events: definitions.map(|d| number(&events, d)).collect(),
        }
    }

    /// The tiles in a place, slot by slot.
    fn tiles<'a>(&'a self, rules: &'a Ruleset, game: &'a Game, place: usize, seat: usize) -> impl Iterator<Item = u8> + 'a {
        let at = &rules.layout.places[position::instance(rules, place, seat)];
        let slots = &game.cells()[at.base as usize + 1..][..at.room as usize];
        slots.iter().map(|&piece| if piece == 0 { NONE } else { self.tile[rules.piece_definition[piece as usize - 1] as usize] })
    }

    fn set(&self, rules: &Ruleset, game: &Game, place: usize, seat: usize) -> u64 {
        self.tiles(rules, game, place, seat).filter(|&tile| tile != NONE).fold(0, |set, tile| set | 1 << tile)
    }

    fn assert_alike(&self, rules: &Ruleset, game: &Game, twin: &Twin<true>, when: &str) {
        let cells = game.cells();
        let tokens = |base: usize, twin: &Tokens, what: &str| {
            let there: Vec<u8> = cells[base..base + CLASSES].iter().map(|&n| n as u8).collect();
            assert_eq!(there, twin[..CLASSES], "{when}: {what}");
        };
        assert_eq!(game.round() as usize, twin.round, "{when}: the round");
        for (place, seat) in game.position(rules).order().into_iter().enumerate() {
            assert_eq!(seat, twin.order[place] as usize, "{when}: the order");
        }
        tokens(self.supply, &twin.supply, "the supply");
        assert_eq!(cells[self.rival_book] as u32, twin.rival_book, "{when}: the rival's books");
        for (slot, tile) in self.tiles(rules, game, self.market, 0).enumerate() {
            assert_eq!(tile, twin.market[slot], "{when}: slot {slot} of the market");
        }
        let event = game.cells()[rules.layout.places[position::instance(rules, self.event, 0)].base as usize + 1];
        assert_eq!(self.events[rules.piece_definition[event as usize - 1] as usize], twin.event, "{when}: the event");
        for seat in 0..rules.players {
            let own = &twin.seats[seat];
            let value = |name: &str| game.position(rules).value_of(seat, name).expect("a resource");
            assert_eq!(value("vp"), own.vp as i64, "{when}: points of p{}", seat + 1);
            assert_eq!(value("book"), own.book as i64, "{when}: books of p{}", seat + 1);
            assert_eq!(value("passed") != 0, own.passed, "{when}: whether p{} has passed", seat + 1);
            tokens(rules.layout.seat(seat, self.unused), &own.unused, "unused");
            tokens(rules.layout.seat(seat, self.used), &own.used, "used");
            let single = |place: usize| self.tiles(rules, game, place, seat).next().unwrap_or(NONE);
            assert!(self.tiles(rules, game, self.buildings, seat).eq(own.buildings), "{when}: buildings of p{}", seat + 1);
            assert_eq!(single(self.advisor), own.advisor, "{when}: advisor of p{}", seat + 1);
            assert_eq!(single(self.construction), own.construction, "{when}: construction of p{}", seat + 1);
            assert_eq!(self.set(rules, game, self.wonder, seat), own.wonders, "{when}: wonders of p{}", seat + 1);
            assert_eq!(self.set(rules, game, self.colony, seat), own.colonies, "{when}: colonies of p{}", seat + 1);
        }
    }
}

#[test]
fn the_interpreter_plays_as_the_game_written_by_hand() {
    let games: u64 = std::env::var("TWIN_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let setups = [(2, "normal"), (3, "normal"), (4, "normal"), (1, "normal"), (1, "harder")];
    for (number, (players, solo)) in setups.into_iter().enumerate() {
        let rules = rules_for(players, solo);
        let places = Places::of(&rules);
        let mut scripts = host(&rules);
        let mut game = Game::new(&rules, 0);
        let mut twin = Twin::<true>::new(players, 0);
        twin.harder = solo == "harder";
        for index in (number as u64..games).step_by(setups.len()) {
            let seed = seed_of_game(players as u64, index);
            game.restart(&rules, seed);
            twin.restart(seed);
            let mut count = 0;
            while let Some(decision) = game.on(&rules).advance(&mut scripts).expect("no fault") {
                let when = format!("{players} players, {solo}, game {index}, question {count}");
                let (seat, keys) = twin.decision().unwrap_or_else(|| panic!("{when}: the twin asks nothing"));
                assert_eq!(decision.seat, seat, "{when}: who is asked");
                let asked: Vec<u64> = decision.options.iter().map(|option| option.key).collect();
                let words = || decision.options.iter().map(|option| option.text(&rules)).collect::<Vec<_>>();
                assert_eq!(asked, keys, "{when}: {:?}", words());
                places.assert_alike(&rules, &game, &twin, &when);
                let option = pick(&game, seed, count);
                game.on(&rules).answer(&mut scripts, option).expect("no fault");
                twin.answer(option);
                count += 1;
            }
            assert!(twin.finished(), "{players} players, {solo}, game {index}: the twin goes on");
            for seat in 0..players {
                assert_eq!(
                    game.store(&rules).score(seat),
                    twin.score(seat),
                    "{players} players, {solo}, game {index}: score of p{}",
                    seat + 1
                );
            }
            // Of those with as many points the first in the order wins.
            let mut standing: Vec<usize> = twin.order[..players].iter().map(|&seat| seat as usize).collect();
            standing.sort_by_key(|&seat| Reverse(twin.score(seat)));
            assert_eq!(game.store(&rules).standing(), standing, "{players} players, {solo}, game {index}: who wins");
        }
    }
}
