#!/usr/bin/env python3
"""Models made of parts and repetitions are the mechanisms that programs once wrote out in full
(tests/generators): the same numbers, the same motion. And changing one number changes them.

TENON names the program.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

from test_examples import ROOT, TENON, read

GENERATORS = ROOT / "tests" / "generators"


def numbers(value):
    """All numbers of a tree, in order."""
    if isinstance(value, dict):
        return [number for key in value for number in numbers(value[key])]
    if isinstance(value, list):
        return [number for entry in value for number in numbers(entry)]
    return [float(value)] if isinstance(value, (int, float)) or re.fullmatch(r"-?[0-9.]+e[-+]?[0-9]+", str(value)) else []


class Parts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def tenon(self, *arguments):
        done = subprocess.run([TENON, *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def made(self, generator, *arguments):
        """What a generator writes, as a file."""
        text = subprocess.run([sys.executable, "-B", GENERATORS / generator, *arguments], capture_output=True,
                              text=True, check=True).stdout
        path = self.path("made.yaml")
        path.write_text(text, encoding="utf-8")
        return path

    def written(self, model, *settings):
        """The model as Tenon writes it, without names of bodies and joints."""
        out = self.path("written.yaml")
        self.tenon("pose", model, "--plain", "--out", out, *settings)
        return yaml.safe_load(out.read_text(encoding="utf-8"))

    def assert_same_model(self, example, generator, *arguments, settings=()):
        ours = self.written(ROOT / "examples" / example, *settings)
        theirs = self.written(self.made(generator, *arguments))
        for section in ("bodies", "joints", "gravity", "simulation"):
            a, b = numbers(ours.get(section, [])), numbers(theirs.get(section, []))
            self.assertEqual(len(a), len(b), section)
            self.assertGreater(len(a), 9 if section in ("bodies", "joints") else -1, section)
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=4e-15 * (1 + abs(y)))

    def assert_same_motion(self, example, generator, *arguments, settings=(), time="0.05", tolerance=1e-9):
        one, two = self.path("one.csv"), self.path("two.csv")
        steps = ("--integrator", "generalized_alpha", "--step", "1e-3", "--time", time)
        self.tenon("run", ROOT / "examples" / example, *steps, "--csv", one, *settings)
        self.tenon("run", self.made(generator, *arguments), *steps, "--csv", two)
        ours, theirs = read(one), read(two)
        self.assertEqual(len(ours), len(theirs))
        self.assertGreater(len(ours), 1)
        compared = 0
        for a, b in zip(ours, theirs):
            self.assertEqual(len(a), len(b))
            for (name, x), y in zip(a.items(), b.values()):
                if x == x or y == y:  # multipliers that are not unique have no number
                    compared += 1
                    self.assertAlmostEqual(x, y, delta=tolerance * (1 + abs(y)), msg=name)
        self.assertGreater(compared, 20)

    def test_n_four_bar(self):
        self.assert_same_model("n_four_bar_40.yaml", "make_n_four_bar.py", "40")
        self.assert_same_model("n_four_bar_40.yaml", "make_n_four_bar.py", "2", settings=("--set", "n=2"))
        self.assert_same_motion("n_four_bar_40.yaml", "make_n_four_bar.py", "3", settings=("--set", "n=3"))

    def test_chain(self):
        self.assert_same_model("chain.yaml", "make_chain.py", "10")
        self.assert_same_model("chain.yaml", "make_chain.py", "57", settings=("--set", "n=57"))
        self.assert_same_motion("chain.yaml", "make_chain.py", "20", settings=("--set", "n=20"), time="0.2")

    def test_stewart(self):
        self.assert_same_model("stewart.yaml", "make_stewart.py")
        self.assert_same_motion("stewart.yaml", "make_stewart.py", tolerance=1e-6)

    def test_jansen(self):
        """The bodies' frames are turned otherwise: the motion of shaft and feet and the energies count."""
        self.assert_same_motion("jansen.yaml", "make_jansen.py", "3", settings=("--set", "legs=3"))

    def test_models_are_short(self):
        for name in ("n_four_bar_40", "chain", "stewart", "jansen"):
            lines = (ROOT / "examples" / f"{name}.yaml").read_text(encoding="utf-8").splitlines()
            self.assertLess(len(lines), 40, name)

    def test_one_number_changes_the_mechanism(self):
        for legs, bodies in (("1", 7), ("5", 31)):
            self.assertIn(f"bodies              {bodies} ",
                          self.tenon("check", ROOT / "examples" / "jansen.yaml", "--set", f"legs={legs}"))
        listed = self.tenon("parameters", ROOT / "examples" / "jansen.yaml", "--set", "legs=5")
        self.assertRegex(listed, r"legs +5 +5  \(set\)")
        self.assertRegex(listed, r"pins +3 +=ceil\(legs/2\)")


if __name__ == "__main__":
    assert os.path.exists(TENON), TENON
    unittest.main()
