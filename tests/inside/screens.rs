//! Screens as they are drawn: three kinds of games, in a small terminal and in a large one.

use std::collections::BTreeSet;
use std::path::Path;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::ui::GameUi;
use super::draw::draw;
use super::state::ScreenState;
use crate::agent::AgentKind;
use crate::cli::load::Workspace;
use crate::cli::prepared::{new_session, prepare, replay_of};
use crate::table::{SeatedSession, Start, parse_seat_players};

fn ui(root: &str, game: &str, players: usize, seats: &str) -> GameUi {
    ui_in(root, game, players, seats, None)
}

fn ui_in(root: &str, game: &str, players: usize, seats: &str, language: Option<&str>) -> GameUi {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let workspace = Workspace::new(Some(root), language.map(str::to_string)).unwrap();
    let start = Start { game: game.to_string(), players, seed: 17, ..Start::default() };
    let prepared = prepare(&workspace, start, Some(players)).unwrap();
    let mut session = new_session(&prepared).unwrap();
    session.start(&[]).unwrap();
    let table = SeatedSession::new(session, parse_seat_players(&[seats], players).unwrap()).unwrap();
    GameUi::new(prepared, table, AgentKind::parse("greedy").unwrap())
}

fn key(state: &mut ScreenState<'_>, code: KeyCode) {
    state.key(KeyEvent::new(code, KeyModifiers::NONE));
    while !state.waits_for_key() {
        state.let_agent_answer();
    }
}

fn typed(state: &mut ScreenState<'_>, text: &str) {
    text.chars().for_each(|letter| key(state, KeyCode::Char(letter)));
}

/// What stands on the screen, without blanks at the ends of lines.
fn screen(state: &mut ScreenState<'_>, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| draw(frame, state)).unwrap();
    let buffer = terminal.backend().buffer();
    let line = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    let lines: Vec<String> = (0..height).map(|y| line(y).trim_end().to_string()).collect();
    lines.join("\n")
}

#[test]
fn screens_of_three_kinds_of_games() {
    for (root, game, players) in [(".", "nations", 3), (".", "nations-dice", 2), ("tests/games", "skerry", 4)] {
        for (width, height) in [(80, 24), (120, 40), (160, 50), (200, 60)] {
            let mut ui = ui(root, game, players, "human,random");
            let mut state = ScreenState::new(&mut ui);
            while !state.waits_for_key() {
                state.let_agent_answer();
            }
            key(&mut state, KeyCode::Enter);
            key(&mut state, KeyCode::Enter);
            key(&mut state, KeyCode::Down);
            pictures().bind(|| insta::assert_snapshot!(format!("{game}-{width}"), screen(&mut state, width, height)));
        }
    }
}

/// Pictures of games lie beside the other snapshots of games, outside of `src/`.
fn pictures() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/screens"));
    settings.set_prepend_module_to_snapshot(false);
    settings
}

#[test]
fn options_are_looked_for_and_keys_open_what_they_say() {
    let mut ui = ui(".", "nations-dice", 1, "human");
    let mut state = ScreenState::new(&mut ui);
    let all = state.matching_options().len();
    typed(&mut state, "buy");
    let bought = state.matching_options().len();
    assert!(bought > 0 && bought < all);
    typed(&mut state, "zzz");
    assert!(state.matching_options().is_empty() && screen(&mut state, 80, 24).contains("none has this in it; Esc shows all"));
    key(&mut state, KeyCode::Enter);
    assert_eq!(state.message, "no option is shown; Esc shows all");
    key(&mut state, KeyCode::Esc);
    assert_eq!(state.matching_options().len(), all);
    for (code, said) in [
        (KeyCode::F(1), "takes the marked option"),
        (KeyCode::F(3), "no wonder is under construction"),
        (KeyCode::F(4), "greedy would take"),
        (KeyCode::F(9), "(human): "),
    ] {
        key(&mut state, code);
        assert!(screen(&mut state, 80, 24).contains(said), "{}", screen(&mut state, 80, 24));
        key(&mut state, KeyCode::Esc);
    }
    key(&mut state, KeyCode::F(12));
    let card = state.matching_options().into_iter().find_map(|(_, choice)| choice.card).unwrap();
    typed(&mut state, &card);
    key(&mut state, KeyCode::Enter);
    let first = state.ui.describe_card(&card).unwrap()[0].clone();
    assert!(screen(&mut state, 80, 24).contains(&first), "{first}");
    key(&mut state, KeyCode::Esc);
    key(&mut state, KeyCode::F(11));
    assert!(state.message.contains("this key does nothing"), "{}", state.message);
}

#[test]
fn an_answer_is_taken_back_before_somebody_else_comes() {
    let mut ui = ui("tests/games", "skerry", 4, "human,random");
    let mut state = ScreenState::new(&mut ui);
    while !state.waits_for_key() {
        state.let_agent_answer();
    }
    let before = state.ui.table.session.game().hash();
    key(&mut state, KeyCode::Enter);
    assert_eq!(state.just_answered, Some(0));
    assert!(screen(&mut state, 80, 24).contains("Enter goes on, F8 takes it back"));
    key(&mut state, KeyCode::F(8));
    assert_eq!(state.ui.table.session.game().hash(), before);
    assert!(state.message.starts_with("taken back: "), "{}", state.message);
    key(&mut state, KeyCode::Enter);
    key(&mut state, KeyCode::Enter);
    assert!(state.ui.table.asked_human_seat().is_some() && state.ui.table.session.answers().len() > 1);
}

#[test]
fn who_leaves_is_asked_whether_to_save_and_one_letter_answers() {
    let mut ui = ui("tests/games", "skerry", 4, "human,random");
    let mut state = ScreenState::new(&mut ui);
    while !state.waits_for_key() {
        state.let_agent_answer();
    }
    key(&mut state, KeyCode::Enter);
    key(&mut state, KeyCode::F(10));
    assert!(!state.has_left && screen(&mut state, 80, 24).contains("save the game before leaving? y or n"));
    // Nothing but y, n and Esc does anything, and nothing that was typed is kept for what comes next.
    typed(&mut state, "abc");
    key(&mut state, KeyCode::Enter);
    assert!(state.prompt.is_some() && state.filter.is_empty());
    key(&mut state, KeyCode::Esc);
    assert!(state.prompt.is_none() && state.message == "the game goes on");
    key(&mut state, KeyCode::F(10));
    typed(&mut state, "y");
    assert!(screen(&mut state, 80, 24).contains("save to which file? Enter for skerry-17.replay: _"));
    key(&mut state, KeyCode::Esc);
    assert!(!state.has_left && state.message == "not saved");
    // A name that is typed is taken; what lies there and is no game is not written over.
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(save("notes.txt"), "mine").unwrap();
    for (name, left) in [("notes.txt", false), ("a.replay", true)] {
        key(&mut state, KeyCode::F(10));
        typed(&mut state, "y");
        typed(&mut state, &save(name));
        key(&mut state, KeyCode::Enter);
        assert_eq!(state.has_left, left, "{}", state.message);
    }
    assert_eq!(std::fs::read_to_string(save("notes.txt")).unwrap(), "mine");
    assert!(std::fs::read_to_string(save("a.replay")).unwrap().contains("\np"));
    assert!(state.saved.take().unwrap().contains("goes on with it"));
}

#[test]
fn what_a_replay_marks_is_what_it_tells_the_change_of() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = Workspace::new(Some(root.to_path_buf()), None).unwrap();
    let (_, replay) = replay_of(&workspace, &root.join("tests/replays/nations-2.replay")).unwrap();
    let mut ui = ui(".", "nations", 2, "greedy");
    let start = replay.start.clone();
    ui.prepared = prepare(&workspace, start, Some(2)).unwrap();
    let mut session = new_session(&ui.prepared).unwrap();
    session.start(&[]).unwrap();
    ui.table = SeatedSession::new(session, parse_seat_players(&["greedy"], 2).unwrap()).unwrap();
    let mut state = ScreenState::new(&mut ui);
    state.view(&replay, 0);
    let mut others = 0;
    for at in 0..12 {
        let taken = state.recorded_option().unwrap();
        others += usize::from(taken > 0);
        assert_eq!(state.option(), Some(taken), "at answer {at} the option that was taken is marked");
        let told = state.preview_of_marked();
        assert_eq!(told, state.ui.preview(taken), "at answer {at}");
        // Another option can be looked at, and the one that was taken stays marked as such.
        let count = state.matching_options().len();
        if taken + 1 < count {
            key(&mut state, KeyCode::Down);
            assert_eq!(state.preview_of_marked(), state.ui.preview(taken + 1), "at answer {at}");
            let picture = screen(&mut state, 160, 50);
            assert!(picture.contains(&format!("*{:>3} ", taken + 1)), "{picture}");
        }
        key(&mut state, KeyCode::Right);
    }
    assert!(others > 3, "the first option is taken too often for this test");
}

#[test]
fn what_one_has_is_in_sight_however_the_table_is_scrolled() {
    let mut ui = ui(".", "nations", 3, "human,random");
    let mut state = ScreenState::new(&mut ui);
    while !state.waits_for_key() {
        state.let_agent_answer();
    }
    for _ in 0..20 {
        let picture = screen(&mut state, 80, 24);
        let head: String = picture.lines().take_while(|line| !line.starts_with('┌')).collect::<Vec<_>>().join(" ");
        for resource in ["gold ", "stone ", "food ", "book ", "vp "] {
            assert!(head.contains(resource), "no {resource}in sight:\n{picture}");
        }
        key(&mut state, KeyCode::Tab);
        key(&mut state, KeyCode::PageDown);
    }
    assert_eq!(state.ui.table.session.game().seed(), 17, "looking at a game leaves its seed as it was");
    // With three players nobody meets the tiles and the die of the game alone, and the program's own counts are nobody's affair.
    let sheet: String = state.ui.short_sheet(0).iter().map(|section| format!("{section:?}")).collect();
    assert!(
        !sheet.contains("tiles") && !sheet.contains("shadow die") && !sheet.contains("turns") && sheet.contains("progress 1"),
        "{sheet}"
    );
    let all: String = state.ui.sheet(0).iter().map(|section| format!("{section:?}")).collect();
    assert!(all.contains("tiles 1") && all.contains("shadow die"), "{all}");
}

/// The screen when the first person is asked for an action.
fn asked_in(language: Option<&str>, game: &str, players: usize, size: (u16, u16)) -> String {
    let mut ui = ui_in(".", game, players, "human,random", language);
    let mut state = ScreenState::new(&mut ui);
    while !state.waits_for_key() {
        state.let_agent_answer();
    }
    key(&mut state, KeyCode::Enter);
    key(&mut state, KeyCode::Enter);
    key(&mut state, KeyCode::Down);
    screen(&mut state, size.0, size.1)
}

#[test]
fn ones_own_seat_comes_first_and_cards_lie_in_frames() {
    for size in [(120, 40), (160, 50), (200, 60)] {
        let picture = asked_in(None, "nations", 3, size);
        let at = |text: &str| picture.find(text).unwrap_or_else(|| panic!("no `{text}`:\n{picture}"));
        assert!(at(" sites ") < at("│architects 3") && at("│architects 3") < at(" (random): "), "{picture}");
        // The number of the option stands in the border of its card, and that of the marked one is double.
        assert!(picture.contains("╭─1 ──") && picture.contains("╔═2 ══") && picture.contains("║ City Wall"), "{picture}");
        assert!(picture.contains("│ buy 1 gold") && picture.contains("║ buy 1 gold"), "{picture}");
    }
    let large = asked_in(None, "nations", 3, (200, 60));
    for said in ["strength 3; raid 3", "military, age 1", "p3 (random)"] {
        assert!(large.contains(said), "no `{said}`:\n{large}");
    }
    // In a small terminal a price that all have is told once, so that seat and market are seen at once.
    let small = asked_in(None, "nations", 3, (80, 24));
    for said in ["sites (each deploy 1 stone)", "row 1 (each buy 1 gold)", "row 3 (each buy 3 gold)", "5 Immortal", "deploy 1; vp 1, 1"] {
        assert!(small.contains(said), "no `{said}`:\n{small}");
    }
}

#[test]
fn the_screen_speaks_the_language() {
    for (language, game) in [("fr", "nations"), ("el", "nations"), ("fr", "nations-dice"), ("fr", "near")] {
        for size in [(80, 24), (200, 60)] {
            let picture = asked_in(Some(language), game, 2, size).to_lowercase();
            let words: Vec<&str> = picture.split(|letter: char| !letter.is_alphabetic()).collect();
            for english in ["round", "seed", "options", "would", "gains", "pays", "drawn", "placed", "empty", "decks", "row", "asked"] {
                assert!(!words.contains(&english), "`{english}` is left in {language}:\n{picture}");
            }
            // Words of the rules. A large screen has texts of cards, too, which name resources and are English.
            let texts = if size.0 < 200 { BTreeSet::new() } else { word_pairs_of_card_texts(game) };
            let words: Vec<&str> = picture.split([' ', '\n', '│', '║']).filter(|word| !word.is_empty()).collect();
            let is_resource = |word: &str| ["stone", "gold"].contains(&word.trim_matches(|letter: char| !letter.is_alphabetic()));
            for at in (0..words.len()).filter(|&at| is_resource(words[at])) {
                let of_text = [at.saturating_sub(1), at].map(|first| words.get(first..=first + 1).map(|pair| pair.join(" ")));
                let is_text = of_text.iter().flatten().any(|pair| texts.contains(pair));
                assert!(is_text, "`{}` is left in {language}, in {of_text:?}:\n{picture}", words[at]);
            }
        }
    }
}

/// Each two words that follow each other in the text of a card, with the signs at them.
fn word_pairs_of_card_texts(game: &str) -> BTreeSet<String> {
    let ui = ui(".", game, 2, "human,random");
    let names = &ui.prepared.words;
    let texts = names.ids_and_names().filter_map(|id| names.face(id)?.text.clone());
    let texts = texts.map(|text| text.to_lowercase());
    let pairs = texts.flat_map(|text| {
        let words: Vec<&str> = text.split_whitespace().collect();
        words.windows(2).map(|pair| pair.join(" ")).collect::<Vec<String>>()
    });
    pairs.collect()
}

#[test]
fn colours_are_never_the_only_sign() {
    let mut ui = ui(".", "nations", 3, "human,random");
    let mut state = ScreenState::new(&mut ui);
    while !state.waits_for_key() {
        state.let_agent_answer();
    }
    key(&mut state, KeyCode::Enter);
    key(&mut state, KeyCode::Enter);
    let plain = screen(&mut state, 160, 50);
    state.colours = true;
    assert_eq!(screen(&mut state, 160, 50), plain, "with colours the same stands on the screen");
}

#[test]
fn a_card_is_explained_by_its_name_and_a_folded_explanation_says_how_to_unfold_it_here() {
    let mut ui = ui(".", "nations", 3, "human,random");
    let mut state = ScreenState::new(&mut ui);
    while !state.waits_for_key() {
        state.let_agent_answer();
    }
    key(&mut state, KeyCode::Enter);
    key(&mut state, KeyCode::Enter);
    let mut explained = |asked: &str| {
        key(&mut state, KeyCode::F(13));
        typed(&mut state, asked);
        key(&mut state, KeyCode::Enter);
        state.popup.take().unwrap().lines.join("\n")
    };
    assert!(explained("nubia").contains("buy"), "{}", explained("nubia"));
    assert!(explained("city wall").contains("possible, option "), "{}", explained("city wall"));
    let folded = explained("score");
    assert!(!folded.contains("told by --deep") && folded.contains("`Ctrl-Y --deep score`"), "{folded}");
    assert!(!explained("--deep score").contains("--deep"));
}

#[test]
fn what_one_person_sees_is_covered_until_the_next_sits_down() {
    let mut ui = ui("tests/games", "orchard", 3, "human");
    let mut state = ScreenState::new(&mut ui);
    key(&mut state, KeyCode::Enter);
    while state.just_answered.is_some() {
        key(&mut state, KeyCode::Enter);
    }
    let seat = state.waiting_for_seat.expect("another sits down");
    let covered = screen(&mut state, 80, 24);
    let lines: Vec<&str> = covered.lines().filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, [format!("p{}, it is your turn. Enter, when nobody else looks.", seat + 1)]);
    key(&mut state, KeyCode::Down);
    assert!(state.waiting_for_seat.is_some());
    key(&mut state, KeyCode::Enter);
    assert!(screen(&mut state, 80, 24).contains(&format!("p{} is asked: draft", seat + 1)));
}

/// Every line of every part is there in some position of its scrolling, in terminals of many sizes.
#[test]
fn nothing_is_cut_in_any_size() {
    for (root, game, players) in
        [(".", "nations", 4), (".", "nations-dice", 4), ("tests/games", "skerry", 4), ("tests/games", "orchard", 3)]
    {
        let mut ui = ui(root, game, players, "human");
        let mut state = ScreenState::new(&mut ui);
        for (width, height) in [(50, 16), (63, 20), (80, 24), (100, 30), (110, 40), (160, 50), (200, 60)] {
            let shown = screen(&mut state, width, height);
            let middle: Vec<&str> = shown.lines().filter(|line| line.starts_with(['┌', '│', '└'])).collect();
            assert!(middle.len() > 8, "{shown}");
            for line in middle {
                let whole = line.chars().count() == usize::from(width) && line.ends_with(['┐', '│', '┘']);
                assert!(whole, "{game} {width}x{height}: `{line}`\n{shown}");
            }
            assert!(shown.contains("F10: leave"), "{shown}");
        }
        let small = screen(&mut state, 40, 10);
        assert!(small.contains("the terminal is too small"), "{small}");
    }
}
