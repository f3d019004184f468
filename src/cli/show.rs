//! `houserule show`: shows a card with its printed values, effects and location, or the picture of a board.

mod board;

pub use board::{boards_after_set_up, boards_of_first_game};

use std::path::PathBuf;

use serde_json::{Value, json};

use super::args::ShowArgs;
use super::load::Workspace;
use super::output::{OutputFile, check_outputs, color, count, print, unknown_name, usage_error};
use super::result::{CommandResult, ExitReason};
use crate::diagnostic::nearest;
use crate::lang::compile::GameText;
use crate::pack::{RawCard, RawEntry, Spanned, TomlValue, Translations};
use crate::playtest::table::{TextTable, heading, paragraph, wrapped};
use crate::source::Sources;
use crate::table::value_text;

/// Runs `houserule show`.
pub fn show(workspace: &Workspace, args: &ShowArgs) -> CommandResult {
    check_outputs(&[("--json", &args.json), ("--svg", &args.svg)], None, args.replay.iter().map(PathBuf::as_path))?;
    let json = OutputFile::open_if(args.json.as_ref())?;
    let (game, asked) = parse_target(workspace, args)?;
    let (mut known, mut found, mut with_board) = (Vec::new(), Vec::new(), Vec::new());
    for subject in workspace.chosen_games(game.as_deref(), &args.pack)? {
        let mut sources = Sources::new();
        let text = workspace.load_text(&mut sources, &subject.game, &subject.packs, &[])?;
        let names = workspace.load_names(&sources, &text.content)?;
        let checked = text.checked();
        let boards = || checked.rules.boards.iter().map(|board| &board.name);
        let spaces: Vec<&RawCard> = checked.cards().iter().filter(|card| boards().any(|board| *board == card.kind.text)).collect();
        known.extend(spaces.iter().map(|space| space.id.text.clone()));
        for card in text.content.cards.iter().chain(spaces).filter(|card| has_name(card, &names, &asked)) {
            if json.is_none() {
                print(&card_as_text(&sources, &text, card, &names, color()));
            }
            found.push(as_json(&sources, &text, card, &names));
        }
        // Parts of cards are drawn on their cards.
        let drawn = || checked.rules.boards.iter().filter(|board| board.parts().is_none()).map(|board| &board.name);
        if drawn().any(|board| *board == asked) {
            with_board.push(subject.game);
        }
        known.extend(drawn().cloned());
        known.extend(text.content.cards.iter().map(|card| card.id.text.clone()));
        known.extend(names.cards().map(|named| named.name.text.clone()));
    }
    if !found.is_empty() {
        if args.svg.is_some() || args.replay.is_some() || args.eyes.is_some() || args.players.is_some() {
            return usage_error(format!("`{asked}` is no board, and `--svg`, `--replay`, `--eyes` and `--players` are about boards"));
        }
        return json.map_or(Ok(()), |json| json.write_json(&found));
    }
    match with_board.as_slice() {
        [] => {}
        [game] => return board::show_board(workspace, args, game, &asked, json),
        games => return usage_error(format!("which `{asked}` is meant? There is one in {}", games.join(", "))),
    }
    let id = asked.to_lowercase().replace([' ', '-'], "_").replace('\'', "");
    let known = || known.iter().map(String::as_str);
    let meant = nearest(&id, known()).or_else(|| nearest(&asked, known()));
    unknown_name(&format!("there is no card `{asked}`"), meant, "`houserule list GAME cards` lists them")
}

/// Parses the arguments: the game, which may be named before the card or by an option, and the card, whose name may have several words.
fn parse_target(workspace: &Workspace, args: &ShowArgs) -> Result<(Option<String>, String), ExitReason> {
    let (words, game) = match args.card.split_first() {
        Some((first, rest)) if !rest.is_empty() && workspace.games().contains(first) => (rest, Some(first.clone())),
        _ => (&args.card[..], None),
    };
    match (&game, &args.game) {
        (Some(one), Some(other)) if one != other => usage_error(format!("which game is meant, `{one}` or `{other}`?")),
        _ => Ok((game.or(args.game.clone()), words.join(" "))),
    }
}

fn has_name(card: &RawCard, names: &Translations, name: &str) -> bool {
    let mut called = card.alt_names.iter().chain([&card.name]).map(|name| name.text.as_str()).chain([names.card(card)]);
    card.id.text == name || called.any(|called| called.to_lowercase() == name.to_lowercase())
}

/// Returns what a card and its kind do, with the word of the owner.
fn entries_of<'t>(text: &'t GameText, card: &'t RawCard) -> impl Iterator<Item = (&'static str, &'t RawEntry)> {
    let kinds = text.content.kinds.iter().filter(|kind| kind.id.text == card.kind.text);
    card.entries.iter().map(|entry| ("card", entry)).chain(kinds.flat_map(|kind| &kind.entries).map(|entry| ("kind", entry)))
}

/// Describes a card as JSON, with its game, since several games may have the same card.
fn as_json(sources: &Sources, text: &GameText, card: &RawCard, names: &Translations) -> Value {
    let entries = entries_of(text, card).map(|(owner, entry)| {
        let written: Value = entry.written.iter().map(|(key, value)| (key.text.clone(), sources.slice(*value))).collect();
        let replaces = entry.replaces.map(|span| sources.place(span));
        json!({ "entry": entry.kind().header_word(), "of": owner, "at": sources.place(entry.span), "replaces": replaces, "written": written })
    });
    let entries: Vec<Value> = entries.collect();
    let fields: Value = card.fields.iter().map(|(name, value)| (name.text.clone(), json_of(value))).collect();
    let patched = card.fields.iter().filter(|(_, value)| value.span.file != card.span.file);
    let patched: Value = patched.map(|(name, _)| (name.text.clone(), sources.place(name.span))).collect();
    let counters: Value = card.counters.iter().map(|(name, first)| (name.text.clone(), json!(first))).collect();
    json!({
        "is": "card",
        "game": text.content.game,
        "id": card.id.text,
        "name": names.card(card),
        "printed": card.name.text,
        "also": card.alt_names.iter().map(|name| &name.text).collect::<Vec<_>>(),
        "kind": card.kind.text,
        "age": card.age,
        "copies": card.copies,
        "set": card.set.as_ref().map(|set| &set.text),
        "pack": card.pack,
        "at": sources.place(card.span),
        "text": card.said().map(|text| &text.text),
        "fields": fields,
        "patched": patched,
        "counters": counters,
        "leaves_when": card.leaves_when.as_ref().map(|when| &when.text),
        "entries": entries,
        "tests": card.tests.len(),
    })
}

fn json_of(value: &Spanned) -> Value {
    match &value.value {
        TomlValue::Integer(number) => json!(number),
        TomlValue::Text(text) => json!(text.text),
        TomlValue::Boolean(truth) => json!(truth),
        TomlValue::List(values) => values.iter().map(json_of).collect(),
        TomlValue::Table(keys) => keys.iter().map(|(key, value)| (key.text.clone(), json_of(value))).collect(),
    }
}

fn card_as_text(sources: &Sources, text: &GameText, card: &RawCard, names: &Translations, color: bool) -> String {
    let mut out = heading(&format!("{} ({})", names.card(card), card.id.text), color);
    let mut facts = vec![text.content.game.clone(), names.kind(&card.kind.text).to_string()];
    if card.age != 0 {
        facts.push(format!("age {}", card.age));
    }
    facts.extend(card.copies.map(|copies| format!("copies {copies}")));
    facts.extend(card.set.as_ref().map(|set| format!("set {}", names.translate_word(&set.text))));
    // Spaces of boards are of no pack: rules declare them.
    if card.pack != text.content.game && !card.pack.is_empty() {
        facts.push(format!("from pack {}", card.pack));
    }
    out.push_str(&format!("  {}\n  {}\n", facts.join(", "), sources.place(card.span)));
    let printed = Some(&card.name.text).filter(|printed| *printed != names.card(card));
    let others: Vec<String> = printed.into_iter().chain(card.alt_names.iter().map(|name| &name.text)).cloned().collect();
    if !others.is_empty() {
        out.push_str(&wrapped(2, "also called: ", others));
    }
    if let Some(words) = card.said() {
        out.push_str(&paragraph(2, "", &words.text.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    let mut figures = TextTable::new(2);
    for (name, value) in &card.fields {
        let patched = if value.span.file == card.span.file { String::new() } else { format!("  ({})", sources.place(name.span)) };
        figures.row([names.translate_word(&name.text), format!("{}{patched}", value_text(value, text, names))]);
    }
    for (name, first) in &card.counters {
        figures.row([format!("counter {}", names.translate_word(&name.text)), first.to_string()]);
    }
    if let Some(when) = &card.leaves_when {
        figures.row(["leaves when".to_string(), when.text.clone()]);
    }
    out.push_str(&figures.text(2));
    out.extend(entries_of(text, card).map(|(owner, entry)| entry_text(sources, owner, entry)));
    if !card.tests.is_empty() {
        let first = card.tests.first().map_or(card.span, |test| test.span);
        out.push_str(&format!("  {}, from {}\n", count(card.tests.len(), "test"), sources.place(first)));
    }
    out.push('\n');
    out
}

/// Returns the text of `[[card.on]]` with its keys as written.
fn entry_text(sources: &Sources, owner: &str, entry: &RawEntry) -> String {
    let header = format!("[[{owner}.{}]]", entry.kind().header_word());
    let instead = entry.replaces.map(|span| format!(", in place of {}", sources.place(span))).unwrap_or_default();
    let mut out = format!("  {header}  {}{instead}\n", sources.place(entry.span));
    let width = entry.written.iter().map(|(key, _)| key.text.len()).max().unwrap_or(0);
    for (key, value) in &entry.written {
        let source = entry.source_of(sources, key, *value);
        let lines: Vec<&str> = source.lines().collect();
        let first = lines.first().copied().unwrap_or("");
        out.push_str(&format!("    {:width$} = {first}\n", key.text));
        for line in lines.iter().skip(1) {
            out.push_str(&format!("      {line}\n"));
        }
    }
    out
}
