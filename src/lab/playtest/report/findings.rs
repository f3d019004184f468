//! What a run of games comes to.

use std::collections::BTreeMap;

use super::super::compare::{false_discoveries, selection_alpha};
use super::super::findings::{Candidate, Conclusion, Finding, Likewise, enumerated, nearer_end, size_in_words};
use super::super::merge::Merge;
use super::super::page_names::PageNames;
use super::super::precision::about;
use super::super::stats::{ALPHA, Mean, Share, SumsByGame, cohens_h, normal, standard_error, student, two_sided, wilson_at};
use super::{DeadCard, Report};
use crate::pack::Translations;

/// Number of players or games below which nothing is tested.
const FEWEST: f64 = 20.0;

/// Number of dead cards that a finding names.
const MOST_NAMES: usize = 6;

/// A value that is compared with what it would be if nothing mattered.
enum Evidence {
    /// A share of games, of this effective number, and the even share.
    Share { share: f64, games: f64, even: f64 },
    /// A mean with the deviation between players, its standard error over so many games, and the mean of all.
    Points { mean: f64, deviation: f64, error: f64, games: f64, all: f64 },
}

impl Evidence {
    /// A share of whose trials this fraction is independent.
    fn share(share: &Share, independent: f64, even: f64) -> Evidence {
        Evidence::Share { share: share.share, games: share.trials as f64 * independent, even }
    }

    /// The points of a group. Players of one game are not independent: those who win together have about the same points.
    fn points(of_group: &SumsByGame, all: f64) -> Evidence {
        let (Mean { mean, deviation, .. }, games) = (of_group.mean(), of_group.games.count as f64);
        let (variance, unit) = of_group.variance_and_unit();
        let error = standard_error(variance, games, unit).unwrap_or(f64::INFINITY);
        Evidence::Points { mean, deviation: deviation.unwrap_or(0.0), error, games, all }
    }

    fn count(&self) -> f64 {
        match self {
            Evidence::Share { games, .. } | Evidence::Points { games, .. } => *games,
        }
    }

    /// Returns the p-value of the difference: by the score test, which agrees with Wilson's interval, or by Student's.
    fn p(&self) -> f64 {
        match self {
            Evidence::Share { share, games, even } => {
                let z = (share - even) / (even * (1.0 - even) / games).sqrt();
                two_sided(z, f64::INFINITY)
            }
            Evidence::Points { mean, error, games, all, .. } => two_sided((mean - all) / error, games - 1.0),
        }
    }

    fn effect(&self) -> f64 {
        match self {
            Evidence::Share { share, even, .. } => cohens_h(*share, *even),
            Evidence::Points { mean, deviation, all, .. } => (mean - all) / deviation,
        }
    }

    fn interval(&self, alpha: f64) -> [f64; 2] {
        match self {
            Evidence::Share { share, games, .. } => wilson_at(*share, *games, normal(alpha)),
            Evidence::Points { mean, error, games, .. } => {
                let half = student(games - 1.0, alpha) * error;
                [mean - half, mean + half]
            }
        }
    }

    /// Returns the end of the effect's interval that is nearer to no effect.
    fn certain(&self, alpha: f64) -> f64 {
        let interval = self.interval(alpha);
        nearer_end(match self {
            Evidence::Share { even, .. } => interval.map(|end| cohens_h(end, *even)),
            Evidence::Points { deviation, all, .. } => interval.map(|end| (end - all) / deviation),
        })
    }

    /// Says what the group does, with its interval, and what it is compared with.
    fn text(&self, alpha: f64) -> String {
        let [low, high] = self.interval(alpha);
        match self {
            Evidence::Share { share, even, .. } => {
                let (times, [share, even, low, high]) = (share / even, [*share, *even, low, high].map(|share| share * 100.0));
                format!("wins {share:.1}% of the games, {times:.1} times the even share of {even:.1}% (95% {low:.1} to {high:.1})")
            }
            Evidence::Points { mean, all, .. } => {
                let (size, effect) = (size_in_words(self.effect()), self.effect());
                format!(
                    "has {mean:.2} points, where all have {all:.2} (95% {low:.2} to {high:.2}): {size}, {effect:+.2} standard deviations"
                )
            }
        }
    }
}

/// What is tested.
struct Tested {
    group: &'static str,
    /// Its name in the data.
    about: String,
    /// Whom it is about, as the beginning of a sentence.
    who: String,
    /// Whoever is in the same words what others are, for one sentence about all: what they do, and the name of this one.
    one_of: Option<(String, String)>,
    /// What else it may come of, of who wins more and of who wins less.
    caveats: [&'static str; 2],
    evidence: Evidence,
}

impl Tested {
    fn likewise(&self) -> Option<Likewise> {
        let (kind, name) = self.one_of.as_ref()?;
        let direction = if self.evidence.effect() > 0.0 { "more" } else { "less" };
        let short = match self.evidence {
            Evidence::Share { share, .. } => format!("{name} ({:.1}%)", share * 100.0),
            Evidence::Points { mean, .. } => format!("{name} ({mean:.2})"),
        };
        Some(Likewise { kind: format!("{kind} {direction}"), short })
    }
}

/// Names for people: translated, or as the rules have them.
struct Named<'a> {
    names: &'a Translations,
    cards: &'a BTreeMap<&'a str, &'a str>,
}

impl Named<'_> {
    fn card(&self, id: &str) -> String {
        self.cards.get(id).map_or_else(|| id.replace('_', " "), |name| (*name).to_string())
    }
}

/// Concludes from seats, players, cards and strategies: each tested against an even share of the games, all together.
pub(crate) fn of_report(report: &Report, called: Option<PageNames<'_>>) -> Conclusion {
    if report.games == 0 {
        return Conclusion::default();
    }
    let (printed, no_cards) = (Translations::default(), BTreeMap::new());
    let named = called.map_or(Named { names: &printed, cards: &no_cards }, |PageNames { names, cards }| Named { names, cards });
    let mut tested: Vec<Tested> =
        of_seats(report).into_iter().chain(of_cards(report, &named)).chain(of_strategies(report, &named)).collect();
    tested.retain(|tested| tested.evidence.count() >= FEWEST && tested.evidence.effect().is_finite());
    let q = false_discoveries(&tested.iter().map(|tested| tested.evidence.p()).collect::<Vec<_>>());
    let shown: Vec<&Tested> = tested.iter().zip(q).filter(|(_, q)| *q <= ALPHA).map(|(tested, _)| tested).collect();
    let alpha = selection_alpha(shown.len(), tested.len());
    let candidates = shown.iter().map(|tested| {
        let (effect, certain) = (tested.evidence.effect(), tested.evidence.certain(alpha));
        let text = format!("{} {}{}", tested.who, tested.evidence.text(alpha), tested.caveats[usize::from(effect < 0.0)]);
        let finding = Finding { about: tested.about.clone(), text, effect, certain };
        Candidate { group: tested.group, likewise: tested.likewise(), finding }
    });
    let candidates: Vec<Candidate> = candidates.chain(of_dead_cards(&report.dead, &named)).collect();
    Conclusion::new(candidates, tested.len(), || nothing(report, tested.len()))
}

/// Returns the share of the distinct games in all.
fn distinct(report: &Report) -> f64 {
    report.distinct as f64 / report.games.max(1) as f64
}

/// Returns the share of players with results of their own: partners win as one, and of each side there is one result.
fn of_sides(report: &Report) -> f64 {
    if report.by_team.is_empty() { 1.0 } else { report.by_team.len() as f64 / report.players.max(1) as f64 }
}

/// Returns the share of the games that each side wins if nothing matters; `None` if nobody wins against others.
fn even_share(report: &Report) -> Option<f64> {
    let sides = if report.by_team.is_empty() { report.players } else { report.by_team.len() };
    (report.won.is_none() && sides > 1).then(|| 1.0 / sides as f64)
}

/// Tests seats, or teams, or kinds of players if there are several: these have seats of their own, so that seat and player go together.
fn of_seats(report: &Report) -> Vec<Tested> {
    let Some(even) = even_share(report) else { return Vec::new() };
    let test = |group, who: String, won: &Share, even: f64| Tested {
        group,
        about: format!("games won by {who}"),
        who,
        one_of: None,
        caveats: [""; 2],
        evidence: Evidence::share(won, distinct(report), even),
    };
    if report.by_agent.len() > 1 {
        // Partners win as one.
        let sides = |seats: usize| seats as f64 / report.players.max(1) as f64;
        return report.by_agent.iter().map(|by| test("players", by.agent.clone(), &by.won, sides(by.seats))).collect();
    }
    if report.by_team.is_empty() {
        report.by_seat.iter().map(|by| test("seats", format!("p{}", by.seat), &by.won, even)).collect()
    } else {
        report.by_team.iter().map(|team| test("seats", team.name(), &team.won, even)).collect()
    }
}

/// Tests who begins with a card, and who takes one.
fn of_cards(report: &Report, named: &Named<'_>) -> Vec<Tested> {
    let Some(even) = even_share(report) else { return Vec::new() };
    let independent = distinct(report) * of_sides(report);
    let begun = report.begun.iter().map(|begun| Tested {
        group: "cards with which one begins",
        about: format!("games won by who begins with {}", begun.card),
        who: format!("who begins with {}", named.card(&begun.card)),
        one_of: Some(("begin".to_string(), named.card(&begun.card))),
        caveats: [""; 2],
        evidence: Evidence::share(&begun.won, independent, even),
    });
    // What players of several kinds take goes along with who they are.
    let alike = report.by_agent.len() == 1;
    let taken = report.cards.iter().filter(|_| alike).map(|card| Tested {
        group: "cards",
        about: format!("games won by who chose {} {}", card.action, card.card),
        who: format!("who chooses “{}” with {}", named.names.translate_word(&card.action), named.card(&card.card)),
        one_of: Some((card.action.clone(), named.card(&card.card))),
        caveats: [
            "; it may be the card, or that whoever is ahead takes it more often",
            "; it may be the card, or that whoever is behind takes it more often",
        ],
        evidence: Evidence::share(&card.won, independent, even),
    });
    begun.chain(taken).collect()
}

/// Tests groups of players who did alike: by their wins, or by their points where nobody wins against others. What players of several kinds
/// do goes along with who they are.
fn of_strategies(report: &Report, named: &Named<'_>) -> Vec<Tested> {
    if report.by_agent.len() != 1 {
        return Vec::new();
    }
    let mut all = SumsByGame::default();
    report.strategies.groups.iter().for_each(|group| all.merge(&group.sums));
    let Mean { mean: all, .. } = all.mean();
    let of_group = |group: &super::super::strategies::Strategy| {
        let name = group.name(named.names);
        let evidence = match (&group.won, even_share(report)) {
            (Some(won), Some(even)) => Evidence::share(won, of_sides(report), even),
            _ => Evidence::points(&group.sums, all),
        };
        let (about, who) = (format!("strategy: {name}"), format!("who plays {name}"));
        Tested { group: "strategies", about, who, one_of: None, caveats: ["; it need not come of that"; 2], evidence }
    };
    report.strategies.groups.iter().map(of_group).collect()
}

/// Says how many cards are dead, with the effect of the clearest one.
fn of_dead_cards(dead: &[DeadCard], named: &Named<'_>) -> Option<Candidate> {
    let dead: Vec<_> = dead.iter().filter(|dead| !dead.taken_otherwise).collect();
    let clearest = dead.iter().min_by(|a, b| a.certain().total_cmp(&b.certain()))?;
    // A card may be dead by several actions.
    let mut cards: Vec<&str> = Vec::new();
    dead.iter().map(|dead| dead.card.as_str()).for_each(|card| cards.extend((!cards.contains(&card)).then_some(card)));
    // The clearest first, as many as can be read.
    let first = std::iter::once(clearest.card.as_str());
    let names: Vec<String> =
        first.chain(cards.iter().copied().filter(|card| *card != clearest.card)).take(MOST_NAMES).map(|card| named.card(card)).collect();
    let names = match cards.len().saturating_sub(MOST_NAMES) {
        0 => enumerated(&names, "or"),
        more => format!("{} or {more} more", names.join(", ")),
    };
    let text = format!(
        "hardly anybody takes {names}: {} of {} who could have taken {}, at most {:.1}% for certain, where {:.1}% is usual for a card; players \
         like these may not see what it is good for",
        clearest.taken,
        clearest.offered,
        named.card(&clearest.card),
        clearest.at_most_of_all * 100.0,
        clearest.usual * 100.0
    );
    let about = format!("dead cards: {}", cards.join(", "));
    let finding = Finding { about, text, effect: clearest.effect(), certain: clearest.certain() };
    Some(Candidate { group: "dead cards", likewise: None, finding })
}

/// Says that nothing is shown, and what would be.
fn nothing(report: &Report, tested: usize) -> String {
    let mut text = if tested > 0 {
        format!("nothing is shown: of {tested} seats, cards and strategies none is off an even share for certain")
    } else if even_share(report).is_none() {
        "nothing is shown: nobody wins against others, and there are no strategies to be compared".to_string()
    } else {
        "nothing is shown: the games are too few to test anything".to_string()
    };
    let need = report.needed.iter().find(|need| need.measure == "games won").or(report.needed.first());
    if let Some(need) = need {
        let size = if need.measure == "points" { "one point of a player" } else { "one percentage point of games won" };
        text += &format!("; a difference of {size} would be shown by about {} games, in four of five such runs", about(need.games.effect));
        if let Some(points) = report.needed.iter().find(|points| points.measure == "points" && need.measure != "points") {
            text += &format!(", one of a point by about {}", about(points.games.effect));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::super::sides::ByTeam;
    use super::super::super::stats::wilson;
    use super::super::super::strategies::Strategy;
    use super::super::super::tally::RunTally;
    use super::super::{InitialCard, report};
    use super::*;
    use crate::agent::parse_agents;
    use crate::playtest::toy::toy;
    use crate::playtest::{RecordOptions, RunOutcome, RunPlan};
    use crate::source::Sources;

    /// A report of 400 games without repetition, by these agents, with a card and a strategy that win six of ten.
    fn with_findings(agents: &str) -> Report {
        let (rules, agents) = (toy(2), parse_agents(agents, 2).unwrap());
        let plan = RunPlan { rules: &rules, agents: &agents, games: 400, seed: 1, threads: 1, notes: RecordOptions::default() };
        let mut report =
            report(&plan, &RunOutcome { tally: RunTally::new(&rules), ..RunOutcome::default() }, &Sources::default(), Vec::new());
        let won = wilson(240, 400, 1.0);
        (report.games, report.distinct) = (400, 400);
        report.begun = vec![InitialCard { card: "wall".to_string(), place: "hand".to_string(), won, points: Mean::default() }];
        let (players, points, sums) = (wilson(400, 800, 1.0), Mean::default(), SumsByGame::default());
        report.strategies.groups = vec![Strategy { marks: Vec::new(), players, won: Some(won), points, sums }];
        report
    }

    #[test]
    fn partners_are_one_trial() {
        let names = Translations::default();
        let named = Named { names: &names, cards: &BTreeMap::new() };
        let counts = |report: &Report| {
            let tested = of_cards(report, &named).into_iter().chain(of_strategies(report, &named));
            tested.map(|tested| tested.evidence.count()).collect::<Vec<_>>()
        };
        let mut report = with_findings("random");
        assert_eq!(counts(&report), [400.0, 400.0]);
        let team = |team| {
            let (seats, agents) = (vec![team, team + 2], vec!["random".to_string(); 2]);
            ByTeam { team, seats, agents, points: Mean::default(), won: wilson(200, 400, 1.0) }
        };
        (report.players, report.by_team) = (4, vec![team(1), team(2)]);
        assert_eq!(counts(&report), [200.0, 200.0]);
    }

    #[test]
    fn what_players_of_several_kinds_do_is_not_tested() {
        let names = Translations::default();
        let named = Named { names: &names, cards: &BTreeMap::new() };
        assert_eq!(of_strategies(&with_findings("random"), &named).len(), 1);
        assert_eq!(of_strategies(&with_findings("greedy,random"), &named).len(), 0);
    }

    #[test]
    fn a_share_is_tested_as_its_interval_says() {
        // 60 of 100 against a half: z is 2, and p 0.0455.
        let sixty = Evidence::Share { share: 0.6, games: 100.0, even: 0.5 };
        assert!((sixty.p() - 0.0455).abs() < 1e-4, "{}", sixty.p());
        assert!(sixty.certain(0.05) > 0.0 && sixty.certain(0.0456) > 0.0 && sixty.certain(0.0454) == 0.0);
        // 2 · asin(√0.6) is 1.7722, and π / 2 for a half.
        assert!((sixty.effect() - 0.2014).abs() < 1e-4);
        assert_eq!(sixty.text(0.05), "wins 60.0% of the games, 1.2 times the even share of 50.0% (95% 50.2 to 69.1)");
    }

    #[test]
    fn a_card_that_is_dead_by_two_actions_is_one_card() {
        let dead = |card: &str, action: &str, at_most_of_all| DeadCard {
            card: card.to_string(),
            action: action.to_string(),
            offered: 200,
            taken: 0,
            at_most: 0.02,
            at_most_of_all,
            usual: 0.4,
            taken_otherwise: false,
        };
        let (names, cards) = (Translations::default(), BTreeMap::new());
        let found = |dead: &[DeadCard]| of_dead_cards(dead, &Named { names: &names, cards: &cards }).unwrap().finding;
        let (wolf, wall) = ([dead("red_wolf", "take", 0.02), dead("red_wolf", "keep", 0.03)], dead("wall", "take", 0.04));
        let alone = found(&wolf);
        assert!(
            alone.text.starts_with("hardly anybody takes red wolf: 0 of 200 who could have taken red wolf")
                && alone.about == "dead cards: red_wolf",
            "{alone:?}"
        );
        let two = found(&[&wolf[..], &[wall]].concat());
        assert!(two.text.contains("takes red wolf or wall: 0 of") && two.about == "dead cards: red_wolf, wall", "{two:?}");
    }

    #[test]
    fn points_are_tested_by_student() {
        // Three standard errors with 24 degrees of freedom: p is 0.0062.
        let points = Evidence::Points { mean: 13.0, deviation: 5.0, error: 1.0, games: 25.0, all: 10.0 };
        assert!((points.p() - 0.0062).abs() < 1e-4 && (points.effect() - 0.6).abs() < 1e-12, "{}", points.p());
        // 2.0639 standard errors of the three.
        assert!((points.certain(0.05) - (3.0 - 2.0639) / 5.0).abs() < 1e-4);
    }

    #[test]
    fn players_who_have_the_same_points_are_no_more_evidence_than_one_of_them() {
        let of = |players: usize| {
            let mut sums = SumsByGame::default();
            (0..400).for_each(|game| sums.add(std::iter::repeat_n(100 + 10 * (game % 7), players)));
            Evidence::points(&sums, 128.0)
        };
        let (one, four) = (of(1), of(4));
        assert_eq!((one.count(), four.count()), (400.0, 400.0));
        assert!((one.p() - four.p()).abs() < 0.002 && one.p() > 0.02, "{} and {}", one.p(), four.p());
    }
}
