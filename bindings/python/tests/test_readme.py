"""The program in README.md runs and says what closed forms say."""

import math
import re
import subprocess
import sys

from conftest import PROJECT

CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.5, 0.4, math.hypot(0.6, 0.1)


def rocker_angle(reach):
    """rad, between ground and rocker when crank and coupler reach so far (law of cosines)."""
    return math.acos((GROUND ** 2 + ROCKER ** 2 - reach ** 2) / (2 * GROUND * ROCKER))


def test_program(tmp_path):
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    program, = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert len(program.splitlines()) <= 20
    path = tmp_path / "program.py"
    path.write_text(program, encoding="utf-8")
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=True)
    swing = float(re.search(r"swings through ([\d.]+) deg", done.stdout)[1])
    exact = math.degrees(rocker_angle(COUPLER + CRANK) - rocker_angle(COUPLER - CRANK))
    assert abs(swing - exact) < 0.05  # the ends of the swing lie between two frames of 10 ms
    assert swing <= exact
    # crank upright at -90 deg or 90: hip where circles about its end and the base meet
    at = float(re.search(r"rocker at (-?[\d.]+) deg", done.stdout)[1])
    angle = math.radians(at)
    hip = (0.6 + 0.4 * math.sin(angle), -0.1 + 0.4 * math.cos(angle))
    assert abs(math.dist(hip, (0.0, -CRANK)) - COUPLER) < 1e-5
    assert float(re.search(r"closed to (\S+),", done.stdout)[1]) < 1e-12
