//! Why an action is not possible now.

use crate::engine::decision::Question;
use crate::engine::ids::PieceId;
use crate::engine::{Act, Game, Ruleset};
use crate::prices;
use houserule_scenario::meaning;

/// An action of the turn that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedAction {
    /// The key that the option would have.
    pub key: String,
    /// The reasons, each beginning with the name of the rule or card that forbids the action.
    pub reasons: Vec<String>,
}

/// Says why a seat cannot take an option with this key. Each reason begins with the name of the rule or card that forbids it.
pub fn why_not(rules: &Ruleset, game: &Game, key: &str) -> Vec<String> {
    let Some(open) = game.decision() else { return vec!["the game is over".to_string()] };
    let text = open.question.text(rules);
    if !matches!(open.question, Question::Turn(_)) {
        return vec![format!("p{} is asked `{text}` now, and it is none of the answers", open.seat + 1)];
    }
    let mut game = game.clone();
    game.watch(open.seat);
    let reasons = meaning::reasons_against_key(&mut game.on(rules), open.seat, key);
    if !reasons.is_empty() {
        return reasons;
    }
    let turns = match open.question {
        Question::Turn(turns) => &rules.turns[turns as usize].actions[..],
        Question::Rules(_) | Question::Card(_) | Question::Cover | Question::Payment => &[],
    };
    let mut names: Vec<&str> = turns.iter().map(|action| rules.names.text(rules.actions[*action as usize].name)).collect();
    names.dedup();
    vec![format!("no action of this turn is called so; there are {}", names.join(", "))]
}

/// Lists the refused actions of the turn that begins, grouped by the first card that each names. Only cards known to the seat are
/// considered, since actions name no others.
pub fn list_refused(rules: &Ruleset, game: &Game) -> Vec<RefusedAction> {
    let Some(open) = game.decision() else { return Vec::new() };
    let Question::Turn(turns) = open.question else { return Vec::new() };
    let (seat, mut game, mut found) = (open.seat, game.clone(), Vec::new());
    game.watch(seat);
    let offered = |action: u16, card: Option<usize>| {
        open.options.iter().any(|option| match option.act {
            Act::Action(other, args) => other == action && card.is_none_or(|card| args[0] == PieceId::at(card).option()),
            Act::Word(_) | Act::Bare(_) | Act::Number(_) | Act::Card(_) | Act::Token(..) | Act::Nothing | Act::Done => false,
        })
    };
    for &action in &rules.turns[turns as usize].actions {
        let declared = &rules.actions[action as usize];
        let name = rules.names.text(declared.name);
        if declared.params.is_empty() {
            if !offered(action, None) {
                let reasons = meaning::reasons_against(&mut game.on(rules), seat, action, [-1; 3]);
                found.push(RefusedAction { key: name.to_string(), reasons });
            }
            continue;
        }
        for card in prices::first_cards(&mut game.on(rules), seat, action) {
            if offered(action, Some(card)) {
                continue;
            }
            let word = declared.params[0].word.map(|word| format!("{} ", rules.names.text(word))).unwrap_or_default();
            let key = format!("{name} {word}{}", rules.names.text(rules.definition(card).id));
            let mut reasons = match declared.params.len() {
                1 => meaning::reasons_against(&mut game.on(rules), seat, action, [PieceId::at(card).option(), -1, -1]),
                _ => prices::reasons_at_first(&mut game.on(rules), seat, action, card),
            };
            if reasons.is_empty() {
                reasons.push(format!("nothing fits that `{name}` names besides"));
            }
            let same = RefusedAction { key, reasons };
            if !found.contains(&same) {
                found.push(same);
            }
        }
    }
    found
}
