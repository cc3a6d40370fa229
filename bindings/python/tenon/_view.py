"""A page that shows a simulation while it runs.

The simulation's thread copies rows of numbers; a server of the standard library gives them to the page. No other thread
ever reads the simulation. The server answers at 127.0.0.1 alone, under an address with a random key, and only its own page:
requests under another name of this machine are refused (DNS rebinding), and other pages may not read its answers.
"""

import base64
import bisect
import html
import http.server
import json
import os
import re
import secrets
import sys
import threading
import time
import weakref
import webbrowser
from typing import TYPE_CHECKING, List, Optional

from tenon._errors import check, listen
from tenon._library import ffi, lib

if TYPE_CHECKING:
    from tenon._simulation import Simulation

# s of simulation between rows: pictures of a screen; of short motions at least this many in all.
_PICTURE = 1 / 60
_ROWS = 600
# Bytes of rows: beyond that every second one is forgotten.
_MOST = 32 << 20
# s at the end: for a page that was opened to be there, and for one that is there to take what it has not yet.
_ARRIVAL = 10.0
_LAST = 3.0
# s without a request after which a page is gone.
_GONE = 2.0

_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin"}


class _Rows:
    """Rows in order of time. Each has a number that grows: a page that has all up to a number has, of the rows now, those up
    to that number, and takes the rest in place of what it had beyond them."""

    def __init__(self, columns: List[str]):
        self.columns = columns
        self.changed = threading.Condition()
        self.times: List[float] = []
        self.rows: List[bytes] = []
        self.numbers: List[int] = []
        self.next = 1
        self.taken = 0
        self.asked = float("-inf")

    def add(self, moment: float, row: bytes) -> None:
        with self.changed:
            keep = bisect.bisect_left(self.times, moment)
            del self.times[keep:], self.rows[keep:], self.numbers[keep:]
            self.times.append(moment)
            self.rows.append(row)
            self.numbers.append(self.next)
            self.next += 1
            if len(self.rows) * len(row) > _MOST and len(self.rows) > 2:
                self.thin()

    def thin(self) -> None:
        del self.times[1:-1:2], self.rows[1:-1:2]
        self.numbers = list(range(self.next, self.next + len(self.rows)))
        self.next += len(self.rows)

    def since(self, number: int) -> Optional[dict]:
        """What a page lacks that has rows up to a number; None: nothing."""
        with self.changed:
            self.asked = time.monotonic()
            self.taken = max(self.taken, number)
            self.changed.notify_all()
            start = bisect.bisect_right(self.numbers, number)
            if start == len(self.numbers):
                return None
            return {"last": self.numbers[-1], "from": start,
                    "rows": base64.b64encode(b"".join(self.rows[start:])).decode()}

    def wait(self, timeout: Optional[float]) -> bool:
        """Until a page has all of them."""
        with self.changed:
            return self.changed.wait_for(lambda: self.taken == self.numbers[-1], timeout)


def _inert(data: dict) -> str:
    """JSON within HTML."""
    return json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _document(page: str, rows: _Rows) -> bytes:
    """The model's page, with all rows until now, which may ask its own server for more."""
    before, data, after = re.split(r'(?<=<script type="application/json" id="tenon-model">)(.*?)(?=</script>)', page,
                                   maxsplit=1, flags=re.DOTALL)
    more = rows.since(0)
    data = {**json.loads(data), "live": more["last"],
            "recording": {"name": "Python", "columns": rows.columns, "rows": more["rows"]}}
    return (before.replace("connect-src 'none'", "connect-src 'self'", 1) + _inert(data) + after).encode()


class _Handler(http.server.BaseHTTPRequestHandler):
    timeout = 10  # s for a request to come, and for an answer to be taken

    def do_GET(self) -> None:
        site = self.server
        if self.headers.get_all("Host") != [f"127.0.0.1:{site.server_port}"]:
            self.answer(403)
            return
        key, _, what = self.path[1:].partition("/")
        if not secrets.compare_digest(key.encode(), site.key.encode()):
            self.answer(404)
        elif what == "":
            self.answer(200, "text/html; charset=utf-8", _document(site.page, site.rows))
        elif re.fullmatch(r"rows\?[0-9]{1,15}", what):
            more = site.rows.since(int(what[5:]))
            self.answer(204 if more is None else 200, "application/json", json.dumps(more).encode() if more else b"")
        else:
            self.answer(404)

    def answer(self, code: int, kind: str = "text/plain", body: bytes = b"") -> None:
        self.send_response(code)
        for name, value in {**_HEADERS, "Content-Type": kind}.items():
            self.send_header(name, value)
        if code != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args) -> None:
        pass


class _Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, page: str, rows: _Rows):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.page, self.rows, self.key, self.opened = page, rows, secrets.token_hex(16), float("-inf")
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, name="tenon view",
                                       daemon=True)
        self.thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{self.key}/"

    def handle_error(self, request, client_address) -> None:
        """A browser that has gone needs no answer."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def end(self) -> None:
        """The last rows go to the page that is there, or was opened; then thread and port are free."""
        now = time.monotonic()
        if now - self.opened < _ARRIVAL and self.rows.asked < self.opened:
            self.rows.wait(_ARRIVAL)
        elif now - self.rows.asked < _GONE:
            self.rows.wait(_LAST)
        self.shutdown()
        self.thread.join()
        self.server_close()


def _in_notebook() -> bool:
    shell = sys.modules.get("IPython") and sys.modules["IPython"].get_ipython()
    return bool(shell and getattr(shell, "kernel", None))


def _has_display() -> bool:
    return bool(os.name == "nt" or sys.platform == "darwin" or
                any(os.environ.get(name) for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")))


class View:
    """The page that shows a simulation: see Simulation.show. In a notebook it shows itself.

    url: its address, on this machine alone.
    """

    def __init__(self, sim: "Simulation"):
        recorder, what = ffi.new("tn_recorder **"), ffi.new("tn_record_def *", lib.tn_default_record_def())
        what.what = lib.TN_RECORD_ALL
        listen()
        check(lib.tn_recorder_create(sim._c, what, recorder), "the view")
        self._recorder = ffi.gc(recorder[0], lib.tn_recorder_destroy)
        columns = sim._columns(self._recorder)
        self._row = ffi.new("double[]", len(columns))
        duration = lib.tn_model_simulation(sim.model._c).duration
        self._every = min(_PICTURE, duration / _ROWS) if duration > 0 else _PICTURE
        self._rows = _Rows(columns)
        self._take(sim.time)
        self._site = _Site(sim.model.html(), self._rows)
        self._sim = weakref.ref(sim)
        self._end = weakref.finalize(sim, self._site.end)

    @property
    def url(self) -> str:
        return self._site.url

    @property
    def closed(self) -> bool:
        return not self._end.alive

    def close(self) -> None:
        """The page gets the state as it is now, and keeps what it has; nothing is served any more. The end of the simulation ends it too."""
        self._take_last()
        self._end()

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Until a page has everything that was simulated, the state as it is now too, at most timeout seconds. Does it?"""
        self._take_last()
        return self._rows.wait(timeout)

    def _open(self) -> None:
        self._site.opened = time.monotonic()
        webbrowser.open(self.url)

    def _take_last(self) -> None:
        sim = self._sim()
        if sim is not None and not self.closed and sim.time > self._rows.times[-1]:
            self._take(sim.time)

    # Both are called by the simulation, between its steps.

    def _take(self, moment: float) -> None:
        lib.tn_recorder_read(self._recorder, self._row)
        self._rows.add(moment, bytes(ffi.buffer(self._row)))

    def _stepped(self, moment: float) -> None:
        if moment - self._rows.times[-1] >= self._every * (1 - 1e-9):
            self._take(moment)

    def _repr_html_(self) -> str:
        return (f'<iframe src="{html.escape(self.url, quote=True)}" title="simulation" width="100%" height="520" '
                'sandbox="allow-scripts allow-same-origin allow-downloads" style="border:0"></iframe>')

    def __repr__(self) -> str:
        return "<tenon.View: closed>" if self.closed else f"<tenon.View: open {self.url} in a browser of this machine>"
