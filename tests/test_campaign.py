#!/usr/bin/env python3
"""Mechanisms of bench/truth/campaign.py that came out wrong, or were refused for no reason, once.

TENON names the program. Right is what campaign.py calls so: within ten times the accuracy of a reference that is far finer.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TENON = os.environ.get("TENON", str(ROOT / "build" / "tenon"))
sys.path.insert(0, str(ROOT / "bench" / "truth"))
import balance  # noqa: E402
import campaign  # noqa: E402

# A bar turned by a given motion, with dry friction on another joint: refused at t = 0 as a singular pose.
DRAGGED = """tenon: 1
angle: deg
bodies:
  bar: {position: [0.1, 0, 0], mass: 1, inertia: [0.01, 0.01, 0.01]}
joints:
  A: {type: hinge, a: bar, origin: [0, 0, 0], axis: [0, 0, 1], drive: {theta: {position: {polynomial: [0, 360]}}}}
  touch: {type: pin, a: bar, frame_c: {position: [0.2, 0.01, 0]}, frame_d: {position: [0, 0, 0]}, friction: {x: {force: 1}}}
simulation: {duration: 0.05}
"""


class Campaign(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def assert_right(self, seed):
        verdict, error, report = campaign.judge(TENON, self.folder, seed, campaign.DEFAULT)
        self.assertEqual(verdict, "right", f"{seed}: {error} {report}")

    def run_model(self, text):
        path = self.folder / "model.yaml"
        path.write_text(text)
        return subprocess.run([TENON, "run", path, "--quiet"], capture_output=True, text=True, timeout=300, check=False)

    def test_a_stiff_line_in_line_with_a_joint(self):
        self.assert_right(374)

    def test_a_small_mechanism_at_its_change_point(self):
        self.assert_right(660)

    def test_what_a_limit_of_another_joint_blocks(self):
        self.assert_right(2062)

    def test_a_start_at_a_change_point_with_limits(self):
        self.assert_right(2458)

    def test_a_dead_point_of_what_moves_along_a_contact(self):
        """A given motion that a body on a plane cannot follow any further ends there, and is named."""
        verdict, _, report = campaign.judge(TENON, self.folder, 2632, campaign.DEFAULT)
        self.assertTrue(verdict.startswith("refused"), verdict)
        self.assertRegex(report["message"], r"j0\.z has a dead point at -0\.0083215\d m and cannot be driven further")

    def test_a_mechanism_of_a_kilometre(self):
        """Closed to rounding in a pass or two, not in thirty of them without an end."""
        self.assert_right(2918)

    def test_more_work_than_one_call_may_take(self):
        """Fast against its looks: taken in shorter calls."""
        done = self.run_model(campaign.mechanism(2425).text())
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_soft_joint_whose_coordinates_are_coupled(self):
        """Led by steps: 0.5 of its size apart, and the other 4e-5."""
        self.assert_right(3061)
        self.assert_right(3002)

    def test_a_given_motion_into_a_limit_that_gives_no_way(self):
        done = self.run_model(campaign.mechanism(2055).text())
        self.assertEqual(done.returncode, 2)
        self.assertIn("constraints contradict each other: joint j2: no speeds satisfy all limits, locks and prescribed motions here",
                      done.stderr)

    def test_a_given_motion_against_friction(self):
        done = self.run_model(DRAGGED)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_floats_balances_or_is_reported(self):
        """By every method of fixed steps: energy, linear and angular momentum from the rows of the run."""
        for method in balance.METHODS:
            verdict, what, _ = balance.verify(TENON, self.folder, 3011, method, 40)
            self.assertIn(verdict, ("right", "reported"), f"{method}: {what}")

    def test_springs_balance_or_are_reported(self):
        """A spring whose rest moves (3180), those that swing within a step (316, 355, 3203)."""
        for seed, methods in ((3180, ("backward_euler", "constrained_backward_euler")), (316, ("speeds",)), (355, ("generalized_alpha",)), (3203, ("speeds",))):
            for method in methods:
                verdict, what, _ = balance.verify(TENON, self.folder, seed, method, 100)
                self.assertIn(verdict, ("right", "reported"), f"{seed} {method}: {what}")


if __name__ == "__main__":
    unittest.main()
