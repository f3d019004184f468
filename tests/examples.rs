//! Every example of the grammar, of the keys of cards and packs, and of the natives of scripts is put into the small game of
//! `grammar/example.rules` and `grammar/example.toml`, checked, and run. An example that does nothing there is no example.

mod keys;
mod scenarios;

use crate::support::{Folder, folder, host, pick};
use houserule::diagnostic::render::render;
use houserule::engine::Game;
use houserule::lang::built_in::{BUILT_INS, NameContext};
use houserule::lang::{self, Setup};
use houserule::script::{check_scripts, natives};
use houserule::source::Sources;
use houserule::state::chance::join;
use houserule::syntax::reference::{Construct, EXAMPLE_CARDS, EXAMPLE_GAME, reference};
use std::sync::{Arc, LazyLock};

/// What stands once in a game or block, whatever follows its first word.
const ONLY_ONES: [&str; 14] =
    ["game", "players", "hearing", "setup", "rounds", "turns", "before", "cost", "does", "always", "score", "wins", "worth", "exchange"];

/// The small game with an example in it.
struct Wood {
    rules: String,
    cards: String,
    with: Vec<String>,
    deal: Vec<(String, Option<usize>)>,
}

impl Wood {
    fn new() -> Wood {
        Wood { rules: EXAMPLE_GAME.to_string(), cards: EXAMPLE_CARDS.to_string(), with: Vec::new(), deal: Vec::new() }
    }

    /// With a line where the game has one that begins so, or beside its like.
    fn line(line: &str) -> Wood {
        let mut wood = Wood::new();
        wood.rules = in_place(&wood.rules, line);
        wood
    }

    /// With a step of the night, among other things.
    fn step(statement: &str) -> Wood {
        Wood::line(&format!("step shown {{ {statement} }}"))
    }

    /// With further cards, of which one is in play from the start.
    fn card(cards: &str, dealt: &str) -> Wood {
        let mut wood = Wood::new();
        wood.cards.push_str(cards);
        wood.deal.push((dealt.to_string(), None));
        wood
    }

    fn with(with: &[&str]) -> Wood {
        Wood { with: with.iter().map(|text| text.to_string()).collect(), ..Wood::new() }
    }

    /// A folder with it, and what it is called.
    fn folder(&self) -> (Folder, String) {
        let game = self.rules.lines().find_map(|line| line.strip_prefix("game ")).expect("a game");
        let name = game.split(' ').next().expect("a name").to_string();
        let folder = folder(&[(&format!("rules/{name}.rules"), &self.rules), (&format!("cards/{name}/all.toml"), &self.cards)]);
        (folder, name)
    }

    /// Three, and four where there are teams of two.
    fn players(&self) -> usize {
        if self.rules.contains("\nteams of ") { 4 } else { 3 }
    }

    /// Checks it and plays some games of it: what happened in them, or what is wrong.
    fn played(&self) -> Result<Vec<String>, String> {
        let (folder, name) = self.folder();
        let (mut sources, mut found) = (Sources::new(), Vec::new());
        let rules = lang::load(&mut sources, Some(folder.path()), &name, &[], &self.with, &mut found).and_then(|text| {
            lang::compile(&text, &Setup { players: self.players(), deal: self.deal.clone(), ..Setup::default() }, &mut found)
        });
        let Some(rules) = rules.map(Arc::new).filter(|_| found.is_empty()) else { return Err(render(&sources, &found, false)) };
        found.extend(check_scripts(&rules));
        if !found.is_empty() {
            return Err(render(&sources, &found, false));
        }
        let (mut log, mut host) = (Vec::new(), host(&rules));
        for seed in 0..2 {
            let mut game = Game::new(&rules, seed);
            game.keep_log();
            for number in 0.. {
                let asked = game.on(&rules).advance(&mut host).map_err(|fault| fault.to_string())?.is_some();
                // What players have, and cards.
                let layout = &rules.layout;
                let cells = &game.cells()[layout.seat_base..layout.piece_base + layout.pieces * layout.piece_size];
                log.push(cells.iter().fold(seed, |hash, cell| join(hash, *cell as u64)).to_string());
                if !asked {
                    break;
                }
                let option = pick(&game, seed, number);
                game.on(&rules).answer(&mut host, option).map_err(|fault| fault.to_string())?;
                if number > 5_000 {
                    return Err("the game does not end".to_string());
                }
            }
            log.extend_from_slice(game.log());
        }
        Ok(log)
    }
}

/// How a line begins: its first two words; that by which it is recognized.
fn key(line: &str) -> Vec<&str> {
    let mut words = line
        .trim_start()
        .trim_start_matches("free ")
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    if ONLY_ONES.contains(&first) { vec![first] } else { [first].into_iter().chain(words.next()).collect() }
}

/// A text with a line in the place of the one with the same beginning, else before the first whose first word is the same, else at its end.
fn in_place(text: &str, line: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let wanted = key(line);
    let indent = |line: &str| line.len() - line.trim_start().len();
    let like = |all: bool| {
        let alike = |found: &&str| if all { key(found) == wanted } else { key(found).first() == wanted.first() };
        lines.iter().position(|found| !found.trim_start().starts_with("//") && alike(found))
    };
    let (from, to) = match (like(true), like(false)) {
        (Some(at), _) if lines[at].ends_with('{') => {
            let end = lines[at..].iter().position(|end| end.trim() == "}" && indent(end) == indent(lines[at])).expect("a closing brace");
            (at, at + end + 1)
        }
        (Some(at), _) => (at, at + 1),
        (None, Some(at)) => (at, at),
        (None, None) => (lines.len(), lines.len()),
    };
    let around = [&lines[..from], &[line], &lines[to..]];
    around.concat().join("\n") + "\n"
}

/// Where the names that a statement or value uses mean something.
const CONTEXTS: [&str; 7] = [
    "{}",
    "each player where wisp > 1 { {} }",
    "each player where payable sun from hand > 1 { {} }",
    "each player { each card in my yard { {} } }",
    "each player { each card in market { {} } }",
    "each player { each card in heath { {} } }",
    "each player { player picks any die in hand { {} } }",
];

/// Which statements show a value at work.
const VALUES: [&str; 6] = [
    "if {} { dens += 1 }",
    "passed = {}",
    "dens += {}",
    "if {} is wolf { dens += 1 }",
    "let found = {}; if found is there { dens += 1 }",
    "as {} { dens += 1 }",
];

/// Runs a statement where its names mean something, and looks whether it changes anything.
fn runs_in_some_context(statements: &[String]) -> Result<(), String> {
    static IDLE: LazyLock<Vec<String>> = LazyLock::new(|| Wood::new().played().expect("the small game is sound"));
    let mut told = Vec::new();
    for context in CONTEXTS {
        for statement in statements {
            match Wood::step(&context.replace("{}", statement)).played() {
                Ok(log) if log != *IDLE => return Ok(()),
                Ok(_) => told.push("nothing comes of it".to_string()),
                Err(wrong) => told.push(wrong),
            }
        }
    }
    // What says least is nearest to the mark.
    Err(told.into_iter().min_by_key(|told| told.len()).unwrap_or_default())
}

/// Checks and runs an example of the rules.
fn runs(construct: &Construct, example: &str) -> Result<(), String> {
    let value = |text: &str| VALUES.map(|value| value.replace("{}", text)).to_vec();
    let chapter = construct.chapter.split('.').next().unwrap_or_default();
    match (construct.rule.as_str(), chapter) {
        ("choice", _) => runs_in_some_context(&[format!("player chooses {{ {example} else {{ lose 1 moss }} }}")]),
        ("cards" | "within_steps", _) => runs_in_some_context(&value(&format!("count {example}"))),
        ("tokens", _) => runs_in_some_context(&value(&format!("number of {example} in hand"))),
        ("turn_ends", _) => {
            Wood::line(&format!("  before first action {{ lift all die in hand; roll hand }}\n  {example}")).played().map(drop)
        }
        ("drawn", _) => {
            let board = format!("board lawn 3 by 4 {{ counter owner of player; tally cubes by wind; {example} }}");
            Wood::line(&board).played().map(drop)
        }
        // What is hidden from its owner belongs to a player.
        ("place", _) if example.ends_with("from owner") => {
            let mut wood = Wood::new();
            wood.rules = wood.rules.replacen("\nplayer {\n", &format!("\nplayer {{\n  {example}\n"), 1);
            wood.played().map(drop)
        }
        // A card comes out of the box once for each player.
        ("put", _) => runs_in_some_context(&[format!("if first round {{ {example} }}")]),
        ("play_again" | "end_turn", _) => Wood::line(&format!("  action rest {{ does {{ {example}; passed = yes }} }}")).played().map(drop),
        (_, "8") => runs_in_some_context(&[example.to_string()]),
        (_, "9") => runs_in_some_context(&value(example)),
        ("teams", _) => {
            let mut wood = Wood::line(example);
            // Four players need no more cards than there are.
            wood.rules = wood
                .rules
                .lines()
                .filter(|line| !line.starts_with("needs more_for_four"))
                .fold(String::new(), |all, line| all + line + "\n");
            wood.played().map(drop)
        }
        ("wins", _) => {
            let mut wood = Wood::line(example);
            if example.contains("together") {
                wood.rules = wood.rules.replace("count my yard", "count all yard");
            }
            wood.played().map(drop)
        }
        ("variant", _) => Wood::with(&["variant poor { change bonus to 1 }", example]).played().map(drop),
        (_, "10") => Wood::with(&[example]).played().map(drop),
        ("card_costs", _) => {
            Wood::card(&format!("{CARD}[[card.action]]\ncost = \"{example}\"\ndo = \"gain(me, wisp, 1)\"\n"), "shown").played().map(drop)
        }
        ("card_ask", _) => {
            Wood::card(&format!("{CARD}[[card.on]]\nwhen = \"dusk\"\nask = \"{example}\"\ndo = \"debug(answer)\"\n"), "shown")
                .played()
                .map(drop)
        }
        (_, "3" | "4" | "5" | "6" | "7") => Wood::line(example).played().map(drop),
        _ => Err(format!("no test knows how to run an example of chapter {}", construct.chapter)),
    }
}

/// A card, up to its entries.
const CARD: &str =
    "\n[[card]]\nid = \"shown\"\nname = \"Shown\"\nkind = \"wolf\"\nage = 2\nset = \"base\"\nheight = 1\nyield = { wisp = 2 }\n";

/// Fails with all that is wrong.
fn all_well(wrong: &[String]) {
    assert!(wrong.is_empty(), "{} examples:\n\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_example_of_the_rules_is_checked_and_run() {
    let mut wrong = Vec::new();
    for construct in reference().with_examples().filter(|construct| !construct.chapter.contains("Scenarios")) {
        for example in &construct.examples {
            if let Err(why) = runs(construct, example) {
                wrong.push(format!("{}: {example}\n{why}", construct.rule));
            }
        }
    }
    all_well(&wrong);
}

/// Games with a card that hears `howl`: its entry has a condition, and does something.
fn heard(condition: &str, ask: &str, script: &str) -> Result<Vec<String>, String> {
    let howl = format!("when = \"howl\"\nwho = \"all\"\nif = \"{condition}\"\n{ask}do = [\"add_card(own, bites, 1)\", \"{script}\"]\n");
    let entry = format!("{CARD}[[card.on]]\n{howl}[[card.on]]\nwhen = \"dusk\"\ndo = \"gain(me, moss, 1)\"\n");
    Wood::card(&entry, "shown").played()
}

/// What a script does, where it can be paid and there is room.
fn runs_as_script(script: &str) -> Result<(), String> {
    static IDLE: LazyLock<Vec<String>> = LazyLock::new(|| heard("wisp > 0 and no den", "", "debug(0)").expect("the card is sound"));
    let ask = if script.contains("answer") { "ask = \"one of wisp, moss\"\n" } else { "" };
    if heard("wisp > 0 and no den", ask, script)? == *IDLE { Err("nothing comes of it".to_string()) } else { Ok(()) }
}

#[test]
fn every_example_of_a_native_is_checked_and_run() {
    let wrong = natives().iter().filter_map(|native| Some(format!("{}: {}", native.example, runs_as_script(native.example).err()?)));
    all_well(&wrong.collect::<Vec<_>>());
}

#[test]
fn every_example_of_a_built_in_name_is_checked_and_run() {
    let mut wrong = Vec::new();
    for known in &BUILT_INS {
        let ran = match known.place {
            NameContext::Value => runs_in_some_context(&VALUES.map(|value| value.replace("{}", known.example))),
            NameContext::Statement => runs_in_some_context(&[known.example.to_string()]),
            NameContext::Script => runs_as_script(known.example),
            NameContext::Entry => heard(known.example, "", "gain(me, wisp, 1)").map(drop),
        };
        wrong.extend(ran.err().map(|why| format!("{}: {}: {why}", known.pattern, known.example)));
    }
    all_well(&wrong);
}
