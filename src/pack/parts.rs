//! What an entry does, step by step: `do` with one script or several, or parts with conditions, costs, questions and named values
//! of their own.

use super::keys::{Keys, is_snake_case};
use super::problem::Problem;
use super::read::{Text, Value};
use super::schema;

/// One step of what an entry does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryPart {
    /// Looked at when the part's turn has come: if it does not hold, the next part follows.
    pub when: Option<Text>,
    /// What is paid before the script; where there is less, the entry ends here.
    pub cost: Option<Text>,
    /// A question before that, and before the script; without an answer the entry ends here.
    pub ask: Option<Text>,
    /// Names for values that are worked out just before the script.
    pub lets: Vec<(Text, Text)>,
    /// The script.
    pub script: Text,
}

/// What is done: `do` with one script or several, or parts with conditions and questions of their own. `part` is what a part is
/// called in messages.
pub(super) fn parts(keys: &mut Keys<'_>, part: &str, needed: bool) -> Option<Vec<EntryPart>> {
    if keys.has("part") {
        let tables = keys.tables("part", part.trim_matches(['[', ']']));
        let called = if part.starts_with('[') { format!("`{part}`") } else { part.to_owned() };
        for surplus in ["do", "ask", "cost", "let"] {
            if let Some((key, _)) = keys.take(surplus) {
                let place = if part.starts_with('[') { format!("below a `{part}`") } else { "in the `{ }` of a part".to_owned() };
                keys.diagnostics().push(Problem::BelongsToAPart { key: surplus, place }.at(key.span));
            }
        }
        let parts = tables.into_iter().filter_map(|(table, span)| {
            let mut part = Keys::new(called.as_str(), span, table, keys.diagnostics());
            let (when, cost, ask, lets) = (part.text("if"), part.text("cost"), part.text("ask"), lets(&mut part));
            let script = part.expect_text("do", "add `do = \"…\"` with what is done");
            part.refuse_rest(&schema::PART_TABLE.names());
            Some(EntryPart { when, cost, ask, lets, script: script? })
        });
        return Some(parts.collect());
    }
    let places = ["ask", "cost", "let"].map(|key| (key, keys.place(key)));
    let (ask, cost, lets) = (keys.text("ask"), keys.text("cost"), lets(keys));
    if needed {
        keys.expect("do", "add `do = \"…\"` with what is done");
    }
    if !keys.has("do") {
        for (key, span) in places.into_iter().filter(|_| !needed) {
            let what = match key {
                "ask" => "a question is asked, but nothing is done with the answer",
                "cost" => continue,
                _ => "values get names, but no script uses them",
            };
            keys.diagnostics().extend(span.map(|span| Problem::WithoutDo { what }.at(span)));
        }
        // What is only paid for is waived.
        let nothing = Text { text: String::new(), span: cost.as_ref().map_or(keys.span(), |cost| cost.span) };
        let paid = cost.map(|cost| EntryPart { when: None, cost: Some(cost), ask: None, lets: Vec::new(), script: nothing });
        return (!needed).then(|| paid.into_iter().collect());
    }
    let scripts = keys.take_as("do", "a script in quotes, or a list of scripts", |value| match value {
        Value::Text(text) => Some(vec![text]),
        Value::List(items) if !items.is_empty() => items.into_iter().map(|item| item.text().cloned()).collect(),
        Value::List(_) | Value::Integer(_) | Value::Boolean(_) | Value::Table(_) => None,
    })?;
    let part = |(index, script)| {
        let first = |text: &Option<Text>| text.clone().filter(|_| index == 0);
        EntryPart { when: None, cost: first(&cost), ask: first(&ask), lets: lets.clone(), script }
    };
    Some(scripts.into_iter().enumerate().map(part).collect())
}

/// `let = { n = "count my den" }`: names for values.
fn lets(keys: &mut Keys<'_>) -> Vec<(Text, Text)> {
    let named = keys.take_as("let", "a table of expressions, such as `{ n = \"count my den\" }`", |value| match value {
        Value::Table(named) => Some(named),
        Value::Text(_) | Value::Integer(_) | Value::Boolean(_) | Value::List(_) => None,
    });
    let mut lets = Vec::new();
    for (name, value) in named.unwrap_or_default() {
        if !is_snake_case(&name.text) {
            keys.diagnostics().push(Problem::NotANameOfAValue { name: name.text }.at(name.span));
        } else if let Value::Text(text) = value.value {
            lets.push((name, text));
        } else {
            keys.diagnostics().push(Problem::LetNoExpression { name: name.text.clone(), found: value.sort() }.at(value.span));
        }
    }
    lets
}
