//! Who hears which moment: where the rules raise it, and the kinds of the cards that listen.

use std::collections::{BTreeMap, BTreeSet};

use super::links::{Link, Links};
use crate::engine::Ruleset;
use crate::engine::op::{Op, Pc};
use crate::table::DisplayNames;

/// Draws what raises each moment, and which cards hear it. A moment that rules do not raise by name is one of the program's own, such as
/// that of a card that arrives.
pub fn moments(rules: &Ruleset, title: &str, words: &DisplayNames) -> Links {
    // Cards that are not in the game with these options have no piece.
    let in_game: BTreeSet<u32> = rules.piece_definition.iter().copied().collect();
    let mut raising: BTreeMap<(String, usize), f64> = BTreeMap::new();
    for (at, op) in rules.ops.all.iter().enumerate() {
        if let Op::Moment { moment, .. } = op {
            let owner = rules.ops.owner(Pc(u32::try_from(at).unwrap_or(u32::MAX)));
            raising.insert((owner_name(owner, words), usize::from(*moment)), 1.0);
        }
    }
    for script in &rules.scripts {
        let is_absent = u32::try_from(script.definition).is_ok_and(|index| !in_game.contains(&index));
        if is_absent {
            continue;
        }
        let card = usize::try_from(script.definition).ok().and_then(|index| rules.definitions.get(index));
        let owner = card.map_or_else(
            || script.owner.clone(),
            |card| words.phrases().say("cards: {kind}", &[("kind", &kind_name(rules, card.kind, words))]),
        );
        for moment in moments_of_script(rules, &script.text) {
            raising.insert((owner.clone(), moment), 1.0);
        }
    }
    let mut hearing: BTreeMap<(u16, usize), f64> = BTreeMap::new();
    let mut cards_of: BTreeMap<u16, usize> = BTreeMap::new();
    for (_, definition) in (0..).zip(&rules.definitions).filter(|(index, _)| in_game.contains(index)) {
        let heard: BTreeSet<usize> = definition.hooks.iter().map(|hook| hook.moment.into()).collect();
        *cards_of.entry(definition.kind).or_default() += usize::from(!heard.is_empty());
        heard.into_iter().for_each(|moment| *hearing.entry((definition.kind, moment)).or_default() += 1.0);
    }
    let used = |moment: &usize| raising.keys().any(|key| key.1 == *moment) || hearing.keys().any(|key| key.1 == *moment);
    let shown: Vec<usize> = (0..rules.moments.len()).filter(used).collect();
    let of_program = shown.iter().filter(|moment| !raising.keys().any(|key| key.1 == **moment));
    let of_program: Vec<((String, usize), f64)> =
        of_program.map(|moment| ((words.phrases().word("the program itself"), *moment), 1.0)).collect();
    let mut sides = Sides { shown: &shown, names: Vec::new(), links: Vec::new() };
    raising.into_iter().chain(of_program).for_each(|((owner, moment), weight)| sides.add(owner, moment, weight));
    let (raisers, left) = (sides.names, sides.links);
    let mut sides = Sides { shown: &shown, names: Vec::new(), links: Vec::new() };
    for ((kind, moment), weight) in hearing {
        let cards = cards_of.get(&kind).copied().unwrap_or_default();
        let (kind, number) = (kind_name(rules, kind, words), cards.to_string());
        let name = match cards {
            1 => words.phrases().say("{kind}: 1 card", &[("kind", &kind)]),
            _ => words.phrases().say("{kind}: {number} cards", &[("kind", &kind), ("number", &number)]),
        };
        sides.add(name, moment, weight);
    }
    Links {
        title: words.phrases().say("{game}: who hears which moment", &[("game", title)]),
        heads: [words.phrases().word("raised by"), words.phrases().word("moment"), words.phrases().word("heard by")],
        columns: [raisers, shown.iter().map(|moment| rules.moments[*moment].clone()).collect(), sides.names],
        left,
        right: sides.links,
        decimals: None,
    }
}

/// Finds the moments that a script raises, each as often as it is written there.
fn moments_of_script(rules: &Ruleset, script: &str) -> Vec<usize> {
    let script = code_of(script);
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let raised = script.match_indices("moment").filter_map(|(at, word)| {
        let before = script.get(..at).and_then(|before| before.chars().next_back());
        let inside = script.get(at + word.len()..)?.trim_start().strip_prefix('(')?.trim_start();
        let name: String = inside.chars().take_while(|letter| is_part(*letter)).collect();
        rules.moments.iter().position(|moment| *moment == name).filter(|_| !before.is_some_and(is_part))
    });
    raised.collect()
}

/// Returns a script without its comments and texts.
fn code_of(script: &str) -> String {
    let (mut code, mut rest) = (String::new(), script);
    while let Some(letter) = rest.chars().next() {
        let end = match letter {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '`' | '\'' => end_of_text(rest, letter),
            _ => {
                code.push(letter);
                letter.len_utf8()
            }
        };
        rest = rest.get(end..).unwrap_or("");
    }
    code
}

/// Returns where a text in quotation marks ends, which begins with one.
fn end_of_text(text: &str, mark: char) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if letter == mark => return at + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Says which part of the rules raises a moment: it is named with its address, by which it is found in the text.
fn owner_name(owner: &str, words: &DisplayNames) -> String {
    let owner = owner.replace('`', "");
    match owner.split_once(' ') {
        Some(("action", name)) => words.phrases().say("action {name}", &[("name", name)]),
        Some(("effect", name)) => words.phrases().say("effect {name}", &[("name", name)]),
        Some(("step", name)) => words.phrases().say("step {name}", &[("name", name)]),
        Some(("phase", name)) => words.phrases().say("phase {name}", &[("name", name)]),
        Some(_) | None => words.phrases().word(&owner),
    }
}

fn kind_name(rules: &Ruleset, kind: u16, words: &DisplayNames) -> String {
    rules.kinds.get(usize::from(kind)).map_or_else(String::new, |kind| words.word_name(rules.names.text(kind.name)))
}

/// A column at a side, while it is filled.
struct Sides<'s> {
    shown: &'s [usize],
    names: Vec<String>,
    links: Vec<Link>,
}

impl Sides<'_> {
    fn add(&mut self, name: String, moment: usize, weight: f64) {
        let side = self.names.iter().position(|there| *there == name).unwrap_or_else(|| {
            self.names.push(name);
            self.names.len() - 1
        });
        if let Some(middle) = self.shown.iter().position(|shown| *shown == moment) {
            self.links.push(Link { side, middle, weight });
        }
    }
}
