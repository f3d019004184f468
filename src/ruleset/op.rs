//! The program that the engine runs: a flat list of ops, lowered from the statements of the rules and the entries of cards.

use super::declared::Lifetime;
use super::definition::ScriptQuestion;
use super::graph::{Member, no_parts};
pub use super::ids::Pc;
use super::node::{Compare, NodeId};
use super::program::Chance;
use super::tokens::TokenCost;
use crate::cast;
use crate::source::Span;
use std::ops::Range;

/// The number of locals of a frame.
pub const LOCALS: usize = 12;
/// The local with the answer to the question of a card's entry.
pub const ANSWER: usize = LOCALS - 1;

/// Whose cells a statement writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// Those of the table.
    Table,
    /// Those of a seat: the current one unless another is named.
    Seat(Option<NodeId>),
    /// Those of a piece.
    Piece(NodeId),
}

/// The target of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// Whose cells it is among.
    pub of: Cells,
    /// The offset of its cell there, or of the first of a run.
    pub offset: u16,
    /// The length of the run and the index of the element that is written; `None` for a single cell.
    pub element: Option<(u16, NodeId)>,
}

/// The operator of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// The operator `=`.
    Set,
    /// The operator `+=`.
    Add,
    /// The operator `-=`.
    Sub,
}

/// The seats to which cards are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewers<P = NodeId> {
    /// These seats.
    Players(Whom),
    /// One seat; none if it is nobody.
    Seat(P),
}

impl<P> Viewers<P> {
    /// Returns the same with what `f` makes of the one seat.
    pub fn map<Q>(&self, f: impl FnOnce(&P) -> Q) -> Viewers<Q> {
        match self {
            Viewers::Players(whom) => Viewers::Players(*whom),
            Viewers::Seat(seat) => Viewers::Seat(f(seat)),
        }
    }
}

/// The seats that a loop visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// All seats, including the current one.
    All,
    /// All but the seat that is current outside of the loop.
    Others,
    /// The seats of the team of the seat that is current outside of the loop.
    Team,
    /// Those of its team without itself.
    Partners,
    /// Those of other teams.
    OtherTeams,
}

/// The direction in which seats are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From first to last.
    Forward,
    /// From last to first.
    Reverse,
}

/// A sort key of an order of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderKey<V = NodeId> {
    /// By an expression, the highest value first.
    By(V),
    /// By the current order of seats.
    Present,
}

impl<V> OrderKey<V> {
    /// Returns the same with what `f` makes of the expression.
    pub fn map<W>(&self, f: impl FnOnce(&V) -> W) -> OrderKey<W> {
        match self {
            OrderKey::By(value) => OrderKey::By(f(value)),
            OrderKey::Present => OrderKey::Present,
        }
    }
}

/// Makes the enum of ops from their table, and a way to replace the expressions in any op.
macro_rules! ops {
    ($(#[$about:meta])* pub enum Op { $($(#[$doc:meta])* $name:ident $({ $($member:ident: $type:ty),* })?,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "a line says what its members are")]
        pub enum Op {
            $($(#[$doc])* $name $({ $($member: $type),* })?,)*
        }

        impl Op {
            /// Returns this op with each of its expressions replaced by what `f` returns for it.
            pub fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Op {
                let _ = &f;
                match self {
                    $(Op::$name $({ $($member),* })? => Op::$name $({ $($member: $member.map_operands(f)),* })?,)*
                }
            }
        }
    };
}

ops! {
    /// An op. Loops and questions keep their data as operands on the stack, behind the running frame.
    pub enum Op {
    // ------------------------------------------------------------------ control flow
    /// Jumps to another op without a condition.
    Jump { to: Pc },
    /// Jumps if a condition does not hold.
    Unless { condition: NodeId, to: Pc },
    /// Ends the running routine: pops its frame from the stack.
    Return,
    /// Calls an effect of the rules with arguments.
    Call { effect: u16, args: Box<[NodeId]> },
    /// Stores a value in a local, which is read until `end`. If the value is `private`, the next local gets the seats that do not know it.
    Let { local: u8, value: NodeId, is_card: bool, private: bool, end: Pc },
    /// Stores a random card of a set in a local, or no card.
    LetRandom { local: u8, set: u32, end: Pc },
    /// Stores a random number, word or player in a local: see [`Chance`].
    LetChance { local: u8, chance: u32, end: Pc },
    /// Begins a loop over a list of numbers.
    EachWord,
    /// Stores the next number of the list in a local, or jumps to `end` after the last.
    NextWord { local: u8, words: u32, end: Pc },
    /// Begins a loop over the numbers from one to another; a fault if they are too many.
    EachNumber { from: NodeId, to: NodeId },
    /// Stores the next number in a local, or jumps to `end` after the last.
    NextNumber { local: u8, end: Pc },
    /// Begins a loop over the cards of a set, which is evaluated now.
    EachCard { set: u32 },
    /// Stores the next card in a local, or jumps to `end` after the last.
    NextCard { local: u8, end: Pc },
    /// Begins a loop with a number of repetitions.
    Repeat { times: NodeId },
    /// Counts a repetition, or jumps to `end` after the last.
    NextTime { end: Pc },
    /// Jumps to `end` when a condition holds; a fault if the repetitions are used up.
    Until { condition: NodeId, end: Pc },
    /// Begins a loop over the players, in their order at this time, perhaps with one of them as the first.
    EachPlayer { whom: Whom, direction: Direction, from: Option<NodeId> },
    /// Makes the next player for whom the filter holds the current seat, or jumps to `end` after the last.
    NextPlayer { filter: Option<NodeId>, end: Pc },
    /// Begins a simultaneous block for the players for whom the filter holds; jumps to `end` if there are none.
    Simultaneous { whom: Whom, filter: Option<NodeId>, secretly: bool, end: Pc },
    /// Ends the body of a simultaneous block for one player; jumps to `body` for the next.
    NextSimultaneous { body: Pc },
    /// Makes another seat the current one; jumps to `end` if it is nobody.
    As { seat: NodeId, end: Pc },
    /// Makes the seat that was current before [`Op::As`] the current one again.
    EndAs,
    /// Runs the waiting frames on the stack, each to its end, the first raised first.
    Waiting,

    // ------------------------------------------------------------------ the course of a game
    /// Begins a part of the program. Between parts no question is open and no frame is waiting.
    Part { part: u32 },
    /// A point within a part at which no frame is waiting, so that the state can be saved there.
    Rest,
    /// Begins the passes through a phase that is repeated.
    BeginPasses,
    /// Counts a pass through a phase, or jumps to `end` when its condition holds; a fault if there are too many.
    NextPass { condition: NodeId, end: Pc },
    /// Puts the cards into play that were dealt to seats before the game.
    Deal,
    /// Begins a round of the game.
    Round,
    /// Ends a lifetime: resets its variables.
    End { lifetime: Lifetime },
    /// Runs turns until all players have passed.
    Turn { turns: u16 },
    /// Pays the costs of an action in resources.
    Costs { choice: u16 },
    /// Ends an action.
    Acted { free: bool },
    /// Adds an action to the turn that is running.
    PlayAgain,
    /// Ends something that is running, and abandons what runs in it.
    EndNow { what: Ending },
    /// Ends a round; jumps to `back` if another round follows.
    RoundEnd { back: Pc },
    /// Ends the game.
    Finish,

    // ------------------------------------------------------------------ questions
    /// Asks a question of the rules and jumps to the body of the chosen choice. The list `list` holds the targets of the choices, then the
    /// target if there is no option, then the target for choosing nothing.
    Ask { question: u32, list: u32 },
    /// Begins a series of picks among the choices of a question: any number of them, unless their least or greatest number is given.
    Picks { question: u32, least: Option<NodeId>, most: Option<NodeId> },
    /// Asks for the next pick, and jumps as [`Op::Ask`] does.
    NextPick { question: u32, list: u32 },
    /// Begins a series of picks of tokens.
    PickTokens { pick: u32 },
    /// Asks for the next token, or jumps to `end` if no more are picked.
    NextToken { pick: u32, end: Pc },
    /// Begins a payment in any mix of resources.
    Mix { amount: NodeId, mix: u32 },
    /// Picks the next unit of the payment; pays when it is complete.
    NextUnit { mix: u32 },
    /// Begins a payment in tokens.
    Spend { cost: TokenCost },
    /// Picks the next token of the payment; pays when it is complete.
    NextPayer { from: u8, to: u8 },
    /// Asks the question of a card's entry and stores the answer in a local, or jumps to `no` if there is none.
    AskFirst { ask: u32, no: Pc },
    /// Runs the script of a card.
    Script { script: u32 },
    /// Puts a card into the place of its kind.
    PlaceInSlot { card: NodeId },
    /// Puts a card into a place, of the current seat or of another one.
    PlaceIn { card: NodeId, place: u16, how: Placing, owner: Option<NodeId> },

    /// Puts a card onto a map, at the position of the card `position`.
    PlaceAt { card: NodeId, map: u16, position: NodeId },

    // ------------------------------------------------------------------ changes of the state
    /// Gives an amount of a resource.
    Gain { amount: NodeId, resource: NodeId },
    /// Takes an amount of a resource by force; a shortage rule runs if there is too little. Cards may replace a named loss.
    Lose { amount: NodeId, resource: NodeId, name: Option<u16> },
    /// Pays an amount of a resource.
    Pay { amount: NodeId, resource: NodeId },
    /// A fault if something is lacking of a price.
    ExpectPaid { lacking: NodeId },
    /// Pays the costs of an action printed on a card, and counts the use.
    PayCard,
    /// Pays the costs of a card's entry; the listeners run before its script.
    PayFirst { costs: Box<[(NodeId, u8)]> },
    /// Assigns to a variable.
    Write { written: Box<(Target, Write, NodeId)> },
    /// Puts a word into a set, or takes it out.
    WriteWord { of: Cells, offset: u16, word: NodeId, is_in: bool },
    /// Puts a card onto a grid, in a row and column, both from 1.
    PlaceInRow { card: NodeId, map: u16, row: NodeId, column: NodeId },
    /// Draws a card from a deck into a place, of the current seat or of another one. Cards may replace a named draw.
    Draw { deck: u16, pile: NodeId, from_bottom: bool, to: u16, name: Option<u16>, owner: Option<NodeId> },
    /// Makes the cards of a set known to seats.
    Show { set: u32, to: Viewers },
    /// Makes a card known to seats.
    ShowCard { card: NodeId, to: Viewers },
    /// Makes the value of a field of a card known to seats, or whether it compares so with another.
    ShowPart { card: NodeId, clue: u16, whether: Option<(Compare, NodeId)>, to: Viewers },
    /// Shows a hidden value of the current seat or of another one to seats.
    ShowValue { secret: u16, owner: Option<NodeId>, to: Viewers },
    /// Fills the empty slots of a grid from a deck.
    Fill { grid: u16, deck: u16, pile: NodeId },
    /// Removes all cards of a set from the game.
    RemoveSet { set: u32 },
    /// Removes a card from the game.
    Remove { card: NodeId },
    /// Moves the cards of a row of a grid to another row, packed left.
    MoveRow { grid: u16, from: NodeId, to: NodeId },
    /// Moves the cards in a place of each seat to the next seat in the order, or to the previous one.
    PassOn { place: u16, direction: Direction },
    /// Puts cards into a deck, and shuffles it or these cards.
    Shuffle { set: Option<u32>, stacking: Stacking, deck: u16, pile: NodeId },
    /// Swaps two cards.
    Swap { a: NodeId, b: NodeId },
    /// Puts copies of the cards in a printed list from the box into a place.
    Put { card: NodeId, field: u16, to: u16 },
    /// Puts copies of cards from the box into a place.
    PutNamed { definitions: Box<[i32]>, to: u16 },
    /// Raises a moment, so that the hooks that listen to it are queued.
    Moment { moment: u16, card: Option<NodeId> },
    /// Sorts the order of seats.
    OrderBy { keys: Box<[OrderKey]> },
    /// Rotates the order of seats, so that it begins with the first seat for which a condition holds.
    OrderFrom { holds: NodeId },
    /// Reverses the order of seats.
    OrderReversed,
    /// Shuffles the order of seats.
    OrderRandom,
    /// Starts the action printed on a card.
    CardActs { card: NodeId },
    /// Moves up to a number of tokens of a set, which may be drawn at random, from one pool to another, or all.
    Take { amount: Option<NodeId>, at_random: bool, set: u32, from: u8, to: u8 },
    /// Moves the picked token in a local to a pool.
    MoveOne { local: u8, to: u8 },
    /// Turns all tokens of a set in a pool blank.
    Lift { set: u32, pool: u8 },
    /// Turns the picked token in a local blank.
    LiftOne { local: u8 },
    /// Rolls the blank dice in a pool.
    Roll { pool: u8 },
    }
}

no_parts!(Pc, Whom, Direction, Lifetime, Write, Placing, Stacking, Ending);

impl Member for Cells {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Cells {
        match self {
            Cells::Table => Cells::Table,
            Cells::Seat(seat) => Cells::Seat(seat.map_operands(f)),
            Cells::Piece(card) => Cells::Piece(f(card)),
        }
    }
}

impl Member for Target {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Target {
        let of = self.of.map_operands(f);
        Target { of, element: self.element.map(|(len, index)| (len, f(index))), ..self }
    }
}

impl Member for Viewers {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Viewers {
        self.map(|seat| f(*seat))
    }
}

impl Member for OrderKey {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> OrderKey {
        self.map(|value| f(*value))
    }
}

impl Member for TokenCost {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> TokenCost {
        TokenCost { amount: f(self.amount), symbol: f(self.symbol), ..self }
    }
}

impl Member for (NodeId, u8) {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> (NodeId, u8) {
        (f(self.0), self.1)
    }
}

impl Member for (Compare, NodeId) {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> (Compare, NodeId) {
        (self.0, f(self.1))
    }
}

impl Member for Box<(Target, Write, NodeId)> {
    fn map_operands(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Self {
        let (target, operator, value) = *self;
        Box::new((target.map_operands(f), operator, f(value)))
    }
}

impl Op {
    /// Whether the op asks a seat, unless there is nothing to choose.
    pub fn is_question(&self) -> bool {
        let of_rules = matches!(self, Op::Ask { .. } | Op::NextPick { .. } | Op::NextToken { .. });
        of_rules || matches!(self, Op::NextUnit { .. } | Op::NextPayer { .. } | Op::AskFirst { .. })
    }

    /// Whether the op itself may raise a moment, so that listeners must run after it.
    pub fn raises_moments(&self) -> bool {
        matches!(self, Op::Pay { .. } | Op::PayFirst { .. } | Op::Moment { .. })
    }

    /// Returns the deck into which the op puts cards from elsewhere; `is_deck` says whether a place is a deck.
    pub fn goes_to_deck(&self, is_deck: impl Fn(u16) -> bool) -> Option<u16> {
        if let Op::Shuffle { set: Some(_), deck, .. } = self {
            Some(*deck)
        } else if let Op::PlaceIn { place, .. } = self {
            Some(*place).filter(|place| is_deck(*place))
        } else {
            None
        }
    }
}

/// Where in a place a card is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    /// Into a free slot; on top where cards lie upon each other.
    Free,
    /// The same, or over another card, as the seat chooses.
    OverOne,
    /// Below all others, where cards lie upon each other.
    Under,
}

/// What rules may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The turn that is running.
    Turn,
    /// The phase that is running, with its turns and steps.
    Phase,
    /// The round, with its phases.
    Round,
    /// The game.
    Game,
}

/// Where in a deck cards go that are shuffled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stacking {
    /// Among all that lies there, which is shuffled with them.
    Into,
    /// On top of what lies there, whose order stays.
    Onto,
    /// Below what lies there, whose order stays.
    Under,
}

/// All ops of a ruleset, and the lists that they refer to.
#[derive(Clone, Debug, Default)]
pub struct Ops {
    /// The ops, in program order.
    pub all: Vec<Op>,
    /// The place of the statement of each op, if it is known.
    pub spans: Vec<Option<Span>>,
    /// The owner of the ops from an index on, for messages; sorted.
    pub owners: Vec<(Pc, String)>,
    /// The start of each part of the program; the last is the end of the game.
    pub parts: Vec<Pc>,
    /// The lists of numbers over which [`Op::NextWord`] loops.
    pub words: Vec<Box<[i32]>>,
    /// The lists of jump targets of questions, see [`Op::Ask`].
    pub choices: Vec<Box<[Pc]>>,
    /// Series of picks of tokens.
    pub picks: Vec<super::tokens::TokenPick>,
    /// The resources of payments in any mix.
    pub mixes: Vec<Box<[u8]>>,
    /// What chance chooses among, by index.
    pub chances: Vec<Chance>,
    /// The questions that entries of cards ask before their scripts.
    pub card_questions: Vec<ScriptQuestion>,
    /// The place of the statement whose ops are being added.
    pub span: Option<Span>,
}

/// A jump whose target is not known yet.
#[must_use]
pub struct ForwardJump<F> {
    index: Pc,
    op: F,
}

/// Building the list of ops.
impl Ops {
    /// Returns the index that the next op will get.
    pub fn next_pc(&self) -> Pc {
        Pc(cast::fit::<u32>(self.all.len()))
    }

    /// Appends an op.
    pub fn emit(&mut self, op: Op) -> Pc {
        let index = self.next_pc();
        self.all.push(op);
        self.spans.push(self.span);
        index
    }

    /// Appends an op with a jump forwards; [`Ops::bind_jump`] sets its target.
    pub fn emit_jump<F: Fn(Pc) -> Op>(&mut self, op: F) -> ForwardJump<F> {
        ForwardJump { index: self.emit(op(Pc(0))), op }
    }

    /// Sets the target of a jump to the next op.
    pub fn bind_jump<F: Fn(Pc) -> Op>(&mut self, emit_jump: ForwardJump<F>) {
        let here = self.next_pc();
        self.all[emit_jump.index.0 as usize] = (emit_jump.op)(here);
    }

    /// Begins a routine whose ops belong to this owner; returns the index of its first op.
    pub fn begin_routine(&mut self, name: impl Into<String>) -> Pc {
        self.span = None;
        let index = self.next_pc();
        self.owners.push((index, name.into()));
        index
    }

    /// Ends a routine.
    pub fn end_routine(&mut self) {
        self.span = None;
        self.emit(Op::Return);
    }

    /// Begins the next part of the program.
    pub fn begin_part(&mut self) {
        self.span = None;
        let index = self.emit(Op::Part { part: cast::fit::<u32>(self.parts.len()) });
        self.parts.push(index);
    }

    /// Ends the program.
    pub fn end_program(&mut self) {
        let index = self.emit(Op::Finish);
        self.parts.push(index);
    }
}

/// Reading the list of ops.
impl Ops {
    /// Returns the ops of a range of parts of the program.
    pub fn of_parts(&self, parts: Range<usize>) -> &[Op] {
        let begin = |part: usize| self.parts.get(part).map(|pc| pc.0 as usize);
        let found = begin(parts.start).zip(begin(parts.end)).and_then(|(from, to)| self.all.get(from..to));
        found.unwrap_or(&[])
    }

    /// Returns the ops of a part of the program; empty if there is no such part.
    pub fn of_part(&self, part: usize) -> &[Op] {
        self.of_parts(part..part + 1).get(1..).unwrap_or(&[])
    }

    /// Returns the number of parts of the program.
    pub fn part_count(&self) -> usize {
        self.parts.len().saturating_sub(1)
    }

    /// Returns the ops of a routine, from its start to its return.
    pub fn routine(&self, begin: Pc) -> &[Op] {
        let rest = &self.all[begin.0 as usize..];
        &rest[..rest.iter().position(|op| matches!(op, Op::Return)).unwrap_or(rest.len())]
    }

    /// Returns the positions of these ops.
    pub(crate) fn routine_range(&self, begin: Pc) -> Range<u32> {
        begin.0..begin.0 + cast::fit::<u32>(self.routine(begin).len())
    }

    /// Returns all ops, each with its position.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, &Op)> {
        (0..).zip(&self.all)
    }

    /// Returns the owner of an op, for messages.
    pub fn owner(&self, pc: Pc) -> &str {
        let behind = self.owners.partition_point(|owner| owner.0 <= pc);
        behind.checked_sub(1).map_or("", |index| &self.owners[index].1)
    }

    /// Returns the place of the statement of an op.
    pub fn span(&self, pc: Pc) -> Option<Span> {
        self.spans.get(pc.0 as usize).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileId;

    #[test]
    fn an_op_belongs_to_the_owner_before_it() {
        let mut ops = Ops { owners: vec![(Pc(2), "wolf".to_string()), (Pc(5), "wall".to_string())], ..Ops::default() };
        let names: Vec<&str> = [0, 2, 4, 5, 90].iter().map(|&pc| ops.owner(Pc(pc))).collect();
        assert_eq!(names, ["", "wolf", "wolf", "wall", "wall"]);
        let span = Span { file: FileId(0), start: 3, end: 4 };
        ops.spans = vec![None, Some(span)];
        assert_eq!([0, 1, 2].map(|pc| ops.span(Pc(pc))), [None, Some(span), None]);
    }

    #[test]
    fn ops_are_small() {
        assert!(std::mem::size_of::<Op>() <= 24, "{}", std::mem::size_of::<Op>());
    }
}
