//! What parameters are, found out by their uses: a parameter begins as an open type, and the first use that tells binds it.

use super::problem::Problem;
use crate::cast;
use crate::engine::node::Type;
use crate::source::Span;

/// Types of parameters, as far as uses have told.
#[derive(Clone, Debug, Default)]
pub struct Types {
    /// What each open type has been found to be, and where.
    bound: Vec<Option<(Type, Span)>>,
}

impl Types {
    /// A type that nothing is known of yet.
    pub fn open(&mut self) -> Type {
        self.bound.push(None);
        Type::Open(cast::fit::<u16>(self.bound.len()) - 1)
    }

    /// What is known of a type.
    pub fn known(&self, mut of: Type) -> Type {
        while let Type::Open(open) = of {
            match self.bound[open as usize] {
                Some((found, _)) => of = found,
                None => return of,
            }
        }
        of
    }

    /// The open type at the end of a chain, and where the last one was bound.
    fn last(&self, of: Type) -> Option<(u16, Option<Span>)> {
        let Type::Open(mut open) = of else { return None };
        loop {
            match self.bound[open as usize] {
                Some((Type::Open(next), _)) => open = next,
                Some((_, span)) => return Some((open, Some(span))),
                None => return Some((open, None)),
            }
        }
    }

    /// Where a use told what a type is.
    pub fn told_at(&self, of: Type) -> Option<Span> {
        self.last(of)?.1
    }

    /// Whether a value of one type can stand where one of the wanted types is: open types are bound to the first that is wanted.
    pub fn fits(&mut self, is: Type, wanted: &[Type], span: Span) -> bool {
        let known = self.known(is);
        let wants: Vec<Type> = wanted.iter().map(|&one| self.known(one)).collect();
        if let (Type::Open(open), Some(&first)) = (known, wants.first()) {
            if first != known {
                self.bound[open as usize] = Some((first, span));
            }
            return true;
        }
        if wants.contains(&known) || known == Type::Resource && wants.contains(&Type::RowWord) {
            return true;
        }
        for want in wants {
            if let Type::Open(open) = want {
                self.bound[open as usize] = Some((known, span));
                return true;
            }
        }
        // A word of a row that is used as a resource is one: what else it could have been is ruled out.
        if known == Type::RowWord
            && wanted.iter().any(|&want| self.known(want) == Type::Resource)
            && let Some((open, _)) = self.last(is)
        {
            self.bound[open as usize] = Some((Type::Resource, span));
            return true;
        }
        false
    }

    /// Whether two types are the same, or can be.
    pub fn alike(&mut self, one: Type, other: Type, span: Span) -> bool {
        self.fits(one, &[other], span) || self.fits(other, &[one], span)
    }

    /// What is wrong with a value of another type than what is wanted.
    pub(crate) fn mismatch(&self, is: Type, wanted: &[Type], span: Span) -> Problem {
        let found = self.known(is).words();
        let mut names: Vec<&str> =
            wanted.iter().map(|&want| self.known(want)).filter(|want| *want != Type::Thousandths).map(Type::words).collect();
        names.dedup();
        let is_wanted = |ty: Type| wanted.iter().any(|&want| self.known(want) == ty);
        let ways_out = [
            (Type::Number, Type::Truth, "compare it, such as `… > 0`"),
            (Type::Truth, Type::Number, "make a number of it: `if … then 1 else 0`"),
            (Type::Thousandths, Type::Number, "numbers are whole; only `worth` knows decimals"),
        ];
        let way_out = ways_out.iter().find(|(found, want, _)| self.known(is) == *found && is_wanted(*want)).map(|(.., help)| *help);
        Problem::Mismatch { expected: names.join(" or "), found, way_out, used_at: self.told_at(is).filter(|told| *told != span) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    fn at(start: u32) -> Span {
        Span { file: FileId(0), start, end: start + 1 }
    }

    #[test]
    fn the_first_use_tells_what_a_parameter_is() {
        let mut types = Types::default();
        let param = types.open();
        assert_eq!(types.known(param), param);
        assert!(types.fits(param, &[Type::Card], at(1)));
        assert_eq!((types.known(param), types.told_at(param)), (Type::Card, Some(at(1))));
        assert!(!types.fits(param, &[Type::Number], at(2)), "a second use that differs is a fault");
        let wrong = types.mismatch(param, &[Type::Number, Type::Thousandths], at(2)).at(at(2));
        assert_eq!(wrong.message, "expected a number, found a card");
        assert_eq!(wrong.secondary, [(at(1), "used as a card here".to_string())]);
    }

    #[test]
    fn what_is_handed_on_is_told_by_the_other() {
        let mut types = Types::default();
        let (outer, inner) = (types.open(), types.open());
        assert!(types.fits(outer, &[inner], at(1)));
        assert!(types.fits(inner, &[Type::Kind], at(2)));
        assert_eq!(types.known(outer), Type::Kind);
        assert!(types.fits(outer, &[inner], at(3)), "it is itself");
    }

    #[test]
    fn a_word_of_a_row_may_turn_out_to_be_a_resource() {
        let mut types = Types::default();
        let param = types.open();
        assert!(types.fits(param, &[Type::RowWord], at(1)));
        assert!(types.fits(Type::Resource, &[param], at(2)));
        assert!(types.fits(param, &[Type::Resource], at(3)));
        assert_eq!(types.known(param), Type::Resource);
        assert!(types.fits(param, &[Type::RowWord], at(4)));
        assert!(!types.fits(Type::RowWord, &[Type::Resource], at(5)), "a word that is no parameter stays what it is");
    }
}
