//! Lists everything that can be asked about a position.

use super::Why;
use crate::cast;
use crate::engine::Game;
use crate::engine::decision::Question;
use crate::engine::options::MAX_PARAMS;
use crate::in_play;
use crate::lang::defs::DefKind;
use crate::lang::typed::Body;

/// The word with which a question asks for the total score.
pub(super) const SCORE: &str = "score";
/// The word with which a question asks how AI players value the state.
pub(super) const WORTH: &str = "worth";

/// Largest number of options listed for one action.
const MAX_OPTIONS_PER_ACTION: usize = 500;

/// Everything that can be asked about a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Subjects {
    /// Statistics and numbers that cards can change.
    pub quantities: Vec<String>,
    /// Definitions, conditions and constants without parameters.
    pub definitions: Vec<String>,
    /// Definitions with parameters, as in `price(card)`.
    pub with_arguments: Vec<String>,
    /// `score` and the rows of the score.
    pub score: Vec<String>,
    /// Questions for how AI players value the state, by style.
    pub worths: Vec<String>,
    /// Moments to which cards can react.
    pub moments: Vec<String>,
    /// Keys of the options that are offered now.
    pub offered: Vec<String>,
    /// Keys of the options that exist in this position but are refused.
    pub refused: Vec<String>,
}

impl Why {
    /// Lists what can be asked about a position for a seat.
    pub fn subjects(&mut self, game: &Game, seat: usize) -> Subjects {
        let mut subjects = Subjects::default();
        let tree = self.reader.tree();
        for (id, one) in tree.defs.all().filter(|(_, one)| !one.name.contains('.')) {
            let Some(body) = tree.bodies.get(&id) else { continue };
            let list = match (&one.kind, body) {
                (DefKind::Quantity { .. } | DefKind::Define, body) if !body.params().is_empty() => {
                    let params = body.params().iter().map(|param| param.name.as_str());
                    subjects.with_arguments.push(format!("{}({})", one.name, params.collect::<Vec<_>>().join(", ")));
                    continue;
                }
                (DefKind::Quantity { .. }, _) => &mut subjects.quantities,
                (DefKind::Define | DefKind::Constant | DefKind::Condition, Body::Value(..)) => &mut subjects.definitions,
                _ => continue,
            };
            list.push(one.name.clone());
        }
        if !tree.score.is_empty() {
            subjects.score.push(SCORE.to_string());
            subjects.score.extend(tree.score.iter().map(|(name, _)| name.clone()));
        }
        subjects.worths = tree.worths.iter().map(|worth| format!("{WORTH} {}", worth.style).trim_end().to_string()).collect();
        subjects.moments = self.rules.moments.clone();
        let offers = |decision: &&crate::engine::Decision| decision.seat == seat;
        subjects.offered = game
            .decision()
            .filter(offers)
            .map_or_else(Vec::new, |decision| decision.options.iter().map(|option| option.text(&self.rules)).collect());
        let known = self.known_options(game, seat);
        subjects.refused = known.into_iter().filter(|key| !subjects.offered.contains(key)).collect();
        subjects
    }

    /// Returns all options that the rules have at this point, offered or not: actions with every card in the right place, and answers to
    /// the open question.
    pub fn known_options(&mut self, game: &Game, seat: usize) -> Vec<String> {
        let rules = std::sync::Arc::clone(&self.rules);
        let mut known: Vec<String> = Vec::new();
        for (index, action) in rules.actions().iter().enumerate() {
            if action.text.is_some() || action.params.iter().any(|param| param.cards().is_none()) {
                let options = game.clone().on(&rules).possible_options(seat, cast::fit::<u16>(index));
                known.extend(options.iter().take(MAX_OPTIONS_PER_ACTION).map(|option| option.text(&rules)));
                continue;
            }
            let mut keys = vec![rules.names.text(action.name).to_string()];
            for (param, set) in action.params.iter().filter_map(|param| Some((param, param.cards()?))).take(MAX_PARAMS) {
                let word = param.word.map_or_else(String::new, |word| format!(" {}", rules.names.text(word)));
                let mut ids: Vec<&str> = in_play::cards_in_set_places(&rules, game, set, seat)
                    .into_iter()
                    .map(|card| rules.names.text(rules.definition(card).id))
                    .collect();
                ids.sort_unstable();
                ids.dedup();
                let with: Vec<String> =
                    keys.iter().flat_map(|key| ids.iter().map(|id| format!("{key}{word} {id}")).collect::<Vec<_>>()).collect();
                keys = if param.maybe { keys.into_iter().chain(with).collect() } else { with };
                keys.truncate(MAX_OPTIONS_PER_ACTION);
            }
            known.extend(keys);
        }
        if let Some(decision) = game.decision().cloned()
            && !matches!(decision.question, Question::Turn(_))
            && decision.seat == seat
        {
            known.extend(self.known_answers(game, &decision));
        }
        let mut seen = std::collections::BTreeSet::new();
        known.retain(|key| seen.insert(key.clone()));
        known
    }
}
