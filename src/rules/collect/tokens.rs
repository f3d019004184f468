//! Defines tokens: kinds, sorts and faces, and exchanges.

use super::super::defs::{DefKind, Space};
use super::super::problem::RuleProblem;
use super::super::syntax::ast::{self, DeclarationKind};
use super::super::typed::{Expr, Token, TokenClass};
use super::Collected;
use crate::cast;
use crate::engine::node::Type;
use crate::engine::payers::MAX_SHOWN;
use crate::engine::tokens::MAX_TOKEN_CLASSES;

impl<'t> Collected<'t> {
    /// Makes the pass over sorts of tokens and exchanges.
    pub(super) fn define_tokens(&mut self, declaration: &'t ast::Declaration) {
        if let DeclarationKind::Tokens { name, sorts } = &declaration.kind {
            self.rules.defs.add_suspects(&sorts.broken);
            let before = self.rules.tokens.len();
            sorts.items.iter().for_each(|sort| self.define_sort(sort));
            let mask = (before..self.rules.tokens.len()).fold(0, |mask, token| mask | 1 << token);
            self.declare(Space::TokenKind, name, DefKind::TokenKind(mask));
            if self.rules.classes.len() > MAX_TOKEN_CLASSES {
                let help = "declare fewer, or let one of them stand for several";
                let (whose, most, what) = ("a game", MAX_TOKEN_CLASSES, "different faces of tokens");
                self.diagnostics.push(RuleProblem::TooMany { whose, most, what, help }.at(name.span));
            }
        }
    }

    /// Defines a sort: `white 20: food | food | gold` gives the number of tokens and their faces.
    fn define_sort(&mut self, sort: &'t ast::TokenSort) {
        let token = self.rules.tokens.len();
        if self.rules.classes.len() > MAX_TOKEN_CLASSES {
            return;
        }
        let faces: Vec<(Vec<u8>, String)> = sort.faces.iter().map(|face| self.read_face(face)).collect();
        let Some(def) = self.declare(Space::Token, &sort.name, DefKind::Token(cast::fit::<u8>(token))) else { return };
        let name = &sort.name.text;
        let (blank, rolled) = match faces.as_slice() {
            [(shows, _)] => (self.class_of_face(token, shows, name), Vec::new()),
            _ => {
                let nothing = vec![0; self.rules.defs.names(Space::Symbol).count()];
                let blank = self.class_of_face(token, &nothing, name);
                let rolled = faces.iter().map(|(shows, key)| self.class_of_face(token, shows, &format!("{name}:{key}"))).collect();
                (blank, rolled)
            }
        };
        self.rules.tokens.push(Token { def, count: Expr::constant(1, Type::Number, sort.count.span), blank, faces: rolled });
        self.counts.push((token, &sort.count));
    }

    /// Returns the class of a face, which is added if it is new. Equal faces of one sort share a class.
    fn class_of_face(&mut self, token: usize, shows: &[u8], key: &str) -> u8 {
        let known = self.rules.classes.iter().position(|class| class.token as usize == token && class.key == key);
        let class = known.unwrap_or_else(|| {
            self.rules.classes.push(TokenClass { token: cast::fit::<u8>(token), key: key.to_string(), shows: shows.to_vec() });
            self.rules.classes.len() - 1
        });
        cast::fit::<u8>(class)
    }

    /// Reads a face such as `food`, `2 book` or `book, stone`: how often it shows each symbol, and its name.
    fn read_face(&mut self, face: &ast::Face) -> (Vec<u8>, String) {
        let mut shows = vec![0_u8; self.rules.defs.names(Space::Symbol).count()];
        let mut key: Vec<(&str, i64)> = Vec::new();
        for ast::Shown { count, symbol: name } in &face.shows {
            let many = match count.as_ref().map(|count| (count.literal(), count.span)) {
                None => 1,
                Some((Some(many), _)) if (1..=cast::count(MAX_SHOWN)).contains(&many) => many,
                Some((many, span)) => {
                    let found = many.map_or_else(|| "not a plain number".to_string(), |many| many.to_string());
                    self.diagnostics.push(RuleProblem::FaceShows { found, most: MAX_SHOWN }.at(span));
                    1
                }
            };
            let at = key.iter().position(|known| known.0 == name.text).unwrap_or(key.len());
            if at == key.len() {
                key.push((&name.text, 0));
            }
            key[at].1 += many;
            let all = key[at].1;
            if all > cast::count(MAX_SHOWN) {
                self.diagnostics.push(RuleProblem::FaceShows { found: format!("the {all}th"), most: MAX_SHOWN }.at(name.span));
            }
            match self.rules.defs.symbol(&name.text) {
                Some(symbol) => shows[symbol as usize] = cast::fit::<u8>(all.min(cast::count(MAX_SHOWN))),
                None => self.report_unknown(name, "a symbol", &[Space::Symbol]),
            }
        }
        if key.is_empty() {
            return (shows, "nothing".to_string());
        }
        let key = key.into_iter().map(|(name, many)| if many > 1 { format!("{name}{many}") } else { name.to_string() });
        (shows, key.collect::<Vec<_>>().join("_"))
    }

    /// Defines `exchange 2 die as 1 gold, food`.
    pub(super) fn define_exchange(&mut self, count: &ast::Expr, tokens: &ast::Name, one: &ast::Expr, symbols: &[ast::Name]) {
        let Some(count) = count.literal().filter(|count| (1..=9).contains(count)) else {
            let what = "the number of tokens, from 1 to 9".to_string();
            return self.diagnostics.push(RuleProblem::Expected { what, help: None }.at(count.span));
        };
        if one.literal() != Some(1) {
            self.diagnostics.push(RuleProblem::Expected { what: "1: tokens replace one of a symbol".to_string(), help: None }.at(one.span));
        }
        let Some(sorts) = self.rules.defs.token_kind(&tokens.text) else {
            return self.report_unknown(tokens, "a kind of token", &[Space::TokenKind]);
        };
        let mut mask = 0;
        for name in symbols {
            match self.rules.defs.symbol(&name.text) {
                Some(symbol) => mask |= 1 << symbol,
                None => self.report_unknown(name, "a symbol", &[Space::Symbol]),
            }
        }
        self.rules.exchange = Some((cast::fit::<u8>(count), sorts, mask));
    }
}
