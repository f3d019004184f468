//! The default display name of a card, derived from its id.

/// Words that are not capitalized within a name.
const LOWER_CASE_WORDS: [&str; 16] = ["a", "an", "and", "at", "by", "da", "de", "des", "du", "for", "in", "of", "on", "the", "to", "von"];

/// Converts an id to a name: `lady_of_the_lake` becomes "Lady of the Lake".
pub(super) fn name_of(id: &str) -> String {
    let mut name = String::with_capacity(id.len());
    for (index, word) in id.split('_').enumerate() {
        if index > 0 {
            name.push(' ');
        }
        let mut letters = word.chars();
        match letters.next() {
            Some(first) if index == 0 || !LOWER_CASE_WORDS.contains(&word) => name.extend(first.to_uppercase()),
            first => name.extend(first),
        }
        name.push_str(letters.as_str());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_name_with_capitals() {
        let table = [
            ("wolf", "Wolf"),
            ("grey_wolf", "Grey Wolf"),
            ("lady_of_the_lake", "Lady of the Lake"),
            ("the_wolf_and_the_wall", "The Wolf and the Wall"),
            ("wolf_2", "Wolf 2"),
            ("", ""),
        ];
        for (id, name) in table {
            assert_eq!(name_of(id), name);
        }
    }
}
