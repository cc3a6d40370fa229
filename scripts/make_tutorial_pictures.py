#!/usr/bin/env python3
"""make_tutorial_pictures.py TENON: docs/start/tutorial/step1.svg ... of the models in docs/start/tutorial.md.

The third step changes lines of the second, the fourth includes the second: this puts them together as a reader would.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from make_gallery import slim

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "start" / "tutorial.md"
PICTURES = ROOT / "docs" / "start" / "tutorial"
VIEWS = {1: ["--view", "z"], 2: ["--view", "z"], 4: []}  # the third looks like the second


def steps():
    """The whole files of the four steps."""
    one, two, changes, four = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    crank, _, slide = changes.partition("\n")
    three = re.sub(r"  A: .*\n", lambda _: crank + "\n", two)
    three = re.sub(r"  slide: .*\n", lambda _: slide, three)
    return one, two, three, "tenon: 1\n" + four


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for k, view in VIEWS.items():
            path = pathlib.Path(folder) / f"step{k}.yaml"
            path.write_text(steps()[k - 1], encoding="utf-8")
            done = subprocess.run([program, "draw", path, "--plain", *view, "--svg", "-"], capture_output=True, text=True,
                                  check=True)
            (PICTURES / f"step{k}.svg").write_text(slim(done.stdout), encoding="utf-8")


if __name__ == "__main__":
    main()
