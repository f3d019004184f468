//! The games of the folder, and what can be chosen of each.

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::cli::load::{Workspace, title};
use crate::lang::GameText;
use crate::lang::compile;
use crate::source::Sources;

/// A game that can be chosen.
#[derive(Serialize)]
struct PageGame {
    name: String,
    title: String,
    /// The least and the largest number of players.
    players: [usize; 2],
    options: Vec<PageOption>,
    variants: Vec<PageVariant>,
    /// Folders of packs that extend it.
    packs: Vec<String>,
    /// The kinds of its cards.
    kinds: Vec<String>,
}

#[derive(Serialize)]
struct PageOption {
    name: String,
    values: Vec<String>,
    /// What holds where nothing is chosen.
    default: Vec<String>,
    /// Whether several values can be chosen together.
    many: bool,
    /// Whether each player chooses.
    of_seat: bool,
}

#[derive(Serialize)]
struct PageVariant {
    name: String,
    words: String,
}

/// Lists the games with what can be chosen of each, as JSON. Games that cannot be read are left out: `check` says why.
pub fn games() -> String {
    let workspace = Workspace::of_root(Some(Path::new(".")));
    let packs = workspace.packs();
    let game = |name: String| {
        let mut sources = Sources::new();
        let text = compile::load(&mut sources, workspace.root(), &name, &[], &[], &mut Vec::new())?;
        let of_game = workspace.packs_of(&name, &packs);
        let packs = of_game.iter().map(|folder| folder.strip_prefix(".").unwrap_or(folder).to_string_lossy().replace('\\', "/"));
        Some(page_game(name, &text, packs.collect()))
    };
    let games: Vec<PageGame> = workspace.games().into_iter().filter_map(game).collect();
    serde_json::to_string(&games).unwrap_or_else(|_| "[]".to_string())
}

fn page_game(name: String, text: &GameText, packs: Vec<String>) -> PageGame {
    let (fewest, most) = text.players();
    let kinds: BTreeSet<&str> = text.content.cards.iter().map(|card| card.kind.text.as_str()).collect();
    PageGame {
        title: title(text).to_string(),
        name,
        players: [fewest, most],
        options: text
            .options()
            .into_iter()
            .map(|(name, option)| PageOption {
                name: name.to_string(),
                values: option.values.clone(),
                default: option.default.clone(),
                many: option.several,
                of_seat: option.each_player,
            })
            .collect(),
        variants: text.variants.iter().map(|(name, words)| PageVariant { name: name.clone(), words: words.clone() }).collect(),
        packs,
        kinds: kinds.into_iter().map(str::to_string).collect(),
    }
}
