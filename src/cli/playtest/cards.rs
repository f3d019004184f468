//! `houserule playtest --cards`: measures the effects of single cards.

use std::collections::BTreeSet;

use super::super::args::OutputArgs;
use super::super::faults::report_faults;
use super::super::load::CompiledGame;
use super::super::output::usage_error;
use super::super::report::Outputs;
use super::super::result::{CommandResult, ExitReason};
use super::super::run::Run;
use super::super::signals::STOP;
use super::super::stage::Stage;
use crate::diagnostic::nearest;
use crate::engine::Ruleset;
use crate::engine::ruleset::Definition;
use crate::playtest::cards::{BlankingPlan, blanked_games, can_be_blanked, card_effects, compile_blanked};
use crate::playtest::script_host;

/// Plays the games of a run, and plays again those in which a card came up, now with the card blanked; with `early` each card lies on top of its
/// deck.
pub(super) fn playtest(run: &Run<'_>, wanted: &str, early: bool, written: &OutputArgs) -> CommandResult {
    let (plan, CompiledGame { text, setup, rules }) = (run.plan(), &run.sides.plain);
    let wanted = wanted_cards(rules, wanted)?;
    let id = |card: u32| rules.names.text(rules.definitions[card as usize].id);
    let without_blank: Vec<String> =
        wanted.iter().map(|card| id(*card)).filter(|id| !can_be_blanked(text, id)).map(str::to_string).collect();
    let outputs = Outputs::open(written.json.as_ref(), written.report.as_ref())?;
    let stage = Stage::begin(plan.games, "games played once more", None);
    let played = stage.play(&run.sides.sources, |stage| {
        let blanked = BlankingPlan {
            is_wanted: &|card| wanted.contains(&card),
            can_be_blanked: &|card| can_be_blanked(text, id(card)),
            rules: &|card| compile_blanked(text, setup, id(card)),
            early,
            scripts: &script_host,
            on_progress: &|played, of| stage.done_of(played, of),
        };
        blanked_games(&plan, &|| script_host(rules), &blanked, &STOP)
    })?;
    let games = played.found;
    let report = run.report(&games.outcome);
    let effects = card_effects(rules, &report, &games, early, without_blank);
    if let Some(first) = effects.without_blank.first().filter(|_| effects.without_blank.len() == wanted.len()) {
        let more = effects.without_blank.len() - 1;
        let (more, do_so) = if more > 0 { (format!(" and {more} more"), "do") } else { (String::new(), "does") };
        return usage_error(format!(
            "what `{first}`{more} {do_so} stands in the rules, by id or by kind: a blank takes nothing away that could be measured"
        ));
    }
    run.show_with_effects(&report, Some(&effects), outputs, None).and(report_faults(&run.sides.sources, &games.outcome))
}

/// Returns the definitions of the cards with these ids or kinds; of all cards if `wanted` is empty.
fn wanted_cards(rules: &Ruleset, wanted: &str) -> Result<BTreeSet<u32>, ExitReason> {
    let all = || rules.definitions.iter().zip(0..);
    if wanted.is_empty() {
        return Ok(all().map(|(_, card)| card).collect());
    }
    let mut found = BTreeSet::new();
    for word in wanted.split(',').map(str::trim) {
        let is_meant = |card: &Definition| rules.names.text(card.id) == word || kind_name(rules, card.kind) == word;
        let named: Vec<u32> = all().filter(|(one, _)| is_meant(one)).map(|(_, card)| card).collect();
        if named.is_empty() {
            let known = all().flat_map(|(one, _)| [rules.names.text(one.id), kind_name(rules, one.kind)]);
            return match nearest(word, known) {
                Some(meant) => usage_error(format!("`{word}` is neither a card nor a kind of cards; did you mean `{meant}`?")),
                None => {
                    usage_error(format!("`{word}` is neither a card nor a kind of cards; `houserule list {} cards` lists them", rules.game))
                }
            };
        }
        found.extend(named);
    }
    Ok(found)
}

fn kind_name(rules: &Ruleset, kind: u16) -> &str {
    rules.names.text(rules.kinds[kind as usize].name)
}
