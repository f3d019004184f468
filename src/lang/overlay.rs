//! Overlays: what an expansion, a pack, a variant or the command line changes in the rules of a game. They are applied
//! to the syntax tree, in order; names are resolved and checked once, afterwards. Every statement keeps the place where
//! it was written.
//!
//! Messages: `R201` unknown address, `R202` two overlays write the same, `R203` an operation that is not one, `R204`
//! declared already, `R205` nothing there that could be changed so, `R206` a number too large.

pub use super::address::all_addresses;
use super::address::{Entry, EntryPlace, Place, entries_of, join, name_of, places_of, value_of};
use super::ast::{Block, Op, Statement, Term, TermKind};
use super::cut::DEEPEST_NESTING;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

/// How deep overlays may stand in `expansion` blocks.
const DEEPEST: usize = 8;
/// Statements of which a place may have several of the same address.
const REPEATED: [&str; 5] = ["cost", "does", "moment", "order", "when"];

/// Changes to the rules of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// What others call it in `over`.
    pub name: String,
    /// Operations and declarations, in order.
    pub statements: Vec<Statement>,
    /// The overlays whose changes this one may overrule.
    pub over: Vec<String>,
}

/// Takes the variants of a file out of it: `variant NAME "what it does" { … }`, also `… over OTHER { … }`.
pub fn take_variants(block: &mut Block) -> Vec<Overlay> {
    let (variants, rest) = std::mem::take(&mut block.statements).into_iter().partition(|statement| statement.head() == Some("variant"));
    block.statements = rest;
    let variants: Vec<Statement> = variants;
    variants.into_iter().map(variant_of).collect()
}

fn variant_of(statement: Statement) -> Overlay {
    let name = statement.terms.get(1).and_then(Term::word).unwrap_or("").to_string();
    let over = statement.terms.iter().skip_while(|term| !term.is_word("over")).skip(1);
    let over = over.filter_map(Term::word).map(str::to_string).collect();
    let statements = statement
        .terms
        .into_iter()
        .find_map(|term| match term.kind {
            TermKind::Block(block) => Some(block.statements),
            _ => None,
        })
        .unwrap_or_default();
    Overlay { name, statements, over }
}

/// Applies overlays in the order given. What cannot be applied is reported and left out.
pub fn apply_overlays(base: Block, overlays: &[Overlay], diagnostics: &mut Vec<Diagnostic>) -> Block {
    let mut rules = Rules { block: base, places: Vec::new(), writes: Vec::new(), overlays, now: 0, diagnostics };
    rules.places = places_of(&rules.block);
    for (index, overlay) in overlays.iter().enumerate() {
        rules.now = index;
        for statement in &overlay.statements {
            rules.apply(statement, DEEPEST);
        }
    }
    rules.block
}

/// What an overlay has written.
struct Write {
    address: String,
    overlay: usize,
    span: Span,
    /// Whether nothing is there any more.
    removed: bool,
}

struct Rules<'a> {
    block: Block,
    places: Vec<Place>,
    writes: Vec<Write>,
    overlays: &'a [Overlay],
    /// The overlay that is being applied.
    now: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// A fault is reported where it is found; nothing else is to be said about it.
type Applied<T = ()> = Result<T, Box<Diagnostic>>;

impl Rules<'_> {
    fn apply(&mut self, statement: &Statement, depth: usize) {
        // What cannot be done wholly is not done at all.
        let (before, written) = (self.block.clone(), self.writes.len());
        let result = match statement.head() {
            Some("change") => self.change(statement),
            Some("replace") => self.replace(statement),
            Some("remove") => self.remove(statement),
            Some("add") => self.add(statement),
            Some("extend") => self.extend(statement),
            Some("expansion") if depth > 0 => {
                let inside = statement.terms.iter().filter_map(Term::block).flat_map(|block| &block.statements);
                inside.for_each(|statement| self.apply(statement, depth - 1));
                return;
            }
            _ => self.insert(&[], usize::MAX, "", statement.clone(), statement.span),
        };
        let result = result.and_then(|()| match self.block.statements.iter().map(|found| nesting(&found.terms)).max() {
            Some(depth) if depth > DEEPEST_NESTING => {
                Err(Diagnostic::error("P005", statement.span, format!("with this, brackets are nested more than {DEEPEST_NESTING} deep"))
                    .label("this is left out")
                    .help("replace the whole instead of adding to it")
                    .into())
            }
            _ => Ok(()),
        });
        if let Err(diagnostic) = result {
            self.diagnostics.push(*diagnostic);
            self.block = before;
            self.writes.truncate(written);
        }
        self.places = places_of(&self.block);
    }

    // -------------------------------------------------------------- operations

    /// `change A to E`, `change A by ±N`
    fn change(&mut self, statement: &Statement) -> Applied {
        const FORM: &str = "write `change ADDRESS to VALUE` or `change ADDRESS by +NUMBER`";
        let (address, span) = address_in(statement, 1, FORM)?;
        let place = self.find(&address, span)?;
        let rest = statement.terms.get(3..).unwrap_or(&[]);
        let how = statement.terms.get(2).and_then(Term::word).filter(|_| !rest.is_empty());
        match how {
            Some("to") => {
                self.claim(&address, statement.span)?;
                self.set_value(&place, rest, statement.span)
            }
            Some("by") => {
                let (op, amount) = match rest {
                    [sign, more @ ..] if sign.is_op(Op::Plus) && !more.is_empty() => (Op::Plus, more),
                    [sign, more @ ..] if sign.is_op(Op::Minus) && !more.is_empty() => (Op::Minus, more),
                    all => (Op::Plus, all),
                };
                self.add_value(&place, op, amount, statement.span)?;
                self.note(address, statement.span, false);
                Ok(())
            }
            _ => Err(malformed(statement.span, FORM)),
        }
    }

    /// `replace A = E`, `replace A { … }`, `replace A …`
    fn replace(&mut self, statement: &Statement) -> Applied {
        const FORM: &str = "write `replace ADDRESS = VALUE` or `replace ADDRESS { … }`";
        let (address, span) = address_in(statement, 1, FORM)?;
        let place = self.find(&address, span)?;
        let rest = statement.terms.get(2..).unwrap_or(&[]);
        let Some(first) = rest.first() else {
            return Err(malformed(statement.span, FORM));
        };
        self.claim(&address, statement.span)?;
        if place.entry.is_some() {
            let signed = first.is_op(Op::Assign) || first.kind == TermKind::Colon;
            return self.set_value(&place, rest.get(usize::from(signed)..).unwrap_or(&[]), statement.span);
        }
        let arguments = statement.terms.get(1).filter(|term| matches!(term.kind, TermKind::Call { .. })).cloned();
        let parent = self.parent_of(&place);
        let old = self.statement_mut(&place).ok_or_else(|| gone(span))?;
        let (_, named) = name_of(&parent, old).ok_or_else(|| gone(span))?;
        let block = old.terms.iter().rposition(|term| term.block().is_some()).filter(|at| *at >= named);
        if let (Some(block), [only]) = (block, rest)
            && only.block().is_some()
        {
            // The words between the name and the block stay as they are.
            old.terms.truncate(block);
        } else if first.is_op(Op::Assign) {
            // So do the parameters, if no new ones are given.
            let assign = old.terms.iter().position(|term| term.is_op(Op::Assign)).unwrap_or(named);
            old.terms.truncate(assign.max(named));
        } else {
            old.terms.truncate(named);
        }
        if let (Some(call), Some(term)) = (arguments, old.terms.get_mut(named - 1)) {
            *term = match (&term.kind, call.kind) {
                (TermKind::Call { name, .. } | TermKind::Word(name), TermKind::Call { args, .. }) => {
                    Term { kind: TermKind::Call { name: name.clone(), args }, span: call.span }
                }
                _ => term.clone(),
            };
        }
        old.terms.extend_from_slice(rest);
        old.span = statement.span;
        Ok(())
    }

    /// `remove A`
    fn remove(&mut self, statement: &Statement) -> Applied {
        const FORM: &str = "write `remove ADDRESS`";
        let (address, span) = address_in(statement, 1, FORM)?;
        let place = self.find(&address, span)?;
        if statement.terms.len() > 2 {
            return Err(malformed(statement.span, FORM));
        }
        self.claim(&address, statement.span)?;
        if let Some(write) = self.writes.last_mut() {
            write.removed = true;
        }
        if let Some(entry) = place.entry {
            return self.change_entry(&place, entry, span, |_| None);
        }
        let statements = self.statements_mut(&place.path).ok_or_else(|| gone(span))?;
        if place.statement < statements.len() {
            statements.remove(place.statement);
        }
        Ok(())
    }

    /// `add STATEMENT`, `add STATEMENT before|after|to A`, where the place stands ahead of the statement's block
    fn add(&mut self, statement: &Statement) -> Applied {
        const FORM: &str = "write `add STATEMENT after ADDRESS`, the address ahead of the statement's block";
        let terms = statement.terms.get(1..).unwrap_or(&[]);
        let at = (1..terms.len()).rev().find(|at| self.is_place(terms, *at));
        let mut added: Vec<Term> = terms.get(..at.unwrap_or(terms.len())).unwrap_or(&[]).to_vec();
        let Some(at) = at else {
            let new = statement_of(added).ok_or_else(|| malformed(statement.span, FORM))?;
            return self.insert(&[], usize::MAX, "", new, statement.span);
        };
        added.extend(terms.get(at + 2..).unwrap_or(&[]).iter().cloned());
        let new = statement_of(added).ok_or_else(|| malformed(statement.span, FORM))?;
        let (address, span) = match terms.get(at + 1) {
            Some(term) => (term.word().unwrap_or("").to_string(), term.span),
            None => return Err(malformed(statement.span, FORM)),
        };
        let place = self.find(&address, span)?;
        let side = terms.get(at).and_then(Term::word).unwrap_or("");
        if side == "to" {
            return self.append(&place, vec![new], span, statement.span);
        }
        if let Some(entry) = place.entry {
            let index = entry.entry + usize::from(side == "after");
            return self.insert_entry(&place, entry, index, &new.terms, span);
        }
        let parent = self.parent_of(&place);
        self.insert(&place.path.clone(), place.statement + usize::from(side == "after"), &parent, new, statement.span)
    }

    /// `extend A { … }`
    fn extend(&mut self, statement: &Statement) -> Applied {
        const FORM: &str = "write `extend ADDRESS { … }`";
        let (address, span) = address_in(statement, 1, FORM)?;
        let place = self.find(&address, span)?;
        match statement.terms.get(2..) {
            Some([block]) => {
                let block = block.block().ok_or_else(|| malformed(statement.span, FORM))?;
                self.append(&place, block.statements.clone(), span, statement.span)
            }
            _ => Err(malformed(statement.span, FORM)),
        }
    }

    /// Whether the place words of `add` begin here: `after ADDRESS`, then nothing or a block.
    fn is_place(&self, terms: &[Term], at: usize) -> bool {
        let ends = match terms.get(at + 2..) {
            Some([]) => true,
            Some([block]) => block.block().is_some(),
            _ => false,
        };
        let (Some(side), Some(address)) = (terms.get(at).and_then(Term::word), terms.get(at + 1).and_then(Term::word)) else {
            return false;
        };
        // `to` also stands in ranges: `1 to wisp`.
        ends && (matches!(side, "before" | "after")
            || side == "to" && (address.contains('.') || self.places.iter().any(|place| place.address == address)))
    }

    // -------------------------------------------------------------- adding statements

    /// Puts a statement into the block at `path`, so that it is its `index`th.
    fn insert(&mut self, path: &[(usize, usize)], index: usize, parent: &str, new: Statement, span: Span) -> Applied {
        let address = name_of(parent, &new).map(|(name, _)| join(parent, &name));
        if let Some(address) = &address
            && !new.head().is_some_and(|head| REPEATED.contains(&head))
            && let Some(place) = self.places.iter().find(|place| place.address == *address)
        {
            let help = match new.terms.last().is_some_and(|term| term.block().is_some()) {
                true => format!("write `extend {address} {{ … }}` to add to it, or `replace {address} {{ … }}`"),
                false => format!("write `change {address} to …` or `replace {address} …`"),
            };
            return Err(Diagnostic::error("R204", new.span, format!("`{address}` is declared already"))
                .label("declared a second time")
                .also(place.span, "declared here")
                .help(help)
                .into());
        }
        let statements = self.statements_mut(path).ok_or_else(|| gone(span))?;
        let index = index.min(statements.len());
        statements.insert(index, new);
        // A statement without an address counts as something new in its parent.
        self.note(address.unwrap_or_else(|| join(parent, "*")), span, false);
        Ok(())
    }

    /// Appends statements to the block of what stands at a place, or entries to its table.
    fn append(&mut self, place: &Place, new: Vec<Statement>, address_span: Span, span: Span) -> Applied {
        let no_block = || {
            Diagnostic::error("R205", address_span, format!("`{}` has no block to which something could be added", place.address))
                .label("no `{ … }` here")
                .help("write `add … before` or `after` it, or `replace` it")
                .into()
        };
        if place.entry.is_some() {
            return Err(no_block());
        }
        let statement = self.statement_mut(place).ok_or_else(no_block)?;
        let block = last_block(statement).ok_or_else(no_block)?;
        let mut path = place.path.clone();
        path.push((place.statement, block));
        // Choices go to the other choices: `step spring { each player chooses { … } }`.
        if new.iter().all(|statement| matches!(statement.terms.first().map(|term| &term.kind), Some(TermKind::Text(_)))) {
            while let Some([only]) = self.statements_mut(&path).map(|statements| statements.as_slice())
                && name_of(&place.address, only).is_none()
                && let Some(block) = last_block(only)
            {
                path.push((0, block));
            }
        }
        for statement in new {
            self.insert(&path, usize::MAX, &place.address, statement, span)?;
            self.places = places_of(&self.block);
        }
        Ok(())
    }

    fn insert_entry(&mut self, place: &Place, at: EntryPlace, index: usize, terms: &[Term], span: Span) -> Applied {
        let new = entries_of(terms);
        if new.is_empty() {
            return Err(malformed(span, "an entry of a table is written `KEY: VALUE`"));
        }
        let line = self.line_mut(place, at).ok_or_else(|| gone(span))?;
        let mut entries = entries_of(&line.terms);
        let index = index.min(entries.len());
        entries.splice(index..index, new);
        line.terms = terms_of(entries, line.span);
        self.note(join(&place.address, "*"), span, false);
        Ok(())
    }

    // -------------------------------------------------------------- values

    fn set_value(&mut self, place: &Place, value: &[Term], span: Span) -> Applied {
        if value.is_empty() {
            return Err(malformed(span, "write the new value behind it"));
        }
        if let Some(entry) = place.entry {
            return self.change_entry(place, entry, span, |_| Some(value.to_vec()));
        }
        let parent = self.parent_of(place);
        let address = place.address.clone();
        let statement = self.statement_mut(place).ok_or_else(|| gone(span))?;
        let range = match value_of(&parent, statement) {
            Some(range) => range,
            None if statement.head() == Some("option") => {
                let end = statement.terms.len();
                statement.terms.push(Term { kind: TermKind::Comma, span });
                statement.terms.push(Term { kind: TermKind::Word("default".to_string()), span });
                end + 2..end + 2
            }
            None => return Err(no_value(&address, span)),
        };
        statement.terms.splice(range, value.iter().cloned());
        Ok(())
    }

    fn add_value(&mut self, place: &Place, op: Op, amount: &[Term], span: Span) -> Applied {
        if let Some(entry) = place.entry {
            let mut fault = None;
            self.change_entry(place, entry, span, |old| match sum(old, op, amount, span) {
                Ok(terms) => Some(terms),
                Err(diagnostic) => {
                    fault = Some(diagnostic);
                    Some(old.to_vec())
                }
            })?;
            return fault.map_or(Ok(()), Err);
        }
        let parent = self.parent_of(place);
        let address = place.address.clone();
        let statement = self.statement_mut(place).ok_or_else(|| gone(span))?;
        let range = value_of(&parent, statement).ok_or_else(|| no_value(&address, span))?;
        let value = statement.terms.get(range.clone()).unwrap_or(&[]).to_vec();
        // A table: every entry, so that it stays a table.
        if let Some(at) = value.iter().position(|term| term.block().is_some_and(is_table)) {
            let Some(TermKind::Block(table)) = statement.terms.get_mut(range.start + at).map(|term| &mut term.kind) else {
                return Err(gone(span));
            };
            let mut changed = table.clone();
            for line in &mut changed.statements {
                let mut entries = entries_of(&line.terms);
                for entry in &mut entries {
                    entry.value = sum(&entry.value, op, amount, span)?;
                }
                line.terms = terms_of(entries, line.span);
            }
            *table = changed;
            return Ok(());
        }
        if matches!(statement.head(), Some("cost" | "needs" | "wins" | "players")) {
            // `3 wisp` costs: only the number in front is changed.
            let Some(first) = value.first().filter(|term| matches!(term.kind, TermKind::Number { .. })) else {
                return Err(no_value(&address, span));
            };
            let new = sum(std::slice::from_ref(first), op, amount, span)?;
            statement.terms.splice(range.start..range.start + 1, new);
            return Ok(());
        }
        let new = sum(&value, op, amount, span)?;
        statement.terms.splice(range, new);
        Ok(())
    }

    /// Gives one entry of a table another value, or takes it out. An entry with several keys is parted first.
    fn change_entry(&mut self, place: &Place, at: EntryPlace, span: Span, new: impl FnOnce(&[Term]) -> Option<Vec<Term>>) -> Applied {
        let line = self.line_mut(place, at).ok_or_else(|| gone(span))?;
        let mut entries = entries_of(&line.terms);
        let entry = entries.get_mut(at.entry).ok_or_else(|| gone(span))?;
        let value = new(&entry.value);
        if entry.keys.len() > 1 && at.key < entry.keys.len() {
            let key = entry.keys.remove(at.key);
            if let Some(value) = value {
                entries.insert(at.entry, Entry { keys: vec![key], value });
            }
        } else {
            match value {
                Some(value) => entry.value = value,
                None => {
                    entries.remove(at.entry);
                }
            }
        }
        line.terms = terms_of(entries, line.span);
        if line.terms.is_empty() {
            let mut path = place.path.clone();
            path.push((place.statement, at.block));
            if let Some(statements) = self.statements_mut(&path).filter(|statements| at.line < statements.len()) {
                statements.remove(at.line);
            }
        }
        Ok(())
    }

    // -------------------------------------------------------------- who wrote what

    fn note(&mut self, address: String, span: Span, removed: bool) {
        self.writes.push(Write { address, overlay: self.now, span, removed });
    }

    /// Writes an address alone: nobody else may have written on, above or below it.
    fn claim(&mut self, address: &str, span: Span) -> Applied {
        let now = self.overlays.get(self.now);
        for write in self.writes.iter().filter(|write| write.overlay != self.now && related(&write.address, address)) {
            let other = self.overlays.get(write.overlay).map_or("", |overlay| &overlay.name);
            if now.is_some_and(|overlay| overlay.over.iter().any(|name| name == other)) {
                continue;
            }
            let name = now.map_or("", |overlay| &overlay.name);
            let written = write.address.trim_end_matches(".*");
            // What was typed or stands in a file without a name of its own has nowhere to say it.
            let nameless = |name: &str| name.starts_with("--") || name.ends_with(".rules");
            let help = match nameless(name) || nameless(other) {
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
        self.note(address.to_string(), span, false);
        Ok(())
    }

    // -------------------------------------------------------------- finding places

    fn find(&self, address: &str, span: Span) -> Applied<Place> {
        if let Some(place) = self.places.iter().find(|place| place.address == address) {
            return Ok(place.clone());
        }
        let mut diagnostic = Diagnostic::error("R201", span, format!("no rule has the address `{address}`")).label("unknown address");
        if let Some(write) = self.writes.iter().find(|write| write.removed && below(address, &write.address)) {
            let other = self.overlays.get(write.overlay).map_or("", |overlay| &overlay.name);
            return Err(diagnostic.also(write.span, format!("`{other}` has removed it here")).into());
        }
        let known = || self.places.iter().map(|place| place.address.as_str());
        // Most often only the way to it is missing or wrong.
        let last = |address: &str| address.rsplit('.').next().unwrap_or("").to_string();
        let behind = format!(".{address}");
        let longer = known().find(|known| known.ends_with(&behind)).map(str::to_string);
        let meant = longer.or_else(|| nearest(address, known()).map(str::to_string)).or_else(|| {
            let wanted = last(address);
            known().find(|known| last(known) == wanted).map(str::to_string).or_else(|| {
                let lasts: Vec<String> = known().map(last).collect();
                let near = nearest(&wanted, lasts.iter().map(String::as_str))?;
                known().find(|known| last(known) == near).map(str::to_string)
            })
        });
        diagnostic = diagnostic.meant(meant.as_deref());
        if diagnostic.help.is_empty() {
            diagnostic = diagnostic.help("`houserule words` lists every address");
        }
        Err(diagnostic.into())
    }

    /// The address of what surrounds a place.
    fn parent_of(&self, place: &Place) -> String {
        let inside = |other: &&Place| {
            let depth = other.path.len();
            other.entry.is_none()
                && place.path.get(..depth) == Some(other.path.as_slice())
                && place.path.get(depth).is_some_and(|(statement, _)| *statement == other.statement)
        };
        let outer = self.places.iter().filter(inside).max_by_key(|other| other.path.len());
        outer.map_or(String::new(), |outer| outer.address.clone())
    }

    fn statements_mut(&mut self, path: &[(usize, usize)]) -> Option<&mut Vec<Statement>> {
        let mut statements = &mut self.block.statements;
        for (statement, term) in path {
            match &mut statements.get_mut(*statement)?.terms.get_mut(*term)?.kind {
                TermKind::Block(block) => statements = &mut block.statements,
                _ => return None,
            }
        }
        Some(statements)
    }

    fn statement_mut(&mut self, place: &Place) -> Option<&mut Statement> {
        self.statements_mut(&place.path)?.get_mut(place.statement)
    }

    /// The line of a table in which an entry stands.
    fn line_mut(&mut self, place: &Place, at: EntryPlace) -> Option<&mut Statement> {
        match &mut self.statement_mut(place)?.terms.get_mut(at.block)?.kind {
            TermKind::Block(block) => block.statements.get_mut(at.line),
            _ => None,
        }
    }
}

// ------------------------------------------------------------------ small things

/// Whether one address is the other, or lies in it.
fn related(a: &str, b: &str) -> bool {
    below(a, b) || below(b, a)
}

/// Whether `inner` is `outer` or lies in it.
fn below(inner: &str, outer: &str) -> bool {
    inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// How deep brackets are nested in some terms.
fn nesting(terms: &[Term]) -> usize {
    let within = |term: &Term| match &term.kind {
        TermKind::Call { args, .. } => 1 + args.iter().map(|arg| nesting(arg)).max().unwrap_or(0),
        TermKind::Item { index: terms, .. } | TermKind::Group(terms) => 1 + nesting(terms),
        TermKind::Block(block) => 1 + block.statements.iter().map(|statement| nesting(&statement.terms)).max().unwrap_or(0),
        _ => 0,
    };
    terms.iter().map(within).max().unwrap_or(0)
}

fn last_block(statement: &Statement) -> Option<usize> {
    statement.terms.iter().rposition(|term| term.block().is_some())
}

fn is_table(block: &Block) -> bool {
    !block.statements.is_empty() && block.statements.iter().all(|line| !entries_of(&line.terms).is_empty())
}

fn statement_of(terms: Vec<Term>) -> Option<Statement> {
    let span = terms.first()?.span.to(terms.last()?.span);
    Some(Statement { terms, span })
}

/// The address that an operation names.
fn address_in(statement: &Statement, at: usize, form: &'static str) -> Applied<(String, Span)> {
    match statement.terms.get(at) {
        Some(Term { kind: TermKind::Word(name) | TermKind::Call { name, .. }, span }) => Ok((name.clone(), *span)),
        _ => Err(malformed(statement.span, form)),
    }
}

fn malformed(span: Span, form: &'static str) -> Box<Diagnostic> {
    Diagnostic::error("R203", span, "this is no way to change a rule").label("not understood").help(form).into()
}

fn gone(span: Span) -> Box<Diagnostic> {
    Diagnostic::error("R205", span, "what stood here cannot be found any more").label("nothing there").help("change it once only").into()
}

fn no_value(address: &str, span: Span) -> Box<Diagnostic> {
    Diagnostic::error("R205", span, format!("`{address}` has no value that could be changed so"))
        .label("nothing to change")
        .help(format!("write `replace {address} …` with all that should stand there"))
        .into()
}

/// A value and what is added to it: two numbers become one, everything else an expression.
fn sum(old: &[Term], op: Op, amount: &[Term], span: Span) -> Applied<Vec<Term>> {
    let Some((first, decimal)) = number_in(old) else {
        return Ok(expression(old, op, amount, span));
    };
    let Some((second, more)) = number_in(amount) else {
        return Ok(expression(old, op, amount, span));
    };
    let total = if op == Op::Minus { first.checked_sub(second) } else { first.checked_add(second) };
    let total = total.filter(|total| total.checked_abs().is_some()).ok_or_else(|| {
        Box::new(Diagnostic::error("R206", span, "the sum is too large").label("added here").help("give a smaller number"))
    })?;
    let number = Term { kind: TermKind::Number { thousandths: total.abs(), decimal: decimal || more }, span };
    if total < 0 { Ok(vec![Term { kind: TermKind::Op(Op::Minus), span }, number]) } else { Ok(vec![number]) }
}

fn expression(old: &[Term], op: Op, amount: &[Term], span: Span) -> Vec<Term> {
    let group = |terms: &[Term]| match terms {
        [only] if !matches!(only.kind, TermKind::Block(_)) => only.clone(),
        several => Term { kind: TermKind::Group(several.to_vec()), span: several.first().map_or(span, |first| first.span) },
    };
    let old = Term { kind: TermKind::Group(old.to_vec()), span: old.first().map_or(span, |first| first.span) };
    vec![old, Term { kind: TermKind::Op(op), span }, group(amount)]
}

/// The number that some terms are, with its sign, and whether it was written with a point.
fn number_in(terms: &[Term]) -> Option<(i64, bool)> {
    match terms {
        [Term { kind: TermKind::Number { thousandths, decimal }, .. }] => Some((*thousandths, *decimal)),
        [sign, Term { kind: TermKind::Number { thousandths, decimal }, .. }] if sign.is_op(Op::Minus) => {
            Some((thousandths.checked_neg()?, *decimal))
        }
        _ => None,
    }
}

/// A line of a table from its entries.
fn terms_of(entries: Vec<Entry>, span: Span) -> Vec<Term> {
    let mut terms: Vec<Term> = Vec::new();
    for entry in entries {
        for (at, key) in entry.keys.into_iter().enumerate() {
            if at > 0 || !terms.is_empty() {
                terms.push(Term { kind: TermKind::Comma, span });
            }
            terms.extend(key);
        }
        terms.push(Term { kind: TermKind::Colon, span });
        terms.extend(entry.value);
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::ast::print;
    use crate::lang::parse::parse_rules;
    use crate::source::FileId;

    const BASE: &str = r#"
constant bonus = by level { wisp: 4, wolf: 3 }
constant width = by players { 1, 2: 4, else: 3 }
constant start = 2
option side = a | b, default a, for each player
option length = 1 to 4
define worked(x) = x * 2
rank most x = top 1 by x
rounds 4: night
player { place wall 1 }
phase night {
  step spring { each player chooses { "grow" { gain 1 wisp } "take" { gain 2 wisp } } }
  step moult when true { gain 1 wisp }
  action buy wolf in pack { cost 2 wisp; needs bite: reach > 0 "too weak"; does { gain 1 wolf } }
}
"#;

    fn rules(text: &str) -> Block {
        let mut diagnostics = Vec::new();
        let block = parse_rules(FileId(0), text, &mut diagnostics);
        assert_eq!(diagnostics, []);
        block
    }

    fn overlay(name: &str, text: &str) -> Overlay {
        Overlay { name: name.to_string(), statements: rules(text).statements, over: Vec::new() }
    }

    fn applied(overlays: &[Overlay]) -> (String, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        let block = apply_overlays(rules(BASE), overlays, &mut diagnostics);
        let printed = print(&block);
        // What comes out can be written down and read again.
        assert_eq!(print(&rules(&printed)), printed);
        (printed, diagnostics)
    }

    /// The rules after one overlay, and that a line of them has become another.
    fn becomes(operation: &str, line: &str) {
        let (printed, diagnostics) = applied(&[overlay("a", operation)]);
        assert_eq!(diagnostics, [], "{operation}");
        assert!(printed.lines().any(|found| found.trim() == line), "{operation}: no {line:?} in\n{printed}");
    }

    fn codes(overlays: &[Overlay]) -> Vec<&'static str> {
        applied(overlays).1.iter().map(|diagnostic| diagnostic.code).collect()
    }

    #[test]
    fn change_sets_and_adds() {
        becomes("change bonus by +1", "constant bonus = by level { wisp: 5, wolf: 4 }");
        becomes("change bonus by -4", "constant bonus = by level { wisp: 0, wolf: - 1 }");
        becomes("change bonus.wolf to 9", "constant bonus = by level { wisp: 4, wolf: 9 }");
        becomes("change bonus.wolf by -1", "constant bonus = by level { wisp: 4, wolf: 2 }");
        becomes("change width.2 to 7", "constant width = by players { 2: 7, 1: 4, else: 3 }");
        becomes("change width.else by 1", "constant width = by players { 1, 2: 4, else: 4 }");
        becomes("change start to 3 * players", "constant start = 3 * players");
        becomes("change start by 2", "constant start = 4");
        becomes("change start by players", "constant start = (2) + players");
        becomes("change worked by -1", "define worked(x) = (x * 2) - 1");
        becomes("change worked to x", "define worked(x) = x");
        becomes("change side to b", "option side = a | b, default b, for each player");
        becomes("change length to 3", "option length = 1 to 4, default 3");
        becomes("change rounds to 2 * length", "rounds 2 * length: night");
        becomes("change rounds by -1", "rounds 3: night");
        becomes("change night.buy.cost by +1", "cost 3 wisp");
        becomes("change night.buy.needs.bite to reach > 1", "needs bite: reach > 1 \"too weak\"");
    }

    #[test]
    fn replace_takes_all_behind_the_name() {
        becomes("replace rank.most x = top leaders by x", "rank most x = top leaders by x");
        becomes("replace rank.most = top 2 by x", "rank most x = top 2 by x");
        becomes("replace worked(a, b) = a + b", "define worked(a, b) = a + b");
        becomes("replace night.moult { gain 3 wisp }", "step moult when true { gain 3 wisp }");
        becomes("replace night.moult unless false { gain 3 wisp }", "step moult unless false { gain 3 wisp }");
        becomes("replace night.buy.needs.bite: reach > 2 \"no\"", "needs bite: reach > 2 \"no\"");
        becomes("replace night.buy.cost 1 wisp and 1 wolf", "cost 1 wisp and 1 wolf");
        becomes("replace bonus.wisp = 1", "constant bonus = by level { wisp: 1, wolf: 3 }");
        becomes("replace night.spring.take { gain 9 wisp }", "\"take\" { gain 9 wisp }");
    }

    #[test]
    fn things_are_added_and_removed() {
        let (printed, diagnostics) = applied(&[overlay(
            "a",
            "add step dawn before night.spring { gain 1 wall }\nadd step dusk after night.moult { gain 2 wall }\n\
             add needs age: age > 1 \"early\" after night.buy.cost\nadd check x { y }\nadd place nest 1 to player\n\
             extend player { counter owls }\nextend night.spring { \"rest\" { gain 3 wisp } }\nconstant more = 1\n\
             remove start\nremove bonus.wolf\nremove width.1\nremove night.spring.take\nadd owl: 2 after bonus.wisp",
        )]);
        assert_eq!(diagnostics, []);
        assert_eq!(
            printed,
            r#"constant bonus = by level { wisp: 4, owl: 2 }
constant width = by players { 2: 4, else: 3 }
option side = a | b, default a, for each player
option length = 1 to 4
define worked(x) = x * 2
rank most x = top 1 by x
rounds 4: night
player {
  place wall 1
  place nest 1
  counter owls
}
phase night {
  step dawn { gain 1 wall }
  step spring {
    each player chooses {
      "grow" { gain 1 wisp }
      "rest" { gain 3 wisp }
    }
  }
  step moult when true { gain 1 wisp }
  step dusk { gain 2 wall }
  action buy wolf in pack {
    cost 2 wisp
    needs age: age > 1 "early"
    needs bite: reach > 0 "too weak"
    does { gain 1 wolf }
  }
}
check x { y }
constant more = 1
"#
        );
    }

    #[test]
    fn what_adds_commutes() {
        let (a, b) = (
            overlay("a", "change bonus by +1\nextend player { counter owls }"),
            overlay("b", "change bonus.wolf by +2\nextend night { step dusk { x } }"),
        );
        let (first, second) = (applied(&[a.clone(), b.clone()]), applied(&[b, a]));
        assert_eq!(first.1, []);
        assert_eq!(first, second);
    }

    #[test]
    fn two_overlays_writing_the_same_is_an_error_unless_one_says_over() {
        let a = overlay("a", "change bonus.wolf to 5");
        for operation in ["change bonus to 1", "change bonus.wolf to 1", "remove bonus", "replace bonus = 3"] {
            let b = overlay("b", operation);
            assert_eq!(codes(&[a.clone(), b.clone()]), ["R202"], "{operation}");
            assert_eq!(codes(&[a.clone(), Overlay { over: vec!["a".into()], ..b }]), [""; 0], "{operation}");
        }
        let (_, diagnostics) = applied(&[a.clone(), overlay("b", "remove bonus")]);
        assert_eq!(diagnostics[0].message, "`b` and `a` both change `bonus.wolf`");
        assert_eq!(diagnostics[0].secondary.len(), 1);
        assert_eq!(codes(&[a.clone(), overlay("b", "change bonus.wisp to 1\nchange start to 1")]), [""; 0]);
        assert_eq!(codes(&[a, overlay("a2", "change bonus by 1")]), [""; 0]);
        assert_eq!(codes(&[overlay("a", "add step dusk after night.moult { x }"), overlay("b", "remove night")]), ["R202"]);
        assert_eq!(codes(&[overlay("a", "extend player { x }"), overlay("b", "replace player { y }")]), ["R202"]);
        assert_eq!(codes(&[overlay("a", "change start to 1\nchange start to 2\nremove start")]), [""; 0]);
        let (_, diagnostics) = applied(&[overlay("a", "remove night.buy"), overlay("b", "change night.buy.cost by 1")]);
        assert_eq!((diagnostics[0].code, diagnostics[0].secondary.len()), ("R201", 1));
    }

    #[test]
    fn an_unknown_address_names_the_nearest() {
        for (operation, meant) in [
            ("change bonsu by 1", "bonus"),
            ("remove spring", "night.spring"),
            ("remove night.sprnig", "night.spring"),
            ("extend dusk.sprign { x }", "night.spring"),
        ] {
            let (_, diagnostics) = applied(&[overlay("a", operation)]);
            assert_eq!(diagnostics[0].code, "R201");
            assert_eq!(diagnostics[0].help, [format!("did you mean `{meant}`?")]);
        }
    }

    #[test]
    fn wrong_operations_are_told_and_change_nothing() {
        for (operation, code) in [
            ("change", "R203"),
            ("change bonus", "R203"),
            ("change bonus 3", "R203"),
            ("change bonus to", "R203"),
            ("change \"bonus\" to 1", "R203"),
            ("remove", "R203"),
            ("remove bonus { }", "R203"),
            ("replace bonus", "R203"),
            ("extend player 3", "R203"),
            ("add", "R203"),
            ("add x to nowhere.else", "R201"),
            ("add x to start", "R205"),
            ("extend bonus.wisp { x }", "R205"),
            ("change night.spring to 3", "R205"),
            ("constant bonus = 3", "R204"),
            ("add step moult after night.spring { x }", "R204"),
            ("change start by 9000000000000000\nchange start by 9000000000000000", "R206"),
        ] {
            let (_, diagnostics) = applied(&[overlay("a", operation)]);
            assert_eq!(diagnostics.iter().map(|found| found.code).collect::<Vec<_>>(), [code], "{operation}");
            assert!(!diagnostics[0].help.is_empty() || code == "R201");
        }
    }

    #[test]
    fn no_overlay_nests_without_end() {
        let (printed, diagnostics) = applied(&[overlay("a", &"change start by players\n".repeat(100))]);
        assert!(diagnostics.iter().all(|found| found.code == "P005") && diagnostics.len() > 50);
        assert!(printed.contains("players"));
    }

    #[test]
    fn no_operation_makes_it_panic() {
        let words = [
            "change",
            "replace",
            "remove",
            "add",
            "extend",
            "to",
            "by",
            "after",
            "before",
            "bonus",
            "bonus.wolf",
            "width.1",
            "start",
            "side",
            "rounds",
            "worked(y)",
            "night.buy",
            "night.buy.cost",
            "night.buy.needs.bite",
            "night.spring.take",
            "player",
            "{ a: 1, 2: b }",
            "{ }",
            "=",
            ":",
            "+",
            "-",
            "1",
            "\"t\"",
            ",",
            "x",
            "default",
            "option",
            "needs",
            "constant",
            "(y)",
        ];
        let mut state: u64 = 11;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % below
        };
        for _ in 0..600 {
            let mut text = String::new();
            for _ in 0..4 {
                text.push_str(words[next(5)]);
                for _ in 0..next(7) {
                    text.push(' ');
                    text.push_str(words[next(words.len())]);
                }
                text.push_str(";\n");
            }
            applied(&[overlay("a", &text), overlay("b", &text)]);
        }
    }

    #[test]
    fn variants_are_taken_out_of_a_file() {
        let mut block =
            rules("constant x = 1\nvariant rich \"more\" { change x by +1 }\nvariant richer \"most\" over rich, other { change x to 9 }");
        let variants = take_variants(&mut block);
        assert_eq!(block.statements.len(), 1);
        assert_eq!(variants.iter().map(|variant| variant.name.as_str()).collect::<Vec<_>>(), ["rich", "richer"]);
        assert_eq!(variants[1].over, ["rich", "other"]);
        let mut diagnostics = Vec::new();
        assert_eq!(print(&apply_overlays(block, &variants, &mut diagnostics)), "constant x = 9\n");
        assert_eq!(diagnostics, []);
    }
}
