//! What overlays do to the tree: statements are put in, values set or added to, entries of tables parted, changed and taken out.

use super::{Applied, Rules, gone, malformed};
use crate::diagnostic::Diagnostic;
use crate::lang::address::{Entry, EntryPlace, Place, entries_of, join, name_of, places_of, value_of};
use crate::lang::ast::{Block, Op, Statement, Term, TermKind};
use crate::source::Span;

/// Statements of which a place may have several of the same address.
const REPEATED: [&str; 5] = ["cost", "does", "moment", "order", "when"];

impl Rules<'_> {
    // -------------------------------------------------------------- adding statements

    /// Puts a statement into the block at `path`, so that it is its `index`th.
    pub(super) fn insert(&mut self, path: &[(usize, usize)], index: usize, parent: &str, new: Statement, span: Span) -> Applied {
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
        self.note(address.unwrap_or_else(|| join(parent, "*")), span);
        Ok(())
    }

    /// Appends statements to the block of what stands at a place, or entries to its table.
    pub(super) fn append(&mut self, place: &Place, new: Vec<Statement>, address_span: Span, span: Span) -> Applied {
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

    pub(super) fn insert_entry(&mut self, place: &Place, at: EntryPlace, index: usize, terms: &[Term], span: Span) -> Applied {
        let new = entries_of(terms);
        if new.is_empty() {
            return Err(malformed(span, "an entry of a table is written `KEY: VALUE`"));
        }
        let line = self.line_mut(place, at).ok_or_else(|| gone(span))?;
        let mut entries = entries_of(&line.terms);
        let index = index.min(entries.len());
        entries.splice(index..index, new);
        line.terms = terms_of(entries, line.span);
        self.note(join(&place.address, "*"), span);
        Ok(())
    }

    // -------------------------------------------------------------- values

    pub(super) fn set_value(&mut self, place: &Place, value: &[Term], span: Span) -> Applied {
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

    pub(super) fn add_value(&mut self, place: &Place, op: Op, amount: &[Term], span: Span) -> Applied {
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
    pub(super) fn change_entry(
        &mut self,
        place: &Place,
        at: EntryPlace,
        span: Span,
        new: impl FnOnce(&[Term]) -> Option<Vec<Term>>,
    ) -> Applied {
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

    // -------------------------------------------------------------- places in the tree

    pub(super) fn statements_mut(&mut self, path: &[(usize, usize)]) -> Option<&mut Vec<Statement>> {
        let mut statements = &mut self.block.statements;
        for (statement, term) in path {
            match &mut statements.get_mut(*statement)?.terms.get_mut(*term)?.kind {
                TermKind::Block(block) => statements = &mut block.statements,
                _ => return None,
            }
        }
        Some(statements)
    }

    pub(super) fn statement_mut(&mut self, place: &Place) -> Option<&mut Statement> {
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

fn last_block(statement: &Statement) -> Option<usize> {
    statement.terms.iter().rposition(|term| term.block().is_some())
}

fn is_table(block: &Block) -> bool {
    !block.statements.is_empty() && block.statements.iter().all(|line| !entries_of(&line.terms).is_empty())
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
