//! `houserule print`: cards and boards on sheets of paper, and a page with all cards.

mod chosen;
mod since;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::args::PrintArgs;
use super::load::{Workspace, title};
use super::output::{OutputFile, check_outputs, count, print, reported, show_diagnostics, unreadable, usage_error};
use super::prepared::{PreparedTable, prepare, read};
use super::result::{CommandResult, ExitReason};
use super::show::boards_after_set_up;
use crate::diagnostic::Diagnostic;
use crate::lang::GameText;
use crate::pack::{CARD_LANGUAGE, open_layouts, open_stray_layouts};
use crate::print::{
    CardContent, Gallery, KnownWords, Layout, Page, SavedContents, Sheets, contents_of, default_layout, default_layout_text, gallery_page,
    parse_layout, played_of_json, resolve_layout, stray_layout, write_pdf,
};
use crate::source::{FileId, Sources};
use crate::table::{BoardPicture, DisplayNames, Start, board_drawing};
use chosen::{ChosenCards, prints_boards};
use since::Changes;

/// Largest file of playtests or of printed cards that is read, in bytes.
const MAX_JSON_BYTES: u64 = 1 << 28;

/// Runs `houserule print`.
///
/// # Errors
/// `Findings` on errors in the game or its layout; a usage error if nothing is to be written, or a file cannot be.
pub fn print_game(workspace: &Workspace, args: &PrintArgs) -> CommandResult {
    if args.show_layout {
        workspace.expect_game(&args.game)?;
        print(default_layout_text());
        return Ok(());
    }
    let named = [("--out", &args.out), ("--gallery", &args.gallery), ("--json", &args.json)];
    if named.iter().all(|(_, path)| path.is_none()) {
        return usage_error("nothing is to be written; add `--out FILE.pdf` for sheets, or `--gallery FILE.html` for a page");
    }
    if let Some(out) = args.out.as_deref().filter(|out| *out != "-" && !is_pdf(out)) {
        return usage_error(format!("sheets are written as PDF, but `{out}` does not end with .pdf"));
    }
    let read = [&args.since, &args.layout, &args.from].into_iter().flatten().map(PathBuf::as_path);
    check_outputs(&named, None, read)?;
    let mut game = PrintedGame::load(workspace, args)?;
    let mut chosen = ChosenCards::parse(args, &game.text, &mut game.sources)?;
    let layout = game.layout()?;
    let prepared = if chosen.needs_game(args) { Some(start_game(workspace, args)?) } else { None };
    if let Some(prepared) = prepared.as_ref().filter(|_| !args.option.is_empty()) {
        chosen.leave_out_unused(&prepared.rules);
    }
    let mut cards: Vec<CardContent> = game.all.iter().filter(|card| chosen.holds(&card.id)).cloned().collect();
    // Also with `--since` all of them are kept, so that the file stands for the version.
    let saved = SavedContents { game: args.game.clone(), language: language(workspace).to_string(), cards: cards.clone() };
    let changes = args.since.as_ref().map(|path| since::changes(workspace, args, path, &game.all)).transpose()?;
    let mut notes = chosen.notes();
    if let Some(changes) = &changes {
        cards.retain(|card| changes.is_printed(&card.id));
        notes.extend(changes.notes(|id| chosen.holds(id)));
    }
    // Before anything is written, all that could fail has been done.
    let mut pdf = None;
    if args.out.is_some() {
        let boards = prepared.as_ref().filter(|_| prints_boards(args)).map(boards_after_set_up).transpose()?.unwrap_or_default();
        let boards = boards.into_iter().filter(|(name, _)| chosen.holds_board(name)).map(|(_, picture)| picture);
        let (sheets, told) = game.sheets(&layout, &cards, changes.as_ref(), &boards.collect::<Vec<_>>())?;
        pdf = sheets;
        notes.push(told);
    }
    let mut page = None;
    if args.gallery.is_some() {
        let (gallery, told) = game.gallery(&cards, changes.is_some())?;
        page = gallery;
        notes.push(told);
    }
    if let (Some(path), Some(pdf)) = (&args.out, pdf) {
        OutputFile::open(path)?.write_bytes(&pdf)?;
    }
    if let (Some(path), Some(page)) = (&args.gallery, page) {
        OutputFile::open(path)?.write_text(&page)?;
    }
    if let Some(path) = &args.json {
        OutputFile::open(path)?.write_json(&saved)?;
    }
    if named.iter().all(|(_, path)| path.as_deref() != Some("-")) {
        notes.iter().for_each(|note| print(&format!("{note}\n")));
    }
    Ok(())
}

/// A game whose cards are printed.
struct PrintedGame<'a> {
    workspace: &'a Workspace,
    args: &'a PrintArgs,
    sources: Sources,
    text: GameText,
    words: DisplayNames,
    title: String,
    /// What is on all its cards.
    all: Vec<CardContent>,
}

impl<'a> PrintedGame<'a> {
    fn load(workspace: &'a Workspace, args: &'a PrintArgs) -> Result<PrintedGame<'a>, ExitReason> {
        let mut sources = Sources::new();
        let text = workspace.load_text(&mut sources, &args.game, &args.pack, &args.with)?;
        text.resolve_player_count(args.players).or_else(usage_error)?;
        workspace.expect_language(std::slice::from_ref(&args.game), &args.pack)?;
        let names = workspace.load_names(&sources, &text.content)?;
        let title = names.title(title(&text)).to_string();
        let words = DisplayNames::new(&text, names);
        let all = contents_of(&text, &words);
        Ok(PrintedGame { workspace, args, sources, text, words, title, all })
    }

    /// Lays all layouts over each other: the default, those of the game and its packs, and that of the command line.
    fn layout(&mut self) -> Result<Layout, ExitReason> {
        let mut diagnostics = Vec::new();
        let mut files = open_layouts(&mut self.sources, self.workspace.root(), &self.text.content, &mut diagnostics);
        if let Some(path) = &self.args.layout {
            files.push(read(&mut self.sources, path)?);
        }
        let layout = lay_layouts(&files, &self.text, &mut self.sources, &self.all, &mut diagnostics);
        reported(&self.sources, &diagnostics, layout)
    }

    /// Makes the sheets, and says what is on them; there are none if nothing has changed.
    fn sheets(
        &self,
        layout: &Layout,
        cards: &[CardContent],
        changes: Option<&Changes>,
        boards: &[BoardPicture],
    ) -> Result<(Option<Vec<u8>>, String), ExitReason> {
        let copies = |card: &CardContent| {
            let all = changes.map_or(card.copies, |changes| changes.copies(card));
            if self.args.once { all.min(1) } else { all }
        };
        let pages = self.draw_sheets(layout, cards, &copies, boards)?;
        if pages.is_empty() {
            return match changes {
                Some(_) => Ok((None, "nothing is printed differently, so that no sheet is written".to_string())),
                None => usage_error("there is no card to be printed"),
            };
        }
        let pieces: usize = cards.iter().map(|card| usize::from(copies(card))).sum();
        let of_boards = if boards.is_empty() { String::new() } else { format!(" and {}", count(boards.len(), "board")) };
        let told = format!("{}{of_boards} on {}", count(pieces, "card"), count(pages.len(), "sheet"));
        let written = write_pdf(&pages, &self.title, language(self.workspace));
        let pdf = written.or_else(|fault| usage_error(format!("internal error: {fault}; please report it")))?;
        Ok((Some(pdf), told))
    }

    /// Draws the sheets of cards, each as often as `copies` says, and of boards; shows what does not fit.
    fn draw_sheets(
        &self,
        layout: &Layout,
        cards: &[CardContent],
        copies: &dyn Fn(&CardContent) -> u16,
        boards: &[BoardPicture],
    ) -> Result<Vec<Page>, ExitReason> {
        let age = self.words.phrases().say("age {number}", &[("number", "")]);
        let word_name = |word: &str| match self.words.translations().known_word(word) {
            None if word == "age" => age.trim().to_string(),
            _ => self.words.word_name(word),
        };
        let Some(mut sheets) = Sheets::new(layout, &self.title, &word_name) else {
            return usage_error("internal error: a font of the program is broken; please report it");
        };
        let mut diagnostics = Vec::new();
        let place = |of: &CardContent, in_text: bool| {
            let card = self.text.content.cards.iter().find(|card| card.id.text == of.id)?;
            Some(card.said().filter(|_| in_text).map_or(card.id.span, |text| text.span))
        };
        sheets.add_cards(cards, copies, &place, &mut diagnostics);
        boards.iter().for_each(|picture| sheets.add_board(&board_drawing(picture), &mut diagnostics));
        show_diagnostics(&self.sources, &diagnostics)?;
        Ok(sheets.finish())
    }

    /// Makes the page with all cards, and says what is on it; there is none if nothing has changed.
    fn gallery(&self, cards: &[CardContent], only_changes: bool) -> Result<(Option<String>, String), ExitReason> {
        if cards.is_empty() {
            return match only_changes {
                true => Ok((None, "nothing is printed differently, so that no page is written".to_string())),
                false => usage_error("there is no card for the page"),
            };
        }
        let (mut played, mut games) = (BTreeMap::new(), None);
        if let Some(path) = &self.args.from {
            let found = played_of_json(&read_json(path)?, &self.args.game);
            let (of_cards, count) = found
                .or_else(|fault| usage_error(format!("cannot read `{}` as what `playtest --json` writes: {fault}", path.display())))?;
            (played, games) = (of_cards, Some(count));
        }
        let PrintedGame { sources, text, title, .. } = self;
        let language = language(self.workspace);
        let page = gallery_page(&Gallery { sources, text, title, language, cards, played: &played, games: games.as_deref() });
        Ok((Some(page), format!("a page of {}", count(cards.len(), "card"))))
    }
}

/// Whether a file is a PDF by its ending.
fn is_pdf(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"))
}

/// The language in which cards are printed.
fn language(workspace: &Workspace) -> &str {
    workspace.language().unwrap_or(CARD_LANGUAGE)
}

/// Starts a game, for its boards and for what its options leave out.
fn start_game(workspace: &Workspace, args: &PrintArgs) -> Result<PreparedTable, ExitReason> {
    let start = Start {
        game: args.game.clone(),
        seed: 1,
        packs: args.pack.clone(),
        with: args.with.clone(),
        options: args.option.clone(),
        ..Start::default()
    };
    prepare(workspace, start, args.players)
}

fn lay_layouts(
    files: &[FileId],
    text: &GameText,
    sources: &mut Sources,
    cards: &[CardContent],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Layout> {
    let before = diagnostics.len();
    let mut raw = default_layout(sources, diagnostics);
    for file in files {
        let written = sources.text(*file).to_string();
        raw.lay_over(parse_layout(*file, &written, diagnostics));
    }
    let sound = !crate::diagnostic::has_errors(diagnostics.get(before..).unwrap_or_default());
    let layout = resolve_layout(raw, &KnownWords::new(text, cards), diagnostics);
    layout.filter(|_| sound)
}

/// Checks the layouts of a game and its packs, for `houserule check`.
pub fn check_layouts(root: Option<&Path>, text: &GameText, sources: &mut Sources, diagnostics: &mut Vec<Diagnostic>) {
    for (file, name) in open_stray_layouts(sources, root, &text.content.game, diagnostics) {
        diagnostics.push(stray_layout(file, &name, &text.content.game));
    }
    let files = open_layouts(sources, root, &text.content, diagnostics);
    if !files.is_empty() {
        let words = DisplayNames::new(text, crate::pack::Translations::default());
        lay_layouts(&files, text, sources, &contents_of(text, &words), diagnostics);
    }
}

/// Reads a file that another command has written.
fn read_json(path: &Path) -> Result<String, ExitReason> {
    Sources::read_bounded(path, MAX_JSON_BYTES).or_else(|fault| unreadable(path, &fault))
}
