//! `next roll`, `next take` and `next draw`: what chance does next, in a scenario.

use super::trial::{Trial, Wrong, faulted, wrong};
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::editor::PositionEditor;
use crate::engine::ruleset::{Ruleset, Shape};
use crate::engine::tokens::Token;
use crate::source::Span;
use crate::state::layout::{BOX, OUT, piece};
use crate::syntax::ast::scenario::{Next, NextFace, NextToken};
use crate::syntax::ast::{Expr, Name};

/// What lines have fixed and has not been looked for yet in the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixed {
    /// The last line that fixed rolls.
    rolls: Option<Span>,
    /// The last line that fixed what is taken at random.
    takes: Option<Span>,
    /// The lines that fixed which card is drawn next, in the order in which the game knows their draws.
    draws: Vec<Span>,
}

/// Does what a line says.
pub(super) fn fix(trial: &mut Trial<'_>, next: &Next, span: Span) -> Result<(), Wrong> {
    match next {
        Next::Roll(faces) => {
            let faces = faces.iter().map(|face| classes_of(&trial.rules, face)).collect::<Result<Vec<u64>, Wrong>>()?;
            trial.game.fix_rolls(&faces);
            trial.fixed.rolls = Some(span);
            Ok(())
        }
        Next::Take(tokens) => {
            let tokens = tokens.iter().map(|token| classes_of_token(&trial.rules, token)).collect::<Result<Vec<u64>, Wrong>>()?;
            trial.game.fix_takes(&tokens);
            trial.fixed.takes = Some(span);
            Ok(())
        }
        Next::Draw { card, deck, number } => draw(trial, card, deck, number.as_ref(), span),
    }
}

/// All classes of dice that show a face, as a bit set.
fn classes_of(rules: &Ruleset, wanted: &NextFace) -> Result<u64, Wrong> {
    let face = wanted.face.text.as_str();
    let sorts: Vec<_> = rules.tokens.iter().filter(|token| !token.faces.is_empty()).collect();
    let name = |class: u8| rules.names.text(rules.classes[class as usize].key);
    let face_of = |class: u8| name(class).split_once(':').map_or("", |(_, face)| face);
    if let Some(sort) = &wanted.sort
        && !sorts.iter().any(|token| rules.names.text(token.name) == sort.text)
    {
        let known = sorts.iter().map(|token| rules.names.text(token.name));
        let found = Diagnostic::error("G112", sort.span, format!("no die is called `{}`", sort.text)).label("unknown");
        return Err(Box::new(found.meant(nearest(&sort.text, known))));
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
    let known: Vec<&str> = classes.iter().map(|&class| face_of(class)).collect();
    let who = wanted.sort.as_ref().map_or("no die".to_string(), |sort| format!("no `{}`", sort.text));
    let wrong = Diagnostic::error("G112", wanted.face.span, format!("{who} has a face `{face}`")).label("it can never fall");
    let wrong = match known.is_empty() {
        true => wrong.help("nothing is rolled in this game"),
        false if nearest(face, known.iter().copied()).is_none() => {
            let mut known = known.clone();
            known.sort_unstable();
            known.dedup();
            wrong.help(format!("the faces are {}", known.join(", ")))
        }
        false => wrong.meant(nearest(face, known.iter().copied())),
    };
    Err(Box::new(wrong))
}

/// All classes of tokens that are meant, as a bit set.
fn classes_of_token(rules: &Ruleset, wanted: &NextToken) -> Result<u64, Wrong> {
    let name = |token: &Token| rules.names.text(token.name).to_string();
    let Some(token) = rules.tokens.iter().find(|token| name(token) == wanted.sort.text) else {
        let known: Vec<String> = rules.tokens.iter().map(name).collect();
        let found = Diagnostic::error("G112", wanted.sort.span, format!("no token is called `{}`", wanted.sort.text)).label("unknown");
        return Err(Box::new(match known.is_empty() {
            true => found.help("there are no tokens in this game"),
            false => found.meant(nearest(&wanted.sort.text, known.iter().map(String::as_str))),
        }));
    };
    let Some(face) = &wanted.face else { return Ok(token.classes) };
    let face_of = |class: u8| rules.names.text(rules.classes[class as usize].key).split_once(':').map_or("", |(_, face)| face);
    let found = token.faces.iter().filter(|&&class| face_of(class) == face.text).fold(0, |bits, class| bits | 1 << class);
    if found != 0 {
        return Ok(found);
    }
    let wrong = Diagnostic::error("G112", face.span, format!("no `{}` has a face `{}`", name(token), face.text)).label("there is none");
    Err(Box::new(wrong.meant(nearest(&face.text, token.faces.iter().map(|&class| face_of(class))))))
}

/// Puts a card on top of its deck, below those that are to be drawn before it.
fn draw(trial: &mut Trial<'_>, word: &Name, named: &Name, number: Option<&Expr>, span: Span) -> Result<(), Wrong> {
    let rules = trial.rules.clone();
    let definition = trial.definition(word)?;
    let declared = rules.find_place(&named.text).filter(|&place| rules.places[place].shape == Shape::Deck);
    let Some(declared) = declared else {
        let decks = rules.places.iter().filter(|place| place.shape == Shape::Deck).map(|place| place.name.as_str());
        let found = Diagnostic::error("G110", named.span, format!("no deck is called `{}`", named.text)).label("unknown");
        return Err(Box::new(found.meant(nearest(&named.text, decks))));
    };
    let place = &rules.places[declared];
    let number = number.map(|number| number.literal().filter(|n| (1..=place.instances as i64).contains(n)).ok_or(number.span)).transpose();
    let number = number.map_err(|span| match place.instances {
        1 => wrong(span, format!("there is only one deck `{}`", named.text)),
        last => wrong(span, format!("there is no such deck; they go from `{0}[1]` to `{0}[{last}]`", named.text)),
    })?;
    let wanted = |deck: usize| deck > BOX && rules.layout.places[deck].declared as usize == declared;
    let wanted = |deck: usize| wanted(deck) && number.is_none_or(|number| deck == place.first as usize + cast::index(number) - 1);
    let copies: Vec<usize> = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition).collect();
    let deck_of = |trial: &Trial<'_>, card: usize| cast::index(trial.game.cells()[rules.layout.piece(card, piece::PLACE)]);
    let fixed = |trial: &Trial<'_>, card: usize| trial.game.fixed_draws().iter().any(|draw| draw.card == card && !draw.came);
    let Some(&card) = copies.iter().find(|&&card| wanted(deck_of(trial, card)) && !fixed(trial, card)) else {
        let at = |card: &usize| match deck_of(trial, *card) {
            deck if deck > BOX && rules.layout.places[deck].declared as usize == declared => {
                format!("{}[{}]", place.name, deck - place.first as usize + 1)
            }
            _ => trial.game.position(&rules).where_is(*card),
        };
        let places: Vec<String> = copies.iter().map(at).collect();
        let found = Diagnostic::error("G113", word.span, format!("`{}` does not lie in this deck", word.text)).label("it cannot be drawn");
        return Err(Box::new(match places.is_empty() {
            true => found.help("there is no piece of it in this game"),
            false if copies.iter().any(|&card| fixed(trial, card)) => found.help("a line before says already that it is drawn"),
            false => found.help(format!("it is in {}", places.join(" and in "))),
        }));
    };
    let deck = deck_of(trial, card);
    trial.fixed.draws.push(span);
    trial.game.fix_draw(card, deck);
    // Rules that look at a deck see them on top, the first to be drawn above the others.
    let waiting = trial.game.fixed_draws().iter().filter(|draw| draw.deck == deck && !draw.came);
    let waiting: Vec<usize> = waiting.map(|draw| draw.card).filter(|&card| deck_of(trial, card) == deck).collect();
    for &card in waiting.iter().rev() {
        PositionEditor::new(trial.game.on(&rules)).put_on_top(card).map_err(|fault| faulted(&fault, span))?;
    }
    Ok(())
}

/// Tells what lines have fixed and never came.
pub(super) fn never_came(trial: &Trial<'_>, wrong: &mut Vec<Diagnostic>) {
    let left = trial.game.fixed_rolls();
    if let Some(span) = trial.fixed.rolls.filter(|_| left > 0) {
        let (dice, them) = if left == 1 { ("the last of these faces", "it") } else { ("faces that `next roll` gives", "them") };
        let message = if left == 1 { format!("{dice} never fell") } else { format!("{left} {dice} never fell") };
        wrong.push(
            Diagnostic::error("G114", span, message).label(format!("nothing was rolled for {them}")).help("roll more, or leave them out"),
        );
    }
    let left = trial.game.fixed_takes();
    if let Some(span) = trial.fixed.takes.filter(|_| left > 0) {
        let message = if left == 1 {
            "the last of these tokens was never taken".to_string()
        } else {
            format!("{left} of these tokens were never taken")
        };
        let found = Diagnostic::error("G114", span, message).label("nothing was taken at random for them");
        wrong.push(found.help("take more, or leave them out"));
    }
    for (draw, &span) in trial.game.fixed_draws().iter().zip(&trial.fixed.draws).filter(|(draw, _)| !draw.came) {
        let rules = &trial.rules;
        let label = match cast::index(trial.game.cells()[rules.layout.piece(draw.card, piece::PLACE)]) {
            place if place == draw.deck => "it still lies in its deck".to_string(),
            OUT => "it is out of the game".to_string(),
            _ => format!("it has come to {} in another way", trial.game.position(rules).where_is(draw.card)),
        };
        let found = Diagnostic::error("G114", span, "this card was never drawn").label(label);
        wrong.push(found.help("draw it, or leave this line out"));
    }
}
