//! `houserule print`: cards and boards on sheets of paper, and a page with all cards.

mod chosen;
mod since;

use std::collections::BTreeMap;
use std::path::Path;

use super::args::PrintArgs;
use super::load::{Workspace, title};
use super::output::{OutputFile, check_outputs, count, print, show_diagnostics, usage_error};
use super::prepared::{PreparedTable, prepare};
use super::result::{CommandResult, ExitReason};
use super::show::boards_after_set_up;
use crate::diagnostic::Diagnostic;
use crate::lang::GameText;
use crate::pack::{CARD_LANGUAGE, open_layouts, open_stray_layouts};
use crate::print::{
    CardContent, Change, Gallery, KnownWords, Layout, Page, Played, SavedContents, Sheets, contents_of, default_layout,
    default_layout_text, gallery_page, parse_layout, played_of_json, resolve_layout, stray_layout, write_pdf,
};
use crate::source::Sources;
use crate::table::{BoardPicture, DisplayNames, Start, board_drawing};
use chosen::{ChosenCards, prints_boards};

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
    let read = [&args.since, &args.layout, &args.from].into_iter().flatten().map(std::path::PathBuf::as_path);
    check_outputs(&named, None, read)?;
    let mut sources = Sources::new();
    let text = workspace.load_text(&mut sources, &args.game, &args.pack, &args.with)?;
    text.resolve_player_count(args.players).or_else(usage_error)?;
    workspace.expect_language(std::slice::from_ref(&args.game), &args.pack)?;
    let names = workspace.load_names(&sources, &text.content)?;
    let game_title = names.title(title(&text)).to_string();
    let words = DisplayNames::new(&text, names);
    let all = contents_of(&text, &words);
    let mut chosen = ChosenCards::parse(args, &text, &mut sources)?;
    let layout = load_layout(workspace, args, &text, &mut sources, &all)?;
    let prepared = if chosen.needs_game(args) { Some(start_game(workspace, args)?) } else { None };
    if let Some(prepared) = prepared.as_ref().filter(|_| !args.option.is_empty()) {
        chosen.leave_out_unused(&prepared.rules);
    }
    let mut cards: Vec<CardContent> = all.iter().filter(|card| chosen.holds(&card.id)).cloned().collect();
    // Also with `--since` all of them are kept, so that the file stands for the version.
    let saved = SavedContents { game: args.game.clone(), language: language(workspace).to_string(), cards: cards.clone() };
    let changes = match &args.since {
        Some(path) => Some(since::changes(workspace, args, path, &all)?),
        None => None,
    };
    let mut notes = chosen.notes();
    if let Some(changes) = &changes {
        cards.retain(|card| changes.is_printed(&card.id));
        notes.extend(changes.notes(|id| chosen.holds(id)));
    }
    let copies = |card: &CardContent| {
        let all = changes.as_ref().map_or(card.copies, |changes| changes.copies(card));
        if args.once { all.min(1) } else { all }
    };
    // Before anything is written, all that could fail has been done.
    let mut told = Vec::new();
    let mut pdf = None;
    if args.out.is_some() {
        let boards = match prepared.as_ref().filter(|_| prints_boards(args)) {
            Some(prepared) => boards_after_set_up(prepared)?,
            None => Vec::new(),
        };
        let boards: Vec<BoardPicture> =
            boards.into_iter().filter(|(name, _)| chosen.holds_board(name)).map(|(_, picture)| picture).collect();
        let pages = draw_sheets((&sources, &text, &words), (&layout, &game_title), (&cards, &copies), &boards)?;
        if !pages.is_empty() {
            let pieces: usize = cards.iter().map(|card| usize::from(copies(card))).sum();
            let of_boards = if boards.is_empty() { String::new() } else { format!(" and {}", count(boards.len(), "board")) };
            told.push(format!("{}{of_boards} on {}", count(pieces, "card"), count(pages.len(), "sheet")));
            let written = write_pdf(&pages, &game_title, language(workspace));
            pdf = Some(written.or_else(|fault| usage_error(format!("internal error: {fault}; please report it")))?);
        } else if changes.is_some() {
            told.push("nothing is printed differently, so that no sheet is written".to_string());
        } else {
            return usage_error("there is no card to be printed");
        }
    }
    let page = match &args.gallery {
        Some(_) if cards.is_empty() && changes.is_none() => return usage_error("there is no card for the page"),
        Some(_) if cards.is_empty() => {
            told.push("nothing is printed differently, so that no page is written".to_string());
            None
        }
        Some(_) => Some(gallery(workspace, args, (&sources, &text), &game_title, &cards)?),
        None => None,
    };
    let is_terminal = named.iter().any(|(_, path)| path.as_deref() == Some("-"));
    if let (Some(path), Some(pdf)) = (&args.out, pdf) {
        OutputFile::open(path)?.write_bytes(&pdf)?;
    }
    if let (Some(path), Some(page)) = (&args.gallery, page) {
        OutputFile::open(path)?.write_text(&page)?;
        told.push(format!("a page of {}", count(cards.len(), "card")));
    }
    if let Some(path) = &args.json {
        OutputFile::open(path)?.write_json(&saved)?;
    }
    if !is_terminal {
        notes.iter().for_each(|note| print(&format!("{note}\n")));
        told.iter().for_each(|told| print(&format!("{told}\n")));
    }
    Ok(())
}

/// How often a card is printed.
type Copies<'a> = &'a dyn Fn(&CardContent) -> u16;

/// Draws the sheets of cards, each as often as `copies` says, and of boards; shows what does not fit.
fn draw_sheets(
    (sources, text, words): (&Sources, &GameText, &DisplayNames),
    (layout, game_title): (&Layout, &str),
    (cards, copies): (&[CardContent], Copies<'_>),
    boards: &[BoardPicture],
) -> Result<Vec<Page>, ExitReason> {
    let age = words.phrases().say("age {number}", &[("number", "")]);
    let word_name = |word: &str| match words.translations().known_word(word) {
        None if word == "age" => age.trim().to_string(),
        _ => words.word_name(word),
    };
    let Some(mut sheets) = Sheets::new(layout, game_title, &word_name) else {
        return usage_error("internal error: a font of the program is broken; please report it");
    };
    let mut diagnostics = Vec::new();
    let place = |of: &CardContent, in_text: bool| {
        let card = text.content.cards.iter().find(|card| card.id.text == of.id)?;
        Some(card.said().filter(|_| in_text).map_or(card.id.span, |text| text.span))
    };
    sheets.add_cards(cards, copies, &place, &mut diagnostics);
    boards.iter().for_each(|picture| sheets.add_board(&board_drawing(picture), &mut diagnostics));
    show_diagnostics(sources, &diagnostics)?;
    Ok(sheets.finish())
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

/// Lays all layouts over each other: the default, those of the game and its packs, and that of the command line.
fn load_layout(
    workspace: &Workspace,
    args: &PrintArgs,
    text: &GameText,
    sources: &mut Sources,
    cards: &[CardContent],
) -> Result<Layout, ExitReason> {
    let mut diagnostics = Vec::new();
    let mut files = open_layouts(sources, workspace.root(), &text.content, &mut diagnostics);
    if let Some(path) = &args.layout {
        files.push(super::prepared::read(sources, path)?);
    }
    let layout = lay_layouts(&files, text, sources, cards, &mut diagnostics);
    show_diagnostics(sources, &diagnostics)?;
    layout.ok_or(ExitReason::Findings)
}

fn lay_layouts(
    files: &[crate::source::FileId],
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

/// Makes the page.
fn gallery(
    workspace: &Workspace,
    args: &PrintArgs,
    (sources, text): (&Sources, &GameText),
    title: &str,
    cards: &[CardContent],
) -> Result<String, ExitReason> {
    let mut played: (BTreeMap<String, Played>, Option<String>) = Default::default();
    if let Some(path) = &args.from {
        let written = read_json(path)?;
        let (cards, games) = played_of_json(&written, &args.game)
            .or_else(|fault| usage_error(format!("cannot read `{}` as what `playtest --json` writes: {fault}", path.display())))?;
        played = (cards, Some(games));
    }
    Ok(gallery_page(&Gallery { sources, text, title, language: language(workspace), cards, played: &played.0, games: played.1.as_deref() }))
}

/// Reads a file that another command has written.
fn read_json(path: &Path) -> Result<String, ExitReason> {
    Sources::read_bounded(path, MAX_JSON_BYTES).or_else(|fault| usage_error(format!("cannot read `{}`: {fault}", path.display())))
}

/// Describes a change in one word.
fn change_word(change: Change) -> &'static str {
    match change {
        Change::New => "new",
        Change::Changed => "changed",
        Change::More => "more of",
        Change::Fewer => "fewer of",
        Change::Gone => "gone",
    }
}
