#!/usr/bin/env python3
"""In every example total energy - work + what was lost stays what it was: stops, impacts, friction, motors, loads, the damping of
bodies and of compliant rows, as recorded. Methods with error control, so that what is left is rounding and their error.

TENON names the program.
"""
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from test_examples import ROOT, TENON, read

EXAMPLES = ROOT / "examples"
JUMP = """tenon: 1
gravity: [0, 0, 0]
bodies: {wheel: {position: [0, 0, 0], mass: 1, inertia: [1, 1, 2]}}
joints: {pin: {type: hinge, a: wheel, origin: [0, 0, 0], axis: [0, 0, 1], motor: {theta: {speed: 3}}}}
simulation: {duration: 1}
record: {every: 0.1}
"""
# A wheel of 50 kg m^2 with 2 rad/s: 100 J, which a damper of 800 N m s/rad takes in J / d = 0.0625 s, a step.
DAMPED = """tenon: 1
gravity: [0, 0, 0]
bodies: {wheel: {position: [0, 0, 0], mass: 1, inertia: [50, 50, 50]}}
damping: {rotary: WORLD}
joints: {pin: {type: hinge, a: wheel, origin: [0, 0, 0], axis: [0, 0, 1], speed: {theta: 2}, friction: {theta: {viscous: JOINT}},
               spring: {theta: {stiffness: 1e-6, damping: SPRING}}}}
simulation: {integrator: generalized_alpha, step: 0.0625, duration: 2}
record: {every: 0.0625, what: [energy]}
"""
DAMPERS = ("WORLD", "JOINT", "SPRING")


class Balance(unittest.TestCase):
    def balance(self, model, *options):
        """How far the books are off, and what was turned over, J."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "motion.csv"
            done = subprocess.run([TENON, "run", model, "--quiet", "--time", "0.4", "--every", "0.02", "--csv", path, *options],
                                  capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            frames = read(path)
        books = [f["energy.total"] - f["energy.work"] + f["energy.lost"] for f in frames]
        last = frames[-1]
        turned = max(max(f["energy.kinetic"] for f in frames), abs(last["energy.work"]), last["energy.lost"])
        for earlier, later in zip(frames, frames[1:]):
            self.assertGreaterEqual(later["energy.lost"] - earlier["energy.lost"], -1e-9 * turned)
        size = max(abs(f["energy.potential"]) + f["energy.elastic"] for f in frames)
        return max(books) - min(books), turned + 1e-6 * size + 1e-6  # J: what rests has rounding only

    def test_all_examples(self):
        models = sorted(EXAMPLES.glob("*.yaml")) + sorted((EXAMPLES / "joints").glob("*.yaml"))
        self.assertGreater(len(models), 50)
        some_lost = 0
        for model in models:
            if "energy" not in model.read_text() and "record:" in model.read_text() and "what:" in model.read_text():
                continue  # records no energies
            with self.subTest(model=model.name):
                off, turned = self.balance(model, "--accuracy", "1e-8")
                self.assertLess(off, 1e-7 * turned)
                some_lost += 1
        self.assertGreater(some_lost, 50)

    def test_fixed_steps(self):
        """Second order in steps of 0.1 ms: within 2e-4 of what was turned over, stops and a soft tyre among it."""
        for model in ("truck.yaml", "joints/custom.yaml", "footbridge.yaml"):
            with self.subTest(model=model):
                off, turned = self.balance(EXAMPLES / model, "--step", "1e-4")
                self.assertLess(off, 2e-4 * turned)

    def test_summaries_tell_of_work_that_is_some(self):
        """Rounding of a start, 1e-32 to 1e-12 J, was told as put in where nothing drives."""
        for model, drives in (("four_bar_hard", False), ("ragdoll", False), ("signpost", False), ("footbridge", True), ("wiper", True)):
            done = subprocess.run([TENON, "run", EXAMPLES / f"{model}.yaml", "--time", "0.1"], capture_output=True,
                                  text=True, timeout=60, check=True)
            self.assertEqual("J put in" in done.stdout, drives, done.stdout)
            self.assertEqual("J away" in done.stdout, not drives, done.stdout)

    def test_a_jump_is_paid_for(self):
        """A motor without a cap has its speed at once: 1/2 * 2 kg m^2 * (3 rad/s)^2 put in before the first record."""
        with tempfile.TemporaryDirectory() as folder:
            model, motion = pathlib.Path(folder) / "jump.yaml", pathlib.Path(folder) / "motion.csv"
            model.write_text(JUMP)
            subprocess.run([TENON, "run", model, "--quiet", "--csv", motion], check=True, timeout=60)
            for frame in read(motion):
                self.assertAlmostEqual(frame["energy.total"], 9.0, delta=1e-9)
                self.assertAlmostEqual(frame["energy.work"], 9.0, delta=1e-9)
                self.assertEqual(frame["energy.lost"], 0.0)

    def damped(self, damper, step):
        """What the wheel has lost, J, how far the balance of the rows is off, and the accuracy of the report."""
        with tempfile.TemporaryDirectory() as folder:
            model, motion, report = (pathlib.Path(folder) / name for name in ("damped.yaml", "motion.csv", "report.json"))
            model.write_text(re.sub("|".join(DAMPERS), lambda name: "800" if name[0] == damper else "0", DAMPED))
            subprocess.run([TENON, "run", model, "--quiet", "--step", step, "--csv", motion, "--report", report], check=True, timeout=60)
            books = [f["energy.total"] - f["energy.work"] + f["energy.lost"] for f in read(motion)]
            return read(motion)[-1]["energy.lost"], max(books) - min(books), json.loads(report.read_text())["accuracy"]

    def test_dampers_as_fast_as_a_step(self):
        """Their power falls by more than half within a step: its work is not known from the ends, and the verdict says so."""
        for damper in DAMPERS:
            with self.subTest(damper=damper):
                _, off, accuracy = self.damped(damper, "0.0625")
                self.assertGreater(off, 1.0)
                self.assertEqual(accuracy["verdict"], "unbalanced")
                self.assertIn("energy within steps is known to", accuracy["text"])
                self.assertGreater(accuracy["energy_made"] + accuracy["energy_faded"], 0.99 * off)
                lost, off, accuracy = self.damped(damper, "0.000625")
                self.assertEqual(accuracy["verdict"], "balances")
                self.assertAlmostEqual(lost, 100.0, delta=0.1)
                self.assertLess(off, 0.1)


if __name__ == "__main__":
    unittest.main()
