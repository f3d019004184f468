//! Answers to questions of players: what an option would change, what forbids it, where a value comes from, and what an agent would do.

use std::sync::Arc;

use super::ui::GameUi;
use crate::agent::{Horizon, advise};
use crate::cli::prepared::PreparedTable;
use crate::engine::Ended;
use crate::engine::decision::Question;
use crate::engine::keys::can_be_key;
use crate::table::{SceneOption, list_refused, option_changes, why_not};
use crate::why::{DetailLevel, Explanation, FOLDED_NOTE, Why, WhyAnswer};

fn lines_of(text: &str) -> Vec<String> {
    text.lines().map(str::to_string).collect()
}

impl GameUi {
    /// Returns lines of text about what an option would change in the game.
    pub fn preview(&mut self, option: usize) -> Vec<String> {
        let GameUi { prepared, table, .. } = self;
        let (rules, game, host) = table.session.rules_game_and_scripts();
        option_changes(rules, game, host, option, &prepared.words)
    }

    /// Explains an option (named by key or number), all options of a card, or a value: its conditions, and those that fail. With `--deep`
    /// every part is shown; `deep` is what the user types for that. For a card that is not where the option requires it, nothing else is
    /// explained, since its actual place may be secret.
    pub fn explain(&mut self, asked: &str, deep: &str) -> Vec<String> {
        let note = format!("(… is told by `{deep} {asked}`)");
        let lines = self.explanation(asked);
        lines.into_iter().map(|line| if line == FOLDED_NOTE { note.clone() } else { line }).collect()
    }

    fn explanation(&mut self, asked: &str) -> Vec<String> {
        let (deep, words): (Vec<&str>, Vec<&str>) = asked.split_whitespace().partition(|word| *word == "--deep");
        let fold = if deep.is_empty() { DetailLevel::Folded } else { DetailLevel::Deep };
        let asked = words.join(" ");
        let rules = Arc::clone(&self.prepared.rules);
        let session = &self.table.session;
        let open = session.decision();
        let offered = open.zip(session.option(&asked)).map(|(open, option)| open.options[option].text(&rules));
        let is_offered = offered.is_some();
        let key = offered.unwrap_or(asked);
        let may_be_refused = open.is_some_and(|open| match open.question {
            Question::Turn(_) => true,
            Question::Rules(question) => rules.questions[question as usize].choices.iter().any(|&choice| can_be_key(&rules, choice, &key)),
            Question::Card(_) | Question::Cover | Question::Payment => false,
        });
        if !is_offered && let Some(explanation) = self.explain_card(&key, fold) {
            return explanation;
        }
        if (is_offered || may_be_refused)
            && let Some(explanation) = self.explain_option(&key, fold)
        {
            return lines_of(&explanation);
        }
        if is_offered {
            return vec!["it is possible".to_string()];
        }
        let known = why_not(&rules, self.table.session.game(), &key);
        let first = key.split(' ').next();
        let names_action = rules.actions().iter().any(|action| Some(rules.names.text(action.name)) == first);
        match self.explain_value(&key, fold) {
            Some(Ok(explanation)) => lines_of(&explanation),
            // The text may be a misspelt option or a misspelt value.
            Some(Err(slip)) if !names_action => known.into_iter().chain([slip]).collect(),
            Some(Err(_)) | None => known,
        }
    }

    /// Lists the possible and impossible actions with a card, with reasons. `None` if the text names no card, or names also a value.
    fn explain_card(&mut self, asked: &str, fold: DetailLevel) -> Option<Vec<String>> {
        let rules = Arc::clone(&self.prepared.rules);
        let id = self.prepared.words.find_card(asked)?.to_string();
        if rules.quantities.iter().any(|quantity| quantity.name == asked) || rules.conditions.iter().any(|(name, _)| name == asked) {
            return None;
        }
        let is_about = |key: &str| key.split(' ').any(|word| word == id);
        let choices = self.choices();
        let possible = choices.iter().enumerate().filter(|(_, choice)| is_about(&choice.key));
        let mut lines: Vec<String> =
            possible.map(|(number, choice)| format!("{}: possible, option {}", choice.label(), number + 1)).collect();
        for found in list_refused(&rules, self.table.session.game()).iter().filter(|found| is_about(&found.key)) {
            match self.explain_option(&found.key, fold) {
                Some(explanation) => lines.extend(lines_of(&explanation)),
                None => lines.push(found.text(&self.prepared.words)),
            }
        }
        if lines.is_empty() {
            let name = self.prepared.words.card_name(&id);
            lines.push(format!("nothing that can be done now is about {name}"));
            lines.extend(self.describe_card(&id).unwrap_or_default());
        }
        Some(lines)
    }

    /// Returns the explainer of this game for a seat; `None` if the game's files can no longer be loaded.
    fn explainer(&mut self, seat: usize) -> Option<&mut Why> {
        let PreparedTable { sources, text, setup, words, .. } = &self.prepared;
        if self.why.is_none() {
            let mut why = Why::open(sources, text, setup, &mut Vec::new())?;
            why.rename_cards(|card| words.translations().card(card).to_string());
            self.why = Some(why);
        }
        self.why.iter_mut().for_each(|why| why.explain_to(seat));
        self.why.as_mut()
    }

    /// Explains an option as `houserule why` does.
    fn explain_option(&mut self, key: &str, fold: DetailLevel) -> Option<String> {
        let game = self.table.session.game().clone();
        let seat = game.decision()?.seat;
        let why = self.explainer(seat)?;
        let explanation = why.explain_option(&game, seat, key).ok()?;
        // Without a location in a file, no hidden information is involved.
        let lies_elsewhere = explanation.refusals().any(|check| check.name == "card" && check.location.is_none());
        (!lies_elsewhere).then(|| WhyAnswer::Option(explanation).text(fold))
    }

    /// Explains a value as `houserule why` does; an error says what is wrong with the question. The explanation is computed from the view
    /// of the seat that is asked, with unknown cards in every place where they may be; if the results differ, only this is reported.
    fn explain_value(&mut self, asked: &str, fold: DetailLevel) -> Option<Result<String, String>> {
        let rules = Arc::clone(&self.prepared.rules);
        let game = self.table.session.game().clone();
        let seat = game.decision().map_or(0, |open| open.seat);
        let view = game.view_of(&rules, seat);
        let unknown = format!("what p{} does not know", seat + 1);
        let why = self.explainer(seat)?;
        let mut first: Option<Explanation> = None;
        let mut same_parts = true;
        for steps in 0..rules.layout.pieces.max(1) {
            let mut seen = game.clone();
            view.position_moved_on(&rules, steps, &mut seen);
            let explanation = match why.explain_value(&seen, seat, asked) {
                Ok(explanation) => explanation,
                Err(slip) => return Some(Err(std::iter::once(slip.message).chain(slip.help).collect::<Vec<_>>().join("; "))),
            };
            let first = first.get_or_insert_with(|| explanation.clone());
            if why.take_read_hidden() || explanation.value != first.value {
                return Some(Ok(format!("`{asked}` rests on {unknown}")));
            }
            same_parts &= explanation == *first;
        }
        first.map(|explanation| {
            Ok(if same_parts {
                WhyAnswer::Value(explanation).text(fold)
            } else {
                format!("`{asked}` is {}; what it is made of rests on {unknown}", explanation.value_text)
            })
        })
    }

    /// Lists the actions that are refused in this turn, with their reasons.
    pub fn refused(&self) -> Vec<String> {
        let all = list_refused(&self.prepared.rules, self.table.session.game());
        if all.is_empty() {
            return vec!["nothing is refused that actions of this turn could be about".to_string()];
        }
        all.iter().map(|refused| refused.text(&self.prepared.words)).collect()
    }

    /// Returns the answer that an agent recommends, and its evaluation of the options.
    pub fn hint(&mut self) -> Result<Vec<String>, String> {
        let choices = self.choices();
        let (rules, game, host) = self.table.session.rules_game_and_scripts();
        let advice = advise(&self.hint, rules, game, host).map_err(|fault| fault.to_string())?.ok_or("nothing is asked")?;
        let label = |option: usize| choices.get(option).map_or_else(|| "?".to_string(), SceneOption::label);
        let mut lines = vec![format!("{} would take {}: {}", self.hint, advice.choice + 1, label(advice.choice))];
        lines.extend(advice.horizon.map(|horizon| format!("it has looked ahead {}", words_of_horizon(horizon))));
        match advice.others() {
            None => lines.push("it does not say what the options are worth".to_string()),
            Some(others) => {
                lines.extend(others.iter().map(|(at, less)| format!("{:+.2} with {}: {}", 0.0 - less, at + 1, label(*at))));
            }
        }
        Ok(lines)
    }
}

/// Says up to which point an answer was followed.
fn words_of_horizon(horizon: Horizon) -> &'static str {
    match horizon {
        Horizon::AskedAgain => "to where the same player is asked again",
        Horizon::Over(Ended::Turn) => "to the end of the action, or to where turns begin",
        Horizon::Over(Ended::Round) => "to the end of the round",
        Horizon::Over(Ended::Game) => "to the end of the game",
        Horizon::TooFar => "over as many answers as it follows",
    }
}
