#!/usr/bin/env python3
"""Reactions in loops with rows that repeat others, at long steps: Bennett's linkage (3 redundant rows)
and Bricard's (1), which move only because of their exact geometry.

A step is solved with the rows of the pose predicted, where the loop is open by 1e-8 m or so: what
nothing determines of the multipliers there must not be taken for a singular pose and left in. Both
second-order formulations are held against dormand_prince, whose rows are always those of closed
poses: every multiplier, shares of redundant rows included. With friction by the reactions anything
left in would be friction.

TENON names the program.
"""
import json
import subprocess
import unittest

from test_examples import DATA, TENON, largest, run

FORMULATIONS = ("index_3", "stabilized_index_2")


def multipliers(frames):
    return [{key: value for key, value in frame.items() if ".lambda" in key}
            for frame in frames[1:]]


class RedundantReactions(unittest.TestCase):
    def run_smoothly(self, model, *options):
        """A run without any step cut, fallen back, or told to be near a change point."""
        report, frames = run(model, "--every", "0.1", "--what", "multipliers", *options)
        for key in ("fallbacks", "halvings", "folds"):
            self.assertEqual(report[key], 0, key)
        return report, frames

    def compare(self, model, step, time, most, tolerance):
        """Multipliers against dormand_prince: the largest, and every one of them."""
        _, truth = run(model, "--every", "0.1", "--what", "multipliers", "--time", time, "--integrator", "dormand_prince")
        truth = multipliers(truth)
        for formulation in FORMULATIONS:
            with self.subTest(formulation=formulation):
                _, frames = self.run_smoothly(model, "--step", step, "--time", time,
                                              "--formulation", formulation)
                found = multipliers(frames)
                self.assertEqual(len(found), len(truth))
                self.assertLessEqual(max(largest(f.values()) for f in found), most)
                off = max(abs(f[key] - t[key]) for f, t in zip(found, truth) for key in t)
                self.assertLessEqual(off, tolerance)

    def test_bennett(self):
        self.compare(DATA / "defects" / "bennett.yaml", "0.01", "2", 25.2, 0.02)

    def test_bricard(self):
        self.compare("bricard.yaml", "0.01", "2", 29.5, 0.003)

    def test_friction_in_bennett(self):
        """5.30978 J are left by dormand_prince."""
        for formulation in FORMULATIONS:
            with self.subTest(formulation=formulation):
                report, _ = self.run_smoothly(DATA / "defects" / "bennett_friction.yaml",
                                              "--formulation", formulation)
                self.assertAlmostEqual(report["energy_final"], 5.30978, delta=2e-4)

    def test_friction_in_bricard(self):
        """-29.51644 J are left by dormand_prince."""
        for formulation in FORMULATIONS:
            with self.subTest(formulation=formulation):
                report, _ = self.run_smoothly(DATA / "defects" / "bricard_friction.yaml",
                                              "--step", "0.01", "--time", "4",
                                              "--formulation", formulation)
                self.assertAlmostEqual(report["energy_final"], -29.51644, delta=2e-3)

    def test_no_change_point_in_a_slider_crank(self):
        """At 3000 rpm, 0.3 rad a step, steps are cut; a crank shorter than its rod has no change
        point, and its loop closes: whether the run ends or is refused, neither may be told of."""
        result = subprocess.run([TENON, "run", DATA / "defects" / "slider_crank_3000rpm.json",
                                 "--report", "-", "--quiet"],
                                capture_output=True, text=True, check=False)
        report = json.loads(result.stdout)
        self.assertEqual((report["folds"], report["max_gap"], report["max_gap_angle"]), (0, 0, 0))
        self.assertEqual(result.returncode, 0 if report["status"] == "ok" else 2)

    def test_steps_are_not_cut_where_forces_grow(self):
        """A rocker 0.1 mm longer than the crank turns back within 6 ms, with reactions of 1e5 N: a
        factor made anew has the stiffness of these, and the iteration converges. Whole steps of
        1 ms would have a quarter of the energy come and go: those are cut, for that alone."""
        report, _ = run(DATA / "defects" / "near_parallelogram_energy.json")
        self.assertEqual((report["fallbacks"], report["folds"]), (0, 0))
        self.assertLess(report["energy_max_drift"], 0.05)


if __name__ == "__main__":
    unittest.main()
