//! Signature help: the parameters of the function, effect or definition whose brackets the cursor is in.

use lsp_types::{Documentation, ParameterInformation, ParameterLabel, SignatureHelp, SignatureInformation};

use super::analysis::Analysis;
use super::hover::declaration_text;
use super::names::definitions;
use super::place::{FileSort, FileTokens, Zone};
use crate::lang::AGENTS;
use crate::lang::built_in::BUILT_INS;
use crate::lang::defs::Space;
use crate::script::{natives, rule_natives};

/// How much text ahead of the cursor is looked at.
const MAX_CALL_LENGTH: usize = 2000;

/// Finds the call around a byte of a text, and describes it. `None` outside of all calls.
pub(super) fn signature(found: &Analysis, sort: FileSort, places: &FileTokens, text: &str, byte: usize) -> Option<SignatureHelp> {
    let zone =
        places.zones.iter().rev().find(|(from, to, zone)| *from <= byte && byte <= *to && matches!(zone, Zone::Text(_) | Zone::Script));
    let (start, is_script) = match zone {
        Some((from, _, zone)) => (*from, matches!(zone, Zone::Script)),
        None if sort == FileSort::Rules => (0, false),
        None => return None,
    };
    let start = crate::source::floor_boundary(text, start.max(byte.saturating_sub(MAX_CALL_LENGTH)));
    let (name, is_method, argument) = call_around(text.get(start..byte)?)?;
    let signatures = if is_script { of_script(found, name) } else { of_rules(found, name) };
    // Behind a dot the receiver is the first value.
    let argument = argument + usize::from(is_method && is_script);
    let fits = |one: &SignatureInformation| one.parameters.as_ref().is_some_and(|all| argument < all.len());
    let active = signatures.iter().position(fits).unwrap_or(0);
    let number = |count: usize| u32::try_from(count).ok();
    (!signatures.is_empty()).then(|| SignatureHelp { signatures, active_signature: number(active), active_parameter: number(argument) })
}

/// Returns the name of the call in whose brackets a text ends, whether it stands behind a dot, and the index of the argument.
pub(super) fn call_around(text: &str) -> Option<(&str, bool, usize)> {
    let (mut depth, mut argument) = (0_usize, 0_usize);
    let mut quoted = false;
    for (at, letter) in text.char_indices().rev() {
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => {}
            ')' | ']' => depth += 1,
            '(' if depth == 0 => {
                let ahead = text.get(..at)?;
                let name = ahead.get(ahead.trim_end_matches(|letter: char| letter.is_alphanumeric() || letter == '_').len()..)?;
                let is_method = ahead.strip_suffix(name)?.ends_with('.');
                return (!name.is_empty()).then_some((name, is_method, argument));
            }
            '(' | '[' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => argument += 1,
            '{' | '}' | ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

fn information(label: String, doc: String) -> SignatureInformation {
    let inside = label.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(inside, _)| inside);
    let parameters = inside.split(',').map(str::trim).filter(|name| !name.is_empty());
    let parameters = parameters.map(|name| ParameterInformation { label: ParameterLabel::Simple(name.to_string()), documentation: None });
    let parameters = Some(parameters.collect());
    SignatureInformation {
        label,
        documentation: (!doc.is_empty()).then_some(Documentation::String(doc)),
        parameters,
        active_parameter: None,
    }
}

/// Lists the functions of this name that scripts have.
fn of_script(found: &Analysis, name: &str) -> Vec<SignatureInformation> {
    let fixed = natives().iter().filter(|native| native.name == name).map(|native| information(native.signature(), native.doc.to_string()));
    let added = found.rules.iter().flat_map(|rules| rule_natives(rules)).filter(|(signature, _)| signature.split('(').next() == Some(name));
    fixed.chain(added.map(|(signature, doc)| information(signature, doc))).collect()
}

/// Lists what rules declare under this name with parameters, and built-in functions.
fn of_rules(found: &Analysis, name: &str) -> Vec<SignatureInformation> {
    let declared = || {
        let defs = definitions(found)?;
        let own = format!("{AGENTS}{name}");
        let id =
            [Space::Value, Space::Action].into_iter().find_map(|space| defs.find(space, name)).or_else(|| defs.find(Space::Value, &own))?;
        let effect = found.text.as_ref()?.checked().rules.bodies.get(&id)?;
        let params: Vec<&str> = effect.params().iter().map(|param| param.name.as_str()).collect();
        let comment = declaration_text(found, &defs[id]).map_or_else(String::new, |(_, comment)| comment);
        (!params.is_empty()).then(|| information(format!("{name}({})", params.join(", ")), comment))
    };
    let built_in = BUILT_INS.iter().filter(|known| known.pattern.split_once('(').is_some_and(|(called, _)| called == name));
    declared().into_iter().chain(built_in.map(|known| information(known.pattern.to_string(), known.doc.to_string()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_call_around_the_cursor_is_found() {
        for (text, call) in [
            ("do hunt(", Some(("hunt", false, 0))),
            ("gain(me, wisp, ", Some(("gain", false, 2))),
            ("me.gain(wisp, max(1, 2), ", Some(("gain", true, 2))),
            ("max(a[1, ", None),
            ("hunt(1) + ", None),
            ("f(\"(,\", ", Some(("f", false, 1))),
            ("if (a", None),
        ] {
            assert_eq!(call_around(text).filter(|(name, ..)| *name != "if"), call, "{text}");
        }
    }
}
