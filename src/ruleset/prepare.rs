//! Completes a ruleset before its first game: classes of cells, variables by lifetime, hidden information, and code.

use super::alike::find_unordered_places;
use super::code::{Code, QuantityCode};
use super::dependencies::Dependencies;
use super::graph::{Expr, ExprId};
use super::hidden::Hidden;
use super::ruleset::{Lifetime, Ruleset, WriteEffect};
use crate::cast;
use crate::op::{Op, Pc};
use crate::state::layout::{Layout, PIECE, TABLE, head};
use std::ops::Range;

/// The header cells on which expressions can depend, with their classes; all others have class 0.
const HEADER: [(usize, u32); 2] = [(head::ROUND, 1), (head::TURN, 2)];
const ORDER: u32 = 3;
const TABLE_VARIABLES: u32 = 4;

impl Ruleset {
    /// Completes the ruleset. Must be called after everything has been added and before the first game.
    pub fn prepare(&mut self) {
        let lifetimes = self.classify();
        let quantities: Vec<(ExprId, ExprId, u8)> = (0..cast::fit::<u16>(self.quantities.len()))
            .map(|index| {
                let name = self.graph.add(Expr::Quantity { quantity: index, args: [None; 2] });
                (name, self.whole_quantity(index), self.quantities[index as usize].args)
            })
            .collect();
        let mut code = Code::new(&self.graph, &quantities);
        code.dependencies = Dependencies::analyse(self, &code, lifetimes.len());
        self.write_effects = self.find_write_effects(&code.dependencies, &lifetimes);
        self.limits_vary = self.places.iter().filter_map(|place| place.limit).any(|limit| match code.quantity_code(limit) {
            QuantityCode::Value(value) => (0..lifetimes.len()).any(|class| code.dependencies.depends(value, class) != (false, false)),
            QuantityCode::Run(_) => true,
        });
        self.code = code.into();
        self.hidden = Hidden::compute(self);
        self.unordered_places = find_unordered_places(self);
        self.asking_blocks = self.find_asking_blocks();
    }

    fn find_write_effects(&self, dependencies: &Dependencies, lifetimes: &[Option<Lifetime>]) -> Vec<WriteEffect> {
        let layout = &self.layout;
        let differences: Vec<u16> = self.quantities.iter().filter_map(|quantity| quantity.differences).collect();
        let to_sum = |cell: usize, lifetime: Lifetime| {
            let offset = cell.checked_sub(layout.seat_base).map(|offset| offset % layout.seat_size.max(1));
            let is_difference = |first: &&u16| offset == Some(usize::from(**first) + lifetime as usize);
            differences.iter().find(is_difference).map_or(0, |_| cast::fit::<u8>(Lifetime::ALL.len() - lifetime as usize))
        };
        let effect = |(cell, (&class, &owner)): (usize, (&u32, &u8))| {
            let lifetime = lifetimes[class as usize];
            let to_sum = lifetime.filter(|_| usize::from(owner) < self.players).map_or(0, |lifetime| to_sum(cell, lifetime));
            WriteEffect { class, owner, lifetime, to_sum, is_checked: dependencies.are_checked(class as usize) }
        };
        layout.class_of.iter().zip(&layout.owner_of).enumerate().map(effect).collect()
    }

    /// Finds the simultaneous blocks whose bodies can ask, in themselves or in an effect of the rules that they call.
    fn find_asking_blocks(&self) -> Vec<Pc> {
        let asks = |ops: &[Op], effects: &[bool]| {
            let asks = |op: &Op| if let Op::Call { effect, .. } = op { effects[usize::from(*effect)] } else { op.is_question() };
            ops.iter().any(asks)
        };
        let effects = self.find_for_effects(|effect, known| asks(self.ops.routine(effect.first_op), known));
        let block = |(index, op): (u32, &Op)| {
            let Op::Simultaneous { end, .. } = op else { return None };
            let body = self.ops.all.get(index as usize + 1..end.0 as usize)?;
            asks(body, &effects).then_some(Pc(index))
        };
        self.ops.numbered().filter_map(block).collect()
    }

    /// Gives each cell its class (in which caches track changes) and owner, and lists variables by lifetime. Returns the lifetime of each class, if it
    /// has one.
    fn classify(&mut self) -> Vec<Option<Lifetime>> {
        let layout = &mut self.layout;
        let table = cast::fit::<u32>(layout.seat_base - head::SIZE);
        let seat = TABLE_VARIABLES + table;
        let piece = seat + cast::fit::<u32>(layout.seat_size);
        let place = piece + cast::fit::<u32>(self.definitions.len() * layout.piece_size);
        let count = place as usize + self.places.len();
        layout.class_of = vec![0; layout.len];
        layout.owner_of = vec![TABLE; layout.len];
        // Gives each of some cells in a row a class of its own.
        let number = |layout: &mut Layout, cells: Range<usize>, first: u32, owner: u8| {
            layout.owner_of[cells.clone()].fill(owner);
            layout.class_of[cells].iter_mut().zip(first..).for_each(|(of, class)| *of = class);
        };
        for (cell, class) in HEADER {
            layout.class_of[cell] = class;
        }
        layout.class_of[head::ORDER..head::SIZE].fill(ORDER);
        number(layout, head::SIZE..layout.seat_base, TABLE_VARIABLES, TABLE);
        for owner in 0..layout.seats {
            number(layout, layout.seat(owner, 0)..layout.seat(owner + 1, 0), seat, cast::seat(owner));
        }
        for index in 0..layout.pieces {
            // Counters have a class for each definition, so that values which depend on some cards survive changes of others.
            let first = piece + self.piece_definition[index] * cast::fit::<u32>(layout.piece_size);
            number(layout, layout.piece(index, 0)..layout.piece(index + 1, 0), first, PIECE);
        }
        for instance in layout.places.iter().filter(|instance| instance.room > 0) {
            let cells = instance.base as usize..=instance.base as usize + instance.room as usize;
            layout.class_of[cells.clone()].fill(place + u32::from(instance.declared));
            layout.owner_of[cells].fill(instance.owner);
        }
        for pool in &self.pools {
            // The counts of all classes of tokens in a pool have one class of cells.
            for owner in 0..if pool.of_seat { layout.seats } else { 1 } {
                let first = if pool.of_seat { layout.seat(owner, pool.offset as usize) } else { pool.offset as usize };
                let class = layout.class_of[first];
                layout.class_of[first..first + self.classes.len()].fill(class);
            }
        }
        let mut lifetimes = vec![None; count];
        self.variables_by_lifetime = Default::default();
        // For each scope: its first class, its number of cells, and the number of its instances.
        let scopes = [
            (TABLE_VARIABLES as usize, head::SIZE, 0, 1, &self.table),
            (seat as usize, 0, 0, 1, &self.seat),
            (piece as usize, 0, self.layout.piece_size, self.definitions.len(), &self.piece),
        ];
        for (scope, (first, start, size, times, variables)) in scopes.into_iter().enumerate() {
            for variable in variables.iter().filter(|variable| variable.lifetime != Lifetime::Game) {
                self.variables_by_lifetime[variable.lifetime as usize][scope].push((variable.offset, variable.len));
                let offsets = variable.offset as usize..variable.offset as usize + variable.len as usize;
                for class in (0..times).flat_map(|time| offsets.clone().map(move |offset| first + time * size + offset - start)) {
                    lifetimes[class] = Some(variable.lifetime);
                }
            }
        }
        for offset in self.quantities.iter().filter_map(|quantity| quantity.differences) {
            for lifetime in Lifetime::ALL.into_iter().filter(|&lifetime| lifetime != Lifetime::Game) {
                lifetimes[seat as usize + usize::from(offset) + lifetime as usize] = Some(lifetime);
            }
        }
        lifetimes
    }
}

#[cfg(test)]
mod tests {
    use crate::ruleset::{Lifetime, Variable, VariableSort};
    use crate::state::layout::piece;
    use crate::testing::rules;

    #[test]
    fn cells_of_copies_are_of_one_class_and_cells_of_other_cards_of_others() {
        let rules = rules(|_, _| {});
        let class = |card: usize, offset: usize| rules.layout.class_of[rules.layout.piece(card, offset)];
        assert_eq!(class(1, piece::COUNTERS), class(2, piece::COUNTERS), "two of one card");
        let all: std::collections::BTreeSet<u32> =
            (0..4).flat_map(|card| [piece::PLACE, piece::COUNTERS].map(|at| class(card, at))).collect();
        assert_eq!(all.len(), 6, "three cards, two cells each");
        assert!(!all.contains(&rules.layout.class_of[rules.layout.places[2].base as usize]));
    }

    #[test]
    fn a_counter_on_cards_ends_with_its_time_on_every_card() {
        let rules = rules(|rules, _| {
            let (name, offset, len) = ("spots".to_string(), piece::COUNTERS as u16, 1);
            rules.piece.push(Variable {
                name,
                offset,
                len,
                lifetime: Lifetime::Round,
                sort: VariableSort::Counter,
                words: Vec::new(),
                kinds: u64::MAX,
                unshown: false,
            });
        });
        let lasts = |card: usize, offset: usize| rules.write_effects[rules.layout.piece(card, offset)].lifetime;
        for card in 0..4 {
            assert_eq!([lasts(card, piece::COUNTERS), lasts(card, piece::PLACE)], [Some(Lifetime::Round), None]);
        }
    }
}
