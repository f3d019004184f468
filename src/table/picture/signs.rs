//! Short signs for words: of each list as few letters as tell its words apart, and of several lists none that could be taken for another.

/// How the signs of a list are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SignStyle {
    /// In small letters.
    Small,
    /// With a capital letter.
    Capital,
}

/// The signs of a board that are given already; none at first.
#[derive(Clone, Debug, Default)]
pub struct Signs {
    taken: Vec<String>,
}

impl Signs {
    /// Gives each word of a list a sign that no other word has, of a letter or two if there is one; returns them in the order of the words.
    pub fn give(&mut self, words: &[String], style: SignStyle) -> Vec<String> {
        let letters: Vec<Vec<char>> = words.iter().map(|word| letters_of(word)).collect();
        let mut given = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let alike: Vec<&Vec<char>> = letters
                .iter()
                .enumerate()
                .filter(|(other, has)| *other != at && has.first() == letters[at].first())
                .map(|(_, has)| has)
                .collect();
            let candidates = candidates(&letters[at], &alike, style);
            let sign = candidates.into_iter().find(|sign| self.is_free(sign)).unwrap_or_else(|| self.longer(word));
            self.taken.push(sign.clone());
            given.push(sign);
        }
        given
    }

    /// Gives one word a sign, in small letters if these are free.
    pub fn give_one(&mut self, word: &str) -> String {
        let letters = letters_of(word);
        let both =
            [SignStyle::Small, SignStyle::Capital].into_iter().flat_map(|style| candidates(&letters, &[], style).into_iter().take(1));
        let more = candidates(&letters, &[], SignStyle::Small);
        let found = both.chain(more).find(|sign| self.is_free(sign));
        let sign = found.unwrap_or_else(|| self.longer(word));
        self.taken.push(sign.clone());
        sign
    }

    /// Returns the whole word, with a number if it is taken.
    fn longer(&self, word: &str) -> String {
        let word = word.replace(' ', "_");
        let numbered = (2..).map(|number: usize| format!("{word}{number}"));
        let mut all = std::iter::once(word.clone()).chain(numbered);
        all.find(|sign| !self.taken.contains(sign)).unwrap_or(word)
    }

    /// Whether a sign is neither taken nor could be read as two of those that are, nor makes one of those two others.
    fn is_free(&self, sign: &str) -> bool {
        let is_taken = |sign: &str| self.taken.iter().any(|taken| taken == sign);
        let halves = |sign: &str| {
            let mut letters = sign.chars().map(String::from);
            Some((letters.next()?, letters.next()?)).filter(|_| letters.next().is_none())
        };
        let is_two_others = |sign: &str, more: &str| {
            halves(sign).is_some_and(|(first, second)| (first == more || is_taken(&first)) && (second == more || is_taken(&second)))
        };
        !is_taken(sign) && !is_two_others(sign, sign) && !self.taken.iter().any(|taken| is_two_others(taken, sign))
    }
}

/// Returns the letters and digits of a word.
fn letters_of(word: &str) -> Vec<char> {
    word.to_lowercase().chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Returns the signs that a word can have, best first. `alike` are the words of its list that begin alike.
fn candidates(letters: &[char], alike: &[&Vec<char>], style: SignStyle) -> Vec<String> {
    let Some(first) = letters.first() else { return Vec::new() };
    // A number is its own sign.
    if letters.iter().all(char::is_ascii_digit) {
        return vec![letters.iter().collect()];
    }
    let first: String = match style {
        SignStyle::Small => first.to_string(),
        SignStyle::Capital => first.to_uppercase().collect(),
    };
    // The first letter that tells the words apart which begin alike comes first.
    let tells = (1..letters.len()).find(|&at| alike.iter().all(|other| other.get(at) != letters.get(at)));
    let second = tells.into_iter().chain(1..letters.len()).map(|at| format!("{first}{}", letters[at]));
    let alone = alike.is_empty().then(|| first.clone());
    alone.into_iter().chain(second).collect()
}
