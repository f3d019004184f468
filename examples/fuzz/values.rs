//! The law of values: what code says is what a plain walk says, what a third evaluator says, what `houserule why` says and what
//! `houserule test` says, of expressions and effects made by chance over a game made for that, while the game goes on.
//!
//! [`fuzz_values`] takes a seed. Whatever is broken is told with the seed, the expression cut down to the smallest part that shows it,
//! and the rules.

use super::expressions::{E, GIFTS, Grower, KINDS, Known, Names, OWN, Printed, State, TABLE};
use super::formatting::law_of_formatting;
use houserule::diagnostic::{Severity, render::render};
use houserule::engine::eval::{Env, LOCALS};
use houserule::engine::graph::Expr;
use houserule::engine::native::Native;
use houserule::engine::node::{Called, NodeId};
use houserule::engine::{Game, Ruleset};
use houserule::format::Language;
use houserule::lang::{self, GameText, Setup};
use houserule::scenario::position::{StartingScenario, position};
use houserule::scenario::run::{ExtraContent, run_file};
use houserule::script::ScriptHost;
use houserule::source::Sources;
use houserule::state::chance::{draw, join};
use houserule::why::Why;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Definitions that are asked for their value, and definitions of a card that these can name.
const ASKED: usize = 40;
const OF_CARDS: usize = 4;
/// Effects, each of which an action does.
const EFFECTS: usize = 8;
/// Answers that are given in a game, and states of it that are looked at.
const ANSWERS: u64 = 36;
const LOOKED_AT: u64 = 12;
/// States in which every node of the ruleset is compared.
const WHOLE: u64 = 3;

/// A game by chance.
pub struct Made {
    seed: u64,
    players: usize,
    rules: String,
    cards: String,
    printed: Vec<Printed>,
    of_cards: Vec<E>,
    asked: Vec<E>,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compared {
    /// Values of definitions, for a seat in a state: by code, plainly, and by the third evaluator where that knows them.
    pub asked: u64,
    pub by_third: u64,
    /// Values of any node.
    pub nodes: u64,
    /// Values of any node by generated code.
    pub by_code: u64,
    /// Values that `why` explained.
    pub why: u64,
    /// Values that scenarios held.
    pub tests: u64,
    /// Questions inside a block in which all act at once.
    pub at_once: u64,
    /// Games that met a fault.
    pub faults: u64,
}

const RULES: &str = r#"
game values "Values"
players 2 to 4
symbols sun, rain
tokens die { grey 6: sun | 2 sun | rain, sun | nothing; red 4: rain | 2 rain, sun }
exchange 2 die as 1 sun, rain
table {
  deck pile of wolf, owl, wall
  grid market 2 by 3
  hexes heath 1
  counter moon, tide
  flag night
  pool box, full
}
player {
  resource a, b
  counter c, d, e, turns_had
  flag f, g
  set held of resource
  tally seen by kind
  tally owed by resource
  place den of wolf, owl, wall: dens, room 6
  place lair of wolf, owl
  place paw of wolf, owl, wall: 3
  pool hand
  each round { flag passed }
}
card { counter moss, fern }
kind wolf { slot den }
kind owl { slot lair }
kind wall { slot den }
fields of wolf, owl, wall { height: number; bite: number = 1; gift: of resource, calm, dread; hours: numbers }
zone play = den, lair
hearing play
changeable dens = 6, at most 6
changeable toll(card) = card.height + 1
changeable share(card, r) = card.gift[r] * 2, at least 0
rank most x = top 1 by x, ties at the edge out
rank least x = bottom 2 by x, ties at the edge in
condition "most famous" = most fame
when card leaves den { c += card.moss; card.moss = 0 }
{defined}
setup {
  each player { gain 3 a; gain 2 b; take 3 die from box to hand; roll hand }
  fill market from pile
  each player { draw from pile to den; draw from pile to den; draw from pile to paw }
}
rounds 2 of roam
phase roam {
  turns in order until all have passed, 1 each, counted in turns_had
  action fetch card in market {
    needs room: count my den < 5
    does { seen[card.kind] += 1; place card in its slot; fill market from pile }
  }
  action toss card in my cards in play { does { remove card } }
  action paw card in my paw { needs room: count my den < 5; does { place card in den } }
  action camp card in my den { does { card.fern += 1; place card in heath } }
  action mark card in all den { does { card.moss += 1 } }
  action roll { does { lift all die in hand; take 1 die from box to hand; roll hand } }
  action stow { does { move all die showing sun from hand to box; add b to held; f = yes } }
  action turn { does { order by c, then order; moon += 1; night = yes } }
  {actions}
  action pass { does { passed = yes } }
}
score { "points" = c }
wins highest score, then order
"#;

impl Made {
    /// The game of a seed.
    pub fn new(seed: u64) -> Made {
        let mut grower = Grower::new(seed);
        let (printed, players) = (printed(&mut grower), 2 + grower.below(3));
        let closed = Known { quantities: true, definitions: OF_CARDS, ..Known::default() };
        let of_cards = (0..OF_CARDS).map(|number| grower.number(2, Known { one: true, definitions: number, ..Known::default() })).collect();
        let asked = (0..ASKED).map(|at| if at % 4 == 3 { grower.truth(4, closed) } else { grower.number(4, closed) }).collect();
        let within = Known { definitions: OF_CARDS, ..Known::default() };
        let fame = grower.number(3, within);
        let effects: Vec<String> = (0..EFFECTS).map(|_| effect(&mut grower, Known { word: true, param: true, ..closed })).collect();
        let actions = (0..EFFECTS).map(|at| {
            let (amount, word) = (grower.number(2, closed), GIFTS[grower.below(2)]);
            format!("  action do{at} {{ does {{ do effect{at}({word}, min(9, {amount})) }} }}\n")
        });
        let actions: String = actions.collect();
        let cards = cards(&mut grower, &printed);
        let mut made = Made { seed, players, rules: String::new(), cards, printed, of_cards, asked };
        let mut defined = String::new();
        for (at, expr) in made.of_cards.iter().enumerate() {
            let _ = writeln!(defined, "define of_card{at}(one) = {expr}");
        }
        for (at, expr) in made.asked.iter().enumerate() {
            let _ = writeln!(defined, "define asked{at} = {expr}");
        }
        let _ = writeln!(defined, "stat fame = {fame}, at most 40, at least (0 - 40), ranked as max(fame, 0)");
        for (at, body) in effects.iter().enumerate() {
            let _ = writeln!(defined, "effect effect{at}(r, n) {{\n{body}}}");
        }
        made.rules = RULES.replace("{defined}", &defined).replace("{actions}", &actions);
        made
    }

    /// Its rules and its cards.
    pub fn texts(&self) -> [&str; 2] {
        [&self.rules, &self.cards]
    }

    /// The game with these definitions instead, to see which is the smallest that shows a fault.
    fn asking(&self, asked: Vec<E>) -> Made {
        let lines = self.rules.lines().filter(|line| !line.starts_with("define asked"));
        let mut rules: String = lines.map(|line| format!("{line}\n")).collect();
        for (at, expr) in asked.iter().enumerate() {
            let _ = writeln!(rules, "define asked{at} = {expr}");
        }
        let Made { seed, players, ref cards, ref printed, ref of_cards, .. } = *self;
        Made { seed, players, rules, cards: cards.clone(), printed: printed.clone(), of_cards: of_cards.clone(), asked }
    }
}

/// What is printed on the cards: some fields are the same for all, some are nothing for all, and no card has the last word of the row.
fn printed(grower: &mut Grower) -> Vec<Printed> {
    let (flat, barren) = (grower.chance(3), grower.chance(4));
    let mut number = |of: &[i64]| grower.one_of(of);
    let mut all = Vec::new();
    for at in 0..14_usize {
        let height = if flat { 2 } else { number(&[0, 1, 2, 3, 4]) };
        let gift = [number(&[0, 0, 1, 2, -1]), number(&[0, 0, 3]), if barren { 0 } else { number(&[0, 0, 0, 2]) }, 0];
        let hours = (0..number(&[0, 1, 2, 3])).map(|_| number(&[1, 2, 5])).collect();
        let kind = at % 3;
        all.push(Printed { id: format!("{}_{at}", KINDS[kind]), kind, height, bite: number(&[1, 1, 1, 4]), gift, hours });
    }
    all
}

/// The cards' file: some of them change quantities.
fn cards(grower: &mut Grower, printed: &[Printed]) -> String {
    let mut text = String::new();
    let within = Known { definitions: OF_CARDS, ..Known::default() };
    for (at, card) in printed.iter().enumerate() {
        let [a, b, calm, _] = card.gift;
        let _ =
            writeln!(text, "[[card]]\nid = \"{0}\"\nname = \"{0}\"\nkind = \"{1}\"\nheight = {2}", card.id, KINDS[card.kind], card.height);
        let _ = writeln!(text, "bite = {}\ngift = {{ a = {a}, b = {b}, calm = {calm} }}\nhours = {:?}", card.bite, card.hours);
        if at % 3 == 0 {
            let what = ["toll", "share", "fame", "dens", "fame"][at / 3];
            let operator = ["by", "by", "at_most", "to", "at_least"][grower.below(5)];
            let who = ["me", "others", "all"][grower.below(3)];
            let known = if what == "toll" { within } else { Known::default() };
            let (amount, when) = (grower.number(2, known), grower.truth(2, known));
            let _ = writeln!(text, "[[card.change]]\nwhat = \"{what}\"\n{operator} = \"{amount}\"\nif = \"{when}\"\nwho = \"{who}\"");
        }
    }
    text
}

/// The statements of an effect. Numbers are held small, so that games go on.
fn effect(grower: &mut Grower, known: Known) -> String {
    let mut text = String::new();
    for _ in 0..2 + grower.below(3) {
        statement(grower, known, 2, "  ", &mut text);
    }
    text
}

fn statement(grower: &mut Grower, known: Known, depth: u32, indent: &str, text: &mut String) {
    let inner = format!("{indent}  ");
    let which = if depth == 0 { grower.below(9) } else { grower.below(17) };
    let own = OWN[2 + grower.below(2)];
    let number = grower.number(if known.card { 2 } else { 3 }, known);
    let bounded = format!("max(0 - 60, min(60, {number}))");
    let _ = match which {
        0..=2 => writeln!(text, "{indent}{own} = {bounded}"),
        3 => writeln!(text, "{indent}gain min(3, {number}) {}", if known.word { "r" } else { "a" }),
        4 => writeln!(text, "{indent}lose min(2, {number}) b"),
        5 => writeln!(text, "{indent}owed[{}] = {bounded}", GIFTS[grower.below(2)]),
        6 => writeln!(text, "{indent}{} = {bounded}", TABLE[grower.below(2)]),
        7 if known.card => writeln!(text, "{indent}card.moss = {bounded}"),
        7 => writeln!(text, "{indent}seen[{}] += 1", KINDS[grower.below(3)]),
        8 => writeln!(text, "{indent}f = {}", grower.truth(2, known)),
        9 | 10 => {
            let condition = grower.truth(3, known);
            let _ = writeln!(text, "{indent}if ({condition}) {{");
            statement(grower, known, depth - 1, &inner, text);
            let _ = writeln!(text, "{indent}}} else {{");
            statement(grower, known, depth - 1, &inner, text);
            writeln!(text, "{indent}}}")
        }
        11 | 12 => {
            let filter = grower.truth(2, Known { card: true, ..known });
            let _ = writeln!(text, "{indent}each card in my den where ({filter}) {{");
            statement(grower, Known { card: true, ..known }, depth - 1, &inner, text);
            writeln!(text, "{indent}}}")
        }
        13 => {
            let filter = grower.truth(2, known);
            let _ = writeln!(text, "{indent}each other player where ({filter}) {{");
            statement(grower, known, depth - 1, &inner, text);
            writeln!(text, "{indent}}}")
        }
        14 => writeln!(text, "{indent}repeat 2 {{ {own} += min(2, {number}); lift all die in hand; roll hand }}"),
        // Nobody may begin such a block within one.
        15 | 16 if depth == 2 => {
            let filter = grower.truth(2, known);
            let _ = writeln!(text, "{indent}all players where ({filter}) {{");
            statement(grower, known, 0, &inner, text);
            statement(grower, known, 0, &inner, text);
            let _ = writeln!(text, "{inner}player chooses {{ \"more\" {{ c += 1 }} \"less\" {{ d -= 1 }} }}");
            statement(grower, known, 1, &inner, text);
            writeln!(text, "{indent}}}")
        }
        _ => writeln!(text, "{indent}{own} += min(3, max(0 - 3, {number}))"),
    };
}

/// A game, compiled, with all that is asked about it.
struct Opened<'m> {
    made: &'m Made,
    sources: Sources,
    text: GameText,
    rules: Arc<Ruleset>,
    setup: Setup,
    /// Of each definition that is asked its node.
    nodes: Vec<NodeId>,
}

impl<'m> Opened<'m> {
    fn new(made: &'m Made, root: &Path) -> Result<Opened<'m>, String> {
        for (path, text) in [("rules/values.rules", &made.rules), ("cards/values/base.toml", &made.cards)] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            fs::write(path, text).expect("it is written");
        }
        let (mut sources, mut found) = (Sources::new(), Vec::new());
        let setup = Setup { players: made.players, ..Setup::default() };
        let text = lang::load(&mut sources, Some(root), "values", &[], &[], &mut found);
        let rules = text.as_ref().and_then(|text| lang::compile(text, &setup, &mut found));
        found.retain(|fault| fault.severity == Severity::Error);
        let (Some(text), Some(rules), true) = (text, rules, found.is_empty()) else {
            return Err(format!("what was made is refused:\n{}", render(&sources, &found, false)));
        };
        let node = |at: usize| {
            let name = format!("asked{at}");
            let called = rules.signatures.iter().find(|signature| signature.name == name).map(|signature| signature.called);
            let Some(Called::Expression(node)) = called else { panic!("no definition {name}") };
            node
        };
        let nodes = (0..made.asked.len()).map(node).collect();
        Ok(Opened { made, sources, text, rules: Arc::new(rules), setup, nodes })
    }

    /// Plays by chance, and looks at the states on the way.
    fn play(&self, compared: &mut Compared, whole: bool) -> Result<(), Broken> {
        let (rules, seed) = (&self.rules, self.made.seed);
        let mut host = ScriptHost::new(rules).expect("there are no scripts");
        let mut game = Game::new(rules, seed);
        // Every other game runs generated code for all expressions.
        game.use_native(rules, None);
        if whole && !seed.is_multiple_of(2) {
            let native = Native::compile_all(rules).map_err(|wrong| Broken { at: None, what: format!("no code: {wrong}") })?;
            game.use_native(rules, Some(Arc::new(native)));
        }
        for number in 0..ANSWERS {
            match game.on(rules).advance(&mut host) {
                Ok(Some(_)) => {}
                Ok(None) => break,
                Err(_) => {
                    compared.faults += 1;
                    return Ok(());
                }
            }
            let chance = join(seed, number);
            let inside = game.in_simultaneous_block();
            compared.at_once += u64::from(inside);
            if inside || chance.is_multiple_of(ANSWERS / LOOKED_AT) {
                self.look(&mut game, compared)?;
                // What was kept then and what is kept now: both are asked.
                if whole && (inside || number < WHOLE) {
                    self.every_node(&mut game, chance, compared)?;
                }
            }
            let decision = game.decision().expect("a question");
            // Effects more often than the rest: they are what is made by chance.
            let effects: Vec<usize> =
                (0..decision.options.len()).filter(|&at| decision.options[at].text(rules).starts_with("do")).collect();
            let others: Vec<usize> = (0..decision.options.len())
                .filter(|&at| decision.options.len() == 1 || decision.options[at].text(rules) != "pass")
                .collect();
            let among = if chance >> 8 & 1 == 0 && !effects.is_empty() { effects } else { others };
            let option = among[(chance >> 16) as usize % among.len()];
            if game.on(rules).answer(&mut host, option).is_err() {
                compared.faults += 1;
                return Ok(());
            }
        }
        if whole {
            self.every_node(&mut game, seed, compared)?;
        }
        Ok(())
    }

    /// The seats whose values mean the same to whoever asks: while all act at once, only the one who acts.
    fn seats(&self, game: &Game) -> Vec<usize> {
        match game.decision() {
            Some(decision) if game.in_simultaneous_block() => vec![decision.seat],
            _ => (0..self.rules.players).collect(),
        }
    }

    /// What is asked, by code, plainly, and by the third evaluator.
    fn look(&self, game: &mut Game, compared: &mut Compared) -> Result<(), Broken> {
        let rules = &self.rules;
        for me in self.seats(game) {
            for (at, &node) in self.nodes.iter().enumerate() {
                let plainly = game.store(rules).plain_value(node, &Env::for_seat(me));
                let found = game.store(rules).eval(node, &mut Env::for_seat(me));
                let wrong = game.store(rules).take_arithmetic_fault();
                let broken = |what: String| Broken { at: Some(at), what: format!("for p{}: {what}", me + 1) };
                let Some(plainly) = plainly else { continue };
                if let Some(wrong) = wrong {
                    return Err(broken(format!("code fails: {wrong}; a plain walk says {plainly}")));
                }
                if found != plainly {
                    return Err(broken(format!("code says {found}, a plain walk {plainly}")));
                }
                compared.asked += 1;
                if game.in_simultaneous_block() {
                    continue;
                }
                let state = State { rules, game, printed: &self.made.printed, definitions: &self.made.of_cards };
                let names = Names { me, cards: Vec::new(), word: 0, param: 0 };
                if let Ok(third) = state.value(&self.made.asked[at], &names) {
                    compared.by_third += 1;
                    if third != plainly {
                        return Err(broken(format!("code and a plain walk say {plainly}, the third evaluator {third}")));
                    }
                }
            }
        }
        Ok(())
    }

    /// The nodes that can be evaluated by themselves. What loops bind is a local before a loop is complete: what is within loops is there in
    /// that form, too.
    fn closed_nodes(&self) -> Vec<NodeId> {
        self.rules.graph.all().map(|(id, _)| id).filter(|id| self.rules.graph.facts(*id).vars == 0).collect()
    }

    /// Every node, parts of effects and of cards among them, with locals by chance. Parts come before what is made of them, so that the
    /// first one that differs is the smallest.
    fn every_node(&self, game: &mut Game, chance: u64, compared: &mut Compared) -> Result<(), Broken> {
        let rules = &self.rules;
        let most = rules.layout.pieces as u64;
        for me in self.seats(game) {
            for node in self.closed_nodes() {
                let mut env = Env { me, locals: [0; LOCALS] };
                for (i, local) in env.locals.iter_mut().enumerate() {
                    *local = (draw(chance, node.number().into(), i as u64) % (most + 1)) as i32 - 1;
                }
                let Some(plainly) = game.store(rules).plain_value(node, &env) else { continue };
                if game.is_native() && !rules.graph[node].is_set_of_spaces() {
                    compared.by_code += 1;
                    let found = game.store(rules).native_value(node, &env);
                    if found != Some(plainly) {
                        let what = format!("generated code says {found:?}, a plain walk {plainly}, with {:?}", env.locals);
                        return Err(Broken { at: None, what: format!("for p{}: {what}\n  {}", me + 1, drawn(rules, node)) });
                    }
                }
                let found = game.store(rules).eval(node, &mut env);
                compared.nodes += 1;
                let wrong = game.store(rules).take_arithmetic_fault();
                if found != plainly || wrong.is_some() {
                    let wrong = wrong.map_or(String::new(), |wrong| format!(" ({wrong})"));
                    let what = format!("code says {found}{wrong}, a plain walk {plainly}, with {:?}", env.locals);
                    return Err(Broken { at: None, what: format!("for p{}: {what}\n  {}", me + 1, drawn(rules, node)) });
                }
            }
        }
        Ok(())
    }

    /// A position as a scenario writes it, in which `then` and `why` must say what a plain walk says.
    fn test(&self, root: &Path, compared: &mut Compared) -> Result<(), Broken> {
        let mut grower = Grower::new(self.made.seed);
        let mut given = String::new();
        for seat in 1..=self.made.players {
            let _ = writeln!(given, "empty p{seat}.den");
        }
        for (at, card) in self.made.printed.iter().enumerate().filter(|(at, _)| at % 2 == 0) {
            let _ = writeln!(given, "put {} in p{}.den with {} moss", card.id, at / 2 % self.made.players + 1, grower.below(4));
        }
        // What is set last holds, whatever a card that comes changes.
        for seat in 1..=self.made.players {
            for name in ["a", "b", "c", "d"] {
                let least = if matches!(name, "a" | "b") { 0 } else { -3 };
                let _ = writeln!(given, "p{seat}.{name} = {}", least + grower.below(6) as i64);
            }
        }
        let file = |then: &str| {
            format!(
                "game = \"values\"\nplayers = {}\n\n[[scenario]]\nname = \"law\"\ngiven = \"\"\"\n{given}\"\"\"\nthen = \"\"\"\n{then}\"\"\"\n",
                self.made.players
            )
        };
        let mut sources = self.sources.clone();
        let lines = given.clone();
        let stands = {
            let id = sources.add("given.toml", file("p1.a == 99\n"));
            let beginning = StartingScenario::find(&sources, id, None);
            beginning.and_then(|found| position(&self.text, &self.setup, found.seed, &found.given, &found.when))
        };
        let (rules, mut game) =
            stands.map_err(|found| Broken { at: None, what: format!("{}\n{lines}", render(&sources, &found, false)) })?;
        let Some(mut why) = Why::open(&self.sources, &self.text, &self.setup, &mut Vec::new()) else {
            return Err(Broken { at: None, what: "`why` cannot open the game".to_string() });
        };
        let mut then = String::new();
        for (at, &node) in self.nodes.iter().enumerate() {
            let me = at % rules.players;
            let broken = |what: String| Broken { at: Some(at), what: format!("in a scenario, for p{}: {what}", me + 1) };
            let plainly = game.store(&rules).plain_value(node, &Env::for_seat(me));
            let Some(plainly) = plainly else { continue };
            let (name, truth) = (format!("asked{at}"), self.made.asked[at].is_truth());
            let told = why.explain_value(&game, me, &name).map_err(|wrong| broken(format!("`why` says {}", wrong.message)))?;
            if told.value != plainly {
                return Err(broken(format!("`why` says {}, a plain walk {plainly}", told.value)));
            }
            if let Some(gap) = told.first_mismatch() {
                return Err(broken(format!("`why` does not add up: {gap:#?}")));
            }
            compared.why += 1;
            compared.tests += 1;
            // A line that cannot fail is refused; what `d` is nobody knows before.
            let sum = plainly.checked_add(game.position(&rules).value_of(me, "d").unwrap_or(0));
            let number = if truth { format!("(if p{0}.{name} then 1 else 0)", me + 1) } else { format!("p{}.{name}", me + 1) };
            let _ = sum.map(|sum| writeln!(then, "{number} + p{}.d == {sum}", me + 1));
        }
        let id = sources.add("law.toml", file(&then));
        let report = run_file(&mut sources, Some(root), id, ExtraContent::default());
        match &report.cases[..] {
            [case] if case.passed => Ok(()),
            cases => {
                let failed: String = cases.iter().map(|case| case.message.as_str()).collect();
                let found = render(&sources, &report.diagnostics, false);
                Err(Broken { at: None, what: format!("`test` says otherwise than a plain walk:\n{failed}{found}") })
            }
        }
    }

    fn law(&self, root: &Path, compared: &mut Compared, whole: bool) -> Result<(), Broken> {
        self.play(compared, whole)?;
        if whole {
            self.test(root, compared)?;
        }
        Ok(())
    }
}

/// What is not as it should be, and of which definition.
struct Broken {
    at: Option<usize>,
    what: String,
}

/// An expression with all below it.
fn drawn(rules: &Ruleset, node: NodeId) -> String {
    let expr = rules.graph[node];
    let below: Vec<String> = expr.operands().map(|part| drawn(rules, part)).collect();
    let cards = if let Expr::OverCards { cards, .. } = expr { format!(" {:?}", rules.graph.cards(cards)) } else { String::new() };
    format!("{expr:?}{cards}[{}]", below.join(", "))
}

/// The smallest part of a definition that still shows a fault.
fn smallest(made: &Made, at: usize, root: &Path) -> String {
    let mut expr = made.asked[at].clone();
    'smaller: loop {
        for part in expr.below().into_iter().cloned().collect::<Vec<_>>() {
            let less = made.asking(vec![part.clone()]);
            let broken = Opened::new(&less, root).is_ok_and(|opened| opened.law(root, &mut Compared::default(), false).is_err());
            if broken {
                expr = part;
                continue 'smaller;
            }
        }
        return expr.to_string();
    }
}

/// The law over the game of a seed.
///
/// # Errors
/// What is broken, with the seed, the smallest expression that shows it and the rules.
pub fn law_of_values(seed: u64, compared: &mut Compared) -> Result<(), String> {
    let root = tempfile::tempdir().expect("a folder");
    let made = Made::new(seed);
    let told = |what: &str| {
        // In a single line of its own, so that whoever reads a long list sees it.
        format!("seed {seed}: {what}\n--- rules\n{}\n--- cards\n{}\n--- seed {seed}: {what}", made.rules, made.cards)
    };
    let opened = Opened::new(&made, root.path()).map_err(|wrong| told(&wrong))?;
    let broken = opened.law(root.path(), compared, true);
    broken.map_err(|Broken { at, what }| match at {
        Some(at) => told(&format!("{what}\n  asked{at} = {}\n  at least: {}", made.asked[at], smallest(&made, at, root.path()))),
        None => told(&what),
    })
}

/// A seed: the law over the game that it makes.
pub fn fuzz_values(data: &[u8]) {
    let mut seed = [0; 8];
    seed.iter_mut().zip(data).for_each(|(to, from)| *to = *from);
    let seed = u64::from_le_bytes(seed);
    let made = Made::new(seed);
    for (language, text) in [Language::Rules, Language::Toml].into_iter().zip(made.texts()) {
        match law_of_formatting(language, text) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the game of seed {seed} has errors"),
            Err(broken) => panic!("{broken}"),
        }
    }
    if let Err(broken) = law_of_values(seed, &mut Compared::default()) {
        panic!("{broken}");
    }
}
