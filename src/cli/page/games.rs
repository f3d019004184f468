//! The games of the folder, and what can be chosen of each.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli::load::{Workspace, title};
use crate::lang::GameText;
use crate::lang::compile;
use crate::source::Sources;

/// Lists the games with what can be chosen of each, as JSON. Games that cannot be read are left out: `check` says why.
pub fn games() -> String {
    let workspace = Workspace::of_root(Some(Path::new(".")));
    let packs = workspace.packs();
    let game = |name: String| {
        let mut sources = Sources::new();
        let text = compile::load(&mut sources, workspace.root(), &name, &[], &[], &mut Vec::new())?;
        let of_game = workspace.packs_of(&name, &packs);
        let packs = of_game.iter().map(|folder| folder.strip_prefix(".").unwrap_or(folder).to_string_lossy().replace('\\', "/"));
        Some(page_game(&name, &text, &packs.collect::<Vec<String>>()))
    };
    Value::Array(workspace.games().into_iter().filter_map(game).collect()).to_string()
}

/// Describes a game: the least and the largest number of players; the options, of which some take several values together, or differ by player;
/// folders of packs that extend it; and the kinds of its cards.
fn page_game(name: &str, text: &GameText, packs: &[String]) -> Value {
    let kinds: BTreeSet<&str> = text.content.cards.iter().map(|card| card.kind.text.as_str()).collect();
    let options = text.options().into_iter().map(|(name, option)| {
        json!({
            "name": name,
            "values": option.values,
            "default": option.default,
            "many": option.several,
            "of_seat": option.each_player,
        })
    });
    json!({
        "name": name,
        "title": title(text),
        "players": text.players(),
        "options": options.collect::<Value>(),
        "variants": text.variants.iter().map(|(name, words)| json!({ "name": name, "words": words })).collect::<Value>(),
        "packs": packs,
        "kinds": kinds,
    })
}
