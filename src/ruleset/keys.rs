//! The keys of options as patterns: which choices can have a key, and which two choices can have one in common.

use crate::cast;
use crate::graph::{Expr, Graph};
use crate::names::NameId;
use crate::node::{CardSet, NodeId};
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
    let rest = param.word.map_or(Some(words), |word| words.strip_prefix(&[rules.names.text(word)]));
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

/// A range of more numbers counts as all numbers.
const MOST_LISTED: i64 = 1000;

/// Whether a card can ever be in a set: its kind may lie in one of the places, and what the rules say of it does not rule it out for good.
fn may_be_in(rules: &Ruleset, set: &CardSet, definition: usize) -> bool {
    let kind = rules.definitions[definition].kind;
    let takes = |place: &u16| matches!(rules.places[usize::from(*place)].kinds, kinds if kinds == 0 || kinds >> kind & 1 == 1);
    if !set.cards.has_kind(kind) || !set.cards.places.is_empty() && !set.cards.places.iter().any(takes) {
        return false;
    }
    let copy = rules.piece_definition.iter().position(|&of| of as usize == definition);
    set.filter.is_none_or(|filter| copy.is_none_or(|piece| known_truth(&rules.graph, filter, set.local, piece) != Some(false)))
}

/// Returns whether a condition holds for a piece in a local, if that follows from what is printed on its card.
fn known_truth(graph: &Graph, condition: NodeId, local: u8, piece: usize) -> Option<bool> {
    let of = |part| known_truth(graph, part, local, piece);
    if let Expr::Const { value } = graph[condition] {
        Some(value != 0)
    } else if let Expr::Column { card, column } = graph[condition]
        && graph[card] == (Expr::Local { local })
    {
        Some(graph.columns().get(column, cast::count(piece)) != 0)
    } else if let Expr::And { a, b } = graph[condition] {
        let both = [of(a), of(b)];
        if both.contains(&Some(false)) { Some(false) } else { both[0].and(both[1]) }
    } else {
        None
    }
}

/// Returns a key that options of both choices can have, a shortest one; `None` if there is none. Cards are told apart by their kinds and by
/// what is printed on them: where they lie changes in play.
pub fn common_key(rules: &Ruleset, one: u16, other: u16) -> Option<String> {
    let (one, other) = (&rules.choices[one as usize], &rules.choices[other as usize]);
    // Most keys begin with names of their own, so that nothing has to be worked out.
    if let (Some(one), Some(other)) = (beginning(rules, one), beginning(rules, other))
        && !one.starts_with(other)
        && !other.starts_with(one)
    {
        return None;
    }
    let (one, other) = (Automaton::of_keys(rules, one), Automaton::of_keys(rules, other));
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
            if *label == Label::Nothing {
                go((*to, at.1), None);
            }
            for (with, both) in &other.edges[at.1] {
                if let Some(letter) = label.common(*with) {
                    go((*to, *both), Some(letter));
                }
            }
        }
        for (_, to) in other.edges[at.1].iter().filter(|(label, _)| *label == Label::Nothing) {
            go((at.0, *to), None);
        }
    }
    None
}

/// Returns what all keys of a choice begin with, if they do not begin in several ways.
fn beginning<'r>(rules: &'r Ruleset, choice: &'r Choice) -> Option<&'r str> {
    match choice.text.as_deref() {
        Some([TextPart::Text(text), ..]) => Some(text),
        Some(_) => None,
        None => (!choice.chooses).then(|| rules.names.text(choice.name)),
    }
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

    /// Adds a state, to which one leads from another.
    fn add_state(&mut self, from: usize, label: Label) -> usize {
        let to = self.edges.len();
        self.edges.push(Vec::new());
        self.edges[from].push((label, to));
        to
    }

    fn then_text(&mut self, text: &str) {
        self.end = text.chars().fold(self.end, |end, letter| self.add_state(end, Label::Letter(letter)));
    }

    fn then_value(&mut self, rules: &Ruleset, domain: &Domain) {
        match domain {
            Domain::Cards(set) => {
                let set = &rules.sets[*set as usize];
                let fits = (0..rules.definitions.len()).filter(|&definition| may_be_in(rules, set, definition));
                self.then_one_of(fits.map(|definition| rules.names.text(rules.definitions[definition].id).to_string()));
            }
            Domain::Words(words) => self.then_one_of(words.iter().map(|(name, _): &(NameId, i32)| rules.names.text(*name).to_string())),
            Domain::Players(_) => self.then_one_of((1..=rules.players).map(|seat| format!("p{seat}"))),
            Domain::Numbers { from, to } => {
                let bounds = [from, to].map(|&bound| rules.graph.range(bound, &|_| None));
                if let [Some((from, _)), Some((_, to))] = bounds
                    && to.saturating_sub(from) < MOST_LISTED
                {
                    return self.then_one_of((from..=to).map(|number| number.to_string()));
                }
                let sign = self.add_state(self.end, Label::Letter('-'));
                self.edges[self.end].push((Label::Nothing, sign));
                let digits = self.add_state(sign, Label::Digit);
                self.edges[digits].push((Label::Digit, digits));
                self.end = digits;
            }
        }
    }

    /// Adds one of these words; words that begin alike share states.
    fn then_one_of(&mut self, words: impl Iterator<Item = String>) {
        let begin = self.add_state(self.end, Label::Nothing);
        self.end = self.edges.len();
        self.edges.push(Vec::new());
        for word in words {
            let mut at = begin;
            for letter in word.chars() {
                let known = self.edges[at].iter().find(|(label, _)| *label == Label::Letter(letter)).map(|(_, to)| *to);
                at = known.unwrap_or_else(|| self.add_state(at, Label::Letter(letter)));
            }
            self.edges[at].push((Label::Nothing, self.end));
        }
    }
}
