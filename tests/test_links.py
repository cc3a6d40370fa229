#!/usr/bin/env python3
"""Every link of the Markdown files leads to a file that is there, and to a heading that it has; every path in backticks
and every page that sources name is there."""
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = re.compile(r"(build.*|results|node_modules|\.git|\..*|__pycache__)")
FOLDERS = "bench|bindings|cmake|docs|examples|fuzz|include|scripts|src|tests|tool|web"


def files(*ends):
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(name for name in folders if not SKIPPED.fullmatch(name))
        yield from (pathlib.Path(folder) / name for name in sorted(names) if name.endswith(ends))


def plain(text):
    """Without blocks of code, in which brackets mean other things."""
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def links(text):
    text = re.sub(r"`[^`\n]*`", lambda code: "`" + " " * (len(code[0]) - 2) + "`", plain(text))
    yield from re.findall(r"\]\(([^)\s]+)\)", text)
    yield from re.findall(r'(?:src|href)="([^"]+)"', text)


def anchors(text):
    """As GitHub and MkDocs make them of headings: small letters, words joined by hyphens."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", plain(text), re.M):
        slug = re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        name, count = slug, 0
        while name in found:
            count += 1
            name = f"{slug}-{count}"
        found.add(name)
    return found


def problems(page):
    text = page.read_text(encoding="utf-8")
    for target in links(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists():
            yield f"{page.relative_to(ROOT)}: there is no {target}"
        elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
            yield f"{page.relative_to(ROOT)}: {name or page.name} has no heading #{anchor}"
    for name in re.findall(rf"`((?:{FOLDERS})/[\w./-]*\w)`", plain(text)):
        if "NAME" not in name and not (ROOT / name).exists():
            yield f"{page.relative_to(ROOT)}: there is no {name}"


class Links(unittest.TestCase):
    def test_all_pages(self):
        pages = list(files(".md"))
        self.assertGreater(len(pages), 50)
        self.assertEqual([problem for page in pages for problem in problems(page)], [])

    def test_pages_that_sources_name(self):
        found = []
        for path in files(".c", ".h", ".py", ".sh", ".yaml", ".cmake", ".mjs", ".txt", "Makefile"):
            if path == pathlib.Path(__file__).resolve():
                continue
            for name in re.findall(r"(?<![\w/.])docs/[\w/]+\.(?:md|json)\b", path.read_text(encoding="utf-8", errors="replace")):
                if "NAME" not in name and not (ROOT / name).exists():
                    found.append(f"{path.relative_to(ROOT)}: there is no {name}")
        self.assertEqual(found, [])

    def test_what_is_wrong_is_found(self):
        self.assertEqual(anchors("# A b, c!\n## `x_y`\n## `x_y`\n"), {"a-b-c", "x_y", "x_y-1"})
        self.assertEqual(list(links("[a](b.md) `[c](d.md)` <img src=\"e.svg\">\n```\n[f](g)\n```\n")), ["b.md", "e.svg"])


if __name__ == "__main__":
    unittest.main()
