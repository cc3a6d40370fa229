#!/usr/bin/env python3
"""One version: the tool's, CMake's, the packages' and the newest section of CHANGELOG.md are the same.

TENON names the program.
"""
import json
import re
import subprocess
import unittest

from test_examples import ROOT, TENON


class Version(unittest.TestCase):
    def test_all_say_the_same(self):
        wanted = re.search(r"project\(Tenon VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
        for words in (["--version"], ["version"]):
            done = subprocess.run([TENON, *words], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout.split()[:2], ["tenon", wanted])
        for name in ("web/package.json", "web/npm/package.json"):
            self.assertEqual(json.loads((ROOT / name).read_text(encoding="utf-8"))["version"], wanted, name)
        asked = re.search(r"find_package\(Tenon (\S+) ", (ROOT / "tests/consumer/CMakeLists.txt").read_text(encoding="utf-8"))[1]
        self.assertEqual(asked, wanted.rpartition(".")[0])
        newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)[1]
        self.assertEqual(newest, wanted)


if __name__ == "__main__":
    unittest.main()
