//! Nothing leaks. Whatever a seat may not know (where hidden cards lie, what is counted on them, what others have answered in secret, what
//! chance will bring) is changed, and nothing that the seat is shown changes, nor what a machine player answers who sits there.
//! A few games here; `LAWS_GAMES=1000 cargo test --release secrets` for many more.

use crate::laws::{GAMES, cached};
use crate::support::{game_text, host, loaded, play, root, rules_of, run_in};
use houserule::agent::{AgentKind, SeatAgents, describe_view, parse_agents};
use houserule::engine::{Game, Ruleset};
use houserule::lang::GameText;
use houserule::pack::Translations;
use houserule::source::Sources;
use houserule::state::chance::join;
use houserule::state::layout::{BOX, piece};
use houserule::table::{DisplayNames, Session, list_refused, option_changes, section_lines, sheet, why_not};
use houserule::why::{DetailLevel, Why, WhyAnswer};
use std::sync::Arc;

/// The games made for this: counters that are written in secret, secret answers of several questions, hands that are passed on,
/// names of values that rest on what is hidden, answers that name hidden cards; hidden values and pools; chance in secret; known cards that go
/// face down among others; decks of each player, and hands that all but their owners see.
const MADE: [(&str, usize); 9] = [
    ("lots", 3),
    ("slips", 3),
    ("whispers", 3),
    ("packets", 3),
    ("glances", 3),
    ("gropes", 3),
    ("sealed", 3),
    ("stashes", 3),
    ("pockets", 3),
];

fn made(name: &str, players: usize) -> (Sources, GameText, Arc<Ruleset>) {
    game_text(&root().join("tests/secrets"), name, players)
}

/// How many games of each are played.
fn games() -> u64 {
    std::env::var("LAWS_GAMES").ok().and_then(|number| number.parse().ok()).unwrap_or(1)
}

/// All that a seat is shown where a game stands, and the state that its view is made of.
fn shown(rules: &Arc<Ruleset>, game: &Game, words: Option<&DisplayNames>, seat: usize) -> String {
    let cells = format!("{:?} {:?}", game.view_of(rules, seat).cells(), game.observe(rules, seat));
    [cells, told(rules, game, words, seat)].join("\n")
}

/// The same, but for the slots of hidden places from which cards came, or to which they went: that is seen at a table, and is in no log.
fn shown_without_slots(rules: &Arc<Ruleset>, game: &Game, words: Option<&DisplayNames>, seat: usize) -> String {
    let layout = &rules.layout;
    let unordered = |mut cells: Vec<i32>| {
        for (at, place) in
            layout.places.iter().enumerate().filter(|(at, _)| rules.hides(*at) && !rules.is_deck(*at) && !rules.sees_into(*at, seat))
        {
            cells[place.base as usize + 1..][..usize::from(place.room)].sort_unstable();
            let lies_there = |cells: &[i32], card: &usize| cells[layout.piece(*card, piece::PLACE)] == i32::try_from(at).unwrap();
            let lying: Vec<usize> = (0..layout.pieces).filter(|card| lies_there(&cells, card)).collect();
            lying.into_iter().for_each(|card| cells[layout.piece(card, piece::POSITION)] = 0);
        }
        cells
    };
    // What stands behind them, where names of cards may be left that nothing reads any more, is the other law's.
    let cells = [game.view_of(rules, seat).cells()[..layout.len].to_vec(), game.observe(rules, seat)].map(unordered);
    let told = told(rules, game, words, seat);
    let without: Vec<&str> = told.split("\"slot\":").map(|rest| rest.trim_start_matches(|sign: char| sign.is_ascii_digit())).collect();
    format!("{cells:?}\n{}", without.concat())
}

/// What a seat is shown in words.
fn told(rules: &Arc<Ruleset>, game: &Game, words: Option<&DisplayNames>, seat: usize) -> String {
    let seen = describe_view(rules, &game.view_of(rules, seat));
    let mut lines = vec![serde_json::to_string(&seen).unwrap()];
    if let Some(open) = game.decision().filter(|open| open.seat == seat) {
        lines.push(open.question.text(rules));
        lines.extend(open.options.iter().map(|option| format!("{} {:x}", option.text(rules), option.key)));
        lines.push(format!("{:?} {:?}", list_refused(rules, game), why_not(rules, game, "dance")));
        if let Some(words) = words {
            let mut host = host(rules);
            lines.extend((0..open.options.len().min(3)).flat_map(|option| option_changes(rules, game, &mut host, option, words)));
        }
    }
    if let Some(words) = words {
        let sections = sheet(rules, game, seat, words, &[], &Default::default());
        lines.extend(sections.iter().flat_map(|section| section_lines(section, words.phrases(), 100, true)).map(|line| line.text));
    }
    lines.join("\n")
}

/// The same game as far as a seat knows; a question to this seat is listed anew.
fn another(rules: &Arc<Ruleset>, game: &Game, seat: usize, random: u64) -> Game {
    let mut other = game.clone();
    other.on(rules).permute_hidden(seat, random);
    other.on(rules).change_secrets(seat, join(random, 1));
    // What others may answer may depend on the cards that they now hold.
    if game.decision().is_some_and(|open| open.seat == seat) {
        let saved = other.save();
        other.on(rules).load(&mut host(rules), &saved).expect("no fault");
    }
    other
}

fn changes_nothing(rules: &Arc<Ruleset>, words: Option<&DisplayNames>, seed: u64, each: u64) {
    let mut agents: Vec<SeatAgents> =
        ["random", "greedy:2", "search:8"].iter().map(|agent| SeatAgents::new(&parse_agents(agent, rules.players).unwrap())).collect();
    play(rules, &mut host(rules), seed, |game, scripts, number| {
        if !join(seed, number).is_multiple_of(each) {
            return;
        }
        let asked = game.decision().expect("a question").seat;
        for seat in 0..rules.players {
            let other = another(rules, game, seat, join(seed, number));
            let (mine, theirs) = (shown(rules, game, words, seat), shown(rules, &other, words, seat));
            assert_eq!(mine, theirs, "{} seed {seed}, question {number}, p{} looks", rules.game, seat + 1);
            if seat != asked {
                continue;
            }
            for agent in &mut agents {
                let answers = [&*game, &other].map(|game| {
                    agent.begin_game(seed);
                    agent.choose(rules, game, scripts).expect("an answer")
                });
                assert_eq!(answers[0], answers[1], "{} seed {seed}, question {number}: an answer of p{}", rules.game, seat + 1);
            }
        }
    });
}

#[test]
fn what_a_seat_may_not_know_changes_nothing_that_it_is_shown_and_no_answer() {
    for seed in 0..games() {
        for (name, players) in MADE {
            let (_, text, rules) = made(name, players);
            changes_nothing(&rules, Some(&DisplayNames::new(&text, Translations::default())), seed, 2);
        }
        for which in 0..GAMES {
            changes_nothing(&cached(which), None, seed, if which < 7 { 53 } else { 19 });
        }
    }
}

#[test]
fn the_games_made_for_it_hide_what_they_are_made_for() {
    let (_, _, slips) = made("slips", 2);
    assert!(houserule::engine::view::writes_hidden_counters(&slips));
    for (name, players) in MADE {
        let (_, _, rules) = made(name, players);
        assert_eq!(houserule::engine::view::writes_hidden_counters(&rules), name == "slips", "{name}");
        let mut changed = 0;
        play(&rules, &mut host(&rules), 1, |game, _, number| {
            let other = another(&rules, game, game.decision().unwrap().seat, number);
            changed += u32::from(other.cells()[12..rules.layout.len] != game.cells()[12..rules.layout.len]);
        });
        assert!(name == "whispers" || changed > 5, "{name}: only {changed} times was anything hidden");
    }
}

/// Another player's secret answers, of several questions too, are no part of anything that a seat is shown, wherever the block stands.
#[test]
fn secret_answers_change_nothing_that_others_are_shown() {
    let mut compared = 0;
    for (name, players) in MADE {
        let (_, text, rules) = made(name, players);
        let words = DisplayNames::new(&text, Translations::default());
        play(&rules, &mut host(&rules), 3, |game, scripts, _| {
            let (decision, round) = (game.decision().unwrap().clone(), game.round());
            if !game.in_simultaneous_block() {
                return;
            }
            for seat in (0..rules.players).filter(|seat| *seat != decision.seat) {
                let mut after = (0..decision.options.len()).filter_map(|option| {
                    let mut game = game.clone();
                    game.on(&rules).answer(scripts, option).unwrap();
                    let next = game.on(&rules).advance(scripts).unwrap().map(|next| next.seat);
                    (game.in_simultaneous_block() && game.round() == round).then(|| (next, shown(&rules, &game, Some(&words), seat)))
                });
                let Some(first) = after.next() else { continue };
                for (next, told) in after {
                    // Who is asked next is seen by everybody; with another question to the same seat, another is asked later.
                    if next == first.0 || next != Some(seat) && first.0 != Some(seat) {
                        assert_eq!(told, first.1, "{name}: p{} looks", seat + 1);
                        compared += 1;
                    }
                }
            }
        });
    }
    assert!(compared > 60, "only {compared} answers were compared");
}

/// Two answers of which a seat is told the same, and after which the same is asked, leave the same before its eyes: what it knew of a card
/// tells it no more about where the card went than the log does.
#[test]
fn answers_of_which_the_same_is_told_leave_the_same_to_see() {
    let mut compared = std::collections::BTreeMap::new();
    for seed in 0..3 * games() {
        for (name, players) in MADE.into_iter().filter(|(name, _)| ["packets", "glances", "gropes", "stashes"].contains(name)) {
            let (_, text, rules) = made(name, players);
            let words = DisplayNames::new(&text, Translations::default());
            play(&rules, &mut host(&rules), seed, |game, scripts, number| {
                game.keep_log();
                let (decision, from) = (game.decision().unwrap().clone(), game.log().len());
                for seat in (0..rules.players).filter(|seat| *seat != decision.seat) {
                    let mut first: std::collections::BTreeMap<_, (usize, String)> = std::collections::BTreeMap::new();
                    for option in 0..decision.options.len() {
                        let mut game = game.clone();
                        game.on(&rules).answer(scripts, option).unwrap();
                        let next = game.on(&rules).advance(scripts).unwrap().map(|next| (next.seat, next.question.text(&rules)));
                        // A question to the seat itself tells of what it is offered.
                        if next.as_ref().is_some_and(|next| next.0 == seat) {
                            continue;
                        }
                        let told: Vec<String> = game.log_for(seat, from).map(str::to_string).collect();
                        let shown = shown_without_slots(&rules, &game, Some(&words), seat);
                        // What lies open before the seat, and how many cards of which backs lie elsewhere, is seen.
                        let lie: Vec<String> = (BOX + 1..rules.layout.places.len())
                            .map(|at| match rules.sees_into(at, seat) {
                                true => format!("{:?}", game.position(&rules).all_in(at)),
                                false => {
                                    let backs =
                                        game.position(&rules).all_in(at).into_iter().map(|card| rules.hidden.indistinguishable(card));
                                    let mut backs: Vec<&[u16]> = backs.collect();
                                    backs.sort_unstable();
                                    format!("{backs:?}")
                                }
                            })
                            .collect();
                        match first.get(&(told.clone(), next.clone(), lie.clone())) {
                            Some((before, other)) => {
                                let keys = [*before, option].map(|option: usize| decision.options[option].text(&rules));
                                let at = other.bytes().zip(shown.bytes()).take_while(|(a, b)| a == b).count();
                                let around = [other, &shown].map(|shown| &shown[at.saturating_sub(100)..(at + 100).min(shown.len())]);
                                let of = format!("of which p{} is told {told:?}", seat + 1);
                                assert!(other == &shown, "{name} seed {seed}, question {number}: {keys:?}, {of}: {around:#?}");
                                *compared.entry(name).or_insert(0) += 1;
                            }
                            None => drop(first.insert((told, next, lie), (option, shown))),
                        }
                    }
                }
            });
        }
    }
    assert!(compared["stashes"] > 300 && compared["packets"] > 30 && compared["gropes"] > 100, "{compared:?}");
}

/// A card that was shown, and then laid face down out of a hand of several, is not known there; the only card of a hand is.
#[test]
fn a_known_card_that_moves_unseen_is_known_no_more_if_it_could_be_another() {
    let (_, _, rules) = made("stashes", 3);
    let mut session = session(&rules, 2);
    let first = session.decision().unwrap().seat;
    let other = (first + 1) % 3;
    let named = |session: &Session, seat: usize| {
        let seen = serde_json::to_value(describe_view(&rules, &session.game().view_of(&rules, seat))).unwrap();
        seen["seats"][first].to_string()
    };
    let shown = {
        let (game, hand) = (session.game(), rules.places[rules.find_place("hand").unwrap()].first_instance as usize + first);
        let card = game.position(&rules).piece_at(hand, 0).unwrap();
        rules.names.text(rules.definition(card).id).to_string()
    };
    assert!(named(&session, other).contains(&shown), "{}", named(&session, other));
    while !session.decision().unwrap().options.iter().any(|option| option.text(&rules).starts_with("hide ")) {
        session.answer(0, &[]).unwrap();
    }
    assert_eq!(session.decision().unwrap().seat, first);
    session.answer(session.option(&format!("hide {shown}")).unwrap(), &[]).unwrap();
    let (own, others): (String, String) = [first, other]
        .map(|seat| serde_json::to_string(&describe_view(&rules, &session.game().view_of(&rules, seat)).table).unwrap())
        .into();
    assert!(own.contains(&shown) && !others.contains(&shown), "{own}\n{others}");
    assert!(!named(&session, other).contains(&shown), "nor that it stayed");
}

/// A program that answers by all that it has ever been told answers alike.
#[test]
fn another_program_is_told_the_same() {
    for (name, players) in MADE {
        let (_, _, rules) = made(name, players);
        let player = root().join("tests/secrets/hash_player.py");
        let kind = AgentKind::parse(&format!("exec:python3 '{}'", player.display())).unwrap();
        let mut pair = [0, 1].map(|_| SeatAgents::new(&vec![kind.clone(); players]));
        pair.iter_mut().for_each(|seats| seats.begin_game(5));
        play(&rules, &mut host(&rules), 5, |game, scripts, number| {
            let other = another(&rules, game, game.decision().unwrap().seat, number);
            let [first, second] = &mut pair;
            let answers = [first.choose(&rules, game, scripts).unwrap(), second.choose(&rules, &other, scripts).unwrap()];
            assert_eq!(answers[0], answers[1], "{name}, question {number}");
        });
    }
}

/// Who guesses what another has written in secret on a hidden card is right as often as by chance: one time in five.
#[test]
fn machine_players_guess_what_is_written_in_secret_at_chance_level() {
    let (_, _, rules) = made("slips", 2);
    let number = rules.piece.iter().find(|counter| counter.name == "number").unwrap().offset as usize;
    let slip = rules.places[rules.find_place("slip").unwrap()].first_instance as usize;
    for (agent, games, most) in [("greedy", 50, 95), ("search:60", 12, 32)] {
        let mut seats = SeatAgents::new(&parse_agents(agent, 2).unwrap());
        let (mut right, mut guesses) = (0, 0);
        for seed in 0..games {
            let (mut game, mut scripts) = (Game::new(&rules, seed), host(&rules));
            seats.begin_game(seed);
            while game.on(&rules).advance(&mut scripts).unwrap().is_some() {
                let chosen = seats.choose(&rules, &game, &mut scripts).unwrap();
                let open = game.decision().unwrap();
                if open.question.text(&rules).starts_with("guessing") {
                    let card = game.position(&rules).piece_at(slip + 1 - open.seat, 0).unwrap();
                    let written = game.cells()[rules.layout.piece(card, number)];
                    right += u64::from(open.options[chosen].text(&rules) == format!("choose {written}"));
                    guesses += 1;
                }
                game.on(&rules).answer(&mut scripts, chosen).unwrap();
            }
        }
        // One in five is expected; five standard deviations and more lie below `most`.
        assert_eq!(guesses, games * 6);
        assert!(right < most, "{agent}: {right} of {guesses} are right");
    }
}

#[test]
fn a_figure_that_rests_on_hidden_cards_or_counters_is_left_open() {
    let (_, _, rules) = made("slips", 2);
    let mut looked = 0;
    play(&rules, &mut host(&rules), 2, |game, _, _| {
        let seen = describe_view(&rules, &game.view_of(&rules, 0));
        let row = |seat: usize, name: &str| seen.seats[seat].score.0.iter().find(|row| row.0 == name).unwrap().1;
        assert!(row(0, "ink").is_some() && row(0, "written").is_some() && row(1, "points").is_some());
        assert_eq!((row(1, "ink"), row(1, "written"), seen.seats[1].points), (None, None, None));
        looked += 1;
    });
    assert!(looked > 5);
}

/// Two hidden cards that are both of one sort: a figure that needs both is no fact, though each alone would not change it.
#[test]
fn a_figure_that_needs_two_hidden_cards_is_left_open() {
    let with = "extend score { \"low\" = if (sum card.worthy of my hand) < 9 then 1 else 0; \"many\" = count my hand }";
    let (sources, text) = loaded(&root().join("tests/secrets"), "packets", &[], &[with]);
    let rules = rules_of(&sources, &text, &houserule::lang::Setup { players: 3, ..Default::default() });
    let mut game = Game::new(&rules, 3);
    game.on(&rules).advance(&mut host(&rules)).unwrap();
    let seen = describe_view(&rules, &game.view_of(&rules, 0));
    let row = |seat: usize, name: &str| seen.seats[seat].score.0.iter().find(|row| row.0 == name).unwrap().1;
    assert!(row(0, "low").is_some());
    // One's own hand was passed on to the next: that seat's cards are known still.
    let next = game.position(&rules).order();
    let at = next.iter().position(|seat| *seat == 0).unwrap();
    let unknown = next[(at + 2) % 3];
    assert_eq!((row(unknown, "low"), row(unknown, "many")), (None, Some(4)), "how many there are is no secret");
}

fn session(rules: &Arc<Ruleset>, seed: u64) -> Session {
    let mut session = Session::new(rules, Game::new(rules, seed)).unwrap();
    session.start(&[]).unwrap();
    session
}

fn take(session: &mut Session, key: &str) -> usize {
    let seat = session.decision().unwrap().seat;
    session.answer(session.option(key).unwrap(), &[]).unwrap();
    seat
}

/// What only reads a hidden card shows it, and so does what is offered if a hidden card is so, whether it then is offered or not.
#[test]
fn an_answer_from_which_hidden_cards_follow_is_not_taken_back_and_a_harmless_one_is() {
    let (_, _, rules) = made("peeks", 2);
    for seed in 0..8 {
        for (key, harmless) in [("choose ask", false), ("choose offer", false), ("choose rest", true)] {
            let mut session = session(&rules, seed);
            let seat = take(&mut session, key);
            assert_eq!(session.check_undo(seat).is_ok(), harmless, "{key}: {:?}", session.check_undo(seat));
        }
    }
    let (_, _, rules) = made("slips", 2);
    let mut session = session(&rules, 1);
    let seat = take(&mut session, "choose 3");
    assert_eq!(session.check_undo(seat), Ok(()), "what is written in secret can be taken back while others write");
    take(&mut session, "choose 4");
    let seat = take(&mut session, "choose 2");
    assert!(session.check_undo(seat).unwrap_err().contains("has shown something"));
}

#[test]
fn what_is_written_on_a_hidden_card_is_told_to_nobody_else() {
    let (_, _, rules) = made("slips", 2);
    let told = |number: usize| {
        let mut session = session(&rules, 4);
        let first = session.decision().unwrap().seat;
        take(&mut session, &format!("choose {number}"));
        take(&mut session, "choose 2");
        let lines = |seat: usize| session.game().log_for(seat, 0).map(str::to_string).collect::<Vec<_>>();
        (first, [lines(0), lines(1)])
    };
    let ((first, three), (_, five)) = (told(3), told(5));
    assert_eq!(three[1 - first], five[1 - first]);
    assert!(three[1 - first].contains(&format!("p{}: answers in secret", first + 1)), "{three:?}");
    assert!(three[first].contains(&format!("p{}: choose 3", first + 1)), "{three:?}");
}

/// What comes by chance for an answer in secret, where something hidden decides, or for something hidden, is told to that player alone; nobody
/// is told what another's secret has decided.
#[test]
fn what_comes_by_chance_in_secret_is_told_to_nobody_else() {
    let (_, _, rules) = made("lots", 2);
    let mut all = 0;
    for seed in 0..6 {
        let mut session = session(&rules, seed);
        while !session.game().finished() {
            session.answer(0, &[]).unwrap();
        }
        let game = session.game();
        let lines = |seat: usize| game.log_for(seat, 0).filter(|line| line.contains("by chance")).collect::<Vec<&str>>();
        all += game.log().iter().filter(|line| line.contains("by chance")).count();
        for (own, other) in [("p1", "p2"), ("p2", "p1")] {
            let read = lines(usize::from(own == "p2"));
            let about = |who: &str, open: bool| {
                let told = read.iter().filter(|line| line.starts_with(who) && line.contains("lawn.") == open);
                told.count()
            };
            assert_eq!((about(own, true), about(other, true)), (3, 3), "{read:?}");
            assert_eq!(about(other, false), 0, "{read:?}");
            assert!(about(own, false) >= 4, "set-up and each round: {read:?}");
        }
    }
    assert!(all > 60, "{all}");
}

#[test]
fn a_hidden_card_that_speaks_is_not_named() {
    let (sources, text, rules) = made("traps", 2);
    // One of the first seeds with which the other has a pit.
    let session = (0..).map(|seed| session(&rules, seed)).find(|session| !list_refused(&rules, session.game()).is_empty()).unwrap();
    let game = session.game();
    let seat = game.decision().unwrap().seat;
    let mut why = Why::open(&sources, &text, &houserule::lang::Setup { players: 2, ..Default::default() }, &mut Vec::new()).unwrap();
    let mut told = Vec::new();
    for key in ["swim", "cross"] {
        let all = WhyAnswer::Option(why.explain_option(game, seat, key).unwrap()).text(DetailLevel::Deep);
        assert!(all.contains("Deep Pit"), "who designs is told: {all}");
        told.extend(why_not(&rules, game, key));
    }
    told.push(format!("{:?}", list_refused(&rules, game)));
    why.explain_to(seat);
    for key in ["swim", "cross"] {
        let option = why.explain_option(game, seat, key).unwrap();
        assert!(!option.possible, "{key}");
        told.push(WhyAnswer::Option(option).text(DetailLevel::Deep));
    }
    let told = told.join("\n");
    assert!(!told.contains("Deep Pit") && !told.contains("deep_pit") && !told.contains("traps.toml"), "{told}");
    assert!(told.contains("a card that you do not see forbids it") && told.contains("it costs more than there is"), "{told}");
}

#[test]
fn a_replay_through_the_eyes_of_one_seat_lists_no_other_hand() {
    let run = |more: &str| run_in(root(), &format!("--root tests/games replay tests/replays/orchard-3.replay --plain --at 1 {more}")).out;
    let asked = run("");
    let seat: usize = (1..=3).find(|seat| asked.contains(&format!("answers of tests/replays/orchard-3.replay: p{seat} is asked"))).unwrap();
    let other = if seat == 1 { 2 } else { 1 };
    let [own, theirs] = [seat, other].map(|seat| run(&format!("--eyes p{seat}")));
    assert!(own.contains("\n  1 "), "{own}");
    assert!(!theirs.contains("\n  1 ") && theirs.contains("is asked"), "{theirs}");
    assert!(!theirs.contains("state "), "what hidden hands come to is not told before the end: {theirs}");
}

/// Who guesses a bid that another has sealed is right as often as by chance: one time in ten.
#[test]
fn machine_players_guess_a_hidden_counter_at_chance_level() {
    let (_, _, rules) = made("sealed", 2);
    let offset = rules.seat.iter().find(|variable| variable.name == "bid").unwrap().offset as usize;
    let mut seats = SeatAgents::new(&parse_agents("greedy", 2).unwrap());
    let (mut right, mut guesses) = (0_u64, 0_u64);
    for seed in 0..200 {
        let (mut game, mut scripts) = (Game::new(&rules, seed), host(&rules));
        seats.begin_game(seed);
        while game.on(&rules).advance(&mut scripts).unwrap().is_some() {
            let chosen = seats.choose(&rules, &game, &mut scripts).unwrap();
            let open = game.decision().unwrap();
            if open.question.text(&rules).starts_with("guesses") {
                let bid = game.cells()[rules.layout.seat(1 - open.seat, offset)];
                right += u64::from(open.options[chosen].text(&rules) == format!("choose {bid}"));
                guesses += 1;
            }
            game.on(&rules).answer(&mut scripts, chosen).unwrap();
        }
    }
    // 120 are expected; the bounds are more than five standard deviations away.
    assert_eq!(guesses, 1200);
    assert!((60..180).contains(&right), "{right} of {guesses} are right");
}

fn play_sealed(rules: &Arc<Ruleset>, until: impl Fn(&Game) -> bool) -> Session {
    let mut session = session(rules, 7);
    while !until(session.game()) {
        session.answer(0, &[]).unwrap();
    }
    session
}

fn is_asked(game: &Game, rules: &Ruleset, question: &str) -> bool {
    game.decision().is_some_and(|open| open.question.text(rules).starts_with(question))
}

#[test]
fn a_seat_is_shown_its_own_values_and_what_was_shown_to_it() {
    let (_, _, rules) = made("sealed", 2);
    let mut session = play_sealed(&rules, |game| is_asked(game, &rules, "shows"));
    let asked = session.decision().unwrap().seat;
    let text = |session: &Session, seat: usize| serde_json::to_value(describe_view(&rules, &session.game().view_of(&rules, seat))).unwrap();
    let (mine, theirs) = (text(&session, asked), text(&session, 1 - asked));
    for name in ["chip", "bid", "trump", "rival", "mole", "vowed", "code"] {
        assert_eq!(theirs["seats"][asked]["has"][name], "hidden", "{name}");
        assert_ne!(mine["seats"][asked]["has"][name], "hidden", "{name}");
    }
    assert_eq!(theirs["seats"][asked]["pools"]["cup"], serde_json::json!({ "hidden": 3 }));
    assert_eq!((&mine["table"]["has"]["dial"], &mine["table"]["pools"]["bag"]["hidden"]), (&"hidden".into(), &10.into()));
    assert!(theirs["seats"][asked]["points"].is_null() && mine["seats"][asked]["points"].is_number());
    take(&mut session, "choose show");
    let seen = text(&session, 1 - asked);
    assert_eq!(seen["seats"][asked]["has"]["bid"], mine["seats"][asked]["has"]["bid"]);
    assert_eq!(seen["seats"][asked]["pools"]["cup"], mine["seats"][asked]["pools"]["cup"]);
    assert_eq!(seen["seats"][asked]["has"]["chip"], "hidden");
    assert!(session.check_undo(asked).unwrap_err().contains("revealed"));
    // When the game is over, everything is seen.
    let over = play_sealed(&rules, |game| game.finished());
    let seen = text(&over, 0);
    assert!(seen["seats"][1]["has"]["chip"].is_number() && seen["table"]["has"]["dial"].is_number());
    assert!(seen["seats"][1]["points"].is_number());
}

#[test]
fn the_log_tells_amounts_that_rest_on_nothing_hidden() {
    let (_, _, rules) = made("sealed", 2);
    let session = play_sealed(&rules, |game| is_asked(game, &rules, "guesses"));
    let lines: Vec<&str> = session.game().log_for(1, 0).collect();
    for (told, wanted) in [
        ("p1: answers in secret", true),
        ("p1 gains 11 chip", true),
        ("p1 loses some chip", false),
        ("p1 gains 1 chip", true),
        ("p1 rolls bone in secret", true),
        ("p1: choose mole", false),
        ("p1: choose 1", false),
    ] {
        assert_eq!(lines.contains(&told), wanted, "{told}: {lines:#?}");
    }
    assert!(lines.iter().any(|line| line.starts_with("p1: 1 ") && line.ends_with("tokens from bag to purse")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.starts_with("p2: 1 ") && !line.contains("tokens")), "{lines:#?}");
    // A loss of nothing is not told at all.
    let mut session = self::session(&rules, 8);
    while !is_asked(session.game(), &rules, "guesses") {
        let options = session.decision().unwrap().options.len();
        session.answer(options - 1, &[]).unwrap();
    }
    let lines: Vec<&str> = session.game().log_for(1, 0).collect();
    assert!(lines.contains(&"p1 loses some chip") && lines.contains(&"p2 loses 3 chip"), "{lines:#?}");
    assert!(lines.contains(&"p1: answers in secret") && !lines.contains(&"p1: choose loyal"), "silence would tell as much: {lines:#?}");
}

#[test]
fn why_tells_no_hidden_value_of_another() {
    let (sources, text, rules) = made("sealed", 2);
    let session = play_sealed(&rules, |game| is_asked(game, &rules, "trading"));
    let (game, seat) = (session.game(), session.decision().unwrap().seat);
    let mut why = Why::open(&sources, &text, &houserule::lang::Setup { players: 2, ..Default::default() }, &mut Vec::new()).unwrap();
    let told = |why: &mut Why| WhyAnswer::Option(why.explain_option(game, seat, "buy").unwrap()).text(DetailLevel::Deep);
    let all = told(&mut why);
    why.explain_to(seat);
    let seen = told(&mut why);
    let chips = game.position(&rules).value_of(1 - seat, "chip").unwrap();
    assert!(all.contains(&format!("{chips}")) && all.contains("left"), "who designs is told: {all}");
    assert!(seen.lines().all(|line| !line.contains(&format!(" {chips}"))), "{chips}: {seen}");
}

/// Whoever asks why a card cannot be chosen that nobody has shown to it hears the same, whether it lies in a hand or in a deck.
#[test]
fn asking_for_a_card_that_is_not_known_tells_nothing_of_where_it_lies() {
    let (sources, text, rules) = made("gropes", 3);
    let setup = houserule::lang::Setup { players: 3, ..Default::default() };
    let mut compared = 0;
    play(&rules, &mut host(&rules), 3, |game, _, number| {
        let seat = game.decision().unwrap().seat;
        let other = another(&rules, game, seat, number);
        let mut why = Why::open(&sources, &text, &setup, &mut Vec::new()).unwrap();
        why.explain_to(seat);
        for verb in ["choose", "grope"] {
            for mask in 1..=6 {
                let key = format!("{verb} mask_{mask}");
                let told = [game, &other]
                    .map(|game| why.explain_option(game, seat, &key).map(|told| WhyAnswer::Option(told).text(DetailLevel::Deep)));
                assert_eq!(told[0].as_ref().ok(), told[1].as_ref().ok(), "question {number}, p{}: {key}", seat + 1);
                compared += u32::from(told[0].is_ok());
            }
        }
    });
    assert!(compared > 50, "only {compared} answers were compared");
}
