//! `houserule words`: what can be written, from the tables that the checker itself uses.

use serde::Serialize;

use super::Done;
use super::args::WordsArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, color, place, print, wrong};
use crate::diagnostic::nearest;
use crate::engine::Ruleset;
use crate::engine::ruleset::{Lifetime, PlaceDecl, Shape, Variable, VariableSort};
use crate::engine::types::Called;
use crate::lang::syntax::address::all_addresses;
use crate::lang::syntax::reference::reference;
#[cfg(test)]
use crate::lang::syntax::reference::{EXAMPLE_CARDS, EXAMPLE_GAME};
use crate::lang::{GameText, Setup};
use crate::pack::schema::tables;
use crate::playtest::table::{WIDTH, heading};
use crate::script::{natives, natives_of};
use crate::source::{Sources, Span};

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Word {
    /// The heading that it stands under.
    sort: String,
    /// What is looked up.
    name: String,
    /// How it is written.
    pattern: String,
    /// What it does, or where it stands.
    doc: String,
    /// An example.
    example: String,
}

/// Shows words.
pub fn words(ground: &Ground, args: &WordsArgs) -> Done {
    let json = Out::open_if(args.json.as_ref())?;
    let mut all = language();
    for game in ground.chosen_games(args.game.as_deref())? {
        let mut sources = Sources::new();
        let packs = if args.game.is_some() { args.pack.clone() } else { ground.packs_of(&game, &args.pack) };
        let text = ground.text(&mut sources, &game, &packs, &[])?;
        let setup = Setup { players: players(&text, None)?, ..Setup::default() };
        let rules = compiled(&sources, &text, &setup)?;
        all.extend(declared(&rules, &text, &sources));
    }
    let Some(word) = &args.word else {
        return match json {
            Some(json) => json.json(&all),
            None => {
                print(&listed(&all, color()));
                Ok(())
            }
        };
    };
    let found = matching(&all, word);
    if found.is_empty() {
        let known = all.iter().map(|found| found.name.as_str());
        return match nearest(word, known) {
            Some(meant) => wrong(format!("there is no word `{word}`; did you mean `{meant}`?")),
            None => wrong(format!("there is no word `{word}`; `houserule words` lists them all")),
        };
    }
    match json {
        Some(json) => json.json(&found),
        None => {
            found.iter().for_each(|word| print(&shown(word, color())));
            Ok(())
        }
    }
}

/// The words that are called so; without any, those with the word in their pattern or address.
fn matching(all: &[Word], word: &str) -> Vec<Word> {
    let chosen = |wanted: &dyn Fn(&Word) -> bool| all.iter().filter(|found| wanted(found)).cloned().collect::<Vec<_>>();
    let exact = chosen(&|found| found.name == word);
    let also = |found: &Word| found.pattern.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|part| part == word);
    let mut found = exact;
    for other in chosen(&also) {
        if !found.contains(&other) {
            found.push(other);
        }
    }
    found
}

/// What the language and the scripts know in every game.
fn language() -> Vec<Word> {
    let written = reference().written().map(|construct| Word {
        sort: chapter(&construct.chapter),
        name: construct
            .form
            .split(|letter: char| !letter.is_alphanumeric())
            .find(|word| is_word(word))
            .unwrap_or(&construct.rule)
            .to_string(),
        pattern: construct.form.clone(),
        doc: construct.meaning.clone(),
        example: construct.examples.join("\n"),
    });
    let natives = natives().iter().map(|native| Word {
        sort: "scripts: natives".to_string(),
        name: native.name.to_string(),
        pattern: native.signature(),
        doc: native.doc.to_string(),
        example: native.example.to_string(),
    });
    let mut words: Vec<Word> = written.collect();
    words.extend(natives);
    for table in tables() {
        let sort = format!("cards and packs: {}", table.header);
        words.push(Word {
            sort: sort.clone(),
            name: table.header.trim_matches(['[', ']']).to_string(),
            pattern: table.header.to_string(),
            doc: table.doc.to_string(),
            example: String::new(),
        });
        words.extend(table.keys.iter().map(|key| Word {
            sort: sort.clone(),
            name: key.name.to_string(),
            pattern: key.example.to_string(),
            doc: key.doc.to_string(),
            example: key.example.to_string(),
        }));
    }
    words
}

/// `8. Statements` of the grammar is `rules: statements` here.
fn chapter(title: &str) -> String {
    let title = title.split_once(". ").map_or(title, |(_, title)| title).to_lowercase();
    if title.starts_with("scenarios") { title } else { format!("rules: {title}") }
}

/// Whether it stands for itself in a form.
fn is_word(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_lowercase())
}

/// What the rules of a game declare.
fn declared(rules: &Ruleset, text: &GameText, sources: &Sources) -> Vec<Word> {
    let addresses = all_addresses(&mut text.tree.clone());
    // What is declared under an address: its first line is the best explanation.
    let at = |wanted: &str| {
        let found = addresses.iter().find(|(address, _)| address == wanted || address.ends_with(&format!(".{wanted}")));
        found.map(|(_, span)| line(sources, *span)).unwrap_or_default()
    };
    let mut words = Vec::new();
    let mut add = |sort: &str, name: &str, pattern: String, doc: String, example: String| {
        words.push(Word { sort: format!("{}: {sort}", rules.game), name: name.to_string(), pattern, doc, example });
    };
    for resource in &rules.resources {
        let name = rules.names.text(*resource);
        add("resources", name, name.to_string(), "a resource of each player".into(), format!("gain 1 {name}"));
    }
    for (owner, variables) in [("each player", &rules.seat), ("the table", &rules.table), ("each piece of a card", &rules.piece)] {
        for variable in variables.iter().filter(|variable| is_declared(variable)) {
            let name = &variable.name;
            add("counters, flags, sets and tallies", name, name.clone(), variable_doc(variable, owner), format!("{name} = 1"));
        }
    }
    for kind in &rules.kinds {
        let name = rules.names.text(kind.name);
        add("kinds", name, name.to_string(), at(&format!("kind.{name}")), format!("kind = \"{name}\""));
    }
    for place in &rules.places {
        let owner = if place.of_seat { "p1." } else { "" };
        let row = if matches!(place.shape, Shape::Grid { .. }) { " row 1 column 1" } else { "" };
        add("places", &place.name, place.name.clone(), place_doc(rules, place), format!("put CARD in {owner}{}{row}", place.name));
    }
    for moment in &rules.moments {
        add("moments", moment, moment.clone(), at(moment), format!("when = \"{moment}\""));
    }
    let (stats, others): (Vec<_>, Vec<_>) = rules.quantities.iter().partition(|quantity| quantity.stat);
    for quantity in stats.into_iter().chain(others) {
        let pattern = with_parameters(&quantity.name, quantity.args);
        let sort = if quantity.stat { "stats, which cards may change" } else { "quantities that cards may change" };
        add(sort, &quantity.name, pattern, at(&quantity.name), format!("[[card.change]] what = \"{}\"", quantity.name));
    }
    for (name, _) in &rules.conditions {
        add("conditions", name, name.clone(), at(&format!("condition.{}", name.replace(' ', "_"))), format!("if = \"{name}\""));
    }
    for found in rules.signatures.iter().filter(|found| matches!(found.called, Called::Expression(_)) && !found.name.contains(' ')) {
        let (name, parameters) = (&found.name, found.params.len() as u8);
        if !rules.conditions.iter().any(|condition| condition.0 == *name) {
            add("definitions", name, with_parameters(name, parameters), at(name), String::new());
        }
    }
    for effect in rules.effects.iter().filter(|effect| !effect.name.contains(' ')) {
        let pattern = with_parameters(&effect.name, effect.params);
        add("effects", &effect.name, pattern.clone(), at(&effect.name), format!("do {pattern}"));
    }
    for action in &rules.actions {
        let name = rules.names.text(action.name);
        add("actions", name, name.to_string(), at(&action.address), format!("[[card.forbid]] action = \"{name}\""));
    }
    for name in &rules.named {
        let doc = "what a statement does `for` it, a card may do otherwise".into();
        add("losses and draws that cards may replace", name, name.clone(), doc, format!("[[card.instead]] of = \"{name}\""));
    }
    for (signature, doc) in natives_of(rules) {
        let name = signature.split('(').next().unwrap_or("").to_string();
        add("what scripts can call besides", &name, signature, doc, String::new());
    }
    for (address, span) in &addresses {
        // What has a value is most often given another.
        let statement = line(sources, *span);
        let before = statement.split('{').next().unwrap_or("");
        let valued = before.contains('=') || address.contains('.') && before.contains(": ");
        let verb = if valued { format!("change {address} to …") } else { format!("replace {address} …") };
        let example = format!("{verb}   (it stands in {})", place(sources, *span));
        add("addresses", address, address.clone(), line(sources, *span), example);
    }
    words
}

/// Resources are listed by themselves; names in several words are the program's own.
fn is_declared(variable: &Variable) -> bool {
    variable.sort != VariableSort::Resource && !variable.name.contains(' ')
}

fn variable_doc(variable: &Variable, owner: &str) -> String {
    let sort = match variable.sort {
        VariableSort::Counter => "a counter",
        VariableSort::Resource => "a resource",
        VariableSort::Flag => "a flag",
        VariableSort::Set => "a set",
        VariableSort::Tally => "a tally",
    };
    match variable.lifetime {
        Lifetime::Game => format!("{sort} of {owner}"),
        lifetime => format!("{sort} of {owner}, back to 0 with each {}", lifetime.word()),
    }
}

fn place_doc(rules: &Ruleset, place: &PlaceDecl) -> String {
    let kinds = rules.kinds.iter().enumerate().filter(|(index, _)| place.kinds >> index & 1 == 1);
    let kinds: Vec<&str> = kinds.map(|(_, kind)| rules.names.text(kind.name)).collect();
    let of = match kinds.len() {
        all if all == 0 || all == rules.kinds.len() => "cards of all kinds".to_string(),
        _ => kinds.join(", "),
    };
    let owner = if place.of_seat { "each player's" } else { "the table's" };
    match place.shape {
        Shape::Deck => format!("{owner} deck of {of}"),
        Shape::Grid { rows, columns } => format!("{owner} grid of {rows} rows and {columns} columns for {of}"),
        Shape::Slots => format!("{owner} slots for {of}"),
    }
}

fn with_parameters(name: &str, count: u8) -> String {
    if count == 0 { name.to_string() } else { format!("{name}({})", vec!["…"; count as usize].join(", ")) }
}

/// The first line of what stands at a place.
fn line(sources: &Sources, span: Span) -> String {
    let text = sources.slice(span).lines().next().unwrap_or("");
    let text = text.split("//").next().unwrap_or("").trim_end();
    text.strip_suffix('{').unwrap_or(text).trim_end().to_string()
}

/// Patterns longer than this have what they do on the next line.
const PATTERN: usize = 44;

fn listed(all: &[Word], color: bool) -> String {
    let mut text = String::new();
    for sort in all.chunk_by(|a, b| a.sort == b.sort) {
        text.push_str(&heading(sort.first().map_or("", |word| &word.sort), color));
        let lengths = sort.iter().map(|word| word.pattern.chars().count());
        let width = lengths.filter(|length| *length <= PATTERN).max().unwrap_or(0);
        for word in sort {
            let doc = if word.doc == word.pattern { String::new() } else { shortened(&word.doc, WIDTH - 4 - width) };
            let line = if word.pattern.chars().count() > width {
                format!("  {}\n  {:width$}  {doc}", word.pattern, "")
            } else {
                format!("  {:width$}  {doc}", word.pattern)
            };
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

fn shown(word: &Word, color: bool) -> String {
    let mut text = heading(&word.pattern, color);
    text.push_str(&format!("  ({})\n", word.sort));
    if !word.doc.is_empty() && word.doc != word.pattern {
        text.push_str(&format!("  {}\n", word.doc));
    }
    for example in word.example.lines() {
        text.push_str(&format!("  for example: {example}\n"));
    }
    text
}

/// The reference of the language as a page.
#[cfg(test)]
fn page(words: &[Word]) -> String {
    let mut text =
        "# The language\n\nMade from the grammar (`grammar/*.pest`), the tables of keys and the table of natives; do not edit it. \
         `houserule words WORD` shows a part of it, with what a game declares. In a form, small letters stand for themselves, capitals are \
         what is put there, `[ … ]` may be left out. All examples speak of the small game at the end; a test runs each of them in it.\n"
            .to_string();
    for sort in words.chunk_by(|a, b| a.sort == b.sort) {
        text.push_str(&format!("\n## {}\n", sort.first().map_or("", |word| &word.sort)));
        for word in sort {
            text.push_str(&format!("\n**`{}`**", word.pattern));
            if !word.doc.is_empty() {
                text.push_str(&format!(": {}", word.doc));
            }
            text.push('\n');
            if !word.example.is_empty() && word.example != word.pattern {
                text.push_str(&format!("\n    {}\n", word.example.replace('\n', "\n    ")));
            }
        }
    }
    format!("{text}\n## The game of the examples\n\n```rules\n{EXAMPLE_GAME}```\n\n```toml\n{EXAMPLE_CARDS}```\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With `UPDATE_DOCS=1` the page is written anew.
    #[test]
    fn the_page_of_the_language_says_what_the_tables_say() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language.md");
        let page = page(&language());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            std::fs::write(&path, &page).expect("written");
        }
        assert!(std::fs::read_to_string(&path).is_ok_and(|found| found == page), "run this test with UPDATE_DOCS=1");
    }

    #[test]
    fn words_are_found_by_any_of_their_words() {
        let all = language();
        for word in ["grid", "deck", "resource", "tally", "flag", "step", "gain", "ties", "because", "repeat", "when", "worth"] {
            let found = matching(&all, word);
            assert!(!found.is_empty() && found.iter().all(|found| !found.doc.is_empty()), "{word}");
        }
        assert_eq!(matching(&all, "grid")[0].pattern, "grid NAME NUMBER by NUMBER");
        assert!(matching(&all, "gian").is_empty());
    }
}
