//! `next roll`, `next take`, `next random` and `next draw`: lines that fix the results of upcoming random events.

use super::problem::ScenarioProblem;
use super::trial::{BoxedDiagnostic, Trial, fault_diagnostic};
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::editor::PositionEditor;
use crate::engine::FixedDraw;
use crate::engine::ruleset::{Ruleset, Shape};
use crate::engine::tokens::Token;
use crate::lang::split_seat_prefix;
use crate::source::Span;
use crate::state::layout::{BOX, OUT, piece};
use crate::syntax::ast::scenario::{Next, NextFace, NextToken};
use crate::syntax::ast::{Expr, Name};

/// Executes a line that fixes a random event.
pub(super) fn fix_event(trial: &mut Trial<'_>, next: &Next, span: Span) -> Result<(), BoxedDiagnostic> {
    match next {
        Next::Roll(faces) => {
            let faces = faces.iter().map(|face| classes_of(&trial.rules, face)).collect::<Result<Vec<u64>, BoxedDiagnostic>>()?;
            trial.game.fixed_chance_mut().rolls.extend(faces);
            trial.fixed_events.rolls = Some(span);
            Ok(())
        }
        Next::Take(tokens) => {
            let tokens = tokens.iter().map(|token| classes_of_token(&trial.rules, token)).collect::<Result<Vec<u64>, BoxedDiagnostic>>()?;
            trial.game.fixed_chance_mut().takes.extend(tokens);
            trial.fixed_events.takes = Some(span);
            Ok(())
        }
        Next::Random(names) => {
            trial.game.fixed_chance_mut().chosen.extend(names.iter().map(|name| name.text.clone()));
            trial.fixed_events.chances = Some(span);
            Ok(())
        }
        Next::Draw { card, deck, number } => fix_draw(trial, card, deck, number.as_ref(), span),
    }
}

/// Returns the classes of dice that have the wanted face, as a bit set.
fn classes_of(rules: &Ruleset, wanted: &NextFace) -> Result<u64, BoxedDiagnostic> {
    let face = wanted.face.text.as_str();
    let sorts: Vec<_> = rules.tokens.iter().filter(|token| !token.faces.is_empty()).collect();
    let name = |class: u8| rules.names.text(rules.classes[class as usize].key);
    let face_of = |class: u8| name(class).split_once(':').map_or("", |(_, face)| face);
    if let Some(sort) = &wanted.sort
        && !sorts.iter().any(|token| rules.names.text(token.name) == sort.text)
    {
        let known = sorts.iter().map(|token| rules.names.text(token.name));
        let (name, near) = (sort.text.clone(), nearest(&sort.text, known).map(String::from));
        return Err(Box::new(ScenarioProblem::NoToken { name, what: "die", near, any: true }.at(sort.span)));
    }
    let of_sort = |token: &&&Token| match &wanted.sort {
        Some(sort) => rules.names.text(token.name) == sort.text,
        None => true,
    };
    let classes: Vec<u8> = sorts.iter().filter(of_sort).flat_map(|token| token.faces.iter().copied()).collect();
    let found = classes.iter().filter(|&&class| face_of(class) == face).fold(0, |bits, class| bits | 1 << class);
    if found != 0 {
        return Ok(found);
    }
    let mut known: Vec<&str> = classes.iter().map(|&class| face_of(class)).collect();
    known.sort_unstable();
    known.dedup();
    let of = wanted.sort.as_ref().map_or("no die".to_string(), |sort| format!("no `{}`", sort.text));
    let near = nearest(face, known.iter().copied()).map(String::from);
    let faces = match known.is_empty() {
        true => Some("nothing is rolled in this game".to_string()),
        false => near.is_none().then(|| format!("the faces are {}", known.join(", "))),
    };
    Err(Box::new(ScenarioProblem::NoFace { of, face: face.to_string(), near, faces }.at(wanted.face.span)))
}

/// Returns the classes of tokens that a line means, as a bit set.
fn classes_of_token(rules: &Ruleset, wanted: &NextToken) -> Result<u64, BoxedDiagnostic> {
    let name = |token: &Token| rules.names.text(token.name).to_string();
    let Some(token) = rules.tokens.iter().find(|token| name(token) == wanted.sort.text) else {
        let known: Vec<String> = rules.tokens.iter().map(name).collect();
        let (name, near) = (wanted.sort.text.clone(), nearest(&wanted.sort.text, known.iter().map(String::as_str)).map(String::from));
        return Err(Box::new(ScenarioProblem::NoToken { name, what: "token", near, any: !known.is_empty() }.at(wanted.sort.span)));
    };
    let Some(face) = &wanted.face else { return Ok(token.classes) };
    let face_of = |class: u8| rules.names.text(rules.classes[class as usize].key).split_once(':').map_or("", |(_, face)| face);
    let found = token.faces.iter().filter(|&&class| face_of(class) == face.text).fold(0, |bits, class| bits | 1 << class);
    if found != 0 {
        return Ok(found);
    }
    let near = nearest(&face.text, token.faces.iter().map(|&class| face_of(class))).map(String::from);
    let of = format!("no `{}`", name(token));
    Err(Box::new(ScenarioProblem::NoFace { of, face: face.text.clone(), near, faces: None }.at(face.span)))
}

/// Puts a card on top of its deck, below cards that earlier lines fixed.
fn fix_draw(trial: &mut Trial<'_>, word: &Name, named: &Name, number: Option<&Expr>, span: Span) -> Result<(), BoxedDiagnostic> {
    let rules = trial.rules.clone();
    let definition = trial.find_definition(word)?;
    let (seat, name) = match split_seat_prefix(&named.text) {
        Some((seat, rest)) => (Some(trial.expect_seat(seat, named.span)?), rest),
        None => (None, named.text.as_str()),
    };
    let declared = rules.find_place(name).filter(|&place| rules.places[place].shape == Shape::Deck);
    let Some(declared) = declared else {
        let decks = rules.places.iter().filter(|place| place.shape == Shape::Deck).map(|place| place.name.as_str());
        let (name, near) = (named.text.clone(), nearest(&named.text, decks).map(String::from));
        return Err(Box::new(ScenarioProblem::NoDeck { name, near }.at(named.span)));
    };
    let place = &rules.places[declared];
    match (place.of_seat, seat) {
        (true, None) => return Err(Box::new(ScenarioProblem::Whose { name: name.to_string() }.at(named.span))),
        (false, Some(_)) => return Err(Box::new(ScenarioProblem::Nobodys { name: name.to_string() }.at(named.span))),
        (true, Some(_)) | (false, None) => {}
    }
    if let Some(number) = number.filter(|_| place.of_seat) {
        return Err(Box::new(ScenarioProblem::NotADeck { name: named.text.clone() }.at(number.span)));
    }
    let number = number.map(|number| number.literal().filter(|n| (1..=place.instances as i64).contains(n)).ok_or(number.span)).transpose();
    let no_such = |span| Box::new(ScenarioProblem::NoSuchDeck { deck: named.text.clone(), last: place.instances.into() }.at(span));
    let number = number.map_err(no_such)?;
    // The decks of players are numbered by seat.
    let pile = seat.or(number.map(|number| cast::index(number) - 1));
    let wanted = |deck: usize| {
        let is_of_place = deck > BOX && rules.layout.places[deck].declared as usize == declared;
        is_of_place && pile.is_none_or(|pile| deck == usize::from(place.first_instance) + pile)
    };
    let copies: Vec<usize> = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition).collect();
    let deck_of = |trial: &Trial<'_>, card: usize| cast::index(trial.game.cells()[rules.layout.piece(card, piece::PLACE)]);
    let fixed = |trial: &Trial<'_>, card: usize| trial.game.fixed_chance().draws.iter().any(|draw| draw.card == card && !draw.drawn);
    let Some(&card) = copies.iter().find(|&&card| wanted(deck_of(trial, card)) && !fixed(trial, card)) else {
        let at = |card: &usize| match deck_of(trial, *card) {
            deck if deck > BOX && rules.layout.places[deck].declared as usize == declared => {
                format!("{}[{}]", place.name, deck - place.first_instance as usize + 1)
            }
            _ => trial.game.position(&rules).place_name(*card),
        };
        let places: Vec<String> = copies.iter().map(at).collect();
        let why = match places.is_empty() {
            true => "there is no piece of it in this game".to_string(),
            false if copies.iter().any(|&card| fixed(trial, card)) => "a line above already says that it is drawn".to_string(),
            false => format!("it is in {}", places.join(" and in ")),
        };
        return Err(Box::new(ScenarioProblem::NotInDeck { card: word.text.clone(), why }.at(word.span)));
    };
    let deck = deck_of(trial, card);
    trial.fixed_events.draws.push(span);
    trial.game.fixed_chance_mut().draws.push(FixedDraw { card, deck, drawn: false });
    // Rules can look at a deck, so the fixed cards must be on top, the first one topmost.
    let waiting = trial.game.fixed_chance().draws.iter().filter(|draw| draw.deck == deck && !draw.drawn);
    let waiting: Vec<usize> = waiting.map(|draw| draw.card).filter(|&card| deck_of(trial, card) == deck).collect();
    for &card in waiting.iter().rev() {
        PositionEditor::new(trial.game.on(&rules)).raise_to_top(card).map_err(|fault| fault_diagnostic(&fault, span))?;
    }
    Ok(())
}

/// Reports fixed random events that have not happened.
pub(super) fn report_unused(trial: &Trial<'_>, wrong: &mut Vec<Diagnostic>) {
    let left = trial.game.fixed_chance().rolls.len();
    if let Some(span) = trial.fixed_events.rolls.filter(|_| left > 0) {
        wrong.push(ScenarioProblem::NeverFell { left }.at(span));
    }
    let left = trial.game.fixed_chance().takes.len();
    if let Some(span) = trial.fixed_events.takes.filter(|_| left > 0) {
        wrong.push(ScenarioProblem::NeverTaken { left }.at(span));
    }
    let left = trial.game.fixed_chance().chosen.len();
    if let Some(span) = trial.fixed_events.chances.filter(|_| left > 0) {
        wrong.push(ScenarioProblem::NeverChosen { left }.at(span));
    }
    for (draw, &span) in trial.game.fixed_chance().draws.iter().zip(&trial.fixed_events.draws).filter(|(draw, _)| !draw.drawn) {
        let rules = &trial.rules;
        let why = match cast::index(trial.game.cells()[rules.layout.piece(draw.card, piece::PLACE)]) {
            place if place == draw.deck => "it is still in its deck".to_string(),
            OUT => "it is out of the game".to_string(),
            _ => format!("it has come to {} in another way", trial.game.position(rules).place_name(draw.card)),
        };
        wrong.push(ScenarioProblem::NeverDrawn { why }.at(span));
    }
}
