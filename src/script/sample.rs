//! A tiny ruleset made by hand, for tests: two resources, a quantity, cards of two kinds, and scripts.

use super::host::ScriptHost;
use crate::engine::node::{Called, Signature, Type};
use crate::engine::op::{Op, Pc};
use crate::engine::ruleset::{
    Compare, Definition, Effect, Hook, Kind, Lifetime, NameId, Node, NodeId, PlaceDecl, Quantity, Ruleset, ScriptText, Shape, Variable,
    VariableSort, Who,
};
use crate::engine::{Call, Fault, Game, Scripts, Stop};
use crate::source::{FileId, Sources, Span};
use crate::state::layout::{BOX, Layout, OUT, PlaceAt, TABLE, head, piece};
use std::sync::Arc;

/// Where the script begins in its file.
pub(super) const TEXT_AT: u32 = 10;

/// Makes the ruleset.
pub(super) struct Sample {
    scripts: Vec<String>,
}

/// The cards: a wall that speaks, and three more.
pub(super) const WALL: usize = 0;

fn variable(name: &str, offset: usize, len: usize, sort: VariableSort) -> Variable {
    Variable { name: name.to_string(), offset: offset as u16, len: len as u16, lifetime: Lifetime::Game, sort }
}

impl Sample {
    pub fn new() -> Sample {
        Sample { scripts: Vec::new() }
    }

    /// Adds a script; the wall hears the moment `dusk` with each of them.
    pub fn script(mut self, text: &str) -> Sample {
        self.scripts.push(text.to_string());
        self
    }

    /// The file in which the first script stands.
    pub fn sources(&self) -> Sources {
        let mut sources = Sources::new();
        sources.add("wall.toml", format!("do = \"\"\"  {}\"\"\"\n", self.scripts[0]));
        sources
    }

    pub fn rules(self) -> Arc<Ruleset> {
        let mut rules = Ruleset { players: 3, most_answers: 100, ..Ruleset::default() };
        let word = |rules: &mut Ruleset, text: &str| -> NameId { rules.names.add(text) };
        rules.resources = vec![word(&mut rules, "wisp"), word(&mut rules, "wolf")];
        for extra in ["yes", "no", "mist"] {
            word(&mut rules, extra);
        }
        rules.row_words = vec![word(&mut rules, "rain")];
        rules.kinds = vec![
            Kind { name: word(&mut rules, "slab"), slot: None },
            Kind { name: word(&mut rules, "beast"), slot: None },
            Kind { name: word(&mut rules, "plant"), slot: None },
        ];
        rules.moments = vec!["dusk".to_string()];
        rules.named = vec!["hunger".to_string()];
        rules.fields = vec![("tall".to_string(), 1), ("gift".to_string(), 3), ("rings".to_string(), 1)];
        rules.list_fields = vec![4];
        rules.pool = vec![0, 2, 7, 9, 7, 16];
        rules.seat = vec![
            variable("wisp", 0, 1, VariableSort::Resource),
            variable("wolf", 1, 1, VariableSort::Resource),
            variable("fog", 2, 1, VariableSort::Counter),
            variable("calm", 3, 1, VariableSort::Flag),
            variable("met", 4, 3, VariableSort::Tally),
            variable("dropped", 7, 2, VariableSort::Tally),
            variable("marked", 9, 1, VariableSort::Set),
        ];
        let differences = 10;
        let seat_size = differences + Lifetime::ALL.len() + 1;
        let table = head::SIZE;
        rules.table = vec![variable("moon", table, 1, VariableSort::Counter), variable("dark", table + 1, 1, VariableSort::Flag)];
        rules.piece = vec![variable("moss", piece::COUNTERS, 1, VariableSort::Counter)];

        let node = |rules: &mut Ruleset, node: Node| -> NodeId {
            rules.nodes.push(node);
            (rules.nodes.len() - 1) as NodeId
        };
        let fog = node(&mut rules, Node::Own(2));
        let (first, second, third) = (node(&mut rules, Node::Local(1)), node(&mut rules, Node::Local(2)), node(&mut rules, Node::Local(3)));
        let toll = node(&mut rules, Node::Field(first, 0));
        let owned = node(&mut rules, Node::OwnAt(0, 2, first));
        let two = node(&mut rules, Node::Const(2));
        let foggy = node(&mut rules, Node::Cmp(Compare::AtLeast, fog, two));
        let zero = node(&mut rules, Node::Const(0));
        let moon = node(&mut rules, Node::Global(table as u32));
        let phase = node(&mut rules, Node::Add(moon, two));
        let double = node(&mut rules, Node::Add(owned, owned));
        let quantity = |name: &str, base: NodeId, args: u8| Quantity {
            name: name.to_string(),
            base,
            args,
            most: None,
            least: None,
            ranked: None,
            differences: (args == 0).then_some(differences as u16),
            stat: args == 0,
            changed: false,
        };
        rules.quantities = vec![quantity("howl", fog, 0), quantity("toll", toll, 1)];
        rules.conditions = vec![("foggy".to_string(), foggy), ("most foggy".to_string(), foggy)];
        let number = Some(Type::Number);
        let truth = Some(Type::Truth);
        let signature = |name: &str, params: &[(&str, Type)], gives, called| Signature {
            name: name.to_string(),
            what: "of the sample",
            params: params.iter().map(|(name, ty)| (name.to_string(), *ty)).collect(),
            gives,
            of_table: matches!(called, Called::Table(_)) || name == "phase",
            called,
        };
        rules.signatures = vec![
            signature("wisp", &[], number, Called::Seat(0)),
            signature("wolf", &[], number, Called::Seat(1)),
            signature("fog", &[], number, Called::Seat(2)),
            signature("calm", &[], truth, Called::Seat(3)),
            signature("met", &[("WORD", Type::Kind)], number, Called::Tally(4, 3)),
            signature("dropped", &[("WORD", Type::Resource)], number, Called::Tally(7, 2)),
            signature("marked", &[("WORD", Type::Resource)], truth, Called::Set(9)),
            signature("moon", &[], number, Called::Table(table as u16)),
            signature("dark", &[], truth, Called::Table(table as u16 + 1)),
            signature("howl", &[], number, Called::Quantity(0)),
            signature("toll", &[("c", Type::Card)], number, Called::Quantity(1)),
            signature("twice", &[("r", Type::Resource)], number, Called::Expression(double)),
            signature("gloomy", &[], truth, Called::Expression(foggy)),
            signature("phase", &[], number, Called::Expression(phase)),
            signature("foggy", &[], truth, Called::Expression(foggy)),
            signature("most foggy", &[], truth, Called::Expression(foggy)),
            signature("rest", &[("n", Type::Number)], None, Called::Effect(0)),
            signature("trade", &[("really", Type::Truth), ("n", Type::Number), ("r", Type::Resource)], None, Called::Effect(1)),
            signature("bury", &[("c", Type::Card)], None, Called::Effect(2)),
        ];
        let effect = |rules: &mut Ruleset, name: &str, params: u8, ops: Vec<Op>| {
            let begin = rules.ops.begin(format!("effect `{name}`"));
            ops.into_iter().for_each(|op| _ = rules.ops.emit(op));
            rules.ops.end();
            rules.effects.push(Effect { name: name.to_string(), params, begin });
        };
        effect(&mut rules, "rest", 1, vec![Op::Gain(first, zero)]);
        effect(&mut rules, "trade", 3, vec![Op::Unless(first, Pc(4)), Op::Gain(second, third)]);
        effect(&mut rules, "bury", 1, vec![Op::Remove(first)]);
        rules.ops.begin_part();
        rules.ops.emit(Op::Moment(0, Some(zero)));
        rules.ops.emit(Op::Waiting);
        rules.ops.end_program();

        let players = rules.players;
        let mut layout = Layout {
            seats: players,
            seat_base: head::SIZE + 2,
            seat_size,
            piece_size: piece::COUNTERS + 1,
            pieces: 4,
            ..Layout::default()
        };
        layout.piece_base = layout.seat_base + players * seat_size;
        let mut at = layout.piece_base + layout.pieces * layout.piece_size;
        let nowhere = PlaceAt { declared: 0, owner: TABLE, base: 0, room: 0 };
        layout.places = vec![nowhere.clone(), nowhere];
        for seat in 0..players {
            layout.places.push(PlaceAt { declared: 0, owner: seat as u8, base: at as u32, room: 3 });
            at += 4;
        }
        layout.places.push(PlaceAt { declared: 1, owner: TABLE, base: at as u32, room: 4 });
        at += 5;
        layout.len = at;
        rules.layout = layout;
        let place = |name: &str, of_seat: bool, shape: Shape, first: usize, instances: usize| PlaceDecl {
            name: name.to_string(),
            of_seat,
            shape,
            first: first as u16,
            instances: instances as u16,
            kinds: 0b11,
            limit: None,
            hearing: of_seat,
            on_leave: None,
            returned: Vec::new(),
        };
        rules.places = vec![place("den", true, Shape::Slots, 2, players), place("pile", false, Shape::Deck, 2 + players, 1)];
        rules.hearing = 1;
        let card = |rules: &mut Ruleset, id: &str, kind: u16, age: i32| Definition {
            id: rules.names.add(id),
            name: id.to_string(),
            kind,
            age,
            fields: vec![3, 1, 2, 5, 1],
            copies: 1,
            ..Definition::default()
        };
        let mut wall = card(&mut rules, "wall", 0, 2);
        for (i, text) in self.scripts.iter().enumerate() {
            let begin = rules.ops.begin("wall, on dusk");
            rules.ops.emit(Op::Script(i as u32, false));
            rules.ops.emit(Op::Waiting);
            rules.ops.end();
            wall.hooks.push(Hook { id: "dusk".to_string(), moment: 0, who: Who::Me, own_only: false, when: None, begin });
            let span = Span { file: FileId(0), start: TEXT_AT, end: TEXT_AT + text.len() as u32 };
            rules.scripts.push(ScriptText {
                owner: "wall, on dusk".to_string(),
                definition: 0,
                text: text.clone(),
                span: Some(span),
                words: Vec::new(),
            });
        }
        rules.definitions = vec![wall, card(&mut rules, "owl", 1, 1), card(&mut rules, "elm", 2, 1)];
        rules.piece_definition = vec![0, 1, 1, 2];
        rules.piece_kind = vec![0, 1, 1, 2];
        rules.width = 5;
        rules.printed = rules.definitions.iter().flat_map(|d| d.fields.iter().copied()).collect();
        rules.piece_home = vec![BOX as u16, 2 + players as u16, 2 + players as u16, OUT as u16];
        rules.piece_copy = vec![0, 0, 1, 0];
        rules.piece_hash = rules.piece_definition.iter().map(|&d| rules.names.hash(rules.definitions[d as usize].id)).collect();
        rules.make_up_decks();
        rules.piece_twins = vec![false, true, true, false];
        rules.prepare();
        Arc::new(rules)
    }

    /// A game of these rules and what runs its scripts; nothing has happened yet.
    pub fn table(self) -> Table {
        let rules = self.rules();
        let host = match ScriptHost::new(&rules) {
            Ok(host) => host,
            Err(wrong) => unreachable!("{wrong:?}"),
        };
        let mut game = Game::new(&rules, 1);
        game.keep_log();
        Table { rules, host, game }
    }

    /// What goes wrong when the first script runs for the first seat.
    pub fn fault(self) -> Option<Fault> {
        match self.table().run(0) {
            Err(Stop::Fault(fault)) => Some(*fault),
            _ => None,
        }
    }
}

/// Rules, host and game.
pub(super) struct Table {
    pub rules: Arc<Ruleset>,
    pub host: ScriptHost,
    pub game: Game,
}

impl Table {
    /// Runs a script of the wall for the first seat.
    pub fn run(&mut self, script: u32) -> Result<(), Stop> {
        let call = Call { script, me: 0, own: WALL as i32, card: -1, player: 0, answer: -1 };
        self.host.run(&mut self.game, &self.rules, &call)
    }

    /// A resource, counter or flag of a seat.
    pub fn value(&self, seat: usize, name: &str) -> i64 {
        self.game.value_of(&self.rules, seat, name).unwrap_or(-99)
    }

    /// A cell of a seat in the state that runs.
    pub fn live(&self, seat: usize, offset: usize) -> i32 {
        self.game.cells()[self.rules.layout.seat(seat, offset)]
    }
}
