#!/usr/bin/env python3
"""Joints whose constraints yield by a good deal: no energy out of nothing, and what is held stands still.

TENON names the program. Off its constraints a joint's rows are the derivatives of its errors and coordinates only if they
are made for that place; with those of the nearest legal pose the first of these made 0.19 % of the energy turned over, and
the others had an answer for each length of step.
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

# Tilted by up to 0.13 rad; nothing damps it.
SWINGING = """tenon: 1
bodies:
  arm: {position: [0.3, 0.2, 0], mass: 1, inertia: [0.02, 0.03, 0.04]}
joints:
  pin: {type: hinge, a: arm, origin: [0, 0, 0], axis: [0, 1, 0], rotary_compliance: 0.02, damping: [0, 0, 0, 0, 0]}
simulation: {duration: 2}
record: {every: 0.01, what: [coordinates, speeds, energy]}
"""
# A universal joint that gives way to the moment of its load, one coordinate locked, the other led.
LED = """tenon: 1
bodies:
  arm: {position: [0.3, 0.2, 0.1], mass: 1, inertia: [0.02, 0.03, 0.04]}
joints:
  cross: {type: universal, a: arm, origin: [0, 0, 0], axis: [0, 1, 0], rotary_compliance: 0.02, linear_compliance: 1e-4,
          locked: [pitch], drive: {roll: {position: {sine: [0.8, 9, 0, 0]}}}}
simulation: {duration: 1}
record: {every: 0.01, what: [coordinates, speeds, poses]}
"""

# A beam of 10 m in eight segments that is spun up (Kane, Ryan, Banerjee 1987): stiff against its light segments, without damping.
SEGMENTS = "".join(f"  n{k}: {{position: [{1.25 * k}, 0], mass: {0.75 if k == 8 else 1.5}, inertia: {0.000375 if k == 8 else 0.00075}}}\n" for k in range(1, 9))
SOLID = "".join(f"  s{k}: {{type: solid, a: n{k}, b: {f'n{k - 1}' if k > 1 else 'hub'}, origin: [{1.25 * k - 0.625}, 0], "
                "compliance: [4.46428571428571e-08, 1.25e-07, 8.92857142857143e-05], damping: 0}\n" for k in range(1, 9))
SPUN = f"""tenon: 1
world: planar
gravity: [0, 0]
bodies:
  hub: {{position: [0, 0], mass: 1, inertia: 1}}
{SEGMENTS}joints:
  A: {{type: hinge, a: hub, origin: [0, 0], drive: {{theta: {{position: "=0.4*(t^2/2 + 5.6993165798815006*(cos(0.41887902047863906*t) - 1))"}}}}}}
{SOLID}simulation: {{duration: 1.2}}
"""


class SoftJoints(unittest.TestCase):
    def run_model(self, text, *options):
        with tempfile.TemporaryDirectory() as name:
            model, table = (pathlib.Path(name, file) for file in ("model.yaml", "out.csv"))
            model.write_text(text)
            subprocess.run([TENON, "run", model, "--csv", table, "--quiet", *options], check=True, timeout=300)
            with open(table) as stream:
                return [{key: float(value) for key, value in row.items()}
                        for row in csv.DictReader(line for line in stream if not line.startswith("#"))]

    def test_no_energy_is_made(self):
        rows = self.run_model(SWINGING, "--accuracy", "1e-10")
        self.assertGreater(max(row["energy.elastic"] for row in rows), 0.05)
        self.assertLess(max(abs(row["energy.total"]) for row in rows), 1e-10)  # J; 2.9 are turned over

    def test_speeds_are_the_rates_of_coordinates(self):
        """Central differences of fourth order, of a motion of some 10 / s."""
        h, rows = 1e-4, self.run_model(SWINGING.replace("duration: 2", "duration: 0.1").replace("every: 0.01", "every: 1e-4"),
                                       "--accuracy", "1e-11")
        theta = [row["pin.theta"] for row in rows]
        for i in range(2, len(rows) - 2):
            rate = (8 * (theta[i + 1] - theta[i - 1]) - (theta[i + 2] - theta[i - 2])) / (12 * h)
            self.assertAlmostEqual(rate, rows[i]["pin.theta.speed"], delta=1e-8)

    def assert_same(self, one, other, allowed):
        for a, b in zip(one, other):
            for key, value in a.items():
                self.assertAlmostEqual(value, b[key], delta=allowed, msg=f"{key} at {a['t']}")

    def test_one_answer_by_all_integrators_and_steps(self):
        exact = self.run_model(LED, "--integrator", "dormand_prince", "--accuracy", "1e-10")
        self.assertGreater(max(abs(row["cross.roll"]) for row in exact), 0.79)
        self.assertLess(max(abs(row["cross.pitch"]) for row in exact), 1e-11)
        self.assert_same(self.run_model(LED, "--accuracy", "1e-8"), exact, 1e-6)
        looked_at = self.run_model(LED.replace("every: 0.01", "every: 0.001"), "--accuracy", "1e-8")
        self.assert_same(looked_at[::10], exact, 1e-6)
        # of second order: a quarter of the error at half the step
        errors = []
        for step in ("2e-4", "1e-4"):
            rows = self.run_model(LED, "--integrator", "generalized_alpha", "--step", step)
            errors.append(max(abs(a[key] - b[key]) for a, b in zip(rows, exact) for key in a if key.endswith(("px", "py", "pz"))))
        self.assertLess(errors[1], 1e-5)
        self.assertGreater(errors[0] / errors[1], 3.0)

    def test_round_off_does_not_end_implicit_parts(self):
        """Springs of light bodies metres from the origin leave more round-off than an accuracy of 1e-7 lets a stage be off."""
        ends = []
        for options in (("--accuracy", "1e-7", "--step", "0.05"), ("--integrator", "generalized_alpha", "--step", "1e-4")):
            with tempfile.TemporaryDirectory() as name:
                model, report = (pathlib.Path(name, file) for file in ("model.yaml", "report.json"))
                model.write_text(SPUN)
                subprocess.run([TENON, "run", model, "--quiet", "--report", report, *options], check=True, timeout=300)
                ends.append(json.loads(report.read_text()))
        self.assertAlmostEqual(ends[0]["energy_final"], ends[1]["energy_final"], delta=1e-6 * ends[1]["energy_final"])
        self.assertLess(ends[0]["parts"], 3000)  # 37 260 where explicit parts go on


if __name__ == "__main__":
    unittest.main()
