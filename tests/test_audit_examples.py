#!/usr/bin/env python3
"""Every example passes its audit: Newton and Euler of every body at every step with the reactions
told, closed joints, energy over the run; nothing is left unjudged.

The largest three run for a part of their time (their whole runs pass too, in half a minute). TENON
names the program.
"""
import json
import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
SHORTENED = {"jansen.yaml": "0.5", "n_four_bar_40.yaml": "1", "ragdoll.yaml": "1", "governor.yaml": "1"}
MODELS = sorted([*ROOT.glob("examples/*.yaml"), *ROOT.glob("examples/joints/*.yaml"),
                 ROOT / "tests/data/models/andrews.yaml", ROOT / "tests/data/models/governor.yaml"])
CLOSED, OPEN = {"position_error", "angle_error"}, {"joints_open"}


class Audit(unittest.TestCase):
    def test_examples_pass(self):
        self.assertGreater(len(MODELS), 60)
        for model in MODELS:
            with self.subTest(model=model.name):
                time = ["--time", SHORTENED[model.name]] if model.name in SHORTENED else []
                done = subprocess.run([TENON, "run", model, "--audit", "--report", "-", *time],
                                      capture_output=True, text=True, timeout=300, check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.judge(json.loads(done.stdout))

    def judge(self, report):
        audit = report["audit"]
        self.assertEqual(audit["verdict"], "passed")
        self.assertEqual(audit["steps"], report["steps"])
        figures = {key for key, value in audit.items() if isinstance(value, dict)}
        judged = {key for key in figures if audit[key]["allowed"] is not None}
        # joints are judged by their errors, or where a method leaves them open by how far they are
        self.assertIn(figures - judged, (OPEN, CLOSED))
        for key in judged:
            self.assertLessEqual(audit[key]["worst"], audit[key]["allowed"], key)


if __name__ == "__main__":
    unittest.main()
