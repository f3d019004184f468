//! The legend of a picture: what its signs mean, of those that occur.

use std::collections::{BTreeMap, BTreeSet};

use super::super::phrases::Phrases;
use super::members::{Member, Sort};
use super::{BoardPicture, PictureSpace};

/// What the signs of one member mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegendLine {
    /// Index of the member.
    pub(super) member: usize,
    /// Display name of the member.
    pub title: String,
    /// Signs that occur, each with what it means, and the index of its word.
    pub entries: Vec<(usize, String, String)>,
    /// What holds where no sign is drawn; empty if there is nothing to be said.
    pub otherwise: String,
    /// What the program itself says in the language.
    phrases: Phrases,
}

impl LegendLine {
    /// Formats the line: `ground: s sea, f forest, else void`.
    pub fn text(&self) -> String {
        let entries = self.entries.iter().map(|(_, sign, means)| format!("{sign} {means}").trim().to_string());
        let otherwise = Some(self.phrases.say("else {what}", &[("what", &self.otherwise)])).filter(|_| !self.otherwise.is_empty());
        format!("{}: {}", self.title, entries.chain(otherwise).collect::<Vec<_>>().join(", "))
    }
}

impl BoardPicture {
    /// Returns what the signs mean that occur in the picture, without those of the members in `left_out`.
    pub(super) fn legend(&self, left_out: &BTreeSet<usize>) -> Vec<LegendLine> {
        let line = |(at, member): (usize, &Member)| {
            let mut words: BTreeMap<usize, String> = BTreeMap::new();
            let mut named: BTreeMap<usize, Vec<String>> = BTreeMap::new();
            let mut occurs = false;
            for (space, part) in self.spaces.iter().flat_map(|space| space.parts.iter().map(move |part| (space, part))) {
                if part.member != at {
                    continue;
                }
                occurs = true;
                for (index, sign) in &part.entries {
                    words.insert(*index, sign.clone());
                    named.entry(*index).or_default().push(format!("{} {}", short_name(space), part.words));
                }
            }
            let entries = words.into_iter().map(|(index, sign)| {
                let title = member.words[index].title.clone();
                let means = match member.sort {
                    Sort::Cards => format!("{title} ({})", named[&index].join(", ")),
                    Sort::Word | Sort::Player | Sort::Number | Sort::Flag | Sort::Set | Sort::Tally | Sort::Standing => title,
                };
                (index, sign, means)
            });
            let mut entries: Vec<(usize, String, String)> = entries.collect();
            let letter = &member.letter;
            let whole = match member.sort {
                Sort::Player if letter.is_empty() => Some(self.phrases.word("number of the player")),
                Sort::Player => Some(self.phrases.word("and number of the player")),
                Sort::Number if letter.is_empty() => Some(self.phrases.word("the number")),
                Sort::Number => Some(self.phrases.word("and its number")),
                Sort::Standing if self.stands_with_number(at) => Some(self.phrases.word("and number of the player")),
                Sort::Flag | Sort::Standing => Some(String::new()),
                Sort::Set if !letter.is_empty() => Some(self.phrases.word("and which of them")),
                Sort::Tally if !letter.is_empty() => Some(self.phrases.word("and for each its number")),
                Sort::Word | Sort::Set | Sort::Tally | Sort::Cards => None,
            };
            if let Some(whole) = whole {
                entries = vec![(0, letter.clone(), whole)];
            }
            occurs.then(|| LegendLine {
                member: at,
                title: member.title.clone(),
                entries,
                otherwise: member.unmarked.clone().unwrap_or_default(),
                phrases: self.phrases.clone(),
            })
        };
        self.members.iter().enumerate().filter(|(at, _)| !left_out.contains(at)).filter_map(line).collect()
    }

    /// Whether what stands on spaces by a counter is a player.
    fn stands_with_number(&self, at: usize) -> bool {
        self.spaces.iter().flat_map(|space| &space.parts).any(|part| part.member == at && part.player.is_some())
    }

    /// Returns the display names of the members that occur and are in `left_out`.
    pub(super) fn titles_of(&self, left_out: &BTreeSet<usize>) -> Vec<&str> {
        let occurs = |at: &usize| self.spaces.iter().flat_map(|space| &space.parts).any(|part| part.member == *at);
        left_out.iter().filter(|at| occurs(at)).map(|at| self.members[*at].title.as_str()).collect()
    }

    /// Returns in which order members are left out where there is no room: numbers first, and the last of them first; words and players
    /// never.
    pub(super) fn expendable(&self) -> Vec<usize> {
        let of = |sort: Sort| {
            let all = self.members.iter().enumerate().rev();
            all.filter(move |(_, member)| member.sort == sort && !member.letter.is_empty()).map(|(at, _)| at)
        };
        [Sort::Number, Sort::Standing, Sort::Tally, Sort::Set, Sort::Flag].into_iter().flat_map(of).collect()
    }
}

/// Returns the row and column of a space, as its name says them.
fn short_name(space: &PictureSpace) -> &str {
    space.key.split_once('.').map_or(space.key.as_str(), |(_, short)| short)
}
