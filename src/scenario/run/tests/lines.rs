//! What lines of scenarios say beyond conditions: the end of a game, offers, turns, what set-up left, what chance does next.

use super::*;
use crate::engine::Game;
use crate::lang::compile::{allowed_setup, compile};
use crate::script::ScriptHost;

#[test]
fn the_end_of_a_game_can_be_told() {
    let all_leave = "p1: leave; p2: leave; p3: leave; any answer";
    expect_all_pass(&[
        ("round 4; p2.wisp = 9", all_leave, "game is over; winner is p2; standing is p2, p1, p3"),
        ("round 4", all_leave, "winner is p1; standing is p1, p2, p3"),
        ("round 3; p2.wisp = 9", all_leave, "not game is over; winner is nobody; standing is p2, p1, p3"),
        ("order p3 p1", "", "order is p3, p1, p2; standing is p3, p1, p2"),
        ("round 4; p2.wisp = 9", "others pass; run to next decision; any answer", "not game is over; p1 can leave"),
    ]);
    let all_fail = [
        ("round 4; p2.wisp = 9", all_leave, "winner is p1", "it is p2"),
        ("round 4; p2.wisp = 9", all_leave, "not game is over", "the game is over"),
        ("round 4; p2.wisp = 9", all_leave, "winner is nobody", "it is p2"),
        ("round 4; p2.wisp = 9", all_leave, "p1 can leave", "the game is over"),
        ("", "", "winner is p1", "nobody has won: the game is not over"),
        ("", "", "game is over", "p1 is asked `day`"),
        ("p2.wisp = 9", "", "standing is p1, p2, p3", "it is p2 with 10, p1 with 1, p3 with 1"),
        ("", "", "order is p2, p1, p3", "it is p1, p2, p3"),
        ("", "", "order is p2, p1", "p3 is not among them"),
        ("", "", "standing is p2", "p1, p3 are not among them"),
        ("", "", "standing is p2, p2, p1", "`p2` is named twice"),
        ("", "", "winner is p2, p2", "`p2` is named twice"),
        ("", "", "winner is p9", "there is no player 9"),
    ];
    expect_failures(&all_fail);
}

#[test]
fn cards_can_be_out_of_the_game_or_with_a_player() {
    expect_all_pass(&[
        ("round 2; put wolf in yard row 1 column 1", "run yard", "wolf is removed; not owl is removed; not p1 has wolf"),
        ("p2 has owl", "", "p2 has owl; not p1 has owl; not owl is removed"),
    ]);
    expect_failures(&[
        ("p2 has owl", "", "owl is removed", "it is in p2.den"),
        ("p2 has owl", "", "p1 has owl", "it is in p2.den"),
        ("p2 has owl", "", "not p2 has owl", "it is in p2.den"),
        ("", "", "wol is removed", "did you mean `owl`?"),
        ("", "", "p1 has wol", "did you mean `owl`?"),
    ]);
}

#[test]
fn what_is_offered_and_what_not() {
    expect_all_pass(&[
        ("", "", "p1 is offered seek; p1 is not offered take wolf; p1 is offered leave"),
        ("", "p1: seek", "p1 is offered choose wisp; p1 is offered choose dust"),
        // What an effect offers once one of two is gone, and the question of a step.
        ("", "run dark", "p1 is offered choose sleep; p1 is not offered choose wisp"),
        ("", "run dark; p1: choose sleep", "p2 is offered choose watch"),
        ("put bear in yard row 1 column 1", "", "p1 is not offered take bear"),
        ("", "p1: leave", "p2 is offered seek"),
    ]);
    expect_failures(&[
        ("", "p1: seek", "p1 is not offered choose wisp", "it is offered"),
        ("", "p1: seek", "p1 is offered choose wolf", "it is not offered"),
        ("", "p1: seek", "p1 is offered choose wolf", "the answers are: choose wisp, choose dust"),
        ("", "p1: seek", "p2 is offered choose wisp", "p1 is asked, not p2"),
        ("", "p1: seek", "p2 is not offered choose wisp", "p1 is asked, not p2"),
        ("round 4", "p1: leave; p2: leave; p3: leave", "p2 is not offered seek", "p1 is asked, not p2"),
        ("", "p1: seek", "p1 is not offered choose wips", "no question of this game has an answer `choose wips`"),
        ("", "p1: seek", "p1 is not offered chose wisp", "did you mean `choose wisp`?"),
        ("", "p1: seek", "p1 is not offered take wlof", "this line cannot fail"),
        ("", "p1: seek", "p1 is ofered choose wisp", "did you mean `offered`?"),
    ]);
}

#[test]
fn nobody_can_do_anything_in_the_turn_of_another() {
    expect_all_pass(&[
        ("", "", "p2 cannot seek; p2 cannot seek because \"p1 is on turn, not p2\"; p1 can seek"),
        ("", "p1: seek; p1: choose dust x2", "p2 can seek; p1 cannot seek"),
        ("p1 gone", "", "p2 can seek; p1 cannot seek because \"ended its turns\""),
    ]);
    expect_failures(&[
        ("", "", "p2 can seek", "turn: p1 is on turn, not p2"),
        ("as set up", "", "p2 can seek; p1 cannot seek", "turn: p1 is on turn, not p2"),
        ("round 4", "p1: leave; p2: leave; p3: leave", "p1 can seek", "nobody is on turn: p1 is asked `dark`"),
    ]);
}

#[test]
fn what_set_up_left_is_seen_as_it_is() {
    expect_all_pass(&[
        ("as set up", "", "round == 0; dew == 0; count yard == 4; (count yard where card.age == 1) == 4; p2.dust == 3"),
        ("as set up", "", "count pile == 2; (count pile where card.age == 2) == 1; count fogs == 1"),
        ("", "", "round == 1; dew == 2"),
        ("p2 has owl; put hare in p2.den with 2 moss", "", "count p2.den == 2; count p1.den == 0; (count p2.den with moss) == 1"),
        ("p2 has owl; put hare in p2.den with 2 moss", "", "(count p2.den where card.tall > 0) == 1; (sum card.moss of p2.den) == 2"),
        ("as set up", "p1: leave", "round == 1; dew == 2; p1.gone"),
    ]);
    // What stands above the line is there before set-up draws.
    let first = |card: &str| format!("next draw {card} from pile[1]; next draw newt from pile[1]; as set up; p1.wisp = 7");
    for card in ["wolf", "owl"] {
        expect_all_pass(&[(&first(card), "", &format!("p1.wisp == 7; row of {card} == 1; column of {card} == 1; column of newt == 2"))]);
    }
    expect_failures(&[
        ("as set up; round 2", "", "round == 2", "with `as set up` no round has begun"),
        ("p1.wisp = 7; as set up", "", "p1.wisp == 7", "set-up has not been done yet"),
        ("next draw wolf from fogs; as set up", "", "wolf in yard", "`wolf` is not in this deck"),
    ]);
}

#[test]
fn cards_are_drawn_as_fixed() {
    let draws = "cloud drizzle; empty yard";
    expect_all_pass(&[
        (&format!("round 3; {draws}; next draw bear from pile[2]"), "run dawn.yard", "bear in yard"),
        (
            &format!("round 2; {draws}; next draw toad from pile; next draw hare from pile[1]"),
            "run dawn.yard",
            "row of toad == 1; column of toad == 1; column of hare == 2",
        ),
        (&format!("round 2; {draws}"), "next draw toad from pile; run dawn.yard", "column of toad == 1"),
    ]);
    expect_failures(&[
        ("next draw bear from pile", "", "round > 0", "this card was never drawn"),
        ("put wolf in yard; next draw wolf from pile", "", "round > 0", "it is in yard"),
        ("next draw bear from pile[1]", "", "round > 0", "it is in pile[2]"),
        ("next draw bear from pile[3]", "", "round > 0", "they go from `pile[1]` to `pile[2]`"),
        ("next draw baer from pile", "", "round > 0", "did you mean `bear`?"),
        ("next draw bear from plie", "", "round > 0", "did you mean `pile`?"),
        ("next draw bear from yard", "", "round > 0", "no deck is called `yard`"),
        ("next draw bear from pile; next draw bear from pile", "", "round > 0", "a line above already says that it is drawn"),
        ("next roll sun", "", "round > 0", "nothing is rolled in this game"),
        ("next bear from pile", "", "round > 0", "it is written `next"),
    ]);
}

/// A game in which dice are rolled.
const DICE: &str = r#"
game dice "Dice"
players 2
symbols sun, rain
tokens die { bone 3: sun | 2 sun | rain, sun; claw 1: rain | sun }
table { pool box, full }
player { resource wisp; pool hand; each round { flag gone } }
setup { each player { take 1 die from box to hand } }
rounds 1 of day, night
phase day {
  turns in order until all have gone
  action toss { does { lift all die in hand; roll hand } }
  action leave { does { gone = yes } }
}
phase night { step storm { all players { lift all die in hand; roll hand; gain shown sun in hand wisp } } }
score { "wisps" = wisp }
wins highest score
"#;

#[test]
fn dice_fall_as_fixed() {
    let folder = folder_of(&[("rules/dice.rules", DICE), ("cards/dice/all.toml", "")]);
    let run = |scenarios: &[(&str, &str, &str)]| run_in(&folder, "game = \"dice\"\n", scenarios);
    let holds = [
        ("p1.hand = 2 bone; next roll sun2, rain_sun", "p1: toss", "shown sun in p1.hand == 3; shown rain in p1.hand == 1"),
        ("p1.hand = bone, claw", "next roll bone:sun2, claw:sun; p1: toss", "shown sun in p1.hand == 3; shown rain in p1.hand == 0"),
        ("p1.hand = bone", "next roll sun; p1: toss; next roll sun2; p2: leave; p1: toss", "shown sun in p1.hand == 2"),
        // In the order in which the dice are rolled, which is that of their sorts; what is left falls by chance.
        (
            "p1.hand = claw, 2 bone; next roll sun, sun2",
            "p1: toss",
            "number of bone:sun in p1.hand == 1; number of bone:sun2 in p1.hand == 1",
        ),
        // Whom nothing tells apart have both won.
        ("p1.wisp = 3; p2.wisp = 3; p1.hand = nothing; p2.hand = nothing", "p1: leave; p2: leave", "winner is p1, p2"),
    ];
    for (case, scenario) in run(&holds).iter().zip(&holds) {
        assert!(case.passed, "{scenario:?}\n{}", case.message);
    }
    let fails = [
        ("next roll sun", "", "p1.wisp == 0", "the last of these faces never fell"),
        ("next roll sun, sun, sun", "p1: toss", "p1.wisp == 0", "2 faces that `next roll` gives never fell"),
        ("next roll snu", "p1: toss", "p1.wisp == 0", "did you mean `sun`?"),
        ("next roll claw:sun2", "p1: toss", "p1.wisp == 0", "no `claw` has a face `sun2`"),
        ("next roll horn:sun", "p1: toss", "p1.wisp == 0", "no die is called `horn`"),
        (
            "p1.hand = claw; next roll rain_sun",
            "p1: toss",
            "p1.wisp == 0",
            "`claw`, which is rolled next, does not have; it has claw:rain, claw:sun",
        ),
        ("next roll sun", "run storm", "p1.wisp == 0", "what all players roll at once cannot be fixed"),
        ("p1.wisp = 3; p2.wisp = 3; p1.hand = nothing; p2.hand = nothing", "p1: leave; p2: leave", "winner is p1", "it is p1, p2"),
    ];
    let plain: Vec<_> = fails.iter().map(|t| (t.0, t.1, t.2)).collect();
    for (case, scenario) in run(&plain).iter().zip(&fails) {
        assert!(!case.passed && case.message.contains(scenario.3), "{scenario:?}\n{}", case.message);
    }
}

/// A game in which tokens are drawn from a bag.
const BAG: &str = r#"
game bag "Bag"
players 2
symbols sun, rain
tokens die { bone 2: sun | rain }
tokens bead { pearl 3: nothing; shell 1: nothing }
table { pool bag, full; counter shells }
player { resource wisp; pool hand; each round { flag gone } }
rounds 2 of day, night
phase day {
  turns in order until all have gone
  action dip { does { take 2 bead at random from bag to hand; gain number of shell in hand wisp } }
  action grab { does { take 1 bead from bag to hand } }
  action grope { does { take 99 bone at random from bag to hand; roll hand } }
  action leave { does { gone = yes } }
}
phase night { step dew { all players { take 1 bead at random from bag to hand } } }
score { "wisps" = wisp }
wins highest score
"#;

#[test]
fn tokens_are_taken_at_random_and_as_fixed() {
    let folder = folder_of(&[("rules/bag.rules", BAG), ("cards/bag/all.toml", "")]);
    let run = |scenarios: &[(&str, &str, &str)]| run_in(&folder, "game = \"bag\"\n", scenarios);
    let holds = [
        (
            "next take shell, pearl",
            "p1: dip",
            "number of shell in p1.hand == 1; number of pearl in p1.hand == 1; number of bead in bag == 2",
        ),
        ("", "next take shell; p1: dip", "number of shell in p1.hand == 1; number of bead in p1.hand == 2"),
        // All there are, if there are fewer; what is taken without a word of chance goes by the order of declaration.
        ("", "p1: dip; p2: dip; p1: dip", "number of bead in bag == 0; number of bead in p1.hand == 2; number of bead in p2.hand == 2"),
        ("", "p1: grab; p2: grab; p1: grab", "number of pearl in p1.hand == 2; number of pearl in p2.hand == 1"),
        ("next roll sun, rain", "p1: grope", "number of bone in p1.hand == 2; shown sun in p1.hand == 1; shown rain in p1.hand == 1"),
    ];
    for (case, scenario) in run(&holds).iter().zip(&holds) {
        assert!(case.passed, "{scenario:?}\n{}", case.message);
    }
    let fails = [
        ("next take shell", "", "p1.wisp == 0", "the last of these tokens was never taken"),
        ("next take shell, pearl, pearl", "p1: dip", "p1.wisp == 1", "the last of these tokens was never taken"),
        ("next take shell, shell", "p1: dip", "p1.wisp == 0", "cannot be taken from `bag` now; there is pearl"),
        ("next take shel", "p1: dip", "p1.wisp == 0", "did you mean `shell`?"),
        ("next take bone:snu", "p1: dip", "p1.wisp == 0", "did you mean `sun`?"),
        ("p1.hand = 9 pearl", "", "p1.wisp == 0", "from `bag`, and there are only"),
        ("p1.hand = pearl; p1.hand = shell", "", "p1.wisp == 0", "write all of it on one line: `p1.hand = 2 KIND, KIND`"),
        ("p1.wisp = 2; p1.wisp = 3", "", "p1.wisp == 3", "a line above has set `p1.wisp`, and this replaces it"),
        ("next take shell", "run dew", "p1.wisp == 0", "what all players take at once cannot be fixed"),
    ];
    let plain: Vec<_> = fails.iter().map(|t| (t.0, t.1, t.2)).collect();
    for (case, scenario) in run(&plain).iter().zip(&fails) {
        assert!(!case.passed && case.message.contains(scenario.3), "{scenario:?}\n{}", case.message);
    }
}

#[test]
fn what_is_taken_at_random_is_as_likely_as_it_is_frequent() {
    let folder = folder_of(&[("rules/bag.rules", BAG), ("cards/bag/all.toml", "")]);
    let mut sources = Sources::new();
    let text = crate::lang::load(&mut sources, Some(folder.path()), "bag", &[], &[], &mut Vec::new()).expect("a game");
    let rules = std::sync::Arc::new(compile(&text, &allowed_setup(&text, 2), &mut Vec::new()).expect("rules"));
    let mut host = ScriptHost::new(&rules).expect("no scripts");
    let mut shells = 0;
    for seed in 0..2000 {
        let mut game = Game::new(&rules, seed);
        game.on(&rules).advance(&mut host).expect("no fault").expect("a question");
        game.on(&rules).answer(&mut host, 0).expect("no fault");
        shells += game.store(&rules).score(0);
    }
    // Two of four: half of all games, give or take four standard deviations.
    assert!((910..=1090).contains(&shells), "{shells}");
}

#[test]
fn others_pass_until_a_later_question_comes() {
    expect_all_pass(&[
        ("", "others pass; p1: choose sleep; p2: choose watch; p3: choose sleep", "p2.dust gained 1; p1.gone"),
        ("", "others pass; p1: choose sleep; p2: choose watch; any answer", "p2.dust gained 1; p1.gone"),
    ]);
    // What could be done in a turn is not waited for.
    expect_failures(&[("put bear in yard row 1 column 1", "others pass; p1: take bear", "round > 0", "tall: too tall to catch")]);
}

#[test]
fn a_line_of_which_it_is_certain_how_it_turns_out_is_an_error() {
    for (line, told) in [
        ("p1.wisp == p1.wisp", "this line cannot fail"),
        ("p1.wisp < p1.wisp", "this line can never hold"),
        ("p1.wisp >= 0", "this line cannot fail"),
        ("p1.wisp < 0", "this line can never hold"),
        ("count p2.den >= 0", "this line cannot fail"),
        ("3 gained 0", "it does not depend on the game"),
        ("p1 cannot seek because 1 < 2", "it does not depend on the game"),
        ("p1 cannot seek because \" \"", "every reason contains this"),
        ("loudest is p1, p1", "`p1` is named twice"),
    ] {
        expect_failures(&[("", "", line, told)]);
    }
    // A stat may be negative, a counter too.
    expect_all_pass(&[("", "", "p1.howl >= 0; dew >= 0")]);
}
