#!/usr/bin/env python3
"""The models of docs/howto/questions.md answer their questions as closed forms do.

TENON names the program.
"""
import math
import pathlib
import re
import subprocess
import tempfile
import unittest

from test_examples import ROOT, TENON, read

EXAMPLES = ROOT / "examples"


def tenon(*arguments):
    return subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


class Questions(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.addCleanup(self.holder.cleanup)
        self.folder = pathlib.Path(self.holder.name)

    def frames(self, model, *options):
        path = self.folder / "motion.csv"
        done = tenon("run", EXAMPLES / model, "--quiet", "--csv", path, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return read(path)

    def assert_books(self, frames):
        """Energy, what was put in and what was lost add up."""
        books = [f["energy.total"] - f.get("energy.work", 0) + f.get("energy.lost", 0) for f in frames]
        turned = max(abs(f["energy.total"] - frames[0]["energy.total"]) for f in frames) + 1
        self.assertLess(max(books) - min(books), 2e-4 * turned)

    def test_numbers_of_the_page(self):
        """What stands behind its commands is what they print, to the digits there."""
        page = (ROOT / "docs" / "howto" / "questions.md").read_text(encoding="utf-8")
        count = 0
        for command, comment in re.findall(r"^tenon (run .*?) +# (.*)$", page, re.M):
            found = re.findall(r"(\w+): (-?[\d.]+) \.\. (-?[\d.]+)", comment)
            event = re.search(r"([a-z ]+: [\w.]+ at) ([\d.]+) s", comment)
            if not found and not event:
                continue
            words = command.split()
            printed = subprocess.run([TENON, *words], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False).stdout
            for name, *written in found:
                values = re.search(rf"measure +{name}: (\S+) \.\. (\S+) ", printed).groups()
                for value, digits in zip(values, written):
                    count += 1
                    decimals = len(digits.partition(".")[2])
                    self.assertEqual(f"{float(value):.{decimals}f}", digits, f"{command}: {name}")
            if event:
                count += 1
                value = float(re.search(re.escape(event[1]) + r" (\S+) s", printed)[1])
                self.assertEqual(f"{value:.{len(event[2].partition('.')[2])}f}", event[2], command)
        self.assertGreaterEqual(count, 10)

    def test_a_lamp_is_balanced_everywhere(self):
        for lean, reach in ((25, 70), (-10, 100), (60, 20)):
            frames = self.frames("desk_lamp.yaml", "--set", f"lean={lean}deg", "--set", f"reach={reach}deg")
            self.assertLess(max(f["sunk"] for f in frames), 1e-9)
            # a spring of no free length: stiffness times the distance of its ends
            upright, out = 0.06, 0.08
            stiffness = 9.81 * (0.15 + 0.6) * 0.35 / (upright * out)
            length = math.sqrt(upright**2 + out**2 - 2 * upright * out * math.cos(math.radians(reach)))
            self.assertAlmostEqual(frames[-1]["upper_pull"], -stiffness * length, delta=1e-9)
        self.assertGreater(max(f["sunk"] for f in self.frames("desk_lamp.yaml", "--set", "extra=0.1kg")), 0.05)

    def test_a_lift_pushes_as_virtual_work_says(self):
        for stages in (1, 2, 3):
            frames = self.frames("scissor_lift.yaml", "--set", f"stages={stages}")
            self.assert_books(frames)
            weights = 242 * 2 * stages + 16 * sum(2 * k + 1 for k in range(stages))
            for frame, angle in ((frames[0], 15), (frames[-1], 50)):
                force = 9.81 * weights / (2 * math.tan(math.radians(angle)))
                self.assertAlmostEqual(frame["push"] / force, 1, delta=5e-3)
            self.assertAlmostEqual(frames[-1]["platform.y"], 1.6 * stages * math.sin(math.radians(50)), delta=1e-9)

    def test_a_wiper_swings_between_its_ends(self):
        frames = self.frames("wiper.yaml")
        b, r, rod, crank = 0.29, 0.06, 0.285, 0.04
        ends = [math.acos((b * b + r * r - reach * reach) / (2 * b * r)) for reach in (rod + crank, rod - crank)]
        swing = max(f["swing"] for f in frames) - min(f["swing"] for f in frames)
        self.assertAlmostEqual(swing, ends[0] - ends[1], delta=1e-4)

    def test_a_wiper_that_cannot_turn_names_its_dead_point(self):
        """Rod and rocker in line: the law of cosines."""
        text = (EXAMPLES / "wiper.yaml").read_text().replace(", max_force: 15 N m", "")
        (self.folder / "strong.yaml").write_text(text)
        done = tenon("run", self.folder / "strong.yaml", "--set", "crank=70mm")
        self.assertEqual(done.returncode, 2)
        at = math.degrees(math.acos((0.07**2 + 0.29**2 - 0.345**2) / (2 * 0.07 * 0.29))) - 90
        self.assertIn(f"motor.theta has a dead point at {at:.6g} deg and cannot be driven further", done.stderr)
        for options, warned in (((), False), (("--set", "crank=70mm"), True), (("--set", "crank=70mm", "--set", "speed=-45rpm"), True)):
            told = tenon("check", EXAMPLES / "wiper.yaml", *options)
            self.assertEqual("the motor of 'motor' cannot go round: theta has a dead point" in told.stderr, warned)
        told = tenon("check", EXAMPLES / "wiper.yaml", "--set", "crank=70mm")
        self.assertIn(f"dead point at {at:.6g} deg", told.stderr)
        weak = tenon("run", EXAMPLES / "wiper.yaml", "--set", "crank=70mm")
        self.assertIn("motor at its cap: motor.theta", weak.stdout)

    def test_a_wiper_turned_as_given_names_its_dead_point(self):
        """A given motion stops where a motor does: before anything moves, and when it comes to it."""
        text = (EXAMPLES / "wiper.yaml").read_text()
        given = re.sub(r"motor: \{theta: \{speed: =speed[^}]*\}\}", 'drive: {theta: {position: {polynomial: [0, "=speed"]}}}', text)
        self.assertNotEqual(given, text)
        (self.folder / "given.yaml").write_text(given)
        at = math.degrees(math.acos((0.07**2 + 0.29**2 - 0.345**2) / (2 * 0.07 * 0.29))) - 90
        told = tenon("check", self.folder / "given.yaml", "--set", "crank=70mm")
        self.assertIn(f"the prescribed motion of 'motor' cannot go on: theta has a dead point at {at:.6g} deg", told.stderr)
        self.assertNotIn("dead point", tenon("check", self.folder / "given.yaml").stderr)
        done = tenon("run", self.folder / "given.yaml", "--set", "crank=70mm")
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"motor.theta has a dead point at {at:.6g} deg and cannot be driven further", done.stderr)
        self.assertNotIn("spindle.theta", done.stderr)

    def test_a_suspension_comes_to_rest_under_its_load(self):
        frames = self.frames("mcpherson.yaml")
        self.assert_books(frames)
        at_rest = [min(frames, key=lambda f: abs(f["t"] - t)) for t in (1, 2, 3.2)]
        self.assertLess(max(f["energy.kinetic"] for f in at_rest), 1e-2)
        low, high, light = (f["travel"] for f in at_rest)
        self.assertGreater(high, low + 0.03)
        self.assertLess(light, low - 0.03)
        for f in at_rest:  # the hub keeps its distance from the ball of the wishbone
            self.assertAlmostEqual(math.dist([f[f"tip.{k}"] for k in "xyz"], [f[f"centre.{k}"] for k in "xyz"]), 0.1,
                                   delta=1e-9)

    def test_legs_are_one_part(self):
        for legs in (2, 4):
            report = tenon("check", EXAMPLES / "jansen.yaml", "--set", f"legs={legs}")
            self.assertIn(f"bodies              {6 * legs + 1}", report.stdout)


if __name__ == "__main__":
    unittest.main()
