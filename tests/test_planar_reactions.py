#!/usr/bin/env python3
"""What joints in the plane carry whose axis lies there: force along it, across it and moment, in files and in measures.

A beam in a sleeve, a collar on a rod, a point on a line: statics.
"""
import csv
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
G = 9.81


def run(text):
    """First row and what is not unique."""
    with tempfile.TemporaryDirectory() as folder:
        model, table = pathlib.Path(folder, "m.yaml"), pathlib.Path(folder, "m.csv")
        model.write_text(text)
        subprocess.run([TENON, "run", model, "--csv", table, "--quiet"], check=True)
        lines = table.read_text().splitlines()
    unique = [line for line in lines if line.startswith("# not unique")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    return [{key: float(value) for key, value in row.items()} for row in rows], " ".join(unique)


class Sleeve(unittest.TestCase):
    def beam(self, axis, b=""):
        return ("tenon: 1\nworld: planar\n"
                "bodies:\n  beam: {position: [0.5, 0], mass: 2, inertia: 0.1}\n  wall: {kind: fixed, position: [0, 0]}\n"
                f"joints:\n  s: {{type: slider, a: beam, {b}origin: [0, 0], axis: {axis}, motor: {{z: {{speed: 0}}}}}}\n"
                "loads: {push: {body: beam, force: [3, 0]}}\n"
                "measures:\n  own: {reaction: s}\n  of_d: {reaction: s, axes: d}\n  world: {reaction: s, axes: world}\n"
                "  turn: {reaction: s, quantity: moment}\n  size: {reaction: s, quantity: force, component: magnitude}\n"
                "simulation: {step: 1 ms, duration: 0.002}\n")

    def test_along_across_and_moment(self):
        """The weight 2 g at 0.5 m, and 3 N along x, in axes with x along the slide."""
        for axis, fx, fy in (("[1, 0]", -3, 2 * G), ("[0, 1]", 2 * G, 3), ("[-1, 0]", 3, -2 * G), ("[3, 4]", -3 * 0.6 + 2 * G * 0.8, 3 * 0.8 + 2 * G * 0.6)):
            for b in ("", "b: wall, "):
                rows, _ = run(self.beam(axis, b))
                for row in rows:
                    for name in ("s", "own", "of_d"):
                        self.assertAlmostEqual(row[f"{name}.fx"], fx, delta=1e-9)
                        self.assertAlmostEqual(row[f"{name}.fy"], fy, delta=1e-9)
                        self.assertAlmostEqual(row[f"{name}.m"], 0.5 * 2 * G, delta=1e-9)
                    self.assertAlmostEqual(row["s.z.effort"], fx, delta=1e-9)
                    self.assertAlmostEqual(row["world.fx"], -3, delta=1e-9)
                    self.assertAlmostEqual(row["turn"], G, delta=1e-9)
                    self.assertAlmostEqual(row["size"], (9 + 4 * G * G) ** 0.5, delta=1e-9)

    def test_two_sleeves_share_the_moment(self):
        """What crosses and turns is one of many ways; along the slide nothing but the motor acts."""
        text = self.beam("[1, 0]").replace("loads:", "  t: {type: slider, a: beam, origin: [0.2, 0], axis: [1, 0]}\nloads:")
        rows, unique = run(text)
        columns = unique.replace("# not unique:", "").replace(" ", "").split(",")
        for name in ("s.fy", "s.m", "t.fy", "t.m", "own.fy", "own.m"):
            self.assertIn(name, columns)
        for name in ("s.fx", "t.fx", "own.fx"):
            self.assertNotIn(name, columns)
        self.assertAlmostEqual(rows[0]["s.fy"] + rows[0]["t.fy"], 2 * G, delta=1e-9)


class Place(unittest.TestCase):
    def test_position_along_the_axis(self):
        rows, _ = run("tenon: 1\nworld: planar\ngravity: [0, 0]\nbodies: {a: {mass: 1, inertia: 1}}\n"
                      "joints: {s: {type: slider, a: a, origin: [0, 0], axis: [3, 4], speed: {z: 2}}}\n"
                      "measures: {p: {joint: s, quantity: position}, v: {joint: s, quantity: velocity}}\n"
                      "simulation: {step: 1 ms, duration: 0.1}\n")
        self.assertAlmostEqual(rows[-1]["p.x"], 0.2, delta=1e-9)
        self.assertAlmostEqual(rows[-1]["v.x"], 2.0, delta=1e-9)
        self.assertAlmostEqual(rows[-1]["p.y"], 0.0, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
