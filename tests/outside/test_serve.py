"""`houserule serve`, asked by a browser's habits: many connections at once that stay open."""

import http.client
import json
import re
import signal
import socket
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

# A browser opens up to six connections to a server, and each page keeps one for changes.
CONNECTIONS = 12
PATIENCE = 10


@pytest.fixture
def served(program, tmp_path):
    """A folder of one game on a page of one line: the port, and the folder."""
    page, folder = tmp_path / "page", tmp_path / "games"
    for place, name, text in [(page, "index.html", '<meta name="houserule-token" content="">'), (folder / "rules", "a.rules", "game a\n")]:
        place.mkdir(parents=True)
        (place / name).write_text(text)
    server = subprocess.Popen([program, "serve", folder, "--page", page, "--port", "0"], stdout=subprocess.PIPE, text=True)
    port = int(re.search(r"127\.0\.0\.1:(\d+)", server.stdout.readline())[1])
    yield port, folder
    server.send_signal(signal.SIGINT)
    try:
        assert server.wait(PATIENCE) == 130
    finally:
        server.kill()


def ask(port, method, path, body=None, **headers):
    """A request on a connection of its own, which stays open as a browser leaves it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    return connection, answer


def token(port):
    _, answer = ask(port, "GET", "/")
    return re.search(r'content="([0-9a-f]{32})"', answer.read().decode())[1]


def test_a_burst_of_connections_that_stay_open_is_answered(served):
    port, _ = served
    headers = {"X-Houserule": token(port)}

    def load(_):
        connection, answer = ask(port, "GET", "/api/folder", **headers)
        return connection, answer.status, answer.read()

    for _ in range(40):
        with ThreadPoolExecutor(CONNECTIONS) as browsers:
            loaded = list(browsers.map(load, range(CONNECTIONS)))
        assert {status for _, status, _ in loaded} == {200}
        assert all(json.loads(text)["files"] == {"rules/a.rules": "game a\n"} for _, _, text in loaded)
        for connection, _, _ in loaded:
            connection.close()


def test_all_pages_are_told_of_a_change_while_others_ask(served):
    port, folder = served
    secret = {"X-Houserule": token(port)}
    pages = [ask(port, "GET", f"/api/changes?token={secret['X-Houserule']}")[1] for _ in range(CONNECTIONS)]
    for page in pages:
        assert page.getheader("Content-Type") == "text/event-stream"
    assert ask(port, "PUT", "/api/file/rules/b%20c.rules", "game b\n", **secret)[1].status == 204
    assert (folder / "rules" / "b c.rules").read_text() == "game b\n"
    assert ask(port, "DELETE", "/api/file/rules/a.rules", **secret)[1].status == 204
    assert not (folder / "rules" / "a.rules").exists()
    for page in pages:
        lines = [line for line in (page.readline().strip() for _ in range(6)) if line.startswith(b"data: ")]
        told = [json.loads(line.removeprefix(b"data: ")) for line in lines]
        assert [(change["path"], change["text"]) for change in told] == [("rules/b c.rules", "game b\n"), ("rules/a.rules", None)]
        assert told[0]["version"] and told[1]["version"] is None


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "reason"),
    [
        ("GET", "/", {"Host": "example.org"}, 403, "is answered"),
        ("GET", "/none.js", {}, 404, "there is no `/none.js`"),
        ("GET", "/%ff", {}, 400, "this is no path"),
        ("POST", "/", {}, 405, "it can only be read"),
        ("POST", "/api/folder", {}, 405, "it can only be read"),
        ("GET", "/api/folder", {}, 403, "load it again"),
        ("PUT", "/api/file/a.rules", {"X-Houserule": "0" * 32}, 403, "load it again"),
        ("PUT", "/api/file/../a.rules", "token", 403, "is no file of this folder"),
        ("GET", "/api/file/rules/a.rules", "token", 405, "files are written with PUT"),
    ],
)
def test_what_is_refused_says_why(served, method, path, headers, status, reason):
    port, _ = served
    if headers == "token":
        headers = {"X-Houserule": token(port)}
    _, answer = ask(port, method, path, **headers)
    assert (answer.status, reason in answer.read().decode()) == (status, True)


def test_a_file_that_is_too_long_is_refused_and_not_written(served):
    port, folder = served
    headers = {"X-Houserule": token(port)}
    _, answer = ask(port, "PUT", "/api/file/long.toml", b" " * ((4 << 20) + 1), **headers)
    assert (answer.status, answer.read()) == (413, b"files of more than 4 MB are not written here")
    assert not (folder / "long.toml").exists()
    assert ask(port, "PUT", "/api/file/long.toml", b" " * (4 << 20), **headers)[1].status == 204


def test_what_is_no_request_hurts_nobody(served):
    port, _ = served
    for line in [b"\0\0\0\r\n\r\n", b"GET", b"GET / HTTP/9.9\r\n\r\n", b"PUT /api/file/a.toml HTTP/1.1\r\nContent-Length: 99\r\n\r\nshort"]:
        with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
            connection.sendall(line)
    assert ask(port, "GET", "/")[1].status == 200
