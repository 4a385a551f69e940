# SPDX-License-Identifier: GPL-3.0-or-later
"""A headless Chromium, driven through a pair of pipes by its DevTools protocol; nothing but Python's own library."""

import base64
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One browser with one page; what the page logs as errors and asks for from outside is kept."""

    def __init__(self, width=1200, height=900):
        self.errors, self.requests, self.number = [], [], 0
        self.folder = tempfile.mkdtemp(prefix="fretwork-page-")
        to_read, self.out = os.pipe()
        self.source, to_write = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
                 "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
                 "--disable-dev-shm-usage", f"--user-data-dir={self.folder}"]

        def hand_over():  # Chromium reads from 3 and writes to 4
            os.setsid()
            a, b = os.dup(to_read), os.dup(to_write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen([find(), *flags], preexec_fn=hand_over, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest = b""
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _message(self):
        while b"\0" not in self.rest:
            more = os.read(self.source, 1 << 20)
            if not more:
                raise RuntimeError("the browser has gone")
            self.rest += more
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def _note(self, message):
        method, told = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(told["exceptionDetails"].get("exception", {}).get("description", "exception"))
        if method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.errors.append(str([a.get("value") for a in told["args"]]))
        if method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            if "willReadFrequently" not in told["entry"]["text"]:  # the tests look at pixels, pages do not
                self.errors.append(told["entry"]["text"])
        if method == "Network.requestWillBeSent":
            address = told["request"]["url"]
            if not address.startswith(("file:", "data:", "about:")):
                self.requests.append(address)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def size(self, width, height, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)

    def theme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def scripts(self, on):
        self.call("Emulation.setScriptExecutionDisabled", value=not on)

    def open(self, path):
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        for _ in range(200):
            if self.run("document.readyState") == "complete":
                return
            time.sleep(0.05)
        raise RuntimeError(f"{path} does not load")

    def run(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def mouse(self, kind, x, y, clicks=0, button="none"):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=clicks, button=button,
                  buttons=1 if button == "left" else 0)

    def click(self, x, y, clicks=1):
        self.mouse("mouseMoved", x, y)
        for n in range(clicks):
            self.mouse("mousePressed", x, y, n + 1, "left")
            self.mouse("mouseReleased", x, y, n + 1, "left")

    def picture(self, path, whole=False):
        """Writes a PNG of the screen, or of the whole page."""
        parameters = {"format": "png"}
        if whole:
            parameters["captureBeyondViewport"] = True
        data = self.call("Page.captureScreenshot", **parameters)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
