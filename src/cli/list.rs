//! `houserule list`: lists games, packs, variants and cards.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use super::args::ListArgs;
use super::language::languages_of_game;
use super::load::{Workspace, title};
use super::output::{OutputFile, color, count, print, show_diagnostics, usage_error};
use super::result::{CommandResult, ExitReason};
use crate::lang::compile::{self, GameText};
use crate::pack::{Translations, parse_manifest};
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
    let chosen = workspace.chosen_games(args.game.as_deref())?;
    workspace.expect_language(&chosen, &args.pack)?;
    for game in chosen {
        let mut sources = Sources::new();
        let mut diagnostics = Vec::new();
        let packs = if args.game.is_some() { args.pack.clone() } else { workspace.packs_of(&game, &args.pack) };
        let text = compile::load(&mut sources, workspace.root(), &game, &packs, &[], &mut diagnostics);
        // A game with errors does not hide the others.
        done = done.and(show_diagnostics(&sources, &diagnostics));
        match text {
            Some(text) => {
                let names = workspace.load_names(&sources, &text.content)?;
                games.push((list_game(&text, &names, languages_of_game(workspace.root(), &game, &packs)), names));
            }
            None => done = Err(ExitReason::Findings),
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
    let mut ages: Vec<i64> = game.cards.iter().map(|card| card.age).collect();
    ages.sort_unstable();
    ages.dedup();
    let mut kinds: BTreeMap<&str, BTreeMap<i64, usize>> = BTreeMap::new();
    for card in &game.cards {
        *kinds.entry(&card.kind).or_default().entry(card.age).or_default() += 1;
    }
    let mut table = TextTable::new(1);
    let age_name = |age: &i64| if *age == 0 { "no age".to_string() } else { format!("age {age}") };
    table.row(["cards".to_string()].into_iter().chain(ages.iter().map(age_name)).chain(["all".to_string()]));
    for (kind, counts) in &kinds {
        let cells = ages.iter().map(|age| counts.get(age).map_or("-".to_string(), usize::to_string));
        let all = counts.values().sum::<usize>().to_string();
        table.row([names.kind(kind).to_string()].into_iter().chain(cells).chain([all]));
    }
    let in_age = |age: &i64| game.cards.iter().filter(|card| card.age == *age).count().to_string();
    let all = game.cards.len().to_string();
    table.row(["all".to_string()].into_iter().chain(ages.iter().map(in_age)).chain([all]));
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

/// Lists the ids of cards by kind in order of their ages, with translated names if a language was chosen.
fn card_ids_by_kind(game: &ListedGame, names: &Translations) -> String {
    let mut kinds: BTreeMap<&str, Vec<&ListedCard>> = BTreeMap::new();
    for card in &game.cards {
        kinds.entry(&card.kind).or_default().push(card);
    }
    let mut text = String::new();
    let called = |card: &ListedCard| if names.has_cards() { format!("{} ({})", card.id, card.name) } else { card.id.clone() };
    for (kind, mut cards) in kinds {
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
        let mut sources = Sources::new();
        let file = sources.read_file(&folder.join("pack.toml")).ok();
        let manifest = file.and_then(|file| parse_manifest(file, sources.text(file), &mut Vec::new()));
        let (name, extends) = match manifest {
            Some(manifest) => (format!("{} {}", manifest.name, manifest.version), manifest.extends.unwrap_or_default()),
            None => ("(cannot be read; try `check`)".to_string(), String::new()),
        };
        table.row([name, extends, folder.display().to_string()]);
    }
    format!("{}{}", heading("packs, for --pack: name, what it extends, folder", color), table.text(2))
}
