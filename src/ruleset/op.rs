//! What the loop runs: flat operations, laid once from the statements of the rules and the entries of cards.

use super::declared::Lifetime;
use super::definition::AskBefore;
pub use super::ids::Pc;
use super::node::NodeId;
use super::tokens::TokenCost;
use crate::cast;
use crate::source::Span;

/// Number of locals.
pub const LOCALS: usize = 12;
/// The local in which the entry of a card keeps the answer to its question.
pub const ANSWER: usize = LOCALS - 1;

/// What a statement writes to.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A cell of the table.
    Global(u32),
    /// A cell of the seat spoken of.
    Own(u16),
    /// One of a row of cells of the seat.
    OwnAt(u16, u16, NodeId),
    /// A counter of a piece.
    Counter(NodeId, u8),
}

/// How a statement writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Write {
    /// `=`
    Set,
    /// `+=`
    Add,
    /// `-=`
    Sub,
}

/// Who goes through a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whom {
    /// All players.
    All,
    /// All but the one who is spoken of outside of it.
    Others,
}

/// How seats follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// First to last.
    Forward,
    /// Last to first.
    Reverse,
}

/// A key of an order of seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderKey {
    /// More of an expression goes first.
    By(NodeId),
    /// The present order.
    Present,
}

/// Makes of the table of all operations the enum, and a way to replace the expressions in any of them.
macro_rules! ops {
    ($(#[$about:meta])* pub enum Op { $($(#[$doc:meta])* $name:ident $({ $($member:ident: $type:ty),* })?,)* }) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        #[allow(missing_docs, reason = "a line says what its members are")]
        pub enum Op {
            $($(#[$doc])* $name $({ $($member: $type),* })?,)*
        }

        impl Op {
            /// The same operation of other expressions.
            pub fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Op {
                let _ = &f;
                match self {
                    $(Op::$name $({ $($member),* })? => Op::$name $({ $($member: $member.map_exprs(f)),* })?,)*
                }
            }
        }
    };
}

ops! {
    /// One operation. What loops and questions have to remember lies as operands on the stack, behind the frame that runs.
    pub enum Op {
    // ------------------------------------------------------------------ where to go on
    /// Goes on there.
    Jump { to: Pc },
    /// Goes on there unless the condition holds.
    Unless { condition: NodeId, to: Pc },
    /// Ends the frame.
    Return,
    /// Starts an effect of the rules, with arguments, and waits for it.
    Call { effect: u16, args: Box<[NodeId]> },
    /// Begins to go through a list of numbers.
    EachWord,
    /// The next number of a list, in a local; goes on there after the last.
    NextWord { local: u8, words: u32, end: Pc },
    /// Begins to go through the cards of a set, as it is now.
    EachCard { set: u32 },
    /// The next of the cards, in a local; goes on there after the last.
    NextCard { local: u8, end: Pc },
    /// Begins to do something so many times.
    Repeat { times: NodeId },
    /// Once more; goes on there after the last time.
    NextTime { end: Pc },
    /// Goes on there once the condition holds; so often at most as what began it says.
    Until { condition: NodeId, end: Pc },
    /// Begins to go through the players, in the order as it is now.
    EachPlayer { whom: Whom, direction: Direction },
    /// The next player of whom the condition holds; goes on there after the last.
    NextPlayer { filter: Option<NodeId>, end: Pc },
    /// Begins a block in which all players of whom the condition holds act at once, secretly perhaps; goes on there if nobody does.
    AtOnce { whom: Whom, filter: Option<NodeId>, secretly: bool, end: Pc },
    /// A player has done what a block says; goes on there with the next.
    NextAtOnce { body: Pc },
    /// Runs what waits behind the frame, each to rest, the first raised first.
    Waiting,

    // ------------------------------------------------------------------ the course of a game
    /// A part of the program begins; the state is at rest.
    Part { part: u32 },
    /// The state is at rest in the middle of a part.
    Rest,
    /// Cards dealt to seats from the start are put into play.
    Deal,
    /// A new round begins.
    Round,
    /// What lasts as long as this ends.
    End { lifetime: Lifetime },
    /// Turns until all have passed.
    Turn { turns: u16 },
    /// What an action costs in resources.
    Costs { action: u16 },
    /// An action has ended; whether it was a free one.
    Acted { free: bool },
    /// The round ends: back there while rounds are left.
    RoundEnd { back: Pc },
    /// The game ends.
    Finish,

    // ------------------------------------------------------------------ questions
    /// A question of the rules; each choice goes on at its place in a list, behind which stand the places to go on at when there is
    /// nothing to choose, and when nothing is chosen.
    Ask { question: u32, list: u32 },
    /// Begins a series of picks.
    Picks { question: u32 },
    /// The next pick; goes on as [`Op::Ask`] does.
    NextPick { question: u32, list: u32 },
    /// Begins a series of picks among tokens.
    PickTokens { pick: u32 },
    /// The next of them; goes on there when nothing more is picked.
    NextToken { pick: u32, end: Pc },
    /// Begins a payment in any mix of resources.
    Mix { amount: NodeId, mix: u32 },
    /// Its next unit; pays when it is complete.
    NextUnit { mix: u32 },
    /// Begins a payment with what tokens show.
    Spend { cost: TokenCost },
    /// Its next token; pays when it is complete.
    NextPayer { from: u8, to: u8 },
    /// The question of a card's entry, whose answer the entry keeps; goes on there without one.
    AskFirst { ask: u32, no: Pc },
    /// Runs a script.
    Script { script: u32 },
    /// Puts a card into the slot of its kind.
    PlaceInSlot { card: NodeId },
    /// Puts a card into a place; the flag lets it cover another even if there is room.
    PlaceIn { card: NodeId, place: u16, over: bool },

    /// Puts a card onto a map, where another card lies.
    PlaceAt { card: NodeId, map: u16, at: NodeId },

    // ------------------------------------------------------------------ what changes the state
    /// Gains a number of a resource.
    Gain { amount: NodeId, resource: NodeId },
    /// Loses, with what follows when there is less; the name lets cards replace it.
    Lose { amount: NodeId, resource: NodeId, name: Option<u16> },
    /// Pays what one has.
    Pay { amount: NodeId, resource: NodeId },
    /// Pays what the action printed on a card costs, and counts how often it was used.
    PayCard,
    /// Pays what a part of an entry costs; who hears of it acts before its script.
    PayFirst { costs: Box<[(NodeId, u8)]> },
    /// Writes a cell.
    Write { written: Box<(Target, Write, NodeId)> },
    /// Puts a bit into a set of the seat.
    AddBit { offset: u16, index: NodeId },
    /// Draws from a deck into a place; the name lets cards replace it.
    Draw { deck: u16, pile: NodeId, to: u16, name: Option<u16> },
    /// Fills the gaps of a grid from a deck.
    Fill { grid: u16, deck: u16, pile: NodeId },
    /// Removes all cards of a set.
    RemoveSet { set: u32 },
    /// Removes one card.
    Remove { card: NodeId },
    /// Moves the cards of a row of a grid to another row, packed left.
    MoveRow { grid: u16, from: NodeId, to: NodeId },
    /// What lies in a place of each seat goes to the next seat in the order, or to the one before.
    PassOn { place: u16, direction: Direction },
    /// Cards go into a deck, which is shuffled.
    Shuffle { set: Option<u32>, deck: u16, pile: NodeId },
    /// Two cards change places.
    Swap { a: NodeId, b: NodeId },
    /// Takes copies of the cards that a printed list names out of the box into a place.
    Put { card: NodeId, field: u16, to: u16 },
    /// Takes copies of cards out of the box into a place.
    PutNamed { definitions: Box<[i32]>, to: u16 },
    /// Raises a moment.
    Moment { moment: u16, card: Option<NodeId> },
    /// A new order of seats.
    OrderBy { keys: Box<[OrderKey]> },
    /// The order begins with the first seat for which this holds.
    OrderFrom { holds: NodeId },
    /// The order of seats turns round.
    OrderReversed,
    /// An order by chance.
    OrderRandom,
    /// Starts the action printed on a card.
    CardActs { card: NodeId },
    /// Up to so many tokens of a set go from pool to pool.
    Take { amount: NodeId, set: u32, from: u8, to: u8 },
    /// Up to so many tokens of a set, drawn by chance, go from pool to pool.
    TakeAtRandom { amount: NodeId, set: u32, from: u8, to: u8 },
    /// All tokens of a set go from pool to pool.
    MoveAll { set: u32, from: u8, to: u8 },
    /// The picked token, in a local, goes to a pool.
    MoveOne { local: u8, to: u8 },
    /// All tokens of a set in a pool show nothing until they are rolled.
    Lift { set: u32, pool: u8 },
    /// The picked token is taken up.
    LiftOne { local: u8 },
    /// What shows nothing in a pool is rolled.
    Roll { pool: u8 },
    }
}

/// A member of an operation: an expression, several, or none.
trait Member: Sized {
    fn map_exprs(self, _: &mut impl FnMut(NodeId) -> NodeId) -> Self {
        self
    }
}

macro_rules! no_exprs {
    ($($type:ty),*) => { $(impl Member for $type {})* };
}

no_exprs!(Pc, u32, u16, u8, bool, Whom, Direction, Lifetime, Write, Box<[i32]>, Option<u16>, Option<u32>);

impl Member for NodeId {
    fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> NodeId {
        f(self)
    }
}

impl Member for Option<NodeId> {
    fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Option<NodeId> {
        self.map(f)
    }
}

impl Member for Target {
    fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Target {
        match self {
            Target::Global(_) | Target::Own(_) => self,
            Target::OwnAt(offset, len, index) => Target::OwnAt(offset, len, f(index)),
            Target::Counter(card, offset) => Target::Counter(f(card), offset),
        }
    }
}

impl Member for OrderKey {
    fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> OrderKey {
        if let OrderKey::By(value) = self { OrderKey::By(f(value)) } else { self }
    }
}

impl Member for TokenCost {
    fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> TokenCost {
        TokenCost { amount: f(self.amount), symbol: f(self.symbol), ..self }
    }
}

impl Member for (NodeId, u8) {
    fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> (NodeId, u8) {
        (f(self.0), self.1)
    }
}

impl Member for Box<(Target, Write, NodeId)> {
    fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Self {
        let (target, how, value) = *self;
        Box::new((target.map_exprs(f), how, f(value)))
    }
}

macro_rules! lists {
    ($($type:ty),*) => { $(impl Member for Box<[$type]> {
        fn map_exprs(self, f: &mut impl FnMut(NodeId) -> NodeId) -> Self {
            self.into_vec().into_iter().map(|one| one.map_exprs(f)).collect()
        }
    })* };
}

lists!(NodeId, OrderKey, (NodeId, u8));

impl Op {
    /// Whether it raises a moment by itself: those who hear of it act behind it.
    pub fn raises_moments(&self) -> bool {
        matches!(self, Op::Pay { .. } | Op::Moment { .. })
    }

    /// The deck that cards from elsewhere go into by it: a place is one of which that is said.
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

/// All ops of a ruleset, and where they begin.
#[derive(Clone, Debug, Default)]
pub struct Ops {
    /// The ops.
    pub all: Vec<Op>,
    /// Where the statement of each op stands, if somebody noted it.
    pub spans: Vec<Option<Span>>,
    /// What the ops from here on belong to, for people; sorted.
    pub owners: Vec<(Pc, String)>,
    /// Where each part of the program begins; the last is the end of the game.
    pub parts: Vec<Pc>,
    /// Lists of numbers.
    pub words: Vec<Box<[i32]>>,
    /// Where the choices of questions begin.
    pub choices: Vec<Box<[Pc]>>,
    /// Series of picks among tokens.
    pub picks: Vec<super::tokens::TokenPick>,
    /// Resources that a payment in any mix may take.
    pub mixes: Vec<Box<[u8]>>,
    /// Questions of cards.
    pub asks: Vec<AskBefore>,
    /// Where the statement stands that is being laid.
    pub span: Option<Span>,
}

/// An op that goes on elsewhere, laid before it is known where.
#[must_use]
pub struct Ahead<F> {
    at: Pc,
    op: F,
}

/// Laying ops.
impl Ops {
    /// Where the next op will lie.
    pub fn here(&self) -> Pc {
        Pc(cast::fit::<u32>(self.all.len()))
    }

    /// Lays an op.
    pub fn emit(&mut self, op: Op) -> Pc {
        let at = self.here();
        self.all.push(op);
        self.spans.push(self.span);
        at
    }

    /// Lays an op that goes on at a place further on: to be landed there.
    pub fn ahead<F: Fn(Pc) -> Op>(&mut self, op: F) -> Ahead<F> {
        Ahead { at: self.emit(op(Pc(0))), op }
    }

    /// Lets an op go on here.
    pub fn land<F: Fn(Pc) -> Op>(&mut self, ahead: Ahead<F>) {
        let here = self.here();
        self.all[ahead.at.0 as usize] = (ahead.op)(here);
    }

    /// Something with a name of its own begins here.
    pub fn begin(&mut self, name: impl Into<String>) -> Pc {
        self.span = None;
        let at = self.here();
        self.owners.push((at, name.into()));
        at
    }

    /// What began ends.
    pub fn end(&mut self) {
        self.span = None;
        self.emit(Op::Return);
    }

    /// The next part of the program begins.
    pub fn begin_part(&mut self) {
        self.span = None;
        let at = self.emit(Op::Part { part: cast::fit::<u32>(self.parts.len()) });
        self.parts.push(at);
    }

    /// The program ends.
    pub fn end_program(&mut self) {
        let at = self.emit(Op::Finish);
        self.parts.push(at);
    }
}

/// Reading them.
impl Ops {
    /// The ops of some parts of the program.
    pub fn of_parts(&self, parts: std::ops::Range<usize>) -> &[Op] {
        let begin = |part: usize| self.parts.get(part).map(|pc| pc.0 as usize);
        let found = begin(parts.start).zip(begin(parts.end)).and_then(|(from, to)| self.all.get(from..to));
        found.unwrap_or(&[])
    }

    /// What a part of the program does; nothing if there is no such part.
    pub fn of_part(&self, part: usize) -> &[Op] {
        self.of_parts(part..part + 1).get(1..).unwrap_or(&[])
    }

    /// How many parts the program has.
    pub fn part_count(&self) -> usize {
        self.parts.len().saturating_sub(1)
    }

    /// The ops from a beginning to where it returns.
    pub fn routine(&self, begin: Pc) -> &[Op] {
        let rest = &self.all[begin.0 as usize..];
        &rest[..rest.iter().position(|op| matches!(op, Op::Return)).unwrap_or(rest.len())]
    }

    /// What an op belongs to, for people.
    pub fn owner(&self, pc: Pc) -> &str {
        let behind = self.owners.partition_point(|owner| owner.0 <= pc);
        behind.checked_sub(1).map_or("", |at| &self.owners[at].1)
    }

    /// Where the statement of an op stands.
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
    fn what_goes_on_elsewhere_is_landed() {
        let mut ops = Ops::default();
        ops.begin_part();
        let no = ops.ahead(|to| Op::Unless { condition: NodeId::at(7), to });
        ops.emit(Op::OrderRandom);
        ops.land(no);
        ops.begin_part();
        ops.end_program();
        assert!(
            matches!(ops.of_part(0), [Op::Unless { condition: seven, to: Pc(3) }, Op::OrderRandom] if seven.index() == 7),
            "{:?}",
            ops.all
        );
        assert!(matches!(ops.of_parts(0..2), [Op::Part { part: 0 }, .., Op::Part { part: 1 }]));
        assert_eq!((ops.part_count(), ops.of_part(1).len(), ops.of_part(2).len()), (2, 0, 0));
        assert_eq!(ops.spans.len(), ops.all.len());
    }

    #[test]
    fn a_routine_ends_where_it_returns() {
        let mut ops = Ops::default();
        ops.begin("wolf");
        ops.end();
        let wall = ops.begin("wall");
        ops.emit(Op::OrderRandom);
        ops.end();
        assert!(matches!(ops.routine(wall), [Op::OrderRandom]));
        assert_eq!((ops.owner(wall), ops.owner(Pc(0))), ("wall", "wolf"));
    }

    #[test]
    fn ops_are_small() {
        assert!(std::mem::size_of::<Op>() <= 24, "{}", std::mem::size_of::<Op>());
    }
}
