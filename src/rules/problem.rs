//! Everything that can be wrong with rules, as an enum with a table of messages. Problems with cards, purses and set-ups are in their own
//! files.

mod cards;
mod purses;
mod setup;
mod suggestion;

pub(crate) use cards::CardProblem;
pub(crate) use purses::PurseProblem;
pub(crate) use setup::{SetUpProblem, is_forbidden};
pub use setup::{is_of_choice, is_refusal};
pub(crate) use suggestion::{ALLOWED, Suggestion};

use crate::diagnostic::{Diagnostic, Fix};
use crate::source::Span;
use houserule_source::problems;

problems! {
    /// The problems that rules can have, or expressions of the rules language on cards.
    pub(crate) enum RuleProblem {
        // ------------------------------------------------------------------ names that nothing has
        error R010 UnknownName { name: String, expected: String, suggestion: Suggestion } => "`{name}` is not {expected}"
            label (suggestion.label())
            with (|diagnostic| suggestion.explain(diagnostic, name));
        error R010 UnknownMember { name: String, near: Option<String> } => "no kind of card has a field or counter `{name}`"
            label "unknown"
            with (|diagnostic| diagnostic.unknown(name, near.as_deref()));
        error R010 UnknownCondition { name: String, write: Option<String>, near: Option<String> } => "no condition is called \"{name}\""
            label "unknown"
            helps (write)
            fix_if (write.as_ref().and_then(|write| Fix::advised(name, write)))
            meant (near.as_deref());
        error R010 NotThePickedToken { name: String } => "`{name}` is not a picked token"
            label "nothing has been picked under this name"
            help "within `player picks …`, `it` is the picked token";
        error R010 SinglePlayer => "rules cannot name a single player"
            label "only a scenario can"
            help "write `each player where …`, or leave the player out: a rule is about whoever carries it out";
        error R010 RankedByAnother { rank: String, by: String, param: String } => "`{rank}` ranks `{param}`, not `{by}`"
            label "another name"
            help "write `by {param}`, which stands for whatever follows `{rank}`; a stat that ranks by something else says `ranked as …`";
        error R010 MomentUnheard { name: String, near: String, entries: usize } =>
            "nobody hears the moment `{name}`; {entries} entries of cards hear `{near}`"
            label "no card names this moment"
            meant (Some(near.as_str()));
        error R010 MisspeltDeclaration { declared: String, used: String, uses: usize, first: Option<Span> } =>
            "`{declared}` is never used, and `{used}`, which nothing declares, is used {uses} times"
            label "declared here"
            meant (Some(used.as_str()))
            also_at (first.map(|first| (first, "used here, for example")));
        error R010 RemovedButUsed { name: String, uses: Vec<Span> } => (match uses.len() {
                1 => format!("`{name}` is removed, but still used once"),
                uses => format!("`{name}` is removed, but still used {uses} times"),
            })
            label "removed here"
            also_at (uses.iter().zip(["used here", "and here", "and here"]).map(|(at, text)| (*at, text)))
            help "change it instead, or change what uses it as well";
        error R010 OverNothing { name: String, near: Option<String> } => "`{name}` is neither a variant nor a pack"
            label "nothing has this name"
            with (|diagnostic| match near {
                None => diagnostic.help("leave it out"),
                near => diagnostic.meant(near.as_deref()),
            });
        warning R010 OverNothingHere { name: String } => "`{name}` is neither a variant nor a pack"
            label "nothing has this name"
            help "leave it out; if it is a pack that is missing only here, also name it in `over` of `pack.toml`";
        error R010 UnknownValue { name: String, suggestion: Suggestion } => "`{name}` is not a value of this field"
            label "unknown here"
            with (|diagnostic| suggestion.explain(diagnostic, name));
        error R001 NoSuchOption { name: String, near: Option<String> } => "there is no option `{name}`"
            label "unknown"
            meant (near.as_deref());
        warning R016 OfferNearName { word: String, near: String } => "`{word}` is not a name of this game"
            label "offered as it is written"
            with (|diagnostic| diagnostic.unknown(word, Some(near)));

        // ------------------------------------------------------------------ names that several have
        error R013 NameTaken { name: String, by: Option<(Span, &'static str)> } => "`{name}` is declared twice"
            label "again here"
            also_at (by.map(|(span, what)| (span, format!("{what} of this name"))))
            help (if by.is_some() { "rename one of them" } else { "every game has it" });
        error R013 ScoreRowTwice { name: String, first: Span } => "two rows of points are called \"{name}\""
            label "the second one"
            also_at (Some((*first, "the first one")))
            help "give one of them another name, or add both up in one row";
        error R013 DeclaredTwice { what: String } => "{what} is declared twice"
            label "again here";
        error R013 TurnsSayTwice { what: &'static str, address: String, first: Span } => "what is done {what} is said twice"
            label "the second one"
            also_at ([(*first, "the first one")])
            help "write both in one block, or add to the first one: `extend {address} {{ … }}`";
        error R013 LocalTwice { name: String } => "`{name}` has a value here already"
            label "again here"
            help "a local name keeps its value: choose another name, or declare a counter for what changes";
        error R013 ReservedWord { word: String, what: &'static str } => "`{word}` is {what}"
            label "no word of a game's own"
            help "choose another word";
        error R013 ConditionReadsOtherwise { name: String } => "no condition can be called `{name}`"
            label "rules read these words as something else"
            help "choose other words";
        error R013 NamedTwice { name: String } => "`{name}` is named twice" label "once is enough";
        error R013 CommonKey { key: String, first: Span } => "`{key}` can be an answer of two choices"
            label (format!("here `{key}` can be an answer, too"))
            also_at ([(*first, format!("`{key}` can be an answer here"))])
            help "let the words of one of them be others: whoever writes `{key}` must mean one thing";
        error R013 OfferedTwice { word: String } => "\"{word}\" is offered twice"
            label "again here"
            help "give the two answers different names, or an `if` each";
        error R013 AddressTaken { address: String, first: Span } => "`{address}` is also the address of something else"
            label "overlays, scenarios and messages could not name this"
            also_at ([(*first, format!("this is `{address}` already"))])
            helps (Some(match address.as_str() {
                "game" => "give the phase another name: `game` is the address of the game's own line",
                _ => "rename one of them",
            }));
        error R013 VariantTwice { name: String, first: Span } => "two variants are called `{name}`"
            label "the second"
            also_at ([(*first, "the first")])
            help "rename one of them: only the first can be chosen";
        error R013 CounterOfThisName { name: String } => "`{name}` is already a counter on cards"
            label "a field needs another name";
        error R013 KeyOfEveryCard { name: String } => "`{name}` is a key that every card may have anyway"
            label "no kind can have a field of this name"
            help (match name.as_str() {
                "age" => "leave it out: what a card says under `age` is `card.age`, and there is a deck for each; or call the field something else".to_string(),
                _ => format!("call it something else, such as `{name}_1`: in a card's file `{name}` is read as the key"),
            });
        error R013 FieldDiffers { name: String, other: Option<Span> } => "`{name}` holds something else in another kind"
            label "fields with the same name must hold the same"
            also_at (other.map(|other| (other, "the other one")))
            helps (other.is_none().then_some("every card has this field"));

        // ------------------------------------------------------------------ types
        error R003 Mismatch { expected: String, found: &'static str, way_out: Option<&'static str>, used_at: Option<Span> } =>
            "expected {expected}, found {found}"
            label "this is {found}"
            helps (*way_out)
            also_at (used_at.map(|at| (at, format!("used as {found} here"))));
        error R003 SidesDiffer { one: &'static str, other: &'static str } => "one side is {one}, the other {other}"
            label "both sides must have the same type";
        error R003 NotComparable { one: &'static str, other: &'static str, place: Option<String>, way_out: Option<&'static str> } =>
            "{one} cannot be compared with {other}"
            label "here"
            helps (*way_out)
            helps (place.as_ref().map(|place| {
                format!("write `count {place}` for the number of cards there; a place alone stands for its first card")
            }));
        error R003 NeverIs { one: &'static str, other: &'static str } => "{one} is never {other}"
            label "here";
        error R003 ContainsNothing { name: String, what: &'static str } => "`{name}` is {what}, which contains nothing"
            label "a place, a set, or `1 to 4` is needed here";
        error R003 NotAValue { name: String, what: &'static str, write: Option<String>, near: Option<String> } => "`{name}` is {what}, not a value"
            label "a value is needed here"
            helps (write)
            fix_if (write.as_ref().and_then(|write| Fix::advised(name, write)))
            with (|diagnostic| Diagnostic { unknown: near.as_ref().map(|near| Box::new((name.clone(), near.clone()))), ..diagnostic });
        error R003 NotARank { name: String, what: &'static str } => "`{name}` is {what}, not a rank"
            label "a rank, or a condition of several words, is needed here";
        error R003 SeveralValues { name: String, write: Option<String> } => "`{name}` holds several values"
            label "say which"
            helps (write);
        error R003 SingleValue { name: String } => "`{name}` is a single value"
            label "it takes no index";
        error R003 SetOfWords { name: String } => "`{name}` is a set of words, which are in it or not"
            label "it takes no index"
            help "write `WORD in {name}` to ask, `add WORD to {name}` to put one in, and in `given` of a scenario `{name} = WORD, WORD`";
        error R003 IsAList { list: String, name: String } => "`{list}` is a list"
            help "write `{name}[0]`, `count {name}` or `first n of {name}`";
        error R003 IsARowOfWords { list: String, name: String } => "`{list}` is a row of words"
            help "write `{name}[0]` for the first of them, or `count {name}`";
        error R003 NeedsArguments { name: String } => "`{name}` needs its arguments"
            help "write `{name}(…)`";
        error R003 HasParameters { name: String } => "`{name}` has parameters";
        error R003 TakesNoValues { name: String, what: &'static str } => "`{name}` is {what} and takes no values";
        error R007 WrongNumberOfValues { name: String, takes: usize, given: usize, params: Option<String>, declared: Option<Span> } =>
            (format!("`{name}` takes {takes} value{}, not {given}", if *takes == 1 { "" } else { "s" }))
            label (if *given == 0 { "its values are missing" } else { "the wrong number of values" })
            helps (params.as_ref().map(|params| match params.is_empty() {
                true => format!("write `{name}` alone"),
                false => format!("write `{name}({params})`"),
            }))
            also_at (declared.map(|at| (at, "declared here")));
        error R007 TooFewValues { name: String, given: usize } => "`{name}` takes two or more values, not {given}"
            label (if *given == 0 { "its values are missing" } else { "the wrong number of values" })
            help "write `{name}(a, b)`";
        error R007 MomentOfSeveral => "a moment is about one card or none";
        error R003 MustBePlain { what: &'static str, expected: &'static str } => "{what} must be {expected}"
            label "this is computed";
        error R003 NotFrom1To { what: &'static str, most: i64 } => "{what} must be a plain number from 1 to {most}"
            label "not this";
        error R002 Expected { what: String, help: Option<&'static str> } => "expected {what}"
            label "not this"
            helps (*help);
        error R002 FewestAboveMost => "the smallest number of players is above the largest"
            label "from more to fewer"
            help "write the smaller number first: `players 2 to 4`";
        error R003 NameOfPlace { name: String } => "`{name}` is a place, and no name for a number or a word"
            label "a name of its own is needed here"
            help "choose another name; to compare what comes of the cards there, put brackets ahead: `(sum … of {name}) in …`";
        error R003 NamedCompared { name: String } => "players with a name are compared by it"
            label "who is meant here?"
            help "write `where {name}.NUMBER < me.NUMBER`";
        error R003 NoBottom => "cards go only under a deck in one pile, or under a place that is no grid"
            label "here none lies below all others"
            help "write `in`, or shuffle them in: `shuffle … under` takes one pile of several, too";
        error R003 NoTop => "only a deck in one pile, and one place that is no grid, has a top and a bottom card"
            label "here none lies on all others"
            help "write `first card of …`, or `card with highest … of …`";
        error R003 ChanceInValue => "chance has no place in a value"
            label "a card that chance names"
            help "let a statement be about it (`remove random card of …`), or give it a name: `let prize = random card of …`";
        error R003 OutsideTally { name: String, number: i64, from: i64, to: i64 } => "`{name}` has no entry of {number}"
            label "it goes from {from} to {to}"
            help "declare more, or say when it is read or written at all";
        error R003 RangeChanges => "how far these numbers go changes during the game"
            label "not known before it begins"
            help "write the widest range that there can be, and after `where` what counts of it: `n in 1 to 20 where n <= …`";
        error R008 RangeTooWide { most: i64 } => "this goes through more than {most} numbers"
            label "too many"
            help "write a smaller range";
        error R003 TableOf { name: String, found: &'static str } => "a table has a value for each number or each of several words, and `{name}` is {found}"
            label "neither a number nor one of several words"
            help "write `if … then … else …`";
        error R003 RangeDown => "a range must go up from one number to another"
            label "not a range"
            help "write `1 to 4`";
        error R003 SeriesOf { found: &'static str } => "a series raises an option of each player"
            label "this is {found}"
            help "declare one, as in `option level = 1 to 3, default 1, for each player`";
        error R003 SeriesTogether => "in a series who wins is raised, and here all win or lose together"
            label "nobody gets ahead of the others"
            help "leave out `series`, or write `wins highest score`";
        error R003 TeamsTogether => "all win or lose together, so that there are no teams"
            label "teams are against each other"
            help "leave out `teams of …`, or write `wins highest score`";
        error R003 NoTeams => "there are no teams in this game"
            label "of which team?"
            help "declare them: `teams of 2`";
        error R003 NoPartner { of: Option<usize> } => (match of {
                Some(size) => format!("in teams of {size} a player has several partners"),
                None => "there are no partners in this game".to_string(),
            })
            label "which player?"
            help (match of {
                Some(_) => "write `other players of my team`",
                None => "declare teams: `teams of 2`",
            });
        error R003 NoWholeTeams { size: usize, players: usize } => "{players} players make no teams of {size}"
            label (match players > size && !players.is_multiple_of(*size) {
                true => "one team would be smaller",
                false => "there must be two teams at least",
            })
            help (format!("let so many play as make whole teams: `players {}`", (players / size + 1).max(2) * size));
        error R003 OfOnePlayer { what: &'static str } => "{what} is not the same for all, who win or lose together"
            label "of which player?"
            help "say it of all: `sum … of players`, `count players where …`, `any players where …`";
        error R003 NoStep { track: String, step: i64, end: i64 } => "track `{track}` has no step {step}"
            label "no marker can ever be there"
            help "its steps are 0 to {end}";
        error R003 DeckCondition => "which cards lie in a deck must follow from what is printed on them"
            label "depends on how the game stands"
            help "read fields of `card`, the number of players and options: `card.start == 1`, `card.set in OPTION`";
        error R003 RefilledFromElsewhere { place: String, is_deck: bool, deck_of_player: bool } => (match deck_of_player {
                true => "a deck of each player is refilled from a place of the player",
                false => "a deck of the table is refilled from a place of the table",
            })
            label (match (is_deck, deck_of_player) {
                (true, _) => format!("`{place}` is a deck"),
                (false, true) => format!("`{place}` lies on the table"),
                (false, false) => format!("each player has a `{place}`"),
            })
            help "declare a place beside the deck, such as `place heap of KIND: 60`";
        error R003 BeginsEmpty { deck: String, of_player: bool } => "`{deck}` begins empty: no card is left out of it, and it has no piles"
            label (match of_player {
                true => "each player has one",
                false => "it has no `of KIND`",
            })
            help "leave out `by` and `where`; cards come into it by `place … in {deck}`, `put`, or `shuffle … into {deck}`";
        error R003 HiddenFromNobody { place: String } => "`{place}` lies on the table, and has no owner from whom it could be hidden"
            label "belongs in `player {{ … }}`"
            help "write `hidden` alone: nobody knows then what lies there";
        error R003 LinkOfSpaces { name: String, board: String } => "link `{name}` joins spaces of another board, and `{board}` has spaces"
            label "not here"
            help "declare a board of links: `board LINKS between {board} {{ link {name} from SPACE to SPACE }}`";
        error R003 SpaceOfLinks { name: String, board: String } => "`{board}` has links between the spaces of another board"
            label "no link"
            help "write `link {name} from SPACE to SPACE`";
        error R003 NoLinks { board: String } => "`{board}` has no links"
            label "joins nothing"
            help "write `link NAME from SPACE to SPACE` for each";
        error R003 SpaceOfParts { name: String, board: String } => "the spaces of `{board}` are parts of cards"
            label "no space is declared here"
            help "a part is said by its card: `parts = [{{ name = \"{name}\" }}]`";
        error R003 PartsTwice { kind: String, other: String } => "the parts of `{kind}` are the spaces of `{other}` already"
            label "a second board of the same cards"
            help "give one board all fields and counters";
        error R003 NotInGrid { place: String } => "`{place}` is neither a grid nor a map of hexagons"
            label "cards touch each other in grids alone"
            help "declare one: `table {{ grid {place} 9 by 9 }}`";
        error R003 NotATurn { name: String } => "`{name}` is not a number that cards have"
            label "no counter of cards"
            help "declare one: `card {{ counter {name}: 0 to 3 }}`";
        error R003 NotMatched { name: String, board: String } => "`{name}` is not a field of `{board}` with one number or word"
            label "nothing to compare"
            help "declare it in the board: `{name}: one of WORDS`";
        error R003 NoPartsBoard { board: String, what: &'static str } => "the spaces of `{board}` are not parts of cards"
            label "`{what}` is about parts of cards"
            help "such a board is declared by `board {board} of parts of KIND in GRID`";
        error R003 BesideWhat { board: String, grid: String } => "`{grid}` is not a grid of the table of the size of `{board}`, with an edge or both without one"
            label "nothing lies beside these spaces"
            help "declare a grid and a board of one size: `table {{ grid {grid} 9 by 9 }}`, `board {board} 9 by 9`";
        error R003 NotALinkBoard { board: String } => "a trail goes by links, and `{board}` has spaces"
            label "has no links"
            help "declare what joins them: `board LINKS between {board} {{ link NAME from SPACE to SPACE }}`";
        error R003 DeckOfPlayer { deck: String } => "each player has one `{deck}`, in one pile"
            label "no pile has a number"
            help "write `{deck}`, or `left.{deck}` for that of another player";
        error R003 RefilledInPiles => "a deck in several piles is not refilled"
            label "belongs to a deck without `by`"
            help "declare a deck for each pile, with `where`";
        error R018 RefilledWithOthers { place: String, deck: String } => "`{place}` takes cards that do not belong in deck `{deck}`"
            label "could not be shuffled into the deck"
            help "declare `{place}` of the kinds of the deck alone";
        error R003 FaceShows { found: String, most: usize } => "a face shows 1 to {most} of a symbol"
            label "this is {found}";
        error R003 NoDefault { name: String, held: &'static str } => "`{name}` holds {held}, so a number cannot be its default"
            label "a default is a number"
            help "leave it out, and write the field on each card";
        error R003 NeedlessMaybe { name: String, why: &'static str, help: &'static str } => "`{name}` {why}"
            label "this field"
            help "{help}";
        error R003 BelongsElsewhere { what: &'static str, block: &'static str } => "{what} belong in {block}"
            label "not here";
        error R003 HiddenOnCard { name: String } => "`{name}` is counted on cards, and as hidden as they are"
            label "not here"
            help "leave out `hidden`: what lies on a card in a hidden place, only who sees the card knows";
        error R003 RangeOfWord { name: String } => "`{name}` is no number, so no range belongs here"
            label "leave it out";
        error R003 RangeWithoutBegin { name: String, from: i64, to: i64 } => "`{name}` begins as 0, which is not among {from} to {to}"
            label "0 is not among them"
            help "let the range begin with 0: 0 then means that there is nothing yet";
        error R003 RangeBeyond { most: i64 } => "the numbers of a range go from -{most} to {most}"
            label "too much";
        error R003 SecretWithoutRange { name: String, write: String } => "nothing says which numbers `{name}` can be, and nobody else knows it"
            label "machine players must imagine it"
            help "write its range: `{write}`";
        error R003 ShownInVain { name: String } => "everybody sees `{name}`"
            label "this is not hidden"
            help "only what is declared with `, hidden` is shown";
        error R003 ShownInPart { name: String } => "of `{name}` not only some of it can be shown"
            label "leave this out"
            help "write `show {name} to all players`";
        error R003 ShownPart => "of a card, one value that is printed on it can be shown, or all of it"
            label "this is neither"
            help "write `show CARD.FIELD to …`, or `show CARD to …`";
        error R003 ShownWhether => "`show whether` tells how one value that is printed on a card compares with another value"
            label "this is something else"
            help "write `show whether CARD.FIELD == VALUE to …`, with `==`, `!=`, `<`, `<=`, `>` or `>=`";
        error R003 NotPrinted => "`all know` asks for one value that is printed on a card"
            label "this is none"
            help "write `all know CARD.FIELD`";
        error R003 NeverShown { field: String } => "`{field}` is never shown to all players"
            label "so it is known to all only where cards lie open"
            help "write `show CARD.{field} to all players`, or `show whether CARD.{field} == VALUE to all players`, where they are told of it";
        error R003 ClueOfMany { field: String, most: usize, values: usize } =>
            (format!("`{field}` has {values} different values on cards; parts of a card can be shown of fields with at most {most}"))
            label "it is declared here"
            help "show the whole card, or give cards a field with fewer values for this";
        error R003 PaidInTokens => "a card's action costs resources"
            label "tokens cannot pay for it"
            help "let the card carry out an effect of the rules that says `spend …`";

        // ------------------------------------------------------------------ boards
        error R003 DiagonalsOfHexes => "hexagons have no diagonals"
            label "spaces of a map of hexagons have six neighbours anyway"
            help "leave it out";
        error R003 EdgeOfHexes => "a map of hexagons has an edge"
            label "only rows and columns go on at the other side"
            help "leave it out, or take more rings than are ever reached";
        error R003 TooNarrow { least: u16 } => "without an edge there are at least {least} rows and columns"
            label "a space would be its own neighbour, or have one twice"
            help "take more of them, or leave `without edge` out";
        error R003 NextToInRows { board: String } => "the neighbours on `{board}` follow from its rows and columns"
            label "none is said"
            help "leave `next to` out; a board without rows and columns says the neighbours of each space";
        error R010 NoSuchSpace { name: String, board: String } => "board `{board}` has no space `{name}`"
            label "not one of its spaces"
            help "its spaces are called by row and column, such as `r2c3`";
        error R006 NoSpaces { board: String } => "board `{board}` has no spaces"
            label "nothing says how many"
            help "write `board {board} 6 by 7`, or name its spaces: `space market next to quay`";
        error R003 NextToItself { name: String } => "`{name}` is next to itself"
            label "the space itself"
            help "name other spaces";
        error R003 PoolOnSpaces => "no pool lies on a space"
            label "tokens cannot be kept apart there"
            help "count them: `counter cubes`, or `tally cubes by player`";
        error R003 ListOnSpaces { name: String } => "`{name}` holds several values, and a space has one number or word under a name"
            label "a list or row"
            help "declare a field for each of them";
        error R003 SpacesAreNoCards { board: String } => "`{board}` is a board, and its spaces are no cards"
            label "a place or kind of cards is needed here"
            help "spaces stay where they are; cards lie on a `grid` of the same size, or have a counter of the board";
        error R003 BoardIsNoSpace { board: String, space: String } => "`{board}` is a board, not one of its spaces"
            label "which space?"
            help (format!("write the name of a space, such as `{space}`{}, `each NAME in {board}`, or `first card of {board} where …`",
                if space.contains('.') { "" } else { " without the board ahead" }));
        error R003 ForOfCards { name: String, what: &'static str, write: String } => "`for` goes through words and numbers, and `{name}` is {what}"
            label "not words"
            help "write `{write}`";
        error R003 NoSymbols => "there are no symbols in this game"
            label "nothing to go through"
            help "declare what tokens can show: `symbols NAME, NAME`";
        error R003 MemberOfEachSpace { what: &'static str, name: String, wanted: &'static str, example: &'static str } => "`{name}` of a space is not {wanted}, as `{what}` needs it"
            label "this is something else"
            help "write a definition of one space: `define NAME(card) = {example}`, and `{what} NAME`";
        error R003 PlayerIsThere { player: String } => "`is there` asks for a card or a space, and `{player}` is a player"
            label "this is a player"
            help "write `{player} is not nobody`, or `{player} is nobody`";
        error R003 SpaceStays => "a space of a board stays where it is"
            label "this is a space"
            help "write to what it has, such as `card.owner = nobody`";
        error R003 NotARowBoard { board: String } => "the spaces of `{board}` lie in no rows"
            label "a board of names"
            help "only boards of rows and columns, or of hexagons, have lines and rows";
        error R003 WhichBoard { what: &'static str } => "nothing ahead of this says of which board this is a space"
            label "`{what}` is about a space of a board"
            help "say something ahead of it that spaces of one board alone have, such as `NAME.MEMBER`, or go through the board: `each NAME in BOARD`";
        error R003 PartKey { name: String } => "no field of parts can be called `{name}`"
            label "cards say by this key something else of their parts"
            help "`name`, `at` and `next_to` are keys of each part; give the field another name";
        error R003 NeedsASpace { what: &'static str } => "`{what}` is about a space of a board"
            label "not a space"
            help "name a space, or what holds one: `counter at of BOARD`";
        error R003 ChanceOnHidden => "what chance chooses here would tell what is hidden"
            label "this goes by what not all players know"
            help "choose by what everybody knows";
        error R003 NotOfEachSpace { what: &'static str, name: String, wanted: &'static str, example: &'static str } => (match *what == "over" {
                true => format!("`over` needs a definition of one space, or of the two of a step, and `{name}` is neither"),
                false => format!("`{what}` needs a definition of one space, which `{name}` is not"),
            })
            label (if *what == "over" { "not a definition with one parameter or two" } else { "not a definition with one parameter" })
            help "write one that is {wanted}, such as `define {name}(card) = {example}`";
        error R003 StepsOnlyOver { what: &'static str, name: String } => "`{name}` is about the two spaces of a step, which does not go with `{what}`"
            label "a definition with two parameters"
            help "leave out `{what}`, or write a definition with one parameter";
        error R003 NeedsABoard { what: &'static str } => "{what} is about the spaces of one board"
            label "a board is needed here"
            help "name a board, such as `{what} lawn where …`";

        // ------------------------------------------------------------------ what is written to
        error R003 CannotWrite { name: String, what: &'static str, help: Option<&'static str> } => "`{name}` is {what} and cannot be written to"
            label "not a counter, flag or tally"
            helps (*help);
        error R003 ResourceOfPlayer { player: String, name: String } => "`{name}` is a resource and cannot be written to"
            label "not a counter, flag or tally"
            help "write `as {player} {{ gain 1 {name} }}`";
        error R003 OnWhichCard { name: String } => "`{name}` is a counter on cards, and no card is named"
            label "on which card?"
            help "put the card before it, such as `card.{name}`";
        error R003 AddToFlag { name: String } => "`{name}` is yes or no: nothing can be added to it"
            label "a flag"
            help "write `{name} = yes`";
        error R003 AddToWord { name: String, what: &'static str } => "`{name}` is {what}: nothing can be added to it"
            label "not a number"
            help "write `{name} = WORD`";
        error R003 TrackWritten { track: String, sign: &'static str } => "`{track}` is a track, whose steps act only when `advance` moves it"
            label "moved past its steps"
            help "write `advance {track} by {sign}…`";

        // ------------------------------------------------------------------ what is too much
        error R008 TooMany { whose: &'static str, most: usize, what: &'static str, help: &'static str } => "{whose} has at most {most} {what}"
            label "this is one too many"
            help "{help}";
        error R008 HasTooMany { whose: &'static str, most: usize, what: &'static str, help: &'static str } => "{whose} has at most {most} {what}"
            label "this has more"
            help "{help}";
        error R008 SetOfTooMany { most: u16, words: usize } => "a set can hold at most {most} words, and there are {words}"
            label "this set"
            help "declare fewer, or let one of them count for several";
        error R008 TooManyCells { whose: &'static str, most: u16 } => "{whose} than {most}"
            label "this is one too many"
            help "declare fewer, or let one of them count for several";
        error R008 TooManyPieces { most: usize, so_far: usize } => "a game has at most {most} cards, copies included"
            label "{so_far} with those before it"
            help "print fewer `copies`, or use counters for cards that are all alike";
        error R008 TooManyEntries { card: String, sort: &'static str, count: usize, most: usize } =>
            "`{card}` has {count} entries `{sort}`; a card can have {most}, those of its kind included"
            label "this card"
            help "let one entry say what several do, by an expression or a script; or print the rest on another card";
        error R008 TooManyNested => "too many loops and questions within each other"
            help "give the inner part a name with `define` or `effect`";
        error R008 Exhausted { what: String, of_definition: bool } => "{what}"
            label (match of_definition {
                true => "what it names names more, and that more again",
                false => "everything before this fits, this does not",
            })
            help (match of_definition {
                true => "let definitions name each other less often, or keep a value in a counter; what is counted or looked for over numbers (`count n in 1 to 200 where …`) is written out, once for each number, and a loop of the program (`for n in 1 to 200 { … }`) is not",
                false => "use fewer lines: one `for r in …`, `repeat` or effect with a parameter replaces many that are alike",
            });

        error R001 UnboundName => "the value of this name was lost"
            label "no value of it is known here"
            help "this is a fault of houserule, not of these rules: please tell us; until then, say the value itself instead of its name";

        // ------------------------------------------------------------------ what depends on itself
        error R005 ChangedByItself { name: String, entries: Vec<(Span, String)> } => "`{name}` is defined in terms of itself"
            label "a card's change makes it depend on itself"
            also_at (entries.iter().map(|(at, card)| (*at, format!("`{card}` changes it"))))
            help "let the card read something that does not depend on it";
        error R005 EffectOfItself { name: String, through: Vec<Span> } => "`{name}` carries itself out without end"
            label "it always runs itself again"
            also_at (through.iter().map(|at| (*at, "by way of this")))
            help "let it stop somewhere: put the `do` inside an `if`";
        error R005 DefinedByItself { name: String, through: Vec<Span> } => "`{name}` is defined in terms of itself"
            label "it depends on itself"
            also_at (through.iter().map(|at| (*at, "by way of this")))
            help "define one of them without the others, or keep the value in a counter";

        // ------------------------------------------------------------------ what is missing
        error R006 NoRounds => "the game has no rounds"
            label "of this game"
            help "write `rounds 8 of PHASE, PHASE`";
        error R006 NoScore => "the score has no rows, so nobody can win"
            label "it is empty"
            help "keep one of them, or write another: `extend score {{ \"points\" = 1 }}`";
        error R006 NoTurns { phase: String } => "phase `{phase}` has no turns"
            label "in which this could be done"
            help "write `turns in order until all have FLAG`, or until a condition holds, above it";
        error R006 TurnsUncounted => "nothing counts the turns of a player"
            help "declare `player {{ each round {{ counter begun }} }}`, and end the line of `turns in order` with `, counted in begun`";
        error R006 DoesNothing { action: String } => "action `{action}` does nothing"
            label "nothing is done here"
            help "add `does {{ … }}`";
        error R006 RoomUnknown => "how many cards can there ever be in this place?"
            label "its limit is worked out"
            help "end the line with `, room N`: the most cards that can ever lie there, as many as the limit can be; a card beyond it is a fault";
        error R006 NoTokens => "there are no tokens to put in this pool"
            help "declare them with `tokens`";
        error R006 NoValueFor { key: String } => "there is no value for `{key}`"
            help "add it, or `else: …`";
        error R004 NoGrid => "this game has no grid or map"
            label "rows, columns and distances exist only on a grid";

        // ------------------------------------------------------------------ cards and places
        error R011 PlayersAreNoCards => "players are not cards"
            label "cards of some place are needed here"
            help "`count`, `any`, `sum`, `highest` and `lowest` go through `players` or `other players` without any place";
        error R011 Whose { name: String, cards_in: &'static str } => "whose `{name}`?"
            label "every player has one"
            help "write `my {cards_in}{name}` or `all {cards_in}{name}`";
        error R011 OfNoPlayer { name: String } => "`{name}` is not something that each player has"
            label "no player has one"
            help "write `{name}` alone";
        error R011 NoPlaceForKind => "no place that players have in play takes cards of this kind"
            label "there are never any"
            help "name the place instead; cards are in play where `hearing …` says so";
        error R017 AboutNoCard { name: String } => "`and` after cards continues their condition, but this says nothing about `{name}`"
            label "is this a condition of the cards?"
            help "if not, put brackets around what ends before `and`: `(any my place) and …`; if so, replace `and` with `where`";
        error R018 WrongKinds { place: String, kinds: Vec<String>, deck: String, declared: Option<Span> } =>
            (format!("`{place}` takes no `{}`, which deck `{deck}` holds", kinds.join("`, `")))
            label "drawn to here"
            help (format!("write `{}` after `of` where the place is declared, or draw to another", kinds.join(", ")))
            also_at (declared.map(|at| (at, "declared here")));
        error R019 LiesInDeck { card: String, deck: String } => "card `{card}` lies in deck `{deck}`, so none is left to be put here"
            label "of this card"
            help "keep it out of the deck, by a kind or a set of its own; or draw it";
        error R001 OneCard { name: String } => "`{name}` is one card"
            label "there is nothing to choose from"
            help "put the condition into an `if` around it";
        error R001 NumbersPicked => "numbers cannot be picked one after another"
            label "in `player picks`"
            help "write `player chooses {{ … }}`";
        error R001 MaybeNoCard { name: String } => "`{name}` cannot be left out: only cards can"
            label "no card"
            help "leave `maybe` out, and add a word or number that stands for nothing";
        error R001 TextOfNothing { name: String, names: String } => "nothing that is chosen here is called `{name}`"
            label "in braces stands the name of what is chosen"
            help (if names.is_empty() { "choose something ahead of the block: `each NAME in 1 to 3`".to_string() } else { format!("chosen are {names}") });
        error R001 TextUnclosed => "in this text a brace is open or closed alone"
            label "write `{{NAME}}`";
        error R001 TextOfValues => "a text has words of its own, and not only what is chosen"
            label "no word stands here"
            help "write a word ahead, as in \"bid {{n}}\", or leave the text out: the key is `choose` with what is chosen then";
        error R001 TextWithout { name: String } => "the text does not tell `{name}`, so that options read alike"
            label "add `{{{name}}}`";
        error R001 TextOfOneWord => "the text of an action tells what is chosen with it"
            label "nothing stands in braces"
            help "write `{{NAME}}` where it belongs, or leave the text out: the name of the action is the key";

        // ------------------------------------------------------------------ the course of the game
        error R001 QuestionWhileLeaving => "nobody can be asked while a card leaves its place"
            label "this asks a player"
            help "note in a counter what is to be asked, and ask behind the statement that moves the card, or by a `moment` there";
        error R001 EndingAtOnce => "nothing can end in the middle of what all players do at once"
            label "the others have not answered yet"
            help "set a flag or a counter, and end behind the block where it says so";
        error R001 EndingWhileLeaving => "nothing can end while a card leaves its place"
            label "this ends it"
            help "set a flag or a counter, and end behind the statement that moves the card, or by a `moment` there";
        error R001 AtOnceWithinAtOnce => "`all players` within `all players`"
            label "all players already act at once here"
            help "move it after the block around it, or use `each player`";
        error R001 LocalWithoutBlock { name: String } => "a local name is seen to the end of its block, and there is no block around `{name}`"
            label "nothing could use it"
            help "put it into a step or an effect, with what uses it";
        error R001 StepOfSetUp => "a step of the set-up always runs"
            label "no condition is allowed here"
            help "put an `if` into the step";
        error R001 NotInSetUp => "turns and actions belong in a phase"
            label "the set-up has statements and steps";
        error R014 MomentNeverRaised { name: String } => "the rules never say `moment {name}`"
            label "nobody could hear it"
            help "raise it, or take it off the list";
        warning R014 PhaseInNoRound { name: String } => "phase `{name}` is in no round"
            help "name it in `rounds … of …`";
        error R006 TurnsEndless => "nothing says when these turns are over"
            label "in this line"
            help "write `turns in order until CONDITION`, `turns in order until all have FLAG`, or `turns in order, skipping who cannot act`";
        warning R015 OfTheSamePlayer { always: bool } => (match always {
                true => "this condition always holds",
                false => "this condition never holds",
            })
            label "both sides are the same value of the same player, who is to be chosen"
            help "in `where` every bare name is that of the player who is asked about: compare with another player by a condition of its own, \
                  `needs NAME: …`, where bare names are those of the player who chooses";
        warning R015 GroupOfItself => "this asks only for the space from which the group begins"
            label "wherever this holds there, the group has that space in it, and elsewhere it is empty"
            help "all of the condition says what hangs together; whether something holds for one of them is told by a sum: \
                  `(sum (if CONDITION then 1 else 0) of t in group of s where t.owner == me) > 0`";
        warning R015 TurnsWithoutEnd { flag: Option<String>, always: bool } => (match (flag, always) {
                (Some(_), _) => "these turns might never end",
                (None, _) => "a player might have nothing to do in its turn",
            })
            label (match (flag, always) {
                (Some(flag), true) => format!("no action that is always allowed says `{flag} = yes`"),
                (_, _) => "no action is always allowed".to_string(),
            })
            help (match (flag, always) {
                (Some(flag), true) => format!("let one of them do it: `action pass {{ does {{ {flag} = yes }} }}`"),
                (Some(flag), false) => format!("add one without parameters, guards and costs: `action pass {{ does {{ {flag} = yes }} }}`"),
                (None, _) => "add one without parameters, guards and costs".to_string(),
            })
            help "if a player who can do nothing is to have no turn, end the line with `, skipping who cannot act`";
        error R022 NoTurnHere { what: &'static str, inside: Option<Span> } => "`{what}` stands where nobody has a turn"
            label "no turn is running here"
            also_at (inside.map(|at| (at, "this wants one")))
            help "write it in what an action of `turns` does, or in an effect that only actions carry out";
        error R022 NoPlayerHere { inside: Option<Span> } => "this is done for a player, and no player is named here"
            label "whose?"
            also_at (inside.map(|at| (at, "this is the player's")))
            help "write `each player {{ … }}` or `all players {{ … }}` around it";
        warning R021 Constant { what: String, always: bool } => (format!("{what} {}", if *always { "always holds" } else { "can never hold" }))
            label "whatever happens in a game"
            help "remove it, or compare with something that it can fail by: a resource, a count or a round is never below 0";
        warning R023 RolledOnce { pool: String } => "the dice in `{pool}` fall once, and all later rolls do nothing"
            label "this rolls dice that show nothing, and those that lie there are never taken up"
            help "take them up first: `lift all DIE in {pool}`; if they are to be rolled only once, do it in `setup`";
        warning R023 LessThanNothing => "this is less than 0, so nothing is done"
            label "not an amount"
            help "write a number from 1 on; for the opposite there are `gain` and `lose`";
        error R003 RoundsBelowOne { count: i64 } => "a game has at least one round, not {count}"
            label "this comes to {count}"
            help "write how many rounds are played: `rounds 8 of PHASE, PHASE`";
        error R003 NeedsChange => "what a game needs to begin changes during the game"
            label "not known yet"
            help "ask for `players` or options";
        error R003 RivalComesAndGoes { rival: String } => "whether there is `{rival}` changes during the game"
            label "a rival is there or not"
            help "ask for `players` or an option: `when players == 1`";
        error R003 RivalOfPlayer { rival: String } => "`{rival}` is computed from what a player has"
            label "a rival has no seat"
            help "keep what it has in counters of the table";

        // ------------------------------------------------------------------ what nobody needs
        warning R020 Unused { what: &'static str, name: String, written: bool } => (match written {
                true => format!("{what} `{name}` is written, but nothing reads it"),
                false => format!("nothing uses {what} `{name}`"),
            })
            label "declared here"
            help "use it or remove it; perhaps something else was meant where it should be used";
        warning R207 DefaultUnread { kind: String, field: String } =>
            "every card of the kind `{kind}` has its own `{field}`, so this default is never read"
            label "for cards that do not say it themselves"
            help "a pack changes what is printed on a card by `[[patch]]` with `card = \"…\"` and `{field} = …`";
    }
}

/// Returns the unused name that a diagnostic is about; `None` if it is another diagnostic.
pub fn unused_name(found: &Diagnostic) -> Option<&str> {
    if let Some(RuleProblem::Unused { name, .. }) = found.problem() { Some(name) } else { None }
}

/// Returns the misspelt word that a question offers; `None` if it is another diagnostic.
pub fn misspelt_offer(found: &Diagnostic) -> Option<&str> {
    if let Some(RuleProblem::OfferNearName { word, .. }) = found.problem() { Some(word) } else { None }
}
