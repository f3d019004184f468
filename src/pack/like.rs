//! `like`: a card that inherits from another card. It inherits the other card as printed: patches by `card` only affect that card, while
//! patches by `where` apply to both.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, nearest};

use super::cards::RawCard;
use super::patch::replace_or_add_entry;
use super::problem::PackProblem;

/// Progress in resolving the `like` of one card.
#[derive(Clone, Copy, PartialEq)]
enum ResolveState {
    Waiting,
    Open,
    Done,
    /// The card could not be resolved; the reason has been reported.
    Broken,
}

/// Resolves `like` for all cards. Cards that cannot be resolved are reported and left out. The second result says whether there are any.
pub(super) fn resolve_likes(cards: Vec<RawCard>, diagnostics: &mut Vec<Diagnostic>) -> (Vec<RawCard>, bool) {
    let mut by_id = BTreeMap::new();
    for (at, card) in cards.iter().enumerate() {
        by_id.entry(card.id.text.clone()).or_insert(at);
    }
    let states = vec![ResolveState::Waiting; cards.len()];
    let mut resolver = LikeResolver { cards, by_id, states, diagnostics };
    for at in 0..resolver.cards.len() {
        resolver.resolve(at);
    }
    let LikeResolver { cards, states, .. } = resolver;
    let broken = states.contains(&ResolveState::Broken);
    (cards.into_iter().zip(states).filter(|(_, state)| *state == ResolveState::Done).map(|(card, _)| card).collect(), broken)
}

struct LikeResolver<'a> {
    cards: Vec<RawCard>,
    by_id: BTreeMap<String, usize>,
    states: Vec<ResolveState>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl LikeResolver<'_> {
    /// Resolves a card after the chain of cards that it inherits from.
    fn resolve(&mut self, at: usize) {
        let mut path: Vec<usize> = Vec::new();
        let mut next = Some(at);
        let mut end = ResolveState::Done;
        while let Some(at) = next {
            match self.states.get(at) {
                Some(ResolveState::Waiting) => {}
                Some(ResolveState::Open) => {
                    self.report_cycle(&path, at);
                    end = ResolveState::Broken;
                    break;
                }
                Some(&known) => {
                    end = known;
                    break;
                }
                None => break,
            }
            self.states[at] = ResolveState::Open;
            path.push(at);
            next = match &self.cards[at].like {
                None => None,
                Some(like) => match self.by_id.get(&like.text) {
                    Some(other) => Some(*other),
                    None => {
                        let near = nearest(&like.text, self.by_id.keys().map(String::as_str)).map(String::from);
                        self.diagnostics.push(PackProblem::NoCard { id: like.text.clone(), near }.at(like.span));
                        end = ResolveState::Broken;
                        None
                    }
                },
            };
        }
        for at in path.into_iter().rev() {
            self.states[at] = end;
            let like = self.cards[at].like.as_ref().and_then(|like| self.by_id.get(&like.text)).copied();
            if end == ResolveState::Done
                && let Some(other) = like.and_then(|other| self.cards.get(other)).cloned()
            {
                inherit_from(&mut self.cards[at], other);
            }
        }
    }

    fn report_cycle(&mut self, path: &[usize], again: usize) {
        let begin = path.iter().position(|at| *at == again).unwrap_or(0);
        let Some(like) = self.cards.get(again).and_then(|card| card.like.clone()) else { return };
        let (card, alone) = (self.cards[again].id.text.clone(), path.len() - begin == 1);
        let others = path.iter().skip(begin + 1).filter_map(|at| self.cards.get(*at)?.like.as_ref());
        let others = others.map(|like| (like.span, like.text.clone())).collect();
        self.diagnostics.push(PackProblem::LikeItself { card, others, alone }.at(like.span));
    }
}

/// Copies from `other` everything that `card` does not write itself. Its id, name and tests are never inherited, and its own entries
/// replace inherited ones with the same id.
fn inherit_from(card: &mut RawCard, other: RawCard) {
    if card.kind.text.is_empty() {
        card.kind = other.kind;
    }
    if card.age_span.is_none() {
        (card.age, card.age_span) = (other.age, other.age_span);
    }
    card.copies = card.copies.or(other.copies);
    card.set = card.set.take().or(other.set);
    card.source = card.source.take().or(other.source);
    card.text = card.text.take().or(other.text);
    card.leaves_when = card.leaves_when.take().or(other.leaves_when);
    for (field, value) in other.fields {
        if !card.fields.iter().any(|(own, _)| own.text == field.text) {
            card.fields.push((field, value));
        }
    }
    if card.counters.is_empty() {
        card.counters = other.counters;
    }
    let own = std::mem::replace(&mut card.entries, other.entries);
    own.iter().for_each(|entry| replace_or_add_entry(&mut card.entries, entry));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_cards;
    use crate::source::Sources;

    fn read(text: &str) -> (Vec<RawCard>, Vec<(String, String)>, bool) {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let file = sources.add("wisp.toml", text);
        let cards = parse_cards(file, text, "wisps", &mut diagnostics).cards;
        let (cards, broken) = resolve_likes(cards, &mut diagnostics);
        let said = diagnostics.into_iter().map(|fault| (fault.message, sources.slice(fault.span.unwrap()).to_owned())).collect();
        (cards, said, broken)
    }

    const WOLF: &str = concat!(
        "[[card]]\nid = \"wolf\"\nname = \"The Wolf\"\nalt_names = [\"Lobo\"]\nkind = \"beast\"\nage = 2\nset = \"first\"\nsource = \"facts\"\n",
        "text = \"It howls.\"\nleaves_when = \"wisp == 0\"\ncounters = { howls = 1 }\nheight = 3\nbite = 2\n",
        "[[card.on]]\nwhen = \"dusk\"\ndo = \"a()\"\n[[card.on]]\nwhen = \"dawn\"\ndo = \"b()\"\n[[card.test]]\nthen = \"x\"\n"
    );

    #[test]
    fn a_card_takes_what_it_does_not_say_itself() {
        let cub = "[[card]]\nid = \"wolf_cub\"\nlike = \"wolf\"\nbite = 1\n[[card.on]]\nwhen = \"dusk\"\ndo = \"c()\"\n";
        for text in [format!("{WOLF}{cub}"), format!("{cub}{WOLF}")] {
            let (cards, said, broken) = read(&text);
            assert_eq!((said, broken), (Vec::new(), false));
            let (wolf, cub) =
                (cards.iter().find(|card| card.id.text == "wolf").unwrap(), cards.iter().find(|card| card.id.text == "wolf_cub").unwrap());
            assert_eq!((cub.name.text.as_str(), cub.alt_names.len(), cub.tests.len()), ("Wolf Cub", 0, 0));
            assert_eq!((&cub.kind, cub.age, cub.age_span, &cub.set, &cub.source), (&wolf.kind, 2, wolf.age_span, &wolf.set, &wolf.source));
            assert_eq!((&cub.text, &cub.leaves_when, &cub.counters), (&wolf.text, &wolf.leaves_when, &wolf.counters));
            let mut fields: Vec<_> = cub.fields.iter().map(|(key, value)| (key.text.as_str(), value.integer().unwrap())).collect();
            fields.sort_unstable();
            assert_eq!(fields, [("bite", 1), ("height", 3)]);
            let scripts: Vec<_> = cub.entries.iter().map(|entry| entry.parts()[0].script.text.as_str()).collect();
            assert_eq!(scripts, ["c()", "b()"]);
        }
    }

    #[test]
    fn the_head_of_its_own_file_is_nearer_to_a_card_than_the_card_it_is_like() {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let texts = [WOLF, "[defaults]\nage = 0\nset = \"start\"\n[[card]]\nid = \"cub\"\nlike = \"wolf\"\n"];
        let files = texts.map(|text| (sources.add("x.toml", text), text));
        let cards = files.into_iter().flat_map(|(file, text)| parse_cards(file, text, "", &mut diagnostics).cards).collect();
        let (cards, _) = resolve_likes(cards, &mut diagnostics);
        assert_eq!((cards[1].age, cards[1].set.as_ref().unwrap().text.as_str()), (0, "start"));
        assert_eq!(diagnostics, []);
    }

    #[test]
    fn a_chain_is_followed_to_its_end() {
        let (cards, said, _) =
            read(&format!("[[card]]\nid = \"a\"\nlike = \"b\"\n[[card]]\nid = \"b\"\nlike = \"wolf\"\nbite = 5\n{WOLF}"));
        assert_eq!(said, []);
        let bite = |card: &RawCard| card.fields.iter().find(|(key, _)| key.text == "bite").unwrap().1.integer();
        assert_eq!((bite(&cards[0]), cards[0].kind.text.as_str(), bite(&cards[2])), (Some(5), "beast", Some(2)));
    }

    #[test]
    fn circles_and_unknown_cards_are_told_once_and_left_out() {
        let card = |id: &str, like: &str| format!("[[card]]\nid = \"{id}\"\nlike = \"{like}\"\n");
        let told = |text: String| {
            let (cards, said, broken) = read(&text);
            let ids: Vec<String> = cards.into_iter().map(|card| card.id.text).collect();
            assert_eq!(said.len(), 1, "{said:?}");
            (ids.join(" "), said[0].0.clone(), said[0].1.clone(), broken)
        };
        let all = |ids: &str, message: &str, place: &str| (ids.to_owned(), message.to_owned(), place.to_owned(), true);
        assert_eq!(told(card("a", "a")), all("", "card `a` cannot be like itself", "a"));
        let report_cycle = [card("a", "b"), card("b", "c"), card("c", "b"), WOLF.to_owned()].concat();
        assert_eq!(told(report_cycle), all("wolf", "card `b` is like itself, by way of others", "c"));
        assert_eq!(told([card("a", "wofl"), card("b", "a"), WOLF.to_owned()].concat()), all("wolf", "there is no card `wofl`", "wofl"));
    }
}
