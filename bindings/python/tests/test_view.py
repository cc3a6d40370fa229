"""sim.show(): the page that follows a simulation, in the installed browser; its server, to hostile requests; and its end."""

import base64
import gc
import http.client
import json
import re
import subprocess
import sys
import threading
import time
from urllib.parse import urlsplit

import numpy as np
import pytest

import tenon
from conftest import PROJECT

sys.path.insert(0, str(PROJECT / "tests" / "support"))
import browser  # noqa: E402


def get(url, path="", host=None, method="GET"):
    """(status, headers, body) of the server of a view."""
    where = urlsplit(url)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=10)
    try:
        connection.request(method, where.path + path, headers={"Host": host or where.netloc})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def rows(url, number, columns):
    """(number of the last row, index of the first one, array) that a page gets which has those up to a number."""
    status, _, body = get(url, f"rows?{number}")
    if status == 204:
        return None
    more = json.loads(body)
    return more["last"], more["from"], np.frombuffer(base64.b64decode(more["rows"])).reshape(-1, columns)


@pytest.fixture(autouse=True)
def no_wait(monkeypatch):
    """Requests of these tests are those of no page that would come for the last rows."""
    monkeypatch.setattr("tenon._view._LAST", 0.1)


@pytest.fixture
def shown(four_bar):
    """A simulation and its view, which ends with the test."""
    sim = four_bar.simulation()
    view = sim.show(open=False)
    yield sim, view
    view.close()


def columns_of(view):
    data = re.search(rb'id="tenon-model">(.*?)</script>', get(view.url)[2], re.DOTALL).group(1)
    return json.loads(data)["recording"]["columns"]


def test_rows_are_the_states(shown):
    sim, view = shown
    names = columns_of(view)
    theta = names.index(next(name for name in names if name.startswith("hinge_1.") or name.endswith(".theta")))
    path = names[theta]
    last, start, got = rows(view.url, 0, len(names))
    assert start == 0 and got[:, 0].tolist() == [0.0]
    for _ in range(100):
        sim.step(1e-3)
    value, number = sim[path].value, last
    last, start, got = rows(view.url, number, len(names))
    assert start == 1 and 5 <= len(got) <= 8 and np.all(np.diff(got[:, 0]) >= 1 / 60 - 1e-9)
    assert rows(view.url, last, len(names)) is None
    # a state that was set stands in place of what was there at its time; one of before, in place of all that is later
    state, then = sim.save(), sim.time
    sim.restore(state)
    number, start, got = rows(view.url, last, len(names))
    assert got[:, 0].tolist() == [then] and got[0, theta] == value
    start_again = tenon.Simulation(sim.model).save()
    sim.restore(start_again)
    number, start, got = rows(view.url, number, len(names))
    assert start == 0 and got[:, 0].tolist() == [0.0]


def test_the_bits_stay(four_bar):
    alone = four_bar.simulation().run(0.3, step=1e-3, every=0.01)
    sim = four_bar.simulation()
    view = sim.show(open=False)
    beside = sim.run(0.3, step=1e-3, every=0.01)
    names = columns_of(view)
    last, start, got = rows(view.url, 0, len(names))
    view.close()
    assert np.array_equal(alone.data, beside.data, equal_nan=True) and alone.statistics == beside.statistics
    assert got[0, 0] == 0.0 and got[-1, 0] == sim.time and len(got) >= 18


def test_many_rows_are_thinned(shown, monkeypatch):
    sim, view = shown
    names = columns_of(view)
    monkeypatch.setattr("tenon._view._MOST", 40 * 8 * len(names))
    number, kept = 0, np.empty((0, len(names)))
    for _ in range(100):  # a page that is there all the time has what the server has
        sim.step(1 / 60)
        number, start, got = rows(view.url, number, len(names))
        assert start <= len(kept)
        kept = np.concatenate([kept[:start], got])
    _, start, got = rows(view.url, 0, len(names))
    assert start == 0 and np.array_equal(got, kept, equal_nan=True)
    assert 20 <= len(got) <= 41 and got[0, 0] == 0.0 and got[-1, 0] == sim.time


def test_only_its_page(shown):
    _, view = shown
    where = urlsplit(view.url)
    assert where.hostname == "127.0.0.1" and re.fullmatch("/[0-9a-f]{32}/", where.path)
    status, headers, _ = get(view.url)
    assert status == 200 and headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert not [name for name in headers if name.lower().startswith("access-control")]
    root = f"http://{where.netloc}/"
    assert [get(root, path)[0] for path in ("", "0" * 32 + "/", "0" * 32 + "/rows?0", "%ff/")] == [404] * 4
    assert get(view.url, host="evil.example")[0] == 403 and get(view.url, host=f"localhost:{where.port}")[0] == 403
    assert [get(view.url, path)[0] for path in ("rows", "rows?", "rows?-1", "rows?1e3", "../", "rows?" + "9" * 40)] == [404] * 6
    assert get(view.url, method="POST")[0] == 501
    page = get(view.url)[2]
    assert b"connect-src 'self'" in page and b"connect-src 'none'" not in page


def test_ends_with_its_simulation(four_bar):
    gc.collect()
    before = threading.active_count()
    for _ in range(3):
        sim = four_bar.simulation()
        view = sim.show(open=False)
        assert sim.show(open=False) is view and not view.closed
        del sim
        gc.collect()
        assert view.closed
        with pytest.raises(ConnectionRefusedError):
            get(view.url)
    end = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() == before
    sim = four_bar.simulation()
    closed = sim.show(open=False)
    closed.close()
    closed.close()
    sim.step(1e-3)  # goes on
    again = sim.show(open=False)
    assert again is not closed and again.url != closed.url and "closed" in repr(closed) and again.url in repr(again)
    again.close()


@pytest.mark.parametrize("call", ["wait", "close"])
def test_the_state_at_the_end_is_shown(four_bar, call):
    """Also that of a step between two rows."""
    sim = four_bar.simulation()
    view = sim.show(open=False)
    sim.run(0.1)
    sim.step(1e-3)
    assert view._rows.times[-1] < sim.time
    view.wait(0.0) if call == "wait" else view.close()
    assert view._rows.times[-1] == sim.time
    view.close()


def test_a_script_ends():
    """Without a browser nothing waits; with one that never comes, not for ever."""
    code = ("import tenon; sim = tenon.load(%r).simulation(); print(sim.show().url); sim.run(0.1)"
            % str(PROJECT / "examples" / "four_bar_hard.yaml"))
    environment = {"PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0 and done.stderr == "" and done.stdout.startswith("http://127.0.0.1:")


def test_in_a_notebook(shown):
    _, view = shown
    cell = view._repr_html_()
    assert f'<iframe src="{view.url}"' in cell and "allow-scripts" in cell


def test_in_the_browser(shown, tmp_path):
    """Time goes on while the simulation does, and what came remains."""
    sim, view = shown
    with browser.Browser() as chromium:
        page = chromium.page(width=1000, height=700)
        page.call("Page.navigate", {"url": view.url})
        page.wait("document.documentElement?.dataset.ready === 'true'")
        page.run("tenon.tour.end()")
        assert page.run("tenon.live") and "Python" in page.run("document.querySelector('.followed').textContent")
        end = time.monotonic() + 30
        while page.run("tenon.frame.time") < 0.25:  # played as it comes
            assert time.monotonic() < end
            sim.advance(sim.time + 0.05)
        sim.restore(sim.save())  # what is shown last is the present
        assert view.wait(10)
        page.wait("tenon.frame.time === tenon.frame.end")
        values = page.run("Object.fromEntries(tenon.model.joints.flatMap((one, j) => one.coordinates.map(({ name }, i) => "
                          "[`${one.name}.${name}`, tenon.frame.coordinates[6 * j + i]])))")
        assert values and values == {path: sim[path].value for path in values}
        sim.restore(tenon.Simulation(sim.model).save())  # back at the start: so is the page
        page.wait("tenon.frame.end === 0 && tenon.frame.time === 0")
        sim.advance(0.2)
        page.wait("tenon.frame.time > 0.15")
        cell = tmp_path / "cell.html"  # as a notebook has it
        cell.write_text(f"<!DOCTYPE html><body>{view._repr_html_()}</body>", encoding="utf-8")
        chromium.page(cell, width=1000, height=700)
        sim.advance(0.4)
        assert view.wait(30)
        view.close()
        page.wait("!tenon.live && document.querySelector('.message:not([hidden])')?.textContent.includes('has ended')")
        assert page.run("tenon.frame.time") > 0.15
        page.messages = [one for one in page.messages if not one.startswith("asked the network for " + view.url)
                         and "ERR_CONNECTION_REFUSED" not in one]
        assert page.messages == []
