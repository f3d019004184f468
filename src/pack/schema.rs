//! What can be written in TOML files: every table with its keys, what each holds and an example. Reading takes its known keys
//! from here, and `houserule words` shows it, so that nothing is read that is not told, and nothing told that is not read.

use super::manifest::LANGUAGE;

/// What stands behind a key.
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    /// A name that is given here: lower-case words joined by `_`.
    Id,
    /// A text for people.
    Text,
    /// A list of texts; one alone is a list of one.
    Texts,
    /// A whole number, from and up to.
    Number(i64, i64),
    /// A number, or an expression in rules language that gives one.
    Amount,
    /// A table of numbers by names that are given here.
    Numbers,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A condition in rules language.
    Condition,
    /// A condition on what is written on cards.
    Selection,
    /// A question.
    Ask,
    /// Resources that are paid.
    Cost,
    /// A table of expressions by names that are given here.
    Values,
    /// A script.
    Script,
    /// A script, or a list of scripts.
    Scripts,
    /// How often.
    Limit,
    /// The id of a card.
    Card,
    /// A kind of cards.
    Kind,
    /// A set of cards.
    Set,
    /// A moment, with `this.` before one of the card itself.
    Moment,
    /// A quantity that cards may change.
    Quantity,
    /// An action of the rules.
    Action,
    /// A loss, removal or draw that the rules name.
    Loss,
    /// A game.
    Game,
    /// A game, or a pack.
    Base,
    /// A list of packs.
    Packs,
    /// A table of options with what is chosen.
    Options,
    /// Variants, files of rules or rules text.
    Rules,
    /// Lines of a position.
    Given,
    /// Lines of what is done.
    When,
    /// Lines of what must hold.
    Then,
    /// Entries of a card, in lines or under headers of their own.
    Entries(&'static Table),
    /// Tables, each under its header.
    Tables(&'static Table),
    /// A table of names for people.
    Named(NameSort),
}

/// What is given a name in another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSort {
    /// Cards, by their ids.
    Card,
    /// Kinds.
    Kind,
    /// Other words of the rules.
    Word,
}

/// A key of a table.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name.
    pub name: &'static str,
    /// What stands behind it.
    pub holds: Holds,
    /// What it does.
    pub doc: &'static str,
    /// How it is written.
    pub example: &'static str,
}

/// A table of a TOML file.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// `[[card.on]]`, or the file whose top it is.
    pub header: &'static str,
    /// What it is for.
    pub doc: &'static str,
    /// Its keys; a card has those of its kind's fields besides.
    pub keys: &'static [Key],
}

impl Table {
    /// Its header without brackets.
    pub fn name(&self) -> &'static str {
        self.header.trim_matches(['[', ']'])
    }

    /// The names of its keys.
    pub fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

const fn key(name: &'static str, holds: Holds, doc: &'static str, example: &'static str) -> Key {
    Key { name, holds, doc, example }
}

const WHO: Key = key(
    "who",
    Holds::Word(&["me", "others", "all"]),
    "whose: `me`, the owner (where nothing is said), `others` or `all`",
    r#"who = "others""#,
);
const IF: Key =
    key("if", Holds::Condition, "a condition in rules language; `own` is the card, `card` the moment's card", r#"if = "wisp > 2""#);
const ENTRY_ID: Key = key("id", Holds::Id, "a name by which patches find this entry; without one, what it is about", r#"id = "howl""#);
const ASK: Key =
    key("ask", Holds::Ask, "a question before the script; the answer is `answer` in it", r#"ask = "may one of wisp, moss if wisp > 2""#);
const ASK_WHAT: Key = key("ask", Holds::Ask, ASK.doc, r#"ask = "one of wisp, moss if wisp > 2""#);
const DO: Key = key(
    "do",
    Holds::Scripts,
    "a script, or a list of scripts, each run when all that the one before set off is at rest",
    r#"do = "gain(me, wisp, 2)""#,
);
const COST: Key = key(
    "cost",
    Holds::Cost,
    "resources that are paid before the script, after the question; where there is less, nothing is asked and the entry ends",
    r#"cost = "1 wisp""#,
);
const LET: Key = key(
    "let",
    Holds::Values,
    "names for values in rules language (numbers, yes or no, cards), worked out just before each script and known in it",
    r#"let = { n = "count my yard where card.height > 0" }"#,
);
const DO_WITH: Key = key("do", Holds::Scripts, DO.doc, r#"do = "gain(me, answer, n)""#);
const PART: Key = key(
    "part",
    Holds::Tables(&PART_TABLE),
    "instead of `do`: parts, each under `[[card.on.part]]` with its own `if`, `cost`, `ask`, `let` and `do`",
    "[[card.on.part]]",
);
const UNTIL: Key = key(
    "until",
    Holds::Word(&["action", "turn", "step", "round"]),
    "holds only until the end of the `action`, `turn`, `step` or `round` in which the card came into play",
    r#"until = "round""#,
);
const CARD: Key = key("card", Holds::Card, "the id of the card that is meant", r#"card = "grey_wolf""#);
const WHERE: Key = key(
    "where",
    Holds::Selection,
    "a condition on what is written on cards: all for which it holds are meant",
    r#"where = "kind is wolf and age == 1""#,
);
const NAME: Key = key("name", Holds::Text, "what it shows", r#"name = "a tie""#);
const PLAYERS: Key =
    key("players", Holds::Number(1, 64), "how many play; 3, or as near to it as the game allows, if it is not said", "players = 3");
const SEED: Key = key("seed", Holds::Number(0, i64::MAX), "the game's seed", "seed = 7");
const OPTIONS: Key = key(
    "options",
    Holds::Options,
    "options of the game; of one for each player a value for all, or for single players such as `pace = { p1 = \"slow\" }`",
    r#"options = { side = "b" }"#,
);
const PACKS: Key = key("packs", Holds::Texts, "folders of packs, beside the file or from where one is", r#"packs = ["wolves"]"#);
const WITH: Key = key(
    "with",
    Holds::Rules,
    "variants by their names, `.rules` files, or rules text, in quotes; several in a list; those of a scenario come after those of its file",
    r#"with = "change bonus by +1""#,
);
const GIVEN: Key = key("given", Holds::Given, "the position, line by line", r#"given = "p1.wisp = 3""#);
const WHEN: Key = key("when", Holds::When, "what is done, line by line", r#"when = "p1: pass""#);
const THEN: Key = key("then", Holds::Then, "what must hold at the end, line by line", r#"then = "p1.wisp == 3""#);
const REFUSED: Key = key(
    "refused",
    Holds::Text,
    "instead of `given`, `when` and `then`: part of the reason for which a game with these players and options cannot be begun",
    r#"refused = "four players need more cards""#,
);
/// What a card does, and its tests: keys of a card and of a kind alike.
const ENTRY_KEYS: [Key; 6] = [
    key(
        "on",
        Holds::Entries(&ON_TABLE),
        "what it hears: a line `on.MOMENT = { … }`, or tables under `[[card.on]]`",
        r#"on.dusk = [{ if = "wisp > 2", do = "gain(me, moss, 1)" }, "gain(me, wisp, 1)"]"#,
    ),
    key(
        "action",
        Holds::Entries(&ACTION_TABLE),
        "what can be done with it: a line `action = { … }`, or a table under `[[card.action]]`",
        r#"action = { limit = 1, do = "gain(me, wisp, 1)" }"#,
    ),
    key(
        "change",
        Holds::Entries(&CHANGE_TABLE),
        "quantities that it changes: a line `change.QUANTITY = { … }`, or tables under `[[card.change]]`",
        r#"change.fame = { by = 1, if = "wisp > 2" }"#,
    ),
    key(
        "forbid",
        Holds::Entries(&FORBID_TABLE),
        "actions that it forbids: a line `forbid.ACTION = { … }`, or tables under `[[card.forbid]]`",
        r#"forbid.fetch = { if = "moss > 90", because = "the moss is too deep" }"#,
    ),
    key(
        "instead",
        Holds::Entries(&INSTEAD_TABLE),
        "losses and draws that it replaces: a line `instead.NAME = { … }`, or tables under `[[card.instead]]`",
        r#"instead.storm = "gain(me, moss, 1)""#,
    ),
    key("test", Holds::Tables(&TEST_TABLE), "its tests, each under `[[card.test]]`", "[[card.test]]"),
];

/// A table's own keys, and behind them those of entries: so many in all.
const fn with_entries<const ALL: usize>(own: &[Key]) -> [Key; ALL] {
    assert!(own.len() + ENTRY_KEYS.len() == ALL);
    let mut all = [ENTRY_KEYS[0]; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < own.len() { own[at] } else { ENTRY_KEYS[at - own.len()] };
        at += 1;
    }
    all
}

/// `[[card]]`
pub static CARD_TABLE: Table = Table {
    header: "[[card]]",
    doc: "a card; its other keys are the fields of its kind",
    keys: &with_entries::<18>(&[
        key("id", Holds::Id, "its name in lower case, words joined by `_`; unique over all packs", r#"id = "lone_wolf""#),
        key("name", Holds::Text, "what people call it; its id in words with capitals where nothing is said", r#"name = "Lonely Wolf""#),
        key(
            "like",
            Holds::Card,
            "another card, also of another pack, whose keys and entries are taken where this card gives none of its own: all but id, name, alt_names and tests. It counts as it is printed, without patches of that card. An entry of the same `id` takes the place of the other's",
            r#"like = "red_wolf""#,
        ),
        key("alt_names", Holds::Texts, "other names that people know it by", r#"alt_names = ["Lobo"]"#),
        key("kind", Holds::Kind, "its kind in the rules", r#"kind = "wolf""#),
        key("age", Holds::Number(0, 99), "the age it belongs to; 0 where nothing is said", "age = 1"),
        key(
            "copies",
            Holds::Number(1, 99),
            "how many there are of it; where nothing is said 1 in a deck, and as many as the rules take out of the box. All have its id; a scenario's `put ID` takes one that no line above has put",
            "copies = 3",
        ),
        key("set", Holds::Set, "the set it belongs to, for an option that chooses sets", r#"set = "base""#),
        key("source", Holds::Text, "where its facts come from: `rulebook`, `facts` or `original`", r#"source = "original""#),
        key("text", Holds::Text, "what it says, in words of our own", r#"text = "It howls at dusk.""#),
        key("leaves_when", Holds::Condition, "a condition; as soon as it holds the card goes away", r#"leaves_when = "wisp == 0""#),
        key("counters", Holds::Numbers, "numbers of its own, with their first values", "counters = { howls = 2 }"),
    ]),
};

/// `[defaults]`
pub static DEFAULTS_TABLE: Table = Table {
    header: "[defaults]",
    doc: "at the head of a card file: what holds for every card of it that does not say otherwise; it comes before what a card takes by `like`",
    keys: &[
        key("kind", Holds::Kind, "the kind of its cards", r#"kind = "wolf""#),
        key("age", Holds::Number(0, 99), "their age", "age = 1"),
        key("set", Holds::Set, "their set", r#"set = "base""#),
        key("source", Holds::Text, "where their facts come from", r#"source = "original""#),
    ],
};

/// `[[kind]]`
pub static KIND_TABLE: Table = Table {
    header: "[[kind]]",
    doc: "what a kind does for all its cards: the same entries as those of a card, `[[kind.on]]` and so on",
    keys: &with_entries::<7>(&[key("id", Holds::Kind, "the kind in the rules", r#"id = "wolf""#)]),
};

/// `[[patch]]`
pub static PATCH_TABLE: Table = Table {
    header: "[[patch]]",
    doc: "changes cards of the game or of other packs: the keys that it gives replace those of the card, its entries those of the same `id`",
    keys: &[
        CARD,
        WHERE,
        key("drop", Holds::Texts, "keys that are taken away; `on.ID` for one entry", r#"drop = ["text", "on.howl"]"#),
        key(
            "test",
            Holds::Tables(&TEST_TABLE),
            "tests of what the card does with the patch, each under `[[patch.test]]`",
            "[[patch.test]]",
        ),
    ],
};

/// `[[remove]]`
pub static REMOVE_TABLE: Table = Table { header: "[[remove]]", doc: "takes cards out of the game", keys: &[CARD, WHERE] };

/// What a card file is made of.
pub static CARD_FILE: [&Table; 5] = [&DEFAULTS_TABLE, &CARD_TABLE, &KIND_TABLE, &PATCH_TABLE, &REMOVE_TABLE];

/// `[[card.on]]`
pub static ON_TABLE: Table = Table {
    header: "[[card.on]]",
    doc: "hears a moment and does something",
    keys: &[
        ENTRY_ID,
        key("when", Holds::Moment, "the moment; `this.MOMENT` for one of the card itself", r#"when = "dusk""#),
        WHO,
        IF,
        UNTIL,
        ASK,
        COST,
        LET,
        DO_WITH,
        PART,
    ],
};

/// `[[card.action]]`
pub static ACTION_TABLE: Table = Table {
    header: "[[card.action]]",
    doc: "what a player may do with the card, where the rules offer cards' actions",
    keys: &[
        ENTRY_ID,
        key("needs", Holds::Condition, "a condition without which it cannot be done", r#"needs = "wisp > 2""#),
        key("because", Holds::Text, "what a person is told where `needs` does not hold", r#"because = "it is too hungry""#),
        key("cost", Holds::Cost, "resources that are paid", r#"cost = "2 wisp""#),
        key("limit", Holds::Limit, "how often: a number a round, or each action, turn, step, round or game", r#"limit = "1 each turn""#),
        UNTIL,
        ASK,
        LET,
        DO_WITH,
        PART,
    ],
};

/// `[[card.change]]`
pub static CHANGE_TABLE: Table = Table {
    header: "[[card.change]]",
    doc: "changes a quantity as long as the card is in play",
    keys: &[
        ENTRY_ID,
        key("what", Holds::Quantity, "a stat, or a quantity that the rules declare changeable", r#"what = "fame""#),
        WHO,
        IF,
        key("to", Holds::Amount, "sets it: a number, or an expression in quotes; comes before `by`", "to = 1"),
        key("by", Holds::Amount, "adds to it: a number, or an expression in quotes", r#"by = "count my yard""#),
        key("at_least", Holds::Amount, "it is not below this", "at_least = 1"),
        key("at_most", Holds::Amount, "it is not above this", "at_most = 3"),
        UNTIL,
    ],
};

/// `[[card.forbid]]`
pub static FORBID_TABLE: Table = Table {
    header: "[[card.forbid]]",
    doc: "forbids an action as long as the card is in play",
    keys: &[
        ENTRY_ID,
        key("action", Holds::Action, "the action of the rules", r#"action = "fetch""#),
        WHO,
        IF,
        key("because", Holds::Text, "what a person is told", r#"because = "the wolf is near""#),
        UNTIL,
    ],
};

/// `[[card.instead]]`
pub static INSTEAD_TABLE: Table = Table {
    header: "[[card.instead]]",
    doc: "replaces a named loss, removal or draw by what it does; without `do` it just does not happen",
    keys: &[
        ENTRY_ID,
        key("of", Holds::Loss, "the name that the rules give it with `for`", r#"of = "storm""#),
        WHO,
        IF,
        UNTIL,
        ASK_WHAT,
        COST,
        LET,
        DO_WITH,
        PART,
    ],
};

/// `[[card.on.part]]`
pub static PART_TABLE: Table = Table {
    header: "[[card.on.part]]",
    doc: "one step of an entry; it begins when all that the step before set off is at rest, and a question that gets no answer ends the entry",
    keys: &[IF, ASK_WHAT, COST, LET, key("do", Holds::Script, "a script", r#"do = "gain(me, answer, n)""#)],
};

/// `[[card.test]]`
pub static TEST_TABLE: Table = Table {
    header: "[[card.test]]",
    doc: "a test that stands beside the card it tests",
    keys: &[NAME, PLAYERS, OPTIONS, SEED, GIVEN, WHEN, THEN, REFUSED],
};

/// `pack.toml`
pub static MANIFEST: Table = Table {
    header: "pack.toml",
    doc: "a pack is a folder with `pack.toml`, `cards/`, `rules/` (whose changes always hold, and variants) and `tests/`",
    keys: &[
        key("name", Holds::Text, "the pack's name, one word", r#"name = "wolves""#),
        key("version", Holds::Text, "the pack's own version", r#"version = "1.0""#),
        key("language", Holds::Number(LANGUAGE, LANGUAGE), "the version of rules language and card format", "language = 1"),
        key("extends", Holds::Base, "the game, or the pack, that it builds on", r#"extends = "wood""#),
        key("requires", Holds::Packs, "packs that must be there", r#"requires = ["walls"]"#),
        key("excludes", Holds::Packs, "packs that must not be there", r#"excludes = ["calm"]"#),
        key("over", Holds::Packs, "packs whose changes it may overrule", r#"over = ["walls"]"#),
    ],
};

/// A file of names.
pub static NAMES: Table = Table {
    header: "names/LANGUAGE.toml",
    doc: "beside the cards of a game or pack, as in `cards/wood/names/de.toml`: what `--lang` calls things; their ids stay as they are",
    keys: &[
        key("title", Holds::Text, "what the game is called", r#"title = "Der Wald""#),
        key("card", Holds::Named(NameSort::Card), "names of cards, by id", r#"card.grey_wolf = "Grauer Wolf""#),
        key("kind", Holds::Named(NameSort::Kind), "names of kinds", r#"kind.wolf = "Wolf""#),
        key(
            "words",
            Holds::Named(NameSort::Word),
            "names of all other words that people read: resources, stats, actions, answers, questions, places, score rows, options, variants",
            r#"words.wisp = "Irrlicht""#,
        ),
    ],
};

/// The top of a file of scenarios.
pub static SCENARIO_FILE: Table = Table {
    header: "a scenario file",
    doc: "what holds for all its scenarios",
    keys: &[
        key("game", Holds::Game, "the game", r#"game = "wood""#),
        PLAYERS,
        SEED,
        OPTIONS,
        PACKS,
        WITH,
        key("scenario", Holds::Tables(&SCENARIO_TABLE), "its scenarios, each under `[[scenario]]`", "[[scenario]]"),
    ],
};

/// `[[scenario]]`
pub static SCENARIO_TABLE: Table = Table {
    header: "[[scenario]]",
    doc: "a test of the rules",
    keys: &[
        NAME,
        PLAYERS,
        SEED,
        OPTIONS,
        PACKS,
        WITH,
        key(
            "without",
            Holds::Packs,
            "packs of the game with which it does not hold, because they change what it is about; `test`, which runs scenarios of a game with \
             each of its packs, leaves it out there, and tells if it holds all the same",
            r#"without = ["walls"]"#,
        ),
        GIVEN,
        WHEN,
        THEN,
        REFUSED,
    ],
};

/// All tables, in the order in which one learns them.
pub fn tables() -> [&'static Table; 16] {
    [
        &DEFAULTS_TABLE,
        &CARD_TABLE,
        &ON_TABLE,
        &PART_TABLE,
        &ACTION_TABLE,
        &CHANGE_TABLE,
        &FORBID_TABLE,
        &INSTEAD_TABLE,
        &TEST_TABLE,
        &KIND_TABLE,
        &PATCH_TABLE,
        &REMOVE_TABLE,
        &MANIFEST,
        &NAMES,
        &SCENARIO_FILE,
        &SCENARIO_TABLE,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_told_with_an_example_that_writes_it() {
        for table in tables() {
            let names = table.names();
            for key in table.keys {
                assert!(!key.doc.is_empty(), "{}: {}", table.header, key.name);
                let begins = [format!("{} = ", key.name), format!("{}.", key.name), "[[".to_owned()];
                let written = begins.iter().any(|begin| key.example.starts_with(begin));
                assert!(written, "{}: {}", table.header, key.example);
                assert!(key.example.starts_with("[[") || toml::from_str::<toml::Table>(key.example).is_ok(), "{}", key.example);
                assert_eq!(names.iter().filter(|name| **name == key.name).count(), 1, "{}: {} stands twice", table.header, key.name);
            }
        }
    }
}
