//! Overlays: what an expansion, a pack, a variant or the command line changes in the rules of a game. They are applied to the syntax
//! tree, in order; names are resolved and checked once, afterwards. Everything keeps the place where it was written.
//!
//! Messages: `R201` unknown address, `R202` two overlays write the same, `R203` an operation that is not one, `R204` declared already,
//! `R205` nothing there that could be changed so, `R206` a number too large, `R207` a
//! default that no card needs (told where cards are known), `P005` nested too deep.

mod values;

use super::address::{Addressed, Place, item_at, join, list_at, places_in, places_of};
use super::ast::*;
use super::reference::reference;
use super::scan::MAX_NESTING;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{FileId, Span};
use std::collections::BTreeSet;
use values::{add_to, set_to};

/// Addresses of which a place may have several.
const REPEATED: [&str; 8] = ["cost", "does", "hearing", "when.short", "when.leaves", "moments", "fields", "symbols"];

/// Changes to the rules of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// What others call it in `over`.
    pub name: String,
    /// What it does, for people, if it says so.
    pub title: Option<String>,
    /// Operations and declarations, in order.
    pub lines: Vec<Line>,
    /// What could not be read.
    pub broken: Vec<Broken>,
    /// The overlays whose changes this one may overrule; a game, or an address in it (as `wisps.night`), whose own
    /// files' additions it may take away.
    pub over: Vec<String>,
}

/// Takes the variants of a file out of it.
pub fn take_variants(file: &mut File) -> Vec<Overlay> {
    let lines = std::mem::take(&mut file.lines);
    let mut variants = Vec::new();
    for line in lines {
        match line {
            Line::Variant(variant) => variants.push(Overlay {
                name: variant.name.text,
                title: variant.title.map(|title| title.text),
                lines: variant.body.items,
                broken: variant.body.broken,
                over: variant.over.into_iter().map(|name| name.text).collect(),
            }),
            line => file.lines.push(line),
        }
    }
    variants
}

/// The declarations of a file as rules; what changes others' rules is no part of them.
pub fn rules_of(file: File) -> Rules {
    let declaration = |line| match line {
        Line::Declaration(declaration) => Some(declaration),
        Line::Operation(_) | Line::Variant(_) => None,
    };
    let declarations = file.lines.into_iter().filter_map(declaration).collect();
    let mut rules = Rules { declarations, broken: file.broken, ..Rules::default() };
    for declaration in &mut rules.declarations {
        values::part_entries(declaration);
    }
    rules
}

/// Whether a name is that of a card: what is printed on those is no rule, and changed in another way.
pub type Cards<'a> = dyn Fn(&str) -> bool + 'a;

/// Applies what the files of a game say about what its other files declare, one overlay a file, all under the game's name. Whoever
/// later replaces something to which one of them has added is told.
pub fn apply_own(base: Rules, files: Vec<Overlay>, cards: &Cards<'_>, diagnostics: &mut Vec<Diagnostic>) -> Rules {
    apply(base, files, cards, true, diagnostics)
}

/// Applies overlays in the order given. What cannot be applied is told and left out.
pub fn apply_overlays(base: Rules, overlays: Vec<Overlay>, cards: &Cards<'_>, diagnostics: &mut Vec<Diagnostic>) -> Rules {
    apply(base, overlays, cards, false, diagnostics)
}

fn apply(base: Rules, overlays: Vec<Overlay>, cards: &Cards<'_>, own: bool, diagnostics: &mut Vec<Diagnostic>) -> Rules {
    let names = overlays.iter().map(|overlay| (overlay.name.clone(), overlay.over.clone())).collect();
    let mut target = Target { rules: base, places: None, writes: Vec::new(), overlays: names, cards, own, now: 0, found: Vec::new() };
    for (index, overlay) in overlays.into_iter().enumerate() {
        target.now = index;
        target.rules.broken.extend(overlay.broken);
        for line in overlay.lines {
            let lost = lost(&line);
            if let Err(wrong) = target.apply(line) {
                target.rules.broken.extend(lost);
                target.found.push(*wrong);
            }
            #[cfg(test)]
            target.expect_recount();
        }
    }
    diagnostics.append(&mut target.found);
    target.rules
}

/// What an overlay has written.
struct Write {
    address: String,
    overlay: usize,
    span: Span,
    /// Whether nothing is there any more.
    removed: bool,
}

/// How much of something an operation writes anew.
enum Taken {
    /// Its value.
    Value,
    /// Its block; a condition before it stays.
    Block,
    /// All behind its name.
    Whole,
}

struct Target<'a> {
    rules: Rules,
    /// All addresses in the order of the text, until something is put in or taken out that gives others other addresses.
    places: Option<Vec<Place>>,
    writes: Vec<Write>,
    /// The names of overlays, each with those it may overrule.
    overlays: Vec<(String, Vec<String>)>,
    /// Which names are those of cards.
    cards: &'a Cards<'a>,
    /// Whether these are files of the game itself.
    own: bool,
    /// The overlay that is being applied.
    now: usize,
    found: Vec<Diagnostic>,
}

/// A fault is told by the caller; nothing has been changed then.
type Applied<T = ()> = Result<T, Box<Diagnostic>>;

impl Target<'_> {
    fn apply(&mut self, line: Line) -> Applied {
        let operation = match line {
            Line::Declaration(declaration) => {
                let span = declaration.span;
                return self.insert_at(&[(0, usize::MAX)], "", Addition::Declaration(declaration), span);
            }
            Line::Variant(variant) => {
                let wrong = Diagnostic::error("R203", variant.span, "a variant cannot stand here").label("within another overlay");
                return Err(wrong.help("let it stand by itself in a file of rules").into());
            }
            Line::Operation(operation) => operation,
        };
        let span = operation.span;
        match operation.kind {
            OperationKind::ChangeTo { address, value } => {
                let place = self.find(&address)?;
                let written = self.writes.len();
                self.claim(&address.text, span)?;
                let before = self.inside(&place)?;
                let lost = self.lost_by(&place, &Taken::Value)?;
                self.may_lose(&address, &lost, "changes", span).inspect_err(|_| self.writes.truncate(written))?;
                set_to(self.item(&place)?, &place, value, span).inspect_err(|_| self.writes.truncate(written))?;
                self.note_replaced(&place, span);
                // A table has other addresses than a number.
                self.written_anew(&place, &before)
            }
            OperationKind::ChangeBy { address, minus, amount } => {
                let place = self.find(&address)?;
                self.not_too_deep(&address, span)?;
                add_to(self.item(&place)?, &place, minus, &amount, span)?;
                if self.own {
                    self.extends(&address.text, span, None);
                }
                self.note(address.text, span);
                Ok(())
            }
            OperationKind::Replace { address, with } => self.replace(&address, with, span),
            OperationKind::Remove { address } => self.remove(&address, span),
            OperationKind::Add { what, at: None } => match *what {
                what @ Addition::Declaration(_) => self.insert_at(&[(0, usize::MAX)], "", what, span),
                _ => {
                    let wrong = Diagnostic::error("R203", span, "where is this to stand?").label("this is no declaration");
                    Err(wrong.help("write `add … to ADDRESS`, `add … before ADDRESS` or `add … after ADDRESS`").into())
                }
            },
            OperationKind::Add { what, at: Some(Placement { side: Side::To, address }) } => self.append(&address, *what, span),
            OperationKind::Add { what, at: Some(Placement { side, address }) } => {
                let mut place = self.find(&address)?;
                if let Some(last) = place.path.last_mut() {
                    last.1 += usize::from(side == Side::After);
                }
                let parent = self.parent_of(&place);
                self.insert_at(&place.path, &parent, *what, span)
            }
            OperationKind::Extend { address, with } => {
                self.rules.broken.extend(with.broken);
                for what in with.items {
                    let result = self.append(&address, what, span);
                    self.found.extend(result.err().map(|wrong| *wrong));
                }
                Ok(())
            }
        }
    }

    // -------------------------------------------------------------- operations

    fn replace(&mut self, address: &Name, with: Replacement, span: Span) -> Applied {
        let place = self.find(address)?;
        let written = self.writes.len();
        self.claim(&address.text, span)?;
        let before = self.inside(&place)?;
        let block = matches!(&with, Replacement::Block { when, .. } if when.is_none());
        let lost = self.lost_by(&place, if block { &Taken::Block } else { &Taken::Whole })?;
        self.may_lose(address, &lost, "replaces", span).inspect_err(|_| self.writes.truncate(written))?;
        let item = self.item(&place)?;
        let fits = match with {
            _ if place.value.is_some() => false,
            Replacement::Block { when, body } => {
                let empty = Block { items: Vec::new(), broken: Vec::new(), span: body.span };
                let refilled = refill(item, body.items);
                refilled && (when.is_none() || item.replace(Replacement::Block { when, body: empty }).is_ok())
            }
            with => item.replace(with).is_ok(),
        };
        if !fits {
            self.writes.truncate(written);
            let wrong = Diagnostic::error("R205", span, format!("this cannot stand in the place of `{}`", address.text));
            let wrong = wrong.label("something else is needed").also(place.span, "what stands there");
            let begins = address.text.split('.').next().unwrap_or("");
            let form = reference().written().map(|construct| &construct.form).find(|form| form.split(' ').next() == Some(begins));
            return Err(match form {
                Some(form) => wrong.help(format!("it is written `{form}`")),
                None => wrong.help("write anew what stands behind its name"),
            }
            .into());
        }
        self.note_replaced(&place, span);
        self.written_anew(&place, &before)
    }

    fn remove(&mut self, address: &Name, span: Span) -> Applied {
        let place = self.find(address)?;
        if place.value.is_some() {
            let wrong = Diagnostic::error("R205", address.span, format!("`{}` cannot be removed", address.text)).label("a value");
            return Err(wrong.help("write `change … to …`").into());
        }
        let written = self.writes.len();
        self.claim(&address.text, span)?;
        let lost = self.lost_by(&place, &Taken::Whole)?;
        self.may_lose(address, &lost, "removes", span).inspect_err(|_| self.writes.truncate(written))?;
        self.note_replaced(&place, span);
        if let Some(write) = self.writes.last_mut() {
            write.removed = true;
        }
        self.rules.removed.push(address.clone());
        self.places = None;
        let (list, index) = list_at(&mut self.rules.declarations, &place.path).ok_or_else(|| gone(span))?;
        list.remove(index);
        Ok(())
    }

    /// Puts something at the end of what lies at an address.
    fn append(&mut self, address: &Name, what: Addition, span: Span) -> Applied {
        let place = self.find(address)?;
        let added = if let Addition::Name(name) = &what { Some(name.text.clone()) } else { None };
        let no_block = || {
            let message = format!("`{}` has no block to which this could be added", address.text);
            let wrong = Diagnostic::error("R205", address.span, message).label("it does not go in there");
            Box::new(match &added {
                _ if address.text == "moments" => wrong.help("write `moments { NAME \"what happens\" }` by itself: there may be several"),
                Some(name) => wrong.help(format!("`{name}` alone is a name, and no names stand in there: look at how `{name}` is written")),
                None => wrong.help("write `add … before` or `after` it, or `replace` it"),
            })
        };
        if place.value.is_some() {
            return Err(no_block());
        }
        let inner = way_in(self.item(&place)?, &what).ok_or_else(no_block)?;
        let path: Vec<(usize, usize)> = place.path.iter().chain(&inner).copied().collect();
        self.insert_at(&path, &place.address, what, span)
    }

    /// Puts something where a path ends.
    fn insert_at(&mut self, path: &[(usize, usize)], parent: &str, what: Addition, span: Span) -> Applied {
        let mut path = path.to_vec();
        for what in values::parted(what) {
            self.insert_one(&path, parent, what, span)?;
            if let Some(last) = path.last_mut() {
                last.1 = last.1.saturating_add(1);
            }
        }
        Ok(())
    }

    fn insert_one(&mut self, path: &[(usize, usize)], parent: &str, mut what: Addition, span: Span) -> Applied {
        let item = what.item();
        let (place, own) = (item.span(), item.own_name());
        let (inside, value) = (places_in(parent, item), item.values().iter().any(|value| value.0.is_empty()));
        // Of moments, orders and the like there may be several.
        let several = matches!(what, Addition::Statement(_) | Addition::Part(PhasePart::Statement(_)))
            || own.as_deref().is_some_and(|own| REPEATED.iter().any(|known| own.starts_with(known)));
        let names = inside.iter().take(if own.is_some() { 1 } else { usize::MAX });
        for new in names.filter(|_| !several) {
            if let Some(old) = self.places().iter().find(|old| old.address == new.address) {
                return Err(declared_already(&new.address, place, old.span, value));
            }
        }
        let (list, index) = list_at(&mut self.rules.declarations, path).ok_or_else(|| gone(span))?;
        let (at, at_end) = (index.min(list.len()), index >= list.len());
        list.insert(index, what).map_err(|_| {
            let wrong = Diagnostic::error("R205", place, "this cannot stand there").label("something else belongs there");
            Box::new(wrong.help("`houserule words` shows what each block is made of"))
        })?;
        self.take_in(path, (at, at_end), inside);
        // What has no address counts as something new in its parent.
        let address = own.map_or_else(|| join(parent, "*"), |own| join(parent, &own));
        if self.own {
            self.extends(&address, span, Some(place));
        }
        self.note(address, span);
        Ok(())
    }

    // -------------------------------------------------------------- who wrote what

    /// Notes what a file of the game adds to or changes in another one.
    fn extends(&mut self, address: &str, span: Span, added: Option<Span>) {
        let game = self.overlays[self.now].0.clone();
        self.rules.extended.push(Extension { game, address: address.to_string(), span, added });
    }

    fn note_replaced(&mut self, place: &Place, span: Span) {
        if self.own {
            self.extends(&place.address, span, None);
            return;
        }
        let overlay = self.overlays[self.now].0.clone();
        self.rules.replaced.push(Replaced { overlay, address: place.address.clone(), span, old: place.span });
    }

    /// What files of the game have added to or changed in something, and what goes with it when that is written anew.
    fn lost_by(&mut self, place: &Place, taken: &Taken) -> Applied<Vec<Extension>> {
        let meant = |one: &&Extension| below(&one.address, &place.address);
        let extended: Vec<Extension> = self.rules.extended.iter().filter(meant).cloned().collect();
        if self.own || extended.is_empty() {
            return Ok(Vec::new());
        }
        let item = self.item(place)?;
        // A value that has a name of its own stays where only the block beside it is written anew.
        let stays: Vec<String> = match taken {
            Taken::Block => item.values().iter().map(|value| join(&place.address, value.0)).collect(),
            Taken::Value | Taken::Whole => Vec::new(),
        };
        let mut there = BTreeSet::new();
        spans_in(item, &mut there);
        // What has been added may have gone before.
        let is_lost = |one: &Extension| match one.added {
            Some(added) => one.address != place.address && there.contains(&(added.file, added.start)),
            None => !stays.contains(&one.address),
        };
        Ok(extended.into_iter().filter(is_lost).collect())
    }

    /// Whether an overlay may take away what files of the game have added; what has no name of its own may, but is told.
    fn may_lose(&mut self, address: &Name, lost: &[Extension], does: &str, span: Span) -> Applied {
        let (name, over) = &self.overlays[self.now];
        let says_so = |game: &str| over.iter().any(|over| over == game || *over == format!("{game}.{}", address.text));
        let Some(first) = lost.iter().find(|one| !says_so(&one.game)) else { return Ok(()) };
        let game = &first.game;
        let nameless = is_nameless(name);
        let message = format!("`{name}` {does} `{}`, and loses what `{game}` has written to it in another place", address.text);
        let mut wrong = match nameless {
            true => Diagnostic::warning("R202", span, message),
            false => Diagnostic::error("R202", span, message),
        }
        .label("what has been written to it goes with it");
        for one in lost {
            wrong = wrong.also(one.span, format!("this to `{}`, which is lost", one.address.trim_end_matches(".*")));
        }
        let kept = "`extend`, `add` or a `change` of a part keeps it".to_string();
        if nameless {
            self.found.push(wrong.help(format!("{kept}; or write again here what is to stay")));
            return Ok(());
        }
        Err(wrong
            .help(format!(
                "{kept}; or write again here what is to stay, and say that this is meant: a pack by `over = [\"{game}.{0}\"]` in its `pack.toml`, \
                 a variant by `variant NAME \"…\" over {game}.{0} {{ … }}`",
                address.text
            ))
            .into())
    }

    fn note(&mut self, address: String, span: Span) {
        self.writes.push(Write { address, overlay: self.now, span, removed: false });
    }

    /// Whether an address may be written alone: nobody else may have written on, above or below it.
    fn claim(&mut self, address: &str, span: Span) -> Applied {
        let (name, over) = &self.overlays[self.now];
        for write in self.writes.iter().filter(|write| write.overlay != self.now && related(&write.address, address)) {
            let other = &self.overlays[write.overlay].0;
            if over.contains(other) {
                continue;
            }
            let written = write.address.trim_end_matches(".*");
            // What was typed or stands in a file without a name of its own has nowhere to say it.
            let help = match is_nameless(name) || is_nameless(other) {
                true => "leave one of the two out".to_string(),
                false => format!(
                    "leave one out, or let `{name}` decide: a pack by `over = [\"{other}\"]` in its `pack.toml`, a variant by `variant {name} \"…\" over {other} {{ … }}`"
                ),
            };
            return Err(Diagnostic::error("R202", span, format!("`{name}` and `{other}` both change `{written}`"))
                .label(format!("`{name}` writes `{address}` here"))
                .also(write.span, format!("`{other}` has written `{written}` here"))
                .help(help)
                .into());
        }
        self.note(address.to_string(), span);
        Ok(())
    }

    /// Each `change … by` puts what was there into brackets.
    fn not_too_deep(&self, address: &Name, span: Span) -> Applied {
        if self.writes.iter().filter(|write| write.address == address.text).count() < MAX_NESTING {
            return Ok(());
        }
        let wrong = Diagnostic::error("P005", span, format!("with this, brackets are nested more than {MAX_NESTING} deep"));
        Err(wrong.label("this is left out").help("replace the whole instead of adding to it").into())
    }

    // -------------------------------------------------------------- finding places

    /// What is kept of addresses equals a recount.
    #[cfg(test)]
    fn expect_recount(&mut self) {
        let Some(kept) = &self.places else { return };
        let recount = places_of(&mut self.rules.declarations);
        assert_eq!(*kept, recount);
    }

    fn places(&mut self) -> &[Place] {
        self.places.get_or_insert_with(|| places_of(&mut self.rules.declarations))
    }

    /// Takes in the addresses of what has been put in at an index. At the end of a list nobody else is moved; if none of its addresses
    /// is there yet, nobody else is counted anew. Else all are found again.
    fn take_in(&mut self, path: &[(usize, usize)], (at, at_end): (usize, bool), inside: Vec<Place>) {
        let Some(mut places) = self.places.take().filter(|_| at_end) else { return };
        let is_new = |new: &Place| !new.address.contains('#') && places.iter().all(|old| old.address != new.address);
        if !inside.iter().all(is_new) {
            return;
        }
        let mut own = path.to_vec();
        own.iter_mut().last().into_iter().for_each(|last| last.1 = at);
        let behind = places.partition_point(|place| place.path < own);
        places.splice(behind..behind, inside.into_iter().map(|place| Place { path: [&own[..], &place.path].concat(), ..place }));
        self.places = Some(places);
    }

    /// The addresses of an item and of what lies in it, as if it lay alone.
    fn inside(&mut self, place: &Place) -> Applied<Vec<Place>> {
        Ok(places_in("", self.item(place)?))
    }

    /// An item has been written anew. If all in it is called as `before`, so is everything else; else all addresses are found again.
    fn written_anew(&mut self, place: &Place, before: &[Place]) -> Applied {
        let after = self.inside(place)?;
        let Some(mut places) = self.places.take() else { return Ok(()) };
        let called = |one: &Place| (one.address.clone(), one.path.clone(), one.value);
        let mut kept: Vec<&mut Place> = places.iter_mut().filter(|one| one.path.starts_with(&place.path)).collect();
        if kept.len() == after.len() && before.iter().map(called).eq(after.iter().map(called)) {
            kept.iter_mut().zip(after).for_each(|(kept, after)| kept.span = after.span);
            self.places = Some(places);
        }
        Ok(())
    }

    fn item(&mut self, place: &Place) -> Applied<&mut dyn Addressed> {
        item_at(&mut self.rules.declarations, &place.path).ok_or_else(|| gone(place.span))
    }

    /// The address of what a place lies in.
    fn parent_of(&mut self, place: &Place) -> String {
        let inside = |other: &&Place| other.value.is_none() && place.path.len() > other.path.len() && place.path.starts_with(&other.path);
        let outer = self.places().iter().filter(inside).max_by_key(|other| other.path.len());
        outer.map_or(String::new(), |outer| outer.address.clone())
    }

    fn find(&mut self, address: &Name) -> Applied<Place> {
        let (text, span) = (address.text.as_str(), address.span);
        if let Some(place) = self.places().iter().find(|place| place.address == text) {
            return Ok(place.clone());
        }
        let mut wrong = Diagnostic::error("R201", span, format!("no rule has the address `{text}`")).label("unknown address");
        if let Some(write) = self.writes.iter().find(|write| write.removed && below(text, &write.address)) {
            let other = &self.overlays[write.overlay].0;
            return Err(wrong.also(write.span, format!("`{other}` has removed it here")).into());
        }
        let (first, key) = text.split_once('.').unwrap_or((text, ""));
        if (self.cards)(first) {
            return Err(wrong.help(of_card(first, key)).into());
        }
        wrong = match nearest_address(text, self.places()) {
            Some(meant) => wrong.help(format!("did you mean `{meant}`?")),
            None => wrong.help("`houserule words` lists every address"),
        };
        Err(wrong.into())
    }
}

/// How what is printed on a card is changed.
fn of_card(card: &str, key: &str) -> String {
    let key = if key.is_empty() { "KEY" } else { key };
    format!(
        "`{card}` is a card: what is printed on it is changed in a pack, by `[[patch]]` with `card = \"{card}\"` and `{key} = …`, and compared by \
         `houserule compare GAME --against PACK`"
    )
}

/// Most often only the way to an address is missing or wrong.
fn nearest_address(address: &str, places: &[Place]) -> Option<String> {
    let known = || places.iter().map(|place| place.address.as_str());
    let behind = format!(".{address}");
    let longer = known().find(|known| known.ends_with(&behind));
    // Or somebody has said too much of it.
    let shorter = || known().filter(|known| address.ends_with(&format!(".{known}"))).max_by_key(|known| known.len());
    let meant = longer.or_else(shorter).or_else(|| nearest(address, known())).or_else(|| {
        let wanted = last_part(address);
        known().find(|known| last_part(known) == wanted).or_else(|| {
            let near = nearest(wanted, known().map(last_part))?;
            known().find(|known| last_part(known) == near)
        })
    });
    meant.map(str::to_string)
}

/// Where something goes that is added to an item: a path from there. An answer goes to the other answers: `step s { each player
/// chooses { … } }`.
fn way_in(item: &mut dyn Addressed, what: &Addition) -> Option<Vec<(usize, usize)>> {
    let mut lists = item.lists();
    for (which, list) in lists.iter_mut().enumerate() {
        if list.insert(usize::MAX, what.clone()).is_ok() {
            let end = list.len() - 1;
            list.remove(end);
            return Some(vec![(which, end)]);
        }
        if !matches!(what, Addition::Choice(_)) {
            return None;
        }
        for index in 0..list.len() {
            let inner = list.get(index).filter(|inner| inner.own_name().is_none()).and_then(|inner| way_in(inner, what));
            if let Some(inner) = inner {
                return Some(std::iter::once((which, index)).chain(inner).collect());
            }
        }
    }
    None
}

/// Puts other things into the block of an item; nothing is changed if one of them does not belong there.
fn refill(item: &mut dyn Addressed, new: Vec<Addition>) -> bool {
    let Some(list) = item.lists().into_iter().next() else { return false };
    let old = list.len();
    if !new.into_iter().flat_map(values::parted).all(|what| list.insert(usize::MAX, what).is_ok()) {
        (old..list.len()).rev().for_each(|index| list.remove(index));
        return false;
    }
    (0..old).rev().for_each(|index| list.remove(index));
    true
}

fn declared_already(address: &str, new: Span, old: Span, value: bool) -> Box<Diagnostic> {
    let help = match value {
        // There is one game, and everything else is about it.
        _ if address == "game" => "leave this one out: a pack has a name in `pack.toml`".to_string(),
        true => format!("write `change {address} to …` or `replace {address} …`"),
        false => format!("write `extend {address} {{ … }}` to add to it, or `replace {address} {{ … }}`"),
    };
    let wrong = Diagnostic::error("R204", new, format!("`{address}` is declared already")).label("declared a second time");
    wrong.also(old, "declared here").help(help).into()
}

fn last_part(address: &str) -> &str {
    address.rsplit('.').next().unwrap_or("")
}

/// What goes with an addition that finds no place: its names, of which nobody is to blame who uses them.
fn lost(line: &Line) -> Option<Broken> {
    let Line::Operation(operation) = line else { return None };
    let mut what = match &operation.kind {
        OperationKind::Add { what, .. } => vec![(**what).clone()],
        OperationKind::Extend { with, .. } => with.items.clone(),
        _ => return None,
    };
    let inside = what.iter_mut().flat_map(|what| places_in("", what.item()));
    let name = |place: Place| Name { text: last_part(&place.address).to_string(), span: place.span };
    let names: Vec<Name> = inside.map(name).collect();
    (!names.is_empty()).then_some(Broken { names, span: operation.span })
}

/// Whether an overlay was typed, or stands in a file without a name of its own, so that it cannot say what it is over.
fn is_nameless(name: &str) -> bool {
    name.starts_with("--") || name.starts_with('`') || name.ends_with(".rules")
}

/// Where everything that lies in an item begins.
fn spans_in(item: &mut dyn Addressed, found: &mut BTreeSet<(FileId, u32)>) {
    for list in item.lists() {
        for index in 0..list.len() {
            if let Some(inner) = list.get(index) {
                let span = inner.span();
                found.insert((span.file, span.start));
                spans_in(inner, found);
            }
        }
    }
}

/// Whether one address is the other, or lies in it.
fn related(a: &str, b: &str) -> bool {
    below(a, b) || below(b, a)
}

/// Whether `inner` is `outer` or lies in it.
fn below(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn gone(span: Span) -> Box<Diagnostic> {
    Diagnostic::error("R205", span, "what stood here cannot be found any more").label("nothing there").help("change it once only").into()
}

#[cfg(test)]
mod tests;
