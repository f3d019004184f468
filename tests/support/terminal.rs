//! A program in a terminal of its own.

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::sync::mpsc::{Receiver, channel};

/// What runs, what is typed there, and what it writes.
type Running = (Box<dyn Child + Send + Sync>, Box<dyn Write + Send>, Receiver<Vec<u8>>);

/// Starts a program in a terminal with so many columns and lines.
pub fn in_terminal(command: CommandBuilder, (columns, lines): (u16, u16)) -> Running {
    let size = PtySize { rows: lines, cols: columns, pixel_width: 0, pixel_height: 0 };
    let pair = native_pty_system().openpty(size).unwrap();
    let child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let input = pair.master.take_writer().unwrap();
    let (sender, output) = channel();
    std::thread::spawn(move || {
        let _open = pair.master;
        let mut bytes = [0; 65536];
        while let Ok(count @ 1..) = reader.read(&mut bytes) {
            if sender.send(bytes[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    (child, input, output)
}
