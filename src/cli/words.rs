//! `houserule words`: the language reference, from the tables that the checker itself uses.

mod declared;
mod index;
#[cfg(test)]
mod tests;

use serde::Serialize;
use std::collections::BTreeSet;

use super::args::WordsArgs;
use super::load::{Workspace, compile_rules, players};
use super::output::{OutputFile, color, count, print, print_error, unknown_name};
use super::result::{CommandResult, ExitReason};
use super::subject::GameWithPacks;
use crate::diagnostic::{Severity, has_errors, nearest};
use crate::lang::built_in::BUILT_INS;
use crate::lang::{Setup, compile};
use crate::pack::Translations;
use crate::pack::schema::tables;
use crate::playtest::table::{WIDTH, heading};
use crate::script::natives;
use crate::source::Sources;
use crate::syntax::reference::reference;
use declared::declared;
use index::IndexEntry;

/// An entry of the reference: something that can be written in rules, cards or scripts.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct WordEntry {
    /// Heading under which the entry is listed.
    sort: String,
    /// Name of the entry.
    name: String,
    /// Syntax of the entry.
    pattern: String,
    /// What the entry does, or where it is declared.
    doc: String,
    /// Examples, one on each line.
    example: String,
    /// Literal words that belong to the entry although its pattern does not contain them.
    #[serde(skip)]
    also: BTreeSet<String>,
    /// Whether a game declares it.
    #[serde(skip)]
    of_game: bool,
}

impl WordEntry {
    fn new(
        sort: impl Into<String>,
        name: &str,
        pattern: impl Into<String>,
        doc: impl Into<String>,
        example: impl Into<String>,
    ) -> WordEntry {
        let (sort, pattern, doc, example) = (sort.into(), pattern.into(), doc.into(), example.into());
        WordEntry { sort, name: name.to_string(), pattern, doc, example, also: BTreeSet::new(), of_game: false }
    }

    /// Whether these words occur consecutively in the entry's pattern; optional words may be left out.
    fn contains_words(&self, asked: &[&str]) -> bool {
        let pattern: Vec<&str> = split_words(&self.pattern).collect();
        let in_doc = |asked: &str| self.doc.split('`').skip(1).step_by(2).any(|quoted| split_words(quoted).any(|part| part == asked));
        // Optional words end with `]` and are skipped.
        let short: String = self.pattern.split('[').map(|part| part.split_once(']').map_or(part, |(_, behind)| behind)).collect();
        let short: Vec<&str> = split_words(&short).collect();
        [pattern, short].iter().any(|words| words.windows(asked.len()).any(|part| part == asked))
            || matches!(asked, [one] if self.also.contains(*one) || in_doc(one))
    }
}

/// Splits a text into its words.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|part| !part.is_empty())
}

/// Returns all words that can be asked for, but for those that a game declares.
pub fn known_words() -> Vec<String> {
    let of_designers = index::index().iter().flat_map(|entry| entry.words()).map(str::to_string);
    language_entries().into_iter().map(|entry| entry.name).chain(of_designers).collect()
}

/// Runs `houserule words`.
pub fn words(workspace: &Workspace, args: &WordsArgs) -> CommandResult {
    let json = OutputFile::open_if(args.json.as_ref())?;
    let mut all = language_entries();
    for subject in workspace.chosen_games(args.game.as_deref(), &args.pack)? {
        all.extend(game_entries(workspace, &subject, args.game.is_some())?);
    }
    let word = args.words.join(" ");
    let answers: Vec<_> = index::answers(&word).collect();
    let mut found = if word.is_empty() { all.iter().collect() } else { entries_answering(&all, &answers, &word) };
    if found.is_empty() {
        found = entries_explaining(&all, &word);
    }
    if found.is_empty() {
        let known = all.iter().map(|found| found.name.as_str()).chain(index::index().iter().flat_map(|entry| entry.words()));
        return unknown_name(&format!("there is no word `{word}`"), nearest(&word, known), "`houserule words` lists them all");
    }
    if let Some(json) = json {
        return json.write_json(&found);
    }
    if word.is_empty() {
        print(&entry_names_as_text(&all, color()));
        print("words of your own lead here, too: `houserule words bid`, `houserule words \"face up\"`\n");
        return Ok(());
    }
    let (of_games, others): (Vec<&WordEntry>, Vec<&WordEntry>) = found.iter().partition(|one| one.of_game && one.name != word);
    let many = args.game.is_none() && of_games.len() > MAX_GAME_WORDS && !others.is_empty();
    print(&entries_as_text(if many { &others } else { &found }, color()));
    if many {
        print(&format!(
            "\nand {} words of games, in which it only stands: `houserule words {word} --game GAME` shows those of one\n",
            of_games.len()
        ));
    }
    Ok(())
}

/// Returns what the rules of a game declare; nothing if they have errors and the game was not asked for.
fn game_entries(workspace: &Workspace, subject: &GameWithPacks, asked_for: bool) -> Result<Vec<WordEntry>, ExitReason> {
    let GameWithPacks { game, packs, .. } = subject;
    let mut sources = Sources::new();
    if !asked_for && packs.is_empty() {
        // A query about the language needs no report about an unfinished game.
        let errors = errors_of(workspace, &mut sources, game);
        if errors > 0 {
            let errors = count(errors, "error");
            print_error(&format!("note: {errors} in `{game}`, whose own words are left out here; `houserule check` tells what is wrong\n"));
            return Ok(Vec::new());
        }
    }
    let text = workspace.load_text(&mut sources, game, packs, &[])?;
    let names = workspace.load_names(&sources, &text.content)?;
    let setup = Setup { players: players(&text, None)?, ..Setup::default() };
    let rules = compile_rules(&sources, &text, &setup)?;
    Ok(declared(&rules, &text, &sources).into_iter().map(|word| WordEntry { of_game: true, ..translated(word, &names) }).collect())
}

/// Returns the number of errors in a game; if there are any, its declarations are unknown.
fn errors_of(workspace: &Workspace, sources: &mut Sources, game: &str) -> usize {
    let mut found = Vec::new();
    if let Some(text) = compile::load(sources, workspace.root(), game, &[], &[], &mut found)
        && let Ok(players) = text.resolve_player_count(None)
        && !has_errors(&found)
    {
        compile::compile(&text, &Setup { players, ..Setup::default() }, &mut found);
    }
    found.iter().filter(|found| found.severity == Severity::Error).count()
}

/// Maximum number of words from games that are shown if no game was named.
const MAX_GAME_WORDS: usize = 20;

/// Adds a translated name to an entry.
fn translated(word: WordEntry, names: &Translations) -> WordEntry {
    match names.known_word(&word.name) {
        Some(name) => WordEntry { doc: format!("{name}: {}", word.doc), ..word },
        None => word,
    }
}

/// Finds the entries with this name, followed by those whose pattern contains it.
fn entries_matching<'w>(all: &'w [WordEntry], asked: &str) -> Vec<&'w WordEntry> {
    let phrase: Vec<&str> = split_words(asked).collect();
    let (exact, others): (Vec<&WordEntry>, Vec<&WordEntry>) = all.iter().partition(|found| found.name == asked);
    exact.into_iter().chain(others.into_iter().filter(|found| !phrase.is_empty() && found.contains_words(&phrase))).collect()
}

/// Puts together the entries in which the word stands and what the index answers. What the language itself calls so comes first, then the
/// index with the forms that it names.
fn entries_answering<'w>(all: &'w [WordEntry], answers: &'w [(WordEntry, &IndexEntry)], asked: &str) -> Vec<&'w WordEntry> {
    let named = all.iter().filter(|entry| !entry.of_game && entry.name == asked);
    let indexed = answers.iter().flat_map(|(word, entry)| {
        let forms = entry.write.iter().flat_map(|beginning| index::entries_beginning(all, beginning));
        [word].into_iter().chain(forms)
    });
    let mut found: Vec<&WordEntry> = Vec::new();
    for entry in named.chain(indexed).chain(entries_matching(all, asked)) {
        if !found.iter().any(|before| std::ptr::eq(*before, entry)) {
            found.push(entry);
        }
    }
    found
}

/// Finds the entries whose description explains the word.
fn entries_explaining<'w>(all: &'w [WordEntry], asked: &str) -> Vec<&'w WordEntry> {
    let asked: Vec<&str> = split_words(asked).collect();
    let tells = |word: &&WordEntry| split_words(&word.doc).collect::<Vec<_>>().windows(asked.len().max(1)).any(|words| words == asked);
    all.iter().filter(tells).collect()
}

/// Returns the entries of the language and of scripts, which are the same in every game.
fn language_entries() -> Vec<WordEntry> {
    let reserved = reference().constructs().find(|construct| construct.rule == "reserved");
    let reserved = reserved.map(|found| {
        let words = split_words(&reference().form_of("reserved")).collect::<Vec<_>>().join(", ");
        WordEntry::new("rules: words that are never a name", "reserved", words, &found.meaning, "")
    });
    let written = reference().with_examples().map(|construct| {
        let name = construct.form.split(|letter: char| !letter.is_alphanumeric()).find(|word| is_literal(word)).unwrap_or(&construct.rule);
        let word =
            WordEntry::new(chapter_heading(&construct.chapter), name, &construct.form, &construct.meaning, construct.examples.join("\n"));
        WordEntry { also: construct.keywords.clone(), ..word }
    });
    let built_in = BUILT_INS.iter().map(|known| {
        let name = known.pattern.split([' ', '(']).next().unwrap_or(known.pattern);
        WordEntry::new(known.place.heading(), name, known.pattern, known.doc, known.example)
    });
    let natives =
        natives().iter().map(|native| WordEntry::new("scripts: natives", native.name, native.signature(), native.doc, native.example));
    let tables = tables().into_iter().flat_map(|table| {
        let sort = format!("cards and packs: {}", table.header);
        let name = table.header.trim_matches(['[', ']']);
        let keys = table.keys.iter().map(|key| WordEntry::new(&sort, key.name, key.name, key.doc, key.example));
        let whole = WordEntry::new(&sort, name, table.header, table.doc, "");
        [whole].into_iter().chain(keys).collect::<Vec<_>>()
    });
    reserved.into_iter().chain(written).chain(built_in).chain(natives).chain(tables).collect()
}

/// Converts a heading of the grammar: `8. Statements` becomes `rules: statements`.
fn chapter_heading(title: &str) -> String {
    let title = title.split_once(". ").map_or(title, |(_, title)| title).to_lowercase();
    if title.starts_with("scenarios") { title } else { format!("rules: {title}") }
}

/// Whether a word of a pattern is written as it is, and is not a placeholder.
fn is_literal(word: &str) -> bool {
    word.starts_with(|letter: char| letter.is_lowercase())
}

/// Maximum width of a pattern beside its description; the description of a longer one begins on the next line.
const MAX_PATTERN_WIDTH: usize = 44;

fn entry_names_as_text(all: &[WordEntry], color: bool) -> String {
    let mut text = String::new();
    for sort in all.chunk_by(|a, b| a.sort == b.sort) {
        text.push_str(&heading(sort.first().map_or("", |word| &word.sort), color));
        let lengths = sort.iter().map(|word| word.pattern.chars().count());
        let width = lengths.filter(|length| *length <= MAX_PATTERN_WIDTH).max().unwrap_or(0);
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

/// Formats the entries as text; parts that several tables have in common are shown once.
fn entries_as_text(found: &[&WordEntry], color: bool) -> String {
    let mut text = String::new();
    let same = |a: &WordEntry, b: &WordEntry| (&a.pattern, &a.doc, &a.example) == (&b.pattern, &b.doc, &b.example);
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
