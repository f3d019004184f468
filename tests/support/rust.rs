//! Rust files as tests look at them.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::ops::Range;

/// A Rust file without its comments and without the items under `#[cfg(test)]`; each line stays where it is.
pub fn code_of(source: &str) -> String {
    let mut code: Vec<u8> = source.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
    let mut keep = |place: Range<usize>| code[place.clone()].copy_from_slice(&source.as_bytes()[place]);
    keep_code(source.parse().expect("Rust"), &mut keep);
    String::from_utf8(code).expect("whole letters")
}

fn keep_code(tokens: TokenStream, keep: &mut impl FnMut(Range<usize>)) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                keep(group.span_open().byte_range());
                keep_code(group.stream(), keep);
                keep(group.span_close().byte_range());
            }
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                let inner = tokens.next_if(|token| token.to_string() == "!");
                let attribute = tokens.peek().map(TokenTree::to_string).unwrap_or_default();
                if attribute == "[cfg (test)]" {
                    let is_block = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
                    tokens.find(|token| is_block(token) || token.to_string() == ";");
                    tokens.next_if(|token| token.to_string() == ";");
                } else if attribute.starts_with("[doc =") {
                    tokens.next();
                } else {
                    keep(mark.span().byte_range());
                    inner.into_iter().for_each(|mark| keep(mark.span().byte_range()));
                }
            }
            token => keep(token.span().byte_range()),
        }
    }
}
