//! All problems with packs and card files, as values, with the table of their messages.

pub(crate) use crate::diagnostic::BoxedDiagnostic;
use crate::diagnostic::{Fix, FixEdit};
use crate::source::Span;
use houserule_source::problems;

problems! {
    /// A problem with a file of cards, translations or scenarios, or with a pack.
    pub(crate) enum PackProblem {
        // ------------------------------------------------------------------ TOML and its values
        error C001 Syntax { words: String, label: &'static str, is_entry: bool, opened: Option<Span> } => "{words}"
            label "{label}"
            helps (is_entry.then_some("several entries are a list, `on.MOMENT = [ { … }, { … } ]`, or all have headers, `[[card.on]]`"))
            also_at (opened.map(|opened| (opened, "the last three quotes of the file")));
        error C004 MustBe { key: String, expected: String, found: &'static str } => "`{key}` must be {expected}"
            label (if *found == "a list" { "this does not fit".to_string() } else { format!("this is {found}") });
        error C004 NotAValue { message: &'static str, label: &'static str } => "{message}"
            label "{label}";
        error C004 NotWhole => "numbers are whole"
            label "has a decimal point or an exponent";
        error C004 OneBracket { header: String } => "`[{header}]` has one bracket on each side, and there may be several of it"
            label "write `[[{header}]]`"
            fix (Fix::place(format!("[[{header}]]")));
        error C043 Unseen { letter: char } => (format!("this text contains `{}`, which cannot be seen", letter.escape_unicode()))
            label "a control character, or one that changes the direction of text"
            help "remove it; a line break is written `\\n`";
        error C043 NameOfNothing => "a name has at least one letter"
            label "nobody could see this"
            help "write the name, or leave out the line: the id is shown in its place";
        error C043 NameOnLines => "a name must be on one line"
            label "this one has a line break or a tab"
            help "write a space instead";

        // ------------------------------------------------------------------ keys
        error C002 UnknownKey { owner: String, key: String, missing: Option<String>, near: Option<String>, known: String } =>
            "{owner} has no key `{key}`"
            label "unknown key"
            helps (missing.as_ref().map(|missing| format!("did you mean `{missing}`, which is missing?")))
            fix_if (missing.as_ref().map(|missing| Fix::word(key, missing)))
            with (|wrong| match near {
                Some(near) => wrong.meant(Some(near.as_str())),
                None => wrong.help(format!("its keys are {known}")),
            });
        error C002 UnknownTable { name: String, near: Option<String> } => "a card file has no `{name}`"
            label "unknown table"
            with (|wrong| match near {
                Some(near) => wrong.help(format!("did you mean `{near}`?")).fix(Fix::word(name, near.trim_matches(['[', ']']))),
                None => wrong.help("it holds `[defaults]`, `[[card]]`, `[[kind]]`, `[[patch]]` and `[[remove]]`"),
            });
        error C002 UnknownHeader { name: String, near: Option<String> } => "a card has no `[[card.{name}]]`"
            label "unknown header"
            with (|wrong| match near {
                Some(near) => wrong.help(format!("did you mean `[[card.{near}]]`?")).fix(Fix::word(name, near)),
                None => wrong.help("its entries are `[[card.on]]`, `action`, `change`, `forbid` and `instead`, its tests `[[card.test]]`"),
            });
        error C003 MissingKey { owner: String, key: String, help: String } => "{owner} has no `{key}`"
            label "`{key}` is missing"
            help "{help}"
            fix (missing_key(key, help));
        error C003 MissingInManifest { keys: String, lines: Vec<&'static str> } => "`pack.toml` has no {keys}"
            label "missing"
            help (format!("add `{}`", lines.join("`, `")))
            fix (Fix::add(lines.iter().copied()));
        error C002 BelongsAbove { header: String, key: String, test: Span } => "`[[{header}]]` has no key `{key}`"
            label "belongs to the test here"
            also_at ([(*test, "the test begins")])
            help "write the line above the first `[[{header}]]`";
        error C002 BelongsToAPart { key: &'static str, place: String } => "an entry with parts has no `{key}` of its own"
            label "belongs to a part"
            help "write it {place}";
        error C002 PatchOf { what: &'static str, key: &'static str, help: &'static str } => "a patch cannot {what}"
            label "`{key}` does not belong here"
            help "{help}";
        error C002 CardAndWhere { header: String } => "`{header}` has both `card` and `where`"
            label "one of them is enough";
        error C002 SubjectTwice { title: String, key: &'static str, first: Span } => "`{title}` says twice what it is about"
            label "a second time"
            also_at ([(*first, "the first")])
            help "remove `{key}`: the name of the line says it"
            fix (Fix::remove(key));
        error C002 NothingToDrop { card: String, key: String, near: Option<String> } => "card `{card}` has no `{key}`"
            label "nothing to drop"
            meant (near.as_deref());
        error C003 NeededByAll { key: String } => "every card needs `{key}`"
            label "cannot be dropped";
        error C024 RefusedHas { key: String, refused: Span } => "a game that is refused has no `{key}`"
            label "never begins"
            also_at ([(*refused, "refused")]);

        // ------------------------------------------------------------------ values
        error C004 AgeBeyond { age: i64, most: i64 } => "an age must be from 0 to {most}, not {age}"
            label "no card has this one"
            help "0, or no `age` at all, is for cards that have none";
        error C004 CopiesBeyond { copies: i64, most: i64 } => "a card has 1 to {most} copies, not {copies}"
            label "this is {copies}"
            help "to have none of a card, use `[[remove]]`";
        error C004 CounterBegins { counter: String } => "counter `{counter}` cannot begin with this number"
            label "a counter is never below 0, nor above 2147483647";
        error C004 DefaultsNoTable { found: &'static str } => "`defaults` must be a table under its own `[defaults]`"
            label "this is {found}"
            help "it has one pair of brackets";
        error C004 WhoIs { word: String, near: Option<String> } => "`who` cannot be `{word}`"
            label "`who` is `me`, `others` or `all`"
            meant (near.as_deref());
        error C004 LimitUnread => "`limit` says how often: a number from 1 on, and perhaps in what"
            label "cannot be read"
            helps (["write `limit = 1` for once a round, or `limit = \"2 each turn\"`", "it can be each action, turn, step, round or game"]);
        error C004 UntilUnknown { word: String, near: Option<String> } => "nothing lasts until `{word}`"
            label "`until` is `action`, `turn`, `step` or `round`"
            meant (near.as_deref())
            help "it is counted from when the card came into play";
        error C004 EntryUnread { title: String, found: &'static str, example: &'static str } => "`{title}` cannot be read"
            label "this is {found}"
            help "write `{example}`";
        error C004 LetNoExpression { name: String, found: &'static str } => "`{name}` must be an expression in quotes"
            label "this is {found}"
            help "write a plain number into the script itself";
        error C004 NoPlayer { word: String } => "`{word}` is not a player"
            label "expected `p1`, `p2` or another"
            help "options of single players are written `options = {{ NAME = {{ p1 = \"VALUE\" }} }}`";
        error C004 NothingChosen { option: String } => "nothing is chosen for option `{option}` here"
            label "this is not a value"
            help "write `{option} = \"VALUE\"`, a list of values, or for single players `{option} = {{ p1 = \"VALUE\" }}`";
        error C003 SaysNothing { entries: &'static str, example: &'static str } => "`{entries}` says nothing"
            label "is empty"
            help "write `{example}`";
        error C003 WithoutDo { what: &'static str } => "{what}"
            label "`do` is missing"
            help "add `do = \"…\"` with what is done";
        error C003 MayInInstead => "whoever answers no would neither pay nor lose anything"
            label "an `instead` holds whatever is answered"
            help "remove `may`: it is paid where it can be, and what is replaced happens where it cannot";
        error C003 EmptyTest { key: &'static str, label: &'static str } => "`{key}` is empty, so nothing is tested"
            label "{label}";
        error C014 WhereUnread { why: String, sets: bool } => "this `where` cannot be read"
            label "{why}"
            help "for example: `kind is wall and (age == 1 or set is not base)`"
            helps (sets.then_some("write `is` before a word, and `==` before a number"));

        // ------------------------------------------------------------------ ids and names
        error C005 NotAnId { id: String, better: Option<String> } => "`{id}` is not an id"
            label "ids are lower-case words joined by `_`, and begin with a letter"
            helps (better.as_ref().map(|better| format!("write `{better}`")))
            fix_if (better.as_ref().map(|better| Fix::place(better.as_str())));
        error C005 NotANameOfAValue { name: String } => "`{name}` cannot be the name of a value"
            label "names are lower-case words joined by `_`, and begin with a letter";
        error C005 NotANameOfAPack { name: String, key: String, word: Option<String> } => "`{name}` is not the name of a pack"
            label "names are lower-case words joined by `_`, without versions"
            help (match word {
                Some(word) => format!("write `{key} = [\"{word}\"]`; versions are shown to people, and never compared"),
                None => format!("write `{key} = [\"NAME\"]`"),
            });
        error C006 EntryIdTwice { id: String, first: Span } => "two entries have the id `{id}`"
            label "the second"
            also_at ([(*first, "the first")]);
        error C006 EntryTwice { title: String, first: Span } => "`{title}` is written twice"
            label "the second"
            also_at ([(*first, "the first")])
            help "write several as a list: `{title} = [ {{ … }}, {{ … }} ]`";
        error C006 OptionTwice { option: String, player: usize } => "option `{option}` of p{player} is chosen twice"
            label "the second"
            help "leave one of the two out";
        error C006 CardIdTwice { id: String, first: Span, of_another_pack: bool } => "two cards have the id `{id}`"
            label "the second"
            also_at ([(*first, "the first")])
            helps (of_another_pack.then(|| format!("to change that card, write `[[patch]]` with `card = \"{id}\"`")));
        error C007 NoCard { id: String, near: Option<String> } => "there is no card `{id}`"
            label "no loaded pack has a card with this id"
            with (|wrong| match near {
                None => wrong.help("`houserule list GAME cards` lists the ids of all cards"),
                near => wrong.meant(near.as_deref()),
            });
        error C007 CardRemoved { card: String, pack: String, removed: Span } => "card `{card}` has been removed"
            label "so this changes nothing"
            also_at ([(*removed, format!("pack `{pack}` removes it here"))]);
        error C017 LikeItself { card: String, others: Vec<(Span, String)>, alone: bool } => (match alone {
                true => format!("card `{card}` cannot be like itself"),
                false => format!("card `{card}` is like itself, by way of others"),
            })
            label (if *alone { "the card's own id" } else { "in a circle" })
            also_at (others.iter().map(|(at, like)| (*at, format!("and this is like `{like}`"))))
            help "one of them must have all its keys itself";
        error C018 DefaultsBelow { card: Span } => "`[defaults]` must come before all cards"
            label "applies to all cards of the file"
            also_at ([(*card, "the first card")])
            help "write it at the top of the file";
        error C002 DefaultOfOneCard { key: String } => "`{key}` belongs to each card itself"
            label "cannot be the same for all cards of a file"
            help "`[defaults]` holds `kind`, `age`, `copies`, `set`, `source` and the fields of the cards' kind";
        error C018 DefaultUnused { key: String, defaults: Span } => "no card of this file takes `{key}` from `[defaults]`"
            label "does nothing"
            also_at ([(*defaults, "the defaults of the file")])
            help "remove the line, or remove the key from the cards that should use it"
            fix (Fix::remove(key));


        // ------------------------------------------------------------------ many cards in one table
        error C046 EachUnread { what: String, found: &'static str } => "`{what}` cannot be read"
            label "this is {found}"
            help "write values for a name, such as `each.n = \"1 to 8\"` or `each.side = [\"a\", \"b\"]`";
        error C046 EachBackwards { from: i64, to: i64 } => "nothing lies from {from} to {to}"
            label "the smaller number comes first"
            help "write `{to} to {from}`"
            fix (Fix::place(format!("{to} to {from}")));
        error C046 EachTooMany { count: usize, most: usize } => "one table makes at most {most} cards, not {count}"
            label "so many combinations of values"
            help "write several tables, or `copies` for cards that are all alike";
        error C046 EachValueTwice { name: String, value: String } => "`each.{name}` has the value `{value}` twice"
            label "a card would be made twice"
            help "leave one of the two out; `copies = 2` makes two of a card";
        error C046 EachUnused { name: String, count: usize } => "`each.{name}` changes nothing"
            label "`{{{name}}}` stands nowhere in this card"
            help "write `{{{name}}}` into the id and wherever the cards differ; for cards that are all alike, write `copies = {count}`";
        error C046 EachUnknown { name: String, near: Option<String>, known: String } => "there is no `each.{name}`"
            label "has no values"
            with (|wrong| match near {
                Some(near) => wrong.help(format!("did you mean `{{{near}}}`?")).fix(Fix::word(name, near)),
                None => wrong.help(format!("this card has values for {known}")),
            });
        error C046 EachIdTwice { id: String, header: Span } => "`each` makes several cards with the id `{id}`"
            label "must differ from card to card"
            also_at ([(*header, "of this table")])
            help "write the names of all values into the id, such as `id = \"{{colour}}_{{n}}\"`";
        error C046 EachKeyTwice { key: String } => "`{key}` is in one table twice"
            label "after `each` has put in a value"
            help "write two tables, one for the cards in which both are the same";

        // ------------------------------------------------------------------ overlays
        error C008 CardContested { card: String, pack: String, other: String, at: Span, removed: bool } =>
            "two overlays contradict each other about card `{card}`"
            label "pack `{pack}` removes the card"
            also_at ([(*at, format!("pack `{other}` {}", if *removed { "removes it" } else { "changes it" }))])
            help (override_help(pack, other));
        error C008 KeyContested { card: String, key: String, pack: String, other: String, at: Span, is_entry: bool } =>
            "two overlays contradict each other about `{key}` of card `{card}`"
            label "pack `{pack}` writes it here"
            also_at ([(*at, format!("pack `{other}` writes it here"))])
            help (override_help(pack, other))
            helps (is_entry.then(|| format!("or give this `{key}` an `id` of its own if the card is to have both")));
        error C008 EntryContested { kind: String, key: String, id: String, pack: String, other: String, at: Span } =>
            "kind `{kind}` has two entries `{key}` with the id `{id}`"
            label "the second, in `{pack}`"
            also_at ([(*at, format!("the first, in `{other}`"))])
            help "give this one an `id` of its own if the kind is to have both";
        warning C015 FitsNoCard { target: Span } => "no card fits this `where`"
            label "holds for none"
            also_at ([(*target, "so this does nothing")]);
        error C015 NoCardHas { target: Span, words: Vec<(String, String)> } => (match words.last() {
                Some((word, _)) => format!("no card fits this `where`: none has `{word}`"),
                None => "no card fits this `where`".to_string(),
            })
            label "holds for none"
            also_at ([(*target, "so this does nothing")])
            helps (words.iter().map(|(_, help)| help));
        error C037 PatchOfNothing => "this patch changes nothing"
            label "it only says which card is meant"
            help "add the keys that are to be different, or remove it";

        // ------------------------------------------------------------------ packs and files
        error C009 NewerLanguage { number: i64, ours: i64 } => "this pack is written in language {number}"
            label "this program reads language {ours}"
            help "a newer version of the program is needed";
        error C009 NoSuchLanguage { ours: i64 } => "there is no such language"
            label "write {ours}"
            fix (Fix::value(ours.to_string()));
        error C004 LanguageNoNumber { ours: i64 } => "`language` must be a whole number"
            label "write {ours}"
            fix (Fix::value(ours.to_string()));
        error C004 ManifestValue { key: &'static str, expected: &'static str, label: String, line: &'static str } => "`{key}` must be {expected}"
            label "{label}"
            help "write `{line}`";
        error C010 MadeForAnother { pack: String, base: String, game: String, near: Option<String> } =>
            "pack `{pack}` is made for `{base}`, which is not loaded"
            label "the game is `{game}`"
            meant (near.as_deref());
        error C010 NeedsAnother { pack: String, needed: String, near: Option<String> } => "pack `{pack}` needs pack `{needed}`, which is not loaded"
            label "not loaded"
            meant (near.as_deref())
            help "add it with `--pack` and the folder of `{needed}`";
        error C011 ExcludesAnother { pack: String, other: String } => "packs `{pack}` and `{other}` cannot be used together"
            label "but it is loaded"
            help "leave out one of them";
        error C012 PackTwice { name: String, first: Option<Span> } => "two packs are called `{name}`"
            label "the second"
            also_at (first.map(|first| (first, "the first")));
        error C012 CalledLikeGame { game: String } => "a pack is called like the game `{game}`"
            label "give it a name of its own";
        error C012 PacksInACircle { packs: String } => "packs {packs} each ask to come after one another"
            label "see `extends`, `requires` and `over`";
        error C012 BuildsOnItself { pack: String, game: String } => "pack `{pack}` cannot build on itself"
            label "this is its own name: name the game, `{game}`, or another pack";
        error C013 Unreadable { path: String, why: String } => "cannot read `{path}`: {why}";
        error C016 NoGame { game: String, near: Option<String>, games: String } => "there is no game `{game}`"
            help (match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the games are {games}"),
            });
        warning C042 TakesPlace { name: String, what: &'static str, lost: String } => "this replaces the game's own `{name}`"
            label "{what} lost with it: {lost}"
            help "give the file another name, and both are read; a pack changes single cards and rules";

        // ------------------------------------------------------------------ names in other languages
        error C031 NoLanguage { path: String, folder: Option<String> } => (match folder {
                Some(folder) => format!("`{path}` is not in a folder `{folder}`"),
                None => format!("`{path}` is not named after a language"),
            })
            label "this file is not read"
            help (match folder {
                Some(_) => format!("write the folder's name in small letters, `{}`", path.to_lowercase()),
                None => "write the language in small letters, such as `names/de.toml`".to_string(),
            });
        error C032 TwoNames { key: String, pack: String, other: String, at: Span } => "two packs have different names for `{key}`"
            label "pack `{pack}`"
            also_at ([(*at, format!("pack `{other}`"))])
            help "write `over = [\"{other}\"]` in the `pack.toml` of the one that decides";
        error C033 EmptyName { key: String } => "the name of `{key}` is empty"
            label "nothing is here"
            help "leave the line out to keep the name that it has"
            fix (Fix::remove(key));
    }
}

/// Makes the fix that adds a missing key, with the example that the help begins with: "add `do = \"…\"` with what is done".
fn missing_key(key: &str, help: &str) -> Fix {
    let example = help.split('`').nth(1).filter(|line| line.starts_with(&format!("{key} =")));
    let line = example.map_or_else(|| format!("{key} = \"\""), |line| line.replace('…', ""));
    Fix::new(format!("add `{key}`"), FixEdit::AddLines(vec![line]))
}

/// Writes the help that says how one pack can override another.
fn override_help(later: &str, earlier: &str) -> String {
    match later == earlier {
        true => "one of the two is enough".to_string(),
        false => format!("if `{later}` is to decide, write `over = [\"{earlier}\"]` in its `pack.toml`"),
    }
}
