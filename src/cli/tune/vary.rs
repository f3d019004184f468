//! `--vary`: what is varied, among which values, and the text that sets it to one of them.

use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::lang::GameText;
use crate::pack::{RawCard, Selection, Text};
use crate::source::{Sources, Span};
use crate::syntax::address::{AddressValue, value_at};

/// Largest number of values of one `--vary`.
const MAX_LEVELS: usize = 1000;

/// What a value is written to.
#[derive(Clone, Debug, PartialEq)]
enum Varied {
    /// `change ADDRESS to VALUE`
    Address(String),
    /// `change ADDRESS by VALUE`
    AddressBy(String),
    /// A figure of cards: those of a `where`, or a single one.
    Figure { key: String, condition: Option<String>, cards: Vec<usize> },
    /// The same and so much more: cards with the figures that are printed on them.
    FigureBy { key: String, cards: Vec<(usize, i64)> },
}

/// A `--vary` with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// What is varied, as it was written.
    pub name: String,
    /// Its values, in words.
    pub levels: Vec<String>,
    /// Whether near values do nearly the same.
    pub ordered: bool,
    /// The value in the rules as they are.
    pub now: Option<usize>,
    varied: Varied,
}

/// A figure of a card with its new value.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureChange {
    /// The index of the card.
    pub card: usize,
    /// The key.
    pub key: String,
    /// The new value.
    pub value: i64,
}

/// Why a `--vary` cannot be used: a message, or faults in the condition of a `where`.
pub enum VaryFault {
    Message(String),
    Diagnostics(Vec<Diagnostic>),
}

impl From<String> for VaryFault {
    fn from(message: String) -> VaryFault {
        VaryFault::Message(message)
    }
}

impl Vary {
    /// Parses a `--vary` for a game. An address that no rule has is told by the rules that use it.
    pub fn parse(written: &str, text: &GameText, sources: &mut Sources) -> Result<Vary, VaryFault> {
        let (what, values, by) = split(written)?;
        let mut levels = parse_levels(written, values)?;
        let name = what.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((key, condition)) = name.split_once(" where ") {
            let cards = cards_where(condition, text, sources)?;
            return figure(name.clone(), key.trim(), Some(condition), cards, levels, by, text).map_err(VaryFault::from);
        }
        if let Some((id, key)) = name.split_once('.')
            && let Some(card) = text.content.cards.iter().position(|card| card.id.text == id)
        {
            return figure(name.clone(), key, None, vec![card], levels, by, text).map_err(VaryFault::from);
        }
        if let Some((_, option)) = text.options().into_iter().find(|(option, _)| *option == name) {
            let known = &option.values;
            if let Some(unknown) = levels.iter().find(|level| !known.contains(level)) {
                let meant =
                    nearest(unknown, known.iter().map(String::as_str)).map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
                return Err(format!("option `{name}` has no value `{unknown}`{meant}\nit can be {}", known.join(", ")).into());
            }
            if option.numeric {
                // Near values are expected to do nearly the same, and the ends of a range are its least and its largest value.
                levels.sort_by_key(|level| level.parse::<i64>().ok());
            }
            let now = levels.iter().position(|level| option.default.as_slice() == [level.clone()]);
            let ordered = option.numeric && !by;
            return if by {
                Err(no_amount(&name).into())
            } else {
                Ok(Vary { varied: Varied::Address(name.clone()), name, levels, ordered, now })
            };
        }
        rule(name, levels, by, text).map_err(VaryFault::from)
    }

    /// Returns the name of the option or the address that is varied; `None` for figures of cards.
    pub fn address(&self) -> Option<&str> {
        match &self.varied {
            Varied::Address(address) | Varied::AddressBy(address) => Some(address),
            Varied::Figure { .. } | Varied::FigureBy { .. } => None,
        }
    }

    /// Whether both set a value that stands at one place: an address within the other's, or the same figure of a card.
    pub fn overlaps(&self, other: &Vary) -> bool {
        if let (Some(a), Some(b)) = (self.address(), other.address()) {
            let within = |inner: &str, outer: &str| inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
            return within(a, b) || within(b, a);
        }
        let (own, others) = (self.figures(0), other.figures(0));
        own.iter().any(|own| others.iter().any(|other| (own.card, &own.key) == (other.card, &other.key)))
    }

    /// Returns the line of rules that sets a value; `None` if none is needed.
    pub fn rule_line(&self, level: usize) -> Option<String> {
        let value = &self.levels[level];
        match &self.varied {
            Varied::Address(address) => Some(format!("change {address} to {value}")),
            Varied::AddressBy(address) => (value != "0").then(|| format!("change {address} by {value}")),
            Varied::Figure { .. } | Varied::FigureBy { .. } => None,
        }
    }

    /// Returns the figures of cards that a value changes.
    pub fn figures(&self, level: usize) -> Vec<FigureChange> {
        let number: i64 = self.levels[level].parse().unwrap_or_default();
        match &self.varied {
            Varied::Address(_) | Varied::AddressBy(_) => Vec::new(),
            Varied::Figure { key, cards, .. } => {
                cards.iter().map(|card| FigureChange { card: *card, key: key.clone(), value: number }).collect()
            }
            Varied::FigureBy { key, cards } => cards
                .iter()
                .map(|(card, printed)| FigureChange { card: *card, key: key.clone(), value: printed.saturating_add(number) })
                .collect(),
        }
    }

    /// Returns the patches of a pack that set a value.
    pub fn patches(&self, level: usize, cards: &[RawCard]) -> Vec<String> {
        if let Varied::Figure { key, condition: Some(condition), .. } = &self.varied {
            return vec![format!("[[patch]]\nwhere = {condition:?}\n{key} = {}\n", self.levels[level])];
        }
        let patch =
            |change: &FigureChange| format!("[[patch]]\ncard = \"{}\"\n{} = {}\n", cards[change.card].id.text, change.key, change.value);
        let unchanged = |change: &FigureChange| cards[change.card].figure(&change.key) == Some(change.value);
        self.figures(level).iter().filter(|change| !unchanged(change)).map(patch).collect()
    }
}

/// Splits `WHAT in VALUES` or `WHAT by VALUES`.
fn split(written: &str) -> Result<(&str, &str, bool), String> {
    let at = |word: &str| written.rfind(word);
    let (at, by) = match (at(" in "), at(" by ")) {
        (Some(inside), Some(by)) => (inside.max(by), by > inside),
        (Some(inside), None) => (inside, false),
        (None, Some(by)) => (by, true),
        (None, None) => {
            return Err(format!("`--vary '{written}'`: write what is varied and among which values, such as `ADDRESS in 0..6`"));
        }
    };
    Ok((written[..at].trim(), written[at + 4..].trim(), by))
}

/// Parses `0..6`, `10..50 step 5`, or values with commas.
fn parse_levels(written: &str, values: &str) -> Result<Vec<String>, String> {
    let wrong = |why: &str| format!("`--vary '{written}'`: {why}");
    let levels: Vec<String> = match values.split_once("..") {
        Some((first, rest)) => {
            let (last, step) = rest.split_once(" step ").unwrap_or((rest, "1"));
            let number = |text: &str| text.trim().trim_start_matches('+').parse::<i32>().ok().map(i64::from);
            let (Some(first), Some(last), Some(step)) = (number(first), number(last), number(step)) else {
                return Err(wrong("a range is written with whole numbers, such as `0..6` or `10..50 step 5`"));
            };
            if first > last || step < 1 {
                return Err(wrong("a range goes up: `0..6`, with a step of 1 or more"));
            }
            let count = cast::fit::<usize>((last - first) / step + 1);
            if count > MAX_LEVELS {
                return Err(wrong(&format!(
                    "these are {count} values, and {MAX_LEVELS} are the most; a step leaves some out: `{first}..{last} step 10`"
                )));
            }
            (first..=last).step_by(cast::fit::<usize>(step)).map(|number| number.to_string()).collect()
        }
        None => values.split(',').map(|value| value.trim().to_string()).collect(),
    };
    let twice = |(at, level): (usize, &String)| levels[..at].contains(level);
    if levels.iter().any(String::is_empty) || levels.len() > MAX_LEVELS {
        return Err(wrong("a value is missing between the commas"));
    }
    if levels.iter().enumerate().any(twice) {
        return Err(wrong("a value is named twice"));
    }
    Ok(levels)
}

/// Returns whole numbers in order, if all values are whole numbers.
fn numbers(levels: &[String]) -> Option<Vec<i64>> {
    let mut numbers: Vec<i64> = levels.iter().map(|level| level.parse::<i32>().ok().map(i64::from)).collect::<Option<_>>()?;
    numbers.sort_unstable();
    Some(numbers)
}

/// Writes an amount with its sign.
fn signed(number: &i64) -> String {
    if *number > 0 { format!("+{number}") } else { number.to_string() }
}

/// Varies what stands at an address.
fn rule(name: String, levels: Vec<String>, by: bool, text: &GameText) -> Result<Vary, String> {
    let value = value_at(&mut text.tree.clone(), &name);
    let Some(numbers) = numbers(&levels) else {
        // Whether words are allowed there, the rules say.
        return if by {
            Err(no_amount(&name))
        } else {
            Ok(Vary { varied: Varied::Address(name.clone()), name, levels, ordered: false, now: None })
        };
    };
    match value {
        Some(AddressValue::Table) if !by => {
            return Err(format!("`{name}` is a table: `--vary '{name} by -1..1'` changes all of it, `--vary '{name}.KEY in …'` one value"));
        }
        Some(AddressValue::Nothing) => {
            return Err(format!("`{name}` has no value that could be varied; `houserule words {name}` tells what it is"));
        }
        Some(_) | None => {}
    }
    if by {
        let (levels, now) = (numbers.iter().map(signed).collect(), numbers.iter().position(|number| *number == 0));
        return Ok(Vary { varied: Varied::AddressBy(name.clone()), name, levels, ordered: true, now });
    }
    let now = match value {
        Some(AddressValue::Number(now)) => numbers.iter().position(|number| *number == now),
        Some(_) | None => None,
    };
    let levels = numbers.iter().map(ToString::to_string).collect();
    Ok(Vary { varied: Varied::Address(name.clone()), name, levels, ordered: true, now })
}

/// Varies a figure of cards.
fn figure(
    name: String,
    key: &str,
    condition: Option<&str>,
    cards: Vec<usize>,
    levels: Vec<String>,
    by: bool,
    text: &GameText,
) -> Result<Vary, String> {
    let all = &text.content.cards;
    let Some(numbers) = numbers(&levels) else { return Err(format!("`{name}`: figures of cards are whole numbers")) };
    let alike = |card: usize| all.iter().filter(move |other| other.kind.text == all[card].kind.text);
    let has = |card: &usize| alike(*card).any(|other| other.figure(key).is_some());
    if !cards.iter().any(has) {
        let kinds = cards.iter().flat_map(|card| alike(*card));
        let mut known: Vec<&str> =
            kinds.flat_map(|card| &card.fields).filter(|(_, value)| value.integer().is_some()).map(|(key, _)| key.text.as_str()).collect();
        known.extend(["age", "copies"]);
        known.sort_unstable();
        known.dedup();
        let meant = nearest(key, known.iter().copied()).map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        return Err(format!("`{name}`: no whole number is printed there under `{key}`{meant}\nthere are {}", known.join(", ")));
    }
    let printed: Vec<(usize, i64)> = cards.iter().filter_map(|card| Some((*card, all[*card].figure(key)?))).collect();
    let key = key.to_string();
    if by {
        if printed.is_empty() {
            return Err(format!("`{name}`: nothing is printed there under `{key}` that could become more; `{name} in 1..5` sets it"));
        }
        let (levels, now) = (numbers.iter().map(signed).collect(), numbers.iter().position(|number| *number == 0));
        return Ok(Vary { name, levels, ordered: true, now, varied: Varied::FigureBy { key, cards: printed } });
    }
    let now = numbers.iter().position(|number| printed.len() == cards.len() && printed.iter().all(|(_, printed)| printed == number));
    let levels = numbers.iter().map(ToString::to_string).collect();
    Ok(Vary { name, levels, ordered: true, now, varied: Varied::Figure { key, condition: condition.map(str::to_string), cards } })
}

/// Finds the cards that fit a condition.
fn cards_where(condition: &str, text: &GameText, sources: &mut Sources) -> Result<Vec<usize>, VaryFault> {
    let file = sources.add("--vary", condition);
    let span = Span { file, start: 0, end: cast::fit::<u32>(condition.len()) };
    let mut found = Vec::new();
    let Some(selection) = Selection::parse(&Text { text: condition.to_string(), span }, &mut found) else {
        return Err(VaryFault::Diagnostics(found));
    };
    let cards = &text.content.cards;
    let fitting: Vec<usize> = cards.iter().enumerate().filter(|(_, card)| selection.matches(card)).map(|(at, _)| at).collect();
    if !fitting.is_empty() {
        return Ok(fitting);
    }
    let unknown = selection.unknown_words(&cards.iter().collect::<Vec<_>>());
    let words = unknown.iter().map(|(word, known)| match nearest(word, known.iter().map(String::as_str)) {
        Some(meant) => format!("; none has `{word}`: did you mean `{meant}`?"),
        None => format!("; none has `{word}`: cards have {}", known.iter().take(12).cloned().collect::<Vec<_>>().join(", ")),
    });
    Err(format!("no card fits `{condition}`{}", words.collect::<String>()).into())
}

fn no_amount(name: &str) -> String {
    format!("`{name}`: `by` wants whole numbers, such as `{name} by -2..2`; words are named behind `in`")
}

#[cfg(test)]
mod tests {
    use super::super::super::load::Workspace;
    use super::*;
    use crate::lang::compile;

    const RULES: &str = "game wood \"Wood\"\nplayers 2\noption size = small | large, default small\noption pace = 0 to 9, default 3\nconstant meal = by players { 2: 3 }\n\
                         constant gift = 4\nplayer { resource nut; place den of beast: 9 }\nkind beast { slot den; price: number; maybe vp: number }\n\
                         table { deck wild of beast }\nrounds 1 of day\nphase day { step eat { all players { gain gift nut } } }\n\
                         score { \"nuts\" = nut }\nwins highest score, then order\n";
    const CARDS: &str =
        "[[card]]\nid = \"wolf\"\nkind = \"beast\"\nprice = 3\n[[card]]\nid = \"fox\"\nkind = \"beast\"\nprice = 1\nvp = 2\n";

    fn parse(written: &[&str]) -> Vec<Result<Vary, String>> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in [("rules/wood.rules", RULES), ("cards/wood/all.toml", CARDS)] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let workspace = Workspace::of_root(Some(folder.path()));
        let (mut sources, mut found) = (Sources::new(), Vec::new());
        let text = compile::load(&mut sources, workspace.root(), "wood", &[], &[], &mut found).unwrap();
        let parse = |written: &&str| {
            Vary::parse(written, &text, &mut sources).map_err(|fault| match fault {
                VaryFault::Message(message) => message,
                VaryFault::Diagnostics(found) => found[0].message.clone(),
            })
        };
        written.iter().map(parse).collect()
    }

    #[test]
    fn what_can_be_varied_and_the_text_that_does_it() {
        let lines = |vary: &Vary| (0..vary.levels.len()).map(|level| vary.rule_line(level).unwrap_or_default()).collect::<Vec<_>>();
        let found: Vec<Vary> = parse(&["gift in 0..6 step 2", "meal by -1..1", "meal.2 in 3,1", "size in small, large"])
            .into_iter()
            .map(Result::unwrap)
            .collect();
        assert_eq!(lines(&found[0]), [0, 2, 4, 6].map(|gift| format!("change gift to {gift}")));
        assert_eq!(found.iter().map(|vary| vary.now).collect::<Vec<_>>(), [Some(2), Some(1), Some(1), Some(0)]);
        assert_eq!(lines(&found[1]), ["change meal by -1", "", "change meal by +1"]);
        assert_eq!(lines(&found[2]), ["change meal.2 to 1", "change meal.2 to 3"]);
        assert_eq!(
            (lines(&found[3]), found[3].ordered),
            (vec!["change size to small".to_string(), "change size to large".to_string()], false)
        );
        let pace = parse(&["pace in 5,1,3"]).remove(0).unwrap();
        assert_eq!(
            (lines(&pace), pace.now, pace.ordered),
            ([1, 3, 5].map(|pace| format!("change pace to {pace}")).to_vec(), Some(1), true)
        );
    }

    #[test]
    fn figures_of_cards() {
        let found: Vec<Vary> = parse(&["wolf.price in 1..3", "price where kind is beast by 0..1", "vp where price > 2 in 0..1"])
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let figures = |vary: &Vary, level: usize| vary.figures(level).iter().map(|change| (change.card, change.value)).collect::<Vec<_>>();
        assert_eq!((found[0].now, figures(&found[0], 1)), (Some(2), vec![(0, 2)]));
        assert_eq!((found[1].now, figures(&found[1], 1)), (Some(0), vec![(0, 4), (1, 2)]));
        assert_eq!((found[2].now, figures(&found[2], 1)), (None, vec![(0, 1)]), "nothing is printed there yet");
    }

    #[test]
    fn what_sets_the_same_value_overlaps() {
        for (a, b, overlap) in [
            ("meal by -1..1", "meal.2 in 1..3", true),
            ("meal.2 in 1..3", "gift in 1..3", false),
            ("wolf.price in 1..3", "price where kind is beast by 0..1", true),
            ("price where price < 2 in 0..1", "price where kind is beast in 3..4", true),
            ("wolf.price in 1..3", "price where price < 2 in 0..1", false),
            ("wolf.price in 1..3", "vp where kind is beast in 0..1", false),
            ("gift in 1..3", "wolf.price in 1..3", false),
        ] {
            let both: Vec<Vary> = parse(&[a, b]).into_iter().map(Result::unwrap).collect();
            assert_eq!((both[0].overlaps(&both[1]), both[1].overlaps(&both[0])), (overlap, overlap), "{a}, {b}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_vary() {
        for (written, said) in [
            ("gift", "write what is varied"),
            ("gift in 6..0", "a range goes up"),
            ("gift in 0..x", "whole numbers"),
            ("gift in 0..5000", "1000 are the most"),
            ("gift in 1,1", "named twice"),
            ("gift in 1,", "a value is missing"),
            ("gift by small", "`by` wants whole numbers"),
            ("meal in 1..3", "is a table"),
            ("day in 1..3", "no value that could be varied"),
            ("size in smal", "did you mean `small`?"),
            ("wolf.prize in 1..3", "did you mean `price`?"),
            ("price where kind is baest in 1..3", "did you mean `beast`?"),
            ("price where kind was beast in 1..3", "this `where` cannot be read"),
            ("wolf.price in low, high", "whole numbers"),
        ] {
            let found = parse(&[written]).remove(0).unwrap_err();
            assert!(found.contains(said), "{written}: {found}");
        }
    }
}
