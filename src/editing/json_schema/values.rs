//! Schemas of single values: what a key of a table holds, options, and fields of cards.

use serde_json::{Map, Value, json};

use super::{ID_PATTERN, SchemaBuilder, list_or_else, reference};
use crate::lang::Type;
use crate::lang::defs::{FieldType, Space};
use crate::pack::EntryKind;
use crate::pack::schema::{NameSort, ValueType};

impl SchemaBuilder<'_> {
    /// Builds the schema of what a key holds.
    pub(super) fn value_schema(&self, holds: ValueType) -> Value {
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
                json!({ "type": ["string", "array"], "items": text })
            }
            ValueType::Number(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            ValueType::Amount => json!({ "type": ["integer", "string"] }),
            ValueType::Each => {
                let values = json!({ "type": ["string", "array"], "items": { "type": ["integer", "string"] }, "minItems": 1 });
                json!({ "type": "object", "minProperties": 1, "propertyNames": { "pattern": ID_PATTERN }, "additionalProperties": values })
            }
            ValueType::Numbers => {
                json!({ "type": "object", "additionalProperties": { "type": "integer", "minimum": 0, "maximum": i32::MAX } })
            }
            ValueType::Word(words) => json!({ "enum": words }),
            ValueType::Values => json!({ "type": "object", "additionalProperties": text }),
            ValueType::Limit => json!({
                "type": ["integer", "string"],
                "minimum": 1,
                "pattern": "^\\s*[0-9]+\\s+each\\s+(action|turn|step|round|game)\\s*$",
            }),
            ValueType::Card => reference("card"),
            ValueType::Kind => reference("kind"),
            ValueType::Moment => reference("moment"),
            ValueType::Quantity => reference("quantity"),
            ValueType::Action => reference("action"),
            ValueType::Loss => reference("loss"),
            ValueType::Game => json!({ "enum": [self.text.content.game] }),
            // A pack may extend any other.
            ValueType::GameOrPack => text,
            ValueType::Options => reference("options"),
            ValueType::Entries(table) => EntryKind::ALL
                .into_iter()
                .find(|kind| std::ptr::eq(kind.table(), table))
                .map_or(Value::Bool(true), |kind| reference(kind.header_word())),
            ValueType::Tables(table) => json!({ "type": "array", "items": reference(table.name()) }),
            ValueType::Translations(sort) => {
                let names = match sort {
                    NameSort::Card | NameSort::Word => json!({}),
                    NameSort::Kind => reference("kind"),
                };
                json!({ "type": "object", "propertyNames": names, "additionalProperties": text })
            }
        }
    }

    /// Builds the schema of the options of a game with their values.
    pub(super) fn options_schema(&self) -> Value {
        let options = self.defs.options().map(|(_, name, option)| {
            let one = match option.numeric {
                true => json!({ "type": ["integer", "string"] }),
                false => json!({ "enum": option.values }),
            };
            let value = match (option.each_player, option.several) {
                (true, _) => {
                    let of_players = json!({
                        "propertyNames": { "pattern": "^p[1-9][0-9]*$" },
                        "minProperties": 1,
                        "additionalProperties": one,
                    });
                    let of_all = list_or_else(json!({ "items": one, "minItems": 1, "maxItems": 1 }), one);
                    json!({ "if": { "type": "object" }, "then": of_players, "else": of_all })
                }
                (false, true) => list_or_else(json!({ "items": one }), one),
                (false, false) => one,
            };
            (name.to_string(), value)
        });
        // A variant may add options of its own.
        let others = json!({ "type": ["string", "integer", "boolean", "array", "object"] });
        json!({ "type": "object", "properties": options.collect::<Map<_, _>>(), "additionalProperties": others })
    }

    /// Builds the schema of a field of cards.
    pub(super) fn field_schema(&self, holds: &FieldType, more: &[String]) -> Value {
        let whole = || json!({ "type": "integer", "minimum": i32::MIN, "maximum": i32::MAX });
        let row = |words: Vec<&str>| json!({ "type": "object", "propertyNames": { "enum": words }, "additionalProperties": whole() });
        match holds {
            FieldType::One(Type::Number) => whole(),
            FieldType::List(Type::Number) => {
                json!({ "type": ["integer", "array"], "minimum": i32::MIN, "maximum": i32::MAX, "items": whole() })
            }
            FieldType::Row(Type::Choice(list)) => {
                row(self.defs.lists.get(*list as usize).into_iter().flatten().map(String::as_str).collect())
            }
            FieldType::Row(Type::Token) => row(self.names_in_space(Space::Token)),
            FieldType::Row(_) => row(self.defs.resources().into_iter().chain(more.iter().map(String::as_str)).collect()),
            FieldType::One(Type::Choice(list)) => json!({ "enum": self.defs.lists.get(*list as usize) }),
            FieldType::One(Type::Space(kind)) => {
                let spaces = self.text.checked().rules.spaces_of(*kind);
                json!({ "enum": spaces.map(|(space, _)| space.name.as_str()).collect::<Vec<_>>() })
            }
            FieldType::One(_) => json!({ "enum": self.defs.resources() }),
            FieldType::List(Type::Card) => json!({ "type": "array", "items": reference("card") }),
            FieldType::List(Type::Choice(list)) => json!({ "type": "array", "items": { "enum": self.defs.lists.get(*list as usize) } }),
            FieldType::List(_) => json!({ "type": "array", "items": { "enum": self.defs.resources() } }),
        }
    }
}
