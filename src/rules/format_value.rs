//! Formats values as players write them.

use crate::Type;
use crate::defs::Definitions;
use crate::engine::ruleset::{NameId, Ruleset};

/// Formats a value of a type as rules and scenarios write it; a card by its id.
pub fn format_value(rules: &Ruleset, defs: &Definitions, ty: Type, value: i64) -> String {
    let at = usize::try_from(value).ok();
    let name = |name: NameId| rules.names.text(name).to_string();
    let word = |names: &[NameId]| at.and_then(|at| names.get(at)).map(|id| name(*id));
    let found = match ty {
        Type::Number | Type::Open(_) => None,
        Type::Thousandths => Some(thousandths(value)),
        Type::Truth => Some(if value != 0 { "yes" } else { "no" }.to_string()),
        Type::Card | Type::Space(_) => Some(match at {
            Some(piece) if piece < rules.layout.pieces => name(rules.definitions[rules.piece_definition[piece] as usize].id),
            _ => if ty == Type::Card { "no card" } else { "no space" }.to_string(),
        }),
        Type::Seat => Some(at.map_or_else(|| "nobody".to_string(), |seat| format!("p{}", seat + 1))),
        Type::Resource => word(&rules.resources),
        Type::RowWord => word(&rules.resources).or_else(|| {
            let more = at?.checked_sub(rules.resources.len())?;
            rules.row_words.get(more).map(|id| name(*id))
        }),
        Type::Kind => at.and_then(|kind| rules.kinds.get(kind)).map(|kind| name(kind.name)),
        Type::Choice(list) => at.and_then(|at| defs.lists.get(list as usize)?.get(at).cloned()),
        Type::Symbol => word(&rules.symbols),
        Type::Token => at.and_then(|token| rules.tokens.get(token)).map(|token| name(token.name)),
        Type::Picked => at.and_then(|class| rules.classes.get(class)).map(|class| name(class.key)),
    };
    found.unwrap_or_else(|| value.to_string())
}

/// Formats thousandths as a decimal number.
fn thousandths(value: i64) -> String {
    let (whole, rest) = (value / 1000, (value % 1000).abs());
    let sign = if value < 0 && whole == 0 { "-" } else { "" };
    match rest {
        0 => format!("{sign}{whole}"),
        rest => format!("{sign}{whole}.{rest:03}").trim_end_matches('0').to_string(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousandths_are_written_with_decimals() {
        assert_eq!([1500, -250, 3000, 7].map(super::thousandths), ["1.5", "-0.25", "3", "0.007"]);
    }
}
