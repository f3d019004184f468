//! Every card of the shipped games on one line: a figure that changes shows in review, and no card gets lost on the way.
//! `INSTA_UPDATE=always cargo test` takes over what has changed; read it beside the card itself.

use crate::support::root;
use houserule::pack::{GameContent, RawCard, Spanned, TomlValue, list_games, load_game};
use houserule::source::Sources;

fn content(game: &str) -> GameContent {
    let (mut sources, mut found) = (Sources::new(), Vec::new());
    let content = load_game(&mut sources, Some(root()), game, &[], &mut found).expect("a game");
    assert!(found.is_empty(), "{found:?}");
    content
}

/// A value without its place.
fn written(value: &Spanned) -> String {
    let listed = |values: Vec<String>| values.join(", ");
    match &value.value {
        TomlValue::Integer(number) => number.to_string(),
        TomlValue::Text(text) => text.text.clone(),
        TomlValue::Boolean(truth) => truth.to_string(),
        TomlValue::List(values) => format!("[{}]", listed(values.iter().map(written).collect())),
        TomlValue::Table(keys) => {
            let mut keys: Vec<String> = keys.iter().map(|(key, value)| format!("{} {}", key.text, written(value))).collect();
            keys.sort();
            format!("({})", listed(keys))
        }
    }
}

/// `wonder 3 base versailles "Versailles": sections [4, 0, 1], vp 4 | on.this.ready`
fn line(card: &RawCard) -> String {
    let mut figures: Vec<String> = card.fields.iter().map(|(key, value)| format!("{} {}", key.text, written(value))).collect();
    figures.extend(card.counters.iter().map(|(name, first)| format!("counter {} {first}", name.text)));
    figures.sort();
    let mut entries: Vec<String> = card.entries.iter().map(|entry| format!("{}.{}", entry.kind().header_word(), entry.id.text)).collect();
    entries.extend(card.leaves_when.iter().map(|_| "leaves_when".to_string()));
    entries.sort();
    let set = card.set.as_ref().map_or("-", |set| &set.text);
    let mut line = format!("{} {} {set} {} \"{}\"", card.kind.text, card.age, card.id.text, card.name.text);
    if !figures.is_empty() {
        line.push_str(&format!(": {}", figures.join(", ")));
    }
    if !entries.is_empty() {
        line.push_str(&format!(" | {}", entries.join(", ")));
    }
    line
}

#[test]
fn every_card_is_as_it_was() {
    let games = list_games(Some(root()));
    assert!(games.len() >= 2, "{games:?}");
    for game in games {
        let content = content(&game);
        let mut lines: Vec<String> = content.cards.iter().map(line).collect();
        lines.sort();
        let kinds = content.kinds.iter().map(|kind| {
            let entries: Vec<String> =
                kind.entries.iter().map(|entry| format!("{}.{}", entry.kind().header_word(), entry.id.text)).collect();
            format!("kind {}: {}", kind.id.text, entries.join(", "))
        });
        lines.extend(kinds);
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("cards_of_{game}"), lines.join("\n"));
        });
    }
}
