//! Expressions, as they are written.

use super::stmt::Deck;
use super::tree::*;
use super::{Block, Name, Quoted};
use crate::source::Span;

tree! {
    /// The sorts of expressions. Brackets are not kept: the tree expresses the grouping.
    pub enum ExprKind {
        /// `3` is 3000 thousandths; `0.35` is 350 thousandths and decimal.
        Number { thousandths: i64, decimal: bool },
        /// An expression such as `yes`, `no`.
        Truth(bool as YES) = truth,
        /// `"most stable"`: a condition with a name of several words.
        Quoted(Quoted),
        /// `wisp`, `wolf.age`: a name, not resolved.
        Name(Name),
        /// `most stable`: two or more words, which are a condition, a rank and its value, or both in sequence.
        Words(Vec<Name>) = words,
        /// `most (wisp + moss)`, `most price(card)`: a rank followed by a value that is not a plain name.
        Ranked { rank: Name, by: Expr } = ranked,
        /// An expression such as `price(card)`.
        Call { name: Name, args: Vec<Expr> } = call,
        /// An expression such as `pile[2]`.
        Item { name: Name, index: Expr } = item,
        /// An expression such as `hand[2].height`, `(E).owner`.
        Member { of: Expr, member: Name },
        /// An expression such as `not E`.
        Not(Expr),
        /// An expression such as `-E`.
        Minus(Expr),
        /// An expression such as `A + B`, `A and B`, `A < B`.
        Binary { op: BinaryOp, left: Expr, right: Expr },
        /// An expression such as `A is B`, `A is not B`.
        Is { left: Expr, not: bool, right: Expr },
        /// An expression such as `A is there`, `A is not there`.
        IsThere { left: Expr, not: bool },
        /// An expression such as `CARD is next to CARD`.
        NextTo { left: Expr, not: bool, to: Expr },
        /// An expression such as `A in 1 to 4`.
        InRange { left: Expr, from: Expr, to: Expr },
        /// `A in yard`, `A in my yard`: a card in places, a word in a set, or a value among those of an option.
        In { left: Expr, my: bool, name: Name },
        /// An expression such as `if C then A else B`.
        If { condition: Expr, yes: Expr, no: Expr } = if_then,
        /// An expression such as `by players { 2: 4, else: 5 }`.
        By { over: Name, entries: Block<Entry> } = by_table,
        /// `count pile[2]`: how many cards lie in a pile of a deck.
        PileCount(Deck) = pile_count,
        /// `any pile[2]`: the pile is not empty.
        PileAny(Deck) = pile_any,
        /// `no pile[2]`: the pile is empty.
        PileNone(Deck) = pile_none,
        /// `no construction`: the place is empty.
        NoneIn(Name) = none_in,
        /// An expression such as `first round`.
        FirstRound = first_round,
        /// An expression such as `round is last of age`.
        LastOf(Name) = last_of,
        /// An expression such as `all know card.height`.
        AllKnow(Expr) = all_know,
        /// An expression such as `next player where …`.
        NextPlayer { filter: Option<Expr> } = next_player,
        /// An expression such as `count players where …`.
        CountPlayers(Players) = count_players,
        /// An expression such as `any players where …`.
        AnyPlayers(Players) = any_players,
        /// `count my yard`; a dotted name alone may also be a printed list: `count card.points`.
        CountCards(Cards) = count_cards,
        /// An expression such as `any my yard where …`.
        AnyCards(Cards) = any_cards,
        /// An expression such as `sum EACH of CARDS`, `highest EACH of CARDS`.
        OverCards { fold: Fold, each: Expr, of: Cards },
        /// An expression such as `sum EACH of PLAYERS`, `highest EACH of PLAYERS`.
        OverPlayers { fold: Fold, each: Expr, of: Players },
        /// An expression such as `sum EACH of NAME in 1 to 6 where …`, `count NAME in wind where …`.
        OverNamed { fold: Fold, each: Option<Expr>, of: Named },
        /// An expression such as `sum highest 3 EACH of CARDS`: the sum, of which so many count.
        SumOfBest { lowest: bool, count: Expr, sum: Box<ExprKind> },
        /// An expression such as `first card of CARDS`.
        FirstCard(Cards) = first_card,
        /// An expression such as `top card of CARDS`.
        TopCard(Cards) = top_card,
        /// An expression such as `bottom card of CARDS`.
        BottomCard(Cards) = bottom_card,
        /// `random card of CARDS`, as what a statement is about.
        RandomCard(Cards) = random_card,
        /// An expression such as `card with highest EACH of CARDS`.
        BestCard { lowest: bool as LOWEST, each: Expr, of: Cards } = best_card,
        /// An expression such as `first N of card.points`.
        FirstOf { count: Expr, list: Name } = first_of,
        /// An expression such as `row of CARD`.
        Row(Expr) = row_of,
        /// An expression such as `column of CARD`.
        Column(Expr) = column_of,
        /// An expression such as `space of BOARD at row 2 column 3`.
        SpaceAt { board: Name, row: Expr, column: Expr } = space_at,
        /// An expression such as `longest line of BOARD where …`.
        LongestLine(Cards) = longest_line,
        /// An expression such as `longest trail by card.length of LINKS where …`.
        LongestTrail { by: Option<Expr> as (trail_by), of: Cards } = longest_trail,
        /// An expression such as `largest group of BOARD where …`.
        LargestGroup(Cards) = largest_group,
        /// An expression such as `card of SPACE`.
        CardOfPart(Expr) = card_of,
        /// An expression such as `open ends of SPACE`.
        OpenEnds(Expr) = open_ends,
        /// An expression such as `CARD fits BOARD at SPACE turned 2`.
        Fits { card: Expr, board: Name, at: Expr, turned: Option<Expr> },
        /// An expression such as `cards below CARD`.
        CardsBelow(Expr) = cards_below,
        /// An expression such as `distance from CARD to CARD`, `distance from SPACE to SPACE over …`.
        Distance { from: Expr, to: Expr, over: Option<Box<OverWays>> } = distance,
        /// An expression such as `remainder of NUMBER by NUMBER`.
        Remainder { of: Expr, by: Expr } = remainder_of,
        /// An expression such as `amount of RESOURCE`.
        Amount(Expr) = amount_of,
        /// An expression such as `lacking card.yield from hoard with chest up to 2`.
        Lacking { price: Name, from: Vec<FromPurse> } = lacking,
        /// An expression such as `shown SYMBOL in POOL`.
        Shown { symbol: Expr, pool: Name } = shown,
        /// An expression such as `payable SYMBOL from POOL`.
        Payable { symbol: Expr, pool: Name } = payable,
        /// An expression such as `sorts in POOL`.
        SortsIn { pool: Name } = sorts_in,
        /// An expression such as `number of TOKENS in POOL`.
        NumberOf { tokens: Tokens, pool: Name } = number_of,
    }

    /// A line of a table of values: `1, 2: 5`.
    pub struct Entry = parts {
        /// Words and numbers; `else` is the default.
        pub keys: Vec<Name>,
        pub value: Expr as value,
        pub span: Span,
    }

    /// A set of cards: `my cards in play with bites and …`.
    pub struct Cards {
        /// `my`, `all`, or neither.
        pub whose: Whose,
        /// A place, a zone or a kind; or a single card, in statements that accept one.
        pub name: Name,
        /// A space whose group, or whose cards, these are; the name has no meaning then.
        pub of_space: Option<OfSpace>,
        /// `rows 1, 2`; all rows if empty.
        pub rows: Vec<Expr>,
        /// `with bites`: a counter that must be above 0, or `action`.
        pub with: Option<Name>,
        /// The condition after `where`, or after `and` behind `with`.
        pub filter: Option<Expr>,
        /// Whether the condition is joined with `and`: each part of it must then be about the cards.
        pub joined: bool,
        pub span: Span,
    }

    /// What a set of cards is about that belongs to a space.
    pub enum OfSpace {
        /// `group of S where …`: the spaces for which the condition holds and that hang together with this one.
        Group(Expr),
        /// `cards at S`: what lies on the space.
        CardsAt(Expr),
        /// `areas of BOARD by V where …`: the first space of each area.
        Areas(Option<Expr>),
        /// `BOARD beside GRID`: the spaces on which nothing lies, but next to which something does.
        Beside(Name),
        /// `within N steps of S over …`: the spaces that can be reached from this one, without it; `group of S over …`: with it, in any number of
        /// steps.
        Within(Box<WithinSteps>),
    }

    /// What is within some steps of a space: `within 3 steps of at over land`.
    pub struct WithinSteps {
        /// How many steps there are at most; `None` for any number, and then the space itself is among those that are reached.
        pub steps: Option<Expr>,
        /// The space from which ways lead.
        pub space: Expr,
        /// Where they can lead.
        pub over: Option<OverWays>,
    }

    /// Where ways can lead: `over land joined by sea`, `along rails over mine`.
    pub struct OverWays = parts {
        /// The board of the links by which they lead.
        pub along: Option<Expr> as (along),
        /// The definition that must hold for the spaces or links of a way.
        pub name: Option<Name>,
        /// The definition or counter by which neighbours with the same number are joined.
        pub joined: Option<Name>,
        pub span: Span,
    }

    /// Numbers, words, cards or players under a name: `n in 1 to 6 where n > wisp`.
    pub struct Named = parts {
        pub name: Name,
        /// What the name goes through.
        pub domain: FoldDomain,
        /// The condition after `where` of numbers and words.
        pub filter: Option<Expr>,
        pub span: Span,
    }

    /// What a name goes through.
    pub enum FoldDomain {
        /// Numbers such as `1 to 6`.
        Range { from: Expr, to: Expr } = range,
        /// Words such as `wind`, `north, east`.
        Words(Vec<Name>),
        /// Players such as `other players where …`.
        Players(Players),
        /// Cards such as `my yard where …`; a name alone may also be that of words.
        Cards(Cards),
    }

    /// A set of players: `other players with fewer wisp`.
    pub struct Players = parts {
        /// Whether the current player is excluded.
        pub other: bool as OTHER,
        /// The teams whose players they are.
        pub teams: WhichTeams,
        /// The condition on the players.
        pub which: PlayersWhich,
        pub span: Span,
    }

    /// A condition on players in a set.
    pub enum PlayersWhich {
        /// All players, without a condition.
        Any,
        /// `where …`
        Where(Expr),
        /// `with fewer X`, `with less X`: less than the current player.
        Fewer(Expr),
        /// `with more X`
        More(Expr),
    }

    /// A purse from which a price is paid: `hoard`, `chest up to 2`.
    pub struct FromPurse = parts {
        pub name: Name,
        /// How much of it is used at most.
        pub up_to: Option<Expr>,
    }

    /// A set of tokens: `die`, `white:food`, `chit showing book`.
    pub struct Tokens {
        /// A kind, a sort or a loop variable.
        pub name: Name,
        /// `:food`: the face.
        pub face: Option<Name>,
        /// `showing food`: the symbol that they must show.
        pub showing: Option<Expr>,
        pub span: Span,
    }
}

/// The teams whose players are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhichTeams {
    /// All of them.
    All,
    /// `of my team`
    Mine,
    /// `of other teams`
    Others,
}

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The sort of expression, with its operands.
    pub kind: Box<ExprKind>,
    pub span: Span,
}

impl Expr {
    /// Returns the value, if the expression is a whole number, possibly with a sign.
    pub fn literal(&self) -> Option<i64> {
        match &*self.kind {
            ExprKind::Number { thousandths, decimal: false } => Some(thousandths / 1000),
            ExprKind::Minus(inner) => inner.literal().map(|number| -number),
            _ => None,
        }
    }
}

/// The ways to combine the values of a set of cards or players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    /// The sum of the values.
    Sum,
    /// The highest value; 0 for an empty set.
    Highest,
    /// The lowest value; 0 for an empty set.
    Lowest,
    /// The median, or the lower of the two in the middle; 0 for an empty set.
    Median,
    /// The number of elements.
    Count,
    /// Whether the set has any element.
    Any,
}

/// Makes the table of binary operators, each with its rule of the grammar, and as it is written.
macro_rules! operators {
    ($($op:ident $rule:ident $sign:literal,)*) => {
        /// The binary operators.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum BinaryOp {
            $(#[doc = concat!("The operator `", $sign, "`.")] $op,)*
        }

        impl BinaryOp {
            /// Returns the operator as it is written.
            pub fn sign(self) -> &'static str {
                match self {
                    $(BinaryOp::$op => $sign,)*
                }
            }

            /// Returns the operator that a rule of the grammar stands for.
            pub(crate) fn of_rule(rule: Rule) -> Option<BinaryOp> {
                match rule {
                    $(Rule::$rule => Some(BinaryOp::$op),)*
                    _ => None,
                }
            }
        }
    };
}

operators! {
    Or or_else "or",
    And and_also "and",
    Equal equal "==",
    NotEqual not_equal "!=",
    Less less "<",
    AtMost at_most "<=",
    More more ">",
    AtLeast at_least ">=",
    Add add "+",
    Sub sub "-",
    Mul mul "*",
    Div div "/",
}

/// The owners of the cards in a set, as far as the text names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Neither `my` nor `all` is written.
    Unsaid,
    /// `my`
    My,
    /// `all`
    All,
}
