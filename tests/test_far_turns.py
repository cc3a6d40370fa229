#!/usr/bin/env python3
"""Gears that have turned far: tolerances are above the last digit of what they have to meet.

TENON names the program.
"""
import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))


class FarTurns(unittest.TestCase):
    def run_model(self, model, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            table, report = pathlib.Path(folder) / "a.csv", pathlib.Path(folder) / "r.json"
            done = subprocess.run([TENON, "run", str(model), "--quiet", "--csv", str(table), "--report", str(report),
                                   *arguments], capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(table, encoding="utf-8") as lines:
                last = list(csv.DictReader(line for line in lines if not line.startswith("#")))[-1]
            return last, json.loads(report.read_text())

    def test_gears_at_300_rad_per_second(self):
        """60 000 rad in 200 s; it ended after 57 s."""
        last, report = self.run_model(ROOT / "tests" / "data" / "defects" / "gears_turned_far.yaml", "--every", "10")
        self.assertAlmostEqual(float(last["p.theta"]), 300 * 200, delta=1e-6)
        self.assertAlmostEqual(abs(float(last["q.theta"])), 900 * 200, delta=3e-6)
        self.assertLess(report["energy_max_drift"], 1e-8 * report["energy_initial"])
        self.assertEqual(report["fallbacks"], 0)

    def test_clock_train_for_a_minute(self):
        """It ended at 46.465 s."""
        last, report = self.run_model(ROOT / "examples" / "clock_train.yaml", "--time", "60", "--every", "1")
        self.assertAlmostEqual(float(last["t"]), 60.0, 9)
        self.assertEqual(report["fallbacks"], 0)
        self.assertLess(report["energy_max_drift"], 1e-9)


if __name__ == "__main__":
    unittest.main()
