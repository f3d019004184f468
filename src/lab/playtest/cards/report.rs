//! Reports of the effects of cards, as data.

use serde::Serialize;

use super::super::compare::{ALPHA, Basis, Difference, InterimLooks, Pairs, ValueRange, false_discoveries};
use super::super::report::Report;
use super::super::stats::Share;
use super::beside::{InitialCardEffect, MIN_GAMES_FOR_INTERVAL, initial_card_effects};
use super::replay::{BlankedCardResults, BlankedGames};
use crate::engine::Ruleset;

/// The effect of a card on a measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredEffect {
    /// Number of pairs of games.
    pub games: u64,
    /// Mean with the original card.
    #[serde(rename = "with")]
    pub original: f64,
    /// Mean with the card blanked.
    pub blanked: f64,
    /// Difference: `with` minus `blanked`.
    pub difference: f64,
    /// 95 % interval of the difference (Student's t, paired); `None` if there are too few games.
    pub interval: Option<[f64; 2]>,
    /// p-value of the difference.
    pub p: Option<f64>,
    /// Adjusted p-value: the smallest false discovery rate at which the difference is significant among all cards of the group
    /// (Benjamini, Hochberg).
    pub q: Option<f64>,
    /// Whether the difference is significant: `q` is at most 0.05.
    #[serde(rename = "shown")]
    pub significant: bool,
}

/// All measured effects of a card.
#[derive(Clone, Debug, Serialize)]
pub struct CardEffect {
    /// Id of the card.
    pub card: String,
    /// Kind of the card.
    pub kind: String,
    /// Number of games in which the card came up.
    pub games: u64,
    /// Share of players who took the card by its most frequent action, among those to whom it was offered.
    pub taken: Option<Share>,
    /// Share of wins among the players who took it by that action.
    pub won: Option<Share>,
    /// Number of players who had the card at the end of the game, summed over the games.
    #[serde(rename = "kept")]
    pub owners_at_end: u64,
    /// Points of the measured seat; `None` if no seat used the card before the games diverged.
    pub points: Option<MeasuredEffect>,
    /// Share of the win of the measured seat.
    pub wins: Option<MeasuredEffect>,
    /// Points of a player, averaged over all seats.
    #[serde(rename = "all")]
    pub points_of_all: MeasuredEffect,
    /// Whether a seat begins with the card in most games in which it came up. Such cards are tested apart from all others.
    pub begins: bool,
}

/// The effects of all cards.
#[derive(Clone, Debug, Serialize)]
pub struct CardEffects {
    /// Whether each card was placed on top of its deck in both games of a pair.
    pub early: bool,
    /// Each card that came up, grouped by kind, the strongest first.
    pub cards: Vec<CardEffect>,
    /// Each card with which players begin while others begin with others of its kind: these are not blanked, but compared with each other.
    pub initial: Vec<InitialCardEffect>,
    /// Ids of cards for which no effect can be measured, since without effects they would be the same as they are.
    pub without_blank: Vec<String>,
    /// How far the run came, if it was stopped.
    pub unfinished: Option<UnfinishedRun>,
}

/// How far a run came that was stopped.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnfinishedRun {
    /// Number of cards whose games were all repeated.
    pub cards: usize,
    /// Number of cards with games to be repeated.
    #[serde(rename = "of")]
    pub cards_requested: usize,
    /// Cards that were partly done: id, number of games repeated, and number of games to be repeated.
    pub begun: Vec<(String, u64, u64)>,
}

/// Creates the report. `report` summarises the original games; `without_blank` lists cards that were not measured.
pub fn card_effects(
    rules: &Ruleset,
    report: &Report,
    BlankedGames { cards: pairs, initial, .. }: &BlankedGames,
    early: bool,
    without_blank: Vec<String>,
) -> CardEffects {
    let initial = initial_card_effects(rules, initial);
    let is_compared = |card: &String| initial.iter().any(|other| other.card == *card);
    let without_blank: Vec<String> = without_blank.into_iter().filter(|card| !is_compared(card)).collect();
    let unfinished = unfinished_run(rules, pairs);
    let pairs: Vec<&BlankedCardResults> = pairs.iter().filter(|pairs| pairs.games > 0).collect();
    let sorts: Vec<Option<u16>> = pairs.iter().map(|card| group_of(rules, card)).collect();
    let of = |scale: ValueRange, games: fn(&BlankedCardResults) -> (u64, &Pairs)| {
        let of_cards: Vec<(Basis, &Pairs)> = pairs
            .iter()
            .map(|card| {
                let (games, pairs) = games(card);
                (Basis { pairs: games, distinct: card.different.share(card.games), looks: InterimLooks::Once, scale }, pairs)
            })
            .collect();
        measured_effects(&of_cards, &sorts)
    };
    let points = of(ValueRange::Steps(1.0), |card| (card.of_seat, &card.points));
    let wins = of(ValueRange::Share, |card| (card.of_seat, &card.won));
    let all = of(ValueRange::Steps(1.0 / rules.players.max(1) as f64), |card| (card.games, &card.points_of_all));
    let mut cards: Vec<(u16, CardEffect)> = Vec::new();
    for (at, (((pairs, points), wins), all)) in pairs.iter().zip(points).zip(wins).zip(all).enumerate() {
        let definition = &rules.definitions[pairs.definition as usize];
        let card = rules.names.text(definition.id);
        let offered = report.cards.iter().filter(|count| count.card == card).max_by_key(|count| count.taken.trials);
        let kept = report.final_cards.iter().filter(|kept| kept.card == card).map(|kept| kept.won.trials).sum();
        let of_seat = |effect: MeasuredEffect| (effect.games > 0).then_some(effect);
        cards.push((
            definition.kind,
            CardEffect {
                card: card.to_string(),
                kind: rules.names.text(rules.kinds[definition.kind as usize].name).to_string(),
                games: pairs.games,
                taken: offered.map(|count| count.taken),
                won: offered.map(|count| count.won),
                owners_at_end: kept,
                points: of_seat(points),
                // With a single player there is nobody to win against.
                wins: of_seat(wins).filter(|_| rules.players > 1),
                points_of_all: all,
                begins: sorts[at].is_some(),
            },
        ));
    }
    let effect_of = |card: &CardEffect| card.points.as_ref().map_or(f64::NEG_INFINITY, |effect| effect.difference);
    cards.sort_by(|(kind, a), (other, b)| {
        kind.cmp(other)
            .then(a.begins.cmp(&b.begins))
            .then(effect_of(b).total_cmp(&effect_of(a)))
            .then(b.points_of_all.difference.total_cmp(&a.points_of_all.difference))
    });
    CardEffects { early, cards: cards.into_iter().map(|(_, card)| card).collect(), initial, without_blank, unfinished }
}

fn unfinished_run(rules: &Ruleset, pairs: &[BlankedCardResults]) -> Option<UnfinishedRun> {
    let whole = pairs.iter().filter(|card| card.is_complete).count();
    let id = |card: &BlankedCardResults| rules.names.text(rules.definitions[card.definition as usize].id).to_string();
    let begun =
        pairs.iter().filter(|card| !card.is_complete && card.games > 0).map(|card| (id(card), card.games, card.games_requested)).collect();
    (whole < pairs.len()).then_some(UnfinishedRun { cards: whole, cards_requested: pairs.len(), begun })
}

/// Returns the group within which a card is compared: the initial cards of its kind; `None` for all cards that come up later.
fn group_of(rules: &Ruleset, card: &BlankedCardResults) -> Option<u16> {
    (2 * card.begun > card.games).then(|| rules.definitions[card.definition as usize].kind)
}

/// Computes the effects of all cards on one measure, with p-values adjusted for the number of cards in each group.
pub(super) fn measured_effects(of_cards: &[(Basis, &Pairs)], sorts: &[Option<u16>]) -> Vec<MeasuredEffect> {
    let found: Vec<(u64, Difference)> = of_cards.iter().map(|(basis, pairs)| (basis.pairs, pairs.difference(basis))).collect();
    let q = adjust_by_group(
        sorts,
        &found.iter().map(|(games, found)| (*games >= MIN_GAMES_FOR_INTERVAL).then_some(found.p)).collect::<Vec<_>>(),
    );
    let effect = |((games, found), q): ((u64, Difference), Option<f64>)| MeasuredEffect {
        games,
        original: found.changed,
        blanked: found.plain,
        difference: found.difference,
        interval: Some(found.interval).filter(|interval| q.is_some() && interval[0].is_finite()),
        p: q.map(|_| found.p),
        q,
        significant: q.is_some_and(|q| q <= ALPHA),
    };
    found.into_iter().zip(q).map(effect).collect()
}

/// Adjusts p-values for each group of cards; cards without a p-value are left out.
fn adjust_by_group(sorts: &[Option<u16>], p: &[Option<f64>]) -> Vec<Option<f64>> {
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

impl CardEffects {
    /// What the columns of the tables are.
    pub(in super::super) fn explanatory_notes(&self) -> Vec<String> {
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
            format!("±: 95% intervals (paired), each for itself; of fewer than {MIN_GAMES_FOR_INTERVAL} games there is none"),
            "*: shown; of what is marked so 5% is false on an average of many reports (Benjamini-Hochberg)".to_string(),
        ]);
        if !self.initial.is_empty() {
            lines.extend([
                "beside: the seat that begins with a card, less the mean of those that begin with others".to_string(),
                "of its kind in the same games; these are not blanked, and marked among their kind".to_string(),
            ]);
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
