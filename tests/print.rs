//! `houserule print`: what is said about sheets and layouts, and the page of all cards. What is on the sheets, tests/outside/test_paper.py reads.

use crate::support::{Folder, folder, manifest, root, run_in};

/// A small game, whose sheets tests/outside/test_paper.py reads.
const RULES: &str = include_str!("outside/wisps.rules");
const CARDS: &str = include_str!("outside/wisps.toml");

/// A folder with the game, in which commands run.
fn wisps() -> Folder {
    folder(&[("rules/wisps.rules", RULES), ("cards/wisps/all.toml", CARDS)])
}

/// Prints the game with these arguments, and gives back what was said.
#[track_caller]
fn printed(folder: &Folder, more: &str) -> String {
    let said = folder.run(&format!("print wisps --out a.pdf {more}")).ends(0).quietly().out;
    assert!(pdf(folder).starts_with(b"%PDF-"));
    said
}

fn pdf(folder: &Folder) -> Vec<u8> {
    std::fs::read(folder.at("a.pdf")).unwrap()
}

#[test]
fn the_same_cards_are_the_same_bytes() {
    let folder = wisps();
    printed(&folder, "");
    let first = pdf(&folder);
    printed(&folder, "");
    assert_eq!(pdf(&folder), first);
    folder.run("print wisps --json -").ends(0).prints(&["\"spark 2\""]);
}

#[test]
fn a_box_can_have_the_room_of_another_without_a_text() {
    let folder = wisps();
    let layout = "basis = \"nothing\"\n[card]\nsize = \"40 x 30\"\n[card.boxes.a]\nplace = [2, 2, 36, 4]\nshow = [\"{name}\", \"{kind}\"]\njoin = \", \"\n\
                  [card.boxes.b]\nplace = [2, 8, 36, 4]\nshow = \"{glow} of {old}\"\n[card.boxes.t]\nplace = [2, 23, 36, 5]\nshow = \"{text}\"\n\
                  [card.boxes.c]\ntakes = \"t\"\nplace = [2, 14, 36, 4]\nshow = \"{figures}\"\n";
    folder.write("print/wisps.toml", layout);
    folder.run("print wisps --cards marsh_wisp --out a.pdf").ends(0).says(&["more in box `c` than fits"]);
    folder.write("cards/wisps/all.toml", &CARDS.replace("text = \"Glows over the marsh.\"\n", ""));
    folder.run("print wisps --cards marsh_wisp --out a.pdf").ends(0).quietly();
}

#[test]
fn keys_and_files_that_do_nothing_are_told() {
    let folder = wisps();
    let layout = "[card.boxes.frame]\nplace = [1, 1, 5, 5]\nline = 1\nfont = 9\nsymbol_color = \"#000000\"\n\
                  [kind.wisp.boxes.title]\nshow = \"{mass}\"\ntakes = \"txet\"\n[shapes]\nfar = \"M 0 0 L 300 0 L 0 50 Z\"\n";
    folder.write("l.toml", layout);
    folder.write("print/wispss.toml", "[card]\ncorner = 2\n");
    let laid_out = |status: i32| folder.run("print wisps --layout l.toml --out a.pdf").ends(status);
    laid_out(1).says(&[
        "keys of box `frame` that do nothing: `symbol_color`, `font`",
        "there is nothing called `mass` on these cards",
        "there is no box `txet`",
        "shape `far` reaches out of its square",
    ]);
    folder.run("check wisps").says(&["there is no game `wispss`", "print/wisps.toml"]);
    folder.write("l.toml", "basis = \"nothing\"\n");
    laid_out(0).says(&["a card is printed empty"]);
    // Letters of the layout are looked for, too, and a box without room for a line is told.
    folder.write("l.toml", "[card.boxes.title]\nshow = \"漢 {name}\"\n[card.boxes.text]\nplace = [5, 51, 53, \"0.5\"]\n");
    laid_out(0).says(&["lack letters that `marsh_wisp` has: `漢`", "`marsh_wisp` has more in box `text` than fits"]);
    // A layout that makes letters smaller need not know how small the default lets them become.
    folder.write("l.toml", "[card.boxes.title]\nfont = 6\n");
    laid_out(0).quietly();
}

#[test]
fn what_does_not_fit_is_told_with_card_and_box() {
    let folder = wisps();
    folder.write("l.toml", "[card.boxes.text]\nplace = [5, 51, 12, 6]\nfont = 9\nsmallest = 7\n");
    folder.write("cards/wisps/more.toml", "[[card]]\nid = \"far_wisp\"\nname = \"遠い\"\nkind = \"wisp\"\nglow = 1\ncost = {}\n");
    let ran = folder.run("print wisps --layout l.toml --out a.pdf").ends(0);
    assert_eq!(ran.out, "5 cards on 1 sheet\n");
    insta::assert_snapshot!("print_does_not_fit", ran.err);
}

#[test]
fn slips_in_layouts_are_told_with_a_way_out() {
    let folder = wisps();
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
    folder.write("l.toml", layout);
    let ran = folder.run("print wisps --layout l.toml --out a.pdf").ends(1);
    assert_eq!(ran.out, "");
    insta::assert_snapshot!("print_slips_1", ran.err);
    // What can be read is looked at as a whole.
    folder.write("l.toml", &layout.replace("corner = 2.5", "corner = \"2.5\""));
    insta::assert_snapshot!("print_slips_2", folder.run("print wisps --layout l.toml --out a.pdf").err);
    assert!(!folder.at("a.pdf").exists());
    // The layout of a game is looked at by `check`.
    folder.write("print/wisps.toml", "[card]\ncorners = 2\n");
    folder.run("check wisps").ends(1).says(&["did you mean `corner`?"]);
}

#[test]
fn arguments_that_do_nothing_are_refused() {
    let folder = wisps();
    for (more, way_out) in [
        ("", "add `--out FILE.pdf`"),
        ("--out a.pdf --cards marsh_wips", "did you mean `marsh_wisp`?"),
        ("--out a.pdf --cards 'glwo > 2'", "did you mean `glow`?"),
        ("--out a.pdf --cards 'glow > 20'", "holds for no card"),
        ("--out a.pdf --from run.json", "--gallery"),
        ("--out a.pdf --since print", "cannot read `print`"),
        ("--out a.png", "does not end with .pdf"),
        ("--out a.pdf --players 9", "2"),
        ("--gallery a.html --once", "--out"),
        ("--show-layout --cards wisp", "--cards"),
    ] {
        folder.run(&format!("print wisps {more}")).ends(2).says(&[way_out]);
    }
    folder.run("print wisps --out a.pdf --since .").ends(0);
    for file in ["a.pdf", "a.html", "a.png"] {
        assert!(!folder.at(file).exists(), "nothing is written if nothing has changed");
    }
}

#[test]
fn only_what_has_changed_is_printed() {
    let (older, newer) = (wisps(), wisps());
    let changed =
        CARDS.replace("copies = 3", "copies = 5").replace("glow = 7", "glow = 8") + "\n[[card]]\nid = \"new_wisp\"\nname = \"New Wisp\"\n";
    newer.write("cards/wisps/all.toml", &changed);
    older.run("print wisps --json printed.json");
    for since in ["", "printed.json"] {
        let said = printed(&newer, &format!("--since {}", older.name(since)));
        assert_eq!(said, "new: new_wisp\nchanged: wall_wisp\nmore of: marsh_wisp\n4 cards on 1 sheet\n");
    }
    let said = newer.run("print wisps --since . --out b.pdf").out;
    assert_eq!(said, "nothing is printed differently, so that no sheet is written\n");
    older.run(&format!("print wisps --since {} --out b.pdf", newer.name(""))).prints(&["gone: new_wisp\n"]);
    older.run("print wisps --since printed.json --lang fr --out b.pdf").ends(2).says(&["language `fr`"]);
}

#[test]
fn a_card_shows_what_the_rules_say_where_it_says_nothing_itself() {
    let wood = |worth: u32| {
        let rules = format!(
            "game wood \"Wood\"\nplayers 2\ntable {{ deck pile of leaf }}\nplayer {{ place hand of leaf: 5 }}\n\
             kind leaf {{ slot hand; worthy: number = {worth}; maybe thorns: number }}\n\
             setup {{ each player {{ draw 1 from pile to hand }} }}\nrounds 1 of day\nphase day {{ }}\nscore {{ \"n\" = sum card.worthy of my hand }}\n"
        );
        let cards = "[[card]]\nid = \"plain\"\nkind = \"leaf\"\ncopies = 4\n[[card]]\nid = \"grand\"\nkind = \"leaf\"\nworthy = 5\n";
        folder(&[("rules/wood.rules", &rules), ("cards/wood/all.toml", cards)])
    };
    let (older, newer) = (wood(3), wood(4));
    older.run("print wood --json printed.json");
    let shown = older.json("printed.json");
    let values = |card: usize| -> Vec<String> {
        let figures = shown["cards"][card]["figures"].as_array().unwrap();
        figures
            .iter()
            .map(|figure| format!("{} {}", figure["field"].as_str().unwrap(), figure["value"][0]["text"].as_str().unwrap()))
            .collect()
    };
    assert_eq!([values(0), values(1)], [["worthy 3"], ["worthy 5"]]);
    let said = newer.run(&format!("print wood --since {} --out a.pdf", older.name(""))).out;
    assert!(said.starts_with("changed: plain\n"), "{said}");
}

#[test]
fn an_older_folder_of_a_pack_takes_the_place_of_the_newer_one() {
    let folder = wisps();
    for (name, glow) in [("old", 3), ("new", 4)] {
        folder.write(&format!("{name}/pack.toml"), &manifest("more", "wisps"));
        let card = format!("[[card]]\nid = \"pack_wisp\"\nname = \"Pack Wisp\"\nkind = \"wisp\"\nglow = {glow}\ncost = {{}}\n");
        folder.write(&format!("{name}/cards/a.toml"), &card);
    }
    folder.write("new/print.toml", "[card]\nsize = \"50 x 50\"\n");
    // The layout of a pack is used.
    folder.run("print wisps --pack new --since old --out a.pdf").ends(1).says(&["reaches over the edge"]);
    folder.remove("new/print.toml");
    assert_eq!(printed(&folder, "--pack new --since old"), "changed: pack_wisp\n1 card on 1 sheet\n");
    folder.run("print wisps --since old --out a.pdf").ends(2).says(&["name its newer folder with `--pack`"]);
}

#[test]
fn a_page_has_a_card_each_and_no_name_becomes_html() {
    let folder = wisps();
    let hostile = "<script>alert(1)</script>\\\" & {title}";
    let card = format!(
        "[[card]]\nid = \"bad_wisp\"\nname = \"{hostile}\"\ntext = \"{hostile}\"\nkind = \"wisp\"\nglow = 1\ncost = {{}}\n\n\
         [[card.test]]\nname = \"<b>\"\ngiven = \"put bad_wisp in p1.den\"\nthen = \"bad_wisp in p1.den\"\n"
    );
    folder.write("cards/wisps/bad.toml", &card);
    folder.write(
        "tests/a.toml",
        "game = \"wisps\"\n[[scenario]]\nname = \"a wisp\"\ngiven = \"put marsh_wisp in p1.den\"\nthen = \"marsh_wisp in p1.den\"\n",
    );
    let run_of = "{\"result\":{\"game\":\"wisps\",\"games\":9,\"players\":2,\"seed\":1,\"cards\":[{\"card\":\"marsh_wisp\",\"action\":\"<i>\",\
                  \"taken\":{\"count\":1,\"of\":4,\"share\":0.25,\"interval\":[0,1]},\"times\":1,\"games\":1,\"won\":{\"count\":1,\"of\":2,\
                  \"share\":0.5,\"interval\":[0,1]}}]},\"card_effects\":{\"cards\":[{\"card\":\"marsh_wisp\",\"points\":{\"games\":8,\
                  \"difference\":1.5,\"interval\":[0.5,2.5]},\"wins\":null}]}}";
    folder.write("run.json", run_of);
    let ran = folder.run("print wisps --gallery a.html --from run.json").ends(0).quietly();
    assert_eq!(ran.out, "a page of 3 cards\n");
    let page = folder.read("a.html");
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
    folder.run("print wisps --gallery b.html --from cards/wisps/bad.toml").ends(2).says(&["playtest --json"]);
}

#[test]
fn layouts_of_shipped_games_mention_only_what_is_on_their_cards() {
    let folder = folder(&[]);
    let out = folder.name("a.pdf");
    for line in ["nations", "nations --lang fr", "nations --pack packs/dynasties", "nations-dice", "near"] {
        run_in(root(), &format!("print {line} --once --out {out}")).ends(0).quietly().prints(&["cards"]);
    }
    // Cards that the game takes out of the box belong to it with every option.
    let ran = run_in(root(), &format!("print nations --option set=base --cards start_temple --once --out {out}"));
    assert_eq!(ran.out, "1 card on 1 sheet\n");
    // What is shown is what is read.
    assert_eq!(run_in(root(), "print nations --show-layout").out, houserule::print::default_layout_text());
}
