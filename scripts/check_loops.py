#!/usr/bin/env python3
"""check_loops.py [ROOT]: every loop of the libraries that does not count is in docs/developer/loops.md, which says
what ends it, and every loop of that page is in the sources. Prints what is not.

Loops that count are those of `for` with a comparison of sizes; walks go along a list, a table or a text to
its end mark (NULL, an index of nothing, a zero). All others, `while`, `do` and `for (;;)`, are named by
their file and condition, so that they may move within a file.
"""
import re
import sys
from pathlib import Path

PAGE = "docs/developer/loops.md"
BLANK = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
COUNTS = re.compile(r"[<>]")
WALKS = re.compile(r"!= (NULL|\w*NO_\w+|0|'\\0'|TN_DRAW_END)|\*?alias\b|relief->rows|!= k$|!= last->b")
ENDLESS = "for (;;)"


def closing(text, at):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    return len(text)


def loops(text):
    """(line, condition) of each loop that neither counts nor walks. Texts and comments are blanked out to find it."""
    plain = BLANK.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    for match in re.finditer(r"\b(while|for)\s*\(", plain):
        end = closing(plain, match.end() - 1)
        inside, blank = text[match.end():end].replace("\\\n", " "), plain[match.end():end]
        if match.group(1) == "for":
            parts = blank.split(";")
            if len(parts) != 3:
                continue
            inside = inside[len(parts[0]) + 1:len(parts[0]) + 1 + len(parts[1])]
            if COUNTS.search(parts[1].replace("->", "")) or WALKS.search(inside.strip()):
                continue
        condition = " ".join(inside.split()) or ENDLESS
        if condition != "0":  # the end of a macro
            yield plain.count("\n", 0, match.start()) + 1, condition


def check(root):
    """What is wrong, and how many loops were found."""
    text = (root / PAGE).read_text(encoding="utf-8")
    page = set(re.findall(r"^- `([\w./]+)` `(.+)`$", text, re.MULTILINE))
    found, wrong = set(), []
    for path in sorted((root / "src").rglob("*.[ch]")):
        name = path.relative_to(root / "src").as_posix()
        for line, condition in loops(path.read_text(encoding="utf-8")):
            found.add((name, condition))
            if (name, condition) not in page:
                wrong.append(f"src/{name}:{line}: what ends the loop `{condition}`? Add it to {PAGE}")
    wrong += [f"{PAGE}: src/{name} has no loop `{condition}` any more" for name, condition in sorted(page - found)]
    return wrong, len(found)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    wrong, count = check(root)
    print("\n".join(wrong) if wrong else f"loops: {count}, each with its end")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
