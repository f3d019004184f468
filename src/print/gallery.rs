//! A page with a card each: figures, text, what it does as written, the tests that name it, and what it does in playtests. It has no
//! script, so that nothing on it can run, whatever a card is called.

mod played;

use std::collections::BTreeMap;

pub use played::{Played, played_of_json};

use super::content::CardContent;
use crate::lang::GameText;
use crate::pack::{CardTest, RawCard, RawEntry, Text};
use crate::scenario::file::parse_scenarios;
use crate::source::Sources;
use crate::table::escape_markup;

/// What a gallery is made of.
pub struct Gallery<'a> {
    /// Files of the game.
    pub sources: &'a Sources,
    /// The game.
    pub text: &'a GameText,
    /// Display name of the game.
    pub title: &'a str,
    /// Language of the names, such as `en`.
    pub language: &'a str,
    /// The cards of the page.
    pub cards: &'a [CardContent],
    /// What cards do in playtests, by id.
    pub played: &'a BTreeMap<String, Played>,
    /// A sentence that says which games those were.
    pub games: Option<&'a str>,
}

/// A test or a scenario that names a card.
struct Naming {
    title: String,
    lines: Vec<(&'static str, String)>,
    /// All words in its lines.
    words: Vec<String>,
}

/// Renders the page.
pub fn gallery_page(gallery: &Gallery<'_>) -> String {
    let mut kinds: Vec<(&str, &str, Vec<&CardContent>)> = Vec::new();
    for card in gallery.cards {
        match kinds.iter_mut().find(|(kind, ..)| *kind == card.kind) {
            Some((.., cards)) => cards.push(card),
            None => kinds.push((&card.kind, &card.kind_name, vec![card])),
        }
    }
    let scenarios = scenarios_of(gallery);
    let links = kinds.iter().map(|(kind, name, cards)| {
        format!("<li><a href=\"#kind-{}\">{}</a> <small>{}</small></li>\n", escape_markup(kind), escape_markup(name), cards.len())
    });
    let parts = kinds.iter().map(|(kind, name, cards)| {
        let articles: String = cards.iter().map(|card| article(gallery, card, &scenarios)).collect();
        format!(
            "<section aria-labelledby=\"kind-{0}\">\n<h2 id=\"kind-{0}\">{1}</h2>\n<div class=\"cards\">\n{articles}</div>\n</section>\n",
            escape_markup(kind),
            escape_markup(name)
        )
    });
    let games = gallery.games.map_or_else(String::new, |games| format!("<p class=\"note\">{}</p>\n", escape_markup(games)));
    let (title, count) = (escape_markup(gallery.title), gallery.cards.len());
    let plural = if count == 1 { "card" } else { "cards" };
    format!(
        include_str!("gallery/page.html"),
        language = escape_markup(gallery.language),
        style = include_str!("gallery/page.css"),
        title = title,
        count = count,
        plural = plural,
        links = links.collect::<String>(),
        games = games,
        parts = parts.collect::<String>(),
    )
}

fn article(gallery: &Gallery<'_>, content: &CardContent, scenarios: &[Naming]) -> String {
    let mut facts = vec![content.kind_name.clone()];
    if content.age != 0 {
        facts.push(format!("age {}", content.age));
    }
    facts.extend(content.set.clone());
    if content.copies > 1 {
        facts.push(format!("{} copies", content.copies));
    }
    let mut out = format!(
        "<article id=\"card-{id}\">\n<h3>{name}</h3>\n<p class=\"note\">{facts}</p>\n",
        id = escape_markup(&content.id),
        name = escape_markup(&content.name),
        facts = escape_markup(&facts.join(" · ")),
    );
    if !content.figures.is_empty() {
        let row = |figure: &super::PrintedFigure| {
            format!("<dt>{}</dt><dd>{}</dd>\n", escape_markup(&figure.name), escape_markup(&figure.value_text()))
        };
        out.push_str(&format!("<dl>\n{}</dl>\n", content.figures.iter().map(row).collect::<String>()));
    }
    out.push_str(&content.text.as_ref().map_or_else(String::new, |text| format!("<p>{}</p>\n", escape_markup(text))));
    if let Some(played) = gallery.played.get(&content.id) {
        out.push_str(&played.html());
    }
    if let Some(card) = gallery.text.content.cards.iter().find(|card| card.id.text == content.id) {
        out.push_str(&does(gallery, card));
        out.push_str(&tests(gallery, card, scenarios));
        out.push_str(&format!(
            "<p class=\"place\">{} · {}</p>\n",
            escape_markup(&card.id.text),
            escape_markup(&gallery.sources.place(card.span))
        ));
    }
    out.push_str("</article>\n");
    out
}

/// What a card does, as it is written.
fn does(gallery: &Gallery<'_>, card: &RawCard) -> String {
    let of_kind = gallery.text.content.kinds.iter().filter(|kind| kind.id.text == card.kind.text).flat_map(|kind| &kind.entries);
    let written = |owner: &str, entry: &RawEntry| {
        let line =
            |(key, value): &(Text, crate::source::Span)| format!("{} = {}\n", key.text, entry.source_of(gallery.sources, key, *value));
        format!("[[{owner}.{}]]\n{}", entry.kind().header_word(), entry.written.iter().map(line).collect::<String>())
    };
    let mut parts: Vec<String> = card.entries.iter().map(|entry| written("card", entry)).collect();
    parts.extend(card.leaves_when.as_ref().map(|when| format!("leaves when {}\n", when.text)));
    parts.extend(of_kind.map(|entry| written("kind", entry)));
    if parts.is_empty() {
        return String::new();
    }
    format!("<details><summary>what it does</summary>\n<pre>{}</pre>\n</details>\n", escape_markup(parts.join("\n").trim_end()))
}

/// The tests of a card, and those of others that name it.
fn tests(gallery: &Gallery<'_>, card: &RawCard, scenarios: &[Naming]) -> String {
    let own = card.tests.iter().map(|test| naming(gallery, "", test));
    let others = gallery.text.content.cards.iter().filter(|other| other.id.text != card.id.text);
    let named = others.flat_map(|other| other.tests.iter().map(|test| naming(gallery, &other.id.text, test)));
    let own: Vec<Naming> = own.collect();
    let named: Vec<Naming> = named.filter(|test| test.words.contains(&card.id.text)).collect();
    let of_scenarios: Vec<&Naming> = scenarios.iter().filter(|test| test.words.contains(&card.id.text)).collect();
    let all: Vec<&Naming> = own.iter().chain(&named).chain(of_scenarios).collect();
    if all.is_empty() {
        return "<p class=\"note\">no test names it</p>\n".to_string();
    }
    let each = |test: &&Naming| {
        let lines: Vec<String> = test.lines.iter().map(|(word, lines)| format!("{word}  {lines}")).collect();
        format!("<h4>{}</h4>\n<pre>{}</pre>\n", escape_markup(&test.title), escape_markup(&lines.join("\n")))
    };
    let (count, plural) = (all.len(), if all.len() == 1 { "test names it" } else { "tests name it" });
    format!("<details><summary>{count} {plural}</summary>\n{}</details>\n", all.iter().map(each).collect::<String>())
}

fn naming(gallery: &Gallery<'_>, owner: &str, test: &CardTest) -> Naming {
    let place = gallery.sources.place(test.span);
    let title = match (&test.name, owner) {
        (Some(name), _) => format!("{}, {place}", name.text),
        (None, "") => place,
        (None, owner) => format!("of {owner}, {place}"),
    };
    named_in(title, [("given", &test.given), ("when ", &test.when), ("then ", &test.then)])
}

fn named_in(title: String, parts: [(&'static str, &Option<Text>); 3]) -> Naming {
    let lines: Vec<(&'static str, String)> =
        parts.into_iter().filter_map(|(word, text)| text.as_ref().map(|text| (word, text.text.trim().to_string()))).collect();
    let words = lines.iter().flat_map(|(_, text)| text.split(is_between_words).map(String::from)).collect();
    Naming { title, lines, words }
}

/// Whether a letter is no part of an id.
fn is_between_words(letter: char) -> bool {
    !letter.is_alphanumeric() && letter != '_'
}

/// Reads the scenarios of the game and of its packs.
fn scenarios_of(gallery: &Gallery<'_>) -> Vec<Naming> {
    let content = &gallery.text.content;
    let files = content.scenarios.iter().chain(content.packs.iter().flat_map(|pack| &pack.tests));
    let read = files.filter_map(|file| parse_scenarios(*file, gallery.sources.text(*file), &mut Vec::new()));
    let of_game = read.filter(|file| file.game.text == content.game || file.game.text.is_empty());
    let naming = |test: crate::scenario::file::RawScenario| {
        let title = format!("{}, {}", test.name.text, gallery.sources.place(test.span));
        named_in(title, [("given", &test.given), ("when ", &test.when), ("then ", &test.then)])
    };
    of_game.flat_map(|file| file.scenarios).map(naming).collect()
}
