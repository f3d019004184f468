//! `play --plain`: the interface by lines, for screen readers, scripts and limited terminals.

use std::io::{BufRead, IsTerminal, stdin, stdout};
use std::path::Path;
use std::time::Duration;

use super::saves::last_words;
use super::ui::GameUi;
use super::{print_lines, print_sheet};
use crate::agent::seat_name;
use crate::cli::output::{print, print_error};
use crate::cli::result::{CommandResult, ExitReason};
use crate::cli::signals::leave_when_ended;
use crate::diagnostic::nearest;
use crate::table::{AnswerFailure, SceneOption, SkippedScript, StopReason, why_not};

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
    let title = ui.prepared.words.translations().title(&ui.prepared.rules.title);
    print(&format!("{title}: {} players, seed {}\n", ui.prepared.rules.players, ui.prepared.start.seed));
    if !stdin().is_terminal() || stdout().is_terminal() {
        print("`help` lists what can be typed\n");
    }
    if stdin().is_terminal() {
        // A script on the standard input saves explicitly.
        leave_when_ended(Duration::ZERO, || print_error(&format!("\n{}\n", last_words())));
        print_lines("", ui.enable_autosave());
    }
    print_sheet(ui, ui.table.viewer(), None);
    loop {
        while ui.table.is_agent_asked() {
            if let Err(stopped) = ui.table.let_agent_answer() {
                machine_failed(ui, stopped)?;
            }
            save_after_answer(ui);
        }
        let Some(seat) = ui.table.asked_human_seat() else { break };
        plain.begin_question(ui, seat);
        if !plain.ask_until_answered(ui, seat) {
            return leave_unfinished(ui);
        }
        save_after_answer(ui);
    }
    let viewer = ui.table.viewer();
    plain.print_log(ui, viewer);
    print(&format!("\n{}\n", ui.question()));
    print_sheet(ui, viewer, None);
    print_lines("", ui.outcome());
    ui.table.end_game();
    ui.finish()
}

/// Saves the game, if saves are enabled; if that fails, a warning is printed.
fn save_after_answer(ui: &GameUi) {
    if let Some(trouble) = ui.save_after_answer() {
        print_error(&format!("warning: {trouble}\n"));
    }
}

/// Saves an unfinished game that the player leaves, and prints the number of answers and a hash of the state.
fn leave_unfinished(ui: &mut GameUi) -> CommandResult {
    ui.finish()?;
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
        print_lines("  ", ui.log(seat, from));
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
    fn ask_until_answered(&mut self, ui: &mut GameUi, seat: usize) -> bool {
        loop {
            let Some(line) = read_line() else {
                print("the input has ended before the game\n");
                return false;
            };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            // A single word suffices as an answer, unless it is a command.
            let is_command = word == "exit" || command_words().any(|command| command == word);
            let bare = if is_command { None } else { ui.table.session.option(&format!("choose {line}")) };
            if let Some(option) = ui.table.session.option(line).or(bare) {
                if ui.table.answer(option, &[]).map_or_else(|failed| continue_without(ui, failed, option), |()| true) {
                    return true;
                }
                ask(ui);
                continue;
            }
            match word {
                "" => {}
                "quit" | "exit" => return false,
                "undo" => match ui.table.undo(seat) {
                    Ok(key) => {
                        print(&format!("taken back: {key}\n"));
                        self.seen.iter_mut().for_each(|seen| *seen = (*seen).min(ui.log_len()));
                        return true;
                    }
                    Err(why) => print(&format!("it cannot be taken back: {why}\n")),
                },
                _ => print_lines("  ", run_command(ui, seat, word, rest.trim()).unwrap_or_else(|wrong| vec![wrong])),
            }
        }
    }
}

/// Handles the failure of an agent that was asked.
fn machine_failed(ui: &mut GameUi, stopped: StopReason) -> CommandResult {
    match stopped {
        StopReason::Failed(failed, Some(option)) => {
            if continue_without(ui, failed, option) {
                return Ok(());
            }
        }
        StopReason::Failed(failed, None) => print_error(&ui.fault(&failed)),
        StopReason::Player(fault) => print_error(&format!("error: {fault}\n")),
    }
    let _ = leave_unfinished(ui);
    Err(ExitReason::Findings)
}

/// Handles a failed script: shows its location, and asks whether to continue without it. Returns the reply.
fn continue_without(ui: &mut GameUi, mut failed: AnswerFailure, option: usize) -> bool {
    let mut without: Vec<SkippedScript> = Vec::new();
    loop {
        print_error(&ui.fault(&failed));
        let Some(script) = failed.script.take() else {
            print("the answer is taken back: the rules cannot go on with it\n");
            return false;
        };
        print(&format!("the answer is taken back. Go on without what `{}` does? yes or no\n", script.owner));
        loop {
            match read_line().as_deref().map(str::trim) {
                Some("yes" | "y") => break,
                Some("no" | "n") | None => return false,
                Some(_) => print("yes or no?\n"),
            }
        }
        without.push(script);
        match ui.table.answer_skipping(option, &without) {
            Ok(()) => return true,
            Err(other) => failed = other,
        }
    }
}

/// Handles every command that is not an answer to the question, and returns what is printed about it.
fn run_command(ui: &mut GameUi, seat: usize, word: &str, rest: &str) -> Result<Vec<String>, String> {
    let one_line = |line: String| vec![line];
    match word {
        "help" => Ok(COMMANDS.iter().map(|(word, what)| format!("{word:14} {what}")).collect()),
        "options" => {
            print_lines("", list(ui, rest));
            Ok(Vec::new())
        }
        "again" => {
            ask(ui);
            Ok(Vec::new())
        }
        "table" => {
            let only = crate::lang::seat_number(rest).filter(|number| *number < ui.prepared.rules.players);
            if only.is_none() && !rest.is_empty() {
                return Err(format!("`{rest}` is no seat"));
            }
            print_sheet(ui, seat, only);
            Ok(Vec::new())
        }
        "what" => match ui.table.session.option(rest) {
            Some(option) => Ok(ui.preview(option)),
            None => Err("which option? `what 3` says what the third would change".to_string()),
        },
        "card" => {
            let numbered = rest.parse::<usize>().ok().and_then(|number| ui.choices().into_iter().nth(number.checked_sub(1)?));
            match numbered {
                Some(SceneOption { card: Some(card), .. }) => ui.describe_card(&card),
                Some(choice) => Err(format!("option {rest}, `{}`, is about no card", choice.key)),
                None if rest.is_empty() => Err("which card? `card NAME`, or the number of an option".to_string()),
                None => ui.describe_card(rest),
            }
        }
        "why" if rest.is_empty() => Ok(ui.refused()),
        "why" => Ok(ui.explain(rest, "why --deep")),
        "hint" => ui.hint(),
        "log" => {
            let all = ui.log(seat, 0);
            let count = if rest.is_empty() { Ok(all.len()) } else { rest.parse::<usize>() };
            let count = count.map_err(|_| format!("`{rest}` is no number of lines"))?;
            Ok(all[all.len().saturating_sub(count)..].to_vec())
        }
        "save" if rest.is_empty() => ui.save_to_option_path()?.map(one_line).ok_or_else(|| "which file? `save FILE`".to_string()),
        "save" => ui.write_save(Path::new(rest)).map(one_line),
        "scenario" if rest.is_empty() => Err("which file? `scenario FILE`".to_string()),
        "scenario" => ui.write_scenario(Path::new(rest)).map(one_line),
        _ => Ok(explain_unknown_command(ui, format!("{word} {rest}").trim(), word)),
    }
}

/// Returns the first word of each command.
fn command_words() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().filter_map(|(command, _)| command.split(' ').next())
}

fn explain_unknown_command(ui: &GameUi, typed: &str, word: &str) -> Vec<String> {
    let known: Vec<String> = command_words().map(str::to_string).chain(ui.choices().iter().map(|choice| choice.key.to_string())).collect();
    let near = |asked: &str| nearest(asked, known.iter().map(String::as_str));
    let meant = near(typed).or_else(|| near(word));
    let ends = meant.map_or_else(|| "`help` lists what can be typed".to_string(), |meant| format!("did you mean `{meant}`?"));
    let unknown = format!("`{typed}` is neither an option nor a command; {ends}");
    std::iter::once(unknown).chain(why_not(&ui.prepared.rules, ui.table.session.game(), typed)).collect()
}

fn ask(ui: &mut GameUi) {
    ui.begin_question();
    let round = ui.prepared.words.phrases().say("round {number}", &[("number", &ui.table.session.game().round().to_string())]);
    print(&format!("\n{} ({round})\n", ui.question()));
    print_lines("", list(ui, ""));
}

/// Lists the options of the open question, or only those with a text in them.
fn list(ui: &GameUi, filter: &str) -> Vec<String> {
    let filter = filter.to_lowercase();
    let line = |(number, choice): (usize, &SceneOption)| {
        // A label that repeats the key is not printed.
        let key = choice.key.strip_prefix("choose ").unwrap_or(&choice.key);
        let label = Some(choice.label()).filter(|label| spelt_alike(label) != spelt_alike(key));
        let printed = || choice.card.as_deref().and_then(|card| ui.prepared.words.card_in_short(card, MAX_PRINTED));
        let more: Vec<String> = label.into_iter().chain(choice.on_space.clone().or_else(printed)).collect();
        let label = if more.is_empty() { String::new() } else { format!("  ({})", more.join(": ")) };
        let gain = if choice.note.is_empty() { String::new() } else { format!("  {}", choice.note) };
        let line = format!("{:>3} {}{label}{gain}", number + 1, choice.key);
        format!("{line}\n{}", choice.group).to_lowercase().contains(&filter).then_some(line)
    };
    ui.choices().iter().enumerate().filter_map(line).collect()
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
