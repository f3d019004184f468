//! A child process that exchanges lines with this program. Two threads read and write its pipes, so that no call here blocks forever,
//! even if the child neither reads nor writes.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use serde::Serialize;

/// Maximum length of a line in bytes. A longer line is not a valid answer.
const MAX_LINE_BYTES: usize = 64 * 1024;
/// Maximum number of lines that were read but not yet consumed. The child blocks when the queue is full.
const MAX_QUEUED_LINES: usize = 16;
/// Interval at which a waiting thread checks whether the run was stopped or the child has exited.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Time that the child has to exit after its input was closed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(3);
const EXIT_POLL_INTERVAL: Duration = Duration::from_millis(2);

/// The result of waiting for a line of the child's output.
pub(super) enum Received {
    /// A complete line of the child's output.
    Line(String),
    /// No line arrived before the time limit, or the run was stopped.
    Nothing,
    /// The child wrote a line that is longer than this maximum length in bytes.
    TooMuch(usize),
    /// The child has exited or closed its output; the text describes how.
    End(String),
}

/// A running child process, with the threads that write its input and read its output.
pub(super) struct Child {
    process: std::process::Child,
    /// Queue of lines to write. Dropping it closes the child's input.
    input_queue: Option<Sender<Vec<u8>>>,
    output_lines: Receiver<Result<String, usize>>,
    /// Time that the child has to exit after its input was closed.
    exit_timeout: Duration,
}

impl Child {
    /// Starts a program with its arguments. Its standard error is inherited from this process.
    pub(super) fn start_program(words: &[String]) -> io::Result<Child> {
        let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C goes to this process only, which then ends its children.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (input_queue, lines_to_write) = channel();
        let (line_sender, output_lines) = sync_channel(MAX_QUEUED_LINES);
        let child = Child { process, input_queue: Some(input_queue), output_lines, exit_timeout: EXIT_TIMEOUT };
        let (input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
        thread::Builder::new().name("tells a player".to_string()).spawn(move || write_lines(input, &lines_to_write))?;
        thread::Builder::new().name("hears a player".to_string()).spawn(move || read_lines(output, &line_sender))?;
        Ok(child)
    }

    /// Queues a value as one line of JSON. Whether the child is still alive shows when its answer is read.
    pub(super) fn send_line(&self, value: &impl Serialize) {
        if let (Some(input_queue), Ok(mut line)) = (&self.input_queue, serde_json::to_vec(value)) {
            line.push(b'\n');
            let _ = input_queue.send(line);
        }
    }

    /// Waits for the next line of the child's output until the time limit has passed or `stop` is set.
    pub(super) fn receive_line(&mut self, limit: Duration, stop: &AtomicBool) -> Received {
        let mut left = limit;
        loop {
            let slice = left.min(POLL_INTERVAL);
            match self.output_lines.recv_timeout(slice) {
                Ok(Ok(line)) => return Received::Line(line),
                Ok(Err(most)) => return Received::TooMuch(most),
                Err(RecvTimeoutError::Disconnected) => return Received::End(self.exit_description()),
                Err(RecvTimeoutError::Timeout) => left -= slice,
            }
            if left.is_zero() || stop.load(Ordering::Relaxed) {
                return Received::Nothing;
            }
        }
    }

    /// Describes the child's exit status, if it exits soon.
    fn exit_description(&mut self) -> String {
        match self.wait(POLL_INTERVAL) {
            Some(status) => status.to_string(),
            None => "it closed its standard output".to_string(),
        }
    }

    /// Kills the child at once, after a protocol error.
    pub(super) fn kill_now(mut self) {
        self.exit_timeout = Duration::ZERO;
    }

    /// Kills the child and, on systems with process groups, its own children. It may already have exited.
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
                    thread::sleep(EXIT_POLL_INTERVAL);
                    waited += EXIT_POLL_INTERVAL;
                }
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Child {
    /// Closes the child's input, which signals the end, waits for a while, and kills the child if it is still running.
    fn drop(&mut self) {
        self.input_queue = None;
        if self.wait(self.exit_timeout).is_none() {
            self.kill();
            let _ = self.process.wait();
        }
    }
}

/// Writes queued lines to the child until the queue is closed or the child closes its input.
fn write_lines(mut input: ChildStdin, lines: &Receiver<Vec<u8>>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(&line).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the child closes its output or the receiver is dropped.
fn read_lines(output: ChildStdout, lines: &SyncSender<Result<String, usize>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut line);
        let line_or_length = match read {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() > MAX_LINE_BYTES => Err(MAX_LINE_BYTES),
            Ok(_) => Ok(String::from_utf8_lossy(&line).trim_end().to_string()),
        };
        let last = line_or_length.is_err();
        if lines.send(line_or_length).is_err() || last {
            return;
        }
    }
}
