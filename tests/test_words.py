#!/usr/bin/env python3
"""The words of the project: none of those that scripts/check_words.py lists in documentation and messages, in comments no more
than there were; pages that can be read at once; a page about every status."""
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

import check_words  # noqa: E402

LONGEST = 2500  # words of a page
LISTS = {"reference/model.md"}  # made of the schema: to look something up


class Words(unittest.TestCase):
    def test_as_it_is(self):
        self.assertEqual(check_words.check(ROOT), [])

    def problems(self, name, text, ceilings):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
            return check_words.check(pathlib.Path(folder), ceilings)

    def test_prose(self):
        self.assertEqual(self.problems("docs/NAME.md", "Code: `who`.\n\n    who\n\nA step asks.\n", {}),
                         ["docs/NAME.md:5: 'asks': evaluate, compute, request, require"])

    def test_messages(self):
        found = self.problems("src/law/a.c", 'const char *a = "joint \'told\' is told"; /* who */\n', {"law": 1})
        self.assertEqual(found, ["src/law/a.c:1: 'told': report, return, set"])

    def test_comments_have_a_ceiling(self):
        code = "/* Nobody is told, see told.c and tn_told. */\nint told;\n"
        self.assertEqual(self.problems("src/law/limits/a.c", code, {"law": 2}), [])
        found = self.problems("src/law/limits/a.c", code, {"law": 1})
        self.assertEqual(len(found), 1)
        self.assertIn("comments of law have 2 words", found[0])


class Pages(unittest.TestCase):
    def test_are_short(self):
        long = []
        for path in sorted((ROOT / "docs").rglob("*.md")):
            count = len(path.read_text(encoding="utf-8").split())
            if count > LONGEST and str(path.relative_to(ROOT / "docs")) not in LISTS:
                long.append(f"{path.relative_to(ROOT)}: {count} words")
        self.assertEqual(long, [])

    def test_every_status_has_what_to_do(self):
        header = (ROOT / "include" / "tenon" / "status.h").read_text(encoding="utf-8")
        listed = header[header.index("#define TN_STATUS_LIST"):header.index("typedef enum tn_status")]
        statuses = re.findall(r'X\((TN_ERROR_\w+),((?:\s*\\?\s*"[^"]*")+)\)', listed)
        self.assertGreater(len(statuses), 12)
        page = " ".join((ROOT / "docs" / "reference" / "messages.md").read_text(encoding="utf-8").split())
        for name, texts in statuses:
            text = "".join(re.findall(r'"([^"]*)"', texts))
            self.assertIn(f"### {name} *{text}.*", page)


if __name__ == "__main__":
    unittest.main()
