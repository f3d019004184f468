//! Properties of the tree, tested on all shipped rules and all examples of the grammar: the text of a node's span parses to the same node,
//! and no word can be left out without an effect.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use pest::Parser;
use pest::iterators::Pairs;

use super::super::address::Addressed;
use super::super::ast::*;
use super::super::grammar::{Grammar, Rule};
use super::super::reference::reference;
use super::super::scan::{Origin, TextMode, scan};
use super::super::tokens::tokenize;
use super::*;
use crate::source::Sources;

const HERE: Origin = Origin { file: FileId(0), offset: 0 };

/// For each sort of example: the rule that parses it alone, and the text around it that makes it a file of rules.
const CONTEXTS: [(&str, &str, &str); 18] = [
    ("one_line", "", ""),
    ("one_member", "player { ", " }"),
    ("one_field_line", "kind k { ", " }"),
    ("one_sort", "tokens t { ", " }"),
    ("one_statement", "effect e { ", " }"),
    ("one_phase_part", "phase p { ", " }"),
    ("one_action_part", "phase p { action a { ", " } }"),
    ("one_check", "always { ", " }"),
    ("one_check_line", "always { check c { ", " } }"),
    ("one_told_moment", "moments { ", " }"),
    ("one_board_part", "board b { ", " }"),
    ("one_track_step", "track path to 6 { ", " }"),
    ("one_score_row", "score { ", " }"),
    ("one_choice", "effect e { player chooses { ", " } }"),
    ("one_entry", "define d = by players { ", " }"),
    ("phrase", "define d = ", ""),
    ("atom", "define d = ", ""),
    ("operand", "define d = ", ""),
];

/// Returns the examples of the grammar, each with the text around it.
fn examples() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut found = Vec::new();
    for (alone, before, behind) in CONTEXTS {
        let alternatives = reference().alternatives(alone);
        let constructs = reference().with_examples().filter(|construct| alternatives.contains(&construct.rule));
        found.extend(constructs.flat_map(|construct| &construct.examples).map(|example| (before, example.as_str(), behind)));
    }
    assert!(found.len() > 150, "{}", found.len());
    found
}

fn shipped() -> Vec<String> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folders = ["rules", "tests/errors/game/rules"].map(|folder| Sources::read_dir(&root.join(folder), "rules").expect("a folder"));
    folders.iter().flatten().map(|path| std::fs::read_to_string(path).expect("a text")).collect()
}

/// Parses the declarations of a text; `None` if it has errors.
fn declarations(text: &str) -> Option<Vec<Declaration>> {
    let is_broken = |nodes: Pairs<'_, Rule>| nodes.flatten().any(|node| node.as_rule() == Rule::broken);
    if Grammar::parse(Rule::file, text).map_or(true, is_broken) {
        return None; // Finding words for it would take long.
    }
    let mut found = Vec::new();
    let file = parse_file(HERE.file, text, &mut found);
    let declaration = |line| match line {
        Line::Declaration(declaration) => Some(declaration),
        Line::Operation(_) | Line::Variant(_) => None,
    };
    found.is_empty().then(|| file.lines.into_iter().filter_map(declaration).collect())
}

/// The declarations of a text without their places, to compare them by content; `None` if it has errors.
fn content(text: &str) -> Option<String> {
    let shown = format!("{:?}", declarations(text)?);
    Some(shown.split("Span {").map(|part| part.split_once('}').map_or(part, |(_, behind)| behind)).collect())
}

/// Tests that a pair builds the same node as the text of that node's span, parsed alone.
fn expect_same<T: PartialEq + Debug>(
    builder: &Builder<'_>,
    node: &RulePair<'_>,
    alone: Rule,
    build: impl Fn(&Builder<'_>, RulePair<'_>) -> BuildResult<T>,
    span: fn(&T) -> Span,
) {
    let there = build(builder, node.clone()).expect("a sound text");
    let span = span(&there);
    let text = &builder.scanned.text[span.start as usize..span.end as usize];
    let mut found = Vec::new();
    let origin = Origin { offset: span.start, ..HERE };
    let again = parse(origin, text, TextMode::File, alone, &mut found, |builder, node| build(builder, Parts::of(builder, node).node()?));
    assert_eq!(found, [], "{text}");
    assert_eq!(again, Some(there), "{text}");
}

/// Tests each pair of a text that can be parsed alone with `expect_same`, and returns how many there are.
fn expect_items(builder: &Builder<'_>, node: RulePair<'_>) -> usize {
    static ALTERNATIVES: OnceLock<BTreeSet<(&str, Rule)>> = OnceLock::new();
    let of = |(alone, ..): &(&'static str, &str, &str)| {
        let alternatives = reference().alternatives(alone).into_iter();
        alternatives.filter_map(|rule| reference().rule(&rule)).map(|rule| (*alone, rule)).collect::<Vec<_>>()
    };
    let alternatives = ALTERNATIVES.get_or_init(|| CONTEXTS.iter().flat_map(of).collect());
    let is = |alone| alternatives.contains(&(alone, node.as_rule()));
    let mut count = 0;
    macro_rules! items {
        ($($alone:ident $build:ident $span:expr;)*) => {
            $(if is(stringify!($alone)) {
                expect_same(builder, &node, Rule::$alone, |builder, node| builder.$build(node), $span);
                count += 1;
            })*
        };
    }
    items! {
        one_member build_node |item: &Member| item.span;
        one_field_line build_fields |items: &Vec<Field>| items[0].span;
        one_board_part build_board_parts |items: &Vec<BoardPart>| items[0].span();
        one_sort build_node |item: &TokenSort| item.span;
        one_phase_part build_phase_part Addressed::span;
        one_statement build_statement |item| item.span;
        one_action_part kind |item: &ActionPart| item.span();
        one_check build_node |item: &Check| item.span;
        one_check_line build_node |item: &CheckLine| item.span;
        one_told_moment build_node |item: &MomentDoc| item.span;
        one_track_step build_node |item: &TrackStep| item.span;
        one_score_row build_node |item: &ScoreRow| item.span;
        one_choice build_choice |item| item.span;
        one_entry build_node |item: &Entry| item.span;
        one_line build_line |line| match line {
            Line::Declaration(declaration) => declaration.span,
            Line::Operation(operation) => operation.span,
            Line::Variant(variant) => variant.span,
        };
    }
    count + node.into_inner().map(|inner| expect_items(builder, inner)).sum::<usize>()
}

#[test]
fn what_the_span_of_a_node_covers_is_that_node_again_when_it_is_read_alone() {
    let (mut items, mut exprs) = (0, Vec::new());
    let texts = shipped().into_iter().chain(examples().into_iter().map(|(before, example, behind)| format!("{before}{example}{behind}\n")));
    for text in texts {
        let scanned = scan(HERE, &text, TextMode::File, &mut Vec::new());
        assert_eq!(scanned.text, text);
        let builder = Builder::of(&scanned);
        for node in Grammar::parse(Rule::file, &text).expect("a sound text") {
            items += expect_items(&builder, node.clone());
            builder.exprs.take();
            builder.build_file(node);
        }
        let all = builder.exprs.take();
        for expr in &all {
            let (start, mut found) = (expr.span.start, Vec::new());
            let slice = &text[start as usize..expr.span.end as usize];
            let again = parse_expr(HERE.file, slice, start, &mut found);
            // `all …` and `no …` are made of other conditions that cover the same text.
            let covering = all.iter().filter(|other| other.span == expr.span).find(|other| again.as_ref() == Some(other));
            assert_eq!((again.as_ref(), found), (Some(covering.unwrap_or(expr)), Vec::new()), "{slice}");
        }
        exprs.extend(all);
    }
    assert!(items > 1500 && exprs.len() > 2000, "{items} items and {} expressions", exprs.len());
}

/// Words without an effect, and `x`, the parameter of a rank, which is repeated after `by`.
const SUGAR: [&str; 4] = [";", "then", "cards in", "x"];

#[test]
fn no_word_of_an_example_can_be_left_out_unnoticed() {
    let mut unnoticed = Vec::new();
    for (before, example, behind) in examples() {
        let text = format!("{before}{example}{behind}\n");
        let whole = content(&text).expect("a sound text");
        if whole == "[]" {
            continue; // An operation on other rules.
        }
        let from = before.len();
        let places = tokenize(HERE.file, &text).expect("a sound text").tokens.into_iter().map(|token| token.place);
        let tokens: Vec<_> = places.filter(|token| token.start >= from && token.end <= from + example.len()).collect();
        for window in (1..=2).flat_map(|length| tokens.windows(length)) {
            let (start, end) = (window[0].start - from, window[window.len() - 1].end - from);
            let left_out = example[start..end].trim();
            let text = format!("{before}{} {}{behind}\n", &example[..start], &example[end..]);
            if content(&text).is_some_and(|rest| rest == whole) && !SUGAR.contains(&left_out) {
                unnoticed.push(format!("`{left_out}` of `{example}`"));
            }
        }
    }
    assert_eq!(unnoticed, [""; 0]);
}

/// In the text of a card the entries were once told as not belonging there, though in rules they may stand on lines of their own.
#[test]
fn the_entries_of_a_table_stand_on_lines_of_their_own_in_cards_too() {
    let mut found = Vec::new();
    let text = "by k {\n  farm: 1\n  road: 2 +\n    3,   # more\n  else: 4\n}";
    let read = parse_expr(HERE.file, text, 0, &mut found);
    assert_eq!(found, []);
    let entries = read.and_then(|expr| if let ExprKind::By { entries, .. } = *expr.kind { Some(entries.items.len()) } else { None });
    assert_eq!(entries, Some(3));
}
