"""The reference of the C interface as Markdown, made of the public headers.

A declaration and the comment above it become a section; comments within a declaration stay in it. Names of the
interface in the text are links. No Doxygen: the comments are plain text without its commands, which is all that this
needs to know, and the pages look like the others.
"""
import re

COMMENT = r"/\*(?:(?!\*/).)*\*/"
NAME = re.compile(r"\b(?:tn_\w+|TN_\w+)\b")


def text_of(comment):
    """A comment as paragraphs of plain text."""
    lines = [re.sub(r"^ ?\* ?", "", line) for line in comment.strip()[2:-2].splitlines()]
    return "\n".join(line.rstrip() for line in lines).strip()


def blocks(text):
    """The items of a header at its top level: (comment, code). A struct or enum reaches to its closing brace."""
    at = 0
    while True:
        match = re.compile(rf"^(?:({COMMENT})\n)?(?=(?:TN_API|typedef|TN_INLINE|#define TN_|struct tn_|enum)\b|#define TN_)",
                           re.S | re.M).search(text, at)
        if match is None:
            return
        start = match.end()
        if text.startswith("#define", start):
            end = re.compile(r"(?<!\\)\n|\Z").search(text, start).start()
        else:
            end, depth = start, 0
            while end < len(text):
                if text.startswith("/*", end):
                    end = text.index("*/", end) + 2
                    continue
                letter = text[end]
                depth += (letter == "{") - (letter == "}")
                end += 1
                if depth == 0 and (letter == ";" or (letter == "}" and text.startswith("TN_INLINE", start))):
                    break
            rest = re.compile(r"[ \t]*/\*[^\n]*\*/").match(text, end)  # a comment behind it
            end = rest.end() if rest else end
        yield (text_of(match.group(1)) if match.group(1) else ""), text[start:end]
        at = end


def constants(plain):
    return re.findall(r"^\s*(TN_\w+)\b", plain, re.M) if "enum" in plain[:20] else []


def names(code):
    """What a declaration declares: its heading first."""
    plain = re.sub(COMMENT, "", code, flags=re.S)
    if plain.startswith("#define"):
        return re.findall(r"#define (TN_\w+)", plain)[:1]
    if plain.startswith("typedef"):
        function = re.match(r"typedef [^{;]*\(\*(tn_\w+)\)", plain)
        last = re.search(r"(\w+);\s*$", plain.strip())
        head = function.group(1) if function else last.group(1) if last else ""
        return [head, *constants(plain)] if head else constants(plain)
    if plain.startswith("enum"):
        return constants(plain)
    found = re.search(r"\b(tn_\w+)\s*\(", plain)
    return [found.group(1)] if found else []


def sentence(text):
    text = text.strip()
    return text[:1].upper() + text[1:]


def shown(code):
    return re.sub(r"^(TN_API|TN_INLINE) ", "", code).strip()


def linked(text, homes, page):
    def one(match):
        home = homes.get(match.group(0))
        if home is None:
            return f"`{match.group(0)}`"
        file, anchor = home
        return f"[`{match.group(0)}`]({'' if file == page else file + '.md'}#{anchor})"
    parts = re.split(f"({NAME.pattern})", text)
    return "".join(one(NAME.match(part)) if k % 2 else re.sub(r"([\\*_<>|\[\]`])", r"\\\1", part) for k, part in enumerate(parts))


def items(folder):
    """{page: (head, [(comment, code, names)])}."""
    found = {}
    for path in sorted(folder.glob("*.h")):
        text = path.read_text(encoding="utf-8")
        head = text_of(re.match(COMMENT, text, re.S).group(0))
        body = text[text.index("*/") + 2:]
        listed = [(comment, code, names(code)) for comment, code in blocks(body)]
        found[path.stem] = (head, [item for item in listed if item[2] and not re.fullmatch(r"TENON_\w+_H|TN_API|TN_PRINTF", item[2][0])])
    return found


def pages(folder):
    """{name: Markdown} for each header and an index of all names."""
    found = items(folder)
    homes = {}
    for page, (_, listed) in found.items():
        for _, _, declared in listed:
            for name in declared:
                homes.setdefault(name, (page, declared[0].lower()))
    made, index = {}, []
    for page, (head, listed) in found.items():
        first, _, rest = head.partition(":")
        lines = [f"# `tenon/{page}.h`", "", linked(sentence(rest or first), homes, page), ""]
        for comment, code, declared in listed:
            lines += [f"## {declared[0]}", "", linked(comment, homes, page), "", "```c", shown(code), "```", ""]
            if declared[0].startswith("tn_") and "(" in code and not code.startswith("typedef"):
                index.append((declared[0], page))
        made[page] = "\n".join(lines)
    lines = ["# C reference", "", "One page a header, made of its comments. Start with [the C interface by task](../../howto/c_interface.md).", ""]
    lines += [f"- [`tenon/{page}.h`]({page}.md): {linked(found[page][0].partition(':')[2].split('.')[0].strip(), homes, '')}" for page in found]
    lines += ["", "## All functions", "", *(f"- [`{name}`]({page}.md#{name})" for name, page in sorted(index)), ""]
    made["index"] = "\n".join(lines)
    return made
