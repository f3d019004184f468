//! Choices: the answers of questions and the actions of turns. Both have what is chosen with them, guards and costs.

use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, ActionPart, Name, Quoted};
use super::super::typed::{Choice, ChoiceParam, Cost, Domain, Expr, Guard, Picks, Question};
use super::{Checker, boards, locals};
use crate::engine::node::Type;
use crate::engine::program::{MAX_GUARDS, MAX_PARAMS};
use crate::engine::ruleset::TextPart;

/// Maximum number of costs of a choice.
const MAX_COSTS: usize = 4;

/// Checks a question of the rules; `may` and `picks` say whether nothing can be chosen, and how many answers can be picked if it is a series.
pub(super) fn check_question(
    checker: &mut Checker<'_>,
    title: Option<&Quoted>,
    choices: &ast::Block<ast::Choice>,
    (may, picks): (bool, Option<Picks>),
) -> Question {
    let title = title.map(|title| title.text.clone());
    let mut question = Question { id: checker.next_question_id(), title, may, picks, choices: Vec::new(), otherwise: None };
    for choice in &choices.items {
        let bound = checker.scope.bound.len();
        check_answer(checker, choice, &mut question);
        checker.scope.bound.truncate(bound);
    }
    question
}

fn check_answer(checker: &mut Checker<'_>, choice: &ast::Choice, question: &mut Question) {
    if choice.words.is_none() && choice.params.is_empty() {
        question.otherwise = Some(checker.check_conditional_block(&choice.body));
        return;
    }
    let (params, of_words) = check_params(checker, &choice.params, "an answer");
    if question.picks.is_some() {
        let numbered = |(_, param): &(&ast::ActionParam, &ChoiceParam)| matches!(param.domain, Domain::Numbers(..));
        if let Some((param, _)) = choice.params.iter().zip(params.iter().flatten()).find(numbered) {
            checker.report(RuleProblem::NumbersPicked.at(param.name.span));
        }
    }
    let words = choice.words.as_ref();
    let text = words.and_then(|words| check_key_text(checker, words, &choice.params));
    let alone = choice.params.is_empty() && text.is_none();
    let (name, chooses) = match words {
        Some(words) => (words.text.clone(), alone && !words.text.contains(' ')),
        None => ("choose".to_string(), false),
    };
    let when = choice.condition.as_ref().map(|when| checker.check_expr(when, &[Type::Truth]));
    let when = both(of_words, when);
    let up_to = choice.up_to.as_ref().map(|up_to| checker.check_expr(up_to, &[Type::Number]));
    let mut made = Choice { chooses, text, when, up_to, ..Choice::new(name, choice.span) };
    for part in &choice.parts {
        check_guard_or_cost(checker, part, &mut made);
    }
    check_limits(checker, &made, &choice.parts, ("an answer", "let the answer pay the rest"));
    let block = checker.check_conditional_block(&choice.body);
    made.body.extend(block);
    if let Some(otherwise) = &choice.otherwise {
        question.otherwise = Some(checker.check_conditional_block(otherwise));
    }
    let Some(params) = params else { return };
    made.params = params;
    if let Some(words) = words
        && question.choices.iter().any(|known| known.is_same_word(&made))
    {
        checker.report(RuleProblem::OfferedTwice { word: words.text.clone() }.at(words.span));
    }
    question.choices.push(made);
}

/// Joins two conditions, each of which may be missing; both together stand where the first one stands.
pub(super) fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let span = a.span;
            Some(a.and(b, span))
        }
        (a, b) => a.or(b),
    }
}

/// Checks what is chosen with an action or answer, and binds the names of it; `None` if a problem has been reported. Also returns what must
/// hold of the words and numbers that are chosen.
pub(super) fn check_params(
    checker: &mut Checker<'_>,
    params: &[ast::ActionParam],
    whose: &'static str,
) -> (Option<Vec<ChoiceParam>>, Option<Expr>) {
    let (mut made, mut condition) = (Vec::new(), None);
    for (number, param) in params.iter().enumerate() {
        if number >= MAX_PARAMS {
            let help = "make two of it, or let it ask a question";
            checker.report(RuleProblem::TooMany { whose, most: MAX_PARAMS, what: "parameters", help }.at(param.name.span));
            break;
        }
        locals::refuse_built_in(checker, &param.name);
        if params[..number].iter().any(|before| before.name.text == param.name.text) {
            checker.report(RuleProblem::LocalTwice { name: param.name.text.clone() }.at(param.name.span));
        }
        let of_words = if let ast::FoldDomain::Cards(cards) = &param.domain { Some(cards) } else { None };
        let of_words = of_words.filter(|cards| checker.are_words(&cards.name.text));
        let domain = check_domain(checker, &param.name.text, &param.domain, of_words.is_some());
        if let Some(filter) = param.filter.as_ref().or_else(|| of_words?.filter.as_ref()) {
            condition = both(condition, Some(checker.check_expr(filter, &[Type::Truth])));
        }
        if param.maybe && !matches!(domain, None | Some(Domain::Cards(_))) {
            checker.report(RuleProblem::MaybeNoCard { name: param.name.text.clone() }.at(param.name.span));
        }
        let word = param.word.as_ref().map(|word| word.text.clone());
        made.push(domain.map(|domain| ChoiceParam { domain, maybe: param.maybe, word }));
    }
    (made.into_iter().collect(), condition)
}

/// Checks what a name goes through, and binds the name. What reads like cards is words if `are_words` says so.
pub(super) fn check_domain(checker: &mut Checker<'_>, name: &str, domain: &ast::FoldDomain, are_words: bool) -> Option<Domain> {
    match domain {
        ast::FoldDomain::Cards(cards) if are_words => Some(words_domain(checker, name, std::slice::from_ref(&cards.name))),
        ast::FoldDomain::Cards(cards) => {
            let element = boards::element_type(checker, cards);
            let bind = checker.bind(name, element);
            checker.check_cards(cards, name, bind).map(Domain::Cards)
        }
        ast::FoldDomain::Words(within) => Some(words_domain(checker, name, within)),
        ast::FoldDomain::Range { from, to } => {
            let [from, to] = checker.check_numbers([from, to]);
            Some(Domain::Numbers(checker.bind(name, Type::Number), from, to))
        }
        ast::FoldDomain::Players(players) => {
            let bind = checker.bind(name, Type::Seat);
            Some(Domain::Players(bind, checker.check_players(players, Some(bind))))
        }
    }
}

/// Checks words to choose from, and binds the name of what is chosen.
fn words_domain(checker: &mut Checker<'_>, name: &str, within: &[Name]) -> Domain {
    let (words, ty) = checker.resolve_word_list(within);
    Domain::Words(checker.bind(name, ty), words, ty)
}

/// Checks the text of keys, in which names in braces stand for what is chosen. `None` if nothing stands in braces.
pub(super) fn check_key_text(checker: &mut Checker<'_>, text: &Quoted, params: &[ast::ActionParam]) -> Option<Vec<TextPart>> {
    if !text.text.contains(['{', '}']) {
        return None;
    }
    let (mut parts, mut known) = (Vec::new(), true);
    let mut rest = text.text.as_str();
    while let Some((before, behind)) = rest.split_once('{') {
        let Some((name, after)) = behind.split_once('}') else { break };
        if !before.is_empty() {
            parts.push(TextPart::Text(before.to_string()));
        }
        match params.iter().take(MAX_PARAMS).position(|param| param.name.text == name.trim()) {
            Some(index) => parts.push(TextPart::Value(crate::cast::fit::<u8>(index))),
            None => {
                known = false;
                let names = params.iter().map(|param| format!("`{}`", param.name.text)).collect::<Vec<_>>().join(", ");
                checker.report(RuleProblem::TextOfNothing { name: name.trim().to_string(), names }.at(text.span));
            }
        }
        rest = after;
    }
    if rest.contains(['{', '}']) {
        checker.report(RuleProblem::TextUnclosed.at(text.span));
    }
    if !rest.is_empty() {
        parts.push(TextPart::Text(rest.to_string()));
    }
    let is_word = |part: &TextPart| matches!(part, TextPart::Text(text) if text.chars().any(char::is_alphabetic));
    if known && !parts.is_empty() && !parts.iter().any(is_word) {
        checker.report(RuleProblem::TextOfValues.at(text.span));
    }
    let left_out = |index: usize| !parts.contains(&TextPart::Value(crate::cast::fit::<u8>(index)));
    if let Some((_, param)) = params.iter().take(MAX_PARAMS).enumerate().find(|(index, _)| known && left_out(*index)) {
        checker.report(RuleProblem::TextWithout { name: param.name.text.clone() }.at(text.span));
    }
    Some(parts)
}

/// Checks a guard or cost, and adds it to what it is of.
pub(super) fn check_guard_or_cost(checker: &mut Checker<'_>, part: &ActionPart, made: &mut Choice) {
    match part {
        ActionPart::Needs { name, only_if, condition, reason, .. } => {
            let only_if = only_if.as_ref().map(|only_if| checker.check_expr(only_if, &[Type::Truth]));
            let mut holds = checker.check_expr(condition, &[Type::Truth]);
            let name = name.as_ref().map_or("needs", |name| name.text.as_str());
            checker.warn_if_constant(&holds, &if name == "needs" { "`needs`".to_string() } else { format!("`needs {name}`") });
            if let Some(only_if) = only_if {
                let span = only_if.span;
                holds = only_if.not(span).or(holds, span);
            }
            let reason = reason.as_ref().map_or_else(|| format!("needs {name}"), |reason| reason.text.clone());
            made.guards.push(Guard { name: name.to_string(), holds, reason });
        }
        ActionPart::Cost(cost) => made.costs.extend(checker.check_cost(cost)),
        ActionPart::CostFrom { price, from, mix, span } => {
            if let Some((holds, reason, stmt)) = checker.check_cost_from(price, from, (*mix, *span)) {
                made.guards.push(Guard { name: "cost".to_string(), holds, reason });
                made.body.insert(0, stmt);
            }
        }
        ActionPart::Does { .. } => {}
    }
}

/// Reports more guards and costs than a choice can have.
pub(super) fn check_limits(checker: &mut Checker<'_>, made: &Choice, parts: &[ActionPart], (whose, rest): (&'static str, &'static str)) {
    let in_tokens = made.costs.iter().filter(|cost| matches!(cost, Cost::Tokens(_))).count();
    let payable = "let it spend the rest, and say when it can be paid: `needs NAME: NUMBER <= payable SYMBOL from POOL`";
    let from_purses = parts.iter().filter(|part| matches!(part, ActionPart::CostFrom { .. })).count();
    if from_purses > 0 && from_purses + made.costs.len() > 1 {
        let help = "add up what it costs in one tally, and pay that";
        checker.report(RuleProblem::HasTooMany { whose, most: 1, what: "cost if that is paid from a purse", help }.at(made.span));
    }
    let limits = [
        (made.guards.len(), MAX_GUARDS, "`needs`", "join some of them by `and`"),
        (made.costs.len(), MAX_COSTS, "costs", rest),
        (in_tokens, 1, "price in tokens", payable),
    ];
    for (_, most, what, help) in limits.into_iter().filter(|(has, most, ..)| has > most) {
        checker.report(RuleProblem::HasTooMany { whose, most, what, help }.at(made.span));
    }
}
