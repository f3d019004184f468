//! Finds cards that can never come up: in no deck with any option, in no printed list, placed by no rule, or in a deck that is never
//! drawn from. The responsible key is found by trying other values for it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::first_game::play_while;
use crate::agent::AgentKind;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::ruleset::Shape;
use crate::engine::{Game, Ruleset, Scripts};
use crate::lang::defs::{DefKind, OptionDef, PlaceShape};
use crate::lang::{GameText, Setup, compile};
use crate::pack::{RawCard, Text};
use crate::source::Span;
use crate::state::chance::seed_of_game;
use crate::state::layout::BOX;

/// Number of games for each setting in which decks are observed.
const GAMES_PER_SETTING: u64 = 2;
/// Maximum number of questions for which a game is observed.
const MAX_QUESTIONS: usize = 5_000;
/// Maximum number of combinations of options.
const MAX_SETTINGS: usize = 40;

/// Creates a script host for rules.
pub type TryMakeScripts<'a> = dyn Fn(&Arc<Ruleset>) -> Option<Box<dyn Scripts>> + 'a;

/// Returns a warning for each card that can never come up.
pub fn unreachable(text: &GameText, scripts: &TryMakeScripts<'_>) -> Vec<Diagnostic> {
    let (fewest, most) = text.players();
    let settings = tried_setups(&text.options(), fewest, most);
    let reached = reached_cards(text, &settings, scripts);
    let lost: Vec<&RawCard> = text.content.cards.iter().filter(|card| !reached.contains(&card.id.text)).collect();
    if lost.is_empty() {
        return Vec::new();
    }
    let reached_with = |change: &mut dyn FnMut(&mut RawCard)| {
        let mut content = text.content.clone();
        content.cards.iter_mut().filter(|card| !reached.contains(&card.id.text)).for_each(change);
        reached_cards(&text.with_content(content), &settings, scripts)
    };
    // Each trial changes one key of all unreachable cards at once.
    let [sets, ages] = alternative_values(text, &lost);
    let of_one_key = sets.iter().map(|set| (DeckKey::Set, set)).chain(ages.iter().map(|age| (DeckKey::Age, age)));
    let mut ways: Vec<(&str, String, BTreeSet<String>)> =
        of_one_key.map(|(key, value)| (key.name(), value.clone(), reached_with(&mut |card| key.write(card, value)))).collect();
    let is_explained = |card: &&RawCard| ways.iter().any(|(.., found)| found.contains(&card.id.text));
    if !lost.iter().all(is_explained) {
        // Two keys may be wrong together.
        let pairs = sets.iter().flat_map(|set| ages.iter().map(move |age| (set, age)));
        for (set, age) in pairs.take(MAX_VALUE_PAIRS) {
            let found = reached_with(&mut |card| {
                DeckKey::Set.write(card, set);
                DeckKey::Age.write(card, age);
            });
            ways.push((BOTH_KEYS, format!("`set = \"{set}\"` and `age = {age}`"), found));
        }
    }
    let mut alike: Vec<(Diagnostic, &RawCard, usize)> = Vec::new();
    for card in lost {
        let fault = diagnostic_of(card, &ways, &text.options(), has_deck(text, &card.kind.text));
        // A line at the top of a file that excludes several cards is reported once.
        match alike.iter_mut().find(|(first, ..)| first.span == fault.span) {
            Some((.., more)) => *more += 1,
            None => alike.push((fault, card, 0)),
        }
    }
    let diagnostics = alike.into_iter().map(|(fault, card, more)| match more {
        0 => fault,
        more => Diagnostic { message: format!("card `{}` and {more} more can never come into the game", card.id.text), ..fault },
    });
    diagnostics.collect()
}

/// The words for a change of both keys at once.
const BOTH_KEYS: &str = "set and age";
/// Maximum number of pairs of values that are tried.
const MAX_VALUE_PAIRS: usize = 30;

/// Whether there is a deck of cards of a kind, whatever its `where` leaves out.
fn has_deck(text: &GameText, kind: &str) -> bool {
    let rules = &text.checked().rules;
    let Some(kind) = rules.defs.kind(kind) else { return false };
    let is_deck = |def| matches!(rules.defs[def].kind, DefKind::Place { shape: PlaceShape::Deck, .. });
    rules.places.iter().any(|place| is_deck(place.def) && (place.kinds == 0 || place.kinds >> kind & 1 == 1))
}

fn diagnostic_of(card: &RawCard, ways: &[(&str, String, BTreeSet<String>)], options: &[(&str, &OptionDef)], has_deck: bool) -> Diagnostic {
    let id = &card.id.text;
    let warning = |span| Diagnostic::warning("C030", span, format!("card `{id}` can never come into the game"));
    let opens = |key: &str| -> Vec<&str> {
        ways.iter().filter(|(of, _, found)| *of == key && found.contains(id)).map(|(_, value, _)| value.as_str()).collect()
    };
    for key in DeckKey::ALL {
        let values = opens(key.name());
        if values.is_empty() {
            continue;
        }
        let (span, written) = key.read(card);
        let label = match &written {
            Some(written) => format!("no deck takes a card with `{} = {written}`", key.name()),
            None => format!("it has no `{}`, so no deck takes it", key.name()),
        };
        let known = format!("`{}` can be {}", key.name(), values.join(", "));
        let meant = written.as_ref().and_then(|written| nearest(written.trim_matches('"'), values.iter().copied()));
        let takes = |option: &&(&str, &OptionDef)| values.iter().all(|value| option.1.values.iter().any(|other| other == value));
        let new = match (key, &written, options.iter().find(takes)) {
            (DeckKey::Set, Some(written), Some((option, _))) if meant.is_none() => {
                Some(format!("a pack adds its own: `extend {option} {{ {} }}`", written.trim_matches('"')))
            }
            _ => None,
        };
        let found = warning(span).label(label).meant(meant).help(known);
        return new.into_iter().fold(found, Diagnostic::help);
    }
    if let Some(way) = opens(BOTH_KEYS).first() {
        return warning(card.span).label("its `set` and its `age` keep it out").help(format!("it would with {way}, for example"));
    }
    let found = warning(card.kind.span);
    if has_deck {
        let found = found.label(format!("what decks take of `{}` leaves it out, or nothing is drawn from them", card.kind.text));
        return found.help("look at `where` of these decks, and whether a rule draws from them");
    }
    let found = found.label(format!("no deck takes its kind `{}`, no card lists it, and no rule puts it anywhere", card.kind.text));
    found.help("look at its `kind`, and at the decks of the rules")
}

/// A key of cards on which the contents of decks depend.
#[derive(Clone, Copy)]
enum DeckKey {
    Set,
    Age,
}

impl DeckKey {
    const ALL: [DeckKey; 2] = [DeckKey::Set, DeckKey::Age];

    fn name(self) -> &'static str {
        match self {
            DeckKey::Set => "set",
            DeckKey::Age => "age",
        }
    }

    fn write(self, card: &mut RawCard, value: &str) {
        match self {
            DeckKey::Set => card.set = Some(Text { text: value.to_owned(), span: card.span }),
            DeckKey::Age => card.age = value.parse().unwrap_or(card.age),
        }
    }

    /// Returns the value of the key on a card, and its location, or the location of the card if the key is missing.
    fn read(self, card: &RawCard) -> (Span, Option<String>) {
        match self {
            DeckKey::Set => card.set.as_ref().map_or((card.span, None), |set| (set.span, Some(format!("\"{}\"", set.text)))),
            DeckKey::Age if card.age == 0 => (card.span, None),
            DeckKey::Age => (card.age_span.unwrap_or(card.span), Some(card.age.to_string())),
        }
    }
}

/// Returns the alternative values of `set` and of `age`: those that options offer, or that other cards of the same kind have.
fn alternative_values(text: &GameText, lost: &[&RawCard]) -> [Vec<String>; 2] {
    let kinds: BTreeSet<&str> = lost.iter().map(|card| card.kind.text.as_str()).collect();
    let alike = || text.content.cards.iter().filter(|card| kinds.contains(card.kind.text.as_str()));
    let offered = text.options().into_iter().filter(|(_, option)| option.several).flat_map(|(_, option)| option.values.clone());
    let sets: BTreeSet<String> = alike().filter_map(|card| card.set.as_ref()).map(|set| set.text.clone()).chain(offered).collect();
    let ages: BTreeSet<i64> = alike().map(|card| card.age).collect();
    [sets.into_iter().collect(), ages.into_iter().map(|age| age.to_string()).collect()]
}

/// Returns the combinations of options that are tried: one with everything that can be chosen together, then one for each value of each
/// other option.
fn tried_setups(options: &[(&str, &OptionDef)], fewest: usize, most: usize) -> Vec<Setup> {
    let several = options.iter().filter(|(_, option)| option.several);
    let all: Vec<(String, Vec<String>)> = several.map(|(name, option)| (name.to_string(), option.values.clone())).collect();
    let first = Setup { players: most, options: all.clone(), ..Setup::default() };
    let fewer = Setup { players: fewest, ..first.clone() };
    let others = options.iter().filter(|(_, option)| !option.several && !option.each_player);
    let single = others.flat_map(|(name, option)| option.values.iter().map(move |value| (name.to_string(), vec![value.clone()])));
    let single = single.map(|option| Setup { options: all.iter().cloned().chain([option]).collect(), ..first.clone() });
    [first.clone(), fewer].into_iter().chain(single).take(MAX_SETTINGS).collect()
}

/// Returns the ids of the cards that come up with one of the settings.
fn reached_cards(text: &GameText, settings: &[Setup], scripts: &TryMakeScripts<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for setup in settings {
        // A setting that does not compile is reported elsewhere.
        let Some(rules) = compile(text, setup, &mut Vec::new()).map(Arc::new) else { continue };
        let drawn = scripts(&rules).map(|mut scripts| drawn_decks(&rules, &mut *scripts));
        for (piece, &home) in rules.piece_home.iter().enumerate() {
            let boxed = home as usize <= BOX;
            if boxed || drawn.as_ref().is_none_or(|drawn| drawn.contains(&home)) {
                found.insert(rules.names.text(rules.definition(piece).id).to_string());
            }
        }
    }
    found
}

/// Returns the decks from which cards are drawn in random games. If a game meets a fault, its decks count as drawn from.
fn drawn_decks(rules: &Ruleset, scripts: &mut dyn Scripts) -> BTreeSet<u16> {
    let piles = rules.places.iter().filter(|place| place.shape == Shape::Deck);
    let piles: BTreeSet<u16> = piles.flat_map(|place| place.first_instance..place.first_instance + place.instances).collect();
    let mut drawn = BTreeSet::new();
    for number in 0..GAMES_PER_SETTING {
        let seed = seed_of_game(1, number);
        let full = Game::new(rules, seed);
        let mut note_drawn = |game: &Game| {
            let left = |game: &Game, pile: u16| game.position(rules).pieces_in(pile.into());
            drawn.extend(piles.iter().copied().filter(|pile| left(game, *pile) < left(&full, *pile)));
        };
        let mut asked = 0;
        let ended = play_while(rules, &vec![AgentKind::Random; rules.players], seed, scripts, |game| {
            note_drawn(game);
            asked += 1;
            asked < MAX_QUESTIONS
        });
        match ended {
            Ok(game) if asked < MAX_QUESTIONS => note_drawn(&game),
            Ok(_) | Err(_) => return piles,
        }
    }
    drawn
}
