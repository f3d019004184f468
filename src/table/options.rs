//! The options of the open question, as they are shown.

use serde::Serialize;

use crate::agent::{describe_parts, describe_view};
use crate::engine::ruleset::Shape;
use crate::engine::{Act, Game, Opt, Ruleset};

use super::picture::board_picture;
use super::values::partly_known_card;
use super::words::DisplayNames;

/// An option of the open question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SceneOption {
    /// How replays and scenarios write it.
    pub key: String,
    /// How it is shown.
    pub words: String,
    /// What it brings at once, such as `+2 gold`; empty if there is nothing or it is unknown.
    pub note: String,
    /// The cards that it names.
    pub pieces: Vec<usize>,
    /// The spaces that it names, as `data-space` of the drawing says it.
    pub spaces: Vec<String>,
    /// The card or space that it names first, by the index of its piece.
    #[serde(skip)]
    pub first_piece: Option<usize>,
    /// Id of this card or space.
    #[serde(skip)]
    pub card: Option<String>,
    /// The action or kind of answer, under which options are grouped.
    #[serde(skip)]
    pub group: String,
    /// Where its cards lie, if another option is shown by the same words, and what the asked seat has been told of them if it does not know them.
    #[serde(skip)]
    pub place: Option<String>,
    /// What lies on the space that it names first, in words, if that has been asked for by [`describe_spaces`].
    #[serde(skip)]
    pub on_space: Option<String>,
}

impl SceneOption {
    /// How it is shown, so that no other option is shown alike.
    pub fn label(&self) -> String {
        match &self.place {
            Some(place) => format!("{} [{place}]", self.words),
            None => self.words.clone(),
        }
    }
}

/// Describes the options of the open question, of which the `gains` may be known. Cards that the asked seat does not see are not named.
pub fn scene_options(rules: &Ruleset, game: &Game, words: &DisplayNames, gains: &[String]) -> Vec<SceneOption> {
    let Some(open) = game.decision() else { return Vec::new() };
    let gains = gains.iter().map(String::as_str).chain(std::iter::repeat(""));
    let mut options: Vec<SceneOption> =
        open.options.iter().zip(gains).map(|(option, gain)| scene_option(rules, words, option, gain)).collect();
    let plain: Vec<String> = options.iter().map(|option| option.words.split(" #").next().unwrap_or_default().to_string()).collect();
    for ((shown, option), words_of_it) in options.iter_mut().zip(&open.options).zip(&plain) {
        if plain.iter().filter(|other| *other == words_of_it).count() > 1 {
            let place = |piece: usize| {
                let place = place_text(rules, game, words, piece);
                let cell = |cell: usize| game.cell(rules, cell);
                match option.is_unseen().then(|| describe_parts(rules, cell, (open.seat, piece), (0, 0))).flatten() {
                    Some(told) => format!("{place}: {}", partly_known_card(words, &told).1.join(", ")),
                    None => place,
                }
            };
            shown.place = Some(pieces_of(rules, option.act).into_iter().map(place).collect::<Vec<_>>().join(", "));
        }
    }
    options
}

fn scene_option(rules: &Ruleset, words: &DisplayNames, option: &Opt, gain: &str) -> SceneOption {
    let named = if option.is_unseen() { Vec::new() } else { pieces_of(rules, option.act) };
    let first_piece = named.first().copied();
    let (spaces, pieces): (Vec<usize>, Vec<usize>) = named.into_iter().partition(|&piece| rules.board_of_piece(piece).is_some());
    let group = match option.act {
        Act::Choice(choice, _) if option.act.action(rules).is_some() => rules.names.text(rules.choices[choice as usize].name),
        Act::Choice(..) | Act::Word(_) | Act::Card(_) | Act::Token(..) | Act::Nothing => "choose",
        Act::Done => "done",
    };
    SceneOption {
        key: option.text(rules),
        words: words.describe_option(rules, option),
        note: gain.to_string(),
        pieces,
        spaces: spaces.into_iter().filter_map(|piece| space_of(rules, piece)).collect(),
        first_piece,
        card: first_piece.map(|piece| rules.names.text(rules.definition(piece).id).to_string()),
        group: words.word_name(group),
        place: None,
        on_space: None,
    }
}

/// Says of each option what the asked seat sees on the space that it names first.
pub fn describe_spaces(rules: &Ruleset, game: &Game, words: &DisplayNames, options: &mut [SceneOption]) {
    let Some(open) = game.decision().filter(|_| options.iter().any(|option| !option.spaces.is_empty())) else { return };
    let view = game.view_of(rules, open.seat);
    let seen = describe_view(rules, &view);
    let pictures: Vec<_> = rules.boards.iter().map(|board| (board.place, board_picture(rules, words, &seen, board))).collect();
    for option in options {
        let space = option.first_piece.and_then(|piece| Some((piece, rules.board_of_piece(piece)?.place)));
        option.on_space = space.and_then(|(piece, board)| {
            let (_, picture) = pictures.iter().find(|(place, _)| *place == board)?;
            picture.words_of_space(rules.names.text(rules.definition(piece).id))
        });
    }
}

/// Returns the pieces that an option names: cards, and spaces of boards.
fn pieces_of(rules: &Ruleset, act: Act) -> Vec<usize> {
    act.cards(rules).into_iter().filter_map(|piece| usize::try_from(piece).ok()).collect()
}

/// The name of a space as the drawing of its board says it.
fn space_of(rules: &Ruleset, piece: usize) -> Option<String> {
    let board = rules.board_of_piece(piece)?;
    Some(format!("{}/{}", board.name, rules.names.text(rules.definition(piece).id)))
}

/// Returns the place of a card, with its position.
fn place_text(rules: &Ruleset, game: &Game, words: &DisplayNames, piece: usize) -> String {
    let (instance, slot) = game.position(rules).place_of(piece);
    let name = words.word_name(&game.position(rules).place_name(piece));
    match rules.layout.places.get(instance).filter(|place| place.room > 0).map(|place| rules.places[place.declared as usize].shape) {
        Some(Shape::Grid { columns, .. }) => words.place_at(&name, slot / columns as usize + 1, slot % columns as usize + 1),
        Some(Shape::Slots) => format!("{name} {}", slot + 1),
        Some(Shape::Deck) | None => name,
    }
}
