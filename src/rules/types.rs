//! Type inference for parameters: a parameter starts as a type variable, and its first use with a definite type binds it.

use super::problem::RuleProblem;
use crate::cast;
use crate::engine::node::Type;
use crate::source::Span;

/// The type variables of all parameters, which stand for types not known yet.
#[derive(Clone, Debug, Default)]
pub struct TypeVars {
    /// For each variable, its type and the use that determined it, once known.
    bound: Vec<Option<(Type, Span)>>,
}

impl TypeVars {
    /// Creates a new type variable.
    pub fn fresh(&mut self) -> Type {
        self.bound.push(None);
        Type::Open(cast::fit::<u16>(self.bound.len()) - 1)
    }

    /// Resolves type variables in a type, as far as they are bound.
    pub fn resolve(&self, of: Type) -> Type {
        self.root(of).map_or(of, |(open, bound)| bound.map_or(Type::Open(open), |(found, _)| found))
    }

    /// Returns the last variable in a chain of bindings, with its type and the use that bound it.
    fn root(&self, of: Type) -> Option<(u16, Option<(Type, Span)>)> {
        let Type::Open(mut open) = of else { return None };
        while let Some((Type::Open(next), _)) = self.bound[open as usize] {
            open = next;
        }
        Some((open, self.bound[open as usize]))
    }

    /// Returns the use that determined the type of a variable.
    pub fn bound_at(&self, of: Type) -> Option<Span> {
        self.root(of)?.1.map(|(_, span)| span)
    }

    /// Whether a value of type `is` is accepted where one of the wanted types is. A type variable is bound to the first wanted type.
    pub fn fits(&mut self, is: Type, wanted: &[Type], span: Span) -> bool {
        let known = self.resolve(is);
        let wants: Vec<Type> = wanted.iter().map(|&one| self.resolve(one)).collect();
        if let (Type::Open(open), Some(&first)) = (known, wants.first()) {
            if first != known {
                self.bound[open as usize] = Some((first, span));
            }
            return true;
        }
        if wants.contains(&known) || known == Type::Resource && wants.contains(&Type::RowWord) {
            return true;
        }
        // A space is accepted where any card is.
        if matches!(known, Type::Space(_)) && wants.contains(&Type::Card) {
            return true;
        }
        if let Some(open) = wants.iter().find_map(|want| if let Type::Open(open) = want { Some(*open) } else { None }) {
            self.bound[open as usize] = Some((known, span));
            return true;
        }
        // A row word that is used as a resource must be one.
        if let Some((open, _)) = self.root(is).filter(|_| known == Type::RowWord && wants.contains(&Type::Resource)) {
            self.bound[open as usize] = Some((Type::Resource, span));
            return true;
        }
        false
    }

    /// Unifies two types; returns whether that is possible.
    pub fn unify(&mut self, one: Type, other: Type, span: Span) -> bool {
        self.fits(one, &[other], span) || self.fits(other, &[one], span)
    }

    /// Builds the problem with a value of type `is` where one of the wanted types is needed.
    pub(crate) fn mismatch(&self, is: Type, wanted: &[Type], span: Span) -> RuleProblem {
        let used_at = self.bound_at(is).filter(|told| *told != span);
        let (found, wants) = (self.resolve(is), wanted.iter().map(|&want| self.resolve(want)).collect::<Vec<Type>>());
        let mut names: Vec<&str> = wants.iter().filter(|want| **want != Type::Thousandths).map(|want| want.words()).collect();
        names.dedup();
        let is = |ty: Type, want: Type| found == ty && wants.contains(&want);
        let is_word_for = |want: Type| matches!(found, Type::Choice(_)) && wants.contains(&want);
        let of_boards = matches!(found, Type::Space(_)) && wants.iter().any(|want| matches!(want, Type::Space(_)));
        let ways_out = [
            (is(Type::Number, Type::Truth), "compare it, such as `… > 0`"),
            (is(Type::Truth, Type::Number), "make a number of it: `if … then 1 else 0`"),
            (is(Type::Thousandths, Type::Number), "numbers are whole; only `worth` knows decimals"),
            (
                is(Type::Number, Type::Resource),
                "name the resource, or a name that goes through resources: `each NAME in RESOURCE, RESOURCE`",
            ),
            (is_word_for(Type::Resource), "these are words of the game, of which nobody has any: keep a tally by them"),
            (
                is_word_for(Type::Symbol),
                "words and symbols are two things, also where both have the same name: what tokens show is gone through by `for s in symbols`",
            ),
            (of_boards, "these are spaces of two boards"),
        ];
        let way_out = ways_out.into_iter().find(|(fits, _)| *fits).map(|(_, help)| help);
        RuleProblem::Mismatch { expected: names.join(" or "), found: found.words(), way_out, used_at }
    }
}
