//! How the parts of an explanation make its value, one way at a time; `tests/why.rs` recounts the explanations of games.

use houserule::engine::graph::NumberOp;
use houserule::why::{Derivation, Explanation, PartRole};

fn part(value: i64, role: PartRole) -> Explanation {
    Explanation {
        subject: "wisp".into(),
        location: None,
        value,
        value_text: value.to_string(),
        derivation: Derivation::Stands,
        role,
        parts: Vec::new(),
    }
}

fn of(how: Derivation, parts: &[(i64, PartRole)]) -> Option<i64> {
    let parts = parts.iter().map(|&(value, role)| part(value, role)).collect();
    Explanation { derivation: how, parts, ..part(0, PartRole::Part) }.recount()
}

#[test]
fn parts_make_the_value_by_how_they_are_put_together() {
    use PartRole::*;
    assert_eq!(of(Derivation::Sum, &[(5, Part), (2, Minus), (1, When)]), Some(3));
    assert_eq!(of(Derivation::Product, &[(3, Part), (2, Part)]), Some(6));
    assert_eq!(of(Derivation::Arithmetic(NumberOp::Div), &[(-3, Part), (2, Part)]), Some(-2), "rounded down");
    assert_eq!(of(Derivation::Arithmetic(NumberOp::Div), &[(3, Part), (0, Part)]), None);
    assert_eq!(of(Derivation::Highest, &[]), Some(0));
    assert_eq!(of(Derivation::Median, &[(9, Part), (1, Part), (4, Part)]), Some(4));
    assert_eq!(of(Derivation::Count, &[(1, Part), (0, Part), (1, Part)]), Some(2));
    assert_eq!(of(Derivation::Steps, &[(5, Start), (2, To), (3, By), (4, AtMost), (7, AtLeast)]), Some(7));
    assert_eq!(of(Derivation::If, &[(0, When), (8, Then)]), Some(8));
    assert_eq!(of(Derivation::Same, &[(1, Part), (2, Part)]), None);
}

#[test]
fn a_rank_is_recounted_with_its_ties() {
    use PartRole::*;
    let rank = |top, ties_in, theirs| of(Derivation::Rank { top, ties_in }, &[(1, Leaders), (5, Mine), (theirs, Theirs)]);
    assert_eq!([rank(true, false, 4), rank(true, false, 5), rank(true, true, 5)], [Some(1), Some(0), Some(1)]);
    assert_eq!([rank(false, true, 4), rank(false, true, 5)], [Some(0), Some(1)]);
}

#[test]
fn a_part_that_its_parts_do_not_make_is_found() {
    let wrong = Explanation { derivation: Derivation::Not, parts: vec![part(1, PartRole::Part)], ..part(1, PartRole::Part) };
    let whole = Explanation { derivation: Derivation::Same, parts: vec![wrong.clone()], ..part(1, PartRole::Part) };
    assert_eq!(whole.first_mismatch(), Some(&wrong));
    assert_eq!(part(4, PartRole::Part).first_mismatch(), None);
}
