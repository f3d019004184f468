//! Semantic tokens: what each word of a document is, by the grammar and by what it names, so that editors can colour it.

use lsp_types::{SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend};

use super::analysis::Analysis;
use super::names::{SymbolCategory, resolve};
use super::place::{CompletionContext, FileSort, FileTokens, SourceToken, SymbolAtCursor, Zone};

/// What a token is, in the order of the legend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Keyword,
    Property,
    Variable,
    Parameter,
    Function,
    Class,
    Constant,
    Event,
    Card,
    Part,
    Number,
    Text,
    Comment,
}

/// The names of the sorts, in order. Editors know these; cards and places have the nearest of them.
const LEGEND: [(Sort, SemanticTokenType); 13] = [
    (Sort::Keyword, SemanticTokenType::KEYWORD),
    (Sort::Property, SemanticTokenType::PROPERTY),
    (Sort::Variable, SemanticTokenType::VARIABLE),
    (Sort::Parameter, SemanticTokenType::PARAMETER),
    (Sort::Function, SemanticTokenType::FUNCTION),
    (Sort::Class, SemanticTokenType::CLASS),
    (Sort::Constant, SemanticTokenType::ENUM_MEMBER),
    (Sort::Event, SemanticTokenType::EVENT),
    (Sort::Card, SemanticTokenType::STRUCT),
    (Sort::Part, SemanticTokenType::NAMESPACE),
    (Sort::Number, SemanticTokenType::NUMBER),
    (Sort::Text, SemanticTokenType::STRING),
    (Sort::Comment, SemanticTokenType::COMMENT),
];
/// The bit of the modifier for a token that declares its name.
const DECLARATION: u32 = 1;

/// Returns the names of the sorts of tokens and of their modifiers, to which the numbers in answers refer.
pub(super) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend {
        token_types: LEGEND.iter().map(|(_, name)| name.clone()).collect(),
        token_modifiers: vec![SemanticTokenModifier::DECLARATION],
    }
}

/// Returns the tokens of a document in order, as far as it is known what they are.
pub(super) fn highlight(found: Option<&Analysis>, sort: FileSort, places: &FileTokens, text: &str) -> SemanticTokens {
    let mut all: Vec<(usize, usize, Sort, u32)> = Vec::new();
    for place in &places.tokens {
        if let Some((sort, modifiers)) = sort_of(found, place) {
            all.push((place.start, place.end, sort, modifiers));
        }
    }
    let zones = places.zones.iter().filter(|(.., zone)| matches!(zone, Zone::Text(_) | Zone::Script)).map(|(from, to, _)| (*from, *to));
    let zones: Vec<(usize, usize)> = if sort == FileSort::Rules { vec![(0, text.len())] } else { zones.collect() };
    for (from, to) in zones {
        let inside = text.get(from..to).unwrap_or("");
        all.extend(plain_tokens(inside).into_iter().map(|(start, end, sort)| (from + start, from + end, sort, 0)));
    }
    all.sort_by_key(|(start, end, ..)| (*start, *end));
    SemanticTokens { result_id: None, data: encode(text, &all) }
}

fn sort_of(found: Option<&Analysis>, place: &SourceToken) -> Option<(Sort, u32)> {
    let (among, modifiers) = match place.symbol {
        SymbolAtCursor::Keyword(_) => return Some((Sort::Keyword, 0)),
        SymbolAtCursor::Key(..) => return Some((Sort::Property, 0)),
        SymbolAtCursor::Declaration(among) => (among, DECLARATION),
        SymbolAtCursor::Name(among) => (among, 0),
    };
    let meant = found.and_then(|found| resolve(found, place)?.definition(found).map(|one| SymbolCategory::of(&one.kind)));
    let sort = match (meant, among) {
        (Some(SymbolCategory::Card), _) | (None, CompletionContext::Cards) => Sort::Card,
        (Some(SymbolCategory::Class), _) | (None, CompletionContext::Kinds) => Sort::Class,
        (Some(SymbolCategory::Event), _) | (None, CompletionContext::Moments | CompletionContext::Losses) => Sort::Event,
        (Some(SymbolCategory::Function), _) | (None, CompletionContext::Call | CompletionContext::Actions) => Sort::Function,
        (Some(SymbolCategory::Field), _) | (None, CompletionContext::Fields) => Sort::Property,
        (Some(SymbolCategory::Constant), _) | (None, CompletionContext::Options) => Sort::Constant,
        (Some(SymbolCategory::Variable), _) | (None, CompletionContext::Quantities) => Sort::Variable,
        (Some(SymbolCategory::Part), _) => Sort::Part,
        // Parameters and names of `let` and `for`, and built-in names.
        (None, CompletionContext::All | CompletionContext::AfterDot | CompletionContext::Script) => Sort::Parameter,
    };
    Some((sort, modifiers))
}

/// Finds the comments, quoted texts and numbers of a text in the rules language or of a script.
fn plain_tokens(text: &str) -> Vec<(usize, usize, Sort)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let letter = rest.chars().next().unwrap_or(' ');
        let line = rest.find('\n').unwrap_or(rest.len());
        let word = || rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let (length, sort) = match letter {
            '/' if rest.starts_with("//") => (line, Some(Sort::Comment)),
            '"' => (rest.get(1..line).and_then(|inside| inside.find('"')).map_or(line, |end| end + 2), Some(Sort::Text)),
            _ if letter.is_ascii_digit() => (word(), Some(Sort::Number)),
            _ if letter.is_alphanumeric() || letter == '_' => (word(), None),
            _ => (letter.len_utf8(), None),
        };
        found.extend(sort.map(|sort| (at, at + length, sort)));
        at += length;
    }
    found
}

/// Encodes tokens as the protocol wants them: each relative to the one before, in units of UTF-16. Of tokens that overlap, the first stays;
/// one of several lines is left out.
fn encode(text: &str, all: &[(usize, usize, Sort, u32)]) -> Vec<SemanticToken> {
    let width = |from: usize, to: usize| text.get(from..to).map_or(0, |part| part.encode_utf16().count());
    let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut data = Vec::new();
    let (mut seen, mut line, mut line_start) = (0, 0_usize, 0_usize);
    let (mut last_line, mut last_column) = (0_usize, 0_usize);
    for (start, end, sort, modifiers) in all {
        let part = text.get(*start..*end).unwrap_or("");
        if *start < seen || part.is_empty() || part.contains('\n') {
            continue;
        }
        for (at, _) in text.get(seen..*start).unwrap_or("").match_indices('\n') {
            line += 1;
            line_start = seen + at + 1;
        }
        let column = width(line_start, *start);
        data.push(SemanticToken {
            delta_line: number(line - last_line),
            delta_start: number(if line == last_line { column - last_column } else { column }),
            length: number(width(*start, *end)),
            token_type: number(LEGEND.iter().position(|(known, _)| known == sort).unwrap_or(0)),
            token_modifiers_bitset: *modifiers,
        });
        (last_line, last_column, seen) = (line, column, *end);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_relative_and_in_units_of_utf16() {
        let text = "// 🂡 a\neffect a { gain 2 wisp \"🂡\" }\n";
        let places = FileTokens::parse(FileSort::Rules, text);
        let shown: Vec<_> =
            highlight(None, FileSort::Rules, &places, text).data.iter().map(|one| (one.delta_line, one.delta_start, one.length)).collect();
        assert_eq!(shown.first(), Some(&(0, 0, 7)), "the comment");
        assert_eq!(shown.get(1), Some(&(1, 0, 6)), "`effect`");
        assert!(shown.contains(&(0, 5, 1)), "2: {shown:?}");
        assert_eq!(shown.last(), Some(&(0, 5, 4)), "the text in quotes");
    }
}
