//! What a seat knows of cards, and which answers are kept secret from the other seats.

pub use houserule_ruleset::hidden::*;

use super::decision::Act;
use super::ruleset::Ruleset;

/// Whether an answer writes on hidden cards, so that it is not shown to other seats.
pub(super) fn is_kept_secret(rules: &Ruleset, act: Act) -> bool {
    if let Act::Choice(choice, _) = act { rules.hidden.secret.contains(&choice) } else { false }
}
