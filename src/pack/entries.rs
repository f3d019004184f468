//! Entries: the abilities of a card, such as `[[card.on]]`, as typed values. The texts in them are compiled later, against the rules.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::{Sources, Span};
pub use houserule_state::terms::{Lifetime, Who};

use super::forms::{UnparsedEntry, take_unparsed_entries};
use super::keys::{Keys, is_snake_case};
use super::options::ChosenOptions;
use super::parts::{RawPart, take_parts};
use super::problem::PackProblem;
use super::read::{Text, TomlValue};
use super::schema::{self, TableSchema};

/// The kinds of abilities that a card can have, each with a table of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// `[[card.on]]` runs a script when a moment is raised.
    On,
    /// `[[card.action]]` adds an action that the owner can choose.
    Action,
    /// `[[card.change]]` adds to, limits or sets a quantity.
    Change,
    /// `[[card.forbid]]` forbids an action of the rules under a condition.
    Forbid,
    /// `[[card.instead]]` replaces or cancels a named loss or draw.
    Instead,
}

impl EntryKind {
    /// All kinds, in the order of the tables.
    pub const ALL: [EntryKind; 5] = [EntryKind::On, EntryKind::Action, EntryKind::Change, EntryKind::Forbid, EntryKind::Instead];

    /// Returns the word of this kind in a header: `on` in `[[card.on]]`.
    pub fn header_word(self) -> &'static str {
        match self {
            EntryKind::On => "on",
            EntryKind::Action => "action",
            EntryKind::Change => "change",
            EntryKind::Forbid => "forbid",
            EntryKind::Instead => "instead",
        }
    }

    /// Returns the keys that a table of this kind can have.
    pub fn table(self) -> &'static TableSchema {
        match self {
            EntryKind::On => &schema::ON_TABLE,
            EntryKind::Action => &schema::ACTION_TABLE,
            EntryKind::Change => &schema::CHANGE_TABLE,
            EntryKind::Forbid => &schema::FORBID_TABLE,
            EntryKind::Instead => &schema::INSTEAD_TABLE,
        }
    }
}

/// How often an action of a card can be used: `times` uses in each `period`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// Largest number of uses in one period.
    pub times: i64,
    /// The period after which the count starts again.
    pub period: Lifetime,
}

/// A number, or an expression that is evaluated to one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Amount {
    /// `2`
    Number(i64),
    /// `"count my den"`
    Text(Text),
}

/// The content of an entry, by kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EntryContent {
    /// `[[card.on]]`: runs scripts when a moment is raised.
    On {
        /// Name of the moment; `this.` before it restricts it to moments about this card.
        moment: Text,
        /// The players whose moments the entry listens to.
        who: Who,
        /// Condition, evaluated when the moment is raised.
        when: Option<Text>,
        /// Steps to run.
        parts: Vec<RawPart>,
    },
    /// `[[card.action]]`: an action that the owner can choose.
    Action {
        /// Condition for the action to be available.
        needs: Option<Text>,
        /// Message shown if the condition does not hold.
        because: Option<Text>,
        /// Cost of the action.
        cost: Option<Text>,
        /// Limit on the number of uses.
        limit: Option<Limit>,
        /// Steps to run.
        parts: Vec<RawPart>,
    },
    /// `[[card.change]]`: modifies a quantity.
    Change {
        /// Name of the quantity.
        what: Text,
        /// The players whose quantity is modified.
        who: Who,
        /// Condition under which the quantity is modified.
        when: Option<Text>,
        /// The value that replaces the quantity, the value added to it, and its lower and upper bound.
        amounts: [Option<Amount>; 4],
    },
    /// `[[card.forbid]]`: forbids an action of the rules.
    Forbid {
        /// Name of the action.
        action: Text,
        /// The players for whom the action is forbidden.
        who: Who,
        /// Condition under which the action is forbidden.
        when: Option<Text>,
        /// Message shown to a player whose action is refused.
        because: Option<Text>,
    },
    /// `[[card.instead]]`: replaces a named loss or draw.
    Instead {
        /// Name of the loss or draw in the rules.
        of: Text,
        /// The players for whom the loss or draw is replaced.
        who: Who,
        /// Condition under which the loss or draw is replaced.
        when: Option<Text>,
        /// Steps to run instead. If there are none, the loss or draw is simply cancelled.
        parts: Vec<RawPart>,
    },
}

/// One ability of a card or kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawEntry {
    /// The written `id`, or else the subject of the entry. A second entry with the same subject is `subject#2`. The default id of an action
    /// is `action`.
    pub id: Text,
    /// What the entry does, with the values of its keys.
    pub content: EntryContent,
    /// The period after which the entry has no effect any more, counted from when the card came into play.
    pub until: Option<Lifetime>,
    /// The keys as written in the source, each with the location of its value; editors show them.
    pub written: Vec<(Text, Span)>,
    /// Location of the entry that this one replaced, if it comes from a patch.
    pub replaces: Option<Span>,
    /// Location of the entry's header or key.
    pub span: Span,
}

impl RawEntry {
    /// Returns the kind of the entry.
    pub fn kind(&self) -> EntryKind {
        match self.content {
            EntryContent::On { .. } => EntryKind::On,
            EntryContent::Action { .. } => EntryKind::Action,
            EntryContent::Change { .. } => EntryKind::Change,
            EntryContent::Forbid { .. } => EntryKind::Forbid,
            EntryContent::Instead { .. } => EntryKind::Instead,
        }
    }

    /// Returns the value of a key as it is written. The subject of an entry on one line is its key, and gets quotes here.
    pub fn source_of(&self, sources: &Sources, key: &Text, value: Span) -> String {
        let about = key.span == value && self.kind().subject_key() == Some(key.text.as_str());
        if about { format!("\"{}\"", sources.slice(value)) } else { sources.slice(value).to_owned() }
    }

    /// Returns the moment that an `on` entry listens to, with `this.` before moments about this card. `None` for other kinds.
    pub fn moment(&self) -> Option<&Text> {
        match &self.content {
            EntryContent::On { moment, .. } => Some(moment),
            EntryContent::Action { .. } | EntryContent::Change { .. } | EntryContent::Forbid { .. } | EntryContent::Instead { .. } => None,
        }
    }

    /// Returns the steps that the entry runs, in order. Empty for kinds that run no scripts.
    pub fn parts(&self) -> &[RawPart] {
        match &self.content {
            EntryContent::On { parts, .. } | EntryContent::Action { parts, .. } | EntryContent::Instead { parts, .. } => parts,
            EntryContent::Change { .. } | EntryContent::Forbid { .. } => &[],
        }
    }
}

/// Takes the entries from the table of a card, kind or patch, in order of writing. `owner` is the first part of their headers. Incomplete
/// entries are reported and left out.
pub fn take_entries(keys: &mut Keys<'_>, owner: &str) -> Vec<RawEntry> {
    let mut entries = Vec::new();
    for kind in EntryKind::ALL {
        let forms = take_unparsed_entries(keys, kind, owner);
        let found = forms.into_iter().filter_map(|form| parse_entry(kind, form, keys.diagnostics()));
        let mut found: Vec<(Option<Text>, RawEntry)> = found.collect();
        assign_ids(&mut found, keys.diagnostics());
        entries.extend(found.into_iter().map(|(_, entry)| entry));
    }
    entries.sort_by_key(|entry| entry.span.start);
    entries
}

/// Parses an entry. The first result is its id, if one is written.
fn parse_entry(kind: EntryKind, form: UnparsedEntry, diagnostics: &mut Vec<Diagnostic>) -> Option<(Option<Text>, RawEntry)> {
    let UnparsedEntry { title, part_title: part, subject, keys, span } = form;
    let about = kind.subject_key().zip(subject.as_ref());
    let about = about.map(|(key, subject)| (Text { text: key.to_owned(), span: subject.span }, subject.span));
    let written = about.into_iter().chain(keys.iter().map(|(key, value)| (key.clone(), value.span))).collect();
    let mut keys = Keys::new(format!("`{title}`"), span, keys, diagnostics);
    let id = keys.take_text("id");
    let until = keys.take_text("until").and_then(|text| parse_period(&text, keys.diagnostics()));
    let (content, subject) = parse_content(kind, &mut keys, subject, &part);
    keys.report_unknown_keys(&kind.table().names());
    let name = id.clone().or(subject).unwrap_or(Text { text: kind.header_word().to_owned(), span });
    Some((id, RawEntry { id: name, content: content?, until, written, replaces: None, span }))
}

/// Parses the content of an entry and finds its subject, which is given by its line or by a key. All keys are read even if a required one
/// is missing, so that every error is reported.
fn parse_content(kind: EntryKind, keys: &mut Keys<'_>, subject: Option<Text>, part: &str) -> (Option<EntryContent>, Option<Text>) {
    let about = |keys: &mut Keys<'_>, help: &str| match (&subject, kind.subject_key()) {
        (None, Some(key)) => keys.expect_text(key, help),
        (subject, _) => subject.clone(),
    };
    match kind {
        EntryKind::On => {
            let moment = about(keys, "add `when = \"…\"` with a moment that the rules name");
            let (who, when) = (take_players(keys), keys.take_text("if"));
            let parts = take_parts(keys, part, true);
            (moment.clone().zip(parts).map(|(moment, parts)| EntryContent::On { moment, who, when, parts }), moment)
        }
        EntryKind::Action => {
            let (needs, because, cost, limit) =
                (keys.take_text("needs"), keys.take_text("because"), keys.take_text("cost"), take_limit(keys));
            (take_parts(keys, part, true).map(|parts| EntryContent::Action { needs, because, cost, limit, parts }), None)
        }
        EntryKind::Change => {
            let what = about(keys, "add `what = \"…\"` with a quantity that the rules let cards change");
            if !["by", "to", "at_least", "at_most"].iter().any(|amount| keys.has_key(amount)) {
                keys.expect("by", "say how it changes: `by`, `to`, `at_least` or `at_most`");
            }
            let (who, when) = (take_players(keys), keys.take_text("if"));
            let amounts = ["to", "by", "at_least", "at_most"].map(|key| take_amount(keys, key));
            (what.clone().map(|what| EntryContent::Change { what, who, when, amounts }), what)
        }
        EntryKind::Forbid => {
            let action = about(keys, "add `action = \"…\"` with an action of the rules");
            let (who, when, because) = (take_players(keys), keys.take_text("if"), keys.take_text("because"));
            (action.clone().map(|action| EntryContent::Forbid { action, who, when, because }), action)
        }
        EntryKind::Instead => {
            let of = about(keys, "add `of = \"…\"` with a loss, removal or draw that the rules name");
            let (who, when) = (take_players(keys), keys.take_text("if"));
            let parts = take_parts(keys, part, false);
            for part in parts.iter().flatten().filter(|part| part.cost.is_some()) {
                let Some(ask) = part.ask.as_ref().filter(|ask| ask.text.split_whitespace().next() == Some("may")) else { continue };
                keys.diagnostics().push(PackProblem::MayInInstead.at(ask.span));
            }
            (of.clone().zip(parts).map(|(of, parts)| EntryContent::Instead { of, who, when, parts }), of)
        }
    }
}

fn take_players(keys: &mut Keys<'_>) -> Who {
    let Some(who) = keys.take_text("who") else { return Who::Me };
    match who.text.as_str() {
        "me" => Who::Me,
        "others" => Who::Others,
        "all" => Who::All,
        wrong => {
            let near = nearest(wrong, ["me", "others", "all"]).map(String::from);
            keys.diagnostics().push(PackProblem::WhoIs { word: wrong.to_string(), near }.at(who.span));
            Who::Me
        }
    }
}

fn take_amount(keys: &mut Keys<'_>, key: &str) -> Option<Amount> {
    keys.take_as(key, "a number, or an expression in quotes", |value| match value {
        TomlValue::Integer(number) => Some(Amount::Number(number)),
        TomlValue::Text(text) => Some(Amount::Text(text)),
        TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    })
}

/// Takes `limit = 1` or `limit = "2 each turn"`.
fn take_limit(keys: &mut Keys<'_>) -> Option<Limit> {
    let (_, value) = keys.take("limit")?;
    let read = |times: i64, each: Lifetime| (times > 0).then_some(Limit { times, period: each });
    let found = match &value.value {
        TomlValue::Integer(times) => read(*times, Lifetime::Round),
        TomlValue::Text(text) => match text.text.split_whitespace().collect::<Vec<_>>()[..] {
            [times, "each", period] => times.parse().ok().zip(Lifetime::from_word(period)).and_then(|(times, each)| read(times, each)),
            _ => None,
        },
        TomlValue::Boolean(_) | TomlValue::List(_) | TomlValue::Table(_) => None,
    };
    if found.is_none() {
        keys.diagnostics().push(PackProblem::LimitUnread.at(value.span));
    }
    found
}

fn parse_period(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Lifetime> {
    let found = Lifetime::from_word(&text.text).filter(|period| *period != Lifetime::Game);
    if found.is_none() {
        let known = Lifetime::ALL.iter().filter(|period| **period != Lifetime::Game).map(|period| period.word());
        let near = nearest(&text.text, known).map(String::from);
        diagnostics.push(PackProblem::UntilUnknown { word: text.text.clone(), near }.at(text.span));
    }
    found
}

/// Checks written ids, and numbers default ids that occur more than once.
fn assign_ids(found: &mut [(Option<Text>, RawEntry)], diagnostics: &mut Vec<Diagnostic>) {
    let mut taken: Vec<Text> = Vec::new();
    for (written, _) in found.iter() {
        let Some(id) = written else { continue };
        // Patches also write default ids, such as `moment`, `quantity.limit` or `moment#2`.
        let (name, number) = id.text.split_once('#').unwrap_or((&id.text, "1"));
        if !name.split('.').all(is_snake_case) || number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            diagnostics.push(PackProblem::NotAnId { id: id.text.clone(), better: None }.at(id.span));
        }
        match taken.iter().find(|other| other.text == id.text) {
            Some(other) => diagnostics.push(PackProblem::EntryIdTwice { id: id.text.clone(), first: other.span }.at(id.span)),
            None => taken.push(id.clone()),
        }
    }
    for (_, entry) in found.iter_mut().filter(|(written, _)| written.is_none()) {
        let name = entry.id.text.clone();
        let mut number = 1;
        while taken.iter().any(|other| other.text == entry.id.text) {
            number += 1;
            entry.id.text = format!("{name}#{number}");
        }
        taken.push(entry.id.clone());
    }
}

/// A test written next to the card or kind that it tests. It has the same parts as a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct CardTest {
    /// Lines that set up the position.
    pub given: Option<Text>,
    /// Lines with the moves to make.
    pub when: Option<Text>,
    /// Lines that must hold at the end. `None` only if the test is invalid, which has been reported, or has `refused`.
    pub then: Option<Text>,
    /// Part of the expected error message, for a game that must be refused. Excludes the three other parts.
    pub refused: Option<Text>,
    /// Name of the test in messages.
    pub name: Option<Text>,
    /// Number of players.
    pub players: Option<i64>,
    /// Chosen options of the game.
    pub options: ChosenOptions,
    /// Seed of the random number generator.
    pub seed: Option<i64>,
    /// Location of the test's header.
    pub span: Span,
}

/// Takes the tests from the table of a card, kind or patch.
pub fn take_tests(keys: &mut Keys<'_>, owner: &str) -> Vec<CardTest> {
    let header = format!("{owner}.test");
    let tables = keys.take_tables("test", &header);
    tables
        .into_iter()
        .map(|(table, span)| {
            let mut keys = Keys::new(format!("`[[{header}]]`"), span, table, keys.diagnostics());
            let test = take_test(&mut keys, span);
            // Keys after a header belong to the test and not to the card, which authors easily overlook.
            for kind in EntryKind::ALL {
                if let Some((key, _)) = keys.take(kind.header_word()) {
                    keys.diagnostics().push(PackProblem::BelongsAbove { header: header.clone(), key: key.text, test: span }.at(key.span));
                }
            }
            keys.report_unknown_keys(&schema::TEST_TABLE.names());
            test
        })
        .collect()
}

/// Takes the keys that tests and scenarios have in common.
pub fn take_test(keys: &mut Keys<'_>, span: Span) -> CardTest {
    let refused = keys.take_text("refused");
    let then = match &refused {
        None => keys.expect_text("then", "add `then = \"…\"` with what must hold at the end"),
        Some(_) => None,
    };
    if let Some(refused) = &refused {
        if refused.text.trim().is_empty() {
            keys.diagnostics().push(PackProblem::EmptyTest { key: "refused", label: "part of the reason is missing" }.at(refused.span));
        }
        for key in ["given", "when", "then"] {
            if let Some((key, _)) = keys.take(key) {
                keys.diagnostics().push(PackProblem::RefusedHas { key: key.text, refused: refused.span }.at(key.span));
            }
        }
    }
    if let Some(then) = &then {
        let says_nothing = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        if then.text.lines().all(says_nothing) {
            keys.diagnostics().push(PackProblem::EmptyTest { key: "then", label: "a condition is missing" }.at(then.span));
        }
    }
    CardTest {
        given: keys.take_text("given"),
        when: keys.take_text("when"),
        then,
        refused,
        name: keys.take_text("name"),
        players: keys.take_integer("players"),
        options: ChosenOptions::take(keys),
        seed: keys.take_integer("seed"),
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_table;
    use crate::source::Sources;

    /// Parses the entries of a card. Returns them with the messages about them.
    fn entries(text: &str) -> (Vec<RawEntry>, Vec<String>) {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let file = sources.add("wisp.toml", text);
        let table = read_table(file, text, &mut diagnostics).unwrap();
        let mut card = Keys::new("a file", Span { file, start: 0, end: 0 }, table, &mut diagnostics).take_tables("card", "card");
        let (table, span) = card.remove(0);
        let found = take_entries(&mut Keys::new("`[[card]]`", span, table, &mut diagnostics), "card");
        (found, diagnostics.into_iter().map(|fault| fault.message).collect())
    }

    fn parts_of(text: &str) -> Vec<(Option<String>, Option<String>, String)> {
        let (entries, said) = entries(text);
        assert_eq!(said, Vec::<String>::new());
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
        entries[0].parts().iter().map(|part| (text(&part.when), text(&part.ask), part.script.text.clone())).collect()
    }

    #[test]
    fn a_list_of_scripts_is_a_list_of_parts() {
        let one = |ask: Option<&str>, script: &str| (None, ask.map(str::to_owned), script.to_owned());
        let found = parts_of("[[card]]\n[[card.on]]\nwhen = \"dusk\"\nask = \"may\"\ndo = [\"a()\", \"b()\"]");
        assert_eq!(found, [one(Some("may"), "a()"), one(None, "b()")]);
        assert_eq!(parts_of("[[card]]\n[[card.instead]]\nof = \"hunger\""), []);
    }

    #[test]
    fn a_part_has_its_own_condition_and_question() {
        let text = "[[card]]\n[[card.action]]\ncost = \"1 wisp\"\n[[card.action.part]]\ndo = \"a()\"\n[[card.action.part]]\nif = \"wisp > 1\"\nask = \"may\"\ndo = \"b()\"\n";
        let second = (Some("wisp > 1".to_owned()), Some("may".to_owned()), "b()".to_owned());
        assert_eq!(parts_of(text), [(None, None, "a()".to_owned()), second]);
    }

    #[test]
    fn a_cost_is_paid_once_and_names_hold_in_every_script() {
        let read_parts = |text: &str| {
            let (entries, said) = entries(&format!("[[card]]\n{text}"));
            assert_eq!(said, Vec::<String>::new(), "{text}");
            let shown = |part: &RawPart| {
                let lets: Vec<String> = part.lets.iter().map(|(name, value)| format!("{}: {}", name.text, value.text)).collect();
                format!("{} | {} | {}", part.cost.as_ref().map_or("", |cost| &cost.text), lets.join(", "), part.script.text)
            };
            entries[0].parts().iter().map(shown).collect::<Vec<_>>()
        };
        let found = read_parts("on.dusk = { cost = \"2 wisp\", let = { n = \"wisp\", m = \"moss\" }, do = [\"a(n)\", \"b(m)\"] }");
        assert_eq!(found, ["2 wisp | n: wisp, m: moss | a(n)", " | n: wisp, m: moss | b(m)"]);
        let found = read_parts("on.dusk = { part = [ { do = \"a()\" }, { cost = \"1 moss\", let = { n = \"wisp\" }, do = \"b(n)\" } ] }");
        assert_eq!(found, [" |  | a()", "1 moss | n: wisp | b(n)"]);
        assert_eq!(read_parts("instead.hunger = { cost = \"1 moss\" }"), ["1 moss |  | "]);
    }

    #[test]
    fn limits_and_stretches_are_typed() {
        let read_limit = |text: &str| {
            let (entries, said) = entries(&format!("[[card]]\n[[card.action]]\ndo = \"a()\"\nlimit = {text}"));
            let EntryContent::Action { limit, .. } = &entries[0].content else { panic!("an action") };
            (*limit, said.len())
        };
        assert_eq!(read_limit("2"), (Some(Limit { times: 2, period: Lifetime::Round }), 0));
        assert_eq!(read_limit("\"1 each turn\""), (Some(Limit { times: 1, period: Lifetime::Turn }), 0));
        for wrong in ["0", "\"often\"", "\"1 each week\"", "\"1 per turn\"", "true", "[1]"] {
            assert_eq!(read_limit(wrong), (None, 1), "{wrong}");
        }
        let read_until = |text: &str| {
            let (entries, said) = entries(&format!("[[card]]\n[[card.change]]\nwhat = \"howl\"\nby = 1\nuntil = \"{text}\""));
            (entries[0].until, said)
        };
        assert_eq!(read_until("round"), (Some(Lifetime::Round), Vec::new()));
        assert_eq!(read_until("end of turn"), (None, vec!["nothing lasts until `end of turn`".to_owned()]));
        assert_eq!(read_until("game").0, None);
    }

    #[test]
    fn what_cannot_be_used_is_refused() {
        let table = [
            ("[[card.on]]\nwhen = \"dusk\"\ndo = \"a()\"\n[[card.on.part]]\ndo = \"b()\"", "an entry with parts has no `do` of its own"),
            ("[[card.on]]\nwhen = \"dusk\"\nask = \"may\"\n[[card.on.part]]\ndo = \"b()\"", "an entry with parts has no `ask` of its own"),
            ("[[card.on]]\nwhen = \"dusk\"\n[[card.on.part]]\nif = \"yes\"", "`[[card.on.part]]` has no `do`"),
            ("[[card.on]]\nwhen = \"dusk\"\n[[card.on.part]]\ndo = \"b()\"\nwho = \"me\"", "`[[card.on.part]]` has no key `who`"),
            ("[[card.instead]]\nof = \"hunger\"\nask = \"may\"", "a question is asked, but nothing is done with the answer"),
            ("[[card.instead]]\nof = \"hunger\"\nlet = { n = \"wisp\" }", "values get names, but no script uses them"),
            (
                "instead.hunger = { cost = \"1 wisp\", ask = \"may\", do = \"a()\" }",
                "whoever answers no would neither pay nor lose anything",
            ),
            ("on.dusk = { cost = \"1 wisp\", part = [ { do = \"a()\" } ] }", "an entry with parts has no `cost` of its own"),
            ("on.dusk = { let = { n = \"wisp\" }, part = [ { do = \"a()\" } ] }", "an entry with parts has no `let` of its own"),
            ("on.dusk = { let = { N = \"wisp\" }, do = \"a()\" }", "`N` cannot be the name of a value"),
            ("on.dusk = { let = { n = 3 }, do = \"a(n)\" }", "`n` must be an expression in quotes"),
            ("on.dusk = { let = \"n\", do = \"a(n)\" }", "`let` must be a table of expressions, such as `{ n = \"count my den\" }`"),
            ("on.dusk = { cost = 3, do = \"a(n)\" }", "`cost` must be a text in quotes"),
            ("[[card.on]]\nwhen = \"dusk\"\ndo = []", "`do` must be a script in quotes, or a list of scripts"),
            ("[[card.change]]\nwhat = \"howl\"\nby = 1\nlimit = 1", "`[[card.change]]` has no key `limit`"),
        ];
        for (text, message) in table {
            assert_eq!(entries(&format!("[[card]]\n{text}")).1, [message], "{text}");
        }
    }
}
