#!/usr/bin/env python3
"""Loads of parts that are placed turned: body axes and markers turn with the part, world axes stay.

TENON names the program.
"""
import math
import pathlib
import subprocess
import tempfile
import unittest

from test_examples import TENON, read

MODEL = """tenon: 1
gravity: [0, 0, 0]
angle: deg
parts:
  sled:
    bodies: {sled: {position: [0, 0, 0], mass: 2, inertia: [1, 1, 1]}}
    markers: {nose: {body: sled, rpy: [30, 0, 0]}}
    loads: {jet: LOAD}
instances:
  turned: {part: sled, position: [1, 2, 3], rpy: [90, 0, 0]}
  twice: {part: sled, repeat: 2, position: [0, 0, =index], rpy: [=180*index, 0, 0]}
markers: {one: {body: turned.sled}, two: {body: "twice[0].sled"}, three: {body: "twice[1].sled"}}
simulation: {duration: 1, integrator: dormand_prince}
"""


class PartLoads(unittest.TestCase):
    def ways(self, load):
        """Where each sled has gone after 1 s under 4 N on 2 kg: 1 m."""
        with tempfile.TemporaryDirectory() as folder:
            model, table = pathlib.Path(folder) / "m.yaml", pathlib.Path(folder) / "m.csv"
            model.write_text(MODEL.replace("LOAD", load))
            done = subprocess.run([TENON, "run", model, "--quiet", "--csv", table], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            frames = read(table)
            return [[frames[-1][f"{m}.{k}"] - frames[0][f"{m}.{k}"] for k in "xyz"] for m in ("one", "two", "three")]

    def assert_ways(self, load, *degrees):
        for way, angle in zip(self.ways(load), degrees):
            for value, wanted in zip(way, (math.cos(math.radians(angle)), math.sin(math.radians(angle)), 0.0)):
                self.assertAlmostEqual(value, wanted, delta=1e-9)

    def test_body_axes_turn(self):
        self.assert_ways("{body: sled, axes: body, force: [4, 0, 0]}", 90, 0, 180)

    def test_markers_turn(self):
        self.assert_ways("{marker: nose, axes: marker, force: [4, 0, 0]}", 120, 30, 210)

    def test_world_axes_stay(self):
        self.assert_ways("{body: sled, force: [4, 0, 0]}", 0, 0, 0)


if __name__ == "__main__":
    unittest.main()
