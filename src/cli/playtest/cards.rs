//! `houserule playtest --cards`: measures the effects of single cards.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use super::super::args::PlaytestArgs;
use super::super::faults::report_faults;
use super::super::output::{color, print, show_diagnostics, usage_error};
use super::super::progress::Progress;
use super::super::report::{Outputs, card_names, changes};
use super::super::result::{CommandResult, ExitReason};
use super::super::show::boards_of_first_game;
use super::super::signals::{STOP, install_signal_handlers};
use crate::diagnostic::nearest;
use crate::engine::ruleset::Definition;
use crate::engine::{Ruleset, Scripts};
use crate::lang::{GameText, Setup};
use crate::pack::Translations;
use crate::playtest::cards::{BlankingPlan, CardEffects, blanked_games, can_be_blanked, card_effects, compile_blanked};
use crate::playtest::{PageNames, Report, RunPlan, playtest_document, report, text};
use crate::script::ScriptHost;
use crate::source::Sources;

/// JSON output of `playtest --cards`.
#[derive(Serialize)]
struct CardsOutput<'a> {
    result: &'a Report,
    /// Translated names by id; `None` if no language was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a Translations>,
    card_effects: &'a CardEffects,
}

/// Plays the games of a run, and plays again those in which a card came up, now with the card blanked.
pub(super) fn playtest(
    plan: &RunPlan<'_>,
    rules: &Arc<Ruleset>,
    (setup, wanted): (&Setup, &str),
    (sources, game): (&Sources, &GameText),
    (chosen, args): (Option<&Translations>, &PlaytestArgs),
) -> CommandResult {
    let wanted = wanted_cards(rules, wanted)?;
    let id = |card: u32| rules.names.text(rules.definitions[card as usize].id);
    let without_blank: Vec<String> =
        wanted.iter().map(|card| id(*card)).filter(|id| !can_be_blanked(game, id)).map(str::to_string).collect();
    let can_be_blanked = |card: u32| can_be_blanked(game, id(card));
    let printed = Translations::default();
    let names = chosen.unwrap_or(&printed);
    let outputs = Outputs::open(&args.written)?;
    install_signal_handlers();
    let progress = Progress::new(plan.games, "games played once more");
    let host = |rules: &Arc<Ruleset>| ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let blanked = BlankingPlan {
        is_wanted: &|card| wanted.contains(&card),
        can_be_blanked: &can_be_blanked,
        rules: &|card| compile_blanked(game, setup, id(card)),
        early: args.early,
        scripts: &host,
        on_progress: &|played, of| {
            progress.set_total(of);
            progress.set_done(played);
        },
    };
    let played = blanked_games(plan, &|| host(rules), &blanked, &STOP);
    progress.finish();
    let games = match played {
        Ok(played) => played,
        Err(faults) => return show_diagnostics(sources, &faults).and(Err(ExitReason::Findings)),
    };
    let changed = changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal);
    let report = report(plan, &games.outcome, sources, changed).at_pace(args.written.pace);
    let effects = card_effects(rules, &report, &games, (args.early, without_blank));
    if let Some(first) = effects.without_blank.first().filter(|_| effects.without_blank.len() == wanted.len()) {
        let more = effects.without_blank.len() - 1;
        let (more, do_so) = if more > 0 { (format!(" and {more} more"), "do") } else { (String::new(), "does") };
        return usage_error(format!(
            "what `{first}`{more} {do_so} stands in the rules, by id or by kind: a blank takes nothing away that could be measured"
        ));
    }
    if !outputs.on_terminal() {
        print(&text(&report, names, color()));
        print(&effects.text(&report, names, &card_names(game, names), color()));
    }
    let called = PageNames { names, cards: &card_names(game, names) };
    let written = CardsOutput { result: &report, names: chosen, card_effects: &effects };
    let document = || playtest_document(&report, Some(&effects), &boards_of_first_game(plan, game, names), called);
    outputs.write_files(document, &written).and(report_faults(sources, &games.outcome))
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
