//! Static checks of scripts: errors reported by rhai's parser, and errors that rhai would only report at run time.

use super::api::rules::rule_functions;
use super::api::words::WordTable;
use super::api::{Sort, natives};
use super::error::position_span;
use super::host::{SCRIPT_VARIABLES, compile, free_name, free_names, parse, walk};
use super::problem::ScriptProblem;
use super::sandbox::raw_engine;
use super::tokens::is_name;
use super::wanted::{Wanted, wanted_by_rules};
use crate::diagnostic::{Diagnostic, nearest, without_duplicates};
use crate::engine::Stop;
use crate::engine::ruleset::{Ruleset, ScriptText};
use crate::source::Span;
use rhai::{ASTNode, BinaryExpr, Expr, FnCallExpr, Stmt};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The functions of rhai that scripts may call, by their numbers of arguments, including the receiver of a method call. This is a selection
/// and not all that the packages of rhai register, so it is not generated from their metadata. A test compares it with rhai.
const RHAI_FUNCTIONS: [(&[usize], &[&str]); 5] = [
    (&[1], &["len", "is_empty", "pop", "shift", "clear", "reverse", "sort", "dedup", "start", "end", "keys", "values"]),
    (&[1], &["type_of", "sign", "is_zero", "is_odd", "is_even", "to_string", "to_debug", "to_upper", "to_lower", "trim", "chars"]),
    (&[2], &["get", "push", "append", "truncate", "chop", "contains", "split", "mixin", "starts_with", "ends_with", "remove"]),
    (&[2, 3], &["extract", "index_of", "range", "sub_string"]),
    (&[3], &["insert", "set"]),
];

/// Returns the functions of rhai that scripts may call, each with its numbers of arguments, including the receiver of a method call.
pub fn rhai_functions() -> impl Iterator<Item = (&'static str, &'static [usize])> {
    RHAI_FUNCTIONS.into_iter().flat_map(|(counts, names)| names.iter().map(move |name| (*name, counts)))
}

/// Operators whose operands must be numbers. A word as an operand is an error.
const NUMERIC_OPERATORS: [&str; 11] = ["+", "-", "*", "/", "%", "<", ">", "<=", ">=", "..", "..="];

/// Checks all scripts of a ruleset. The problems are in the order of the scripts.
pub fn check_scripts(rules: &Ruleset) -> Vec<Diagnostic> {
    let rules = &Arc::new(rules.clone());
    let words = WordTable::new(rules);
    let engine = raw_engine();
    let functions = Functions::collect(rules);
    let mut found = Vec::new();
    let (mut values, mut answers) = (Uses(BTreeMap::new()), Uses(BTreeMap::new()));
    for script in &rules.scripts {
        let parsed = parse(&engine, script);
        let yes_or_no = script.words.iter().all(|word| matches!(rules.names.text(*word), "yes" | "no"));
        let is_answered = script.words.len() > 1 && !yes_or_no;
        let free = parsed.as_ref().ok().filter(|_| is_answered || !script.lets.is_empty()).map(free_names);
        let before = found.len();
        match parsed {
            Ok(tree) => {
                let new = script.lets.iter().filter(|named| !values.0.contains_key(&(named.span.file.0, named.span.start)));
                let taken = new.filter_map(|named| {
                    let problem = ScriptProblem::NameTaken { name: named.name.clone(), what: taken_as(&words, &named.name)? };
                    Some(problem.at(named.span).trace(script.owner.clone()))
                });
                let mut wrong: Vec<Diagnostic> = taken.collect();
                walk(&tree, &mut |path| wrong.extend(functions.check(&words, script, path)));
                found.extend(compile(&engine, &words, script, tree).err().into_iter().flatten());
                found.append(&mut wrong);
            }
            Err(wrong) => found.extend(wrong),
        }
        let is_wrong = found.len() > before;
        // A script that cannot be parsed counts as using everything.
        let uses = |name: &str| free.as_ref().is_none_or(|free| free.iter().any(|(known, _)| known == name));
        for named in &script.lets {
            let unused = || ScriptProblem::ValueUnused { name: named.name.clone() }.at(named.span).trace(script.owner.clone());
            values.note((named.span.file.0, named.span.start), is_wrong || uses(&named.name), unused);
        }
        if is_answered {
            let unused = || ScriptProblem::AnswerUnused.at(script.span).trace(script.owner.clone());
            answers.note(script.owner.clone(), uses("answer"), unused);
        }
    }
    found.extend(values.report_unused());
    found.extend(answers.report_unused());
    // Cards that one table makes have one script, which is told of once.
    without_duplicates(found, &[])
}

/// Things for scripts to use, which several scripts and cards may share: for each the problem that no script uses it, and whether one does.
struct Uses<K>(BTreeMap<K, (Diagnostic, bool)>);

impl<K: Ord> Uses<K> {
    fn note(&mut self, what: K, used: bool, unused: impl FnOnce() -> Diagnostic) {
        self.0.entry(what).or_insert_with(|| (unused(), false)).1 |= used;
    }

    fn report_unused(self) -> impl Iterator<Item = Diagnostic> {
        self.0.into_values().filter(|(_, used)| !used).map(|(unused, _)| unused)
    }
}

/// Describes what already has this name, if a `let` cannot use it.
fn taken_as(words: &WordTable, name: &str) -> Option<&'static str> {
    let meaning = words.value_of(name).and_then(|word| words.meanings_of(word));
    if SCRIPT_VARIABLES.contains(&name) {
        Some("known in every script")
    } else if !is_name(name) {
        Some("a word of scripts")
    } else if meaning.is_some_and(|meaning| meaning.resource.is_some()) {
        Some("a resource")
    } else if natives().iter().any(|native| native.name == name) {
        Some("something that every script can do")
    } else if meaning.is_some_and(|meaning| meaning.kind.is_some() || meaning.place.is_some()) {
        Some("a kind or place")
    } else {
        None
    }
}

/// All functions that scripts can call, by name.
struct Functions<'r> {
    known: BTreeMap<String, FunctionFacts>,
    /// Names of functions whose declarations could not be parsed.
    unparsed: &'r [String],
}

/// Facts about the overloads of one function.
#[derive(Default)]
struct FunctionFacts {
    /// Signatures of the overloads, for messages.
    signatures: Vec<String>,
    /// Whether the function's result is a truth value.
    returns_truth: bool,
    /// For each overload what its arguments must be.
    wanted: Vec<Vec<Wanted>>,
}

impl FunctionFacts {
    /// Returns what the arguments must be if there are so many; `None` if the function does not take so many.
    fn with(&self, arguments: usize) -> Option<&[Wanted]> {
        self.wanted.iter().find(|wanted| wanted.len() == arguments).map(Vec::as_slice)
    }
}

impl<'r> Functions<'r> {
    fn collect(rules: &'r Ruleset) -> Functions<'r> {
        let mut known: BTreeMap<String, FunctionFacts> = BTreeMap::new();
        let mut add = |name: &str, wanted: Vec<Wanted>, signature: String, truth: bool| {
            let entry = known.entry(name.to_string()).or_default();
            entry.signatures.push(signature);
            entry.returns_truth = truth;
            entry.wanted.push(wanted);
        };
        for native in natives() {
            add(native.name, native.wanted.to_vec(), native.signature(), native.run.sort() == Some(Sort::Truth));
        }
        for added in rule_functions(rules) {
            add(&added.name, wanted_by_rules(&added), added.signature(), added.is_truth());
        }
        for (name, counts) in rhai_functions() {
            known.entry(name.to_string()).or_default().wanted.extend(counts.iter().map(|&count| vec![Wanted::Anything; count]));
        }
        Functions { known, unparsed: &rules.unparsed_names }
    }

    /// Checks the last node of a path. The nodes before it are its ancestors.
    fn check(&self, words: &WordTable, script: &ScriptText, path: &[ASTNode]) -> Option<Diagnostic> {
        let (node, around) = path.split_last()?;
        let around = around.last();
        let check = |call, before, place| {
            self.check_call(call, before, place)
                .or_else(|| self.check_arguments(words, script, call, before))
                .or_else(|| check_amount(call, before, place))
        };
        let found = match node {
            ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) if !call.is_operator_call() => {
                let place = position_span(script, *at);
                check(call, 0, place).or_else(|| self.check_compared(call, around, place))
            }
            ASTNode::Expr(Expr::FnCall(call, at)) if matches!(call.name.as_str(), "==" | "!=") => {
                check_text(call, position_span(script, *at))
            }
            ASTNode::Expr(Expr::MethodCall(call, at)) => check(call, 1, position_span(script, *at)),
            ASTNode::Expr(Expr::Dot(dot, ..)) => self.check_field(script, dot),
            node => {
                let (name, at) = free_name(node)?;
                let named = script.lets.iter().any(|named| named.name == name);
                let is_word = words.value_of(name).is_some() && !SCRIPT_VARIABLES.contains(&name) && !named;
                if is_word { self.check_word(name, around?, position_span(script, at)) } else { None }
            }
        };
        found.map(|found| found.trace(script.owner.clone()))
    }

    /// Checks the name and number of arguments of a call. `before` is 1 for a method call, whose receiver counts as an argument, else 0.
    fn check_call(&self, call: &FnCallExpr, before: usize, span: Option<Span>) -> Option<Diagnostic> {
        let name = call.name.as_str();
        let Some(known) = self.known.get(name) else {
            if self.unparsed.iter().any(|unread| unread == name) {
                return None;
            }
            let near = nearest(name, self.known.keys().map(String::as_str)).map(String::from);
            return Some(ScriptProblem::UnknownFunction { name: name.to_string(), near }.at(span));
        };
        let given = call.args.len() + before;
        if known.with(given).is_some() {
            return None;
        }
        let takes: BTreeSet<usize> = known.wanted.iter().map(Vec::len).collect();
        let takes = takes.into_iter().map(|n| n.to_string()).collect();
        let written = known.signatures.iter().map(|s| format!("`{s}`")).collect();
        Some(ScriptProblem::WrongNumberOfValues { name: name.to_string(), takes, given, written }.at(span))
    }

    /// Reports a word or number as an argument that cannot be what the function wants there, whenever the script runs. Methods of rhai's
    /// own values can have the name of a function that the rules give.
    fn check_arguments(&self, words: &WordTable, script: &ScriptText, call: &FnCallExpr, before: usize) -> Option<Diagnostic> {
        let known = self.known.get(call.name.as_str())?;
        let given = call.args.len() + before;
        let is_of_rhai = rhai_functions().any(|(name, counts)| name == call.name.as_str() && counts.contains(&given));
        if before > 0 && is_of_rhai {
            return None;
        }
        let wanted = known.with(given)?;
        call.args.iter().zip(wanted.iter().skip(before)).find_map(|(argument, wanted)| {
            let value = match (argument, free_name(&argument.into())) {
                (Expr::IntegerConstant(number, _), _) => *number,
                (_, Some((name, _))) if !SCRIPT_VARIABLES.contains(&name) && script.lets.iter().all(|named| named.name != name) => {
                    words.value_of(name)?
                }
                _ => return None,
            };
            let Err(Stop::Fault(fault)) = wanted.check(words, value) else { return None };
            let can_stand = wanted.words(words).unwrap_or_default().into_iter().collect();
            Some(ScriptProblem::WrongArgument { message: fault.message, can_stand }.at(position_span(script, argument.position())))
        })
    }

    /// Reports a comparison of a truth value with `yes`, `no` or a number.
    fn check_compared(&self, call: &FnCallExpr, around: Option<&ASTNode>, span: Option<Span>) -> Option<Diagnostic> {
        let plain = |value: &Expr| {
            matches!(value, Expr::IntegerConstant(..)) || free_name(&value.into()).is_some_and(|(name, _)| matches!(name, "yes" | "no"))
        };
        let Some(ASTNode::Expr(Expr::FnCall(with, _))) = around else { return None };
        let (name, compared) = (&call.name, matches!(with.name.as_str(), "==" | "!=") && with.args.iter().any(plain));
        (compared && self.known.get(name.as_str())?.returns_truth).then(|| ScriptProblem::TruthCompared { name: name.to_string() }.at(span))
    }

    /// Reports a property access on a player or card.
    fn check_field(&self, script: &ScriptText, dot: &BinaryExpr) -> Option<Diagnostic> {
        let first = match &dot.rhs {
            Expr::Dot(rest, ..) | Expr::Index(rest, ..) => &rest.lhs,
            rhs => rhs,
        };
        let (Some((owner, _)), Expr::Property(field, at)) = (free_name(&(&dot.lhs).into()), first) else { return None };
        let known: Vec<String> = self.known.keys().cloned().collect();
        let (message, help) = super::dialect::replace_property(owner, &field.2, &known)?;
        Some(ScriptProblem::NoField { message, help }.at(position_span(script, *at)))
    }

    /// Reports a word used as a number or truth value.
    fn check_word(&self, name: &str, around: &ASTNode, span: Option<Span>) -> Option<Diagnostic> {
        let known = self.known.get(name);
        let (numeric, asked) = match around {
            ASTNode::Expr(Expr::FnCall(call, _)) if call.is_operator_call() => {
                (NUMERIC_OPERATORS.contains(&call.name.as_str()), call.name == "!")
            }
            ASTNode::Expr(Expr::And(..) | Expr::Or(..)) | ASTNode::Stmt(Stmt::If(..) | Stmt::While(..)) => (false, true),
            ASTNode::Stmt(Stmt::Assignment(assigned)) => (assigned.0.is_op_assignment(), false),
            _ => (false, false),
        };
        let (what, label) = match (numeric, asked && known.is_some_and(|known| known.returns_truth)) {
            (true, _) => ("a number", "nothing can be computed with a word"),
            (false, true) => ("yes or no", "whose?"),
            (false, false) => return None,
        };
        let write = known.map(|known| if known.with(0).is_some() { format!("{name}()") } else { format!("{name}(me)") });
        Some(ScriptProblem::WordAsValue { name: name.to_string(), what, label, write }.at(span))
    }
}

/// Functions with a parameter for an amount: name, index of the amount, and whether the amount must be at least 1 to have an effect.
const AMOUNT_PARAMETERS: [(&str, usize, bool); 6] =
    [("gain", 2, true), ("lose", 2, true), ("pay", 2, true), ("add", 2, false), ("add_card", 2, false), ("differ", 2, false)];

/// Reports a call that has no effect, such as `gain(me, wisp, -2)`. `before` is the number of arguments before the point.
fn check_amount(call: &FnCallExpr, before: usize, span: Option<Span>) -> Option<Diagnostic> {
    let (name, at, at_least_1) = AMOUNT_PARAMETERS.iter().find(|(name, ..)| *name == call.name.as_str())?;
    let number = match call.args.get(at.checked_sub(before)?)? {
        Expr::IntegerConstant(number, _) => *number,
        Expr::FnCall(minus, _) if minus.name.as_str() == "-" => match minus.args.first()? {
            Expr::IntegerConstant(number, _) if minus.args.len() == 1 => number.checked_neg()?,
            _ => return None,
        },
        _ => return None,
    };
    let nothing = if *at_least_1 { number < 0 } else { number == 0 };
    nothing.then(|| ScriptProblem::DoesNothing { name, number, at_least_1: *at_least_1 }.at(span))
}

/// Reports a comparison of `answer` with a string. Answers are words, which are not strings.
fn check_text(call: &FnCallExpr, span: Option<Span>) -> Option<Diagnostic> {
    let is_answer = |value: &Expr| free_name(&value.into()).is_some_and(|(name, _)| name == "answer");
    let text = call.args.iter().find_map(|value| if let Expr::StringConstant(text, _) = value { Some(text) } else { None })?;
    call.args.iter().any(is_answer).then(|| ScriptProblem::AnswerAsText { text: text.to_string() }.at(span))
}
