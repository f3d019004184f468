//! Prints values of a card file as TOML in their original order.

use crate::pack::{Spanned, Text, TomlValue};

/// Width in characters to which keys are padded, so that values are aligned.
const KEY_WIDTH: usize = 6;

/// Quotes a text as a TOML string.
pub(super) fn quote(text: &str) -> String {
    let plain = !text.contains(['\\', '\r']) && !text.contains("\"\"\"");
    if text.contains('\n') && plain {
        return format!("\"\"\"\n{text}\"\"\"");
    }
    toml::Value::String(text.to_string()).to_string()
}

/// Formats a value on one line, except for multi-line strings.
pub(super) fn format_value(value: &TomlValue) -> String {
    let list = |texts: Vec<String>, open: &str, close: &str| match texts.is_empty() {
        true => format!("{open}{close}"),
        false => format!("{open}{}{close}", texts.join(", ")),
    };
    match value {
        TomlValue::Integer(number) => number.to_string(),
        TomlValue::Text(text) => quote(&text.text),
        TomlValue::Boolean(so) => so.to_string(),
        TomlValue::List(all) => list(all.iter().map(|one| format_value(&one.value)).collect(), "[", "]"),
        TomlValue::Table(pairs) => {
            list(pairs.iter().map(|(key, one)| format!("{} = {}", format_key(&key.text), format_value(&one.value))).collect(), "{ ", " }")
        }
    }
}

/// Formats a key, quoted if necessary.
fn format_key(key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-');
    if plain { key.to_string() } else { quote(key) }
}

/// Formats the line `key = value` with an optional comment.
pub(super) fn format_line(key: &str, value: &str, comment: &str) -> String {
    let line = format!("{key:KEY_WIDTH$} = {value}");
    if comment.is_empty() { format!("{line}\n") } else { format!("{line:32}  # {comment}\n") }
}

/// Formats the lines of a key below a `[[header]]`: first those that fit after `=`, then those that need a header of their own.
pub(super) fn format_entry(header: &str, key: &Text, value: &TomlValue) -> (String, String) {
    let is_headed = |one: &Spanned| matches!(one.value, TomlValue::Table(_));
    match value {
        TomlValue::Table(pairs)
            if header == "card" && pairs.iter().all(|(_, one)| matches!(one.value, TomlValue::Table(_) | TomlValue::Text(_))) =>
        {
            let (mut plain, mut headed) = (String::new(), String::new());
            for (below, one) in pairs {
                let inner = Text { text: format!("{}.{}", key.text, format_key(&below.text)), span: key.span };
                match &one.value {
                    TomlValue::Table(deeper) if deeper.iter().all(|(_, one)| is_headed(one)) => {
                        headed.push_str(&format_entry("", &inner, &one.value).1);
                        plain.push_str(&format_entry("", &inner, &one.value).0);
                    }
                    _ => plain.push_str(&format!("{} = {}\n", inner.text, format_value(&one.value))),
                }
            }
            (plain, headed)
        }
        TomlValue::List(all) if !all.is_empty() && all.iter().all(is_headed) => {
            let one_headed = |one: &Spanned| match &one.value {
                TomlValue::Table(pairs) => {
                    let lines: String =
                        pairs.iter().map(|(key, one)| format_line(&format_key(&key.text), &format_value(&one.value), "")).collect();
                    format!("\n[[{header}.{}]]\n{lines}", key.text)
                }
                TomlValue::Integer(_) | TomlValue::Text(_) | TomlValue::Boolean(_) | TomlValue::List(_) => String::new(),
            };
            (String::new(), all.iter().map(one_headed).collect())
        }
        _ => (format!("{} = {}\n", format_key(&key.text), format_value(value)), String::new()),
    }
}

/// Returns a copy of a value in which each word that is an old id in `names` is replaced by the new id beside it.
pub(super) fn rename_ids(value: &TomlValue, names: &[(String, String)]) -> TomlValue {
    match value {
        TomlValue::Text(text) => TomlValue::Text(Text { text: rename_ids_in_text(&text.text, names), span: text.span }),
        TomlValue::List(all) => {
            TomlValue::List(all.iter().map(|one| Spanned { value: rename_ids(&one.value, names), span: one.span }).collect())
        }
        TomlValue::Table(pairs) => TomlValue::Table(
            pairs.iter().map(|(key, one)| (key.clone(), Spanned { value: rename_ids(&one.value, names), span: one.span })).collect(),
        ),
        TomlValue::Integer(_) | TomlValue::Boolean(_) => value.clone(),
    }
}

fn rename_ids_in_text(text: &str, names: &[(String, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    for part in text.split_inclusive(|letter: char| !letter.is_alphanumeric() && letter != '_') {
        let word = part.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '_');
        match names.iter().find(|(from, _)| from == word) {
            Some((_, to)) => out.push_str(&format!("{to}{}", &part[word.len()..])),
            None => out.push_str(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pack::read_table;
    use crate::source::FileId;

    fn read(text: &str) -> Vec<(Text, Spanned)> {
        read_table(FileId(0), text, &mut Vec::new()).unwrap()
    }

    #[test]
    fn what_is_read_is_written_alike() {
        let text = "a = 1\nb = 'the \"wall\"'\nc = [\"wisp\", 2]\nd = { e = true, f = { } }\n";
        let written: String = read(text).iter().map(|(key, one)| format_entry("card", key, &one.value).0).collect();
        assert_eq!(written, "a = 1\nb = 'the \"wall\"'\nc = [\"wisp\", 2]\nd = { e = true, f = {  } }\n");
        let headed = read("[[wisp]]\nwhen = \"x\"\ndo = \"y\"\n[[wisp]]\ndo = \"z\"\n");
        let (key, value) = &headed[0];
        assert_eq!(
            format_entry("card", key, &value.value).1,
            "\n[[card.wisp]]\nwhen   = \"x\"\ndo     = \"y\"\n\n[[card.wisp]]\ndo     = \"z\"\n"
        );
    }

    #[test]
    fn whole_words_are_renamed() {
        let names = [("wolf".to_string(), "wisp".to_string())];
        assert_eq!(rename_ids_in_text("wolf; grey_wolf, wolf.x \u{e9} wolf", &names), "wisp; grey_wolf, wisp.x \u{e9} wisp");
    }
}
