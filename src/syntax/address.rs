//! The address of a rule: the dotted name by which overlays, messages and scenarios refer to it: `night.meal`, `day.fetch.needs.fame`,
//! `bonus.2`.
//!
//! Everything that has an address lies in a `List`. What has no name of its own (a statement, `each round { … }`) lets the address
//! of what it lies in through to what lies in it. The second of several with the same address gets `#2`, and so on.
// What does not fit is handed back as it is; boxing it would only move the cost to what fits.
#![allow(clippy::result_large_err)]

mod items;

use std::collections::BTreeMap;

use super::ast::tree::{Node, Part};
use super::ast::{Addition, Cost, Declaration, DeclarationKind, Expr, ExprKind, Name, PlayerCount, Replacement, Rules, StepWhen};
use crate::source::Span;

/// Something that can have an address.
pub(super) trait Addressed: Node {
    /// Where it stands.
    fn span(&self) -> Span;
    /// The last part of its address; none if it has no name of its own.
    fn own_name(&self) -> Option<String>;
    /// Replaces everything behind its name; what does not fit is handed back.
    fn replace(&mut self, with: Replacement) -> Result<(), Replacement> {
        Err(with)
    }
}

impl dyn Addressed + '_ {
    /// The lists in it, without those of their items. What is added goes to the first.
    pub(super) fn lists(&mut self) -> Vec<&mut dyn List> {
        let mut lists = Vec::new();
        each_own_part(self, &mut |part| match part {
            Part::List(list) => lists.push(list),
            Part::Table(Expr { kind, .. }) => {
                if let ExprKind::By { entries, .. } = &mut **kind {
                    lists.push(&mut entries.items);
                }
            }
            Part::Node(_) | Part::Expr(_) | Part::Value(..) | Part::Span(_) => {}
        });
        lists
    }

    /// Its values that `change` can write, by their names; the main value has the name "".
    pub(super) fn values(&mut self) -> Vec<(&'static str, Value<'_>)> {
        let mut values = Vec::new();
        each_own_part(self, &mut |part| match part {
            Part::Value(name, value) => values.push((name, value)),
            Part::Table(value) => values.push(("", Value::Expr(value))),
            Part::Node(_) | Part::Expr(_) | Part::List(_) | Part::Span(_) => {}
        });
        values
    }
}

/// Calls `visit` for the parts of a node, and for those of each inner node that has no address of its own.
fn each_own_part<'t>(node: &'t mut dyn Node, visit: &mut dyn FnMut(Part<'t>)) {
    node.each_part(&mut |part| match part {
        Part::Node(inner) => each_own_part(inner, visit),
        part => visit(part),
    });
}

/// Things of one sort, one after another.
pub(super) trait List {
    /// How many.
    fn len(&self) -> usize;
    /// One of them.
    fn get(&mut self, index: usize) -> Option<&mut dyn Addressed>;
    /// Takes one out.
    fn remove(&mut self, index: usize);
    /// Puts one in, if it is of this sort.
    fn insert(&mut self, index: usize, what: Addition) -> Result<(), Addition>;
}

/// A value that can be changed.
pub(super) enum Value<'v> {
    Expr(&'v mut Expr),
    Maybe(&'v mut Option<Expr>),
    /// The condition of a step, which may have none.
    When(&'v mut Option<StepWhen>),
    Cost(&'v mut Cost),
    /// The choices of an option that are taken if nobody says.
    Default(&'v mut Vec<Name>),
    Range(&'v mut PlayerCount),
}

impl<T: Addressed + TryFrom<Addition, Error = Addition>> List for Vec<T> {
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

    fn insert(&mut self, index: usize, what: Addition) -> Result<(), Addition> {
        let item = T::try_from(what)?;
        let index = index.min(self.len());
        self.insert(index, item);
        Ok(())
    }
}

/// Where an address leads.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    pub address: String,
    pub span: Span,
    /// Which list and which item of it, from the outermost level down.
    pub path: Vec<(usize, usize)>,
    /// Which of the item's values, if it is one with a name.
    pub value: Option<&'static str>,
}

/// All addresses of some rules, each once, with the places they stand for, in the order of the text.
pub fn all_addresses(rules: &mut Rules) -> Vec<(String, Span)> {
    places_of(&mut rules.declarations).into_iter().map(|place| (place.address, place.span)).collect()
}

/// Declarations of which a name is the address of something else that is declared: a phase `game` beside `game wisps`. Given are the
/// address, where the name is declared, and where the other stands. Two things of one name that both could be meant by it in a value are
/// told where names are declared.
pub fn clashes(rules: &Rules) -> Vec<(String, Span, Span)> {
    use DeclarationKind::{Changeable, Constant, Define, Effect, Option, Phase, Stat, Tokens, Track};
    let is_value = |kind: &DeclarationKind| {
        matches!(
            kind,
            Option(_) | Constant { .. } | Tokens { .. } | Define { .. } | Changeable { .. } | Stat { .. } | Effect { .. } | Track { .. }
        )
    };
    let sort = |kind: &DeclarationKind| if matches!(kind, Phase { .. }) { 0 } else { 2 - u8::from(is_value(kind)) };
    let mut known: BTreeMap<String, (u8, Span)> = BTreeMap::new();
    let mut found = Vec::new();
    for declaration in &rules.declarations {
        let (Some(address), sort) = (declaration.own_name(), sort(&declaration.kind)) else { continue };
        match known.get(&address) {
            // The name is to blame, not what every game has.
            Some(&(other, place)) if other != sort => {
                let (name, fixed) = if sort < other { (declaration.span, place) } else { (place, declaration.span) };
                found.push((address, name, fixed));
            }
            Some(_) => {}
            None => {
                known.insert(address, (sort, declaration.span));
            }
        }
    }
    found
}

/// All addresses with where they lead.
pub(super) fn places_of(declarations: &mut Vec<Declaration>) -> Vec<Place> {
    let mut walk = Walk { taken: BTreeMap::new(), path: Vec::new(), places: Vec::new() };
    walk.list("", 0, declarations);
    walk.places
}

/// The addresses that something would give, itself first, if it lay in what `parent` addresses.
pub(super) fn places_in(parent: &str, item: &mut dyn Addressed) -> Vec<Place> {
    let mut walk = Walk { taken: BTreeMap::new(), path: Vec::new(), places: Vec::new() };
    walk.item(parent, item);
    walk.places
}

/// What lies at a path.
#[allow(clippy::ptr_arg)] // A list of declarations is a `List`, a slice is not.
pub(super) fn item_at<'r>(declarations: &'r mut Vec<Declaration>, path: &[(usize, usize)]) -> Option<&'r mut dyn Addressed> {
    let (&(_, first), rest) = path.split_first()?;
    let mut item: &'r mut dyn Addressed = declarations.get_mut(first)?;
    for &(list, index) in rest {
        item = item.lists().into_iter().nth(list)?.get(index)?;
    }
    Some(item)
}

/// The list in which a path ends, and where in it.
pub(super) fn list_at<'r>(declarations: &'r mut Vec<Declaration>, path: &[(usize, usize)]) -> Option<(&'r mut dyn List, usize)> {
    let (&(list, index), outer) = path.split_last()?;
    if outer.is_empty() {
        return Some((declarations, index));
    }
    Some((item_at(declarations, outer)?.lists().into_iter().nth(list)?, index))
}

/// Joins two addresses.
pub(super) fn join(parent: &str, name: &str) -> String {
    if parent.is_empty() { name.to_string() } else { format!("{parent}.{name}") }
}

/// A quoted text as one word: lower case, everything that is neither letter nor digit `_`.
pub(super) fn slug(text: &str) -> String {
    text.to_lowercase().chars().map(|character| if character.is_alphanumeric() { character } else { '_' }).collect()
}

struct Walk {
    /// How often each address has been given.
    taken: BTreeMap<String, usize>,
    path: Vec<(usize, usize)>,
    places: Vec<Place>,
}

impl Walk {
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
        let own = item.own_name().map(|name| self.give(join(parent, &name), span, None));
        let address = own.as_deref().unwrap_or(parent);
        for (name, _) in item.values().into_iter().filter(|(name, _)| !name.is_empty() && own.is_some()) {
            self.give(join(address, name), span, Some(name));
        }
        for (which, list) in item.lists().into_iter().enumerate() {
            self.list(address, which, list);
        }
    }

    fn give(&mut self, address: String, span: Span, value: Option<&'static str>) -> String {
        let count = self.taken.entry(address.clone()).or_default();
        *count += 1;
        let address = if *count == 1 { address } else { format!("{address}#{count}") };
        self.places.push(Place { address: address.clone(), span, path: self.path.clone(), value });
        address
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;
    use crate::{overlay::rules_of, parse_file};

    #[test]
    fn a_phase_that_is_called_like_a_part_of_every_game_is_found() {
        let clash = |text: &str| {
            let rules = rules_of(parse_file(FileId(0), text, &mut Vec::new()));
            clashes(&rules).into_iter().map(|(address, at, other)| (address, at.start, other.start)).collect::<Vec<_>>()
        };
        assert_eq!(clash("game wisp\nphase game { }\n"), [("game".to_string(), 10, 0)]);
        assert_eq!(clash("phase setup { }\nsetup { }\n"), [("setup".to_string(), 0, 16)]);
        assert_eq!(clash("phase night { }\nconstant night = 1\n").len(), 1);
        assert_eq!(clash("game wisp\nphase night { }\nconstant a = 1\nwhen card leaves yard { }\nwhen card leaves yard { }\n"), []);
    }

    #[test]
    fn every_sort_of_rule_has_its_address() {
        let text = r#"
            game wisp "Wisp"
            option side = a | b, default a
            constant bonus = by level { wolf: 4, 1, 2: 3, else: 1 }
            define working(x) = 1
            stat reach = 2, at most 9
            table { deck pile of wall, wolf; grid market 3 by 4; place den }
            player { resource wisp, moss; each round { flag passed }; place yard of wall: 3, room 9 }
            kind wall { slot yard; reach: number = 1 }
            zone play = yard, den
            rank most x = top 1 by x, ties at the edge in
            condition "most stable" = most reach
            when short of r in wisp, missing n { lose n moss }
            when card leaves yard { card.reach = 0 }
            setup { order at random; step deal { each player { gain 1 wisp } } }
            rounds 4 of night
            phase night {
              step spring { each player chooses { "grow wall" if yes { gain 1 wisp } "take wisp" { gain 2 wisp } } }
              action buy wall in yard { cost 1 wisp; cost 2 wisp; needs bite: reach > 0 "no"; does { moment bought(wall) } }
              action buy wisp in yard { does { player chooses { "x" { } } } }
              free action drop wall in yard { does { order by reach } }
            }
            always { check leaving { remove cards in play that say they leave } }
            score { "points" = wisp }
            wins highest score
            worth = score
        "#;
        let mut diagnostics = Vec::new();
        let mut rules = rules_of(parse_file(FileId(0), text, &mut diagnostics));
        assert_eq!(diagnostics, []);
        let addresses: Vec<String> = all_addresses(&mut rules).into_iter().map(|(address, _)| address).collect();
        assert_eq!(
            addresses.join(" "),
            "game side side.a side.b bonus bonus.wolf bonus.1 bonus.2 bonus.else working reach reach.at_most \
             table table.pile table.pile.wall table.pile.wolf table.market table.market.rows table.market.columns table.den \
             player player.wisp player.moss player.passed player.yard player.yard.limit player.yard.room player.yard.wall \
             kind.wall kind.wall.slot kind.wall.reach zone.play zone.play.yard zone.play.den rank.most condition.most_stable \
             when.short when.leaves.yard setup setup.order setup.deal setup.deal.when rounds rounds.night night \
             night.spring night.spring.when night.spring.grow_wall night.spring.take_wisp night.buy night.buy.cost night.buy.cost#2 \
             night.buy.needs.bite night.buy.does night.buy.does.bought night.buy#2 night.buy#2.does night.buy#2.does.x \
             night.drop night.drop.does night.drop.does.order always always.leaving score score.points wins worth"
        );
    }
}
