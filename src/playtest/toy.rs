//! A small game for tests, built by hand: seats fetch cards from a row into their dens, or pass.

use crate::engine::Ruleset;
use crate::engine::ruleset::*;
use crate::state::layout::{BOX, Layout, OUT, PIECE, PlaceAt, TABLE, head};

/// Cards in the row.
const CARDS: usize = 12;

/// The toy for so many players.
pub fn toy(players: usize) -> Ruleset {
    let mut names = Names::default();
    let mut rules = Ruleset { game: "toy".into(), title: "Toy".into(), players, most_answers: 64, ..Ruleset::default() };
    rules.resources = vec![names.add("wisp")];
    let variable = |name: &str, offset, sort| Variable { name: name.into(), offset, len: 1, lifetime: Lifetime::Game, sort };
    rules.seat = vec![variable("wisp", 0, VariableSort::Resource), variable("passed", 1, VariableSort::Flag)];
    rules.kinds = vec![Kind { name: names.add("wolf"), slot: None }, Kind { name: names.add("wall"), slot: None }];
    rules.fields = vec![("height".into(), 1)];
    for (index, id) in ["grey_wolf", "red_wolf", "low_wall", "high_wall"].into_iter().enumerate() {
        let definition = Definition {
            id: names.add(id),
            name: id.into(),
            kind: index as u16 / 2,
            fields: vec![index as i32],
            copies: 3,
            ..Definition::default()
        };
        rules.definitions.push(definition);
    }
    rules.nodes = vec![
        Node::Const(1),
        Node::Own(0),
        Node::Local(1),
        Node::Field(2, 0),
        Node::Own(1),
        Node::Const(0),
        Node::Const(3),
        Node::Sum(1, 3),
        Node::Const(2),
        Node::Add(1, 7),
    ];
    let set = |place| CardSet { places: [place].into(), whose: Whose::Mine, kinds: 0, rows: 0, local: 1, filter: None };
    rules.sets = vec![set(0), set(1)];
    rules.bodies = vec![
        [Stmt::PlaceIn(2, 1, false), Stmt::Ask(0)].into(),
        [Stmt::Write(Target::Own(1), Write::Set, 0)].into(),
        [Stmt::Gain(0, 5)].into(),
        [Stmt::Gain(8, 5)].into(),
        [Stmt::EachPlayer(Direction::Forward, None, 5)].into(),
        [Stmt::Write(Target::Own(1), Write::Set, 5), Stmt::Gain(0, 5)].into(),
        [].into(),
    ];
    let word = |name, body| Choice { offer: Offer::Word { name, bare: false }, when: None, body, up_to: None };
    let choices = vec![word(names.add("one"), 2), word(names.add("two"), 3)];
    rules.questions = vec![Question { id: "howl".into(), may: false, picks: false, choices, otherwise: None }];
    let mut action = |name: &str, params: Vec<Param>, body, free, cost: Option<NodeId>| Action {
        name: names.add(name),
        address: format!("action.{name}"),
        free,
        params,
        guards: Vec::new(),
        costs: cost.map(|amount| Cost { amount, resource: 0, stage: 0 }).into_iter().collect(),
        body,
        acting: None,
    };
    let param = Param { set: 0, maybe: false, word: None };
    rules.actions = vec![
        action("fetch", vec![param], 0, false, None),
        action("pass", vec![], 1, false, None),
        action("waste", vec![], 6, true, Some(0)),
    ];
    rules.turns = vec![Turns { question: "action".into(), passed: 1, actions_each: 0, actions: vec![0, 1, 2] }];
    rules.rounds = Some(6);
    rules.program = vec![Part::Round, Part::Turns(0), Part::Do(4), Part::RoundEnd(0), Part::Finish];
    rules.score = vec![("wisps".into(), 1), ("den".into(), 7)];
    rules.worth = Some(9);
    rules.tie_breaks = vec![OrderKey::Present];
    rules.names = names;
    lay_out(&mut rules, players);
    rules
}

fn lay_out(rules: &mut Ruleset, players: usize) {
    let place = |name: &str, of_seat, first, instances| PlaceDecl {
        name: name.into(),
        of_seat,
        shape: Shape::Slots,
        first,
        instances,
        kinds: 3,
        limit: None,
        hearing: false,
        on_leave: None,
    };
    rules.places = vec![place("row", false, 2, 1), place("den", true, 3, players as u16)];
    let mut layout = Layout { seats: players, seat_base: head::SIZE, seat_size: 2, piece_size: 4, pieces: CARDS, ..Layout::default() };
    layout.piece_base = layout.seat_base + players * layout.seat_size;
    let mut at = layout.piece_base + CARDS * layout.piece_size;
    let mut owners = vec![TABLE; layout.seat_base];
    (0..players).for_each(|seat| owners.extend([seat as u8; 2]));
    owners.extend([PIECE; CARDS * 4]);
    for nowhere in [OUT, BOX] {
        layout.places.push(PlaceAt { declared: nowhere as u16, owner: TABLE, base: 0, room: 0 });
    }
    for index in 0..=players {
        let owner = if index == 0 { TABLE } else { index as u8 - 1 };
        layout.places.push(PlaceAt { declared: (index > 0) as u16, owner, base: at as u32, room: CARDS as u16 });
        owners.extend([owner; CARDS + 1]);
        at += CARDS + 1;
    }
    layout.journal = at;
    layout.len = at + 1 + crate::state::layout::JOURNAL;
    owners.resize(layout.len, TABLE);
    layout.class_of = vec![0; layout.len];
    layout.owner_of = owners;
    rules.spoils_own = vec![0];
    rules.spoils_all = vec![0];
    rules.piece_definition = (0..CARDS).map(|piece| piece as u32 / 3).collect();
    rules.piece_copy = (0..CARDS).map(|piece| piece as u16 % 3).collect();
    rules.piece_home = vec![2; CARDS];
    rules.layout = layout;
}
