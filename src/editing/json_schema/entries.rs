//! Schemas of what cards do: entries under headers of their own, and entries as lines.

use serde_json::{Map, Value, json};

use super::{SchemaBuilder, array_schema, closed_table_schema, line_name, lines_name, list_or_else, reference, table_name};
use crate::lang::defs::Space;
use crate::pack::EntryKind;

impl SchemaBuilder<'_> {
    /// Builds the schema of all entries of a kind: tables under headers, or lines.
    pub(super) fn entries_schema(&self, kind: EntryKind) -> Value {
        let word = kind.header_word();
        let under_headers = array_schema(reference(&table_name(word)));
        match kind.subject_key() {
            None => list_or_else(under_headers, reference(&line_name(word))),
            Some(_) => list_or_else(under_headers, self.lines_schema(kind)),
        }
    }

    /// Builds the schema of an entry that is written as the value of one line.
    pub(super) fn line_schema(&self, kind: EntryKind) -> Value {
        let keys = kind.table().keys.iter().filter(|key| Some(key.name) != kind.subject_key());
        let keys = keys.map(|key| (key.name.to_string(), self.key_schema(key))).collect();
        let types = match kind {
            EntryKind::Change => json!(["integer", "string", "object"]),
            EntryKind::On | EntryKind::Action | EntryKind::Forbid | EntryKind::Instead => json!(["string", "object"]),
        };
        json!({ "type": types, "if": { "type": "object" }, "then": closed_table_schema(kind.table().doc, keys, &[]) })
    }

    /// Builds the schema of one entry, or of several in a list, about one subject.
    pub(super) fn line_or_lines_schema(&self, kind: EntryKind) -> Value {
        let line = reference(&line_name(kind.header_word()));
        list_or_else(json!({ "items": line, "minItems": 1 }), line)
    }

    /// Builds the schema of entries written as lines, by subject; a dotted subject becomes nested tables.
    fn lines_schema(&self, kind: EntryKind) -> Value {
        let names: Vec<String> = match kind {
            EntryKind::On => self.moments(),
            EntryKind::Change => self.quantities().into_iter().map(str::to_string).collect(),
            EntryKind::Forbid => self.defs.names(Space::Action).map(str::to_string).collect(),
            EntryKind::Instead => self.defs.names(Space::Loss).map(str::to_string).collect(),
            EntryKind::Action => Vec::new(),
        };
        nested_lines_schema(kind, &names.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Builds the schema of a table from subjects to lines; `a.b` may be written as one key or as nested tables.
fn nested_lines_schema(kind: EntryKind, names: &[&str]) -> Value {
    let line = || reference(&lines_name(kind.header_word()));
    let mut keys = Map::new();
    for name in names {
        let below: Vec<&str> = names.iter().filter_map(|other| other.strip_prefix(name)?.strip_prefix('.')).collect();
        let made = if below.is_empty() {
            line()
        } else {
            // A table is an entry if it has a key that only entries have.
            let keys: Vec<Value> = kind.distinctive_keys().iter().map(|key| json!({ "required": [key] })).collect();
            let goes_on = json!({ "type": "object", "not": { "anyOf": keys } });
            json!({ "if": goes_on, "then": nested_lines_schema(kind, &below), "else": line() })
        };
        keys.insert((*name).to_string(), made);
        if let Some((head, _)) = name.split_once('.')
            && !names.contains(&head)
        {
            let below: Vec<&str> = names.iter().filter_map(|other| other.strip_prefix(head)?.strip_prefix('.')).collect();
            keys.insert(head.to_string(), nested_lines_schema(kind, &below));
        }
    }
    json!({ "type": "object", "properties": keys, "additionalProperties": false, "minProperties": 1 })
}
