//! The program at a terminal, and folders of files in which it runs.

use super::root;
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A folder with files, gone at the end of the test.
pub struct Folder(TempDir);

pub fn folder(files: &[(&str, &str)]) -> Folder {
    let folder = Folder(tempfile::tempdir().unwrap());
    for (path, text) in files {
        folder.write(path, text);
    }
    folder
}

impl Folder {
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn at(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// The path of a file here, as one types it elsewhere.
    pub fn name(&self, path: &str) -> String {
        self.at(path).display().to_string()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.at(path)).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap()
    }

    pub fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.read(path)).unwrap()
    }

    /// Runs houserule here. Words are parted as in a shell.
    pub fn run(&self, line: &str) -> Ran {
        run_in(self.path(), line)
    }

    /// Runs houserule here with the games of `tests/games`.
    pub fn run_small(&self, line: &str) -> Ran {
        self.run(&format!("--root {} {line}", small_games()))
    }
}

/// The folder of small games, as one types it.
pub fn small_games() -> String {
    root().join("tests/games").display().to_string()
}

/// The `pack.toml` of a pack.
pub fn manifest(name: &str, extends: &str) -> String {
    format!("name = \"{name}\"\nversion = \"1.0\"\nlanguage = 1\nextends = \"{extends}\"\n")
}

/// The program with the words of a line, to be started in a folder.
pub fn program(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_houserule"));
    command.args(shlex::split(line).expect("quotation marks are closed")).current_dir(folder);
    command
}

pub fn run_in(folder: &Path, line: &str) -> Ran {
    Ran::new(line, program(folder, line).output().unwrap())
}

/// Runs houserule in a folder with these lines typed.
pub fn run_typed(folder: &Path, line: &str, typed: &str) -> Ran {
    let mut command = program(folder, line);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut input, typed) = (child.stdin.take().unwrap(), typed.to_string());
    // Whoever ends before all is read is no fault of this thread.
    let writer = std::thread::spawn(move || drop(input.write_all(typed.as_bytes())));
    let done = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran::new(line, done)
}

/// What a command printed, and its exit status; -1 if a signal ended it.
pub struct Ran {
    line: String,
    pub out: String,
    pub err: String,
    pub status: i32,
}

impl Ran {
    pub fn new(line: &str, done: Output) -> Ran {
        Ran {
            line: line.to_string(),
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
            status: done.status.code().unwrap_or(-1),
        }
    }

    #[track_caller]
    pub fn ends(self, status: i32) -> Ran {
        assert_eq!(self.status, status, "houserule {}\n{}\n{}", self.line, self.out, self.err);
        self
    }

    /// That it says nothing on the side.
    #[track_caller]
    pub fn quietly(self) -> Ran {
        assert_eq!(self.err, "", "houserule {}\n{}", self.line, self.out);
        self
    }

    #[track_caller]
    pub fn prints(self, parts: &[&str]) -> Ran {
        for part in parts {
            assert!(self.out.contains(part), "houserule {}\nprints no `{part}`:\n{}\n{}", self.line, self.out, self.err);
        }
        self
    }

    #[track_caller]
    pub fn says(self, parts: &[&str]) -> Ran {
        for part in parts {
            assert!(self.err.contains(part), "houserule {}\nsays no `{part}`:\n{}\n{}", self.line, self.err, self.out);
        }
        self
    }

    /// That all of this is printed or said.
    #[track_caller]
    pub fn tells(self, parts: &[&str]) -> Ran {
        for part in parts {
            assert!(self.out.contains(part) || self.err.contains(part), "nothing tells `{part}`: {}\n{}", self.line, self.all());
        }
        self
    }

    /// That none of this is printed or said.
    #[track_caller]
    pub fn tells_no(self, parts: &[&str]) -> Ran {
        let all = self.all();
        for part in parts {
            assert!(!all.contains(part), "houserule {}\ntells `{part}`:\n{all}", self.line);
        }
        self
    }

    /// What is printed, and what is said on the side.
    pub fn all(&self) -> String {
        format!("{}{}", self.out, self.err)
    }

    /// What `--json -` printed.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|fault| panic!("houserule {}\n{fault}\n{}\n{}", self.line, self.out, self.err))
    }

    /// Of a playtest, only what does not depend on the clock.
    #[track_caller]
    pub fn result(&self) -> Value {
        self.json()["result"].take()
    }
}
