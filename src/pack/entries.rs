//! How a card speaks: its entries, typed as soon as they are read. What the texts in them mean is found by those who know the rules.

use crate::diagnostic::{Diagnostic, nearest};
use crate::source::Span;

use super::forms::{Form, take_forms};
use super::keys::{Keys, is_snake_case};
use super::options::Choice;
use super::parts::{EntryPart, parts};
use super::problem::Problem;
use super::read::{Text, Value};
use super::schema::{self, Table};

/// The ways in which a card speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum EntryKind {
    /// `[[card.on]]` hears a moment and does something.
    On,
    /// `[[card.action]]` can be chosen.
    Action,
    /// `[[card.change]]` adds to, caps or sets a quantity.
    Change,
    /// `[[card.forbid]]` adds a guard to an action.
    Forbid,
    /// `[[card.instead]]` replaces or waives what would happen.
    Instead,
}

impl EntryKind {
    /// All of them.
    pub const ALL: [EntryKind; 5] = [EntryKind::On, EntryKind::Action, EntryKind::Change, EntryKind::Forbid, EntryKind::Instead];

    /// The word in the header.
    pub fn word(self) -> &'static str {
        match self {
            EntryKind::On => "on",
            EntryKind::Action => "action",
            EntryKind::Change => "change",
            EntryKind::Forbid => "forbid",
            EntryKind::Instead => "instead",
        }
    }

    /// The keys that it may have.
    pub fn table(self) -> &'static Table {
        match self {
            EntryKind::On => &schema::ON_TABLE,
            EntryKind::Action => &schema::ACTION_TABLE,
            EntryKind::Change => &schema::CHANGE_TABLE,
            EntryKind::Forbid => &schema::FORBID_TABLE,
            EntryKind::Instead => &schema::INSTEAD_TABLE,
        }
    }
}

/// Whom an entry concerns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EntryWho {
    /// The owner; for a card on the table, the player whose moment it is.
    #[default]
    Me,
    /// Everybody else.
    Others,
    /// Everybody.
    All,
}

/// A stretch of the game at whose end something is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Period {
    /// One action.
    Action,
    /// A turn.
    Turn,
    /// A step.
    Step,
    /// A round.
    Round,
    /// The whole game.
    Game,
}

impl Period {
    const ALL: [Period; 5] = [Period::Action, Period::Turn, Period::Step, Period::Round, Period::Game];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Period::Action => "action",
            Period::Turn => "turn",
            Period::Step => "step",
            Period::Round => "round",
            Period::Game => "game",
        }
    }

    fn of_word(word: &str) -> Option<Period> {
        Period::ALL.into_iter().find(|period| period.word() == word)
    }
}

/// How often an action of a card can be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// So many times …
    pub times: i64,
    /// … in each of these.
    pub each: Period,
}

/// A number, or an expression that gives one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Amount {
    /// `2`
    Number(i64),
    /// `"count my den"`
    Text(Text),
}

/// What an entry says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Says {
    /// Hears a moment.
    On {
        /// The moment, with `this.` before one of the card itself.
        moment: Text,
        /// Whose moments.
        who: EntryWho,
        /// Looked at when the moment is raised.
        when: Option<Text>,
        /// What is done.
        parts: Vec<EntryPart>,
    },
    /// Can be chosen.
    Action {
        /// What must hold.
        needs: Option<Text>,
        /// What a person is told where it does not.
        because: Option<Text>,
        /// What is paid.
        cost: Option<Text>,
        /// How often.
        limit: Option<Limit>,
        /// What is done.
        parts: Vec<EntryPart>,
    },
    /// Changes a quantity.
    Change {
        /// Which.
        what: Text,
        /// Whose.
        who: EntryWho,
        /// When.
        when: Option<Text>,
        /// Sets it.
        to: Option<Amount>,
        /// Adds to it.
        by: Option<Amount>,
        /// Not below.
        at_least: Option<Amount>,
        /// Not above.
        at_most: Option<Amount>,
    },
    /// Forbids an action.
    Forbid {
        /// Which.
        action: Text,
        /// Whose.
        who: EntryWho,
        /// When.
        when: Option<Text>,
        /// What a person is told.
        because: Option<Text>,
    },
    /// Replaces a named loss or draw.
    Instead {
        /// Its name in the rules.
        of: Text,
        /// Whose.
        who: EntryWho,
        /// When.
        when: Option<Text>,
        /// What is done; nothing if there are none.
        parts: Vec<EntryPart>,
    },
}

/// One way in which a card speaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// `id`, or what it is about; a second one about the same thing is `thing#2`. An action without an id is `action`.
    pub id: Text,
    /// What it says.
    pub says: Says,
    /// It is silent after the end of this stretch, counted from when the card came into play.
    pub until: Option<Period>,
    /// Its keys as they are written, with the places of their values, for people who look at it.
    pub written: Vec<(Text, Span)>,
    /// The entry of the card or kind that it stands for, if a patch has put it in its place.
    pub replaces: Option<Span>,
    /// Its header.
    pub span: Span,
}

impl Entry {
    /// Which way.
    pub fn kind(&self) -> EntryKind {
        match self.says {
            Says::On { .. } => EntryKind::On,
            Says::Action { .. } => EntryKind::Action,
            Says::Change { .. } => EntryKind::Change,
            Says::Forbid { .. } => EntryKind::Forbid,
            Says::Instead { .. } => EntryKind::Instead,
        }
    }

    /// The moment that it hears, with `this.` before one of the card itself.
    pub fn moment(&self) -> Option<&Text> {
        match &self.says {
            Says::On { moment, .. } => Some(moment),
            Says::Action { .. } | Says::Change { .. } | Says::Forbid { .. } | Says::Instead { .. } => None,
        }
    }

    /// What it does, part by part.
    pub fn parts(&self) -> &[EntryPart] {
        match &self.says {
            Says::On { parts, .. } | Says::Action { parts, .. } | Says::Instead { parts, .. } => parts,
            Says::Change { .. } | Says::Forbid { .. } => &[],
        }
    }
}

/// Takes the entries of a card, kind or patch, in the order of writing. `owner` is the first part of their headers. What lacks
/// something that it needs is reported and left out.
pub fn take_entries(keys: &mut Keys<'_>, owner: &str) -> Vec<Entry> {
    let mut entries = Vec::new();
    for kind in EntryKind::ALL {
        let forms = take_forms(keys, kind, owner);
        let found = forms.into_iter().filter_map(|form| entry_of(kind, form, keys.diagnostics()));
        let mut found: Vec<(Option<Text>, Entry)> = found.collect();
        name_entries(&mut found, keys.diagnostics());
        entries.extend(found.into_iter().map(|(_, entry)| entry));
    }
    entries.sort_by_key(|entry| entry.span.start);
    entries
}

/// An entry, and its id if it is written.
fn entry_of(kind: EntryKind, form: Form, diagnostics: &mut Vec<Diagnostic>) -> Option<(Option<Text>, Entry)> {
    let Form { title, part, subject, keys, span } = form;
    let about = kind.subject_key().zip(subject.as_ref());
    let about = about.map(|(key, subject)| (Text { text: key.to_owned(), span: subject.span }, subject.span));
    let written = about.into_iter().chain(keys.iter().map(|(key, value)| (key.clone(), value.span))).collect();
    let mut keys = Keys::new(format!("`{title}`"), span, keys, diagnostics);
    let id = keys.text("id");
    let until = keys.text("until").and_then(|text| until(&text, keys.diagnostics()));
    let (says, subject) = says(kind, &mut keys, subject, &part);
    keys.refuse_rest(&kind.table().names());
    let name = id.clone().or(subject).unwrap_or(Text { text: kind.word().to_owned(), span });
    Some((id, Entry { id: name, says: says?, until, written, replaces: None, span }))
}

/// What an entry says, and what it is about: its line says it, or a key. Every key is looked at, also where one that is needed is
/// missing.
fn says(kind: EntryKind, keys: &mut Keys<'_>, subject: Option<Text>, part: &str) -> (Option<Says>, Option<Text>) {
    let about = |keys: &mut Keys<'_>, help: &str| match (&subject, kind.subject_key()) {
        (None, Some(key)) => keys.expect_text(key, help),
        (subject, _) => subject.clone(),
    };
    match kind {
        EntryKind::On => {
            let moment = about(keys, "add `when = \"…\"` with a moment that the rules name");
            let (who, when) = (who(keys), keys.text("if"));
            let parts = parts(keys, part, true);
            (moment.clone().zip(parts).map(|(moment, parts)| Says::On { moment, who, when, parts }), moment)
        }
        EntryKind::Action => {
            let (needs, because, cost, limit) = (keys.text("needs"), keys.text("because"), keys.text("cost"), limit(keys));
            (parts(keys, part, true).map(|parts| Says::Action { needs, because, cost, limit, parts }), None)
        }
        EntryKind::Change => {
            let what = about(keys, "add `what = \"…\"` with a quantity that the rules let cards change");
            if !["by", "to", "at_least", "at_most"].iter().any(|amount| keys.has(amount)) {
                keys.expect("by", "say how it changes: `by`, `to`, `at_least` or `at_most`");
            }
            let (who, when) = (who(keys), keys.text("if"));
            let (to, by, at_least, at_most) = (amount(keys, "to"), amount(keys, "by"), amount(keys, "at_least"), amount(keys, "at_most"));
            (what.clone().map(|what| Says::Change { what, who, when, to, by, at_least, at_most }), what)
        }
        EntryKind::Forbid => {
            let action = about(keys, "add `action = \"…\"` with an action of the rules");
            let (who, when, because) = (who(keys), keys.text("if"), keys.text("because"));
            (action.clone().map(|action| Says::Forbid { action, who, when, because }), action)
        }
        EntryKind::Instead => {
            let of = about(keys, "add `of = \"…\"` with a loss, removal or draw that the rules name");
            let (who, when) = (who(keys), keys.text("if"));
            let parts = parts(keys, part, false);
            for part in parts.iter().flatten().filter(|part| part.cost.is_some()) {
                let Some(ask) = part.ask.as_ref().filter(|ask| ask.text.split_whitespace().next() == Some("may")) else { continue };
                keys.diagnostics().push(Problem::MayInInstead.at(ask.span));
            }
            (of.clone().zip(parts).map(|(of, parts)| Says::Instead { of, who, when, parts }), of)
        }
    }
}

fn who(keys: &mut Keys<'_>) -> EntryWho {
    let Some(who) = keys.text("who") else { return EntryWho::Me };
    match who.text.as_str() {
        "me" => EntryWho::Me,
        "others" => EntryWho::Others,
        "all" => EntryWho::All,
        wrong => {
            let near = nearest(wrong, ["me", "others", "all"]).map(String::from);
            keys.diagnostics().push(Problem::WhoIs { word: wrong.to_string(), near }.at(who.span));
            EntryWho::Me
        }
    }
}

fn amount(keys: &mut Keys<'_>, key: &str) -> Option<Amount> {
    keys.take_as(key, "a number, or an expression in quotes", |value| match value {
        Value::Integer(number) => Some(Amount::Number(number)),
        Value::Text(text) => Some(Amount::Text(text)),
        Value::Boolean(_) | Value::List(_) | Value::Table(_) => None,
    })
}

/// `limit = 1`, `limit = "2 each turn"`.
fn limit(keys: &mut Keys<'_>) -> Option<Limit> {
    let (_, value) = keys.take("limit")?;
    let read = |times: i64, each: Period| (times > 0).then_some(Limit { times, each });
    let found = match &value.value {
        Value::Integer(times) => read(*times, Period::Round),
        Value::Text(text) => match text.text.split_whitespace().collect::<Vec<_>>()[..] {
            [times, "each", period] => times.parse().ok().zip(Period::of_word(period)).and_then(|(times, each)| read(times, each)),
            _ => None,
        },
        Value::Boolean(_) | Value::List(_) | Value::Table(_) => None,
    };
    if found.is_none() {
        keys.diagnostics().push(Problem::LimitUnread.at(value.span));
    }
    found
}

fn until(text: &Text, diagnostics: &mut Vec<Diagnostic>) -> Option<Period> {
    let found = Period::of_word(&text.text).filter(|period| *period != Period::Game);
    if found.is_none() {
        let known = Period::ALL.iter().filter(|period| **period != Period::Game).map(|period| period.word());
        let near = nearest(&text.text, known).map(String::from);
        diagnostics.push(Problem::UntilUnknown { word: text.text.clone(), near }.at(text.span));
    }
    found
}

/// Checks written ids and numbers those that would stand twice.
fn name_entries(found: &mut [(Option<Text>, Entry)], diagnostics: &mut Vec<Diagnostic>) {
    let mut taken: Vec<Text> = Vec::new();
    for (written, _) in found.iter() {
        let Some(id) = written else { continue };
        // Patches write default ids too, such as `moment`, `quantity.limit` or `moment#2`.
        let (name, number) = id.text.split_once('#').unwrap_or((&id.text, "1"));
        if !name.split('.').all(is_snake_case) || number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
            diagnostics.push(Problem::NotAnId { id: id.text.clone(), better: None }.at(id.span));
        }
        match taken.iter().find(|other| other.text == id.text) {
            Some(other) => diagnostics.push(Problem::EntryIdTwice { id: id.text.clone(), first: other.span }.at(id.span)),
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

/// A test that stands beside the card or kind that it tests.
#[derive(Clone, PartialEq, Debug)]
pub struct CardTest {
    /// The position.
    pub given: Option<Text>,
    /// What is done.
    pub when: Option<Text>,
    /// What must hold then. It is missing only from a test that has been reported.
    pub then: Option<Text>,
    /// Instead of all that: part of the reason for which the game cannot be begun.
    pub refused: Option<Text>,
    /// A name for messages.
    pub name: Option<Text>,
    /// How many seats.
    pub players: Option<i64>,
    /// Options of the game.
    pub options: Choice,
    /// The seed.
    pub seed: Option<i64>,
    /// Its header.
    pub span: Span,
}

/// Takes the tests of a card, kind or patch.
pub fn take_tests(keys: &mut Keys<'_>, owner: &str) -> Vec<CardTest> {
    let header = format!("{owner}.test");
    let tables = keys.tables("test", &header);
    tables
        .into_iter()
        .map(|(table, span)| {
            let mut keys = Keys::new(format!("`[[{header}]]`"), span, table, keys.diagnostics());
            let test = take_test(&mut keys, span);
            // What stands below a header belongs to it, which is easily overlooked.
            for kind in EntryKind::ALL {
                if let Some((key, _)) = keys.take(kind.word()) {
                    keys.diagnostics().push(Problem::BelongsAbove { header: header.clone(), key: key.text, test: span }.at(key.span));
                }
            }
            keys.refuse_rest(&schema::TEST_TABLE.names());
            test
        })
        .collect()
}

/// Takes what a test and a scenario have in common.
pub fn take_test(keys: &mut Keys<'_>, span: Span) -> CardTest {
    let refused = keys.text("refused");
    let then = match &refused {
        None => keys.expect_text("then", "add `then = \"…\"` with what must hold at the end"),
        Some(_) => None,
    };
    if let Some(refused) = &refused {
        if refused.text.trim().is_empty() {
            keys.diagnostics().push(Problem::EmptyTest { key: "refused", label: "part of the reason is missing" }.at(refused.span));
        }
        for key in ["given", "when", "then"] {
            if let Some((key, _)) = keys.take(key) {
                keys.diagnostics().push(Problem::RefusedHas { key: key.text, refused: refused.span }.at(key.span));
            }
        }
    }
    if let Some(then) = &then {
        let says_nothing = |line: &str| line.trim().is_empty() || line.trim_start().starts_with('#');
        if then.text.lines().all(says_nothing) {
            keys.diagnostics().push(Problem::EmptyTest { key: "then", label: "a condition is missing" }.at(then.span));
        }
    }
    CardTest {
        given: keys.text("given"),
        when: keys.text("when"),
        then,
        refused,
        name: keys.text("name"),
        players: keys.integer("players"),
        options: Choice::take(keys),
        seed: keys.integer("seed"),
        span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read_table;
    use crate::source::Sources;

    /// The entries of a card, and what is said about them.
    fn entries(text: &str) -> (Vec<Entry>, Vec<String>) {
        let (mut sources, mut diagnostics) = (Sources::new(), Vec::new());
        let file = sources.add("wisp.toml", text);
        let table = read_table(file, text, &mut diagnostics).unwrap();
        let mut card = Keys::new("a file", Span { file, start: 0, end: 0 }, table, &mut diagnostics).tables("card", "card");
        let (table, span) = card.remove(0);
        let found = take_entries(&mut Keys::new("`[[card]]`", span, table, &mut diagnostics), "card");
        (found, diagnostics.into_iter().map(|fault| fault.message).collect())
    }

    fn parts(text: &str) -> Vec<(Option<String>, Option<String>, String)> {
        let (entries, said) = entries(text);
        assert_eq!(said, Vec::<String>::new());
        let text = |text: &Option<Text>| text.as_ref().map(|text| text.text.clone());
        entries[0].parts().iter().map(|part| (text(&part.when), text(&part.ask), part.script.text.clone())).collect()
    }

    #[test]
    fn a_list_of_scripts_is_a_list_of_parts() {
        let one = |ask: Option<&str>, script: &str| (None, ask.map(str::to_owned), script.to_owned());
        let found = parts("[[card]]\n[[card.on]]\nwhen = \"dusk\"\nask = \"may\"\ndo = [\"a()\", \"b()\"]");
        assert_eq!(found, [one(Some("may"), "a()"), one(None, "b()")]);
        assert_eq!(parts("[[card]]\n[[card.instead]]\nof = \"hunger\""), []);
    }

    #[test]
    fn a_part_has_its_own_condition_and_question() {
        let text = "[[card]]\n[[card.action]]\ncost = \"1 wisp\"\n[[card.action.part]]\ndo = \"a()\"\n[[card.action.part]]\nif = \"wisp > 1\"\nask = \"may\"\ndo = \"b()\"\n";
        let second = (Some("wisp > 1".to_owned()), Some("may".to_owned()), "b()".to_owned());
        assert_eq!(parts(text), [(None, None, "a()".to_owned()), second]);
    }

    #[test]
    fn a_cost_is_paid_once_and_names_hold_in_every_script() {
        let parts = |text: &str| {
            let (entries, said) = entries(&format!("[[card]]\n{text}"));
            assert_eq!(said, Vec::<String>::new(), "{text}");
            let shown = |part: &EntryPart| {
                let lets: Vec<String> = part.lets.iter().map(|(name, value)| format!("{}: {}", name.text, value.text)).collect();
                format!("{} | {} | {}", part.cost.as_ref().map_or("", |cost| &cost.text), lets.join(", "), part.script.text)
            };
            entries[0].parts().iter().map(shown).collect::<Vec<_>>()
        };
        let found = parts("on.dusk = { cost = \"2 wisp\", let = { n = \"wisp\", m = \"moss\" }, do = [\"a(n)\", \"b(m)\"] }");
        assert_eq!(found, ["2 wisp | n: wisp, m: moss | a(n)", " | n: wisp, m: moss | b(m)"]);
        let found = parts("on.dusk = { part = [ { do = \"a()\" }, { cost = \"1 moss\", let = { n = \"wisp\" }, do = \"b(n)\" } ] }");
        assert_eq!(found, [" |  | a()", "1 moss | n: wisp | b(n)"]);
        assert_eq!(parts("instead.hunger = { cost = \"1 moss\" }"), ["1 moss |  | "]);
    }

    #[test]
    fn limits_and_stretches_are_typed() {
        let limit = |text: &str| {
            let (entries, said) = entries(&format!("[[card]]\n[[card.action]]\ndo = \"a()\"\nlimit = {text}"));
            let Says::Action { limit, .. } = &entries[0].says else { panic!("an action") };
            (*limit, said.len())
        };
        assert_eq!(limit("2"), (Some(Limit { times: 2, each: Period::Round }), 0));
        assert_eq!(limit("\"1 each turn\""), (Some(Limit { times: 1, each: Period::Turn }), 0));
        for wrong in ["0", "\"often\"", "\"1 each week\"", "\"1 per turn\"", "true", "[1]"] {
            assert_eq!(limit(wrong), (None, 1), "{wrong}");
        }
        let until = |text: &str| {
            let (entries, said) = entries(&format!("[[card]]\n[[card.change]]\nwhat = \"howl\"\nby = 1\nuntil = \"{text}\""));
            (entries[0].until, said)
        };
        assert_eq!(until("round"), (Some(Period::Round), Vec::new()));
        assert_eq!(until("end of turn"), (None, vec!["nothing lasts until `end of turn`".to_owned()]));
        assert_eq!(until("game").0, None);
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
