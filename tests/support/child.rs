//! Runs houserule in a process of its own, so that one that hangs or eats memory harms nobody.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What came of a child.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Its exit status; `None` if a signal ended it, or we did.
    pub status: Option<i32>,
    /// It took too long.
    pub late: bool,
    /// What it wrote to standard output.
    pub out: String,
    /// What it wrote to standard error.
    pub err: String,
}

/// Runs a program for at most so long, with at most so many megabytes.
#[allow(dead_code, reason = "not all who include this file hold a watch")]
pub fn run(program: &Path, args: &[&OsStr], most: Duration, megabytes: u64) -> Ended {
    let begun = Instant::now();
    run_while(program, args, megabytes, || begun.elapsed() <= most)
}

/// Runs a program as long as it may go on, with at most so many megabytes.
pub fn run_while(program: &Path, args: &[&OsStr], megabytes: u64, mut may_go_on: impl FnMut() -> bool) -> Ended {
    // The limit of memory is the shell's: the program takes its place.
    let limited = format!("ulimit -v {} 2>/dev/null; exec \"$0\" \"$@\"", megabytes * 1024);
    let mut command = Command::new("sh");
    command.arg("-c").arg(limited).arg(program).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("sh can be started");
    let (out, err) = (drain(child.stdout.take()), drain(child.stderr.take()));
    let mut ended = Ended::default();
    loop {
        match child.try_wait().expect("a child can be waited for") {
            Some(status) => {
                ended.status = status.code();
                break;
            }
            None if !may_go_on() => {
                ended.late = true;
                // It may have ended by itself in between.
                let _ = child.kill();
                let _ = child.wait();
                break;
            }
            None => thread::sleep(Duration::from_millis(3)),
        }
    }
    ended.out = out.join().unwrap_or_default();
    ended.err = err.join().unwrap_or_default();
    ended
}

/// Reads to the end beside the others, so that no pipe fills up.
fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}
