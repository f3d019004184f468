//! What the engine does, told by small games in `tests/engine`, which is a root like that of a designer:
//!
//! * `tests/*.toml`: scenarios, each with what it adds to the rules
//! * `plays.toml`: what a scenario has no line for: all that is offered, in its order; faults; what the log tells whom; who is first
//! * `values.toml`: what expressions come to, by their code and by a plain walk
//!
//! What cannot be told by a text, such as saving and imagining, stands below.

use crate::support::{host, loaded, root, rules_of, run_in};
use houserule::engine::decision::{Act, Question};
use houserule::engine::eval::Env;
use houserule::engine::node::Called;
use houserule::engine::{Fault, Game, NoScripts, Opt, Ruleset};
use houserule::lang::{GameText, Setup};
use houserule::pack::Text;
use houserule::scenario::position::position;
use houserule::source::{FileId, Sources, Span};
use houserule::state::chance::{hash_text, join};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

fn folder() -> PathBuf {
    root().join("tests/engine")
}

fn read<T: for<'t> Deserialize<'t>>(name: &str) -> T {
    let text = std::fs::read_to_string(folder().join(name)).expect("a file");
    toml::from_str(&text).unwrap_or_else(|wrong| panic!("{name}: {wrong}"))
}

#[test]
fn the_scenarios_hold() {
    let files = Sources::read_dir(&folder().join("tests"), "toml").expect("scenarios");
    let texts: Vec<String> = files.iter().map(|file| std::fs::read_to_string(file).expect("a file")).collect();
    for game in ["roam", "ring", "sowing", "vigil", "pairs", "yards", "stack", "ends", "purses", "circle", "rails", "plots", "hints"] {
        let of_game = texts.iter().filter(|text| text.contains(&format!("game = \"{game}\"")));
        let written: usize = of_game.map(|text| text.matches("\n[[scenario]]\n").count()).sum();
        run_in(root(), &format!("--root tests/engine test {game}")).ends(0).prints(&[&format!("{written} passed, 0 failed")]);
    }
}

/// A game of `tests/engine`, with what is added to it.
fn text(game: &str, packs: &[String], with: &str) -> (Sources, GameText) {
    let packs: Vec<PathBuf> = packs.iter().map(|pack| folder().join("with").join(pack)).collect();
    loaded(&folder(), game, &packs, if with.is_empty() { &[] } else { std::slice::from_ref(&with) })
}

/// The position that lines of a scenario lead to, at the next question.
fn at(text: &GameText, setup: &Setup, given: &str, when: &str) -> (Arc<Ruleset>, Game) {
    let [given, when] = [given, when].map(|text| {
        let span = Span { file: FileId(0), start: 0, end: text.len() as u32 };
        Text { text: text.to_string(), span }
    });
    position(text, setup, 1, &given, &when).unwrap_or_else(|wrong| panic!("{wrong:?}"))
}

// ------------------------------------------------------------------ plays

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plays {
    play: Vec<Play>,
}

/// A game from its beginning up to a question, or to a fault, and what holds there. A field that is not there is not looked at.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Play {
    name: String,
    game: Option<String>,
    players: Option<usize>,
    packs: Vec<String>,
    /// What is added to the rules.
    with: String,
    /// A card that is dealt to the first player from the start.
    deal: Option<String>,
    /// Lines of a scenario to begin with, in place of set-up as in a game.
    given: Option<String>,
    when: String,
    /// The answers that are given, `KEY x2` for the same twice. Where a fault is expected and none is named, everybody passes.
    answers: Vec<String>,

    // What must hold at the question that comes then.
    /// Who is asked.
    asked: Option<String>,
    /// What the question is called.
    question: Option<String>,
    /// All that is offered, in its order.
    offered: Option<Vec<String>>,
    /// How many different answers are offered.
    offers: Option<usize>,
    /// Whether a block is under way in which all act at once.
    at_once: Option<bool>,
    /// What each player has of a resource, counter or flag.
    values: BTreeMap<String, Vec<i64>>,
    /// The cards in a place, in their order.
    cards: BTreeMap<String, Vec<String>>,
    /// Where a card is said to be.
    lies: BTreeMap<String, String>,
    /// Who knows the cards in a place.
    known: BTreeMap<String, Vec<String>>,
    /// Why an action is refused to a player: the name of each reason, and the reason.
    refused: BTreeMap<String, Vec<String>>,
    /// Lines of the log.
    told: Vec<Told>,
    /// Who has won.
    winners: Option<Vec<String>>,
    standing: Option<Vec<String>>,
    /// The place, the points, and what the state is worth, of each player.
    places: Option<Vec<usize>>,
    score: Option<Vec<i64>>,
    worth: Option<Vec<i64>>,

    // What must hold of the fault that comes then.
    /// What it says.
    fault: Option<String>,
    /// What was running, the innermost first.
    running: Option<Vec<String>>,
    /// How many frames were running.
    frames: Option<usize>,
    /// The seed, how many answers had been given, and the round.
    met: Option<(u64, i32, i32)>,
    /// How many other places have to do with it.
    also: Option<usize>,
    /// How many lines the log had.
    lines: Option<usize>,
}

/// The lines of the log in which some words stand: all of them, or those that a player is told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    with: String,
    to: Option<String>,
    are: Vec<String>,
}

fn seat(name: &str) -> usize {
    name.strip_prefix('p').and_then(|number| number.parse::<usize>().ok()).unwrap_or_else(|| panic!("`{name}` is no player")) - 1
}

fn names(seats: impl IntoIterator<Item = usize>) -> Vec<String> {
    seats.into_iter().map(|seat| format!("p{}", seat + 1)).collect()
}

/// The answers that can be given, in words.
fn options(rules: &Ruleset, game: &Game) -> Vec<String> {
    game.decision().map_or(Vec::new(), |decision| decision.options.iter().map(|option| option.text(rules)).collect())
}

fn id(rules: &Ruleset, card: usize) -> String {
    rules.names.text(rules.definition(card).id).to_string()
}

/// The piece of a card.
fn piece(rules: &Ruleset, id: &str) -> usize {
    let definition = rules.find_definition(id).unwrap_or_else(|| panic!("no card `{id}`"));
    rules.piece_definition.iter().position(|of| *of as usize == definition).expect("a piece of it")
}

/// A place of the table, or of a player: `row`, `p1.den`.
fn cards_in(rules: &Ruleset, game: &Game, place: &str) -> Vec<usize> {
    let (of, name) = place.split_once('.').map_or((0, place), |(player, name)| (seat(player), name));
    let declared = rules.find_place(name).unwrap_or_else(|| panic!("no place `{name}`"));
    game.position(rules).all_in(rules.places[declared].first_instance as usize + of)
}

/// Why an action is refused: `p1: fetch grey_wolf`.
fn refusals(rules: &Ruleset, game: &mut Game, key: &str) -> Vec<String> {
    let (player, words) = key.split_once(": ").expect("a player and an action");
    let (action, card) = words.split_once(' ').expect("an action and a card");
    let index = rules.actions().iter().position(|declared| rules.names.text(declared.name) == action).expect("an action");
    let found = game.on(rules).refusals(seat(player), index as u16, [piece(rules, card) as i32, -1, -1]);
    found.into_iter().map(|refusal| format!("{}: {}", refusal.name, refusal.reason)).collect()
}

impl Play {
    fn expects_fault(&self) -> bool {
        self.fault.is_some()
    }

    fn rules(&self) -> (GameText, Setup, Arc<Ruleset>) {
        let (sources, text) = text(self.game.as_deref().unwrap_or("roam"), &self.packs, &self.with);
        let deal = self.deal.iter().map(|card| (card.clone(), Some(0))).collect();
        let setup = Setup { players: self.players.unwrap_or(2), deal, ..Setup::default() };
        let rules = rules_of(&sources, &text, &setup);
        (text, setup, rules)
    }

    /// Plays from the beginning.
    fn play(&self, rules: &Arc<Ruleset>) -> (Game, Option<Fault>) {
        let mut scripts = host(rules);
        let mut game = Game::new(rules, 1);
        game.keep_log();
        let times = |key: &str| key.rsplit_once(" x").and_then(|(key, times)| Some((key.to_string(), times.parse().ok()?)));
        let keys = self.answers.iter().map(|key| times(key).unwrap_or_else(|| (key.clone(), 1)));
        let mut keys: std::vec::IntoIter<String> = keys.flat_map(|(key, times)| vec![key; times]).collect::<Vec<_>>().into_iter();
        loop {
            match game.on(rules).advance(&mut scripts) {
                Err(fault) if keys.len() == 0 => return (game, Some(fault)),
                Err(fault) => panic!("{}: {fault} with {} answers left", self.name, keys.len()),
                Ok(None) => return (game, None),
                Ok(Some(_)) => {}
            }
            let option = match keys.next() {
                Some(key) => {
                    game.find_option(rules, &key).unwrap_or_else(|| panic!("{}: no `{key}` in {:?}", self.name, options(rules, &game)))
                }
                None if self.expects_fault() && self.answers.is_empty() => game.find_option(rules, "pass").unwrap_or(0),
                None => return (game, None),
            };
            match game.on(rules).answer(&mut scripts, option) {
                Err(fault) if keys.len() == 0 => return (game, Some(fault)),
                Err(fault) => panic!("{}: {fault} with {} answers left", self.name, keys.len()),
                Ok(()) => {}
            }
        }
    }

    fn look(&self) {
        let (text, setup, rules) = self.rules();
        if let Some(given) = &self.given {
            let (rules, game) = at(&text, &setup, given, &self.when);
            return self.look_at_question(&rules, game);
        }
        let (game, fault) = self.play(&rules);
        match fault {
            None => self.look_at_question(&rules, game),
            Some(fault) => self.look_at_fault(&game, &fault),
        }
    }

    fn look_at_question(&self, rules: &Ruleset, mut game: Game) {
        let name = &self.name;
        assert!(!self.expects_fault(), "{name}: no fault comes");
        let decision = game.decision();
        self.same("who is asked", &self.asked, || format!("p{}", decision.map_or(0, |decision| decision.seat + 1)));
        self.same("the question", &self.question, || decision.map_or(String::new(), |decision| decision.question.text(rules)));
        self.same("what is offered", &self.offered, || options(rules, &game));
        self.same("how much is offered", &self.offers, || options(rules, &game).into_iter().collect::<BTreeSet<_>>().len());
        self.same("all at once", &self.at_once, || game.in_simultaneous_block());
        for (what, wanted) in &self.values {
            let found: Vec<_> = (0..rules.players).filter_map(|seat| game.position(rules).value_of(seat, what)).collect();
            assert_eq!((&found, what), (wanted, what), "{name}");
        }
        for (place, wanted) in &self.cards {
            let found: Vec<String> = cards_in(rules, &game, place).into_iter().map(|card| id(rules, card)).collect();
            assert_eq!((&found, place), (wanted, place), "{name}");
        }
        for (card, wanted) in &self.lies {
            assert_eq!(&game.position(rules).place_name(piece(rules, card)), wanted, "{name}: {card}");
        }
        for (place, wanted) in &self.known {
            let cards = cards_in(rules, &game, place);
            assert!(!cards.is_empty(), "{name}: nothing lies in {place}");
            for card in cards {
                assert_eq!(&names((0..rules.players).filter(|&seat| game.position(rules).knows(seat, card))), wanted, "{name}: {place}");
            }
        }
        for (key, wanted) in &self.refused {
            assert_eq!(&refusals(rules, &mut game, key), wanted, "{name}: {key}");
        }
        for Told { with, to, are } in &self.told {
            let all: Vec<&str> = match to {
                Some(player) => game.log_for(seat(player), 0).collect(),
                None => game.log().iter().map(String::as_str).collect(),
            };
            let found: Vec<&str> = all.iter().copied().filter(|line| line.contains(with.as_str())).collect();
            assert_eq!(found, *are, "{name}: {to:?} is told of {with} in {all:#?}");
        }
        self.same("who has won", &self.winners, || names(game.store(rules).winners()));
        self.same("the standing", &self.standing, || names(game.store(rules).standing()));
        self.same("the places", &self.places, || game.store(rules).final_ranks());
        let each = |of: &mut dyn FnMut(usize) -> i64| (0..rules.players).map(of).collect::<Vec<i64>>();
        self.same("the points", &self.score, || each(&mut |seat| game.store(rules).score(seat)));
        self.same("the worth", &self.worth, || each(&mut |seat| game.store(rules).worth(seat, rules.default_style())));
    }

    fn look_at_fault(&self, game: &Game, fault: &Fault) {
        assert!(self.expects_fault(), "{}: {fault}", self.name);
        self.same("the fault", &self.fault, || fault.message.clone());
        let trace = || fault.trace.clone().expect("a trace");
        self.same("what was running", &self.running, || trace().frames.into_iter().map(|frame| frame.0).collect());
        self.same("how many frames there were", &self.frames, || trace().frames.len());
        self.same("when it was met", &self.met, || (trace().seed, trace().decision, trace().round));
        self.same("what else has to do with it", &self.also, || fault.also.len());
        self.same("how long the log was", &self.lines, || game.log().len());
    }

    /// A fact, if it is looked at.
    fn same<T: PartialEq + std::fmt::Debug>(&self, what: &str, wanted: &Option<T>, mut found: impl FnMut() -> T) {
        if let Some(wanted) = wanted {
            assert_eq!(&found(), wanted, "{}: {what}", self.name);
        }
    }
}

#[test]
fn the_plays_go_as_they_say() {
    let Plays { play } = read("plays.toml");
    let wrong: Vec<&str> =
        play.iter().filter(|play| std::panic::catch_unwind(|| play.look()).is_err()).map(|play| play.name.as_str()).collect();
    assert!(wrong.is_empty(), "of {} plays these go otherwise: {wrong:#?}", play.len());
}

// ------------------------------------------------------------------ values

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    given: String,
    value: Vec<Value>,
}

/// What a definition comes to for the first player.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Value {
    name: String,
    /// What else is defined.
    #[serde(default)]
    with: String,
    of: String,
    /// The value of its parameter `n`; as the index of a word, 0 is the first resource.
    #[serde(default)]
    n: i32,
    is: i64,
}

#[test]
fn expressions_come_to_what_they_say_by_code_and_by_a_plain_walk() {
    let Values { given, value } = read("values.toml");
    for Value { name, with, of, n, is } in value {
        let (_, text) = text("yards", &[], &format!("{with}\nadd define asked(n) = {of}"));
        let (rules, mut game) = at(&text, &Setup { players: 2, ..Setup::default() }, &given, "");
        let signature = rules.signatures.iter().find(|signature| signature.name == "asked").expect("a definition");
        let Called::Expression(node) = signature.called else { panic!("{signature:?}") };
        let mut env = Env::with_locals(0, &[-1, n]);
        let by_code = game.store(&rules).eval(node, &mut env);
        let told = game.store(&rules).take_arithmetic_fault();
        assert_eq!((by_code, told, game.store(&rules).plain_value(node, &env)), (is, None, Some(is)), "{name}: {of}");
    }
}

// ------------------------------------------------------------------ what a text cannot tell

/// The small game for two, with what is added, and a game of it at its first question.
fn game(with: &str) -> (Arc<Ruleset>, Game) {
    let (sources, text) = text("roam", &[], with);
    let rules = rules_of(&sources, &text, &Setup { players: 2, ..Setup::default() });
    let game = begun(&rules, 1);
    (rules, game)
}

fn begun(rules: &Ruleset, seed: u64) -> Game {
    let mut game = Game::new(rules, seed);
    game.keep_log();
    assert!(game.on(rules).advance(&mut NoScripts).is_ok());
    game
}

/// Gives an answer, and goes on to the next question.
fn answer(rules: &Ruleset, game: &mut Game, key: &str) {
    let option = game.find_option(rules, key).unwrap_or_else(|| panic!("no `{key}` in {:?}", options(rules, game)));
    assert_eq!(game.on(rules).answer(&mut NoScripts, option), Ok(()));
    assert!(game.on(rules).advance(&mut NoScripts).is_ok());
}

fn values(rules: &Ruleset, game: &Game, name: &str) -> Vec<i64> {
    (0..rules.players).filter_map(|seat| game.position(rules).value_of(seat, name)).collect()
}

#[test]
fn decks_lie_and_are_shuffled_in_an_order_of_the_seed_that_nobody_knows() {
    let (rules, _) = game("extend setup { fill row from pile; shuffle cards in row into pile }");
    let orders = |begin: &dyn Fn(u64) -> Game| {
        let piles = (0..20).map(|seed| {
            let game = begin(seed);
            let pile = cards_in(&rules, &game, "pile");
            assert!(pile.len() == 6 && pile.iter().all(|&card| [0, 1].iter().all(|&seat| !game.position(&rules).knows(seat, card))));
            pile
        });
        piles.collect::<BTreeSet<_>>().len()
    };
    assert!(orders(&|seed| Game::new(&rules, seed)) > 15);
    assert!(orders(&|seed| begun(&rules, seed)) > 15);
}

#[test]
fn an_answer_is_in_the_view_of_the_next_unless_it_is_secret() {
    for (secretly, is_told) in [("secretly ", false), ("", true)] {
        let body = "player chooses { \"more\" { gain 1 wisp } \"less\" { lose 1 wisp } }";
        let (rules, game) = game(&format!("extend dusk {{ step night {{ all players {secretly}{{ {body} }} }} }}"));
        let [more, less] = ["choose more", "choose less"].map(|key| {
            let mut game = game.clone();
            answer(&rules, &mut game, key);
            assert_eq!(game.decision().map(|decision| decision.seat), Some(0));
            game.view(&rules)
        });
        assert_eq!(more != less, is_told, "{secretly}");
    }
}

#[test]
fn a_saved_game_goes_on_in_the_middle_of_an_action_that_then_ends() {
    let (rules, mut first) =
        game("extend roam { action wait { does { once += 1; player chooses { \"a\" { gain 1 wisp } \"b\" { gain 2 wisp } } } } }");
    answer(&rules, &mut first, "wait");
    let mut loaded = Game::default();
    assert_eq!(loaded.on(&rules).load(&mut NoScripts, &first.save()), Ok(()));
    assert_eq!((loaded.decision(), loaded.hash()), (first.decision(), first.hash()));
    for game in [&mut first, &mut loaded] {
        assert_eq!(values(&rules, game, "once"), [1, 0]);
        answer(&rules, game, "choose b");
        assert_eq!(
            [values(&rules, game, "wisp"), values(&rules, game, "once")],
            [[5, 3], [0, 0]],
            "what lasts for an action has ended with it"
        );
    }
    assert_eq!(loaded.save(), first.save());
}

#[test]
fn a_clone_is_the_game_whatever_was_there_before_and_a_game_begun_anew_is_as_a_new_one() {
    let (rules, first) = game("extend setup { fill row from pile }");
    let (_, mut second) = game("extend setup { moon = 3 }");
    second.clone_from(&first);
    let all = |game: &Game| (game.hash(), game.decision().cloned(), game.log().to_vec(), game.save());
    assert_eq!(all(&second), all(&first));
    answer(&rules, &mut second, "pass");
    assert_ne!(second.hash(), first.hash());
    second.restart(&rules, 9);
    assert_eq!((second.save(), second.seed()), (Game::new(&rules, 9).save(), 9));
    assert_ne!(second.save(), Game::new(&rules, 10).save());
}

#[test]
fn what_is_hidden_is_imagined_in_any_order_and_what_is_open_stays() {
    let (rules, game) = game("extend setup { fill row from pile }");
    let view = game.view(&rules).expect("a question is open");
    let tops = (0..30).map(|random| {
        let mut imagined = Game::default();
        assert_eq!(view.imagine(&rules, &mut NoScripts, random, &mut imagined), Ok(()));
        assert_eq!(cards_in(&rules, &imagined, "row"), cards_in(&rules, &game, "row"));
        assert_eq!(options(&rules, &imagined), options(&rules, &game));
        assert_ne!(imagined.seed(), game.seed());
        cards_in(&rules, &imagined, "pile").last().copied()
    });
    assert_eq!(tops.collect::<BTreeSet<_>>().len(), 2, "either of the two cards that are left may lie on top");
}

#[test]
fn an_answer_stops_where_the_state_is_at_rest() {
    let (rules, mut game) = game("extend dusk { step growth { each player chooses { \"wisp\" { gain 1 wisp } \"fog\" { gain 1 fog } } } }");
    assert_eq!(game.on(&rules).answer(&mut NoScripts, 0), Ok(()));
    assert!(game.decision().is_none(), "the next seat is not asked yet");
    assert_eq!(values(&rules, &game, "wisp"), [4, 3]);
    assert!(matches!(game.on(&rules).advance(&mut NoScripts), Ok(Some(decision)) if decision.seat == 1));
    answer(&rules, &mut game, "choose fog");
    let found = game.on(&rules).answer(&mut NoScripts, 7).map_err(|fault| fault.message);
    assert_eq!(found, Err("there is no option 7; there are 1".to_string()));
    assert_eq!(options(&rules, &game), ["pass"], "the question is still open");
}

#[test]
fn parts_are_run_one_by_one() {
    let (rules, _) = game("extend dusk { step growth { moon += 1 } }");
    let mut game = Game::new(&rules, 1);
    let mut seen = Vec::new();
    while game.decision().is_none() {
        seen.push(game.program_part());
        assert_eq!(game.on(&rules).advance_part(&mut NoScripts), Ok(()));
    }
    assert!(seen.is_sorted() && seen.len() > 4, "{seen:?}");
    let turns = game.program_part();
    game.drop_turn();
    assert_eq!(game.on(&rules).jump_to(turns - 3), Ok(()));
    assert_eq!(game.program_part(), turns - 3);
    assert!(game.on(&rules).jump_to(99).is_err());
}

#[test]
fn an_option_and_a_question_have_the_hash_of_their_words() {
    let answers = "\"wisp\" { } \"roll on\" { } each n in 0 to 3 { } each card in row { } \"send\" each card in row { } \
        \"bid {n} of {f}\" each n in 1 to 3, f in 1 to 3 { } \"rob\" each other in other players { } each r in wisp, fog { }";
    let (rules, _) = game(&format!("extend setup {{ each player {{ player chooses {{ {answers} }} }} }}"));
    let choose = hash_text("choose");
    let word = rules.names.find("wisp").expect("a name");
    let asked = rules.questions.iter().find(|asked| asked.choices.len() == 8).expect("the question");
    let answer = |nth: usize, args| Act::Choice(asked.choices[nth], args);
    let hash = |key: &str| key.split(' ').map(hash_text).reduce(join).expect("a word");
    let table = [
        (Act::Word(word), "choose wisp", hash("choose wisp")),
        (Act::Nothing, "choose nothing", hash("choose nothing")),
        (Act::Card(0), "choose grey_wolf", hash("choose grey_wolf")),
        (Act::Choice(0, [0, -1, -1]), "fetch grey_wolf", hash("fetch grey_wolf")),
        (Act::Choice(0, [1, -1, -1]), "fetch red_wolf", hash("fetch red_wolf")),
        (answer(0, [-1; 3]), "choose wisp", hash("choose wisp")),
        (answer(1, [-1; 3]), "roll on", hash_text("roll on")),
        (answer(3, [0, -1, -1]), "choose grey_wolf", hash("choose grey_wolf")),
        (answer(4, [1, -1, -1]), "send red_wolf", hash("send red_wolf")),
        (answer(5, [3, 2, -1]), "bid 3 of 2", hash("bid 3 of 2")),
        (answer(6, [1, -1, -1]), "rob p2", hash("rob p2")),
        (answer(7, [0, -1, -1]), "choose wisp", hash("choose wisp")),
    ];
    for (act, words, key) in table {
        let option = Opt::new(&rules, act);
        assert_eq!((option.text(&rules).as_str(), option.key), (words, key));
    }
    for n in [0, 7, 40, i32::MAX, i32::MIN, -3] {
        let option = Opt::new(&rules, answer(2, [n, -1, -1]));
        assert_eq!((option.text(&rules), option.key), (format!("choose {n}"), join(choose, hash_text(&n.to_string()))));
    }
    assert_eq!(Opt { nth: 1, ..Opt::new(&rules, Act::Card(0)) }.text(&rules), "choose grey_wolf #2");
    for question in [Question::Turn(0), Question::Rules(0), Question::Card(0), Question::Cover, Question::Payment] {
        assert_eq!(question.hash(&rules), hash_text(&question.text(&rules)));
    }
    assert_eq!(Question::Card(0).text(&rules), format!("{}.answer", rules.names.text(rules.definitions[0].id)));
}
