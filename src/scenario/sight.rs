//! Lines of `then` about what a player sees: `p1 sees p2.bid`, `not p2 sees p1.hand`.

use super::problem::ScenarioProblem;
use super::trial::{BoxedDiagnostic, Trial};
use crate::cast;
use crate::diagnostic::nearest;
use crate::engine::ruleset::{Owner, Ruleset};
use crate::lang::split_seat_prefix;
use crate::state::layout::{OUT, TABLE, piece};
use crate::syntax::ast::Name;

/// A claim that a seat sees something.
pub(super) struct SightClaim {
    seat: usize,
    what: Seen,
}

/// What a seat sees.
enum Seen {
    /// A hidden value: its index, and its owner.
    Value(usize, u8),
    /// The cards in an instance of a place.
    Cards(usize),
    /// All copies of a card.
    Card(usize),
    /// The value of a field of all copies of a card: the index of its clue.
    Part(usize, usize),
}

/// Reads what a line says of what a player sees.
pub(super) fn read_sight_claim(trial: &Trial<'_>, seat: &Name, what: &Name) -> Result<SightClaim, BoxedDiagnostic> {
    let seat = trial.find_seat(seat)?;
    let rules = &trial.rules;
    let (owner, name) = split_seat_prefix(&what.text).map_or((None, what.text.as_str()), |(owner, name)| (Some(owner), name));
    if let Some(owner) = owner {
        trial.expect_seat(owner, what.span)?;
    }
    let whose = || owner.ok_or_else(|| Box::new(ScenarioProblem::Whose { name: name.to_string() }.at(what.span)));
    let secret = rules
        .secrets
        .iter()
        .position(|secret| rules.names.text(secret.name) == name && (secret.slot.owner == Owner::Player || owner.is_none()));
    if let Some(secret) = secret {
        let owner = if rules.secrets[secret].slot.owner == Owner::Player { cast::seat(whose()?) } else { TABLE };
        return Ok(SightClaim { seat, what: Seen::Value(secret, owner) });
    }
    if let Some(place) = rules.find_place(name) {
        let declared = &rules.places[place];
        let instance = usize::from(declared.first_instance) + if declared.of_seat { whose()? } else { 0 };
        return Ok(SightClaim { seat, what: Seen::Cards(instance) });
    }
    if let (None, Some(definition)) = (owner, rules.find_definition(name)) {
        return Ok(SightClaim { seat, what: Seen::Card(definition) });
    }
    if let Some((card, field)) = name.split_once('.')
        && let (None, Some(definition)) = (owner, rules.find_definition(card))
        && rules.fields.iter().any(|known| known.0 == field)
    {
        // Of a field of which no part is shown, who knows the card knows it.
        let clue = rules.clues.iter().position(|clue| rules.names.text(clue.name) == field);
        return Ok(SightClaim { seat, what: clue.map_or(Seen::Card(definition), |clue| Seen::Part(definition, clue)) });
    }
    let is_open = [&rules.seat, &rules.table].into_iter().flatten().any(|variable| variable.name == name)
        || rules.pools.iter().any(|pool| rules.names.text(pool.name) == name);
    if is_open {
        return Err(Box::new(ScenarioProblem::SeenByAll { name: name.to_string() }.at(what.span)));
    }
    let near = nearest(name, known_names(rules)).map(String::from);
    Err(Box::new(ScenarioProblem::NothingToSee { name: name.to_string(), near }.at(what.span)))
}

fn known_names(rules: &Ruleset) -> impl Iterator<Item = &str> {
    let secrets = rules.secrets.iter().map(|secret| rules.names.text(secret.name));
    let cards = rules.definitions.iter().map(|definition| rules.names.text(definition.id));
    secrets.chain(rules.places.iter().map(|place| place.name.as_str())).chain(cards)
}

/// Checks that the claim holds. If it does not, the error describes the actual state.
pub(super) fn check_sight_claim(trial: &Trial<'_>, claim: &SightClaim, not: bool) -> Result<(), Vec<String>> {
    let (rules, seat) = (&trial.rules, claim.seat);
    let cells = trial.game.cells();
    let position = trial.game.position(rules);
    let copies = |definition: usize| -> Vec<usize> {
        let is_copy = |card: &usize| rules.piece_definition[*card] as usize == definition;
        let in_game = |card: &usize| cast::index(cells[rules.layout.piece(*card, piece::PLACE)]) != OUT;
        (0..rules.layout.pieces).filter(is_copy).filter(in_game).collect()
    };
    let knows = |card: usize| match claim.what {
        Seen::Part(_, clue) => rules.knows_field(cells, seat, card, &rules.clues[clue]),
        Seen::Value(..) | Seen::Cards(_) | Seen::Card(_) => position.knows(seat, card),
    };
    let cards = match claim.what {
        Seen::Value(secret, owner) => {
            let sees = rules.sees_secret(cells, seat, (secret, owner));
            if sees != not {
                return Ok(());
            }
            let knows = rules.knows_secret(cells, seat, (secret, owner));
            return Err(vec![match (sees, knows) {
                (true, _) => format!("p{} sees it", seat + 1),
                (false, true) => format!("p{} could work it out, but it is not shown to p{0}", seat + 1),
                (false, false) => format!("it is hidden from p{}", seat + 1),
            }]);
        }
        Seen::Cards(instance) => position.all_in(instance),
        Seen::Card(definition) | Seen::Part(definition, _) => copies(definition),
    };
    if cards.is_empty() {
        return Err(vec!["no card is there".to_string()]);
    }
    let hidden = cards.iter().filter(|&&card| !knows(card)).count();
    if (hidden == 0) != not {
        return Ok(());
    }
    if let Seen::Part(_, clue) = claim.what {
        let (field, count) = (rules.names.text(rules.clues[clue].name), cards.len());
        return Err(vec![match hidden {
            0 => format!("p{} knows `{field}` of it", seat + 1),
            _ if count == 1 => format!("p{} does not know `{field}` of it", seat + 1),
            _ => format!("p{} does not know `{field}` of {hidden} of the {count} copies", seat + 1),
        }]);
    }
    Err(vec![match hidden {
        0 => format!("p{} knows all that lies there", seat + 1),
        1 => format!("a card there is hidden from p{}", seat + 1),
        _ => format!("{hidden} cards there are hidden from p{}", seat + 1),
    }])
}
