"""Headless Chromium, driven over a pipe by its DevTools protocol: no driver and no other package is needed."""
import base64, fcntl, json, os, select, shutil, subprocess, tempfile, time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe"]
SECONDS = 60  # for one answer: the first one waits for the browser to start


class Browser:
    def __init__(self):
        program = shutil.which("chromium")
        if not program:
            raise SystemExit("there is no chromium; `make test-page` installs it")
        self.folder = tempfile.TemporaryDirectory()
        ours_in, theirs_out = self.pipe()
        theirs_in, ours_out = self.pipe()
        def connect():
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)
        self.program = subprocess.Popen([program, *FLAGS, "--user-data-dir=" + self.folder.name, "about:blank"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, pass_fds=(3, 4, theirs_in, theirs_out), preexec_fn=connect)
        os.close(theirs_in)
        os.close(theirs_out)
        self.reader, self.writer = ours_in, ours_out
        self.number, self.session, self.buffer, self.events = 0, None, b"", []
        target = next(info for info in self.call("Target.getTargets")["targetInfos"] if info["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Log", "Runtime", "Audits"):
            self.call(domain + ".enable")

    @staticmethod
    def pipe():
        """Both ends above the numbers that the browser expects."""
        ends = os.pipe()
        moved = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in ends]
        for end in ends:
            os.close(end)
        return moved

    def read(self, end):
        while b"\0" not in self.buffer:
            if not select.select([self.reader], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.reader, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """One command and its result; events that come meanwhile are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self.read(end)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def happened(self, method):
        """The events of that name so far."""
        return [event["params"] for event in self.events if event.get("method") == method]

    def open(self, url, width, height, dark=False):
        """Loads a page at that size; returns when it is there."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        self.call("Page.navigate", url=url)
        end = time.monotonic() + SECONDS
        while not self.happened("Page.loadEventFired"):
            self.events.append(self.read(end))

    def ask(self, expression):
        """The value of a JavaScript expression in the page."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def screenshot(self, path, whole=False):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
            self.program.wait(20)
        except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired):
            self.program.kill()
            self.program.wait()
        os.close(self.reader)
        os.close(self.writer)
        self.folder.cleanup()
