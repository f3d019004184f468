//! What is wrong with a run, in the words in which it was typed: first what can be judged without the game, then what needs its rules.

use super::{GameVersion, Learning, RunKind, RunSpec};
use crate::agent::AgentKind;
use crate::diagnostic::nearest;
use crate::engine::Ruleset;
use crate::playtest::compare::{MIN_PAIRS_TO_STOP, Measure, StoppingRule};

impl RunSpec {
    /// Checks what can be judged without the game.
    ///
    /// # Errors
    /// A one-sentence message.
    pub fn check(&self) -> Result<(), String> {
        let (games, part) = (self.run.games, self.part);
        let is_changed = !self.typed.changes.is_empty() || !matches!(self.kind, RunKind::Pairs | RunKind::Ladder(_));
        refuse(!is_changed, "nothing is changed; give the change by `--with`, `--against`, `--set`, `--deal` or `--since`")?;
        if let Some((_, width)) = &self.run.until {
            let is_width = width.parse().is_ok_and(|width: f64| width > 0.0 && width.is_finite());
            refuse(!is_width, "`--until` wants a number above 0, such as 0.3")?;
            let least = MIN_PAIRS_TO_STOP;
            refuse(games < least, format!("`--until` looks for the first time after {least} pairs; let -n be {least} or more"))?;
        }
        if let Some(Learning { trainings, .. }) = self.learning {
            refuse(
                u64::from(trainings) > games,
                format!("`--trainings {trainings}`: each has games of its own; let -n be {trainings} or more, or train less often"),
            )?;
            refuse(
                matches!(self.kind, RunKind::FalseAlarms(_)) && trainings < 2,
                "a single training shows nothing, so that it raises no false alarm: let --trainings be 2 or more",
            )?;
        }
        refuse(part.parts > games, format!("`--shard {}/{}`: {games} games cannot be parted so often", part.number, part.parts))
    }

    /// Checks that the game is in the version that a side is of, in which there are these games.
    ///
    /// # Errors
    /// A one-sentence message that names the games.
    pub fn check_version(&self, games: &[String]) -> Result<(), String> {
        let (game, since) = (&self.run.game, self.typed.version());
        let place = if *since == GameVersion::BuiltIn { "inside the program".to_string() } else { format!("in `{since}`") };
        let there_are = games.join(", ");
        refuse(!games.contains(game), format!("`--since {since}`: there is no game `{game}` {place}, but {there_are}"))
    }

    /// Checks that the rules of both sides of a comparison differ, or the cards that are in play from the start.
    ///
    /// # Errors
    /// A one-sentence message.
    pub fn check_difference(&self, plain: &Ruleset, changed: &Ruleset) -> Result<(), String> {
        let deal_alike = matches!(self.typed.sides.as_slice(), [plain, changed, ..] if plain.deal == changed.deal);
        refuse(plain.hash == changed.hash && deal_alike, "both sides have the same rules and options: there is nothing to compare")
    }

    /// Checks that agents can play so by all of these rules.
    ///
    /// # Errors
    /// A one-sentence message that names what the rules or the agents lack.
    pub fn check_players(&self, line_ups: &[Vec<AgentKind>], rules: &[&Ruleset]) -> Result<(), String> {
        let agents = || line_ups.iter().flatten();
        let (series, tournament) = (self.kind == RunKind::Series, self.kind == RunKind::Tournament);
        // Each game of a series has rules of its own, so that programs would have to be started anew for each.
        let programs_in_series = series && agents().any(|agent| matches!(agent, AgentKind::Exec { .. }));
        for rules in rules {
            agents().try_for_each(|agent| agent.check_rules(rules))?;
            refuse(
                series && rules.series.is_none(),
                "these rules declare no series of games; `houserule words series` says how, and a variant may have one",
            )?;
            refuse(
                programs_in_series,
                "programs of yours (`exec:`) cannot play series; let them play single games, with `--option` to begin further on",
            )?;
            refuse(tournament && rules.players < 2, "nobody meets anybody in a game of one player")?;
            refuse(
                tournament && rules.together.is_some(),
                "nobody meets anybody where all win or lose together; `houserule playtest --agents …` tells how many games each kind of players wins",
            )?;
        }
        Ok(())
    }

    /// Returns when a comparison by these rules ends.
    ///
    /// # Errors
    /// A message about the name of the measure.
    pub fn stopping_rule(&self, rules: &Ruleset) -> Result<StoppingRule, String> {
        let measured = |(name, width): &(String, String)| Ok::<_, String>((measure(name, rules)?, width.parse().unwrap_or_default()));
        Ok(StoppingRule { pairs: self.run.games, until: self.run.until.as_ref().map(measured).transpose()? })
    }
}

/// Refuses what is wrong with a message.
fn refuse(is_wrong: bool, message: impl Into<String>) -> Result<(), String> {
    if is_wrong { Err(message.into()) } else { Ok(()) }
}

/// Returns the measure of this name.
fn measure(name: &str, rules: &Ruleset) -> Result<Measure, String> {
    let mut known = Measure::always_defined(rules);
    if let Some(at) = known.iter().position(|measure| measure.to_string() == name) {
        return Ok(known.swap_remove(at));
    }
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let meant = nearest(name, names.iter().map(String::as_str)).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    Err(format!("nothing that is measured is called `{name}`{meant}\nthere are {}", names.join(", ")))
}
