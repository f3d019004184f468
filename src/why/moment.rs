//! Which cards react to a moment, in the order in which they would act, and whether their conditions hold.

use crate::cast;
use crate::in_play;
use std::sync::Arc;

use super::Why;
use super::entries::hook_of;
use super::explanation::Explanation;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::Game;
use crate::engine::eval::Env;
use crate::lang::typed::EntryBody;

/// The cards that react to a moment of a seat.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MomentExplanation {
    /// Name of the moment.
    pub moment: String,
    /// The description of the moment in the words of the rules.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[serde(rename = "told")]
    pub description: String,
    /// Name of the seat whose moment it is, as `p1`.
    pub seat: String,
    /// The card that the moment is about, if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// The reacting entries, in the order in which they would act.
    #[serde(rename = "hearers")]
    pub listeners: Vec<MomentListener>,
}

/// An entry of a card that listens to a moment.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MomentListener {
    /// Display name of the card.
    pub card: String,
    /// The seat that owns the card; `None` for a card on the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// Address of the entry on the card.
    #[serde(rename = "entry")]
    pub entry_address: String,
    /// Location of the entry, as file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "at")]
    pub location: Option<String>,
    /// Whether the entry would act in the current state.
    #[serde(rename = "speaks")]
    pub would_act: bool,
    /// Explanation of the condition, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Explanation>,
    /// The steps that the entry would run.
    #[serde(rename = "does")]
    pub steps: Vec<ListenerStep>,
}

/// A step that a listening entry runs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ListenerStep {
    /// Explanation of the condition, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Explanation>,
    /// Text of the script that the step runs.
    pub script: String,
}

impl Why {
    /// Lists the cards that would react if a moment of `seat` were raised now. `card` is the id of the card that the moment is about.
    ///
    /// # Errors
    /// A diagnostic if there is no such moment or card.
    pub fn explain_moment(
        &mut self,
        game: &Game,
        seat: usize,
        name: &str,
        card: Option<&str>,
    ) -> Result<MomentExplanation, Box<Diagnostic>> {
        let rules = Arc::clone(&self.rules);
        let Some(moment) = rules.moments.iter().position(|known| known == name) else {
            let known = rules.moments.iter().map(String::as_str);
            return Err(Box::new(Diagnostic::error("G160", None, format!("no moment is called `{name}`")).meant(nearest(name, known))));
        };
        let piece = match card {
            None => -1,
            Some(id) => match self.piece_called(game, seat, id) {
                Some(piece) => cast::fit::<i32>(piece),
                None => return Err(self.unknown_card(id)),
            },
        };
        let told = self.reader.tree().moment_docs.iter().find(|told| told.0 == name).map_or_else(String::new, |told| told.1.clone());
        let mut wrong = Vec::new();
        let mark = self.reader.checkpoint();
        let mut explainer = self.make_explainer(game, &mut wrong);
        let mut listeners = Vec::new();
        for active in in_play::listeners_of(&mut explainer.game.store(explainer.lowerer.ruleset), cast::fit::<u16>(moment), seat, piece) {
            let (definition, kind) =
                (explainer.rules().piece_definition[active.card] as usize, explainer.rules().definition(active.card).kind);
            let Some(entry) = hook_of(explainer.entries, definition, kind, active.entry_index) else { continue };
            let EntryBody::On { parts, .. } = &entry.body else { continue };
            let (scope, run) =
                (explainer.entry_scope(), Env::with_locals(active.me, &[cast::fit::<i32>(active.card), piece, cast::fit::<i32>(seat)]));
            let when = entry.when.as_ref().map(|when| explainer.explain(when, &scope, &run));
            let would_act = when.as_ref().is_none_or(|when| when.as_ref().is_some_and(|when| !when.is_false()));
            let mut steps = Vec::new();
            for part in parts {
                let when = part.when.as_ref().and_then(|when| explainer.explain(when, &scope, &run));
                steps.push(ListenerStep { when, script: part.script.0.split_whitespace().collect::<Vec<_>>().join(" ") });
            }
            let at = parts.first().and_then(|part| explainer.source_texts.location_of(part.script.1));
            let (name, place) = explainer.source_texts.card_name_and_location(explainer.rules(), active.card);
            let owner = active.owner.map(|owner| format!("p{}", owner + 1));
            listeners.push(MomentListener {
                card: name,
                owner,
                entry_address: entry.id.clone(),
                location: at.or(place),
                would_act,
                when: when.flatten(),
                steps,
            });
        }
        drop(explainer);
        self.reader.roll_back(mark);
        Ok(MomentExplanation {
            moment: name.to_string(),
            description: told,
            seat: format!("p{}", seat + 1),
            card: card.map(str::to_string),
            listeners,
        })
    }

    /// Finds a copy of a card: preferably one of the seat, then one in play, then any.
    fn piece_called(&self, game: &Game, seat: usize, id: &str) -> Option<usize> {
        let rules = self.rules();
        let definition = rules.find_definition(id)?;
        let pieces: Vec<usize> = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition).collect();
        let place = |card: usize| game.position(rules).place_of(card).0;
        let own = pieces.iter().find(|&&card| rules.layout.places[place(card)].owner as usize == seat);
        let lying = pieces.iter().find(|&&card| place(card) > crate::state::layout::BOX);
        own.or(lying).or(pieces.first()).copied()
    }

    pub(super) fn unknown_card(&self, id: &str) -> Box<Diagnostic> {
        let rules = self.rules();
        let ids = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
        let found = Diagnostic::error("G160", None, format!("no card in this game is called `{id}`"));
        Box::new(found.meant(nearest(id, ids.filter(|known| *known != id))))
    }
}
