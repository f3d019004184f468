//! Resolves names in all their forms: alone, with arguments, with an index, with a member behind a dot, and several words in a row.

use super::super::defs::{AGENTS, BUILT_IN, DefId, DefKind, FieldType, OptionDef, PlaceShape, Space};
use super::super::problem::{RuleProblem, SetUpProblem};
use super::super::syntax::ast::{self, Name};
use super::super::typed::{Body, CardPick, Cards, Expr, ExprKind, Neighbour};
use super::{Checker, boards, teams};
use crate::cast;
use crate::diagnostic::{Diagnostic, nearest};
use crate::engine::graph::{Expr as GraphExpr, NumberOp};
use crate::engine::node::Type;
use crate::engine::ruleset::{Compare, VariableSort};
use crate::source::Span;
use crate::syntax::seat_number;

/// The word for no space, where a space is wanted.
const NOWHERE: &str = "nowhere";

impl Checker<'_> {
    /// Resolves a plain name. Where a word is wanted, the name of a resource is the word and not the amount that the player has.
    pub(super) fn resolve_name(&mut self, name: &Name, hint: Option<Type>) -> Expr {
        let (word, span) = (name.text.as_str(), name.span);
        if let Some((bind, ty)) = self.scope.find(word) {
            return Expr { kind: ExprKind::Local(bind), ty, span };
        }
        self.resolve_beyond_locals(name, hint)
    }

    /// Resolves a name that no local name hides, such as what stands behind a player: `left.wisp`.
    fn resolve_beyond_locals(&mut self, name: &Name, hint: Option<Type>) -> Expr {
        let (word, span) = (name.text.as_str(), name.span);
        if let Some(found) = hint.and_then(|hint| self.resolve_word(word, span, hint)) {
            return found;
        }
        let wants_space = matches!(hint.map(|hint| self.types.resolve(hint)), Some(Type::Space(_) | Type::Card));
        let is_word_too = wants_space && self.rules.defs.declared_word(word).is_some();
        if (word.contains('.') || is_word_too)
            && let Some(space) = boards::named_space(self, word, span)
        {
            return space;
        }
        if let Some(found) = self.behind_player(name, span, |checker, rest| checker.resolve_beyond_locals(rest, None)) {
            return found;
        }
        if let Some((seat, rest)) = split_seat_prefix(word) {
            if self.rules.defs.find(Space::Value, word).is_none() {
                // After a player's name, a word is always something that the player has.
                return self.behind_seat(seat, span, span, |checker| checker.resolve_beyond_locals(&rest_of_name(name, rest), None));
            }
        } else if let (Some(seat), Some(_)) = (seat_number(word), self.open) {
            return match self.check_seat(seat, span) {
                true => seat_expr(seat, span),
                false => self.poisoned(span),
            };
        }
        if let Some((head, member)) = name.member() {
            return self.resolve_member(name, head, member);
        }
        let built_in = match word {
            "me" => Some((ExprKind::Me, Type::Seat)),
            "round" => Some((ExprKind::Round, Type::Number)),
            "turn" => Some((ExprKind::Turn, Type::Number)),
            "players" => Some((ExprKind::Players, Type::Number)),
            "place_in_order" => Some((ExprKind::node([], Vec::new(), |[]| GraphExpr::PlaceInOrder), Type::Number)),
            _ => None,
        };
        if let Some((kind, ty)) = built_in {
            return Expr { kind, ty, span };
        }
        match self.find_value(word) {
            Some(def) => self.definition_expr(def, word, span),
            None if self.rules.defs.symbol(word).is_none() && self.rules.defs.declared_word(word).is_some() => {
                let (list, index) = self.rules.defs.declared_word(word).unwrap_or_default();
                Expr::constant(cast::count(index), Type::Choice(list), span)
            }
            None if let Some(space) = boards::named_space(self, word, span) => space,
            None => match (self.rules.defs.symbol(word), self.rules.defs.find(Space::Card, word)) {
                (Some(symbol), _) => Expr::constant(symbol as i64, Type::Symbol, span),
                (None, None) if let Some(player) = self.player_word(word, span) => player,
                (None, Some(card)) if self.open.is_some() => Expr { kind: ExprKind::PieceOf(card), ty: Type::Card, span },
                _ => self.report_not_a_value(word, span),
            },
        }
    }

    /// Resolves what stands behind a local name or a neighbour, such as `left.wisp`, by `resolve`; `None` if neither is named first.
    fn behind_player(&mut self, name: &Name, span: Span, resolve: impl FnOnce(&mut Self, &Name) -> Expr) -> Option<Expr> {
        if let Some((player, rest)) = self.split_player(&name.text, name.span) {
            return Some(resolve(self, &rest_of_name(name, rest)).of_player(player, span));
        }
        let (who, rest) = self.split_neighbour(&name.text, name.span)?;
        Some(resolve(self, &rest_of_name(name, rest)).of_neighbour(who, span))
    }

    /// Checks by `check` what stands behind a seat that is named at `at`.
    pub(super) fn behind_seat(&mut self, seat: usize, at: Span, span: Span, check: impl FnOnce(&mut Self) -> Expr) -> Expr {
        match self.check_seat(seat, at) {
            true => check(self).of_player(seat_expr(seat, span), span),
            false => self.poisoned(span),
        }
    }

    /// Looks up a value. Names that only machine players use take precedence in their block.
    fn find_value(&self, word: &str) -> Option<DefId> {
        let own = if self.is_for_agents() { self.rules.defs.find(Space::Value, &format!("{AGENTS}{word}")) } else { None };
        own.or_else(|| self.rules.defs.find(Space::Value, word))
    }

    /// Splits `left.wisp` into the neighbour and `wisp`, unless something in the game is called `left`.
    pub(super) fn split_neighbour<'w>(&mut self, word: &'w str, span: Span) -> Option<(Neighbour, &'w str)> {
        let (head, rest) = word.split_once('.')?;
        let who = Neighbour::of_word(head)?;
        let taken = self.scope.find(head).is_some() || [head, word].iter().any(|name| self.rules.defs.find(Space::Value, name).is_some());
        if taken {
            return None;
        }
        teams::expect_partner(self, who, span);
        Some((who, rest))
    }

    /// Reports a name that is not a value: it is unknown, or names something of another sort.
    fn report_not_a_value(&mut self, word: &str, span: Span) -> Expr {
        if self.rules.defs.is_suspect(word) || word == "rounds_left" && self.rules.defs.is_suspect("rounds") {
            return self.poisoned(span);
        }
        for space in [Space::Kind, Space::Token, Space::TokenKind, Space::Counter, Space::Field, Space::List, Space::Row, Space::Action] {
            if let Some(what) = self.rules.defs.kind_of(space, word).filter(|what| **what != DefKind::Broken) {
                let of_cards = matches!(space, Space::Counter | Space::Field | Space::List | Space::Row);
                let of_kind = || format!("write `card is {word}`, or `count my {word}`");
                let write = if of_cards { Some(format!("write `card.{word}`")) } else { (space == Space::Kind).then(of_kind) };
                // A value with a similar name may exist.
                let near = nearest(word, self.rules.defs.names(Space::Value)).map(String::from);
                return self.report_poisoned(RuleProblem::NotAValue { name: word.to_string(), what: what.describe(), write, near }, span);
            }
        }
        if let Some(list) = self.rules.defs.word_list(word) {
            let first = self.rules.defs.lists[list as usize].first().cloned().unwrap_or_default();
            let write = Some(format!("write one of them, such as `{first}`, or go through them: `any w in {word} where …`"));
            let what = "a list of words";
            return self.report_poisoned(RuleProblem::NotAValue { name: word.to_string(), what, write, near: None }, span);
        }
        // What has a name here alone is nearer than what has one in the whole game.
        match nearest(word, self.scope.names()).map(String::from) {
            Some(near) => {
                let diagnostic = self.rules.defs.unknown_of(word, span, "a name of this game", [near.as_str()]);
                self.report(*diagnostic);
            }
            None => self.report_unknown(word, span, "a name of this game", &[Space::Value]),
        }
        self.poisoned(span)
    }

    /// Builds the expression for a definition that has a value.
    pub(super) fn definition_expr(&mut self, def: DefId, word: &str, span: Span) -> Expr {
        let found = match self.rules.defs[def].kind.clone() {
            DefKind::Variable { sort: VariableSort::Flag | VariableSort::Counter | VariableSort::Resource, .. } => {
                Some((ExprKind::Variable(def), self.type_of_counter(def)))
            }
            DefKind::Variable { sort: sort @ (VariableSort::Set | VariableSort::Tally), .. } => {
                let write = if sort == VariableSort::Set { format!("write `WORD in {word}`") } else { format!("write `{word}[…]`") };
                return self.report_poisoned(RuleProblem::SeveralValues { name: word.to_string(), write: Some(write) }, span);
            }
            DefKind::Place { .. } => match boards::board_in_place_of_space(self, def) {
                Some(problem) => return self.report_poisoned(problem, span),
                None => Some((ExprKind::FirstIn(def), Type::Card)),
            },
            what @ (DefKind::Condition | DefKind::Constant) => {
                self.record_mention(def, [None; 2]);
                Some((ExprKind::Named(def), if what == DefKind::Condition { Type::Truth } else { self.type_of(def) }))
            }
            DefKind::Standing => {
                self.record_mention(def, [None; 2]);
                Some((if word == "score" { ExprKind::Score(None) } else { ExprKind::RoundsLeft }, Type::Number))
            }
            DefKind::Quantity { .. } | DefKind::Define => {
                self.record_mention(def, [None; 2]);
                if !self.params_of(def).is_empty() {
                    // Twice in a row it is one slip: the name that was to be declared here has got lost.
                    let is_same = |told: &Diagnostic| matches!(told.problem(), Some(RuleProblem::NeedsArguments { name }) if name == word);
                    let last = self.diagnostics.last().filter(|told| told.span.is_some_and(|told| told.file == span.file));
                    if last.is_some_and(is_same) {
                        return Expr::poisoned(Type::Number, span);
                    }
                    return self.report_poisoned(RuleProblem::NeedsArguments { name: word.to_string() }, span);
                }
                Some(self.call_expr(def, Vec::new()))
            }
            DefKind::Option(option) if option.several => {
                return self.report_poisoned(RuleProblem::SeveralValues { name: word.to_string(), write: None }, span);
            }
            DefKind::Option(OptionDef { numeric: true, .. }) => Some((ExprKind::Option(def), Type::Number)),
            DefKind::Option(option) => Some((ExprKind::Option(def), Type::Choice(option.list))),
            DefKind::Broken => return self.poisoned(span),
            DefKind::Zone(_) | DefKind::Pool(_) | DefKind::Kind(_) | DefKind::Field(_) | DefKind::Symbol(_) | DefKind::Token(_) => None,
            DefKind::TokenKind(_) | DefKind::Words(_) | DefKind::RowWord(_) | DefKind::Rank(_) | DefKind::Effect(_) => None,
            DefKind::Purse
            | DefKind::Moment(_)
            | DefKind::Loss(_)
            | DefKind::Action
            | DefKind::Phase
            | DefKind::Step
            | DefKind::Card(_) => None,
        };
        let Some((kind, ty)) = found else {
            let what = self.rules.defs[def].kind.describe();
            return self.report_poisoned(RuleProblem::NotAValue { name: word.to_string(), what, write: None, near: None }, span);
        };
        Expr { kind, ty, span }
    }

    /// Builds the expression for a call of a definition or quantity, and returns it with its type.
    fn call_expr(&mut self, def: DefId, args: Vec<Expr>) -> (ExprKind, Type) {
        match self.rules.defs[def].kind == DefKind::Define {
            true => (ExprKind::Define { definition: def, args }, self.type_of(def)),
            false => (ExprKind::Quantity { quantity: def, args }, Type::Number),
        }
    }

    /// Returns the type of the values of a counter or flag.
    pub(super) fn type_of_counter(&self, def: DefId) -> Type {
        let DefKind::Variable { sort, over, .. } = self.rules.defs[def].kind else { return Type::Number };
        match (sort, over) {
            (VariableSort::Flag, _) => Type::Truth,
            (VariableSort::Counter, Some(over)) => over,
            _ => Type::Number,
        }
    }

    /// Returns the type of a constant or of a definition without parameters.
    fn type_of(&mut self, def: DefId) -> Type {
        match self.rules.bodies.get(&def) {
            Some(Body::Value(_, value)) => value.ty,
            _ => self.types.fresh(),
        }
    }

    /// Resolves a word, such as a resource or a value of an option, if one of the wanted type has this name.
    pub(super) fn resolve_word(&self, word: &str, span: Span, wanted: Type) -> Option<Expr> {
        let wanted = self.types.resolve(wanted);
        let (index, ty) = if let (Type::Space(_), NOWHERE) = (wanted, word) { (-1, wanted) } else { self.rules.defs.word(word, wanted)? };
        Some(Expr::constant(index, ty, span))
    }

    /// Reports a player who cannot be named here or does not take part; returns whether the player is valid.
    pub(super) fn check_seat(&mut self, seat: usize, span: Span) -> bool {
        match self.open {
            Some(players) if seat < players => return true,
            Some(players) => {
                self.report(SetUpProblem::NoPlayer { player: seat + 1, players }.at(span));
            }
            None => self.report(RuleProblem::SinglePlayer.at(span)),
        }
        false
    }

    // ------------------------------------------------------------------ behind a dot

    /// Resolves a name with a member behind a dot: `card.height`, `board.hours`, `score.row`, `it.wisp`.
    fn resolve_member(&mut self, name: &Name, head: &str, member: &str) -> Expr {
        let span = name.span;
        if head == "score"
            && let Some(score) = self.rules.defs.find(Space::Value, "score")
        {
            return self.resolve_score_row(score, member, span);
        }
        if let Some(def) = self.rules.defs.find(Space::Value, &name.text) {
            return self.definition_expr(def, &name.text, span);
        }
        if let Some((bind, ty)) = self.scope.find(head)
            && self.types.resolve(ty) == Type::Picked
        {
            let Some(symbol) = self.resolve_word(member, span, Type::Symbol) else {
                return self.unknown_poisoned(&rest_of_name(name, member), "a symbol", Space::Symbol, span);
            };
            let picked = Expr { kind: ExprKind::Local(bind), ty: Type::Picked, span };
            let kind = ExprKind::node([picked, symbol], Vec::new(), |[picked, symbol]| GraphExpr::ShownBy { picked, symbol });
            return Expr::number(kind, span);
        }
        match boards::resolve_owner(self, (head, member), span) {
            Some(card) => self.member_of(card, member, name),
            None => self.poisoned(span),
        }
    }

    /// Checks what stands behind a dot of any value: `hand[2].height`, `(card with highest …).bites`.
    pub(super) fn check_member(&mut self, of: &ast::Expr, member: &Name, span: Span) -> Expr {
        let of = self.infer(of, Some(Type::Card));
        self.check_members(of, member, span)
    }

    fn check_members(&mut self, of: Expr, member: &Name, span: Span) -> Expr {
        if self.types.resolve(of.ty) == Type::Seat {
            return self.resolve_beyond_locals(member, None).of_player(of, span);
        }
        let of = self.must_be(of, &[Type::Card]);
        if of.kind == ExprKind::Poisoned {
            return self.poisoned(span);
        }
        match member.text.split_once('.') {
            None => self.member_of(of, &member.text, member),
            Some((first, rest)) => {
                let first = self.member_of(of, first, member);
                self.check_members(first, &rest_of_name(member, rest), span)
            }
        }
    }

    /// Resolves a member of a card or space, whose name is `name` with what stands ahead of it.
    fn member_of(&mut self, card: Expr, member: &str, name: &Name) -> Expr {
        let (card, span) = (Box::new(card), name.span);
        let defs = &self.rules.defs;
        if let Some(counter) = defs.find(Space::Counter, member) {
            if defs.words_of(counter).is_some() {
                return boards::report_several_on_card(self, counter, &name.text, span);
            }
            let ty = self.type_of_counter(counter);
            return Expr { kind: ExprKind::Counter { card, counter }, ty, span };
        }
        if member == "kind" {
            return Expr { kind: ExprKind::KindOf(card), ty: Type::Kind, span };
        }
        match defs.find(Space::Field, member).map(|field| (field, &defs[field].kind)) {
            Some((field, DefKind::Field(holds))) => {
                let ty = if let FieldType::One(ty) = *holds { ty } else { Type::Number };
                return Expr { kind: ExprKind::Field { card, field }, ty, span };
            }
            Some(_) => return self.poisoned(span),
            None => {}
        }
        let word = &name.text;
        if let Some(list) = defs.find(Space::List, member) {
            let of_words = matches!(defs[list].kind, DefKind::Field(holds) if holds.lists_words());
            let (list, name) = (member.to_string(), word.clone());
            let problem = if of_words { RuleProblem::IsARowOfWords { list, name } } else { RuleProblem::IsAList { list, name } };
            return self.report_poisoned(problem, span);
        }
        if defs.find(Space::Row, member).is_some() {
            return self
                .report_poisoned(RuleProblem::SeveralValues { name: member.to_string(), write: Some(format!("write `{word}[…]`")) }, span);
        }
        self.unknown_field(member, span);
        self.poisoned(span)
    }

    fn resolve_score_row(&mut self, score: DefId, member: &str, span: Span) -> Expr {
        self.record_mention(score, [None; 2]);
        let rows: Vec<String> = self.rules.score.iter().map(|row| slug(&row.0)).collect();
        match rows.iter().position(|row| row == member) {
            Some(row) => Expr::number(ExprKind::Score(Some(row)), span),
            None => {
                self.report_all(self.rules.defs.missing(member, span, "a row of the score", rows.iter().map(String::as_str)));
                self.poisoned(span)
            }
        }
    }

    fn unknown_field(&mut self, member: &str, span: Span) {
        if self.rules.defs.is_suspect(member) {
            return;
        }
        let defs = &self.rules.defs;
        let names = [Space::Field, Space::List, Space::Row, Space::Counter].into_iter().flat_map(|space| defs.names(space));
        let near = nearest(member, names).map(String::from);
        self.report(RuleProblem::UnknownMember { name: member.to_string(), near }.at(span));
    }

    /// Resolves a card by a variable, by a place that holds one, or in scenarios by its id.
    pub(super) fn resolve_card(&mut self, name: &str, span: Span) -> Option<Expr> {
        if let Some((bind, ty)) = self.scope.find(name) {
            if !self.types.fits(ty, &[Type::Card], span) {
                return self.refuse(self.types.mismatch(ty, &[Type::Card], span).at(span));
            }
            let ty = self.types.resolve(ty);
            return Some(Expr { kind: ExprKind::Local(bind), ty, span });
        }
        if let Some(space) = boards::named_space(self, name, span) {
            return Some(space);
        }
        if let Some(held) = boards::held_space(self, name, span) {
            return Some(held);
        }
        let found = self.rules.defs.find(Space::Value, name);
        if let Some(problem) = found.and_then(|def| boards::board_in_place_of_space(self, def)) {
            return self.refuse(problem.at(span));
        }
        match found.map(|def| (def, &self.rules.defs[def].kind)) {
            Some((def, DefKind::Place { .. })) => return Some(Expr { kind: ExprKind::FirstIn(def), ty: Type::Card, span }),
            Some((_, DefKind::Broken)) => return None,
            _ => {}
        }
        match self.rules.defs.find(Space::Card, name).filter(|_| self.open.is_some()) {
            Some(card) => Some(Expr { kind: ExprKind::PieceOf(card), ty: Type::Card, span }),
            None => {
                let places = self.rules.defs.all().filter(|(_, one)| matches!(one.kind, DefKind::Place { .. }));
                let known = places.map(|(_, one)| one.name.as_str()).chain(self.scope.names());
                self.report_all(self.rules.defs.missing(name, span, "a card, or a place that holds one", known));
                None
            }
        }
    }

    /// Resolves a member such as `card.points` that is a printed list.
    pub(super) fn resolve_list(&mut self, name: &Name) -> Option<(Expr, DefId)> {
        let Some((head, member)) = name.member() else {
            return self
                .refuse(RuleProblem::Expected { what: "a printed list such as `card.points`".to_string(), help: None }.at(name.span));
        };
        let card = self.resolve_card(head, name.span)?;
        match self.rules.defs.find(Space::List, member) {
            Some(list) => Some((card, list)),
            None => {
                self.unknown_field(member, name.span);
                None
            }
        }
    }

    // ------------------------------------------------------------------ with values

    /// Checks a call such as `price(card)`.
    pub(super) fn check_call(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Expr {
        if let "max" | "min" = name.text.as_str() {
            return self.check_extreme(name, args, span);
        }
        if let Some((seat, rest)) = split_seat_prefix(&name.text) {
            return self.behind_seat(seat, span, span, |checker| checker.check_call(&rest_of_name(name, rest), args, span));
        }
        if let Some((player, rest)) = self.split_owner(&name.text, name.span) {
            return self.check_call(&rest_of_name(name, rest), args, span).of_player(player, span);
        }
        let Some(def) = self.find_value(&name.text) else {
            return self.unknown_poisoned(name, "a definition or quantity", Space::Value, span);
        };
        let what = &self.rules.defs[def].kind;
        if *what == DefKind::Broken {
            return self.poisoned(span);
        }
        if !matches!(what, DefKind::Quantity { .. } | DefKind::Define) {
            return self.report_poisoned(RuleProblem::TakesNoValues { name: name.text.clone(), what: what.describe() }, span);
        }
        self.ensure_checked(def);
        let Some(args) = self.check_args(&name.text, def, args, span) else {
            self.record_mention(def, [None; 2]);
            return self.poisoned(span);
        };
        self.record_mention(def, Self::args_of(&args));
        let (kind, ty) = self.call_expr(def, args);
        Expr { kind, ty, span }
    }

    /// Checks `max(a, b, …)` or `min(a, b, …)`: a chain of the operation for two numbers.
    fn check_extreme(&mut self, name: &Name, args: &[ast::Expr], span: Span) -> Expr {
        if args.len() < 2 {
            let (name, given) = (name.text.clone(), args.len());
            return self.report_poisoned(RuleProblem::TooFewValues { name, given }, span);
        }
        let operator = if name.text == "max" { NumberOp::Max } else { NumberOp::Min };
        let checked = args.iter().map(|arg| self.check_expr(arg, &[Type::Number, Type::Thousandths])).collect::<Vec<_>>();
        let joined = checked.into_iter().reduce(|a, b| {
            let (a, b) = self.same_scale(a, b);
            a.combined(operator, b, span)
        });
        joined.unwrap_or_else(|| Expr::poisoned(Type::Number, span))
    }

    /// Checks the arguments of a call against the parameters of a definition.
    pub(super) fn check_args(&mut self, name: &str, def: DefId, args: &[ast::Expr], span: Span) -> Option<Vec<Expr>> {
        let params = self.params_of(def);
        if params.len() != args.len() {
            let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            let (name, params) = (name.to_string(), Some(names.join(", ")));
            let (takes, given, declared) = (names.len(), args.len(), self.rules.defs[def].span);
            return self.refuse(RuleProblem::WrongNumberOfValues { name, takes, given, params, declared }.at(span));
        }
        let mut values = Vec::new();
        for (param, arg) in params.iter().zip(args) {
            let value = self.check_argument(param.ty, arg);
            if !self.types.fits(value.ty, &[param.ty], arg.span) {
                let diagnostic = self.types.mismatch(value.ty, &[param.ty], arg.span).at(arg.span);
                let used_as = self.types.resolve(param.ty).words();
                self.report(diagnostic.help(format!("`{name}` uses its `{}` as {used_as}", param.name)));
            }
            values.push(value);
        }
        Some(values)
    }

    /// Checks one argument of a call. If the parameter's type is still unknown, a word that can index a printed row is taken as that word.
    fn check_argument(&mut self, wanted: Type, arg: &ast::Expr) -> Expr {
        let wanted = self.types.resolve(wanted);
        if let (Type::Open(_), ast::ExprKind::Name(name)) = (wanted, &*arg.kind)
            && self.scope.find(&name.text).is_none()
            && let Some(word) = self.resolve_word(&name.text, name.span, Type::RowWord)
        {
            return word;
        }
        self.infer(arg, Some(wanted))
    }

    /// Checks a name with an index: `bought[kind]`, `card.production[r]`, `card.points[2]`.
    pub(super) fn check_item(&mut self, name: &Name, index: &ast::Expr, span: Span) -> Expr {
        if let Some((owner, rest)) = self.split_owner(&name.text, name.span)
            && let Some(place) = self.slots_named(rest)
        {
            return self.check_nth_card(place, Some(owner), index, span);
        }
        if let Some(found) = self.behind_player(name, span, |checker, rest| checker.check_item(rest, index, span)) {
            return found;
        }
        if let Some((seat, rest)) = split_seat_prefix(&name.text).filter(|_| self.scope.find(&name.text).is_none()) {
            return self.behind_seat(seat, span, span, |checker| checker.check_item(&rest_of_name(name, rest), index, span));
        }
        if let Some(def) = self.rules.defs.find(Space::Value, &name.text) {
            return match (self.rules.defs.words_of(def), &self.rules.defs[def].kind) {
                (Some((VariableSort::Tally, over)), _) => {
                    let index = self.check_expr(index, &[over]);
                    Expr::number(ExprKind::TallyItem { tally: def, index: Box::new(index) }, span)
                }
                (_, DefKind::Broken) => self.poisoned(span),
                (None, DefKind::Place { shape: PlaceShape::Slots, .. }) => self.check_nth_card(def, None, index, span),
                (Some((VariableSort::Set, _)), _) => self.report_poisoned(RuleProblem::SetOfWords { name: name.text.clone() }, span),
                _ => self.report_poisoned(RuleProblem::SingleValue { name: name.text.clone() }, span),
            };
        }
        let Some((head, member)) = name.member() else {
            return self.unknown_poisoned(name, "a tally or a printed row", Space::Value, span);
        };
        let Some(card) = boards::resolve_owner(self, (head, member), name.span) else { return self.poisoned(span) };
        if let Some(found) = boards::check_tally_on_card(self, &card, name, index, span) {
            return found;
        }
        let defs = &self.rules.defs;
        let (row, list) = (defs.find(Space::Row, member), defs.find(Space::List, member));
        let Some(field) = row.or(list) else {
            if defs.find(Space::Field, member).is_some() {
                return self.report_poisoned(RuleProblem::SingleValue { name: name.text.clone() }, span);
            }
            self.unknown_field(member, name.span);
            return self.poisoned(span);
        };
        let (wanted, ty) = if let DefKind::Field(FieldType::Row(by)) = defs[field].kind {
            (by, Type::Number)
        } else if let DefKind::Field(holds @ FieldType::List(of)) = defs[field].kind
            && holds.lists_words()
        {
            (Type::Number, of)
        } else {
            (Type::Number, Type::Number)
        };
        let index = self.check_expr(index, &[wanted]);
        Expr { kind: ExprKind::FieldItem { card: Box::new(card), field, index: Box::new(index) }, ty, span }
    }

    /// Returns the place of this name, if it is one with slots.
    fn slots_named(&self, name: &str) -> Option<DefId> {
        let place = self.rules.defs.find(Space::Value, name)?;
        matches!(self.rules.defs[place].kind, DefKind::Place { shape: PlaceShape::Slots, of_seat: true, .. }).then_some(place)
    }

    /// Checks `hand[2]`: the card in a slot of a place, perhaps of another player. Whoever names it reckons the number.
    fn check_nth_card(&mut self, place: DefId, owner: Option<Expr>, index: &ast::Expr, span: Span) -> Expr {
        let index = self.check_expr(index, &[Type::Number]);
        let bind = self.unnamed();
        let (card, grid) = (Expr { kind: ExprKind::Local(bind), ty: Type::Card, span }, self.index(place));
        let slot = Expr::number(ExprKind::node([card], vec![place], |[card]| GraphExpr::GridColumn { card, grid }), span);
        let filter = Some(slot.compared(Compare::Equal, index, span));
        let cards = Box::new(Cards { places: vec![place], owner: owner.map(Box::new), bind, filter, ..Cards::default() });
        Expr { kind: ExprKind::CardOf { cards, pick: CardPick::First }, ty: Type::Card, span }
    }

    // ------------------------------------------------------------------ words in a row

    /// Checks several words in a row, such as `most stable`: a condition of several words, or a rank followed by the value that it ranks.
    pub(super) fn check_words(&mut self, words: &[Name], span: Span) -> Expr {
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        if let Some(def) = self.rules.defs.find(Space::Value, &text) {
            return self.definition_expr(def, &text, span);
        }
        let [first, rest @ ..] = words else { return self.poisoned(span) };
        if let Some(DefKind::Rank(_)) = self.rules.defs.kind_of(Space::Value, &first.text) {
            // `most wise` may be a misspelt condition rather than a misspelt value after a rank.
            if let [value] = rest
                && self.scope.find(&value.text).is_none()
                && self.rules.defs.find(Space::Value, &value.text).is_none()
                && !BUILT_IN.contains(&value.text.as_str())
                && !value.text.contains('.')
                && nearest(&text, self.conditions()).is_some()
            {
                return self.unknown_condition(&text, span);
            }
            let by_span = rest.first().map_or(span, |from| Span { start: from.span.start, ..span });
            let by = match rest {
                [one] => self.resolve_name(one, Some(Type::Number)),
                more => self.check_words(more, by_span),
            };
            return self.rank_expr(first, by, span);
        }
        if self.rules.defs.is_suspect(&first.text) || self.rules.defs.is_suspect(&text) {
            return self.poisoned(span);
        }
        self.unknown_condition(&text, span)
    }

    /// Builds the test whether the current player is ranked at the top by a value.
    pub(super) fn rank_expr(&mut self, name: &Name, by: Expr, span: Span) -> Expr {
        let Some(def) = self.rules.defs.find(Space::Value, &name.text) else {
            return self.unknown_poisoned(name, "a rank", Space::Value, span);
        };
        let what = &self.rules.defs[def].kind;
        if *what == DefKind::Broken {
            return self.poisoned(span);
        }
        if !matches!(what, DefKind::Rank(_)) {
            self.report(RuleProblem::NotARank { name: name.text.clone(), what: what.describe() }.at(name.span));
            return self.poisoned(span);
        }
        self.record_mention(def, [None; 2]);
        let by = self.must_be(by, &[Type::Number]);
        // A stat may be ranked by another value than itself.
        let by = if let ExprKind::Quantity { quantity: stat, .. } = &by.kind
            && let Some(Body::Quantity(quantity)) = self.rules.bodies.get(stat)
            && let Some(ranked) = quantity.ranked
        {
            self.record_mention(ranked, [None; 2]);
            Expr { kind: ExprKind::Quantity { quantity: ranked, args: Vec::new() }, ..by }
        } else {
            by
        };
        Expr::truth(ExprKind::Rank { rank: def, by: Box::new(by) }, span)
    }

    fn conditions(&self) -> impl Iterator<Item = &str> {
        self.rules.defs.all().filter(|(_, one)| one.kind == DefKind::Condition).map(|(_, one)| one.name.as_str())
    }

    pub(super) fn unknown_condition(&mut self, text: &str, span: Span) -> Expr {
        let near = nearest(text, self.conditions()).map(String::from);
        let write = match text.split(' ').collect::<Vec<_>>()[..] {
            ["random", ..] => Some("chance stands in a line ahead: `let NAME = random …`, and then NAME".to_string()),
            // As it is written in a position.
            [seat, flag] if near.is_none() && seat_number(seat).is_some() && self.rules.defs.find(Space::Value, flag).is_some() => {
                Some(format!("write `{seat}.{flag}`"))
            }
            [most @ ("highest" | "lowest"), value] if near.is_none() && self.rules.defs.find(Space::Value, value).is_some() => {
                Some(format!("write `{most} {value} of players`; an order begins with the most: `order by {value}`"))
            }
            _ => None,
        };
        self.report_poisoned(RuleProblem::UnknownCondition { name: text.to_string(), write, near }, span)
    }
}

/// Creates the expression for the player in a seat.
pub(super) fn seat_expr(seat: usize, span: Span) -> Expr {
    Expr::constant(cast::count(seat), Type::Seat, span)
}

/// Returns what is left of a name behind its first part, such as a player.
pub(super) fn rest_of_name(name: &Name, rest: &str) -> Name {
    Name { text: rest.to_string(), span: name.span }
}

/// Turns a text into one identifier: other signs become underscores.
fn slug(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}

/// Splits a seat from the front of a name: `p2.wisp` is seat 1 and `wisp`.
pub fn split_seat_prefix(word: &str) -> Option<(usize, &str)> {
    let (head, rest) = word.split_once('.')?;
    Some((seat_number(head)?, rest))
}
