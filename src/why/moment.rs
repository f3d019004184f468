//! Who speaks at a moment: the cards that hear it, in the order in which they would act, and which of their conditions hold now.

use crate::cast;
use crate::speech;
use std::sync::Arc;

use super::Why;
use super::entries::hook_of;
use super::explanation::Explanation;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::Game;
use crate::engine::eval::Env;
use crate::lang::typed::Says;

/// Who speaks at a moment of a seat.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct MomentWhy {
    /// The moment.
    pub moment: String,
    /// What has happened then, in the words of the rules.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub told: String,
    /// Whose.
    pub seat: String,
    /// The moment's card, if one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// Who hears it, in the order in which they would act.
    pub hearers: Vec<Hearer>,
}

/// A card that hears a moment.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Hearer {
    /// What it is called.
    pub card: String,
    /// Whose it is; nobody's on the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The entry, by its address on the card.
    pub entry: String,
    /// Where it stands: file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether it would speak, as things are.
    pub speaks: bool,
    /// Its condition, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Explanation>,
    /// What it does, part by part, each with the condition of that part.
    pub does: Vec<Doing>,
}

/// What a card does.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Doing {
    /// The condition, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Explanation>,
    /// The script.
    pub script: String,
}

impl Why {
    /// Who would speak if a moment of a seat came now; `card` is the id of the moment's card.
    ///
    /// # Errors
    /// There is no such moment or card.
    pub fn moment(&mut self, game: &Game, seat: usize, name: &str, card: Option<&str>) -> Result<MomentWhy, Box<Diagnostic>> {
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
        let told = self.reader.tree().told_moments.iter().find(|told| told.0 == name).map_or_else(String::new, |told| told.1.clone());
        let mut wrong = Vec::new();
        let mark = self.reader.mark();
        let mut walk = self.walk(game, &mut wrong);
        let mut hearers = Vec::new();
        for speech in speech::listeners_of(&mut walk.game.on(walk.low.out), cast::fit::<u16>(moment), seat, piece) {
            let (definition, kind) = (walk.rules().piece_definition[speech.card] as usize, walk.rules().definition(speech.card).kind);
            let Some(entry) = hook_of(walk.entries, definition, kind, speech.entry) else { continue };
            let Says::On { parts, .. } = &entry.says else { continue };
            let (scope, run) = (walk.of_entry(), Env::with(speech.me, &[cast::fit::<i32>(speech.card), piece, cast::fit::<i32>(seat)]));
            let when = entry.when.as_ref().map(|when| walk.explain(when, &scope, &run));
            let speaks = when.as_ref().is_none_or(|when| when.as_ref().is_some_and(|when| !when.is_false()));
            let mut does = Vec::new();
            for part in parts {
                let when = part.when.as_ref().and_then(|when| walk.explain(when, &scope, &run));
                does.push(Doing { when, script: part.script.0.split_whitespace().collect::<Vec<_>>().join(" ") });
            }
            let at = parts.first().and_then(|part| walk.words.place(part.script.1));
            let (name, place) = walk.words.card(walk.rules(), speech.card);
            let owner = speech.owner.map(|owner| format!("p{}", owner + 1));
            hearers.push(Hearer { card: name, owner, entry: entry.id.clone(), at: at.or(place), speaks, when: when.flatten(), does });
        }
        drop(walk);
        self.reader.take_back(mark);
        Ok(MomentWhy { moment: name.to_string(), told, seat: format!("p{}", seat + 1), card: card.map(str::to_string), hearers })
    }

    /// A piece of a card: one that lies with the seat, or else in play, or else anywhere.
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
