"""What the tests of the page share: the tool, a browser with one page that the cases of a class use in turn, and a hand
that clicks, types and draws there.

TENON names the program, whose page was built from these sources.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent / "support"))
import browser  # noqa: E402

TENON = os.environ.get("TENON", str(ROOT / "build-viewer" / "tenon"))

READY = "document.documentElement?.dataset.ready === 'true'"


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)


def write_page(model, out, *options):
    """The page of a model, as `tenon view` writes it."""
    run = tenon("view", model, "--out", out, *options)
    assert run.returncode == 0, run.stderr
    return out


def is_ready(page):
    """Waits until a page shows its model, without the tour over it."""
    page.wait(READY)
    page.run("tenon.tour.end()")
    return page


class Desk(unittest.TestCase):
    """A browser, a folder and one page for all cases of a class. A case fails if its page complained."""

    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.start = write_page(ROOT / "examples" / "pendulum.yaml", cls.folder / "page.html")
        cls.page = is_ready(cls.browser.page(cls.start, width=1100, height=660))

    def tearDown(self):
        messages, self.page.messages = self.page.messages, []
        self.assertEqual(messages, [])

    def at(self, selector, text="", page=None, k=0):
        """The middle of one of the elements that a selector finds, with that text: the first, or number k."""
        found = (page or self.page).run("""(() => {
            const one = [...document.querySelectorAll(%s)].filter((it) => it.textContent.includes(%s) &&
                it.getClientRects().length > 0)[%d];
            if (!one)
                return null;
            one.scrollIntoView({ block: "nearest" });
            const r = one.getBoundingClientRect();
            return [r.left + r.width / 2, r.top + r.height / 2];
        })()""" % (json.dumps(selector), json.dumps(text), k))
        self.assertIsNotNone(found, f"{selector} {text}")
        return found

    def click(self, where, text="", page=None, k=0):
        """Of a selector, or of a place."""
        (page or self.page).press(tuple(self.at(where, text, page, k) if isinstance(where, str) else where))

    def choose(self, selector, value):
        """Sets a list or a field as its user would."""
        self.page.run(f"""(() => {{ const one = document.querySelector({json.dumps(selector)});
            one.value = {json.dumps(value)}; one.dispatchEvent(new Event('change')); }})()""")

    def settle(self):
        """All that was asked for is done."""
        self.page.run("tenon.refresh().then(() => new Promise((done) => setTimeout(done))).then(() => tenon.refresh())")

    def load(self, text, name="model.yaml"):
        problems = self.page.run(f"tenon.load({json.dumps(text)}, {json.dumps(name)})")
        self.assertFalse([one for one in problems if one["severity"] == "error"], problems)

    def said(self, page=None):
        """The message that the page shows, or none."""
        return (page or self.page).run("document.querySelector('.message:not([hidden])')?.textContent ?? ''")

    @classmethod
    def keep_downloads(cls, page=None):
        """What the page saves from now on stays in its list `saved`, and is written nowhere."""
        (page or cls.page).run("""(() => { window.showSaveFilePicker = undefined;
            window.saved = [];
            window.makeURL ??= URL.createObjectURL;
            URL.createObjectURL = (blob) => { saved.push(blob); return makeURL.call(URL, blob); };
            HTMLAnchorElement.prototype.click = () => {}; })()""")

    def taken(self, selector, text=""):
        """The text that a button saves, where it is once all is drawn."""
        self.settle()
        count = self.page.run("saved.length")
        self.click(selector, text)
        self.page.wait(f"saved.length > {count}")
        return self.page.run("saved.at(-1).text()")
