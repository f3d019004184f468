//! What pairs of games with a card as it is and blanked say, as data and for a person.

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::compare::{ALPHA, Basis, Difference, Looks, Pairs, Scale, false_discoveries, two_sided};
use super::super::report::Report;
use super::super::stats::{Share, student};
use super::super::table::{Table, heading, wrapped};
use super::super::text::{answers, plural};
use super::replay::CardPairs;
use crate::engine::Ruleset;
use crate::pack::Names;

/// Of fewer games than these nothing is proved: Student's interval wants sums that are nearly normal.
const FEWEST: u64 = 20;

/// What a card does to a measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effect {
    /// Pairs of games.
    pub games: u64,
    /// The mean with the card as it is.
    pub with: f64,
    /// The mean with it blanked.
    pub blanked: f64,
    /// The former less the latter.
    pub difference: f64,
    /// 95 % interval of the difference (Student, paired); none where games are too few.
    pub interval: Option<[f64; 2]>,
    /// How likely at least such a difference is where there is none.
    pub p: Option<f64>,
    /// The smallest level of the false discovery rate at which a difference is shown, over all cards of the sort (Benjamini, Hochberg).
    pub q: Option<f64>,
    /// Whether a difference is shown: `q` is 0.05 at most.
    pub shown: bool,
}

/// What a card with which somebody begins does beside the others of its kind: who has a blank one plays with next to nothing, so that what
/// it does less that says little.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Beside {
    /// What it does less the mean of what the others do.
    pub difference: f64,
    /// 95 % interval (Student).
    pub interval: [f64; 2],
    /// How likely at least such a difference is where there is none.
    pub p: f64,
    /// The smallest level of the false discovery rate at which a difference is shown, over all cards of the kind.
    pub q: f64,
    /// Whether a difference is shown: `q` is 0.05 at most.
    pub shown: bool,
}

/// What a card does.
#[derive(Clone, Debug, Serialize)]
pub struct CardEffect {
    /// Its id.
    pub card: String,
    /// Its kind.
    pub kind: String,
    /// Games in which it came up.
    pub games: u64,
    /// Players who took it with the action with which it was offered most often, of all to whom it was offered.
    pub taken: Option<Share>,
    /// Won by those who took it so, of all who did.
    pub won: Option<Share>,
    /// Players who had it at the end, counted in each game.
    pub kept: u64,
    /// Points of the seat that first had to do with it; none where no seat did before the games parted.
    pub points: Option<Effect>,
    /// Whether that seat wins.
    pub wins: Option<Effect>,
    /// Points of a player, over all players.
    pub all: Effect,
    /// Whether somebody begins with it, in most games in which it came up: such cards are compared with others of their kind, and no others
    /// with them.
    pub begins: bool,
    /// If it is such a card, its points beside the others of its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points_beside: Option<Beside>,
    /// Whether that seat wins, beside the others of its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wins_beside: Option<Beside>,
}

/// What all cards do.
#[derive(Clone, Debug, Serialize)]
pub struct CardEffects {
    /// Whether each card lay on top of its deck, as it is and blanked.
    pub early: bool,
    /// Each card that came up, kind by kind, the strongest first.
    pub cards: Vec<CardEffect>,
    /// Cards of which a blank takes nothing away, so that nothing can be said of them: what they do stands in the rules.
    pub without_blank: Vec<String>,
    /// How far it came, if it was stopped.
    pub unfinished: Option<Unfinished>,
}

/// How far a run came that was stopped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Unfinished {
    /// Cards of which all games were played once more.
    pub cards: usize,
    /// Cards of which there were games to be played once more.
    pub of: usize,
    /// Cards of which some were: with those that were, and all that there are.
    pub begun: Vec<(String, u64, u64)>,
}

/// Makes the report; `report` is what the plain games say, `without_blank` cards that were not asked about.
pub fn card_effects(rules: &Ruleset, report: &Report, pairs: &[CardPairs], (early, without_blank): (bool, Vec<String>)) -> CardEffects {
    let unfinished = unfinished(rules, pairs);
    let pairs: Vec<&CardPairs> = pairs.iter().filter(|pairs| pairs.games > 0).collect();
    let sorts: Vec<Option<u16>> = pairs.iter().map(|card| sort_of(rules, card)).collect();
    let of = |scale: Scale, games: fn(&CardPairs) -> (u64, &Pairs)| {
        let of_cards: Vec<(Basis, &Pairs)> = pairs
            .iter()
            .map(|card| {
                let (games, pairs) = games(card);
                (Basis { pairs: games, distinct: card.different.share(card.games), looks: Looks::Once, scale }, pairs)
            })
            .collect();
        (effects(&of_cards, &sorts), beside(&of_cards, &sorts))
    };
    let (points, points_beside) = of(Scale::Steps(1.0), |card| (card.of_seat, &card.points));
    let (wins, wins_beside) = of(Scale::Share, |card| (card.of_seat, &card.won));
    let (all, _) = of(Scale::Steps(1.0 / rules.players.max(1) as f64), |card| (card.games, &card.all));
    let mut cards: Vec<(u16, CardEffect)> = Vec::new();
    for (at, (((pairs, points), wins), all)) in pairs.iter().zip(points).zip(wins).zip(all).enumerate() {
        let definition = &rules.definitions[pairs.definition as usize];
        let card = rules.names.text(definition.id);
        let offered = report.cards.iter().filter(|count| count.card == card).max_by_key(|count| count.taken.of);
        let kept = report.kept.iter().filter(|kept| kept.card == card).map(|kept| kept.won.of).sum();
        let of_seat = |effect: Effect| (effect.games > 0).then_some(effect);
        cards.push((
            definition.kind,
            CardEffect {
                card: card.to_string(),
                kind: rules.names.text(rules.kinds[definition.kind as usize].name).to_string(),
                games: pairs.games,
                taken: offered.map(|count| count.taken),
                won: offered.map(|count| count.won),
                kept,
                points: of_seat(points),
                // Alone, one wins against nobody.
                wins: of_seat(wins).filter(|_| rules.players > 1),
                all,
                begins: sorts[at].is_some(),
                points_beside: points_beside[at],
                wins_beside: wins_beside[at].filter(|_| rules.players > 1),
            },
        ));
    }
    let effect_of = |card: &CardEffect| card.points.as_ref().map_or(f64::NEG_INFINITY, |effect| effect.difference);
    cards.sort_by(|(kind, a), (other, b)| {
        kind.cmp(other)
            .then(a.begins.cmp(&b.begins))
            .then(effect_of(b).total_cmp(&effect_of(a)))
            .then(b.all.difference.total_cmp(&a.all.difference))
    });
    CardEffects { early, cards: cards.into_iter().map(|(_, card)| card).collect(), without_blank, unfinished }
}

fn unfinished(rules: &Ruleset, pairs: &[CardPairs]) -> Option<Unfinished> {
    let whole = pairs.iter().filter(|card| card.whole).count();
    let id = |card: &CardPairs| rules.names.text(rules.definitions[card.definition as usize].id).to_string();
    let begun = pairs.iter().filter(|card| !card.whole && card.games > 0).map(|card| (id(card), card.games, card.asked)).collect();
    (whole < pairs.len()).then_some(Unfinished { cards: whole, of: pairs.len(), begun })
}

/// With which other cards one is compared: of those with which somebody begins the others of that kind, and else all that come up later.
fn sort_of(rules: &Ruleset, card: &CardPairs) -> Option<u16> {
    (2 * card.begun > card.games).then(|| rules.definitions[card.definition as usize].kind)
}

/// What pairs say of one measure of all cards, with what many cards of a sort at once demand.
fn effects(of_cards: &[(Basis, &Pairs)], sorts: &[Option<u16>]) -> Vec<Effect> {
    let found: Vec<(u64, Difference)> = of_cards.iter().map(|(basis, pairs)| (basis.pairs, pairs.difference(basis))).collect();
    let q = in_sorts(sorts, &found.iter().map(|(games, found)| (*games >= FEWEST).then_some(found.p)).collect::<Vec<_>>());
    let effect = |((games, found), q): ((u64, Difference), Option<f64>)| Effect {
        games,
        with: found.changed,
        blanked: found.plain,
        difference: found.difference,
        interval: Some(found.interval).filter(|interval| q.is_some() && interval[0].is_finite()),
        p: q.map(|_| found.p),
        q,
        shown: q.is_some_and(|q| q <= ALPHA),
    };
    found.into_iter().zip(q).map(effect).collect()
}

/// What is settled by p-values of cards that are compared with each other, sort by sort; those without one are left out.
fn in_sorts(sorts: &[Option<u16>], p: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut found = vec![None; p.len()];
    let mut each: Vec<Option<u16>> = sorts.to_vec();
    each.sort_unstable();
    each.dedup();
    for sort in each {
        let (at, p): (Vec<usize>, Vec<f64>) = (0..p.len()).filter(|at| sorts[*at] == sort).filter_map(|at| Some((at, p[at]?))).unzip();
        at.into_iter().zip(false_discoveries(&p)).for_each(|(at, q)| found[at] = Some(q));
    }
    found
}

/// What each card with which somebody begins does beside the others of its kind. Their effects are taken for independent; they come from
/// other seats, most of them in other games.
fn beside(of_cards: &[(Basis, &Pairs)], sorts: &[Option<u16>]) -> Vec<Option<Beside>> {
    let known = |at: &usize| {
        let (basis, pairs) = &of_cards[*at];
        let error = pairs.error(basis).filter(|_| basis.pairs >= FEWEST && sorts[*at].is_some())?;
        Some((pairs.difference(basis).difference, error * error))
    };
    let one = |at: usize| -> Option<(Beside, f64)> {
        let (own, variance) = known(&at)?;
        let others: Vec<(f64, f64)> =
            (0..of_cards.len()).filter(|other| *other != at && sorts[*other] == sorts[at]).filter_map(|other| known(&other)).collect();
        let count = others.len() as f64;
        let (mean, of_mean) =
            others.iter().fold((0.0, 0.0), |(mean, of_mean), (one, variance)| (mean + one / count, of_mean + variance / (count * count)));
        let (difference, error, freedom) = (own - mean, (variance + of_mean).sqrt(), (of_cards[at].0.pairs - 1) as f64);
        let half = student(freedom, ALPHA) * error;
        let p = two_sided(difference / error, freedom);
        (!others.is_empty())
            .then_some((Beside { difference, interval: [difference - half, difference + half], p, q: 1.0, shown: false }, p))
    };
    let found: Vec<Option<(Beside, f64)>> = (0..of_cards.len()).map(one).collect();
    let q = in_sorts(sorts, &found.iter().map(|found| found.map(|(_, p)| p)).collect::<Vec<_>>());
    found.into_iter().zip(q).map(|(found, q)| Some(Beside { q: q?, shown: q? <= ALPHA, ..found?.0 })).collect()
}

impl CardEffects {
    /// For a person at a terminal: a table for each kind, and what cards were answered in the games of `report`.
    pub fn text(&self, report: &Report, names: &Names, called: &BTreeMap<&str, &str>, color: bool) -> String {
        let mut text = String::new();
        for of_kind in self.cards.chunk_by(|a, b| (&a.kind, a.begins) == (&b.kind, b.begins)) {
            let (kind, count) = (names.kind(&of_kind[0].kind), of_kind.len());
            text.push('\n');
            let cards = format!("{kind}, {count} card{}", plural(count as u64));
            if of_kind.iter().any(|card| card.points_beside.is_some()) {
                text.push_str(&heading(&format!("What cards do with which one begins, beside each other: {cards}"), color));
                text.push_str(&table_of_begun(of_kind, called));
            } else {
                text.push_str(&heading(&format!("What cards do: {cards}"), color));
                text.push_str(&table(of_kind, called));
            }
        }
        let answers = answers(report, names, true);
        if !answers.is_empty() {
            text.push('\n');
            text.push_str(&heading("Answers to cards in a game, all players together", color));
            text.push_str(&answers);
        }
        text.push('\n');
        if let Some(Unfinished { cards, of, begun }) = &self.unfinished {
            text.push_str(&format!("stopped: {cards} of {of} cards are done\n"));
            for (card, done, asked) in begun {
                let name = called.get(card.as_str()).copied().unwrap_or(card);
                text.push_str(&format!("{name}: {done} of {asked} games have been played once more\n"));
            }
        }
        if !self.without_blank.is_empty() {
            const MOST: usize = 12;
            let names = self.without_blank.iter().map(|card| called.get(card.as_str()).copied().unwrap_or(card).to_string());
            let more = self.without_blank.len().saturating_sub(MOST);
            let rest = (more > 0).then(|| format!("and {more} more"));
            text.push_str("not asked, since what they do stands in the rules, which a blank leaves:\n");
            text.push_str(&wrapped(2, "", names.take(MOST).chain(rest)));
        }
        if self.cards.is_empty() {
            text.push_str(if self.unfinished.is_some() { "nothing is known yet\n" } else { "no card came up\n" });
            return text;
        }
        self.how_meant().into_iter().for_each(|line| text.push_str(&wrapped(0, "", [line])));
        text
    }

    fn how_meant(&self) -> Vec<String> {
        let mut lines = vec![
            "taken: of those to whom it was offered by the action for it; won by: of those who took it so".to_string(),
            "kept: players who have it at the end".to_string(),
        ];
        let seats = self.cards.iter().any(|card| card.points.is_some());
        if seats {
            let wins = if self.cards.iter().any(|card| card.wins.is_some()) { ", wins" } else { "" };
            lines.push(format!("points{wins}: of the seat that first has to do with the card, as it is less blanked"));
            lines.push("seats: games of which that seat is known before they part".to_string());
        }
        lines.extend([
            "all: points of a player over all players, as it is less blanked".to_string(),
            "-: there were none".to_string(),
            format!("±: 95% intervals (paired), each for itself; of fewer than {FEWEST} games there is none"),
            "*: shown; of what is marked so 5% is false on an average of many reports (Benjamini-Hochberg)".to_string(),
        ]);
        if self.cards.iter().any(|card| card.points_beside.is_some()) {
            lines.push("beside: as it is less blanked, less the mean of the others of its kind".to_string());
        }
        if self.early {
            lines.push(
                "early: in both games of a pair the card lies on top of its deck; taken, kept, won by: in the games as they are"
                    .to_string(),
            );
        }
        lines
    }
}

fn table(cards: &[CardEffect], called: &BTreeMap<&str, &str>) -> String {
    let seats = cards.iter().any(|card| card.points.is_some());
    let wins = cards.iter().any(|card| card.wins.is_some());
    let mut table = Table::new(1);
    let mut head = vec!["", "games", "taken", "kept", "won by"];
    if seats {
        head.extend(["seats", "points", "±"]);
    }
    if wins {
        head.extend(["wins", "±"]);
    }
    head.extend(["all", "±"]);
    table.row(head);
    for card in cards {
        let share = |share: &Option<Share>| share.filter(|share| share.of > 0).map_or("-".to_string(), |share| percent(share.share));
        let name = called.get(card.card.as_str()).copied().unwrap_or(&card.card);
        let kept = if card.kept > 0 { card.kept.to_string() } else { "-".to_string() };
        let mut row = vec![shortened(name), card.games.to_string(), share(&card.taken), kept, share(&card.won)];
        if seats {
            row.push(card.points.as_ref().map_or("-".to_string(), |effect| effect.games.to_string()));
            row.extend(cells(card.points.as_ref(), 1.0, 2, ""));
        }
        if wins {
            row.extend(cells(card.wins.as_ref(), 100.0, 1, "%"));
        }
        row.extend(cells(Some(&card.all), 1.0, 2, ""));
        table.row(row);
    }
    table.text(2)
}

/// Cards of one kind with which players begin, each beside the others.
fn table_of_begun(cards: &[CardEffect], called: &BTreeMap<&str, &str>) -> String {
    let wins = cards.iter().any(|card| card.wins_beside.is_some());
    let mut table = Table::new(1);
    let mut head = vec!["", "games", "seats", "as it is", "blanked", "beside", "±"];
    if wins {
        head.extend(["wins beside", "±"]);
    }
    table.row(head);
    for card in cards {
        let name = called.get(card.card.as_str()).copied().unwrap_or(&card.card);
        let points = |value: fn(&Effect) -> f64| card.points.as_ref().map_or("-".to_string(), |effect| format!("{:.2}", value(effect)));
        let seats = card.points.as_ref().map_or("-".to_string(), |effect| effect.games.to_string());
        let mut row = vec![shortened(name), card.games.to_string(), seats, points(|effect| effect.with), points(|effect| effect.blanked)];
        row.extend(cells_beside(card.points_beside.as_ref(), 1.0, 2, ""));
        if wins {
            row.extend(cells_beside(card.wins_beside.as_ref(), 100.0, 1, "%"));
        }
        table.row(row);
    }
    table.text(2)
}

/// The same of a card beside others.
fn cells_beside(beside: Option<&Beside>, times: f64, digits: usize, unit: &str) -> [String; 2] {
    let Some(Beside { difference, interval: [low, high], shown, .. }) = beside else { return ["-".to_string(), String::new()] };
    let mark = if *shown { "*" } else { " " };
    [format!("{:+.digits$}{unit}{mark}", difference * times), format!("{:.digits$}", (high - low) / 2.0 * times)]
}

/// A difference, marked if it is shown, and how far its interval reaches to either side.
fn cells(effect: Option<&Effect>, times: f64, digits: usize, unit: &str) -> [String; 2] {
    let Some(effect) = effect else { return ["-".to_string(), String::new()] };
    let mark = if effect.shown { "*" } else { " " };
    let half = effect.interval.map_or(String::new(), |[low, high]| format!("{:.digits$}", (high - low) / 2.0 * times));
    [format!("{:+.digits$}{unit}{mark}", effect.difference * times), half]
}

fn percent(share: f64) -> String {
    format!("{:.0}%", share * 100.0)
}

/// As much of a name as there is room for.
fn shortened(name: &str) -> String {
    const ROOM: usize = 26;
    if name.chars().count() <= ROOM { name.to_string() } else { name.chars().take(ROOM - 1).chain(['…']).collect() }
}
