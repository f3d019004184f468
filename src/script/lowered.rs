//! Scripts that run without rhai: calls of functions, `if`, `for` over lists, `let`, numbers and comparisons, as most cards need them. They are made
//! of rhai's own tree. What a script says beyond that is left to rhai; a law holds that both come to the same.

use super::api::rules::{RuleFunction, rule_functions};
use super::api::{Run, Sort, Work, find_native};
use super::error::runtime_fault;
use super::host::{SCRIPT_VARIABLES, ScriptContext, placed};
use super::sandbox::{MAX_LIST_LEN, MAX_OPERATIONS};
use crate::engine::ruleset::{Ruleset, ScriptText};
use crate::engine::{Machine, Stop};
use houserule_numbers::compare::Compare;
use rhai::{AST, Array, EvalAltResult, Expr, FnCallExpr, Position, Stmt, Token};

/// The most values that are handed to a function.
const MAX_ARGS: usize = 8;
/// The most variables of a script.
const MAX_SLOTS: usize = 24;

/// A script that runs without rhai.
#[derive(Debug)]
pub(super) struct Lowered(Box<[Statement]>);

#[derive(Debug)]
enum Statement {
    /// Does something, and drops what it gives.
    Do(Node),
    /// Sets a variable.
    Let(usize, Node),
    /// Sets a variable to a list.
    LetList(usize, List),
    /// Turns the list in a variable round.
    Reverse(usize),
    If(Node, Box<[Statement]>, Box<[Statement]>),
    /// Goes through a list with a variable.
    For(usize, List, Box<[Statement]>, Position),
}

#[derive(Debug)]
enum List {
    /// The list in a variable.
    Variable(usize),
    Items(Box<[Node]>),
    Call(Work<Vec<i64>>, Box<[Node]>, Position),
}

#[derive(Debug)]
enum Node {
    Number(i64),
    Variable(usize),
    Call(Run, Box<[Node]>, Position),
    /// A function of the rules.
    Rule(Box<RuleFunction>, Box<[Node]>, Position),
    Arithmetic(Arithmetic, Box<[Node; 2]>, Position),
    Compare(Compare, Box<[Node; 2]>),
    Not(Box<Node>),
    /// Truths, up to the first that is this one: `&&` goes on to the first that does not hold, `||` to the first that does.
    UpTo(bool, Box<[Node]>),
    If(Box<[Node; 3]>),
}

/// How two numbers become one, with what rhai calls it where the result is too large.
type Arithmetic = (fn(i64, i64) -> Option<i64>, &'static str, char);

// ---------------------------------------------------------------------- from rhai's tree

/// Makes scripts of a ruleset that run without rhai.
pub(super) struct Lowerer {
    functions: Vec<RuleFunction>,
    /// The variables in scope, each with what it holds.
    names: Vec<(String, Sort)>,
    /// How many loops are around what is lowered.
    loops: usize,
}

impl Lowerer {
    pub fn new(rules: &Ruleset) -> Lowerer {
        Lowerer { functions: rule_functions(rules), names: Vec::new(), loops: 0 }
    }

    /// Lowers a script whose words are constants already; `None` if it needs rhai.
    pub fn lower(&mut self, script: &ScriptText, tree: &AST) -> Option<Lowered> {
        self.names = SCRIPT_VARIABLES.iter().map(|name| (name.to_string(), Sort::Number)).collect();
        let sort = |truth: bool| if truth { Sort::Truth } else { Sort::Number };
        self.names.extend(script.lets.iter().map(|named| (named.name.to_string(), sort(named.truth))));
        self.loops = 0;
        self.block(tree.statements()).map(Lowered)
    }

    fn block(&mut self, statements: &[Stmt]) -> Option<Box<[Statement]>> {
        let outer = self.names.len();
        let mut lowered = Vec::with_capacity(statements.len());
        for statement in statements.iter().filter(|statement| !statement.is_noop()) {
            self.statement(statement, &mut lowered)?;
        }
        self.names.truncate(outer);
        Some(lowered.into())
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "all other statements are left to rhai")]
    fn statement(&mut self, statement: &Stmt, into: &mut Vec<Statement>) -> Option<()> {
        into.push(match statement {
            Stmt::FnCall(call, at) => Statement::Do(self.call(call, *at)?.0),
            Stmt::Expr(expr) => match &**expr {
                Expr::Dot(parts, _, _) => match &parts.rhs {
                    Expr::MethodCall(call, _) if call.name == "reverse" && call.args.is_empty() => {
                        Statement::Reverse(self.variable(&parts.lhs, Sort::List)?)
                    }
                    _ => return None,
                },
                expr => Statement::Do(self.node(expr)?.0),
            },
            Stmt::Var(named, _, _) => {
                let (name, expr, _) = &**named;
                if let Some(list) = self.list(expr) {
                    Statement::LetList(self.declare(&name.name, Sort::List)?, list)
                } else {
                    let (value, sort) = self.node(expr)?;
                    Statement::Let(self.declare(&name.name, sort)?, value)
                }
            }
            Stmt::If(flow, _) => {
                let condition = self.truth(&flow.expr)?;
                Statement::If(condition, self.block(flow.body.statements())?, self.block(flow.branch.statements())?)
            }
            Stmt::Block(block) => {
                into.extend(self.block(block.statements())?);
                return Some(());
            }
            Stmt::For(named, at) => {
                let (name, None, flow) = &**named else { return None };
                let list = self.list(&flow.expr)?;
                // More loops are left to rhai, which counts all that a script does.
                self.loops += 1;
                let variable = self.declare(&name.name, Sort::Number).filter(|_| self.loops <= 2)?;
                let body = self.block(flow.body.statements())?;
                self.names.pop();
                self.loops -= 1;
                Statement::For(variable, list, body, *at)
            }
            _ => return None,
        });
        Some(())
    }

    fn declare(&mut self, name: &str, sort: Sort) -> Option<usize> {
        self.names.push((name.to_string(), sort));
        (sort != Sort::Nothing && self.names.len() <= MAX_SLOTS).then(|| self.names.len() - 1)
    }

    /// Returns the variable that an expression is, if it holds this.
    fn variable(&self, expr: &Expr, holds: Sort) -> Option<usize> {
        let Expr::Variable(named, _, _) = expr else { return None };
        let slot = self.names.iter().rposition(|(name, _)| *name == named.1.as_str())?;
        (self.names[slot].1 == holds).then_some(slot)
    }

    fn number(&mut self, expr: &Expr) -> Option<Node> {
        self.node(expr).filter(|(_, sort)| *sort == Sort::Number).map(|(node, _)| node)
    }

    fn truth(&mut self, expr: &Expr) -> Option<Node> {
        self.node(expr).filter(|(_, sort)| *sort == Sort::Truth).map(|(node, _)| node)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "all other lists are left to rhai")]
    fn list(&mut self, expr: &Expr) -> Option<List> {
        match expr {
            Expr::Variable(..) => self.variable(expr, Sort::List).map(List::Variable),
            Expr::Array(items, _) => items.iter().map(|item| self.number(item)).collect::<Option<_>>().map(List::Items),
            Expr::DynamicConstant(value, _) => {
                let items = value.read_lock::<Array>()?;
                items.iter().map(|item| item.as_int().ok().map(Node::Number)).collect::<Option<_>>().map(List::Items)
            }
            Expr::FnCall(call, at) => {
                let Run::List(work) = find_native(&call.name, call.args.len())?.run else { return None };
                Some(List::Call(work, call.args.iter().map(|arg| self.number(arg)).collect::<Option<_>>()?, *at))
            }
            _ => None,
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "all other expressions are left to rhai")]
    fn node(&mut self, expr: &Expr) -> Option<(Node, Sort)> {
        match expr {
            Expr::IntegerConstant(number, _) => Some((Node::Number(*number), Sort::Number)),
            Expr::BoolConstant(truth, _) => Some((Node::Number(i64::from(*truth)), Sort::Truth)),
            Expr::Variable(..) => {
                [Sort::Number, Sort::Truth].into_iter().find_map(|sort| self.variable(expr, sort).map(|slot| (Node::Variable(slot), sort)))
            }
            Expr::FnCall(call, at) => self.call(call, *at),
            Expr::And(parts, _) | Expr::Or(parts, _) => {
                let parts = parts.iter().map(|part| self.truth(part)).collect::<Option<_>>()?;
                Some((Node::UpTo(matches!(expr, Expr::Or(..)), parts), Sort::Truth))
            }
            Expr::Stmt(block) => {
                let [Stmt::If(flow, _)] = block.statements() else { return None };
                let condition = self.truth(&flow.expr)?;
                let [(yes, sort), (no, other)] = [self.only(flow.body.statements())?, self.only(flow.branch.statements())?];
                (sort == other && sort != Sort::Nothing).then(|| (Node::If(Box::new([condition, yes, no])), sort))
            }
            _ => None,
        }
    }

    /// Lowers a block that is a single expression.
    #[allow(clippy::wildcard_enum_match_arm, reason = "all other statements are left to rhai")]
    fn only(&mut self, statements: &[Stmt]) -> Option<(Node, Sort)> {
        match statements {
            [Stmt::Expr(expr)] => self.node(expr),
            [Stmt::FnCall(call, at)] => self.call(call, *at),
            _ => None,
        }
    }

    fn call(&mut self, call: &FnCallExpr, at: Position) -> Option<(Node, Sort)> {
        if let [a, b] = &call.args[..]
            && let Some(token) = &call.op_token
        {
            return self.operation(token, a, b, at);
        }
        let (name, args) = (call.name.as_str(), &call.args);
        match (name, &args[..]) {
            ("!", [of]) => return Some((Node::Not(Box::new(self.truth(of)?)), Sort::Truth)),
            (_, args) if args.len() > MAX_ARGS => return None,
            _ => {}
        }
        if let Some(native) = find_native(name, args.len()).filter(|native| !matches!(native.run, Run::List(_))) {
            // A flag can be set to a truth value.
            let is_flag = |index: usize| name == "set" && index == 2;
            let given = |(index, arg): (usize, &Expr)| if is_flag(index) { self.value(arg) } else { self.number(arg) };
            let given = args.iter().enumerate().map(given).collect::<Option<_>>()?;
            return Some((Node::Call(native.run, given, at), native.run.sort()?));
        }
        let function = self.functions.iter().find(|known| known.name == name && known.params.len() == args.len())?.clone();
        let is_effect = function.of.gives.is_none();
        let given = |(index, arg): (usize, &Expr)| if is_effect && index > 0 { self.value(arg) } else { self.number(arg) };
        let given = args.iter().enumerate().map(given).collect::<Option<_>>()?;
        let sort = function.sort();
        Some((Node::Rule(Box::new(function), given, at), sort))
    }

    /// Lowers a number or a truth value.
    fn value(&mut self, expr: &Expr) -> Option<Node> {
        self.node(expr).filter(|(_, sort)| matches!(sort, Sort::Number | Sort::Truth)).map(|(node, _)| node)
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "all other operators are left to rhai")]
    fn operation(&mut self, token: &Token, a: &Expr, b: &Expr, at: Position) -> Option<(Node, Sort)> {
        let operands = Box::new([self.number(a)?, self.number(b)?]);
        let compare = |how: Compare, operands| Some((Node::Compare(how, operands), Sort::Truth));
        let work_out = |how: Arithmetic, operands| Some((Node::Arithmetic(how, operands, at), Sort::Number));
        match token {
            Token::Plus => work_out((i64::checked_add, "Addition", '+'), operands),
            Token::Minus => work_out((i64::checked_sub, "Subtraction", '-'), operands),
            Token::Multiply => work_out((i64::checked_mul, "Multiplication", '*'), operands),
            Token::EqualsTo => compare(Compare::Equal, operands),
            Token::NotEqualsTo => compare(Compare::Unequal, operands),
            Token::LessThan => compare(Compare::Less, operands),
            Token::LessThanEqualsTo => compare(Compare::AtMost, operands),
            Token::GreaterThan => compare(Compare::More, operands),
            Token::GreaterThanEqualsTo => compare(Compare::AtLeast, operands),
            _ => None,
        }
    }
}

// ---------------------------------------------------------------------- running

/// A script that runs.
struct Running<'a, 'm> {
    context: &'a ScriptContext,
    script: &'a ScriptText,
    machine: &'a mut Machine<'m>,
    variables: [i64; MAX_SLOTS],
    /// The lists in variables, one for each.
    lists: Vec<(usize, Vec<i64>)>,
    /// How often loops have run: as many times as rhai may do anything.
    passes: u64,
}

impl Lowered {
    /// Runs the script; the first variables have these values.
    ///
    /// # Errors
    /// A fault, with its place in the script.
    pub fn run(
        &self,
        context: &ScriptContext,
        machine: &mut Machine<'_>,
        script: &ScriptText,
        given: impl Iterator<Item = i64>,
    ) -> Result<(), Stop> {
        let mut running = Running { context, script, machine, variables: [0; MAX_SLOTS], lists: Vec::new(), passes: 0 };
        running.variables.iter_mut().zip(given).for_each(|(variable, value)| *variable = value);
        running.block(&self.0)
    }
}

impl Running<'_, '_> {
    /// Returns the fault that rhai would have.
    #[cold]
    fn fault(&self, error: &EvalAltResult) -> Stop {
        Stop::Fault(Box::new(runtime_fault(self.script, &self.context.words, error)))
    }

    fn block(&mut self, statements: &[Statement]) -> Result<(), Stop> {
        for statement in statements {
            match statement {
                Statement::Do(node) => _ = self.value(node)?,
                Statement::Let(variable, node) => self.variables[*variable] = self.value(node)?,
                Statement::LetList(variable, list) => {
                    let list = self.list(list)?;
                    self.lists.retain(|held| held.0 != *variable);
                    self.lists.push((*variable, list));
                }
                Statement::Reverse(variable) => {
                    let held = self.lists.iter_mut().find(|held| held.0 == *variable);
                    held.into_iter().for_each(|held| held.1.reverse());
                }
                Statement::If(condition, yes, no) => {
                    let part = if self.value(condition)? != 0 { yes } else { no };
                    self.block(part)?;
                }
                Statement::For(variable, list, body, at) => {
                    for item in self.list(list)? {
                        self.passes += 1;
                        if self.passes > MAX_OPERATIONS {
                            return Err(self.fault(&EvalAltResult::ErrorTooManyOperations(*at)));
                        }
                        self.variables[*variable] = item;
                        self.block(body)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn list(&mut self, list: &List) -> Result<Vec<i64>, Stop> {
        match list {
            List::Variable(variable) => {
                let held = self.lists.iter().find(|held| held.0 == *variable);
                Ok(held.map_or_else(Vec::new, |held| held.1.clone()))
            }
            List::Items(items) => items.iter().map(|item| self.value(item)).collect(),
            List::Call(work, args, at) => {
                let (args, count) = self.values(args)?;
                let listed = work(self.context, self.machine, &args[..count]).map_err(|stop| placed(self.script, stop, *at))?;
                match listed.len() > MAX_LIST_LEN {
                    true => Err(self.fault(&EvalAltResult::ErrorDataTooLarge("Size of array".to_string(), *at))),
                    false => Ok(listed),
                }
            }
        }
    }

    fn values(&mut self, nodes: &[Node]) -> Result<([i64; MAX_ARGS], usize), Stop> {
        let mut values = [0; MAX_ARGS];
        for (value, node) in values.iter_mut().zip(nodes) {
            *value = self.value(node)?;
        }
        Ok((values, nodes.len().min(MAX_ARGS)))
    }

    fn value(&mut self, node: &Node) -> Result<i64, Stop> {
        Ok(match node {
            Node::Number(number) => *number,
            Node::Variable(variable) => self.variables[*variable],
            Node::Call(run, args, at) => {
                let (args, count) = self.values(args)?;
                run.number(self.context, self.machine, &args[..count]).map_err(|stop| placed(self.script, stop, *at))?
            }
            Node::Rule(function, args, at) => {
                let (args, count) = self.values(args)?;
                let given = self.context.call_rule(self.machine, function, &args[..count]);
                given.map_err(|stop| placed(self.script, stop, *at))?
            }
            Node::Arithmetic((work_out, what, sign), operands, at) => {
                let [x, y] = &**operands;
                let (x, y) = (self.value(x)?, self.value(y)?);
                let too_large = || self.fault(&EvalAltResult::ErrorArithmetic(format!("{what} overflow: {x} {sign} {y}"), *at));
                work_out(x, y).ok_or_else(too_large)?
            }
            Node::Compare(how, operands) => {
                let [x, y] = &**operands;
                let (x, y) = (self.value(x)?, self.value(y)?);
                i64::from(how.holds(x, y))
            }
            Node::Not(of) => i64::from(self.value(of)? == 0),
            Node::UpTo(last, parts) => {
                for part in parts {
                    if (self.value(part)? != 0) == *last {
                        return Ok(i64::from(*last));
                    }
                }
                i64::from(!last)
            }
            Node::If(parts) => {
                let [condition, yes, no] = &**parts;
                let part = if self.value(condition)? != 0 { yes } else { no };
                self.value(part)?
            }
        })
    }
}
