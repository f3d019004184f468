//! The schema of all TOML files: every table with its keys, their types and examples. The parser takes its known keys from here, and
//! `houserule words` prints it, so that documentation and parser always agree.

use super::manifest::LANGUAGE;

/// The type of a key's value.
#[derive(Clone, Copy, Debug)]
pub enum ValueType {
    /// A name that the key's table defines: lower-case words joined by `_`.
    Id,
    /// Text shown to users.
    Text,
    /// A list of texts; a single text is accepted.
    Texts,
    /// An integer, with its smallest and largest value.
    Number(i64, i64),
    /// An integer, or an expression of the rules language.
    Amount,
    /// A table from names to integers, which defines the names.
    Numbers,
    /// A table from names to values for which the table is repeated: `1 to 8`, words with commas, or a list.
    Each,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A condition of the rules language.
    Condition,
    /// A condition on the text of cards, for selecting cards.
    Selection,
    /// A question to a player, in the rules language.
    Ask,
    /// A cost in resources, in the rules language.
    Cost,
    /// A table from names to expressions, which defines the names.
    Values,
    /// A script of a card.
    Script,
    /// A script of a card, or a list of scripts.
    Scripts,
    /// A limit on the number of uses.
    Limit,
    /// The id of a card.
    Card,
    /// The name of a kind of cards.
    Kind,
    /// The name of a card set.
    Set,
    /// The name of a moment; `this.` before it restricts it to moments about this card.
    Moment,
    /// The name of a quantity that cards can change.
    Quantity,
    /// The name of an action of the rules.
    Action,
    /// The name of a loss, removal or draw in the rules.
    Loss,
    /// The name of a game.
    Game,
    /// The name of a game or a pack.
    GameOrPack,
    /// A list of names of packs.
    Packs,
    /// A table of options and their chosen values.
    Options,
    /// Variants, rules files or rules text.
    Rules,
    /// Lines that describe a position.
    Given,
    /// Lines with moves.
    When,
    /// Lines with conditions to check.
    Then,
    /// Entries of a card, as lines or under their own headers.
    Entries(&'static TableSchema),
    /// Tables, each under a header.
    Tables(&'static TableSchema),
    /// A table of translations.
    Translations(NameSort),
}

/// The kind of things whose names a table translates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSort {
    /// Names of cards, by id.
    Card,
    /// Names of kinds of cards.
    Kind,
    /// Names of all other words of the rules.
    Word,
}

/// A key of a table, with its type and documentation.
#[derive(Clone, Copy, Debug)]
pub struct KeySchema {
    /// Name of the key as written in TOML.
    pub name: &'static str,
    /// Type of the key's value.
    pub holds: ValueType,
    /// Explanation of the key, as a sentence fragment.
    pub doc: &'static str,
    /// An example of the key, as a line of TOML.
    pub example: &'static str,
}

/// A table of a TOML file, or the top level of a file.
#[derive(Clone, Copy, Debug)]
pub struct TableSchema {
    /// Header such as `[[card.on]]`, or a description of the file for its top level.
    pub header: &'static str,
    /// Explanation of the table, as a sentence fragment.
    pub doc: &'static str,
    /// Keys of the table. A card also has the fields of its kind.
    pub keys: &'static [KeySchema],
}

impl TableSchema {
    /// Returns the header without brackets.
    pub fn name(&self) -> &'static str {
        self.header.trim_matches(['[', ']'])
    }

    /// Returns the names of all keys.
    pub fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}

const fn key(name: &'static str, holds: ValueType, doc: &'static str, example: &'static str) -> KeySchema {
    KeySchema { name, holds, doc, example }
}

const WHO_KEY: KeySchema = key(
    "who",
    ValueType::Word(&["me", "others", "all"]),
    "whose: `me`, the owner (where nothing is said), `others` or `all`",
    r#"who = "others""#,
);
const IF_KEY: KeySchema =
    key("if", ValueType::Condition, "a condition in rules language; `own` is the card, `card` the moment's card", r#"if = "wisp > 2""#);
const ENTRY_ID_KEY: KeySchema =
    key("id", ValueType::Id, "a name by which patches find this entry; without one, what it is about", r#"id = "howl""#);
const ASK_KEY: KeySchema = key(
    "ask",
    ValueType::Ask,
    "a question before the script; the answer is `answer` in it",
    r#"ask = "may one of wisp, moss if wisp > 2""#,
);
const ASK_WHAT_KEY: KeySchema = key("ask", ValueType::Ask, ASK_KEY.doc, r#"ask = "one of wisp, moss if wisp > 2""#);
const DO_KEY: KeySchema = key(
    "do",
    ValueType::Scripts,
    "a script, or a list of scripts, each run when all that the one before set off is at rest",
    r#"do = "gain(me, wisp, 2)""#,
);
const COST_KEY: KeySchema = key(
    "cost",
    ValueType::Cost,
    "resources that are paid before the script, after the question; where there is less, nothing is asked and the entry ends",
    r#"cost = "1 wisp""#,
);
const LET_KEY: KeySchema = key(
    "let",
    ValueType::Values,
    "names for values in rules language (numbers, yes or no, cards), worked out just before each script and known in it",
    r#"let = { n = "count my yard where card.height > 0" }"#,
);
const DO_WITH_KEY: KeySchema = key("do", ValueType::Scripts, DO_KEY.doc, r#"do = "gain(me, answer, n)""#);
const PART_KEY: KeySchema = key(
    "part",
    ValueType::Tables(&PART_TABLE),
    "instead of `do`: parts, each under `[[card.on.part]]` with its own `if`, `cost`, `ask`, `let` and `do`",
    "[[card.on.part]]",
);
const UNTIL_KEY: KeySchema = key(
    "until",
    ValueType::Word(&["action", "turn", "step", "round"]),
    "holds only until the end of the `action`, `turn`, `step` or `round` in which the card came into play",
    r#"until = "round""#,
);
const CARD_KEY: KeySchema = key("card", ValueType::Card, "the id of the card that is meant", r#"card = "grey_wolf""#);
const WHERE_KEY: KeySchema = key(
    "where",
    ValueType::Selection,
    "a condition on what is written on cards: all for which it holds are meant",
    r#"where = "kind is wolf and age == 1""#,
);
const NAME_KEY: KeySchema = key("name", ValueType::Text, "what it shows", r#"name = "a tie""#);
const PLAYERS_KEY: KeySchema =
    key("players", ValueType::Number(1, 64), "how many play; 3, or as near to it as the game allows, if it is not said", "players = 3");
const SEED_KEY: KeySchema = key("seed", ValueType::Number(0, i64::MAX), "the game's seed", "seed = 7");
const OPTIONS_KEY: KeySchema = key(
    "options",
    ValueType::Options,
    "options of the game; of one for each player a value for all, or for single players such as `pace = { p1 = \"slow\" }`",
    r#"options = { side = "b" }"#,
);
const PACKS_KEY: KeySchema =
    key("packs", ValueType::Texts, "folders of packs, beside the file or from where one is", r#"packs = ["wolves"]"#);
const WITH_KEY: KeySchema = key(
    "with",
    ValueType::Rules,
    "variants by their names, `.rules` files, or rules text, in quotes; several in a list; those of a scenario come after those of its file",
    r#"with = "change bonus by +1""#,
);
const GIVEN_KEY: KeySchema = key("given", ValueType::Given, "the position, line by line", r#"given = "p1.wisp = 3""#);
const WHEN_KEY: KeySchema = key("when", ValueType::When, "what is done, line by line", r#"when = "p1: pass""#);
const THEN_KEY: KeySchema = key("then", ValueType::Then, "what must hold at the end, line by line", r#"then = "p1.wisp == 3""#);
const REFUSED_KEY: KeySchema = key(
    "refused",
    ValueType::Text,
    "instead of `given`, `when` and `then`: part of the reason for which a game with these players and options cannot be begun",
    r#"refused = "four players need more cards""#,
);
/// The keys for entries and tests, which cards and kinds share.
const ENTRY_KEYS: [KeySchema; 6] = [
    key(
        "on",
        ValueType::Entries(&ON_TABLE),
        "what it hears: a line `on.MOMENT = { … }`, or tables under `[[card.on]]`",
        r#"on.dusk = [{ if = "wisp > 2", do = "gain(me, moss, 1)" }, "gain(me, wisp, 1)"]"#,
    ),
    key(
        "action",
        ValueType::Entries(&ACTION_TABLE),
        "what can be done with it: a line `action = { … }`, or a table under `[[card.action]]`",
        r#"action = { limit = 1, do = "gain(me, wisp, 1)" }"#,
    ),
    key(
        "change",
        ValueType::Entries(&CHANGE_TABLE),
        "quantities that it changes: a line `change.QUANTITY = { … }`, or tables under `[[card.change]]`",
        r#"change.fame = { by = 1, if = "wisp > 2" }"#,
    ),
    key(
        "forbid",
        ValueType::Entries(&FORBID_TABLE),
        "actions that it forbids: a line `forbid.ACTION = { … }`, or tables under `[[card.forbid]]`",
        r#"forbid.fetch = { if = "moss > 90", because = "the moss is too deep" }"#,
    ),
    key(
        "instead",
        ValueType::Entries(&INSTEAD_TABLE),
        "losses and draws that it replaces: a line `instead.NAME = { … }`, or tables under `[[card.instead]]`",
        r#"instead.storm = "gain(me, moss, 1)""#,
    ),
    key("test", ValueType::Tables(&TEST_TABLE), "its tests, each under `[[card.test]]`", "[[card.test]]"),
];

/// Appends the keys for entries to `own`. `ALL` is the resulting number of keys.
const fn with_entries<const ALL: usize>(own: &[KeySchema]) -> [KeySchema; ALL] {
    assert!(own.len() + ENTRY_KEYS.len() == ALL);
    let mut all = [ENTRY_KEYS[0]; ALL];
    let mut at = 0;
    while at < ALL {
        all[at] = if at < own.len() { own[at] } else { ENTRY_KEYS[at - own.len()] };
        at += 1;
    }
    all
}

/// Schema of `[[card]]`.
pub static CARD_TABLE: TableSchema = TableSchema {
    header: "[[card]]",
    doc: "a card; its other keys are the fields of its kind",
    keys: &with_entries::<19>(&[
        key("id", ValueType::Id, "its name in lower case, words joined by `_`; unique over all packs", r#"id = "lone_wolf""#),
        key("name", ValueType::Text, "what people call it; its id in words with capitals where nothing is said", r#"name = "Lonely Wolf""#),
        key(
            "like",
            ValueType::Card,
            "another card, also of another pack, whose keys and entries are taken where this card gives none of its own: all but id, name, alt_names and tests. It counts as it is printed, without patches of that card. An entry of the same `id` takes the place of the other's",
            r#"like = "red_wolf""#,
        ),
        key(
            "each",
            ValueType::Each,
            "makes a card of this table for every value, of several names for every combination. Where `{n}` stands in its id, name, text, fields, keys, conditions and scripts, the value of `each.n` is put in; a field that is only `\"{n}\"` becomes the number",
            r#"each.n = "1 to 8""#,
        ),
        key("alt_names", ValueType::Texts, "other names that people know it by", r#"alt_names = ["Lobo"]"#),
        key("kind", ValueType::Kind, "its kind in the rules", r#"kind = "wolf""#),
        key("age", ValueType::Number(0, 99), "the age it belongs to; 0 where nothing is said", "age = 1"),
        key(
            "copies",
            ValueType::Number(1, 99),
            "how many there are of it; where nothing is said 1 in a deck, and as many as the rules take out of the box. All have its id; a scenario's `put ID` takes one that no line above has put",
            "copies = 3",
        ),
        key("set", ValueType::Set, "the set it belongs to, for an option that chooses sets", r#"set = "base""#),
        key("source", ValueType::Text, "where its facts come from: `rulebook`, `facts` or `original`", r#"source = "original""#),
        key("text", ValueType::Text, "what it says, in words of our own", r#"text = "It howls at dusk.""#),
        key("leaves_when", ValueType::Condition, "a condition; as soon as it holds the card goes away", r#"leaves_when = "wisp == 0""#),
        key("counters", ValueType::Numbers, "numbers of its own, with their first values", "counters = { howls = 2 }"),
    ]),
};

/// Schema of `[defaults]`.
pub static DEFAULTS_TABLE: TableSchema = TableSchema {
    header: "[defaults]",
    doc: "at the head of a card file: what holds for every card of it that does not say otherwise; it comes before what a card takes by `like`. Its other keys are fields that the cards' kind has; `[defaults.wolf]` holds for cards of one kind, ahead of it",
    keys: &[
        key("kind", ValueType::Kind, "the kind of its cards", r#"kind = "wolf""#),
        key("age", ValueType::Number(0, 99), "their age", "age = 1"),
        key("copies", ValueType::Number(1, 99), "how many there are of each", "copies = 2"),
        key("set", ValueType::Set, "their set", r#"set = "base""#),
        key("source", ValueType::Text, "where their facts come from", r#"source = "original""#),
    ],
};

/// Schema of `[[kind]]`.
pub static KIND_TABLE: TableSchema = TableSchema {
    header: "[[kind]]",
    doc: "what a kind does for all its cards: the same entries as those of a card, `[[kind.on]]` and so on",
    keys: &with_entries::<8>(&[
        key("id", ValueType::Kind, "the kind in the rules", r#"id = "wolf""#),
        key(
            "text",
            ValueType::Text,
            "what all its cards do, in words, for those that have no `text` of their own",
            r#"text = "It howls.""#,
        ),
    ]),
};

/// Schema of `[[patch]]`.
pub static PATCH_TABLE: TableSchema = TableSchema {
    header: "[[patch]]",
    doc: "changes cards of the game or of other packs: the keys that it gives replace those of the card, its entries those of the same `id`",
    keys: &[
        CARD_KEY,
        WHERE_KEY,
        key("drop", ValueType::Texts, "keys that are taken away; `on.ID` for one entry", r#"drop = ["text", "on.howl"]"#),
        key(
            "test",
            ValueType::Tables(&TEST_TABLE),
            "tests of what the card does with the patch, each under `[[patch.test]]`",
            "[[patch.test]]",
        ),
    ],
};

/// Schema of `[[remove]]`.
pub static REMOVE_TABLE: TableSchema =
    TableSchema { header: "[[remove]]", doc: "takes cards out of the game", keys: &[CARD_KEY, WHERE_KEY] };

/// The top-level tables of a card file.
pub static CARD_FILE_TABLES: [&TableSchema; 5] = [&DEFAULTS_TABLE, &CARD_TABLE, &KIND_TABLE, &PATCH_TABLE, &REMOVE_TABLE];

/// Schema of `[[card.on]]`.
pub static ON_TABLE: TableSchema = TableSchema {
    header: "[[card.on]]",
    doc: "hears a moment and does something",
    keys: &[
        ENTRY_ID_KEY,
        key("when", ValueType::Moment, "the moment; `this.MOMENT` for one of the card itself", r#"when = "dusk""#),
        WHO_KEY,
        IF_KEY,
        UNTIL_KEY,
        ASK_KEY,
        COST_KEY,
        LET_KEY,
        DO_WITH_KEY,
        PART_KEY,
    ],
};

/// Schema of `[[card.action]]`.
pub static ACTION_TABLE: TableSchema = TableSchema {
    header: "[[card.action]]",
    doc: "what a player may do with the card, where the rules offer cards' actions",
    keys: &[
        ENTRY_ID_KEY,
        key("needs", ValueType::Condition, "a condition without which it cannot be done", r#"needs = "wisp > 2""#),
        key("because", ValueType::Text, "what a person is told where `needs` does not hold", r#"because = "it is too hungry""#),
        key("cost", ValueType::Cost, "resources that are paid", r#"cost = "2 wisp""#),
        key(
            "limit",
            ValueType::Limit,
            "how often: a number a round, or each action, turn, step, round or game",
            r#"limit = "1 each turn""#,
        ),
        UNTIL_KEY,
        ASK_KEY,
        LET_KEY,
        DO_WITH_KEY,
        PART_KEY,
    ],
};

/// Schema of `[[card.change]]`.
pub static CHANGE_TABLE: TableSchema = TableSchema {
    header: "[[card.change]]",
    doc: "changes a quantity as long as the card is in play",
    keys: &[
        ENTRY_ID_KEY,
        key("what", ValueType::Quantity, "a stat, or a quantity that the rules declare changeable", r#"what = "fame""#),
        WHO_KEY,
        IF_KEY,
        key("to", ValueType::Amount, "sets it: a number, or an expression in quotes; comes before `by`", "to = 1"),
        key("by", ValueType::Amount, "adds to it: a number, or an expression in quotes", r#"by = "count my yard""#),
        key("at_least", ValueType::Amount, "it is not below this", "at_least = 1"),
        key("at_most", ValueType::Amount, "it is not above this", "at_most = 3"),
        UNTIL_KEY,
    ],
};

/// Schema of `[[card.forbid]]`.
pub static FORBID_TABLE: TableSchema = TableSchema {
    header: "[[card.forbid]]",
    doc: "forbids an action as long as the card is in play",
    keys: &[
        ENTRY_ID_KEY,
        key("action", ValueType::Action, "the action of the rules", r#"action = "fetch""#),
        WHO_KEY,
        IF_KEY,
        key("because", ValueType::Text, "what a person is told", r#"because = "the wolf is near""#),
        UNTIL_KEY,
    ],
};

/// Schema of `[[card.instead]]`.
pub static INSTEAD_TABLE: TableSchema = TableSchema {
    header: "[[card.instead]]",
    doc: "replaces a named loss, removal or draw by what it does; without `do` it just does not happen",
    keys: &[
        ENTRY_ID_KEY,
        key("of", ValueType::Loss, "the name that the rules give it with `for`", r#"of = "storm""#),
        WHO_KEY,
        IF_KEY,
        UNTIL_KEY,
        ASK_WHAT_KEY,
        COST_KEY,
        LET_KEY,
        DO_WITH_KEY,
        PART_KEY,
    ],
};

/// Schema of `[[card.on.part]]` and of the parts of other entries.
pub static PART_TABLE: TableSchema = TableSchema {
    header: "[[card.on.part]]",
    doc: "one step of an entry; it begins when all that the step before set off is at rest, and a question that gets no answer ends the entry",
    keys: &[IF_KEY, ASK_WHAT_KEY, COST_KEY, LET_KEY, key("do", ValueType::Script, "a script", r#"do = "gain(me, answer, n)""#)],
};

/// Schema of `[[card.test]]`.
pub static TEST_TABLE: TableSchema = TableSchema {
    header: "[[card.test]]",
    doc: "a test that stands beside the card it tests",
    keys: &[NAME_KEY, PLAYERS_KEY, OPTIONS_KEY, SEED_KEY, GIVEN_KEY, WHEN_KEY, THEN_KEY, REFUSED_KEY],
};

/// Schema of `pack.toml`.
pub static MANIFEST_TABLE: TableSchema = TableSchema {
    header: "pack.toml",
    doc: "a pack is a folder with `pack.toml`, `cards/`, `rules/` (whose changes always hold, and variants) and `tests/`",
    keys: &[
        key("name", ValueType::Text, "the pack's name, one word", r#"name = "wolves""#),
        key("version", ValueType::Text, "the pack's own version", r#"version = "1.0""#),
        key("language", ValueType::Number(LANGUAGE, LANGUAGE), "the version of rules language and card format", "language = 1"),
        key("extends", ValueType::GameOrPack, "the game, or the pack, that it builds on", r#"extends = "wood""#),
        key("requires", ValueType::Packs, "packs that must be there", r#"requires = ["walls"]"#),
        key("excludes", ValueType::Packs, "packs that must not be there", r#"excludes = ["calm"]"#),
        key("over", ValueType::Packs, "packs whose changes it may overrule", r#"over = ["walls"]"#),
    ],
};

/// Schema of a translation file.
pub static NAMES_TABLE: TableSchema = TableSchema {
    header: "names/LANGUAGE.toml",
    doc: "beside the cards of a game or pack, as in `cards/wood/names/de.toml`: what `--lang` calls things; their ids stay as they are",
    keys: &[
        key("title", ValueType::Text, "what the game is called", r#"title = "Der Wald""#),
        key("card", ValueType::Translations(NameSort::Card), "names of cards, by id", r#"card.grey_wolf = "Grauer Wolf""#),
        key("kind", ValueType::Translations(NameSort::Kind), "names of kinds", r#"kind.wolf = "Wolf""#),
        key(
            "words",
            ValueType::Translations(NameSort::Word),
            "names of all other words that people read: resources, stats, actions, answers, questions, places, score rows, options, variants",
            r#"words.wisp = "Irrlicht""#,
        ),
    ],
};

/// Schema of the top level of a scenario file.
pub static SCENARIO_FILE_TABLE: TableSchema = TableSchema {
    header: "a scenario file",
    doc: "what holds for all its scenarios",
    keys: &[
        key("game", ValueType::Game, "the game", r#"game = "wood""#),
        PLAYERS_KEY,
        SEED_KEY,
        OPTIONS_KEY,
        PACKS_KEY,
        WITH_KEY,
        key("scenario", ValueType::Tables(&SCENARIO_TABLE), "its scenarios, each under `[[scenario]]`", "[[scenario]]"),
    ],
};

/// Schema of `[[scenario]]`.
pub static SCENARIO_TABLE: TableSchema = TableSchema {
    header: "[[scenario]]",
    doc: "a test of the rules",
    keys: &[
        NAME_KEY,
        PLAYERS_KEY,
        SEED_KEY,
        OPTIONS_KEY,
        PACKS_KEY,
        WITH_KEY,
        key(
            "without",
            ValueType::Packs,
            "packs of the game with which it does not hold, because they change what it is about; `test`, which runs scenarios of a game with \
             each of its packs, leaves it out there, and tells if it holds all the same",
            r#"without = ["walls"]"#,
        ),
        GIVEN_KEY,
        WHEN_KEY,
        THEN_KEY,
        REFUSED_KEY,
    ],
};

/// Returns all tables, in an order that suits readers who learn the format.
pub fn tables() -> [&'static TableSchema; 16] {
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
        &MANIFEST_TABLE,
        &NAMES_TABLE,
        &SCENARIO_FILE_TABLE,
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
