//! `houserule playtest --cards`: what single cards do.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Serialize;

use super::super::args::PlaytestArgs;
use super::super::output::{color, print, tell, wrong};
use super::super::progress::Progress;
use super::super::signals::{STOP, hear_signals};
use super::super::{Done, Trouble};
use super::{Outputs, card_names, changes, tell_faults};
use crate::diagnostic::nearest;
use crate::engine::ruleset::Definition;
use crate::engine::{Ruleset, Scripts};
use crate::lang::{GameText, Setup, compile};
use crate::pack::Names;
use crate::playtest::cards::{Blanked, CardEffects, blanked_games, card_effects};
use crate::playtest::{Called, Plan, Report, playtest_page, report, text};
use crate::script::ScriptHost;
use crate::source::Sources;

/// What `--json` writes.
#[derive(Serialize)]
struct Written<'a> {
    result: &'a Report,
    /// What ids are called in the language that was chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    names: Option<&'a Names>,
    card_effects: &'a CardEffects,
}

/// Plays the games, and those in which a card came up once more without what it does.
pub(super) fn playtest(
    plan: &Plan<'_>,
    rules: &Arc<Ruleset>,
    (setup, wanted): (&Setup, &str),
    (sources, game): (&Sources, &GameText),
    (chosen, args): (Option<&Names>, &PlaytestArgs),
) -> Done {
    let mut wanted = wanted_cards(rules, wanted)?;
    let id = |card: u32| rules.names.text(rules.definitions[card as usize].id);
    let without_blank: Vec<String> = wanted.iter().map(|card| id(*card)).filter(|id| !game.has_blank(id)).map(str::to_string).collect();
    wanted.retain(|card| game.has_blank(id(*card)));
    if wanted.is_empty() {
        let first = without_blank.first().map_or("", String::as_str);
        let more = without_blank.len().saturating_sub(1);
        let (more, do_so) = if more > 0 { (format!(" and {more} more"), "do") } else { (String::new(), "does") };
        return wrong(format!(
            "what `{first}`{more} {do_so} stands in the rules, by id or by kind: a blank takes nothing away that could be measured"
        ));
    }
    let printed = Names::default();
    let names = chosen.unwrap_or(&printed);
    let outputs = Outputs::open(args.written.json.as_ref(), args.written.report.as_ref())?;
    hear_signals();
    let progress = Progress::new(plan.games, "games played once more");
    let host = |rules: &Arc<Ruleset>| ScriptHost::new(rules).map(|host| Box::new(host) as Box<dyn Scripts>);
    let blanked = Blanked {
        wanted: &|card| wanted.contains(&card),
        rules: &|card| {
            let mut faults = Vec::new();
            compile(&game.blanked(id(card)), setup, &mut faults).ok_or(faults)
        },
        early: args.early,
        scripts: &host,
        done: &|played, of| {
            progress.of(of);
            progress.at(played);
        },
    };
    let played = blanked_games(plan, &|| host(rules), &blanked, &STOP);
    progress.end();
    let (outcome, pairs) = match played {
        Ok(played) => played,
        Err(faults) => return tell(sources, &faults).and(Err(Trouble::Finding)),
    };
    let report = report(plan, &outcome, sources, changes(&args.changed.pack, &args.changed.with, &args.changed.option, &args.changed.deal));
    let effects = card_effects(rules, &report, &pairs, (args.early, without_blank));
    if !outputs.on_terminal() {
        print(&text(&report, names, color()));
        print(&effects.text(&report, names, &card_names(game, names), color()));
    }
    let called = Called { names, cards: &card_names(game, names) };
    let page = outputs.page.map_or(Ok(()), |page| page.page(playtest_page(&report, Some(&effects), called)));
    let written = Written { result: &report, names: chosen, card_effects: &effects };
    let json = outputs.json.map_or(Ok(()), |json| json.json(&written));
    page.and(json).and(tell_faults(sources, &outcome))
}

/// The definitions that were named by their ids or by their kind; all, if none were.
fn wanted_cards(rules: &Ruleset, wanted: &str) -> Result<BTreeSet<u32>, Trouble> {
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
                Some(meant) => wrong(format!("`{word}` is neither a card nor a kind of cards; did you mean `{meant}`?")),
                None => wrong(format!("`{word}` is neither a card nor a kind of cards; `houserule list {} cards` lists them", rules.game)),
            };
        }
        found.extend(named);
    }
    Ok(found)
}

fn kind_name(rules: &Ruleset, kind: u16) -> &str {
    rules.names.text(rules.kinds[kind as usize].name)
}
