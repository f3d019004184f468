//! Declarations of games, as they are written.

use super::tree::*;
use super::{Block, Body, Cards, Entry, Expr, Name, OrderKey, Quoted, Statement};
use crate::source::Span;

tree! {
    /// A declaration at the top level.
    pub struct Declaration {
        /// The declaration with its operands.
        pub kind: DeclarationKind,
        /// Where the declaration is written.
        pub span: Span,
    }

    /// The sorts of declarations, each shown by an example.
    pub enum DeclarationKind {
        // ------------------------------------------------------------ the game and its set-up
        /// `game near-far "Near and Far"`
        Game { name: Name, title: Option<Quoted> } = game,
        /// `players 2 to 4`
        Players(PlayerCount as value) = players,
        /// `option side = a | b, default a`
        Option(OptionDecl) = option,
        /// `constant limit = 5`
        Constant { name: Name, value: Expr as table } = constant,
        // ------------------------------------------------------------ what lies where
        /// `table { … }`
        Table(Block<Member>) = table,
        /// `player { … }`
        Player(Block<Member>) = player,
        /// `card { … }`
        Card(Block<Member>) = card,
        /// `kind wolf { … }`
        Kind { name: Name, fields: Block<Field> } = kind,
        /// `fields of wolf, wall { … }`
        FieldsOf { fields: Block<Field>, kinds: Vec<Name> as list },
        /// `zone play = yard, lair`
        Zone { name: Name, places: Vec<Name> as list } = zone,
        /// `hearing play`
        Hearing { places: Vec<Name> as list } = hearing,
        /// `symbols sun, rain`
        Symbols { names: Vec<Name> as list } = symbols,
        /// `tokens die { … }`
        Tokens { name: Name, sorts: Block<TokenSort> } = tokens_of,
        /// `exchange 2 die as 1 sun, rain`
        Exchange { count: Expr as value, tokens: Name, one: Expr, symbols: Vec<Name> as list } = exchange,
        // ------------------------------------------------------------ values with names
        /// `define price(card) = row of card`
        Define { name: Name, params: Vec<Name>, value: Expr as table } = define,
        /// `changeable price(card) = row of card, at most 3`
        Changeable { name: Name, params: Vec<Name>, value: Expr as table, bounds: Vec<Bound> } = changeable,
        /// `stat fame = …, at most 40, ranked as …`
        Stat { name: Name, params: Vec<Name>, value: Expr as table, bounds: Vec<Bound> } = stat,
        /// `rank most x = top 1 by x, ties at the edge out`
        Rank { name: Name, rule: RankRule } = rank,
        /// `condition "most famous" = top fame`
        Condition { name: ConditionName, value: Expr as value } = condition,
        // ------------------------------------------------------------ what happens
        /// `effect feed(n) { … }`
        Effect { name: Name, params: Vec<Name>, body: Body } = effect,
        /// `when short of r in wisp, missing n { … }`
        Shortage { resource: Name, within: Vec<Name>, missing: Name, body: Body } = when_short,
        /// `when card leaves yard { … }`
        Leaving { card: Name, place: Name, body: Body } = when_leaves,
        /// `when card is dealt { … }`
        Dealt { card: Name, body: Body } = when_dealt,
        /// `moments { dusk "night falls" }`
        Moments(Block<MomentDoc>) = moments,
        /// `payments noted in paid, heard as spent`
        Payments { noted: Option<Name>, heard: Option<Name>, span: Span },
        /// `setup { … }`
        Setup(Block<PhasePart>) = setup,
        /// `rounds 4 of day, night until …`
        Rounds(Rounds) = rounds,
        /// `phase day { … }`
        Phase { name: Name, parts: Block<PhasePart> } = phase,
        /// `always { … }`
        Always(Block<Check>) = always,
        // ------------------------------------------------------------ the end
        /// `score { … }`
        Score(Block<ScoreRow>) = score,
        /// `wins highest score, then order`
        Wins(WinsRule) = wins,
        /// `honours { "the Owl" = 3 }`
        Honours(Block<ScoreRow>) = honours,
        /// `series level`
        Series(Name) = series,
        /// `track path to 6 { … }`
        Track { name: Name, end: Expr as value, steps: Block<TrackStep> } = track,
        /// `needs more_for_four: players < 4 or more in set "four players need more cards"`
        Needs { name: Name, condition: Expr as value, reason: Quoted } = set_up_needs,
        /// `rival fox when players == 1 { fame: 3 }`
        Rival { name: Name, when: Option<Expr>, rows: Block<Entry> } = rival,
        /// `worth = score`, `style bold over 8 states = score + 2 * wisp`
        Worth { style: Option<Name>, states: Option<Expr> as "states", value: Expr as value },
        /// `agents { define comfort = 2 * wisp; worth = score + comfort }`
        Agents(Block<Declaration>) = agents,
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

    /// `highest score, then order`
    pub struct WinsRule {
        /// Whether the lowest score wins.
        pub lowest: bool,
        /// The keys that break ties, in order.
        pub keys: Vec<OrderKey>,
    }

    /// An option of set-up: `option NAME = VALUES`.
    pub struct OptionDecl = parts {
        /// The name of the option.
        pub name: Name,
        /// The values of the option and its default.
        pub values: OptionValues,
    }

    /// The part of an option after the `=`.
    pub struct OptionValues {
        /// The values that can be chosen.
        pub choices: OptionChoices,
        /// The default; several values are possible with `any of`.
        pub default: Vec<Name> as value,
        /// Whether each player chooses: `for each player`.
        pub each_player: bool,
    }

    /// The values of an option.
    pub enum OptionChoices {
        /// `a | b`
        One(Vec<Name> as list),
        /// `any of a, b`
        Several(Vec<Name> as list),
        /// `1 to 4`
        Range { from: Expr, to: Expr },
    }

    /// The name of a condition: one word, or several in quotes.
    pub enum ConditionName {
        /// `calm`
        Word(Name),
        /// `"most calm"`
        Quoted(Quoted),
    }

    /// A modifier after the value of a stat or changeable.
    pub enum Bound {
        /// `at most 40`
        AtMost(Expr as "at_most"),
        /// `at least 0`
        AtLeast(Expr as "at_least"),
        /// `ranked as max(fame, 0)`
        RankedAs(Expr as "ranked_as"),
    }

    /// `x = top 1 by x, ties at the edge out`
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

    /// A line of `table`, `player` or `card`.
    pub struct Member {
        /// The member with its operands.
        pub kind: MemberKind,
        /// Where the member is written.
        pub span: Span,
    }

    /// The sorts of members of a table, player or card.
    pub enum MemberKind {
        /// `resource wisp, moss`
        Resource { names: Vec<Name> as list } = resource_of,
        /// `counter dens`
        Counter { names: Vec<Name> as list } = counter,
        /// `flag passed`
        Flag { names: Vec<Name> as list } = flag,
        /// `set short of resource`
        Set { name: Name, of: Name } = set,
        /// `tally seen by kind`
        Tally { name: Name, by: Name } = tally,
        /// `each round { … }`: members that are reset when the period ends.
        Each { lifetime: Name, members: Block<Member> } = each_lifetime,
        /// `deck pile by age of wolf, wall where card.set in set`
        Deck { name: Name, by: Option<Name>, kinds: Vec<Name> as list, filter: Option<Expr> } = deck_of,
        /// `grid market 3 by columns`
        Grid { name: Name, rows: Expr as "rows", columns: Expr as "columns" } = grid,
        /// `hexes heath 2`
        Hexes { name: Name, rings: Expr as value } = hexes,
        /// `place lair of wolf, wall: 9, room 9, hidden`
        Place(PlaceMember) = place,
        /// `pool hand, face down, full`
        Pool { name: Name, face_down: bool as FACE_DOWN, full: bool as FULL } = pool,
    }

    /// A line of a kind.
    pub struct Field {
        /// The field or slot.
        pub kind: FieldKind,
        /// Where the field or slot is written.
        pub span: Span,
    }

    /// The lines of a kind.
    pub enum FieldKind {
        /// `slot yard`
        Slot { place: Name },
        /// `height: number = 2`, `maybe shade: number`
        Field { name: Name, holds: FieldType, maybe: bool, default: Option<Expr> as maybe },
    }

    /// The type of a field.
    pub enum FieldType {
        /// `number`
        Number,
        /// `numbers`
        Numbers,
        /// `cards`
        Cards,
        /// `of resource, calm`: a row of numbers indexed by these; `resource` or a kind of token comes first.
        Of(Vec<Name> as list),
        /// `one of resource`, `one of side`
        OneOf(Name),
    }

    /// A sort of token with its faces: `grey 5: sun | 2 sun | rain, sun`.
    pub struct TokenSort {
        /// The name of the sort.
        pub name: Name,
        /// The number of tokens.
        pub count: Expr as value,
        /// The faces; a token with a single face always shows it.
        pub faces: Vec<Face>,
        /// The whole line.
        pub span: Span,
    }

    /// A face of a token: `2 sun, rain`.
    pub struct Face {
        /// The symbols on the face.
        pub shows: Vec<Shown>,
        /// The whole face.
        pub span: Span,
    }

    /// A symbol on a face, with its number: `2 sun`.
    pub struct Shown = parts {
        /// How often the symbol is shown; once if `None`.
        pub count: Option<Expr>,
        /// The name of the symbol.
        pub symbol: Name,
    }

    /// A line of a phase or of `setup`.
    pub enum PhasePart {
        /// `step meal { … }`
        Step(Step) = step,
        /// `turns in order until all have passed, 1 each`
        Turns(Turns) = turns,
        /// `before first action { … }`
        BeforeFirstAction(FirstAction) = first_action,
        /// `action …`, `free action …`
        Action(Action) = action,
        /// A statement that is part of the phase itself.
        Statement(Statement),
    }

    /// `before first action { … }`
    pub struct FirstAction = parts {
        /// The statements to run.
        pub body: Body,
        /// The whole part.
        pub span: Span,
    }

    /// `step meal unless first round { … }`
    pub struct Step = parts {
        /// The name of the step.
        pub name: Name,
        /// The condition under which the step runs; `None` if it always does.
        pub when: Option<StepWhen> as "when",
        /// The statements to run.
        pub body: Body,
        /// The place of the whole step.
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
        /// The flag of players who have passed.
        pub until: Name,
        /// The number of actions per turn; one if `None`.
        pub each: Option<Expr> as maybe,
        /// A counter of the player that counts turns.
        pub counted: Option<Name>,
        /// The whole line.
        pub span: Span,
    }

    /// `action fetch card in row { … }`
    pub struct Action = parts {
        /// Whether it is a free action, which does not count as one of the turn.
        pub free: bool as FREE,
        /// The name of the action.
        pub name: Name,
        /// The cards that the player chooses together with the action.
        pub params: Vec<ActionParam>,
        /// The guards, costs and statements of the action.
        pub parts: Block<ActionPart>,
        /// The whole action.
        pub span: Span,
    }

    /// `maybe from source in my yard with bites`
    pub struct ActionParam {
        /// Whether the player can leave out this card.
        pub maybe: bool,
        /// The word before the card in the option's key.
        pub word: Option<Name>,
        /// The name of the chosen card.
        pub name: Name,
        /// The set of cards to choose from.
        pub cards: Cards,
    }

    /// A line of an action.
    pub enum ActionPart {
        /// `needs fame if …: fame > 3 "nobody knows you"`
        Needs { name: Name, only_if: Option<Expr>, condition: Expr as value, reason: Option<Quoted>, span: Span },
        /// `cost 2 wisp`
        Cost(Cost as value),
        /// `does { … }`
        Does { body: Body, span: Span } = does,
    }

    /// `cost 2 wisp`, `cost 1 sun from hand to box`, also of a card's action: `cost = "1 wisp, 2 moss"`.
    pub struct Cost {
        /// The amount to pay.
        pub amount: Expr,
        /// The resource or symbol to pay.
        pub what: Expr,
        /// The pools that tokens move between; `None` for a resource.
        pub pools: Option<Pools>,
        /// The whole cost.
        pub span: Span,
    }

    /// The pools of a payment: `from hand to box`.
    pub struct Pools {
        /// The pool that pays.
        pub from: Name,
        /// The pool that the tokens go to.
        pub to: Name,
    }

    /// A state-based check: `check leaving { … }`.
    pub struct Check = parts {
        /// The name of the check.
        pub name: Name,
        /// The checks to make.
        pub body: Block<CheckLine>,
        /// The whole check.
        pub span: Span,
    }

    /// A line of a check.
    pub struct CheckLine {
        /// The check that the line makes.
        pub kind: CheckKind,
        /// Where the line is written.
        pub span: Span,
    }

    /// The sorts of state-based checks. Each goes through the cards in a zone.
    pub enum CheckKind {
        /// `remove cards in play that say they leave`
        Leaving { zone: Name } = check_leaving,
        /// `remove cards in play beyond the room of their place`
        Room { zone: Name } = check_room,
    }

    /// A moment in the list of moments: `dusk "night falls"`.
    pub struct MomentDoc = parts {
        /// The name of the moment.
        pub name: Name,
        /// A sentence that describes the moment.
        pub text: Quoted,
        /// The whole line.
        pub span: Span,
    }

    /// A line of a track: `reaching 3, 6 { gain 1 wisp }`.
    pub struct TrackStep {
        /// The steps of the marker on which the statements run.
        pub when: TrackWhen,
        /// The statements to run.
        pub body: Body,
        /// The whole line.
        pub span: Span,
    }

    /// The moves of the marker at which a line of a track runs.
    pub enum TrackWhen {
        /// The marker reaches one of these steps.
        Reaching(Vec<Expr>),
        /// The marker leaves one of these steps forward.
        Leaving(Vec<Expr>),
        /// The marker would move beyond the last step.
        Beyond,
    }

    /// A row of the score: `"wisps" = wisp`.
    pub struct ScoreRow = parts {
        /// The name of the row.
        pub name: Quoted,
        /// The points that the row gives.
        pub value: Expr as table,
        /// The whole row.
        pub span: Span,
    }
}

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
    /// Whether only the owner of a place sees its cards.
    pub hidden: bool,
}

impl Node for PlaceMember {
    /// A single place is an item whose address is its name, with its kinds below; of several places, each name is an address.
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(NodePart<'t>)) {
        let PlaceMember { names, kinds, limit, room, hidden } = self;
        let (names, kinds) = match names.len() {
            1 => (NodePart::Node(names), NodePart::List(kinds)),
            _ => (NodePart::List(names), NodePart::Node(kinds)),
        };
        [names, kinds, NodePart::Node(hidden)].into_iter().for_each(&mut *visit);
        [("limit", limit), ("room", room)]
            .into_iter()
            .for_each(|(name, value)| NodePart::value(name, value).into_iter().for_each(&mut *visit));
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
