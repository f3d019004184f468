//! The keys of options as patterns: which choices can have a key, and which two choices can have one in common.

use crate::cast;
use crate::names::NameId;
use crate::program::{Choice, Domain, Param, TextPart, Turns};
use crate::ruleset::Ruleset;
use std::collections::{HashMap, VecDeque};

/// Returns the number of a copy, written as `#2` at the end of a key; `None` for any other word.
pub fn number_of_copy(word: &str) -> Option<usize> {
    word.strip_prefix('#')?.parse().ok()
}

/// Returns the actions that options with this key can belong to; those of `now` come first, if a turn is open. Where no action can have it,
/// those whose name is its first word: the key is that of none of their options.
pub fn actions_of_key(rules: &Ruleset, key: &str, now: Option<&Turns>) -> Vec<u16> {
    let all = || 0..cast::fit::<u16>(rules.action_count);
    let mut found: Vec<u16> = all().filter(|&action| can_be_key(rules, action, key)).collect();
    if found.is_empty() {
        let first = key.split_whitespace().next().unwrap_or("");
        found = all().filter(|&action| rules.names.text(rules.choices[action as usize].name) == first).collect();
    }
    found.sort_by_key(|action| !now.is_some_and(|now| now.actions.contains(action)));
    found
}

/// Whether an option of a choice can have a key in some state of a game. `choose` may be left out, and a number such as `#2` may follow.
pub fn can_be_key(rules: &Ruleset, choice: u16, key: &str) -> bool {
    let choice = &rules.choices[choice as usize];
    let mut words: Vec<&str> = key.split_whitespace().collect();
    if words.last().is_some_and(|word| number_of_copy(word).is_some()) {
        words.pop();
    }
    if let Some(parts) = &choice.text {
        return fits_text(rules, choice, parts, &words.join(" "));
    }
    let name = rules.names.text(choice.name);
    let chosen = words.strip_prefix(&["choose"]).unwrap_or(&words);
    let rest = match name {
        "choose" => Some(chosen),
        _ => {
            let name: Vec<&str> = name.split(' ').collect();
            if choice.action.is_none() { chosen } else { &words[..] }.strip_prefix(&name[..])
        }
    };
    rest.is_some_and(|rest| fits_params(rules, &choice.params, rest))
}

/// Whether the words of a key behind its name can stand for these parameters.
fn fits_params(rules: &Ruleset, params: &[Param], words: &[&str]) -> bool {
    let Some((param, others)) = params.split_first() else { return words.is_empty() };
    if param.maybe && fits_params(rules, others, words) {
        return true;
    }
    let ahead = param.word.map(|word| rules.names.text(word));
    let rest = match (ahead, words.split_first()) {
        (None, _) => Some(words),
        (Some(word), Some((first, rest))) if *first == word => Some(rest),
        (Some(_), _) => None,
    };
    let split = rest.and_then(|rest| rest.split_first());
    split.is_some_and(|(value, rest)| is_value_of(rules, param, value) && fits_params(rules, others, rest))
}

/// Whether a key can be made of a text with values in it.
fn fits_text(rules: &Ruleset, choice: &Choice, parts: &[TextPart], key: &str) -> bool {
    match parts.split_first() {
        None => key.is_empty(),
        Some((TextPart::Text(words), rest)) => key.strip_prefix(words.as_str()).is_some_and(|key| fits_text(rules, choice, rest, key)),
        Some((TextPart::Value(index), rest)) => {
            let ends = key.char_indices().map(|(at, letter)| at + letter.len_utf8());
            let mut splits = ends.map(|end| key.split_at(end));
            splits
                .any(|(value, behind)| is_value_of(rules, &choice.params[*index as usize], value) && fits_text(rules, choice, rest, behind))
        }
    }
}

/// Whether a parameter can have a value that is written like this.
fn is_value_of(rules: &Ruleset, param: &Param, value: &str) -> bool {
    match &param.domain {
        Domain::Cards(_) => rules.find_definition(value).is_some(),
        Domain::Words(words) => words.iter().any(|(name, _)| rules.names.text(*name) == value),
        Domain::Numbers { .. } => value.parse::<i32>().is_ok(),
        Domain::Players(_) => {
            value.strip_prefix('p').and_then(|seat| seat.parse().ok()).is_some_and(|seat| (1..=rules.players).contains(&seat))
        }
    }
}

/// Returns a key that options of both choices can have, a shortest one; `None` if there is none. Cards are told apart by their kinds alone:
/// where they lie and what is said of them changes in play.
pub fn common_key(rules: &Ruleset, one: u16, other: u16) -> Option<String> {
    let (one, other) = (Automaton::of_keys(rules, &rules.choices[one as usize]), Automaton::of_keys(rules, &rules.choices[other as usize]));
    // Breadth first through the pairs of states; each remembers the letter that led to it, and from where.
    let mut came_from = HashMap::from([((0, 0), None)]);
    let mut open = VecDeque::from([(0, 0)]);
    while let Some(at) = open.pop_front() {
        if at == (one.end, other.end) {
            let (mut letters, mut state) = (Vec::new(), at);
            while let Some((letter, before)) = came_from.get(&state).copied().flatten() {
                letters.extend::<Option<char>>(letter);
                state = before;
            }
            return Some(letters.into_iter().rev().collect());
        }
        let mut go = |to: (usize, usize), letter: Option<char>| {
            came_from.entry(to).or_insert_with(|| {
                open.push_back(to);
                Some((letter, at))
            });
        };
        for (label, to) in &one.edges[at.0] {
            match label {
                Label::Nothing => go((*to, at.1), None),
                Label::Letter(_) | Label::Digit => {
                    for (with, both) in &other.edges[at.1] {
                        if let Some(letter) = label.common(*with) {
                            go((*to, *both), Some(letter));
                        }
                    }
                }
            }
        }
        for (_, to) in other.edges[at.1].iter().filter(|(label, _)| *label == Label::Nothing) {
            go((at.0, *to), None);
        }
    }
    None
}

/// What leads from one state of an automaton to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    Nothing,
    Letter(char),
    Digit,
}

impl Label {
    /// Returns a letter that both stand for.
    fn common(self, other: Label) -> Option<char> {
        match (self, other) {
            (Label::Letter(one), Label::Letter(other)) => (one == other).then_some(one),
            (Label::Letter(letter), Label::Digit) | (Label::Digit, Label::Letter(letter)) => letter.is_ascii_digit().then_some(letter),
            (Label::Digit, Label::Digit) => Some('1'),
            (Label::Nothing, _) | (_, Label::Nothing) => None,
        }
    }
}

/// A finite automaton that reads the keys which options of a choice can have, letter by letter. State 0 is the first.
struct Automaton {
    edges: Vec<Vec<(Label, usize)>>,
    end: usize,
}

impl Automaton {
    fn of_keys(rules: &Ruleset, choice: &Choice) -> Automaton {
        let mut made = Automaton { edges: vec![Vec::new()], end: 0 };
        if let Some(parts) = &choice.text {
            for part in parts {
                match part {
                    TextPart::Text(text) => made.then_text(text),
                    TextPart::Value(index) => made.then_value(rules, &choice.params[*index as usize].domain),
                }
            }
            return made;
        }
        // `choose` may be left out.
        if choice.chooses {
            made.then_text("choose ");
            made.edges[0].push((Label::Nothing, made.end));
        }
        made.then_text(rules.names.text(choice.name));
        for param in &choice.params {
            let before = made.end;
            made.then_text(" ");
            if let Some(word) = param.word {
                made.then_text(rules.names.text(word));
                made.then_text(" ");
            }
            made.then_value(rules, &param.domain);
            if param.maybe {
                made.edges[before].push((Label::Nothing, made.end));
            }
        }
        made
    }

    fn add_state(&mut self) -> usize {
        self.edges.push(Vec::new());
        self.edges.len() - 1
    }

    fn then_text(&mut self, text: &str) {
        for letter in text.chars() {
            let to = self.add_state();
            self.edges[self.end].push((Label::Letter(letter), to));
            self.end = to;
        }
    }

    fn then_value(&mut self, rules: &Ruleset, domain: &Domain) {
        match domain {
            Domain::Cards(set) => {
                let kinds = rules.sets[*set as usize].kinds;
                let fits = rules.definitions.iter().filter(|card| kinds == 0 || kinds >> card.kind & 1 == 1);
                self.then_one_of(fits.map(|card| rules.names.text(card.id).to_string()));
            }
            Domain::Words(words) => self.then_one_of(words.iter().map(|(name, _): &(NameId, i32)| rules.names.text(*name).to_string())),
            Domain::Players(_) => self.then_one_of((1..=rules.players).map(|seat| format!("p{seat}"))),
            Domain::Numbers { .. } => {
                let (sign, digits) = (self.add_state(), self.add_state());
                self.edges[self.end].extend([(Label::Letter('-'), sign), (Label::Nothing, sign)]);
                self.edges[sign].push((Label::Digit, digits));
                self.edges[digits].push((Label::Digit, digits));
                self.end = digits;
            }
        }
    }

    /// Adds one of these words; words that begin alike share states.
    fn then_one_of(&mut self, words: impl Iterator<Item = String>) {
        let begin = self.add_state();
        self.edges[self.end].push((Label::Nothing, begin));
        let end = self.add_state();
        for word in words {
            let mut at = begin;
            for letter in word.chars() {
                let known = self.edges[at].iter().find(|(label, _)| *label == Label::Letter(letter)).map(|(_, to)| *to);
                at = known.unwrap_or_else(|| {
                    let to = self.add_state();
                    self.edges[at].push((Label::Letter(letter), to));
                    to
                });
            }
            self.edges[at].push((Label::Nothing, end));
        }
        self.end = end;
    }
}
