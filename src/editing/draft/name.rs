//! Validation of new names.

use crate::pack::is_snake_case;

/// Checks that a name can be the id of a card, or the name of a pack or variant: lower-case words joined by `_`.
///
/// # Errors
/// A message that suggests a valid name.
pub fn check_name(name: &str) -> Result<(), String> {
    check(name)
}

/// Checks that a name can be the name of a game: lower-case words joined by `-` or `_`.
///
/// # Errors
/// A message that suggests a valid name.
pub fn check_game_name(name: &str) -> Result<(), String> {
    check(&name.replace('-', "_")).map_err(|fault| fault.replace(&format!("`{}`", name.replace('-', "_")), &format!("`{name}`")))
}

fn check(name: &str) -> Result<(), String> {
    if is_snake_case(name) {
        return Ok(());
    }
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let better = words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_");
    let rule = "names are lower-case words joined by `_`, and begin with a letter";
    Err(match better.starts_with(|letter: char| letter.is_ascii_lowercase()) {
        true => format!("`{name}` is no name: {rule}; write `{better}`"),
        false => format!("`{name}` is no name: {rule}"),
    })
}

/// Converts an id to a display name: its words, each capitalised.
pub fn name_of(id: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    };
    id.split('_').map(word).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_lower_case_words() {
        for fit in ["wolf", "grey_wolf", "wolf_2"] {
            assert_eq!(check_name(fit), Ok(()));
        }
        assert!(check_game_name("grey-wolf").is_ok());
        for (name, better) in [
            ("Grey Wolf", "write `grey_wolf`"),
            ("grey-wolf", "write `grey_wolf`"),
            ("wolf_", "write `wolf`"),
            ("", "begin with a letter"),
            ("7", "begin with a letter"),
            ("../wolf", "write `wolf`"),
        ] {
            let said = check_name(name).unwrap_err();
            assert!(said.ends_with(better) && said.starts_with(&format!("`{name}` is no name")), "{said}");
        }
        assert_eq!(name_of("grey_wolf"), "Grey Wolf");
    }
}
