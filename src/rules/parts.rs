//! Boards that are made of parts of cards: each card of their kind says in its file what its parts are.

use super::problem::{CardProblem, Suggestion};
use super::spaces::Spaces;
use super::syntax::ast::{DeclarationKind, MemberKind, Name, PartsOf, Rules};
use super::typed::{BoardShape, Part, Parts};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::boards::MAX_SPACES;
use crate::engine::parts::{PORTS_OF_SIDE, side_names};
use crate::pack::{PARTS, RawCard, Spanned, Text, TomlValue};

/// What a part says of itself, as it is written.
struct WrittenPart<'c> {
    name: Text,
    ports: u32,
    next_to: Vec<&'c Text>,
    fields: Vec<(Text, Spanned)>,
}

impl Spaces {
    /// Makes the spaces of a board that are the parts of cards.
    pub(super) fn add_parts(&mut self, tree: &Rules, board: &Name, of: &PartsOf, cards: &[RawCard]) -> BoardShape {
        let sides = side_names(is_hexes(tree, &of.grid.text));
        let mut made = Parts::default();
        for card in cards.iter().filter(|card| card.kind.text == of.kind.text) {
            let told = self.diagnostics.len();
            let written = self.read_parts(board, card, sides);
            card.name_in_problems(&mut self.diagnostics, told);
            let copies = card.copies.unwrap_or(1);
            if made.all.len() + written.len() * usize::from(copies) > MAX_SPACES {
                let (board, so_far) = (board.text.clone(), made.all.len() + written.len() * usize::from(copies));
                self.diagnostics.push(CardProblem::TooManyParts { board, most: MAX_SPACES, so_far }.at(card.span));
                break;
            }
            for copy in 0..copies {
                self.add_parts_of_copy(board, (card, copy), &written, &mut made);
            }
        }
        BoardShape::Parts(Box::new(made))
    }

    /// Makes the spaces that are the parts of one copy of a card.
    fn add_parts_of_copy(&mut self, board: &Name, (card, copy): (&RawCard, u16), written: &[WrittenPart<'_>], made: &mut Parts) {
        let first = made.all.len();
        let nth = if copy == 0 { String::new() } else { format!("#{}", copy + 1) };
        for part in written {
            let of = |text: String| Text { text, span: part.name.span };
            let id = of(format!("{}_{}{nth}", card.id.text, part.name.text));
            let name = of(format!("{}: {}", card.name.text, part.name.text.replace('_', " ")));
            let kind = Text { text: board.text.clone(), span: board.span };
            self.cards.push(RawCard::of_space(id, name, kind, part.fields.clone(), part.name.span));
            made.all.push(Part { card: card.id.text.clone(), copy, ports: part.ports });
            let at = |name: &Text| written.iter().position(|other| other.name.text == name.text).map(|at| cast::fit::<u16>(first + at));
            made.near.push(part.next_to.iter().filter_map(|name| at(name)).collect());
        }
        // What is next to another one is so from both sides.
        for at in first..made.all.len() {
            for near in made.near[at].clone() {
                made.near[usize::from(near)].push(cast::fit::<u16>(at));
            }
        }
        for near in &mut made.near[first..] {
            near.sort_unstable();
            near.dedup();
        }
    }

    /// Reads the parts of a card, and reports what is wrong with them.
    fn read_parts<'c>(&mut self, board: &Name, card: &'c RawCard, sides: &[&str]) -> Vec<WrittenPart<'c>> {
        let Some((_, value)) = card.fields.iter().find(|(key, _)| key.text == PARTS) else {
            let (card_id, kind, board) = (card.id.text.clone(), card.kind.text.clone(), board.text.clone());
            self.diagnostics.push(CardProblem::NoParts { card: card_id, kind, board, side: sides[0].to_string() }.at(card.span));
            return Vec::new();
        };
        let tables = if let TomlValue::List(all) = &value.value { all.as_slice() } else { std::slice::from_ref(value) };
        let mut parts: Vec<WrittenPart<'c>> = Vec::new();
        for table in tables {
            let TomlValue::Table(keys) = &table.value else {
                self.expected("a table such as { at = \"…\" } for each part", table);
                continue;
            };
            let read = self.read_part(keys, table, &parts, sides);
            parts.push(read);
        }
        let names: Vec<&str> = parts.iter().map(|part| part.name.text.as_str()).collect();
        for part in &parts {
            for name in &part.next_to {
                if name.text == part.name.text || !names.contains(&name.text.as_str()) {
                    let others: Vec<&str> = names.iter().copied().filter(|other| *other != part.name.text).collect();
                    let suggestion = Suggestion::for_unknown(&name.text, others.iter().copied(), "its other parts", &others);
                    self.diagnostics.push(CardProblem::NoSuchPart { name: name.text.clone(), suggestion }.at(name.span));
                }
            }
        }
        parts
    }

    fn read_part<'c>(
        &mut self,
        keys: &'c [(Text, Spanned)],
        table: &Spanned,
        before: &[WrittenPart<'_>],
        sides: &[&str],
    ) -> WrittenPart<'c> {
        let (mut name, mut ports, mut next_to, mut fields) = (None, 0, Vec::new(), Vec::new());
        for (key, value) in keys {
            match key.text.as_str() {
                "name" => name = self.text_of(value),
                "at" => {
                    for text in self.texts_of(value) {
                        ports |= self.read_ports(text, sides);
                    }
                }
                "next_to" => next_to = self.texts_of(value),
                _ => fields.push((key.clone(), value.clone())),
            }
        }
        if let (Some(taken), Some((_, at))) =
            (before.iter().find(|part| part.ports & ports != 0), keys.iter().find(|(key, _)| key.text == "at"))
        {
            let port = (taken.ports & ports).trailing_zeros();
            let (port, other) = (port_name(port as usize, sides), taken.name.text.clone());
            self.diagnostics.push(CardProblem::PortTaken { port, other }.at(at.span));
        }
        let is_plain = |name: &&Text| name.text.chars().all(|sign| sign.is_alphanumeric() || sign == '_') && !name.text.is_empty();
        if let Some(name) = name.filter(|name| !is_plain(name)) {
            self.diagnostics.push(CardProblem::PartName { name: name.text.clone() }.at(name.span));
        }
        let name = name.filter(is_plain);
        // A part that has no name is called by its first word.
        let word = || fields.iter().find_map(|(_, value)| value.text().cloned());
        let called = name.cloned().or_else(word).unwrap_or_else(|| Text { text: "part".to_string(), span: table.span });
        let taken = |text: &str| before.iter().any(|part| part.name.text == text);
        if let Some(name) = name.filter(|name| taken(&name.text)) {
            self.diagnostics.push(CardProblem::PartTwice { name: name.text.clone() }.at(name.span));
        }
        let nth = |number: usize| format!("{}_{number}", called.text);
        let text = if taken(&called.text) { (2..).map(nth).find(|text| !taken(text)).unwrap_or_default() } else { called.text.clone() };
        WrittenPart { name: Text { text, span: called.span }, ports, next_to, fields }
    }

    /// Reads words such as `n`, `e1` and `e2`: the sides of a card, or the two ends of a side.
    fn read_ports(&mut self, text: &Text, sides: &[&str]) -> u32 {
        let mut ports = 0;
        let all = || (0..sides.len() * PORTS_OF_SIDE).map(|port| port_name(port, sides));
        for word in text.text.split([' ', ',']).filter(|word| !word.is_empty()) {
            match all().position(|name| name == word) {
                Some(port) => ports |= 1 << port,
                None => {
                    let (word, sides) = (word.to_string(), sides.iter().map(ToString::to_string).collect());
                    self.diagnostics.push(CardProblem::NoSide { word, sides }.at(text.span));
                }
            }
        }
        ports
    }

    fn text_of<'c>(&mut self, value: &'c Spanned) -> Option<&'c Text> {
        let text = value.text();
        if text.is_none() {
            self.expected("a text", value);
        }
        text
    }

    /// Returns the texts of a list, or a single one.
    fn texts_of<'c>(&mut self, value: &'c Spanned) -> Vec<&'c Text> {
        let all = if let TomlValue::List(all) = &value.value { all.as_slice() } else { std::slice::from_ref(value) };
        all.iter().filter_map(|value| self.text_of(value)).collect()
    }

    fn expected(&mut self, expected: &'static str, value: &Spanned) {
        let diagnostic: Diagnostic = CardProblem::WrongFigure { expected, found: value.type_name() }.at(value.span);
        self.diagnostics.push(diagnostic);
    }
}

/// Returns how a port is written: the side, with 1 for its beginning and 2 for its end, clockwise.
fn port_name(port: usize, sides: &[&str]) -> String {
    let side = sides.get(port / PORTS_OF_SIDE).copied().unwrap_or_default();
    match port % PORTS_OF_SIDE {
        0 => format!("{side}1"),
        1 => side.to_string(),
        _ => format!("{side}2"),
    }
}

/// Whether a place that rules declare is a map of hexagons.
fn is_hexes(tree: &Rules, place: &str) -> bool {
    tree.declarations.iter().any(|declaration| {
        let (DeclarationKind::Table(members) | DeclarationKind::Player(members)) = &declaration.kind else { return false };
        members.items.iter().any(|member| matches!(&member.kind, MemberKind::Hexes { name, .. } if name.text == place))
    })
}

#[cfg(test)]
mod tests {
    use super::port_name;
    use crate::engine::Ruleset;
    use crate::engine::parts::{PORTS_OF_SIDE, side_names};
    use crate::setup::Setup;
    use crate::state::chance::draw;
    use crate::state::layout::piece;
    use crate::testing::compiled;

    const CARDS: u64 = 14;
    const PARTS: u64 = 4;

    /// A part of a made-up card: its soil, and the ports at which it comes to the edge.
    struct Made {
        soil: u64,
        ports: Vec<usize>,
    }

    /// Makes up the parts of a card: each port belongs to one of them, or to none.
    fn parts_of(random: u64, card: u64, sides: usize) -> Vec<Made> {
        let owner = |port: usize| draw(random, card, port as u64) % (PARTS + 1);
        let ports = |part: u64| (0..sides * PORTS_OF_SIDE).filter(|port| owner(*port) == part).collect();
        (0..PARTS).map(|part| Made { soil: draw(random, card, 100 + part) % 3, ports: ports(part) }).collect()
    }

    fn game(random: u64, hexes: bool) -> Ruleset {
        let (grid, board, sides) =
            if hexes { ("hexes plot 2", "hexes 2", side_names(true)) } else { ("grid plot 4 by 5", "4 by 5", side_names(false)) };
        let rules = format!(
            "game turf\nplayers 1 to 2\nwords soil: dry, wet, rock\nkind turf {{ }}\ntable {{ {grid}; deck bag of turf }}\ncard {{ counter spin }}\nboard field {board}\nboard land of parts of turf in plot, turned by spin, matched by soil {{ soil: one of soil }}\nrounds 1 of day\nphase day {{ turns in order until turn == players\naction pass {{ does {{ }} }} }}\nscore {{ \"land\" = count land + count field }}\n"
        );
        let card = |card: u64| {
            let part = |(nth, part): (usize, Made)| {
                let at: Vec<String> = part.ports.iter().map(|port| port_name(*port, sides)).collect();
                format!("{{ name = \"p{nth}\", soil = \"{}\", at = \"{}\" }}", ["dry", "wet", "rock"][part.soil as usize], at.join(" "))
            };
            let parts: Vec<String> = parts_of(random, card, sides.len()).into_iter().enumerate().map(part).collect();
            format!("[[card]]\nid = \"t{card}\"\nkind = \"turf\"\nparts = [{}]\n", parts.join(", "))
        };
        compiled("turf", &rules, &(0..CARDS).map(card).collect::<String>(), &Setup { players: 1, ..Setup::default() })
    }

    type Point = (f64, f64);

    fn turned((x, y): Point, turns: f64, sides: f64) -> Point {
        let (sin, cos) = (turns * std::f64::consts::TAU / sides).sin_cos();
        (x * cos - y * sin, x * sin + y * cos)
    }

    fn moved(a: Point, b: Point) -> Point {
        (a.0 + b.0, a.1 + b.1)
    }

    fn same(a: Point, b: Point) -> bool {
        (a.0 - b.0).abs() < 1e-6 && (a.1 - b.1).abs() < 1e-6
    }

    /// Cards as they lie in the plane: y grows downwards, and the distance from the middle of a card to a side is 1.
    #[derive(Clone, Copy)]
    struct Plane {
        sides: usize,
        hexes: bool,
        columns: usize,
    }

    impl Plane {
        fn middle(&self, slot: usize) -> Point {
            let (row, column) = ((slot / self.columns) as f64, (slot % self.columns) as f64);
            if self.hexes { (2.0 * column + row, 3_f64.sqrt() * row) } else { (2.0 * column, 2.0 * row) }
        }

        /// The way from the middle of a card to the middle of a side.
        fn way_to_side(self, side: usize) -> Point {
            let first = if self.hexes { turned((0.0, -1.0), 0.5, 6.0) } else { (0.0, -1.0) };
            turned(first, side as f64, self.sides as f64)
        }

        fn port(&self, slot: usize, port: usize, turn: usize) -> Point {
            let out = self.way_to_side(port / PORTS_OF_SIDE + turn);
            let along = turned(out, 1.0, 4.0);
            let share = [-0.3, 0.0, 0.3][port % PORTS_OF_SIDE];
            moved(self.middle(slot), (out.0 + share * along.0, out.1 + share * along.1))
        }
    }

    #[test]
    fn parts_touch_where_they_do_in_the_plane() {
        let mut fitting = 0;
        for random in 0..12 {
            let hexes = random % 2 == 1;
            let rules = game(random, hexes);
            let land = rules.boards.iter().find(|board| board.parts.is_some()).unwrap();
            let parts = land.parts.as_ref().unwrap();
            let grid = rules.find_place("plot").unwrap();
            let instance = usize::from(rules.places[grid].first_instance);
            let (place, sides) = (&rules.layout.places[instance], side_names(hexes).len());
            let columns = 5;
            let plane = Plane { sides, hexes, columns };
            let mut cells = vec![0; rules.layout.len];
            rules.initial.iter().for_each(|&(cell, value)| cells[cell as usize] = value);
            // Most slots have a card, in any way.
            let slots: Vec<usize> = (0..usize::from(place.room)).filter(|slot| rules.places[grid].is_space(*slot)).collect();
            let mut laid: Vec<(u64, usize, usize)> = Vec::new();
            for (card, slot) in (0..CARDS - 1).zip(slots.iter().copied().filter(|slot| !draw(random, 7, *slot as u64).is_multiple_of(3))) {
                laid.push((card, slot, draw(random, 8, card) as usize % sides));
            }
            let of = |card: u64| {
                rules
                    .piece_definition
                    .iter()
                    .position(|&of| rules.names.text(rules.definitions[of as usize].id) == format!("t{card}"))
                    .unwrap()
            };
            for &(card, slot, turn) in &laid {
                let at = of(card);
                cells[rules.layout.piece(at, piece::PLACE)] = instance as i32;
                cells[rules.layout.piece(at, piece::POSITION)] = slot as i32;
                cells[rules.layout.piece(at, usize::from(parts.turn.unwrap()))] = turn as i32;
                cells[place.base as usize] += 1;
                cells[place.base as usize + 1 + slot] = at as i32 + 1;
            }
            let read = |cell: usize| cells[cell];
            let ports: Vec<(u64, u64, u64, Point)> = laid
                .iter()
                .flat_map(|&(card, slot, turn)| {
                    let plane = &plane;
                    let all = (0..PARTS).zip(parts_of(random, card, sides));
                    all.flat_map(move |(nth, part)| {
                        part.ports.into_iter().map(move |port| (card, nth, part.soil, plane.port(slot, port, turn)))
                    })
                })
                .collect();
            let space = |card: u64, nth: u64| {
                let id = format!("t{card}_p{nth}");
                land.space(
                    (0..land.count())
                        .map(|space| land.piece(space as u16))
                        .find(|&piece| rules.names.text(rules.definition(piece as usize).id) == id)
                        .unwrap(),
                )
                .unwrap()
            };
            for &(card, slot, turn) in &laid {
                for (nth, part) in (0..PARTS).zip(parts_of(random, card, sides)) {
                    let at = |other: &&(u64, u64, u64, Point)| part.ports.iter().any(|port| same(plane.port(slot, *port, turn), other.3));
                    let mut near: Vec<u16> = ports
                        .iter()
                        .filter(|other| other.0 != card && other.2 == part.soil)
                        .filter(at)
                        .map(|other| space(other.0, other.1) as u16)
                        .collect();
                    near.sort_unstable();
                    near.dedup();
                    assert_eq!(land.near(space(card, nth), &read, &mut Vec::new()), near, "{random}: part {nth} of card {card}");
                    let is_open = |port: &&usize| {
                        let out = plane.way_to_side(**port / PORTS_OF_SIDE + turn);
                        let beyond = moved(plane.middle(slot), (2.0 * out.0, 2.0 * out.1));
                        !laid.iter().any(|other| same(plane.middle(other.1), beyond))
                    };
                    assert_eq!(parts.open_ends(space(card, nth), &read), part.ports.iter().filter(is_open).count() as i64);
                }
            }
            // The last card has not been laid.
            let card = CARDS - 1;
            for &slot in &slots {
                for turn in 0..2 * sides {
                    let own: Vec<(u64, Point)> = parts_of(random, card, sides)
                        .into_iter()
                        .flat_map(|part| part.ports.into_iter().map(move |port| (part.soil, port)))
                        .map(|(soil, port)| (soil, plane.port(slot, port, turn)))
                        .collect();
                    let is_beside = |other: &&(u64, usize, usize)| {
                        (0..sides).any(|side| {
                            let out = plane.way_to_side(side);
                            same(plane.middle(other.1), moved(plane.middle(slot), (2.0 * out.0, 2.0 * out.1)))
                        })
                    };
                    let beside: Vec<&(u64, usize, usize)> = laid.iter().filter(is_beside).collect();
                    // What touches what, from both sides.
                    let touching = |point: Point| ports.iter().find(|other| same(other.3, point)).map(|other| other.2);
                    let of_side = move |other: &(u64, usize, usize)| {
                        (0..sides * PORTS_OF_SIDE)
                            .map(|port| plane.port(slot, port, 0))
                            .filter(move |point| (0..sides * PORTS_OF_SIDE).any(|port| same(plane.port(other.1, port, 0), *point)))
                            .collect::<Vec<Point>>()
                    };
                    let agrees = |point: &Point| own.iter().find(|own| same(own.1, *point)).map(|own| own.0) == touching(*point);
                    let fits = !laid.iter().any(|other| other.1 == slot)
                        && !beside.is_empty()
                        && beside.iter().all(|other| of_side(other).iter().all(agrees));
                    fitting += usize::from(fits);
                    assert_eq!(parts.fits(of(card), (0, slot), turn as i64, &read), fits, "{random}: {slot} turned {turn}");
                }
            }
        }
        assert!(fitting > 5, "{fitting} ways fit");
    }
}
