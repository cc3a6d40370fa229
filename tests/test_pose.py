#!/usr/bin/env python3
"""tenon pose and tenon sweep-coordinate as their users call them, on the slider-crank example:
crank 0.15 m, rod 0.3 m, the slider at x = r cos t + sqrt(l^2 - r^2 sin^2 t).
"""
import csv
import math
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODEL = ROOT / "examples" / "slider_crank.yaml"
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
CRANK, ROD = 0.15, 0.3


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120)


def slider(t):
    return CRANK * math.cos(t) + math.sqrt(ROD**2 - (CRANK * math.sin(t)) ** 2)


class Pose(unittest.TestCase):
    def test_pose_is_written_and_read_back(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "posed.yaml"
            done = tenon("pose", MODEL, "--set", "A.theta=70deg", "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("(set)", done.stdout)
            again = tenon("pose", out, "--set", f"A={math.radians(70)}", "--soft", "--marker", "pin=9,0,0")
            self.assertEqual(again.returncode, 0, again.stderr)
            x = float(again.stdout.split("pin = ")[1].split(",")[0])
            self.assertAlmostEqual(x, slider(math.radians(70)), 9)

    def test_marker_in_a_loop(self):
        done = tenon("pose", MODEL, "--marker", "pin=0.4,0,0")
        self.assertEqual(done.returncode, 0, done.stderr)
        x = float(done.stdout.split("pin = ")[1].split(",")[0])
        self.assertAlmostEqual(x, 0.4, 8)
        self.assertEqual(tenon("pose", MODEL, "--marker", "pin=0.6,0,0").returncode, 2)

    def test_second_coordinate_is_dependent(self):
        done = tenon("pose", MODEL, "--set", "A=0.5", "--set", "slide.z=0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(set)", done.stdout)
        self.assertIn("(dependent)", done.stdout)

    def test_usage(self):
        for bad in (["--set", "A"], ["--set", "Q=1"], ["--set", "A.z=1"], ["--set", "A=1mm"],
                    ["--marker", "pin=1,2"], ["--marker", "pen=1,2,3"], ["--set", "A=nan"]):
            done = tenon("pose", MODEL, *bad)
            self.assertEqual(done.returncode, 3, bad)
            self.assertTrue(done.stderr.startswith("tenon: "), bad)

    def test_sweep(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out.csv"
            done = tenon("sweep-coordinate", MODEL, "--joint", "A.theta", "--from", "0", "--to", "720deg",
                         "--steps", "721", "--csv", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(out, newline="") as file:
                rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), 721)
        for row in rows:
            t = float(row["value"])
            self.assertAlmostEqual(float(row["slider.x"]), slider(t), 11)
            root = math.sqrt(ROD**2 - (CRANK * math.sin(t)) ** 2)
            rate = -CRANK * math.sin(t) - CRANK**2 * math.sin(t) * math.cos(t) / root
            self.assertAlmostEqual(float(row["slider.vx"]), rate, 10)
        self.assertIn("slide.z turns back", done.stderr)

    def test_sweep_stops_at_a_dead_point(self):
        done = tenon("sweep-coordinate", MODEL, "--joint", "slide", "--from", "0.44", "--to", "0.5",
                     "--steps", "7")
        self.assertEqual(done.returncode, 2)
        self.assertIn("limited", done.stderr)


if __name__ == "__main__":
    unittest.main()
