//! Reports as pages of HTML.

use super::cards::CardEffects;
use super::compare::{Comparison, Ladder};
use super::document::document;
use super::page_names::PageNames;
use super::report::Report;
use super::tournament::Tournament;

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
    document(report, effects, boards, called).html()
}

/// Renders the page of a comparison.
///
/// # Errors
/// As for [`playtest_page`].
pub fn compare_page(comparison: &Comparison, _: PageNames<'_>) -> serde_json::Result<String> {
    comparison.document(false).html()
}

/// Renders the page of the same comparison by players of several strengths.
///
/// # Errors
/// As for [`playtest_page`].
pub fn ladder_page(ladder: &Ladder, _: PageNames<'_>) -> serde_json::Result<String> {
    ladder.document().html()
}

/// Renders the page of a tournament; `thought` is the mean time in milliseconds that each kind of players takes for a decision.
///
/// # Errors
/// As for [`playtest_page`].
pub fn tournament_page(tournament: &Tournament, thought: &[Option<f64>]) -> serde_json::Result<String> {
    tournament.document(thought).html()
}
