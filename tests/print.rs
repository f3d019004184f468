//! `houserule print`: what is said about sheets and layouts, and the page of all cards. What is on the sheets, tests/outside/test_paper.py reads.

use crate::support::root;
use std::path::Path;
use std::process::Command;

/// A small game, whose sheets tests/outside/test_paper.py reads.
const RULES: &str = include_str!("outside/wisps.rules");
const CARDS: &str = include_str!("outside/wisps.toml");

/// A folder with the game, in which commands run.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "rules/wisps.rules", RULES);
    write(folder.path(), "cards/wisps/all.toml", CARDS);
    folder
}

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn run(folder: &Path, args: &[&str]) -> (Option<i32>, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_houserule")).args(args).current_dir(folder).output().unwrap();
    (done.status.code(), String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap())
}

/// Prints the game with these arguments, and gives back what was said.
#[track_caller]
fn printed(folder: &Path, args: &[&str]) -> String {
    let (status, said, faults) = run(folder, &[&["print", "wisps", "--out", "a.pdf"], args].concat());
    assert_eq!((status, faults.as_str()), (Some(0), ""), "{said}");
    assert!(std::fs::read(folder.join("a.pdf")).unwrap().starts_with(b"%PDF-"));
    said
}

#[test]
fn the_same_cards_are_the_same_bytes() {
    let folder = folder();
    printed(folder.path(), &[]);
    let first = std::fs::read(folder.path().join("a.pdf")).unwrap();
    printed(folder.path(), &[]);
    assert_eq!(std::fs::read(folder.path().join("a.pdf")).unwrap(), first);
    let (status, said, _) = run(folder.path(), &["print", "wisps", "--json", "-"]);
    assert!(status == Some(0) && said.contains("\"spark 2\""), "{said}");
}

#[test]
fn a_box_can_have_the_room_of_another_without_a_text() {
    let folder = folder();
    let layout = "basis = \"nothing\"\n[card]\nsize = \"40 x 30\"\n[card.boxes.a]\nplace = [2, 2, 36, 4]\nshow = [\"{name}\", \"{kind}\"]\njoin = \", \"\n\
                  [card.boxes.b]\nplace = [2, 8, 36, 4]\nshow = \"{glow} of {old}\"\n[card.boxes.t]\nplace = [2, 23, 36, 5]\nshow = \"{text}\"\n\
                  [card.boxes.c]\ntakes = \"t\"\nplace = [2, 14, 36, 4]\nshow = \"{figures}\"\n";
    write(folder.path(), "print/wisps.toml", layout);
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--cards", "marsh_wisp", "--out", "a.pdf"]);
    assert!(status == Some(0) && told.contains("more in box `c` than fits"), "{told}");
    write(folder.path(), "cards/wisps/all.toml", &CARDS.replace("text = \"Glows over the marsh.\"\n", ""));
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--cards", "marsh_wisp", "--out", "a.pdf"]);
    assert_eq!((status, told.as_str()), (Some(0), ""));
}

#[test]
fn keys_and_files_that_do_nothing_are_told() {
    let folder = folder();
    let layout = "[card.boxes.frame]\nplace = [1, 1, 5, 5]\nline = 1\nfont = 9\nsymbol_color = \"#000000\"\n\
                  [kind.wisp.boxes.title]\nshow = \"{mass}\"\ntakes = \"txet\"\n[shapes]\nfar = \"M 0 0 L 300 0 L 0 50 Z\"\n";
    write(folder.path(), "l.toml", layout);
    write(folder.path(), "print/wispss.toml", "[card]\ncorner = 2\n");
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--layout", "l.toml", "--out", "a.pdf"]);
    assert_eq!(status, Some(1), "{told}");
    for said in [
        "keys of box `frame` that do nothing: `symbol_color`, `font`",
        "there is nothing called `mass` on these cards",
        "there is no box `txet`",
        "shape `far` reaches out of its square",
    ] {
        assert!(told.contains(said), "{said}: {told}");
    }
    let (_, _, told) = run(folder.path(), &["check", "wisps"]);
    assert!(told.contains("there is no game `wispss`") && told.contains("print/wisps.toml"), "{told}");
    let empty = "basis = \"nothing\"\n";
    write(folder.path(), "l.toml", empty);
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--layout", "l.toml", "--out", "a.pdf"]);
    assert!(status == Some(0) && told.contains("a card is printed empty"), "{told}");
    // Letters of the layout are looked for, too, and a box without room for a line is told.
    write(folder.path(), "l.toml", "[card.boxes.title]\nshow = \"漢 {name}\"\n[card.boxes.text]\nplace = [5, 51, 53, \"0.5\"]\n");
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--layout", "l.toml", "--out", "a.pdf"]);
    assert!(status == Some(0) && told.contains("lack letters that `marsh_wisp` has: `漢`"), "{told}");
    assert!(told.contains("`marsh_wisp` has more in box `text` than fits"), "{told}");
    // A layout that makes letters smaller need not know how small the default lets them become.
    write(folder.path(), "l.toml", "[card.boxes.title]\nfont = 6\n");
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--layout", "l.toml", "--out", "a.pdf"]);
    assert_eq!((status, told.as_str()), (Some(0), ""));
}

#[test]
fn what_does_not_fit_is_told_with_card_and_box() {
    let folder = folder();
    write(folder.path(), "l.toml", "[card.boxes.text]\nplace = [5, 51, 12, 6]\nfont = 9\nsmallest = 7\n");
    write(folder.path(), "cards/wisps/more.toml", "[[card]]\nid = \"far_wisp\"\nname = \"遠い\"\nkind = \"wisp\"\nglow = 1\ncost = {}\n");
    let (status, said, told) = run(folder.path(), &["print", "wisps", "--layout", "l.toml", "--out", "a.pdf"]);
    assert_eq!((status, said.as_str()), (Some(0), "5 cards on 1 sheet\n"));
    insta::assert_snapshot!("print_does_not_fit", told);
}

#[test]
fn slips_in_layouts_are_told_with_a_way_out() {
    let folder = folder();
    let layout = r##"bassis = "nothing"

[sheet]
size = "a44"
margin = 2
marks = true
borders = 1

[card]
size = "630 x 88"
corner = 2.5

[card.boxes.title]
show = "{nmae}"

[card.boxes.text]
place = [5, 51, 600, 90]
show = ["{text", "}"]
font = 5
smallest = 8
aling = "left"

[card.boxes.mine]
show = "{glow}"

[card.boxes.empty]
place = [1, 1, 2, 2]

[kind.wips]
line = 1

[icons]
sparks = "discs"
spark = 3

[shapes]
mine = "M 0 zero"
"##;
    write(folder.path(), "l.toml", layout);
    let (status, said, told) = run(folder.path(), &["print", "wisps", "--layout", "l.toml", "--out", "a.pdf"]);
    assert_eq!((status, said.as_str()), (Some(1), ""));
    insta::assert_snapshot!("print_slips_1", told);
    // What can be read is looked at as a whole.
    write(folder.path(), "l.toml", &layout.replace("corner = 2.5", "corner = \"2.5\""));
    let (_, _, told) = run(folder.path(), &["print", "wisps", "--layout", "l.toml", "--out", "a.pdf"]);
    insta::assert_snapshot!("print_slips_2", told);
    assert!(!folder.path().join("a.pdf").exists());
    // The layout of a game is looked at by `check`.
    write(folder.path(), "print/wisps.toml", "[card]\ncorners = 2\n");
    let (status, _, told) = run(folder.path(), &["check", "wisps"]);
    assert_eq!((status, told.contains("did you mean `corner`?")), (Some(1), true), "{told}");
}

#[test]
fn arguments_that_do_nothing_are_refused() {
    let folder = folder();
    for (args, way_out) in [
        (&[][..], "add `--out FILE.pdf`"),
        (&["--out", "a.pdf", "--cards", "marsh_wips"], "did you mean `marsh_wisp`?"),
        (&["--out", "a.pdf", "--cards", "glwo > 2"], "did you mean `glow`?"),
        (&["--out", "a.pdf", "--cards", "glow > 20"], "holds for no card"),
        (&["--out", "a.pdf", "--from", "run.json"], "--gallery"),
        (&["--out", "a.pdf", "--since", "print"], "cannot read `print`"),
        (&["--out", "a.pdf", "--since", "."], ""),
        (&["--out", "a.png"], "does not end with .pdf"),
        (&["--out", "a.pdf", "--players", "9"], "2"),
        (&["--gallery", "a.html", "--once"], "--out"),
        (&["--show-layout", "--cards", "wisp"], "--cards"),
    ] {
        let (status, said, told) = run(folder.path(), &[&["print", "wisps"], args].concat());
        let expected = if way_out.is_empty() { Some(0) } else { Some(2) };
        assert!(status == expected && told.contains(way_out), "{args:?}: {said}{told}");
    }
    for file in ["a.pdf", "a.html", "a.png"] {
        assert!(!folder.path().join(file).exists(), "nothing is written if nothing has changed");
    }
}

#[test]
fn only_what_has_changed_is_printed() {
    let (older, newer) = (folder(), folder());
    let changed =
        CARDS.replace("copies = 3", "copies = 5").replace("glow = 7", "glow = 8") + "\n[[card]]\nid = \"new_wisp\"\nname = \"New Wisp\"\n";
    write(newer.path(), "cards/wisps/all.toml", &changed);
    run(older.path(), &["print", "wisps", "--json", "printed.json"]);
    let folder_of = older.path().display().to_string();
    let file = older.path().join("printed.json").display().to_string();
    for since in [folder_of, file] {
        let said = printed(newer.path(), &["--since", &since]);
        assert_eq!(said, "new: new_wisp\nchanged: wall_wisp\nmore of: marsh_wisp\n4 cards on 1 sheet\n");
    }
    let (_, said, _) = run(newer.path(), &["print", "wisps", "--since", ".", "--out", "b.pdf"]);
    assert_eq!(said, "nothing is printed differently, so that no sheet is written\n");
    let (_, said, _) = run(older.path(), &["print", "wisps", "--since", &newer.path().display().to_string(), "--out", "b.pdf"]);
    assert!(said.contains("gone: new_wisp\n"), "{said}");
    let (status, _, told) = run(older.path(), &["print", "wisps", "--since", "printed.json", "--lang", "fr", "--out", "b.pdf"]);
    assert!(status == Some(2) && told.contains("language `fr`"), "{told}");
}

#[test]
fn a_card_shows_what_the_rules_say_where_it_says_nothing_itself() {
    let wood = |worth: u32| {
        let folder = tempfile::tempdir().unwrap();
        let rules = format!(
            "game wood \"Wood\"\nplayers 2\ntable {{ deck pile of leaf }}\nplayer {{ place hand of leaf: 5 }}\n\
             kind leaf {{ slot hand; worthy: number = {worth}; maybe thorns: number }}\n\
             setup {{ each player {{ draw 1 from pile to hand }} }}\nrounds 1 of day\nphase day {{ }}\nscore {{ \"n\" = sum card.worthy of my hand }}\n"
        );
        write(folder.path(), "rules/wood.rules", &rules);
        let cards = "[[card]]\nid = \"plain\"\nkind = \"leaf\"\ncopies = 4\n[[card]]\nid = \"grand\"\nkind = \"leaf\"\nworthy = 5\n";
        write(folder.path(), "cards/wood/all.toml", cards);
        folder
    };
    let (older, newer) = (wood(3), wood(4));
    run(older.path(), &["print", "wood", "--json", "printed.json"]);
    let shown: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(older.path().join("printed.json")).unwrap()).unwrap();
    let values = |card: usize| -> Vec<String> {
        let figures = shown["cards"][card]["figures"].as_array().unwrap();
        figures
            .iter()
            .map(|figure| format!("{} {}", figure["field"].as_str().unwrap(), figure["value"][0]["text"].as_str().unwrap()))
            .collect()
    };
    assert_eq!([values(0), values(1)], [["worthy 3"], ["worthy 5"]]);
    let (_, said, _) = run(newer.path(), &["print", "wood", "--since", &older.path().display().to_string(), "--out", "a.pdf"]);
    assert!(said.starts_with("changed: plain\n"), "{said}");
}

#[test]
fn an_older_folder_of_a_pack_takes_the_place_of_the_newer_one() {
    let folder = folder();
    for (name, glow) in [("old", 3), ("new", 4)] {
        write(folder.path(), &format!("{name}/pack.toml"), "name = \"more\"\nversion = \"1\"\nlanguage = 1\nextends = \"wisps\"\n");
        let card = format!("[[card]]\nid = \"pack_wisp\"\nname = \"Pack Wisp\"\nkind = \"wisp\"\nglow = {glow}\ncost = {{}}\n");
        write(folder.path(), &format!("{name}/cards/a.toml"), &card);
    }
    write(folder.path(), "new/print.toml", "[card]\nsize = \"50 x 50\"\n");
    let wrong = run(folder.path(), &["print", "wisps", "--pack", "new", "--since", "old", "--out", "a.pdf"]);
    assert!(wrong.0 == Some(1) && wrong.2.contains("reaches over the edge"), "the layout of a pack is used: {}", wrong.2);
    std::fs::remove_file(folder.path().join("new/print.toml")).unwrap();
    let said = printed(folder.path(), &["--pack", "new", "--since", "old"]);
    assert_eq!(said, "changed: pack_wisp\n1 card on 1 sheet\n");
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--since", "old", "--out", "a.pdf"]);
    assert!(status == Some(2) && told.contains("name its newer folder with `--pack`"), "{told}");
}

#[test]
fn a_page_has_a_card_each_and_no_name_becomes_html() {
    let folder = folder();
    let hostile = "<script>alert(1)</script>\\\" & {title}";
    let card = format!(
        "[[card]]\nid = \"bad_wisp\"\nname = \"{hostile}\"\ntext = \"{hostile}\"\nkind = \"wisp\"\nglow = 1\ncost = {{}}\n\n\
         [[card.test]]\nname = \"<b>\"\ngiven = \"put bad_wisp in p1.den\"\nthen = \"bad_wisp in p1.den\"\n"
    );
    write(folder.path(), "cards/wisps/bad.toml", &card);
    write(
        folder.path(),
        "tests/a.toml",
        "game = \"wisps\"\n[[scenario]]\nname = \"a wisp\"\ngiven = \"put marsh_wisp in p1.den\"\nthen = \"marsh_wisp in p1.den\"\n",
    );
    let run_of = "{\"result\":{\"game\":\"wisps\",\"games\":9,\"players\":2,\"seed\":1,\"cards\":[{\"card\":\"marsh_wisp\",\"action\":\"<i>\",\
                  \"taken\":{\"count\":1,\"of\":4,\"share\":0.25,\"interval\":[0,1]},\"times\":1,\"games\":1,\"won\":{\"count\":1,\"of\":2,\
                  \"share\":0.5,\"interval\":[0,1]}}]},\"card_effects\":{\"cards\":[{\"card\":\"marsh_wisp\",\"points\":{\"games\":8,\
                  \"difference\":1.5,\"interval\":[0.5,2.5]},\"wins\":null}]}}";
    write(folder.path(), "run.json", run_of);
    let (status, said, told) = run(folder.path(), &["print", "wisps", "--gallery", "a.html", "--from", "run.json"]);
    assert_eq!((status, said.as_str(), told.as_str()), (Some(0), "a page of 3 cards\n", ""));
    let page = std::fs::read_to_string(folder.path().join("a.html")).unwrap();
    for words in [
        "content=\"default-src 'none'; style-src 'unsafe-inline'\"",
        "<h1>Wisps &amp; Walls: 3 cards</h1>",
        "&lt;script&gt;alert(1)&lt;/script&gt;&quot; &amp; {title}",
        "1 test names it",
        "a wisp, tests/a.toml:2",
        "no test names it",
        "once, by 25% of those who could",
        "+1.50 (+0.50 to +2.50) in 8 games",
        "In playtests: 9 games of 2 players, seed 1.",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    for harm in ["<script", "<b>", "<i>", "http:", "https:", " src=", "url(", "onclick"] {
        assert!(!page.contains(harm), "{harm}");
    }
    let (status, _, told) = run(folder.path(), &["print", "wisps", "--gallery", "b.html", "--from", "cards/wisps/bad.toml"]);
    assert!(status == Some(2) && told.contains("playtest --json"), "{told}");
}

#[test]
fn layouts_of_shipped_games_mention_only_what_is_on_their_cards() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("a.pdf").display().to_string();
    let dynasties = ["--pack", "packs/dynasties"];
    for (game, more) in
        [("nations", &[][..]), ("nations", &["--lang", "fr"]), ("nations", &dynasties), ("nations-dice", &[]), ("near", &[])]
    {
        let (status, said, told) = run(root(), &[&["print", game, "--once", "--out", &out], more].concat());
        assert_eq!((status, told.as_str()), (Some(0), ""), "{game} {more:?}");
        assert!(said.contains("cards"), "{game}: {said}");
    }
    // Cards that the game takes out of the box belong to it with every option.
    let (_, said, _) = run(root(), &["print", "nations", "--option", "set=base", "--cards", "start_temple", "--once", "--out", &out]);
    assert_eq!(said, "1 card on 1 sheet\n");
    // What is shown is what is read.
    let (_, said, _) = run(root(), &["print", "nations", "--show-layout"]);
    assert_eq!(said, houserule::print::default_layout_text());
}
