//! Declarations become definitions: every name with what it is, before any body is read. The bodies are read when they are wanted.

mod kinds;
mod members;
mod tokens;

use super::built_in::cannot_be_an_id;
use super::defs::{AGENTS, DefId, DefKind, Definitions, FieldType, OptionDef, Over, Owner, Space};
use super::problem::{CardProblem, Problem, Wrong};
use super::syntax::ast::{self, DeclarationKind, Name};
use super::typed::{self, Rules};
use crate::cast;
use crate::diagnostic::Diagnostic;
use crate::engine::ids::SymbolId;
use crate::engine::ruleset::{Check, Lifetime, VariableSort};
use crate::pack::RawCard;
use crate::source::Span;
use crate::state::layout::head::MAX_SEATS;
use std::collections::BTreeMap;

/// The body of a definition as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source<'t> {
    /// A constant, definition or condition.
    Value(&'t [Name], &'t ast::Expr),
    /// A quantity.
    Quantity(&'t [Name], &'t ast::Expr, &'t [ast::Bound]),
    /// A rank.
    Rank(&'t ast::RankRule),
    /// An effect.
    Effect(&'t [Name], &'t ast::Body),
    /// How many rounds, and where it stands.
    Rounds(Option<&'t ast::Expr>, Span),
    /// How the marker of a track moves.
    Track(&'t Name, &'t ast::Expr, &'t [ast::TrackStep]),
    /// The rows of the score.
    Score(&'t [ast::ScoreRow]),
}

/// Kinds are bits of a set.
const MAX_KINDS: usize = 64;

/// The effect that moves the marker of a track.
pub(super) const ADVANCING: &str = "advance";

/// Definitions, and what of them is still to be read.
#[derive(Debug, Default)]
pub(super) struct Collected<'t> {
    /// The rules, with their names.
    pub rules: Rules,
    /// Bodies.
    pub sources: BTreeMap<DefId, Source<'t>>,
    /// The sides of grids, by place; for a map twice its rings.
    pub grids: Vec<(usize, &'t ast::Expr, &'t ast::Expr)>,
    /// What decks are by and what their cards must fulfil, by place.
    pub decks: Vec<(usize, Option<&'t Name>, Option<&'t ast::Expr>)>,
    /// How many tokens there are, by sort.
    pub counts: Vec<(usize, &'t ast::Expr)>,
    /// The cards of known kinds, by their place among all.
    pub cards: Vec<usize>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Collects what rules and cards declare.
pub(super) fn collect<'t>(tree: &'t ast::Rules, cards: &[RawCard]) -> Collected<'t> {
    let mut collected = Collected::default();
    collected.built_in();
    // The order in which things can be named: options by fields, resources by rows, tokens by pools, places by slots and zones.
    let passes: [fn(&mut Collected<'t>, &'t ast::Declaration); 5] =
        [Collected::first, Collected::tokens, Collected::members, Collected::kinds, Collected::named];
    for broken in &tree.broken {
        collected.rules.defs.suspect(broken);
    }
    for pass in passes {
        for declaration in &tree.declarations {
            pass(&mut collected, declaration);
        }
    }
    for declaration in &tree.declarations {
        if let DeclarationKind::Hearing { places } = &declaration.kind {
            collected.hearing(places);
        }
    }
    for (place, card) in cards.iter().enumerate() {
        collected.card(place, card);
    }
    collected
}

impl<'t> Collected<'t> {
    fn note<T>(&mut self, result: Result<T, Wrong>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(wrong) => {
                // Of what there is too much of, the first one too many is reported.
                let is_bound = matches!(wrong.problem(), Some(Problem::TooMany { .. }));
                if !(is_bound && self.diagnostics.iter().any(|known| known.is_same_problem(&wrong))) {
                    self.diagnostics.push(*wrong);
                }
                None
            }
        }
    }

    /// Declares a name, or says that it is there already.
    fn declare(&mut self, space: Space, name: &Name, what: DefKind) -> Option<DefId> {
        let declared = self.rules.defs.declare(space, &name.text, what, name.span);
        self.note(declared)
    }

    /// Reports a name that nothing has, unless a declaration that could not be read may declare it.
    fn unknown(&mut self, name: &Name, what: &str, spaces: &[Space]) {
        if !self.rules.defs.is_suspect(&name.text) {
            let wrong = self.rules.defs.unknown(&name.text, name.span, what, spaces);
            self.diagnostics.push(*wrong);
        }
    }

    /// Reports a name that is one more of its sort than there can be, once; its uses are not reported.
    fn one_too_many(&mut self, name: &Name, space: Space, what: &'static str, most: usize) {
        self.rules.defs.poison(space, &name.text, name.span);
        let help = "declare fewer, or let one of them stand for several";
        self.note::<()>(Err(Box::new(Problem::TooMany { whose: "a game", most, what, help }.at(name.span))));
    }

    fn unknown_of(&mut self, name: &Name, what: &str, known: &[impl AsRef<str>]) {
        if !self.rules.defs.is_suspect(&name.text) {
            let wrong = self.rules.defs.unknown_of(&name.text, name.span, what, known.iter().map(AsRef::as_ref));
            self.diagnostics.push(*wrong);
        }
    }

    /// What is there in every game: the age of a card.
    fn built_in(&mut self) {
        let declared = self.rules.defs.declare(Space::Field, "age", DefKind::Field(FieldType::Number), None);
        self.note(declared);
    }

    /// How many can play: a number, or from one number to another.
    fn numbers_of_players(&mut self, count: &ast::PlayerCount) {
        let (from, to) = (&count.from, count.to.as_ref().unwrap_or(&count.from));
        for number in [from, to] {
            match number.literal() {
                Some(players) if (1..=cast::count(MAX_SEATS)).contains(&players) => {}
                found => {
                    let what = format!("a number of players from 1 to {MAX_SEATS}");
                    let what = found.map_or_else(|| what.clone(), |found| format!("{what}, found {found}"));
                    self.diagnostics.push(Problem::Expected { what, help: Some("write `players 2 to 4`") }.at(number.span));
                    return;
                }
            }
        }
        if from.literal() > to.literal() {
            self.diagnostics.push(Problem::FewestAboveMost.at(from.span.to(to.span)));
        }
    }

    /// The game, its options and constants, the names of kinds, symbols.
    #[allow(clippy::wildcard_enum_match_arm, reason = "a pass takes what is its own")]
    fn first(&mut self, declaration: &'t ast::Declaration) {
        match &declaration.kind {
            DeclarationKind::Game { name, title } => {
                self.rules.game.clone_from(&name.text);
                self.rules.title = title.as_ref().map_or(&name.text, |title| &title.text).clone();
            }
            DeclarationKind::Players(count) => self.numbers_of_players(count),
            DeclarationKind::Option(option) => {
                let made = self.option(option);
                if let Some(made) = made {
                    self.declare(Space::Value, &option.name, DefKind::Option(made));
                }
            }
            DeclarationKind::Constant { name, value } => {
                if let Some(id) = self.declare(Space::Value, name, DefKind::Constant) {
                    self.sources.insert(id, Source::Value(&[], value));
                }
            }
            DeclarationKind::Kind { name, fields } => {
                self.rules.defs.suspect_all(&fields.broken);
                let index = self.rules.kinds.len();
                if index >= MAX_KINDS {
                    self.one_too_many(name, Space::Kind, "kinds", MAX_KINDS);
                } else if let Some(def) = self.declare(Space::Kind, name, DefKind::Kind(cast::fit::<u16>(index))) {
                    self.rules.kinds.push(typed::Kind { def, slot: None, fields: Vec::new() });
                }
            }
            DeclarationKind::Symbols { names } => {
                for name in names {
                    let index = self.rules.defs.all().filter(|(_, one)| matches!(one.what, DefKind::Symbol(_))).count();
                    match SymbolId::new(index) {
                        Some(symbol) => _ = self.declare(Space::Symbol, name, DefKind::Symbol(symbol.number())),
                        None => self.one_too_many(name, Space::Symbol, "symbols", SymbolId::MAX),
                    }
                }
            }
            _ => {}
        }
    }

    fn option(&mut self, option: &ast::OptionDecl) -> Option<OptionDef> {
        let several = matches!(option.values.choices, ast::OptionChoices::Several(_));
        let mut numeric = false;
        let values: Vec<String> = match &option.values.choices {
            ast::OptionChoices::One(names) | ast::OptionChoices::Several(names) => names.iter().map(|name| name.text.clone()).collect(),
            ast::OptionChoices::Range { from, to } => {
                numeric = true;
                match (from.literal(), to.literal()) {
                    (Some(from), Some(to)) if from <= to && to - from < 1000 => (from..=to).map(|n| n.to_string()).collect(),
                    _ => {
                        self.diagnostics.push(Problem::RangeDown.at(from.span.to(to.span)));
                        return None;
                    }
                }
            }
        };
        if let Some(bad) = option.values.default.iter().find(|name| !values.contains(&name.text)) {
            self.unknown_of(bad, &format!("a value of `{}`", option.name.text), &values);
            return None;
        }
        let mut default: Vec<String> = option.values.default.iter().map(|name| name.text.clone()).collect();
        if default.is_empty() {
            default.extend(values.first().cloned());
        }
        let list = self.rules.defs.add_list(values.clone());
        Some(OptionDef { values, numeric, several, each_player: option.values.each_player, default, list })
    }

    /// Definitions, quantities, ranks, conditions and effects.
    #[allow(clippy::wildcard_enum_match_arm, reason = "a pass takes what is its own")]
    fn named(&mut self, declaration: &'t ast::Declaration) {
        let (id, source) = match &declaration.kind {
            DeclarationKind::Define { name, params, value } => {
                (self.declare(Space::Value, name, DefKind::Define), Source::Value(params, value))
            }
            DeclarationKind::Changeable { name, params, value, bounds } => {
                (self.quantity(name, false), Source::Quantity(params, value, bounds))
            }
            DeclarationKind::Stat { name, params, value, bounds } => (self.quantity(name, true), Source::Quantity(params, value, bounds)),
            DeclarationKind::Rank { name, rule } => {
                let index = self.rules.defs.all().filter(|(_, one)| matches!(one.what, DefKind::Rank(_))).count();
                (self.declare(Space::Value, name, DefKind::Rank(cast::fit::<u16>(index))), Source::Rank(rule))
            }
            DeclarationKind::Condition { name, value } => {
                let name = Name { text: name.text().to_string(), span: name.span() };
                (self.declare(Space::Value, &name, DefKind::Condition), Source::Value(&[], value))
            }
            DeclarationKind::Effect { name, params, body } => {
                let index = self.rules.defs.all().filter(|(_, one)| matches!(one.what, DefKind::Effect(_))).count();
                (self.declare(Space::Value, name, DefKind::Effect(cast::fit::<u16>(index))), Source::Effect(params, body))
            }
            DeclarationKind::Rounds(rounds) => {
                let name = Name { text: "rounds_left".to_string(), span: declaration.span };
                (self.declare(Space::Value, &name, DefKind::Standing), Source::Rounds(rounds.count.as_ref(), declaration.span))
            }
            DeclarationKind::Moments(told) => {
                self.rules.defs.suspect_all(&told.broken);
                for moment in &told.items {
                    let index = cast::fit::<u16>(self.rules.told_moments.len());
                    if self.declare(Space::Moment, &moment.name, DefKind::Moment(index)).is_some() {
                        self.rules.told_moments.push((moment.name.text.clone(), moment.text.text.clone()));
                    }
                }
                return;
            }
            DeclarationKind::Track { name, end, steps } => {
                self.track(name, end, steps);
                return;
            }
            DeclarationKind::Rival { name, rows, .. } => {
                self.rules.defs.suspect_all(&rows.broken);
                for row in &rows.items {
                    for key in &row.keys {
                        let key = Name { text: format!("{}.{}", name.text, key.text), span: key.span };
                        if let Some(id) = self.declare(Space::Value, &key, DefKind::Define) {
                            self.sources.insert(id, Source::Value(&[], &row.value));
                        }
                    }
                }
                return;
            }
            DeclarationKind::Agents(lines) => {
                self.rules.defs.suspect_all(&lines.broken);
                for line in &lines.items {
                    if let DeclarationKind::Define { name, params, value } = &line.kind {
                        let name = Name { text: format!("{AGENTS}{}", name.text), span: name.span };
                        if let Some(id) = self.declare(Space::Value, &name, DefKind::Define) {
                            self.sources.insert(id, Source::Value(params, value));
                        }
                    }
                }
                return;
            }
            DeclarationKind::Score(rows) => {
                let name = Name { text: "score".to_string(), span: declaration.span };
                (self.declare(Space::Value, &name, DefKind::Standing), Source::Score(&rows.items))
            }
            _ => return,
        };
        if let Some(id) = id {
            self.sources.insert(id, source);
        }
        // What a stat is ranked by is a quantity of its own, which cards may change.
        if let (Some(id), Source::Quantity(_, _, bounds)) = (id, source) {
            for bound in bounds {
                if let ast::Bound::RankedAs(value) = bound {
                    let one = &self.rules.defs[id];
                    let name = Name { text: format!("{}.rank", one.name), span: value.span };
                    if let Some(ranked) = self.quantity(&name, false) {
                        self.sources.insert(ranked, Source::Quantity(&[], value, &[]));
                    }
                }
            }
        }
    }

    /// A track: a counter of the player, an effect for each of its steps, and one that moves the marker.
    fn track(&mut self, name: &'t Name, end: &'t ast::Expr, steps: &'t ast::Block<ast::TrackStep>) {
        self.rules.defs.suspect_all(&steps.broken);
        let counter =
            DefKind::Variable { owner: Owner::Player, sort: VariableSort::Counter, lifetime: Lifetime::Game, over: None, resource: 0 };
        if self.declare(Space::Value, name, counter).is_none() {
            return;
        }
        let named = |step: &'t ast::TrackStep| (step.when.name(), step.span, Some(&step.body));
        for (last, span, body) in [(ADVANCING.to_string(), name.span, None)].into_iter().chain(steps.items.iter().map(named)) {
            let index = self.rules.defs.all().filter(|(_, one)| matches!(one.what, DefKind::Effect(_))).count();
            let effect = Name { text: format!("{}.{last}", name.text), span };
            if let Some(id) = self.declare(Space::Value, &effect, DefKind::Effect(cast::fit::<u16>(index))) {
                self.sources.insert(id, body.map_or(Source::Track(name, end, &steps.items), |body| Source::Effect(&[], body)));
            }
        }
    }

    fn quantity(&mut self, name: &Name, stat: bool) -> Option<DefId> {
        let index = self.rules.defs.all().filter(|(_, one)| matches!(one.what, DefKind::Quantity { .. })).count();
        self.declare(Space::Value, name, DefKind::Quantity { index: cast::fit::<u16>(index), stat })
    }

    fn card(&mut self, place: usize, card: &RawCard) {
        let defs = &mut self.rules.defs;
        if defs.kind(&card.kind.text).is_some() {
            // Numbers of its own are counters on cards.
            for (name, _) in &card.counters {
                let what = DefKind::Variable {
                    owner: Owner::Card,
                    sort: VariableSort::Counter,
                    lifetime: Lifetime::Game,
                    over: None,
                    resource: 0,
                };
                if defs.find(Space::Counter, &name.text).is_none()
                    && let Err(wrong) = defs.declare(Space::Counter, &name.text, what, name.span)
                {
                    self.diagnostics.push(*wrong);
                }
            }
            if let Some(what) = cannot_be_an_id(&card.id.text) {
                self.diagnostics.push(CardProblem::ReservedId { id: card.id.text.clone(), what }.at(card.id.span));
            }
            let number = DefKind::Card(cast::fit::<u32>(self.cards.len()));
            let declared = defs.declare(Space::Card, &card.id.text, number, card.id.span);
            if self.note(declared).is_some() {
                self.cards.push(place);
            }
            return;
        }
        if !defs.is_suspect(&card.kind.text) {
            let (kind, instead) = (card.kind.text.clone(), defs.instead(&card.kind.text, defs.names(Space::Kind)));
            self.diagnostics.push(CardProblem::UnknownKind { kind, instead }.at(card.kind.span));
        }
        defs.poison(Space::Card, &card.id.text, card.id.span);
    }

    /// The places that a name stands for: one, or those of a zone.
    fn places_named(&mut self, name: &Name) -> Vec<DefId> {
        match self.rules.defs.places_named(&name.text) {
            Some(places) => places,
            None => {
                self.unknown(name, "a place or zone", &[Space::Value]);
                Vec::new()
            }
        }
    }

    fn hearing(&mut self, places: &[Name]) {
        for name in places {
            for place in self.places_named(name) {
                if let DefKind::Place { index, .. } = self.rules.defs[place].what {
                    self.rules.places[index as usize].hearing = true;
                }
            }
        }
    }

    /// What a check does; it goes through all cards that hear.
    pub(super) fn checks(&mut self, checks: &ast::Block<ast::Check>) {
        for line in checks.items.iter().flat_map(|check| &check.body.items) {
            let (zone, check) = match &line.kind {
                ast::CheckKind::Leaving { zone } => (zone, Check::Leaving),
                ast::CheckKind::Room { zone } => (zone, Check::Room),
            };
            self.places_named(zone);
            self.rules.checks.push(check);
        }
    }
}

impl Definitions {
    /// The places that a name stands for: one, or those of a zone.
    pub(super) fn places_named(&self, name: &str) -> Option<Vec<DefId>> {
        let id = self.find(Space::Value, name)?;
        if let DefKind::Zone(places) = &self[id].what {
            return Some(places.clone());
        }
        matches!(self[id].what, DefKind::Place { .. }).then(|| vec![id])
    }

    /// What a set or tally holds or counts.
    pub(super) fn over(&self, id: DefId) -> Option<(VariableSort, Over)> {
        let DefKind::Variable { sort: sort @ (VariableSort::Set | VariableSort::Tally), over: Some(over), .. } = self[id].what else {
            return None;
        };
        Some((sort, over))
    }
}

#[cfg(test)]
mod tests {
    use crate::sample::{messages, said, said_of_cards};

    #[test]
    fn everything_is_declared_once() {
        assert_eq!(said("constant fame = 1\n"), [("`fame` is declared twice".to_string(), "fame".to_string())]);
        assert_eq!(said("kind hut { height: number }\n"), [("`hut` is declared twice".to_string(), "hut".to_string())]);
        assert!(said("constant hut = 1\n").is_empty(), "a value may have the name of a kind");
    }

    #[test]
    fn options_are_told_what_they_cannot_be() {
        assert_eq!(messages("option sort = x | y, default z\n"), ["`z` is not a value of `sort`"]);
        assert_eq!(messages("option sort = 4 to 1\n"), ["a range must go up from one number to another"]);
    }

    #[test]
    fn a_card_of_no_kind_is_told_and_may_be_named() {
        let cards = "[[card]]\nid = \"fog\"\nname = \"Fog\"\nkind = \"hit\"\n";
        let found = said_of_cards("effect fall { put fog in storm }\n", cards);
        let said = ["`hit` is not a kind of this game"];
        assert_eq!(found.iter().map(|said| said.0.as_str()).collect::<Vec<_>>(), said);
    }

    #[test]
    fn more_symbols_and_pools_than_can_be_told_apart_are_told() {
        let symbols = |count: usize| format!("symbols {}\n", (0..count).map(|at| format!("s{at}")).collect::<Vec<_>>().join(", "));
        let dice = "tokens die { grey 5: s0 | s63 }\n";
        assert_eq!(said(&format!("{}{dice}", symbols(64))), []);
        assert_eq!(said(&format!("{}{dice}", symbols(300))), [("a game has at most 64 symbols".to_string(), "s64".to_string())]);
        let pools: String = (0..70).map(|at| format!("pool p{at}; ")).collect();
        let found = said(&format!("symbols s0\ntokens die {{ grey 5: s0 }}\ntable {{ {pools} }}\n"));
        assert_eq!(found, [("a game has at most 64 pools".to_string(), "p64".to_string())]);
    }
}
