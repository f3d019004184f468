//! Defines kinds of cards with their slots and fields, and zones.

use super::super::content::is_key_of_every_card;
use super::super::defs::{DefKind, FieldType, PlaceShape, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, DeclarationKind, FieldKind, Name};
use super::super::typed::KindField;
use super::Collected;
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::node::Type;

impl<'t> Collected<'t> {
    /// Makes the pass over fields of kinds, zones, checks and exchanges, which refer to names of earlier passes.
    #[allow(clippy::wildcard_enum_match_arm, reason = "each pass handles some of the declarations")]
    pub(super) fn define_kinds(&mut self, declaration: &'t ast::Declaration) {
        match &declaration.kind {
            DeclarationKind::Kind { name, fields } => {
                // A duplicate kind has been reported; its fields are ignored.
                let kind = self.rules.kinds.iter().position(|kind| self.rules.defs[kind.def].span == Some(name.span));
                if let Some(kind) = kind {
                    fields.items.iter().for_each(|field| self.define_field(field, kind));
                }
            }
            DeclarationKind::Board { name, parts, .. } => self.define_board_fields(name, parts),
            DeclarationKind::FieldsOf { kinds, fields } => {
                self.rules.defs.add_suspects(&fields.broken);
                for kind in kinds {
                    match self.rules.defs.kind(&kind.text) {
                        Some(index) => fields.items.iter().for_each(|field| self.define_field(field, index as usize)),
                        None => self.report_unknown(kind, "a kind", &[Space::Kind]),
                    }
                }
            }
            DeclarationKind::Zone { name, places } => {
                let inside = places.iter().flat_map(|place| self.places_named(place)).collect();
                self.declare(Space::Value, name, DefKind::Zone(inside));
            }
            DeclarationKind::Always(checks) => self.collect_checks(checks),
            DeclarationKind::Exchange { count, tokens, one, symbols } => self.define_exchange(count, tokens, one, symbols),
            _ => {}
        }
    }

    pub(super) fn define_field(&mut self, field: &'t ast::Field, kind: usize) {
        match &field.kind {
            FieldKind::Slot { place } => {
                let found = self.rules.defs.find(Space::Value, &place.text);
                match found.map(|id| (id, self.rules.defs[id].kind.clone())) {
                    Some((_, DefKind::Place { shape: PlaceShape::Board, .. })) => {
                        self.diagnostics.push(RuleProblem::SpacesAreNoCards { board: place.text.clone() }.at(place.span));
                    }
                    Some((id, DefKind::Place { index, .. })) => {
                        self.rules.kinds[kind].slot = Some(id);
                        self.rules.places[index as usize].kinds |= 1 << kind;
                    }
                    _ => self.report_unknown(place, "a place", &[Space::Value]),
                }
            }
            FieldKind::Field { name, holds, maybe, default } => self.named_field(name, holds, *maybe, default.as_ref(), kind),
        }
    }

    fn named_field(&mut self, name: &Name, holds: &ast::FieldType, maybe: bool, default: Option<&ast::Expr>, kind: usize) {
        if self.rules.defs.find(Space::Counter, &name.text).is_some() || name.text == "kind" {
            self.diagnostics.push(RuleProblem::CounterOfThisName { name: name.text.clone() }.at(name.span));
            return;
        }
        if is_key_of_every_card(&name.text) {
            self.diagnostics.push(RuleProblem::KeyOfEveryCard { name: name.text.clone() }.at(name.span));
            if name.text != "age" {
                self.rules.defs.poison(Space::Field, &name.text, name.span);
                self.rules.defs.add_suspect_names(vec![name.text.clone()]);
            }
            return;
        }
        let Some(field) = self.field_type(holds) else {
            self.rules.defs.poison(Space::Field, &name.text, name.span);
            self.rules.defs.add_suspect_names(vec![name.text.clone()]);
            return;
        };
        let default = match default {
            Some(default) => self.default(name, field, default),
            None => maybe.then_some(0),
        };
        if maybe && let Some(diagnostic) = needless_maybe(name, field, default) {
            self.diagnostics.push(diagnostic);
        }
        let space = field.space();
        let known = self.rules.defs.find_declared(space, &name.text);
        let def = match known.map(|id| &self.rules.defs[id]) {
            // Kinds that declare the same field share one definition.
            Some(one) if one.kind == DefKind::Field(field) => known,
            Some(one) if one.kind != DefKind::Broken => {
                let other = one.span;
                self.diagnostics.push(RuleProblem::FieldDiffers { name: name.text.clone(), other }.at(name.span));
                return;
            }
            _ => self.declare(space, name, DefKind::Field(field)),
        };
        let Some(def) = def else { return };
        let fields = &self.rules.kinds[kind].fields;
        if fields.iter().any(|known| self.rules.defs[known.def].name == name.text) {
            self.diagnostics.push(RuleProblem::DeclaredTwice { what: format!("field `{}`", name.text) }.at(name.span));
            return;
        }
        let of = if let ast::FieldType::Of(names) = holds { names.as_slice() } else { &[] };
        let more = of.iter().skip(1).map(|name| name.text.clone()).collect();
        self.rules.kinds[kind].fields.push(KindField { def, default, extra_words: more });
    }

    fn field_type(&mut self, holds: &ast::FieldType) -> Option<FieldType> {
        match holds {
            ast::FieldType::Number => Some(FieldType::One(Type::Number)),
            ast::FieldType::Numbers => Some(FieldType::List(Type::Number)),
            ast::FieldType::Cards => Some(FieldType::List(Type::Card)),
            ast::FieldType::Of(names) => {
                let (first, more) = names.split_first()?;
                if self.rules.defs.token_kind(&first.text).is_some() {
                    return Some(FieldType::Row(Type::Token));
                }
                if let Some(list) = self.rules.defs.word_list(&first.text) {
                    more.iter()
                        .for_each(|word| self.report_unknown(word, "part of this row, which has a number for each word of its list", &[]));
                    return Some(FieldType::Row(Type::Choice(list)));
                }
                if first.text != "resource" {
                    let defs = &self.rules.defs;
                    let known = defs.names(Space::TokenKind).chain(defs.names(Space::Words)).chain(["resource"]);
                    let what = "`resource`, a kind of token, or a list of words";
                    self.diagnostics.extend(defs.missing(&first.text, first.span, what, known));
                    return None;
                }
                for word in more {
                    if self.rules.defs.find(Space::RowWord, &word.text).is_none() {
                        let index = cast::fit::<u16>(self.rules.defs.names(Space::RowWord).count());
                        self.declare(Space::RowWord, word, DefKind::RowWord(index));
                    }
                }
                Some(FieldType::Row(Type::RowWord))
            }
            ast::FieldType::RowOf(name) if name.text == "resource" => Some(FieldType::List(Type::Resource)),
            ast::FieldType::RowOf(name) => {
                let list = self.rules.defs.word_list(&name.text);
                if list.is_none() {
                    self.report_unknown(name, "`resource`, or a list of words", &[Space::Words]);
                }
                list.map(|list| FieldType::List(Type::Choice(list)))
            }
            ast::FieldType::OneOf(name) if name.text == "resource" => Some(FieldType::One(Type::Resource)),
            ast::FieldType::OneOf(name) => {
                let of_option = || match self.rules.defs.kind_of(Space::Value, &name.text) {
                    Some(DefKind::Option(option)) => Some(option.list),
                    _ => None,
                };
                let list = self.rules.defs.word_list(&name.text).or_else(of_option).map(Type::Choice);
                let found = list.or_else(|| self.spaces_of_board(name));
                if found.is_none() {
                    self.report_unknown(name, "`resource`, an option, a list of words, or a board", &[Space::Value, Space::Words]);
                }
                found.map(FieldType::One)
            }
        }
    }

    fn default(&mut self, name: &Name, field: FieldType, default: &ast::Expr) -> Option<i64> {
        let held = match field {
            FieldType::One(Type::Number) | FieldType::List(Type::Number) | FieldType::Row(_) => {
                let number = default.literal();
                let fits = number.filter(|&number| i32::try_from(number).is_ok());
                if fits.is_none() {
                    let of_card = || format!("a number from {} to {}, which a card can hold", i32::MIN, i32::MAX);
                    let what = number.map_or_else(|| "a number".to_string(), |_| of_card());
                    self.diagnostics.push(RuleProblem::Expected { what, help: None }.at(default.span));
                }
                return fits;
            }
            FieldType::One(Type::Resource) => "a resource",
            FieldType::One(Type::Space(_)) => "a space",
            FieldType::One(_) => "one of several words",
            FieldType::List(Type::Card) => "cards",
            FieldType::List(_) => "words",
        };
        self.diagnostics.push(RuleProblem::NoDefault { name: name.text.clone(), held }.at(default.span));
        None
    }
}

/// Reports a `maybe` that is redundant or not possible for the field.
fn needless_maybe(name: &Name, field: FieldType, default: Option<i64>) -> Option<Diagnostic> {
    let (why, help) = match field {
        FieldType::One(Type::Number) if default == Some(0) => return None,
        FieldType::One(Type::Number) => ("has a default, so a card may leave it out anyway", "leave out `maybe`, or the default"),
        FieldType::One(Type::Space(_)) => {
            ("is a space, and no field of a card is none", "leave out `maybe`, and write the field on each card")
        }
        FieldType::One(_) => ("is a word, and there is no word for none", "leave out `maybe`, and write the field on each card"),
        FieldType::List(_) | FieldType::Row(_) => ("may be left out anyway: it is empty then", "leave out `maybe`"),
    };
    Some(RuleProblem::NeedlessMaybe { name: name.text.clone(), why, help }.at(name.span))
}
