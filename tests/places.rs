//! Everything in every place where it may stand: each statement in each block, each value and each set of cards, players or numbers wherever
//! one is wanted, each function of scripts in each kind of hook. Where `check` allows it, it runs, and the game is the same by a plain walk,
//! by generated code, and when it is written otherwise. What is refused, and why, stands in a table (`tests/snapshots/places_….snap`).

mod scripts;
mod sets;
mod statements;
mod values;

use crate::support::{Folder, folder, host};
use houserule::agent::describe_view;
use houserule::diagnostic::{Diagnostic, Severity, render::render};
use houserule::engine::native::Native;
use houserule::engine::{Game, Ruleset};
use houserule::lang::{self, Setup};
use houserule::script::check_scripts;
use houserule::source::Sources;
use houserule::state::chance::join;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// The game around what is tried; the names are those of the grammar's examples.
const RULES: &str = r#"
game places "Places"
players 3
symbols sun, rain
words wind: north, east, south
tokens die { grey 12: sun | 2 sun | rain, sun | rain; red 6: rain | 2 rain, sun }
board lawn 3 by 4 { counter owner of player }
board trails between lawn { length: number; counter owner of player; link ridge from r1c1 to r3c4 { length 3 }; link wet from r3c4 to r2c1 { length 2 } }
track path to 6 { reaching 3, 6 { gain 1 wisp }; leaving 0 { lose 1 moss }; beyond { gain 2 wisp } }
table {
  deck pile by epoch of wolf, wall
  grid market 3 by 4
  grid moor 3 by 4
  hexes heath 1
  pool box, full
  counter moon
  counter gust of wind
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
  place lair of wolf
  pool hand
  flag passed, done
}
card { counter bites; counter spin: 0 to 5 }
board bank of parts of stone in heath, turned by spin, matched by lean { lean: one of wind; counter nests }
kind wolf { slot yard; height: number; epoch: number; hours: numbers }
kind wall { slot yard; height: number; epoch: number; yield: of resource }
kind post { slot yard; height: number }
kind stone { }
zone play = yard, den, lair
hearing play
purse hoard of resource { resource; dens for any }
purse chest of resource { moon / 2 for wisp; one of card.yield of my yard }
define age = (round + 1) / 2
define price(card) = row of card
define open(s) = s.owner is nobody
define dry(l) = l.length > 2
define pond(s) = column of s / 3
define ascent(a, b) = row of a <= row of b
define twice(n) = 2 * n
stat fame = wisp + moss + sum card.height of my yard
stat glory = wisp
rank top x = top 1 by x, ties at the edge out
rank most x = top 1 by x, ties at the edge in
condition "most famous" = most fame
effect storm(n) { gain n wisp; lose 1 moss for storm }
{definitions}
setup {
  put boulder, pebble in heath
  each player { gain 3 wisp; gain 2 moss; draw 2 from pile[1] to den; draw 2 from pile[1] to yard; draw 1 from pile[2] to heath; take 3 die from box to hand; roll hand }
  fill market from pile[2]
  show (first card of market).height to all players
  {setup}
}
rounds 2 of dawn, roam
phase dawn {
  {phase}
}
phase roam {
  turns in order until all have done, 6 each
  {actions}
  action feed card in my den { does { card.bites += 1; place card in yard; moment howl(card) } }
  action use card in my cards in play with action { does { card acts } }
  action lift { does { lift all die in hand; roll hand } }
  action pass { does { done = yes } }
  step evening { each player { done = no; moment dusk; moment noon; lose 1 moss for hail } }
  step night { all players { moment night } }
}
score {
  "points" = wisp + 2 * moss + count my yard + sum card.bites of my yard
  {score}
}
wins highest score, then order
"#;

/// A place: its name, where in the game it stands, and what stands around `{}`.
type Place = (&'static str, Part, &'static str);

/// Where in the game a place is. Of the text of a place `@` is its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Among the statements of an action, or of one that is about a card.
    Action,
    CardAction,
    /// Among the parts of an action that does nothing else.
    Guard,
    /// Among what an action is about.
    Params,
    Effect,
    /// A definition, which an action uses: how.
    Defined(&'static str),
    Setup,
    /// A step, with its condition perhaps.
    Step,
    Turns,
    Leaves,
    Score,
    /// An entry of some cards.
    Entry,
    /// An entry with a script that says that it runs, `ran NUMBER` in the log: of all cards of a kind, each; each text of other ones; of
    /// the kind.
    Script,
    CardScript,
    KindScript,
}

impl Part {
    /// Whether what stands there runs only if somebody takes an action, or a card hears of something.
    fn has_to_be_seen(self) -> bool {
        matches!(
            self,
            Part::Action
                | Part::CardAction
                | Part::Params
                | Part::Effect
                | Part::Defined(_)
                | Part::Script
                | Part::CardScript
                | Part::KindScript
        )
    }
}

/// What is tried in each of some places. The number of a place is that of the text, times the number of places, and that of the place.
struct Tried<'a> {
    /// As the table calls it; what is tried in one game.
    texts: &'a [&'a str],
    places: &'a [Place],
    /// Whether it speaks of a card that nothing in it names.
    of_card: bool,
    /// The ways in which it is written, plainly first.
    ways: &'a [&'static str],
    /// How a text stands in a place, written in one of these ways.
    written: &'a dyn Fn(&str, &Place, usize) -> String,
}

/// A game with something in places, and of its lines, of rules (`false`) and cards, the place to which they belong.
struct Written {
    rules: String,
    cards: String,
    lines: BTreeMap<(bool, usize), usize>,
}

impl Tried<'_> {
    /// The text and the place of a number.
    fn at(&self, number: usize) -> (&str, &Place) {
        (self.texts[number / self.places.len()], &self.places[number % self.places.len()])
    }

    /// All numbers.
    fn numbers(&self) -> std::ops::Range<usize> {
        0..self.texts.len() * self.places.len()
    }

    /// The game with it in places. Each place has a line of its own.
    fn game(&self, places: &[usize], way: usize) -> Written {
        let [mut definitions, mut setup, mut phase, mut actions, mut turns, mut score, mut entries, mut of_kind]: [String; 8] =
            Default::default();
        let mut of_card = vec![String::new(); self.texts.len()];
        for &number in places {
            let (text, place) = self.at(number);
            let body = (self.written)(text, place, way).replace('@', &number.to_string());
            let param = if self.of_card || place.1 == Part::CardAction { " card in my den" } else { "" };
            let _ = match place.1 {
                Part::Action | Part::CardAction => writeln!(actions, "  action do{number}{param} {{ does {{ {body} }} }} //@{number}"),
                Part::Guard => writeln!(actions, "  action try{number}{param} {body} //@{number}"),
                Part::Params => writeln!(actions, "  action do{number} {body} //@{number}"),
                Part::Effect => {
                    let _ = writeln!(definitions, "effect made{number}(n) {{ gain n wisp; {body} }} //@{number}");
                    writeln!(actions, "  action do{number} {{ does {{ do made{number}(2) }} }}")
                }
                Part::Defined(used) => {
                    let _ = writeln!(definitions, "{body} //@{number}");
                    let used = used.replace('@', &number.to_string());
                    writeln!(actions, "  action do{number} {{ does {{ {used} }} }} //@{number}")
                }
                Part::Setup => writeln!(setup, "  {body} //@{number}"),
                Part::Step => writeln!(phase, "  step one{number} {body} //@{number}"),
                Part::Turns => writeln!(turns, "  {body} //@{number}"),
                Part::Leaves => writeln!(definitions, "when card leaves den {{ {body} }} //@{number}"),
                Part::Score => writeln!(score, "  {body} //@{number}"),
                Part::Entry | Part::Script | Part::CardScript | Part::KindScript => {
                    let entries = match place.1 {
                        Part::KindScript => &mut of_kind,
                        Part::CardScript => &mut of_card[number / self.places.len()],
                        _ => &mut entries,
                    };
                    body.lines().for_each(|line| _ = writeln!(entries, "{line} #@{number}"));
                    Ok(())
                }
            };
        }
        let text = RULES.replace("{definitions}", &definitions).replace("{setup}", &setup).replace("{phase}", &phase);
        let rules = text.replace("{actions}", &format!("{turns}{actions}")).replace("{score}", &score);
        let mut cards = cards(&entries, &of_card);
        if !of_kind.is_empty() {
            let _ = writeln!(cards, "[[kind]]\nid = \"wall\"\n{of_kind}");
        }
        let number = |text: &str, mark: &str| text.split_once(mark).map(|(_, number)| number.parse().expect("a number"));
        let of_rules = rules.lines().enumerate().filter_map(|(line, text)| Some(((false, line + 1), number(text, "//@")?)));
        let of_cards = cards.lines().enumerate().filter_map(|(line, text)| Some(((true, line + 1), number(text, "#@")?)));
        let lines = of_rules.chain(of_cards).collect();
        Written { rules, cards, lines }
    }
}

/// The cards, of which walls have more lines, if there are any, and each of them some of its own.
fn cards(more: &str, of_card: &[String]) -> String {
    let mut text = "[[card]]\nid = \"start_wall\"\nname = \"Start\"\nkind = \"post\"\nheight = 1\ncopies = 99\n".to_string();
    text.push_str("[[card]]\nid = \"boulder\"\nkind = \"stone\"\nparts = [{ lean = \"north\", at = \"e w\" }, { lean = \"south\", next_to = \"north\" }]\n");
    text.push_str("[[card]]\nid = \"pebble\"\nkind = \"stone\"\nparts = [{ lean = \"north\", at = \"e w se\" }]\n");
    for at in 0..36 {
        let (kind, id) = if at % 3 == 0 { ("wall", format!("wall_{at}")) } else { ("wolf", format!("wolf_{at}")) };
        let _ = writeln!(text, "[[card]]\nid = \"{id}\"\nname = \"{id}\"\nkind = \"{kind}\"\nheight = {}\nepoch = {}", at % 5, at % 2 + 1);
        if kind == "wolf" {
            let _ = writeln!(text, "hours = [{}, 2]", at % 4);
        }
        if kind == "wall" {
            text.push_str(more);
            // Those that are drawn when the game begins share them.
            let own = of_card.get(at / 6 % of_card.len().max(1)).filter(|_| at % 6 == 0);
            text.push_str(own.map_or("", String::as_str));
        }
        if at % 4 == 1 && kind == "wolf" {
            text.push_str("[card.action]\ndo = \"gain(me, wisp, 1)\"\n");
        }
    }
    text
}

/// The code and the line of each error, and all of them as text.
type Refused = (Vec<(String, (bool, usize))>, String);
/// For each code the places about which it is said.
type Reasons = BTreeMap<String, Vec<usize>>;

/// What came of all that was tried.
struct Table {
    folder: Folder,
    /// What is refused, and where.
    text: String,
    wrong: Vec<String>,
    faults: BTreeSet<String>,
    ran: usize,
    of: usize,
}

impl Table {
    fn new() -> Table {
        let folder = folder(&[]);
        Table { folder, text: String::new(), wrong: Vec::new(), faults: BTreeSet::new(), ran: 0, of: 0 }
    }

    /// Tries something in all its places.
    fn add(&mut self, rule: &str, tried: &Tried<'_>) {
        let (places, mut refused) = match self.allowed(tried) {
            Ok(found) => found,
            Err(told) => return self.wrong.push(format!("{:?}: {}", tried.texts, first_of(&told))),
        };
        let mut reached: BTreeSet<usize> = places.iter().copied().filter(|number| !tried.at(*number).1.1.has_to_be_seen()).collect();
        self.run(tried, &places, &mut reached);
        // Where a step ends each game by a fault, actions are tried without it.
        let rest: Vec<usize> = places.iter().copied().filter(|place| !reached.contains(place)).collect();
        if !rest.is_empty() {
            self.run(tried, &rest, &mut reached);
        }
        (self.ran, self.of) = (self.ran + reached.len(), self.of + tried.numbers().len());
        refused.insert("not reached".to_string(), places.iter().copied().filter(|place| !reached.contains(place)).collect());
        for (at, text) in tried.texts.iter().enumerate() {
            let _ = writeln!(self.text, "{rule}: {text}");
            for (why, of) in &refused {
                let (told, others): (Vec<_>, Vec<_>) =
                    tried.places.iter().enumerate().partition(|(place, _)| of.contains(&(at * tried.places.len() + place)));
                let names = |places: &[(usize, &Place)]| places.iter().map(|(_, place)| place.0).collect::<Vec<_>>().join("; ");
                let _ = match (told.len(), others.len()) {
                    (0, _) => Ok(()),
                    (_, 0) => writeln!(self.text, "    {why} everywhere"),
                    (many, few) if many > few => writeln!(self.text, "    {why} everywhere but in {}", names(&others)),
                    _ => writeln!(self.text, "    {why} in {}", names(&told)),
                };
            }
        }
    }

    /// Compiles a game.
    ///
    /// # Errors
    /// The code and the line of each error, and all of them as text.
    fn compiled(&self, game: &Written) -> Result<Arc<Ruleset>, Refused> {
        self.folder.write("rules/places.rules", &game.rules);
        self.folder.write("cards/places/all.toml", &game.cards);
        let (mut sources, mut found) = (Sources::new(), Vec::new());
        let text = lang::load(&mut sources, Some(self.folder.path()), "places", &[], &[], &mut found);
        let made = text.as_ref().and_then(|text| lang::compile(text, &Setup { players: 3, ..Setup::default() }, &mut found));
        found.extend(made.iter().flat_map(check_scripts));
        found.retain(|fault| fault.severity == Severity::Error);
        match made {
            Some(rules) if found.is_empty() => Ok(Arc::new(rules)),
            _ => {
                let line = |fault: &Diagnostic| {
                    let span = fault.span?;
                    let of_cards = sources.name(span.file).ends_with(".toml");
                    let text = if of_cards { &game.cards } else { &game.rules };
                    Some((of_cards, text[..span.start as usize].matches('\n').count() + 1))
                };
                let lines = found.iter().map(|fault| (fault.code.to_string(), line(fault).unwrap_or_default()));
                Err((lines.collect(), render(&sources, &found, false)))
            }
        }
    }

    /// The places in which it may stand, and the codes of what is said elsewhere.
    fn allowed(&self, tried: &Tried<'_>) -> Result<(Vec<usize>, Reasons), String> {
        let (mut places, mut refused): (Vec<usize>, Reasons) = (tried.numbers().collect(), BTreeMap::new());
        // What is said of one place may hide what is to be said of another.
        loop {
            let game = tried.game(&places, 0);
            let Err((faults, told)) = self.compiled(&game) else { return Ok((places, refused)) };
            let before = places.len();
            for (code, line) in faults {
                let Some(place) = game.lines.get(&line).copied().filter(|place| places.contains(place)) else { continue };
                places.retain(|other| *other != place);
                refused.entry(code).or_default().push(place);
            }
            if places.len() == before {
                return Err(told);
            }
        }
    }

    /// Runs it in places, in games of several seeds, and compares them.
    fn run(&mut self, tried: &Tried<'_>, places: &[usize], reached: &mut BTreeSet<usize>) {
        let mut made: Vec<(&str, Arc<Ruleset>)> = Vec::new();
        for (way, name) in tried.ways.iter().enumerate() {
            match self.compiled(&tried.game(places, way)) {
                Ok(rules) => made.push((name, rules)),
                Err((_, told)) => return self.wrong.push(format!("{:?}, {name}: {}", tried.texts, first_of(&told))),
            }
        }
        let native = Arc::new(Native::compile_all(&made[0].1).expect("code"));
        // A fault ends a game: others go on with the places that are left, as long as some of them are reached.
        let mut idle = 0;
        for seed in 0..40 {
            let before = reached.len();
            let mut taken = reached.clone();
            let walked = played(&made[0].1, seed, None, &mut taken);
            let mut others = vec![("by code", played(&made[0].1, seed, Some(&native), &mut reached.clone()))];
            others.extend(made.iter().skip(1).map(|(way, rules)| (*way, played(rules, seed, None, &mut reached.clone()))));
            for (how, other) in others.iter().filter(|(_, other)| *other != walked) {
                self.wrong.push(format!("{:?}, seed {seed}, {how}: {}", tried.texts, first_difference(&walked, other)));
            }
            if let Some(fault) = walked.last().filter(|line| line.starts_with("fault: ")) {
                let words: Vec<&str> = fault.split('`').enumerate().map(|(at, word)| if at % 2 == 1 { "…" } else { word }).collect();
                self.faults.insert(format!("{}: {}", tried.texts.join(" | "), words.concat()));
            }
            *reached = taken;
            idle = if reached.len() == before { idle + 1 } else { 0 };
            if idle > 8 || places.iter().all(|place| reached.contains(place)) {
                return;
            }
        }
    }

    /// Nothing was wrong, and the table is as it was.
    fn holds(mut self, name: &str) {
        let Table { wrong, .. } = &self;
        assert!(wrong.is_empty(), "{} are wrong; the first:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n\n"));
        let _ = writeln!(self.text, "\n{} of {} run", self.ran, self.of);
        self.faults.iter().for_each(|fault| _ = writeln!(self.text, "ends by a fault, alike in all ways: {fault}"));
        insta::assert_snapshot!(name, self.text);
    }
}

/// What can be seen of a game: at each question the options, what every seat is shown, and the log; and which actions were taken.
fn played(rules: &Arc<Ruleset>, seed: u64, native: Option<&Arc<Native>>, taken: &mut BTreeSet<usize>) -> Vec<String> {
    let (mut host, mut game) = (host(rules), Game::new(rules, seed));
    game.keep_log();
    game.use_native(rules, native.cloned());
    let (mut seen, mut told, mut used) = (Vec::new(), 0, BTreeSet::new());
    for number in 0..120 {
        let open = match game.on(rules).advance(&mut host) {
            Ok(Some(open)) => open.clone(),
            Ok(None) => break,
            Err(fault) => {
                let log = game.log()[told..].iter();
                taken.extend(log.clone().filter_map(|line| ran(line)));
                seen.extend(log.cloned().chain([format!("fault: {}", fault.message)]));
                return seen;
            }
        };
        let options: Vec<String> = open.options.iter().map(|option| option.text(rules)).collect();
        // What all seats are shown is the dearest to ask for.
        let views: Vec<String> = match number % 8 {
            7 => (0..rules.players)
                .map(|seat| serde_json::to_string(&describe_view(rules, &game.view_of(rules, seat))).expect("JSON"))
                .collect(),
            _ => Vec::new(),
        };
        let cells = game.cells()[..rules.layout.len].iter().fold(0, |hash, cell| join(hash, *cell as u64));
        seen.push(format!("{number} p{}: {options:?} {cells} {}", open.seat + 1, views.concat()));
        seen.extend(game.log()[told..].iter().cloned());
        taken.extend(game.log()[told..].iter().filter_map(|line| ran(line)));
        told = game.log().len();
        // What was made comes first, each once; then chance.
        let made = |option: &String| option.strip_prefix("do")?.split(' ').next()?.parse::<usize>().ok();
        let fresh = |option: &String| match made(option) {
            Some(number) => !taken.contains(&number),
            None => option.starts_with("use ") && !used.contains(option),
        };
        let chance = (join(seed, number) >> 7) as usize;
        let chosen = options.iter().position(fresh).unwrap_or(chance % options.len());
        taken.extend(made(&options[chosen]));
        used.insert(options[chosen].clone());
        if let Err(fault) = game.on(rules).answer(&mut host, chosen) {
            let log = &game.log()[told..];
            taken.extend(log.iter().filter_map(|line| ran(line)));
            seen.extend(log.iter().cloned().chain([format!("fault: {}", fault.message)]));
            return seen;
        }
    }
    seen.extend(game.log()[told..].iter().cloned());
    seen
}

/// The number of the script that says in a line of the log that it runs.
fn ran(line: &str) -> Option<usize> {
    let (_, behind) = line.split_once("ran ")?;
    let end = behind.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(behind.len());
    behind[..end].parse().ok()
}

/// The first of some messages.
fn first_of(told: &str) -> &str {
    told.split("\n\n").next().unwrap_or_default()
}

/// Where two games part: what was done before, and what is seen around the first sign that differs.
fn first_difference(one: &[String], other: &[String]) -> String {
    let at = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let around = |lines: &[String], sign: usize| -> String {
        let line = lines.get(at).map_or("", String::as_str);
        line.chars().skip(sign.saturating_sub(60)).take(150).collect()
    };
    let [a, b] = [one, other].map(|lines| lines.get(at).map_or("", String::as_str));
    let sign = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let before = &one[at.saturating_sub(4)..at.min(one.len())];
    let before: Vec<String> = before.iter().map(|line| line.chars().take(150).collect()).collect();
    format!("{before:#?}\n{}\nis not\n{}", around(one, sign), around(other, sign))
}
