//! `--target`: what is measured, and where it is wanted.

use super::objective::{Criterion, Wanted};
use crate::agent::AgentKind;
use crate::diagnostic::nearest;
use crate::engine::Ruleset;
use crate::playtest::compare::{Measure, ValueRange};

/// Distance of shares that is near enough, if none is named.
const NEAR_SHARE: f64 = 0.02;
/// The same of other measures, as a fraction of what is wanted.
const NEAR_PART: f64 = 0.02;
/// The same of measures that are wanted to be near 0.
const NEAR_LEAST: f64 = 0.05;

/// The targets that are several measures at once, with what they are.
const GROUPS: [(&str, &str); 3] = [
    ("seat shares", "the share of games that each seat or team wins"),
    ("card shares", "the share that each card wins with which some seats begin"),
    ("agent shares", "the share that each kind of player wins"),
];

/// A target.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// What is measured, as it was named.
    pub name: String,
    /// Where it is wanted, in words.
    pub wanted: String,
    /// Its measures.
    pub measures: Vec<Measure>,
    /// Where their means are wanted.
    pub criterion: Criterion,
}

/// What the names of targets may mean in a game.
#[derive(Clone, Debug)]
pub struct Measurable<'a> {
    /// Rules of the game.
    pub rules: &'a Ruleset,
    /// Agents by seat.
    pub agents: &'a [AgentKind],
    /// Cards with which some seats begin, each with the share that is even for it.
    pub beginnings: &'a [(String, f64)],
}

impl Target {
    /// Parses `NAME = VALUE`, `NAME = FROM..TO` or `NAME = even`, each with `+- DISTANCE` if another distance is near enough.
    ///
    /// # Errors
    /// A message that says what is wrong, and what could be meant.
    pub fn parse(text: &str, measurable: &Measurable<'_>) -> Result<Target, String> {
        let Some((name, value)) = text.split_once('=') else {
            return Err(format!("`{text}` is no target: write `NAME = VALUE`, such as `points = 40` or `seat shares = even`"));
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let (value, near) = match value.split_once("+-").or_else(|| value.split_once('±')) {
            Some((value, near)) => (value.trim(), Some(near.trim())),
            None => (value.trim(), None),
        };
        let measures = measurable.find(&name)?;
        let measure = &measures[0].0;
        let is_share = is_share(measure);
        let parts: Vec<Wanted> = match value {
            "even" => measures
                .iter()
                .map(|(measure, even)| even.map(Wanted::exactly).ok_or_else(|| not_even(measure)))
                .collect::<Result<_, _>>()?,
            _ => vec![parse_wanted(value, is_share).ok_or_else(|| refused(text, value, is_share))?; measures.len()],
        };
        let tolerance = match near {
            Some(near) => match parse_number(near, is_share) {
                Some(near) if near > 0.0 => near,
                Some(_) => return Err(format!("`{text}`: what is near enough lies more than 0 away, and `{near}` does not")),
                None => return Err(unreadable(text, near, is_share)),
            },
            None if is_share => NEAR_SHARE,
            None => parts.iter().map(|part| ((part.low.abs() + part.high.abs()) / 2.0 * NEAR_PART).max(NEAR_LEAST)).fold(0.0, f64::max),
        };
        let wanted = match (value, parts.as_slice()) {
            ("even", [first, others @ ..]) if others.iter().all(|other| other == first) => {
                format!("even: {} each", format_value(measure, first.low))
            }
            _ => value.to_string(),
        };
        let measures = measures.into_iter().map(|(measure, _)| measure).collect();
        Ok(Target { name, wanted, measures, criterion: Criterion { parts, tolerance } })
    }

    /// Formats a distance: of shares in points of a hundred.
    pub fn format_distance(&self, distance: f64) -> String {
        if self.measures.first().is_some_and(is_share) { format!("{:.1}", 100.0 * distance) } else { format!("{distance:.2}") }
    }

    /// Returns the unit of its distances, for people.
    pub fn unit(&self) -> &'static str {
        if self.measures.first().is_some_and(is_share) { "points of 100" } else { "" }
    }
}

impl Measurable<'_> {
    /// Returns the measures that a name means, each with the share that is even for it, if one is.
    fn find(&self, name: &str) -> Result<Vec<(Measure, Option<f64>)>, String> {
        let Measurable { rules, beginnings, .. } = self;
        let alone = rules.players < 2 || rules.together.is_some();
        let found: Vec<(Measure, Option<f64>)> = match name {
            "seat shares" | "card shares" | "agent shares" if alone => {
                return Err(format!(
                    "`{name}`: nobody wins against another here; `points` or, where all win together, `games won` is measured"
                ));
            }
            "seat shares" => {
                let of_one: fn(usize) -> Measure = if rules.has_teams() { Measure::WonByTeam } else { Measure::WonBy };
                (1..=rules.side_count()).map(|side| (of_one(side), Some(1.0 / rules.side_count() as f64))).collect()
            }
            "card shares" => beginnings.iter().map(|(card, even)| (Measure::WonWith(card.clone()), Some(*even))).collect(),
            "agent shares" => self.shares_of_agents(),
            _ => Vec::new(),
        };
        match name {
            "card shares" if found.is_empty() => return Err("`card shares`: all seats begin with the same cards".to_string()),
            "agent shares" if found.is_empty() => {
                return Err("`agent shares`: all players are of one kind; name several, such as `--agents greedy,random`".to_string());
            }
            _ if !found.is_empty() => return Ok(found),
            _ => {}
        }
        let even = |measure: &Measure| {
            let known = beginnings.iter().map(|(card, even)| (Measure::WonWith(card.clone()), Some(*even)));
            known.chain(self.shares_of_agents()).find(|(known, _)| known == measure).and_then(|(_, even)| even)
        };
        let mut known = Measure::always_defined(rules);
        known.extend(beginnings.iter().map(|(card, _)| Measure::WonWith(card.clone())));
        known.extend(self.shares_of_agents().into_iter().map(|(measure, _)| measure));
        let action = known.iter().position(|measure| measure.to_string() == name);
        if let Some(at) = action {
            let measure = known.swap_remove(at);
            let even = match measure {
                Measure::WonBy(_) | Measure::WonByTeam(_) => Some(1.0 / rules.side_count().max(1) as f64),
                _ => even(&measure),
            };
            return Ok(vec![(measure, even)]);
        }
        let groups = GROUPS.iter().map(|(group, _)| (*group).to_string()).filter(|_| !alone);
        let names: Vec<String> = groups.chain(known.iter().map(ToString::to_string)).collect();
        let meant = nearest(name, names.iter().map(String::as_str)).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        Err(format!("nothing that is measured is called `{name}`{meant}\nthere are {}", names.join(", ")))
    }

    /// Returns the shares of kinds of players, if there are several kinds.
    fn shares_of_agents(&self) -> Vec<(Measure, Option<f64>)> {
        let mut found: Vec<(Measure, Option<f64>)> = Vec::new();
        for agent in self.agents.iter().filter(|agent| **agent != self.agents[0]).chain(self.agents.first()) {
            let measure = Measure::WonByKind(agent.to_string());
            if found.iter().all(|(known, _)| *known != measure) {
                let seats = self.agents.iter().filter(|other| *other == agent).count();
                found.push((measure, Some(seats as f64 / self.agents.len() as f64)));
            }
        }
        if found.len() > 1 { found } else { Vec::new() }
    }
}

/// Whether the values of a measure are shares.
pub(super) fn is_share(measure: &Measure) -> bool {
    measure.scale(1) == ValueRange::Share || *measure == Measure::Commonest
}

/// Formats a mean of a measure.
pub(super) fn format_value(measure: &Measure, value: f64) -> String {
    if is_share(measure) { format!("{:.1}%", 100.0 * value) } else { format!("{value:.2}") }
}

fn parse_wanted(text: &str, share: bool) -> Option<Wanted> {
    match text.split_once("..") {
        Some((low, high)) => {
            let (low, high) = (parse_number(low.trim(), share)?, parse_number(high.trim(), share)?);
            (low <= high).then_some(Wanted { low, high })
        }
        None => parse_number(text, share).map(Wanted::exactly),
    }
}

/// Parses a number; a share is between 0 and 1, or has a percent sign.
fn parse_number(text: &str, share: bool) -> Option<f64> {
    let (number, percent) = match text.strip_suffix('%') {
        Some(number) => (number.trim(), true),
        None => (text, false),
    };
    let number = number.parse().ok().filter(|number: &f64| number.is_finite())?;
    match (share, percent) {
        (true, _) => Some(if percent { number / 100.0 } else { number }).filter(|number| (0.0..=1.0).contains(number)),
        (false, true) => None,
        (false, false) => Some(number),
    }
}

/// Says why a wanted value cannot be.
fn refused(text: &str, value: &str, share: bool) -> String {
    let ends = value.split_once("..").and_then(|(low, high)| parse_number(low.trim(), share).zip(parse_number(high.trim(), share)));
    match ends {
        Some((low, high)) if low > high => format!("`{text}`: the range `{value}` ends below its beginning; turn it round"),
        _ => unreadable(text, value, share),
    }
}

fn unreadable(text: &str, value: &str, share: bool) -> String {
    let wanted =
        if share { "a share, such as `40%`, `30%..40%` or `even`" } else { "a number, such as `40`, or a range, such as `35..45`" };
    format!("`{text}`: `{value}` is not {wanted}")
}

fn not_even(measure: &Measure) -> String {
    format!("`{measure} = even`: only shares of those who play against each other can be even; write a number")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::parse_agents;
    use crate::playtest::toy::toy;

    #[test]
    fn targets_as_they_are_written() {
        let (rules, agents) = (toy(3), parse_agents("greedy,random,random", 3).unwrap());
        let beginnings = [("wolf".to_string(), 1.0 / 3.0)];
        let measurable = Measurable { rules: &rules, agents: &agents, beginnings: &beginnings };
        let parse = |text: &str| Target::parse(text, &measurable);
        let even = parse("seat shares = even").unwrap();
        assert_eq!(even.measures, [1, 2, 3].map(Measure::WonBy));
        assert_eq!((even.criterion.parts[1], even.criterion.tolerance), (Wanted::exactly(1.0 / 3.0), NEAR_SHARE));
        assert_eq!(even.wanted, "even: 33.3% each");
        let points = parse(" points  = 30..36 +- 1.5").unwrap();
        assert_eq!(
            (points.measures, points.criterion.parts[0], points.criterion.tolerance),
            (vec![Measure::Points], Wanted { low: 30.0, high: 36.0 }, 1.5)
        );
        assert_eq!(parse("points = 40").unwrap().criterion.tolerance, 0.8);
        assert_eq!(parse("games won by p1 = 40%").unwrap().criterion.parts, [Wanted::exactly(0.4)]);
        assert_eq!(
            parse("games won by p1 = even ± 1%").unwrap().criterion,
            Criterion { parts: vec![Wanted::exactly(1.0 / 3.0)], tolerance: 0.01 }
        );
        let agents = parse("agent shares = even").unwrap();
        assert_eq!(agents.criterion.parts, [Wanted::exactly(2.0 / 3.0), Wanted::exactly(1.0 / 3.0)]);
        assert_eq!(agents.measures[1], Measure::WonByKind("greedy".to_string()));
        assert_eq!(parse("games won by who begins with wolf = even").unwrap().criterion.parts, [Wanted::exactly(1.0 / 3.0)]);
    }

    #[test]
    fn what_is_wrong_with_a_target() {
        let (rules, agents) = (toy(2), parse_agents("greedy", 2).unwrap());
        let measurable = Measurable { rules: &rules, agents: &agents, beginnings: &[] };
        for (text, said) in [
            ("points", "`points` is no target"),
            ("pionts = 4", "did you mean `points`?"),
            ("seat share = even", "did you mean `seat shares`?"),
            ("points = many", "`many` is not a number"),
            ("points = 9..3", "the range `9..3` ends below its beginning"),
            ("points = 40%", "`40%` is not a number"),
            ("points = even", "only shares"),
            ("games won by p1 = 40", "`40` is not a share"),
            ("games won by p1 = 145%", "`145%` is not a share"),
            ("games won by p1 = 40% +- 145%", "`145%` is not a share"),
            ("points = 40 +- 0", "more than 0 away, and `0` does not"),
            ("card shares = even", "all seats begin with the same cards"),
            ("agent shares = even", "all players are of one kind"),
        ] {
            let found = Target::parse(text, &measurable).unwrap_err();
            assert!(found.contains(said), "{text}: {found}");
        }
    }
}
