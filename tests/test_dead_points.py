#!/usr/bin/env python3
"""A dead point is one event with one name, wherever it is met; the geometry of its mechanism is exact.

TENON names the program. Right values: a slider is at its end where crank and rod are in line; a crank of a
four-bar where coupler and rocker are (law of cosines).
"""
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFECTS = ROOT / "tests" / "data" / "defects"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
METHODS = "auto generalized_alpha constrained_backward_euler backward_euler dormand_prince".split()


def tenon(*arguments):
    return subprocess.run(
        [TENON, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False
    )


class DeadPointTest(unittest.TestCase):
    def setUp(self):
        self.keep = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.keep.name)
        self.addCleanup(self.keep.cleanup)

    def variant(self, old, new):
        text = (DEFECTS / "dead_point_hard_motor.yaml").read_text()
        self.assertIn(old, text)
        path = self.folder / "model.yaml"
        path.write_text(text.replace(old, new))
        return path

    def test_hard_motor_is_refused_and_the_state_stays(self):
        path, table = DEFECTS / "dead_point_hard_motor.yaml", self.folder / "rows.csv"
        for method in METHODS:
            step = ["--step", "1e-3"] if "alpha" in method or "euler" in method else []
            done = tenon("run", path, "--integrator", method, *step, "--csv", table)
            self.assertEqual(done.returncode, 2, method)
            self.assertIn("rail.z has a dead point at 0 m", done.stderr, method)
            self.assertNotIn("open loops", done.stdout + done.stderr, method)
            rows = [line for line in table.read_text().splitlines() if not line.startswith("#")]
            place = dict(zip(rows[0].split(","), rows[-1].split(",")))
            self.assertEqual([float(place[key]) for key in ("t", "main.theta", "rail.z")], [0, 0, 0], method)

    def test_spatial_twin_is_refused_too(self):
        """Its parallel hinges repeat rows at every pose: no reason to take exact joints for inexact ones."""
        model = {"tenon": 1, "gravity": [0, 0, 0], "bodies": {
            name: {"position": [x, 0, 0], "mass": 1, "inertia": [0.01, 0.01, 0.01]}
            for name, x in (("crank", 0.05), ("rod", 0.25), ("piston", 0.4))}, "joints": {
                "main": {"type": "hinge", "a": "crank", "origin": [0, 0, 0], "axis": [0, 0, 1]},
                "big": {"type": "hinge", "a": "rod", "b": "crank", "origin": [0.1, 0, 0], "axis": [0, 0, 1]},
                "small": {"type": "hinge", "a": "piston", "b": "rod", "origin": [0.4, 0, 0], "axis": [0, 0, 1]},
                "rail": {"type": "slider", "a": "piston", "origin": [0.4, 0, 0], "axis": [1, 0, 0],
                         "motor": {"z": {"speed": -0.05}}}},
            "simulation": {"duration": 0.1, "step": 1e-3}}
        path = self.folder / "model.json"
        path.write_text(json.dumps(model))
        for method in METHODS:
            done = tenon("run", path, "--integrator", method)
            self.assertEqual(done.returncode, 2, method)
            self.assertIn("rail.z has a dead point at 0 m", done.stderr, method)
            self.assertNotIn("open loops", done.stdout + done.stderr, method)

    def test_motors_are_warned_of(self):
        path = self.variant("speed: -0.05", "speed: -0.05, max_force: 10")
        for command in ("check", "run"):
            done = tenon(command, path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("starts at a dead point of rail.z at 0 m: its motor cannot move it", done.stderr)
        beside = self.variant("origin: [0, 0]}", "origin: [0, 0], set: {theta: 0.1}}")
        self.assertNotIn("dead point", tenon("check", beside).stderr)

    def test_given_motion_cannot_begin(self):
        path = self.variant("motor: {z: {speed: -0.05}}", "drive: {z: {position: {polynomial: [0, -0.05]}}}")
        for command in ("check", "run"):
            done = tenon(command, path)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("starts at a dead point of rail.z at 0 m", done.stderr)
            self.assertNotIn("no freedom left", done.stderr)

    def test_pose_says_singular(self):
        path = DEFECTS / "dead_point_slider.yaml"
        done = tenon("pose", path, "--set", "rail.z=-0.05")
        self.assertEqual((done.returncode, done.stdout), (4, "rail.z = 0 m (singular)\n"))
        both = tenon("pose", path, "--set", "main.theta=0.5", "--set", "rail.z=-0.05")
        self.assertIn("rail.z = -0.0", both.stdout)
        self.assertIn("(dependent)", both.stdout)

    def test_found_at_once(self):
        """294 890 parts and 55 s before, when the joints were left open a little on and on."""
        a, p, q, o = (0.165, 1.322), (1.244, 0.196), (-2.32, -2.293), (4.1, 3.75)
        crank, base, reach = math.dist(a, p), math.dist(a, o), math.dist(p, q) + math.dist(q, o)
        if reach > crank + base:
            reach = abs(math.dist(p, q) - math.dist(q, o))
        drawn = math.atan2(o[1] - a[1], o[0] - a[0]) - math.atan2(p[1] - a[1], p[0] - a[0])
        dead = math.acos((crank**2 + base**2 - reach**2) / (2 * crank * base))
        ways = [math.degrees(drawn + sign * dead) for sign in (-1, 1)]
        right = min(way for way in ways if way > 0)
        for method in ("auto", "generalized_alpha"):
            done = tenon("run", DEFECTS / "dead_point_drive_slow.yaml", "--integrator", method)
            self.assertEqual(done.returncode, 2)
            found = re.search(r"main\.theta has a dead point at ([\d.]+) deg", done.stderr)
            self.assertAlmostEqual(float(found[1]), right, 4)
            parts = re.search(r"parts +(\d+)", done.stdout)
            self.assertLess(int(parts[1]) if parts else 0, 3000)

    def test_two_motors_meet_one_together(self):
        """A five-bar whose cranks both turn outwards: couplers of hypot(0.3, 0.2) m are in line where sin a = their length - 0.3 m."""
        path = self.folder / "five.yaml"
        bodies = "".join(f"  {name}: {{position: {place}, mass: 1, inertia: [0.02, 0.02, 0.02]}}\n" for name, place in
                         (("l1", [0, 0.25, 0]), ("l2", [0.15, 0.6, 0]), ("r2", [0.45, 0.6, 0]), ("r1", [0.6, 0.25, 0])))
        joints = (("a", "l1", "", [0, 0, 0], ", motor: {theta: {speed: 3}}"), ("b", "l2", ", b: l1", [0, 0.5, 0], ""), ("c", "r2", ", b: l2", [0.3, 0.7, 0], ""),
                  ("d", "r1", ", b: r2", [0.6, 0.5, 0], ""), ("e", "r1", "", [0.6, 0, 0], ", motor: {theta: {speed: -3}}"))
        text = "".join(f"  {name}: {{type: hinge, a: {a}{b}, origin: {at}, axis: [0, 0, 1]{motor}}}\n" for name, a, b, at, motor in joints)
        path.write_text(f"tenon: 1\nbodies:\n{bodies}joints:\n{text}simulation: {{duration: 1}}\n")
        end = math.degrees(math.asin(2 * math.hypot(0.3, 0.2) - 0.6))
        for method in METHODS:
            step = ["--step", "1e-3"] if "alpha" in method or "euler" in method else []
            done = tenon("run", path, "--integrator", method, *step)
            self.assertEqual(done.returncode, 2, method)
            self.assertNotIn("too stiff", done.stderr, method)
            for name, sign in (("a", 1), ("e", -1)):
                found = re.search(rf"{name}\.theta has a dead point at ([-\d.]+) deg", done.stderr)
                self.assertIsNotNone(found, f"{method}: {done.stderr}")
                self.assertAlmostEqual(float(found[1]), sign * end, delta=0.2 if step else 1e-3)  # a step turns by 0.17 degrees


if __name__ == "__main__":
    unittest.main()
