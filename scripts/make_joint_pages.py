#!/usr/bin/env python3
"""make_joint_pages.py [--check] TENON: the pages docs/reference/joints/<name>.md and their figures.

A page is put together from what the registry says (`tenon joints NAME --markdown`), what people wrote
(docs/reference/joints/text/<name>.md: Frames, Singularities, Compliance), the figure (`tenon draw`) and the joint as it
stands in examples/joints/<name>.yaml. With --check nothing is written: answers 1 if a page is missing or not
what would be written, but for last digits of figures.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "reference" / "joints"
EXAMPLES = ROOT / "examples" / "joints"
SECTIONS = ["Frames", "Singularities", "Compliance"]

COMPLIANCE = """\
A row with compliance C gives way by dq = C f under a load f: choose C = dq / f from the deflection dq (m or rad) that is
acceptable under the load f (N or N m) that is expected. Damping D = 2 zeta sqrt(m_eff / C) lets it settle with
damping ratio zeta, where m_eff is the mass the row moves, 1 / K_kk of `tenon inspect`. `linear_compliance` and
`rotary_compliance` set all rows of a kind, critically damped. C = 0, the default, is hard.
"""


def tenon(program, *arguments):
    run = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SystemExit(f"tenon {' '.join(map(str, arguments))}: {run.stderr}")
    return run.stdout


def types(program):
    """(name, sentence about it) of each type, in the order of the registry."""
    return re.findall(r"^# (\S+)\n\n(.*)$", tenon(program, "joints", "--markdown"), re.MULTILINE)


def written(name):
    """The hand-written sections by title."""
    path = PAGES / "text" / f"{name}.md"
    if not path.exists():
        raise SystemExit(f"{path.relative_to(ROOT)} is missing: write {', '.join(SECTIONS)}")
    parts = re.split(r"^## (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    found = dict(zip(parts[1::2], (part.strip() + "\n" for part in parts[2::2])))
    if list(found) != SECTIONS:
        raise SystemExit(f"{path.relative_to(ROOT)} has the sections {list(found)}, not {SECTIONS}")
    return found


def example(name):
    """The first joint of this type in its example: its name, and its lines."""
    path = EXAMPLES / f"{name}.yaml"
    if not path.exists():
        raise SystemExit(f"{path.relative_to(ROOT)} is missing")
    text = path.read_text(encoding="utf-8")
    joints = text.split("\njoints:\n")[1].split("\nsimulation:")[0]
    for match in re.finditer(r"^  (\S[^:\n]*):\n((?:    .*\n)+)", joints + "\n", re.MULTILINE):
        if re.search(rf"^    type: {name}$", match.group(2), re.MULTILINE):
            return match.group(1), "joints:\n" + match.group(0)
    raise SystemExit(f"{path.relative_to(ROOT)} has no {name}")


def figure(program, name):
    joint, _ = example(name)
    return tenon(program, "draw", EXAMPLES / f"{name}.yaml", "--joint", joint, "--values", "--svg", "-")


def page(program, name):
    head, tables = tenon(program, "joints", name, "--markdown").split("\n## Coordinates", 1)
    text = written(name)
    _, lines = example(name)
    return "\n".join([
        head.rstrip() + "\n",
        f"![{name}]({name}.svg)\n",
        "The figure shows frame D as lines, frame C as arrows: x red, y green, z blue.\n",
        "## Frames\n",
        text["Frames"],
        ("## Coordinates" + tables).rstrip() + "\n",
        "Bilateral rows are constraints; motion rows carry the limit or lock of their coordinate.\n",
        "## Singularities\n",
        text["Singularities"],
        "## Compliance\n",
        text["Compliance"],
        COMPLIANCE,
        "## Example\n",
        f"From [examples/joints/{name}.yaml](../../../examples/joints/{name}.yaml):\n",
        "```yaml",
        lines.rstrip(),
        "```\n",
        f"`tenon run examples/joints/{name}.yaml` simulates it, `tenon draw examples/joints/{name}.yaml --svg out.svg`",
        "draws it.",
        "",
    ])


def index(program):
    lines = ["# Joints\n", "The types of joint, as `tenon joints` lists them.\n", "| | joint |", "|---|---|"]
    for name, sentence in types(program):
        lines.append(f'| <img src="{name}.svg" width="200" alt="{name}"> | **[{name}]({name}.md)**<br>{sentence} |')
    return "\n".join(lines) + "\n"


NUMBER = re.compile(r"-?\d+\.\d+")
LAST_DIGIT = 0.02  # pixels: two of what the pictures are rounded to


def alike(one, other):
    """The same picture but for the last digits, which are the compiler's."""
    numbers = zip(NUMBER.findall(one), NUMBER.findall(other))
    return NUMBER.sub("", one) == NUMBER.sub("", other) and all(abs(float(a) - float(b)) < LAST_DIGIT for a, b in numbers)


def files(program):
    """path: content, of everything this script makes."""
    made = {PAGES / "README.md": index(program)}
    for name, _ in types(program):
        made[PAGES / f"{name}.md"] = page(program, name)
        made[PAGES / f"{name}.svg"] = figure(program, name)
    return made


def is_current(path, content):
    if not path.exists():
        return False
    present = path.read_text(encoding="utf-8")
    return alike(present, content) if path.suffix == ".svg" else present == content


def main():
    check = "--check" in sys.argv
    program = sys.argv[-1]
    made = files(program)
    stale = [path for path, content in made.items() if not is_current(path, content)]
    extra = [path for path in PAGES.glob("*.*") if path not in made]
    if check:
        for path in stale + extra:
            print(f"{path.relative_to(ROOT)} is {'stale' if path in stale else 'not about a joint'}")
        return 1 if stale or extra else 0
    for path, content in made.items():
        path.write_text(content, encoding="utf-8")
    for path in extra:
        path.unlink()
    print(f"{len(made)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
