#!/usr/bin/env python3
"""The examples through the tool against what is known about them: recorded runs of the programs they
come from, closed forms and highly accurate solutions (tests/data), conservation of energy.

TENON names the program. Every test runs an example as it stands, to its end.
"""
import csv
import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))


def run(name, *options):
    """The report of a run and its frames, each a dict by column."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "motion.csv"
        command = [TENON, "run", ROOT / "examples" / name, "--csv", path, "--report", "-", *options]
        result = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout), read(path)


RADIANS = {"deg": math.pi / 180, "deg/s": math.pi / 180, "deg/s^2": math.pi / 180}


def read(path):
    """The rows of a table by column, angles in rad whatever its comment of units says."""
    with open(path, newline="", encoding="utf-8") as file:
        lines = file.readlines()
    units = [line[len("# units: "):].rstrip("\n").split(",") for line in lines if line.startswith("# units: ")]
    rows = csv.reader(line for line in lines if not line.startswith("#"))
    names = next(rows)
    factors = [RADIANS.get(unit, 1.0) for unit in units[0]] if units else [1.0] * len(names)
    assert len(factors) == len(names)
    return [{key: float(value) * factor for key, value, factor in zip(names, row, factors)} for row in rows]


def recorded(name):
    """Rows of numbers of a recorded run: t; per body p (3), R (9), v (3), w (3); and more."""
    text = (DATA / "artisynth" / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [[float(value) for value in line.rstrip(",").split(",")] for line in lines]


def largest(values):
    return max(map(abs, values))


class Examples(unittest.TestCase):
    def assert_hard(self, report, rank, redundant):
        """Hard joints stay closed at every step and the rank is what it must be."""
        self.assertLessEqual(report["max_position_error"], 1e-10)
        self.assertLessEqual(report["max_angle_error"], 1e-10)
        self.assertEqual((report["rank"], report["redundant"]), (rank, redundant))

    def assert_recorded(self, example, run_name, bodies):
        """Positions and velocities at every one of the steps of a recorded run."""
        _, frames = run(example)
        rows = recorded(run_name)
        self.assertEqual(len(frames), len(rows))
        for frame, row in zip(frames, rows):
            for index, body in enumerate(bodies):
                at = 1 + 18 * index
                for columns, start in (("px py pz", at), ("vx vy vz", at + 12), ("wx wy wz", at + 15)):
                    for k, column in enumerate(columns.split()):
                        self.assertAlmostEqual(frame[f"{body}.{column}"], row[start + k], delta=1e-9)

    def test_rigid_body_joint(self):
        self.assert_recorded("rigid_body_joint.yaml", "RigidBodyJoint.csv", ["bodyA"])

    def test_four_bar_linkage(self):
        self.assert_recorded("four_bar_linkage.yaml", "FourBarLinkage.csv", ["link1", "link2", "link3"])

    def test_four_bar_hard(self):
        report, frames = run("four_bar_hard.yaml")
        self.assert_hard(report, 17, 3)
        swing = -min(frame["energy.potential"] for frame in frames)
        self.assertGreater(swing, 1000)  # it falls by 1 m
        self.assertLess(report["energy_max_drift"], 1e-3 * swing)
        for frame in frames:  # opposite bars stay parallel
            self.assertAlmostEqual(frame["joint0.theta"] + frame["joint1.theta"], 3.141592653589793, delta=1e-6)

    def test_double_pendulum(self):
        report, frames = run("double_pendulum.yaml")
        self.assert_hard(report, 10, 0)
        swing = -min(frame["energy.potential"] for frame in frames)
        self.assertLess(report["energy_max_drift"], 1e-3 * swing)

    def test_bricard(self):
        report, frames = run("bricard.yaml")
        self.assert_hard(report, 29, 1)
        potential = [frame["energy.potential"] for frame in frames]
        swing = potential[0] - min(potential)
        self.assertGreater(swing, 4)
        self.assertLess(report["energy_max_drift"], 1e-3 * swing)
        truth = {round(row["t"], 6): row for row in read(DATA / "mechanisms" / "A04.csv")}
        compared = 0
        for frame in frames:
            row = truth.get(round(frame["t"], 6))
            if row is not None:
                compared += 1
                for k in (2, 3, 4, 5):
                    for axis in "xyz":
                        self.assertAlmostEqual(frame[f"J{k}.{axis}"], row[f"P{k}{axis}"], delta=1e-4)
        self.assertEqual(compared, 101)

    def test_n_four_bar(self):
        report, frames = run("n_four_bar_40.yaml")
        self.assert_hard(report, 485, 120)
        self.assertLess(report["energy_max_drift"], 1e-3 * 60.5 * 9.81 * 2)  # G g times the height
        truth = {round(row["t"], 6): row for row in read(DATA / "mechanisms" / "A02_N40.csv")}
        compared = 0
        for frame in frames:
            angles = [frame[f"pivot[{k}].theta"] for k in range(41)]
            self.assertLess(max(angles) - min(angles), 1e-6)
            row = truth.get(round(frame["t"], 6))
            if row is not None:
                compared += 1
                self.assertAlmostEqual(frame["first.x"], row["B0x"], delta=1e-3)
                self.assertAlmostEqual(frame["first.y"], row["B0y"], delta=1e-3)
                self.assertAlmostEqual(-angles[0], row["theta"], delta=1e-3)  # turns are counted
        self.assertEqual(compared, 51)

    def test_slider_crank(self):
        """At a tenth of its step: motion and the reactions, which are unique in the plane."""
        report, frames = run("slider_crank.yaml", "--step", "1e-4")
        self.assert_hard(report, 17, 3)
        rows = read(DATA / "mechanisms" / "P08_free.csv")
        self.assertEqual(len(frames), len(rows))
        for frame, row in zip(frames[1:], rows[1:]):
            for column, name in (("A.theta", "phi"), ("C.theta", "psi"), ("slide.z", "x")):
                self.assertAlmostEqual(frame[column], row[name], delta=1e-5)
            c, s = math.cos(frame["A.theta"]), math.sin(frame["A.theta"])  # the crank's axes against the world's
            for value, name in ((c * frame["A.fx"] - s * frame["A.fy"], "FAx"),
                                (s * frame["A.fx"] + c * frame["A.fy"], "FAy"), (frame["slide.fy"], "N_slider")):
                self.assertAlmostEqual(value, row[name], delta=2e-3)
            self.assertLess(largest(frame[f"{joint}.fz"] for joint in ("A", "B", "C", "slide")), 1e-9)

    def test_cantilever(self):
        """Weld i carries n - i plates: force (n - i) m g, moment m g l (n - i)^2 / 2."""
        _, frames = run("planar_weld_cantilever.yaml")
        for frame in frames[1:]:
            for i in range(8):
                force, weld = 9.81 * (8 - i), f"weld[{i}]" if i else "root"
                moment = 9.81 * (8 - i) ** 2 / 2  # on plate i at the weld
                self.assertAlmostEqual(frame[f"{weld}.fy"], force, delta=1e-9)
                self.assertAlmostEqual(frame[f"{weld}.m"], moment, delta=1e-9)
                self.assertAlmostEqual(frame[f"plate[{i}].y"], 0, delta=1e-12)


if __name__ == "__main__":
    unittest.main(verbosity=1)
