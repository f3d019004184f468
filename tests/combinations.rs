//! Packs, variants, options and numbers of players by chance, all together: each combination is played to its end, or refused with
//! a reason that a player is given. Dozens here; `COMBINATIONS=5000 cargo test --release combinations` for many more.

use crate::laws::pieces_are_conserved;
use crate::support::{host, pick, root};
use houserule::diagnostic::{Diagnostic, Severity, render::render};
use houserule::engine::{Game, Ruleset};
use houserule::lang::{ExtraRules, GameText, ParsedGame, Setup, compile};
use houserule::source::Sources;
use houserule::state::chance::{Stream, hash_text, seed_of_game};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Of what is drawn, and of the games.
const SEED: u64 = 10;
/// Combinations that are tried, if nobody wants more.
const FEW: u64 = 32;
/// At most so many variants at a time.
const MOST_VARIANTS: u32 = 4;
/// A game with more questions than this will not end.
const MOST_QUESTIONS: u64 = 100_000;
/// Two overlays that contradict each other, and what set-up needs: the two refusals that players may meet.
const REFUSALS: [&str; 2] = ["R202", "G012"];

fn one<'a, T>(of: &'a [T], draws: &mut Stream) -> &'a T {
    &of[draws.below(of.len() as u32) as usize]
}

/// What is put together.
struct Combination {
    packs: Vec<PathBuf>,
    with: Vec<String>,
    setup: Setup,
}

impl Combination {
    /// As it is typed.
    fn command(&self) -> String {
        let packs = self.packs.iter().map(|pack| format!(" --pack packs/{}", pack.file_name().unwrap().to_string_lossy()));
        let with = self.with.iter().map(|variant| format!(" --with {variant}"));
        let options = self.setup.options.iter().map(|(name, values)| format!(" --option {name}={}", values.join(",")));
        let seats = self.setup.seat_options.iter().map(|(seat, name, value)| format!(" --option {name}@p{}={value}", seat + 1));
        let more: String = packs.chain(with).chain(options).chain(seats).collect();
        format!("playtest nations --players {}{more}", self.setup.players)
    }
}

/// The game with packs, read once.
struct Ground {
    packs: Vec<PathBuf>,
    sources: Sources,
    read: ParsedGame,
}

impl Ground {
    fn of(packs: &[&str]) -> Ground {
        let packs: Vec<PathBuf> = packs.iter().map(|pack| root().join("packs").join(pack)).collect();
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let read = ParsedGame::read(&mut sources, Some(root()), "nations", &packs, &mut diagnostics).expect("it loads");
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        Ground { packs, sources, read }
    }

    fn with(&mut self, with: &[String]) -> (GameText, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let with: Vec<ExtraRules> = with.iter().map(|text| ExtraRules { text: text.clone(), at: None }).collect();
        (self.read.with(&mut self.sources, &with, &mut diagnostics), diagnostics)
    }
}

/// Values by chance for half of the options.
fn options(text: &GameText, setup: &mut Setup, draws: &mut Stream) {
    for (name, option) in text.options() {
        if option.each_player {
            for seat in 0..setup.players {
                if draws.below(2) == 0 {
                    setup.seat_options.push((seat, name.to_string(), one(&option.values, draws).clone()));
                }
            }
        } else if draws.below(2) == 0 {
            // More than what holds by itself, as players add sets; less now and then.
            let kept = draws.below(8) > 0;
            let taken = |value: &&String, draws: &mut Stream| kept && option.default.contains(value) || draws.below(2) == 0;
            let several: Vec<String> = option.values.iter().filter(|value| option.several && taken(value, draws)).cloned().collect();
            let values = if several.is_empty() { vec![one(&option.values, draws).clone()] } else { several };
            setup.options.push((name.to_string(), values));
        }
    }
}

/// Plays a game by chance to its end.
fn played(rules: &Arc<Ruleset>, seed: u64) -> Result<(), String> {
    let mut scripts = host(rules);
    let mut game = Game::new(rules, seed);
    for number in 0..MOST_QUESTIONS {
        let asked = game.on(rules).advance(&mut scripts).map_err(|fault| format!("question {number}: {fault}"))?.is_some();
        if number % 20 == 0 || !asked {
            pieces_are_conserved(rules, &game);
        }
        if !asked {
            return if game.finished() { Ok(()) } else { Err("it stops before its end".to_string()) };
        }
        let option = pick(&game, seed, number);
        game.on(rules).answer(&mut scripts, option).map_err(|fault| format!("question {number}: {fault}"))?;
    }
    Err(format!("more than {MOST_QUESTIONS} questions"))
}

/// What came of a combination.
enum Came {
    Played,
    Refused,
}

/// Whether only what players may be refused is told; anything else is a fault of rules or cards.
fn refused(sources: &Sources, diagnostics: &[Diagnostic]) -> Result<bool, String> {
    match diagnostics.iter().find(|wrong| wrong.severity != Severity::Error || !REFUSALS.contains(&wrong.code)) {
        Some(_) => Err(render(sources, diagnostics, false)),
        None => Ok(!diagnostics.is_empty()),
    }
}

fn tried(ground: &mut Ground, combination: &mut Combination, draws: &mut Stream, seed: u64) -> Result<Came, String> {
    let (text, mut diagnostics) = ground.with(&combination.with);
    if refused(&ground.sources, &diagnostics)? {
        return Ok(Came::Refused);
    }
    let (fewest, most) = text.players();
    combination.setup.players = fewest + draws.below((most + 1 - fewest) as u32) as usize;
    options(&text, &mut combination.setup, draws);
    let rules = compile(&text, &combination.setup, &mut diagnostics);
    if refused(&ground.sources, &diagnostics)? {
        return Ok(Came::Refused);
    }
    played(&Arc::new(rules.ok_or("nothing is told, and nothing compiled")?), seed)?;
    Ok(Came::Played)
}

#[test]
fn every_combination_is_played_or_refused_with_a_reason() {
    let wanted = std::env::var("COMBINATIONS").ok().map(|count| count.parse().expect("a number of combinations")).unwrap_or(FEW);
    let mut grounds = [&[][..], &["dynasties"], &["promo"], &["dynasties", "promo"]].map(Ground::of);
    let (mut refused, mut faults) = (0, Vec::new());
    let mut met: BTreeMap<String, u64> = BTreeMap::new();
    for number in 0..wanted {
        let mut draws = Stream::new(SEED, hash_text("combination"), number << 32);
        let seed = seed_of_game(SEED, number);
        let which = number as usize % grounds.len();
        let ground = &mut grounds[which];
        let variants: Vec<String> = ground.with(&[]).0.variants.into_iter().map(|(name, _)| name).collect();
        let mut with: Vec<String> = Vec::new();
        for _ in 0..draws.below(MOST_VARIANTS + 1) {
            let variant = one(&variants, &mut draws);
            if !with.contains(variant) {
                with.push(variant.clone());
            }
        }
        let mut combination = Combination { packs: ground.packs.clone(), with, setup: Setup::default() };
        match tried(ground, &mut combination, &mut draws, seed) {
            Ok(Came::Played) => {
                *met.entry(format!("{} players", combination.setup.players)).or_default() += 1;
                *met.entry(format!("{which} packs")).or_default() += 1;
            }
            Ok(Came::Refused) => refused += 1,
            Err(fault) => faults.push(format!("{}, seed {seed}\n{fault}\n", combination.command())),
        }
    }
    println!("{refused} of {wanted} combinations are refused; games with {met:?}");
    assert!(faults.is_empty(), "{} of {wanted} combinations\n{}", faults.len(), faults.concat());
    assert!(refused * 2 <= wanted, "{refused} of {wanted} combinations are refused");
    // Whatever chance draws, all packs have been played, with several numbers of players.
    assert!(met.len() >= grounds.len() + 4, "{met:?}");
}

#[test]
fn a_set_without_the_base_cards_is_refused_with_one_reason() {
    let (text, mut told) = Ground::of(&[]).with(&[]);
    let setup = Setup { players: 3, options: vec![("set".to_string(), vec!["advanced".to_string()])], ..Setup::default() };
    assert!(compile(&text, &setup, &mut told).is_none());
    let told: Vec<(&str, &str)> = told.iter().map(|wrong| (wrong.code, wrong.message.as_str())).collect();
    assert_eq!(told, [("G012", "every game has the base cards; the other sets are shuffled in with them")]);
}

#[test]
fn it_does_not_matter_which_of_two_variants_is_named_first() {
    for with in [["solo_french", "first_edition"], ["first_edition", "solo_french"]] {
        let (_, told) = Ground::of(&[]).with(&with.map(str::to_string));
        assert!(told.is_empty(), "{with:?}: {told:?}");
    }
}
