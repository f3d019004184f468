//! Which caches a change of a cell spoils: what each quantity reads, worked out once.

use super::compile::Compiler;
use crate::diagnostic::Diagnostic;
use crate::engine::ruleset::{CHECK_BIT, CellClass, Compare, Lifetime, Node, NodeId, Ruleset, Whose};
use crate::pack::Says;
use crate::state::layout::{PIECE, TABLE, head};
use std::collections::BTreeSet;

/// More values than this are not cached: one bit of the caches stands for the checks.
pub(super) const MOST_CACHED: u8 = 126;

/// Classes of cells, by what they hold.
pub(super) struct Classes {
    pub round: u16,
    pub turn: u16,
    pub order: u16,
    pub table: u16,
    pub seat: u16,
    pub piece: u16,
    pub place: u16,
    pub count: usize,
}

/// What an expression reads: classes, and whether of other seats.
type Reads = BTreeSet<(u16, bool)>;

impl Compiler<'_> {
    pub(super) fn classes(&self) -> Classes {
        let table = 4;
        let seat = table + self.table_size - head::SIZE as u16;
        let piece = seat + self.seat_size;
        let place = piece + self.piece_size;
        Classes { round: 1, turn: 2, order: 3, table, seat, piece, place, count: place as usize + self.rules.places.len() }
    }

    /// Calls `f` for every node below and including this one.
    pub fn visit(&self, node: NodeId, f: &mut impl FnMut(&Node)) {
        visit(&self.rules, node, f);
    }

    /// Which quantities some piece may change.
    pub(super) fn note_changes(&mut self) {
        for quantity in 0..self.rules.quantities.len() {
            let definitions = self.rules.definitions.iter().filter(|d| d.copies > 0);
            let changed = definitions.flat_map(|d| &d.changes).any(|c| c.quantity as usize == quantity);
            self.rules.quantities[quantity].changed = changed;
        }
    }

    /// A quantity with arguments is read where it is named, as if the expression stood there: always, if no piece changes it,
    /// otherwise while no card in play does.
    pub(super) fn inline_quantities(&mut self) {
        for node in 0..self.rules.nodes.len() {
            let Node::Quantity(quantity, args) = self.rules.nodes[node] else { continue };
            let q = &self.rules.quantities[quantity as usize];
            if q.args == 0 || q.most.is_some() || q.least.is_some() {
                continue;
            }
            let (base, changed) = (q.base, q.changed);
            let mut loops = false;
            self.visit(base, &mut |n| {
                loops |= matches!(
                    n,
                    Node::Sum(..)
                        | Node::Highest(..)
                        | Node::Lowest(..)
                        | Node::Count(_)
                        | Node::Any(_)
                        | Node::Of(..)
                        | Node::CountPlayers(_)
                        | Node::AnyPlayer(_)
                        | Node::SumPlayers(..)
                        | Node::CountTokens(..)
                )
            });
            if loops {
                continue;
            }
            let copy = self.copy_with(base, &args);
            self.rules.nodes[node] = if changed {
                let full = self.node(Node::Quantity(quantity, args));
                Node::Plain(quantity, copy, full)
            } else {
                self.rules.nodes[copy as usize].clone()
            };
        }
    }

    /// Small nodes in one: what is read of a local, and comparisons with a number.
    pub(super) fn fuse(&mut self) {
        let local = |rules: &Ruleset, node: NodeId| match rules.nodes[node as usize] {
            Node::Local(local) => Some(local),
            _ => None,
        };
        for node in 0..self.rules.nodes.len() {
            let rules = &self.rules;
            let fused = match &rules.nodes[node] {
                Node::Counter(a, offset) => local(rules, *a).map(|l| Node::CounterOf(l, *offset)),
                Node::Field(a, field) => local(rules, *a).map(|l| Node::FieldOf(l, *field)),
                &Node::FieldAt(a, field, len, b) => match (&rules.nodes[b as usize], local(rules, a)) {
                    (&Node::Const(index), _) if index < 0 || index >= len as i64 => Some(Node::Const(0)),
                    (&Node::Const(index), Some(local)) => Some(Node::FieldOf(local, field + index as u16)),
                    (&Node::Const(index), None) => Some(Node::Field(a, field + index as u16)),
                    (&Node::Local(index), Some(local)) => Some(Node::FieldAtOf(local, field, len, index)),
                    _ => None,
                },
                Node::Row(a, grid) => local(rules, *a).map(|l| Node::RowOf(l, *grid)),
                &Node::If(condition, yes, no) => rules.by_kind(condition, yes, no),
                Node::IsKind(a, kinds) => local(rules, *a).map(|l| Node::IsKindOf(l, *kinds)),
                Node::InPlaces(a, places) => local(rules, *a).map(|l| Node::InPlacesOf(l, *places)),
                Node::Cmp(how, a, b) => match rules.nodes[*b as usize] {
                    Node::Const(value) => Some(Node::CmpConst(*how, *a, value)),
                    _ => None,
                },
                _ => None,
            };
            if let Some(fused) = fused {
                self.rules.nodes[node] = fused;
            }
        }
    }

    /// A copy of an expression with other nodes for its parameters (locals 1 and 2).
    fn copy_with(&mut self, node: NodeId, args: &[Option<NodeId>; 2]) -> NodeId {
        let mut copy = self.rules.nodes[node as usize].clone();
        if let Node::Local(local @ 1..=2) = copy
            && let Some(arg) = args[local as usize - 1]
        {
            return arg;
        }
        copy.each_part(|part, _| *part = self.copy_with(*part, args));
        self.node(copy)
    }

    /// Lays out the classes, finds out what each quantity reads, and gives bits to those that are cached.
    pub(super) fn work_out_spoils(&mut self) {
        let classes = self.classes();
        let rules = &mut self.rules;
        let layout = &mut rules.layout;
        layout.class_of = vec![0; layout.len];
        layout.owner_of = vec![TABLE; layout.len];
        layout.class_of[head::ROUND] = classes.round;
        layout.class_of[head::TURN] = classes.turn;
        layout.class_of[head::ORDER..head::SIZE].fill(classes.order);
        for (i, class) in layout.class_of[head::SIZE..layout.seat_base].iter_mut().enumerate() {
            *class = classes.table + i as u16;
        }
        // Table variables lie right behind the header; classes count from there.
        for cell in head::SIZE..layout.seat_base {
            layout.class_of[cell] = classes.table + cell as u16 - head::SIZE as u16;
        }
        for seat in 0..layout.seats {
            for offset in 0..layout.seat_size {
                let cell = layout.seat(seat, offset);
                layout.class_of[cell] = classes.seat + offset as u16;
                layout.owner_of[cell] = seat as u8;
            }
        }
        for index in 0..layout.pieces {
            for offset in 0..layout.piece_size {
                let cell = layout.piece(index, offset);
                layout.class_of[cell] = classes.piece + offset as u16;
                layout.owner_of[cell] = PIECE;
            }
        }
        for at in layout.places.clone() {
            if at.room > 0 {
                for cell in at.base as usize..=at.base as usize + at.room as usize {
                    layout.class_of[cell] = classes.place + at.declared;
                    layout.owner_of[cell] = at.owner;
                }
            }
        }
        let mut reads: Vec<Reads> = Vec::new();
        for quantity in 0..self.rules.quantities.len() {
            let mut found = Reads::new();
            let mut path = Vec::new();
            let circle = read_quantity(&self.rules, &classes, quantity as u16, &[None, None], false, &mut found, &mut path);
            if let Some(circle) = circle
                && circle as usize == quantity
            {
                let name = &self.rules.quantities[quantity].name;
                let span = self.symbols.get(name).map(|d| d.span);
                let entries = self.raw_of.iter().flat_map(|card| card.entries.iter().map(move |entry| (card, entry)));
                let changes = |says: &Says| matches!(says, Says::Change { what, when: Some(_), .. } if what.text == *name);
                let changed: Vec<_> = entries.filter(|(_, entry)| changes(&entry.says)).take(3).collect();
                self.diagnostics.push(if changed.is_empty() {
                    Self::circle(name, span)
                } else {
                    let wrong = Diagnostic::error("R005", span, format!("`{name}` goes round in a circle"));
                    let wrong = changed.iter().fold(wrong.label("it depends on itself, by what a card changes"), |wrong, (card, entry)| {
                        wrong.also(entry.span, format!("`{}` changes it, if something holds", card.id.text))
                    });
                    wrong.help("let the card's `if` read something that does not depend on it")
                });
            }
            reads.push(found);
        }
        let rules = &mut self.rules;
        rules.cell_classes = vec![CellClass::default(); classes.count];
        let lasting = [(classes.table, head::SIZE as u16, &rules.table), (classes.seat, 0, &rules.seat), (classes.piece, 0, &rules.piece)];
        for (scope, (first, start, variables)) in lasting.into_iter().enumerate() {
            for variable in variables.iter().filter(|v| v.lifetime != Lifetime::Game) {
                rules.clears[variable.lifetime as usize][scope].push((variable.offset, variable.len));
                for offset in variable.offset..variable.offset + variable.len {
                    rules.cell_classes[(first + offset - start) as usize].lasts = 1 << variable.lifetime as u8;
                }
            }
        }
        for offset in rules.quantities.iter().filter_map(|q| q.differences) {
            for lifetime in Lifetime::ALL.into_iter().filter(|&l| l != Lifetime::Game) {
                rules.cell_classes[(classes.seat + offset) as usize + lifetime as usize].lasts = 1 << lifetime as u8;
                rules.clears[lifetime as usize][1].push((offset + lifetime as u16, 1));
            }
        }
        let mut bit = 0_u8;
        for (quantity, reads) in rules.quantities.iter_mut().zip(&reads) {
            if quantity.args > 0 || bit >= MOST_CACHED {
                continue;
            }
            quantity.cached = Some(bit);
            for &(class, others) in reads {
                rules.cell_classes[class as usize].spoil(others, 1 << bit);
            }
            bit += 1;
        }
        rules.cached = bit;
        let mut checks = Reads::new();
        for definition in &self.rules.definitions {
            if let Some(when) = definition.leaves_when {
                read(&self.rules, &classes, when, false, &mut checks, &mut Vec::new());
            }
        }
        for (class, _) in checks {
            self.rules.cell_classes[class as usize].own |= CHECK_BIT;
        }
    }
}

impl Compiler<'_> {
    /// Lets what an expression reads spoil bits of the caches.
    pub(super) fn spoiled_by(&mut self, node: NodeId, first: u8, width: u8) {
        let classes = self.classes();
        let mut reads = Reads::new();
        read(&self.rules, &classes, node, false, &mut reads, &mut Vec::new());
        let bits = ((1 << width) - 1) << first;
        for (class, others) in reads {
            self.rules.cell_classes[class as usize].spoil(others, bits);
        }
    }

    /// Cells on which nothing depends go to the first class, so that a change of them is over at once.
    pub(super) fn set_idle_cells_apart(&mut self) {
        let rules = &mut self.rules;
        for class in &mut rules.layout.class_of {
            if rules.cell_classes[*class as usize] == CellClass::default() {
                *class = 0;
            }
        }
    }
}

impl Ruleset {
    /// What an `if` comes to that asks only which kind of card a local holds, and gives numbers.
    fn by_kind(&self, condition: NodeId, yes: NodeId, no: NodeId) -> Option<Node> {
        let Node::IsKindOf(local, kinds) = self.nodes[condition as usize] else { return None };
        let number = |node: NodeId, kind: usize| match &self.nodes[node as usize] {
            Node::Const(value) => Some(*value),
            Node::ByKind(of, values) if *of == local => Some(values[kind]),
            _ => None,
        };
        let is_one = |kind: usize| kind > 0 && kinds >> (kind - 1) & 1 == 1;
        let values = (0..=self.kinds.len()).map(|kind| number(if is_one(kind) { yes } else { no }, kind));
        Some(Node::ByKind(local, values.collect::<Option<_>>()?))
    }
}

/// Whether a condition of a change cannot hold for a quantity with these arguments, because it wants another word.
fn never(rules: &Ruleset, when: NodeId, args: &[Option<NodeId>; 2]) -> bool {
    let constant = |id: NodeId| match rules.nodes[id as usize] {
        Node::Const(value) => Some(value),
        _ => None,
    };
    match rules.nodes[when as usize] {
        Node::And(a, b) => never(rules, a, args) || never(rules, b, args),
        Node::Cmp(Compare::Equal, a, b) => {
            let Node::Local(local @ 1..=2) = rules.nodes[a as usize] else { return false };
            let given = args[local as usize - 1].and_then(constant);
            given.zip(constant(b)).is_some_and(|(given, wanted)| given != wanted)
        }
        _ => false,
    }
}

fn read_quantity(
    rules: &Ruleset,
    classes: &Classes,
    quantity: u16,
    args: &[Option<NodeId>; 2],
    others: bool,
    reads: &mut Reads,
    path: &mut Vec<u16>,
) -> Option<u16> {
    if path.contains(&quantity) {
        return Some(quantity);
    }
    let mut circle = None;
    path.push(quantity);
    let q = &rules.quantities[quantity as usize];
    for node in [Some(q.base), q.most, q.least].into_iter().flatten() {
        circle = circle.or(read(rules, classes, node, others, reads, path));
    }
    if let Some(offset) = q.differences {
        for i in 0..crate::engine::ruleset::Lifetime::ALL.len() as u16 {
            reads.insert((classes.seat + offset + i, others));
        }
    }
    for definition in &rules.definitions {
        for change in definition.changes.iter().filter(|c| c.quantity == quantity) {
            if change.when.is_some_and(|when| never(rules, when, args)) {
                continue;
            }
            // A change may come from another player's card.
            let others = others || change.who != crate::engine::ruleset::Who::Me;
            for node in [change.when, Some(change.amount)].into_iter().flatten() {
                circle = circle.or(read(rules, classes, node, others, reads, path));
            }
        }
    }
    path.pop();
    circle
}

fn read(rules: &Ruleset, classes: &Classes, node: NodeId, others: bool, reads: &mut Reads, path: &mut Vec<u16>) -> Option<u16> {
    let mut circle = None;
    let set_reads = |set: u32, reads: &mut Reads| {
        let set = &rules.sets[set as usize];
        for &place in set.places.iter() {
            reads.insert((classes.place + place, others || set.whose == Whose::All));
        }
        if let Some(counter) = set.with {
            reads.insert((classes.piece + counter as u16, others || set.whose == Whose::All));
        }
    };
    match &rules.nodes[node as usize] {
        Node::Global(cell) => {
            let class = match *cell as usize {
                head::ROUND => classes.round,
                head::TURN => classes.turn,
                cell => classes.table + (cell - head::SIZE.min(cell)) as u16,
            };
            reads.insert((class, others));
        }
        Node::Own(offset) | Node::OwnBit(offset, _) => {
            reads.insert((classes.seat + offset, others));
        }
        Node::OwnAt(offset, len, _) => {
            for i in 0..*len {
                reads.insert((classes.seat + offset + i, others));
            }
        }
        Node::Counter(_, offset) => {
            reads.insert((classes.piece + *offset as u16, others));
        }
        Node::InPlaces(_, mask) => {
            for place in 0..rules.places.len() as u16 {
                if mask >> place & 1 == 1 {
                    reads.insert((classes.place + place, others));
                }
            }
        }
        Node::FirstIn(place) | Node::NoneIn(place) | Node::Row(_, place) | Node::Column(_, place) => {
            reads.insert((classes.place + place, others));
        }
        Node::OwnerOf(_) => {
            for place in 0..rules.places.len() as u16 {
                reads.insert((classes.place + place, true));
            }
        }
        Node::CountTokens(_, pool) | Node::ShownIn(_, pool) | Node::Payable(_, pool) => {
            let pool = &rules.pools[*pool as usize];
            let first = if pool.of_seat { classes.seat + pool.offset } else { classes.table + pool.offset - head::SIZE as u16 };
            for class in 0..rules.classes.len() as u16 {
                reads.insert((first + class, others));
            }
        }
        Node::PlaceInOrder => {
            reads.insert((classes.order, others));
        }
        Node::Limit(place) => {
            if let Some(limit) = rules.places[*place as usize].limit {
                circle = circle.or(read_quantity(rules, classes, limit, &[None, None], others, reads, path));
            }
        }
        Node::Quantity(quantity, args) => circle = circle.or(read_quantity(rules, classes, *quantity, args, others, reads, path)),
        Node::Rank(rank, by) => {
            circle = circle.or(read(rules, classes, rules.ranks[*rank as usize].leaders, others, reads, path));
            circle = circle.or(read(rules, classes, *by, true, reads, path));
            return circle;
        }
        Node::Of(seat, body) => {
            circle = circle.or(read(rules, classes, *seat, others, reads, path));
            circle = circle.or(read(rules, classes, *body, true, reads, path));
            return circle;
        }
        Node::CountPlayers(set) | Node::AnyPlayer(set) | Node::SumPlayers(set, _) => {
            if let Some(filter) = rules.player_sets[*set as usize].filter {
                circle = circle.or(read(rules, classes, filter, true, reads, path));
            }
            if let Node::SumPlayers(_, body) = &rules.nodes[node as usize] {
                circle = circle.or(read(rules, classes, *body, true, reads, path));
            }
            return circle;
        }
        Node::Sum(set, _) | Node::Highest(set, _) | Node::Lowest(set, _) | Node::Count(set) | Node::Any(set) => set_reads(*set, reads),
        _ => {}
    }
    // Of everybody's cards also what is read of each card may belong to others.
    let others = others || rules.nodes[node as usize].card_set().is_some_and(|set| rules.sets[set as usize].whose == Whose::All);
    for child in children(rules, node) {
        circle = circle.or(read(rules, classes, child, others, reads, path));
    }
    circle
}

fn visit(rules: &Ruleset, node: NodeId, f: &mut impl FnMut(&Node)) {
    f(&rules.nodes[node as usize]);
    for child in children(rules, node) {
        visit(rules, child, f);
    }
}

/// The nodes right below one, those of its sets included.
pub(super) fn children(rules: &Ruleset, node: NodeId) -> Vec<NodeId> {
    let node = &rules.nodes[node as usize];
    let of_cards = node.card_set().and_then(|set| rules.sets[set as usize].filter);
    let of_row = match node {
        Node::RowSum(.., row) => Some(rules.row_sums[*row as usize].sum),
        _ => None,
    };
    let tokens = match node {
        Node::CountTokens(set, _) => Some(&rules.token_sets[*set as usize]),
        _ => None,
    };
    let of_tokens = tokens.into_iter().flat_map(|set| set.of.into_iter().chain(set.showing));
    let of_players = node.player_set().and_then(|set| rules.player_sets[set as usize].filter);
    of_cards.into_iter().chain(of_tokens).chain(of_row).chain(of_players).chain(node.parts().into_iter().map(|(part, _)| part)).collect()
}
