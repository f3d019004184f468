//! `given`: sets up the position in which a scenario starts, line by line.

mod boards;
mod cards;
mod contents;
mod picture;

use super::chance;
use super::problem::ScenarioProblem;
use super::together;
use super::trial::{BoxedDiagnostic, FixedEvents, Trial, fault_diagnostic, parse_lines, source_text};
use crate::cast;
use crate::diagnostic::{Diagnostic, has_errors, nearest};
use crate::editor::{PositionEditor, WantedQuantity};
use crate::engine::change;
use crate::engine::ruleset::{Cells, Ruleset, Shape, Target, Variable, VariableSort};
use crate::engine::secrecy;
use crate::engine::tokens;
use crate::engine::{Fault, Game, Stop};
use crate::lang::reader::PositionTarget;
use crate::lang::{Type, split_seat_prefix};
use crate::pack::Text;
use crate::source::Span;
use crate::syntax::ast::scenario::{Given as Says, GivenToken, GivenValue, ScenarioLine};
use crate::syntax::ast::{Expr, ExprKind, Name};
use crate::syntax::parse_given;

/// Sets up the game and the position. Problems with lines are added to `wrong`, and the other lines still apply. `span` is the location of
/// the test.
pub(super) fn set_up_position(trial: &mut Trial<'_>, text: Option<&Text>, span: Span, wrong: &mut Vec<Diagnostic>) {
    let lines = parse_lines(text, parse_given, wrong);
    if let Some(line) = lines.iter().find(|line| line.kind == Says::FromBeginning) {
        if let Some(other) = lines.iter().find(|line| line.kind != Says::FromBeginning) {
            wrong.push(ScenarioProblem::FromBeginningAlone { line: line.span }.at(other.span));
        }
        trial.every_answer = true;
        return;
    }
    let mut round = 1;
    let as_set_up = lines.iter().any(|line| line.kind == Says::AsSetUp);
    for line in &lines {
        if let Says::Round(number) = &line.kind {
            match expect_integer(number) {
                Ok(_) if as_set_up => wrong.push(ScenarioProblem::RoundAsSetUp.at(number.span)),
                Ok(found @ 1..=1000) => round = found,
                _ => wrong.push(ScenarioProblem::Expected { what: "the number of a round, from 1 to 1000" }.at(number.span)),
            }
        }
    }
    // Lines above `as set up` fix random events of the set-up.
    let above = if as_set_up { lines.iter().position(|line| line.kind == Says::AsSetUp).unwrap_or(0) } else { 0 };
    let before = wrong.len();
    for line in lines.iter().take(above) {
        match &line.kind {
            Says::Next(_) | Says::Round(_) => {}
            _ => wrong.push(ScenarioProblem::BeforeSetUp.at(line.span)),
        }
    }
    if wrong.len() > before {
        return;
    }
    let begins = PositionSetup { lines: &lines, lines_above: above, round: (!as_set_up).then_some(round), span };
    let mut tried = Vec::new();
    let instead = begins.write(trial, text, &[], &mut tried);
    if !instead.is_empty() {
        // Some cards must come from the set-up. It is run once more and deals these cards.
        trial.game = Game::new(&trial.rules, trial.game.seed());
        trial.fixed_events = FixedEvents::default();
        tried.clear();
        begins.write(trial, text, &instead, &mut tried);
    }
    wrong.extend(tried);
}

/// A parsed `given`: the point of the game at which it starts, and the lines that modify the state there.
struct PositionSetup<'l> {
    lines: &'l [ScenarioLine<Says>],
    /// Number of lines above `as set up`.
    lines_above: usize,
    /// The round that is under way; `None` before the first round.
    round: Option<i64>,
    /// Location of the test.
    span: Span,
}

impl PositionSetup<'_> {
    /// Runs the set-up, which deals the cards in `dealt`, and executes the lines. Returns the cards that the set-up must deal for the lines
    /// to hold. If there are any, the caller starts again with them.
    fn write(&self, trial: &mut Trial<'_>, text: Option<&Text>, dealt: &[(u32, usize)], wrong: &mut Vec<Diagnostic>) -> Vec<(u32, usize)> {
        let rules = trial.rules.clone();
        for line in self.lines.iter().take(self.lines_above) {
            if let Says::Next(next) = &line.kind {
                wrong.extend(chance::fix_event(trial, next, line.span).err().map(|found| *found));
            }
        }
        if has_errors(wrong) {
            return Vec::new();
        }
        let begun = match dealt {
            [] => PositionEditor::new(trial.game.on(&rules)).set_up_in_order(trial.host),
            dealt => {
                let dealing = Ruleset { dealt_cards: dealt.to_vec(), ..(*rules).clone() };
                PositionEditor::new(trial.game.on(&dealing)).set_up_in_order(trial.host)
            }
        };
        let begun = begun.and_then(|()| self.round.map_or(Ok(()), |round| PositionEditor::new(trial.game.on(&rules)).enter_round(round)));
        if let Err(fault) = begun {
            wrong.push(*fault_diagnostic(&fault, self.span));
            return Vec::new();
        }
        PositionEditor::new(trial.game.on(&rules)).begin_editing();
        let deals = dealt.is_empty().then(Vec::new);
        let (wanted, spans, put, set_cells) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (assigned, legend) = (Vec::new(), Vec::new());
        let mut given = GivenWriter {
            trial,
            text,
            wanted,
            spans,
            placed_cards: put,
            emptied_decks: Vec::new(),
            assigned,
            set_cells,
            requested_deals: deals,
            legend,
        };
        for line in self.lines.iter().skip(self.lines_above) {
            let before = given.set_cells.len();
            let done = given.execute_line(line).and_then(|()| given.expect_unchanged(line.span, before));
            wrong.extend(done.err().map(|found| *found));
        }
        let deals = given.requested_deals.take().unwrap_or_default();
        if deals.iter().any(|deal| !deal.dealt_anyway) {
            return deals.iter().map(|deal| (deal.definition, deal.seat)).collect();
        }
        wrong.extend(given.unused_signs());
        let notes = given.flag_warnings();
        let GivenWriter { wanted, spans, .. } = given;
        trial.warnings.extend(notes);
        match PositionEditor::new(trial.game.on(&rules)).finish(&wanted) {
            Err(fault) => wrong.push(*fault_diagnostic(&fault, self.span)),
            Ok(unmet) => wrong.extend(unmet.first().map(|first| {
                let at = wanted.iter().position(|wanted| wanted == first).map_or(self.span, |i| spans[i]);
                let name = rules.quantities[first.1].name.clone();
                ScenarioProblem::NotMadeToRead { player: first.0 + 1, name, value: first.2 }.at(at)
            })),
        }
        Vec::new()
    }
}

/// Returns the value of an integer literal, or a diagnostic for any other expression.
fn expect_integer(number: &Expr) -> Result<i64, BoxedDiagnostic> {
    match *number.kind {
        ExprKind::Number { thousandths, decimal: false } => Ok(thousandths / 1000),
        _ => Err(Box::new(ScenarioProblem::Expected { what: "a whole number" }.at(number.span))),
    }
}

fn stop_diagnostic(stop: Stop, span: Span) -> BoxedDiagnostic {
    match stop {
        Stop::Fault(fault) => fault_diagnostic(&fault, span),
        other => fault_diagnostic(&Fault::new(format!("{other:?} while a position is written")), span),
    }
}

struct GivenWriter<'g, 't> {
    trial: &'g mut Trial<'t>,
    /// The text of `given`, from which messages quote.
    text: Option<&'g Text>,
    wanted: Vec<WantedQuantity>,
    spans: Vec<Span>,
    /// Cards that lines have placed, each with the line's location.
    placed_cards: Vec<(usize, Span)>,
    /// The decks that lines have emptied: no card goes back there.
    emptied_decks: Vec<usize>,
    /// Left sides of the assignments so far, as written.
    assigned: Vec<String>,
    /// Cells of the state that lines have set.
    set_cells: Vec<SetCell>,
    /// Cards that the set-up must deal according to the lines. `None` if it has already dealt them.
    requested_deals: Option<Vec<RequestedDeal>>,
    /// The signs that stand for cards in pictures.
    legend: Vec<picture::Sign>,
}

/// A card that the set-up must deal to a player.
struct RequestedDeal {
    definition: u32,
    seat: usize,
    /// Whether the set-up deals this card without the request, too.
    dealt_anyway: bool,
}

/// A cell of the state that a line has set, with the value.
struct SetCell {
    cell: usize,
    value: i32,
    /// The left side of the line that set the cell, as written.
    left_side: String,
    span: Span,
}

impl GivenWriter<'_, '_> {
    fn execute_line(&mut self, line: &ScenarioLine<Says>) -> Result<(), BoxedDiagnostic> {
        match &line.kind {
            // These lines were executed before all others.
            Says::Round(_) | Says::AsSetUp | Says::FromBeginning => Ok(()),
            Says::Next(next) => chance::fix_event(self.trial, next, line.span),
            Says::Order(seats) => self.set_order(seats, line.span),
            Says::Empty { place, number } => self.empty_place(place, number.as_ref()),
            Says::Legend(signs) => self.read_legend(signs),
            Says::Picture { place, rows } => self.lay_picture(place, rows, line.span),
            Says::Put { card, place, row, column, over, with } => {
                let [row, column] = [row, column].map(|number| number.as_ref().map(expect_integer).transpose());
                self.put_card(card, place, (row?, column?), over.as_ref(), with.as_ref())
            }
            Says::Has { seat, card } => self.put_in_play(self.trial.find_seat(seat)?, card),
            Says::Flag { seat, flag } => self.set_flag(self.trial.find_seat(seat)?, flag),
            Says::Card { place, card } => {
                let (instance, place) = self.find_place(place)?;
                self.place_card(card, instance, place, None).map(|_| ())
            }
            Says::Set { target, value } => self.assign(target, value),
        }
    }

    fn set_order(&mut self, named: &[Name], span: Span) -> Result<(), BoxedDiagnostic> {
        let players = self.trial.rules.players;
        let mut seats = Vec::new();
        for word in named {
            let seat = self.trial.find_seat(word)?;
            if seats.contains(&seat) {
                return Err(Box::new(ScenarioProblem::Twice { word: word.text.clone() }.at(word.span)));
            }
            seats.push(seat);
        }
        // Seats that are not named follow in their present order.
        let rules = self.trial.rules.clone();
        for seat in self.trial.game.position(&rules).order() {
            if !seats.contains(&seat) {
                seats.push(seat);
            }
        }
        debug_assert_eq!(seats.len(), players);
        self.trial.game.on(&rules).change(|store| change::set_order(store, &seats)).map_err(|stop| stop_diagnostic(stop, span))
    }

    /// Removes all cards from a place. Cards of a deck have no other place, and leave the game.
    fn empty_place(&mut self, word: &Name, number: Option<&Expr>) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let (instance, place) = self.find_place(word)?;
        let declared = &rules.places[place];
        let is_deck = declared.shape == Shape::Deck;
        let instances = match number {
            None if is_deck && !declared.of_seat => {
                declared.first_instance as usize..declared.first_instance as usize + declared.instances as usize
            }
            None => instance..instance + 1,
            Some(number) if !is_deck || declared.of_seat => {
                return Err(Box::new(ScenarioProblem::NotADeck { name: word.text.clone() }.at(number.span)));
            }
            Some(number) => match expect_integer(number)? {
                n if (1..=i64::from(declared.instances)).contains(&n) => {
                    let deck = declared.first_instance as usize + cast::index(n) - 1;
                    deck..deck + 1
                }
                _ => {
                    let (deck, last) = (word.text.clone(), declared.instances.into());
                    return Err(Box::new(ScenarioProblem::NoSuchDeck { deck, last }.at(number.span)));
                }
            },
        };
        for instance in instances {
            self.take_all_out(instance, is_deck, word.span)?;
            if is_deck {
                self.emptied_decks.push(instance);
            }
        }
        Ok(())
    }

    /// Records that a line has set a cell, so that changes by other lines are reported.
    fn record_set_cell(&mut self, cell: usize, left: &str, span: Span) {
        // What is set by hand, only its owner knows.
        let rules = self.trial.rules.clone();
        _ = secrecy::conceal(&mut self.trial.game.store(&rules), cell);
        let value = self.trial.game.cells()[cell];
        self.set_cells.push(SetCell { cell, value, left_side: left.to_string(), span });
    }

    /// Reports a line that has changed a cell set by one of the first `count` settings.
    fn expect_unchanged(&mut self, line: Span, count: usize) -> Result<(), BoxedDiagnostic> {
        let cells = self.trial.game.cells();
        let changed = self.set_cells.iter().take(count).find(|set_cells| cells[set_cells.cell] != set_cells.value);
        let Some(SetCell { cell, value, left_side: left, span }) = changed else { return Ok(()) };
        let (cell, now) = (*cell, cells[*cell]);
        let found = ScenarioProblem::Changed { name: left.clone(), value: *value, now, set: *span }.at(line);
        // Report this only once.
        self.set_cells.retain(|set_cells| set_cells.cell != cell);
        Err(Box::new(found))
    }

    /// Makes warnings about numbers that lines set while a flag is still no, although the rules always set both together.
    fn flag_warnings(&self) -> Vec<Diagnostic> {
        let rules = &self.trial.rules;
        let cells = self.trial.game.cells();
        let mut found: Vec<Diagnostic> = Vec::new();
        for set_cells in &self.set_cells {
            for (flag, name) in together::flags_set_with(rules, set_cells.cell) {
                let known = self.set_cells.iter().any(|other| other.cell == flag) || cells[flag] != 0;
                if known || set_cells.value == 0 {
                    continue;
                }
                found.push(ScenarioProblem::HalfSet { flag: name.to_string(), name: set_cells.left_side.clone() }.at(set_cells.span));
            }
        }
        found
    }

    /// Sets a flag of a seat to yes, as in `p1 passed`.
    fn set_flag(&mut self, seat: usize, word: &Name) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let ending = rules.turns.first().and_then(|turns| turns.passed);
        let flag = rules.seat.iter().find(|v| v.name == word.text && v.sort == VariableSort::Flag).map(|v| v.offset);
        match (flag, ending) {
            (Some(flag), ending) if ending != Some(flag) => {
                self.trial
                    .game
                    .on(&rules)
                    .change(|store| change::write_seat(store, seat, flag as usize, 1))
                    .map_err(|stop| stop_diagnostic(stop, word.span))?;
                self.record_set_cell(rules.layout.seat(seat, flag as usize), &format!("p{}.{}", seat + 1, word.text), word.span);
                Ok(())
            }
            (found, Some(flag)) if found.is_some() || word.text == "passed" => {
                PositionEditor::new(self.trial.game.on(&rules))
                    .end_turns_of(seat, flag)
                    .map_err(|fault| fault_diagnostic(&fault, word.span))?;
                self.record_set_cell(rules.layout.seat(seat, flag as usize), &format!("p{}.{}", seat + 1, word.text), word.span);
                Ok(())
            }
            _ => {
                let flags: Vec<&str> = rules.seat.iter().filter(|v| v.sort == VariableSort::Flag).map(|v| v.name.as_str()).collect();
                let (seat, near) = (seat + 1, nearest(&word.text, flags).map(String::from));
                let write = match word.text.as_str() {
                    "has" => format!("say which card: `p{seat} has CARD`"),
                    card if self.trial.find_definition(word).is_ok() => format!("write `p{seat} has {card}`"),
                    _ => format!("write `p{seat} FLAG`, `p{seat} has CARD` or `p{seat}.NAME = NUMBER`"),
                };
                Err(Box::new(ScenarioProblem::NoFlag { name: word.text.clone(), write, near }.at(word.span)))
            }
        }
    }

    // ------------------------------------------------------------------ numbers

    fn assign(&mut self, target: &Expr, value: &GivenValue) -> Result<(), BoxedDiagnostic> {
        let left = source_text(self.text, target.span);
        let pool = self.find_pool(left);
        if self.assigned.iter().any(|before| before == left) {
            return Err(Box::new(ScenarioProblem::SetTwice { name: left.to_string(), is_pool: pool.is_some() }.at(target.span)));
        }
        self.assigned.push(left.to_string());
        if let Some((pool, seat)) = pool {
            return self.fill_pool(pool, seat, value, target.span);
        }
        if let Some((set, seat)) = self.find_word_set(left) {
            return self.fill_set(&set, seat, value, target.span);
        }
        if self.is_place(left) {
            return self.fill_place(target.span, value);
        }
        if let Some((set, card)) = self.find_set_on_card(target)? {
            return self.fill_set_on_card(&set, card, value, target.span);
        }
        let span = target.span;
        let (target, sort) = self.trial.reader.typed(target)?;
        let me = split_seat_prefix(left).map(|(seat, _)| seat);
        let (target, said) = self.trial.reader.target(&target)?.unzip();
        let target = (target, said.flatten().or(me));
        let value = match value {
            GivenValue::Expr(value) => value,
            GivenValue::Tokens(_) => return Err(Box::new(ScenarioProblem::NotAPool { name: left.to_string() }.at(span))),
        };
        let right = source_text(self.text, value.span);
        if let Type::Choice(_) = sort {
            return match self.trial.reader.word(sort, right) {
                Some(value) => self.set_value(span, target, value),
                None => Err(Box::new(ScenarioProblem::CannotBe { name: left.to_string(), value: right.to_string() }.at(value.span))),
            };
        }
        if matches!((sort, right), (Type::Seat, "nobody") | (Type::Space(_), "nowhere")) {
            return self.set_value(span, target, 0);
        }
        let (node_of_value, found) = self.trial.compile(value)?;
        let wanted = if let Type::Truth | Type::Seat | Type::Space(_) = sort { sort } else { Type::Number };
        if found != wanted {
            return Err(Box::new(ScenarioProblem::ExpectedType { expected: sort.words(), found: found.words() }.at(value.span)));
        }
        let worked_out = self.trial.evaluate(node_of_value, me.unwrap_or(0));
        if let Some(why) = self.trial.take_arithmetic_error() {
            return Err(Box::new(ScenarioProblem::WrongNumber { why }.at(value.span)));
        }
        // A cell has the seat or space + 1.
        let shifted = matches!(sort, Type::Seat | Type::Space(_));
        self.set_value(span, target, if shifted { worked_out + 1 } else { worked_out })?;
        match self.trial.take_arithmetic_error() {
            Some(why) => Err(Box::new(ScenarioProblem::WrongNumber { why }.at(span))),
            None => Ok(()),
        }
    }

    /// Finds a token pool by its name, which may follow a seat as in `p1.hand`. Returns its index and the seat.
    fn find_pool(&self, left: &str) -> Option<(u8, usize)> {
        let rules = &self.trial.rules;
        let (seat, name) = split_seat_prefix(left).unwrap_or((0, left));
        let pool = rules.pools.iter().position(|pool| rules.names.text(pool.name) == name)?;
        (seat < rules.players).then_some((cast::fit::<u8>(pool), seat))
    }

    /// Finds a variable that is a set of words by its name, which may follow a seat. Returns the variable and the seat.
    fn find_word_set(&self, left: &str) -> Option<(Variable, Option<usize>)> {
        let rules = &self.trial.rules;
        let (seat, name) = split_seat_prefix(left).map_or((None, left), |(seat, name)| (Some(seat), name));
        let (of_seat, of_table) = (seat.is_some() || !rules.table.iter().any(|v| v.name == name), seat.is_none());
        let found = |variables: &[Variable]| variables.iter().find(|v| v.name == name && v.sort == VariableSort::Set).cloned();
        of_seat.then(|| found(&rules.seat)).flatten().or_else(|| of_table.then(|| found(&rules.table)).flatten()).map(|set| (set, seat))
    }

    /// Returns the words of a set as bits: `gold, food`.
    fn bits_of_set(&self, set: &Variable, value: &GivenValue) -> Result<i64, BoxedDiagnostic> {
        let rules = &self.trial.rules;
        let words: Vec<(&str, Span)> = match value {
            GivenValue::Expr(one) => vec![(source_text(self.text, one.span), one.span)],
            GivenValue::Tokens(tokens) => {
                if let Some(token) = tokens.iter().find(|token| token.count.is_some() || token.face.is_some()) {
                    return Err(Box::new(ScenarioProblem::SetOfWords { name: set.name.clone() }.at(token.name.span)));
                }
                tokens.iter().map(|token| (token.name.text.as_str(), token.name.span)).collect()
            }
        };
        let mut bits = 0_i64;
        for (word, span) in words {
            let Some(bit) = set.words.iter().position(|known| rules.names.text(*known) == word) else {
                let known: Vec<&str> = set.words.iter().map(|word| rules.names.text(*word)).collect();
                let (word, set, all) = (word.to_string(), set.name.clone(), known.join(", "));
                let near = nearest(&word, known).map(String::from);
                return Err(Box::new(ScenarioProblem::NotInSet { word, set, known: all, near }.at(span)));
            };
            bits |= 1 << bit;
        }
        Ok(bits)
    }

    /// Fills a set of words, as in `p1.short = gold, food`.
    fn fill_set(&mut self, set: &Variable, seat: Option<usize>, value: &GivenValue, target: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let bits = self.bits_of_set(set, value)?;
        let game = &mut self.trial.game;
        let (cell, done) = match (rules.seat.iter().any(|known| known.name == set.name), seat) {
            (true, None) => {
                return Err(Box::new(ScenarioProblem::Whose { name: set.name.clone() }.at(target)));
            }
            (true, Some(seat)) => {
                self.trial.expect_seat(seat, target)?;
                let game = &mut self.trial.game;
                (
                    rules.layout.seat(seat, set.offset as usize),
                    game.on(&rules).change(|store| change::write_seat(store, seat, set.offset as usize, bits)),
                )
            }
            (false, _) => (set.offset as usize, game.on(&rules).change(|store| change::write_table(store, set.offset as usize, bits))),
        };
        done.map_err(|stop| stop_diagnostic(stop, target))?;
        self.record_set_cell(cell, source_text(self.text, target), target);
        Ok(())
    }

    /// Fills a pool of tokens, as in `p1.hand = 2 white:food, gold`.
    fn fill_pool(&mut self, pool: u8, seat: usize, value: &GivenValue, target: Span) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let tokens: Vec<(i64, &str, Span)> = match value {
            GivenValue::Expr(one) => vec![(1, source_text(self.text, one.span), one.span)],
            GivenValue::Tokens(tokens) => {
                let count = |token: &GivenToken| token.count.as_ref().map_or(Ok(1), expect_integer);
                let key = |token: &GivenToken| token.face.as_ref().map_or(token.name.span, |face| token.name.span.to(face.span));
                let all = |token: &GivenToken| token.count.as_ref().map_or(key(token), |count| count.span.to(key(token)));
                let token = |token| Ok((count(token)?, source_text(self.text, key(token)), all(token)));
                tokens.iter().map(token).collect::<Result<_, BoxedDiagnostic>>()?
            }
        };
        let mut contents = Vec::new();
        for (count, key, span) in tokens {
            let class = rules.classes.iter().position(|class| rules.names.text(class.key) == key);
            let Some(class) = class else {
                let keys = rules.classes.iter().map(|class| rules.names.text(class.key));
                let (text, near) = (source_text(self.text, span).to_string(), nearest(key, keys).map(String::from));
                return Err(Box::new(ScenarioProblem::NoTokens { text, near }.at(span)));
            };
            contents.push((class, count));
        }
        let elsewhere = "first take what is in another pool out of it by a line such as `p2.POOL = nothing`";
        let told = |stop| Box::new(stop_diagnostic(stop, target).help(elsewhere));
        self.trial.game.on(&rules).change(|store| tokens::set_pool(store, pool, seat, &contents)).map_err(told)?;
        let declared = &rules.pools[usize::from(pool)];
        let offset = usize::from(declared.offset);
        let first = if declared.of_seat { rules.layout.seat(seat, offset) } else { offset };
        secrecy::conceal(&mut self.trial.game.store(&rules), first).map_err(|stop| stop_diagnostic(stop, target))
    }

    fn set_value(
        &mut self,
        span: Span,
        (target, said): (Option<PositionTarget>, Option<usize>),
        value: i64,
    ) -> Result<(), BoxedDiagnostic> {
        let rules = self.trial.rules.clone();
        let left = source_text(self.text, span);
        let owner = || said.ok_or_else(|| Box::new(ScenarioProblem::Whose { name: left.to_string() }.at(span)));
        let Target { of, offset, element } = match target {
            Some(PositionTarget::Cells(cells)) => cells,
            Some(PositionTarget::Derived) => {
                return Err(Box::new(ScenarioProblem::Follows { name: left.to_string() }.at(span)));
            }
            Some(PositionTarget::Quantity(quantity)) => {
                let seat = owner()?;
                self.wanted.retain(|w| (w.0, w.1) != (seat, quantity as usize));
                self.wanted.push((seat, quantity as usize, value));
                self.spans.push(span);
                return Ok(());
            }
            None => return Err(Box::new(ScenarioProblem::CannotWrite { name: left.to_string() }.at(span))),
        };
        let seat = if let Cells::Seat(_) = of { owner()? } else { said.unwrap_or(0) };
        let card = if let Cells::Piece(card) = of { Some(self.trial.evaluate(card, seat)) } else { None };
        let index = element.map_or(0, |(_, index)| self.trial.evaluate(index, seat));
        let Ok(whose) = card.map_or(Ok(seat), usize::try_from) else {
            return Err(Box::new(ScenarioProblem::NoCardHere.at(span)));
        };
        if element.is_some_and(|(len, _)| !(0..i64::from(len)).contains(&index)) {
            return Err(Box::new(ScenarioProblem::NoIndex.at(span)));
        }
        let offset = usize::from(offset) + cast::index(index);
        let cell = change::cell_of(&rules, of, whose, offset);
        let done = self.trial.game.on(&rules).change(|store| change::write_cell(store, of, whose, offset, value));
        done.map_err(|stop| stop_diagnostic(stop, span))?;
        let left = left.to_string();
        self.record_set_cell(cell, &left, span);
        Ok(())
    }
}
