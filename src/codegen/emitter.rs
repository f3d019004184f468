//! Emits the functions of a module, each when something first calls it.

use crate::boards::store;
use crate::cast;
use crate::data::Data;
use crate::function::{Argument, Function, I, moved};
use crate::listing::Listed;
use crate::memory::{DATA_AT, LOCALS_AT, MemoryHome, MemoryLayout, RESULT_AT, SET_OUT_AT};
use crate::ranges::Ranges;
use houserule_ruleset::Ruleset;
use houserule_ruleset::code::ValueId;
use houserule_ruleset::graph::{Expr, ExprId};
use std::collections::{HashMap, HashSet};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, FunctionSection, ImportSection, MemorySection,
    MemoryType, RefType, TableSection, TableType, TypeSection, ValType,
};

/// A module, and how to use it.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module in WebAssembly's binary format, without its constants.
    pub bytes: Vec<u8>,
    /// The constants, which are written into each memory of the module at [`DATA_AT`].
    pub data: Vec<u8>,
    /// Where its memory holds what.
    pub memory: MemoryLayout,
    /// For each expression that can be evaluated the index of its function.
    pub functions: HashMap<ExprId, u32>,
    /// For each cached value the index of the function that evaluates it; 0 if there is none.
    pub values: Vec<u32>,
    /// The functions that list options.
    pub listings: Listings,
    /// For each set of cards with a condition that can be evaluated the index of the function that lists its cards; 0 if there is none.
    pub sets: Vec<u32>,
    /// For each definition of a card and each of its changes the index of the function that makes the change; 0 if there is none.
    pub changes: Vec<Vec<u32>>,
}

/// The functions that list options, by their index; 0 where there is none.
#[derive(Clone, Debug, Default)]
pub struct Listings {
    turns: Vec<u32>,
    questions: Vec<u32>,
}

impl Listings {
    /// Returns the index of the function that lists these choices; `None` if there is none.
    #[inline]
    pub fn function(&self, listed: Listed) -> Option<u32> {
        let found = match listed {
            Listed::Turn(turns) => self.turns.get(usize::from(turns)),
            Listed::Question(question) => self.questions.get(question as usize),
        };
        found.copied().filter(|&function| function != 0)
    }
}

/// What a function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Task {
    /// Evaluates a cached value, unless it is valid.
    Value(ValueId),
    /// Evaluates an expression with the locals in memory.
    Root(ExprId),
    /// Lists the options of several choices.
    Listing(Listed),
    /// Lists the options of a choice behind what is listed.
    List(u16),
    /// Lists the cards of a set.
    Cards(u32),
    /// Evaluates a quantity with arguments.
    Quantity(u16),
    /// Makes a change of a quantity: the definition of the card, and the change.
    Change(u32, u16),
    /// Makes all changes of a quantity that are in effect.
    Changes,
    /// Multiplies two numbers of any size.
    Product,
    /// Calls another function by its index.
    Run,
    /// Calls another function by its index, and leaves what it gives at [`RESULT_AT`].
    RunInto,
}

/// The types of functions, by index.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub(crate) enum Kind {
    /// From slot and seat to a number.
    Plain,
    /// With two further arguments.
    Quantity,
    /// From slot, seat, card, two arguments and a number to the changed number.
    Change,
    /// From two numbers to a number.
    Product,
    /// From slot, seat and the index of a function to a number.
    Run,
    /// From a board, a space, a number of steps, and what is given.
    Reach,
    /// From a board, two spaces, and what is given, to a number.
    Distance,
    /// From slot, seat and the index of a function.
    RunInto,
    /// From a board of links and what is given to a number.
    OfLinks,
}

impl Task {
    fn kind(self) -> Kind {
        match self {
            Task::Value(_) | Task::Root(_) | Task::Listing(_) | Task::List(_) | Task::Cards(_) => Kind::Plain,
            Task::Quantity(_) => Kind::Quantity,
            Task::Change(..) | Task::Changes => Kind::Change,
            Task::Product => Kind::Product,
            Task::Run => Kind::Run,
            Task::RunInto => Kind::RunInto,
        }
    }
}

/// The functions of the host, with their types; their indices come before those of the module's own.
pub(crate) const HOST: [(&str, Kind); 11] = [
    // The last argument of some is the address of the slot, whose cells say where parts of cards lie.
    ("group", Kind::RunInto),
    ("longest_line", Kind::OfLinks),
    ("largest_group", Kind::OfLinks),
    ("reach", Kind::Reach),
    ("distance", Kind::Distance),
    // What is given stands in place of a space.
    ("areas", Kind::RunInto),
    ("longest_trail", Kind::OfLinks),
    ("open_ends", Kind::Run),
    ("fits", Kind::Distance),
    ("beside", Kind::RunInto),
    // From how many words and groups there are, and where what pays ends.
    ("lacking", Kind::OfLinks),
];

pub(crate) struct Emitter<'r> {
    pub rules: &'r Ruleset,
    pub memory: MemoryLayout,
    pub data: Data,
    /// Where the weights lie, once one is read.
    pub weights: Option<u32>,
    pub ranges: Ranges<'r>,
    functions: HashMap<Task, u32>,
    tasks: Vec<Task>,
    bodies: Vec<Function>,
}

/// Emits a module in which these expressions can be evaluated, on as many slots. `home` is told how large its memory has to be, in bytes, and
/// says where that lies.
///
/// An expression for which there is no code is left out of [`Module::functions`].
pub fn emit(rules: &Ruleset, roots: &[ExprId], slots: u32, home: impl FnOnce(u32) -> MemoryHome) -> Module {
    // The data is complete only when everything has been emitted, but what lies in a slot is addressed relative to the slot.
    let memory = MemoryLayout::new(rules, DATA_AT, slots);
    let mut emitter = Emitter {
        rules,
        memory,
        data: Data::default(),
        weights: None,
        ranges: Ranges::new(rules),
        functions: HashMap::new(),
        tasks: Vec::new(),
        bodies: Vec::new(),
    };
    let run = [Task::Run, Task::RunInto].map(|task| emitter.function(task));
    let changes = emitter.emit_changes();
    let values: Vec<u32> =
        (0..rules.code.cached_values().count()).map(|value| emitter.function(Task::Value(ValueId(cast::fit::<u16>(value))))).collect();
    let mut listings = |listed: Vec<Listed>| -> Vec<u32> { listed.into_iter().map(|one| emitter.function(Task::Listing(one))).collect() };
    let turns = listings((0..cast::fit::<u16>(rules.turns.len())).map(Listed::Turn).collect());
    let questions = listings((0..cast::fit::<u32>(rules.questions.len())).map(Listed::Question).collect());
    // Whoever evaluates the condition of a set does so for each of its cards.
    let asked: HashSet<ExprId> = roots.iter().copied().collect();
    let sets: Vec<u32> = (0..)
        .zip(&rules.sets)
        .map(|(index, set)| if set.filter.is_some_and(|filter| asked.contains(&filter)) { emitter.function(Task::Cards(index)) } else { 0 })
        .collect();
    let found: Vec<(ExprId, u32)> = roots.iter().map(|&root| (root, emitter.function(Task::Root(root)))).collect();
    emitter.emit_all();
    let unsupported = emitter.unsupported();
    let is_whole = |function: u32| (function as usize).checked_sub(HOST.len()).is_some_and(|index| !unsupported[index]);
    let whole =
        |functions: Vec<u32>| -> Vec<u32> { functions.into_iter().map(|function| if is_whole(function) { function } else { 0 }).collect() };
    let (values, sets, listings) = (whole(values), whole(sets), Listings { turns: whole(turns), questions: whole(questions) });
    let functions = found.into_iter().filter(|&(_, function)| is_whole(function)).collect();
    let memory = MemoryLayout::new(rules, emitter.data.end(), slots);
    let home = home(memory.size());
    let (bytes, data) = emitter.finish(run, &memory, home);
    Module { bytes, data, memory, functions, values, listings, sets, changes }
}

impl<'r> Emitter<'r> {
    /// Returns the index of the function that does something; it is emitted by [`Emitter::emit_all`].
    pub fn function(&mut self, task: Task) -> u32 {
        if let Some(&known) = self.functions.get(&task) {
            return known;
        }
        let number = cast::fit::<u32>(self.tasks.len() + HOST.len());
        self.functions.insert(task, number);
        self.tasks.push(task);
        number
    }

    /// Emits all functions, with those that they call, one behind the other: however long a chain of definitions is, it is no recursion.
    fn emit_all(&mut self) {
        while let Some(&task) = self.tasks.get(self.bodies.len()) {
            let body = match task {
                Task::Value(value) => self.value_function(value),
                Task::Root(root) => self.root_function(root),
                Task::Listing(listed) => self.listing_function(listed),
                Task::List(choice) => self.list_function(choice),
                Task::Cards(set) => self.cards_function(set),
                Task::Quantity(quantity) => self.quantity_function(quantity),
                Task::Change(definition, change) => self.change_function(definition, change),
                Task::Changes => self.changes_function(),
                Task::Product => crate::numbers::product_function(),
                Task::Run => run_function(),
                Task::RunInto => run_into_function(),
            };
            self.bodies.push(body);
        }
    }

    /// The size of the cells of a seat in bytes.
    pub fn seat_size(&self) -> i32 {
        cast::fit::<i32>(self.rules.layout.seat_size * 4)
    }

    /// Starts a function that evaluates these expressions.
    pub fn begin(&self, params: u32, roots: &[ExprId]) -> Function {
        let mut function = Function::new(params, self.seat_size());
        function.find_shared(&self.rules.graph, &self.rules.code, roots.iter().copied());
        function
    }

    fn root_function(&mut self, root: ExprId) -> Function {
        let mut f = self.begin(2, &[root]);
        f.set_locals(0, &[Argument::InMemory; houserule_ruleset::op::LOCALS]);
        if self.rules.graph[root].is_set_of_spaces() {
            let set = self.spaces(&mut f, root);
            store(&mut f, SET_OUT_AT, &set);
            f.i64(0);
        } else {
            self.value(&mut f, root);
        }
        f
    }

    /// A function that evaluates a cached value, unless it is valid, and returns its first number.
    fn value_function(&mut self, value: ValueId) -> Function {
        let known = *self.rules.code.cached_value(value);
        let Some(id) = known.body else { return self.unsupported_function(2) };
        let mut f = self.begin(2, &[id]);
        let (word, bit) = (u32::from(value.0) / 64 * 8, 1_i64.rotate_left(u32::from(value.0) % 64));
        let number = u32::from(known.slot) * 8;
        let memory = self.memory.clone();
        let at = f.int();
        f.get(0).get(1).address(memory.seat_size).put(I::I32Mul).put(I::I32Add);
        f.tee(at).load_long(memory.valid + word).i64(bit).put(I::I64And).i64(0).put(I::I64Ne).begin_if();
        f.get(at).load_long(memory.values + number).put(I::Return);
        f.end();
        let found = if let Expr::Rows { cards, var, filter, field, len, factor } = self.rules.graph[id] {
            self.rows(&mut f, (cards, var, filter), (field, len), factor)
        } else {
            let first = f.long();
            self.compute(&mut f, id);
            f.set(first);
            vec![first]
        };
        for (index, &found) in (0..).zip(&found) {
            f.get(at).get(found).store_long(memory.values + number + index * 8);
        }
        f.get(at).get(at).load_long(memory.valid + word).i64(bit).put(I::I64Or).store_long(memory.valid + word);
        f.get(found[0]);
        f
    }

    /// A function that is never called, because there is no expression for it.
    pub fn unsupported_function(&mut self, params: u32) -> Function {
        let mut f = self.begin(params, &[]);
        self.give_up(&mut f);
        f
    }

    /// Emits what stands for something that cannot be emitted.
    pub fn give_up(&mut self, f: &mut Function) {
        f.is_unsupported = true;
        f.put(I::Unreachable);
    }

    /// Returns for each function of the module whether it contains, or calls, what cannot be emitted.
    fn unsupported(&self) -> Vec<bool> {
        let mut found: Vec<bool> = self.bodies.iter().map(|body| body.is_unsupported).collect();
        let mut grown = true;
        while std::mem::take(&mut grown) {
            for (index, body) in self.bodies.iter().enumerate() {
                let calls = || body.calls.iter().filter_map(|&call| (call as usize).checked_sub(HOST.len()));
                if !found[index] && calls().any(|call| found[call]) {
                    found[index] = true;
                    grown = true;
                }
            }
        }
        found
    }

    fn finish(self, [run, run_into]: [u32; 2], memory: &MemoryLayout, home: MemoryHome) -> (Vec<u8>, Vec<u8>) {
        let mut module = wasm_encoder::Module::new();
        module.section(&types());
        let mut imports = ImportSection::new();
        for (name, kind) in HOST {
            imports.import("board", name, EntityType::Function(kind as u32));
        }
        let pages = u64::from(memory.size().div_ceil(0x1_0000));
        let of_its_own = MemoryType { minimum: pages, maximum: Some(pages), memory64: false, shared: false, page_size_log2: None };
        if let MemoryHome::Within(_) = home {
            imports.import("host", "memory", MemoryType { minimum: 0, maximum: None, ..of_its_own });
        }
        module.section(&imports);
        let mut functions = FunctionSection::new();
        self.tasks.iter().for_each(|task| _ = functions.function(task.kind() as u32));
        module.section(&functions);
        let all = cast::fit::<u32>(self.tasks.len() + HOST.len());
        let mut tables = TableSection::new();
        tables.table(TableType {
            element_type: RefType::FUNCREF,
            table64: false,
            minimum: all.into(),
            maximum: Some(all.into()),
            shared: false,
        });
        module.section(&tables);
        let mut exports = ExportSection::new();
        let base = match home {
            MemoryHome::OfItsOwn => {
                let mut memories = MemorySection::new();
                memories.memory(of_its_own);
                module.section(&memories);
                exports.export("memory", ExportKind::Memory, 0);
                0
            }
            MemoryHome::Within(base) => base,
        };
        exports.export("run", ExportKind::Func, run);
        exports.export("run_into", ExportKind::Func, run_into);
        module.section(&exports);
        let mut elements = ElementSection::new();
        let numbers: Vec<u32> = (0..all).collect();
        elements.active(None, &ConstExpr::i32_const(0), Elements::Functions(numbers.into()));
        module.section(&elements);
        let mut code = CodeSection::new();
        for body in self.bodies {
            let mut function = wasm_encoder::Function::new_with_locals_types(body.locals);
            body.code.iter().for_each(|instruction| _ = function.instruction(&moved(instruction, base)));
            function.instruction(&I::End);
            code.function(&function);
        }
        module.section(&code);
        (module.finish(), self.data.into_bytes())
    }
}

/// A function that calls another with its slot and seat.
fn run_function() -> Function {
    let mut f = Function::helper(3);
    f.get(0).get(1).get(2).put(I::CallIndirect { type_index: Kind::Plain as u32, table_index: 0 });
    f
}

/// The same for a host that takes no numbers of 64 bits from functions without making objects of them.
fn run_into_function() -> Function {
    let mut f = Function::helper(3);
    f.address(0).get(0).get(1).get(2).put(I::CallIndirect { type_index: Kind::Plain as u32, table_index: 0 });
    f.store_long(RESULT_AT);
    f
}

/// The types of functions, in the order of [`Kind`].
fn types() -> TypeSection {
    use ValType::{I32, I64};
    let mut types = TypeSection::new();
    let all: [(&[ValType], &[ValType]); 9] = [
        (&[I32, I32], &[I64]),
        (&[I32, I32, I64, I64], &[I64]),
        (&[I32, I32, I32, I64, I64, I64], &[I64]),
        (&[I64, I64], &[I64]),
        (&[I32, I32, I32], &[I64]),
        (&[I32, I32, I64, I32], &[]),
        (&[I32, I32, I32, I32], &[I64]),
        (&[I32, I32, I32], &[]),
        (&[I32, I32], &[I64]),
    ];
    for (params, results) in all {
        types.ty().function(params.iter().copied(), results.iter().copied());
    }
    types
}

/// The address of a local of the environment.
pub(crate) fn address_of_local(local: u8) -> u32 {
    LOCALS_AT + u32::from(local) * 4
}
