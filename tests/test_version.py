#!/usr/bin/env python3
"""One version, in one file: include/tenon/version.h. The tool has it, and the newest released section of CHANGELOG.md.

TENON names the program.
"""
import json
import re
import subprocess
import unittest

from test_examples import ROOT, TENON


TEXTS = {".c", ".cmake", ".css", ".h", ".html", ".in", ".ipynb", ".json", ".md", ".mjs", ".py", ".sh", ".toml", ".ts", ".txt", ".yaml"}


def sections():
    """Heading of each version in CHANGELOG.md, newest first, and its lines."""
    _, *parts = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {part.splitlines()[0]: [line for line in part.splitlines()[1:] if line.strip()] for part in parts}


class Version(unittest.TestCase):
    def test_all_say_the_same(self):
        header = ROOT / "include" / "tenon" / "version.h"
        wanted = ".".join(re.findall(r"#define TN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header.read_text(encoding="utf-8")))
        self.assertRegex(wanted, r"^\d+\.\d+\.\d+$")
        for words in (["--version"], ["version"]):
            done = subprocess.run([TENON, *words], capture_output=True, text=True, check=True)
            self.assertEqual(done.stdout.split()[:2], ["tenon", wanted])
        # no copies that a release could forget
        copied = re.compile(rf"(?<![\d.]){re.escape(wanted)}(?![\d.])")
        files = [path for folder in ("bindings", "cmake", "docs", "examples", "include", "scripts", "src", "tool", "web")
                 for path in (ROOT / folder).rglob("*") if path.suffix in TEXTS and path.name != "package-lock.json"]
        files += [path for path in ROOT.iterdir() if path.suffix in TEXTS and path.name != "CHANGELOG.md"]
        self.assertGreater(len(files), 100)
        self.assertEqual([str(path) for path in files if copied.search(path.read_text(encoding="utf-8"))], [])
        for name in ("web/package.json", "web/npm/package.json", "web/package-lock.json"):
            self.assertNotIn("version", json.loads((ROOT / name).read_text(encoding="utf-8")), name)
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
