//! The parts of a node of the syntax tree: made from the definition of its type, so that nobody lists them by hand.

use super::super::address::{Addressed, List, Value};
pub(super) use super::super::build::read::{FromParts, FromRule};
pub(super) use super::super::build::{Outcome, Parts};
pub(super) use super::super::grammar::Rule;
use super::{AssignOp, BinaryOp, Block, Cost, Expr, Fold, Name, PlayerCount, StepWhen, Whose};
use crate::source::Span;

/// Something in the syntax tree.
pub(crate) trait Node {
    /// Calls `visit` for what lies right in it, in the order of the type's fields.
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>));
}

/// What a field of a node holds.
#[cfg_attr(not(test), expect(dead_code, reason = "addresses end at expressions and spans; only tests look into these"))]
pub(crate) enum Part<'t> {
    /// Something that has no address of its own: what lies in it lies in the node.
    Node(&'t mut dyn Node),
    /// An expression; nothing in it has an address.
    Expr(&'t mut Expr),
    /// Things that have addresses.
    List(&'t mut dyn List),
    /// A value that `change` means, by the name behind the node's address; the node's main value has none.
    Value(&'static str, Value<'t>),
    /// The main value, of which the entries have addresses if it is a table.
    Table(&'t mut Expr),
    /// Where it stands.
    Span(&'t mut Span),
}

impl<'t> Part<'t> {
    /// A value, if there is one.
    pub fn value(name: &'static str, value: &'t mut impl Changed) -> Option<Part<'t>> {
        value.value().map(|value| Part::Value(name, value))
    }

    /// The main value, said or not.
    pub fn maybe(value: &'t mut Option<Expr>) -> Part<'t> {
        Part::Value("", Value::Maybe(value))
    }
}

/// What `change` can write.
pub(crate) trait Changed {
    /// How it is written, if it is there.
    fn value(&mut self) -> Option<Value<'_>>;
}

macro_rules! changed {
    ($($ty:ty: $value:expr),* $(,)?) => {
        $(impl Changed for $ty {
            fn value(&mut self) -> Option<Value<'_>> {
                let value: fn(&mut $ty) -> Option<Value<'_>> = $value;
                value(self)
            }
        })*
    };
}

changed! {
    Expr: |value| Some(Value::Expr(value)),
    Option<Expr>: |value| value.as_mut().map(Value::Expr),
    Option<StepWhen>: |when| Some(Value::When(when)),
    Cost: |cost| Some(Value::Cost(cost)),
    Vec<Name>: |default| Some(Value::Default(default)),
    PlayerCount: |count| Some(Value::Range(count)),
}

/// Defines types of the syntax tree: what is a [`Node`], and how it is made of the pairs of the grammar.
///
/// What can be addressed in a node is said behind the type of its field:
///
/// * `as list`: names that have addresses, as the items of every [`Block`] have.
/// * `as value`: what `change` means by the address of the node.
/// * `as table`: the same, and each entry of it has an address if it is a table.
/// * `as maybe`: the same, also where it has not been said.
/// * `as "limit"`: what `change` means by the address of the node and this name.
/// * `as HIDDEN`: whether this word of the grammar stands in the node.
///
/// `= gain` behind a variant is the rule of the grammar of which it is made: its fields are the parts of the rule, in that order, each
/// read by its type. So is a struct with `= parts`. Without it, the node is made by hand.
macro_rules! tree {
    ($($(#[$about:meta])* pub $sort:ident $name:ident $(= $made:ident)? { $($body:tt)* })*) => {
        $(tree! { @$sort $(#[$about])* $name [$($made)?] { $($body)* } })*
    };
    (@struct $(#[$about:meta])* $name:ident $made:tt { $($(#[$doc:meta])* pub $field:ident: $ty:ty $(as $role:tt)?),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[$doc])* pub $field: $ty),* }

        impl Node for $name {
            fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
                let $name { $($field),* } = self;
                $(tree! { @part visit $field $($role)? })*
            }
        }

        tree! { @made $made $name { $($field [$($role)?]),* } }
    };
    (@enum $(#[$about:meta])* $name:ident [] { $(
        $(#[$doc:meta])* $variant:ident
        $({ $($field:ident: $ty:ty $(as $role:tt)?),* $(,)? })?
        $(($only:ty $(as $only_role:tt)?))?
        $(= $($rule:ident)|+)?
    ),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name { $($(#[$doc])* $variant $({ $($field: $ty),* })? $(($only))?),* }

        impl Node for $name {
            fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
                match self {
                    $($name::$variant $({ $($field),* })? $((tree!(@named only $only)))? => {
                        let _ = &visit;
                        $($(tree! { @part visit $field $($role)? })*)?
                        $(tree! { @only visit only $only, $($only_role)? })?
                    })*
                }
            }
        }

        impl FromRule for $name {
            fn from_rule(parts: &mut Parts<'_, '_, '_>) -> Outcome<Option<$name>> {
                let rule = parts.rule();
                $(tree! { @variant rule parts $name $variant [$($($rule)|+)?] $({ $($field [$($role)?]),* })? $(([$($only_role)?]))? })*
                let _ = rule;
                Ok(None)
            }
        }
    };
    (@named $name:ident $ty:ty) => { $name };
    (@only $visit:ident $only:ident $ty:ty, $($role:tt)?) => { tree! { @part $visit $only $($role)? } };

    (@part $visit:ident $field:ident) => { $visit(Part::Node($field)); };
    (@part $visit:ident $field:ident list) => { $visit(Part::List($field)); };
    (@part $visit:ident $field:ident table) => { $visit(Part::Table($field)); };
    (@part $visit:ident $field:ident maybe) => { $visit(Part::maybe($field)); };
    (@part $visit:ident $field:ident value) => { tree! { @part $visit $field "" } };
    (@part $visit:ident $field:ident $name:literal) => { Part::value($name, $field).into_iter().for_each(&mut *$visit); };
    (@part $visit:ident $field:ident $word:ident) => { $visit(Part::Node($field)); };

    (@made [] $($rest:tt)*) => {};
    (@made [parts] $name:ident { $($field:ident [$($role:tt)?]),* }) => {
        impl FromParts for $name {
            fn from_parts(parts: &mut Parts<'_, '_, '_>) -> Outcome<$name> {
                Ok($name { $($field: tree!(@read parts $($role)?)),* })
            }
        }
    };
    (@variant $of:ident $parts:ident $name:ident $variant:ident [] $($rest:tt)*) => {};
    (@variant $of:ident $parts:ident $name:ident $variant:ident [$($rule:ident)|+] $({ $($field:ident [$($role:tt)?]),* })?) => {
        if let $(Rule::$rule)|+ = $of {
            return Ok(Some($name::$variant $({ $($field: tree!(@read $parts $($role)?)),* })?));
        }
    };
    (@variant $of:ident $parts:ident $name:ident $variant:ident [$($rule:ident)|+] ([$($role:tt)?])) => {
        if let $(Rule::$rule)|+ = $of {
            return Ok(Some($name::$variant(tree!(@read $parts $($role)?))));
        }
    };
    (@read $parts:ident) => { $parts.read()? };
    (@read $parts:ident list) => { $parts.read()? };
    (@read $parts:ident table) => { $parts.read()? };
    (@read $parts:ident maybe) => { $parts.read()? };
    (@read $parts:ident value) => { $parts.read()? };
    (@read $parts:ident $name:literal) => { $parts.read()? };
    (@read $parts:ident $word:ident) => { $parts.says(Rule::$word) };
}
pub(super) use tree;

macro_rules! leaves {
    ($($ty:ty),* $(,)?) => {
        $(impl Node for $ty {
            fn each_part<'t>(&'t mut self, _: &mut dyn FnMut(Part<'t>)) {}
        })*
    };
}

leaves! { bool, i64, String, AssignOp, BinaryOp, Fold, Whose }

impl Node for Span {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
        visit(Part::Span(self));
    }
}

impl<T: Addressed> Node for Block<T>
where
    Vec<T>: List,
{
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
        let Block { items, broken, span } = self;
        [Part::List(items), Part::Node(broken), Part::Node(span)].into_iter().for_each(visit);
    }
}

impl<T: Node> Node for Box<T> {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
        visit(Part::Node(&mut **self));
    }
}

impl<T: Node> Node for Option<T> {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
        self.iter_mut().for_each(|inner| visit(Part::Node(inner)));
    }
}

impl<T: Node> Node for Vec<T> {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
        self.iter_mut().for_each(|inner| visit(Part::Node(inner)));
    }
}

/// Calls `visit` for every expression and every span of a node and of all that lies in it.
#[cfg(test)]
pub(crate) fn walk(node: &mut dyn Node, visit: &mut dyn FnMut(Leaf<'_>)) {
    node.each_part(&mut |part| match part {
        Part::Node(inner) => walk(inner, visit),
        Part::Expr(expr) | Part::Table(expr) | Part::Value(_, Value::Expr(expr) | Value::Maybe(Some(expr))) => {
            visit(Leaf::Expr(expr));
            visit(Leaf::Span(&mut expr.span));
            walk(&mut expr.kind, visit);
        }
        Part::List(list) => (0..list.len()).for_each(|index| list.get(index).into_iter().for_each(|item| walk(item, visit))),
        Part::Value(_, Value::Maybe(None)) => {}
        Part::Value(_, Value::When(when)) => walk(when, visit),
        Part::Value(_, Value::Cost(cost)) => walk(cost, visit),
        Part::Value(_, Value::Default(names)) => walk(names, visit),
        Part::Value(_, Value::Range(count)) => walk(count, visit),
        Part::Span(span) => visit(Leaf::Span(span)),
    });
}

/// What [`walk`] finds.
#[cfg(test)]
pub(crate) enum Leaf<'l> {
    Expr(&'l Expr),
    Span(&'l mut Span),
}

/// Declarations as if all of them stood at the same place: two are equal now if they say the same.
#[cfg(test)]
pub(crate) fn without_spans(mut declarations: Vec<super::Declaration>) -> Vec<super::Declaration> {
    let nowhere = Span { file: crate::source::FileId(0), start: 0, end: 0 };
    for declaration in &mut declarations {
        walk(declaration, &mut |leaf| {
            if let Leaf::Span(span) = leaf {
                *span = nowhere;
            }
        });
    }
    declarations
}
