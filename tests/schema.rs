//! `houserule schema`: what a schema holds. What fits it and what does not, tests/outside/test_schema.py asks a validator.

use crate::support::{loaded, root, run_in};
use houserule::json_schema::{SchemaKind, json_schema};

#[test]
fn a_schema_holds_the_words_of_its_game() {
    let (_, text) = loaded(root(), "nations", &[], &[]);
    let schema = json_schema(&text, SchemaKind::Card);
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    let listed = |name: &str, word: &str| schema["$defs"][name]["enum"].as_array().unwrap().iter().any(|one| one == word);
    assert!(listed("kind", "advisor") && listed("moment", "production") && listed("moment", "this.production"));
    let card = &schema["properties"]["card"]["items"];
    assert!(card["properties"]["like"]["description"].as_str().unwrap().contains("another card"));
    assert_eq!(card["additionalProperties"], false);
}

/// `houserule schema`, as docs/editors.md types it.
#[test]
fn no_schema_is_too_large_for_editors() {
    for args in ["nations --pack packs/dynasties", "near", "nations --for scenario", "nations --for pack"] {
        let schema = run_in(root(), &format!("schema {args}")).ends(0).json();
        let size = serde_json::to_string_pretty(&schema).unwrap().len();
        assert!(size < 300_000, "the schema {args} has {size} bytes, which editors read anew for every file");
    }
}
