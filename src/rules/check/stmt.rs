//! Statements and questions.

use super::super::collect::ADVANCE_EFFECT;
use super::super::defs::{DefId, DefKind, Definition, Owner, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, Name, StatementKind as Ast, Whose};
use super::super::typed::{Block, Expr, ExprKind, Key, Pick, Picks, Stmt, StmtKind, Target, TokenPrice};
use super::names::rest_of_name;
use super::one_card::PlacedIn;
use super::{Checker, best, bills, boards, chance, choice, locals, named, one_card, purses, set_members, showing, teams};
use crate::cast;
use crate::diagnostic::nearest;
use crate::engine::node::Type;
use crate::engine::op::{Ending, Op, Placing, Stacking};
use crate::engine::ruleset::{Direction, NodeId, OrderKey, VariableSort, Write};
use crate::source::Span;
use std::collections::BTreeMap;

impl Checker<'_> {
    /// Checks a block of statements.
    pub fn check_block(&mut self, block: &ast::Body) -> Block {
        let bound = self.scope.bound.len();
        self.scope.blocks += 1;
        let made = block.items.iter().filter_map(|statement| self.check_statement(statement)).collect();
        self.scope.blocks -= 1;
        self.scope.bound.truncate(bound);
        made
    }

    /// Checks a block that does not run in every case, such as the branch of an `if`.
    pub(super) fn check_conditional_block(&mut self, block: &ast::Body) -> Block {
        self.check_conditionally(|checker| checker.check_block(block))
    }

    /// Checks by `check` what does not run in every case.
    fn check_conditionally<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.scope.conditional, true);
        let made = check(self);
        self.scope.conditional = outer;
        made
    }

    /// Checks the block of a loop, which runs for all that meet the condition, if there is one.
    fn check_filtered_block(&mut self, filter: Option<&ast::Expr>, body: &ast::Body) -> (Option<Expr>, Block) {
        match filter.map(|filter| self.check_expr(filter, &[Type::Truth])) {
            None => (None, self.check_block(body)),
            filter => (filter, self.check_conditional_block(body)),
        }
    }

    /// Checks a statement; `None` if a problem with it has been reported.
    pub fn check_statement(&mut self, statement: &ast::Statement) -> Option<Stmt> {
        let bound = self.scope.bound.len();
        let kind = self.check_statement_kind(statement);
        // A local name stays to the end of the block.
        if !matches!(statement.kind, Ast::Let { .. } | Ast::LetRandom { .. } | Ast::LetChance { .. }) {
            self.scope.bound.truncate(bound);
        }
        kind.map(|kind| Stmt { kind, span: statement.span })
    }

    fn check_statement_kind(&mut self, statement: &ast::Statement) -> Option<StmtKind> {
        let span = statement.span;
        let number = &[Type::Number];
        if let Some(found) = one_card::check_about_random(self, statement) {
            return found;
        }
        Some(match &statement.kind {
            Ast::If { condition, yes, no } => {
                let condition = self.check_condition(condition);
                let yes = self.check_conditional_block(yes);
                let no = no.as_ref().map(|no| match no {
                    ast::Else::Body(body) => self.check_conditional_block(body),
                    ast::Else::If(nested) => self.check_conditionally(|checker| checker.check_statement(nested)).into_iter().collect(),
                });
                StmtKind::If { condition, yes, no }
            }
            Ast::Unless { condition, body } => {
                let condition = self.check_condition(condition);
                let at = condition.span;
                StmtKind::If { condition: condition.not(at), yes: self.check_conditional_block(body), no: None }
            }
            Ast::Let { name, value } => return locals::check_let(self, name, value),
            Ast::LetRandom { name, cards } => return chance::check_random_card(self, (name, "card"), cards),
            Ast::LetChance { name, each, domain, filter } => {
                return chance::check_random(self, (name, each), domain, filter.as_ref());
            }
            Ast::For { name, within, body } => named::check_for(self, name, within, body),
            Ast::Repeat { times, body } => {
                let times = self.check_expr(times, number);
                let certainly = matches!(times.kind, ExprKind::Const(1..));
                let body = if certainly { self.check_block(body) } else { self.check_conditional_block(body) };
                StmtKind::Repeat { times, block: body }
            }
            Ast::Advance { track, by } => return self.check_advance(track, by),
            Ast::RepeatUntil { condition, body } => {
                let condition = self.check_expr(condition, &[Type::Truth]);
                StmtKind::RepeatUntil { condition, block: self.check_conditional_block(body) }
            }
            Ast::EachPlayer { others, teams, from, reverse, filter, body } => {
                let whom = teams::visited_players(self, *others, *teams, span);
                let from = from.as_ref().map(|from| self.check_expr(from, &[Type::Seat]));
                let (filter, block) = self.check_filtered_block(filter.as_ref(), body);
                StmtKind::EachPlayer { whom, direction: direction(*reverse), from, filter, block }
            }
            Ast::EachPlayerChooses { others, teams, from, reverse, title, choices } => {
                let whom = teams::visited_players(self, *others, *teams, span);
                let from = from.as_ref().map(|from| self.check_expr(from, &[Type::Seat]));
                let question = choice::check_question(self, title.as_ref(), choices, (false, None));
                let ask = Stmt { kind: StmtKind::Ask(question), span };
                StmtKind::EachPlayer { whom, direction: direction(*reverse), from, filter: None, block: vec![ask] }
            }
            Ast::EachCard { name, cards, body } => {
                if self.are_words(&cards.name.text) && named::are_words(self, cards) {
                    return Some(named::check_each_word(self, name, cards, body));
                }
                locals::refuse_built_in(self, name);
                let element = boards::element_type(self, cards);
                let bind = self.bind(&name.text, element);
                let cards = self.check_cards(cards, &name.text, bind);
                let body = self.check_conditional_block(body);
                StmtKind::ForCards { cards: cards?, block: body }
            }
            Ast::AllPlayers { others, teams, secretly, filter, body } => {
                let whom = teams::visited_players(self, *others, *teams, span);
                let (filter, block) = self.check_filtered_block(filter.as_ref(), body);
                StmtKind::AllPlayers { whom, secretly: *secretly, filter, block }
            }
            Ast::As { player, body } => {
                let player = self.check_expr(player, &[Type::Seat]);
                StmtKind::As { player, block: self.check_conditional_block(body) }
            }
            Ast::Show { cards, to_all, to_others, to_teams, to } => {
                let to = teams::check_viewers(self, (*to_others && !*to_all, *to_teams), to.as_ref(), span);
                return self.check_show(cards, to);
            }
            Ast::Do { effect, args } => return self.check_effect_call(effect, args, span),
            Ast::Moment { name, args } => {
                let card = match args.as_slice() {
                    [] => None,
                    [card] => Some(self.check_expr(card, &[Type::Card])),
                    _ => return self.refuse(RuleProblem::MomentOfSeveral.at(span)),
                };
                let moment = self.resolve_raised_moment(name)?;
                self.card_moments.extend(card.is_some().then_some(moment));
                let (moment, operand) = (self.index(moment), card.is_some().then(|| NodeId::at(0)));
                StmtKind::Op { op: Op::Moment { moment, card: operand }, operands: card.into_iter().collect() }
            }
            Ast::Choose { title, choices } => StmtKind::Ask(choice::check_question(self, title.as_ref(), choices, (false, None))),
            Ast::MayChoose { title, choices } => StmtKind::Ask(choice::check_question(self, title.as_ref(), choices, (true, None))),
            Ast::PickAny { up_to, count, title, choices } => {
                let most = count.as_ref().map(|count| self.check_expr(count, number));
                let picks = Picks { least: most.clone().filter(|_| !up_to), most };
                StmtKind::Ask(choice::check_question(self, title.as_ref(), choices, (false, Some(picks))))
            }
            Ast::PickTokens { tokens, pools, at_least, body } => {
                let least = at_least.as_ref().map(|least| self.check_expr(least, number));
                self.check_pick(tokens, pools, (least, false), body)?
            }
            Ast::PickSome { count, tokens, pools, body } => {
                let count = self.check_expr(count, number);
                self.check_pick(tokens, pools, (Some(count), true), body)?
            }
            Ast::Gain { amount, resource } => {
                let amount = self.check_expr(amount, number);
                self.warn_if_negative(&amount);
                StmtKind::op([amount, self.check_resource(resource)], |[amount, resource]| Op::Gain { amount, resource })
            }
            Ast::Lose { amount, resource, named } => {
                let (amount, resource) = (self.check_expr(amount, number), self.check_resource(resource));
                self.warn_if_negative(&amount);
                let name = named.as_ref().and_then(|name| self.resolve_loss(name));
                StmtKind::op([amount, resource], |[amount, resource]| Op::Lose { amount, resource, name })
            }
            Ast::Noting { tally, body } => {
                let tally = self.resolve_tally_by_resource(tally);
                let block = self.check_block(body);
                StmtKind::Noting { tally: tally?, block }
            }
            Ast::Pay { amount, resource } => {
                let (amount, resource) = (self.check_expr(amount, number), self.check_resource(resource));
                StmtKind::op([amount, resource], |[amount, resource]| Op::Pay { amount, resource })
            }
            Ast::PayFrom { price, from, mix } => return bills::check_pay(self, price, from, (*mix, span)),
            Ast::PayMix { amount, resources } => {
                StmtKind::PayMix { amount: self.check_expr(amount, number), resources: self.resolve_resource_list(resources) }
            }
            Ast::AddTo { value, set } | Ast::RemoveFrom { value, set } => {
                let (card, set, word) = set_members::check_member(self, value, set)?;
                StmtKind::ChangeSet { adds: matches!(statement.kind, Ast::AddTo { .. }), card, set, word }
            }
            Ast::Clear { variable } => return set_members::check_clear(self, variable),
            Ast::Assign { target, index, op, value } => return self.check_assignment(target, index.as_ref(), *op, value),
            Ast::Draw { count, from_bottom, from, to, named } => {
                let ((deck, pile), (owner, place)) = (self.resolve_deck(from)?, self.resolve_owned_place(to)?);
                self.expect_room_for(deck, place, to.span);
                self.rules.filled_decks.insert(place);
                let name = named.as_ref().and_then(|name| self.resolve_loss(name));
                let (deck, to) = (self.index(deck), self.index(place));
                let from_bottom = *from_bottom;
                let draw = with_owner(pile, owner, |pile, owner| Op::Draw { deck, pile, from_bottom, to, name, owner });
                match count {
                    Some(count) => StmtKind::Repeat { times: self.check_expr(count, number), block: vec![Stmt { kind: draw, span }] },
                    None => draw,
                }
            }
            Ast::Fill { place, from } => {
                let (grid, deck) = (self.resolve_grid(place), self.resolve_deck(from));
                let (grid, (deck, pile)) = (grid?, deck?);
                let deck = self.index(deck);
                StmtKind::op([pile], |[pile]| Op::Fill { grid, deck, pile })
            }
            Ast::MoveRow { place, from, to } => {
                let (grid, [from, to]) = (self.resolve_grid(place), self.check_numbers([from, to]));
                let grid = grid?;
                StmtKind::op([from, to], |[from, to]| Op::MoveRow { grid, from, to })
            }
            Ast::PassOn { place, reverse } => {
                let of_seat = |what: &DefKind| matches!(what, DefKind::Place { of_seat: true, .. });
                let place = self.resolve_sort(place, "a place of every player", of_seat)?;
                let (place, direction) = (self.index(place), direction(*reverse));
                StmtKind::op([], |[]| Op::PassOn { place, direction })
            }
            Ast::Remove { cards } => match self.scope.find(&cards.name.text) {
                Some(_) if cards.whose == Whose::Unsaid => {
                    let card = self.check_one_card(cards)?;
                    StmtKind::op([card], |[card]| Op::Remove { card })
                }
                _ => {
                    let bind = self.bind("card", Type::Card);
                    let found = self.check_cards(cards, "card", bind)?;
                    boards::expect_no_board(self, &found, cards.span);
                    StmtKind::RemoveAll(found)
                }
            },
            Ast::RemoveCard { card } => StmtKind::op([self.check_expr(card, &[Type::Card])], |[card]| Op::Remove { card }),
            Ast::ShowCard { card, to_all, to_others, to_teams, to } => {
                let card = self.check_expr(card, &[Type::Card]);
                let to = teams::check_viewers(self, (*to_others && !*to_all, *to_teams), to.as_ref(), span);
                one_card::show_card(card, to)
            }
            Ast::ShowPart { whether, value, to_all, to_others, to_teams, to } => {
                let to = teams::check_viewers(self, (*to_others && !*to_all, *to_teams), to.as_ref(), span);
                return if *whether { showing::check_show_whether(self, value, to) } else { showing::check_show_part(self, value, to) };
            }
            Ast::CardActs { card } => StmtKind::op([self.check_expr(card, &[Type::Card])], |[card]| Op::CardActs { card }),
            Ast::Put { cards, place } => {
                let place = self.resolve_place(place)?;
                self.rules.filled_decks.insert(place);
                return self.check_put(cards, place);
            }
            Ast::PlaceSeveral { count, cards, under, place } => {
                return one_card::check_place_several(self, count, cards, &PlacedIn { place, under: *under, span });
            }
            Ast::PlaceCards { cards, under, place } => {
                return one_card::check_place_cards(self, cards, &PlacedIn { place, under: *under, span });
            }
            Ast::PlaceInSlot { card } => StmtKind::op([boards::check_movable(self, card)], |[card]| Op::PlaceInSlot { card }),
            Ast::PlaceIn { card, under, place: named, or_over_one } => {
                let (card, place) = (boards::check_movable(self, card), self.resolve_owned_place(named));
                let (owner, place) = place?;
                self.rules.filled_decks.insert(place);
                if *under && !best::is_heap(self, Some(place)) {
                    self.report(RuleProblem::NoBottom.at(named.span));
                }
                let how = match (under, or_over_one) {
                    (true, _) => Placing::Under,
                    (false, true) => Placing::OverOne,
                    (false, false) => Placing::Free,
                };
                let place = self.index(place);
                with_owner(card, owner, |card, owner| Op::PlaceIn { card, place, how, owner })
            }
            Ast::PlaceAt { card, place, at } => {
                let (card, at) = (boards::check_movable(self, card), self.check_expr(at, &[Type::Card]));
                let map = self.resolve_grid(place)?;
                StmtKind::op([card, at], |[card, position]| Op::PlaceAt { card, map, position })
            }
            Ast::PlaceInRow { card, place, row, column } => {
                let card = boards::check_movable(self, card);
                let [row, column] = [row, column].map(|side| self.check_expr(side, number));
                let map = self.resolve_grid(place)?;
                StmtKind::op([card, row, column], |[card, row, column]| Op::PlaceInRow { card, map, row, column })
            }
            Ast::Acts { card } => StmtKind::op([self.resolve_card(&card.text, card.span)?], |[card]| Op::CardActs { card }),
            Ast::OrderAtRandom => StmtKind::op([], |[]| Op::OrderRandom),
            Ast::OrderInReverse => StmtKind::op([], |[]| Op::OrderReversed),
            Ast::OrderFrom { filter } => StmtKind::op([self.check_expr(filter, &[Type::Truth])], |[holds]| Op::OrderFrom { holds }),
            Ast::PlayAgain => StmtKind::op([], |[]| Op::PlayAgain),
            Ast::EndTurn => StmtKind::op([], |[]| Op::EndNow { what: Ending::Turn }),
            Ast::EndPhase => StmtKind::op([], |[]| Op::EndNow { what: Ending::Phase }),
            Ast::EndRound => StmtKind::op([], |[]| Op::EndNow { what: Ending::Round }),
            Ast::EndGame => StmtKind::op([], |[]| Op::EndNow { what: Ending::Game }),
            Ast::Shuffle { cards, onto, under, deck } => {
                self.rules.shuffles = true;
                let bind = self.bind("card", Type::Card);
                let found = cards.as_ref().map(|cards| {
                    let found = self.check_cards(cards, "card", bind)?;
                    boards::expect_no_board(self, &found, cards.span);
                    Some(found)
                });
                let deck = self.resolve_deck(deck);
                self.rules.filled_decks.extend(deck.iter().filter(|_| cards.is_some()).map(|(deck, _)| *deck));
                let (cards, (deck, pile)) = (found.map_or(Some(None), |found| found.map(Some))?, deck?);
                let stacking = match (onto, under) {
                    (true, _) => Stacking::Onto,
                    (false, true) => Stacking::Under,
                    (false, false) => Stacking::Into,
                };
                StmtKind::Shuffle { cards, stacking, deck, pile }
            }
            Ast::Swap { card, with } => {
                let cards = [card, with].map(|card| boards::check_movable(self, card));
                StmtKind::op(cards, |[a, b]| Op::Swap { a, b })
            }
            Ast::OrderBy { keys } => {
                let mut operands = Vec::new();
                let key = |key| match key {
                    Key::By(value) => {
                        operands.push(value);
                        OrderKey::By(NodeId::at(operands.len() - 1))
                    }
                    Key::Present => OrderKey::Present,
                };
                let keys = self.check_order_keys(keys).into_iter().map(key).collect();
                StmtKind::Op { op: Op::OrderBy { keys }, operands }
            }
            Ast::TakeTokens { amount, tokens, at_random, from, to } => {
                let (amount, tokens) = (self.check_expr(amount, number), self.resolve_tokens(tokens));
                let (from, to) = (self.resolve_pool(from), self.resolve_pool(to));
                StmtKind::MoveTokens { amount: Some(amount), at_random: *at_random, tokens, from: from?, to: to? }
            }
            Ast::MoveTokens { tokens, from, to } => {
                let tokens = self.resolve_tokens(tokens);
                let (from, to) = (self.resolve_pool(from), self.resolve_pool(to));
                StmtKind::MoveTokens { amount: None, at_random: false, tokens, from: from?, to: to? }
            }
            Ast::MoveToken { token, to } => {
                let (token, to) = (self.resolve_picked_token(token), self.resolve_pool(to));
                StmtKind::MoveOne { bind: token?, to: to? }
            }
            Ast::LiftTokens { tokens, pool } => {
                let (tokens, pool) = (self.resolve_tokens(tokens), self.resolve_pool(pool));
                StmtKind::LiftAll { tokens, pool: pool? }
            }
            Ast::LiftToken { token } => StmtKind::LiftOne(self.resolve_picked_token(token)?),
            Ast::Roll { pool } => {
                let pool = self.resolve_pool(pool)?;
                let pool = cast::fit::<u8>(self.index(pool));
                StmtKind::op([], |[]| Op::Roll { pool })
            }
            Ast::Spend { amount, symbol, from, to } => StmtKind::Spend(self.check_price(amount, symbol, (from, to))?),
        })
    }

    /// Checks a purse, and keeps it as the body of its name.
    pub(super) fn check_purse(&mut self, def: DefId, of: &Name, lines: &[ast::Means]) {
        purses::check_purse(self, def, of, lines);
    }

    /// Checks a cost that is paid from purses, perhaps in any mix: returns the condition that it can be paid, why it is refused otherwise, and the statement
    /// that pays it.
    pub(super) fn check_cost_from(&mut self, price: &Name, from: &[ast::FromPurse], how: (bool, Span)) -> Option<(Expr, String, Stmt)> {
        bills::check_cost(self, price, from, how)
    }

    /// Checks a price that is paid in symbols shown by tokens.
    pub(super) fn check_price(&mut self, amount: &ast::Expr, symbol: &ast::Expr, pools: (&Name, &Name)) -> Option<TokenPrice> {
        let (amount, symbol) = (self.check_expr(amount, &[Type::Number]), self.check_symbol(symbol));
        let (from, to) = (self.resolve_pool(pools.0), self.resolve_pool(pools.1));
        Some(TokenPrice { amount, symbol, from: from?, to: to? })
    }

    fn check_effect_call(&mut self, effect: &Name, args: &[ast::Expr], span: Span) -> Option<StmtKind> {
        let def = self.resolve_sort(effect, "an effect", |what| matches!(what, DefKind::Effect(_)));
        let Some(def) = def else {
            args.iter().for_each(|arg| _ = self.infer(arg, None));
            return None;
        };
        if self.scope.conditional {
            self.ensure_checked(def);
        } else {
            self.record_mention(def, [None; 2]);
        }
        let args = self.check_args(&effect.text, def, args, span)?;
        Some(StmtKind::Do { effect: def, args })
    }

    /// Resolves a moment that is raised. If the rules have no list of moments, the first use declares it.
    pub fn resolve_raised_moment(&mut self, name: &Name) -> Option<DefId> {
        if !self.rules.moment_docs.is_empty() && self.rules.defs.find(Space::Moment, &name.text).is_none() {
            self.has_unlisted_moment = true;
            self.report_unknown(&name.text, name.span, "a moment that `moments { … }` tells", &[Space::Moment]);
            return None;
        }
        let moment = self.implied(Space::Moment, name, DefKind::Moment);
        self.raised_moments.extend(moment);
        moment
    }

    /// Resolves the name of a loss or draw, which its first use declares, to its index.
    fn resolve_loss(&mut self, name: &Name) -> Option<u16> {
        self.implied(Space::Loss, name, DefKind::Loss).map(|loss| self.index(loss))
    }

    fn implied(&mut self, space: Space, name: &Name, make: fn(u16) -> DefKind) -> Option<DefId> {
        if let Some(known) = self.rules.defs.find(space, &name.text) {
            return Some(known);
        }
        let index = cast::fit::<u16>(self.rules.defs.names(space).count());
        self.declare(space, &name.text, make(index), name.span)
    }

    /// Checks a statement such as `put wall, gate in yard` or `put home.first_cards in yard`.
    fn check_put(&mut self, cards: &[Name], place: DefId) -> Option<StmtKind> {
        if let [list] = cards
            && list.text.contains('.')
        {
            let (card, list) = self.resolve_list(list)?;
            return Some(StmtKind::PutList { card, list, place });
        }
        let mut named = Vec::new();
        for name in cards {
            match self.rules.defs.find(Space::Card, &name.text).map(|card| (card, &self.rules.defs[card].kind)) {
                Some((_, DefKind::Card(number))) if self.rules.board_of_card(*number).is_some() => {
                    self.report(RuleProblem::SpaceStays.at(name.span));
                }
                Some((card, DefKind::Card(number))) => {
                    self.rules.put_by_name.push((*number, name.span));
                    named.push(card);
                }
                Some((_, DefKind::Broken)) => {}
                None if self.rules.defs.cards_missing => {}
                _ => self.report_unknown(&name.text, name.span, "a card or a printed list", &[Space::Card]),
            }
        }
        let (definitions, to) = (named.into_iter().map(|card| self.index(card) as i32).collect(), self.index(place));
        Some(StmtKind::op([], |[]| Op::PutNamed { definitions, to }))
    }

    /// Resolves the token that a `picks` statement has bound.
    fn resolve_picked_token(&mut self, name: &Name) -> Option<super::super::typed::BindingId> {
        match self.scope.find(&name.text) {
            Some((bind, ty)) if self.types.resolve(ty) == Type::Picked => Some(bind),
            _ => self.refuse(RuleProblem::NotThePickedToken { name: name.text.clone() }.at(name.span)),
        }
    }

    // ------------------------------------------------------------------ writing

    fn check_assignment(&mut self, target: &Name, index: Option<&ast::Expr>, op: ast::AssignOp, value: &ast::Expr) -> Option<StmtKind> {
        let operator = match op {
            ast::AssignOp::Set => Write::Set,
            ast::AssignOp::Add => Write::Add,
            ast::AssignOp::Sub => Write::Sub,
        };
        let found = match index {
            Some(index) => self.resolve_tally_target(target, index),
            None => self.resolve_target(target),
        };
        let Some((target_of, ty)) = found else {
            self.infer(value, None);
            return None;
        };
        if ty != Type::Number && operator != Write::Set {
            let name = target.text.clone();
            let found = if ty == Type::Truth { RuleProblem::AddToFlag { name } } else { RuleProblem::AddToWord { name, what: ty.words() } };
            return self.refuse(found.at(target.span));
        }
        let track = match &target_of {
            Target::Variable(def) | Target::OfPlayer { variable: def, .. } => self.rules.defs[*def].name.clone(),
            Target::TallyItem(..) | Target::Counter(..) | Target::CounterItem(..) => target.text.clone(),
        };
        if operator != Write::Set && self.rules.defs.find(Space::Value, &format!("{track}.{ADVANCE_EFFECT}")).is_some() {
            let sign = if operator == Write::Add { "" } else { "-" };
            return self.refuse(RuleProblem::TrackWritten { track, sign }.at(target.span));
        }
        let value = self.check_expr(value, &[ty]);
        Some(StmtKind::Write { target: target_of, operator, value })
    }

    fn resolve_tally_target(&mut self, name: &Name, index: &ast::Expr) -> Option<(Target, Type)> {
        let (player, name) = self.split_owner_of(name);
        if player.is_none()
            && let Some(found) = boards::resolve_tally_on_card(self, &name, index)
        {
            return found;
        }
        let def = self.resolve_sort(&name, "a tally", |what| matches!(what, DefKind::Variable { sort: VariableSort::Tally, .. }))?;
        let (_, over) = self.rules.defs.words_of(def)?;
        let index = self.check_expr(index, &[over]);
        if player.is_some() && matches!(self.rules.defs[def].kind, DefKind::Variable { owner: Owner::Table, .. }) {
            return self.refuse(RuleProblem::OfNoPlayer { name: name.text.clone() }.at(name.span));
        }
        let target = match player {
            Some(player) => Target::OfPlayer { player, variable: def, index: Some(index) },
            None => Target::TallyItem(def, index),
        };
        Some((target, Type::Number))
    }

    /// Resolves the target of an assignment, and the type of its values.
    fn resolve_target(&mut self, name: &Name) -> Option<(Target, Type)> {
        let (word, span) = (&name.text, name.span);
        if self.scope.find(word).is_some() {
            let help = self.rules.defs.find_for_write(Space::Value, word).map(|_| "give the local name another name than the counter has");
            return self.refuse(RuleProblem::CannotWrite { name: word.clone(), what: "bound here", help }.at(span));
        }
        if let Some((player, rest)) = self.split_owner(word, span) {
            return self.resolve_target_of(player, &rest_of_name(name, rest), word);
        }
        if let Some((head, member)) = name.member()
            && let Some(counter) = self.rules.defs.find_for_write(Space::Counter, member)
        {
            if self.rules.defs.words_of(counter).is_some() {
                boards::report_several_on_card(self, counter, word, span);
                return None;
            }
            let card = boards::resolve_owner(self, (head, member), span)?;
            return Some((Target::Counter(card, counter), self.type_of_counter(counter)));
        }
        let Some(def) = self.rules.defs.find_for_write(Space::Value, word) else {
            if name.member().is_some_and(|(_, member)| self.rules.defs.find(Space::Field, member).is_some()) {
                let help = Some("declare a counter for what changes: `card { counter … }`");
                self.report(RuleProblem::CannotWrite { name: word.clone(), what: "printed on the card", help }.at(span));
            } else if self.rules.defs.find_for_write(Space::Counter, word).is_some() {
                self.report(RuleProblem::OnWhichCard { name: word.clone() }.at(span));
            } else {
                self.report_unknown(word, span, "a counter", &[Space::Value, Space::Counter]);
            }
            return None;
        };
        let what = &self.rules.defs[def].kind;
        let DefKind::Variable { sort, .. } = what else {
            if *what != DefKind::Broken {
                let computed = matches!(what, DefKind::Quantity { .. } | DefKind::Define);
                let help = computed.then_some("change what it is computed from");
                self.report(RuleProblem::CannotWrite { name: word.clone(), what: what.describe(), help }.at(span));
            }
            return None;
        };
        match sort {
            VariableSort::Counter | VariableSort::Flag => Some((Target::Variable(def), self.type_of_counter(def))),
            VariableSort::Resource => {
                let help = Some("write `gain …`, `lose …` or `pay …`");
                self.refuse(RuleProblem::CannotWrite { name: word.clone(), what: "a resource", help }.at(span))
            }
            VariableSort::Set | VariableSort::Tally => {
                let write = Some(format!("write `{word}[…]`, or `add … to {word}`"));
                self.refuse(RuleProblem::SeveralValues { name: word.clone(), write }.at(span))
            }
        }
    }

    // ------------------------------------------------------------------ picks of tokens

    fn check_pick(
        &mut self,
        tokens: &ast::Tokens,
        pools: &[Name],
        (least, exactly): (Option<Expr>, bool),
        body: &ast::Body,
    ) -> Option<StmtKind> {
        let tokens = self.resolve_tokens(tokens);
        let count = pools.len();
        let pools: Vec<DefId> = pools.iter().filter_map(|pool| self.resolve_pool(pool)).collect();
        let bind = self.bind("it", Type::Picked);
        let id = self.next_question_id();
        let block = self.check_conditional_block(body);
        (pools.len() == count).then_some(StmtKind::Pick(Pick { id, tokens, pools, least, exactly, bind, block }))
    }

    /// Reports moments that rules raise and nothing listens to, if several card entries listen to a similar name. `heard` counts the
    /// entries of each moment; a single entry is more likely to be misspelt itself. Returns the names that have been reported.
    pub fn report_misspelt_moments(&mut self, heard: &BTreeMap<String, usize>) -> Vec<String> {
        let mut missed = Vec::new();
        let moments = self.rules.defs.all().map(|(_, one)| one).filter(|one| matches!(one.kind, DefKind::Moment(_)));
        let unheard: Vec<Definition> = moments.filter(|one| !heard.contains_key(&one.name)).cloned().collect();
        for Definition { name, span, .. } in unheard {
            let Some(near) = nearest(&name, heard.keys().map(String::as_str)).map(String::from) else { continue };
            let entries = heard[&near];
            if entries >= 2 {
                missed.push(near.clone());
                self.report(RuleProblem::MomentUnheard { name, near, entries }.at(span));
            }
        }
        missed
    }
}

/// Creates a statement about something that goes to a place, perhaps of a certain player.
fn with_owner(of: Expr, owner: Option<Expr>, make: impl FnOnce(NodeId, Option<NodeId>) -> Op) -> StmtKind {
    let op = make(NodeId::at(0), owner.is_some().then(|| NodeId::at(1)));
    StmtKind::Op { op, operands: [Some(of), owner].into_iter().flatten().collect() }
}

fn direction(reverse: bool) -> Direction {
    if reverse { Direction::Reverse } else { Direction::Forward }
}
