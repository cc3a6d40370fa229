#!/usr/bin/env python3
"""The page in five languages: each word that the sources ask for is in the table, none is idle, and the page shows them."""
import json
import re
import unittest

from desk import READY, Desk, ROOT, browser, is_ready

SOURCES = ROOT / "web" / "src"
CALL = re.compile(r'(?<![\w.])t\(\s*("(?:[^"\\]|\\.)*")')
ROW = re.compile(r'^    ("(?:[^"\\]|\\.)*"): \[(.*)\],$', re.M)


def table():
    rows = {}
    for key, words in ROW.findall((SOURCES / "words" / "table.ts").read_text(encoding="utf-8")):
        assert json.loads(key) not in rows, key
        rows[json.loads(key)] = json.loads(f"[{words}]")
    return rows


def asked():
    """What is said by t("..."), and the names and locks that drawing tools show by it."""
    found = {"length", "angle"}  # of locks
    for path in SOURCES.rglob("*.ts"):
        text = path.read_text(encoding="utf-8")
        found.update(json.loads(one) for one in CALL.findall(text))
        if path.name == "tools.ts":
            found.update(re.findall(r'^    \{ name: "(\w+)", key: ', text, re.M))
        if path.name == "joints.ts":
            found.update({"dependent", "limited", "singular", "cannot"} & set(re.findall(r'"(\w+)"', text)))
    return found


class Table(unittest.TestCase):
    def test_every_word_is_there_and_none_is_idle(self):
        rows, wanted = table(), asked()
        self.assertGreater(len(rows), 300)
        self.assertEqual(sorted(wanted - set(rows)), [])
        self.assertEqual(sorted(set(rows) - wanted), [])

    def test_every_language_says_all(self):
        """With the places for values that the English has; Chinese in Chinese."""
        for key, words in table().items():
            with self.subTest(key):
                self.assertEqual(len(words), 4)
                for one in words:
                    self.assertTrue(one.strip())
                    self.assertEqual(sorted(re.findall(r"\{\d\}", one)), sorted(re.findall(r"\{\d\}", key)))
                if re.search("[A-Za-z]{4}", key):
                    self.assertRegex(words[3], "[\u4e00-\u9fff]")


class Words(Desk):
    def sized(self, width, height):
        self.page.call("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 0.5, "mobile": False})

    def anew(self, code):
        """The page has come again; while it does it answers nothing."""
        for _ in range(200):
            try:
                self.page.wait(f"{READY} && document.documentElement.lang === '{code}' && tenon.source.includes('bar1')")
                break
            except browser.Failure as failure:
                if "navigated" not in str(failure):
                    raise
        is_ready(self.page)

    def test_the_page_in_other_words(self):
        """Chosen in the header: the page comes anew with the model that was drawn; nothing is wider than the window."""
        self.click("#start")
        self.click("#start-blank")
        self.settle()
        for place in ((300, 200), (300, 300)):
            self.page.key("b")
            self.click(place)
            self.click((place[0] + 100, place[1]))
            self.settle()
        text = self.page.run("tenon.source")
        self.assertIn("bar1:", text)
        rows = table()
        for column, code in enumerate(("de", "fr", "es", "zh")):
            self.choose(".language", code)
            self.anew(code)
            self.assertEqual(self.page.run("tenon.source"), text)
            shown = self.page.run("document.body.innerText")
            for key in ("New", "Save", "Joints", "Plots"):
                self.assertIn(rows[key][column], shown)
            self.page.run("tenon.board.open()")
            self.settle()
            card = self.page.run("document.querySelector('.told').innerText")
            self.assertIn(rows["the ground: pin {0} to it (G)"][column].replace("{0}", "bar1"), card)
            self.assertIn(rows["select"][column], self.page.run("document.querySelector('#tool-select').innerText"))
            for tab in ("joints", "look", "report", "plots", "text", "out"):
                self.page.run(f"tenon.open('{tab}')")
                self.assertEqual(self.page.run("document.documentElement.scrollWidth"), 1100)
            self.sized(390, 844)
            self.page.wait("document.documentElement.scrollWidth === 390", 10)
            self.sized(1100, 660)
        self.choose(".language", "en")
        self.anew("en")


if __name__ == "__main__":
    unittest.main()
