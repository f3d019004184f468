//! Each example of the grammar's statements, in each block that holds statements: plainly, in `repeat 1`, and in `unless` and `if`.

use super::{Part, Place, Table, Tried};

/// The blocks that hold statements.
const BLOCKS: [Place; 31] = [
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
    ("step", Part::Step, "{ {} }"),
    ("step, each player", Part::Step, "{ each player { {} } }"),
    ("before each turn", Part::Turns, "before each turn { {} }"),
    ("when a card leaves", Part::Leaves, "{}"),
];

/// The examples of the grammar's statements, each with the rule that it shows. What a statement names is used behind it.
fn statements() -> Vec<(String, String)> {
    let grammar = include_str!("../../grammar/rules.pest");
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

/// A statement in a block, plainly or wrapped.
fn in_block(statement: &str, around: &str, way: usize) -> String {
    let wrapped = match way {
        0 => statement.to_string(),
        1 => format!("repeat 1 {{ {statement} }}"),
        _ => format!("unless moon < 0 - 1 {{ if moon >= 0 - 1 {{ {statement} }} }}"),
    };
    let body = around.replace("{}", &wrapped);
    let names_it = statement.split(|sign: char| !sign.is_ascii_alphanumeric()).any(|found| found == "it");
    if !names_it {
        return body;
    }
    let picked = |body: &str| format!("player picks any die in hand, at least 1 {{ {body} }}");
    // The braces of a step, and what is ahead of other blocks of turns, stay outside.
    match body.split_once("{ ").filter(|(ahead, _)| ahead.is_empty() || ahead.starts_with("before")) {
        Some((ahead, rest)) => format!("{ahead}{{ {} }}", picked(rest.strip_suffix(" }").expect("its end"))),
        None => picked(&body),
    }
}

#[test]
fn every_statement_runs_alike_in_every_block_by_code_by_a_walk_and_wrapped() {
    let mut table = Table::new();
    for (rule, statement) in statements() {
        // A card that nothing in the statement names before it is one that the action is about.
        let of_card = ["card", "pay card", "swap card", "place card", "moment howl(card)"].iter().any(|begin| statement.starts_with(begin));
        let written = |statement: &str, place: &Place, way: usize| in_block(statement, place.2, way);
        let ways = &["plain", "repeat 1", "unless, if"];
        table.add(&rule, &Tried { texts: &[&*statement], places: &BLOCKS, of_card, ways, written: &written });
    }
    table.holds("statements");
}

/// Statements that do the same in every state, said otherwise.
const EQUAL: [(&str, &str); 8] = [
    ("for n in 2 to dens + 1 { moon += n }", "moon += sum n of n in 2 to 40 where n <= (dens + 1)"),
    ("repeat 3 { moon += 2 }", "moon += 6"),
    ("let first = dens; repeat until dens >= first + 5 { dens += 2 }", "dens += 6"),
    ("noting losses in last_paid { lose 2 wisp }", "for r in resource { last_paid[r] = 0 }; last_paid[wisp] = min(2, wisp); lose 2 wisp"),
    ("each player where wisp > 2 { lose 1 wisp }", "each player { if wisp > 2 { lose 1 wisp } }"),
    ("unless passed { dens += 1 }", "if passed { } else { dens += 1 }"),
    ("for r in wisp, moss { gain amount of r r }", "gain wisp wisp; gain moss moss"),
    ("clear seen", "seen[wolf] = 0; seen[wall] = 0; seen[post] = 0"),
];

#[test]
fn statements_that_are_said_otherwise_do_the_same_in_every_block() {
    let mut table = Table::new();
    for (statement, other) in EQUAL {
        let written = |_: &str, place: &Place, way: usize| in_block(if way == 0 { statement } else { other }, place.2, 0);
        let ways = &["plain", "said otherwise"];
        table.add(statement, &Tried { texts: &[other], places: &BLOCKS, of_card: false, ways, written: &written });
    }
    table.holds("equal_statements");
}
