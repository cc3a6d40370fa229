#!/usr/bin/env python3
"""The references of C and Python that `make docs` writes have every public function, with links that lead somewhere.

The site itself is built by the test docs_site, with warnings as errors.
"""
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "docs"))

import c_reference  # noqa: E402
import python_reference  # noqa: E402

PAGES = c_reference.pages(ROOT / "include" / "tenon")


class Reference(unittest.TestCase):
    def test_every_function_of_the_headers(self):
        wanted = set()
        for header in (ROOT / "include" / "tenon").glob("*.h"):
            code = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.S)
            wanted |= set(re.findall(r"^TN_API [^;(]*?\b(tn_\w+)\(", code, re.M))
        self.assertGreater(len(wanted), 300)
        headings = set(re.findall(r"^## (tn_\w+)$", "\n".join(PAGES.values()), re.M))
        self.assertEqual(wanted - headings, set())

    def test_links_lead_to_headings(self):
        found = []
        for name, text in PAGES.items():
            for page, anchor in re.findall(r"\]\((?:([\w.]+)\.md)?#(\w+)\)", text):
                if not re.search(rf"^## {anchor}$", PAGES[page or name], re.M | re.I):
                    found.append((name, page, anchor))
        self.assertEqual(found, [])

    def test_every_name_of_the_python_package(self):
        text = python_reference.page(ROOT / "bindings" / "python" / "tenon")
        head = (ROOT / "bindings" / "python" / "tenon" / "__init__.py").read_text(encoding="utf-8")
        wanted = re.findall(r'"(\w+)"', head[head.index("__all__"):head.index("]", head.index("__all__"))])
        self.assertGreater(len(wanted), 20)
        self.assertEqual([name for name in wanted if f"\n## {name}\n" not in text], [])


if __name__ == "__main__":
    unittest.main()
