//! The steps of an entry: `do` with one or more scripts, or `part` tables with their own conditions, costs, questions and values.

use super::keys::{Keys, is_snake_case};
use super::problem::PackProblem;
use super::read::{Text, TomlValue};
use super::schema;

/// One step that an entry runs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawPart {
    /// Condition of the step, evaluated when the step is reached. If it does not hold, the next step follows.
    pub when: Option<Text>,
    /// Cost of the step, paid before the script. If it cannot be paid, the entry ends with this step.
    pub cost: Option<Text>,
    /// Question to the player, asked before the cost and the script. If it has no possible answer, the entry ends with this step.
    pub ask: Option<Text>,
    /// Named values, as (name, expression), evaluated just before the script.
    pub lets: Vec<(Text, Text)>,
    /// The script that this step runs.
    pub script: Text,
}

/// Takes the steps of an entry: `do` or `part`. `part` is the name of a part in messages; `needed` says whether at least one step is
/// required.
pub(super) fn take_parts(keys: &mut Keys<'_>, part: &str, needed: bool) -> Option<Vec<RawPart>> {
    if keys.has_key("part") {
        let tables = keys.take_tables("part", part.trim_matches(['[', ']']));
        let called = if part.starts_with('[') { format!("`{part}`") } else { part.to_owned() };
        for surplus in ["do", "ask", "cost", "let"] {
            if let Some((key, _)) = keys.take(surplus) {
                let place = if part.starts_with('[') { format!("below a `{part}`") } else { "in the `{ }` of a part".to_owned() };
                keys.diagnostics().push(PackProblem::BelongsToAPart { key: surplus, place }.at(key.span));
            }
        }
        let parts = tables.into_iter().filter_map(|(table, span)| {
            let mut part = Keys::new(called.as_str(), span, table, keys.diagnostics());
            let (when, cost, ask, lets) = (part.take_text("if"), part.take_text("cost"), part.take_text("ask"), take_lets(&mut part));
            let script = part.expect_text("do", "add `do = \"…\"` with what is done");
            part.report_unknown_keys(&schema::PART_TABLE.names());
            Some(RawPart { when, cost, ask, lets, script: script? })
        });
        return Some(parts.collect());
    }
    let places = ["ask", "cost", "let"].map(|key| (key, keys.value_span(key)));
    let (ask, cost, lets) = (keys.take_text("ask"), keys.take_text("cost"), take_lets(keys));
    if needed {
        keys.expect("do", "add `do = \"…\"` with what is done");
    }
    if !keys.has_key("do") {
        for (key, span) in places.into_iter().filter(|_| !needed) {
            let what = match key {
                "ask" => "a question is asked, but nothing is done with the answer",
                "cost" => continue,
                _ => "values get names, but no script uses them",
            };
            keys.diagnostics().extend(span.map(|span| PackProblem::WithoutDo { what }.at(span)));
        }
        // A part with a cost and no script cancels the event for that cost.
        let nothing = Text { text: String::new(), span: cost.as_ref().map_or(keys.span(), |cost| cost.span) };
        let paid = cost.map(|cost| RawPart { when: None, cost: Some(cost), ask: None, lets: Vec::new(), script: nothing });
        return (!needed).then(|| paid.into_iter().collect());
    }
    let scripts = keys.take_as("do", "a script in quotes, or a list of scripts", |value| match value {
        TomlValue::Text(text) => Some(vec![text]),
        TomlValue::List(items) if !items.is_empty() => items.into_iter().map(|item| item.text().cloned()).collect(),
        TomlValue::List(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::Table(_) => None,
    })?;
    let part = |(index, script)| {
        let first = |text: &Option<Text>| text.clone().filter(|_| index == 0);
        RawPart { when: None, cost: first(&cost), ask: first(&ask), lets: lets.clone(), script }
    };
    Some(scripts.into_iter().enumerate().map(part).collect())
}

/// Takes `let = { n = "count my den" }` as (name, expression).
fn take_lets(keys: &mut Keys<'_>) -> Vec<(Text, Text)> {
    let named = keys.take_as("let", "a table of expressions, such as `{ n = \"count my den\" }`", |value| match value {
        TomlValue::Table(named) => Some(named),
        TomlValue::Text(_) | TomlValue::Integer(_) | TomlValue::Boolean(_) | TomlValue::List(_) => None,
    });
    let mut lets = Vec::new();
    for (name, value) in named.unwrap_or_default() {
        if !is_snake_case(&name.text) {
            keys.diagnostics().push(PackProblem::NotANameOfAValue { name: name.text }.at(name.span));
        } else if let TomlValue::Text(text) = value.value {
            lets.push((name, text));
        } else {
            keys.diagnostics().push(PackProblem::LetNoExpression { name: name.text.clone(), found: value.type_name() }.at(value.span));
        }
    }
    lets
}
