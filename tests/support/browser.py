"""A headless Chromium for tests of pages, spoken to through a pipe (DevTools protocol)."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
         "--no-first-run", "--disable-extensions", "--disable-background-networking", "--mute-audio",
         "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
         # the processor puts the page together itself: to have the renderer of WebGL draw the panels too takes ten times as long
         "--disable-gpu-compositing"]


def program():
    """The browser's program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Failure(Exception):
    """What the page or the browser answered instead of a result."""


class Browser:
    def __init__(self, width=1280, height=720):
        self.size = (width, height)
        self.profile = tempfile.mkdtemp(prefix="tenon-browser-")
        down_read, down_write = os.pipe()
        up_read, up_write = os.pipe()

        def hand_over():
            os.dup2(down_read, 3)
            os.dup2(up_write, 4)

        # the two ends must not be 3 and 4 already, or dup2 would lose one
        self.process = subprocess.Popen(
            [program(), *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
            preexec_fn=hand_over, pass_fds=(3, 4), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down_read)
        os.close(up_write)
        self.to, self.back, self.buffer = down_write, up_read, b""
        self.number, self.answers, self.pages = 0, {}, {}
        self.posted = set()  # calls whose answers are not waited for

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.back)
        shutil.rmtree(self.profile, ignore_errors=True)

    def send(self, method, params=None, session=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        return self.number

    def receive(self, seconds):
        """Reads what has come; at least one message, or nothing within the time."""
        ready, _, _ = select.select([self.back], [], [], seconds)
        if not ready:
            return
        chunk = os.read(self.back, 1 << 20)
        if not chunk:
            raise Failure("the browser has ended")
        self.buffer += chunk
        *whole, self.buffer = self.buffer.split(b"\0")
        for text in whole:
            message = json.loads(text)
            if message.get("id") in self.posted:
                self.posted.remove(message["id"])
                if "error" in message:
                    raise Failure(message["error"]["message"])
            elif "id" in message:
                self.answers[message["id"]] = message
            elif message.get("sessionId") in self.pages:
                self.pages[message["sessionId"]].event(message["method"], message["params"])

    def call(self, method, params=None, session=None, seconds=120):
        number = self.send(method, params, session)
        end = time.time() + seconds
        while number not in self.answers:
            if time.time() > end:
                raise Failure(f"{method}: no answer in {seconds} s")
            self.receive(1)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise Failure(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def post(self, method, params=None, session=None):
        """Calls without waiting; the browser keeps the order."""
        self.posted.add(self.send(method, params, session))

    def page(self, path=None, **size):
        return Page(self, path, **size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Page:
    """One tab. messages: everything the console and the page's policies complained about.
    scale: pixels of the picture for one of the layout; the processor draws them, and a quarter of them is enough to
    compare pictures by."""

    def __init__(self, browser, path=None, width=None, height=None, mobile=False, scale=0.5):
        self.browser, self.messages, self.closed = browser, [], False
        target = browser.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget",
                                    {"targetId": target, "flatten": True})["sessionId"]
        browser.pages[self.session] = self
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride",
                  {"width": width or browser.size[0], "height": height or browser.size[1],
                   "deviceScaleFactor": scale, "mobile": mobile})
        if path:
            self.open(path)

    def call(self, method, params=None, seconds=120):
        return self.browser.call(method, params, self.session, seconds)

    def event(self, method, params):
        if method == "Runtime.consoleAPICalled":
            values = [str(a.get("value", a.get("description", ""))) for a in params["args"]]
            self.messages.append(f"console.{params['type']}: {' '.join(values)}")
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.messages.append("exception: " + details.get("exception", {}).get(
                "description", details["text"]))
        elif method == "Log.entryAdded":
            if "GL Driver Message (OpenGL, Performance" not in params["entry"]["text"]:  # of the browser about itself
                self.messages.append(f"log {params['entry']['level']}: {params['entry']['text']}")
        elif method == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("file:", "data:", "blob:", "about:")):
                self.messages.append(f"asked the network for {url}")

    def open(self, path, seconds=60):
        self.call("Page.navigate", {"url": "file://" + os.path.abspath(path)})
        self.wait("document.readyState === 'complete'", seconds)

    def run(self, expression, seconds=120):
        """The value of an expression; promises are waited for."""
        answer = self.call("Runtime.evaluate", {"expression": expression, "awaitPromise": True,
                                                "returnByValue": True, "userGesture": True}, seconds)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def wait(self, expression, seconds=60):
        end = time.time() + seconds
        while not self.run(f'!!({expression})'):
            if time.time() > end:
                raise Failure(f"still not so after {seconds} s: {expression}; {self.messages}")
            time.sleep(0.05)

    def screenshot(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", {"format": "png"})["data"])
        if path:
            with open(path, "wb") as file:
                file.write(data)
        return data

    @staticmethod
    def hand(kind, x, y, **more):
        return {"type": f"mouse{kind}", "x": x, "y": y, "button": "left",
                "buttons": 0 if kind == "Released" else 1, "clickCount": 1, **more}

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", self.hand(kind, x, y, **more))

    def press(self, *places):
        """The button goes down at the first place and up at the last, as fast as the browser takes it."""
        ways = [self.hand("Moved", *places[0], button="none", buttons=0), self.hand("Pressed", *places[0]),
                *[self.hand("Moved", *place) for place in places[1:]]]
        for way in ways:
            self.browser.post("Input.dispatchMouseEvent", way, self.session)
        self.call("Input.dispatchMouseEvent", self.hand("Released", *places[-1]))

    def key(self, key, **more):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, **text, **more})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", "key": key, **more})

    def front(self):
        """Other tabs draw nothing while this one is seen."""
        self.browser.call("Target.activateTarget", {"targetId": self.target})

    def close(self):
        if self.closed:
            return
        self.closed = True
        self.browser.call("Target.closeTarget", {"targetId": self.target})
        self.browser.pages.pop(self.session, None)
