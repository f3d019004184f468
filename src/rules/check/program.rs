//! Checks the program of a game: set-up, phases with steps and turns, actions, consequences, and the end.

use super::super::defs::{DefId, DefKind, Owner, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, ActionPart, DeclarationKind, Name, PhasePart};
use super::super::typed::{self, BindingId, Block, Choice, Cost, ExprKind, Phase, Rival, Room, SetUpNeed, Shortage, Step, Turns};
use super::turns::{actions_are_exhaustive, ends};
use super::{Checker, choice, teams};
use crate::cast;
use crate::diagnostic::nearest;
use crate::engine::node::Type;
use crate::engine::ruleset::VariableSort;
use crate::engine::style::MAX_STATES;
use crate::source::Span;

impl<'t> Checker<'t> {
    /// Checks everything that is executed: consequences, the end, set-up, then the phases in the order in which a round lists them.
    pub fn check_program(&mut self, tree: &'t ast::Rules) {
        for declaration in &tree.declarations {
            match &declaration.kind {
                DeclarationKind::Shortage { resource, within, missing, body } => {
                    self.check_shortage(resource, within, missing, body, declaration.span);
                }
                DeclarationKind::Leaving { card, place, body } => self.check_leaving(card, place, body),
                DeclarationKind::Dealt { card, body } => self.check_dealt(card, body),
                DeclarationKind::Wins(rule) => teams::check_wins(self, rule, tree),
                DeclarationKind::Honours(rows) => self.check_honours(&rows.items),
                DeclarationKind::Series(option) => self.check_series(option),
                DeclarationKind::Needs { name, condition, reason } => {
                    let holds = self.check_expr(condition, &[Type::Truth]);
                    self.rules.set_up_needs.push(SetUpNeed { holds, reason: reason.text.clone(), span: name.span });
                }
                DeclarationKind::Rival { name, when, rows } => self.check_rival(name, when.as_ref(), &rows.items),
                DeclarationKind::Worth { .. } => self.check_worth(declaration),
                DeclarationKind::Agents(lines) => {
                    self.rules.has_agents = true;
                    self.for_agents = true;
                    lines.items.iter().for_each(|line| self.check_worth(line));
                    self.for_agents = false;
                }
                // Named bodies have been collected; set-up and rounds are checked once all names are known.
                DeclarationKind::Game { .. } | DeclarationKind::Players { .. } | DeclarationKind::Teams(_) | DeclarationKind::Option(_) => {
                }
                DeclarationKind::Words { .. } | DeclarationKind::Constant { .. } | DeclarationKind::Symbols { .. } => {}
                DeclarationKind::Table(_) | DeclarationKind::Player(_) | DeclarationKind::Card(_) | DeclarationKind::Board { .. } => {}
                DeclarationKind::Kind { .. } | DeclarationKind::FieldsOf { .. } | DeclarationKind::Zone { .. } => {}
                DeclarationKind::Hearing { .. } | DeclarationKind::Tokens { .. } | DeclarationKind::Exchange { .. } => {}
                DeclarationKind::Define { .. } | DeclarationKind::Changeable { .. } | DeclarationKind::Stat { .. } => {}
                DeclarationKind::Rank { .. } | DeclarationKind::Condition { .. } | DeclarationKind::Effect { .. } => {}
                DeclarationKind::Purse { .. } => {}
                DeclarationKind::Track { .. } | DeclarationKind::Moments(_) | DeclarationKind::Payments { .. } => {}
                DeclarationKind::Setup(_) | DeclarationKind::Rounds(_) | DeclarationKind::Phase { .. } => {}
                DeclarationKind::Always(_) | DeclarationKind::Score(_) => {}
            }
        }
        for declaration in &tree.declarations {
            if let DeclarationKind::Setup(parts) = &declaration.kind {
                self.check_set_up(parts);
            }
        }
        self.check_rounds(tree);
        for declaration in &tree.declarations {
            if let DeclarationKind::Payments { noted, heard, span } = &declaration.kind {
                self.check_payments(noted.as_ref(), heard.as_ref(), *span);
            }
        }
        // Each moment in the list of moments is raised somewhere.
        for declaration in &tree.declarations {
            let DeclarationKind::Moments(told) = &declaration.kind else { continue };
            for name in told.items.iter().map(|moment| &moment.name) {
                let known = self.rules.defs.find(Space::Moment, &name.text);
                let is_raised = known.is_none_or(|known| self.raised_moments.contains(&known));
                if !is_raised && !self.rules.defs.has_suspects() && !self.has_unlisted_moment {
                    self.report(RuleProblem::MomentNeverRaised { name: name.text.clone() }.at(name.span));
                }
            }
        }
    }

    /// Checks the table of honour, from the highest score down.
    fn check_honours(&mut self, rows: &[ast::ScoreRow]) {
        for row in rows {
            let value = self.check_expr(&row.value, &[Type::Number]);
            if let ExprKind::Const(points) = value.kind {
                self.rules.honours.push((row.name.text.clone(), points));
            } else if value.kind != ExprKind::Poisoned {
                let (what, expected) = ("the points of a place of honour", "a plain number");
                self.report(RuleProblem::MustBePlain { what, expected }.at(row.value.span));
            }
        }
        self.rules.honours.sort_by_key(|row| -row.1);
    }

    /// Checks the option of each player that the winners of a series raise.
    fn check_series(&mut self, named: &Name) {
        let Some(def) = self.rules.defs.find(Space::Value, &named.text) else {
            let options = self.rules.defs.options().filter(|(.., option)| option.each_player).map(|(_, name, _)| name);
            let near = nearest(&named.text, options).map(String::from);
            return self.report(RuleProblem::NoSuchOption { name: named.text.clone(), near }.at(named.span));
        };
        let what = &self.rules.defs[def].kind;
        if matches!(what, DefKind::Broken) {
            return;
        }
        let found = if let DefKind::Option(option) = what {
            match (option.each_player, option.values.len()) {
                (false, _) => "an option of the table, which is the same for all players",
                (true, 0 | 1) => "an option with one value, which cannot be raised",
                (true, _) => return self.rules.series = Some(def),
            }
        } else {
            what.describe()
        };
        self.report(RuleProblem::SeriesOf { found }.at(named.span));
    }

    /// Checks a rival: an opponent without a seat that has values for things that players have too.
    fn check_rival(&mut self, name: &Name, when: Option<&ast::Expr>, rows: &[ast::Entry]) {
        let when = when.map(|when| self.check_expr(when, &[Type::Truth]));
        let mut values = Vec::new();
        for key in rows.iter().flat_map(|row| &row.keys) {
            let of_players = |what: &DefKind| {
                matches!(what, DefKind::Quantity { .. } | DefKind::Define)
                    || matches!(what, DefKind::Variable { sort: VariableSort::Counter | VariableSort::Resource, owner: Owner::Player, .. })
            };
            let what = self.resolve_sort(key, "a number that players have", of_players);
            let had = self.rules.defs.find(Space::Value, &format!("{}.{}", name.text, key.text));
            if let (Some(what), Some(had)) = (what, had) {
                self.definition_expr(had, &key.text, key.span);
                values.push((what, had));
            }
        }
        self.rules.rivals.push(Rival { name: name.text.clone(), when, values, span: name.span });
    }

    /// Checks what a state is worth, if that is what a declaration says.
    fn check_worth(&mut self, declaration: &ast::Declaration) {
        let DeclarationKind::Worth { style, states, value } = &declaration.kind else { return };
        let (name, span) = style.as_ref().map_or((String::new(), value.span), |style| (style.text.clone(), style.span));
        if self.rules.worths.iter().any(|worth| worth.style == name) {
            let of_style = if style.is_some() { format!(" to style `{name}`") } else { String::new() };
            self.report(RuleProblem::DeclaredTwice { what: format!("what a state is worth{of_style}") }.at(span));
        }
        let worth = self.check_expr(value, &[Type::Number, Type::Thousandths]);
        let worth = self.to_fixed_point(worth);
        let states = states.as_ref().map(|states| self.check_state_count(states));
        self.rules.worths.push(typed::Worth { style: name, states, value: worth });
    }

    /// Checks the number of states that machine players sample, which must be a literal number.
    fn check_state_count(&mut self, states: &ast::Expr) -> u32 {
        let written = states.literal().and_then(|states| u32::try_from(states).ok()).filter(|states| (1..=MAX_STATES).contains(states));
        written.unwrap_or_else(|| {
            let help = Some("machine players go by the mean over this many states that they imagine");
            self.report(RuleProblem::Expected { what: format!("a number of states from 1 to {MAX_STATES}"), help }.at(states.span));
            1
        })
    }

    fn check_payments(&mut self, noted: Option<&Name>, heard: Option<&Name>, span: Span) {
        if self.rules.paid.is_some() || self.rules.spent.is_some() {
            self.report(RuleProblem::DeclaredTwice { what: "what payments leave behind".to_string() }.at(span));
        }
        self.rules.paid = noted.and_then(|tally| self.resolve_tally_by_resource(tally));
        self.rules.spent = heard.and_then(|moment| self.resolve_raised_moment(moment));
    }

    /// Resolves the name of a tally that can hold what a player loses or pays.
    pub(super) fn resolve_tally_by_resource(&mut self, tally: &Name) -> Option<DefId> {
        self.resolve_sort(tally, "a tally of the player by resource", |what| {
            matches!(what, DefKind::Variable { sort: VariableSort::Tally, owner: Owner::Player, over: Some(Type::Resource), .. })
        })
    }

    fn check_shortage(&mut self, resource: &Name, within: &[Name], missing: &Name, body: &ast::Body, span: Span) {
        let resources = self.resolve_resource_list(within);
        if self.rules.shortages.iter().any(|known| known.resources.iter().any(|resource| resources.contains(resource))) {
            self.report(RuleProblem::DeclaredTwice { what: "what happens when this resource is short".to_string() }.at(span));
        }
        let names = [(resource, Type::Resource), (missing, Type::Number)];
        let ([resource, missing], block) = self.check_consequence("shortage", names, body);
        self.rules.shortages.push(Shortage { resources, resource, missing, block });
    }

    fn check_leaving(&mut self, card: &Name, place: &Name, body: &ast::Body) {
        let place = self.resolve_place(place);
        let ([card], block) = self.check_consequence("leaves", [(card, Type::Card)], body);
        let Some(place) = place else { return };
        if self.rules.leaving.iter().any(|known| known.0 == place) {
            let what = format!("what happens to cards that leave `{}`", self.rules.defs[place].name);
            self.report(RuleProblem::DeclaredTwice { what }.at(body.span));
        }
        self.rules.leaving.push((place, card, block));
    }

    fn check_dealt(&mut self, card: &Name, body: &ast::Body) {
        let ([card], block) = self.check_consequence("dealt", [(card, Type::Card)], body);
        if self.rules.dealt.is_some() {
            self.report(RuleProblem::DeclaredTwice { what: "what happens to a card that is dealt".to_string() }.at(body.span));
        }
        self.rules.dealt = Some((card, block));
    }

    /// Checks what follows from something, which the block knows by these names.
    fn check_consequence<const N: usize>(&mut self, prefix: &str, names: [(&Name, Type); N], body: &ast::Body) -> ([BindingId; N], Block) {
        self.question_prefix = prefix.to_string();
        self.with_own_scope(|checker| (names.map(|(name, ty)| checker.bind(&name.text, ty)), checker.check_block(body)))
    }

    fn check_set_up(&mut self, parts: &ast::Block<PhasePart>) {
        self.question_prefix = "setup".to_string();
        for part in &parts.items {
            match part {
                PhasePart::Statement(statement) => {
                    let made = self.with_own_scope(|checker| checker.check_statement(statement));
                    self.rules.setup.extend(made);
                }
                PhasePart::Step(step) => {
                    if let Some(when) = &step.when {
                        self.report(RuleProblem::StepOfSetUp.at(when.condition.span));
                    }
                    let block = self.check_block(&step.body);
                    self.rules.setup.extend(block);
                }
                PhasePart::Turns(ast::Turns { span, .. })
                | PhasePart::BeforeFirstAction(ast::TurnStart { span, .. })
                | PhasePart::BeforeEachTurn(ast::TurnStart { span, .. })
                | PhasePart::AfterEachTurn(ast::TurnStart { span, .. })
                | PhasePart::Action(ast::Action { span, .. }) => self.report(RuleProblem::NotInSetUp.at(*span)),
            }
        }
    }

    fn check_rounds(&mut self, tree: &'t ast::Rules) {
        let of_rounds = |declaration: &'t ast::Declaration| {
            if let DeclarationKind::Rounds(rounds) = &declaration.kind { Some(rounds) } else { None }
        };
        let mut rounds = tree.declarations.iter().filter_map(of_rounds);
        let phases = rounds.clone().next().map(|rounds| rounds.phases.as_slice());
        if phases.is_none() && !self.rules.defs.is_suspect("rounds") && tree.broken.is_empty() {
            let first = tree.declarations.first().map(|declaration| declaration.span);
            self.report(RuleProblem::NoRounds.at(first));
        }
        let until = rounds.find_map(|rounds| rounds.until.as_ref());
        self.rules.until = until.map(|until| self.check_expr(until, &[Type::Truth]));
        let mut declared: Vec<(&'t Name, Option<&'t ast::Expr>, &'t ast::Block<PhasePart>, Span)> = Vec::new();
        for declaration in &tree.declarations {
            if let DeclarationKind::Phase { name, until, parts } = &declaration.kind
                && self.declare(Space::Phase, &name.text, DefKind::Phase, name.span).is_some()
            {
                declared.push((name, until.as_ref(), parts, declaration.span));
            }
        }
        let wanted = phases.unwrap_or(&[]);
        for name in wanted {
            match declared.iter().find(|phase| phase.0.text == name.text) {
                Some((name, until, parts, _)) => {
                    let phase = self.check_phase(name, *until, parts);
                    self.rules.phases.push(phase);
                }
                None => self.report_unknown(&name.text, name.span, "a phase", &[Space::Phase]),
            }
        }
        for (name, until, parts, span) in declared {
            if !wanted.iter().any(|wanted| wanted.text == name.text) {
                if phases.is_some() {
                    self.report(RuleProblem::PhaseInNoRound { name: name.text.clone() }.at(span));
                }
                // A phase that no round lists is checked as well.
                self.check_phase(name, until, parts);
            }
        }
    }

    fn check_phase(&mut self, name: &Name, until: Option<&ast::Expr>, block: &ast::Block<PhasePart>) -> Phase {
        let mut parts = Vec::new();
        let until = until.map(|until| self.check_condition(until));
        // A line that failed to parse may have been the `turns` line.
        let has_turns = !block.broken.is_empty() || block.items.iter().any(|part| matches!(part, PhasePart::Turns(_)));
        for part in &block.items {
            match part {
                PhasePart::Step(step) => parts.push(typed::PhasePart::Step(self.check_step(&name.text, step))),
                PhasePart::Turns(turns) => parts.extend(self.check_turns(&name.text, turns, block).map(typed::PhasePart::Turns)),
                PhasePart::Statement(statement) => {
                    self.question_prefix.clone_from(&name.text);
                    let made = self.with_own_scope(|checker| checker.check_statement(statement));
                    parts.extend(made.map(typed::PhasePart::Do));
                }
                PhasePart::BeforeFirstAction(ast::TurnStart { span, .. })
                | PhasePart::BeforeEachTurn(ast::TurnStart { span, .. })
                | PhasePart::AfterEachTurn(ast::TurnStart { span, .. })
                | PhasePart::Action(ast::Action { span, .. }) => {
                    if !has_turns {
                        self.report(RuleProblem::NoTurns { phase: name.text.clone() }.at(*span));
                    }
                }
            }
        }
        Phase { name: name.text.clone(), until, parts }
    }

    fn check_step(&mut self, phase: &str, step: &ast::Step) -> Step {
        let address = format!("{phase}.{}", step.name.text);
        self.declare(Space::Step, &address, DefKind::Step, step.name.span);
        let when = step.when.as_ref().map(|when| {
            let condition = self.check_condition(&when.condition);
            let span = condition.span;
            if when.unless { condition.not(span) } else { condition }
        });
        self.question_prefix.clone_from(&step.name.text);
        Step { name: step.name.text.clone(), when, block: self.check_block(&step.body) }
    }

    // ------------------------------------------------------------------ turns

    fn check_turns(&mut self, phase: &str, turns: &ast::Turns, block: &ast::Block<PhasePart>) -> Option<Turns> {
        let (all_have, until) = turns.until.as_ref().map_or((None, None), |until| (until.all_have.as_ref(), until.condition.as_ref()));
        let passed = all_have.and_then(|flag| {
            self.resolve_sort(flag, "a flag of the player", |what| {
                matches!(what, DefKind::Variable { sort: VariableSort::Flag, owner: Owner::Player, .. })
            })
        });
        let until = until.map(|until| self.check_condition(until));
        if turns.until.is_none() && !turns.skipping {
            self.report(RuleProblem::TurnsEndless.at(turns.span));
        }
        let actions_each = turns.each.as_ref().map(|each| self.check_expr(each, &[Type::Number]));
        let counted = turns.counted.as_ref().and_then(|counter| {
            self.resolve_sort(counter, "a counter of the player", |what| {
                matches!(what, DefKind::Variable { sort: VariableSort::Counter, owner: Owner::Player, .. })
            })
        });
        let mut around: [Option<(Block, Span)>; 3] = [None, None, None];
        for part in &block.items {
            let (at, what, name, question, start) = match part {
                PhasePart::BeforeFirstAction(start) => (0, "before the first action", "before", "first", start),
                PhasePart::BeforeEachTurn(start) => (1, "before each turn", "each_turn", "each_turn", start),
                PhasePart::AfterEachTurn(start) => (2, "after each turn", "after_turn", "after_turn", start),
                PhasePart::Step(_) | PhasePart::Turns(_) | PhasePart::Action(_) | PhasePart::Statement(_) => continue,
            };
            let first = around[at].as_ref().map(|(_, first)| *first);
            if let Some(first) = first {
                self.report(RuleProblem::TurnsSayTwice { what, address: format!("{phase}.{name}"), first }.at(start.span));
            }
            if at == 0 && turns.counted.is_none() {
                self.report(RuleProblem::TurnsUncounted.at(start.span));
            }
            self.question_prefix = format!("{phase}.{question}");
            around[at] = Some((self.check_block(&start.body), first.unwrap_or(start.span)));
        }
        let [first, each, after] = around.map(|said| said.map(|(block, _)| block));
        let mut actions = Vec::new();
        for part in &block.items {
            if let PhasePart::Action(action) = part {
                actions.extend(self.with_own_scope(|checker| checker.check_action(action)));
            }
        }
        if all_have.is_some() && passed.is_none() {
            return None;
        }
        let made = Turns { passed, until, skips: turns.skipping, counted, span: turns.span, actions_each, first, each, after, actions };
        self.report_stuck_turns(&made);
        Some(made)
    }

    fn check_action(&mut self, action: &ast::Action) -> Option<Choice> {
        self.declare(Space::Action, &action.name.text, DefKind::Action, action.name.span);
        self.question_prefix.clone_from(&action.name.text);
        let (params, when) = choice::check_params(self, &action.params, "an action");
        let text = action.text.as_ref().map(|text| (text, choice::check_key_text(self, text, &action.params)));
        if let Some((text, None)) = &text {
            self.report(RuleProblem::TextOfOneWord.at(text.span));
        }
        let (text, name) = (text.and_then(|(_, parts)| parts), action.name.text.clone());
        let mut made = Choice { text, free: action.free, params: params?, when, ..Choice::new(name, action.span) };
        let mut does = false;
        for part in &action.parts.items {
            choice::check_guard_or_cost(self, part, &mut made);
            if let ActionPart::Does { body, span } = part {
                if does {
                    self.report(RuleProblem::DeclaredTwice { what: "`does` of this action".to_string() }.at(*span));
                }
                does = true;
                let block = self.check_block(body);
                made.body.extend(block);
            }
        }
        if !does && action.parts.broken.is_empty() {
            self.report(RuleProblem::DoesNothing { action: made.name.clone() }.at(action.span));
        }
        choice::check_limits(self, &made, &action.parts.items, ("an action", "let `does` pay the rest"));
        Some(made)
    }

    /// Checks the cost of an action, in the rules or on a card.
    pub fn check_cost(&mut self, cost: &ast::Cost) -> Option<Cost> {
        if let Some(ast::Pools { from, to }) = &cost.pools {
            return self.check_price(&cost.amount, &cost.what, (from, to)).map(Cost::Tokens);
        }
        let amount = self.check_expr(&cost.amount, &[Type::Number]);
        let resource = self.check_resource(&cost.what);
        if let ExprKind::Const(resource) = resource.kind {
            return Some(Cost::Resource(amount, cast::fit::<u16>(resource)));
        }
        if resource.kind != ExprKind::Poisoned {
            self.report(RuleProblem::MustBePlain { what: "a cost", expected: "in one resource, by its name" }.at(resource.span));
        }
        None
    }

    /// Checks the dimensions of grids and the numbers of tokens.
    pub fn check_sizes(&mut self, grids: Vec<(usize, &'t ast::Expr, &'t ast::Expr)>, counts: Vec<(usize, &'t ast::Expr)>) {
        for (place, rows, columns) in grids {
            let [rows, columns] = self.check_numbers([rows, columns]);
            let room = &mut self.rules.places[place].room;
            *room = match room {
                Room::Hexes(_) => Room::Hexes(rows),
                Room::Grid(.., endless) => Room::Grid(rows, columns, *endless),
                Room::Deck { .. } | Room::Slots(_) | Room::Board(_) => Room::Grid(rows, columns, false),
            };
        }
        for (token, count) in counts {
            self.rules.tokens[token].count = self.check_expr(count, &[Type::Number]);
        }
    }

    /// Checks the first and the last number of tallies by number (`tally boxes by 2 to 12`), and the lowest and the highest number of each
    /// value that has a range.
    pub fn check_ranges(&mut self, tallies: &[(DefId, &ast::Expr, &ast::Expr)], ranges: Vec<(DefId, &ast::ValueRange)>) {
        for &(tally, from, to) in tallies {
            let [from, to] = self.check_numbers([from, to]);
            if from.kind != ExprKind::Poisoned && to.kind != ExprKind::Poisoned {
                self.rules.tally_bounds.insert(tally, (from, to));
            }
        }
        for (value, range) in ranges {
            let [from, to] = self.check_numbers([&range.from, &range.to]);
            self.rules.ranges.insert(value, (from, to));
        }
    }

    /// Warns about turns in which a player might have nothing to do, or which no action that is always allowed ends.
    fn report_stuck_turns(&mut self, turns: &Turns) {
        if turns.skips {
            return;
        }
        // What is done ahead of each turn or behind it may end them whatever action there is.
        let around = [&turns.each, &turns.after].into_iter().flatten();
        let ends_around = turns.passed.is_some_and(|passed| around.into_iter().any(|body| ends(body, passed)));
        let ends = |action: &Choice| ends_around || turns.passed.is_none_or(|passed| ends(&action.body, passed));
        if !actions_are_exhaustive(&turns.actions, &ends) {
            let flag = turns.passed.map(|passed| self.rules.defs[passed].name.clone());
            let always = flag.is_some() && actions_are_exhaustive(&turns.actions, &|_| true);
            self.report(RuleProblem::TurnsWithoutEnd { flag, always }.at(turns.span));
        }
    }
}
