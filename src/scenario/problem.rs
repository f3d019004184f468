//! All problems with scenarios and tests of cards, as values, with the table of their messages.

use crate::diagnostic::Fix;
use crate::source::Span;
use houserule_source::problems;

problems! {
    /// A problem with a line of a scenario, or with its file.
    pub(crate) enum ScenarioProblem {
        // ------------------------------------------------------------------ names
        error G110 NoCard { name: String, near: Option<String> } => "no card is called `{name}`"
            label "unknown"
            meant (near.as_deref());
        error G110 NoPlace { name: String, near: Option<String> } => "no place is called `{name}`"
            label "unknown"
            meant (near.as_deref());
        error G110 NoDeck { name: String, near: Option<String> } => "no deck is called `{name}`"
            label "unknown"
            meant (near.as_deref());
        error G110 NoCounter { name: String, near: Option<String> } => "cards have no counter `{name}`"
            label "unknown"
            meant (near.as_deref());
        error G110 NotCounted { name: String, what: &'static str, word: Option<String> } => "`{name}` is {what}, and is not put on a card by a number"
            label "no number"
            help (match word {
                Some(word) => format!("write a line of its own behind this one: `CARD.{name}[{word}] = …`"),
                None => format!("write a line of its own behind this one: `CARD.{name} = …`"),
            });
        error G110 NoFlag { name: String, write: String, near: Option<String> } => "`{name}` is not a flag of a player"
            label "unknown"
            with (|wrong| match near {
                None => wrong.help(write.as_str()),
                near => wrong.meant(near.as_deref()),
            });
        error G110 NotInSet { word: String, set: String, known: String, near: Option<String> } => "`{word}` cannot be in `{set}`"
            label "unknown"
            help "write `nothing`, or some of {known}, with commas"
            meant (near.as_deref());
        error G112 NoToken { name: String, what: &'static str, near: Option<String>, any: bool } => "no {what} is called `{name}`"
            label "unknown"
            meant (near.as_deref())
            helps ((!any).then_some("there are no tokens in this game"));
        error G112 NoFace { of: String, face: String, near: Option<String>, faces: Option<String> } => "{of} has a face `{face}`"
            label "it does not exist"
            meant (near.as_deref())
            helps (faces);
        error G112 NoTokens { text: String, near: Option<String> } => "`{text}` is not a token, nor several of one"
            label "cannot be read"
            help "write `nothing`, or tokens such as `2 KIND:FACE, KIND`"
            meant (near.as_deref());
        error G101 NoPlayer { player: usize, players: usize } => "there is no player {player}; there are {players}"
            label "not in this game";
        error G110 NotAPlayer { found: String } => "expected a player such as `p1`, found `{found}`"
            label "here";
        error G110 Twice { word: String } => "`{word}` is named twice"
            label "again here";
        error G110 Whose { name: String } => "each player has `{name}`"
            label "whose?"
            help "write `p1.{name}`";
        error G110 Nobodys { name: String } => "`{name}` belongs to nobody; write `{name}` alone"
            label "here"
            fix (Fix::place(name.as_str()));
        error G120 NoStep { message: String, near: Option<String> } => "{message}"
            label "here"
            meant (near.as_deref());
        error R001 Misspelt { word: String, near: &'static str } => "`{word}` does not belong here"
            label "unknown"
            meant (Some(*near));

        // ------------------------------------------------------------------ the position
        error G110 FromBeginningAlone { line: Span } => "nothing has been done yet, so nothing can be changed"
            label "here"
            also_at ([(*line, "this line must be the only one")])
            help "leave one of the two out";
        error G110 RoundAsSetUp => "with `as set up` no round has begun; leave one of the two out"
            label "here";
        error G110 BeforeSetUp => "set-up has not been done yet; only `next roll`, `next take` and `next draw` are allowed above `as set up`"
            label "here";
        error G110 Expected { what: &'static str } => "expected {what}"
            label "here";
        error G110 ExpectedType { expected: &'static str, found: &'static str } => "expected {expected}, found {found}"
            label "here";
        error R003 Mismatch { expected: &'static str, found: &'static str } => "expected {expected}, found {found}"
            label "this is {found}";
        error G110 NotADeck { name: String } => "`{name}` is not a deck, so it has no number"
            label "here";
        error G110 NoSuchDeck { deck: String, last: usize } => (match last {
                1 => format!("there is only one deck `{deck}`"),
                last => format!("there is no such deck; they go from `{deck}[1]` to `{deck}[{last}]`"),
            })
            label "here";
        error G110 Taken { card: String, put: Span } => "a line above has put `{card}` there, and this takes it away"
            label "here"
            also_at ([(*put, "put there")])
            help "write this line above the other, or leave one of them out";
        error G110 Replaced { card: String, put: Span } => "a line above has put `{card}` there, and this replaces it"
            label "here"
            also_at ([(*put, "put there")])
            help "leave one of the two lines out, or put one of the cards elsewhere";
        error G110 Changed { name: String, value: i32, now: i32, set: Span } => "a line above has set `{name}` to {value}, and this line makes it {now}"
            label "here"
            also_at ([(*set, "set here")])
            help "write the line with `{name} = …` below this one, so that it decides";
        error G110 SetTwice { name: String, is_pool: bool } => "a line above has set `{name}`, and this replaces it"
            label "here"
            help (match is_pool {
                true => format!("write all of it on one line: `{name} = 2 KIND, KIND`"),
                false => "leave one of them out".to_string(),
            });
        warning G115 HalfSet { flag: String, name: String } => "`{flag}` is not set, but the rules set it whenever they write `{name}`"
            label "this alone may be half of it"
            help "also write `{flag} = yes`, or `{flag} = no` if it is meant so";
        error G111 NotMadeToRead { player: usize, name: String, value: i64 } => "p{player}'s {name} cannot be made to read {value}"
            help "what bounds `{name}`, or another line, prevents it";
        error G110 NotAPool { name: String } => "`{name}` is not a pool, and holds no tokens"
            label "here";
        error G110 SeenByAll { name: String } => "everybody sees `{name}`: it is not hidden"
            label "this is always so"
            help "declare it with `, hidden`, or leave the line out";
        error G110 NothingToSee { name: String, near: Option<String> } => "`{name}` is neither a hidden value, nor a place, nor a card"
            label "nothing to see"
            meant (near.as_deref());
        error G110 CannotBe { name: String, value: String } => "`{name}` cannot be `{value}`"
            label "here";
        error G110 WrongNumber { why: String } => "{why}"
            label "here";
        error G110 SetOfWords { name: String } => "`{name}` is a set of words; a word is in it or not"
            label "here";
        error G110 CardsOfPlace { place: String } => "`{place}` holds cards"
            label "here"
            help "write `{place} = CARD, CARD`, with a number ahead of a card that lies there several times, or `{place} = nothing`";
        error G110 CardsOfMap { place: String } => "the cards of `{place}` have rows and columns"
            label "here"
            help "write a picture: `{place} | CARD . | . .`, a line for each row, or `put CARD in {place} row 1 column 2`";
        error G110 NoIndex => "a row of numbers has no such entry"
            label "here";
        error G110 Follows { name: String } => "`{name}` follows from the position and cannot be written"
            label "here";
        error G110 NoCardHere => "no card is there"
            label "here";
        error G110 CannotWrite { name: String } => "`{name}` cannot be written"
            label "it is computed from other things"
            help "a resource, counter, flag, tally, set or pool can be written, a counter on a card, and a stat, which then gets a difference";
        error G110 RowAndOver => "a card goes into a row and column, or over a card, not both"
            label "here";
        error G110 NoRow { place: String } => "`{place}` has no such row and column"
            label "here";
        error G110 NoPlaceInPlay { card: String, kind: String, player: usize } => "no player has a place in play for a card of kind `{kind}`"
            label "here"
            help "say where it is: `put {card} in p{player}.PLACE`; places in play are those that `hearing` names";
        error G110 WrongKind { card: String, kind: String, place: String } => "`{card}` is a card of kind `{kind}`, and `{place}` takes none"
            label "here";
        error G110 NoPiece { card: String } => "there is no piece of `{card}` in this game"
            label "here";
        error G110 PutTwice { card: String, only: bool, more: u16 } =>
            (format!("a line above has put the {} `{card}` somewhere", if *only { "only" } else { "last" }))
            label "here"
            help "put it where it is to be, once; with `copies = {more}` on the card there would be {more} of it";
        error G110 NotOfDeck { card: String, deck: String } => "`{card}` does not belong to deck `{deck}`"
            label "here";
        error G110 NotThere { card: String, place: String, cards: Vec<String> } => "`{card}` is not in `{place}`"
            label "not there"
            help (match cards.is_empty() {
                true => "it is empty".to_string(),
                false => format!("in it: {}", cards.join(", ")),
            });
        error G110 NoSpace { card: String, place: String, cards: Vec<String> } => "no space is left for `{card}` in `{place}`"
            label "here"
            with (|wrong| match cards.first() {
                None => wrong.help("there is no room for any card there in this position"),
                Some(first) => wrong.help(format!("in it: {}", cards.join(", "))).help(format!(
                    "to replace one of them write `put {card} in {place} over {first}`; `empty {place}` above takes all out"
                )),
            });

        error G110 BoardMovesNothing { board: String } => "`{board}` is a board, and its spaces stay where they are"
            label "no place for cards"
            help "write what its spaces have: `SPACE.COUNTER = NUMBER`, or a picture `{board}.COUNTER | …`";
        error G110 SpaceIsNoCard { space: String } => "`{space}` is a space of a board, which stays where it is"
            label "no card"
            help "write what it has: `{space}.COUNTER = NUMBER`";

        // ------------------------------------------------------------------ pictures
        error G116 NoMap { place: String } => "`{place}` is neither a grid nor a map, so there is no picture of it"
            label "has no rows and columns"
            help "write `put CARD in {place}` for each card";
        error G116 Rows { place: String, rows: usize, drawn: usize } => "`{place}` has {rows} rows, and {drawn} are drawn"
            label "this picture"
            help "each row of the picture begins with `|`, and `.` is a space without a card";
        error G116 Spaces { place: String, row: usize, spaces: usize, drawn: usize } => "row {row} of `{place}` has {spaces} spaces, and {drawn} are drawn"
            label "this row"
            help "a space is a card, a sign of the `legend`, or `.` for nothing, with blanks between them; single signs and digits may stand without blanks";
        error G116 NoSign { sign: String, near: Option<String> } => "`{sign}` is neither a card nor a sign of the legend"
            label "unknown"
            meant (near.as_deref())
            help "say above the picture what it is: `legend {sign} = CARD`";
        error G116 SignTwice { sign: String, first: Span } => "`{sign}` stands for two cards"
            label "the second"
            also_at ([(*first, "the first")])
            help "choose another sign for one of them";
        error G116 SignUnused { sign: String } => "no picture below has the sign `{sign}`"
            label "stands for nothing"
            help "write the legend above the picture, or leave the sign out";

        // ------------------------------------------------------------------ chance
        error G113 NotInDeck { card: String, why: String } => "`{card}` is not in this deck"
            label "it cannot be drawn"
            help "{why}";
        error G114 NeverFell { left: usize } => (match left {
                1 => "the last of these faces never fell".to_string(),
                left => format!("{left} faces that `next roll` gives never fell"),
            })
            label (format!("nothing was rolled for {}", if *left == 1 { "it" } else { "them" }))
            help "roll more, or leave them out";
        error G114 NeverChosen { left: usize } => (match left {
                1 => "the last of these was never chosen by chance".to_string(),
                left => format!("{left} of these were never chosen by chance"),
            })
            label "no rule said `random` for them"
            help "leave them out";
        error G114 NeverTaken { left: usize } => (match left {
                1 => "the last of these tokens was never taken".to_string(),
                left => format!("{left} of these tokens were never taken"),
            })
            label "nothing was taken at random for them"
            help "take more, or leave them out";
        error G114 NeverDrawn { why: String } => "this card was never drawn"
            label "{why}"
            help "draw it, or leave this line out";

        // ------------------------------------------------------------------ what is done
        error G110 NothingPicked => "nothing is picked"
            label "here";
        error G110 OverBefore => "the game is over before this"
            label "here";
        error G110 NeverOffered { key: String, player: usize } => "`{key}` is not offered to p{player}, however long the game goes on"
            label "here";
        error G121 Open { message: String, question: Vec<String> } => "{message}"
            label "here"
            helps (question);
        error G140 Fault { fault: String } => "{fault}"
            label "this line causes it";
        error G140 NotReached { why: String } => "{why}"
            label "before the question that this line asks about";

        // ------------------------------------------------------------------ what must hold
        error G130 NoAction { name: String, near: Option<String> } => "no action is called `{name}`"
            label "unknown"
            meant (near.as_deref());
        error G130 NoOption { why: String, near: Option<String> } => "this line cannot fail: {why}"
            label "no option has this"
            meant (near.as_deref());
        error G130 NoAnswer { key: String, near: Option<String> } => "no question of this game has an answer `{key}`"
            label "this line says nothing"
            meant (near.as_deref());
        error G130 NothingDone => "nothing is done, so nothing can be gained or lost"
            label "the result does not depend on the rules"
            help "say under `when` what is done";
        error G110 AnyReason => "every reason contains this; write a part of the reason, or nothing"
            label "here";
        error G130 Certain { always: bool, why: &'static str } => (match always {
                true => "this line cannot fail",
                false => "this line can never hold",
            })
            label "{why}"
            help "write what must hold, such as `p1.x == 3`";
        error G130 NotComputed { why: String } => "{why}"
            label "this cannot be computed";
        error G130 DoesNotHold { line: String, why: Vec<String> } => "`{line}` does not hold"
            label (why.first().cloned().unwrap_or_default())
            helps (why.iter().skip(1));
        error G130 NotInGame { card: String, member: String, why: String } => "`{card}` is not in this game, so it has no `{member}`"
            label "{why}"
            help "say under `given` where it is, or choose its set under `options`; write `{card} is removed` on a line of its own";
        error G130 NotAllPlayers { missing: String } => "{missing} not among them"
            label "all players must be here"
            help "name all players of the game, from first to last";
        error G130 NoHonours => "these rules have no table of honour"
            help "declare one: `honours {{ … }}`";
        error G130 HonourOfOne { players: usize } => "the table of honour is for one player alone; there are {players}"
            help "write `players = 1` in the scenario";
        error G130 NoHonour { name: String, near: Option<String> } => "nobody is called `{name}` in the table of honour"
            label "unknown"
            meant (near.as_deref());
        error G150 Begins => "the game begins with these players and options"
            label "nothing refuses it";
        error G150 RefusedOtherwise => "the game is refused for another reason"
            label "not this one";
        error G152 HoldsWith { pack: String } => "this also holds with `{pack}`"
            label "in vain"
            help "remove `{pack}` from `without`";

        // ------------------------------------------------------------------ files
        error C006 ScenarioTwice { name: String, first: Span } => "two scenarios are called \"{name}\""
            label "the second"
            also_at ([(*first, "the first")])
            help "rename one of them";
        error G151 Several { names: String } => "there are several scenarios in this file"
            label "which one?"
            help "name one: `--from 'FILE#NAME'`; there are {names}";
        error G151 NoScenario { name: String, near: Option<String>, names: String } => "no scenario of this file is called `{name}`"
            label "here"
            with (|wrong| match near {
                None => wrong.help(format!("there are {names}")),
                near => wrong.meant(near.as_deref()),
            });
        error G162 NoScenarioOf { file: String, name: String, near: Option<String>, names: String } => "`{file}` has no scenario called \"{name}\""
            meant (near.as_deref())
            help "there are {names}";
        error G162 SeveralOf { file: String, names: String } => "`{file}` has several scenarios; say which, with `--scenario NAME`"
            help "there are {names}";
    }
}
