//! `houserule list`: lists games, packs, variants and cards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Serialize;

use super::args::ListArgs;
use super::language::languages_of_game;
use super::load::{Workspace, title};
use super::output::{OutputFile, color, count, print, reported, usage_error};
use super::result::CommandResult;
use super::subject::{GameWithPacks, manifest_of};
use crate::lang::compile::{self, GameText};
use crate::pack::Translations;
use crate::playtest::table::{TextTable, heading, wrapped};
use crate::source::Sources;

#[derive(Serialize)]
struct ListedGame {
    game: String,
    title: String,
    players: [usize; 2],
    variants: Vec<ListedVariant>,
    packs: Vec<String>,
    languages: Vec<String>,
    cards: Vec<ListedCard>,
}

#[derive(Serialize)]
struct ListedVariant {
    name: String,
    title: String,
}

#[derive(Serialize)]
struct ListedCard {
    id: String,
    name: String,
    kind: String,
    age: i64,
    set: Option<String>,
    pack: String,
}

/// Runs `houserule list`.
pub fn list(workspace: &Workspace, args: &ListArgs) -> CommandResult {
    let json = OutputFile::open_if(args.json.as_ref())?;
    let mut done = Ok(());
    let mut games = Vec::new();
    for GameWithPacks { root, game, packs } in workspace.chosen_games(args.game.as_deref(), &args.pack)? {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let text = compile::load(&mut sources, root.as_deref(), &game, &packs, &[], &mut diagnostics);
        // A game with errors does not hide the others.
        done = done.and(reported(&sources, &diagnostics, text.as_ref()).map(|_| ()));
        if let Some(text) = text {
            let names = workspace.load_names(&sources, &text.content)?;
            games.push((list_game(&text, &names, languages_of_game(root.as_deref(), &game, &packs)), names));
        }
    }
    if let Some(json) = json {
        json.write_json(&games.iter().map(|(game, _)| game).collect::<Vec<_>>())?;
    } else if args.what.is_some() {
        let Some((game, names)) = games.first() else { return usage_error("there is no game here") };
        print(&card_ids_by_kind(game, names));
    } else {
        for (game, names) in &games {
            print(&game_as_text(game, names, color()));
        }
        print(&loose_packs(&workspace.packs(), color()));
    }
    done
}

fn list_game(text: &GameText, names: &Translations, languages: Vec<String>) -> ListedGame {
    let (fewest, most) = text.players();
    let variants = text.variants.iter();
    let variants =
        variants.map(|(name, title)| ListedVariant { name: name.clone(), title: names.known_word(name).unwrap_or(title.clone()) });
    let manifests = text.content.packs.iter().map(|pack| &pack.manifest);
    let cards = text.content.cards.iter().map(|card| ListedCard {
        id: card.id.text.clone(),
        name: names.card(card).to_string(),
        kind: card.kind.text.clone(),
        age: card.age,
        set: card.set.as_ref().map(|set| set.text.clone()),
        pack: card.pack.clone(),
    });
    ListedGame {
        game: text.content.game.clone(),
        title: names.title(title(text)).to_string(),
        players: [fewest, most],
        variants: variants.collect(),
        packs: manifests.map(|manifest| format!("{} {}", manifest.name, manifest.version)).collect(),
        languages,
        cards: cards.collect(),
    }
}

fn game_as_text(game: &ListedGame, names: &Translations, color: bool) -> String {
    let [fewest, most] = game.players;
    let number = if fewest == most { format!("{most}") } else { format!("{fewest} to {most}") };
    let mut text = heading(&format!("{}: {}, {number} players", game.game, game.title), color);
    let ages: BTreeSet<i64> = game.cards.iter().map(|card| card.age).collect();
    let mut table = TextTable::new(1);
    let age_name = |age: &i64| if *age == 0 { "no age".to_string() } else { format!("age {age}") };
    table.row(["cards".to_string()].into_iter().chain(ages.iter().map(age_name)).chain(["all".to_string()]));
    let kinds = cards_by_kind(game).into_iter().map(|(kind, cards)| (names.kind(kind), cards));
    for (name, cards) in kinds.chain([("all", game.cards.iter().collect())]) {
        let in_age = |age: &i64| match cards.iter().filter(|card| card.age == *age).count() {
            0 => "-".to_string(),
            count => count.to_string(),
        };
        table.row([name.to_string()].into_iter().chain(ages.iter().map(in_age)).chain([cards.len().to_string()]));
    }
    text.push_str(&table.text(2));
    let variants = game.variants.iter().map(|variant| {
        if variant.title.is_empty() || variant.title == variant.name {
            variant.name.clone()
        } else {
            format!("{} ({})", variant.name, variant.title)
        }
    });
    if !game.variants.is_empty() {
        text.push_str(&wrapped(2, "variants, for --with: ", variants));
    }
    if game.languages.len() > 1 {
        text.push_str(&wrapped(2, "languages, for --lang: ", game.languages.iter().cloned()));
    }
    if !game.packs.is_empty() {
        text.push_str(&wrapped(2, "packs: ", game.packs.iter().cloned()));
    }
    text.push('\n');
    text
}

fn cards_by_kind(game: &ListedGame) -> BTreeMap<&str, Vec<&ListedCard>> {
    let mut kinds: BTreeMap<&str, Vec<&ListedCard>> = BTreeMap::new();
    game.cards.iter().for_each(|card| kinds.entry(&card.kind).or_default().push(card));
    kinds
}

/// Lists the ids of cards by kind in order of their ages, with translated names if a language was chosen.
fn card_ids_by_kind(game: &ListedGame, names: &Translations) -> String {
    let mut text = String::new();
    let called = |card: &ListedCard| if names.has_cards() { format!("{} ({})", card.id, card.name) } else { card.id.clone() };
    for (kind, mut cards) in cards_by_kind(game) {
        cards.sort_by_key(|card| (card.age, card.id.as_str()));
        text.push_str(&format!("{}: {}\n", names.kind(kind), count(cards.len(), "card")));
        for age in cards.chunk_by(|a, b| a.age == b.age) {
            let first = age.first().map_or(0, |card| card.age);
            let name = if first == 0 { String::new() } else { format!("age {first}: ") };
            text.push_str(&wrapped(2, &name, age.iter().map(|card| called(card))));
        }
    }
    text
}

/// Lists the packs next to the games, which can be added with `--pack`.
fn loose_packs(folders: &[PathBuf], color: bool) -> String {
    if folders.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new(3);
    for folder in folders {
        let (name, extends) = match manifest_of(folder) {
            Some(manifest) => (format!("{} {}", manifest.name, manifest.version), manifest.extends.unwrap_or_default()),
            None => ("(cannot be read; try `check`)".to_string(), String::new()),
        };
        table.row([name, extends, folder.display().to_string()]);
    }
    format!("{}{}", heading("packs, for --pack: name, what it extends, folder", color), table.text(2))
}
