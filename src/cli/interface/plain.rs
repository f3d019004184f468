//! `play --plain`: the interface by lines, for screen readers, scripts and limited terminals.

use std::io::{BufRead, IsTerminal, stdin, stdout};
use std::time::Duration;

use super::autosave::last_words;
use super::ui::{DisplayedOption, GameUi, path_of};
use crate::agent::seat_name;
use crate::cli::output::{print, print_error};
use crate::cli::result::{CommandResult, ExitReason};
use crate::cli::signals::leave_when_ended;
use crate::diagnostic::nearest;
use crate::table::{AnswerFailure, SkippedScript, StopReason, section_lines, why_not};

/// Maximum width of the lines of text, in columns.
const LINE_WIDTH: usize = 100;

/// The most letters of what is printed on a card behind the option that is about it; `card NUMBER` tells more.
const MAX_PRINTED: usize = 60;

/// The commands that a player can type, with their descriptions.
pub(super) const COMMANDS: [(&str, &str); 16] = [
    ("NUMBER", "takes the option of this number; its key does the same"),
    ("options", "lists the options again; with a word behind it, those with the word in them"),
    ("table", "all that lies on the table and with the players; with p2 behind it, only that seat"),
    ("what NUMBER", "what an option would change"),
    ("card NAME", "a card with its figures and what it does; with a number, the card of that option"),
    ("why KEY", "all that an option needs, and which rule says so; with a number, of that option; alone, for all that is refused"),
    ("why CARD", "what can be done with a card now, and what cannot, and why"),
    ("why VALUE", "where a value comes from: `why score`, `why p2.STAT`, `why price(CARD)`; `why --deep VALUE` tells every part"),
    ("hint", "what a machine player would do, and how much it thinks better of it"),
    ("log", "what has happened; with a number behind it, so many lines of it"),
    ("undo", "takes your last answer back, as long as nobody else has answered and nothing was revealed"),
    ("save FILE", "writes the game to a file; without a name, to the one of --save"),
    ("scenario FILE", "writes the position as a scenario for `houserule test`"),
    ("again", "says once more who is asked what"),
    ("help", "this list"),
    ("quit", "ends; with --save the game is kept"),
];

/// Plays a game until it ends or the player leaves.
pub fn play(ui: &mut GameUi) -> CommandResult {
    let mut plain = PlainUi { seen: vec![0; ui.prepared.rules.players], last: None };
    print(&format!(
        "{}: {} players, seed {}\n",
        ui.prepared.words.translations().title(&ui.prepared.rules.title),
        ui.prepared.rules.players,
        ui.prepared.start.seed
    ));
    if !stdin().is_terminal() || stdout().is_terminal() {
        print("`help` lists what can be typed\n");
    }
    if stdin().is_terminal() {
        // A script on the standard input saves explicitly.
        leave_when_ended(Duration::ZERO, || print_error(&format!("\n{}\n", last_words())));
        ui.enable_autosave().into_iter().for_each(|line| print(&format!("{line}\n")));
    }
    let first = ui.viewer();
    print(&sheet_text(ui, first, None));
    loop {
        while ui.table.is_agent_asked() {
            if let Err(stopped) = ui.let_agent_answer() {
                plain.machine_failed(ui, stopped)?;
            }
            report_save_error(ui);
        }
        let Some(seat) = ui.table.asked_human_seat() else { break };
        plain.begin_question(ui, seat);
        if !plain.ask_until_answered(ui, seat)? {
            return leave_unfinished(ui);
        }
        report_save_error(ui);
    }
    let viewer = ui.viewer();
    plain.print_log(ui, viewer);
    print(&format!("\n{}\n", ui.question()));
    print(&sheet_text(ui, viewer, None));
    for line in ui.outcome() {
        print(&format!("{line}\n"));
    }
    ui.table.end_game();
    save(ui)
}

/// Saves the game to the file of `--save`, if it was given.
fn save(ui: &mut GameUi) -> CommandResult {
    match ui.save_to_option_path() {
        Ok(Some(line)) => print(&format!("{line}\n")),
        Ok(None) => ui.farewell().into_iter().for_each(|line| print(&format!("{line}\n"))),
        Err(wrong) => return crate::cli::output::usage_error(wrong),
    }
    Ok(())
}

/// Prints the error of an automatic save, if there is one that was not printed yet.
fn report_save_error(ui: &mut GameUi) {
    if let Some(trouble) = ui.take_save_error() {
        print_error(&format!("warning: {trouble}\n"));
    }
}

/// Saves an unfinished game that the player leaves, and prints the number of answers and a hash of the state.
fn leave_unfinished(ui: &mut GameUi) -> CommandResult {
    save(ui)?;
    let count = ui.table.session.answers().len();
    print(&format!("left after {count} answers, state {:016x}\n", ui.table.session.game().hash()));
    Ok(())
}

struct PlainUi {
    /// For each seat the number of log lines that have been printed for it.
    seen: Vec<usize>,
    /// The seat of the human player who was asked last.
    last: Option<usize>,
}

impl PlainUi {
    /// Prints the log lines that a seat has not seen yet.
    fn print_log(&mut self, ui: &GameUi, seat: usize) {
        let from = std::mem::replace(&mut self.seen[seat], ui.log_len());
        for line in ui.log(seat, from) {
            print(&format!("  {line}\n"));
        }
    }

    /// Prepares the terminal for a question to this seat. If another human player was asked before, the terminal is cleared until the next
    /// one is ready.
    fn begin_question(&mut self, ui: &mut GameUi, seat: usize) {
        let another = self.last.replace(seat).is_some_and(|last| last != seat);
        if another && ui.has_secrets() {
            print(&format!("{}\n{}, it is your turn: press Enter when nobody else looks\n", "\n".repeat(60), seat_name(seat)));
            // Input that is already available belongs to the next seat: a script may answer at once.
            let _ = skip_empty_line();
        }
        self.print_log(ui, seat);
        ask(ui);
    }

    /// Reads lines until one of them answers the question; returns whether the game continues.
    fn ask_until_answered(&mut self, ui: &mut GameUi, seat: usize) -> Result<bool, ExitReason> {
        loop {
            let Some(line) = read_line() else {
                print("the input has ended before the game\n");
                return Ok(false);
            };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            // A single word suffices as an answer, unless it is a command.
            let is_command = matches!(word, "exit") || COMMANDS.iter().any(|(command, _)| command.split(' ').next() == Some(word));
            let bare = if is_command { None } else { ui.table.session.option(&format!("choose {line}")) };
            if let Some(option) = ui.table.session.option(line).or(bare) {
                match answer(ui, option) {
                    Ok(()) => return Ok(true),
                    Err(failed) => {
                        if continue_without(ui, failed, option)? {
                            return Ok(true);
                        }
                        ask(ui);
                        continue;
                    }
                }
            }
            match word {
                "" => {}
                "quit" | "exit" => return Ok(false),
                "undo" => match ui.undo(seat) {
                    Ok(key) => {
                        print(&format!("taken back: {key}\n"));
                        self.seen.iter_mut().for_each(|seen| *seen = (*seen).min(ui.log_len()));
                        return Ok(true);
                    }
                    Err(why) => print(&format!("it cannot be taken back: {why}\n")),
                },
                _ => other_command(ui, seat, word, rest),
            }
        }
    }

    fn machine_failed(&mut self, ui: &mut GameUi, stopped: StopReason) -> CommandResult {
        match stopped {
            StopReason::Failed(failed, Some(option)) => {
                if continue_without(ui, failed, option)? {
                    return Ok(());
                }
                let _ = leave_unfinished(ui);
                Err(ExitReason::Findings)
            }
            StopReason::Failed(failed, None) => {
                print_error(&ui.fault(&failed));
                let _ = leave_unfinished(ui);
                Err(ExitReason::Findings)
            }
            StopReason::Player(fault) => {
                print_error(&format!("error: {fault}\n"));
                let _ = leave_unfinished(ui);
                Err(ExitReason::Findings)
            }
        }
    }
}

fn answer(ui: &mut GameUi, option: usize) -> Result<(), AnswerFailure> {
    ui.answer(option, &[])
}

/// Handles a failed script: shows its location, and asks whether to continue without it. Returns the reply.
fn continue_without(ui: &mut GameUi, mut failed: AnswerFailure, option: usize) -> Result<bool, ExitReason> {
    let mut without: Vec<SkippedScript> = Vec::new();
    loop {
        print_error(&ui.fault(&failed));
        let Some(script) = failed.script.take() else {
            print("the answer is taken back: the rules cannot go on with it\n");
            return Ok(false);
        };
        print(&format!("the answer is taken back. Go on without what `{}` does? yes or no\n", script.owner));
        loop {
            match read_line().as_deref().map(str::trim) {
                Some("yes" | "y") => break,
                Some("no" | "n") => return Ok(false),
                Some(_) => print("yes or no?\n"),
                None => return Ok(false),
            }
        }
        without.push(script);
        match ui.answer_skipping(option, &without) {
            Ok(()) => return Ok(true),
            Err(other) => failed = other,
        }
    }
}

/// Handles every command that is not an answer to the question.
fn other_command(ui: &mut GameUi, seat: usize, word: &str, rest: &str) {
    let lines: Vec<String> = match word {
        "help" => COMMANDS.iter().map(|(word, what)| format!("{word:14} {what}")).collect(),
        "options" => return list(ui, rest),
        "again" => return ask(ui),
        "table" => return table(ui, seat, rest),
        "what" => match ui.table.session.option(rest) {
            Some(option) => ui.preview(option),
            None => vec!["which option? `what 3` says what the third would change".to_string()],
        },
        "card" => match rest.parse::<usize>().ok().and_then(|number| ui.choices().into_iter().nth(number.checked_sub(1)?)) {
            Some(DisplayedOption { card: Some(card), .. }) => ui.describe_card(&card).unwrap_or_else(|wrong| vec![wrong]),
            Some(choice) => vec![format!("option {rest}, `{}`, is about no card", choice.key)],
            None if rest.is_empty() => vec!["which card? `card NAME`, or the number of an option".to_string()],
            None => ui.describe_card(rest).unwrap_or_else(|wrong| vec![wrong]),
        },
        "why" if rest.is_empty() => {
            let all = ui.refused();
            if all.is_empty() { vec!["nothing is refused that actions of this turn could be about".to_string()] } else { all }
        }
        "why" => ui.explain(rest, "why --deep"),
        "hint" => ui.hint().unwrap_or_else(|wrong| vec![wrong]),
        "log" => {
            let all = ui.log(seat, 0);
            let count = if rest.is_empty() { Some(all.len()) } else { rest.parse::<usize>().ok() };
            match count {
                Some(count) => all[all.len().saturating_sub(count)..].to_vec(),
                None => vec![format!("`{rest}` is no number of lines")],
            }
        }
        "save" if rest.is_empty() => vec![match ui.save_to_option_path() {
            Ok(Some(line)) => line,
            Ok(None) => "which file? `save FILE`".to_string(),
            Err(wrong) => wrong,
        }],
        "save" => vec![ui.write_save(&path_of(rest)).unwrap_or_else(|wrong| wrong)],
        "scenario" if rest.is_empty() => vec!["which file? `scenario FILE`".to_string()],
        "scenario" => vec![ui.write_scenario(&path_of(rest)).unwrap_or_else(|wrong| wrong)],
        _ => explain_unknown_command(ui, word, rest),
    };
    lines.iter().for_each(|line| print(&format!("  {line}\n")));
}

fn explain_unknown_command(ui: &GameUi, word: &str, rest: &str) -> Vec<String> {
    let typed = format!("{word} {rest}");
    let typed = typed.trim();
    let choices = ui.choices();
    let words = COMMANDS.iter().filter_map(|(command, _)| command.split(' ').next());
    let known: Vec<&str> = words.chain(choices.iter().map(|choice| choice.key.as_str())).collect();
    let mut lines = vec![match nearest(typed, known.iter().copied()).or_else(|| nearest(word, known.iter().copied())) {
        Some(meant) => format!("`{typed}` is neither an option nor a command; did you mean `{meant}`?"),
        None => format!("`{typed}` is neither an option nor a command; `help` lists what can be typed"),
    }];
    lines.extend(why_not(&ui.prepared.rules, ui.table.session.game(), typed));
    lines
}

fn table(ui: &GameUi, seat: usize, only: &str) {
    let number = crate::lang::seat_number(only);
    match number.filter(|number| *number < ui.prepared.rules.players) {
        Some(number) => print(&sheet_text(ui, seat, Some(number))),
        None if only.is_empty() => print(&sheet_text(ui, seat, None)),
        None => print(&format!("  `{only}` is no seat\n")),
    }
}

/// Returns the game as a seat sees it, or only the section about the seat `only`.
fn sheet_text(ui: &GameUi, seat: usize, only: Option<usize>) -> String {
    let all = ui.sheet(seat);
    let wanted = all.iter().filter(|section| only.is_none() || section.seat == only);
    let mut out = String::new();
    for section in wanted {
        out.push('\n');
        section_lines(section, ui.prepared.words.phrases(), LINE_WIDTH, false)
            .iter()
            .for_each(|line| out.push_str(&format!("{}\n", line.text)));
    }
    out
}

fn ask(ui: &mut GameUi) {
    ui.begin_question();
    let round = ui.prepared.words.phrases().say("round {number}", &[("number", &ui.table.session.game().round().to_string())]);
    print(&format!("\n{} ({round})\n", ui.question()));
    list(ui, "");
}

fn list(ui: &GameUi, filter: &str) {
    let filter = filter.to_lowercase();
    for (number, choice) in ui.choices().iter().enumerate() {
        // A label that repeats the key is not printed.
        let says_more = spelt_alike(&choice.label) != spelt_alike(choice.key.strip_prefix("choose ").unwrap_or(&choice.key));
        let label = Some(choice.label.clone()).filter(|_| says_more);
        let printed = || choice.card.as_deref().and_then(|card| ui.prepared.words.card_in_short(card, MAX_PRINTED));
        let more: Vec<String> = label.into_iter().chain(choice.on_space.clone().or_else(printed)).collect();
        let label = if more.is_empty() { String::new() } else { format!("  ({})", more.join(": ")) };
        let gain = if choice.gain.is_empty() { String::new() } else { format!("  {}", choice.gain) };
        let line = format!("{:>3} {}{label}{gain}\n", number + 1, choice.key);
        if format!("{line}{}", choice.group).to_lowercase().contains(&filter) {
            print(&line);
        }
    }
}

/// Returns a text as it reads without what sets the id of a card apart from its name: capitals, and what joins words.
fn spelt_alike(text: &str) -> String {
    text.to_lowercase().replace(['_', '.', '-'], " ")
}

/// Reads a line; `None` at the end of the input.
fn read_line() -> Option<String> {
    if stdin().is_terminal() {
        print("> ");
    }
    let mut line = String::new();
    match stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}

/// Consumes the next line if it is empty.
fn skip_empty_line() -> Option<()> {
    let mut input = stdin().lock();
    let first = *input.fill_buf().ok()?.first()?;
    (first == b'\n').then(|| input.consume(1))
}
