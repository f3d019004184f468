//! The address of a rule: the dotted name by which overlays, messages and scenarios refer to it: `night.meal`, `day.fetch.needs.fame`,
//! `bonus.2`.
//!
//! Everything with an address is an item of a `List`. An item without a name of its own (a statement, `each round { … }`) adds nothing to
//! the addresses of its children: they continue that of its parent. If several items have the same address, the second gets the suffix
//! `#2`, and so on.

mod items;

use std::collections::BTreeMap;

use super::ast::tree::{Node, NodePart};
use super::ast::{Addition, Cost, Declaration, DeclarationKind, Expr, ExprKind, Name, PlayerCount, Replacement, Rules, StepWhen};
use crate::source::Span;

/// A node of the syntax tree that can have an address.
pub(super) trait Addressed: Node {
    /// Returns where the node is written.
    fn span(&self) -> Span;
    /// Returns the last part of the node's address; `None` if it has no name of its own.
    fn own_name(&self) -> Option<String>;
    /// Replaces everything after the node's name, if the replacement fits this sort of node.
    fn replace(&mut self, _with: Replacement) -> Option<()> {
        None
    }
}

impl dyn Addressed + '_ {
    /// Returns the lists directly inside the node, not those of their items. Additions go to the first.
    pub(super) fn lists(&mut self) -> Vec<&mut dyn List> {
        let mut lists = Vec::new();
        self.each_part(&mut |part| match part {
            NodePart::List(list) => lists.push(list),
            NodePart::Table(Expr { kind, .. }) => {
                if let ExprKind::By { entries, .. } = &mut **kind {
                    lists.push(&mut entries.items);
                }
            }
            NodePart::Value(..) => {}
        });
        lists
    }

    /// Returns the node's values that `change` can write, each with the last part of its address; the main value has the name "".
    pub(super) fn values(&mut self) -> Vec<(&'static str, ValueSlot<'_>)> {
        let mut values = Vec::new();
        self.each_part(&mut |part| match part {
            NodePart::Value(name, value) => values.push((name, value)),
            NodePart::Table(value) => values.push(("", ValueSlot::Expr(value))),
            NodePart::List(_) => {}
        });
        values
    }

    /// Returns the value of the node to which an address leads; the main value if the address is that of the node itself.
    pub(super) fn value(&mut self, place: &AddressTarget) -> Option<ValueSlot<'_>> {
        let name = place.value.unwrap_or("");
        self.values().into_iter().find(|value| value.0 == name).map(|value| value.1)
    }
}

/// A list of items with addresses, all of one type.
pub(super) trait List {
    /// Returns the number of items.
    fn len(&self) -> usize;
    /// Returns an item by its index.
    fn get(&mut self, index: usize) -> Option<&mut dyn Addressed>;
    /// Removes an item.
    fn remove(&mut self, index: usize);
    /// Inserts an item, if it is of the type of the list.
    fn insert(&mut self, index: usize, what: Addition) -> Option<()>;
}

/// A mutable reference to a value that `change` can write.
pub(super) enum ValueSlot<'v> {
    Expr(&'v mut Expr),
    Maybe(&'v mut Option<Expr>),
    /// The condition of a step, which may be absent.
    When(&'v mut Option<StepWhen>),
    Cost(&'v mut Cost),
    /// The default choices of an option.
    Default(&'v mut Vec<Name>),
    Range(&'v mut PlayerCount),
    /// The name of a place.
    Place(&'v mut Name),
}

impl<T: Addressed> List for Vec<T>
where
    Option<T>: From<Addition>,
{
    fn len(&self) -> usize {
        self.len()
    }

    fn get(&mut self, index: usize) -> Option<&mut dyn Addressed> {
        self.get_mut(index).map(|item| item as &mut dyn Addressed)
    }

    fn remove(&mut self, index: usize) {
        if index < self.len() {
            self.remove(index);
        }
    }

    fn insert(&mut self, index: usize, what: Addition) -> Option<()> {
        self.insert(index.min(self.len()), Option::<T>::from(what)?);
        Some(())
    }
}

/// A place in the syntax tree that an address refers to: an item, or a value of an item.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AddressTarget {
    pub address: String,
    pub span: Span,
    /// Pairs of the index of a list and the index of an item in it, from the outermost level down.
    pub path: Vec<(usize, usize)>,
    /// The name of a value of the item; `None` if the address is that of the item itself.
    pub value: Option<&'static str>,
}

/// Returns all addresses in some rules without duplicates, each with its place, in source order.
pub fn all_addresses(rules: &mut Rules) -> Vec<(String, Span)> {
    places_of(&mut rules.declarations).into_iter().map(|place| (place.address, place.span)).collect()
}

/// What stands at an address, as far as `change` can write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressValue {
    /// A whole number.
    Number(i64),
    /// A table of values, each with an address of its own.
    Table,
    /// Another value: a range, a word, or something that is worked out.
    Other,
    /// No value: a step, an action.
    Nothing,
}

/// Returns what stands at an address; `None` if no rule has this address.
pub fn value_at(rules: &mut Rules, address: &str) -> Option<AddressValue> {
    let place = place_at(&mut rules.declarations, address)?;
    Some(match item_at(&mut rules.declarations, &place.path)?.value(&place) {
        None => AddressValue::Nothing,
        Some(ValueSlot::Expr(value) | ValueSlot::Maybe(Some(value)) | ValueSlot::Cost(Cost { amount: value, .. })) => match &*value.kind {
            ExprKind::By { .. } => AddressValue::Table,
            _ => value.literal().map_or(AddressValue::Other, AddressValue::Number),
        },
        Some(_) => AddressValue::Other,
    })
}

/// Finds declarations with a name that is also the address of something else, such as a phase `game` beside `game wisps`. Returns the
/// address, the place of the declaration, and the place of the other one. Two values of one name are reported when names are declared.
pub fn clashes(rules: &Rules) -> Vec<(String, Span, Span)> {
    use DeclarationKind::{Changeable, Constant, Define, Effect, Option, Phase, Stat, Tokens, Track};
    let sort = |kind: &DeclarationKind| match kind {
        Phase { .. } => 0,
        Option(_) | Constant { .. } | Tokens { .. } | Define { .. } | Changeable { .. } | Stat { .. } | Effect { .. } | Track { .. } => 1,
        _ => 2,
    };
    let mut known: BTreeMap<String, (u8, Span)> = BTreeMap::new();
    let mut found = Vec::new();
    for declaration in &rules.declarations {
        let (Some(address), sort) = (declaration.own_name(), sort(&declaration.kind)) else { continue };
        match known.get(&address) {
            // Built-in addresses are not at fault.
            Some(&(other, place)) if other != sort => {
                let (name, fixed) = if sort < other { (declaration.span, place) } else { (place, declaration.span) };
                found.push((address, name, fixed));
            }
            Some(_) => {}
            None => _ = known.insert(address, (sort, declaration.span)),
        }
    }
    found
}

/// Returns all addresses with the places that they refer to.
pub(super) fn places_of(declarations: &mut Vec<Declaration>) -> Vec<AddressTarget> {
    let mut walk = AddressWalker::default();
    walk.list("", 0, declarations);
    walk.places
}

/// Returns what an address refers to.
pub(super) fn place_at(declarations: &mut Vec<Declaration>, address: &str) -> Option<AddressTarget> {
    places_towards(declarations, address).into_iter().find(|place| place.address == address)
}

/// Returns the addresses of the items around an address, of what it refers to, and of some beside it.
pub(super) fn places_towards(declarations: &mut Vec<Declaration>, address: &str) -> Vec<AddressTarget> {
    let mut walk = AddressWalker { towards: Some(address), ..AddressWalker::default() };
    walk.list("", 0, declarations);
    walk.places
}

/// Returns the addresses that an item and its contents would have below the address `parent`, the item first.
pub(super) fn places_in(parent: &str, item: &mut dyn Addressed) -> Vec<AddressTarget> {
    let mut walk = AddressWalker::default();
    walk.item(parent, item);
    walk.places
}

/// Returns the item at a path.
#[allow(clippy::ptr_arg)] // A list of declarations is a `List`, a slice is not.
pub(super) fn item_at<'r>(declarations: &'r mut Vec<Declaration>, path: &[(usize, usize)]) -> Option<&'r mut dyn Addressed> {
    let (&(_, first), rest) = path.split_first()?;
    let mut item: &'r mut dyn Addressed = declarations.get_mut(first)?;
    for &(list, index) in rest {
        item = item.lists().into_iter().nth(list)?.get(index)?;
    }
    Some(item)
}

/// Returns the list that contains the item at a path, and its index there.
pub(super) fn list_at<'r>(declarations: &'r mut Vec<Declaration>, path: &[(usize, usize)]) -> Option<(&'r mut dyn List, usize)> {
    let (&(list, index), outer) = path.split_last()?;
    if outer.is_empty() {
        return Some((declarations, index));
    }
    Some((item_at(declarations, outer)?.lists().into_iter().nth(list)?, index))
}

/// Joins two addresses with a dot, unless the first is empty.
pub(super) fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_string() } else { format!("{parent}.{name}") }
}

/// Turns a quoted text into one word: lower case, with `_` for everything that is neither letter nor digit.
pub(super) fn slug(text: &str) -> String {
    text.to_lowercase().chars().map(|character| if character.is_alphanumeric() { character } else { '_' }).collect()
}

#[derive(Default)]
struct AddressWalker<'a> {
    /// The address outside of which nothing is visited.
    towards: Option<&'a str>,
    /// How often each address has been assigned.
    taken: BTreeMap<String, usize>,
    path: Vec<(usize, usize)>,
    places: Vec<AddressTarget>,
}

impl AddressWalker<'_> {
    fn list(&mut self, parent: &str, which: usize, list: &mut dyn List) {
        for index in 0..list.len() {
            if let Some(item) = list.get(index) {
                self.path.push((which, index));
                self.item(parent, item);
                self.path.pop();
            }
        }
    }

    fn item(&mut self, parent: &str, item: &mut dyn Addressed) {
        let span = item.span();
        let name = item.own_name();
        if name.as_deref().is_some_and(|name| !self.leads_on(parent, name)) {
            return;
        }
        let own = name.map(|name| self.give(join(parent, &name), span, None));
        let address = own.as_deref().unwrap_or(parent);
        for (name, _) in item.values().into_iter().filter(|(name, _)| !name.is_empty() && own.is_some()) {
            self.give(join(address, name), span, Some(name));
        }
        for (which, list) in item.lists().into_iter().enumerate() {
            self.list(address, which, list);
        }
    }

    /// Whether an item with this name lies at the wanted address, or around it; a number after `#` tells those of one name apart.
    fn leads_on(&self, parent: &str, name: &str) -> bool {
        let Some(wanted) = self.towards else { return true };
        let below = if parent.is_empty() { Some(wanted) } else { wanted.strip_prefix(parent).and_then(|rest| rest.strip_prefix('.')) };
        below.and_then(|below| below.strip_prefix(name)).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '#']))
    }

    fn give(&mut self, address: String, span: Span, value: Option<&'static str>) -> String {
        let count = self.taken.entry(address.clone()).or_default();
        *count += 1;
        let address = if *count == 1 { address } else { format!("{address}#{count}") };
        self.places.push(AddressTarget { address: address.clone(), span, path: self.path.clone(), value });
        address
    }
}
