//! `houserule schema`: what a schema holds. What fits it and what does not, tests/outside/test_schema.py asks a validator.

use crate::support::root;
use houserule::json_schema::{SchemaKind, json_schema};
use houserule::lang;
use houserule::source::Sources;
use serde_json::Value;

#[test]
fn a_schema_holds_the_words_of_its_game() {
    let text = lang::load(&mut Sources::new(), Some(root()), "nations", &[], &[], &mut Vec::new()).unwrap();
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
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"));
        let done = program.arg("schema").args(args.split(' ')).current_dir(root()).output().unwrap();
        assert!(done.status.success(), "{args}: {}", String::from_utf8_lossy(&done.stderr));
        let schema: Value = serde_json::from_slice(&done.stdout).unwrap();
        let size = serde_json::to_string_pretty(&schema).unwrap().len();
        assert!(size < 300_000, "the schema {args} has {size} bytes, which editors read anew for every file");
    }
}
