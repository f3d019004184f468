//! The rules language as a grammar and a tree: `grammar/rules.pest` names every construct, [`ast`] has a type for each.

pub mod ast;

use crate::diagnostic::Diagnostic;
use crate::source::FileId;
pub fn parse_expr(_: FileId, _: &str, _: u32, _: &mut Vec<Diagnostic>) -> Option<ast::Expr> { None }
pub fn parse_costs(_: FileId, _: &str, _: u32, _: &mut Vec<Diagnostic>) -> Option<Vec<ast::Cost>> { None }
pub fn parse_ask(_: FileId, _: &str, _: u32, _: &mut Vec<Diagnostic>) -> Option<ast::Ask> { None }
