//! `play --plain`: the game line by line, for screen readers, for scripts and for terminals that can do no more.

use std::io::{BufRead, IsTerminal, stdin, stdout};
use std::time::Duration;

use super::desk::Choice;
use super::kept::last_words;
use super::{Desk, path_of};
use crate::agent::seat_name;
use crate::cli::output::{print, say};
use crate::cli::signals::leave_when_ended;
use crate::cli::{Done, Trouble};
use crate::diagnostic::nearest;
use crate::table::{Failed, Left, Stopped, section_lines, why_not};

/// How wide lines are.
const WIDTH: usize = 100;

/// What can be typed, and what it does.
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

/// Plays a game to its end, or until somebody has had enough.
pub(super) fn play(desk: &mut Desk) -> Done {
    let mut plain = Plain { seen: vec![0; desk.laid.rules.players], last: None };
    print(&format!(
        "{}: {} players, seed {}\n",
        desk.laid.words.names().title(&desk.laid.rules.title),
        desk.laid.rules.players,
        desk.laid.start.seed
    ));
    if !stdin().is_terminal() || stdout().is_terminal() {
        print("`help` lists what can be typed\n");
    }
    if stdin().is_terminal() {
        // A script that is piped in says itself what is to be saved.
        leave_when_ended(Duration::ZERO, || say(&format!("\n{}\n", last_words())));
        desk.keep_by_itself().into_iter().for_each(|line| print(&format!("{line}\n")));
    }
    let first = desk.eyes();
    print(&sheet_text(desk, first, None));
    loop {
        while desk.table.waits_for_machine() {
            if let Err(stopped) = desk.machine_answers() {
                plain.machine_failed(desk, stopped)?;
            }
            told_trouble(desk);
        }
        let Some(seat) = desk.table.asked() else { break };
        plain.begin_question(desk, seat);
        if !plain.question(desk, seat)? {
            return left(desk);
        }
        told_trouble(desk);
    }
    let eyes = desk.eyes();
    plain.tell(desk, eyes);
    print("\nthe game is over\n");
    print(&sheet_text(desk, eyes, None));
    for line in desk.outcome() {
        print(&format!("{line}\n"));
    }
    desk.table.end();
    kept(desk)
}

/// Writes the save, if there is one.
fn kept(desk: &mut Desk) -> Done {
    match desk.keep() {
        Ok(Some(line)) => print(&format!("{line}\n")),
        Ok(None) => desk.farewell().into_iter().for_each(|line| print(&format!("{line}\n"))),
        Err(wrong) => return crate::cli::output::wrong(wrong),
    }
    Ok(())
}

/// Says once that the game can no longer be written down.
fn told_trouble(desk: &mut Desk) {
    if let Some(trouble) = desk.take_trouble() {
        say(&format!("warning: {trouble}\n"));
    }
}

/// The game is left before its end.
fn left(desk: &mut Desk) -> Done {
    kept(desk)?;
    let count = desk.table.session.steps().len();
    print(&format!("left after {count} answers, state {:016x}\n", desk.table.session.game().hash()));
    Ok(())
}

struct Plain {
    /// How much of the log each seat has heard.
    seen: Vec<usize>,
    /// The person who was asked last.
    last: Option<usize>,
}

impl Plain {
    /// What has happened since this seat last heard of it.
    fn tell(&mut self, desk: &Desk, seat: usize) {
        let from = std::mem::replace(&mut self.seen[seat], desk.log_len());
        for line in desk.log(seat, from) {
            print(&format!("  {line}\n"));
        }
    }

    /// Somebody is asked: where another sat before, what one may not see is covered until the other sits there.
    fn begin_question(&mut self, desk: &mut Desk, seat: usize) {
        let another = self.last.replace(seat).is_some_and(|last| last != seat);
        if another && desk.has_secrets() {
            print(&format!("{}\n{}, it is your turn: press Enter when nobody else looks\n", "\n".repeat(60), seat_name(seat)));
            // What is typed here is for the seat that sits down: a script may answer at once.
            let _ = hear_if_empty();
        }
        self.tell(desk, seat);
        ask(desk);
    }

    /// Hears lines until one answers; whether the game goes on.
    fn question(&mut self, desk: &mut Desk, seat: usize) -> Result<bool, Trouble> {
        loop {
            let Some(line) = hear() else {
                print("the input has ended before the game\n");
                return Ok(false);
            };
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let rest = rest.trim();
            // Of an answer that is one word the word is enough, unless it is a command.
            let is_command = matches!(word, "exit") || COMMANDS.iter().any(|(command, _)| command.split(' ').next() == Some(word));
            let bare = if is_command { None } else { desk.table.session.option(&format!("choose {line}")) };
            if let Some(option) = desk.table.session.option(line).or(bare) {
                match answer(desk, option) {
                    Ok(()) => return Ok(true),
                    Err(failed) => {
                        if go_without(desk, failed, option)? {
                            return Ok(true);
                        }
                        ask(desk);
                        continue;
                    }
                }
            }
            match word {
                "" => {}
                "quit" | "exit" => return Ok(false),
                "undo" => match desk.undo(seat) {
                    Ok(key) => {
                        print(&format!("taken back: {key}\n"));
                        self.seen.iter_mut().for_each(|seen| *seen = (*seen).min(desk.log_len()));
                        return Ok(true);
                    }
                    Err(why) => print(&format!("it cannot be taken back: {why}\n")),
                },
                _ => other(desk, seat, word, rest),
            }
        }
    }

    fn machine_failed(&mut self, desk: &mut Desk, stopped: Stopped) -> Done {
        match stopped {
            Stopped::Failed(failed, Some(option)) => {
                if go_without(desk, failed, option)? {
                    return Ok(());
                }
                let _ = left(desk);
                Err(Trouble::Finding)
            }
            Stopped::Failed(failed, None) => {
                say(&desk.fault(&failed));
                let _ = left(desk);
                Err(Trouble::Finding)
            }
            Stopped::Player(fault) => {
                say(&format!("error: {fault}\n"));
                let _ = left(desk);
                Err(Trouble::Finding)
            }
        }
    }
}

fn answer(desk: &mut Desk, option: usize) -> Result<(), Failed> {
    desk.answer(option, &[])
}

/// A script has failed: shows where, and asks whether the game is to go on without it. Whether it does.
fn go_without(desk: &mut Desk, mut failed: Failed, option: usize) -> Result<bool, Trouble> {
    let mut without: Vec<Left> = Vec::new();
    loop {
        say(&desk.fault(&failed));
        let Some(script) = failed.script.take() else {
            print("the answer is taken back: the rules cannot go on with it\n");
            return Ok(false);
        };
        print(&format!("the answer is taken back. Go on without what `{}` does? yes or no\n", script.owner));
        loop {
            match hear().as_deref().map(str::trim) {
                Some("yes" | "y") => break,
                Some("no" | "n") => return Ok(false),
                Some(_) => print("yes or no?\n"),
                None => return Ok(false),
            }
        }
        without.push(script);
        match desk.answer_without(option, &without) {
            Ok(()) => return Ok(true),
            Err(other) => failed = other,
        }
    }
}

/// What is typed besides answers.
fn other(desk: &mut Desk, seat: usize, word: &str, rest: &str) {
    let lines: Vec<String> = match word {
        "help" => COMMANDS.iter().map(|(word, what)| format!("{word:14} {what}")).collect(),
        "options" => return list(desk, rest),
        "again" => return ask(desk),
        "table" => return table(desk, seat, rest),
        "what" => match desk.table.session.option(rest) {
            Some(option) => desk.changes(option),
            None => vec!["which option? `what 3` says what the third would change".to_string()],
        },
        "card" => match rest.parse::<usize>().ok().and_then(|number| desk.choices().into_iter().nth(number.checked_sub(1)?)) {
            Some(Choice { card: Some(card), .. }) => desk.card(&card).unwrap_or_else(|wrong| vec![wrong]),
            Some(choice) => vec![format!("option {rest}, `{}`, is about no card", choice.key)],
            None if rest.is_empty() => vec!["which card? `card NAME`, or the number of an option".to_string()],
            None => desk.card(rest).unwrap_or_else(|wrong| vec![wrong]),
        },
        "why" if rest.is_empty() => {
            let all = desk.refused();
            if all.is_empty() { vec!["nothing is refused that actions of this turn could be about".to_string()] } else { all }
        }
        "why" => desk.why(rest),
        "hint" => desk.hint().unwrap_or_else(|wrong| vec![wrong]),
        "log" => {
            let all = desk.log(seat, 0);
            let count = if rest.is_empty() { Some(all.len()) } else { rest.parse::<usize>().ok() };
            match count {
                Some(count) => all[all.len().saturating_sub(count)..].to_vec(),
                None => vec![format!("`{rest}` is no number of lines")],
            }
        }
        "save" if rest.is_empty() => vec![match desk.keep() {
            Ok(Some(line)) => line,
            Ok(None) => "which file? `save FILE`".to_string(),
            Err(wrong) => wrong,
        }],
        "save" => vec![desk.write_save(&path_of(rest)).unwrap_or_else(|wrong| wrong)],
        "scenario" if rest.is_empty() => vec!["which file? `scenario FILE`".to_string()],
        "scenario" => vec![desk.write_scenario(&path_of(rest)).unwrap_or_else(|wrong| wrong)],
        _ => unknown(desk, word, rest),
    };
    lines.iter().for_each(|line| print(&format!("  {line}\n")));
}

fn unknown(desk: &Desk, word: &str, rest: &str) -> Vec<String> {
    let typed = format!("{word} {rest}");
    let typed = typed.trim();
    let choices = desk.choices();
    let words = COMMANDS.iter().filter_map(|(command, _)| command.split(' ').next());
    let known: Vec<&str> = words.chain(choices.iter().map(|choice| choice.key.as_str())).collect();
    let mut lines = vec![match nearest(typed, known.iter().copied()).or_else(|| nearest(word, known.iter().copied())) {
        Some(meant) => format!("`{typed}` is neither an option nor a command; did you mean `{meant}`?"),
        None => format!("`{typed}` is neither an option nor a command; `help` lists what can be typed"),
    }];
    lines.extend(why_not(&desk.laid.rules, desk.table.session.game(), typed));
    lines
}

fn table(desk: &Desk, seat: usize, only: &str) {
    let number = crate::lang::seat_number(only);
    match number.filter(|number| *number < desk.laid.rules.players) {
        Some(number) => print(&sheet_text(desk, seat, Some(number))),
        None if only.is_empty() => print(&sheet_text(desk, seat, None)),
        None => print(&format!("  `{only}` is no seat\n")),
    }
}

/// The game as a seat sees it, or only one seat of it.
fn sheet_text(desk: &Desk, seat: usize, only: Option<usize>) -> String {
    let all = desk.sheet(seat);
    let wanted = all.iter().filter(|section| only.is_none() || section.seat == only);
    let mut out = String::new();
    for section in wanted {
        out.push('\n');
        section_lines(section, WIDTH, false).iter().for_each(|line| out.push_str(&format!("{}\n", line.text)));
    }
    out
}

fn ask(desk: &mut Desk) {
    desk.begin_question();
    print(&format!("\n{} (round {})\n", desk.question(), desk.table.session.game().round()));
    list(desk, "");
}

fn list(desk: &Desk, filter: &str) {
    let filter = filter.to_lowercase();
    for (number, choice) in desk.choices().iter().enumerate() {
        // What the key says already is not said twice.
        let says_more = choice.label != choice.key.strip_prefix("choose ").unwrap_or(&choice.key);
        let label = if says_more { format!("  ({})", choice.label) } else { String::new() };
        let gain = if choice.gain.is_empty() { String::new() } else { format!("  {}", choice.gain) };
        let line = format!("{:>3} {}{label}{gain}\n", number + 1, choice.key);
        if format!("{line}{}", choice.group).to_lowercase().contains(&filter) {
            print(&line);
        }
    }
}

/// The next line; none at the end of the input.
fn hear() -> Option<String> {
    if stdin().is_terminal() {
        print("> ");
    }
    let mut line = String::new();
    match stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}

/// Takes a line if it is an empty one.
fn hear_if_empty() -> Option<()> {
    let mut input = stdin().lock();
    let first = *input.fill_buf().ok()?.first()?;
    (first == b'\n').then(|| input.consume(1))
}
