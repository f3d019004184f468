//! Lowering what expressions go through: cards, players and tokens, each a set with its filter.

use super::super::typed::{Binary, Cards, Expr, Neighbour, SeatFilter, Seats, TokenWord, Tokens};
use super::{Env, Lowerer};
use crate::cast;
use crate::engine::ruleset::{CardSet, Compare, Node, NodeId, PlayerSet, Whose};
use crate::engine::tokens::{TokenSet, classes_where, mask_of};
use crate::source::Span;

impl Lowerer<'_> {
    /// Cards; what each is called stays bound.
    pub fn cards(&mut self, cards: &Cards, env: &mut Env, span: Span) -> u32 {
        let local = self.bind(env, cards.bind, span);
        let filter = cards.filter.as_ref().map(|filter| self.expr(filter, env)).filter(|&filter| self.value_of(filter) != Some(1));
        let places = cards.places.iter().map(|&place| self.index(place)).collect();
        let with = cards.with.map(|counter| cast::fit::<u8>(self.slots.offset(counter)));
        self.out.sets.push(CardSet {
            places,
            whose: if cards.everybody { Whose::All } else { Whose::Mine },
            kinds: cards.kind.map_or(0, |kind| 1 << kind),
            rows: cards.rows,
            local,
            with,
            filter,
        });
        cast::fit::<u32>(self.out.sets.len()) - 1
    }

    /// What is read of each card; 1 of each where nothing is.
    pub(super) fn each(&mut self, each: Option<&Expr>, env: &mut Env) -> NodeId {
        each.map(|each| self.expr(each, env)).unwrap_or_else(|| self.constant(1))
    }

    /// Only those cards of a set for which something else holds, too.
    pub(super) fn narrow(&mut self, set: u32, holds: NodeId) {
        let filter = self.out.sets[set as usize].filter;
        let filter = filter.map_or(holds, |filter| self.fold(Binary::And, filter, holds));
        self.out.sets[set as usize].filter = Some(filter);
    }

    /// What is so of the one player who sits there: a sum over players of whom only that one counts.
    pub(super) fn of_neighbour(&mut self, who: Neighbour, body: &Expr, env: &mut Env, span: Span) -> NodeId {
        let (next, bound) = (env.next, env.bound.len());
        let local = self.bind(env, super::super::typed::Bind(u32::MAX), span);
        let (asker, place, one) = (self.node(Node::Local(local)), self.node(Node::PlaceInOrder), self.constant(1));
        let mine = self.node(Node::Of(asker, place));
        let (players, last) = (self.constant(cast::count(self.chosen.players)), self.node(Node::Cmp(Compare::Equal, mine, one)));
        let wanted = match who {
            Neighbour::First => one,
            Neighbour::Left => {
                let is_last = self.node(Node::Cmp(Compare::Equal, mine, players));
                let next = self.fold(Binary::Add, mine, one);
                self.node(Node::If(is_last, one, next))
            }
            Neighbour::Right => {
                let before = self.fold(Binary::Sub, mine, one);
                self.node(Node::If(last, players, before))
            }
        };
        let filter = Some(self.node(Node::Cmp(Compare::Equal, place, wanted)));
        self.out.player_sets.push(PlayerSet { others: false, filter, local });
        let set = cast::fit::<u32>(self.out.player_sets.len()) - 1;
        self.keep_arguments(env, asker);
        let body = self.expr(body, env);
        env.bound.truncate(bound);
        env.next = next;
        self.node(Node::SumPlayers(set, body))
    }

    /// Players, and in which local the one who asks is.
    pub fn seats(&mut self, seats: &Seats, env: &mut Env, span: Span) -> u32 {
        // A name of its own for the player who asks: nobody else can name it.
        let local = self.bind(env, super::super::typed::Bind(u32::MAX), span);
        let asker = self.node(Node::Local(local));
        self.keep_arguments(env, asker);
        let filter = match &seats.filter {
            SeatFilter::All => None,
            SeatFilter::Where(filter) => Some(self.expr(filter, env)),
            SeatFilter::Compared(how, value) => {
                let value = self.expr(value, env);
                let mine = self.node(Node::Of(asker, value));
                Some(self.node(Node::Cmp(*how, value, mine)))
            }
        };
        self.out.player_sets.push(PlayerSet { others: seats.others, filter, local });
        cast::fit::<u32>(self.out.player_sets.len()) - 1
    }

    /// From here on another player is spoken of: what parameters stand for stays that of the one who named the definition.
    pub(super) fn keep_arguments(&mut self, env: &mut Env, asker: NodeId) {
        for at in 0..env.bound.len() {
            let (bind, node) = env.bound[at];
            if env.find(bind) == Some(node) && self.differs_by_seat(node) {
                let of_asker = self.node(Node::Of(asker, node));
                env.bound.push((bind, of_asker));
            }
        }
    }

    /// Whether an expression may come to something else for another player.
    pub(super) fn differs_by_seat(&self, node: NodeId) -> bool {
        // Of a long one that is not found out: it is taken for one that may.
        const LEVELS: u32 = 6;
        self.differs_within(node, LEVELS)
    }

    fn differs_within(&self, node: NodeId, levels: u32) -> bool {
        let Some(levels) = levels.checked_sub(1) else { return true };
        let here = |place: &u16| self.out.places[*place as usize].of_seat;
        match &self.out.nodes[node as usize] {
            Node::Of(seat, _) => self.differs_within(*seat, levels),
            Node::Me | Node::Own(_) | Node::OwnAt(..) | Node::OwnBit(..) | Node::PlaceInOrder => true,
            Node::Quantity(..) | Node::Rank(..) | Node::Limit(_) | Node::CountTokens(..) | Node::ShownIn(..) | Node::Payable(..) => true,
            Node::Sum(..) | Node::Highest(..) | Node::Lowest(..) | Node::Count(_) | Node::Any(_) => true,
            Node::CountPlayers(_) | Node::AnyPlayer(_) | Node::SumPlayers(..) | Node::HighestPlayers(..) | Node::LowestPlayers(..) => true,
            Node::FirstIn(place) | Node::NoneIn(place) => here(place),
            Node::Const(_) | Node::Local(_) | Node::Global(_) | Node::Word(_) => false,
            Node::Counter(..)
            | Node::Field(..)
            | Node::FieldAt(..)
            | Node::ListAt(..)
            | Node::ListLen(..)
            | Node::ListFirst(..)
            | Node::KindOf(_)
            | Node::IsKind(..)
            | Node::InPlaces(..)
            | Node::Row(..)
            | Node::Column(..)
            | Node::OwnerOf(_)
            | Node::HasAction(_)
            | Node::IsCard(..)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Mul(..)
            | Node::Div(..)
            | Node::Min(..)
            | Node::Max(..)
            | Node::Not(_)
            | Node::And(..)
            | Node::Or(..)
            | Node::Cmp(..)
            | Node::If(..)
            | Node::Table(..)
            | Node::ShownBy(..) => self.out.below(node).into_iter().any(|part| self.differs_within(part, levels)),
        }
    }

    /// Tokens of a kind, a sort, a face or a loop's word.
    pub(super) fn tokens(&mut self, tokens: &Tokens, env: &mut Env) -> u32 {
        let mut set = TokenSet { classes: u64::MAX, of: None, showing: None, mask: Box::default() };
        match &tokens.which {
            TokenWord::Sorts(sorts) => set.classes = classes_where(self.out, |class| sorts >> class.token & 1 == 1),
            TokenWord::Sort(sort) => set.classes = classes_where(self.out, |class| class.token == *sort),
            TokenWord::Face(class) => set.classes = 1 << class,
            TokenWord::Local(word) => set.of = Some(self.expr(word, env)),
        }
        set.showing = tokens.showing.as_ref().map(|symbol| self.expr(symbol, env));
        set.mask = mask_of(self.out, set.classes);
        self.out.token_sets.push(set);
        cast::fit::<u32>(self.out.token_sets.len()) - 1
    }
}
