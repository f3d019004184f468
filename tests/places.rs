//! Every statement in every place where one may stand: each example of the grammar's statements, in each block that holds statements.
//! Where `check` allows it, it runs, and the game is the same by a plain walk, by generated code, and with its block wrapped: in
//! `unless` and `if`, and in `repeat 1`. What is refused, and why, stands in a table (`tests/snapshots/places.snap`).

use crate::support::host;
use houserule::agent::describe_view;
use houserule::diagnostic::{Diagnostic, Severity, render::render};
use houserule::engine::native::Native;
use houserule::engine::{Game, Ruleset};
use houserule::lang::{self, Setup};
use houserule::source::Sources;
use houserule::state::chance::join;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The game around a statement; the names are those of the grammar's examples.
const RULES: &str = r#"
game places "Places"
players 3
symbols sun, rain
words wind: north, east, south
tokens die { grey 12: sun | 2 sun | rain, sun | rain; red 6: rain | 2 rain, sun }
board lawn 2 by 3 { counter owner of player }
track path to 6 { reaching 3, 6 { gain 1 wisp }; leaving 0 { lose 1 moss }; beyond { gain 2 wisp } }
table {
  deck pile by epoch of wolf, wall
  grid market 3 by 4
  grid moor 3 by 4
  pool box, full
  counter moon
}
player {
  resource wisp, moss
  counter dens
  set short of resource
  tally seen by kind
  tally blown by wind
  tally last_paid by resource
  place yard of wolf, wall, post: 90
  place den of wolf, wall: 30
  pool hand
  flag passed, done
}
card { counter bites }
kind wolf { slot yard; height: number; epoch: number }
kind wall { slot yard; height: number; epoch: number }
kind post { slot yard; height: number }
zone play = yard, den
hearing play
stat fame = wisp + moss + sum card.height of my yard
rank most x = top 1 by x, ties at the edge in
condition "most famous" = most fame
effect storm(n) { gain n wisp; lose 1 moss }
{definitions}
setup {
  each player { gain 3 wisp; gain 2 moss; draw 2 from pile[1] to den; draw 2 from pile[1] to yard; take 3 die from box to hand; roll hand }
  fill market from pile[2]
  {setup}
}
rounds 2 of dawn, roam
phase dawn {
  {phase}
}
phase roam {
  turns in order until all have done, 6 each
  {actions}
  action feed card in my den { does { card.bites += 1; place card in yard } }
  action lift { does { lift all die in hand; roll hand } }
  action pass { does { done = yes } }
  step evening { each player { done = no } }
}
score { "points" = wisp + 2 * moss + count my yard + sum card.bites of my yard }
wins highest score, then order
"#;

/// The blocks that hold statements: a name, where it stands, and what stands around `{}`.
const BLOCKS: [(&str, Part, &str); 31] = [
    ("does", Part::Action, "{}"),
    ("does, of a card", Part::CardAction, "{}"),
    ("if", Part::Action, "if moon < 90 { {} }"),
    ("else", Part::Action, "if moon > 90 { gain 1 moss } else { {} }"),
    ("unless", Part::Action, "unless moon > 90 { {} }"),
    ("for numbers", Part::Action, "for k in 1 to 2 { {} }"),
    ("for resources", Part::Action, "for kept in wisp, moss { {} }"),
    ("for words", Part::Action, "for gust in wind { {} }"),
    ("repeat", Part::Action, "repeat 2 { {} }"),
    ("repeat until", Part::Action, "let begun = moon; repeat until moon > begun + 1 { moon += 1; {} }"),
    ("each player", Part::Action, "each player { {} }"),
    ("each other player", Part::Action, "each other player in reverse order { {} }"),
    ("all players", Part::Action, "all players { {} }"),
    ("all secretly", Part::Action, "all players secretly { {} }"),
    ("each card", Part::Action, "each card in my yard { {} }"),
    ("each word", Part::Action, "each gust in wind { {} }"),
    ("as player", Part::Action, "as left { {} }"),
    ("chooses", Part::Action, "player chooses { \"this\" { {} } \"none\" { gain 1 moss } }"),
    ("chooses a card", Part::Action, "player chooses { each card in my yard { {} } else { gain 1 moss } }"),
    ("may choose", Part::Action, "player may choose { \"this\" { {} } }"),
    ("each chooses", Part::Action, "each player chooses { \"this\" { {} } \"none\" { gain 1 moss } }"),
    ("picks tokens", Part::Action, "player picks any die in hand, at least 1 { {} }"),
    ("picks cards", Part::Action, "player picks any { each card in my yard { {} } }"),
    ("noting losses", Part::Action, "noting losses in last_paid { {} }"),
    ("effect", Part::Effect, "{}"),
    ("setup", Part::Setup, "{}"),
    ("setup, each player", Part::Setup, "each player { {} }"),
    ("step", Part::Step, "{}"),
    ("step, each player", Part::Step, "each player { {} }"),
    ("before each turn", Part::Turns("before each turn"), "{}"),
    ("when a card leaves", Part::Leaves, "{}"),
];

/// Where in the game a block stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Action,
    CardAction,
    Effect,
    Setup,
    Step,
    Turns(&'static str),
    Leaves,
}

impl Part {
    /// Whether somebody has to take an action for what stands there.
    fn is_of_actions(self) -> bool {
        matches!(self, Part::Action | Part::CardAction | Part::Effect)
    }
}

/// How a statement's block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wrapped {
    Plain,
    Repeat,
    Twice,
}

impl Wrapped {
    fn around(self, statement: &str) -> String {
        match self {
            Wrapped::Plain => statement.to_string(),
            Wrapped::Repeat => format!("repeat 1 {{ {statement} }}"),
            Wrapped::Twice => format!("unless moon < 0 - 1 {{ if moon >= 0 - 1 {{ {statement} }} }}"),
        }
    }
}

/// The examples of the grammar's statements, each with the rule that it shows. What a statement names is used behind it.
fn statements() -> Vec<(String, String)> {
    let grammar = include_str!("../grammar/rules.pest");
    let (_, behind) = grammar.split_once("\nstatement = _{").expect("the rule of statements");
    let (alternatives, _) = behind.split_once('}').expect("its end");
    let mut found = Vec::new();
    for rule in alternatives.split('|').map(str::trim) {
        let at = grammar.find(&format!("\n{rule} = ")).unwrap_or_else(|| panic!("no rule {rule}"));
        let mut comment: Vec<&str> = grammar[..at].lines().rev().take_while(|line| line.starts_with("///")).collect();
        comment.reverse();
        let examples = comment.iter().filter_map(|line| line.strip_prefix("/// example: `")?.strip_suffix('`'));
        let before = found.len();
        found.extend(examples.map(|example| (rule.to_string(), format!("{example}{}", use_of(example)))));
        assert!(found.len() > before, "the rule {rule} has no example");
    }
    found
}

/// What reads the name that a statement gives.
fn use_of(statement: &str) -> &'static str {
    let uses = [
        ("let rest", "; dens = rest"),
        ("let dice", "; dens = dice"),
        ("let prize", "; if prize is there { dens = prize.height }"),
        ("let breeze", "; blown[breeze] += 1"),
        ("let poor", "; if poor is not nobody { as poor { gain 1 wisp } }"),
        ("let there", "; if there is there { there.owner = me }"),
    ];
    uses.iter().find(|(begin, _)| statement.starts_with(begin)).map_or("", |(_, used)| used)
}

/// The game with a statement in blocks. Each block stands in a line of its own; of each line the number of its block.
fn game_of(statement: &str, blocks: &[usize], wrapped: Wrapped) -> (String, BTreeMap<usize, usize>) {
    let [mut definitions, mut setup, mut phase, mut actions, mut turns]: [String; 5] = Default::default();
    let names = |word: &str| statement.split(|sign: char| !sign.is_ascii_alphanumeric()).any(|found| found == word);
    // A card that nothing in the statement names before it is one that the action is about.
    let of_card = ["card", "swap card", "place card", "moment howl(card)"].iter().any(|begin| statement.starts_with(begin));
    for &block in blocks {
        let (_, part, around) = BLOCKS[block];
        let body = around.replace("{}", &wrapped.around(statement));
        let body = if names("it") { format!("player picks any die in hand, at least 1 {{ {body} }}") } else { body };
        let to = match part {
            Part::Action | Part::CardAction | Part::Effect => &mut actions,
            Part::Setup => &mut setup,
            Part::Step => &mut phase,
            Part::Turns(_) => &mut turns,
            Part::Leaves => &mut definitions,
        };
        let param = if of_card || part == Part::CardAction { " card in my den" } else { "" };
        let _ = match part {
            Part::Action | Part::CardAction => writeln!(to, "  action do{block}{param} {{ does {{ {body} }} }} //@{block}"),
            Part::Effect => writeln!(to, "  action do{block} {{ does {{ do made{block}(2) }} }}"),
            Part::Setup => writeln!(to, "  {body} //@{block}"),
            Part::Step => writeln!(to, "  step one{block} {{ {body} }} //@{block}"),
            Part::Turns(when) => writeln!(to, "  {when} {{ {body} }} //@{block}"),
            Part::Leaves => writeln!(to, "when card leaves den {{ {body} }} //@{block}"),
        };
        if part == Part::Effect {
            let _ = writeln!(definitions, "effect made{block}(n) {{ gain n wisp; {body} }} //@{block}");
        }
    }
    let text = RULES.replace("{definitions}", &definitions).replace("{setup}", &setup).replace("{phase}", &phase);
    let text = text.replace("{actions}", &format!("{turns}{actions}"));
    let lines = text.lines().enumerate().filter_map(|(line, text)| Some((line + 1, text.split_once("//@")?.1.parse().expect("a number"))));
    let lines = lines.collect();
    (text, lines)
}

fn cards() -> String {
    let mut text = "[[card]]\nid = \"start_wall\"\nname = \"Start\"\nkind = \"post\"\nheight = 1\ncopies = 99\n".to_string();
    for at in 0..36 {
        let (kind, id) = if at % 3 == 0 { ("wall", format!("wall_{at}")) } else { ("wolf", format!("wolf_{at}")) };
        let _ = writeln!(text, "[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"{kind}\"\nheight = {}\nepoch = {}", at % 5, at % 2 + 1);
        if at % 4 == 1 {
            text.push_str("[card.action]\ndo = \"gain(me, wisp, 1)\"\n");
        }
    }
    text
}

/// The code and the line of each error, and all of them as text.
type Refused = (Vec<(String, usize)>, String);
/// For each code the blocks about which it is said.
type Reasons = BTreeMap<String, Vec<usize>>;

/// Compiles a game.
///
/// # Errors
/// The code and the line of each error, and all of them as text.
fn compiled(root: &Path, rules: &str) -> Result<Arc<Ruleset>, Refused> {
    fs::write(root.join("rules/places.rules"), rules).expect("it is written");
    let (mut sources, mut found) = (Sources::new(), Vec::new());
    let text = lang::load(&mut sources, Some(root), "places", &[], &[], &mut found);
    let made = text.as_ref().and_then(|text| lang::compile(text, &Setup { players: 3, ..Setup::default() }, &mut found));
    found.retain(|fault| fault.severity == Severity::Error);
    match made {
        Some(rules) if found.is_empty() => Ok(Arc::new(rules)),
        _ => {
            let line = |fault: &Diagnostic| fault.span.map_or(0, |span| rules[..span.start as usize].lines().count());
            Err((found.iter().map(|fault| (fault.code.to_string(), line(fault))).collect(), render(&sources, &found, false)))
        }
    }
}

/// What can be seen of a game: at each question the options, what every seat is shown, and the log; and which actions were taken.
fn played(rules: &Arc<Ruleset>, seed: u64, native: Option<&Arc<Native>>, taken: &mut BTreeSet<usize>) -> Vec<String> {
    let (mut host, mut game) = (host(rules), Game::new(rules, seed));
    game.keep_log();
    game.use_native(rules, native.cloned());
    let (mut seen, mut told) = (Vec::new(), 0);
    for number in 0..120 {
        let open = match game.on(rules).advance(&mut host) {
            Ok(Some(open)) => open.clone(),
            Ok(None) => break,
            Err(fault) => {
                seen.push(format!("fault: {}", fault.message));
                return seen;
            }
        };
        let options: Vec<String> = open.options.iter().map(|option| option.text(rules)).collect();
        let views: Vec<String> = (0..rules.players)
            .map(|seat| serde_json::to_string(&describe_view(rules, &game.view_of(rules, seat))).expect("JSON"))
            .collect();
        seen.push(format!("{number} p{}: {options:?} {}", open.seat + 1, views.concat()));
        seen.extend(game.log()[told..].iter().cloned());
        told = game.log().len();
        // What was made comes first, each once; then chance.
        let made = |option: &String| option.strip_prefix("do")?.split(' ').next()?.parse::<usize>().ok();
        let fresh = |option: &String| made(option).is_some_and(|block| !taken.contains(&block));
        let chance = (join(seed, number) >> 7) as usize;
        let chosen = options.iter().position(fresh).unwrap_or(chance % options.len());
        taken.extend(made(&options[chosen]));
        if let Err(fault) = game.on(rules).answer(&mut host, chosen) {
            seen.push(format!("fault: {}", fault.message));
            return seen;
        }
    }
    seen.extend(game.log()[told..].iter().cloned());
    seen
}

fn first_difference(one: &[String], other: &[String]) -> String {
    let at = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    format!("{:#?}\nis not\n{:#?}", one.get(at), other.get(at))
}

/// The blocks in which a statement may stand, and the codes of what is said elsewhere.
fn allowed(root: &Path, statement: &str) -> Result<(Vec<usize>, Reasons), String> {
    let (mut blocks, mut refused): (Vec<usize>, Reasons) = ((0..BLOCKS.len()).collect(), BTreeMap::new());
    // What is said of one block may hide what is to be said of another.
    loop {
        let (text, lines) = game_of(statement, &blocks, Wrapped::Plain);
        let Err((faults, told)) = compiled(root, &text) else { return Ok((blocks, refused)) };
        let before = blocks.len();
        for (code, line) in faults {
            let Some(block) = lines.get(&line).copied().filter(|block| blocks.contains(block)) else { continue };
            blocks.retain(|other| *other != block);
            refused.entry(code).or_default().push(block);
        }
        if blocks.len() == before {
            return Err(told);
        }
    }
}

/// Runs a statement in blocks, in games of several seeds, and compares them.
fn run(
    root: &Path,
    statement: &str,
    blocks: &[usize],
    reached: &mut BTreeSet<usize>,
    (wrong, faults): (&mut Vec<String>, &mut BTreeSet<String>),
) {
    let mut made: Vec<(Wrapped, Arc<Ruleset>)> = Vec::new();
    for wrapped in [Wrapped::Plain, Wrapped::Repeat, Wrapped::Twice] {
        match compiled(root, &game_of(statement, blocks, wrapped).0) {
            Ok(rules) => made.push((wrapped, rules)),
            Err((_, told)) => return wrong.push(format!("{statement}, {wrapped:?}: {told}")),
        }
    }
    let native = Arc::new(Native::compile_all(&made[0].1).expect("code"));
    // A fault ends a game: others go on with the blocks that are left.
    for seed in 0..40 {
        let before = reached.len();
        let mut taken = reached.clone();
        let walked = played(&made[0].1, seed, None, &mut taken);
        let mut others = vec![("by code".to_string(), played(&made[0].1, seed, Some(&native), &mut reached.clone()))];
        let wrapped = made.iter().skip(1);
        others.extend(wrapped.map(|(wrapped, rules)| (format!("{wrapped:?}"), played(rules, seed, None, &mut reached.clone()))));
        for (how, other) in others.iter().filter(|(_, other)| *other != walked) {
            wrong.push(format!("{statement}, seed {seed}, {how}: {}", first_difference(&walked, other)));
        }
        if let Some(fault) = walked.last().filter(|line| line.starts_with("fault: ")) {
            let words: Vec<&str> = fault.split('`').enumerate().map(|(at, word)| if at % 2 == 1 { "…" } else { word }).collect();
            faults.insert(format!("{statement}: {}", words.concat()));
        }
        *reached = taken;
        if seed > 0 && reached.len() == before {
            return;
        }
    }
}

#[test]
fn every_statement_runs_alike_in_every_block_by_code_by_a_walk_and_wrapped() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::create_dir_all(root.join("rules")).expect("a folder");
    fs::create_dir_all(root.join("cards/places")).expect("a folder");
    fs::write(root.join("cards/places/all.toml"), cards()).expect("it is written");
    let (mut table, mut wrong, mut ran, mut faults) = (String::new(), Vec::new(), 0, BTreeSet::new());
    let statements = statements();
    for (rule, statement) in &statements {
        let (blocks, mut refused) = match allowed(root, statement) {
            Ok(found) => found,
            Err(told) => {
                wrong.push(format!("{statement}: {told}"));
                continue;
            }
        };
        let mut reached: BTreeSet<usize> = blocks.iter().copied().filter(|block| !BLOCKS[*block].1.is_of_actions()).collect();
        run(root, statement, &blocks, &mut reached, (&mut wrong, &mut faults));
        // Where a step ends each game by a fault, actions are tried without it.
        let rest: Vec<usize> = blocks.iter().copied().filter(|block| !reached.contains(block)).collect();
        if !rest.is_empty() {
            run(root, statement, &rest, &mut reached, (&mut wrong, &mut faults));
        }
        ran += reached.len();
        refused.insert("not reached".to_string(), blocks.iter().copied().filter(|block| !reached.contains(block)).collect());
        let _ = writeln!(table, "{rule}: {statement}");
        for (why, of) in refused.iter().filter(|(_, of)| !of.is_empty()) {
            let many = of.len() * 2 > BLOCKS.len();
            let told = (0..BLOCKS.len()).filter(|block| of.contains(block) != many).map(|block| BLOCKS[block].0);
            let _ = writeln!(table, "    {why} {}{}", if many { "everywhere but in " } else { "in " }, told.collect::<Vec<_>>().join("; "));
        }
    }
    assert!(wrong.is_empty(), "{} are wrong; the first:\n{}", wrong.len(), wrong[..wrong.len().min(3)].join("\n\n"));
    let _ = writeln!(table, "\n{ran} of {} run", statements.len() * BLOCKS.len());
    faults.iter().for_each(|fault| _ = writeln!(table, "ends by a fault, alike in all ways: {fault}"));
    insta::assert_snapshot!("places", table);
}
