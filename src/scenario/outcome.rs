//! Checks the state of the whole game: winners, ranking, turn order, and where cards are.

use super::problem::ScenarioProblem;
use super::trial::{BoxedDiagnostic, Trial};
use crate::cast;
use crate::diagnostic::nearest;
use crate::engine::ruleset::{Ruleset, Shape};
use crate::source::Span;
use crate::state::layout::{BOX, OUT, piece};
use crate::syntax::ast::{Name, Quoted};

/// The claim of a line of `then` about the whole game.
pub(super) enum OutcomeClaim {
    /// These seats, and no others, have won. While the game goes on, nobody has won.
    Winner(Vec<usize>),
    /// The seats have this final ranking, from first to last.
    Standing(Vec<usize>),
    /// The row of the honours table that the first seat's points reach; `None` below the lowest.
    Honour(Option<usize>),
    /// The seats have this turn order.
    Order(Vec<usize>),
    /// The game has ended, by its rules.
    Over,
    /// A copy of this card has left the game.
    Removed(usize),
    /// A copy of this card (second) is with this seat (first).
    With(usize, usize),
}

impl OutcomeClaim {
    /// Whether the line is about the next question or the end of the game.
    pub fn looks_ahead(&self) -> bool {
        match self {
            OutcomeClaim::Winner(_) | OutcomeClaim::Over => true,
            OutcomeClaim::Standing(_)
            | OutcomeClaim::Honour(_)
            | OutcomeClaim::Order(_)
            | OutcomeClaim::Removed(_)
            | OutcomeClaim::With(..) => false,
        }
    }
}

/// Returns the seat indices of the named players. Reports duplicates.
pub(super) fn read_seats(trial: &Trial<'_>, named: &[Name]) -> Result<Vec<usize>, BoxedDiagnostic> {
    let mut seats = Vec::new();
    for word in named {
        let seat = trial.find_seat(word)?;
        if seats.contains(&seat) {
            return Err(Box::new(ScenarioProblem::Twice { word: word.text.clone() }.at(word.span)));
        }
        seats.push(seat);
    }
    Ok(seats)
}

/// Returns the seat indices of the named players like [`read_seats`], and reports missing seats.
pub(super) fn read_all_seats(trial: &Trial<'_>, named: &[Name]) -> Result<Vec<usize>, BoxedDiagnostic> {
    let found = read_seats(trial, named)?;
    let missing: Vec<String> = (0..trial.rules.players).filter(|seat| !found.contains(seat)).map(seat_name).collect();
    let Some(place) = named.first().filter(|_| !missing.is_empty()) else { return Ok(found) };
    let span = named.last().map_or(place.span, |last| place.span.to(last.span));
    Err(Box::new(ScenarioProblem::NotAllPlayers { missing: is_or_are(&missing) }.at(span)))
}

/// Finds the row of the honours table with a name; `None` without a name.
pub(super) fn find_honour_row(trial: &Trial<'_>, named: Option<&Quoted>) -> Result<Option<usize>, BoxedDiagnostic> {
    let rules = &trial.rules;
    if rules.honours.is_empty() {
        return Err(Box::new(ScenarioProblem::NoHonours.at(None)));
    }
    if rules.players != 1 {
        return Err(Box::new(ScenarioProblem::HonourOfOne { players: rules.players }.at(None)));
    }
    let Some(named) = named else { return Ok(None) };
    let Some(place) = rules.honours.iter().position(|honour| honour.0 == named.text) else {
        let near = nearest(&named.text, rules.honours.iter().map(|honour| honour.0.as_str())).map(String::from);
        return Err(Box::new(ScenarioProblem::NoHonour { name: named.text.clone(), near }.at(named.span)));
    };
    Ok(Some(place))
}

fn is_or_are(names: &[String]) -> String {
    format!("{} {}", names.join(", "), if names.len() == 1 { "is" } else { "are" })
}

fn seat_name(seat: usize) -> String {
    format!("p{}", seat + 1)
}

fn seat_names(seats: &[usize]) -> String {
    if seats.is_empty() { "nobody".to_string() } else { seats.iter().map(|&seat| seat_name(seat)).collect::<Vec<_>>().join(", ") }
}

/// Checks that the claim holds. If it does not, the error describes the actual state.
pub(super) fn check_outcome_claim(trial: &mut Trial<'_>, outcome: &OutcomeClaim, not: bool, span: Span) -> Result<(), Vec<String>> {
    let rules = trial.rules.clone();
    match outcome {
        OutcomeClaim::Winner(seats) => {
            let next = trial.game_at_next_question(span)?;
            let mut won = if next.finished() { next.store(&rules).winners() } else { Vec::new() };
            won.sort_unstable();
            let over = next.finished();
            if over && next.store(&rules).was_cut_off() {
                return Err(vec![cut_off_message(next.round())]);
            }
            expect_equal(&won, seats, || {
                if over { format!("it is {}", seat_names(&won)) } else { "nobody has won: the game is not over".to_string() }
            })
        }
        OutcomeClaim::Standing(seats) => {
            let found = trial.game.store(&rules).standing();
            let points = |trial: &mut Trial<'_>, seat: usize| format!("{} with {}", seat_name(seat), trial.game.store(&rules).score(seat));
            let told: Vec<String> = found.iter().map(|&seat| points(trial, seat)).collect();
            expect_equal(&found, seats, || format!("it is {}", told.join(", ")))
        }
        OutcomeClaim::Honour(place) => {
            let points = trial.game.store(&rules).score(0);
            let found = rules.honour(points);
            let name = |place: Option<usize>| place.map_or("nobody", |place| &rules.honours[place].0);
            if found == *place { Ok(()) } else { Err(vec![format!("it is {} with {points}", name(found))]) }
        }
        OutcomeClaim::Order(seats) => {
            let found = trial.game.position(&rules).order();
            expect_equal(&found, seats, || format!("it is {}", seat_names(&found)))
        }
        OutcomeClaim::Over => {
            let next = trial.game_at_next_question(span)?;
            let cut = next.finished() && next.store(&rules).was_cut_off();
            let why = match next.decision() {
                Some(decision) => format!("p{} is asked `{}`", decision.seat + 1, decision.question.text(&rules)),
                None if cut => cut_off_message(next.round()),
                None => "the game is over".to_string(),
            };
            if (next.finished() && !cut) != not { Ok(()) } else { Err(vec![why]) }
        }
        OutcomeClaim::Removed(definition) => {
            let out = |trial: &Trial<'_>, card: usize| cast::index(trial.game.cells()[rules.layout.piece(card, piece::PLACE)]) == OUT;
            check_copies(trial, *definition, not, out).map_err(|mut why| {
                why.extend((!not).then(|| "`is removed` means out of the game: not in a deck, in a place or in the box".to_string()));
                why
            })
        }
        OutcomeClaim::With(seat, definition) => {
            let theirs = |trial: &Trial<'_>, card: usize| {
                let place = cast::index(trial.game.cells()[rules.layout.piece(card, piece::PLACE)]);
                rules.layout.places[place].owner as usize == *seat
            };
            check_copies(trial, *definition, not, theirs)
        }
    }
}

/// Writes the message that the game did not end within this number of rounds.
fn cut_off_message(rounds: i32) -> String {
    format!("the game was cut off after {rounds} rounds; what would end it by its rules has not come about")
}

fn expect_equal(found: &[usize], wanted: &[usize], told: impl FnOnce() -> String) -> Result<(), Vec<String>> {
    if found == wanted { Ok(()) } else { Err(vec![told()]) }
}

/// Checks whether a property holds for a copy of a card. The error says where its copies are.
fn check_copies(trial: &Trial<'_>, definition: usize, not: bool, is: impl Fn(&Trial<'_>, usize) -> bool) -> Result<(), Vec<String>> {
    let rules = &trial.rules;
    let copies: Vec<usize> = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition).collect();
    if copies.iter().any(|&card| is(trial, card)) != not {
        return Ok(());
    }
    Err(vec![describe_location(trial, definition)])
}

/// Returns the name of a deck, with a number if there are several of that name.
pub(super) fn deck_name(rules: &Ruleset, instance: usize) -> String {
    let declared = &rules.places[rules.layout.places[instance].declared as usize];
    match declared.instances {
        1 => declared.name.clone(),
        _ => format!("{}[{}]", declared.name, instance - declared.first_instance as usize + 1),
    }
}

/// Describes where the copies of a card are.
pub(super) fn describe_location(trial: &Trial<'_>, definition: usize) -> String {
    let rules = &trial.rules;
    let copies = (0..rules.layout.pieces).filter(|&card| rules.piece_definition[card] as usize == definition);
    let places: Vec<String> = copies
        .map(|card| match cast::index(trial.game.cells()[rules.layout.piece(card, piece::PLACE)]) {
            OUT => trial.game.position(rules).place_name(card),
            at if at != BOX && rules.places[rules.layout.places[at].declared as usize].shape == Shape::Deck => {
                format!("in the deck `{}`", deck_name(rules, at))
            }
            _ => format!("in {}", trial.game.position(rules).place_name(card)),
        })
        .collect();
    if places.is_empty() { "there is no piece of it in this game".to_string() } else { format!("it is {}", places.join(" and ")) }
}
