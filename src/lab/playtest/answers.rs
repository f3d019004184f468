//! Counts the answers to questions.

use serde::{Deserialize, Serialize};

use crate::engine::Ruleset;
use crate::engine::decision::{Act, Decision, Opt, Question};
use crate::engine::ruleset::{Domain, NameId};

/// Who asks a question: the rules or a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum QuestionOrigin {
    /// A question of the rules, by id.
    Rules(u32),
    /// A question of a card, by its definition.
    Card(u32),
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AnswerKind {
    /// A number, such as a bid.
    Number(i32),
    /// A word of the rules.
    Word(NameId),
    /// The choice of a card, whichever it is.
    Card,
    /// The choice of a player: its position, from 0.
    Player(i32),
    /// The choice of a token, whichever it is.
    Token,
    /// The choice of nothing, although something could have been chosen.
    Nothing,
}

impl QuestionOrigin {
    /// Returns who asks the open question; `None` for actions of a turn and payments, which are counted separately.
    pub fn of_decision(decision: &Decision) -> Option<QuestionOrigin> {
        match decision.question {
            Question::Rules(question) => Some(QuestionOrigin::Rules(question)),
            Question::Card(definition) => Some(QuestionOrigin::Card(definition)),
            Question::Turn(_) | Question::Cover | Question::Payment => None,
        }
    }

    /// Returns the id of the question.
    pub fn text(self, rules: &Ruleset) -> String {
        let question = match self {
            QuestionOrigin::Rules(question) => Question::Rules(question),
            QuestionOrigin::Card(definition) => Question::Card(definition),
        };
        question.text(rules)
    }

    /// Returns the id of the card that asks; `None` for a question of the rules.
    pub fn card(self, rules: &Ruleset) -> Option<String> {
        let QuestionOrigin::Card(definition) = self else { return None };
        Some(rules.names.text(rules.definitions[definition as usize].id).to_string())
    }
}

impl AnswerKind {
    /// Returns the answer that an option gives; `None` for the option that ends a series of picks. Of an answer with words of its own, these
    /// are counted, and of one that is chosen alone, what is chosen.
    pub fn of_option(rules: &Ruleset, option: &Opt) -> Option<AnswerKind> {
        match option.act {
            Act::Choice(choice, _) if option.act.action(rules) == Some(choice) => None,
            Act::Choice(choice, args) => {
                let choice = &rules.choices[choice as usize];
                let alone = choice.text.is_none() && rules.names.text(choice.name) == "choose";
                Some(match choice.params.first().filter(|_| alone).map(|param| &param.domain) {
                    None => AnswerKind::Word(choice.name),
                    Some(Domain::Cards(_)) => AnswerKind::Card,
                    Some(Domain::Words(words)) => {
                        AnswerKind::Word(words.iter().find(|(_, value)| *value == args[0]).map_or(choice.name, |(name, _)| *name))
                    }
                    Some(Domain::Numbers { .. }) => AnswerKind::Number(args[0]),
                    Some(Domain::Players(_)) => AnswerKind::Player(args[0]),
                })
            }
            Act::Word(word) => Some(AnswerKind::Word(word)),
            Act::Card(_) => Some(AnswerKind::Card),
            Act::Token(..) => Some(AnswerKind::Token),
            Act::Nothing => Some(AnswerKind::Nothing),
            Act::Done => None,
        }
    }

    /// Returns the answer in words.
    pub fn text(self, rules: &Ruleset) -> String {
        match self {
            AnswerKind::Number(number) => number.to_string(),
            AnswerKind::Word(word) => rules.names.text(word).to_string(),
            AnswerKind::Card => "a card".to_string(),
            AnswerKind::Player(player) => format!("p{}", player.saturating_add(1)),
            AnswerKind::Token => "a token".to_string(),
            AnswerKind::Nothing => "nothing".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use crate::agent::parse_agents;
    use crate::playtest::toy::{Silent, toy_with};
    use crate::playtest::{RecordOptions, RunPlan, report, run};
    use crate::source::Sources;

    #[test]
    fn answers_to_cards_are_counted_and_nothing_is_one() {
        let entry = "[[card.on]]\nwhen = \"this.howl\"\nask = \"may one of wisp, each card in my lair\"\ndo = \"1\"\n";
        let rules = toy_with(2, "2", entry);
        let agents = parse_agents("random", 2).unwrap();
        let plan = RunPlan { rules: &rules, agents: &agents, games: 100, seed: 1, threads: 2, notes: RecordOptions::default() };
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
        // Each of these answers occurs in many of the games in which the wolf is fetched.
        let fetched = found.cards.iter().find(|card| card.card == "grey_wolf").unwrap().times as f64;
        let given: f64 = of_card.iter().map(|answer| answer.per_game * 100.0).sum();
        assert!((given - fetched).abs() < 1e-9 && of_card.iter().all(|answer| answer.per_game > 0.1), "{given} of {fetched}: {of_card:?}");
    }
}
