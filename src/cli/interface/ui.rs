//! The state shared by both interfaces of `play`: the game, and what is shown of it.

use std::collections::BTreeSet;

use super::saves::SaveFiles;
use crate::agent::AgentKind;
use crate::cli::prepared::PreparedTable;
use crate::diagnostic::nearest;
use crate::table::{
    AnswerFailure, SceneOption, SeatResult, SeatedSession, Section, SheetBlock, card_lines, describe_spaces, gains_of, scene_options,
    seat_results, sheet, unused_places,
};
use crate::why::Why;

/// A game in progress with its interface state.
pub struct GameUi {
    pub prepared: PreparedTable,
    pub table: SeatedSession,
    /// The agent that gives hints.
    pub(super) hint: AgentKind,
    pub(super) files: SaveFiles,
    /// The options of the last question that was begun, preceded by the number of answers ahead of it.
    options: Option<(usize, Vec<SceneOption>)>,
    /// Explains options and values; created when it is first needed.
    pub(super) why: Option<Why>,
}

impl GameUi {
    pub fn new(prepared: PreparedTable, table: SeatedSession, hint: AgentKind) -> GameUi {
        GameUi { prepared, table, hint, files: SaveFiles::default(), options: None, why: None }
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        self.table.session.game().finished()
    }

    /// Returns the game as a seat sees it, in sections.
    pub fn sheet(&self, seat: usize) -> Vec<Section> {
        self.sheet_without(seat, &BTreeSet::new())
    }

    /// Returns the game as a seat sees it, without decks and pools that have not been used yet, and without the names of
    /// empty places.
    pub fn short_sheet(&self, seat: usize) -> Vec<Section> {
        let mut parts = self.sheet_without(seat, &unused_places(&self.prepared.start, &self.table.session, seat));
        parts.iter_mut().for_each(|section| section.blocks.retain(|block| !matches!(block, SheetBlock::Empty(_))));
        parts
    }

    fn sheet_without(&self, seat: usize, unused: &BTreeSet<String>) -> Vec<Section> {
        let PreparedTable { rules, words, .. } = &self.prepared;
        sheet(rules, self.table.session.game(), seat, words, self.table.seat_players(), unused)
    }

    /// Returns the log lines from index `from` on, as far as a seat may see them.
    pub fn log(&self, seat: usize, from: usize) -> Vec<String> {
        self.table.session.game().log_for(seat, from).map(|line| self.prepared.words.log_line(&self.prepared.rules, line)).collect()
    }

    /// Returns the number of log lines.
    pub fn log_len(&self) -> usize {
        self.table.session.game().log().len()
    }

    /// Whether several human players have information that the others must not see.
    pub fn has_secrets(&self) -> bool {
        self.prepared.rules.has_secrets() && self.table.human_seats().len() > 1
    }

    /// Returns the open question in words, with the asked seat.
    pub fn question(&self) -> String {
        match self.table.session.decision() {
            Some(open) => self.prepared.words.who_is_asked(&self.prepared.rules, open.seat, open.question),
            None => self.prepared.words.phrases().word("the game is over"),
        }
    }

    /// Computes what is told of the options of a new question, with what they bring.
    pub fn begin_question(&mut self) {
        let GameUi { prepared, table, .. } = self;
        let count = table.session.answers().len();
        let (rules, game, host) = table.session.rules_game_and_scripts();
        let gains = gains_of(rules, game, host, &prepared.words);
        let mut options = scene_options(rules, game, &prepared.words, &gains);
        describe_spaces(rules, game, &prepared.words, &mut options);
        self.options = Some((count, options));
    }

    /// Returns the options of the open question.
    pub fn choices(&self) -> Vec<SceneOption> {
        match &self.options {
            Some((count, options)) if *count == self.table.session.answers().len() => options.clone(),
            Some(_) | None => scene_options(&self.prepared.rules, self.table.session.game(), &self.prepared.words, &[]),
        }
    }

    /// Describes the card with this id or name; otherwise says why there is none.
    pub fn describe_card(&self, text: &str) -> Result<Vec<String>, String> {
        let words = &self.prepared.words;
        let lines = words.find_card(text).and_then(|id| card_lines(&self.prepared.text, words, id));
        lines.ok_or_else(|| match nearest(text, words.ids_and_names()) {
            Some(meant) => format!("there is no card `{text}`; did you mean `{meant}`?"),
            None => format!("there is no card `{text}`"),
        })
    }

    /// Formats a fault as text, like a diagnostic.
    pub fn fault(&self, failed: &AnswerFailure) -> String {
        self.prepared.fault_text(failed, self.table.session.answers().len() + 1)
    }

    /// Returns the result of the game: points and winners.
    pub fn outcome(&mut self) -> Vec<String> {
        let GameUi { prepared, table, .. } = self;
        let (words, phrases) = (&prepared.words, prepared.words.phrases());
        let (rules, game, _) = table.session.rules_game_and_scripts();
        let over = game.finished();
        let mut seats = seat_results(rules, game, words);
        let alone = seats.first().map(|seat| seat.points).filter(|_| rules.players == 1 && over);
        // The points of all together are told once.
        seats.truncate(if rules.together.is_some() { usize::from(!rules.score.is_empty()) } else { rules.players });
        let line = |result: SeatResult| {
            let rows: Vec<String> = result.rows.iter().filter(|(_, row)| *row != 0).map(|(name, row)| format!("{name} {row}")).collect();
            // A single row of the score equals the points.
            let rows = if result.rows.len() > 1 && !rows.is_empty() { format!(" ({})", rows.join(", ")) } else { String::new() };
            let whose = if rules.together.is_some() { phrases.word("all together") } else { result.seat };
            format!("{whose}: {}{rows}", phrases.say("{number} points", &[("number", &result.points.to_string())]))
        };
        let mut lines: Vec<String> = seats.into_iter().map(line).collect();
        let honour = alone.and_then(|points| rules.honour(points)).map(|place| words.word_name(&rules.honours[place].0));
        lines.extend(honour.map(|name| phrases.say("beside {name}", &[("name", &name)])));
        if over {
            lines.push(words.describe_winners(rules, &game.store(rules).winners()));
        }
        lines.push(format!("seed {}, state {:016x}", prepared.start.seed, game.hash()));
        lines
    }
}
