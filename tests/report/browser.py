"""Chromium without a window, spoken to through two pipes: the DevTools protocol, one JSON object at a time.

with Browser(tmp_path) as browser:
    page = browser.open(path, width=375)
    page.value("document.title")
    page.said                        # what the console said
"""

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
PATIENCE = 60.0  # seconds for one answer; a busy machine takes a few


def chromium():
    """The program, None if this machine has none."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self, folder):
        self.folder, self.number, self.events, self.rest = folder, 0, [], b""

    def __enter__(self):
        # the browser reads commands at 3 and writes answers at 4; ours are higher, not to be in the way
        read, self.write_end = map(_higher, os.pipe())
        self.read_end, write = map(_higher, os.pipe())
        move = f'exec 3<&{read} 4>&{write}; exec {read}<&- {write}>&-; exec "$@"'
        command = [chromium(), *FLAGS, f"--user-data-dir={self.folder}/profile", "about:blank"]
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", move, "browser", *command],
            pass_fds=(read, write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read)
        os.close(write)
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self._write({"id": 0, "method": "Browser.close"})
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)

    def open(self, path, width=1280, height=900):
        """A page, loaded, in a window so wide."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        page = Page(self, self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.send(f"{domain}.enable")
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        page.send("Emulation.setDeviceMetricsOverride", **metrics)
        page.send("Page.navigate", url=path.as_uri())
        self.until(lambda: page.happened("Page.loadEventFired"))
        return page

    def send(self, method, session=None, **parameters):
        """The answer to a command."""
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        self._write(message | ({"sessionId": session} if session else {}))
        found = self.until(lambda: next((e for e in self.events if e.get("id") == number), None))
        assert "error" not in found, (method, found["error"])
        return found["result"]

    def until(self, condition):
        """What the condition finds, once it finds something."""
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            ready, _, _ = select.select([self.read_end], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser did not answer in time"
            piece = os.read(self.read_end, 1 << 20)
            assert piece, "the browser has gone"
            *whole, self.rest = (self.rest + piece).split(b"\0")
            self.events += map(json.loads, whole)
        return found

    def _write(self, message):
        os.write(self.write_end, json.dumps(message).encode() + b"\0")


def _higher(end):
    """The same end of a pipe with a number of 10 or above."""
    found = fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(end)
    return found


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def happened(self, method):
        """The events of this kind."""
        events = self.browser.events
        return [
            e["params"] for e in events if e.get("sessionId") == self.session and e.get("method") == method
        ]

    @property
    def said(self):
        """Everything that the console said, errors and warnings of the browser included."""
        logged = [e["entry"]["text"] for e in self.happened("Log.entryAdded")]
        called = [str(e["args"]) for e in self.happened("Runtime.consoleAPICalled")]
        thrown = [str(e["exceptionDetails"]) for e in self.happened("Runtime.exceptionThrown")]
        return logged + called + thrown

    @property
    def fetched(self):
        """The addresses that the page asked for, itself and what it carries in it left out."""
        asked = [e["request"]["url"] for e in self.happened("Network.requestWillBeSent")]
        return [url for url in asked if not url.startswith(("file:", "data:"))]

    def value(self, expression):
        """What JavaScript makes of the expression; the page itself may run none."""
        found = self.send("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def screenshot(self, path):
        """A picture of the whole page."""
        shot = self.send("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def print_a4(self, path):
        """The page on paper."""
        done = self.send("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        path.write_bytes(base64.b64decode(done["data"]))
