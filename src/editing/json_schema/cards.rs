//! Schemas of the tables of a card file. Which fields a card has depends on its kind, which it says itself, or `[defaults]` says, or the card
//! that it is like.

use serde_json::{Map, Value, json};

use super::{SchemaBuilder, array_schema, closed_table_schema, reference};
use crate::lang::defs::DefKind;
use crate::lang::typed::Kind;
use crate::pack::PARTS;
use crate::pack::schema::{self, ValueType};

impl SchemaBuilder<'_> {
    pub(super) fn card_file_schema(&self) -> Value {
        let tables = [
            ("defaults", self.defaults_schema()),
            ("card", array_schema(self.card_schema())),
            ("kind", array_schema(self.table_schema(&schema::KIND_TABLE, &["id"]))),
            ("patch", array_schema(self.patch_schema())),
            ("remove", array_schema(self.table_schema(&schema::REMOVE_TABLE, &[]))),
        ];
        let tables = tables.into_iter().map(|(name, made)| (name.to_string(), made)).collect();
        let mut whole = closed_table_schema("cards, and changes of cards", tables, &[]);
        if let Value::Object(keys) = &mut whole {
            keys.insert("allOf".into(), self.kinds_not_said().into());
        }
        whole
    }

    /// Returns the kinds that cards can have, with their names: all but those of the spaces of boards.
    fn kinds(&self) -> impl Iterator<Item = (&str, &Kind)> {
        let rules = &self.text.checked().rules;
        let of_cards = (0..).zip(&rules.kinds).filter(|(index, _)| rules.board_of_kind(*index).is_none());
        of_cards.map(|(_, kind)| (self.defs[kind.def].name.as_str(), kind))
    }

    /// Adds what the cards of each kind are, and which fields they have.
    pub(super) fn add_kinds(&self, all: &mut Map<String, Value>) {
        let known = schema::CARD_TABLE.names().into_iter().chain(schema::PATCH_TABLE.names());
        let known: Map<String, Value> = known.map(|key| (key.to_string(), Value::Bool(true))).collect();
        for (name, kind) in self.kinds() {
            let of_kind = self.text.content.cards.iter().filter(|card| card.kind.text == name);
            let cards: Vec<&str> = of_kind.map(|card| card.id.text.as_str()).collect();
            all.insert(cards_name(name), json!({ "enum": cards }));
            let mut keys = known.clone();
            keys.extend(self.fields_of(name, kind));
            all.insert(fields_name(name), json!({ "properties": keys, "additionalProperties": false }));
        }
    }

    /// Builds the schemas of the fields of one kind.
    fn fields_of(&self, name: &str, kind: &Kind) -> Map<String, Value> {
        let fields = kind.fields.iter().filter_map(|field| {
            let one = &self.defs[field.def];
            let DefKind::Field(holds) = &one.kind else { return None };
            let made = self.field_schema(holds, &field.extra_words);
            Some((one.name.clone(), or_filled(made, &format!("a field of the kind `{name}`").into())))
        });
        let mut fields: Map<String, Value> = fields.collect();
        fields.extend(self.parts_schema(kind).map(|made| (PARTS.to_string(), made)));
        fields
    }

    /// Builds the schema of the parts of cards of a kind; `None` if these are no spaces of a board.
    fn parts_schema(&self, kind: &Kind) -> Option<Value> {
        let rules = &self.text.checked().rules;
        let index = rules.kinds.iter().position(|known| known.def == kind.def)?;
        let board = rules.board_of_parts(u16::try_from(index).ok()?)?;
        let text = |said: &str| json!({ "type": "string", "description": said });
        let mut keys = self.fields_of(&board.name, &rules.kinds[usize::from(board.kind)]);
        keys.insert("name".into(), text("what the part is called; else by its first word"));
        keys.insert(
            "at".into(),
            text("the sides of the card at which it comes to the edge, such as `n e`; `n1` and `n2` are the two ends of a side, clockwise"),
        );
        let names = json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }], "description": "the other parts of the card that it is next to" });
        keys.insert("next_to".into(), names);
        let part = closed_table_schema("a part of the card", keys, &[]);
        Some(
            json!({ "type": "array", "items": part, "description": format!("the parts of the card, which are spaces of `{}`", board.name) }),
        )
    }

    /// Returns the fields of all kinds, of which nothing is known but that some cards have them.
    fn field_names(&self) -> Map<String, Value> {
        let fields = self.kinds().flat_map(|(_, kind)| &kind.fields).map(|field| self.defs[field.def].name.clone());
        let parts = self.kinds().filter(|(_, kind)| self.parts_schema(kind).is_some()).map(|_| PARTS.to_string());
        fields.chain(parts).map(|name| (name, json!({ "description": "a field of its kind" }))).collect()
    }

    /// Builds the schemas of the fields of all kinds, by name; kinds may declare the same name with different types.
    fn any_fields(&self) -> Map<String, Value> {
        let mut found: Map<String, Value> = Map::new();
        for (_, kind) in self.kinds() {
            for (name, made) in self.fields_of("", kind) {
                let made = without_description(made);
                let known = found.entry(name).or_insert_with(|| json!({ "description": "a field of its kind", "anyOf": [] }));
                let forms = known.get_mut("anyOf").and_then(Value::as_array_mut);
                forms.into_iter().filter(|forms| !forms.contains(&made)).for_each(|forms| forms.push(made.clone()));
            }
        }
        // Of a single form a validator can say what is wrong.
        for known in found.values_mut() {
            let single =
                known.get("anyOf").and_then(Value::as_array).filter(|forms| forms.len() == 1).and_then(|forms| forms.first()).cloned();
            if let Some(Value::Object(mut form)) = single {
                form.insert("description".into(), "a field of its kind".into());
                *known = form.into();
            }
        }
        found
    }

    /// Builds the schema of `[defaults]`: its own keys, fields of all kinds, and a table for each kind.
    fn defaults_schema(&self) -> Value {
        let own = filled_by_each(self.key_schemas(&schema::DEFAULTS_TABLE));
        let mut all = own.clone();
        all.extend(self.any_fields());
        for (name, kind) in self.kinds() {
            let mut of_kind = own.clone();
            of_kind.remove("kind");
            of_kind.extend(self.fields_of(name, kind));
            all.entry(name).or_insert_with(|| closed_table_schema("what holds for cards of this kind", of_kind, &[]));
        }
        closed_table_schema(schema::DEFAULTS_TABLE.doc, all, &[])
    }

    /// Builds the schema of a card: each kind allows only its own fields.
    fn card_schema(&self) -> Value {
        let by_kind = self.kinds().map(|(name, _)| {
            let says = json!({ "properties": { "kind": { "const": name } }, "required": ["kind"] });
            json!({ "if": says, "then": reference(&fields_name(name)) })
        });
        let by_kind: Vec<Value> = by_kind.collect();
        let mut all = filled_by_each(self.key_schemas(&schema::CARD_TABLE));
        all.extend(self.field_names());
        let mut made = closed_table_schema(schema::CARD_TABLE.doc, all, &["id"]);
        add_rules(&mut made, by_kind);
        made
    }

    /// Returns what holds for cards that do not say of which kind they are: first that of `[defaults]` counts, then that of the card which
    /// they are like.
    fn kinds_not_said(&self) -> Vec<Value> {
        let says_kind = json!({ "required": ["kind"] });
        let of_cards = |rule: Value| {
            let unsaid = json!({ "if": { "not": says_kind }, "then": rule });
            json!({ "properties": { "card": { "items": unsaid } } })
        };
        let default_is = |kind: Value| json!({ "required": ["defaults"], "properties": { "defaults": kind } });
        let mut rules: Vec<Value> = Vec::new();
        let mut by_like: Vec<Value> = vec![json!({ "if": { "not": { "required": ["like"] } }, "then": says_kind })];
        for (name, _) in self.kinds() {
            let is_kind = default_is(json!({ "required": ["kind"], "properties": { "kind": { "const": name } } }));
            rules.push(json!({ "if": is_kind, "then": of_cards(reference(&fields_name(name))) }));
            let like = json!({ "required": ["like"], "properties": { "like": reference(&cards_name(name)) } });
            by_like.push(json!({ "if": like, "then": reference(&fields_name(name)) }));
        }
        rules.push(json!({ "if": default_is(says_kind.clone()), "else": of_cards(json!({ "allOf": by_like })) }));
        rules
    }

    /// Builds the schema of a patch: of a known card the fields of its kind, of others fields of all kinds.
    fn patch_schema(&self) -> Value {
        let mut all = self.key_schemas(&schema::PATCH_TABLE);
        all.extend(self.key_schemas(&schema::CARD_TABLE));
        all.remove("id");
        all.extend(self.field_names());
        // A patch that changes the kind is looked at as one of an unknown card.
        let of_card = |which: Value| json!({ "required": ["card"], "properties": { "card": which, "kind": false } });
        let by_kind =
            self.kinds().map(|(name, _)| json!({ "if": of_card(reference(&cards_name(name))), "then": reference(&fields_name(name)) }));
        let of_others = json!({ "if": of_card(reference("known_card")), "else": { "properties": self.any_fields() } });
        let rules = by_kind.chain([of_others]).collect();
        let mut made = closed_table_schema(schema::PATCH_TABLE.doc, all, &[]);
        add_rules(&mut made, rules);
        made
    }
}

/// Name of the definition of the cards of a kind.
fn cards_name(kind: &str) -> String {
    format!("cards.{kind}")
}

/// Name of the definition of the fields of a kind.
fn fields_name(kind: &str) -> String {
    format!("fields.{kind}")
}

/// Adds rules that must all hold to the schema of a table.
fn add_rules(table: &mut Value, rules: Vec<Value>) {
    if let Value::Object(keys) = table
        && !rules.is_empty()
    {
        keys.insert("allOf".into(), rules.into());
    }
}

fn without_description(mut made: Value) -> Value {
    if let Value::Object(keys) = &mut made {
        keys.remove("description");
    }
    made
}

/// Lets every value also be a text with the value of `each` in it, such as `"{n}"`.
fn filled_by_each(keys: Map<String, Value>) -> Map<String, Value> {
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
                (name, or_filled(without_description(value), &about))
            }
        }
    };
    keys.into_iter().map(with).collect()
}

/// Lets a value also be a text with the value of `each` in it.
fn or_filled(value: Value, about: &Value) -> Value {
    let filled = json!({ "type": "string", "pattern": "\\{[a-z][a-z0-9_]*\\}" });
    let mut made = json!({ "description": about, "if": filled, "else": value });
    // Editors propose words that stand in an `anyOf`, and not those in an `else`; `true` fits anything.
    if let Value::Object(keys) = &mut made
        && (value.get("enum").is_some() || value.get("$ref").is_some())
    {
        keys.insert("anyOf".into(), json!([value, true]));
    }
    made
}
