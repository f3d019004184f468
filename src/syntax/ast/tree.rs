//! Visits the children of syntax nodes that can have addresses. The code is generated from the definitions of the types, so that no list of
//! fields is kept by hand.

pub(super) use super::super::address::ValueSlot;
use super::super::address::{Addressed, List};
pub(super) use super::super::build::read::{FromParts, FromRule};
pub(super) use super::super::build::{BuildResult, Parts};
pub(super) use super::super::grammar::Rule;
use super::{Addition, AssignOp, BinaryOp, Block, Cost, Expr, Fold, Line, Name, Placed, PlayerCount, Side, StepWhen, WhichTeams, Whose};
use crate::source::Span;

/// A node of the syntax tree.
pub(crate) trait Node {
    /// Calls `visit` for each part that has an address, in the order of the fields. Nodes without addresses of their own are gone into.
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>));
}

/// A part of a node, by its role in addresses.
pub(crate) enum NodePart<'t> {
    /// A list of items with addresses.
    List(&'t mut dyn List),
    /// A value that `change` can write, with the name after the node's address; "" for the main value.
    Value(&'static str, ValueSlot<'t>),
    /// The main value; if it is a table, its entries have addresses.
    Table(&'t mut Expr),
}

impl<'t> NodePart<'t> {
    /// Makes a child of a value that `change` can write; `None` if the value is absent.
    pub fn value(name: &'static str, value: &'t mut impl AsValueSlot) -> Option<NodePart<'t>> {
        value.value().map(|value| NodePart::Value(name, value))
    }
}

/// A field that `change` can write.
pub(crate) trait AsValueSlot {
    /// Returns a reference to the value, if it is present.
    fn value(&mut self) -> Option<ValueSlot<'_>>;
}

macro_rules! changed {
    ($($ty:ty: $value:expr),* $(,)?) => {
        $(impl AsValueSlot for $ty {
            fn value(&mut self) -> Option<ValueSlot<'_>> {
                let value: fn(&mut $ty) -> Option<ValueSlot<'_>> = $value;
                value(self)
            }
        })*
    };
}

changed! {
    Expr: |value| Some(ValueSlot::Expr(value)),
    Option<Expr>: |value| value.as_mut().map(ValueSlot::Expr),
    Option<StepWhen>: |when| Some(ValueSlot::When(when)),
    Cost: |cost| Some(ValueSlot::Cost(cost)),
    Vec<Name>: |default| Some(ValueSlot::Default(default)),
    PlayerCount: |count| Some(ValueSlot::Range(count)),
    Option<Name>: |place| place.as_mut().map(ValueSlot::Place),
}

/// Defines types of the syntax tree, with their [`Node`] implementations and how they are built from the pairs of the grammar.
///
/// An annotation after a field's type makes a part of the node addressable:
///
/// * `as list`: names with addresses. Items of a [`Block`] always have addresses.
/// * `as value`: the value that `change` writes for the address of the node.
/// * `as table`: the same; if it is a table, each entry has an address.
/// * `as maybe`: the same, for a value that may be absent.
/// * `as "limit"`: the value that `change` writes for the address of the node followed by this name.
/// * `as HIDDEN`: whether the node contains this keyword of the grammar.
/// * `as (only_if)`: an expression, if the next part is of this rule of the grammar; `as ("states" imagined)` has a name besides.
/// * `as whole`: it is built from all parts of the node.
///
/// `= gain` after a variant names the grammar rule that it is built from: its fields are the parts of the rule, in that order, each parsed
/// by its type. Of variants with the same rule, `@ CAN` marks the one with this keyword. `= parts` does the same for a struct. Without
/// either, the node is built by hand.
macro_rules! tree {
    ($($(#[$about:meta])* pub $sort:ident $name:ident $(= $made:ident)? { $($body:tt)* })*) => {
        $(tree! { @$sort $(#[$about])* $name [$($made)?] { $($body)* } })*
    };
    (@struct $(#[$about:meta])* $name:ident $made:tt { $($(#[$doc:meta])* pub $field:ident: $ty:ty $(as $role:tt)?),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name { $($(#[$doc])* pub $field: $ty),* }

        impl Node for $name {
            fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
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
        $(= $($rule:ident)|+ $(@ $keyword:ident)?)?
    ),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name { $($(#[$doc])* $variant $({ $($field: $ty),* })? $(($only))?),* }

        impl Node for $name {
            fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
                match self {
                    $($name::$variant $({ $($field),* })? $((tree!(@named only $only)))? => {
                        let _ = &visit;
                        $($(tree! { @part visit $field $($role)? })*)?
                        $(tree! { @only visit only $only, $($only_role)? })?
                    })*
                }
            }
        }

        impl $name {
            /// Returns the name of the grammar rule from which the node is built; empty if it is built by hand.
            pub fn rule_name(&self) -> &'static str {
                match self {
                    $($name::$variant { .. } => stringify!($($($rule)|+)?),)*
                }
            }
        }

        impl FromRule for $name {
            fn from_rule(parts: &mut Parts<'_, '_, '_>) -> BuildResult<Option<$name>> {
                let rule = parts.rule();
                $(tree! { @variant rule parts $name $variant
                    [$($($rule)|+ $(@ $keyword)?)?] $({ $($field [$($role)?]),* })? $(([$($only_role)?]))?
                })*
                let _ = rule;
                Ok(None)
            }
        }
    };
    (@named $name:ident $ty:ty) => { $name };
    (@only $visit:ident $only:ident $ty:ty, $($role:tt)?) => { tree! { @part $visit $only $($role)? } };

    (@part $visit:ident $field:ident list) => { $visit(NodePart::List($field)); };
    (@part $visit:ident $field:ident table) => { $visit(NodePart::Table($field)); };
    (@part $visit:ident $field:ident maybe) => { $visit(NodePart::Value("", ValueSlot::Maybe($field))); };
    (@part $visit:ident $field:ident value) => { tree! { @part $visit $field "" } };
    (@part $visit:ident $field:ident $name:literal) => { NodePart::value($name, $field).into_iter().for_each(&mut *$visit); };
    (@part $visit:ident $field:ident ($name:literal $rule:ident)) => { tree! { @part $visit $field $name } };
    (@part $visit:ident $field:ident ($rule:ident)) => { $field.each_part(&mut *$visit); };
    (@part $visit:ident $field:ident $($word:ident)?) => { $field.each_part(&mut *$visit); };

    (@made [] $($rest:tt)*) => {};
    (@made [parts] $name:ident { $($field:ident [$($role:tt)?]),* }) => {
        impl FromParts for $name {
            fn from_parts(parts: &mut Parts<'_, '_, '_>) -> BuildResult<$name> {
                Ok($name { $($field: tree!(@read parts $($role)?)),* })
            }
        }
    };
    (@variant $of:ident $parts:ident $name:ident $variant:ident [] $($rest:tt)*) => {};
    (@variant $of:ident $parts:ident $name:ident $variant:ident
        [$($rule:ident)|+ $(@ $keyword:ident)?] $({ $($field:ident [$($role:tt)?]),* })?
    ) => {
        if let $(Rule::$rule)|+ = $of
            $(&& $parts.has_keyword(Rule::$keyword))?
        {
            return Ok(Some($name::$variant $({ $($field: tree!(@read $parts $($role)?)),* })?));
        }
    };
    (@variant $of:ident $parts:ident $name:ident $variant:ident [$($rule:ident)|+ $(@ $keyword:ident)?] ([$($role:tt)?])) => {
        if let $(Rule::$rule)|+ = $of
            $(&& $parts.has_keyword(Rule::$keyword))?
        {
            return Ok(Some($name::$variant(tree!(@read $parts $($role)?))));
        }
    };
    (@read $parts:ident $(list)? $(table)? $(maybe)? $(value)? $($name:literal)?) => { $parts.read()? };
    (@read $parts:ident whole) => { FromParts::from_parts($parts)? };
    (@read $parts:ident ($($name:literal)? $rule:ident)) => { $parts.maybe_expr(Rule::$rule)? };
    (@read $parts:ident $word:ident) => { $parts.has_keyword(Rule::$word) };
}
pub(super) use tree;

macro_rules! leaves {
    ($($ty:ty),* $(,)?) => {
        $(impl Node for $ty {
            fn each_part<'t>(&'t mut self, _: &mut dyn FnMut(NodePart<'t>)) {}
        })*
    };
}

leaves! { bool, i64, String, Span, Expr, AssignOp, BinaryOp, Fold, Side, WhichTeams, Whose, Block<Addition>, Block<Line> }

impl<K: Node> Node for Placed<K> {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
        self.kind.each_part(visit);
    }
}

impl<T: Addressed> Node for Block<T>
where
    Vec<T>: List,
{
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
        visit(NodePart::List(&mut self.items));
    }
}

impl<T: Node> Node for Box<T> {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
        (**self).each_part(visit);
    }
}

impl<T: Node> Node for Option<T> {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
        self.iter_mut().for_each(|inner| inner.each_part(visit));
    }
}

impl<T: Node> Node for Vec<T> {
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
        self.iter_mut().for_each(|inner| inner.each_part(visit));
    }
}
