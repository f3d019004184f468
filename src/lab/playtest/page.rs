//! A report as one HTML page that needs no network: the same data as `--json`, drawn by a script in the page (`page/`).

use std::collections::BTreeMap;

use serde::Serialize;

use super::cards::CardEffects;
use super::compare::{Comparison, Ladder};
use super::findings::Conclusion;
use super::page_names::PageNames;
use super::report::{Report, of_report};
use super::text::{first_paragraph, text};
use super::tournament::Tournament;
use crate::pack::Translations;

/// The data that the page's script reads.
#[derive(Serialize)]
struct Data<'a, T> {
    result: &'a T,
    names: &'a Translations,
    cards: &'a BTreeMap<&'a str, &'a str>,
    /// First paragraph of the text report.
    opening: String,
    /// Heading and sentences of what the report comes to.
    conclusion: (&'static str, Vec<String>),
    /// The result in one sentence; only for comparisons.
    headline: Option<String>,
    /// A note about what the intervals and tests mean; only for comparisons.
    #[serde(rename = "sure")]
    certainty: Option<String>,
    /// Effects of cards, if they were measured.
    effects: Option<&'a CardEffects>,
}

/// Renders the page of a playtest, with the effects of cards if they were measured, and with the boards at the end of its first game, each
/// as an SVG element.
///
/// # Errors
/// As for [`serde_json::to_value`]; it does not fail for reports.
pub fn playtest_page(
    report: &Report,
    effects: Option<&CardEffects>,
    boards: &[String],
    called: PageNames<'_>,
) -> serde_json::Result<String> {
    let PageNames { names, cards } = called;
    let conclusion = told(&of_report(report, Some(called)));
    let data = Data {
        result: report,
        names,
        cards,
        opening: first_paragraph(report, names),
        conclusion,
        headline: None,
        certainty: None,
        effects,
    };
    let mut plain = text(report, names, false);
    effects.iter().for_each(|effects| plain.push_str(&effects.text(report, names, cards, false)));
    page((names.title(&report.title), &plain), &data, boards, include_str!("page/playtest.js"))
}

/// Renders the page of a comparison.
///
/// # Errors
/// As for [`playtest_page`].
pub fn compare_page(comparison: &Comparison, called: PageNames<'_>) -> serde_json::Result<String> {
    let PageNames { names, cards } = called;
    let (opening, headline) = (comparison.first_paragraph(), Some(comparison.headline()).filter(|_| comparison.pairs > 0));
    let (conclusion, certainty) = (told(&comparison.conclusion), Some(comparison.certainty_note(false)));
    let data = Data { result: comparison, names, cards, opening, conclusion, headline, certainty, effects: None };
    page((names.title(&comparison.title), &comparison.text(true, false)), &data, &[], include_str!("page/compare.js"))
}

/// Renders the page of the same comparison by players of several strengths.
///
/// # Errors
/// As for [`playtest_page`].
pub fn ladder_page(ladder: &Ladder, called: PageNames<'_>) -> serde_json::Result<String> {
    let PageNames { names, cards } = called;
    let (opening, conclusion) = (ladder.opening(), told(&ladder.conclusion));
    let data = Data { result: ladder, names, cards, opening, conclusion, headline: None, certainty: None, effects: None };
    let title = ladder.rungs.first().map_or("", |rung| rung.title.as_str());
    page((names.title(title), &ladder.text(false)), &data, &[], include_str!("page/ladder.js"))
}

/// The result of a tournament, with the mean time in milliseconds that each kind of players takes for a decision.
#[derive(Serialize)]
struct TimedTournament<'a> {
    #[serde(flatten)]
    result: &'a Tournament,
    thought: &'a [Option<f64>],
}

/// Renders the page of a tournament; `thought` is the mean time in milliseconds that each kind of players takes for a decision.
///
/// # Errors
/// As for [`playtest_page`].
pub fn tournament_page(tournament: &Tournament, thought: &[Option<f64>]) -> serde_json::Result<String> {
    let (names, cards) = (&Translations::default(), &BTreeMap::new());
    let result = &TimedTournament { result: tournament, thought };
    let (opening, conclusion) = (String::new(), ("", Vec::new()));
    let data = Data { result, names, cards, opening, conclusion, headline: None, certainty: None, effects: None };
    page((&tournament.title, &tournament.text(thought, false)), &data, &[], include_str!("page/tournament.js"))
}

/// Returns heading and sentences of a conclusion.
fn told(conclusion: &Conclusion) -> (&'static str, Vec<String>) {
    (conclusion.title(), conclusion.sentences())
}

/// Renders a page whose data is drawn by the script `charts`; `text` is shown if scripts are disabled, and `boards` always.
fn page((title, text): (&str, &str), data: &impl Serialize, boards: &[String], charts: &str) -> serde_json::Result<String> {
    let data = serde_json::to_string(data)?;
    let boards = match boards {
        [] => String::new(),
        boards => format!("<div class=\"boards\">\n<h2>The board at the end of the first game</h2>\n{}</div>\n", boards.concat()),
    };
    Ok(format!(
        include_str!("page/page.html"),
        title = escape_html(title),
        style = include_str!("page/page.css"),
        text = escape_html(text),
        boards = boards,
        // In JSON `<` occurs only in strings, where it may be escaped, so that no text can end the script element.
        data = data.replace('<', "\\u003c"),
        licences = include_str!("page/lib/LICENSES.txt"),
        d3 = include_str!("page/lib/d3.min.js"),
        plot = include_str!("page/lib/plot.umd.min.js"),
        draw = include_str!("page/draw.js"),
        charts = charts,
    ))
}

/// Escapes a text for HTML.
fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// Names of cards or titles that could break the page.
    const HOSTILE: &str = "</script><!--<script>alert(1)</script> \"'&amp; {title} \u{2028}";

    fn hostile_data() -> (Value, String) {
        let data = serde_json::json!({ "result": { "title": HOSTILE, "seed": u64::MAX }, "cards": { "wolf": HOSTILE } });
        let page = page((HOSTILE, HOSTILE), &data, &[], "").unwrap();
        (data, page)
    }

    /// Returns the text between two markers.
    fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
        page.split_once(from).and_then(|(_, rest)| rest.split_once(to)).unwrap().0
    }

    /// Checks that each element of a page is closed in its turn; what stands in scripts and styles is skipped.
    #[track_caller]
    fn expect_well_formed(page: &str) {
        let (mut open, mut rest) = (Vec::new(), page);
        while let Some((_, behind)) = rest.split_once('<') {
            let (tag, behind) = behind.split_once('>').expect("a tag ends");
            rest = behind;
            let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name), "</{tag}>");
            } else if !tag.starts_with('!') && name != "meta" {
                assert!(!name.is_empty(), "<{tag}>");
                if name == "script" || name == "style" {
                    let inside = rest.find(&format!("</{name}")).expect("a script ends");
                    rest = &rest[inside..];
                }
                open.push(name);
            }
        }
        assert_eq!(open, Vec::<String>::new());
    }

    #[test]
    fn pages_are_well_formed_whatever_names_say() {
        let data = serde_json::json!({ "result": { "title": HOSTILE }, "conclusion": ["One finding", [HOSTILE]] });
        let board = "<svg role=\"img\"><title>a board</title></svg>".to_string();
        for script in [
            include_str!("page/playtest.js"),
            include_str!("page/compare.js"),
            include_str!("page/ladder.js"),
            include_str!("page/tournament.js"),
        ] {
            expect_well_formed(&page((HOSTILE, HOSTILE), &data, &[], script).unwrap());
            expect_well_formed(&page(("wisp", &"wolf ".repeat(5000)), &data, std::slice::from_ref(&board), script).unwrap());
        }
    }

    #[test]
    fn names_neither_end_a_script_nor_become_html() {
        let (data, page) = hostile_data();
        let read: Value = serde_json::from_str(between(&page, "id=\"data\">", "</script>")).unwrap();
        assert_eq!(read, data);
        assert_eq!(page.matches("alert(1)").count(), page.matches("&lt;script&gt;alert(1)").count() + 2);
        let plain = "&lt;/script&gt;&lt;!--&lt;script&gt;alert(1)&lt;/script&gt; \"'&amp;amp; {title} \u{2028}";
        assert_eq!(between(&page, "<title>", "</title>"), plain);
        assert_eq!(between(&page, "<pre>", "</pre>"), plain);
        // One script for the data, two libraries, two of our own.
        assert_eq!((page.matches("<script").count(), page.matches("</script>").count()), (5, 5));
    }

    #[test]
    fn nothing_is_fetched() {
        let (_, page) = hostile_data();
        assert!(page.contains("content=\"default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'\""));
        for own in [
            include_str!("page/page.html"),
            include_str!("page/page.css"),
            include_str!("page/draw.js"),
            include_str!("page/playtest.js"),
            include_str!("page/compare.js"),
            include_str!("page/ladder.js"),
            include_str!("page/tournament.js"),
        ] {
            for outside in ["http:", "https:", "//cdn", " src=", "href", "@import", "url(", "fetch(", "import(", "innerHTML"] {
                assert!(!own.contains(outside), "{outside}");
            }
        }
    }
}
