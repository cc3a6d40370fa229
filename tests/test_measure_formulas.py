#!/usr/bin/env python3
"""Formulas of measures: their values are those of what they are made of, in their units, in parts, before and behind
the measures that they name; what is wrong with them is told where they stand.

TENON names the program.
"""
import csv
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))

ARMS = """tenon: 1
angle: deg
parameters: {radius: 0.2 m, offset: 10 deg}
bodies:
  a: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0]}
  b: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [1.5, 0, 0]}
joints:
  p: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0], spring: {theta: {stiffness: 20 N m/rad}}}
  q: {type: hinge, a: b, b: a, origin: [1, 0, 0], axis: [0, 1, 0]}
measures:
  early: =2*lean
  pull: {reaction: p, axes: world}
  lean: =p.theta + q.theta - offset
  arc: {formula: "radius*p.theta", above: 0.01}
  size: "=sqrt(pull.fx^2 + pull.fz^2)"
  power: =p.theta.effort*p.theta.speed
  wave: =5 deg*sin(2*pi*t/1 s)
  sign: "=p.theta > 0 ? 1 : -1"
  wild: =1/(p.theta - p.theta)
simulation: {duration: 0.4}
"""

LEGS = """tenon: 1
parts:
  arm:
    parameters: {radius: 0.2 m, v: [1 m, 2 m, 3 m]}
    bodies:
      a: {mass: 1, inertia: [0.01, 0.01, 0.01], position: [0.5, 0, 0]}
    joints:
      p: {type: hinge, a: a, origin: [0, 0, 0], axis: [0, 1, 0]}
    measures:
      arc: =radius*p.theta + v.y*0
instances:
  x: {part: arm, repeat: 2, parameters: {radius: =0.1 m*(index+1)}}
measures:
  sum: "=x[0].arc + x[1].arc"
  plain: "=x[0].p.theta"
simulation: {duration: 0.1}
"""


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False)


class Cost(unittest.TestCase):
    def test_each_measure_is_evaluated_once(self):
        """Four names a level, in two measures a level: 8^14 evaluations if each name were one."""
        levels = 14
        text = "tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nmeasures:\n"
        for k in range(levels):
            for name in "pq":
                text += f'  {name}{k}: "=p{k + 1} + q{k + 1} + p{k + 1} + q{k + 1}"\n'
        text += f"  p{levels}: =t\n  q{levels}: =2*t\nsimulation: {{duration: 1 s, step: 0.5}}\n"
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.yaml"
            path.write_text(text)
            done = tenon("run", path, "--csv", path.with_suffix(".csv"), "--quiet")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = [line for line in path.with_suffix(".csv").read_text().splitlines() if not line.startswith("#")]
            row = list(csv.DictReader(lines))[-1]
        self.assertEqual(float(row["p0"]), 2.0 * 3.0 * 4.0 ** (levels - 1))


class Formulas(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)

    def run_model(self, text):
        (self.folder / "m.yaml").write_text(text)
        done = tenon("run", self.folder / "m.yaml", "--csv", self.folder / "m.csv", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "m.csv").read_text().splitlines()
        units = lines[0][len("# units: "):].split(",")
        rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
        return dict(zip(rows[0], units)), [{key: float(value) for key, value in row.items()} for row in rows]

    def test_values(self):
        units, rows = self.run_model(ARMS)
        self.assertEqual([units[name] for name in ("early", "lean", "arc", "size", "power", "wave", "sign")],
                         ["deg", "deg", "m", "N", "W", "deg", "1"])
        for row in rows:
            p, q = row["p.theta"], row["q.theta"]
            self.assertAlmostEqual(row["lean"], p + q - 10, delta=1e-11)
            self.assertAlmostEqual(row["early"], 2 * row["lean"], delta=1e-11)
            self.assertAlmostEqual(row["arc"], 0.2 * math.radians(p), delta=1e-13)
            self.assertAlmostEqual(row["size"], math.hypot(row["pull.fx"], row["pull.fz"]), delta=1e-12)
            self.assertAlmostEqual(row["power"], row["p.theta.effort"] * math.radians(row["p.theta.speed"]), delta=1e-10)
            self.assertAlmostEqual(row["p.theta.effort"], -20 * math.radians(p), delta=1e-10)
            self.assertAlmostEqual(row["wave"], 5 * math.sin(2 * math.pi * row["t"]), delta=1e-12)
            self.assertEqual(row["sign"], 1 if p > 0 else -1)
            self.assertTrue(math.isinf(row["wild"]))

    def test_statistics(self):
        (self.folder / "m.yaml").write_text(ARMS)
        done = tenon("run", self.folder / "m.yaml")
        self.assertIn("measure      arc:", done.stdout)
        self.assertIn("above 0.01 from", done.stdout)

    def test_parts(self):
        units, rows = self.run_model(LEGS)
        self.assertEqual(units["sum"], "m")
        for row in rows:
            self.assertAlmostEqual(row["x[1].arc"], 0.2 * row["x[1].p.theta"], delta=1e-14)
            self.assertAlmostEqual(row["sum"], row["x[0].arc"] + row["x[1].arc"], delta=1e-15)
            self.assertEqual(row["plain"], row["x[0].p.theta"])

    def test_written_and_read_again(self):
        exact = ARMS.replace("duration: 0.4", "duration: 0.4, accuracy: 1e-10")  # what remains is rounding
        _, before = self.run_model(exact)
        done = tenon("pose", self.folder / "m.yaml", "--plain", "--out", self.folder / "out.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, after = self.run_model((self.folder / "out.yaml").read_text())
        for a, b in zip(before, after):
            self.assertAlmostEqual(a["arc"], b["arc"], delta=1e-12)
            self.assertAlmostEqual(a["power"], b["power"], delta=1e-9)

    def test_what_is_wrong(self):
        for formula, message in (
                ("=p.theta + q.thetta", "unknown name 'q.thetta'"), ("=p.theta + radius", "'+' of an angle and a length"),
                ("=pull", "unknown name 'pull'"), ("=lean + nothing", "unknown name 'nothing'"),
                ("=extra*2", "it depends on itself"), ("=[1, 2]", "not a vector"), ("=p.theta +", "missing at the end"),
                ("=sin(pull.fx)", "takes an angle"), ("={formula: 3}", ""), ("=p.theta.force", "unknown name"),
                ("=3 kgg", "unknown unit"), ("=" + "+".join(["p.theta"] * 80), "more than 64 names")):
            with self.subTest(formula=formula):
                text = ARMS.replace("simulation:", f"  extra: '{formula}'\nsimulation:")
                (self.folder / "m.yaml").write_text(text)
                done = tenon("check", self.folder / "m.yaml")
                self.assertEqual(done.returncode, 1, done.stdout)
                line = text.splitlines().index(f"  extra: '{formula}'") + 1
                self.assertIn(f"m.yaml:{line}:", done.stderr)
                self.assertIn(message, done.stderr)

    def test_a_parameter_before_a_measure_of_its_name_is_told(self):
        (self.folder / "m.yaml").write_text(ARMS.replace("  early:", "  offset: =q.theta\n  early:"))
        done = tenon("check", self.folder / "m.yaml")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("in formulas 'offset' is the parameter, not this measure", done.stderr)

    def test_bounds_have_units(self):
        for written, told in (("10 mm", "above 0.01 from"), ("0.01", "above 0.01 from"), ("1 cm", "above 0.01 from")):
            (self.folder / "m.yaml").write_text(ARMS.replace("above: 0.01", f"above: {written}"))
            self.assertIn(told, tenon("run", self.folder / "m.yaml").stdout)
        for written, told in (("1 kg", "measure 'arc': 'above' is in m, not in 'kg'"), ("[1, 2, 3]", "not a vector"),
                              ("high", "'above' must be a number"), ("1 mk", "unknown unit 'mk'")):
            (self.folder / "m.yaml").write_text(ARMS.replace("above: 0.01", f"above: {written}"))
            self.assertIn(told, tenon("check", self.folder / "m.yaml").stderr)
        turned = "tenon: 1\nangle: deg\nworld: planar\nbodies: {a: {position: [1, 0], mass: 1, inertia: 1}}\n" \
                 "joints: {h: {type: hinge, a: a, origin: [0, 0]}}\nmeasures: {m: {formula: =-h.theta, above: BOUND}}\n"
        for written, told in (("4 deg", "above 4 from"), ("0.1 rad", "above 5.72958 from"), ("0", "above 0 from"),
                              ("4", "'above' is in rad, and the file counts in degrees")):
            (self.folder / "m.yaml").write_text(turned.replace("BOUND", written))
            done = tenon("run", self.folder / "m.yaml")
            self.assertIn(told, done.stdout + done.stderr)
            self.assertEqual(done.returncode, 1 if written == "4" else 0)
        (self.folder / "m.yaml").write_text(turned.replace("BOUND", "4 deg"))
        tenon("pose", self.folder / "m.yaml", "--plain", "--out", self.folder / "again.yaml")  # in rad
        since = [re.search("above (\\S+) from (\\S+) s", tenon("run", self.folder / name).stdout) for name in ("m.yaml", "again.yaml")]
        self.assertEqual((since[0][1], since[1][1]), ("4", "0.0698132"))
        self.assertEqual(since[0][2], since[1][2])
        self.assertIn("stopped", tenon("run", self.folder / "m.yaml", "--stop-when", "m > 4 deg").stdout)
        self.assertIn("the model counts angles in degrees: write '4deg'",
                      tenon("run", self.folder / "m.yaml", "--stop-when", "m > 4").stderr)

    def test_keys_that_do_not_belong(self):
        text = ARMS.replace("{formula: \"radius*p.theta\", above: 0.01}", "{formula: radius*p.theta, axes: world}")
        (self.folder / "m.yaml").write_text(text)
        self.assertIn("'axes' does not belong to a measure of 'formula'", tenon("check", self.folder / "m.yaml").stderr)


if __name__ == "__main__":
    unittest.main()
