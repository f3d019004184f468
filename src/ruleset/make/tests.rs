use crate::graph::Facts;
use crate::ruleset::Ruleset;
use crate::testing;
use written::build_expr;

mod written;

/// The small table, of whose cards two numbers are printed: the first is how tall a card is.
fn rules() -> Ruleset {
    testing::rules(|rules, _| {
        rules.width = 2;
        rules.printed = vec![4, 0, 5, 0, 6, 9];
    })
}

fn facts(text: &str) -> Facts {
    let mut rules = rules();
    let id = build_expr(&mut rules, text, true);
    *rules.graph.facts(id)
}

#[test]
fn expressions_are_folded_as_they_are_made() {
    let mut heading = "";
    for line in include_str!("folding.txt").lines().filter(|line| !line.is_empty()) {
        let Some((text, wanted)) = line.split_once(" => ") else {
            heading = line;
            continue;
        };
        let mut rules = rules();
        let ids = [build_expr(&mut rules, text, true), build_expr(&mut rules, wanted, false)];
        assert_eq!(ids[0], ids[1], "{heading}: {line}, not {:?}", rules.graph[ids[0]]);
    }
}

#[test]
fn what_an_expression_depends_on_is_known() {
    for (text, vars, locals, closed) in [
        ("var0 * local2", 0b1, 0b100, false),
        ("sum_marked(var0, var0 * local2)", 0, 0b100, false),
        ("count_marked(var0)", 0, 0, true),
        ("sum_marked(var0, counter(var0) * counter(var1))", 0b10, 0, false),
        ("sum_marked(local7, sum_marked(local3, counter(local3) * counter(local7)))", 0, 0, true),
    ] {
        let found = facts(text);
        assert_eq!((found.vars, found.locals, found.closed()), (vars, locals, closed), "{text}");
    }
}

#[test]
fn what_is_for_another_seat_and_what_is_not() {
    for (text, by_seat) in [("own0", true), ("of(local3, own0)", false), ("first", true), ("first_on_table", false)] {
        assert_eq!(facts(text).by_seat, by_seat, "{text}");
    }
}

#[test]
fn what_is_substituted_is_folded_and_read_all_at_once() {
    let mut rules = rules();
    for (text, locals, wanted) in [
        ("local1 - local2", [(1, "local2"), (2, "local1")], "local2 - local1"),
        ("local1 - local2", [(1, "7"), (2, "2")], "5"),
        ("tall(local1)", [(1, "3"), (2, "0")], "6"),
        // The same local as a loop has had means something else outside of it.
        (
            "sum_marked(local3, counter(local3) * local1)",
            [(1, "counter(local3)"), (2, "0")],
            "sum_marked(var0, counter(var0) * counter(local3))",
        ),
    ] {
        let (id, locals) = (build_expr(&mut rules, text, true), locals.map(|(local, by)| (local, build_expr(&mut rules, by, true))));
        assert_eq!(rules.substitute(id, &locals), build_expr(&mut rules, wanted, false), "{text}");
    }
}

#[test]
fn a_graph_is_taken_back_to_what_it_was() {
    let mut rules = rules();
    build_expr(&mut rules, "local1", true);
    let mark = rules.graph.mark();
    let make = |rules: &mut Ruleset| {
        let made = ["tall(local1)", "table(local1)", "count_one(var0)"].map(|text| build_expr(rules, text, true));
        made.map(|made| (made, rules.graph[made]))
    };
    let before = make(&mut rules);
    for _ in 0..2 {
        assert_eq!(make(&mut rules), before);
        rules.graph.restore(mark);
        assert_eq!((rules.graph.count(), rules.graph.columns().end(), rules.graph.count_of_cards()), (1, 0, 0));
    }
}

#[test]
fn the_range_of_a_choice_and_of_what_is_added_to_it_is_known() {
    let (mut rules, held) = (rules(), |local| (local == 1).then_some((0, 9)));
    for (text, range) in [("truth(own0) ? 2 : 5", Some((2, 5))), ("(truth(own0) ? 2 : 5) + local1", Some((2, 14))), ("own0", None)] {
        let id = build_expr(&mut rules, text, true);
        assert_eq!(rules.graph.range(id, &held), range, "{text}");
    }
}
