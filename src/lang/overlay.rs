//! Overlays: what an expansion, a pack, a variant or the command line changes in the rules of a game. They are applied
//! to the syntax tree, in order; names are resolved and checked once, afterwards. Every statement keeps the place where
//! it was written.
//!
//! Messages: `R201` unknown address, `R202` two overlays write the same, `R203` an operation that is not one, `R204`
//! declared already, `R205` nothing there that could be changed so, `R206` a number too large.

mod edit;

pub use super::address::all_addresses;
use super::address::{Place, name_of, places_of};
use super::ast::{Block, Op, Statement, Term, TermKind};
use super::cut::DEEPEST_NESTING;
use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

/// How deep overlays may stand in `expansion` blocks.
const DEEPEST: usize = 8;

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
                self.note(address, statement.span);
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

    // -------------------------------------------------------------- who wrote what

    fn note(&mut self, address: String, span: Span) {
        self.writes.push(Write { address, overlay: self.now, span, removed: false });
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
        self.note(address.to_string(), span);
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

#[cfg(test)]
mod tests;
