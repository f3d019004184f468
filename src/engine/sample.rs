//! A small game for the tests of this folder, with the text that a test is about.

use super::{Game, NoScripts, Ruleset};
use crate::lang::Setup;
use crate::lang::sample::compiled;

const RULES: &str = r#"
game sample "Sample"
players 2 to 4
table {
  deck pile of wolf, wall
  grid row 2 by 2
  counter moon
}
player {
  resource wisp, fog
  counter idle
  place den of wolf, wall: dens, room 5
  place lair of wolf, wall: 1, room 1
  {has}
  each action { counter once }
  each round { flag passed; counter turns; tally met by kind }
}
card { counter moss }
kind wolf { slot den; height: number }
kind wall { slot den; height: number }
zone play = den
hearing play
changeable dens = 3
changeable actions_each = 1 + moon
changeable price(card) = card.height
stat howl = sum card.height of my den
rank most x = top 1 by x, ties at the edge out
when card leaves den { idle += card.moss; card.moss = 0 }
when short of r in wisp, missing n { lose n fog }
{effects}
setup {
  each player { gain 3 wisp; gain 3 fog }
  {setup}
}
rounds 2 of roam
phase roam {
  {steps}
  turns in order until all have passed, actions_each each
  action fetch card in row {
    cost price(card) wisp
    needs tall: card is not wolf or moon > 0 "wolves wait for the moon"
    does { met[card.kind] += 1; place card in its slot }
  }
  {actions}
  action pass { does { passed = yes } }
}
score { "wisps" = wisp }
wins highest score, then order
"#;

/// What a test adds to the game.
#[derive(Default)]
pub struct Added<'t> {
    /// Effects and the like.
    pub effects: &'t str,
    /// Further things that a player has.
    pub has: &'t str,
    /// At the end of set-up.
    pub setup: &'t str,
    /// Steps ahead of the turns.
    pub steps: &'t str,
    /// Actions.
    pub actions: &'t str,
    /// What each card says.
    pub cards: &'t str,
}

/// The game with what a test adds, for so many players.
pub fn rules(players: usize, added: &Added<'_>) -> Ruleset {
    let mut text = RULES.to_string();
    for (mark, with) in [
        ("{effects}", added.effects),
        ("{has}", added.has),
        ("{setup}", added.setup),
        ("{steps}", added.steps),
        ("{actions}", added.actions),
    ] {
        text = text.replace(mark, with);
    }
    let cards = ["grey_wolf", "red_wolf", "low_wall", "high_wall", "old_wall", "new_wall"].iter().enumerate().map(|(index, id)| {
        let kind = id.split('_').nth(1).unwrap_or("wolf");
        format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"{kind}\"\nheight = {}\n{}\n", index % 3, added.cards)
    });
    let cards: String = cards.collect();
    compiled(&text, &cards, &Setup { players, ..Setup::default() })
}

/// A game of two with what a test adds, and its rules, at the first question.
pub fn game(added: &Added<'_>) -> (Ruleset, Game) {
    let rules = rules(2, added);
    let mut game = Game::new(&rules, 1);
    game.keep_log();
    if let Err(fault) = game.on(&rules).advance(&mut NoScripts) {
        panic!("{fault}");
    }
    (rules, game)
}

/// The fault that a game of two meets when everybody passes.
pub fn fault(added: &Added<'_>) -> super::Fault {
    let rules = rules(2, added);
    let mut game = Game::new(&rules, 1);
    loop {
        match game.on(&rules).advance(&mut NoScripts) {
            Err(fault) => return fault,
            Ok(None) => panic!("no fault"),
            Ok(Some(_)) => {}
        }
        let option = game.find_option(&rules, "pass").unwrap_or(0);
        if let Err(fault) = game.on(&rules).answer(&mut NoScripts, option) {
            return fault;
        }
    }
}

/// The answers that can be given, in words.
pub fn options(rules: &Ruleset, game: &Game) -> Vec<String> {
    game.decision().map_or(Vec::new(), |decision| decision.options.iter().map(|option| option.text(rules)).collect())
}

/// Gives an answer, and goes on to the next question.
pub fn answer(rules: &Ruleset, game: &mut Game, key: &str) {
    let Some(option) = game.find_option(rules, key) else { panic!("no `{key}` among {:?}", options(rules, game)) };
    if let Err(fault) = game.on(rules).answer(&mut NoScripts, option).and_then(|()| game.on(rules).advance(&mut NoScripts).map(|_| ())) {
        panic!("{fault}");
    }
}

/// A resource, counter or flag of each seat.
pub fn values(rules: &Ruleset, game: &Game, name: &str) -> Vec<i64> {
    (0..rules.players).map(|seat| game.position(rules).value_of(seat, name).unwrap_or(-99)).collect()
}
