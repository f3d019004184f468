//! Everything that can be wrong with a choice of players, options, variants and cards to deal.

use crate::diagnostic::Diagnostic;
use houserule_source::problems;

problems! {
    /// The problems that a set-up can have.
    pub(crate) enum SetUpProblem {
        error G001 NoOption { name: String, near: Option<String>, options: Vec<String> } => "this game has no option `{name}`"
            meant (near.as_deref())
            help (match options.is_empty() {
                true => "nothing can be chosen in this game but the number of players".to_string(),
                false => format!("its options are {}", options.join(", ")),
            });
        error G001 NoValue { option: String, value: String, values: String } => "option `{option}` has no value `{value}`"
            help "its values are {values}";
        error G001 OptionOfNobody { option: String, player: usize, players: usize } =>
            "option `{option}` is chosen for p{player}, who is not there; there are {players} players";
        error G001 OneValue { option: String, given: usize, help: String } => "option `{option}` takes one value, not {given}"
            help "{help}";
        error G001 OptionOfAll { option: String, value: String } => "option `{option}` is chosen for all players at once"
            help "choose `{value}` for all: `--option {option}={value}`, in a scenario `{option} = \"{value}\"`";
        error G002 Unreadable { path: String, why: String } => "cannot read `{path}`: {why}";
        error G003 NoVariant { name: String, near: Option<String> } => "there is no variant `{name}`"
            label "unknown"
            with (|diagnostic| match near {
                None => diagnostic.help("give the name of a variant, the path of a `.rules` file, or rules such as `change ADDRESS to VALUE`"),
                near => diagnostic.meant(near.as_deref()),
            });
        error G004 PlayersBeyond { fewest: usize, most: usize, players: usize } =>
            "this game is for {fewest} to {most} players, not {players}";
        error G005 EmptyDeck { deck: String } => "no card lies in deck `{deck}` with these options"
            label "this deck"
            help "choose other options, or load a pack that has cards for it; a deck into which rules put cards may begin empty";
        error G006 NoCardToDeal { card: String, near: Option<String> } => "no card is called `{card}`, so it cannot be dealt"
            meant (near.as_deref());
        error G006 DealtToNobody { card: String, player: usize, players: usize } =>
            "`{card}` was dealt to player {player}, but only {players} play";
        error G006 OnlyInDeck { card: String, player: usize, kind: String } =>
            "`{card}` was dealt to p{player}, but no player has a place for cards of kind `{kind}`"
            help "write `{card}` without a seat: then it lies on top of its deck";
        error G006 NoPlaceToDeal { card: String, kind: String } =>
            "`{card}` cannot be dealt: no player has a place for cards of kind `{kind}`, nor does it lie in a deck"
            help "deal another card, or choose options with which it lies in a deck";
        error G006 NoRoomToDeal { card: String, player: usize, others: String, place: String, room: usize } =>
            "p{player} has no room for `{card}` besides `{others}`, dealt as well"
            help "`{place}` holds {room}: deal one of them to another seat";
        error G101 NoPlayer { player: usize, players: usize } => "there is no player {player}; there are {players}"
            label "not in this game";
        error G012 Refused { reason: String } => "{reason}"
            label "needed here"
            help "choose other options with `--option`, or another number of players";
    }
}

/// Whether the rules themselves forbid these players and options (`needs NAME: … "why"`).
pub(crate) fn is_forbidden(found: &Diagnostic) -> bool {
    matches!(found.problem(), Some(SetUpProblem::Refused { .. }))
}

/// Whether a diagnostic says that the choice of players and options is invalid: an unknown option or value, a wrong number of players, or a
/// combination that the rules forbid.
pub fn is_refusal(found: &Diagnostic) -> bool {
    use SetUpProblem::{NoOption, NoValue, OneValue, OptionOfAll, OptionOfNobody, PlayersBeyond};
    let of_option = |problem: &SetUpProblem| {
        matches!(problem, NoOption { .. } | NoValue { .. } | OptionOfNobody { .. } | OneValue { .. } | OptionOfAll { .. })
    };
    is_forbidden(found) || found.problem().is_some_and(|problem| of_option(problem) || matches!(problem, PlayersBeyond { .. }))
}

/// Whether a diagnostic depends on the choice of players and options: a deck that is empty now may have cards with other options.
pub fn is_of_choice(found: &Diagnostic) -> bool {
    is_refusal(found) || matches!(found.problem(), Some(SetUpProblem::EmptyDeck { .. }))
}
