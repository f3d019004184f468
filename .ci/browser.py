"""Debian's Chromium without a window, for what looks at pages. It speaks with the browser through two pipes
(https://chromedevtools.github.io/devtools-protocol/), and needs Python 3 and `chromium` (apt-get install chromium), nothing else."""

import base64, itertools, json, os, pathlib, select, shutil, subprocess, sys, tempfile, time

FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
--disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars --remote-debugging-pipe""".split()

# Only the fonts of one folder, so that a page looks alike on all machines.
ONLY_FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{home}/fonts</cachedir></fontconfig>
"""

# Milliseconds between two looks at what is waited for; seconds that a browser may be silent.
PAUSE, SILENCE = 50, 120


def end(sentence):
    """Ends the program that looks, with what is wrong."""
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {sentence}")


class Browser:
    """Chromium without a window: `with Browser() as browser`. It knows only the fonts of the folder `fonts`, if that is given."""

    def __init__(self, fonts=None):
        chromium = shutil.which("chromium")
        if chromium is None:
            end("there is no `chromium`; apt-get install chromium")
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        environment = dict(os.environ)
        if fonts:
            known = pathlib.Path(self.home.name) / "fonts.conf"
            known.write_text(ONLY_FONTS.format(fonts=fonts.resolve(), home=self.home.name))
            environment["FONTCONFIG_FILE"] = str(known)
        commands, self.write = os.pipe()
        self.read, answers = os.pipe()
        # The browser reads from descriptor 3 and writes to 4.
        line = f'exec "$@" 3<&{commands} 4>&{answers}'
        self.process = subprocess.Popen(
            ["bash", "-c", line, "bash", chromium, *FLAGS, f"--user-data-dir={self.home.name}", "about:blank"],
            pass_fds=(commands, answers), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        os.close(commands), os.close(answers)
        self.numbers, self.events, self.buffer, self.session = itertools.count(1), [], b"", None
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.ask(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.ask("Browser.close")
            self.process.wait(20)
        else:
            self.process.kill()
        self.home.cleanup()

    def receive(self):
        while b"\0" not in self.buffer:
            if not select.select([self.read], [], [], SILENCE)[0]:
                end(f"chromium has said nothing for {SILENCE} seconds")
            more = os.read(self.read, 1 << 16)
            if not more:
                end(f"chromium has ended, with status {self.process.wait(20)}")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def ask(self, method, **parameters):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        try:
            os.write(self.write, json.dumps(message).encode() + b"\0")
        except BrokenPipeError:
            end(f"chromium has ended, with status {self.process.wait(20)}")
        while (answer := self.receive()).get("id") != number:
            self.events.append(answer)
        if "error" in answer:
            end(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def run(self, script):
        """What a script says to which the page gives its word, as if somebody had touched the page."""
        result = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in result:
            end(f"a script fails in the page: {result['exceptionDetails'].get('exception', {}).get('description', 'no reason is told')}")
        return result["result"].get("value")

    def until(self, what, script, seconds=60):
        """Waits for what a script says to become true, and hands it over."""
        last = time.monotonic() + seconds
        while not (said := self.run(script)):
            if time.monotonic() > last:
                end(f"after {seconds} seconds there is still not {what}")
            time.sleep(PAUSE / 1000)
        return said

    def heard(self, method):
        """Waits for an event."""
        while not (found := [event for event in self.events if event.get("method") == method]):
            self.events.append(self.receive())
        return found[-1]["params"]

    def view(self, width, dark, media="", height=900, scale=1):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False)
        # What moves is at rest, so that it does not matter when one looks.
        wishes = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce"}
        self.ask("Emulation.setEmulatedMedia", media=media, features=[{"name": name, "value": value} for name, value in wishes.items()])
        # The page draws anew a frame after its width has changed.
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))")

    def show(self, address):
        self.events.clear()
        self.ask("Page.navigate", url=address)
        self.heard("Page.loadEventFired")

    def picture(self, x, y, width, height):
        """A part of the page as PNG."""
        clip = {"x": x, "y": y, "width": width, "height": height, "scale": 1}
        return base64.b64decode(self.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)["data"])

    def complaints(self, address):
        """What the page's script says to the console, and what it asks for besides itself."""
        for event in self.events:
            method, said = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                details = said["exceptionDetails"]
                yield "the script fails: " + details.get("exception", {}).get("description", details["text"])
            elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning", "assert"):
                yield f"the console has: {[part.get('value') for part in said['args']]}"
            elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
                yield f"the browser says: {said['entry']['text']}"
            elif method == "Network.requestWillBeSent" and said["request"]["url"] != address:
                yield f"it asks for {said['request']['url'][:100]}"
