//! Applies patches and removals to cards. Packs are applied in load order; within a pack, `where` is applied before `card`, so that a
//! general change can have exceptions. Two packs that write the same key are in conflict, unless the later one lists the earlier in `over`.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::cards::{RawCard, RawKind};
use super::patch::{CardTarget, KeyPath, Patch, Remove, replace_or_add_entry};
use super::problem::PackProblem;
use super::read::Text;

/// The changes that one pack makes to cards.
#[derive(Clone, Copy, Debug)]
pub struct CardOverlay<'a> {
    /// Name of the pack.
    pub pack: &'a str,
    /// The packs whose changes this overlay may override.
    pub over: &'a [String],
    /// The patches of this pack, which change cards.
    pub patches: &'a [Patch],
    /// The removals of this pack, which take cards out of the game.
    pub removes: &'a [Remove],
}

/// A function that evaluates the `where` of a patch for a card.
pub type Matches<'a> = dyn FnMut(&Text, &RawCard) -> bool + 'a;

/// Applies overlays in load order. Cards with an id that is already in use are reported and left out.
pub fn apply_card_overlays(
    cards: Vec<RawCard>,
    overlays: &[CardOverlay<'_>],
    matches: &mut Matches<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<RawCard> {
    let mut table = OverlayApplier { cards: Vec::new(), by_id: BTreeMap::new(), diagnostics };
    cards.into_iter().for_each(|card| table.add(card));
    for overlay in overlays {
        let is_wide = |target: &CardTarget| matches!(target, CardTarget::Where(_));
        for wide in [true, false] {
            for patch in overlay.patches.iter().filter(|patch| is_wide(&patch.target) == wide) {
                for at in table.selected_cards(&patch.target, patch.span, matches) {
                    table.patch(at, patch, overlay.over, wide);
                }
            }
        }
        for remove in overlay.removes {
            for at in table.selected_cards(&remove.target, remove.span, matches) {
                table.remove(at, remove, overlay.over);
            }
        }
    }
    table.cards.into_iter().filter(|seat| seat.removed.is_none()).map(|seat| seat.card).collect()
}

struct OverlayApplier<'a> {
    cards: Vec<PatchedCard>,
    by_id: BTreeMap<String, usize>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// A card, and the changes that patches made to it.
struct PatchedCard {
    card: RawCard,
    writes: Vec<PatchWrite>,
    removed: Option<PatchWrite>,
}

#[derive(Clone)]
struct PatchWrite {
    key_path: KeyPath,
    pack: String,
    span: Span,
    /// Whether the write comes from a patch with `where`.
    wide: bool,
}

impl OverlayApplier<'_> {
    fn add(&mut self, card: RawCard) {
        if let Some(first) = self.by_id.get(&card.id.text).and_then(|at| self.cards.get(*at)) {
            let (first, of_another_pack) = (first.card.id.span, first.card.pack != card.pack);
            return self.diagnostics.push(PackProblem::CardIdTwice { id: card.id.text, first, of_another_pack }.at(card.id.span));
        }
        self.by_id.insert(card.id.text.clone(), self.cards.len());
        self.cards.push(PatchedCard { card, writes: Vec::new(), removed: None });
    }

    fn selected_cards(&mut self, target: &CardTarget, span: Span, matches: &mut Matches<'_>) -> Vec<usize> {
        match target {
            CardTarget::Card(id) => match self.by_id.get(&id.text) {
                Some(at) => vec![*at],
                None => {
                    let near = nearest(&id.text, self.by_id.keys().map(String::as_str)).map(String::from);
                    self.diagnostics.push(PackProblem::NoCard { id: id.text.clone(), near }.at(id.span));
                    Vec::new()
                }
            },
            CardTarget::Where(condition) => {
                let cards = self.cards.iter().enumerate();
                let found: Vec<usize> =
                    cards.filter(|(_, written)| written.removed.is_none() && matches(condition, &written.card)).map(|(at, _)| at).collect();
                if found.is_empty() {
                    self.diagnostics.push(PackProblem::FitsNoCard { target: span }.at(condition.span));
                }
                found
            }
        }
    }

    fn patch(&mut self, at: usize, patch: &Patch, over: &[String], wide: bool) {
        let Some(written) = self.cards.get_mut(at) else { return };
        if let Some(gone) = &written.removed {
            let (card, pack) = (written.card.id.text.clone(), gone.pack.clone());
            return self.diagnostics.push(PackProblem::CardRemoved { card, pack, removed: gone.span }.at(patch.span));
        }
        let writing = |what: KeyPath, span: Span| PatchWrite { key_path: what, pack: patch.pack.clone(), span, wide };
        for drop in &patch.drops {
            if written.record_write(writing(KeyPath::parse_drop(&drop.text), drop.span), over, self.diagnostics) {
                written.card.drop_key(drop, wide, self.diagnostics);
            }
        }
        // A patch may set a key again that it drops itself.
        let dropped = |what: &KeyPath| patch.drops.iter().any(|drop| KeyPath::parse_drop(&drop.text).overlaps(what));
        for (key, value) in &patch.keys {
            let what = KeyPath::key(&key.text);
            if dropped(&what) || written.record_write(writing(what, key.span), over, self.diagnostics) {
                written.card.set_key(key, value, self.diagnostics);
            }
        }
        for entry in &patch.entries {
            let what = KeyPath { key: entry.kind().header_word().to_owned(), entry: Some(entry.id.text.clone()) };
            if dropped(&what) || written.record_write(writing(what, entry.span), over, self.diagnostics) {
                replace_or_add_entry(&mut written.card.entries, entry);
            }
        }
        written.card.tests.extend(patch.tests.iter().cloned());
    }

    fn remove(&mut self, at: usize, remove: &Remove, over: &[String]) {
        let Some(written) = self.cards.get_mut(at) else { return };
        let before = written.removed.as_ref().or_else(|| {
            written.writes.iter().find(|earlier| match earlier.pack == remove.pack {
                true => !earlier.wide,
                false => !over.contains(&earlier.pack),
            })
        });
        if let Some(before) = before {
            let (card, pack, other) = (written.card.id.text.clone(), remove.pack.clone(), before.pack.clone());
            let wrong = PackProblem::CardContested { card, pack, other, at: before.span, removed: written.removed.is_some() };
            return self.diagnostics.push(wrong.at(remove.span));
        }
        let (what, span) = (KeyPath::key(""), remove.span);
        written.removed = Some(PatchWrite { key_path: what, pack: remove.pack.clone(), span, wide: false });
    }
}

impl PatchedCard {
    /// Records a write. Returns false, after a report, if it conflicts with one by a pack that may not be overridden.
    fn record_write(&mut self, new: PatchWrite, over: &[String], diagnostics: &mut Vec<Diagnostic>) -> bool {
        let may_overrule = |old: &PatchWrite| match old.pack == new.pack {
            true => old.wide && !new.wide,
            false => over.contains(&old.pack),
        };
        if let Some(old) = self.writes.iter().find(|old| old.key_path.overlaps(&new.key_path) && !may_overrule(old)) {
            let (card, other, is_entry) = (self.card.id.text.clone(), old.pack.clone(), new.key_path.entry.is_some());
            let wrong = PackProblem::KeyContested { card, key: new.key_path.key, pack: new.pack, other, at: old.span, is_entry };
            diagnostics.push(wrong.at(new.span));
            return false;
        }
        self.writes.push(new);
        true
    }
}

/// Merges the kinds of packs, in load order. A pack may add entries to a kind of another pack. An entry with an existing id replaces it
/// only if its pack lists the other in `over`. Of several texts the last one holds.
pub fn join_kinds(packs: Vec<(&str, &[String], Vec<RawKind>)>, diagnostics: &mut Vec<Diagnostic>) -> Vec<RawKind> {
    let mut joined: Vec<(RawKind, Vec<PatchWrite>)> = Vec::new();
    for (pack, over, kinds) in packs {
        for kind in kinds {
            let writings = kind.entries.iter().map(|entry| PatchWrite {
                key_path: KeyPath { key: entry.kind().header_word().to_owned(), entry: Some(entry.id.text.clone()) },
                pack: pack.to_owned(),
                span: entry.span,
                wide: false,
            });
            let Some((known, by)) = joined.iter_mut().find(|(known, _)| known.id.text == kind.id.text) else {
                let writings = writings.collect();
                joined.push((kind, writings));
                continue;
            };
            for (new, entry) in writings.zip(&kind.entries) {
                let overlaps = |old: &&PatchWrite| old.key_path == new.key_path && (old.pack == pack || !over.contains(&old.pack));
                if let Some(old) = by.iter().find(overlaps) {
                    let (kind, key, id) = (kind.id.text.clone(), new.key_path.key, entry.id.text.clone());
                    let (pack, other, at) = (pack.to_string(), old.pack.clone(), old.span);
                    diagnostics.push(PackProblem::EntryContested { kind, key, id, pack, other, at }.at(entry.span));
                } else {
                    replace_or_add_entry(&mut known.entries, entry);
                    by.push(new);
                }
            }
            known.tests.extend(kind.tests);
            known.text = kind.text.or(known.text.take());
        }
    }
    joined.into_iter().map(|(kind, _)| kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::{CardFile, parse_cards};
    use crate::source::Sources;

    const FIRST: &str = r#"
[[card]]
id = "wolf"
name = "Wolf"
kind = "beast"
height = 1
text = "It howls."
[[card.on]]
when = "dusk"
do = "howl(me)"
[[card.test]]
then = "x"
[[card]]
id = "wall"
name = "Wall"
kind = "rock"
height = 2
"#;

    struct AppliedOverlays {
        sources: Sources,
        cards: Vec<RawCard>,
        diagnostics: Vec<Diagnostic>,
    }

    impl AppliedOverlays {
        fn height(&self, id: &str) -> Option<i64> {
            let card = self.cards.iter().find(|card| card.id.text == id)?;
            card.fields.iter().find(|(key, _)| key.text == "height").and_then(|(_, value)| value.integer())
        }

        fn said(&self) -> Vec<&str> {
            self.diagnostics.iter().map(|fault| fault.message.as_str()).collect()
        }
    }

    /// Applies packs `a`, `b`, … in this order. A `where` means the cards of the kind that it names.
    fn apply(packs: &[(&str, &[&str])]) -> AppliedOverlays {
        let mut sources = Sources::new();
        let mut diagnostics = Vec::new();
        let file = sources.add("first.toml", FIRST);
        let mut cards = parse_cards(file, FIRST, "first", &mut diagnostics).cards;
        let names = ["a", "b", "c"];
        let files: Vec<CardFile> =
            packs.iter().zip(names).map(|((text, _), name)| parse_cards(sources.add(name, *text), text, name, &mut diagnostics)).collect();
        cards.extend(files.iter().flat_map(|file| file.cards.clone()));
        let over: Vec<Vec<String>> = packs.iter().map(|(_, over)| over.iter().map(|name| (*name).to_owned()).collect()).collect();
        let overlays: Vec<_> = files
            .iter()
            .zip(&over)
            .zip(names)
            .map(|((file, over), pack)| CardOverlay { pack, over, patches: &file.patches, removes: &file.removes })
            .collect();
        let mut matches = |condition: &Text, card: &RawCard| card.kind.text == condition.text;
        let cards = apply_card_overlays(cards, &overlays, &mut matches, &mut diagnostics);
        AppliedOverlays { sources, cards, diagnostics }
    }

    #[test]
    fn a_patch_replaces_adds_and_drops() {
        let done = apply(&[(
            concat!(
                "[[patch]]\ncard = \"wolf\"\nname = \"Old wolf\"\nheight = 9\nbite = 1\nage = 3\ndrop = [\"text\", \"test\"]\n",
                "[[patch.on]]\nid = \"dusk\"\nwhen = \"dawn\"\ndo = \"sleep(me)\"\n[[patch.on]]\nwhen = \"noon\"\ndo = \"eat(me)\"\n",
                "[[patch.test]]\nthen = \"y\"\n",
            ),
            &[],
        )]);
        assert!(done.diagnostics.is_empty(), "{:?}", done.diagnostics);
        let wolf = &done.cards[0];
        assert_eq!((wolf.name.text.as_str(), wolf.age, done.height("wolf")), ("Old wolf", 3, Some(9)));
        assert_eq!((wolf.text.as_ref(), wolf.fields.len()), (None, 2));
        let entries: Vec<_> = wolf.entries.iter().map(|e| (e.id.text.as_str(), e.moment().unwrap().text.as_str())).collect();
        assert_eq!(entries, [("dusk", "dawn"), ("noon", "noon")]);
        assert_eq!(wolf.tests.len(), 1);
        assert_eq!(wolf.tests[0].then.as_ref().unwrap().text, "y");
    }

    #[test]
    fn an_entry_may_be_dropped_alone() {
        let done = apply(&[("[[patch]]\ncard = \"wolf\"\ndrop = \"on.dusk\"", &[])]);
        assert!(done.diagnostics.is_empty() && done.cards[0].entries.is_empty());
        let done = apply(&[("[[patch]]\ncard = \"wolf\"\ndrop = [\"on.dsk\"]", &[])]);
        assert_eq!(done.said(), ["card `wolf` has no `on.dsk`"]);
        assert_eq!(done.diagnostics[0].help, ["did you mean `on.dusk`?"]);
        let done = apply(&[("[[patch]]\ncard = \"wolf\"\ndrop = [\"name\"]", &[])]);
        assert_eq!(done.said(), ["every card needs `name`"]);
    }

    #[test]
    fn inside_a_pack_a_card_is_an_exception_from_where() {
        let done = apply(&[("[[patch]]\ncard = \"wolf\"\nheight = 5\n[[patch]]\nwhere = \"beast\"\nheight = 7\n", &[])]);
        assert!(done.diagnostics.is_empty());
        assert_eq!(done.height("wolf"), Some(5));
        let done = apply(&[("[[patch]]\ncard = \"wolf\"\nheight = 5\n[[patch]]\ncard = \"wolf\"\nheight = 7\n", &[])]);
        assert_eq!(done.said(), ["two overlays contradict each other about `height` of card `wolf`"]);
    }

    #[test]
    fn two_packs_may_not_write_the_same_key() {
        let (five, seven) = ("[[patch]]\ncard = \"wolf\"\nheight = 5", "[[patch]]\nwhere = \"beast\"\nheight = 7");
        let done = apply(&[(five, &[]), (seven, &[])]);
        assert_eq!(done.said(), ["two overlays contradict each other about `height` of card `wolf`"]);
        let fault = &done.diagnostics[0];
        assert_eq!(done.sources.name(fault.span.unwrap().file), "b");
        assert_eq!(done.sources.name(fault.secondary[0].0.file), "a");
        assert_eq!(done.sources.slice(fault.secondary[0].0), "height");
        assert_eq!(fault.help, ["if `b` is to decide, write `over = [\"a\"]` in its `pack.toml`"]);
        let done = apply(&[(five, &[]), (seven, &["a"])]);
        assert!(done.diagnostics.is_empty());
        assert_eq!(done.height("wolf"), Some(7));
        let done = apply(&[(five, &[]), ("[[patch]]\ncard = \"wolf\"\ntext = \"x\"", &[])]);
        assert!(done.diagnostics.is_empty());
    }

    #[test]
    fn two_packs_may_not_write_the_same_entry_nor_drop_it() {
        let dawn = "[[patch]]\ncard = \"wolf\"\n[[patch.on]]\nwhen = \"dawn\"\ndo = \"x\"";
        let done = apply(&[(dawn, &[]), (dawn, &[])]);
        assert_eq!(done.said(), ["two overlays contradict each other about `on` of card `wolf`"]);
        assert_eq!(done.diagnostics[0].help.len(), 2);
        let done = apply(&[(dawn, &[]), ("[[patch]]\ncard = \"wolf\"\ndrop = [\"on\"]", &[])]);
        assert_eq!(done.diagnostics.len(), 1);
        let noon = dawn.replace("when = \"dawn\"", "id = \"noon\"\nwhen = \"dawn\"");
        let done = apply(&[(dawn, &[]), (&noon, &[])]);
        assert!(done.diagnostics.is_empty());
        assert_eq!(done.cards[0].entries.len(), 3);
    }

    #[test]
    fn removing_a_card_contradicts_changing_it() {
        let (change, remove) = ("[[patch]]\ncard = \"wolf\"\nheight = 5", "[[remove]]\ncard = \"wolf\"");
        let done = apply(&[(change, &[]), (remove, &[])]);
        assert_eq!(done.said(), ["two overlays contradict each other about card `wolf`"]);
        assert_eq!(done.cards.len(), 2);
        let done = apply(&[(change, &[]), (remove, &["a"])]);
        assert!(done.diagnostics.is_empty());
        assert_eq!(done.cards.len(), 1);
        let done = apply(&[(remove, &[]), (change, &["a"])]);
        assert_eq!(done.said(), ["card `wolf` has been removed"]);
        let done = apply(&[(remove, &[]), (remove, &[])]);
        assert_eq!(done.diagnostics.len(), 1);
    }

    #[test]
    fn cards_that_are_not_there_or_there_twice() {
        let done = apply(&[("[[patch]]\ncard = \"wofl\"\nheight = 5\n[[remove]]\nwhere = \"ghost\"", &[])]);
        assert_eq!(done.said(), ["there is no card `wofl`", "no card fits this `where`"]);
        assert_eq!(done.diagnostics[0].help, ["did you mean `wolf`?"]);
        let done = apply(&[("[[card]]\nid = \"wolf\"\nname = \"W\"\nkind = \"beast\"", &[])]);
        assert_eq!(done.said(), ["two cards have the id `wolf`"]);
        assert_eq!(done.sources.name(done.diagnostics[0].secondary[0].0.file), "first.toml");
        assert_eq!(done.cards.len(), 2);
    }

    #[test]
    fn packs_add_to_a_kind() {
        let mut sources = Sources::new();
        let mut join = |second: &str, over: &[String]| {
            let mut diagnostics = Vec::new();
            let mut kinds =
                |text: &str, diagnostics: &mut Vec<Diagnostic>| parse_cards(sources.add("k", text), text, "", diagnostics).kinds;
            let first = kinds("[[kind]]\nid = \"beast\"\n[[kind.on]]\nwhen = \"dusk\"\ndo = \"x\"", &mut diagnostics);
            let second = kinds(second, &mut diagnostics);
            let joined = join_kinds(vec![("a", &[], first), ("b", over, second)], &mut diagnostics);
            let scripts = joined[0].entries.iter().map(|entry| entry.parts()[0].script.text.clone());
            (scripts.collect::<Vec<_>>(), diagnostics.len())
        };
        let same = "[[kind]]\nid = \"beast\"\n[[kind.on]]\nwhen = \"dusk\"\ndo = \"y\"";
        assert_eq!(join(same, &[]), (vec!["x".to_owned()], 1));
        assert_eq!(join(same, &["a".to_owned()]), (vec!["y".to_owned()], 0));
        assert_eq!(join(&same.replace("dusk", "dawn"), &[]), (vec!["x".to_owned(), "y".to_owned()], 0));
    }
}
