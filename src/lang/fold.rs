//! Constant folding of statements: `if players == 1` is decided when a ruleset is compiled for so many players, and what never runs
//! is left out.

use super::compile::Compiler;
use crate::engine::ruleset::{BodyId, Node, NodeId, Ruleset, Stmt};

/// Conditions are nested less deep than this.
const DEEPEST: u32 = 100;

impl Compiler<'_> {
    /// Leaves out of all bodies what never runs, and puts what always runs in the place of its condition.
    pub(super) fn fold_bodies(&mut self) {
        let mut rules = std::mem::take(&mut self.rules);
        for body in 0..rules.bodies.len() {
            let mut kept = Vec::new();
            keep(&rules, body as BodyId, &mut kept, 0);
            rules.bodies[body] = kept.into();
        }
        // An effect of which nothing is left need not be called.
        let empty: Vec<bool> = rules.effects.iter().map(|effect| rules.bodies[effect.body as usize].is_empty()).collect();
        for body in &mut rules.bodies {
            if body.iter().any(|stmt| matches!(stmt, Stmt::Effect(effect, _) if empty[*effect as usize])) {
                let kept = body.iter().filter(|stmt| !matches!(stmt, Stmt::Effect(effect, _) if empty[*effect as usize]));
                *body = kept.cloned().collect();
            }
        }
        self.rules = rules;
    }
}

/// Adds the statements of a body that can run.
fn keep(rules: &Ruleset, body: BodyId, kept: &mut Vec<Stmt>, depth: u32) {
    for stmt in rules.bodies[body as usize].iter() {
        match stmt {
            Stmt::If(condition, yes, no) if depth < DEEPEST => match constant(rules, *condition, 0) {
                Some(0) => no.iter().for_each(|no| keep(rules, *no, kept, depth + 1)),
                Some(_) => keep(rules, *yes, kept, depth + 1),
                None => kept.push(stmt.clone()),
            },
            _ => kept.push(stmt.clone()),
        }
    }
}

/// The value of an expression that reads nothing that a game could change.
fn constant(rules: &Ruleset, node: NodeId, depth: u32) -> Option<i64> {
    if depth > DEEPEST {
        return None;
    }
    let of = |node: &NodeId| constant(rules, *node, depth + 1);
    match &rules.nodes[node as usize] {
        Node::Const(value) => Some(*value),
        Node::Word(name) => Some(*name as i64),
        Node::Not(a) => of(a).map(|a| (a == 0) as i64),
        Node::And(a, b) => match (of(a), of(b)) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(_), Some(_)) => Some(1),
            _ => None,
        },
        Node::Or(a, b) => match (of(a), of(b)) {
            (Some(0), Some(0)) => Some(0),
            (Some(a), _) | (_, Some(a)) if a != 0 => Some(1),
            _ => None,
        },
        Node::Cmp(how, a, b) => Some(how.holds(of(a)?, of(b)?) as i64),
        Node::If(condition, yes, no) => of(if of(condition)? != 0 { yes } else { no }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ruleset::Compare;

    #[test]
    fn what_reads_nothing_of_a_game_is_known_and_nothing_else_is() {
        let mut rules = Ruleset::default();
        let mut node = |node: Node| {
            rules.nodes.push(node);
            rules.nodes.len() as NodeId - 1
        };
        let (one, two, open) = (node(Node::Const(1)), node(Node::Const(2)), node(Node::Own(0)));
        let (equal, less) = (node(Node::Cmp(Compare::Equal, one, two)), node(Node::Cmp(Compare::Less, one, two)));
        let asked = [
            (equal, Some(0)),
            (less, Some(1)),
            (node(Node::Not(equal)), Some(1)),
            (node(Node::And(open, equal)), Some(0)),
            (node(Node::And(open, less)), None),
            (node(Node::Or(open, less)), Some(1)),
            (node(Node::Or(equal, open)), None),
            (node(Node::If(less, two, open)), Some(2)),
            (node(Node::If(open, one, two)), None),
            (open, None),
        ];
        for (asked, wanted) in asked {
            assert_eq!(constant(&rules, asked, 0), wanted, "{:?}", rules.nodes[asked as usize]);
        }
    }
}
