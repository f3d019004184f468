//! Generates a JSON Schema of card, pack and scenario files from the key tables and the definitions of a loaded game, for editors that
//! support TOML in general.
//!
//! What occurs several times is one of the `$defs`. Where a value may have several forms, `type` and `if` choose the form before it is looked
//! at: common validators say nothing but "not valid under any of the given schemas" of an `anyOf` in which no form fits.

use serde_json::{Map, Value, json};

use crate::lang::GameText;
use crate::lang::defs::{DefKind, Definitions, Space};
use crate::pack::EntryKind;
use crate::pack::schema::{self, KeySchema, TableSchema};

mod cards;
mod entries;
mod values;

/// The kind of file that a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaKind {
    /// A file of cards.
    Card,
    /// A pack's manifest, `pack.toml`.
    Pack,
    /// A file of scenarios.
    Scenario,
}

/// Regular expression that matches an id.
const ID_PATTERN: &str = "^[a-z][a-z0-9]*(_[a-z0-9]+)*$";

/// Generates the schema of one kind of file of a game.
pub fn json_schema(text: &GameText, described: SchemaKind) -> Value {
    let made = SchemaBuilder { text, defs: text.checked().definitions() };
    let (what, mut whole) = match described {
        SchemaKind::Card => ("cards", made.card_file_schema()),
        SchemaKind::Pack => ("a pack", made.table_schema(&schema::MANIFEST_TABLE, &["name", "version", "language", "extends"])),
        SchemaKind::Scenario => ("scenarios", made.table_schema(&schema::SCENARIO_FILE_TABLE, &["game", "scenario"])),
    };
    let used = used_definitions(&whole, made.shared_definitions());
    if let Value::Object(keys) = &mut whole {
        keys.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        keys.insert("title".into(), format!("{what} of {}", text.content.game).into());
        keys.insert("$defs".into(), used.into());
    }
    whole
}

/// Returns those of the definitions to which a schema refers, directly or through others.
fn used_definitions(schema: &Value, mut all: Map<String, Value>) -> Map<String, Value> {
    let mut used = Map::new();
    let mut open = referred_to(schema);
    while let Some(name) = open.pop() {
        if let Some(definition) = all.remove(&name) {
            open.extend(referred_to(&definition));
            used.insert(name, definition);
        }
    }
    used
}

/// Returns the names of the definitions to which a schema itself refers.
fn referred_to(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(keys) => {
            let own = keys.get("$ref").and_then(Value::as_str).and_then(|name| name.strip_prefix("#/$defs/"));
            own.map(str::to_string).into_iter().chain(keys.values().flat_map(referred_to)).collect()
        }
        Value::Array(values) => values.iter().flat_map(referred_to).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

struct SchemaBuilder<'t> {
    text: &'t GameText,
    defs: &'t Definitions,
}

impl SchemaBuilder<'_> {
    /// Builds the definitions that the schemas of several keys refer to.
    fn shared_definitions(&self) -> Map<String, Value> {
        let cards: Vec<&str> = self.text.content.cards.iter().map(|card| card.id.text.as_str()).collect();
        let mut all: Map<String, Value> = Map::new();
        let mut add = |name: &str, definition: Value| drop(all.insert(name.to_string(), definition));
        add("known_card", json!({ "enum": cards }));
        // A card that is being written is not among the loaded ones: those are only proposed.
        add("card", json!({ "type": "string", "pattern": ID_PATTERN, "anyOf": [reference("known_card"), true] }));
        add("kind", json!({ "enum": self.names_in_space(Space::Kind) }));
        add("moment", json!({ "enum": self.moments() }));
        add("quantity", json!({ "enum": self.quantities() }));
        add("action", json!({ "enum": self.names_in_space(Space::Action) }));
        add("loss", json!({ "enum": self.names_in_space(Space::Loss) }));
        add("options", self.options_schema());
        for kind in EntryKind::ALL {
            let word = kind.header_word();
            add(word, self.entries_schema(kind));
            add(&table_name(word), self.table_schema(kind.table(), kind.subject_key().as_slice()));
            add(&line_name(word), self.line_schema(kind));
            add(&lines_name(word), self.line_or_lines_schema(kind));
        }
        for table in [&schema::TEST_TABLE, &schema::PART_TABLE, &schema::SCENARIO_TABLE] {
            add(table.name(), self.table_schema(table, required_keys(table)));
        }
        self.add_kinds(&mut all);
        all
    }

    fn names_in_space(&self, space: Space) -> Vec<&str> {
        self.defs.names(space).collect()
    }

    /// Returns all moments, and those about the card itself.
    fn moments(&self) -> Vec<String> {
        self.defs.names(Space::Moment).flat_map(|moment| [moment.to_string(), format!("this.{moment}")]).collect()
    }

    fn quantities(&self) -> Vec<&str> {
        let quantities = self.defs.all().filter(|(_, one)| matches!(one.kind, DefKind::Quantity { .. }));
        quantities.map(|(_, one)| one.name.as_str()).collect()
    }

    /// Builds the schema of a table, which allows only its own keys; `needed` are required.
    fn table_schema(&self, table: &'static TableSchema, needed: &[&str]) -> Value {
        closed_table_schema(table.doc, self.key_schemas(table), needed)
    }

    fn key_schemas(&self, table: &'static TableSchema) -> Map<String, Value> {
        table.keys.iter().map(|key| (key.name.to_string(), self.key_schema(key))).collect()
    }

    /// Builds the schema of a key, with its documentation.
    fn key_schema(&self, key: &KeySchema) -> Value {
        let mut made = self.value_schema(key.holds);
        if let Value::Object(keys) = &mut made {
            keys.insert("description".into(), format!("{}\n\n{}", key.doc, key.example).into());
        }
        made
    }
}

/// Returns the keys that a table requires.
fn required_keys(table: &'static TableSchema) -> &'static [&'static str] {
    match table.header {
        "[[scenario]]" => &["name"],
        "[[card.on.part]]" => &["do"],
        _ => &[],
    }
}

/// Refers to one of the shared definitions.
fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

/// Name of the definition of an entry under a header of its own.
fn table_name(word: &str) -> String {
    format!("{word}.table")
}

/// Name of the definition of an entry that is the value of a line.
fn line_name(word: &str) -> String {
    format!("{word}.line")
}

/// Name of the definition of one entry, or of several in a list, that are the value of a line.
fn lines_name(word: &str) -> String {
    format!("{word}.lines")
}

/// Builds the schema of a value that is a list or not.
fn list_or_else(list: Value, other: Value) -> Value {
    json!({ "if": { "type": "array" }, "then": list, "else": other })
}

fn array_schema(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// Builds the schema of a table that allows only these keys.
fn closed_table_schema(doc: &str, keys: Map<String, Value>, needed: &[&str]) -> Value {
    json!({ "type": "object", "description": doc, "properties": keys, "required": needed, "additionalProperties": false })
}
