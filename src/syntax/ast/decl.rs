//! Declarations of games, as they are written.

use super::tree::*;
use super::{Block, Body, Cards, Entry, Expr, FoldDomain, FromPurse, Name, OrderKey, Placed, Quoted, Statement};
use crate::source::Span;

tree! {
    /// The sorts of declarations, each shown by an example.
    pub enum DeclarationKind {
        // ------------------------------------------------------------ the game and its set-up
        /// A declaration such as `game near-far "Near and Far"`.
        Game { name: Name, title: Option<Quoted> } = game,
        /// A declaration such as `players 2 to 4`.
        Players(PlayerCount as value) = players,
        /// A declaration such as `teams of 2`.
        Teams(Expr as value) = teams,
        /// A declaration such as `option side = a | b, default a`.
        Option(OptionDecl as whole) = option,
        /// A declaration such as `words wind: north, east, south`.
        Words { name: Name, words: Vec<Name> as list } = word_list,
        /// A declaration such as `constant limit = 5`.
        Constant { name: Name, value: Expr as table } = constant,
        // ------------------------------------------------------------ what lies where
        /// A declaration such as `table { … }`.
        Table(Block<Member>) = table,
        /// A declaration such as `player { … }`.
        Player(Block<Member>) = player,
        /// A declaration such as `card { … }`.
        Card(Block<Member>) = card,
        /// A declaration such as `board lawn 6 by 7 { … }`, `board town { … }`.
        Board { name: Name, between: Option<Name>, parts_of: Option<PartsOf>, shape: Option<BoardShape>, parts: Block<BoardPart> } = board,
        /// A declaration such as `kind wolf { … }`.
        Kind { name: Name, fields: Block<Field> } = kind,
        /// A declaration such as `purse hoard of wind { … }`.
        Purse { name: Name, of: Name, means: Block<Means> } = purse,
        /// A declaration such as `fields of wolf, wall { … }`.
        FieldsOf { fields: Block<Field>, kinds: Vec<Name> as list },
        /// A declaration such as `zone play = yard, lair`.
        Zone { name: Name, places: Vec<Name> as list } = zone,
        /// A declaration such as `hearing play`.
        Hearing { places: Vec<Name> as list } = hearing,
        /// A declaration such as `symbols sun, rain`.
        Symbols { names: Vec<Name> as list } = symbols,
        /// A declaration such as `tokens die { … }`.
        Tokens { name: Name, sorts: Block<TokenSort> } = tokens_of,
        /// A declaration such as `exchange 2 die as 1 sun, rain`.
        Exchange { count: Expr as value, tokens: Name, one: Expr, symbols: Vec<Name> as list } = exchange,
        // ------------------------------------------------------------ values with names
        /// A declaration such as `define price(card) = row of card`.
        Define { name: Name, params: Vec<Name>, value: Expr as table } = define,
        /// A declaration such as `changeable price(card) = row of card, at most 3`.
        Changeable { name: Name, params: Vec<Name>, value: Expr as table, bounds: Vec<Bound> } = changeable,
        /// A declaration such as `stat fame = …, at most 40, ranked as …`.
        Stat { name: Name, params: Vec<Name>, value: Expr as table, bounds: Vec<Bound> } = stat,
        /// A declaration such as `rank most x = top 1 by x, ties at the edge out`.
        Rank { name: Name, rule: RankRule } = rank,
        /// A declaration such as `condition "most famous" = top fame`.
        Condition { name: ConditionName, value: Expr as value } = condition,
        // ------------------------------------------------------------ what happens
        /// A declaration such as `effect feed(n) { … }`.
        Effect { name: Name, params: Vec<Name>, body: Body } = effect,
        /// A declaration such as `when short of r in wisp, missing n { … }`.
        Shortage { resource: Name, within: Vec<Name>, missing: Name, body: Body } = when_short,
        /// A declaration such as `when card leaves yard { … }`.
        Leaving { card: Name, place: Name, body: Body } = when_leaves,
        /// A declaration such as `when card is dealt { … }`.
        Dealt { card: Name, body: Body } = when_dealt,
        /// A declaration such as `moments { dusk "night falls" }`.
        Moments(Block<MomentDoc>) = moments,
        /// A declaration such as `payments noted in paid, heard as spent`.
        Payments { noted: Option<Name>, heard: Option<Name>, span: Span },
        /// A declaration such as `setup { … }`.
        Setup(Block<PhasePart>) = setup,
        /// A declaration such as `rounds 4 of day, night until …`.
        Rounds(Rounds) = rounds,
        /// A declaration such as `phase day { … }`, `phase cave until … { … }`.
        Phase { name: Name, until: Option<Expr> as "until", parts: Block<PhasePart> } = phase,
        /// A declaration such as `always { … }`.
        Always(Block<Check>) = always,
        // ------------------------------------------------------------ the end
        /// A declaration such as `score { … }`.
        Score(Block<ScoreRow>) = score,
        /// A declaration such as `wins highest score, then order`.
        Wins(WinsRule) = wins,
        /// A declaration such as `honours { "the Owl" = 3 }`.
        Honours(Block<ScoreRow>) = honours,
        /// A declaration such as `series level`.
        Series(Name) = series,
        /// A declaration such as `track path to 6 { … }`.
        Track { name: Name, end: Expr as value, steps: Block<TrackStep> } = track,
        /// A declaration such as `needs more_for_four: players < 4 or more in set "four players need more cards"`.
        Needs { name: Name, condition: Expr as value, reason: Quoted } = set_up_needs,
        /// A declaration such as `rival fox when players == 1 { fame: 3 }`.
        Rival { name: Name, when: Option<Expr>, rows: Block<Entry> } = rival,
        /// A declaration such as `worth = score`, `style bold over 8 states = score + 2 * wisp`.
        Worth { style: Option<Name>, states: Option<Expr> as ("states" imagined), value: Expr as value } = worth | style,
        /// A declaration such as `agents { define comfort = 2 * wisp; worth = score + comfort }`.
        Agents(Block<Declaration>) = agents,
    }

    /// The cards whose parts are the spaces of a board: `stone in moor, turned by spin, matched by lean`.
    pub struct PartsOf {
        /// The kind of these cards.
        pub kind: Name,
        /// The grid or map in which they lie.
        pub grid: Name,
        /// The counter on cards that says by how many sides each is turned.
        pub turned: Option<Name>,
        /// The field that must be the same where parts touch.
        pub matched: Option<Name>,
    }

    /// The spaces of a board without names: `6 by 7`, `hexes 2`, `8 by 8 with diagonals`.
    pub struct BoardShape = parts {
        /// The number of rows, or of rings of a map of hexagons.
        pub rows: Expr,
        /// The number of columns; `None` for hexagons.
        pub columns: Option<Expr>,
        /// Whether rows and columns go on at the other side.
        pub endless: bool as WITHOUT_EDGE,
        /// Whether spaces that share a corner are neighbours.
        pub diagonals: bool as WITH_DIAGONALS,
        pub span: Span,
    }

    /// A line of a board.
    pub enum BoardPart {
        /// A line such as `space market next to harbour { worth 3 }`.
        Space(Space),
        /// A line such as `counter guard`: each space has one.
        Member(Member),
        /// A line such as `worth: number`.
        Field(Field),
        /// A line such as `drawn owner, guard`.
        Drawn(Drawn),
    }

    /// What is drawn in pictures of a board: `drawn owner, guard`.
    pub struct Drawn = parts {
        /// Its members and fields that are drawn.
        pub members: Vec<Name> as list,
        pub span: Span,
    }

    /// A space of a board: `space market next to harbour, mill { worth 3 }`.
    pub struct Space = parts {
        pub name: Name,
        /// Its neighbours, each both ways; of a link its two ends.
        pub near: Vec<Name> as list,
        /// The values of its fields.
        pub values: Block<SpaceValue>,
        /// Whether it is a link between two spaces of another board.
        pub joins: bool as LINK,
        pub span: Span,
    }

    /// A value of a field of a space: `worth 3`.
    pub struct SpaceValue = parts {
        pub name: Name,
        /// A number or a word.
        pub value: Expr as value,
        pub span: Span,
    }

    /// A line of a purse: `blown`, `gusts for north, south`, `one of card.yield of my den`.
    pub struct Means = parts {
        /// Whether each card gives one alone.
        pub one: bool as ONE_OF,
        /// A tally, a printed row, or a number.
        pub what: Expr,
        /// Whether a number pays for each word: `for any`.
        pub any: bool as ANY_,
        /// The words for which a number pays.
        pub words: Vec<Name>,
        /// The cards on which the row is printed.
        pub cards: Option<Cards>,
        pub span: Span,
    }

    /// A number of players, or a range: `2 to 4`.
    pub struct PlayerCount = parts {
        /// The number of players, or the smallest number if there is a range.
        pub from: Expr,
        /// The largest number of players.
        pub to: Option<Expr>,
    }

    /// `4 of day, night until any players where wisp >= 20`
    pub struct Rounds {
        /// The number of rounds, or a maximum if there is an `until`.
        pub count: Option<Expr> as value,
        /// The phases of each round, in order.
        pub phases: Vec<Name> as list,
        /// The condition under which no further round begins.
        pub until: Option<Expr>,
    }

    /// `highest score, then order`, `together if stars >= 9`
    pub struct WinsRule = parts {
        /// The condition under which all have won, if all win or lose together.
        pub together: Option<Expr> as "if",
        /// Whether the lowest score wins.
        pub lowest: bool as LOWEST_SCORE,
        /// The keys that break ties, in order.
        pub keys: Vec<OrderKey>,
    }

    /// An option of set-up: `option NAME = VALUES`.
    pub struct OptionDecl = parts {
        pub name: Name,
        pub values: OptionValues,
    }

    /// The part of an option after the `=`.
    pub struct OptionValues = parts {
        /// The values that can be chosen.
        pub choices: OptionChoices,
        /// The default; several values are possible with `any of`.
        pub default: Vec<Name> as value,
        /// Whether each player chooses: `for each player`.
        pub each_player: bool as FOR_EACH_PLAYER,
    }

    /// The values of an option.
    pub enum OptionChoices {
        /// Values such as `a | b`.
        One(Vec<Name> as list),
        /// Values such as `any of a, b`.
        Several(Vec<Name> as list),
        /// Values such as `1 to 4`.
        Range { from: Expr, to: Expr } = range,
    }

    /// The name of a condition: one word, or several in quotes.
    pub enum ConditionName {
        /// A name such as `calm`.
        Word(Name),
        /// A name such as `"most calm"`.
        Quoted(Quoted),
    }

    /// A modifier after the value of a stat or changeable.
    pub enum Bound {
        /// A bound such as `at most 40`.
        AtMost(Expr as "at_most") = bound @ AT_MOST,
        /// A bound such as `at least 0`.
        AtLeast(Expr as "at_least") = bound @ AT_LEAST,
        /// A bound such as `ranked as max(fame, 0)`.
        RankedAs(Expr as "ranked_as") = bound,
    }

    /// A bound such as `x = top 1 by x, ties at the edge out`.
    pub struct RankRule {
        /// The name of the parameter, which stands for the value that is compared.
        pub param: Name,
        /// Whether the highest values are selected (`top`), not the lowest (`bottom`).
        pub top: bool,
        /// The number of players selected.
        pub count: Expr as value,
        /// The value after `by`; must be the same name as `param`.
        pub by: Name,
        /// Whether ties at the edge are included.
        pub ties_in: bool,
    }

    /// What a tally has a number for.
    pub enum TallyIndex {
        /// Each number from one to another, such as `2 to 12`.
        Range { from: Expr as "from", to: Expr as "to" } = range,
        /// Each word of a sort, such as `kind` or `wind`.
        Words(Name),
    }

    /// The sorts of members of a table, player or card. What is hidden says where that is written; what is not shown is bookkeeping.
    pub enum MemberKind {
        /// A member such as `resource wisp, moss`, `resource chip: 0 to 30, hidden`.
        Resource { names: Vec<Name> as list, range: Option<ValueRange>, hidden: Option<Span> } = resource_of,
        /// A member such as `counter dens`, `counter gust of wind`, `counter bid: 0 to 30, hidden`.
        Counter { names: Vec<Name> as list, of: Option<Name>, range: Option<ValueRange>, hidden: Option<Span>, unshown: bool as NOT_SHOWN } = counter,
        /// A member such as `flag passed`, `flag spy, hidden`.
        Flag { names: Vec<Name> as list, hidden: Option<Span>, unshown: bool as NOT_SHOWN } = flag,
        /// A member such as `set short of resource`.
        Set { name: Name, of: Name, hidden: Option<Span>, unshown: bool as NOT_SHOWN } = set,
        /// A member such as `tally seen by kind`, `tally boxes by 2 to 12`.
        Tally { name: Name, by: TallyIndex, range: Option<ValueRange>, hidden: Option<Span>, unshown: bool as NOT_SHOWN } = tally,
        /// `each round { … }`: members that are reset when the period ends.
        Each { lifetime: Name, members: Block<Member> } = each_lifetime,
        /// A member such as `deck pile by age of wolf, wall where card.set in set, refilled from heap`.
        Deck { name: Name, by: Option<Name>, kinds: Vec<Name> as list, filter: Option<Expr> as "where", refill: Option<Name> as "refilled_from" } = deck_of,
        /// A member such as `grid market 3 by columns`.
        Grid { name: Name, rows: Expr as "rows", columns: Expr as "columns", endless: bool as WITHOUT_EDGE } = grid,
        /// A member such as `hexes heath 2`.
        Hexes { name: Name, rings: Expr as value } = hexes,
        /// A member such as `place lair of wolf, wall: 9, room 9, hidden`.
        Place(PlaceMember) = place,
        /// A member such as `pool hand, face down, full`, `pool cup, hidden`.
        Pool { name: Name, face_down: bool as FACE_DOWN, full: bool as FULL, hidden: bool as HIDDEN } = pool,
    }

    /// The numbers that a counter, resource or entry of a tally can be: `: 0 to 30`.
    pub struct ValueRange = parts {
        /// The lowest number.
        pub from: Expr,
        /// The highest number.
        pub to: Expr,
    }

    /// The lines of a kind.
    pub enum FieldKind {
        /// A line such as `slot yard`.
        Slot { place: Name },
        /// A line such as `height: number = 2`, `maybe shade: number`.
        Field { name: Name, holds: FieldType, maybe: bool, default: Option<Expr> as maybe },
    }

    /// The type of a field.
    pub enum FieldType {
        /// A type such as `number`.
        Number = field @ NUMBER_,
        /// A type such as `numbers`.
        Numbers = field @ NUMBERS,
        /// A type such as `cards`.
        Cards = field @ CARDS,
        /// A type such as `one of resource`, `one of side`.
        OneOf(Name) = field @ ONE_OF,
        /// A type such as `row of wind`: a list of words.
        RowOf(Name) = field @ ROW_OF,
        /// `of resource, calm`: a row of numbers indexed by these; `resource` or a kind of token comes first.
        Of(Vec<Name> as list) = field,
    }

    /// A sort of token with its faces: `grey 5: sun | 2 sun | rain, sun`.
    pub struct TokenSort = parts {
        pub name: Name,
        /// The number of tokens.
        pub count: Expr as value,
        /// The faces; a token with a single face always shows it.
        pub faces: Vec<Face>,
        pub span: Span,
    }

    /// A face of a token: `2 sun, rain`.
    pub struct Face = parts {
        pub shows: Vec<Shown>,
        pub span: Span,
    }

    /// A symbol on a face, with its number: `2 sun`.
    pub struct Shown = parts {
        /// How often the symbol is shown; once if `None`.
        pub count: Option<Expr>,
        pub symbol: Name,
    }

    /// A line of a phase or of `setup`.
    pub enum PhasePart {
        /// A line such as `step meal { … }`.
        Step(Step as whole) = step,
        /// A line such as `turns in order until all have passed, 1 each`.
        Turns(Turns as whole) = turns,
        /// A line such as `before first action { … }`.
        BeforeFirstAction(TurnStart as whole) = first_action,
        /// A line such as `before each turn { … }`.
        BeforeEachTurn(TurnStart as whole) = turn_begins,
        /// A line such as `after each turn { … }`.
        AfterEachTurn(TurnStart as whole) = turn_ends,
        /// A line such as `action …`, `free action …`.
        Action(Action as whole) = action,
        /// A statement that is part of the phase itself.
        Statement(Statement),
    }

    /// A line such as `before first action { … }`, `before each turn { … }` or `after each turn { … }`.
    pub struct TurnStart = parts {
        pub body: Body,
        pub span: Span,
    }

    /// `step meal unless first round { … }`
    pub struct Step = parts {
        pub name: Name,
        /// The condition under which the step runs; `None` if it always does.
        pub when: Option<StepWhen> as "when",
        pub body: Body,
        pub span: Span,
    }

    /// The condition of a step: `when C`, `unless C`.
    pub struct StepWhen = parts {
        /// Whether the condition is negated.
        pub unless: bool as UNLESS,
        /// The condition behind `when` or `unless`.
        pub condition: Expr,
    }

    /// `turns in order until all have passed, 1 each, counted in turns`
    pub struct Turns = parts {
        /// When the turns are over.
        pub until: Option<TurnsUntil>,
        /// The number of actions per turn; one if `None`.
        pub each: Option<Expr> as maybe,
        /// A counter of the player that counts turns.
        pub counted: Option<Name>,
        /// Whether players who can do nothing have no turn.
        pub skipping: bool as SKIPPING_WHO_CANNOT_ACT,
        pub span: Span,
    }

    /// When turns are over: `until all have passed`, `until wisp >= 5`.
    pub struct TurnsUntil = parts {
        /// The flag that ends the turns of a player.
        pub all_have: Option<Name>,
        /// The condition under which no further turn begins.
        pub condition: Option<Expr> as "until",
    }

    /// `action fetch card in row { … }`
    pub struct Action = parts {
        /// Whether the action is free: it does not count as one of the turn's actions.
        pub free: bool as FREE,
        pub name: Name,
        /// The text of its keys, with `{NAME}` for what is chosen.
        pub text: Option<Quoted>,
        /// What the player chooses together with the action.
        pub params: Vec<ActionParam>,
        /// The guards, costs and statements of the action.
        pub parts: Block<ActionPart>,
        pub span: Span,
    }

    /// `maybe from source in my yard with bites`: what is chosen with an action or answer.
    pub struct ActionParam {
        /// Whether the player can leave it out.
        pub maybe: bool,
        /// The word before it in the option's key.
        pub word: Option<Name>,
        /// The name of what is chosen.
        pub name: Name,
        /// What can be chosen; a set of cards can also be a kind of token.
        pub domain: FoldDomain,
        /// The condition on numbers, or on several words.
        pub filter: Option<Expr>,
    }

    /// A line of an action.
    pub enum ActionPart {
        /// A line such as `needs fame if …: fame > 3 "nobody knows you"`.
        Needs {
            name: Option<Name>,
            only_if: Option<Expr> as (only_if),
            condition: Expr as value,
            reason: Option<Quoted>,
            span: Span,
        } = needs,
        /// A line such as `cost card.yield from hoard`.
        CostFrom { price: Name, from: Vec<FromPurse>, mix: bool as IN_ANY_MIX, span: Span } = cost_from,
        /// A line such as `cost 2 wisp`.
        Cost(Cost as value) = cost,
        /// A line such as `does { … }`.
        Does { body: Body, span: Span } = does,
    }

    /// `cost 2 wisp`, `cost 1 sun from hand to box`, also of a card's action: `cost = "1 wisp, 2 moss"`.
    pub struct Cost = parts {
        pub amount: Expr,
        /// The resource or symbol to pay.
        pub what: Expr,
        /// The pools that tokens move between; `None` for a resource.
        pub pools: Option<Pools>,
        pub span: Span,
    }

    /// The pools of a payment: `from hand to box`.
    pub struct Pools = parts {
        /// The pool that pays.
        pub from: Name,
        /// The pool that the tokens go to.
        pub to: Name,
    }

    /// A state-based check: `check leaving { … }`.
    pub struct Check = parts {
        pub name: Name,
        pub body: Block<CheckLine>,
        pub span: Span,
    }

    /// The sorts of state-based checks. Each goes through the cards in a zone.
    pub enum CheckKind {
        /// A line such as `remove cards in play that say they leave`.
        Leaving { zone: Name } = check_leaving,
        /// A line such as `remove cards in play beyond the room of their place`.
        Room { zone: Name } = check_room,
    }

    /// A moment in the list of moments: `dusk "night falls"`.
    pub struct MomentDoc = parts {
        pub name: Name,
        /// A sentence that describes the moment.
        pub text: Quoted,
        pub span: Span,
    }

    /// A line of a track: `reaching 3, 6 { gain 1 wisp }`.
    pub struct TrackStep = parts {
        /// The steps of the marker on which the statements run.
        pub when: TrackWhen,
        pub body: Body,
        pub span: Span,
    }

    /// The moves of the marker at which a line of a track runs.
    pub enum TrackWhen {
        /// The marker reaches one of these steps.
        Reaching(Vec<Expr>) = track_step @ REACHING,
        /// The marker leaves one of these steps forward.
        Leaving(Vec<Expr>) = track_step @ LEAVING,
        /// The marker would move beyond the last step.
        Beyond = track_step,
    }

    /// A row of the score: `"wisps" = wisp`.
    pub struct ScoreRow = parts {
        pub name: Quoted,
        /// The points that the row gives.
        pub value: Expr as table,
        pub span: Span,
    }
}

/// A declaration at the top level.
pub type Declaration = Placed<DeclarationKind>;

/// A line of `table`, `player` or `card`.
pub type Member = Placed<MemberKind>;

/// A line of a kind.
pub type Field = Placed<FieldKind>;

/// A line of a check.
pub type CheckLine = Placed<CheckKind>;

/// `place lair of wolf, wall: 9, room 9, hidden`
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceMember {
    /// The names of the places.
    pub names: Vec<Name>,
    /// The kinds of cards that may lie in these places; all if empty.
    pub kinds: Vec<Name>,
    /// The maximum number of cards in each place.
    pub limit: Option<Expr>,
    /// The number of slots to reserve, if more than the limit may ever be needed.
    pub room: Option<Expr>,
    /// Whether only the owner of a place sees its cards, or all others if `from_owner`.
    pub hidden: bool,
    /// Whether they are hidden from the owner alone.
    pub from_owner: bool,
}

impl Node for PlaceMember {
    /// A single place is an item whose address is its name, with its kinds below; of several places, each name is an address.
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
        let PlaceMember { names, kinds, limit, room, hidden: _, from_owner: _ } = self;
        visit(NodePart::List(if names.len() == 1 { kinds } else { names }));
        [("limit", limit), ("room", room)]
            .into_iter()
            .for_each(|(name, value)| NodePart::value(name, value).into_iter().for_each(&mut *visit));
    }
}

impl Means {
    /// Returns the line that is a name alone.
    pub(crate) fn of_name(name: Name) -> Means {
        let span = name.span;
        let what = Expr { kind: Box::new(super::ExprKind::Name(name)), span };
        Means { one: false, what, any: false, words: Vec::new(), cards: None, span }
    }
}

impl ConditionName {
    /// Returns the name of the condition without quotes.
    pub fn text(&self) -> &str {
        match self {
            ConditionName::Word(name) => &name.text,
            ConditionName::Quoted(quoted) => &quoted.text,
        }
    }

    /// Returns where the name is written.
    pub fn span(&self) -> Span {
        match self {
            ConditionName::Word(name) => name.span,
            ConditionName::Quoted(quoted) => quoted.span,
        }
    }
}

impl TrackWhen {
    /// Returns the steps that the line lists; empty for `beyond`.
    pub fn steps(&self) -> &[Expr] {
        match self {
            TrackWhen::Reaching(steps) | TrackWhen::Leaving(steps) => steps,
            TrackWhen::Beyond => &[],
        }
    }

    /// Returns the name of the line in addresses, such as `reaching_3`.
    pub fn name(&self) -> String {
        let word = match self {
            TrackWhen::Reaching(_) => "reaching",
            TrackWhen::Leaving(_) => "leaving",
            TrackWhen::Beyond => "beyond",
        };
        let number = |step: &Expr| step.literal().map_or_else(|| "n".to_string(), |number| number.to_string());
        [word.to_string()].into_iter().chain(self.steps().iter().map(number)).collect::<Vec<_>>().join("_")
    }
}
