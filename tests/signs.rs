//! The short signs of words in pictures of boards.

use houserule::table::{SignStyle, Signs};

fn words(words: &str) -> Vec<String> {
    words.split(' ').map(String::from).collect()
}

#[test]
fn signs_have_as_few_letters_as_tell_words_apart() {
    let mut signs = Signs::default();
    assert_eq!(signs.give(&words("sun moon marsh fen fern 7"), SignStyle::Small), ["s", "mo", "ma", "fn", "fr", "7"]);
    assert_eq!(signs.give(&words("sun moon"), SignStyle::Capital), ["S", "M"]);
}

#[test]
fn no_sign_can_be_taken_for_another() {
    let mut signs = Signs::default();
    assert_eq!(signs.give(&words("sea"), SignStyle::Small), ["s"]);
    assert_eq!(signs.give_one("safe"), "S");
    assert_eq!(signs.give_one("sound"), "so");
    // `so` would read as `s` and `o`.
    assert_eq!(signs.give_one("open"), "O");
    assert_eq!(signs.give_one("s"), "s2");
}
