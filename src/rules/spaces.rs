//! The spaces of boards, made of what the rules declare: each is like a card of a kind that has the name of the board.

use super::defs::{Definitions, Space};
use super::problem::{RuleProblem, Suggestion};
use super::syntax::ast::{self, BoardPart, DeclarationKind, Expr, ExprKind, Name, Rules};
use super::typed::BoardShape;
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::pack::{RawCard, Spanned, Text, TomlValue};
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of rows, of columns, and of rings twice, of a board or a grid.
pub(super) const MAX_SIDE: i64 = 30;
/// Least number of rows and columns of a board or grid without an edge: with fewer a space would have the same neighbour at both sides.
pub(super) const LEAST_ENDLESS: u16 = 3;
/// Maximum number of named spaces of a board.
const MAX_NAMED: usize = 200;

/// The spaces of all boards, in source order.
#[derive(Debug, Default)]
pub(super) struct Spaces {
    /// What stands for the spaces.
    pub cards: Vec<RawCard>,
    /// For each board the index of its first space, their number, and how they lie.
    pub boards: Vec<(u32, u32, BoardShape)>,
    /// What is wrong with them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Makes the spaces of all boards of a game. Those that are parts of cards follow from its cards.
pub(super) fn spaces_of(tree: &Rules, cards: &[RawCard]) -> Spaces {
    let (mut made, mut kinds) = (Spaces::default(), BTreeSet::new());
    for declaration in &tree.declarations {
        if let DeclarationKind::Board { name, between, parts_of, shape, parts } = &declaration.kind {
            let first = made.cards.len();
            let spaces = parts.items.iter().filter_map(|part| if let BoardPart::Space(space) = part { Some(space) } else { None });
            let spaces: Vec<&ast::Space> = spaces.collect();
            let (spaces, others): (Vec<&ast::Space>, Vec<&ast::Space>) =
                spaces.into_iter().partition(|space| space.joins == between.is_some());
            for space in &others {
                let (name, board) = (space.name.text.clone(), name.text.clone());
                let problem =
                    if space.joins { RuleProblem::LinkOfSpaces { name, board } } else { RuleProblem::SpaceOfLinks { name, board } };
                made.diagnostics.push(problem.at(space.name.span));
            }
            if let (Some(_), Some(space)) = (parts_of, spaces.first()) {
                let (name, board) = (space.name.text.clone(), name.text.clone());
                made.diagnostics.push(RuleProblem::SpaceOfParts { name, board }.at(space.name.span));
            }
            if spaces.is_empty() && others.is_empty() && shape.is_none() && parts_of.is_none() {
                let board = name.text.clone();
                let problem = if between.is_some() { RuleProblem::NoLinks { board } } else { RuleProblem::NoSpaces { board } };
                made.diagnostics.push(problem.at(name.span));
            }
            let shape = match (between, shape, parts_of) {
                (Some(between), ..) => made.add_links(tree, name, between, &spaces),
                (None, Some(shape), _) => made.add_rows(tree, name, shape, &spaces),
                // A second board of the same cards is reported later.
                (None, None, Some(of)) if !kinds.insert(of.kind.text.as_str()) => BoardShape::Parts(Box::default()),
                (None, None, Some(of)) => made.add_parts(tree, name, of, cards),
                (None, None, None) => made.add_named(name, &spaces),
            };
            let count = made.cards.len() - first;
            made.boards.push((cast::fit::<u32>(first), cast::fit::<u32>(count), shape));
        }
    }
    made
}

/// Records that constants are used which are sizes of boards.
pub(super) fn note_sizes(tree: &Rules, defs: &Definitions) {
    for declaration in &tree.declarations {
        let DeclarationKind::Board { shape: Some(shape), .. } = &declaration.kind else { continue };
        for side in std::iter::once(&shape.rows).chain(&shape.columns) {
            if let ExprKind::Name(name) = &*side.kind {
                defs.find(Space::Value, &name.text);
            }
        }
    }
}

/// Returns the value of a plain number, or of a constant that is one.
fn plain_number(tree: &Rules, expr: &Expr) -> Option<i64> {
    let ExprKind::Name(name) = &*expr.kind else { return expr.literal() };
    tree.declarations.iter().find_map(|declaration| {
        let DeclarationKind::Constant { name: constant, value } = &declaration.kind else { return None };
        value.literal().filter(|_| constant.text == name.text)
    })
}

/// Returns the boards of a game, in source order: name, what it is between, shape and parts.
fn boards_of(tree: &Rules) -> impl Iterator<Item = (&Name, Option<&Name>, Option<&ast::BoardShape>, &ast::Block<BoardPart>)> {
    tree.declarations.iter().filter_map(|declaration| {
        let DeclarationKind::Board { name, between, shape, parts, .. } = &declaration.kind else { return None };
        Some((name, between.as_ref(), shape.as_ref(), parts))
    })
}

/// Returns the index of a board, and what its spaces are called in it, in their order; `None` if there is no such board.
fn names_of_spaces(tree: &Rules, board: &str) -> Option<(usize, Vec<String>)> {
    let (index, (_, _, shape, parts)) = boards_of(tree).enumerate().find(|(_, (name, ..))| name.text == board)?;
    let Some(shape) = shape else {
        let named = parts.items.iter().filter_map(|part| if let BoardPart::Space(space) = part { Some(&space.name.text) } else { None });
        return Some((index, named.take(MAX_NAMED).cloned().collect()));
    };
    let side = |expr: &Expr| plain_number(tree, expr).filter(|side| (1..=MAX_SIDE).contains(side)).map_or(1, cast::fit::<u16>);
    let (rows, columns) = match &shape.columns {
        Some(columns) => (side(&shape.rows), side(columns)),
        None => (2 * side(&shape.rows) + 1, 2 * side(&shape.rows) + 1),
    };
    Some((index, names_in_rows(rows, columns, shape.columns.is_none()).collect()))
}

/// Returns what the spaces of a board of rows and columns, or of hexagons, are called in it, in their order.
fn names_in_rows(rows: u16, columns: u16, hexes: bool) -> impl Iterator<Item = String> {
    let rings = columns / 2;
    let all = (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)));
    let inside = all.filter(move |(row, column)| !hexes || (rings..=3 * rings).contains(&(row + column)));
    inside.map(|(row, column)| format!("r{}c{}", row + 1, column + 1))
}

impl Spaces {
    /// Makes the spaces of a board of rows and columns, or of hexagons.
    fn add_rows(&mut self, tree: &Rules, board: &Name, shape: &ast::BoardShape, written: &[&ast::Space]) -> BoardShape {
        let hexes = shape.columns.is_none();
        let mut side = |expr: &Expr, most: i64| match plain_number(tree, expr) {
            Some(side) if (1..=most).contains(&side) => cast::fit::<u16>(side),
            _ => {
                let what = if hexes { "the number of rings of a board" } else { "each side of a board" };
                self.diagnostics.push(RuleProblem::NotFrom1To { what, most }.at(expr.span));
                1
            }
        };
        let (rows, columns) = match &shape.columns {
            Some(columns) => (side(&shape.rows, MAX_SIDE), side(columns, MAX_SIDE)),
            None => {
                let across = 2 * side(&shape.rows, MAX_SIDE / 2) + 1;
                (across, across)
            }
        };
        if hexes && shape.diagonals {
            self.diagnostics.push(RuleProblem::DiagonalsOfHexes.at(shape.span));
        }
        if hexes && shape.endless {
            self.diagnostics.push(RuleProblem::EdgeOfHexes.at(shape.span));
        } else if shape.endless && rows.min(columns) < LEAST_ENDLESS {
            self.diagnostics.push(RuleProblem::TooNarrow { least: LEAST_ENDLESS }.at(shape.span));
        }
        let mut left: BTreeMap<&str, &ast::Space> = BTreeMap::new();
        for space in written {
            if let Some(near) = space.near.first() {
                self.diagnostics.push(RuleProblem::NextToInRows { board: board.text.clone() }.at(near.span));
            }
            if left.insert(&space.name.text, space).is_some() {
                self.diagnostics.push(RuleProblem::DeclaredTwice { what: format!("space `{}`", space.name.text) }.at(space.name.span));
            }
        }
        for at in names_in_rows(rows, columns, hexes) {
            let said = left.remove(at.as_str());
            let span = said.map_or(board.span, |space| space.name.span);
            self.add(format!("{}.{at}", board.text), format!("{} {at}", board.text), board, said, span);
        }
        for space in left.into_values() {
            let name = space.name.text.clone();
            self.diagnostics.push(RuleProblem::NoSuchSpace { name, board: board.text.clone() }.at(space.name.span));
        }
        BoardShape::Rows { rows, columns, hexes, endless: shape.endless && !hexes, diagonals: shape.diagonals && !hexes }
    }

    /// Makes the spaces of a board in which each has a name.
    fn add_named(&mut self, board: &Name, written: &[&ast::Space]) -> BoardShape {
        let written = self.within_room(written, "named spaces");
        let names: Vec<&str> = written.iter().map(|space| space.name.text.as_str()).collect();
        let mut near = vec![Vec::new(); written.len()];
        for (at, space) in written.iter().enumerate() {
            for other in &space.near {
                match names.iter().position(|name| *name == other.text) {
                    Some(to) if to == at => self.diagnostics.push(RuleProblem::NextToItself { name: other.text.clone() }.at(other.span)),
                    Some(to) => {
                        near[at].push(cast::fit::<u16>(to));
                        near[to].push(cast::fit::<u16>(at));
                    }
                    None => self.report_no_space(other, board, &names),
                }
            }
            self.add(space.name.text.clone(), space.name.text.replace('_', " "), board, Some(space), space.name.span);
        }
        for near in &mut near {
            near.sort_unstable();
            near.dedup();
        }
        BoardShape::Named(near)
    }

    /// Reports what is beyond the most that a board can have under names, and returns the others.
    fn within_room<'w>(&mut self, written: &'w [&'w ast::Space], what: &'static str) -> &'w [&'w ast::Space] {
        if let Some(beyond) = written.get(MAX_NAMED) {
            let help = "declare fewer, or make two boards of them";
            self.diagnostics.push(RuleProblem::TooMany { whose: "a board", most: MAX_NAMED, what, help }.at(beyond.span));
        }
        &written[..written.len().min(MAX_NAMED)]
    }

    fn report_no_space(&mut self, name: &Name, board: &Name, known: &[&str]) {
        let suggestion = Suggestion::for_unknown(&name.text, known.iter().copied(), "its spaces", known);
        let expected = format!("a space of `{}`", board.text);
        self.diagnostics.push(RuleProblem::UnknownName { name: name.text.clone(), expected, suggestion }.at(name.span));
    }

    /// Makes the links between the spaces of another board.
    fn add_links(&mut self, tree: &Rules, board: &Name, between: &Name, written: &[&ast::Space]) -> BoardShape {
        let Some((index, names)) = names_of_spaces(tree, &between.text).filter(|_| between.text != board.text) else {
            let boards: Vec<&str> = boards_of(tree).map(|(name, ..)| name.text.as_str()).filter(|name| *name != board.text).collect();
            let suggestion = Suggestion::for_unknown(&between.text, boards.iter().copied(), "the boards", &boards);
            let expected = "a board whose spaces can be joined".to_string();
            self.diagnostics.push(RuleProblem::UnknownName { name: between.text.clone(), expected, suggestion }.at(between.span));
            return BoardShape::Named(Vec::new());
        };
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut ends = Vec::new();
        for link in self.within_room(written, "links") {
            let mut found = Vec::new();
            for end in &link.near {
                let said = end.text.strip_prefix(&between.text).and_then(|said| said.strip_prefix('.')).unwrap_or(&end.text);
                match known.iter().position(|name| *name == said) {
                    Some(at) => found.push(cast::fit::<u16>(at)),
                    None => self.report_no_space(end, between, &known),
                }
            }
            if let [from, to] = found[..] {
                if from == to {
                    self.diagnostics.push(RuleProblem::NextToItself { name: link.name.text.clone() }.at(link.name.span));
                }
                ends.push([from, to]);
            } else {
                ends.push([0, 0]);
            }
            self.add(link.name.text.clone(), link.name.text.replace('_', " "), board, Some(link), link.name.span);
        }
        BoardShape::Links { board: index, ends }
    }

    fn add(&mut self, id: String, name: String, board: &Name, said: Option<&ast::Space>, span: Span) {
        let mut fields: Vec<(Text, Spanned)> = Vec::new();
        for value in said.iter().flat_map(|space| &space.values.items) {
            let key = Text { text: value.name.text.clone(), span: value.name.span };
            if fields.iter().any(|(known, _)| known.text == key.text) {
                self.diagnostics.push(RuleProblem::DeclaredTwice { what: format!("field `{}`", key.text) }.at(key.span));
                continue;
            }
            let written = match (value.value.literal(), &*value.value.kind) {
                (Some(number), _) => TomlValue::Integer(number),
                (None, ExprKind::Name(word)) => TomlValue::Text(Text { text: word.text.clone(), span: word.span }),
                _ => {
                    let (what, help) = ("a plain number or a word".to_string(), Some("write `FIELD 3` or `FIELD WORD`"));
                    self.diagnostics.push(RuleProblem::Expected { what, help }.at(value.value.span));
                    continue;
                }
            };
            fields.push((key, Spanned { value: written, span: value.value.span }));
        }
        let [id, name] = [id, name].map(|text| Text { text, span });
        let kind = Text { text: board.text.clone(), span: board.span };
        self.cards.push(RawCard::of_space(id, name, kind, fields, span));
    }
}
