//! Exports a position as a scenario: the start of the game, the answers that led to the position, and what holds there.

use crate::agent::seat_name;
use crate::engine::Ruleset;
use crate::engine::ruleset::VariableSort;

use super::replay::{Start, quote_toml, quoted_list};
use super::session::Session;

/// Returns the text of a file with one scenario that reproduces the current state of a session, for `houserule test`.
///
/// # Errors
/// Why the position cannot be expressed as a scenario.
pub fn scenario_of(start: &Start, session: &mut Session, name: &str) -> Result<String, String> {
    if !start.deal.is_empty() {
        return Err("scenarios cannot deal cards from the start, as --deal does; a card can be put into a position by `given`".to_string());
    }
    if !session.skipped().is_empty() || session.answers().iter().any(|step| !step.skipped.is_empty()) {
        return Err("scripts that failed were left out on the way, which a scenario cannot say".to_string());
    }
    let mut out = format!("game    = {}\nplayers = {}\n", quote_toml(&start.game), start.players);
    // Numbers in scenarios are signed, so that the seed is written with the same bits as a signed number.
    out.push_str(&format!("seed    = {}\n", start.seed.cast_signed()));
    if !start.options.is_empty() {
        out.push_str(&format!("options = {{ {} }}\n", options_of(&start.options).join(", ")));
    }
    if !start.with.is_empty() {
        out.push_str(&format!("with    = {}\n", quoted_list(start.with.iter().map(String::as_str))));
    }
    if !start.packs.is_empty() {
        let packs: Vec<String> = start.packs.iter().map(|pack| pack.display().to_string()).collect();
        out.push_str(&format!("packs   = {}\n", quoted_list(packs.iter().map(String::as_str))));
    }
    let (given, first) = match &start.from {
        None => ("from the beginning".to_string(), String::new()),
        Some(from) => (from.given.text.trim_end().to_string(), from.when.text.trim_end().to_string()),
    };
    let answers = session.answers().iter().map(|step| format!("{}: {}\n", seat_name(step.seat), step.key));
    let first = if first.is_empty() { first } else { format!("{first}\n") };
    let when = format!("{first}{}run to next decision\n", answers.collect::<String>());
    let holds = assertions(session);
    out.push_str(&format!("\n[[scenario]]\nname  = {}\ngiven = '''\n{given}\n'''\n", quote_toml(name)));
    out.push_str(&format!("when  = '''\n{when}'''\n"));
    out.push_str(&format!("then  = '''\n{}'''\n", holds));
    Ok(out)
}

/// Writes options in the format of scenarios: options of single seats are grouped in one table.
fn options_of(typed: &[String]) -> Vec<String> {
    let typed = || typed.iter().filter_map(|option| option.split_once('=')).map(|(name, value)| (name.trim(), value.trim()));
    let of_table = typed().filter(|(name, _)| !name.contains('@'));
    let mut written: Vec<String> =
        of_table.map(|(name, value)| format!("{name} = {}", quoted_list(value.split(',').map(str::trim)))).collect();
    let mut of_seats: Vec<(&str, Vec<String>)> = Vec::new();
    for (name, seat, value) in typed().filter_map(|(name, value)| name.split_once('@').map(|(name, seat)| (name, seat, value))) {
        let chosen = format!("{seat} = {}", quote_toml(value));
        match of_seats.iter_mut().find(|option| option.0 == name) {
            Some(option) => option.1.push(chosen),
            None => of_seats.push((name, vec![chosen])),
        }
    }
    written.extend(of_seats.into_iter().map(|(name, chosen)| format!("{name} = {{ {} }}", chosen.join(", "))));
    written
}

/// Writes assertions about the current state: the options offered or the winners, and everybody's resources.
fn assertions(session: &mut Session) -> String {
    let (rules, game, _) = session.rules_game_and_scripts();
    let rules: &Ruleset = rules;
    let mut lines = String::new();
    let cut_off = game.finished() && game.store(rules).was_cut_off();
    match game.decision() {
        Some(open) => {
            let seat = seat_name(open.seat);
            open.options.iter().take(3).for_each(|option| lines.push_str(&format!("{seat} is offered {}\n", option.text(rules))));
        }
        None if cut_off => lines.push_str("not game is over\n"),
        None => {
            let winners: Vec<String> = game.store(rules).winners().into_iter().map(seat_name).collect();
            let winners = if winners.is_empty() { "nobody".to_string() } else { winners.join(", ") };
            lines.push_str(&format!("game is over\nwinner is {winners}\n"));
        }
    }
    for seat in 0..rules.players {
        for resource in rules.seat.iter().filter(|variable| variable.sort == VariableSort::Resource) {
            let value = game.position(rules).value_of(seat, &resource.name).unwrap_or(0);
            lines.push_str(&format!("{}.{} == {value}\n", seat_name(seat), resource.name));
        }
    }
    lines
}
