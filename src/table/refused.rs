//! Why an action or an answer is not possible now.

use crate::engine::alike::are_alike_cards;
use crate::engine::decision::Question;
use crate::engine::ids::PieceId;
use crate::engine::keys;
use crate::engine::{Act, Decision, Game, Opt, Ruleset};
use crate::prices;
use crate::words::DisplayNames;
use houserule_scenario::meaning;

/// The most refused options of one action or answer that are listed one by one if the reasons are the same.
const MOST_LISTED: usize = 12;

/// An action of the turn, or an answer to the question, that is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedAction {
    /// The key that the option would have.
    pub key: String,
    /// The reasons, each beginning with the name of the rule or card that forbids it.
    pub reasons: Vec<String>,
}

impl RefusedAction {
    /// Says it in one line, with the names of cards.
    pub fn text(&self, words: &DisplayNames) -> String {
        format!("{}: {}", words.replace_card_ids(&self.key), self.reasons.join("; "))
    }
}

/// Says why a seat cannot take an option with this key. Each reason begins with the name of the rule or card that forbids it.
pub fn why_not(rules: &Ruleset, game: &Game, key: &str) -> Vec<String> {
    let Some(open) = game.decision() else { return vec!["the game is over".to_string()] };
    let mut game = game.clone();
    game.watch(open.seat);
    let offers = match open.question {
        Question::Turn(turns) => &rules.turns[turns as usize].actions[..],
        Question::Rules(question) => &rules.questions[question as usize].choices[..],
        Question::Card(_) | Question::Cover | Question::Payment => &[],
    };
    let turn = matches!(open.question, Question::Turn(_));
    if turn || offers.iter().any(|&choice| keys::can_be_key(rules, choice, key)) {
        let reasons = meaning::reasons_against_key(&mut game.on(rules), open.seat, key);
        if !reasons.is_empty() {
            return reasons;
        }
    }
    if !turn {
        return vec![format!("it is none of the answers to what p{} is asked now", open.seat + 1)];
    }
    let mut names: Vec<&str> = offers.iter().map(|action| rules.names.text(rules.choices[*action as usize].name)).collect();
    names.dedup();
    vec![format!("no action of this turn is called so; there are {}", names.join(", "))]
}

/// Lists what is refused: actions of the turn that begins, grouped by the first card that each names, or answers to the open question that
/// guards or costs forbid. Only cards known to the seat are considered, since options name no others.
pub fn list_refused(rules: &Ruleset, game: &Game) -> Vec<RefusedAction> {
    let Some(open) = game.decision() else { return Vec::new() };
    let (mut game, mut found) = (game.clone(), Vec::new());
    game.watch(open.seat);
    match open.question {
        Question::Turn(turns) => {
            for &action in &rules.turns[turns as usize].actions {
                let declared = &rules.choices[action as usize];
                let by_card = declared.text.is_none() && declared.params.iter().all(|param| param.cards().is_some());
                match by_card && !declared.params.is_empty() {
                    true => refused_by_card(rules, &mut game, open, action, &mut found),
                    false => refused_options(rules, &mut game, open, action, &mut found),
                }
            }
        }
        Question::Rules(question) => {
            let choices = rules.questions[question as usize].choices.iter().map(|&index| (index, &rules.choices[index as usize]));
            // What a condition without a reason hides is not told.
            for (index, _) in choices.filter(|(_, choice)| !choice.guards.is_empty() || !choice.costs.is_empty()) {
                refused_options(rules, &mut game, open, index, &mut found);
            }
        }
        Question::Card(_) | Question::Cover | Question::Payment => {}
    }
    found
}

/// Adds the refused options of a choice, or one for all if they are many.
fn refused_options(rules: &Ruleset, game: &mut Game, open: &Decision, choice: u16, found: &mut Vec<RefusedAction>) {
    let mut possible = game.on(rules).possible_options(open.seat, choice);
    game.on(rules).hide_unseen(open.seat, &mut possible);
    let mut refused: Vec<RefusedAction> = Vec::new();
    for option in possible.iter().filter(|option| !open.options.iter().any(|offered| offered.act == option.act)) {
        let Act::Choice(_, args) = option.act else { continue };
        if option.is_unseen() {
            continue;
        }
        let reasons = meaning::reasons_against(&mut game.on(rules), open.seat, choice, args);
        if reasons.is_empty() || reasons.iter().any(|reason| reason.starts_with("if: ")) {
            continue;
        }
        let same = RefusedAction { key: option.text(rules), reasons };
        if !found.contains(&same) && !refused.contains(&same) {
            refused.push(same);
        }
    }
    while let Some(first) = refused.first().cloned() {
        let (alike, others): (Vec<_>, Vec<_>) = refused.into_iter().partition(|other| other.reasons == first.reasons);
        match alike.len() > MOST_LISTED {
            true => found.push(RefusedAction { key: format!("{} and {} more", first.key, alike.len() - 1), reasons: first.reasons }),
            false => found.extend(alike),
        }
        refused = others;
    }
}

/// Adds the refused options of an action that names cards, by the first card.
fn refused_by_card(rules: &Ruleset, game: &mut Game, open: &Decision, action: u16, found: &mut Vec<RefusedAction>) {
    let declared = &rules.choices[action as usize];
    let name = rules.names.text(declared.name);
    let offered = |card: usize| {
        let is_same = |option: &Opt| option.act.action(rules) == Some(action) && option.act.cards(rules)[0] == PieceId::at(card).option();
        open.options.iter().any(is_same)
    };
    for card in prices::first_cards(&mut game.store(rules), open.seat, action) {
        if offered(card) {
            continue;
        }
        let word = declared.params[0].word.map(|word| format!("{} ", rules.names.text(word))).unwrap_or_default();
        let key = format!("{name} {word}{}", rules.names.text(rules.definition(card).id));
        let mut reasons = match declared.params.len() {
            1 => meaning::reasons_against(&mut game.on(rules), open.seat, action, [PieceId::at(card).local(), -1, -1]),
            _ => prices::reasons_at_first(&mut game.store(rules), open.seat, action, card),
        };
        if reasons.is_empty() {
            // Of equal cards one is offered for all.
            let store = game.store(rules);
            let of_action = open.options.iter().filter(|option| option.act.action(rules) == Some(action));
            let mut firsts = of_action.filter_map(|option| usize::try_from(option.act.cards(rules)[0]).ok());
            if firsts.any(|first| are_alike_cards(&store, open.seat, first, card)) {
                continue;
            }
            reasons.push(format!("nothing fits that `{name}` names besides"));
        }
        let same = RefusedAction { key, reasons };
        if !found.contains(&same) {
            found.push(same);
        }
    }
}
