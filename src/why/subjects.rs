//! What can be asked of a position.

use super::Why;
use crate::engine::Game;
use crate::engine::decision::Question;
use crate::engine::options::MOST_PARAMS;
use crate::lang::defs::DefKind;
use crate::lang::typed::Body;
use crate::speech;

/// The word for all rows of the score.
pub(super) const SCORE: &str = "score";
/// The word for what a state is worth to machine players.
pub(super) const WORTH: &str = "worth";

/// More options than this are not listed of one action.
const MOST_OF_AN_ACTION: usize = 500;

/// What can be asked of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Subjects {
    /// Stats and numbers that cards may change.
    pub quantities: Vec<String>,
    /// Definitions, conditions and constants.
    pub definitions: Vec<String>,
    /// What needs a card, a word or a number besides: `price(card)`.
    pub with_arguments: Vec<String>,
    /// `score` for all points, and its rows.
    pub score: Vec<String>,
    /// What a state is worth to machine players, by style.
    pub worths: Vec<String>,
    /// Moments that cards can hear.
    pub moments: Vec<String>,
    /// What can be chosen now.
    pub offered: Vec<String>,
    /// What the rules know here, and is not possible now.
    pub refused: Vec<String>,
}

impl Why {
    /// What can be asked of a position for a seat.
    pub fn subjects(&mut self, game: &Game, seat: usize) -> Subjects {
        let mut subjects = Subjects::default();
        let tree = self.reader.tree();
        for (id, one) in tree.defs.all().filter(|(_, one)| !one.name.contains('.')) {
            let Some(body) = tree.bodies.get(&id) else { continue };
            let list = match (&one.what, body) {
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
        let known = self.options_known(game, seat);
        subjects.refused = known.into_iter().filter(|key| !subjects.offered.contains(key)).collect();
        subjects
    }

    /// Every option that the rules know where the game stands, offered or not: actions with each card that lies where they look for
    /// one, and the answers to the open question.
    pub fn options_known(&mut self, game: &Game, seat: usize) -> Vec<String> {
        let rules = std::sync::Arc::clone(&self.rules);
        let mut known: Vec<String> = Vec::new();
        for action in &rules.actions {
            let mut keys = vec![rules.names.text(action.name).to_string()];
            for param in action.params.iter().take(MOST_PARAMS) {
                let word = param.word.map_or_else(String::new, |word| format!(" {}", rules.names.text(word)));
                let mut ids: Vec<&str> = speech::lying_in(&rules, game, param.set, seat)
                    .into_iter()
                    .map(|card| rules.names.text(rules.definition(card).id))
                    .collect();
                ids.sort_unstable();
                ids.dedup();
                let with: Vec<String> =
                    keys.iter().flat_map(|key| ids.iter().map(|id| format!("{key}{word} {id}")).collect::<Vec<_>>()).collect();
                keys = if param.maybe { keys.into_iter().chain(with).collect() } else { with };
                keys.truncate(MOST_OF_AN_ACTION);
            }
            known.extend(keys);
        }
        if let Some(decision) = game.decision().cloned()
            && !matches!(decision.question, Question::Turn(_))
            && decision.seat == seat
        {
            known.extend(self.answers_known(game, &decision));
        }
        let mut seen = std::collections::BTreeSet::new();
        known.retain(|key| seen.insert(key.clone()));
        known
    }
}
