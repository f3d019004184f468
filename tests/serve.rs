//! `houserule serve`: what is handed out to whom, what is written, and what is told.

use crate::support::{Folder, folder, program};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

/// A running server; it is ended with the test.
struct Served {
    program: Child,
    port: u16,
    token: String,
    folder: Folder,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

impl Served {
    fn start() -> Served {
        let folder = folder(&[
            ("page/index.html", "<meta name=\"houserule-token\" content=\"\">"),
            ("page/houserule_web_bg.wasm", "wasm"),
            ("games/rules/a.rules", "game a {}"),
            ("outside.toml", "secret"),
        ]);
        let mut program = program(folder.path(), "serve games --page page").stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.rsplit(':').next().unwrap().trim().trim_end_matches('/').parse().unwrap();
        let mut served = Served { program, port, token: String::new(), folder };
        let page = served.ask("GET", "/", &[], "");
        served.token = page.1.split("content=\"").nth(1).unwrap().trim_end_matches("\">").to_string();
        assert_eq!(served.token.len(), 32, "{page:?}");
        served
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let host = format!("127.0.0.1:{}", self.port);
        let host = [("Host", host.as_str())].into_iter().filter(|_| !headers.iter().any(|(name, _)| *name == "Host"));
        let headers: String = host.chain(headers.iter().copied()).map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        write!(stream, "{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
        stream
    }

    /// Returns the status and the text of an answer.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut answer = String::new();
        self.send(method, path, headers, body).read_to_string(&mut answer).unwrap();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), text.to_string())
    }

    fn by_page(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        self.ask(method, path, &[("X-Houserule", &self.token)], body)
    }

    fn text(&self, path: &str) -> String {
        self.folder.read(path)
    }
}

#[test]
fn a_page_reads_and_writes_the_folder_and_hears_what_others_change() {
    let served = Served::start();
    let version = |text: &str| format!("{:016x}", houserule::state::chance::hash_text(text));
    let (status, shown) = served.by_page("GET", "/api/folder", "");
    let shown: Value = serde_json::from_str(&shown).unwrap();
    let versions = json!({ "rules/a.rules": version("game a {}") });
    assert_eq!((status, shown), (200, json!({ "files": { "rules/a.rules": "game a {}" }, "left": {}, "versions": versions })));
    assert_eq!(served.ask("GET", "/houserule_web_bg.wasm", &[], ""), (200, "wasm".to_string()));
    let mut events =
        BufReader::new(served.send("GET", &format!("/api/changes?token={}", served.token), &[], "")).lines().map(Result::unwrap);
    assert!(events.find(|line| line.starts_with("HTTP")).unwrap().contains("200"));
    assert_eq!(events.find(|line| line.starts_with("content-type")).unwrap(), "content-type: text/event-stream");
    // From here on the page hears of everything.
    events.find(|line| line == ":").unwrap();
    assert_eq!(served.by_page("PUT", "/api/file/cards/a%20b/new.toml", "text = \"\u{e9}\"").0, 204);
    assert_eq!(served.text("games/cards/a b/new.toml"), "text = \"\u{e9}\"");
    served.folder.write("games/rules/a.rules", "game b {}");
    let mut told = || events.find_map(|line| line.strip_prefix("data: ").map(str::to_string)).unwrap();
    let mut is_told = |path: &str, text: Option<&str>| {
        let told: Value = serde_json::from_str(&told()).unwrap();
        assert_eq!(told, json!({ "path": path, "text": text, "version": text.map(version) }));
    };
    is_told("cards/a b/new.toml", Some("text = \"\u{e9}\""));
    is_told("rules/a.rules", Some("game b {}"));
    assert_eq!(served.by_page("DELETE", "/api/file/cards/a%20b/new.toml", "").0, 204);
    is_told("cards/a b/new.toml", None);
    assert!(!served.folder.at("games/cards/a b/new.toml").exists());
    // What was made from a text that is no more is refused, and nothing is written.
    let put = |seen: &str| {
        let headers = [("X-Houserule", served.token.as_str()), ("X-Houserule-Version", seen)];
        let mut answer = String::new();
        served.send("PUT", "/api/file/rules/a.rules", &headers, "mine").read_to_string(&mut answer).unwrap();
        answer
    };
    assert!(put(&version("game a {}")).starts_with("HTTP/1.1 409"));
    assert_eq!(served.text("games/rules/a.rules"), "game b {}");
    let answer = put(&version("game b {}"));
    assert!(answer.starts_with("HTTP/1.1 204") && answer.contains(&format!("x-houserule-version: {}", version("mine"))), "{answer}");
}

#[test]
fn nobody_else_reads_or_writes() {
    let served = Served::start();
    // Another page of the same browser has no token; a name of elsewhere that leads here is not answered at all.
    for path in ["/api/folder", "/api/changes", "/api/changes?token=guessed"] {
        assert_eq!(served.ask("GET", path, &[], "").0, 403, "{path}");
    }
    assert_eq!(served.ask("PUT", "/api/file/rules/a.rules", &[("X-Houserule", "guessed")], "x").0, 403);
    assert_eq!(served.ask("DELETE", "/api/file/rules/a.rules", &[], "").0, 403);
    for path in ["/", "/api/changes", "/api/folder"] {
        assert_eq!(served.ask("GET", path, &[("Host", "elsewhere.example"), ("X-Houserule", &served.token)], "").0, 403, "{path}");
    }
    for path in ["/../outside.toml", "/%2e%2e/outside.toml", "/..%2foutside.toml"] {
        assert_eq!(served.ask("GET", path, &[], "").0, 404, "{path}");
    }
    for path in
        ["/api/file/../outside.toml", "/api/file/%2e%2e/outside.toml", "/api/file/..%5coutside.toml", "/api/file/a.sh", "/api/file/"]
    {
        assert_eq!(served.by_page("PUT", path, "x").0, 403, "{path}");
    }
    assert_eq!(served.by_page("PUT", "/api/file/%ff.toml", "x").0, 400);
    assert_eq!(served.by_page("POST", "/api/file/rules/a.rules", "x").0, 405);
    assert_eq!(served.by_page("POST", "/", "x").0, 405);
    assert_eq!(served.text("outside.toml"), "secret");
    assert_eq!(served.text("games/rules/a.rules"), "game a {}");
}

#[test]
fn what_cannot_be_served_is_told_with_a_way_out() {
    let folder = folder(&[("page/none", "")]);
    folder.run("serve --page page").ends(2).says(&["it has no index.html"]);
    folder.write("page/index.html", "");
    folder.run("serve nowhere --page page").ends(2).says(&["`nowhere` cannot be read"]);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    folder.run(&format!("serve page --page page --port {port}")).ends(2).says(&["without `--port` a free one is found"]);
}
