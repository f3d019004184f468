//! Lines that once did nothing, half of what they said, or something else, without a word.

use super::*;

fn expect_pass_in(folder: &tempfile::TempDir, head: &str, table: &[(&str, &str, &str)]) {
    for (case, scenario) in run_in(folder, head, table).iter().zip(table) {
        assert!(case.passed, "{scenario:?}\n{}", case.message);
    }
}

fn expect_failures_in(folder: &tempfile::TempDir, head: &str, table: &[(&str, &str, &str, &str)]) {
    let plain: Vec<_> = table.iter().map(|t| (t.0, t.1, t.2)).collect();
    for (case, scenario) in run_in(folder, head, &plain).iter().zip(table) {
        assert!(!case.passed && case.message.contains(scenario.3), "{scenario:?}\n{}", case.message);
    }
}

#[test]
fn a_deck_that_is_emptied_is_empty() {
    expect_all_pass(&[
        ("empty pile", "", "count pile == 0; bear is removed; count yard == 4"),
        ("empty pile[2]", "", "bear is removed; count pile == 1"),
        ("empty pile; put bear in pile", "", "count pile == 1; not bear is removed"),
        ("empty fogs; put drizzle in fogs", "", "count fogs == 1"),
    ]);
    expect_failures(&[
        ("empty pile[3]", "", "round > 0", "they go from `pile[1]` to `pile[2]`"),
        ("empty yard[1]", "", "round > 0", "`yard` is not a deck, so it has no number"),
    ]);
}

#[test]
fn a_card_that_finds_no_space_pushes_no_other_out() {
    let full = "p1 has wolf; p1 has owl";
    expect_all_pass(&[
        (&format!("{full}; put hare in p1.den over wolf"), "", "owl in p1.den; hare in p1.den; not wolf in p1.den"),
        (
            "put toad in yard; put newt in yard; put owl in yard; put hare in yard",
            "",
            "toad in yard; newt in yard; owl in yard; hare in yard",
        ),
    ]);
    expect_failures(&[
        (&format!("{full}; p1 has hare"), "", "round > 0", "no space is left for `hare` in `p1.den`"),
        (&format!("{full}; p1 has hare"), "", "round > 0", "to replace one of them write `put hare in p1.den over "),
        (&format!("{full}; put hare in p1.den"), "", "round > 0", "in it: wolf, owl"),
        (&format!("{full}; put hare in p1.den over toad"), "", "round > 0", "`toad` is not in `p1.den`"),
        ("put hare in yard row 1 column 1 over owl", "", "round > 0", "into a row and column, or over a card, not both"),
        ("put owl in yard row 2 column 2; put hare in yard row 2 column 2", "", "round > 0", "a line above has put `owl` there"),
        ("p1 has wolf; empty p1.den", "", "round > 0", "a line above has put `wolf` there, and this takes it away"),
    ]);
}

#[test]
fn what_a_line_has_set_reads_so_in_the_end() {
    expect_all_pass(&[
        ("put wolf in p1.den with 1 moss; p1.idle = 1", "", "p1.idle == 1; wolf.moss == 1"),
        // What is missing in hand is new.
        ("put wolf in p1.den with 6 moss", "", "p1.idle == 0; wolf.moss == 6"),
        ("p1.howl = 4; put wolf in p1.den with 1 moss", "", "p1.howl == 4"),
    ]);
    let taken = "a line above has set `p1.idle` to 1, and this line makes it 0";
    expect_failures(&[
        ("p1.idle = 1; put wolf in p1.den with 1 moss", "", "round > 0", taken),
        ("p1.idle = 1; put wolf in p1.den with 1 moss", "", "round > 0", "write the line with `p1.idle = …` below this one"),
    ]);
}

#[test]
fn a_set_of_words_can_be_given() {
    expect_all_pass(&[
        ("p1.short = dust", "", "dust in p1.short; not wisp in p1.short; not dust in p2.short"),
        ("p1.short = wisp, dust", "", "dust in p1.short; wisp in p1.short"),
        ("p1.short = nothing", "", "not dust in p1.short"),
    ]);
    expect_failures(&[
        ("p1.short = dsut", "", "round > 0", "did you mean `dust`?"),
        ("p1.short = 2 dust, wisp", "", "round > 0", "a word is in it or not"),
        ("short = dust", "", "round > 0", "write `p1.short`"),
        ("p9.short = dust", "", "round > 0", "there is no player 9"),
    ]);
}

#[test]
fn the_log_may_lack_a_line() {
    expect_all_pass(&[("", "p1: seek; p1: choose wisp x2", "log has \"p1 gains\"; not log has \"p2 gains\"")]);
    expect_failures(&[("", "p1: seek; p1: choose wisp x2", "not log has \"p1 gains\"", "a line of the log is `p1 gains")]);
}

#[test]
fn all_lines_of_then_speak_of_one_moment() {
    let last = "p1: leave; p2: leave; p3: leave; p1: choose sleep; p2: choose sleep; p3: choose sleep";
    // Dew is 2 in the rounds without a cloud, and 4 with one; where `when` ends the dusk is not over.
    expect_all_pass(&[
        ("round 1; cloud drizzle; dew = 9", last, "dew == 9"),
        ("round 1; cloud drizzle; dew = 9", last, "dew == 4; p1 is offered seek"),
        ("round 1; cloud drizzle; dew = 9", last, "dew == 4; p1 can seek"),
        ("round 1; cloud drizzle; dew = 9", last, "dew == 4; not game is over"),
    ]);
    expect_failures(&[
        ("round 1; cloud drizzle; dew = 9", last, "dew == 9; p1 is offered seek", "it held where `when` ended"),
        ("round 1; cloud drizzle; dew = 9", last, "dew == 9; not game is over", "are about the question that comes next"),
    ]);
}

#[test]
fn running_to_a_question_leaves_it_open() {
    expect_all_pass(&[
        ("", "p1: seek; run to next decision", "p1.wisp gained 0; p1.dust gained 0 # asked, and not answered"),
        ("", "run dark; run to next decision", "p1.wisp gained 0; p1.dust gained 0"),
    ]);
    expect_failures(&[("", "p1: seek", "round > 0", "let `run to next decision` be the last line if it is to stay open")]);
}

#[test]
fn what_was_taken_unasked_is_told() {
    let told = "taken unasked before, since there was no other answer: `p1: choose dust`";
    expect_failures(&[
        ("p1.dust = 0", "p1: seek; p1: choose fog", "round > 0", told),
        ("p1.dust = 0", "p1: seek; p2: seek", "round > 0", told),
        ("p1.dust = 0", "p1: seek; p2: seek", "round > 0", "p1 is asked, not p2"),
    ]);
}

#[test]
fn an_answer_may_be_written_with_choose_or_without() {
    let with = [("", "p1: seek; p1: dust, wisp; p2: seek; p2: wisp x2", "p1.dust gained 1; p2.wisp gained 2; p3 is offered seek")];
    expect_all_pass(&with);
    expect_all_pass(&[
        ("", "run dark; p1: sleep; p2: choose watch; p3: sleep", "p1.wisp gained 1; p2.dust gained 1"),
        ("", "p1: seek", "p1 is offered wisp; p1 is offered choose wisp"),
        ("p1.dust = 0", "p1: seek; p1: dust; p1: wisp", "p1.wisp == 1; p1.dust gained 1"),
    ]);
    // An action is no such answer.
    expect_failures(&[("", "p1: choose seek", "round > 0", "`choose seek` cannot be answered now")]);
}

#[test]
fn where_a_card_is_that_is_not_removed() {
    expect_failures(&[
        ("", "", "bear is removed", "it is in the deck `pile[2]`"),
        ("", "", "bear is removed", "`is removed` means out of the game: not in a deck, in a place or in the box"),
        ("", "", "drizzle is removed", "it is in the deck `fogs`"),
    ]);
}

/// Two cards and a deck that is shuffled before each draw.
const TWINS: &str = r#"
game twins "Twins"
players 2
table { deck pile of beast; place row of beast: 5, room 5; counter looked }
player { each round { flag gone } }
kind beast { slot row }
hearing row
rounds 9 of day
phase day {
  turns in order until all have gone
  action shake { does { shuffle cards in row into pile; draw from pile to row } }
  action look  { does { draw from pile to row; looked += 1; shuffle cards in row into pile } }
  action leave { does { gone = yes } }
}
score { "cards" = looked }
wins highest score
"#;

#[test]
fn the_next_draw_outlasts_a_shuffle() {
    let card = |id: &str| format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"beast\"\n");
    let cards: String = ["owl", "hare", "wolf", "toad", "newt"].map(card).concat();
    let folder = folder_of(&[("rules/twins.rules", TWINS), ("cards/twins/all.toml", &cards)]);
    let head = "game = \"twins\"\nplayers = 2\n";
    for id in ["owl", "hare", "wolf", "toad", "newt"] {
        expect_pass_in(
            &folder,
            head,
            &[
                (&format!("next draw {id} from pile"), "p1: shake", &format!("{id} in row; count row == 1")),
                // Drawn, and back in the deck, on top of it by chance or not.
                (&format!("next draw {id} from pile"), "p1: look", "count row == 0; looked == 1"),
                (&format!("next draw {id} from pile"), &format!("p1: look; next draw {id} from pile; p2: shake"), &format!("{id} in row")),
            ],
        );
        expect_failures_in(
            &folder,
            head,
            &[(&format!("next draw {id} from pile"), "p1: leave", "looked == 0", "this card was never drawn")],
        );
    }
}

/// Steps one after the other, without turns.
const STEPS: &str = r#"
game steps "Steps"
players 2
table { counter backs, talks }
player { resource wisp; flag goes, gone }
rounds 1 of night
phase night {
  step back  { backs += 1 }
  step talk { each player chooses { "wait" { talks += 1 } "run on" { talks += 2 } } }
  step leave {
    all players secretly { player chooses { "go" { goes = yes } "stay" { } } }
    all players where goes { gone = yes }
    talks += 10
  }
  step last  { each player chooses { "well" { gain 1 wisp } "ill" { } } }
}
score { "wisps" = wisp }
wins highest score
"#;

#[test]
fn a_step_is_run_once_and_to_its_end() {
    let folder = folder_of(&[("rules/steps.rules", STEPS), ("cards/steps/all.toml", "")]);
    let head = "game = \"steps\"\nplayers = 2\n";
    expect_pass_in(
        &folder,
        head,
        &[
            ("", "run back; run to next decision", "backs == 1"),
            // What was answered in secret is carried out before anything else is run.
            (
                "",
                "run to next decision; p1: choose wait; p2: wait; p2: go; p1: stay; run last; p1: well; p2: ill",
                "p2.gone; not p1.gone; talks == 12",
            ),
            ("", "p1: run on; p2: choose run on", "talks == 4"),
        ],
    );
    expect_failures_in(&folder, head, &[("", "p1: wait; run last", "talks == 0", "a question is still open before this")]);
}

#[test]
fn a_game_that_is_cut_off_is_not_over() {
    let rules = r#"
game long "Long"
players 2
player { resource wisp; each round { flag gone } }
rounds of day until any players where wisp > 3
phase day { turns in order until all have gone; action wait { does { gone = yes } } }
score { "wisps" = wisp }
wins highest score
"#;
    let folder = folder_of(&[("rules/long.rules", rules), ("cards/long/all.toml", "")]);
    let head = "game = \"long\"\nplayers = 2\n";
    let end = "p1: wait; p2: wait";
    expect_pass_in(
        &folder,
        head,
        &[("round 1000", end, "not game is over"), ("round 1000; p1.wisp = 4", end, "game is over; winner is p1")],
    );
    expect_failures_in(
        &folder,
        head,
        &[
            ("round 1000", end, "game is over", "the game was cut off after 1000 rounds"),
            ("round 1000", end, "winner is p1, p2", "the game was cut off after 1000 rounds"),
        ],
    );
}

/// A game whose set-up deals a land to each player, which brings a beast and wisps; the rules write `force` only together with `at_war`.
const REALMS: &str = r#"
game realms "Realms"
players 2
table { deck lands of land; counter force; each round { flag at_war } }
player { resource wisp; place home of land; place yard of beast: 3, room 3; each round { flag gone } }
kind land { slot home; brings: cards; wisps: number }
kind beast { slot yard }
hearing home, yard
setup { each player { draw from lands to home; put home.brings in yard; gain home.wisps wisp } }
rounds 1 of day
phase day {
  turns in order until all have gone
  action fight { does { force = wisp; at_war = yes } }
  action leave { does { gone = yes } }
}
score { "wisps" = wisp }
wins highest score
"#;

fn realms_folder() -> tempfile::TempDir {
    let land = |id: &str, beast: &str, wisps: usize| {
        format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"land\"\nbrings = [\"{beast}\"]\nwisps = {wisps}\n")
    };
    let beast = |id: &str| format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"beast\"\n");
    let cards = [land("hill", "owl", 1), land("moor", "hare", 2), land("fen", "toad", 3), beast("owl"), beast("hare"), beast("toad")];
    folder_of(&[("rules/realms.rules", REALMS), ("cards/realms/all.toml", &cards.concat())])
}

#[test]
fn a_player_has_the_board_with_all_that_set_up_gives_for_it() {
    let folder = realms_folder();
    for (land, beast, wisps) in [("hill", "owl", 1), ("moor", "hare", 2), ("fen", "toad", 3)] {
        let then = format!("{land} in p1.home; {beast} in p1.yard; count p1.yard == 1; p1.wisp == {wisps}; count p2.yard == 1");
        expect_pass_in(&folder, "game = \"realms\"\nplayers = 2\n", &[(&format!("p1 has {land}"), "", &then)]);
    }
    expect_pass_in(
        &folder,
        "game = \"realms\"\nplayers = 2\n",
        &[("p1 has fen; p2 has hill; p1.wisp = 7", "", "toad in p1.yard; owl in p2.yard; p1.wisp == 7; p2.wisp == 1")],
    );
}

#[test]
fn a_number_without_the_flag_that_the_rules_set_with_it_is_told() {
    let folder = realms_folder();
    let told = |given: &str| {
        let text = format!("game = \"realms\"\nplayers = 2\n[[scenario]]\nname = \"a\"\ngiven = \"{given}\"\nthen = \"force == 5\"\n");
        let mut sources = Sources::new();
        let file = sources.add("tests.toml", text);
        let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
        assert!(report.cases[0].passed, "{}", report.cases[0].message);
        report.diagnostics.iter().filter(|found| found.code == "G115").map(|found| found.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(told("force = 5"), ["`at_war` is not set, but the rules set it whenever they write `force`"]);
    assert_eq!(told("force = 5; at_war = yes"), [""; 0]);
    assert_eq!(told("force = 5; at_war = no"), [""; 0]);
}

#[test]
fn options_of_single_players_and_packs_belong_to_a_scenario() {
    let folder = folder_of(&[
        ("rules/wisps.rules", RULES),
        ("cards/wisps/all.toml", CARDS),
        ("more/pack.toml", "name = \"more\"\nversion = \"1.0\"\nlanguage = 1\nextends = \"wisps\"\n"),
        ("more/cards/fox.toml", "[[card]]\nid = \"fox\"\nname = \"Fox\"\nkind = \"beast\"\nage = 1\n"),
    ]);
    let pack = folder.path().join("more").display().to_string();
    let text = format!(
        "game = \"wisps\"\nplayers = 3\noptions = {{ moon = {{ p1 = \"full\" }} }}\n\
         [[scenario]]\nname = \"of the file\"\nthen = \"p1.moon is full; p2.moon is new\"\n\
         [[scenario]]\nname = \"its own\"\noptions = {{ \"moon@p2\" = \"full\" }}\nthen = \"p1.moon is new; p2.moon is full\"\n\
         [[scenario]]\nname = \"with a pack\"\npacks = [\"{pack}\"]\ngiven = \"p1 has fox\"\nthen = \"fox in p1.den\"\n\
         [[scenario]]\nname = \"without\"\ngiven = \"p1 has fox\"\nthen = \"fox in p1.den\"\n\
         [[scenario]]\nname = \"nobody\"\noptions = {{ moon = {{ p4 = \"full\" }} }}\nthen = \"p1.moon is full\"\n"
    );
    let mut sources = Sources::new();
    let file = sources.add("tests.toml", text);
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
    assert!(report.diagnostics.is_empty(), "{}", render(&sources, &report.diagnostics, false));
    let passed: Vec<(&str, bool)> = report.cases.iter().map(|case| (case.name.as_str(), case.passed)).collect();
    assert_eq!(passed, [("of the file", true), ("its own", true), ("with a pack", true), ("without", false), ("nobody", false)]);
    assert!(report.cases[3].message.contains("no card is called `fox`"), "{}", report.cases[3].message);
    assert!(report.cases[4].message.contains("`moon` is chosen for p4, who is not there"), "{}", report.cases[4].message);
}
