#!/usr/bin/env python3
"""What is wrong with units, formulas, parameters, repetitions, parts, files and aliases is told where it
is, in words, all of it at once: the cases of tests/data/language_mistakes.txt.

TENON names the program.
"""
import pathlib
import subprocess
import tempfile
import unittest

from test_examples import ROOT, TENON

CASES = ROOT / "tests" / "data" / "language_mistakes.txt"
LEAST = 200


def cases():
    text = CASES.read_text(encoding="utf-8")
    for case in text.split("\n===\n")[1:]:
        model, _, wanted = case.partition("\n---\n")
        yield model + "\n", wanted.splitlines()


def told(stderr, path):
    """The problems of an answer, one a line, with their hints."""
    lines = []
    for line in stderr.splitlines():
        if line.startswith("    hint: "):
            lines[-1] += " | " + line[len("    hint: "):]
        elif not line.startswith("    "):
            lines.append(line.replace(f"{path}:", "", 1).replace(" error: ", " ", 1))
    return lines


class Mistakes(unittest.TestCase):
    def test_every_mistake_is_told(self):
        count = 0
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            for model, wanted in cases():
                with self.subTest(model):
                    path.write_text("tenon: 1\n" + model, encoding="utf-8")
                    done = subprocess.run([TENON, "check", path], capture_output=True, text=True, check=False)
                    self.assertEqual(done.returncode, 1)
                    self.assertEqual(told(done.stderr, path), wanted)
                count += 1
        self.assertGreaterEqual(count, LEAST)

    def test_the_model_around_them_is_good(self):
        """The cases are refused for what they say they are."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text("tenon: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints: {h: {type: hinge, a: a, "
                            "origin: [0, 0, 0], axis: [0, 0, 1]}}\n", encoding="utf-8")
            done = subprocess.run([TENON, "check", path], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_settings(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.yaml"
            path.write_text("tenon: 1\nparameters: {length: 1 m, b: 2}\nbodies: {a: {mass: 1, inertia: [1, 1, 1], "
                            "position: [=length, 0, 0]}}\n", encoding="utf-8")
            for setting, code, message in (
                    ("lenght=2", 1, "the model has no parameter 'lenght'"), ("length=2 kg", 1, "'position' is in m"),
                    ("length=", 1, "something is missing at the end"), ("length=2*", 1, "--set length=2*: something is missing"),
                    ("length=length", 1, "depends on itself"), ("length=c", 1, "unknown name 'c'"),
                    ("length", 3, "--set needs NAME=VALUE"), ("=3", 3, "--set needs NAME=VALUE"),
                    ("length=b*1 m", 0, ""), ("length=20 cm", 0, "")):
                with self.subTest(setting):
                    done = subprocess.run([TENON, "check", path, "--set", setting], capture_output=True, text=True,
                                          check=False)
                    self.assertEqual(done.returncode, code, done.stderr)
                    self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
