//! `houserule serve`: the page for browsers over a folder. It speaks with this machine alone, and only the page that it hands out may change
//! files: a token stands in it, which each request has to carry.
//!
//! What has changed in the folder, by whomever, is told to all pages as server-sent events.

mod folder;
mod page;

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use tiny_http::{Header, Method, Request, Response, Server};

use self::folder::{Change, Refusal, ServedFolder};
use self::page::PageFiles;
use super::args::ServeArgs;
use super::load::Workspace;
use super::output::{print, usage_error};
use super::result::{CommandResult, ExitReason};
use super::signals::{STOP, install_signal_handlers};

/// The port that is tried first.
const PORT: u16 = 4747;
/// Interval at which a stop request is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Interval of signs of life to pages, by which those that are gone are noticed.
const SIGN_OF_LIFE: Duration = Duration::from_secs(15);
/// The header in which requests carry the token.
const TOKEN_HEADER: &str = "X-Houserule";

/// What answers need.
struct Desk {
    page: PageFiles,
    folder: Arc<ServedFolder>,
    /// By this the page that was handed out here is known.
    token: String,
    /// Names under which a browser of this machine may ask: a page of elsewhere whose name leads here is not answered.
    hosts: [String; 2],
}

/// Hands out the page until Ctrl-C.
///
/// # Errors
/// A usage error if there is no page, or the folder or the port cannot be used.
pub fn serve(workspace: &Workspace, args: &ServeArgs) -> CommandResult {
    if workspace.language().is_some() {
        return usage_error("the page is in English only: `serve` has no `--lang`");
    }
    let place = args.folder.as_deref().or(workspace.root()).unwrap_or(Path::new("."));
    let page = PageFiles::find(args.page.as_deref()).or_else(usage_error)?;
    let folder = Arc::new(ServedFolder::open(place).or_else(usage_error)?);
    let server = listen(args.port)?;
    let Some(port) = server.server_addr().to_ip().map(|address| address.port()) else {
        return usage_error("the server has no port");
    };
    let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let token = format!("{:032x}", rand::random::<u128>());
    let desk = Arc::new(Desk { page, folder, token, hosts });
    install_signal_handlers();
    let _watcher = desk.folder.watch().or_else(|fault| usage_error(format!("files cannot be watched here: {fault}")))?;
    print(&format!("the folder `{}` is on the page http://127.0.0.1:{port}/\nCtrl-C ends\n", place.display()));
    while !STOP.load(Ordering::Relaxed) {
        match server.recv_timeout(POLL_INTERVAL) {
            Ok(Some(request)) => {
                let desk = Arc::clone(&desk);
                std::thread::spawn(move || {
                    // Whoever has asked may be gone.
                    let _ = desk.answer(request);
                });
            }
            Ok(None) => {}
            Err(fault) => return usage_error(format!("the page cannot be handed out any more: {fault}")),
        }
    }
    Ok(())
}

/// Listens on the port that was asked for, or on the usual one, or else on any that is free.
fn listen(port: Option<u16>) -> Result<Server, ExitReason> {
    let at = |port: u16| Server::http(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port));
    match port {
        Some(port) => {
            at(port).or_else(|fault| usage_error(format!("port {port} cannot be used: {fault}; without `--port` a free one is found")))
        }
        None => at(PORT).or_else(|_| at(0)).or_else(|fault| usage_error(format!("no port can be used: {fault}"))),
    }
}

impl Desk {
    fn answer(&self, mut request: Request) -> io::Result<()> {
        let asked = request.url().split(['?', '#']).next().unwrap_or("").to_string();
        if !self.hosts.iter().any(|host| header(&request, "Host").is_some_and(|asked| asked == host)) {
            return refuse(request, &Refusal::new(403, format!("only http://{}/ is answered", self.hosts[0])));
        }
        let Some(path) = decode(&asked) else { return refuse(request, &Refusal::new(400, "this is no path")) };
        match (request.method(), path.as_str()) {
            (Method::Get, "/api/changes") => follow(request, &self.folder.subscribe()),
            (_, "/api/folder" | "/api/changes") if request.method() != &Method::Get => {
                refuse(request, &Refusal::new(405, "it can only be read"))
            }
            _ if path.starts_with("/api/") && header(&request, TOKEN_HEADER) != Some(&self.token) => {
                refuse(request, &Refusal::new(403, "the server has begun anew since this page was loaded: load it again"))
            }
            (_, "/api/folder") => respond(request, 200, "application/json", self.folder.as_json().into_bytes()),
            (method, _) if path.starts_with("/api/file/") => {
                let file = path.trim_start_matches("/api/file/");
                let done = match method {
                    Method::Put => {
                        let mut text = Vec::new();
                        request.as_reader().take(folder::MOST_BYTES + 1).read_to_end(&mut text)?;
                        self.folder.write(file, text)
                    }
                    Method::Delete => self.folder.remove(file),
                    _ => Err(Refusal::new(405, "files are written with PUT and removed with DELETE")),
                };
                match done {
                    Ok(()) => respond(request, 204, "text/plain", Vec::new()),
                    Err(refusal) => refuse(request, &refusal),
                }
            }
            (Method::Get | Method::Head, _) => match self.page.read(&path, &self.token) {
                Some((kind, bytes)) => respond(request, 200, kind, bytes),
                None => refuse(request, &Refusal::new(404, format!("there is no `{path}`"))),
            },
            _ => refuse(request, &Refusal::new(405, "it can only be read")),
        }
    }
}

fn header<'a>(request: &'a Request, name: &'static str) -> Option<&'a str> {
    request.headers().iter().find(|header| header.field.equiv(name)).map(|header| header.value.as_str())
}

/// Decodes `%20` and the like; `None` if there is no text in it.
fn decode(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?].map(char::from);
                u8::try_from(digits[0].to_digit(16)? * 16 + digits[1].to_digit(16)?).ok()?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Headers of every answer. Pages of elsewhere get nothing of it, and nothing is kept: the page is as new as the program.
const HEADERS: [(&str, &str); 5] = [
    ("Cache-Control", "no-store"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "SAMEORIGIN"),
];

fn respond(request: Request, status: u16, kind: &str, bytes: Vec<u8>) -> io::Result<()> {
    let headers = HEADERS.iter().copied().chain([("Content-Type", kind)]);
    let headers = headers.filter_map(|(name, value)| Header::from_bytes(name, value).ok());
    let response = Response::from_data(bytes).with_status_code(status);
    request.respond(headers.fold(response, Response::with_header))
}

fn refuse(request: Request, refusal: &Refusal) -> io::Result<()> {
    respond(request, refusal.status, "text/plain; charset=utf-8", refusal.reason.clone().into_bytes())
}

/// Tells a page of changes until it is gone.
fn follow(request: Request, changes: &Receiver<Change>) -> io::Result<()> {
    let mut page = request.into_writer();
    let headers = HEADERS.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<String>();
    write!(page, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n{headers}\r\n:\n\n")?;
    page.flush()?;
    loop {
        match changes.recv_timeout(SIGN_OF_LIFE) {
            Ok(change) => write!(page, "data: {}\n\n", serde_json::to_string(&change)?)?,
            Err(RecvTimeoutError::Timeout) => page.write_all(b":\n\n")?,
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        page.flush()?;
    }
}
