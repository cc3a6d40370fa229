#!/usr/bin/env python3
"""check_words.py [ROOT]: words that Tenon does not use, where they stand, and what to write instead.

Documentation, changelog and messages (texts in the sources of library and tool) have none. Comments of the sources have
at most as many as CEILINGS allows to their room; a ceiling may only fall. `check_words.py --count` prints the present
numbers, `check_words.py --where ROOM` each line.
"""
import re
import sys
from pathlib import Path

# what is not used: what to write
WORDS = {
    r"who|whom|nobody|somebody|everybody|anybody": "name the function or the file: things do not act",
    r"told|tells?|telling|untold": "report, return, set",
    r"asks|asked": "evaluate, compute, request, require",
    r"looks (?:at|for|into)|looked(?! up)": "read, search, check; a sample or an output time for a look",
    r"wish|wishes|wished": "requested values, initial conditions",
    r"judged?|judges|judging": "verify, verification",
    r"books?": "energy accounting",
    r"limbs?": "link, body",
    r"crews?": "thread pool, worker",
    r"stances?": "tree, pose of a tree",
    r"folds?|folded": "singular configuration, change point, dead point",
    r"rubs?|rubbed|rubbing": "friction acts, slides",
    r"given motions?": "prescribed motion",
    r"in turn": "in parallel, alternately, one after the other",
    r"sets? out|setting out|stands? up": "initialise, begin, restart",
    r"so many times|as often as that": "the factor, with its name",
    r"where others? looks?": "cached, on demand, write back",
    r"strangers?|sessions?|the other machine": "facts about the product only",
}
PATTERN = re.compile(r"\b(?:" + "|".join(WORDS) + r")\b", re.I)

# room: how many of these words its comments may have; a room that is not here has none
CEILINGS = {
    "method": 52,
    "motion": 6,
}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
TEXT = re.compile(r'"((?:\\.|[^"\\\n])*)"')
CODE = re.compile(r"^```.*?^```|^    .*?$|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>|https?://\S+", re.S | re.M)


def blank(match):
    return re.sub(r"[^\n]", " ", match.group(0))


def found(text, name):
    """name:line: word of each."""
    for match in PATTERN.finditer(text):
        yield f"{name}:{text.count(chr(10), 0, match.start()) + 1}: '{match.group(0)}': {instead(match.group(0))}"


def instead(word):
    return next(advice for words, advice in WORDS.items() if re.fullmatch(words, word, re.I))


def pages(root):
    yield from sorted((root / "docs").rglob("*.md"))
    for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "bindings/python/README.md", "web/npm/README.md"):
        if (root / name).exists():
            yield root / name


def sources(root):
    for folder in ("src", "tool", "include"):
        yield from sorted((root / folder).rglob("*.[ch]"))


def room(path, root):
    """The house that a file is in: law for src/law/limits/limits.c, tool for all of the tool, include for the headers."""
    parts = path.relative_to(root).parts
    return parts[1] if parts[0] == "src" else parts[0]


def comments(text):
    """The text with all but its comments blanked out; names of files, functions and rooms are none of their words."""
    at, kept = 0, []
    for match in COMMENT.finditer(TEXT.sub(blank, text)):
        kept += [re.sub(r"[^\n]", " ", text[at:match.start()]), match.group(0)]
        at = match.end()
    return re.sub(r"[\w/]+\.[chy]\w*\b|\w+_\w+|\b[Rr]oom [a-z/]+(?=[:.])", blank, "".join(kept))


def messages(text):
    """All but the texts blanked out; directives of the preprocessor but macros have none."""
    text = re.sub(r"^[ \t]*#[ \t]*include[^\n]*", blank, COMMENT.sub(blank, text), flags=re.M)
    at, kept = 0, []
    for match in TEXT.finditer(text):
        kept += [re.sub(r"[^\n]", " ", text[at:match.start()]), match.group(0)]
        at = match.end()
    return re.sub(r"\w+_\w+|'[^'\n]*'", blank, "".join(kept))


def in_prose(root):
    for path in pages(root):
        yield from found(CODE.sub(blank, path.read_text(encoding="utf-8")), path.relative_to(root))


def in_messages(root):
    for path in sources(root):
        yield from found(messages(path.read_text(encoding="utf-8")), path.relative_to(root))


def in_comments(root):
    """{room: [line, ...]}"""
    rooms = {}
    for path in sources(root):
        rooms.setdefault(room(path, root), []).extend(found(comments(path.read_text(encoding="utf-8")), path.relative_to(root)))
    return rooms


def check(root, ceilings=None):
    problems = [*in_prose(root), *in_messages(root)]
    for name, lines in in_comments(root).items():
        most = (CEILINGS if ceilings is None else ceilings).get(name, 0)
        if len(lines) > most:
            problems.append(f"comments of {name} have {len(lines)} words that are not used, over {most}: "
                            f"python3 scripts/check_words.py --where {name}")
    return problems


def main():
    root = Path(__file__).resolve().parent.parent
    if "--count" in sys.argv:
        for name, lines in sorted(in_comments(root).items()):
            if lines:
                print(f'    "{name}": {len(lines)},')
        return 0
    if "--where" in sys.argv:
        print("\n".join(in_comments(root).get(sys.argv[-1], [])))
        return 0
    problems = check(Path(sys.argv[1]) if len(sys.argv) > 1 else root)
    print("\n".join(problems) or "words: nothing found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
