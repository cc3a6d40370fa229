#!/usr/bin/env python3
"""README.md is true: its model runs and its C program compiles, links and runs."""
import os
import pathlib
import math
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = pathlib.Path(os.environ.get("TENON_BUILD", ROOT / "build"))
TENON = os.environ.get("TENON", str(BUILD / "tenon"))
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language):
    found = re.findall(r"^```%s\n(.*?)^```" % language, README, re.M | re.S)
    assert len(found) == 1, "README has one %s block" % language
    return found[0]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def pendulum(time):
    """Where the middle of the program's bar is: theta'' = 3 g / 2 cos(theta), from rest, by RK4."""
    def slope(state):
        return state[1], 1.5 * 9.81 * math.cos(state[0])

    state, h = (0.0, 0.0), 1e-3
    for _ in range(round(time / h)):
        a = slope(state)
        b = slope([s + h / 2 * k for s, k in zip(state, a)])
        c = slope([s + h / 2 * k for s, k in zip(state, b)])
        d = slope([s + h * k for s, k in zip(state, c)])
        state = [s + h / 6 * (p + 2 * q + 2 * r + t) for s, p, q, r, t in zip(state, a, b, c, d)]
    return 0.5 * math.cos(state[0])


class Readme(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)

    def test_model_runs(self):
        model = self.path / "model.yaml"
        model.write_text(block("yaml"), encoding="utf-8")
        self.assertLessEqual(len(block("yaml").splitlines()), 22)
        result = run(TENON, "run", str(model), "--csv", str(self.path / "motion.csv"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("20 rows of rank 17", result.stdout)
        result = run(TENON, "check", str(model))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_program_runs(self):
        source, program = self.path / "program.c", self.path / "program"
        source.write_text(block("c"), encoding="utf-8")
        flags = ["-std=c17", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include")]
        cache = (BUILD / "CMakeCache.txt").read_text(encoding="utf-8")
        if re.search(r"^TENON_SANITIZE:BOOL=(ON|TRUE|1)$", cache, re.M):
            flags.append("-fsanitize=address,undefined")
        library = next(BUILD.rglob("libtenon.a"))
        result = run("cc", *flags, str(source), str(library), "-lm", "-o", str(program))
        self.assertEqual(result.returncode, 0, result.stderr)
        result = run(str(program))
        self.assertEqual(result.returncode, 0, result.stderr)
        match = re.fullmatch(r"x = (-?0\.\d{6}) m after 1 s\n", result.stdout)
        self.assertIsNotNone(match, result.stdout)
        self.assertAlmostEqual(float(match[1]), pendulum(1.0), delta=2e-5)

    def test_files_it_names_exist(self):
        for name in re.findall(r"`((?:tests|bench|examples|docs|include|src)/[\w./-]*)`", README):
            self.assertTrue((ROOT / name).exists(), name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
