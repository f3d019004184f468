//! Everything that can be wrong with cards: their figures, and what their entries refer to.

use super::Suggestion;
use crate::diagnostic::{Fix, FixEdit};
use crate::source::Span;
use houserule_source::problems;

problems! {
    /// The problems that a card can have.
    pub(crate) enum CardProblem {
        error C004 TooManyPiles { deck: String, most: i32, pile: i32 } => "deck `{deck}` has at most {most} piles"
            label "this card would lie in pile {pile}";
        error C020 UnknownKind { kind: String, suggestion: Suggestion } => "`{kind}` is not a kind of this game"
            label (suggestion.label())
            with (|diagnostic| suggestion.explain(diagnostic, kind));
        error C020 CardOfBoard { board: String, declared: Span } => "`{board}` is a board, and its spaces are no cards"
            label "not a kind of card"
            also_at ([(*declared, "the board")])
            help "a space is declared in the board: `space NAME`";
        error C021 UnknownFieldOfSpaces { board: String, field: String, suggestion: Suggestion } => "spaces of `{board}` have no field `{field}`"
            label "unknown field"
            with (|diagnostic| suggestion.explain(diagnostic, field))
            help "what a space has printed is declared in its board: `{field}: number`";
        error C022 SpaceLacks { space: String, board: String, field: String } => "space `{space}` has no `{field}`"
            label "this space"
            help "write it behind the name, `{{ {field} … }}`: all of `{board}` need one";
        error C022 PartLacks { part: String, board: String, field: String } => "part `{part}` has no `{field}`"
            label "this part of the card"
            help "add `{field} = …` to it: all parts of `{board}` need one";
        error C021 UnknownField { kind: String, field: String, suggestion: Suggestion } => "cards of kind `{kind}` have no field `{field}`"
            label "unknown field"
            with (|diagnostic| suggestion.explain(diagnostic, field));
        error C021 MomentAsField { kind: String, field: String, moment: String } => "cards of kind `{kind}` have no field `{field}`"
            label "unknown field"
            help "what the card does at the moment `{moment}` is written `on.{moment} = …`"
            fix (Fix::word(field, format!("on.{moment}")));
        error C022 FieldsMissing { card: String, kind: String, fields: Vec<String>, values: Vec<String>, patched: Option<Span> } => (match &fields[..] {
                [first, .., last] => format!("`{card}` has none of `{first}` to `{last}`, {} fields", fields.len()),
                fields => format!("`{card}` has no `{}`", fields.concat()),
            })
            label (if patched.is_some() { "with this kind" } else { "this card" })
            also_at (patched.map(|card| (card, "this card")))
            help (match &fields[..] {
                [field] => format!("add `{field} = …`: every card of kind `{kind}` needs one"),
                _ => format!("add `{}`: every card of kind `{kind}` needs them; or let it be `like` another card", fields.join("`, `")),
            })
            fix_if (patched.is_none().then(|| missing_fields(fields, values)));
        error C023 WrongFigure { expected: &'static str, found: &'static str } => "expected {expected}, found {found}";
        error C022 NoParts { card: String, kind: String, board: String, side: String } => "`{card}` does not say what its parts are"
            label "this card"
            help "the parts of each card of kind `{kind}` are spaces of `{board}`: add `parts = [{{ at = \"{side}\", … }}]`, or `parts = []`";
        error C024 NoSide { word: String, sides: Vec<String> } => "a card has no side `{word}`"
            label "not a side"
            help (format!("its sides are {}; `{}1` and `{}2` are the beginning and the end of a side, clockwise",
                sides.iter().map(|side| format!("`{side}`")).collect::<Vec<_>>().join(", "), sides[0], sides[0]));
        error C024 PortTaken { port: String, other: String } => "two parts of the card lie at `{port}`"
            label "part `{other}` lies there, too"
            help "at each side one part comes to the edge; where several do, one lies at its beginning, one in the middle, and one at its end: `{port}1`, `{port}`, `{port}2`";
        error C024 PartName { name: String } => "`{name}` is not the name of a part"
            label "letters, digits and `_` alone"
            help "it is part of a name, such as `card_road`";
        error C024 PartTwice { name: String } => "two parts of the card are called `{name}`"
            label "a second time"
            help "give it another name";
        error C024 NoSuchPart { name: String, suggestion: Suggestion } => "the card has no other part `{name}`"
            label (suggestion.label())
            with (|diagnostic| suggestion.explain(diagnostic, name))
            help "a part without a `name` is called by its first word";
        error C024 TooManyParts { board: String, most: usize, so_far: usize } => "the cards of `{board}` have more than {most} parts"
            label "with this card {so_far}"
            help "each copy of a card has its own; leave parts out that nothing is asked about";
        error C025 NeverRaised { moment: String, written: String, suggestion: Suggestion } => "the rules never say `moment {moment}`"
            label "unknown moment"
            with (|diagnostic| suggestion.explain(diagnostic, written));
        error C026 NotChangeable { name: String, suggestion: Suggestion } => "the rules declare no changeable quantity `{name}`"
            label "unknown quantity"
            with (|diagnostic| suggestion.explain(diagnostic, name));
        error C027 UnknownLoss { name: String, suggestion: Suggestion } => "the rules name no loss or draw `{name}`"
            label "unknown"
            with (|diagnostic| suggestion.explain(diagnostic, name))
            help "a loss or draw gets a name by `… for NAME` in the rules file";
        error C028 SecondAction => "a card has one action at most"
            label "a second one"
            help "let one action ask what is done: `ask = \"one of …\"`";
        error C029 BeyondRoom { place: String, owner: &'static str, room: u16, granted: i32, declared: Span } =>
            "`{place}` has room for {room} cards, and this grants {granted}"
            label "more than there can ever be"
            also_at ([(*declared, "the place")])
            help "print {room} at most, or let rules say `change {owner}.{place}.room to {granted}`";
        error C034 NameTellsOthers { key: String } => "the name of `{key}` does not tell the same that is chosen"
            label "each of them once, in braces"
            help "write what stands in braces in `{key}` in braces here, too";
        error C034 NameOfNothing { sort: &'static str, table: &'static str, key: String, elsewhere: Option<&'static str>, near: Option<(String, Option<Span>)> } =>
            "there is no {sort} `{key}`"
            label "in `[{table}]`"
            with (|diagnostic| match (elsewhere, near) {
                (Some(table), _) => diagnostic.help(format!("write it in `[{table}]`")),
                (None, Some((near, card))) => diagnostic.meant(Some(near.as_str())).also_at(card.map(|card| (card, "this is a card"))),
                (None, None) => {
                    let lists = if *table == "card" { "houserule list GAME cards" } else { "houserule words --game GAME" };
                    diagnostic.help(format!("remove the line; `{lists}` lists what there is")).fix(Fix::remove(key))
                }
            });
        error C035 SameName { one: String, other: String, name: String, first: Span } => "`{one}` and `{other}` are both called `{name}`"
            label "a second time"
            also_at ([(*first, "the first time")])
            help "nobody could tell them apart; rename one of them";
        warning C036 WithoutName { ids: Vec<String>, sort: &'static str, language: String } => (without_name(ids, sort, language))
            help (format!("write them under `[{}]`; until then they keep the names they have without `--lang`; `check --missing-names` lists all", if *sort == "word" { "words" } else { *sort }));
        error C041 ReservedId { id: String, what: &'static str } => "a card cannot be called `{id}`"
            label "this is {what}"
            help "give it another id, such as `{id}_card`; its `name` may stay"
            fix (Fix::word(id, format!("{id}_card")));
        warning C047 SharedName { id: String, what: &'static str, declared: Option<Span> } => "`{id}` is a card, and {what} too"
            label "the card"
            also_at (declared.map(|declared| (declared, "the other")))
            help "in rules the name means the other, in scenarios it may mean either: rename one of them";
        warning C044 EntryDoesNothing => "this entry does nothing"
            label "its script is empty"
            help "write what is done, or leave the whole entry out";
        warning C044 ChangeByNothing => "a change by 0 changes nothing"
            label "does nothing"
            help "write by how much, or leave the entry out";
        warning C045 OwnMomentNeverHeard { moment: String } => "`this.{moment}` is never heard"
            label "`{moment}` is about no card, so it is never a card's own"
            help "write `when = \"{moment}\"`, or let the rules say `moment {moment}(CARD)`"
            fix (Fix::word(format!("this.{moment}"), moment));
        warning C045 MomentOfNoCard { moment: String } => "`{moment}` is about no card"
            label "there is no `card` here"
            help "`own` is the card that has the entry; for `card` to be one, the rules must say `moment {moment}(CARD)`";
        warning C045 NeverHeard { hears: &'static str } => "this entry is never heard"
            label "it hears moments of `{hears}` alone, and this never holds for those"
            help "remove the condition, or change `who`: `me`, `others` or `all`";
    }
}

/// Makes the fix that adds fields to a card, with the first values they can have: what they hold is known to its author alone.
fn missing_fields(fields: &[String], values: &[String]) -> Fix {
    let lines = fields.iter().zip(values).map(|(field, value)| format!("{field} = {value}")).collect();
    Fix::new(format!("add `{}`", fields.join("`, `")), FixEdit::AddLines(lines))
}

/// How many ids a warning about missing translations lists.
const MAX_LISTED_IDS: usize = 3;

fn without_name(ids: &[String], sort: &str, language: &str) -> String {
    let first: Vec<String> = ids.iter().take(MAX_LISTED_IDS).map(|id| format!("`{id}`")).collect();
    let more = if ids.len() > MAX_LISTED_IDS { ", …" } else { "" };
    let (plural, have) = if ids.len() == 1 { ("", "has") } else { ("s", "have") };
    format!("{} {sort}{plural} {have} no name in `{language}`: {}{more}", ids.len(), first.join(", "))
}
