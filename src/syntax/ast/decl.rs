//! Declarations.

use super::tree::*;
use super::{Block, Body, Cards, Entry, Expr, Name, OrderKey, Quoted, Statement};
use crate::source::Span;

tree! {
    /// What there is in a game: one line of the outermost level.
    pub struct Declaration {
        /// Which, and its parts.
        pub kind: DeclarationKind,
        /// Where it stands.
        pub span: Span,
    }

    /// What is declared.
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
        Moments(Block<ToldMoment>) = moments,
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

    /// `2 to 4`
    pub struct PlayerCount = parts {
        /// How many at least, or exactly.
        pub from: Expr,
        /// How many at most.
        pub to: Option<Expr>,
    }

    /// `4 of day, night until any players where wisp >= 20`
    pub struct Rounds {
        /// How many at most.
        pub count: Option<Expr> as value,
        /// The phases of each.
        pub phases: Vec<Name> as list,
        /// No round begins once this holds.
        pub until: Option<Expr>,
    }

    /// `highest score, then order`
    pub struct WinsRule {
        /// `lowest`
        pub lowest: bool,
        /// What breaks ties.
        pub keys: Vec<OrderKey>,
    }

    /// `option NAME = VALUES`
    pub struct OptionDecl = parts {
        /// Its name.
        pub name: Name,
        /// What can be chosen.
        pub values: OptionValues,
    }

    /// What stands behind the `=` of an option.
    pub struct OptionValues {
        /// What can be chosen.
        pub choices: OptionChoices,
        /// What is chosen if nobody says; several for `any of`.
        pub default: Vec<Name> as value,
        /// `for each player`
        pub each_player: bool,
    }

    /// What can be chosen.
    pub enum OptionChoices {
        /// `a | b`
        One(Vec<Name> as list),
        /// `any of a, b`
        Several(Vec<Name> as list),
        /// `1 to 4`
        Range { from: Expr, to: Expr },
    }

    /// A name of one word, or of several in quotes.
    pub enum ConditionName {
        /// `calm`
        Word(Name),
        /// `"most calm"`
        Quoted(Quoted),
    }

    /// What stands behind the value of a stat or changeable.
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
        /// What is ranked is called so.
        pub param: Name,
        /// `top` or `bottom`.
        pub top: bool,
        /// How many.
        pub count: Expr as value,
        /// Behind `by`: must be the same as `param`.
        pub by: Name,
        /// `in` or `out`.
        pub ties_in: bool,
    }

    /// A line of `table`, `player` or `card`.
    pub struct Member {
        /// Which, and its parts.
        pub kind: MemberKind,
        /// Where it stands.
        pub span: Span,
    }

    /// What a table, a player or a card has.
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
        /// `each round { … }`: what lasts no longer.
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
        /// Which, and its parts.
        pub kind: FieldKind,
        /// Where it stands.
        pub span: Span,
    }

    /// What a kind of card has.
    pub enum FieldKind {
        /// `slot yard`
        Slot { place: Name },
        /// `height: number = 2`, `maybe shade: number`
        Field { name: Name, holds: FieldType, maybe: bool, default: Option<Expr> as maybe },
    }

    /// What a field holds.
    pub enum FieldType {
        /// `number`
        Number,
        /// `numbers`
        Numbers,
        /// `cards`
        Cards,
        /// `of resource, calm`: a number for each of these, `resource` or a kind of token first.
        Of(Vec<Name> as list),
        /// `one of resource`, `one of side`
        OneOf(Name),
    }

    /// `grey 5: sun | 2 sun | rain, sun`
    pub struct TokenSort {
        /// Its name.
        pub name: Name,
        /// How many there are.
        pub count: Expr as value,
        /// What they can show; one face: they always show it.
        pub faces: Vec<Face>,
        /// All of it.
        pub span: Span,
    }

    /// `2 sun, rain`
    pub struct Face {
        /// How many of which symbol.
        pub shows: Vec<Shown>,
        /// All of it.
        pub span: Span,
    }

    /// `2 sun` of a face.
    pub struct Shown = parts {
        /// How many; one if it is not said.
        pub count: Option<Expr>,
        /// Of which symbol.
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
        /// A statement.
        Statement(Statement),
    }

    /// `before first action { … }`
    pub struct FirstAction = parts {
        /// What is done.
        pub body: Body,
        /// All of it.
        pub span: Span,
    }

    /// `step meal unless first round { … }`
    pub struct Step = parts {
        /// Its name.
        pub name: Name,
        /// When it is gone through.
        pub when: Option<StepWhen> as "when",
        /// What is done.
        pub body: Body,
        /// All of it.
        pub span: Span,
    }

    /// `when C`, `unless C`
    pub struct StepWhen = parts {
        /// `unless`
        pub unless: bool as UNLESS,
        /// The condition.
        pub condition: Expr,
    }

    /// `turns in order until all have passed, 1 each, counted in turns`
    pub struct Turns = parts {
        /// A flag of the player.
        pub until: Name,
        /// How many actions a turn has.
        pub each: Option<Expr> as maybe,
        /// A counter of the player.
        pub counted: Option<Name>,
        /// All of it.
        pub span: Span,
    }

    /// `action fetch card in row { … }`
    pub struct Action = parts {
        /// `free`
        pub free: bool as FREE,
        /// Its name.
        pub name: Name,
        /// What is chosen.
        pub params: Vec<ActionParam>,
        /// Guards, costs, and what it does.
        pub parts: Block<ActionPart>,
        /// All of it.
        pub span: Span,
    }

    /// `maybe from source in my yard with bites`
    pub struct ActionParam {
        /// Whether it may be left out.
        pub maybe: bool,
        /// A word ahead of it in the option's key.
        pub word: Option<Name>,
        /// What the card is called.
        pub name: Name,
        /// Among which it is chosen.
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
        /// How much.
        pub amount: Expr,
        /// Of which resource or symbol.
        pub what: Expr,
        /// From which pool to which.
        pub pools: Option<Pools>,
        /// All of it.
        pub span: Span,
    }

    /// `from hand to box`
    pub struct Pools {
        /// Out of which.
        pub from: Name,
        /// Into which.
        pub to: Name,
    }

    /// `check leaving { … }`
    pub struct Check = parts {
        /// Its name.
        pub name: Name,
        /// What it does.
        pub body: Block<CheckLine>,
        /// All of it.
        pub span: Span,
    }

    /// What a check does.
    pub struct CheckLine {
        /// Which.
        pub kind: CheckKind,
        /// Where it stands.
        pub span: Span,
    }

    /// What a check does; cards are those of a zone.
    pub enum CheckKind {
        /// `remove cards in play that say they leave`
        Leaving { zone: Name } = check_leaving,
        /// `remove cards in play beyond the room of their place`
        Room { zone: Name } = check_room,
    }

    /// `dusk "night falls"`
    pub struct ToldMoment = parts {
        /// The moment.
        pub name: Name,
        /// What has happened then.
        pub text: Quoted,
        /// All of it.
        pub span: Span,
    }

    /// `reaching 3, 6 { gain 1 wisp }`
    pub struct TrackStep {
        /// When it acts.
        pub when: TrackWhen,
        /// What it does.
        pub body: Body,
        /// All of it.
        pub span: Span,
    }

    /// When the step of a track acts.
    pub enum TrackWhen {
        /// When a marker comes to one of these.
        Reaching(Vec<Expr>),
        /// When a marker goes on from one of these.
        Leaving(Vec<Expr>),
        /// When a marker would go past the end.
        Beyond,
    }

    /// `"wisps" = wisp`
    pub struct ScoreRow = parts {
        /// What it is called.
        pub name: Quoted,
        /// How many points.
        pub value: Expr as table,
        /// All of it.
        pub span: Span,
    }
}

/// `place lair of wolf, wall: 9, room 9, hidden`
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceMember {
    /// What the places are called.
    pub names: Vec<Name>,
    /// The kinds of cards that may lie there; empty: all.
    pub kinds: Vec<Name>,
    /// How many cards may lie there.
    pub limit: Option<Expr>,
    /// How many spaces are kept for it.
    pub room: Option<Expr>,
    /// Whether only its owner sees what lies there.
    pub hidden: bool,
}

impl Node for PlaceMember {
    /// A single place has the address of its name, and its kinds lie in that; of several places each name is an address.
    fn each_part<'t>(&'t mut self, visit: &mut dyn FnMut(Part<'t>)) {
        let PlaceMember { names, kinds, limit, room, hidden } = self;
        let (names, kinds) = match names.len() {
            1 => (Part::Node(names), Part::List(kinds)),
            _ => (Part::List(names), Part::Node(kinds)),
        };
        [names, kinds, Part::Node(hidden)].into_iter().for_each(&mut *visit);
        [("limit", limit), ("room", room)].into_iter().for_each(|(name, value)| Part::value(name, value).into_iter().for_each(&mut *visit));
    }
}

impl ConditionName {
    /// What it is called.
    pub fn text(&self) -> &str {
        match self {
            ConditionName::Word(name) => &name.text,
            ConditionName::Quoted(quoted) => &quoted.text,
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            ConditionName::Word(name) => name.span,
            ConditionName::Quoted(quoted) => quoted.span,
        }
    }
}

impl TrackWhen {
    /// The steps that it speaks of.
    pub fn steps(&self) -> &[Expr] {
        match self {
            TrackWhen::Reaching(steps) | TrackWhen::Leaving(steps) => steps,
            TrackWhen::Beyond => &[],
        }
    }

    /// What the step is called: `reaching_3`.
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
