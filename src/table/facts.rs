//! Differences between two views of a game, in words.

use std::collections::BTreeMap;

use crate::agent::{HIDDEN, Owned, SeenGame, VariableValue, seat_name};
use crate::engine::Ruleset;

use super::values::partly_known_card;
use super::words::DisplayNames;

/// A view as facts that can be compared: the place and counters of each card, and every value by name.
struct ViewFacts {
    figures: Vec<(String, String)>,
    /// The cards by their index among all pieces.
    cards: BTreeMap<usize, CardFacts>,
}

/// What a view shows of one card: name, place and counters.
struct CardFacts {
    name: String,
    place: String,
    counters: Vec<(String, String)>,
}

/// Describes the differences between an earlier and a later view of the same seat: values as `p1 coin: 5 -> 3`, cards as `Wolf: pile -> p1
/// den`.
pub fn describe_differences(rules: &Ruleset, before: &SeenGame<'_>, after: &SeenGame<'_>, words: &DisplayNames) -> Vec<String> {
    let (before, after) = (ViewFacts::from_view(rules, before, words), ViewFacts::from_view(rules, after, words));
    let mut lines = Vec::new();
    let old: BTreeMap<&str, &str> = before.figures.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let new: BTreeMap<&str, &str> = after.figures.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let mut names: Vec<&String> = before.figures.iter().map(|(name, _)| name).collect();
    names.extend(after.figures.iter().map(|(name, _)| name).filter(|name| !old.contains_key(name.as_str())));
    for name in names {
        let (was, is) = (old.get(name.as_str()).copied(), new.get(name.as_str()).copied());
        if was != is {
            // Numbers are left out where they are 0, and what is told of a card where nothing is.
            let is_number = was.or(is).is_some_and(|value| value.parse::<i64>().is_ok());
            let none = if is_number { "0".to_string() } else { words.phrases().word("nothing") };
            let [was, is] = [was, is].map(|value| value.unwrap_or(&none));
            lines.extend((was != is).then(|| format!("{name}: {was} -> {is}")));
        }
    }
    let pieces: std::collections::BTreeSet<&usize> = before.cards.keys().chain(after.cards.keys()).collect();
    for piece in pieces {
        match (before.cards.get(piece), after.cards.get(piece)) {
            (Some(was), Some(is)) => {
                if was.place != is.place {
                    lines.push(format!("{}: {} -> {}", is.name, was.place, is.place));
                }
                let value = |of: &CardFacts, name: &str| {
                    of.counters.iter().find(|counter| counter.0 == name).map_or("0".to_string(), |counter| counter.1.clone())
                };
                let mut names: Vec<&String> = was.counters.iter().chain(&is.counters).map(|(name, _)| name).collect();
                names.dedup();
                for name in names {
                    let (old, new) = (value(was, name), value(is, name));
                    let card = words.phrases().say("{card} in {place}", &[("card", &is.name), ("place", &is.place)]);
                    let line = format!("{card}, {name}: {old} -> {new}");
                    if old != new && !lines.contains(&line) {
                        lines.push(line);
                    }
                }
            }
            (Some(was), None) => lines.push(format!("{}: {} -> {}", was.name, was.place, words.phrases().word("gone"))),
            (None, Some(is)) => lines.push(format!("{}: -> {}", is.name, is.place)),
            (None, None) => {}
        }
    }
    lines
}

impl ViewFacts {
    fn from_view(rules: &Ruleset, seen: &SeenGame<'_>, words: &DisplayNames) -> ViewFacts {
        let mut known = ViewFacts { figures: Vec::new(), cards: BTreeMap::new() };
        known.add_value(&words.phrases().word("round"), seen.round.to_string());
        known.add_value(&words.phrases().word("order"), seen.order.join(", "));
        for (number, seat) in seen.seats.iter().enumerate() {
            let whose = seat_name(number);
            let figure = |value: Option<i64>| value.map_or("?".to_string(), |value| value.to_string());
            known.add_value(&format!("{whose} {}", words.phrases().word("points")), figure(seat.points));
            seat.stats.0.iter().for_each(|(name, value)| known.add_value(&format!("{whose} {}", words.word_name(name)), figure(*value)));
            known.add_owner(rules, &format!("{whose} "), &seat.owned, words);
        }
        known.add_owner(rules, "", &seen.table, words);
        known
    }

    fn add_value(&mut self, name: &str, value: String) {
        self.figures.push((name.to_string(), value));
    }

    fn add_owner(&mut self, rules: &Ruleset, whose: &str, owned: &Owned<'_>, words: &DisplayNames) {
        for (name, had) in owned.variables.0.iter().filter(|(name, _)| !rules.is_internal_variable(name)) {
            self.add_variable(&format!("{whose}{}", words.word_name(name)), had, words);
        }
        let token_name = |key: &str| if key == HIDDEN { words.phrases().word("hidden") } else { words.token_name(key) };
        for (pool, tokens) in &owned.pools.0 {
            tokens.0.iter().for_each(|(key, count)| {
                self.add_value(&format!("{whose}{} {}", words.word_name(pool), token_name(key)), count.to_string())
            });
        }
        for (name, place) in &owned.places.0 {
            let name = format!("{whose}{}", words.word_name(name));
            if place.hidden > 0 {
                self.add_value(&words.phrases().say("hidden cards in {place}", &[("place", &name)]), place.hidden.to_string());
            }
            for card in &place.known_in_part {
                let (card, notes) = partly_known_card(words, card);
                self.add_value(&words.phrases().say("{card} in {place}", &[("card", &card), ("place", &name)]), notes.join(", "));
            }
            for card in &place.cards {
                let place = match card.grid_space {
                    Some(at) => words.place_at(&name, at.row, at.column),
                    None => name.clone(),
                };
                let mut counted = ViewFacts { figures: Vec::new(), cards: BTreeMap::new() };
                for (counter, had) in &card.counters.0 {
                    counted.add_variable(&words.word_name(counter), had, words);
                }
                let found = CardFacts { name: words.card_name(card.card).to_string(), place, counters: counted.figures };
                self.cards.insert(card.piece_index, found);
            }
        }
    }

    fn add_variable(&mut self, name: &str, had: &VariableValue<'_>, words: &DisplayNames) {
        match had {
            VariableValue::Hidden => self.add_value(name, words.phrases().word("hidden")),
            VariableValue::Number(number) => self.add_value(name, number.to_string()),
            VariableValue::Truth(truth) => {
                self.add_value(name, if *truth { words.phrases().word("yes") } else { words.phrases().word("no") })
            }
            VariableValue::Words(set) if set.is_empty() => self.add_value(name, words.phrases().word("nothing")),
            VariableValue::Words(set) => self.add_value(name, set.iter().map(|word| words.word_name(word)).collect::<Vec<_>>().join(", ")),
            VariableValue::Tally(tally) => {
                tally.0.iter().for_each(|(word, count)| self.add_value(&format!("{name} {}", words.word_name(word)), count.to_string()))
            }
        }
    }
}
