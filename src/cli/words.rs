//! `houserule words`: what can be written, from the tables that the checker itself uses.

mod declared;
#[cfg(test)]
mod tests;

use serde::Serialize;
use std::collections::BTreeSet;

use super::Done;
use super::args::WordsArgs;
use super::load::{Ground, compiled, players};
use super::output::{Out, color, count, print, say, wrong};
use crate::diagnostic::{Severity, has_errors, nearest};
use crate::lang::built_in::BUILT_INS;
use crate::lang::{Setup, compile};
use crate::pack::Names;
use crate::pack::schema::tables;
use crate::playtest::table::{WIDTH, heading};
use crate::script::natives;
use crate::source::Sources;
use crate::syntax::reference::reference;
use declared::declared;

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
    /// Examples, one a line.
    example: String,
    /// Words that stand for themselves in it, and that its pattern leaves out.
    #[serde(skip)]
    also: BTreeSet<String>,
}

impl Word {
    fn new(sort: impl Into<String>, name: &str, pattern: impl Into<String>, doc: impl Into<String>, example: impl Into<String>) -> Word {
        let (sort, pattern, doc, example) = (sort.into(), pattern.into(), doc.into(), example.into());
        Word { sort, name: name.to_string(), pattern, doc, example, also: BTreeSet::new() }
    }

    /// Whether these words stand in it, one behind the other; words that may be left out stand there too.
    fn has(&self, asked: &[&str]) -> bool {
        let pattern: Vec<&str> = parts(&self.pattern).collect();
        let in_doc = |asked: &str| self.doc.split('`').skip(1).step_by(2).any(|quoted| parts(quoted).any(|part| part == asked));
        // What may be left out ends with `]`, and stands in the way of nothing.
        let short: String = self.pattern.split('[').map(|part| part.split_once(']').map_or(part, |(_, behind)| behind)).collect();
        let short: Vec<&str> = parts(&short).collect();
        [pattern, short].iter().any(|words| words.windows(asked.len()).any(|part| part == asked))
            || matches!(asked, [one] if self.also.contains(*one) || in_doc(one))
    }
}

/// The words of a text.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|part| !part.is_empty())
}

/// Shows words.
pub fn words(ground: &Ground, args: &WordsArgs) -> Done {
    let json = Out::open_if(args.json.as_ref())?;
    let mut all = language();
    let of_language = all.len();
    let games = ground.chosen_games(args.game.as_deref())?;
    ground.expect_language(&games, &args.pack)?;
    for game in games {
        let packs = if args.game.is_some() { args.pack.clone() } else { ground.packs_of(&game, &args.pack) };
        let mut sources = Sources::new();
        if args.game.is_none() && packs.is_empty() {
            // Who asks for a word of the language wants no report on a game that is being written.
            let errors = errors_of(ground, &mut sources, &game);
            if errors > 0 {
                let note =
                    format!("note: {} in `{game}`, whose own words are left out here; `houserule check` tells", count(errors, "error"));
                say(&format!("{note} what is wrong\n"));
                continue;
            }
        }
        let text = ground.text(&mut sources, &game, &packs, &[])?;
        let names = ground.names(&sources, &text.content)?;
        let setup = Setup { players: players(&text, None)?, ..Setup::default() };
        let rules = compiled(&sources, &text, &setup)?;
        all.extend(declared(&rules, &text, &sources).into_iter().map(|word| called(word, &names)));
    }
    let word = args.words.join(" ");
    if word.is_empty() {
        return match json {
            Some(json) => json.json(&all),
            None => {
                print(&listed(&all, color()));
                Ok(())
            }
        };
    }
    let found = matching(&all, &word);
    let found = if found.is_empty() { told(&all, &word) } else { found };
    if found.is_empty() {
        let known = all.iter().map(|found| found.name.as_str());
        return match nearest(&word, known) {
            Some(meant) => wrong(format!("there is no word `{word}`; did you mean `{meant}`?")),
            None => wrong(format!("there is no word `{word}`; `houserule words` lists them all")),
        };
    }
    match json {
        Some(json) => json.json(&found),
        None => {
            let is_of_game = |one: &&Word| one.name != word && all[of_language..].iter().any(|word| std::ptr::eq(word, *one));
            let (of_games, others): (Vec<&Word>, Vec<&Word>) = found.iter().copied().partition(is_of_game);
            let many = args.game.is_none() && of_games.len() > MOST_OF_GAMES && !others.is_empty();
            print(&shown(if many { &others } else { &found }, color()));
            if many {
                print(&format!(
                    "\nand {} words of games, in which it only stands: `houserule words {word} --game GAME` shows those of one\n",
                    of_games.len()
                ));
            }
            Ok(())
        }
    }
}

/// How much is wrong with a game, so that what it declares cannot be told.
fn errors_of(ground: &Ground, sources: &mut Sources, game: &str) -> usize {
    let mut found = Vec::new();
    if let Some(text) = compile::load(sources, ground.root(), game, &[], &[], &mut found)
        && let Ok(players) = text.players_wished(None)
        && !has_errors(&found)
    {
        compile::compile(&text, &Setup { players, ..Setup::default() }, &mut found);
    }
    found.iter().filter(|found| found.severity == Severity::Error).count()
}

/// More words of games than these are not shown where nobody asked for a game's.
const MOST_OF_GAMES: usize = 20;

/// A word with what it is called in the language that was chosen.
fn called(word: Word, names: &Names) -> Word {
    match names.known_word(&word.name) {
        Some(name) => Word { doc: format!("{name}: {}", word.doc), ..word },
        None => word,
    }
}

/// The words that are called so, then those in which it stands.
fn matching<'w>(all: &'w [Word], asked: &str) -> Vec<&'w Word> {
    let phrase: Vec<&str> = parts(asked).collect();
    let (exact, others): (Vec<&Word>, Vec<&Word>) = all.iter().partition(|found| found.name == asked);
    exact.into_iter().chain(others.into_iter().filter(|found| !phrase.is_empty() && found.has(&phrase))).collect()
}

/// Those of which it is told what they do with such a word.
fn told<'w>(all: &'w [Word], asked: &str) -> Vec<&'w Word> {
    let asked: Vec<&str> = parts(asked).collect();
    let tells = |word: &&Word| parts(&word.doc).collect::<Vec<_>>().windows(asked.len().max(1)).any(|words| words == asked);
    all.iter().filter(tells).collect()
}

/// What the language and the scripts know in every game.
fn language() -> Vec<Word> {
    let reserved = reference().constructs().find(|construct| construct.rule == "reserved");
    let reserved = reserved.map(|found| {
        let form = reference().form_of("reserved");
        Word::new("rules: words that are never a name", "reserved", parts(&form).collect::<Vec<_>>().join(", "), &found.meaning, "")
    });
    let written = reference().written().map(|construct| {
        let name = construct.form.split(|letter: char| !letter.is_alphanumeric()).find(|word| is_word(word)).unwrap_or(&construct.rule);
        let word = Word::new(chapter(&construct.chapter), name, &construct.form, &construct.meaning, construct.examples.join("\n"));
        Word { also: construct.words.clone(), ..word }
    });
    let built_in = BUILT_INS.iter().map(|known| {
        let name = known.pattern.split([' ', '(']).next().unwrap_or(known.pattern);
        Word::new(known.place.heading(), name, known.pattern, known.doc, known.example)
    });
    let natives = natives().iter().map(|native| Word::new("scripts: natives", native.name, native.signature(), native.doc, native.example));
    let tables = tables().into_iter().flat_map(|table| {
        let sort = format!("cards and packs: {}", table.header);
        let name = table.header.trim_matches(['[', ']']);
        let keys = table.keys.iter().map(|key| Word::new(&sort, key.name, key.name, key.doc, key.example));
        let whole = Word::new(&sort, name, table.header, table.doc, "");
        [whole].into_iter().chain(keys).collect::<Vec<_>>()
    });
    reserved.into_iter().chain(written).chain(built_in).chain(natives).chain(tables).collect()
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

/// What was found; what several tables have in common is shown once.
fn shown(found: &[&Word], color: bool) -> String {
    let mut text = String::new();
    let same = |a: &Word, b: &Word| (&a.pattern, &a.doc, &a.example) == (&b.pattern, &b.doc, &b.example);
    for (at, word) in found.iter().enumerate().filter(|(at, word)| !found[..*at].iter().any(|before| same(before, word))) {
        let tables = found[at + 1..].iter().filter(|other| same(other, word)).filter_map(|other| other.sort.rsplit(": ").next());
        let sorts = tables.fold(word.sort.clone(), |sorts, table| sorts + ", " + table);
        text.push_str(&heading(&word.pattern, color));
        text.push_str(&format!("  ({sorts})\n"));
        if !word.doc.is_empty() && word.doc != word.pattern {
            text.push_str(&format!("  {}\n", word.doc));
        }
        for example in word.example.lines() {
            text.push_str(&format!("  for example: {example}\n"));
        }
    }
    text
}
