//! `houserule diagram`: what stands in pictures of rules, and what is said of arguments.

use crate::support::{Folder, SMALL, folder, game, game_text, host, small_game};
use houserule::agent::parse_agents;
use houserule::diagram::moments;
use houserule::engine::{Ruleset, Scripts};
use houserule::pack::Translations;
use houserule::playtest::{RecordOptions, RunPlan};
use houserule::table::DisplayNames;
use std::sync::atomic::AtomicBool;

/// A small game in which cards bring and take, in all ways that the rules know.
const RULES: &str = r#"game wisps "Wisps & <Walls>"
players 2
table { deck pile of wisp; place wood }
player { resource spark, ash; place den: 9; each round { flag done } }
kind wisp { slot den; glow: number }
hearing den
moments { dusk "it grows dark"; dawn "nobody hears it" }
setup { each player { gain 5 spark; draw from pile to den } }
rounds 2 of day
phase day {
  step shine { each player { gain 2 spark; moment dusk } }
  turns in order until all have done, skipping who cannot act
  action trade { cost 3 spark; does { gain 1 ash; done = yes } }
  step burn unless first round { all players { lose 1 spark; moment dawn } }
}
score { "sparks" = spark }
worth = 10 * ash
"#;

const CARDS: &str = r#"[defaults]
kind = "wisp"

[[card]]
id = "marsh_wisp"
name = "Marsh Wisp"
glow = 1
copies = 4
[[card.on]]
when = "dusk"
do = "gain(me, ash, 2)"
"#;

fn wisps() -> Folder {
    folder(&[("rules/wisps.rules", RULES), ("cards/wisps/all.toml", CARDS)])
}

/// What is written to the terminal, which must be all.
#[track_caller]
fn text(folder: &Folder, more: &str) -> String {
    folder.run(&format!("diagram wisps {more}")).ends(0).quietly().out
}

#[test]
fn all_three_diagrams_say_what_the_rules_do() {
    let folder = wisps();
    insta::assert_snapshot!("diagram_phases", text(&folder, "--phases -"));
    insta::assert_snapshot!("diagram_moments", text(&folder, "--moments -"));
    // Of 5 sparks to begin with and 2 in each round a player pays 3 in each and loses 1 in the second; its card brings 2 ash in each.
    insta::assert_snapshot!("diagram_flows", text(&folder, "--flows - -n 3"));
}

#[test]
fn comments_and_texts_are_no_code() {
    let folder = wisps();
    let (_, text, rules) = game_text(folder.path(), "wisps", 2);
    let words = DisplayNames::new(&text, Translations::default());
    let cases: [(&str, &[&str]); 8] = [
        ("moment(a); // moment(b)\n/* moment(c) */ say(\"moment(d) \\\" moment(e)\"); moment(f)", &["a", "f"]),
        ("\"open moment(a)", &[]),
        ("/* open moment(a)", &[]),
        ("say(`moment(a)`); say('\\''); moment(b)", &["b"]),
        // Nothing stands where they stood, and a line ends behind a comment.
        ("moment/* moment(a) */(b); x// moment(c)\nmoment(d)", &["b", "d"]),
        ("moment(\"c\" a)", &["a"]),
        ("a_moment(a); moments(b); moment (c)", &["c"]),
        ("moment(a); moment(a)", &["a"]),
    ];
    for (script, raised) in cases {
        let mut rules = Ruleset::clone(&rules);
        rules.moments.extend(["a", "b", "c", "d", "e", "f"].map(String::from));
        rules.scripts[0].text = script.to_string();
        let drawn = moments(&rules, "Wisps", &words).mermaid();
        let names = drawn.lines().filter_map(|line| line.trim().strip_prefix("c1n")?.split('"').nth(1));
        assert_eq!(names.collect::<Vec<_>>(), [&["dusk", "dawn"], raised].concat(), "{script}: {drawn}");
    }
}

#[test]
fn graphics_are_sound_whatever_things_are_called() {
    let folder = wisps();
    let files = "--phases a.svg --moments b.svg --flows c.svg -n 2";
    assert_eq!(text(&folder, files), "");
    for file in ["a.svg", "b.svg", "c.svg"] {
        let svg = folder.read(file);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\"") && svg.contains("Wisps &amp; &lt;Walls&gt;"), "{file}: {svg}");
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{file}: {svg}");
    }
    // The same again is the same file.
    let first = folder.read("c.svg");
    text(&folder, files);
    assert_eq!(folder.read("c.svg"), first);
}

#[test]
fn a_diagram_with_nothing_in_it_is_told() {
    let ran = folder(&[]).run_small("diagram attic --moments a.svg").ends(0).quietly();
    ran.prints(&["the diagram of moments is empty"]);
}

#[test]
fn arguments_that_do_nothing_are_refused() {
    let folder = wisps();
    for (more, way_out) in [
        ("", "add `--phases FILE.svg`"),
        ("--phases a.png", "`.svg` is a graphic"),
        ("--phases a.svg -n 5", "--flows"),
        ("--phases a.svg --seed 5", "--flows"),
        ("--phases a.svg --moments a.svg", "cannot both go to `a.svg`"),
        ("--flows a.svg --agents greedee", "did you mean"),
        ("--flows a.svg -n 0", "0"),
    ] {
        folder.run(&format!("diagram wisps {more}")).ends(2).says(&[way_out]);
    }
    assert!(!folder.at("a.svg").exists());
}

/// What is drawn is what happens: what players gained less what they lost is what they have at the end.
#[test]
fn flows_add_up_to_what_players_have_at_the_end() {
    let small = SMALL.map(|(name, players)| (small_game(name, players), 4));
    let large = [("nations", 3, 2), ("nations-dice", 2, 8), ("near", 2, 2)].map(|(name, players, games)| (game(name, players), games));
    let mut followed = 0;
    for (rules, games) in small.into_iter().chain(large) {
        let agents = parse_agents("random", rules.players).unwrap();
        let notes = RecordOptions { flows: true, ..RecordOptions::default() };
        let plan = RunPlan { rules: &rules, agents: &agents, games, seed: 3, threads: 0, notes };
        let scripts = || Ok(Box::new(host(&rules)) as Box<dyn Scripts>);
        let outcome = houserule::playtest::run(&plan, &scripts, &AtomicBool::new(false), &mut ()).unwrap();
        assert_eq!(outcome.tally.games, games, "{}", rules.game);
        for (resource, name) in (0..).zip(&rules.resources) {
            let flows = outcome.tally.flows.iter().filter(|(key, _)| key.1 == resource);
            let kept: i64 = flows.map(|(_, flow)| flow.gained as i64 - flow.lost as i64).sum();
            let at_end = outcome.tally.figures.get(&(0, resource.into())).map_or(0, |sums| sums.sum);
            assert_eq!(kept, at_end, "{}: {}", rules.game, rules.names.text(*name));
            followed += 1;
        }
    }
    assert!(followed > 20, "{followed} resources were followed");
}

/// By what a player gains and loses: steps that end with what does it, effects, scripts that do both, a round that begins, a shortage.
#[test]
fn flows_are_told_by_what_caused_them() {
    let folder = wisps();
    let rules = r#"game wisps "Wisps"
players 2
table { deck pile of wisp; place wood }
player { resource spark, ash; place den: 9; each round { flag done } }
kind wisp { slot den; glow: number }
hearing den
moments { dusk "it grows dark" }
setup { each player { gain 5 spark; draw from pile to den } }
rounds 2 of day
effect warm(n) { gain n ash }
when short of r in spark, missing n { lose n ash }
phase day {
  step last { each player { do warm(3) } }
  step hear { each player { moment dusk } }
  turns in order until all have done
  action rest { does { lose 1 spark; done = yes } }
  step burn { each player { lose 6 spark } }
  all players { player chooses { "keep" { gain 1 ash }; "give" { gain 1 ash } } }
}
score { "ash" = ash }
"#;
    folder.write("rules/wisps.rules", rules);
    let cards = CARDS.replace("gain(me, ash, 2)", "gain(me, spark, 5); lose(me, spark, 2)");
    folder.write("cards/wisps/all.toml", &cards);
    insta::assert_snapshot!("diagram_causes", text(&folder, "--flows - -n 2 --agents random"));
}
