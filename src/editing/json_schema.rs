//! Generates a JSON Schema of card, pack and scenario files from the key tables and the definitions of a loaded game, for editors that
//! support TOML in general.

use serde_json::{Map, Value, json};

use crate::lang::defs::{DefKind, Definitions, FieldType, Space};
use crate::lang::{GameText, Type};
use crate::pack::EntryKind;
use crate::pack::schema::{self, KeySchema, NameSort, TableSchema, ValueType};

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
    if let Value::Object(keys) = &mut whole {
        keys.insert("$schema".into(), "https://json-schema.org/draft/2020-12/schema".into());
        keys.insert("title".into(), format!("{what} of {}", text.content.game).into());
        keys.insert("$defs".into(), made.shared_definitions());
    }
    whole
}

struct SchemaBuilder<'t> {
    text: &'t GameText,
    defs: &'t Definitions,
}

impl SchemaBuilder<'_> {
    /// Builds the definitions that the schemas of several keys refer to.
    fn shared_definitions(&self) -> Value {
        let cards: Vec<&str> = self.text.content.cards.iter().map(|card| card.id.text.as_str()).collect();
        let moments: Vec<String> =
            self.defs.names(Space::Moment).flat_map(|moment| [moment.to_string(), format!("this.{moment}")]).collect();
        let quantities = self.defs.all().filter(|(_, one)| matches!(one.kind, DefKind::Quantity { .. }));
        let quantities: Vec<&str> = quantities.map(|(_, one)| one.name.as_str()).collect();
        json!({
            // A card that is being written is not among the loaded ones.
            "card": { "type": "string", "anyOf": [{ "enum": cards }, { "pattern": ID_PATTERN }] },
            "kind": { "enum": self.names_in_space(Space::Kind) },
            "moment": { "enum": moments },
            "quantity": { "enum": quantities },
            "action": { "enum": self.names_in_space(Space::Action) },
            "loss": { "enum": self.names_in_space(Space::Loss) },
        })
    }

    fn names_in_space(&self, space: Space) -> Vec<&str> {
        self.defs.names(space).collect()
    }

    /// Builds the schema of a table, which allows only its own keys; `needed` are required.
    fn table_schema(&self, table: &'static TableSchema, needed: &[&str]) -> Value {
        let keys = table.keys.iter().map(|key| (key.name.to_string(), self.key_schema(key)));
        closed_table_schema(table.doc, keys.collect(), needed)
    }

    /// Builds the schema of a key, with its documentation.
    fn key_schema(&self, key: &KeySchema) -> Value {
        let mut made = self.value_schema(key.holds);
        if let Value::Object(keys) = &mut made {
            keys.insert("description".into(), format!("{}\n\n{}", key.doc, key.example).into());
        }
        made
    }

    fn value_schema(&self, holds: ValueType) -> Value {
        let text = json!({ "type": "string" });
        match holds {
            ValueType::Id => text,
            ValueType::Text
            | ValueType::Condition
            | ValueType::Selection
            | ValueType::Ask
            | ValueType::Cost
            | ValueType::Script
            | ValueType::Set => text,
            ValueType::Given | ValueType::When | ValueType::Then => text,
            ValueType::Texts | ValueType::Packs | ValueType::Rules | ValueType::Scripts => {
                json!({ "anyOf": [text, { "type": "array", "items": text }] })
            }
            ValueType::Number(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            ValueType::Amount => json!({ "type": ["integer", "string"] }),
            ValueType::Each => {
                let value = json!({ "type": ["integer", "string"] });
                let values = json!({ "anyOf": [text, { "type": "array", "items": value, "minItems": 1 }] });
                json!({ "type": "object", "minProperties": 1, "propertyNames": { "pattern": ID_PATTERN }, "additionalProperties": values })
            }
            ValueType::Numbers => {
                json!({ "type": "object", "additionalProperties": { "type": "integer", "minimum": 0, "maximum": i32::MAX } })
            }
            ValueType::Word(words) => json!({ "enum": words }),
            ValueType::Values => json!({ "type": "object", "additionalProperties": text }),
            ValueType::Limit => json!({ "anyOf": [
                { "type": "integer", "minimum": 1 },
                { "type": "string", "pattern": "^\\s*[0-9]+\\s+each\\s+(action|turn|step|round|game)\\s*$" },
            ] }),
            ValueType::Card => json!({ "$ref": "#/$defs/card" }),
            ValueType::Kind => json!({ "$ref": "#/$defs/kind" }),
            ValueType::Moment => json!({ "$ref": "#/$defs/moment" }),
            ValueType::Quantity => json!({ "$ref": "#/$defs/quantity" }),
            ValueType::Action => json!({ "$ref": "#/$defs/action" }),
            ValueType::Loss => json!({ "$ref": "#/$defs/loss" }),
            ValueType::Game => json!({ "enum": [self.text.content.game] }),
            // A pack may extend any other.
            ValueType::GameOrPack => text,
            ValueType::Options => self.options_schema(),
            ValueType::Entries(table) => EntryKind::ALL
                .into_iter()
                .find(|kind| std::ptr::eq(kind.table(), table))
                .map_or(Value::Bool(true), |kind| self.entries_schema(kind)),
            ValueType::Tables(table) => json!({ "type": "array", "items": self.table_schema(table, required_keys(table)) }),
            ValueType::Translations(sort) => {
                let names = match sort {
                    NameSort::Card | NameSort::Word => json!({}),
                    NameSort::Kind => json!({ "$ref": "#/$defs/kind" }),
                };
                json!({ "type": "object", "propertyNames": names, "additionalProperties": text })
            }
        }
    }

    fn options_schema(&self) -> Value {
        let options = self.defs.options().map(|(_, name, option)| {
            let one = match option.numeric {
                true => json!({ "type": ["integer", "string"] }),
                false => json!({ "enum": option.values }),
            };
            let several = option.several;
            let many = json!({ "anyOf": [one, { "type": "array", "items": one }] });
            let of_players = json!({
                "type": "object",
                "propertyNames": { "pattern": "^p[1-9][0-9]*$" },
                "minProperties": 1,
                "additionalProperties": one,
            });
            let value = match (option.each_player, several) {
                (true, _) => json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1, "maxItems": 1 }, of_players] }),
                (false, true) => many,
                (false, false) => one,
            };
            (name.to_string(), value)
        });
        // A variant may add options of its own.
        let others = json!({ "type": ["string", "integer", "boolean", "array", "object"] });
        json!({ "type": "object", "properties": options.collect::<Map<_, _>>(), "additionalProperties": others })
    }

    // ------------------------------------------------------------------ entries

    /// Builds the schema of all entries of a kind: tables under headers, or single lines.
    fn entries_schema(&self, kind: EntryKind) -> Value {
        let whole = self.table_schema(kind.table(), kind.subject_key().as_slice());
        let under_headers = json!({ "type": "array", "items": whole });
        let line = self.line_schema(kind);
        match kind.subject_key().and_then(|about| kind.table().keys.iter().find(|key| key.name == about)) {
            None => json!({ "anyOf": [under_headers, line] }),
            Some(about) => json!({ "anyOf": [under_headers, self.lines_schema(kind, about, &line)] }),
        }
    }

    /// Builds the schema of an entry that is written as the value of one line.
    fn line_schema(&self, kind: EntryKind) -> Value {
        let keys = kind.table().keys.iter().filter(|key| Some(key.name) != kind.subject_key());
        let keys = keys.map(|key| (key.name.to_string(), self.key_schema(key))).collect();
        let short = match kind {
            EntryKind::Change => json!({ "type": ["integer", "string"] }),
            EntryKind::On | EntryKind::Action | EntryKind::Forbid | EntryKind::Instead => json!({ "type": "string" }),
        };
        json!({ "anyOf": [short, closed_table_schema(kind.table().doc, keys, &[])] })
    }

    /// Builds the schema of entries written as lines, by subject; a dotted subject becomes nested tables.
    fn lines_schema(&self, kind: EntryKind, about: &KeySchema, line: &Value) -> Value {
        let names: Vec<String> = match about.holds {
            ValueType::Moment => self.defs.names(Space::Moment).flat_map(|name| [name.to_string(), format!("this.{name}")]).collect(),
            ValueType::Quantity => {
                let quantities = self.defs.all().filter(|(_, one)| matches!(one.kind, DefKind::Quantity { .. }));
                quantities.map(|(_, one)| one.name.clone()).collect()
            }
            ValueType::Action => self.defs.names(Space::Action).map(str::to_string).collect(),
            ValueType::Loss => self.defs.names(Space::Loss).map(str::to_string).collect(),
            _ => Vec::new(),
        };
        let several = match kind {
            EntryKind::Action => line.clone(),
            EntryKind::On | EntryKind::Change | EntryKind::Forbid | EntryKind::Instead => {
                json!({ "anyOf": [line, { "type": "array", "items": line, "minItems": 1 }] })
            }
        };
        nested_table_schema(&names.iter().map(String::as_str).collect::<Vec<_>>(), &several)
    }

    // ------------------------------------------------------------------ cards

    fn card_file_schema(&self) -> Value {
        let card = self.card_schema();
        let mut patch = self.card_key_schemas(&schema::PATCH_TABLE);
        patch.extend(self.card_key_schemas(&schema::CARD_TABLE));
        patch.remove("id");
        patch.extend(self.field_schemas());
        let tables = [
            ("defaults", self.defaults_schema()),
            ("card", array_schema(card)),
            ("kind", array_schema(self.table_schema(&schema::KIND_TABLE, &["id"]))),
            ("patch", array_schema(closed_table_schema(schema::PATCH_TABLE.doc, patch, &[]))),
            ("remove", array_schema(self.table_schema(&schema::REMOVE_TABLE, &[]))),
        ];
        let tables = tables.into_iter().map(|(name, made)| (name.to_string(), made)).collect();
        closed_table_schema("cards, and changes of cards", tables, &[])
    }

    fn card_key_schemas(&self, table: &'static TableSchema) -> Map<String, Value> {
        table.keys.iter().map(|key| (key.name.to_string(), self.key_schema(key))).collect()
    }

    /// Builds the schema of `[defaults]`: its own keys, and fields of all kinds.
    fn defaults_schema(&self) -> Value {
        let mut of_kind = self.card_key_schemas(&schema::DEFAULTS_TABLE);
        of_kind.remove("kind");
        of_kind.extend(self.field_schemas());
        let of_kind = closed_table_schema("what holds for cards of this kind", filled_by_each(of_kind), &[]);
        let mut all = self.card_key_schemas(&schema::DEFAULTS_TABLE);
        all.extend(self.field_schemas());
        let mut all = filled_by_each(all);
        for kind in &self.text.checked().rules.kinds {
            all.entry(self.defs[kind.def].name.clone()).or_insert_with(|| of_kind.clone());
        }
        closed_table_schema(schema::DEFAULTS_TABLE.doc, all, &[])
    }

    /// Builds the schema of a card: each kind allows only its own fields.
    fn card_schema(&self) -> Value {
        let keys = self.card_key_schemas(&schema::CARD_TABLE);
        let common: Vec<String> = keys.keys().cloned().collect();
        let rules = &self.text.checked().rules;
        let of_cards = (0..).zip(&rules.kinds).filter(|(index, _)| rules.board_of_kind(*index).is_none());
        let by_kind = of_cards.map(|(_, kind)| {
            let own = kind.fields.iter().map(|field| self.defs[field.def].name.clone());
            let known: Vec<String> = common.iter().cloned().chain(own).collect();
            json!({
                "if": { "properties": { "kind": { "const": self.defs[kind.def].name } }, "required": ["kind"] },
                "then": { "propertyNames": { "enum": known } },
            })
        });
        let by_kind: Vec<Value> = by_kind.collect();
        let mut all = keys;
        all.extend(self.field_schemas());
        let mut made = closed_table_schema(schema::CARD_TABLE.doc, filled_by_each(all), &["id"]);
        if let Value::Object(keys) = &mut made
            && !by_kind.is_empty()
        {
            keys.insert("allOf".into(), by_kind.into());
        }
        made
    }

    /// Builds the schemas of the fields of all kinds, by name; kinds may declare the same name with different types.
    fn field_schemas(&self) -> Map<String, Value> {
        let mut found: Map<String, Value> = Map::new();
        let rules = &self.text.checked().rules;
        for (_, kind) in (0..).zip(&rules.kinds).filter(|(index, _)| rules.board_of_kind(*index).is_none()) {
            for field in &kind.fields {
                let one = &self.defs[field.def];
                let DefKind::Field(holds) = &one.kind else { continue };
                let made = self.field_schema(holds, &field.extra_words);
                match found.get_mut(&one.name) {
                    None => {
                        found.insert(one.name.clone(), json!({ "description": "a field of its kind", "anyOf": [made] }));
                    }
                    Some(known) => {
                        let ways = known.get_mut("anyOf").and_then(Value::as_array_mut);
                        ways.into_iter().filter(|ways| !ways.contains(&made)).for_each(|ways| ways.push(made.clone()));
                    }
                }
            }
        }
        found
    }

    fn field_schema(&self, holds: &FieldType, more: &[String]) -> Value {
        let whole = json!({ "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX });
        let row = |words: Vec<&str>| json!({ "type": "object", "propertyNames": { "enum": words }, "additionalProperties": whole });
        match holds {
            FieldType::Number => whole,
            FieldType::Numbers => json!({ "anyOf": [whole, { "type": "array", "items": whole }] }),
            FieldType::Row => row(self.defs.resources().into_iter().chain(more.iter().map(String::as_str)).collect()),
            FieldType::WordRow(list) => row(self.defs.lists.get(*list as usize).into_iter().flatten().map(String::as_str).collect()),
            FieldType::Tokens => row(self.names_in_space(Space::Token)),
            FieldType::Resource => json!({ "enum": self.defs.resources() }),
            FieldType::Choice(list) => json!({ "enum": self.defs.lists.get(*list as usize) }),
            FieldType::Words(Type::Choice(list)) => json!({ "type": "array", "items": { "enum": self.defs.lists.get(*list as usize) } }),
            FieldType::Words(_) => json!({ "type": "array", "items": { "enum": self.defs.resources() } }),
            FieldType::Cards => json!({ "type": "array", "items": { "$ref": "#/$defs/card" } }),
        }
    }
}

/// Lets every value also be a text with the value of `each` in it, such as `"{n}"`.
fn filled_by_each(keys: Map<String, Value>) -> Map<String, Value> {
    let filled = json!({ "type": "string", "pattern": "\\{[a-z][a-z0-9_]*\\}" });
    let with = |(name, value): (String, Value)| {
        let may_be_any_text = value.get("type").is_some_and(|of| of == "string");
        let is_table = name == "each"
            || schema::CARD_TABLE
                .keys
                .iter()
                .any(|key| key.name == name && matches!(key.holds, ValueType::Entries(_) | ValueType::Tables(_)));
        match may_be_any_text || is_table {
            true => (name, value),
            false => {
                let about = value.get("description").cloned().unwrap_or_default();
                (name, json!({ "description": about, "anyOf": [value, filled] }))
            }
        }
    };
    keys.into_iter().map(with).collect()
}

/// Returns the keys that a table requires.
fn required_keys(table: &'static TableSchema) -> &'static [&'static str] {
    match table.header {
        "[[scenario]]" => &["name"],
        "[[card.on.part]]" => &["do"],
        _ => &[],
    }
}

fn array_schema(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// Builds the schema of a table that allows only these keys.
fn closed_table_schema(doc: &str, keys: Map<String, Value>, needed: &[&str]) -> Value {
    json!({ "type": "object", "description": doc, "properties": keys, "required": needed, "additionalProperties": false })
}

/// Builds the schema of a table from names to values; `a.b` may be written as one key or as nested tables.
fn nested_table_schema(names: &[&str], line: &Value) -> Value {
    let mut keys = Map::new();
    for name in names {
        let below: Vec<&str> = names.iter().filter_map(|other| other.strip_prefix(name)?.strip_prefix('.')).collect();
        let made = if below.is_empty() { line.clone() } else { json!({ "anyOf": [line, nested_table_schema(&below, line)] }) };
        keys.insert((*name).to_string(), made);
        if let Some((head, _)) = name.split_once('.')
            && !names.contains(&head)
        {
            let below: Vec<&str> = names.iter().filter_map(|other| other.strip_prefix(head)?.strip_prefix('.')).collect();
            keys.insert(head.to_string(), nested_table_schema(&below, line));
        }
    }
    json!({ "type": "object", "properties": keys, "additionalProperties": false, "minProperties": 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::is_snake_case;

    #[test]
    fn what_is_an_id_the_schema_takes_for_one() {
        let schema = jsonschema::validator_for(&json!({ "pattern": ID_PATTERN })).unwrap();
        for (name, fits) in [
            ("wolf", true),
            ("grey_wolf_2", true),
            ("w", true),
            ("wolf_", false),
            ("_wolf", false),
            ("grey__wolf", false),
            ("Wolf", false),
            ("2_wolves", false),
            ("grey-wolf", false),
            ("λύκος", false),
            ("", false),
        ] {
            assert_eq!((is_snake_case(name), schema.is_valid(&json!(name))), (fits, fits), "{name}");
        }
    }
}
