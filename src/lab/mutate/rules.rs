//! Mutations of rules text, in rules files and on cards. The grammar determines what is a number, a condition or a statement.

use pest::Parser;
use pest::iterators::Pair;

use super::names::NameCategories;
use super::{Mutant, MutationOperator, sort_and_dedup};
use crate::syntax::grammar::{Grammar, Rule};

/// The grammar rule by which a text is parsed before it is mutated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ParseAs {
    /// A whole rules file.
    File,
    /// An expression on a card.
    Expr,
    /// A price that a card entry demands.
    Costs,
    /// A question that a card entry asks a player.
    Ask,
}

/// Returns all mutations of a rules file. Declarations for agents are skipped, since no rule depends on them.
pub fn mutants_of_rules(text: &str, siblings: &NameCategories) -> Vec<Mutant> {
    sort_and_dedup(text, mutants_of_text(text, ParseAs::File, siblings))
}

/// Returns all mutations of a text; empty if it cannot be parsed.
pub(super) fn mutants_of_text(text: &str, form: ParseAs, siblings: &NameCategories) -> Vec<Mutant> {
    let rule = match form {
        ParseAs::File => Rule::file,
        ParseAs::Expr => Rule::card_expr,
        ParseAs::Costs => Rule::card_costs,
        ParseAs::Ask => Rule::card_ask,
    };
    let mut walk = RuleMutator { text, siblings, found: Vec::new(), variant: None };
    for pair in Grammar::parse(rule, text).into_iter().flatten() {
        walk.mutate_pair(&pair, None);
    }
    walk.found
}

struct RuleMutator<'a> {
    text: &'a str,
    siblings: &'a NameCategories,
    found: Vec<Mutant>,
    variant: Option<String>,
}

/// Whether a node of this grammar rule contains lines, each of which can be removed.
fn contains_lines(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::action_parts
            | Rule::additions
            | Rule::board_parts
            | Rule::body
            | Rule::check_lines
            | Rule::checks
            | Rule::choices
            | Rule::entries
            | Rule::file
            | Rule::parts
            | Rule::score_rows
            | Rule::space_values
            | Rule::track_steps
            | Rule::variant_lines
    )
}

/// Whether a node of this grammar rule declares what others depend on, so that without it the text cannot compile.
fn is_required_declaration(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::CLOSE
            | Rule::COMMA
            | Rule::EOI
            | Rule::OPEN
            | Rule::broken
            | Rule::card
            | Rule::changeable
            | Rule::condition
            | Rule::constant
            | Rule::define
            | Rule::does
            | Rule::effect
            | Rule::fields_of
            | Rule::game
            | Rule::hearing
            | Rule::kind
            | Rule::moments
            | Rule::option
            | Rule::phase
            | Rule::player
            | Rule::players
            | Rule::rank
            | Rule::rounds
            | Rule::score
            | Rule::setup
            | Rule::stat
            | Rule::symbols
            | Rule::table
            | Rule::tokens_of
            | Rule::turns
            | Rule::variant
            | Rule::zone
    )
}

/// Whether a node changes declarations for agents: `change agents.worth by +1`, `extend agents { … }`.
pub(super) fn is_about_agents(pair: &Pair<'_, Rule>) -> bool {
    let operation = matches!(pair.as_rule(), Rule::change | Rule::replace | Rule::delete | Rule::insert | Rule::extend);
    let address = pair.clone().into_inner().find(|inner| inner.as_rule() == Rule::name);
    operation && address.is_some_and(|address| address.as_str().split('.').next() == Some("agents"))
}

impl RuleMutator<'_> {
    fn mutate_pair(&mut self, pair: &Pair<'_, Rule>, parent: Option<Rule>) {
        let rule = pair.as_rule();
        // Quoted texts and pictures are meant for people, and declarations for agents are not rules.
        if matches!(rule, Rule::agents | Rule::worth | Rule::style | Rule::moments | Rule::drawn) || is_about_agents(pair) {
            return;
        }
        if rule == Rule::variant {
            self.variant = pair.clone().into_inner().find(|inner| inner.as_rule() == Rule::name).map(|name| name.as_str().to_string());
        } else if parent == Some(Rule::file) {
            self.variant = None;
        }
        if parent.is_some_and(contains_lines) && !is_required_declaration(rule) {
            self.add_removal(pair);
        }
        self.mutate_token(pair);
        self.mutate_part(pair, parent);
        for (at, inner) in pair.clone().into_inner().enumerate() {
            // Of these the first name is not changed; the name of a guard is for people and addresses.
            let keeps_name = rule == Rule::needs || at == 0 && matches!(rule, Rule::place_names | Rule::signature | Rule::space_value);
            if !(keeps_name && inner.as_rule() == Rule::name) {
                self.mutate_pair(&inner, Some(rule));
            }
        }
    }

    /// Adds the mutations of a keyword or operator that has a counterpart.
    fn mutate_token(&mut self, pair: &Pair<'_, Rule>) {
        let (class, now) = match pair.as_rule() {
            Rule::number => match pair.as_str().parse::<i64>() {
                Ok(number) => (MutationOperator::Number, (number + 1).to_string()),
                Err(_) => return,
            },
            Rule::equal => (MutationOperator::Comparison, "!=".to_string()),
            Rule::not_equal => (MutationOperator::Comparison, "==".to_string()),
            Rule::less => (MutationOperator::Comparison, "<=".to_string()),
            Rule::at_most => (MutationOperator::Comparison, "<".to_string()),
            Rule::more => (MutationOperator::Comparison, ">=".to_string()),
            Rule::at_least => (MutationOperator::Comparison, ">".to_string()),
            Rule::or_else => (MutationOperator::Condition, "and".to_string()),
            Rule::and_also => (MutationOperator::Condition, "or".to_string()),
            Rule::negation => (MutationOperator::Condition, String::new()),
            Rule::is_equal => (MutationOperator::Condition, if pair.as_str().ends_with("not") { "is" } else { "is not" }.to_string()),
            Rule::is_there => {
                (MutationOperator::Condition, if pair.as_str().contains("not") { "is there" } else { "is not there" }.to_string())
            }
            Rule::YES => (MutationOperator::Condition, "no".to_string()),
            Rule::NO => (MutationOperator::Condition, "yes".to_string()),
            Rule::add => (MutationOperator::Arithmetic, "-".to_string()),
            Rule::sub => (MutationOperator::Arithmetic, "+".to_string()),
            Rule::mul => (MutationOperator::Arithmetic, "+".to_string()),
            Rule::div => (MutationOperator::Arithmetic, "*".to_string()),
            Rule::minus => (MutationOperator::Arithmetic, String::new()),
            Rule::assign_op => (MutationOperator::Arithmetic, if pair.as_str() == "+=" { "-=" } else { "+=" }.to_string()),
            Rule::TOP => (MutationOperator::Direction, "bottom".to_string()),
            Rule::BOTTOM => (MutationOperator::Direction, "top".to_string()),
            Rule::HIGHEST => (MutationOperator::Direction, "lowest".to_string()),
            Rule::LOWEST => (MutationOperator::Direction, "highest".to_string()),
            Rule::HIGHEST_SCORE => (MutationOperator::Direction, "lowest score".to_string()),
            Rule::LOWEST_SCORE => (MutationOperator::Direction, "highest score".to_string()),
            Rule::FEWER | Rule::LESS => (MutationOperator::Direction, "more".to_string()),
            Rule::MORE => (MutationOperator::Direction, "fewer".to_string()),
            Rule::AT_MOST => (MutationOperator::Direction, "at least".to_string()),
            Rule::AT_LEAST => (MutationOperator::Direction, "at most".to_string()),
            Rule::REACHING => (MutationOperator::Direction, "leaving".to_string()),
            Rule::LEAVING => (MutationOperator::Direction, "reaching".to_string()),
            Rule::GAIN => (MutationOperator::Direction, "lose".to_string()),
            Rule::LOSE => (MutationOperator::Direction, "gain".to_string()),
            Rule::IN_REVERSE_ORDER | Rule::MY | Rule::OTHER | Rule::SECRETLY | Rule::PACKED_LEFT | Rule::FREE => {
                (MutationOperator::Direction, String::new())
            }
            Rule::name => match self.siblings.next_in_category(pair.as_str()) {
                Some(other) => (MutationOperator::Name, other),
                None => return,
            },
            Rule::words => match self.siblings.next_in_category(&pair.as_str().split_whitespace().collect::<Vec<_>>().join(" ")) {
                Some(other) => (MutationOperator::Name, other),
                None => return,
            },
            _ => return,
        };
        let span = pair.as_span();
        self.add_change(class, span.start(), span.end(), now);
    }

    /// Adds the mutations of a part that can be removed or reversed, or of a list that can be shortened.
    fn mutate_part(&mut self, pair: &Pair<'_, Rule>, parent: Option<Rule>) {
        let inner: Vec<Pair<'_, Rule>> = pair.clone().into_inner().collect();
        match pair.as_rule() {
            Rule::filter | Rule::step_when | Rule::only_if | Rule::bound => self.add_removal(pair),
            // Of an action these are lines.
            Rule::needs | Rule::cost if parent == Some(Rule::answer_parts) => self.add_removal(pair),
            Rule::rank_rule => {
                for word in inner.iter().filter(|word| matches!(word.as_rule(), Rule::IN | Rule::OUT)) {
                    let now = if word.as_rule() == Rule::IN { "out" } else { "in" };
                    self.add_change(MutationOperator::Direction, word.as_span().start(), word.as_span().end(), now.to_string());
                }
            }
            Rule::names | Rule::order_keys if inner.len() > 1 => {
                let keys = inner.iter().filter(|key| matches!(key.as_rule(), Rule::name | Rule::order_key));
                keys.clone().filter(|_| keys.clone().count() > 1).for_each(|key| self.add_removal(key));
            }
            _ => {}
        }
        // A condition with its keyword.
        for (at, word) in inner.iter().enumerate() {
            let Some(condition) = inner.get(at + 1).filter(|next| next.as_rule() == Rule::expr) else { continue };
            let asks = matches!(word.as_rule(), Rule::IF | Rule::UNLESS | Rule::WHEN | Rule::WHERE | Rule::UNTIL);
            let guard = word.as_rule() == Rule::COLON && matches!(pair.as_rule(), Rule::needs | Rule::set_up_needs);
            if asks || guard {
                let span = condition.as_span();
                self.add_change(MutationOperator::Condition, span.start(), span.end(), format!("not ({})", condition.as_str().trim_end()));
            }
            if word.as_rule() == Rule::IF && matches!(pair.as_rule(), Rule::choice | Rule::ask_offer) {
                self.add_change(MutationOperator::Removed, word.as_span().start(), condition.as_span().end(), String::new());
            }
        }
        if pair.as_rule() == Rule::ask_offer && parent == Some(Rule::card_ask) {
            self.add_removal(pair);
        }
    }

    /// Adds the mutation that removes a node together with an adjacent comma.
    fn add_removal(&mut self, pair: &Pair<'_, Rule>) {
        let span = pair.as_span();
        let (mut start, mut end) = (span.start(), span.start() + pair.as_str().trim_end().len());
        let before = self.text.get(..start).unwrap_or("").trim_end();
        let behind = self.text.get(end..).unwrap_or("");
        let listed = matches!(pair.as_rule(), Rule::bound | Rule::name | Rule::order_key | Rule::ask_offer | Rule::entry);
        if listed && before.ends_with(',') {
            start = before.len() - 1;
        } else if listed && behind.trim_start().starts_with(',') {
            end += behind.len() - behind.trim_start().len() + 1;
        }
        self.add_change(MutationOperator::Removed, start, end, String::new());
    }

    fn add_change(&mut self, class: MutationOperator, start: usize, end: usize, now: String) {
        // Nodes of the grammar may end with whitespace.
        let was = self.text.get(start..end).unwrap_or("");
        let end = start + was.trim_end().len();
        self.found.push(Mutant { class, start, end, replacement: now, card: None, variant: self.variant.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the mutations of a text, written as `was -> now`.
    fn mutations_of(text: &str) -> Vec<String> {
        let mut siblings = NameCategories::default();
        siblings.add_rules("player { resource wisp, moss }\nstat fame = 1\nstat might = 2\n");
        let found = mutants_of_rules(text, &siblings);
        found.iter().map(|mutant| mutant.original_and_replacement(text)).map(|(was, now)| format!("{was} -> {now}")).collect()
    }

    #[test]
    fn numbers_names_and_verbs_of_a_statement() {
        let found = mutations_of("effect howl { gain 2 wisp; if fame < 3 { lose 1 moss } }\n");
        for wanted in
            ["gain 2 wisp -> ", "gain -> lose", "2 -> 3", "wisp -> moss", "fame -> might", "< -> <=", "fame < 3 -> not (fame < 3)"]
        {
            assert!(found.iter().any(|found| found == wanted), "{wanted} in {found:#?}");
        }
        assert!(found.iter().any(|found| found == "if fame < 3 { lose 1 moss } -> "), "{found:#?}");
        // The effect's own name is not changed.
        assert!(!found.iter().any(|found| found.starts_with("howl")), "{found:#?}");
    }

    #[test]
    fn guards_bounds_and_lists() {
        let found = mutations_of(concat!(
            "stat luck = 3, at most 9\n",
            "rank most x = top 1 by x, ties at the edge out\n",
            "wins highest score, then order\n",
            "phase day {\n  action rest { needs calm if fame > 1: wisp > 2 \"not now\"; cost 1 wisp; does { gain 1 moss } }\n",
            "  step dusk when fame > 2 { each player in reverse order where wisp > 1 { for r in wisp, moss { gain 1 r } } }\n}\n",
        ));
        let wanted = [
            ", at most 9 -> ",
            "top -> bottom",
            "out -> in",
            "highest score -> lowest score",
            "needs calm if fame > 1: wisp > 2 \"not now\" -> ",
            "if fame > 1 -> ",
            "wisp > 2 -> not (wisp > 2)",
            "cost 1 wisp -> ",
            "when fame > 2 -> ",
            "in reverse order -> ",
            "where wisp > 1 -> ",
            "wisp, -> ",
            ", moss -> ",
        ];
        for wanted in wanted {
            assert!(found.iter().any(|found| found == wanted), "{wanted} in {found:#?}");
        }
    }

    #[test]
    fn pictures_are_left_alone() {
        // The board as a whole is a line that can be removed; nothing within the line that says what is drawn is changed.
        let changed = |drawn: &str| -> Vec<String> {
            let found = mutations_of(&format!("board lawn 3 by 4 {{ counter grass, reeds{drawn} }}\n"));
            found.into_iter().filter(|change| !change.starts_with("board")).collect()
        };
        assert_eq!(changed("; drawn grass, reeds"), changed(""));
        assert!(!changed("").is_empty());
    }

    #[test]
    fn machine_players_are_left_alone() {
        assert_eq!(mutations_of("agents { worth = 2 * wisp }\n"), Vec::<String>::new());
        assert_eq!(mutations_of("change agents.worth by +2\nextend agents { define calm = 2 }\n"), Vec::<String>::new());
        assert_ne!(mutations_of("change bonus by +2\n"), Vec::<String>::new());
    }
}
