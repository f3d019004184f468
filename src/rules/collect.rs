//! Collects declarations: defines every name before any body is checked. Bodies are kept as references into the syntax tree.

mod boards;
mod kinds;
mod members;
mod tokens;

use super::built_in::why_not_an_id;
use super::defs::{AGENTS, DefId, DefKind, Definitions, FieldType, OptionDef, Owner, Space};
use super::problem::{CardProblem, RuleProblem};
use super::spaces::Spaces;
use super::syntax::ast::{self, DeclarationKind, Name};
use super::syntax::parse_expr;
use super::typed::{self, BoardShape, Rules};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::SymbolId;
use crate::engine::node::Type;
use crate::engine::ruleset::{Check, VariableSort};
use crate::pack::RawCard;
use crate::source::{FileId, Span};
use crate::state::layout::head::MAX_SEATS;
use std::collections::BTreeMap;

/// The body of a definition in the syntax tree.
#[derive(Clone, Copy, Debug)]
pub(super) enum BodySource<'t> {
    /// A constant, definition or condition: parameters and value.
    Value(&'t [Name], &'t ast::Expr),
    /// A quantity: parameters, value and bounds.
    Quantity(&'t [Name], &'t ast::Expr, &'t [ast::Bound]),
    /// A rank: the players with the highest or lowest values.
    Rank(&'t ast::RankRule),
    /// An effect: parameters and statements.
    Effect(&'t [Name], &'t ast::Body),
    /// The number of rounds, and where it is written.
    Rounds(Option<&'t ast::Expr>, Span),
    /// The marker of a track: its name, last step and lines.
    Track(&'t Name, &'t ast::Expr, &'t [ast::TrackStep]),
    /// The rows of the score.
    Score(&'t [ast::ScoreRow]),
    /// A purse: of which words, and its lines.
    Purse(&'t Name, &'t [ast::Means]),
}

/// Maximum number of kinds of cards: a set of kinds is a 64-bit mask.
const MAX_KINDS: usize = 64;

/// The name of the effect that moves the marker of a track.
pub(super) const ADVANCE_EFFECT: &str = "advance";

/// All definitions, with the parts of the syntax tree that are checked later.
#[derive(Debug, Default)]
pub(super) struct Collected<'t> {
    /// The typed tree, which has only definitions so far.
    pub rules: Rules,
    /// The bodies to check, by definition.
    pub sources: BTreeMap<DefId, BodySource<'t>>,
    /// The dimensions of grids, by the index of the place; for a hexagonal map the number of rings twice.
    pub grids: Vec<(usize, &'t ast::Expr, &'t ast::Expr)>,
    /// The first and the last number of tallies by number.
    pub tallies: Vec<(DefId, &'t ast::Expr, &'t ast::Expr)>,
    /// The decks, by the index of the place, whose parts are resolved once all fields and places are defined.
    pub decks: Vec<(usize, &'t ast::MemberKind)>,
    /// The numbers of tokens, by sort.
    pub counts: Vec<(usize, &'t ast::Expr)>,
    /// The block whose members are being defined.
    pub block_on_cards: usize,
    /// The spaces of the boards that have not been defined yet, from the last to the first.
    pub spaces: Vec<(u32, u32, BoardShape)>,
    /// The numbers that values can be.
    pub ranges: Vec<(DefId, &'t ast::ValueRange)>,
    /// The cards of known kinds, as indices into all cards.
    pub cards: Vec<usize>,
    /// All problems found so far.
    pub diagnostics: Vec<Diagnostic>,
}

/// Collects all declarations of rules and cards; the first cards are the spaces of boards.
pub(super) fn collect<'t>(tree: &'t ast::Rules, cards: &[RawCard], spaces: Spaces) -> Collected<'t> {
    let (mut boards, diagnostics) = (spaces.boards, spaces.diagnostics);
    boards.reverse();
    let mut collected = Collected { spaces: boards, diagnostics, ..Collected::default() };
    // The only field that exists in every game: the age of a card.
    let declared = collected.rules.defs.declare(Space::Field, "age", DefKind::Field(FieldType::One(Type::Number)), None);
    collected.note(declared);
    // The order in which names depend on each other: fields name options, rows resources, pools tokens, slots and zones places.
    let passes: [fn(&mut Collected<'t>, &'t ast::Declaration); 5] = [
        Collected::collect_first_pass,
        Collected::define_tokens,
        Collected::define_members,
        Collected::define_kinds,
        Collected::define_named,
    ];
    collected.rules.defs.add_suspects(&tree.broken);
    for pass in passes {
        for declaration in &tree.declarations {
            pass(&mut collected, declaration);
        }
    }
    boards::resolve_parts(&mut collected, tree);
    boards::note_what_is_drawn(&mut collected, tree);
    for declaration in &tree.declarations {
        if let DeclarationKind::Hearing { places } = &declaration.kind {
            collected.mark_hearing(places);
        }
    }
    for (place, card) in cards.iter().enumerate() {
        collected.define_card(place, card);
    }
    collected
}

impl<'t> Collected<'t> {
    fn note<T>(&mut self, result: Result<T, Box<Diagnostic>>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(diagnostic) => {
                // When a limit is exceeded, only the first declaration beyond it is reported.
                let is_bound = matches!(diagnostic.problem(), Some(RuleProblem::TooMany { .. }));
                if !(is_bound && self.diagnostics.iter().any(|known| known.is_same_problem(&diagnostic))) {
                    self.diagnostics.push(*diagnostic);
                }
                None
            }
        }
    }

    /// Defines a name, or reports that it is taken.
    fn declare(&mut self, space: Space, name: &Name, what: DefKind) -> Option<DefId> {
        let declared = self.rules.defs.declare(space, &name.text, what, name.span);
        self.note(declared)
    }

    /// Reports an unknown name, unless a declaration that failed to parse may have declared it.
    fn report_unknown(&mut self, name: &Name, what: &str, spaces: &[Space]) {
        if !self.rules.defs.is_suspect(&name.text) {
            let diagnostic = self.rules.defs.unknown(&name.text, name.span, what, spaces);
            self.diagnostics.push(*diagnostic);
        }
    }

    /// Reports a declaration beyond a limit, and poisons its name so that uses are not reported.
    fn report_excess(&mut self, name: &Name, space: Space, what: &'static str, most: usize) {
        self.rules.defs.poison(space, &name.text, name.span);
        let help = "declare fewer, or let one of them stand for several";
        self.note::<()>(Err(Box::new(RuleProblem::TooMany { whose: "a game", most, what, help }.at(name.span))));
    }

    /// Checks the range of player numbers, from `players 2` or `players 2 to 4`.
    fn check_player_numbers(&mut self, count: &ast::PlayerCount) {
        let (from, to) = (&count.from, count.to.as_ref().unwrap_or(&count.from));
        for number in [from, to] {
            match number.literal() {
                Some(players) if (1..=cast::count(MAX_SEATS)).contains(&players) => {}
                found => {
                    let what = format!("a number of players from 1 to {MAX_SEATS}");
                    let what = found.map_or_else(|| what.clone(), |found| format!("{what}, found {found}"));
                    self.diagnostics.push(RuleProblem::Expected { what, help: Some("write `players 2 to 4`") }.at(number.span));
                    return;
                }
            }
        }
        if from.literal() > to.literal() {
            self.diagnostics.push(RuleProblem::FewestAboveMost.at(from.span.to(to.span)));
        }
    }

    /// Checks the size of teams, from `teams of 2`.
    fn check_team_size(&mut self, size: &ast::Expr) {
        let most = MAX_SEATS / 2;
        match size.literal().and_then(|size| usize::try_from(size).ok()).filter(|size| (2..=most).contains(size)) {
            Some(players) => self.rules.teams = Some((players, size.span)),
            None => {
                let what = format!("how many players a team has, from 2 to {most}");
                self.diagnostics.push(RuleProblem::Expected { what, help: Some("write `teams of 2`") }.at(size.span));
            }
        }
    }

    /// Makes the first pass: the game, its options and constants, the names of kinds, and symbols.
    #[allow(clippy::wildcard_enum_match_arm, reason = "each pass handles some of the declarations")]
    fn collect_first_pass(&mut self, declaration: &'t ast::Declaration) {
        match &declaration.kind {
            DeclarationKind::Game { name, title } => {
                self.rules.game.clone_from(&name.text);
                self.rules.title = title.as_ref().map_or(&name.text, |title| &title.text).clone();
            }
            DeclarationKind::Players(count) => self.check_player_numbers(count),
            DeclarationKind::Teams(size) => self.check_team_size(size),
            DeclarationKind::Option(option) => {
                if let Some(made) = self.define_option(option) {
                    self.declare(Space::Value, &option.name, DefKind::Option(made));
                }
            }
            DeclarationKind::Words { name, words } => self.define_words(name, words),
            DeclarationKind::Constant { name, value } => {
                self.define(name, DefKind::Constant, BodySource::Value(&[], value));
            }
            DeclarationKind::Kind { name, fields } => {
                self.rules.defs.add_suspects(&fields.broken);
                self.define_kind(name);
            }
            DeclarationKind::Board { name, parts, .. } => {
                if let Some(spaces) = self.spaces.pop() {
                    self.define_board(name, parts, spaces);
                }
            }
            DeclarationKind::Symbols { names } => {
                for name in names {
                    match SymbolId::new(self.next_index(|kind| matches!(kind, DefKind::Symbol(_))).into()) {
                        Some(symbol) => _ = self.declare(Space::Symbol, name, DefKind::Symbol(symbol.number())),
                        None => self.report_excess(name, Space::Symbol, "symbols", SymbolId::MAX),
                    }
                }
            }
            _ => {}
        }
    }

    /// Defines a kind of cards or spaces, and returns its index.
    fn define_kind(&mut self, name: &Name) -> Option<u16> {
        let kind = cast::fit::<u16>(self.rules.kinds.len());
        if usize::from(kind) >= MAX_KINDS {
            self.report_excess(name, Space::Kind, "kinds", MAX_KINDS);
            return None;
        }
        let def = self.declare(Space::Kind, name, DefKind::Kind(kind))?;
        self.rules.kinds.push(typed::Kind { def, slot: None, fields: Vec::new() });
        Some(kind)
    }

    /// Defines a type of words.
    fn define_words(&mut self, name: &Name, words: &[Name]) {
        for (at, word) in words.iter().enumerate() {
            if words[..at].iter().any(|known| known.text == word.text) {
                self.diagnostics.push(RuleProblem::DeclaredTwice { what: format!("word `{}`", word.text) }.at(word.span));
            }
        }
        for word in words {
            if let Some(what) = why_not_an_id(&word.text) {
                self.diagnostics.push(RuleProblem::ReservedWord { word: word.text.clone(), what }.at(word.span));
            }
        }
        if let "resource" | "kind" | "player" = name.text.as_str() {
            self.diagnostics.push(RuleProblem::NameTaken { name: name.text.clone(), by: None }.at(name.span));
            return;
        }
        let list = self.rules.defs.add_list(words.iter().map(|word| word.text.clone()).collect());
        self.declare(Space::Words, name, DefKind::Words(list));
    }

    fn define_option(&mut self, option: &ast::OptionDecl) -> Option<OptionDef> {
        let several = matches!(option.values.choices, ast::OptionChoices::Several(_));
        let mut numeric = false;
        let values: Vec<String> = match &option.values.choices {
            ast::OptionChoices::One(names) | ast::OptionChoices::Several(names) => names.iter().map(|name| name.text.clone()).collect(),
            ast::OptionChoices::Range { from, to } => {
                numeric = true;
                match (from.literal(), to.literal()) {
                    (Some(from), Some(to)) if from <= to && to - from < 1000 => (from..=to).map(|n| n.to_string()).collect(),
                    _ => {
                        self.diagnostics.push(RuleProblem::RangeDown.at(from.span.to(to.span)));
                        return None;
                    }
                }
            }
        };
        if let Some(bad) = option.values.default.iter().find(|name| !values.contains(&name.text)) {
            let (what, known) = (format!("a value of `{}`", option.name.text), values.iter().map(String::as_str));
            self.diagnostics.extend(self.rules.defs.missing(&bad.text, bad.span, &what, known));
            return None;
        }
        let mut default: Vec<String> = option.values.default.iter().map(|name| name.text.clone()).collect();
        if default.is_empty() {
            default.extend(values.first().cloned());
        }
        let list = self.rules.defs.add_list(values.clone());
        Some(OptionDef { values, numeric, several, each_player: option.values.each_player, default, list })
    }

    /// Defines definitions, quantities, ranks, conditions and effects.
    #[allow(clippy::wildcard_enum_match_arm, reason = "each pass handles some of the declarations")]
    fn define_named(&mut self, declaration: &'t ast::Declaration) {
        match &declaration.kind {
            DeclarationKind::Define { name, params, value } => self.define(name, DefKind::Define, BodySource::Value(params, value)),
            DeclarationKind::Changeable { name, params, value, bounds } => {
                self.define_quantity(name, false, BodySource::Quantity(params, value, bounds))
            }
            DeclarationKind::Stat { name, params, value, bounds } => {
                self.define_quantity(name, true, BodySource::Quantity(params, value, bounds))
            }
            DeclarationKind::Rank { name, rule } => {
                let index = self.next_index(|kind| matches!(kind, DefKind::Rank(_)));
                self.define(name, DefKind::Rank(index), BodySource::Rank(rule))
            }
            DeclarationKind::Purse { name, of, means } => {
                self.rules.defs.add_suspects(&means.broken);
                self.define(name, DefKind::Purse, BodySource::Purse(of, &means.items))
            }
            DeclarationKind::Condition { name, value } => {
                let name = Name { text: name.text().to_string(), span: name.span() };
                if !reads_as_words(&name.text) {
                    self.diagnostics.push(RuleProblem::ConditionReadsOtherwise { name: name.text.clone() }.at(name.span));
                }
                self.define(&name, DefKind::Condition, BodySource::Value(&[], value))
            }
            DeclarationKind::Effect { name, params, body } => self.define_effect(name, BodySource::Effect(params, body)),
            DeclarationKind::Rounds(rounds) => {
                let name = Name { text: "rounds_left".to_string(), span: declaration.span };
                self.define(&name, DefKind::Standing, BodySource::Rounds(rounds.count.as_ref(), declaration.span))
            }
            DeclarationKind::Score(rows) => {
                let name = Name { text: "score".to_string(), span: declaration.span };
                self.define(&name, DefKind::Standing, BodySource::Score(&rows.items))
            }
            DeclarationKind::Track { name, end, steps } => self.define_track(name, end, steps),
            DeclarationKind::Moments(told) => {
                self.rules.defs.add_suspects(&told.broken);
                for moment in &told.items {
                    let index = cast::fit::<u16>(self.rules.moment_docs.len());
                    if self.declare(Space::Moment, &moment.name, DefKind::Moment(index)).is_some() {
                        self.rules.moment_docs.push((moment.name.text.clone(), moment.text.text.clone()));
                    }
                }
                None
            }
            DeclarationKind::Rival { name, rows, .. } => {
                self.rules.defs.add_suspects(&rows.broken);
                for (row, key) in rows.items.iter().flat_map(|row| row.keys.iter().map(move |key| (row, key))) {
                    let key = Name { text: format!("{}.{}", name.text, key.text), span: key.span };
                    self.define(&key, DefKind::Define, BodySource::Value(&[], &row.value));
                }
                None
            }
            DeclarationKind::Agents(lines) => {
                self.rules.defs.add_suspects(&lines.broken);
                for line in &lines.items {
                    if let DeclarationKind::Define { name, params, value } = &line.kind {
                        let name = Name { text: format!("{AGENTS}{}", name.text), span: name.span };
                        self.define(&name, DefKind::Define, BodySource::Value(params, value));
                    }
                }
                None
            }
            _ => None,
        };
    }

    /// Defines a value or an effect whose body is checked later.
    fn define(&mut self, name: &Name, what: DefKind, source: BodySource<'t>) -> Option<DefId> {
        let id = self.declare(Space::Value, name, what)?;
        self.sources.insert(id, source);
        Some(id)
    }

    /// Returns the index of the next definition of a sort.
    fn next_index(&self, is_of_sort: impl Fn(&DefKind) -> bool) -> u16 {
        cast::fit::<u16>(self.rules.defs.all().filter(|(_, one)| is_of_sort(&one.kind)).count())
    }

    fn define_effect(&mut self, name: &Name, source: BodySource<'t>) -> Option<DefId> {
        let index = self.next_index(|kind| matches!(kind, DefKind::Effect(_)));
        self.define(name, DefKind::Effect(index), source)
    }

    fn define_quantity(&mut self, name: &Name, stat: bool, source: BodySource<'t>) -> Option<DefId> {
        let index = self.next_index(|kind| matches!(kind, DefKind::Quantity { .. }));
        let id = self.define(name, DefKind::Quantity { index, stat }, source)?;
        // The value that a stat is ranked by is a quantity of its own, which cards can change.
        for bound in if let BodySource::Quantity(_, _, bounds) = source { bounds } else { &[] } {
            if let ast::Bound::RankedAs(value) = bound {
                let name = Name { text: format!("{}.rank", name.text), span: value.span };
                self.define_quantity(&name, false, BodySource::Quantity(&[], value, &[]));
            }
        }
        Some(id)
    }

    /// Defines a track: a counter of the player, an effect for each line, and an effect that moves the marker.
    fn define_track(&mut self, name: &'t Name, end: &'t ast::Expr, steps: &'t ast::Block<ast::TrackStep>) -> Option<DefId> {
        self.rules.defs.add_suspects(&steps.broken);
        let counter = self.declare(Space::Value, name, DefKind::counter_of(Owner::Player))?;
        let effect = |last: &str, span| Name { text: format!("{}.{last}", name.text), span };
        self.define_effect(&effect(ADVANCE_EFFECT, name.span), BodySource::Track(name, end, &steps.items));
        for step in &steps.items {
            self.define_effect(&effect(&step.when.name(), step.span), BodySource::Effect(&[], &step.body));
        }
        Some(counter)
    }

    fn define_card(&mut self, place: usize, card: &RawCard) {
        let defs = &mut self.rules.defs;
        let kind = defs.kind(&card.kind.text);
        let board = kind.and_then(|kind| self.rules.boards.iter().find(|board| board.kind == kind));
        let is_space = board.is_some_and(|board| board.cards().contains(&cast::fit::<u32>(place)));
        if let Some(board) = board.filter(|_| !is_space) {
            let declared = board.span;
            self.diagnostics.push(CardProblem::CardOfBoard { board: card.kind.text.clone(), declared }.at(card.kind.span));
            defs.poison(Space::Card, &card.id.text, card.id.span);
            return;
        }
        if is_space && let Some(known) = defs.find_declared(Space::Value, &card.id.text).filter(|_| !card.id.text.contains('.')) {
            let by = defs[known].span.map(|place| (place, defs[known].kind.describe()));
            self.diagnostics.push(RuleProblem::NameTaken { name: card.id.text.clone(), by }.at(card.id.span));
        }
        if kind.is_none() {
            if !defs.is_suspect(&card.kind.text) {
                let (kind, suggestion) = (card.kind.text.clone(), defs.suggest(&card.kind.text, defs.names(Space::Kind)));
                self.diagnostics.push(CardProblem::UnknownKind { kind, suggestion }.at(card.kind.span));
            }
            defs.poison(Space::Card, &card.id.text, card.id.span);
            return;
        }
        // Counters that the card itself starts with are declared as counters on cards.
        for (name, _) in &card.counters {
            if defs.find(Space::Counter, &name.text).is_none()
                && let Err(diagnostic) = defs.declare(Space::Counter, &name.text, DefKind::counter_of(Owner::Card), name.span)
            {
                self.diagnostics.push(*diagnostic);
            }
        }
        if let Some(what) = why_not_an_id(&card.id.text) {
            self.diagnostics.push(CardProblem::ReservedId { id: card.id.text.clone(), what }.at(card.id.span));
        }
        let number = DefKind::Card(cast::fit::<u32>(self.cards.len()));
        let declared = defs.declare(Space::Card, &card.id.text, number, card.id.span);
        if self.note(declared).is_some() {
            self.cards.push(place);
        }
    }

    /// Returns the places for cards that a name stands for: one, or all of a zone. An unknown name is reported, and so is a board.
    fn places_named(&mut self, name: &Name) -> Vec<DefId> {
        let Some(mut places) = self.rules.defs.places_named(&name.text) else {
            self.report_unknown(name, "a place or zone", &[Space::Value]);
            return Vec::new();
        };
        if places.iter().any(|place| self.rules.board_of_place(*place).is_some()) {
            self.diagnostics.push(RuleProblem::SpacesAreNoCards { board: name.text.clone() }.at(name.span));
            places.clear();
        }
        places
    }

    fn mark_hearing(&mut self, places: &[Name]) {
        for place in places.iter().flat_map(|name| self.places_named(name)).collect::<Vec<_>>() {
            if let DefKind::Place { index, .. } = self.rules.defs[place].kind {
                self.rules.places[index as usize].hearing = true;
            }
        }
    }

    /// Collects state-based checks, which go through all cards in listening places.
    pub(super) fn collect_checks(&mut self, checks: &ast::Block<ast::Check>) {
        for line in checks.items.iter().flat_map(|check| &check.body.items) {
            let (zone, check) = match &line.kind {
                ast::CheckKind::Leaving { zone } => (zone, Check::Leaving),
                ast::CheckKind::Room { zone } => (zone, Check::Room),
            };
            if self.rules.defs.places_named(&zone.text).is_none() {
                self.report_unknown(zone, "a place or zone", &[Space::Value]);
            }
            self.rules.checks.push(check);
        }
    }
}

impl Definitions {
    /// Returns the places that a name stands for: a single place, or all places of a zone. `None` if it is neither.
    pub(super) fn places_named(&self, name: &str) -> Option<Vec<DefId>> {
        let id = self.find(Space::Value, name)?;
        if let DefKind::Zone(places) = &self[id].kind {
            return Some(places.clone());
        }
        matches!(self[id].kind, DefKind::Place { .. }).then(|| vec![id])
    }

    /// Returns whether a variable is a set or a tally, and what its words stand for; `None` for other variables.
    pub(super) fn words_of(&self, id: DefId) -> Option<(VariableSort, Type)> {
        let DefKind::Variable { sort, over, .. } = self[id].kind else { return None };
        Some((sort, over.filter(|_| matches!(sort, VariableSort::Set | VariableSort::Tally))?))
    }
}

/// Whether rules that use a condition of this name read its words as a name.
fn reads_as_words(name: &str) -> bool {
    let read = parse_expr(FileId(0), name, 0, &mut Vec::new());
    read.is_some_and(|read| matches!(*read.kind, ast::ExprKind::Words(_) | ast::ExprKind::Name(_)))
}
