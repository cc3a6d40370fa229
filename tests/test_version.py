#!/usr/bin/env python3
"""One version: the tool's, CMake's, the packages' and the newest released section of CHANGELOG.md are the same.

TENON names the program.
"""
import json
import re
import subprocess
import unittest

from test_examples import ROOT, TENON


def sections():
    """Heading of each version in CHANGELOG.md, newest first, and its lines."""
    _, *parts = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {part.splitlines()[0]: [line for line in part.splitlines()[1:] if line.strip()] for part in parts}


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
        released = [head for head in sections() if "unreleased" not in head]
        self.assertEqual(released[0], wanted)

    def test_the_changelog_is_short(self):
        """At most 60 lines a version, under headings that say what a change does to users."""
        for head, lines in sections().items():
            self.assertLessEqual(len(lines), 60, head)
            kinds = [line[4:] for line in lines if line.startswith("### ")]
            known = [kind for kind in ("Added", "Changed", "Fixed") if kind in kinds]
            self.assertEqual(sorted(set(kinds)) if "unreleased" in head else kinds, known, head)  # in any order while it grows


if __name__ == "__main__":
    unittest.main()
