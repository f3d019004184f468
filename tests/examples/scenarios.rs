//! The lines of scenarios: each stands in a scenario that holds.

use super::{Wood, all_well};
use houserule::diagnostic::render::render;
use houserule::scenario::run::{ExtraContent, run_file};
use houserule::source::Sources;
use houserule::syntax::reference::reference;

/// Lines of `when` and `then`, and what chance does, with the position and what is done (`{}` is the line itself) so that they can be done and hold.
const LINES: [(&str, &str, &str); 39] = [
    ("legend g = grey_wolf, r = red_wolf", "{}; market | g..r | .... | ....", ""),
    ("put grey_wolf in p1.yard over red_wolf", "p1 has red_wolf; {}", ""),
    ("not log has \"p2 pays\"", "put grey_wolf in market row 1 column 2", "p1: fetch grey_wolf"),
    ("next roll sun, grey:rain_sun", "{}", "p1: pass"),
    ("next draw red_wolf from pile[2]", "round 3; empty market; {}", "run night.dawn"),
    ("next take grey, red", "p1.hand = nothing; p2.hand = nothing; {}", "run night.grope"),
    ("next random grey_wolf", "put grey_wolf in market row 1 column 2; {}", "run night.grasp"),
    ("p1: fetch grey_wolf", "put grey_wolf in market row 1 column 2", "{}"),
    ("p1: choose grey:sun x2, red:sun", "p2.hand = nothing; p1.hand = 2 grey:sun, red:sun", "p1: reroll; {}"),
    ("run night.meal", "", "{}"),
    ("run to next decision", "", "{}"),
    ("others pass", "", "p1: pass; {}; run night.meal"),
    ("any answer", "", "{}; run night.meal"),
    ("log has \"p1 pays 1 wisp\"", "put grey_wolf in market row 1 column 2", "p1: fetch grey_wolf"),
    ("from the beginning", "{}", "p1: pass"),
    ("p1 can fetch grey_wolf", "put grey_wolf in market row 1 column 2", ""),
    ("p1 cannot fetch grey_wolf because \"too famous\"", "put grey_wolf in market row 1 column 2; p1.fame = 20", ""),
    ("p1 cannot fetch grey_wolf because fame >= 9", "put grey_wolf in market row 1 column 2; p1.fame = 20", ""),
    ("p1.wisp gained 1", "", "run night.dusk"),
    ("p2.moss lost 1", "p2.wisp = 0", "run night.meal"),
    ("most famous is p1", "p1.fame = 5", ""),
    ("most famous is nobody", "p1.fame = 5; p2.fame = 5", ""),
    ("winner is p2", "round 4; p2 has grey_wolf", "p1: pass; p2: pass; p3: pass; run to next decision"),
    ("winner is nobody", "round 4; p2 has grey_wolf", ""),
    ("standing is p2, p1, p3", "p2 has grey_wolf", ""),
    ("honour is \"the Wolf\"", "p1 has grey_wolf", ""),
    ("honour is nobody", "p1.wisp = 0", ""),
    ("order is p2, p1, p3", "order p2", ""),
    ("game is over", "round 4", "p1: pass; p2: pass; p3: pass"),
    ("not game is over", "round 3", "p1: pass; p2: pass; p3: pass"),
    (
        "grey_wolf is removed",
        "p1 has grey_wolf; p1 has low_wall; p1 has high_wall; p1 has old_wall; p1.fame = 0; put red_wolf in market row 1 column 1",
        "p1: fetch red_wolf; p1: choose grey_wolf",
    ),
    ("not grey_wolf is removed", "p1 has grey_wolf", ""),
    ("p1 has start_wall", "", ""),
    ("p1 sees p2.yard", "", ""),
    ("not p1 sees pile", "put grey_wolf in pile", ""),
    ("not p1 has grey_wolf", "p2 has grey_wolf", ""),
    ("p1 is offered fetch grey_wolf", "put grey_wolf in market row 1 column 2", ""),
    ("p1 is not offered choose grey:rain_sun", "p2.hand = nothing; p1.hand = 2 grey:sun, red:sun", "p1: reroll"),
    ("p1.wisp == 2", "p1.wisp = 2", ""),
];

/// What stands at the head of scenarios with such lines.
const HEADS: [(&str, &str); 3] = [
    ("next take", "with = 'extend night { step grope { each player { take 1 die at random from box to used } } }'\n"),
    ("next random", "with = 'extend night { step grasp { remove random card of market } }'\n"),
    ("honour", "players = 1\nwith = ['change players to 1 to 4', 'honours { \"the Wolf\" = 2; \"the Owl\" = 9 }']\n"),
];

/// What a scenario with an example says that is wrong.
fn told(given: &str, when: &str, then: &str) -> String {
    let (folder, game) = Wood::new().folder();
    let head = HEADS.iter().find(|(line, _)| then.starts_with(line) || given.contains(line)).map_or("", |(_, head)| head);
    let text = format!(
        "game = \"{game}\"\n[[scenario]]\nname = \"shown\"\n{head}given = '''\n{given}\n'''\nwhen = '''\n{when}\n'''\nthen = '''\n{then}\n'''\n"
    );
    let mut sources = Sources::new();
    let file = sources.add("shown.toml", text);
    let report = run_file(&mut sources, Some(folder.path()), file, ExtraContent::default());
    assert_eq!(report.cases.len(), 1);
    render(&sources, &report.diagnostics, false) + report.cases[0].message.as_str()
}

#[test]
fn every_example_of_a_line_of_scenarios_is_checked_and_run() {
    let (mut wrong, mut shown) = (Vec::new(), 0);
    for construct in reference().with_examples() {
        for line in &construct.examples {
            let around = LINES.iter().find(|found| found.0 == line).map(|(_, given, when)| (*given, *when));
            let said = match (construct.chapter.split('.').next(), around) {
                (Some("14"), Some((given, when))) => told(&given.replace("{}", line), when, "p1.wisp > 0"),
                (Some("14"), None) => told(line, "", "p1.wisp > 0"),
                (Some("15"), Some((given, when))) => told(given, &when.replace("{}", line), "round >= 1"),
                (Some("16"), Some((given, when))) => told(given, when, line),
                (Some("15" | "16"), None) => format!("say among `LINES` in which position `{line}` holds"),
                _ => continue,
            };
            shown += usize::from(around.is_some());
            if !said.is_empty() {
                wrong.push(format!("{line}\n{said}"));
            }
        }
    }
    assert_eq!(shown, LINES.len(), "a line is no example any more");
    all_well(&wrong);
}
