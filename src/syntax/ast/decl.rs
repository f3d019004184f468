//! Declarations.

use super::{Block, Body, Cards, Entry, Expr, Name, OrderKey, Quoted, Statement};
use crate::source::Span;

/// What there is in a game: one line of the outermost level.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Which, and its parts.
    pub kind: DeclarationKind,
    /// Where it stands.
    pub span: Span,
}

/// What is declared.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclarationKind {
    // ------------------------------------------------------------ the game and its set-up
    /// `game near-far "Near and Far"`
    Game { name: Name, title: Option<Quoted> },
    /// `players 2 to 4`
    Players { from: Expr, to: Option<Expr> },
    /// `option side = a | b, default a`
    Option(OptionDecl),
    /// `constant limit = 5`
    Constant { name: Name, value: Expr },
    // ------------------------------------------------------------ what lies where
    /// `table { … }`
    Table(Block<Member>),
    /// `player { … }`
    Player(Block<Member>),
    /// `card { … }`
    Card(Block<Member>),
    /// `kind wolf { … }`
    Kind { name: Name, fields: Block<Field> },
    /// `fields of wolf, wall { … }`
    FieldsOf { kinds: Vec<Name>, fields: Block<Field> },
    /// `zone play = yard, lair`
    Zone { name: Name, places: Vec<Name> },
    /// `hearing play`
    Hearing { places: Vec<Name> },
    /// `symbols sun, rain`
    Symbols { names: Vec<Name> },
    /// `tokens die { … }`
    Tokens { name: Name, sorts: Block<TokenSort> },
    /// `exchange 2 die as 1 sun, rain`
    Exchange { count: Expr, tokens: Name, one: Expr, symbols: Vec<Name> },
    // ------------------------------------------------------------ values with names
    /// `define price(card) = row of card`
    Define { name: Name, params: Vec<Name>, value: Expr },
    /// `changeable price(card) = row of card, at most 3`
    Changeable { name: Name, params: Vec<Name>, value: Expr, bounds: Vec<Bound> },
    /// `stat fame = …, at most 40, ranked as …`
    Stat { name: Name, params: Vec<Name>, value: Expr, bounds: Vec<Bound> },
    /// `rank most x = top 1 by x, ties at the edge out`
    Rank { name: Name, rule: RankRule },
    /// `condition "most famous" = top fame`
    Condition { name: ConditionName, value: Expr },
    // ------------------------------------------------------------ what happens
    /// `effect feed(n) { … }`
    Effect { name: Name, params: Vec<Name>, body: Body },
    /// `when short of r in wisp, missing n { … }`
    Shortage { resource: Name, within: Vec<Name>, missing: Name, body: Body },
    /// `when card leaves yard { … }`
    Leaving { card: Name, place: Name, body: Body },
    /// `when card is dealt { … }`
    Dealt { card: Name, body: Body },
    /// `moments { dusk "night falls" }`
    Moments(Block<ToldMoment>),
    /// `payments noted in paid, heard as spent`
    Payments { noted: Option<Name>, heard: Option<Name>, span: Span },
    /// `setup { … }`
    Setup(Block<PhasePart>),
    /// `rounds 4 of day, night until …`
    Rounds(Rounds),
    /// `phase day { … }`
    Phase { name: Name, parts: Block<PhasePart> },
    /// `always { … }`
    Always(Block<Check>),
    // ------------------------------------------------------------ the end
    /// `score { … }`
    Score(Block<ScoreRow>),
    /// `wins highest score, then order`
    Wins(WinsRule),
    /// `honours { "the Owl" = 3 }`
    Honours(Block<ScoreRow>),
    /// `series level`
    Series(Name),
    /// `track path to 6 { … }`
    Track { name: Name, end: Expr, steps: Block<TrackStep> },
    /// `needs more_for_four: players < 4 or more in set "four players need more cards"`
    Needs { name: Name, condition: Expr, reason: Quoted },
    /// `rival fox when players == 1 { fame: 3 }`
    Rival { name: Name, when: Option<Expr>, rows: Block<Entry> },
    /// `worth = score`, `style bold over 8 states = score + 2 * wisp`
    Worth { style: Option<Name>, states: Option<Expr>, value: Expr },
    /// `agents { define comfort = 2 * wisp; worth = score + comfort }`
    Agents(Block<Declaration>),
}

/// `4 of day, night until any players where wisp >= 20`
#[derive(Clone, Debug, PartialEq)]
pub struct Rounds {
    /// How many at most.
    pub count: Option<Expr>,
    /// The phases of each.
    pub phases: Vec<Name>,
    /// No round begins once this holds.
    pub until: Option<Expr>,
}

/// `highest score, then order`
#[derive(Clone, Debug, PartialEq)]
pub struct WinsRule {
    /// `lowest`
    pub lowest: bool,
    /// What breaks ties.
    pub keys: Vec<OrderKey>,
}

/// `option NAME = VALUES`
#[derive(Clone, Debug, PartialEq)]
pub struct OptionDecl {
    /// Its name.
    pub name: Name,
    /// What can be chosen.
    pub values: OptionValues,
}

/// What stands behind the `=` of an option.
#[derive(Clone, Debug, PartialEq)]
pub struct OptionValues {
    /// What can be chosen.
    pub choices: OptionChoices,
    /// What is chosen if nobody says; several for `any of`.
    pub default: Vec<Name>,
    /// `for each player`
    pub each_player: bool,
}

/// What can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionChoices {
    /// `a | b`
    One(Vec<Name>),
    /// `any of a, b`
    Several(Vec<Name>),
    /// `1 to 4`
    Range(Expr, Expr),
}

/// A name of one word, or of several in quotes.
#[derive(Clone, Debug, PartialEq)]
pub enum ConditionName {
    /// `calm`
    Word(Name),
    /// `"most calm"`
    Quoted(Quoted),
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

/// What stands behind the value of a stat or changeable.
#[derive(Clone, Debug, PartialEq)]
pub enum Bound {
    /// `at most 40`
    AtMost(Expr),
    /// `at least 0`
    AtLeast(Expr),
    /// `ranked as max(fame, 0)`
    RankedAs(Expr),
}

/// `x = top 1 by x, ties at the edge out`
#[derive(Clone, Debug, PartialEq)]
pub struct RankRule {
    /// What is ranked is called so.
    pub param: Name,
    /// `top` or `bottom`.
    pub top: bool,
    /// How many.
    pub count: Expr,
    /// Behind `by`: must be the same as `param`.
    pub by: Name,
    /// `in` or `out`.
    pub ties_in: bool,
}

/// A line of `table`, `player` or `card`.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Which, and its parts.
    pub kind: MemberKind,
    /// Where it stands.
    pub span: Span,
}

/// What a table, a player or a card has.
#[derive(Clone, Debug, PartialEq)]
pub enum MemberKind {
    /// `resource wisp, moss`
    Resource { names: Vec<Name> },
    /// `counter dens`
    Counter { names: Vec<Name> },
    /// `flag passed`
    Flag { names: Vec<Name> },
    /// `set short of resource`
    Set { name: Name, of: Name },
    /// `tally seen by kind`
    Tally { name: Name, by: Name },
    /// `each round { … }`: what lasts no longer.
    Each { lifetime: Name, members: Block<Member> },
    /// `deck pile by age of wolf, wall where card.set in set`
    Deck { name: Name, by: Option<Name>, kinds: Vec<Name>, filter: Option<Expr> },
    /// `grid market 3 by columns`
    Grid { name: Name, rows: Expr, columns: Expr },
    /// `hexes heath 2`
    Hexes { name: Name, rings: Expr },
    /// `place lair of wolf, wall: 9, room 9, hidden`
    Place { names: Vec<Name>, kinds: Vec<Name>, limit: Option<Expr>, room: Option<Expr>, hidden: bool },
    /// `pool hand, face down, full`
    Pool { name: Name, face_down: bool, full: bool },
}

/// A line of a kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Which, and its parts.
    pub kind: FieldKind,
    /// Where it stands.
    pub span: Span,
}

/// What a kind of card has.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// `slot yard`
    Slot { place: Name },
    /// `height: number = 2`, `maybe shade: number`
    Field { name: Name, holds: FieldType, maybe: bool, default: Option<Expr> },
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldType {
    /// `number`
    Number,
    /// `numbers`
    Numbers,
    /// `cards`
    Cards,
    /// `of resource, calm`: a number for each of these, `resource` or a kind of token first.
    Of(Vec<Name>),
    /// `one of resource`, `one of side`
    OneOf(Name),
}

/// `grey 5: sun | 2 sun | rain, sun`
#[derive(Clone, Debug, PartialEq)]
pub struct TokenSort {
    /// Its name.
    pub name: Name,
    /// How many there are.
    pub count: Expr,
    /// What they can show; one face: they always show it.
    pub faces: Vec<Face>,
    /// All of it.
    pub span: Span,
}

/// `2 sun, rain`
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// How many of which symbol.
    pub shows: Vec<(Option<Expr>, Name)>,
    /// All of it.
    pub span: Span,
}

/// A line of a phase or of `setup`.
#[derive(Clone, Debug, PartialEq)]
pub enum PhasePart {
    /// `step meal { … }`
    Step(Step),
    /// `turns in order until all have passed, 1 each`
    Turns(Turns),
    /// `before first action { … }`
    BeforeFirstAction(FirstAction),
    /// `action …`, `free action …`
    Action(Action),
    /// A statement.
    Statement(Statement),
}

/// `before first action { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct FirstAction {
    /// What is done.
    pub body: Body,
    /// All of it.
    pub span: Span,
}

/// `step meal unless first round { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name.
    pub name: Name,
    /// When it is gone through.
    pub when: Option<StepWhen>,
    /// What is done.
    pub body: Body,
    /// All of it.
    pub span: Span,
}

/// `when C`, `unless C`
#[derive(Clone, Debug, PartialEq)]
pub struct StepWhen {
    /// `unless`
    pub unless: bool,
    /// The condition.
    pub condition: Expr,
}

/// `turns in order until all have passed, 1 each, counted in turns`
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// A flag of the player.
    pub until: Name,
    /// How many actions a turn has.
    pub each: Option<Expr>,
    /// A counter of the player.
    pub counted: Option<Name>,
    /// All of it.
    pub span: Span,
}

/// `action fetch card in row { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// `free`
    pub free: bool,
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
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq)]
pub enum ActionPart {
    /// `needs fame if …: fame > 3 "nobody knows you"`
    Needs { name: Name, only_if: Option<Expr>, condition: Expr, reason: Option<Quoted>, span: Span },
    /// `cost 2 wisp`
    Cost(Cost),
    /// `does { … }`
    Does { body: Body, span: Span },
}

/// `cost 2 wisp`, `cost 1 sun from hand to box`, also of a card's action: `cost = "1 wisp, 2 moss"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cost {
    /// How much.
    pub amount: Expr,
    /// Of which resource or symbol.
    pub what: Expr,
    /// From which pool to which.
    pub pools: Option<(Name, Name)>,
    /// All of it.
    pub span: Span,
}

/// `check leaving { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Its name.
    pub name: Name,
    /// What it does.
    pub body: Block<CheckLine>,
    /// All of it.
    pub span: Span,
}

/// What a check does.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckLine {
    /// Which.
    pub kind: CheckKind,
    /// Where it stands.
    pub span: Span,
}

/// What a check does; cards are those of a zone.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckKind {
    /// `remove cards in play that say they leave`
    Leaving { zone: Name },
    /// `remove cards in play beyond the room of their place`
    Room { zone: Name },
}

/// `dusk "night falls"`
#[derive(Clone, Debug, PartialEq)]
pub struct ToldMoment {
    /// The moment.
    pub name: Name,
    /// What has happened then.
    pub text: Quoted,
    /// All of it.
    pub span: Span,
}

/// `reaching 3, 6 { gain 1 wisp }`
#[derive(Clone, Debug, PartialEq)]
pub struct TrackStep {
    /// When it acts.
    pub when: TrackWhen,
    /// What it does.
    pub body: Body,
    /// All of it.
    pub span: Span,
}

/// When the step of a track acts.
#[derive(Clone, Debug, PartialEq)]
pub enum TrackWhen {
    /// When a marker comes to one of these.
    Reaching(Vec<Expr>),
    /// When a marker goes on from one of these.
    Leaving(Vec<Expr>),
    /// When a marker would go past the end.
    Beyond,
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

/// `"wisps" = wisp`
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreRow {
    /// What it is called.
    pub name: Quoted,
    /// How many points.
    pub value: Expr,
    /// All of it.
    pub span: Span,
}
