//! What is drawn in pictures of boards, where rules say so.

use super::super::problem::{RuleProblem, Suggestion};
use super::super::syntax::ast::{self, BoardPart, DeclarationKind, FieldKind, Member, MemberKind, Name};
use super::Collected;

/// Notes for each board what is drawn of it.
pub(super) fn note_what_is_drawn(collected: &mut Collected<'_>, tree: &ast::Rules) {
    for declaration in &tree.declarations {
        if let DeclarationKind::Board { name, parts, .. } = &declaration.kind
            && let Some(board) = collected.board_declared_by(name)
        {
            collected.rules.boards[board].drawn = check_drawn(collected, tree, name, parts);
        }
    }
}

/// Returns the names in the line that says what is drawn of a board; `None` if there is no such line.
fn check_drawn(collected: &mut Collected<'_>, tree: &ast::Rules, board: &Name, parts: &ast::Block<BoardPart>) -> Option<Vec<String>> {
    let mut lines = parts.items.iter().filter_map(|part| if let BoardPart::Drawn(drawn) = part { Some(drawn) } else { None });
    let drawn = lines.next()?;
    if let Some(again) = lines.next() {
        collected.diagnostics.push(RuleProblem::DeclaredTwice { what: format!("what is drawn of `{}`", board.text) }.at(again.span));
    }
    let known: Vec<&str> = parts.items.iter().flat_map(names_of_part).chain(counters_holding(tree, board)).collect();
    for (at, name) in drawn.members.iter().enumerate() {
        if drawn.members[..at].iter().any(|earlier| earlier.text == name.text) {
            collected.diagnostics.push(RuleProblem::NamedTwice { name: name.text.clone() }.at(name.span));
        } else if !known.contains(&name.text.as_str()) {
            let suggestion = Suggestion::for_unknown(&name.text, known.iter().copied(), "what can be drawn", &known);
            let expected = format!("a member or field of `{}`, nor a counter that holds one of its spaces", board.text);
            collected.diagnostics.push(RuleProblem::UnknownName { name: name.text.clone(), expected, suggestion }.at(name.span));
        }
    }
    Some(drawn.members.iter().map(|name| name.text.clone()).collect())
}

/// Returns the names of what a line of a board gives to its spaces.
fn names_of_part(part: &BoardPart) -> Vec<&str> {
    match part {
        BoardPart::Space(_) | BoardPart::Drawn(_) => Vec::new(),
        BoardPart::Member(member) => names_of_member(member, &|_| true),
        BoardPart::Field(field) => match &field.kind {
            FieldKind::Field { name, .. } => vec![name.text.as_str()],
            FieldKind::Slot { .. } => Vec::new(),
        },
    }
}

/// Returns the counters of the table, of players and of cards that hold a space of a board.
fn counters_holding<'t>(tree: &'t ast::Rules, board: &Name) -> Vec<&'t str> {
    let blocks = tree.declarations.iter().filter_map(|declaration| {
        if let DeclarationKind::Table(members) | DeclarationKind::Player(members) | DeclarationKind::Card(members) = &declaration.kind {
            Some(members)
        } else {
            None
        }
    });
    let holds = |of: Option<&Name>| of.is_some_and(|of| of.text == board.text);
    blocks.flat_map(|members| &members.items).flat_map(|member| names_of_member(member, &holds)).collect()
}

/// Returns the names of a member that holds values, unless `is_wanted` says no to what it is of: counters of words, players or spaces are of
/// something, all else of nothing.
fn names_of_member<'t>(member: &'t Member, is_wanted: &impl Fn(Option<&Name>) -> bool) -> Vec<&'t str> {
    let texts = |names: &'t [Name], of: Option<&Name>| names.iter().filter(|_| is_wanted(of)).map(|name| name.text.as_str()).collect();
    match &member.kind {
        MemberKind::Counter { names, of, .. } => texts(names, of.as_ref()),
        MemberKind::Flag { names, .. } | MemberKind::Resource { names, .. } => texts(names, None),
        MemberKind::Set { name, .. } | MemberKind::Tally { name, .. } => texts(std::slice::from_ref(name), None),
        MemberKind::Each { members, .. } => members.items.iter().flat_map(|member| names_of_member(member, is_wanted)).collect(),
        MemberKind::Deck { .. } | MemberKind::Grid { .. } | MemberKind::Hexes { .. } | MemberKind::Place(_) | MemberKind::Pool { .. } => {
            Vec::new()
        }
    }
}
