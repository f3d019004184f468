//! `houserule lsp`: a language server on standard input and output.

use std::fs;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;

use lsp_server::Message;

use super::load::Workspace;
use super::output::usage_error;
use super::owner::find_owner;
use super::result::{CommandResult, ExitReason};
use crate::lsp::Server;
use crate::lsp::worker::{FindOwner, Job, WorkResult, work};
use crate::source::Sources;

/// An event for the main loop.
enum Event {
    Message(Message),
    Unreadable(String),
    Found(WorkResult),
    /// The worker thread has ended.
    Broken,
    End,
}

/// Sends an event when it is dropped, so that the end of the worker is noticed even after a panic.
struct WorkerEndGuard(Sender<Event>);

impl Drop for WorkerEndGuard {
    fn drop(&mut self) {
        // At the end of the program there is no receiver.
        let _ = self.0.send(Event::Broken);
    }
}

/// Serves an editor until it exits.
///
/// # Errors
/// A usage error if a language was chosen; `Findings` if the editor exits without a shutdown request.
pub fn serve(workspace: &Workspace) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("an editor shows ids and names as they are written: `lsp` has no `--lang`");
    }
    // Without `--root` the game of a file is determined by its location.
    let root = workspace.root().filter(|root| *root != Path::new(".")).map(Sources::real_path);
    let (told, incoming) = channel();
    let (jobs, waiting) = channel::<Job>();
    let (of_input, of_worker) = (told.clone(), told);
    // Both threads end with the program: one waits for the editor, the other for jobs.
    thread::spawn(move || listen(&of_input));
    thread::spawn(move || {
        let _watch = WorkerEndGuard(of_worker.clone());
        let finder: FindOwner = Box::new(move |path, texts| find_owner(root.as_deref(), path, texts));
        work(&finder, &waiting, &|found| {
            // At the end of the program there is no receiver.
            let _ = of_worker.send(Event::Found(found));
        });
    });
    let say = |message: Message| {
        let mut out = std::io::stdout().lock();
        // If the editor has closed the pipe, the end of the input follows.
        let _ = message.write(&mut out).and_then(|()| out.flush());
    };
    let ask = move |job: Job| {
        let _ = jobs.send(job);
    };
    let copies = Arc::new(BuiltInCopies::default());
    let made = Arc::clone(&copies);
    let mut server = Server::new(Box::new(say), Box::new(ask)).with_copies(Box::new(move |name, text| made.make(name, text)));
    for event in incoming {
        match event {
            Event::Message(message) => match server.handle(message) {
                Some(true) => return Ok(()),
                Some(false) => return Err(ExitReason::Findings),
                None => {}
            },
            Event::Unreadable(why) => server.report_unreadable(&why),
            Event::Found(found) => server.handle_result(found),
            Event::Broken => {
                server.report_worker_end();
                return Err(ExitReason::Findings);
            }
            Event::End => return Ok(()),
        }
    }
    Ok(())
}

/// A folder of our own with copies of files inside the program, so that an editor can show them. It is removed in the end.
#[derive(Default)]
struct BuiltInCopies {
    folder: OnceLock<Option<PathBuf>>,
}

impl BuiltInCopies {
    /// Writes a copy that cannot be changed, and returns its path; `None` if it cannot be written.
    fn make(&self, name: &str, text: &str) -> Option<PathBuf> {
        let own = || {
            let folder = std::env::temp_dir().join(format!("houserule-{}-{:08x}", std::process::id(), rand::random::<u32>()));
            // Nobody else's folder: this one must be new.
            fs::create_dir(&folder).ok().map(|()| folder)
        };
        let path = self.folder.get_or_init(own).as_ref()?.join(name);
        if !path.is_file() {
            fs::create_dir_all(path.parent()?).ok()?;
            fs::write(&path, text).ok()?;
            let mut rights = fs::metadata(&path).ok()?.permissions();
            rights.set_readonly(true);
            fs::set_permissions(&path, rights).ok()?;
        }
        Some(path)
    }
}

impl Drop for BuiltInCopies {
    fn drop(&mut self) {
        if let Some(Some(folder)) = self.folder.get() {
            // What cannot be removed lies in the folder for temporary files.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn listen(told: &Sender<Event>) {
    let mut input = BufReader::new(std::io::stdin());
    loop {
        let (event, is_last) = match read_message(&mut input) {
            Ok(Some(message)) => (Event::Message(message), false),
            Ok(None) => (Event::End, true),
            // Where the next message begins nobody knows, unless this one is understood so far.
            Err(wrong) => (Event::Unreadable(wrong.to_string()), wrong.kind() != ErrorKind::InvalidData),
        };
        if told.send(event).is_err() || is_last {
            // The end of the program may have come before that of the input.
            let _ = told.send(Event::End);
            return;
        }
    }
}

/// Bytes of the longest message that is read.
const LONGEST_MESSAGE: u128 = 1 << 28;
/// Bytes of the longest header.
const LONGEST_HEADER: usize = 1 << 14;

/// Reads a message. Its header is looked at first: what it promises would be set aside in memory at once.
///
/// # Errors
/// `InvalidData` if the message cannot be understood; others if no further message can be read.
fn read_message(input: &mut impl BufRead) -> io::Result<Option<Message>> {
    let mut header = Vec::new();
    loop {
        let from = header.len();
        input.by_ref().take((LONGEST_HEADER - from) as u64).read_until(b'\n', &mut header)?;
        let line = String::from_utf8_lossy(&header[from..]);
        if header.len() >= LONGEST_HEADER {
            return Err(io::Error::other(format!("a message has a header of more than {LONGEST_HEADER} bytes")));
        }
        if line.trim_end().is_empty() {
            break;
        }
        let length = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        // What is no number is for the library to tell.
        if let Some((_, length)) = length
            && length.trim().parse().is_ok_and(|length: u128| length > LONGEST_MESSAGE)
        {
            let most = LONGEST_MESSAGE >> 20;
            return Err(io::Error::other(format!("a message of {} bytes is announced, and at most {most} MiB are read", length.trim())));
        }
    }
    Message::read(&mut header.as_slice().chain(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_looked_at_before_it_is_believed() {
        let read = |text: &str| read_message(&mut text.as_bytes());
        let message = r#"{"method":"exit","jsonrpc":"2.0"}"#;
        let good = format!("Content-Length: {}\r\n\r\n{message}", message.len());
        assert!(matches!(read(&good), Ok(Some(Message::Notification(told))) if told.method == "exit"));
        assert!(matches!(read(""), Ok(None)));
        for long in ["Content-Length: 99999999999999\r\n\r\n{}", "content-length: 18446744073709551616\r\n\r\n{}"] {
            assert!(read(long).unwrap_err().to_string().contains("at most 256 MiB"), "{long}");
        }
        let wrong = read(&"x".repeat(100_000)).unwrap_err();
        assert!(wrong.to_string().contains("a header of more than 16384 bytes") && wrong.kind() != ErrorKind::InvalidData);
    }

    #[test]
    fn who_ends_while_it_checks_is_told_of() {
        let (told, incoming) = channel();
        let worker = thread::spawn(move || {
            let _watch = WorkerEndGuard(told);
            // Ends the worker like a panic, but without the message.
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(worker.join().is_err());
        assert!(matches!(incoming.recv(), Ok(Event::Broken)));
    }
}
