//! `houserule schema`: every shipped file fits the schema of its game, and wrong ones do not.

use crate::support::{SMALL, root};
use houserule::json_schema::{SchemaKind, json_schema};
use houserule::lang;
use houserule::source::Sources;
use jsonschema::Validator;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn schema(root: &Path, game: &str, packs: &[PathBuf], described: SchemaKind) -> Validator {
    let text = lang::load(&mut Sources::new(), Some(root), game, packs, &[], &mut Vec::new()).expect("the game loads");
    jsonschema::draft202012::new(&json_schema(&text, described)).expect("a sound schema")
}

fn read(path: &Path) -> Option<Value> {
    toml::from_str(&fs::read_to_string(path).unwrap()).ok()
}

/// All files below a folder that fit, and must.
fn all_fit(schema: &Validator, folder: &Path) -> usize {
    let mut found = 0;
    for path in Sources::read_dir(folder, "toml").unwrap_or_default() {
        if path.iter().any(|part| part == "names") {
            continue;
        }
        let file = read(&path).unwrap();
        let wrong: Vec<String> = schema.iter_errors(&file).map(|wrong| format!("{}: {wrong}", wrong.instance_path())).collect();
        assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n"));
        found += 1;
    }
    found
}

#[test]
fn every_shipped_file_fits_the_schema_of_its_game() {
    let mut found = 0;
    for game in ["nations", "nations-dice", "near"] {
        found += all_fit(&schema(root(), game, &[], SchemaKind::Card), &root().join("cards").join(game));
    }
    let small = root().join("tests/games");
    for (game, _) in SMALL {
        found += all_fit(&schema(&small, game, &[], SchemaKind::Card), &small.join("cards").join(game));
    }
    let packs = ["packs/dynasties", "packs/promo"].map(|pack| root().join(pack));
    let of_packs = schema(root(), "nations", &packs, SchemaKind::Card);
    let manifest = schema(root(), "nations", &[], SchemaKind::Pack);
    let scenarios = schema(root(), "nations", &packs, SchemaKind::Scenario);
    for pack in &packs {
        found += all_fit(&of_packs, &pack.join("cards")) + all_fit(&scenarios, &pack.join("tests"));
        assert!(manifest.is_valid(&read(&pack.join("pack.toml")).unwrap()), "{}", pack.display());
    }
    // The walks of the book end in these.
    let pack = root().join("examples/saltmarsh");
    found += all_fit(&schema(root(), "nations", std::slice::from_ref(&pack), SchemaKind::Card), &pack.join("cards"));
    assert!(manifest.is_valid(&read(&pack.join("pack.toml")).unwrap()));
    let harbour = root().join("examples/harbour");
    found += all_fit(&schema(&harbour, "harbour", &[], SchemaKind::Card), &harbour.join("cards"));
    let game = root().join("examples/foragers");
    found += all_fit(&schema(&game, "foragers", &[], SchemaKind::Card), &game.join("cards"));
    let others = ["nations-dice", "near"].map(|game| (game, schema(root(), game, &[], SchemaKind::Scenario)));
    for path in Sources::read_dir(&root().join("tests/scenarios"), "toml").unwrap() {
        let file = read(&path).unwrap();
        let schema = others.iter().find(|(game, _)| file["game"] == *game).map_or(&scenarios, |(_, schema)| schema);
        let wrong: Vec<String> = schema.iter_errors(&file).map(|wrong| format!("{}: {wrong}", wrong.instance_path())).collect();
        assert!(wrong.is_empty(), "{}: {}", path.display(), wrong.join("\n"));
        found += 1;
    }
    assert!(found > 40, "{found}");
}

#[test]
fn wrong_files_do_not_fit() {
    let errors = root().join("tests/errors");
    let cards = schema(&errors.join("game"), "toy", &[], SchemaKind::Card);
    let scenarios = schema(&errors.join("game"), "toy", &[], SchemaKind::Scenario);
    let mut unfit = Vec::new();
    for path in fs::read_dir(&errors).unwrap().map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let Some(file) =
            Some(&path).filter(|path| path.is_file() && name.ends_with(".toml") && !name.contains(".names.")).and_then(|path| read(path))
        else {
            continue;
        };
        let schema = if name.contains(".scenario.") { &scenarios } else { &cards };
        if !schema.is_valid(&file) {
            unfit.push(name);
        }
    }
    for wanted in ["kind_unknown.toml", "missing_key.toml", "misspelt_header.toml", "figure_of_another_sort.toml", "ages_and_limits.toml"] {
        assert!(unfit.iter().any(|name| name == wanted), "{wanted}: {unfit:?}");
    }
    assert!(unfit.len() >= 10, "{unfit:?}");
}

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

/// What a validator says of a text, each with its place.
fn said(schema: &Validator, text: &str) -> Vec<String> {
    let file: Value = toml::from_str(text).unwrap();
    schema.iter_errors(&file).map(|wrong| format!("{}: {wrong}", wrong.instance_path())).collect()
}

#[test]
fn a_field_of_another_kind_is_refused_wherever_the_kind_is_said() {
    let cards = schema(root(), "nations", &[], SchemaKind::Card);
    let card = "id = \"wisp\"\nage = 1\nset = \"base\"\nsource = \"original\"\n";
    let of_card = format!("[[card]]\n{card}kind = \"advisor\"\n");
    let by_default = format!("[defaults]\nkind = \"advisor\"\n[[card]]\n{card}");
    let by_another = format!("[[card]]\n{card}like = \"hatshepsut\"\n");
    let patch = "[[patch]]\ncard = \"hatshepsut\"\n".to_string();
    let of_kind = "[defaults.advisor]\n".to_string();
    for begins in [of_card, by_default, by_another, patch, of_kind] {
        assert_eq!(said(&cards, &begins), [""; 0], "{begins}");
        let wrong = said(&cards, &format!("{begins}sections = 3\n"));
        assert!(wrong.iter().any(|wrong| wrong.contains("'sections' was unexpected")), "{begins}: {wrong:?}");
    }
    // The card's own kind counts before that of `[defaults]`, and without any it has none.
    let wonder = format!("[defaults]\nkind = \"advisor\"\n[[card]]\n{card}kind = \"wonder\"\nsections = [1, 2]\n");
    let wrong = said(&cards, &wonder);
    assert!(!wrong.iter().any(|wrong| wrong.contains("unexpected")), "{wrong:?}");
    assert_eq!(said(&cards, &format!("[[card]]\n{card}")), ["/card/0: \"kind\" is a required property"]);
    let others = "[[patch]]\ncard = \"nobody_knows\"\nsections = [1]\n";
    assert!(!said(&cards, others).iter().any(|wrong| wrong.contains("unexpected")), "{:?}", said(&cards, others));
}

#[test]
fn a_validator_says_what_is_wrong() {
    let cards = schema(root(), "nations", &[], SchemaKind::Card);
    let card = "[[card]]\nid = \"wisp\"\nkind = \"advisor\"\nset = \"base\"\nsource = \"original\"\n";
    for (line, wanted) in [
        ("age = true", "/card/0/age: true is not of type \"integer\""),
        ("kind = 3", "/card/0/kind: 3 is not one of"),
        ("on.production = 5", "/card/0/on/production: 5 is not of types \"string\", \"object\""),
        ("on.production = { doo = \"gain(me, gold, 1)\" }", "'doo' was unexpected"),
        ("on.production = { do = 3 }", "/card/0/on/production/do: 3 is not of types \"string\", \"array\""),
        ("on.produktion = \"gain(me, gold, 1)\"", "'produktion' was unexpected"),
        ("change.stability = true", "/card/0/change/stability: true is not of types"),
        ("action = { limit = \"often\" }", "/card/0/action/limit: \"often\" does not match"),
        ("like = \"Not an id\"", "/card/0/like: \"Not an id\" does not match"),
        ("copies = 0", "/card/0/copies: 0 is less than the minimum of 1"),
        ("alt_names = [1]", "/card/0/alt_names/0: 1 is not of type \"string\""),
        ("each.n = 3", "/card/0/each/n: 3 is not of types \"string\", \"array\""),
    ] {
        let text =
            if line.starts_with("kind") { card.replace("kind = \"advisor\"\n", &format!("{line}\n")) } else { format!("{card}{line}\n") };
        let wrong = said(&cards, &text);
        assert!(wrong.iter().any(|wrong| wrong.contains(wanted)), "{line}: {wrong:#?}");
    }
    // Of no wrong file it is said that nothing fits, without what.
    let errors = root().join("tests/errors");
    let of_game = schema(&errors.join("game"), "toy", &[], SchemaKind::Card);
    let mut count = 0;
    for path in
        fs::read_dir(&errors).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.extension().is_some_and(|ext| ext == "toml"))
    {
        let Some(file) = read(&path) else { continue };
        for wrong in of_game.iter_errors(&file) {
            count += 1;
            assert!(!wrong.to_string().contains("under any of the"), "{}: {wrong}", path.display());
        }
    }
    assert!(count > 20, "{count}");
}

/// `houserule schema`, as docs/editors.md types it.
#[test]
fn the_command_prints_the_schema_of_each_sort_of_file() {
    let printed = |args: &str| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_houserule"));
        let done = program.arg("schema").args(args.split(' ')).current_dir(root()).output().unwrap();
        assert!(done.status.success(), "{args}: {}", String::from_utf8_lossy(&done.stderr));
        serde_json::from_slice::<Value>(&done.stdout).unwrap()
    };
    let of = |args: &str| jsonschema::validator_for(&printed(args)).unwrap();
    for args in ["nations --pack packs/dynasties", "near", "nations --for scenario", "nations --for pack"] {
        let size = serde_json::to_string_pretty(&printed(args)).unwrap().len();
        assert!(size < 300_000, "the schema {args} has {size} bytes, which editors read anew for every file");
    }
    let manifest = read(&root().join("packs/dynasties/pack.toml")).unwrap();
    assert!(of("nations --for pack").is_valid(&manifest) && !of("nations").is_valid(&manifest));
    let cards = read(&root().join("packs/dynasties/cards/dynasties.toml")).unwrap();
    assert!(of("nations --pack packs/dynasties").is_valid(&cards) && !of("nations").is_valid(&cards), "a pack's names are known with it");
    let scenarios = read(&root().join("tests/scenarios/rulebook.toml")).unwrap();
    assert!(of("nations --for scenario").is_valid(&scenarios) && !of("nations").is_valid(&scenarios));
}
