//! What questions are answered with, as far as it is counted.

use serde::{Deserialize, Serialize};

use crate::engine::Ruleset;
use crate::engine::decision::{Act, Decision, Opt, Question};
use crate::engine::ruleset::NameId;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Asked {
    /// The rules: the question.
    Rules(u32),
    /// A card: its definition.
    Card(u32),
}

/// What a question is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Answered {
    /// A number, such as a bid.
    Number(i32),
    /// A word.
    Word(NameId),
    /// A card, whichever.
    Card,
    /// A token, whichever.
    Token,
    /// Nothing, though there was something.
    Nothing,
}

impl Asked {
    /// Who asks what is open; actions of turns and payments are counted otherwise.
    pub fn of(decision: &Decision) -> Option<Asked> {
        match decision.question {
            Question::Rules(question) => Some(Asked::Rules(question)),
            Question::Card(definition) => Some(Asked::Card(definition)),
            Question::Turn(_) | Question::Cover | Question::Payment => None,
        }
    }

    /// The question's id.
    pub fn text(self, rules: &Ruleset) -> String {
        match self {
            Asked::Rules(question) => Question::Rules(question).text(rules),
            Asked::Card(definition) => Question::Card(definition).text(rules),
        }
    }

    /// The card that asks.
    pub fn card(self, rules: &Ruleset) -> Option<String> {
        match self {
            Asked::Rules(_) => None,
            Asked::Card(definition) => Some(rules.names.text(rules.definitions[definition as usize].id).to_string()),
        }
    }
}

impl Answered {
    /// What an option answers; the end of a series of picks is no answer of its own.
    pub fn of(option: &Opt) -> Option<Answered> {
        match option.act {
            Act::Word(word) | Act::Bare(word) => Some(Answered::Word(word)),
            Act::Number(number) => Some(Answered::Number(number)),
            Act::Card(_) => Some(Answered::Card),
            Act::Token(..) => Some(Answered::Token),
            Act::Nothing => Some(Answered::Nothing),
            Act::Action(..) | Act::Done => None,
        }
    }

    /// The answer in words.
    pub fn text(self, rules: &Ruleset) -> String {
        match self {
            Answered::Number(number) => number.to_string(),
            Answered::Word(word) => rules.names.text(word).to_string(),
            Answered::Card => "a card".to_string(),
            Answered::Token => "a token".to_string(),
            Answered::Nothing => "nothing".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::agent::parse_agents;
    use crate::engine::{Call, Machine, Scripts, Stop};
    use crate::playtest::toy::toy_with;
    use crate::playtest::{Notes, Plan, report, run};
    use crate::source::Sources;

    /// Scripts that do nothing.
    struct Silent;

    impl Scripts for Silent {
        fn run(&mut self, _: &mut Machine<'_>, _: &Call) -> Result<(), Stop> {
            Ok(())
        }
    }

    #[test]
    fn answers_to_cards_are_counted_and_nothing_is_one() {
        let entry = "[[card.on]]\nwhen = \"this.howl\"\nask = \"may one of wisp, each card in my den\"\ndo = \"1\"\n";
        let rules = toy_with(2, "2", entry);
        let agents = parse_agents("random", 2).unwrap();
        let plan = Plan { rules: &rules, agents: &agents, games: 100, seed: 1, threads: 2, notes: Notes::default() };
        let outcome = run(&plan, &|| Ok(Box::new(Silent)), &AtomicBool::new(false), &mut ()).unwrap();
        let found = report(&plan, &outcome, &Sources::new(), Vec::new());
        let of_card: Vec<_> = found.answers.iter().filter(|answer| answer.card.is_some()).collect();
        let asked = |answer: &&&crate::playtest::AnswerCount| {
            (answer.question.as_str(), answer.card.as_deref()) == ("grey_wolf.answer", Some("grey_wolf"))
        };
        assert_eq!(of_card.iter().filter(asked).count(), 3, "{of_card:?}");
        let mut answers: Vec<&str> = of_card.iter().map(|answer| answer.answer.as_str()).collect();
        answers.sort_unstable();
        assert_eq!(answers, ["a card", "nothing", "wisp"]);
        // Each of them a good part of the games in which the wolf is fetched.
        let fetched = found.cards.iter().find(|card| card.card == "grey_wolf").unwrap().times as f64;
        let given: f64 = of_card.iter().map(|answer| answer.per_game * 100.0).sum();
        assert!((given - fetched).abs() < 1e-9 && of_card.iter().all(|answer| answer.per_game > 0.1), "{given} of {fetched}: {of_card:?}");
    }
}
