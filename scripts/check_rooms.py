#!/usr/bin/env python3
"""check_rooms.py [ROOT]: who includes and who calls whom. Prints file:line of whatever breaks a rule.

1. A room includes only itself and the rooms above it in ROOMS (the order of the design).
2. Some rooms see even less: FORBIDDEN.
3. Public headers include public headers and the C library's, nothing else.
4. Every project header is found, and by its full name ("room/file.h", "tenon/topic.h"); those of the
   tool by their name in its folder.
5. No circle of includes.
6. A room calls, and promises in its headers, only functions of itself and the rooms above it. What
   goes the other way is a pointer in a struct, as the operations of an integrator (method/method.h).
7. Integrators are named in room method and in the public headers only: others ask what they do.
8. Files that a comment names are there.
9. No function of real numbers is called that C libraries round differently: room real has its own.
10. A function is one stage: of at most 60 lines; half of all have at most 10, nine of ten at most 22.
11. A room has at most 15 files. In rooms of files that are alike (ALIKE) those are not counted.
12. A room has a contract: the head of one of its files names it and says what comes in and what goes out.
"""

import re
import sys
from collections import Counter
from pathlib import Path

# A room with a stroke is an inner one; what stands before the stroke is its house.
ROOMS = ["tenon", "base", "crew", "real", "quantity", "math", "math/dense", "math/formula", "math/function", "element", "sparse/order", "sparse/front", "sparse/tree", "sparse", "sparse/factor", "reduce",
         "spec/joint", "spec/shape", "spec", "spec/flexible", "spec/measure", "spec/validate",
         "joint", "joint/turn", "joint/point", "joint/custom", "joint/type", "force",
         "model", "model/graph", "model/compile", "state", "assemble", "assemble/load", "solve/mlcp", "solve", "coords",
         "motion", "motion/tree", "motion/closing", "motion/ahead", "redundancy/loops", "law/drives", "law/limits", "law/impact", "law",
         "method", "method/alpha", "method/angles", "method/loops", "method/links", "method/hinges", "method/blocks", "method/linkage", "method/space", "method/pinned", "method/evaluate", "method/stages", "method/euler", "method/integrator",
         "step/part", "step/event", "step", "sim", "measure", "measure/lint", "measure/drawing", "measure/solids", "redundancy", "lanes", "batch",
         "file", "record/frame", "record/gltf", "record/format", "record", "io/text", "io/mesh", "io/solid", "io/tree", "io/reader", "io/value",
         "io/field", "io/section", "import/xml", "import/robot", "import/urdf", "import/mjcf", "import", "io", "study", "tool", "tool/mesh", "tool/picture", "tool/pick", "tool/table", "tool/page",
         "tool/report", "tool/studies", "tool/sweeps", "tool/runs", "tool/command"]

# room: rooms above it that it must not see, and why
FORBIDDEN = {
    "solve": (["spec", "joint", "force"], "the solver sees systems, never joints"),
    "io": (["model", "state", "assemble", "solve", "coords", "motion", "law", "method", "step", "sim",
            "measure", "redundancy", "record"],
           "a reader produces a description, it never touches a model"),
}
FORBIDDEN["import"] = FORBIDDEN["io"]

# (caller, called): rooms below that may be called all the same, through public headers
ASKED = {
    ("spec", "joint"),  # validators ask the registry of joint types
}

# rooms in which most files are rows of one table, one file each: what such a file has in it
ALIKE = {
    "method/links": re.compile(r"where bodies are planar"),  # the same passes in fewer numbers
    "tenon": re.compile(""),  # a topic of the interface
    "joint/type": re.compile(r"^const tn_joint_class tn_joint_class_", re.MULTILINE),  # a type of joint
    "io/field": re.compile(r"^const tn_field_kind tn_field_", re.MULTILINE),  # kinds of fields of model files
}
FILES = 15

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)


def room_of(path, root):
    parts = path.relative_to(root).parts
    return "/".join(parts[1:-1] if parts[0] in ("src", "include") else parts[:-1])


def house_of(room):
    """The room that an inner room (law/limits) is in."""
    return room.split("/")[0]


def includes(path):
    """(line, name, quoted) of each include directive."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield line, match.group(1) or match.group(2), match.group(1) is not None


def resolve(name, path, root):
    """The project file an include means, or None for one of the system's."""
    own = [root / "tool"] if house_of(room_of(path, root)) == "tool" else []
    for base in (root / "include", root / "src", *own):
        if (base / name).is_file():
            return base / name
    return None


def problem(path, name, quoted, root):
    """Why this include is not allowed, or None."""
    target = resolve(name, path, root)
    if target is None:
        return f'"{name}" is not found by its full name' if quoted else None
    room, seen = room_of(path, root), room_of(target, root)
    if room == "tenon" and seen != "tenon":
        return f"a public header includes the internal {name}"
    if ROOMS.index(seen) > ROOMS.index(room):
        return f"room {room} includes {name}, but room {seen} is below it"
    unseen, why = FORBIDDEN.get(house_of(room), ([], ""))
    if house_of(seen) in unseen:
        return f"room {room} includes {name}: {why}"
    return None


def circle(graph):
    """Some circle of includes as a list of files, or None."""
    done, trail = set(), []

    def visit(node):
        if node in trail:
            return trail[trail.index(node):] + [node]
        if node in done:
            return None
        trail.append(node)
        for following in graph.get(node, []):
            found = visit(following)
            if found:
                return found
        done.add(trail.pop())
        return None

    for node in sorted(graph):
        found = visit(node)
        if found:
            return found
    return None


COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
DEFINITION = re.compile(r"^(?!static|TN_INLINE|typedef|return|else)[A-Za-z_][\w \t*]*?\b(\w+)\([^;{}]*\)\s*\{",
                        re.MULTILINE)
CALL = re.compile(r"\b(\w+)\s*\(")
INTEGRATOR = re.compile(r"^    X\((TN_\w+),", re.MULTILINE)


def code_of(path):
    """The text without comments and strings, its lines where they were."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    text = COMMENT.sub(blank, path.read_text(encoding="utf-8"))
    return re.sub(r'^[ \t]*#[ \t]*include[^\n]*', "", STRING.sub(blank, text), flags=re.MULTILINE)


def upward_calls(code, root):
    """Problems of rule 6."""
    home = {}
    for path, text in code.items():
        if path.suffix == ".c" and room_of(path, root) in ROOMS:
            for match in DEFINITION.finditer(text):
                home[match.group(1)] = room_of(path, root)
    for path, text in code.items():
        room = room_of(path, root)
        if room == "tenon" or room not in ROOMS:
            continue
        for match in CALL.finditer(text):
            called = home.get(match.group(1), room)
            if ROOMS.index(called) > ROOMS.index(room) and (house_of(room), house_of(called)) not in ASKED:
                line = text.count("\n", 0, match.start()) + 1
                yield (f"{path.relative_to(root)}:{line}: room {room} calls {match.group(1)}, "
                       f"but room {called} is below it")


def named_integrators(code, root):
    """Problems of rule 7."""
    public = root / "include" / "tenon" / "simulation.h"
    listed = public.read_text(encoding="utf-8") if public.is_file() else ""
    start = listed.find("define TN_INTEGRATOR_LIST")
    names = INTEGRATOR.findall(listed[start:listed.find("typedef enum tn_integrator", start)])
    for path, text in code.items():
        if house_of(room_of(path, root)) in ("method", "tenon"):
            continue
        for name in names:
            match = re.search(rf"\b{name}\b", text)
            if match:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{line}: {name} is named outside of room method"


NAMED = re.compile(r"(?<![\w./])([\w/]+\.(?:[chm]|py|md|sh|ts|yaml))\b")
ASIDE = re.compile(r"^(build|\.git)")


ROUNDED = re.compile(r"(?<![\w.>])(a?(?:sin|cos|tan)h?|atan2|exp[2m]?1?|log(?:2|10|1p)?|pow|cbrt|hypot|l?gamma|erfc?)f?\s*\(")


def rounded_calls(code, root):
    """Problems of rule 9."""
    for path, text in code.items():
        if house_of(room_of(path, root)) in ("tenon", "tool"):
            continue
        for match in ROUNDED.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path.relative_to(root)}:{line}: {match.group(1)} is rounded by the C library's leave"


BODY = re.compile(r"^\{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
LONGEST, USUAL = 60, ((0.5, 10), (0.9, 22))  # lines; share of the functions, lines


def long_functions(files, root):
    """Problems of rule 10."""
    lengths = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        for match in BODY.finditer(text):
            lengths.append(match.group(1).count("\n"))
            if lengths[-1] > LONGEST:
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{line}: a function of {lengths[-1]} lines"
    lengths.sort()
    for share, most in USUAL:
        if lengths and lengths[int(share * (len(lengths) - 1))] > most:
            yield f"{share:.0%} of the functions have up to {lengths[int(share * (len(lengths) - 1))]} lines, over {most}"


def crowded_rooms(files, root):
    """Problems of rule 11."""
    unlike = Counter()
    for path in files:
        room = room_of(path, root)
        if room not in ALIKE or not ALIKE[room].search(path.read_text(encoding="utf-8")):
            unlike[room] += 1
    for room, count in unlike.items():
        if count > FILES:
            yield f"room {room} has {count} files that are not alike, over {FILES}"


HEAD = re.compile(r"\A/\*.*?\*/", re.DOTALL)
CONTRACT = r"\b[Rr]oom:? {}\b(?![/\w]).*\b[Ii]n(?: and out)?:.*"


def rooms_without_contract(files, root):
    """Problems of rule 12."""
    rooms, told = set(), set()
    for path in files:
        room = room_of(path, root)
        rooms.add(room)
        head = HEAD.search(path.read_text(encoding="utf-8"))
        if head and re.search(CONTRACT.format(re.escape(room)), head.group(0), re.DOTALL):
            told.add(room)
    for room in sorted(rooms - told - {"tenon"}):
        yield f"room {room}: no head says what comes in and what goes out"


def known_files(root):
    """Every file of the project by its name, and by as much of its path as one may write."""
    names = set()
    for top in root.iterdir():
        for path in ([top] if top.is_file() else top.rglob("*") if not ASIDE.match(top.name) else []):
            parts = path.relative_to(root).parts
            names.update("/".join(parts[k:]) for k in range(len(parts)))
    return names


def missing_files(files, root):
    """Problems of rule 8."""
    names = known_files(root)
    for path in files:
        text = path.read_text(encoding="utf-8")
        for comment in COMMENT.finditer(text):
            for match in NAMED.finditer(comment.group(0)):
                if match.group(1) not in names:
                    line = text.count("\n", 0, comment.start() + match.start()) + 1
                    yield f"{path.relative_to(root)}:{line}: there is no {match.group(1)}"


def check(root, heads=False):
    problems, graph = [], {}
    folders = [root / "include" / "tenon", root / "src", root / "tool"]
    files = sorted(f for folder in folders for f in folder.rglob("*.[ch]"))
    for path in files:
        if room_of(path, root) not in ROOMS:
            problems.append(f"{path.relative_to(root)}: this room is not in the list of rooms")
            continue
        graph[path] = []
        for line, name, quoted in includes(path):
            why = problem(path, name, quoted, root)
            if why:
                problems.append(f"{path.relative_to(root)}:{line}: {why}")
            target = resolve(name, path, root)
            if target is not None:
                graph[path].append(target)
    code = {path: code_of(path) for path in files}
    problems += upward_calls(code, root)
    problems += named_integrators(code, root)
    problems += missing_files(files, root)
    problems += rounded_calls(code, root)
    problems += long_functions(files, root)
    problems += crowded_rooms(files, root)
    if heads:
        problems += rooms_without_contract(files, root)
    found = circle(graph)
    if found:
        problems.append("circle: " + " -> ".join(str(f.relative_to(root)) for f in found))
    if not files:
        problems.append(f"{root}: no source files")
    return problems


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = check(root, heads=True)
    print("\n".join(problems) if problems else "rooms: nothing found")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
