//! Another program, spoken to line by line. Nothing here waits without an end: lines are written and read beside the game, so that one that
//! neither reads nor writes holds nobody up.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use serde::Serialize;

/// A longer line is no answer.
const LONGEST_LINE: usize = 64 * 1024;
/// Lines that wait to be heard; who says more must wait.
const MOST_UNHEARD: usize = 16;
/// So often somebody looks whether the run is stopped, and whether it has ended.
const SLICE: Duration = Duration::from_millis(50);
/// So long it may take to end when nothing more is asked.
const GRACE: Duration = Duration::from_secs(3);
const MOMENT: Duration = Duration::from_millis(2);

/// What came of waiting for a line.
pub(super) enum Heard {
    /// A line.
    Line(String),
    /// Nothing in time, or nobody waits any longer.
    Nothing,
    /// A line of more bytes than these.
    TooMuch(usize),
    /// It has ended, and how; or it has closed its output.
    End(String),
}

/// Another program.
pub(super) struct Child {
    process: std::process::Child,
    /// Dropped, it closes the program's input.
    told: Option<Sender<Vec<u8>>>,
    heard: Receiver<Result<String, usize>>,
    /// How long it may take to end when nothing more is asked.
    grace: Duration,
}

impl Child {
    /// Starts a program with its arguments. What it writes to its standard error is seen by whoever runs this one.
    pub(super) fn start(words: &[String]) -> io::Result<Child> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for this program, which then ends its players.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (told, to_tell) = channel();
        let (hears, heard) = sync_channel(MOST_UNHEARD);
        let child = Child { process, told: Some(told), heard, grace: GRACE };
        let (input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        thread::Builder::new().name("tells a player".to_string()).spawn(move || tell(input, &to_tell))?;
        thread::Builder::new().name("hears a player".to_string()).spawn(move || hear(output, &hears))?;
        Ok(child)
    }

    /// Writes a value as one line. Whether the program is still there to hear it is seen when it should answer.
    pub(super) fn tell(&self, value: &impl Serialize) {
        if let (Some(told), Ok(mut line)) = (&self.told, serde_json::to_vec(value)) {
            line.push(b'\n');
            let _ = told.send(line);
        }
    }

    /// Waits for the next line.
    pub(super) fn hear(&mut self, limit: Duration, stop: &AtomicBool) -> Heard {
        let mut left = limit;
        loop {
            let slice = left.min(SLICE);
            match self.heard.recv_timeout(slice) {
                Ok(Ok(line)) => return Heard::Line(line),
                Ok(Err(most)) => return Heard::TooMuch(most),
                Err(RecvTimeoutError::Disconnected) => return Heard::End(self.how_it_ended()),
                Err(RecvTimeoutError::Timeout) => left -= slice,
            }
            if left.is_zero() || stop.load(Ordering::Relaxed) {
                return Heard::Nothing;
            }
        }
    }

    /// Its exit status, if it ends soon.
    fn how_it_ended(&mut self) -> String {
        match self.wait(SLICE) {
            Some(status) => status.to_string(),
            None => "it closed its standard output".to_string(),
        }
    }

    /// Ends it, since it does not do what it should.
    pub(super) fn end_at_once(mut self) {
        self.grace = Duration::ZERO;
    }

    /// Ends it and, where that can be, what it has started. It may have ended by itself in between.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.process.id()) {
            let _ = nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), nix::sys::signal::Signal::SIGKILL);
        }
        let _ = self.process.kill();
    }

    fn wait(&mut self, most: Duration) -> Option<std::process::ExitStatus> {
        let mut waited = Duration::ZERO;
        loop {
            match self.process.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if waited < most => {
                    thread::sleep(MOMENT);
                    waited += MOMENT;
                }
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Child {
    /// Closes its input, by which it knows that nothing more comes, and ends it if it does not end by itself. Nothing is left behind.
    fn drop(&mut self) {
        self.told = None;
        if self.wait(self.grace).is_none() {
            self.kill();
            let _ = self.process.wait();
        }
    }
}

/// Writes lines until there are no more, or until nobody reads them.
fn tell(mut input: ChildStdin, lines: &Receiver<Vec<u8>>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until there are no more, or until nobody hears them.
fn hear(output: ChildStdout, lines: &SyncSender<Result<String, usize>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line);
        let said = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() > LONGEST_LINE => Err(LONGEST_LINE),
            Ok(_) => Ok(String::from_utf8_lossy(&line).trim_end().to_string()),
        };
        let last = said.is_err();
        if lines.send(said).is_err() || last {
            return;
        }
    }
}
