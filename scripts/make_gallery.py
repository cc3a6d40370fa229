#!/usr/bin/env python3
"""make_gallery.py [--check] TENON: docs/start/examples.md and its pictures, made of the models in examples/.

A model's entry is the first paragraph of its head and its picture (`tenon draw --plain`); a generator's is
that of its documentation and a picture of what it writes. With --check nothing is written: answers 1 if the
page is not what would be written or a picture is missing. Examples that are in no group here come last.
"""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
PAGE = ROOT / "docs" / "start" / "examples.md"
PICTURES = ROOT / "docs" / "start" / "examples"

# group: files in order, each with what `tenon draw` is told
GROUPS = {
    "From the guide that Tenon follows": {
        "rigid_body_joint.yaml": [],
        "four_bar_linkage.yaml": [],
        "four_bar_hard.yaml": ["--time", "0.4"],
    },
    "Linkages": {
        "double_pendulum.yaml": ["--time", "0.3"],
        "slider_crank.yaml": [],
        "bricard.yaml": [],
        "n_four_bar_40.yaml": ["--set", "n=3", "--time", "0.3", "--view", "z"],
        "peaucellier.yaml": ["--view", "z"],
        "jansen.yaml": ["--set", "legs=2", "--view", "z"],
        "cardan_shaft.yaml": ["--view", "y"],
        "chain.yaml": ["--set", "n=8", "--time", "0.2"],
    },
    "Machines and bodies": {
        "excavator.yaml": ["--time", "3"],
        "stewart.yaml": [],
        "car_suspension.yaml": [],
        "mcpherson.yaml": ["--view", "x"],
        "winding_stop.yaml": [],
        "crane.yaml": ["--time", "1.5"],
        "atwood.yaml": ["--time", "0.4"],
        "clock_train.yaml": ["--view", "y"],
        "clutch.yaml": [],
        "ragdoll.yaml": ["--time", "0.4"],
    },
    "Flexible bodies": {
        "flexible_four_bar.yaml": ["--time", "4"],
        "leaf_spring.yaml": ["--time", "2.5"],
        "rubber_mount.yaml": ["--time", "0.3"],
    },
    "In the plane": {
        "pendulum.yaml": ["--time", "0.2"],
        "planar_crank.yaml": [],
        "planar_weld_cantilever.yaml": [],
        "desk_lamp.yaml": [],
        "scissor_lift.yaml": ["--time", "6"],
        "wiper.yaml": [],
        "footbridge.yaml": ["--time", "2"],
        "truck.yaml": ["--time", "2"],
        "winch.yaml": [],
    },
}

HEAD = """\
# Examples

All models in `examples/`, with a line on each. `tenon run examples/NAME.yaml --csv motion.csv` simulates one, `tenon check` explains its constraints, `tenon
draw` shows it. Many of them are changed
by one number: `tenon run examples/jansen.yaml --set legs=4`.
A model of each type of joint is in `examples/joints`, on the pages of [the joints](../reference/joints/README.md).
"""


def head(path):
    """The first paragraph of a file's head as one line."""
    text = path.read_text(encoding="utf-8")
    lines = []
    for line in text.splitlines():
        if line.rstrip() == "#" or not line.startswith("#"):
            break
        lines.append(line[1:].strip())
    paragraph = " ".join(lines)
    return " ".join(paragraph.split())


def slim(svg):
    """The same picture in a smaller file: tenths of a pixel, colours written once."""
    svg = re.sub(r' d="[^"]*"', lambda path: re.sub(r"\.0\b", "", re.sub(r"(\.\d)\d", r"\1", path.group())), svg)
    colours = {}

    def name(match):
        return f'<path class="c{colours.setdefault(match.group(1), len(colours))}"'

    svg = re.sub(r'<path fill="(#\w+)" stroke="\1"', name, svg)
    rules = "".join(f".c{index}{{fill:{colour};stroke:{colour}}}\n" for colour, index in colours.items())
    return svg.replace("</style>", rules + "</style>", 1)


def picture(program, name, options):
    command = [program, "draw", EXAMPLES / name, "--plain", *options, "--svg", "-"]
    return slim(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def groups():
    """GROUPS, and what is in none of them."""
    listed = {name for members in GROUPS.values() for name in members}
    rest = {path.name: [] for path in sorted(EXAMPLES.glob("*.yaml")) if path.name not in listed}
    return {**GROUPS, **({"More": rest} if rest else {})}


def entries():
    return [(name, options) for group in groups().values() for name, options in group.items()]


def stem(name):
    return pathlib.Path(name).stem


def page():
    lines = [HEAD]
    for group, members in groups().items():
        lines += [f"## {group}\n", "| | |", "|---|---|"]
        for name, options in members.items():
            file = name
            image = "" if options is None else f'<img src="examples/{stem(name)}.svg" width="260" alt="{stem(name)}">'
            lines.append(f"| {image} | **[{file}](../../examples/{file})**<br>{head(EXAMPLES / file)} |")
        lines.append("")
    return "\n".join(lines)


def problems():
    found = []
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        found.append("docs/start/examples.md is stale: python3 scripts/make_gallery.py build/tenon")
    wanted = {f"{stem(name)}.svg" for name, options in entries() if options is not None}
    present = {path.name for path in PICTURES.glob("*")}
    found += [f"docs/start/examples/{name} is missing" for name in sorted(wanted - present)]
    found += [f"docs/start/examples/{name} is about no example" for name in sorted(present - wanted)]
    return found


def main():
    if "--check" in sys.argv:
        for problem in problems():
            print(problem)
        return 1 if problems() else 0
    program = sys.argv[-1]
    PICTURES.mkdir(exist_ok=True)
    for name, options in entries():
        if options is not None:
            (PICTURES / f"{stem(name)}.svg").write_text(picture(program, name, options), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
