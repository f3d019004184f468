//! A small game for tests, to which scripts can be added.

use super::host::ScriptHost;
use crate::engine::ruleset::{Ruleset, ScriptText};
use crate::engine::{Call, Fault, Game, Scripts, Stop};
use crate::lang::Setup;
use crate::lang::sample::compiled;
use crate::source::{FileId, Sources, Span};
use std::sync::{Arc, LazyLock};

const RULES: &str = r#"
game sample "Sample"
players 3
table { deck pile of beast; place wood of plant; counter moon; flag dark }
player {
  resource wisp, wolf
  counter fog
  flag calm
  tally met by kind
  tally dropped by resource
  set marked of resource
  place den of slab, beast: 3, room 3
}
card { counter moss }
kind slab { slot den; tall: number; gift: of resource, rain; rings: numbers }
kind beast { slot den; tall: number }
kind plant { slot wood }
hearing den
stat howl = fog
changeable toll(c) = c.tall
define twice(r) = amount of r * 2
define gloomy = fog > 1
define phase = moon + 2
condition foggy = fog > 1
condition "most foggy" = foggy
effect rest(n) { gain n wisp; lose 0 wisp for hunger }
effect trade(really, n, r) { if really { gain n r } }
effect bury(c) { remove c }
when c is dealt { place c in its slot }
rounds 1 of night
phase night { each player where place_in_order == 1 { moment dusk } }
score { "wisps" = wisp }
wins highest score
"#;

const CARDS: &str = r#"
[[card]]
id = "wall"
name = "Wall"
kind = "slab"
age = 2
tall = 3
gift = { wisp = 1, wolf = 2, rain = 5 }
rings = [7, 9]
[[card.on]]
when = "dusk"
id = "first"
do = "0"
[[card.on]]
when = "dusk"
id = "second"
do = "1"
[[card.on]]
when = "dusk"
id = "third"
do = "2"
[[card]]
id = "owl"
name = "Owl"
kind = "beast"
tall = 1
[[card]]
id = "auk"
name = "Auk"
kind = "beast"
tall = 1
[[card]]
id = "elm"
name = "Elm"
kind = "plant"
"#;

/// The rules with empty scripts.
static EMPTY_RULES: LazyLock<Ruleset> = LazyLock::new(|| {
    let setup = Setup { players: 3, every_piece: true, deal: vec![("wall".to_string(), Some(0))], ..Setup::default() };
    compiled(RULES, CARDS, &setup)
});

/// Byte offset of the script's text in its file.
pub(super) const SCRIPT_OFFSET: u32 = 10;

/// Builds the ruleset of the sample game.
pub(super) struct Sample {
    scripts: Vec<String>,
}

impl Sample {
    pub fn new() -> Sample {
        Sample { scripts: Vec::new() }
    }

    /// Adds a script, up to three. The card `wall` runs each of them at the moment `dusk`.
    pub fn script(mut self, text: &str) -> Sample {
        self.scripts.push(text.to_string());
        self
    }

    /// Sources that contain the file of the first script.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::new();
        sources.add("wall.toml", format!("do = \"\"\"  {}\"\"\"\n", self.scripts[0]));
        sources
    }

    pub fn rules(self) -> Arc<Ruleset> {
        let mut rules = EMPTY_RULES.clone();
        for (script, text) in rules.scripts.iter_mut().zip(self.scripts) {
            let span = Some(Span { file: FileId(0), start: SCRIPT_OFFSET, end: SCRIPT_OFFSET + text.len() as u32 });
            *script = ScriptText { owner: "wall, on dusk".to_string(), definition: 0, text, span, words: Vec::new(), lets: Vec::new() };
        }
        Arc::new(rules)
    }

    /// A new game with its script host.
    pub fn start_game(self) -> SampleGame {
        let rules = self.rules();
        let host = match ScriptHost::new(&rules) {
            Ok(host) => host,
            Err(wrong) => unreachable!("{wrong:?}"),
        };
        let mut game = Game::new(&rules, 1);
        game.keep_log();
        SampleGame { rules, host, game }
    }

    /// Runs the first script for the first seat and returns its fault.
    pub fn fault(self) -> Option<Fault> {
        match self.start_game().run(0) {
            Err(Stop::Fault(fault)) => Some(*fault),
            _ => None,
        }
    }
}

/// A game with its rules and script host.
pub(super) struct SampleGame {
    pub rules: Arc<Ruleset>,
    pub host: ScriptHost,
    pub game: Game,
}

impl SampleGame {
    /// Runs a script of the card `wall` for the first seat.
    pub fn run(&mut self, script: u32) -> Result<(), Stop> {
        let call = Call { script, me: 0, own: 0, card: -1, player: 0, answer: -1 };
        self.host.run(&mut self.game.on(&self.rules), &call)
    }

    /// Value of a resource, counter or flag of a seat.
    pub fn value(&self, seat: usize, name: &str) -> i64 {
        self.game.position(&self.rules).value_of(seat, name).unwrap_or(-99)
    }

    /// Value of a cell of a seat, in the current state.
    pub fn live(&self, seat: usize, offset: usize) -> i32 {
        self.game.cells()[self.rules.layout.seat(seat, offset)]
    }
}
