//! `houserule serve`: the page for browsers over a folder. It speaks with this machine alone, and only the page that it hands out may change
//! files: a token stands in it, which each request has to carry.
//!
//! What has changed in the folder, by whomever, is told to all pages as server-sent events.

mod folder;
mod page;

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::HeaderValue;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::timeout;

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
/// The header in which the version of a text is told, and in which a page says from which version a text was made; `none` if there was no file.
const VERSION_HEADER: &str = "x-houserule-version";

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
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.or_else(|fault| usage_error(format!("the page cannot be handed out here: {fault}")))?;
    runtime.block_on(async {
        let listener = listen(args.port).await?;
        let port = listener.local_addr().or_else(|fault| usage_error(format!("the server has no port: {fault}")))?.port();
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let token = format!("{:032x}", rand::random::<u128>());
        let desk = Arc::new(Desk { page, folder, token, hosts });
        install_signal_handlers();
        let _watcher = desk.folder.watch().or_else(|fault| usage_error(format!("files cannot be watched here: {fault}")))?;
        print(&format!("the folder `{}` is on the page http://127.0.0.1:{port}/\nCtrl-C ends\n", place.display()));
        while !STOP.load(Ordering::Relaxed) {
            match timeout(POLL_INTERVAL, listener.accept()).await {
                Ok(Ok((connection, _))) => {
                    let desk = Arc::clone(&desk);
                    let answer = service_fn(move |request| {
                        let desk = Arc::clone(&desk);
                        let refuse = |Refusal { status, reason }| respond(status, "text/plain; charset=utf-8", reason.into_bytes());
                        async move { Ok::<_, Infallible>(desk.answer(request).await.unwrap_or_else(refuse)) }
                    });
                    let served = http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(connection), answer);
                    // Whoever has asked may be gone, or asks for what is no HTTP.
                    tokio::spawn(async { drop(served.await) });
                }
                // One connection fails; the next may not. (Too many files are open, say: that needs a while.)
                Ok(Err(_)) => tokio::time::sleep(POLL_INTERVAL).await,
                Err(_) => {}
            }
        }
        Ok(())
    })
}

/// Listens on the port that was asked for, or on the usual one, or else on any that is free.
async fn listen(port: Option<u16>) -> Result<TcpListener, ExitReason> {
    let at = |port: u16| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = port {
        return at(port)
            .await
            .or_else(|fault| usage_error(format!("port {port} cannot be used: {fault}; without `--port` a free one is found")));
    }
    match at(PORT).await {
        Ok(listener) => Ok(listener),
        Err(_) => at(0).await.or_else(|fault| usage_error(format!("no port can be used: {fault}"))),
    }
}

/// An answer: all of it at once, or changes as they come.
type Answer = Response<Either<Full<Bytes>, EventStream>>;

impl Desk {
    async fn answer(&self, request: Request<Incoming>) -> Result<Answer, Refusal> {
        let host = header(&request, "Host");
        if !self.hosts.iter().any(|known| host == Some(known)) {
            return Err(Refusal::new(403, format!("only http://{}/ is answered", self.hosts[0])));
        }
        let path = decode(request.uri().path()).ok_or_else(|| Refusal::new(400, "this is no path"))?;
        match (request.method(), path.as_str()) {
            // Who listens for events can say nothing but an address.
            (&Method::GET, "/api/changes") if request.uri().query() == Some(&format!("token={}", self.token)) => {
                Ok(follow(self.folder.subscribe()))
            }
            (method, "/api/folder" | "/api/changes") if method != Method::GET => Err(Refusal::new(405, "it can only be read")),
            _ if path.starts_with("/api/") && header(&request, TOKEN_HEADER) != Some(&self.token) => {
                Err(Refusal::new(403, "the server has begun anew since this page was loaded: load it again"))
            }
            (_, "/api/folder") => Ok(respond(200, "application/json", self.folder.as_json().into_bytes())),
            (method, _) if path.starts_with("/api/file/") => {
                let file = path.trim_start_matches("/api/file/");
                let seen = header(&request, VERSION_HEADER).map(String::from);
                let mut answer = respond(204, "text/plain", Vec::new());
                match *method {
                    Method::PUT => {
                        let version = self.folder.write(file, read_body(request).await?, seen.as_deref())?;
                        // A version is made of digits.
                        let version = HeaderValue::from_str(&version).unwrap_or(HeaderValue::from_static(""));
                        answer.headers_mut().insert(VERSION_HEADER, version);
                    }
                    Method::DELETE => self.folder.remove(file, seen.as_deref())?,
                    _ => return Err(Refusal::new(405, "files are written with PUT and removed with DELETE")),
                }
                Ok(answer)
            }
            (&Method::GET | &Method::HEAD, _) => match self.page.read(&path, &self.token) {
                Some((kind, bytes)) => Ok(respond(200, kind, bytes)),
                None => Err(Refusal::new(404, format!("there is no `{path}`"))),
            },
            _ => Err(Refusal::new(405, "it can only be read")),
        }
    }
}

async fn read_body(request: Request<Incoming>) -> Result<Vec<u8>, Refusal> {
    let limit = usize::try_from(folder::MOST_BYTES).unwrap_or(usize::MAX);
    match Limited::new(request.into_body(), limit).collect().await {
        Ok(read) => Ok(read.to_bytes().to_vec()),
        Err(fault) if fault.is::<http_body_util::LengthLimitError>() => Err(folder::too_long()),
        Err(fault) => Err(Refusal::new(400, format!("the file has not come whole: {fault}"))),
    }
}

fn header<'a>(request: &'a Request<Incoming>, name: &str) -> Option<&'a str> {
    request.headers().get(name).and_then(|value| value.to_str().ok())
}

/// Decodes `%20` and the like; `None` if there is no text in it.
fn decode(path: &str) -> Option<String> {
    let mut parts = path.split('%');
    let mut bytes = parts.next()?.as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(part.get(2..)?.as_bytes());
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

fn with_headers(status: u16, kind: &str, body: Either<Full<Bytes>, EventStream>) -> Answer {
    let answer = Response::builder().status(status).header("Content-Type", kind);
    let answer = HEADERS.iter().fold(answer, |answer, (name, value)| answer.header(*name, *value)).body(body);
    // All of its parts are written above.
    answer.unwrap_or_else(|_| Response::new(Either::Left(Full::default())))
}

fn respond(status: u16, kind: &str, bytes: Vec<u8>) -> Answer {
    with_headers(status, kind, Either::Left(Full::from(bytes)))
}

/// Tells a page of changes until it is gone.
fn follow(changes: broadcast::Receiver<Change>) -> Answer {
    let (page, stream) = mpsc::channel(1);
    tokio::spawn(tell_page(changes, page));
    with_headers(200, "text/event-stream", Either::Right(EventStream(stream)))
}

/// Tells a page what happens: a change each, and signs of life while nothing changes, of which the first comes at once.
async fn tell_page(mut changes: broadcast::Receiver<Change>, page: mpsc::Sender<String>) {
    let mut event = ":\n\n".to_string();
    while page.send(event).await.is_ok() {
        event = match timeout(SIGN_OF_LIFE, changes.recv()).await {
            Err(_) => ":\n\n".to_string(),
            Ok(Ok(change)) => format!("data: {}\n\n", json!(change)),
            Ok(Err(RecvError::Lagged(_))) => "event: anew\ndata:\n\n".to_string(),
            Ok(Err(RecvError::Closed)) => return,
        };
    }
}

/// Server-sent events, as they come.
struct EventStream(mpsc::Receiver<String>);

impl Body for EventStream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|event| event.map(|event| Ok(Frame::data(Bytes::from(event)))))
    }
}
