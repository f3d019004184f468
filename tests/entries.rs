//! What the keys of cards' entries do, in play: parts, `until`, `limit`, `counters`. No key is accepted that does nothing.

use crate::support::folder;
use houserule::diagnostic::render::render;
use houserule::scenario::run::{ExtraContent, run_file};
use houserule::source::Sources;

const RULES: &str = r#"
game wisps "Wisps"
players 2
table { grid yard 1 by 6; deck pile of beast }
player { resource wisp, moss; place den of beast: 6, room 6; each round { flag gone }; each action { tally paid by resource } }
kind beast { slot den }
zone play = den
hearing play
stat howl = 0
when short of r in wisp, moss, missing n { lose 1 wisp }
effect storm { lose 2 moss for storm }
setup { fill yard from pile; all players { gain 5 wisp } }
rounds 4 of day, night
phase day {
  turns in order until all have gone, 1 each
  action take card in yard { does { place card in its slot; moment taken(card) } }
  action use card in my cards in play with action { does { card acts } }
  action leave { does { gone = yes } }
}
payments noted in paid, heard as spent
phase night {
  step dusk { all players { moment dusk } }
  step dawn { all players { moment dawn } }
}
score { "wisps" = wisp }
wins highest score, then order
"#;

/// Runs scenarios with cards of the small game; gives back what failed.
fn run(cards: &str, scenarios: &[(&str, &str, &str)]) -> Vec<String> {
    let folder = folder(&[("rules/wisps.rules", RULES), ("cards/wisps/all.toml", cards)]);
    let mut text = "game = \"wisps\"\nplayers = 2\n".to_string();
    for (number, (given, when, then)) in scenarios.iter().enumerate() {
        let lines = |text: &str| text.replace("; ", "\n");
        text += &format!(
            "[[scenario]]\nname = \"{number}\"\ngiven = '''\n{}\n'''\nwhen = '''\n{}\n'''\nthen = '''\n{}\n'''\n",
            lines(given),
            lines(when),
            lines(then)
        );
    }
    let mut sources = Sources::new();
    let file = sources.add("tests.toml", text);
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
    assert!(report.diagnostics.is_empty(), "{}", render(&sources, &report.diagnostics, false));
    report.cases.into_iter().map(|case| case.message).collect()
}

fn all_pass(cards: &str, scenarios: &[(&str, &str, &str)]) {
    for (message, scenario) in run(cards, scenarios).iter().zip(scenarios) {
        assert!(message.is_empty(), "{scenario:?}\n{message}");
    }
}

fn card(id: &str, more: &str) -> String {
    format!("[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"beast\"\n{more}\n")
}

#[test]
fn a_part_begins_when_all_that_the_part_before_set_off_is_at_rest() {
    // The shortage of the first part comes before the gain of the second: 5 wisps become 4, then 5.
    let text = card("wolf", "[[card.on]]\nwhen = \"dusk\"\ndo = [\"lose(me, moss, 1)\", \"gain(me, moss, wisp(me))\"]");
    all_pass(&text, &[("p1 has wolf", "run dusk", "p1.wisp == 4; p1.moss == 4")]);
}

#[test]
fn a_part_has_a_condition_and_a_question_of_its_own() {
    let text = card(
        "wolf",
        "[[card.on]]\nwhen = \"dusk\"\nif = \"wisp > 2\"\n\
         [[card.on.part]]\ndo = \"gain(me, moss, 1)\"\n\
         [[card.on.part]]\nif = \"moss > 2\"\ndo = \"gain(me, moss, 10)\"\n\
         [[card.on.part]]\nask = \"may one of wisp, moss\"\ndo = \"gain(me, answer, 1)\"\n\
         [[card.on.part]]\ndo = \"gain(me, answer, 1)\"",
    );
    all_pass(
        &text,
        &[
            ("p1 has wolf", "run dusk; p1: choose moss", "p1.moss == 3"),
            ("p1 has wolf; p1.moss = 2", "run dusk; p1: choose wisp", "p1.moss == 13; p1.wisp == 7"),
            ("p1 has wolf", "run dusk; p1: choose nothing", "p1.moss == 1; p1.wisp == 5"),
            ("p1 has wolf; p1.wisp = 2", "run dusk", "p1.moss == 0"),
        ],
    );
}

#[test]
fn limit_says_how_often_an_action_can_be_used() {
    let text = card("wolf", "[[card.action]]\nlimit = 1\ndo = \"gain(me, wisp, 1)\"")
        + card("owl", "[[card.action]]\nlimit = \"2 each game\"\ndo = \"gain(me, moss, 1)\"").as_str();
    all_pass(
        &text,
        &[
            ("p1 has wolf; p2 gone", "p1: use wolf", "p1.wisp gained 1; p1 cannot use wolf because \"used 1 of 1\""),
            ("p1 has wolf", "p1: use wolf; p2: leave; p1: leave; run to next decision; p1: use wolf", "p1.wisp gained 2"),
            ("p1 has owl; p2 gone", "p1: use owl; p1: use owl", "p1 cannot use owl because \"used 2 of 2\""),
            ("p1 has owl", "p1: use owl; p2: leave; p1: leave; run to next decision; p1: use owl", "p1 cannot use owl because \"used\""),
        ],
    );
}

#[test]
fn until_ends_with_the_stretch_in_which_the_card_came_into_play() {
    let text = card("wolf", "[[card.change]]\nwhat = \"howl\"\nby = 3\nuntil = \"round\"\n[[card.on]]\nwhen = \"dusk\"\ndo = \"gain(me, moss, howl(me))\"")
        + card("owl", "[[card.change]]\nwhat = \"howl\"\nby = 2\nuntil = \"turn\"\n[[card.on]]\nwhen = \"dawn\"\nuntil = \"round\"\ndo = \"gain(me, moss, 1)\"").as_str()
        + card("toad", "[[card.forbid]]\naction = \"take\"\nwho = \"all\"\nuntil = \"round\"\nbecause = \"it croaks\"").as_str()
        + card("newt", "[[card.action]]\nuntil = \"round\"\ndo = \"gain(me, wisp, 1)\"").as_str();
    let later = "p2: leave; p1: leave; run to next decision";
    all_pass(
        &text,
        &[
            ("p2 gone", "p1: take wolf", "p1.howl == 3; p2.howl == 0"),
            ("", &format!("p1: take wolf; {later}"), "round == 2; p1.howl == 0; p1.moss == 3"),
            ("p2 gone", "p1: take owl", "p1.howl == 2"),
            ("p2 gone", "p1: take owl; run to next decision", "p1.howl == 0"),
            ("", &format!("p1: take owl; {later}"), "p1.moss == 1"),
            ("", &format!("p1: take owl; {later}; p1: leave; p2: leave; run to next decision"), "round == 3; p1.moss == 1"),
            ("p2 gone", "p1: take toad", "p1 cannot take wolf because \"it croaks\""),
            ("", &format!("p1: take toad; {later}"), "p1 can take wolf"),
            ("p2 gone", "p1: take newt; p1: use newt", "p1.wisp == 6; p1 can use newt"),
            ("", &format!("p1: take newt; {later}"), "p1 cannot use newt"),
        ],
    );
}

#[test]
fn counters_are_numbers_of_a_cards_own() {
    let text = card(
        "wolf",
        "counters = { howls = 2 }\n[[card.on]]\nwhen = \"dusk\"\nif = \"own.howls > 0\"\ndo = \"add_card(own, howls, -1); gain(me, moss, 1)\"",
    ) + card("owl", "[[card.on]]\nwhen = \"dusk\"\ndo = \"gain(me, moss, counter(own, howls))\"").as_str();
    all_pass(
        &text,
        &[
            ("p1 has wolf", "run dusk", "wolf.howls == 1; p1.moss == 1"),
            ("p1 has wolf", "run dusk; run dusk; run dusk", "wolf.howls == 0; p1.moss == 2"),
            ("p1 has wolf; wolf.howls = 5", "run dusk", "wolf.howls == 4"),
            ("p1 has owl", "run dusk", "p1.moss == 0"),
        ],
    );
}

#[test]
fn a_cost_is_paid_where_it_can_be() {
    let text = card("wolf", "on.dusk = { cost = \"3 wisp, 1 wisp\", do = \"gain(me, moss, 1 + wisp(me))\" }")
        + card("owl", "on.dusk = { cost = \"2 wisp\", ask = \"may\", do = [\"gain(me, moss, 5)\", \"gain(me, moss, 1)\"] }").as_str()
        + card("toad", "on.dusk = { cost = \"wisp wisp\", ask = \"one of moss if moss > 0, wisp\", do = \"gain(me, answer, 9)\" }").as_str()
        + card("newt", "on.dusk = { part = [{ do = \"gain(me, moss, 1)\" }, { cost = \"9 wisp\", do = \"gain(me, moss, 2)\" }, { do = \"gain(me, moss, 4)\" }] }").as_str()
        + card("crow", "action = { cost = \"1 wisp\", part = [{ do = \"gain(me, moss, 1)\" }, { cost = \"1 moss, 1 wisp\", do = \"gain(me, moss, 4)\" }] }").as_str()
        + card("moth", "on.spent = \"gain(me, moss, 10 * paid(me, wisp) + moss(me))\"").as_str();
    all_pass(
        &text,
        &[
            ("p1 has wolf; p1.wisp = 5", "run dusk", "p1.wisp == 1; p1.moss == 2"),
            ("p1 has wolf; p1.wisp = 3", "run dusk", "p1.wisp == 3; p1.moss == 0"),
            ("p1 has owl; p1.wisp = 2", "run dusk; p1: choose yes", "p1.wisp == 0; p1.moss == 6"),
            ("p1 has owl; p1.wisp = 2", "run dusk; p1: choose no", "p1.wisp == 2; p1.moss == 0"),
            ("p1 has owl; p1.wisp = 1", "run dusk", "p1.wisp == 1; p1.moss == 0"),
            ("p1 has toad; p1.moss = 1", "run dusk; p1: choose moss", "p1.wisp == 0; p1.moss == 10"),
            ("p1 has newt", "run dusk", "p1.wisp == 5; p1.moss == 1"),
            ("p1 has newt; p1.wisp = 9", "run dusk", "p1.wisp == 0; p1.moss == 7"),
            ("p1 has crow; p2 gone", "p1: use crow", "p1.wisp == 3; p1.moss == 4"),
            ("p1 has crow; p1.wisp = 1; p2 gone", "p1: use crow", "p1.wisp == 0; p1.moss == 1"),
            // Who hears the payment comes after the script that it was for.
            ("p1 has wolf; p1 has moth; p1.wisp = 4", "run dusk", "p1.wisp == 0; p1.moss == 42"),
            ("p1 has crow; p1 has moth; p1.wisp = 1; p2 gone", "p1: use crow", "p1.wisp == 0; p1.moss == 11"),
        ],
    );
}

#[test]
fn what_cannot_be_paid_for_is_not_replaced() {
    let text = card("wolf", "instead.storm = { cost = \"4 wisp\", do = \"gain(me, moss, 1)\" }")
        + card("owl", "instead.storm = { if = \"moss < 9\", cost = \"4 wisp\" }").as_str()
        + card("gale", "on.dusk = \"storm(me)\"").as_str();
    all_pass(
        &text,
        &[
            ("p1 has gale; p1 has wolf; p1.moss = 5", "run dusk", "p1.wisp == 1; p1.moss == 6"),
            ("p1 has gale; p1 has wolf; p1.moss = 5; p1.wisp = 3", "run dusk", "p1.wisp == 3; p1.moss == 3"),
            ("p1 has gale; p1 has owl; p1.moss = 5", "run dusk", "p1.wisp == 1; p1.moss == 5"),
            ("p1 has gale; p1 has owl; p1.moss = 9", "run dusk", "p1.wisp == 5; p1.moss == 7"),
            ("p1 has gale; p1 has owl; p1.moss = 5; p1.wisp = 1", "run dusk", "p1.wisp == 1; p1.moss == 3"),
        ],
    );
}

#[test]
fn a_value_with_a_name_is_worked_out_just_before_the_script() {
    let text = card("wolf", "on.dusk = { let = { n = \"count my den where card is beast\", many = \"wisp > 4\" }, do = \"if many { gain(me, moss, n) }\" }")
        + card("owl", "on.dusk = { ask = \"one of moss, wisp\", let = { n = \"wisp\" }, do = [\"lose(me, answer, 2); gain(me, moss, n)\", \"gain(me, moss, 10 * n)\"] }").as_str()
        + card("toad", "on.dusk = { who = \"others\", let = { mine = \"wisp\", same = \"player is me\" }, do = \"gain(me, moss, if same { 99 } else { mine })\" }").as_str()
        + card("newt", "counters = { bites = 3 }\naction = { let = { n = \"own.bites\" }, do = \"gain(me, moss, n)\" }").as_str();
    all_pass(
        &text,
        &[
            ("p1 has wolf; p1 has newt", "run dusk", "p1.moss == 2"),
            ("p1 has wolf; p1.wisp = 4", "run dusk", "p1.moss == 0"),
            ("p1 has owl", "run dusk; p1: choose wisp", "p1.wisp == 3; p1.moss == 35"),
            ("p1 has toad", "run dusk", "p1.moss == 5"),
            ("p1 has newt; newt.bites = 2; p2 gone", "p1: use newt", "p1.moss == 2"),
        ],
    );
}
