//! A function while it is emitted: its locals and instructions, and what is known in which local.

use crate::cast;
use houserule_ruleset::code::Code;
use houserule_ruleset::graph::{Expr, ExprId, Graph};
use houserule_ruleset::op::LOCALS;
use std::collections::HashSet;
pub(crate) use wasm_encoder::Instruction as I;
use wasm_encoder::{BlockType, MemArg, ValType};

/// A name in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// The variable of a loop.
    Var(u8),
    /// A local of the environment.
    Local(u8),
}

impl Name {
    /// Returns the name that an expression is, if it is one.
    pub fn of(expr: Expr) -> Option<Name> {
        if let Expr::Var { var } = expr {
            Some(Name::Var(var))
        } else if let Expr::Local { local } = expr {
            Some(Name::Local(local))
        } else {
            None
        }
    }

    fn index(self) -> usize {
        match self {
            Name::Var(var) => var.into(),
            Name::Local(local) => FIRST_LOCAL + usize::from(local),
        }
    }
}

/// A name that has been bound, what it stood for before, and the loop by which it was bound.
#[must_use]
pub(crate) struct Binding(usize, Argument, u32);

/// For whom, and on which cells, what follows is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seat {
    /// The local that holds the address of the slot.
    pub slot: u32,
    /// The local that holds the seat.
    pub me: u32,
    /// The local that holds the address of the slot plus that of the seat's cells, relative to the first seat's.
    pub own: u32,
    /// Tells apart the seats for which parts of a function are evaluated.
    id: u32,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Argument {
    /// Nothing: it is not bound.
    Unbound,
    /// The local of the environment, in memory.
    InMemory,
    /// A local of the function, of 64 bits.
    Given(u32),
    /// A local of the function, of 32 bits.
    Small(u32),
    /// A piece, counted from 1, in a local of 32 bits.
    Piece(u32),
    /// A seat, in a local of 32 bits.
    Seat(u32),
    /// There is none: -1.
    None,
}

/// How many variables an expression can read, and how many variables and locals.
const FIRST_LOCAL: usize = u16::BITS as usize;
const NAMES: usize = FIRST_LOCAL + LOCALS;

/// An expression that has been evaluated: its local, for which seat, and by which loops the variables were bound that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Known {
    id: ExprId,
    local: u32,
    seat: u32,
    bindings: [u32; NAMES],
}

/// A function while it is emitted.
pub(crate) struct Function {
    params: u32,
    pub locals: Vec<ValType>,
    pub code: Vec<I<'static>>,
    /// What has been evaluated, and in which local it is.
    known: Vec<Known>,
    /// For each variable, and behind these each local, what it stands for, and the number of the loop that binds it now; and of the last loop.
    arguments: [Argument; NAMES],
    bindings: [u32; NAMES],
    loops: u32,
    /// The expressions that occur more than once.
    shared: HashSet<ExprId>,
    pub seat: Seat,
    seats: u32,
    /// The functions that it calls, by index.
    pub calls: Vec<u32>,
    /// Whether it contains what cannot be emitted.
    pub is_unsupported: bool,
    /// How many expressions within each other are being emitted.
    pub depth: u32,
}

impl Function {
    /// Starts a function for an expression: the first two of its parameters are the slot and the seat, whose cells have this size in bytes.
    pub fn new(params: u32, seat_size: i32) -> Function {
        let mut function = Function::helper(params);
        function.seat.own = function.own_cells(0, 1, seat_size);
        function
    }

    /// Starts a function with this number of parameters that evaluates no expression.
    pub fn helper(params: u32) -> Function {
        Function {
            params,
            locals: Vec::new(),
            code: Vec::new(),
            known: Vec::new(),
            arguments: std::array::from_fn(|name| if name < FIRST_LOCAL { Argument::Unbound } else { Argument::None }),
            bindings: [0; NAMES],
            loops: 0,
            shared: HashSet::new(),
            seat: Seat { slot: 0, me: 1, own: 0, id: 0 },
            seats: 0,
            calls: Vec::new(),
            is_unsupported: false,
            depth: 0,
        }
    }

    fn own_cells(&mut self, slot: u32, me: u32, seat_size: i32) -> u32 {
        let own = self.int();
        self.get(slot).get(me).i32(seat_size).put(I::I32Mul).put(I::I32Add).set(own);
        own
    }

    /// Evaluates what follows for another seat and slot, each in a local; returns the seat before.
    pub fn enter(&mut self, slot: u32, me: u32, seat_size: i32) -> Seat {
        let own = self.own_cells(slot, me, seat_size);
        self.seats += 1;
        std::mem::replace(&mut self.seat, Seat { slot, me, own, id: self.seats })
    }

    // ------------------------------------------------------------------ what is known

    /// Notes which expressions occur more than once below these roots.
    pub fn find_shared(&mut self, graph: &Graph, code: &Code, roots: impl IntoIterator<Item = ExprId>) {
        let mut met = HashSet::new();
        let mut left: Vec<ExprId> = roots.into_iter().flat_map(|root| graph[root].operands().collect::<Vec<_>>()).collect();
        while let Some(part) = left.pop() {
            if !met.insert(part) {
                self.shared.insert(part);
            } else if code.value_of(part).is_none() {
                left.extend(graph[part].operands());
            }
        }
    }

    /// Whether an expression occurs more than once.
    pub fn is_shared(&self, id: ExprId) -> bool {
        self.shared.contains(&id)
    }

    /// The loops that bind the variables which an expression reads.
    fn bindings_of(&self, graph: &Graph, id: ExprId) -> [u32; NAMES] {
        let (facts, mut bindings) = (graph.facts(id), self.bindings);
        let read = u32::from(facts.vars) | u32::from(facts.locals) << FIRST_LOCAL;
        for (name, binding) in bindings.iter_mut().enumerate() {
            *binding *= read >> name & 1;
        }
        bindings
    }

    /// Returns the local that holds the value of an expression for the current seat and variables, if it has been evaluated.
    pub fn known(&self, graph: &Graph, id: ExprId) -> Option<u32> {
        let mut found = self.known.iter().rev().filter(|known| known.id == id && known.seat == self.seat.id).peekable();
        found.peek()?;
        let bindings = self.bindings_of(graph, id);
        found.find(|known| known.bindings == bindings).map(|known| known.local)
    }

    /// Notes that a local holds the value of an expression.
    pub fn remember(&mut self, graph: &Graph, id: ExprId, local: u32) {
        self.known.push(Known { id, local, seat: self.seat.id, bindings: self.bindings_of(graph, id) });
    }

    /// Returns a mark; what becomes known after it is known only under a condition, and forgotten by [`Function::forget`].
    pub fn mark(&self) -> usize {
        self.known.len()
    }

    /// Forgets what has become known since a mark.
    pub fn forget(&mut self, mark: usize) {
        self.known.truncate(mark);
    }

    /// Binds a name; returns what [`Function::unbind`] needs.
    pub fn bind(&mut self, name: Name, argument: Argument) -> Binding {
        self.loops += 1;
        let name = name.index();
        let before = std::mem::replace(&mut self.arguments[name], argument);
        Binding(name, before, std::mem::replace(&mut self.bindings[name], self.loops))
    }

    /// Gives a name what it stood for before.
    pub fn unbind(&mut self, Binding(name, argument, binding): Binding) {
        (self.arguments[name], self.bindings[name]) = (argument, binding);
    }

    /// Says what the locals of the environment stand for, from one on, throughout the function.
    pub fn set_locals(&mut self, first: usize, arguments: &[Argument]) {
        self.arguments[FIRST_LOCAL + first..][..arguments.len()].copy_from_slice(arguments);
    }

    /// Returns what a name stands for.
    pub fn argument(&self, name: Name) -> Argument {
        self.arguments[name.index()]
    }

    // ------------------------------------------------------------------ instructions

    fn local(&mut self, of: ValType) -> u32 {
        self.locals.push(of);
        self.params + cast::fit::<u32>(self.locals.len()) - 1
    }

    /// Creates a local of 64 bits.
    pub fn long(&mut self) -> u32 {
        self.local(ValType::I64)
    }

    /// Creates a local of 32 bits.
    pub fn int(&mut self) -> u32 {
        self.local(ValType::I32)
    }

    /// Adds an instruction. As all that leaves a value on the stack, it gives the function back, so that what takes the value can follow.
    pub fn put(&mut self, instruction: I<'static>) -> &mut Function {
        self.code.push(instruction);
        self
    }

    pub fn get(&mut self, local: u32) -> &mut Function {
        self.put(I::LocalGet(local))
    }

    pub fn set(&mut self, local: u32) {
        self.put(I::LocalSet(local));
    }

    pub fn tee(&mut self, local: u32) -> &mut Function {
        self.put(I::LocalTee(local))
    }

    /// The address of the slot.
    pub fn slot(&mut self) -> &mut Function {
        self.get(self.seat.slot)
    }

    /// The current seat.
    pub fn me(&mut self) -> &mut Function {
        self.get(self.seat.me)
    }

    /// The address of the cells of the current seat, relative to the first seat's.
    pub fn own(&mut self) -> &mut Function {
        self.get(self.seat.own)
    }

    pub fn i32(&mut self, value: i32) -> &mut Function {
        self.put(I::I32Const(value))
    }

    /// A constant address, or a distance between addresses.
    pub fn address(&mut self, value: u32) -> &mut Function {
        self.i32(cast::fit::<i32>(value))
    }

    pub fn i64(&mut self, value: i64) -> &mut Function {
        self.put(I::I64Const(value))
    }

    /// Calls a function.
    pub fn call(&mut self, function: u32) -> &mut Function {
        self.calls.push(function);
        self.put(I::Call(function))
    }

    /// Begins a block that runs if the number on the stack is not 0.
    pub fn begin_if(&mut self) {
        self.put(I::If(BlockType::Empty));
    }

    /// Begins a block that [`Function::again_if`] leaves.
    pub fn begin_block(&mut self) {
        self.put(I::Block(BlockType::Empty));
    }

    /// Begins a block that gives a number of 64 bits.
    pub fn begin_if_long(&mut self) {
        self.put(I::If(BlockType::Result(ValType::I64)));
    }

    /// Begins a block that gives a condition.
    pub fn begin_if_int(&mut self) {
        self.put(I::If(BlockType::Result(ValType::I32)));
    }

    pub fn or_else(&mut self) {
        self.put(I::Else);
    }

    pub fn end(&mut self) {
        self.put(I::End);
    }

    /// Begins a loop; [`Function::again_if`] goes back to here.
    pub fn begin_loop(&mut self) {
        self.put(I::Loop(BlockType::Empty));
    }

    /// Goes back to the start of the innermost loop or leaves the innermost block if the number on the stack is not 0.
    pub fn again_if(&mut self) {
        self.put(I::BrIf(0));
    }

    /// Does the same if the number on the stack is 0.
    pub fn again_unless(&mut self) {
        self.put(I::I32Eqz).again_if();
    }

    /// Moves a number of 32 bits in a local on by so much, and leaves it on the stack.
    pub fn step(&mut self, local: u32, by: u32) -> &mut Function {
        self.get(local).address(by).put(I::I32Add).tee(local)
    }

    /// Moves an address in a local on by so many bytes.
    pub fn advance(&mut self, local: u32, by: u32) {
        self.get(local).address(by).put(I::I32Add).set(local);
    }

    /// Goes back to the start of the innermost loop if the number of 32 bits on the stack but one is below that on the stack.
    pub fn again_if_below(&mut self) {
        self.put(I::I32LtU).again_if();
    }

    /// Counts a local down, and goes back to the start of the innermost loop while something is left.
    pub fn again_while(&mut self, left: u32) {
        self.get(left).i32(1).put(I::I32Sub).tee(left).again_if();
    }

    /// Reports an arithmetic error if the number on the stack is not 0.
    pub fn trap_if(&mut self) {
        self.begin_if();
        self.put(I::Unreachable).end();
    }

    /// Reads 32 bits at the address on the stack plus an offset.
    pub fn load(&mut self, offset: u32) -> &mut Function {
        self.put(I::I32Load(at(offset, 2)))
    }

    /// Reads 32 bits as a number of 64, with its sign.
    pub fn load_cell(&mut self, offset: u32) -> &mut Function {
        self.put(I::I64Load32S(at(offset, 2)))
    }

    /// Reads 64 bits.
    pub fn load_long(&mut self, offset: u32) -> &mut Function {
        self.put(I::I64Load(at(offset, 3)))
    }

    /// Reads a byte.
    pub fn load_flag(&mut self, offset: u32) -> &mut Function {
        self.put(I::I32Load8U(at(offset, 0)))
    }

    /// Writes 32 bits.
    pub fn store(&mut self, offset: u32) {
        self.put(I::I32Store(at(offset, 2)));
    }

    /// Writes 64 bits.
    pub fn store_long(&mut self, offset: u32) {
        self.put(I::I64Store(at(offset, 3)));
    }

    /// Multiplies the number of 32 bits on the stack by a constant.
    pub fn scale(&mut self, by: u32) -> &mut Function {
        if by.is_power_of_two() { self.address(by.trailing_zeros()).put(I::I32Shl) } else { self.address(by).put(I::I32Mul) }
    }

    /// Makes a number of cells of the distance between two addresses on the stack.
    pub fn scale_down(&mut self) -> &mut Function {
        self.i32(2).put(I::I32ShrU)
    }

    /// Makes a number of 64 bits of one of 32 that is not negative.
    pub fn widen(&mut self) -> &mut Function {
        self.put(I::I64ExtendI32U)
    }

    /// Makes a number of 32 bits of one of 64.
    pub fn narrow(&mut self) -> &mut Function {
        self.put(I::I32WrapI64)
    }
}

/// An instruction on a memory that begins at `base` of another.
#[expect(clippy::wildcard_enum_match_arm, reason = "all others leave memory alone, and there are hundreds")]
pub(crate) fn moved(instruction: &I<'static>, base: u32) -> I<'static> {
    let at = |at: &MemArg| MemArg { offset: at.offset + u64::from(base), ..*at };
    match instruction {
        I::I32Load(arg) => I::I32Load(at(arg)),
        I::I64Load32S(arg) => I::I64Load32S(at(arg)),
        I::I64Load(arg) => I::I64Load(at(arg)),
        I::I32Load8U(arg) => I::I32Load8U(at(arg)),
        I::I32Store(arg) => I::I32Store(at(arg)),
        I::I64Store(arg) => I::I64Store(at(arg)),
        other => other.clone(),
    }
}

fn at(offset: u32, align: u32) -> MemArg {
    MemArg { offset: u64::from(offset), align, memory_index: 0 }
}
