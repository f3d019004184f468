//! Tests of scenarios: what holds, what does not and why, on a small game of their own.

mod lines;
mod silent;

use super::*;
use crate::diagnostic::render::render;
use std::fs;

const RULES: &str = r#"
game wisps "Wisps"
players 2 to 4
option moon = new | full, default new, for each player
define age = (round + 1) / 2
define late = if round is last of age or round > 2 then 1 else 2
table {
  deck pile by age of beast
  deck fogs by age of fog
  grid yard 2 by 2
  place cloud
  counter dew
  each round { counter rain }
}
player {
  resource wisp, dust
  counter idle
  place den of beast: 2, room 3
  each round { flag gone; counter gone_rank; tally met by kind; set short of resource }
}
card { counter moss }
kind beast { slot den; tall: number = 0 }
kind fog   { slot cloud; wet: number = 0; shed: of resource, steam = 2; hours: numbers = 5; likes: one of resource }
zone play = den
hearing play, cloud
stat howl = sum card.tall * card.moss of my den, at most 9
rank most  x = top 1 by x, ties at the edge out
condition loudest = most howl
condition heard = "quite loud"
condition unheard = not heard
condition "well heard" = heard
condition "quite loud" = howl > 4
condition "soon late" = round is last of late
when card leaves den { idle += card.moss; card.moss = 0 }
effect find_two { repeat 2 { player chooses { "wisp" if dust > 0 { gain 1 wisp } "dust" { gain 1 dust } } } }
setup { order at random; fill yard from pile[1]; all players { gain 3 dust; idle = 4 } }
rounds 4 of dawn, day, dusk
phase dawn {
  step yard unless first round { remove cards in yard row 1; fill yard from pile[age] }
  step dew { dew = 2 + cloud.wet }
}
phase day {
  turns in order until all have gone
  action take card in yard {
    needs tall: card.tall < 3 + dew "too tall to catch"
    cost row of card dust
    does { met[card.kind] += 1; place card in its slot }
  }
  action seek { does { do find_two } }
  action lack { does { add dust to short } }
  action leave { does { gone = yes; gone_rank = count players where gone; moment seen } }
}
phase dusk {
  step dark { each player chooses { "sleep" { gain 1 wisp } "watch" { gain 1 dust } } }
  step count when cloud is there { all players where loudest { gain dew wisp } }
}
always { check room { remove cards in play beyond the room of their place } }
score { "wisps" = wisp; "dust" = dust / 2 }
wins highest score, then order
"#;

const CARDS: &str = r#"
[[card]]
id = "wolf"
name = "Wolf"
kind = "beast"
age = 1
tall = 2

[[card]]
id = "owl"
name = "Owl"
kind = "beast"
age = 1
tall = 1

[[card]]
id = "hare"
name = "Hare"
kind = "beast"
age = 1

[[card]]
id = "toad"
name = "Toad"
kind = "beast"
age = 1

[[card]]
id = "newt"
name = "Newt"
kind = "beast"
age = 1

[[card]]
id = "bear"
name = "Bear"
kind = "beast"
age = 2
tall = 9

[[card]]
id = "drizzle"
name = "Drizzle"
kind = "fog"
age = 1
wet = 2
likes = "dust"
[[card.on]]
when = "seen"
do = "gain(me, wisp, 1)"
[[card.test]]
given = "cloud drizzle"
then = "dew == 2; drizzle in cloud"
"#;

fn game_folder() -> tempfile::TempDir {
    folder_of(&[("rules/wisps.rules", RULES), ("cards/wisps/all.toml", CARDS)])
}

fn folder_of(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run_all(scenarios: &[(&str, &str, &str)]) -> Vec<TestResult> {
    run_in(&game_folder(), "game = \"wisps\"\nplayers = 3\n", scenarios)
}

fn run_in(folder: &tempfile::TempDir, head: &str, scenarios: &[(&str, &str, &str)]) -> Vec<TestResult> {
    let mut text = head.to_string();
    for (number, (given, when, then)) in scenarios.iter().enumerate() {
        let (given, when, then) = (given.replace("; ", "\n"), when.replace("; ", "\n"), then.replace("; ", "\n"));
        text +=
            &format!("[[scenario]]\nname = \"{number}\"\ngiven = '''\n{given}\n'''\nwhen = '''\n{when}\n'''\nthen = '''\n{then}\n'''\n");
    }
    let mut sources = Sources::new();
    let file = sources.add("tests.toml", text);
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
    assert!(report.diagnostics.is_empty(), "{}", render(&sources, &report.diagnostics, false));
    report.cases
}

/// A game may choose the names of what the engine itself writes and raises: a payment is noted in `took` here, and `bought` is its
/// moment.
#[test]
fn no_name_means_something_by_itself() {
    let rules = r#"
game wells "Wells"
players 2
table { deck pile by era of beast; place spring of beast: 2, room 2 }
player { resource paid, spent; each action { tally took by resource }; each round { flag turns; counter begun } }
kind beast { slot spring; era: number }
hearing spring
payments noted in took, heard as bought
setup { draw from pile[2] to spring; all players { gain 3 paid } }
rounds 1 of day
phase day {
  turns in order until all have turns, 1 each, counted in begun
  before first action { gain 1 spent }
  action buy { cost 2 paid; does { gain 10 spent } }
  action leave { does { turns = yes } }
}
score { "spent" = spent }
wins highest score, then order
"#;
    let card = |id: &str, era: u8| format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"beast\"\nera = {era}\n");
    let heard = "[[card.on]]\nwhen = \"bought\"\nif = \"took[paid] == 2\"\ndo = \"gain(me, spent, 100)\"\n";
    let cards = format!("{}{}{heard}", card("hare", 1), card("wolf", 2));
    let folder = folder_of(&[("rules/wells.rules", rules), ("cards/wells/all.toml", &cards)]);
    let played = ("", "p1: buy; p2: leave; p1: leave", "wolf in spring; not hare in spring; p1.spent == 111; p2.spent == 1; p1.paid == 1");
    for case in run_in(&folder, "game = \"wells\"\nplayers = 2\n", &[played]) {
        assert!(case.passed, "{}", case.message);
    }
}

#[test]
fn what_holds_passes() {
    let table = [
        ("", "", "p1.dust == 3; dew == 2; round == 1; p1.place_in_order == 1; p3.place_in_order == 3"),
        ("p1.wisp = 4; p2.wisp = p1.wisp + 1; dew = 7; p3 gone", "", "p2.wisp == 5; dew == 7; p3.gone_rank == 1; p3.gone"),
        ("p2.moon = full; p1.met[beast] = 2", "", "p2.moon is full; p1.moon is new; p1.met[beast] == 2"),
        // A difference is worked out in the end.
        ("p1.howl = 5; put wolf in p1.den with 3 moss", "", "p1.howl == 5; p1.idle == 1; loudest is p1; quite loud is p1; p2.idle == 4"),
        ("p1.howl = 5; p2.howl = 5", "", "loudest is nobody; quite loud is p1, p2"),
        ("put wolf in p1.den with 6 moss; wolf.moss = 2; p2 has owl; p2.owl.moss = 1", "", "p1.idle == 0; p1.howl == 4; p2.howl == 1"),
        ("put hare in yard row 2 column 2", "", "hare in yard; row of hare == 2; column of hare == 2"),
        ("empty yard; put wolf in yard row 2 column 1", "p1: take wolf", "p1.dust lost 2; wolf in p1.den; p1.met[beast] == 1"),
        ("round 3", "", "round == 3; bear in yard; not wolf in yard"),
        ("order p2 p3", "p2: leave; p3: leave; p1: leave", "p2.gone_rank == 1; p1.gone_rank == 3"),
        ("p1 has wolf", "others pass; p1: seek; p1: choose wisp; p1: choose dust; p1: leave", "p1.wisp gained 1; p1.dust gained 1"),
        ("", "p1: seek; p1: choose dust, choose wisp; p2: seek; p2: choose wisp x2", "p1.dust gained 1; p2.wisp gained 2"),
        ("p2 gone", "", "p2 cannot seek because \"ended its turns\"; p1 can seek"),
        ("cloud drizzle; p2 gone", "p1: leave", "p1.wisp gained 1; p2.wisp == 0; p1.gone_rank == 2"),
        // What is taken unasked may be written.
        ("p1.dust = 0", "p1: seek; p1: choose dust; p1: choose wisp", "p1.wisp == 1; p1.dust gained 1"),
        ("", "run dark; p1: choose sleep; p2: choose watch; p3: choose sleep; p1: leave", "p1.wisp gained 1; p2.dust gained 1; p1.gone"),
        (
            "p1.howl = 1; cloud drizzle",
            "run dusk.dark; any answer; run count",
            "p1.wisp gained 3; p2.wisp gained 1; log has \"p1 gains 2 wisp\"",
        ),
        ("p1.howl = 1", "run count", "p1.wisp gained 0; p2.wisp lost 0 # nothing lies there"),
        (
            "put bear in yard row 1 column 1; p1.dust = 0",
            "",
            "p1 cannot take bear because \"too tall\"; p1 cannot take bear because dust < 1; p1 can seek",
        ),
        ("put bear in yard row 1 column 1", "", "p2 cannot take bear because dew < 5; p1 cannot take drizzle"),
        ("", "run dark; run to next decision; any answer", "p1.wisp gained 1"),
    ];
    expect_all_pass(&table);
}

fn expect_all_pass(table: &[(&str, &str, &str)]) {
    for (case, scenario) in run_all(table).iter().zip(table) {
        assert!(case.passed, "{scenario:?}\n{}", case.message);
    }
}

fn expect_failures(table: &[(&str, &str, &str, &str)]) {
    let plain: Vec<_> = table.iter().map(|t| (t.0, t.1, t.2)).collect();
    for (case, scenario) in run_all(&plain).iter().zip(table) {
        assert!(!case.passed && case.message.contains(scenario.3), "{scenario:?}\n{}", case.message);
    }
}

#[test]
fn a_condition_may_be_the_name_of_a_later_one() {
    expect_all_pass(&[("p2.howl = 5", "", "heard is p2; well heard is p2; quite loud is p2; unheard is p1, p3")]);
}

#[test]
fn the_last_round_of_a_definition_may_be_told_from_one_of_another() {
    // By round: age 1 1 2 2, late 2 1 1 1.
    expect_all_pass(&[("round 1", "", "soon late"), ("round 2", "", "not soon late"), ("round 3", "", "not soon late")]);
}

#[test]
fn a_set_with_a_player_before_it_is_that_players() {
    expect_all_pass(&[
        (
            "order p2 p3 p1",
            "p2: lack",
            "dust in p2.short; not dust in p1.short; not dust in p3.short; not wisp in p2.short; not dust in short",
        ),
        // What stands before `in` is read where it stands, not by the player of the set.
        ("order p2 p3 p1; cloud drizzle", "p2: lack", "cloud.likes in p2.short; not cloud.likes in p3.short; p1.cloud.likes in p2.short"),
    ]);
}

#[test]
fn a_default_holds_for_all_cells_of_a_row_and_is_a_list_of_one() {
    expect_all_pass(&[(
        "",
        "",
        "drizzle.shed[wisp] == 2; drizzle.shed[dust] == 2; drizzle.shed[steam] == 2; drizzle.hours[0] == 5; count drizzle.hours == 1",
    )]);
}

#[test]
fn what_does_not_hold_says_why() {
    let table = [
        ("", "", "p1.dust == 4", "expected 4, was 3"),
        ("", "p1: seek; p1: choose wisp, choose wisp", "p1.wisp gained 1", "gained 2: it was 0 and is 2"),
        ("", "p1: seek; p1: choose wisp, choose wisp", "p1.wisp gained 1", "p1 gains 1 wisp"),
        ("p1.howl = 1", "", "loudest is p2", "it is p1"),
        ("p1.howl = 1", "", "loudest is nobody", "it is p1"),
        ("p1 has wolf", "", "wolf in p2.den", "it is in p1.den"),
        ("p1 has wolf", "", "wolf.kind is fog", "it is beast"),
        ("", "p2: seek", "round > 0", "p1 is asked, not p2"),
        ("put bear in yard row 1 column 1", "p1: take bear", "round > 0", "tall: too tall to catch"),
        ("", "p1: tak bear", "round > 0", "the answers are: "),
        ("", "p1: seek", "round > 0", "a question is left that no line answers"),
        ("", "p1: seek; p1: choose fog", "round > 0", "choose wisp, choose dust"),
        ("", "run dark; run count", "round > 0", "a question is still open before this"),
        ("", "run dsk", "round > 0", "did you mean `dusk`?"),
        ("", "p1 seek", "round > 0", "expected `:`, found `seek`"),
        ("", "", "p1 cannot seek", "nothing is against it"),
        ("put bear in yard row 1 column 1", "", "p1 can take bear", "it is refused"),
        ("put bear in yard row 1 column 1", "", "p1 cannot take bear because \"far\"", "it is refused for another reason"),
        ("put bear in yard row 1 column 1", "", "p1 cannot take bear because dew < 2", "the condition does not hold"),
        ("put bear in yard row 1 column 1", "", "p1 cannot take bear because wisp < 2", "what refuses it is about something else"),
        ("", "", "p1 cannot tke bear", "did you mean `take`?"),
        ("", "", "p1 cannot take baer", "did you mean `bear`?"),
        ("", "", "p1 cannot take bear owl", "this line cannot fail"),
        ("", "", "p1 cannot take bear bbecause \"too tall\"", "this line cannot fail"),
        ("", "", "p1 cannot take bear from owl", "this line cannot fail"),
        ("", "", "1 + 1 == 2", "this line cannot fail"),
        ("", "", "no", "this line can never hold"),
        ("p1 gone", "", "p1 can seek", "turn: p1 has ended its turns"),
        ("", "", "log has \"fog\"", "no line of the log has these words"),
        ("", "", "p1.wsp == 1", "did you mean `wisp`?"),
        ("", "", "p7.met[beast] == 1", "there is no player 7; there are 3"),
        ("", "", "not wolf in p7.den", "there is no player 7; there are 3"),
        ("", "", "p1.dust in p2.short", "expected a resource, found a number"),
        ("", "", "p1.dust + 1", "expected a condition, found a number"),
        ("", "", "p1 can pass because dust > 1", "it is written `PLAYER (can KEY | cannot KEY [because (TEXT | VALUE)])`"),
        ("p1.howl = 12", "", "round > 0", "p1's howl cannot be made to read 12"),
        ("p1.dust = -1", "", "round > 0", "a resource may not become negative"),
        ("p1.score = 1", "", "round > 0", "cannot be written"),
        ("dust = 1", "", "round > 0", "write `p1.dust`"),
        ("p7.met[beast] = 1", "", "round > 0", "there is no player 7"),
        ("p1.moon = dim", "", "round > 0", "dim"),
        ("p1 gon", "", "round > 0", "did you mean `gone`?"),
        ("put wolv in yard", "", "round > 0", "did you mean `wolf`?"),
        ("put wolf in yrd", "", "round > 0", "did you mean `yard`?"),
        ("put wolf in den", "", "round > 0", "write `p1.den`"),
        ("put wolf in cloud", "", "round > 0", "`cloud` takes none"),
        ("put wolf in yard row 3 column 1", "", "round > 0", "has no such row and column"),
        ("put wolf in p1.den with 2 mos", "", "round > 0", "did you mean `moss`?"),
        ("put wolf", "", "round > 0", "it is written `put CARD in PLACE [row NUMBER]"),
        ("round 0", "", "round > 0", "expected the number of a round"),
        ("round 9", "", "round > 0", "there is no deck"),
        ("order p1 p1", "", "round > 0", "is named twice"),
        ("fog fog fog", "", "round > 0", "it is written `PLACE CARD`"),
    ];
    expect_failures(&table);
}

/// A line about the printed values of a card that has been removed must fail: they would all read as 0.
#[test]
fn a_card_that_lies_nowhere_has_no_figures() {
    let removed = ("round 2; put bear in yard row 1 column 1", "run dawn.yard");
    let why = "`bear` is not in this game, so it has no `tall`";
    expect_failures(&[(removed.0, removed.1, "bear.tall == 0", why), (removed.0, removed.1, "not bear.tall > 2", why)]);
    expect_all_pass(&[(removed.0, removed.1, "bear is removed"), ("put bear in yard row 1 column 1", "", "bear.tall == 9")]);
}

#[test]
fn nothing_that_is_written_panics() {
    let parts = [
        "p1",
        "p0",
        "p9.wisp",
        "=",
        "put",
        "in",
        "yard",
        "\"",
        ";",
        "with",
        "-",
        "row",
        ":",
        "é",
        "run",
        "x99",
        ",",
        "(",
        "[",
        "lost",
        "is",
        "because",
        "cannot",
        "99999999999999999999",
    ];
    let mut table = Vec::new();
    for (i, a) in parts.iter().enumerate() {
        for (j, b) in parts.iter().enumerate() {
            table.push(format!("{a} {b} {} {}", parts[(i * 7 + j) % parts.len()], parts[(i + j * 5) % parts.len()]));
        }
    }
    let scenarios: Vec<_> =
        table.iter().flat_map(|line| [(line.as_str(), "", "yes"), ("", line.as_str(), "yes"), ("", "", line.as_str())]).collect();
    assert_eq!(run_all(&scenarios).len(), scenarios.len());
}

#[test]
fn tests_beside_cards_and_wrong_setups() {
    let folder = game_folder();
    let mut sources = Sources::new();
    let report = run_card_tests(&mut sources, Some(folder.path()), "wisps", ExtraContent::default());
    assert!(report.cases.len() == 1 && report.cases[0].passed, "{report:?}");
    assert_eq!(report.cases[0].name, "drizzle");
    let text = "game = \"wisps\"\n[[scenario]]\nname = \"a\"\nplayers = 9\nthen = \"round == 1\"\n[[scenario]]\nname = \"b\"\noptions = { mon = \"x\" }\nthen = \"round == 1\"\n[[scenario]]\nname = \"c\"\noptions = { moon = \"Full\" }\nthen = \"p3.moon is full\"\n";
    let file = sources.add("tests.toml", text);
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
    assert!(report.cases[0].message.contains("this game is for 2 to 4 players, not 9"), "{report:?}");
    assert!(report.cases[1].message.contains("did you mean `moon`?"), "{report:?}");
    assert!(report.cases[2].passed, "{report:?}");
}

#[test]
fn a_game_that_cannot_be_begun_is_tested_by_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "game wood\nplayers 1 to 3\noption moss = 0 to 3, default 0\nneeds roots: moss < 2 or players > 1 \"moss needs more wolves\"\n\
                 player { resource wisp; each round { flag passed } }\nrounds 1 of day\n\
                 phase day { turns in order until all have passed; action pass { does { passed = yes } } }\n\
                 score { \"wisp\" = wisp }\nwins highest score, then order\n";
    fs::create_dir_all(folder.path().join("rules")).unwrap();
    fs::write(folder.path().join("rules/wood.rules"), rules).unwrap();
    let scenario = |name: &str, players: usize, moss: u32, more: &str| {
        format!("[[scenario]]\nname = '{name}'\nplayers = {players}\noptions = {{ moss = {moss} }}\n{more}\n")
    };
    let text = [
        "game = 'wood'\n".to_string(),
        scenario("refused", 1, 2, "refused = 'more wolves'"),
        scenario("for another reason", 1, 2, "refused = 'more moss'"),
        scenario("begins", 1, 1, "refused = 'more wolves'"),
        scenario("plain", 1, 3, "then = 'p1.wisp == 0'"),
        scenario("too many", 4, 1, "refused = 'for 1 to 3 players'"),
    ];
    let mut sources = Sources::new();
    let file = sources.add("wood.toml", text.concat());
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
    let told: Vec<(&str, bool)> = report.cases.iter().map(|case| (case.name.as_str(), case.passed)).collect();
    assert_eq!(told, [("refused", true), ("for another reason", false), ("begins", false), ("plain", false), ("too many", true)]);
    let says = |at: usize, part: &str| assert!(report.cases[at].message.contains(part), "{}", report.cases[at].message);
    says(1, "the game is refused for another reason");
    says(1, "moss needs more wolves");
    says(2, "the game begins with these players and options");
    says(3, "moss needs more wolves");
    let both = sources.add("both.toml", "game = 'wood'\n[[scenario]]\nname = 'a'\nrefused = ' '\nthen = 'p1.wisp == 0'\n");
    let report = run_file(&mut sources, Some(folder.path()), both, ExtraContent::default());
    let told: Vec<&str> = report.diagnostics.iter().map(|found| found.message.as_str()).collect();
    assert_eq!(told, ["`refused` is empty, so nothing is tested", "a game that is refused has no `then`"]);
}

const OF_PACKS: &str = "game = 'wisps'\n\
    [[scenario]]\nname = 'holds'\nthen = 'round == 1'\n\
    [[scenario]]\nname = 'changed'\nthen = 'p1.wisp == 0'\nwithout = ['tide']\n\
    [[scenario]]\nname = 'in vain'\nthen = 'round == 1'\nwithout = ['tide']\n\
    [[scenario]]\nname = 'broken'\nthen = 'p1.wisp == 0'\n\
    [[scenario]]\nname = 'of another pack'\nthen = 'round == 1'\nwithout = 'calm'\n\
    [[scenario]]\nname = 'cannot be begun'\nwith = 'constant surf = 2'\nthen = 'p1.wisp == 0'\nwithout = 'tide'\n";

fn with_tide(packs: &[&str]) -> (Sources, FileReport) {
    let folder = folder_of(&[
        ("rules/wisps.rules", RULES),
        ("cards/wisps/all.toml", CARDS),
        ("tide/pack.toml", "name = 'tide'\nversion = '1'\nlanguage = 1\nextends = 'wisps'\n"),
        ("tide/rules/tide.rules", "constant surf = 1\nextend setup { each player { gain 6 + surf wisp } }\n"),
    ]);
    let mut sources = Sources::new();
    let file = sources.add("tests.toml", OF_PACKS);
    let packs: Vec<PathBuf> = packs.iter().map(|pack| folder.path().join(pack)).collect();
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent { packs: &packs, with: &[] });
    (sources, report)
}

#[test]
fn a_scenario_that_a_pack_changes_is_left_out_with_it_and_told_where_it_holds_all_the_same() {
    let (sources, report) = with_tide(&["tide"]);
    assert!(report.diagnostics.is_empty(), "{}", render(&sources, &report.diagnostics, false));
    let told: Vec<(&str, bool)> = report.cases.iter().map(|case| (case.name.as_str(), case.passed)).collect();
    assert_eq!(told, [("holds", true), ("in vain", false), ("broken", false), ("of another pack", true)]);
    assert_eq!((report.left_out, report.unrun.len()), (vec!["changed".to_string(), "cannot be begun".to_string()], 0));
    assert!(report.cases[1].message.contains("this also holds with `tide`"), "{}", report.cases[1].message);
    assert!(report.cases[1].message.contains("remove `tide` from `without`"), "{}", report.cases[1].message);
}

#[test]
fn without_the_pack_nothing_is_left_out() {
    let (_, report) = with_tide(&[]);
    assert!(report.cases.iter().all(|case| case.passed) && report.cases.len() == 6, "{report:?}");
    assert_eq!((report.left_out.len(), report.unrun.len()), (0, 0));
}
