//! Builds expressions.

use std::sync::OnceLock;

use pest::iterators::Pairs;
use pest::pratt_parser::{Assoc, Op, PrattParser};

use super::super::ast::*;
use super::super::grammar::Rule;
use super::{BuildResult, Builder, Parts, RulePair, by_keyword, end_of, has_keyword};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Maximum number of decimal places of a number.
const MAX_DECIMALS: usize = 3;

/// Rules for numbers that are made of players, cards, words or other numbers.
const NUMBERS_OF_MANY: [Rule; 8] =
    [Rule::count_players, Rule::count_named, Rule::count_cards, Rule::sum, Rule::sum_of_best, Rule::highest, Rule::lowest, Rule::median];

/// Returns the parser of operators, from the weakest binding to the strongest.
fn pratt() -> &'static PrattParser<Rule> {
    static PRATT: OnceLock<PrattParser<Rule>> = OnceLock::new();
    let left = |rule| Op::infix(rule, Assoc::Left);
    PRATT.get_or_init(|| {
        let comparisons = left(Rule::equal) | left(Rule::not_equal) | left(Rule::less) | left(Rule::at_most) | left(Rule::more);
        let behind = Op::postfix(Rule::is_there)
            | Op::postfix(Rule::is_next_to)
            | Op::postfix(Rule::fits_at)
            | Op::postfix(Rule::in_range)
            | Op::postfix(Rule::in_list);
        PrattParser::new()
            .op(left(Rule::or_else))
            .op(left(Rule::and_also))
            .op(Op::prefix(Rule::negation))
            .op(comparisons | left(Rule::at_least) | left(Rule::is_equal) | behind)
            .op(left(Rule::add) | left(Rule::sub))
            .op(left(Rule::mul) | left(Rule::div))
            .op(Op::prefix(Rule::minus) | Op::prefix(Rule::plus))
    })
}

impl Builder<'_> {
    pub fn expr(&self, node: RulePair<'_>) -> BuildResult<Expr> {
        let (span, rule, whole) = (self.span(&node), node.as_rule(), node.clone());
        if NUMBERS_OF_MANY.contains(&rule) {
            self.expect_end_of_where(&whole)?;
        }
        let mut parts = Parts::of(self, node);
        let kind = match rule {
            Rule::expr | Rule::amount => return self.build_operators(whole.into_inner()),
            Rule::bracketed | Rule::resource | Rule::filter | Rule::index | Rule::from_player => return parts.expr(),
            Rule::along | Rule::trail_by | Rule::area_by => return parts.expr(),
            Rule::group => {
                let of = parts.expr()?;
                return self.build_member(of, &mut parts, span);
            }
            Rule::call | Rule::item => {
                let of = self.made(parts.kind()?, span);
                return self.build_member(of, &mut parts, span);
            }
            Rule::only_if | Rule::imagined | Rule::given_row | Rule::given_column => return parts.expr(),
            Rule::number => self.build_number(&whole)?,
            Rule::quoted => ExprKind::Quoted(self.quoted(&whole)),
            Rule::name => ExprKind::Name(self.name(&whole)),
            Rule::target => {
                let name = parts.name()?;
                match parts.maybe_expr(Rule::index)? {
                    Some(index) => ExprKind::Item { name, index },
                    None => ExprKind::Name(name),
                }
            }
            Rule::count_named => ExprKind::OverNamed { fold: Fold::Count, each: None, of: parts.read()? },
            Rule::any_named => ExprKind::OverNamed { fold: Fold::Any, each: None, of: parts.read()? },
            Rule::every_named | Rule::every_players | Rule::every_cards => return self.build_every(rule, &mut parts, span),
            Rule::no_named | Rule::no_players | Rule::no_cards => {
                return self.build_any(rule, &mut parts, span).map(|any| self.negate(any));
            }
            Rule::sum_of_best => {
                let (lowest, count) = (has_keyword(&whole, Rule::LOWEST), parts.expr()?);
                let sum = Box::new(self.build_fold(Fold::Sum, &mut parts)?);
                ExprKind::SumOfBest { lowest, count, sum }
            }
            Rule::sum => self.build_fold(Fold::Sum, &mut parts)?,
            Rule::highest => self.build_fold(Fold::Highest, &mut parts)?,
            Rule::lowest => self.build_fold(Fold::Lowest, &mut parts)?,
            Rule::median => self.build_fold(Fold::Median, &mut parts)?,
            _ => parts.kind()?,
        };
        Ok(self.made(kind, span))
    }

    /// Builds what stands behind a dot, if there is a dot.
    fn build_member(&self, of: Expr, parts: &mut Parts<'_, '_, '_>, span: Span) -> BuildResult<Expr> {
        let Some(member) = parts.maybe(Rule::member_of) else { return Ok(of) };
        let member = Parts::of(self, member).name()?;
        Ok(self.made(ExprKind::Member { of, member }, span))
    }

    fn made(&self, kind: ExprKind, span: Span) -> Expr {
        let expr = Expr { kind: Box::new(kind), span };
        #[cfg(test)]
        self.exprs.borrow_mut().push(expr.clone());
        expr
    }

    /// Builds a chain of binary operators. Each operand keeps its whole span: brackets around it belong to the operation, not to the
    /// operand.
    fn build_operators(&self, nodes: Pairs<'_, Rule>) -> BuildResult<Expr> {
        let make = |kind: ExprKind, span| Ok((self.made(kind, span), span));
        let joined = pratt()
            .map_primary(|node| Ok((self.expr(node.clone())?, self.span(&node))))
            .map_prefix(|op, inner: BuildResult<(Expr, Span)>| {
                let (inner, covered) = inner?;
                let span = self.span(&op).to(covered);
                match op.as_rule() {
                    Rule::negation => make(ExprKind::Not(inner), span),
                    Rule::minus => make(ExprKind::Minus(inner), span),
                    _ => Ok((inner, span)),
                }
            })
            .map_infix(|left: BuildResult<(Expr, Span)>, op, right: BuildResult<(Expr, Span)>| {
                let ((left, from), (right, to)) = (left?, right?);
                let kind = match BinaryOp::of_rule(op.as_rule()) {
                    Some(op) => ExprKind::Binary { op, left, right },
                    None => ExprKind::Is { left, not: has_keyword(&op, Rule::NOT), right },
                };
                make(kind, from.to(to))
            })
            .map_postfix(|left: BuildResult<(Expr, Span)>, op| {
                let (left, from) = left?;
                let span = from.to(self.span(&op));
                let (rule, not, my) = (op.as_rule(), has_keyword(&op, Rule::NOT), has_keyword(&op, Rule::MY));
                let mut parts = Parts::of(self, op);
                let kind = match rule {
                    Rule::is_next_to => ExprKind::NextTo { left, not, to: parts.expr()? },
                    Rule::fits_at => ExprKind::Fits { card: left, board: parts.name()?, at: parts.expr()?, turned: parts.read()? },
                    Rule::is_there => ExprKind::IsThere { left, not },
                    Rule::in_range => ExprKind::InRange { left, from: parts.expr()?, to: parts.expr()? },
                    _ => ExprKind::In { left, my, name: parts.name()? },
                };
                make(kind, span)
            })
            .parse(nodes)?;
        Ok(joined.0)
    }

    fn build_number(&self, node: &RulePair<'_>) -> BuildResult<ExprKind> {
        let text = node.as_str();
        number_of(text).map_err(|help| {
            Diagnostic::error("P007", self.span(node), format!("`{text}` is not a number")).label("not a number").help(help).into()
        })
    }

    fn build_fold(&self, fold: Fold, parts: &mut Parts<'_, '_, '_>) -> BuildResult<ExprKind> {
        let each = parts.expr()?;
        Ok(match (parts.next_is(Rule::named), parts.next_is(Rule::which_players)) {
            (true, _) => ExprKind::OverNamed { fold, each: Some(each), of: parts.read()? },
            (_, true) => ExprKind::OverPlayers { fold, each, of: parts.read()? },
            _ => ExprKind::OverCards { fold, each, of: parts.read()? },
        })
    }

    /// Builds the condition that there is any of what is said.
    fn build_any(&self, rule: Rule, parts: &mut Parts<'_, '_, '_>, span: Span) -> BuildResult<Expr> {
        let kind = match rule {
            Rule::every_named | Rule::no_named => ExprKind::OverNamed { fold: Fold::Any, each: None, of: parts.read()? },
            Rule::every_players | Rule::no_players => ExprKind::AnyPlayers(parts.read()?),
            _ => ExprKind::AnyCards(parts.read()?),
        };
        Ok(self.made(kind, span))
    }

    /// Builds `all … where C`: there is none for which C does not hold.
    fn build_every(&self, rule: Rule, parts: &mut Parts<'_, '_, '_>, span: Span) -> BuildResult<Expr> {
        let mut any = self.build_any(rule, parts, span)?;
        let filter = match &mut *any.kind {
            ExprKind::AnyPlayers(Players { which: PlayersWhich::Where(filter), .. }) => Some(filter),
            ExprKind::AnyCards(cards) => cards.filter.as_mut(),
            ExprKind::OverNamed { of: Named { filter: Some(filter), .. }, .. } => Some(filter),
            ExprKind::OverNamed { of: Named { domain: FoldDomain::Cards(cards), .. }, .. } => cards.filter.as_mut(),
            ExprKind::OverNamed {
                of: Named { domain: FoldDomain::Players(Players { which: PlayersWhich::Where(filter), .. }), .. },
                ..
            } => Some(filter),
            _ => None,
        };
        let Some(filter) = filter else {
            let missing = Diagnostic::error("R002", span, "what must hold for all of them is missing");
            return Err(missing.label("no condition stands behind it").help("write `all … where CONDITION`").into());
        };
        *filter = self.negate(filter.clone());
        Ok(self.negate(any))
    }

    /// Returns the condition that something is not so.
    fn negate(&self, condition: Expr) -> Expr {
        let span = condition.span;
        self.made(ExprKind::Not(condition), span)
    }

    /// Refuses `count … where A > B + C`: a reader cannot tell whether `+ C` belongs to the condition or to the count.
    fn expect_end_of_where(&self, whole: &RulePair<'_>) -> BuildResult<()> {
        fn last<'t>(node: &RulePair<'t>) -> Option<RulePair<'t>> {
            node.clone().into_inner().next_back()
        }
        let gone_through = last(whole).and_then(|part| if part.as_rule() == Rule::named { last(&part) } else { Some(part) });
        let is_condition = |part: &RulePair<'_>| part.as_rule() == Rule::filter;
        let condition = gone_through.and_then(|part| if is_condition(&part) { Some(part) } else { last(&part) });
        let condition = condition.and_then(|part| if part.as_rule() == Rule::filter { last(&part) } else { Some(part) });
        let Some(condition) = condition.filter(|part| part.as_rule() == Rule::expr) else { return Ok(()) };
        let mut parts: Vec<RulePair<'_>> = condition.into_inner().collect();
        if let Some(range) = parts.last().filter(|part| part.as_rule() == Rule::in_range) {
            parts = last(range).map(|to| to.into_inner().collect()).unwrap_or_default();
        }
        let is_reckoning = |part: &RulePair<'_>| matches!(part.as_rule(), Rule::add | Rule::sub | Rule::mul | Rule::div);
        let compared = parts
            .iter()
            .rposition(|part| BinaryOp::of_rule(part.as_rule()).is_some() && !is_reckoning(part) || part.as_rule() == Rule::is_equal);
        let behind = parts.get(compared.map_or(0, |at| at + 1)..).unwrap_or_default();
        let (Some(value), Some(sign)) = (behind.first(), behind.iter().find(|part| is_reckoning(part))) else { return Ok(()) };
        let (start, from, at) = (whole.as_span().start(), value.as_span().start(), sign.as_span().start());
        let text = |from: usize, to: usize| self.scanned.text.get(from..to).unwrap_or("").split_whitespace().collect::<Vec<_>>().join(" ");
        let end = end_of(whole);
        let diagnostic = Diagnostic::error("R017", self.scanned.span(at, end), "how far `where` goes is not plain");
        let diagnostic = diagnostic.label("does this belong to the condition, or to the number that is made?");
        let one = format!("write `({}) {}`", text(start, at), text(at, end));
        Err(diagnostic.help(format!("{one}, or `{} ({})`", text(start, from), text(from, end))).into())
    }

    pub fn build_cards(&self, node: RulePair<'_>) -> BuildResult<Cards> {
        let span = self.span(&node);
        let whose = by_keyword(&node, [(Rule::MY, Whose::My), (Rule::ALL, Whose::All)], Whose::Unsaid);
        let of_space = [Rule::group_of, Rule::cards_at, Rule::within_steps, Rule::areas_of, Rule::beside];
        let is_of_space = |part: &RulePair<'_>| of_space.contains(&part.as_rule());
        if let Some(found) = node.clone().into_inner().find(is_of_space) {
            let rule = found.as_rule();
            let mut parts = Parts::of(self, found);
            if rule == Rule::areas_of {
                let (name, by) = (parts.name()?, parts.maybe_expr(Rule::area_by)?);
                let (of_space, filter) = (Some(OfSpace::Areas(by)), parts.read()?);
                return Ok(Cards { whose, name, of_space, rows: Vec::new(), with: None, filter, joined: false, span });
            }
            if rule == Rule::beside {
                let (name, of_space) = (parts.name()?, Some(OfSpace::Beside(parts.name()?)));
                return Ok(Cards { whose, name, of_space, rows: Vec::new(), with: None, filter: parts.read()?, joined: false, span });
            }
            let (word, of_space) = match rule {
                Rule::group_of => {
                    let (space, over) = (parts.expr()?, parts.read::<Option<OverWays>>()?);
                    let of_space = match over {
                        Some(over) => OfSpace::Within(Box::new(WithinSteps { steps: None, space, over: Some(over) })),
                        None => OfSpace::Group(space),
                    };
                    ("group", of_space)
                }
                Rule::within_steps => (
                    "spaces",
                    OfSpace::Within(Box::new(WithinSteps { steps: Some(parts.expr()?), space: parts.expr()?, over: parts.read()? })),
                ),
                _ => ("cards", OfSpace::CardsAt(parts.expr()?)),
            };
            let (name, of_space) = (Name { text: word.to_string(), span }, Some(of_space));
            return Ok(Cards { whose, name, of_space, rows: Vec::new(), with: None, filter: parts.read()?, joined: false, span });
        }
        let joined = node.clone().into_inner().find(|part| part.as_rule() == Rule::expr);
        joined.iter().try_for_each(|joined| self.expect_one_condition(joined))?;
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let rows = parts.maybe_within(Rule::rows, |rows| rows.each(&[Rule::number, Rule::amount], Builder::expr))?;
        let with = parts.maybe_name();
        let filter = parts.read()?;
        Ok(Cards { whose, name, of_space: None, rows, with, filter, joined: joined.is_some(), span })
    }

    /// Refuses `any my den and card.height > 2 or f`: a reader cannot tell whether `or f` belongs to the condition on the cards.
    fn expect_one_condition(&self, joined: &RulePair<'_>) -> BuildResult<()> {
        let Some(or) = joined.clone().into_inner().find(|part| part.as_rule() == Rule::or_else) else { return Ok(()) };
        let at = or.as_span();
        let diagnostic = Diagnostic::error("R017", self.scanned.span(at.start(), at.end()), "how far `and` behind cards goes is not plain");
        let diagnostic = diagnostic.label("does this belong to the condition of the cards?");
        Err(diagnostic
            .help("if it does, put all behind `and` in brackets, or write `where` for `and`; if not, put brackets around what ends here")
            .into())
    }

    pub fn build_tokens(&self, node: RulePair<'_>) -> BuildResult<Tokens> {
        let (span, face, showing) = (self.span(&node), has_keyword(&node, Rule::COLON), has_keyword(&node, Rule::SHOWING));
        let mut parts = Parts::of(self, node);
        let name = parts.name()?;
        let face = if face { Some(parts.name()?) } else { None };
        let showing = if showing { Some(parts.expr()?) } else { None };
        Ok(Tokens { name, face, showing, span })
    }
}

/// Returns the value of a literal, or a message that says what to write instead.
fn number_of(text: &str) -> Result<ExprKind, &'static str> {
    const FORM: &str = "a number is digits, like `3`, or digits on both sides of a point, like `0.35`";
    const LARGE: &str = "the number is too large";
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, rest) = match text.split_once('.') {
        Some((whole, rest)) => (whole, Some(rest)),
        None => (text, None),
    };
    if !digits(whole) || rest.is_some_and(|rest| !digits(rest)) {
        return Err(if text.contains('.') { FORM } else { "a name begins with a letter; between a number and a name stands a blank" });
    }
    let whole: i64 = whole.parse().map_err(|_| LARGE)?;
    let rest = rest.unwrap_or("");
    if rest.len() > MAX_DECIMALS {
        return Err("at most three digits stand behind the point");
    }
    let decimal = !rest.is_empty();
    let rest: i64 = format!("{rest:0<MAX_DECIMALS$}").parse().map_err(|_| LARGE)?;
    let thousandths = whole.checked_mul(1000).and_then(|whole| whole.checked_add(rest)).ok_or(LARGE)?;
    Ok(ExprKind::Number { thousandths, decimal })
}
