//! Overlays: the changes of an expansion, a pack, a variant or the command line to the rules of a game. They are applied to the syntax tree
//! in order, before names are resolved. All nodes keep their spans.
//!
//! Messages: `R201` unknown address, `R202` conflict of two overlays, `R203` not an operation, `R204` declared already, `R205` no such
//! change is possible, `R206` number too large, `R207` a default that no card needs (reported once cards are known), `P005` nested too
//! deep.

mod values;

use super::address::{AddressTarget, Addressed, item_at, join, list_at, place_at, places_in, places_of, places_towards};
use super::ast::*;
use super::reference::reference;
use super::scan::MAX_NESTING;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{FileId, Span};
use std::collections::BTreeSet;
use values::{add_to, set_to};

/// Addresses that several items may share.
const REPEATED: [&str; 8] = ["cost", "does", "hearing", "when.short", "when.leaves", "moments", "fields", "symbols"];

/// A set of changes to the rules of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// The name of the overlay, which other overlays list in `over`.
    pub name: String,
    /// A description of the overlay for players.
    pub title: Option<String>,
    /// The operations and declarations of the overlay, in order.
    pub lines: Vec<Line>,
    /// The lines of the overlay that could not be parsed.
    pub broken: Vec<Broken>,
    /// The names of the overlays whose changes this one can overrule. The name of a game, or an address in it (such as `wisps.night`),
    /// stands for the additions of the game's own files: they may then be removed.
    pub over: Vec<String>,
}

/// Removes the variants from a file and returns them.
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

/// Returns the declarations of a file; operations are dropped.
pub fn rules_of(file: File) -> Rules {
    let declaration = |line| match line {
        Line::Declaration(declaration) => Some(declaration),
        Line::Operation(_) | Line::Variant(_) => None,
    };
    let declarations = file.lines.into_iter().filter_map(declaration).collect();
    let mut rules = Rules { declarations, broken: file.broken, ..Rules::default() };
    for declaration in &mut rules.declarations {
        values::split_entries(declaration);
    }
    rules
}

/// Whether a name is that of a card. Cards are no rules, so overlays cannot change them.
pub type IsCard<'a> = dyn Fn(&str) -> bool + 'a;

/// Applies the changes that files of a game make to declarations in its other files. Each file is one overlay, with the name of the game.
/// The changes are recorded, so that a later overlay that undoes one of them is reported.
pub fn apply_game_files(base: Rules, files: Vec<Overlay>, is_card: &IsCard<'_>, diagnostics: &mut Vec<Diagnostic>) -> Rules {
    apply(base, files, is_card, true, diagnostics)
}

/// Applies overlays in the given order. Operations that cannot be applied are reported and skipped.
pub fn apply_overlays(base: Rules, overlays: Vec<Overlay>, is_card: &IsCard<'_>, diagnostics: &mut Vec<Diagnostic>) -> Rules {
    apply(base, overlays, is_card, false, diagnostics)
}

fn apply(base: Rules, overlays: Vec<Overlay>, is_card: &IsCard<'_>, of_game: bool, diagnostics: &mut Vec<Diagnostic>) -> Rules {
    let (name, over) = (String::new(), Vec::new());
    let mut target = OverlayApplier { rules: base, writes: Vec::new(), name, over, current: 0, is_card, of_game, found: Vec::new() };
    for (index, overlay) in overlays.into_iter().enumerate() {
        (target.name, target.over, target.current) = (overlay.name, overlay.over, index);
        target.rules.broken.extend(overlay.broken);
        for line in overlay.lines {
            let lost = lost_names(&line);
            if let Err(diagnostic) = target.apply(line) {
                target.rules.broken.extend(lost);
                target.found.push(*diagnostic);
            }
        }
    }
    diagnostics.append(&mut target.found);
    let mut rules = target.rules;
    let changed = if of_game { &mut rules.extended } else { &mut rules.written };
    changed.extend(target.writes.into_iter().map(|write| write.change));
    rules
}

/// A change that an overlay has made.
struct OverlayWrite {
    change: Written,
    /// The index of the overlay.
    overlay: usize,
    /// Whether the address no longer exists.
    removed: bool,
}

struct OverlayApplier<'a> {
    rules: Rules,
    writes: Vec<OverlayWrite>,
    /// The name of the overlay being applied, those that it can overrule, and its index.
    name: String,
    over: Vec<String>,
    current: usize,
    /// Tells whether a name is that of a card.
    is_card: &'a IsCard<'a>,
    /// Whether the overlays are files of the game itself.
    of_game: bool,
    found: Vec<Diagnostic>,
}

/// The result of an operation. If it fails, nothing has been changed, and the caller reports the diagnostic.
type ApplyResult<T = ()> = Result<T, Box<Diagnostic>>;

impl OverlayApplier<'_> {
    fn apply(&mut self, line: Line) -> ApplyResult {
        let operation = match line {
            Line::Declaration(declaration) => {
                let span = declaration.span;
                return self.insert_at(&[(0, usize::MAX)], "", Addition::Declaration(declaration), span);
            }
            Line::Variant(variant) => {
                let diagnostic = Diagnostic::error("R203", variant.span, "a variant cannot stand here").label("within another overlay");
                return Err(diagnostic.help("let it stand by itself in a file of rules").into());
            }
            Line::Operation(operation) => operation,
        };
        let span = operation.span;
        match operation.kind {
            OperationKind::ChangeTo { address, value } => {
                self.overwrite(&address, "changes", false, span, |this, place| set_to(this.item(place)?, place, value, span))
            }
            OperationKind::ChangeBy { address, minus, amount } => {
                let place = self.find(&address)?;
                self.check_change_depth(&address, span)?;
                add_to(self.item(&place)?, &place, minus, &amount, span)?;
                self.note_change(place.address, span, Some(place.span), None, false);
                Ok(())
            }
            OperationKind::Replace { address, with } => self.replace(&address, with, span),
            OperationKind::Remove { address } => self.remove(&address, span),
            OperationKind::Add { what, at: None } => match *what {
                what @ Addition::Declaration(_) => self.insert_at(&[(0, usize::MAX)], "", what, span),
                _ => {
                    let diagnostic = Diagnostic::error("R203", span, "where is this to stand?").label("this is no declaration");
                    Err(diagnostic.help("write `add … to ADDRESS`, `add … before ADDRESS` or `add … after ADDRESS`").into())
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
                    self.found.extend(result.err().map(|diagnostic| *diagnostic));
                }
                Ok(())
            }
        }
    }

    // -------------------------------------------------------------- operations

    /// Writes over something, unless another overlay has written it, or what is lost may not be lost. What stands before the block of it
    /// stays if only the block is written.
    fn overwrite(
        &mut self,
        address: &Name,
        does: &str,
        only_block: bool,
        span: Span,
        write: impl FnOnce(&mut Self, &AddressTarget) -> ApplyResult,
    ) -> ApplyResult {
        let place = self.find(address)?;
        self.check_conflicts(&address.text, span)?;
        let lost = self.lost_extensions(&place, only_block)?;
        self.check_may_lose(address, &lost, does, span)?;
        write(self, &place)?;
        self.note_change(place.address, span, Some(place.span), None, true);
        Ok(())
    }

    fn replace(&mut self, address: &Name, with: Replacement, span: Span) -> ApplyResult {
        let only_block = matches!(with, Replacement::Block { when: None, .. });
        self.overwrite(address, "replaces", only_block, span, |this, place| {
            let item = this.item(place)?;
            let fits = match with {
                _ if place.value.is_some() => false,
                Replacement::Block { when, body } => {
                    let empty = Block { items: Vec::new(), broken: Vec::new(), span: body.span };
                    // First what may be refused: what it holds must not be lost then.
                    let takes_condition = when.is_none() || item.replace(Replacement::Block { when, body: empty }).is_some();
                    takes_condition && replace_items(item, body.items)
                }
                with => item.replace(with).is_some(),
            };
            if fits {
                return Ok(());
            }
            let diagnostic = Diagnostic::error("R205", span, format!("this cannot stand in the place of `{}`", address.text));
            let diagnostic = diagnostic.label("something else is needed").also(place.span, "what stands there");
            let begins = address.text.split('.').next();
            let form = reference().with_examples().map(|construct| &construct.form).find(|form| form.split(' ').next() == begins);
            let written = form.map_or("write anew what stands behind its name".to_string(), |form| format!("it is written `{form}`"));
            Err(diagnostic.help(written).into())
        })
    }

    fn remove(&mut self, address: &Name, span: Span) -> ApplyResult {
        let place = self.find(address)?;
        if place.value.is_some() {
            let diagnostic = Diagnostic::error("R205", address.span, format!("`{}` cannot be removed", address.text)).label("a value");
            return Err(diagnostic.help("write `change … to …`").into());
        }
        self.overwrite(address, "removes", false, span, |this, place| {
            let (list, index) = list_at(&mut this.rules.declarations, &place.path).ok_or_else(|| target_missing(span))?;
            list.remove(index);
            Ok(())
        })?;
        self.writes.last_mut().into_iter().for_each(|write| write.removed = true);
        self.rules.removed.push(address.clone());
        Ok(())
    }

    /// Adds an item at the end of what an address refers to.
    fn append(&mut self, address: &Name, what: Addition, span: Span) -> ApplyResult {
        let place = self.find(address)?;
        let added = if let Addition::Name(name) = &what { Some(name.text.clone()) } else { None };
        let no_block = || {
            let message = format!("`{}` has no block to which this could be added", address.text);
            let diagnostic = Diagnostic::error("R205", address.span, message).label("it does not go in there");
            Box::new(match &added {
                _ if address.text == "moments" => {
                    diagnostic.help("write `moments { NAME \"what happens\" }` by itself: there may be several")
                }
                Some(name) => {
                    diagnostic.help(format!("`{name}` alone is a name, and no names stand in there: look at how `{name}` is written"))
                }
                None => diagnostic.help("write `add … before` or `after` it, or `replace` it"),
            })
        };
        if place.value.is_some() {
            return Err(no_block());
        }
        let inner = path_for_addition(self.item(&place)?, &what).ok_or_else(no_block)?;
        let path: Vec<(usize, usize)> = place.path.iter().chain(&inner).copied().collect();
        self.insert_at(&path, &place.address, what, span)
    }

    /// Inserts an item at a path.
    fn insert_at(&mut self, path: &[(usize, usize)], parent: &str, what: Addition, span: Span) -> ApplyResult {
        let mut path = path.to_vec();
        for what in values::split_addition(what) {
            self.insert_one(&path, parent, what, span)?;
            path.iter_mut().last().into_iter().for_each(|last| last.1 = last.1.saturating_add(1));
        }
        Ok(())
    }

    fn insert_one(&mut self, path: &[(usize, usize)], parent: &str, mut what: Addition, span: Span) -> ApplyResult {
        let item = what.item();
        let (place, own) = (item.span(), item.own_name());
        let (inside, value) = (places_in(parent, item), item.values().iter().any(|value| value.0.is_empty()));
        // Moments, exchanges and similar declarations may occur several times.
        let several = matches!(what, Addition::Statement(_) | Addition::Part(PhasePart::Statement(_)))
            || own.as_deref().is_some_and(|own| REPEATED.iter().any(|known| own.starts_with(known)));
        let names = inside.iter().take(if own.is_some() { 1 } else { usize::MAX });
        for new in names.filter(|_| !several) {
            if let Some(old) = place_at(&mut self.rules.declarations, &new.address) {
                return Err(declared_already(&new.address, place, old.span, value));
            }
        }
        let (list, index) = list_at(&mut self.rules.declarations, path).ok_or_else(|| target_missing(span))?;
        list.insert(index, what).ok_or_else(|| {
            let diagnostic = Diagnostic::error("R205", place, "this cannot stand there").label("something else belongs there");
            Box::new(diagnostic.help("`houserule words` shows what each block is made of"))
        })?;
        // An item without an address counts as an addition to its parent.
        let address = own.map_or_else(|| join(parent, "*"), |own| join(parent, &own));
        self.note_change(address, span, None, Some(place), false);
        Ok(())
    }

    // -------------------------------------------------------------- who wrote what

    /// Records a change, with the place of what was there before, or of what is added.
    fn note_change(&mut self, address: String, span: Span, old: Option<Span>, added: Option<Span>, replaced: bool) {
        let change = Written { overlay: self.name.clone(), address, old, span, added, replaced };
        self.writes.push(OverlayWrite { change, overlay: self.current, removed: false });
    }

    /// Returns the additions by files of the game that would be lost if something, or only its block, were replaced.
    fn lost_extensions(&mut self, place: &AddressTarget, only_block: bool) -> ApplyResult<Vec<Written>> {
        let meant = |one: &&Written| is_within(&one.address, &place.address);
        let extended: Vec<Written> = self.rules.extended.iter().filter(meant).cloned().collect();
        if self.of_game || extended.is_empty() {
            return Ok(Vec::new());
        }
        let item = self.item(place)?;
        // A value with a name of its own survives when only the block is replaced.
        let values = item.values().into_iter().filter(|_| only_block);
        let stays: Vec<String> = values.map(|value| join(&place.address, value.0)).collect();
        let mut there = BTreeSet::new();
        spans_in(item, &mut there);
        // The addition may have been removed since.
        let is_lost = |one: &Written| match one.added {
            Some(added) => one.address != place.address && there.contains(&(added.file, added.start)),
            None => !stays.contains(&one.address),
        };
        Ok(extended.into_iter().filter(is_lost).collect())
    }

    /// Checks that an overlay may remove additions by files of the game. Items without names may be removed by any, with a warning.
    fn check_may_lose(&mut self, address: &Name, lost: &[Written], does: &str, span: Span) -> ApplyResult {
        let (name, over) = (&self.name, &self.over);
        let says_so = |game: &str| over.iter().any(|over| over == game || *over == format!("{game}.{}", address.text));
        let Some(first) = lost.iter().find(|one| !says_so(&one.overlay)) else { return Ok(()) };
        let game = &first.overlay;
        let nameless = is_nameless(name);
        let message = format!("`{name}` {does} `{}`, and loses what `{game}` has written to it in another place", address.text);
        let mut diagnostic = match nameless {
            true => Diagnostic::warning("R202", span, message),
            false => Diagnostic::error("R202", span, message),
        }
        .label("what has been written to it goes with it");
        for one in lost {
            diagnostic = diagnostic.also(one.span, format!("this to `{}`, which is lost", one.address.trim_end_matches(".*")));
        }
        let kept = "`extend`, `add` or a `change` of a part keeps it".to_string();
        if nameless {
            self.found.push(diagnostic.help(format!("{kept}; or write again here what is to stay")));
            return Ok(());
        }
        Err(diagnostic
            .help(format!(
                "{kept}; or write again here what is to stay, and say that this is meant: a pack by `over = [\"{game}.{0}\"]` in its `pack.toml`, \
                 a variant by `variant NAME \"…\" over {game}.{0} {{ … }}`",
                address.text
            ))
            .into())
    }

    /// Checks that no other overlay has changed an address, its parents or its children, unless this one may overrule it.
    fn check_conflicts(&self, address: &str, span: Span) -> ApplyResult {
        let (name, over) = (&self.name, &self.over);
        let related = |write: &&OverlayWrite| is_within(&write.change.address, address) || is_within(address, &write.change.address);
        for write in self.writes.iter().filter(|write| write.overlay != self.current).filter(related) {
            let other = &write.change.overlay;
            if over.contains(other) {
                continue;
            }
            let written = write.change.address.trim_end_matches(".*");
            // Typed rules, and files without a name, have no way to declare `over`.
            let help = match is_nameless(name) || is_nameless(other) {
                true => "leave one of the two out".to_string(),
                false => format!(
                    "leave one out, or let `{name}` decide: a pack by `over = [\"{other}\"]` in its `pack.toml`, a variant by `variant {name} \"…\" over {other} {{ … }}`"
                ),
            };
            return Err(Diagnostic::error("R202", span, format!("`{name}` and `{other}` both change `{written}`"))
                .label(format!("`{name}` writes `{address}` here"))
                .also(write.change.span, format!("`{other}` has written `{written}` here"))
                .help(help)
                .into());
        }
        Ok(())
    }

    /// Limits repeated `change … by`, each of which adds a level of brackets.
    fn check_change_depth(&self, address: &Name, span: Span) -> ApplyResult {
        if self.writes.iter().filter(|write| write.change.address == address.text).count() < MAX_NESTING {
            return Ok(());
        }
        let diagnostic = Diagnostic::error("P005", span, format!("with this, brackets are nested more than {MAX_NESTING} deep"));
        Err(diagnostic.label("this is left out").help("replace the whole instead of adding to it").into())
    }

    // -------------------------------------------------------------- finding places

    fn item(&mut self, place: &AddressTarget) -> ApplyResult<&mut dyn Addressed> {
        item_at(&mut self.rules.declarations, &place.path).ok_or_else(|| target_missing(place.span))
    }

    /// Returns the address of the item that contains a place.
    fn parent_of(&mut self, place: &AddressTarget) -> String {
        let (path, depth) = (&place.path, place.path.len());
        let inside = |other: &AddressTarget| other.value.is_none() && depth > other.path.len() && path.starts_with(&other.path);
        let around = places_towards(&mut self.rules.declarations, &place.address);
        let outer = around.into_iter().filter(inside).max_by_key(|other| other.path.len());
        outer.map_or(String::new(), |outer| outer.address)
    }

    fn find(&mut self, address: &Name) -> ApplyResult<AddressTarget> {
        let (text, span) = (address.text.as_str(), address.span);
        if let Some(place) = place_at(&mut self.rules.declarations, text) {
            return Ok(place);
        }
        let mut diagnostic = Diagnostic::error("R201", span, format!("no rule has the address `{text}`")).label("unknown address");
        if let Some(write) = self.writes.iter().find(|write| write.removed && is_within(text, &write.change.address)) {
            let Written { overlay, span, .. } = &write.change;
            return Err(diagnostic.also(*span, format!("`{overlay}` has removed it here")).into());
        }
        let (first, key) = text.split_once('.').unwrap_or((text, ""));
        if (self.is_card)(first) {
            return Err(diagnostic.help(card_change_help(first, key)).into());
        }
        diagnostic = match nearest_address(text, &places_of(&mut self.rules.declarations)) {
            Some(meant) => diagnostic.meant(Some(meant.as_str())),
            None => diagnostic.help("`houserule words` lists every address"),
        };
        Err(diagnostic.into())
    }
}

/// Returns the help text for a change to something printed on a card.
fn card_change_help(card: &str, key: &str) -> String {
    let key = if key.is_empty() { "KEY" } else { key };
    format!(
        "`{card}` is a card: what is printed on it is changed in a pack, by `[[patch]]` with `card = \"{card}\"` and `{key} = …`, and compared by \
         `houserule compare GAME --against PACK`"
    )
}

/// Finds the existing address that was probably meant. Usually its beginning is missing or wrong.
fn nearest_address(address: &str, places: &[AddressTarget]) -> Option<String> {
    let known = || places.iter().map(|place| place.address.as_str());
    let behind = format!(".{address}");
    let longer = known().find(|known| known.ends_with(&behind));
    // The address may also have too many parts.
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

/// Returns the path inside an item at which an addition belongs. A choice goes to the existing choices: `step s { each player chooses { …
/// } }`.
fn path_for_addition(item: &mut dyn Addressed, what: &Addition) -> Option<Vec<(usize, usize)>> {
    let mut lists = item.lists();
    for (which, list) in lists.iter_mut().enumerate() {
        if list.insert(usize::MAX, what.clone()).is_some() {
            let end = list.len() - 1;
            list.remove(end);
            return Some(vec![(which, end)]);
        }
        // The guards and costs of an answer stand behind its statements.
        if matches!(what, Addition::ActionPart(_)) {
            continue;
        }
        if !matches!(what, Addition::Choice(_)) {
            return None;
        }
        for index in 0..list.len() {
            let inner = list.get(index).filter(|inner| inner.own_name().is_none()).and_then(|inner| path_for_addition(inner, what));
            if let Some(inner) = inner {
                return Some(std::iter::once((which, index)).chain(inner).collect());
            }
        }
    }
    None
}

/// Replaces the contents of an item's block. If one of the new items does not fit, nothing is changed.
fn replace_items(item: &mut dyn Addressed, new: Vec<Addition>) -> bool {
    let Some(list) = item.lists().into_iter().next() else { return false };
    let old = list.len();
    if !new.into_iter().flat_map(values::split_addition).all(|what| list.insert(usize::MAX, what).is_some()) {
        (old..list.len()).rev().for_each(|index| list.remove(index));
        return false;
    }
    (0..old).rev().for_each(|index| list.remove(index));
    true
}

fn declared_already(address: &str, new: Span, old: Span, value: bool) -> Box<Diagnostic> {
    let help = match value {
        // There is only one game, so its name is not an address.
        _ if address == "game" => "leave this one out: a pack has a name in `pack.toml`".to_string(),
        true => format!("write `change {address} to …` or `replace {address} …`"),
        false => format!("write `extend {address} {{ … }}` to add to it, or `replace {address} {{ … }}`"),
    };
    let diagnostic = Diagnostic::error("R204", new, format!("`{address}` is declared already")).label("declared a second time");
    diagnostic.also(old, "declared here").help(help).into()
}

fn last_part(address: &str) -> &str {
    address.rsplit('.').next().unwrap_or("")
}

/// Returns the names in an addition that could not be applied, so that their uses are not reported.
fn lost_names(line: &Line) -> Option<Broken> {
    let Line::Operation(operation) = line else { return None };
    let mut what = match &operation.kind {
        OperationKind::Add { what, .. } => vec![(**what).clone()],
        OperationKind::Extend { with, .. } => with.items.clone(),
        _ => return None,
    };
    let inside = what.iter_mut().flat_map(|what| places_in("", what.item()));
    let name = |place: AddressTarget| Name { text: last_part(&place.address).to_string(), span: place.span };
    let names: Vec<Name> = inside.map(name).collect();
    (!names.is_empty()).then_some(Broken { names, span: operation.span })
}

/// Whether an overlay was typed, or is in a file without a name, so that it cannot declare `over`.
fn is_nameless(name: &str) -> bool {
    name.starts_with("--") || name.starts_with('`') || name.ends_with(".rules")
}

/// Collects where everything inside an item starts.
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

/// Whether `inner` equals `outer` or is inside it.
fn is_within(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn target_missing(span: Span) -> Box<Diagnostic> {
    Diagnostic::error("R205", span, "what stood here cannot be found any more").label("nothing there").help("change it once only").into()
}
